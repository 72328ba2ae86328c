"""A pair of networks for things of which a frame shows several alike: each is told beside the others.

The first makes numbers of each thing by itself, the second hears those and the mean of the others'.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from tests.pictures.learning import begin, export, half_way, learn

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
        others = self.of_others(code, weight, frame)
        return self.tell(self.drop(torch.cat([code, others], dim=1)))  # type: ignore[no-any-return]

    def of_others(self, code: torch.Tensor, weight: torch.Tensor, frame: torch.Tensor) -> torch.Tensor:
        """(N, CODE, 1, 1): what each thing is told of the others in its frame, the mean of their numbers."""
        frames = int(frame.max()) + 1
        codes = torch.zeros(frames, *code.shape[1:]).index_add(0, frame, code * weight)
        weights = torch.zeros(frames, *weight.shape[1:]).index_add(0, frame, weight)
        return (codes[frame] - code * weight) / (weights[frame] - weight + 1e-3)


class AmongNet(BesideNet):
    """The same, but `compare` looks at a thing's numbers beside those of each of the others: it is told the
    mean of what comes of that."""

    def __init__(self, body: nn.Sequential, channels: int, across: int, answers: int) -> None:
        super().__init__(body, channels, across, answers)
        self.compare = nn.Sequential(nn.Conv2d(2 * CODE, CODE, 1), nn.BatchNorm2d(CODE), nn.ReLU())

    def of_others(self, code: torch.Tensor, weight: torch.Tensor, frame: torch.Tensor) -> torch.Tensor:
        """(N, CODE, 1, 1), by the comparisons."""
        same = (frame[:, None] == frame) & ~torch.eye(len(frame), dtype=torch.bool)
        one, other = same.nonzero(as_tuple=True)
        told = self.compare(self.drop(torch.cat([code[one], code[other]], dim=1))) * weight[other]
        codes = torch.zeros_like(code).index_add(0, one, told)
        weights = torch.zeros_like(weight).index_add(0, one, weight[other])
        return codes / (weights + 1e-3)


class _Part(nn.Module):
    """One of those that are asked in turn, by itself, for OpenCV."""

    def __init__(self, net: BesideNet, part: Callable[[torch.Tensor], torch.Tensor]) -> None:
        super().__init__()

        self.net, self.part = net, part

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.part(x)


def keep_both(net: BesideNet, channels: int, size: int, out: Path) -> None:
    """Write OUT.onnx, OUT-beside.onnx and, of an AmongNet, OUT-among.onnx for OpenCV, and torch's own."""
    torch.save(net.state_dict(), out.with_suffix(".pt"))
    export(_Part(net, net.see), channels, size, out)
    export(_Part(net, net.tell), 2 * CODE, 1, out.with_name(f"{out.stem}-beside.onnx"))
    if isinstance(net, AmongNet):
        export(_Part(net, net.compare), 2 * CODE, 1, out.with_name(f"{out.stem}-among.onnx"))


def teach(
    net: BesideNet,
    told: argparse.Namespace,
    loss_of_batch: Callable[[], torch.Tensor],
    judged: Callable[[], str],
    channels: int,
    size: int,
) -> None:
    """Begin, learn and keep as the command line of a trainer told."""
    before = begin(net, told.start, loss_of_batch)
    learn(net, loss_of_batch, judged, told.steps, peak=4e-3, decay=1e-2)
    if told.half_way:
        half_way(net, before)
    keep_both(net, channels, size, told.out)


def numbered(counts: list[int]) -> Array:
    """For things of several frames, so many of each, the number of their frame."""
    return np.repeat(np.arange(len(counts)), counts)
