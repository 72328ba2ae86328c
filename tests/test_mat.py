"""The printable mat, read back from its PDF: true to the millimetre, whole and in halves."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pypdfium2 as pdfium
import pytest
from pypdfium2 import raw

from calibration.calibrate import calibrate
from calibration.colours import SHADES
from calibration.layouts import MAT
from calibration.mat.board import BORDER, COLOUR, SAVING, Inks, half_side
from calibration.mat.sheets import CannotPrint, halves, stickers, whole
from hardware.virtual.lens import Lens
from hardware.virtual.light import cast
from hardware.virtual.solids import Die, Piece
from tests.slowly import slowly
from vision.geometry import Floats, Image, Layout
from vision.read import read
from vision.tags import find_tags

LAYOUT = Layout.from_json(MAT)
HALF = half_side(LAYOUT)
DPI = 150.0
PX = DPI / 25.4
"""Pixels a millimetre."""
BOTH = pytest.mark.parametrize("inks", [COLOUR, SAVING], ids=["colour", "ink-saving"])
INCHES = 72 / 25.4
"""Points a millimetre."""


@cache
def sheet(kind: str, inks: Inks = COLOUR) -> bytes:
    return {"whole": whole, "halves": halves}[kind](LAYOUT, inks) if kind != "stickers" else stickers(LAYOUT)


@cache
def pages(kind: str, inks: Inks = COLOUR, dpi: float = DPI) -> list[Image]:
    """Every page as a printer would see it, BGR."""
    document = pdfium.PdfDocument(sheet(kind, inks))
    return [page.render(scale=dpi / 72).to_numpy()[:, :, :3].copy() for page in document]


def found(page: Image, layout: Layout = LAYOUT) -> dict[int, Floats]:
    tags, twice = find_tags(page, layout)
    assert not twice
    return tags


def in_mm(pixels: Floats, dpi: float = DPI) -> Floats:
    """From the middle of a pixel to mm from the page's corner."""
    return np.asarray((pixels + 0.5) / dpi * 25.4)


def origin(page: Image, dpi: float = DPI) -> Floats:
    """Where on the page, in mm, the middle of the mat is, after the tags alone; no turn, no scale."""
    tags = found(page)
    return np.mean([in_mm(tags[tag], dpi) - LAYOUT.tag_corners(tag) for tag in tags], axis=(0, 1))


@BOTH
def test_tags_are_where_the_layout_says(inks: Inks) -> None:
    (page,) = pages("whole", inks)
    tags = found(page)
    assert sorted(tags) == [0, 1, 2, 3]
    for tag, corners in tags.items():
        away = in_mm(corners) - origin(page) - LAYOUT.tag_corners(tag)
        assert np.abs(away).max() < 0.1, f"tag {tag}"


@BOTH
def test_fields_are_where_the_layout_says_and_as_large(inks: Inks) -> None:
    (page,) = pages("whole", inks)
    middle = origin(page)
    for number, centre in enumerate(LAYOUT.field_centres):
        x, y, diameter = circle_at(page, middle + centre, LAYOUT.field_mm / 2)
        assert np.hypot(*(np.array([x, y]) - middle - centre)) < 0.1, f"field {'ABCDEFGHIJKL'[number]}"
        assert diameter == pytest.approx(LAYOUT.field_mm, abs=0.15)


def circle_at(page: Image, centre: Floats, radius: float) -> tuple[float, float, float]:
    """x, y, diameter in mm of a circle through the middle of the dark line, found along 180 rays."""
    turns = np.deg2rad(np.arange(0, 360, 2))
    steps = np.arange(-0.9, 0.9, 0.03)
    rays = np.stack([np.cos(turns), np.sin(turns)], axis=1)
    spots = centre + rays[:, None] * (radius + steps)[None, :, None]
    grey = cv2.cvtColor(page, cv2.COLOR_BGR2GRAY).astype(np.float32)
    where = (spots * PX - 0.5).astype(np.float32)
    dark = 255 - cv2.remap(grey, where[..., 0], where[..., 1], cv2.INTER_LINEAR)
    dark = np.maximum(dark - np.median(dark, axis=1, keepdims=True) - 40, 0)
    assert (dark.sum(axis=1) > 0).all(), "the line is drawn all around"
    reach = radius + (dark * steps).sum(axis=1) / dark.sum(axis=1)
    line = centre + rays * reach[:, None]
    system = np.hstack([2 * line, np.ones((len(line), 1))])
    (x, y, rest), *_ = np.linalg.lstsq(system, (line**2).sum(axis=1), rcond=None)
    return float(x), float(y), float(2 * np.sqrt(rest + x**2 + y**2))


@BOTH
@pytest.mark.parametrize("kind", ["whole", "halves", "stickers"])
def test_bars_on_every_page_measure_what_they_say(kind: str, inks: Inks) -> None:
    for page in pages(kind, inks):
        across, along = bars(page)
        wanted = 40 if kind == "halves" else 100
        assert [length for length in across if length == pytest.approx(wanted, abs=0.15)]
        assert [length for length in along if length == pytest.approx(100, abs=0.15)]


def bars(page: Image) -> tuple[list[float], list[float]]:
    """Lengths in mm, from tick to tick, of what looks like a bar: long, narrow, its ends the ticks."""
    dark = (page.max(axis=2) < 140).astype(np.uint8)
    _, _, stats, _ = cv2.connectedComponentsWithStats(dark, connectivity=8)
    line = 0.25
    across, along = [], []
    for _, _, wide, high, _ in stats[1:]:
        if wide / PX > 30 and 2.5 < high / PX < 4:
            across.append(wide / PX - line)
        elif high / PX > 30 and 2.5 < wide / PX < 4:
            along.append(high / PX - line)
    return sorted(across), sorted(along)


@BOTH
def test_around_every_tag_the_paper_is_white(inks: Inks) -> None:
    for kind, border in (("whole", BORDER), ("stickers", 5.0)):
        (page,) = pages(kind, inks, 300)
        layout = LAYOUT
        for tag, corners in found(page).items():
            left, top = in_mm(corners, 300).min(axis=0)
            right, low = in_mm(corners, 300).max(axis=0)
            around = window(
                page, left - border + 0.2, top - border + 0.2, right + border - 0.2, low + border - 0.2
            )
            inside = int((border - 0.4) * 300 / 25.4)
            around = around.copy()
            around[inside:-inside, inside:-inside] = 255
            assert around.min() == 255, f"{kind}: tag {tag} of {layout.name}"


def window(page: Image, left: float, top: float, right: float, low: float, dpi: float = 300) -> Image:
    x, y, u, v = (round(mm * dpi / 25.4) for mm in (left, top, right, low))
    return page[y:v, x:u]


def test_a_tag_shows_no_hairlines_between_its_cells() -> None:
    dpi = 600.0
    (page,) = pages("whole", COLOUR, dpi)
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    side = round(LAYOUT.tag_mm * dpi / 25.4)
    middle = origin(pages("whole", COLOUR)[0])
    for tag in LAYOUT.tags:
        x, y = np.round((middle + LAYOUT.tag_corners(tag)[0]) * dpi / 25.4).astype(int)
        seen = page[y - 9 : y + side + 9, x - 9 : x + side + 9, 1]
        known = cv2.resize(
            cv2.aruco.generateImageMarker(dictionary, tag, 6), (side, side), interpolation=cv2.INTER_NEAREST
        )
        known = cv2.copyMakeBorder(known, 9, 9, 9, 9, cv2.BORDER_CONSTANT, value=(255,))
        near = np.ones((15, 15), np.uint8)
        for tone, sure in ((255, cv2.erode(known, near)), (0, 255 - cv2.dilate(known, near))):
            assert set(seen[sure > 0].tolist()) == {tone}, f"tag {tag}"


@BOTH
def test_the_halves_make_the_whole(inks: Inks) -> None:
    (full,) = pages("whole", inks)
    left, right = pages("halves", inks)
    sides = {"left": (found(left), [0, 3]), "right": (found(right), [1, 2])}
    assert {side: sorted(tags) for side, (tags, _) in sides.items()} == {"left": [0, 3], "right": [1, 2]}
    board = on_board(full)
    joined = on_board(left)
    middle = joined.shape[1] // 2
    joined[:, middle:] = on_board(right)[:, middle:]
    # Softened, for the finest lines fall on other pixels when a page begins elsewhere.
    apart = np.abs(soft(joined) - soft(board)).max(axis=2)
    assert apart.max() < 60, "nothing is missing, twice there, moved or broken off at the cut"
    upright = [in_mm(sides[side][0][tag]) for side, (_, tags) in sides.items() for tag in tags]
    assert np.hypot(*(upright[0][0] - upright[1][3])) == pytest.approx(244 + 28, abs=0.15)
    assert np.hypot(*(upright[2][0] - upright[3][3])) == pytest.approx(244 + 28, abs=0.15)


def soft(picture: Image) -> Image:
    return cv2.GaussianBlur(picture.astype(np.float32), (0, 0), 2)


def on_board(page: Image) -> Image:
    """The mat alone, 150 dots an inch, cut out after the page's tags."""
    side = round(2 * HALF * PX)
    x, y = (origin(page) - HALF) * PX - 0.5
    shift = np.array([[1, 0, x + 0.5], [0, 1, y + 0.5]])
    return np.asarray(
        cv2.warpAffine(
            page, shift, (side, side), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderValue=(255,) * 3
        )
    )


def letters(kind: str) -> list[dict[str, tuple[float, float, float, float]]]:
    """Page by page the mat's letters: left, top, right, low in mm from the middle of the mat."""
    document = pdfium.PdfDocument(sheet(kind))
    answer = []
    for page, picture in zip(document, pages(kind), strict=True):
        text, (x, y) = page.get_textpage(), origin(picture)
        boxes = {}
        for number in range(text.count_chars()):
            letter = text.get_text_range(number, 1)
            left, low, right, top = text.get_charbox(number)
            if raw.FPDFText_GetFontSize(text.raw, number) > 10:
                assert letter not in boxes
                high = page.get_height()
                boxes[letter] = (
                    left / INCHES - x,
                    (high - top) / INCHES - y,
                    right / INCHES - x,
                    (high - low) / INCHES - y,
                )
        answer.append(boxes)
    return answer


def test_each_field_has_its_letter() -> None:
    (boxes,) = letters("whole")
    assert "".join(sorted(boxes)) == "ABCDEFGHIJKL"
    for number, (x, y) in enumerate(LAYOUT.field_centres):
        left, top, right, low = boxes["ABCDEFGHIJKL"[number]]
        across, along = (left + right) / 2, (top + low) / 2
        turn = np.rad2deg(np.arctan2(across * y - along * x, across * x + along * y))
        assert abs(turn) < 3, "it lies between its field and the middle"
        assert 50 < np.hypot(across, along) < 77


def test_the_cut_crosses_no_field_no_tag_and_no_letter() -> None:
    left, right = (
        {letter: box for letter, box in boxes.items() if box[0] * side < 0 or box[2] * side < 0}
        for boxes, side in zip(letters("halves"), (1, -1), strict=True)
    )
    assert ("".join(sorted(left)), "".join(sorted(right))) == ("GHIJKL", "ABCDEF")
    assert max(box[2] for box in left.values()) < -5
    assert min(box[0] for box in right.values()) > 5
    assert np.abs(LAYOUT.field_centres[:, 0]).min() - LAYOUT.field_mm / 2 > 2
    assert all(len(found(page)) == 2 for page in pages("halves"))


@BOTH
def test_all_of_it_is_vectors_and_the_letters_are_within(inks: Inks) -> None:
    for kind in ("whole", "halves", "stickers"):
        assert b"/FontFile2" in sheet(kind, inks)
        for page in pdfium.PdfDocument(sheet(kind, inks)):
            kinds = {thing.type for thing in page.get_objects()}
            assert kinds == {raw.FPDF_PAGEOBJ_PATH, raw.FPDF_PAGEOBJ_TEXT}


def test_pages_have_their_size_and_ask_not_to_be_scaled() -> None:
    for kind, size in (("whole", (297, 420)), ("halves", (210, 297)), ("stickers", (210, 297))):
        document = pdfium.PdfDocument(sheet(kind))
        assert [(page.get_width() / INCHES, page.get_height() / INCHES) for page in document] == [
            pytest.approx(size, abs=0.01)
        ] * (2 if kind == "halves" else 1)
        assert not raw.FPDF_VIEWERREF_GetPrintScaling(document.raw)


@BOTH
def test_nothing_lies_where_printers_cannot_print(inks: Inks) -> None:
    """But for marks that help to cut: the mat, the words and the bars keep 5 mm away from the edge."""
    for kind in ("whole", "halves", "stickers"):
        for page in pages(kind, inks):
            rim = page.copy()
            edge = int(5 * PX)
            rim[edge:-edge, edge:-edge] = 255
            assert rim.min() > 60
            assert (rim.min(axis=2) < 200).sum() < 400


def test_every_page_says_what_its_bars_must_measure() -> None:
    for kind, measures in (("whole", "100 mm"), ("halves", "40 and 100 mm"), ("stickers", "100 mm")):
        for page in pdfium.PdfDocument(sheet(kind)):
            words = page.get_textpage().get_text_range()
            assert re.search(f"bars must measure {measures}|the bars {measures}", words)


def test_it_is_the_same_file_every_time() -> None:
    assert whole(LAYOUT, COLOUR) == whole(LAYOUT, COLOUR)


def test_dice_of_any_colour_stand_out_from_the_tints() -> None:
    """Lab distance, 2.3 being what an eye just sees; bare paper is 9 from a white die."""
    tints = [ink for ink in (COLOUR.ground, COLOUR.field, COLOUR.star) if ink]
    ground = cv2.cvtColor(np.array([tints], np.float32), cv2.COLOR_RGB2LAB)[0]
    faces = cv2.cvtColor(
        np.array([[look for look, *_ in SHADES.values()]], np.float32) / 255, cv2.COLOR_RGB2LAB
    )[0]
    apart = np.linalg.norm(ground[:, None] - faces, axis=2)
    assert apart.min() > 15
    assert (ground[:, 0] > 60).all() and (ground[:, 0] < 88).all(), "neither dark nor as bright as paper"


DICE = ("red", "blue", "green", "yellow", "white", "black")
LENS = Lens()


def photograph(inks: Inks, solids: list[Die | Piece], grey: bool = False) -> Image:
    """The printed mat on a table under the camera of the virtual table, with what stands on it."""
    (page,) = pages("whole", inks)
    if grey:
        page = cv2.cvtColor(cv2.cvtColor(page, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    spots = LENS.on_table(LENS.grid(0, 0, LENS.width, LENS.height))
    # Finer than the photograph: softened first, as its own pixels would.
    paper = cv2.GaussianBlur(page, (0, 0), 1.2)
    dots = ((spots + origin(page)) * PX - 0.5).astype(np.float32)
    shown = cv2.remap(paper, dots[..., 0], dots[..., 1], cv2.INTER_LINEAR)
    table = np.abs(spots).max(axis=2) > HALF
    shown[table] = (52, 74, 96)
    shown = (shown * np.float32(0.86)).astype(np.uint8)
    for layer in sorted((cast(LENS, solid) for solid in solids), key=lambda layer: -layer.depth):
        layer.onto(shown)
    noisy = shown + np.random.default_rng(len(solids)).normal(0, 1.5, shown.shape)
    return np.asarray(np.clip(noisy, 0, 255), np.uint8)


@pytest.mark.parametrize(
    ("inks", "grey"),
    slowly([(COLOUR, False), (SAVING, False), (COLOUR, True)]),
    ids=["colour", "ink-saving", "printed without colours"],
)
def test_a_photograph_of_it_calibrates_and_is_read(inks: Inks, grey: bool) -> None:
    beside: list[Die | Piece] = [
        Die(c, -50 + 22.0 * k, -14 + 31.0 * (k % 2), 20.0 * k, 1 + k) for k, c in enumerate(DICE)
    ]
    profile = calibrate(
        MAT, photograph(inks, [], grey), photograph(inks, beside, grey), DICE, 16.0, (19.0, 12.5)
    )
    assert profile.view.eye[2] == pytest.approx(float(LENS.eye[2]), rel=0.08)
    seen = profile.view.unproject(LENS.pixels(np.hstack([LAYOUT.field_centres, np.zeros((12, 1))])))
    assert np.abs(seen - LAYOUT.field_centres).max() < 0.5
    standing: list[Die | Piece] = [Piece(*LAYOUT.field_centres[k]) for k in (0, 2, 3, 6, 9, 11)]
    reading = read(photograph(inks, [*beside, *standing], grey), profile)
    assert reading.counts == (1, 0, 1, 1, 0, 0, 1, 0, 0, 1, 0, 1)
    assert reading.dice == {colour: 1 + k for k, colour in enumerate(DICE)}


def test_other_boards(tmp_path: Path) -> None:
    smaller = json.loads(json.dumps(MAT))
    smaller["name"] = "small"
    smaller["tags"] |= {
        "size_mm": 24,
        "centres_mm": {"4": [-100, -100], "5": [100, -100], "6": [100, 100], "7": [-100, 100]},
    }
    smaller["fields"] |= {"ring_radius_mm": 80, "diameter_mm": 36, "first_deg": 0}
    layout = Layout.from_json(smaller)
    page = pdfium.PdfDocument(whole(layout, COLOUR))[0].render(scale=DPI / 72).to_numpy()[:, :, :3].copy()
    tags = found(page, layout)
    middle = np.mean([in_mm(tags[tag]) - layout.tag_corners(tag) for tag in tags], axis=(0, 1))
    assert (
        max(np.abs(in_mm(tags[tag]) - middle - layout.tag_corners(tag)).max() for tag in (4, 5, 6, 7)) < 0.1
    )
    for centre in layout.field_centres:
        assert circle_at(page, middle + centre, 18)[2] == pytest.approx(36, abs=0.15)
    with pytest.raises(CannotPrint, match="crosses field A and field G"):
        halves(layout, COLOUR)


def changed(**changes: Any) -> Layout:
    data = json.loads(json.dumps(MAT))
    data["tags"] |= changes.get("tags", {})
    data["fields"] |= changes.get("fields", {})
    return Layout.from_json(data)


def test_what_cannot_be_printed_is_said() -> None:
    far = {"centres_mm": {"0": [-140, -140], "1": [140, -140], "2": [140, 140], "3": [-140, 140]}}
    with pytest.raises(CannotPrint, match="A3 sheet holds"):
        whole(changed(tags=far), COLOUR)
    with pytest.raises(CannotPrint, match="too large for A4; print stickers"):
        halves(changed(tags=far), COLOUR)
    assert stickers(changed(tags=far)).startswith(b"%PDF")
    with pytest.raises(CannotPrint, match="tag 1 with its white border lies in field B"):
        whole(changed(tags={"size_mm": 80}), COLOUR)
    with pytest.raises(CannotPrint, match="55 mm at most"):
        stickers(changed(tags={"size_mm": 80}))


def corona(*words: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "companion", "mat", *map(str, words)],
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_command(tmp_path: Path) -> None:
    out = tmp_path / "prints" / "mat.pdf"
    run = corona(out, "--halves", "--ink-saving")
    assert (run.returncode, run.stderr) == (0, "")
    assert out.read_bytes() == sheet("halves", SAVING)
    (tmp_path / "layout.json").write_text('{"name": "none"}', encoding="utf-8")
    for words, status in (
        ([out, "--stickers", "--halves"], 2),
        ([tmp_path / "mat.jpg"], 2),
        ([tmp_path / "layout.json" / "mat.pdf"], 1),
        ([tmp_path / "other.pdf", "--layout", tmp_path / "layout.json"], 1),
    ):
        run = corona(*words)
        assert run.returncode == status and "Traceback" not in run.stderr and run.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["layout.json", "prints"]
