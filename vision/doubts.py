"""Every doubt about a reading by name, as a careful person would say it."""

from __future__ import annotations

from dataclasses import replace

from vision.beyond import cut_dice, fields_beyond
from vision.dice import FoundDie
from vision.fields import cut_fields, nearest, off_field
from vision.geometry import LETTERS
from vision.judge import fields_likely
from vision.look import Seen
from vision.markers import FoundMarker
from vision.profile import Profile
from vision.reading import MANY, SURE, Confidence, Doubt
from vision.towers import PIECES

LEANS = "it leans"
COVERED = "something covers this, perhaps a hand"
ANOTHER = ", or it is another board than the profile's"
OUTSIDE = "outside the picture; move the board or the camera"
LIES_THERE = "something lies on it that is neither piece nor die, perhaps a hand"
DOUBTED = 0.9995
"""A part less likely than this is named, where the table as a whole is not sure."""


def doubts_of(seen: Seen, profile: Profile, how_likely: Confidence) -> list[Doubt]:
    """Everything about this frame that a careful person would not swear to; nothing where all is sure."""
    if how_likely.whole > SURE:
        return []
    if is_another(seen, profile):  # then nothing else that seems to lie there matters
        return [Doubt(_fields(seen.covered_fields), COVERED + ANOTHER, seen.covered_fields)]
    doubts = [] if how_likely.laid > SURE else _of_what_lies(seen, profile, how_likely)
    for piece, marker in zip(seen.pieces.pieces, seen.markers, strict=True):
        if marker.likely < DOUBTED:
            near = nearest((piece.x, piece.y), profile)[0]
            doubts.append(replace(_about(near, _marker_doubt(marker)), of_marker=True))
    return list(dict.fromkeys(doubts)) or [Doubt("table", MANY, of_marker=how_likely.laid > SURE)]


def is_another(seen: Seen, profile: Profile) -> bool:
    """Whether it may be another board than the profile's: all of its fields are covered."""
    return len(seen.covered_fields) == profile.layout.fields


def _of_what_lies(seen: Seen, profile: Profile, how_likely: Confidence) -> list[Doubt]:
    """The doubts about counts and dice."""
    doubts = []
    if seen.covered_fields:
        doubts.append(Doubt(_fields(seen.covered_fields), COVERED, seen.covered_fields))
    elif seen.hidden:
        doubts.append(Doubt("board", LIES_THERE))
    cut = cut_dice(seen, profile)
    for name, die in seen.dice.items():
        why = "the photo's edge cuts it off" if name in cut else _die_doubt(die, seen.told_dice.get(name))
        if why and how_likely.dice[name] < DOUBTED:
            doubts.append(Doubt(f"die {name}", why))
    return doubts + _piece_doubts(seen, profile, how_likely)


def _marker_doubt(marker: FoundMarker) -> str:
    if marker.burnt:
        return "a lamp shines in a piece: its marker cannot be told"
    if marker.colour and marker.other:
        return f"a marker may be {marker.colour} or {marker.other}"
    return f"a marker may be {marker.colour or marker.other}"


def _die_doubt(die: FoundDie | None, told: int | None) -> str | None:
    if die is None:
        return "not to be seen"
    if die.there < 0.9 and die.flat < DOUBTED:
        return "its top face cannot be read: it may lean or be covered"
    if die.flat < 0.3:
        return LEANS
    if die.flat < DOUBTED:
        return "it may lean"
    if die.second:
        return "another die of its colour is in view"
    if die.value < DOUBTED or told not in (None, die.pips):
        return "its pips could be another number"
    if die.named < DOUBTED:
        return "its colour is not clear"
    return None


def _piece_doubts(seen: Seen, profile: Profile, how_likely: Confidence) -> list[Doubt]:
    doubts = []
    if seen.pieces.total != PIECES:
        doubts.append(Doubt("pieces", f"{seen.pieces.total} of {PIECES} pieces are to be seen"))
    off = off_field(seen, profile)
    for near, share, second in off:
        if share > 1:
            why = f"a piece stands between {_two(near, second)}"
            doubts.append(Doubt(f"field {LETTERS[near]}", why, (near, second)))
        else:
            doubts.append(_about(near, "a piece stands on the edge of the field"))
    cut = cut_fields(seen, profile)
    beyond = tuple(field for field in fields_beyond(seen, profile) if field not in cut)
    if beyond:
        doubts.append(Doubt(_fields(beyond), OUTSIDE, beyond))
    doubts += [_about(near, "the photo's edge cuts off a piece") for near in cut]
    strange = _strange_fields(seen, profile)
    doubts += [_about(near, "something there does not look like the other pieces") for near in strange]
    named = {*seen.covered_fields, *beyond, *cut, *strange, *(near for near, *_ in off)}
    # That six do not come out is said already, and not of each field once more.
    six = seen.pieces.total == PIECES
    for field, likely in enumerate(how_likely.counts if six else fields_likely(seen, profile)[0]):
        if likely < DOUBTED and field not in named:
            doubts.append(_about(field, "its pieces are hard to see"))
    return doubts


def _strange_fields(seen: Seen, profile: Profile) -> list[int]:
    """The fields nearest to what may be no piece."""
    towers = zip(seen.pieces.pieces, seen.alike, strict=True)
    return [nearest((piece.x, piece.y), profile)[0] for piece, alike in towers if alike < DOUBTED]


def _about(field: int, why: str) -> Doubt:
    return Doubt(f"field {LETTERS[field]}", why, (field,))


def _fields(which: tuple[int, ...]) -> str:
    """ "field C", or "fields K to B" for neighbours, else each by its letter."""
    if len(which) == 1:
        return f"field {LETTERS[which[0]]}"
    count = len(LETTERS)
    for first in which:
        run = {(first + k) % count for k in range(len(which))}
        if run == set(which) and len(which) < count:
            return f"fields {LETTERS[first]} to {LETTERS[(first + len(which) - 1) % count]}"
    return "fields " + " ".join(LETTERS[field] for field in which)


def _two(a: int, b: int) -> str:
    first, second = sorted((a, b))
    if (first, second) == (0, len(LETTERS) - 1):
        first, second = second, first
    return f"{LETTERS[first]} and {LETTERS[second]}"
