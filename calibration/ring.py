"""The ring of fields on a board nobody has measured: twelve equal circles, evenly spaced, in one photo.

Whatever is printed (outlines, discs, double circles, dots, wedges behind them), the edge of a field is a
circle. Every edge votes for the middles of the circles of one size that it could belong to (Hough; Kimme
and others 1975); what twelve votes evenly around some middle agree on is the ring: what a board has
besides, words, stars, wood, is seldom twelve times the same circle.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.geometry import Floats, Grey, Image, Layout, View

FIELDS = 12
PX_PER_MM = 2.0
FAINT = 4.0
"""A step of so many levels a pixel counts half: prints are faint, paper has a grain of 1 to 2."""
LEAST_RING, LEAST_FIELD = 0.4, 0.36
"""The ring's radius in halves of the tags' square; a field's diameter in gaps between neighbours."""
OFF_MIDDLE = 0.16
"""How far the ring's middle may be from that of the tags, in halves of their square."""
SOFT_MM = 0.75
"""Within this both edges of a thin line are one."""
CLEAR = 1.25
"""The clearest ring is sure when so many times clearer than the best of another size or place."""
OUTER = 0.6
"""Of several circles around one middle the largest is the field, if so clear beside the clearest."""


@dataclass(frozen=True, slots=True)
class Ring:
    """`middle` (x, y), `radius` and `diameter` of a field, all mm; `first_deg` from 0 to 30, clockwise from
    the top. `lead`: how many times as much of its twelve circles is seen as an edge as of the best other
    ring's."""

    middle: tuple[float, float]
    radius: float
    diameter: float
    first_deg: float
    lead: float


def find_ring(photo: Image, view: View, tags: Layout) -> Ring:
    """In the photo of the empty board, BGR uint8; of `tags` only the tags count, in mm on the board."""
    half = float(np.abs(np.array(list(tags.tags.values()))).mean())
    reach = max(half + tags.tag_mm, (1.1 + OFF_MIDDLE) * half)
    across, down = steps(photo, view, reach, tags)
    best, lead = max(
        (_search(how, across, down, half, reach) for how in (votes, _votes_all_round)),
        key=lambda found: found[1],
    )
    seen = Circles(across, down, reach)
    ring = _fitted(seen, best)
    return replace(ring, lead=lead)


def steps(photo: Image, view: View, reach: float, tags: Layout) -> tuple[Grey, Grey]:
    """The step across and down at each place on the board: direction, and strength 0 to 1."""
    size = round(2 * reach * PX_PER_MM)
    at = (np.arange(size) + 0.5) / PX_PER_MM - reach
    grid = np.stack([*np.meshgrid(at, at), np.zeros((size, size))], axis=-1).reshape(-1, 3)
    pixels = view.project(grid).astype(np.float32).reshape(size, size, 2)
    flat = cv2.remap(photo, pixels[..., 0], pixels[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    smooth = cv2.GaussianBlur(flat, (0, 0), 1.2).astype(np.float32)
    across, down = cv2.Sobel(smooth, -1, 1, 0, scale=1 / 8), cv2.Sobel(smooth, -1, 0, 1, scale=1 / 8)
    strength = cv2.magnitude(across, down)
    channel = strength.argmax(axis=2)[..., None]
    across, down, strength = (
        np.take_along_axis(one, channel, axis=2)[..., 0] for one in (across, down, strength)
    )
    weight = strength / (strength + FAINT) / np.maximum(strength, 1e-6)
    for x, y in tags.tags.values():
        corner = round((x + reach) * PX_PER_MM), round((y + reach) * PX_PER_MM)
        side = round(0.75 * tags.tag_mm * PX_PER_MM)
        rows, columns = (slice(max(at - side, 0), max(at + side, 0)) for at in corner[::-1])
        weight[rows, columns] = 0
    return across * weight, down * weight


def _search(
    votes_for: Callable[[Grey, Grey, float, float], Grey], across: Grey, down: Grey, half: float, reach: float
) -> tuple[Floats, float]:
    """The best of all rings on a grid of about 2 mm: (x, y, radius, first_deg, diameter), and its lead."""
    off = np.arange(-OFF_MIDDLE * half, OFF_MIDDLE * half + 1, 2.0)
    radii = np.arange(LEAST_RING * half, 1.05 * half, 2.0)
    firsts = np.arange(0, 360 / FIELDS, 1.5)
    gap = 2 * np.sin(np.pi / FIELDS)
    diameters = np.arange(LEAST_FIELD * gap * radii[0], gap * radii[-1], 1.5)
    seen = np.stack([votes_for(across, down, float(diameter), reach) for diameter in diameters], axis=-1)
    found: list[tuple[float, Floats]] = []
    for radius in radii:
        fitting = slice(*np.searchsorted(diameters, (radius * gap * LEAST_FIELD, radius * gap / 0.98)))
        total = np.zeros((len(firsts), len(off), len(off), len(diameters[fitting])), dtype=np.float32)
        # One circle can be as clear as it will: all twelve must be there.
        for ring, first_deg in zip(total, firsts, strict=True):
            for angle in np.deg2rad(first_deg + 360 / FIELDS * np.arange(FIELDS)):
                x = round(off[0] + radius * np.sin(angle) + reach)
                y = round(off[0] - radius * np.cos(angle) + reach)
                ring += seen[y : y + 2 * len(off) : 2, x : x + 2 * len(off) : 2, fitting]
        for clear, diameter in zip(np.moveaxis(total, 3, 0), diameters[fitting], strict=True):
            first, row, column = np.unravel_index(int(clear.argmax()), clear.shape)
            numbers = np.array([off[column], off[row], radius, firsts[first], diameter])
            found.append((float(clear.max()) / FIELDS, numbers))
    found.sort(key=lambda one: -one[0])
    best = found[0][1]
    # Circles around the same middles, of another size, are the same ring.
    others = [
        value for value, numbers in found if abs(numbers[2] - best[2]) > 7 or _turned(numbers[3], best[3]) > 4
    ]
    return best, found[0][0] / max(max(others, default=0.0), 1e-6)


def _turned(a: float, b: float) -> float:
    step = 360 / FIELDS
    return abs((a - b + step / 2) % step - step / 2)


def votes(across: Grey, down: Grey, diameter: float, reach: float) -> Grey:
    """How much of a circle of this size is seen around each mm of the board, 0 to about 1."""
    strength = cv2.magnitude(across, down)
    rows, columns = np.nonzero(strength > 0.2)
    weight = strength[rows, columns]
    away = np.stack([across[rows, columns], down[rows, columns]]) / weight * (diameter / 2)
    at = np.stack([columns, rows]) / PX_PER_MM - reach
    size = int(2 * reach) + 2
    total = np.zeros(size * size)
    for sign in (-1, 1):
        x, y = np.round(at + sign * away + reach).astype(int)
        inside = (x >= 0) & (y >= 0) & (x < size) & (y < size)
        total += np.bincount(y[inside] * size + x[inside], weight[inside], size * size)
    spread = cv2.boxFilter(total.reshape(size, size).astype(np.float32), -1, (3, 3), normalize=False)
    # An edge is about three pixels wide; a line has two.
    shares: Grey = np.minimum(spread / (np.pi * diameter * PX_PER_MM * 3), 0.8).astype(np.float32)
    return shares


def _votes_all_round(across: Grey, down: Grey, diameter: float, reach: float) -> Grey:
    """The same for circles of dots, whose edges look every way: what lies on the circle against what
    lies beside it."""
    strength = cv2.resize(
        cv2.magnitude(across, down), None, fx=1 / PX_PER_MM, fy=1 / PX_PER_MM, interpolation=cv2.INTER_AREA
    )
    radius = diameter / 2
    at = np.arange(-int(radius) - 6, int(radius) + 7)
    away = np.hypot(at[:, None], at[None]) - radius
    on, beside = np.abs(away) < 1.2, (np.abs(away) > 2.5) & (np.abs(away) < 5)
    kernel = (on / on.sum() - beside / beside.sum()).astype(np.float32)
    size = int(2 * reach) + 2
    total = np.zeros((size, size), dtype=np.float32)
    found = cv2.filter2D(strength, -1, kernel)
    total[: found.shape[0], : found.shape[1]] = found
    return np.clip(total, 0, 0.8)


class Circles:
    """How much of a circle is seen as an edge that runs along it, 0 to 1."""

    def __init__(self, across: Grey, down: Grey, reach: float) -> None:
        strength = np.maximum(cv2.magnitude(across, down), 1e-6)
        # Both edges of a line count, though one rises and the other falls: products have no sign.
        self._products = [
            cv2.GaussianBlur(one / strength, (0, 0), SOFT_MM * PX_PER_MM)
            for one in (across * across, 2 * across * down, down * down)
        ]
        self._reach = reach
        angle = np.linspace(0, 2 * np.pi, 65)[:-1]
        self._normal = np.stack([np.cos(angle), np.sin(angle)], axis=1)

    def evidence(self, middles: Floats, diameter: float) -> Floats:
        """(N,) for circles of `diameter` around (N, 2) `middles`, mm."""
        at = middles[:, None] + diameter / 2 * self._normal
        px = ((at + self._reach) * PX_PER_MM - 0.5).astype(np.float32)
        xx, xy, yy = (cv2.remap(one, px[..., 0], px[..., 1], cv2.INTER_LINEAR) for one in self._products)
        cos, sin = self._normal.T
        along = xx * cos * cos + xy * cos * sin + yy * sin * sin
        return np.asarray(along.mean(axis=1), dtype=np.float64)

    def best_near(self, middles: Floats, diameter: float, reach: float, step: float) -> tuple[Floats, Floats]:
        """(N, 2) the best middles within `reach` mm of those given, and (N,) their evidence."""
        off = np.arange(-reach, reach + step / 2, step)
        grid = np.stack(np.meshgrid(off, off), axis=-1).reshape(-1, 2)
        places = middles[:, None] + grid
        values = self.evidence(places.reshape(-1, 2), diameter).reshape(len(middles), -1)
        best = values.argmax(axis=1)
        rows = np.arange(len(middles))
        return places[rows, best], values[rows, best]

    def outermost(self, middles: Floats, least: float, most: float) -> float:
        """The diameter of the largest clear circle around the middles."""
        sizes = np.arange(least, most, 0.25)
        values = np.array([self.evidence(middles, size).mean() for size in sizes])
        return outer_peak(sizes, values)


def outer_peak(sizes: Floats, values: Floats) -> float:
    """The largest size at which `values` have a clear peak."""
    peaks = [
        size
        for i, size in enumerate(sizes)
        if values[i] > OUTER * values.max() and values[i] == values[max(i - 5, 0) : i + 6].max()
    ]
    return float(max(peaks, default=sizes[int(values.argmax())]))


def _fitted(seen: Circles, numbers: Floats) -> Ring:
    """The ring near (x, y, radius, first_deg, diameter): each field's circle first, then the ring through
    their middles (least squares, weighed anew: a field in glare or shadow may be off)."""
    x, y, radius, first, diameter = numbers
    turn = np.deg2rad(first + 360 / FIELDS * np.arange(FIELDS))
    middles = radius * np.stack([np.sin(turn), -np.cos(turn)], axis=1) + (x, y)
    sizes = np.arange(diameter - 3, diameter + 3.1, 0.5)
    sums = [seen.best_near(middles, size, 3.0, 0.5)[1].sum() for size in sizes]
    diameter = float(sizes[int(np.argmax(sums))])
    ring = Ring((x, y), radius, diameter, first, 0.0)
    for reach, step in ((3.0, 0.5), (1.0, 0.125)):
        found, values = seen.best_near(middles, diameter, reach, step)
        ring, middles = _through(found, values, ring)
        diameter = seen.outermost(middles, max(diameter - 1, 4), 2 * np.sin(np.pi / FIELDS) * radius + 1)
    return replace(ring, diameter=diameter)


def _through(found: Floats, values: Floats, ring: Ring) -> tuple[Ring, Floats]:
    """The ring through twelve middles (12, 2), each weighed by its evidence, and its own twelve middles."""
    turn = 2 * np.pi / FIELDS * np.arange(FIELDS)
    sin, cos, one, none = np.sin(turn), np.cos(turn), np.ones(FIELDS), np.zeros(FIELDS)
    # (x, y) = middle + a (sin, -cos) + b (cos, sin): a and b are the radius, turned by the first angle.
    slope = np.stack([np.stack([one, none, sin, cos], 1), np.stack([none, one, -cos, sin], 1)], axis=1)
    weight = values
    for _ in range(6):
        rows = (slope * weight[:, None, None]).reshape(-1, 4)
        numbers = np.linalg.lstsq(rows, (found * weight[:, None]).ravel(), rcond=None)[0]
        middles = slope @ numbers
        weight = values / (1 + ((middles - found) ** 2).sum(axis=1))
    x, y, a, b = (float(v) for v in numbers)
    first = float(np.rad2deg(np.arctan2(b, a)))
    return replace(
        ring, middle=(x, y), radius=float(np.hypot(a, b)), first_deg=first % (360 / FIELDS)
    ), middles
