"""Patches of light on the board, of the sun or of a lamp that was not on: a frame without them.

In a patch all is lighter by one share, and the board's print is seen through it; through a hand it is not.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.change import Change, Mask, half
from vision.geometry import Floats, Grey, Image, View, square_seen

FAINT, MOST = 0.03, 0.22
"""How much lighter a patch is, as a log of values. In a lighter one metal and its markers are burnt: of 93
frames with one of 0.26 drawn over the board one was surely wrong."""
TINT = 0.2
"""The logs of a patch's three channels are no farther apart; those of hands were by 0.4 and more."""
LEAST_MM, CELL_MM = 12.0, 5.0
"""A patch covers a square of the board so wide, at least; and is looked at by squares of the second."""
FULL = 0.6
"""A square counts if so much of it lies in the patch."""
PRINTED, THROUGH = 0.04, 0.8
"""It has print if the logs of its values are so far from those around, root mean square; and that is seen
through what lies there if it correlates so well with that of the frame."""
EVEN, NEARLY_BURNT, WHITE = 0.08, 0.2, 253
"""It is as light as its patch within such a log; within the second where it is nearly white."""
PRINTS, MOST_OF_THEM = 4, 0.8
"""Print is seen through so many squares of a patch at least, and through such a share of those that have
some; and such a share of all is even."""
NEARLY = 0.95
"""Of white: as light as this the board would be burnt, but for noise."""
BRIGHT = 90
"""So many percent of a patch are no lighter than what is taken away at most."""
TELLS = 0.05
"""Such a share of a patch tells how light it is, where the rest is burnt."""
SOFT, BESIDE = 2.0, 8.0
"""Pixels of half size over which light is evened out; where pieces and dice stand, by what is so near."""
FADES, WIDEST_MM = 7, 24.0
"""A patch fades over so many pixels of half size; and what is no wider within it stands in it."""
_DARK = 4
"""Added to values, up to 255: where it is dark, noise is a large share of them."""


def without_patches(
    frame: Image, empty: Image, change: Change, view: View, half_mm: float, taken: Image
) -> Image | None:
    """The frame, in the light of the empty photo, without patches of light on the board; None without any.

    Both BGR uint8 (H, W, 3), in `view`; `change`: what differs; `half_mm`: half the board's side; `taken`:
    uint8 at half size, 1 where pieces and dice are seen.
    """
    now, then = (np.log(one.astype(np.float32) + _DARK) for one in (change.frame, change.empty))
    lighter, free, burnt = now - then, taken == 0, half(frame) >= WHITE
    level = _around(lighter.mean(axis=2), free, SOFT)
    lit = (level > FAINT) & (level < MOST) & free
    _, spots = cv2.connectedComponents(cv2.morphologyEx(lit.astype(np.uint8), cv2.MORPH_OPEN, _square(5)))
    board = square_seen(free.shape, view, half_mm, 2) > 0
    per_mm = view.pixels_per_mm() / 2
    least, cell, wide = (LEAST_MM * per_mm) ** 2, max(round(CELL_MM * per_mm), 2), round(WIDEST_MM * per_mm)
    prints = [one - cv2.blur(one, (2 * cell + 1,) * 2) for one in map(_grey, (now, then))]
    gain = np.zeros_like(lighter)
    for spot in 1 + np.flatnonzero(np.bincount(spots[board])[1:] >= least):
        inside = cv2.erode((spots == spot).astype(np.uint8), _square(5)) > 0
        seen = inside & board
        if np.count_nonzero(seen) < least:
            continue
        light = _light(lighter[inside], burnt[inside], 50)
        if light.min() <= 0 or np.ptp(light) > TINT:
            continue
        if _is_seen_through(lighter, prints, light, seen, burnt, cell):
            reach = _with_what_stands_in_it(spots == spot, wide | 1)
            full = _light(lighter[inside], burnt[inside], BRIGHT)
            gain[reach] = (_share(lighter, full, burnt, free)[..., None] * full)[reach]
    return _divided(frame, empty, change.lights.removed(frame), gain) if gain.any() else None


def _divided(frame: Image, empty: Image, lit: Image, gain: Floats) -> Image:
    """The frame as it is `lit` by the light of the empty photo, less so much (a log, at half size).

    What is burnt, as the board would be there, may well be the board.
    """
    height, width = frame.shape[:2]
    planes = []
    for now, then, own, more in zip(*map(cv2.split, (frame, empty, lit, gain)), strict=True):
        darker = cv2.resize(np.exp(-more), (width, height))
        divided = cv2.multiply(own, darker, dtype=cv2.CV_8U)
        board = (now >= WHITE) & (then >= NEARLY * WHITE * darker) & (darker < 1)
        planes.append(np.where(board, np.maximum(divided, np.minimum(then, own)), divided))
    return np.asarray(cv2.merge(planes), dtype=np.uint8)


def _light(lighter: Floats, burnt: Mask, percent: float) -> Floats:
    """(3,) by how much N places are `lighter` (N, 3) or less, in so many percent, as those tell that are not
    `burnt` (N, 3)."""
    told = [
        more[~white] if white.mean() < 1 - TELLS else more
        for more, white in zip(lighter.T, burnt.T, strict=True)
    ]
    return np.array([np.percentile(one, percent) for one in told])


def _is_seen_through(
    lighter: Floats, prints: list[Floats], light: Floats, seen: Mask, burnt: Mask, cell: int
) -> bool:
    """Whether light alone lies on the board where it is `seen` (H, W): all even, with its print.

    `lighter` (H, W, 3): by how much (a log) the frame is; `prints`, (H, W) each: what is lighter and darker
    than around in frame and empty photo; `light` (3,): by how much the patch is lighter; `burnt`, (H, W, 3):
    where the frame is white; `cell`: how many pixels wide the squares are.
    """
    count = _summed(seen, cell)
    full = count > FULL * cell**2
    count = count[full]

    def mean(values: Floats) -> Floats:
        return np.asarray(_summed(values * seen, cell)[full] / count)

    now, then = prints
    power_now, power_then = mean(now**2), mean(then**2)
    printed = power_then > PRINTED**2
    through = mean(now * then) > THROUGH * np.sqrt(power_now * power_then)
    off = np.max([np.abs(mean(lighter[..., k]) - light[k]) for k in range(3)], axis=0)
    white = mean(burnt.max(axis=2)) > TELLS
    even = off < np.where(white, NEARLY_BURNT, EVEN)
    shown, many = np.count_nonzero(printed & through), np.count_nonzero(printed)
    return bool(shown >= PRINTS and shown >= MOST_OF_THEM * many and even.mean() >= MOST_OF_THEM)


def _share(lighter: Floats, light: Floats, burnt: Mask, free: Mask) -> Grey:
    """(H, W) how much of its patch's light falls on each place, 0 to 1: less where its edge is soft.

    A channel that is `burnt` has no say where another is not.
    """
    say = np.where(burnt, np.float32(1e-3), np.float32(1))
    share = np.clip((lighter * say).sum(axis=2) / (light * say).sum(axis=2), 0, 1)
    near = cv2.GaussianBlur(free.astype(np.float32), (0, 0), SOFT) > 0.3
    return np.where(near, _around(share, free, SOFT), _around(share, free, BESIDE))


def _with_what_stands_in_it(patch: Mask, wide: int) -> Mask:
    """The patch with its soft edge, and with things no wider than so many pixels (an odd number) that it goes
    around."""
    grown = cv2.dilate(patch.astype(np.uint8), _square(2 * FADES + 1))
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (wide, wide))
    goes_on = cv2.copyMakeBorder(grown, wide, wide, wide, wide, cv2.BORDER_REPLICATE)
    closed = cv2.morphologyEx(goes_on, cv2.MORPH_CLOSE, disc)
    return np.asarray(closed[wide:-wide, wide:-wide] > 0)


def _around(values: Floats, free: Mask, reach: float) -> Floats:
    """(H, W) the mean of what is `free` around each place, near ones first (a normal distribution)."""
    say = cv2.GaussianBlur(free.astype(np.float32), (0, 0), reach)
    return np.asarray(cv2.GaussianBlur(values * free, (0, 0), reach) / np.maximum(say, 1e-3))


def _summed(values: Floats | Mask, cell: int) -> Floats:
    """The sums of squares of so many pixels, side by side, of (H, W)."""
    sums = cv2.boxFilter(np.asarray(values, np.float32), -1, (cell, cell), normalize=False)
    return np.asarray(sums[cell // 2 :: cell, cell // 2 :: cell])


def _grey(values: Floats) -> Floats:
    return np.asarray(values.mean(axis=2))


def _square(wide: int) -> Image:
    return np.ones((wide, wide), np.uint8)
