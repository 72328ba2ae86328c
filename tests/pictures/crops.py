"""Rendered sessions -> what the networks of the table learn from: flattened pictures with their truth."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.files import read_photo
from calibration.store import read_layout
from companion.cameras import Camera
from vision.change import Change, compare, half
from vision.geometry import Image, Layout, View
from vision.tags import find_tags, fit_lens, locate

Array = NDArray[Any]


@dataclass(frozen=True)
class Shot:
    """One photograph of a session with everything known about it."""

    session: str
    name: str
    frame: Image
    empty: Image
    view: View
    layout: Layout
    change: Change
    die_mm: float
    piece_mm: tuple[float, float]
    pieces: list[dict[str, Any]]
    dice: list[dict[str, Any]]
    loose: list[tuple[float, float]]
    hand: bool


def shots(session: Path) -> Iterator[Shot]:
    """The frames of a session whose camera stood still (a crowded one always does); none without its tags."""
    geometry = json.loads((session / "geometry.json").read_text(encoding="utf-8"))
    about = json.loads((session / "session.json").read_text(encoding="utf-8"))
    layout = read_layout(session / "layout.json")
    empty = read_photo(session / "empty.jpg")
    tags, _ = find_tags(empty, layout)
    if len(tags) < 4:
        return
    height, width = empty.shape[:2]
    lens, (view,) = fit_lens([tags], layout, (width, height))
    empty_half = half(empty)
    truth = session / "truth.json"
    values = json.loads(truth.read_text(encoding="utf-8")) if truth.exists() else {}
    for path in sorted((session / "frames").glob("*.jpg")):
        if path.name not in geometry:
            continue
        row = geometry[path.name]
        frame = read_photo(path)
        seen, _ = find_tags(frame, layout)
        found = locate(seen, layout, lens)
        if values and found and np.abs(found[0].project([[0, 0, 0]]) - view.project([[0, 0, 0]])).max() > 1.5:
            continue
        dice = [dict(die) for die in row["dice"]]
        for die in dice:
            known = values.get(path.name, {}).get("dice", {})
            if "value" not in die:
                die["value"] = known.get(die["colour"])
                die["lean_deg"] = 20.0 if die["value"] is None else 0.0
        pieces = about["pieces"]
        yield Shot(
            session.name,
            path.stem,
            frame,
            empty,
            view,
            layout,
            compare(half(frame), empty_half),
            float(about["dice"]["size_mm"]),
            (float(pieces["diameter_mm"]), float(pieces["height_mm"])),
            [dict(piece) for piece in row["pieces"]],
            dice,
            [(float(x), float(y)) for x, y in row.get("loose", [])],
            bool(row.get("hand")) or values.get(path.name, {}).get("why", "").startswith("hand"),
        )


def through(camera: Camera, shot: Shot, rng: np.random.Generator) -> Shot:
    """The same frame as another camera would give it, and the empty photo, too."""
    frame, empty = (camera.takes(photo, int(rng.integers(1 << 31))) for photo in (shot.frame, shot.empty))
    return replace(shot, frame=frame, empty=empty, change=compare(half(frame), half(empty)))


def towers(shot: Shot) -> list[tuple[float, float, int, str | None]]:
    """(x, y) mm, how many pieces stand there on each other, and the marker in the topmost."""
    found: list[tuple[float, float, int, str | None]] = []
    for piece in sorted(shot.pieces, key=lambda piece: piece["z"]):
        level = round(piece["z"] / shot.piece_mm[1]) + 1
        near = [t for t in found if np.hypot(t[0] - piece["x"], t[1] - piece["y"]) < shot.piece_mm[0] / 2]
        if level > 1 and near:
            found.remove(near[0])
            found.append((near[0][0], near[0][1], level, piece["marker"]))
        else:
            found.append((piece["x"], piece["y"], 1, piece["marker"]))
    return found


def resize(picture: Image, size: int) -> Image:
    """A square picture at another size."""
    return np.asarray(cv2.resize(picture, (size, size), interpolation=cv2.INTER_AREA))
