"""What a reading of the vision means for a game's set of dice, and how likely."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from companion.games.corona.following import UNMARKED, Floats, Look
from companion.games.corona.rules import DICE, FIELDS, PIECES, Situation
from companion.games.corona.sighting import DoubtPair, Sighting, lies_otherwise, sight
from vision.reading import Reading

NEXT = (0.7, 0.2, 0.1)
"""How what is left is shared out among the next likeliest values, which a reading gives without figures."""


def sighted(reading: Reading, colours: Sequence[str]) -> Sighting:
    """The situation, its dice in the order of the set's `colours`, and the doubts."""
    return sight(reading.counts, reading.dice, colours, reading.sure, _doubts(reading))


def is_another(reading: Reading, colours: Sequence[str], laid: Situation) -> bool:
    """Whether it shows something else than `laid`, though not all of it may be read; a hand tells nothing."""
    if reading.covered:
        return False
    return lies_otherwise(reading.counts, reading.dice, colours, _doubts(reading), laid)


def _doubts(reading: Reading) -> list[DoubtPair]:
    return [(doubt.what, doubt.why) for doubt in reading.doubts]


def as_look(reading: Reading, colours: Sequence[str]) -> Look:
    """A reading as likelihoods; `colours` is the set's order."""
    counts, dice = np.full((FIELDS, PIECES + 1), 1.0 / (PIECES + 1)), np.full((DICE, 6), 1.0 / 6)
    markers = np.full((FIELDS, DICE), UNMARKED)
    likely, may = reading.confidence, reading.may_be
    if likely and may and reading.counts:
        for field, count in enumerate(reading.counts):
            _share(counts[field], count, likely.counts[field], may.counts[field])
        for die, colour in enumerate(colours):
            pips = reading.dice.get(colour)
            others = [value - 1 for value in may.dice.get(colour, ())]
            _share(dice[die], None if pips is None else pips - 1, likely.dice.get(colour, 0.0), others)
        for doubt in reading.doubts:
            markers[list(doubt.fields)] = 0.5
        for (field, colour), sure in zip(reading.markers, likely.markers, strict=True):
            markers[field, list(colours).index(colour)] = sure
    return Look(counts, dice, markers)


def _share(row: Floats, told: int | None, likely: float, may: Sequence[int]) -> None:
    """Fill in how likely each value of a row is, told one of them, and which may follow; else it stays."""
    if told is None or told >= len(row):
        return
    others = [
        value for value in dict.fromkeys((*may, *range(len(row)))) if value != told and value < len(row)
    ]
    row[:] = 0.0
    row[told] = likely
    row[others[: len(NEXT)]] = (1 - likely) * np.array(NEXT)
