"""Cameras: the contract for a folder and a film, a driver that queues, and what a Pi camera is locked to."""

from __future__ import annotations

import errno
import logging
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

import cv2
import numpy as np
import pytest

from calibration.layouts import MAT
from companion import watch
from companion.games.corona.rules import DEFAULT_COLOURS
from hardware import camera as cameras
from hardware.camera import Camera, CameraFailed, Controls, Frame, PiCamera, UsbCamera
from hardware.folder_camera import FolderCamera
from hardware.virtual import VirtualCamera, VirtualTable
from tests import pretend_picamera2
from tests.camera_contract import FRAMES, SHADES, Bench, CameraContract, picture, shade_of
from vision.reading import Reading


def until(there: Callable[[], bool]) -> None:
    for _ in range(2000):
        if there():
            return
        time.sleep(0.01)
    raise AssertionError("it never was so")


class Steps:
    """A clock moved by hand."""

    def __init__(self) -> None:
        self.now = 50.0

    def __call__(self) -> float:
        return self.now


class FolderBench(Bench):
    """A folder with a picture for each scene."""

    exclusive = False

    def __init__(self, folder: Path) -> None:
        self._folder, self._clock = folder, Steps()
        self.revive()

    def open(self) -> Camera:
        return FolderCamera(self._folder, seconds=2.0, clock=self._clock)

    def next(self) -> None:
        self._clock.now += 2.0

    def die(self) -> None:
        for path in self._folder.iterdir():
            path.unlink()
        self._clock.now += 100.0

    def revive(self) -> None:
        for number, shade in enumerate(SHADES):
            cv2.imwrite(str(self._folder / f"{number:03}.png"), picture(shade))
        (self._folder / "notes.txt").write_text("not a picture", encoding="utf-8")


class FilmBench(Bench):
    """A film with a frame for each scene; the last one stays for a while."""

    exclusive = False

    def __init__(self, folder: Path, reel: Path) -> None:
        self._film, self._reel = folder / "film.avi", reel
        self.revive()

    def open(self) -> Camera:
        return UsbCamera(str(self._film))

    def next(self) -> None:
        """Each frame that is read is the next one."""

    def die(self) -> None:
        self._film.unlink()

    def revive(self) -> None:
        self._film.hardlink_to(self._reel)


@pytest.fixture(scope="module")
def reel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("reel") / "reel.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 5, (1536, 864))
    for shade in (*SHADES, *SHADES[-1:] * (FRAMES - len(SHADES))):
        writer.write(picture(shade))
    writer.release()
    return path


class TestFolder(CameraContract):
    """The contract for a folder of pictures."""

    @pytest.fixture
    def bench(self, tmp_path: Path) -> Bench:
        return FolderBench(tmp_path)


class TestFilm(CameraContract):
    """The contract for OpenCV's cameras, on a film."""

    @pytest.fixture
    def bench(self, tmp_path: Path, reel: Path) -> Bench:
        return FilmBench(tmp_path, reel)


# Folders and films


def test_a_folder_shows_its_pictures_in_turn_and_the_last_one_stays(tmp_path: Path) -> None:
    FolderBench(tmp_path)
    clock = Steps()
    camera = FolderCamera(tmp_path, seconds=2.0, clock=clock)
    shades = []
    for _ in range(8):
        shades.append(shade_of(camera.capture()))
        clock.now += 1.0
    assert shades == [10, 10, 120, 120, 240, 240, 240, 240]


def test_pictures_that_come_later_follow_the_last_one(tmp_path: Path) -> None:
    FolderBench(tmp_path)
    clock = Steps()
    camera = FolderCamera(tmp_path, seconds=2.0, clock=clock)
    clock.now += 60.0
    shades = [shade_of(camera.capture())]
    for name, shade in (("900.png", 60), ("002b.png", 180)):
        cv2.imwrite(str(tmp_path / name), picture(shade))
    for _ in range(5):
        shades.append(shade_of(camera.capture()))
        clock.now += 1.0
    assert shades == [240, 180, 180, 60, 60, 60]


def test_a_folder_that_may_not_be_looked_into_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def iterdir(path: Path) -> Iterator[Path]:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))

    # Whoever runs the tests may be allowed to read everything.
    monkeypatch.setattr(Path, "iterdir", iterdir)
    with pytest.raises(CameraFailed, match=r"cannot be read: Permission denied$"):
        FolderCamera(tmp_path)


def test_a_folder_that_is_opened_again_goes_on_where_it_was(tmp_path: Path) -> None:
    """Or one damaged picture would let it begin anew for ever."""
    FolderBench(tmp_path)
    (tmp_path / "001.png").write_bytes(b"no picture at all")
    clock, kept, shown = Steps(), Controls(), []
    for _ in range(5):
        camera = FolderCamera(tmp_path, seconds=2.0, clock=clock, kept=kept)
        try:
            shown.append(shade_of(camera.capture()))
        except CameraFailed:
            shown.append(-1)
        clock.now += 1.0
    assert shown == [10, 10, -1, -1, 240]


def test_what_cannot_be_opened_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", None)
    empty, damaged = tmp_path / "empty", tmp_path / "damaged"
    empty.mkdir()
    damaged.mkdir()
    (damaged / "000.png").write_bytes(b"no picture at all")
    for open_it, why in (
        (lambda: FolderCamera(tmp_path / "nowhere"), "nowhere is no folder"),
        (lambda: FolderCamera(empty), "holds no picture"),
        (lambda: FolderCamera(damaged).capture(), "000.png is not a picture"),
        (lambda: UsbCamera(str(tmp_path / "nothing.avi")), "nothing.avi does not open"),
        (PiCamera, "python3-picamera2"),
    ):
        with pytest.raises(CameraFailed, match=why):
            open_it()


class Impatient(threading.Event):
    """Does not wait, but notes for how long it was to, and is set after the sixth time."""

    waits: ClassVar[list[float | None]] = []

    def wait(self, timeout: float | None = None) -> bool:
        self.waits.append(timeout)
        if len(self.waits) == 6:
            self.set()
        return self.is_set()


def test_a_camera_that_stays_away_is_tried_ever_more_seldom(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def open_eye() -> tuple[Camera, watch.Read]:
        return FolderCamera(tmp_path / "nowhere"), lambda _: Reading(None, {})

    monkeypatch.setattr(Impatient, "waits", [])
    monkeypatch.setattr(watch, "Event", Impatient)
    watcher = watch.Watcher(open_eye, lambda _: None)
    watcher.start()
    watcher._thread.join()
    assert Impatient.waits == [2, 4, 8, 15, 15, 15]


# A USB camera


class Driver:
    """A USB camera behind OpenCV that knows one size and keeps frames queued, however few it is asked to."""

    size: ClassVar[tuple[int, int]] = (640, 480)
    taken: ClassVar[int] = 0
    """Frames it has exposed up to now; each is as bright as its number."""

    def __init__(self, source: int | str, backend: int) -> None:
        assert source == 3
        self._queue = [0] * cameras.QUEUED_FRAMES
        self._grabbed = 0

    def isOpened(self) -> bool:  # noqa: N802
        return True

    def set(self, _property: int, _value: float) -> bool:
        return False

    def grab(self) -> bool:
        self._grabbed = self._queue.pop(0)
        self._queue.append(Driver.taken)
        return True

    def read(self) -> tuple[bool, Frame]:
        self.grab()
        width, height = self.size
        return True, np.full((height, width, 3), self._grabbed, np.uint8)

    def release(self) -> None: ...


def test_a_usb_camera_gives_no_frame_that_was_queued(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cv2, "VideoCapture", Driver)
    camera = UsbCamera(3)
    for now in (40, 90):
        monkeypatch.setattr(Driver, "taken", now)
        assert int(camera.capture().max()) == now
    camera.close()


def test_a_usb_camera_is_found_by_its_path_whatever_its_number(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    opened: list[int | str] = []

    class Numbered(Driver):
        def __init__(self, source: int | str, backend: int) -> None:
            super().__init__(3, backend)
            opened.append(source)

    monkeypatch.setattr(cv2, "VideoCapture", Numbered)
    monkeypatch.setattr("hardware.camera.IN_DEV", f"{tmp_path}/")
    path = tmp_path / "usb-the-camera-index0"
    for number in (0, 2):
        path.unlink(missing_ok=True)
        with pytest.raises(CameraFailed, match="camera-index0 does not open: is it plugged in"):
            UsbCamera(str(path))
        path.symlink_to(tmp_path / f"video{number}")
        assert UsbCamera(str(path)).glance().shape == (216, 384)
    assert opened == [0, 2]


def test_a_usb_camera_that_falls_silent_is_waited_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A driver waits ten seconds for each picture: who stops the program should not wait for all of them."""
    waits = 0

    class Silent(Driver):
        """Its cable is out."""

        def grab(self) -> bool:
            nonlocal waits
            waits += 1
            return False

        def read(self) -> tuple[bool, Frame]:
            return self.grab(), np.empty(0, np.uint8)

    monkeypatch.setattr(cv2, "VideoCapture", Silent)
    camera = UsbCamera(3)
    for look in (camera.glance, camera.capture):
        waits = 0
        with pytest.raises(CameraFailed, match="gives no more pictures"):
            look()
        assert waits == 1


def test_a_usb_camera_of_another_size_is_taken_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cv2, "VideoCapture", Driver)
    camera = UsbCamera(3)
    assert camera.capture().shape == (480, 640, 3)
    assert camera.glance().shape == (216, 384)


def test_a_usb_camera_whose_picture_stands_still_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """Old ones would be read as what lies there now. Those of a lens cap are alike, too, and show nothing."""

    class Stuck(Driver):
        grain: ClassVar[int] = 1

        def read(self) -> tuple[bool, Frame]:
            return True, (np.indices((480, 640)).sum(axis=0) % 200 * Stuck.grain)[..., None].repeat(3, 2)

    monkeypatch.setattr(cv2, "VideoCapture", Stuck)
    monkeypatch.setattr(cameras, "FROZEN_S", 0.05)
    camera = UsbCamera(3)
    camera.glance()
    time.sleep(0.1)
    with pytest.raises(CameraFailed, match="camera 3 gives the same picture again and again"):
        camera.glance()
    monkeypatch.setattr(Stuck, "grain", 0)
    for _ in range(3):
        camera.glance()
        time.sleep(0.05)


def test_a_usb_camera_that_changes_its_size_is_opened_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cv2, "VideoCapture", Driver)
    camera = UsbCamera(3)
    camera.glance()
    monkeypatch.setattr(Driver, "size", (320, 240))
    with pytest.raises(CameraFailed, match="suddenly gives pictures of 320 x 240, not 640 x 480"):
        camera.capture()


def test_what_opencv_raises_is_a_camera_that_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    class Pulled(Driver):
        """Out with its cable in the middle of a call."""

        def read(self) -> tuple[bool, Frame]:
            raise cv2.error("ioctl failed")

        def release(self) -> None:
            raise cv2.error("no such device")

    monkeypatch.setattr(cv2, "VideoCapture", Pulled)
    camera = UsbCamera(3)
    with pytest.raises(CameraFailed, match="gives no more pictures: check its cable"):
        camera.glance()
    camera.close()


def test_a_camera_that_hangs_neither_shows_what_lies_there_nor_keeps_anybody_waiting(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its driver never comes back from a call: neither a set-up nor the end of the program waits for it."""
    hangs, back = threading.Event(), threading.Event()

    class Hanging(VirtualCamera):
        def glance(self) -> Frame:
            if hangs.is_set():
                back.wait()
            return super().glance()

    monkeypatch.setattr(watch, "GLANCE_S", 0.01)
    monkeypatch.setattr(watch, "LATE_S", 0.2)
    monkeypatch.setattr("vision.steady.CHECK_GLANCES", 10**9)  # no other look tells anybody
    table = VirtualTable(MAT, DEFAULT_COLOURS, clock=lambda: 0.0)
    still = Reading((0,) * 12, {}, sure=True)
    watcher = watch.Watcher(lambda: (Hanging(table), lambda _: still), lambda _: None)
    heard = threading.Event()
    watcher.listen(lambda: heard.set() if back.is_set() else None)
    watcher.start()
    until(lambda: watcher.seen is not None and not watcher.settling)
    hangs.set()
    until(lambda: watcher.settling)
    monkeypatch.setattr(watch, "SILENT_S", 0.3)
    with pytest.raises(CameraFailed, match="does not answer"):
        watcher.lend()
    hangs.clear()
    back.set()
    assert heard.wait(10), "what waited is told that it may go on"
    until(lambda: not watcher.settling)
    back.clear()
    hangs.set()
    until(lambda: watcher.settling)
    watcher.close()
    back.set()


@pytest.mark.parametrize("shape", [(480, 640), (480, 640, 4)])
def test_a_usb_camera_without_colours_says_so(
    monkeypatch: pytest.MonkeyPatch, shape: tuple[int, ...]
) -> None:
    class Grey(Driver):
        """One that sees heat, or depth."""

        def read(self) -> tuple[bool, Frame]:
            return True, np.zeros(shape, np.uint8)

    monkeypatch.setattr(cv2, "VideoCapture", Grey)
    for look in (UsbCamera(3).glance, UsbCamera(3).capture):
        with pytest.raises(CameraFailed, match="camera 3 gives no pictures in colours"):
            look()


# What a Pi camera is locked to


@pytest.fixture
def pretend(monkeypatch: pytest.MonkeyPatch) -> type[pretend_picamera2.Picamera2]:
    """The class of a pretended camera, as `picamera2` brings it."""

    class Picamera2(pretend_picamera2.Picamera2):
        """One for this test alone."""

        asked: ClassVar[list[dict[str, Any]]] = []
        opened: ClassVar[list[int]] = []

    monkeypatch.setitem(sys.modules, "picamera2", SimpleNamespace(Picamera2=Picamera2))
    return Picamera2


SETTLED = {"ExposureTime": 20_000, "AnalogueGain": 2.0, "ColourGains": (1.8, 1.4), "LensPosition": 2.1}


def test_exposure_gains_and_focus_are_locked_once_they_rest(
    pretend: type[pretend_picamera2.Picamera2],
) -> None:
    kept: Controls = {}
    camera = PiCamera(kept=kept)
    assert kept == SETTLED
    lock = pretend.asked[-1]
    assert lock | SETTLED == lock, "what it rested at is what it is locked to"
    assert (lock["AeEnable"], lock["AwbEnable"], lock["AfMode"]) == (False, False, cameras.AF_MANUAL)
    assert camera.capture().shape == (864, 1536, 3)
    assert camera.glance().shape == (216, 384)
    camera.close()


def test_opened_again_it_is_locked_to_the_same(
    pretend: type[pretend_picamera2.Picamera2], monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = {**SETTLED, "ExposureTime": 31_000, "LensPosition": 5.0}
    PiCamera(kept=kept).close()
    assert pretend.asked[-1] | kept == pretend.asked[-1]
    assert kept["ExposureTime"] == 31_000


def test_a_camera_whose_lens_does_not_move_is_not_asked_to_focus(
    pretend: type[pretend_picamera2.Picamera2], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pretend, "lens", False)
    kept: Controls = {}
    PiCamera(kept=kept).close()
    assert kept.keys() == SETTLED.keys() - {"LensPosition"}


@pytest.mark.parametrize(("mains_hz", "flicker_us"), [(50, 10_000), (60, 8_333)])
def test_exposures_are_whole_flickers_of_the_lamps(
    pretend: type[pretend_picamera2.Picamera2], mains_hz: int, flicker_us: int
) -> None:
    PiCamera(mains_hz=mains_hz).close()
    start = pretend.asked[0]
    assert (start["AeFlickerMode"], start["AeFlickerPeriod"]) == (cameras.FLICKER_MANUAL, flicker_us)


def test_a_camera_is_asked_not_to_sharpen(pretend: type[pretend_picamera2.Picamera2]) -> None:
    PiCamera().close()
    assert pretend.asked[0]["Sharpness"] == 0


def test_a_camera_that_knows_no_flicker_is_not_asked_about_it(
    pretend: type[pretend_picamera2.Picamera2], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pretend, "knows_flicker", False)
    PiCamera().close()
    assert not any("Flicker" in name for asked in pretend.asked for name in asked)


def test_a_lock_that_is_lost_is_a_failure(
    pretend: type[pretend_picamera2.Picamera2], monkeypatch: pytest.MonkeyPatch
) -> None:
    camera = PiCamera()
    camera.capture()
    monkeypatch.setattr(pretend, "obeys", False)
    with pytest.raises(CameraFailed, match=r"has changed ExposureTime, .*, which was locked"):
        camera.capture()


def test_a_camera_that_cannot_be_locked_is_told_of_and_used(
    pretend: type[pretend_picamera2.Picamera2],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(pretend, "obeys", False)
    monkeypatch.setattr(cameras, "SETTLE_S", 0.1)
    caplog.set_level(logging.WARNING)
    camera = PiCamera()
    assert "cannot lock AnalogueGain, ColourGains, ExposureTime, LensPosition" in caplog.text
    assert camera.capture().shape == (864, 1536, 3)


def test_a_camera_that_hangs_is_given_up(
    pretend: type[pretend_picamera2.Picamera2], monkeypatch: pytest.MonkeyPatch
) -> None:
    camera = PiCamera()
    monkeypatch.setattr(pretend, "hangs", True)
    with pytest.raises(CameraFailed, match="no picture for 5 seconds: check its ribbon"):
        camera.capture()


def test_the_pi_camera_is_the_one_of_that_number(pretend: type[pretend_picamera2.Picamera2]) -> None:
    with pytest.raises(CameraFailed, match=r"does not start .*ribbon"):
        PiCamera(1)
    assert pretend.opened == [1]
