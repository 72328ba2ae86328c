"""What a reading of the vision means for a game's set of dice."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.corona.rules import Situation
from companion.games.corona.sighting import DoubtPair, Sighting, lies_otherwise, sight
from vision.reading import Reading


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
