"""A top that looks otherwise than the bare ones beside it is not surely bare."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from vision.geometry import Floats
from vision.marker_looks import has_dyed_ring
from vision.marker_others import (
    DOUBTED,
    HARDLY,
    as_bare_before,
    as_plain_as_markers,
    by_themselves,
    less_surely_bare_alone,
    unlike,
)
from vision.reading import NO_TOPS

GOLD = np.array([45.0, 41, 33, 40, 38])
LIGHTS = st.lists(st.floats(0.6, 1.7), min_size=6, max_size=6)
ORDERS = st.permutations(range(6))


def tops(lights: list[float], bulge: float = 1.0) -> Floats:
    """(6, 5, 6) rings of six gold tops, each in its light; the first is so much lighter in its middle."""
    lit = (GOLD + 16) * np.array(lights)[:, None]
    lit[0, :2] *= bulge
    rings = np.zeros((6, 5, 6))
    rings[..., 0], rings[..., 1], rings[..., 2], rings[..., 3] = lit - 16, 0.15 * lit, 0.6 * lit, 0.05 * lit
    return rings


@given(LIGHTS, ORDERS)
def test_light_makes_no_bare_top_unlike_the_others(lights: list[float], order: list[int]) -> None:
    """Only how much there is of it is told; and none is by itself."""
    rings = tops(lights)[order]
    assert (unlike(rings) < 6).all()
    assert not by_themselves(rings, np.full(6, -9.0)).any()


@given(LIGHTS, ORDERS)
def test_a_lighter_middle_of_the_same_hue_is_by_itself(lights: list[float], order: list[int]) -> None:
    """A yellow marker in gold, wherever it stands; not beside two bare pieces, which may be no rule."""
    alone = by_themselves(tops(lights, 1.7)[order], np.full(6, -9.0))
    assert alone.tolist() == [piece == 0 for piece in order]
    odds = np.array([-9.0 if piece < 3 else 9.0 for piece in order])
    assert not by_themselves(tops(lights, 1.7)[order], odds).any()


COLOURS = np.array(
    [(130.0, 190, 170), (90, 120, 70), (230, 128, 128), (40, 128, 128), (180, 110, 200), (90, 90, 150)]
)
"""Red, blue, white, black, yellow and green, as OpenCV's 8-bit Lab."""


@given(LIGHTS, ORDERS, st.sampled_from([0, 1, 5]), st.integers(1, 3))
def test_a_coloured_ring_around_a_mirrored_lamp_is_seen(
    lights: list[float], order: list[int], colour: int, ring: int
) -> None:
    """What is in the middle of a marker may be white; a part of it is not."""
    rings = tops(lights)
    assert not has_dyed_ring(rings[order], COLOURS, np.full(6, -9.0)).any()
    rings[0, :ring, :3] = (99, 0, 0)
    rings[0, ring, :3] = (COLOURS[colour] - (0, 128, 128)) / (2.55, 1, 1)
    told = has_dyed_ring(rings[order], COLOURS, np.full(6, -9.0))
    assert told.tolist() == [piece == 0 for piece in order]


@given(st.lists(st.floats(-20, 20), min_size=6, max_size=6), st.booleans())
def test_one_pair_that_hardly_holds_it_for_bare_makes_it_doubtful(odds: list[float], hardly: bool) -> None:
    """And nothing else; no piece is told to be barer."""
    before, pairs = all_but_one_bare(odds, HARDLY + 1 if hardly else HARDLY - 1)
    after = less_surely_bare_alone(before, tops([1.0] * 6, 1.7), pairs, np.zeros(6))
    assert after[1:].tolist() == before[1:].tolist()
    assert after[0] == (max(odds[0], DOUBTED) if hardly else odds[0])


def test_a_pair_that_holds_none_plainly_for_bare_says_nothing_of_one() -> None:
    """Copper cups with a red floor: the first pair was not sure of any."""
    before, pairs = all_but_one_bare([-16.0] * 6, HARDLY + 0.8)
    pairs[1, 1:] = HARDLY + 0.2
    rings, open_ones = tops([1.0] * 6, 1.7), np.zeros(6)
    assert less_surely_bare_alone(before, rings, pairs, open_ones).tolist() == before.tolist()
    pairs[1, 1:] = HARDLY - 2
    assert less_surely_bare_alone(before, rings, pairs, open_ones)[0] == DOUBTED


@given(st.lists(st.floats(-20, 20), min_size=6, max_size=6))
def test_a_piece_through_which_its_board_shows_may_be_by_itself(odds: list[float]) -> None:
    """A bare ring on a field of another colour than the others' is unlike them, and in no doubt."""
    before, pairs = all_but_one_bare(odds, HARDLY + 1)
    through = np.array([-5.0, 0, 0, 0, 0, 0])
    assert less_surely_bare_alone(before, tops([1.0] * 6, 1.7), pairs, through).tolist() == before.tolist()


def all_but_one_bare(odds: list[float], hardly: float) -> tuple[Floats, Floats]:
    """(6,) log odds, the second to fourth surely bare; (3, 6) those of pairs that hold all for bare, but one
    of the first hardly."""
    pairs = np.full((3, 6), HARDLY - 3)
    pairs[1, 0] = hardly
    return np.array([odds[0], -9, -9, -9, *odds[4:]]), pairs


@given(LIGHTS, ORDERS, st.floats(-9, -0.1))
def test_what_looks_like_a_piece_that_was_bare_before_is_bare(
    lights: list[float], order: list[int], doubtful: float
) -> None:
    """If it is rather bare anyway; what is rather marked stays so, and so does what was not seen before."""
    rings, known = tops(lights, 1.7)[order], tops([1.0] * 6)[1:]
    before = np.full(6, doubtful)
    odds = as_bare_before(before, rings, tops(lights, 1.7)[:1])
    assert np.allclose(odds[np.array(order) == 0], 2.2 * doubtful), "the same top, seen bare"
    lighter = [piece == 0 for piece in order]
    assert (as_bare_before(before, tops([1.0] * 6, 1.7)[order], known)[lighter] == doubtful).all()
    assert (as_bare_before(-before, rings, tops(lights, 1.7)) == -before).all()
    assert (as_bare_before(before, rings, NO_TOPS) == before).all()
    rings[..., 0] = 20
    assert (as_bare_before(before, rings, rings) == before).all(), "a black marker is as dark as a hole"


@given(LIGHTS)
def test_two_frames_tops_are_unlike_as_those_of_one(lights: list[float]) -> None:
    rings = tops(lights, 1.3)
    assert np.allclose(unlike(rings[:2], rings[2:]), unlike(rings)[:2, 2:])


@given(ORDERS, st.floats(0.2, 0.6))
def test_one_far_more_even_than_all_that_are_bare_is_as_plain_as_a_marker(
    order: list[int], even: float
) -> None:
    """Black in dark metal: only near a colour of the set, beside bare metal that is less even."""
    uneven = np.array([even, 1.4, 1.5, 2.0, 2.9, 9.0])[order]
    bare, near, marked = np.full(6, -9.0), np.full(6, 3.0), np.array([-9.0, *[9.0] * 5])[order]
    dark = np.full(6, 9.0)
    assert as_plain_as_markers(bare, dark, uneven, near).tolist() == [piece == 0 for piece in order]
    assert not as_plain_as_markers(bare, dark, uneven, near + 6).any()
    assert not as_plain_as_markers(marked, dark, uneven, near).any()
    assert not as_plain_as_markers(bare, dark, uneven.clip(max=2 * even), near).any()
    assert not as_plain_as_markers(bare, dark + 60, uneven, near).any(), "a lamp makes metal as even"
