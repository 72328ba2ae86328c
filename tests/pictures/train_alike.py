"""Trains the network that tells pieces from what lies where one should: `python -m tests.pictures.train_alike
OUT.onnx SESSIONS...`.

Six pieces are alike, whatever they are like. So they are shown as a game has them, six things of one frame
together, and up to two of these are none: a coin, a marker or a stain on the bare board, a shadow, a die, a
piece of another set. Beside OUT.onnx are written OUT-among.onnx and OUT-beside.onnx.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from tests.pictures.beside import AmongNet, numbered, teach
from tests.pictures.crops import Shot, shots, towers
from tests.pictures.learning import Light, asked, block, disturb, zooms
from tests.pictures.train_pieces import redressed
from vision.hues import in_hues
from vision.marker_lids import cut
from vision.marker_net import PAIRS
from vision.pieces import look_at_ring
from vision.ring_net import LEVELS, seen_at
from vision.squares import as_blob, lean

Array = NDArray[Any]
PAIR = PAIRS[0]
WIDE = round(1.5 * PAIR.size)
OTHERS = [0.25, 0.5, 0.25]
"""How often none, one and two of six are no pieces."""
REDRESSED, MARKED, SHINES, SHADED = 0.25, 0.35, 0.25, 0.15
"""How often all pieces are seen in another dress; one with another marker, mirroring a lamp, in a shadow."""
AS_IT_LIES, STRANGER = 0.35, 0.06
"""How often what is no piece is something in the frame itself, and a piece of another set."""


def network() -> AmongNet:
    """A thing's 8 channels -> the log odds that it is a piece as the others are."""
    body = nn.Sequential(*block(8, 24, 2), *block(24, 32, 2), *block(32, 48), *block(48, 48, 2))
    return AmongNet(body, 48, 4, 1)


class Example:
    """What is or could be taken for a lid."""

    def __init__(self, shot: Shot, at: tuple[float, float], top: float, piece: bool) -> None:
        wide = PAIR._replace(size=WIDE)
        lid = (*at, top)
        self.now, self.then = cut(shot.frame, shot.empty, shot.change, shot.view, lid, shot.piece_mm[0], wide)
        self.lean, self.piece = lean(shot.view, at, top), piece

    def draw(self, now: Array, rng: np.random.Generator, turn: float, flip: int, zoom: float) -> list[Array]:
        """`now` and the empty photo, (size, size, 3), and the lean (2,), turned, and shaken a little."""
        shake, size = rng.normal(0, 0.05, 2), PAIR.size
        c, s = np.cos(turn) * zoom, np.sin(turn) * zoom
        spin = np.array([[c * flip, -s], [s * flip, c]])
        a, b = (WIDE - 1) / 2, (size - 1) / 2
        move = np.hstack([spin, (b + shake * PAIR.lid_px - spin @ np.array([a, a]))[:, None]])
        cuts = [
            cv2.warpAffine(p, move, (size, size), borderMode=cv2.BORDER_REPLICATE) for p in (now, self.then)
        ]
        return [*cuts, spin @ np.array(self.lean) / zoom]


Frame = list[Example]
Drawn = tuple[Array, Array]
"""(N, 8, size, size) what is shown, (N,) whether it is a piece."""


def _disc(at: Array, radius: float, soft: float) -> Array:
    """(WIDE, WIDE, 1): 1 within, 0 outside."""
    across = np.arange(WIDE) - (WIDE - 1) / 2
    away = np.hypot(*np.meshgrid(across - at[0], across - at[1]))
    return np.asarray(np.clip((radius - away) / soft + 0.5, 0, 1)[..., None], dtype=np.float32)


def _colour(one: Example, rng: np.random.Generator) -> Array:
    """(3,) BGR: any, or one like a piece's, or the board's."""
    inner = slice(WIDE // 2 - 5, WIDE // 2 + 6)
    source = (one.now, one.then)[int(rng.integers(2))][inner, inner].reshape(-1, 3)
    if rng.uniform() < 0.4:
        return np.asarray(rng.uniform(10, 245, 3))
    return np.asarray(source[int(rng.integers(len(source)))] * rng.uniform(0.5, 1.6) * rng.normal(1, 0.1, 3))


def _flat(board: Array, one: Example, rng: np.random.Generator, at: Array, radius: float) -> Array:
    """A stain, a chip or a marker: of one colour, or the board's own in another light."""
    cover = _disc(at, radius, float(rng.choice([1.0, 1.5, 3.0])))
    if rng.uniform() < 0.5:
        return np.asarray(board * (1 - cover) + _colour(one, rng) * cover)
    return np.asarray(board + cover * rng.uniform(-70, 70) * rng.normal(1, 0.15, 3))


def _shade(board: Array, one: Example, rng: np.random.Generator, at: Array, radius: float) -> Array:
    """A shadow, or a spot of light, of which a part may be a crescent."""
    soft = radius * rng.uniform(0.1, 0.8)
    cover = _disc(at, radius * rng.uniform(0.8, 1.5), soft)
    if rng.uniform() < 0.4:
        cover = cover * (1 - _disc(at + rng.normal(0, radius * 0.5, 2), radius, soft))
    return np.asarray(board * (1 + cover * rng.uniform(-0.7, 0.5)))


def _coin(board: Array, one: Example, rng: np.random.Generator, at: Array, radius: float) -> Array:
    """A coin or another little thing: relief, a rim, a slope of light, a shadow beside it."""
    cells = int(rng.integers(2, 12))
    relief = cv2.resize(rng.normal(0, 1, (cells, cells)), (WIDE, WIDE), interpolation=cv2.INTER_CUBIC)
    across = np.arange(WIDE) - (WIDE - 1) / 2
    turn = rng.uniform(0, 2 * np.pi)
    slope = (np.cos(turn) * across[None] + np.sin(turn) * across[:, None]) / radius * rng.uniform(0, 0.5)
    face = _colour(one, rng) * (1 + slope[..., None]) + relief[..., None] * rng.uniform(0, 40)
    inner = _disc(at, radius * rng.uniform(0.6, 0.95), 1.0)
    face = face * (1 + (1 - inner) * rng.uniform(-0.4, 0.4))
    fall = radius * rng.uniform(0, 0.4) * np.array([np.cos(turn), np.sin(turn)])
    board = board * (1 - _disc(at + fall, radius, 2.0) * rng.uniform(0, 0.6))
    cover = _disc(at, radius, 1.0)
    return np.asarray(board * (1 - cover) + face * cover)


def _none(board: Array, *_: object) -> Array:
    """The bare board, or what was left of a piece's shadow and side beside where it stood."""
    return board


THINGS: list[Callable[..., Array]] = [_flat, _flat, _shade, _coin, _coin, _none]


def _marked(now: Array, rng: np.random.Generator, radius: float) -> Array:
    """A piece with some marker in it: a dome, in which a lamp may be mirrored."""
    cover, colour = _disc(rng.normal(0, 0.05, 2) * radius, radius, 1.2), rng.uniform(10, 245, 3)
    slope = _disc(rng.normal(0, 0.5, 2) * radius, radius, radius) * rng.uniform(0, 0.5) + rng.uniform(0.7, 1)
    shine = _disc(rng.normal(0, 0.4, 2) * radius, rng.uniform(0, 0.4) * radius, 1.5) * rng.uniform(0, 200)
    return np.asarray(now * (1 - cover) + (colour * slope + shine) * cover)


def _shining(now: Array, rng: np.random.Generator) -> Array:
    """The same, a lamp or a window mirrored in it."""
    radius = PAIR.lid_px / 2
    spot = _disc(rng.normal(0, 0.4, 2) * radius, radius * rng.uniform(0.1, 0.8), rng.uniform(1, 6))
    return np.asarray(now + spot * _disc(np.zeros(2), 0.9 * radius, 2) * rng.uniform(-60, 200))


def _instead(one: Example, frames: list[Frame], rng: np.random.Generator) -> Array:
    """What is seen where something else lies than the piece that stands there."""
    radius = PAIR.lid_px / 2
    if rng.uniform() < STRANGER:
        some = [other for other in frames[int(rng.integers(len(frames)))] if other.piece]
        if some:
            cover = _disc(np.zeros(2), radius * rng.uniform(1.0, 1.2), 1.0)
            return np.asarray(one.now * (1 - cover) + some[int(rng.integers(len(some)))].now * cover)
    gone = _disc(np.zeros(2), radius * rng.uniform(1.05, 2.4), 2.0)
    board = one.now * (1 - gone) + one.then * rng.normal(1, 0.03) * gone
    thing = THINGS[int(rng.integers(len(THINGS)))]
    return thing(board, one, rng, rng.normal(0, 0.1, 2) * radius, radius * rng.uniform(0.45, 1.15))


def draw(things: Frame, frames: list[Frame], rng: np.random.Generator) -> Drawn:
    """Six things of a frame, in one other light."""
    pieces, others = ([one for one in things if one.piece == is_piece] for is_piece in (True, False))
    chosen: list[tuple[Example, Array, bool]] = []
    strange = int(rng.choice(3, p=OTHERS))
    dressed, dress = rng.uniform() < REDRESSED, int(rng.integers(1 << 31))
    well = PAIR.lid_px / 2 * rng.uniform(0.45, 0.8)
    for k, at in enumerate(rng.permutation(len(pieces))[:6]):
        one = pieces[int(at)]
        if k >= strange:
            middle = (WIDE + 1) / 2
            as_seen: Array = one.now
            if dressed:
                state = np.random.default_rng(dress)
                as_seen = redressed(one.now, [(middle, middle, 1)], 1.0, state, PAIR.lid_px)
            if rng.uniform() < MARKED:
                as_seen = _marked(as_seen, rng, well)
            chosen.append((one, as_seen, True))
        elif others and rng.uniform() < AS_IT_LIES:
            other = others[int(rng.integers(len(others)))]
            chosen.append((other, other.now, False))
        else:
            chosen.append((one, _instead(one, frames, rng), False))
    turn, flip, zoom = rng.uniform(0, 2 * np.pi), int(rng.choice([-1, 1])), zooms(rng)
    light, state_of = Light(rng, foreign=True), int(rng.integers(1 << 31))
    cuts = []
    for one, now, _ in chosen:
        if rng.uniform() < SHINES:
            now = _shining(now, rng)
        if rng.uniform() < SHADED:
            now = now * rng.uniform(0.4, 1.0)
        shown, then, away = one.draw(np.clip(now, 0, 255).astype(np.uint8), rng, turn, flip, zoom)
        cuts.append([*disturb(shown, then, np.random.default_rng(state_of), light), away])
    return _shown(cuts), np.array([piece for *_, piece in chosen])


def _shown(cuts: list[list[Array]]) -> Array:
    nows, thens = ([cut[k] for cut in cuts] for k in (0, 1))
    return as_blob(nows, thens, [(float(cut[2][0]), float(cut[2][1])) for cut in cuts], in_hues)


def load(sessions: list[Path]) -> list[Frame]:
    """The pieces of every frame of these sessions, and what else could be taken for one."""
    frames = []
    for session in sessions:
        for shot in shots(session):
            if shot.hand or not shot.pieces:
                continue
            diameter, height = shot.piece_mm
            stand = towers(shot)
            every = np.array([seen_at(shot.view, (x, y), level, height) for x, y, level, _ in stand])
            pieces = [
                Example(shot, (x, y), height * level, True) for x, y, level, _ in stand if level <= LEVELS
            ]
            believed = look_at_ring(shot.change, shot.view, shot.layout, shot.piece_mm).lids
            false = [
                (x, y) for x, y, _ in believed if (np.hypot(*(every - (x, y)).T) > 0.45 * diameter).all()
            ]
            dice = [(float(die["x"]), float(die["y"])) for die in shot.dice]
            frames.append(pieces + [Example(shot, at, height, False) for at in [*false[:8], *dice[:8]]])
    return frames


def together(drawn: list[Drawn]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """What is shown, which frame it is in, and whether it is a piece; N each."""
    frame = numbered([len(pieces) for _, pieces in drawn])
    shown, pieces = (np.concatenate([one[k] for one in drawn]) for k in (0, 1))
    return torch.from_numpy(shown), torch.from_numpy(frame), torch.from_numpy(pieces.astype(np.float32))


def judge(net: AmongNet, frames: list[Frame]) -> str:
    """How far pieces and others are told apart, drawn as they are learned from, always the same ones."""
    if not frames:
        return ""
    rng = np.random.default_rng(5)
    odds, truth = [], []
    with torch.no_grad():
        for things in frames * 3:
            shown, frame, pieces = together([draw(things, frames, rng)])
            odds.append(net(shown, frame)[:, 0].numpy())
            truth.append(pieces.numpy() > 0)
    told, piece = np.concatenate(odds), np.concatenate(truth)
    low = np.percentile(told[piece], [0.1, 1])
    loss = np.logaddexp(0, np.where(piece, -told, told)).mean()
    above = [(told[~piece] > least).mean() for least in low]
    return (
        f"loss {loss:.4f}, of {piece.sum()} pieces a thousandth below {low[0]:.1f}, a hundredth below "
        f"{low[1]:.1f}; of {(~piece).sum()} others so much more {above[0]:.3f} {above[1]:.3f}"
    )


def main() -> None:
    """Train, judge, export."""
    told = asked(__doc__)
    frames, left_out = load(told.sessions), load(told.left_out)
    frames = [things for things in frames if sum(one.piece for one in things) > 3]
    print(f"{sum(map(len, frames))} things, {len(frames)} frames, {len(left_out)} left out", flush=True)
    rng = np.random.default_rng(told.seed)
    net = network()

    def batch() -> torch.Tensor:
        chosen = rng.choice(len(frames), 12)
        shown, frame, pieces = together([draw(frames[int(k)], frames, rng) for k in chosen])
        return nn.functional.binary_cross_entropy_with_logits(net(shown, frame)[:, 0], pieces)

    teach(net, told, batch, lambda: judge(net, left_out), 8, PAIR.size)


if __name__ == "__main__":
    main()
