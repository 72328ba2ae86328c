"""Trains the networks of the markers: `python -m tests.pictures.train_markers OUT.onnx SESSIONS...`.

There are two pairs of them; with `--fine` it is the one that sees photos at their whole size. With `--among`
it is the third look, in which a network between compares pieces. They learn to say what colour stands in a
piece, in the words of the set's own dice: the dice of each session's frames are looked at, and the marker
must be nearer to its own die than to the others. Pieces are shown as a game has them, six of one frame
together. Most markers are seen in other colours than they were rendered in; and often one of the set's
colours is put as near as can be to what a bare piece shows, so that form, not a lucky set, tells that it is
bare. Beside OUT.onnx is written OUT-beside.onnx.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from tests.pictures.beside import AmongNet, BesideNet, numbered, teach
from tests.pictures.crops import Shot, shots, through, towers
from tests.pictures.learning import (
    Light,
    asked,
    block,
    disturb,
    some_camera,
    through_cameras,
    zooms,
)
from tests.pictures.recolour import COLOURFUL, marker_mask, recoloured
from vision.faces import read_face
from vision.hues import as_features, in_hues
from vision.looks import look
from vision.marker_lids import cut
from vision.marker_net import PAIRS, Pair
from vision.squares import as_blob, lean

Array = NDArray[Any]
RECOLOURED, ALIKE = 0.75, 0.6
"""How often a marker is seen in another colour, and one of the set's colours looks like bare metal."""
MARKED = [0.3, 0.14, 0.14, 0.13, 0.11, 0.1, 0.08]
"""How often 0, 1, ... 6 of six pieces carry one: far oftener than in games."""


def network(pair: Pair, among: bool, wide: int = 24) -> BesideNet:
    """A piece's 8 channels -> how likely bare, the colour seen (3 features) and how exactly each (3)."""
    body = nn.Sequential(
        *block(8, wide, pair.size // 28),
        *block(wide, wide, 2),
        *block(wide, 2 * wide, 2),
        *block(2 * wide, 2 * wide),
        *block(2 * wide, 2 * wide, 2),
    )
    return (AmongNet if among else BesideNet)(body, 2 * wide, 4, 7)


class Example:
    """A piece's top, what is in it (-1: bare) and the six looks it may be."""

    def __init__(
        self, shot: Shot, tower: tuple[float, float, int, str | None], looks: Array, pair: Pair
    ) -> None:
        x, y, level, _ = tower
        diameter, height = shot.piece_mm
        lid = (x, y, height * level)
        # Wide enough to be turned.
        wide = pair._replace(size=round(1.5 * pair.size))
        self.now, self.then = cut(shot.frame, shot.empty, shot.change, shot.view, lid, diameter, wide)
        self.pair, self.lean = pair, lean(shot.view, (x, y), lid[2])
        self.looks = looks
        self.kind = -1
        self.mask: Array | None = None
        """Where its marker is, if that can be told."""
        self.where = f"{shot.session}/{shot.name}"

    def cut(self, now: Array, rng: np.random.Generator | None, turn: float, flip: int) -> list[Array]:
        """`now` and the empty photo, (size, size, 3), and the lean (2,), turned, and shaken a little."""
        size = self.pair.size
        zoom, shake = (1.0, np.zeros(2)) if rng is None else (zooms(rng), rng.normal(0, 0.05, 2))
        c, s = np.cos(turn) * zoom, np.sin(turn) * zoom
        spin = np.array([[c * flip, -s], [s * flip, c]])
        a, b = (len(now) - 1) / 2, (size - 1) / 2
        shift = b + shake * self.pair.lid_px - spin @ np.array([a, a])
        move = np.hstack([spin, shift[:, None]])
        cuts = [
            cv2.warpAffine(p, move, (size, size), borderMode=cv2.BORDER_REPLICATE) for p in (now, self.then)
        ]
        return [*cuts, spin @ np.array(self.lean) / zoom]


Frame = list[Example]
Drawn = tuple[Array, Array, Array]
"""(N, 8, size, size) what is shown, (6, 3) the set's looks as features, (N,) which it is (0: bare, 1..6)."""


def as_it_is(pieces: Frame) -> Drawn:
    """All pieces of a frame."""
    cuts = [one.cut(one.now, None, 0.0, 1) for one in pieces]
    return _shown(cuts), as_features(pieces[0].looks), np.array([one.kind + 1 for one in pieces])


def draw(pieces: Frame, rng: np.random.Generator) -> Drawn:
    """Six of a frame's pieces, or as many as there are, no colour twice; all in one other light."""
    looks = pieces[0].looks
    chosen, taken = _six(pieces, rng)
    turn, flip = rng.uniform(0, 2 * np.pi), int(rng.choice([-1, 1]))
    # The dice's colours go through the same change of light as the pictures.
    light, state = Light(rng, foreign=True, grey=0), int(rng.integers(1 << 31))
    bgr = cv2.cvtColor(looks[None].astype(np.uint8), cv2.COLOR_LAB2BGR)
    looks = cv2.cvtColor(np.clip(light.on(bgr), 0, 255).astype(np.uint8), cv2.COLOR_BGR2LAB)[0].astype(float)
    looks = np.clip(looks + rng.normal(0, (6, 2, 2), (6, 3)), 1, 254)
    cuts, bare = [], []
    for one, now, kind in chosen:
        now, then, away = one.cut(now, rng, turn, flip)
        now, then = disturb(now, then, np.random.default_rng(state), light, fine=one.pair.size / 28)
        cuts.append([now, then, away])
        bare += [(now, then)] if kind < 0 else []
    alike = int(rng.integers(6))
    if bare and alike not in taken and rng.uniform() < ALIKE:
        looks[alike] = _as_if_bare(rng, *bare[int(rng.integers(len(bare)))])
    return _shown(cuts), as_features(looks), np.array([kind + 1 for _, _, kind in chosen])


def _six(pieces: Frame, rng: np.random.Generator) -> tuple[list[tuple[Example, Array, int]], set[int]]:
    """Some pieces, each with the picture and the kind it is shown as; and the colours that are there."""
    bare, marked = ([p for p in pieces if (p.kind < 0) == is_bare] for is_bare in (True, False))
    looks, taken = pieces[0].looks, set[int]()
    chosen: list[tuple[Example, Array, int]] = []
    marks = min(int(rng.choice(7, p=MARKED)), len(marked))
    for k in rng.permutation(len(marked))[:marks]:
        one = marked[int(k)]
        now, kind = one.now, one.kind
        if one.mask is not None and rng.uniform() < RECOLOURED:
            free = np.array([colour for colour in range(6) if colour not in taken])
            # Those with little colour are the hardest to tell from metal.
            share = np.where(np.hypot(*(looks[free, 1:] - 128).T) < COLOURFUL, 3.0, 1.0)
            kind = int(rng.choice(free, p=share / share.sum()))
            now = recoloured(now, one.mask, looks[one.kind], looks[kind])
        if kind not in taken:
            taken.add(kind)
            chosen.append((one, now, kind))
    others = rng.permutation(len(bare))[: 6 - marks]
    return chosen + [(bare[int(k)], bare[int(k)].now, -1) for k in others], taken


def _as_if_bare(rng: np.random.Generator, now: Array, then: Array) -> Array:
    """A Lab colour like the middle of a bare piece in the frame, or of its place in the empty photo, BGR."""
    middle, near = len(now) // 2, len(now) // 9
    inner = slice(middle - near, middle + near)
    source = now if rng.uniform() < 0.8 else then
    bgr = np.clip(source[inner, inner].mean(axis=(0, 1)), 0, 255).astype(np.uint8)
    lab = cv2.cvtColor(bgr[None, None], cv2.COLOR_BGR2LAB)[0, 0].astype(float)
    return np.clip(lab + rng.normal(0, (10, 4, 4)), 1, 254)


def _shown(cuts: list[list[Array]]) -> Array:
    nows, thens = ([cut[k] for cut in cuts] for k in (0, 1))
    return as_blob(nows, thens, [(float(cut[2][0]), float(cut[2][1])) for cut in cuts], in_hues)


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
                lab = look(shot.frame, shot.view, face, shot.die_mm, shot.change.lights.middle)
                seen.setdefault(die["colour"], []).append(np.array(lab))
    return {name: np.median(np.array(rows), axis=0) for name, rows in seen.items()}


def load(sessions: list[Path], pair: Pair, cameras: int, rng: np.random.Generator) -> list[Frame]:
    """The pieces of every frame of these sessions, as rendered and as so many other cameras would give it."""
    frames = []
    for session in sessions:
        every = list(shots(session))
        frames += _pieces_of(every, pair)
        for _ in range(cameras):
            camera = some_camera(rng)
            frames += _pieces_of([through(camera, shot, rng) for shot in every], pair)
    return frames


def _pieces_of(every: list[Shot], pair: Pair) -> Iterator[Frame]:
    """The pieces of every frame of one session; none where fewer than four colours of dice are seen."""
    looks = session_looks(every)
    names = sorted(looks)
    if len(names) < 4:
        return
    palette = np.array([looks[name] for name in names])
    palette = np.concatenate([palette, np.repeat(palette[:1], 6 - len(names), axis=0)])
    for shot in every:
        frame: Frame = []
        for tower in [] if shot.hand else towers(shot):
            if tower[3] is not None and tower[3] not in names:
                continue
            one = Example(shot, tower, palette, pair)
            if tower[3] is not None:
                one.kind = names.index(tower[3])
                one.mask = marker_mask(one.now, palette[one.kind], 0.6 * pair.lid_px)
            frame.append(one)
        if frame:
            yield frame


def together(drawn: list[Drawn]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """What is shown, which frame it is in, the looks it may be, and which it is; N each."""
    frame = numbered([len(kinds) for _, _, kinds in drawn])
    shown, kinds = (np.concatenate([one[k] for one in drawn]) for k in (0, 2))
    looks = np.stack([looks for _, looks, _ in drawn])[frame]
    return torch.from_numpy(shown), torch.from_numpy(frame), torch.from_numpy(looks), torch.from_numpy(kinds)


def scores_of(said: torch.Tensor, looks: torch.Tensor) -> torch.Tensor:
    """(N, 7): bare, and the six colours by the distance from the colour seen."""
    spread = torch.exp(said[:, None, 4:7].clamp(-1, 4.5))
    return torch.cat([said[:, :1], -(((said[:, None, 1:4] - looks) * spread) ** 2).sum(2)], dim=1)


def judge(net: BesideNet, frames: list[Frame]) -> str:
    """How many are told rightly, how likely the right ones were, and how sure the wrong ones."""
    shown, frame, looks, kinds = together([as_it_is(pieces) for pieces in frames])
    with torch.no_grad():
        p = torch.softmax(scores_of(net(shown, frame), looks), dim=1).numpy()
    kind = kinds.numpy()
    wrong, sure = p.argmax(1) != kind, p.max(1) > 0.999
    names = [one.where for pieces in frames for one in pieces]
    missed = [names[i] for i in np.flatnonzero(wrong)[:5]]
    loss = -np.log(p[np.arange(len(kind)), kind]).mean()
    return (
        f"of {len(kind)} ({(kind > 0).sum()} marked) wrong {wrong.sum()}, loss {loss:.4f}, sure "
        f"{sure.mean():.2f}, of them wrong {(sure & wrong).sum()} {missed}"
    )


def _which(parse: argparse.ArgumentParser) -> None:
    kind = parse.add_mutually_exclusive_group()
    kind.add_argument("--fine", action="store_true", help="photos at their whole size")
    through_cameras(parse)
    kind.add_argument("--among", action="store_true", help="pieces are compared with each other")


def main() -> None:
    """Train, judge, export; frames that are hard to tell come more often."""
    told = asked(__doc__, _which)
    pair = PAIRS[told.fine]
    rng = np.random.default_rng(told.seed)
    left_out = load(told.left_out, pair, told.cameras, rng)
    frames = load(told.sessions, pair, told.cameras, rng)
    frames = [pieces for pieces in frames if sum(one.kind < 0 for one in pieces) > 1]
    print(f"{sum(map(len, frames))} pieces in {len(frames)} frames, {len(left_out)} left out", flush=True)
    net = network(pair, told.among)
    hard = np.full(len(frames), 0.5)

    def batch() -> torch.Tensor:
        chosen = rng.choice(len(frames), 12, p=hard / hard.sum())
        shown, frame, looks, kinds = together([draw(frames[int(k)], rng) for k in chosen])
        losses = nn.functional.cross_entropy(scores_of(net(shown, frame), looks), kinds, reduction="none")
        each = losses.detach().clamp(max=2).numpy()
        for k, one in enumerate(chosen):
            hard[one] = 0.7 * hard[one] + 0.3 * (0.15 + each[frame.numpy() == k].mean())
        worth = torch.where(kinds > 0, 1.5, 1.0)
        return (losses * worth).sum() / worth.sum()

    teach(net, told, batch, lambda: judge(net, left_out), 8, pair.size)


if __name__ == "__main__":
    main()
