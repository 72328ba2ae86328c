"""Photos that cannot be learned from are refused with the reason; the others are learned in any light."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.advice import advice, position
from calibration.calibrate import calibrate, see_dice
from calibration.colours import (
    in_plain_light,
    likely_names,
    missing_name,
    name_colours,
    plainer,
    usual_gloss,
)
from calibration.dice import TooFewDice, looks_of, say_missing
from calibration.empty import dice_left
from calibration.faults import CannotCalibrate, NotEmpty
from calibration.light import in_light_of
from tests.sessions import SESSIONS, photo, profile
from tests.shade import in_shadow
from tests.slowly import slowly
from vision.change import carry
from vision.faces import has_light_pips, silhouette
from vision.geometry import Floats, Image, View
from vision.looks import darkest, deepest
from vision.profile import DieColour, Lab, Profile
from vision.tags import find_tags

SESSION = "session-09"
GLOSS = 0.02
"""What of white a top shows beside its own colour, where no lamp is mirrored in it."""


def learn(empty: Image, dice: Image, names: list[str] | None = None) -> Profile:
    known = profile(SESSION)
    return calibrate(
        known.layout, empty, dice, names or [c.name for c in known.colours], known.die_mm, known.piece_mm
    )


def shots() -> tuple[Image, Image]:
    return photo(SESSION, "empty.jpg"), photo(SESSION, "dice.jpg")


def gain(*factors: float) -> Callable[[Image], Image]:
    return lambda shot: np.clip(shot * np.array(factors), 0, 255).astype(np.uint8)


def lamp_aside(shot: Image) -> Image:
    across = np.linspace(0.75, 1.15, shot.shape[1])[None, :, None]
    return np.clip(shot * across, 0, 255).astype(np.uint8)


def other_curve(shot: Image) -> Image:
    return (255 * (shot / 255.0) ** 1.25).astype(np.uint8)


def compressed(shot: Image) -> Image:
    return np.asarray(
        cv2.imdecode(cv2.imencode(".jpg", shot, (cv2.IMWRITE_JPEG_QUALITY, 50))[1], cv2.IMREAD_COLOR)
    )


def soft(shot: Image) -> Image:
    return np.asarray(cv2.GaussianBlur(shot, (0, 0), 1.2))


@pytest.mark.parametrize(
    "light",
    slowly(
        [
            gain(0.85, 1, 1.15),
            gain(1.15, 1, 0.85),
            gain(0.6, 0.6, 0.6),
            lamp_aside,
            other_curve,
            compressed,
            soft,
        ],
        first=2,
    ),
    ids=["warm", "cool", "dark", "lamp aside", "tone curve", "jpeg 50", "soft"],
)
def test_the_dice_are_learned_in_another_light(light: Callable[[Image], Image]) -> None:
    """Only the photo of the dice changes; every name still goes to the die that it went to."""
    empty, dice = shots()
    learned = learn(empty, light(dice))
    for now, then in zip(learned.colours, profile(SESSION).colours, strict=True):
        assert now.name == then.name and now.bright_pips == then.bright_pips
        assert np.hypot(now.lab[1] - then.lab[1], now.lab[2] - then.lab[2]) < 16


def test_a_photo_is_brought_into_the_light_of_another() -> None:
    empty, dice = shots()
    lit = in_light_of(empty, lamp_aside(gain(0.8, 0.9, 1.1)(dice)))
    off = np.abs(lit.astype(np.int16) - empty).max(axis=2)
    assert np.median(off) <= 4 and off.max() > 60, "the table lies in one light and the dice stay"


def test_a_camera_that_was_moved_between_the_photos_is_no_harm() -> None:
    empty, dice = shots()
    height, width = dice.shape[:2]
    move = cv2.getRotationMatrix2D((width / 2, height / 2), 4, 0.95)
    moved = np.asarray(cv2.warpAffine(dice, move, (width, height), borderMode=cv2.BORDER_REFLECT))
    for now, then in zip(learn(empty, moved).colours, profile(SESSION).colours, strict=True):
        assert np.abs(np.array(now.lab) - then.lab).max() < 12


@pytest.mark.parametrize(
    ("harm", "words"),
    [
        (gain(0.12, 0.12, 0.12), "too dark"),
        (lambda shot: np.asarray(cv2.GaussianBlur(shot, (0, 0), 9)), "blurred"),
        (
            lambda shot: np.roll(shot, -600, axis=1) * (np.arange(1536) < 936)[None, :, None],
            "cuts the board off",
        ),
        (lambda shot: np.clip(shot * 1.0 + 300, 0, 255).astype(np.uint8), "overexposed"),
        (lambda shot: np.zeros_like(shot), "too dark"),
        (lambda shot: np.ascontiguousarray(shot[:, ::-1]), "is mirrored"),
    ],
    ids=["dark", "blurred", "cut off", "overexposed", "black", "mirrored"],
)
@pytest.mark.parametrize("which", ["empty board", "dice"])
def test_a_photo_that_cannot_be_used_says_why(which: str, harm: Callable[[Image], Image], words: str) -> None:
    empty, dice = shots()
    pair = (harm(empty), dice) if which == "empty board" else (empty, harm(dice))
    with pytest.raises(CannotCalibrate, match=words) as fault:
        learn(pair[0].astype(np.uint8), pair[1].astype(np.uint8))
    assert f"the photo of the {which}" in str(fault.value)


@pytest.mark.parametrize("tag", slowly(range(4)))
def test_a_die_on_the_corner_of_a_tag_says_nothing_of_where_the_board_lies(tag: int) -> None:
    """The tag is found, and the corner where the die ends: some six pixels off."""
    known, (empty, dice) = profile(SESSION), shots()
    corner = known.layout.tag_corners(tag)[np.argmax(np.abs(known.layout.tag_corners(tag)).sum(axis=1))]
    inwards = -np.sign(corner)
    cut = corner + inwards * np.array([(-8, -8), (24, -4), (-8, 5)])
    shape = known.view.project(np.hstack([cut, np.zeros((3, 1))]))
    hidden = dice.copy()
    cv2.fillConvexPoly(hidden, (shape * 16).round().astype(np.int32), (230, 235, 235), cv2.LINE_AA, 4)
    seen, plain = (find_tags(shot, known.layout)[0][tag] for shot in (hidden, dice))
    assert np.hypot(*(seen - plain).T).max() > 5
    told = see_dice(known.layout, empty, hidden, known.die_mm).dice_view
    before = see_dice(known.layout, empty, dice, known.die_mm).dice_view
    fields = np.hstack([known.layout.field_centres, np.zeros((12, 1))])
    assert np.hypot(*(told.project(fields) - before.project(fields)).T).max() < 0.5


def test_the_plainest_of_a_black_die_is_what_is_darkest() -> None:
    """The most colourful part is what it mirrors: a brown table."""
    mirrored, black, pips = [(90, 138, 146)] * 30, [(30, 128, 127)] * 40, [(220, 128, 128)] * 20
    seen = np.array([*mirrored, *black, *pips], dtype=np.float64)
    assert darkest(seen) == (30, 128, 127)
    assert deepest(seen) == (90, 138, 146)
    shining, paper = (179.0, 127.0, 127.0), np.full(3, 225.0)
    assert plainer("black", shining, deepest(seen), darkest(seen), paper, GLOSS)[0] < 60
    assert plainer("black", (40.0, 128.0, 128.0), deepest(seen), darkest(seen), paper, GLOSS)[0] == 40


def covered(shot: Image, *tags: int) -> Image:
    """The photo with something round on those tags."""
    known = profile(SESSION)
    hidden = shot.copy()
    for tag in tags:
        at = known.view.project([[*known.layout.tags[tag], 0.0]])[0].round().astype(int)
        cv2.circle(hidden, (int(at[0]), int(at[1])), 20, (60, 90, 120), -1, cv2.LINE_AA)
    return hidden


def test_a_cloth_over_all_but_the_tags_is_refused() -> None:
    """No light explains it: it is of one tone, the empty board is not."""
    empty, dice = shots()
    cloth, known = np.full_like(dice, (40, 90, 160)), profile(SESSION)
    for x, y in known.layout.tags.values():
        (across, down), *_ = known.view.project([[x, y, 0.0]]).round().astype(int)
        there = slice(down - 45, down + 45), slice(across - 45, across + 45)
        cloth[there] = dice[there]
    with pytest.raises(CannotCalibrate, match="show different boards, or one is covered"):
        learn(empty, cloth)


def test_the_shadow_of_who_takes_the_photo_of_the_empty_board_is_refused() -> None:
    """Later all would be lighter there, as if something covered it."""
    empty, dice = shots()
    with pytest.raises(NotEmpty, match=r"a shadow lies over the photo of the empty board near field \w;"):
        learn(in_shadow(empty, 0.7), dice)


def test_a_shadow_over_the_dice_is_no_harm_and_over_half_of_the_board_it_is_called_so() -> None:
    empty, dice = shots()
    dark = in_shadow(dice, 0.7, [(850, 300), (1100, 380), (1000, 900), (750, 900)])
    for now, then in zip(learn(empty, dark).colours, profile(SESSION).colours, strict=True):
        assert (now.name, now.bright_pips) == (then.name, then.bright_pips)
    with pytest.raises(CannotCalibrate, match="a shadow lies over the photo of the dice"):
        learn(empty, in_shadow(dice, 0.7))


@pytest.mark.parametrize(("on_empty", "on_dice"), [((2,), ()), ((), (0, 2)), ((), (1, 2))])
def test_tags_that_are_covered_are_no_harm(on_empty: tuple[int, ...], on_dice: tuple[int, ...]) -> None:
    empty, dice = shots()
    learned = learn(covered(empty, *on_empty), covered(dice, *on_dice))
    for now, then in zip(learned.colours, profile(SESSION).colours, strict=True):
        assert np.abs(np.array(now.lab) - then.lab).max() < 4


def test_a_large_photo_of_the_empty_board_is_searched_small(monkeypatch: pytest.MonkeyPatch) -> None:
    """The larger print is, the more of it looks like dice, and the longer it takes."""
    searched: list[tuple[int, ...]] = []
    monkeypatch.setattr("calibration.empty.glance", lambda shown: searched.append(shown.shape) or 0.0)
    empty = photo(SESSION, "empty.jpg")
    for shown in (empty, cv2.resize(empty, None, fx=3, fy=3)):
        assert dice_left(shown) == []
    assert searched == [(864, 1536, 3), (900, 1600, 3)]


def slipped(dice: Image) -> Image:
    """Two of its tags are covered, and one of the others has slipped."""
    x, y = profile(SESSION).view.project([[*profile(SESSION).layout.tags[3], 0.0]])[0].round().astype(int)
    photo = covered(dice, 0, 1)
    photo[y - 40 : y + 40, x : x + 80] = dice[y - 40 : y + 40, x - 40 : x + 40]
    return photo


def test_two_tags_that_do_not_say_where_the_board_lies_are_too_few() -> None:
    empty, dice = shots()
    turn = cv2.getRotationMatrix2D((768, 432), 2.0, 1.0)
    bumped = cv2.warpAffine(slipped(dice), turn, dice.shape[1::-1], borderMode=cv2.BORDER_REFLECT)
    with pytest.raises(CannotCalibrate, match=r"tags 0 \(top left\) and 1 \(top right\) are missing"):
        learn(empty, bumped)


def test_where_the_camera_stayed_its_print_says_where_the_board_lies() -> None:
    empty, dice = shots()
    for now, then in zip(learn(empty, slipped(dice)).colours, profile(SESSION).colours, strict=True):
        assert np.abs(np.array(now.lab) - then.lab).max() < 4


def test_photos_that_were_exchanged() -> None:
    empty, dice = shots()
    with pytest.raises(CannotCalibrate, match="exchange the two"):
        learn(dice, empty)


@pytest.mark.slow
def test_photos_that_were_exchanged_with_a_die_too_many() -> None:
    """The photo of the dice, as it is called, is the empty one: nothing is wrong with it."""
    empty, dice = shots()
    known = profile(SESSION)
    six = see_dice(known.layout, empty, dice, known.die_mm)
    at = np.array([six.dice_view.pixel(face.x, face.y, 0) for face in six.faces]).round().astype(int)
    (x, y), seven = at[0], dice.copy()
    free = [np.array([a, b]) for a in range(60, 1480, 40) for b in range(60, 800, 40)]
    free = [place for place in free if np.hypot(*(at - place).T).min() > 100]
    to_x, to_y = min(free, key=lambda place: np.hypot(*(at[0] - place)))
    seven[to_y - 35 : to_y + 35, to_x - 35 : to_x + 35] = dice[y - 35 : y + 35, x - 35 : x + 35]
    with pytest.raises(CannotCalibrate, match="the photo of the dice shows more than 6"):
        learn(empty, seven)
    with pytest.raises(CannotCalibrate, match="exchange the two"):
        learn(seven, empty)


@pytest.mark.slow
@pytest.mark.parametrize("times", [0.5, 1.5])
def test_dice_of_another_size_than_told(times: float) -> None:
    """Half as large they were found, and taken for so small; larger ones were not found at all."""
    empty, dice = shots()
    known = profile(SESSION)
    with pytest.raises(CannotCalibrate, match=r"look about 1[567] mm wide and not (8|24); measure one"):
        see_dice(known.layout, empty, dice, times * 16)


@pytest.mark.slow
@pytest.mark.parametrize("told", [13.8, 18.2])
def test_dice_somewhat_off_what_was_told_are_taken_as_they_look(told: float) -> None:
    """With a side 14 % off nothing was sure, and "good: dice" was said."""
    empty, dice = shots()
    known = profile(SESSION)
    assert see_dice(known.layout, empty, dice, told).seen == pytest.approx(known.die_mm, abs=0.7)
    assert "good: dice" in advice(known, dice, 16)[0]
    said = next(line for line in advice(known, dice, told) if line.startswith("dice: "))
    assert (
        said
        == f"dice: they look {known.die_mm:g} mm wide and not {told:g}, and are taken so; measure one again"
    )


@pytest.mark.slow
def test_a_lamp_that_mirrors_in_a_die_hides_it_not() -> None:
    """Two thirds of one top's contrast are gone: its pattern alone would not do for a face."""
    empty, dice = shots()
    known = profile(SESSION)
    six = see_dice(known.layout, empty, dice, known.die_mm)
    across, down = np.meshgrid(np.arange(dice.shape[1]), np.arange(dice.shape[0]))
    for face in six.faces:
        x, y = six.dice_view.project([[face.x, face.y, six.side]])[0]
        wide = six.side * six.dice_view.pixels_per_mm(face.x, face.y, six.side)
        away = np.hypot(across - x - 0.2 * wide, down - y - 0.1 * wide)
        shine = 0.7 * np.exp(-(away**2) / (2 * (0.35 * wide) ** 2))[..., None]
        found = see_dice(
            known.layout, empty, np.round(dice * (1 - shine) + 255 * shine).astype(np.uint8), known.die_mm
        )
        for one in six.faces:
            (again,) = (f for f in found.faces if np.hypot(f.x - one.x, f.y - one.y) < 3)
            assert again.bright == one.bright


def test_pips_are_dark_or_light_under_any_glare() -> None:
    """A lamp makes each top lighter towards its middle, as one large pip would."""
    empty, dice = shots()
    six = see_dice(profile(SESSION).layout, empty, dice, profile(SESSION).die_mm)
    assert {face.bright for face in six.faces} == {False, True}
    across, down = np.meshgrid(np.arange(dice.shape[1]), np.arange(dice.shape[0]))
    for face in six.faces:
        x, y = six.dice_view.project([[face.x, face.y, six.side]])[0]
        wide = six.side * six.dice_view.pixels_per_mm(face.x, face.y, six.side)
        shine = 0.7 * np.exp(-((across - x) ** 2 + (down - y) ** 2) / (2 * (0.4 * wide) ** 2))[..., None]
        shining = np.round(dice * (1 - shine) + 255 * shine).astype(np.uint8)
        assert has_light_pips(shining, six.dice_view, face, six.side) == face.bright


@pytest.mark.parametrize("session", slowly(SESSIONS))
def test_pips_are_dark_or_light_though_the_face_is_told_a_little_off(session: str) -> None:
    """A shining rim draws a face aside; between its pips the top is as light as they are dark."""
    known = profile(session)
    six = see_dice(known.layout, known.empty, photo(session, "dice.jpg"), known.die_mm)
    for face in six.faces:
        for turn in np.arange(8) * np.pi / 4:
            x, y = face.x + 0.14 * six.side * np.cos(turn), face.y + 0.14 * six.side * np.sin(turn)
            off = replace(face, x=float(x), y=float(y))
            told = has_light_pips(photo(session, "dice.jpg"), six.dice_view, off, six.side)
            assert told == face.bright, (face.pips, turn)


def test_a_lamp_in_a_top_is_not_its_colour() -> None:
    """A quarter of each top shows a lamp, and its light pips are taken for dark ones."""
    empty, dice = shots()
    six = see_dice(profile(SESSION).layout, empty, dice, 16.0)
    coloured = [(face, plain) for face, plain in zip(six.faces, six.looks, strict=True) if face.bright]
    for face, plain in coloured:
        c, s = np.cos(face.turn), np.sin(face.turn)
        corners = six.side * np.array([[0, 0], [0.48, 0], [0.48, 0.48], [0, 0.48]]) @ [[c, s], [-s, c]]
        lamp = np.hstack([corners + np.array([face.x, face.y]), np.full((4, 1), six.side)])
        shining = cv2.fillConvexPoly(
            dice.copy(), six.dice_view.project(lamp).round().astype(np.int32), (250, 245, 240), cv2.LINE_AA
        )
        (seen,) = looks_of(shining, six.dice_view, [replace(face, bright=False)], six.side)
        assert np.hypot(seen[1] - plain[1], seen[2] - plain[2]) < 12
    assert len(coloured) == 4


@pytest.mark.slow
def test_a_die_that_mirrors_a_lamp_with_all_of_its_top_has_its_colour_by_its_sides() -> None:
    """The lamp adds as much light to each colour; pips and edges stay to be seen."""
    empty, dice = shots()
    learned = profile(SESSION)
    six = see_dice(learned.layout, empty, dice, learned.die_mm)
    names = [colour.name for colour in learned.colours]
    named = list(zip(six.named(names), names, strict=True))
    nearer = 0
    for (die, name), plain in zip(named, learned.colours, strict=True):
        if max(abs(v - 128) for v in plain.lab[1:]) < 20:
            continue
        face = six.faces[die]
        c, s = np.cos(face.turn), np.sin(face.turn)
        square = 0.48 * six.side * np.array([[1, 1], [1, -1], [-1, -1], [-1, 1]]) @ [[c, s], [-s, c]]
        top = np.hstack([square + np.array([face.x, face.y]), np.full((4, 1), six.side)])
        lamp = cv2.fillConvexPoly(
            np.zeros(dice.shape[:2], np.float32), six.dice_view.project(top).round().astype(np.int32), 0.5
        )
        light = (dice / 255) ** 2.2 + lamp[..., None]
        shining = (255 * np.clip(light, 0, 1) ** (1 / 2.2)).astype(np.uint8)
        again = see_dice(learned.layout, empty, shining, learned.die_mm)
        at = np.array([(one.x, one.y) for one in again.faces])
        same = [
            (int(np.hypot(*(at - (six.faces[k].x, six.faces[k].y)).T).argmin()), called)
            for k, called in named
        ]
        seen = again.profile(same, learned.piece_mm)
        learned_now = next(colour.lab for colour in seen.colours if colour.name == name)
        top = again.looks[next(k for k, called in same if called == name)]
        before, after = (np.hypot(*(_hue(one) - _hue(plain.lab))) for one in (top, learned_now))
        assert after <= before, name
        nearer += after < 0.9 * before
    assert nearer == 3, "the yellow one shows no side"


@pytest.mark.parametrize("lamp", [0.15, 0.3, 0.6])
@pytest.mark.parametrize("light", [1.0, 2.0, 3.5])
def test_a_lamp_in_a_top_is_told_from_light_on_it(light: float, lamp: float) -> None:
    """What the lamp adds goes, whatever light the sides are in; usual gloss stays. So it does where the paper
    is lilac."""
    paper = np.array([205.0, 180.0, 195.0])
    own, white = np.array([0.02, 0.03, 0.2]), (paper / 255) ** 2.2
    side, plain, top = (_lab(own), _lab(light * own + GLOSS * white), _lab(light * own + lamp * white))
    learned = plainer("red", top, side, side, paper, GLOSS)
    assert np.linalg.norm(np.subtract(learned, plain) / (2.55, 1, 1)) < 2
    assert plainer("red", plain, side, side, paper, GLOSS) == plain


def test_a_window_that_all_tops_mirror_is_their_usual_gloss() -> None:
    """What all show is seen in the frames, too; of a white die nothing tells how much of it is gloss."""
    names = ["red", "green", "blue", "yellow", "white", "brown"]
    paper = np.array([205.0, 180.0, 195.0])
    white = (paper / 255) ** 2.2
    own = np.array(
        [[0, 0, 0.3], [0.05, 0.2, 0.03], [0.4, 0.1, 0.05], [0, 0.5, 0.7], white, [0.02, 0.05, 0.1]]
    )
    sides, tops = ([_lab(one) for one in seen] for seen in (own, own + 0.15 * white))
    assert usual_gloss(names, tops, sides, paper) == pytest.approx(0.15, abs=0.01)
    lit = _lab(own[0] + 0.5 * white)
    assert np.linalg.norm(np.subtract(plainer("red", lit, sides[0], sides[0], paper, 0.15), tops[0])) < 5


def test_a_little_lamp_tells_in_dark_dice() -> None:
    """A dark brown die has hardly any light of its own; a beige one, whose sides mirror a dark table, has."""
    paper = np.array([205.0, 200.0, 195.0])
    own, white = np.array([0.01, 0.02, 0.04]), (paper / 255) ** 2.2
    side, plain, lit = _lab(own), _lab(2 * own + GLOSS * white), _lab(2 * own + 0.12 * white)
    assert np.linalg.norm(np.subtract(plainer("brown", lit, side, side, paper, GLOSS), plain)) < 3
    assert plainer("brown", plain, side, side, paper, GLOSS) == plain
    side, top = _lab(10 * own), _lab(10 * own + 0.12 * white)
    assert plainer("brown", top, side, side, paper, GLOSS) == top


def test_sides_in_deep_shade_do_not_tell_the_colour() -> None:
    """Those of a yellow die were farther from what people call yellow than its pale top, those of a brown one
    mirrored a violet field."""
    paper, top, side = np.array([200.0, 178.0, 190.0]), (181.0, 131.0, 150.0), (78.0, 129.0, 165.0)
    assert plainer("yellow", top, side, side, paper, GLOSS) == top
    paper, top, side = np.array([254.0, 242.0, 247.0]), (132.0, 143.0, 133.0), (96.0, 146.0, 113.0)
    assert plainer("brown", top, side, side, paper, 0.08) == top


def test_a_black_die_under_a_lamp_is_learned_by_what_is_darkest() -> None:
    """How much light that is in, nothing tells: about as much as the top."""
    paper, dark = np.full(3, 200.0), (25.0, 131.0, 124.0)
    lightness, *hue = plainer("black", (180.0, 128.0, 128.0), (60.0, 140.0, 128.0), dark, paper, GLOSS)
    assert dark[0] < lightness < 60
    assert np.hypot(*np.subtract(hue, 128)) < 5


@pytest.mark.parametrize(
    ("name", "top", "sides", "shines"),
    [
        ("blue", (192.0, 139.0, 96.0), (106.0, 148.0, 77.0), True),
        ("red", (98.0, 161.0, 142.0), (62.0, 168.0, 154.0), True),
        ("yellow", (241.0, 111.0, 216.0), (241.0, 110.0, 218.0), False),
        ("black", (61.0, 127.0, 128.0), (62.0, 131.0, 158.0), False),
    ],
    ids=["pale blue", "pale red", "as its sides", "what black mirrors"],
)
def test_a_top_far_paler_than_its_sides_mirrors_a_lamp(name: str, top: Lab, sides: Lab, shines: bool) -> None:
    """Its colour is one that people call so, as pale as it is."""
    assert (plainer(name, top, sides, sides, np.full(3, 225.0), GLOSS) != top) == shines


def _lab(linear: Floats) -> Lab:
    """A colour, OpenCV's 8-bit Lab, of blue, green and red, linear, 0 to 1."""
    pixel = np.clip(linear, 0, 1).astype(np.float32)[None, None]
    lightness, a, b = cv2.cvtColor(pixel, cv2.COLOR_LBGR2LAB)[0, 0].tolist()
    return lightness * 2.55, a + 128, b + 128


def _hue(lab: tuple[float, float, float]) -> Floats:
    return np.asarray(np.subtract(lab[1:], 128) / (lab[0] * 100 / 255 + 16))


@pytest.mark.slow
@pytest.mark.parametrize(("session", "gone"), [("session-01", "yellow"), ("session-04", "white")])
def test_nothing_else_stands_for_a_die_that_is_not_there(session: str, gone: str) -> None:
    """A corner of the board whose pattern matched, and a print in the fourth, were learned as the sixth."""
    known, shown = profile(session), photo(session, "dice.jpg")
    six = see_dice(known.layout, known.empty, shown, None, [colour.name for colour in known.colours])
    names = [colour.name for colour in known.colours]
    hull = silhouette(six.faces[six.named(names)[names.index(gone)]], six.side, six.dice_view)
    where = np.zeros(shown.shape[:2], np.uint8)
    larger = hull.mean(axis=0) + 1.7 * (hull - hull.mean(axis=0))
    cv2.fillConvexPoly(where, np.round(larger).astype(np.int32), 255)
    share = cv2.GaussianBlur(where, (0, 0), 3)[..., None] / 255
    empty = in_light_of(shown, carry(known.empty, six.view, six.dice_view))
    painted = np.round(shown * (1 - share) + empty * share).astype(np.uint8)
    with pytest.raises(CannotCalibrate, match=f"5 of 6 dice, the {gone} one"):
        calibrate(known.layout, known.empty, painted, names)


def test_the_dice_of_another_table_are_refused() -> None:
    known = profile("session-01")
    with pytest.raises(CannotCalibrate, match="show different boards"):
        see_dice(known.layout, known.empty, photo("play-03", "dice.jpg"))


@pytest.mark.slow
def test_a_die_too_few_is_named() -> None:
    empty, dice = shots()
    known = profile(SESSION)
    learned = learn(empty, dice)
    # The view of the dice photo is that of the empty one here: a die is painted out where it changed.
    gone = dice.copy()
    apart = np.abs(dice.astype(np.int16) - empty).max(axis=2) > 25
    count, labels, stats, _ = cv2.connectedComponentsWithStats(
        cv2.dilate(apart.astype(np.uint8), np.ones((9, 9), np.uint8))
    )
    largest = 1 + int(stats[1:, cv2.CC_STAT_AREA].argmax())
    gone[labels == largest] = empty[labels == largest]
    assert count > 6 and len(learned.colours) == 6
    with pytest.raises(CannotCalibrate, match="5 of 6 dice") as fault:
        learn(empty, gone)
    assert any(f"the {colour.name} one" in str(fault.value) for colour in known.colours)


def test_a_die_that_is_not_there_is_named_only_where_it_is_plain() -> None:
    """As seen in a rendered photo: a black die mirrors a lamp with its top, white pips stay white."""
    names = ["red", "green", "blue", "yellow", "black", "white"]
    looks: list[Lab] = [(149, 171, 149), (188, 86, 154), (136, 142, 77), (222, 111, 181), (170, 123, 131)]
    bright = [True, False, True, False, True]
    assert missing_name(looks, bright, names) == "white"
    assert missing_name(looks, [*bright[:4], False], names) == "black"
    assert missing_name(looks[:4], bright[:4], names) is None
    between_red_and_orange = [(163, 178, 165), *looks[1:]]
    assert missing_name(between_red_and_orange, bright, ["red", "orange", *names[1:4], "black"]) is None


def test_too_few_dice_in_a_blurred_photo_are_put_down_to_that() -> None:
    known = profile("session-01")
    blurred = np.asarray(cv2.GaussianBlur(photo("session-01", "dice.jpg"), (0, 0), 4))
    with pytest.raises(CannotCalibrate, match="the photo of the dice is blurred; focus, and keep"):
        see_dice(known.layout, known.empty, blurred, 16.0)


def test_too_few_dice_in_an_overexposed_photo_are_put_down_to_that() -> None:
    six = see_dice(profile(SESSION).layout, *shots(), die_mm=profile(SESSION).die_mm)
    fault, names = TooFewDice(six.faces[:4]), [colour.name for colour in profile(SESSION).colours]
    say_missing(fault, six.looks[:4], six.white, names, overexposed=False)
    with pytest.raises(CannotCalibrate, match="shows 4 of 6 dice and is overexposed; expose it less"):
        say_missing(fault, six.looks[:4], six.white, names, overexposed=True)


def test_a_hand_in_the_photo_of_the_empty_board() -> None:
    empty, dice = shots()
    board = profile(SESSION)
    at = board.view.project([[0.0, 0.0, 0.0]])[0].round().astype(int)
    handy = empty.copy()
    cv2.ellipse(handy, (int(at[0]), int(at[1])), (70, 40), 20, 0, 360, (120, 150, 200), -1, cv2.LINE_AA)
    with pytest.raises(CannotCalibrate, match="the photo of the empty board shows something near field"):
        learn(handy, dice)


def test_a_black_die_that_shines_is_told_from_a_brown_one() -> None:
    """As seen in a rendered photo: the top of the black one is lighter, and a little less brown."""
    names = ["brown", "black", "white", "red", "blue", "green"]
    rest = [(230.0, 128.0, 132.0), (110.0, 178.0, 160.0), (90.0, 140.0, 80.0), (110.0, 100.0, 145.0)]
    tops = [(83.0, 129.0, 135.0), (122.0, 127.0, 130.0), *rest]
    sides = [(50.0, 136.0, 140.0), (40.0, 128.0, 130.0), *rest]
    assert name_colours(tops, names) == [0, 1, 2, 3, 4, 5]
    assert name_colours(tops, names, sides) == [0, 1, 2, 3, 4, 5]


def test_a_black_die_that_mirrors_a_lamp_all_over_is_not_called_brown() -> None:
    """As seen in a rendered photo, top and sides; the brown one lay in the dark."""
    names = ["pink", "purple", "brown", "black", "orange", "red"]
    tops = [(150.0, 152.0, 124.0), (70.0, 150.0, 100.0), (97.0, 131.0, 137.0), (147.0, 127.0, 128.0)]
    sides = [(80.0, 146.0, 118.0), (66.0, 152.0, 98.0), (77.0, 134.0, 139.0), (154.0, 126.0, 128.0)]
    rest = [(140.0, 145.0, 168.0), (120.0, 162.0, 143.0)]
    assert name_colours([*tops, *rest], names, [*sides, *rest]) == [0, 1, 2, 3, 4, 5]


def test_names_that_cannot_be_told_apart_are_named() -> None:
    red, other = (110.0, 180.0, 160.0), (112.0, 180.0, 161.0)
    rest = [(235.0, 128.0, 130.0), (30.0, 128.0, 128.0), (80.0, 100.0, 145.0), (200.0, 130.0, 200.0)]
    names = ["red", "orange", "white", "black", "green", "yellow"]
    with pytest.raises(CannotCalibrate, match="the red and the orange die cannot be told apart"):
        name_colours([red, other, *rest], names)
    orange = (165.0, 165.0, 190.0)
    assert name_colours([orange, red, *rest], names) == [1, 0, 2, 3, 4, 5]


def test_under_a_blue_lamp_the_dice_have_their_names_by_the_white_of_the_paper() -> None:
    """What a rendered set showed whose orange die was as yellow as the other."""
    looks = [
        (142, 121, 131),
        (144, 140, 82),
        (174, 92, 147),
        (244, 100, 192),
        (225, 113, 188),
        (250, 119, 125),
    ]
    names = ["black", "blue", "green", "yellow", "orange", "white"]
    with pytest.raises(CannotCalibrate, match="the yellow and the orange die"):
        name_colours(looks, names)
    assert name_colours(in_plain_light(looks, np.array([254.0, 255.0, 226.0])), names) == [0, 1, 2, 3, 4, 5]


@pytest.mark.parametrize("light", slowly([gain(1, 0.85, 0.6), gain(0.55, 0.8, 1), gain(0.3, 0.3, 0.3)]))
def test_the_dice_get_their_names_under_any_lamp(light: Callable[[Image], Image]) -> None:
    """Both photos are taken in its light."""
    empty, dice = shots()
    known = profile(SESSION)
    six = see_dice(known.layout, light(empty), light(dice), known.die_mm)
    then = see_dice(known.layout, empty, dice, known.die_mm)
    names, doubtful = likely_names(six.in_plain_light)
    before = dict(zip(likely_names(then.in_plain_light)[0], then.faces, strict=True))
    assert not doubtful and set(names) == set(before)
    for name, face in zip(names, six.faces, strict=True):
        assert np.hypot(face.x - before[name].x, face.y - before[name].y) < 3


def test_a_colour_named_twice() -> None:
    empty, dice = shots()
    with pytest.raises(CannotCalibrate, match="white is named twice"):
        learn(empty, dice, ["purple", "green", "white", "white", "red", "brown"])


def test_another_layout_is_noticed() -> None:
    empty, dice = shots()
    wrong = profile("session-01").layout
    with pytest.raises(CannotCalibrate, match="do not lie as layout"):
        calibrate(wrong, empty, dice, [c.name for c in profile(SESSION).colours])


def test_advice_says_what_matters() -> None:
    good = advice(profile(SESSION))
    assert good == ["good: dice, colours, angle, room, light, glare, sharpness"]
    assert "33 pixels wide" in position(profile(SESSION))
    known = profile(SESSION)
    x, y, z = -known.view.turn @ (9.0, 0.0, 528.0)
    nearly_above = View(known.view.lens, known.view.rotation, (float(x), float(y), float(z)))
    assert ", 1 degree aside;" in position(replace(known, view=nearly_above))
    dim = Profile(
        known.layout, known.view, gain(0.4, 0.4, 0.4)(known.empty), known.colours, 8.0, known.piece_mm
    )
    said = {line.split(":")[0]: line for line in advice(dim)}
    assert "dark" in said["light"] and "pixels wide, too small" in said["dice"]
    assert "angle" in said["good"]


def test_nearer_is_no_advice_where_the_board_would_not_fit() -> None:
    """Photos of 640 pixels from where the board just fits: whoever came nearer lost the tags."""
    known = profile(SESSION)
    lens = known.view.lens
    small = replace(lens, focal=0.4 * lens.focal, size=(round(0.4 * lens.size[0]), round(0.4 * lens.size[1])))
    said = advice(replace(known, view=replace(known.view, lens=small), die_mm=14.0))
    why = (
        "too small to read; set the camera to larger pictures, for nearer by it would not see the whole board"
    )
    assert f"dice: a die is only 12 pixels wide, {why}" in said
    far = replace(known.view, shift=(*known.view.shift[:2], 1.8 * known.view.shift[2]))
    assert any("bring the camera to" in one for one in advice(replace(known, view=far, die_mm=14.0)))


def test_advice_tells_a_burnt_board_whose_tags_a_tint_keeps_from_white() -> None:
    known = profile(SESSION)
    burnt = replace(known, empty=gain(1.5, 1.5, 0.95)(known.empty))
    said = "light: much of the board is overexposed; expose a little less, or dim the light"
    assert said in advice(burnt) and said not in advice(known)


def test_advice_is_given_for_the_photo_of_the_dice_too() -> None:
    known, (_, dice) = profile(SESSION), shots()

    def said(shot: Image) -> list[str]:
        return advice(known, shot)[1:]

    assert said(dice) == []
    hand = photo("session-01", "frames/002.jpg")
    assert advice(profile("session-01"), hand)[1:] == [
        "dice: something lies over the board in their photo, perhaps a hand; take it again without"
    ]
    assert said(gain(3, 3, 3)(dice)) == ["light: the photo of the dice is overexposed; expose it less"]
    assert said(gain(0.4, 0.4, 0.4)(dice))[0].startswith("light: the photo of the dice is dark")
    blurred = np.asarray(cv2.GaussianBlur(dice, (0, 0), 2))
    assert said(blurred) == ["sharpness: the photo of the dice is blurred; focus, and keep the camera still"]


def test_a_die_that_a_hand_hides_is_missed_in_their_photo() -> None:
    """The yellow one lies under it; the black one counted twice, by its top and by its side."""
    known = profile("session-01")
    empty, hand = (photo("session-01", name) for name in ("empty.jpg", "frames/002.jpg"))
    names = [die.name for die in known.colours]
    with pytest.raises(CannotCalibrate, match=r"shows [45] of 6 dice"):
        calibrate(known.layout, empty, hand, names)


@pytest.mark.parametrize("session", SESSIONS)
def test_dice_under_their_own_names_look_like_them(session: str) -> None:
    known = profile(session)
    assert not any("no die looks" in line for line in advice(known))
    names = [colour.name for colour in known.colours]
    spare = next(name for name in ("orange", "pink") if name not in names)
    blue = names.index("blue" if "blue" in names else "green")
    renamed = tuple(
        replace(colour, name=spare) if i == blue else colour for i, colour in enumerate(known.colours)
    )
    assert any(
        f"no die looks {spare}, and one looks {names[blue]};" in line
        for line in advice(replace(known, colours=renamed))
    )


def test_several_wrong_names_are_told_together() -> None:
    known = profile("session-01")
    other = {"red": "purple", "blue": "orange"}
    wrong = tuple(replace(colour, name=other.get(colour.name, colour.name)) for colour in known.colours)
    (said,) = (line for line in advice(replace(known, colours=wrong)) if line.startswith("colours"))
    assert said.startswith("colours: no dice look ") and said.endswith("in place of the others")
    assert "orange" in said and "purple" in said


def test_the_name_that_is_wrong_is_told_though_another_die_got_it() -> None:
    """Whoever writes orange for blue has an orange die that is red, and a red one that is blue."""
    known = profile("session-01")
    other = {"red": "orange", "blue": "red"}
    wrong = tuple(replace(colour, name=other.get(colour.name, colour.name)) for colour in known.colours)
    (said,) = (line for line in advice(replace(known, colours=wrong)) if line.startswith("colours"))
    assert "no die looks orange, and one looks blue; if it is" in said


def test_dice_that_look_alike_are_named() -> None:
    known = profile(SESSION)
    brown = next(colour for colour in known.colours if colour.name == "brown")

    def advised(grey: tuple[float, float, float], bright_pips: bool = True) -> list[str]:
        red = DieColour("red", grey, bright_pips)
        colours = tuple(red if colour.name == "red" else colour for colour in known.colours)
        return [line for line in advice(replace(known, colours=colours)) if "alike" in line]

    (said,) = advised((brown.lab[0] + 6, brown.lab[1] - 1, brown.lab[2]))
    assert "the red and brown dice look nearly alike" in said and "move the lamp" in said
    assert not advised((brown.lab[0] + 6, brown.lab[1] - 1, brown.lab[2]), bright_pips=False)
    assert not advised((brown.lab[0] + 6, brown.lab[1] + 25, brown.lab[2]))


def test_dice_that_have_lost_their_colour_to_a_lamp_are_named() -> None:
    known = profile(SESSION)

    def washed_out(die: DieColour, left: float) -> DieColour:
        light, a, b = die.lab
        paler = (light, 128 + left * (a - 128), 128 + left * (b - 128))
        return replace(die, lab=paler, rim=paler)

    def advised(left: float, *names: str) -> list[str]:
        colours = tuple(washed_out(die, left) if die.name in names else die for die in known.colours)
        return [line for line in advice(replace(known, colours=colours)) if line.startswith("colours")]

    assert {"purple", "green", "white"} <= {die.name for die in known.colours}
    assert not advised(0.6, "purple", "green") and not advised(0.0, "white")
    (said,) = advised(0.1, "purple")
    assert "some dice look very pale: purple; if they are not" in said
    (said,) = advised(0.1, "purple", "green")
    assert "very pale: purple, green; if" in said


def test_dice_in_which_a_lamp_is_mirrored_are_named() -> None:
    """Their tops have another hue in the middle than at the rim."""
    known = profile(SESSION)

    def advised(name: str, off: float) -> list[str]:
        colours = tuple(
            replace(die, rim=(die.lab[0], die.lab[1] + off, die.lab[2])) if die.name == name else die
            for die in known.colours
        )
        return [line for line in advice(replace(known, colours=colours)) if line.startswith("colours")]

    assert not advised("purple", 10)
    assert advised("purple", 25) == [
        "colours: a lamp is mirrored in some dice: purple; move them or the lamp, and take their photo again"
    ]
