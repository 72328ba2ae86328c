"""From what the camera saw to a situation, or to the doubts a person should look at."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from companion.games.corona.notation import read
from companion.games.corona.rules import COLOURS, DEFAULT_COLOURS
from companion.games.corona.sighting import Sighting, lies_otherwise, sight

COUNTS = (5, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0)
DICE = dict(zip(DEFAULT_COLOURS, (1, 2, 3, 4, 5, 6), strict=True))


def test_a_sure_reading_is_a_situation() -> None:
    sighting = sight(COUNTS, DICE, DEFAULT_COLOURS, sure=True)
    assert sighting == Sighting(read("500000100000-123456"), ())
    assert sighting.sure


def test_the_set_orders_the_dice() -> None:
    backwards = dict(reversed(DICE.items()))
    assert sight(COUNTS, backwards, DEFAULT_COLOURS, sure=True).situation == read("500000100000-123456")
    turned = DEFAULT_COLOURS[::-1]
    assert sight(COUNTS, DICE, turned, sure=True).situation == read("500000100000-654321")


def test_an_unsure_reading_is_doubted_even_without_a_reason() -> None:
    sighting = sight(COUNTS, DICE, DEFAULT_COLOURS, sure=False)
    assert sighting.situation == read("500000100000-123456")
    assert sighting.doubts == (("reading", "the camera is not sure"),)
    assert not sighting.sure


def test_doubts_are_kept_once_and_in_order() -> None:
    doubts = [("die blue", "2 or 3"), ("field C", "a hand"), ("die blue", "2 or 3")]
    sighting = sight(COUNTS, DICE, DEFAULT_COLOURS, sure=True, doubts=doubts)
    assert sighting.doubts == (("die blue", "2 or 3"), ("field C", "a hand"))
    assert not sighting.sure


def test_everything_missing_is_named() -> None:
    counts = (5, None, *COUNTS[2:])
    dice = {**DICE, "blue": None, "orange": 4}
    del dice["black"]
    sighting = sight(counts, dice, DEFAULT_COLOURS, sure=True, doubts=[("die blue", "glare")])
    assert sighting.situation is None
    assert sighting.doubts == (
        ("die blue", "glare"),
        ("field B", "not read"),
        ("die black", "not read"),
        ("die orange", "not of this set"),
    )


@pytest.mark.parametrize("what", ["fields K to A", "fields A K L"])
def test_fields_that_are_doubted_together_are_named_once(what: str) -> None:
    counts = (None, *COUNTS[1:10], None, None)
    doubts = [(what, "outside the picture")]
    assert sight(counts, DICE, DEFAULT_COLOURS, sure=False, doubts=doubts).doubts == tuple(doubts)


@pytest.mark.parametrize(
    ("counts", "dice", "doubts", "otherwise"),
    [
        ({}, {}, [], False),
        ({0: 4}, {}, [], False),  # one alone may be a mistake
        ({0: 4, 1: 1}, {}, [], True),
        ({0: 4, 1: None}, {"blue": 6}, [("field B", "its pieces are hard to see")], True),
        ({0: 4, 1: 1}, {}, [("fields A to C", "something covers this")], False),
        ({}, {"blue": 6, "red": 6}, [("die blue", "it may lean")], False),
    ],
)
def test_another_situation_is_what_is_surely_read_otherwise(
    counts: dict[int, int | None], dice: dict[str, int], doubts: list[tuple[str, str]], otherwise: bool
) -> None:
    laid = read("500000100000-123456")
    now = tuple(counts.get(field, count) for field, count in enumerate(COUNTS))
    assert lies_otherwise(now, DICE | dice, DEFAULT_COLOURS, doubts, laid) == otherwise


def test_without_a_board_there_is_no_situation() -> None:
    sighting = sight(None, DICE, DEFAULT_COLOURS, sure=False)
    assert sighting == Sighting(None, (("board", "not seen"),))


@pytest.mark.parametrize(
    ("counts", "dice", "doubts"),
    [
        ((4, *COUNTS[1:]), DICE, (("situation", "5 pieces instead of 6"),)),
        (COUNTS[:11], DICE, (("board", "11 fields instead of 12"),)),
        (COUNTS, {**DICE, "red": 7}, (("situation", "die 1 shows 7"),)),
        (
            (9, *COUNTS[1:]),
            {**DICE, "red": 0},
            (("situation", "10 pieces instead of 6"), ("situation", "die 1 shows 0")),
        ),
    ],
)
def test_what_cannot_be_on_a_table_is_doubted(
    counts: tuple[int, ...], dice: dict[str, int], doubts: tuple[tuple[str, str], ...]
) -> None:
    assert sight(counts, dice, DEFAULT_COLOURS, sure=True) == Sighting(None, doubts)


@given(
    st.none() | st.lists(st.none() | st.integers(-1, 7), max_size=13),
    st.dictionaries(st.sampled_from(COLOURS), st.none() | st.integers(-1, 8)),
    st.booleans(),
    st.lists(st.tuples(st.text(max_size=5), st.text(max_size=5)), max_size=3),
)
@example([0] * 12 + [None], {}, True, [])
def test_any_reading_gives_a_situation_or_doubts(
    counts: list[int | None] | None,
    dice: dict[str, int | None],
    sure: bool,
    doubts: list[tuple[str, str]],
) -> None:
    sighting = sight(counts, dice, DEFAULT_COLOURS, sure, doubts)
    assert sighting.situation is not None or sighting.doubts
    assert sighting.sure <= (sure and not doubts)
    assert set(doubts) <= set(sighting.doubts)
