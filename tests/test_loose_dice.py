"""Dice in any photograph: values where there are dice, nothing sure where there are none."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.pictures.dice_drawn import draw_frame
from tests.pictures.dice_tiles import Frame
from vision import die_finder
from vision.die_finder import Found
from vision.geometry import Image
from vision.loose_dice import Judged, colour_name, find_dice, shown

pytestmark = pytest.mark.slow

SPOTS = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (1, 1), (1, -1), (-1, 1)],
    5: [(-1, -1), (1, 1), (1, -1), (-1, 1), (0, 0)],
    6: [(-1, -1), (1, 1), (1, -1), (-1, 1), (-1, 0), (1, 0)],
}
RED, WHITE, BLACK = (40, 30, 190), (226, 230, 232), (30, 28, 28)
CLOTH = (70, 110, 60)


def table(width: int = 900, height: int = 600, colour: tuple[int, int, int] = CLOTH) -> Image:
    noise = np.random.default_rng(3).normal(0, 3, (height, width, 3))
    return (np.array(colour) + noise).clip(0, 255).astype(np.uint8)


def lay(
    picture: Image,
    at: tuple[float, float],
    side: float,
    pips: int,
    turn: float = 0.0,
    colour: tuple[int, int, int] = RED,
    pip: tuple[int, int, int] = WHITE,
) -> None:
    """Draw a die seen from straight above in even light: edges a little darker, hardly a shadow."""
    ys, xs = np.mgrid[: picture.shape[0], : picture.shape[1]].astype(np.float64)
    x = ((xs - at[0]) * np.cos(turn) + (ys - at[1]) * np.sin(turn)) / side
    y = (-(xs - at[0]) * np.sin(turn) + (ys - at[1]) * np.cos(turn)) / side
    outside = np.hypot(np.maximum(np.abs(x) - 0.38, 0), np.maximum(np.abs(y) - 0.38, 0)) - 0.12
    spot = np.min([np.hypot(x - 0.25 * u, y - 0.25 * v) for u, v in SPOTS[pips]], axis=0) - 0.1
    shadow = 0.4 * np.exp(-np.maximum(outside, 0) / 0.05)
    edge = 0.35 * (1 + outside / 0.08).clip(0, 1)
    cover, pips_cover = ((0.5 - distance * side).clip(0, 1) for distance in (outside, spot))
    for share, paint in ((shadow, BLACK), (cover, colour), (cover * edge, BLACK), (pips_cover, pip)):
        picture[:] = (picture * (1 - share[..., None]) + np.array(paint) * share[..., None]).astype(np.uint8)


@pytest.mark.parametrize("side", [60, 130, 260])
@pytest.mark.parametrize("pips", range(1, 7))
def test_a_die_of_any_size_and_turn_is_read(side: int, pips: int) -> None:
    picture = table()
    lay(picture, (430, 290), side, pips, turn=0.3 * pips)
    (die,) = find_dice(picture)
    assert (die.pips, die.colour) == (pips, "red")
    assert np.hypot(die.centre[0] - 430, die.centre[1] - 290) < side * 0.1


@pytest.mark.parametrize("colour", [RED, (225, 228, 230)], ids=["red", "white"])
@pytest.mark.parametrize("pips", range(1, 7))
def test_a_die_that_fills_the_picture_is_read(pips: int, colour: tuple[int, int, int]) -> None:
    picture = table(480, 480)
    lay(
        picture, (236, 245), 330, pips, turn=0.25 * pips, colour=colour, pip=WHITE if colour == RED else BLACK
    )
    (die,) = find_dice(picture)
    assert die.pips == pips


@pytest.mark.parametrize("larger", [1.0, 3.0])
def test_drawn_dice_are_read_and_none_surely_wrong(larger: float) -> None:
    """Frames of seeds that nothing was trained on; dice in whole view are looked for."""
    right = dice = sure = 0
    for seed in range(6):
        frame, truth = draw_frame(np.random.default_rng([77, seed]))
        picture = cv2.resize(frame, None, fx=larger, fy=larger, interpolation=cv2.INTER_CUBIC)
        found = find_dice(picture.astype(np.uint8))
        for row in truth:
            middle, side = (
                np.mean(row["corners"], axis=0),
                np.linalg.norm(np.ptp(row["corners"], axis=0)) / 1.6,
            )
            if row["seen"] < 0.95 or side * larger < 24:
                continue
            here = [d for d in found if np.hypot(*(np.array(d.centre) / larger - middle)) < 0.3 * side]
            dice += 1
            right += any(d.pips == row["value"] for d in here)
            sure += any(d.sure for d in here)
            assert not [d for d in here if d.sure and d.pips != row["value"]]
    assert dice > 12
    assert right >= 0.9 * dice
    assert sure >= 0.5 * dice


def test_dice_of_several_colours_each_once_from_top_to_bottom() -> None:
    picture = table()
    lay(picture, (150, 120), 90, 6, 0.5)
    lay(picture, (500, 250), 90, 5, 1.1, WHITE, BLACK)
    lay(picture, (300, 450), 90, 3, 0.1, BLACK)
    lay(picture, (700, 520), 90, 1, 0.8, (30, 195, 235), BLACK)
    seen = [(die.pips, die.colour) for die in find_dice(picture)]
    assert seen == [(6, "red"), (5, "white"), (3, "black"), (1, "yellow")]


def test_a_large_photograph_gives_pixels_of_its_own() -> None:
    picture = table(3000, 2200)
    lay(picture, (2400, 1500), 300, 4, 0.6)
    (die,) = find_dice(picture)
    assert die.pips == 4
    assert np.hypot(die.centre[0] - 2400, die.centre[1] - 1500) < 30


def test_small_dice_of_a_large_photograph_are_read_wherever_they_lie() -> None:
    """Also where two of the parts meet in which it is looked at."""
    picture = table(3200, 2400)
    places = {(200, 180): 6, (1083, 1200): 5, (2118, 800): 3, (3000, 2250): 4}
    for at, pips in places.items():
        lay(picture, at, 44, pips, 0.3)
    found = {
        at: die.pips
        for die in find_dice(picture)
        for at in places
        if np.hypot(die.centre[0] - at[0], die.centre[1] - at[1]) < 10
    }
    assert found == places


@pytest.mark.parametrize(
    ("side", "pips", "heat", "told"),
    [(500, 1, 0.7, False), (500, 1, 0.9, True), (500, 2, 0.7, True), (200, 1, 0.7, True)],
)
def test_a_whole_board_with_a_crown_in_its_middle_is_no_one(
    side: float, pips: int, heat: float, told: bool
) -> None:
    face = Judged(Found(np.array([700.0, 400.0]), side, heat, np.ones(6) / 6), pips, die=0.5, value=0.99)
    assert shown([face], 1536) == [face] * told


def _face(x: float, side: float, heat: float, die: float = 0.5, pips: int = 3) -> Judged:
    return Judged(Found(np.array([x, 400.0]), side, heat, np.ones(6) / 6), pips, die=die, value=0.99)


def test_specks_of_stone_far_smaller_than_a_plain_die_are_none() -> None:
    die, small = _face(300, 120, 0.9, die=0.99), _face(600, 100, 0.7)
    specks = [_face(700 + 20 * k, 36, 0.7) for k in range(9)]
    assert shown([die, small, *specks], 1536) == [die, small]
    tiny_die = _face(600, 50, 0.9, die=0.99)
    assert shown([die, tiny_die], 1536) == [die, tiny_die]


@pytest.mark.parametrize(("many", "told"), [(8, True), (9, False)])
def test_dozens_of_faces_none_of_them_plain_are_the_table(many: int, told: bool) -> None:
    specks = [_face(100 * k, 36, 0.6) for k in range(many)]
    assert shown(specks, 1536) == specks * told


@pytest.mark.parametrize("views", [4, 1])
def test_what_fewer_views_show_is_less_likely_a_face(monkeypatch: pytest.MonkeyPatch, views: int) -> None:
    """A network that finds the brightest pixel, in so many of the four views: it is one face, and there."""
    picture = np.zeros((90, 160, 3), np.uint8)
    picture[20, 130] = 255
    left = iter([True] * views + [False] * (4 - views))
    asked: list[str] = []

    def brightest(view: Image, network: str, finest: int) -> list[Found]:
        asked.append(network)
        assert finest == die_finder.USUAL
        y, x = np.unravel_index(view[..., 0].argmax(), view.shape[:2])
        return [Found(np.array([x, y], float), 30.0, 0.9, np.eye(6)[2])] if next(left) else []

    monkeypatch.setattr(die_finder, "borrowed", lambda name: name)
    monkeypatch.setattr(die_finder, "_everywhere", brightest)
    (face,) = die_finder.find_faces(picture)
    assert face.middle.tolist() == [130, 20]
    assert face.side == pytest.approx(30)
    assert face.values.argmax() == 2
    assert face.heat == pytest.approx(0.9) if views == 4 else face.heat < 0.4
    assert asked == ["loose_dice_finder"] * 4


def test_a_die_that_the_frame_cuts_off_is_none_to_learn_from(tmp_path: Path) -> None:
    dice = [(200, 150), (4, 150), (340, 20)]
    ring = np.array([(-20, -20), (20, -20), (20, 20), (-20, 20)])
    rows = [{"value": 5, "seen": 1.0, "corners": (ring + at).tolist()} for at in dice]
    (tmp_path / "0.json").write_text(json.dumps(rows))
    cv2.imwrite(str(tmp_path / "0.jpg"), table(400, 300))
    assert Frame.load(tmp_path / "0.json").seen.tolist() == [1, 0, 1]


def _noise() -> Image:
    return np.random.default_rng(1).integers(0, 256, (500, 700, 3), dtype=np.uint8)


def _dots() -> Image:
    picture = table()
    for y in range(30, 600, 60):
        for x in range(30, 900, 60):
            cv2.circle(picture, (x, y), 12, WHITE, -1, cv2.LINE_AA)
    return picture


def _chequers() -> Image:
    y, x = np.mgrid[:600, :900]
    return np.repeat((((x // 40 + y // 40) % 2) * 200 + 20).astype(np.uint8)[..., None], 3, axis=2)


def _buttons() -> Image:
    picture = table(colour=(180, 190, 200))
    for i, (x, y) in enumerate((x, y) for y in (120, 300, 480) for x in (150, 350, 550, 750)):
        cv2.circle(picture, (x, y), 30 + 3 * i, (40, 30 + 15 * i, 190), -1, cv2.LINE_AA)
        cv2.circle(picture, (x, y), 8, WHITE, -1, cv2.LINE_AA)
    return picture


def _text() -> Image:
    picture = table(colour=(235, 235, 235))
    for line in range(20):
        words = "o.:oO08 the dice lie i:i o:o"
        cv2.putText(picture, words, (20, 40 + 28 * line), 0, 0.8, BLACK, 2, cv2.LINE_AA)
    return picture


@pytest.mark.parametrize(
    "picture",
    [np.zeros((400, 600, 3), np.uint8), np.full((400, 600, 3), 255, np.uint8), _noise(), _dots(), _chequers(),
     _buttons(), _text(), np.zeros((5, 3, 3), np.uint8)],
    ids=["black", "white", "noise", "dots", "chequers", "buttons", "text", "tiny"],
)  # fmt: skip
def test_nothing_is_sure_where_no_die_is(picture: Image) -> None:
    assert not [die for die in find_dice(picture) if die.sure]


def test_the_same_picture_gives_the_same_dice() -> None:
    picture = table()
    lay(picture, (300, 300), 100, 5, 0.2)
    assert find_dice(picture)
    assert find_dice(picture) == find_dice(picture.copy())


def test_names_of_colours() -> None:
    assert [colour_name(np.array(bgr, dtype=np.float64)) for bgr in (RED, WHITE, BLACK)] == [
        "red",
        "white",
        "black",
    ]
