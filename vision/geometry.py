"""Where things are: the board's layout in millimetres, the camera, and the way between mm and pixels.

Board coordinates: millimetres, origin at the board's centre, x right, y down, z up towards the
camera, as seen from above. Pixels: x right, y down, of the frame as it was taken.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[Any]
"""BGR uint8 (H, W, 3). OpenCV's own types know no element types, so neither does this name."""
Grey = NDArray[Any]
"""float32 (H, W), one number a pixel."""
Floats = NDArray[Any]
"""float64; the shape is told where it is used."""

LEAST_MM, LEAST_RING_MM, MOST_MM, MOST_DEG = 5.0, 20.0, 2000.0, 360.0
"""What a length on a board, and its ring's radius, can be; inches and centimetres are less. A tag's middle is
no further than the third from the board's."""
_TAG = re.compile("0|[1-9][0-9]{0,3}")
LETTERS = "ABCDEFGHIJKL"
"""What people call the fields, in order."""


class BadLayout(ValueError):
    """A layout that cannot be used; the text names every fault."""


@dataclass(frozen=True)
class Layout:
    """A board: its tags and its ring of fields, in millimetres; see the design for the JSON form."""

    name: str
    dictionary: str
    tag_mm: float
    tags: Mapping[int, tuple[float, float]]
    fields: int
    ring_mm: float
    field_mm: float
    first_deg: float

    @classmethod
    def from_json(cls, data: Any) -> Layout:
        """From parsed JSON; raises `BadLayout` with every fault at once."""
        faults: list[str] = []

        def get(path: str, kind: type | tuple[type, ...]) -> Any:
            value = data
            for key in path.split("."):
                value = value.get(key) if isinstance(value, dict) else None
            if not isinstance(value, kind) or isinstance(value, bool):
                faults.append(f"{path} is missing" if value is None else f"{path} is {_short(value)}")
                return None
            return value

        def number(path: str, least: float, most: float, unit: str = "") -> float:
            value = get(path, (int, float))
            if value is not None and least <= value <= most:  # NaN is not
                return float(value)
            if value is not None:
                faults.append(f"{path} is {_short(value)}{unit} instead of {least:g} to {most:g}")
            return least

        tags = _centres(get("tags.centres_mm", dict) or {}, faults)
        tag_mm = number("tags.size_mm", LEAST_MM, MOST_MM, " mm")
        for one, other in combinations(tags, 2):
            if max(abs(a - b) for a, b in zip(tags[one], tags[other], strict=True)) < tag_mm:
                faults.append(f"tags {one} and {other} lie on each other")
        dictionary = get("tags.dictionary", str) or "DICT_4X4_50"
        faults += _not_in(dictionary, tags)
        count = get("fields.count", int)
        if count not in (None, 12):
            faults.append(f"fields.count is {_short(count)} instead of 12")
        layout = cls(
            name=str(data.get("name", "board")) if isinstance(data, dict) else "board",
            dictionary=dictionary,
            tag_mm=tag_mm,
            tags=tags,
            fields=12,
            ring_mm=number("fields.ring_radius_mm", LEAST_RING_MM, MOST_MM, " mm"),
            field_mm=number("fields.diameter_mm", LEAST_MM, MOST_MM, " mm"),
            first_deg=number("fields.first_deg", -MOST_DEG, MOST_DEG),
        )
        if not faults and layout.field_mm > layout.fields_apart_mm:
            faults.append(
                f"fields.diameter_mm is {layout.field_mm:g} mm: neighbouring fields overlap, "
                f"for their middles are {layout.fields_apart_mm:.1f} mm apart"
            )
        if faults:
            raise BadLayout("; ".join(dict.fromkeys(faults)))
        return layout

    def to_json(self) -> dict[str, Any]:
        """The form of the design, ready for JSON."""
        centres = {str(tag): list(centre) for tag, centre in self.tags.items()}
        return {
            "name": self.name,
            "tags": {"dictionary": self.dictionary, "size_mm": self.tag_mm, "centres_mm": centres},
            "fields": {
                "count": self.fields,
                "ring_radius_mm": self.ring_mm,
                "diameter_mm": self.field_mm,
                "first_deg": self.first_deg,
            },
        }

    @property
    def fields_apart_mm(self) -> float:
        """From the middle of a field to that of the next."""
        return 2 * self.ring_mm * math.sin(math.pi / self.fields)

    @cached_property
    def field_centres(self) -> Floats:
        """(12, 2) mm, from field A, clockwise."""
        angle = np.deg2rad(self.first_deg + 360 / self.fields * np.arange(self.fields))
        return self.ring_mm * np.stack([np.sin(angle), -np.cos(angle)], axis=1)

    @cached_property
    def field_places(self) -> list[tuple[float, float]]:
        """The same in plain numbers."""
        return [(float(x), float(y)) for x, y in self.field_centres]

    def nearest_field(self, x: float, y: float) -> int:
        """The field (0 to 11) whose middle is nearest to a place on the board, mm."""
        return int(np.hypot(*(self.field_centres - (x, y)).T).argmin())

    def tag_corners(self, tag: int) -> Floats:
        """(4, 2) mm: the corners of a tag in the order the detector gives them, clockwise from top left."""
        half = self.tag_mm / 2
        corners: Floats = np.array(self.tags[tag]) + np.array(
            [[-half, -half], [half, -half], [half, half], [-half, half]]
        )
        return corners

    @cached_property
    def half_mm(self) -> float:
        """Half the side of the square that tags and fields fill."""
        reach = max(abs(value) for centre in self.tags.values() for value in centre) + self.tag_mm / 2
        return max(reach, self.ring_mm + self.field_mm / 2)


def _not_in(dictionary: str, tags: Iterable[int]) -> list[str]:
    """What is wrong where it is none of OpenCV's ArUco dictionaries, or has not all of those tags."""
    if not dictionary.startswith("DICT_") or not hasattr(cv2.aruco, dictionary):
        return [f"tags.dictionary is {_short(dictionary)}"]
    known = len(cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, dictionary)).bytesList)
    return [f"tag {tag} is none of {dictionary}, which has 0 to {known - 1}" for tag in tags if tag >= known]


def _centres(said: dict[str, Any], faults: list[str]) -> dict[int, tuple[float, float]]:
    """The tags' middles from parsed JSON; what is wrong with them is added to `faults`."""
    tags: dict[int, tuple[float, float]] = {}
    for tag, centre in said.items():
        numbers = centre if isinstance(centre, list | tuple) else ()
        right = [type(mm) in (int, float) and -MOST_MM <= mm <= MOST_MM for mm in numbers]
        if right == [True, True] and _TAG.fullmatch(tag):
            tags[int(tag)] = (float(numbers[0]), float(numbers[1]))
        else:
            faults.append(f"tags.centres_mm.{_short(tag)[1:-1]} is {_short(centre)}")
    if len(tags) != 4:
        faults.append(f"{len(tags)} tags instead of 4")
    return tags


def _short(value: Any) -> str:
    """`value` as it was given, or where it begins."""
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:60]}..."


def on_board(mm: Floats) -> Floats:
    """(N, 2) mm -> (N, 3), on the plane of the board."""
    return np.hstack([mm, np.zeros((len(mm), 1))])


@dataclass(frozen=True)
class Lens:
    """A pinhole camera with square pixels, its axis through the middle, and one radial term.

    `focal` in pixels, `k1` as in OpenCV's model, `size` = (width, height) in pixels.
    """

    focal: float
    k1: float
    size: tuple[int, int]

    @cached_property
    def matrix(self) -> Floats:
        width, height = self.size
        return np.array([[self.focal, 0, (width - 1) / 2], [0, self.focal, (height - 1) / 2], [0, 0, 1.0]])

    @cached_property
    def distortion(self) -> Floats:
        return np.array([self.k1, 0, 0, 0], dtype=np.float64)

    def undistorted(self, pixels: Floats) -> Floats:
        """(N, 2) pixels -> (N, 2) pixels of a lens without distortion."""
        points = np.asarray(pixels, dtype=np.float64).reshape(-1, 1, 2)
        return cv2.undistortPoints(points, self.matrix, self.distortion, P=self.matrix).reshape(-1, 2)


@dataclass(frozen=True)
class View:
    """One camera position over the board: a lens and a pose (Rodrigues vector and mm)."""

    lens: Lens
    rotation: tuple[float, float, float]
    shift: tuple[float, float, float]

    @cached_property
    def turn(self) -> Floats:
        """The rotation matrix from board axes (x right, y down, z up) to camera axes."""
        return np.asarray(cv2.Rodrigues(np.array(self.rotation))[0], dtype=np.float64) @ np.diag(
            [1.0, 1.0, -1.0]
        )

    @cached_property
    def eye(self) -> Floats:
        """(3,) mm: where the camera is over the board."""
        eye: Floats = -self.turn.T @ np.array(self.shift)
        return eye

    @property
    def tilt(self) -> float:
        """Degrees between straight down and the line from the camera to the board's middle."""
        x, y, z = self.eye.tolist()
        return math.degrees(math.atan2(math.hypot(x, y), z))

    def project(self, points: Floats | Sequence[Sequence[float]]) -> Floats:
        """(N, 3) board mm -> (N, 2) pixels."""
        camera = np.asarray(points, dtype=np.float64).reshape(-1, 3) @ self.turn.T + np.array(self.shift)
        flat = camera[:, :2] / camera[:, 2:]
        bent = flat * (1 + self.lens.k1 * (flat**2).sum(axis=1, keepdims=True))
        width, height = self.lens.size
        pixels: Floats = bent * self.lens.focal + np.array([(width - 1) / 2, (height - 1) / 2])
        return pixels

    def pixel(self, x: float, y: float, height: float) -> tuple[float, float]:
        """One point as `project` has it, in plain numbers: it is asked for hundreds of times a frame."""
        (a, b, c, d), (e, f, g, h), (i, j, k, m) = self.pose
        ahead = i * x + j * y + k * height + m
        across, down = (a * x + b * y + c * height + d) / ahead, (e * x + f * y + g * height + h) / ahead
        bent = (1 + self.lens.k1 * (across * across + down * down)) * self.lens.focal
        wide, high = self.lens.size
        return across * bent + (wide - 1) / 2, down * bent + (high - 1) / 2

    @cached_property
    def pose(self) -> list[list[float]]:
        """Turn and shift, 3 x 4, as plain numbers: (x, y, z, 1) mm -> camera axes."""
        return [[*row, shift] for row, shift in zip(self.turn.tolist(), self.shift, strict=True)]

    def plane(self, height: float) -> Floats:
        """3 x 3: (x, y, 1) mm on the plane `height` mm above the board -> undistorted pixels, homogeneous."""
        across, down, up, shift = np.array(self.pose).T
        return np.asarray(self.lens.matrix @ np.stack([across, down, up * height + shift], axis=1))

    def unproject(self, pixels: Floats | Sequence[Sequence[float]], height: float = 0.0) -> Floats:
        """(N, 2) pixels -> (N, 2) mm on the plane `height` mm above the board."""
        flat = self.lens.undistorted(np.asarray(pixels, dtype=np.float64))
        mm = np.linalg.solve(self.plane(height), np.hstack([flat, np.ones((len(flat), 1))]).T).T
        return np.asarray(mm[:, :2] / mm[:, 2:], dtype=np.float64)

    def pixels_per_mm(self, x: float = 0.0, y: float = 0.0, height: float = 0.0) -> float:
        """The scale at a place on the board, the mean of both directions."""
        across = math.dist(self.pixel(x - 1, y, height), self.pixel(x + 1, y, height))
        down = math.dist(self.pixel(x, y - 1, height), self.pixel(x, y + 1, height))
        return (across + down) / 4


def square(reach: float) -> Floats:
    """(4, 3) mm: the corners of a square on the board's plane, `reach` from its middle."""
    return np.array([[-reach, -reach, 0], [reach, -reach, 0], [reach, reach, 0], [-reach, reach, 0]])


def square_seen(shape: tuple[int, ...], view: View, reach: float, smaller: int = 1) -> Image:
    """1 where such a square is seen, in a picture of that `shape` that is so many times smaller."""
    seen: Image = np.zeros(shape[:2], dtype=np.uint8)
    cv2.fillConvexPoly(seen, (view.project(square(reach)) / smaller).round().astype(np.int32), 1)
    return seen
