"""Who plays: starting a game, the throw for the first set-up, players who come and go, pauses."""

from __future__ import annotations

from companion.games.corona import settling
from companion.games.corona.checks import started, time_of
from companion.games.corona.commands import Join, Leave, Pause, Resume, Start, Throw
from companion.games.corona.events import (
    DieThrown,
    Event,
    GamePaused,
    GameResumed,
    GameStarted,
    SeatLeft,
    SeatTaken,
)
from companion.games.corona.refused import Refused
from companion.games.corona.rules import COLOURS, DICE, EDITIONS, MOST_POINTS, starting_chips
from companion.games.corona.state import State

LEAST_SECONDS, MOST_SECONDS = 10, 300
LONGEST_NAME = 30


def start(state: State, command: Start) -> tuple[Event, ...]:
    """A game begins."""
    if state.phase != "start":
        raise Refused("already_started")
    seats = command.seats
    if len(seats) < 2:
        raise Refused("few_seats")
    for place, name in enumerate(seats):
        _sound_name(name)
        if name in seats[:place]:
            raise Refused("same_name", name=name)
    if command.first is not None and command.first not in seats:
        raise Refused("first_unknown", name=command.first)
    if command.edition not in EDITIONS:
        raise Refused("bad_edition", edition=command.edition)
    if len(command.colours) != DICE or len(set(command.colours) & set(COLOURS)) != DICE:
        raise Refused("bad_colours", known=", ".join(COLOURS))
    if not LEAST_SECONDS <= command.hourglass <= MOST_SECONDS:
        raise Refused("bad_hourglass", least=LEAST_SECONDS, most=MOST_SECONDS, seconds=command.hourglass)
    if not settling.sound(command.ending):
        raise Refused("bad_ending")
    if not 1 <= command.opening <= MOST_POINTS:
        raise Refused("bad_opening", most=MOST_POINTS)
    return (
        GameStarted(
            seats=seats,
            first=command.first,
            edition=command.edition,
            colours=command.colours,
            hourglass=command.hourglass,
            ending=command.ending,
            chips=starting_chips(len(seats)),
            opening=command.opening,
        ),
    )


def _sound_name(name: str) -> None:
    if not (name.isprintable() and name == name.strip() and 1 <= len(name) <= LONGEST_NAME):
        raise Refused("bad_name", most=LONGEST_NAME)


def throw(state: State, command: Throw) -> tuple[Event, ...]:
    """One die, thrown in turn: the first 6 sets up first."""
    started(state)
    if state.paused is not None:
        raise Refused("paused")
    thrower = state.thrower
    if thrower is None:
        raise Refused("no_throw")
    if command.seat not in (None, thrower):
        raise Refused("not_your_throw", seat=thrower)
    if not 1 <= command.pips <= 6:
        raise Refused("bad_pips")
    return (DieThrown(thrower, command.pips),)


def join(state: State, command: Join) -> tuple[Event, ...]:
    """A new player gets what everybody got at the start; one who comes back, what was left with."""
    _between(state)
    _sound_name(command.seat)
    if command.seat in state.seats:
        raise Refused("seat_taken", name=command.seat)
    after = state.seats[-1] if command.after is None else command.after
    if after not in state.seats:
        raise Refused("unknown_seat", seat=after)
    chips = dict(state.away).get(command.seat, state.starting_chips)
    return (SeatTaken(command.seat, after, chips),)


def leave(state: State, command: Leave) -> tuple[Event, ...]:
    """A player goes, and takes the chips along; the setter's turn goes to the left neighbour."""
    _between(state)
    if command.seat not in state.seats:
        raise Refused("unknown_seat", seat=command.seat)
    if len(state.seats) <= 2:
        raise Refused("few_left")
    return (SeatLeft(command.seat),)


def _between(state: State) -> None:
    started(state)
    if state.phase == "over":
        raise Refused("game_over")
    if state.phase not in ("lay", "reveal"):
        raise Refused("not_between")


def pause(state: State, command: Pause) -> tuple[Event, ...]:
    """Everything stands still, but not in mid-auction: sand cannot be held up."""
    started(state)
    if state.phase == "over":
        raise Refused("game_over")
    if state.paused is not None:
        raise Refused("already_paused")
    if state.phase == "auction":
        raise Refused("pause_auction")
    return (GamePaused(time_of(state, command.at)),)


def resume(state: State, command: Resume) -> tuple[Event, ...]:
    """The game goes on; the time in between does not count."""
    started(state)
    if state.paused is None:
        raise Refused("not_paused")
    return (GameResumed(time_of(state, command.at)),)
