"""The `corona` command as others run it: its JSON, its exit status, one sentence for each fault."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from calibration.files import read_photo
from calibration.layouts import MAT
from calibration.store import load
from companion.photos import Overwrites, as_line, names
from tests.sessions import PHOTOS, photo
from tests.slowly import slowly
from vision.loose_dice import find_dice
from vision.reading import Doubt, Reading
from vision.stages import STAGES

SESSION = PHOTOS / "session-01"
READABLE = SESSION / "frames" / "004.jpg"


def corona(*words: str | Path, text: str = "") -> subprocess.CompletedProcess[str]:
    """Run the command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "companion", *map(str, words)],
        input=text,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def objects(run: subprocess.CompletedProcess[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in run.stdout.splitlines()]


def calibrated(out: Path) -> Path:
    run = corona(
        "calibrate",
        *("--layout", SESSION / "layout.json"),
        *("--empty", SESSION / "empty.jpg"),
        *("--dice", SESSION / "dice.jpg"),
        *("--colours", "green,red,yellow,white,black,blue"),
        *("--die-mm", "14", "--piece-mm", "19.6,12.4", "--out", out),
    )
    assert run.returncode == 0, run.stderr
    return out


@pytest.fixture(scope="module")
def profile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """In a folder that calibration makes itself."""
    return calibrated(tmp_path_factory.mktemp("set") / "ours" / "profile.json")


def test_solve_answers_every_situation_in_order() -> None:
    lines = "500000100000-666666\n7-1\n\n600000000000-111111\n"
    run = corona("solve", "600000000000-123456", "-", "--json", text=lines)
    assert run.returncode == 1
    answers = objects(run)
    assert [answer["situation"] for answer in answers] == [
        "600000000000-123456",
        "500000100000-666666",
        "7-1",
        "600000000000-111111",
    ]
    assert [answer.get("best") for answer in answers] == [0, 21, None, 20]
    assert "instead of" in answers[2]["error"] and "instead of" in run.stderr
    assert answers[1]["moves"][0] == {"from": "A", "to": "G", "colour": "red", "pips": 6, "points": 2}


def test_solve_names_the_colours_of_the_set() -> None:
    run = corona("solve", "500000100000-666666", "--json", "--colours", "pink,blue,green,white,orange,brown")
    assert run.returncode == 0
    assert {move["colour"] for move in objects(run)[0]["moves"]} == {
        "pink",
        "blue",
        "green",
        "white",
        "orange",
        "brown",
    }


def test_wrong_usage_is_exit_2() -> None:
    assert corona("solve").returncode == 2
    assert corona("solve", "500000100000-666666", "--colours", "red,red,red,red,red,red").returncode == 2
    assert corona("solve", "500000100000-666666", "--colours", "red,mauve").returncode == 2
    assert corona("read", READABLE).returncode == 2
    assert corona("nonsense").returncode == 2


@pytest.mark.parametrize("size", ["nan", "-3", "inf", "900"])
def test_sizes_nothing_can_have(tmp_path: Path, size: str) -> None:
    words = ["--layout", SESSION / "layout.json", "--empty", SESSION / "empty.jpg", "--dice"]
    words += [SESSION / "dice.jpg", "--colours", "green,red,yellow,white,black,blue", "--out", tmp_path / "p"]
    without_layout = ["--yes", *words[2:]]
    for some, *more in (
        (words, "--die-mm", size),
        (words, "--piece-mm", f"{size},12"),
        (without_layout, "--tag-mm", size),
    ):
        run = corona("calibrate", *some, *more)
        assert run.returncode == 2 and "Traceback" not in run.stderr and not run.stdout


def test_no_photo_is_overwritten_and_no_drawing_lost(profile: Path, tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        shutil.copy(READABLE, tmp_path / folder / "one.jpg")
    photos = [tmp_path / folder / "one.jpg" for folder in ("a", "b")]
    before = photos[0].read_bytes()
    assert corona("read", photos[0], "--profile", profile, "--annotate", photos[0]).returncode == 2
    folder = corona("read", *photos, "--profile", profile, "--annotate", ".")
    assert folder.returncode == 2 and "'.' is a directory" in folder.stderr
    assert photos[0].read_bytes() == before
    (empty,) = profile.parent.glob("*-empty-*.png")
    before = empty.read_bytes()
    own = corona("read", photos[0], "--profile", profile, "--annotate", empty)
    assert own.returncode == 2 and "this would overwrite a photo" in own.stderr
    assert empty.read_bytes() == before
    itself = corona("read", photos[0], "--profile", profile, "--annotate", profile.with_suffix(".jpg"))
    assert itself.returncode == 0
    shutil.copy(profile, profile.with_suffix(""))
    itself = corona(
        "read", photos[0], "--profile", profile.with_suffix(""), "--annotate", profile.with_suffix("")
    )
    assert itself.returncode == 2 and "or the profile" in itself.stderr
    assert corona("read", *photos, "--profile", profile, "--annotate", tmp_path / "out.jpg").returncode == 0
    assert sorted(path.name for path in tmp_path.glob("out*")) == ["out-a-one.jpg", "out-b-one.jpg"]


def test_photos_are_named_by_as_much_of_their_path_as_tells_them_apart() -> None:
    def named(*photos: str) -> list[str]:
        return names([Path(photo) for photo in photos])

    frames = [f"s/play-0{number}/frames/001.jpg" for number in (1, 2)]
    assert named(*frames, "s/play-02/frames/002.jpg") == ["play-01-frames-001", "play-02-frames-001", "002"]
    assert named("a/one.jpg", "a/one.png", "./a/one.jpg") == ["one.jpg", "one.png", "one.jpg"]
    assert named("one.jpg", "b/one.jpg")[1] == "b-one"
    with pytest.raises(Overwrites, match="would both be named 'b-one'"):
        named("b/one.jpg", "d/one.jpg", "b-one.jpg")


def test_debug_pictures_of_an_earlier_run_are_gone_and_other_files_stay(
    profile: Path, tmp_path: Path
) -> None:
    folder, shown = tmp_path / "out" / "one", tmp_path / "one.jpg"
    shutil.copy(READABLE, shown)
    assert corona("read", shown, "--profile", profile, "--debug", tmp_path / "out").returncode == 0
    assert [path.name[2:-4] for path in sorted(folder.iterdir())] == [one for one in STAGES if one != "photo"]
    (folder / "5-mine.png").touch()
    cv2.imwrite(str(shown), np.full((864, 1536, 3), 90, np.uint8))
    assert corona("read", shown, "--profile", profile, "--debug", tmp_path / "out").returncode == 0
    assert sorted(path.name for path in folder.iterdir()) == ["1-photo.png", "5-mine.png"]


def test_a_photo_of_another_shape_is_told_so_and_drawn_as_it_is(profile: Path, tmp_path: Path) -> None:
    turned, out = tmp_path / "turned.png", tmp_path / "out.png"
    cv2.imwrite(str(turned), cv2.rotate(photo(SESSION.name, "frames/004.jpg"), cv2.ROTATE_90_CLOCKWISE))
    run = corona(
        "read", turned, "--profile", profile, "--json", "--annotate", out, "--debug", tmp_path / "seen"
    )
    why = "this photo is 864 x 1536, the profile was made with 1536 x 864: turn it"
    (answer,) = objects(run)
    assert (run.returncode, answer["sure"], answer["situation"]) == (0, False, None)
    assert {"what": "board", "why": why} in answer["doubts"]
    drawn = cv2.imread(str(out))
    assert drawn is not None and drawn.shape == (1536, 864, 3)
    assert [path.name for path in (tmp_path / "seen" / "turned").iterdir()] == ["1-photo.png"]


def test_a_port_that_cannot_be_is_wrong_usage(tmp_path: Path) -> None:
    assert corona("demo", "--port", "99999", "--data", tmp_path).returncode == 2


def test_a_picture_that_cannot_be_written_takes_no_reading_with_it(profile: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    run = corona("read", READABLE, "--profile", profile, "--json", "--annotate", tmp_path / "file" / "a.jpg")
    assert run.returncode == 1
    (answer,) = objects(run)
    assert answer["situation"] == "001200003000-534524" and "cannot be written" in answer["error"]
    run = corona("read", READABLE, "--profile", profile, "--debug", tmp_path / "file" / "seen")
    assert run.returncode == 1
    assert "001200003000-534524; sure" in run.stdout and "choose another folder" in run.stderr


def test_read_gives_the_contract(profile: Path, tmp_path: Path) -> None:
    drawn = tmp_path / "drawn.jpg"
    run = corona("read", READABLE, "--profile", profile, "--json", "--annotate", drawn, "--debug", tmp_path)
    assert run.returncode == 0, run.stderr
    assert objects(run) == [
        {
            "photo": str(READABLE),
            "situation": "001200003000-534524",
            "fields": [0, 0, 1, 2, 0, 0, 0, 0, 3, 0, 0, 0],
            "dice": {"green": 5, "red": 3, "yellow": 4, "white": 5, "black": 2, "blue": 4},
            "markers": [{"field": "D", "colour": "yellow"}, {"field": "I", "colour": "green"}],
            "sure": True,
            "doubts": [],
        }
    ]
    assert list(json.loads(run.stdout)["dice"]) == ["green", "red", "yellow", "white", "black", "blue"]
    picture = cv2.imread(str(drawn))
    assert picture is not None and picture.shape == (864, 1536, 3)
    assert len(list((tmp_path / "004").glob("*.png"))) >= 4


def test_read_answers_for_every_photo_whatever_it_is(profile: Path, tmp_path: Path) -> None:
    text = tmp_path / "letter.jpg"
    text.write_text("no picture")
    grey = tmp_path / "grey.png"
    cv2.imwrite(str(grey), cv2.imread(str(READABLE))[:200, :200])
    photos = [tmp_path / "missing.jpg", SESSION / "frames" / "002.jpg", text, grey]
    run = corona("read", *photos, "--profile", profile, "--json")
    assert run.returncode == 1
    answers = objects(run)
    assert [answer["photo"] for answer in answers] == [str(photo) for photo in photos]
    assert ["error" in answer for answer in answers] == [True, False, True, False]
    assert all(answer["doubts"] and not answer["sure"] for answer in answers if "error" not in answer)
    assert "missing.jpg" in run.stderr and "letter.jpg" in run.stderr


def test_read_with_a_broken_profile(tmp_path: Path) -> None:
    broken = tmp_path / "profile.json"
    broken.write_text("{}")
    run = corona("read", READABLE, READABLE, "--profile", broken, "--json")
    assert run.returncode == 1
    assert [sorted(answer) for answer in objects(run)] == [["error", "photo"]] * 2
    assert "calibrate" in run.stderr and "Traceback" not in run.stderr


def test_a_profile_of_another_board_is_doubted(profile: Path) -> None:
    run = corona("read", PHOTOS / "session-09" / "frames" / "001.jpg", "--profile", profile, "--json")
    assert run.returncode == 0
    answer = objects(run)[0]
    assert not answer["sure"]
    assert any("another board than the profile's" in doubt["why"] for doubt in answer["doubts"])


@pytest.mark.parametrize(
    ("change", "word"),
    slowly(
        [
            ({"--empty": "missing.jpg"}, "missing.jpg"),
            ({"--layout": str(READABLE)}, "not a layout"),
            ({"--dice": str(SESSION / "empty.jpg")}, "of 6 dice"),
            ({"--out": "/proc/nowhere/profile.json"}, "/proc/nowhere/profile.json: cannot be written"),
            ({"--empty": str(SESSION / "dice.jpg")}, "the photo of the empty board shows dice"),
            ({"--die-mm": "30"}, "the dice look about 14 mm wide and not 30"),
        ],
        first=4,
    ),
)
def test_calibrate_refuses_with_one_sentence(tmp_path: Path, change: dict[str, str], word: str) -> None:
    words = {
        "--layout": str(SESSION / "layout.json"),
        "--empty": str(SESSION / "empty.jpg"),
        "--dice": str(SESSION / "dice.jpg"),
        "--colours": "green,red,yellow,white,black,blue",
        "--out": str(tmp_path / "profile.json"),
    } | change
    run = corona("calibrate", *(word for pair in words.items() for word in pair))
    assert run.returncode == 1
    assert word in run.stderr and len(run.stderr.splitlines()) == 1
    assert not (tmp_path / "profile.json").exists()


@pytest.mark.slow
def test_what_is_odd_about_the_photos_is_said_where_the_set_was_learned(tmp_path: Path) -> None:
    """One alone may be a print that looks like a die: no photo is refused for it."""
    empty, frame = (read_photo(SESSION / name) for name in ("empty.jpg", "frames/001.jpg"))
    die = next(one for one in find_dice(frame) if one.sure and one.colour == "white")
    x, y = (round(v) for v in die.centre)
    empty[y - 40 : y + 40, x - 40 : x + 40] = frame[y - 40 : y + 40, x - 40 : x + 40]
    cv2.imwrite(str(tmp_path / "empty.png"), empty)
    run = calibrate_with(tmp_path, "--layout", SESSION / "layout.json", "--empty", tmp_path / "empty.png")
    assert run.returncode == 0 and f"empty board: a die seems to lie at {x}" in run.stdout
    assert "moved" not in run.stdout
    none = calibrate_with(
        tmp_path,
        "--layout",
        SESSION / "layout.json",
        "--empty",
        tmp_path / "empty.png",
        "--dice",
        tmp_path / "empty.png",
    )
    assert none.returncode == 1 and "shows 0 of 6 dice" in none.stderr
    assert (
        "the photo of the empty board shows what looks like a die: if it is one, take it away" in none.stderr
    )
    shift = np.array([[1, 0, 12], [0, 1, 5]], np.float32)
    moved = cv2.warpAffine(
        read_photo(SESSION / "dice.jpg"), shift, (1536, 864), borderMode=cv2.BORDER_REPLICATE
    )
    cv2.imwrite(str(tmp_path / "dice.png"), moved)
    run = calibrate_with(tmp_path, "--layout", SESSION / "layout.json", "--dice", tmp_path / "dice.png")
    assert "camera or board moved by 13 pixels between the two photos; fix both" in run.stdout


@pytest.mark.parametrize(
    ("colours", "word"),
    [
        ("green,red,yellow,white,black,mauve", "mauve"),
        ("green,red,yellow,white,black", "5 different colours instead of 6"),
        ("green,red,yellow,white,black,red", "red is named twice"),
    ],
)
def test_names_that_no_set_has_are_wrong_usage(tmp_path: Path, colours: str, word: str) -> None:
    run = calibrate_with(tmp_path, "--layout", SESSION / "layout.json", colours=colours)
    assert run.returncode == 2 and word in run.stderr and "--colours" in run.stderr


def test_blanks_between_colours_will_do_and_the_profile_before_is_kept(tmp_path: Path) -> None:
    given = ("--layout", SESSION / "layout.json", "--die-mm", "14")
    assert calibrate_with(tmp_path, *given).returncode == 0
    first = json.loads((tmp_path / "p.json").read_text())
    names = ("red", "yellow", "white", "black", "blue")
    again = calibrate_with(tmp_path, *names, *given, "--piece-mm", "21,10", colours="green")
    assert again.returncode == 0 and "the profile before is kept as p-before.json" in again.stdout
    assert load(tmp_path / "p.json").piece_mm == (21, 10)
    assert load(tmp_path / "p-before.json").piece_mm != (21, 10)
    assert json.loads((tmp_path / "p-before.json").read_text())["pieces"] == first["pieces"]
    wrong = calibrate_with(tmp_path, *names, *given, colours="green,mauve")
    assert wrong.returncode == 2 and "unknown colour 'mauve'" in wrong.stderr


@pytest.mark.parametrize("name", ["empty.jpg", "layout.json"])
def test_no_profile_is_written_over_what_is_none(tmp_path: Path, name: str) -> None:
    own = tmp_path / name
    own.write_bytes((SESSION / name).read_bytes())
    run = calibrate_with(tmp_path, "--layout", SESSION / "layout.json", "--out", own)
    assert run.returncode == 1 and f"{name}: is there already and is no profile" in run.stderr
    assert own.read_bytes() == (SESSION / name).read_bytes()


def test_a_layout_of_endless_brackets_is_none(tmp_path: Path) -> None:
    deep = tmp_path / "deep.json"
    deep.write_text("[" * 100_000)
    run = calibrate_with(tmp_path, "--layout", deep)
    assert run.returncode == 1 and "deep.json: not a layout" in run.stderr and "Traceback" not in run.stderr


def test_a_layout_says_how_large_its_tags_are(tmp_path: Path) -> None:
    run = calibrate_with(tmp_path, "--layout", SESSION / "layout.json", "--tag-mm", "30")
    assert run.returncode == 2 and "it takes no --tag-mm" in run.stderr


@pytest.mark.slow
def test_a_wrong_name_and_a_wrong_ring_are_told(tmp_path: Path) -> None:
    layout = json.loads((SESSION / "layout.json").read_text(encoding="utf-8"))
    layout["fields"]["ring_radius_mm"] = 92
    wrong = tmp_path / "wrong.json"
    wrong.write_text(json.dumps(layout), encoding="utf-8")
    run = calibrate_with(tmp_path, "--layout", wrong, colours="red,green,yellow,white,black,orange")
    assert run.returncode == 0, run.stderr
    assert "colours: no die looks orange, and one looks blue; if it is" in run.stdout
    assert "a ring of radius 100 mm" in run.stdout and "'mat' says 92 mm" in run.stdout
    picture = cv2.imread(str(tmp_path / "p-layout.jpg"))
    assert picture is not None and f"look at {tmp_path / 'p-layout.jpg'}" in run.stdout


def test_a_layout_that_is_none_is_told_with_what_to_do(tmp_path: Path) -> None:
    board = tmp_path / "board.json"
    board.write_text(json.dumps({**MAT, "fields": {**MAT["fields"], "ring_radius_mm": 9000}}))
    run = calibrate_with(tmp_path, "--layout", board)
    assert run.returncode == 1 and run.stderr == (
        f"{board}: fields.ring_radius_mm is 9000 mm instead of 20 to 2000; "
        "put that right, or leave --layout out to have the board measured\n"
    )


def test_a_camera_that_is_not_there_is_told_in_our_words_alone(profile: Path, tmp_path: Path) -> None:
    settings = tmp_path / "corona.toml"
    settings.write_text(f'[camera]\nkind = "usb"\ndevice = 63\nprofile = "{profile}"\n')
    run = corona("selftest", "--config", settings, "--out", tmp_path / "out")
    assert run.returncode == 1 and run.stderr == (
        "camera 63 does not open: is it plugged in, and does no other program hold it?\n"
    )


def test_a_file_that_cannot_be_is_told_before_the_work(profile: Path, tmp_path: Path) -> None:
    (tmp_path / "p.json").mkdir()
    run = calibrate_with(tmp_path, "--layout", SESSION / "layout.json")
    assert run.returncode == 2 and "is a directory" in run.stderr
    run = corona("read", READABLE, "--profile", profile, "--annotate", tmp_path / "out.foo")
    assert run.returncode == 2 and "end it in .jpg or .png" in run.stderr and not run.stdout


def test_doubts_of_one_reason_are_told_together() -> None:
    reading = Reading((None,) * 12, {"red": None, "blue": None}, doubts=(Doubt("board", "it trembles"),))
    assert as_line(reading) == (
        "no situation; unsure; board: it trembles; all fields: not read; dice red, blue: not read"
    )
    some = Reading((None, None, *(0,) * 10), {"red": 3}, doubts=(Doubt("die red", "it may lean"),))
    assert "die red: it may lean; fields A B: not read" in as_line(some)
    both = tuple(Doubt(f"die {name}", "its colour is not clear") for name in ("red", "blue"))
    assert "dice red, blue, each: its colour is not clear" in as_line(replace(some, doubts=both))


def calibrate_with(
    folder: Path, *more: str | Path, colours: str = "green,red,yellow,white,black,blue"
) -> subprocess.CompletedProcess[str]:
    photos = ("--empty", SESSION / "empty.jpg", "--dice", SESSION / "dice.jpg")
    return corona("calibrate", *photos, "--colours", colours, "--out", folder / "p.json", *more)


def test_dice_needs_no_profile(tmp_path: Path) -> None:
    part, empty = tmp_path / "part.png", tmp_path / "white.png"
    cv2.imwrite(str(part), read_photo(READABLE)[430:650, 1240:1420])
    cv2.imwrite(str(empty), np.full((40, 40, 3), 255, np.uint8))
    run = corona("dice", part, empty, tmp_path / "missing.jpg", "--json")
    assert run.returncode == 1
    some, none, missing = objects(run)
    assert some["dice"] and sorted(some["dice"][0]) == ["centre", "colour", "pips", "sure"]
    assert none == {"photo": str(empty), "dice": []}
    assert "error" in missing
    first = some["dice"][0]
    x, y = first["centre"]
    assert [x, y] == [round(x, 1), round(y, 1)]
    told = corona("dice", part, empty).stdout.splitlines()
    assert told[0].startswith(f"{part}: {first['colour']} {first['pips'] or '?'} at {x:.0f},{y:.0f}")
    assert told[0].count(" at ") == len(some["dice"]) and told[1] == f"{empty}: no dice"


@pytest.mark.parametrize(
    "words",
    [
        ("solve", "500000100000-666666"),
        ("--help",),
        pytest.param(("dice", READABLE), marks=pytest.mark.slow),
    ],
)
def test_where_there_is_no_room_for_the_answer_one_sentence_says_so(words: tuple[str | Path, ...]) -> None:
    command = [sys.executable, "-m", "companion", *map(str, words)]
    with Path("/dev/full").open("w") as full:
        run = subprocess.run(
            command, stdout=full, stderr=subprocess.PIPE, text=True, timeout=120, check=False
        )
    assert run.returncode == 1
    assert run.stderr == (
        "nothing more can be written: No space left on device; make room, or write it elsewhere\n"
    )


def test_who_has_read_enough_is_no_fault() -> None:
    ours, theirs = os.pipe()
    os.close(ours)
    command = [sys.executable, "-m", "companion", "solve", "500000100000-666666"]
    run = subprocess.run(command, stdout=theirs, stderr=subprocess.PIPE, text=True, timeout=120, check=False)
    os.close(theirs)
    assert (run.returncode, run.stderr) == (1, "")


def test_evaluate_prints_a_row_a_session(tmp_path: Path) -> None:
    two = ("session-04", "session-09")
    for session in two:
        shutil.copytree(PHOTOS / session, tmp_path / "photos" / session)
    run = corona("evaluate", tmp_path / "photos")
    assert run.returncode == 0
    rows = {line.split()[0]: line.split() for line in run.stdout.splitlines() if line and line[0] != " "}
    assert set(two) < set(rows)
    readable, right, unsure, wrong, refused, swallowed = map(int, rows["all"][1:7])
    assert (readable, right + unsure, wrong, refused, swallowed) == (4, 4, 0, 2, 0)
    (tmp_path / "none").mkdir()
    nothing = corona("evaluate", tmp_path / "none")
    assert nothing.returncode == 1 and "no photo session" in nothing.stderr


def test_play_without_a_config_file(tmp_path: Path) -> None:
    run = corona("play", "--config", tmp_path / "missing.toml")
    assert run.returncode == 1
    assert "missing.toml" in run.stderr and "Traceback" not in run.stderr
