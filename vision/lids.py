"""The six pieces on the ring: what the network sees, and which six of it fit together best.

The network says for every place how likely a piece's lid is there, and at which height. That the pieces
are six, all of one size, and none inside another, is knowledge: it is weighed in, over all the ways in
which the places could be pieces or not.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.change import NOISE
from vision.geometry import Floats, Grey, Image, Layout, View
from vision.nets import ask
from vision.ring_net import LEVELS, LID_PX, STRIDE, as_blob, flat_ring, ring_reach

PIECES = 6
TEMPER = 1.0
"""What the network's logits are divided by, so that its likelihoods hold on sessions that were left out."""
APART = 0.85
"""Of a diameter: no two pieces stand nearer (0.15 for what a place is off)."""
OTHER_COUNT = 0.01
"""How likely it is that another number of pieces than six stands on the board."""
LEAST, MOST = 0.003, 24
_FORGET = 1e-9
LEAST_NEW = 0.12
"""No piece leaves more of what lies under its lid as it was in the empty photo than all but this share."""
UNCHANGED = 20.0


@dataclass(frozen=True, slots=True)
class Candidate:
    """A place (x, y) mm where a tower of pieces may stand; `odds`: how likely nothing, 1, 2, 3 pieces."""

    x: float
    y: float
    odds: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class FoundPiece:
    """A tower of `level` pieces at (x, y) mm, and how likely it stands just so."""

    x: float
    y: float
    level: int
    likely: float


@dataclass(frozen=True, slots=True)
class FoundPieces:
    """The towers of the likeliest way, how likely all of it is, and every way with its likelihood."""

    pieces: tuple[FoundPiece, ...]
    ways: tuple[tuple[float, tuple[int, ...]], ...]
    candidates: tuple[Candidate, ...]

    @property
    def total(self) -> int:
        """How many pieces that are."""
        return sum(piece.level for piece in self.pieces)


def candidates(
    frame: Image, empty: Image, view: View, layout: Layout, piece_mm: tuple[float, float]
) -> list[Candidate]:
    """Every place where a piece may stand; `frame`, `empty` at half size and in one light."""
    diameter = piece_mm[0]
    reach = ring_reach(layout, diameter)
    flat, flat_empty, leans = flat_ring(frame, empty, view, reach, piece_mm)
    said = ask("pieces", as_blob(flat, flat_empty, leans))[0]
    said[0] += UNCHANGED * (1 - _changed(flat, flat_empty, said.shape[1:]))
    cell = STRIDE * diameter / LID_PX
    return [
        Candidate((x + 0.5) * cell - reach, (y + 0.5) * cell - reach, odds)
        for x, y, odds in peaks(said, 0.4 / cell * diameter)
    ]


def _changed(flat: Image, flat_empty: Image, cells: tuple[int, ...]) -> Grey:
    """For every cell 1 where what could be a lid there is new, 0 where all is as in the empty photo."""
    apart = cv2.absdiff(flat, flat_empty)
    new = (cv2.max(cv2.max(apart[..., 0], apart[..., 1]), apart[..., 2]) > NOISE).astype(np.float32)
    size = round(LID_PX * 0.8) | 1
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)).astype(np.float32)
    share = cv2.filter2D(new, -1, disc / disc.sum(), borderType=cv2.BORDER_REPLICATE)
    return np.asarray(
        cv2.resize(share, cells[::-1], interpolation=cv2.INTER_AREA) > LEAST_NEW, dtype=np.float32
    )


def peaks(said: Floats, apart: float) -> list[tuple[float, float, tuple[float, ...]]]:
    """The network's answer (LEVELS + 3, rows, columns) -> places (x, y) in cells and odds, likeliest first.

    Around a lid several cells may call it theirs: the strongest within `apart` cells counts.
    """
    scores = said[: LEVELS + 1] / TEMPER
    top = scores[1:].max(axis=0)
    for_it = top + np.log(np.exp(scores[1:] - top).sum(axis=0)) - scores[0]
    highest = for_it >= cv2.dilate(for_it, np.ones((3, 3), np.uint8))
    rows, columns = np.nonzero(highest & (for_it > np.log(LEAST)))
    found: list[tuple[float, float, tuple[float, ...]]] = []
    for i in np.argsort(-for_it[rows, columns]):
        row, column = rows[i], columns[i]
        x, y = column + float(said[LEVELS + 1, row, column]), row + float(said[LEVELS + 2, row, column])
        if all(np.hypot(x - other[0], y - other[1]) > apart for other in found):
            odds = np.exp(scores[:, row, column] - scores[:, row, column].max())
            found.append((x, y, tuple(float(p) for p in odds / odds.sum())))
        if len(found) == MOST:
            break
    return found


def find_pieces(
    frame: Image,
    empty: Image,
    view: View,
    layout: Layout,
    piece_mm: tuple[float, float],
    dice: list[tuple[float, float]],
    die_mm: float,
) -> FoundPieces:
    """The pieces on and between the fields; no piece can stand where a die lies (`dice`, mm)."""
    nearest = (piece_mm[0] + die_mm) / 2 - 0.25 * piece_mm[0]
    free = [
        one
        for one in candidates(frame, empty, view, layout, piece_mm)
        if all(np.hypot(one.x - x, one.y - y) > nearest for x, y in dice)
    ]
    return fit(free, APART * piece_mm[0])


def fit(places: list[Candidate], apart: float) -> FoundPieces:
    """All the ways in which these places can hold pieces; depth first, the unlikely left out."""
    ways: list[tuple[float, tuple[int, ...]]] = []
    clash = [[np.hypot(a.x - b.x, a.y - b.y) < apart for b in places] for a in places]
    # The most that the places from here on can still be worth.
    hope = np.cumprod([1.0, *[max(one.odds) for one in reversed(places)]])[::-1]
    best = [0.0]

    def grow(at: int, worth: float, heights: tuple[int, ...], total: int) -> None:
        if worth * hope[at] < _FORGET * best[0] or worth < 1e-30 or len(ways) > 5000:
            return
        if at == len(places):
            worth *= 1.0 if total == PIECES else OTHER_COUNT
            best[0] = max(best[0], worth)
            ways.append((worth, heights))
            return
        order = np.argsort(places[at].odds)[::-1]
        for height in (int(h) for h in order):
            if height and any(heights[i] and clash[at][i] for i in range(at)):
                continue
            grow(at + 1, worth * places[at].odds[height], (*heights, height), total + height)

    grow(0, 1.0, (), 0)
    whole = sum(worth for worth, _ in ways)
    ways = sorted(((worth / whole, heights) for worth, heights in ways), reverse=True)
    if not ways:
        return FoundPieces((), (), tuple(places))
    first = ways[0][1]
    pieces = [
        FoundPiece(one.x, one.y, first[i], sum(worth for worth, heights in ways if heights[i] == first[i]))
        for i, one in enumerate(places)
        if first[i]
    ]
    return FoundPieces(tuple(pieces), tuple(ways), tuple(places))
