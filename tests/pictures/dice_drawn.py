"""Frames of dice drawn without a renderer, cheap and many: rays against rounded cubes, soft shadows.

A frame is BGR uint8 and its truth a list of rows as `dice_scene` writes them: value, corners, seen.
The world's unit is a die's side, z up, the table at 0. Values 0 are things that are no dice.
Run: `python -m tests.pictures.dice_drawn OUT --first 0 --count 3000`; with `--pale` light dice of one or two
sets in soft light, whose rounded tops and sides hardly differ.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.pictures.dice_paint import FACE_PX, Style, draw_ground, draw_not_die, paint
from tests.pictures.prints import Picture, Rng, colour

Array = NDArray[Any]
_AXES = np.array([[0, 0, 1], [0, 1, 0], [1, 0, 0], [-1, 0, 0], [0, -1, 0], [0, 0, -1]], np.float32)
"""Outward axes of the faces one to six."""
_ACROSS = np.array([[1, 0, 0], [1, 0, 0], [0, 1, 0], [0, 1, 0], [1, 0, 0], [1, 0, 0]], np.float32)
_DOWN = np.cross(_AXES, _ACROSS)
_FINER = 1.5
"""Drawn this much larger than handed out."""
_LEAST_CONTRAST = 12
"""Grey levels of 255 between a face and its pips, from which somebody can read it."""


@dataclass(frozen=True)
class Camera:
    """A pinhole: `eye` (3,), `axes` (3, 3) right, down, forward; `focal` and `middle` in pixels."""

    eye: Array
    axes: Array
    focal: float
    middle: float

    def project(self, points: Array) -> Array:
        """(N, 2) pixels of (N, 3) points."""
        seen = (points - self.eye) @ self.axes.T
        return np.asarray(seen[:, :2] / seen[:, 2:] * self.focal + self.middle)


@dataclass(frozen=True)
class Light:
    """Lamps: (L, 3) directions and colours, (L,) how wide they are; the room's light, its windows.

    `hidden`: how much of the room's light a die keeps from the ground it stands on.
    """

    towards: Array
    colours: Array
    size: Array
    up: Array
    round_about: Array
    window: Array
    hidden: float

    def specular(self, mirrored: Array, rough: float) -> Array:
        """(N, 3) light that comes from the directions (N, 3), blurred by roughness."""
        up = np.clip(mirrored[:, 2:] * 0.5 + 0.5, 0, 1)
        seen = self.round_about * (1 - up) * 0.6 + self.up * up
        for towards, shade, size in zip(self.towards, self.colours, self.size, strict=True):
            narrow = 1 / (rough**2 * 0.5 + size**2 * 0.5 + 0.002)
            lobe = np.exp((mirrored @ towards - 1) * narrow) * min(narrow * 0.4, 12)
            seen = seen + lobe[:, None] * shade
        for frame in self.window:
            a, b, c = mirrored @ frame[0], mirrored @ frame[1], mirrored @ frame[2]
            edge = 0.03 + rough * 0.6
            inside = np.clip((frame[3, 0] - np.abs(a)) / edge + 0.5, 0, 1) * np.clip(
                (frame[3, 1] - np.abs(b)) / edge + 0.5, 0, 1
            )
            seen = seen + (inside * (c > 0))[:, None] * frame[3, 2]
        return np.asarray(seen)


def _random_light(rng: Rng, evenly: float = 0.25) -> Light:
    """`evenly`: how likely light is that comes from everywhere alike."""
    count = int(rng.integers(1, 4))
    high, turn = rng.uniform(0.25, 1.5, count), rng.uniform(0, 2 * np.pi, count)
    towards = np.stack([np.cos(high) * np.cos(turn), np.cos(high) * np.sin(turn), np.sin(high)], axis=1)
    warm = rng.uniform(-1, 1, count)
    shades = np.stack([1 - 0.45 * warm.clip(0), 1 - 0.18 * np.abs(warm), 1 + 0.25 * warm.clip(-1, 0)], axis=1)
    shades *= rng.uniform(0.15, 1.3, (count, 1))
    room = rng.uniform(0.1, 0.8) * np.array(colour(rng, 200, 255, 0.25)) / 255
    even = rng.uniform() < evenly  # from everywhere alike: a die has hardly a side or a shadow
    if even:
        shades *= rng.uniform(0, 0.3)
        room *= 2
    windows = []
    for _ in range(0 if even and rng.uniform() < 0.7 else int(rng.integers(0, 3))):
        to = np.array([*rng.normal(0, 0.7, 2), 1.0])
        to /= np.linalg.norm(to)
        side = np.cross(to, rng.normal(size=3))
        side /= np.linalg.norm(side)
        windows.append(
            np.stack([side, np.cross(to, side), to, [*rng.uniform(0.08, 0.6, 2), rng.uniform(0.5, 5)]])
        )
    return Light(
        towards.astype(np.float32), shades.astype(np.float32), rng.uniform(0.02, 0.5, count),
        (room * rng.uniform(0.7, 1.6)).astype(np.float32), (room * rng.uniform(0.3, 1)).astype(np.float32),
        np.array(windows, np.float32).reshape(-1, 4, 3), float(rng.uniform(0, 0.5) if even else 0.75),
    )  # fmt: skip


def _random_camera(rng: Rng, size: int, side: float, aslant: bool = False) -> Camera:
    """So that a die in the middle is `side` pixels; mostly from above, often straight and from far, or as one
    that looks `aslant` at a table."""
    kind = rng.uniform()
    straight = kind < 0.35 and not aslant
    tilt = abs(rng.normal(0, 2.5 if straight else 9)) if kind < 0.85 else rng.uniform(12, 48)
    tilt = rng.uniform(12, 62) if aslant else min(tilt, 48)
    tilt, around, roll = np.deg2rad(tilt), rng.uniform(0, 2 * np.pi), rng.uniform(0, 2 * np.pi)
    far = np.exp(rng.uniform(np.log(12 if straight else 4.5), np.log(60 if straight else 40)))
    eye = far * np.array([np.sin(tilt) * np.cos(around), np.sin(tilt) * np.sin(around), np.cos(tilt)])
    look = rng.uniform() * np.array([eye[0], eye[1], 0.0]) if rng.uniform() < 0.5 else np.zeros(3)
    forward = look - eye
    forward /= np.linalg.norm(forward)
    right = np.cross(forward, [np.sin(roll), np.cos(roll), 0.05])
    right /= np.linalg.norm(right)
    axes = np.stack([right, np.cross(forward, right), forward])
    camera = Camera(eye, axes, side * far, 0.0)
    shift = camera.project(np.array([[0.0, 0, 0.5]]))[0]  # an off-axis cut of a wider photograph
    camera = replace(
        camera,
        axes=np.stack(
            [
                axes[0] - shift[0] / camera.focal * forward,
                axes[1] - shift[1] / camera.focal * forward,
                forward,
            ]
        ),
    )
    return replace(camera, middle=size / 2)


def _linear(picture: Array) -> Array:
    return np.asarray((picture.astype(np.float32) / 255) ** 2.2)


class Frame:
    """One frame on its way: linear light, and which thing each pixel shows."""

    def __init__(self, rng: Rng, size: int, side: float, evenly: float = 0.25, aslant: bool = False) -> None:
        self.rng, self.size = rng, round(size * _FINER)
        self.camera = _random_camera(rng, self.size, side * _FINER, aslant)
        self.light = _random_light(rng, evenly)
        reach = self.size / side / _FINER / 2
        self.reach = reach * 1.15
        ground = draw_ground(rng, self.size)
        self.ground = _linear(ground)
        self.bounce = self.ground.reshape(-1, 3).mean(axis=0)
        self.shade = [np.zeros((self.size, self.size), np.float32) for _ in self.light.towards]
        self.near = np.zeros((self.size, self.size), np.float32)
        self.owner = np.full((self.size, self.size), -1, np.int32)
        self.top = np.zeros((self.size, self.size), bool)
        self.pip = np.zeros((self.size, self.size), bool)
        self.taken: list[tuple[float, float, float]] = []
        self.bodies: list[tuple[Style, Array, Array, Array, Array, int]] = []

    def free_place(self, reach: float, touch: float) -> tuple[float, float] | None:
        """Room for a circle of this radius, beside another thing with the chance `touch`."""
        for _ in range(30):
            x, y = self.rng.uniform(-self.reach, self.reach, 2)
            if self.taken and self.rng.uniform() < touch:
                px, py, other = self.taken[int(self.rng.integers(len(self.taken)))]
                turn = self.rng.uniform(0, 2 * np.pi)
                x, y = px + np.cos(turn) * (reach + other), py + np.sin(turn) * (reach + other)
            if all(np.hypot(x - px, y - py) >= 0.99 * (reach + other) for px, py, other in self.taken):
                self.taken.append((float(x), float(y), reach))
                return float(x), float(y)
        return None

    def put(
        self, style: Style, strip: Array, depth: Array, spot: tuple[float, float], value: int, scale: float
    ) -> None:
        """Stand a cube of a painted strip on the table; `value` on top, 0 for what is no die."""
        rng = self.rng
        up = value or int(rng.integers(1, 7))
        out, across = _AXES[up - 1], _ACROSS[up - 1]
        yaw = rng.uniform(0, 2 * np.pi)
        a, b = np.array([np.cos(yaw), np.sin(yaw), 0]), np.array([-np.sin(yaw), np.cos(yaw), 0])
        turn = np.outer(a, across) + np.outer(b, np.cross(out, across)) + np.outer([0, 0, 1], out)
        if rng.uniform() < 0.25:  # a table is not always level, nor a die always flat on it
            lean, to = np.deg2rad(rng.normal(0, 2.5)), rng.uniform(0, 2 * np.pi)
            axis = np.array([np.cos(to), np.sin(to), 0.0]) * lean
            turn = cv2.Rodrigues(axis)[0] @ turn
        middle = np.array([spot[0], spot[1], 0.5 * scale])
        self.bodies.append((style, strip, depth, turn * scale, middle, value))
        self._shade(middle, scale, turn)

    def _shade(self, middle: Array, scale: float, turn: Array) -> None:
        corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * 0.47 * scale
        corners = corners @ turn.T + middle
        for mask, towards in zip(self.shade, self.light.towards, strict=True):
            flat = corners - towards * (corners[:, 2:] / max(float(towards[2]), 0.15))
            self._fill(mask, np.concatenate([flat, corners * (1, 1, 0)]), 1.0)
        self._fill(self.near, corners * (1, 1, 0), 1.0)

    def _fill(self, mask: Array, points: Array, value: float) -> None:
        pixels = self.camera.project(points).astype(np.float32)
        cv2.fillConvexPoly(mask, cv2.convexHull(pixels).round().astype(np.int32), value, cv2.LINE_AA)

    def lay_flat(self, picture: Picture, spot: tuple[float, float], length: float, disc: bool) -> None:
        """A print lying on the table."""
        high, wide = picture.shape[:2]
        w, h = length * min(1, wide / high) / 2, length * min(1, high / wide) / 2
        yaw = self.rng.uniform(0, 2 * np.pi)
        c, s = np.cos(yaw), np.sin(yaw)
        ring = np.array([[-w, -h], [w, -h], [w, h], [-w, h]]) @ np.array([[c, s], [-s, c]]) + spot
        thick = float(self.rng.choice([0.0, 0.05, 0.2]))
        pixels = self.camera.project(np.column_stack([ring, np.full(4, thick)])).astype(np.float32)
        source = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32)
        warp = cv2.getPerspectiveTransform(source, pixels)
        mask = np.zeros((high, wide), np.uint8)
        if disc:
            cv2.circle(mask, (wide // 2, high // 2), min(wide, high) // 2 - 1, 255, -1)
        else:
            mask[1:-1, 1:-1] = 255
        shown = cv2.warpPerspective(_linear(picture), warp, (self.size, self.size), flags=cv2.INTER_LINEAR)
        cover = cv2.warpPerspective(mask, warp, (self.size, self.size)).astype(np.float32)[..., None] / 255
        self.near = np.maximum(self.near, cover[..., 0] * 0.5)
        self.ground += (shown - self.ground) * cover

    def finish(self) -> Array:
        """Ground in its light and shadow, then the bodies from far to near: linear BGR."""
        rng, light, camera = self.rng, self.light, self.camera
        side = camera.focal / float(np.linalg.norm(camera.eye))
        lit = np.ones((self.size, self.size, 3), np.float32) * (light.up + light.round_about) * 0.6
        near = cv2.GaussianBlur(self.near, (0, 0), 0.16 * side)
        lit *= (1 - light.hidden * near)[..., None]
        for mask, towards, shade, soft in zip(
            self.shade, light.towards, light.colours, light.size, strict=True
        ):
            dark = cv2.GaussianBlur(mask, (0, 0), max(0.7, soft * 0.6 * side))
            lit += (1 - dark)[..., None] * shade * float(towards[2])
        picture = self.ground * lit
        if rng.uniform() < 0.5:  # light falls off across the table
            at = np.linspace(-1, 1, self.size, dtype=np.float32)
            slope = rng.uniform(-0.35, 0.35, 2)
            picture *= np.exp(at[None, :] * slope[0] + at[:, None] * slope[1])[..., None]
        order = sorted(range(len(self.bodies)), key=lambda i: -np.linalg.norm(self.bodies[i][4] - camera.eye))
        self.pixels = np.zeros(len(self.bodies))
        for i in order:
            self._draw(picture, i)
        return picture

    def _draw(self, picture: Array, index: int) -> None:
        style, strip, depth, turn, middle, _ = self.bodies[index]
        camera = self.camera
        scale = float(np.linalg.norm(turn[:, 0]))
        corners = (
            np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * 0.5 @ turn.T + middle
        )
        pixels = camera.project(corners)
        x0, y0 = np.maximum(np.floor(pixels.min(axis=0)).astype(int) - 1, 0)
        x1, y1 = np.minimum(np.ceil(pixels.max(axis=0)).astype(int) + 2, self.size)
        if x1 - x0 < 3 or y1 - y0 < 3:
            return
        columns, rows = np.meshgrid(np.arange(x0, x1), np.arange(y0, y1))
        aim = np.stack(
            [
                (columns - camera.middle).ravel(),
                (rows - camera.middle).ravel(),
                np.full(columns.size, camera.focal),
            ]
        )
        ray = (np.linalg.inv(camera.axes) @ aim).T
        ray /= np.linalg.norm(ray, axis=1, keepdims=True)
        back = turn / scale**2 * 2  # to the cube's own axes, where it reaches from -1 to 1
        start, ray = (
            ((camera.eye - middle) @ back).astype(np.float32),
            (ray @ (turn / scale)).astype(np.float32),
        )
        hit, point, normal = _trace(start, ray, 1 - 2 * style.rounding, style.ball)
        if not hit.any():
            return
        where = np.flatnonzero(hit)
        colours, face, pip = self._colour(style, strip, depth, turn / scale, point, normal, ray[where])
        r, c = rows.ravel()[where], columns.ravel()[where]
        picture[r, c] = colours
        upward = (_AXES @ (turn / scale).T)[:, 2]
        is_top = (face == int(upward.argmax())) & (np.abs(point).max(axis=1) > 0.97)
        self.pixels[index] = is_top.sum()
        self.owner[r, c] = index
        self.top[r, c] = is_top
        self.pip[r, c] = is_top & pip

    def _colour(
        self, style: Style, strip: Array, depth: Array, turn: Array, point: Array, normal: Array, ray: Array
    ) -> tuple[Array, Array, Array]:
        """(N, 3) linear colours of points on a cube, the index of the face each is on, whether in a pip."""
        light = self.light
        face = (point @ _AXES.T).argmax(axis=1)
        across, down = _ACROSS[face], _DOWN[face]
        u = ((point * across).sum(axis=1).clip(-1, 1) + 1) / 2
        v = ((point * down).sum(axis=1).clip(-1, 1) + 1) / 2
        n = FACE_PX
        at = np.stack([(face + u.clip(0.004, 0.996)) * n - 0.5, v * n - 0.5], axis=1).astype(np.float32)
        skin = _look_up(strip, at)
        if style.dent:
            slope = [_look_up(one, at) for one in depth[1:]]
            normal = normal + style.dent * 6 * (across * slope[0][:, None] + down * slope[1][:, None])
            normal /= np.linalg.norm(normal, axis=1, keepdims=True)
        world, view = normal @ turn.T, ray @ turn.T
        up = world[:, 2:] * 0.5 + 0.5
        low = ((point @ turn.T)[:, 2:] * 0.5 + 0.5).clip(0.15, 1)
        lit = (
            light.up * up
            + light.round_about * (1 - np.abs(world[:, 2:])) * 0.5 * low
            + self.bounce * 0.35 * (1 - up)
        )
        facing = (world @ light.towards.T).clip(0)
        lit = lit + facing @ light.colours
        if style.glass:
            clear = style.glass * 0.6 * (1 - _look_up(depth[0], at).clip(0, 1) ** 0.2)[:, None]
            skin = skin + (np.sqrt(skin) * self.bounce * 1.3 - skin) * clear
        toward = (world * view).sum(axis=1, keepdims=True)
        mirrored = view - 2 * toward * world
        weight = 0.035 + 0.9 * (1 - np.abs(toward).clip(0, 1)) ** 5
        gloss = light.specular(mirrored.astype(np.float32), style.rough) * weight * (1.2 - style.rough)
        if style.coat:
            gloss = gloss + light.specular(mirrored.astype(np.float32), 0.04) * weight * style.coat
        return skin * lit + gloss, face, _look_up(depth[0], at) > 0.2

    def truth(self, screen: Array) -> list[dict[str, Any]]:
        """Value, corners of the top face, part of it in view; in pixels of the handed-out frame.

        Of a face whose pips cannot be told from it in the (H, W, 3) picture, half at most counts as in view.
        """
        rows = []
        for index, value, corners in self.tops():
            seen = self.seen(index) * (1.0 if self._pips_show(screen, index) else 0.5)
            inside = np.mean([0 <= v < self.size / _FINER for v in corners.ravel()])
            rows.append(
                {
                    "value": value,
                    "corners": corners.round(2).tolist(),
                    "seen": float(seen * (inside > 0.99) or 0.5 * seen),
                }
            )
        return rows

    def tops(self) -> list[tuple[int, int, Array]]:
        """Of every die that shows its top: which body it is, its value, and the top's corners (4, 2), in
        pixels of the handed-out frame."""
        seen = []
        for index, (_, _, _, turn, middle, value) in enumerate(self.bodies):
            if not value or not self.pixels[index]:
                continue
            top = _AXES @ turn.T
            k = int(top[:, 2].argmax())
            a, b = (turn @ _ACROSS[k]) / 2, (turn @ _DOWN[k]) / 2
            ring = [middle + top[k] / 2 + a * i + b * j for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
            seen.append((index, value, (self.camera.project(np.array(ring)) + 0.5) / _FINER - 0.5))
        return seen

    def seen(self, index: int) -> float:
        """How much of a body's top no other hides, 0 to 1."""
        return float(((self.owner == index) & self.top).sum() / self.pixels[index])

    def sides(self) -> list[tuple[int, Array]]:
        """Of every side of a die that is in the picture and towards the camera, hidden or not: its value, and
        its corners (4, 2), the upper edge first; in pixels of the handed-out frame."""
        seen = []
        for *_, turn, middle, value in self.bodies:
            top = int((_AXES @ turn.T)[:, 2].argmax())
            for k in range(6) if value else ():
                out = turn @ _AXES[k] / 2
                if k in (top, 5 - top) or (self.camera.eye - middle - out) @ out <= 0:
                    continue
                up = turn @ _AXES[top] / 2
                right = np.cross(out, up) / np.linalg.norm(up)
                ring = [middle + out + up * i + right * j for i, j in ((1, -1), (1, 1), (-1, 1), (-1, -1))]
                corners = (self.camera.project(np.array(ring)) + 0.5) / _FINER - 0.5
                if corners.min() >= 0 and corners.max() <= self.size / _FINER - 1:
                    seen.append((k + 1, corners))
        return seen

    def _pips_show(self, screen: Array, index: int) -> bool:
        here = (self.owner == index) & self.top
        pips, face = screen[here & self.pip], screen[here & ~self.pip]
        if not len(pips) or not len(face):
            return False
        return bool(np.abs(np.median(pips, axis=0) - np.median(face, axis=0)).max() > _LEAST_CONTRAST)


def _look_up(picture: Array, at: Array) -> Array:
    """(N, ...): a picture's values at (N, 2) x, y."""
    rows = np.resize(at, (-(-len(at) // 256), 256, 2))  # cv2 takes no row of more than 32767
    found = cv2.remap(picture, rows, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(found.reshape(-1, *picture.shape[2:])[: len(at)])


def _trace(start: Array, ray: Array, inner: float, ball: float) -> tuple[Array, Array, Array]:
    """Sphere tracing of a rounded cube cut by a ball: hits (N,), points and normals (M, 3) of the hits."""
    along = -(ray @ start)
    miss = np.maximum((start**2).sum() - along**2, 0)
    t = along - np.sqrt(np.maximum(1.74**2 - miss, 0))
    live = np.flatnonzero(miss < 1.74**2)
    t, ray_live = t[live], ray[live]
    for _ in range(14):
        point = start + ray_live * t[:, None]
        out = np.maximum(np.abs(point) - inner, 0)
        box = np.sqrt((out**2).sum(axis=1)) - (1 - inner)
        far = np.sqrt((point**2).sum(axis=1)) - ball
        t = t + np.maximum(box, far)
    good = np.maximum(box, far) < 0.03
    hit = np.zeros(len(ray), bool)
    hit[live[good]] = True
    point, out = point[good], out[good] * np.sign(point[good])
    normal = np.where((far > box)[good][:, None], point, out)
    return hit, point, normal / np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-6)


def _painted(rng: Rng, style: Style) -> tuple[Array, Array]:
    strip, depth = paint(rng, style)
    slopes = [cv2.Sobel(depth, cv2.CV_32F, dx, 1 - dx, ksize=3) / 8 for dx in (1, 0)]
    return _linear(strip), np.stack([depth, *slopes])


def _other(rng: Rng) -> tuple[Style, Array, Array]:
    """A cube or ball that is no die: blank, lettered, with dots of no die's pattern."""
    style = replace(Style.random(rng), dent=0.0, glass=0.0)
    faces = [
        cv2.resize(draw_not_die(rng)[0], (FACE_PX, FACE_PX), interpolation=cv2.INTER_AREA) for _ in range(2)
    ]
    if rng.uniform() < 0.4:
        faces = [np.full((FACE_PX, FACE_PX, 3), np.array(style.face), np.uint8)] * 2
    if rng.uniform() < 0.3:
        style = replace(style, ball=float(rng.uniform(0.9, 1.15)))
    strip = np.concatenate([faces[k % 2] for k in range(6)], axis=1)
    return style, _linear(strip), np.zeros((3, FACE_PX, 6 * FACE_PX), np.float32)


def _pale(rng: Rng) -> Style:
    """White or ivory dice, most of them well rounded, with dark pips."""
    face = np.array((224, 230, 232) if rng.uniform() < 0.7 else (185, 220, 235)) * rng.uniform(0.8, 1.08)
    pip = (rng.uniform(8, 60) + rng.normal(0, 6, 3)).clip(0, 255)
    ink = tuple(float(v) for v in pip)
    return replace(
        Style.random(rng), face=tuple(float(v) for v in face.clip(0, 252)), pip=ink, ace=ink, shape="disc",
        finish="plain", rounding=float(rng.uniform(0.08, 0.34)), radius=float(rng.uniform(0.075, 0.125)),
        glass=0.0,
    )  # fmt: skip


def _throw(
    frame: Frame,
    sets: list[tuple[Style, list[tuple[Array, Array]]]],
    count: int,
    touch: float,
    sizes: tuple[float, float],
) -> None:
    """So many dice of some painted sets, wherever there is room; a third of them of other `sizes`."""
    rng = frame.rng
    for _ in range(count):
        style, painted = sets[int(rng.integers(len(sets)))]
        scale = float(rng.choice([1, 1, rng.uniform(*sizes)]))
        spot = frame.free_place(scale * rng.uniform(0.51, 0.72), touch)
        if spot:
            frame.put(style, *painted[int(rng.integers(2))], spot, int(rng.integers(1, 7)), scale)


def photographed(frame: Frame, size: int) -> tuple[Picture, Array]:
    """A frame as a camera gives it, and as large as it was drawn, float32, 0 to 255."""
    rng, light = frame.rng, frame.finish()
    light *= (rng.uniform(60, 185) / 255) ** 2.2 / max(float(np.percentile(light, 60)), 1e-4)
    if rng.uniform() < 0.6:
        light = np.where(light > 0.6, 0.6 + 0.4 * np.tanh((light - 0.6) / 0.55), light)
    screen = (light.clip(0, 1) ** (1 / 2.2) * 255).astype(np.float32)
    small = cv2.resize(screen, (size, size), interpolation=cv2.INTER_AREA)
    return small.round().astype(np.uint8), screen


def throw_some(frame: Frame, size: int, side: float, plain: float, polished: float = 0.0) -> None:
    """Dice of a few sets, about `side` of `size` pixels wide, as many as lie on a table.

    With the chance `plain` a set's pips are round and painted, with that of `polished` it mirrors sharply.
    """
    rng = frame.rng
    touch = float(rng.choice([0.0, 0.3, 0.8]))
    sets = []
    for _ in range(int(rng.integers(2, 7))):
        style = Style.random(rng)
        if rng.uniform() < plain:
            dots = {"radius": float(rng.uniform(0.08, 0.12)), "offset": float(rng.uniform(0.22, 0.28))}
            style = replace(style, shape="disc", finish="plain", glass=0.0, **dots)
        if polished and rng.uniform() < polished:
            style = replace(style, rough=float(rng.uniform(0.03, 0.3)))
        sets.append((style, [_painted(rng, style) for _ in range(2)]))
    count = min(int(rng.integers(3, 4 + round(0.35 * (size / side) ** 2))), 28)
    _throw(frame, sets, count, touch, (0.85, 1.15))


def draw_aslant(rng: Rng, size: int = 320) -> tuple[Picture, list[tuple[int, Array]]]:
    """A frame of dice as a camera sees them that looks aslant at a table, 18 to 60 pixels wide; and its
    `Frame.sides`."""
    side = float(np.exp(rng.uniform(np.log(18), np.log(60))))
    frame = Frame(rng, size, side, aslant=True)
    throw_some(frame, size, side, plain=0.4)
    return photographed(frame, size)[0], frame.sides()


def draw_frame(rng: Rng, size: int = 320, pale: bool = False) -> tuple[Picture, list[dict[str, Any]]]:
    """A frame and its truth. Dice are 34 to 75 pixels wide, one time in six up to 200, with `pale` light."""
    side = float(rng.uniform(90, 200) if rng.uniform() < 0.16 else rng.uniform(34, 75))
    frame = Frame(rng, size, side, 0.7 if pale else 0.25)
    room = (size / side) ** 2
    for _ in range(int(rng.integers(0, 1 + max(1, round(room * (0.05 if pale else 0.25)))))):
        kind = rng.uniform()
        if kind < 0.6:
            picture, length, disc = draw_not_die(rng)
            spot = frame.free_place(length * 0.5, 0.2)
            if spot:
                frame.lay_flat(picture, spot, length, disc)
        else:
            scale = float(rng.uniform(0.5, 1.5))
            spot = frame.free_place(scale * 0.6, 0.2)
            if spot:
                frame.put(*_other(rng), spot, 0, scale)
    touch = float(rng.choice([0.0, 0.3, 0.8]))
    sets = []
    for _ in range(int(rng.integers(1, 3 if pale else 6))):
        style = _pale(rng) if pale else Style.random(rng)
        sets.append((style, [_painted(rng, style) for _ in range(2)]))
    if rng.uniform() < 0.93:
        _throw(frame, sets, int(rng.integers(1, 2 + round(room * 0.6))), touch, (0.7, 1.3))
    picture, screen = photographed(frame, size)
    return picture, frame.truth(screen)


def main() -> None:
    """Draw the frames asked for; those that exist are left alone."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=3000)
    parser.add_argument("--pale", action="store_true", help="light dice in soft light")
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    cv2.setNumThreads(1)
    for seed in range(asked.first, asked.first + asked.count):
        name = asked.out / f"{seed:05d}"
        if name.with_suffix(".json").exists():
            continue
        picture, truth = draw_frame(np.random.default_rng([5, seed]), pale=asked.pale)
        cv2.imwrite(str(name.with_suffix(".jpg")), picture, [cv2.IMWRITE_JPEG_QUALITY, 96])
        name.with_suffix(".json").write_text(json.dumps(truth))


if __name__ == "__main__":
    main()
