"""Trains the network of the markers: `python -m tests.pictures.train_markers OUT.onnx SESSIONS...`.

It learns to say what colour stands in a piece, in the words of the set's own dice: the dice of each
session's frames are looked at, and the marker must be nearer to its own die than to the others.
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
from tests.pictures.learning import Light, asked, begin, block, disturb, keep, learn
from vision.faces import read_face
from vision.looks import look
from vision.marker_net import LID_PX, SIZE, as_features
from vision.squares import lean, square

Array = NDArray[Any]
WIDE = SIZE + 14


class MarkerNet(nn.Module):
    """11 channels in; out: how likely bare, the colour seen (3 features) and how exactly each (3)."""

    def __init__(self, wide: int = 16) -> None:
        super().__init__()

        self.body = nn.Sequential(
            *block(11, wide),
            *block(wide, wide, 2),
            *block(wide, 2 * wide, 2),
            *block(2 * wide, 2 * wide),
            *block(2 * wide, 2 * wide, 2),
            nn.Conv2d(2 * wide, 3 * wide, 4),
            nn.BatchNorm2d(3 * wide),
            nn.ReLU(),
            nn.Dropout(0.3),
            nn.Conv2d(3 * wide, 7, 1),
            nn.Flatten(),
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.body(x)  # type: ignore[no-any-return]


class Example:
    """A piece's top, what is in it (-1: bare) and the six looks it may be."""

    def __init__(self, shot: Shot, tower: tuple[float, float, int, str | None], looks: Array) -> None:
        x, y, level, marker = tower
        diameter, height = shot.piece_mm
        scale = diameter / LID_PX
        self.now = square(shot.change.frame, shot.view, (x, y), height * level, scale, WIDE, half=True)
        self.then = square(shot.change.empty, shot.view, (x, y), height * level, scale, WIDE, half=True)
        self.lean = lean(shot.view, (x, y), height * level)
        self.looks = looks
        self.marker = marker
        self.kind = -1
        self.others: list[Example] = []
        """The pieces of the same frame, this one among them."""
        self.where = f"{shot.session}/{shot.name} {marker}"

    def draw(self, rng: np.random.Generator | None) -> tuple[Array, Array, int]:
        """(8, SIZE, SIZE), the set's looks as features (6, 3), and which it is (0: bare, 1..6)."""
        turn, dx, dy, zoom, flip = 0.0, 0.0, 0.0, 1.0, 1
        if rng is not None:
            turn, flip = rng.uniform(0, 2 * np.pi), int(rng.choice([-1, 1]))
            dx, dy = rng.normal(0, 0.035, 2)
            zoom = rng.normal(1, 0.03)
        c, s = np.cos(turn) * zoom, np.sin(turn) * zoom
        spin = np.array([[c * flip, -s], [s * flip, c]])
        a, b = (WIDE - 1) / 2, (SIZE - 1) / 2
        shift = np.array([b + dx * LID_PX, b + dy * LID_PX]) - spin @ np.array([a, a])
        move = np.hstack([spin, shift[:, None]])
        others = self.others if rng is None else self._five(rng)
        bare = [other for other in others if other.kind < 0 and other is not self]
        if rng is not None and rng.uniform() < 0.2:
            bare = []
        beside = bare or [other for other in others if other is not self] or [self]
        middle = np.median([e.now for e in beside], axis=0).astype(np.uint8)
        now, then, middle = (
            cv2.warpAffine(p, move, (SIZE, SIZE), borderMode=cv2.BORDER_REPLICATE)
            for p in (self.now, self.then, middle)
        )
        looks = self.looks
        if rng is not None:
            # The dice's colours go through the same change of light as the pictures.
            light = Light(rng, foreign=True, grey=0)
            state = int(rng.integers(1 << 31))
            middle, _ = disturb(middle, then, np.random.default_rng(state), light)
            now, then = disturb(now, then, np.random.default_rng(state), light)
            bgr = cv2.cvtColor(looks[None].astype(np.uint8), cv2.COLOR_LAB2BGR)
            colours = np.clip(light.on(bgr), 0, 255).astype(np.uint8)
            looks = cv2.cvtColor(colours, cv2.COLOR_BGR2LAB)[0].astype(float)
            looks[:, 0] += rng.normal(0, 6, 6)
            looks[:, 1:] += rng.normal(0, 2, (6, 2))
            looks = np.clip(looks, 1, 254)
        lx, ly = spin @ np.array(self.lean) / zoom
        picture = np.empty((11, SIZE, SIZE), np.float32)
        picture[:3] = now.transpose(2, 0, 1) / 128 - 1
        picture[3:6] = then.transpose(2, 0, 1) / 128 - 1
        picture[6], picture[7] = lx, ly
        picture[8:] = middle.transpose(2, 0, 1) / 128 - 1
        return picture, as_features(looks).astype(np.float32), self.kind + 1

    def _five(self, rng: np.random.Generator) -> list[Example]:
        """Five more pieces of its frame, as a game has them: most are bare, and no colour is there twice."""
        marked = int(rng.choice(6, p=[0.4, 0.15, 0.12, 0.12, 0.11, 0.1]))
        five: list[Example] = []
        taken = {self.marker}
        for k in rng.permutation(len(self.others)):
            other = self.others[int(k)]
            if other is self or len(five) == 5:
                continue
            if other.marker is None:
                if sum(e.marker is None for e in five) < 5 - marked:
                    five.append(other)
            elif other.marker not in taken and sum(e.marker is not None for e in five) < marked:
                taken.add(other.marker)
                five.append(other)
        return five


def session_looks(all_shots: list[Shot]) -> dict[str, Array]:
    """The middle look of every colour's flat dice in a session."""
    seen: dict[str, list[Array]] = {}
    for shot in all_shots:
        if shot.hand:
            continue
        for die in shot.dice:
            if die["lean_deg"] or not die["value"]:
                continue
            face = read_face(shot.frame, shot.view, (die["x"], die["y"]), shot.die_mm)
            if face.match > 0.7:
                lab = look(shot.frame, shot.view, face, shot.die_mm, shot.change.light)
                seen.setdefault(die["colour"], []).append(np.array(lab))
    return {name: np.median(np.array(rows), axis=0) for name, rows in seen.items()}


def load(sessions: list[Path]) -> list[Example]:
    """Everything there is to see in these sessions."""
    found = []
    for session in sessions:
        every = list(shots(session))
        looks = session_looks(every)
        names = sorted(looks)
        if len(names) < 4:
            continue
        palette = np.array([looks[name] for name in names])
        palette = np.concatenate([palette, np.repeat(palette[:1], 6 - len(names), axis=0)])
        for shot in every:
            if shot.hand:
                continue
            own: list[Example] = []
            for tower in towers(shot):
                if tower[3] is not None and tower[3] not in names:
                    continue
                example = Example(shot, tower, palette)
                example.kind = -1 if tower[3] is None else names.index(tower[3])
                own.append(example)
            for example in own:
                example.others = own
            found += own
    return found


def loss_of(said: torch.Tensor, looks: torch.Tensor, kind: torch.Tensor) -> torch.Tensor:
    """Cross entropy between bare and the six colours, by the distance from the colour seen."""
    spread = torch.exp(said[:, None, 4:7].clamp(-1, 4.5))
    away = (((said[:, None, 1:4] - looks) * spread) ** 2).sum(2)
    return nn.functional.cross_entropy(torch.cat([said[:, :1], -away], dim=1), kind)


def judge(net: MarkerNet, examples: list[Example]) -> str:
    """How many are told rightly, and how sure the wrong ones were."""
    rows = [e.draw(None) for e in examples]
    with torch.no_grad():
        said = net(torch.from_numpy(np.stack([r[0] for r in rows])))
        spread = torch.exp(said[:, None, 4:7].clamp(-1, 4.5))
        away = (((said[:, None, 1:4] - torch.from_numpy(np.stack([r[1] for r in rows]))) * spread) ** 2).sum(
            2
        )
        p = torch.softmax(torch.cat([said[:, :1], -away], dim=1), 1).numpy()
    kind = np.array([r[2] for r in rows])
    told = p.argmax(1)
    wrong = told != kind
    names = [f"{e.where} {p[i].max():.2f}" for i, e in enumerate(examples) if wrong[i]][:6]
    sure = p.max(1) > 0.999
    return (
        f"of {len(kind)} ({(kind > 0).sum()} marked) wrong {wrong.sum()}, "
        f"sure {sure.mean():.2f}, of them wrong {(sure & wrong).sum()} {names}"
    )


def main() -> None:
    """Train, judge, export; half of every batch is bare."""
    told = asked(__doc__)
    examples, left_out = load(told.sessions), load(told.left_out)
    print(f"{len(examples)} pieces, {len(left_out)} left out", flush=True)
    rng = np.random.default_rng(told.seed)
    net = MarkerNet()
    begin(net, told.start)
    kinds = [[e for e in examples if e.kind < 0], [e for e in examples if e.kind >= 0]]

    def batch() -> torch.Tensor:
        drawn = [kind[int(rng.integers(len(kind)))].draw(rng) for kind in kinds for _ in range(32) if kind]
        pictures, looks = (torch.from_numpy(np.stack([row[i] for row in drawn])) for i in range(2))
        return loss_of(net(pictures), looks, torch.tensor([row[2] for row in drawn]))

    learn(net, batch, lambda: judge(net, left_out), told.steps, peak=4e-3, decay=3e-2)
    keep(net, 11, SIZE, told.out)


if __name__ == "__main__":
    main()
