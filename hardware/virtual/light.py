"""Light on the drawn table: the lamp, and one solid cast as the camera sees it, with its shadow."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import cos, radians, sin
from typing import Protocol

import cv2
import numpy as np
import numpy.typing as npt

from hardware.virtual.lens import Floats, Lens, squares
from hardware.virtual.solids import Surface

Bytes = npt.NDArray[np.uint8]
FINE = 3
LAMP = np.array(
    [cos(radians(222)) * cos(radians(56)), sin(radians(222)) * cos(radians(56)), sin(radians(56))], np.float32
)
LAMP_SHARE, SKY_SHARE = 0.72, 0.34


class Solid(Protocol):
    """Something that stands on the table."""

    @property
    def x(self) -> float: ...
    @property
    def y(self) -> float: ...
    @property
    def reach(self) -> float: ...
    @property
    def top(self) -> float: ...
    def distance(self, points: Floats) -> Floats: ...
    def surface(self, points: Floats) -> Surface: ...


@dataclass(frozen=True, slots=True)
class Layer:
    """A solid as seen: a patch of the frame at (left, top) px.

    `colour` is linear BGR (h, w, 3) times `cover` (h, w, 1); `shade` (h, w, 1) is the light the table
    keeps beside it.
    """

    left: int
    top: int
    colour: Floats
    cover: Floats
    shade: Floats
    depth: float

    def onto(self, picture: Bytes) -> None:
        """Paint it over a picture, BGR uint8 (H, W, 3), which it may overhang."""
        height, width = self.cover.shape[:2]
        rows = slice(max(self.top, 0), min(self.top + height, picture.shape[0]))
        columns = slice(max(self.left, 0), min(self.left + width, picture.shape[1]))
        if rows.start >= rows.stop or columns.start >= columns.stop:
            return
        own = (
            slice(rows.start - self.top, rows.stop - self.top),
            slice(columns.start - self.left, columns.stop - self.left),
        )
        under = to_light(picture[rows, columns])
        picture[rows, columns] = to_shown(
            under * (self.shade[own] * (1 - self.cover[own])) + self.colour[own]
        )


_SHOWN = np.arange(256) / 255
_TO_LIGHT = np.where(_SHOWN < 0.04045, _SHOWN / 12.92, ((_SHOWN + 0.055) / 1.055) ** 2.4).astype(np.float32)
_LIGHT = np.linspace(0, 1, 4096)
_CURVE = np.where(_LIGHT < 0.0031308, _LIGHT * 12.92, 1.055 * _LIGHT ** (1 / 2.4) - 0.055)
_TO_SHOWN = np.round(255 * _CURVE).astype(np.uint8)


def to_light(shown: Bytes) -> Floats:
    """What a screen shows, uint8, as linear light 0..1 of the same shape; `to_shown` gives the same back."""
    return _TO_LIGHT[shown]


def to_shown(light: Floats) -> Bytes:
    """Linear light 0..1 as what a screen shows: uint8 of the same shape."""
    return np.asarray(_TO_SHOWN[np.clip(light * 4095 + 0.5, 0, 4095).astype(np.uint16)], np.uint8)


def brightness(x: Floats, y: Floats) -> Floats:
    """How bright the lamp is at table positions in mm: a wide pool of light, off the middle."""
    pool = np.exp(-((x + 60) ** 2 + (y + 90) ** 2) / np.float32(2 * 290.0**2))
    return np.asarray(0.62 + 0.42 * pool, np.float32)


@lru_cache(maxsize=64)
def cast(lens: Lens, solid: Solid) -> Layer:
    """The solid as `lens` sees it. Kept, because most things on a table lie still."""
    left, top, width, height = _patch(lens, solid)
    rays = lens.rays(lens.grid(left, top, width, height, FINE)).reshape(-1, 3)
    met, points = _march(lens.eye, rays, solid)
    colour = np.zeros((len(rays), 3), np.float32)
    if met.size:
        colour[met] = _lit(solid, points, rays[met])
    cover = np.zeros((len(rays), 1), np.float32)
    cover[met] = 1
    here = np.array([solid.x, solid.y], np.float32)
    colour *= brightness(here[0], here[1])
    shade = _shadow(lens.on_table(lens.grid(left, top, width, height)).reshape(-1, 2), solid)
    away = float(np.linalg.norm(here - lens.eye[:2]))
    return Layer(
        left,
        top,
        _small(colour, width, height)[..., ::-1].copy(),
        _small(cover, width, height),
        shade.reshape(height, width, 1),
        away,
    )


def _patch(lens: Lens, solid: Solid) -> tuple[int, int, int, int]:
    """Left, top, width and height in px of what the solid and its shadow can touch."""
    reach, top = solid.reach + 6, solid.top
    corners = [
        (solid.x + dx, solid.y + dy, z)
        for dx in (-reach, reach)
        for dy in (-reach, reach)
        for z in (0.0, top)
    ]
    fall = -LAMP[:2] / LAMP[2] * top * 1.25
    corners += [(x + fall[0], y + fall[1], 0.0) for x, y, z in corners if z == 0.0]
    seen = lens.pixels(corners)
    low, high = np.floor(seen.min(0)).astype(int) - 3, np.ceil(seen.max(0)).astype(int) + 3
    return int(low[0]), int(low[1]), int(high[0] - low[0]), int(high[1] - low[1])


def _march(eye: Floats, rays: Floats, solid: Solid) -> tuple[npt.NDArray[np.intp], Floats]:
    """Which rays (n, 3) meet the solid, as indices (m,), and where, (m, 3) in mm."""
    low = np.array([solid.x - solid.reach, solid.y - solid.reach, 0], np.float32)
    high = np.array([solid.x + solid.reach, solid.y + solid.reach, solid.top], np.float32)
    with np.errstate(divide="ignore", invalid="ignore"):
        first, second = (low - eye) / rays, (high - eye) / rays
    enter = np.maximum.reduce(list(np.minimum(first, second).T))
    leave = np.minimum.reduce(list(np.maximum(first, second).T))
    alive = np.flatnonzero(enter < leave)
    far, end = enter[alive], leave[alive]
    met, at = [], []
    for _ in range(24):
        gap = solid.distance(eye + rays[alive] * far[:, None])
        done = gap < 0.03
        met.append(alive[done])
        at.append(far[done])
        far = far + np.maximum(gap, 0.02)
        on = ~done & (far < end)
        alive, far, end = alive[on], far[on], end[on]
        if not alive.size:
            break
    found, deep = np.concatenate(met), np.concatenate(at)
    return found, eye + rays[found] * deep[:, None]


def _lit(solid: Solid, points: Floats, rays: Floats) -> Floats:
    """Linear RGB (m, 3) of the solid's skin at `points`, seen along `rays`."""
    normals = _normals(solid, points)
    surface = solid.surface(points)
    facing = np.clip(normals @ LAMP, 0, 1)[:, None]
    open_sky = 0.5 + 0.5 * normals[:, 2:]
    near_table = np.clip(0.55 + points[:, 2:] / 14, 0, 1)
    matte = surface.colour * (LAMP_SHARE * facing + SKY_SHARE * open_sky * near_table) * 1.12
    cosine = -np.einsum("ij,ij->i", rays, normals)[:, None]
    back = rays + 2 * cosine * normals
    glance = surface.mirror + (1 - surface.mirror) * np.clip(1 - cosine, 0, 1) ** 5
    room = _room(back) * near_table
    return np.asarray(np.where(surface.metal > 0.5, surface.colour * room, matte + glance * room), np.float32)


def _room(back: Floats) -> Floats:
    """How bright the room is in directions (m, 3): a ceiling, a soft lamp, a table below."""
    up = back[:, 2:]
    ceiling = np.where(up > 0, 0.22 + 0.5 * up**2, 0.1)
    lamp = np.clip((back @ LAMP)[:, None], 0, 1)
    return np.asarray(ceiling + 1.5 * lamp**14 + 1.2 * (lamp > 0.985), np.float32)


def _normals(solid: Solid, points: Floats) -> Floats:
    """Unit normals (m, 3) from four samples around each point."""
    total = np.zeros_like(points)
    for corner in ((1, -1, -1), (-1, -1, 1), (-1, 1, -1), (1, 1, 1)):
        step = np.array(corner, np.float32)
        total += step * solid.distance(points + step * np.float32(0.05))[:, None]
    return np.asarray(total / np.sqrt(squares(total)), np.float32)


def _shadow(spots: Floats, solid: Solid) -> Floats:
    """The share of light (n,) left at table spots (n, 2) in mm: soft towards the end of the shadow."""
    ground = np.concatenate([spots, np.zeros((len(spots), 1), np.float32)], axis=1)
    lamp = np.ones(len(spots), np.float32)
    far = np.full(len(spots), 0.6, np.float32)
    for _ in range(16):
        gap = solid.distance(ground + LAMP * far[:, None])
        lamp = np.minimum(lamp, np.clip(0.5 + 4.5 * gap / far, 0, 1))
        far = far + np.clip(gap, 0.6, 4.0)
    near = np.maximum(solid.distance(ground + np.array([0, 0, 1.5], np.float32)), 0)
    sky = 1 - 0.5 * np.clip(1 - near / 6, 0, 1) ** 2
    soft = lamp * lamp * (3 - 2 * lamp)
    return np.asarray((LAMP_SHARE * soft + SKY_SHARE * sky) / (LAMP_SHARE + SKY_SHARE), np.float32)


def _small(fine: Floats, width: int, height: int) -> Floats:
    """Means of FINE x FINE samples: (height, width, channels)."""
    whole = fine.reshape(height * FINE, width * FINE, -1)
    small = cv2.resize(whole, (width, height), interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.float32).reshape(height, width, -1)
