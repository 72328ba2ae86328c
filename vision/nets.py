"""The small networks, trained by the scripts in tests/pictures and run by OpenCV.

A network keeps numbers between calls: one thread at a time may read.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
from importlib.resources import as_file, files
from typing import Any

import cv2
import numpy as np

from vision.geometry import Floats, Image

_CLASSIC = [cv2.dnn.ENGINE_CLASSIC] if hasattr(cv2.dnn, "ENGINE_CLASSIC") else []
"""OpenCV 5 has another engine besides, which takes longer for plain convolutions of 3 x 3.

docs/benchmarks.md has the times.
"""
_BY_THE_OTHER = ("pieces", "markers-fine", "alike", "alike-among")
"""Networks for which that other one is quicker; those of the first have gaps in their convolutions."""


@cache
def _network(name: str) -> Any:
    return _loaded(name)


def _loaded(name: str) -> Any:
    engine = [] if name in _BY_THE_OTHER else _CLASSIC
    # By its path: where it reads a network from memory, OpenCV 5.0 ignores the engine it is told.
    with as_file(files("vision").joinpath("weights", f"{name}.onnx")) as path:
        return cv2.dnn.readNetFromONNX(str(path), *engine)


def ask(name: str, blob: Floats) -> Floats:
    """What the network `name` says to float32 (N, channels, height, width)."""
    return _said(_network(name), blob)


def borrowed(name: str) -> Callable[[Floats], Floats]:
    """The network `name`, to be asked as by `ask`, for as long as the caller keeps it.

    What it holds of a whole photograph, some hundred megabytes, goes with it.
    """
    return partial(_said, _loaded(name))


def _said(network: Any, blob: Floats) -> Floats:
    network.setInput(blob)
    return np.asarray(network.forward())


def ask_beside(name: str, blob: Floats) -> Floats:
    """What a pair of networks, `name` and `name`-beside, says to each of several things of one frame.

    The first sees each by itself, float32 (N, channels, height, width); the second is told what the first
    made of it, and of the others.
    """
    return ask(f"{name}-beside", beside(ask(name, blob)))


def beside(codes: Floats) -> Floats:
    """What the second network takes, (N, 2 C, 1, 1): each thing's code, and the others' mean.

    `codes` (N, C + 1, 1, 1), of the first: the last number says how much a thing counts among the others.
    """
    code, weight = codes[:, :-1], codes[:, -1:]
    counted = code * weight
    others = (counted.sum(axis=0) - counted) / (weight.sum(axis=0) - weight + 1e-3)
    return np.concatenate([code, others], axis=1, dtype=np.float32)


def ask_among(name: str, blob: Floats) -> Floats:
    """What networks `name`, `name`-among and `name`-beside say to each of several things of one frame.

    As `ask_beside`, but a thing is compared with each of the others, and the last network is told the mean of
    what comes of that (Santoro et al., "A simple neural network module for relational reasoning", 2017).
    """
    codes = ask(name, blob)
    code, weight = codes[:, :-1], codes[:, -1:]
    told = np.zeros_like(code)
    one, other = np.nonzero(~np.eye(len(code), dtype=bool))
    if len(one):
        compared = ask(f"{name}-among", np.concatenate([code[one], code[other]], axis=1)) * weight[other]
        np.add.at(told, one, compared)
        told /= weight.sum(axis=0) - weight + 1e-3
    return ask(f"{name}-beside", np.concatenate([code, told], axis=1))


def planes(pictures: Sequence[Image]) -> Floats:
    """BGR uint8 pictures of one size -> float32 (N, 3, H, W), about -1 to 1."""
    # OpenCV's own `blobFromImages` takes up to eight times as long.
    shown = np.stack(pictures).transpose(0, 3, 1, 2)
    blob = np.empty(shown.shape, dtype=np.float32)
    np.subtract(shown, 128, out=blob, dtype=np.float32)
    blob /= 128
    return blob


def planes_and(pictures: Sequence[Image], numbers: Sequence[float], most: float) -> Floats:
    """`planes` with a fourth channel: a number of each picture, 0 to `most`, or that, as -1 to 1."""
    told = np.minimum(np.array(numbers, dtype=np.float32), most) / (most / 2) - 1
    shown = planes(pictures)
    return np.concatenate([shown, np.broadcast_to(told[:, None, None, None], shown[:, :1].shape)], axis=1)


def shares(scores: Floats) -> Floats:
    """Scores as likelihoods that add up to 1 along the last axis."""
    told = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return np.asarray(told / told.sum(axis=-1, keepdims=True))


def likely(odds: Floats | float) -> Floats:
    """A log of odds as a likelihood, 0 to 1."""
    return np.asarray(1 / (1 + np.exp(-np.clip(odds, -40, 40))))


def logit(likely: Floats | float, least: float = 1e-15) -> Floats:
    """A likelihood, 0 to 1, as the log of its odds; nothing is nearer to 0 or 1 than `least`."""
    told = np.clip(likely, least, 1 - least)
    return np.asarray(np.log(told / (1 - told)))
