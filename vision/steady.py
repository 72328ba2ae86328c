"""Looks at one table in the order they were taken: does something move, is a hand there, what lies settled.

No clock: glances (small grey pictures) and looks (readings) come one after the other, and each gives
the next value. What a look saw of a field or a die stands until something moves at that very place;
so what one look could not see another may, and never across a change. Looks that contradict each
other without anything having moved make the part doubtful, however sure each of them was.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import cv2
import numpy as np

from vision.fusing import Look, contradict, fused, says_something
from vision.geometry import Grey, Image
from vision.median import median
from vision.reading import Reading

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

State = Literal["moving", "hand", "settled"]


@dataclass(frozen=True, slots=True)
class Steady:
    """What glances and looks up to now say together; begin with `Steady()`.

    `markers`: whether it matters what the pieces carry; where it does not, no reading is in doubt for it.
    `before`: the last glance, `seen`: the one of the last look, if nothing has moved since; `still`: glances
    without a move since the last one; `looks`: those that still say something, the newest last; `since`:
    looks since the last move; `waited`: glances since the last look. `reading`: what all looks together said
    when the last one was taken.
    """

    markers: bool = True
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
        return Steady(self.markers, now, looks=looks, waited=self.waited + 1, reading=self.reading)

    def looked(self, reading: Reading) -> Steady:
        """After a look at the table as it lies; without glances, one that contradicts the last is a move."""
        if self.before is None and self.looks and contradict(self.looks[-1].reading, reading):
            return Steady(self.markers).looked(reading)
        kept = [look for look in self.looks if says_something(look)][-(MOST_LOOKS - 1) :]
        looks = (*kept, Look(reading))
        together = fused(looks) if kept else reading
        together = together if self.markers else together.without_markers()
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


def _joined(one: Image | None, other: Image) -> Image:
    return other if one is None or one.shape != other.shape else cv2.max(one, other)
