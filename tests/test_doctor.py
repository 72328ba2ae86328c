"""The doctor: what works, what does not, what to do; on mock pins, folders of pictures, made-up machines."""

from __future__ import annotations

import os
import pty
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from calibration.calibrate import calibrate
from calibration.layouts import MAT
from calibration.store import save
from companion import folders
from companion.config import CameraConfig, WebConfig, parse
from companion.doctor import machine
from companion.doctor.findings import Finding, Person
from companion.doctor.panel import panel
from companion.doctor.picture import camera
from companion.doctor.visit import visit
from companion.eye import open_camera
from companion.games.corona.rules import DEFAULT_COLOURS
from hardware import pins as hardware_pins
from hardware.virtual import VirtualPins, VirtualTable
from hardware.wiring import DEFAULT, Wiring
from tests.edges import BouncingPins

ROOT = Path(__file__).parent.parent
SMALL = Wiring(sand=(5, 11), bids=(18, 24), lamps=(23,), setter=19, buzzer=26)


def states(findings: list[Finding]) -> dict[str, str]:
    return {finding.what.split(" (")[0]: finding.state for finding in findings}


def lit(pins: VirtualPins, wiring: Wiring) -> list[int]:
    return [number for number in (*wiring.sand, *wiring.lamps) if pins.level(number)]


class Table:
    """Somebody who sees every LED that is lit alone, presses what they are told to, and hears the buzzer."""

    def __init__(self, wiring: Wiring = SMALL) -> None:
        self.pins, self.wiring = VirtualPins(), wiring
        self.seen: list[list[int]] = []
        self.blind: set[int] = set()
        self.swapped: dict[int, int] = {}
        self.deaf = False
        self.presses = 1

    def tell(self, line: str) -> None:
        gpio = int(line.split("GPIO ")[1].split(")")[0])
        if gpio not in self.blind:
            for _ in range(self.presses):
                self.pins.press(self.swapped.get(gpio, gpio))

    def ask(self, question: str) -> bool | None:
        if "buzzer" in question:
            return not self.deaf
        self.seen.append(lit(self.pins, self.wiring))
        return not self.blind & set(self.seen[-1])

    def findings(self) -> list[Finding]:
        person = Person(self.tell, self.ask)
        return list(panel(self.wiring, person, self.pins, patience=0.0, wait=lambda _: None))


def test_every_led_is_lit_alone_and_in_turn_and_every_button_asked_for() -> None:
    table = Table(DEFAULT)
    found = table.findings()
    assert {finding.state for finding in found} == {"works"}
    assert [finding.what for finding in found if "button" not in finding.what] == [
        f"{part.name} (GPIO {part.gpio})" for part in DEFAULT.parts() if part.kind != "button"
    ]
    assert table.seen == [[part.gpio] for part in DEFAULT.parts() if part.kind == "LED"]
    assert len(found) == 22
    assert lit(table.pins, DEFAULT) == []


def test_what_a_person_does_not_see_press_or_hear_fails_and_says_what_to_do() -> None:
    table = Table()
    table.blind, table.deaf = {11, 24}, True
    found = table.findings()
    assert states(found) == {
        "sand 1": "works",
        "sand 2": "fails",
        "seat 1 LED": "works",
        "seat 1 button": "works",
        "seat 2 button": "fails",
        "setter's button": "works",
        "buzzer": "fails",
    }
    told = [finding.line for finding in found if finding.state == "fails"]
    assert "wire to pin 23" in told[0] and "panel.leds" in told[0]
    assert "wire to pin 18" in told[1]
    assert "panel.buzzer_kind" in told[2]


def test_a_button_that_is_pressed_twice_answers_for_no_other() -> None:
    table = Table()
    table.presses, table.blind = 2, {24}
    found = {finding.what: finding for finding in table.findings()}
    assert found["seat 1 button (GPIO 18)"].state == found["setter's button (GPIO 19)"].state == "works"
    assert found["seat 2 button (GPIO 24)"].says.startswith("nothing came")


def test_swapped_buttons_are_named() -> None:
    table = Table()
    table.swapped = {18: 24, 24: 18}
    found = {finding.what: finding for finding in table.findings()}
    assert "seat 2 button (GPIO 24) was heard instead" in found["seat 1 button (GPIO 18)"].says
    assert "seat 1 button (GPIO 18) was heard instead" in found["seat 2 button (GPIO 24)"].says
    assert found["setter's button (GPIO 19)"].state == "works"


def test_a_button_that_is_pressed_all_the_time_is_said_and_the_others_still_tried() -> None:
    held = BouncingPins(held=(24,))

    def tell(line: str) -> None:
        held.press(int(line.split("GPIO ")[1].split(")")[0]), held.now)
        held.run(held.now + 1)

    found = list(panel(SMALL, Person(tell, lambda _: True), held, patience=0.0, wait=lambda _: None))
    assert {name: state for name, state in states(found).items() if state != "works"} == {
        "seat 2 button": "fails"
    }
    assert any(finding.says.startswith("is pressed all the time") for finding in found)


def test_with_nobody_there_leds_are_lit_and_nothing_is_asked_or_waited_for() -> None:
    pins, shown = VirtualPins(), []
    found = list(panel(SMALL, None, pins, wait=lambda _: shown.append(lit(pins, SMALL))))
    assert shown == [[5], [11], [23], []], "the last one is the buzzer's"
    assert set(states(found).values()) == {"unsure"}


def test_somebody_who_leaves_in_between_fails_nothing() -> None:
    pins = VirtualPins()
    found = list(panel(SMALL, Person(lambda _: pins.press(18), lambda _: None), pins, 0.0, lambda _: None))
    assert states(found)["sand 1"] == states(found)["buzzer"] == "unsure"


def test_pins_that_do_not_open_are_named_and_the_others_tried() -> None:
    table = Table(replace(SMALL, lamps=(18,)))
    found = table.findings()
    assert states(found)["seat 1 LED"] == "fails"
    assert "in use" in found[0].says
    assert list(states(found).values()).count("works") == 6


def test_a_machine_without_pins_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_pins() -> Any:
        raise hardware_pins.NoPins("this machine has no GPIO pins")

    monkeypatch.setattr("companion.doctor.panel.open_pins", no_pins)
    assert [finding.line for finding in panel(SMALL, None)] == [
        "fails   panel: this machine has no GPIO pins"
    ]
    assert states(list(panel(Wiring(), None))) == {"panel": "absent"}


# The camera


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, np.ndarray[Any, Any]]:
    """A profile, and a picture of its table."""
    folder = tmp_path_factory.mktemp("learned")
    virtual = VirtualTable(MAT, DEFAULT_COLOURS, clock=lambda: 0.0)
    empty = virtual.photo_empty()
    save(calibrate(MAT, empty, virtual.photo_dice(), DEFAULT_COLOURS, 16.0), folder / "set.json")
    return folder / "set.json", empty


def looked(frame: np.ndarray[Any, Any], folder: Path, profile: Path | None) -> list[Finding]:
    (folder / "frames").mkdir()
    cv2.imwrite(str(folder / "frames" / "1.png"), frame)
    settings = CameraConfig(kind="folder", folder=folder / "frames", profile=profile)
    return list(camera(settings, open_camera, folder / "doctor.jpg"))


def test_a_picture_is_taken_measured_and_kept(learned: tuple[Path, Any], tmp_path: Path) -> None:
    profile, frame = learned
    found = looked(frame, tmp_path, profile)
    assert states(found) == {"camera": "works", "profile": "works"}
    assert "1536 x 864, brightness" in found[0].says and str(tmp_path / "doctor.jpg") in found[0].says
    assert cv2.imread(str(tmp_path / "doctor.jpg")).shape == frame.shape
    assert "red, blue, green" in found[1].says


@pytest.mark.parametrize(
    ("spoil", "state", "word"),
    [
        (lambda frame: frame // 40, "fails", "black"),
        (lambda frame: 255 - frame // 40, "fails", "white"),
        (lambda frame: frame // 255 + 120, "fails", "shows nothing"),
        (lambda frame: cv2.GaussianBlur(frame, (0, 0), 12), "unsure", "blurred"),
    ],
)
def test_a_bad_picture_is_told(
    learned: tuple[Path, Any], tmp_path: Path, spoil: Callable[[Any], Any], state: str, word: str
) -> None:
    profile, frame = learned
    found = looked(spoil(frame), tmp_path, profile)
    assert (found[0].state, word in found[0].says) == (state, True), found[0]


def test_a_camera_that_is_not_there_and_a_profile_that_is_missing_fail(tmp_path: Path) -> None:
    settings = CameraConfig(kind="folder", folder=tmp_path / "nowhere", profile=None)
    found = list(camera(settings, open_camera, tmp_path / "doctor.jpg"))
    assert states(found) == {"camera": "fails", "profile": "fails"}
    assert "nowhere is no folder" in found[0].says and "corona calibrate" in found[1].says
    assert states(list(camera(CameraConfig(), open_camera, tmp_path))) == {"camera": "absent"}


def test_a_picture_that_cannot_be_kept_still_counts(learned: tuple[Path, Any], tmp_path: Path) -> None:
    (tmp_path / "doctor.jpg").mkdir()
    found = looked(learned[1], tmp_path, learned[0])
    assert found[0].state == "works" and "not written" in found[0].says


# The machine


def made(root: Path, release: str, model: str = "") -> Path:
    (root / "etc").mkdir()
    (root / "etc" / "os-release").write_text(release, encoding="utf-8")
    if model:
        (root / "proc" / "device-tree").mkdir(parents=True)
        (root / "proc" / "device-tree" / "model").write_text(model + "\0", encoding="utf-8")
    return root


BOOKWORM = 'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\n\nVERSION_CODENAME=bookworm\n'
TRIXIE = BOOKWORM.replace("12", "13").replace("bookworm", "trixie")
PI = "Raspberry Pi 4 Model B Rev 1.4"


@pytest.mark.parametrize(
    ("release", "model", "state"),
    [(BOOKWORM, PI, "fails"), (TRIXIE, PI, "works"), (BOOKWORM, "", "works"), ("", "", "works")],
)
def test_bookworm_is_not_supported_on_a_pi_and_fine_elsewhere(
    tmp_path: Path, release: str, model: str, state: str
) -> None:
    found = machine.system(made(tmp_path, release, model))
    assert found.state == state
    if model:
        assert found.says.startswith(f"{PI}, Debian GNU/Linux 1")
    assert ("Trixie" in found.says) == (state == "fails")
    assert machine.system(tmp_path / "nowhere").state == "works"


class Ticking:
    """A clock that gives these readings."""

    boot = None

    def __init__(self, *readings: float) -> None:
        self._readings = iter(readings)

    def read(self) -> float:
        return next(self._readings)

    def wall(self) -> str:
        return ""


def test_the_clock_runs_forward_with_a_date_that_can_be(tmp_path: Path) -> None:
    now = datetime.now(UTC)
    assert machine.clock(Ticking(1, 2), tmp_path).state == "works"
    assert machine.clock(Ticking(2, 1), tmp_path).state == "fails"
    assert machine.clock(Ticking(1, 2), tmp_path, now - timedelta(days=9000)).state == "fails"
    synchronized = tmp_path / "run" / "systemd" / "timesync"
    synchronized.mkdir(parents=True)
    assert machine.clock(Ticking(1, 2), tmp_path).state == "unsure"
    (synchronized / "synchronized").touch()
    assert machine.clock(Ticking(1, 2), tmp_path).state == "works"


def test_the_log_has_a_place_that_outlasts_the_power(tmp_path: Path) -> None:
    mounts = tmp_path / "mounts"

    def state(line: str, least_free: int = 0) -> Finding:
        mounts.write_text(f"{line}\ntmpfs /nowhere tmpfs rw 0 0\n", encoding="utf-8")
        return machine.disk(tmp_path / "new" / "log", mounts, least_free)

    card = state("/dev/mmcblk0p2 / ext4 rw,noatime 0 0")
    assert card.state == "works" and "it will be made" in card.says and not (tmp_path / "new").exists()
    assert state("overlay / overlay rw,lowerdir=/var/lib/other,upperdir=/x 0 0").state == "works"
    assert "raspi-config" in state("overlayroot / overlay rw,lowerdir=/media/root-ro 0 0").says
    assert "in memory" in state(f"tmpfs {str(tmp_path).replace(' ', chr(92) + '040')} tmpfs rw 0 0").says
    assert "MB free" in state("/dev/mmcblk0p2 / ext4 rw 0 0", least_free=10**18).says
    assert machine.disk(tmp_path / "new", tmp_path / "no such file", 0).state == "works"
    (kept,) = machine.kept_photos(tmp_path / "new" / "kept")
    assert kept.state == "works" and not (tmp_path / "new").exists()


def test_a_folder_that_cannot_be_written_says_which_setting_to_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(**_: Any) -> None:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(folders.tempfile, "TemporaryFile", refuse)
    found = machine.disk(tmp_path)
    assert found.state == "fails"
    assert "Read-only file system" in found.says and "table.folder" in found.says
    (kept,) = machine.kept_photos(tmp_path / "kept")
    assert kept.state == "fails"
    assert "Read-only file system" in kept.says and "seeing.keep_corrections" in kept.says


def test_the_network_says_where_phones_find_it_and_whether_the_port_is_free(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        alone, used = machine.network(WebConfig("127.0.0.1", port))
        assert (alone.state, used.state) == ("works", "fails")
        assert "this machine alone" in alone.says and "stop the companion" in used.says
    assert machine.network(WebConfig("127.0.0.1", port))[1].state == "works"
    assert "192.0.2.77" in machine.network(WebConfig("192.0.2.77", 8000))[1].says
    monkeypatch.setattr(machine, "own_address", lambda: "127.0.0.1")
    assert machine.network(WebConfig("0.0.0.0", 8000))[0].state == "fails"
    monkeypatch.setattr(machine, "own_address", lambda: "192.0.2.7")
    assert machine.network(WebConfig("0.0.0.0", 8000))[0].state == "works"


# All of it, and the command


def test_a_visit_goes_through_everything(tmp_path: Path) -> None:
    settings = f'[table]\nfolder = "log"\n[web]\nhost = "127.0.0.1"\nport = {free_port()}'
    config = parse(f'{settings}\n[seeing]\nkeep_corrections = "kept"', tmp_path)
    found = list(visit(config, None, tmp_path / "doctor.jpg", open_camera))
    named = ["system", "clock", "disk", "kept photos", "network", "port", "camera", "panel"]
    assert list(states(found)) == named
    assert states(found)["camera"] == states(found)["panel"] == "absent"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture
def settings(tmp_path: Path) -> Iterator[Callable[[str], list[str]]]:
    """Writes settings; gives the command that visits them."""

    def write(more: str) -> list[str]:
        web = f'[web]\nhost = "127.0.0.1"\nport = {free_port()}\n'
        (tmp_path / "corona.toml").write_text(f'[table]\nfolder = "log"\n{web}{more}', encoding="utf-8")
        return [sys.executable, "-m", "companion", "doctor", "--config", "corona.toml"]

    yield write


def environment(**more: str) -> dict[str, str]:
    return os.environ | {"PYTHONPATH": str(ROOT)} | more


def test_without_a_terminal_nothing_is_asked_and_what_is_missing_is_no_fault(
    settings: Callable[[str], list[str]], tmp_path: Path
) -> None:
    done = subprocess.run(
        settings(""),
        cwd=tmp_path,
        env=environment(),
        input="",
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "absent  camera" in done.stdout and "absent  panel" in done.stdout


def test_what_is_named_and_does_not_work_is_exit_1(
    settings: Callable[[str], list[str]], tmp_path: Path
) -> None:
    command = settings('[camera]\nkind = "folder"\nfolder = "none"\nprofile = "none.json"')
    done = subprocess.run(
        [*command, "--yes"], cwd=tmp_path, env=environment(), capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (1, "2 of these do not work.\n")
    assert done.stdout.count("fails ") == 2


def test_at_a_terminal_it_asks_and_takes_an_end_of_input_for_no_answer(
    settings: Callable[[str], list[str]], tmp_path: Path
) -> None:
    command = settings("[panel]\nsand_leds = [4, 5, 6]")
    ours, theirs = pty.openpty()
    os.write(ours, b"\nn\n\x04")  # yes, no, and nobody
    pins = environment(GPIOZERO_PIN_FACTORY="mock", GPIOZERO_MOCK_PIN_CLASS="mockpwmpin")
    done = subprocess.run(command, cwd=tmp_path, env=pins, stdin=theirs, capture_output=True, text=True)
    os.close(theirs)
    os.close(ours)
    assert (done.returncode, done.stderr) == (1, "1 of these does not work.\n")
    assert "works   sand 1 (GPIO 4)" in done.stdout
    assert "fails   sand 2 (GPIO 5)" in done.stdout
    assert "unsure  sand 3 (GPIO 6)" in done.stdout


def test_bad_settings_are_said_before_anything_is_tried(
    settings: Callable[[str], list[str]], tmp_path: Path
) -> None:
    command = settings("[panel]\nsetter = 2\nbuzzer = 99")
    done = subprocess.run(command, cwd=tmp_path, env=environment(), capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 2)
