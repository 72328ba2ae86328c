"""A game at one moment, as a fold over its events: `evolve(state, event)`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, assert_never

from companion.games.corona import settling
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
)
from companion.games.corona.rules import DEFAULT_COLOURS, EditionName, Situation

Phase = Literal["start", "lay", "auction", "play", "reveal", "over"]


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
