"""Frames of dice cut from rendered table sessions: `python -m tests.pictures.dice_tables OUT SESSION...`.

`make_tables --crowded` makes the sessions; where the dice lie in the picture follows from its tags. With
`--empty` the photos of their empty boards instead, so small that a board is as large as a die: it is none.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.geometry import Layout
from vision.tags import find_tags, fit_lens, locate

WIDE, HIGH = 512, 432
EMPTY_WIDE = (512, 320)
"""Pixels across of empty boards, in turns."""
_DARK = 12
"""A part of a picture with less light than this was left out by the renderer."""


def frames(session: Path, out: Path) -> None:
    """Write the parts of a session's frames, with the truth in the form of `dice_scene`."""
    about = json.loads((session / "session.json").read_text())
    layout = Layout.from_json(json.loads((session / "layout.json").read_text()))
    empty = _photo(session / "empty.jpg")
    tags, _ = find_tags(empty, layout)
    lens, (hung,) = fit_lens([tags], layout, (empty.shape[1], empty.shape[0]))
    for name, row in json.loads((session / "geometry.json").read_text()).items():
        if name in ("empty.jpg", "dice.jpg"):
            continue
        picture = _photo(session / "frames" / name)
        tags, twice = find_tags(picture, layout)
        found = locate(tags, layout, lens) if len(tags) > 1 and not twice else None
        view = found[0] if found else hung
        dice = [_truth(view, die, about["dice"]["size_mm"], bool(row.get("hand"))) for die in row["dice"]]
        for x in range(0, picture.shape[1], WIDE):
            for y in range(0, picture.shape[0], HIGH):
                part = picture[y : y + HIGH, x : x + WIDE]
                if (part.max(axis=2) > _DARK).mean() < 0.3:
                    continue
                rows = [_moved(die, x, y) for die in dice]
                rows = [die for die in rows if _near(np.array(die["corners"]))]
                path = out / f"{session.name}-{Path(name).stem}-{x}-{y}.jpg"
                cv2.imwrite(str(path), part, [cv2.IMWRITE_JPEG_QUALITY, 96])
                path.with_suffix(".json").write_text(json.dumps(rows))


def empty_board(session: Path, out: Path, wide: int) -> None:
    """Write a session's photo of the empty board, `wide` pixels across, as a frame without dice."""
    photo = _photo(session / "empty.jpg")
    size = (wide, round(photo.shape[0] * wide / photo.shape[1]))
    path = out / f"{session.name}-empty.jpg"
    small = cv2.resize(photo, size, interpolation=cv2.INTER_AREA)
    cv2.imwrite(str(path), small, [cv2.IMWRITE_JPEG_QUALITY, 92])
    path.with_suffix(".json").write_text("[]")


def _photo(path: Path) -> Any:
    picture = cv2.imread(str(path))
    assert picture is not None, path
    return picture


def _truth(view: Any, die: dict[str, Any], size: float, hand: bool) -> dict[str, Any]:
    turn, half = np.deg2rad(die["yaw_deg"]), size / 2
    c, s = half * np.cos(turn), half * np.sin(turn)
    ring = [
        [die["x"] + i * c - j * s, die["y"] + i * s + j * c, size]
        for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1))
    ]
    doubtful = hand or abs(die.get("lean_deg", 0)) > 5
    return {
        "value": die["value"],
        "corners": np.array(view.project(ring)).tolist(),
        "seen": 0.5 if doubtful else 1.0,
    }


def _moved(die: dict[str, Any], x: int, y: int) -> dict[str, Any]:
    return {**die, "corners": (np.array(die["corners"]) - (x, y)).round(2).tolist()}


def _near(corners: Any) -> bool:
    return bool((corners > -60).all() and (corners < (WIDE + 60, HIGH + 60)).all())


def main() -> None:
    """Cut the sessions named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("sessions", type=Path, nargs="+")
    parser.add_argument("--empty", action="store_true", help="the empty boards instead")
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    for turn, session in enumerate(asked.sessions):
        if asked.empty:
            empty_board(session, asked.out, EMPTY_WIDE[turn % len(EMPTY_WIDE)])
        else:
            frames(session, asked.out)


if __name__ == "__main__":
    main()
