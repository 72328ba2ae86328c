"""Ten set-ups in turn: taken, read, compared with what was asked for, and kept as they come.

`run` goes through them at a terminal, `companion.workbench.self_test` on a phone, with the same steps.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple, Protocol

import cv2
import numpy as np

from calibration.files import NotAPhoto, read_photo
from companion.games.corona.refused import N_
from companion.games.corona.rules import LETTERS
from companion.reading import in_turn
from companion.reliability import is_right
from companion.selftest.said import Said
from companion.selftest.setups import SetUp
from companion.sessions import PhotoSession, as_jpeg, mark_of
from vision.geometry import Image
from vision.profile import Profile
from vision.read import read
from vision.reading import Reading

Verdict = Literal["right", "unsure", "wrong"]
SKIPPED = "skipped"


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
    """Those that have not been done yet."""
    done = session.truth().keys() if session.begun else ()
    return [setup for setup in setups if setup.photo not in done]


def look(setup: SetUp, frame: Image, profile: Profile) -> Look:
    """Read a photo of `setup`, BGR uint8 (H, W, 3), as it will be kept."""
    jpeg = as_jpeg(frame)
    shown = np.asarray(cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR), np.uint8)
    return Look(jpeg, shown, judge(setup, in_turn(read, shown, profile)))


def keep(one: Look, session: PhotoSession) -> None:
    """Put the photo into the session, with what lies there; raises `OSError`."""
    session.add(one.jpeg, one.seen.setup.known, one.seen.setup.photo)


def look_back(setup: SetUp, session: PhotoSession, profile: Profile) -> Look:
    """What was kept of `setup`, read again from its photo; raises `NotAPhoto`."""
    path = session.frame(setup.photo)
    frame = read_photo(path)
    return Look(path.read_bytes(), frame, judge(setup, in_turn(read, frame, profile)))


# At a terminal


def run(
    setups: list[SetUp],
    session: PhotoSession,
    profile: Profile,
    source: Source,
    say: Callable[[str], None],
    redo: Collection[int] = (),
) -> list[str]:
    """Every set-up not done yet, until `source` raises `Stopped`; gives the faults of those that failed.

    Those with a number in `redo` are done anew, and only they. What was kept of one stays until then.
    """
    faults = []
    waiting = [setup for setup in setups if setup.number in redo] or left(setups, session)
    if not redo and len(waiting) < len(setups):
        done = len(session.truth())
        say(
            f"{done} of {len(setups)} set-ups have been done before; going on with the rest. "
            "To do one anew give its number with --redo."
        )
    for setup in waiting:
        try:
            line = _one(setup, session, profile, source)
        except Skipped:
            line = SKIPPED
        except Stopped:
            break
        except NotAPhoto as fault:
            faults.append(line := str(fault))
        say(f"{setup.number:>2}. {setup.title}: {line}")
    return faults


def _one(setup: SetUp, session: PhotoSession, profile: Profile, source: Source) -> str:
    """Take, read and keep one set-up; what came of it in a few words."""
    frame = source.take(setup)
    if frame is None:
        return SKIPPED
    one = look(setup, frame, profile)
    while one.seen.differs and (again := source.put_right(one.seen.differs)) is not None:
        one = look(setup, again, profile)
    keep(one, session)
    return in_words(one.seen)


# How it is judged


def judge(setup: SetUp, reading: Reading) -> Seen:
    """A reading against what lies there; one of a set-up nobody can read is right when it is not sure."""
    if setup.why:
        return Seen(setup, reading, "wrong" if reading.sure else "right", [])
    right = is_right(reading, setup.known)
    verdict: Verdict = "unsure" if not reading.sure else "right" if right else "wrong"
    return Seen(setup, reading, verdict, differences(reading, setup.known))


def differences(reading: Reading, known: Mapping[str, Any]) -> list[Said]:
    """What was read otherwise than `known`, in words; what was not read is no difference, unless it is most.

    Then it is too dark, another board lies there, or the camera was knocked: no more is known of the photo.
    """
    unread = sum(count is None for count in reading.counts or (None,) * len(LETTERS))
    words = [Said(N_("hardly anything of the board"))] if unread > len(LETTERS) / 2 else []
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
    if seen.setup.why:
        return "rightly refused" if seen.verdict == "right" else f"WRONG: taken as sure ({seen.setup.why})"
    if seen.verdict == "right":
        return "sure and right"
    if seen.verdict == "wrong":
        return f"WRONG: sure of {', '.join(seen.differs)}"
    doubts = "; ".join(f"{doubt.what}: {doubt.why}" for doubt in seen.reading.doubts[:3])
    return f"unsure ({doubts or 'it does not say of what'})"
