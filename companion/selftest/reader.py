"""Photos of set-ups, read as at the table: they tell how wide the pieces are, and how bare ones look."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from calibration.bare import knowing
from calibration.files import NotAPhoto, read_photo
from calibration.pieces import FirstFrames
from companion.reading import in_turn
from companion.selftest.setups import SetUp
from companion.sessions import PhotoSession
from vision.geometry import Image
from vision.profile import Profile
from vision.read import read
from vision.reading import Reading


class Reader:
    """Reads with `profile`; the photo that tells how wide the pieces are it reads once more with that."""

    def __init__(self, profile: Profile) -> None:
        self._profile = profile
        self._first = FirstFrames(profile)

    def read(self, frame: Image) -> Reading:
        """What is on a photo, BGR uint8 (H, W, 3)."""
        return in_turn(self._read, frame)

    def look_at_kept(self, setups: Sequence[SetUp], session: PhotoSession) -> None:
        """Measure in what was kept before, if there is something to measure."""
        for setup in setups:
            if not self._first.wanted:
                return
            with suppress(NotAPhoto):
                self.read(read_photo(session.frame(setup.photo)))

    def _read(self, frame: Image) -> Reading:
        reading = read(frame, self._profile)
        if self._first.wanted:
            self._first.look(frame, reading)
            if not self._first.wanted:
                self._profile = self._first.profile
                reading = read(frame, self._profile)
        self._profile = knowing(self._profile, reading)
        return reading
