"""A self-test of one profile on disk: its ten set-ups, its photo session, and what was found in it so far."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from companion.selftest.run import NoSelfTest, left, open_session
from companion.selftest.setups import SetUp, setups
from companion.selftest.summary import Found
from companion.sessions import PhotoSession, mark_of
from vision.profile import Profile


@dataclass(slots=True)
class Sitting:
    """`found` is what has been read of the photos, by the number of the set-up; `damaged` ones cannot be.

    `paged` is whether the folder's own page tells all of it.
    """

    profile: Profile
    ten: list[SetUp]
    session: PhotoSession
    found: dict[int, Found] = field(default_factory=dict)
    damaged: set[int] = field(default_factory=set)
    paged: bool = False

    def left(self) -> list[SetUp]:
        """Those that are still to be laid."""
        waiting = left(self.ten, self.session)
        return [one for one in self.ten if one in waiting or one.number in self.damaged]


def sit(folder: Path, profile: Profile, anew: bool = False) -> Sitting:
    """The newest self-test with this profile in `folder`, or another one: `anew`, or where that is broken."""
    stem = f"{mark_of(profile)}-"
    names = [path.name.removeprefix(stem) for path in folder.glob(f"{stem}*")]
    newest = max((int(name) for name in names if name.isascii() and name.isdecimal()), default=0)
    session = PhotoSession(folder / f"{stem}{max(newest, 1)}")
    if anew or (session.begun and _is_broken(session, profile)):
        session = PhotoSession(folder / f"{stem}{newest + 1}")
    return Sitting(profile, setups([colour.name for colour in profile.colours]), session)


def _is_broken(session: PhotoSession, profile: Profile) -> bool:
    try:
        open_session(session.folder, profile, None)
    except (NoSelfTest, OSError):
        return True
    return False
