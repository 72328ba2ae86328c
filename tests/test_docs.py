"""What the documents say is true: their commands run and answer so, and what they name is there."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from companion.cli import main

ROOT = Path(__file__).parent.parent
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("systemd/*.md")])
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
CONSOLE = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)


def text_of(document: Path) -> str:
    return document.read_text(encoding="utf-8")


def sessions(document: Path) -> list[tuple[int, str]]:
    """Every `console` block of a document: its line, and its text."""
    text = text_of(document)
    return [(text[: block.start()].count("\n") + 1, block.group(1)) for block in CONSOLE.finditer(text)]


SHOWN = [document for document in DOCUMENTS if sessions(document)]


def commands(session: str) -> list[tuple[str, str]]:
    """The commands of a block, after "$ ", with the answer that is printed below each."""
    parts = re.split(r"^\$ ((?:.*\\\n)*.*)\n", session, flags=re.MULTILINE)
    assert parts[0] == "", "a console block begins with a command"
    return list(zip(parts[1::2], parts[2::2], strict=True))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder like a fresh clone, in which all blocks of a document run one after the other."""
    made = tmp_path / "clone"
    made.mkdir()
    (made / "tests").symlink_to(ROOT / "tests")
    (made / "bin").mkdir()
    corona = made / "bin" / "corona"
    corona.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m companion "$@"\n', encoding="utf-8")
    corona.chmod(0o755)
    return made


def test_readme_shows_commands() -> None:
    assert ROOT / "README.md" in SHOWN


@pytest.mark.parametrize("document", SHOWN, ids=lambda document: document.name)
def test_commands_answer_as_printed(document: Path, folder: Path) -> None:
    env = os.environ | {"PATH": f"{folder / 'bin'}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}
    for line, session in sessions(document):
        for command, printed in commands(session):
            done = subprocess.run(command, shell=True, cwd=folder, env=env, capture_output=True, text=True)
            assert (line, command, done.returncode, done.stderr) == (line, command, 0, "")
            # Three dots stand for anything, as in a doctest.
            wanted = ".*".join(map(re.escape, printed.split("...")))
            said = f"line {line}: {command} printed:\n{done.stdout}"
            assert re.fullmatch(wanted, done.stdout, re.DOTALL), said


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document.name)
def test_what_a_document_names_is_there(document: Path) -> None:
    text = text_of(document)
    targets = set(re.findall(r"^([a-z][a-z-]*):", MAKEFILE, re.MULTILINE))
    assert (
        set(re.findall(r"`make ([a-z-]+)", text)) | set(re.findall(r"^make ([a-z-]+)", text, re.M)) <= targets
    )
    assert _commands(text) <= main.commands.keys()
    for link in re.findall(r"\]\(([^)#]+)[^)]*\)", text):
        assert link.startswith("https://") or (document.parent / link).exists(), link
    rooms = r"`((?:companion|vision|hardware|calibration|tests|docs|systemd|\.ci)/[\w./-]*)`"
    assert [path for path in re.findall(rooms, text) if not (ROOT / path).exists()] == []


def _commands(text: str) -> set[str]:
    """What follows `corona` in code, inline or in blocks."""
    code = re.findall(r"```.*?```|`[^`\n]+`", text, re.DOTALL)
    return {word for piece in code for word in re.findall(r"\bcorona ([a-z]+)", piece)}


def test_the_changelog_knows_this_version() -> None:
    version = tomllib.loads(text_of(ROOT / "pyproject.toml"))["project"]["version"]
    assert re.search(
        rf"^## \[?(?:Unreleased|{re.escape(version)})\b", text_of(ROOT / "CHANGELOG.md"), re.MULTILINE
    )


def test_every_target_can_be_called() -> None:
    """Each target of the Makefile is declared as one, so that a file of its name cannot hide it."""
    phony = re.search(r"^\.PHONY: (.*)$", MAKEFILE, re.MULTILINE)
    assert phony
    assert set(re.findall(r"^([a-z][a-z-]*):", MAKEFILE, re.MULTILINE)) | {"FORCE"} == set(
        phony.group(1).split()
    )
