"""The tones and colours of a frame where its camera gives others than in the empty photo; how to undo that.

Many cameras choose the curve of their tones, and how colourful all is, for each picture anew, by what they
see in it; and a lamp that shines into the lens lays a veil over all. What of the table is seen in both
pictures tells a curve for each channel, and a matrix for the colours.
"""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np

from vision.change import Change, compare, half
from vision.geometry import Floats, Image
from vision.light import exponents, powers

BENT = 0.02
"""`Light.bent` from which on tones are taken to be bent: of 182 frames 16 are, for what covers the dark or
the light of the table; of as many in other tones 7 are not."""
PLAINLY_BENT = 6.0
"""Levels of 255 by which a curve changes the values in the middle, `_SEEN`, to be plainly another."""
RECOLOURED = 0.005
"""`Light.recoloured` from which on colours are taken to be others: two of 279 frames as taken are."""
_ACROSS, _DOWN = 96, 54
"""Samples: each the mean of a square of pixels, half as wide as they are apart."""
_KNOTS = np.array([2.0, 12, 28, 50, 80, 120, 165, 210, 255])
"""Values of a channel at which its curve is told, a straight line in between."""
_STIFF, _FLAT, _SLOW = 2e-3, 1e-5, 1e-4
"""What a bend of the curve costs, its being no straight line at all, and that of the light over the table,
as shares of the samples: smooth where little is seen."""
_WIDTHS = (0.5, 0.4, 0.3, 0.2, 0.14, 0.1, 0.08)
"""How far, as a share, a sample may be off and still have a fourth of its say: wide first."""
_VAGUE = 6.0
"""A value of a channel that is no larger says little: noise is a large share of it."""
_LEAST = 200
_MIDDLE = [80, 210]
_SEEN = slice(40, 216)
_FLATTEST, _STEEPEST = 0.67, 1.7
"""How much steeper (the power) the middle tones of a channel may have to be made: where it is more, nobody
can tell what the camera made of colours. Of 146 readable frames in far harder tones one was surely wrong."""
_COLOUR_WIDTHS = (0.3, 0.2, 0.14, 0.1, 0.07, 0.05)
"""As `_WIDTHS`, for a sample's colour as shares of its light."""
_AS_IT_IS = 1e-3
"""What it costs that a matrix of colours changes anything, as a share of the samples."""
_DEGREE = 2
"""Of the polynomial in x and y that is the light over the table."""
_CELLS = 40
"""Steps of a colour's share of blue, green and red in which colours are held for alike."""


def seen_alike(frame: Image, empty: Image) -> tuple[Image, Change]:
    """The frame, BGR uint8 (H, W, 3), in tones and colours of the empty photo, and what differs between them.

    `empty`: carried into the frame's view, at half size. A frame that has those already stays the same.
    """
    small = half(frame)
    change = compare(small, empty)
    if abs(change.lights.bent) >= BENT:
        straight = curve(small, empty)
        if straight is None:  # no camera's doing: another board, perhaps
            return frame, change
        frame = np.asarray(cv2.LUT(frame, straight), dtype=np.uint8)
        change = compare(half(frame), empty)
    if change.lights.recoloured >= RECOLOURED:
        back = colours(change.frame, empty)
        if back is not None:
            light = change.lights.middle
            frame = np.asarray(cv2.transform(frame, light[:, None] * back / light), dtype=np.uint8)
            change = compare(half(frame), empty)
    return frame, change


def straightened(frame: Image, empty: Image) -> Image | None:
    """The frame, BGR uint8 (H, W, 3), in the tones of the empty photo, where those plainly differ; else None.

    `empty` as in `seen_alike`. This takes longer than to ask how much lighter the lightest and the darkest of
    the table are, and tells, too, where most of it is of one tone, and what is darkest small.
    """
    straight = curve(half(frame), empty)
    if straight is None or np.abs(straight[_SEEN, 0] - np.arange(256.0)[_SEEN, None]).mean() < PLAINLY_BENT:
        return None
    return np.asarray(cv2.LUT(frame, straight), dtype=np.uint8)


def colours(lit: Image, empty: Image) -> Floats | None:
    """(3, 3): what a BGR colour of the frame has to be multiplied by, from the left, to be as in the empty
    photo; None where too little is seen.

    Both BGR uint8 of one shape, `lit` in the light of the empty photo. Least squares on the colours as shares
    of their light, weighed anew as in `curve`; a colour that is rare has more say than its area, or the board
    would drown what is printed on it.
    """
    now, then = (_samples(photo).astype(np.float64) for photo in (lit, empty))
    told = ((now > 8) & (now < 245) & (then > 8) & (then < 245)).all(axis=1)
    if told.sum() < _LEAST:
        return None
    light = then[told].mean(axis=1, keepdims=True) + 10
    now, then = now[told] / light, then[told] / light
    rare = _rareness(then)
    weight, stiff = np.ones(len(now)), _AS_IT_IS * len(now) * np.eye(3)
    back = np.eye(3)
    for width in _COLOUR_WIDTHS:
        weighed = (now * weight[:, None]).T
        back = np.linalg.solve(weighed @ now + stiff, weighed @ then + stiff)
        off = ((now @ back - then) ** 2).sum(axis=1)
        weight = rare / (1 + off / (3 * width**2)) ** 2
    return np.asarray(back.T)


def _rareness(tones: Floats) -> Floats:
    """(N,) how much say each of N colours has: one over the root of how many are about as it is."""
    cells = np.floor(tones / (tones.sum(axis=1, keepdims=True) + 0.03) * _CELLS) @ [1, 100, 10000]
    _, cell, many = np.unique(cells, return_inverse=True, return_counts=True)
    weight = 1 / np.sqrt(many[cell])
    return np.asarray(weight / weight.mean())


def curve(frame: Image, empty: Image) -> Image | None:
    """(256, 1, 3) uint8: what becomes of each value of each channel; None where too little of it is seen, or
    they differ by more than cameras do.

    Both BGR uint8 of one shape. For each channel a curve and a light that changes slowly over the picture are
    fitted together by least squares on logarithms, weighed anew (Geman and McClure), so that what lies on the
    table has no say. White stays white.
    """
    now, then = _samples(frame), _samples(empty)
    told = ((now > 1) & (now < 250) & (then > 3) & (then < 250)).all(axis=1)
    if told.sum() < _LEAST:
        return None
    now, then = now[told].astype(np.float64), then[told].astype(np.float64)
    wanted, terms = np.log(then / now), powers(_ACROSS, _DOWN, _DEGREE)[told]
    rows = [np.hstack([_hats(now[:, channel]), terms]) for channel in range(3)]
    stiff = len(now) * _stiff()
    sure = 1 / (1 + (_VAGUE / np.minimum(now, then).min(axis=1)) ** 2)
    weight, numbers = sure, np.zeros((3, len(stiff)))
    for width in _WIDTHS:
        for channel, row in enumerate(rows):
            weighed = (row * weight[:, None]).T
            numbers[channel] = np.linalg.solve(weighed @ row + stiff, weighed @ wanted[:, channel])
        off = np.stack([row @ own for row, own in zip(rows, numbers, strict=True)], axis=1) - wanted
        weight = sure / (1 + (off**2).sum(axis=1) / (3 * width**2)) ** 2
    bends = _hats(np.arange(256.0)) @ numbers[:, : len(_KNOTS)].T
    steeper = 1 + np.diff(bends[_MIDDLE], axis=0) / np.diff(np.log(_MIDDLE))
    if not ((steeper > _FLATTEST) & (steeper < _STEEPEST)).all():
        return None
    values = np.maximum.accumulate(np.arange(256.0)[:, None] * np.exp(bends), axis=0)
    return np.asarray(np.round(values * (255 / values[-1])), dtype=np.uint8)[:, None]


def _samples(photo: Image) -> Image:
    """(5184, 3), row by row."""
    small = cv2.resize(photo, (2 * _ACROSS, 2 * _DOWN), interpolation=cv2.INTER_AREA)
    return np.ascontiguousarray(small[::2, ::2]).reshape(-1, 3)


def _hats(values: Floats) -> Floats:
    """(N, knots): how much of each knot of the curve is in each value."""
    return np.stack([np.interp(values, _KNOTS, one) for one in np.eye(len(_KNOTS))], axis=1)


@cache
def _stiff() -> Floats:
    """What the numbers of a channel cost: of a curve's knots its second differences over the log of the
    values, of the light's polynomial its powers."""
    steps = 1 / np.diff(np.log(_KNOTS + 6))
    bends = np.diff(np.diff(np.eye(len(_KNOTS)), axis=0) * steps[:, None], axis=0)
    cost = np.diag([_FLAT] * len(_KNOTS) + [_SLOW * (i + j) ** 2 + 1e-12 for i, j in exponents(_DEGREE)])
    cost[: len(_KNOTS), : len(_KNOTS)] += _STIFF * bends.T @ bends
    return np.asarray(cost)
