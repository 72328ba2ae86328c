"""The best score and a best line from any state of play.

With n pieces still to move and n dice left, every way of having used some of them is a partial
assignment "piece i went by die d". There are sum_k C(n,k)^2 k! of these (13,327 for n = 6), their
graph does not depend on the situation, and so one graph per n is built once and each situation is
solved backwards over it, a whole layer at a time.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import combinations, permutations
from math import factorial

import numpy as np
from numpy.typing import NDArray

from companion.games.corona.rules import FIELDS, Move, Situation, find_move, play

Ints = NDArray[np.int64]

_POINT = 8
"""Lines are ranked by 8 x points - moves: six moves at most, so points decide and shorter lines win ties."""


@dataclass(frozen=True, slots=True)
class Solution:
    """The most points still to be had, and one line that has them in the fewest moves."""

    best: int
    moves: tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class _Layer:
    """The states with k pieces gone, and the steps to the next layer, one row a step."""

    went_by: Ints
    """(states, n): the die each piece went by, -1 where it still waits."""
    state: Ints
    piece: Ints
    die: Ints
    after: Ints
    """Index of the state after the step, in the next layer. Steps are sorted by `state`."""


@cache
def _layers(n: int) -> tuple[_Layer, ...]:
    """The graph for n pieces and n dice, from nothing moved to one piece left."""
    states = [_assignments(n, k) for k in range(n + 1)]
    index = [{state: i for i, state in enumerate(layer)} for layer in states]
    layers = []
    for k, layer in enumerate(states[:-1]):
        steps = [
            (i, piece, die, index[k + 1][(*state[:piece], die, *state[piece + 1 :])])
            for i, state in enumerate(layer)
            for piece in range(n)
            if state[piece] < 0
            for die in range(n)
            if die not in state
        ]
        columns = np.array(steps, dtype=np.int64).T
        layers.append(_Layer(np.array(layer, dtype=np.int64), *columns))
    return tuple(layers)


def _assignments(n: int, k: int) -> list[tuple[int, ...]]:
    """Every way in which k of n pieces went by k of n dice."""
    found = []
    for pieces in combinations(range(n), k):
        for dice in permutations(range(n), k):
            by_piece = dict(zip(pieces, dice, strict=True))
            found.append(tuple(by_piece.get(piece, -1) for piece in range(n)))
    return found


def solve(situation: Situation) -> Solution:
    """The exact best from `situation`, at the start or in mid-play; 0 points means an empty line."""
    fields = [field for field, waiting in enumerate(situation.waiting) for _ in range(waiting)]
    dice = [die for die, pips in enumerate(situation.dice) if pips]
    start = np.array(fields, dtype=np.int64)
    pips = np.array([situation.dice[die] for die in dice], dtype=np.int64)
    standing = np.array(situation.moved, dtype=np.int64)

    layers = _layers(len(fields))
    value = np.zeros(factorial(len(fields)), dtype=np.int64)
    chosen: list[Ints] = []
    for layer in reversed(layers):
        value, step = _best_steps(layer, start, pips, standing, value)
        chosen.append(step)
    return Solution(*_line(situation, layers, chosen[::-1], fields, dice))


def _best_steps(layer: _Layer, start: Ints, pips: Ints, standing: Ints, after: Ints) -> tuple[Ints, Ints]:
    """For each state of `layer` its rank value and its best step, -1 where stopping is as good.

    `after` holds the rank values of the next layer.
    """
    gone = layer.went_by >= 0
    where = (start + np.where(gone, pips[layer.went_by], 0)) % FIELDS
    occupants = (where[:, :, None] == np.arange(FIELDS)).sum(axis=1) + standing
    to = (start[layer.piece] + pips[layer.die]) % FIELDS
    there = occupants[layer.state, to] + 1
    worth = _POINT * np.where(there >= 2, there, 0) - 1 + after[layer.after]

    steps_each = len(worth) // len(layer.went_by)
    table = worth.reshape(-1, steps_each)
    best = table.argmax(axis=1)
    states = np.arange(len(table))
    value = table[states, best]
    step = states * steps_each + best
    return np.maximum(value, 0), np.where(value > 0, step, -1)


def _line(
    situation: Situation, layers: Iterable[_Layer], chosen: list[Ints], fields: list[int], dice: list[int]
) -> tuple[int, tuple[Move, ...]]:
    state, moves = 0, []
    for layer, steps in zip(layers, chosen, strict=True):
        step = steps[state]
        if step < 0:
            break
        move = find_move(situation, fields[layer.piece[step]], dice[layer.die[step]])
        situation = play(situation, move)
        moves.append(move)
        state = int(layer.after[step])
    return sum(move.points for move in moves), tuple(moves)
