"""Ten set-ups in turn: taken, read, compared with what was asked for, and kept as they come.

`run` goes through them at a terminal, `companion.workbench.self_test` on a phone, with the same steps.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple, Protocol

import cv2
import numpy as np

from calibration.files import NotAPhoto, read_photo
from companion.games.corona.refused import N_
from companion.games.corona.rules import LETTERS
from companion.reliability import is_right
from companion.selftest.reader import Reader
from companion.selftest.said import Said
from companion.selftest.setups import SetUp
from companion.sessions import PhotoSession, as_jpeg, mark_of
from hardware.camera import CameraFailed
from vision.doubts import COVERED, LIES_THERE
from vision.geometry import Image
from vision.profile import Profile
from vision.reading import Reading
from vision.unseen import SAID

Verdict = Literal["right", "unsure", "wrong"]
SKIPPED = "skipped"
HARDLY = Said(N_("hardly anything of the board"))
HAND = Said(N_("something over the board, perhaps a hand"))
NOTHING_OVER = Said(N_("nothing over the board"))


class NoSelfTest(ValueError):
    """A folder that cannot take this self-test; the text says why and what to do."""


class Stopped(Exception):
    """Whoever lays the set-ups wants no more of them now."""


class Skipped(Exception):
    """Whoever lays the set-ups cannot lay this one."""


class Source(Protocol):
    """Where set-ups are laid and photographed."""

    def take(self, setup: SetUp) -> Image | None:
        """A photo of `setup` once it lies there, BGR uint8 (H, W, 3); None to skip it.

        Raises `Stopped`, or `NotAPhoto` where this one cannot be had.
        """

    def put_right(self, differs: Sequence[str]) -> Image | None:
        """A new photo where what `differs` had been mislaid and is put right; None where it lay as asked.

        Raises `Stopped`, or `Skipped` where it cannot be laid.
        """


@dataclass(frozen=True, slots=True)
class Seen:
    """One set-up as it was read: `differs` says in words what was read otherwise than it lay."""

    setup: SetUp
    reading: Reading
    verdict: Verdict
    differs: list[Said]


class Look(NamedTuple):
    """A photo of a set-up, as JPEG and as BGR uint8 (H, W, 3), and what was read in it."""

    jpeg: bytes
    frame: Image
    seen: Seen


def open_session(folder: Path, profile: Profile, dice: bytes | None) -> PhotoSession:
    """The session in `folder`, begun or gone on with; raises `NoSelfTest` or `OSError`."""
    session = PhotoSession(folder)
    if session.begun:
        try:
            about = json.loads((folder / "session.json").read_text(encoding="utf-8"))
            if not isinstance(about, dict):
                raise ValueError("session.json is no object")
            session.truth()
        except ValueError as fault:
            raise NoSelfTest(
                f"{folder}: what was begun there is broken; choose another with --out"
            ) from fault
        if about.get("profile") != mark_of(profile):
            raise NoSelfTest(f"{folder}: holds a session of another profile; choose another with --out")
    else:
        if not is_free(folder):
            raise NoSelfTest(f"{folder}: is not empty and holds no self-test; choose another with --out")
        about = {
            "kind": "selftest",
            "profile": mark_of(profile),
            "notes": "set-ups laid as they were asked for",
        }
        session.begin(profile, about, dice)
    return session


BEGUN = {"frames", "layout.json", "session.json", "empty.jpg", "dice.jpg", "profile.json"}


def is_free(folder: Path) -> bool:
    """Whether a session can be begun there: nothing in it, or what stands there when the power went."""
    names = [path.name for path in folder.iterdir()] if folder.exists() else []
    return all(name in BEGUN or name.startswith("profile-empty-") or name.endswith(".part") for name in names)


# The steps


def left(setups: Sequence[SetUp], session: PhotoSession) -> list[SetUp]:
    """Those that have not been done yet, or whose photo is gone."""
    done = session.truth() if session.begun else {}
    return [one for one in setups if one.photo not in done or not session.frame(one.photo).exists()]


def look(setup: SetUp, frame: Image, reader: Reader) -> Look:
    """Read a photo of `setup`, BGR uint8 (H, W, 3), as it will be kept."""
    jpeg = as_jpeg(frame)
    shown = np.asarray(cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR), np.uint8)
    return Look(jpeg, shown, judge(setup, reader.read(shown)))


def keep(one: Look, session: PhotoSession) -> None:
    """Put the photo into the session, with what lies there; raises `OSError`."""
    session.add(one.jpeg, one.seen.setup.known, one.seen.setup.photo)


def look_back(setup: SetUp, session: PhotoSession, reader: Reader) -> Look:
    """What was kept of `setup`, read again from its photo; raises `NotAPhoto`."""
    path = session.frame(setup.photo)
    frame = read_photo(path)
    return Look(path.read_bytes(), frame, judge(setup, reader.read(frame)))


# At a terminal


def run(
    setups: Sequence[SetUp],
    session: PhotoSession,
    reader: Reader,
    source: Source,
    say: Callable[[str], None],
) -> list[str]:
    """Each of `setups`, until `source` raises `Stopped` or the camera fails; gives the faults there were.

    What was kept of one before stays until it has been looked at.
    """
    faults = []
    for setup in setups:
        try:
            line = _one(setup, session, reader, source)
        except Skipped:
            line = SKIPPED
        except Stopped:
            break
        except NotAPhoto as fault:
            faults.append(line := str(fault))
        except CameraFailed as fault:
            faults.append(str(fault))
            break
        say(f"{setup.number:>2}. {setup.title}: {line}")
    return faults


def _one(setup: SetUp, session: PhotoSession, reader: Reader, source: Source) -> str:
    """Take, read and keep one set-up; what came of it in a few words."""
    frame = source.take(setup)
    if frame is None:
        return SKIPPED
    one = look(setup, frame, reader)
    while one.seen.differs and (again := source.put_right(one.seen.differs)) is not None:
        one = look(setup, again, reader)
    keep(one, session)
    return in_words(one.seen)


# How it is judged


def judge(setup: SetUp, reading: Reading) -> Seen:
    """A reading against what lies there.

    One of a set-up that nobody can read is right when it is not sure, if it saw the board at all.
    """
    verdict: Verdict
    if setup.why:
        differs = [NOTHING_OVER] if reading.sure else [] if reading.counts else [HARDLY]
        verdict = "wrong" if reading.sure else "unsure" if differs else "right"
        return Seen(setup, reading, verdict, differs)
    right = is_right(reading, setup.known)
    verdict = "unsure" if not reading.sure else "right" if right else "wrong"
    return Seen(setup, reading, verdict, differences(reading, setup.known))


def is_covered(reading: Reading) -> bool:
    """Whether it is doubtful for something over the board that is neither piece nor die."""
    seen = any(doubt.why in (COVERED, LIES_THERE) for doubt in reading.doubts)
    return seen and not is_ill(reading)


def is_ill(reading: Reading) -> bool:
    """Whether it is doubtful for the picture: in the dark much looks like a hand."""
    return any(doubt.why in SAID.values() for doubt in reading.doubts)


def differences(reading: Reading, known: Mapping[str, Any]) -> list[Said]:
    """What was read otherwise than `known`, in words; what was not read is no difference, unless it is most.

    Then it is too dark, another board lies there, or the camera was knocked: no more is known of the photo.
    """
    unread = sum(count is None for count in reading.counts or (None,) * len(LETTERS))
    words = [HAND] if is_covered(reading) else [HARDLY] if unread > len(LETTERS) / 2 else []
    words += [
        Said(N_("%(number)s on %(letter)s instead of %(true)s"), number=read_as, letter=letter, true=true)
        for letter, read_as, true in zip(LETTERS, reading.counts or (), known["pieces"], strict=False)
        if read_as is not None and read_as != true
    ]
    words += [
        Said(
            N_("%(colour)s %(number)s instead of %(true)s"),
            colour=colour,
            number=pips,
            true=known["dice"][colour],
        )
        for colour, pips in reading.dice.items()
        if pips is not None and pips != known["dice"][colour]
    ]
    true = {(marker["field"], marker["colour"]) for marker in known["markers"]}
    seen = set(reading.markers)
    words += [
        Said(N_("a %(colour)s marker on %(letter)s that is not there"), colour=colour, letter=LETTERS[field])
        for field, colour in sorted(seen - true)
    ]
    if reading.sure:  # an unsure reading may leave out what it doubts
        words += [
            Said(N_("no %(colour)s marker on %(letter)s"), colour=colour, letter=LETTERS[field])
            for field, colour in sorted(true - seen)
        ]
    return words


def in_words(seen: Seen) -> str:
    """A verdict for a person."""
    if seen.verdict == "right":
        return "rightly refused" if seen.setup.why else "sure and right"
    if seen.verdict == "wrong":
        return f"WRONG: sure of {', '.join(seen.differs)}"
    doubts = "; ".join(f"{doubt.what}: {doubt.why}" for doubt in seen.reading.doubts[:3])
    return f"unsure ({doubts or 'it does not say of what'})"
