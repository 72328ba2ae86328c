"""How dice are painted, and what is printed that only resembles them: for drawn and rendered dice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.pictures.prints import (
    Picture,
    Rng,
    cloud,
    colour,
    draw_board,
    draw_note,
    draw_table,
    random_layout,
)

FACE_PX = 96
"""Side of one painted face, pixels."""
NAMED = {
    "red": (40, 30, 190), "blue": (190, 70, 35), "green": (60, 120, 30), "yellow": (30, 195, 235),
    "white": (224, 230, 232), "black": (34, 32, 32), "orange": (20, 125, 245), "purple": (150, 40, 95),
    "brown": (35, 55, 95), "pink": (180, 130, 240), "ivory": (185, 220, 235), "turquoise": (170, 165, 30),
    "grey": (128, 128, 128), "wood": (120, 170, 210),
}  # fmt: skip
"""Colours in which dice are sold, BGR."""
_DIAGONAL, _CORNERS = [(-1, -1), (1, 1)], [(-1, -1), (1, 1), (1, -1), (-1, 1)]
SPOTS = {
    1: [(0, 0)], 2: _DIAGONAL, 3: [*_DIAGONAL, (0, 0)], 4: _CORNERS, 5: [*_CORNERS, (0, 0)],
    6: [*_CORNERS, (-1, 0), (1, 0)],
}  # fmt: skip


@dataclass(frozen=True)
class Style:
    """What the dice of one set have in common; lengths as parts of the side, colours BGR."""

    face: tuple[float, float, float]
    pip: tuple[float, float, float]
    ace: tuple[float, float, float]
    radius: float
    ace_radius: float
    offset: float
    six_row: float
    soft: float
    shape: str
    finish: str
    second: tuple[float, float, float]
    wear: float
    rounding: float
    ball: float
    dent: float
    rough: float
    coat: float
    glass: float
    square_edge: float

    @classmethod
    def random(cls, rng: Rng) -> Style:
        """Any set of dice a shop has, and some that none has."""
        face = _face_colour(rng)
        pip = _pip_colour(rng, face)
        radius = float(rng.uniform(0.065, 0.125))
        asian = rng.uniform() < 0.1
        offset = float(rng.uniform(max(0.17, 1.12 * radius), 0.3))
        shape = str(rng.choice(["disc"] * 12 + ["ring", "square", "star"]))
        finish = str(
            rng.choice(
                ["plain"] * 8 + ["marble", "marble", "pearl", "specks", "wood", "halves", "rim", "worn"]
            )
        )
        return cls(
            face, pip, (30.0, 30.0, 200.0) if asian and sum(face) > 450 else pip, radius,
            radius * float(rng.uniform(1.3, 2.1)) if asian else radius * float(rng.choice([1, 1, 1, 1.15])),
            offset, offset * float(rng.choice([1.0, 1.0, 1.0, rng.uniform(0.85, 1.1)])),
            float(rng.uniform(0.003, 0.02)), shape, finish, colour(rng, 20, 255),
            float(rng.choice([0, 0, rng.uniform(0.2, 1)])),
            float(rng.choice([rng.uniform(0.02, 0.06), rng.uniform(0.05, 0.2), rng.uniform(0.1, 0.32)])),
            float(rng.choice([9.0, 9.0, rng.uniform(1.28, 1.6)])),
            float(rng.choice([0, rng.uniform(0.2, 1), rng.uniform(0.3, 1)])),
            float(rng.choice([rng.uniform(0.05, 0.25), rng.uniform(0.3, 0.7)])),
            float(rng.choice([0, 0, rng.uniform(0.2, 1)])),
            float(rng.choice([0, 0, 0, 0, rng.uniform(0.3, 0.95)])),
            float(rng.uniform(0.4, 1.0)),
        )  # fmt: skip


def _face_colour(rng: Rng) -> tuple[float, float, float]:
    if rng.uniform() < 0.3:
        return colour(rng, 25, 250)
    base = np.array(NAMED[str(rng.choice([*NAMED, "white", "white", "red", "black"]))], float)
    tone = np.clip(base * rng.uniform(0.7, 1.2) + rng.normal(0, 14, 3), 4, 252)
    return tuple(float(v) for v in tone)  # type: ignore[return-value]


def _pip_colour(rng: Rng, face: tuple[float, float, float]) -> tuple[float, float, float]:
    light = float(np.dot(face, (0.114, 0.587, 0.299)))
    for _ in range(50):
        pick = rng.uniform()
        if pick < 0.75:
            white = light < 90 or (light < 175 and rng.uniform() < 0.6)
            tone = np.ones(3) * (rng.uniform(205, 252) if white else rng.uniform(8, 50))
        elif pick < 0.83:
            tone = np.array((60, 165, 215)) * rng.uniform(0.7, 1.15)
        else:
            tone = np.array(colour(rng, 20, 255))
        tone = np.clip(tone + rng.normal(0, 6, 3), 0, 255)
        apart = abs(float(np.dot(tone, (0.114, 0.587, 0.299))) - light)
        if apart > 38 or (apart > 18 and np.abs(tone - np.array(face)).max() > 110):
            break
    return tuple(float(v) for v in tone)  # type: ignore[return-value]


def paint(rng: Rng, style: Style) -> tuple[Picture, NDArray[Any]]:
    """The six faces side by side, one first: BGR (P, 6 P, 3), and how deep each place lies (P, 6 P), 0..1."""
    n = FACE_PX
    skin = _skin(rng, style, n, 6 * n)
    depth = np.zeros((n, 6 * n), np.float32)
    at = (np.arange(n) + 0.5) / n - 0.5
    x, y = np.meshgrid(at, at)
    mirror = rng.integers(2, size=6) * 2 - 1
    for value in range(1, 7):
        part = slice((value - 1) * n, value * n)
        radius = style.ace_radius if value == 1 else style.radius
        ink = np.array(style.ace if value == 1 else style.pip, np.float32)
        for u, v in SPOTS[value]:
            out = style.six_row if value == 6 and v == 0 else style.offset
            shift = rng.normal(0, 0.004, 2)
            d = _spot(
                style.shape,
                x - u * out * mirror[value - 1] - shift[0],
                y - v * style.offset - shift[1],
                radius,
            )
            cover = np.clip(0.5 - d / style.soft, 0, 1).astype(np.float32)
            if style.wear and rng.uniform() < 0.7:
                cover *= np.clip(1.1 - style.wear * np.abs(cloud(rng, n, n, 7)) * 0.3, 0.4, 1)
            skin[:, part] += (ink - skin[:, part]) * cover[..., None]
            depth[:, part] = np.maximum(depth[:, part], np.clip(-d / radius, 0, 1) ** 0.5)
    return np.clip(skin, 0, 255).astype(np.uint8), depth


def _spot(shape: str, x: NDArray[Any], y: NDArray[Any], radius: float) -> NDArray[Any]:
    """(P, P): signed distances to a pip's rim."""
    round_ = np.hypot(x, y) - radius
    if shape == "ring":
        return np.maximum(round_, radius * 0.35 - np.hypot(x, y))
    if shape == "square":
        return np.maximum(np.abs(x), np.abs(y)) - radius * 0.75
    if shape == "star":
        return np.hypot(x, y) - radius * (1 + 0.28 * np.cos(5 * np.arctan2(y, x)))
    return round_


def _skin(rng: Rng, style: Style, height: int, width: int) -> NDArray[Any]:
    """The material under the pips, float32 BGR."""
    skin = np.ones((height, width, 3), np.float32) * np.array(style.face, np.float32)
    other = np.array(style.second, np.float32)
    if style.finish == "marble":
        veins = np.abs(cloud(rng, height, width, rng.uniform(15, 50)) + 0.4 * cloud(rng, height, width, 8))
        skin += (other - skin) * (rng.uniform(0.2, 0.6) * np.exp(-veins * rng.uniform(1, 5)))[..., None]
    elif style.finish == "pearl":
        skin *= (1 + rng.uniform(0.05, 0.2) * cloud(rng, height, width, rng.uniform(10, 50)))[..., None]
    elif style.finish == "specks":
        spots = cloud(rng, height, width, rng.uniform(1.5, 4)) > rng.uniform(1.2, 2)
        skin[spots] += (other - skin[spots]) * rng.uniform(0.2, 0.7)
    elif style.finish == "wood":
        lines = cloud(rng, height, width, rng.uniform(3, 9), rng.uniform(8, 20))
        skin *= (1 + rng.uniform(0.03, 0.14) * lines)[..., None]
    elif style.finish == "halves":
        blend = np.clip(cloud(rng, height, width, 80) * 3 + 0.5, 0, 1)[..., None] * rng.uniform(0.3, 0.8)
        skin += (other - skin) * blend
    elif style.finish in ("rim", "worn"):
        at = np.abs((np.arange(height) + 0.5) / height - 0.5)
        edge = np.maximum(at[:, None], np.tile(at, width // height)[None])
        rim = np.clip((edge - rng.uniform(0.4, 0.47)) * 25, 0, 1) * rng.uniform(0.2, 0.8)
        if style.finish == "worn":
            rim = rim * np.clip(cloud(rng, height, width, 10) * 0.5 + 0.5, 0, 1)
        skin += (other - skin) * rim[..., None]
    return skin


def draw_ground(rng: Rng, size: int) -> Picture:
    """A square surface on which dice may lie: tables, carpets, prints with dots, text, scribbles."""
    kind = rng.uniform()
    if kind < 0.55:
        return draw_table(rng, size)[0]
    if kind < 0.67:
        base = np.array(colour(rng, 20, 240, 0.6), np.float32)
        carpet = np.ones((size, size, 3), np.float32) * base
        for grain in (1.2, 2.5, rng.uniform(4, 40)):
            carpet += cloud(rng, size, size, grain)[..., None] * rng.uniform(2, 22) * rng.uniform(0.6, 1.4, 3)
        return np.clip(carpet, 0, 255).astype(np.uint8)
    if kind < 0.8:
        return _dotted(rng, draw_table(rng, size)[0] if rng.uniform() < 0.5 else _plain(rng, size))
    if kind < 0.9:
        return _written(rng, _plain(rng, size))
    return _plain(rng, size)


def _plain(rng: Rng, size: int) -> Picture:
    base = np.array(colour(rng, 15, 252, 0.5), np.float32)
    return np.clip(base + cloud(rng, size, size, 3)[..., None] * rng.uniform(0, 3), 0, 255).astype(np.uint8)


def _dotted(rng: Rng, picture: Picture) -> Picture:
    """Dots in rows, in brick, or anywhere: cloth, perforated trays, confetti."""
    size = len(picture)
    step, turn, ink = rng.uniform(8, 60), rng.uniform(0, np.pi), colour(rng, 0, 255)
    radius, loose = step * rng.uniform(0.12, 0.42), step * float(rng.choice([0, 0, 0.1, 1.5]))
    brick = bool(rng.integers(2))
    n = int(size / step)
    for i in range(-n, n):
        for j in range(-n, n):
            a, b = (i + 0.5 * (brick and j % 2)) * step, j * step
            x, y = (
                size / 2 + a * np.cos(turn) - b * np.sin(turn),
                size / 2 + a * np.sin(turn) + b * np.cos(turn),
            )
            x, y = (x, y) if not loose else np.array((x, y)) + rng.uniform(-loose, loose, 2)
            if -step < x < size + step and -step < y < size + step:
                cv2.circle(
                    picture, (round(x * 16), round(y * 16)), round(radius * 16), ink, -1, cv2.LINE_AA, 4
                )
    return picture


def _written(rng: Rng, picture: Picture) -> Picture:
    ink = colour(rng, 0, 120) if picture.mean() > 120 else colour(rng, 150, 255)
    letters = list("abcdeghoqsuBDGOQRS0123456789.:;oO%8& ..::ooii")
    height = rng.uniform(0.3, 1.6)
    for line in range(int(len(picture) / (26 * height)) + 1):
        words = "".join(rng.choice(letters) for _ in range(120))
        at = (int(rng.integers(-40, 5)), int((line + 1) * 26 * height))
        cv2.putText(
            picture, words, at, int(rng.integers(0, 8)), height, ink, int(rng.integers(1, 4)), cv2.LINE_AA
        )
    return picture


Flat = tuple[Picture, float, bool]
"""A flat thing: BGR picture, its length in sides of a die, whether it is round."""
Colour = tuple[float, float, float]
_PX = 128
"""Pixels of such a picture, where it is square."""


def draw_not_die(rng: Rng) -> Flat:
    """A flat thing that is no die."""
    draw = _NOT_DICE[int(rng.integers(len(_NOT_DICE)))]
    face = _face_colour(rng)
    return draw(rng, face, _pip_colour(rng, face))


def _blank(colour: Colour, wide: int = _PX) -> Picture:
    picture = np.ones((_PX, wide, 3), np.uint8)
    picture[:] = np.array(colour).astype(np.uint8)
    return picture


def _dot(picture: Picture, x: float, y: float, radius: float, ink: Colour) -> None:
    """A dot; lengths in parts of `_PX`."""
    at = round(x * _PX * 16), round(y * _PX * 16)
    cv2.circle(picture, at, round(radius * _PX * 16), ink, -1, cv2.LINE_AA, 4)


def _domino(rng: Rng, face: Colour, ink: Colour) -> Flat:
    picture = _blank(face, 2 * _PX)
    cv2.line(picture, (_PX, 8), (_PX, _PX - 8), ink, 3, cv2.LINE_AA)
    offset, radius = rng.uniform(0.2, 0.28), rng.uniform(0.06, 0.1)
    for half in (0, 1):
        for u, v in SPOTS.get(int(rng.integers(0, 7)), []):
            _dot(picture, 0.5 + half + u * offset, 0.5 + v * offset, radius, ink)
    return picture, rng.uniform(1.6, 3), False


def _card(rng: Rng, face: Colour, ink: Colour) -> Flat:
    picture = np.full((3 * _PX, 2 * _PX, 3), rng.uniform(215, 255), np.uint8)
    ink = (20.0, 20.0, 200.0) if rng.uniform() < 0.5 else (20.0, 20.0, 20.0)
    for x in rng.permutation([0.6, 1.0, 1.4])[: rng.integers(1, 4)]:
        for y in rng.permutation([0.5, 1.0, 1.5, 2.0, 2.5])[: rng.integers(1, 5)]:
            for right, below in ((-0.06, 0.0), (0.06, 0.0), (0.0, -0.1)):
                _dot(picture, x + right, y + below, 0.09, ink)
    return picture, rng.uniform(3, 6), False


def _tile(rng: Rng, face: Colour, ink: Colour) -> Flat:
    picture = _blank(face)
    letter = str(rng.choice(list("ABCDEFGHKMNOPQRSUXYZ0123456789?!+=%")))
    font, thick = int(rng.integers(0, 5)), int(rng.integers(3, 12))
    cv2.putText(picture, letter, (24, 100), font, 3.2, ink, thick, cv2.LINE_AA)
    return picture, rng.uniform(0.8, 1.6), bool(rng.integers(3) == 0)


def _button(rng: Rng, face: Colour, ink: Colour) -> Flat:
    picture = _blank(face)
    around = int(rng.choice([2, 4, 4, 3, 5, 6]))
    out, radius, turn = rng.uniform(0.1, 0.22), rng.uniform(0.04, 0.09), rng.uniform(0, 6)
    for k in range(around):
        angle = turn + k * 2 * np.pi / around
        _dot(picture, 0.5 + out * np.cos(angle), 0.5 + out * np.sin(angle), radius, ink)
    if rng.uniform() < 0.6:
        rim = int(_PX * rng.uniform(0.3, 0.45))
        cv2.circle(picture, (_PX // 2, _PX // 2), rim, colour(rng, 0, 255), 3, cv2.LINE_AA)
    return picture, rng.uniform(0.7, 1.8), True


def _target(rng: Rng, face: Colour, ink: Colour) -> Flat:
    picture = _blank(face)
    for radius in sorted(rng.uniform(0.05, 0.5, int(rng.integers(1, 5))), reverse=True):
        middle = (_PX // 2, _PX // 2)
        cv2.circle(picture, middle, int(radius * _PX), colour(rng, 0, 255), -1, cv2.LINE_AA)
    return picture, rng.uniform(0.6, 1.8), True


def _dots(rng: Rng, face: Colour, ink: Colour) -> Flat:
    picture = _blank(face)
    for _ in range(int(rng.integers(2, 14))):
        _dot(picture, *rng.uniform(0.1, 0.9, 2), rng.uniform(0.03, 0.12), ink)
    return picture, rng.uniform(0.8, 2.2), bool(rng.integers(2))


def _crowd(rng: Rng, face: Colour, ink: Colour) -> Flat:
    """More dots in rows than any die has."""
    picture = _blank(face)
    rows, columns = (int(v) for v in rng.integers(2, 7, 2))
    if rows * columns in (4, 6):
        rows, columns = 4, 4
    for i in range(rows):
        for j in range(columns):
            _dot(picture, (j + 0.5) / columns, (i + 0.5) / rows, 0.28 / max(rows, columns), ink)
    return picture, rng.uniform(1, 3), False


def _note(rng: Rng, face: Colour, ink: Colour) -> Flat:
    return draw_note(rng), rng.uniform(2, 6), False


def _plain_square(rng: Rng, face: Colour, ink: Colour) -> Flat:
    picture = np.clip(_skin(rng, Style.random(rng), _PX, _PX), 0, 255).astype(np.uint8)
    return picture, rng.uniform(0.7, 1.5), bool(rng.integers(2))


def _board(rng: Rng, face: Colour, ink: Colour) -> Flat:
    """With its crown in the middle much like a large one."""
    board = draw_board(rng, random_layout(rng)).picture
    picture = cv2.resize(board, (2 * _PX, 2 * _PX), interpolation=cv2.INTER_AREA).astype(np.uint8)
    return picture, rng.uniform(0.8, 7), False


_NOT_DICE = (_domino, _card, _tile, _button, _target, _dots, _note, _plain_square, _crowd, _board)
