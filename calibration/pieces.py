"""How wide the pieces are, from a photo of all six on the ring.

From above a piece's rim is a circle; how high it stands can hardly be seen, so the height stays as told.
"""

from __future__ import annotations

import cv2
import numpy as np

from calibration.faults import CannotCalibrate
from calibration.photos import sight, too_few
from vision.board import empty_as_seen, in_place, where_board_lies
from vision.change import compare, half
from vision.geometry import Floats, Image, View
from vision.pieces import find_pieces, look_at_ring
from vision.profile import Profile
from vision.towers import PIECES, FoundPiece

DIAMETERS = np.arange(12.0, 30.1, 0.5)
"""mm, those that are tried."""
APART = 1.3
"""Of a usual piece's diameter: pieces that stand nearer hide each other's outlines."""
_OFF = np.array([(x, y) for x in (-1.6, -0.8, 0, 0.8, 1.6) for y in (-1.6, -0.8, 0, 0.8, 1.6)])
_BESIDE, _STEEP = 1.2, 150.0
# What a right outline shows, by weight: all is new within, nothing is without, it is steep itself, and the
# rim of the piece's top too. Usual widths are preferred a little (mm and how far from them counts as one).
# Fitted on 26 photos of 13 sets: off by 0.3 mm at the mean, 1.2 mm at most.
_WITHIN, _WITHOUT, _OUTLINE, _RIM, _USUAL = 1.0, -1.5, 0.25, 1.0, 0.05


def measure_pieces(photo: Image, profile: Profile) -> float:
    """The diameter of the pieces in mm, to half a one; `photo`: BGR uint8, as large as the empty one.

    Raises `CannotCalibrate` where the photo does not show six pieces that stand apart.
    """
    if photo.shape != profile.empty.shape:
        raise CannotCalibrate("the photo of the pieces has another size; take all with the same settings")
    seen = sight("pieces", photo, profile.layout, least=2)
    board = where_board_lies(photo, profile)
    if board.view is None or board.doubt:
        raise too_few("pieces", photo, seen.corners, profile.layout)
    frame = in_place(photo, board)
    empty, empty_half = empty_as_seen(frame, board.view, profile, board.pushed)
    change = compare(half(frame), empty_half)
    ring = look_at_ring(change, board.view, profile.layout, profile.piece_mm)
    found = find_pieces(ring, frame, empty, [], profile.die_mm)
    _check(found.pieces, profile.piece_mm[0])
    worths = np.array([_worths(one, frame, empty, board.view, profile.piece_mm[1]) for one in found.pieces])
    # The one that is seen worst, in another's shadow perhaps, has no vote.
    voted = np.sort(worths, axis=0)[1:].mean(axis=0)
    return float(DIAMETERS[int(voted.argmax())])


def _check(pieces: tuple[FoundPiece, ...], diameter: float) -> None:
    lay = "lay one on each of six fields, bare, and nothing else on the board"
    towers = len(pieces)
    if towers != PIECES or any(piece.level > 1 for piece in pieces):
        raise CannotCalibrate(f"the photo of the pieces shows {towers} instead of {PIECES}; {lay}")
    places = [(piece.x, piece.y) for piece in pieces]
    if any(
        np.hypot(a - x, b - y) < APART * diameter for k, (a, b) in enumerate(places) for x, y in places[:k]
    ):
        raise CannotCalibrate(f"in the photo of the pieces two stand close together; {lay}")


def _worths(piece: FoundPiece, frame: Image, empty: Image, view: View, height: float) -> Floats:
    """For each of `DIAMETERS` how well the outline of such a piece fits what is seen, at its best place."""
    ring = np.linspace(0, 2 * np.pi, 48, endpoint=False)
    circle = np.stack([np.cos(ring), np.sin(ring)], axis=1)
    rims = DIAMETERS[:, None, None, None] / 2 * circle + _OFF[:, None] + (piece.x, piece.y)

    def seen(z: float) -> Floats:
        points = np.concatenate([rims, np.full((*rims.shape[:3], 1), z)], axis=3)
        return view.project(points.reshape(-1, 3)).reshape(rims.shape)

    top, foot = seen(height), seen(0.0)
    outwards = top - top.mean(axis=2, keepdims=True)
    outwards /= np.linalg.norm(outwards, axis=3, keepdims=True)
    outline = np.where(((top - foot) * outwards).sum(axis=3, keepdims=True) > 0, top, foot)
    low = np.floor(outline.min(axis=(0, 1, 2))).astype(int) - 12
    high = np.ceil(outline.max(axis=(0, 1, 2))).astype(int) + 12
    low, high = np.maximum(low, 0), np.minimum(high, frame.shape[1::-1])
    here = (slice(low[1], high[1]), slice(low[0], high[0]))
    soft, soft_empty = (cv2.GaussianBlur(picture[here], (0, 0), 1) for picture in (frame, empty))
    new = np.minimum(cv2.absdiff(soft, soft_empty).max(axis=2) / np.float32(40), 1)
    slopes = [cv2.Sobel(soft, cv2.CV_32F, *way) for way in ((1, 0), (0, 1))]
    steep = np.minimum(np.hypot(*slopes).max(axis=2), _STEEP) / _STEEP
    beside = _BESIDE * view.pixels_per_mm(piece.x, piece.y, height) * outwards

    def mean_of(picture: Image, points: Floats) -> Floats:
        columns, rows = np.moveaxis((points - low).astype(np.float32), 3, 0)
        flat = (len(DIAMETERS), -1)
        values = cv2.remap(picture, columns.reshape(flat), rows.reshape(flat), cv2.INTER_LINEAR)
        return np.asarray(values.reshape(columns.shape).mean(axis=2))

    worth = (
        _WITHIN * mean_of(new, outline - beside)
        + _WITHOUT * mean_of(new, outline + beside)
        + _OUTLINE * mean_of(steep, outline)
        + _RIM * mean_of(steep, top)
    ).max(axis=1)
    return np.asarray(worth - _USUAL * ((DIAMETERS - 19.0) / 2) ** 2)
