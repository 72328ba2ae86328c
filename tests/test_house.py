"""The laws of the house: what stands where, what may import what, and what every file says first."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ROOMS = ("companion", "vision", "hardware", "calibration")
TOP = """
    .ci .gitignore CHANGELOG.md CONTRIBUTING.md LICENSE Makefile README.md
    calibration companion docs hardware pyproject.toml systemd tests vision
"""

PLAIN = """
    __future__ abc bisect collections copy dataclasses enum fractions functools hashlib heapq itertools math
    operator re string types typing
"""
"""The parts of the standard library that touch neither disk, net, clock nor chance."""
THREADS = {"asyncio", "concurrent", "multiprocessing", "queue", "sched", "signal", "subprocess", "threading"}
CLOCKS = {"datetime", "time"}
LAWS = {
    # folder: (what it may import, what of that it may not)
    "companion.games": ({*PLAIN.split(), "numpy", "companion.games"}, set()),
    "vision": (
        sys.stdlib_module_names | {"numpy", "cv2", "vision"},
        THREADS | CLOCKS | {"random", "sqlite3"},
    ),
    "hardware": (
        sys.stdlib_module_names | {"numpy", "cv2", "gpiozero", "picamera2", "lgpio", "hardware"},
        {"sqlite3", "socket"},
    ),
    "calibration": (sys.stdlib_module_names | {"numpy", "cv2", "PIL", "vision", "calibration"}, THREADS),
    "calibration.mat": (
        sys.stdlib_module_names | {"numpy", "cv2", "reportlab", "vision", "calibration"},
        THREADS | {"random"},
    ),
}
"""A folder within a folder goes by its own law alone."""
KNOW_NO_GAME = ("table", "store", "clock", "config", "watch", "overlay", "welcome")
"""The parts of `companion` that serve any game."""
KNOW_BEST_SCORES = ("states", "batch", "solver", "odds", "analysis", "figures", "extremes", "puzzle")
"""The parts of `companion.games.corona` that look up, or work out, what only the reveal may tell."""
LINES, FUNCTION_LINES = 300, 50
LONG_FOR_A_REASON: dict[str, str] = {}
"""`module` or `module:function` that is longer, and why."""


@cache
def modules() -> dict[str, Path]:
    """Every module of the program by its dotted name."""
    found = {}
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def imports(module: str, at_start: bool = False) -> set[str]:
    """What `module` imports; a module of ours by its full name. `at_start`: only what its own import does."""
    found: set[str] = set()
    for node in _nodes(tree(modules()[module]), at_start):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module} imports relatively: write the whole name"
            assert node.module
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                found.add(inner if inner in modules() else node.module)
        elif isinstance(node, ast.Call) and ast.unparse(node.func) in (
            "__import__",
            "importlib.import_module",
        ):
            pytest.fail(f"{module} imports by a computed name, which no law can hold")
    return found


def _nodes(node: ast.AST, at_start: bool) -> Iterator[ast.AST]:
    for child in ast.iter_child_nodes(node):
        if at_start and isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            continue
        if at_start and isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING":
            continue
        yield child
        yield from _nodes(child, at_start)


def within(module: str, folder: str) -> bool:
    return module == folder or module.startswith(folder + ".")


def inside(folder: str) -> list[str]:
    found = [module for module in modules() if within(module, folder)]
    assert found, f"there is no {folder}"
    return found


def all_files() -> list[Path]:
    """Every file of the repository, also those not committed yet, without what git ignores."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, text=True).stdout
    return [ROOT / name for name in listed.split("\0") if name and (ROOT / name).is_file()]


@pytest.mark.parametrize("folder", LAWS)
def test_a_folder_imports_only_what_its_law_allows(folder: str) -> None:
    allowed, forbidden = LAWS[folder]
    wrong = [
        f"{module} imports {name}"
        for module in inside(folder)
        if folder == max((law for law in LAWS if within(module, law)), key=len)
        for name in sorted(imports(module))
        if not any(within(name, one) for one in allowed) or any(within(name, one) for one in forbidden)
    ]
    assert wrong == []


def test_games_touch_neither_disk_nor_terminal() -> None:
    doing = {"open", "print", "input", "exec", "eval"}
    wrong = [
        f"{module}, line {node.lineno}: {node.func.id}"
        for module in inside("companion.games")
        for node in ast.walk(tree(modules()[module]))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in doing
    ]
    assert wrong == []


def test_nothing_below_imports_the_companion() -> None:
    below = ("vision", "hardware", "calibration")
    wrong = [
        (module, name)
        for folder in below
        for module in inside(folder)
        for name in imports(module)
        if within(name, "companion")
    ]
    assert wrong == []


@pytest.mark.parametrize(("room", "below"), [("companion", "vision"), ("vision", "hardware")])
def test_the_drawing_of_the_house_names_every_module(room: str, below: str) -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    drawn = text[text.index(f"\n    {room}/") : text.index(f"\n    {below}/")]
    there = {
        path.stem
        for path in (ROOT / room).iterdir()
        if path.suffix == ".py" or (path / "__init__.py").exists()
    }
    named = set(re.findall(r"\w+", drawn))
    assert {name for name in there if not name.startswith("__")} - named == set()


def test_only_what_puts_parts_together_knows_corona() -> None:
    wrong = [
        (part, name)
        for part in KNOW_NO_GAME
        for name in imports(f"companion.{part}")
        if within(name, "companion.games")
    ]
    assert wrong == []


def test_only_the_reveal_and_the_command_line_ask_the_solver() -> None:
    """`asked` answers what pages ask, and is told the state of the table with each question."""
    corona = "companion.games.corona"
    knowing = {f"{corona}.{name}" for name in KNOW_BEST_SCORES}
    asking = {module for module in modules() if imports(module) & knowing} - knowing
    told = ("companion.cli", "companion.numbers")
    assert {module for module in asking if not any(within(module, one) for one in told)} <= {
        f"{corona}.playing",
        f"{corona}.asked",
        "companion.export",
        "companion.play",  # has the table built at its start, and looks nothing up in it
    }


def test_pages_hold_neither_rules_nor_pictures() -> None:
    forbidden = {"cv2", "numpy", "sqlite3", "companion.games.corona.settling"}
    assert {
        (module, name) for module in inside("companion.web") for name in imports(module) & forbidden
    } == set()


def test_there_is_no_circle() -> None:
    graph = {module: imports(module, at_start=True) & modules().keys() for module in modules()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as circle:
        pytest.fail(" -> ".join(circle.args[1]))


def test_every_module_says_first_what_it_is_for() -> None:
    silent = []
    for path in [*modules().values(), *sorted((ROOT / "tests").rglob("*.py"))]:
        said = ast.get_docstring(tree(path), clean=False) or ""
        if not path.read_text(encoding="utf-8").startswith('"""') or len(said.split("\n")[0].split()) < 3:
            silent.append(str(path.relative_to(ROOT)))
    assert silent == []


@pytest.mark.parametrize("folder", [*ROOMS, "companion/games", "companion/games/corona", "companion/web"])
def test_every_folder_states_its_law_in_one_line(folder: str) -> None:
    said = ast.get_docstring(tree(ROOT / folder / "__init__.py"), clean=False) or ""
    assert "law:" in said
    assert "\n" not in said


def test_files_and_functions_stay_short() -> None:
    long = {}
    for module, path in modules().items():
        long[module] = len(path.read_text(encoding="utf-8").splitlines()) - LINES
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                assert node.end_lineno is not None
                long[f"{module}:{node.name}"] = node.end_lineno - node.lineno + 1 - FUNCTION_LINES
    too_long = {name: lines for name, lines in long.items() if lines > 0 and name not in LONG_FOR_A_REASON}
    assert too_long == {}, "lines too many: shorten, or give the reason above"
    assert LONG_FOR_A_REASON.keys() <= long.keys()


def test_the_top_level_is_the_agreed_one() -> None:
    assert sorted({path.relative_to(ROOT).parts[0] for path in all_files()}) == sorted(TOP.split())


def test_help_answers_without_the_heavy_libraries() -> None:
    command = [sys.executable, "-X", "importtime", "-m", "companion", "--help"]
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep)
    answer = subprocess.run(
        command, cwd=ROOT, env=os.environ | {"PYTHONPATH": path}, capture_output=True, text=True, check=True
    )
    assert "Usage:" in answer.stdout
    imported = {line.rsplit("|")[-1].strip().split(".")[0] for line in answer.stderr.splitlines()}
    assert "click" in imported
    assert imported & {"cv2", "numpy", "flask", "gpiozero", "reportlab", "waitress", "sqlite3"} == set()


def test_no_file_names_a_machine_or_a_registry() -> None:
    # In pieces, so that this file does not name them either.
    machine = r"(?<![\w./~])/(?:{})/".format("|".join(("work", "tmp", "home", "root", "Users")))
    hosts = "|".join(
        ("py" r"pi\.org", "python" r"hosted\.org", "pi" r"wheels\.org", "npm" r"js\.(?:com|org)")
    )
    naming = []
    for path in all_files():
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue  # a picture
        naming += [f"{path.relative_to(ROOT)}: {found}" for found in re.findall(f"{machine}|{hosts}", text)]
    assert naming == []


def test_test_photos_stay_small() -> None:
    photos = [path for path in all_files() if path.is_relative_to(ROOT / "tests" / "photos")]
    assert photos
    assert sum(path.stat().st_size for path in photos) < 5_000_000
    assert [path for path in photos if path.name == "geometry.json"] == []


def test_every_file_of_the_pages_is_packed() -> None:
    """A pattern that misses a folder shows only in an install that is no clone."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        patterns = tomllib.load(file)["tool"]["setuptools"]["package-data"]["companion.web"]
    web = ROOT / "companion" / "web"
    packed = {path for pattern in patterns for path in web.glob(pattern)}
    needed = {path for folder in ("templates", "static") for path in (web / folder).rglob("*.*")}
    assert needed | set(web.glob("translations/*/LC_MESSAGES/*.mo")) <= packed
