"""`corona calibrate`: learn a set and a camera position, once, before play."""

from __future__ import annotations

from pathlib import Path

import click

from companion.cli.answers import fail

PHOTO = click.Path(path_type=Path)


@click.command()
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
    from calibration.faults import CannotCalibrate
    from calibration.store import DIE_MM, NotAPhoto, read_layout, read_photo, save
    from vision.geometry import BadLayout

    if die_mm is not None and not DIE_MM[0] <= die_mm <= DIE_MM[1]:
        raise click.BadParameter(f"{die_mm} is no size of a die in mm", param_hint="--die-mm")
    size = USUAL_PIECE_MM if piece_mm is None else _piece_size(piece_mm)
    try:
        board = read_layout(layout)
        of_dice = read_photo(dice)
        profile = learn(board, read_photo(empty), of_dice, colours.split(","), die_mm, size)
        save(profile, out, of_dice)
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
