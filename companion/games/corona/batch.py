"""Best scores of many situations at once: arrays in, an array out.

What takes time is sorting and gathering, so ranks are counted from the other end here: of the multisets of k
numbers below n, sum over x = 0..n-2 of C(x + s, s - 1) rank higher than one with s numbers not above x.
"""

from __future__ import annotations

from functools import cache
from math import comb
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from companion.games.corona.rules import DICE, FIELDS, PIECES, BadSituation, faults_of
from companion.games.corona.states import FIRST_PLACE, PIPS, table, ways

Bytes = NDArray[np.uint8]
Numbers = NDArray[np.int32]

_AT_ONCE = 16_384
"""Situations that are looked up together, so that they stay in a core's cache."""


def best_scores(waiting: ArrayLike, dice: ArrayLike, moved: ArrayLike | None = None) -> Bytes:
    """(n,) points still to be had, of (n, 12) pieces waiting, (n, 6) dice, (n, 12) moved pieces (None: none).

    Whole numbers, as in `Situation`: a used die is 0. Raises `BadSituation` with all that is wrong with the
    first one that cannot be.
    """
    arrays = [np.asarray(each) for each in (waiting, dice)]
    arrays.append(np.zeros(arrays[0].shape, np.uint8) if moved is None else np.asarray(moved))
    wanted = [(len(arrays[0]), width) for width in (FIELDS, DICE, FIELDS)]
    if [array.shape for array in arrays] != wanted or not all(array.dtype.kind in "iu" for array in arrays):
        raise BadSituation([f"whole numbers in {wanted} are needed"])
    points = np.empty(len(arrays[0]), np.uint8)
    for first in range(0, len(points), _AT_ONCE):
        some = slice(first, first + _AT_ONCE)
        points[some] = _best_scores(first, *(array[some] for array in arrays))
    return points


def _best_scores(first: int, *arrays: NDArray[Any]) -> Bytes:
    """The same for a few, the first of which is number `first`."""
    if not all(array.min() >= 0 and array.max() <= PIECES for array in arrays):
        _refuse(first, *arrays)
    waiting, dice, moved = (array.astype(np.uint8).T.copy() for array in arrays)
    waits, gone = _not_above(waiting), _not_above(moved)
    left, used = waits[-1], gone[-1]
    low = np.array([np.add.reduce(dice <= pips, axis=0, dtype=np.uint8) for pips in range(PIPS + 1)])
    if not ((left + used == PIECES) & (low[0] == used)).all():
        _refuse(first, *arrays)

    held, width, (last_place, last_dice) = table(), *_by_dice_left()
    place = last_place.take(left) - width.take(left) * _higher(waits) - _higher(gone)
    at = held.begins.take(place) + last_dice.take(left) - _higher(low[1:] - used)
    points: Bytes = held.points.take(held.codes.take(at))
    return points


def _refuse(first: int, waiting: NDArray[Any], dice: NDArray[Any], moved: NDArray[Any]) -> None:
    for number, counts in enumerate(zip(waiting.tolist(), dice.tolist(), moved.tolist(), strict=True), first):
        faults = faults_of(*map(tuple, counts))
        if faults:
            raise BadSituation([f"situation {number}: {fault}" for fault in faults])


def _not_above(counts: Bytes) -> Bytes:
    """(12, n): of (12, n) pieces on each field, those not above it."""
    pieces = counts.copy()
    for field in range(1, FIELDS):
        pieces[field] += pieces[field - 1]
    return pieces


def _higher(not_above: Bytes) -> Numbers:
    """(n,): how many multisets rank higher, of (numbers, n)."""
    every = _higher_each()
    higher: Numbers = every[0].take(not_above[0])
    for x in range(1, len(not_above) - 1):
        higher += every[x].take(not_above[x])
    return higher


@cache
def _higher_each() -> Numbers:
    """(12, 7): C(x + s, s - 1) by x and s."""
    return np.array(
        [[comb(x + s, s - 1) if s else 0 for s in range(PIECES + 1)] for x in range(FIELDS)], np.int32
    )


@cache
def _by_dice_left() -> tuple[Numbers, Numbers]:
    """(7,): what a rank of the pieces waiting counts in a place; (2, 7): the last place and rank of dice."""
    width = np.array([ways(FIELDS, PIECES - left) for left in range(DICE + 1)], np.int32)
    last = [np.array(FIRST_PLACE[1:]) - 1, [ways(PIPS, left) - 1 for left in range(DICE + 1)]]
    return width, np.array(last, np.int32)
