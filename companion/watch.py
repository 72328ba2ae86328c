"""Watching a camera: a look whenever what moved lies still again, and the last picture for everyone."""

from __future__ import annotations

import logging
from collections.abc import Callable
from threading import Event, Thread
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from hardware.camera import Camera, CameraFailed
from vision.reading import Reading

Frame = npt.NDArray[np.uint8]
Read = Callable[[Frame], Reading]
"""Reads a frame, BGR uint8 (H, W, 3)."""
OpenEye = Callable[[], tuple[Camera, Read]]
"""Opens the camera and makes ready what reads its frames; both may take seconds."""
log = logging.getLogger(__name__)

GLANCE_S = 0.2
STILL_GLANCES = 2
MOST_LOOKS = 4
"""A scene that cannot be settled is left alone after so many looks, until something moves."""
RETRY_S = 2.0
MOVED = 11.0
"""Grey levels by which some 5 x 5 patch of a glance must differ; grain and a flickering lamp stay below."""
JPEG_QUALITY = 88


class Seen(NamedTuple):
    """A picture of the table: JPEG bytes, what was read in it, and a number that grows with each."""

    jpeg: bytes
    reading: Reading
    seq: int


class Watcher:
    """A thread that watches through what `open_eye` opens, and opens it again whenever it fails.

    `heard(reading)` is called after each look, in this thread, and says whether that settles the scene;
    if not, it is looked at again.
    """

    def __init__(self, open_eye: OpenEye, heard: Callable[[Reading], bool]) -> None:
        self._open, self._heard = open_eye, heard
        self._closing = Event()
        self._seen: Seen | None = None
        self._trouble: str | None = None
        self._settling = False
        self._listeners: tuple[Callable[[], None], ...] = ()
        self._thread = Thread(target=self._run, name="camera", daemon=True)

    def start(self) -> None:
        """Begin to watch."""
        self._thread.start()

    @property
    def seen(self) -> Seen | None:
        """The last picture; None before the first."""
        return self._seen

    @property
    def trouble(self) -> str | None:
        """Why there is no picture at the moment, in one sentence; None when all is well."""
        return self._trouble

    @property
    def settling(self) -> bool:
        """Whether something moves, or lies still but has not been looked at long enough."""
        return self._settling

    def listen(self, callback: Callable[[], None]) -> None:
        """Call `callback` after every look and whenever trouble comes or goes, in this thread."""
        self._listeners = (*self._listeners, callback)

    def close(self) -> None:
        """Stop watching and let the camera go."""
        self._closing.set()
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        while not self._closing.is_set():
            try:
                self._watch()
            except CameraFailed as fault:
                self._say(str(fault))
            except Exception as fault:
                log.exception("watching the table failed")
                self._say(f"watching the table failed: {fault}")
            self._closing.wait(RETRY_S)

    def _watch(self) -> None:
        """Watch until told to stop; raises what the camera raises."""
        camera, read = self._open()
        try:
            before, still, looks = camera.glance(), 0, 0
            self._settling = True
            while not self._closing.wait(GLANCE_S):
                now = camera.glance()
                if moved(before, now):
                    still, looks, self._settling = 0, 0, True
                else:
                    still += 1
                before = now
                if self._settling and still >= STILL_GLANCES:
                    looks += 1
                    self._look(read, camera.capture(), last=looks == MOST_LOOKS)
        finally:
            self._settling = False
            camera.close()

    def _look(self, read: Read, frame: Frame, last: bool) -> None:
        reading = read(frame)
        coded, jpeg = cv2.imencode(".jpg", frame, (cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY))
        if not coded:
            raise CameraFailed("the camera's picture cannot be kept: it has no size")
        self._seen = Seen(jpeg.tobytes(), reading, self._seen.seq + 1 if self._seen else 1)
        self._settling = not self._heard(reading) and not last
        self._say(None)

    def _say(self, trouble: str | None) -> None:
        if trouble != self._trouble:
            if trouble:
                log.warning("no picture of the table: %s", trouble)
            else:
                log.info("the camera sees the table again")
            self._trouble = trouble
        elif trouble:
            return
        for callback in self._listeners:
            callback()


def moved(before: Frame, now: Frame) -> bool:
    """Whether anything moved between two glances, grey uint8 of one shape; a brighter lamp is no move."""
    if before.shape != now.shape:
        return True
    change = cv2.subtract(now, before, dtype=cv2.CV_16S)
    change = np.abs(change - np.int16(round(float(change.mean()))))
    return float(cv2.blur(change, (5, 5)).max()) >= MOVED
