"""Where things can lie on the drawn table without standing in each other."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, hypot, pi, sin
from random import Random

from hardware.virtual.solids import Die, Piece

Place = tuple[float, float]
Thing = Piece | Die

REST_MM = (190.0, 150.0)
"""How far from the middle things may be put, in mm: what the camera and the page both show."""
MIDDLE_MM, APART_MM = 54.0, 31.0


class NoRoom(ValueError):
    """There is no free place left."""


def on_table(x: float, y: float) -> bool:
    """Whether (x, y) mm is where things may be put."""
    return abs(x) <= REST_MM[0] and abs(y) <= REST_MM[1]


def clash(x: float, y: float, own: Thing, others: Sequence[Thing]) -> bool:
    """Whether `own`, set at (x, y) mm, would stand in one of `others`."""
    return any(hypot(x - other.x, y - other.y) < own.reach + other.reach for other in others)


def nearest_free(x: float, y: float, own: Thing, others: Sequence[Thing]) -> Place:
    """The place next to (x, y) mm where `own` stands in nothing; raises `NoRoom`."""
    for far in range(0, 80, 2):
        steps = max(6, far * 2)
        for step in range(steps):
            turn = 2 * pi * step / steps
            there = x + far * sin(turn), y - far * cos(turn)
            if on_table(*there) and not clash(*there, own, others):
                return there
    raise NoRoom("there is no room here")


def thrown(rng: Random, taken: Sequence[Place], edge_mm: float) -> Place:
    """Where a thrown die comes to rest: most in the middle of the mat, some beyond `edge_mm`; or `NoRoom`."""
    beside = rng.random() < 0.25
    for attempt in range(2000):
        if beside or attempt > 300:
            x = rng.choice((-1, 1)) * rng.uniform(edge_mm, REST_MM[0])
            y = rng.uniform(-REST_MM[1] + 25, REST_MM[1] - 25)
        else:
            far, turn = MIDDLE_MM * rng.random() ** 0.5, rng.uniform(0, 2 * pi)
            x, y = far * cos(turn), far * sin(turn)
        if all(hypot(x - a, y - b) > APART_MM for a, b in taken):
            return x, y
    raise NoRoom("the table is too full to throw the dice")


def side_by_side(count: int, apart_mm: float) -> list[Place]:
    """2 to 6 places, `apart_mm` from each other, around a middle and as near to it as can be."""
    around = min(count, 5)
    far = apart_mm if count == 6 else apart_mm / 2 / sin(pi / around)
    turns = [0.4 + 2 * pi * k / around for k in range(around)]
    places = [(far * sin(turn), -far * cos(turn)) for turn in turns]
    return places if count < 6 else [(0.0, 0.0), *places]
