"""What is asked of the networks and made of their answers; the weights themselves are judged by sessions."""

from __future__ import annotations

import gc
import itertools
import math
from dataclasses import replace
from importlib.resources import files
from typing import Any
from unittest.mock import patch
from weakref import ref

import cv2
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from hardware.virtual import VirtualTable
from tests.pictures.recolour import marker_mask, recoloured
from tests.sessions import frames, photo, profile, truth
from vision import nets
from vision.board import where_board_lies
from vision.change import compare, half
from vision.dice import PLAIN, find_dice
from vision.face_net import Answer
from vision.faces import read_face, settle
from vision.geometry import Floats, Image
from vision.hues import as_features, in_hues
from vision.look import look
from vision.maps import STRIDE, Peak, peaks
from vision.marker_looks import (
    PLAINLY,
    SEEN_THROUGH,
    THROUGH,
    TopColours,
    colours_of,
    of_its_own_hue,
    off_nearest,
    plainly_bare,
    seen_through,
    which_colour,
)
from vision.marker_net import AGAIN, TEMPER, careful_of_greys, likelihoods, log_odds, scores
from vision.marker_told import (
    AGAINST_BARE,
    GREY_WITNESS,
    WITNESS,
    less_surely_bare,
    told_bare,
    told_marked,
)
from vision.matching import give
from vision.nets import ask, ask_among, beside, likely
from vision.once import once
from vision.parts import A_CALL, EVEN, NOTHING, joined, parts_with
from vision.pieces import find_pieces, look_at_ring, standing
from vision.profile import DieColour, Profile
from vision.ring_net import LEVELS, LID_PX, flat_ring, foot_of, ring_reach, seen_at
from vision.rules.markers import tell
from vision.spots import Place, Spot, spots
from vision.squares import Square, cut_out, mirrored, turned
from vision.stance_net import SELDOM, SIDE_PX, SIZE, stances, straight
from vision.tops import Table, find_tops, with_stances
from vision.tower_net import COARSE, COARSELY, FINE, FINELY, QUICK, Panel, covers, laid, look_closely, told
from vision.towers import OTHER_COUNT, SUREST, Candidate, fit

odds = st.lists(st.floats(1e-3, 1.0), min_size=LEVELS + 1, max_size=LEVELS + 1)


@given(st.lists(st.tuples(st.integers(0, 3), odds), min_size=1, max_size=5))
def test_every_way_the_pieces_can_stand_is_weighed(said: list[tuple[int, list[float]]]) -> None:
    """Against all ways, one by one: neighbours 10 mm apart clash, and other totals than six are unlikely."""
    places = [Candidate(10.0 * i, 0, tuple(p / sum(row) for p in row)) for i, (_, row) in enumerate(said)]
    fields = [field for field, _ in said]
    found = fit(places, 10.5, fields)
    total, likely = 0.0, np.zeros((len(places), LEVELS + 1))
    for heights in itertools.product(range(LEVELS + 1), repeat=len(places)):
        if any(a and b for a, b in itertools.pairwise(heights)):
            continue
        worth = float(np.prod([place.odds[h] for place, h in zip(places, heights, strict=True)]))
        worth *= 1 if sum(heights) == 6 else OTHER_COUNT
        total += worth
        likely[range(len(places)), heights] += worth
    assert found.all_ways == pytest.approx(total, rel=1e-3)
    for group in found.groups:
        for k, member in enumerate(group.members):
            for level in range(LEVELS + 1):
                share = sum(p for _, p, heights in group.ways if heights[k] == level)
                assert share == pytest.approx(likely[member, level] / total, abs=2e-3)


@given(
    # Of lids that clash, all of them as sure as can be, ways with one not yet looked at are forgotten.
    st.lists(st.tuples(st.floats(10 * SUREST, 1e-3), st.floats(0.05, 0.95)), min_size=1, max_size=4),
    st.floats(6, 40),
)
def test_a_lid_that_is_surely_there_may_be_higher(lids: list[tuple[float, float]], apart: float) -> None:
    """One piece or two under each of some lids of a field, whose feet lie elsewhere; of lids too near to each
    other only one is true. That one is none at its first place was forgotten before the next was tried."""
    places = []
    for i, (none, one) in enumerate(lids):
        places.append(Candidate(20.0 * i, 0, (1.0, one / none, 0.0, 0.0), i))
        places.append(Candidate(20.0 * i + 5, 0, (1.0, 0.0, (1 - one) / none, 0.0), i))
    found = fit(places, apart, [0] * len(places))
    total, likely = 0.0, np.zeros((len(lids), 3))
    for heights in itertools.product(range(3), repeat=len(lids)):
        stand = [20 * i + 5 * (height - 1) for i, height in enumerate(heights) if height]
        if any(b - a < apart for a, b in itertools.pairwise(stand)):
            continue
        worth = 1.0 if sum(heights) == 6 else OTHER_COUNT
        for (none, one), height in zip(lids, heights, strict=True):
            worth *= (1.0, one / none, (1 - one) / none)[height]
        total += worth
        likely[range(len(lids)), heights] += worth
    (group,) = found.groups
    for i in range(len(lids)):
        single = sum(p for _, p, heights in group.ways if heights[2 * i] == 1)
        double = sum(p for _, p, heights in group.ways if heights[2 * i + 1] == 2)
        assert (single, double) == pytest.approx(tuple(likely[i, 1:] / total), abs=2e-3)


@given(st.lists(st.lists(st.floats(1e-3, 1.0), min_size=4, max_size=4), min_size=1, max_size=4))
def test_everything_is_given_once(worth: list[list[float]]) -> None:
    """Against all ways, one by one: column 0 is free to all, the others go to one row each."""
    told = give(np.array(worth))
    ways = {}
    for columns in itertools.product(range(4), repeat=len(worth)):
        taken = [column for column in columns if column]
        if len(taken) == len(set(taken)):
            ways[columns] = float(np.prod([row[c] for row, c in zip(worth, columns, strict=True)]))
    total = sum(ways.values())
    assert told.likely == pytest.approx(max(ways.values()) / total, rel=1e-3)
    assert ways[told.columns] == pytest.approx(max(ways.values()))
    for row in range(len(worth)):
        for column in range(4):
            share = sum(value for way, value in ways.items() if way[row] == column) / total
            assert told.shares[row, column] == pytest.approx(share, abs=2e-3)


def _one(x: float, y: float, *odds: float) -> Candidate:
    return Candidate(x, y, (*odds, *(0.0,) * (LEVELS + 1 - len(odds))))


def test_six_surely_seen_pieces_are_those() -> None:
    found = fit([_one(30.0 * i, 0, 0.001, 0.999) for i in range(6)], 16, list(range(6)))
    assert [piece.level for piece in found.pieces] == [1] * 6
    assert all(piece.likely > 0.99 for piece in found.pieces)


def test_the_gap_between_three_touching_pieces_is_no_piece() -> None:
    """The middle of three is likeliest by itself, but would leave five of six."""
    around = [_one(10.4 * float(np.cos(a)), 10.4 * float(np.sin(a)), 0.2, 0.8) for a in (0, 2.1, 4.2)]
    far = [_one(100.0 + 20 * i, 0, 0.1, 0.9) for i in range(3)]
    found = fit([_one(0, 0, 0.1, 0.9), *around, *far], 16, [0, 0, 0, 0, 1, 2, 3])
    assert {(piece.x, piece.y) for piece in found.pieces} == {(one.x, one.y) for one in [*around, *far]}


def test_a_sixth_piece_stands_on_another() -> None:
    seen = [_one(30.0 * i, 0, 0.01, 0.99) for i in range(4)]
    found = fit([*seen, _one(150, 0, 0.01, 0.5, 0.49)], 16, list(range(5)))
    assert found.total == 6
    assert sorted(piece.level for piece in found.pieces) == [1, 1, 1, 1, 2]


def test_a_tower_stands_where_its_height_puts_it() -> None:
    """Five lids are seen, and six pieces there must be: the likeliest tower is one, and has its own foot."""
    known = profile("session-01")
    height = known.piece_mm[1]
    feet = [(150.0 * np.cos(a), 150.0 * np.sin(a)) for a in (0.0, 1.0, 2.0, 3.0, 4.0)]
    lids = [(*foot, (0.001, 0.98, 0.019, 0.0)) for foot in feet[:4]]
    lids.append((*seen_at(known.view, feet[4], 2, height), (0.001, 0.6, 0.399, 0.0)))
    places = standing(lids, known.view, height)
    assert len(places) == 10 and len({one.lid for one in places}) == 5
    found = fit(places, 0.85 * known.piece_mm[0], list(range(10)))
    assert found.total == 6 and len(found.pieces) == 5
    tower = next(piece for piece in found.pieces if piece.level == 2)
    assert (tower.x, tower.y) == pytest.approx(feet[4], abs=1e-6)


@given(st.floats(-140, 140), st.floats(-140, 140), st.integers(1, LEVELS), st.floats(8, 17))
@settings(deadline=None)
def test_a_lid_is_seen_on_the_lowest_lids_plane_at_its_own_pixel(
    x: float, y: float, level: int, height: float
) -> None:
    view = profile("session-01").view
    seen = seen_at(view, (x, y), level, height)
    pixels = view.project([[x, y, level * height], [*seen, height]])
    assert pixels[0] == pytest.approx(pixels[1], abs=1e-6)
    assert foot_of(view, seen, level, height) == pytest.approx((x, y), abs=1e-6)


def test_five_pieces_stay_five() -> None:
    found = fit([_one(30.0 * i, 0, 1e-6, 1 - 1e-6) for i in range(5)], 16, list(range(5)))
    assert found.total == 5


def test_of_cells_that_see_the_same_lid_one_counts() -> None:
    said = np.zeros((LEVELS + 3, 20, 20), np.float32)
    said[0] = 9
    said[1, 10, 10:12] = (20, 19)
    said[LEVELS + 1, 10, 10:12] = (0.4, -0.6)
    found = peaks(said, 2, 0.01, 24)
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
    each = likelihoods(scores(said, colours), 1.0)
    assert each.shape == (2, 4)
    assert each[0].argmax() == 2 and each[0, 2] > 0.99
    assert each[1].argmax() == 0


@pytest.mark.parametrize(
    ("seen", "score"),
    [((40, 60, 190), PLAINLY[0]), ((24, 22, 25), PLAINLY[0]), ((90, 160, 190), PLAINLY[1])],
    ids=["as the red die", "a black one in more light", "brass"],
)
def test_a_top_like_none_of_the_colours_is_rather_bare(seen: tuple[int, int, int], score: float) -> None:
    """Whatever is around it: its rim, and what it stands on."""
    dice: Image = np.array([[(40, 60, 190), (14, 14, 15)]], dtype=np.uint8)
    colours = cv2.cvtColor(dice, cv2.COLOR_BGR2LAB)[0].astype(float)
    top = cv2.circle(np.full((56, 56, 3), (200, 120, 60), dtype=np.uint8), (28, 28), 20, (90, 160, 190), -1)
    cv2.circle(top, (28, 28), 10, seen, -1)
    white: Image = np.full((56, 56, 3), 240, dtype=np.uint8)
    # What looks as the board does there is a hole; but most of what is grey does, or black.
    shown = THROUGH - 0.5 if max(seen) - min(seen) > 50 else -0.5
    on_white, on_itself = _seen([top], [white]), _seen([top], [top])
    assert plainly_bare(on_white, off_nearest(on_white, colours)) == pytest.approx(score, abs=0.5)
    assert plainly_bare(on_itself, off_nearest(on_itself, colours)) >= score + shown


def test_which_colour_a_marker_has_is_told_by_its_plain_colour_too() -> None:
    """Under gloss enough a pink one would be white; but a plainly white one is not pink."""
    white, pink, brown = (225, 230, 232), (180, 130, 240), (35, 55, 95)
    shades: list[Image] = [np.full((1, 1, 3), colour, np.uint8) for colour in (white, pink, brown)]
    colours = np.array([cv2.cvtColor(shade, cv2.COLOR_BGR2LAB)[0, 0] for shade in shades], dtype=np.float64)
    told = np.array([[0.9, 0.099, 0.001]])
    ground: list[Image] = [np.full((56, 56, 3), 90, np.uint8)]

    def shares(middle: tuple[int, ...]) -> Floats:
        top = cv2.circle(np.full((56, 56, 3), 150, np.uint8), (28, 28), 12, middle, -1)
        return which_colour(_seen([top], ground), colours, told)[0]

    plain = shares((225, 230, 232))
    assert plain.sum() == pytest.approx(1) and plain[0] > 0.999
    assert shares(pink)[1] > 0.99
    # A lamp mirrored in brown is brown under a veil.
    assert shares((100, 115, 145))[2] > 10 * told[0, 2]


def test_a_middle_unlike_all_colours_is_not_surely_the_nearer_of_two_that_are_as_near() -> None:
    """A dark orange marker was surely red."""
    colours = _dice(RED, ORANGE, BLUE)
    ground: list[Image] = [np.full((56, 56, 3), 90, np.uint8)]
    told = np.array([[0.999998, 1e-6, 1e-6]])
    for middle, sure in ((RED, True), ((0, 60, 200), False), ((0, 0, 90), True)):
        (shares,) = which_colour(_seen(_rings(middle), ground), colours, told)
        assert shares.sum() == pytest.approx(1) and shares.argmax() == 0
        assert (shares[0] > 0.999) == sure and shares[2] < 0.001


def test_a_piece_through_which_the_board_does_not_show_is_marked_where_it_shows_through_the_others() -> None:
    """Rings on a green and on a beige field, seen through them in the shade; a grey disc in the last one."""
    green, beige = (90, 160, 110), (140, 185, 215)
    fields: list[Image] = [np.full((56, 56, 3), colour, np.uint8) for colour in (green, beige, green, beige)]
    shade, grey = (0.7, 0.6, 0.8), (170, 172, 174)

    def tops(*middles: tuple[int, ...]) -> list[Image]:
        return [cv2.circle(np.full((56, 56, 3), 200, np.uint8), (28, 28), 12, one, -1) for one in middles]

    through = [
        tuple(round(v * share) for v in c) for c, share in zip((green, beige, green), shade, strict=True)
    ]
    bare = np.array([-5.0, -5.0, -5.0, 0.0])
    told = seen_through(_seen(tops(*through, grey), fields), bare)
    assert told[3] > 2 and (told[:3] == -SEEN_THROUGH[1][0]).all()
    of_its_field = tuple(round(0.75 * v) for v in beige)
    assert seen_through(_seen(tops(*through, of_its_field), fields), bare)[3] == -SEEN_THROUGH[1][0]
    tinted: list[Image] = [np.full((56, 56, 3), beige, np.uint8)] * 4
    metal = [cv2.circle(np.full((56, 56, 3), beige, np.uint8), (28, 28), 12, of_its_field, -1)] * 4
    assert (seen_through(_seen(metal, tinted), bare) == 0).all(), "in such light all grey has this hue"
    closed = seen_through(_seen(tops(*[(90, 92, 94)] * 3, grey), fields), bare)
    assert (closed == 0).all(), "cups show no board"
    assert seen_through(_seen(tops(*through, grey), fields), np.array([-5.0, 4.0, 4.0, 0.0]))[3] == 0


GOLD, WHITE = (70, 170, 220), (230, 232, 235)
RED, ORANGE, BLUE = (40, 40, 200), (20, 110, 250), (150, 70, 40)
"""BGR: bare metal, a colour that is hardly one, and three that plainly are."""


def _rings(*middles: tuple[int, int, int], rim: tuple[int, int, int] = (90, 190, 230)) -> list[Image]:
    """Tops with such middles."""
    tops: list[Image] = [np.full((56, 56, 3), rim, np.uint8) for _ in middles]
    return [cv2.circle(top, (28, 28), 12, one, -1) for top, one in zip(tops, middles, strict=True)]


def _dice(*shades: tuple[int, int, int]) -> Floats:
    """(C, 3): colours as OpenCV's 8-bit Lab."""
    patch: Image = np.array([shades], dtype=np.uint8)
    return cv2.cvtColor(patch, cv2.COLOR_BGR2LAB)[0].astype(float)


@pytest.mark.parametrize(
    ("middle", "rim", "board", "rather_bare", "told"),
    [
        (ORANGE, (90, 190, 230), (120, 90, 70), 3, 14),
        ((14, 77, 175), (90, 190, 230), (120, 90, 70), 3, 14),  # in less light
        (GOLD, (90, 190, 230), (120, 90, 70), 3, -5),
        (WHITE, (90, 190, 230), (120, 90, 70), 3, 0),  # a lamp makes gold white, too
        (ORANGE, (90, 190, 230), (20, 110, 250), 3, 0),  # the board is seen through it
        (ORANGE, (20, 110, 250), (120, 90, 70), 3, 0),  # its metal is orange
        (ORANGE, (90, 190, 230), (120, 90, 70), 1, 0),  # nobody tells what is bare
    ],
)
def test_a_hue_that_the_bare_pieces_have_not_is_a_markers_and_theirs_is_not(
    middle: tuple[int, int, int],
    rim: tuple[int, int, int],
    board: tuple[int, int, int],
    rather_bare: int,
    told: float,
) -> None:
    """A camera that gave an orange marker in gold another orange than its die had it surely bare."""
    tops = [*_rings(GOLD, (60, 150, 195), (80, 185, 238)), *_rings(middle, rim=rim)]
    ground: Image = np.full((56, 56, 3), board, np.uint8)
    odds = np.where(np.arange(4) < rather_bare, -8.0, 1.0)
    shares = np.full((4, 3), 0.002)
    shares[:, 2 if middle == WHITE else 0] = 0.996
    seen = _seen(tops, [ground] * 4)
    assert of_its_own_hue(seen, _dice(ORANGE, BLUE, WHITE), shares, odds)[3] == pytest.approx(told, abs=0.3)


def _seen(tops: list[Image], grounds: list[Image]) -> TopColours:
    return colours_of(in_hues(tops), in_hues(grounds), 40)


def test_a_marker_that_mirrors_a_lamp_may_be_of_any_colour_that_is_left() -> None:
    """What both pairs saw of a brown marker with a glare on it: most like white, but white stood in another
    piece. By the plain colours pink was 4000 times likelier then."""
    brown, white, pink = (46, 145, 136), (152, 139, 122), (106, 162, 118)
    coarse = np.array([[-5.52, -0.01, 0.34, 0, 0.81, 1.37, 1.43]])
    fine = np.array([[-8.25, 0.57, 0.23, 0.09, 0.9, 1.57, 1.48]])
    colours = np.array([brown, white, pink])
    (each,) = likelihoods(scores(coarse, colours) + scores(fine, colours), TEMPER)
    assert each[0] < 1e-3 and each.argmax() == 2
    assert each[3] < 20 * each[1]


@pytest.mark.parametrize(
    ("colour", "less_sure", "sure"),
    [((200, 128, 128), 0.3, False), ((200, 128, 128), 2.0, True), ((110, 175, 150), 0.3, True)],
    ids=["white, by one pair alone", "white, by both", "red"],
)
def test_a_grey_marker_is_sure_where_both_pairs_see_it(
    colour: tuple[int, int, int], less_sure: float, sure: bool
) -> None:
    """Metal mirrors white paper and dark rooms, but seldom anything as red as a die."""
    colours = np.array([colour, (90, 140, 85)], dtype=np.float64)
    each = np.array([[0.0003, 0.9996, 0.0001]])
    told = careful_of_greys(each, colours, np.array([less_sure]), 2)
    assert told.argmax() == 1 and (told[0, 1] > 0.999) == sure


@pytest.mark.parametrize(("colour", "sure"), [((235, 128, 128), False), ((110, 190, 170), True)])
def test_no_grey_marker_is_sure_against_a_pair_that_sees_bare_metal(
    colour: tuple[int, int, int], sure: bool
) -> None:
    """However plainly the others see it: a cup that mirrors white paper deceives most of them alike."""
    colours = np.array([colour, (90, 140, 85)], dtype=np.float64)
    told = careful_of_greys(np.array([[1e-8, 1 - 2e-8, 1e-8]]), colours, np.array([-0.1]), 2)
    assert told.argmax() == 1 and (told[0, 1] > 0.99) == sure


def test_each_piece_is_compared_with_all_others_in_whatever_order() -> None:
    rng = np.random.default_rng(5)
    shown = rng.normal(0, 0.3, (5, 8, AGAIN.size, AGAIN.size)).astype(np.float32)
    shown[3:] += 0.5
    said, order = ask_among(AGAIN.name, shown), [3, 1, 4, 0, 2]
    assert said.shape == (5, 7)
    assert np.allclose(ask_among(AGAIN.name, shown[order]), said[order], atol=1e-3)
    alone = np.concatenate([ask_among(AGAIN.name, shown[k : k + 1]) for k in range(5)])
    assert (np.abs(alone - said).max(axis=1) > 0.05).all()


@given(
    st.lists(st.lists(st.floats(1e-6, 1), min_size=4, max_size=4), min_size=1, max_size=4), st.floats(-9, 9)
)
def test_care_of_greys_turns_no_answer_and_makes_none_surer(rows: list[list[float]], less: float) -> None:
    each = np.array(rows) / np.sum(rows, axis=1, keepdims=True)
    colours = np.array([(200, 128, 128), (30, 126, 131), (110, 175, 150)], dtype=np.float64)
    told = careful_of_greys(each, colours, np.full(len(each), less), 2)
    assert np.allclose(told.sum(axis=1), 1)
    before, after = log_odds(np.log(each)), log_odds(np.log(told))
    assert (before * after >= -1e-3).all() and (np.abs(after) <= np.abs(before) + 1e-3).all()
    marked = each[:, 1:] / each[:, 1:].sum(axis=1, keepdims=True)
    assert np.allclose(told[:, 1:] / told[:, 1:].sum(axis=1, keepdims=True), marked, atol=1e-3)


def test_rules_that_see_one_marker_in_several_pieces_have_no_say() -> None:
    """One that sees it in a single piece makes that likelier; copper looks orange in all of them."""
    bare = np.array([0.9999, 0.0001, 0.0])
    alone = told_marked(np.array([bare, bare, bare]), [None, 1, 0])
    assert (alone[[0, 2]] == bare).all()
    assert alone[1, 1] / alone[1, 0] == pytest.approx(WITNESS * bare[1] / bare[0])
    several = told_marked(np.array([bare, bare, bare]), [1, 1, 0])
    assert (several == bare).all()


@given(st.lists(st.tuples(st.floats(-30, 30), st.sampled_from([None, 0, 1, 2])), min_size=1, max_size=6))
def test_what_is_bare_but_of_a_colour_by_the_rules_is_never_surely_bare(
    told: list[tuple[float, int | None]],
) -> None:
    """Unless all else says so by far; and that alone makes nothing marked."""
    odds, rules = np.array([odd for odd, _ in told]), [rule for _, rule in told]
    after = less_surely_bare(odds, rules)
    assert (after * odds >= 0).all() and (after >= odds).all()
    for one, (odd, rule) in enumerate(told):
        if not rule or rules.count(rule) > 1 or odd >= 0:
            assert after[one] == odd
        else:
            assert after[one] == min(odd + AGAINST_BARE, 0)


def test_rules_that_see_no_marker_say_little_against_a_grey_one() -> None:
    """They take one white, black or brown marker in six for metal, of the others one in thirty."""
    bare, colours = np.array([0.9998, 0.0001, 0.0001]), np.array([(110, 175, 150), (30, 126, 131)])
    (_, red, black), untold, marked = told_bare(np.array([bare] * 3), [0, None, 1], colours)
    assert red == pytest.approx(bare[1] / WITNESS) and black == pytest.approx(bare[2] / GREY_WITNESS)
    assert (untold == bare).all() and (marked == bare).all()


@pytest.mark.parametrize(("light", "white"), [(1.0, True), (0.8, False), (1.2, False)])
def test_a_pale_marker_in_pale_metal_is_told_if_it_is_as_light_as_its_die(light: float, white: bool) -> None:
    """By the rules; and no other piece then."""
    known, shown = profile("session-09"), photo("session-09", "frames/007.jpg")
    marked = truth("session-09")["007.jpg"]["markers"]
    field = next(marker["field"] for marker in marked if marker["colour"] == "white")
    change = compare(half(shown), known.empty_half)
    (diameter, height), view = known.piece_mm, known.view
    pieces = look(shown, view, known).pieces.pieces
    lids = [(piece.x, piece.y, height * piece.level) for piece in pieces]
    frame = change.frame.copy()
    for lid in lids:
        x, y = (round(v / 2) for v in view.pixel(*lid))
        scale = diameter * view.pixels_per_mm(*lid) / 2
        metal, inner = (np.zeros(frame.shape[:2], np.uint8) for _ in range(2))
        cv2.circle(metal, (x, y), round(0.5 * scale), 1, -1)
        cv2.circle(inner, (x, y), round(0.3 * scale), 1, -1)
        frame[(metal > inner)] = 225
        frame[inner > 0] = np.clip(frame[inner > 0] * light, 0, 255)
    told = tell(frame, change.empty, view, lids, diameter, known.colours)
    names = [colour.name for colour in known.colours]
    pale = [lid for lid, kind in zip(lids, told, strict=True) if kind and names[kind - 1] == "white"]
    assert len(pale) == white
    centre = known.layout.field_centres[field]
    assert all(math.dist(lid[:2], centre) < known.layout.field_mm / 2 for lid in pale)


def test_the_rules_tell_no_marker_of_the_colour_that_its_field_has() -> None:
    """A bare ring over a green field shows that, in its shade."""
    known, shown = profile("session-09"), photo("session-09", "frames/007.jpg")
    change, names = compare(half(shown), known.empty_half), [colour.name for colour in known.colours]
    (diameter, height), view = known.piece_mm, known.view
    lids = [(one.x, one.y, height * one.level) for one in look(shown, view, known).pieces.pieces]
    told = tell(change.frame, change.empty, view, lids, diameter, known.colours)
    green = told.index(1 + names.index("green"))
    x, y = (round(v / 2) for v in view.pixel(*lids[green]))
    field = np.clip(1.2 * change.frame[y, x].astype(float), 0, 255).tolist()
    board = cv2.circle(change.empty.copy(), (x, y), 10, field, -1)
    again = tell(change.frame, board, view, lids, diameter, known.colours)
    assert again == [None if lid == green else one for lid, one in enumerate(told)]


def test_a_mirror_shows_the_same_from_the_other_side() -> None:
    """Turned by a half and mirrored twice, a picture and its lean are as they were."""
    blob = np.random.default_rng(3).normal(size=(2, 8, 5, 5)).astype(np.float32)
    other = mirrored(blob)
    assert (other[:, :6] == blob[:, :6, :, ::-1]).all()
    assert (other[:, 6] == -blob[:, 6, :, ::-1]).all() and (other[:, 7] == blob[:, 7, :, ::-1]).all()
    assert (mirrored(turned(mirrored(turned(blob, 1)), 1)) == blob).all()


def test_shade_leaves_hues_alone() -> None:
    """Light and colours in the pictures, and colours by themselves, take the same form."""
    light = np.random.default_rng(2).integers(90, 250, (28, 28, 3)).astype(np.uint8)
    lit, shaded = in_hues([light, (light * 0.6).astype(np.uint8)])
    assert np.abs(lit[1:] - shaded[1:]).max() < 0.12
    assert (lit[0] > shaded[0] + 0.3).all()
    lab = cv2.cvtColor(light, cv2.COLOR_BGR2LAB)
    assert as_features(lab[3]) == pytest.approx(lit[:, 3].T, abs=1e-5)


def test_a_marker_is_shown_in_another_colour_and_its_piece_as_it_was() -> None:
    dice = np.array([[(40, 40, 190), (190, 90, 40)]], np.uint8)
    red, blue = cv2.cvtColor(dice, cv2.COLOR_BGR2LAB)[0].astype(float)
    picture = np.full((42, 42, 3), (90, 120, 100), np.uint8)
    cv2.circle(picture, (20, 20), 10, (190, 190, 190), -1)
    bare = picture.copy()
    cv2.circle(picture, (20, 20), 5, (40, 40, 190), -1)
    mask = marker_mask(picture, red, 12)
    assert mask is not None
    shown = recoloured(picture, mask, red, blue)
    assert shown[20, 20].tolist() == pytest.approx((190, 90, 40), abs=12)
    far = np.hypot(*np.meshgrid(np.arange(42) - 20, np.arange(42) - 20)) > 10
    assert (shown[far] == picture[far]).all()
    assert marker_mask(bare, red, 12) is None


def test_a_piece_is_told_beside_the_mean_of_the_others() -> None:
    """Each other counts by its last number; a piece never counts for itself."""
    codes = np.array([[1, 10, 1.0], [2, 20, 1.0], [6, 60, 0.0]], np.float32).reshape(3, 3, 1, 1)
    told = beside(codes)[:, :, 0, 0]
    assert told[:, :2].tolist() == [[1, 10], [2, 20], [6, 60]]
    assert told[:, 2:] == pytest.approx(np.array([[2, 20], [1, 10], [1.5, 15]]), rel=0.01)
    assert beside(codes[:1]).tolist() == [[[[1]], [[10]], [[0]], [[0]]]]


@pytest.mark.parametrize("session", ["session-01", "session-09"])
def test_light_pips_and_dark_ones_are_told_apart(session: str) -> None:
    known, shown = profile(session), photo(session, "frames/001.jpg")
    change = compare(half(shown), known.empty_half)
    found = find_dice(Table(shown, known.empty, known.view, change, known.die_mm), known.colours).dice
    pips = set()
    for colour in known.colours:
        die = found[colour.name]
        assert die is not None
        light = settle(shown, known.view, (die.x, die.y), die.pips, known.die_mm)[3]
        assert abs(light) > PLAIN[1] and (light > 0) == colour.bright_pips
        pips.add(colour.bright_pips)
    assert pips == {True, False}


def test_a_die_that_is_taken_for_a_lid_is_found_after_all() -> None:
    """Where pieces' lids seem to be, dice are looked for last, and still found."""
    known, shown = profile("session-01"), photo("session-01", "frames/001.jpg")
    change = compare(half(shown), known.empty_half)
    asked = (Table(shown, known.empty, known.view, change, known.die_mm), known.colours)
    found = find_dice(*asked).dice
    lids = [(known.view.pixel(die.x, die.y, known.die_mm), 0.01) for die in found.values() if die]
    assert len(lids) == 6
    again = find_dice(*asked, lids=lids).dice
    assert {name: die and die.pips for name, die in again.items()} == truth("session-01")["001.jpg"]["dice"]


@pytest.mark.parametrize(("session", "name"), frames(readable=True))
def test_dice_are_found_that_lie_beside_where_they_seem_to(
    session: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every place named four tenths of a side off."""
    known = profile(session)
    shown = photo(session, f"frames/{name}")
    change = compare(half(shown), known.empty_half)

    def aside(*_: object) -> list[Spot]:
        seen = spots(known.view, change, known.die_mm)
        turns = np.random.default_rng(5).uniform(0, 2 * np.pi, len(seen))
        away = zip(0.4 * known.die_mm * np.cos(turns), 0.4 * known.die_mm * np.sin(turns), strict=True)
        return [((x + u, y + v), likely) for ((x, y), likely), (u, v) in zip(seen, away, strict=True)]

    monkeypatch.setattr("vision.tops.spots", aside)
    found = find_dice(Table(shown, known.empty, known.view, change, known.die_mm), known.colours).dice
    assert {name: die and die.pips for name, die in found.items()} == truth(session)[name]["dice"]
    assert all(die and die.flat > 0.9 for die in found.values())


@pytest.mark.parametrize("thing_seen", [False, True])
def test_of_two_dice_that_touch_one_shows_where_the_other_is(
    thing_seen: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where a thing is seen that may be the sixth die: it does not stand for the one that is missing."""
    known, shown = profile("play-03"), photo("play-03", "frames/003.jpg")
    change = compare(half(shown), known.empty_half)
    asked = (Table(shown, known.empty, known.view, change, known.die_mm), known.colours)
    places = {(die.x, die.y) for die in find_dice(*asked).dice.values() if die}
    near = min(itertools.combinations(places, 2), key=lambda pair: math.dist(*pair))
    assert math.dist(*near) < 1.2 * known.die_mm
    thing = next(
        place
        for place, _ in spots(known.view, change, known.die_mm)
        if min(math.dist(place, die) for die in places) > 2 * known.die_mm
    )
    named = sorted(places - {near[0]}) + [thing] * thing_seen
    plainly = Table.ask

    def doubting(table: Table, at: list[tuple[float, float]], turns: int = 1) -> list[Answer]:
        said = plainly(table, at, turns)
        return [replace(one, die=0.6) if math.dist((one.x, one.y), thing) < 10 else one for one in said]

    monkeypatch.setattr(Table, "ask", doubting)
    monkeypatch.setattr("vision.tops.spots", lambda *_: [(place, 0.9) for place in named])
    found = find_dice(*asked).dice
    assert {name: die and die.pips for name, die in found.items()} == truth("play-03")["003.jpg"]["dice"]


Deluded = tuple[Table, tuple[DieColour, ...], Place, Place]


@pytest.fixture
def deluded(monkeypatch: pytest.MonkeyPatch) -> Deluded:
    """A table, its dice's colours, and of its places two: five dice and a thing that seems a flat six are the
    likeliest; the sixth die is among the others."""
    known, shown = profile("play-03"), photo("play-03", "frames/003.jpg")
    change = compare(half(shown), known.empty_half)
    table = Table(shown, known.empty, known.view, change, known.die_mm)
    dice = find_dice(Table(shown, known.empty, known.view, change, known.die_mm), known.colours).dice
    *five, sixth = ((die.x, die.y) for die in dice.values() if die)
    thing = next(
        place
        for place, _ in spots(known.view, change, known.die_mm)
        if min(math.dist(place, die) for die in (*five, sixth)) > 2 * known.die_mm
    )
    plainly, six = Table.ask, np.eye(6)[5]

    def ask(table: Table, at: list[Place], turns: int = 1) -> list[Answer]:
        return [
            replace(one, die=0.99, pips=six) if _near(one, thing) else one
            for one in plainly(table, at, turns)
        ]

    monkeypatch.setattr(Table, "ask", ask)
    monkeypatch.setattr("vision.tops.AT_FIRST", 6)
    likely = [(place, 0.9) for place in (*five, thing)]
    monkeypatch.setattr("vision.tops.spots", lambda *_: [*likely, (sixth, 0.5)])
    return table, known.colours, sixth, thing


def _near(top: Answer, place: Place) -> bool:
    return math.dist((top.x, top.y), place) < 10


@pytest.mark.parametrize("flat", [0.5, 1.0])
def test_what_seems_a_die_at_first_stands_for_none(
    flat: float,
    deluded: Deluded,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It leans, or lies flat and has no colour of the set."""
    table, colours, _, thing = deluded

    def leaning(table: Table, tops: list[Answer]) -> list[Answer]:
        return [replace(one, flat=flat) if _near(one, thing) else one for one in with_stances(table, tops)]

    monkeypatch.setattr("vision.tops.with_stances", leaning)
    found = find_dice(table, colours).dice
    assert {name: die and die.pips for name, die in found.items()} == truth("play-03")["003.jpg"]["dice"]


def test_what_is_no_die_when_it_is_looked_for_from_beside_ends_no_search(
    deluded: Deluded, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, _, sixth, thing = deluded

    def upright(table: Table, tops: list[Answer]) -> list[Answer]:
        return [replace(one, flat=0.98) if _near(one, thing) else one for one in with_stances(table, tops)]

    def placed(table: Table, tops: list[Answer]) -> list[Answer]:
        return [replace(one, die=0.9) if _near(one, thing) else one for one in tops]

    monkeypatch.setattr("vision.tops.with_stances", upright)
    monkeypatch.setattr("vision.tops.better_placed", placed)
    assert any(_near(top, sixth) for top in find_tops(table, 6))


def test_what_hardly_seems_a_die_gives_way_to_the_one_beside_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """A white die on a white table is seen by its shadow, and there it may be a die, and stays one."""
    known, shown = profile("session-01"), photo("session-01", "frames/001.jpg")
    change = compare(half(shown), known.empty_half)
    asked = (Table(shown, known.empty, known.view, change, known.die_mm), known.colours)
    *five, sixth = ((die.x, die.y) for die in find_dice(*asked).dice.values() if die)
    shadow = (sixth[0] + 0.65 * known.die_mm, sixth[1])
    plainly = Table.ask

    def deluded(table: Table, at: list[tuple[float, float]], turns: int = 1) -> list[Answer]:
        def seen(place: tuple[float, float], said: Answer) -> Answer:
            beside = 0.5 * known.die_mm < math.dist(place, sixth) < 0.9 * known.die_mm
            return replace(said, x=place[0], y=place[1], die=0.8) if beside else said

        return [seen(*one) for one in zip(at, plainly(table, at, turns), strict=True)]

    monkeypatch.setattr(Table, "ask", deluded)
    monkeypatch.setattr("vision.tops.spots", lambda *_: [(place, 0.9) for place in (*five, shadow)])
    found = find_dice(*asked).dice
    assert {name: die and die.pips for name, die in found.items()} == truth("session-01")["001.jpg"]["dice"]
    assert min(math.dist((die.x, die.y), sixth) for die in found.values() if die) < 0.1 * known.die_mm


@pytest.mark.parametrize("pixel", [(700, -60), (-60, 400), (700, 924), (1600, 400)])
def test_nothing_is_new_where_no_picture_is(pixel: tuple[int, int]) -> None:
    """Dice are looked for beside others, so beyond the photo's edges, too."""
    known = profile("session-09")
    change = compare(known.empty_half, known.empty_half)
    all_new = replace(change, much=np.full_like(change.much, 255))
    table = Table(known.empty, known.empty, known.view, all_new, known.die_mm)

    def top(x: int, y: int) -> Answer:
        return Answer(*known.view.unproject([(x, y)], known.die_mm)[0], 1.0, 1.0, np.ones(6) / 6)

    assert table.is_new(top(700, 400)) and not table.is_new(top(*pixel))


def test_of_a_plain_one_on_a_table_of_its_colour_the_pip_alone_is_new() -> None:
    """A white die on white paper had been seen, and was none: too little of its place had changed."""
    known = profile("session-09")
    change = compare(known.empty_half, known.empty_half)
    change = replace(change, much=np.zeros_like(change.much))
    table = Table(known.empty, known.empty, known.view, change, known.die_mm)
    x, y = known.view.pixel(10.0, 5.0, known.die_mm)
    pip = known.die_mm * known.view.pixels_per_mm(10.0, 5.0, known.die_mm) * known.dots.radius
    plain, vague = (Answer(10.0, 5.0, 1.0, 1.0, pips) for pips in (np.eye(6)[0], np.ones(6) / 6))
    assert not table.is_new(plain)
    cv2.circle(change.much, (round(8 * x), round(8 * y)), round(8 * pip), 60, -1, cv2.LINE_AA, 4)
    assert table.is_new(plain) and not table.is_new(vague)


def test_two_looks_that_exclude_what_the_other_tells_leave_every_value_open(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    known = profile("session-09")
    change = compare(known.empty_half, known.empty_half)
    table = Table(known.empty, known.empty, known.view, change, known.die_mm)
    monkeypatch.setattr("vision.tops.stances", lambda *_: (np.ones(1), np.eye(6)[None, 1]))
    (top,) = with_stances(table, [Answer(0.0, 0.0, 1.0, 1.0, np.eye(6)[0])])
    assert top.pips == pytest.approx(np.full(6, 1 / 6))


def test_dice_are_looked_for_where_something_is_new() -> None:
    """A die that lies alone is found where it is; on a table where nothing changed none is."""
    known = profile("session-09")
    shown = photo("session-09", "dice.jpg")
    assert spots(known.view, compare(known.empty_half, known.empty_half), known.die_mm) == []
    (x, y), _ = spots(known.view, compare(half(shown), known.empty_half), known.die_mm)[0]
    column, row = (int(v) for v in known.view.project([[x, y, known.die_mm]])[0])
    alone, around = known.empty.copy(), 60
    here = (slice(max(row - around, 0), row + around), slice(max(column - around, 0), column + around))
    alone[here] = shown[here]
    found = spots(known.view, compare(half(alone), known.empty_half), known.die_mm)
    assert min(math.dist((x, y), place) for place, _ in found) < 2.0


def test_what_is_made_of_a_picture_that_stays_is_made_once() -> None:
    asked: list[tuple[int, int]] = []

    @once
    def brighter(picture: Image, by: int) -> Image:
        asked.append((id(picture), by))
        return picture + by

    one, other = (np.full((2, 2, 3), 7, np.uint8) for _ in range(2))
    first = brighter(one, 1)
    assert brighter(one, 1) is first
    assert asked == [(id(one), 1)]
    assert brighter(one, 2)[0, 0, 0] == 9  # other arguments
    assert brighter(other, 2) is not brighter(one, 2)  # another picture, though it looks the same
    assert len(asked) == 4
    gone = ref(brighter(other, 2))
    del other
    gc.collect()
    assert gone() is None  # nothing is kept of a picture that is gone


def test_a_flat_die_laid_straight_fills_its_square() -> None:
    """The picture's middle square is the die's top, and the camera looks aside to the lower right."""
    session = "session-09"
    known = profile(session)
    frame = photo(session, "frames/001.jpg")
    change = compare(half(frame), known.empty_half)
    seen = 0
    for (x, y), _ in spots(known.view, change, known.die_mm):
        face = read_face(frame, known.view, (x, y), known.die_mm)
        if face.match < 0.8 or face.edge < 0.6:
            continue
        top = (face.x, face.y, face.turn)
        now, then, plan = straight(frame, known.empty, known.view, change.lights, top, known.die_mm)
        assert now.shape == then.shape == (SIZE, SIZE, 3) and plan.shape == (SIZE, SIZE, 2)
        whole, lid = plan[..., 0] > 127, plan[..., 1] > 127
        assert lid.sum() == pytest.approx(SIDE_PX**2, rel=0.15) and not (lid & ~whole).any()
        # The camera looks aside to the lower right: the die's sides are seen left of its top and above it.
        rows, columns = np.nonzero(whole & ~lid)
        assert rows.mean() <= SIZE / 2 and columns.mean() <= SIZE / 2
        new = np.abs(now.astype(int) - then).max(axis=2) > 12
        assert new[cv2.erode(whole.astype(np.uint8), np.ones((5, 5))) > 0].mean() > 0.7
        seen += 1
    assert seen >= 4


@pytest.mark.parametrize("name", ["session-04/frames/001", "session-09/frames/007", "play-03/frames/002"])
def test_of_the_ring_only_what_is_around_new_things_is_shown_and_no_lid_is_told_otherwise(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, _, which = name.partition("/")
    known = profile(session)
    change = compare(half(photo(session, f"{which}.jpg")), known.empty_half)
    seen = look_at_ring(change, known.view, known.layout, known.piece_mm)
    monkeypatch.setattr("vision.pieces.AROUND", 1000)
    whole = look_at_ring(change, known.view, known.layout, known.piece_mm)
    assert sum(one.size for one in seen.pictures) < sum(one.size for one in whole.pictures)
    for shown, all_shown in ((seen.lids, whole.lids), (seen.lids_in_all_turns(), whole.lids_in_all_turns())):
        assert len(shown) == len(all_shown) >= 6
        for (*place, odds), (*there, all_odds) in zip(shown, all_shown, strict=True):
            assert np.allclose(place, there, atol=1e-3) and np.allclose(odds, all_odds, atol=1e-4)


@given(
    st.integers(1, 50),
    st.integers(1, 50),
    st.integers(0, 8),
    st.lists(st.tuples(st.floats(0, 0.999), st.floats(0, 0.999)), max_size=8),
    st.sampled_from([0, A_CALL]),
)
def test_a_network_is_shown_all_that_is_asked_with_what_is_beside_it_and_answers_each_cell_once(
    high: int, wide: int, beside: int, places: list[tuple[float, float]], a_call: int
) -> None:
    """Parts may overlap, most where another call costs nothing."""
    asked = np.zeros((EVEN * high, EVEN * wide), dtype=bool)
    for down, across in places:
        asked[int(down * len(asked)), int(across * asked.shape[1])] = True
    with patch("vision.parts.A_CALL", a_call):
        shown = parts_with(asked, beside)
    answered = np.zeros(asked.shape, dtype=int)
    for one in shown:
        for cells, pixels, count in zip(one.part, one.pixels, asked.shape, strict=True):
            assert cells.start % EVEN == 0 and (cells.stop - cells.start) % EVEN == 0 and cells.stop <= count
            assert (pixels.start, pixels.stop) == (STRIDE * cells.start, STRIDE * cells.stop)
        answered[one.own] += 1
        near, own = np.zeros_like(asked), np.zeros(asked.shape, dtype=np.uint8)
        near[one.part] = True
        own[one.own] = asked[one.own]
        assert near[cv2.dilate(own, np.ones((2 * beside + 1, 2 * beside + 1))) > 0].all()
    assert answered.max(initial=0) <= 1 and answered[asked].all()
    # A network that says which cell it sees: each cell that is answered for has its own answer.
    rows, columns = np.indices(asked.shape)
    which = np.stack([rows * 0, rows * 0 + 1, rows, columns]).astype(np.float32)
    whole = joined(shown, [which[:, *one.part] for one in shown], 1, asked.shape)
    assert (whole[:, answered == 1] == which[:, answered == 1]).all()
    assert (whole[0, answered == 0] == NOTHING).all() and not whole[1:, answered == 0].any()


def test_a_map_is_cut_where_that_shows_less() -> None:
    asked = np.zeros((80, 100), dtype=bool)
    asked[4:10, 6:12] = asked[60:70, 80:90] = True
    corners = parts_with(asked, 5)
    assert [(one.part[0].start, one.part[1].start) for one in corners] == [(0, 0), (54, 74)]
    asked[4:70:8, 6:90:8] = True
    assert len(parts_with(asked, 5)) == 1
    assert parts_with(np.zeros((80, 100), dtype=bool), 5) == []


def test_on_an_empty_board_no_lid_is_seen() -> None:
    known = profile("session-04")
    change = compare(known.empty_half, known.empty_half)
    assert look_at_ring(change, known.view, known.layout, known.piece_mm).lids == []


def test_lids_in_doubt_are_shown_to_four_pairs_of_networks_coarse_and_fine_and_in_a_mirror(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    known = profile("session-04")
    frame = photo("session-04", "frames/001.jpg")
    change = compare(half(frame), known.empty_half)
    lids = look_at_ring(change, known.view, known.layout, known.piece_mm).lids
    shown: list[tuple[str, Floats]] = []

    def ask_beside(name: str, blob: Floats) -> Floats:
        shown.append((name, blob))
        return np.tile([0.0, len(shown), 0, 0], (len(blob), 1))

    monkeypatch.setattr("vision.tower_net.ask_beside", ask_beside)
    seen = (lids, frame, known.empty, change.lights, known.view, known.piece_mm)
    once = told(lids, [look_closely(QUICK, *seen)])
    assert [(name, blob.shape[-1]) for name, blob in shown] == [("towers", COARSE.size)]
    shown.clear()
    often = told(lids, [look_closely(panel, *seen) for panel in (COARSELY, FINELY)])
    pairs = {"towers": COARSE, "towers-again": COARSE, "towers-fine": FINE, "towers-fine-again": FINE}
    for pair, cut in pairs.items():
        blob, mirror = (blob for name, blob in shown if name == pair)
        assert blob.shape[-1] == cut.size
        assert np.array_equal(mirror[:, :-3, :, ::-1], blob[:, :-3])
    assert len(shown) == 2 * len(pairs)
    for first, mean in zip(once, often, strict=True):
        assert first[:2] == mean[:2]
        assert mean[2][1] > first[2][1], "4.5 on the mean of eight, and four pairs are surer than one"


@pytest.mark.parametrize(
    ("session", "name", "fine"), [("session-09", "008", True), ("session-04", "001", False)]
)
def test_where_six_do_not_come_out_those_alone_count_who_know_games_without_a_lone_piece(
    monkeypatch: pytest.MonkeyPatch, session: str, name: str, fine: bool
) -> None:
    known, frame = profile(session), photo(session, f"frames/{name}.jpg")
    asked: list[Panel] = []
    counted: list[int] = []

    def closely(panel: Panel, *seen: Any) -> Floats:
        asked.append(panel)
        return look_closely(panel, *seen)

    def heard(lids: list[Peak], scores: list[Floats]) -> list[Peak]:
        counted.append(len(scores))
        return told(lids, scores)

    monkeypatch.setattr("vision.pieces.look_closely", closely)
    monkeypatch.setattr("vision.pieces.told", heard)
    change = compare(half(frame), known.empty_half)
    find_pieces(look_at_ring(change, known.view, known.layout, known.piece_mm), frame, known.empty, [], 16)
    assert asked.count(COARSELY) == asked.count(FINELY) == 1
    assert counted[-2:] == [2, 1] if fine else counted[-1] == 2


def test_a_die_that_leaves_a_doubt_is_shown_to_another_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first is sure of one die; of one it does not know how it lies, of one what it shows."""
    known = profile("session-09")
    frame = photo("session-09", "frames/001.jpg")
    lights = compare(half(frame), known.empty_half).lights
    sure, leaning, vague = [9.0, 12, 0, 0, 0, 0, 0], [0.0, 0, 12, 0, 0, 0, 0], [9.0, 0, 0, 3, 3, 0, 0]
    shown: list[tuple[str, int]] = []

    def ask(name: str, blob: Floats) -> Floats:
        shown.append((name, len(blob)))
        said = (
            [sure, leaning, vague]
            if name == "stances"
            else [[9.0, 0, 12, 0, 0, 0, 0], [9.0, 0, 0, 0, 9, 0, 0]]
        )
        return np.array(said, dtype=np.float32)

    monkeypatch.setattr("vision.stance_net.ask", ask)
    tops = [(0.0, 0.0, 0.0), (30.0, 0.0, 0.0), (60.0, 0.0, 0.0)]
    flat, pips = stances(frame, known.empty, known.view, lights, tops, known.die_mm)
    assert shown == [("stances", 3), ("stances-again", 2)]
    assert flat == pytest.approx(likely(SELDOM + np.array([9, 4.5, 9])))
    assert (pips.argmax(axis=1) + 1).tolist() == [1, 2, 4]
    assert np.log(pips[2, 3] / pips[2, 2]) == pytest.approx(4.5, rel=1e-5)


def test_what_the_networks_of_the_table_leave_open_the_one_of_loose_dice_reads(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Both take a second value for just as likely as the right one: all six are read all the same."""
    known = profile("session-09")
    frame = photo("session-09", "frames/001.jpg")

    def torn(name: str, blob: Floats) -> Floats:
        said = ask(name, blob).copy()
        first = 2 if name == "dice" else 1
        values = said[:, first : first + 6]
        rows, best = np.arange(len(values)), values.argmax(axis=1)
        values[rows, (best + 1) % 6] = values[rows, best]
        return said

    monkeypatch.setattr("vision.tops.ask", torn)
    monkeypatch.setattr("vision.stance_net.ask", torn)
    change = compare(half(frame), known.empty_half)
    found = find_dice(Table(frame, known.empty, known.view, change, known.die_mm), known.colours)
    for name, pips in truth("session-09")["001.jpg"]["dice"].items():
        die = found.dice[name]
        assert die and die.pips == pips and die.value > 0.9


@given(st.floats(0, 2 * np.pi), st.floats(30, 140))
def test_a_lid_is_laid_straight(towards: float, away: float) -> None:
    """What lies further from the camera's foot is seen above it."""
    view = profile("session-01").view
    lid = view.eye[:2] + away * np.array([np.cos(towards), np.sin(towards)])
    beyond = lid + 6 * np.array([np.cos(towards), np.sin(towards)])
    frame = np.zeros((864, 1536, 3), dtype=np.uint8)
    x, y = view.project([[*beyond, 12.0]])[0]
    assume(10 < x < 1525 and 10 < y < 853)
    cv2.circle(frame, (round(x), round(y)), 3, (255, 255, 255), -1)
    turn, _ = laid(view, (float(lid[0]), float(lid[1])))
    seen = cut_out(frame, view, Square((float(lid[0]), float(lid[1])), 12.0, 0.6, 61, turn))
    rows, columns = np.nonzero(seen.max(axis=2) > 127)
    assert rows.mean() == pytest.approx(30 - 10, abs=1.5) and columns.mean() == pytest.approx(30, abs=1.5)


def test_a_higher_tower_covers_more_of_the_board_and_nothing_less() -> None:
    lid, one, two, three = (cover > 0.5 for cover in covers(FINE, np.array([0.2]))[0])
    for low, high in ((lid, one), (one, two), (two, three)):
        assert not (low & ~high).any()
        rows, _ = np.nonzero(high & ~low)
        assert len(rows) == pytest.approx(0.2 * FINE.lid_px**2, rel=0.1)
        assert rows.min() > np.nonzero(lid)[0].mean(), "its side is seen below its lid"


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


def test_a_network_runs_in_the_engine_that_is_quickest_for_it() -> None:
    """OpenCV 5.0 does not heed the engine it is told for a network that is read from memory."""
    for name, wanted in (("spots", "CLASSIC"), ("loose_dice_finder", "CLASSIC"), ("pieces", "AUTO")):
        engine = getattr(cv2.dnn, f"ENGINE_{wanted}", None)
        weights = str(files("vision").joinpath("weights", f"{name}.onnx"))
        asked = cv2.dnn.readNetFromONNX(weights, *([] if engine is None else [engine]))
        assert _layers(nets._loaded(name)) == _layers(asked)


def _layers(network: cv2.dnn.Net) -> list[str]:
    return [network.getLayer(name).type for name in network.getLayerNames()]
