"""Many situations at once: the same answers as one by one, and the first impossible one is named."""

from __future__ import annotations

import random

import numpy as np
import pytest

from companion.games.corona.batch import best_scores
from companion.games.corona.rules import BadSituation, Situation
from companion.games.corona.solver import best
from companion.games.corona.states import POINT, table
from tests.test_solver import any_situation


def columns(situations: list[Situation]) -> list[list[tuple[int, ...]]]:
    return [
        [one.waiting for one in situations],
        [one.dice for one in situations],
        [one.moved for one in situations],
    ]


def test_the_same_as_one_by_one() -> None:
    situations = [any_situation(seed) for seed in range(2000)]
    found = best_scores(*columns(situations))
    assert found.tolist() == [best(one) for one in situations]


def test_every_start_in_one_array() -> None:
    """All 12,376 places with dice in an order of their own, against the table one by one."""
    chance = random.Random(1974)
    pips = [chance.randint(1, 6) for _ in range(6)]
    fields = np.array(np.meshgrid(*[np.arange(12)] * 6)).reshape(6, -1).T
    fields = fields[(np.diff(fields, axis=1) >= 0).all(axis=1)]
    assert len(fields) == 12_376
    waiting = (fields[:, :, None] == np.arange(12)).sum(axis=1)
    found = best_scores(waiting, np.broadcast_to(pips, (len(waiting), 6)))
    held, dice = table(), sorted(number - 1 for number in pips)
    worths = [held.worth(sorted(one), (), dice) for one in fields.tolist()]
    assert found.tolist() == [-(-worth // POINT) for worth in worths]


def test_none_at_all() -> None:
    assert best_scores(np.zeros((0, 12), np.uint8), np.zeros((0, 6), np.uint8)).tolist() == []


@pytest.mark.parametrize(
    ("waiting", "dice", "moved", "why"),
    [
        ((7, *[0] * 11), (1,) * 6, (0,) * 12, "situation 1: 7 pieces instead of 6"),
        ((7, -1, *[0] * 10), (1,) * 6, (0,) * 12, "situation 1: a field has fewer than 0 pieces"),
        ((262, *[0] * 11), (1,) * 6, (0,) * 12, "situation 1: 262 pieces instead of 6"),
        ((6, *[0] * 11), (1, 2, 3, 4, 5, 7), (0,) * 12, "situation 1: die 6 shows 7"),
        ((6, *[0] * 11), (1, 2, 3, 4, 5, 0), (0,) * 12, "situation 1: die 6 shows 0"),
        ((5, *[0] * 11), (1,) * 6, (0, 1, *[0] * 10), "situation 1: 1 moved piece but 0 used dice"),
    ],
)
def test_the_first_impossible_one_is_named(
    waiting: tuple[int, ...], dice: tuple[int, ...], moved: tuple[int, ...], why: str
) -> None:
    good = columns([any_situation(1)])
    with pytest.raises(BadSituation) as refused:
        best_scores(*([*column, bad] for column, bad in zip(good, (waiting, dice, moved), strict=True)))
    assert why in str(refused.value)


@pytest.mark.parametrize("dice", [[[1, 2, 3]], [[1.0] * 6], [[1] * 6, [2] * 6]])
def test_other_shapes_are_refused(dice: list[list[float]]) -> None:
    with pytest.raises(BadSituation, match="whole numbers"):
        best_scores([(6, *[0] * 11)], dice)
