"""What lies where a piece is missing is not taken for one; what pieces carry makes none strange."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from tests.sessions import frames, photo, profile
from vision.alike import alike
from vision.change import compare, half
from vision.geometry import LETTERS, Image, View
from vision.look import Seen, look
from vision.markers import find_markers
from vision.read import read
from vision.reading import Reading
from vision.sides import flatness
from vision.towers import FoundPiece

pytestmark = pytest.mark.slow

THINGS = ("stain", "marker", "coin", "die")


@cache
def sure(session: str) -> tuple[str, Reading]:
    """A frame that is surely read, and its reading."""
    for name in (name for of, name in frames(readable=True) if of == session):
        reading = read(photo(session, f"frames/{name}"), profile(session))
        if reading.sure and any(count == 1 for count in reading.counts):
            return name, reading
    raise AssertionError(f"no frame of {session} is sure")


@cache
def seen_in(session: str) -> Seen:
    name, reading = sure(session)
    return look(photo(session, f"frames/{name}"), reading.view, profile(session))


def disc(shape: tuple[int, ...], at: tuple[float, float], radius: float) -> Image:
    """(H, W, 1): 1 within, 0 outside."""
    rows, columns = np.indices(shape[:2])
    return np.clip(radius - np.hypot(columns - at[0], rows - at[1]) + 0.5, 0, 1)[..., None]


def instead(frame: Image, seen: Seen, piece: FoundPiece, piece_mm: tuple[float, float], thing: str) -> Image:
    """The frame with such a thing where that piece stood, on the bare board."""
    lid = seen.view.pixel(piece.x, piece.y, piece_mm[1])
    radius = piece_mm[0] / 2 * seen.view.pixels_per_mm(piece.x, piece.y, piece_mm[1])
    gone = disc(frame.shape, lid, 1.7 * radius)
    for other in seen.pieces.pieces:
        if other is not piece:
            at = seen.view.pixel(other.x, other.y, other.level * piece_mm[1])
            gone = gone * (1 - disc(frame.shape, at, 1.2 * radius))
    bare = frame * (1 - gone) + seen.empty * seen.change.lights.middle * gone
    match thing:
        case "stain":
            shown = bare * (1 - 0.3 * disc(frame.shape, lid, radius))
        case "marker":
            cover = disc(frame.shape, lid, 0.6 * radius)
            shown = bare * (1 - cover) + np.array((40.0, 40.0, 190.0)) * cover
        case "die":
            shown = with_die(bare, frame, seen, lid, radius)
        case _:
            relief = cv2.GaussianBlur(np.random.default_rng(4).normal(0, 1, frame.shape[:2]), (0, 0), 1.5)
            cover = disc(frame.shape, lid, radius)
            shown = bare * (1 - cover) + (np.array((70.0, 110.0, 170.0)) + 60 * relief[..., None]) * cover
    return np.clip(shown, 0, 255).astype(np.uint8)


def with_die(bare: Image, frame: Image, seen: Seen, at: tuple[float, float], radius: float) -> Image:
    """A copy of the first die there, as the set has no other."""
    die = next(die for die in seen.dice.values() if die)
    x, y = (round(v) for v in seen.view.pixel(die.x, die.y, 16.0))
    reach = round(1.3 * radius)
    copied = frame[y - reach : y + reach + 1, x - reach : x + reach + 1]
    column, row = (round(v) for v in at)
    shown = bare.copy()
    cover = disc(copied.shape, (reach, reach), reach)
    there = shown[row - reach : row + reach + 1, column - reach : column + reach + 1]
    there[:] = there * (1 - cover) + copied * cover
    return shown


@pytest.mark.parametrize("thing", THINGS)
@pytest.mark.parametrize("session", ["session-01", "session-09", "play-03"])
def test_what_lies_where_a_piece_is_missing_is_none(session: str, thing: str) -> None:
    name, reading = sure(session)
    seen, known = seen_in(session), profile(session)
    field = reading.counts.index(1)
    single = next(
        piece
        for piece in seen.pieces.pieces
        if np.hypot(*(known.layout.field_centres[field] - (piece.x, piece.y))) < known.layout.field_mm / 2
    )
    shown = instead(photo(session, f"frames/{name}"), seen, single, known.piece_mm, thing)
    told = read(shown, known)
    assert not told.sure
    doubts = {(doubt.what, doubt.why) for doubt in told.doubts}
    strange = (f"field {LETTERS[field]}", "something there does not look like the other pieces")
    assert strange in doubts or "5 of 6 pieces are to be seen" in {why for _, why in doubts}


@pytest.mark.parametrize("session", ["session-01", "session-04", "session-09", "play-03"])
def test_six_pieces_are_alike_in_whatever_order(session: str) -> None:
    seen, known = seen_in(session), profile(session)
    asked = (seen.frame, seen.empty, seen.change, seen.view)
    shown = find_markers(*asked, seen.pieces.pieces, known.piece_mm, known.colours).shown
    assert min(seen.alike) > 0.999
    assert alike(shown, np.zeros(len(shown))) == seen.alike
    assert alike(shown[::-1].copy(), np.zeros(len(shown))) == pytest.approx(seen.alike[::-1], abs=1e-6)


def test_of_no_pieces_nothing_is_told() -> None:
    seen, known = seen_in("session-01"), profile("session-01")
    none = find_markers(seen.frame, seen.empty, seen.change, seen.view, (), known.piece_mm, known.colours)
    assert alike(none.shown, np.zeros(0)) == ()
    assert flatness((), seen.change, seen.view, known.piece_mm).shape == (0,)


@pytest.mark.parametrize("session", ["session-01", "session-09", "play-03"])
@pytest.mark.parametrize("thing", ["stain", "coin"])
def test_what_lies_flat_shows_no_side(session: str, thing: str) -> None:
    """Wherever enough of one would be seen; that of a piece is, and counts for nothing."""
    name, _ = sure(session)
    seen, known = seen_in(session), profile(session)
    towers = seen.pieces.pieces
    assert not flatness(towers, seen.change, seen.view, known.piece_mm).any()
    flat, told = [], 0
    for piece in towers:
        shown = instead(photo(session, f"frames/{name}"), seen, piece, known.piece_mm, thing)
        change = compare(half(shown), known.empty_half)
        flat.append(flatness(towers, change, seen.view, known.piece_mm)[towers.index(piece)])
        told += not read(shown, known).sure
    assert max(flat) > 6 and np.median(flat) > 2
    assert told >= len(towers) - 1


def test_of_sides_that_are_not_to_be_seen_nothing_is_told() -> None:
    seen, known = seen_in("session-01"), profile("session-01")
    towers = seen.pieces.pieces
    nothing = compare(known.empty_half, known.empty_half)
    above = View(known.view.lens, (0.0, 0.0, 0.0), (0.0, 0.0, 600.0))
    far = tuple(replace(one, x=one.x + 5000.0) for one in towers)
    for asked in (
        (towers[:1], nothing, known.view),
        (tuple(replace(one, x=0.0, y=0.0) for one in towers), seen.change, above),
        (far, seen.change, known.view),
        (towers, nothing, known.view),
    ):
        assert not flatness(*asked, known.piece_mm).any()
