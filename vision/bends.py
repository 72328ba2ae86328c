"""Paper that does not lie as it lay in the empty photo: how far its print moved, place by place.

A printed mat curls at a corner, or rises along a fold, by some millimetres, and another time by others. Steps
of least squares on grey levels tell how far its print lies from where it lay (Lucas and Kanade 1981): the
shift is told at the knots of a coarse net, is bilinear between them, and goes on evenly where there is no
print.
"""

from __future__ import annotations

from functools import cache, lru_cache

import cv2
import numpy as np

from vision.change import Change, Mask, most
from vision.geometry import Floats, Grey, Image, View, square_seen
from vision.pushed import RIM

Box = tuple[int, int, int, int]
"""Left, top, width, height, in pixels."""
INNER = 0.95
"""Of the half of a board: so far out all that is seen is paper."""
KNOTS = 13
"""Of the net, each way."""
CELLS = 27
"""So many squares each way sum up what their pixels tell."""
_LEVELS = (4, 3, 30.0), (8, 2, 20.0), (16, 2, 14.0)
"""Pixels a square is wide, steps, and how far off a pixel that has a fourth of its say is; coarse first."""
_STIFF = 15.0
"""What bends of the net cost, in squared grey levels."""
_LIGHT_WIDTHS, _EVEN = (0.15, 0.08, 0.05), 0.003
"""The same of its light, as a log: how far off, wide first; and what bends cost, in shares of the above."""
LIGHTER = 0.12
"""No slope of paper is lighter by more, as a log."""
LEAST, MOST = 0.35, 10.0
"""Pixels of the half-size frame: print that moved by less lies as it lay, and no paper moves it by more."""


def empty_as_bent(empty: Image, change: Change, view: View, half_mm: float, taken: Image) -> Image | None:
    """The empty photo, BGR uint8 (H, W, 3), with the board's paper as it lies now; None where it lies so.

    `change`: between frame and empty photo, in `view`; `half_mm`: half the board's side; `taken`: uint8 at
    half size, 1 where pieces and dice are seen.
    """
    board, inner, around = (
        square_seen(change.thing.shape, view, share * half_mm, 2) for share in (1, INNER, RIM)
    )
    x, y, width, height = cv2.boundingRect(around)
    box = (x, y, width, height)
    part = _part(box)
    now, then = change.frame[part], change.empty[part]
    free = board[part] & (1 - taken[part])
    shift = _shift(now, then, free)
    if shift is None:
        return None
    moved = _moved(change.empty, shift, box)
    light = _lighter(now, moved, free)
    # Somewhere between `inner` and `around` the paper ends, and the table around it stayed where it was.
    off, off_before = (most(cv2.absdiff(now, one)) for one in (_lit(moved, light), then))
    paper: Image = inner[part] | (around[part] & (off < off_before).astype(np.uint8))
    last = empty.shape[1] - 2 * x, empty.shape[0] - 2 * y  # a photo of an odd size is no two halves wide
    twice = (2 * x, 2 * y, min(2 * width, last[0]), min(2 * height, last[1]))
    there = cv2.resize(paper, twice[2:], interpolation=cv2.INTER_NEAREST)
    bent, part = empty.copy(), _part(twice)
    bent[part] = cv2.copyTo(_lit(_moved(empty, 2 * shift, twice), light), there, empty[part].copy())
    return bent


def _part(box: Box) -> tuple[slice, slice]:
    x, y, width, height = box
    return slice(y, y + height), slice(x, x + width)


def _shift(now: Image, then: Image, free: Image) -> Floats | None:
    """(KNOTS, KNOTS, 2): by how many pixels (x, y) print is shifted from `then` to `now`, at the knots of a
    net over all of both, row by row; None where nowhere by more than LEAST, or by more than MOST.

    `now`, `then`: BGR uint8 of one shape, in one light; `free`: 1 where both show the board.
    """
    if min(free.shape) < CELLS:
        return None
    knots = np.zeros((2, KNOTS, KNOTS))
    grey = [cv2.cvtColor(photo, cv2.COLOR_BGR2GRAY) for photo in (now, then)]
    for side, steps, wide in _LEVELS:
        size = CELLS * side
        smaller = np.array([size / free.shape[1], size / free.shape[0]])[:, None, None]
        seen, lay, board = (
            cv2.resize(one, (size, size), interpolation=cv2.INTER_AREA).astype(np.float32)
            for one in (*grey, free * 255)
        )
        for _ in range(steps):
            knots += _step(seen, lay, board > 250, knots * smaller, wide) / smaller
    farthest = float(np.hypot(*knots).max())
    return knots.transpose(1, 2, 0) if LEAST < farthest < MOST else None


def _step(now: Grey, then: Grey, free: Mask, knots: Floats, wide: float) -> Floats:
    """(2, KNOTS, KNOTS): by how much more than `knots` print is shifted, in pixels of pictures (n, n)."""
    moved = _moved(then, knots.transpose(1, 2, 0), (0, 0, len(now), len(now)))
    off = moved - now
    say = free / (1 + (off / np.float32(wide)) ** 2) ** 2
    across, down = (cv2.Scharr(moved, -1, *way, scale=1 / 32) for way in ((1, 0), (0, 1)))
    told = np.stack([across * across, across * down, down * down, across * off, down * off]) * say
    cells = told.reshape(5, CELLS, len(now) // CELLS, CELLS, -1).mean(axis=(2, 4), dtype=np.float64)
    xx, xy, yy = (_together(one) for one in cells[:3])
    stiff, line = _stiff(), _between(CELLS)
    normal = np.block([[xx + stiff, xy], [xy, yy + stiff]])
    wanted = (line.T @ cells[3:] @ line).reshape(2, -1) - knots.reshape(2, -1) @ stiff
    return np.asarray(np.linalg.solve(normal, wanted.ravel()).reshape(knots.shape))


def _lighter(now: Image, then: Image, free: Image) -> Floats:
    """(KNOTS, KNOTS): how many times lighter all is at the knots of the net, as slopes are towards a lamp.

    As `_shift`. What is darker is a shadow, of which others know.
    """
    size = CELLS * 8
    seen, lay, board = (
        cv2.resize(one, (size, size), interpolation=cv2.INTER_AREA).astype(np.float64)
        for one in (*(cv2.cvtColor(photo, cv2.COLOR_BGR2GRAY) for photo in (now, then)), free * 255)
    )
    ratio, line, spread = np.log((seen + 1) / (lay + 1)), _between(CELLS), _between(size)
    knots = np.zeros((KNOTS, KNOTS))
    for wide in _LIGHT_WIDTHS:
        say = (board > 250) / (1 + ((ratio - spread @ knots @ spread.T) / wide) ** 2) ** 2
        cells = np.stack([say, say * ratio]).reshape(2, CELLS, 8, CELLS, 8).mean(axis=(2, 4))
        normal = _together(cells[0]) + _EVEN * _stiff()
        knots = np.linalg.solve(normal, (line.T @ cells[1] @ line).ravel()).reshape(knots.shape)
    return np.asarray(np.exp(np.clip(knots, 0, LIGHTER)))


def _lit(photo: Image, light: Floats) -> Image:
    """The photo, BGR uint8, so many times lighter at the knots of the net."""
    high, wide = (_between(count) for count in photo.shape[:2])
    gain = (high @ light @ wide.T).astype(np.float32)
    return cv2.multiply(photo, cv2.merge([gain] * 3), dtype=cv2.CV_8U)


def _together(cells: Floats) -> Floats:
    """(KNOTS ** 2, KNOTS ** 2): how much any two knots have to say together, of cells with such weights."""
    line = _between(CELLS)
    pairs = (line[:, :, None] * line[:, None]).reshape(CELLS, -1)
    both = (pairs.T @ cells @ pairs).reshape(KNOTS, KNOTS, KNOTS, KNOTS)
    return np.asarray(both.transpose(0, 2, 1, 3).reshape(KNOTS**2, -1))


def _moved(photo: Image, shift: Floats, box: Box) -> Image:
    """What the box of a photo, grey or BGR, shows with its print shifted by so many pixels at the knots."""
    x, y, width, height = box
    wide, high = _between(width), _between(height)
    across, down = (high @ shift[..., k] @ wide.T for k in (0, 1))
    column = (x + np.arange(width) - across).astype(np.float32)
    row = (y + np.arange(height)[:, None] - down).astype(np.float32)
    moved = cv2.remap(photo, column, row, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(moved, dtype=photo.dtype)


@lru_cache(maxsize=8)
def _between(count: int) -> Floats:
    """(count, KNOTS): what each knot of a line has to say at the middles of so many cells of it."""
    at = (np.arange(count) + 0.5) / count * (KNOTS - 1)
    return np.asarray(np.clip(1 - abs(at[:, None] - np.arange(KNOTS)), 0, 1))


@cache
def _stiff() -> Floats:
    """(KNOTS ** 2, KNOTS ** 2): what it costs that the net bends: its second differences, squared."""
    same, once = np.eye(KNOTS), np.diff(np.eye(KNOTS), axis=0)
    twice = np.diff(once, axis=0)
    bends = np.kron(twice, same), np.kron(same, twice), np.sqrt(2) * np.kron(once, once)
    return np.asarray(_STIFF * sum(one.T @ one for one in bends) + 1e-3 * np.eye(KNOTS**2))
