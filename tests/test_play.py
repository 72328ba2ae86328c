"""`corona demo` and `corona play` as processes: they come up, show the table, say what is wrong, and stop."""

from __future__ import annotations

import io
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.error import URLError

import cv2
import gpiozero
import numpy as np
import pytest

import companion.eye
from calibration.calibrate import calibrate
from calibration.layouts import MAT
from calibration.store import save
from companion.config import CameraConfig, parse
from companion.games.corona import states
from companion.games.corona.rules import DEFAULT_COLOURS
from companion.play import CannotPlay, evening, run_play
from companion.rig import Rig
from companion.welcome import address, welcome
from hardware.virtual import VirtualTable

PATIENCE = 40.0


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def running(*arguments: str) -> Iterator[subprocess.Popen[str]]:
    """The command as a process, killed at the end if it still runs."""
    # Told to stop, a real run must not wait for pins it does not have.
    process = subprocess.Popen(
        [sys.executable, "-m", "companion", *arguments],
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parent.parent)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def fetch(url: str, process: subprocess.Popen[str]) -> bytes:
    """The answer at `url`, as soon as there is one."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            with urllib.request.urlopen(url) as answer:
                return bytes(answer.read())
        except URLError:
            assert time.monotonic() < end, "nothing came"
            assert process.poll() is None, process.communicate()
            time.sleep(0.05)


def stopped(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    """Exit status, output and errors after SIGTERM."""
    process.send_signal(signal.SIGTERM)
    out, errors = process.communicate(timeout=PATIENCE)
    return process.returncode, out, errors


@pytest.mark.slow
def test_the_demo_comes_up_shows_the_table_and_stops(tmp_path: Path) -> None:
    port = free_port()
    with running("demo", "--host", "127.0.0.1", "--port", str(port), "--data", str(tmp_path)) as process:
        assert b"data-colour" in fetch(f"http://127.0.0.1:{port}/demo", process)
        assert b'id="join"' not in fetch(f"http://127.0.0.1:{port}/", process)  # no phone gets here
        photo = fetch(f"http://127.0.0.1:{port}/photo.jpg", process)
        frame = cv2.imdecode(np.frombuffer(photo, np.uint8), cv2.IMREAD_COLOR)
        assert frame is not None and frame.shape == (864, 1536, 3)
        # Phones that still listen must not hold it up.
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/demo/events") as stream:
            assert stream.readline() == b"event: state\n"
            status, out, errors = stopped(process)
    assert (status, errors) == (0, "")
    assert f"Play here:  http://127.0.0.1:{port}/demo\nThis computer only: http://127.0.0.1:{port}/\n" in out
    assert "phone" not in out


def test_a_port_in_use_is_one_sentence_and_exit_1(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        with running("demo", "--host", "127.0.0.1", "--port", port, "--data", str(tmp_path)) as process:
            out, errors = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out) == (1, "")
    assert errors.startswith(f"Port {port} on 127.0.0.1 is in use") and errors.count("\n") == 1


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a profile, and frames of the same table in `frames`."""
    folder = tmp_path_factory.mktemp("pictures")
    virtual = VirtualTable(MAT, DEFAULT_COLOURS, piece_mm=(16.6, 12.0), clock=lambda: 0.0)
    profile = calibrate(MAT, virtual.photo_empty(), virtual.photo_dice(), DEFAULT_COLOURS, 16.0, (16.6, 12.0))
    save(profile, folder / "set.json")
    x, y = virtual.field_centres()[0]
    for number in range(6):
        virtual.set_piece(number, x, y)
    virtual.hold(False)
    (folder / "frames").mkdir()
    cv2.imwrite(str(folder / "frames" / "001.png"), virtual.draw())
    return folder


def settings(folder: Path, port: int, camera: str, game: str = "") -> str:
    path = folder / "corona.toml"
    path.write_text(
        f'[table]\nfolder = "log"\n[web]\nhost = "127.0.0.1"\nport = {port}\n'
        f"[camera]\n{camera}\n[game]\n{game}\n",
        encoding="utf-8",
    )
    return str(path)


@pytest.mark.slow
def test_a_folder_of_pictures_is_played(pictures: Path) -> None:
    port = free_port()
    camera = 'kind = "folder"\nfolder = "frames"\nprofile = "set.json"'
    agreed = 'edition = "de"\nhourglass = 90\nending = { rounds = 12 }'
    config = settings(pictures, port, camera, f'{agreed}\n[seeing]\nkeep_corrections = "kept"')
    with running("play", "--config", config) as process:
        assert fetch(f"http://127.0.0.1:{port}/photo.jpg", process)
        page = fetch(f"http://127.0.0.1:{port}/", process).decode()
        status, out, errors = stopped(process)
    assert "A 6" in page
    for offered in ('value="de" selected', 'name="hourglass" value="90"', 'value="rounds-12" selected'):
        assert offered in page
    assert (status, errors) == (0, "")
    assert f"Corona is up: http://127.0.0.1:{port}/ (on this computer only)\n" in out
    assert f"are kept in {pictures / 'kept'}" in out and not (pictures / "kept").exists()


def test_photos_that_cannot_be_kept_are_told_of_at_the_start(pictures: Path) -> None:
    port = free_port()
    nowhere = pictures / "corona.toml" / "kept"
    camera = 'kind = "folder"\nfolder = "frames"\nprofile = "set.json"\n[seeing]\n'
    config = settings(pictures, port, f'{camera}keep_corrections = "{nowhere}"')
    with running("play", "--config", config) as process:
        assert fetch(f"http://127.0.0.1:{port}/", process)
        status, out, errors = stopped(process)
    assert (status, errors) == (0, "")
    assert f"cannot be kept: {nowhere} cannot be written (Not a directory); name another folder" in out
    assert "are kept in" not in out


@pytest.mark.parametrize(
    ("camera", "sentence"),
    [
        ('kind = "folder"\nfolder = "frames"\nprofile = "corona.toml"', "corona.toml: not a profile"),
        ('kind = "folder"\nfolder = "frames"\nprofile = "frames"', "frames: Is a directory"),
    ],
)
def test_what_play_lacks_is_one_sentence_and_exit_1(pictures: Path, camera: str, sentence: str) -> None:
    with running("play", "--config", settings(pictures, free_port(), camera)) as process:
        out, errors = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out) == (1, "")
    assert sentence in errors and errors.count("\n") == 1


def test_a_camera_that_has_not_been_set_up_is_set_up_on_a_phone(pictures: Path) -> None:
    port = free_port()
    config = settings(pictures, port, 'kind = "folder"\nfolder = "frames"')
    with running("play", "--config", config) as process:
        page = fetch(f"http://127.0.0.1:{port}/?look", process).decode()
        end = time.monotonic() + PATIENCE
        while "it has not been set up" not in page and time.monotonic() < end:
            page = fetch(f"http://127.0.0.1:{port}/?look", process).decode()
        status, out, errors = stopped(process)
    assert "it has not been set up: the host does that" in page
    assert (status, errors.count("\n")) == (0, 1)
    assert f"The camera has not been set up ({pictures / 'log' / 'set.json'} is not there)" in out


def test_pins_without_their_library_say_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "lgpio")
    monkeypatch.setenv("LG_WD", str(tmp_path))
    monkeypatch.setitem(sys.modules, "lgpio", None)
    monkeypatch.delitem(sys.modules, "gpiozero.pins.lgpio", raising=False)
    monkeypatch.setattr(gpiozero.Device, "pin_factory", None)
    config = parse('[table]\nfolder = "log"\n[panel]\nsetter = 26', tmp_path)
    with pytest.raises(CannotPlay, match="sudo apt install python3-lgpio"):
        run_play(config)


def test_the_camera_is_the_one_the_settings_name(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[tuple[int, int]] = []
    monkeypatch.setattr(
        companion.eye, "PiCamera", lambda number, kept, mains_hz: opened.append((number, mains_hz))
    )
    companion.eye.open_camera(CameraConfig(kind="picamera2", device=1, mains_hz=60))
    assert opened == [(1, 60)]


@pytest.mark.parametrize("follows", [True, False])
def test_whether_the_camera_follows_is_as_the_settings_say(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, follows: bool
) -> None:
    given: dict[str, Any] = {}

    def stop(_table: object, **parts: Any) -> Any:
        given.update(parts)
        raise KeyboardInterrupt

    monkeypatch.setattr("companion.play.Rig", stop)
    text = f'[table]\nfolder = "{tmp_path}"\n[seeing]\nfollow_play = {str(follows).lower()}\n'
    with pytest.raises(KeyboardInterrupt):
        run_play(parse(text, tmp_path))
    assert given["follows"] is follows


def test_a_camera_that_is_not_there_is_said_on_the_page(pictures: Path) -> None:
    port = free_port()
    config = settings(pictures, port, 'kind = "picamera2"\nprofile = "set.json"')
    with running("play", "--config", config) as process:
        page = fetch(f"http://127.0.0.1:{port}/", process).decode()
        end = time.monotonic() + PATIENCE
        while "picamera2" not in page and time.monotonic() < end:
            page = fetch(f"http://127.0.0.1:{port}/", process).decode()
        _, _, errors = stopped(process)
    assert "python3-picamera2" in page
    assert "python3-picamera2" in errors


class Terminal(io.TextIOWrapper):
    """A terminal of some encoding."""

    def __init__(self, encoding: str) -> None:
        super().__init__(io.BytesIO(), encoding=encoding)

    def isatty(self) -> bool:
        return True

    def text(self) -> str:
        self.seek(0)
        return self.read()


def test_the_terminal_shows_a_code_where_it_can() -> None:
    lines = ["Corona is up: http://192.0.2.7:8000/"]
    shown = {}
    for encoding in ("utf-8", "ascii"):
        terminal = Terminal(encoding)
        welcome(lines, "http://192.0.2.7:8000/", terminal)
        shown[encoding] = terminal.text()
    assert "█" in shown["utf-8"] and shown["utf-8"].endswith(lines[0] + "\n")
    assert shown["ascii"] == lines[0] + "\n"


def test_an_address_that_no_phone_can_reach_is_shown_without_a_code() -> None:
    for link in ("http://127.0.0.1:8000/", "http://localhost:8000/"):
        terminal = Terminal("utf-8")
        welcome([f"This computer only: {link}"], link, terminal)
        assert terminal.text() == f"This computer only: {link}\n"


def test_the_address_is_one_that_phones_can_reach() -> None:
    assert address("192.0.2.7", 8000) == "http://192.0.2.7:8000/"
    everywhere = address("0.0.0.0", 8000)
    assert everywhere.startswith("http://") and everywhere.endswith(":8000/") and "0.0.0.0" not in everywhere


def test_no_reveal_has_to_wait_for_the_table_of_states(tmp_path: Path) -> None:
    states.table.cache_clear()
    with evening(tmp_path / "games.sqlite", Rig, DEFAULT_COLOURS, None):
        assert states.table.cache_info().currsize == 1
