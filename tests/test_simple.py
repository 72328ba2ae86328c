"""Simple players: what they find can be played, they bid no more than that, and skill is tries a second."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.corona import game, notation
from companion.games.corona.rules import Situation, legal_moves, play
from companion.games.corona.simple import TEMPERS, Found, Temper, call, ready, think
from companion.games.corona.solver import best
from companion.games.corona.state import State

LAID = notation.read("200010201000-366421")
fields = st.lists(st.integers(0, 11), min_size=6, max_size=6)
dice = st.tuples(*[st.integers(1, 6)] * 6)
situations = st.builds(
    lambda where, pips: Situation(tuple(where.count(field) for field in range(12)), pips), fields, dice
)
tempers = st.sampled_from(list(TEMPERS.values()))


def after(state: State, *commands: game.Command) -> State:
    for command in commands:
        for event in game.decide(state, command):
            state = game.evolve(state, event)
    return state


def auction(*bids: tuple[str, int]) -> State:
    """A game of three in its auction, after these calls."""
    calls = [game.Bid(seat, points, 5.0) for seat, points in bids]
    start = game.Start(("Ann", "Ben", "Cleo"), "Ann")
    return after(game.new(), start, game.Lay(LAID), game.Turn(1.0), *calls)


@settings(max_examples=60)
@given(situations, st.text(), st.integers(0, 12))
def test_what_is_found_can_be_played_and_scores_what_it_says(
    situation: Situation, seed: str, tries: int
) -> None:
    found = think(situation, seed, tries)
    scored = 0
    for move in found.line:
        assert move in list(legal_moves(situation))
        situation = play(situation, move)
        scored += move.points
    assert scored == found.points
    assert not found.line or found.line[-1].points
    assert found.tries == tries


@settings(max_examples=40)
@given(situations, st.text(), st.integers(0, 12), st.integers(0, 12))
def test_the_same_seed_thinks_the_same_and_goes_on_where_it_was(
    situation: Situation, seed: str, some: int, more: int
) -> None:
    first = think(situation, seed, some)
    at_once = think(situation, seed, some + more)
    assert think(situation, seed, some + more, first) == at_once
    assert at_once.points >= first.points
    assert think(situation, seed, some, at_once) == at_once  # what is known stays known


def test_in_mid_play_only_what_waits_is_moved() -> None:
    midplay = play(LAID, think(LAID, "Ann", 5).line[0])
    found = think(midplay, "Ann", 20)
    assert found.points <= best(midplay)
    assert all(midplay.dice[move.die] for move in found.line)


@settings(max_examples=60)
@given(tempers, st.integers(0, 21), st.one_of(st.none(), st.integers(1, 22)))
def test_nobody_bids_beyond_what_was_found_or_below_the_highest_call(
    temper: Temper, points: int, high: int | None
) -> None:
    state = auction(("Ann", high)) if high else auction()
    called = call(temper, Found((), points, 1), state, "Ben")
    if called is not None:
        assert (high or 0) < called <= points
        assert game.decide(state, game.Bid("Ben", called, 6.0))
    elif not temper.kept_back:
        assert points <= (high or 0)


def test_tempers_bid_as_they_are() -> None:
    found, high = Found((), 12, 1), auction(("Ann", 8))
    assert call(TEMPERS["quick"], found, high, "Ben") == 9
    assert call(TEMPERS["bold"], found, high, "Ben") == 12
    assert call(TEMPERS["quick"], found, auction(), "Ben") == 7
    assert call(TEMPERS["quick"], Found((), 4, 1), auction(), "Ben") == 4
    assert call(TEMPERS["careful"], found, auction(("Ann", 11)), "Ben") is None
    assert call(TEMPERS["careful"], found, auction(("Ann", 10)), "Ben") == 11


def test_who_is_silenced_holds_the_bid_or_is_late_keeps_silent() -> None:
    found, bold = Found((), 20, 1), TEMPERS["bold"]
    state = auction(("Ann", 8))
    assert call(bold, found, state, "Ann") is None
    state = after(state, game.Sand(61.0), game.Result(0, 70.0))
    assert call(bold, found, state, "Ben") is None  # the play is over
    state = after(state, game.Lay(LAID), game.Turn(80.0))
    assert state.silenced == "Ann"
    assert call(bold, found, state, "Ann") is None
    assert call(bold, found, state, "Ben") == 20


@given(tempers, st.text())
def test_nobody_calls_before_a_first_look_or_at_once_after_a_call(temper: Temper, seed: str) -> None:
    assert ready(temper, seed, 100.0, None) == 100.0 + temper.first
    (bid,) = auction(("Ann", 8)).bids
    wait = ready(temper, seed, -100.0, bid) - bid.at
    assert 0.5 * temper.pause - 1e-9 <= wait <= 1.5 * temper.pause + 1e-9
    assert ready(temper, seed, -100.0, bid) == ready(temper, seed, -100.0, bid)


@pytest.fixture(scope="module")
def some_starts() -> list[Situation]:
    lines = ("200010201000-366421", "111111000000-123456", "500000100000-666666", "010200120000-513642")
    return [notation.read(line) for line in lines]


def test_who_tries_more_finds_more(some_starts: list[Situation]) -> None:
    mean: Counter[str] = Counter()
    for name, temper in TEMPERS.items():
        for situation in some_starts:
            for seed in range(8):
                mean[name] += think(situation, f"{name}/{seed}", int(60 * temper.tries)).points
    by_skill = sorted(TEMPERS, key=lambda name: TEMPERS[name].tries)
    assert [name for name, _ in reversed(mean.most_common())] == by_skill
    all_there_is = 8 * sum(map(best, some_starts))
    assert mean["dreamy"] > all_there_is / 2
    assert mean["keen"] < all_there_is


def test_a_move_is_as_likely_as_its_points_and_one_more() -> None:
    # Red lands on two others (3 points), blue on none; from here each is the last but for the other.
    situation = Situation((1, 0, 0, 2, 3, *[0] * 7), (3, 1, 1, 1, 1, 1))
    first = Counter(
        (move.start, move.die) for number in range(4000) for move in think(situation, str(number), 1).line[:1]
    )
    pairs = {
        (move.start, move.die): situation.waiting[move.start] * (move.points + 1)
        for move in legal_moves(situation)
    }
    # Every play from here scores, so that the first move is never cut off.
    assert first.total() == 4000
    for pair, weight in pairs.items():
        assert abs(first[pair] / 4000 - weight / sum(pairs.values())) < 0.03
