"""Trains the network of lit tops: `python -m tests.pictures.train_lit_tops OUT.onnx`.

It draws what it learns from, as that of the sides does: no photograph and no rendered table is among it.
"""

from __future__ import annotations

import argparse
from multiprocessing import Pool
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import nn

from tests.pictures.dice_lit import draw_lit
from tests.pictures.dice_tiles import spoil
from tests.pictures.learning import Array, block, in_any_light, keep, learn
from vision.die_sides import flattened
from vision.lit_tops import SIDE_PX, SIZE, as_blob, side_of

SPOILT = 5
"""So often each drawn frame is spoilt, each time otherwise."""
WHOLE, SMALLEST = 0.9, 11.0
"""Learned from are tops of which so much is seen, so many pixels wide."""
ANYHOW = 0.1
"""How many are turned anyhow, as tops are that could not be laid straight."""
SURE = 0.999


class TopNet(nn.Module):
    """4 channels in; out: six values."""

    def __init__(self, wide: int = 12) -> None:
        super().__init__()
        self.body = nn.Sequential(
            *block(4, wide, 2),
            *block(wide, wide),
            *block(wide, 2 * wide, 2),
            *block(2 * wide, 2 * wide),
            *block(2 * wide, 3 * wide, 2),
            *block(3 * wide, 3 * wide),
            nn.Conv2d(3 * wide, 3 * wide, SIZE // 8),
            nn.BatchNorm2d(3 * wide),
            nn.ReLU(),
            nn.Dropout(0.2),
            nn.Conv2d(3 * wide, 6, 1),
            nn.Flatten(),
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.body(x)  # type: ignore[no-any-return]


def drawn_tops(seed: int) -> tuple[Array, Array, Array]:
    """The tops of one drawn frame: (N, SIZE, SIZE, 3) BGR uint8, (N,) values, (N,) sides in pixels.

    They are cut out a little beside where they are: nobody knows exactly where a die lies, nor its size.
    """
    cv2.setNumThreads(1)
    rng = np.random.default_rng([69, seed])
    clean, tops = draw_lit(rng)
    pictures, values, sides = [], [], []
    for _ in range(SPOILT):
        frame = spoil(rng, clean, 0.55)
        for value, corners, seen in tops:
            side = side_of(corners)
            if seen >= WHOLE and side >= SMALLEST:
                pictures.append(flattened(frame, _about(rng, corners, side), SIDE_PX, SIZE))
                values.append(value)
                sides.append(side)
    return np.array(pictures, np.uint8).reshape(-1, SIZE, SIZE, 3), np.array(values, int), np.array(sides)


def _about(rng: np.random.Generator, corners: Array, side: float) -> Array:
    """The corners of a top nearly where it lies, in any order that goes around it."""
    larger, turn = 1 + rng.normal(0, 0.02), rng.normal(0, 0.04)
    if rng.uniform() < ANYHOW:
        turn = rng.uniform(-0.5, 0.5)
    cos, sin = np.cos(turn), np.sin(turn)
    square = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) @ [[cos, sin], [-sin, cos]] * larger
    half = np.stack([corners[1] - corners[0], corners[3] - corners[0]]) / 2
    off = rng.normal(0, 0.025, 2) + rng.normal(0, 0.01, (4, 2))
    laid = np.roll(corners.mean(axis=0) + square @ half + off * side, int(rng.integers(4)), axis=0)
    return np.asarray(laid[[1, 0, 3, 2]] if rng.uniform() < 0.5 else laid)


def main() -> None:
    """Draw, learn, and write the network."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--frames", type=int, default=3000)
    parser.add_argument("--steps", type=int, default=8000)
    parser.add_argument("--threads", type=int, default=2)
    told = parser.parse_args()
    torch.manual_seed(1)
    torch.set_num_threads(told.threads)
    with Pool(told.threads) as pool:
        frames = pool.map(drawn_tops, range(told.frames), chunksize=8)
    pictures, values, sides = (np.concatenate(part) for part in zip(*frames, strict=True))
    kept = sum(len(frame[1]) for frame in frames[: max(told.frames // 40, 1)])
    del frames
    rng = np.random.default_rng(1)
    net, loss = TopNet(), nn.CrossEntropyLoss()

    def loss_of_batch() -> torch.Tensor:
        some = rng.integers(kept, len(pictures), 128)
        seen = np.rot90(pictures[some], int(rng.integers(4)), (1, 2))
        seen = in_any_light(rng, seen[:, :, ::-1] if rng.uniform() < 0.5 else seen)
        shown = as_blob(list(seen), sides[some])
        return loss(net(torch.from_numpy(shown)), torch.from_numpy(values[some] - 1))  # type: ignore[no-any-return]

    def judged() -> str:
        shown = [torch.from_numpy(as_blob(list(pictures[part]), sides[part])) for part in _parts(kept)]
        with torch.no_grad():
            chances = torch.cat([net(part) for part in shown]).softmax(1).numpy()
        right, sure = chances.argmax(1) + 1 == values[:kept], chances.max(1) > SURE
        return f"right {right.mean():.4f}, sure {sure.mean():.4f}, of these wrong {(sure & ~right).sum()}"

    learn(net, loss_of_batch, judged, told.steps, peak=4e-3, decay=1e-3)
    keep(net, 4, SIZE, told.out)


def _parts(count: int) -> list[Array]:
    return np.array_split(np.arange(count), 1 + count // 512)


if __name__ == "__main__":
    main()
