"""The solver against a brute force written apart, and what it says of known situations."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.corona import notation
from companion.games.corona.rules import LETTERS, Move, Situation, legal_moves, play
from companion.games.corona.solver import best, first_moves, lines, solve
from tests.brute_force import most_points

GOLDEN = Path(__file__).parent / "golden" / "best.txt"


def golden() -> list[tuple[str, int]]:
    lines = [line.split("#")[0].split() for line in GOLDEN.read_text(encoding="utf-8").splitlines()]
    return [(line[0], int(line[1])) for line in lines if line]


def any_situation(seed: int) -> Situation:
    """A start, or up to six random moves into play."""
    chance = random.Random(seed)
    waiting = [0] * 12
    for _ in range(6):
        waiting[chance.randrange(chance.choice([3, 6, 12]))] += 1
    situation = Situation(tuple(waiting), tuple(chance.randint(1, 6) for _ in range(6)))
    for _ in range(chance.randint(0, 6)):
        situation = play(situation, chance.choice(list(legal_moves(situation))))
    return situation


def brute(situation: Situation) -> int:
    pieces = ["".join(map(str, counts)) for counts in (situation.waiting, situation.moved)]
    return most_points(*pieces, "".join(map(str, situation.dice)))


@pytest.mark.parametrize("seed", range(300))
def test_as_good_as_trying_everything(seed: int) -> None:
    situation = any_situation(seed)
    assert solve(situation).best == best(situation) == brute(situation), notation.write(situation)


@settings(max_examples=150, deadline=None)
@given(st.integers(min_value=1000))
def test_the_line_is_legal_and_scores_what_is_promised(seed: int) -> None:
    situation = any_situation(seed)
    answer = solve(situation)
    scored = 0
    for move in answer.moves:
        assert move in list(legal_moves(situation)), notation.write(situation)
        situation = play(situation, move)
        scored += move.points
    assert scored == answer.best
    assert not answer.moves or answer.moves[-1].points > 0, "a line ends with its last points"


def every_line(situation: Situation) -> Iterator[tuple[Move, ...]]:
    """Every row of moves to wherever one may stop; of equal dice, and equal pieces, one."""
    yield ()
    seen = set()
    for move in legal_moves(situation):
        if (move.start, move.pips) not in seen:
            seen.add((move.start, move.pips))
            yield from ((move, *line) for line in every_line(play(situation, move)))


def best_lines(situation: Situation) -> list[tuple[Move, ...]]:
    """The lines of the most points that end with them, the easiest first."""
    every = list(every_line(situation))
    most = max(sum(move.points for move in line) for line in every)
    good = [line for line in every if sum(move.points for move in line) == most]
    return sorted((line for line in good if not line or line[-1].points), key=how_hard)


def how_hard(line: tuple[Move, ...]) -> tuple[int, int]:
    return len(line), sum(move.points == 0 for move in line)


@settings(max_examples=60, deadline=None)
@given(st.integers(min_value=0))
def test_all_lines_are_counted_and_told_the_easiest_first(seed: int) -> None:
    situation = any_situation(seed)
    while sum(situation.waiting) > 4:
        situation = play(situation, next(legal_moves(situation)))
    wanted = best_lines(situation)
    found = lines(situation, at_most=len(wanted) + 1)
    assert found.count == len(wanted)
    assert (found.pieces, found.detours) == how_hard(wanted[0])
    assert [how_hard(line) for line in found.easiest] == [how_hard(line) for line in wanted]
    assert set(found.easiest) == set(wanted)
    assert how_hard(solve(situation).moves) == how_hard(wanted[0])
    assert lines(situation, at_most=2).easiest == found.easiest[:2]


@settings(max_examples=20, deadline=None)
@given(st.integers(min_value=0))
def test_no_start_has_an_easier_line_than_the_one_that_is_told(seed: int) -> None:
    found = lines(any_situation(seed))
    assert how_hard(found.easiest[0]) == (found.pieces, found.detours)
    assert found.easiest[0] == solve(any_situation(seed)).moves


@settings(max_examples=40, deadline=None)
@given(st.integers(min_value=0))
def test_what_is_still_reached_after_a_first_move(seed: int) -> None:
    situation = any_situation(seed)
    reaches = first_moves(situation)
    assert {reach.move for reach in reaches} <= set(legal_moves(situation))
    assert {(reach.move.start, reach.move.pips) for reach in reaches} == {
        (move.start, move.pips) for move in legal_moves(situation)
    }
    for reach in reaches:
        assert reach.best == reach.move.points + best(play(situation, reach.move))
    assert max((reach.best for reach in reaches), default=0) == best(situation)


@settings(max_examples=60, deadline=None)
@given(st.integers(min_value=0), st.integers(0, 11))
def test_turning_the_board_changes_nothing(seed: int, turn: int) -> None:
    one = any_situation(seed)
    waiting, moved = (counts[turn:] + counts[:turn] for counts in (one.waiting, one.moved))
    assert solve(Situation(waiting, one.dice, moved)).best == solve(one).best


@pytest.mark.parametrize(("line", "points"), golden())
def test_golden(line: str, points: int) -> None:
    answer = solve(notation.read(line))
    moves = ", ".join(f"{LETTERS[m.start]}-{LETTERS[m.to]} by {m.pips}" for m in answer.moves)
    assert answer.best == points, f"{line}: {moves}"
