"""Drawn dice in whose tops lamps are mirrored, and on which crumbs lie: what hides a pip, or looks like one.

The world is that of `dice_drawn`.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import cv2
import numpy as np

from tests.pictures.dice_drawn import Array, Frame, Light, photographed, throw_some
from tests.pictures.prints import Picture, Rng

CRUMB = 0.08
"""How likely one lies on a top."""


@dataclass(frozen=True)
class Lamps(Light):
    """Light with lamps besides that have edges: `lamps` (N, 5, 3) two axes across and where it is, then half
    its width and height and how bright, then its colour; (N,) whether it is a `disc`."""

    lamps: Array
    disc: Array

    def specular(self, mirrored: Array, rough: float) -> Array:
        seen = super().specular(mirrored, rough)
        for lamp, disc in zip(self.lamps, self.disc, strict=True):
            across, down, towards = (mirrored @ axis for axis in lamp[:3])
            wide, high, bright = lamp[3]
            edge = 0.003 + 0.5 * rough**2
            if disc:
                inside = np.clip(
                    (1 - np.hypot(across / wide, down / high)) * min(wide, high) / edge + 0.5, 0, 1
                )
            else:
                inside = np.clip((wide - np.abs(across)) / edge + 0.5, 0, 1)
                inside *= np.clip((high - np.abs(down)) / edge + 0.5, 0, 1)
            weaker = 1 / (1 + edge**2 / (wide * high))
            seen = seen + (inside * (towards > 0) * bright * weaker)[:, None] * lamp[4]
        return np.asarray(seen)


def _over(rng: Rng, frame: Frame) -> Lamps:
    """The light of a frame, and up to three lamps, each where the camera sees it in some die's top."""
    eye, lamps, discs = frame.camera.eye, list[Array](), list[bool]()
    for _ in range(int(rng.choice([0, 1, 2, 3], p=[0.15, 0.35, 0.3, 0.2]))):
        if not frame.bodies:
            break
        *_, middle, _ = frame.bodies[int(rng.integers(len(frame.bodies)))]
        to = middle + np.array([*rng.normal(0, 0.45, 2), 0.5]) - eye
        to = to / np.linalg.norm(to) * (1, 1, -1)
        side = np.cross(to, rng.normal(size=3))
        side /= np.linalg.norm(side)
        far = float(np.linalg.norm(eye))
        size = np.exp(rng.uniform(np.log(0.08), np.log(4))) / far * np.exp(rng.normal(0, 0.35, 2))
        warm = rng.uniform(-1, 1)
        shade = [1 - 0.45 * max(warm, 0), 1 - 0.18 * abs(warm), 1 + 0.25 * min(warm, 0)]
        bright = float(np.exp(rng.uniform(np.log(1.5), np.log(45))))
        lamps.append(np.stack([side, np.cross(to, side), to, [*size, bright], shade]))
        discs.append(rng.uniform() < 0.5)
    usual = {one.name: getattr(frame.light, one.name) for one in fields(Light)}
    return Lamps(**usual, lamps=np.array(lamps, np.float32).reshape(-1, 5, 3), disc=np.array(discs, bool))


def draw_lit(rng: Rng, size: int = 320) -> tuple[Picture, list[tuple[int, Array, float]]]:
    """A frame of dice, 16 to 60 pixels wide; and of all whose tops are wholly in it their values, the tops'
    corners (4, 2) in pixels and how much of them no other die hides."""
    side = float(np.exp(rng.uniform(np.log(16), np.log(60))))
    frame = Frame(rng, size, side, aslant=bool(rng.uniform() < 0.8))
    throw_some(frame, size, side, plain=0.55, polished=0.5)
    frame.light = _over(rng, frame)
    picture, _ = photographed(frame, size)
    tops = [
        (value, corners, frame.seen(index))
        for index, value, corners in frame.tops()
        if corners.min() >= 0 and corners.max() <= size - 1
    ]
    for _, corners, _ in tops:
        if rng.uniform() < CRUMB:
            picture = _with_crumb(rng, picture, corners)
    return picture, tops


def _with_crumb(rng: Rng, picture: Picture, corners: Array) -> Picture:
    """The picture with a crumb of any colour somewhere on a top."""
    (x, y), radius = rng.uniform(-0.4, 0.4, 2), rng.uniform(0.03, 0.11)
    across, down = corners[1] - corners[0], corners[3] - corners[0]
    at = corners.mean(axis=0) + across * x + down * y
    soft = np.zeros(picture.shape[:2], np.float32)
    wide = max(round(16 * float(np.linalg.norm(across)) * radius), 8)
    cv2.circle(soft, tuple(int(v) for v in (at * 16).round()), wide, 1.0, -1, cv2.LINE_AA, 4)
    ink = np.array(rng.uniform(0, 255, 3) if rng.uniform() < 0.5 else np.ones(3) * rng.uniform(0, 255))
    return np.asarray((picture + (ink - picture) * soft[..., None]).round().astype(np.uint8))
