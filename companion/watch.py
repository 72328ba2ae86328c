"""Watching a camera: a look whenever what moved lies still again, and the last picture for everyone."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from threading import Event, Lock, Thread
from typing import NamedTuple, TypeVar

import cv2
import numpy as np
import numpy.typing as npt

from calibration.bare import knowing
from calibration.pieces import FirstFrames
from companion.reading import READING
from hardware.camera import Camera, CameraFailed
from vision.geometry import View
from vision.profile import Profile
from vision.read import read
from vision.reading import Reading
from vision.steady import STILL_GLANCES, Steady

Frame = npt.NDArray[np.uint8]
Read = Callable[[Frame], Reading]
"""Reads a frame, BGR uint8 (H, W, 3)."""
OpenEye = Callable[[], tuple[Camera, Read]]
"""Opens the camera and makes ready what reads its frames; both may take seconds."""
T = TypeVar("T")
log = logging.getLogger(__name__)

GLANCE_S = 0.2
RETRY_S, MOST_RETRY_S = 2.0, 15.0
"""A camera that fails is opened again so much later, each time twice as late, without end."""
VISION_THREADS = 1
"""OpenCV would take every core for each picture; the others are for phones, lamps and the sand."""
JPEG_QUALITY = 88
RESTLESS_S = 60.0
"""What moves so long without a rest is hardly a hand."""
LATE_S, SILENT_S = 1.5, 20.0
"""Where a camera has not answered for the first, nobody knows what lies there now; where it has not for the
second, longer than any takes to open or to give up, it hangs."""
SILENT = "the camera does not answer: unplug it, and plug it in again"
RESTLESS = "something moves all the time: take what flickers or moves out of its sight"
LENT = "the host sets it up or tests it"
"""What is said while somebody else has the camera."""


def reader(profile: Profile) -> Read:
    """Reads frames with `profile`, and remembers where the board lay, should camera or board be moved.

    Pieces that nobody measured are measured in the first frames; what bare ones look like is learned in all.
    """
    last: View | None = None
    first = FirstFrames(profile)

    def look(frame: Frame) -> Reading:
        nonlocal last, profile
        with READING:
            reading = read(frame, profile, last)
            profile = knowing(profile, reading)
            if first.wanted:
                first.look(frame, reading)
                if not first.wanted:
                    profile = first.profile  # what bare ones look like hangs on how wide they are taken to be
                    log.info("the pieces are %g mm wide, as these frames show", profile.piece_mm[0])
        last = reading.view or last
        return reading

    return look


class Seen(NamedTuple):
    """A picture of the table: JPEG bytes, what is known of it, and a number that grows with each."""

    jpeg: bytes
    reading: Reading
    seq: int


class Watcher:
    """A thread that watches through what `open_eye` opens, and opens it again whenever it fails.

    `heard(steady)` is called after each look, in this thread: what all looks up to now say together;
    `glanced()` after each glance.
    """

    def __init__(
        self,
        open_eye: OpenEye,
        heard: Callable[[Steady], None],
        glanced: Callable[[], None] = lambda: None,
    ) -> None:
        self._open, self._heard, self._glanced = open_eye, heard, glanced
        self._closing = Event()
        self._door = Lock()
        self._lent = False
        self._shut = Event()
        self._shut.set()
        self._seen: Seen | None = None
        self._looks = 0
        self._trouble: str | None = None
        self._settling = False
        self._asked: float | None = None
        self._moves = 0
        self._listeners: tuple[Callable[[], None], ...] = ()
        self._thread = Thread(target=self._run, name="camera", daemon=True)

    def start(self) -> None:
        """Begin to watch. From now on OpenCV uses `VISION_THREADS` in this whole program."""
        cv2.setNumThreads(VISION_THREADS)
        self._thread.start()

    @property
    def seen(self) -> Seen | None:
        """The last picture; None before the first."""
        return self._seen

    @property
    def trouble(self) -> str | None:
        """Why nothing is read at the moment, in one sentence; None when all is well."""
        return self._trouble

    @property
    def settling(self) -> bool:
        """Whether something moves, or has not been looked at long enough; or the camera does not answer."""
        return self._settling or self._waited() > LATE_S

    @property
    def moves(self) -> int:
        """A number that grows whenever something moves."""
        return self._moves

    def listen(self, callback: Callable[[], None]) -> None:
        """Call `callback` after every look and whenever trouble comes or goes, in this thread."""
        self._listeners = (*self._listeners, callback)

    def lend(self) -> None:
        """Let the camera go until `take_back`; when this returns somebody else may open it.

        What was seen is forgotten: meanwhile the table may become quite another. Raises `CameraFailed` where
        it hangs.
        """
        with self._door:
            self._lent = True
        while not self._shut.wait(GLANCE_S):
            if self._waited() > SILENT_S:
                self._lent = False
                raise CameraFailed(SILENT)
        self._seen = None
        self._say(LENT)

    def take_back(self) -> None:
        """Watch again."""
        self._lent = False

    def close(self) -> None:
        """Stop watching and let the camera go."""
        self._closing.set()
        while self._thread.is_alive() and self._waited() < SILENT_S:  # who hangs ends with the program
            self._thread.join(GLANCE_S)

    def _run(self) -> None:
        pause = RETRY_S
        while not self._closing.is_set():
            with self._door:
                if not self._lent:
                    self._shut.clear()
            if self._shut.is_set():
                self._closing.wait(GLANCE_S)
                continue
            looks = self._looks
            try:
                self._watch()
            except CameraFailed as fault:
                self._say(str(fault))
            except Exception as fault:
                trouble = f"watching the table failed: {fault}"
                if trouble != self._trouble:  # once, not with each time it is tried again
                    log.exception("watching the table failed")
                self._say(trouble)
            finally:
                self._settling = False
                self._shut.set()
            if self._looks > looks:
                pause = RETRY_S
            if not self._lent:
                self._closing.wait(pause)
                pause = min(2 * pause, MOST_RETRY_S)

    def _watch(self) -> None:
        """Watch until told to stop or to let the camera go; raises what the camera raises."""
        camera, read = self._ask(self._open)
        try:
            steady = Steady(markers=False).glanced(self._ask(camera.glance))
            self._settling, rested = True, time.monotonic()
            self._moves += 1  # nobody saw what happened meanwhile
            while not self._lent and not self._closing.wait(GLANCE_S):
                asked = time.monotonic()
                steady = steady.glanced(self._ask(camera.glance))
                if not steady.still:
                    self._moves += 1
                elif time.monotonic() - asked > LATE_S:
                    self.tell()  # what waited meanwhile may go on: nothing has moved
                self._settling = steady.busy
                if steady.still >= STILL_GLANCES:
                    rested = time.monotonic()
                elif time.monotonic() - rested > RESTLESS_S:
                    self._say(RESTLESS)
                if steady.wants_look:
                    steady = self._look(read, steady, self._ask(camera.capture))
                self._glanced()
        finally:
            camera.close()

    def _ask(self, take: Callable[[], T]) -> T:
        self._asked = time.monotonic()
        try:
            return take()
        finally:
            self._asked = None

    def _waited(self) -> float:
        """For how many seconds the camera has been asked for a picture that has not come yet."""
        asked = self._asked
        return 0.0 if asked is None else time.monotonic() - asked

    def _look(self, read: Read, steady: Steady, frame: Frame) -> Steady:
        steady = steady.looked(read(frame))
        if (view := steady.reading.view) and frame.shape[1::-1] != view.lens.size:
            frame = np.asarray(cv2.resize(frame, view.lens.size), np.uint8)  # what was read is in its pixels
        coded, jpeg = cv2.imencode(".jpg", frame, (cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY))
        if not coded:
            raise CameraFailed("the camera's picture cannot be kept: it has no size")
        self._looks += 1
        self._seen = Seen(jpeg.tobytes(), steady.reading, self._looks)
        self._settling = steady.busy
        self._heard(steady)
        self._say(None)
        return steady

    def _say(self, trouble: str | None) -> None:
        if trouble != self._trouble:
            if trouble:
                log.warning("no picture of the table: %s", trouble)
            else:
                log.info("the camera sees the table again")
            self._trouble = trouble
        elif trouble:
            return
        self.tell()

    def tell(self) -> None:
        """Call all who listen; in this thread."""
        for callback in self._listeners:
            callback()
