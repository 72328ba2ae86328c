"""What has happened in a game of Corona, as plain values; `event_json` writes and reads them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from companion.games.corona.rules import EditionName, Move, Situation

EndingKind = Literal["rounds", "minutes", "broke", "doubled"]
OPENING_BID = 7
"""What the first press of a button calls unless the house says otherwise."""


@dataclass(frozen=True, slots=True)
class Ending:
    """How the game ends: after `number` rounds or minutes, or when somebody is broke or has doubled."""

    kind: EndingKind = "rounds"
    number: int | None = 10


TEN_ROUNDS = Ending()


@dataclass(frozen=True, slots=True)
class Payment:
    """Chips that went from one seat to another."""

    payer: str
    payee: str
    chips: int


# Who sits here


@dataclass(frozen=True, slots=True)
class GameStarted:
    """`seats` sit clockwise; `first` sets up first (None: the dice say who); everybody has `chips`."""

    seats: tuple[str, ...]
    first: str | None
    edition: EditionName
    colours: tuple[str, ...]
    hourglass: int
    ending: Ending
    chips: int
    opening: int = OPENING_BID


@dataclass(frozen=True, slots=True)
class DieThrown:
    """`seat` threw `pips` with one die: the first 6 sets up first."""

    seat: str
    pips: int


@dataclass(frozen=True, slots=True)
class SeatTaken:
    """`seat` sat down as left neighbour of `after`, with `chips`."""

    seat: str
    after: str
    chips: int


@dataclass(frozen=True, slots=True)
class SeatLeft:
    """`seat` got up and keeps its chips for when it comes back."""

    seat: str


@dataclass(frozen=True, slots=True)
class GamePaused:
    """The game stands still; `at` is in seconds since the game began, here as everywhere."""

    at: float


@dataclass(frozen=True, slots=True)
class GameResumed:
    """The game goes on."""

    at: float


# A round


@dataclass(frozen=True, slots=True)
class SituationLaid:
    """The setter laid this situation (in place of an earlier one whose hourglass was not turned)."""

    situation: Situation


@dataclass(frozen=True, slots=True)
class HourglassTurned:
    """The auction began."""

    at: float


@dataclass(frozen=True, slots=True)
class HourglassCancelled:
    """The turning was taken back, and the calls with it; `lost`: nobody knows how much sand was left."""

    at: float
    lost: bool = False


@dataclass(frozen=True, slots=True)
class BidMade:
    """`seat` called `points`, more than anybody before."""

    seat: str
    points: int
    at: float


@dataclass(frozen=True, slots=True)
class SandRanOut:
    """The auction ended; without a call the set-up was void."""

    at: float


@dataclass(frozen=True, slots=True)
class MarkerPut:
    """The marker of `die` is in a piece on `field`."""

    die: int
    field: int


@dataclass(frozen=True, slots=True)
class MarkerTaken:
    """The marker of `die` is in no piece."""

    die: int


@dataclass(frozen=True, slots=True)
class PieceTouched:
    """A piece on `field` was touched (the one with the marker of `die`): it moves next."""

    field: int
    die: int | None


@dataclass(frozen=True, slots=True)
class PieceMoved:
    """A piece moved and scored."""

    move: Move
    at: float


@dataclass(frozen=True, slots=True)
class PlayFollowed:
    """What the camera saw: these `moves` since the last one that was entered by hand, and no others."""

    moves: tuple[Move, ...]
    at: float


@dataclass(frozen=True, slots=True)
class PlayerDone:
    """The player stopped, with the `points` of the moves made."""

    points: int
    at: float


@dataclass(frozen=True, slots=True)
class ResultEntered:
    """The player reached `points`, as entered by hand."""

    points: int
    at: float


@dataclass(frozen=True, slots=True)
class ChipsSettled:
    """Who paid whom, who is silenced in the next round, and who sets it up."""

    paid: tuple[Payment, ...]
    silenced: str | None
    setter: str


@dataclass(frozen=True, slots=True)
class Revealed:
    """The best score of the round's situation, and one line of moves that reaches it.

    `still` is the most that could be had after each move that was played; `throws` counts how many of the
    46,656 throws allow 0, 1, ... 21 points on this set-up. Older logs have neither.
    """

    situation: Situation
    best: int
    moves: tuple[Move, ...]
    still: tuple[int, ...] = ()
    throws: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class MinutesOver:
    """The minutes agreed on were over between two rounds."""

    at: float


@dataclass(frozen=True, slots=True)
class GameOver:
    """The ending agreed on was reached; `winners` in seat order share the win."""

    reason: EndingKind
    winners: tuple[str, ...]


# Corrections


@dataclass(frozen=True, slots=True)
class Undone:
    """The last `steps` commands that still stood do not count."""

    steps: int
    by: str | None


@dataclass(frozen=True, slots=True)
class ReadingCorrected:
    """The situation of `round` was this one."""

    round: int
    situation: Situation
    by: str | None


@dataclass(frozen=True, slots=True)
class BidCorrected:
    """The highest call of `round` was `points`, by `seat`."""

    round: int
    seat: str
    points: int
    by: str | None


@dataclass(frozen=True, slots=True)
class ResultCorrected:
    """The player of `round` reached `points`."""

    round: int
    points: int
    by: str | None


@dataclass(frozen=True, slots=True)
class ChipsCorrected:
    """`seats` hold `chips`, counted by hand."""

    seats: tuple[str, ...]
    chips: tuple[int, ...]
    by: str | None


@dataclass(frozen=True, slots=True)
class SettledAnew:
    """After a correction of `round`: who paid whom in it, what everybody holds now, who is silenced now."""

    round: int
    paid: tuple[Payment, ...]
    chips: tuple[int, ...]
    silenced: str | None


@dataclass(frozen=True, slots=True)
class GameGoesOn:
    """After a correction the ending agreed on is not reached."""


SeatEvent = GameStarted | DieThrown | SeatTaken | SeatLeft | GamePaused | GameResumed
AuctionEvent = SituationLaid | HourglassTurned | HourglassCancelled | BidMade | SandRanOut
PlayEvent = MarkerPut | MarkerTaken | PieceTouched | PieceMoved | PlayFollowed | PlayerDone | ResultEntered
SettlingEvent = ChipsSettled | Revealed | MinutesOver | GameOver
Correction = ReadingCorrected | BidCorrected | ResultCorrected | ChipsCorrected | SettledAnew | GameGoesOn
Event = SeatEvent | AuctionEvent | PlayEvent | SettlingEvent | Correction | Undone

FOLLOWING = (ChipsSettled, Revealed, GameOver, SettledAnew, GameGoesOn)
"""Events that only ever follow another one; each other event is the first one of its command."""
