"""Panel, hourglass, buzzer and cameras on mock pins and real files, without a game."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from hardware.buzzer import Buzzer
from hardware.camera import GLANCE_SIZE, CameraFailed, FolderCamera, Frame, PiCamera, UsbCamera, small_grey
from hardware.hourglass import LEVELS, Hourglass
from hardware.panel import Panel
from hardware.virtual import VirtualPins
from hardware.wiring import Wiring

PATIENCE = 20.0
WIRING = Wiring(
    sand=(4, 17, 27, 22), bids=(18, 23, 24), lamps=(6, 13, 19), setter=20, setter_lamp=26, buzzer=21
)


@pytest.fixture
def pins() -> Iterator[MockFactory]:
    factory = MockFactory(pin_class=MockPWMPin)
    yield factory
    factory.close()


def levels(pins: MockFactory, numbers: tuple[int, ...]) -> list[float]:
    return [float(pins.pin(f"GPIO{number}").state) for number in numbers]


# The panel


def test_a_press_is_told_with_its_seat_and_time_and_a_release_is_not(pins: MockFactory) -> None:
    heard: list[object] = []
    times = iter((1.5, 2.5, 3.5))
    panel = Panel(WIRING, lambda seat, at: heard.append((seat, at)), heard.append, lambda: next(times), pins)
    for number in (24, 20, 18):
        pins.pin(f"GPIO{number}").drive_low()
        pins.pin(f"GPIO{number}").drive_high()
    panel.close()
    assert heard == [(2, 1.5), 2.5, (0, 3.5)]


def test_all_buttons_have_the_same_bounce_time(pins: MockFactory) -> None:
    panel = Panel(WIRING, lambda *_: None, lambda _: None, lambda: 0.0, pins)
    bounces = [pins.pin(f"GPIO{number}").bounce for number in (*WIRING.bids, 20)]
    panel.close()
    assert bounces == [WIRING.bounce_s] * 4


def test_lamps_show_what_they_are_told(pins: MockFactory) -> None:
    panel = Panel(WIRING, lambda *_: None, lambda _: None, lambda: 0.0, pins)
    panel.show(["off", "on"], setter="on")
    assert levels(pins, (*WIRING.lamps, 26)) == [0, 1, 0, 1]
    panel.show(["on", "off", "on", "on"])
    assert levels(pins, (*WIRING.lamps, 26)) == [1, 0, 1, 0]
    panel.close()


def test_a_blinking_lamp_goes_on_and_off_until_told_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hardware.panel.BLINK_S", 0.01)
    pins = VirtualPins()
    seen: list[float] = []
    enough = threading.Event()

    def heard() -> None:
        seen.append(pins.level(6))
        if len(seen) >= 6:
            enough.set()

    panel = Panel(WIRING, lambda *_: None, lambda _: None, lambda: 0.0, pins)
    pins.listen(heard)
    panel.show(["blink"])
    assert enough.wait(PATIENCE)
    panel.show(["off"])
    assert pins.level(6) == 0
    panel.close()
    assert seen[:6] == [1, 0, 1, 0, 1, 0]


def test_a_panel_that_cannot_be_wired_lets_its_pins_go(pins: MockFactory) -> None:
    broken = Wiring(bids=(18, 18))
    with pytest.raises(Exception, match="GPIO18"):
        Panel(broken, lambda *_: None, lambda _: None, lambda: 0.0, pins)
    Panel(Wiring(bids=(18,)), lambda *_: None, lambda _: None, lambda: 0.0, pins).close()


# The hourglass


def test_the_lamps_run_down_like_sand_one_after_the_other_to_nothing() -> None:
    pins = VirtualPins()
    shown: list[list[float]] = []
    empty = threading.Event()

    def heard() -> None:
        shown.append([pins.level(number) for number in WIRING.sand])
        if shown[-1] == [0, 0, 0, 0]:
            empty.set()

    hourglass = Hourglass(WIRING.sand, pin_factory=pins)
    pins.listen(heard)
    hourglass.turn(0.6)
    assert empty.wait(PATIENCE)
    hourglass.close()
    full = shown.index([1, 1, 1, 1])
    draining = shown[full:]
    left = [sum(levels) for levels in draining]
    assert left == sorted(left, reverse=True)
    assert all(levels == sorted(levels, reverse=True) for levels in draining), "the last lamp empties first"
    assert len(draining) > 2 * len(WIRING.sand), "the lamps dim, they do not only go out"


class Steps:
    """A clock moved by hand."""

    def __init__(self) -> None:
        self.now = 50.0

    def __call__(self) -> float:
        return self.now


@pytest.mark.parametrize(
    ("left", "lit"), [(60.0, 4.0), (30.0, 2.0), (15.0, 1.0), (0.1, 1 / LEVELS), (0.0, 0.0)]
)
def test_an_hourglass_turned_earlier_shows_what_is_left(left: float, lit: float) -> None:
    pins = VirtualPins()
    hourglass = Hourglass(WIRING.sand, clock=Steps(), pin_factory=pins)
    changed = threading.Event()
    pins.listen(changed.set)
    hourglass.turn(60.0, left)
    if lit:
        assert changed.wait(PATIENCE)
    hourglass_levels = _settled(pins, hourglass)
    assert sum(hourglass_levels) == pytest.approx(lit)


def _settled(pins: VirtualPins, hourglass: Hourglass) -> list[float]:
    """The lamps once the hourglass has shown what it was told, then it is closed."""
    with hourglass._change:  # its thread holds this while it works
        found = [pins.level(number) for number in WIRING.sand]
    hourglass.close()
    return found


def test_a_stopped_hourglass_is_dark() -> None:
    pins = VirtualPins()
    hourglass = Hourglass(WIRING.sand, pin_factory=pins)
    lit, dark = threading.Event(), threading.Event()
    pins.listen(lambda: (lit if pins.level(4) else dark).set())
    hourglass.turn(60.0)
    assert lit.wait(PATIENCE)
    hourglass.stop()
    assert dark.wait(PATIENCE)
    assert _settled(pins, hourglass) == [0, 0, 0, 0]


# The buzzer


@pytest.mark.parametrize("tonal", [True, False])
def test_a_tune_sounds_and_ends_in_silence(tonal: bool) -> None:
    pins = VirtualPins()
    heard: list[bool] = []
    over = threading.Event()

    def listen() -> None:
        heard.append(pins.level(21) > 0)
        if heard == [True, False, True, False]:
            over.set()

    buzzer = Buzzer(21, tonal, pins)
    pins.listen(listen)
    buzzer.play([("A4", 0.01), (None, 0.01), ("E5", 0.01)])
    assert over.wait(PATIENCE)
    buzzer.close()


def test_a_buzzer_closed_in_mid_tune_is_silent() -> None:
    pins = VirtualPins()
    sounds = threading.Event()
    pins.listen(sounds.set)
    buzzer = Buzzer(21, True, pins)
    buzzer.play([("A4", 3600.0)])
    assert sounds.wait(PATIENCE)
    buzzer.close()
    assert pins.level(21) == 0


# The cameras: one contract for all that run here


def picture(shade: int) -> Frame:
    """A frame with a blue left half, a red right half and a grey square of `shade`."""
    frame = np.zeros((864, 1536, 3), np.uint8)
    frame[:, :768] = (200, 30, 20)
    frame[:, 768:] = (20, 30, 200)
    frame[300:500, 600:900] = shade
    return frame


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for number, shade in enumerate((10, 120, 240)):
        cv2.imwrite(str(tmp_path / f"{number:03}.png"), picture(shade))
    (tmp_path / "notes.txt").write_text("not a picture")
    return tmp_path


@pytest.fixture
def film(tmp_path: Path) -> str:
    path = str(tmp_path / "film.avi")
    writer = cv2.VideoWriter(path, cv2.VideoWriter.fourcc(*"MJPG"), 5, (1536, 864))
    for shade in (10, 120, 240):
        writer.write(picture(shade))
    writer.release()
    return path


@pytest.fixture(params=["folder", "film"])
def camera(request: pytest.FixtureRequest) -> Iterator[Any]:
    source = request.getfixturevalue(request.param)
    opened = FolderCamera(source, clock=Steps()) if request.param == "folder" else UsbCamera(source)
    yield opened
    opened.close()
    opened.close()


def test_a_camera_gives_bgr_frames(camera: Any) -> None:
    frame = camera.capture()
    assert (frame.shape, frame.dtype) == ((864, 1536, 3), np.uint8)
    assert np.abs(frame[100, 100].astype(int) - (200, 30, 20)).max() < 12, "blue is the first channel"
    assert np.abs(frame[100, 1400].astype(int) - (20, 30, 200)).max() < 12


def test_a_camera_gives_small_grey_glances(camera: Any) -> None:
    glance = camera.glance()
    assert (glance.shape, glance.dtype) == (GLANCE_SIZE[::-1], np.uint8)
    assert np.abs(glance.astype(int) - small_grey(picture(10))).max() < 12


def test_a_folder_shows_its_pictures_in_turn_and_the_last_one_stays(folder: Path) -> None:
    clock = Steps()
    camera = FolderCamera(folder, seconds=2.0, clock=clock)
    shades = []
    for _ in range(8):
        shades.append(int(camera.capture()[400, 700, 0]))
        clock.now += 1.0
    assert shades == [10, 10, 120, 120, 240, 240, 240, 240]


def test_a_film_that_has_ended_has_failed(film: str) -> None:
    camera = UsbCamera(film)
    for _ in range(3):
        camera.capture()
    with pytest.raises(CameraFailed, match="no more pictures"):
        camera.capture()
    camera.close()


def test_the_pi_camera_is_the_one_of_that_number(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def picamera2(number: int) -> None:
        asked.append(number)
        raise IndexError("list index out of range")

    monkeypatch.setitem(sys.modules, "picamera2", SimpleNamespace(Picamera2=picamera2))
    with pytest.raises(CameraFailed, match="does not start"):
        PiCamera(1)
    assert asked == [1]


def test_what_cannot_be_opened_says_why(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", None)
    empty = tmp_path / "empty"
    empty.mkdir()
    (folder / "000.png").write_bytes(b"no picture at all")
    for open_it, why in (
        (lambda: FolderCamera(tmp_path / "nowhere"), "nowhere is no folder"),
        (lambda: FolderCamera(empty), "holds no picture"),
        (lambda: FolderCamera(folder).capture(), "000.png is not a picture"),
        (lambda: UsbCamera(str(tmp_path / "nothing.avi")), "nothing.avi does not open"),
        (PiCamera, "python3-picamera2"),
    ):
        with pytest.raises(CameraFailed, match=why):
            open_it()
