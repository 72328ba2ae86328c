"""What several looks at one table say together: what one could not see another may."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from vision.geometry import LETTERS, Image
from vision.reading import MANY, SURE, Confidence, Doubt, Point, Reading

_DISAGREE = "one look saw something else than another"


@dataclass(frozen=True, slots=True)
class Look:
    """A reading, and where anything has moved since: grey uint8 of a glance's shape, None for nowhere."""

    reading: Reading
    touched: Image | None = None


def fused(looks: Iterable[Look]) -> Reading:
    """The newest reading, with what older ones saw where nothing has moved since.

    What the newest doubts, an older one answers, if it did not doubt where the board lies; not where the
    newest rather saw another count or die.
    """
    *older, newest = looks
    older = [look for look in older if all(doubt.what != "board" for doubt in look.reading.doubts)]
    reading = newest.reading
    if reading.counts is None or reading.covered:
        return reading
    told: list[Doubt] = []
    counts: list[int | None] = list(reading.counts)
    markers: dict[int, tuple[str, ...]] = {}
    marked: set[int] = set()
    for field in range(len(counts)):
        here = [look.reading for look in (*older, newest) if _tells(look, field)]
        seen = {(one.counts or ())[field] for one in here if field not in _doubted(one.without_markers())}
        agree = len(seen) == 1 and seen >= {reading.counts[field]} - {None}
        counts[field] = seen.pop() if agree else None
        carried = {_markers(one, field) for one in here if field not in _doubted(one)}
        if len(carried) == 1:
            marked.add(field)
        markers[field] = carried.pop() if field in marked else _markers(reading, field)
        if seen or carried:
            told.append(Doubt(f"field {LETTERS[field]}", _DISAGREE, (field,), of_marker=not seen))
    dice: dict[str, int | None] = {}
    for colour, pips in reading.dice.items():
        values = {_die(look, colour) for look in (*older, newest)} - {None}
        dice[colour] = values.pop() if len(values) == 1 and values >= {pips} - {None} else None
        if values:
            told.append(Doubt(f"die {colour}", _DISAGREE))
    whole = None not in counts and None not in dice.values() and sum(count or 0 for count in counts) == 6
    doubts = (*(one for one in reading.doubts if _remains(one, counts, dice, marked, whole)), *told)
    found = tuple((field, colour) for field in sorted(markers) for colour in markers[field])
    likely = _likely([newest, *older], reading, found)
    sure = whole and not doubts and (likely is None or likely.whole > SURE or reading.sure)
    if not sure and not doubts:
        doubts = reading.doubts or (Doubt("table", MANY, of_marker=bool(likely and likely.laid > SURE)),)
    return replace(
        reading,
        counts=tuple(counts),
        dice=dice,
        markers=found,
        sure=sure,
        doubts=doubts,
        confidence=likely,
    )


def contradict(one: Reading, other: Reading) -> bool:
    """Whether two readings have seen different things."""
    pairs = [*zip(one.counts or (), other.counts or (), strict=False)]
    pairs += [(pips, other.dice.get(colour)) for colour, pips in one.dice.items()]
    return any(None not in pair and pair[0] != pair[1] for pair in pairs)


def says_something(look: Look) -> bool:
    """Whether any field of this look still lies as it lay."""
    if look.touched is None:
        return True
    return any(_untouched(look, field) for field in range(len(look.reading.fields)))


def _doubted(reading: Reading) -> set[int]:
    """The fields (0..11) a doubt of this reading is about."""
    return {field for doubt in reading.doubts for field in doubt.fields}


def _remains(
    doubt: Doubt, counts: list[int | None], dice: dict[str, int | None], marked: set[int], whole: bool
) -> bool:
    """Whether no other look has answered this doubt of the newest one; `marked`: where markers are told."""
    if doubt.fields and doubt.of_marker:
        return not marked.issuperset(doubt.fields)
    if doubt.fields:
        return any(counts[field] is None for field in doubt.fields)
    if doubt.what.startswith("die "):
        return dice.get(doubt.what[4:]) is None
    return doubt.what == "board" or not whole


def _markers(reading: Reading, field: int) -> tuple[str, ...]:
    return tuple(sorted(colour for at, colour in reading.markers if at == field))


def _die(look: Look, colour: str) -> int | None:
    """What a look has to say of a die; nothing where something moved there since, or it was doubtful."""
    reading = look.reading
    if any(doubt.what == f"die {colour}" for doubt in reading.doubts):
        return None
    if look.touched is not None:
        outlines = [die.outline for die in reading.seen_dice if die.colour == colour]
        if not outlines or any(_touches(look, outline) for outline in outlines):
            return None
    return reading.dice.get(colour)


def _tells(look: Look, field: int) -> bool:
    """Whether a look has something to say of a field: a count, and nothing has moved there since."""
    counts = look.reading.counts
    return counts is not None and counts[field] is not None and _untouched(look, field)


def _untouched(look: Look, field: int) -> bool:
    if look.touched is None:
        return True
    return field < len(look.reading.fields) and not _touches(look, look.reading.fields[field])


def _touches(look: Look, outline: tuple[Point, ...]) -> bool:
    """Whether something moved near an outline (pixels of the frame) since the look."""
    assert look.touched is not None
    view = look.reading.view
    if view is None or not outline:
        return True
    height, width = look.touched.shape
    scale = np.array([width / view.lens.size[0], height / view.lens.size[1]])
    points = np.array(outline) * scale
    (x0, y0), (x1, y1) = points.min(axis=0) - 1, points.max(axis=0) + 2
    part = look.touched[max(int(y0), 0) : max(int(y1), 0), max(int(x0), 0) : max(int(x1), 0)]
    return bool(part.any())


def _likely(looks: list[Look], newest: Reading, markers: tuple[tuple[int, str], ...]) -> Confidence | None:
    """How likely each part is true: the best of the looks in which nothing has moved there since."""
    said = [(look, look.reading.confidence) for look in looks if look.reading.confidence]
    if newest.confidence is None or not said:
        return newest.confidence
    counts = tuple(
        max((one.counts[field] for look, one in said if _untouched(look, field)), default=0.0)
        for field in range(len(newest.confidence.counts))
    )
    dice = {
        colour: max((one.dice[colour] for look, one in said if _die(look, colour)), default=0.0)
        for colour in newest.confidence.dice
    }
    marked = tuple(max(_of_marker(said, marker), default=0.0) for marker in markers)
    parts = float(np.prod([*counts, *dice.values()]))
    still = [one for look, one in said if look.touched is None]
    laid = parts * max(_rest(one, one.laid) for one in still)
    whole = parts * max(_rest(one, one.whole) for one in still)
    own = newest.confidence
    return Confidence(counts, dice, marked, whole=max(whole, own.whole), laid=max(laid, own.laid))


def _of_marker(said: list[tuple[Look, Confidence]], marker: tuple[int, str]) -> Iterator[float]:
    """How likely a marker (field, colour) is, by each look that saw it and still says something there."""
    for look, one in said:
        if _untouched(look, marker[0]) and marker in look.reading.markers:
            yield one.markers[look.reading.markers.index(marker)]


def _rest(one: Confidence, whole: float) -> float:
    """How likely a look held for true what its counts and dice, one by one, do not tell of the `whole`."""
    parts = float(np.prod([*one.counts, *one.dice.values()]))
    return min(whole / parts, 1.0) if parts else 0.0
