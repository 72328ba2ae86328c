"""What cameras, lamps and files do to a photograph: the same table again, in another light or less sharp."""

from __future__ import annotations

from collections.abc import Callable
from zlib import crc32

import cv2
import numpy as np

from companion.cameras import Camera
from vision.geometry import Floats, Image

Disturb = Callable[[Image, np.random.Generator], Image]


def _darker(frame: Image, _: np.random.Generator) -> Image:
    return np.asarray(cv2.convertScaleAbs(frame, alpha=0.6), np.uint8)


def _turned(frame: Image, _: np.random.Generator) -> Image:
    return np.asarray(cv2.rotate(frame, cv2.ROTATE_180), np.uint8)


def _warmer(frame: Image, _: np.random.Generator) -> Image:
    return _clipped(frame * np.array([0.85, 0.97, 1.05], np.float32))


def _blurred(frame: Image, _: np.random.Generator) -> Image:
    return np.asarray(cv2.GaussianBlur(frame, (0, 0), 1.2), np.uint8)


def _pressed(frame: Image, _: np.random.Generator) -> Image:
    kept = cv2.imencode(".jpg", frame, (cv2.IMWRITE_JPEG_QUALITY, 50))[1]
    return np.asarray(cv2.imdecode(kept, cv2.IMREAD_COLOR), np.uint8)


def _falling_off(frame: Image, rng: np.random.Generator) -> Image:
    """Light from 110 % on one side to 70 % on the other."""
    height, width = frame.shape[:2]
    turn = rng.uniform(0, 2 * np.pi)
    x, y = np.linspace(-1, 1, width, dtype=np.float32), np.linspace(-1, 1, height, dtype=np.float32)
    along = (x * np.cos(turn))[None, :] + (y * np.sin(turn))[:, None]
    return _clipped(frame * (0.9 + 0.2 * along / np.abs(along).max())[..., None])


def _noisy(frame: Image, rng: np.random.Generator) -> Image:
    grain = rng.standard_normal(frame.shape, np.float32)
    return _clipped(frame + 6 * grain)


def _shifted(frame: Image, rng: np.random.Generator) -> Image:
    """By a quarter to three quarters of a pixel each way."""
    shift = rng.uniform(0.25, 0.75, 2) * rng.choice((-1, 1), 2)
    move = np.array([[1, 0, shift[0]], [0, 1, shift[1]]])
    size = (frame.shape[1], frame.shape[0])
    return np.asarray(cv2.warpAffine(frame, move, size, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def _veiled(frame: Image, _: np.random.Generator) -> Image:
    """A lamp shines into the lens."""
    return np.asarray(cv2.convertScaleAbs(frame, alpha=0.88, beta=30), np.uint8)


def _in_other_tones(frame: Image, rng: np.random.Generator) -> Image:
    """As a camera gives it that lightens or darkens the middle tones of what it sees."""
    power = rng.uniform(1.15, 1.35) ** rng.choice((-1, 1))
    return np.asarray(cv2.LUT(frame, _clipped(255 * np.linspace(0, 1, 256) ** power)), np.uint8)


def _in_other_colours(frame: Image, rng: np.random.Generator) -> Image:
    """As a camera gives it that makes what it sees more colourful, or less."""
    return Camera(colourful=rng.uniform(1.15, 1.3) ** rng.choice((-1, 1))).takes(frame)


def _in_shadow(frame: Image, rng: np.random.Generator) -> Image:
    """An arm or a head throws a shadow, as wide as an eighth to a third of the photo, from one edge in."""
    height, width = frame.shape[:2]
    end, turn = rng.uniform(0.2, 0.8, 2) * (width, height), rng.uniform(0, 2 * np.pi)
    along = np.array([np.cos(turn), np.sin(turn)])
    aside, far = np.array([-along[1], along[0]]) * rng.uniform(0.06, 0.16) * width, 2 * width * along
    outline = np.array([end + aside, end + far + 1.4 * aside, end + far - 1.4 * aside, end - aside])
    shadow = cv2.fillPoly(np.zeros((height, width), np.float32), [outline.astype(np.int32)], 1.0)
    shadow = cv2.GaussianBlur(shadow, (0, 0), rng.uniform(0.005, 0.016) * width)
    return _clipped(frame * (1 - rng.uniform(0.25, 0.5) * shadow[..., None]))


def _flickering(frame: Image, rng: np.random.Generator) -> Image:
    """Bands of a lamp on the mains: the rows of a frame are exposed one after the other."""
    turn = 2 * np.pi * (rng.uniform(1.2, 4.5) * np.arange(len(frame)) / len(frame) + rng.uniform())
    wave = (np.cos(turn) + 0.3 * np.cos(2 * turn + 1)) / 1.15
    return _clipped(frame * (1 + rng.uniform(0.03, 0.1) * wave)[:, None, None])


DISTURBANCES: dict[str, Disturb] = {
    "turned": _turned,
    "darker": _darker,
    "warmer": _warmer,
    "blurred": _blurred,
    "JPEG 50": _pressed,
    "light falling off": _falling_off,
    "noise": _noisy,
    "shifted": _shifted,
    "veiled": _veiled,
    "other tones": _in_other_tones,
    "other colours": _in_other_colours,
    "in shadow": _in_shadow,
    "flickering": _flickering,
}


def disturbed(frame: Image, how: str, seed: str) -> Image:
    """`frame`, BGR uint8 (H, W, 3), disturbed in one way; the same `seed` always disturbs it the same."""
    return DISTURBANCES[how](frame, np.random.default_rng(crc32(f"{seed} {how}".encode())))


def _clipped(frame: Floats) -> Image:
    return np.asarray(np.clip(frame, 0, 255), np.uint8)
