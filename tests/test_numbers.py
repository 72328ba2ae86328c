"""Corona in numbers: what is committed is what is counted, and other ways to count come to the same."""

from __future__ import annotations

import random
from itertools import combinations, combinations_with_replacement, product
from math import factorial, prod
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.games.corona import notation
from companion.games.corona.batch import best_scores
from companion.games.corona.chances import EVERYWHERE, THROWS
from companion.games.corona.extremes import Kind, all_together, kind_of, kinds, no_more_in
from companion.games.corona.figures import Start, starts
from companion.games.corona.odds import turned
from companion.games.corona.rules import MOST_POINTS, Situation, play
from companion.games.corona.solver import lines, solve
from companion.numbers.words import BOOK, percent
from tests.brute_force import most_points

DOCS = Path(__file__).parent.parent / "docs"
NUMBERS = DOCS / "corona-in-numbers.md"
SVG = "{http://www.w3.org/2000/svg}"
Named = tuple[tuple[int, ...], tuple[int, ...]]
"""A start by its set-up, turned, and its dice in order."""


def named(fields: tuple[int, ...], dice: tuple[int, ...]) -> Named:
    """A start by the fields of its pieces."""
    return turned([fields.count(field) for field in range(12)]), tuple(sorted(dice))


def having(points: int) -> list[Start]:
    return starts().where(starts().best == points)


def names(found: list[Start]) -> set[Named]:
    return {(start.situation.waiting, start.situation.dice) for start in found}


def by_hand(situation: Situation) -> int:
    line = notation.write(situation)
    return most_points(line[:12], "0" * 12, line[13:])


# The document


def test_what_is_committed_is_what_the_command_writes(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["numbers", str(tmp_path)])
    assert done.exit_code == 0, done.output
    written = {path.relative_to(tmp_path) for path in tmp_path.rglob("*.*")}
    assert {Path(line).relative_to(tmp_path) for line in done.output.splitlines()} == written
    kept = {NUMBERS, *(DOCS / "numbers").iterdir()}
    assert {DOCS / name for name in written} == kept, "write them anew: corona numbers"
    for name in written:
        assert (tmp_path / name).read_bytes() == (DOCS / name).read_bytes(), "write it anew: corona numbers"


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    done = CliRunner().invoke(main, ["numbers", str(tmp_path / "file")])
    assert done.exit_code == 1
    assert "cannot be written" in done.output


def test_it_tells_the_figures_that_are_known_elsewhere() -> None:
    text = NUMBERS.read_text(encoding="utf-8").replace("\n", " ")
    within = sum(EVERYWHERE.cases[BOOK[0] : BOOK[1] + 1]) / EVERYWHERE.total
    for told in (
        f"The best score is {EVERYWHERE.mean:.1f} on average",
        f"{percent(within)} of all cases have their best between 7 and 13",
        f"{percent(EVERYWHERE.share(14))} have more",
        f"{EVERYWHERE.cases[MOST_POINTS]:,} of {EVERYWHERE.total:,} cases",
        f"12 of 479,556 starts have no point, however they are played: {EVERYWHERE.cases[0]:,} cases",
        "208 of 479,556 have 21 points, and none has more",
        "no situation has a best of 1 or 3.",
    ):
        assert told in text, told


@pytest.mark.parametrize("picture", sorted((DOCS / "numbers").iterdir()), ids=lambda picture: picture.name)
def test_a_picture_is_whole(picture: Path) -> None:
    tree = ElementTree.fromstring(picture.read_text(encoding="utf-8"))
    width, height = (float(tree.attrib[side]) for side in ("width", "height"))
    assert tree.tag == f"{SVG}svg"
    assert all((tree.findtext(f"{SVG}{tag}") or "").strip() for tag in ("title", "desc"))
    texts = list(tree.iter(f"{SVG}text"))
    assert all(0 < float(text.attrib["x"]) < width and 0 < float(text.attrib["y"]) < height for text in texts)
    for circle in tree.iter(f"{SVG}circle"):
        x, y, r = (float(circle.attrib[name]) for name in ("cx", "cy", "r"))
        assert r < x < width - r
        assert r < y < height - r


# All starts


def test_all_cases_are_there() -> None:
    assert starts().chances == EVERYWHERE
    assert starts().best.shape == (1_038, 462)
    assert starts().placed_by_chance.total == 12**6 * THROWS
    assert len(set(starts().setups)) == 1_038


def test_pieces_placed_by_chance_are_every_way_to_place_them() -> None:
    """The first piece stands on A, for turning changes nothing; the throw shows six different dice."""
    fields = np.array(list(product(range(12), repeat=5)), np.int8)
    pieces = np.array([(fields == field).sum(axis=1) for field in range(12)]).T
    pieces[:, 0] += 1
    best = best_scores(pieces, np.tile([1, 2, 3, 4, 5, 6], (len(pieces), 1)))
    column = starts().throws.index((1, 2, 3, 4, 5, 6))
    turnings = starts().turnings.tolist()
    ways = [
        turns * factorial(6) // prod(map(factorial, setup))
        for setup, turns in zip(starts().setups, turnings, strict=True)
    ]
    counted = np.bincount(starts().best[:, column], ways, 22)
    assert counted.tolist() == (12 * np.bincount(best, minlength=22)).tolist()


def test_a_throw_is_what_every_set_up_allows() -> None:
    placings = list(combinations_with_replacement(range(12), 6))
    pieces = [[fields.count(field) for field in range(12)] for fields in placings]
    throws = starts().by_throw()
    for throw, group in (throws[0], throws[200], throws[-1]):
        best = best_scores(pieces, np.tile(throw, (len(pieces), 1)))
        assert group.mean == pytest.approx(best.mean())


def test_groups_are_all_cases_apart() -> None:
    for groups in (starts().by_dice(), starts().by_heaps()):
        assert len(groups) == len({group.alike for group in groups}) == 11  # the partitions of six
        assert sum(group.cases for group in groups) == EVERYWHERE.total
        mean = sum(group.cases * group.mean for group in groups) / EVERYWHERE.total
        assert mean == pytest.approx(EVERYWHERE.mean)


# The ends of the scale


def test_the_kinds_of_21_points_are_all_there_are() -> None:
    """Every start that the rule allows, made from G as the meeting field and A as the opposite one."""
    made: dict[Named, Kind] = {}
    for elsewhere in range(5):
        for meeting in range(1, 6 - elsewhere):
            opposite = 6 - elsewhere - meeting
            for away in combinations_with_replacement(range(1, 6), elsewhere):
                fields = (0,) * opposite + (6,) * meeting + tuple(6 - steps for steps in away)
                smaller = min(meeting, opposite) if not elsewhere else meeting
                kind = Kind(elsewhere, smaller, 6 - elsewhere - smaller)
                assert made.setdefault(named(fields, (*away, *(6,) * (6 - elsewhere))), kind) == kind
    assert made.keys() == names(having(MOST_POINTS))
    assert len(made) == 208
    for start in having(MOST_POINTS):
        assert kind_of(start.situation) == made[start.situation.waiting, start.situation.dice]


def test_an_example_of_every_kind_has_21_points_by_hand() -> None:
    by_kind = kinds(having(MOST_POINTS))
    assert len(by_kind) == 13
    for found in by_kind.values():
        assert by_hand(found[0].situation) == MOST_POINTS


def test_a_start_of_no_kind_is_not_passed_over() -> None:
    with pytest.raises(ValueError, match="no kind"):
        kinds([Start(notation.read("600000000000-123456"), 1)])


def test_the_starts_without_a_point_are_all_there_are() -> None:
    made = {named((0,) * 6, (1, 2, 3, 4, 5, 6))}
    for fields in combinations(range(12), 6):
        for pips in range(1, 7):
            if not any((field + pips) % 12 in fields for field in fields):
                made.add(named(fields, (pips,) * 6))
    assert made == names(having(0))
    assert {by_hand(start.situation) for start in having(0)} == {0}
    assert sum(start.cases for start in having(0)) == EVERYWHERE.cases[0]


def test_twenty_with_all_on_one_field() -> None:
    """A best line ends with all pieces on one field just where the dice are said to allow it."""
    drawn = random.Random(20)
    for start in drawn.sample(having(20), 12):
        ends = set()
        for line in lines(start.situation, at_most=100_000).easiest:
            after = start.situation
            for move in line:
                after = play(after, move)
            ends.add(max(after.occupants))
        assert (6 in ends) == all_together(start.situation), notation.write(start.situation)


# Few moves


def with_few(situation: Situation, moves: int) -> int:
    """The most points of so many moves, by trying all."""
    if not moves:
        return 0
    best = 0
    for start, count in enumerate(situation.waiting):
        for die, pips in enumerate(situation.dice):
            if count and pips and pips not in situation.dice[:die]:
                to = (start + pips) % 12
                there = situation.occupants[to] + 1
                waiting, dice, moved = map(list, (situation.waiting, situation.dice, situation.moved))
                waiting[start], dice[die], moved[to] = count - 1, 0, moved[to] + 1
                after = Situation(tuple(waiting), tuple(dice), tuple(moved))
                best = max(best, (there if there > 1 else 0) + with_few(after, moves - 1))
    return best


@pytest.mark.parametrize("moves", [1, 2, 3])
def test_few_moves_by_trying_all(moves: int) -> None:
    limited, drawn = starts(moves), random.Random(moves)
    for _ in range(12):
        row, column = drawn.randrange(1_038), drawn.randrange(462)
        situation = Situation(limited.setups[row], limited.throws[column])
        assert limited.best[row, column] == with_few(situation, moves), notation.write(situation)


@pytest.mark.parametrize("moves", range(1, 7))
def test_no_play_of_few_moves_has_more_than_the_pairs_allow(moves: int) -> None:
    """The bound is a matter of counting pairs; that it is reached is a matter of looking up."""
    assert starts(moves).best.max() == no_more_in(moves) == (6, 11, 15, 18, 20, 21)[moves - 1]


def test_more_moves_never_have_less() -> None:
    for moves in range(2, 7):
        assert (starts(moves).best >= starts(moves - 1).best).all()
    pieces = starts().pieces
    for moves in range(1, 7):
        # Enough moves for the easiest of the best lines, or for any other best line: that is the same.
        assert np.array_equal(starts(moves).best == starts().best, pieces <= moves)


def test_the_fewest_pieces_are_those_of_the_line_that_is_shown() -> None:
    drawn = random.Random(7)
    for _ in range(50):
        row, column = drawn.randrange(1_038), drawn.randrange(462)
        line = solve(Situation(starts().setups[row], starts().throws[column])).moves
        assert starts().pieces[row, column] == len(line)
        assert starts().detours[row, column] == sum(not move.points for move in line)
