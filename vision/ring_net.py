"""What the network of the pieces is shown and what it answers: the ring, flattened, and a map of lids.

The table is seen on the plane of the pieces' tops, at a size at which every piece is as large: there a
piece's lid is a disc of one size wherever the camera hangs. The lid of a tower is seen there too, a little
larger and further outwards; how far follows from how high it is, so the network tells only that, and where
the lid is seen. The empty photo lies beside it, bent in the same way; both are shown in hues. Two more
channels say how far and where to a thing twice as high would lean.
"""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats, Grey, Image, Layout, View
from vision.hues import in_hues
from vision.maps import STRIDE
from vision.once import once
from vision.parts import Part
from vision.squares import pixels_of_plane

LID_PX = 20.0
"""Pixels of a piece's diameter in the flattened picture; half a photograph's resolution."""
AROUND = 6
"""How many cells around what is new the network is shown. It sees 10 away, but what is more than 6 away moves
no lid by more than 0.014 pixels, on 110 frames of thirteen sessions."""
LEVELS = 3
"""On the board, on one other, on two others."""
Pixels = NDArray[np.int16 | np.uint16]
"""Half of a map as `cv2.remap` takes it: whole pixels (n, n, 2), or which share of the next (n, n)."""


def seen_at(view: View, foot: tuple[float, float], level: int, height: float) -> tuple[float, float]:
    """Where on the plane of the lowest lids, in mm, the lid of a tower of `level` pieces is seen."""
    return as_seen(view, foot, level * height, height)


def foot_of(view: View, seen: tuple[float, float], level: int, height: float) -> tuple[float, float]:
    """Where a tower of `level` pieces stands whose lid is seen there on the plane of the lowest lids, mm."""
    return as_seen(view, seen, height, level * height)


def as_seen(view: View, at: tuple[float, float], start: float, end: float) -> tuple[float, float]:
    """The point `end` mm up that the eye sees where it sees `at`, `start` mm up."""
    eye = view.eye
    share = (eye[2] - end) / (eye[2] - start)
    return float(eye[0] + (at[0] - eye[0]) * share), float(eye[1] + (at[1] - eye[1]) * share)


def ring_reach(layout: Layout, diameter: float) -> float:
    """Half the width in mm of the square in which pieces can stand, a whole number of answers wide."""
    cell = STRIDE * diameter / LID_PX
    reach = layout.ring_mm + layout.field_mm / 2 + 0.8 * diameter
    return float(np.ceil(reach / cell) * cell)


@lru_cache(maxsize=2)
def _maps(view: View, reach: float, diameter: float, height: float) -> tuple[Pixels, Pixels, Grey]:
    """For every place of the lids' plane its pixel in the half-size frame; the lean channels, (2, n, n)."""
    scale = LID_PX / diameter
    size = round(2 * reach * scale)
    at = pixels_of_plane(view, reach, height, scale, half=True)
    pixel, share = cv2.convertMaps(at, None, cv2.CV_16SC2)  # type: ignore[call-overload]
    eye = view.eye
    place = (np.arange(size, dtype=np.float32) + 0.5) / scale - reach
    lean = height / diameter * 2 / (eye[2] - height)
    leans = np.empty((2, size, size), dtype=np.float32)
    leans[0] = ((place - eye[0]) * lean)[None, :]
    leans[1] = ((place - eye[1]) * lean)[:, None]
    return pixel, share, leans


def flat_ring(
    frame: Image, empty: Image, view: View, reach: float, piece_mm: tuple[float, float]
) -> tuple[Image, Image, Grey]:
    """Frame and empty photo (half size, one light) on the lids' plane, BGR (n, n, 3); leans (2, n, n)."""
    leans = _maps(view, reach, *piece_mm)[2]
    return _flat(frame, view, reach, piece_mm), _kept_flat(empty, view, reach, piece_mm), leans


def _flat(photo: Image, view: View, reach: float, piece_mm: tuple[float, float]) -> Image:
    pixel, share, _ = _maps(view, reach, *piece_mm)
    return cv2.remap(photo, pixel, share, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)


_kept_flat = once(_flat)


def as_blob(flat: Image, flat_empty: Image, leans: Grey, part: Part = (slice(None), slice(None))) -> Floats:
    """What the network takes: that part (rows, columns) of all, float32 (1, 8, H, W)."""
    now = in_hues([np.ascontiguousarray(flat[part])])
    return np.concatenate([now, _kept_hues(flat_empty)[..., *part], leans[None, :, *part]], axis=1)


@once
def _kept_hues(flat: Image) -> Floats:
    return in_hues([flat])
