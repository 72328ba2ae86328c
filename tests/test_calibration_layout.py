"""A board nobody has measured: its ring and its stickers found in one photo, drawn for a yes, corrected."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.faults import CannotCalibrate
from calibration.propose import NoRing, drawn, other_ring, propose, scaled, write
from calibration.store import load
from tests.sessions import PHOTOS, SESSIONS, photo, profile
from vision.geometry import Floats, Image, Layout, Lens, View

pytestmark = pytest.mark.slow

COLOURS = "purple,green,yellow,white,red,brown"
PX = 4.0


def apart_from(found: Layout, true: Layout) -> tuple[float, float, float, float]:
    """How much ring, field, first angle and the places of the tags differ: mm, mm, degrees, mm."""
    turned = (found.first_deg - true.first_deg + 15) % 30 - 15
    tags = max(np.hypot(*(np.array(found.tags[tag]) - at)) for tag, at in true.tags.items())
    return abs(found.ring_mm - true.ring_mm), abs(found.field_mm - true.field_mm), abs(turned), float(tags)


@pytest.mark.parametrize("session", SESSIONS)
def test_the_layout_of_a_photo_session_is_found(session: str) -> None:
    true = profile(session).layout
    ring, field, turned, tags = apart_from(propose(photo(session, "empty.jpg"), true.tag_mm).layout, true)
    # The tags are all there is to measure by: 28 mm, 50 pixels; overexposed paper makes them smaller.
    assert (ring / true.ring_mm < 0.025, field < 3, turned < 0.5, tags < 4) == (True, True, True, True), (
        ring,
        field,
        turned,
        tags,
    )


def board_photo(
    style: str, middle: tuple[float, float], first: float, radius: float = 20
) -> tuple[Image, Floats]:
    """A board with a ring of 88 mm and fields of that radius in one style, photographed aslant, and where its
    fields are in the photo (12, 2); its four stickers lie on no square."""
    side, half = round(330 * PX), 165.0
    sheet: Image = np.full((side, side, 3), (205, 214, 222), dtype=np.uint8)

    def at(x: float, y: float) -> tuple[int, int]:
        return round((x + half) * PX * 16), round((y + half) * PX * 16)

    tags = {0: (-128.0, -121.0), 1: (125.0, -126.0), 2: (131.0, 124.0), 3: (-124.0, 129.0)}
    angle = np.deg2rad(first + 30 * np.arange(12))
    centres = 88 * np.stack([np.sin(angle), -np.cos(angle)], axis=1) + middle
    cv2.putText(sheet, "CORONA", (round(110 * PX), round(170 * PX)), 0, 3.0, (120, 120, 150), 6, cv2.LINE_AA)
    for k, (x, y) in enumerate(centres):
        ink = [(90, 120, 60), (70, 90, 150)][k % 2]
        if style == "discs":
            cv2.circle(sheet, at(x, y), round(radius * PX * 16), ink, -1, cv2.LINE_AA, 4)
        elif style == "outlines":
            cv2.circle(sheet, at(x, y), round(radius * PX * 16), (60, 60, 60), 3, cv2.LINE_AA, 4)
        elif style == "faint":
            cv2.circle(sheet, at(x, y), round(radius * PX * 16), (185, 194, 204), 4, cv2.LINE_AA, 4)
        elif style == "dots":
            for dot in np.linspace(0, 2 * np.pi, 29)[:-1]:
                there = at(x + radius * np.cos(dot), y + radius * np.sin(dot))
                cv2.circle(sheet, there, round(0.9 * PX * 16), (60, 60, 60), -1, cv2.LINE_AA, 4)
    book = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    for tag, (x, y) in tags.items():
        size = round(28 * PX)
        marker = cv2.copyMakeBorder(
            cv2.aruco.generateImageMarker(book, tag, size), 20, 20, 20, 20, cv2.BORDER_CONSTANT, value=255
        )
        left, top = round((x + half) * PX - marker.shape[1] / 2), round((y + half) * PX - marker.shape[0] / 2)
        sheet[top : top + marker.shape[0], left : left + marker.shape[1]] = marker[..., None]
    camera = View(Lens(1300, 0.0, (1536, 864)), (0.2, -0.1, 0.1), (5, 10, 640))
    to_mm = np.array([[1 / PX, 0, -half], [0, 1 / PX, -half], [0, 0, 1]])
    way = camera.plane(0.0) @ to_mm
    taken = cv2.warpPerspective(
        cv2.GaussianBlur(sheet, (0, 0), 1.4), way, (1536, 864), borderValue=(70, 90, 110)
    )
    grain = np.random.default_rng(5).normal(0, 2, taken.shape)
    fields = camera.project(np.hstack([centres, np.zeros((12, 1))]))
    return np.clip(cv2.GaussianBlur(taken, (0, 0), 0.6) + grain, 0, 255).astype(np.uint8), fields


@pytest.mark.parametrize("style", ["discs", "outlines", "faint", "dots"])
@pytest.mark.parametrize(("middle", "first"), [((0.0, 0.0), 15.0), ((6.0, -4.0), 4.0)])
def test_many_prints_and_stickers_on_no_square(style: str, middle: tuple[float, float], first: float) -> None:
    shot, fields = board_photo(style, middle, first)
    found = propose(shot, 28)
    assert abs(found.layout.ring_mm - 88) < 2 and abs(found.layout.field_mm - 40) < 4
    there = found.view.project(np.hstack([found.layout.field_centres, np.zeros((12, 1))]))
    assert max(np.hypot(*(there - at).T).min() for at in fields) < 3


def test_fields_that_touch_are_no_wider_than_they_lie_apart() -> None:
    """They measure more, and the profile was written, and refused when it was loaded."""
    shot, _ = board_photo("discs", (0.0, 0.0), 15.0, radius=22.77)
    found = propose(shot, 28)
    for times in (1.0, 0.93):
        layout = scaled(found, times).layout
        assert Layout.from_json(layout.to_json()) == layout
        assert layout.field_mm == pytest.approx(times * 45.0, abs=1.0)


def test_no_ring_is_no_layout() -> None:
    shot, _ = board_photo("nothing", (0, 0), 15)
    with pytest.raises(CannotCalibrate, match="no ring of twelve equal fields") as caught:
        propose(shot, 28)
    assert isinstance(caught.value, NoRing) and len(caught.value.guess.layout.tags) == 4


@pytest.mark.parametrize("ground", [30, 128, 235])
def test_letters_are_centred_and_have_a_light_rim(ground: int) -> None:
    for letter in "AJQ":
        picture = np.full((81, 81, 3), ground, dtype=np.uint8)
        write(picture, letter, np.array([40.0, 40.0]), 1.0)
        ink = np.abs(picture.astype(int) - (60, 20, 200)).max(axis=2) < 40
        rows, columns = np.nonzero(ink)
        assert abs(rows.min() + rows.max() - 80) <= 3 and abs(columns.min() + columns.max() - 80) <= 3
        around = cv2.dilate(ink.astype(np.uint8), np.ones((5, 5), np.uint8)) > ink
        assert picture[around].min(axis=1).mean() > 170
    write(picture, "A", np.array([80.0, 1.0]), 1.0)  # at the edge a part of it


@pytest.mark.parametrize("session", SESSIONS)
def test_another_ring_than_the_layouts_is_told(session: str) -> None:
    known = profile(session)
    assert other_ring(known) is None
    for wrong in ({"ring_mm": 0.6 * known.layout.ring_mm}, {"first_deg": known.layout.first_deg + 15}):
        said = other_ring(replace(known, layout=replace(known.layout, **wrong)))  # type: ignore[arg-type]
        assert said is not None and f"a ring of radius {known.layout.ring_mm:.0f} mm" in said
    # A ring looks alike every 30 degrees: what is right is not told to be wrong.
    first = known.layout.first_deg + 60
    wider = replace(known.layout, first_deg=first, ring_mm=0.6 * known.layout.ring_mm)
    assert f"field at {first:.0f} degrees" in str(other_ring(replace(known, layout=wider)))


def test_fields_of_another_size_than_the_layouts_are_told() -> None:
    known = profile("session-09")
    said = other_ring(replace(known, layout=replace(known.layout, field_mm=known.layout.field_mm - 9)))
    assert said == "fields: the photo shows them about 44 mm wide, and layout 'set-r110' says 35 mm"


def test_a_ruler_scales_what_was_measured() -> None:
    shot, _ = board_photo("discs", (0, 0), 15)
    found = propose(shot, 28)
    larger = scaled(found, 2)
    assert larger.layout.ring_mm == pytest.approx(2 * found.layout.ring_mm, abs=0.1)
    one, two = (
        p.view.project(np.hstack([p.layout.field_centres, np.zeros((12, 1))])) for p in (found, larger)
    )
    assert np.abs(one - two).max() < 0.5, "the same places in the photo"
    assert np.abs(drawn(shot, found).astype(int) - shot).max() > 100


def words(out: Path, *more: str) -> list[str]:
    session = PHOTOS / "session-09"
    return [
        *(sys.executable, "-m", "companion", "calibrate", "--empty", str(session / "empty.jpg")),
        *("--dice", str(session / "dice.jpg"), "--colours", COLOURS, "--die-mm", "16", "--tag-mm", "27"),
        *("--out", str(out), *more),
    ]


def test_without_a_terminal_nothing_is_asked(tmp_path: Path) -> None:
    out = tmp_path / "set.json"
    run = subprocess.run(words(out), capture_output=True, text=True, timeout=120, check=False, input="")
    assert run.returncode == 1 and not out.exists()
    assert "--yes" in run.stderr and "--layout" in run.stderr and not run.stdout
    picture = cv2.imread(str(tmp_path / "set-layout.jpg"))
    assert picture is not None and picture.shape == (864, 1536, 3)
    written = Layout.from_json(json.loads((tmp_path / "set-layout.json").read_text(encoding="utf-8")))
    assert apart_from(written, profile("session-09").layout)[0] < 2
    corrected = json.dumps(written.to_json() | {"name": "by hand"})
    (tmp_path / "set-layout.json").write_text(corrected, encoding="utf-8")
    run = subprocess.run(words(out, "--yes"), capture_output=True, text=True, timeout=120, check=False)
    assert run.returncode == 0, run.stderr
    assert "holds another layout, which is kept as set-layout-1.json" in run.stderr
    assert (tmp_path / "set-layout-1.json").read_text(encoding="utf-8") == corrected
    assert load(out).layout == written and "good:" in run.stdout
    assert "the pieces are measured in the first frames" in run.stdout


def test_without_a_clear_ring_a_guess_is_left_to_be_corrected(tmp_path: Path) -> None:
    """By hand in the file; the tags are measured. `--yes` takes no guess."""
    shot, _ = board_photo("nothing", (0, 0), 15)
    cv2.imwrite(str(tmp_path / "empty.png"), shot)
    out = tmp_path / "set.json"
    for more in ((), ("--yes",)):
        command = words(out, *more)
        command[command.index("--empty") + 1] = str(tmp_path / "empty.png")
        run = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False, input="")
        assert run.returncode == 1 and not out.exists()
        assert f"({tmp_path / 'set-layout.json'} holds a guess, drawn in" in run.stderr
    written = Layout.from_json(json.loads((tmp_path / "set-layout.json").read_text(encoding="utf-8")))
    assert len(written.tags) == 4 and written.tag_mm == 27
    assert (tmp_path / "set-layout.jpg").exists()


def test_a_person_corrects_what_was_measured(tmp_path: Path) -> None:
    """Asked in a terminal: no; the tags' distance, where the ring's middle is and its radius by a ruler, the
    rest as it is; then yes."""
    out = tmp_path / "set.json"
    mine, theirs = pty.openpty()
    child = subprocess.Popen(words(out), stdin=theirs, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    os.close(theirs)
    os.write(mine, b"n\n276\n2\n\n110\n\n\ny\n")
    _, said = child.communicate(timeout=120)
    os.close(mine)
    assert child.returncode == 0, said.decode()
    assert b"ring radius, mm [" in said
    learned = load(out).layout
    assert learned.ring_mm == 110 and learned.first_deg == pytest.approx(0, abs=0.3)
    assert learned.tags[1][0] - learned.tags[0][0] == pytest.approx(276, abs=0.3)
    assert np.mean([x for x, _ in learned.tags.values()]) == pytest.approx(-2, abs=1)
