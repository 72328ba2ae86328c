"""Training pictures for the dice networks: tiles and faces cut from frames, as faulty as photographs."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.pictures.prints import Picture, Rng, cloud

Array = NDArray[Any]
TILE, STRIDE = 160, 4
SMALLEST, LARGEST = 20.0, 52.0
"""Sides, in pixels, that the finder must find at one level of the pyramid."""
CLOSE, CUT = 0.3, 2.0
"""How often a tile is of a photograph that ends close around a die; by how many pixels it may cut that."""
LOOK_PX, LOOK_SIDE = 64, 38.0
"""The second look's picture, and how long a die's side is in it."""


@dataclass(frozen=True)
class Frame:
    """`picture` BGR; `corners` (N, 4, 2), `value` (N,), `seen` (N,) of its dice; `traps` (M, 3) x, y, side of
    what a finder took for dice.
    """

    picture: Picture
    corners: Array
    value: Array
    seen: Array
    traps: Array = field(default_factory=lambda: np.zeros((0, 3)))

    @classmethod
    def load(cls, path: Path) -> Frame:
        """The frame that belongs to a truth file; what its edges cut off counts as not seen."""
        rows = json.loads(path.read_text())
        picture = cv2.imread(str(path.with_suffix(".jpg")))
        assert picture is not None
        corners = np.array([row["corners"] for row in rows], np.float32).reshape(-1, 4, 2)
        seen = np.array([row["seen"] for row in rows], np.float32)
        end = np.array(picture.shape[1::-1]) - 1
        whole = ((corners > -CUT) & (corners < end + CUT)).all(axis=(1, 2))
        return cls(
            picture, corners, np.array([row["value"] for row in rows], np.int64), np.where(whole, seen, 0)
        )

    @property
    def sides(self) -> Array:
        """(N,) square roots of the top faces' areas."""
        return _sides(self.corners)


def load_frames(folders: list[Path]) -> list[Frame]:
    """Every frame of the folders."""
    return [Frame.load(path) for folder in folders for path in sorted(folder.glob("*.json"))]


def _sides(corners: Array) -> Array:
    a, b = corners[:, 2] - corners[:, 0], corners[:, 3] - corners[:, 1]
    return np.sqrt(np.abs(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]) / 2)


def cut(rng: Rng, frame: Frame, middle: Array, scale: float, size: int) -> tuple[Picture, Array]:
    """A square cut of a frame, turned, mirrored, a little stretched; and the (2, 3) map into it."""
    picture, shrink = frame.picture, 1.0
    if scale < 0.75:
        shrink = scale * 1.15
        picture = cv2.resize(picture, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    turn = rng.uniform(0, 2 * np.pi)
    c, s = np.cos(turn), np.sin(turn)
    stretch = np.exp(rng.normal(0, 0.04))
    matrix = np.diag([scale * stretch, scale / stretch]) @ np.array([[c, -s], [s, c]])
    if rng.uniform() < 0.5:
        matrix[0] *= -1
    shift = np.array([size / 2 - 0.5] * 2) - matrix @ middle
    whole = np.column_stack([matrix, shift])
    small = np.column_stack([matrix / shrink, shift])
    rim = picture[0].mean(axis=0) if rng.uniform() < 0.8 else np.zeros(3)
    view = cv2.warpAffine(
        picture,
        small,
        (size, size),
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_CONSTANT,
        borderValue=rim.tolist(),
    )
    return view, whole


def spoil(rng: Rng, picture: Picture, hard: float = 1.0) -> Picture:
    """What light, lens, sensor and file do to a picture."""
    view = picture
    if rng.uniform() < 0.15:
        view = view[..., rng.permutation(3)]
    if rng.uniform() < 0.4:
        hsv = cv2.cvtColor(view, cv2.COLOR_BGR2HSV).astype(np.float32)
        hsv[..., 0] = (hsv[..., 0] + rng.uniform(-90, 90) * (rng.uniform() < 0.6)) % 180
        hsv[..., 1] *= rng.uniform(0.3, 1.5)
        view = cv2.cvtColor(hsv.clip(0, 255).astype(np.uint8), cv2.COLOR_HSV2BGR)
    if rng.uniform() < 0.25:
        view = _resampled(rng, view)
    work = view.astype(np.float32)
    if rng.uniform() < 0.3:
        work = _shaded(rng, work)
    work *= np.exp(rng.normal(0, 0.11, 3)).astype(np.float32) * float(np.exp(rng.normal(0, 0.2)))
    if rng.uniform() < 0.5:
        work = 255 * (work.clip(0, 255) / 255) ** float(np.exp(rng.normal(0, 0.25)))
    if rng.uniform() < 0.3:
        work = (work - 128) * rng.uniform(0.5, 1.4) + 128 + rng.normal(0, 15)
    if rng.uniform() < 0.65:
        work = cv2.GaussianBlur(work, (0, 0), float(0.3 + hard * abs(rng.normal(0, 0.75))))
    if rng.uniform() < 0.12 * hard:
        length = int(rng.integers(3, 8))
        kernel = np.zeros((9, 9), np.float32)
        turn = rng.uniform(0, np.pi)
        step = np.array([np.cos(turn), np.sin(turn)]) * length / 2
        cv2.line(
            kernel, *(tuple(int(v) for v in (4 + k * step).round()) for k in (-1, 1)), 1.0, 1, cv2.LINE_AA
        )
        work = cv2.filter2D(work, -1, kernel / kernel.sum())
    if rng.uniform() < 0.3:
        work += (work - cv2.GaussianBlur(work, (0, 0), float(rng.uniform(0.7, 2)))) * rng.uniform(0.3, 1.5)
    if rng.uniform() < 0.7:
        grain = rng.normal(0, 1, work.shape).astype(np.float32)
        if rng.uniform() < 0.4:
            grain = cv2.GaussianBlur(grain, (0, 0), 0.8) * 2
        if rng.uniform() < 0.4:
            grain = grain[..., :1]
        work = work + grain * float(abs(rng.normal(0, 4 * hard)))
    done = work.clip(0, 255).astype(np.uint8)
    if rng.uniform() < 0.6:
        quality = int(rng.integers(30, 96))
        done = cv2.imdecode(
            cv2.imencode(".jpg", done, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], cv2.IMREAD_COLOR
        )
    return done


def _resampled(rng: Rng, picture: Picture) -> Picture:
    size = picture.shape[1::-1]
    way = int(rng.choice([cv2.INTER_AREA, cv2.INTER_LINEAR, cv2.INTER_CUBIC, cv2.INTER_NEAREST]))
    small = cv2.resize(picture, None, fx=rng.uniform(0.4, 0.9), fy=rng.uniform(0.4, 0.9), interpolation=way)
    back = cv2.INTER_NEAREST if rng.uniform() < 0.3 else cv2.INTER_CUBIC
    return cv2.resize(small, size, interpolation=back)


def _shaded(rng: Rng, work: Array) -> Array:
    """Vignettes, slopes, hard shadows, soft reflections."""
    size = len(work)
    kind = rng.uniform()
    if kind < 0.5:
        return work * np.exp(cloud(rng, size, size, size / 1.5) * rng.uniform(0.05, 0.3))[..., None]
    mask = np.zeros((size, size), np.float32)
    points = rng.uniform(-0.3, 1.3, (4, 2)) * size
    cv2.fillConvexPoly(mask, cv2.convexHull(points.astype(np.float32)).astype(np.int32), 1.0)
    mask = cv2.GaussianBlur(mask, (0, 0), float(rng.uniform(0.8, 12)))[..., None]
    if kind < 0.85:
        return work * (1 - mask * rng.uniform(0.2, 0.6))
    return work + mask * rng.uniform(10, 90)


def finder_tile(rng: Rng, frame: Frame) -> tuple[Picture, dict[str, Array]]:
    """A tile and what the finder shall say of it, on a grid of STRIDE pixels.

    heat (G, G) 1 at a die's middle falling off; keep (G, G) 0 where nobody shall be asked; value (G, G) 0 or
    1..6 near a middle; size (G, G) log of the side; off (2, G, G) where the middle is, in cells.
    """
    sides = frame.sides
    if len(sides) and rng.uniform() < 0.92:
        pick = int(rng.integers(len(sides)))
        if rng.uniform() < 0.85:
            want = np.exp(rng.uniform(np.log(SMALLEST), np.log(LARGEST)))
        else:
            want = np.exp(rng.uniform(np.log(8), np.log(170)))
        scale = float(min(want / sides[pick], 2.2))
        middle = frame.corners[pick].mean(axis=0) + rng.uniform(-0.42, 0.42, 2) * TILE / scale
    else:
        scale = float(np.exp(rng.uniform(np.log(0.3), np.log(1.6))))
        middle = rng.uniform(0.2, 0.8, 2) * frame.picture.shape[0]
    half = min(TILE / scale / 2 * 0.8, len(frame.picture) / 2)
    middle = middle.clip(half * 0.6, len(frame.picture) - half * 0.6)
    picture, way = cut(rng, frame, middle, scale, TILE)
    corners = frame.corners @ way[:, :2].T + way[:, 2]
    picture, value, seen = spoil(rng, picture), frame.value, frame.seen
    if rng.uniform() < CLOSE:
        middles = corners.mean(axis=1)
        picture, (low, high) = _near_edges(rng, picture, corners)
        there = ((middles >= low) & (middles < high)).all(axis=1)
        corners, value, seen = corners[there], value[there], seen[there]
        seen = np.where(((corners > low - CUT) & (corners < high + CUT)).all(axis=(1, 2)), seen, 0)
    return picture, _answers(corners, value, seen)


def _near_edges(rng: Rng, picture: Picture, dice: Array) -> tuple[Picture, Array]:
    """The tile as if the photograph ended close around one of the `dice` (N, 4, 2), or around anything: what
    is beyond its edge goes on as its edge, as the finder pads it; and from where to where (2, 2) it is seen.
    """
    away = np.abs(dice.mean(axis=1) - TILE / 2).max(axis=1)
    if min(away, default=TILE) < TILE / 2 and rng.uniform() < 0.7:
        die = dice[int(away.argmin())]
    else:
        die = rng.uniform(0.2, 0.8, 2) * TILE + np.exp(rng.uniform(2.7, 4.4, (2, 1))) * [[-0.5], [0.5]]
    side = float((die.max(axis=0) - die.min(axis=0)).max())
    low = np.floor(die.min(axis=0) - rng.uniform(-0.02, 0.6, 2) * side).clip(0, TILE - 16)
    high = np.ceil(die.max(axis=0) + rng.uniform(-0.02, 0.6, 2) * side).clip(low + 16, TILE)
    (x, y), (right, bottom) = low.astype(int), high.astype(int)
    rims = (y, TILE - bottom, x, TILE - right)
    return cv2.copyMakeBorder(picture[y:bottom, x:right], *rims, cv2.BORDER_REPLICATE), np.array([low, high])


def _answers(corners: Array, values: Array, seen: Array) -> dict[str, Array]:
    grid = TILE // STRIDE
    rows, columns = np.mgrid[:grid, :grid].astype(np.float32) * STRIDE + (STRIDE - 1) / 2
    heat, keep = np.zeros((grid, grid), np.float32), np.ones((grid, grid), np.float32)
    value, size = np.zeros((grid, grid), np.int64), np.zeros((grid, grid), np.float32)
    off = np.zeros((2, grid, grid), np.float32)
    for ring, side, shows, part in zip(corners, _sides(corners), values, seen, strict=True):
        x, y = ring.mean(axis=0)
        far = np.hypot(columns - x, rows - y)
        inside = ((ring > -0.08 * side) & (ring < TILE - 1 + 0.08 * side)).all()
        if side < SMALLEST * 0.7 or side > LARGEST * 1.45:
            continue
        if not (SMALLEST <= side <= LARGEST and part > 0.85 and inside):
            keep[far < max(0.4 * side, STRIDE)] = 0
            continue
        row, column = int(y / STRIDE), int(x / STRIDE)
        if not (0 <= row < grid and 0 <= column < grid):
            continue
        glow = np.exp(-0.5 * (far / (0.13 * side)) ** 2)
        glow[row, column] = 1
        near = far < max(0.2 * side, STRIDE * 0.75)
        heat = np.maximum(heat, glow)
        keep[near] = 1
        value[near], size[near] = shows, np.log(side)
        off[0][near], off[1][near] = ((x - columns) / STRIDE)[near], ((y - rows) / STRIDE)[near]
    return {"heat": heat, "keep": keep, "value": value, "size": size, "off": off}


def look_picture(rng: Rng, frame: Frame) -> tuple[Picture, int]:
    """A picture as the second look gets it and its answer: 1..6, or 0 where no top face is in its middle."""
    sides = frame.sides
    good = np.flatnonzero(frame.seen > 0.85)
    if len(good) and rng.uniform() < 0.72:
        pick = int(rng.choice(good))
        side, middle = float(sides[pick]), frame.corners[pick].mean(axis=0)
        zoom, shift = np.exp(rng.normal(0, 0.1)), rng.normal(0, 0.05, 2)
        scale = LOOK_SIDE / side * zoom
        picture, _ = cut(rng, frame, middle + shift * side, scale, LOOK_PX)
        return spoil(rng, picture, LOOK_SIDE / 32), int(frame.value[pick])
    for _ in range(20):
        if len(frame.traps) and rng.uniform() < 0.6:
            x, y, side = frame.traps[int(rng.integers(len(frame.traps)))]
            middle, side = np.array([x, y]), float(side * np.exp(rng.normal(0, 0.07)))
            break
        middle = rng.uniform(0.08, 0.92, 2) * len(frame.picture)
        side = float(np.exp(rng.uniform(np.log(16), np.log(90))))
        if len(sides) and rng.uniform() < 0.7:
            pick = int(rng.integers(len(sides)))
            turn = rng.uniform(0, 2 * np.pi)
            away = rng.uniform(0.4, 1.1) * sides[pick] * np.array([np.cos(turn), np.sin(turn)])
            middle, side = (
                frame.corners[pick].mean(axis=0) + away,
                sides[pick] * np.exp(rng.normal(-0.15, 0.35)),
            )
        if not is_die(frame, middle, side):
            break
    picture, _ = cut(rng, frame, middle, LOOK_SIDE / side, LOOK_PX)
    return spoil(rng, picture, LOOK_SIDE / 32), 0


def is_die(frame: Frame, middle: Array, side: float) -> bool:
    """Whether a die's top face of about this side lies about there, or nearly so."""
    apart = np.linalg.norm(frame.corners.mean(axis=1) - middle, axis=1) / np.minimum(side, frame.sides)
    return bool(((apart < 0.35) & (np.abs(np.log(frame.sides / side)) < 0.75)).any())
