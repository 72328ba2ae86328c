"""Reliability: of the readings that were said to be so likely true, how many were."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from vision.reading import Reading

KINDS = ("fields", "dice", "markers", "whole tables")
FROM = (0.0, 0.5, 0.9, 0.99, 0.999)
"""Where each bin of stated confidence begins; the last one ends with 1."""
NAMES = ("below 0.5", "0.5 to 0.9", "0.9 to 0.99", "0.99 to 0.999", "0.999 and up")

HEADER = f"{'reliability':<16}{'said to be true':<18}" + "".join(
    f"{word:>10}" for word in ("readings", "right", "said", "was right")
)
LEGEND = (
    "said: how likely true these readings, sure or not, were said to be, on average; "
    "a table counts when all of it was read."
)


@dataclass(slots=True)
class Bin:
    """Readings of about one confidence: how many, how many were right, and the sum of what was said."""

    readings: int = 0
    right: int = 0
    said: float = 0.0

    def cells(self) -> str:
        said, was = (f"{100 * part / self.readings:.2f} %" for part in (self.said, self.right))
        return f"{self.readings:>10}{self.right:>10}{said:>10}{was:>10}"


class Reliability:
    """Bins of readings with known truth, for fields, dice, markers and whole tables."""

    def __init__(self) -> None:
        self.bins = {kind: tuple(Bin() for _ in FROM) for kind in KINDS}

    def add(self, kind: str, said: float, right: bool) -> None:
        """Count one reading that was said to be true with the likelihood `said`, 0 to 1."""
        bin_ = self.bins[kind][max(bisect_right(FROM, said) - 1, 0)]
        bin_.readings += 1
        bin_.right += right
        bin_.said += said

    def take(self, reading: Reading, known: Mapping[str, Any]) -> None:
        """Count what `reading` says with a confidence; `known` is the frame's entry in truth.json.

        Of a frame nobody can read only the whole counts: what lies under a hand is no reading of ours.
        """
        said = reading.confidence
        if said is None or reading.counts is None:
            return
        if None not in reading.counts and None not in reading.dice.values():
            self.add("whole tables", said.whole, known["readable"] and is_right(reading, known))
        if not known["readable"]:
            return
        for likely, count, true in zip(said.counts, reading.counts, known["pieces"], strict=True):
            if count is not None:
                self.add("fields", likely, count == true)
        for colour, pips in reading.dice.items():
            if pips is not None:
                self.add("dice", said.dice[colour], pips == known["dice"].get(colour))
        markers = _markers(known)
        for likely, marker in zip(said.markers, reading.markers, strict=True):
            if markers is not None:
                self.add("markers", likely, marker in markers)

    def rows(self) -> Iterator[str]:
        """The table, a line at a time, without what no reading said."""
        if not any(bin_.readings for bins in self.bins.values() for bin_ in bins):
            yield "reliability: no reading said how likely it is to be true"
            return
        yield HEADER
        for kind, bins in self.bins.items():
            filled = [(name, bin_) for name, bin_ in zip(NAMES, bins, strict=True) if bin_.readings]
            for number, (name, bin_) in enumerate(filled):
                yield f"{kind if number == 0 else '':<16}{name:<18}{bin_.cells()}"
        yield LEGEND

    def as_object(self) -> dict[str, list[dict[str, Any]]]:
        """The same for a program; `said` is the average, null where there is no reading."""
        return {
            kind: [
                {
                    "from": low,
                    "readings": bin_.readings,
                    "right": bin_.right,
                    "said": round(bin_.said / bin_.readings, 6) if bin_.readings else None,
                }
                for low, bin_ in zip(FROM, bins, strict=True)
            ]
            for kind, bins in self.bins.items()
        }


def is_right(reading: Reading, known: Mapping[str, Any]) -> bool:
    """Whether all counts, all dice and, where they are known, all markers are true."""
    markers = _markers(known)
    return (
        reading.counts is not None
        and list(reading.counts) == known["pieces"]
        and reading.dice == known["dice"]
        and (markers is None or sorted(reading.markers) == markers)
    )


def _markers(known: Mapping[str, Any]) -> list[tuple[int, str]] | None:
    """The true markers in order; None where nobody noted them."""
    noted = known.get("markers")
    return None if noted is None else sorted((marker["field"], marker["colour"]) for marker in noted)
