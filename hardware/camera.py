"""Cameras above the table: what they all do, and those there are. Frames are converted here, once, to BGR."""

from __future__ import annotations

import logging
import os
import re
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol

import cv2
import numpy as np
import numpy.typing as npt

Frame = npt.NDArray[np.uint8]
Controls = dict[str, Any]
"""What a camera is set to: values by libcamera's names of its controls."""
log = logging.getLogger(__name__)

IN_DEV = "/dev/"
FRAME_SIZE, GLANCE_SIZE = (1536, 864), (384, 216)
QUEUED_FRAMES = 4
"""So many old frames a USB camera's driver may hold ready."""
FROZEN_S = 5.0
"""Pictures that are the same for so long, to the last digit, are one old one: a living sensor has grain."""

# What is locked of a Pi camera, and libcamera's numbers for it.
LOCKED = ("ExposureTime", "AnalogueGain", "ColourGains", "LensPosition")
AF_MANUAL, AF_CONTINUOUS, AF_SCANNING = 0, 2, 1
FLICKER_MANUAL = 1
SETTLING_US, PLAYING_US = (33_333, 100_000), (100_000, 100_000)
"""Shortest and longest time from one frame to the next; ten a second are plenty for a table, and cheap."""
SETTLE_S, RESTING_FRAMES, LOCK_FRAMES, PATIENCE_S = 6.0, 15, 12, 5.0


class CameraFailed(OSError):
    """The camera cannot be used; the text says which, why, and what to do."""


class Camera(Protocol):
    """A camera. Every method but `close` raises `CameraFailed`; after that the camera is opened anew."""

    def capture(self) -> Frame:
        """A picture taken after this call began: BGR uint8 (H, W, 3)."""

    def glance(self) -> Frame:
        """A small picture, to see whether anything moved: grey uint8 (216, 384)."""

    def close(self) -> None:
        """Let the camera go; may be called more than once."""


def small_grey(frame: Frame) -> Frame:
    """`frame`, BGR uint8 (H, W, 3), as a glance: grey uint8 (216, 384)."""
    # Made small as it is, in colours, it takes half as long again.
    grey = cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY)
    return np.asarray(cv2.resize(grey, GLANCE_SIZE, interpolation=cv2.INTER_AREA), np.uint8)


class UsbCamera:
    """A USB camera (a number, or a path in /dev), or anything else OpenCV plays: a video file, an address.

    A camera that has no pictures of `size` gives those of another that it has.
    """

    def __init__(self, source: int | str = 0, size: tuple[int, int] = FRAME_SIZE) -> None:
        self._live = isinstance(source, int) or source.startswith(IN_DEV)
        self._name = f"camera {source}" if self._live else str(source)
        self._shown: Frame | None = None
        self._same_since = 0.0
        # Asked for by name: OpenCV would otherwise try every kind of camera, and complain of each.
        linux = self._live and sys.platform == "linux"
        closed = CameraFailed(
            f"{self._name} does not open: is it plugged in, and does no other program hold it?"
        )
        if self._live and isinstance(source, str):
            source = _number(source, closed)
        try:
            self._video = cv2.VideoCapture(source, cv2.CAP_V4L2 if linux else cv2.CAP_ANY)
        except cv2.error as fault:
            raise closed from fault
        if not self._video.isOpened():
            self.close()
            raise closed
        if self._live:
            self._video.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
            self._video.set(cv2.CAP_PROP_FRAME_WIDTH, size[0])
            self._video.set(cv2.CAP_PROP_FRAME_HEIGHT, size[1])
            self._video.set(cv2.CAP_PROP_BUFFERSIZE, 1)

    def capture(self) -> Frame:
        """A fresh picture: BGR uint8 (H, W, 3)."""
        # Some drivers queue frames however few they are asked to; what is only grabbed is not decoded.
        return self._next(stale=QUEUED_FRAMES if self._live else 0)

    def glance(self) -> Frame:
        """A fresh small picture."""
        return small_grey(self._next(stale=1 if self._live else 0))

    def close(self) -> None:
        """Let the camera go."""
        with suppress(cv2.error):  # it may have been pulled out
            self._video.release()

    def _next(self, stale: int) -> Frame:
        """The next picture after `stale` ones; a driver that says nothing is given up after ten seconds."""
        frame: Frame | None = None
        with suppress(cv2.error):
            if all(self._video.grab() for _ in range(stale)):  # the first that is missed waited long enough
                taken, read = self._video.read()
                frame = np.asarray(read, np.uint8) if taken and read is not None else None
        if frame is None or not frame.size:
            raise CameraFailed(f"{self._name} gives no more pictures: check its cable")
        if frame.ndim != 3 or frame.shape[2] != 3:
            raise CameraFailed(f"{self._name} gives no pictures in colours: take another camera")
        if self._live:
            self._check(frame)
        return frame

    def _check(self, frame: Frame) -> None:
        """Raises `CameraFailed` where pictures stand still, or are of another size all at once."""
        before, self._shown = self._shown, frame
        if before is not None and before.shape != frame.shape:
            size, other = (f"{one.shape[1]} x {one.shape[0]}" for one in (frame, before))
            raise CameraFailed(
                f"{self._name} suddenly gives pictures of {size}, not {other}: plug it in again"
            )
        if before is None or not _same(before, frame) or not np.ptp(frame):
            self._same_since = time.monotonic()
        elif time.monotonic() - self._same_since > FROZEN_S:
            raise CameraFailed(f"{self._name} gives the same picture again and again: plug it in again")


def _number(path: str, absent: CameraFailed) -> int:
    """The number of the camera at a path: it may be another each time that it is plugged in."""
    found = re.fullmatch(r"video(\d+)", Path(path).resolve().name)
    if found is None:
        raise absent
    return int(found[1])


def _same(one: Frame, other: Frame) -> bool:
    """Whether two pictures are the same to the last digit; some rows tell nearly always that they are not."""
    return np.array_equal(one[::16], other[::16]) and np.array_equal(one, other)


class PiCamera:
    """A Raspberry Pi's own camera (a number). Exposure, gains and focus settle once, then stay as they are:
    `kept`, which is filled if it is empty, so that a camera that is opened again sees colours as before.

    Exposed for whole flickers of lamps on mains of `mains_hz`, where these are not too bright, no frame has
    bands. Nothing is sharpened: halos around all edges make dice doubtful (docs/benchmarks.md).
    """

    def __init__(self, number: int = 0, kept: Controls | None = None, mains_hz: int = 50) -> None:
        try:
            from picamera2 import Picamera2
        except (ImportError, ValueError) as fault:  # ValueError: a numpy other than apt's
            raise CameraFailed(
                f"picamera2 is missing or does not load ({fault}): sudo apt install python3-picamera2"
            ) from fault
        self._camera: Any = None
        self._kept = {} if kept is None else kept
        self._held: tuple[str, ...] = ()
        try:
            self._camera = _opened(Picamera2, number)
            self._start(mains_hz)
            if not self._kept:
                self._kept.update(self._settled())
            self._lock()
        except CameraFailed:
            self.close()
            raise
        except (RuntimeError, IndexError, OSError, KeyError) as fault:
            self.close()
            raise CameraFailed(
                f"the Pi camera does not start ({fault.__cause__ or fault}): is its ribbon seated, "
                "and does no other program hold it?"
            ) from fault

    def capture(self) -> Frame:
        """A fresh picture: BGR uint8 (H, W, 3)."""
        array, seen = self._take("main", time.monotonic_ns())
        if strayed := self._strayed(seen, self._held):
            raise CameraFailed(f"the Pi camera has changed {', '.join(strayed)}, which was locked")
        return _to_bgr(array, self._camera.camera_configuration()["main"]["format"])

    def glance(self) -> Frame:
        """A small picture, the last one taken: the brightness plane of the small stream."""
        plane, _ = self._take("lores")
        width, height = self._camera.camera_configuration()["lores"]["size"]
        return np.asarray(cv2.resize(plane[:height, :width], GLANCE_SIZE, interpolation=cv2.INTER_AREA))

    def close(self) -> None:
        """Let the camera go."""
        camera, self._camera = self._camera, None
        try:
            if camera is not None:
                camera.close()
        except (RuntimeError, OSError, AttributeError, ValueError) as fault:
            log.warning("the Pi camera does not close: %s", fault)

    def _start(self, mains_hz: int) -> None:
        """Begin to take pictures, with what was kept where there is any."""
        settling = {"AfMode": AF_CONTINUOUS, "FrameDurationLimits": SETTLING_US, "Sharpness": 0.0}
        settling |= {"AeFlickerMode": FLICKER_MANUAL, "AeFlickerPeriod": round(1e6 / (2 * mains_hz))}
        wanted = self._camera.create_video_configuration(
            # picamera2 names formats by the order in a word: its RGB888 lies as BGR in memory.
            main={"size": FRAME_SIZE, "format": "RGB888"},
            lores={"size": GLANCE_SIZE, "format": "YUV420"},
            buffer_count=4,
            controls=self._possible(settling),
        )
        self._camera.configure(wanted)
        self._camera.start()

    def _settled(self) -> Controls:
        """What exposure, gains and focus are once they rest, or after `SETTLE_S`."""
        until, resting = time.monotonic() + SETTLE_S, 0
        before: Controls = {}
        while resting < RESTING_FRAMES and time.monotonic() < until:
            seen = self._take()[1]
            now = self._possible({name: seen[name] for name in LOCKED if name in seen})
            rests = _alike(before, now) and seen.get("AfState") != AF_SCANNING
            before, resting = now, resting + 1 if rests else 0
        return before

    def _lock(self) -> None:
        """Hold what was kept, and see in what the camera says of its pictures that it does."""
        off = {"AeEnable": False, "AwbEnable": False, "AfMode": AF_MANUAL, "FrameDurationLimits": PLAYING_US}
        self._camera.set_controls(self._possible({**off, **self._kept}))
        seen = [self._take()[1] for _ in range(LOCK_FRAMES)]
        # A control takes effect some frames later, so only the last ones tell.
        strayed = sorted({name for one in seen[-3:] for name in self._strayed(one, tuple(self._kept))})
        if strayed:
            log.warning("the Pi camera cannot lock %s: colours may drift", ", ".join(strayed))
        self._held = tuple(name for name in self._kept if name not in strayed)

    def _possible(self, controls: Controls) -> Controls:
        """Those of `controls` that this camera has: not every lens moves."""
        has = self._camera.camera_controls
        return {name: value for name, value in controls.items() if name in has}

    def _strayed(self, seen: Controls, names: tuple[str, ...]) -> tuple[str, ...]:
        """Which of the `names` are not what was kept, by what the camera says of a picture."""
        return tuple(name for name in names if not _alike({name: seen.get(name)}, {name: self._kept[name]}))

    def _take(self, stream: str | None = None, since_ns: int = 0) -> tuple[Frame, Controls]:
        """The next picture of `stream` exposed after `since_ns`, and what the camera says of it."""
        until = time.monotonic() + PATIENCE_S
        try:
            while time.monotonic() < until:
                request = self._camera.capture_request(wait=PATIENCE_S)
                try:
                    seen: Controls = request.get_metadata()
                    # picamera2 keeps a picture ready that may be old. Its own flush fails where a camera
                    # does not tell its exposure.
                    taken = seen.get("SensorTimestamp")
                    if taken is None or taken - 1000 * seen.get("ExposureTime", 0) >= since_ns:
                        array = request.make_array(stream) if stream else ()
                        return np.asarray(array, np.uint8), seen
                finally:
                    request.release()
        except TimeoutError:
            pass
        except (RuntimeError, OSError, AttributeError, ValueError) as fault:
            raise CameraFailed(f"the Pi camera gave no picture: {fault}") from fault
        raise CameraFailed(f"the Pi camera gave no picture for {PATIENCE_S:g} seconds: check its ribbon")


def _opened(kind: Any, number: int) -> Any:
    """An open Picamera2. One that does not open keeps its pipe: retried without end, files would run out."""
    camera = kind.__new__(kind)
    try:
        camera.__init__(number)
    except Exception:
        if camera.__dict__.get("is_open"):
            camera.close()
        elif "notifyme_w" in camera.__dict__:
            os.close(camera.notifyme_w)
        raise
    return camera


def _alike(one: Controls, other: Controls) -> bool:
    """Whether two settings are the same, but for how finely a camera can be set."""
    if one.keys() != other.keys() or None in (*one.values(), *other.values()):
        return False
    return all(np.allclose(one[name], other[name], rtol=0.03, atol=0.03) for name in one)


def _to_bgr(array: Frame, form: str) -> Frame:
    if form == "RGB888":
        return array
    if form == "NV12":  # what a camera gives that has no RGB
        return np.asarray(cv2.cvtColor(array, cv2.COLOR_YUV2BGR_NV12), np.uint8)
    raise CameraFailed(f"the Pi camera gives {form} pictures, which are not understood here")
