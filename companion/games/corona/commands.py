"""What people, buttons, camera and time ask of a game. Times `at` are seconds since the game began."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.corona.events import OPENING_BID, TEN_ROUNDS, Ending
from companion.games.corona.rules import DEFAULT_COLOURS, EditionName, Situation


@dataclass(frozen=True, slots=True)
class Start:
    """Begin a game: `seats` sit clockwise; `first` sets up first, None lets the dice say who."""

    seats: tuple[str, ...]
    first: str | None
    edition: EditionName = "fr"
    colours: tuple[str, ...] = DEFAULT_COLOURS
    hourglass: int = 60
    ending: Ending = TEN_ROUNDS
    opening: int = OPENING_BID


@dataclass(frozen=True, slots=True)
class Throw:
    """`seat` threw one die to find out who sets up first; `seat` None is whoever's turn it is."""

    seat: str | None
    pips: int


@dataclass(frozen=True, slots=True)
class Join:
    """`seat` sits down, as left neighbour of `after` (None: after the last seat)."""

    seat: str
    after: str | None = None


@dataclass(frozen=True, slots=True)
class Leave:
    """`seat` gets up; who comes back finds the chips left behind."""

    seat: str


@dataclass(frozen=True, slots=True)
class Pause:
    """The game stands still until it is resumed, be it days later."""

    at: float | None = None


@dataclass(frozen=True, slots=True)
class Resume:
    """A paused game goes on."""

    at: float | None = None


@dataclass(frozen=True, slots=True)
class Lay:
    """The setter has laid this situation; after a reveal it begins the next round."""

    situation: Situation


@dataclass(frozen=True, slots=True)
class Turn:
    """The setter turns the hourglass."""

    at: float


@dataclass(frozen=True, slots=True)
class Cancel:
    """The setter takes the turning back: the calls are void. `lost`: nobody knows what sand is left."""

    at: float | None = None
    lost: bool = False


@dataclass(frozen=True, slots=True)
class Bid:
    """`seat` calls `points`."""

    seat: str
    points: int
    at: float


@dataclass(frozen=True, slots=True)
class Press:
    """The button of `seat` was pressed: one more than the highest call, or the opening bid."""

    seat: str
    at: float


@dataclass(frozen=True, slots=True)
class Sand:
    """The sand has run out."""

    at: float


@dataclass(frozen=True, slots=True)
class Mark:
    """The player ties the die number `die` (from 0) to a piece on `field`; None takes its marker off."""

    die: int
    field: int | None


@dataclass(frozen=True, slots=True)
class Touch:
    """The player touched a piece on `field`, the one with the marker of `die` if it is known."""

    field: int
    die: int | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """The player moves a piece from `field` by the die number `die` (from 0)."""

    field: int
    die: int
    at: float | None = None


@dataclass(frozen=True, slots=True)
class Follow:
    """The camera saw these moves since the last one entered by hand: (field, number of the die from 0) each.

    `entered`: how many were, by the state it goes by; None is whatever stands.
    """

    moves: tuple[tuple[int, int], ...]
    entered: int | None = None
    at: float | None = None


@dataclass(frozen=True, slots=True)
class Done:
    """The player stops: what was moved counts."""

    at: float | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """The player reached `points`, whatever was moved; without `at` the last time known counts."""

    points: int
    at: float | None = None


@dataclass(frozen=True, slots=True)
class TimeUp:
    """The minutes agreed on are over while no round is going on."""

    at: float


@dataclass(frozen=True, slots=True)
class Undo:
    """Take back the last `steps` commands; `sure` also those that a reveal followed. `by` says who."""

    steps: int = 1
    by: str | None = None
    sure: bool = True


@dataclass(frozen=True, slots=True)
class CorrectReading:
    """In round `round` (None: the one that is on) this was the situation."""

    situation: Situation
    round: int | None = None
    by: str | None = None


@dataclass(frozen=True, slots=True)
class CorrectBid:
    """In round `round` the highest call was this one."""

    seat: str
    points: int
    round: int | None = None
    by: str | None = None


@dataclass(frozen=True, slots=True)
class CorrectResult:
    """In round `round` the player reached `points`."""

    points: int
    round: int | None = None
    by: str | None = None


@dataclass(frozen=True, slots=True)
class CorrectChips:
    """The seats hold these chips; those not named what they had. There are as many as before."""

    chips: tuple[tuple[str, int], ...]
    by: str | None = None


Command = (
    Start
    | Throw
    | Join
    | Leave
    | Pause
    | Resume
    | Lay
    | Turn
    | Cancel
    | Bid
    | Press
    | Sand
    | Mark
    | Touch
    | Step
    | Follow
    | Done
    | Result
    | TimeUp
    | Undo
    | CorrectReading
    | CorrectBid
    | CorrectResult
    | CorrectChips
)
