"""The best score from any state of play, the easiest line that has it, and every other one.

A line is a row of moves, each a field it starts from and the pips it goes by: pieces on one field are the
same, and so are dice that show the same. It ends when nothing more is to be had. The easiest of the best
lines moves the fewest pieces, and of those has the fewest detours, which are moves onto an empty field.

Somebody who tries plays on until no piece waits, and picks each move by chance among all pieces that wait and
all dice left, one that scores n points n + 1 times as likely as one that scores none.
"""

from __future__ import annotations

from bisect import insort
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from companion.games.corona.rules import FIELDS, Move, Situation, play
from companion.games.corona.states import DETOUR, PIECE, POINT, table

LISTED = 20


@dataclass(frozen=True, slots=True)
class Solution:
    """The most points still to be had, and the easiest line that has them; 0 points means an empty one."""

    best: int
    moves: tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class Lines:
    """All lines that have the most points."""

    best: int
    count: int
    pieces: int
    """The fewest that must move."""
    detours: int
    """The fewest with so few pieces."""
    easiest: tuple[tuple[Move, ...], ...]
    """As many as were asked for, the easiest first."""


@dataclass(frozen=True, slots=True)
class Reach:
    """A first move, and the most points a play that begins with it can have, its own among them."""

    move: Move
    best: int


def best(situation: Situation) -> int:
    """The most points still to be had."""
    return _points(_worth(_state(situation)))


def solve(situation: Situation) -> Solution:
    """The most points still to be had, and the easiest line."""
    state = _state(situation)
    worth = _worth(state)
    answer = _points(worth)
    steps = []
    while worth:
        # The table holds the worth of the easiest line: any step that keeps it is on one.
        step = next(step for step in _steps(state) if step.gain + _worth(step.after) == worth)
        steps.append(step)
        state, worth = step.after, worth - step.gain
    return Solution(answer, _moves(situation, steps))


def first_moves(situation: Situation) -> tuple[Reach, ...]:
    """Each first move, by field and pips, with what can still be reached."""
    return tuple(
        Reach(_moves(situation, [step])[0], step.points + _points(_worth(step.after)))
        for step in _steps(_state(situation))
    )


def still(situation: Situation, moves: Iterable[Move]) -> tuple[int, ...]:
    """After each of the moves, the most points the whole play can still have, those it has among them."""
    reached, points = [], 0
    for move in moves:
        situation = play(situation, move)
        points += move.points
        reached.append(points + best(situation))
    return tuple(reached)


def lines(situation: Situation, at_most: int = LISTED) -> Lines:
    """All best lines counted, and `at_most` of them, the easiest first."""
    state = _state(situation)
    tallies: dict[_State, Counter[int]] = {}
    tally = _tally(state, tallies)
    worth = max(tally)
    points = _points(worth)
    every = (line for each in sorted(tally, reverse=True) for line in _lines(state, each, tallies))
    listed = tuple(_moves(situation, line) for line in islice(every, at_most))
    less = POINT * points - worth
    return Lines(points, tally.total(), less // PIECE, less % PIECE, listed)


def chance(situation: Situation) -> float:
    """How likely somebody who tries has the most points: 0 to 1, exact but for the last digits."""
    return _chance(_state(situation), {})


# States and steps


@dataclass(frozen=True, slots=True)
class _State:
    """Numbers in order: fields of the pieces waiting and moved, and pips - 1 of the dice left."""

    waiting: tuple[int, ...]
    moved: tuple[int, ...]
    dice: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Step:
    """One move: what is the same whichever piece on the field goes, and by whichever die of these pips."""

    start: int
    to: int
    pips: int
    points: int
    after: _State

    @property
    def gain(self) -> int:
        """What the move alone is worth, as in the table."""
        return (POINT * self.points or -DETOUR) - PIECE


def _state(situation: Situation) -> _State:
    waiting, moved = (
        tuple(field for field, count in enumerate(counts) for _ in range(count))
        for counts in (situation.waiting, situation.moved)
    )
    return _State(waiting, moved, tuple(sorted(pips - 1 for pips in situation.dice if pips)))


def _worth(state: _State) -> int:
    return table().worth(state.waiting, state.moved, state.dice)


def _points(worth: int) -> int:
    return -(-worth // POINT)


def _steps(state: _State) -> Iterator[_Step]:
    """Every step from a state, by field, then by pips."""
    dice = [(die + 1, _without(state.dice, die)) for die in sorted(set(state.dice))]
    for start in sorted(set(state.waiting)):
        waiting = _without(state.waiting, start)
        for pips, left in dice:
            to = (start + pips) % FIELDS
            there = state.waiting.count(to) + state.moved.count(to) + 1
            moved = list(state.moved)
            insort(moved, to)
            yield _Step(start, to, pips, there if there >= 2 else 0, _State(waiting, tuple(moved), left))


def _without(numbers: tuple[int, ...], one: int) -> tuple[int, ...]:
    at = numbers.index(one)
    return numbers[:at] + numbers[at + 1 :]


def _moves(situation: Situation, steps: list[_Step]) -> tuple[Move, ...]:
    """The steps as moves, each by the first die in the set's order that shows its pips."""
    dice, moves = list(situation.dice), []
    for step in steps:
        die = dice.index(step.pips)
        dice[die] = 0
        moves.append(Move(step.start, step.to, die, step.pips, step.points))
    return tuple(moves)


# All lines


def _tally(state: _State, tallies: dict[_State, Counter[int]]) -> Counter[int]:
    """How many best lines there are of each worth; kept in `tallies` for every state on the way."""
    if state not in tallies:
        points = _points(_worth(state))
        tally = Counter({0: 1} if points == 0 else {})
        for step in _steps(state) if points else ():
            if step.points + _points(_worth(step.after)) == points:
                for worth, count in _tally(step.after, tallies).items():
                    tally[worth + step.gain] += count
        tallies[state] = tally
    return tallies[state]


def _lines(state: _State, worth: int, tallies: dict[_State, Counter[int]]) -> Iterator[list[_Step]]:
    """The best lines of this worth, by field and pips of the first step, then of the next."""
    points = _points(_worth(state))
    if not points:
        yield []
        return
    for step in _steps(state):
        after = tallies.get(step.after)
        if after and worth - step.gain in after and step.points + _points(_worth(step.after)) == points:
            for line in _lines(step.after, worth - step.gain, tallies):
                yield [step, *line]


# Somebody who tries


def _chance(state: _State, chances: dict[_State, float]) -> float:
    """How likely the most points are had from here on; kept in `chances` for every state on the way."""
    points = _points(_worth(state))
    if not points:
        return 1.0  # whatever is moved
    if state not in chances:
        good, every = 0.0, 0
        for step in _steps(state):
            alike = state.waiting.count(step.start) * state.dice.count(step.pips - 1)
            weight = alike * (step.points + 1)
            every += weight
            if step.points + _points(_worth(step.after)) == points:
                good += weight * _chance(step.after, chances)
        chances[state] = good / every
    return chances[state]
