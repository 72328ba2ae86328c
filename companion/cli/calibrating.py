"""`corona calibrate`: learn a set and a camera position, once, before play."""

from __future__ import annotations

import sys
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from companion.cli.answers import Between, fail, say

if TYPE_CHECKING:
    from calibration.propose import Proposal
    from vision.geometry import Image, Layout, View
    from vision.profile import Profile

PHOTO = click.Path(path_type=Path, readable=False)  # what cannot be read is said where it is opened
PROFILE = click.Path(path_type=Path, dir_okay=False, readable=False)
TAG_MM = 28.0


@click.command(short_help="Learn a set and a camera position, for `corona read`.")
@click.option("--layout", type=PHOTO, help="The board's layout (JSON); measured in the photo if not given.")
@click.option("--empty", type=PHOTO, required=True, help="A photo of the empty board.")
@click.option("--dice", type=PHOTO, required=True, help="A photo of the six dice, wherever they lie.")
@click.option("--colours", required=True, help="The six colours in the set's order, comma between.")
@click.option("--die-mm", type=Between(5, 60), help="A die's side; measured in the photo if not given.")
@click.option(
    "--piece-mm",
    default=None,
    metavar="DIAMETER,HEIGHT",
    help="A piece's size; its diameter is measured in the first frames if not given.",
)
@click.option(
    "--pieces", type=PHOTO, help="A photo of the six pieces, apart: their diameter is measured in it."
)
@click.option(
    "--tag-mm",
    type=Between(8, 120),
    help="The side of the tags' black squares, where there is no layout; 28 if not given.",
)
@click.option("--yes", is_flag=True, help="Take the layout that was measured; nothing is asked.")
@click.option("--out", type=PROFILE, required=True, metavar="PROFILE", help="The profile to write.")
@click.argument("more_colours", nargs=-1, metavar="")  # blanks between them will do as well
def calibrate(
    more_colours: tuple[str, ...],
    layout: Path | None,
    empty: Path,
    dice: Path,
    colours: str,
    die_mm: float | None,
    piece_mm: str | None,
    pieces: Path | None,
    tag_mm: float | None,
    yes: bool,
    out: Path,
) -> None:
    """Learn a set and a camera position once; `corona read` needs the profile this writes."""
    from calibration.advice import advice, position
    from calibration.faults import CannotCalibrate
    from calibration.files import NotAPhoto, prepare, read_photo
    from calibration.store import keep_before, may_replace, save

    if layout and tag_mm is not None:
        raise click.UsageError("--layout says how large the tags are: it takes no --tag-mm")
    size = _piece_size(piece_mm) if piece_mm is not None else None
    six = _names(" ".join([colours, *more_colours]))
    if not may_replace(out):
        fail(f"{out}: is there already and is no profile; choose another name for the profile")
    try:
        photo, of_dice = read_photo(empty), read_photo(dice)
        of_pieces = read_photo(pieces) if pieces else None
        prepare(out)  # before the work, which would be lost
        board = _given(layout) if layout else _measured(photo, tag_mm or TAG_MM, yes, out)
        if sys.stderr.isatty():
            say("looking for the dice, which takes some seconds")
        profile, left = _learned(board, photo, of_dice, six, die_mm, size, of_pieces)
        picture = _draw(photo, profile.layout, profile.view, out) if layout else None
        before = keep_before(out)
        save(profile, out, of_dice)
    except (CannotCalibrate, NotAPhoto) as fault:
        fail(str(fault) + ("" if layout else _or_tags(fault, tag_mm or TAG_MM)))
    except OSError as fault:
        fail(f"{fault.filename or out}: cannot be written ({fault.strerror}); choose another place")
    click.echo(f"{out}: {_what_was_learned(profile, die_mm)}")
    if pieces:
        told = f", not {size[0]:g} as was told" if size and size[0] != profile.piece_mm[0] else ""
        click.echo(f"the pieces are {profile.piece_mm[0]:g} mm wide{told}")
    elif piece_mm is None:
        click.echo("the pieces are measured in the first frames; --pieces or --piece-mm tells their size now")
    click.echo(position(profile))
    kept = [f"the profile before is kept as {before.name}"] if before else []
    for sentence in [*left, *advice(profile, of_dice, die_mm), *_about(picture, profile), *kept]:
        click.echo(sentence)


def _what_was_learned(profile: Profile, die_mm: float | None) -> str:
    """The board, and the dice as they were told to be and look."""
    names = ", ".join(colour.name for colour in profile.colours)
    seen = f", seen as {profile.die_mm:.1f}" if die_mm and abs(profile.die_mm - die_mm) >= 0.1 else ""
    return f"board {profile.layout.name!r}, dice of {die_mm or profile.die_mm:g} mm{seen}: {names}"


def _or_tags(fault: ValueError, tag_mm: float) -> str:
    """What else is wrong where no dice are found of the size that the tags make them."""
    from calibration.dice import TooFewDice

    if not isinstance(fault, TooFewDice):
        return ""
    return f" (or the tags' black squares are not {tag_mm:g} mm wide: --tag-mm says how wide they are)"


def _given(layout: Path) -> Layout:
    """The layout in a file; faults are told with what to do."""
    from calibration.store import read_layout
    from vision.geometry import BadLayout

    try:
        return read_layout(layout)
    except BadLayout as fault:
        fail(f"{fault}; put that right, or leave --layout out to have the board measured")


def _about(picture: Path | None, profile: Profile) -> list[str]:
    """What the picture of a given layout's fields is worth a look for; nothing of one that was measured."""
    from calibration.propose import other_ring

    if picture is None:
        return []
    if wrong := other_ring(profile):
        return [f"{wrong}; look at {picture}, correct the layout and calibrate again"]
    return [f"{picture} shows where the fields are taken to be"]


def _names(colours: str) -> list[str]:
    from calibration.colours import check_colours
    from calibration.faults import CannotCalibrate

    try:
        return check_colours(colours.replace(",", " ").split())
    except CannotCalibrate as fault:
        raise click.BadParameter(str(fault), param_hint="--colours") from None


def _learned(board: Layout, empty: Image, dice: Image, *more: Any) -> tuple[Profile, list[str]]:
    """As `calibrate`, but for an empty photo that shows dice: that alone shows first when they lie apart; and
    what is worth saying of the two photos.

    What is no more than a die or two may be a print that looks like one: then it is only said.
    """
    from calibration.calibrate import calibrate
    from calibration.empty import check_empty, dice_left, not_empty
    from calibration.faults import CannotCalibrate, NotEmpty
    from vision.board import where_board_lies

    try:
        profile = calibrate(board, empty, dice, *more)
    except NotEmpty:
        raise
    except CannotCalibrate as fault:
        try:
            check_empty(board, empty)
        except NotEmpty as other:
            if not other.may_be_print:
                raise other from None
            also = "the photo of the empty board shows what looks like a die: if it is one, take it away"
            fault.args = (f"{fault} ({also})",)
        raise
    left = dice_left(empty)
    if left and not (seen := not_empty(left)).may_be_print:
        raise seen
    remarks = []
    if left:
        at = " and at ".join("{:.0f},{:.0f}".format(*die.centre) for die in left)
        what = f"empty board: a die seems to lie at {at}"
        remarks.append(f"{what}; if that is no print, clear it away and take the photo again")
    if moved := where_board_lies(dice, profile).moved_px:
        remarks.append(f"camera or board moved by {moved:.0f} pixels between the two photos; fix both")
    return profile, remarks


def _draw(photo: Image, board: Layout, view: View, out: Path) -> Path:
    """The picture, beside the profile, of where the fields are taken to be."""
    from calibration.files import save_photo
    from calibration.propose import Proposal, drawn

    picture = out.with_name(f"{out.stem}-layout.jpg")
    save_photo(drawn(photo, Proposal(board, view)), picture)
    return picture


def _measured(photo: Image, tag_mm: float, yes: bool, out: Path) -> Layout:
    """The layout that the photo shows, once somebody has looked at the drawing of it and said yes."""
    from calibration.propose import NoRing, propose
    from calibration.store import save_layout

    how, unclear = "measured", None
    asks = bool(sys.stdin and sys.stdin.isatty())
    try:
        proposal = propose(photo, tag_mm, out.stem)
    except NoRing as fault:
        how, proposal, unclear = "no ring is clear enough; a guess", fault.guess, fault
    text = out.with_name(f"{out.stem}-layout.json")
    _put_aside(text, proposal.layout)
    while True:
        picture = _draw(photo, proposal.layout, proposal.view, out)
        save_layout(proposal.layout, text)
        board = proposal.layout
        if unclear and (yes or not asks):
            fail(f"{unclear} ({text} holds a guess, drawn in {picture})")
        say(
            f"{how}: ring radius {board.ring_mm:g} mm, fields {board.field_mm:g} mm, the first at "
            f"{board.first_deg:g} degrees, tags {_between(board):g} mm apart; drawn in {picture}"
        )
        if yes:
            return board
        if not asks:
            fail(
                f"look at {picture}: if the circles lie on the fields, run this again with --yes; "
                f"else correct {text} and give it with --layout"
            )
        if click.confirm("Do the circles in the drawing lie on the fields?", default=not unclear, err=True):
            return board
        how, proposal, unclear = "corrected", _corrected(proposal), None


def _put_aside(path: Path, measured: Layout) -> None:
    """Keep another layout that is there: somebody may have corrected it."""
    from calibration.store import read_layout
    from vision.geometry import BadLayout

    try:
        same = not path.exists() or read_layout(path).to_json() == measured.to_json()
    except BadLayout:
        same = False
    if not same:
        number = next(n for n in count(1) if not path.with_name(f"{path.stem}-{n}.json").exists())
        aside = path.rename(path.with_name(f"{path.stem}-{number}.json"))
        say(f"{path} holds another layout, which is kept as {aside.name}")


def _between(board: Layout) -> float:
    """How far the middles of tags 0 and 1 are apart, mm."""
    (a, b), (c, d) = board.tags[0], board.tags[1]
    return round(float(((a - c) ** 2 + (b - d) ** 2) ** 0.5), 1)


def _corrected(proposal: Proposal) -> Proposal:
    """Asks for each measure; the distance of the tags, where a ruler says otherwise, scales everything."""
    from dataclasses import replace

    from calibration.propose import LEAST_FIELD_MM, RING_MM, moved, scaled, widest_field

    def ask(what: str, now: float, least: float, most: float) -> float:
        return float(click.prompt(what, default=min(now, most), type=Between(least, most), err=True))

    between = _between(proposal.layout)
    proposal = scaled(proposal, ask("middle of tag 0 to middle of tag 1, mm", between, 50, 1500) / between)
    far = proposal.layout.ring_mm
    right = ask("middle of the ring, mm farther to the right", 0, -far, far)
    proposal = moved(proposal, right, ask("middle of the ring, mm farther down", 0, -far, far))
    board = replace(proposal.layout, ring_mm=ask("ring radius, mm", far, *RING_MM))
    board = replace(
        board,
        field_mm=ask("field diameter, mm", board.field_mm, LEAST_FIELD_MM, widest_field(board)),
        first_deg=ask("first field, degrees clockwise from the top", board.first_deg, -360, 360),
    )
    return replace(proposal, layout=board)


def _piece_size(text: str) -> tuple[float, float]:
    from calibration.store import PIECE_MM

    try:
        diameter, height = (float(part) for part in text.split(","))
    except ValueError:
        raise click.BadParameter(f"{text!r} is not DIAMETER,HEIGHT in mm", param_hint="--piece-mm") from None
    if not all(PIECE_MM[0] <= length <= PIECE_MM[1] for length in (diameter, height)):
        raise click.BadParameter(f"{text!r} is no size of a piece in mm", param_hint="--piece-mm")
    return diameter, height
