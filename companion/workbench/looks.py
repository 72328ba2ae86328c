"""What there is to see while the camera is set up: pictures, and outlines of what was found in them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import cv2

from calibration.aiming import aim, fields_of
from hardware.camera import Frame
from vision.geometry import Layout, View

Outline = tuple[tuple[float, float], ...]
LOOK_S = 0.4
"""A look that is younger serves whoever else asks."""
LIVE_WIDTH, LIVE_QUALITY, STILL_QUALITY = 960, 70, 85
KEPT = 4
"""So many pictures are kept: a phone asks for one after it has been told of it."""


@dataclass(frozen=True, slots=True)
class Look:
    """A picture, by its number, and what was found in it, in pixels of `size` (width, height).

    `shining` are fields that a lamp is mirrored on; `says` is what to change, None where all is good.
    """

    seq: int
    size: tuple[int, int]
    tags: dict[int, Outline] = field(default_factory=dict)
    fields: dict[str, Outline] = field(default_factory=dict)
    shining: tuple[str, ...] = ()
    says: str | None = None


@dataclass(frozen=True, slots=True)
class Die:
    """A die that was found: its number, its colour's name, whether that is `doubtful`, and its outline."""

    number: int
    name: str
    doubtful: bool
    outline: Outline


class Pictures:
    """The last few pictures as JPEG, by number."""

    def __init__(self) -> None:
        self._kept: dict[int, bytes] = {}
        self._seq = 0

    def get(self, seq: int) -> bytes | None:
        """The JPEG of this number, while it is kept."""
        return self._kept.get(seq)

    def live(self, frame: Frame, board: Layout, stuck: bool) -> Look:
        """`frame`, BGR uint8 (H, W, 3), made small, with what `aim` finds in it."""
        found = aim(frame, board, stuck)
        scale = min(LIVE_WIDTH / frame.shape[1], 1.0)
        small = cv2.resize(frame, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        return Look(
            self._keep(small, LIVE_QUALITY),
            (frame.shape[1], frame.shape[0]),
            {tag: outline(corners) for tag, corners in found.tags.items()},
            {letter: outline(corners) for letter, corners in found.fields.items()},
            found.shining,
            found.says,
        )

    def still(self, photo: Frame, board: Layout, view: View | None = None) -> Look:
        """`photo` at its size, with the fields of `board` where `view` has them."""
        fields = fields_of(view, board) if view else {}
        return Look(
            self._keep(photo, STILL_QUALITY),
            (photo.shape[1], photo.shape[0]),
            fields={letter: outline(corners) for letter, corners in fields.items()},
        )

    def _keep(self, picture: Any, quality: int) -> int:
        done, data = cv2.imencode(".jpg", picture, (cv2.IMWRITE_JPEG_QUALITY, quality))
        assert done
        self._seq += 1
        self._kept = {seq: one for seq, one in self._kept.items() if seq > self._seq - KEPT}
        self._kept[self._seq] = data.tobytes()
        return self._seq


def outline(points: Iterable[Any]) -> Outline:
    """Points (N, 2) as plain numbers."""
    return tuple((round(float(x), 1), round(float(y), 1)) for x, y in points)
