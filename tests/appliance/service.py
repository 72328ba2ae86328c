"""The service on a Debian Trixie that has started with it: what installing leaves, renews and takes away."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path
from urllib.request import urlopen

PATIENCE = 30.0
SETTINGS, LOG = Path("/etc/corona.toml"), Path("/var/lib/corona/corona.sqlite")
APP, UNIT = Path("/opt/corona"), Path("/etc/systemd/system/corona.service")
COMMAND = Path("/usr/local/bin/corona")


def said(*command: str) -> str:
    """What a command prints; it must succeed."""
    done = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert done.returncode == 0, f"{' '.join(command)}:\n{done.stdout}"
    return done.stdout.strip()


def make(target: str) -> str:
    return said("make", "--no-print-directory", "-C", "/clone", target)


def main_process() -> int:
    return int(said("systemctl", "show", "--property", "MainPID", "--value", "corona"))


def page(port: int = 8000) -> str:
    """The first page, as soon as it is served."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            with urlopen(f"http://127.0.0.1:{port}/", timeout=PATIENCE) as answer:
                return str(answer.read().decode())
        except OSError:
            if time.monotonic() > end:
                raise AssertionError(said("journalctl", "--unit", "corona", "--no-pager")) from None
            time.sleep(0.1)


def test_the_unit_has_no_fault() -> None:
    assert said("systemd-analyze", "verify", str(UNIT)) == ""


def test_it_has_started_with_the_machine_and_serves_its_page() -> None:
    assert "Corona" in page()
    assert said("systemctl", "is-active", "corona") == "active"
    assert said("systemctl", "is-enabled", "corona") == "enabled"


def test_it_runs_as_a_user_of_its_own_who_reaches_camera_and_pins() -> None:
    page()
    assert set(said("id", "-nG", "corona").split()) == {"corona", "video", "gpio"}
    process = Path("/proc", str(main_process()))
    ids = said("id", "-u", "corona"), set(said("id", "-G", "corona").split())
    status = dict(line.split(":", 1) for line in (process / "status").read_text().splitlines())
    assert (status["Uid"].split()[0], set(status["Groups"].split())) == ids
    assert (process / "cwd").readlink() == Path("/run/corona")
    told = (process / "environ").read_text().split("\0")
    assert {"LG_WD=/run/corona", "GPIOZERO_PIN_FACTORY=lgpio"} <= set(told)


def test_its_log_is_its_own_and_the_journal_tells_its_address() -> None:
    page()
    assert LOG.owner() == "corona"
    assert "Corona is up: http://" in said("journalctl", "--unit", "corona", "--no-pager")


def test_killed_it_comes_back() -> None:
    page()
    before = main_process()
    os.kill(before, signal.SIGKILL)
    end = time.monotonic() + PATIENCE
    while main_process() in (0, before):
        assert time.monotonic() < end
        time.sleep(0.1)
    page()


def test_stopped_it_ends_well() -> None:
    said("systemctl", "stop", "corona")
    assert said("systemctl", "show", "--property", "Result", "--value", "corona") == "success"
    said("systemctl", "start", "corona")
    page()


def test_everyone_has_the_command_on_the_numpy_of_the_system() -> None:
    answer = said("runuser", "-u", "nobody", "--", "sh", "-c", "cd / && corona solve 500000100000-666666")
    assert "best 21" in answer
    where = said(str(APP / "bin/python"), "-c", "import numpy, cv2, picamera2; print(numpy.__file__)")
    assert where.startswith("/usr/lib/python3/")


def test_installed_again_it_keeps_the_settings_and_runs_what_is_new() -> None:
    settings = SETTINGS.read_text() + "\n[web]\nport = 8001\n"
    SETTINGS.write_text(settings)
    before = main_process()
    assert ":8001/" in make("install")
    assert SETTINGS.read_text() == settings
    assert main_process() != before
    page(8001)


def test_removed_it_leaves_log_and_settings() -> None:
    assert "Its log is still in /var/lib/corona" in make("uninstall")
    assert [path for path in (APP, UNIT, COMMAND) if os.path.lexists(path)] == []
    assert LOG.exists() and SETTINGS.exists()
    assert subprocess.run(["id", "corona"], capture_output=True).returncode != 0
    assert list(Path("/etc/systemd/system").rglob("*corona*")) == []
    make("uninstall")


def test_what_an_installation_that_was_cut_short_left_is_made_anew_and_the_log_goes_on() -> None:
    APP.mkdir()
    (APP / "half").touch()
    said("useradd", "--system", "comes-between")  # takes the number that the user had
    make("install")
    page(8001)
    assert not (APP / "half").exists()
    assert LOG.owner() == "corona"
