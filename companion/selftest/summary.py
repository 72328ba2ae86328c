"""What a self-test came to: each set-up with its picture, how many were right, and what to improve."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2

from calibration.files import write_safely
from companion.overlay import draw
from companion.selftest.advice import advice
from companion.selftest.measures import Measures, Place, measure, place
from companion.selftest.run import Look, Seen
from companion.selftest.said import Said
from companion.selftest.setups import SetUp
from companion.sessions import PhotoSession
from vision.geometry import Image
from vision.profile import Profile
from vision.read import fitted
from vision.reading import Reading

PICTURE_WIDTH, JPEG_QUALITY, SCALE = 900, 82, 1.4
VERDICTS = ("right", "unsure", "wrong", "left")


@dataclass(frozen=True, slots=True)
class Found:
    """A set-up that was done: as it was read, what its photo says, and its picture's width and height."""

    seen: Seen
    measures: Measures | None
    size: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Summary:
    """Every set-up with what was found, None where it is left; how many had which verdict; advice."""

    rows: tuple[tuple[SetUp, Found | None], ...]
    counts: dict[str, int]
    advice: list[Said]
    place: Place


def found(one: Look, session: PhotoSession, profile: Profile) -> Found:
    """What a kept set-up comes to; writes its picture into the session's folder. Raises `OSError`."""
    frame, reading = fitted(one.frame, profile), one.seen.reading
    picture = _picture(frame, reading)
    done, data = cv2.imencode(".jpg", picture, (cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY))
    assert done
    path = picture_of(session, one.seen.setup)
    path.parent.mkdir(exist_ok=True)
    write_safely(path, data.tobytes())
    return Found(one.seen, measure(frame, reading, profile), (picture.shape[1], picture.shape[0]))


def picture_of(session: PhotoSession, setup: SetUp) -> Path:
    """Where the picture of a set-up lies, with what was read drawn over it."""
    return session.folder / "pictures" / setup.photo


def summary(setups: Sequence[SetUp], done: Iterable[Found], profile: Profile) -> Summary:
    """All of `setups` together, with what was found in those that were `done`."""
    by_number = {one.seen.setup.number: one for one in done}
    rows = tuple((setup, by_number.get(setup.number)) for setup in setups)
    there = [one for _, one in rows if one is not None]
    verdicts = [one.seen.verdict if one else "left" for _, one in rows]
    # A hand over the board is no light.
    measures = [one.measures for one in there if one.measures is not None and not one.seen.setup.why]
    camera = place(profile)
    # Where pieces do not stand on each other one set-up cannot be laid.
    whole = all(one or setup.stand == "stacked" for setup, one in rows)
    better = advice(camera, [one.seen for one in there], measures, whole)
    return Summary(rows, {word: verdicts.count(word) for word in VERDICTS}, better, camera)


def _picture(frame: Image, reading: Reading) -> Image:
    """What was read drawn over the photo, around the board and the dice, at a phone's size."""
    # The doubts stand below the picture, in words that can be read.
    shown = draw(frame, replace(reading, doubts=(), sure=True), SCALE)
    corners = [*reading.board, *(corner for die in reading.seen_dice for corner in die.outline)]
    if reading.board:
        height, width = shown.shape[:2]
        margin = width // 30
        left, right = min(x for x, _ in corners) - margin, max(x for x, _ in corners) + margin
        top, low = min(y for _, y in corners) - margin, max(y for _, y in corners) + margin
        shown = shown[max(int(top), 0) : min(int(low), height), max(int(left), 0) : min(int(right), width)]
    scale = min(PICTURE_WIDTH / shown.shape[1], 1.0)
    return cv2.resize(shown, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
