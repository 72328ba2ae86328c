"""Trains the network that finds dice: `python -m tests.pictures.train_spots OUT.onnx SESSIONS...`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from tests.pictures.crops import Shot, shots
from tests.pictures.learning import Light, block, disturb
from tests.pictures.maps import answer, train
from vision.maps import STRIDE, peaks
from vision.spots import APART, LEAST, SIDE_PX, as_blob, small

Array = NDArray[Any]
CROP = 128
"""Pixels of a training picture: ten dice wide."""


class SpotNet(nn.Module):
    """(N, 6, H, W) in, H and W multiples of EVEN cells; out, as `MapNet` answers: no die or a die, and where.

    What is around is looked at in half as many cells: wide convolutions there cost a quarter.
    """

    def __init__(self, wide: int = 24, far: int = 32) -> None:
        super().__init__()

        self.near = nn.Sequential(
            nn.Conv2d(6, wide // 2, 2, 2),
            nn.BatchNorm2d(wide // 2),
            nn.ReLU(),
            *block(wide // 2, wide, 2),
            *block(wide, wide),
        )
        self.around = nn.Sequential(
            *block(wide, far, 2),
            *block(far, far),
            *block(far, far),
            *block(far, far),
            nn.Conv2d(far, wide, 1),
            nn.Upsample(scale_factor=2),
        )
        self.tell = nn.Sequential(*block(wide, wide), nn.Dropout2d(0.2), nn.Conv2d(wide, 4, 1))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        seen = self.near(x)
        return self.tell(seen + self.around(seen))  # type: ignore[no-any-return]


class Example:
    """A shot as small as the network sees it, and where its dice are."""

    def __init__(self, shot: Shot) -> None:
        self.now, self.then = small(shot.change, shot.view, shot.die_mm)
        height, width = shot.frame.shape[:2]
        scale = np.array([self.now.shape[1] / width, self.now.shape[0] / height])
        tops = [[die["x"], die["y"], shot.die_mm] for die in shot.dice]
        pixels = (shot.view.project(tops) + 0.5) * scale if tops else np.zeros((0, 2))
        self.dice = [(float(x), float(y), 1) for x, y in pixels]
        self.hand = shot.hand

    def piece_of(self, rng: np.random.Generator, size: int = CROP) -> tuple[Array, Array]:
        """A random square of it, changed at random: (6, size, size) and its truth (4, cells, cells)."""
        height, width = self.now.shape[:2]
        turn, flip = rng.uniform(0, 2 * np.pi), float(rng.choice([-1, 1]))
        zoom = float(np.exp(rng.normal(0, 0.12)))
        c, s = np.cos(turn) * zoom, np.sin(turn) * zoom
        spin = np.array([[c * flip, -s], [s * flip, c]])
        there = rng.uniform(0, 1, 2) * (width, height)
        if self.dice and rng.uniform() < 0.6:
            x, y, _ = self.dice[int(rng.integers(len(self.dice)))]
            there = np.array([x, y]) + rng.uniform(-0.4, 0.4, 2) * size
        shift = (size - 1) / 2 - spin @ there
        move = np.hstack([spin, shift[:, None]])
        edge = cv2.BORDER_REPLICATE
        now, then = (cv2.warpAffine(p, move, (size, size), borderMode=edge) for p in (self.now, self.then))
        nothing = rng.uniform() < 0.08
        if nothing:
            now = then
        now, then = disturb(now, then, rng, Light(rng, foreign=True))
        dice = []
        for x, y, kind in [] if nothing else self.dice:
            # Tops are counted from pixels' corners, pictures from their middles.
            u, v = spin @ np.array([x - 0.5, y - 0.5]) + shift + 0.5
            if -size < u < 2 * size and -size < v < 2 * size:
                dice.append((float(u), float(v), kind))
        return as_blob(now, then)[0], answer(dice, size, self.hand)


def load(sessions: list[Path]) -> list[Example]:
    """Everything there is to see in these sessions."""
    return [Example(shot) for session in sessions for shot in shots(session)]


def judge(net: nn.Module, examples: list[Example]) -> str:
    """How many dice are among the places found, how far down the list, and how many places there are."""
    dice = missed = places = far = 0
    with torch.no_grad():
        for example in examples:
            if example.hand:
                continue
            said = net(torch.from_numpy(as_blob(example.now, example.then)))[0].numpy()
            found = peaks(said, APART * SIDE_PX / STRIDE, LEAST, 1000)
            at = np.array([[x + 0.5, y + 0.5] for x, y, _ in found]).reshape(-1, 2) * STRIDE
            places += len(found)
            for x, y, _ in example.dice:
                if not (0 < x < example.now.shape[1] and 0 < y < example.now.shape[0]):
                    continue
                dice += 1
                near = np.flatnonzero(np.hypot(*(at - (x, y)).T) < 0.35 * SIDE_PX)
                missed += not len(near)
                far = max(far, int(near[0]) if len(near) else 0)
    return f"dice {dice} missed {missed} places {places} the last in place {far}"


if __name__ == "__main__":
    train(SpotNet, 6, load, judge, __doc__, decay=3e-3)
