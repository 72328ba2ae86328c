"""How well dice fit the colours of their set, where that is in doubt: a network weighs what is seen.

It is shown each die beside each colour as that was learned, and what all six have in common: light and lens
change them alike, a lamp that is mirrored in a top changes one. It learned from dice of rendered sets, and
from strangers that lay in the place of one.
"""

from __future__ import annotations

import numpy as np

from vision.geometry import Floats
from vision.hues import as_features
from vision.looks import MIDDLE, RIM, likeness
from vision.nets import ask
from vision.profile import DieColour

LEAST, MOST = -12.0, 4.0
"""Logs of a likeness less than the first, and numbers farther from 0 than the second, say nothing more."""
FARTHEST = -20.0
"""No colour is less likely than this, in log odds, beside the one that a die fits best."""


def own_odds(tops: Floats, sides: Floats, colours: tuple[DieColour, ...]) -> Floats:
    """(N, C) the log odds that each of N dice, and no stranger, is each colour's, whose rims and sides were
    learned.

    `tops` (N, 3, 3): the 8-bit Lab colours of each top if its pips are darker, if they are lighter, and of
    its rim; `sides` (N, 3).
    """
    shown = features(tops, sides, colours)
    odds = ask("names", shown.reshape(-1, shown.shape[-1], 1, 1)).reshape(shown.shape[:2])
    return np.asarray(odds, dtype=np.float64)


def fits(odds: Floats) -> Floats:
    """(N, C) how well each of N dice fits each colour, 0 to 1: e to their `own_odds`, but no more than 1 for
    the colour that the die fits best."""
    best = np.maximum(odds.max(axis=1, keepdims=True), 0)
    return np.asarray(np.exp(np.maximum(odds - best, FARTHEST)))


def features(tops: Floats, sides: Floats, colours: tuple[DieColour, ...]) -> Floats:
    """(N, C, F) float32: what the network is shown of each die beside each colour."""
    bright = [int(colour.bright_pips) for colour in colours]
    seen = np.stack([np.stack([tops[:, pips], tops[:, 2], sides], axis=1) for pips in bright], axis=1)
    learned: Floats = np.array([[colour.lab, colour.rim, colour.sides] for colour in colours])
    parts = [*_of_pairs(seen, learned), *_of_likeness(seen, learned), np.broadcast_to(bright, seen.shape[:2])]
    every = [part.reshape(*seen.shape[:2], -1) for part in parts]
    return np.asarray(np.clip(np.concatenate(every, axis=2), -MOST, MOST), dtype=np.float32)


def _of_pairs(seen: Floats, learned: Floats) -> list[Floats]:
    """Middle, rim and sides of (N, C, 3, 3) Lab colours beside those that were learned, (C, 3, 3)."""
    now, then = (as_features(lab.reshape(-1, 3)).reshape(lab.shape) for lab in (seen, learned))
    then = np.broadcast_to(then, now.shape)
    off, strengths = now - then, [np.linalg.norm(one[..., 1:], axis=3) for one in (now, then)]
    crossed = now[..., [2, 0], :] - then[..., [0, 2], :]
    others = np.linalg.norm(then[0, :, None] - then[0], axis=3) + 9 * np.eye(len(learned))[..., None]
    common = [one.mean(axis=(0, 1)) for one in (off[..., 0], strengths[0] - strengths[1])]
    return [
        off * (1, 10, 10),
        10 * np.linalg.norm(off[..., 1:], axis=3),
        10 * (strengths[0] - strengths[1]),
        now * (2, 5, 5),
        then * (2, 5, 5),
        crossed[..., 0],
        10 * np.linalg.norm(crossed[..., 1:], axis=3),
        np.broadcast_to(common[0], off.shape[:3]),
        np.broadcast_to(10 * common[1], off.shape[:3]),
        np.broadcast_to(5 * others.min(axis=1), off.shape[:3]),
    ]


def _of_likeness(seen: Floats, learned: Floats) -> list[Floats]:
    """The logs of how alike middle, rim and sides are; of the whole, alone and against the others."""
    each = np.empty(seen.shape[:3])
    for colour, lab in enumerate(learned.tolist()):
        for part, spread in enumerate((MIDDLE, RIM, RIM)):
            each[:, colour, part] = likeness(seen[:, colour, part], tuple(lab[part]), spread)
    logs = np.maximum(np.log(np.maximum(each, 1e-9)), LEAST)
    whole = logs.mean(axis=2)
    return [logs / 4, *((whole - away) / 3 for away in (0, whole.max(axis=0), whole.max(axis=1)[:, None]))]
