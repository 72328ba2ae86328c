"""`corona read` and `corona dice`: photographs in, what is on the table out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from companion.cli.answers import print_json, report_fault

if TYPE_CHECKING:
    from vision.loose_dice import LooseDie

PHOTO = click.Path(path_type=Path, readable=False)  # what cannot be read is said where it is opened
DRAWING = click.Path(path_type=Path, dir_okay=False, readable=False)


@click.command()
@click.argument("photos", nargs=-1, required=True, type=PHOTO, metavar="PHOTO...")
@click.option("--profile", type=PHOTO, required=True, help="What `corona calibrate` wrote.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
@click.option(
    "--annotate",
    type=DRAWING,
    metavar="OUT.jpg",
    help="Draw what was read over the photo; over each of several, OUT-PHOTO.jpg.",
)
@click.option("--debug", type=PHOTO, metavar="DIR", help="Write what each stage saw.")
def read(
    photos: tuple[Path, ...], profile: Path, as_json: bool, annotate: Path | None, debug: Path | None
) -> None:
    """Read the board and the dice in each photo."""
    from calibration.files import NotAPhoto, read_photo
    from calibration.store import BadProfile, load
    from companion.photos import Overwrites, as_line, as_object, drawings, illustrated, names
    from companion.together import Together

    try:
        outs = drawings(annotate, photos, profile)
        folders = [debug / name for name in names(photos)] if debug else [None] * len(photos)
    except Overwrites as fault:
        raise click.BadParameter(str(fault), param_hint="--annotate" if annotate else "--debug") from fault
    table: Together | None = None
    broken, bad = "", False
    try:
        table = Together.of(load(profile), photos)
    except BadProfile as fault:
        broken = str(fault)
    for photo, out, folder in zip(photos, outs, folders, strict=True):
        try:
            if table is None:
                raise BadProfile(broken)
            frame = read_photo(photo)
        except (BadProfile, NotAPhoto) as fault:
            bad = True
            report_fault({"photo": str(photo)}, str(fault), as_json)
            continue
        reading = table.read(frame, str(photo))
        why = illustrated(frame, reading, table.profile, out, folder)
        told = {"photo": str(photo), **as_object(reading)}
        if not as_json:
            click.echo(f"{photo}: {as_line(reading)}")
        if why:
            bad = True
            report_fault(told, why, as_json)
        elif as_json:
            print_json(told)
    if bad:
        raise SystemExit(1)


@click.command()
@click.argument("photos", nargs=-1, required=True, type=PHOTO, metavar="PHOTO...")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
def dice(photos: tuple[Path, ...], as_json: bool) -> None:
    """Every die in any photo; needs no board and no profile."""
    from calibration.files import NotAPhoto, read_photo
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
            print_json({"photo": str(photo), "dice": [_as_object(die) for die in found]})
        else:
            click.echo(f"{photo}: {'; '.join(map(_in_words, found)) or 'no dice'}")
    if bad:
        raise SystemExit(1)


def _as_object(die: LooseDie) -> dict[str, Any]:
    centre = [round(along, 1) for along in die.centre]
    return {"centre": centre, "pips": die.pips, "colour": die.colour, "sure": die.sure}


def _in_words(die: LooseDie) -> str:
    x, y = die.centre
    return f"{die.colour} {die.pips or '?'} at {x:.0f},{y:.0f}{'' if die.sure else ' (unsure)'}"
