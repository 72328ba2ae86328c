"""What was played in a round that was seen: the likeliest start and moves, and what else they may be."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import permutations
from math import exp

from companion.games.corona.carried import by_markers, circles, unmarked
from companion.games.corona.following import SURELY, Line, Look, Steps, lines
from companion.games.corona.rules import Move, Situation, find_move, play

CLOSER = 12
"""So many lines are looked at closer."""


@dataclass(frozen=True, slots=True)
class Unordered:
    """Moves that one look showed first, so that their order is not known: numbers of moves from 0, and what
    these score by the order that is told, and by others."""

    moves: tuple[int, ...]
    told: int
    others: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Played:
    """The likeliest play: moves in order, and the number of the look that has `shown` each first.

    `since` is the look that shows the start, `strays` are those that follow from no move. `likely`: that
    start and moves are true, whatever the order of those `together`; `other`: what they are else.
    `unmarked`: numbers of moves, from 0, whose markers were not there before; `circle`: fields whose pieces
    may have gone from one's to the next one's unseen.
    """

    start: Situation
    moves: tuple[Move, ...]
    shown: tuple[int, ...]
    since: int
    strays: tuple[int, ...]
    likely: float
    other: tuple[Situation, tuple[Move, ...]] | None
    together: tuple[Unordered, ...]
    unmarked: tuple[int, ...]
    circle: tuple[int, ...]

    @property
    def points(self) -> int:
        return sum(move.points for move in self.moves)

    @property
    def sure(self) -> bool:
        return self.likely > SURELY


def played(looks: Sequence[Look], start: Situation | None = None) -> Played | None:
    """The likeliest play that these looks show, in their order, from `start` where that is known; None of no
    looks."""
    told: list[tuple[float, Line, Steps]] = []
    for line in lines(looks, start)[:CLOSER]:
        told += [(line.score + likely, line, steps) for likely, steps in by_markers(line, looks)]
    if not told:
        return None
    told.sort(key=lambda one: -one[0])
    best, line, steps = told[0]
    same = partial(_same, watched=start is not None)
    weights: dict[object, float] = defaultdict(float)
    for score, one, by in told:
        weights[same(one, by)] += exp(score - best)
    here = same(line, steps)
    others = ((one.start, _in_order(one.start, by)[0]) for _, one, by in told if same(one, by) != here)
    moves, together = _in_order(line.start, steps)
    return Played(
        line.start,
        moves,
        tuple(number for number, some in steps for _ in some),
        line.since,
        line.strays,
        weights[here] / sum(weights.values()),
        next(others, None),
        together,
        unmarked(line, steps, looks),
        circles(line, steps, looks),
    )


def _same(line: Line, steps: Steps, watched: bool) -> object:
    """What two ways have in common that tell of the same play, whenever each move was seen.

    To somebody who has watched it does not matter which of two dice that show the same it was.
    """
    each = (move for _, moves in steps for move in moves)
    if watched:
        return line.start, frozenset(Counter((move.start, move.pips) for move in each).items())
    return line.start, frozenset((move.start, move.die) for move in each)


def _in_order(start: Situation, steps: Steps) -> tuple[tuple[Move, ...], tuple[Unordered, ...]]:
    """The moves one after the other; of those that one look showed together in the order that scores most, as
    people play."""
    moves: list[Move] = []
    together: list[Unordered] = []
    now = start
    for _, some in steps:
        orders = sorted((_one_by_one(now, order) for order in permutations(some)), key=_points, reverse=True)
        if len(some) > 1:
            numbers = tuple(range(len(moves), len(moves) + len(some)))
            others = {_points(order) for order in orders} - {_points(orders[0])}
            together.append(Unordered(numbers, _points(orders[0]), tuple(sorted(others, reverse=True))))
        for move in orders[0]:
            now = play(now, move)
        moves += orders[0]
    return tuple(moves), tuple(together)


def _one_by_one(now: Situation, moves: Iterable[Move]) -> tuple[Move, ...]:
    """The moves with what each scores in this order."""
    scored = []
    for move in moves:
        scored.append(find_move(now, move.start, move.die))
        now = play(now, scored[-1])
    return tuple(scored)


def _points(moves: Iterable[Move]) -> int:
    return sum(move.points for move in moves)
