"""Trains the network of the pieces: `python -m tests.pictures.train_pieces OUT.onnx SESSIONS...`.

Needs torch and onnx. Sessions are folders that `make_tables` wrote; with `--left-out` some are only
judged with. Every seed is fixed, so the same pictures give the same network.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from tests.pictures.crops import Shot, shots, towers
from tests.pictures.learning import Light, disturb, zooms
from tests.pictures.maps import MapNet, Thing, answer, train
from vision.maps import STRIDE, peaks
from vision.ring_net import LEVELS, LID_PX, as_blob, flat_ring, ring_reach, seen_at

Array = NDArray[Any]
CROP = 112
"""Pixels of a training picture: five and a half pieces wide."""
SHADOWED = 0.5
"""How often one more lamp casts shadows: dark and round-ended, they look much like pieces."""


class Example:
    """A shot as the network sees it, and what it should answer."""

    def __init__(self, shot: Shot) -> None:
        diameter = shot.piece_mm[0]
        reach = ring_reach(shot.layout, diameter)
        self.flat, self.empty, leans = flat_ring(
            shot.change.frame, shot.change.empty, shot.view, reach, shot.piece_mm
        )
        self.leans = leans.copy()
        scale = LID_PX / diameter
        # Now and then a crowd has a tower of four; no game has, and nobody asks for more than three.
        standing = [((x, y), min(level, LEVELS)) for x, y, level, _ in towers(shot)]
        self.feet = [((x + reach) * scale, (y + reach) * scale, level) for (x, y), level in standing]
        lids = [(*seen_at(shot.view, at, level, shot.piece_mm[1]), level) for at, level in standing]
        self.lids = [((x + reach) * scale, (y + reach) * scale, level) for x, y, level in lids]
        self.hand = shot.hand
        self.session = shot.session

    def piece_of(self, rng: np.random.Generator, size: int = CROP) -> tuple[Array, Array]:
        """A random square of it, changed at random: (8, size, size) and its truth (4, cells, cells)."""
        n = self.flat.shape[0]
        turn, flip = rng.uniform(0, 2 * np.pi), float(rng.choice([-1, 1]))
        zoom = zooms(rng)
        c, s = np.cos(turn) * zoom, np.sin(turn) * zoom
        spin = np.array([[c * flip, -s], [s * flip, c]])
        if self.lids and rng.uniform() < 0.7:
            x, y, _ = self.lids[int(rng.integers(len(self.lids)))]
            there = np.array([x, y]) + rng.uniform(-0.35, 0.35, 2) * size
        else:
            there = rng.uniform(0.1, 0.9, 2) * n
        shift = (size - 1) / 2 - spin @ there
        move = np.hstack([spin, shift[:, None]])
        flat, empty = (
            cv2.warpAffine(p, move, (size, size), borderMode=cv2.BORDER_REPLICATE)
            for p in (self.flat, self.empty)
        )
        nothing = rng.uniform() < 0.1
        if nothing:
            flat = empty
        feet, lids = ([] if nothing else _turned(some, spin, shift, size) for some in (self.feet, self.lids))
        leans = self._leans(spin, there, size) / zoom
        if rng.uniform() < SHADOWED:
            flat = shadowed(flat, feet, leans, rng)
        if rng.uniform() < 0.5:
            flat = redressed(flat, lids, zoom, rng)
        flat, empty = disturb(flat, empty, rng, Light(rng, foreign=True))
        picture = as_blob(flat, empty, leans)[0]
        return picture.astype(np.float32), answer(lids, size, self.hand)

    def _leans(self, spin: Array, there: Array, size: int) -> Array:
        """(2, size, size): the lean channels of a picture moved so: they grow evenly over the ring."""
        back = np.linalg.inv(spin)
        at = np.arange(size) - (size - 1) / 2
        across, down = np.meshgrid(at, at)
        x = there[0] + back[0, 0] * across + back[0, 1] * down
        y = there[1] + back[1, 0] * across + back[1, 1] * down
        n = self.leans.shape[1] - 1
        first, last = self.leans[:, 0, 0], self.leans[:, -1, -1]
        lx = first[0] + (last[0] - first[0]) * x / n
        ly = first[1] + (last[1] - first[1]) * y / n
        return np.stack([spin[0, 0] * lx + spin[0, 1] * ly, spin[1, 0] * lx + spin[1, 1] * ly])


def _turned(some: list[Thing], spin: Array, shift: Array, size: int) -> list[Thing]:
    """Those of the lids that are seen in a picture moved so, or near it."""
    turned = []
    for x, y, level in some:
        # Lids are counted from pixels' corners, pictures from their middles.
        u, v = spin @ np.array([x - 0.5, y - 0.5]) + shift + 0.5
        if -size < u < 2 * size and -size < v < 2 * size:
            turned.append((float(u), float(v), level))
    return turned


def shadowed(
    flat: Array, feet: list[Thing], leans: Array, rng: np.random.Generator, lid_px: float = LID_PX
) -> Array:
    """The same under one more lamp: every tower casts a shadow, all to one side, and something else does.

    `feet`: where a single piece's lid would be seen, and how high the tower is.
    """
    radius, size = lid_px / 2, flat.shape[0]
    towards = rng.uniform(0, 2 * np.pi)
    fall = lid_px * rng.uniform(0.4, 2.0) * np.array([np.cos(towards), np.sin(towards)])
    shade: Array = np.zeros((size, size), np.float32)
    stands: Array = np.zeros((size, size), np.float32)
    for x, y, level in feet:
        column, row = (int(np.clip(at, 0, size - 1)) for at in (x, y))
        # The plane is that of the lowest lids: the foot is seen that much nearer to the camera's own foot.
        aside = leans[:, row, column] * radius
        foot, top = np.array([x, y]) - 0.5 - aside, np.array([x, y]) - 0.5 + aside * (level - 1)
        _sweep(shade, foot, foot + fall * level, radius)
        _sweep(stands, foot, top, radius)
    stray = rng.uniform(0, size, 2)
    _sweep(shade, stray, stray + fall * rng.uniform(0, 2), radius * rng.uniform(0.6, 1.5))
    shade = cv2.GaussianBlur(shade, (0, 0), rng.uniform(0.3, 2.5)) * (1 - stands)
    # The sky, or a white wall, lights shadows in another colour than the lamp.
    left = np.clip(rng.uniform(0.25, 0.8) * np.exp(rng.normal(0, 0.2, 3)), 0.15, 0.95)
    return np.asarray(flat * (1 - shade[..., None] * (1 - left)))


def varnished(flat: Array, feet: list[Thing], up: Array, rng: np.random.Generator, lid_px: float) -> Array:
    """The same on a board that mirrors: below its foot each tower's own image is seen, not the room's light.

    `feet`: where a single piece's lid would be seen, and how high the tower is; `up`: from a piece's foot to
    its lid, pixels.
    """
    radius, size = lid_px / 2, flat.shape[0]
    image: Array = np.zeros((size, size), np.float32)
    stands: Array = np.zeros((size, size), np.float32)
    for x, y, level in feet:
        foot = np.array([x, y]) - 0.5 - up
        _sweep(image, foot, foot - up * level, radius * rng.uniform(0.8, 1.0))
        _sweep(stands, foot, foot + up * level, radius)
    image = (cv2.GaussianBlur(image, (0, 0), rng.uniform(0.5, 4)) * (1 - stands))[..., None]
    # Metal is darker than the sky or a lamp, but for where it mirrors one.
    gain = rng.uniform(8, 60) * np.exp(rng.normal(0, 0.25, 3)) * rng.choice([-1, -1, -1, -1, 0.5])
    return np.clip(flat + image * gain, flat * (1 - 0.75 * image), 255)


def _sweep(mask: Array, start: Array, end: Array, radius: float) -> None:
    """Fill what a disc covers on its way."""
    turn = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    disc = radius * np.stack([np.cos(turn), np.sin(turn)], axis=1)
    hull = cv2.convexHull(np.vstack([disc + start, disc + end]).astype(np.float32))
    cv2.fillConvexPoly(mask, np.round(hull * 16).astype(np.int32), 1.0, cv2.LINE_AA, 4)


def redressed(
    flat: Array, lids: list[Thing], zoom: float, rng: np.random.Generator, lid_px: float = LID_PX
) -> Array:
    """The same, all lids in another dress: neither metal nor what it mirrors is to be learned by heart."""
    radius = lid_px / 2 * zoom * rng.uniform(0.8, 1.0)
    n = int(np.ceil(radius)) * 2 + 1
    coarse = rng.normal(rng.uniform(40, 200), rng.uniform(20, 90), (int(rng.integers(2, 6)),) * 2)
    tint = np.clip(rng.normal(1, rng.choice([0.03, 0.15]), 3), 0.5, 1.5)
    dress = cv2.resize(coarse.astype(np.float32), (n, n), interpolation=cv2.INTER_CUBIC)[..., None] * tint
    covers = rng.uniform(0.6, 1.0)
    changed = flat.astype(np.float32)
    size = flat.shape[0]
    across = np.arange(size)
    for x, y, _ in lids:
        if not (-radius < x < size + radius and -radius < y < size + radius):
            continue
        away = np.hypot(*np.meshgrid(across - (x - 0.5), across - (y - 0.5)))
        cover = covers * np.clip(radius - away + 0.5, 0, 1)[..., None]
        move = np.array([[1, 0, x - 0.5 - n // 2], [0, 1, y - 0.5 - n // 2]])
        put = cv2.warpAffine(dress, move, flat.shape[1::-1], borderMode=cv2.BORDER_REPLICATE)
        changed = changed * (1 - cover) + put * cover
    return np.clip(changed, 0, 255)


def load(sessions: list[Path]) -> list[Example]:
    """Everything there is to see in these sessions; what shows pieces on each other twice, as few do."""
    every = [Example(shot) for session in sessions for shot in shots(session)]
    return every + [one for one in every if any(level > 1 for _, _, level in one.lids)]


def judge(net: nn.Module, examples: list[Example]) -> str:
    """How many lids are found in whole pictures, how many wrongly, how many at another height."""
    right = other = missed = invented = 0
    with torch.no_grad():
        for example in examples:
            if example.hand:
                continue
            picture = as_blob(example.flat, example.empty, example.leans)[0]
            size = picture.shape[1] // STRIDE * STRIDE
            said = net(torch.from_numpy(picture[None, :, :size, :size]))[0].numpy()
            spots = [
                ((x + 0.5) * STRIDE, (y + 0.5) * STRIDE, int(np.argmax(odds)))
                for x, y, odds in peaks(said, 0.4 * LID_PX / STRIDE, 0.003, 1000)
                if odds[0] < 0.5
            ]
            left = list(spots)
            for x, y, level in example.lids:
                if not (0 < x < size and 0 < y < size):
                    continue
                near = [s for s in left if np.hypot(s[0] - x, s[1] - y) < LID_PX * 0.3]
                if not near:
                    missed += 1
                    continue
                left.remove(near[0])
                right, other = (right + 1, other) if near[0][2] == level else (right, other + 1)
            invented += len(left)
    return f"right {right} other height {other} missed {missed} invented {invented}"


if __name__ == "__main__":
    train(lambda: MapNet(8, LEVELS), 8, load, judge, __doc__, decay=2e-2)
