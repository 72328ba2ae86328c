"""Puzzles: how hard they are, counted in three ways; which are drawn; what `corona puzzle` answers."""

from __future__ import annotations

import json
import random
import shlex
from datetime import date, timedelta
from fractions import Fraction
from itertools import pairwise
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result

from companion.cli import main
from companion.games.corona import notation
from companion.games.corona.chances import EVERYWHERE
from companion.games.corona.figures import starts
from companion.games.corona.puzzle import BOUNDS, LEAST, LEVELS_OF, NoPuzzle, Puzzle, daily, pick
from companion.games.corona.rules import Situation, legal_moves, play
from companion.games.corona.solver import chance, solve
from tests.brute_force import most_points
from tests.every_start import as_table, by_level, tries

DOCS = Path(__file__).parent.parent / "docs" / "puzzles.md"


def any_start(seed: int) -> Situation:
    drawn = random.Random(seed)
    fields = [drawn.randrange(12) for _ in range(6)]
    dice = tuple(drawn.randint(1, 6) for _ in range(6))
    return Situation(tuple(fields.count(field) for field in range(12)), dice)


# How hard


def most(situation: Situation) -> int:
    pieces = ["".join(map(str, counts)) for counts in (situation.waiting, situation.moved)]
    return most_points(*pieces, "".join(map(str, situation.dice)))


def by_the_rules(situation: Situation) -> Fraction:
    """The chance of the best score, every piece and every die taken by itself."""
    if not any(situation.waiting):
        return Fraction(1)
    best, good, every = most(situation), Fraction(0), 0
    for move in legal_moves(situation):
        weight = situation.waiting[move.start] * (move.points + 1)
        after = play(situation, move)
        every += weight
        if move.points + most(after) == best:
            good += weight * by_the_rules(after)
    return good / every


@pytest.mark.parametrize("seed", range(40))
def test_the_chance_is_what_the_rules_say(seed: int) -> None:
    situation, drawn = any_start(seed), random.Random(seed)
    for _ in range(drawn.choice([3, 3, 4, 5, 6])):
        situation = play(situation, drawn.choice(list(legal_moves(situation))))
    assert chance(situation) == pytest.approx(float(by_the_rules(situation)), rel=1e-12)


def test_a_chance_worked_out_by_hand() -> None:
    # A to B scores 2 and is 3 times as likely as each other move. A to C and B to C let the other one follow
    # by the die that is left, for 2; after B to D nothing is to be had.
    situation = notation.read("110000000000.000000000004-000012")
    assert solve(situation).best == 2
    assert chance(situation) == (3 + 1 + 1) / (3 + 1 + 1 + 1)


def test_nothing_to_be_had_is_had_by_any_play() -> None:
    assert chance(notation.read("600000000000-123456")) == 1
    assert chance(notation.read("000000000000.600000000000-000000")) == 1


def test_both_ways_of_counting_agree() -> None:
    """`tries` counts all starts at once; of some set-ups a throw each is counted by itself."""
    every, drawn = starts(), random.Random(1974)
    for row in drawn.sample(range(len(every.setups)), 150):
        column = drawn.randrange(len(every.throws))
        situation = Situation(every.setups[row], every.throws[column])
        assert 1 / chance(situation) == pytest.approx(tries()[row, column], rel=1e-12)


@pytest.mark.parametrize("seed", range(20))
def test_neither_turning_the_board_nor_the_order_of_dice_matters(seed: int) -> None:
    one, drawn = any_start(seed), random.Random(seed)
    turn, dice = drawn.randrange(12), list(one.dice)
    drawn.shuffle(dice)
    other = Situation(one.waiting[turn:] + one.waiting[:turn], tuple(dice))
    assert chance(other) == pytest.approx(chance(one), rel=1e-12)


# Levels


def test_a_level_is_twice_as_hard_as_the_one_before_it_and_about_a_fifth_has_it() -> None:
    assert all(hard == 2 * easy for easy, hard in pairwise(BOUNDS))
    counts = by_level()
    assert counts.sum() == EVERYWHERE.total
    assert tuple(counts.sum(axis=1)) == EVERYWHERE.cases
    for shown in (counts, counts[LEAST:]):
        assert shown.sum(axis=0) / shown.sum() == pytest.approx(0.2, abs=0.04)


def test_no_start_is_so_near_to_a_bound_that_rounding_could_give_it_another_level() -> None:
    for bound in BOUNDS:
        assert np.abs(tries() / bound - 1).min() > 1e-9


def test_the_levels_of_each_best_score_that_are_written_down() -> None:
    frequent = 40_000 * by_level() >= EVERYWHERE.total
    found = {best: tuple(np.flatnonzero(row) + 1) for best, row in enumerate(frequent) if row.any()}
    assert found == LEVELS_OF


def test_the_table_of_the_documents() -> None:
    assert as_table() in DOCS.read_text(encoding="utf-8")


# Which are drawn


def as_told(puzzle: Puzzle) -> tuple[str, int, int, float]:
    return notation.write(puzzle.situation), puzzle.best, puzzle.level, round(puzzle.tries, 6)


def test_golden_daily_puzzles() -> None:
    """For ever: who plays the puzzle of a day plays the one that all others play."""
    assert as_told(daily(date(2026, 11, 21))) == ("110100010002-155153", 13, 4, 101.330507)
    assert as_told(daily(date(2026, 11, 23))) == ("000000100230-645113", 15, 1, 20.258436)
    assert as_told(daily(date(2028, 2, 29))) == ("010000020021-212342", 10, 2, 27.790641)


def test_golden_picks() -> None:
    assert as_told(pick("1974")) == ("020000013000-254161", 10, 4, 134.007324)
    assert as_told(pick("1974", 14, 4)) == ("112011000000-361233", 14, 4, 138.782616)
    assert as_told(pick("1974", 21)) == ("000110120100-226536", 21, 5, 687.569592)
    assert as_told(pick("corona", level=5)) == ("100110110001-515352", 12, 5, 427.615879)


def test_a_week_goes_from_easy_to_hard() -> None:
    week = [daily(date(2026, 11, 23) + timedelta(days)) for days in range(7)]
    assert [puzzle.level for puzzle in week] == [1, 2, 2, 3, 4, 4, 5]
    assert len({puzzle.situation for puzzle in week}) == 7


def test_puzzles_are_as_mixed_as_what_is_thrown() -> None:
    found = [pick(str(seed)) for seed in range(400)]
    cases = np.array(EVERYWHERE.cases[LEAST:])
    points = np.arange(LEAST, LEAST + len(cases))
    mean = np.average(points, weights=cases)
    spread = sqrt(np.average((points - mean) ** 2, weights=cases))
    assert np.mean([puzzle.best for puzzle in found]) == pytest.approx(mean, abs=3 * spread / sqrt(400))
    for level in range(1, 6):
        assert 50 < sum(puzzle.level == level for puzzle in found) < 120


@pytest.mark.parametrize(("best", "levels"), LEVELS_OF.items())
def test_every_best_score_there_is_can_be_asked_for(best: int, levels: tuple[int, ...]) -> None:
    puzzle = pick("any", best)
    assert puzzle.best == solve(puzzle.situation).best == best
    assert puzzle.situation.is_start
    assert puzzle.tries == 1 / chance(puzzle.situation)


@pytest.mark.slow
@pytest.mark.parametrize("best", [None, 14, 21])
def test_every_level_there_is_can_be_asked_for(best: int | None) -> None:
    for level in LEVELS_OF[best] if best else range(1, 6):
        puzzle = pick("any", best, level)
        assert puzzle.level == level
        assert (0, *BOUNDS)[level - 1] < puzzle.tries <= (*BOUNDS, 1e6)[level - 1]
        assert puzzle.best == best or (best is None and puzzle.best >= LEAST)


@pytest.mark.parametrize(
    ("best", "level", "said"),
    [
        (3, None, "no puzzle has a best score of 3: the scores are 2 and 4 to 21"),
        (20, 5, "no puzzle with a best score of 20 is of level 5: its levels are 1 to 3"),
        (6, 2, "no puzzle with a best score of 6 is of level 2: its level is 1"),
        (None, 6, "there is no level 6, only 1 to 5"),
    ],
)
def test_what_there_is_not(best: int | None, level: int | None, said: str) -> None:
    with pytest.raises(NoPuzzle, match=f"^{said}$"):
        pick("any", best, level)


# The command


def corona(*words: str) -> Result:
    return CliRunner().invoke(main, ["puzzle", *words])


def answer(*words: str) -> dict[str, Any]:
    ran = corona("--json", *words)
    assert ran.exit_code == 0, ran.output
    (line,) = ran.stdout.splitlines()
    found: dict[str, Any] = json.loads(line)
    return found


def test_the_contract_of_puzzle() -> None:
    day = {"situation": "110100010002-155153", "level": 4, "tries": 101.3, "date": "2026-11-21"}
    assert answer("--date", "2026-11-21") == day
    solved = answer("--date", "2026-11-21", "--solution")
    assert solved.keys() == {*day, "best", "moves"}
    assert solved["best"] == sum(move["points"] for move in solved["moves"]) == 13
    assert solved["moves"][0] == {"from": "D", "to": "E", "colour": "red", "pips": 1, "points": 0}
    picked = answer("--best", "14", "--level", "4", "--seed", "1974")
    assert picked == {"situation": "112011000000-361233", "level": 4, "tries": 138.8, "seed": "1974"}


def test_without_options_it_is_the_puzzle_of_today() -> None:
    before, found, after = date.today(), answer(), date.today()
    assert found["date"] in (before.isoformat(), after.isoformat())
    assert found == answer("--date", found["date"])


def test_a_puzzle_in_words() -> None:
    said = corona("--date", "2026-11-21").output
    assert said.startswith("110100010002-155153  the puzzle of 2026-11-21, the same for everybody\n")
    assert "K .    L 2    A 1    B 1\n" in said
    assert "level 4 of 5: about 101 tries" in said
    assert "60 seconds: how many points can you have?" in said
    assert "best" not in said
    assert "13" not in said
    solved = corona("--date", "2026-11-21", "--solution").output
    assert "best 13\n  1. D -> E  red    1    -    0\n" in solved


@pytest.mark.parametrize(
    "words",
    [
        ("--best", "21"),
        ("--level", "2", "--colours", "green,red,yellow,white,black,blue"),
        ("--seed", "it's mine"),
    ],
)
def test_the_puzzle_can_be_had_again_with_its_solution(words: tuple[str, ...]) -> None:
    said = corona(*words).output.splitlines()
    (again,) = [line.partition(": ")[2] for line in said if "the solution:" in line]
    name, command, *options = shlex.split(again)
    assert (name, command, options[-1]) == ("corona", "puzzle", "--solution")
    solved = corona(*options).output.splitlines()
    assert solved[: len(said) - 1] == said[:-1]
    assert any(line.startswith("  best ") for line in solved)


def test_the_goal_is_told_where_it_was_asked_for() -> None:
    assert "60 seconds: reach 21\n" in corona("--best", "21").output


def test_another_seed_is_drawn_each_time() -> None:
    assert len({answer("--level", "1")["seed"] for _ in range(5)}) > 1


@pytest.mark.parametrize(
    "words",
    [
        ("--best", "22"),
        ("--level", "0"),
        ("--date", "2026-02-30"),
        ("--date", "2026-11-21", "--level", "2"),
        ("--colours", "red"),
        ("--level", "x"),
        ("--seed", "two\nlines"),
        ("--seed", "\udcff"),
    ],
)
def test_wrong_usage(words: tuple[str, ...]) -> None:
    ran = corona(*words)
    assert (ran.exit_code, ran.stdout) == (2, "")
    assert "Error: " in ran.stderr


def test_no_such_puzzle_is_one_sentence() -> None:
    ran = corona("--best", "20", "--level", "5", "--json")
    assert (ran.exit_code, ran.stdout) == (1, "")
    assert ran.stderr == "no puzzle with a best score of 20 is of level 5: its levels are 1 to 3\n"
