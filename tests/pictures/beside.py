"""A pair of networks for things of which a frame shows several alike: each is told beside the others.

The first makes numbers of each thing by itself, the second hears those and the mean of the others'.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from tests.pictures.learning import export

Array = NDArray[Any]
CODE = 64


class BesideNet(nn.Module):
    """`see`: a thing's picture -> CODE numbers and how far it is to be compared with. `tell`: those and the
    others' -> `answers` numbers. `body` makes `channels` maps of a picture, `across` cells wide."""

    def __init__(self, body: nn.Sequential, channels: int, across: int, answers: int) -> None:
        super().__init__()

        self.body = body
        self.code = nn.Sequential(nn.Conv2d(channels, CODE, across), nn.BatchNorm2d(CODE), nn.ReLU())
        self.weight = nn.Sequential(nn.Conv2d(channels, 1, across), nn.Sigmoid())
        self.tell = nn.Sequential(
            nn.Conv2d(2 * CODE, CODE, 1),
            nn.BatchNorm2d(CODE),
            nn.ReLU(),
            nn.Dropout(0.2),
            nn.Conv2d(CODE, answers, 1),
            nn.Flatten(),
        )
        self.drop = nn.Dropout(0.2)

    def see(self, x: torch.Tensor) -> torch.Tensor:
        """(N, channels, size, size) -> (N, CODE + 1, 1, 1)."""
        seen = self.body(x)
        return torch.cat([self.code(seen), self.weight(seen)], dim=1)

    def forward(self, x: torch.Tensor, frame: torch.Tensor) -> torch.Tensor:
        """`frame` (N,): the number of the frame that each thing is in, 0 and up."""
        seen = self.see(x)
        code, weight = seen[:, :CODE], seen[:, CODE:]
        frames = int(frame.max()) + 1
        codes = torch.zeros(frames, *code.shape[1:]).index_add(0, frame, code * weight)
        weights = torch.zeros(frames, *weight.shape[1:]).index_add(0, frame, weight)
        others = (codes[frame] - code * weight) / (weights[frame] - weight + 1e-3)
        return self.tell(self.drop(torch.cat([code, others], dim=1)))  # type: ignore[no-any-return]


class _Part(nn.Module):
    """One of the two that are asked in turn, by itself, for OpenCV."""

    def __init__(self, net: BesideNet, first: bool) -> None:
        super().__init__()

        self.net, self.first = net, first

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.net.see(x) if self.first else self.net.tell(x)  # type: ignore[no-any-return]


def keep_both(net: BesideNet, channels: int, size: int, out: Path) -> None:
    """Write OUT.onnx and OUT-beside.onnx for OpenCV, and torch's own beside them."""
    torch.save(net.state_dict(), out.with_suffix(".pt"))
    export(_Part(net, True), channels, size, out)
    export(_Part(net, False), 2 * CODE, 1, out.with_name(f"{out.stem}-beside.onnx"))


def numbered(counts: list[int]) -> Array:
    """For things of several frames, so many of each, the number of their frame."""
    return np.repeat(np.arange(len(counts)), counts)
