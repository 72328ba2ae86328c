"""The rules on the board: situations, moves and points, by hand and for any situation."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.corona.notation import read
from companion.games.corona.rules import (
    DICE,
    EDITIONS,
    FIELDS,
    PIECES,
    BadSituation,
    IllegalMove,
    Move,
    Situation,
    find_move,
    legal_moves,
    play,
    starting_chips,
)


@st.composite
def starts(draw: st.DrawFn) -> Situation:
    """Any situation a setter can lay."""
    fields = draw(st.lists(st.integers(0, FIELDS - 1), min_size=PIECES, max_size=PIECES))
    dice = draw(st.lists(st.integers(1, 6), min_size=DICE, max_size=DICE))
    return Situation(tuple(fields.count(field) for field in range(FIELDS)), tuple(dice))


@st.composite
def midplay(draw: st.DrawFn) -> Situation:
    """Any situation that can come up in a round."""
    situation = draw(starts())
    for _ in range(draw(st.integers(0, PIECES))):
        situation = play(situation, draw(st.sampled_from(list(legal_moves(situation)))))
    return situation


def points_of(line: str, *moves: tuple[str, int]) -> list[int]:
    """Points of each move (field, number of the die from 1) from the situation `line`."""
    situation, points = read(line), []
    for field, die in moves:
        move = find_move(situation, "ABCDEFGHIJKL".index(field), die - 1)
        points.append(move.points)
        situation = play(situation, move)
    return points


def test_arriving_beside_one_scores_two_and_beside_five_scores_six() -> None:
    assert points_of("510000000000-111111", ("A", 1)) == [2]
    assert points_of("150000000000-111111", ("A", 1)) == [6]


def test_an_empty_field_scores_nothing() -> None:
    assert points_of("600000000000-123456", ("A", 1)) == [0]


def test_each_arrival_counts_on_its_own() -> None:
    # The French book's example: two arrivals beside one piece score 2 and 3, together 5.
    assert points_of("210000000003-111111", ("A", 1), ("A", 2)) == [2, 3]
    assert sum(points_of("510000000000-111111", *(("A", die) for die in range(1, 6)))) == 20


def test_a_field_that_has_been_left_counts_as_empty() -> None:
    assert points_of("110000000004-111111", ("B", 1), ("A", 2)) == [0, 0]


def test_the_ring_closes_after_l() -> None:
    move = find_move(read("500000000001-345612"), FIELDS - 1, 4)
    assert move == Move(start=FIELDS - 1, to=0, die=4, pips=1, points=6)


def test_a_moved_piece_counts_as_an_occupant_but_does_not_move_again() -> None:
    situation = read("210000000003-111111")
    situation = play(situation, find_move(situation, 0, 0))
    assert situation == read("110000000003.010000000000-011111")
    situation = play(situation, find_move(situation, 1, 1))
    with pytest.raises(IllegalMove, match="no piece on B has still to move"):
        find_move(situation, 1, 2)


def test_a_used_die_is_refused() -> None:
    situation = read("600000000000-123456")
    situation = play(situation, find_move(situation, 0, 2))
    with pytest.raises(IllegalMove, match="die 3 has been used"):
        find_move(situation, 0, 2)


def test_every_fault_of_a_situation_is_named_at_once() -> None:
    with pytest.raises(BadSituation) as caught:
        Situation((7, *[0] * 11), (1, 2, 0, 4, 5, 9))
    assert caught.value.faults == ["7 pieces instead of 6", "die 3 shows 0", "die 6 shows 9"]
    with pytest.raises(BadSituation) as caught:
        Situation((8, -1), (1,), (0,) * 12)
    assert caught.value.faults == [
        "pieces are given for 2 fields instead of 12",
        "a field has fewer than 0 pieces",
        "7 pieces instead of 6",
        "1 dice instead of 6",
    ]
    with pytest.raises(BadSituation, match="1 moved piece but 2 used dice"):
        Situation((5, *[0] * 11), (0, 0, 1, 1, 1, 1), (1, *[0] * 11))


def test_what_the_editions_print() -> None:
    assert [starting_chips(players) for players in (2, 3, 4, 5)] == [6, 8, 10, 12]
    assert (EDITIONS["fr"].chips_in_box, EDITIONS["de"].chips_in_box) == (100, 120)
    assert [name for name, edition in EDITIONS.items() if edition.doubled_wins_outright] == ["de"]


@given(midplay())
def test_a_move_takes_one_waiting_piece_and_one_die(situation: Situation) -> None:
    for move in legal_moves(situation):
        after = play(situation, move)
        assert sum(after.waiting) == sum(situation.waiting) - 1
        assert sum(after.occupants) == PIECES
        assert after.dice.count(0) == situation.dice.count(0) + 1
        assert after.occupants[move.to] >= 1
        assert move.points == (after.occupants[move.to] if after.occupants[move.to] > 1 else 0)
        assert (move.to - move.start) % FIELDS == move.pips == situation.dice[move.die]


@given(midplay())
def test_every_piece_that_waits_may_go_by_every_die_left(situation: Situation) -> None:
    waiting_fields = sum(1 for count in situation.waiting if count)
    dice_left = sum(1 for pips in situation.dice if pips)
    assert len(list(legal_moves(situation))) == waiting_fields * dice_left


@given(midplay(), st.integers(0, FIELDS - 1))
def test_turning_the_board_turns_the_moves(situation: Situation, by: int) -> None:
    def turned(counts: tuple[int, ...]) -> tuple[int, ...]:
        return counts[-by:] + counts[:-by] if by else counts

    board = Situation(turned(situation.waiting), situation.dice, turned(situation.moved))
    expected = {
        Move((move.start + by) % FIELDS, (move.to + by) % FIELDS, move.die, move.pips, move.points)
        for move in legal_moves(situation)
    }
    assert set(legal_moves(board)) == expected
