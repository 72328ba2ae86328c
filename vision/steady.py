"""Looks at one table in the order they were taken: does something move, is a hand there, what lies settled.

No clock: glances (small grey pictures) and looks (readings) come one after the other, and each gives
the next value. What a look saw of a field or a die stands until something moves at that very place;
so what one look could not see another may, and never across a change. Looks that contradict each
other without anything having moved make the part doubtful, however sure each of them was.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

import cv2
import numpy as np

from vision.doubts import MANY
from vision.geometry import LETTERS, Grey, Image
from vision.median import median
from vision.reading import SURE, Confidence, Doubt, Point, Reading

MOVED = 11.0
"""Grey levels by which some 5 x 5 patch of a glance must differ; grain and a flickering lamp stay below."""
DIM, LEAST, GRAIN = 85.0, 0.3, 4.0
"""Where glances are darker on the mean than the first, less will do, as much as they are darker; but that
share of `MOVED` at the least, and so many times what they differ on the mean, which is grain. Lit tables have
87 and more. Of 216 dice that got another value where they lay, in 0.5, 0.35 and 0.2 of the light, none is
missed; with `MOVED` alone 43 of 78."""
MOST_BANDED = 1.5
"""A flickering lamp makes no row of a glance lighter or darker than by so many times."""
STILL_GLANCES = 2
"""So many glances in a row without a move, and the table lies still."""
ENOUGH, MOST_LOOKS = 2, 4
"""Looks that must agree, and looks after which more of the same are no use at once."""
AGAIN_GLANCES = 50
"""A still table that stays doubtful is looked at again after so many glances, then after twice as many and so
on, up to as many as a sure one: light changes, hands leave."""
CHECK_GLANCES = 150
"""A sure table is looked at again after so many: something may have changed that no glance shows."""
_NEAR = 4
"""Pixels of a glance around a move that count as touched."""
_NOTHING = Reading(None, {})
_DISAGREE = "one look saw something else than another"

State = Literal["moving", "hand", "settled"]


@dataclass(frozen=True, slots=True)
class Look:
    """A reading, and where anything has moved since: grey uint8 of a glance's shape, None for nowhere."""

    reading: Reading
    touched: Image | None = None


@dataclass(frozen=True, slots=True)
class Steady:
    """What glances and looks up to now say together; begin with `Steady()`.

    `before`: the last glance, `seen`: the one of the last look, if nothing has moved since; `still`: glances
    without a move since the last one; `looks`: those that still say something, the newest last; `since`:
    looks since the last move; `waited`: glances since the last look. `reading`: what all looks together said
    when the last one was taken.
    """

    before: Grey | None = None
    seen: Grey | None = None
    still: int = 0
    looks: tuple[Look, ...] = ()
    since: int = 0
    waited: int = 0
    reading: Reading = _NOTHING

    def glanced(self, now: Image) -> Steady:
        """After one more glance, grey uint8 (H, W)."""
        if self.before is None:
            return replace(self, before=now)
        where = moves(self.before, now)
        if where is None and self.seen is not None:
            where = moves(self.seen, now)  # what slides slowly moves little from glance to glance
        if where is None:
            return replace(self, before=now, still=self.still + 1, waited=self.waited + 1)
        looks = tuple(Look(look.reading, _joined(look.touched, where)) for look in self.looks)
        return Steady(now, looks=looks, waited=self.waited + 1, reading=self.reading)

    def looked(self, reading: Reading) -> Steady:
        """After a look at the table as it lies; without glances, one that contradicts the last is a move."""
        if self.before is None and self.looks and _contradict(self.looks[-1].reading, reading):
            return Steady(looks=(Look(reading),), since=1, reading=reading)
        kept = [look for look in self.looks if _says_something(look)][-(MOST_LOOKS - 1) :]
        looks = (*kept, Look(reading))
        together = fused(looks) if kept else reading
        since = self.since + 1
        if self.reading.sure and not together.sure:
            since = min(since, ENOUGH)  # one spoilt picture: it is looked at again at once
        return replace(self, seen=self.before, looks=looks, since=since, waited=0, reading=together)

    @property
    def wants_look(self) -> bool:
        """Whether another look would help: at once while few, now and then while doubtful, else seldom."""
        if self.before is not None and self.still < STILL_GLANCES:
            return False
        if self.since >= ENOUGH and self.reading.sure:
            return self.waited >= CHECK_GLANCES
        more = AGAIN_GLANCES * (self.since - MOST_LOOKS + 1)
        return self.since < MOST_LOOKS or self.waited >= min(more, CHECK_GLANCES)

    @property
    def busy(self) -> bool:
        """Whether something moves, or what lies there has not been looked at enough."""
        return self.since < ENOUGH or (self.since < MOST_LOOKS and not self.reading.sure)

    @property
    def state(self) -> State:
        """`moving` also until enough looks agree; `settled` says nothing of sure or not."""
        if self.looks and self.since and self.looks[-1].reading.covered:
            return "hand"
        return "moving" if self.busy else "settled"


def moves(before: Image, now: Image) -> Image | None:
    """Where something moved between two glances, grey uint8 (H, W): 255 there; None for nowhere.

    A brighter lamp is no move, nor are the bands of a lamp that flickers; a glance of another shape has moved
    everywhere.
    """
    if before.shape != now.shape:
        return np.full(now.shape, 255, dtype=np.uint8)
    light = cv2.mean(now)[0]
    lit = cv2.addWeighted(before, 1, before, 0, light - cv2.mean(before)[0])
    apart = cv2.absdiff(now, lit)
    moved = min(MOVED, max(MOVED * light / DIM, MOVED * LEAST, GRAIN * cv2.mean(apart)[0]))
    apart = cv2.blur(apart, (5, 5))
    if cv2.minMaxLoc(apart)[1] < moved or _banded(before, now, moved):
        return None
    where = (apart >= moved).astype(np.uint8) * 255
    return cv2.dilate(where, np.ones((2 * _NEAR + 1,) * 2, np.uint8))


def _banded(before: Image, now: Image, moved: float) -> bool:
    """Whether two glances differ only by how light their rows are, as under a lamp that flickers."""
    then, since = (np.maximum(glance[:, ::4], 8).astype(np.float32) for glance in (before, now))
    lighter = np.clip(median(since / then, axis=1), 1 / MOST_BANDED, MOST_BANDED)
    lit = cv2.convertScaleAbs(before * lighter[:, None].astype(np.float32))
    return bool(cv2.minMaxLoc(cv2.blur(cv2.absdiff(now, lit), (5, 5)))[1] < moved)


def fused(looks: Iterable[Look]) -> Reading:
    """The newest reading, with what older ones saw where nothing has moved since.

    What the newest doubts, an older one answers; not where it rather saw something else.
    """
    *older, newest = looks
    reading = newest.reading
    if reading.counts is None or reading.covered:
        return reading
    told: list[Doubt] = []
    counts: list[int | None] = list(reading.counts)
    markers: dict[int, tuple[str, ...]] = {}
    for field in range(len(counts)):
        seen = {
            (look.reading.counts[field], _markers(look.reading, field))
            for look in (*older, newest)
            if look.reading.counts and field not in doubted_fields(look.reading) and _untouched(look, field)
        }
        seen = {one for one in seen if one[0] is not None}
        agree = len(seen) == 1 and {count for count, _ in seen} >= {reading.counts[field]} - {None}
        counts[field], markers[field] = seen.pop() if agree else (None, _markers(reading, field))
        if seen:
            told.append(Doubt(f"field {LETTERS[field]}", _DISAGREE, (field,)))
    dice: dict[str, int | None] = {}
    for colour, pips in reading.dice.items():
        values = {_die(look, colour) for look in (*older, newest)} - {None}
        dice[colour] = values.pop() if len(values) == 1 and values >= {pips} - {None} else None
        if values:
            told.append(Doubt(f"die {colour}", _DISAGREE))
    whole = None not in counts and None not in dice.values() and sum(count or 0 for count in counts) == 6
    doubts = (*(one for one in reading.doubts if _remains(one, counts, dice, whole)), *told)
    found = tuple((field, colour) for field in sorted(markers) for colour in markers[field])
    likely = _likely([newest, *older], reading, found)
    sure = whole and not doubts and (likely is None or likely.whole > SURE or reading.sure)
    if not sure and not doubts:
        doubts = reading.doubts or (Doubt("table", MANY),)
    return replace(
        reading,
        counts=tuple(counts),
        dice=dice,
        markers=found,
        sure=sure,
        doubts=doubts,
        confidence=likely,
    )


def _contradict(one: Reading, other: Reading) -> bool:
    """Whether two readings have seen different things."""
    pairs = [*zip(one.counts or (), other.counts or (), strict=False)]
    pairs += [(pips, other.dice.get(colour)) for colour, pips in one.dice.items()]
    return any(None not in pair and pair[0] != pair[1] for pair in pairs)


def doubted_fields(reading: Reading) -> set[int]:
    """The fields (0..11) a doubt of this reading is about."""
    return {field for doubt in reading.doubts for field in doubt.fields}


def _remains(doubt: Doubt, counts: list[int | None], dice: dict[str, int | None], whole: bool) -> bool:
    """Whether no other look has answered this doubt of the newest one."""
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


def _says_something(look: Look) -> bool:
    """Whether any field of this look still lies as it lay."""
    if look.touched is None:
        return True
    return any(_untouched(look, field) for field in range(len(look.reading.fields)))


def _joined(one: Image | None, other: Image) -> Image:
    return other if one is None or one.shape != other.shape else cv2.max(one, other)


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
    rest = max(_rest(one) for look, one in said if look.touched is None)
    return Confidence(counts, dice, marked, max(parts * rest, newest.confidence.whole))


def _of_marker(said: list[tuple[Look, Confidence]], marker: tuple[int, str]) -> Iterator[float]:
    """How likely a marker (field, colour) is, by each look that saw it and still says something there."""
    for look, one in said:
        if _untouched(look, marker[0]) and marker in look.reading.markers:
            yield one.markers[look.reading.markers.index(marker)]


def _rest(one: Confidence) -> float:
    """How likely a look held for true what its counts and dice do not tell: which pieces carry what."""
    parts = float(np.prod([*one.counts, *one.dice.values()]))
    return min(one.whole / parts, 1.0) if parts else 0.0
