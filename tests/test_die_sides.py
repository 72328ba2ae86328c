"""What the sides of dice tell: of what is on top, and of what seems a top and is a side."""

from __future__ import annotations

import math
from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.pictures.dice_drawn import draw_aslant
from tests.sessions import frames, photo, profile, truth
from tests.test_dice import table_of
from tests.test_values import with_disc
from vision.die_or_side import ASLANT, without_sides
from vision.die_sides import flattened, height_of, left_by, sides_of_die, told_by_sides, values_of
from vision.face_net import Answer
from vision.faces import Top, silhouette
from vision.geometry import Floats, Image, Lens, View
from vision.look import look
from vision.reading import SURE
from vision.squares import lean
from vision.tops import _no_sides, find_tops
from vision.values import reread

READABLE = frames(readable=True)
MM = 16.0
ABOVE = View(Lens(1300.0, 0.0, (4000, 4000)), (0.0, 0.0, 0.0), (0.0, 0.0, 600.0))
"""A camera that looks straight down."""
values = st.integers(1, 6)


def surely(value: int) -> Floats:
    return np.asarray(np.eye(6)[value - 1])


@given(values)
def test_neither_what_a_side_shows_nor_its_opposite_is_on_top(value: int) -> None:
    left = left_by([surely(value)])
    assert {top for top in range(1, 7) if left[top - 1] < 0.01} == {value, 7 - value}


@given(values, values)
def test_two_sides_leave_one_pair(one: int, other: int) -> None:
    assume(other not in (one, 7 - one))
    left = left_by([surely(one), surely(other)])
    gone = {one, 7 - one, other, 7 - other}
    assert {top for top in range(1, 7) if left[top - 1] > 0.5} == {*range(1, 7)} - gone


def test_no_side_and_one_that_may_be_anything_tell_nothing() -> None:
    assert left_by([]) == pytest.approx(np.ones(6))
    assert left_by([np.full(6, 1 / 6)]) == pytest.approx(np.ones(6))


def test_sides_of_photographed_dice_never_exclude_their_tops_and_often_others() -> None:
    """They were learned from drawn dice alone."""
    excluded, sides = 0, 0
    for session, name in READABLE:
        known, frame = profile(session), photo(session, f"frames/{name}")
        seen = look(frame, known.view, known)
        for colour, die in seen.dice.items():
            assert die
            quads = [quad for quad in sides_of_die(seen.view, die, known.die_mm) if height_of(quad) > 6]
            high = [height_of(quad) for quad in quads]
            told = list(values_of([flattened(frame, quad) for quad in quads], high)) if quads else []
            left = left_by(told)
            assert left[truth(session)[name]["dice"][colour] - 1] > 0.03, (session, name, colour)
            sides, excluded = sides + len(quads), excluded + int((left < 0.01).sum())
    assert sides > 20 and excluded > 1.5 * sides


def test_sides_of_drawn_dice_are_mostly_read() -> None:
    """Among dice in which lamps are mirrored, of shops' colours and finishes; some are half hidden."""
    right, told = 0, 0
    for seed in range(5):
        frame, sides = draw_aslant(np.random.default_rng([78, seed]))
        high = [(value, quad) for value, quad in sides if height_of(quad) > 12]
        if high:
            said = values_of(
                [flattened(frame, quad) for _, quad in high], [height_of(quad) for _, quad in high]
            )
            right += int((said.argmax(axis=1) + 1 == [value for value, _ in high]).sum())
            told += len(high)
    assert told > 25 and right > 0.75 * told


def clear(x: float, y: float, turn: float, value: int = 2) -> Answer:
    return Answer(x, y, 1.0, 1.0, surely(value), turn, 0.9)


def with_lamp(frame: Image, view: View, die: Top, mm: float) -> Image:
    """As light as paper, where the pip in the middle of a top would be."""
    wide = 0.1 * mm * view.pixels_per_mm(die.x, die.y, mm)
    return with_disc(frame, view.pixel(die.x, die.y, mm), wide, (245, 245, 245))


def test_where_a_lamp_may_hide_a_pip_the_sides_tell(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of twos and fours with light pips, and two sides or one that are seen well."""
    alone, helped = [], []
    for session, name in READABLE:
        known, frame = profile(session), photo(session, f"frames/{name}")
        seen = look(frame, known.view, known)
        for die in seen.dice.values():
            assert die
            high = [height_of(quad) for quad in sides_of_die(seen.view, die, known.die_mm)]
            if die.pips in (2, 4) and die.colour.bright_pips and max(high) > 7:
                top = clear(die.x, die.y, die.turn, die.pips)
                lit = with_lamp(frame, seen.view, die, known.die_mm)
                (told,) = reread(lit, seen.view, [top], known.die_mm)
                helped.append(told.pips[die.pips - 1])
                with monkeypatch.context() as patch:
                    patch.setattr("vision.values.told_by_sides", lambda frame, view, tops, mm, others: tops)
                    (told,) = reread(lit, seen.view, [top], known.die_mm)
                alone.append(told.pips[die.pips - 1])
    assert len(alone) >= 5 and max(alone) < 0.9
    # A side that shows a one or a six tells nothing of that.
    assert min(np.array(helped) - alone) > -0.05 and np.mean(np.array(helped) > 0.99) >= 0.5


def seen_well() -> tuple[Image, View, Answer, float]:
    """A photo in which a purple die shows a two on top, and two sides."""
    known, frame = profile("session-04"), photo("session-04", "frames/001.jpg")
    die = look(frame, known.view, known).dice["purple"]
    assert die and die.pips == 2
    return frame, known.view, clear(die.x, die.y, die.turn), known.die_mm


def test_a_top_that_its_sides_exclude_is_in_doubt() -> None:
    """Whether they leave another value or not: one of them may be misread."""
    frame, view, two, mm = seen_well()
    (right,) = told_by_sides(frame, view, [two], mm)
    assert right.pips[1] == pytest.approx(1)
    wrong = [
        np.array(pips, float) for pips in ((0, 0, 1, 0, 0, 0), (0, 0, 0.7, 0, 0.3, 0), (0.3, 0, 0, 0.7, 0, 0))
    ]
    for pips in wrong:
        (told,) = told_by_sides(frame, view, [replace(two, pips=pips)], mm)
        assert told.pips.max() < 0.7


def test_sides_beyond_the_photo_or_near_something_else_tell_nothing() -> None:
    frame, view, two, mm = seen_well()
    vague = replace(two, pips=np.array([0, 0.5, 0.5, 0, 0, 0]))
    (told,) = told_by_sides(frame, view, [vague], mm, [view.pixel(two.x, two.y, 0)])
    assert told.pips == pytest.approx(vague.pips)
    width, height = view.lens.size
    for u, v in ((-30.0, height / 2), (width + 30.0, height / 2), (width / 2, height + 30.0)):
        x, y = view.unproject([(u, v)], mm)[0].tolist()
        (told,) = told_by_sides(frame, view, [replace(vague, x=x, y=y)], mm)
        assert told.pips == pytest.approx(vague.pips)


def test_a_side_that_another_die_hides_tells_nothing() -> None:
    frame, view, die, mm = seen_well()
    vague = replace(die, pips=np.array([0, 0.5, 0.5, 0, 0, 0]))
    away = np.array(lean(view, (die.x, die.y), mm))
    x, y = (die.x, die.y) - mm * away / np.hypot(*away)
    before = clear(float(x), float(y), die.turn)
    (told,) = told_by_sides(frame, view, [vague], mm)
    assert told.pips[1] > 0.99
    told, _ = told_by_sides(frame, view, [vague, before], mm)
    assert told.pips == pytest.approx(vague.pips)


def there(dice: list[Answer]) -> Image:
    """What is new at half size where these dice lie."""
    much: Image = np.zeros((2000, 2000), np.uint8)
    for die in dice:
        hull = silhouette(die, MM, ABOVE) / 2 - 0.25
        cv2.fillConvexPoly(much, np.round(hull * 16).astype(np.int32), 90, shift=4)
    return much


@given(st.floats(0, 2 * np.pi), st.floats(0.6, 1.2), st.floats(0, np.pi / 2), st.floats(-0.25, 0.25))
def test_what_lies_where_a_side_is_seen_is_a_top_only_if_it_hides_the_table(
    towards: float, slope: float, turn: float, off: float
) -> None:
    """Both seem tops just as much."""
    eye, out = ABOVE.eye, np.array([np.cos(towards), np.sin(towards)])
    foot = eye[:2] + slope * (eye[2] - MM) * out
    x, y = foot - (0.5 + slope / 2 + off / 2) * MM * out + off * MM * np.array([-out[1], out[0]])
    die, side = clear(float(foot[0]), float(foot[1]), turn), clear(float(x), float(y), turn, 3)
    assert without_sides([die, side], there([die]), ABOVE, MM) == [die]
    assert without_sides([die, side], there([die, side]), ABOVE, MM) == [die, side]
    leans = replace(die, flat=0.2)
    assert without_sides([leans, side], there([die]), ABOVE, MM) == [leans, side]
    across = np.array([-out[1], out[0]])
    beside = foot + MM * (0.6 * across - (0.5 + slope / 2) * out)
    for x, y in (foot + 1.1 * MM * out, beside, foot - (1.3 + slope / 2) * MM * out):
        other = clear(float(x), float(y), turn, 3)
        assert without_sides([die, other], there([die]), ABOVE, MM) == [die, other]


def near(one: Answer, other: Answer, mm: float) -> bool:
    return math.dist((one.x, one.y), (other.x, other.y)) < 0.15 * mm


def test_a_die_that_was_found_by_its_side_is_read_by_its_top() -> None:
    """Where the camera looks aslant, the side is taken for a top three quarters of a die nearer."""
    told = 0
    for session, name in READABLE:
        table, known = table_of(session, name)
        mm = known.die_mm
        for top in (tops := find_tops(table, 6)):
            out = np.array(lean(table.view, (top.x, top.y), mm))
            if np.hypot(*out) > 1.1 * ASLANT and top.die > 0.99:
                x, y = (top.x, top.y) - 0.75 * mm * out / np.hypot(*out)
                others = [other for other in tops if other is not top]
                side = replace(top, x=float(x), y=float(y), flat=0.9, pips=np.roll(top.pips, 1))
                vague = replace(top, flat=0.4)
                (found,) = (one for one in _no_sides(table, [side, vague, *others]) if near(one, top, mm))
                assert found.flat < SURE  # what was doubted stays so
                read = _no_sides(table, [side, *others])
                (found,) = (one for one in read if near(one, top, mm))
                assert found.pips.argmax() == top.pips.argmax() and len(read) == len(tops)
                told += 1
    assert told >= 3
