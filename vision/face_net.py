"""What the network of the dice is shown and what it answers: is this a die's top, and with how many pips.

It sees a square of the table, on the plane of the dice's tops, as the frame shows it and as the empty
photo does, and how far the camera looks aside there: a die that lies flat has its foot just so far off.
"""

from __future__ import annotations

from dataclasses import dataclass

from vision.geometry import Floats
from vision.nets import likely, shares

SIDE_PX = 26.0
"""Pixels of a die's side in the picture: three quarters of what photographs of a table give."""
SIZE = 64
"""Pixels of the picture: two and a half dice wide."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The die nearest to the place asked about: its top's middle (x, y) mm.

    `die`, `flat`: how likely it is one, and lies flat if so; `pips`: (6,) how likely each value is if flat.
    `turn` (radians, 0 to pi/2) the network does not tell: the pips' pattern does, once the value is known;
    and how well it matches: `light` is 0 to 1 where the pips are lighter than the die, else 0 to -1. `lit`:
    what a lamp or a crumb there may hide, or be, leaves its value in doubt.
    """

    x: float
    y: float
    die: float
    flat: float
    pips: Floats
    turn: float = 0.0
    light: float = 0.0
    lit: bool = False


def answers(said: Floats, places: list[tuple[float, float]], die_mm: float) -> list[Answer]:
    """The network's ten numbers a place, in millimetres and likelihoods."""
    found = []
    for numbers, (x, y) in zip(said, places, strict=True):
        found.append(
            Answer(
                x + float(numbers[8]) * die_mm,
                y + float(numbers[9]) * die_mm,
                float(likely(numbers[0])),
                float(likely(numbers[1])),
                shares(numbers[2:8]),
            )
        )
    return found
