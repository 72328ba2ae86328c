"""`corona solve` and `corona table`: what they answer people and programs."""

from __future__ import annotations

import json
from typing import Any

import pytest
from click.testing import CliRunner, Result

from companion.cli import main
from companion.games.corona import notation
from companion.games.corona.rules import legal_moves
from companion.games.corona.states import table
from companion.ring import as_ring

BOOK = "500000100000-666666"


def corona(*words: str) -> Result:
    return CliRunner().invoke(main, words)


def answers(*words: str) -> list[dict[str, Any]]:
    ran = corona("solve", "--json", *words)
    assert ran.exit_code == 0, ran.output
    return [json.loads(line) for line in ran.stdout.splitlines()]


def test_the_contract_of_solve() -> None:
    (answer,) = answers(BOOK)
    assert answer.keys() == {"situation", "best", "moves"}
    assert (answer["situation"], answer["best"]) == (BOOK, 21)
    assert answer["moves"][0] == {"from": "A", "to": "G", "colour": "red", "pips": 6, "points": 2}
    assert sum(move["points"] for move in answer["moves"]) == 21


def test_a_bad_situation_is_answered_in_its_place() -> None:
    ran = corona("solve", "--json", BOOK, "6-1", BOOK)
    assert ran.exit_code == 1
    first, bad, last = map(json.loads, ran.stdout.splitlines())
    assert first == last
    assert bad.keys() == {"situation", "error"}


def test_all_adds_the_other_lines_and_the_first_moves() -> None:
    (plain,), (answer,) = answers(BOOK), answers(BOOK, "--all", "--limit", "3")
    assert {key: answer[key] for key in plain} == plain
    assert (answer["lines"], answer["pieces"], answer["detours"]) == (4, 6, 0)
    assert len(answer["listed"]) == 3
    assert answer["listed"][0] == answer["moves"]
    assert [(first["from"], first["colour"], first["best"]) for first in answer["first"]] == [
        ("A", "red", 21),
        ("G", "red", 20),
    ]


@pytest.mark.parametrize("line", ["600000000000-123456", "000000000000.600000000000-000000"])
def test_all_where_nothing_is_to_be_had(line: str) -> None:
    (answer,) = answers(line, "--all")
    assert (answer["best"], answer["lines"], answer["listed"]) == (0, 1, [[]])
    assert {first["best"] for first in answer["first"]} <= {0}
    assert len(answer["first"]) == len(list(legal_moves(notation.read(line))))
    assert corona("solve", "--all", line).exit_code == 0


def test_all_in_words() -> None:
    said = corona("solve", "--all", "--limit", "1", "101010101010-123456").output
    assert "1080 lines have 14; the easiest moves 6 pieces, 1 of them onto an empty field" in said
    assert "and 1079 more" in said
    assert "    K    14      14       14        14       12       14\n" in said


def test_the_ring_in_the_terminal() -> None:
    assert as_ring(notation.read("300000100000.010000100000-066660")) == [
        "K .    L .    A 3    B +1",
        "J .        - 6 6     C .",
        "I .        6 6 -     D .",
        "H .    G 1+1  F .    E .",
    ]
    assert "H .    G 1    F .    E .    H .    G +5   F .    E ." in corona("solve", "--text", BOOK).output


def test_a_drawing_is_no_json() -> None:
    assert corona("solve", "--text", "--json", BOOK).exit_code == 2


def test_the_table_for_programs_and_for_people() -> None:
    ran = corona("table", "--json")
    assert ran.exit_code == 0
    answer = json.loads(ran.stdout)
    assert answer.keys() == {"states", "seconds", "peak_mb", "histogram"}
    assert answer["states"] == table().states
    assert answer["histogram"] == {str(points): starts for points, starts in table().histogram().items()}
    assert answer["seconds"] > 0
    assert "479556" in corona("table").output
