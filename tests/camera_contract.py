"""What every camera does: one suite, for a folder and a film, and in a Debian of its own for picamera2."""

from __future__ import annotations

import gc
import threading
from abc import ABC, abstractmethod
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from companion import watch
from hardware.camera import GLANCE_SIZE, Camera, CameraFailed, Frame, small_grey
from vision.reading import Reading
from vision.steady import Steady

BLUE, RED = (200, 30, 20), (20, 30, 200)
SHADES = (10, 120, 240)
"""The grey square of one scene after the other."""
FRAMES = 60
"""A film has so many; a dead camera may still have them to give."""
PATIENCE = 30.0
NEAR = 14
"""Grey levels that JPEG and YUV may change."""


def picture(shade: int) -> Frame:
    """A scene, BGR uint8 (864, 1536, 3): blue on the left, red on the right, a grey square of `shade`."""
    frame = np.zeros((864, 1536, 3), np.uint8)
    frame[:, :768], frame[:, 768:] = BLUE, RED
    frame[300:500, 600:900] = shade
    return frame


def shade_of(frame: Frame) -> int:
    """How bright the square of a scene is in a frame of it."""
    return int(frame[330:470, 640:860].mean())


class Bench(ABC):
    """A camera on a bench that looks at the scenes of `SHADES`, each until `next`."""

    exclusive = True
    """Whether only one at a time can hold it; any number may look at files."""

    @abstractmethod
    def open(self) -> Camera:
        """Opens the camera; may be called again."""

    @abstractmethod
    def next(self) -> None:
        """From now on it looks at the next scene."""

    @abstractmethod
    def die(self) -> None:
        """From now on it cannot be opened, and after `FRAMES` more at most there are no pictures."""

    @abstractmethod
    def revive(self) -> None:
        """After it has died: it can be opened again, and looks at the first scene."""


class CameraContract(ABC):
    """The tests; who inherits them gives a `bench`."""

    @pytest.fixture
    @abstractmethod
    def bench(self) -> Bench: ...

    @pytest.fixture
    def camera(self, bench: Bench) -> Iterator[Camera]:
        camera = bench.open()
        yield camera
        camera.close()

    def test_frames_are_bgr(self, camera: Camera) -> None:
        frame = camera.capture()
        assert (frame.shape, frame.dtype) == ((864, 1536, 3), np.uint8)
        assert np.abs(frame[100, 100].astype(int) - BLUE).max() < NEAR, "blue is the first channel"
        assert np.abs(frame[100, 1400].astype(int) - RED).max() < NEAR

    def test_a_frame_belongs_to_who_asked_for_it(self, camera: Camera) -> None:
        camera.capture()[:] = 0
        assert camera.capture()[100, 100, 0] > 100

    def test_glances_are_small_and_grey_and_show_the_same(self, camera: Camera) -> None:
        glance = camera.glance()
        assert (glance.shape, glance.dtype) == (GLANCE_SIZE[::-1], np.uint8)
        assert np.abs(glance.astype(int) - small_grey(picture(SHADES[0]))).mean() < NEAR

    def test_a_frame_is_taken_after_it_was_asked_for(self, bench: Bench, camera: Camera) -> None:
        seen = []
        for _ in SHADES:
            seen.append(shade_of(camera.capture()))
            bench.next()
        assert np.abs(np.subtract(seen, SHADES)).max() < NEAR, seen

    def test_a_camera_that_died_says_so_and_can_be_closed(self, bench: Bench, camera: Camera) -> None:
        camera.capture()
        bench.die()
        with pytest.raises(CameraFailed, match=r"\w+ \w+"):
            for _ in range(2 * FRAMES):
                camera.capture()
        with pytest.raises(CameraFailed):
            camera.glance()
        camera.close()
        camera.close()

    def test_a_closed_camera_gives_nothing_and_can_be_opened_again(self, bench: Bench) -> None:
        for _ in range(3):
            camera = bench.open()
            assert shade_of(camera.capture()) < NEAR + SHADES[0]
            camera.close()
            camera.close()
            with pytest.raises(CameraFailed):
                camera.capture()
            with pytest.raises(CameraFailed):
                camera.glance()

    def test_a_camera_held_by_another_is_said_and_free_when_let_go(self, bench: Bench) -> None:
        first = bench.open()
        before = _open_files()
        for _ in range(3):
            if bench.exclusive:
                with pytest.raises(CameraFailed, match="no other program"):
                    bench.open()
            else:
                bench.open().close()
        assert _open_files() <= before
        assert first.capture().any(), "the one that holds it is not disturbed"
        first.close()
        second = bench.open()
        assert second.capture().any()
        second.close()

    def test_trying_again_and_again_uses_nothing_up(self, bench: Bench) -> None:
        bench.die()
        for _ in range(2):
            self._fails(bench)
        before = _open_files()
        for _ in range(8):
            self._fails(bench)
        assert _open_files() <= before

    def _fails(self, bench: Bench) -> None:
        try:
            camera = bench.open()
        except CameraFailed:
            return
        with pytest.raises(CameraFailed):
            camera.capture()
        camera.close()

    def test_a_watcher_reports_a_death_and_tries_until_it_sees_again(
        self, bench: Bench, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(watch, "GLANCE_S", 0.01)
        monkeypatch.setattr(watch, "RETRY_S", 0.01)
        looked, troubled = threading.Event(), threading.Event()
        tries = 0

        def open_eye() -> tuple[Camera, watch.Read]:
            nonlocal tries
            tries += 1
            return bench.open(), lambda frame: Reading((0,) * 12, {}, sure=True)

        def heard(_: Steady) -> None:
            looked.set()

        watcher = watch.Watcher(open_eye, heard)
        watcher.listen(lambda: (troubled if watcher.trouble else looked).set())
        watcher.start()
        try:
            assert looked.wait(PATIENCE), watcher.trouble
            bench.die()
            assert troubled.wait(PATIENCE)
            died_at = tries
            while tries < died_at + 3:
                assert watcher.trouble
            looked.clear()
            bench.revive()
            assert looked.wait(PATIENCE), watcher.trouble
            assert watcher.trouble is None
        finally:
            watcher.close()


def _open_files() -> int:
    gc.collect()
    return len(list(Path("/dev/fd").iterdir()))
