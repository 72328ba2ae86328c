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

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, chain, combinations_with_replacement
from math import comb

import numpy as np
from numpy.typing import NDArray

from companion.games.corona.rules import DICE, FIELDS, MOST_POINTS, PIECES

PIPS = 6
POINT, PIECE, DETOUR = 64, 8, 1
"""What a line is worth: 64 a point, less 8 a moved piece and 1 a detour, which is a move onto an empty field.
There are six at most of each, so points decide, then fewer pieces, then fewer detours."""

Small = NDArray[np.int8]
Index = NDArray[np.int32]
Worths = NDArray[np.int16]

_AT_ONCE = 100_000
"""So many sums or states are worked out together: a core's cache holds them, and little memory is needed."""


@dataclass(frozen=True, slots=True)
class Table:
    """The worth of every state up to turning; how they are numbered says the head of this module."""

    codes: NDArray[np.uint8]
    """(states + 1,): for each state a number in `worths`; last a 0, for all states without dice."""
    begins: Index
    """(places,): the index in `codes` where the place's row begins."""
    worths: Worths
    """(99,), or fewer where not all moves are made: every worth that occurs, smallest first."""

    @property
    def states(self) -> int:
        """How many are held, up to turning; those without dice are no matter."""
        return len(self.codes) - 1

    @property
    def points(self) -> NDArray[np.uint8]:
        """(99,): the best score, for each number in `codes`."""
        return (-(-self.worths // POINT)).astype(np.uint8)

    def worth(self, waiting: Sequence[int], moved: Sequence[int], dice: Sequence[int]) -> int:
        """What the best line is worth: fields 0..11 of the pieces and dice 0..5, each in order."""
        place = FIRST_PLACE[len(dice)] + rank(waiting) * ways(FIELDS, len(moved)) + rank(moved)
        return int(self.worths[self.codes[self.begins[place] + rank(dice)]])

    def histogram(self) -> dict[int, int]:
        """How many starts there are, up to turning, of each best score that occurs."""
        starts = self.codes[self.begins[FIRST_PLACE[DICE]] : -1]
        counts = np.bincount(self.points[starts])
        return {points: int(count) for points, count in enumerate(counts) if count}


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


def build(moves: int = DICE) -> Table:
    """The table, built anew; also for plays of so many moves at most, where a state with fewer dice has 0."""
    pieces = [_pieces(k) for k in range(PIECES + 1)]
    places, begins, first_rows = [], np.zeros(FIRST_PLACE[-1], np.int32), [0]
    for left in range(1, DICE + 1):
        row, place = _rows(pieces[left], pieces[PIECES - left])
        width = ways(PIPS, left)
        begins[FIRST_PLACE[left] : FIRST_PLACE[left + 1]] = first_rows[-1] + row * width
        first_rows.append(first_rows[-1] + len(place) * width)
        places.append(place)
    begins[: FIRST_PLACE[1]] = first_rows[-1]

    worth = np.zeros(first_rows[-1] + 1, np.int16)
    layer = worth[-1:].reshape(1, 1)
    for left, place in enumerate(places, 1):
        after, layer = layer, worth[first_rows[left - 1] : first_rows[left]].reshape(len(place), -1)
        if left > DICE - moves:
            _fill(layer, after, pieces, left, place, begins)
    return _packed(worth, begins)


# Multisets


@dataclass(frozen=True, slots=True)
class _Pieces:
    """Every way for k pieces to stand on the ring, by rank."""

    fields: Small
    """(ways, k), each row in order."""
    counts: Small
    """(ways, 12): pieces on each field."""
    turned: Index
    """(ways,): the rank after turning the board by one field."""
    fewer: Index
    """(ways, k): the rank without the piece in that column of `fields`."""
    more: Index
    """(ways, 12): the rank with one more piece on that field."""


def _pieces(k: int) -> _Pieces:
    fields = _multisets(FIELDS, k)
    every = np.arange(FIELDS, dtype=np.int8)
    one_more = [np.column_stack([fields, np.full(len(fields), field, np.int8)]) for field in every]
    return _Pieces(
        fields,
        counts=np.array([(fields == field).sum(axis=1, dtype=np.int8) for field in every]).T,
        turned=_ranks(np.sort((fields + 1) % FIELDS, axis=1)),
        fewer=_without_one(fields),
        more=np.array([_ranks(np.sort(more, axis=1)) for more in one_more]).T,
    )


def _multisets(n: int, k: int) -> Small:
    """(ways, k): all multisets of k numbers below n, by rank."""
    falling = chain.from_iterable(combinations_with_replacement(range(n)[::-1], k))
    return np.fromiter(falling, np.int8).reshape(ways(n, k), k)[::-1, ::-1]


def _ranks(sets: Small) -> Index:
    """(ways,): the rank of each multiset of (ways, k), whose numbers are in order."""
    ranks = np.zeros(len(sets), np.int32)
    for i, numbers in enumerate(sets.T):
        ranks += np.array([comb(x + i, i + 1) for x in range(FIELDS)], np.int32)[numbers]
    return ranks


def _without_one(sets: Small) -> Index:
    """(ways, k): the rank of each multiset of (ways, k) without the number in that column."""
    k = sets.shape[1]
    return np.array([_ranks(np.delete(sets, i, axis=1)) for i in range(k)], np.int32).reshape(k, len(sets)).T


# Layers


def _rows(waiting: _Pieces, moved: _Pieces) -> tuple[Index, Index]:
    """(places,): the row of each place; and (rows,): the place that stands for a row."""
    width = len(moved.turned)
    w, v = (np.arange(len(pieces.turned), dtype=np.int32) for pieces in (waiting, moved))
    place = least = w[:, None] * width + v
    for _ in range(1, FIELDS):
        w, v = waiting.turned[w], moved.turned[v]
        least = np.minimum(least, w[:, None] * width + v)
    stands = (least == place).ravel()
    row = np.cumsum(stands, dtype=np.int32) - 1
    return row[least.ravel()], np.flatnonzero(stands).astype(np.int32)


def _fill(
    layer: Worths, worth_after: Worths, pieces: Sequence[_Pieces], left: int, place: Index, begins: Index
) -> None:
    """Work out a layer, (rows, dice), from the one before it; `place` is the place of each row."""
    dice = _multisets(PIPS, left)
    fewer = ways(PIPS, left - 1)
    # Where a die's best stands in `by_pips`, its last axes taken as one: its pips, the dice without it.
    column = dice.astype(np.int32) * fewer + _without_one(dice)
    for some in _parts(len(place), _AT_ONCE // (PIPS * fewer)):
        waiting, moved = np.divmod(place[some], ways(FIELDS, PIECES - left))
        row_after, gain = _moves(pieces, left, waiting, moved, begins)
        by_pips = np.zeros((len(gain), PIPS, fewer), np.int16)
        for piece in range(left):
            then = worth_after.take(row_after[:, piece], axis=0)
            then += gain[:, piece, :, None]
            np.maximum(by_pips, then, out=by_pips)
        columns = by_pips.reshape(len(by_pips), -1)
        for die in range(left):
            np.maximum(layer[some], columns.take(column[:, die], axis=1), out=layer[some])


def _moves(
    pieces: Sequence[_Pieces], left: int, waiting: Index, moved: Index, begins: Index
) -> tuple[Index, Worths]:
    """The row in the layer before that each move leads to, and what the move alone is worth.

    Both (rows, pieces waiting, pips 1..6); `waiting` and `moved` are the ranks of each row.
    """
    start = pieces[left].fields[waiting]
    to = (start[:, :, None] + np.arange(1, PIPS + 1)) % FIELDS
    waiting_after = pieces[left].fewer[waiting][:, :, None]
    moved_after = pieces[PIECES - left].more[moved[:, None, None], to]
    place = waiting_after * ways(FIELDS, PIECES - left + 1) + moved_after
    first = FIRST_PLACE[left - 1]
    row_after = (begins[first + place] - begins[first]) // ways(PIPS, left - 1)

    occupants = pieces[left].counts[waiting] + pieces[PIECES - left].counts[moved]
    there = np.take_along_axis(occupants[:, None, :], to, axis=2).astype(np.int16) + 1
    gain = np.where(there >= 2, POINT * there, -DETOUR) - PIECE
    return row_after, gain.astype(np.int16)


def _packed(worth: Worths, begins: Index) -> Table:
    """The table with each worth by its number among those that occur."""
    occurs = np.zeros(POINT * MOST_POINTS + 1, np.bool_)
    for some in _parts(len(worth), _AT_ONCE):
        occurs[worth[some]] = True
    code = (np.cumsum(occurs) - 1).astype(np.uint8)
    codes = np.empty(len(worth), np.uint8)
    for some in _parts(len(worth), _AT_ONCE):
        codes[some] = code[worth[some]]
    return Table(codes, begins, np.flatnonzero(occurs).astype(np.int16))


def _parts(length: int, step: int) -> Iterator[slice]:
    """`length` things in parts of `step`: what is worked out with them then fits into a core's cache."""
    return (slice(first, first + step) for first in range(0, length, step))
