"""`corona wiring` and `corona doctor`: how the parts are wired, and whether each of them works."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from companion.cli.answers import fail, print_json, say

FILE = click.Path(path_type=Path)


@click.command(short_help="Which part hangs on which pin of the header.")
@click.option(
    "--config", type=FILE, metavar="TOML", help="The settings that name the pins; else the default."
)
@click.option("--out", type=FILE, default=Path("wiring.svg"), show_default=True, help="The drawing, for A4.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a part, instead of the table.")
def wiring(config: Path | None, out: Path, as_json: bool) -> None:
    """Which part hangs on which pin of the 40-pin header: a table, and a drawing of the same."""
    from companion.config import BadConfig, load
    from companion.wiring_sheet import as_object, drawing, table
    from hardware.header import joints
    from hardware.wiring import DEFAULT

    try:
        wired = joints(load(config).panel.as_wiring() if config else DEFAULT)
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(drawing(wired), encoding="utf-8")
    except BadConfig as fault:
        fail(str(fault))
    except OSError as fault:
        fail(f"{out}: cannot be written ({fault.strerror}); choose another place")
    if as_json:
        for one in wired:
            print_json(as_object(one))
        say(f"{out}: the same as a drawing")
    else:
        click.echo("\n".join([*table(wired), f"{out}: the same as a drawing, to print on A4"]))


@click.command()
@click.option("--config", type=FILE, metavar="TOML", help="The settings that say what there is.")
@click.option(
    "--yes", "--no-questions", "quiet", is_flag=True, help="Ask nothing; needs nobody at the table."
)
@click.option(
    "--photo", type=FILE, default=Path("doctor.jpg"), show_default=True, help="The picture it takes."
)
def doctor(config: Path | None, quiet: bool, photo: Path) -> None:
    """Try every part in turn: what works, what does not, what to do.

    Lights every LED, asks for each button, takes a picture. Where standard input is no terminal it asks
    nothing. Exit 1 if something that the settings name does not work.
    """
    from companion.config import BadConfig, Config, load
    from companion.doctor.findings import Person
    from companion.doctor.visit import visit
    from companion.eye import open_camera

    try:
        settings = load(config) if config else Config()
    except BadConfig as fault:
        fail(str(fault))
    asks = sys.stdin.isatty() and not quiet
    person = Person(click.echo, _ask) if asks else None
    failed = 0
    for finding in visit(settings, person, photo, open_camera):
        click.echo(finding.line)
        failed += finding.state == "fails"
    if failed:
        fail(f"{failed} of these {'does' if failed == 1 else 'do'} not work.")


def _ask(question: str) -> bool | None:
    """Yes or no; None once nobody answers any more."""
    try:
        answer = input(f"{question} [Y/n] ").strip().lower()
    except EOFError:
        return None
    return not answer.startswith("n")
