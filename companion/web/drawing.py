"""Where everything lies on the drawn board, in the mat's millimetres, y down, for the SVG macros."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from companion.selftest.setups import SetUp

FIELDS = "ABCDEFGHIJKL"
RING_MM = 97.0
WELL_MM = 22.5
FIRST_DEG = 15.0
LETTER_MM = 66.0
DIE_STEP_MM = (34.0, 39.0)
"""Across and down; at phone size that is as much as a thumb needs."""

EDGE_MM, BESIDE_MM = 10.0, 146.0
"""Of the self-test's set-ups: how far off the middle a piece stands near the edge, a die beside the board."""

Point = tuple[float, float]

# Pieces that share a field: offsets in mm from its centre and how large each is drawn, by their number.
_PILES: dict[int, tuple[tuple[Point, ...], float]] = {
    0: ((), 1.0),
    1: (((0, 0),), 1.0),
    2: (((-9.6, 0), (9.6, 0)), 0.72),
    3: (((0, -9.5), (-9, 6), (9, 6)), 0.68),
    4: (((-8.5, -8.5), (8.5, -8.5), (-8.5, 8.5), (8.5, 8.5)), 0.64),
    5: (((0, -12.5), (12, -4), (7.5, 10.5), (-7.5, 10.5), (-12, -4)), 0.54),
    6: (((0, -13), (12.5, -5), (8.5, 10.5), (-8.5, 10.5), (-12.5, -5), (0, 0)), 0.49),
}


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece as drawn: centre in mm, size (1 = alone on a field), the colour of its marker or None."""

    x: float
    y: float
    size: float
    marker: str | None
    moved: bool


@dataclass(frozen=True, slots=True)
class Frame:
    """The board after some moves: the six pieces, always in the same order, the used colours, the points.

    `mover` is the piece (0..5) that moved last and `path` the letters of the fields it passed, both ends
    included; None and empty at the start.
    """

    pieces: tuple[Piece, ...]
    used: tuple[str, ...] = ()
    points: int = 0
    gained: int = 0
    mover: int | None = None
    path: str = ""


def on_ring(field: int, radius: float) -> Point:
    """The point on the ring's spoke of `field` (0..11, clockwise) at `radius` mm from the centre."""
    angle = math.radians(FIRST_DEG + 360 / len(FIELDS) * field)
    return round(radius * math.sin(angle), 2), round(-radius * math.cos(angle), 2)


def field_centres() -> list[tuple[str, Point, Point]]:
    """Letter, centre and place of the letter of each field."""
    return [(letter, on_ring(k, RING_MM), on_ring(k, LETTER_MM)) for k, letter in enumerate(FIELDS)]


def die_centres(count: int = 6) -> list[Point]:
    """Centres of the dice, three in a row, in the middle of the board."""
    across, down = DIE_STEP_MM
    return [((k % 3 - 1) * across, (k // 3 - 0.5) * down - 5) for k in range(count)]


def piles() -> Iterable[tuple[int, tuple[Point, ...], float]]:
    """How 0 to 6 pieces lie on one field: their number, offsets and size."""
    return ((number, offsets, size) for number, (offsets, size) in _PILES.items())


def laid(setup: SetUp) -> tuple[Piece, ...]:
    """The pieces of a set-up as they are asked for: side by side, on each other, or near the edge."""
    fields = [field for field, count in enumerate(setup.pieces) for _ in range(count)]
    colours = {field: [colour for at, colour in setup.markers if at == field] for field in fields}
    markers = {k: colours[field].pop() for k, field in enumerate(fields) if colours[field]}
    pieces = list(_pieces(fields, markers, set()))
    for k, field in enumerate(fields):
        if setup.stand == "edge":
            x, y = on_ring(field, RING_MM + EDGE_MM)
            pieces[k] = replace(pieces[k], x=x, y=y, size=0.9)
        elif setup.stand == "stacked" and setup.pieces[field] > 1:
            x, y = on_ring(field, RING_MM)
            upper = k > 0 and fields[k - 1] == field
            pieces[k] = replace(pieces[k], x=x + 3.5 * upper, y=y + 3 - 7 * upper, size=1.0)
    return tuple(pieces)


def laid_dice(setup: SetUp) -> list[tuple[str, int, Point, float]]:
    """Colour, pips and centre of each die of a set-up, and how far below the centre its letter stands."""
    centres = {
        "apart": [(x, y, 23.5) for x, y in die_centres()],
        "block": [(x, y, -15.5 if y < 0 else 23.5) for y in (-12.4, 12.4) for x in (-24.8, 0.0, 24.8)],
        "beside": [(x, y, 23.5) for x in (-BESIDE_MM, BESIDE_MM) for y in (-44.0, 0.0, 44.0)],
    }[setup.dice_lie]
    dice = zip(setup.dice.items(), centres, strict=True)
    return [(colour, pips, (x, y), below) for (colour, pips), (x, y, below) in dice]


def frames(situation: str, moves: Iterable[Mapping[str, Any]]) -> list[Frame]:
    """The start and the board after each move, with each of the six pieces followed through all of them.

    Markers are in from the start, as on the table, and come off when their piece has moved.
    """
    waiting, _, there = situation.partition("-")[0].partition(".")
    standing, there_already = (
        [k for k, digit in enumerate(digits) for _ in range(int(digit))] for digits in (waiting, there)
    )
    moved = set(range(len(standing), len(standing) + len(there_already)))
    standing += there_already
    plan: list[tuple[int, Mapping[str, Any]]] = []
    markers: dict[int, str | None] = {}
    for move in moves:
        start = FIELDS.index(move["from"])
        piece = next(
            k for k, field in enumerate(standing) if field == start and k not in markers and k not in moved
        )
        markers[piece] = move["colour"]
        plan.append((piece, move))
    used: tuple[str, ...] = ()
    points = 0
    result = [Frame(_pieces(standing, markers, moved))]
    for piece, move in plan:
        path = _path(move["from"], move["to"])
        standing[piece] = FIELDS.index(move["to"])
        markers[piece] = None
        moved.add(piece)
        used += (move["colour"],)
        points += move["points"]
        result.append(Frame(_pieces(standing, markers, moved), used, points, move["points"], piece, path))
    return result


def points(outline: Iterable[Point]) -> str:
    """An outline as the points of a polygon."""
    return " ".join(f"{x:.0f},{y:.0f}" for x, y in outline)


def middle(outline: Sequence[Point]) -> Point:
    """The middle of an outline's points."""
    return sum(x for x, _ in outline) / len(outline), sum(y for _, y in outline) / len(outline)


def outward(outline: Sequence[Point], ring: Iterable[Sequence[Point]]) -> Point:
    """A place beside a field of the `ring`, on the side away from its middle."""
    (x, y), (mx, my) = middle(outline), middle([middle(one) for one in ring])
    return mx + 1.27 * (x - mx), my + 1.27 * (y - my)


def around(outline: Sequence[Point], margin: float = 0.3) -> tuple[float, float, float]:
    """Left, top and side of a square around an outline, `margin` times as much wider."""
    (x, y), (xs, ys) = middle(outline), zip(*outline, strict=True)
    side = (1 + margin) * max(max(xs) - min(xs), max(ys) - min(ys))
    return x - side / 2, y - side / 2, side


def _path(start: str, to: str) -> str:
    """The fields passed clockwise from `start` to `to`, both included."""
    at = FIELDS.index(start)
    steps = (FIELDS.index(to) - at) % len(FIELDS)
    return "".join(FIELDS[(at + k) % len(FIELDS)] for k in range(steps + 1))


def _pieces(standing: list[int], markers: Mapping[int, str | None], moved: set[int]) -> tuple[Piece, ...]:
    drawn = []
    for k, field in enumerate(standing):
        company = [other for other, there in enumerate(standing) if there == field]
        offsets, size = _PILES[len(company)]
        dx, dy = offsets[company.index(k)]
        x, y = on_ring(field, RING_MM)
        drawn.append(Piece(round(x + dx, 2), round(y + dy, 2), size, markers.get(k), k in moved))
    return tuple(drawn)


def curve(setups: Sequence[Mapping[str, float]]) -> dict[str, str]:
    """`mean` and `band` (a spread up and down), as SVG points: 300 wide, 6 high for each of 21 points."""
    step = 300 / max(len(setups), 1)
    at = [(round((k + 0.5) * step, 1), one["mean"], one["spread"]) for k, one in enumerate(setups)]
    high = [f"{x},{126 - 6 * (mean + spread):.1f}" for x, mean, spread in at]
    low = [f"{x},{126 - 6 * max(mean - spread, 0):.1f}" for x, mean, spread in at]
    mean = [f"{x},{126 - 6 * mean:.1f}" for x, mean, _ in at]
    return {"mean": " ".join(mean), "band": " ".join((*high, *low[::-1]))}


def as_data(line: Iterable[Frame]) -> list[dict[str, Any]]:
    """Frames as JSON values for the page's script: pieces as (x, y, size, still marked)."""
    return [
        {
            "pieces": [(piece.x, piece.y, piece.size, piece.marker is not None) for piece in frame.pieces],
            "used": frame.used,
            "points": frame.points,
            "gained": frame.gained,
            "mover": frame.mover,
            "path": frame.path,
        }
        for frame in line
    ]


COURSE_LEFT, COURSE_WIDE = 9, 54
"""Where the picture of chips has its rounds, in per cent of its width; names stand on the right."""
COURSE_TALL, NAME_TALL = 180, 21
DOT_STEP = 9
"""The picture of bids: this many pixels for a point."""


def course(told: Mapping[str, Any]) -> dict[str, Any]:
    """Chips over time, as `history.chips` tells them: pixels down, and across thousandths of the plot.

    Places of text across are in per cent of the whole picture. Names of those who sit here are moved apart
    on the right; whoever went away has its name where its line ends.
    """
    rounds: int = max(told["rounds"], 1)
    most = max((count for seat in told["seats"] for run in seat["runs"] for _, count in run), default=1)
    here = [seat for seat in told["seats"] if seat["here"]]
    tall = max(COURSE_TALL, NAME_TALL * len(here))

    def down(count: int) -> float:
        return round(tall - tall * count / max(most, 1), 1)

    def across(number: float) -> float:
        return round(COURSE_LEFT + COURSE_WIDE * number / rounds, 1)

    names = _apart([down(seat["runs"][-1][-1][1]) for seat in here], tall)
    seats = []
    for seat in told["seats"]:
        number, count = seat["runs"][-1][-1]
        lines = [[(round(1000 * at / rounds, 1), down(chips)) for at, chips in run] for run in seat["runs"]]
        end = across(number), down(count)
        name = names.pop(0) if seat["here"] else end[1]
        drawn = [" ".join(f"{x},{y}" for x, y in line) for line in lines if len(line) > 1]
        seats.append(
            {**seat, "lines": drawn, "end": end, "name_y": name, "from": seat["runs"][0][0][1], "to": count}
        )
    return {
        "tall": tall,
        "rows": [(number, down(number)) for number in _ticks(most)],
        "columns": [(number, across(number)) for number in _ticks(rounds)],
        "seats": seats,
    }


def _ticks(most: int, at_most: int = 5) -> list[int]:
    """0 and some round numbers up to `most`."""
    steps = (factor * 10**power for power in range(9) for factor in (1, 2, 5))
    return list(range(0, most + 1, next(step for step in steps if most // step < at_most)))


def _apart(wanted: Sequence[float], tall: float) -> list[float]:
    """Places near the `wanted` ones, in their order, on which names do not cover each other."""
    placed = [0.0] * len(wanted)
    room = tall
    by_height = sorted(range(len(wanted)), key=lambda k: wanted[k], reverse=True)
    for left, k in zip(range(len(wanted) - 1, -1, -1), by_height, strict=True):
        placed[k] = room = max(min(wanted[k], room), left * NAME_TALL)
        room -= NAME_TALL
    return placed


def dots(told: Iterable[Mapping[str, Any]]) -> list[tuple[float, float, float, bool]]:
    """Bids against the best, as `history.players` tells them: x, y and radius in pixels, and whether won.

    A bid of more than there ever is stands above the rest.
    """
    return [
        (
            DOT_STEP * one["best"],
            DOT_STEP * (22 - min(one["bid"], 22)),
            round(min(3.4 + math.sqrt(one["times"]), 8), 1),
            one["won"],
        )
        for one in told
    ]
