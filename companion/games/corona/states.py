"""Every state of play up to turning the board, in one byte each, with the best that can be had from it.

A state is three multisets: fields of the pieces still to move, fields of those that have moved, dice left.
Rank:  k numbers x0 <= x1 <= ... of 0..n-1 have the rank  sum over i of C(xi + i, i + 1).  So each of the
       C(n+k-1, k) multisets has its own of 0, 1, 2, ... (the combinatorial number system of xi + i).
Place: with m dice left m pieces still wait. Where all stand is  rank(waiting) * C(17-m, 6-m) + rank(moved),
       behind all places with fewer dice: these are FIRST_PLACE[m] many.
Row:   turning the board makes up to 12 places of one; the smallest stands for all, and these are numbered in
       their order. So with m dice left there is a layer: a row for each place up to turning, a column for
       each rank(dice), of which there are C(5+m, m).
Layers 1 to 6 lie one behind the other in `Table.codes`; a place's row begins at `Table.begins[place]`.

A layer is worked out from the one before it, for all its rows and dice at once: the best of stopping and of
every move's own worth plus that of the state after it. Before turning, layers 1 to 6 are
sum of C(11+m, m) * C(17-m, 6-m) * C(5+m, m) = 42,311,906 states.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, combinations_with_replacement
from math import comb

import numpy as np
from numpy.typing import NDArray

from companion.games.corona.rules import DICE, FIELDS, MOST_POINTS, PIECES

PIPS = 6
POINT, PIECE, DETOUR = 64, 8, 1
"""What a line is worth: 64 a point, less 8 a moved piece and 1 a detour, which is a move onto an empty field.
There are six at most of each, so points decide, then fewer pieces, then fewer detours."""

Ints = NDArray[np.int64]
Worths = NDArray[np.int16]

_AT_ONCE = 200_000
"""Sums that are worked out together, so that they stay in a core's cache (2 bytes each)."""


@dataclass(frozen=True, slots=True)
class Table:
    """The worth of every state up to turning; how they are numbered says the head of this module."""

    codes: NDArray[np.uint8]
    """(states + 1,): for each state a number in `worths`; last a 0, for all states without dice."""
    begins: NDArray[np.int32]
    """(places,): the index in `codes` where the place's row begins."""
    worths: Worths
    """(99,): every worth that occurs, smallest first."""

    @property
    def states(self) -> int:
        """How many are held, up to turning; those without dice are no matter."""
        return len(self.codes) - 1

    @property
    def points(self) -> NDArray[np.uint8]:
        """(99,): the best score, for each number in `codes`."""
        return points_in(self.worths).astype(np.uint8)

    def worth(self, waiting: Sequence[int], moved: Sequence[int], dice: Sequence[int]) -> int:
        """What the best line is worth: fields 0..11 of the pieces and dice 0..5, each in order."""
        place = FIRST_PLACE[len(dice)] + rank(waiting) * ways(FIELDS, len(moved)) + rank(moved)
        return int(self.worths[self.codes[self.begins[place] + rank(dice)]])

    def histogram(self) -> dict[int, int]:
        """How many starts there are, up to turning, of each best score that occurs."""
        starts = self.codes[self.begins[FIRST_PLACE[DICE]] : -1]
        counts = np.bincount(self.points[starts])
        return {points: int(count) for points, count in enumerate(counts) if count}


def points_in(worth: Worths) -> Worths:
    """The points that are in a worth."""
    return -(-worth // POINT)


def rank(numbers: Sequence[int]) -> int:
    """The rank of a multiset whose numbers are in order."""
    return sum(comb(x + i, i + 1) for i, x in enumerate(numbers))


def ways(n: int, k: int) -> int:
    """How many multisets of k numbers there are of n: C(n+k-1, k)."""
    return comb(n + k - 1, k)


FIRST_PLACE = (0, *accumulate(ways(FIELDS, left) * ways(FIELDS, PIECES - left) for left in range(DICE + 1)))
"""By dice left, the places with fewer dice; last all of them, 475,020."""


@cache
def table() -> Table:
    """The table, built when it is first asked for; `play.evening` asks before any other thread can."""
    return build()


def build() -> Table:
    """The table, built anew."""
    pieces = [_pieces(k) for k in range(PIECES + 1)]
    rows = [np.zeros(ways(FIELDS, PIECES), np.int64)]
    layers: list[Worths] = [np.zeros((1, 1), np.int16)]
    for left in range(1, DICE + 1):
        row, place = _rows(pieces[left], pieces[PIECES - left])
        waiting, moved = np.divmod(place, ways(FIELDS, PIECES - left))
        after, gain = _moves(pieces, left, waiting, moved, rows[-1])
        layers.append(_layer(layers[-1], after, gain))
        rows.append(row)
    return _packed(layers[1:], rows)


# Multisets


@dataclass(frozen=True, slots=True)
class _Pieces:
    """Every way for k pieces to stand on the ring, by rank."""

    fields: Ints
    """(ways, k), each row in order."""
    counts: Ints
    """(ways, 12): pieces on each field."""
    turned: Ints
    """(ways,): the rank after turning the board by one field."""
    fewer: Ints
    """(ways, k): the rank without the piece in that column of `fields`."""
    more: Ints
    """(ways, 12): the rank with one more piece on that field."""


def _pieces(k: int) -> _Pieces:
    fields = _multisets(FIELDS, k)
    every = np.broadcast_to(np.arange(FIELDS)[:, None], (len(fields), FIELDS, 1))
    others = np.broadcast_to(fields[:, None, :], (len(fields), FIELDS, k))
    return _Pieces(
        fields,
        counts=(others == every).sum(axis=2),
        turned=_ranks(np.sort((fields + 1) % FIELDS, axis=1)),
        fewer=_without_one(fields),
        more=_ranks(np.sort(np.concatenate([others, every], axis=2), axis=2)),
    )


def _multisets(n: int, k: int) -> Ints:
    """(ways, k): all multisets of k numbers below n, by rank."""
    falling = list(combinations_with_replacement(range(n)[::-1], k))
    return np.array(falling, np.int64).reshape(ways(n, k), k)[::-1, ::-1]


def _ranks(sets: Ints) -> Ints:
    """(...,): the rank of each multiset of (..., k), whose numbers are in order."""
    ranks = np.zeros(sets.shape[:-1], np.int64)
    for i in range(sets.shape[-1]):
        ranks += np.array([comb(x + i, i + 1) for x in range(FIELDS)])[sets[..., i]]
    return ranks


def _without_one(sets: Ints) -> Ints:
    """(ways, k): the rank of each multiset of (ways, k) without the number in that column."""
    k = sets.shape[1]
    return np.array([_ranks(np.delete(sets, i, axis=1)) for i in range(k)], np.int64).reshape(k, len(sets)).T


# Layers


def _rows(waiting: _Pieces, moved: _Pieces) -> tuple[Ints, Ints]:
    """(places,): the row of each place; and (rows,): the place that stands for a row."""
    width = len(moved.fields)
    w, v = np.arange(len(waiting.fields)), np.arange(width)
    place = least = w[:, None] * width + v
    for _ in range(1, FIELDS):
        w, v = waiting.turned[w], moved.turned[v]
        least = np.minimum(least, w[:, None] * width + v)
    stands = (least == place).ravel()
    return (np.cumsum(stands) - 1)[least.ravel()], np.flatnonzero(stands)


def _moves(
    pieces: Sequence[_Pieces], left: int, waiting: Ints, moved: Ints, row_after: Ints
) -> tuple[Ints, Worths]:
    """Where each move leads, and what it alone is worth; both (rows, pieces waiting, pips 1..6).

    `waiting` and `moved` are the ranks of each row, `row_after` is the row of each place after a move.
    """
    start = pieces[left].fields[waiting]
    to = (start[:, :, None] + np.arange(1, PIPS + 1)) % FIELDS
    waiting_after = pieces[left].fewer[waiting][:, :, None]
    moved_after = pieces[PIECES - left].more[moved[:, None, None], to]
    after = row_after[waiting_after * ways(FIELDS, PIECES - left + 1) + moved_after]

    occupants = pieces[left].counts[waiting] + pieces[PIECES - left].counts[moved]
    there = np.take_along_axis(occupants[:, None, :], to, axis=2) + 1
    gain = np.where(there >= 2, POINT * there, -DETOUR) - PIECE
    return after, gain.astype(np.int16)


def _layer(worth_after: Worths, after: Ints, gain: Worths) -> Worths:
    """(rows, dice): what each state is worth, from (rows after, dice after) of the layer before."""
    rows, left, _ = after.shape
    dice = _multisets(PIPS, left)
    # Where a die's best stands in `by_pips`, its last axes taken as one: its pips, the dice without it.
    column = dice * ways(PIPS, left - 1) + _without_one(dice)
    worth = np.zeros((rows, len(dice)), np.int16)
    step = max(1, _AT_ONCE // (PIPS * ways(PIPS, left - 1)))
    for some in (slice(first, first + step) for first in range(0, rows, step)):
        by_pips = np.zeros((len(after[some]), PIPS, ways(PIPS, left - 1)), np.int16)
        for piece in range(left):
            then = worth_after.take(after[some, piece], axis=0)
            then += gain[some, piece, :, None]
            np.maximum(by_pips, then, out=by_pips)
        columns = by_pips.reshape(len(by_pips), -1)
        for die in range(left):
            np.maximum(worth[some], columns.take(column[:, die], axis=1), out=worth[some])
    return worth


def _packed(layers: Sequence[Worths], rows: Sequence[Ints]) -> Table:
    """The table of layers 1 to 6, each worth by its number among those that occur; `rows` from 0 on."""
    occurs = np.zeros(POINT * MOST_POINTS + 1, np.bool_)
    for layer in layers:
        occurs[layer] = True
    code = (np.cumsum(occurs) - 1).astype(np.uint8)
    codes = np.concatenate([*(code[layer].ravel() for layer in layers), code[:1]])
    begins = [np.full(len(rows[0]), len(codes) - 1, np.int32)]
    begin = 0
    for layer, row in zip(layers, rows[1:], strict=True):
        begins.append((begin + row * layer.shape[1]).astype(np.int32))
        begin += layer.size
    return Table(codes, np.concatenate(begins), np.flatnonzero(occurs).astype(np.int16))
