"""Settling a round and ending a game: who pays whom, who sets up next, who has won."""

from __future__ import annotations

from companion.games.corona.events import Ending, GameOver, Payment
from companion.games.corona.rules import EDITIONS, EditionName, starting_chips


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
    return tuple(Payment(player, seats[other], 1) for other in others[: chips[index]])


def after(seats: tuple[str, ...], chips: tuple[int, ...], paid: tuple[Payment, ...]) -> tuple[int, ...]:
    """The chips of `seats` after these payments."""
    left = dict(zip(seats, chips, strict=True))
    for payment in paid:
        left[payment.payer] -= payment.chips
        left[payment.payee] += payment.chips
    return tuple(left.values())


def sound(ending: Ending) -> bool:
    """Whether a game can end this way."""
    if ending.kind in ("rounds", "minutes"):
        return ending.number is not None and ending.number >= 1
    return ending.kind in ("broke", "doubled") and ending.number is None


def minutes_end(ending: Ending) -> float:
    """The time `at` which a game of so many minutes ends."""
    return 60.0 * (ending.number or 0)


def game_over(
    ending: Ending,
    edition: EditionName,
    seats: tuple[str, ...],
    chips: tuple[int, ...],
    settled: int,
    at: float,
) -> tuple[GameOver, ...]:
    """The end of the game, if the `ending` agreed on is reached after `settled` rounds; else nothing."""
    doubled = tuple(
        seat for seat, held in zip(seats, chips, strict=True) if held >= 2 * starting_chips(len(seats))
    )
    reached = {
        "rounds": settled >= (ending.number or 0),
        "minutes": at >= minutes_end(ending),
        "broke": 0 in chips,
        "doubled": bool(doubled),
    }[ending.kind]
    if not reached:
        return ()
    winners = tuple(seat for seat, held in zip(seats, chips, strict=True) if held == max(chips))
    if ending.kind == "doubled" and EDITIONS[edition].doubled_wins_outright:
        winners = doubled
    return (GameOver(ending.kind, winners),)
