"""What is new on the board and neither piece nor die: the light that a die throws back, or perhaps a hand."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.sessions import photo, profile
from vision.board import where_board_lies
from vision.faces import silhouette
from vision.geometry import Image, square
from vision.look import look
from vision.profile import Profile
from vision.read import read

pytestmark = pytest.mark.slow

BLUE = np.array([200.0, 60.0, 60.0])


def with_blue_beside(frame: Image, known: Profile, far_mm: float) -> Image:
    """The frame with a bluish strip, 20 mm wide, to the right of a die that lies well on the board."""
    view = where_board_lies(frame, known).view
    assert view is not None
    dice = [die for die in look(frame, view, known).dice.values() if die]
    die = next(die for die in dice if max(abs(die.x), abs(die.y)) < known.layout.half_mm - 30)
    outline, px = silhouette(die, known.die_mm, view), view.pixels_per_mm(die.x, die.y)
    there = np.zeros(frame.shape[:2], np.uint8)
    cv2.fillConvexPoly(there, np.round(outline).astype(np.int32), 1)
    away = cv2.distanceTransform(1 - there, cv2.DIST_L2, 5) / px
    rows, columns = np.mgrid[: frame.shape[0], : frame.shape[1]]
    x, y = outline.mean(axis=0)
    strip = (away > 0) & (away < far_mm) & (columns > x) & (abs(rows - y) < 10 * px)
    return np.where(strip[..., None], (frame + BLUE) / 2, frame).astype(np.uint8)


@pytest.mark.parametrize(
    ("session", "name"), [("play-03", "002.jpg"), ("session-01", "004.jpg"), ("session-09", "007.jpg")]
)
def test_what_ends_close_to_a_die_is_its_light_and_no_hand(session: str, name: str) -> None:
    """A rendered blue die on a white board did so. That it leans on it may be thought, no more."""
    known, frame = profile(session), photo(session, f"frames/{name}")
    close = read(with_blue_beside(frame, known, 9), known)
    assert not close.covered and {doubt.why for doubt in close.doubts} <= {"it may lean"}
    farther = read(with_blue_beside(frame, known, 40), known)
    assert not farther.sure
    assert any("perhaps a hand" in doubt.why for doubt in farther.doubts)


@pytest.mark.parametrize(("session", "name"), [("play-03", "002.jpg"), ("session-01", "001.jpg")])
def test_what_is_nearly_as_it_was_is_no_hand(session: str, name: str) -> None:
    """Of a pale board 6 % more light is many grey levels; a faint thing of another colour is one."""
    known, frame = profile(session), photo(session, f"frames/{name}")
    x, y = (round(v) for v in known.view.pixel(0, 0, 0))
    wide = round(25 * known.view.pixels_per_mm())
    there = (slice(y - wide, y + wide), slice(x - wide, x + wide))
    for times, hand in (((1.06, 1.06, 1.06), False), ((1.12, 1.0, 1.0), True)):
        lit = frame.copy()
        lit[there] = np.clip(frame[there] * np.array(times), 0, 255)
        assert read(lit, known).covered == hand, times


def chips(frame: Image, known: Profile, places: list[tuple[float, float]], wide_mm: float = 30.0) -> Image:
    """The frame with chips at places (mm), each on those before it."""
    view = where_board_lies(frame, known).view
    assert view is not None
    laid = frame.copy()
    for number, (x, y) in enumerate(places):
        across, down = view.pixel(x, y, 3.0 * number)
        radius = wide_mm / 2 * view.pixels_per_mm(x, y)
        colour = ((40, 40, 40), (190, 90, 60), (60, 60, 210))[number % 3]
        cv2.circle(laid, (round(across), round(down)), round(radius), colour, -1, cv2.LINE_AA)
    return laid


@pytest.mark.parametrize(
    ("session", "name"), [("play-03", "002.jpg"), ("session-01", "004.jpg"), ("session-09", "007.jpg")]
)
@pytest.mark.parametrize("heap", [[(-8, -60), (6, -45), (-2, -55)], [(-3, -105), (1, -81), (-2, -57)]])
def test_chips_on_the_edge_of_the_board_are_no_hand(
    session: str, name: str, heap: list[tuple[float, float]]
) -> None:
    """In a heap, or in a row."""
    known, frame = profile(session), photo(session, f"frames/{name}")
    edge = known.layout.half_mm
    heap = [(edge + x, edge + y) for x, y in heap]
    reading = read(chips(frame, known, heap), known)
    assert not any("hand" in doubt.why for doubt in reading.doubts)
    inside = [(x - 30, y) for x, y in heap]
    within = read(chips(frame, known, inside), known)
    assert any("perhaps a hand" in doubt.why for doubt in within.doubts), (
        "what does not reach the edge may be one"
    )


@pytest.mark.parametrize(
    ("session", "name", "off"), [("play-03", "002.jpg", -1.2), ("session-01", "004.jpg", 0)]
)
def test_a_chip_that_touches_the_edge_from_within_is_no_hand(session: str, name: str, off: float) -> None:
    """Its circle reaches over it by a pixel or two, and there the table is as it was."""
    known, frame = profile(session), photo(session, f"frames/{name}")
    half = known.layout.half_mm
    for x, y in ((11 + off - half, -0.45 * half), (half - 11 - off, 0.4 * half)):
        assert not any("hand" in doubt.why for doubt in read(chips(frame, known, [(x, y)], 22), known).doubts)


def test_what_is_as_small_but_comes_from_outside_the_picture_may_be_a_hand() -> None:
    known, frame = profile("session-01"), photo("session-01", "frames/004.jpg")
    edge = known.layout.half_mm
    view = known.view
    heap = [(edge - 8, edge - 60), (edge + 6, edge - 45), (edge - 2, edge - 55)]
    laid = chips(frame, known, heap)
    x, y = (round(v) for v in view.pixel(edge + 6, edge - 45, 0))
    cv2.line(laid, (x, y), (frame.shape[1] - 1, y), (40, 60, 120), 40)
    assert any("perhaps a hand" in doubt.why for doubt in read(laid, known).doubts)


def arm(frame: Image, known: Profile, fingers: list[tuple[float, float]]) -> Image:
    """The frame with an arm from outside the picture that ends beside the board; `fingers` reach onto it.

    Of each: where along the edge it lies, and how far it reaches, mm.
    """
    edge, laid = known.layout.half_mm, frame.copy()
    parts = [(edge + 16, edge + 400, -30.0, 30.0)]
    parts += [(edge - long, edge + 17, at - 4, at + 4) for at, long in fingers]
    for left, right, top, bottom in parts:
        corners = np.array([[left, top, 0], [right, top, 0], [right, bottom, 0], [left, bottom, 0]])
        outline = known.view.project(corners)
        cv2.fillConvexPoly(laid, np.round(outline).astype(np.int32), (40, 60, 120))
    return laid


@pytest.mark.parametrize(
    ("fingers", "covers"),
    [([], False), ([(0.0, 10.0)], True), ([(-15.0, 5.0), (0.0, 5.0), (15.0, 5.0)], True)],
)
def test_little_of_an_arm_is_a_hand_and_its_fingers_count_together(
    fingers: list[tuple[float, float]], covers: bool
) -> None:
    """Each finger covers less than half of what is too large to be a rim."""
    known, frame = profile("session-01"), photo("session-01", "frames/001.jpg")
    assert look(arm(frame, known, fingers), known.view, known).hidden == covers


def test_the_paper_of_the_tags_in_more_light_is_no_hand() -> None:
    """Where a camera's own shade lies over other places than in the empty photo, white differs most."""
    known, frame = profile("session-01"), photo("session-01", "frames/001.jpg").astype(np.float32)
    light = np.full(frame.shape[:2], 0.85, np.float32)
    for tag in known.layout.tags:
        wide = known.layout.tag_mm / 2 + 3.5
        x, y = known.layout.tags[tag]
        corners = [(x + i * wide, y + j * wide, 0) for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        cv2.fillConvexPoly(light, np.round(known.view.project(np.array(corners))).astype(np.int32), 1.0)
    laid = (frame * light[..., None]).astype(np.uint8)
    assert not look(laid, known.view, known).hidden


def with_arm(frame: Image, known: Profile, wide_mm: float) -> Image:
    """The frame with an arm from the picture's edge to the board, where no die lies; on the board it looks
    like a shadow."""
    view = where_board_lies(frame, known).view
    assert view is not None
    dice = [view.pixel(die.x, die.y, 0) for die in look(frame, view, known).dice.values() if die]
    half_mm = known.layout.half_mm
    for quarter in range(4):
        turn = np.array([[0, -1], [1, 0]]) if quarter % 2 else np.eye(2)
        turn = turn * (1 - 2 * (quarter // 2))
        aside = wide_mm / 2
        corners = [(half_mm - 25, -aside), (900, -aside), (900, aside), (half_mm - 25, aside)]
        outline = view.project(np.pad(np.array(corners) @ turn, ((0, 0), (0, 1)))).astype(np.float32)
        if all(cv2.pointPolygonTest(outline, die, True) < -40 for die in dice):
            break
    arm, board = (np.zeros(frame.shape[:2], np.uint8) for _ in range(2))
    cv2.fillConvexPoly(arm, np.round(outline).astype(np.int32), 1)
    cv2.fillConvexPoly(board, np.round(view.project(square(half_mm))).astype(np.int32), 1)
    shaded = np.where((arm & board)[..., None] > 0, frame * 0.8, frame)
    return np.where((arm & (1 - board))[..., None] > 0, (90, 130, 190), shaded).astype(np.uint8)


@pytest.mark.parametrize(("session", "name"), [("session-04", "001.jpg"), ("session-09", "007.jpg")])
def test_an_arm_that_reaches_the_board_goes_on_over_it_though_it_looks_like_a_shadow_there(
    session: str, name: str
) -> None:
    known, frame = profile(session), photo(session, f"frames/{name}")
    reading = read(with_arm(frame, known, 50), known)
    assert [doubt.what for doubt in reading.doubts] == ["board"] and reading.covered
    assert read(with_arm(frame, known, 8), known).sure  # a pencil beside the board
