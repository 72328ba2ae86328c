"""How wide the pieces are: measured in a photo of all six, or refused with what to do."""

from __future__ import annotations

import pytest

from calibration.calibrate import calibrate
from calibration.faults import CannotCalibrate
from calibration.layouts import MAT
from calibration.pieces import measure_pieces
from companion.games.corona.rules import DEFAULT_COLOURS
from hardware.virtual import VirtualTable
from tests.sessions import photo, profile
from vision.geometry import Image
from vision.profile import Profile


def laid(diameter: float, together: int = 0) -> tuple[Image, Profile]:
    """A photo of six pieces on every second field, `together` of them on the first; and the set's profile."""
    virtual = VirtualTable(MAT, DEFAULT_COLOURS, piece_mm=(diameter, 12.0), seed=3, clock=lambda: 100.0)
    learned = calibrate(MAT, virtual.photo_empty(), virtual.photo_dice(), list(virtual.dice), 16)
    places = virtual.field_centres()[::2]
    for piece, (x, y) in enumerate(places):
        first = piece < together
        virtual.set_piece(
            piece, *((places[0][0] + 1.1 * diameter * piece, places[0][1]) if first else (x, y))
        )
    virtual.hold(False)
    return virtual.draw(), learned


@pytest.mark.parametrize("diameter", [17.0, 20.0, 24.0])
def test_their_diameter_is_measured(diameter: float) -> None:
    assert measure_pieces(*laid(diameter)) == pytest.approx(diameter, abs=1.0)


def test_with_a_photo_of_them_a_set_learns_their_diameter_and_keeps_the_height_it_was_told() -> None:
    shown, learned = laid(22.0)
    again = calibrate(MAT, learned.empty, photo_of_dice(), list(DEFAULT_COLOURS), 16, (19.0, 9.5), shown)
    assert again.piece_mm == (pytest.approx(22.0, abs=1.0), 9.5)


def photo_of_dice() -> Image:
    return VirtualTable(MAT, DEFAULT_COLOURS, piece_mm=(22.0, 12.0), seed=3, clock=lambda: 100.0).photo_dice()


def test_pieces_that_stand_together_are_to_be_laid_apart() -> None:
    with pytest.raises(CannotCalibrate, match="two stand close together; lay one on each of six fields"):
        measure_pieces(*laid(19.0, together=2))


def test_the_empty_board_is_no_photo_of_the_pieces() -> None:
    with pytest.raises(CannotCalibrate, match="shows 0 instead of 6; lay one on each of six fields"):
        measure_pieces(photo("session-01", "empty.jpg"), profile("session-01"))


def test_a_photo_of_another_size_is_refused() -> None:
    with pytest.raises(CannotCalibrate, match="another size"):
        measure_pieces(photo("session-01", "empty.jpg")[::2, ::2], profile("session-01"))
