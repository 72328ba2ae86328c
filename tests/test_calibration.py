"""Learning a set: the dice and their colours, the camera, and the profile as a file."""

from __future__ import annotations

import errno
import json
import math
import re
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

import calibration.dice
from calibration.calibrate import calibrate, see_dice
from calibration.dice import SEEN_MATCH, find_six
from calibration.dots import dots_of
from calibration.faults import CannotCalibrate
from calibration.files import write_safely
from calibration.layouts import MAT
from calibration.store import BadProfile, keep_before, load, load_dice, photos_of, save
from tests.sessions import PHOTOS, SESSIONS, photo, profile, truth
from tests.slowly import slowly
from vision.change import carry, compare, half
from vision.face_net import Answer
from vision.faces import USUAL_DOTS, Dots, Face, corners, settle
from vision.geometry import Image, Layout, View
from vision.profile import USUAL_PIECE_MM, Profile
from vision.read import read
from vision.tags import find_tags, locate
from vision.tops import Table, find_tops

RING = np.linspace(0, 2 * np.pi, 24, endpoint=False)
CORNERS = [(-1, -1), (1, 1), (1, -1), (-1, 1)]
COLOURS = ["green", "red", "yellow", "white", "black", "blue"]


def layout(session: str) -> Layout:
    return Layout.from_json(json.loads((PHOTOS / session / "layout.json").read_text(encoding="utf-8")))


@pytest.mark.parametrize("session", slowly(SESSIONS))
def test_the_side_of_the_dice_is_measured(session: str) -> None:
    known = profile(session)
    six = see_dice(known.layout, known.empty, photo(session, "dice.jpg"))
    assert six.side == pytest.approx(known.die_mm, abs=1.0)
    assert six.seen == pytest.approx(known.die_mm, rel=0.04)


@pytest.mark.parametrize("session", slowly(SESSIONS))
def test_a_side_that_is_told_a_little_wrong_is_mended(session: str) -> None:
    """The photo shows how large dice look, whatever a ruler or their maker says."""
    known, shown = profile(session), photo(session, "dice.jpg")
    seen = [see_dice(known.layout, known.empty, shown, told * known.die_mm).seen for told in (0.96, 1.04)]
    assert seen == pytest.approx([known.die_mm] * 2, rel=0.035)


def with_pips(shown: Image, view: View, face: Face, die_mm: float, dots: Dots) -> Image:
    """The picture with a face painted over and these pips put on it."""
    tops = corners(face, 0.8 * die_mm, die_mm)
    plain = np.round(view.project(tops)).astype(np.int32)
    inside = cv2.fillConvexPoly(np.zeros(shown.shape[:2], np.uint8), plain, 1) > 0
    lit = shown[inside][shown[inside].sum(axis=1).argsort()]
    third = len(lit) // 3
    ink, paint = (lit[-5:], lit[: 2 * third]) if face.bright else (lit[:5], lit[third:])
    painted = cv2.fillConvexPoly(shown.copy(), plain, np.median(paint, axis=0).tolist())
    spin = np.array([[np.cos(face.turn), -np.sin(face.turn)], [np.sin(face.turn), np.cos(face.turn)]])
    around = dots.radius * np.stack([np.cos(RING), np.sin(RING)], axis=1)
    for place in CORNERS if face.pips > 3 else CORNERS[:2]:
        mm = (np.array(place) * dots.offset + around) @ spin.T * die_mm + (face.x, face.y)
        pixels = view.project(np.pad(mm, ((0, 0), (0, 1)), constant_values=die_mm))
        cv2.fillConvexPoly(
            painted, np.round(pixels * 16).astype(np.int32), ink.mean(axis=0).tolist(), cv2.LINE_AA, 4
        )
    return painted


@pytest.mark.parametrize("dots", [Dots(0.2, 0.08), Dots(0.29, 0.1)])
@pytest.mark.parametrize("session", ["session-01", "session-09"])
def test_how_pips_look_is_learned_from_the_photo_of_the_dice(session: str, dots: Dots) -> None:
    """Makers put them nearer to the edges or farther away; dice that match badly seem to be elsewhere."""
    known, shown = profile(session), photo(session, "dice.jpg")
    table = Table(shown, known.empty, known.view, compare(half(shown), known.empty_half), known.die_mm)
    faces = [replace(face, pips=4 if face.pips > 3 else 2) for face in find_six(table) if face.pips > 1]
    for face in faces:
        shown = with_pips(shown, known.view, face, known.die_mm, dots)
    found = dots_of(replace(table, frame=shown), faces)
    assert found.offset == pytest.approx(dots.offset, abs=0.015)
    assert found.radius == pytest.approx(dots.radius, abs=0.02)
    for face in faces:
        at = (shown, known.view, (face.x, face.y), face.pips, known.die_mm)
        assert abs(settle(*at, found)[3]) > max(abs(settle(*at)[3]), 0.7)


def test_too_few_faces_do_not_tell_how_pips_look() -> None:
    known, shown = profile("session-01"), photo("session-01", "dice.jpg")
    table = Table(shown, known.empty, known.view, compare(half(shown), known.empty_half), known.die_mm)
    faces = find_six(table)
    ones = [replace(face, pips=1) for face in faces]
    assert dots_of(table, ones) == dots_of(table, [*ones[:4], *faces[4:]]) == USUAL_DOTS


@pytest.mark.parametrize("session", SESSIONS)
def test_the_six_dice_are_found_with_their_pips(session: str) -> None:
    learned, shown = profile(session), photo(session, "dice.jpg")
    found = locate(find_tags(shown, learned.layout)[0], learned.layout, learned.view.lens)
    assert found is not None
    view = found[0]
    empty = carry(learned.empty, learned.view, view)
    change = compare(half(shown), half(empty))
    faces = find_six(Table(shown, empty, view, change, learned.die_mm))
    assert sorted(face.pips for face in faces) == sorted(truth(session)["dice.jpg"]["dice"].values())


@pytest.mark.parametrize("session", SESSIONS)
def test_the_dice_photo_reads_as_its_own_truth(session: str) -> None:
    """Every colour is learned from the right die, wherever it lay."""
    known = truth(session)["dice.jpg"]["dice"]
    assert read(photo(session, "dice.jpg"), profile(session)).dice == known


@pytest.mark.parametrize("with_print", [False, True])
@pytest.mark.parametrize("session", ["session-04", "session-09"])
def test_a_white_die_under_the_glare_of_a_lamp_is_found(
    session: str, with_print: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No pattern of pips matches there, but the networks see the die; nothing else is taken for it, nor a
    print that they rather take for one, although its pips do match."""
    learned, shown = profile(session), photo(session, "dice.jpg")

    def six(frame: Image) -> list[Face]:
        change = compare(half(frame), learned.empty_half)
        return find_six(Table(frame, learned.empty, learned.view, change, learned.die_mm))

    faces = six(shown)
    x, y = next(die.centre for die in read(shown, learned).seen_dice if die.colour == "white")
    wide = 0.45 * learned.die_mm * learned.view.pixels_per_mm()
    rows, columns = np.indices(shown.shape[:2])
    glare = 0.9 * np.exp(-((columns - x) ** 2 + (rows - y) ** 2) / (2 * wide**2))[..., None]
    glaring = (shown * (1 - glare) + 255 * glare).astype(np.uint8)

    def and_a_print(table: Table, wanted: int) -> list[Answer]:
        tops = find_tops(table, wanted)
        farthest = max(tops, key=lambda top: math.dist(table.view.pixel(top.x, top.y, table.die_mm), (x, y)))
        return [*tops, replace(farthest, die=0.6)]

    if with_print:
        monkeypatch.setattr(calibration.dice, "find_tops", and_a_print)
    under = six(glaring)
    assert min(face.match for face in under) < SEEN_MATCH
    for face in faces:
        assert min(np.hypot(face.x - other.x, face.y - other.y) for other in under) < 0.15 * learned.die_mm


def test_the_order_of_colours_is_the_given_one() -> None:
    turned = [*COLOURS[3:], *COLOURS[:3]]
    learned = calibrate(MAT, photo("session-01", "empty.jpg"), photo("session-01", "dice.jpg"), turned, 14)
    assert [colour.name for colour in learned.colours] == turned
    assert {c.name: c.lab for c in learned.colours} == {
        c.name: pytest.approx(c.lab, abs=6) for c in profile("session-01").colours
    }


def test_a_saved_profile_reads_the_same(tmp_path: Path) -> None:
    out = tmp_path / "table.json"
    save(profile("session-01"), out)
    frame = photo("session-01", "frames/004.jpg")
    assert read(frame, load(out)).counts == read(frame, profile("session-01")).counts
    first = {path.name for path in tmp_path.iterdir()}
    assert len(first) == 2 and "table.json" in first
    save(profile("session-09"), out)
    second = {path.name for path in tmp_path.iterdir()}
    assert len(second) == 2 and len(first & second) == 1, "the old photo went with the old profile"


@pytest.mark.parametrize("size", [USUAL_PIECE_MM, (21.0, 10.0)])
def test_a_profile_keeps_whether_somebody_told_the_pieces_size(
    tmp_path: Path, size: tuple[float, float]
) -> None:
    """One from before that was kept holds a usual size for nobody's."""
    out = tmp_path / "table.json"
    for told in True, False:
        save(replace(profile("session-01"), piece_mm=size, pieces_told=told), out)
        assert load(out).piece_mm == size and load(out).pieces_told == told
    older = json.loads(out.read_text())
    del older["pieces"]["told"]
    out.write_text(json.dumps(older))
    assert load(out).pieces_told == (size != USUAL_PIECE_MM)


def test_a_profile_keeps_how_rims_and_sides_look(tmp_path: Path) -> None:
    """One from before that was kept has neither."""
    out, known = tmp_path / "table.json", profile("session-01")
    save(known, out)
    for learned, kept in zip(known.colours, load(out).colours, strict=True):
        assert learned.rim and kept.rim == pytest.approx(learned.rim, abs=0.06)
        assert learned.sides and kept.sides == pytest.approx(learned.sides, abs=0.06)
    older = json.loads(out.read_text())
    for die in older["dice"]["colours"]:
        del die["rim"], die["sides"]
    out.write_text(json.dumps(older))
    assert all(die.rim is None and die.sides is None for die in load(out).colours)


def test_a_profile_keeps_how_the_pips_look(tmp_path: Path) -> None:
    """In one from before that was kept they look as usual."""
    out = tmp_path / "table.json"
    save(replace(profile("session-01"), dots=Dots(0.21, 0.09)), out)
    assert load(out).dots == Dots(0.21, 0.09)
    older = json.loads(out.read_text())
    del older["dice"]["pips"]
    out.write_text(json.dumps(older))
    assert load(out).dots == USUAL_DOTS


def test_what_is_kept_of_the_profile_before(tmp_path: Path) -> None:
    """Nothing else that is called so, and one of another version as it is."""
    out, notes = tmp_path / "set.json", tmp_path / "set-before.json"
    assert keep_before(out) is None
    save(profile("session-01"), out, photo("session-01", "dice.jpg"))
    notes.write_text("my notes")
    kept = keep_before(out)
    assert kept == tmp_path / "set-before2.json" and notes.read_text() == "my notes"
    assert load(kept).die_mm == profile("session-01").die_mm
    notes.unlink()
    newer = out.read_text().replace('"version": 1', '"version": 99')
    out.write_text(newer)
    assert keep_before(out) == notes and notes.read_text() == newer


def another() -> Profile:
    """One with another photo of the empty board."""
    return replace(profile("session-01"), empty=profile("session-01").empty // 2)


def test_a_copied_profile_keeps_its_photo_whatever_it_is_called(tmp_path: Path) -> None:
    for own, copied in (("our", "mine"), ("our.json", "our.json.bak"), ("our.profile", "mine")):
        out, copy = tmp_path / own, tmp_path / copied
        save(profile("session-01"), out)
        copy.write_bytes(out.read_bytes())
        save(another(), out)
        assert (load(copy).empty == profile("session-01").empty).all()


def test_where_there_is_no_room_no_photo_of_half_a_profile_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, data: bytes) -> None:
        if path.suffix == ".json":
            raise OSError(errno.ENOSPC, "No space left on device", str(path))
        write_safely(path, data)

    out = tmp_path / "set.json"
    save(profile("session-01"), out)
    before = sorted(tmp_path.iterdir())
    monkeypatch.setattr("calibration.store.write_safely", full)
    with pytest.raises(OSError, match="No space left"):
        save(another(), out, photo("session-01", "dice.jpg"))
    assert sorted(tmp_path.iterdir()) == before
    assert (load(out).empty == profile("session-01").empty).all()


@pytest.mark.parametrize("name", ["", "/", "..", "a\0b", 7])
def test_a_dice_photo_that_has_no_name_is_left_out(tmp_path: Path, name: object) -> None:
    out = tmp_path / "set.json"
    save(profile("session-01"), out, photo("session-01", "dice.jpg"))
    data = json.loads(out.read_text())
    data["dice"]["photo"]["file"] = name
    out.write_text(json.dumps(data))
    assert [path.name for path in photos_of(out)] == [data["empty"]["file"]]
    assert load_dice(out) is None
    save(another(), out)
    assert (load(out).empty == another().empty).all()


def test_nothing_of_somebody_elses_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "set").mkdir()
    (tmp_path / "set-empty.png").write_text("a letter")
    with pytest.raises(IsADirectoryError):
        save(profile("session-01"), tmp_path / "set")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["set", "set-empty.png"]


@pytest.mark.parametrize(
    ("harm", "word"),
    [
        (lambda text: text[:-40], "broken JSON"),
        (lambda text: "[]", "not a profile"),
        (lambda text: text.replace('"version": 1', '"version": 99'), "version 99"),
        (lambda text: text.replace('"focal_px"', '"focal"'), "focal_px"),
        (lambda text: text.replace('"ring_radius_mm": 100', '"ring_radius_mm": -1'), "ring_radius_mm"),
        (lambda text: text.replace('"sha256": "', '"sha256": "0'), "not the photo"),
        (lambda text: text.replace("table-empty", "gone"), "gone"),
        (lambda text: re.sub(r'"focal_px": [\d.]+', '"focal_px": NaN', text), "focal_px"),
        (lambda text: text.replace('"size_mm": 13', '"size_mm": -3'), "size_mm"),
        (lambda text: re.sub(r'"diameter_mm": 19.6', '"diameter_mm": 0', text), "diameter_mm"),
        (lambda text: text.replace('"name": "red"', '"name": "mauve"'), "mauve"),
        (lambda text: text.replace('"name": "red"', '"name": "blue"'), "blue"),
        (lambda text: re.sub(r'("colours": \[)(.*?\},)', r"\1\2\2", text, flags=re.S), "green, green, red"),
        (lambda text: text.replace('"lens"', '"glass"'), "table.json: lens.size_px is missing; calibrate"),
        (lambda text: re.sub(r'"k1": [-\d.e]+', '"k1": "x"', text), "lens.k1 is x"),
        (
            lambda text: re.sub(r'"dice": .*(?="pieces")', '"dice": null, ', text, flags=re.S),
            "dice.colours is",
        ),
        (lambda text: text.replace('"lab": [', '"lab": [null, '), "colour.lab is"),
        (lambda text: text.replace('"rim": [', '"rim": [300, '), "colour.rim is"),
        (lambda text: re.sub(r'"offset": [\d.]+', '"offset": 3', text), "dice.pips.offset is 3"),
        (lambda text: "[" * 100_000, "broken JSON"),
    ],
)
def test_a_broken_profile_says_what_is_broken(tmp_path: Path, harm, word: str) -> None:  # type: ignore[no-untyped-def]
    out = tmp_path / "table.json"
    save(profile("session-01"), out)
    text = out.read_text(encoding="utf-8")
    assert harm(text) != text
    out.write_text(harm(text), encoding="utf-8")
    with pytest.raises(BadProfile, match=word):
        load(out)


def test_a_profile_without_its_photo_asks_for_it(tmp_path: Path) -> None:
    save(profile("session-01"), tmp_path / "table.json")
    (tmp_path / "copied").mkdir()
    alone = (tmp_path / "table.json").rename(tmp_path / "copied" / "table.json")
    with pytest.raises(BadProfile, match=r"it belongs to the profile .*table.json: bring it along"):
        load(alone)


def test_photos_that_cannot_be_learned_from() -> None:
    empty, dice = photo("session-01", "empty.jpg"), photo("session-01", "dice.jpg")
    with pytest.raises(CannotCalibrate, match="it shows none of the 4 tags"):
        calibrate(MAT, np.zeros_like(empty), dice, COLOURS)
    with pytest.raises(CannotCalibrate, match="turquoise"):
        calibrate(MAT, empty, dice, [*COLOURS[:5], "turquoise"])
    with pytest.raises(CannotCalibrate, match="5 different colours"):
        calibrate(MAT, empty, dice, [*COLOURS[:5], "green"])
    with pytest.raises(CannotCalibrate, match="differ in size"):
        calibrate(MAT, empty, dice[:-1], COLOURS)
    with pytest.raises(CannotCalibrate, match="one of the two photos is turned by a quarter"):
        calibrate(MAT, empty, np.rot90(dice), COLOURS)
    small = [cv2.resize(one, (461, 259), interpolation=cv2.INTER_AREA) for one in (empty, dice)]
    with pytest.raises(CannotCalibrate, match=r"only 1\d pixels wide in the photo of the dice"):
        calibrate(MAT, *small, COLOURS)
    with pytest.raises(CannotCalibrate, match="it shows none of the 4 tags"):
        calibrate(MAT, np.zeros((3000, 1, 3), np.uint8), np.zeros((3000, 1, 3), np.uint8), COLOURS)
    with pytest.raises(CannotCalibrate, match="of 6 dice"):
        calibrate(MAT, empty, empty, COLOURS)
