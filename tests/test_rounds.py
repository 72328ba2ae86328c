"""The game looked back on: chips over time, rounds with replay, how everybody bid; and their silence."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from playwright.sync_api import Browser, expect

from companion.games.corona import game, history, ledger, notation, solver
from companion.games.corona.commands import (
    Bid,
    Command,
    CorrectBid,
    CorrectChips,
    CorrectReading,
    CorrectResult,
    Done,
    Join,
    Lay,
    Leave,
    Result,
    Sand,
    Start,
    Step,
    Turn,
    Undo,
)
from companion.games.corona.events import Ending, GameStarted
from companion.games.corona.ledger import Counted, Entries, Round
from companion.games.corona.rules import DEFAULT_COLOURS
from companion.games.corona.state import State
from companion.web import drawing
from tests.browser import House, browser, house, phone
from tests.test_study import TURNED
from tests.test_study import text as said
from tests.test_web import LINE, ask

OTHER = "500000100000-666666"
BEST, OTHER_BEST = 15, 21


class Played(NamedTuple):
    """One round, in which somebody else called one point less; without a result by one move, of 3."""

    seat: str = "Ben"
    bid: int = 8
    reached: int | None = 8
    line: str = LINE

    def begun(self, state: State, at: float) -> list[Command]:
        other = next(seat for seat in state.seats if seat not in (self.seat, state.silenced))
        calls = [Bid(other, self.bid - 1, at + 5), Bid(self.seat, self.bid, at + 12)]
        return [Lay(notation.read(self.line)), Turn(at), *calls]

    def ended(self, at: float) -> list[Command]:
        if self.reached is not None:
            return [Result(self.reached, at)]
        move = solver.solve(notation.read(self.line)).moves[0]
        return [Step(move.start, move.die, at), Done(at)]


def after(*what: Command | Played, state: State | None = None) -> State:
    state = game.new() if state is None else state
    for one in what:
        end = state.at + 60
        commands: list[Command] = (
            [*one.begun(state, state.at), Sand(end), *one.ended(end)] if isinstance(one, Played) else [one]
        )
        for command in commands:
            for event in game.decide(state, command):
                state = game.evolve(state, event)
    return state


BEGUN = Start(("Anna", "Ben", "Clara"), "Anna", ending=Ending("rounds", 100_000))


# What is told


def test_chips_as_they_went_over_the_table() -> None:
    state = after(
        BEGUN,
        Played(),
        CorrectChips((("Anna", 8), ("Ben", 9))),
        Join("David", "Ben"),
        Played("David", 5, 4),
        Leave("Clara"),
    )
    told = history.chips(state)
    assert told["rounds"] == 2
    assert {seat["name"]: seat["runs"] for seat in told["seats"]} == {
        "Anna": [[(0, 8), (1, 7), (1, 8), (1, 8), (2, 9), (2, 9)]],
        "Ben": [[(0, 8), (1, 10), (1, 9), (1, 9), (2, 10), (2, 10)]],
        "Clara": [[(0, 8), (1, 7), (1, 7), (1, 7), (2, 8)]],
        "David": [[(1, 8), (2, 5), (2, 5)]],
    }
    assert [seat["name"] for seat in told["seats"] if not seat["here"]] == ["Clara"]
    back = history.chips(after(Join("Clara", "Ben"), state=state))
    assert [run[0] for seat in back["seats"] if seat["name"] == "Clara" for run in seat["runs"]] == [
        (0, 8),
        (2, 8),
    ]


def test_a_round_keeps_its_auction_and_its_best() -> None:
    state = after(BEGUN, Played(reached=None), Played("Clara", 9, 12, OTHER))
    first = history.one_round(state, 1)
    assert first is not None
    assert (first["setter"], first["seat"], first["bid"], first["reached"]) == ("Anna", "Ben", 8, 3)
    assert first["bids"] == [
        {"seat": "Anna", "points": 7, "after": 5},
        {"seat": "Ben", "points": 8, "after": 12},
    ]
    assert first["paid"] == [
        {"from": "Ben", "to": "Clara", "chips": 1},
        {"from": "Ben", "to": "Anna", "chips": 1},
    ]
    assert len(first["found"]["played"]) == 1
    assert (first["best"], first["found"]["best"], first["told"]) == (BEST, BEST, False)
    second = history.one_round(state, 2)
    assert second is not None
    assert (second["best"], second["told"], second["found"]["played"]) == (OTHER_BEST, True, [])
    assert [one["round"] for one in history.rounds(state, 2, 1)] == [2]
    assert [one["chips"] for one in history.rounds(state, 2, 9)] == [2, -2]
    assert history.one_round(state, 3) is None


def test_what_is_put_right_is_shown_put_right() -> None:
    played = after(BEGUN, Played(), Played("Clara", 9, 12, OTHER), Played("Anna", 4, 5))
    state = after(CorrectReading(notation.read(OTHER), 1), CorrectBid("Clara", 13, 1), state=played)
    state = after(CorrectResult(14, 1), state=state)
    one = history.one_round(state, 1)
    assert one is not None
    assert (one["seat"], one["bid"], one["reached"], one["won"]) == ("Clara", 13, 14, True)
    assert (one["best"], one["found"]["best"], one["situation"]) == (OTHER_BEST, OTHER_BEST, OTHER)
    assert [bid["points"] for bid in one["bids"]] == [7, 13]
    assert one["paid"][0]["to"] == "Clara"
    runs = {seat["name"]: seat["runs"][0] for seat in history.chips(state)["seats"]}
    assert runs["Clara"][1] == (1, 10)
    assert {name: run[-1][1] for name, run in runs.items()} == dict(
        zip(state.seats, state.chips, strict=True)
    )
    undone = after(Undo(3), state=state)
    assert history.one_round(undone, 1) == history.one_round(played, 1)
    # The last one, which is still shown: its new best is revealed with the correction.
    last = after(CorrectReading(notation.read(OTHER)), state=after(BEGUN, Played()))
    assert last.rounds[0].best == OTHER_BEST


def test_an_undone_round_never_was() -> None:
    state = after(Undo(1, sure=True), state=after(BEGUN, Played(), Played("Clara", 9, 12, OTHER)))
    assert state.phase == "play"
    assert [one["round"] for one in history.rounds(state, 2, 9)] == [1]


def test_players_as_they_bid() -> None:
    state = after(
        BEGUN, Played("Ben", 8, 8), Played("Ben", 12, 9, OTHER), Leave("Ben"), Played("Clara", 17, 3)
    )
    told = {one["name"]: one for one in history.players(state)}
    assert list(told) == ["Anna", "Clara", "Ben"]
    ben = told["Ben"]
    assert (ben["sat"], ben["played"], ben["won"], ben["here"], ben["chips"]) == (2, 2, 1, False, 8)
    assert (ben["bid"], ben["reached"], ben["below"]) == (10, 8.5, 8)  # (15 - 8 + 21 - 12) / 2
    assert ben["dots"] == [
        {"best": BEST, "bid": 8, "won": True, "times": 1},
        {"best": OTHER_BEST, "bid": 12, "won": False, "times": 1},
    ]
    assert told["Clara"]["below"] == -2
    assert (told["Anna"]["played"], told["Anna"]["bid"], told["Anna"]["below"]) == (0, None, None)


@pytest.mark.parametrize("line", [LINE, TURNED])
def test_an_earlier_round_that_lies_on_the_table_again_waits(line: str) -> None:
    before = after(BEGUN, Played(reached=None), Played("Clara", 9, 12, OTHER))
    laid = after(Lay(notation.read(line)), state=before)
    turned = after(Turn(200), Bid("Anna", 3, 210), state=laid)
    for state in (laid, turned, after(Sand(260), state=turned)):
        one = history.one_round(state, 1)
        assert one is not None
        assert (one["best"], one["found"], one["possible"]) == (None, None, True)
        assert [each["best"] for each in history.rounds(state, 2, 9)] == [OTHER_BEST, None]
        assert [each["dots"] for each in history.players(state) if each["name"] == "Ben"] == [[]]
        other = history.one_round(state, 2)
        assert other is not None
        assert other["found"]["best"] == OTHER_BEST
    settled = after(Sand(260), Done(260), state=turned)
    assert [each["best"] for each in history.rounds(settled, 3, 9)] == [BEST, OTHER_BEST, BEST]


# The pictures


@settings(max_examples=30, deadline=None)
@given(
    st.lists(st.sampled_from(["Anna", "Ben", "Clara"]), min_size=1, max_size=400),
    st.sets(st.integers(0, 399)),
)
def test_the_picture_of_a_long_game_stays_small(players: list[str], counted: set[int]) -> None:
    entries = Entries()
    for k, player in enumerate(players):
        if k in counted:
            entries = entries.and_then(
                Counted(
                    (("Anna", 1), ("Ben", -1)),
                )
            )
        entries = entries.and_then(Round(notation.read(LINE), "Anna", player, 8, entered=k % 12))
    seats = ("Anna", "Ben", "Clara")
    end = ledger.balance(seats, 1000, entries)
    agreed = GameStarted(seats, "Anna", "de", DEFAULT_COLOURS, 60, Ending(), 1000)
    state = State(agreed=agreed, seats=seats, chips=end.chips, entries=entries, settled=len(players))
    told = history.chips(state)
    drawn = drawing.course(told)
    for seat, chips in zip(told["seats"], end.chips, strict=True):
        (run,) = seat["runs"]
        assert len(run) <= history.MOMENTS + 1
        assert (run[0][0], run[-1]) == (0, (len(players), chips))
    places = sorted(seat["name_y"] for seat in drawn["seats"])
    assert all(low - high >= drawing.NAME_TALL for high, low in pairwise(places))
    assert places[0] >= 0
    assert places[-1] <= drawn["tall"]


def test_each_line_is_told_apart_by_more_than_its_colour(at: House) -> None:
    names = tuple("ABCDEFGHIJKLMN")
    at.do(Start(names, "A"))
    play(at, Played("B"))
    page = ask(at, "GET", "/rounds").text
    looks = re.findall(r'class="(tint-\d dash-\d)"', page)
    assert len(set(looks)) == len(looks) == len(names)
    picture = page.split('class="course"')[1].split("</svg>\n{#")[0]
    assert all(f">{name}</text>" in picture for name in names)


# The pages


@pytest.fixture
def at(tmp_path: Path) -> Iterator[House]:
    with house(tmp_path) as built:
        yield built


def play(at: House, one: Played) -> None:
    at.do(*one.begun(at.table.state, at.table.now()))
    at.wind(60)
    at.do(*one.ended(at.table.now()))


def evening(at: House) -> None:
    at.do(BEGUN)
    play(at, Played(reached=None))
    play(at, Played("Clara", 9, 12, OTHER))


def test_before_there_is_anything(at: House) -> None:
    for path in ("/rounds", "/players"):
        assert "No game has been started yet." in said(at, path)
    at.do(BEGUN)
    for path in ("/rounds", "/players"):
        assert "No round has been settled yet." in said(at, path)
    for path in ("/rounds/0", "/rounds/1", "/rounds/99999999999999999999"):
        assert ask(at, "GET", path).status == 404


def test_the_rounds_lead_to_their_replay(at: House) -> None:
    evening(at)
    told = said(at, "/rounds")
    assert "2 Clara bid 9, reached 12 won , +2 chips · best 21 · Ben set up" in told
    assert "1 Ben bid 8, reached 3 missed , −2 chips · best 15 · Anna set up" in told
    assert '<a class="plain" href="/rounds">The rounds so far</a>' in ask(at, "GET", "/").text
    one = said(at, "/rounds/1")
    assert "Round 1: Ben has missed the bid." in one
    assert "Ben gives one chip to each of: Clara, Anna." in one
    assert "What was played: 3 points" in one
    assert "Anna 7 after 5 seconds Ben 8 after 12 seconds" in one
    assert "A way to 15 points" in said(at, "/rounds/1?line=best")
    told = said(at, "/rounds/2?line=x")
    assert "nobody noted the moves" in told
    assert "A way to 21 points" in told
    assert "Im Mittel lagen die Gebote 7 unter dem Möglichen." in said(at, "/players", Accept_Language="de")


def test_nothing_is_told_of_the_round_that_is_open(at: House) -> None:
    evening(at)
    at.do(*Played("Anna", 5, line=TURNED).begun(at.table.state, at.table.now()))
    for path in ("/rounds/1", "/rounds/1?line=best"):
        told = ask(at, "GET", path).text
        assert "After the round: this lies on the table, or may soon." in told
        assert "data-frames" not in told
        assert not re.search(rf">{BEST}<|A way to|Half of all throws", told)
    assert "best: after the round" in said(at, "/rounds")
    assert ask(at, "GET", "/rounds/3").status == 404
    assert "A way to 21 points" in said(at, "/rounds/2")


def test_a_long_game_is_turned_page_by_page(at: House) -> None:
    at.do(BEGUN)
    for k in range(65):
        play(at, Played("Ben" if k % 2 else "Clara"))
    page = ask(at, "GET", "/rounds").text
    listed = re.findall(r'href="/rounds/(\d+)"', page)
    assert listed == [str(k) for k in range(65, 35, -1)]
    earlier = re.search(r'href="(/rounds\?until=\d+)#list">Earlier', page)
    assert earlier
    page = ask(at, "GET", earlier[1]).text
    assert re.findall(r'href="/rounds/(\d+)"', page)[0] == "35"
    assert "until=65" in page
    for until in ("-5", "999999", "x", ""):
        assert ask(at, "GET", f"/rounds?until={until}").status == 200


# In a browser


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as running:
        yield running


@pytest.mark.slow
def test_a_round_replayed_by_thumb(at: House, chromium: Browser) -> None:
    evening(at)
    page = phone(chromium)
    page.goto(at.url)
    page.get_by_role("link", name="Rounds", exact=True).tap()
    expect(page.get_by_role("img", name=re.compile("Anna 8 – 8; Ben 8 – 5; Clara 8 – 11"))).to_be_visible()
    page.get_by_role("link", name=re.compile("Ben bid 8, reached 3")).tap()
    expect(page.get_by_role("group", name="What was played: 3 points")).to_contain_text("0 / 1")
    with page.expect_navigation():  # until it has loaded: a busy machine would still tap the page before
        page.get_by_role("link", name="The best line").tap()
    page.get_by_role("button", name="Next").tap()
    expect(page.locator("[data-at]")).to_have_text("1")
    expect(page.locator("[data-replayed] li").first).to_have_class("now")
    assert page.faults == []  # type: ignore[attr-defined]
    page.context.close()


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en-GB", "de-DE", "fr-FR"])
def test_nothing_is_wider_than_the_smallest_phone(at: House, chromium: Browser, language: str) -> None:
    evening(at)
    page = phone(chromium, viewport={"width": 320, "height": 568}, locale=language)
    for path in ("/rounds", "/rounds/1", "/rounds/2", "/players"):
        page.goto(at.url + path)
        assert page.evaluate("document.documentElement.scrollWidth") <= 320, path
        small = page.evaluate(
            "[...document.querySelectorAll('.course, .dots, .history *, .auction *, .player *')]"
            ".filter((it) => parseFloat(getComputedStyle(it).fontSize) < 16).length"
        )
        assert small == 0, path
    assert page.faults == []  # type: ignore[attr-defined]
    page.context.close()
