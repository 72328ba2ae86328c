"""The `corona` command: reads what was asked for, calls the part that does it, prints the answer.

Every command imports what it needs when it runs, so that `corona --help` answers at once.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

if TYPE_CHECKING:
    from vision.profile import Profile

PHOTO = click.Path(path_type=Path)
DATA = Path.home() / ".local" / "share" / "corona"
HELP = {"help_option_names": ["-h", "--help"]}


@click.group(context_settings=HELP)
@click.version_option(package_name="corona-companion", prog_name="corona")
def main() -> None:
    """A companion for Corona: reads the board, keeps the auction, proves the best score."""


def say(text: str) -> None:
    """One line on standard error, for a person."""
    click.echo(text, err=True)


def fail(text: str) -> NoReturn:
    """Exit 1 with one sentence."""
    say(text)
    raise SystemExit(1)


def print_json(data: dict[str, Any]) -> None:
    """One JSON object on one line of standard output, at once (the reader may be a pipe)."""
    click.echo(json.dumps(data, ensure_ascii=False))


def report_fault(what: dict[str, Any], why: str, as_json: bool, sentence: str = "") -> None:
    """Say why one of several could not be answered; the others still are."""
    say(sentence or why)
    if as_json:
        print_json({**what, "error": why})


# Playing


@main.command()
@click.option("--host", default="0.0.0.0", show_default=True, help="Address to serve on.")
@click.option(
    "--port", default=8000, show_default=True, type=click.IntRange(1, 65535), help="Port to serve on."
)
@click.option("--data", type=click.Path(path_type=Path), default=DATA, help="Folder of the log.")
@click.option("--open", "open_browser", is_flag=True, help="Open the virtual table in a browser.")
def demo(host: str, port: int, data: Path, open_browser: bool) -> None:
    """Everything, on a virtual table, no hardware."""
    from companion.demo import run_demo
    from companion.play import CannotPlay
    from companion.store import StoreError
    from companion.web.server import CannotServe

    try:
        run_demo(host, port, data, open_browser)
    except (CannotPlay, CannotServe, StoreError) as fault:
        fail(str(fault))


@main.command()
@click.option("--config", type=click.Path(path_type=Path), required=True, help="The TOML file of settings.")
def play(config: Path) -> None:
    """Everything, on the hardware in the config."""
    from companion.config import BadConfig, load
    from companion.play import CannotPlay, run_play
    from companion.store import StoreError
    from companion.web.server import CannotServe

    try:
        run_play(load(config))
    except (BadConfig, CannotPlay, CannotServe, StoreError) as fault:
        fail(str(fault))


# The solver


@main.command()
@click.argument("situations", nargs=-1, required=True, metavar="SITUATION...")
@click.option("--colours", default=None, help="The six colours in the set's order, comma between.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
def solve(situations: tuple[str, ...], colours: str | None, as_json: bool) -> None:
    """The best score and a best line. A SITUATION of - reads standard input, one a line."""
    from companion.games.corona import notation
    from companion.games.corona.rules import BadSituation
    from companion.games.corona.solver import solve as best_of
    from companion.moves import as_objects, as_rows

    names = _set_colours(colours)
    bad = False
    for line in _lines(situations):
        try:
            answer = best_of(notation.read(line))
        except BadSituation as fault:
            bad = True
            report_fault({"situation": line}, str(fault), as_json, f"{line}: {fault}")
            continue
        if as_json:
            print_json({"situation": line, "best": answer.best, "moves": as_objects(answer.moves, names)})
        else:
            click.echo(f"{line}  best {answer.best}")
            click.echo("".join(as_rows(answer.moves, names)), nl=False)
    if bad:
        raise SystemExit(1)


def _lines(situations: tuple[str, ...]) -> Iterable[str]:
    for situation in situations:
        if situation == "-":
            yield from (line.strip() for line in sys.stdin if line.strip())
        else:
            yield situation


def _set_colours(colours: str | None) -> tuple[str, ...]:
    from companion.games.corona.rules import COLOURS, DEFAULT_COLOURS

    if colours is None:
        return DEFAULT_COLOURS
    names = tuple(name.strip().lower() for name in colours.split(","))
    unknown = [name for name in names if name not in COLOURS]
    if unknown:
        raise click.BadParameter(f"unknown colour {', '.join(unknown)}; known are {', '.join(COLOURS)}")
    if len(names) != 6 or len(set(names)) != 6:
        raise click.BadParameter(f"six different colours are needed, {len(set(names))} are given")
    return names


# Seeing


@main.command()
@click.option("--layout", type=PHOTO, required=True, help="The board's layout (JSON).")
@click.option("--empty", type=PHOTO, required=True, help="A photo of the empty board.")
@click.option("--dice", type=PHOTO, required=True, help="A photo of the six dice, wherever they lie.")
@click.option("--colours", required=True, help="The six colours in the set's order, comma between.")
@click.option(
    "--die-mm", type=click.FloatRange(5, 60), help="A die's side; measured in the photo if not given."
)
@click.option(
    "--piece-mm", default=None, metavar="DIAMETER,HEIGHT", help="A piece's size; 19,12.5 if unknown."
)
@click.option("--out", type=PHOTO, required=True, metavar="PROFILE", help="The profile to write.")
def calibrate(
    layout: Path, empty: Path, dice: Path, colours: str, die_mm: float | None, piece_mm: str | None, out: Path
) -> None:
    """Learn a set and a camera position once; `corona read` needs the profile this writes."""
    from calibration.calibrate import USUAL_PIECE_MM
    from calibration.calibrate import calibrate as learn
    from calibration.colours import CannotCalibrate
    from calibration.store import DIE_MM, NotAPhoto, read_layout, read_photo, save
    from vision.geometry import BadLayout

    if die_mm is not None and not DIE_MM[0] <= die_mm <= DIE_MM[1]:
        raise click.BadParameter(f"{die_mm} is no size of a die in mm", param_hint="--die-mm")
    size = USUAL_PIECE_MM if piece_mm is None else _piece_size(piece_mm)
    try:
        board = read_layout(layout)
        profile = learn(board, read_photo(empty), read_photo(dice), colours.split(","), die_mm, size)
        save(profile, out)
    except (BadLayout, CannotCalibrate, NotAPhoto) as fault:
        fail(str(fault))
    except OSError as fault:
        fail(f"{out}: the profile cannot be written ({fault.strerror}); choose another place")
    pixels = profile.die_mm * profile.view.pixels_per_mm(height=profile.die_mm)
    click.echo(
        f"{out}: board {board.name!r}, camera {profile.view.eye[2]:.0f} mm above it, "
        f"dice of {profile.die_mm:g} mm, {pixels:.0f} pixels each: "
        f"{', '.join(colour.name for colour in profile.colours)}"
    )


def _piece_size(text: str) -> tuple[float, float]:
    from calibration.store import PIECE_MM

    try:
        diameter, height = (float(part) for part in text.split(","))
    except ValueError:
        raise click.BadParameter(f"{text!r} is not DIAMETER,HEIGHT in mm", param_hint="--piece-mm") from None
    if not all(PIECE_MM[0] <= length <= PIECE_MM[1] for length in (diameter, height)):
        raise click.BadParameter(f"{text!r} is no size of a piece in mm", param_hint="--piece-mm")
    return diameter, height


@main.command()
@click.argument("photos", nargs=-1, required=True, type=PHOTO, metavar="PHOTO...")
@click.option("--profile", type=PHOTO, required=True, help="What `corona calibrate` wrote.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
@click.option("--annotate", type=PHOTO, metavar="OUT.jpg", help="Draw what was read over the photo.")
@click.option("--debug", type=PHOTO, metavar="DIR", help="Write what each stage saw.")
def read(
    photos: tuple[Path, ...], profile: Path, as_json: bool, annotate: Path | None, debug: Path | None
) -> None:
    """Read the board and the dice in each photo."""
    from calibration.store import BadProfile, NotAPhoto, load, read_photo
    from companion.photos import Overwrites, annotated, as_line, as_object, drawings, one_name, write_stages
    from vision.read import read as read_frame

    try:
        outs = drawings(annotate, photos)
    except Overwrites as fault:
        raise click.BadParameter(str(fault), param_hint="--annotate") from fault
    set_profile: Profile | None = None
    broken = ""
    try:
        set_profile = load(profile)
    except BadProfile as fault:
        broken = str(fault)
    bad = False
    for photo, out in zip(photos, outs, strict=True):
        try:
            if set_profile is None:
                raise BadProfile(broken)
            frame = read_photo(photo)
            reading = read_frame(frame, set_profile)
            if out:
                annotated(frame, reading, set_profile, out)
            if debug:
                write_stages(frame, set_profile, debug / one_name(photo, photos))
        except (BadProfile, NotAPhoto) as fault:
            bad = True
            report_fault({"photo": str(photo)}, str(fault), as_json)
            continue
        if as_json:
            print_json({"photo": str(photo), **as_object(reading)})
        else:
            click.echo(f"{photo}: {as_line(reading)}")
    if bad:
        raise SystemExit(1)


@main.command()
@click.argument("photos", nargs=-1, required=True, type=PHOTO, metavar="PHOTO...")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
def dice(photos: tuple[Path, ...], as_json: bool) -> None:
    """Every die in any photo; needs no board and no profile."""
    from calibration.store import NotAPhoto, read_photo
    from vision.loose_dice import find_dice

    bad = False
    for photo in photos:
        try:
            found = find_dice(read_photo(photo))
        except NotAPhoto as fault:
            bad = True
            report_fault({"photo": str(photo)}, str(fault), as_json)
            continue
        if as_json:
            rows = [
                {"centre": list(die.centre), "pips": die.pips, "colour": die.colour, "sure": die.sure}
                for die in found
            ]
            print_json({"photo": str(photo), "dice": rows})
        else:
            words = [f"{die.colour} {die.pips or '?'}{'' if die.sure else ' (unsure)'}" for die in found]
            click.echo(f"{photo}: {', '.join(words) or 'no dice'}")
    if bad:
        raise SystemExit(1)


@main.command()
@click.argument("folder", type=PHOTO)
def evaluate(folder: Path) -> None:
    """Read every session under FOLDER that has a truth.json; a table of right, unsure, wrong."""
    from companion.evaluate import NoSessions
    from companion.evaluate import evaluate as run

    try:
        for row in run(folder):
            click.echo(row)
    except NoSessions as fault:
        fail(str(fault))
