"""How wide the pieces are: measured in a photo of all six, or refused with what to do."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from calibration.calibrate import calibrate
from calibration.faults import CannotCalibrate
from calibration.files import save_photo
from calibration.layouts import MAT
from calibration.pieces import FirstFrames, measure_pieces
from companion.games.corona.rules import DEFAULT_COLOURS
from companion.photos import measured, readable
from companion.watch import reader
from hardware.virtual import VirtualTable
from tests.sessions import photo, profile
from vision.geometry import Image
from vision.profile import USUAL_PIECE_MM, Profile
from vision.read import read
from vision.reading import Reading

pytestmark = pytest.mark.slow


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


def test_pieces_that_nobody_measured_are_measured_in_the_first_frames() -> None:
    shown, learned = laid(23.0, together=3)
    first = FirstFrames(learned)
    first.look(shown, read(shown, learned))
    assert first.wanted and first.profile is learned, "three are few"
    shown, learned = laid(23.0)
    first.look(shown, read(shown, learned))
    assert not first.wanted
    assert first.profile.piece_mm == (pytest.approx(23.0, abs=1.0), 12.5)


def test_a_photo_of_pieces_on_another_board_is_refused() -> None:
    with pytest.raises(CannotCalibrate, match="shows another board, or a covered one; take it of"):
        measure_pieces(photo("session-04", "frames/001.jpg"), profile("session-01"))


def test_a_photo_of_pieces_on_a_board_whose_tags_lie_alike_is_refused() -> None:
    shown, learned = laid(20.0)
    with pytest.raises(CannotCalibrate, match="shows another board"):
        measure_pieces(shown, replace(learned, empty=learned.empty[:, :, ::-1].copy() // 2))


@pytest.mark.parametrize(
    ("size", "why"),
    [
        ((60.0, 3.0), r"a piece 60 mm wide does not fit on a field, which is \d+ mm wide; measure"),
        ((4.0, 20.0), r"a piece 4 mm wide is not 20 mm high; give its diameter first"),
        ((12.0, 18.0), r"a piece 12 mm wide is not 18 mm high; give its diameter first"),
    ],
)
def test_a_size_that_no_piece_has_is_refused_before_the_photos_are_searched(
    size: tuple[float, float], why: str
) -> None:
    nothing = np.zeros((864, 1536, 3), dtype=np.uint8)
    with pytest.raises(CannotCalibrate, match=why):
        calibrate(MAT, nothing, nothing, DEFAULT_COLOURS, piece_mm=size)


def test_two_lonely_pieces_do_not_say_how_wide_they_are() -> None:
    shown, learned = laid(23.0, together=5)
    first = FirstFrames(learned)
    first.look(shown, read(shown, learned))
    first.measure()
    assert first.profile is learned


def test_pieces_that_somebody_measured_stay_as_they_are() -> None:
    shown, learned = laid(23.0)
    for told in (21.0, 12.5), USUAL_PIECE_MM:
        first = FirstFrames(replace(learned, piece_mm=told, pieces_told=True))
        first.look(shown, read(shown, learned))
        first.measure()
        assert not first.wanted and first.profile.piece_mm == told


def test_whoever_watches_the_table_and_whoever_reads_photos_measures_them(tmp_path: Path) -> None:
    shown, learned = laid(23.0)
    watched = reader(learned)
    for _ in range(3):
        reading = watched(shown)
    assert wide(reading) == pytest.approx(
        wide(read(shown, replace(learned, piece_mm=(23.0, 12.5)))), rel=0.05
    )
    save_photo(shown, tmp_path / "six.png")
    of_photos = measured(learned, readable([tmp_path / "none.png", tmp_path / "six.png"]))
    assert of_photos.piece_mm == (pytest.approx(23.0, abs=1.0), 12.5)


def wide(reading: Reading) -> float:
    return float(np.mean([piece.radius for piece in reading.pieces]))


def test_pieces_that_stand_together_are_to_be_laid_apart() -> None:
    with pytest.raises(CannotCalibrate, match="two stand close together; lay one on each of six fields"):
        measure_pieces(*laid(19.0, together=2))


def test_the_empty_board_is_no_photo_of_the_pieces() -> None:
    with pytest.raises(CannotCalibrate, match="shows 0 instead of 6; lay one on each of six fields"):
        measure_pieces(photo("session-01", "empty.jpg"), profile("session-01"))


def test_a_photo_of_another_size_is_refused() -> None:
    with pytest.raises(CannotCalibrate, match="another size"):
        measure_pieces(photo("session-01", "empty.jpg")[::2, ::2], profile("session-01"))
