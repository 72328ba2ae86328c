"""The set-up and the auction: laying, turning the hourglass, calls, and the sand that runs out."""

from __future__ import annotations

import math

from companion.games.corona import settling
from companion.games.corona.checks import TICK, going_on, time_of
from companion.games.corona.commands import Bid, Cancel, Lay, Press, Sand, Turn
from companion.games.corona.events import (
    BidMade,
    Event,
    HourglassCancelled,
    HourglassTurned,
    SandRanOut,
    SituationLaid,
)
from companion.games.corona.refused import Refused
from companion.games.corona.state import State

MOST_CALLED = 99
"""Any call from 1 up is fine; this keeps slips of the finger off the screen."""
RACE_S = 0.25
"""A press so soon after somebody else's raise was meant against the call before it, and does not bid."""


def lay(state: State, command: Lay) -> tuple[Event, ...]:
    """What lies on the table is what this round is about, until the hourglass is turned."""
    going_on(state)
    if state.phase == "auction":
        raise Refused("lay_auction")
    if state.phase == "play":
        raise Refused("lay_play")
    if not command.situation.is_start:
        raise Refused("lay_midplay")
    return (SituationLaid(command.situation),)


def turn(state: State, command: Turn) -> tuple[Event, ...]:
    """The hourglass is turned, and the auction begins."""
    going_on(state)
    if state.phase == "auction":
        raise Refused("already_turned")
    if state.phase == "play":
        raise Refused("lay_play")
    if state.phase == "reveal" or state.situation is None:
        raise Refused("nothing_laid")
    return (HourglassTurned(time_of(state, command.at)),)


def cancel(state: State, command: Cancel) -> tuple[Event, ...]:
    """The hourglass was turned too early: the situation stays, the calls are void."""
    going_on(state)
    if state.phase != "auction":
        raise Refused("nothing_to_cancel")
    return (HourglassCancelled(time_of(state, command.at), command.lost),)


def bid(state: State, command: Bid) -> tuple[Event, ...]:
    """A call by name and number."""
    _may_bid(state, command.seat, command.at)
    if not 1 <= command.points <= MOST_CALLED:
        raise Refused("bad_points", most=MOST_CALLED)
    if state.high is not None and command.points <= state.high.points:
        code = "equal_bid" if command.points == state.high.points else "low_bid"
        raise Refused(code, seat=state.high.seat, points=state.high.points)
    return (BidMade(command.seat, command.points, command.at),)


def press(state: State, command: Press) -> tuple[Event, ...]:
    """A press raises the highest call by one; nobody is bound by a race."""
    _may_bid(state, command.seat, command.at)
    high = state.high
    # Also a press before that raise which was heard of only after it.
    if high is not None and high.seat != command.seat and command.at < high.at + RACE_S:
        raise Refused("raced", seat=high.seat, points=high.points)
    points = state.opening if high is None else high.points + 1
    if points > MOST_CALLED:
        raise Refused("bad_points", most=MOST_CALLED)
    return (BidMade(command.seat, points, command.at),)


def _may_bid(state: State, seat: str, at: float) -> None:
    going_on(state)
    if seat not in state.seats:
        raise Refused("unknown_seat", seat=seat)
    if state.phase == "play":
        raise Refused("sand_out")
    if state.phase != "auction" or state.turned is None:
        raise Refused("no_auction")
    # Not compared with the last call's time: a button's edge may arrive after a later call from a phone.
    if not math.isfinite(at) or at < state.turned:
        raise Refused("too_early")
    if at >= state.turned + state.hourglass:
        raise Refused("sand_out")
    if seat == state.silenced:
        raise Refused("silenced", seat=seat)


def sand(state: State, command: Sand) -> tuple[Event, ...]:
    """The sand has run out: the highest call plays; without one the set-up was void."""
    going_on(state)
    if state.sand_ends is None:
        raise Refused("sand_not_running")
    if math.isfinite(command.at) and command.at < state.sand_ends - TICK:
        raise Refused("sand_left")
    time_of(state, command.at)
    ended = SandRanOut(command.at)
    return (ended,) if state.bids else (ended, *settling.time_over(state, command.at))
