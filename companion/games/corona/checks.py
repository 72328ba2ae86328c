"""What several commands ask before they are accepted."""

from __future__ import annotations

import math

from companion.games.corona.refused import Refused
from companion.games.corona.state import State

TICK = 1e-6
"""Seconds by which sums of times may miss each other."""


def going_on(state: State) -> None:
    """Refuses what needs a game that goes on and is not paused."""
    started(state)
    if state.phase == "over":
        raise Refused("game_over")
    if state.paused is not None:
        raise Refused("paused")
    if state.phase == "throw":
        raise Refused("throw_first")


def started(state: State) -> None:
    """Refuses what needs a game."""
    if state.phase == "start":
        raise Refused("not_started")


def time_of(state: State, at: float | None) -> float:
    """The time `at`, or the last one known; refuses what lies before that."""
    if at is None:
        return state.at
    if not math.isfinite(at) or at < state.at - TICK:
        raise Refused("bad_time")
    return at
