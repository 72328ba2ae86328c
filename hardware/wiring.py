"""Which GPIO pins the parts hang on, and which way round, as plain values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["LED", "button", "buzzer"]


@dataclass(frozen=True, slots=True)
class Part:
    """One part and the GPIO number (BCM) that it hangs on."""

    name: str
    kind: Kind
    gpio: int


@dataclass(frozen=True, slots=True)
class Wiring:
    """GPIO numbers (BCM); an empty row or None where a part is missing.

    `bids` are the bid buttons and `lamps` the LEDs beside them, in the order of the seats. `bounce_s`
    holds for all buttons alike. `buttons` says what they close to; the inner resistor pulls the other
    way. `leds` and `buzzer_level` say which level of the pin lights and sounds. A buzzer is `tonal`
    (it plays what it is sent) or `plain` (it has a tone of its own).
    """

    sand: tuple[int, ...] = ()
    bids: tuple[int, ...] = ()
    lamps: tuple[int, ...] = ()
    setter: int | None = None
    setter_lamp: int | None = None
    buzzer: int | None = None
    bounce_s: float = 0.02
    buttons: Literal["ground", "3v3"] = "ground"
    leds: Literal["high", "low"] = "high"
    buzzer_kind: Literal["tonal", "plain"] = "tonal"
    buzzer_level: Literal["high", "low"] = "high"

    def parts(self) -> tuple[Part, ...]:
        """Every part that is wired: the sand, seat by seat button and LED, the setter's, the buzzer."""
        found = [Part(f"sand {number}", "LED", gpio) for number, gpio in enumerate(self.sand, 1)]
        for seat in range(max(len(self.bids), len(self.lamps))):
            if seat < len(self.bids):
                found.append(Part(f"seat {seat + 1} button", "button", self.bids[seat]))
            if seat < len(self.lamps):
                found.append(Part(f"seat {seat + 1} LED", "LED", self.lamps[seat]))
        if self.setter is not None:
            found.append(Part("setter's button", "button", self.setter))
        if self.setter_lamp is not None:
            found.append(Part("setter's LED", "LED", self.setter_lamp))
        if self.buzzer is not None:
            found.append(Part("buzzer", "buzzer", self.buzzer))
        return tuple(found)


DEFAULT = Wiring(
    sand=(5, 11, 9, 10, 22, 27, 17, 4),
    bids=(18, 24, 8, 12, 20, 6),
    lamps=(23, 25, 7, 16, 21, 13),
    setter=19,
    buzzer=26,
)
"""All 22 pins that I2C, UART and ID leave. The sand stands in one column as it runs, what empties first
on top; a seat's button and LED are neighbours; the buzzer's pin is pulled low while the Pi starts."""
