"""Photos of one table, read together: what others show of its bare pieces is known where one is in doubt."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

import numpy as np

from calibration.files import NotAPhoto, read_photo
from companion.photos import measured, readable
from vision.geometry import Floats, Image
from vision.profile import Profile
from vision.read import read
from vision.reading import NO_TOPS, Reading

OTHERS = 20
"""So many other photos are looked at, at most: of hundreds nobody wants to wait for all."""


class Together:
    """Reads with `profile`; `photos` opens each of the table's by its name, BGR uint8 (H, W, 3)."""

    def __init__(self, profile: Profile, photos: Mapping[str, Callable[[], Image]]) -> None:
        self.profile, self._photos = profile, photos
        self._bare: dict[str, Floats] = {}

    @classmethod
    def of(cls, profile: Profile, photos: Sequence[Path]) -> Together:
        """Of these, by their paths; pieces that nobody measured are measured in the first of them."""
        opened = {str(photo): partial(read_photo, photo) for photo in photos}
        return cls(measured(profile, readable(photos)), opened)

    def read(self, frame: Image, name: str) -> Reading:
        """What is on the photo of that name, or on another picture of it, if the photo itself was read first;
        only from others it is learned."""
        reading = read(frame, self.profile)
        self._bare.setdefault(name, reading.bare)  # what was read need not be opened again
        if reading.sure or reading.view is None:
            return reading
        known = np.concatenate([NO_TOPS, *map(self._bare_on, self._about_then(name))])
        return read(frame, self.profile.knowing(known), reading.view) if len(known) else reading

    def _about_then(self, name: str) -> list[str]:
        """The others nearest to a photo in their order: taken about then, in much the same light."""
        order = {other: k for k, other in enumerate(self._photos)}
        at = order.pop(name, 0)
        return sorted(order, key=lambda other: abs(order[other] - at))[:OTHERS]

    def _bare_on(self, name: str) -> Floats:
        """(N, 5, 6) the tops of the surely bare pieces on a photo; of none where it cannot be opened."""
        if name not in self._bare:
            self._bare[name] = NO_TOPS
            with suppress(NotAPhoto):
                self._bare[name] = read(self._photos[name](), self.profile).bare
        return self._bare[name]
