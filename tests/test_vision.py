"""Reading photographs: with known truth, disturbed, and of nothing at all."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest

from calibration.dice import find_six
from calibration.layouts import MAT
from companion.reliability import is_right
from tests.sessions import SESSIONS, frames, photo, profile, truth
from tests.shade import banded, in_shadow
from tests.slowly import slowly
from vision.beyond import fields_beyond
from vision.board import where_board_lies
from vision.change import compare, half
from vision.faces import corners, settle
from vision.fields import counts_of
from vision.geometry import LETTERS, BadLayout, Floats, Image, Layout, Lens, View
from vision.judge import confidence, in_doubt
from vision.look import look
from vision.pieces import find_pieces, look_at_ring
from vision.read import looked, read
from vision.reading import SURE, Reading, SeenPiece
from vision.ring_net import seen_at
from vision.tops import Table
from vision.towers import Candidate, FoundPiece, fit

SIZE = (864, 1536, 3)


@pytest.mark.parametrize(("session", "name"), frames(readable=True))
def test_a_readable_frame_is_read_right_or_doubted(session: str, name: str) -> None:
    reading, known = read(photo(session, f"frames/{name}"), profile(session)), truth(session)[name]
    for one, true in ((reading, known), (reading.without_markers(), {**known, "markers": None})):
        assert not one.sure or is_right(one, true), one
        assert one.sure or one.doubts, "whoever doubts says why"


def test_nearly_all_readable_frames_are_sure() -> None:
    sure = [read(photo(s, f"frames/{name}"), profile(s)).sure for s, name in frames(readable=True)]
    assert sum(sure) >= 0.8 * len(sure)


@pytest.mark.parametrize(("session", "name"), frames(readable=True))
def test_what_is_shown_for_correction_is_right_already(session: str, name: str) -> None:
    """Sure or not: what somebody would have to correct otherwise."""
    reading, known = read(photo(session, f"frames/{name}"), profile(session)), truth(session)[name]
    assert list(reading.counts or ()) == known["pieces"]
    assert reading.dice == known["dice"]


@pytest.mark.parametrize(("session", "name"), frames(readable=False))
def test_what_nobody_can_read_is_never_sure(session: str, name: str) -> None:
    reading = read(photo(session, f"frames/{name}"), profile(session))
    assert not reading.sure and reading.doubts
    lies = reading.without_markers()
    assert not lies.sure and lies.doubts


@pytest.mark.parametrize(("markers", "laid"), [(0.3, True), (0.9995, False)])
def test_no_second_look_makes_counts_and_dice_doubtful_for_a_marker(
    markers: float, laid: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A marker may be likelier by it, but while a situation is laid none matters."""
    known, frame = profile("session-01"), photo("session-01", "frames/001.jpg")
    first = replace(look(frame, known.view, known), marked=markers)
    first = first if laid else replace(first, alike=(0.9,) * 6)
    second = replace(first, alike=(0.99,) * 6, marked=0.9999)
    monkeypatch.setattr("vision.read.look", lambda *_: first)
    monkeypatch.setattr("vision.read.look_in_its_tones", lambda *_: second)
    seen, how_likely = looked(frame, known.view, known, pushed=False)
    assert (seen is first, how_likely.laid > SURE) == (laid, laid)


def test_where_six_pieces_do_not_come_out_no_field_with_pieces_is_sure() -> None:
    """One is missing, or a tower is higher than it looks; which field is wrong then, nobody can tell."""
    reading = read(photo("session-09", "frames/008.jpg"), profile("session-09"))
    assert reading.counts is not None and reading.confidence is not None
    assert sum(count or 0 for count in reading.counts) == 5
    for count, likely in zip(reading.counts, reading.confidence.counts, strict=True):
        assert likely < 0.9 if count else likely > 0.999
    assert [doubt.what for doubt in reading.doubts] == ["pieces"], "said once, and not of each field"


@pytest.mark.parametrize(("name", "towers"), [("001.jpg", 1), ("006.jpg", 2)])
def test_pieces_on_each_other_are_towers(name: str, towers: int) -> None:
    """Not single pieces beside their shadows, which would give the same counts."""
    session = "session-04"
    known, frame = profile(session), photo(session, f"frames/{name}")
    board = where_board_lies(frame, known)
    assert board.view is not None
    pieces = look(frame, board.view, known).pieces.pieces
    assert sorted(piece.level for piece in pieces) == [1] * (6 - 2 * towers) + [2] * towers
    counts = [0] * 12
    for piece in pieces:
        centres = known.layout.field_centres
        counts[int(np.hypot(*(centres - (piece.x, piece.y)).T).argmin())] += piece.level
    assert counts == truth(session)[name]["pieces"]


def test_a_towers_lid_is_seen_over_a_die_that_lies_behind_it() -> None:
    """No single piece can stand there, where the die lies, but the tower in front of it does."""
    known, frame = profile("session-04"), photo("session-04", "frames/001.jpg")
    view = where_board_lies(frame, known).view
    assert view is not None
    change = compare(half(frame), known.empty_half)
    ring = look_at_ring(change, view, known.layout, known.piece_mm)
    (tower,) = (piece for piece in find_pieces(ring, frame, known.empty, [], 16).pieces if piece.level == 2)
    foot = np.array([tower.x, tower.y])
    lid = seen_at(view, (tower.x, tower.y), 2, known.piece_mm[1])
    behind = lid + 10 * (lid - foot) / np.hypot(*(lid - foot))
    pieces = find_pieces(ring, frame, known.empty, [tuple(behind.tolist())], 16).pieces
    assert sorted(piece.level for piece in pieces) == [1, 1, 1, 1, 2]


@pytest.mark.parametrize(
    ("reach", "amount", "blur", "least"), slowly([(0.7, 0.15, 2.0, 0.98), (0.36, 0.5, 1.5, 0.95)])
)
@pytest.mark.parametrize(("session", "name"), frames(readable=True))
def test_a_gloss_takes_the_colours_of_dice_but_not_their_names(
    session: str, name: str, reach: float, amount: float, blur: float, least: float
) -> None:
    """On all that is seen of each die, or a lamp in the middle of its top."""
    known, frame = profile(session), photo(session, f"frames/{name}")
    view = where_board_lies(frame, known).view
    assert view is not None
    gloss = np.zeros(frame.shape[:2], np.float32)
    for die in look(frame, view, known).dice.values():
        assert die is not None
        x, y = view.pixel(die.x, die.y, known.die_mm)
        radius = reach * known.die_mm * view.pixels_per_mm(height=known.die_mm)
        cv2.circle(gloss, (round(x), round(y)), round(radius), amount, -1)
    light = (frame / 255) ** 2.2 + cv2.GaussianBlur(gloss, (0, 0), blur)[..., None]
    seen = look((255 * np.clip(light, 0, 1) ** (1 / 2.2)).astype(np.uint8), view, known)
    assert {colour: die and die.pips for colour, die in seen.dice.items()} == truth(session)[name]["dice"]
    assert seen.named > least


@pytest.mark.parametrize(
    ("session", "name", "colour"),
    [
        ("session-01", "001.jpg", "green"),
        ("session-01", "001.jpg", "black"),
        ("session-04", "006.jpg", "purple"),
    ],
)
def test_a_lamp_that_looks_like_a_middle_pip_is_none_for_sure(session: str, name: str, colour: str) -> None:
    """On a rendered four it lay just there, lighter than the pips, and the networks swore to a five."""
    known, frame = profile(session), photo(session, f"frames/{name}").copy()
    die = next(die for die in read(frame, known).seen_dice if die.colour == colour)
    x, y = (round(16 * v) for v in die.centre)
    side = float(np.hypot(*np.subtract(die.outline[0], die.outline[1])))
    cv2.circle(frame, (x, y), round(16 * 0.12 * side), (255, 255, 255), -1, cv2.LINE_AA, 4)
    reading = read(frame, known)
    assert not reading.sure
    assert f"die {colour}" in [doubt.what for doubt in reading.doubts]


def test_a_black_marker_in_blackened_metal_is_not_surely_bare_metal() -> None:
    """It is as dark, but plainer than all bare ones: of 30 such discs 20 were surely bare."""
    known, frame = profile("session-01"), photo("session-01", "frames/001.jpg").astype(np.float32)

    def inside(piece: SeenPiece, share: float) -> Floats:
        """(H, W, 1) 1 within such a share of a piece's radius, its edge soft."""
        at, wide = (
            (round(16 * piece.centre[0]), round(16 * piece.centre[1])),
            round(16 * share * piece.radius),
        )
        disc = cv2.circle(np.zeros(frame.shape[:2], np.float32), at, wide, 1.0, -1, cv2.LINE_AA, 4)
        return np.asarray(cv2.GaussianBlur(disc, (0, 0), 0.7)[..., None])

    pieces = read(frame.astype(np.uint8), known).pieces
    black = frame.copy()
    for piece in pieces:
        black += (0.25 * black.mean(axis=2, keepdims=True) - black) * inside(piece, 1.0)
    assert is_right(read(black.astype(np.uint8), known), truth("session-01")["001.jpg"])
    for piece in pieces:
        marked = black + (24 - black) * inside(piece, 0.66)
        reading = read(marked.astype(np.uint8), known)
        assert not reading.sure
        assert f"field {LETTERS[piece.field or 0]}" in [doubt.what for doubt in reading.doubts]


def test_pieces_squeezed_into_a_field_may_stand_at_its_edge() -> None:
    """Four that have no more room there are all on it; one alone at the same place is on the edge."""
    known, frame = profile("session-01"), photo("session-01", "frames/001.jpg")
    seen, wide = look(frame, known.view, known), known.piece_mm[0]
    out = 0.74 * wide
    corners = [(out, 0.0), (-out, 0.0), (0.0, out), (0.0, -out)]

    def likely(field_mm: float, stand: list[tuple[int, float, float]]) -> float:
        small = replace(known, layout=replace(known.layout, field_mm=field_mm))
        centres = known.layout.field_centres
        spots = [(centres[field][0] + x, centres[field][1] + y) for field, x, y in stand]
        places = [Candidate(float(x), float(y), (1e-9, 1.0, 0.0, 0.0)) for x, y in spots]
        pieces = fit(places, 0.85 * known.piece_mm[0], [field for field, _, _ in stand])
        return confidence(replace(seen, pieces=pieces, told_counts=None), small).whole

    rest = [(3, 0.0, 0.0), (9, 0.0, 0.0)]
    assert likely(1.75 * wide, [(0, *corner) for corner in corners] + rest) > 0.9
    assert likely(1.75 * wide, [(0, *corners[0]), (1, 0.0, 0.0), (5, 0.0, 0.0), (7, 0.0, 0.0), *rest]) < 0.1
    # Two seen aslant, both 2.5 mm aside of where they stand.
    others = [(1, 0.0, 0.0), (5, 0.0, 0.0), *rest]
    assert likely(1.56 * wide, [(0, wide / 2 + 2.5, 0.0), (0, 2.5 - wide / 2, 0.0), *others]) > 0.9
    assert likely(1.56 * wide, [(0, wide / 2 + 3.5, 0.0), (0, 3.5 - wide / 2, 0.0), *others]) < 0.1
    # Of three that stand side by side one is seen farther out; so far as between two fields, it is doubted.
    three = [(0, 0.0, 0.6 * wide), (0, 0.0, -0.6 * wide), *others[:3]]
    assert likely(2.3 * wide, [(0, 0.84 * 1.15 * wide, 0.0), *three]) > 0.9
    assert likely(2.3 * wide, [(0, 0.92 * 1.15 * wide, 0.0), *three]) < 0.1
    assert likely(2.3 * wide, [(0, 0.84 * 1.15 * wide, 0.0), (2, 0.0, 0.0), (4, 0.0, 0.0), *others[:3]]) < 0.1


def test_rules_that_tell_the_one_doubtful_die_make_the_table_sure() -> None:
    """Whether or not they tell the others; and what they tell otherwise is doubted."""
    known, frame = profile("session-01"), photo("session-01", "frames/001.jpg")
    seen = look(frame, known.view, known)
    name, die = next((name, die) for name, die in seen.dice.items() if die)
    doubtful = replace(
        seen, named=0.99, dice={**seen.dice, name: replace(die, named=0.99)}, told_dice={}, told_counts=None
    )
    other = next(one for one in seen.dice if one != name)
    told = seen.dice[other]
    assert told is not None

    def whole(**rules: int) -> float:
        return confidence(replace(doubtful, told_dice=rules), known).whole

    assert whole() == pytest.approx(0.99, abs=1e-3)
    assert whole(**{other: told.pips}) == pytest.approx(0.99, abs=1e-3)
    assert whole(**{name: die.pips}) > 0.9995
    assert whole(**{name: die.pips % 6 + 1}) < 0.5


def test_rules_say_nothing_of_whether_a_die_leans() -> None:
    """They read a cocked one, too, as often as not."""
    known, frame = profile("session-01"), photo("session-01", "frames/001.jpg")
    seen = look(frame, known.view, known)
    name, die = next((name, die) for name, die in seen.dice.items() if die)
    leaning = replace(seen, dice={**seen.dice, name: replace(die, flat=0.9)}, told_counts=None)
    told = confidence(replace(leaning, told_dice={name: die.pips}), known)
    assert told.whole == pytest.approx(0.9, abs=1e-3) and told.dice[name] == pytest.approx(0.9, abs=1e-3)
    assert in_doubt(leaning, known, told) == (False, False)


def test_rules_make_no_value_sure_that_a_lamp_may_have_made() -> None:
    """On a rendered 2 two lamps shone where a 4 has its other pips: rules and networks told a 4."""
    known, frame = profile("session-01"), photo("session-01", "frames/001.jpg")
    seen = look(frame, known.view, known)
    name, die = next((name, die) for name, die in seen.dice.items() if die)

    def whole(lit: bool, pips: int) -> float:
        dice = {**seen.dice, name: replace(die, value=0.98, lit=lit)}
        doubtful = replace(seen, dice=dice, told_dice={name: pips}, told_counts=None)
        assert in_doubt(doubtful, known, confidence(replace(doubtful, told_dice={}), known))[0] is not lit
        return confidence(doubtful, known).whole

    assert whole(False, die.pips) > 0.9995 and whole(True, die.pips) == pytest.approx(0.98, abs=1e-3)
    assert whole(True, die.pips % 6 + 1) < 0.3  # where they tell otherwise they are heard


def test_rules_that_count_two_fields_otherwise_say_nothing_against_the_others() -> None:
    known, frame = profile("session-01"), photo("session-01", "frames/001.jpg")
    seen = look(frame, known.view, known)
    own = counts_of(seen, known)
    without = confidence(replace(seen, told_counts=None), known)
    other = next(field for field, count in enumerate(own) if not count)
    some = next(field for field, count in enumerate(own) if count)
    told = [count + (k == other) - (k == some) for k, count in enumerate(own)]
    doubted = confidence(replace(seen, told_counts=tuple(told)), known)
    assert doubted.whole < without.whole
    for field in range(len(own)):
        assert field in (some, other) or doubted.counts[field] >= without.counts[field]


@pytest.mark.parametrize("share", [0.85, 1.15])
def test_markers_are_told_where_the_width_of_pieces_is_known_badly(share: float) -> None:
    """They are cut nearer and farther then; before, four of eight were not sure where it was too small."""
    sure = 0
    for session, name in frames(readable=True):
        known = profile(session)
        width, height = known.piece_mm
        reading = read(photo(session, f"frames/{name}"), replace(known, piece_mm=(share * width, height)))
        assert is_right(reading, truth(session)[name])
        sure += reading.sure
    assert sure >= 7


def test_what_a_lamp_burns_white_in_a_piece_nobody_can_tell_but_what_lies_there() -> None:
    known, frame = profile("session-01"), photo("session-01", "frames/001.jpg").copy()
    view = where_board_lies(frame, known).view
    assert view is not None and read(frame, known).sure
    piece = look(frame, view, known).pieces.pieces[0]
    diameter, height = known.piece_mm
    x, y = view.pixel(piece.x, piece.y, height)
    reach = round(0.45 * diameter * view.pixels_per_mm())
    cv2.circle(frame, (round(x), round(y)), reach, (255, 255, 255), -1)
    reading = read(frame, known)
    assert not reading.sure
    assert "a lamp shines in a piece: its marker cannot be told" in [doubt.why for doubt in reading.doubts]
    true, lies = truth("session-01")["001.jpg"], reading.without_markers()
    assert lies.sure and not lies.doubts
    assert (list(lies.counts or ()), lies.dice) == (true["pieces"], true["dice"])


def _warmer(frame: Image) -> Image:
    return np.clip(frame * np.array([0.85, 0.97, 1.05]), 0, 255).astype(np.uint8)


def _shaken(frame: Image) -> Image:
    turn = cv2.getRotationMatrix2D((768, 432), 1.0, 1.0)
    turn[:, 2] += (4.3, -3.1)
    return cv2.warpAffine(frame, turn, (1536, 864), borderMode=cv2.BORDER_REFLECT)


def _trembling(frame: Image) -> Image:
    shift = np.array([[1, 0, 0.6], [0, 1, -0.5]])
    return cv2.warpAffine(frame, shift, (1536, 864), borderMode=cv2.BORDER_REFLECT)


def _lamp_aside(frame: Image) -> Image:
    return np.clip(frame * np.linspace(0.75, 1.15, 1536)[None, :, None], 0, 255).astype(np.uint8)


def _pressed(frame: Image) -> Image:
    return cv2.imdecode(cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, 50])[1], cv2.IMREAD_COLOR)


def _grainy(frame: Image) -> Image:
    grain = np.random.default_rng(3).normal(0, 6, frame.shape)
    return np.clip(frame + grain, 0, 255).astype(np.uint8)


DISTURBED: dict[str, Callable[[Image], Image]] = {
    "darker": lambda frame: (frame * 0.6).astype(np.uint8),
    "brighter": lambda frame: np.clip(frame * 1.25, 0, 255).astype(np.uint8),
    "warmer": _warmer,
    "upside down": lambda frame: cv2.rotate(frame, cv2.ROTATE_180),
    "shaken": _shaken,
    "trembling": _trembling,
    "lit from the side": _lamp_aside,
    "blurred": lambda frame: cv2.GaussianBlur(frame, (0, 0), 1.5),
    "pressed": _pressed,
    "grainy": _grainy,
    "in shadow": lambda frame: in_shadow(frame, 0.6),
    "in deep shadow": lambda frame: in_shadow(frame, 0.45),
    "under a lamp that flickers": lambda frame: banded(frame, 0.08, 2.4),
}


@pytest.mark.parametrize("how", slowly(DISTURBED, 3))
def test_disturbed_photos_are_read_the_same_or_doubted_and_few_are_doubted(how: str) -> None:
    sure = []
    for session, name in frames(readable=True):
        reading = read(DISTURBED[how](photo(session, f"frames/{name}")), profile(session))
        assert reading.counts is not None, (session, name)
        assert not reading.sure or is_right(reading, truth(session)[name]), (session, name, reading)
        sure.append(reading.sure)
    assert sum(sure) >= 0.7 * len(sure)


@pytest.mark.parametrize(("session", "name"), [("play-03", "003.jpg"), ("session-01", "004.jpg")])
def test_a_marker_in_the_deep_shadow_of_a_hand_is_not_bare(session: str, name: str) -> None:
    """There an orange or yellow marker looks like gold, and a white one like steel."""
    frame, known = photo(session, f"frames/{name}"), truth(session)[name]
    marked = [piece for piece in read(frame, profile(session)).pieces if piece.marker]
    assert len(marked) == len(known["markers"]) > 1
    sure = 0
    for piece in marked:
        x, y = (round(at) for at in piece.centre)
        around = [(x - 100, y - 100), (x + 100, y - 100), (x + 100, y + 100), (x - 100, y + 100)]
        reading = read(in_shadow(frame, 0.35, around), profile(session))
        assert not reading.sure or is_right(reading, known), (piece.marker, reading)
        sure += reading.sure
    assert sure


def _clutter() -> Image:
    chance = np.random.default_rng(11)
    frame = np.full(SIZE, 120, np.uint8)
    for _ in range(300):
        x, y, size = (int(v) for v in chance.integers((0, 0, 4), (1536, 864, 60)))
        shade = tuple(int(v) for v in chance.integers(0, 255, 3))
        cv2.circle(frame, (x, y), size, shade, -1 if chance.random() < 0.6 else 2)
        cv2.rectangle(frame, (y, x // 2), (y + size, x // 2 + size), shade[::-1], -1)
    return frame


NOTHING: dict[str, Callable[[], Image]] = {
    "black": lambda: np.zeros(SIZE, np.uint8),
    "white": lambda: np.full(SIZE, 255, np.uint8),
    "noise": lambda: np.random.default_rng(1).integers(0, 255, SIZE, dtype=np.uint8),
    "clutter": _clutter,
    "one pixel": lambda: np.zeros((1, 1, 3), np.uint8),
}


@pytest.mark.parametrize("what", NOTHING)
def test_nothing_is_read_from_nothing(what: str) -> None:
    reading = read(NOTHING[what](), profile("session-01"))
    assert not reading.sure
    assert reading.counts is None and not any(reading.dice.values())
    assert [doubt.what for doubt in reading.doubts] == ["board"]


@pytest.mark.parametrize(("size", "same"), [((1280, 720), True), ((1024, 577), True), ((1440, 864), False)])
def test_a_photo_of_another_size_is_read_and_one_of_another_shape_is_not(
    size: tuple[int, int], same: bool
) -> None:
    frame = cv2.resize(photo("session-01", "frames/004.jpg"), size, interpolation=cv2.INTER_AREA)
    reading = read(frame, profile("session-01"))
    assert (reading.counts is not None) == same
    why = "this photo is 1440 x 864, the profile was made with 1536 x 864: give it whole, as it was taken"
    assert [doubt.why for doubt in reading.doubts] == [] if same else [why]


def test_of_another_board_no_more_is_said_than_that() -> None:
    """Neither that its photo is blurred, for nobody knows how sharp it should be, nor what dice lie there."""
    for session, name in (("play-03", "002.jpg"), ("session-09", "007.jpg")):
        reading = read(photo(session, f"frames/{name}"), profile("session-01"))
        doubts = [doubt for doubt in reading.doubts if doubt.what != "board"]
        assert len(doubts) == 1 and doubts[0].why.endswith("or it is another board than the profile's")
        assert len(doubts[0].fields) == 12


def test_a_small_photo_is_called_small_and_a_soft_one_blurred() -> None:
    """Where they leave a doubt."""
    frame = photo("session-01", "frames/002.jpg")  # nobody can read it
    small = cv2.resize(frame, (480, 270), interpolation=cv2.INTER_AREA)
    soft = cv2.resize(small, (1536, 864), interpolation=cv2.INTER_AREA)
    for shown, why in ((small, "the picture is small"), (soft, "the picture is blurred"), (frame, None)):
        told = [doubt.why for doubt in read(shown, profile("session-01")).doubts if doubt.what == "table"]
        assert len(told) == (why is not None) and all(one.startswith(why or "") for one in told)


def test_an_empty_board_has_no_pieces_and_no_dice() -> None:
    for session in SESSIONS:
        reading = read(photo(session, "empty.jpg"), profile(session))
        assert not reading.sure
        assert not any(reading.dice.values()) and reading.counts == (0,) * 12


def test_two_boards_are_doubted() -> None:
    two = photo("session-01", "frames/001.jpg").copy()
    small = cv2.resize(two[:, :800], (500, 540))
    two[:540, -500:] = small
    reading = read(two, profile("session-01"))
    assert not reading.sure and reading.doubts[0].what == "board"


def test_a_hidden_corner_changes_nothing() -> None:
    session, name = "session-01", "001.jpg"
    frame = photo(session, f"frames/{name}").copy()
    x, y = read(frame, profile(session)).board[0]
    cv2.circle(frame, (int(x) + 20, int(y) + 30), 45, (90, 90, 90), -1)
    reading = read(frame, profile(session))
    assert reading.counts is not None
    assert not reading.sure or is_right(reading, truth(session)[name])


def _moved(frame: Image, shift: tuple[float, float]) -> Image:
    """About as a knocked camera takes it."""
    move = np.array([[1, 0, shift[0]], [0, 1, shift[1]]], dtype=np.float32)
    size = (frame.shape[1], frame.shape[0])
    return np.asarray(cv2.warpAffine(frame, move, size, borderMode=cv2.BORDER_REPLICATE), dtype=np.uint8)


@pytest.mark.parametrize(("colour", "shift"), [("green", (0, -96)), ("yellow", (0, 87)), ("white", (127, 0))])
def test_what_the_edge_of_the_photo_cuts_off_is_doubted(colour: str, shift: tuple[int, int]) -> None:
    """Half of its top lies beyond the edge: its pips could be any."""
    reading = read(_moved(photo("session-01", "frames/001.jpg"), shift), profile("session-01"))
    assert not reading.sure and reading.dice[colour] is None
    assert (f"die {colour}", "the photo's edge cuts it off") in [
        (one.what, one.why) for one in reading.doubts
    ]


@pytest.mark.parametrize("shift", [(0, -78), (0, 65)])
def test_a_top_of_which_a_corner_lies_beyond_the_edge_is_read(shift: tuple[int, int]) -> None:
    """Of the green one's 76 pixels of room, and of the yellow one's 64, none is left: no pip lies there."""
    reading = read(_moved(photo("session-01", "frames/001.jpg"), shift), profile("session-01"))
    assert is_right(reading, truth("session-01")["001.jpg"])
    assert not any(doubt.why == "the photo's edge cuts it off" for doubt in reading.doubts)


def test_a_piece_that_the_edge_of_the_photo_cuts_off_is_doubted() -> None:
    frame, learned = photo("session-01", "frames/001.jpg"), profile("session-01")
    highest = min(read(frame, learned).pieces, key=lambda piece: piece.centre[1])
    reading = read(_moved(frame, (0, -highest.centre[1])), learned)
    assert not reading.sure and reading.counts is not None and reading.counts[0] is None
    assert ("field A", "the photo's edge cuts off a piece") in [(one.what, one.why) for one in reading.doubts]


@pytest.mark.parametrize("high", [1, 2, 3])
def test_a_tower_that_the_edge_cuts_off_leaves_open_what_stands_beyond_it(high: int) -> None:
    """However high it seems: five pieces are seen elsewhere, and nobody knows of the sixth."""
    known = profile("session-01")
    seen = look(photo("session-01", "frames/001.jpg"), known.view, known)
    places = known.layout.field_places
    rows = [known.view.pixel(x, y, 0)[1] for x, y in places]
    *others, lowest = sorted(range(len(places)), key=rows.__getitem__)
    short = seen.frame[: round(rows[lowest])]
    tower, *six = (FoundPiece(*places[field], 1, 1.0) for field in (lowest, *others[:6]))
    pieces = (*six[:5], replace(tower, level=high))
    cut, all_seen = (replace(seen.pieces, pieces=towers) for towers in (pieces, (*six, tower)))
    assert lowest in fields_beyond(replace(seen, frame=short, pieces=cut), known)
    assert fields_beyond(replace(seen, frame=short, pieces=all_seen), known) == ()


@pytest.mark.parametrize(
    ("shift", "beyond", "letters"),
    [((700, 0), range(5), "A to E"), ((0, -470), (0, 1, 2, 8, 9, 10, 11), "I to C")],
)
def test_fields_outside_the_picture_are_not_read_as_empty(
    shift: tuple[int, int], beyond: Sequence[int], letters: str
) -> None:
    """What stands there nobody sees; and the camera is told to be moved, not the lamp."""
    reading = read(_moved(photo("session-01", "frames/001.jpg"), shift), profile("session-01"))
    assert not reading.sure and reading.counts is not None
    assert all(reading.counts[field] is None for field in beyond)
    told = [one for one in reading.doubts if one.why.startswith("outside the picture")]
    assert [(one.what, one.fields) for one in told] == [(f"fields {letters}", tuple(sorted(beyond)))]


def test_the_same_frame_gives_the_same_reading() -> None:
    frame = photo("session-09", "frames/001.jpg")
    first: Reading = read(frame, profile("session-09"))
    assert read(frame.copy(), profile("session-09")) == first


def test_tables_read_in_turns_are_read_as_each_by_itself() -> None:
    """What is kept of one board, and of where its camera stands, is of no other."""
    tables = [(photo(session, f"frames/{name}"), profile(session)) for session, name in frames(readable=True)]
    first = [read(frame, known) for frame, known in tables]
    assert [read(frame, known) for frame, known in reversed(tables)] == first[::-1]
    frame, known = tables[0]
    wider = replace(known, layout=replace(known.layout, field_mm=known.layout.field_mm + 2))
    (left, _), (more_left, _) = (min(reading.fields[0]) for reading in (first[0], read(frame, wider)))
    assert more_left < left


def test_projecting_and_unprojecting_agree() -> None:
    view = View(Lens(1200, -0.05, (1536, 864)), (0.2, -0.1, 0.4), (10, -5, 560))
    board = np.array([[x, y] for x in (-120, 0, 90) for y in (-100, 30, 110)], dtype=float)
    for height in (0.0, 12.5):
        solid = np.hstack([board, np.full((len(board), 1), height)])
        assert np.allclose(view.unproject(view.project(solid), height), board, atol=0.02)
        assert np.allclose([view.pixel(*place) for place in solid], view.project(solid), atol=1e-9)


def test_every_fault_of_a_layout_at_once() -> None:
    with pytest.raises(BadLayout) as caught:
        Layout.from_json({"tags": {"dictionary": "DICT_9X9", "size_mm": -3, "centres_mm": {"0": [1, 2]}}})
    for word in ("DICT_9X9", "-3", "1 tags", "fields.count", "fields.ring_radius_mm"):
        assert word in str(caught.value)


@pytest.mark.parametrize(
    ("harm", "word"),
    [
        ({"first_deg": math.nan}, "fields.first_deg is nan"),
        ({"ring_radius_mm": 10**400}, r"fields.ring_radius_mm is 10*\.\.\. mm"),
        ({"ring_radius_mm": math.inf}, "fields.ring_radius_mm is inf mm instead of 20 to 2000"),
        ({"count": 0}, "fields.count is 0 instead of 12"),
        ({"centres_mm": {"0": [math.inf, 0]}}, r"tags.centres_mm.0 is \[inf, 0\]"),
        ({"centres_mm": {"0": "12"}}, "tags.centres_mm.0 is '12'"),
        ({"centres_mm": {"0": [True, 1]}}, "tags.centres_mm.0 is"),
        ({"centres_mm": {"00": [5, 5]}}, "tags.centres_mm.00 is"),
        ({"centres_mm": {"4": [0, 0]}}, "5 tags instead of 4"),
        ({"centres_mm": {"50": [0, 0]}}, "tag 50 is none of DICT_4X4_50, which has 0 to 49"),
        ({"centres_mm": {"1": [-122, -120]}}, "tags 0 and 1 lie on each other"),
        ({"diameter_mm": 75}, "75 mm: neighbouring fields overlap, for their middles are 51.8 mm apart"),
    ],
)
def test_numbers_that_no_board_has(harm: dict[str, Any], word: str) -> None:
    data = json.loads(json.dumps(MAT))
    data["tags"]["centres_mm"].update(harm.pop("centres_mm", {}))
    data["fields"].update(harm)
    with pytest.raises(BadLayout, match=word):
        Layout.from_json(data)


def test_a_board_has_tags_and_may_begin_at_the_top() -> None:
    first = Layout.from_json({**MAT, "fields": {**MAT["fields"], "first_deg": 0}})
    assert first.first_deg == 0 and Layout.from_json(first.to_json()) == first
    with pytest.raises(BadLayout, match="0 tags instead of 4"):
        Layout.from_json({**MAT, "tags": {**MAT["tags"], "centres_mm": {}}})


def test_a_die_is_turned_as_its_pips_say_where_another_outline_lies_over_its_own() -> None:
    """A turned square is drawn around each die, as clear as its own outline is faint."""
    off, told = [], 0
    for session in SESSIONS:
        known, shown = profile(session), photo(session, "dice.jpg")
        view, die_mm = known.view, known.die_mm
        table = Table(shown, known.empty, view, compare(half(shown), known.empty_half), die_mm)
        for face in find_six(table):
            if face.pips == 1:
                continue
            around = view.project(corners(replace(face, turn=face.turn + 0.6), 1.1 * die_mm, die_mm))
            ink = (255, 255, 255) if face.bright else (0, 0, 0)
            drawn = cv2.polylines(shown.copy(), [np.round(around).astype(np.int32)], True, ink, 2)
            *_, turn, light = settle(drawn, view, (face.x, face.y), face.pips, die_mm)
            told += 1
            if abs(light) > 0.6:
                off.append(abs((np.rad2deg(turn - face.turn) + 45) % 90 - 45))
    assert len(off) >= 0.7 * told
    assert max(off) < 5
