"""Networks that answer with a map: of every cell of a picture what is in it, and where in the cell."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from tests.pictures.learning import asked, begin, block, half_way, keep, learn
from vision.maps import STRIDE

Array = NDArray[Any]
Thing = tuple[float, float, int]
"""Its middle (x, y) in pixels, counted from pixels' corners, and its kind, 1 and up."""


class MapNet(nn.Module):
    """Pictures in; out, at a quarter of the size: nothing or which kind, and where in the cell."""

    def __init__(self, channels: int, kinds: int, wide: int = 24) -> None:
        super().__init__()

        self.kinds = kinds
        self.body = nn.Sequential(
            *block(channels, wide // 2, 2),
            *block(wide // 2, wide, 2),
            *block(wide, wide),
            *block(wide, wide, spread=2),
            *block(wide, wide, spread=3),
            *block(wide, wide, spread=2),
            *block(wide, wide),
            nn.Dropout2d(0.2),
            nn.Conv2d(wide, kinds + 3, 1),
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.body(x)  # type: ignore[no-any-return]


def answer(things: Sequence[Thing], size: int, unsure: bool) -> Array:
    """(4, cells, cells): kind (-1: do not care), offset x and y in cells, whether an offset is known.

    `unsure`: anything may be covered; there the network only learns where nothing is.
    """
    cells = size // STRIDE
    truth = np.zeros((4, cells, cells), np.float32)
    for x, y, kind in things:
        cx, cy = x / STRIDE - 0.5, y / STRIDE - 0.5
        i, j = round(cy), round(cx)
        if unsure:
            truth[0, max(i - 2, 0) : max(i + 3, 0), max(j - 2, 0) : max(j + 3, 0)] = -1
            continue
        for row in range(i - 1, i + 2):
            for column in range(j - 1, j + 2):
                if 0 <= row < cells and 0 <= column < cells:
                    middle = (row, column) == (i, j)
                    if middle or truth[0, row, column] <= 0:
                        truth[0, row, column] = kind if middle else -1
                    if middle or not truth[3, row, column]:
                        truth[1:, row, column] = cx - column, cy - row, 1
    return truth


def loss_of(said: torch.Tensor, truth: torch.Tensor) -> torch.Tensor:
    """Cross entropy of what is in each cell, and the distance to its middle."""
    wanted = truth[:, 0].long()
    known = wanted >= 0
    worth = torch.where(wanted > 0, 6.0, 1.0) * known
    kinds = said.shape[1] - 2
    entropy = nn.functional.cross_entropy(said[:, :kinds], wanted.clamp(min=0), reduction="none")
    place = nn.functional.smooth_l1_loss(said[:, kinds:], truth[:, 1:3], reduction="none").sum(1)
    # Hard cells count more: most of a table is plainly empty.
    hard = entropy.detach().clamp(max=3) * 0.5 + 0.5
    return (entropy * worth * hard).sum() / worth.sum() + 2 * (place * truth[:, 3]).sum() / truth[
        :, 3
    ].sum().clamp(min=1)


def as_told(said: torch.Tensor, teacher: torch.Tensor) -> torch.Tensor:
    """How far an answer is from that of another network: in what is in each cell, and in where.

    What another is sure of, and what it wavers between, says more than the truth alone (Hinton, Vinyals and
    Dean, "Distilling the knowledge in a neural network", 2015).
    """
    kinds = said.shape[1] - 2
    odds = torch.softmax(teacher[:, :kinds], dim=1)
    entropy = nn.functional.cross_entropy(said[:, :kinds], odds, reduction="none")
    worth = 1 + 5 * (1 - odds[:, 0])
    place = nn.functional.smooth_l1_loss(said[:, kinds:], teacher[:, kinds:], reduction="none").sum(1)
    there = (1 - odds[:, 0]) * (odds[:, 0] < 0.9)
    return (entropy * worth).sum() / worth.sum() + 2 * (place * there).sum() / there.sum().clamp(min=1)


def train(
    network: Callable[[], nn.Module],
    channels: int,
    load: Callable[[list[Path]], list[Any]],
    judge: Callable[[nn.Module, list[Any]], str],
    about: str | None,
    decay: float,
) -> None:
    """Load what the command line names, train, judge, export; an example gives squares by `piece_of`."""
    told = asked(
        about, lambda parse: parse.add_argument("--teacher", type=Path, help="an .onnx to agree with as well")
    )
    teacher = cv2.dnn.readNetFromONNX(str(told.teacher)) if told.teacher else None
    examples, left_out = load(told.sessions), load(told.left_out)
    print(f"{len(examples)} pictures, {len(left_out)} left out", flush=True)
    rng = np.random.default_rng(told.seed)
    net = network()

    def batch() -> torch.Tensor:
        drawn = [examples[int(rng.integers(len(examples)))].piece_of(rng) for _ in range(24)]
        pictures = np.stack([picture for picture, _ in drawn])
        said = net(torch.from_numpy(pictures))
        loss = loss_of(said, torch.from_numpy(np.stack([truth for _, truth in drawn])))
        if teacher is None:
            return loss
        teacher.setInput(pictures)
        return loss + 2 * as_told(said, torch.from_numpy(np.asarray(teacher.forward())))

    before = begin(net, told.start, batch)
    learn(net, batch, lambda: judge(net, left_out), told.steps, peak=3e-3, decay=decay)
    if told.half_way:
        half_way(net, before)
    keep(net, channels, 280, told.out)
