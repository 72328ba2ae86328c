"""Where the board lies: a still, trembling or bumped camera, hidden tags, a pushed board; and its light."""

from __future__ import annotations

from collections.abc import Callable, Collection

import cv2
import numpy as np
import pytest

from companion.photos import as_line
from companion.reliability import is_right
from tests.sessions import SESSIONS, frames, photo, profile, truth
from vision.board import Board, in_place, where_board_lies
from vision.change import compare, half
from vision.fit import stepped
from vision.geometry import Floats, Image, on_board, square
from vision.light import light_of
from vision.places import ask, board_places
from vision.profile import Profile
from vision.pushed import empty_as_seen
from vision.read import read
from vision.reading import Doubt, Reading
from vision.steady import Steady
from vision.tags import LARGE, find_tags

SIZE = (1536, 864)
FIRST = {session: next(name for s, name in frames(readable=True) if s == session) for session in SESSIONS}


def turned(frame: Image, degrees: float, x: float, y: float) -> tuple[Image, Floats]:
    """The frame of a camera that rolled and looked a little elsewhere, and the map of its pixels (2, 3)."""
    turn = cv2.getRotationMatrix2D(((SIZE[0] - 1) / 2, (SIZE[1] - 1) / 2), degrees, 1.0)
    turn[:, 2] += (x, y)
    moved = cv2.warpAffine(frame, turn, SIZE, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REFLECT)
    return moved, turn


def without_tags(frame: Image, known: Profile, hidden: Collection[int], turn: Floats | None = None) -> Image:
    """Paper over some tags."""
    covered = frame.copy()
    for tag in hidden:
        middle = np.array(known.layout.tags[tag])
        paper = middle + 1.15 * (known.layout.tag_corners(tag) - middle)
        pixels = known.view.project(on_board(paper))
        if turn is not None:
            pixels = pixels @ turn[:, :2].T + turn[:, 2]
        cv2.fillConvexPoly(covered, pixels.round().astype(np.int32), (110, 140, 190))
    return covered


def corners(known: Profile) -> Floats:
    return known.view.project(square(known.layout.half_mm))


@pytest.mark.parametrize("session", SESSIONS)
def test_the_tags_of_a_large_photo_lie_where_those_of_a_small_one_do(session: str) -> None:
    shown, layout = photo(session, "empty.jpg"), profile(session).layout
    scale = LARGE / SIZE[0]
    large, small = (
        find_tags(cv2.resize(shown, None, fx=by, fy=by, interpolation=cv2.INTER_CUBIC), layout)[0]
        for by in (scale, 1)
    )
    assert large.keys() == small.keys()
    for tag, quad in small.items():
        assert np.abs((large[tag] + 0.5) / scale - 0.5 - quad).max() < 0.25


@pytest.mark.parametrize(("session", "name"), frames(readable=True) + frames(readable=False))
def test_a_camera_that_stands_still_is_known_to_stand_still(session: str, name: str) -> None:
    known = profile(session)
    board = where_board_lies(photo(session, f"frames/{name}"), known)
    assert board.view == known.view
    assert (board.moved_px, board.nudge, board.doubt, board.pushed) == (0, None, None, False)


@pytest.mark.parametrize("session", SESSIONS)
def test_a_trembling_camera_did_not_move_and_its_frame_is_put_back(session: str) -> None:
    frame = photo(session, f"frames/{FIRST[session]}")
    for shift in ((0.3, -0.2), (-0.45, 0.4)):
        shaken, _ = turned(frame, 0.0, *shift)
        board = where_board_lies(shaken, profile(session))
        assert board.view == profile(session).view and board.nudge is not None
        assert board.nudge[:, 2] == pytest.approx(-np.array(shift), abs=0.15)
        back, still = (half(one)[50:-50, 50:-50].astype(int) for one in (in_place(shaken, board), frame))
        assert np.abs(back - still).mean() < 0.6 * np.abs(half(shaken)[50:-50, 50:-50] - still).mean()


@pytest.mark.parametrize("session", SESSIONS)
@pytest.mark.parametrize("hidden", [(), (1,), (0, 1), (0, 2)])
def test_a_bumped_camera_is_noticed_and_two_tags_are_enough(session: str, hidden: tuple[int, ...]) -> None:
    known = profile(session)
    bumped, turn = turned(photo(session, f"frames/{FIRST[session]}"), 3.0, 6, -4)
    true = corners(known) @ turn[:, :2].T + turn[:, 2]
    board = where_board_lies(without_tags(bumped, known, hidden, turn), known)
    assert board.view and not board.pushed
    assert np.hypot(*(board.view.project(square(known.layout.half_mm)) - true).T).max() < 2.0
    assert board.moved_px == pytest.approx(float(np.hypot(*(corners(known) - true).T).max()), abs=2.0)


def test_how_many_tags_are_to_be_seen_is_said_in_words() -> None:
    frame = photo("session-01", "frames/001.jpg").copy()
    frame[:, 500:] = 60
    (doubt,) = read(frame, profile("session-01")).doubts
    assert doubt.why == "only 1 of 4 tags is to be seen"
    (doubt,) = read(np.full_like(frame, 60), profile("session-01")).doubts
    assert doubt.why == "none of the 4 tags is to be seen"


@pytest.mark.parametrize(
    ("spoilt", "why"),
    [
        (lambda frame: frame[:, ::-1], "the picture is mirrored; switch that off at the camera"),
        (lambda frame: frame // 20, "it is too dark; switch on a lamp"),
        (lambda frame: np.full_like(frame, 255), "there is too much light; dim it, or expose less"),
        (
            lambda frame: cv2.blur(frame, (61, 61)),
            "the picture is blurred; focus the camera, and keep it still",
        ),
    ],
)
def test_what_keeps_the_board_from_being_found_is_said(spoilt: Callable[[Image], Image], why: str) -> None:
    frame = np.ascontiguousarray(spoilt(photo("session-01", "frames/001.jpg")))
    (doubt,) = read(frame, profile("session-01")).doubts
    assert (doubt.what, doubt.why) == ("board", why)


def test_a_blurred_photo_in_which_the_board_is_found_is_told_and_a_sharp_look_answers_that() -> None:
    sharp, known = photo("session-01", "frames/001.jpg"), profile("session-01")
    blurred = read(cv2.GaussianBlur(sharp, (0, 0), 5), known)
    assert blurred.view is not None and not blurred.sure
    assert blurred.doubts[0] == Doubt("table", "the picture is blurred; focus the camera, and keep it still")
    assert read(sharp, known).sure
    assert Steady().looked(read(sharp, known)).looked(blurred).reading.sure


def test_all_twelve_fields_are_named_in_a_word() -> None:
    doubts = tuple(Doubt(f"fields {letters}", "covered") for letters in ("A C", "A B C D E F G H I J K L"))
    assert "fields A C: covered; all fields: covered" in as_line(Reading(None, {}, doubts=doubts))


def test_a_bump_is_said_and_the_reading_stays() -> None:
    session = "session-09"
    name = FIRST[session]
    bumped, _ = turned(photo(session, f"frames/{name}"), 1.0, 9, 5)
    reading = read(bumped, profile(session))
    assert not reading.sure or is_right(reading, truth(session)[name])
    assert reading.moved_px > 5
    assert f"moved by {reading.moved_px:.0f} pixels" in as_line(reading)
    assert "moved" not in as_line(read(photo(session, f"frames/{name}"), profile(session)))


def test_after_a_bump_the_last_view_is_tried_first() -> None:
    known = profile("session-01")
    bumped, _ = turned(photo("session-01", f"frames/{FIRST['session-01']}"), 2.0, 9, 5)
    first = where_board_lies(bumped, known)
    again = where_board_lies(bumped, known, first.view)
    assert again.view == first.view and again.moved_px == pytest.approx(first.moved_px)
    back = where_board_lies(photo("session-01", f"frames/{FIRST['session-01']}"), known, first.view)
    assert back.view == known.view and back.moved_px == 0


def test_a_board_upside_down_is_no_board_that_stayed() -> None:
    known = profile("session-01")
    frame = cv2.rotate(photo("session-01", f"frames/{FIRST['session-01']}"), cv2.ROTATE_180)
    board = where_board_lies(frame, known)
    assert board.view and board.moved_px > 500


def printed(known: Profile) -> tuple[Image, Profile]:
    """The empty photo of a session with a print that nothing repeats, and its profile."""
    chance = np.random.default_rng(4)
    empty = known.empty.copy()
    for _ in range(140):
        x, y = chance.uniform(-100, 100, 2)
        shape = np.array([(x, y)]) + chance.uniform(-9, 9, (4, 2))
        shade = tuple(int(v) for v in chance.integers(20, 230, 3))
        cv2.fillConvexPoly(empty, known.view.project(on_board(shape)).round().astype(np.int32), shade)
    return empty, Profile(known.layout, known.view, empty, known.colours, known.die_mm, known.piece_mm)


def test_without_any_tag_a_printed_board_is_found_by_its_print() -> None:
    empty, known = printed(profile("session-01"))
    bumped, turn = turned(empty, 12.0, 20, -15)
    board = where_board_lies(without_tags(bumped, known, range(4), turn), known)
    true = corners(known) @ turn[:, :2].T + turn[:, 2]
    assert board.view
    assert np.hypot(*(board.view.project(square(known.layout.half_mm)) - true).T).max() < 4


def test_without_any_tag_a_board_that_could_as_well_be_turned_is_not_found() -> None:
    known = profile("session-01")
    empty = known.empty.copy()
    for x, y in known.layout.field_centres:
        for radius, shade in ((20, (30, 30, 200)), (15, (200, 200, 40)), (9, (20, 160, 20)), (4, (240,) * 3)):
            angle = np.arange(6) * np.pi / 3 + np.arctan2(y, x)
            ring = np.stack([x + radius * np.cos(angle), y + radius * np.sin(angle)], axis=1)
            cv2.fillConvexPoly(empty, known.view.project(on_board(ring)).round().astype(np.int32), shade)
    rings = Profile(known.layout, known.view, empty, known.colours, known.die_mm, known.piece_mm)
    bumped, turn = turned(empty, 0.5, 6, -4)
    board = where_board_lies(without_tags(bumped, rings, range(4), turn), rings)
    assert board.view is None and board.doubt
    # Where all lies as it lay, nobody has turned it.
    assert where_board_lies(without_tags(empty, rings, range(4)), rings) == Board(rings.view)


@pytest.mark.parametrize("session", sorted(FIRST))
def test_without_any_tag_a_board_that_lies_as_it_lay_is_read(session: str) -> None:
    """Most of these have no print but rings."""
    known, name = profile(session), FIRST[session]
    frame = photo(session, f"frames/{name}")
    reading = read(without_tags(frame, known, range(4)), known)
    assert reading.moved_px == 0
    if read(frame, known).sure:
        assert reading.sure and is_right(reading, truth(session)[name])
    shifted, turn = turned(frame, 0.0, 2, 1)
    nudged = where_board_lies(without_tags(shifted, known, range(4), turn), known)
    assert nudged.view != known.view


def pushed(frame: Image, known: Profile) -> Image:
    """The board with all that lies on it, moved on its table; where it lay is more of the table's colour."""
    reach = known.layout.half_mm + 5
    mask = np.zeros(frame.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, known.view.project(square(reach)).round().astype(np.int32), 255)
    moved, turn = turned(frame, 2.0, 18, -11)
    there = cv2.warpAffine(mask, turn, SIZE) > 127
    table = np.where((mask > 0)[..., None], np.median(frame[mask == 0], axis=0), frame).astype(np.uint8)
    return np.where(there[..., None], moved, table)


# Of session-04's black cloth nothing is to be seen: there it makes no difference.
@pytest.mark.parametrize(
    ("session", "name"), [one for one in frames(readable=True) if one[0] != "session-04"]
)
def test_a_board_pushed_on_its_table_is_told_from_a_bumped_camera(session: str, name: str) -> None:
    known, frame = profile(session), photo(session, f"frames/{name}")
    board = where_board_lies(pushed(frame, known), known)
    assert board.pushed and board.moved_px > 10
    assert not where_board_lies(turned(frame, 2.0, 18, -11)[0], known).pushed


@pytest.mark.slow
def test_tables_with_a_pushed_board_are_read_and_dice_beside_it_too() -> None:
    sure = []
    for session, name in frames(readable=True):
        reading = read(pushed(photo(session, f"frames/{name}"), profile(session)), profile(session))
        assert not reading.sure or is_right(reading, truth(session)[name]), (session, name)
        sure.append(reading.sure)
    assert sum(sure) >= 0.7 * len(sure)


def test_nothing_is_new_where_a_pushed_board_lay() -> None:
    known = profile("session-09")
    frame = pushed(known.empty, known)
    board = where_board_lies(frame, known)
    assert board.view and board.pushed
    _, empty_half = empty_as_seen(frame, board.view, known, board.pushed)
    assert compare(half(frame), empty_half).thing.mean() < 0.02
    _, bumped_half = empty_as_seen(frame, board.view, known)
    assert compare(half(frame), bumped_half).thing.mean() > 0.04


def test_the_true_move_of_the_camera_is_found() -> None:
    """A real change of the camera's place, not one of the picture: the board drawn from elsewhere."""
    known = profile("session-01")
    step = np.array([0.01, -0.008, 0.02, 4.0, -6.0, 9.0])
    view = stepped(known.view, step)
    frame, _ = known.empty_from(view)
    board = where_board_lies(frame, known)
    assert board.view
    found, true = (one.project(square(known.layout.half_mm)) for one in (board.view, view))
    assert np.hypot(*(found - true).T).max() < 0.5
    assert np.abs(board.view.eye - view.eye).max() < 1.0


# Light


def lamp(strength: float) -> Floats:
    """(864, 1536, 1) gains of a lamp that was moved: one side brighter, the other darker."""
    x, y = np.meshgrid(np.linspace(-1, 1, SIZE[0]), np.linspace(-1, 1, SIZE[1]))
    return (1 + strength * (0.7 * x - 0.4 * y - 0.3 * x * y))[..., None]


@pytest.mark.parametrize(("session", "name"), frames(readable=True))
def test_light_that_falls_off_is_taken_away_and_things_stay(session: str, name: str) -> None:
    known, frame = profile(session), photo(session, f"frames/{name}")
    gains = lamp(0.2)
    lit = np.clip(frame * gains, 0, 255).astype(np.uint8)
    light = light_of(half(lit), known.empty_half, SIZE)
    even = light_of(half(frame), known.empty_half, SIZE)
    for x, y in ((100, 100), (1400, 100), (768, 432), (100, 760), (1400, 760)):
        assert light.at(x, y) / even.at(x, y) == pytest.approx(np.full(3, gains[y, x, 0]), rel=0.06)
    before = compare(half(frame), known.empty_half)
    after = compare(half(lit), known.empty_half)
    unsaturated = half(lit).max(axis=2) < 250
    sure_things = cv2.erode(before.thing.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    kept = (after.much > 6)[sure_things & unsaturated & (before.much > 40)]
    assert kept.mean() > 0.99
    assert after.thing.sum() < 1.3 * before.thing.sum() + 2000


def test_a_hand_over_half_the_board_is_no_lamp() -> None:
    known = profile("session-01")
    covered = known.empty.copy()
    cv2.ellipse(covered, (800, 500), (420, 180), 20, 0, 360, (140, 160, 200), -1)
    change = compare(half(covered), known.empty_half)
    inside = np.zeros(change.thing.shape, np.uint8)
    cv2.ellipse(inside, (400, 250), (205, 85), 20, 0, 360, 1, -1)
    away = np.abs(known.empty_half.astype(int) - (140, 160, 200)).max(axis=2) > 40
    assert change.thing[(inside > 0) & away].mean() > 0.95
    assert change.thing[inside == 0].mean() < 0.1
    assert change.lights.middle == pytest.approx(np.ones(3), rel=0.05)


@pytest.mark.parametrize("session", SESSIONS)
def test_what_covers_one_place_moves_no_other(session: str) -> None:
    """A hand over a corner of the board: what is told by the places that are free stays as it is."""
    known = profile(session)
    places = board_places(known.empty, known.view, known.layout)
    before = ask(known.empty, places, known.view)
    outer = known.view.project(on_board(places.corners_mm.reshape(-1, 2))).reshape(-1, 4, 2)
    x, y = (round(v) for v in known.view.pixel(0, 0, 0))
    covered = known.empty.copy()
    covered[:y, :x] = (90, 120, 170)
    free = (outer.min(axis=1) > (x, 0)).all(axis=1) | (outer.min(axis=1) > (0, y)).all(axis=1)
    assert free.sum() >= len(places.step) / 3 and not free.all()
    now = ask(covered, places, known.view)
    assert np.abs(now.shift - before.shift)[free].max() < 1e-3
    assert np.abs(now.fit - before.fit)[free].max() < 1e-3


def test_a_place_that_few_tags_leave_open_is_doubted() -> None:
    """Two tags on one side, too dark to see anything else: the far side could be anywhere. Where a little
    more of the board is seen, it is found and not doubted."""
    known = profile("session-01")
    bumped, turn = turned(known.empty, 3.0, 6, -4)
    true = corners(known) @ turn[:, :2].T + turn[:, 2]
    for begins, doubt in ((-107, "only 2 of 4 tags are to be seen"), (-90, None)):
        dark = without_tags(bumped, known, (2, 3), turn)
        sides = known.view.project(square(170))
        sides[:2] = known.view.project(on_board(np.array([[-170, begins], [170, begins]])))
        away = (sides @ turn[:, :2].T + turn[:, 2]).round().astype(np.int32)
        cv2.fillConvexPoly(dark, away, (20, 20, 20))
        board = where_board_lies(dark, known)
        assert (board.doubt, board.view is None) == (doubt, False)
        if board.view and not doubt:
            found = board.view.project(square(known.layout.half_mm))
            assert np.hypot(*(found - true).T).max() < 3
