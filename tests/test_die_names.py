"""Dice and the colours of their set: which fits which in any light and gloss, and that strangers fit none."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.colours import SHADES
from vision.die_names import MOST, features, fits, own_odds
from vision.geometry import Floats
from vision.profile import DieColour, Lab

SETS = [
    ("red", "blue", "green", "yellow", "white", "black"),
    ("orange", "purple", "brown", "pink", "black", "yellow"),
    ("white", "pink", "red", "orange", "brown", "blue"),
]


def seen_in(light: float = 1.0, veil: float = 0.0, *names: str) -> Floats:
    """(N, 3) 8-bit Lab: what people call so in so much light, and so much white of a lamp in it."""
    plain = np.array([[SHADES[name][0][::-1] for name in names]], np.float32) / 255
    lit = np.clip(light * plain**2.2 + veil, 0, 1) ** (1 / 2.2)
    lab = cv2.cvtColor((255 * lit).round().astype(np.uint8), cv2.COLOR_BGR2LAB)[0]
    return np.asarray(lab, dtype=np.float32)


def tops_of(middles: Floats, rims: Floats) -> Floats:
    return np.stack([middles, middles, rims], axis=1)


def learned(names: tuple[str, ...]) -> tuple[DieColour, ...]:
    """Sides are in half the light of tops, rims have a little gloss."""

    def colour(name: str) -> DieColour:
        looks: list[Lab] = [
            tuple(seen_in(*how, name)[0].tolist()) for how in ((1, 0.02), (1, 0.01), (0.5, 0))
        ]
        return DieColour(name, looks[0], sum(SHADES[name][0]) < 300, *looks[1:])

    return tuple(map(colour, names))


@pytest.mark.parametrize("names", SETS)
@pytest.mark.parametrize("light", [0.6, 1.0, 1.3])
def test_every_die_fits_its_own_colour_in_more_light_or_less(names: tuple[str, ...], light: float) -> None:
    tops = tops_of(seen_in(light, 0.02, *names), seen_in(light, 0.01, *names))
    told = fits(own_odds(tops, seen_in(light / 2, 0.0, *names), learned(names)))
    assert (told.argmax(axis=1) == np.arange(6)).all()
    others = np.where(np.eye(6, dtype=bool), 0, told)
    assert (told.diagonal() > 0.5).all() and (others < 0.01).all()


@pytest.mark.parametrize("names", SETS)
def test_a_die_whose_top_is_a_lamp_fits_by_its_rim_and_sides(names: tuple[str, ...]) -> None:
    tops = tops_of(seen_in(1, 0.02, *names), seen_in(1, 0.01, *names))
    sides = seen_in(0.5, 0.0, *names)
    for one in range(6):
        shining = tops.copy()
        shining[one, :2] = seen_in(1, 0.8, names[one])
        told = fits(own_odds(shining, sides, learned(names)))
        assert told[one].argmax() == one and told[one, one] > 0.01, names[one]


@pytest.mark.parametrize("names", SETS)
def test_a_stranger_fits_no_colour(names: tuple[str, ...]) -> None:
    tops = tops_of(seen_in(1, 0.02, *names), seen_in(1, 0.01, *names))
    sides = seen_in(0.5, 0.0, *names)
    for stranger in set(SHADES) - set(names):
        tops[2], sides[2] = seen_in(1, 0.02, stranger), seen_in(0.5, 0.0, stranger)
        told = fits(own_odds(tops, sides, learned(names)))
        assert told[2].max() < 0.2, stranger


@given(st.permutations(range(6)), st.permutations(range(6)), st.integers(0, 2))
def test_the_order_of_dice_and_colours_says_nothing(dice: list[int], colours: list[int], which: int) -> None:
    names = SETS[which]
    tops, sides = tops_of(seen_in(0.9, 0.1, *names), seen_in(1, 0.02, *names)), seen_in(0.6, 0.0, *names)
    known = learned(names)
    turned = features(tops[dice], sides[dice], tuple(known[k] for k in colours))
    assert turned == pytest.approx(features(tops, sides, known)[dice][:, colours], abs=1e-4)


@given(st.integers(0, 2**32 - 1), st.integers(1, 9))
def test_whatever_is_seen_makes_a_number(seed: int, count: int) -> None:
    rng = np.random.default_rng(seed)
    tops, sides = rng.uniform(0, 255, (count, 3, 3)), rng.uniform(0, 255, (count, 3))
    shown = features(tops.astype(np.float32), sides.astype(np.float32), learned(SETS[seed % 3]))
    assert shown.shape[:2] == (count, 6) and shown.dtype == np.float32 and np.abs(shown).max() <= MOST
