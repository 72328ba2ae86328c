"""What is asked of the networks and made of their answers; the weights themselves are judged by sessions."""

from __future__ import annotations

import numpy as np
import pytest

from hardware.virtual import VirtualTable
from tests.sessions import photo, profile
from vision.board import where_board_lies
from vision.change import compare, half
from vision.faces import read_face
from vision.lids import Candidate, fit, peaks
from vision.marker_net import as_features, likelihoods
from vision.profile import Profile
from vision.ring_net import LEVELS, LID_PX, flat_ring, ring_reach
from vision.squares import lean
from vision.stance_net import SIDE_PX, SIZE, straight
from vision.tops import places


def _one(x: float, y: float, *odds: float) -> Candidate:
    return Candidate(x, y, (*odds, *(0.0,) * (LEVELS + 1 - len(odds))))


def test_six_surely_seen_pieces_are_those() -> None:
    found = fit([_one(30.0 * i, 0, 0.001, 0.999) for i in range(6)], apart=16)
    assert [piece.level for piece in found.pieces] == [1] * 6
    assert found.ways[0][0] > 0.99


def test_the_gap_between_three_touching_pieces_is_no_piece() -> None:
    """The middle of three is likeliest by itself, but would leave five of six."""
    around = [_one(10.4 * float(np.cos(a)), 10.4 * float(np.sin(a)), 0.2, 0.8) for a in (0, 2.1, 4.2)]
    far = [_one(100.0 + 20 * i, 0, 0.1, 0.9) for i in range(3)]
    found = fit([_one(0, 0, 0.1, 0.9), *around, *far], apart=16)
    assert {(piece.x, piece.y) for piece in found.pieces} == {(one.x, one.y) for one in [*around, *far]}


def test_a_sixth_piece_stands_on_another() -> None:
    seen = [_one(30.0 * i, 0, 0.01, 0.99) for i in range(4)]
    found = fit([*seen, _one(150, 0, 0.01, 0.5, 0.49)], apart=16)
    assert found.total == 6
    assert sorted(piece.level for piece in found.pieces) == [1, 1, 1, 1, 2]


def test_five_pieces_stay_five() -> None:
    found = fit([_one(30.0 * i, 0, 1e-6, 1 - 1e-6) for i in range(5)], apart=16)
    assert found.total == 5


def test_of_cells_that_see_the_same_lid_one_counts() -> None:
    said = np.zeros((LEVELS + 3, 20, 20), np.float32)
    said[0] = 9
    said[1, 10, 10:12] = (20, 19)
    said[LEVELS + 1, 10, 10:12] = (0.4, -0.6)
    found = peaks(said, apart=2)
    assert len(found) == 1
    x, y, odds = found[0]
    assert (x, y) == pytest.approx((10.4, 10.0))
    assert odds[1] > 0.99


def test_a_marker_is_named_by_the_nearest_colour_of_the_set() -> None:
    colours = np.array([[140, 200, 180], [120, 128, 60], [230, 128, 132]], float)
    said = np.zeros((2, 7))
    said[0, 0], said[1, 0] = -50, 5
    said[0, 1:4] = as_features(colours)[1]
    said[1, 1:4] = as_features(colours)[1] + 5
    said[:, 4:7] = 3
    each = likelihoods(said, colours)
    assert each.shape == (2, 4)
    assert each[0].argmax() == 2 and each[0, 2] > 0.99
    assert each[1].argmax() == 0


def test_a_flat_die_laid_straight_fills_its_square() -> None:
    """The picture's middle square is the die's top, and the camera looks aside to the lower right."""
    session = "session-09"
    known = profile(session)
    frame = photo(session, "frames/001.jpg")
    change = compare(half(frame), known.empty_half)
    seen = 0
    for x, y in places(known.view, change, known.colours, known.die_mm):
        face = read_face(frame, known.view, (x, y), known.die_mm)
        if face.match < 0.8 or face.edge < 0.6:
            continue
        top = (face.x, face.y, face.turn)
        now, then, aside = straight(frame, known.empty, known.view, change.lights, top, known.die_mm)
        assert now.shape == then.shape == (SIZE, SIZE, 3)
        assert aside[0] >= aside[1] >= 0
        assert np.hypot(*aside) == pytest.approx(np.hypot(*lean(known.view, (x, y), known.die_mm)), abs=0.02)
        new = np.abs(now.astype(int) - then).max(axis=2) > 12
        edge = round((SIZE - SIDE_PX) / 2) + 3
        assert new[edge:-edge, edge:-edge].mean() > 0.7
        seen += 1
    assert seen >= 4


def test_the_flattened_ring_shows_pieces_where_they_stand() -> None:
    table = VirtualTable(
        profile("session-01").layout.to_json(), ["red", "blue", "green", "yellow", "white", "black"]
    )
    known = _virtual_profile(table)
    for number, (x, y) in enumerate(table.field_centres()[:12:2]):
        table.set_piece(number, x, y)
    table.hold(False)
    frame = table.draw()
    view = where_board_lies(frame, known).view
    assert view is not None
    change = compare(half(frame), known.empty_half)
    reach = ring_reach(known.layout, known.piece_mm[0])
    flat, empty, leans = flat_ring(change.frame, change.empty, view, reach, known.piece_mm)
    assert flat.shape == empty.shape and leans.shape == (2, *flat.shape[:2])
    apart = np.abs(flat.astype(int) - empty).max(axis=2)
    scale = LID_PX / known.piece_mm[0]
    for number, (x, y) in enumerate(table.field_centres()):
        at = np.s_[
            round((y + reach) * scale) - 6 : round((y + reach) * scale) + 6,
            round((x + reach) * scale) - 6 : round((x + reach) * scale) + 6,
        ]
        assert (apart[at] > 12).mean() > 0.5 if number % 2 == 0 else (apart[at] > 40).mean() < 0.2


def _virtual_profile(table: VirtualTable) -> Profile:
    from calibration.calibrate import calibrate

    names = list(table.dice)
    return calibrate(table.layout, table.photo_empty(), table.photo_dice(), names, 16.0, (19.0, 12.5))
