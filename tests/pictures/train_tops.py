"""Trains the network of the dice on the table: `python -m tests.pictures.train_tops OUT.onnx SESSIONS...`."""

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
from vision.face_net import SIDE_PX, SIZE
from vision.geometry import Image
from vision.squares import Square, cut_out, lean

Array = NDArray[Any]
WIDE = SIZE + 40
"""Cut wider than the network looks, so that each time it can be turned, shifted and scaled anew."""


class FaceNet(nn.Module):
    """8 channels in; out: die, flat, six values, and the middle (x, y) in sides."""

    def __init__(self, wide: int = 16) -> None:
        super().__init__()

        self.body = nn.Sequential(
            *block(8, wide, 2),
            *block(wide, wide),
            *block(wide, 2 * wide, 2),
            *block(2 * wide, 2 * wide),
            *block(2 * wide, 3 * wide, 2),
            *block(3 * wide, 3 * wide),
            *block(3 * wide, 3 * wide),
            *block(3 * wide, 4 * wide, 2),
            nn.Conv2d(4 * wide, 3 * wide, 4),
            nn.ReLU(),
            nn.Dropout(0.1),
            nn.Conv2d(3 * wide, 10, 1),
            nn.Flatten(),
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.body(x)  # type: ignore[no-any-return]


class Example:
    """A place on a table, cut out wide, and what lies there."""

    def __init__(self, shot: Shot, frame: Image, at: tuple[float, float], die: dict[str, Any] | None) -> None:
        square = Square(at, shot.die_mm, shot.die_mm / SIDE_PX, WIDE)
        self.now = cut_out(frame, shot.view, square)
        self.then = cut_out(shot.empty, shot.view, square)
        self.lean = lean(shot.view, at, shot.die_mm)
        self.kind = "no" if die is None else "flat" if not die["lean_deg"] else "lean"
        self.slight = bool(die and 0 < die["lean_deg"] < 7)
        self.value = die["value"] if die and die["value"] else 0
        self.where = f"{shot.session}/{shot.name} {die['colour'] if die else ''}"

    def draw(self, rng: np.random.Generator | None) -> tuple[Array, Array]:
        """(8, SIZE, SIZE) and its truth (die, flat, value, x, y, known); None: as it lies."""
        turn, dx, dy, zoom, flip = 0.0, 0.0, 0.0, 1.0, 1
        if rng is not None:
            turn, flip = rng.uniform(0, 2 * np.pi), int(rng.choice([-1, 1]))
            spread = rng.choice([0.08, 0.3])
            dx, dy = rng.normal(0, spread, 2) if self.kind != "no" else rng.uniform(-0.1, 0.1, 2)
            zoom = rng.normal(1, 0.02)
        c, s = np.cos(turn) * zoom, np.sin(turn) * zoom
        # mm-square -> picture: flip x, turn, then shift by the offset
        spin = np.array([[c * flip, -s], [s * flip, c]])
        a, b = (WIDE - 1) / 2, (SIZE - 1) / 2
        shift = np.array([b + dx * SIDE_PX, b + dy * SIDE_PX]) - spin @ np.array([a, a])
        move = np.hstack([spin, shift[:, None]])
        edge = cv2.BORDER_REPLICATE
        now, then = (cv2.warpAffine(p, move, (SIZE, SIZE), borderMode=edge) for p in (self.now, self.then))
        if rng is not None:
            now, then = disturb(now, then, rng, Light(rng, foreign=True))
        lx, ly = spin @ np.array(self.lean) / zoom
        picture = np.empty((8, SIZE, SIZE), np.float32)
        picture[:3] = now.transpose(2, 0, 1) / 128 - 1
        picture[3:6] = then.transpose(2, 0, 1) / 128 - 1
        picture[6], picture[7] = lx, ly
        far = np.hypot(dx, dy)
        die = 0.0 if self.kind == "no" else 1.0 if far < 0.5 else 0.0 if far > 0.75 else -1.0
        known = float(self.kind == "flat" and far < 0.6)
        flat = -1.0 if self.kind == "no" or far > 0.6 or self.slight else float(self.kind == "flat")
        return picture, np.array([die, flat, self.value if known else 0, dx, dy, known], np.float32)


def examples_of(shot: Shot, rng: np.random.Generator) -> list[Example]:
    """Its dice, and places where something else is: pieces, chips, shadows, hands, print."""
    lit = np.clip(shot.frame / shot.change.lights.middle, 0, 255).astype(np.uint8)
    height, width = shot.frame.shape[:2]
    found = []
    places = [(die["x"], die["y"]) for die in shot.dice]
    for die in shot.dice:
        x, y = shot.view.project([[die["x"], die["y"], shot.die_mm]])[0]
        inside = 12 < x < width - 12 and 12 < y < height - 12
        if inside and not shot.hand and lit[int(y), int(x)].max() > 0:
            found.append(Example(shot, lit, (die["x"], die["y"]), die))
    rows, columns = np.nonzero(shot.change.much > 8)
    for _ in range(min(14, len(rows) // 50)):
        k = int(rng.integers(len(rows)))
        x, y = shot.view.unproject([[2 * columns[k] + 0.5, 2 * rows[k] + 0.5]], shot.die_mm)[0]
        if all(np.hypot(x - a, y - b) > 0.9 * shot.die_mm for a, b in places):
            found.append(Example(shot, lit, (float(x), float(y)), None))
    for x, y in [(piece["x"], piece["y"]) for piece in shot.pieces[:6]] + shot.loose:
        if all(np.hypot(x - a, y - b) > 0.9 * shot.die_mm for a, b in places):
            found.append(Example(shot, lit, (x, y), None))
    return found


def load(sessions: list[Path]) -> list[Example]:
    """Everything there is to see in these sessions."""
    rng = np.random.default_rng(5)
    return [e for session in sessions for shot in shots(session) for e in examples_of(shot, rng)]


def loss_of(said: torch.Tensor, truth: torch.Tensor) -> torch.Tensor:
    """Die or not, flat or not, which value, and where."""
    die, flat, value, known = truth[:, 0], truth[:, 1], truth[:, 2].long(), truth[:, 5]
    yes_no = nn.functional.binary_cross_entropy_with_logits
    loss = yes_no(said[:, 0], die.clamp(min=0), weight=(die >= 0).float())
    loss = loss + 1.5 * yes_no(said[:, 1], flat.clamp(min=0), weight=(flat >= 0).float())
    entropy = nn.functional.cross_entropy(said[:, 2:8], (value - 1).clamp(min=0), reduction="none")
    loss = loss + 1.5 * (entropy * known).mean()
    away = nn.functional.smooth_l1_loss(said[:, 8:10] * 4, truth[:, 3:5] * 4, reduction="none").sum(1)
    return loss + (away * known).mean()


def judge(net: FaceNet, examples: list[Example]) -> str:
    """How many are told rightly, centred as they lie."""
    with torch.no_grad():
        pictures, truths = zip(*[e.draw(None) for e in examples], strict=True)
        said = torch.cat(
            [net(torch.from_numpy(np.stack(pictures[i : i + 64]))) for i in range(0, len(pictures), 64)]
        )
    truth, out = np.stack(truths), said.numpy()
    die, flat = truth[:, 0] > 0.5, truth[:, 1] > 0.5
    leaning = die & ~flat
    value = out[:, 2:8].argmax(1) + 1
    wrong = flat & (value != truth[:, 2])
    # One limit for all: above it a die would be believed to lie flat.
    trust = np.sort(out[leaning, 1])[-3:] if leaning.any() else np.zeros(0)
    return (
        f"dice {die.sum()} missed {(die & (out[:, 0] < 0)).sum()} others {(~die).sum()} "
        f"taken for dice {(~die & (out[:, 0] > 0)).sum()}; flat {flat.sum()} wrong value {wrong.sum()} "
        f"taken for leaning {(flat & (out[:, 1] < 0)).sum()}; leaning {leaning.sum()} "
        f"taken for flat {(leaning & (out[:, 1] > 0)).sum()} (flattest {np.round(trust, 1)})"
    )


def main() -> None:
    """Train, judge, export; of every batch a third are dice that lean and a quarter no dice."""
    told = asked(__doc__)
    examples, left_out = load(told.sessions), load(told.left_out)
    print(f"{len(examples)} places, {len(left_out)} left out", flush=True)
    rng = np.random.default_rng(told.seed)
    net = FaceNet()
    kinds = [[e for e in examples if e.kind == kind] for kind in ("flat", "lean", "no")]

    def batch() -> torch.Tensor:
        drawn = []
        for kind, share in zip(kinds, (22, 14, 12), strict=True):
            drawn += [kind[int(rng.integers(len(kind)))].draw(rng) for _ in range(share) if kind]
        pictures = torch.from_numpy(np.stack([picture for picture, _ in drawn]))
        return loss_of(net(pictures), torch.from_numpy(np.stack([truth for _, truth in drawn])))

    before = begin(net, told.start, batch)
    learn(net, batch, lambda: judge(net, left_out), told.steps, peak=4e-3, decay=1e-3)
    if told.half_way:
        half_way(net, before)
    keep(net, 8, SIZE, told.out)


if __name__ == "__main__":
    main()
