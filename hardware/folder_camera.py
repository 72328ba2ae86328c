"""A camera that shows the pictures of a folder, one after the other, for whoever has none."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np

from hardware.camera import CameraFailed, Controls, Frame, small_grey

PICTURES = {".jpg", ".jpeg", ".png", ".webp"}
PICTURE_S = 2.0


class FolderCamera:
    """Pictures of a folder in the order of their names, each `seconds` long; the last one stays until more
    have come.

    `kept` holds since when they are shown, so that a folder that is opened again goes on where it was.
    """

    def __init__(
        self,
        folder: Path,
        seconds: float = PICTURE_S,
        clock: Callable[[], float] = time.monotonic,
        kept: Controls | None = None,
    ) -> None:
        self._folder, self._seconds, self._clock = folder, seconds, clock
        self._kept = {} if kept is None else kept
        self._kept.setdefault("Began", clock())
        self._paths = self._there()
        if not self._paths:
            raise CameraFailed(f"{folder} holds no picture (.jpg, .png or .webp): put one there")
        self._read: tuple[Path, Frame, Frame] | None = None

    def capture(self) -> Frame:
        """The picture whose turn it is."""
        return self._now()[1].copy()

    def glance(self) -> Frame:
        """The same, small."""
        return self._now()[2].copy()

    def close(self) -> None:
        """From now on there is no picture."""
        self._paths = []

    def _there(self) -> list[Path]:
        """The pictures in the folder, by name."""
        try:
            found = [*self._folder.iterdir()] if self._folder.is_dir() else None
        except OSError as fault:
            raise CameraFailed(f"{self._folder} cannot be read: {fault.strerror}") from fault
        if found is None:
            raise CameraFailed(f"{self._folder} is no folder: name one that holds pictures")
        return sorted(path for path in found if path.suffix.lower() in PICTURES)

    def _turn(self) -> int:
        return int((self._clock() - self._kept["Began"]) / self._seconds)

    def _now(self) -> tuple[Path, Frame, Frame]:
        """The picture whose turn it is: where it lies, itself, and small; decoded once."""
        if not self._paths:
            raise CameraFailed("this folder of pictures has been closed")
        if self._turn() >= len(self._paths):
            self._look_for_more()
        path = self._paths[min(self._turn(), len(self._paths) - 1)]
        if self._read is None or self._read[0] != path:
            try:
                data = np.frombuffer(path.read_bytes(), np.uint8)
            except OSError as fault:
                raise CameraFailed(f"{path} cannot be read: {fault.strerror}") from fault
            found = cv2.imdecode(data, cv2.IMREAD_COLOR) if data.size else None
            if found is None:
                raise CameraFailed(f"{path} is not a picture, or a damaged one: take it out of the folder")
            frame = np.asarray(found, np.uint8)
            self._read = path, frame, small_grey(frame)
        return self._read

    def _look_for_more(self) -> None:
        """Whatever has come since the last one was shown follows it."""
        came = sorted({*self._there()}.difference(self._paths))  # at each glance: there may be thousands
        if came:
            self._kept["Began"] = self._clock() - len(self._paths) * self._seconds
            self._paths += came
