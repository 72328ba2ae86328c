"""Trains the network of the stances: `python -m tests.pictures.train_stances OUT.onnx SESSIONS...`.

The network of the dice (`train_tops`) comes first: what it finds is what this one is shown.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from tests.pictures.crops import Shot, shots
from tests.pictures.learning import Light, asked, begin, block, disturb, half_way, keep, learn
from vision.face_net import Answer
from vision.stance_net import SIZE, as_blob, straight
from vision.tops import Table, straightened

Array = NDArray[Any]
WIDE = SIZE + 12
LEAST_LEAN = 12.0
"""Degrees: what leans less is not learned from: from above, not even a careful person sees it."""
LARGER, OFF = 0.015, 0.03
"""Natural logarithms: dice are told to be so much larger than they look, for their edges are rounded, give or
take. Of thirteen sets that nobody here made the outlines are 2 % smaller than told, at most 6."""


class StanceNet(nn.Module):
    """8 channels in; out: flat or not, and six values."""

    def __init__(self, wide: int = 16) -> None:
        super().__init__()

        self.body = nn.Sequential(
            *block(8, wide, 2),
            *block(wide, wide),
            *block(wide, 2 * wide, 2),
            *block(2 * wide, 2 * wide),
            *block(2 * wide, 3 * wide, 2),
            *block(3 * wide, 3 * wide),
            nn.Conv2d(3 * wide, 2 * wide, 7),
            nn.BatchNorm2d(2 * wide),
            nn.ReLU(),
            nn.Dropout(0.2),
            nn.Conv2d(2 * wide, 7, 1),
            nn.Flatten(),
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.body(x)  # type: ignore[no-any-return]


class Example:
    """A die's top as the network of the dice found it, laid straight, and whether it lies flat."""

    def __init__(self, shot: Shot, table: Table, top: Answer, die: dict[str, Any]) -> None:
        at, lights = (top.x, top.y, top.turn), shot.change.lights
        cut = straight(shot.frame, shot.empty, shot.view, lights, at, table.die_mm, WIDE)
        self.now, self.then, self.plan = (np.ascontiguousarray(picture) for picture in cut)
        self.flat = not die["lean_deg"]
        self.degrees = float(die["lean_deg"])
        self.value = int(die["value"] or 0)
        self.top = top
        self.where = f"{shot.session}/{shot.name} {die['colour']}"

    def draw(self, rng: np.random.Generator | None) -> tuple[Array, Array]:
        """(8, SIZE, SIZE) and its truth (flat, value); None: as it lies."""
        move = of_plan = _into(np.eye(2))
        if rng is not None:
            c, s = np.cos(rng.normal(0, 0.03)), np.sin(rng.normal(0, 0.03))
            spin = np.array([[c, -s], [s, c]]) * rng.normal(1, 0.015)
            move = _into(spin, rng.normal(0, 0.5, 2))
            of_plan = _into(spin * np.exp(rng.normal(0.01, 0.015)), rng.normal(0, 0.5, 2))
        now, then, plan = (
            cv2.warpAffine(picture, way, (SIZE, SIZE), borderMode=cv2.BORDER_REPLICATE)
            for picture, way in ((self.now, move), (self.then, move), (self.plan, of_plan))
        )
        if rng is not None:
            now, then = disturb(now, then, rng, Light(rng, foreign=True))
        picture = as_blob([now], [then], [plan])[0]
        return picture, np.array([self.flat, self.value if self.flat else 0], np.float32)


def _into(spin: Array, shift: Array | float = 0.0) -> Array:
    """(2, 3): what takes the middle of a wide cut to that of the picture, `shift` pixels beside."""
    beside = (SIZE - 1) / 2 + shift - spin @ np.full(2, (WIDE - 1) / 2)
    return np.hstack([spin, beside[:, None]])


def examples_of(shot: Shot, again: int, rng: np.random.Generator) -> list[Example]:
    """Every die of a shot that the network of the dice finds, from `again` slightly different places and with
    as many sides told; once: with the right one.
    """
    dice = dice_of(shot)
    found = []
    for _ in range(again if dice else 0):
        die_mm = shot.die_mm * (float(np.exp(rng.normal(LARGER, OFF))) if again > 1 else 1)
        table = Table(shot.frame, shot.empty, shot.view, shot.change, die_mm)
        spots = [(d["x"] + rng.normal(0, 1), d["y"] + rng.normal(0, 1)) for d in dice]
        first = table.ask(spots)
        tops = [straightened(table, top) for top in table.ask([(top.x, top.y) for top in first], turns=4)]
        found += [
            Example(shot, table, top, die)
            for top, die in zip(tops, dice, strict=True)
            if top.die > 0.3 and np.hypot(top.x - die["x"], top.y - die["y"]) < 0.6 * shot.die_mm
        ]
    return found


def dice_of(shot: Shot) -> list[dict[str, Any]]:
    """The dice of a shot that are wholly in the picture, and lie flat or plainly lean."""
    height, width = shot.frame.shape[:2]
    dice = []
    for die in shot.dice:
        x, y = shot.view.project([[die["x"], die["y"], shot.die_mm]])[0]
        if (
            shot.hand
            or 0 < die["lean_deg"] < LEAST_LEAN
            or not (15 < x < width - 15 and 15 < y < height - 15)
        ):
            continue
        if shot.frame[int(y), int(x)].max() > 0 and (die["value"] or die["lean_deg"]):
            dice.append(die)
    return dice


def load(sessions: list[Path], again: int = 1) -> list[Example]:
    """Everything there is to see in these sessions."""
    rng = np.random.default_rng(5)
    return [e for session in sessions for shot in shots(session) for e in examples_of(shot, again, rng)]


def judge(net: StanceNet, examples: list[Example]) -> str:
    """How well flat and leaning are told apart."""
    with torch.no_grad():
        said = torch.cat(
            [
                net(torch.from_numpy(np.stack([e.draw(None)[0] for e in examples[i : i + 64]])))
                for i in range(0, len(examples), 64)
            ]
        ).numpy()
    flat = np.array([e.flat for e in examples])
    value = np.array([e.value for e in examples])
    wrong = flat & (said[:, 1:].argmax(1) + 1 != value)
    lows = np.round(np.percentile(said[flat, 0], [0, 0.5, 2, 10, 50]), 1)
    leaning = np.sort(said[~flat, 0])[::-1]
    return (
        f"flat {flat.sum()} wrong value {wrong.sum()} logits {lows} below 0: {(said[flat, 0] < 0).sum()}; "
        f"leaning {(~flat).sum()} above 0: {(leaning > 0).sum()}, flattest {np.round(leaning[:6], 1)}"
    )


def loss_of(said: torch.Tensor, truth: torch.Tensor) -> torch.Tensor:
    """Flat or not, and the value of those that are."""
    flat = truth[:, 0]
    loss = nn.functional.binary_cross_entropy_with_logits(said[:, 0], flat)
    value = (truth[:, 1].long() - 1).clamp(min=0)
    entropy = nn.functional.cross_entropy(said[:, 1:], value, reduction="none")
    return loss + 0.5 * (entropy * flat).mean()


def main() -> None:
    """Train, judge, export; half of every batch leans."""
    told = asked(__doc__)
    examples, left_out = load(told.sessions, 3), load(told.left_out)
    kinds = [[e for e in examples if e.flat], [e for e in examples if not e.flat]]
    print(f"{len(kinds[0])} flat, {len(kinds[1])} leaning; {len(left_out)} left out", flush=True)
    rng = np.random.default_rng(told.seed)
    net = StanceNet()

    def batch() -> torch.Tensor:
        drawn = [kind[int(rng.integers(len(kind)))].draw(rng) for kind in kinds for _ in range(32)]
        pictures = torch.from_numpy(np.stack([picture for picture, _ in drawn]))
        return loss_of(net(pictures), torch.from_numpy(np.stack([truth for _, truth in drawn])))

    before = begin(net, told.start, batch)
    learn(net, batch, lambda: judge(net, left_out), told.steps, peak=3e-3, decay=2e-3)
    if told.half_way:
        half_way(net, before)
    keep(net, 8, SIZE, told.out)


if __name__ == "__main__":
    main()
