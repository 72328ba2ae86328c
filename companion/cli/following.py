"""`corona follow`: the photos of a round in order -> the moves that were played, and their points."""

from __future__ import annotations

from pathlib import Path

import click

from companion.cli.answers import fail, print_json, say

PHOTO = click.Path(path_type=Path)


@click.command(short_help="The moves and points that a round's photos show.")
@click.argument("folder", type=PHOTO)
@click.option("--profile", type=PHOTO, required=True, help="What `corona calibrate` wrote.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def follow(folder: Path, profile: Path, as_json: bool) -> None:
    """The moves that the photos in FOLDER show, one round in the order of their names, and their points."""
    from calibration.store import BadProfile, load
    from companion.followed import NoRound, photos_in
    from companion.followed import follow as look

    try:
        found = look(load(profile), photos_in(folder))
    except (BadProfile, NoRound) as fault:
        fail(str(fault))
    if as_json:
        print_json(found.as_object())
    else:
        click.echo("\n".join(found.rows()))
    for sentence in found.broken:
        say(sentence)
    if found.broken:
        raise SystemExit(1)
