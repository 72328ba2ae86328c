"""`corona analyse`: what it answers people and programs about a play."""

from __future__ import annotations

import json
from typing import Any

from click.testing import CliRunner, Result

from companion.cli import main
from companion.games.corona.chances import THROWS
from tests.brute_force import most_points

STAIRS = "111111000000-123456"


def corona(*words: str, typed: str | None = None) -> Result:
    return CliRunner().invoke(main, ["analyse", *words], input=typed)


def answers(*words: str, typed: str | None = None) -> list[dict[str, Any]]:
    ran = corona("--json", *words, typed=typed)
    assert ran.exit_code == 0, ran.output
    return [json.loads(line) for line in ran.stdout.splitlines()]


def test_what_a_play_made_of_a_situation() -> None:
    (answer,) = answers(STAIRS, "A-red", "B-blue")
    assert answer.keys() == {"situation", "best", "moves", "points", "played", "set_up", "everywhere"}
    assert (answer["best"], answer["points"]) == (20, 4)
    assert sum(move["points"] for move in answer["moves"]) == 20
    first, second = answer["played"]
    assert first == {
        **{"from": "A", "to": "B", "colour": "red", "pips": 1, "points": 2},
        **{"still": 2 + most_points("011111000000", "010000000000", "023456"), "lost": 4},
    }
    assert second["still"] == 4 + most_points("001111000000", "010100000000", "003456")
    assert second["lost"] == first["still"] - second["still"]


def test_how_good_the_situation_was() -> None:
    (answer,) = answers(STAIRS)
    here = answer["set_up"]
    assert sum(here["throws"]) == THROWS
    assert here["share"] == sum(here["throws"][20:]) / THROWS
    assert sum(here["throws"][here["half"] :]) >= THROWS / 2 > sum(here["throws"][here["half"] + 1 :])
    assert 0 < answer["everywhere"]["share"] < here["share"]


def test_in_mid_play_the_set_up_is_not_known() -> None:
    (answer,) = answers("011111000000.010000000000-023456")
    assert answer["set_up"] is None


def test_plays_from_standard_input() -> None:
    other = {"situation": STAIRS, "moves": [{"from": "B", "to": "D", "colour": "blue"}]}
    one, two = answers("-", typed=f"{STAIRS} A-red\n\n{json.dumps(other)}\n")
    assert [move["from"] for answer in (one, two) for move in answer["played"]] == ["A", "B"]


def test_what_cannot_be_played_is_answered_in_its_place() -> None:
    ran = corona("--json", "-", typed=f'{STAIRS} A-red A-blue\n{{"moves": 1}}\n{STAIRS} Z-red\n{STAIRS}\n')
    assert ran.exit_code == 1
    *bad, good = map(json.loads, ran.stdout.splitlines())
    assert [answer["error"].split(":")[0] for answer in bad[::2]] == ["move 2, 'A-blue'", "move 1, 'Z-red'"]
    assert bad[1].keys() == {"situation", "error"}
    assert good["best"] == 20


def test_in_words() -> None:
    said = corona(STAIRS, "A-red", "B-blue").output
    assert "half of all throws on this set-up allow 14 or more" in said
    assert "20 or more: 5% of them, 1 in 147 of all situations" in said
    assert "  2. B -> D  blue   2    2    4   13   3 lost" in said
    assert "the easiest way: A-F white 2" in said


def test_the_sets_own_colours() -> None:
    (answer,) = answers(STAIRS, "A-pink", "--colours", "pink,blue,green,yellow,white,black")
    assert answer["played"][0]["colour"] == "pink"
    assert corona(STAIRS, "A-pink").exit_code == 1
    assert corona("-", "A-red").exit_code == 2
