"""What is printed: boards with their tags, and the surfaces of tables, drawn anew for every seed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[Any]
"""BGR uint8 (H, W, 3)."""
Rng = np.random.Generator
PX_PER_MM = 5.0
"""Resolution of a drawn board: twice what a photograph of it shows."""


@dataclass(frozen=True)
class Board:
    """A drawn board: `picture` covers a square of `side_mm`; `layout` in the form of layout.json."""

    picture: Picture
    side_mm: float
    layout: dict[str, Any]
    about: str


def colour(rng: Rng, low: float = 0, high: float = 255, most: float = 1.0) -> tuple[float, float, float]:
    """Any BGR colour whose brightest channel is within `low`..`high`, at most `most` saturated."""
    hsv = np.array(
        [[[rng.uniform(0, 180), 255 * most * rng.uniform() ** 0.7, rng.uniform(low, high)]]], dtype=np.float32
    )
    bgr = cv2.cvtColor(np.clip(hsv, 0, 255).astype(np.uint8), cv2.COLOR_HSV2BGR)[0, 0]
    return tuple(float(v) for v in bgr)  # type: ignore[return-value]


def cloud(rng: Rng, height: int, width: int, grain: float, stretch: float = 1.0) -> NDArray[Any]:
    """Smooth noise (H, W), mean 0, spread 1; `grain` in pixels, `stretch` times longer downwards."""
    rows, columns = max(3, round(height / (grain * stretch)) + 2), max(3, round(width / grain) + 2)
    small = rng.normal(size=(rows, columns)).astype(np.float32)
    field = cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC)
    return (field - field.mean()) / (field.std() + 1e-6)


def random_layout(rng: Rng, usual: bool = False) -> dict[str, Any]:
    """The printable mat three times of ten, else some set's ring with stickers at its corners; a `usual` ring
    and its fields are as wide as most sets'."""
    if rng.uniform() < (0.5 if usual else 0.3):
        tags, size, ring, diameter, first = 122.0, 28.0, 100.0, 46.0, 15.0
        name = "mat"
    else:
        ring = float(np.round(rng.uniform(*((95, 115) if usual else (78, 118))), 1))
        gap = 2 * ring * np.sin(np.pi / 12)
        # In this order, for the sets that are told of by their seeds.
        if usual:
            wide, spare = rng.uniform(40, 48), rng.uniform(2, 8)
        else:
            spare, wide = rng.uniform(2, 8), rng.uniform(36, 56)
        diameter = float(np.round(min(gap - spare, wide), 1))
        size = float(rng.choice([24.0, 25.0, 26.0, 28.0, 30.0, 32.0]))
        corner = (ring + diameter / 2) / np.sqrt(2) + size / 2 + 6
        tags = float(np.round(max(corner, ring + rng.uniform(8, 36)), 1))
        first = float(rng.choice([0.0, 15.0, 10.0, 7.5]))
        name = f"set-r{ring:.0f}"
    centres = {"0": [-tags, -tags], "1": [tags, -tags], "2": [tags, tags], "3": [-tags, tags]}
    return {
        "name": name,
        "tags": {"dictionary": "DICT_4X4_50", "size_mm": size, "centres_mm": centres},
        "fields": {"count": 12, "ring_radius_mm": ring, "diameter_mm": diameter, "first_deg": first},
    }


class _Canvas:
    """A picture one draws on in millimetres from its middle, with smooth edges."""

    def __init__(self, picture: Picture, side_mm: float) -> None:
        self.picture, self.side, self.shift = picture, side_mm, 4

    def at(self, x: float, y: float) -> tuple[int, int]:
        scale = PX_PER_MM * 2**self.shift
        return round((x + self.side / 2) * scale), round((y + self.side / 2) * scale)

    def circle(self, x: float, y: float, radius: float, ink: Any, line: float = -1) -> None:
        thick = -1 if line < 0 else max(1, round(line * PX_PER_MM))
        r = round(radius * PX_PER_MM * 2**self.shift)
        cv2.circle(self.picture, self.at(x, y), r, ink, thick, cv2.LINE_AA, self.shift)

    def polygon(self, points: Any, ink: Any, line: float = -1) -> None:
        corners = np.array([self.at(x, y) for x, y in points], dtype=np.int32)
        if line < 0:
            cv2.fillPoly(self.picture, [corners], ink, cv2.LINE_AA, self.shift)
        else:
            thick = max(1, round(line * PX_PER_MM))
            cv2.polylines(self.picture, [corners], True, ink, thick, cv2.LINE_AA, self.shift)

    def word(self, text: str, x: float, y: float, height: float, ink: Any, line: float) -> None:
        font = cv2.FONT_HERSHEY_COMPLEX if height > 10 else cv2.FONT_HERSHEY_SIMPLEX
        scale = height * PX_PER_MM / 22
        thick = max(1, round(line * PX_PER_MM))
        (w, h), _ = cv2.getTextSize(text, font, scale, thick)
        cx, cy = (round((v + self.side / 2) * PX_PER_MM) for v in (x, y))
        cv2.putText(self.picture, text, (cx - w // 2, cy + h // 2), font, scale, ink, thick, cv2.LINE_AA)


def draw_board(rng: Rng, layout: dict[str, Any], most: float = 1.0) -> Board:
    """A board in some taste, its inks at most `most` saturated: ground, fields, a middle, four tags."""
    fields, tags = layout["fields"], layout["tags"]
    ring, diameter = fields["ring_radius_mm"], fields["diameter_mm"]
    reach = max(abs(v) for centre in tags["centres_mm"].values() for v in centre) + tags["size_mm"] / 2
    side = 2 * (reach + rng.uniform(4, 12))
    size = round(side * PX_PER_MM)
    dark = rng.uniform() < 0.45
    ground = np.array(colour(rng, 25, 110, most) if dark else colour(rng, 150, 250, 0.6 * most))
    if rng.uniform() < 0.25:
        ground = np.array([1, 1, 1.0]) * (rng.uniform(25, 70) if dark else rng.uniform(200, 250))
    picture = np.ones((size, size, 3), np.float32) * ground.astype(np.float32)
    if rng.uniform() < 0.4:
        picture += (cloud(rng, size, size, rng.uniform(10, 200)) * rng.uniform(1, 9))[..., None]
    canvas = _Canvas(np.clip(picture, 0, 255).astype(np.uint8), side)
    ink = colour(rng, 150, 255, most) if dark else colour(rng, 10, 130, most)
    if rng.uniform() < 0.3:
        ink = (235.0,) * 3 if dark else (40.0,) * 3
    pale = tuple(float(v) for v in ground + (np.array(ink) - ground) * rng.uniform(0.15, 0.5))
    angles = np.deg2rad(fields["first_deg"] + 30 * np.arange(12))
    centres = np.stack([np.sin(angles), -np.cos(angles)], axis=1) * ring
    about = _middle(rng, canvas, ring, diameter, ink, pale, ground, angles)
    about += _fields(rng, canvas, centres, diameter, ink, pale, ground)
    if rng.uniform() < 0.3:
        edge = side / 2 - 2
        canvas.polygon([(-edge, -edge), (edge, -edge), (edge, edge), (-edge, edge)], ink, rng.uniform(0.4, 2))
    _tags(rng, canvas, tags)
    return Board(canvas.picture, side, layout, about.strip(" ,"))


def _middle(
    rng: Rng, canvas: _Canvas, ring: float, diameter: float, ink: Any, pale: Any, ground: Any, angles: Any
) -> str:
    kind = rng.choice(["plain", "wedges", "rings", "crown", "word", "star", "disc", "spokes"])
    inner = ring - diameter / 2 - 4
    outer = ring + diameter / 2 + rng.uniform(2, 8)
    if kind == "wedges":
        other = tuple(float(v) for v in np.clip(np.array(pale) + rng.normal(0, 25, 3), 0, 255))
        for k, angle in enumerate(angles):
            sweep = np.linspace(angle - np.pi / 12, angle + np.pi / 12, 9)
            rim = [(outer * np.sin(a), -outer * np.cos(a)) for a in sweep]
            canvas.polygon([(0, 0), *rim], pale if k % 2 else other)
    elif kind == "rings":
        for radius in rng.uniform(0.15, 1.0, rng.integers(1, 5)) * inner:
            canvas.circle(0, 0, float(radius), ink, rng.uniform(0.3, 1.5))
        canvas.circle(0, 0, outer, ink, rng.uniform(0.3, 1.5))
    elif kind == "crown":
        w = inner * rng.uniform(0.35, 0.7)
        tips = [(-1, 0.6), (-1.05, -0.5), (-0.5, 0.1), (0, -0.8), (0.5, 0.1), (1.05, -0.5), (1, 0.6)]
        canvas.polygon([(w * x, w * y) for x, y in tips], ink)
        for x, y in ((-1.05, -0.55), (0, -0.88), (1.05, -0.55)):
            canvas.circle(w * x, w * y, w * 0.12, ink)
    elif kind == "word":
        canvas.word(str(rng.choice(["CORONA", "Corona", "RING", "XII"])), 0, 0, inner * 0.3, ink, 0.8)
        canvas.circle(0, 0, inner * rng.uniform(0.5, 0.9), ink, rng.uniform(0.3, 1))
    elif kind == "star":
        n = int(rng.integers(4, 13))
        spin = np.arange(2 * n) * np.pi / n
        radius = np.where(np.arange(2 * n) % 2 == 0, inner * rng.uniform(0.5, 0.95), inner * 0.25)
        canvas.polygon(np.stack([np.sin(spin) * radius, -np.cos(spin) * radius], axis=1), pale)
    elif kind == "disc":
        canvas.circle(0, 0, outer, pale)
        if rng.uniform() < 0.6:
            canvas.circle(0, 0, inner, tuple(float(v) for v in ground))
    elif kind == "spokes":
        for angle in angles + np.pi / 12:
            c, s = np.cos(angle), np.sin(angle)
            w = rng.uniform(0.2, 0.8)
            line = [(-w * c, -w * s), (w * c, w * s), (outer * s + w * c, -outer * c + w * s)]
            canvas.polygon([*line, (outer * s - w * c, -outer * c - w * s)], pale)
    return f"{kind}, "


def _fields(
    rng: Rng, canvas: _Canvas, centres: Any, diameter: float, ink: Any, pale: Any, ground: Any
) -> str:
    kind = rng.choice(["line", "thick", "double", "disc", "pastel", "dotted", "faint", "rim"])
    line = rng.uniform(0.3, 0.8) if kind in ("line", "double", "faint") else rng.uniform(0.9, 2.2)
    disc_ink = tuple(float(v) for v in np.clip(np.array(pale) + rng.normal(0, 20, 3), 0, 255))
    numbered = rng.uniform() < 0.35
    for k, (x, y) in enumerate(centres):
        radius = diameter / 2
        if kind in ("disc", "rim"):
            canvas.circle(x, y, radius, disc_ink)
        elif kind == "pastel":
            tone = cv2.cvtColor(np.array([[[k * 15, 90, 225]]], np.uint8), cv2.COLOR_HSV2BGR)[0, 0]
            canvas.circle(x, y, radius, tuple(float(v) for v in tone))
        if kind == "dotted":
            n = 28
            for a in np.arange(n) * 2 * np.pi / n:
                canvas.circle(x + radius * np.cos(a), y + radius * np.sin(a), line * 0.7, ink)
        elif kind != "disc":
            canvas.circle(x, y, radius, pale if kind == "faint" else ink, line)
        if kind == "double":
            canvas.circle(x, y, radius - rng.uniform(2, 4), ink, line)
        if numbered:
            canvas.word("ABCDEFGHIJKL"[k], x, y, 8, pale, 0.4)
    return f"{kind} fields{', letters' if numbered else ''}"


def _tags(rng: Rng, canvas: _Canvas, tags: dict[str, Any]) -> None:
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, tags["dictionary"]))
    border = rng.uniform(4, 6)
    black, white = rng.uniform(10, 45), rng.uniform(215, 252)
    for tag, (x, y) in tags["centres_mm"].items():
        half = tags["size_mm"] / 2
        outer = half + border
        canvas.polygon(
            [(x - outer, y - outer), (x + outer, y - outer), (x + outer, y + outer), (x - outer, y + outer)],
            (white,) * 3,
        )
        bits = cv2.aruco.generateImageMarker(dictionary, int(tag), 6)
        cell = tags["size_mm"] / 6
        for row, column in zip(*np.nonzero(bits == 0), strict=True):
            a, b = x - half + column * cell, y - half + row * cell
            canvas.polygon([(a, b), (a + cell, b), (a + cell, b + cell), (a, b + cell)], (black,) * 3)


def draw_table(rng: Rng, size: int = 2400, most: float = 1.0) -> tuple[Picture, str]:
    """A table's surface, a square picture `most` as saturated as any, and what it is."""
    kind = str(
        rng.choice(["wood", "planks", "linen", "plain", "check", "stone", "stripes", "weave", "tiles"])
    )
    base = np.array(colour(rng, 25, 245, 0.75 * most))
    if rng.uniform() < 0.3:
        base = np.ones(3) * rng.uniform(20, 240)
    if kind in ("wood", "planks"):
        base = np.array([rng.uniform(0.25, 0.6), rng.uniform(0.5, 0.8), 1.0]) * rng.uniform(50, 230)
    picture = np.ones((size, size, 3), np.float32) * base.astype(np.float32)
    swing = base.mean() * rng.uniform(0.03, 0.25)
    if kind in ("wood", "planks"):
        grain = cloud(rng, size, size, rng.uniform(4, 20), rng.uniform(15, 60))
        rings = np.sin(cloud(rng, size, size, rng.uniform(60, 250), 12) * rng.uniform(4, 12))
        picture += ((grain + 0.7 * rings) * swing)[..., None]
        if kind == "planks":
            width = int(rng.uniform(180, 420))
            for left in range(0, size, width):
                picture[:, left : left + width] *= 1 + rng.normal(0, 0.06)
                picture[:, left : left + int(rng.uniform(2, 6))] *= 0.45
    elif kind in ("linen", "weave"):
        step = rng.uniform(3, 9)
        at = np.arange(size) * 2 * np.pi / step
        threads = np.sin(at)[:, None] * np.sin(at)[None, :]
        picture += (threads * swing * 0.8 + cloud(rng, size, size, 3) * swing * 0.5)[..., None]
    elif kind in ("check", "tiles", "stripes"):
        step = rng.uniform(120, 420)
        rows, columns = ((np.arange(size) / step).astype(int) % 2 for _ in range(2))
        pattern = (rows[:, None] + columns[None, :]) / 2 if kind == "check" else columns[None, :] * 1.0
        other = np.array(colour(rng, 60, 250, 0.8 * most))
        if kind == "tiles":
            line = (np.arange(size) % step < 8).astype(np.float32)
            pattern = np.maximum(line[:, None], line[None, :])
        else:
            pattern = np.broadcast_to(pattern, (size, size))
        picture += pattern[..., None] * (other - base)
        picture += (cloud(rng, size, size, 4) * 3)[..., None]
    elif kind == "stone":
        for grain in (3, 12, 60):
            picture += (cloud(rng, size, size, grain) * swing * 0.5)[..., None]
    else:
        picture += (cloud(rng, size, size, rng.uniform(2, 300)) * rng.uniform(0.5, 5))[..., None]
    picture = np.clip(picture, 0, 255).astype(np.uint8)
    middle = ((size - 1) / 2,) * 2
    turn = cv2.getRotationMatrix2D(middle, rng.uniform(0, 360), 1.45)
    return cv2.warpAffine(picture, turn, (size, size), borderMode=cv2.BORDER_REFLECT), kind


def draw_note(rng: Rng) -> Picture:
    """A sheet with handwriting, printed lines, dots or a picture on it."""
    paper = np.full((420, 300, 3), rng.uniform(190, 250), np.uint8)
    ink = colour(rng, 20, 160)
    for y in range(30, 400, int(rng.integers(18, 34))):
        x = 20
        while x < 270:
            step = int(rng.integers(4, 28))
            if rng.uniform() < 0.8:
                cv2.line(paper, (x, y + int(rng.integers(-4, 5))), (x + step, y), ink, 2, cv2.LINE_AA)
            x += step + 5
    return paper


def draw_room(rng: Rng, size: int = 256) -> NDArray[Any]:
    """What metal mirrors: a room as float32 BGR (size, 2 size, 3), windows and lamps bright."""
    room = np.ones((size, 2 * size, 3), np.float32) * rng.uniform(0.02, 0.5)
    room *= np.array(colour(rng, 200, 255, 0.25), np.float32) / 255
    room *= np.exp(cloud(rng, size, 2 * size, 60) * rng.uniform(0.1, 0.7))[..., None]
    room[: size // 2] *= rng.uniform(0.8, 2.5)
    for _ in range(int(rng.integers(0, 6))):
        x, y = int(rng.integers(0, 2 * size)), int(rng.integers(0, size // 2))
        w, h = int(rng.integers(6, 70)), int(rng.integers(6, 60))
        room[y : y + h, x : x + w] = rng.uniform(0.5, 6) * np.array(colour(rng, 220, 255, 0.3)) / 255
    for _ in range(int(rng.integers(0, 8))):
        x, y = int(rng.integers(0, 2 * size)), int(rng.integers(0, size))
        w, h = int(rng.integers(6, 90)), int(rng.integers(6, 60))
        room[y : y + h, x : x + w] *= rng.uniform(0.1, 0.8)
    return cv2.GaussianBlur(room, (0, 0), 2)
