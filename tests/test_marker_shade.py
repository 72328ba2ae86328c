"""In what light pieces stand: a shadow around some of them is told, a camera's darker tones are none."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.sessions import photo, profile
from vision.board import where_board_lies
from vision.change import Change
from vision.geometry import Floats, Image, View
from vision.look import look
from vision.marker_shade import SHADED, shares_of_light

DARK_BOARD = 42
"""Of 255, in all channels; the table beside it is lighter."""
LEFT = 0.75


def a_dark_board() -> tuple[Change, View, list[tuple[float, float, float]], float]:
    """A photograph's view of a board that is dark all over, and three places on it."""
    known, frame = profile("session-01"), photo("session-01", "frames/001.jpg")
    view = where_board_lies(frame, known).view
    assert view is not None
    seen = look(frame, view, known)
    empty = np.full_like(seen.change.empty, 170)
    half = known.layout.half_mm
    corners = view.project(np.array([[x * half, y * half, 0.0] for x, y in ((-1, -1), (1, 1))])) / 2
    (left, top), (right, bottom) = np.sort(corners, axis=0).astype(int)
    empty[top:bottom, left:right] = DARK_BOARD
    nothing = np.zeros_like(seen.change.thing)
    places = [(x, 0.0, known.piece_mm[1]) for x in (-0.4 * half, 0.0, 0.4 * half)]
    return replace(seen.change, frame=empty, empty=empty, thing=nothing), view, places, known.piece_mm[0]


def shares(change: Change, frame: Image) -> list[Floats]:
    _, view, places, diameter = a_dark_board()
    return shares_of_light(replace(change, frame=frame), view, places, diameter)


def test_a_shadow_around_a_piece_is_told() -> None:
    change, view, places, diameter = a_dark_board()
    x, y = (view.project(np.array([[places[0][0], places[0][1], 0.0]]))[0] / 2).astype(int)
    reach = round(2 * diameter * view.pixels_per_mm() / 2)
    frame = change.frame.copy()
    part = frame[y - reach : y + reach, x - reach : x + reach]
    part[:] = np.round(LEFT * part)
    (light,) = shares(change, frame)
    assert light == pytest.approx([LEFT, 1, 1], abs=0.02)


def test_tones_that_make_all_that_is_dark_darker_are_no_shadow() -> None:
    """Taken for one they made a white marker too light to be one: it passed for bare metal."""
    change, *_ = a_dark_board()
    darker = np.where(change.frame == DARK_BOARD, round(LEFT * DARK_BOARD), change.frame).astype(np.uint8)
    assert SHADED[0] > LEFT
    (light,) = shares(change, darker)
    assert light == pytest.approx([1, 1, 1])


def test_nothing_is_told_of_a_board_in_the_light_it_was_learned_in() -> None:
    change, *_ = a_dark_board()
    (light,) = shares(change, change.frame)
    assert light == pytest.approx([1, 1, 1])
