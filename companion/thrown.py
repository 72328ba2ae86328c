"""Which die was thrown between two looks at the table: for the throw that says who sets up first."""

from __future__ import annotations

from collections.abc import Sequence
from math import dist

from vision.reading import SeenDie


def thrown(before: Sequence[SeenDie], now: Sequence[SeenDie]) -> int | None:
    """The pips of the one die that lies elsewhere, or otherwise, than before; None where it is not one alone.

    Other dice may lie about, as long as they lie still.
    """
    lay = {die.colour: die for die in before}
    moved = [die for die in now if not _same(lay.get(die.colour), die)]
    return moved[0].pips if len(moved) == 1 and moved[0].sure else None


def _same(before: SeenDie | None, now: SeenDie) -> bool:
    if before is None or before.pips != now.pips:
        return False
    edge = dist(now.outline[0], now.outline[1])
    return dist(before.centre, now.centre) < edge / 2
