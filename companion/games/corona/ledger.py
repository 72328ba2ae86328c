"""The chips of a game as a fold over what moved them, so that an old round can be settled anew.

Rounds, players who came and went, and counts by hand, in their order: who holds what follows from these.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from companion.games.corona.events import BidMade, Payment
from companion.games.corona.rules import IllegalMove, Move, Situation, find_move, play


@dataclass(frozen=True, slots=True)
class Round:
    """A settled round. `steps` are the moves made, as (field, die); `entered` the result given by hand.

    `known`: its best score had been shown before, in a round that was undone. `turned` is when its hourglass
    was, and `bids` are the calls made. `best` is what was revealed; None where the situation was corrected
    later.
    """

    situation: Situation
    setter: str
    player: str
    bid: int
    steps: tuple[tuple[int, int], ...] = ()
    entered: int | None = None
    known: bool = False
    turned: float = 0.0
    bids: tuple[BidMade, ...] = ()
    best: int | None = None

    @property
    def points(self) -> int:
        """What the player reached; raises `IllegalMove` where the moves do not fit the situation."""
        if self.entered is not None:
            return self.entered
        return sum(move.points for move in moved(self.situation, self.steps))

    @property
    def won(self) -> bool:
        """Whether the bid was reached."""
        return self.points >= self.bid


@dataclass(frozen=True, slots=True)
class CameIn:
    """`seat` sat down after `after` with `chips`."""

    seat: str
    after: str
    chips: int


@dataclass(frozen=True, slots=True)
class WentOut:
    """`seat` took its chips away."""

    seat: str


@dataclass(frozen=True, slots=True)
class Counted:
    """A count by hand gave each seat so many more (or fewer) chips; together nothing."""

    gains: tuple[tuple[str, int], ...]


Entry = Round | CameIn | WentOut | Counted


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Entries:
    """What moved chips, in its order; `and_then` gives one more.

    Each shares all that came before it: an undo keeps a state of every command, and as tuples the rounds of
    a long game would be held as often as there are rounds.
    """

    last: Entry | None = None
    before: Entries | None = None

    def and_then(self, *entries: Entry) -> Entries:
        """These and then `entries`."""
        more = self
        for entry in entries:
            more = Entries(entry, more)
        return more

    def __iter__(self) -> Iterator[Entry]:
        found, rest = [], self
        while rest.before is not None and rest.last is not None:
            found.append(rest.last)
            rest = rest.before
        return reversed(found)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Entries) and (self is other or tuple(self) == tuple(other))

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"Entries{tuple(self)}"


NO_ENTRIES = Entries()


@dataclass(frozen=True, slots=True)
class Stand:
    """Who holds what after `entry`, in the order of the seats, and who went `away` with what.

    Where `entry` is a round, `paid` in it.
    """

    entry: Entry
    held: Mapping[str, int]
    away: Mapping[str, int]
    paid: tuple[Payment, ...] = ()


@dataclass(frozen=True, slots=True)
class Balance:
    """Who holds what, after some entries, also who went `away` with it; `paid` has the rounds among them.

    `below` is a seat that once had fewer chips than none, which nobody can have.
    """

    seats: tuple[str, ...]
    chips: tuple[int, ...]
    away: tuple[tuple[str, int], ...] = ()
    paid: tuple[tuple[Payment, ...], ...] = ()
    below: str | None = None


def moved(situation: Situation, steps: Iterable[tuple[int, int]]) -> tuple[Move, ...]:
    """The moves that `steps` (field, die) are, from `situation` on; raises `IllegalMove`."""
    moves = []
    for field, die in steps:
        move = find_move(situation, field, die)
        situation = play(situation, move)
        moves.append(move)
    return tuple(moves)


def fits(situation: Situation, steps: Iterable[tuple[int, int]]) -> bool:
    """Whether these steps can be made from `situation`."""
    try:
        moved(situation, steps)
    except IllegalMove:
        return False
    return True


def left_of(seats: tuple[str, ...], seat: str) -> str:
    """The left neighbour: the next seat clockwise."""
    return seats[(seats.index(seat) + 1) % len(seats)]


def payments(seats: tuple[str, ...], chips: tuple[int, ...], player: str, won: bool) -> tuple[Payment, ...]:
    """One chip between `player` and every other seat, clockwise from the left neighbour.

    A player who won is paid by each who has a chip; one who missed pays until nothing is left.
    """
    index = seats.index(player)
    others = [(index + step) % len(seats) for step in range(1, len(seats))]
    if won:
        return tuple(Payment(seats[other], player, 1) for other in others if chips[other] > 0)
    return tuple(Payment(player, seats[other], 1) for other in others[: max(chips[index], 0)])


def after(seats: tuple[str, ...], chips: tuple[int, ...], paid: tuple[Payment, ...]) -> tuple[int, ...]:
    """The chips of `seats` after these payments."""
    left = dict(zip(seats, chips, strict=True))
    for payment in paid:
        left[payment.payer] -= payment.chips
        left[payment.payee] += payment.chips
    return tuple(left.values())


def seated(seats: tuple[str, ...], seat: str, neighbour: str) -> tuple[str, ...]:
    """The seats with `seat` as the left neighbour of `neighbour`."""
    place = seats.index(neighbour) + 1
    return (*seats[:place], seat, *seats[place:])


def course(seats: tuple[str, ...], chips: int, entries: Iterable[Entry]) -> Iterator[Stand]:
    """Who holds what after each entry, when `seats` began with `chips` each."""
    held, away = dict.fromkeys(seats, chips), dict[str, int]()
    for entry in entries:
        paid: tuple[Payment, ...] = ()
        match entry:
            case Round():
                paid = payments(tuple(held), tuple(held.values()), entry.player, entry.won)
                held = dict(zip(held, after(tuple(held), tuple(held.values()), paid), strict=True))
            case CameIn():
                order = seated(tuple(held), entry.seat, entry.after)
                held = held | {entry.seat: away.get(entry.seat, entry.chips)}
                held = {seat: held[seat] for seat in order}
                away = {seat: gone for seat, gone in away.items() if seat != entry.seat}
            case WentOut():
                away = away | {entry.seat: held[entry.seat]}
                held = {seat: left for seat, left in held.items() if seat != entry.seat}
            case Counted():
                held = held | {seat: held[seat] + gain for seat, gain in entry.gains}
        yield Stand(entry, held, away, paid)


def balance(seats: tuple[str, ...], chips: int, entries: Iterable[Entry]) -> Balance:
    """Who holds what in the end; a count by hand may leave fewer than none."""
    held: Mapping[str, int] = dict.fromkeys(seats, chips)
    away: Mapping[str, int] = {}
    paid, below = [], None
    for stand in course(seats, chips, entries):
        held, away = stand.held, stand.away
        if isinstance(stand.entry, Round):
            paid.append(stand.paid)
        elif isinstance(stand.entry, Counted):
            below = next((seat for seat in held if held[seat] < 0), below)
    return Balance(tuple(held), tuple(held.values()), tuple(away.items()), tuple(paid), below)
