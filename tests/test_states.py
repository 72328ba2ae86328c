"""The table of all states: numbered without gap or double, complete, the same however the board is turned."""

from __future__ import annotations

from itertools import combinations_with_replacement
from math import comb, gcd
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from companion.games.corona.rules import MOST_POINTS
from companion.games.corona.states import FIRST_PLACE, build, rank, table, ways

HISTOGRAM = Path(__file__).parent / "golden" / "histogram.txt"
LAYERS = range(1, 7)


def multisets(n: int, k: int) -> list[tuple[int, ...]]:
    return list(combinations_with_replacement(range(n), k))


def unturned(left: int) -> int:
    """The places with so many dice left."""
    return comb(11 + left, left) * comb(17 - left, 6 - left)


def up_to_turning(left: int) -> int:
    """The same, by Burnside: the mean number of places that a turning leaves as they are.

    Turning by t fields makes gcd(t, 12) circles of fields, each of which must hold the same all round.
    """
    stay = 0
    for turn in range(12):
        circles = gcd(turn, 12)
        around = 12 // circles
        if left % around == 0 and (6 - left) % around == 0:
            stay += ways(circles, left // around) * ways(circles, (6 - left) // around)
    assert stay % 12 == 0
    return stay // 12


def begins_of(left: int) -> NDArray[np.int32]:
    return table().begins[FIRST_PLACE[left] : FIRST_PLACE[left + 1]]


@pytest.mark.parametrize(("n", "k"), [*((12, k) for k in range(7)), *((6, k) for k in range(7))])
def test_each_multiset_has_a_rank_of_its_own(n: int, k: int) -> None:
    ranks = [rank(numbers) for numbers in multisets(n, k)]
    assert sorted(ranks) == list(range(ways(n, k)))


def test_the_layers_are_as_large_as_the_formulas_say() -> None:
    held = table()
    assert np.diff(FIRST_PLACE).tolist() == [unturned(left) for left in range(7)]
    assert len(held.begins) == FIRST_PLACE[-1] == 475_020
    assert sum(unturned(left) * comb(5 + left, left) for left in LAYERS) == 42_311_906
    sizes = [up_to_turning(left) * comb(5 + left, left) for left in LAYERS]
    firsts = [int(begins_of(left).min()) for left in LAYERS]
    assert np.diff([*firsts, held.states]).tolist() == sizes
    assert held.states == sum(sizes) == 3_530_765


@pytest.mark.parametrize("left", LAYERS)
def test_turned_places_share_a_row_and_no_others_do(left: int) -> None:
    """All places, each turned by one field; as many rows as there are places up to turning."""

    def turned(k: int) -> NDArray[np.int64]:
        ranks = np.empty(ways(12, k), np.int64)
        for fields in multisets(12, k):
            ranks[rank(fields)] = rank(sorted((field + 1) % 12 for field in fields))
        return ranks

    begins = begins_of(left)
    places = begins.reshape(ways(12, left), ways(12, 6 - left))
    assert np.array_equal(places[np.ix_(turned(left), turned(6 - left))], places)
    first, width = int(begins.min()), comb(5 + left, left)
    assert np.array_equal(np.unique(begins), first + width * np.arange(up_to_turning(left)))


def test_without_dice_nothing_is_to_be_had() -> None:
    held = table()
    assert {int(held.points[held.codes[begin]]) for begin in begins_of(0)} == {0}


def test_no_state_has_more_than_the_books_most() -> None:
    assert int(table().points.max()) == MOST_POINTS


def test_golden_histogram_of_all_starts() -> None:
    lines = [line.split() for line in HISTOGRAM.read_text(encoding="utf-8").splitlines()]
    golden = {line[0]: int(line[1]) for line in lines if line[0] != "#"}
    total = golden.pop("sum")
    assert total == sum(golden.values()) == up_to_turning(6) * comb(11, 6) == 479_556
    assert table().histogram() == {int(points): starts for points, starts in golden.items()}


def test_built_anew_it_is_the_same() -> None:
    one, other = table(), build()
    assert table() is one
    assert other is not one
    assert np.array_equal(one.codes, other.codes)
