"""What the throws allow on a set-up: counted against the throws themselves."""

from __future__ import annotations

from itertools import product
from math import sqrt

import numpy as np
import pytest

from companion.games.corona.batch import best_scores
from companion.games.corona.chances import EVERYWHERE, THROWS, Chances
from companion.games.corona.odds import everywhere, on_setup, setups, turned

HEAP = (6, *(0,) * 11)


@pytest.mark.parametrize(
    "pieces", [HEAP, (2, 0, 0, 0, 0, 0, 1, 0, 1, 1, 0, 1), (0, 1, 0, 2, 0, 0, 0, 3, 0, 0, 0, 0)]
)
def test_a_set_up_is_what_every_single_throw_allows(pieces: tuple[int, ...]) -> None:
    throws = np.array(list(product(range(1, 7), repeat=6)))
    best = best_scores(np.tile(pieces, (len(throws), 1)), throws)
    assert on_setup(pieces).cases == tuple(np.bincount(best, minlength=22))


def test_every_set_up_stands_for_its_turnings() -> None:
    assert len(setups()) == len({setup.pieces for setup in setups()}) == 1_038
    assert sum(setup.turnings for setup in setups()) == 12_376
    assert {setup.chances.total for setup in setups()} == {THROWS}
    assert all(turned(setup.pieces) == setup.pieces for setup in setups())
    means = [setup.chances.mean for setup in setups()]
    assert means == sorted(means, reverse=True)
    assert setups()[-1].pieces == HEAP  # six pieces on one field are the poorest set-up of all


@pytest.mark.parametrize("by", range(12))
def test_turning_the_board_changes_nothing(by: int) -> None:
    pieces = (2, 0, 1, 0, 0, 3, 0, 0, 0, 0, 0, 0)
    same = pieces[by:] + pieces[:by]
    assert turned(same) == turned(pieces)
    assert on_setup(same) == on_setup(pieces)


def test_the_numbers_of_all_situations_that_are_written_down() -> None:
    assert everywhere() == EVERYWHERE
    assert EVERYWHERE.total == 12_376 * THROWS


def test_what_counts_say() -> None:
    chances = Chances((1, 0, 1, *(0,) * 17, 0, 2))
    assert (chances.total, chances.mean, chances.half) == (4, 11.0, 21)
    assert chances.spread == pytest.approx(sqrt((121 + 81 + 100 + 100) / 4))
    assert [chances.share(points) for points in (-1, 0, 1, 2, 3, 21, 22)] == [1, 1, 0.75, 0.75, 0.5, 0.5, 0]


@pytest.mark.parametrize("cases", [(), (0,) * 22, (1,) * 21, (-1, *(1,) * 21)])
def test_counts_that_cannot_be(cases: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="0 to 21"):
        Chances(cases)
