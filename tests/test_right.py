"""Putting things right from a phone: undo, corrections, comings and goings, pauses, and moves by tapping."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from companion.games.corona import game, notation
from companion.games.corona.commands import Step
from tests.browser import House, house
from tests.test_web import LINE, SCRIPT, START, Answer, ask, seats

OTHER = "500000100000-666666"


@pytest.fixture
def at(tmp_path: Path) -> Iterator[House]:
    with house(tmp_path) as built:
        built.do(game.Start(("Anna", "Ben", "Clara"), "Anna"))
        yield built


def played(at: House, seat: str = "Ben", points: int = 8, reached: int = 8) -> None:
    """One round from set-up to reveal."""
    at.do(game.Lay(notation.read(LINE)), game.Turn(at.table.now()), game.Bid(seat, points, at.table.now()))
    at.wind(60)
    at.do(game.Result(reached))


def post(at: House, path: str, **form: Any) -> Answer:
    return ask(at, "POST", f"/{path}", {"me": "Clara", **form})


def ok(answer: Answer) -> bool:
    return (answer.status, answer.header("Location")) == (303, "/?seat=Clara")


def refused(at: House, path: str, **form: Any) -> str:
    before = at.table.state
    answer = ask(at, "POST", f"/{path}", {"me": "Clara", **form}, **SCRIPT)
    assert answer.status in (400, 409), answer.text
    assert at.table.state is before
    sentence: str = json.loads(answer.text)["sentence"]
    return sentence


def undo_form(at: House, language: str = "en") -> dict[str, str]:
    """What the page of corrections would send with its undo button."""
    page = ask(at, "GET", "/right?seat=Clara", Accept_Language=language).text
    form = page.split('action="/undo"')[1].split("</form>")[0]
    said = re.findall(r">([^<]+)</button>", form)[0]
    return {**dict(re.findall(r'name="(\w+)" value="([^"]*)"', form)), "said": unescape(said)}


# The dice say who sets up first


def test_the_first_six_sets_up(tmp_path: Path) -> None:
    with house(tmp_path) as at:
        assert ask(at, "POST", "/start", START | {"first": "-1"}).status == 303
        assert "Anna throws one die." in ask(at, "GET", "/").text
        for pips in (2, 5, 6):
            assert ok(post(at, "throw", pips=pips, seat=at.table.state.thrower))
        assert at.table.state.setter == "Clara"
        assert "Clara sets up" in ask(at, "GET", "/").text
        assert refused(at, "throw", pips=6) == "Nobody throws for the first set-up now."


def test_a_throw_is_one_to_six(tmp_path: Path) -> None:
    with house(tmp_path) as at:
        at.do(game.Start(("Anna", "Ben"), None))
        assert refused(at, "throw", pips=7) == "A die shows 1 to 6."
        assert refused(at, "throw") == "Tap what the die shows."
        assert ok(post(at, "throw", pips=3, seat="Anna"))
        assert refused(at, "throw", pips=3, seat="Anna") == "It is the throw of Ben."
        assert refused(at, "lay", situation=LINE) == "First throw one die each in turn: the first 6 sets up."


# The play


def test_a_play_move_by_move(at: House) -> None:
    at.do(game.Lay(notation.read(OTHER)), game.Turn(at.table.now()), game.Bid("Ben", 5, at.table.now()))
    at.wind(60)
    assert ok(post(at, "move", **{"from": "A", "colour": "red"}))
    assert ok(post(at, "move", **{"from": "A", "colour": "blue"}))
    assert refused(at, "move", **{"from": "A", "colour": "blue"}) == "The blue die has been used already."
    assert refused(at, "move", **{"from": "C", "colour": "green"}) == "No piece on C has still to move."
    assert refused(at, "move", colour="green") == "Tap the field of the piece that moves, then its die."
    page = ask(at, "GET", "/?seat=Clara").text
    assert "Finished with 5 points" in page
    assert ok(post(at, "done"))
    assert seats(at) == {"Anna": 7, "Ben": 10, "Clara": 7}


def test_a_refused_colour_is_named_in_the_readers_language(at: House) -> None:
    at.do(game.Lay(notation.read(OTHER)), game.Turn(at.table.now()), game.Bid("Ben", 5, at.table.now()))
    at.wind(60)
    at.do(Step(0, 0))
    form = {"from": "A", "colour": "red"}
    said = ask(at, "POST", "/move", form, Accept_Language="de", **SCRIPT)
    assert json.loads(said.text)["sentence"] == "Mit diesem Würfel (rot) wurde schon gezogen."


def test_the_hourglass_is_cancelled_and_turned_again(at: House) -> None:
    at.do(game.Lay(notation.read(LINE)), game.Turn(at.table.now()), game.Bid("Ben", 5, at.table.now()))
    assert ok(post(at, "cancel"))
    assert (at.table.state.phase, at.table.state.bids) == ("lay", ())
    assert ok(post(at, "turn"))
    assert refused(at, "pause").startswith("The sand is running")


# Undo


def test_undo_takes_back_the_last_thing_a_person_did(at: House) -> None:
    at.do(game.Lay(notation.read(LINE)), game.Turn(at.table.now()))
    at.do(game.Bid("Ben", 7, at.table.now()), game.Bid("Anna", 9, at.table.now()))
    assert undo_form(at)["said"] == "Take back: Anna bids 9"
    assert undo_form(at, "de")["said"] == "Zurücknehmen: Anna bietet 9"
    assert ok(post(at, "undo", **undo_form(at)))
    assert at.table.state.high is not None and at.table.state.high.seat == "Ben"


def test_after_the_sand_the_last_bid_is_taken_back_and_the_one_before_it_plays(at: House) -> None:
    at.do(game.Lay(notation.read(LINE)), game.Turn(at.table.now()))
    at.do(game.Bid("Ben", 7, at.table.now()), game.Bid("Anna", 9, at.table.now()))
    at.wind(60)
    form = undo_form(at)
    assert (form["steps"], form["said"]) == ("2", "Take back: Anna bids 9")
    assert ok(post(at, "undo", **form))
    at.wind(0)
    assert at.table.state.phase == "play"
    assert at.table.state.high is not None and at.table.state.high.seat == "Ben"


def test_an_undo_is_of_what_the_page_showed(at: House) -> None:
    at.do(game.Lay(notation.read(LINE)), game.Turn(at.table.now()), game.Bid("Ben", 7, at.table.now()))
    shown = undo_form(at)
    at.do(game.Bid("Anna", 9, at.table.now()))
    assert refused(at, "undo", **shown) == "Something else has happened meanwhile: look again."


def test_a_button_that_is_tapped_twice_takes_back_one_step(at: House) -> None:
    at.do(game.Lay(notation.read(OTHER)), game.Turn(at.table.now()), game.Bid("Ben", 5, at.table.now()))
    at.wind(60)
    at.do(Step(0, 0), Step(0, 1))
    form = undo_form(at)
    assert form["said"] == "Take back: the last move"
    with ThreadPoolExecutor(4) as fingers:
        answers = [fingers.submit(post, at, "undo", **form) for _ in range(4)]
    assert sorted(answer.result().status for answer in answers) == [303, 400, 400, 400]
    assert "look again" in refused(at, "undo", **form)
    assert len(at.table.state.moves) == 1


def test_sand_that_ran_out_meanwhile_is_not_taken_back_alone(at: House) -> None:
    at.do(game.Lay(notation.read(LINE)), game.Turn(at.table.now()), game.Bid("Ben", 7, at.table.now()))
    shown = undo_form(at)
    at.wind(60)
    assert "look again" in refused(at, "undo", **shown)


def test_undoing_past_a_reveal_asks_and_marks_the_round(at: House) -> None:
    played(at)
    form = undo_form(at)
    assert form["sure"] == "yes"
    assert "stays known" in refused(at, "undo", **{**form, "sure": ""})
    assert ok(post(at, "undo", **form))
    assert (at.table.state.phase, seats(at)) == ("play", {"Anna": 8, "Ben": 8, "Clara": 8})
    assert "had been shown before" in ask(at, "GET", "/").text


# Corrections


def test_a_result_is_corrected_and_the_round_settled_anew(at: House) -> None:
    played(at, reached=8)
    assert seats(at) == {"Anna": 7, "Ben": 10, "Clara": 7}
    assert ok(post(at, "correct", what="result", round=1, points=5))
    assert seats(at) == {"Anna": 9, "Ben": 6, "Clara": 9}
    assert at.table.state.silenced == "Ben"


def test_a_bid_was_somebody_elses(at: House) -> None:
    played(at)
    assert ok(post(at, "correct", what="bid", round=1, seat="Anna", points=8))
    assert seats(at) == {"Anna": 10, "Ben": 7, "Clara": 7}


def test_a_situation_of_an_old_round_is_corrected(at: House) -> None:
    played(at)
    assert at.table.state.revealed is not None
    assert ok(post(at, "correct", what="reading", round=1, situation=OTHER))
    assert at.table.state.revealed.best == 21
    assert "Place six pieces" in refused(at, "correct", what="reading", round=1, situation="nonsense")


def test_chips_are_counted_by_hand_but_never_made(at: House) -> None:
    shown = ["Anna 8", "Ben 8", "Clara 8"]
    assert ok(post(at, "correct", what="chips", chips=[10, 7, 7], shown=shown))
    assert seats(at) == {"Anna": 10, "Ben": 7, "Clara": 7}
    assert "look again" in refused(at, "correct", what="chips", chips=[8, 8, 8], shown=shown)
    shown = ["Anna 10", "Ben 7", "Clara 7"]
    assert "together there are 24, not 25" in refused(
        at, "correct", what="chips", chips=[11, 7, 7], shown=shown
    )
    assert "look again" in refused(at, "correct", what="chips", chips=[12, 12], shown=shown[:2])


def test_a_form_that_is_refused_comes_back_with_what_was_typed(at: House) -> None:
    played(at)
    form = {"page": "right", "me": "Clara", "what": "reading", "round": 1, "situation": "300000100000-666666"}
    answer = ask(at, "POST", "/correct", form)
    assert answer.status == 400
    assert 'role="alert">4 pieces are on the fields instead of six.' in answer.text
    assert 'id="right-reading" open>' in answer.text
    assert 'value="300000100000-666666"' in answer.text
    answer = ask(at, "POST", "/join", {"page": "right", "me": "Clara", "seat": "Ben", "after": "Anna"})
    assert answer.status == 409
    assert 'name="seat" value="Ben"' in answer.text


def test_the_form_of_a_bid_has_chosen_whose_it_was(at: House) -> None:
    played(at, seat="Clara", points=9)
    at.do(game.Leave("Clara"), game.Lay(notation.read(OTHER)))
    page = ask(at, "GET", "/right").text
    bid = page.split('id="right-bid"')[1].split("</form>")[0]
    assert '<option value="Clara" selected>' in bid
    assert 'value="9"' in bid
    assert LINE in page.split('id="right-reading"')[1].split("</form>")[0], "also while the next is set up"
    assert ok(post(at, "correct", what="bid", round=1, seat="Clara", points=8))


def test_a_result_is_corrected_of_settled_rounds_alone(at: House) -> None:
    played(at)
    at.do(game.Lay(notation.read(OTHER)), game.Turn(at.table.now()))
    page = ask(at, "GET", "/right").text
    assert "this one" not in page.split('id="right-result"')[1].split("</form>")[0]
    assert "this one" in page.split('id="right-reading"')[1].split("</form>")[0]


def test_before_a_game_there_is_nothing_to_put_right(tmp_path: Path) -> None:
    with house(tmp_path) as at:
        assert "No game has been started yet." in ask(at, "GET", "/right").text


@pytest.mark.parametrize(
    "form", [{}, {"what": "nonsense"}, {"what": "bid", "seat": "Ben"}, {"what": "result"}]
)
def test_a_correction_that_says_nothing_is_a_slip(at: House, form: dict[str, str]) -> None:
    played(at)
    assert refused(at, "correct", **form)


def test_the_log_says_whose_phone_it_was(at: House) -> None:
    played(at)
    post(at, "correct", what="result", round=1, points=5)
    corrected = at.table.state.last
    assert corrected is not None and getattr(corrected, "by", None) == "Clara"


# Comings, goings, pauses


def test_somebody_sits_down_and_somebody_leaves(at: House) -> None:
    assert ok(post(at, "join", seat=" Dora ", after="Anna"))
    assert at.table.state.seats == ("Anna", "Dora", "Ben", "Clara")
    assert ok(post(at, "leave", seat="Ben"))
    assert seats(at) == {"Anna": 8, "Dora": 8, "Clara": 8}
    assert refused(at, "leave", seat="Ben") == "Nobody called Ben has a seat at this table."


def test_a_pause_holds_everything_but_going_on(at: House) -> None:
    assert ok(post(at, "pause"))
    assert "The game is paused." in ask(at, "GET", "/").text
    assert refused(at, "lay", situation=LINE) == "The game is paused: resume it first."
    assert ok(post(at, "resume"))
    assert ok(post(at, "lay", situation=LINE))
