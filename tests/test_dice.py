"""Dice on the table: one that seems to lean is looked for again, and each is known by more than its top."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sessions import frames, photo, profile, truth
from tests.slowly import slowly
from vision.board import in_place, where_board_lies
from vision.change import compare, half
from vision.dice import find_dice
from vision.face_net import Answer
from vision.geometry import Floats, Image
from vision.look import look
from vision.outline import evenly_sharp
from vision.profile import Profile
from vision.read import read
from vision.tops import SAME, Table, agreed, better_placed, find_tops
from vision.values import SLID

READABLE = frames(readable=True)
MM = 16.0


def table_of(session: str, name: str) -> tuple[Table, Profile]:
    known, frame = profile(session), photo(session, f"frames/{name}")
    board = where_board_lies(frame, known)
    assert board.view is not None
    frame, (empty, empty_half) = in_place(frame, board), known.empty_from(board.view)
    change = compare(half(frame), empty_half)
    return Table(frame, empty, board.view, change, known.die_mm, known.dots), known


def answer(x: float, flat: float, light: float = 0.8, value: int = 3) -> Answer:
    pips = np.full(6, 0.01)
    pips[value - 1] = 0.95
    return Answer(x, 0.0, 0.99, flat, pips, 0.0, light)


likely = st.floats(0.001, 0.9999)


@given(flats=st.lists(likely, min_size=1, max_size=6), elsewhere=st.lists(likely, max_size=3))
def test_of_looks_at_one_place_the_mean_counts_and_none_from_elsewhere(
    flats: list[float], elsewhere: list[float]
) -> None:
    """The flattest of many would make a leaning die flat."""
    here = [answer(0.9 * SAME * MM * (k % 2), flat) for k, flat in enumerate(flats)]
    there = [answer(MM, flat, light=0.0) for flat in elsewhere]
    told = agreed([*here, *there], MM)
    assert min(flats) - 1e-6 <= told.flat <= max(flats) + 1e-6
    assert told.pips.sum() == pytest.approx(1) and told.pips.argmax() == 2


def test_the_place_is_where_pips_match_and_the_die_looks_flat() -> None:
    """The side of a rendered die matched better than its top, and leaned."""
    told = agreed([answer(-9, 0.02), answer(-8, 0.66, light=0.69), answer(0, 0.9999, light=0.67)], MM)
    assert told.x == 0 and told.flat == pytest.approx(0.9999)


def beside(table: Table, tops: list[Answer]) -> Iterator[tuple[Answer, Answer]]:
    """Each top, and the same taken to be half a side farther from the camera's foot, leaning."""
    for top in tops:
        out = np.array((top.x, top.y)) - table.view.eye[:2]
        x, y = (top.x, top.y) + 0.5 * table.die_mm * out / np.hypot(*out)
        yield top, replace(top, x=float(x), y=float(y), flat=0.1, light=0.1)


def test_a_flat_die_that_is_taken_to_be_elsewhere_is_found_where_it_lies() -> None:
    right, told = 0, 0
    for session, name in READABLE:
        table, _ = table_of(session, name)
        tops = find_tops(table, 6)
        for top, wrong in beside(table, tops):
            others = [other for other in tops if other is not top]
            *_, seen = better_placed(table, [*others, wrong])
            told += 1
            right += np.hypot(seen.x - top.x, seen.y - top.y) < 0.1 * table.die_mm and seen.flat > 0.999
    assert told >= 48 and right >= 0.9 * told


def older(known: Profile) -> Profile:
    """From before rims and sides were learned."""
    return replace(known, colours=tuple(replace(die, rim=None, sides=None) for die in known.colours))


def with_lamp(frame: Image, table: Table, x: float, y: float) -> Image:
    """A lamp is mirrored in all of a top but its rim."""
    side = table.die_mm * table.view.pixels_per_mm(x, y, table.die_mm)
    across, down = (round(16 * v) for v in table.view.pixel(x, y, table.die_mm))
    shine = np.zeros(frame.shape[:2], np.float32)
    cv2.circle(shine, (across, down), round(16 * 0.3 * side), 0.9, -1, cv2.LINE_AA, 4)
    light = (frame / 255) ** 2.2 + cv2.GaussianBlur(shine, (0, 0), 0.04 * side)[..., None]
    return np.asarray(255 * np.clip(light, 0, 1) ** (1 / 2.2)).astype(np.uint8)


def lacks(table: Table, known: Profile) -> float:
    """What the names lack to certainty, added up over the dice, a lamp being mirrored in each in turn."""
    lack = 0.0
    for colour, die in find_dice(table, known.colours).dice.items():
        assert die is not None
        shining = replace(table, frame=with_lamp(table.frame, table, die.x, die.y))
        seen = find_dice(shining, known.colours)
        lit = seen.dice[colour]
        there = lit is not None and np.hypot(lit.x - die.x, lit.y - die.y) < 0.3 * known.die_mm
        lack += 1 - seen.named if there else 1
    return lack


@pytest.mark.slow
def test_a_die_in_which_a_lamp_is_mirrored_is_known_by_its_rim_and_sides() -> None:
    """By its top alone it may be the white one, or none of the six."""
    tables = [table_of(session, name) for session, name in READABLE[::2]]
    by_all = [lacks(table, known) for table, known in tables]
    by_tops = [lacks(table, older(known)) for table, known in tables]
    assert sum(by_all) < 0.5 * sum(by_tops) and max(by_all) < 0.5


@pytest.mark.parametrize(("session", "name"), READABLE)
def test_an_older_profile_is_read_as_before(session: str, name: str) -> None:
    known, frame = profile(session), photo(session, f"frames/{name}")
    view = where_board_lies(frame, known).view
    assert view is not None
    seen = look(frame, view, older(known))
    assert {colour: die and die.pips for colour, die in seen.dice.items()} == truth(session)[name]["dice"]


@pytest.mark.parametrize(
    ("session", "name", "colour", "share"),
    slowly(
        [
            ("session-01", "004.jpg", "yellow", 0.36),
            ("play-03", "002.jpg", "brown", 0.36),
            ("session-04", "006.jpg", "purple", 0.4),
        ]
    ),
)
def test_a_four_that_slides_is_no_six_for_sure(session: str, name: str, colour: str, share: float) -> None:
    """Along its side each two of its pips become one long bar, and so look a six's three, to the networks."""
    known, frame = profile(session), photo(session, f"frames/{name}")
    (outline,) = (np.array(die.outline) for die in read(frame, known).seen_dice if die.colour == colour)
    for way in (outline[1] - outline[0], outline[2] - outline[1]):
        reading = read(sliding(frame, outline, share * way), known)
        assert f"die {colour}" in [doubt.what for doubt in reading.doubts]


@pytest.mark.slow
def test_a_die_that_is_there_twice_is_doubted() -> None:
    """Dice of the photo of the dice lie where they lay in that, far from all else."""
    said = []
    for session, name in READABLE:
        known, frame, dice = profile(session), photo(session, f"frames/{name}"), photo(session, "dice.jpg")
        there, added = read(frame, known), read(dice, known).seen_dice
        taken = [die.centre for die in there.seen_dice] + [piece.centre for piece in there.pieces]
        for die in added:
            others = [*taken, *(other.centre for other in added if other is not die)]
            if min(math.dist(die.centre, other) for other in others) > 70:
                doubts = read(with_die(frame, dice, np.array(die.outline)), known).doubts
                assert doubts, (session, name, die.colour)
                said += [doubt for doubt in doubts if doubt.why == "another die of its colour is in view"]
    assert len(said) >= 10


def with_die(frame: Image, other: Image, outline: Floats) -> Image:
    """The frame, and what another photo of the table has around a top that is seen in `outline` (pixels)."""
    where = np.zeros(frame.shape[:2], np.float32)
    reach = 1.9 * np.abs(outline - outline.mean(axis=0)).max()
    cv2.circle(where, np.round(outline.mean(axis=0)).astype(int).tolist(), round(reach), 1, -1)
    share = cv2.GaussianBlur(where, (0, 0), 2)[..., None]
    return np.asarray(frame * (1 - share) + other * share, np.uint8)


@pytest.mark.parametrize("side", [0, 1])
def test_a_six_between_lighter_dice_is_no_four_that_slides(side: int) -> None:
    """Two sides of its outline are far steeper than the others, but its pips stay sharp."""
    known, frame = profile("session-04"), photo("session-04", "frames/001.jpg").copy()
    (six,) = (np.array(die.outline) for die in read(frame, known).seen_dice if die.colour == "brown")
    corners = np.roll(six, side, axis=0)
    away = corners[0] - corners[3]
    for edge, shift in ((corners[:2], away), (corners[2:], -away)):
        other = np.round([*edge, *(edge[::-1] + shift)]).astype(np.int32)
        cv2.fillConvexPoly(frame, other, (235, 240, 240))
    view = where_board_lies(frame, known).view
    assert view is not None
    found = look(frame, view, known).dice["brown"]
    assert found is not None and found.pips == 6 and found.value > 0.999
    assert evenly_sharp(frame, view, (found.x, found.y), known.die_mm) < SLID[0][0]


def sliding(frame: Image, outline: Floats, way: Floats) -> Image:
    """The frame; a die whose top is seen in `outline` moves by `way` (both pixels) while it is taken."""
    middle, steps = outline.mean(axis=0), np.linspace(-0.5, 0.5, 25)[:, None] * way
    blurred = np.mean(
        [cv2.warpAffine(frame, np.column_stack([np.eye(2), step]), frame.shape[1::-1]) for step in steps],
        axis=0,
    )
    reach = middle + 1.6 * (outline - middle)
    where = np.zeros(frame.shape[:2], np.uint8)
    cv2.fillConvexPoly(where, np.round(reach).astype(np.int32), 1)
    return np.where(where[..., None] > 0, blurred, frame).astype(np.uint8)


@pytest.mark.slow
@pytest.mark.parametrize("session", ["play-03", "session-01", "session-09"])
def test_a_die_of_a_colour_that_the_set_has_not_gets_no_name_by_being_left(session: str) -> None:
    """Each die's hue is turned where it lies: a careful person would miss that colour, and see a stranger."""
    known = profile(session)
    frame = photo(session, f"frames/{next(name for one, name in READABLE if one == session)}")
    hues = cv2.cvtColor(frame, cv2.COLOR_BGR2HSV)
    reading = read(frame, known)
    assert reading.sure
    for die in reading.seen_dice:
        if die.colour in ("white", "black"):
            continue
        outline = np.zeros(frame.shape[:2], np.uint8)
        cv2.fillConvexPoly(outline, np.round(die.outline).astype(np.int32), 255)
        for turn in (35, 75, 110):
            turned = hues.copy()
            turned[..., 0][outline > 0] = (turned[..., 0][outline > 0].astype(int) + turn) % 180
            told = read(cv2.cvtColor(turned, cv2.COLOR_HSV2BGR), known)
            assert not told.sure, (die.colour, turn)
