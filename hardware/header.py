"""The 40-pin header of a Raspberry Pi, and which part of a wiring is joined to which of its pins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from hardware.wiring import Kind, Part, Wiring

Supply = Literal["ground", "3V3"]

_NAMES = """
    3V3 5V  2 5V  3 GND  4 14  GND 15  17 18  27 GND  22 23  3V3 24  10 GND  9 25  11 8  GND 7
    0 1  5 GND  6 12  13 GND  19 16  26 20  GND 21
"""
PINS: tuple[str, ...] = tuple(
    f"GPIO {name}" if name.isdecimal() else name.replace("GND", "ground") for name in _NAMES.split()
)
"""What the pins are, from pin 1 on; the odd ones stand in one column, the even ones in the other."""
OHMS = 470
"""The resistor of an LED: all of them lit together take less than the 50 mA that the Pi can give."""


@dataclass(frozen=True, slots=True)
class Joint:
    """One part on the header: its GPIO and `pin`, and what its other leg goes to.

    `ohms` is the resistor in between, 0 for none.
    """

    part: str
    kind: Kind
    gpio: int
    pin: int
    other: Supply
    ohms: int

    @property
    def other_leg(self) -> str:
        """Where the other leg goes, in words."""
        return f"{self.ohms} ohm, then {self.other}" if self.ohms else self.other


def joints(wiring: Wiring) -> list[Joint]:
    """Every part of `wiring` on the header, in its order."""
    return [_joint(part, wiring) for part in wiring.parts()]


def pins_of(name: str) -> list[int]:
    """The numbers on the header, from 1, of the pins of that name: "GPIO 4", "ground", "3V3", "5V"."""
    return [number for number, found in enumerate(PINS, 1) if found == name]


def _joint(part: Part, wiring: Wiring) -> Joint:
    if part.kind == "button":
        to_3v3 = wiring.buttons == "3v3"
    else:
        to_3v3 = (wiring.leds if part.kind == "LED" else wiring.buzzer_level) == "low"
    (pin,) = pins_of(f"GPIO {part.gpio}")
    ohms = OHMS if part.kind == "LED" else 0
    return Joint(part.name, part.kind, part.gpio, pin, "3V3" if to_3v3 else "ground", ohms)
