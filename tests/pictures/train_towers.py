"""Trains the networks of the towers: `python -m tests.pictures.train_towers OUT.onnx SESSIONS...`.

They learn to say how many pieces stand under each lid that is seen, or that it is none, from some lids of one
frame together; with `--fine` those of the pairs that are asked where a doubt is left. Beside OUT.onnx is
written OUT-beside.onnx.
"""

from __future__ import annotations

from operator import le
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from tests.pictures.beside import BesideNet, numbered, teach
from tests.pictures.crops import Shot, shots, towers
from tests.pictures.learning import Light, asked, block, disturb, zooms
from tests.pictures.train_pieces import redressed, shadowed, varnished
from vision.pieces import look_at_ring
from vision.ring_net import LEVELS, seen_at
from vision.squares import Square, cut_out, cut_out_lit
from vision.tower_net import CHANNELS, COARSE, FINE, Cut, as_blob, laid

Array = NDArray[Any]
MORE = 20
"""Pixels by which a cut is wider than what is shown of it, to be shaken in."""
NEAR = 0.3
"""Of a diameter: what is believed to be a lid so near to one is that one."""
SHADOWED, REDRESSED, VARNISHED = 0.4, 0.4, 0.35
GAMES = {
    (6, 0, 0): 4,
    (5, 0, 0): 3,
    (3, 1, 0): 1,
    (4, 1, 0): 8,
    (3, 0, 1): 3,
    (2, 2, 0): 5,
    (1, 1, 1): 2,
    (0, 3, 0): 1,
    (0, 0, 2): 1,
}
"""How many lids on 1, 2, 3 pieces a frame is drawn with, and how often: games have six pieces in all, and not
always a single one that the others could be told from. Where one is missing no other may pass for two."""
ALL = (6, 6, 6)
"""Of a frame that has too few for any of these."""


def network(cut: Cut) -> BesideNet:
    """A lid's channels -> scores of no lid, and of one on top of 1, 2, 3 pieces."""
    body = nn.Sequential(
        *block(CHANNELS, 24, 2),
        *block(24, 32, 2),
        *block(32, 32),
        *block(32, 48, 2),
        *block(48, 64),
        *block(64, 64, 2),
    )
    return BesideNet(body, 64, -(-cut.size // 16), 1 + LEVELS)


class Example:
    """What is or might be a lid, laid straight, with the towers around it and how high it is (0: none)."""

    def __init__(self, cut: Cut, shot: Shot, lid: tuple[float, float], kind: int) -> None:
        diameter, height = shot.piece_mm
        scale, wide = diameter / cut.lid_px, cut.size + MORE
        self.cut = cut
        self.kind, self.where = kind, f"{shot.session}/{shot.name}"
        self.turn, away = laid(shot.view, lid)
        self.side = away * height / diameter
        """How much of a single piece's side is seen, in diameters."""
        turn = self.turn
        square = Square(lid, height, scale, wide, turn)
        self.now = cut_out_lit(shot.frame, shot.change.lights, shot.view, square)
        self.then = cut_out(shot.empty, shot.view, square)
        straight = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]]) / scale
        self.towers = []
        """Where a lid of a single piece would be seen, pixels from the middle, and how high the tower is."""
        for x, y, level, _ in towers(shot):
            u, v = straight @ (np.array(seen_at(shot.view, (x, y), 1, height)) - lid)
            if max(abs(u), abs(v)) < 1.5 * wide / 2:
                self.towers.append((float(u), float(v), min(level, LEVELS)))

    def draw(self, rng: np.random.Generator, flip: int, zoom: float) -> tuple[Array, Array, float, float]:
        """The frame and the empty photo, (size, size, 3), a little shaken, as floats; turn and side."""
        size, lid_px = self.cut.size, self.cut.lid_px
        tilt = rng.normal(0, 0.04)
        c, s = np.cos(tilt) * zoom, np.sin(tilt) * zoom
        spin = np.array([[c * flip, -s], [s * flip, c]])
        shake = rng.normal(0, 0.03, 2) * lid_px
        new, old = (size - 1) / 2, (size + MORE - 1) / 2
        move = np.hstack([spin, (new + shake - spin @ (old, old))[:, None]])
        now, then = (
            cv2.warpAffine(p, move, (size, size), borderMode=cv2.BORDER_REPLICATE)
            for p in (self.now, self.then)
        )
        feet = [(*(spin @ (u, v) + shake + size / 2), level) for u, v, level in self.towers]
        # A single piece's side is seen below its lid, so each piece more puts the lid that far up.
        up = np.array([0.0, -self.side * lid_px * zoom])
        if rng.uniform() < SHADOWED:
            leans = np.broadcast_to((up / (lid_px / 2))[:, None, None], (2, size, size))
            now = shadowed(now, feet, leans, rng, lid_px)
        if rng.uniform() < VARNISHED:
            now = varnished(now, feet, up, rng, lid_px)
        if rng.uniform() < REDRESSED:
            lids = [(u + up[0] * (level - 1), v + up[1] * (level - 1), level) for u, v, level in feet]
            now = redressed(now, lids, zoom, rng, lid_px)
        return now, then, self.turn * flip, self.side


Frame = list[Example]
Drawn = tuple[Array, Array]
"""(N, CHANNELS, size, size) what is shown, (N,) how high each is (0: no lid)."""


def as_it_is(lids: Frame) -> Drawn:
    """All lids of a frame."""
    cut = lids[0].cut
    inner = slice(MORE // 2, MORE // 2 + cut.size)
    shown = as_blob(
        cut,
        [one.now[inner, inner] for one in lids],
        [one.then[inner, inner] for one in lids],
        [one.turn for one in lids],
        [one.side for one in lids],
    )
    return shown, np.array([one.kind for one in lids])


def draw(lids: Frame, rng: np.random.Generator) -> Drawn:
    """Some lids of a frame as a game might have them, or all it has, in one other light."""
    by_kind = [[one for one in lids if one.kind == kind] for kind in range(LEVELS + 1)]
    can = [stands for stands in GAMES if all(map(le, stands, map(len, by_kind[1:])))]
    often = np.array([GAMES[stands] for stands in can], float)
    stands = can[int(rng.choice(len(can), p=often / often.sum()))] if can else ALL
    wanted = (int(rng.integers(0, 4)), *stands)
    chosen = [
        some[int(k)] for some, n in zip(by_kind, wanted, strict=True) for k in rng.permutation(len(some))[:n]
    ]
    flip, zoom = int(rng.choice([-1, 1])), zooms(rng)
    light, state = Light(rng, foreign=True), int(rng.integers(1 << 31))
    dress = int(rng.integers(1 << 31))
    drawn = []
    for one in chosen:
        now, then, turn, side = one.draw(np.random.default_rng(dress), flip, zoom)
        now, then = disturb(now, then, np.random.default_rng(state), light, fine=1.4)
        drawn.append((now, then, turn, side))
    nows, thens, turns, sides = zip(*drawn, strict=True)
    return as_blob(chosen[0].cut, nows, thens, turns, sides), np.array([one.kind for one in chosen])


def load(cut: Cut, sessions: list[Path]) -> list[Frame]:
    """The lids of every frame of these sessions, and what else is believed to be one."""
    frames, rng = [], np.random.default_rng(0)
    for session in sessions:
        for shot in shots(session):
            if shot.hand or not shot.pieces:
                continue
            height, diameter = shot.piece_mm[1], shot.piece_mm[0]
            stand = towers(shot)
            every = [seen_at(shot.view, (x, y), level, height) for x, y, level, _ in stand]
            # Now and then a crowd has a tower of four; no game has.
            true = [(lid, tower[2]) for lid, tower in zip(every, stand, strict=True) if tower[2] <= LEVELS]
            believed = look_at_ring(shot.change, shot.view, shot.layout, shot.piece_mm).lids
            known = np.array(every + [(d["x"], d["y"]) for d in shot.dice])
            reach = np.array([NEAR * 1.5 * diameter] * len(every) + [0.7 * diameter] * len(shot.dice))
            false = [((x, y), 0) for x, y, _ in believed if (np.hypot(*(known - (x, y)).T) > reach).all()][:8]
            # Beside lids are shadows, sides of pieces, and rims: what else one could be taken for.
            around, away = rng.uniform(0, 2 * np.pi, len(every)), rng.uniform(0.6, 1.6, len(every)) * diameter
            beside = np.array(every) + away[:, None] * np.stack([np.cos(around), np.sin(around)], axis=1)
            false += [
                ((float(x), float(y)), 0)
                for x, y in beside
                if (np.hypot(*(np.array(every) - (x, y)).T) > 0.5 * diameter).all()
            ][:8]
            frames.append([Example(cut, shot, lid, kind) for lid, kind in [*true, *false]])
    return frames


def together(drawn: list[Drawn]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """What is shown, which frame it is in, and how high it is; N each."""
    frame = numbered([len(kinds) for _, kinds in drawn])
    shown, kinds = (np.concatenate([one[k] for one in drawn]) for k in (0, 1))
    return torch.from_numpy(shown), torch.from_numpy(frame), torch.from_numpy(kinds)


def judge(net: BesideNet, frames: list[Frame]) -> str:
    """How many are told rightly, how likely the right answers were, and how well heights are parted."""
    if not frames:
        return ""
    told, kinds = [], []
    with torch.no_grad():
        for i in range(0, len(frames), 8):
            shown, frame, kind = together([as_it_is(lids) for lids in frames[i : i + 8]])
            told.append(torch.softmax(net(shown, frame), 1).numpy())
            kinds.append(kind.numpy())
    p, kind = np.concatenate(told), np.concatenate(kinds)
    loss = -np.log(p[np.arange(len(kind)), kind] + 1e-9)
    score = np.log(p[:, 2:].sum(1) + 1e-9) - np.log(p[:, 1] + 1e-9)
    low, high = score[kind == 1], score[kind > 1]
    apart = (low[:, None] < high[None]).mean() if len(low) and len(high) else np.nan
    wrong = {k: f"{(p[kind == k].argmax(1) != k).sum()}/{(kind == k).sum()}" for k in range(LEVELS + 1)}
    return f"wrong {wrong}, loss {loss.mean():.4f}, heights {loss[kind > 0].mean():.4f}, parted {apart:.4f}"


def main() -> None:
    """Train, judge, export."""
    told = asked(__doc__, lambda parse: parse.add_argument("--fine", action="store_true", help="cut finer"))
    cut = FINE if told.fine else COARSE
    frames, left_out = load(cut, told.sessions), load(cut, told.left_out)
    frames = [lids for lids in frames if sum(one.kind == 1 for one in lids) > 1]
    kinds = np.bincount([one.kind for lids in frames for one in lids], minlength=1 + LEVELS)
    print(f"{kinds} lids by height, {len(frames)} frames, {len(left_out)} left out", flush=True)
    rng = np.random.default_rng(told.seed)
    net = network(cut)
    # A frame with one tower teaches little, one of a set that does not stack what looks like two and is none.
    high = [sum(one.kind > 1 for one in lids) for lids in frames]
    worth = np.array([1 + min(n, 4) if n else 5 for n in high], float)

    def batch() -> torch.Tensor:
        chosen = rng.choice(len(frames), 8, p=worth / worth.sum())
        shown, frame, kinds = together([draw(frames[int(k)], rng) for k in chosen])
        return nn.functional.cross_entropy(net(shown, frame), kinds)

    teach(net, told, batch, lambda: judge(net, left_out), CHANNELS, cut.size)


if __name__ == "__main__":
    main()
