"""How high towers stand, by their shadows: drawn ones, of known lamps, and photographed ones."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.sessions import photo, profile, truth
from vision.change import Change, compare, half
from vision.geometry import Floats, Image, Layout, View
from vision.look import look
from vision.maps import Peak
from vision.profile import Profile
from vision.read import read
from vision.ring_net import LEVELS, seen_at
from vision.shadows import by_shadows

SESSION = "session-04"
DRAWN_MM = 16.0
"""The side of dice that are drawn."""
TOWERS = {(0.0, -98.0): 1, (85.0, -49.0): 2, (-60.0, 78.0): 1, (90.0, 40.0): 3, (-98.0, 5.0): 2}
DICE = [(10.0, 5.0), (-35.0, 30.0), (30.0, -45.0)]


def _disc(x: float, y: float, radius: float) -> Floats:
    turn = np.linspace(0, 2 * np.pi, 33)[:-1]
    return np.stack([x + radius * np.cos(turn), y + radius * np.sin(turn)], axis=1)


def _fill(picture: Image, view: View, outline: Floats, heights: tuple[float, ...], colour: float) -> None:
    """A thing whose outline, mm, is the same at each height, as the camera sees it."""
    points = np.vstack([np.pad(outline, ((0, 0), (0, 1)), constant_values=height) for height in heights])
    hull = cv2.convexHull((view.project(points) / 2).astype(np.float32))
    cv2.fillConvexPoly(picture, np.round(hull).astype(np.int32), (colour,) * 3)


def _table(known: Profile, slope: float, turn: float) -> Change:
    """Towers and dice on the empty board, and their shadows under the sun."""
    (diameter, height), die_mm, view = known.piece_mm, known.die_mm, known.view
    light = slope * np.array([np.cos(turn), np.sin(turn)])
    things = [(spot, diameter / 2, height * level) for spot, level in TOWERS.items()]
    things += [(spot, die_mm * 0.56, die_mm) for spot in DICE]
    shade = np.zeros(known.empty_half.shape, dtype=np.uint8)
    for spot, radius, high in things:
        both = np.vstack([_disc(*spot, radius), _disc(*spot, radius) + light * high])
        _fill(shade, view, cv2.convexHull(both.astype(np.float32))[:, 0], (0.0,), 128)
    shown = (known.empty_half * (1 - shade / 255)).astype(np.uint8)
    for spot, radius, high in things:
        _fill(shown, view, _disc(*spot, radius), (0.0, high), 150)
    return compare(shown, known.empty_half)


def _lids(known: Profile) -> list[Peak]:
    """All that lids alone tell of `TOWERS`: three are one, two or three high, the others surely one."""
    height = known.piece_mm[1]
    lids: list[Peak] = []
    for spot, level in TOWERS.items():
        odds = (0.01, 0.97, 0.01, 0.01) if level == 1 else (0.01, 0.33, 0.33, 0.33)
        lids.append((*seen_at(known.view, spot, level, height), odds))
    return lids


def _told(known: Profile, change: Change) -> list[Peak]:
    half_mm, piece_mm = known.layout.half_mm, known.piece_mm
    return by_shadows(_lids(known), change, known.view, half_mm, piece_mm, DICE, known.die_mm)


@pytest.mark.parametrize("turn", range(20, 360, 45))
@pytest.mark.parametrize(("slope", "most"), [(0.5, 3), (0.9, 1)])
def test_a_longer_shadow_is_a_higher_towers(slope: float, most: int, turn: float) -> None:
    """Where it is seen: a tower may stand before its own shadow, which then says nothing."""
    known = replace(profile(SESSION), die_mm=DRAWN_MM)
    told = _told(known, _table(known, slope, np.deg2rad(turn)))
    assert all(sum(odds) == pytest.approx(1) and odds[0] == pytest.approx(0.01) for _, _, odds in told)
    right = [odds[level] for (_, _, odds), level in zip(told, TOWERS.values(), strict=True)]
    silent = [p for p in right if p == pytest.approx(0.33)]
    assert len(silent) <= most
    assert min(p for p in right if p not in silent) > 0.7


def test_where_there_is_no_shadow_little_is_told() -> None:
    known = replace(profile(SESSION), die_mm=DRAWN_MM)
    for before, after in zip(_lids(known), _told(known, _table(known, 0.0, 0.0)), strict=True):
        assert after[2] == pytest.approx(before[2], abs=0.35)


@pytest.mark.parametrize("name", ["001.jpg", "006.jpg"])
def test_shadows_in_photographs_tell_the_same_as_lids(name: str) -> None:
    """As if nothing were known of any tower of two but that a lid is there."""
    known, frame = profile(SESSION), photo(SESSION, f"frames/{name}")
    seen = look(frame, known.view, known)
    assert sum(piece.level for piece in seen.pieces.pieces) == sum(truth(SESSION)[name]["pieces"])
    lids: list[Peak] = []
    for piece in seen.pieces.pieces:
        odds = (0.01, *(0.97 if level == piece.level == 1 else 0.01 for level in range(1, LEVELS + 1)))
        odds = odds if piece.level == 1 else (0.01, 0.33, 0.33, 0.33)
        lids.append((*seen_at(known.view, (piece.x, piece.y), piece.level, known.piece_mm[1]), odds))
    change = compare(half(frame), known.empty_half)
    spots = [(die.x, die.y) for die in seen.dice.values() if die]
    told = by_shadows(lids, change, known.view, known.layout.half_mm, known.piece_mm, spots, known.die_mm)
    levels = [int(np.argmax(odds)) for _, _, odds in told]
    assert levels == [piece.level for piece in seen.pieces.pieces]


def _twice_as_large(known: Profile) -> Profile:
    """As if board, pieces and dice were twice as large, and the camera twice as far away."""
    told, (x, y, z) = known.layout.to_json(), known.view.shift
    tags, fields = told["tags"], told["fields"]
    tags["size_mm"] *= 2
    tags["centres_mm"] = {tag: [2 * mm for mm in centre] for tag, centre in tags["centres_mm"].items()}
    fields |= {key: 2 * fields[key] for key in ("ring_radius_mm", "diameter_mm")}
    return replace(
        known,
        layout=Layout.from_json(told),
        view=replace(known.view, shift=(2 * x, 2 * y, 2 * z)),
        die_mm=2 * known.die_mm,
        piece_mm=(2 * known.piece_mm[0], 2 * known.piece_mm[1]),
    )


def test_towers_on_a_large_board_are_read() -> None:
    """63 cm wide, it is more places of 3 mm than OpenCV's `remap` takes as one row: an error once."""
    known, frame = profile(SESSION), photo(SESSION, "frames/001.jpg")
    large = read(frame, _twice_as_large(known))
    assert large.sure
    assert large.counts == read(frame, known).counts


@pytest.mark.parametrize(
    ("what", "light", "wide", "away", "covers"),
    [
        ("a shadow in the light of another lamp", (0.36, 0.5, 0.4), 1.2, 0.9, False),
        ("the same, with nothing that throws it", (0.36, 0.5, 0.4), 1.2, 1.5, True),
        ("fingertip", (0.55, 0.62, 0.85), 1.2, 0.9, True),
        ("dark sleeve", (0.1, 0.14, 0.1), 4.0, 1.5, True),
    ],
)
def test_a_tinted_shadow_beside_a_piece_covers_nothing(
    what: str, light: tuple[float, float, float], wide: float, away: float, covers: bool
) -> None:
    known, frame = profile("session-01"), photo("session-01", "frames/001.jpg").copy()
    seen = look(frame, known.view, known)
    assert not seen.hidden
    # Towards the middle of the board, so many diameters from the piece that is farthest from all dice.
    dice = np.array([(die.x, die.y) for die in seen.dice.values() if die])
    piece = max(seen.pieces.pieces, key=lambda one: float(np.hypot(*(dice - (one.x, one.y)).T).min()))
    at = np.array([piece.x, piece.y])
    at -= at / np.hypot(*at) * away * known.piece_mm[0]
    outline = known.view.project(np.pad(_disc(*at, wide * known.piece_mm[0] / 2), ((0, 0), (0, 1))))
    where = np.zeros(frame.shape[:2], np.uint8)
    cv2.fillConvexPoly(where, np.round(outline).astype(np.int32), 1)
    frame[where > 0] = (frame[where > 0] * light).astype(np.uint8)
    assert look(frame, known.view, known).hidden == covers, what


@pytest.mark.parametrize(("wide", "covers"), [(22.0, False), (60.0, True)])
def test_a_chip_on_the_edge_of_the_board_is_no_hand(wide: float, covers: bool) -> None:
    """Half of it lies on the board, half beside."""
    known, frame = profile("session-01"), photo("session-01", "frames/001.jpg").copy()
    edge = (0.0, known.layout.half_mm)
    outline = known.view.project(np.pad(_disc(*edge, wide / 2), ((0, 0), (0, 1))))
    cv2.fillConvexPoly(frame, np.round(outline).astype(np.int32), (40, 160, 40))
    assert look(frame, known.view, known).hidden == covers


@pytest.mark.parametrize("wide", [13.0, 16.0, 20.0])
@pytest.mark.parametrize("long", [9.0, 12.0, 20.0, 30.0])
def test_a_fingertip_is_no_chip_where_the_hand_looks_as_the_table_does(long: float, wide: float) -> None:
    """Skin on wood passes for a shadow: all that is seen of a hand is what reaches over the board's edge."""
    known, frame = profile("session-01"), photo("session-01", "frames/001.jpg").copy()
    edge = known.layout.half_mm
    tip = _disc(0.0, edge - long, wide / 2)
    sides = np.array([[-wide / 2, edge], [wide / 2, edge]])
    finger = cv2.convexHull(np.vstack([tip, sides]).astype(np.float32))[:, 0]
    outline = known.view.project(np.pad(finger, ((0, 0), (0, 1))))
    cv2.fillConvexPoly(frame, np.round(outline).astype(np.int32), (110, 140, 205))
    assert look(frame, known.view, known).hidden
