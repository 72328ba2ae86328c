"""What people see: the shape of it, and that the best score is nowhere in it before the reveal."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.corona import game, notation, solver
from companion.games.corona.commands import Bid, Command, Done, Lay, Result, Sand, Start, Step, Turn
from companion.games.corona.events import Ending, Revealed
from companion.games.corona.solver import Solution
from companion.games.corona.state import State
from companion.games.corona.view import view

EASY = notation.read("500000100000-666666")
SEATS = ("North", "East", "South")


def after(*commands: Command) -> State:
    """The state after these commands of a game of three."""
    state = game.new()
    for command in (Start(SEATS, "North"), *commands):
        for event in game.decide(state, command):
            state = game.evolve(state, event)
    return state


AUCTION = (Lay(EASY), Turn(10.0), Bid("East", 7, 12.0), Bid("South", 9, 15.0))
PLAY = (*AUCTION, Sand(70.0))


def test_before_any_game() -> None:
    assert view(game.new(), "North", 0.0) == {
        "phase": "start",
        "round": 1,
        "edition": "fr",
        "hourglass": 60,
        "sand_left": None,
        "colours": ["red", "blue", "green", "yellow", "white", "black"],
        "chips_short": 0,
        "seats": [],
        "holder": None,
        "me": None,
        "situation": None,
        "bids": [],
        "high": None,
        "reveal": None,
        "over": None,
        "opening": 7,
        "ending": "rounds-10",
        "paused": False,
        "lost": False,
        "throws": [],
        "thrower": None,
        "play": None,
        "known": False,
    }


def test_the_auction() -> None:
    shown = view(after(*AUCTION), "East", 30.5)
    assert shown["phase"] == "auction"
    assert shown["sand_left"] == 39.5
    assert shown["me"] == "East"
    assert shown["situation"] == "500000100000-666666"
    assert shown["bids"] == [{"seat": "East", "points": 7}, {"seat": "South", "points": 9}]
    assert shown["high"] == {"seat": "South", "points": 9}
    assert shown["holder"] == "South"
    assert shown["seats"] == [
        {"name": "North", "chips": 8, "silenced": False, "setter": True},
        {"name": "East", "chips": 8, "silenced": False, "setter": False},
        {"name": "South", "chips": 8, "silenced": False, "setter": False},
    ]


@pytest.mark.parametrize(
    ("at", "left"), [(10.0, 60.0), (9.0, 60.0), (69.9996, 0.0), (70.0, 0.0), (99.0, 0.0)]
)
def test_the_sand_never_runs_below_nothing(at: float, left: float) -> None:
    assert view(after(*AUCTION), None, at)["sand_left"] == pytest.approx(left, abs=0.001)


def test_a_stranger_is_nobody() -> None:
    assert view(after(*AUCTION), "Somebody", 20.0)["me"] is None


def test_the_reveal() -> None:
    shown = view(after(*PLAY, Result(8)), "East", 90.0)
    assert (shown["phase"], shown["round"], shown["sand_left"]) == ("reveal", 1, None)
    reveal = shown["reveal"]
    moves, chances = reveal.pop("moves"), reveal.pop("chances")
    assert reveal == {
        "seat": "South",
        "bid": 9,
        "reached": 8,
        "won": False,
        "best": 21,
        "possible": True,
        "situation": "500000100000-666666",
        "paid": [{"from": "South", "to": "North", "chips": 1}, {"from": "South", "to": "East", "chips": 1}],
        "played": [],
    }
    assert sum(chances["cases"]) == 46_656
    assert (chances["cases"][21], chances["share"]) == (1, 1 / 46_656)
    assert 0 < chances["everywhere"] < 0.001
    assert sum(move["points"] for move in moves) == 21
    assert {move["colour"] for move in moves} == set(shown["colours"])
    assert all(set(move) == {"from", "to", "colour", "pips", "points"} for move in moves)
    assert [seat["silenced"] for seat in shown["seats"]] == [False, False, True]
    assert [seat["setter"] for seat in shown["seats"]] == [False, True, False]
    assert shown["holder"] is None


def test_the_reveal_says_where_points_were_lost() -> None:
    laid, steps = Lay(notation.read("111111000000-123456")), [Step(field, field) for field in range(4)]
    played = view(after(laid, *PLAY[1:], *steps, Done()), None, 90.0)["reveal"]["played"]
    assert [(move["points"], move["still"], move["lost"]) for move in played] == [
        (2, 16, 4),
        (2, 13, 3),
        (2, 11, 2),
        (0, 8, 3),
    ]


def test_a_round_of_an_older_log_is_shown_without_what_it_lacks() -> None:
    state = after(*PLAY, Step(0, 0), Done())
    assert state.revealed is not None
    old = replace(state, revealed=replace(state.revealed, still=(), throws=()))
    reveal = view(old, None, 90.0)["reveal"]
    assert reveal["chances"] is None
    assert [move.keys() for move in reveal["played"]] == [{"from", "to", "colour", "pips", "points"}]


def test_more_than_was_possible_is_said() -> None:
    poor = notation.read("222000000000-666666")
    best = solver.solve(poor).best
    assert best < 21
    state = after(Lay(poor), Turn(10.0), Bid("East", 7, 12.0), Sand(70.0), Result(best + 1))
    assert view(state, None, 90.0)["reveal"]["possible"] is False


def test_the_next_setup_takes_the_reveal_away() -> None:
    shown = view(after(*PLAY, Result(8), Lay(EASY)), None, 90.0)
    assert (shown["round"], shown["reveal"], shown["bids"], shown["high"]) == (2, None, [], None)


def test_the_last_reveal_stays_when_the_game_is_over() -> None:
    state = game.new()
    for command in (Start(SEATS, "North", ending=Ending("rounds", 1)), *PLAY, Result(9)):
        for event in game.decide(state, command):
            state = game.evolve(state, event)
    shown = view(state, None, 90.0)
    assert (shown["phase"], shown["round"]) == ("over", 1)
    assert shown["over"] == {"reason": "rounds", "winners": ["South"]}
    assert shown["reveal"]["best"] == 21


@pytest.mark.parametrize(
    ("players", "edition", "short"), [(6, "fr", 0), (7, "fr", 12), (7, "de", 0), (8, "de", 24)]
)
def test_a_box_that_runs_short_is_said(players: int, edition: str, short: int) -> None:
    seats = tuple(f"P{n}" for n in range(players))
    state = game.new()
    for event in game.decide(state, Start(seats, "P0", edition=edition)):  # type: ignore[arg-type]
        state = game.evolve(state, event)
    assert view(state, None, 0.0)["chips_short"] == short


# The secret


def keys(value: object) -> Iterator[str]:
    """Every key anywhere in a JSON value."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from keys(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from keys(inner)


SHOWN_BEFORE = {
    *("phase", "round", "edition", "hourglass", "sand_left", "colours", "chips_short", "seats", "me"),
    *("situation", "bids", "high", "reveal", "over", "name", "chips", "silenced", "setter", "holder"),
    *("seat", "points"),
    *("opening", "ending", "paused", "lost", "throws", "thrower", "play", "known"),
    *("board", "waiting", "dice", "moves", "markers", "pips", "colour", "field", "from", "to"),
}


@settings(deadline=None)
@given(
    st.lists(st.integers(0, 11), min_size=6, max_size=6),
    st.lists(st.integers(1, 6), min_size=6, max_size=6),
    st.lists(st.tuples(st.sampled_from(SEATS), st.integers(1, 21)), max_size=8),
    st.sampled_from([None, *SEATS]),
)
def test_before_the_reveal_nothing_depends_on_the_best(
    fields: list[int], dice: list[int], calls: list[tuple[str, int]], who: str | None
) -> None:
    line = "".join(str(fields.count(field)) for field in range(12)) + "-" + "".join(map(str, dice))
    answers = []
    for best in (0, 99):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(solver, "solve", lambda situation, best=best: Solution(best, ()))
            answers.append(shown_through_a_round(line, calls, who))
    (low, low_end), (high, high_end) = answers
    assert low == high
    assert all(set(keys(shown)) <= SHOWN_BEFORE and shown["reveal"] is None for shown in low)
    if low_end is not None and high_end is not None:  # the patch reaches the reveal, so it would be seen
        assert (low_end["reveal"]["best"], high_end["reveal"]["best"]) == (0, 99)


def shown_through_a_round(
    line: str, calls: list[tuple[str, int]], who: str | None
) -> tuple[list[dict[str, object]], dict[str, dict[str, object]] | None]:
    """Everything shown to `who` before the result, and what is shown after it (None without a call)."""
    state, shown = game.new(), []
    commands: list[Command] = [Start(SEATS, "North"), Lay(notation.read(line)), Turn(0.0)]
    commands += [Bid(seat, points, float(n)) for n, (seat, points) in enumerate(calls, start=1)]
    commands.append(Sand(60.0))
    for command in commands:
        try:
            events = game.decide(state, command)
        except game.Refused:
            continue
        for event in events:
            assert not isinstance(event, Revealed)
            state = game.evolve(state, event)
        shown.append(json.loads(json.dumps(view(state, who, 30.0))))
    if state.phase != "play":
        return shown, None
    for event in game.decide(state, Result(5)):
        state = game.evolve(state, event)
    return shown, view(state, who, 61.0)
