"""What is told of situations that somebody asks about: nothing that helps in the round that is open."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.corona import game, notation
from companion.games.corona.asked import (
    AfterTheRound,
    daily,
    drawn,
    follows,
    look_up,
    on_setup,
    puzzle_back,
    setups,
)
from companion.games.corona.chances import THROWS
from companion.games.corona.commands import Bid, Command, Done, Lay, Sand, Start, Step, Turn
from companion.games.corona.rules import DEFAULT_COLOURS, Situation, find_move, legal_moves, play
from companion.games.corona.solver import best
from companion.games.corona.state import State
from tests.test_solver import any_situation

LAID = notation.read("111111000000-123456")
OTHER = notation.read("500000100000-666666")
AUCTION = (Lay(LAID), Turn(10.0), Bid("East", 7, 12.0))
PLAY = (*AUCTION, Sand(70.0), Step(0, 0))


def after(*commands: Command) -> State:
    state = game.new()
    for command in (Start(("North", "East"), "North"), *commands):
        for event in game.decide(state, command):
            state = game.evolve(state, event)
    return state


def told(state: State, situation: Situation, *steps: tuple[int, int]) -> int:
    """The best that somebody is told who asks about a play of (field, die) steps."""
    moves, now = [], situation
    for step in steps:
        moves.append(find_move(now, *step))
        now = play(now, moves[-1])
    return int(look_up(state, situation, moves, DEFAULT_COLOURS)["best"])


OPEN = {"laid": after(Lay(LAID)), "auction": after(*AUCTION), "play": after(*PLAY)}


def turned(situation: Situation, by: int, dice: list[int]) -> Situation:
    """The board turned, and the dice in another order of colours."""
    waiting, moved = situation.waiting, situation.moved
    return Situation(
        waiting[by:] + waiting[:by], tuple(situation.dice[k] for k in dice), moved[by:] + moved[:by]
    )


def as_it_lies(situation: Situation) -> tuple[object, ...]:
    """What there is to see for somebody who knows no colours."""
    return situation.waiting, situation.moved, tuple(sorted(situation.dice))


def reached(situation: Situation) -> set[Situation]:
    """All that play can make of a situation, itself among them."""
    found, new = {situation}, [situation]
    while new:
        at = new.pop()
        after = {play(at, move) for move in legal_moves(at)} - found
        found |= after
        new += after
    return found


SITUATIONS = st.integers(min_value=0).map(any_situation)


@settings(deadline=None)
@given(SITUATIONS, st.data(), st.integers(0, 11), st.permutations(range(6)))
def test_what_play_leads_to_follows_however_it_is_turned(
    first: Situation, data: st.DataObject, by: int, order: list[int]
) -> None:
    then = first
    for _ in range(data.draw(st.integers(0, 6 - sum(first.moved)))):
        then = play(then, data.draw(st.sampled_from(list(legal_moves(then)))))
    assert follows(turned(then, by, order), first)


@settings(deadline=None, max_examples=40)
@given(SITUATIONS, SITUATIONS)
def test_nothing_else_follows(first: Situation, other: Situation) -> None:
    """Against all that can be reached; asked are also situations that lie near."""
    while sum(first.moved) < 3:
        first = play(first, next(legal_moves(first)))
    every = {as_it_lies(turned(one, by, [*range(6)])) for one in reached(first) for by in range(12)}
    near = [
        replace(one, waiting=one.waiting[k:] + one.waiting[:k]) for one in (first, other) for k in range(12)
    ]
    near += [replace(one, dice=tuple(pips and pips % 6 + 1 for pips in one.dice)) for one in near]
    for one in near:
        assert follows(one, first) == (as_it_lies(one) in every)


@pytest.mark.parametrize("phase", OPEN)
@pytest.mark.parametrize("by", [0, 1, 7])
def test_the_round_that_is_open_is_not_told(phase: str, by: int) -> None:
    state = OPEN[phase]
    with pytest.raises(AfterTheRound):
        told(state, turned(LAID, by, [5, 0, 3, 1, 2, 4]))
    with pytest.raises(AfterTheRound):
        on_setup(state, turned(LAID, by, [*range(6)]).waiting)
    assert len(setups(state)) == 1_037
    assert told(state, OTHER) == best(OTHER)


@pytest.mark.parametrize("phase", OPEN)
def test_nor_is_what_follows_from_it(phase: str) -> None:
    for move in legal_moves(LAID):
        with pytest.raises(AfterTheRound):
            told(OPEN[phase], turned(play(LAID, move), 5, [*range(6)]))


def test_nor_does_a_line_from_elsewhere_tell_it() -> None:
    """Its best line comes by what moves can make of the situation on the table."""
    laid, elsewhere = notation.read("023100000000-312323"), notation.read("113100000000-232323")
    assert not follows(elsewhere, laid)
    with pytest.raises(AfterTheRound):
        told(after(Lay(laid)), elsewhere)


@pytest.mark.parametrize("state", [game.new(), after(*PLAY, Done())])
def test_between_rounds_everything_is_told(state: State) -> None:
    assert told(state, LAID) == best(LAID)
    assert sum(on_setup(state, LAID.waiting)["cases"]) == THROWS
    assert len(setups(state)) == 1_038


def test_while_somebody_sets_up_no_situation_is_told() -> None:
    """Nobody can know what will lie there; the set-ups are still there for the setter to choose from."""
    state = after()
    assert (state.phase, state.situation) == ("lay", None)
    with pytest.raises(AfterTheRound):
        told(state, OTHER)
    assert sum(on_setup(state, OTHER.waiting)["cases"]) == THROWS


def test_nor_do_moves_that_somebody_adds() -> None:
    """The play of another start that comes by what can become of the situation on the table."""
    laid, elsewhere = notation.read("202200000000-322111"), notation.read("211200000000-232112")
    assert not follows(elsewhere, laid)
    apart = after(Lay(LAID))
    steps: list[tuple[int, int]] = []
    now = elsewhere
    for move in look_up(game.new(), elsewhere, (), DEFAULT_COLOURS)["moves"]:
        steps.append(("ABCDEFGHIJKL".index(move["from"]), DEFAULT_COLOURS.index(move["colour"])))
        now = play(now, find_move(now, *steps[-1]))
        if follows(now, laid):
            break
    assert told(apart, elsewhere, *steps) == best(elsewhere)
    with pytest.raises(AfterTheRound):
        told(after(Lay(laid)), elsewhere, *steps)


def test_a_puzzle_that_lies_on_the_table_waits() -> None:
    puzzle = drawn(game.new(), "anything", 3)
    situation = notation.read(puzzle["situation"])
    assert puzzle.keys() == {"situation", "level", "tries"}  # and not its best
    laid = after(Lay(turned(situation, 3, [2, 1, 0, 5, 4, 3])))
    with pytest.raises(AfterTheRound):
        drawn(laid, "anything", 3)
    with pytest.raises(AfterTheRound):
        puzzle_back(laid, situation, (), DEFAULT_COLOURS)
    assert drawn(laid, "another", 3) == drawn(game.new(), "another", 3)
    day = date(2026, 11, 21)
    with pytest.raises(AfterTheRound):
        daily(after(Lay(notation.read(daily(game.new(), day)["situation"]))), day)


def test_a_puzzle_can_be_looked_back_on_while_somebody_sets_up() -> None:
    """It was drawn, and not chosen for what somebody is about to lay."""
    assert puzzle_back(after(), OTHER, (), DEFAULT_COLOURS)["best"] == 21


@pytest.mark.parametrize("state", OPEN.values(), ids=OPEN)
def test_another_throw_on_the_pieces_of_the_table_tells_nothing_of_them(state: State) -> None:
    thrown = turned(replace(LAID, dice=(6, 6, 6, 6, 6, 6)), 5, [*range(6)])
    answer = look_up(state, thrown, (), DEFAULT_COLOURS)
    assert answer["best"] == best(thrown)
    assert answer["chances"] is None
    assert look_up(state, OTHER, (), DEFAULT_COLOURS)["chances"]
