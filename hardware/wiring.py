"""Which GPIO pins the parts hang on, as plain values."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Wiring:
    """GPIO numbers (BCM); an empty row or None where a part is missing.

    `bids` are the bid buttons and `lamps` the LEDs beside them, in the order of the seats. Buttons
    close to ground. `bounce_s` holds for all buttons alike.
    """

    sand: tuple[int, ...] = ()
    bids: tuple[int, ...] = ()
    lamps: tuple[int, ...] = ()
    setter: int | None = None
    setter_lamp: int | None = None
    buzzer: int | None = None
    bounce_s: float = 0.02
