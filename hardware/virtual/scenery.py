"""What lies still under the drawn game: a walnut table and the printed mat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import cos, pi, radians, sin
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from hardware.virtual.lens import Floats, Lens
from hardware.virtual.light import Bytes, brightness, to_light, to_shown

Layout = Mapping[str, Any]
DPMM = 6
BAND = 96
PAPER, INK, FAINT = (219, 227, 230), (92, 69, 58), (189, 202, 209)
"""BGR of the mat as a screen shows it."""


def field_centres(layout: Layout) -> list[tuple[float, float]]:
    """The middles of the fields in mm, clockwise from the first."""
    fields = layout["fields"]
    step = 2 * pi / fields["count"]
    turns = [radians(fields["first_deg"]) + k * step for k in range(fields["count"])]
    return [(fields["ring_radius_mm"] * sin(turn), -fields["ring_radius_mm"] * cos(turn)) for turn in turns]


def half_side(layout: Layout) -> float:
    """Half the side of the mat in mm: what holds the tags with a white border."""
    tags = layout["tags"]
    return float(
        max(abs(mm) for centre in tags["centres_mm"].values() for mm in centre) + tags["size_mm"] / 2 + 4
    )


def background(lens: Lens, layout: Layout, seed: int) -> Bytes:
    """The empty table as `lens` sees it: BGR uint8 (H, W, 3). Made in bands, to be small in memory."""
    rng = np.random.default_rng(seed)
    grain, waves = (_noise(rng, sigma) for sigma in (1.0, 6.0))
    sheet = printed(layout)
    bands = [
        _band(lens, top, min(BAND, lens.height - top), sheet, half_side(layout), grain, waves)
        for top in range(0, lens.height, BAND)
    ]
    return np.concatenate(bands)


def _band(
    lens: Lens, top: int, height: int, sheet: Bytes, half: float, grain: Floats, waves: Floats
) -> Bytes:
    spots = lens.on_table(lens.grid(0, top, lens.width, height))
    x, y = spots[..., 0], spots[..., 1]
    per_mm = lens.focal_px / lens.height_mm
    cover = np.clip((half - np.maximum(np.abs(x), np.abs(y))) * per_mm + 0.5, 0, 1)[..., None]
    dots = (spots + half) * DPMM - 0.5
    mat = cv2.remap(sheet, dots[..., 0], dots[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    table = _walnut(x, y, grain, waves) * _mat_shadow(x, y, half)[..., None]
    picture = to_light(np.asarray(mat, np.uint8)) * cover + table * (1 - cover)
    columns = np.linspace(-1, 1, lens.width, dtype=np.float32)
    rows = (2 * np.arange(top, top + height, dtype=np.float32) / lens.height - 1)[:, None]
    corners = 1 - 0.14 * (columns**2 + 0.4 * rows**2)
    return to_shown(picture * (brightness(x, y) * corners)[..., None])


def printed(layout: Layout) -> Bytes:
    """The mat as it comes out of the printer: BGR uint8 (S, S, 3), `DPMM` pixels a millimetre."""
    half = half_side(layout)
    side = int(2 * half * DPMM)
    sheet = np.full((side, side, 3), PAPER, np.uint8)
    _ornament(sheet, half)
    radius = layout["fields"]["diameter_mm"] / 2
    for number, (x, y) in enumerate(field_centres(layout)):
        _circle(sheet, half, (x, y), radius, INK, 0.7)
        _letter(sheet, half, (x * 0.665, y * 0.665), chr(ord("A") + number))
    _tags(sheet, half, layout["tags"])
    # As soft as a pixel of the camera is wide, so that lines keep their shape in a third of the dots.
    return np.asarray(cv2.GaussianBlur(sheet, (0, 0), 1.2), np.uint8)


def _ornament(sheet: Bytes, half: float) -> None:
    """A faint crown in the middle, and a frame."""
    _circle(sheet, half, (0, 0), 27, FAINT, 0.5)
    _circle(sheet, half, (0, 0), 25, FAINT, 0.3)
    crown = [(-15, 9), (-17, -8), (-8.5, 0), (0, -13), (8.5, 0), (17, -8), (15, 9)]
    cv2.polylines(sheet, [_dots(crown, half)], True, FAINT, 4, cv2.LINE_AA, 4)
    for x, y in ((-17, -8), (0, -13), (17, -8)):
        cv2.circle(sheet, tuple(_dots([(x, y)], half)[0]), 30 * DPMM, FAINT, -1, cv2.LINE_AA, 4)
    edge = half - 3
    corners = [(-edge, -edge), (edge, -edge), (edge, edge), (-edge, edge)]
    cv2.polylines(sheet, [_dots(corners, half)], True, FAINT, 2, cv2.LINE_AA, 4)


def _circle(
    sheet: Bytes,
    half: float,
    centre: tuple[float, float],
    radius: float,
    ink: tuple[int, int, int],
    wide: float,
) -> None:
    middle = _dots([centre], half)[0]
    cv2.circle(sheet, tuple(middle), round(radius * DPMM * 16), ink, round(wide * DPMM), cv2.LINE_AA, 4)


def _letter(sheet: Bytes, half: float, centre: tuple[float, float], letter: str) -> None:
    (wide, high), _ = cv2.getTextSize(letter, cv2.FONT_HERSHEY_DUPLEX, 1.35, 3)
    x, y = ((mm + half) * DPMM for mm in centre)
    cv2.putText(
        sheet,
        letter,
        (round(x - wide / 2), round(y + high / 2)),
        cv2.FONT_HERSHEY_DUPLEX,
        1.35,
        INK,
        3,
        cv2.LINE_AA,
    )


def _tags(sheet: Bytes, half: float, tags: Mapping[str, Any]) -> None:
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, tags["dictionary"]))
    side = round(tags["size_mm"] * DPMM)
    for number, (x, y) in tags["centres_mm"].items():
        image = cv2.aruco.generateImageMarker(dictionary, int(number), side)
        left, top = round((x + half) * DPMM - side / 2), round((y + half) * DPMM - side / 2)
        border = 4 * DPMM
        sheet[max(top - border, 0) : top + side + border, max(left - border, 0) : left + side + border] = 231
        sheet[top : top + side, left : left + side] = np.where(image > 0, 231, 33)[..., None]


def _dots(points: Sequence[tuple[float, float]], half: float) -> npt.NDArray[np.int32]:
    """Millimetres to sixteenths of a pixel, for the drawing functions' `shift` of 4."""
    return np.round(((np.array(points) + half) * DPMM - 0.5) * 16).astype(np.int32)


def _mat_shadow(x: Floats, y: Floats, half: float) -> Floats:
    """The thin shadow a sheet throws: light (H, W) left beside it."""
    beside = np.maximum(np.abs(x - 1.2) - half, np.abs(y - 1.4) - half)
    return np.asarray(1 - 0.5 * np.exp(-np.maximum(beside, 0) / 1.6), np.float32)


def _noise(rng: np.random.Generator, sigma: float) -> Floats:
    """A tile of smooth noise (512, 512) of deviation 1."""
    tile = cv2.GaussianBlur(rng.normal(size=(512, 512)).astype(np.float32), (0, 0), sigma)
    return np.asarray(tile / tile.std(), np.float32)


def _walnut(x: Floats, y: Floats, fine: Floats, broad: Floats) -> Floats:
    """Planks of walnut at table positions (H, W) in mm: linear BGR (H, W, 3)."""
    turn = radians(8)
    along, across = x * cos(turn) + y * sin(turn), y * cos(turn) - x * sin(turn)
    plank = np.floor((across + 37) / 88)
    inside = (across + 37) - plank * 88
    along = along + plank * 613.7
    wave = _sample(broad, along * 0.5, across * 0.5 + plank * 91)
    rings = 0.5 + 0.5 * np.sin((across + 5 * wave) * 0.42 + 1.6 * wave + plank * 2.1)
    grain = _sample(fine, along * 0.45, across * 6.5 + plank * 37)
    tone = 0.93 + 0.1 * np.sin(plank * 12.9) + 0.12 * (rings - 0.5) + 0.075 * grain
    seam = 1 - 0.72 * np.exp(-(np.minimum(inside, 88 - inside) ** 2) / 0.5)
    walnut = np.array([0.07, 0.13, 0.255], np.float32)
    deep = np.clip(tone * seam, 0.15, 2)[..., None]
    return np.asarray(walnut * deep ** np.array([1.35, 1.2, 1.0], np.float32), np.float32)


def _sample(tile: Floats, u: Floats, v: Floats) -> Floats:
    wrapped = (np.mod(u, 512).astype(np.float32), np.mod(v, 512).astype(np.float32))
    return np.asarray(cv2.remap(tile, *wrapped, cv2.INTER_LINEAR, borderMode=cv2.BORDER_WRAP), np.float32)
