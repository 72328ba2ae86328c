"""`corona evaluate` and `corona selftest`: how well photographs with known truth are read."""

from __future__ import annotations

from pathlib import Path

import click

from companion.cli.answers import fail, print_json, say

PHOTO = click.Path(path_type=Path)


@click.command(short_help="How rightly and how surely photo sessions are read.")
@click.argument("folder", type=PHOTO)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a session, then one of the totals.")
@click.option("--disturbed", is_flag=True, help="Read each frame also turned, darker, blurred, ...")
@click.option("--cameras", is_flag=True, help="Learn and read each session also as other cameras would.")
@click.option(
    "--alone", is_flag=True, help="Know nothing of what a table's other photos show of its bare pieces."
)
def evaluate(folder: Path, as_json: bool, disturbed: bool, cameras: bool, alone: bool) -> None:
    """Read every session under FOLDER that has a truth.json; tables of right, unsure, wrong, and how sure."""
    from companion.evaluate import Evaluation, NoSessions
    from companion.tally import HEADER

    try:
        evaluation = Evaluation(folder, disturbed, cameras, alone)
    except NoSessions as fault:
        fail(str(fault))
    if not as_json:
        click.echo(HEADER)
    bad = False
    for result in evaluation.results():
        bad = bad or bool(result.faults)
        if as_json:
            print_json(result.as_object())
        else:
            click.echo("\n".join(result.rows()))
        if as_json or not result.fault:  # which stands in its row
            for sentence in result.faults:
                say(f"{result.session}: {sentence}")
    if as_json:
        print_json(evaluation.as_object())
    else:
        click.echo("\n".join(evaluation.rows()))
    if bad:
        raise SystemExit(1)


@click.command(short_help="Ten set-ups to lay: how well your table is read.")
@click.option("--profile", type=PHOTO, help="What `corona calibrate` wrote; else the one the config names.")
@click.option("--config", type=PHOTO, metavar="TOML", help="The settings that name the camera.")
@click.option("--photos", type=PHOTO, metavar="FOLDER", help="Photos 01.jpg to 10.jpg instead of a camera.")
@click.option("--demo", is_flag=True, help="On the virtual table, which lays the set-ups by itself.")
@click.option("--list", "only_list", is_flag=True, help="Print the set-ups, to lay and photograph them.")
@click.option(
    "--redo",
    type=click.IntRange(1, 10),
    multiple=True,
    metavar="N",
    help="Do only this set-up, anew; may be given several times.",
)
@click.option(
    "--out", type=PHOTO, default=Path("selftest"), show_default=True, help="Where page and photos go."
)
def selftest(
    profile: Path | None,
    config: Path | None,
    photos: Path | None,
    demo: bool,
    only_list: bool,
    redo: tuple[int, ...],
    out: Path,
) -> None:
    """Ten set-ups to lay: how surely and how rightly your table is read, and what to improve.

    What was done is kept as it comes: stopped, it goes on where it was. OUT is a photo session too.
    """
    from calibration.files import NotAPhoto
    from calibration.store import BadProfile
    from companion.config import BadConfig, Config, load
    from companion.selftest.run import NoSelfTest
    from companion.selftest.start import Wanted, listed
    from companion.selftest.start import selftest as run
    from hardware.camera import CameraFailed

    if demo and (photos or profile or config):
        raise click.UsageError("--demo has a table of its own: give it neither photos nor profile nor config")
    try:
        wanted = Wanted(profile, load(config) if config else Config(), photos, demo, out, redo)
        if only_list:
            click.echo("\n".join(listed(wanted)))
            return
        faults = run(wanted, _ask, click.echo)
    except (BadConfig, BadProfile, CameraFailed, NoSelfTest, NotAPhoto) as fault:
        fail(str(fault))
    except OSError as fault:
        fail(f"{fault.filename or out}: {fault.strerror or fault}")
    for sentence in faults:
        say(sentence)
    if faults:
        raise SystemExit(1)


def _ask(question: str) -> str:
    try:
        return input(question).strip()
    except KeyboardInterrupt:
        raise EOFError from None
