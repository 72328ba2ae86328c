"""What is drawn over a photograph: where it was read, doubts in their own colour, never off the picture."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from calibration.layouts import MAT
from companion.games.corona.rules import DEFAULT_COLOURS
from companion.overlay import DOUBT, SURE, draw
from hardware.virtual import VirtualTable
from tests.seeing import truthful
from vision.reading import Doubt, Reading, SeenDie, SeenPiece


@pytest.fixture(scope="module")
def table() -> VirtualTable:
    virtual = VirtualTable(MAT, DEFAULT_COLOURS, clock=lambda: 0.0)
    virtual.scatter(Random(2))
    virtual.throw(Random(2))
    virtual.hold(False)
    return virtual


def inked(shown: np.ndarray, colour: tuple[int, int, int]) -> int:
    """Pixels of about this colour: thin letters are drawn softer by some OpenCVs."""
    return int((np.abs(shown.astype(int) - colour).max(-1) < 70).sum())


def test_everything_read_is_marked_where_it_lies(table: VirtualTable) -> None:
    frame = np.full((864, 1536, 3), 90, np.uint8)
    shown = draw(frame, truthful(table)(frame))
    assert (frame == 90).all(), "the photograph itself is left alone"
    assert (shown.shape, shown.dtype) == (frame.shape, np.uint8)
    places = [(p.x, p.y, 8.0) for p in table.pieces] + [(d.x, d.y, 12.0) for d in table.dice.values()]
    for x, y in table.lens.pixels(places).astype(int):
        around = shown[max(y - 40, 0) : y + 40, max(x - 40, 0) : x + 40]
        assert inked(around, SURE) > 20
    assert inked(shown, DOUBT) == 0


def test_labels_of_a_marked_piece_and_of_its_field_cover_neither() -> None:
    frame = np.full((864, 1536, 3), 90, np.uint8)
    turns = np.linspace(0, 2 * np.pi, 25)[:-1]
    fields = tuple(
        tuple((768 + 200 * s + 46 * float(np.cos(t)), 432 + 200 * c + 46 * float(np.sin(t))) for t in turns)
        for s, c in ((0, -1), (0, 1), (1, 0), (-1, 0))
    )
    # At the upper edge of the uppermost field, above which the field's letter stands.
    piece = SeenPiece(0, (768.0, 212.0), 24.0, None, True)
    reading = Reading((1, 0, 0, 0), {}, sure=True, fields=fields, pieces=(piece,))
    plain = draw(frame, reading)
    marked = draw(frame, replace(reading, pieces=(replace(piece, marker="purple"),)))
    letter = np.s_[432 - 200 - 46 - 27 : 432 - 200 - 46 - 2, 740:796]
    assert inked(plain[letter], SURE) > 20 and (plain[letter] == marked[letter]).all()
    assert (plain != marked).any()


def test_what_is_doubted_is_drawn_in_the_colour_of_doubt(table: VirtualTable) -> None:
    frame = np.full((864, 1536, 3), 90, np.uint8)
    true = truthful(table)(frame)
    reading = Reading(
        counts=(None, *true.counts[1:]) if true.counts else None,
        dice=true.dice | {"red": None},
        doubts=(Doubt("die red", "it leans"), Doubt("field A", "covered")),
        fields=true.fields,
    )
    shown = draw(frame, reading)
    assert inked(shown, DOUBT) > 200
    assert inked(shown[780:, :400], DOUBT) > 100, "the doubts stand in words in the corner"


def test_what_is_doubted_of_all_fields_fits_a_picture_that_is_shown_small() -> None:
    frame = np.full((864, 1536, 3), 90, np.uint8)
    why = "something covers this, perhaps a hand, or it is another board than the profile's"
    shown = draw(frame, Reading(None, {}, doubts=(Doubt("fields A B C D E F G H I J K L", why),)), scale=2)
    assert inked(shown, DOUBT) > 200
    assert (shown[:, :10] == 90).all() and (shown[:, -10:] == 90).all()


@pytest.mark.parametrize("shape", [(864, 1536), (216, 384), (1, 1), (3000, 40)])
def test_readings_off_the_picture_and_small_pictures_are_drawn_all_the_same(shape: tuple[int, int]) -> None:
    far = ((-500.0, -500.0), (-480.0, -500.0), (9999.0, 9999.0))
    reading = Reading(
        counts=None,
        dice={"red": None},
        doubts=(Doubt("board", "no tag is to be seen anywhere in this rather long sentence"),) * 20,
        pieces=(SeenPiece(None, (-40.0, 5000.0), 20.0, "red", False),),
        seen_dice=(
            SeenDie("red", None, (9999.0, -9999.0), far, False),
            SeenDie("blue", 3, (5.0, 5.0), (), True),
        ),
        board=far,
        fields=(far, (), far),
    )
    frame = np.zeros((*shape, 3), np.uint8)
    assert draw(frame, reading).shape == frame.shape


def test_nothing_read_leaves_the_photograph_but_for_the_words() -> None:
    frame = np.full((864, 1536, 3), 90, np.uint8)
    shown = draw(frame, Reading(None, {}))
    assert (shown[:780] == 90).all()
    assert inked(shown, DOUBT) > 20
