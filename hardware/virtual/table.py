"""The drawn table: where pieces, dice and a hand are, and the photograph of it."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import count
from math import hypot
from random import Random
from threading import RLock

import cv2
import numpy as np
import numpy.typing as npt

from hardware.virtual import hand as hands
from hardware.virtual.lens import Lens
from hardware.virtual.light import cast
from hardware.virtual.places import (
    REST_MM,
    NoRoom,
    Thing,
    clash,
    nearest_free,
    on_table,
    side_by_side,
    thrown,
)
from hardware.virtual.scenery import Layout, background, field_centres, half_side
from hardware.virtual.solids import PAINT, Die, Piece

Frame = npt.NDArray[np.uint8]
GLANCE = (384, 216)
GRAIN = 1.6
HAND_SECONDS = 1.0


class VirtualTable:
    """A table with a mat, pieces and dice, photographed from above as a real camera would.

    `layout` is the geometry of the mat. Everything random comes from `seed`; `clock` gives seconds and
    only says how long a hand stays. Safe to use from several threads.
    """

    def __init__(
        self,
        layout: Layout,
        colours: Sequence[str],
        pieces: int = 6,
        *,
        die_mm: float = 16.0,
        piece_mm: tuple[float, float] = (19.0, 12.5),
        seed: int = 1,
        lens: Lens | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        unknown = [colour for colour in colours if colour not in PAINT]
        if unknown:
            raise ValueError(f"no paint for {', '.join(unknown)}; known are {', '.join(PAINT)}")
        self.layout = layout
        self.lens = lens or Lens()
        self.hand_stays = False
        self.throws = 0
        """How often the dice have been thrown."""
        self._hand_until = 0.0
        self._hand_at = (0.0, 0.0)
        self._clock = clock
        self._lock = RLock()
        self._listeners: list[Callable[[], None]] = []
        self._frames = count(1)
        self._seed = seed
        self._glance_key: object = None
        self._glance: Frame = np.empty(0, np.uint8)
        near = half_side(layout) + 22
        self.pieces = [Piece(-near - 24 * (k % 2), -40 + 24.0 * (k // 2), *piece_mm) for k in range(pieces)]
        self.dice = {
            colour: Die(colour, near, -75 + 30.0 * k, 8.0 + 31 * k, 1 + k % 6, die_mm)
            for k, colour in enumerate(colours)
        }

    # What hands do

    def set_piece(self, number: int, x: float, y: float, marker: str | None = None) -> None:
        """Stand piece `number` (from 0) at (x, y) mm; IndexError or ValueError if there is no such place."""
        _check(x, y)
        if not 0 <= number < len(self.pieces):
            raise IndexError(f"there is no piece {number}; there are {len(self.pieces)}, from 0")
        if marker is not None and marker not in PAINT:
            raise ValueError(f"there is no {marker} marker")
        with self._lock:
            before = list(self.pieces)
            self.pieces[number] = replace(self.pieces[number], x=x, y=y, marker=marker)
            try:
                self._make_room(number)
            except NoRoom:
                self.pieces = before
                raise
        self._touched(x, y)

    def set_die(self, colour: str, x: float, y: float, value: int | None = None) -> None:
        """Lay a die at (x, y) mm, `value` on top (None: as it was); KeyError or ValueError if impossible."""
        _check(x, y)
        if colour not in self.dice:
            raise KeyError(f"there is no {colour} die")
        if value is not None and not 1 <= value <= 6:
            raise ValueError(f"a die shows 1 to 6, not {value}")
        with self._lock:
            die = self.dice[colour]
            things: tuple[Thing, ...] = (*self.pieces, *self.dice.values())
            others = [thing for thing in things if thing is not die]
            x, y = nearest_free(x, y, die, others)
            self.dice[colour] = replace(die, x=x, y=y, value=value or die.value)
        self._touched(x, y)

    def scatter(self, rng: Random) -> None:
        """Stand every piece on a field, any field, without markers; several may share one."""
        for number in range(len(self.pieces)):
            x, y = rng.choice(self.field_centres())
            self.set_piece(number, x + rng.uniform(-4, 4), y + rng.uniform(-4, 4))

    def throw(self, rng: Random) -> None:
        """Throw all dice: most roll over the middle of the mat, some beside it; none on anything."""
        with self._lock:
            taken = [(piece.x, piece.y) for piece in self.pieces]
            dice = {}
            for colour, die in self.dice.items():
                x, y = thrown(rng, taken, half_side(self.layout) + 16)
                taken.append((x, y))
                turn, value = rng.uniform(0, 360), rng.randint(1, 6)
                dice[colour] = replace(die, x=x, y=y, yaw=turn, value=value)
            self.dice = dice
            self.throws += 1
        self._touched(0, 40)

    def touch(self, x: float = 0.0, y: float = 0.0) -> None:
        """A hand reaches to (x, y) mm for a moment."""
        self._touched(x, y)

    def hold(self, stays: bool) -> None:
        """Leave a hand over the table, or take it away at once."""
        self.hand_stays = stays
        self._hand_until = 0.0
        self._tell()

    @property
    def hand(self) -> bool:
        return self.hand_stays or self._clock() < self._hand_until

    def listen(self, heard: Callable[[], None]) -> None:
        """Call `heard` after every change."""
        self._listeners.append(heard)

    def field_centres(self) -> list[tuple[float, float]]:
        """The middles of the fields in mm, clockwise from the first."""
        return field_centres(self.layout)

    # What the camera sees

    def picture(self) -> Frame:
        """The table as drawn, without grain: BGR uint8 (H, W, 3)."""
        with self._lock:
            solids = [*self.pieces, *self.dice.values()]
            hand = hands.Hand(*self._hand_at) if self.hand else None
        layers = sorted((cast(self.lens, solid) for solid in solids), key=lambda layer: -layer.depth)
        over = hands.cast(self.lens, hand) if hand else None
        shown = self._empty.copy()
        for layer in [*layers, over] if over else layers:
            layer.onto(shown)
        return shown

    def draw(self) -> Frame:
        """A photograph: BGR uint8 (H, W, 3), a little soft, grainy, compressed; no two are quite the same."""
        shown = cv2.GaussianBlur(self.picture(), (3, 3), 0.55)
        with self._lock:
            rng = np.random.default_rng((self._seed, next(self._frames)))
        down, along = rng.integers(0, 64, 2)
        grain = self._grain[down : down + shown.shape[0], along : along + shown.shape[1]]
        flicker = 1 + rng.uniform(-0.006, 0.006)
        noisy = cv2.add(cv2.convertScaleAbs(shown, alpha=flicker), grain, dtype=cv2.CV_8U)
        kept = cv2.imencode(".jpg", noisy, (cv2.IMWRITE_JPEG_QUALITY, 92))[1]
        return np.asarray(cv2.imdecode(kept, cv2.IMREAD_COLOR), np.uint8)

    def glance(self) -> Frame:
        """The small grey picture beside the large one: uint8 (216, 384); cheap while all lies still."""
        with self._lock:
            hand = hands.Hand(*self._hand_at) if self.hand else None
            key = (tuple(self.pieces), tuple(self.dice.values()), hand)
        if key != self._glance_key:
            small = cv2.resize(self.picture(), GLANCE, interpolation=cv2.INTER_AREA)
            self._glance, self._glance_key = (
                np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.uint8),
                key,
            )
        return self._glance

    # For calibration

    def photo_empty(self) -> Frame:
        """A photograph of the mat with nothing on it."""
        return self._with([], {}).draw()

    def photo_dice(self) -> Frame:
        """A photograph of the mat with every die on it, and no piece."""
        rows = max(len(self.dice) // 3, 1)
        dice = {
            colour: replace(
                die,
                x=-50.0 + 50 * (k % 3),
                y=-25.0 + 50 * (k // 3) * 2 / rows,
                yaw=17.0 + 47 * k,
                value=k % 6 + 1,
            )
            for k, (colour, die) in enumerate(self.dice.items())
        }
        return self._with([], dice).draw()

    def twin(self) -> VirtualTable:
        """The same table and camera with the same on it, to be laid by itself."""
        other = self._with(list(self.pieces), dict(self.dice))
        other._listeners = []
        return other

    def _with(self, pieces: list[Piece], dice: dict[str, Die]) -> VirtualTable:
        """The same table and camera with other things on it."""
        _ = self._empty, self._grain  # drawn once, for both
        other = object.__new__(VirtualTable)
        other.__dict__.update(self.__dict__)
        other.pieces, other.dice, other.hand_stays, other._hand_until = pieces, dice, False, 0.0
        return other

    @cached_property
    def _empty(self) -> Frame:
        """The empty table, drawn when it is first looked at."""
        return background(self.lens, self.layout, self._seed)

    @cached_property
    def _grain(self) -> npt.NDArray[np.int8]:
        size = (self.lens.height + 64, self.lens.width + 64, 3)
        return np.random.default_rng(self._seed).normal(0, GRAIN, size).astype(np.int8)

    def _make_room(self, number: int) -> None:
        """Where piece `number` was set into another, stand the pieces of that field side by side.

        On no field, on one that is full, or in a die, it goes to the nearest place that is free.
        """
        own = self.pieces[number]
        others = [piece for piece in self.pieces if piece is not own]
        dice = list(self.dice.values())
        if not clash(own.x, own.y, own, [*others, *dice]):
            return
        middle = min(self.field_centres(), key=lambda at: hypot(own.x - at[0], own.y - at[1]))
        within = self.layout["fields"]["diameter_mm"] / 2
        there = [k for k, p in enumerate(self.pieces) if hypot(p.x - middle[0], p.y - middle[1]) < within]
        if number not in there or not 2 <= len(there) <= 6 or clash(own.x, own.y, own, dice):
            x, y = nearest_free(own.x, own.y, own, [*others, *dice])
            self.pieces[number] = replace(own, x=x, y=y)
            return
        for k, (dx, dy) in zip(there, side_by_side(len(there), own.diameter + 0.3), strict=True):
            self.pieces[k] = replace(self.pieces[k], x=middle[0] + dx, y=middle[1] + dy)

    def _touched(self, x: float, y: float) -> None:
        self._hand_at = (round(x), round(y))
        self._hand_until = self._clock() + HAND_SECONDS
        self._tell()

    def _tell(self) -> None:
        for heard in list(self._listeners):
            heard()


class VirtualCamera:
    """A camera above a virtual table."""

    def __init__(self, table: VirtualTable) -> None:
        self._table = table

    def capture(self) -> Frame:
        """A fresh photograph: BGR uint8 (H, W, 3)."""
        return self._table.draw()

    def glance(self) -> Frame:
        """A fresh small grey picture: uint8 (216, 384)."""
        return self._table.glance()

    def close(self) -> None:
        """Nothing to let go of."""


def _check(x: float, y: float) -> None:
    if not on_table(x, y):
        raise ValueError(
            f"({x:g}, {y:g}) mm is off the table; it reaches {REST_MM[0]:g} x {REST_MM[1]:g} mm each way"
        )
