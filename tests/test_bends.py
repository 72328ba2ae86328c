"""Paper that does not lie as in the empty photo: told, undone, and no hand is taken for it."""

from __future__ import annotations

import numpy as np
import pytest

from companion.reliability import is_right
from tests.paper import Height, bumps, corner, fold, on_paper
from tests.sessions import SESSIONS, frames, photo, profile, truth
from vision.bends import empty_as_bent
from vision.board import where_board_lies
from vision.change import Change, compare, half
from vision.geometry import Image, square_seen
from vision.profile import Profile
from vision.read import read

pytestmark = pytest.mark.slow

NOTHING = np.zeros((432, 768), np.uint8)
READABLE = frames(readable=True)


def risen(known: Profile, kind: str) -> Height:
    half_mm = known.layout.half_mm
    return {"fold": fold(5), "corner": corner(12, half_mm), "bumps": bumps(6, half_mm, 3)}[kind]


def change(frame: Image, empty: Image) -> Change:
    return compare(half(frame), half(empty))


def new_on_board(frame: Image, empty: Image, known: Profile) -> int:
    board = square_seen(NOTHING.shape, known.view, known.layout.half_mm, 2)
    return int((change(frame, empty).thing & (board > 0)).sum())


@pytest.mark.parametrize("kind", ["fold", "corner", "bumps"])
@pytest.mark.parametrize("session", SESSIONS)
def test_the_empty_photo_is_bent_as_the_paper_is(session: str, kind: str) -> None:
    known = profile(session)
    frame = on_paper(known.empty, known, risen(known, kind))
    seen = change(frame, known.empty)
    bent = empty_as_bent(known.empty, seen, known.view, known.layout.half_mm, NOTHING)
    assert bent is not None
    before, after = (new_on_board(frame, empty, known) for empty in (known.empty, bent))
    assert before > 100 and after < 0.35 * before


def test_what_lies_around_the_board_stays() -> None:
    known = profile("session-09")
    frame = on_paper(known.empty, known, fold(5))
    bent = empty_as_bent(known.empty, change(frame, known.empty), known.view, known.layout.half_mm, NOTHING)
    around = square_seen(frame.shape, known.view, 1.2 * known.layout.half_mm) == 0
    assert bent is not None and np.array_equal(bent[around], known.empty[around])


def test_a_photo_of_an_odd_size_with_paper_to_its_edges_stays_as_large() -> None:
    known = profile("session-04")
    frame = on_paper(known.empty, known, fold(8))[:863, :1535]
    seen = change(frame, known.empty[:863, :1535])
    bent = empty_as_bent(known.empty[:863, :1535], seen, known.view, 2 * known.layout.half_mm, NOTHING)
    assert bent is not None and bent.shape == frame.shape


@pytest.mark.parametrize(("session", "name"), READABLE)
def test_flat_paper_is_told_to_lie_as_it_lay(session: str, name: str) -> None:
    known, frame = profile(session), photo(session, f"frames/{name}")
    board = where_board_lies(frame, known)
    assert board.view is not None
    seen = change(frame, known.empty_from(board.view)[0])
    taken = seen.thing.astype(np.uint8)
    assert empty_as_bent(known.empty, seen, board.view, known.layout.half_mm, taken) is None


def test_a_camera_over_bent_paper_has_not_moved() -> None:
    for session in SESSIONS:
        known = profile(session)
        frame = on_paper(known.empty, known, corner(25, known.layout.half_mm, 260))
        board = where_board_lies(frame, known)
        assert (board.view, board.doubt) == (known.view, None), session


@pytest.mark.parametrize("kind", ["fold", "corner", "bumps"])
def test_tables_on_paper_that_is_not_flat_are_read_and_hands_on_it_are_seen(kind: str) -> None:
    right = []
    for session, name in frames(readable=True) + frames(readable=False):
        known = profile(session)
        reading = read(on_paper(photo(session, f"frames/{name}"), known, risen(known, kind)), known)
        is_true = is_right(reading, truth(session)[name])
        assert not reading.sure or is_true, (session, name)
        right.append(reading.sure)
    assert sum(right) >= 0.8 * len(READABLE)
