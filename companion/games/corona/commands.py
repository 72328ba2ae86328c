"""What people, buttons, camera and time ask of a game. Times `at` are seconds since the game began."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.corona.events import TEN_ROUNDS, Ending
from companion.games.corona.rules import DEFAULT_COLOURS, EditionName, Situation


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
