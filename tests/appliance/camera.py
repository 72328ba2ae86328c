"""The contract of cameras for the real picamera2, on libcamera's virtual pipeline."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy
import picamera2
import pytest
from picamera2 import Picamera2

from hardware import camera as cameras
from hardware.camera import Camera, PiCamera
from tests.appliance import virtual_camera
from tests.appliance.virtual_camera import Scene
from tests.camera_contract import SHADES, Bench, CameraContract

virtual_camera.install()


class PiBench(Bench):
    """picamera2 on the virtual pipeline."""

    def open(self) -> Camera:
        return PiCamera(0)

    def next(self) -> None:
        Scene.shade = SHADES[min(SHADES.index(Scene.shade) + 1, len(SHADES) - 1)]

    def die(self) -> None:
        Scene.plugged = False

    def revive(self) -> None:
        Scene.plugged, Scene.shade = True, SHADES[0]


class TestPiCamera(CameraContract):
    """The contract for picamera2."""

    @pytest.fixture
    def bench(self, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
        monkeypatch.setattr(cameras, "PATIENCE_S", 0.5)
        bench = PiBench()
        bench.revive()
        yield bench
        bench.revive()


def test_numpy_and_picamera2_are_those_of_the_system_and_the_program_is_the_installed_one() -> None:
    assert Path(numpy.__file__).is_relative_to("/usr/lib/python3")
    assert Path(picamera2.__file__).is_relative_to("/usr")
    assert Path(cameras.__file__).is_relative_to("/opt/corona")


def test_both_streams_are_picamera2s_own() -> None:
    camera = PiCamera(0)
    streams = camera._camera.camera_configuration()
    assert isinstance(camera._camera, Picamera2)
    assert (streams["main"]["size"], streams["lores"]["size"]) == ((1536, 864), (384, 216))
    camera.close()


def test_another_number_is_no_camera() -> None:
    with pytest.raises(cameras.CameraFailed, match=r"does not start .*ribbon"):
        PiCamera(1)
