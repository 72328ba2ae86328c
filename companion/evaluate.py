"""Photo sessions with known truth: how often readings are right, unsure or wrong."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from calibration.calibrate import calibrate
from calibration.colours import CannotCalibrate
from calibration.store import NotAPhoto, read_layout, read_photo
from vision.geometry import BadLayout
from vision.profile import Profile
from vision.read import read
from vision.reading import Reading


class NoSessions(ValueError):
    """A folder without photo sessions; the text says where was looked."""


@dataclass(slots=True)
class Tally:
    """Frames of some sessions: readable ones read right, unsure or wrong, and the unreadable ones."""

    right: int = 0
    unsure: int = 0
    wrong: int = 0
    refused: int = 0
    swallowed: int = 0

    def __iadd__(self, other: Tally) -> Tally:
        for name in self.__slots__:
            setattr(self, name, getattr(self, name) + getattr(other, name))
        return self

    def row(self, name: str) -> str:
        """One line of the table."""
        readable = self.right + self.unsure + self.wrong
        share = f"{100 * self.right / readable:5.1f} %" if readable else "      -"
        cells = (readable, self.right, self.unsure, self.wrong, self.refused, self.swallowed)
        return f"{name:<22}" + "".join(f"{cell:>10}" for cell in cells) + f"{share:>10}"


HEADER = f"{'session':<22}" + "".join(
    f"{word:>10}" for word in ("readable", "right", "unsure", "wrong", "refused", "swallowed", "right")
)
LEGEND = (
    "right: sure and all of it true. wrong: sure and not. "
    "refused and swallowed: frames nobody could read, taken as unsure or as sure."
)


def evaluate(folder: Path) -> Iterator[str]:
    """The table, a line at a time; raises `NoSessions`."""
    sessions = sorted(path.parent for path in folder.rglob("truth.json"))
    if not sessions:
        raise NoSessions(f"{folder}: no photo session with a truth.json in it")
    yield HEADER
    total = Tally()
    for session in sessions:
        name = str(session.relative_to(folder)) if session != folder else session.name
        try:
            tally, remarks = _session(session)
        except (BadLayout, CannotCalibrate, NotAPhoto, KeyError, ValueError) as fault:
            yield f"{name:<22}  cannot be read: {fault}"
            continue
        yield tally.row(name)
        yield from (f"    {remark}" for remark in remarks)
        total += tally
    yield total.row("all")
    yield LEGEND


def learn(session: Path) -> Profile:
    """The profile that this session's own photos give."""
    about = json.loads((session / "session.json").read_text(encoding="utf-8"))
    pieces = about["pieces"]
    return calibrate(
        read_layout(session / "layout.json"),
        read_photo(session / "empty.jpg"),
        read_photo(session / "dice.jpg"),
        about["dice"]["colours"],
        about["dice"]["size_mm"],
        (pieces["diameter_mm"], pieces["height_mm"]),
    )


def _session(session: Path) -> tuple[Tally, list[str]]:
    truth = json.loads((session / "truth.json").read_text(encoding="utf-8"))
    profile = learn(session)
    tally, remarks = Tally(), []
    for photo in sorted((session / "frames").glob("*.jpg")):
        known = truth.get(photo.name)
        if known is None:
            continue
        reading = read(read_photo(photo), profile)
        if not known["readable"]:
            tally.swallowed += reading.sure
            tally.refused += not reading.sure
            if reading.sure:
                remarks.append(f"{photo.name} taken as sure: {known['why']}")
        elif not reading.sure:
            tally.unsure += 1
            remarks.append(f"{photo.name} " + "; ".join(f"{d.what}: {d.why}" for d in reading.doubts))
        elif is_right(reading, known):
            tally.right += 1
        else:
            tally.wrong += 1
            remarks.append(f"{photo.name} WRONG: read {reading.counts} {reading.dice} {reading.markers}")
    return tally, remarks


def is_right(reading: Reading, truth: dict[str, Any]) -> bool:
    """Whether all counts, all dice and all markers are true."""
    markers = sorted((marker["field"], marker["colour"]) for marker in truth["markers"])
    return (
        reading.counts is not None
        and list(reading.counts) == truth["pieces"]
        and reading.dice == truth["dice"]
        and sorted(reading.markers) == markers
    )
