"""The camera that the settings name, and what its frames are read with; a set-up changes both."""

from __future__ import annotations

from companion.config import CameraConfig
from companion.watch import Read, reader
from hardware.camera import Camera, CameraFailed, Controls, PiCamera, UsbCamera
from hardware.folder_camera import FolderCamera
from vision.profile import Profile

NOT_SET_UP = "it has not been set up: the host does that under “Camera and wiring”"


class Eye:
    """`open` is for the table's own watching, `open_fresh` for a set-up, `learned` for what comes of it."""

    def __init__(self, camera: CameraConfig, profile: Profile | None) -> None:
        self._camera = camera
        self._read = reader(profile) if profile else None
        self._kept: Controls = {}
        self._fresh: Controls = {}

    def open(self) -> tuple[Camera, Read]:
        """The camera with what reads its frames; opened again, it sees colours as before."""
        if self._read is None:
            raise CameraFailed(NOT_SET_UP)
        return open_camera(self._camera, self._kept), self._read

    def open_fresh(self) -> Camera:
        """The camera as it settles on the light there is now; a folder of pictures goes on where it was."""
        self._fresh = self._kept if self._camera.kind == "folder" else {}
        return open_camera(self._camera, self._fresh)

    def learned(self, profile: Profile) -> None:
        """From now on frames are read with `profile`, by a camera set as it was for its photos."""
        self._read, self._kept = reader(profile), self._fresh


def open_camera(camera: CameraConfig, kept: Controls | None = None) -> Camera:
    """The camera that the settings name, which is not `"none"`; raises `CameraFailed`.

    `kept` is what a camera was locked to when it was opened before; it is filled the first time.
    """
    if camera.kind == "picamera2":
        assert isinstance(camera.device, int)  # the settings see to it
        return PiCamera(camera.device, kept=kept, mains_hz=camera.mains_hz)
    if camera.kind == "usb":
        return UsbCamera(camera.device)
    assert camera.folder is not None  # the settings see to it
    return FolderCamera(camera.folder, kept=kept)
