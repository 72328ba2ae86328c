"""The drawn table: what is photographed is where it was put, and repeats by its seed."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from math import hypot
from random import Random

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.layouts import MAT
from companion.games.corona.rules import COLOURS, DEFAULT_COLOURS
from hardware.camera import GLANCE_SIZE
from hardware.virtual import VirtualCamera, VirtualTable
from hardware.virtual.lens import Lens
from hardware.virtual.places import REST_MM
from hardware.virtual.solids import Die


def table(seed: int = 1, clock: Callable[[], float] = lambda: 100.0) -> VirtualTable:
    virtual = VirtualTable(MAT, DEFAULT_COLOURS, seed=seed, clock=clock)
    virtual.hold(False)
    return virtual


@pytest.fixture(scope="module")
def laid() -> VirtualTable:
    """A table with pieces and dice at play, no hand over it."""
    virtual = table()
    virtual.scatter(Random(4))
    virtual.throw(Random(4))
    virtual.hold(False)
    return virtual


def things(virtual: VirtualTable) -> list[tuple[float, float, float]]:
    solids = [*virtual.pieces, *virtual.dice.values()]
    return [(solid.x, solid.y, solid.reach) for solid in solids]


def test_a_photograph_is_a_colour_frame_of_the_cameras_size(laid: VirtualTable) -> None:
    camera = VirtualCamera(laid)
    frame, glance = camera.capture(), camera.glance()
    assert (frame.shape, frame.dtype) == ((864, 1536, 3), np.uint8)
    assert (glance.shape, glance.dtype) == (GLANCE_SIZE[::-1], np.uint8)


def test_the_tags_are_found_where_the_layout_has_them(laid: VirtualTable) -> None:
    grey = cv2.cvtColor(laid.draw(), cv2.COLOR_BGR2GRAY)
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50))
    corners, ids, _ = detector.detectMarkers(grey)
    centres_mm = MAT["tags"]["centres_mm"]
    half = MAT["tags"]["size_mm"] / 2
    assert sorted(np.ravel(ids)) == [0, 1, 2, 3]
    for number, found in zip(np.ravel(ids), corners, strict=True):
        x, y = centres_mm[str(number)]
        square = [(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)]
        expected = laid.lens.pixels([(*corner, 0) for corner in square])
        assert np.abs(found.reshape(4, 2) - expected).max() < 1.5


@pytest.mark.slow
def test_the_same_seed_takes_the_same_photographs_and_no_two_alike() -> None:
    one, other, stranger = table(3), table(3), table(4)
    first, second = one.draw(), one.draw()
    assert np.array_equal(first, other.draw())
    assert np.array_equal(second, other.draw())
    assert not np.array_equal(first, second)
    assert not np.array_equal(first, stranger.draw())
    # Grain, not another picture.
    assert np.abs(first.astype(int) - second).mean() < 4


def test_moving_a_piece_changes_its_two_places_alone(laid: VirtualTable) -> None:
    before = laid.picture()
    piece = laid.pieces[0]
    laid.set_piece(0, 0.0, -140.0)
    laid.hold(False)
    changed = np.argwhere((laid.picture() != before).any(-1))[:, ::-1]
    places = laid.lens.pixels([(piece.x, piece.y, 6.0), (0.0, -140.0, 6.0)])
    laid.set_piece(0, piece.x, piece.y)
    laid.hold(False)
    assert len(changed) > 500
    away = np.linalg.norm(changed[:, None, :] - places, axis=-1).min(1)
    assert away.max() < 75
    assert np.array_equal(laid.picture(), before)


def test_a_piece_leans_away_from_the_camera_by_its_height() -> None:
    lens = Lens()
    foot, top = lens.pixels([(150.0, 0.0, 0.0), (150.0, 0.0, 12.0)])
    assert 5 < top[0] - foot[0] < 12


@given(st.floats(-300, 300), st.floats(-160, 160))
def test_the_way_from_the_table_to_the_picture_and_back(x: float, y: float) -> None:
    lens = Lens()
    back = lens.on_table(lens.pixels((x, y, 0.0)))
    assert np.abs(back - [x, y]).max() < 0.05


# Below: which face is up, near the player and to the right. Opposite faces make seven, and where 1, 2, 3
# meet they run anticlockwise, as on western dice.
@pytest.mark.parametrize(
    ("up", "near", "right"), [(1, 2, 3), (2, 6, 3), (3, 2, 6), (4, 2, 1), (5, 1, 3), (6, 5, 3)]
)
def test_the_faces_of_a_die_are_where_they_belong(up: int, near: int, right: int) -> None:
    die = Die("blue", 40.0, -20.0, 0.0, up)
    across, along = np.meshgrid(np.linspace(-7, 7, 141), np.linspace(-7, 7, 141))
    edge = np.full_like(across, 8.0)
    sides = {
        "top": (across, along, edge),
        "near": (across, edge, along),
        "far": (across, -edge, along),
        "right": (edge, across, along),
        "left": (-edge, across, along),
    }
    pips = {}
    for side, (x, y, z) in sides.items():
        points = np.stack([x + die.x, y + die.y, z + die.size / 2], axis=-1).reshape(-1, 3)
        paint = die.surface(points.astype(np.float32)).colour.reshape(*across.shape, 3)
        light = (paint.min(-1) > 0.3).astype(np.uint8)
        pips[side] = cv2.connectedComponents(light)[0] - 1
    assert pips == {"top": up, "near": near, "far": 7 - near, "right": right, "left": 7 - right}


def test_every_colour_name_has_its_paint_and_another_is_refused() -> None:
    for six in (COLOURS[:6], COLOURS[4:]):
        assert list(VirtualTable(MAT, six).dice) == list(six)
    with pytest.raises(ValueError, match="no paint for teal"):
        VirtualTable(MAT, ["teal"])


@settings(max_examples=60)
@given(seed=st.integers(0, 10**6))
def test_nothing_stands_in_anything_else(laid: VirtualTable, seed: int) -> None:
    rng = Random(seed)
    laid.scatter(rng)
    laid.throw(rng)
    for (x, y, reach), (u, v, other) in combinations(things(laid), 2):
        assert hypot(x - u, y - v) > (reach + other) * 0.99
    assert all(abs(x) <= REST_MM[0] and abs(y) <= REST_MM[1] for x, y, _ in things(laid))
    centres = laid.field_centres()
    assert all(min(hypot(p.x - x, p.y - y) for x, y in centres) < 23 for p in laid.pieces)


def test_six_pieces_fit_on_one_field() -> None:
    virtual = table()
    x, y = virtual.field_centres()[7]
    for number in range(6):
        virtual.set_piece(number, x, y)
    away = [hypot(piece.x - x, piece.y - y) for piece in virtual.pieces]
    assert max(away) < 20
    assert all(hypot(a.x - b.x, a.y - b.y) > 19 for a, b in combinations(virtual.pieces, 2))


def test_what_cannot_be_is_refused_and_changes_nothing(laid: VirtualTable) -> None:
    before = (list(laid.pieces), dict(laid.dice))
    for fault, act in (
        (ValueError, lambda: laid.set_piece(0, 400.0, 0.0)),
        (ValueError, lambda: laid.set_piece(0, float("nan"), 0.0)),
        (ValueError, lambda: laid.set_piece(0, 0.0, 0.0, "teal")),
        (IndexError, lambda: laid.set_piece(6, 0.0, 0.0)),
        (ValueError, lambda: laid.set_die("red", 0.0, 0.0, 7)),
        (KeyError, lambda: laid.set_die("teal", 0.0, 0.0)),
    ):
        with pytest.raises(fault):
            act()
    assert (laid.pieces, laid.dice) == before


def test_a_hand_comes_with_every_touch_and_goes_again() -> None:
    now = [0.0]
    virtual = table(clock=lambda: now[0])
    virtual.set_die("red", 20.0, 20.0, 5)
    at_work = virtual.picture()
    now[0] = 5.0
    still = virtual.picture()
    covered = (np.abs(at_work.astype(int) - still).max(-1) > 25).mean()
    assert 0.03 < covered < 0.3
    virtual.hold(True)
    assert virtual.hand
    assert not np.array_equal(virtual.picture(), still)


def test_a_glance_shows_what_has_changed() -> None:
    virtual = table()
    before = virtual.glance()
    assert virtual.glance() is before
    virtual.set_die("black", 0.0, 0.0)
    virtual.hold(False)
    assert np.abs(virtual.glance().astype(int) - before).max() > 60


def test_the_photographs_for_calibration(laid: VirtualTable) -> None:
    empty, dice = laid.photo_empty(), laid.photo_dice()
    middle = laid.lens.pixels([(0, 0, 0)])[0].astype(int)
    around = (slice(middle[1] - 130, middle[1] + 130), slice(middle[0] - 150, middle[0] + 150))
    changed = (np.abs(empty.astype(int) - dice).max(-1) > 40).astype(np.uint8)
    found, _, stats, _ = cv2.connectedComponentsWithStats(cv2.dilate(changed[around], np.ones((9, 9))))
    assert sum(area > 600 for area in stats[1:found, cv2.CC_STAT_AREA]) == 6
    assert laid.pieces, "the table itself keeps its things"
