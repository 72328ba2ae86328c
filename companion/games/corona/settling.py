"""When a game ends, and who has won it."""

from __future__ import annotations

from companion.games.corona.events import Ending, GameOver
from companion.games.corona.rules import EDITIONS, EditionName
from companion.games.corona.state import State

MOST_AGREED = 1_000_000
"""Rounds or minutes that nobody will play: keeps sums of times finite."""


def sound(ending: Ending) -> bool:
    """Whether a game can end this way."""
    if ending.kind in ("rounds", "minutes"):
        return ending.number is not None and 1 <= ending.number <= MOST_AGREED
    return ending.kind in ("broke", "doubled") and ending.number is None


def minutes_end(state: State) -> float:
    """The time `at` which a game of so many minutes ends; pauses do not count."""
    return 60.0 * (state.ending.number or 0) + state.idle


def game_over(state: State, chips: tuple[int, ...], settled: int, at: float) -> tuple[GameOver, ...]:
    """The end of the game, if what was agreed is reached with `chips` after `settled` rounds; or nothing."""
    doubled = tuple(
        seat for seat, held in zip(state.seats, chips, strict=True) if held >= 2 * state.starting_chips
    )
    reached = {
        "rounds": settled >= (state.ending.number or 0),
        "minutes": at >= minutes_end(state),
        "broke": 0 in chips,
        "doubled": bool(doubled),
    }[state.ending.kind]
    if not reached:
        return ()
    return (GameOver(state.ending.kind, _winners(state.edition, state.ending, state.seats, chips, doubled)),)


def time_over(state: State, at: float) -> tuple[GameOver, ...]:
    """The end of a game of minutes between two rounds, with the chips as they are; or nothing."""
    if state.ending.kind != "minutes":
        return ()
    return game_over(state, state.chips, state.settled, at)


def _winners(
    edition: EditionName,
    ending: Ending,
    seats: tuple[str, ...],
    chips: tuple[int, ...],
    doubled: tuple[str, ...],
) -> tuple[str, ...]:
    if ending.kind == "doubled" and EDITIONS[edition].doubled_wins_outright:
        return doubled
    return tuple(seat for seat, held in zip(seats, chips, strict=True) if held == max(chips))
