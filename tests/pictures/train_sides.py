"""Trains the network of the dice's sides: `python -m tests.pictures.train_sides OUT.onnx`.

It draws what it learns from, so that no photograph and no rendered table is among it: those can judge it.
"""

from __future__ import annotations

import argparse
from multiprocessing import Pool
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from tests.pictures.dice_drawn import draw_aslant
from tests.pictures.dice_tiles import spoil
from tests.pictures.learning import block, in_any_light, keep, learn
from vision.die_sides import LEAST, SIZE, as_blob, flattened, height_of

Array = NDArray[Any]
SPOILT = 4
"""So often each drawn frame is spoilt, each time otherwise."""
LOWEST = LEAST - 1
"""Pixels: lower sides are not learned from."""
BANDS = 4, 7, 10, 15
"""Pixels a side is high from which on it is judged apart."""


class SideNet(nn.Module):
    """4 channels in; out: six values."""

    def __init__(self, wide: int = 16) -> None:
        super().__init__()

        self.body = nn.Sequential(
            *block(4, wide, 2),
            *block(wide, wide),
            *block(wide, 2 * wide, 2),
            *block(2 * wide, 2 * wide),
            *block(2 * wide, 3 * wide, 2),
            nn.Conv2d(3 * wide, 2 * wide, SIZE // 8),
            nn.BatchNorm2d(2 * wide),
            nn.ReLU(),
            nn.Dropout(0.2),
            nn.Conv2d(2 * wide, 6, 1),
            nn.Flatten(),
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.body(x)  # type: ignore[no-any-return]


def drawn_sides(seed: int) -> tuple[Array, Array, Array]:
    """The sides of one drawn frame: (N, SIZE, SIZE, 3) BGR uint8, (N,) values, (N,) heights in pixels.

    They are cut out a little beside where they are: nobody knows exactly where a die lies, nor its size.
    """
    cv2.setNumThreads(1)
    rng = np.random.default_rng([67, seed])
    clean, sides = draw_aslant(rng)
    pictures, values, heights = [], [], []
    for _ in range(SPOILT):
        frame, larger = spoil(rng, clean, 0.7), 1 + rng.normal(0, 0.02)
        for value, corners in sides:
            high, wide = height_of(corners), np.linalg.norm(corners[0] - corners[1])
            if high > LOWEST:
                middle = corners.mean(axis=0)
                off = rng.normal(0, 0.02, 2) + rng.normal(0, 0.012, (4, 2))
                shown = flattened(frame, middle + (corners - middle) * larger + off * wide)
                pictures.append(shown[:, ::-1] if rng.uniform() < 0.5 else shown)
                values.append(value)
                heights.append(high)
    return np.array(pictures, np.uint8).reshape(-1, SIZE, SIZE, 3), np.array(values, int), np.array(heights)


def main() -> None:
    """Draw, learn, and write the network."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--frames", type=int, default=5000)
    parser.add_argument("--steps", type=int, default=8000)
    parser.add_argument("--threads", type=int, default=2)
    told = parser.parse_args()
    torch.manual_seed(1)
    torch.set_num_threads(1)
    with Pool(told.threads) as pool:
        frames = pool.map(drawn_sides, range(told.frames), chunksize=8)
    pictures, values, heights = (np.concatenate(part) for part in zip(*frames, strict=True))
    kept = sum(len(frame[1]) for frame in frames[: max(told.frames // 50, 1)])
    del frames
    rng = np.random.default_rng(1)
    net, loss = SideNet(), nn.CrossEntropyLoss()

    def shown(some: Array, lit: bool) -> torch.Tensor:
        seen = pictures[some]
        if lit:
            seen = in_any_light(rng, seen)
        return torch.from_numpy(as_blob(list(seen), heights[some]))

    def loss_of_batch() -> torch.Tensor:
        some = rng.integers(kept, len(pictures), 128)
        return loss(net(shown(some, lit=True)), torch.from_numpy(values[some] - 1))  # type: ignore[no-any-return]

    def judged() -> str:
        with torch.no_grad():
            parts = [net(shown(part, lit=False)) for part in np.array_split(np.arange(kept), 1 + kept // 512)]
        right = torch.cat(parts).argmax(1).numpy() + 1 == values[:kept]
        high = np.digitize(heights[:kept], BANDS)
        shares = [right[high == band].mean() for band in range(1, len(BANDS) + 1)]
        return ", ".join(f"from {low} pixels {share:.3f}" for low, share in zip(BANDS, shares, strict=True))

    learn(net, loss_of_batch, judged, told.steps, peak=4e-3, decay=1e-3)
    keep(net, 4, SIZE, told.out)


if __name__ == "__main__":
    main()
