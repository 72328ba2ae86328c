"""Setting up and installing: what `make` says where it cannot; a `.venv` cut short is made anew."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

PYTHON = """#!/bin/sh
# Stands in for the system's Python: its `-m venv` makes one whose pip only notes what it was asked for.
echo "python $*" >>log
case "$*" in
    *"(3, 11)"*) exit {older_than_3_11} ;;
    *"(3, 13)"*) exit {older_than_3_13} ;;
    *numpy==*) echo numpy==2.2.4 ;;
    "-m venv"*)
        for folder; do :; done
        mkdir -p "$folder/bin"
        cp pip "$folder/bin/python" ;;
esac
"""
PIP = """#!/bin/sh
case "$*" in
    *print*) echo runs ;;
    *pip*) echo "$*" >>log; test ! -e no-network ;;
esac
"""


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A folder with what `make` needs to set up, a Python that only notes what it is told, and no network."""
    (tmp_path / ".ci").mkdir()
    for name in ("Makefile", "pyproject.toml", ".ci/venv"):
        shutil.copy(ROOT / name, tmp_path / name)
    write(tmp_path / "pip", PIP)
    interpreter(tmp_path)
    return tmp_path


def write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)


def interpreter(clone: Path, older_than_3_11: int = 0, older_than_3_13: int = 0) -> None:
    write(clone / "python", PYTHON.format(older_than_3_11=older_than_3_11, older_than_3_13=older_than_3_13))


def make(clone: Path, target: str, python: str = "./python", model: str = "none") -> tuple[int, str]:
    """The exit status of `make target`, and what it printed; the notes begin anew."""
    (clone / "log").write_text("", encoding="utf-8")
    env = {"PATH": os.environ["PATH"], "MODEL_FILE": model}
    done = subprocess.run(
        ["make", target, f"PYTHON={python}"], cwd=clone, env=env, text=True, capture_output=True
    )
    return done.returncode, done.stdout + done.stderr


def notes(clone: Path) -> str:
    return (clone / "log").read_text(encoding="utf-8")


def test_the_first_call_sets_up_and_the_second_does_nothing(clone: Path) -> None:
    assert make(clone, ".venv/run")[0] == 0
    assert "-m venv .venv" in notes(clone)
    assert notes(clone).endswith("--editable .\n")
    assert make(clone, ".venv/run")[0] == 0
    assert notes(clone) == ""


def test_testing_adds_to_what_running_made(clone: Path) -> None:
    make(clone, ".venv/run")
    assert make(clone, ".venv/test")[0] == 0
    assert "-m venv" not in notes(clone)
    assert notes(clone).endswith("--editable .[test]\n")
    make(clone, ".venv/run")
    assert notes(clone) == ""


def test_an_installation_that_fails_says_so_and_begins_anew(clone: Path) -> None:
    make(clone, ".venv/run")
    (clone / "no-network").touch()
    os.utime(clone / "pyproject.toml", (2e9, 2e9))  # newer than what was installed
    status, said = make(clone, ".venv/run")
    assert status != 0
    assert "could not be installed" in said
    os.utime(clone / "pyproject.toml", (1e9, 1e9))
    (clone / "no-network").unlink()
    (clone / ".venv" / "half").touch()
    assert make(clone, ".venv/run")[0] == 0
    assert "-m venv" in notes(clone)
    assert not (clone / ".venv" / "half").exists()


def test_a_venv_whose_python_is_gone_is_made_anew(clone: Path) -> None:
    make(clone, ".venv/test")
    (clone / ".venv" / "bin" / "python").unlink()
    assert make(clone, ".venv/test")[0] == 0
    assert "-m venv" in notes(clone)


def test_an_old_python_is_named_in_one_sentence(clone: Path) -> None:
    interpreter(clone, older_than_3_11=1)
    status, said = make(clone, ".venv/run")
    assert status != 0
    assert "Corona needs Python 3.11 or newer, and ./python is older" in said
    assert not (clone / ".venv").exists()


def test_no_python_is_said_in_one_sentence(clone: Path) -> None:
    status, said = make(clone, ".venv/run", python="./nothing")
    assert status != 0
    assert "There is no ./nothing" in said


def test_bookworm_on_a_raspberry_pi_is_turned_away(clone: Path) -> None:
    (clone / "model").write_text("Raspberry Pi 4 Model B Rev 1.4\0", encoding="utf-8")
    interpreter(clone, older_than_3_13=1)
    status, said = make(clone, ".venv/run", model="model")
    assert status != 0
    assert "Raspberry Pi OS Trixie, 64 bit: Bookworm and older are not supported" in said
    assert make(clone, ".venv/run")[0] == 0, "elsewhere Python 3.11 will do"


def test_a_raspberry_pi_keeps_the_numpy_of_apt(clone: Path) -> None:
    (clone / "model").write_text("Raspberry Pi 5 Model B Rev 1.0\0", encoding="utf-8")
    assert make(clone, ".venv/run", model="model")[0] == 0
    assert "-m venv --system-site-packages .venv" in notes(clone)
    assert "--constraint .venv/constraints" in notes(clone)
    assert (clone / ".venv" / "constraints").read_text(encoding="utf-8") == "numpy==2.2.4\n"


# Installing as a service: where it cannot work, it says so and has done nothing


def install(folder: Path, system: str, root: bool = True) -> tuple[int, str]:
    """The exit status and the words of `make install` on a `system` whose Python is older than 3.13."""
    for name, does in (("id", f"echo {0 if root else 1000}"), ("apt-get", "exit 9"), ("python", "exit 1")):
        write(folder / name, f"#!/bin/sh\n{does}\n")
    (folder / "system").write_text(system, encoding="utf-8")
    env = {
        "PATH": f"{folder}:{os.environ['PATH']}",
        "SYSTEM_PYTHON": str(folder / "python"),
        "SYSTEM_FILE": str(folder / "system"),
        "MODEL_FILE": "none",
    }
    done = subprocess.run(["make", "install"], cwd=ROOT, env=env, text=True, capture_output=True)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("system", "root", "sentence"),
    [
        ("ID=debian\nVERSION_CODENAME=trixie\n", False, "that needs root: sudo make install"),
        (
            "ID=debian\nVERSION_CODENAME=bookworm\n",
            True,
            "this is debian bookworm. Bookworm and older are not",
        ),
        ("ID=fedora\n", True, "made for Raspberry Pi OS and Debian, and this is another system"),
    ],
)
def test_a_service_is_installed_only_where_it_can_work(
    tmp_path: Path, system: str, root: bool, sentence: str
) -> None:
    status, said = install(tmp_path, system, root)
    assert status != 0
    assert "Corona is not installed: " in said
    assert sentence in said


def test_removing_the_service_needs_root(tmp_path: Path) -> None:
    write(tmp_path / "id", "#!/bin/sh\necho 1000\n")
    env = {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    done = subprocess.run(["make", "uninstall"], cwd=ROOT, env=env, text=True, capture_output=True)
    assert done.returncode != 0
    assert "Removing Corona needs root: sudo make uninstall" in done.stderr
