"""A game of Corona: commands, what they lead to (`decide`), and the state as a fold over events (`evolve`).

Times `at` are seconds since the game began and are passed in; nothing here reads a clock.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Literal, assert_never

from companion.games.corona import settling, solver
from companion.games.corona.events import (
    TEN_ROUNDS,
    BidMade,
    ChipsSettled,
    Ending,
    Event,
    GameOver,
    GameStarted,
    HourglassTurned,
    Payment,
    ResultEntered,
    Revealed,
    SandRanOut,
    SituationLaid,
    from_json,
    to_json,
)
from companion.games.corona.refused import Refused
from companion.games.corona.rules import (
    COLOURS,
    DEFAULT_COLOURS,
    DICE,
    EDITIONS,
    MOST_POINTS,
    EditionName,
    Situation,
    starting_chips,
)

__all__ = ["Bid", "Command", "Ending", "Event", "Lay", "Phase", "Refused", "Result", "Sand", "Start", "State"]
__all__ += ["TimeUp", "Turn", "begins", "decide", "due", "evolve", "from_json", "new", "to_json"]

Phase = Literal["start", "lay", "auction", "play", "reveal", "over"]

LEAST_SECONDS, MOST_SECONDS = 10, 300
MOST_CALLED = 99
"""Any call from 1 up is fine; this keeps slips of the finger off the screen."""
LONGEST_NAME = 30
_TICK = 1e-6
"""Seconds by which sums of times may miss each other."""


@dataclass(frozen=True, slots=True)
class Start:
    """Begin a game: `seats` sit clockwise, `first` sets up first."""

    seats: tuple[str, ...]
    first: str
    edition: EditionName = "fr"
    colours: tuple[str, ...] = DEFAULT_COLOURS
    hourglass: int = 60
    ending: Ending = TEN_ROUNDS


@dataclass(frozen=True, slots=True)
class Lay:
    """The setter has laid this situation; after a reveal it begins the next round."""

    situation: Situation


@dataclass(frozen=True, slots=True)
class Turn:
    """The setter turns the hourglass."""

    at: float


@dataclass(frozen=True, slots=True)
class Bid:
    """`seat` calls `points`."""

    seat: str
    points: int
    at: float


@dataclass(frozen=True, slots=True)
class Sand:
    """The sand has run out."""

    at: float


@dataclass(frozen=True, slots=True)
class Result:
    """The player reached `points`; without `at` the last time known counts."""

    points: int
    at: float | None = None


@dataclass(frozen=True, slots=True)
class TimeUp:
    """The minutes agreed on are over while no round is going on."""

    at: float


Command = Start | Lay | Turn | Bid | Sand | Result | TimeUp


@dataclass(frozen=True, slots=True)
class State:
    """A game at one moment. `chips` go with `seats`; `setter` is, after a reveal, already the next one.

    `settled` counts the rounds played to the end and `at` is the last time known. What belongs to one
    round (situation to revealed) stays until the next set-up.
    """

    phase: Phase = "start"
    seats: tuple[str, ...] = ()
    chips: tuple[int, ...] = ()
    setter: str | None = None
    silenced: str | None = None
    edition: EditionName = "fr"
    colours: tuple[str, ...] = DEFAULT_COLOURS
    hourglass: int = 60
    ending: Ending = TEN_ROUNDS
    settled: int = 0
    at: float = 0.0
    situation: Situation | None = None
    turned: float | None = None
    bids: tuple[BidMade, ...] = ()
    result: int | None = None
    paid: tuple[Payment, ...] = ()
    revealed: Revealed | None = None
    over: GameOver | None = None

    @property
    def high(self) -> BidMade | None:
        """The highest call of the round."""
        return self.bids[-1] if self.bids else None

    @property
    def sand_ends(self) -> float | None:
        """When the sand has run out; None outside the auction."""
        return None if self.turned is None or self.phase != "auction" else self.turned + self.hourglass


def new() -> State:
    """The state before anything has happened."""
    return State()


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


def evolve(state: State, event: Event) -> State:
    """The state after `event`: a plain fold, no rules and no refusals."""
    match event:
        case GameStarted():
            return State(
                phase="lay",
                seats=event.seats,
                chips=(event.chips,) * len(event.seats),
                setter=event.first,
                edition=event.edition,
                colours=event.colours,
                hourglass=event.hourglass,
                ending=event.ending,
            )
        case SituationLaid():
            return replace(_cleared(state), situation=event.situation)
        case HourglassTurned():
            return replace(state, phase="auction", turned=event.at, at=max(state.at, event.at))
        case BidMade():
            return replace(state, bids=(*state.bids, event), at=max(state.at, event.at))
        case SandRanOut():
            ended = replace(state, phase="play") if state.bids else _cleared(state)
            return replace(ended, at=max(state.at, event.at))
        case ResultEntered():
            return replace(state, result=event.points, at=max(state.at, event.at))
        case ChipsSettled():
            chips = settling.after(state.seats, state.chips, event.paid)
            settled = replace(state, chips=chips, paid=event.paid, settled=state.settled + 1)
            return replace(settled, silenced=event.silenced, setter=event.setter)
        case Revealed():
            return replace(state, phase="reveal", revealed=event)
        case GameOver():
            return replace(state, phase="over", over=event)
        case _:
            assert_never(event)


def _cleared(state: State) -> State:
    """The table cleared for a set-up."""
    return replace(
        state, phase="lay", situation=None, turned=None, bids=(), result=None, paid=(), revealed=None
    )


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
    if not math.isfinite(command.at) or command.at < state.turned - _TICK:
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
