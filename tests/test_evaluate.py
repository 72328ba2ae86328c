"""`corona evaluate`: tallies, how sure was how right, disturbed frames, sessions that cannot be read."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result

from calibration.store import save
from companion.about import about
from companion.cameras import CAMERAS, Camera
from companion.cli import main
from companion.disturbances import DISTURBANCES, disturbed
from companion.evaluate import Evaluation, learn
from companion.reliability import Reliability
from companion.sessions import KEPT_PROFILE
from companion.tally import Rounds, Tally
from companion.truth import BadSession, truth_of
from tests.sessions import PHOTOS, SESSIONS, photo
from vision.reading import Confidence, Doubt, Reading

COLOURS = ("red", "blue", "green", "yellow", "white", "black")
COUNTS = (2, 1, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0)
KNOWN: dict[str, Any] = {
    "readable": True,
    "pieces": list(COUNTS),
    "dice": dict.fromkeys(COLOURS, 4),
    "markers": [{"field": 0, "colour": "red"}],
    "why": "",
}


def reading(**change: Any) -> Reading:
    """One that is right about `KNOWN`, and says 0.9995 of everything; with `change`s."""
    markers = change.get("markers", ((0, "red"),))
    dice, marked = dict.fromkeys(COLOURS, 0.9995), (0.9995,) * len(markers)
    sure = Confidence((0.9995,) * 12, dice, marked, whole=0.9995, laid=0.9996)
    values = {"counts": COUNTS, "dice": dict(KNOWN["dice"]), "markers": markers, "sure": True}
    return Reading(**{**values, "confidence": sure, **change})


def filled(reliability: Reliability) -> dict[str, list[tuple[float, int, int]]]:
    """Kind -> (from, readings, right) of the bins that hold something."""
    return {
        kind: [(row["from"], row["readings"], row["right"]) for row in rows if row["readings"]]
        for kind, rows in reliability.as_object().items()
    }


def test_what_was_said_is_put_in_rows_with_what_was_right() -> None:
    said = Confidence(
        (0.2, 0.5, 0.9, 0.989, 0.99, 0.9989, 0.999, 1.0, 1.0, 1.0, 1.0, 1.0),
        dict.fromkeys(COLOURS, 0.95) | {"black": 0.4},
        (0.7, 0.7),
        whole=0.6,
        laid=0.7,
    )
    seen = reading(
        counts=(2, 1, 0, 0, 2, 0, 0, 0, 0, 0, 0, 1),
        dice=KNOWN["dice"] | {"black": 1, "white": None},
        markers=((0, "red"), (4, "blue")),
        confidence=said,
        sure=False,
    )
    reliability = Reliability()
    reliability.take(seen, KNOWN)
    assert filled(reliability) == {
        "fields": [(0.0, 1, 1), (0.5, 1, 1), (0.9, 2, 2), (0.99, 2, 1), (0.999, 6, 5)],
        "dice": [(0.0, 1, 0), (0.9, 4, 4)],
        "markers": [(0.5, 2, 1)],
        "whole tables": [],
    }
    assert reliability.as_object()["dice"][2]["said"] == 0.95


def test_a_whole_table_is_right_when_all_of_it_is() -> None:
    reliability = Reliability()
    reliability.take(reading(), KNOWN)
    reliability.take(reading(markers=()), KNOWN)
    reliability.take(reading(), {**KNOWN, "readable": False, "why": "a hand"})
    reliability.take(reading(confidence=None), KNOWN)
    assert filled(reliability) == {
        "fields": [(0.999, 24, 24)],
        "dice": [(0.999, 12, 12)],
        "markers": [(0.999, 1, 1)],
        "whole tables": [(0.999, 3, 1)],
    }


def test_what_can_be_laid_is_counted_whatever_the_pieces_carry() -> None:
    tally = Tally()
    likely = reading().confidence
    assert likely
    marker = Doubt("field A", "a marker may be red", (0,), of_marker=True)
    doubtful = reading(sure=False, doubts=(marker,), markers=(), confidence=replace(likely, whole=0.5))
    assert tally.count(reading(), KNOWN) is None
    assert tally.count(doubtful, KNOWN) == "field A: a marker may be red"
    leaning = replace(doubtful, doubts=(marker, Doubt("die red", "it leans")))
    assert tally.count(leaning, KNOWN) == "field A: a marker may be red; die red: it leans"
    assert (tally.right, tally.unsure, tally.laid, tally.mislaid) == (1, 2, 2, 0)
    other = replace(doubtful, dice=KNOWN["dice"] | {"red": 5})
    assert str(tally.count(other, KNOWN)).startswith("WRONG if laid: read 2100")
    hidden = {**KNOWN, "readable": False, "why": "a hand"}
    assert tally.count(doubtful, hidden) == "would be laid: a hand"
    assert tally.count(leaning, hidden) is None
    assert (tally.right, tally.unsure, tally.refused, tally.laid, tally.mislaid) == (1, 3, 2, 2, 2)


def test_markers_that_nobody_noted_are_neither_right_nor_wrong() -> None:
    reliability = Reliability()
    unknown = {name: value for name, value in KNOWN.items() if name != "markers"}
    reliability.take(reading(markers=((4, "white"),)), unknown)
    assert filled(reliability)["markers"] == []
    assert filled(reliability)["whole tables"] == [(0.999, 1, 1)]


def test_the_rows_are_aligned_and_give_shares() -> None:
    reliability = Reliability()
    for right in (True, True, True, False):
        reliability.add("dice", 0.96, right)
    header, *rows, legend = reliability.rows()
    assert {len(row) for row in rows} == {len(header)}
    (row,) = rows
    assert row.split() == ["dice", "0.9", "to", "0.99", "4", "3", "96.00", "%", "75.00", "%"]
    assert legend.startswith("said: ")
    assert list(Reliability().rows()) == ["reliability: no reading said how likely it is to be true"]


@pytest.mark.parametrize("how", DISTURBANCES)
def test_a_disturbed_frame_is_another_picture_and_always_the_same(how: str) -> None:
    frame = photo("session-01", "frames/001.jpg")
    before = frame.copy()
    one, same, other = (disturbed(frame, how, seed) for seed in ("a", "a", "b"))
    assert (one.shape, one.dtype) == (frame.shape, frame.dtype)
    assert (one == same).all() and (frame == before).all()
    assert (one != frame).any()
    same_for_all = ("turned", "darker", "warmer", "blurred", "JPEG 50", "veiled")
    assert (how not in same_for_all) == bool((one != other).any())


@pytest.mark.parametrize("name", CAMERAS)
def test_another_camera_gives_another_picture_and_always_the_same(name: str) -> None:
    frame = photo("session-01", "frames/001.jpg")
    before = frame.copy()
    one, same, other = (CAMERAS[name].takes(frame, seed) for seed in (1, 1, 2))
    assert (one.shape, one.dtype) == (frame.shape, frame.dtype)
    assert (one == same).all() and (frame == before).all()
    assert (one != frame).any()
    assert (name == "grainy") == bool((one != other).any())


def test_a_camera_does_to_the_light_what_it_says() -> None:
    grey = np.full((40, 60, 3), 100, np.uint8)
    assert (Camera().takes(grey) == grey).all()
    assert (Camera(exposure=1.5).takes(grey) == 150).all()
    assert (Camera(exposure=3).takes(grey) == 255).all()
    assert (Camera(tint=(0.5, 1, 2)).takes(grey) == (50, 100, 200)).all()
    shaded = Camera(shade=0.4).takes(grey)
    assert shaded[0, 0, 0] == 60 and shaded[20, 30, 0] >= 99
    red = np.full((4, 4, 3), (60, 60, 160), np.uint8)
    assert np.ptp(Camera(colourful=0.5).takes(red)[0, 0]) < np.ptp(red[0, 0])
    edge = np.repeat(np.array([80, 160], np.uint8), 30)[None, :, None].repeat(20, 0).repeat(3, 2)
    sharp = Camera(sharpness=1).takes(edge)
    assert sharp.min() < 80 and sharp.max() > 160 and (sharp[:, :5] == 80).all()


def test_what_was_read_wrongly_is_said_as_situations_and_markers() -> None:
    tally = Tally()
    moved = reading(counts=(1, 2, *COUNTS[2:]), markers=((4, "blue"), (0, "red")))
    assert tally.count(moved, KNOWN) == (
        "WRONG: read 120030000000-444444, true is 210030000000-444444; "
        "markers read A:red E:blue, true is A:red"
    )
    assert tally.count(reading(markers=()), KNOWN) == "WRONG: markers read none, true is A:red"
    assert (tally.right, tally.wrong) == (0, 2)


def corona(*words: str | Path) -> Result:
    return CliRunner().invoke(main, ["evaluate", *map(str, words)], catch_exceptions=False)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of one session, with its first two frames."""
    session = tmp_path / "set" / "session-01"
    shutil.copytree(PHOTOS / "session-01", session)
    truth = truth_in(session)
    names = sorted(name for name in truth if name != "dice.jpg")[:2]
    write(session, {name: truth[name] for name in names})
    return session.parent


def truth_in(session: Path) -> Any:
    return json.loads((session / "truth.json").read_text(encoding="utf-8"))


def write(session: Path, truth: Any) -> None:
    (session / "truth.json").write_text(json.dumps(truth), encoding="utf-8")


def test_fields_of_markers_may_be_letters_too(folder: Path) -> None:
    known = truth_in(PHOTOS / "session-01")["004.jpg"]
    for marker in known["markers"]:
        marker["field"] = "ABCDEFGHIJKL"[marker["field"]]
    write(folder / "session-01", {"004.jpg": known})
    (result,) = Evaluation(folder).results()
    assert known["markers"] and (result.tally.right, result.tally.wrong) == (1, 0)


def test_of_a_frame_that_nobody_can_read_pieces_and_dice_need_not_be_known(folder: Path) -> None:
    truth = truth_in(folder / "session-01")
    assert not truth["002.jpg"]["readable"]
    write(folder / "session-01", truth | {"002.jpg": {"readable": False, "why": "a hand"}})
    (result,) = Evaluation(folder).results()
    assert not result.fault
    assert (result.tally.readable, result.tally.refused) == (1, 1)


@pytest.mark.slow
def test_disturbed_frames_have_rows_of_their_own(folder: Path) -> None:
    run = corona(folder, "--disturbed")
    assert run.exit_code == 0
    cells = {line[:22].strip(): line[22:].split() for line in run.stdout.splitlines() if line[:1].isalpha()}
    frames = [int(cells["all"][column]) for column in (0, 4, 5)]
    assert sum(frames) == 2
    readable, right = (sum(int(cells[how][column]) for how in DISTURBANCES) for column in (0, 1))
    assert right >= 0.7 * readable > 0, "a reader that is never sure is never wrong"
    for how in DISTURBANCES:
        assert sum(int(cells[how][column]) for column in (0, 4, 5)) == 2
        assert (cells[how][3], cells[how][5]) == ("0", "0"), f"{how}: sure and wrong"


@pytest.mark.slow
def test_sessions_are_learned_again_as_other_cameras_would_give_them(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A camera that shows nothing learns nothing: what can be read is unsure, and the rest refused."""
    for camera in [*CAMERAS][3:]:
        monkeypatch.delitem(CAMERAS, camera)
    monkeypatch.setitem(CAMERAS, "lens cap on", Camera(exposure=0.01))
    run = corona(folder, "--cameras")
    assert run.exit_code == 0
    cells = {line[:22].strip(): line[22:].split() for line in run.stdout.splitlines() if line[:1].isalpha()}
    for camera in CAMERAS:
        capped = camera == "lens cap on"
        assert cells[camera][:4] == ["1", "0" if capped else "1", "1" if capped else "0", "0"]
        assert cells[camera][4:6] == ["1", "0"]
    assert "lens cap on: cannot be learned: " in run.stdout


@pytest.mark.slow
def test_a_session_without_its_photos_is_not_counted_for_cameras_that_were_not_tried(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.evaluate.CAMERAS", dict(list(CAMERAS.items())[:2]))
    session = folder / "session-01"
    save(learn(session), session / KEPT_PROFILE)
    (session / "dice.jpg").unlink()
    evaluation = Evaluation(folder, cameras=True)
    (result,) = evaluation.results()
    assert [remark.photo for remark in result.remarks].count("cameras:") == 1
    assert evaluation.total.right == 1
    assert [tally.readable + tally.refused for tally in evaluation.cameras.values()] == [0, 0]


def test_json_is_one_object_a_session_and_one_of_the_totals(folder: Path) -> None:
    run = corona(folder, "--json")
    session, totals = map(json.loads, run.stdout.splitlines())
    assert (run.exit_code, run.stderr) == (0, "")
    assert session["session"] == "session-01"
    counted = ("readable", "right", "unsure", "wrong", "refused", "swallowed", "laid", "mislaid")
    assert totals["total"] == {name: session[name] for name in counted}
    assert all(set(remark) == {"photo", "what"} for remark in session["remarks"])
    assert set(totals) == {"total", "disturbed", "cameras", "rounds", "reliability"}
    assert [row["from"] for row in totals["reliability"]["dice"]] == [0.0, 0.5, 0.9, 0.99, 0.999]


def spoil(session: Path, how: str) -> None:
    match how:
        case "cannot calibrate":
            shutil.copy(session / "empty.jpg", session / "dice.jpg")
        case "no photo of the dice":
            (session / "dice.jpg").unlink()
        case "no session.json":
            (session / "session.json").unlink()
        case "broken truth":
            (session / "truth.json").write_text("{", encoding="utf-8")
        case "truth lacks pieces":
            (session / "truth.json").write_text(
                '{"001.jpg": {"readable": true, "dice": {}}}', encoding="utf-8"
            )
        case "dice without colours" | "a marker without a field":
            dice = "[1, 2]" if how == "dice without colours" else "{}"
            frame = f'{{"readable": true, "pieces": {[0] * 12}, "dice": {dice}, "markers": [{{}}]}}'
            (session / "truth.json").write_text(f'{{"001.jpg": {frame}}}', encoding="utf-8")
        case "a marker nowhere":
            marker = {"field": "M", "colour": "red"}
            write(session, {"001.jpg": {"readable": False, "markers": [marker]}})
        case "no frames":
            shutil.rmtree(session / "frames")
        case "session.json lacks colours":
            (session / "session.json").write_text('{"dice": {}}', encoding="utf-8")
        case "a list":
            write(session, [])


@pytest.mark.parametrize(
    ("how", "word"),
    [
        ("cannot calibrate", "of 6 dice"),
        ("no photo of the dice", "dice.jpg: No such file"),
        ("no session.json", "session.json: No such file"),
        ("broken truth", "truth.json is broken: it is no JSON at line 1, column 2"),
        ("a list", "truth.json is broken: it needs"),
        ("a marker nowhere", "001.jpg: a marker's field is 'M'; write A to L, or 0 to 11"),
        ("session.json lacks colours", "session.json: dice.colours is missing; name the set's six there"),
        ("no frames", "its folder frames is not there"),
        ("dice without colours", "dice by their colours"),
        ("a marker without a field", "needs field and colour"),
        ("truth lacks pieces", "001.jpg needs"),
    ],
)
def test_a_session_that_cannot_be_read_is_listed_with_the_reason(folder: Path, how: str, word: str) -> None:
    spoil(folder / "session-01", how)
    (result,) = Evaluation(folder).results()
    assert result.session == "session-01"
    assert word in result.fault and "Error(" not in result.fault


@pytest.mark.slow
def test_the_others_are_read_beside_one_that_cannot_be(folder: Path) -> None:
    shutil.copytree(folder / "session-01", folder / "a bad one")
    spoil(folder / "a bad one", "broken truth")
    results = {result.session: result for result in Evaluation(folder).results()}
    assert list(results) == ["a bad one", "session-01"]
    assert results["a bad one"].fault and not results["session-01"].fault


def test_what_could_not_be_read_is_said_in_both_forms(folder: Path) -> None:
    spoil(folder / "session-01", "no photo of the dice")
    run = corona(folder)
    assert run.exit_code == 1
    assert "session-01              cannot be read: " in run.stdout
    run = corona(folder, "--json")
    assert run.exit_code == 1
    assert "dice.jpg" in json.loads(run.stdout.splitlines()[0])["error"] and "dice.jpg" in run.stderr


def told(session: Path, **change: Any) -> Any:
    """session.json with other values: `dice__size_mm=3` for the one within dice, `dice=3` for all of it."""
    path = session / "session.json"
    data = json.loads(path.read_text(encoding="utf-8"))
    for name, value in change.items():
        part, _, inner = name.partition("__")
        if inner:
            data[part][inner] = value
        else:
            data[part] = value
    path.write_text(json.dumps(data), encoding="utf-8")
    return data


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"dice__size_mm": -3}, "dice.size_mm is -3 instead of 5 to 60"),
        ({"dice__size_mm": 0}, "dice.size_mm is 0 instead of 5 to 60"),
        ({"dice__size_mm": "big"}, 'dice.size_mm is "big" instead of 5 to 60'),
        ({"dice__size_mm": float("nan")}, "dice.size_mm is NaN instead of 5 to 60"),
        ({"dice__size_mm": True}, "dice.size_mm is true instead of 5 to 60"),
        ({"pieces__height_mm": "12"}, 'pieces.height_mm is "12" instead of 2 to 60'),
        (
            {"pieces__height_mm": None},
            "pieces.height_mm is missing beside pieces.diameter_mm; give both, or the height alone",
        ),
        ({"dice__colours": None}, "dice.colours is missing; name the set's six there"),
        ({"dice__colours": "red"}, 'dice.colours is "red" instead of the names of six colours'),
        ({"dice__colours": ["red", "blue"]}, "dice.colours: 2 different colours instead of 6"),
        ({"pieces": [19, 12]}, "pieces is [19, 12] instead of names with values in {}"),
        (
            {"dice__size_mm": 90, "pieces__diameter_mm": 1},
            "dice.size_mm is 90 instead of 5 to 60; pieces.diameter_mm is 1 instead of 2 to 60",
        ),
    ],
)
def test_of_a_value_that_no_set_has_it_says_which_and_what_it_can_be(
    folder: Path, change: dict[str, Any], fault: str
) -> None:
    told(folder / "session-01", **change)
    (result,) = Evaluation(folder).results()
    assert result.fault == f"session.json: {fault}"


def test_beside_a_session_with_such_a_value_the_totals_are_those_of_the_others(folder: Path) -> None:
    shutil.copytree(folder / "session-01", folder / "a bad one")
    told(folder / "a bad one", dice__size_mm=-3)
    run = corona(folder)
    assert run.exit_code == 1
    first, *others = run.stdout.splitlines()[1:]
    assert first.split(None, 3)[3] == "cannot be read: session.json: dice.size_mm is -3 instead of 5 to 60"
    (total,) = [line for line in others if line.startswith("all ")]
    assert total.split()[1] == "1"


@pytest.mark.slow
def test_sizes_that_nobody_measured_need_not_be_told(folder: Path) -> None:
    for change in ({"dice__size_mm": None, "pieces": None}, {"pieces": {"style": "brass tube"}}):
        told(folder / "session-01", **change)
        (result,) = Evaluation(folder).results()
        assert not result.fault
        assert (result.tally.readable, result.tally.wrong, result.tally.refused) == (1, 0, 1)


OF_SESSION_01 = ("green", "red", "yellow", "white", "black", "blue")
ZEROES = [0] * 11


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"dice": {"red": 7}}, "the red die is 7 instead of 1 to 6"),
        ({"dice": {"red": True}}, "the red die is true instead of 1 to 6"),
        ({"dice": {"red": None}}, "the red die is null instead of 1 to 6"),
        ({"dice": {"pink": 3}}, f"no die of the set is pink: they are {', '.join(OF_SESSION_01)}"),
        ({"without": "blue"}, "the blue die is missing"),
        ({"pieces": [7, *ZEROES]}, f"pieces are {[7, *ZEROES]} instead of 12 whole numbers, 6 together"),
        (
            {"pieces": [7, -1, *ZEROES[1:]]},
            f"pieces are {[7, -1, *ZEROES[1:]]} instead of 12 whole numbers, 6 together",
        ),
        (
            {"pieces": [1.5, 4.5, *ZEROES[1:]]},
            f"pieces are {[1.5, 4.5, *ZEROES[1:]]} instead of 12 whole numbers, 6 together",
        ),
        (
            {"pieces": [True, 5, *ZEROES[1:]]},
            f"pieces are [true, 5, {str(ZEROES[1:])[1:]} instead of 12 whole numbers, 6 together",
        ),
        ({"pieces": [5, *ZEROES]}, f"pieces are {[5, *ZEROES]} instead of 12 whole numbers, 6 together"),
        ({"markers": [(0, "pink")]}, f"no marker of the set is pink: they are {', '.join(OF_SESSION_01)}"),
        ({"markers": [(0, "red"), (0, "red")]}, "the red marker is there 2 times"),
        ({"markers": [(5, "red")]}, "more markers than pieces on F"),
    ],
)
def test_what_no_table_shows_is_not_held_against_the_reader(
    tmp_path: Path, change: dict[str, Any], fault: str
) -> None:
    pieces = change.get("pieces", [6, *ZEROES])
    dice = dict.fromkeys(OF_SESSION_01, 4) | change.get("dice", {})
    markers = [{"field": field, "colour": colour} for field, colour in change.get("markers", [])]
    dice.pop(change.get("without", ""), None)
    known = {"readable": True, "pieces": pieces, "dice": dice, "markers": markers}
    write(tmp_path, {"001.jpg": known})
    with pytest.raises(BadSession) as caught:
        truth_of(tmp_path, OF_SESSION_01)
    assert str(caught.value) == f"truth.json: 001.jpg: {fault}"
    write(tmp_path, {"001.jpg": known | {"readable": False}})
    assert truth_of(tmp_path, OF_SESSION_01), "of one that nobody can read anything may be missing"


@pytest.mark.parametrize("name", ["../001.jpg", "./001.jpg", "a\0.jpg", "\ud800.jpg", "", ".."])
def test_a_frame_needs_a_files_name(tmp_path: Path, name: str) -> None:
    write(tmp_path, {name: {"readable": False}})
    with pytest.raises(BadSession, match="is no file's name"):
        truth_of(tmp_path, OF_SESSION_01)
    write(tmp_path, {"10.00\u202fAM.jpg": {"readable": False}})
    assert truth_of(tmp_path, OF_SESSION_01)


def test_of_many_frames_with_an_impossible_truth_the_first_are_named(tmp_path: Path) -> None:
    known = {"readable": True, "pieces": [6, *ZEROES], "dice": dict.fromkeys(OF_SESSION_01, 0)}
    write(tmp_path, {"001.jpg": known, "002.jpg": known})
    with pytest.raises(BadSession, match=r"001.jpg: the green die is 0 .*; and 7 more$"):
        truth_of(tmp_path, OF_SESSION_01)


@pytest.mark.parametrize("session", SESSIONS)
def test_the_truth_of_photo_sessions_is_possible(session: str) -> None:
    assert (
        len(truth_of(PHOTOS / session, about(PHOTOS / session).colours))
        == len(truth_in(PHOTOS / session)) - 1
    )


def test_sessions_are_found_through_links_and_each_once(folder: Path, tmp_path: Path) -> None:
    linked = tmp_path / "linked"
    (linked / "sub").mkdir(parents=True)
    (linked / "a set").symlink_to(folder / "session-01")
    (linked / "sub" / "round").symlink_to(linked)
    (linked / "sub" / "again").symlink_to(folder)
    (linked / "itself").symlink_to(linked / "itself")
    evaluation = Evaluation(linked)
    assert [result.session for result in evaluation.results()] == ["a set"]
    assert evaluation.total.readable == 1


def test_a_folder_that_is_not_there_is_said_to_be_missing(tmp_path: Path) -> None:
    run = corona(tmp_path / "nowhere")
    assert run.exit_code == 1 and "nowhere: there is no such folder" in run.stderr
    assert "no photo session" in corona(tmp_path).stderr


def test_a_file_is_not_called_a_folder_that_is_missing(folder: Path) -> None:
    run = corona(folder / "session-01" / "truth.json")
    assert run.exit_code == 1 and run.stderr.count("\n") == 1
    assert "truth.json: it is a file; name the folder" in run.stderr


def test_a_frame_that_was_taken_out_is_not_counted_and_said_to_be_gone(folder: Path) -> None:
    (folder / "session-01" / "frames" / "002.jpg").unlink()
    run = corona(folder)
    assert (run.exit_code, run.stderr) == (0, "")
    assert "    not there, so not counted: 002.jpg" in run.stdout.splitlines()
    (total,) = [line.split() for line in run.stdout.splitlines() if line.startswith("all ")]
    assert (total[1], total[5]) == ("1", "0"), "the other frame alone"
    assert json.loads(corona(folder, "--json").stdout.splitlines()[0])["gone"] == ["002.jpg"]


def test_a_frame_that_is_no_picture_is_a_fault(folder: Path) -> None:
    (folder / "session-01" / "frames" / "002.jpg").write_bytes(b"half a pict")
    run = corona(folder)
    assert run.exit_code == 1 and "share" in run.stdout
    assert "    002.jpg cannot be read: " in run.stdout
    assert run.stderr.startswith("session-01: ") and "002.jpg: no picture, or cut off" in run.stderr


def test_a_round_whose_moves_are_known_is_followed() -> None:
    evaluation = Evaluation(PHOTOS.parent / "round")
    (result,) = evaluation.results()
    assert result.remarks == []
    assert evaluation.rounds == Rounds(right=1)
    assert "rounds followed: 1 rightly, 0 in doubt, 0 wrongly" in [*evaluation.rows()]


def test_moves_that_were_not_played_are_wrong(tmp_path: Path) -> None:
    truth = json.loads((PHOTOS.parent / "round" / "truth.json").read_text(encoding="utf-8"))
    shutil.copytree(PHOTOS.parent / "round", tmp_path / "round")
    truth["003.jpg"]["move"] = {"from": "C", "to": "D", "colour": "blue"}
    (tmp_path / "round" / "truth.json").write_text(json.dumps(truth), encoding="utf-8")
    evaluation = Evaluation(tmp_path)
    (result,) = evaluation.results()
    assert evaluation.rounds == Rounds(wrong=1)
    assert [remark.what for remark in result.remarks] == [
        "WRONG moves: C-D red -, A-D blue 2, G-L white -, A-F green -"
    ]


def test_moves_that_one_photo_shows_together_have_no_order(tmp_path: Path) -> None:
    """003 is taken out: whether C or A went to D first nobody can see, and it scores the same."""
    shutil.copytree(PHOTOS.parent / "round", tmp_path / "round")
    (tmp_path / "round" / "frames" / "003.jpg").unlink()
    evaluation = Evaluation(tmp_path)
    (result,) = evaluation.results()
    assert evaluation.rounds == Rounds(right=1)
    assert result.gone == ["003.jpg"]


@pytest.mark.parametrize("readable", [True, False])
@pytest.mark.parametrize(
    ("move", "why"),
    [
        (3, "a move needs from, to and colour"),
        ({"from": "C", "to": "M", "colour": "red"}, 'a move goes from "C" to "M"; write A to L, or 0 to 11'),
        ({"from": 2, "to": 3, "colour": "pink"}, 'a move is by "pink"; the dice are red'),
    ],
)
def test_a_move_that_cannot_be_is_said(tmp_path: Path, move: object, why: str, readable: bool) -> None:
    known = {"pieces": [6, *[0] * 11], "dice": {"red": 1}, "readable": readable, "move": move}
    (tmp_path / "truth.json").write_text(json.dumps({"001.jpg": known}), encoding="utf-8")
    with pytest.raises(BadSession, match=re.escape(why)):
        truth_of(tmp_path, ["red"])
