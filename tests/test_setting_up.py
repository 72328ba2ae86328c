"""The camera set up on a phone: every step with photographs, and in a browser at the virtual table."""

from __future__ import annotations

import ast
import json
import math
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from flask import Flask
from flask_babel import Babel, force_locale
from playwright.sync_api import Browser, expect

from calibration.calibrate import SixDice, see_dice
from calibration.faults import CannotCalibrate
from calibration.files import read_photo, save_photo
from calibration.layouts import MAT
from calibration.propose import Measures
from calibration.store import load
from companion.config import CameraConfig
from companion.demo import demo
from companion.eye import Eye
from companion.phones import Phones
from companion.photos import measured as measure_in
from companion.watch import LENT
from companion.web import told
from companion.web.sentences import SENTENCES
from companion.workbench import setting_up
from companion.workbench.bench import Workbench
from companion.workbench.borrowing import Loan
from companion.workbench.lapse import Lapse
from companion.workbench.posing import PosingTable
from companion.workbench.setting_up import SettingUp
from companion.workbench.wiring_test import WiringTest
from hardware.camera import CameraFailed, Frame
from hardware.virtual import VirtualPins, VirtualTable
from hardware.wiring import Wiring
from tests.browser import House, browser, house, phone, serving
from tests.sessions import profile
from tests.test_web import ask
from vision.geometry import Layout
from vision.loose_dice import find_dice
from vision.profile import Profile

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
SESSION = ROOT / "tests" / "photos" / "session-01"
EMPTY, DICE = read_photo(SESSION / "empty.jpg"), read_photo(SESSION / "dice.jpg")
FOUND = ["red", "blue", "green", "yellow", "white", "black"]


class Posed:
    """A camera that sees what it is told to; `broken` is what it fails with."""

    def __init__(self) -> None:
        self.shows: Frame = EMPTY
        self.broken = ""
        self.opened = self.closed = 0

    def open(self) -> Posed:
        self.opened += 1
        return self

    def capture(self) -> Frame:
        if self.broken:
            raise CameraFailed(self.broken)
        return self.shows

    def glance(self) -> Frame:
        raise AssertionError("a set-up takes no glances")

    def close(self) -> None:
        self.closed += 1


class Run:
    """A set-up with such a camera, and what it told others: `owner` has the camera."""

    def __init__(self, folder: Path, known: Profile | None = None, lapse: float = 60.0) -> None:
        self.camera = Posed()
        self.owner = "table"
        self.learned: list[Profile] = []
        self.set_up = SettingUp(
            self.camera.open,
            Loan(lambda: self._own("set-up"), lambda: self._own("table")),
            folder / "set" / "our.json",
            self.learned.append,
            known,
            lapse,
        )

    def _own(self, who: str) -> None:
        assert self.owner != who
        self.owner = who

    def to_dice(self) -> SettingUp:
        """Up to the photo of the dice."""
        self.camera.shows = EMPTY
        self.set_up.begin()
        self.set_up.aimed()
        self.set_up.take()
        self.camera.shows = DICE
        return self.set_up


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setattr(setting_up, "see_dice", seen_once)
    return Run(tmp_path)


KNOWN: dict[int, SixDice] = {}


def seen_once(board: Layout, empty: Frame, dice: Frame, die_mm: float | None = None) -> SixDice:
    """The real one takes seconds: what it saw in two photos of this module is remembered."""
    if empty is not EMPTY or dice is not DICE:
        return see_dice(board, empty, dice, 14.0)  # measuring takes longest, and these are refused anyway
    key = int(die_mm or 0)
    if key not in KNOWN:
        KNOWN[key] = see_dice(board, empty, dice, die_mm)
    return KNOWN[key]


def step(camera: SettingUp) -> str:
    return camera.step


def until(there: Callable[[], bool], seconds: float = 20.0) -> None:
    end = time.monotonic() + seconds
    while not there():
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.01)


# Step by step


def test_from_the_empty_board_to_a_profile_that_is_read_with(run: Run) -> None:
    camera = run.set_up
    camera.begin()
    look = camera.look()
    assert look is not None and look.says is None
    assert sorted(look.tags) == [0, 1, 2, 3] and "".join(look.fields) == "ABCDEFGHIJKL"
    assert look.size == (1536, 864)
    assert (camera.picture(look.seq) or b"").startswith(b"\xff\xd8")
    assert run.owner == "set-up"
    camera.aimed()
    assert run.camera.closed == 1  # opened anew, so that it settles on the light
    camera.take()
    run.camera.shows = DICE
    camera.take()
    assert step(camera) == "colours"
    assert [die.name for die in camera.dice] == FOUND
    assert not any(die.doubtful for die in camera.dice)
    still = camera.look()
    assert still is not None
    assert all(0 < x < still.size[0] and 0 < y < still.size[1] for die in camera.dice for x, y in die.outline)
    camera.name(FOUND, earlier=1)
    assert [die.name for die in camera.dice] == ["blue", "red", *FOUND[2:]]
    with pytest.raises(CannotCalibrate, match="red is named twice"):
        camera.name(["red", "red", *FOUND[2:]])
    camera.name(["blue", "red", *FOUND[2:]])
    assert camera.sizes == (pytest.approx(14.0, abs=1.0), 19.0, 12.5)
    with pytest.raises(CannotCalibrate, match="80 is no size"):
        camera.finish(14, (80, 12))
    assert step(camera) == "sizes" and camera.sizes == (14, 80, 12), "they stand there as they were typed"
    camera.finish(14, (19.6, 12.4))
    assert (step(camera), run.owner) == ("done", "table")
    kept = load(camera.file)
    assert [colour.name for colour in kept.colours] == ["blue", "red", *FOUND[2:]]
    assert (kept.die_mm, kept.piece_mm) == (pytest.approx(14.0, rel=0.04), (19.6, 12.4))
    assert [one.piece_mm for one in run.learned] == [(19.6, 12.4)]
    assert camera.advice == ["good: dice, colours, angle, room, light, glare, sharpness"]
    _refused_without_loss(run)


def test_dice_that_are_measured_by_hand_keep_their_numbers(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """They may be found in another order with another side: names, tops, rims and sides go together."""
    camera = run.to_dice()
    camera.take()
    camera.name([die.name for die in camera.dice])

    def turned_round(board: Layout, empty: Frame, dice: Frame, die_mm: float) -> SixDice:
        six = see_dice(board, empty, dice, die_mm)
        every = {field.name: getattr(six, field.name) for field in fields(six)}
        return replace(six, **{name: value[::-1] for name, value in every.items() if isinstance(value, list)})

    camera.finish(15, (19, 12))
    plain = load(camera.file)
    run.to_dice().take()
    camera.name([die.name for die in camera.dice])
    monkeypatch.setattr(setting_up, "see_dice", turned_round)
    monkeypatch.setattr("calibration.calibrate.plain_colours", lambda names, tops, sides, *rest: sides)
    camera.finish(15, (19, 12))
    for before, now in zip(plain.colours, load(camera.file).colours, strict=True):
        assert now.name == before.name
        if now.name not in ("white", "black"):
            assert before.rim and now.rim
            for old, new in ((before.lab, now.lab), (before.rim, now.rim)):
                hue, own = (np.arctan2(lab[2] - 128, lab[1] - 128) for lab in (old, new))
                assert abs(np.angle(np.exp(1j * (hue - own)))) < 0.5


def _refused_without_loss(run: Run) -> None:
    """Once more: the profile before is kept beside the new one, and waits where that cannot be written."""
    before = load(run.set_up.file)
    camera = run.to_dice()
    camera.take()
    assert [die.name for die in camera.dice][:2] == ["blue", "red"]  # the order it was given before
    camera.name([die.name for die in camera.dice])
    folder = camera.file.parent
    aside = folder.rename(folder.with_name("aside"))
    folder.write_text("no folder")
    with pytest.raises(CannotCalibrate, match="cannot be written"):
        camera.finish(14, (20, 12))
    with pytest.raises(CannotCalibrate, match="does not fit on a field"):
        camera.finish(14, (60, 12))
    assert step(camera) == "sizes"
    folder.unlink()
    aside.rename(folder)
    camera.finish(14, (20, 12))
    assert load(camera.file).piece_mm == (20, 12)
    assert load(folder / "our-before.json").piece_mm == before.piece_mm


def test_what_cannot_be_used_is_refused_and_the_step_stays(run: Run) -> None:
    camera = run.set_up
    camera.begin()
    camera.aimed()
    run.camera.shows = DICE
    with pytest.raises(CannotCalibrate, match="shows dice"):
        camera.take()
    run.camera.shows = (EMPTY // 20).astype(np.uint8)
    with pytest.raises(CannotCalibrate, match="too dark"):
        camera.take()
    assert step(camera) == "empty"
    run.camera.shows = EMPTY
    camera.take()
    with pytest.raises(CannotCalibrate, match="of 6 dice"):
        camera.take()
    assert step(camera) == "dice"
    camera.back()
    assert step(camera) == "empty"


def test_something_left_on_the_empty_board_leads_back_to_it(run: Run) -> None:
    left = EMPTY.copy()
    left[560:610, 800:850] = (20, 140, 60)
    camera = run.set_up
    camera.begin()
    camera.aimed()
    run.camera.shows = left
    camera.take()
    run.camera.shows = DICE
    with pytest.raises(CannotCalibrate, match="shows something near field"):
        camera.take()
    assert step(camera) == "empty"


@pytest.mark.parametrize(
    ("shown", "says"),
    [
        (EMPTY[:, 500:], "tag 3 (bottom left) is out of the picture; move the camera up"),
        ((EMPTY // 20).astype(np.uint8), "it is too dark; switch on a lamp"),
        (np.full_like(EMPTY, 255), "there is too much light; dim it, or expose less"),
        (np.ascontiguousarray(EMPTY[:, ::-1]), "the picture is mirrored; switch that off at the camera"),
        (EMPTY[330:560, 600:950], "no tag is to be seen; bring the whole board into the picture"),
    ],
)
def test_one_thing_is_said_at_a_time(run: Run, shown: Frame, says: str) -> None:
    run.camera.shows = shown
    run.set_up.begin()
    look = run.set_up.look()
    assert look is not None and look.says == says


def test_a_lamp_that_is_mirrored_is_marked(run: Run) -> None:
    camera = run.set_up
    camera.begin()
    run.camera.shows = (EMPTY * 0.8).astype(np.uint8)
    look = camera.look()
    assert look is not None
    (left, top), (right, low) = np.min(look.fields["D"], axis=0), np.max(look.fields["D"], axis=0)
    run.camera.shows[int(top) + 8 : int(low) - 8, int(left) + 8 : int(right) - 8] = 255
    time.sleep(0.45)  # a younger look would serve again
    look = camera.look()
    assert look is not None and look.shining == ("D",)
    assert look.says == "a lamp is mirrored on field D; move the lamp or the camera"


def test_another_board_than_was_chosen_is_told(run: Run) -> None:
    """Its tags lie as the mat's, its fields do not: nothing on them would be read."""
    mat = json.loads(json.dumps(MAT))
    mat["fields"] |= {"ring_radius_mm": 90, "first_deg": 0}
    table = VirtualTable(mat, FOUND, clock=lambda: 0.0)
    camera = run.set_up
    run.camera.shows = table.photo_empty()
    camera.begin()
    camera.aimed()
    camera.take()
    run.camera.shows = table.photo_dice()
    camera.take()
    camera.name([die.name for die in camera.dice])
    camera.finish(16.0, (19.0, 12.5))
    assert camera.advice[0].startswith("fields: the photo shows a ring of radius 90 mm")
    app = Flask("companion.web")
    Babel(app)
    with app.test_request_context():
        assert told.advice(camera.advice[:1])[0][1].startswith("The photo shows other fields than the board")


def test_a_board_of_ones_own_is_measured(run: Run) -> None:
    camera = run.set_up
    camera.begin("own", 28)
    look = camera.look()
    assert look is not None and look.says is None and look.fields == {}
    camera.aimed()
    camera.take()
    assert step(camera) == "fields"
    look = camera.look()
    assert look is not None and len(look.fields) == 12
    assert 2 * camera.measures.ring_mm + camera.measures.field_mm == pytest.approx(2 * 100 + 46, abs=2)
    camera.fields_lie_right()
    assert step(camera) == "dice"


def test_a_board_that_was_measured_can_be_corrected(run: Run) -> None:
    camera = run.set_up
    camera.begin("own", 28)
    camera.aimed()
    camera.take()
    seen, before = camera.measures, camera.look()
    camera.correct(replace(seen, tag_mm=14))  # half as large, so all of it is
    half, look = camera.measures, camera.look()
    assert (half.tag_mm, half.ring_mm) == (14, pytest.approx(seen.ring_mm / 2, abs=0.1))
    assert before and look and look.seq != before.seq
    assert np.ptp(look.fields["C"], axis=0) == pytest.approx(np.ptp(before.fields["C"], axis=0), rel=0.02)
    camera.correct(Measures(14, 0, 0, 48, 20, 45 + 360))
    told, look = camera.measures, camera.look()
    assert told == Measures(14, 0, 0, 48, 20, 45)
    middle = np.mean(look.fields["A"] if look else (), axis=0)
    assert middle == pytest.approx(np.mean(before.fields["B"], axis=0), abs=20)
    camera.correct(replace(told, right_mm=6, down_mm=-3))
    moved = camera.look()
    scale = np.ptp([x for x, _ in moved.fields["A"]]) / 20 if moved else 0
    aside = np.mean(moved.fields["A"] if moved else (), axis=0) - middle
    assert np.hypot(*aside) == pytest.approx(np.hypot(6, 3) * scale, rel=0.1)
    assert camera.measures == told
    for wrong in ({"tag_mm": 7}, {"ring_mm": 5}, {"field_mm": 30}, {"field_mm": math.nan}, {"down_mm": 99}):
        with pytest.raises(CannotCalibrate, match="size in mm"):
            camera.correct(replace(told, **wrong))
    assert camera.measures == told


def test_where_no_ring_is_clear_a_guess_is_shown_to_be_corrected(run: Run, tmp_path: Path) -> None:
    camera = run.set_up
    camera.begin("own", 28)
    camera.aimed()
    known, turn = profile("session-01"), np.linspace(0, 2 * np.pi, 90)
    around = 128 * np.stack([np.cos(turn), np.sin(turn), 0 * turn], axis=1)
    bare = EMPTY.copy()
    cv2.fillPoly(bare, [known.view.project(around).round().astype(np.int32)], (196, 196, 196))
    run.camera.shows = bare
    with house(tmp_path, bench=Workbench(camera)) as at_table:
        refused = ask(at_table, "POST", "/setup/camera/take", {})
        assert refused.status == 409 and "correct what is drawn, which is a guess" in refused.text
        assert 'id="correct" open>' in refused.text
    look = camera.look()
    assert step(camera) == "fields" and look and len(look.fields) == 12
    told = Measures(28, 0, 0, 100, 46, 15)
    camera.correct(told)
    assert camera.measures == told


def test_a_board_of_ones_own_is_measured_only_while_it_is_empty(run: Run) -> None:
    run.camera.shows = DICE
    run.set_up.begin("own", 28)
    run.set_up.aimed()
    with pytest.raises(CannotCalibrate, match="the photo of the empty board shows dice"):
        run.set_up.take()
    assert step(run.set_up) == "empty"


def with_a_die(photo: Frame) -> Frame:
    """The photo with one of the dice of this module's set in it."""
    die, printed = next(one for one in find_dice(DICE) if one.sure), photo.copy()
    x, y = (round(v) for v in die.centre)
    printed[y - 40 : y + 40, x - 40 : x + 40] = DICE[y - 40 : y + 40, x - 40 : x + 40]
    return printed


def test_print_that_looks_like_a_die_is_said_once(run: Run) -> None:
    """Or whoever has such a board could never set it up on a phone."""
    camera = run.set_up
    camera.begin()
    camera.aimed()
    printed = with_a_die(EMPTY)
    for other in (DICE, printed):  # dice in between are no print
        run.camera.shows = printed
        with pytest.raises(CannotCalibrate, match=r"shows a die; .* if it is print, just take it again"):
            camera.take()
        if other is DICE:
            run.camera.shows = DICE
            with pytest.raises(CannotCalibrate, match="shows dice"):
                camera.take()
    camera.take()
    assert step(camera) == "dice"


def test_who_has_not_read_that_it_may_be_print_does_not_say_so(run: Run) -> None:
    """Neither by a second tap on the same page, nor of another photo, after one without a die."""
    camera = run.set_up
    camera.begin()
    camera.aimed()
    run.camera.shows = with_a_die(EMPTY)
    page = camera.changes
    with pytest.raises(CannotCalibrate, match="shows a die"):
        camera.do(camera.take, page)
    camera.do(camera.take, page)
    assert step(camera) == "empty"
    run.camera.shows = EMPTY
    camera.take()
    camera.back()
    run.camera.shows = with_a_die(EMPTY)
    with pytest.raises(CannotCalibrate, match="shows a die"):
        camera.take()


def test_a_camera_that_fails_is_opened_again(run: Run) -> None:
    camera = run.set_up
    camera.begin()
    run.camera.broken = "it is unplugged"
    with pytest.raises(CameraFailed, match="unplugged"):
        camera.look()
    assert (run.camera.opened, run.camera.closed) == (1, 1)
    run.camera.broken = ""
    assert camera.look() is not None
    camera.leave()
    assert (step(camera), run.owner) == ("rest", "table")


def test_who_goes_away_leaves_the_camera_to_the_table(tmp_path: Path) -> None:
    run = Run(tmp_path, lapse=0.05)
    run.set_up.begin()
    run.set_up.look()
    until(lambda: run.owner == "table")
    assert run.set_up.step == "aim"
    time.sleep(0.4)
    run.set_up.look()  # and comes back
    until(lambda: run.camera.opened == 2)


def test_what_is_learned_after_a_long_search_for_a_ruler_is_read_with_at_once(tmp_path: Path) -> None:
    """The table took its camera back, and reads with the profile of before till it opens it anew."""
    run = Run(tmp_path, lapse=0.05)
    camera = run.to_dice()
    camera.take()
    camera.name([die.name for die in camera.dice])
    until(lambda: run.owner == "table")
    owners: list[str] = []
    camera._learned = lambda _: owners.append(run.owner)
    camera.finish(14, (19, 12.5))
    assert (owners, run.owner) == (["set-up"], "table")


def test_who_has_to_think_may_be_silent_for_longer(tmp_path: Path) -> None:
    run = Run(tmp_path, lapse=0.5)
    run.to_dice()
    run.set_up.do(run.set_up.take, None)
    time.sleep(1.2)
    assert (step(run.set_up), run.owner) == ("colours", "set-up")
    run.set_up.do(lambda: run.set_up.name([die.name for die in run.set_up.dice]), None)
    with pytest.raises(CannotCalibrate, match="80 is no size"):
        run.set_up.do(lambda: run.set_up.finish(14, (80, 12)), None)
    time.sleep(1.2)
    assert (step(run.set_up), run.owner) == ("sizes", "set-up")
    until(lambda: run.owner == "table")


def test_a_width_that_stays_as_it_is_offered_is_still_measured(run: Run) -> None:
    for size, measured in ((19, 10.4), True), ((20.2, 12.5), False):
        run.to_dice().take()
        run.set_up.name([die.name for die in run.set_up.dice])
        run.set_up.finish(14, size)
        kept = load(run.set_up.file)
        assert (kept.piece_mm, kept.pieces_told) == (size, not measured)
        frames = (read_photo(path) for path in sorted((SESSION / "frames").iterdir()))
        wide, high = measure_in(kept, frames).piece_mm
        assert high == size[1] and (wide == size[0]) != measured


def test_nothing_lapses_while_somebody_stays() -> None:
    gone: list[float] = []
    lapse = Lapse(1.0, lambda: gone.append(time.monotonic()))
    for _ in range(6):
        lapse.stay()
        time.sleep(0.25)
    assert gone == []
    lapse.end()
    time.sleep(1.2)
    assert gone == []


def test_the_virtual_hand_may_lay_before_the_camera_opens() -> None:
    virtual, at = VirtualTable(MAT, FOUND), ["aim"]
    posing = PosingTable(virtual, lambda: at[0])
    at[0] = "empty"
    posing.hand["empty"]()
    empty = posing.open().capture()
    assert np.abs(empty.astype(int) - virtual.photo_empty()).mean() < 3
    at[0] = "aim"
    assert np.abs(posing.open().capture().astype(int) - empty).max() > 100


# The wiring

WIRING = Wiring(sand=(4, 17), bids=(18,), lamps=(6,), setter=20, buzzer=21)


def test_every_part_is_tried() -> None:
    pins = VirtualPins()
    given: list[str] = []
    test = WiringTest(WIRING, lambda: (WIRING, pins), lambda: given.append("back"))
    assert not any(one.lit or one.heard for one in test.parts())
    test.begin()
    test.tap("sand 2")
    assert (pins.level(4), pins.level(17), pins.level(6)) == (0, 1, 0)
    test.tap("seat 1 LED")
    assert (pins.level(17), pins.level(6)) == (0, 1)
    assert [one.part.name for one in test.parts() if one.lit] == ["seat 1 LED"]
    pins.press(18)
    pins.press(18)
    pins.hold(20)
    parts = {one.part.name: one for one in test.parts()}
    assert (parts["seat 1 button"].heard, parts["setter's button"].heard) == (2, 1)
    assert parts["setter's button"].held and parts["setter's button"].last
    test.tap("buzzer")
    until(lambda: pins.level(21) > 0)
    test.leave()
    assert (given, test.runs) == (["back"], False)
    assert pins.level(6) == 0


# The pages


@pytest.fixture
def at(tmp_path: Path) -> Iterator[House]:
    bench = Workbench(Run(tmp_path).set_up)
    with house(tmp_path, phones=Phones(tmp_path / "phones.json"), bench=bench) as built:
        yield built


def test_only_the_host_sets_up(at: House) -> None:
    for path in ("/setup", "/setup/camera", "/setup/camera/look", "/setup/camera/1.jpg", "/setup/wiring"):
        assert ask(at, "GET", path).status == 403, path
    for path in ("/setup/camera/begin", "/setup/camera/take", "/setup/wiring/begin"):
        assert ask(at, "POST", path, {}).status == 403, path
    assert "Only the host does that" in ask(at, "GET", "/setup").text
    assert '"/setup"' not in ask(at, "GET", "/?look").text


def test_a_refusal_is_all_there_is_to_read_and_survives_a_reload(run: Run, tmp_path: Path) -> None:
    with house(tmp_path, bench=Workbench(run.to_dice())) as at:
        run.set_up.back()
        refused = ask(at, "POST", "/setup/camera/take", {})  # with the dice on the empty board
        assert refused.status == 409 and "shows dice" in refused.text
        assert "The picture is good." not in ask(at, "GET", "/setup/camera/look").text
        run.to_dice().take()
        names = {"name": ["red", "red", *FOUND[2:]]}
        assert ask(at, "POST", "/setup/camera/name", names).status == 409
        for part in ("camera", "wiring", "selftest"):
            led = ask(at, "GET", f"/setup/{part}/name")
            assert (led.status, dict(led.headers)["Location"]) == (303, f"/setup/{part}")
        assert "Red is named twice" in ask(at, "GET", "/setup/camera").text


def test_lengths_are_typed_with_a_point_or_a_comma(run: Run, tmp_path: Path) -> None:
    with house(tmp_path, bench=Workbench(run.to_dice())) as at:
        for wrong in ("nan", "0", "wide"):
            refused = ask(at, "POST", "/setup/camera/begin", {"board": "own", "tag_mm": wrong})
            why = "0 is no size in mm; 8 to 120 are" if wrong == "0" else "Type a size in mm, 8 to 120."
            assert refused.status == 409 and why in refused.text
        run.set_up.take()
        run.set_up.name([die.name for die in run.set_up.dice])
        sizes = {"die": "14", "width": "19,5", "height": "12"}
        assert ask(at, "POST", "/setup/camera/finish", sizes | {"height": "x"}).status == 409
        assert ask(at, "POST", "/setup/camera/finish", sizes).status == 303
    assert load(run.set_up.file).piece_mm == (19.5, 12.0)


def offered(at: House) -> dict[str, str]:
    """What the page's forms say of how far the set-up is."""
    changes = set(re.findall(r'name="changes" value="(\d+)"', ask(at, "GET", "/setup/camera").text))
    assert len(changes) == 1
    return {"changes": changes.pop()}


def test_a_second_tap_names_no_other_die(run: Run, tmp_path: Path) -> None:
    camera = run.to_dice()
    camera.take()
    before = {die.number: die.name for die in camera.dice}
    with house(tmp_path, bench=Workbench(camera)) as at:
        tap = offered(at) | {"name": FOUND, "earlier": "2"}
        for _ in range(2):
            assert ask(at, "POST", "/setup/camera/name", tap).status == 303
        assert [die.name for die in camera.dice] == ["red", "green", "blue", *FOUND[3:]]
        assert {die.number: die.name for die in camera.dice} == before
        again = offered(at) | {"name": [die.name for die in camera.dice], "earlier": "1"}
        assert ask(at, "POST", "/setup/camera/name", again).status == 303
    assert [die.name for die in camera.dice] == ["green", "red", "blue", *FOUND[3:]]
    assert {die.number: die.name for die in camera.dice} == before


def test_a_page_of_an_earlier_step_does_nothing_but_leave(run: Run, tmp_path: Path) -> None:
    with house(tmp_path, bench=Workbench(run.set_up)) as at:
        begin = offered(at)
        assert ask(at, "POST", "/setup/camera/begin", begin).status == 303
        run.set_up.aimed()
        empty = offered(at)
        for _ in range(2):  # by two phones: the second would take the photo of the dice
            assert ask(at, "POST", "/setup/camera/take", empty).status == 303
        assert step(run.set_up) == "dice"
        assert ask(at, "POST", "/setup/camera/begin", begin).status == 303
        assert ask(at, "POST", "/setup/camera/back", empty).status == 303
        assert step(run.set_up) == "dice"
        assert ask(at, "POST", "/setup/camera/leave", begin).status == 303
        assert step(run.set_up) == "rest"


def test_an_angle_without_end_is_no_angle(run: Run, tmp_path: Path) -> None:
    run.set_up.begin("own", 28)
    run.set_up.aimed()
    run.set_up.take()
    turned = run.set_up.measures.first_deg
    with house(tmp_path, bench=Workbench(run.set_up)) as at:
        ask(at, "POST", "/setup/camera/correct", {"first_deg": "inf"})
    assert run.set_up.measures.first_deg == turned


def test_measures_are_corrected_on_the_phone(run: Run, tmp_path: Path) -> None:
    run.set_up.begin("own", 28)
    run.set_up.aimed()
    run.set_up.take()
    form = {"tag_mm": "28", "ring_mm": "98,5", "field_mm": "40", "first_deg": "45"}
    with house(tmp_path, bench=Workbench(run.set_up)) as at:
        assert 'id="correct">' in ask(at, "GET", "/setup/camera").text
        refused = ask(at, "POST", "/setup/camera/correct", form | {"field_mm": "60"})
        assert refused.status == 409 and "60 is no size in mm" in refused.text
        assert (
            'id="correct" open>' in refused.text and 'name="field_mm" step="0.1" value="60"' in refused.text
        )
        assert ask(at, "POST", "/setup/camera/correct", form).status == 303
        assert 'name="ring_mm" step="0.1" value="98.5"' in ask(at, "GET", "/setup/camera").text
    assert run.set_up.measures == Measures(28, 0, 0, 98.5, 40, 45)


def test_before_the_first_step_a_wrong_size_is_told_and_the_choice_stays(run: Run, tmp_path: Path) -> None:
    with house(tmp_path, bench=Workbench(run.set_up)) as at:
        for wrong in ("", "2,8"):
            page = ask(at, "POST", "/setup/camera/begin", {"board": "own", "tag_mm": wrong}).text
            assert ("Type a size in mm, 8 to 120." if not wrong else "2.8 is no size in mm") in page
            assert 'value="own" checked' in page and 'value="mat" checked' not in page
            assert f'name="tag_mm" min="8" max="120" step="0.1" value="{wrong}"' in page


def test_a_folder_of_pictures_does_not_begin_anew_when_the_camera_is_set_up(tmp_path: Path) -> None:
    """Its last picture would be the live one, and the first would be taken."""
    for number, photo in enumerate((EMPTY, DICE)):
        save_photo(photo, tmp_path / f"{number}.png")
    eye = Eye(CameraConfig(kind="folder", folder=tmp_path), None)
    assert (eye.open_fresh().capture() == EMPTY).all()
    eye._kept["Began"] -= 60.0
    assert (eye.open_fresh().capture() == DICE).all()


def test_without_camera_and_wiring_there_is_nothing_to_set_up(tmp_path: Path) -> None:
    with house(tmp_path) as at:
        assert "neither a camera nor a wiring" in ask(at, "GET", "/setup").text
        assert ask(at, "GET", "/setup/camera").status == 404
        assert ask(at, "POST", "/setup/wiring/begin", {}).status == 404
        assert '/setup"' not in ask(at, "GET", "/").text


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as running:
        yield running


def test_all_steps_by_thumb_at_the_virtual_table(tmp_path: Path, chromium: Browser) -> None:
    with demo(tmp_path) as parts, serving(parts.app) as port:
        parts.rig.start()
        page = phone(chromium, viewport={"width": 320, "height": 640})
        page.set_default_timeout(60_000)

        def tap(name: str) -> None:
            button = page.get_by_role("button", name=name)
            expect(button).to_be_visible(timeout=60_000)
            page.wait_for_load_state()  # until then it may lack its style
            assert page.evaluate("document.documentElement.scrollWidth") <= 320
            button.tap()

        page.goto(f"http://127.0.0.1:{port}/setup")
        page.get_by_role("link", name="Set up the camera").tap()
        tap("Begin")
        expect(page.get_by_text("The picture is good.")).to_be_visible(timeout=30_000)
        expect(page.locator(".look polygon.tag")).to_have_count(4)
        assert parts.rig.trouble == LENT
        assert parts.rig.lying() is None
        tap("Go on")
        tap("Take the photo")
        alert = page.get_by_role("alert")
        expect(alert).to_contain_text("The photo of the empty board shows dice", timeout=60_000)
        tap("Clear the table")
        tap("Take the photo")
        tap("Lay the six dice")
        tap("Take the photo")
        expect(page.get_by_role("heading", level=1)).to_have_text("Six dice were found", timeout=60_000)
        tap("The names are right")
        tap("Done")
        expect(page.get_by_role("heading", level=1)).to_have_text("The camera is set up.")
        assert [colour.name for colour in load(tmp_path / "demo-set.json").colours] == FOUND
        until(lambda: parts.rig.latest() is not None and parts.rig.trouble is None)
        faults = page.faults  # type: ignore[attr-defined]
        assert [fault for fault in faults if "409" not in fault] == []
        page.goto(f"http://127.0.0.1:{port}/setup/wiring")
        tap("Begin")
        tap("Sand 3")
        expect(page.get_by_role("button", name="Sand 3")).to_have_attribute("aria-pressed", "true")
        parts.pins.press(18)
        expect(page.get_by_text("heard 1 time")).to_be_visible()
        tap("Done")
        expect(page.get_by_role("heading", level=1)).to_have_text("Camera and wiring")
        assert [fault for fault in faults if "409" not in fault] == []
        page.context.close()


# What is said


def spoken() -> Iterator[str]:
    """What calibration says before a phone, as patterns: anything may stand where something is filled in."""
    for name in (
        "advice",
        "aiming",
        "calibrate",
        "colours",
        "dice",
        "leftover",
        "photos",
        "propose",
        "stickers",
    ):
        tree = ast.parse((ROOT / "calibration" / f"{name}.py").read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            said: ast.expr | None = None
            if isinstance(node, ast.Call) and ast.unparse(node.func) in SAYING and node.args:
                said = node.args[-1]
            elif isinstance(node, ast.Return) and name in ("advice", "aiming", "photos"):
                said = node.value
            if said is not None and " " in (pattern := _pattern(said)).replace("room for", ""):
                yield pattern


SAYING = ("CannotCalibrate", "NotEmpty", "super().__init__", "Aim")


def _pattern(node: ast.expr) -> str:
    match node:
        case ast.Constant(value=str(text)):
            return re.escape(text).replace("\\ ", " ")
        case ast.JoinedStr(values=parts):
            return "".join(map(_pattern, parts))
        case ast.BinOp(left=left, right=right):
            return _pattern(left) + _pattern(right)
        case ast.IfExp(body=body, orelse=other):
            return f"(?:{_pattern(body)}|{_pattern(other)})"
    return ".+"


def test_every_sentence_of_calibration_is_known_to_the_pages() -> None:
    shown = [re.sub(r"%\(\w+\)s", "7", one).replace("%%", "%") for one in SENTENCES]
    patterns = [one for one in spoken() if not one.startswith("camera ")]  # its place in figures, no advice
    assert len(patterns) > 35
    assert [one for one in patterns if not any(re.fullmatch(one, text) for text in shown)] == []


@pytest.mark.parametrize(
    ("language", "said", "words"),
    [
        ("en", "tag 3 (bottom left) is missing; lay", ""),
        (
            "de",
            "tags 0 (top left) and 1 (top right) are missing; lay nothing on the tags, "
            "and bring all four into the picture",
            "Die Marken 0 (oben links) und 1 (oben rechts) fehlen; legt nichts darauf "
            "und bringt alle vier ins Bild.",
        ),
        (
            "de",
            "a piece 60 mm wide does not fit on a field, which is 40.5 mm wide; measure its diameter again",
            "Eine 60 mm breite Figur passt nicht auf ein 40,5 mm breites Feld; messt ihren Durchmesser nach.",
        ),
        (
            "fr",
            "a piece 4 mm wide is not 20 mm high; give its diameter first, then its height",
            "Une pièce large de 4 mm n’est pas haute de 20 mm\u00a0; donnez d’abord son diamètre, puis sa "
            "hauteur.",
        ),
        (
            "fr",
            "the photo of the dice is blurred; focus, and keep the camera still",
            "La photo des dés est floue\u00a0; faites le point et tenez la caméra immobile.",
        ),
        (
            "de",
            "uneven: the corner of tag 2 gets 41 % of the light of the brightest corner",
            "Ungleichmäßig: Die Ecke von Marke 2 bekommt 41 % vom Licht der hellsten Ecke.",
        ),
        (
            "fr",
            "red and blue is named twice: 4 different colours instead of 6",
            "Rouge et bleu figure deux fois\u00a0: 4 couleurs différentes au lieu de 6.",
        ),
        (
            "de",
            "no die looks red, and one looks blue; "
            "if it is, learn the set again with that name in place of the other",
            "Kein Würfel sieht rot aus, aber einer blau; "
            "ist er es, richtet die Kamera mit diesem Namen statt des anderen neu ein.",
        ),
        (
            "fr",
            "the dice look about 13 mm wide and not 30; "
            "measure one, and the black squares of the tags, again",
            "Les dés semblent larges d’environ 13 mm et non de 30\u00a0; "
            "mesurez-en un de nouveau, ainsi que les carrés noirs des marques.",
        ),
        ("de", "17.25 is no size in mm; 5 to 60 are", "17,25 ist keine Größe in mm; möglich sind 5 bis 60."),
        (
            "de",
            "some dice look very pale: green, brown; "
            "if they are not, move them or the lamp, and take their photo again",
            "Manche Würfel sehen sehr blass aus: grün, braun; "
            "sind sie es nicht, rückt sie oder die Lampe und nehmt ihr Foto noch einmal auf.",
        ),
        (
            "de",
            "a lamp is mirrored in some dice: yellow, red; move them or the lamp, and take their photo again",
            "In manchen Würfeln spiegelt sich eine Lampe: gelb, rot; "
            "rückt sie oder die Lampe und nehmt ihr Foto noch einmal auf.",
        ),
    ],
)
def test_it_is_said_in_the_readers_language(language: str, said: str, words: str) -> None:
    app = Flask("companion.web")
    Babel(app)
    with app.test_request_context(), force_locale(language):
        assert told.known(said) is None if not words else told.sentence(said) == words
