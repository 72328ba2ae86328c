"""The demo's own drawn table as photo sessions: `python -m tests.pictures.make_virtual OUT --seeds 0:20`.

Quick, and of one style: it is among what the networks learn from because the demo must be read as well.
"""

from __future__ import annotations

import argparse
import json
import random
from itertools import count
from pathlib import Path

import cv2
import numpy as np

from calibration.layouts import MAT
from hardware.virtual import VirtualTable
from hardware.virtual.solids import PAINT


def session(seed: int, out: Path, frames: int) -> None:
    """One set on the drawn table: empty, dice, frames; markers in some pieces."""
    rng = random.Random(seed)
    names = rng.sample(list(PAINT), 6)
    side, size = rng.choice([13.0, 14.0, 16.0, 18.0]), (rng.uniform(16.5, 20), rng.uniform(9, 14))
    long_after = count(0, 100)
    table = VirtualTable(
        MAT, names, die_mm=side, piece_mm=size, seed=seed, clock=lambda: float(next(long_after))
    )
    (out / "frames").mkdir(parents=True, exist_ok=True)
    about = {
        "name": out.name,
        "seed": seed,
        "dice": {"size_mm": side, "colours": names},
        "pieces": {"style": "drawn", "diameter_mm": size[0], "height_mm": size[1], "stacked": False},
    }
    (out / "session.json").write_text(json.dumps(about), encoding="utf-8")
    (out / "layout.json").write_text(json.dumps(MAT), encoding="utf-8")
    cv2.imwrite(str(out / "empty.jpg"), table.photo_empty())
    cv2.imwrite(str(out / "dice.jpg"), table.photo_dice())
    geometry, truth = {}, {}
    centres = np.array(table.field_centres())
    for k in range(1, frames + 1):
        table.scatter(rng)
        for number, name in enumerate(rng.sample(names, rng.choice([0, 0, 1, 2, 4]))):
            piece = table.pieces[number]
            table.set_piece(number, piece.x, piece.y, name)
        table.throw(rng)
        pieces = []
        for piece in table.pieces:
            field = int(np.hypot(*(centres - (piece.x, piece.y)).T).argmin())
            row = {"x": piece.x, "y": piece.y, "z": 0.0, "field": field, "marker": piece.marker}
            pieces.append(row)
        dice = [
            {"colour": n, "x": d.x, "y": d.y, "yaw_deg": d.yaw, "value": d.value, "lean_deg": 0.0}
            for n, d in table.dice.items()
        ]
        name = f"{k:03d}.jpg"
        geometry[name] = {"pieces": pieces, "dice": dice}
        truth[name] = {
            "pieces": [sum(p["field"] == f for p in pieces) for f in range(12)],
            "dice": {n: d.value for n, d in table.dice.items()},
            "markers": [{"field": p["field"], "colour": p["marker"]} for p in pieces if p["marker"]],
            "readable": True,
        }
        cv2.imwrite(str(out / "frames" / name), table.draw(), [cv2.IMWRITE_JPEG_QUALITY, 92])
    (out / "geometry.json").write_text(json.dumps(geometry), encoding="utf-8")
    (out / "truth.json").write_text(json.dumps(truth), encoding="utf-8")


def main() -> None:
    """Make the sessions asked for."""
    parse = argparse.ArgumentParser(description=__doc__)
    parse.add_argument("out", type=Path)
    parse.add_argument("--seeds", default="0:10", help="from:to")
    parse.add_argument("--frames", type=int, default=6)
    asked = parse.parse_args()
    first, last = (int(v) for v in asked.seeds.split(":"))
    for seed in range(first, last):
        session(seed, asked.out / f"virtual-{seed:03d}", asked.frames)


if __name__ == "__main__":
    main()
