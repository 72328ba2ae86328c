"""Cameras above the table: what they all do, and those there are. Frames are converted here, once, to BGR."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

import cv2
import numpy as np
import numpy.typing as npt

Frame = npt.NDArray[np.uint8]
FRAME_SIZE, GLANCE_SIZE = (1536, 864), (384, 216)
PICTURES = {".jpg", ".jpeg", ".png", ".webp"}


class CameraFailed(OSError):
    """The camera cannot be used; the text says which, why, and what to do."""


class Camera(Protocol):
    """A camera. Every method raises `CameraFailed`; after that the camera is opened anew."""

    def capture(self) -> Frame:
        """A picture taken after this call began: BGR uint8 (H, W, 3)."""

    def glance(self) -> Frame:
        """A small picture, to see whether anything moved: grey uint8 (216, 384)."""

    def close(self) -> None:
        """Let the camera go; may be called more than once."""


def small_grey(frame: Frame) -> Frame:
    """`frame`, BGR uint8 (H, W, 3), as a glance: grey uint8 (216, 384)."""
    small = cv2.resize(frame, GLANCE_SIZE, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.uint8)


class FolderCamera:
    """Pictures of a folder in the order of their names, each `seconds` long; the last one stays."""

    def __init__(
        self, folder: Path, seconds: float = 2.0, clock: Callable[[], float] = time.monotonic
    ) -> None:
        if not folder.is_dir():
            raise CameraFailed(f"{folder} is no folder: name one that holds pictures")
        self._paths = sorted(path for path in folder.iterdir() if path.suffix.lower() in PICTURES)
        if not self._paths:
            raise CameraFailed(f"{folder} holds no picture (.jpg, .png or .webp)")
        self._seconds, self._clock, self._began = seconds, clock, clock()
        self._read: tuple[Path, Frame] | None = None

    def capture(self) -> Frame:
        """The picture whose turn it is."""
        turn = int((self._clock() - self._began) / self._seconds)
        path = self._paths[min(turn, len(self._paths) - 1)]
        if self._read is None or self._read[0] != path:
            try:
                data = np.frombuffer(path.read_bytes(), np.uint8)
            except OSError as fault:
                raise CameraFailed(f"{path} cannot be read: {fault.strerror}") from fault
            frame = cv2.imdecode(data, cv2.IMREAD_COLOR) if data.size else None
            if frame is None:
                raise CameraFailed(f"{path} is not a picture, or a damaged one")
            self._read = path, np.asarray(frame, np.uint8)
        return self._read[1].copy()

    def glance(self) -> Frame:
        """The same, small."""
        return small_grey(self.capture())

    def close(self) -> None:
        """Nothing to let go of."""


class UsbCamera:
    """A USB camera (a number), or anything else OpenCV plays: a video file, a stream's address."""

    def __init__(self, source: int | str = 0, size: tuple[int, int] = FRAME_SIZE) -> None:
        self._name = f"camera {source}" if isinstance(source, int) else source
        self._live = isinstance(source, int)
        self._video = cv2.VideoCapture(source)
        if not self._video.isOpened():
            self.close()
            raise CameraFailed(
                f"{self._name} does not open: is it plugged in, and does no other program hold it?"
            )
        if self._live:
            self._video.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
            self._video.set(cv2.CAP_PROP_FRAME_WIDTH, size[0])
            self._video.set(cv2.CAP_PROP_FRAME_HEIGHT, size[1])
            # Drivers queue frames; with one at most, the grab below throws the stale one away.
            self._video.set(cv2.CAP_PROP_BUFFERSIZE, 1)

    def capture(self) -> Frame:
        """A fresh picture: BGR uint8 (H, W, 3)."""
        if self._live:
            self._video.grab()
        taken, frame = self._video.read()
        if not taken or frame is None:
            raise CameraFailed(f"{self._name} gives no more pictures: check its cable")
        return np.asarray(frame, np.uint8)

    def glance(self) -> Frame:
        """A fresh small picture."""
        return small_grey(self.capture())

    def close(self) -> None:
        """Let the camera go."""
        self._video.release()


class PiCamera:
    """A Raspberry Pi's own camera (a number). Exposure and colours settle once and then stay as they are."""

    def __init__(self, number: int = 0, size: tuple[int, int] = FRAME_SIZE, settle_s: float = 1.5) -> None:
        try:
            from picamera2 import Picamera2
        except ImportError as fault:
            raise CameraFailed("picamera2 is missing: sudo apt install python3-picamera2") from fault
        self._camera: Any = None
        try:
            self._camera = Picamera2(number)
            wanted = self._camera.create_video_configuration(
                # picamera2 names formats by the order in a word: its RGB888 lies as BGR in memory.
                main={"size": size, "format": "RGB888"},
                lores={"size": GLANCE_SIZE, "format": "YUV420"},
                buffer_count=4,
            )
            self._camera.configure(wanted)
            # What was asked for is not always what one gets.
            self._format = self._camera.camera_configuration()["main"]["format"]
            self._camera.start()
            time.sleep(settle_s)
            self._lock()
        except (RuntimeError, IndexError, OSError, KeyError) as fault:
            self.close()
            raise CameraFailed(
                f"the Pi camera does not start: {fault}; is its ribbon seated, "
                "and does no other program hold it?"
            ) from fault

    def capture(self) -> Frame:
        """A fresh picture: BGR uint8 (H, W, 3)."""
        # Without flush a picture may have been exposed before the call.
        return _to_bgr(self._take("main", flush=True), self._format)

    def glance(self) -> Frame:
        """A fresh small picture: the brightness plane of the small stream."""
        plane = self._take("lores", flush=False)
        return np.ascontiguousarray(plane[: GLANCE_SIZE[1], : GLANCE_SIZE[0]])

    def close(self) -> None:
        """Let the camera go."""
        if self._camera is not None:
            self._camera.close()
            self._camera = None

    def _take(self, stream: str, flush: bool) -> Frame:
        try:
            request = self._camera.capture_request(flush=flush)
            try:
                return np.asarray(request.make_array(stream), np.uint8)
            finally:
                request.release()
        except (RuntimeError, OSError, AttributeError, TimeoutError) as fault:
            raise CameraFailed(f"the Pi camera gave no picture: {fault}") from fault

    def _lock(self) -> None:
        """Keep exposure and colours: a learned colour must stay what it was."""
        seen = self._camera.capture_metadata()
        kept = {name: seen[name] for name in ("ExposureTime", "AnalogueGain", "ColourGains") if name in seen}
        self._camera.set_controls({"AeEnable": False, "AwbEnable": False, **kept})


def _to_bgr(array: Frame, form: str) -> Frame:
    if form == "RGB888":
        return array
    if form == "BGR888":
        return np.asarray(cv2.cvtColor(array, cv2.COLOR_RGB2BGR), np.uint8)
    if form == "NV12":
        return np.asarray(cv2.cvtColor(array, cv2.COLOR_YUV2BGR_NV12), np.uint8)
    if form == "YUV420":
        return np.asarray(cv2.cvtColor(array, cv2.COLOR_YUV2BGR_I420), np.uint8)
    raise CameraFailed(f"the Pi camera gives {form} pictures, which are not understood here")
