"""A game at one moment."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from companion.games.corona import ledger
from companion.games.corona.events import (
    OPENING_BID,
    TEN_ROUNDS,
    BidMade,
    DieThrown,
    Ending,
    Event,
    GameOver,
    GameStarted,
    Payment,
    PieceTouched,
    Revealed,
)
from companion.games.corona.ledger import Entries, Round
from companion.games.corona.rules import DEFAULT_COLOURS, EditionName, Move, Situation, after

Phase = Literal["start", "throw", "lay", "auction", "play", "reveal", "over"]


@dataclass(frozen=True, slots=True)
class State:
    """A game at one moment, as `folding.evolve` makes it.

    `chips` go with `seats`; `setter` is, after a reveal, already the next one. `agreed` is how the game was
    started, `entries` what moved chips since then, and `at` the last time known. `throws` are those of one
    die that say who sets up first. `markers` are (die, field) of pieces still to move; `marked` says that
    markers are used in this round, and `entered` that its result was given by hand. Of the `moves` the last
    `followed` are what the camera saw since one was entered by hand. What belongs to one
    round (situation to revealed) stays until the next set-up. `seen` are the situations whose reveal was
    undone: whoever plays them again knows their best score. `before` is the game without its last
    command, whose first event is `last`.
    """

    phase: Phase = "start"
    agreed: GameStarted | None = None
    seats: tuple[str, ...] = ()
    chips: tuple[int, ...] = ()
    away: tuple[tuple[str, int], ...] = ()
    setter: str | None = None
    throws: tuple[DieThrown, ...] = ()
    silenced: str | None = None
    entries: Entries = ledger.NO_ENTRIES
    settled: int = 0
    at: float = 0.0
    paused: float | None = None
    idle: float = 0.0
    situation: Situation | None = None
    turned: float | None = None
    lost: bool = False
    bids: tuple[BidMade, ...] = ()
    markers: tuple[tuple[int, int], ...] = ()
    marked: bool = False
    touched: PieceTouched | None = None
    moves: tuple[Move, ...] = ()
    followed: int = 0
    result: int | None = None
    entered: bool = False
    paid: tuple[Payment, ...] = ()
    revealed: Revealed | None = None
    over: GameOver | None = None
    seen: tuple[Situation, ...] = ()
    last: Event | None = field(default=None, compare=False)
    before: State | None = field(default=None, compare=False, repr=False)

    @property
    def edition(self) -> EditionName:
        """The edition agreed on."""
        return self.agreed.edition if self.agreed else "fr"

    @property
    def colours(self) -> tuple[str, ...]:
        """The set's colour order."""
        return self.agreed.colours if self.agreed else DEFAULT_COLOURS

    @property
    def hourglass(self) -> int:
        """The seconds the sand runs."""
        return self.agreed.hourglass if self.agreed else 60

    @property
    def opening(self) -> int:
        """What the first press of a button calls."""
        return self.agreed.opening if self.agreed else OPENING_BID

    @property
    def ending(self) -> Ending:
        """How the game ends."""
        return self.agreed.ending if self.agreed else TEN_ROUNDS

    @property
    def starting_chips(self) -> int:
        """What everybody got at the start."""
        return self.agreed.chips if self.agreed else 0

    @property
    def high(self) -> BidMade | None:
        """The highest call of the round."""
        return self.bids[-1] if self.bids else None

    @property
    def sand_ends(self) -> float | None:
        """When the sand has run out; None outside the auction."""
        return None if self.turned is None or self.phase != "auction" else self.turned + self.hourglass

    @property
    def standing(self) -> Situation | None:
        """The situation as the moves made so far have left it."""
        return None if self.situation is None else after(self.situation, self.moves)

    @property
    def by_hand(self) -> State:
        """The play as it stood when a move was last entered by hand, or none was made yet."""
        back = self
        while back.followed and back.before is not None:
            back = back.before
        return back

    @property
    def rounds(self) -> tuple[Round, ...]:
        """Every settled round."""
        return tuple(entry for entry in self.entries if isinstance(entry, Round))

    @property
    def thrower(self) -> str | None:
        """Whose throw it is, while the dice say who sets up first."""
        if self.phase != "throw":
            return None
        return ledger.left_of(self.seats, self.throws[-1].seat) if self.throws else self.seats[0]


def new() -> State:
    """The state before anything has happened."""
    return State()
