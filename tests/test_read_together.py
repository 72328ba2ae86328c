"""Photos of one table read together: a bare piece that may be marked is known by how others looked."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

import pytest
from click.testing import CliRunner

from calibration.bare import knowing
from calibration.files import NotAPhoto, save_photo
from calibration.store import save
from companion.cameras import CAMERAS
from companion.cli import main
from companion.evaluate import learn
from companion.together import Together
from companion.watch import reader
from tests.sessions import PHOTOS, photo, truth
from vision.geometry import Image
from vision.profile import Profile
from vision.read import read

pytestmark = pytest.mark.slow

SESSION, CAMERA = "session-09", "overexposed"
IN_DOUBT, OTHERS = "009.jpg", ("001.jpg", "007.jpg", "008.jpg")
"""Through that camera a lamp makes a bare piece of the first, on C, as white as a marker."""


@cache
def table() -> Profile:
    return learn(PHOTOS / SESSION, CAMERA)


@cache
def taken(name: str) -> Image:
    return CAMERAS[CAMERA].takes(photo(SESSION, f"frames/{name}"), seed=1)


def photos(*names: str) -> dict[str, Callable[[], Image]]:
    return {name: partial(taken, name) for name in names}


def test_what_others_show_of_bare_pieces_is_known_where_one_is_in_doubt() -> None:
    (doubt,) = read(taken(IN_DOUBT), table()).doubts
    assert (doubt.what, doubt.why) == ("field C", "a marker may be white")
    reading = Together(table(), photos(IN_DOUBT, *OTHERS)).read(taken(IN_DOUBT), IN_DOUBT)
    assert reading.sure and not reading.markers
    assert reading.counts == (0, 0, 1, 0, 1, 0, 3, 1, 0, 0, 0, 0)


def test_a_photo_teaches_nothing_about_itself() -> None:
    alone = read(taken(IN_DOUBT), table())
    assert Together(table(), photos(IN_DOUBT)).read(taken(IN_DOUBT), IN_DOUBT) == alone


def test_what_was_read_is_not_opened_again() -> None:
    """Nor is anything opened twice."""
    opened: list[str] = []

    def one(name: str) -> Image:
        opened.append(name)
        return taken(name)

    names = (*OTHERS, IN_DOUBT)
    together = Together(table(), {name: partial(one, name) for name in names})
    assert [together.read(taken(name), name).sure for name in names][-1]
    assert OTHERS[0] not in opened and len(opened) == len(set(opened))


def test_of_many_the_nearest_are_looked_at() -> None:
    opened: list[int] = []

    def one(number: int) -> Image:
        opened.append(number)
        return taken(OTHERS[0])

    row = {str(number): partial(one, number) for number in range(100)}
    assert Together(table(), row).read(taken(IN_DOUBT), "50").counts
    assert sorted(opened) == [*range(40, 50), *range(51, 61)]


def test_what_cannot_be_opened_teaches_nothing() -> None:
    def damaged() -> Image:
        raise NotAPhoto("damaged")

    together = Together(table(), {"a.jpg": damaged, **photos(*OTHERS)})
    assert together.read(taken(IN_DOUBT), IN_DOUBT).sure


def test_at_the_table_the_frames_before_are_known() -> None:
    watched = reader(table())
    assert not watched(taken(IN_DOUBT)).sure
    for name in OTHERS:
        watched(taken(name))
    assert watched(taken(IN_DOUBT)).sure


def test_marked_pieces_stay_marked_however_much_is_known() -> None:
    """All that the session's other photos show of bare pieces, and these as the camera itself took them."""
    profile = table()
    for name in OTHERS:
        profile = knowing(profile, read(taken(name), table()))
    for name in OTHERS:
        assert read(taken(name), profile).markers == read(taken(name), table()).markers


def test_it_is_told_what_the_others_bring(tmp_path: Path) -> None:
    """`corona evaluate`, and `--alone`, of the session as that camera took it."""
    folder = tmp_path / SESSION
    (folder / "frames").mkdir(parents=True)
    for name in ("layout.json", "session.json"):
        shutil.copy(PHOTOS / SESSION / name, folder)
    known = truth(SESSION)
    known[IN_DOUBT] = known[OTHERS[0]] | {
        "pieces": [0, 0, 1, 0, 1, 0, 3, 1, 0, 0, 0, 0],
        "dice": {"purple": 2, "green": 3, "yellow": 1, "white": 4, "red": 2, "brown": 5},
        "markers": [],
    }
    (folder / "truth.json").write_text(json.dumps(known))
    for name in ("empty.jpg", "dice.jpg", *(f"frames/{frame}" for frame in (IN_DOUBT, *OTHERS))):
        save_photo(CAMERAS[CAMERA].takes(photo(SESSION, name)), tmp_path / "one.png")
        (tmp_path / "one.png").replace(folder / name)

    def counted(*more: str) -> tuple[int, int]:
        told = CliRunner().invoke(main, ["evaluate", str(tmp_path), "--json", *more])
        total = json.loads(told.stdout.splitlines()[-1])["total"]
        return total["right"], total["unsure"]

    right, unsure = counted()
    assert counted("--alone") == (right - 1, unsure + 1)


def test_photos_that_are_read_at_once_are_read_together(tmp_path: Path) -> None:
    save(table(), tmp_path / "set.json")
    for name in (IN_DOUBT, *OTHERS):
        save_photo(taken(name), (tmp_path / name).with_suffix(".png"))
    paths = [str((tmp_path / name).with_suffix(".png")) for name in (IN_DOUBT, *OTHERS)]

    def sure(*given: str) -> list[bool]:
        told = CliRunner().invoke(main, ["read", *given, "--profile", str(tmp_path / "set.json"), "--json"])
        lines = [json.loads(line) for line in told.stdout.splitlines()]
        assert [line["photo"] for line in lines] == list(given)
        return [line["sure"] for line in lines]

    assert sure(paths[0]) == [False]
    assert sure(*paths)[0]
