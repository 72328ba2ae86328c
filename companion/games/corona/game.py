"""A game of Corona: what a command leads to (`decide`), and what time alone brings (`due`).

Commands, events, state and `evolve` live beside this and are named here too: a game is this one module.
Times `at` are seconds since the game began and are passed in; nothing here reads a clock.
"""

from __future__ import annotations

import math
from typing import assert_never

from companion.games.corona import settling, solver
from companion.games.corona.commands import Bid, Command, Lay, Result, Sand, Start, TimeUp, Turn
from companion.games.corona.events import (
    BidMade,
    ChipsSettled,
    Ending,
    Event,
    GameStarted,
    HourglassTurned,
    ResultEntered,
    Revealed,
    SandRanOut,
    SituationLaid,
    from_json,
    to_json,
)
from companion.games.corona.refused import Refused
from companion.games.corona.rules import COLOURS, DICE, EDITIONS, MOST_POINTS, starting_chips
from companion.games.corona.state import Phase, State, evolve, new

__all__ = [
    "Bid",
    "Command",
    "Ending",
    "Event",
    "Lay",
    "Phase",
    "Refused",
    "Result",
    "Sand",
    "Start",
    "State",
    "TimeUp",
    "Turn",
    "begins",
    "decide",
    "due",
    "evolve",
    "from_json",
    "new",
    "to_json",
]

LEAST_SECONDS, MOST_SECONDS = 10, 300
MOST_CALLED = 99
"""Any call from 1 up is fine; this keeps slips of the finger off the screen."""
LONGEST_NAME = 30
_TICK = 1e-6
"""Seconds by which sums of times may miss each other."""


def begins(command: Command) -> bool:
    """Whether `command` begins a game of its own."""
    return isinstance(command, Start)


def due(state: State) -> tuple[float, Command] | None:
    """The command that time alone will bring, and when; None when nothing runs."""
    if state.sand_ends is not None:
        return state.sand_ends, Sand(state.sand_ends)
    between = state.phase == "reveal" or (state.phase == "lay" and state.situation is None)
    if between and state.ending.kind == "minutes":
        # A last round that went on beyond the minutes ends the game itself, by its result.
        end = max(state.at, settling.minutes_end(state.ending))
        return end, TimeUp(end)
    return None


def decide(state: State, command: Command) -> tuple[Event, ...]:
    """What happens when `command` comes now; raises `Refused` with the reason, and then nothing happens."""
    match command:
        case Start():
            return _start(state, command)
        case Lay():
            return _lay(state, command)
        case Turn():
            return _turn(state, command)
        case Bid():
            return _bid(state, command)
        case Sand():
            return _sand(state, command)
        case Result():
            return _result(state, command)
        case TimeUp():
            return _time_up(state, command)
        case _:
            assert_never(command)


def _start(state: State, command: Start) -> tuple[Event, ...]:
    if state.phase != "start":
        raise Refused("already_started")
    seats = command.seats
    if len(seats) < 2:
        raise Refused("few_seats")
    for name in seats:
        if not (name.isprintable() and name == name.strip() and 1 <= len(name) <= LONGEST_NAME):
            raise Refused("bad_name", most=LONGEST_NAME)
        if seats.count(name) > 1:
            raise Refused("same_name", name=name)
    if command.first not in seats:
        raise Refused("first_unknown", name=command.first)
    if command.edition not in EDITIONS:
        raise Refused("bad_edition", edition=command.edition)
    if len(command.colours) != DICE or len(set(command.colours) & set(COLOURS)) != DICE:
        raise Refused("bad_colours", known=", ".join(COLOURS))
    if not LEAST_SECONDS <= command.hourglass <= MOST_SECONDS:
        raise Refused("bad_hourglass", least=LEAST_SECONDS, most=MOST_SECONDS, seconds=command.hourglass)
    if not settling.sound(command.ending):
        raise Refused("bad_ending")
    return (
        GameStarted(
            seats=seats,
            first=command.first,
            edition=command.edition,
            colours=command.colours,
            hourglass=command.hourglass,
            ending=command.ending,
            chips=starting_chips(len(seats)),
        ),
    )


def _going_on(state: State) -> None:
    if state.phase == "start":
        raise Refused("not_started")
    if state.phase == "over":
        raise Refused("game_over")


def _lay(state: State, command: Lay) -> tuple[Event, ...]:
    _going_on(state)
    if state.phase == "auction":
        raise Refused("lay_auction")
    if state.phase == "play":
        raise Refused("lay_play")
    if not command.situation.is_start:
        raise Refused("lay_midplay")
    return (SituationLaid(command.situation),)


def _turn(state: State, command: Turn) -> tuple[Event, ...]:
    _going_on(state)
    if state.phase == "auction":
        raise Refused("already_turned")
    if state.phase == "play":
        raise Refused("lay_play")
    if state.phase == "reveal" or state.situation is None:
        raise Refused("nothing_laid")
    return (HourglassTurned(_time(state, command.at)),)


def _time(state: State, at: float) -> float:
    if not math.isfinite(at) or at < state.at - _TICK:
        raise Refused("bad_time")
    return at


def _bid(state: State, command: Bid) -> tuple[Event, ...]:
    _going_on(state)
    if command.seat not in state.seats:
        raise Refused("unknown_seat", seat=command.seat)
    if state.phase == "play":
        raise Refused("sand_out")
    if state.phase != "auction" or state.turned is None:
        raise Refused("no_auction")
    # Not compared with the last call's time: a button's edge may arrive after a later call from a phone.
    if not math.isfinite(command.at) or command.at < state.turned:
        raise Refused("too_early")
    if command.at >= state.turned + state.hourglass:
        raise Refused("sand_out")
    if command.seat == state.silenced:
        raise Refused("silenced", seat=command.seat)
    if not 1 <= command.points <= MOST_CALLED:
        raise Refused("bad_points", most=MOST_CALLED)
    if state.high is not None and command.points <= state.high.points:
        code = "equal_bid" if command.points == state.high.points else "low_bid"
        raise Refused(code, seat=state.high.seat, points=state.high.points)
    return (BidMade(command.seat, command.points, command.at),)


def _sand(state: State, command: Sand) -> tuple[Event, ...]:
    _going_on(state)
    if state.sand_ends is None:
        raise Refused("sand_not_running")
    if _time(state, command.at) < state.sand_ends - _TICK:
        raise Refused("sand_left")
    return (SandRanOut(command.at),)


def _result(state: State, command: Result) -> tuple[Event, ...]:
    _going_on(state)
    if state.phase != "play" or state.high is None or state.situation is None or state.setter is None:
        raise Refused("no_play")
    if not 0 <= command.points <= MOST_POINTS:
        raise Refused("bad_result", most=MOST_POINTS)
    at = state.at if command.at is None else _time(state, command.at)
    player = state.high.seat
    won = command.points >= state.high.points
    settled = ChipsSettled(
        paid=settling.payments(state.seats, state.chips, player, won),
        silenced=None if won else player,
        setter=settling.left_of(state.seats, state.setter),
    )
    # Only now, with the play over, is the best score worked out: before, there is nothing to leak.
    solution = solver.solve(state.situation)
    revealed = Revealed(state.situation, solution.best, solution.moves)
    chips = settling.after(state.seats, state.chips, settled.paid)
    over = settling.game_over(state.ending, state.edition, state.seats, chips, state.settled + 1, at)
    return (ResultEntered(command.points, at), settled, revealed, *over)


def _time_up(state: State, command: TimeUp) -> tuple[Event, ...]:
    _going_on(state)
    coming = due(state)
    if coming is None or not isinstance(coming[1], TimeUp) or _time(state, command.at) < coming[0] - _TICK:
        raise Refused("time_left")
    return settling.game_over(state.ending, state.edition, state.seats, state.chips, state.settled, coming[0])
