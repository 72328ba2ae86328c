"""Photos and profiles as people give them: too large, cut off, not to be read, with nowhere to go."""

from __future__ import annotations

import errno
import json
import os
import struct
import zlib
from pathlib import Path

import cv2
import pytest
from click.testing import CliRunner, Result

from calibration.calibrate import calibrate
from calibration.faults import CannotCalibrate
from calibration.files import NotAPhoto, prepare, read_photo
from calibration.layouts import MAT
from calibration.store import BadProfile, load, load_dice, photos_of, read_layout, save
from companion.cli import main
from tests.sessions import PHOTOS, photo, profile
from vision.geometry import BadLayout
from vision.profile import Profile

SESSION = PHOTOS / "session-01"
FRAME = SESSION / "frames" / "001.jpg"
COLOURS = "green,red,yellow,white,black,blue"


def png(width: int, height: int) -> bytes:
    """The beginning of a PNG of such a size, with hardly anything in it."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(bytes(100)))


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (png(60_000, 60_000), "has more than 64 megapixels; make it smaller"),
        (png(9_000, 9_000), "has more than 64 megapixels; make it smaller"),
        (FRAME.read_bytes()[:30_000], "no picture, or cut off; give a whole JPEG or PNG"),
        (b"\0\0\0\x18ftypheic" + bytes(100), "a picture in HEIC; have the camera save JPEG"),
        (b"\0\0\0\x18ftyphevc" + bytes(100), "a picture in HEIC; have the camera save JPEG"),
        (b"", "no picture, or cut off"),
    ],
)
def test_a_photo_that_cannot_be_used_is_told_why(tmp_path: Path, data: bytes, why: str) -> None:
    path = tmp_path / "photo"
    path.write_bytes(data)
    with pytest.raises(NotAPhoto, match=f"^{path}: {why}"):
        read_photo(path)


def corona(*words: str | Path) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


def calibrated(out: Path) -> Result:
    photos = ("--empty", SESSION / "empty.jpg", "--dice", SESSION / "dice.jpg", "--die-mm", "14")
    return corona(
        "calibrate", "--layout", SESSION / "layout.json", *photos, "--colours", COLOURS, "--out", out
    )


@pytest.mark.slow
def test_a_photo_that_may_not_be_read_keeps_no_other_from_its_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known, locked = tmp_path / "set.json", tmp_path / "locked.jpg"
    save(profile("session-01"), known)
    locked.write_bytes(FRAME.read_bytes())
    plain = Path.read_bytes

    def read_bytes(path: Path) -> bytes:
        if path == locked:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        return plain(path)

    # Whoever runs the tests may be allowed to read everything.
    monkeypatch.setattr(Path, "read_bytes", read_bytes)
    monkeypatch.setattr(os, "access", lambda path, *_, **__: Path(path) != locked)
    for command in (["read", "--profile", known], ["dice"]):
        run = corona(*command, locked, FRAME, "--json")
        assert run.exit_code == 1
        answers = {one["photo"]: one for one in map(json.loads, run.stdout.splitlines())}
        assert answers[str(locked)]["error"] == f"{locked}: Permission denied"
        assert len(answers[str(FRAME)]["dice"]) == 6


@pytest.mark.parametrize("out", ["file/set.json", f"{'n' * 300}.json"])
def test_where_no_profile_can_be_written_is_told_before_the_work(
    tmp_path: Path, out: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setattr("calibration.calibrate.calibrate", None)  # it is not come to
    run = calibrated(tmp_path / out)
    assert run.exit_code == 1 and isinstance(run.exception, SystemExit)
    assert "cannot be written (" in run.stderr and run.stderr.endswith("; choose another place\n")


@pytest.mark.slow
def test_where_the_picture_cannot_be_written_the_profile_stays_as_it_was(tmp_path: Path) -> None:
    out = tmp_path / "set.json"
    save(profile("session-04"), out)
    (tmp_path / "set-layout.jpg").mkdir()
    before = {path: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()}
    run = calibrated(out)
    assert run.exit_code == 1
    assert run.stderr.endswith("set-layout.jpg: cannot be written (Is a directory); choose another place\n")
    assert {path: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()} == before


def colours(known: Profile) -> list[str]:
    return [colour.name for colour in known.colours]


def test_a_copy_of_a_profile_keeps_its_photos_when_that_is_made_anew(tmp_path: Path) -> None:
    path, copy = tmp_path / "set.json", tmp_path / "before.json"
    save(profile("session-01"), path, photo("session-01", "dice.jpg"))
    copy.write_bytes(path.read_bytes())
    (tmp_path / "other.json").write_text("[")
    save(profile("session-04"), path)
    assert load_dice(copy) is not None
    assert colours(load(path)) == colours(profile("session-04")) != colours(load(copy))
    copy.unlink()
    save(profile("session-04"), path)
    assert len(photos_of(path)) == 1


@pytest.mark.parametrize(
    "text", ['{"name": "mine", "version": "1.0"}', '{"version": 2, "layout": {}}', "[1]"]
)
def test_what_is_no_profile_is_not_replaced(tmp_path: Path, text: str) -> None:
    out = tmp_path / "package.json"
    out.write_text(text)
    run = calibrated(out)
    assert run.exit_code == 1
    assert run.stderr == f"{out}: is there already and is no profile; choose another name for the profile\n"
    assert out.read_text() == text


@pytest.mark.parametrize(
    ("what", "value"),
    [
        ("shift_mm", [0, 0, 0]),
        ("shift_mm", [0, 0, -500]),
        ("shift_mm", [5000, 0, 600]),
        ("rotation", [3.14159, 0, 0]),
    ],
)
def test_a_profile_whose_view_shows_no_board_is_refused(
    tmp_path: Path, what: str, value: list[float]
) -> None:
    path = tmp_path / "set.json"
    save(profile("session-01"), path)
    data = json.loads(path.read_text())
    assert load(path).view.eye[2] > 0
    data["view"][what] = value
    path.write_text(json.dumps(data))
    with pytest.raises(BadProfile, match="the view in it does not show the board; calibrate again"):
        load(path)


def test_preparing_leaves_nothing_behind(tmp_path: Path) -> None:
    prepare(tmp_path / "new" / "set.json")
    assert [*tmp_path.rglob("*")] == [tmp_path / "new"]
    with pytest.raises(IsADirectoryError):
        prepare(tmp_path / "new")


def test_a_profile_whose_photo_of_the_dice_is_no_photo_is_read_and_replaced(tmp_path: Path) -> None:
    path = tmp_path / "set.json"
    save(profile("session-01"), path, photo("session-01", "dice.jpg"))
    assert len(photos_of(path)) == 2
    data = json.loads(path.read_text())
    data["dice"]["photo"] = "x"
    path.write_text(json.dumps(data))
    assert len(photos_of(path)) == 1 and load_dice(path) is None
    save(load(path), path)
    assert load(path).colours == profile("session-01").colours


@pytest.mark.parametrize("mm", [25.4, 10.0])
def test_a_layout_in_inches_or_centimetres_is_refused(tmp_path: Path, mm: float) -> None:
    data = json.loads(json.dumps(MAT))
    data["tags"]["size_mm"] /= mm
    data["tags"]["centres_mm"] = {tag: [x / mm, y / mm] for tag, (x, y) in MAT["tags"]["centres_mm"].items()}
    for length in ("ring_radius_mm", "diameter_mm"):
        data["fields"][length] /= mm
    path = tmp_path / "layout.json"
    path.write_text(json.dumps(data))
    with pytest.raises(BadLayout, match=r"tags.size_mm is .* mm instead of 5 to 2000"):
        read_layout(path)
    path.write_bytes(json.dumps(data).encode("utf-16"))
    with pytest.raises(BadLayout, match=r"not a layout \(no text in UTF-8\)"):
        read_layout(path)


def test_photos_that_were_squeezed_are_refused() -> None:
    known = profile("session-01")
    empty, dice = (
        cv2.resize(photo("session-01", f"{name}.jpg"), (640, 480), interpolation=cv2.INTER_AREA)
        for name in ("empty", "dice")
    )
    with pytest.raises(CannotCalibrate, match=r"as if the camera were \d+ m away; .* neither squeezed"):
        calibrate(known.layout, empty, dice, COLOURS.split(","), 14)
