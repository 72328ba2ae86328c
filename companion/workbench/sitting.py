"""A self-test of one profile on disk: its ten set-ups, its photo session, and what was found in it so far."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from calibration.files import NotAPhoto
from companion.selftest.reader import Reader
from companion.selftest.run import Look, NoSelfTest, is_free, keep, left, look_back, open_session
from companion.selftest.setups import SetUp, setups
from companion.selftest.summary import Found, found
from companion.sessions import PhotoSession, mark_of
from vision.profile import Profile


@dataclass(slots=True)
class Sitting:
    """`found` is what has been read of the photos, by the number of the set-up; `damaged` ones cannot be.

    `reader` reads them with `profile`.
    `paged` is whether the folder's own page tells all of it.
    """

    profile: Profile
    reader: Reader
    ten: list[SetUp]
    session: PhotoSession
    found: dict[int, Found] = field(default_factory=dict)
    damaged: set[int] = field(default_factory=set)
    paged: bool = False

    def left(self) -> list[SetUp]:
        """Those that are still to be laid."""
        waiting = left(self.ten, self.session)
        return [one for one in self.ten if one in waiting or one.number in self.damaged]

    def keep(self, one: Look) -> None:
        """Put a photo into the session, with what lies there and what it comes to; raises `OSError`."""
        keep(one, self.session)
        self._found(one)

    def look_back(self) -> None:
        """Read what was kept and not read since; what is damaged is to be laid again. Raises `OSError`."""
        waiting = self.left()
        for setup in self.ten:
            if setup.number not in self.found and setup not in waiting:
                try:
                    self._found(look_back(setup, self.session, self.reader))
                except NotAPhoto:
                    self.damaged.add(setup.number)

    def _found(self, one: Look) -> None:
        number = one.seen.setup.number
        self.found[number] = found(one, self.session, self.profile)
        self.damaged.discard(number)
        self.paged = False


def sit(folder: Path, profile: Profile, anew: bool = False) -> Sitting:
    """The newest self-test with this profile in `folder` that has come to something; `anew` another one."""
    stem = f"{mark_of(profile)}-"
    names = [path.name.removeprefix(stem) for path in folder.glob(f"{stem}*")]
    numbers = sorted((int(name) for name in names if name.isascii() and name.isdecimal()), reverse=True)
    done = {number: _done(PhotoSession(folder / f"{stem}{number}"), profile) for number in numbers}
    used = [number for number, photos in done.items() if photos]
    if used and not anew:
        number = used[0]
    elif numbers and done[numbers[0]] == 0:
        number = numbers[0]  # begun, and nothing laid
    else:
        number = max(numbers, default=0) + 1
    ten = setups([colour.name for colour in profile.colours])
    return Sitting(profile, Reader(profile), ten, PhotoSession(folder / f"{stem}{number}"))


def _done(session: PhotoSession, profile: Profile) -> int | None:
    """How many set-ups a session holds; None where it is broken, or its folder holds something else."""
    try:
        if not session.begun:
            return 0 if is_free(session.folder) else None
        return len(open_session(session.folder, profile, None).truth())
    except (NoSelfTest, OSError):
        return None
