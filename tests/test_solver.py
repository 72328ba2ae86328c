"""The solver against a brute force written apart, and what it says of known situations."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.corona import notation
from companion.games.corona.rules import LETTERS, Situation, legal_moves, play
from companion.games.corona.solver import solve
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


@pytest.mark.parametrize("seed", range(60))
def test_as_good_as_trying_everything(seed: int) -> None:
    situation = any_situation(seed)
    assert solve(situation).best == brute(situation), notation.write(situation)


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


@settings(max_examples=60, deadline=None)
@given(st.integers(min_value=0), st.integers(0, 11))
def test_turning_the_board_changes_nothing(seed: int, turn: int) -> None:
    one = any_situation(seed)
    waiting, moved = (counts[turn:] + counts[:turn] for counts in (one.waiting, one.moved))
    assert solve(Situation(waiting, one.dice, moved)).best == solve(one).best


@pytest.mark.parametrize(("line", "best"), golden())
def test_golden(line: str, best: int) -> None:
    answer = solve(notation.read(line))
    moves = ", ".join(f"{LETTERS[m.start]}-{LETTERS[m.to]} by {m.pips}" for m in answer.moves)
    assert answer.best == best, f"{line}: {moves}"
