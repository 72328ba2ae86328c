"""Trains the two small networks that read loose dice, and writes them as ONNX files for cv2.dnn.

First make frames with `dice_drawn`, `dice_scene` and `dice_tables`, then
`python -m tests.pictures.train_loose_dice finder OUT.onnx FRAMES... --minutes 60`, and the same with `look`.
Needs torch and onnx; nothing else of the project does.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from multiprocessing import Pool
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from torch import nn
from torch.nn import functional

from tests.pictures.dice_tiles import (
    LOOK_PX,
    TILE,
    Frame,
    finder_tile,
    is_die,
    load_frames,
    look_picture,
)
from tests.pictures.learning import begin
from vision.die_finder import find_faces

SEED = 7


def conv(a: int, b: int, stride: int = 1, size: int = 3, spread: int = 1) -> nn.Sequential:
    """Convolution, normalisation, rectifier."""
    pad = size // 2 * spread
    return nn.Sequential(
        nn.Conv2d(a, b, size, stride, pad, dilation=spread, bias=False),
        nn.BatchNorm2d(b),
        nn.ReLU(inplace=True),
    )


class Residual(nn.Module):
    """Two convolutions beside a straight way."""

    def __init__(self, width: int, spread: int = 1) -> None:
        super().__init__()
        self.first = conv(width, width, spread=spread)
        self.second = nn.Sequential(nn.Conv2d(width, width, 3, 1, 1, bias=False), nn.BatchNorm2d(width))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return functional.relu(x + self.second(self.first(x)))


class Finder(nn.Module):
    """(N, 3, H, W) BGR 0..1 -> (N, 10, H/4, W/4): middle, six values, log of the side, way to the middle."""

    def __init__(self) -> None:
        super().__init__()
        self.fine = nn.Sequential(conv(3, 16, 2), conv(16, 24, 2), conv(24, 24))
        self.coarse = nn.Sequential(conv(24, 60, 2), Residual(60), Residual(60, 2), Residual(60, 4))
        self.up = nn.Conv2d(60, 32, 1)
        self.across = nn.Conv2d(24, 32, 1)
        self.join = conv(32, 32)
        self.head = nn.Conv2d(32, 10, 1)
        nn.init.constant_(self.head.bias, 0.0)
        self.head.bias.data[0] = -4.0
        self.head.bias.data[7] = 3.4

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        fine = self.fine(x - 0.45)
        wide = functional.interpolate(self.up(self.coarse(fine)), scale_factor=2.0, mode="nearest")
        return self.head(self.join(functional.relu(wide + self.across(fine))))


class Look(nn.Module):
    """(N, 3, 64, 64) BGR 0..1 -> (N, 7): no top face, or its value."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            conv(3, 24, 2), conv(24, 32), conv(32, 48, 2), Residual(48), conv(48, 80, 2), Residual(80),
        )  # fmt: skip
        self.head = nn.Linear(80 * 2, 7)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.body(x - 0.45)
        whole = functional.avg_pool2d(x, 8).flatten(1)
        middle = functional.avg_pool2d(x[:, :, 2:6, 2:6], 4).flatten(1)
        return self.head(torch.cat([whole, middle], dim=1))


class Endless(torch.utils.data.IterableDataset[Any]):
    """Samples without end, each worker with a seed of its own."""

    def __init__(self, kind: str, frames: list[Frame], seed: int) -> None:
        self.kind, self.frames, self.seed = kind, frames, seed
        weight = np.array([1.5 + np.sqrt(len(frame.value)) for frame in frames])
        self.weight = np.cumsum(weight / weight.sum())

    def __iter__(self) -> Iterator[Any]:
        cv2.setNumThreads(1)
        worker = torch.utils.data.get_worker_info()
        rng = np.random.default_rng([SEED, self.seed, worker.id if worker else 0])
        while True:
            frame = self.frames[min(int(np.searchsorted(self.weight, rng.uniform())), len(self.frames) - 1)]
            picture, answer = (finder_tile if self.kind == "finder" else look_picture)(rng, frame)
            yield np.ascontiguousarray(picture.transpose(2, 0, 1)), answer


def finder_loss(said: torch.Tensor, answer: dict[str, torch.Tensor]) -> torch.Tensor:
    """Focal loss of the middles as in CenterNet (Zhou et al. 2019); the rest near middles only."""
    heat, keep, value = answer["heat"], answer["keep"], answer["value"]
    seen = torch.sigmoid(said[:, 0]).clamp(1e-4, 1 - 1e-4)
    middle = (heat > 0.999).float()
    loss = -middle * (1 - seen) ** 2 * torch.log(seen)
    loss = loss - (1 - middle) * keep * (1 - heat) ** 4 * seen**2 * torch.log(1 - seen)
    count = middle.sum().clamp(min=1)
    near = (value > 0).float()
    many = near.sum().clamp(min=1)
    shows = functional.cross_entropy(said[:, 1:7], (value - 1).clamp(min=0), reduction="none")
    shows = (shows * near).sum() / many
    side = (
        functional.smooth_l1_loss(said[:, 7], answer["size"], reduction="none", beta=0.1) * near
    ).sum() / many
    way = functional.smooth_l1_loss(said[:, 8:10], answer["off"], reduction="none", beta=0.5).sum(1)
    way = (way * near).sum() / many
    return loss.sum() / count + shows + 2 * side + 0.4 * way


def train(asked: argparse.Namespace, frames: list[Frame]) -> nn.Module:
    """Train for some minutes, the rate falling to nothing at their end."""
    torch.manual_seed(SEED)
    torch.set_num_threads(1)
    where = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    net: nn.Module = Finder() if asked.kind == "finder" else Look()
    net = net.to(where, memory_format=torch.channels_last)
    loader = torch.utils.data.DataLoader(
        Endless(asked.kind, frames, asked.seed),
        batch_size=asked.batch or (16 if asked.kind == "finder" else 64),
        num_workers=asked.workers,
        prefetch_factor=8,
    )
    batches = iter(loader)

    def loss_of_batch() -> torch.Tensor:
        pictures, answer = next(batches)
        said = net(pictures.to(where, memory_format=torch.channels_last).float() / 255)
        if asked.kind == "finder":
            return finder_loss(said, {name: part.to(where) for name, part in answer.items()})
        return functional.cross_entropy(said, answer.to(where))

    begin(net, asked.start, loss_of_batch)
    top, minutes = 3e-3 if not asked.start else 1.5e-3, asked.minutes
    optimiser = torch.optim.AdamW(net.parameters(), lr=top, weight_decay=2e-2)
    begun, shown, total, steps = time.monotonic(), time.monotonic(), 0.0, 0
    for step in count():
        done = (time.monotonic() - begun) / (minutes * 60)
        if done >= 1:
            break
        rate = top * min(1.0, (step + 1) / 50) * (0.5 + 0.5 * np.cos(np.pi * done))
        for group in optimiser.param_groups:
            group["lr"] = rate
        loss = loss_of_batch()
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimiser.step()
        total, steps = total + loss.item(), steps + 1
        if time.monotonic() - shown > 30:
            print(f"{step} steps, loss {total / steps:.4f}", flush=True)
            shown, total, steps = time.monotonic(), 0.0, 0
    return net


def with_traps(frame: Frame) -> Frame:
    """A frame with what the finder of today wrongly takes for dice: the second look learns from that."""
    found = [face for face in find_faces(frame.picture) if not is_die(frame, face.middle, face.side)]
    traps = [(*face.middle, face.side) for face in found]
    return replace(frame, traps=np.array(traps).reshape(-1, 3))


def export(net: nn.Module, kind: str, out: Path) -> None:
    """Write it for cv2.dnn, and its weights beside for training on."""
    net.cpu().eval()
    torch.save(net.state_dict(), out.with_suffix(".pt"))
    size = TILE if kind == "finder" else LOOK_PX
    free = {0: "n", 2: "h", 3: "w"} if kind == "finder" else {0: "n"}
    torch.onnx.export(
        net.to(memory_format=torch.contiguous_format), (torch.zeros(1, 3, size, size),), str(out),
        dynamo=False, input_names=["picture"], output_names=["said"], dynamic_axes={"picture": free},
        opset_version=17,
    )  # fmt: skip


def main() -> None:
    """Train one of the two."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=["finder", "look"])
    parser.add_argument("out", type=Path)
    parser.add_argument("frames", type=Path, nargs="+")
    parser.add_argument("--minutes", type=float, default=15.0)
    parser.add_argument("--start", type=Path, help="weights (.onnx or .pt) to go on from")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=1, help="processes that cut pictures from the frames")
    parser.add_argument("--batch", type=int, help="pictures a step; without it 16, or 64 for the look")
    asked = parser.parse_args()
    cv2.setNumThreads(1)  # before the loader parts: a process of its own cannot take threads along
    frames = load_frames(asked.frames)
    if asked.kind == "look":
        with Pool(asked.workers, cv2.setNumThreads, (1,)) as pool:
            frames = pool.map(with_traps, frames, 8)
    print(f"{len(frames)} frames, {sum(len(frame.value) for frame in frames)} dice", flush=True)
    export(train(asked, frames), asked.kind, asked.out)


if __name__ == "__main__":
    main()
