"""A game from the first set-up to the last chip: what is accepted, what is refused and why, and replays."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.corona import game, notation, settling, solver
from companion.games.corona.commands import Bid, Command, Lay, Result, Sand, Start, TimeUp, Turn
from companion.games.corona.event_json import from_json, to_json
from companion.games.corona.events import (
    BidMade,
    ChipsSettled,
    Ending,
    Event,
    GameOver,
    Payment,
    Revealed,
)
from companion.games.corona.refused import SENTENCES, Refused
from companion.games.corona.rules import CoronaError, EditionName
from companion.games.corona.state import State

EASY = notation.read("500000100000-666666")  # its best is 21
OTHER = notation.read("111111000000-123456")
SEATS = ("North", "East", "South", "West")


class Evening:
    """A game going on, for tests that read like the evening it was."""

    def __init__(self, seats: tuple[str, ...] = SEATS, **agreed: object) -> None:
        self.state = game.new()
        self.events: list[Event] = []
        self.time = 0.0
        self.do(Start(seats, seats[0], **agreed))  # type: ignore[arg-type]

    def do(self, command: Command) -> tuple[Event, ...]:
        events = game.decide(self.state, command)
        for event in events:
            self.state = game.evolve(self.state, event)
        self.events += events
        return events

    def refused(self, command: Command) -> str:
        before = self.state
        with pytest.raises(Refused) as caught:
            game.decide(self.state, command)
        assert self.state == before
        return caught.value.code

    def auction(self, *bids: tuple[str, int]) -> None:
        """A set-up and its auction, a call a second."""
        self.do(Lay(EASY))
        self.do(Turn(self.time))
        for seconds, (seat, points) in enumerate(bids, start=1):
            self.do(Bid(seat, points, self.time + seconds))
        self.time += self.state.hourglass
        self.do(Sand(self.time))

    def round(self, seat: str, bid: int, reached: int) -> tuple[Event, ...]:
        self.auction((seat, bid))
        return self.do(Result(reached))

    @property
    def chips(self) -> dict[str, int]:
        return dict(zip(self.state.seats, self.state.chips, strict=True))


# Starting


def test_everybody_starts_with_two_n_plus_two_chips() -> None:
    for players in range(2, 9):
        evening = Evening(tuple(f"P{n}" for n in range(players)))
        assert evening.state.chips == (2 * players + 2,) * players
        assert evening.state.setter == "P0"
        assert evening.state.phase == "lay"


@pytest.mark.parametrize(
    ("start", "code"),
    [
        (Start(("North",), "North"), "few_seats"),
        (Start(("North", " East"), "North"), "bad_name"),
        (Start(("North", ""), "North"), "bad_name"),
        (Start(("North", "x" * 31), "North"), "bad_name"),
        (Start(("North", "Ea\nst"), "North"), "bad_name"),
        (Start(("North", "East", "North"), "North"), "same_name"),
        (Start(("North", "East"), "South"), "first_unknown"),
        (Start(("North", "East"), "North", edition="en"), "bad_edition"),  # type: ignore[arg-type]
        (Start(("North", "East"), "North", colours=("red",) * 6), "bad_colours"),
        (Start(("North", "East"), "North", colours=("red", "blue")), "bad_colours"),
        (
            Start(("North", "East"), "North", colours=("red", "blue", "green", "yellow", "white", "grey")),
            "bad_colours",
        ),
        (Start(("North", "East"), "North", hourglass=9), "bad_hourglass"),
        (Start(("North", "East"), "North", hourglass=301), "bad_hourglass"),
        (Start(("North", "East"), "North", ending=Ending("rounds", 0)), "bad_ending"),
        (Start(("North", "East"), "North", ending=Ending("minutes", None)), "bad_ending"),
        (Start(("North", "East"), "North", ending=Ending("broke", 3)), "bad_ending"),
    ],
)
def test_a_start_that_cannot_be(start: Start, code: str) -> None:
    with pytest.raises(Refused) as caught:
        game.decide(game.new(), start)
    assert caught.value.code == code


def test_nothing_goes_before_the_start_and_no_second_start() -> None:
    for command in (Lay(EASY), Turn(0), Bid("North", 7, 1), Sand(60), Result(3), TimeUp(60)):
        with pytest.raises(Refused) as caught:
            game.decide(game.new(), command)
        assert caught.value.code == "not_started"
    assert Evening().refused(Start(SEATS, "North")) == "already_started"


# Set-up


def test_a_situation_may_be_laid_again_until_the_hourglass_is_turned() -> None:
    evening = Evening()
    assert evening.refused(Turn(0)) == "nothing_laid"
    evening.do(Lay(OTHER))
    evening.do(Lay(EASY))
    assert evening.state.situation == EASY
    evening.do(Turn(0.0))
    assert evening.refused(Lay(OTHER)) == "lay_auction"
    assert evening.refused(Turn(1.0)) == "already_turned"
    evening.do(Bid("East", 5, 2.0))
    evening.do(Sand(60.0))
    assert evening.refused(Lay(OTHER)) == "lay_play"
    assert evening.refused(Turn(61.0)) == "lay_play"


def test_a_situation_in_mid_play_cannot_be_laid() -> None:
    assert Evening().refused(Lay(notation.read("400000100000.000000100000-066666"))) == "lay_midplay"


# Auction


def test_calls_rise_and_the_earlier_of_equal_calls_counts() -> None:
    evening = Evening()
    assert evening.refused(Bid("East", 7, 0)) == "no_auction"
    evening.do(Lay(EASY))
    evening.do(Turn(10.0))
    assert evening.refused(Bid("East", 7, 9.0)) == "too_early"
    assert evening.refused(Bid("Nobody", 7, 11.0)) == "unknown_seat"
    assert evening.refused(Bid("East", 0, 11.0)) == "bad_points"
    assert evening.refused(Bid("East", 100, 11.0)) == "bad_points"
    evening.do(Bid("East", 1, 11.0))
    assert evening.refused(Bid("West", 1, 12.0)) == "equal_bid"
    evening.do(Bid("West", 9, 12.0))
    assert evening.refused(Bid("East", 8, 13.0)) == "low_bid"
    evening.do(Bid("West", 10, 14.0))  # raising one's own call is fine
    assert evening.refused(Bid("East", 11, 70.0)) == "sand_out"  # before the clock has said so
    evening.do(Sand(70.0))
    assert evening.refused(Bid("East", 11, 71.0)) == "sand_out"
    assert evening.state.high == BidMade("West", 10, 14.0)
    assert evening.state.phase == "play"


def test_an_edge_that_arrives_after_a_later_call_still_counts() -> None:
    evening = Evening()
    evening.do(Lay(EASY))
    evening.do(Turn(0.0))
    evening.do(Bid("East", 7, 20.02))
    evening.do(Bid("West", 8, 20.01))
    assert evening.state.high == BidMade("West", 8, 20.01)


def test_the_sand_runs_as_long_as_agreed() -> None:
    evening = Evening(hourglass=90)
    assert evening.refused(Sand(90.0)) == "sand_not_running"
    evening.do(Lay(EASY))
    evening.do(Turn(12.3))
    assert evening.refused(Sand(102.2)) == "sand_left"
    assert game.due(evening.state) == (12.3 + 90, Sand(12.3 + 90))
    evening.do(Bid("East", 7, 102.29))
    evening.do(Sand(102.3))
    assert game.due(evening.state) is None


@pytest.mark.parametrize("at", [float("nan"), float("inf"), -1.0])
def test_times_that_cannot_be(at: float) -> None:
    evening = Evening()
    evening.do(Lay(EASY))
    assert evening.refused(Turn(at)) == "bad_time"
    evening.do(Turn(5.0))
    assert evening.refused(Bid("East", 7, at)) in ("too_early", "sand_out")
    assert evening.refused(Sand(at)) in ("bad_time", "sand_left")


def test_a_setup_without_a_call_is_void() -> None:
    evening = Evening()
    evening.round("East", 8, 7)  # East missed: silenced, and East sets up next
    assert (evening.state.setter, evening.state.silenced) == ("East", "East")
    evening.auction()
    assert evening.state.phase == "lay"
    assert evening.state.situation is None
    assert (evening.state.setter, evening.state.silenced) == ("East", "East")
    assert evening.state.settled == 1
    assert evening.refused(Turn(evening.time)) == "nothing_laid"
    evening.do(Lay(EASY))
    evening.do(Turn(evening.time))
    assert evening.refused(Bid("East", 9, evening.time + 1)) == "silenced"
    evening.do(Bid("South", 9, evening.time + 1))
    evening.do(Sand(evening.time + 60))
    evening.do(Result(9))
    assert evening.state.silenced is None


def test_with_two_players_one_silenced_the_other_may_call_alone() -> None:
    evening = Evening(("North", "East"))
    evening.round("North", 20, 3)
    evening.round("East", 4, 4)
    assert evening.chips == {"North": 4, "East": 8}


# Result, settlement, reveal


def test_reached_takes_a_chip_from_everybody() -> None:
    evening = Evening()
    events = evening.round("East", 8, 8)
    settled = next(event for event in events if isinstance(event, ChipsSettled))
    assert settled.paid == (
        Payment("South", "East", 1),
        Payment("West", "East", 1),
        Payment("North", "East", 1),
    )
    assert evening.chips == {"North": 9, "East": 13, "South": 9, "West": 9}
    assert evening.state.silenced is None
    assert evening.state.setter == "East"  # the left neighbour of North
    assert evening.state.phase == "reveal"


def test_missed_pays_everybody_and_is_silenced_for_one_round() -> None:
    evening = Evening()
    evening.round("South", 8, 7)
    assert evening.chips == {"North": 11, "East": 11, "South": 7, "West": 11}
    assert evening.state.silenced == "South"
    evening.round("North", 5, 5)
    assert evening.chips == {"North": 14, "East": 10, "South": 6, "West": 10}  # silence still pays
    assert evening.state.silenced is None
    evening.round("East", 9, 2)
    assert evening.state.silenced == "East"
    assert evening.state.setter == "West"  # three rounds from North


def test_nobody_goes_below_zero() -> None:
    evening = Evening(("North", "East", "South"))
    evening.state = replace(evening.state, chips=(22, 1, 1))
    events = evening.round("East", 8, 7)
    (settled,) = [event for event in events if isinstance(event, ChipsSettled)]
    assert settled.paid == (Payment("East", "South", 1),)  # the left neighbour first, then nothing is left
    assert evening.state.chips == (22, 0, 2)
    evening.round("North", 5, 5)
    assert evening.state.chips == (23, 0, 1)  # East has nothing to pay with
    evening.round("East", 5, 5)  # and may still bid
    assert evening.state.chips == (22, 2, 0)


def test_a_result_is_taken_as_it_is() -> None:
    evening = Evening()
    assert evening.refused(Result(3)) == "no_play"
    evening.auction(("East", 20))
    assert evening.refused(Result(-1)) == "bad_result"
    assert evening.refused(Result(22)) == "bad_result"
    assert evening.refused(Result(3, at=1.0)) == "bad_time"
    events = evening.do(Result(21, at=75.0))
    assert [to_json(event)[0] for event in events] == ["result_entered", "chips_settled", "revealed"]
    assert evening.state.at == 75.0
    assert evening.refused(Result(3)) == "no_play"


def test_the_reveal_is_what_the_solver_proves() -> None:
    evening = Evening()
    (revealed,) = [event for event in evening.round("East", 8, 8) if isinstance(event, Revealed)]
    solution = solver.solve(EASY)
    assert (revealed.best, revealed.moves, revealed.situation) == (solution.best, solution.moves, EASY)
    assert revealed.best == 21


def test_the_next_round_follows_the_reveal() -> None:
    evening = Evening()
    evening.round("East", 8, 8)
    assert evening.refused(Turn(evening.time)) == "nothing_laid"
    evening.do(Lay(OTHER))
    state = evening.state
    assert (state.phase, state.situation, state.bids, state.result, state.revealed, state.paid) == (
        "lay",
        OTHER,
        (),
        None,
        None,
        (),
    )


# Endings


def test_a_game_of_rounds() -> None:
    evening = Evening(ending=Ending("rounds", 2))
    evening.round("East", 8, 8)
    assert evening.state.over is None
    evening.auction()  # a void set-up is no round
    *_, last = evening.round("West", 8, 8)
    assert last == GameOver("rounds", ("East", "West"))  # equal players share the win
    assert evening.state.phase == "over"
    assert evening.state.revealed is not None
    for command in (Lay(EASY), Turn(999.0), Bid("East", 7, 999.0), Sand(999.0), Result(3), TimeUp(999.0)):
        assert evening.refused(command) == "game_over"


def test_a_game_of_minutes_finishes_its_round() -> None:
    evening = Evening(ending=Ending("minutes", 2))
    evening.round("East", 8, 8)
    assert evening.state.phase == "reveal"
    assert game.due(evening.state) == (120.0, TimeUp(120.0))
    evening.time = 100.0
    evening.auction(("West", 5))
    assert game.due(evening.state) is None  # time is over, the round is finished first
    *_, last = evening.do(Result(5))
    assert last == GameOver("minutes", ("East", "West"))


def test_a_game_of_minutes_ends_between_rounds() -> None:
    evening = Evening(ending=Ending("minutes", 2))
    evening.round("East", 8, 8)
    assert evening.refused(TimeUp(119.0)) == "time_left"
    evening.do(TimeUp(120.0))
    assert evening.state.over == GameOver("minutes", ("East",))
    assert game.due(evening.state) is None


def test_a_void_setup_after_the_time_ends_the_game() -> None:
    evening = Evening(ending=Ending("minutes", 1))
    evening.time = 30.0
    evening.auction()  # nobody calls, and the sand has run out at 90 s
    assert evening.state.over == GameOver("minutes", SEATS)
    assert game.due(evening.state) is None


def test_no_game_of_minutes_ends_during_a_round() -> None:
    evening = Evening(ending=Ending("minutes", 1))
    evening.do(Lay(EASY))
    assert evening.refused(TimeUp(61.0)) == "time_left"
    assert Evening().refused(TimeUp(1e6)) == "time_left"


def test_a_game_until_somebody_is_broke() -> None:
    evening = Evening(("North", "East"), ending=Ending("broke", None))
    for _ in range(5):
        evening.round("East", 5, 5)
    assert evening.state.over is None
    evening.round("East", 5, 5)
    assert evening.chips == {"North": 0, "East": 12}
    assert evening.state.over == GameOver("broke", ("East",))


@pytest.mark.parametrize("edition", ["fr", "de"])
def test_a_game_until_somebody_has_doubled(edition: str) -> None:
    evening = Evening(("North", "East", "South"), ending=Ending("doubled", None), edition=edition)
    for _ in range(3):
        evening.round("North", 5, 5)
    assert evening.state.over is None  # 14 of 16
    evening.round("North", 5, 5)
    assert evening.state.over == GameOver("doubled", ("North",))


@pytest.mark.parametrize(("edition", "winners"), [("fr", ("South",)), ("de", ("East", "South"))])
def test_who_wins_where_two_have_doubled(edition: EditionName, winners: tuple[str, ...]) -> None:
    state = Evening(edition=edition, ending=Ending("doubled", None)).state
    (over,) = settling.game_over(state, (0, 20, 21, 0), settled=5, at=600.0)
    assert over == GameOver("doubled", winners)


# Refusals and events as text


def test_every_refusal_is_used_and_says_one_whole_sentence() -> None:
    folder = Path(game.__file__).parent
    source = "\n".join(file.read_text(encoding="utf-8") for file in folder.glob("*.py"))
    used = set(re.findall(r'Refused\(\s*"(\w+)"', source)) | {"equal_bid", "low_bid"}
    assert used == set(SENTENCES)
    for sentence in SENTENCES.values():
        assert re.fullmatch(r"[A-Z%“].*\.", sentence), sentence


def test_a_refusal_carries_what_a_translator_needs() -> None:
    refusal = Refused("equal_bid", seat="East", points=7)
    assert str(refusal) == "East has called 7 already: of equal calls the earlier one counts."
    assert refusal.template % refusal.values == str(refusal)
    assert isinstance(refusal, CoronaError)


@pytest.mark.parametrize(
    ("name", "data", "why"),
    [
        ("bid_unmade", {}, "no event “bid_unmade” in this version"),
        ("bid_made", {"seat": "East"}, "“bid_made” is damaged: 'points'"),
        ("situation_laid", {"situation": "5-1"}, "“situation_laid” is damaged"),
        ("situation_laid", {"situation": None}, "“situation_laid” is damaged"),
        ("revealed", {"situation": "500000100000-666666", "best": 1, "moves": [{"from": "Z"}]}, "damaged"),
        ("game_started", {"seats": 5}, "damaged"),
    ],
)
def test_a_stored_event_that_cannot_be_read(name: str, data: dict[str, object], why: str) -> None:
    with pytest.raises(match=why):
        from_json(name, data)


def test_endings_have_the_words_of_the_files() -> None:
    evening = Evening(ending=Ending("broke", None))
    assert to_json(evening.events[0])[1]["ending"] == {"broke": True}
    assert to_json(Evening().events[0])[1]["ending"] == {"rounds": 10}


# Any evening at all

EVENINGS = st.lists(
    st.one_of(
        st.just("lay"),
        st.just("turn"),
        st.just("sand"),
        st.just("time_up"),
        st.tuples(st.sampled_from([*SEATS, "Nobody"]), st.integers(-1, 23), st.floats(0, 70)),
        st.integers(-1, 22),
    ),
    max_size=60,
)
ENDINGS = st.sampled_from(
    [Ending("rounds", 3), Ending("minutes", 4), Ending("broke", None), Ending("doubled", None)]
)


def commands_of(steps: list[object]) -> list[Command]:
    """Commands in an order that often makes sense, at times that pass."""
    commands: list[Command] = []
    time, turned = 0.0, 0.0
    for step in steps:
        match step:
            case "lay":
                commands.append(Lay(OTHER))
            case "turn":
                commands.append(Turn(time))
                turned = time
            case "sand":
                time = max(time, turned + 60)
                commands.append(Sand(time))
            case "time_up":
                commands.append(TimeUp(time))
            case (str(seat), int(points), float(after)):
                commands.append(Bid(seat, points, turned + after))
            case int(points):
                commands.append(Result(points))
    return commands


ROUND = ["lay", "turn", ("East", 7, 1.0), "sand", 6]


@settings(deadline=None)
@given(EVENINGS, ENDINGS, st.sampled_from(["fr", "de"]), st.integers(0, 3))
def test_any_evening_keeps_its_chips_and_replays(
    steps: list[object], ending: Ending, edition: str, rounds: int
) -> None:
    evening = Evening(ending=ending, edition=edition)
    chips = sum(evening.state.chips)
    for command in commands_of([*ROUND * rounds, *steps]):
        try:
            evening.do(command)
        except Refused:
            continue
        state = evening.state
        assert sum(state.chips) == chips
        assert min(state.chips) >= 0
        assert all(one.points < other.points for one, other in pairwise(state.bids))
        assert (state.revealed is not None) <= (state.phase in ("reveal", "over"))
        assert (state.over is not None) == (state.phase == "over")
    assert replayed(evening.events) == evening.state


def replayed(events: list[Event]) -> State:
    """The state from the events as they are stored."""
    state = game.new()
    for event in events:
        name, data = to_json(event)
        again = from_json(name, json.loads(json.dumps(data)))
        assert again == event
        state = game.evolve(state, again)
    return state


@given(
    st.lists(st.tuples(st.sampled_from(SEATS), st.integers(0, 21), st.floats(-5, 70)), max_size=20),
    st.sampled_from([None, *SEATS]),
)
def test_any_auction_goes_to_the_highest_call_and_of_equals_to_the_earlier(
    calls: list[tuple[str, int, float]], silenced: str | None
) -> None:
    evening = Evening()
    evening.state = replace(evening.state, silenced=silenced)
    evening.do(Lay(EASY))
    evening.do(Turn(0.0))
    for seat, points, at in calls:
        try:
            evening.do(Bid(seat, points, at))
        except Refused:
            continue
    counted = [call for call in calls if call[0] != silenced and call[1] >= 1 and 0 <= call[2] < 60]
    winner = max(counted, key=lambda call: call[1], default=None)  # max keeps the first of equals
    assert evening.state.high == (None if winner is None else BidMade(*winner))


# The secret


def test_the_best_score_is_not_even_known_before_the_result(monkeypatch: pytest.MonkeyPatch) -> None:
    solve = solver.solve
    asked: list[object] = []
    monkeypatch.setattr(solver, "solve", lambda situation: asked.append(situation) or solve(situation))
    evening = Evening()
    evening.auction(("East", 8))
    assert asked == []
    evening.refused(Result(99))
    assert asked == []
    assert not any("best" in json.dumps(to_json(event)) for event in evening.events)
    evening.do(Result(8))
    assert asked == [EASY]
