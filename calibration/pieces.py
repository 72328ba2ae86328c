"""How wide the pieces are, from a photo of all six on the ring, or from the first frames that are read.

From above a piece's rim is a circle; how high it stands can hardly be seen, so the height stays as told.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from calibration.faults import CannotCalibrate
from calibration.leftover import is_another_board
from calibration.outlines import SHIFTS, agreed, fits
from calibration.photos import sight, too_few
from vision.board import in_place, where_board_lies
from vision.geometry import Floats, Image, View
from vision.pieces import find_pieces, look_at_ring
from vision.profile import USUAL_PIECE_MM, Profile
from vision.pushed import empty_as_seen
from vision.read import fitted
from vision.reading import Reading
from vision.tones import seen_alike
from vision.towers import PIECES, FoundPiece

DIAMETERS = np.arange(12.0, 30.1, 0.5)
"""mm, those that are tried."""
HIGHEST = 1.25
"""Of its diameter no piece that others are set on is higher (those of the photo sessions: 0.46 to 0.81):
somebody has told the height first."""
APART, FREE = 1.3, 1.5
"""Of a usual piece's diameter: pieces that stand nearer hide each other's outlines, and towers do farther."""
UNUSUAL = 0.0125
"""A usual width is preferred a little: what each square mm away from it costs."""
LIKELY, ENOUGH = 0.9, 6
"""In frames a piece is measured that is so likely to stand there alone; and so many of them will do."""


def measure_pieces(photo: Image, profile: Profile) -> float:
    """The diameter of the pieces in mm, to half a one; `photo`: BGR uint8, as large as the empty one.

    Raises `CannotCalibrate` where the photo does not show six pieces that stand apart.
    """
    if photo.shape != profile.empty.shape:
        raise CannotCalibrate("the photo of the pieces has another size; take all with the same settings")
    seen = sight("pieces", photo, profile.layout, least=2)
    board = where_board_lies(photo, profile)
    another = CannotCalibrate(
        "the photo of the pieces shows another board, or a covered one; take it of the same one"
    )
    if board.view is None or board.doubt:
        if set(seen.corners) == set(profile.layout.tags):
            raise another
        raise too_few("pieces", photo, seen.corners, profile.layout)
    frame = in_place(photo, board)
    empty, empty_half = empty_as_seen(frame, board.view, profile, board.pushed)
    frame, change = seen_alike(frame, empty_half)
    if is_another_board(change, board.view, profile.layout):
        raise another
    ring = look_at_ring(change, board.view, profile.layout, profile.piece_mm)
    found = find_pieces(ring, frame, empty, [], profile.die_mm)
    _check(found.pieces, profile.piece_mm[0])
    places = [(one.x, one.y) for one in found.pieces]
    return _agreed([_fits(at, frame, empty, board.view, profile.piece_mm[1]) for at in places])


def check_size(piece_mm: tuple[float, float], field_mm: float) -> None:
    """Raises `CannotCalibrate` where no piece of a board with such fields has that diameter and height."""
    diameter, height = piece_mm
    if diameter > field_mm:
        raise CannotCalibrate(
            f"a piece {diameter:g} mm wide does not fit on a field, which is {field_mm:g} mm wide; "
            "measure its diameter again"
        )
    if height > HIGHEST * diameter:
        raise CannotCalibrate(
            f"a piece {diameter:g} mm wide is not {height:g} mm high; "
            "give its diameter first, then its height"
        )


class FirstFrames:
    """Measures the pieces of a set in the first frames that are read, where nobody has done so before.

    Of 32 sets six pieces that stand alone, seen in 3.6 frames, say it within 0.55 mm at the mean; nine, seen
    in 5.1, within 0.57.
    """

    def __init__(self, profile: Profile) -> None:
        self.profile = profile
        self._each: list[Floats] = []

    @property
    def wanted(self) -> bool:
        """Whether there is still something to measure."""
        return not self.profile.pieces_told and len(self._each) < ENOUGH

    def look(self, frame: Image, reading: Reading) -> None:
        """At a frame, BGR uint8, and what was read in it; when enough was seen, `profile` is another one."""
        view = reading.view
        if view is None or not self.wanted:
            return
        photo, (empty, _) = fitted(frame, self.profile), self.profile.empty_from(view)
        for at in _alone(reading, view, self.profile):
            self._each.append(_fits(at, photo, empty, view, self.profile.piece_mm[1]))
        if not self.wanted:
            self.measure()

    def measure(self) -> None:
        """There are no more frames: from what was seen, if that is more than two pieces."""
        if len(self._each) > 2:
            size = _agreed(self._each), self.profile.piece_mm[1]
            self.profile = replace(self.profile, piece_mm=size, pieces_told=True)


def _alone(reading: Reading, view: View, profile: Profile) -> list[tuple[float, float]]:
    """Where (mm) single pieces stand, away from all other things."""
    if reading.counts is None or reading.confidence is None or not reading.pieces:
        return []
    places = view.unproject([piece.centre for piece in reading.pieces], profile.piece_mm[1])
    tops = [die.centre for die in reading.seen_dice]
    dice = view.unproject(tops, profile.die_mm) if tops else np.empty((0, 2))
    diameter = profile.piece_mm[0]
    alone = []
    for k, (piece, at) in enumerate(zip(reading.pieces, places, strict=True)):
        field = piece.field
        if field is None or reading.counts[field] != 1 or reading.confidence.counts[field] < LIKELY:
            continue
        others = np.delete(places, k, axis=0)
        if (np.hypot(*(others - at).T) > FREE * diameter).all() and (
            np.hypot(*(dice - at).T) > diameter + 0.7 * profile.die_mm
        ).all():
            alone.append((float(at[0]), float(at[1])))
    return alone


def _agreed(each: list[Floats]) -> float:
    return agreed(DIAMETERS, each, -UNUSUAL * (DIAMETERS - USUAL_PIECE_MM[0]) ** 2)


def _check(pieces: tuple[FoundPiece, ...], diameter: float) -> None:
    lay = "lay one on each of six fields, bare, and nothing else on the board"
    if any(piece.level > 1 for piece in pieces):
        raise CannotCalibrate(f"in the photo of the pieces two stand on each other; {lay}")
    if len(pieces) != PIECES:
        raise CannotCalibrate(f"the photo of the pieces shows {len(pieces)} instead of {PIECES}; {lay}")
    places = [(piece.x, piece.y) for piece in pieces]
    if any(
        np.hypot(a - x, b - y) < APART * diameter for k, (a, b) in enumerate(places) for x, y in places[:k]
    ):
        raise CannotCalibrate(f"in the photo of the pieces two stand close together; {lay}")


def _fits(at: tuple[float, float], frame: Image, empty: Image, view: View, height: float) -> Floats:
    """For each of `DIAMETERS` how well the outline of such a piece fits what is seen around there (mm)."""
    ring = np.linspace(0, 2 * np.pi, 48, endpoint=False)
    circle = np.stack([np.cos(ring), np.sin(ring)], axis=1)
    rims = DIAMETERS[:, None, None, None] / 2 * circle + SHIFTS[:, None] + at

    def seen(z: float) -> Floats:
        points = np.concatenate([rims, np.full((*rims.shape[:3], 1), z)], axis=3)
        return view.project(points.reshape(-1, 3)).reshape(rims.shape)

    top, foot = seen(height), seen(0.0)
    outwards = top - top.mean(axis=2, keepdims=True)
    outwards /= np.linalg.norm(outwards, axis=3, keepdims=True)
    outline = np.where(((top - foot) * outwards).sum(axis=3, keepdims=True) > 0, top, foot)
    return fits(frame, empty, view.pixels_per_mm(*at, height), outline, outwards, top)
