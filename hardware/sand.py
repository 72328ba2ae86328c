"""How sand looks on a row of lamps: running down, breathing at the end, flashing when it has run out."""

from __future__ import annotations

from math import ceil, cos, pi

LEVELS = 16
"""Steps in which one lamp goes out."""
BREATHING_S, BREATH_S, DIMMEST = 10.0, 2.5, 0.2
"""The last seconds breathe: one breath takes so long, and dims the lamps to this share."""
FRAME_S = 1 / 15
"""So often breathing lamps are set anew."""
FLASH_S, FLASHES = 1.0, 3
"""The flash at the end: so long, with the lamps on so often."""


def levels(left: float, seconds: float, lamps: int) -> tuple[float, ...]:
    """The brightness of each lamp, 0 to 1, when of `seconds` so many are `left`; the last empties first."""
    # A step goes out at its end, so the last glimmer stays until the sand has run out.
    full = _steps(left, seconds, lamps) / LEVELS
    breath = _breath(left) if left < BREATHING_S else 1.0
    return tuple(min(max(full - lamp, 0.0), 1.0) * breath for lamp in range(lamps))


def lasts(left: float, seconds: float, lamps: int) -> float:
    """For how many seconds the lamps stay as they are."""
    if left <= BREATHING_S:
        return min(FRAME_S, max(left, 0.001))
    stays = left - (_steps(left, seconds, lamps) - 1) / (lamps * LEVELS) * seconds
    return max(min(stays, left - BREATHING_S), 0.001)


def flash(since: float) -> tuple[float, float] | None:
    """The brightness of all lamps `since` seconds after the end, and for how long; None: it is over."""
    if not 0 <= since < FLASH_S:
        return None
    part = FLASH_S / (2 * FLASHES - 1)
    number = int(since / part)
    return float(number % 2 == 0), max((number + 1) * part - since, 0.001)


def _steps(left: float, seconds: float, lamps: int) -> int:
    every = lamps * LEVELS
    return min(max(ceil(left / seconds * every), 0), every)


def _breath(left: float) -> float:
    """Bright at the first moment and at the last one."""
    return DIMMEST + (1 - DIMMEST) * (1 + cos(2 * pi * left / BREATH_S)) / 2
