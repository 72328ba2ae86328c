"""Where the board lies in a frame: where it always lay, else by its tags, else by its print.

Most frames are taken by a camera that has not moved since the last one. So the first question is a
cheap one: do textured places of the empty photo lie where the last view has them, to a fraction of a
pixel? Only where they do not, the tags are searched, and only without tags the features of the print.
Either way the places have the last word: the view is fitted to all of them that can be seen.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.fit import AGREE_PX, LEAST_VOTES, Fit, fitted_view
from vision.geometry import Floats, Image, View, on_board, square
from vision.median import median
from vision.places import FITS, ask
from vision.profile import Profile
from vision.pushed import was_pushed
from vision.refind import candidates
from vision.tags import find_tags, locate
from vision.unseen import SAID, why_unseen
from vision.whole_fields import field_shifts

MISPLACED = "the tags do not lie as in the layout"
SAME_PLACE_PX = 0.8
"""A camera whose view moved the board's corners by less did not move."""
TREMBLE_PX = 0.12
"""Less than this, and a frame need not be put back in place."""
WORST_FIT = 4 / 1536
"""Tags that are farther from where the layout has them, in longer sides of the photo, are another board's."""
BENT_FIT, BENT_PX = 1 / 1536, 2.5
"""Tags that lie no better on one plane are on bent paper, or another board's; and so many pixels at most are
places of bent paper off that lie in its middle."""
LEAST_SHARE = 0.7
"""So many of the places that have a vote must agree that nothing moved."""
VAGUE_PX = 1.6
"""A view that leaves some part of the board less certain than this (one standard deviation) is doubted."""
LEAST_TAGS = 2
"""Rings look alike when a board is turned: this many tags must be seen as they are."""
LEAST_PRINT = 12
"""Without tags so many places of the print must agree, and half as many more than on a turned board."""
CROWDED = 0.1
"""A larger share of the picture that is new may hold another board."""


@dataclass(frozen=True, slots=True)
class Board:
    """Where the board lies: the view (None: not found), and what is doubtful about it.

    `moved_px`: how far the corners of the board are from where they were at calibration, at most; 0
    where the camera stands as it stood. `nudge` (2, 3): where a camera only trembles, what brings the
    frame's pixels back to `view` (`in_place`). `pushed`: the board moved on its table.
    """

    view: View | None
    doubt: str | None = None
    moved_px: float = 0.0
    nudge: Floats | None = None
    pushed: bool = False


def where_board_lies(frame: Image, profile: Profile, last: View | None = None) -> Board:
    """In a frame of the profile's size, BGR uint8; `last` is where it lay in the frame before, if known."""
    lay = [profile.view] if last in (None, profile.view) else [profile.view, last]
    for known in lay:
        if board := _stays(frame, profile, known):
            return board
    tags, twice = find_tags(frame, profile.layout)
    if twice:
        return Board(None, "more than one board is in view")
    located = locate(tags, profile.layout, profile.view.lens)
    if located is None:
        for known in () if tags else lay:
            if board := _stays(frame, profile, known, tags=False):
                return board
        view = _by_print(frame, profile, lay, tags)
        return _at(frame, profile, view) if view else Board(None, _not_found(frame, profile, tags))
    view, error = located
    if error > BENT_FIT * max(frame.shape[:2]) and _camera_stays(frame, profile):
        return Board(profile.view)
    if error > WORST_FIT * max(frame.shape[:2]):
        return Board(view, MISPLACED, _moved(view, profile))
    hidden = len(tags) < len(profile.layout.tags)
    fit = _best_fit(frame, profile, [view, *_as_far_away(tags, profile)] if hidden else [view])
    if fit is None or fit.agree < LEAST_VOTES or fit.vague > VAGUE_PX:
        # Nothing else says where the far corners are, and few tags put them far off.
        doubt = _too_few(len(tags)) if hidden else None
        return replace(_at(frame, profile, view), doubt=doubt)
    return _at(frame, profile, fit.view)


def _camera_stays(frame: Image, profile: Profile) -> bool:
    """Whether much of the print lies about where it lay at calibration, as it does where only paper bent."""
    votes = ask(frame, profile.places, profile.view)
    return int(((votes.fit > FITS) & (np.hypot(*votes.shift.T) < BENT_PX)).sum()) >= LEAST_PRINT


def _not_found(frame: Image, profile: Profile, tags: dict[int, Floats]) -> str:
    why = why_unseen(frame, profile.layout, tags)
    return SAID[why] if why else _too_few(len(tags))


def _too_few(number: int) -> str:
    if not number:
        return "none of the 4 tags is to be seen"
    return f"only {number} of 4 tags {'is' if number == 1 else 'are'} to be seen"


def in_place(frame: Image, board: Board) -> Image:
    """The frame as a camera that does not tremble would have taken it."""
    if board.nudge is None:
        return frame
    size = (frame.shape[1], frame.shape[0])
    return cv2.warpAffine(frame, board.nudge, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)


def many_boards(frame: Image, thing: Image, profile: Profile) -> bool:
    """Whether a second board is in view; only looked for where much of the picture is new (`Change.thing`).

    A board that lies as it always lay is found without looking for tags.
    """
    crowded = np.count_nonzero(thing) > CROWDED * thing.size
    return bool(crowded) and bool(find_tags(frame, profile.layout)[1])


def _at(frame: Image, profile: Profile, view: View) -> Board:
    """The board found at `view`; one that lies as it lay is given the view of the profile itself."""
    moved = _moved(view, profile)
    if moved < SAME_PLACE_PX:
        return Board(profile.view)
    return Board(view, moved_px=moved, pushed=was_pushed(frame, profile, view))


def _stays(frame: Image, profile: Profile, view: View, tags: bool = True) -> Board | None:
    """The board at `view`, where enough places agree that it has not moved; None where they do not.

    Some of them must be tags, for a ring that was turned looks alike. Without `tags` fields count as wholes,
    and it is enough that all lies where it lay to a fraction of a pixel: nobody turns a board so exactly.
    """
    places = profile.places
    votes = ask(frame, places, view)
    voting = votes.fit > FITS
    if tags and int((voting & (places.tag >= 0)).sum()) < LEAST_TAGS:
        return None
    at, shift = view.project(on_board(places.centres_mm[voting])), votes.shift[voting]
    if not tags:
        fields, moved = field_shifts(frame, profile.empty_from(view)[0], view, profile.layout)
        at, shift = np.concatenate([at, fields]), np.concatenate([shift, moved])
    if len(at) < LEAST_VOTES:
        return None
    nudge, agree = _similar(at, at + shift)
    if agree < LEAST_VOTES or agree < LEAST_SHARE * len(at):
        return None
    corners = view.project(square(profile.layout.half_mm))
    trembled = float(np.hypot(*(corners @ nudge[:, :2].T + nudge[:, 2] - corners).T).max())
    if trembled > SAME_PLACE_PX:
        return None
    moved_px = 0.0 if view == profile.view else _moved(view, profile)
    pushed = moved_px > 0 and was_pushed(frame, profile, view)
    back = cv2.invertAffineTransform(nudge) if trembled > TREMBLE_PX else None
    return Board(view, moved_px=moved_px, nudge=back, pushed=pushed)


def _similar(at: Floats, to: Floats) -> tuple[Floats, int]:
    """The turn, scale and shift (2, 3) that takes most of `at` to `to` (N, 2) px, and how many agree.

    Least squares, weighed anew (Geman and McClure) so that a die on a tag has no say.
    """
    middle = at.mean(axis=0)
    # In complex numbers a turn and scale is one factor.
    place, off = (at - middle) @ (1, 1j), (to - at) @ (1, 1j)
    spread, factor, moved = abs(place) ** 2, 0j, complex(*median(to - at))
    for _ in range(5):
        weight = 1 / (1 + abs(factor * place + moved - off) ** 2 / AGREE_PX**2) ** 2
        wide, whole, lever = weight @ spread + 1e-3, weight.sum() + 1e-9, weight @ place
        turned, shifted = (weight * off) @ place.conj(), weight @ off
        factor = (turned * whole - shifted * lever.conjugate()) / (wide * whole - abs(lever) ** 2)
        moved = (shifted - factor * lever) / whole
    agree = int((abs(factor * place + moved - off) < AGREE_PX).sum())
    a, b, dx, dy = factor.real, factor.imag, moved.real, moved.imag
    turn = np.array([[1 + a, -b], [b, 1 + a]])
    shift = middle + np.array([dx, dy]) - turn @ middle
    return np.hstack([turn, shift[:, None]]), agree


def _as_far_away(tags: dict[int, Floats], profile: Profile) -> list[View]:
    """The view if the camera only moved as a picture is turned, shifted and scaled.

    Two tags say little of how it leans: on their own they put the far corners 10 to 40 pixels off.
    """
    layout, view = profile.layout, profile.view
    then = {tag: view.project(on_board(layout.tag_corners(tag))) for tag in layout.tags}
    one, other = (np.concatenate([where[tag] for tag in sorted(tags)]) for where in (then, tags))
    turn, _ = cv2.estimateAffinePartial2D(one, other)
    if turn is None:
        return []
    now = {tag: at @ turn[:, :2].T + turn[:, 2] for tag, at in then.items()}
    located = locate(now, layout, view.lens)
    return [located[0]] if located else []


def _best_fit(frame: Image, profile: Profile, guesses: list[View]) -> Fit | None:
    """The fit with which most places agree."""
    fits = [fit for view in guesses if (fit := fitted_view(frame, profile.places, view))]
    return max(fits, key=lambda fit: fit.agree, default=None)


def _by_print(frame: Image, profile: Profile, lay: list[View], tags: dict[int, Floats]) -> View | None:
    """The view found by the print of the board, with at most one tag; None where it is not. `lay`: where it
    may lie as it lay.

    Nor is it found where without a tag it could as well be turned: rings look alike.
    """
    if tags:
        best = _best_fit(frame, profile, _as_far_away(tags, profile))
        return best.view if best and best.agree >= LEAST_PRINT and best.vague < VAGUE_PX else None
    best = _best_fit(frame, profile, lay + candidates(frame, profile.features, profile.view.lens))
    if best is None or best.agree < LEAST_PRINT or best.vague > VAGUE_PX:
        return None
    fields = profile.layout.fields
    for turn in range(1, fields):
        other = fitted_view(frame, profile.places, _turned(best.view, 2 * np.pi * turn / fields))
        if other and _apart(other.view, best.view, profile) > 10 and 1.5 * other.agree > best.agree:
            return None
    return best.view


def _turned(view: View, angle: float) -> View:
    """The view if the board were turned about its middle."""
    # Rodrigues works in axes with z down: the board's own have z up, `View.turn` flips them.
    about = cv2.Rodrigues(np.array([0.0, 0.0, angle]))[0]
    a, b, c = np.asarray(cv2.Rodrigues(cv2.Rodrigues(np.array(view.rotation))[0] @ about)[0]).ravel()
    return replace(view, rotation=(float(a), float(b), float(c)))


def _moved(view: View, profile: Profile) -> float:
    """How many pixels the corners of the board are from where they were at calibration, at most."""
    return _apart(view, profile.view, profile)


def _apart(one: View, other: View, profile: Profile) -> float:
    corners = square(profile.layout.half_mm)
    return float(np.hypot(*(one.project(corners) - other.project(corners)).T).max())
