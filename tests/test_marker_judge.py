"""The judge of the markers: what it is shown, and that it weighs all witnesses."""

from __future__ import annotations

from random import Random
from typing import cast

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sessions import photo, profile
from vision.change import compare, half
from vision.geometry import Image
from vision.hues import in_hues
from vision.look import look
from vision.marker_judge import (
    BARE,
    ELSE,
    EVEN,
    ITS_WORTH,
    UNLIKE,
    Witnesses,
    are_holes,
    features,
    marked_odds,
    with_judge,
)
from vision.marker_lids import Lids
from vision.marker_looks import TopColours, off_nearest, rings_of, unevenness
from vision.markers import careful_of_holes, gainsaid, look_closely, stands_out, told_otherwise
from vision.matching import Given

SIX = np.array(
    [(140, 200, 180), (120, 128, 60), (230, 128, 132), (40, 128, 128), (150, 90, 160), (70, 150, 140)]
)


def made_up(count: int, seed: int) -> Witnesses:
    """What might be told of so many pieces."""
    rng = np.random.default_rng(seed)
    tops = TopColours(*(rng.normal((50, 0, 0), 20, (count, 3)) for _ in range(3)))
    rules = [None if told < 0 else int(told) for told in rng.integers(-1, 7, count)]
    sizes, sides = (rng.normal(0, 6, (looks, 3, count, 7)) for looks in (3, 8))
    rings, uneven = rng.normal(20, 9, (count, 5, 6)), abs(rng.normal(0, 9, count))
    return Witnesses(sizes, sides, rules, tops, rings, uneven, rng.uniform(size=count) < 0.2)


@given(st.integers(1, 6), st.integers(0, 99), st.randoms(use_true_random=False))
def test_it_is_shown_the_same_of_a_piece_in_whatever_order(count: int, seed: int, chance: Random) -> None:
    """Whatever order the pieces are in, and whatever order the colours of the set."""
    told = made_up(count, seed)
    shown = features(told, SIX)
    assert len(shown) == count and np.isfinite(shown).all()
    order, hues = (chance.sample(range(many), many) for many in (count, 6))
    columns = [0, *(1 + hue for hue in hues)]
    turned = Witnesses(
        told.sizes[:, :, order][..., columns],
        told.sides[:, :, order][..., columns],
        [told.rules[k] and 1 + hues.index(told.rules[k] - 1) for k in order],
        TopColours(*(colour[order] for colour in told.tops)),
        told.rings[order],
        told.uneven[order],
        told.burnt[order],
    )
    assert features(turned, SIX[hues]) == pytest.approx(shown[order], abs=1e-4)


def test_rings_and_unevenness_are_those_of_the_middle() -> None:
    """A grey top with a red middle, then the same with the middle in the shade on one side."""
    flat: Image = cv2.circle(np.full((56, 56, 3), 128, np.uint8), (28, 28), 12, (40, 40, 200), -1)
    shaded = flat.copy()
    shaded[:, :28] //= 2
    tops = in_hues([flat, shaded])
    rings, uneven = rings_of(tops, 40), unevenness(tops, 40)
    assert (rings[0, :2, 1] > 50).all() and (abs(rings[0, 4, 1:3]) < 3).all(), "red, and grey at the rim"
    assert (rings[0, :2, 3] < 0.1).all() and (rings[1, :2, 3] > 5).all(), "how much the light differs there"
    assert uneven[0] < 0.1 and uneven[1] > 10


def witnesses(session: str, frame: str) -> tuple[Lids, Witnesses]:
    """All that is known of the pieces of a photograph."""
    known, seen = profile(session), photo(session, frame)
    change = compare(half(seen), known.empty_half)
    diameter, height = known.piece_mm
    pieces = look(seen, known.view, known).pieces.pieces
    places = [(piece.x, piece.y, height * piece.level) for piece in pieces]
    lids = Lids(seen, known.empty, change, known.view, places, diameter, known.colours, np.ones(len(places)))
    return lids, look_closely(lids)


def test_it_agrees_with_what_is_plain_and_hears_everybody() -> None:
    """A marker that all see, beside bare pieces; its colour alone is not enough."""
    lids, told = witnesses("session-09", "frames/007.jpg")
    odds = marked_odds(told, lids.labs)
    scores = told.sides.mean(axis=(0, 1))
    assert ((odds > 0) == (scores.argmax(axis=1) > 0)).all()
    marked = int(odds.argmax())
    assert odds[marked] > 4 and np.delete(odds, marked).min() < -4
    plain = int(odds.argmin())
    for said in (told.sizes, told.sides):
        said[:, :, marked] = said[:, :, plain]
    assert marked_odds(told, lids.labs)[marked] < odds[marked] - 4, "all pairs say that it is bare"


@pytest.mark.parametrize(
    ("away", "held", "told", "otherwise"),
    [
        ([9.0, 30.0], (0, 0), None, False),
        ([2.0, 30.0], (3, 0), None, False),
        ([2.0, 30.0], (0, 0), [0, None], False),
        ([2.0, 3.0], (0, 0), [3, 3], False),
        ([30.0, 2.0], (0, 0), [3, None], False),
        ([2.0, 30.0], (0, 0), [3, None], True),
    ],
)
def test_the_rules_are_asked_of_what_looks_like_a_colour_and_is_held_for_bare(
    away: list[float], held: tuple[int, int], told: list[int | None] | None, otherwise: bool
) -> None:
    """However sure the pairs are of that. `told` None: they are not to be asked, for that takes time."""

    class Pieces:
        def __init__(self) -> None:
            self.away = np.array(away)

        @property
        def rules(self) -> list[int | None]:
            assert told is not None, "the rules were asked"
            return told

    given = Given(held, 1.0, np.zeros((2, 7)))
    assert told_otherwise(cast(Lids, Pieces()), given) == otherwise


@pytest.mark.parametrize(
    ("rather", "held", "told", "otherwise"),
    [
        ([-0.5, -9.0], (0, 0), [None, None], False),
        ([0.6, -9.0], (3, 0), [None, None], False),
        ([0.6, -9.0], (0, 0), [0, None], False),
        ([0.6, -9.0], (0, 0), [None, 0], True),
    ],
    ids=["no pair", "held for marked", "bare by the rules", "by one pair"],
)
def test_a_piece_that_one_pair_holds_for_marked_is_looked_at_closely(
    rather: list[float], held: tuple[int, int], told: list[int | None], otherwise: bool
) -> None:
    """A black marker that mirrors a lamp was far from all colours, and so surely bare at once."""

    class Pieces:
        rules = told

    given = Given(held, 1.0, np.zeros((2, 7)))
    assert gainsaid(cast(Lids, Pieces()), given, np.array(rather)) == otherwise


@pytest.mark.parametrize(("held", "stands"), [((0, 0, 0, 0), True), ((0, 0, 0, 1), False)])
def test_a_piece_of_its_own_hue_is_looked_at_closely_where_it_is_held_for_bare(
    held: tuple[int, ...], stands: bool
) -> None:
    """A red one among gold ones, however sure the pairs are that it is bare."""

    class Pieces:
        tops = TopColours(
            np.array([[75.0, 5, 45], [68, 4, 40], [80, 6, 48], [60, 60, 50]]),
            np.array([[78.0, 5, 46]] * 4),
            np.array([[40.0, 2, -18]] * 4),
        )
        labs = SIX
        rings = np.zeros((4, 5, 6))
        uneven, away = np.full(4, 2.0), np.full(4, 20.0)

    each = np.full((4, 7), 1e-6)
    each[:, 0] = 1
    each[3, 1] = 1e-5
    assert stands_out(cast(Lids, Pieces()), Given(held, 1.0, each), each) == stands


@pytest.mark.parametrize(("even", "held", "stands"), [(0.4, 0, True), (0.4, 3, False), (2.0, 0, False)])
def test_a_piece_as_plain_as_a_marker_is_looked_at_closely_where_it_is_held_for_bare(
    even: float, held: int, stands: bool
) -> None:
    """A black one among blackened ones, however sure the pairs are that it is bare."""

    class Pieces:
        tops = TopColours(*np.full((3, 4, 3), [9.0, 0, 1]))
        labs = SIX
        rings = np.zeros((4, 5, 6))
        uneven, away = np.array([1.5, 2.0, 1.8, even]), np.full(4, 3.0)

    each = np.full((4, 7), 1e-6)
    each[:, 0] = 1
    given = Given((0, 0, 0, held), 1.0, each)
    assert stands_out(cast(Lids, Pieces()), given, each) == stands


def test_alone_it_makes_nothing_surely_bare_that_has_no_colour_of_the_set() -> None:
    """A camera gave an orange marker otherwise than the orange die, and the pairs were not sure."""
    found = []
    for seed in range(60):
        told = made_up(6, seed)._replace(uneven=np.zeros(6))
        off = off_nearest(told.tops, SIX)
        alone = ITS_WORTH * marked_odds(told, SIX)
        for all_else in (-20.0, -4.0, 4.0):
            odds = with_judge(np.full(6, all_else), told, SIX)
            held = (off > UNLIKE) & (abs(all_else) < EVEN)
            usual = ELSE * all_else + alone
            assert odds[~held] == pytest.approx(usual[~held])
            assert odds[held] == pytest.approx(np.maximum(usual[held], min(BARE, ELSE * all_else)))
            found += (usual[held] < BARE).tolist()
    assert any(found), "there was nothing to hold"


@given(st.integers(0, 99))
def test_alone_it_is_not_believed_that_a_hole_is_a_marker(seed: int) -> None:
    """Dark and uneven: some of the board is seen through a tower of open rings."""
    told = made_up(6, seed)
    middle = np.column_stack([np.full(6, 10.0), told.tops.middle[:, 1:]])
    hole = told._replace(tops=told.tops._replace(middle=middle), uneven=np.full(6, 9.0))
    even = hole._replace(uneven=np.full(6, 1.0))
    assert are_holes(hole).all() and not are_holes(even).any()
    assert (with_judge(np.zeros(6), hole, SIX) <= EVEN).all()
    sure = np.full(6, 20.0)
    assert (with_judge(sure, hole, SIX) == ELSE * sure + ITS_WORTH * marked_odds(hole, SIX)).all()


def test_a_deep_hole_is_no_black_marker() -> None:
    """Where a piece stands on another, what is dark may be the hole of both; no other colour may."""
    labs = np.array([[45.0, 128, 127], [80, 168, 150], [235, 128, 130]])  # black, red, white
    each = np.array([[1e-4, 0.9997, 1e-4, 1e-4], [1e-4, 1e-4, 0.9997, 1e-4], [1e-4, 1e-4, 1e-4, 0.9997]])
    assert careful_of_holes(each, np.array([False] * 3), labs) == pytest.approx(each)
    black, red, white = careful_of_holes(each, np.array([True] * 3), labs)
    assert black[1] == pytest.approx(0.88, abs=0.01) and black.sum() == pytest.approx(each[0].sum())
    assert red == pytest.approx(each[1]) and white == pytest.approx(each[2])
