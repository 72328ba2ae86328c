"""Renders photo sessions with known truth: `python -m tests.pictures.make_tables OUT --seeds 0:20`.

Needs Blender's `bpy` 4.5 (Python 3.11) and OpenCV; nothing else of the project needs them. A session is
written in the form `corona evaluate` reads, with `geometry.json` beside it: where everything truly is.
`--crowded` puts far more on the table than a game has, to learn from; its truth.json is left out.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import bpy  # first: it brings bmesh and mathutils along
import numpy as np

from tests.pictures import things
from tests.pictures.laying import Table, Wanted
from tests.pictures.prints import colour
from tests.pictures.recolour import GREYS

MANY = 32
"""Pieces in a frame of marked ones."""


class Session(Table):
    """One table, photographed frame by frame, and the folder that it is written to."""

    def __init__(self, seed: int, out: Path, wanted: Wanted) -> None:
        super().__init__(np.random.default_rng([seed, 77]), wanted)
        self.out = out
        self.geometry: dict[str, Any] = {}
        self.truth: dict[str, Any] = {}
        about = {
            "name": out.name,
            "seed": seed,
            "dice": {"size_mm": self.side, "colours": self.names},
            "pieces": {
                "style": f"{self.pieces.metal} {self.pieces.form}",
                "diameter_mm": self.pieces.diameter,
                "height_mm": self.pieces.height,
                "stacked": self.stacks,
            },
            "notes": f"{self.board.about} on {self.studio.table}",
        }
        out.mkdir(parents=True, exist_ok=True)
        (out / "layout.json").write_text(json.dumps(self.layout, indent=1), encoding="utf-8")
        (out / "session.json").write_text(json.dumps(about, indent=1), encoding="utf-8")

    def crowd(self, name: str) -> None:
        """A frame to learn from: many pieces, many dice, some things that are neither."""
        rng = self.rng
        taken: list[tuple[float, float, float]] = []
        pieces: list[dict[str, Any]] = []
        marked = rng.uniform(0, 0.8)
        for field in range(12):
            count = int(rng.choice(5, p=self.crowds))
            markers = [str(rng.choice(self.names)) if rng.uniform() < marked else None for _ in range(count)]
            pieces += self.stand(field, count, markers)  # type: ignore[arg-type]
        fields = self.layout["fields"]
        for _ in range(int(rng.integers(0, 4))):
            a = rng.uniform(0, 2 * np.pi)
            spot = fields["ring_radius_mm"] * rng.uniform(0.5, 1.15) * np.array([np.cos(a), np.sin(a)])
            if all(np.hypot(p["x"] - spot[0], p["y"] - spot[1]) > self.pieces.diameter for p in pieces):
                marker = str(rng.choice(self.names)) if rng.uniform() < 0.3 else None
                pieces.append(self.piece(float(spot[0]), float(spot[1]), 0, marker))
        taken = [(p["x"], p["y"], self.pieces.diameter / 2) for p in pieces]
        self.litter(taken, 3)
        names = [str(n) for n in rng.choice(self.names, int(rng.integers(18, 34)))]
        dice = self.scatter_dice(names, taken, 0.35)
        hand = None
        if rng.uniform() < 0.15:
            hand = self.lay_hand()
        self.shoot(name, pieces, dice, hand)

    def throw(self, name: str) -> None:
        """A frame to learn from: few pieces, very many dice, half of them leaning."""
        rng = self.rng
        pieces: list[dict[str, Any]] = []
        for field in rng.choice(12, 4, replace=False):
            pieces += self.stand(int(field), int(rng.integers(1, 3)), [])
        taken = [(p["x"], p["y"], self.pieces.diameter / 2) for p in pieces]
        self.loose_markers(taken, 12)
        names = [str(n) for n in rng.choice(self.names, 50)]
        self.shoot(name, pieces, self.scatter_dice(names, taken, 0.5))

    def mark(self, name: str) -> None:
        """A frame to learn from: many single pieces of a form and a metal of its own, many of them marked,
        white and black above all; each die twice, which tells how the colours look here."""
        rng, fields = self.rng, self.layout["fields"]
        self.pieces = self.pieces.another(rng, self.wanted.form, self.wanted.homely)
        share = rng.uniform(0.2, 0.8)
        pieces: list[dict[str, Any]] = []
        for _ in range(300):
            a, away = rng.uniform(0, 2 * np.pi), fields["ring_radius_mm"] * rng.uniform(0.2, 1.2)
            spot = away * np.array([np.cos(a), np.sin(a)])
            if all(np.hypot(p["x"] - spot[0], p["y"] - spot[1]) > self.pieces.diameter for p in pieces):
                names = GREYS if rng.uniform() < 0.6 else self.names
                marker = str(rng.choice(names)) if rng.uniform() < share else None
                pieces.append(self.piece(float(spot[0]), float(spot[1]), 0, marker))
            if len(pieces) == MANY:
                break
        taken = [(p["x"], p["y"], self.pieces.diameter / 2) for p in pieces]
        self.shoot(name, pieces, self.scatter_dice(self.names * 2, taken, 0.0))

    def lay_hand(self) -> list[float]:
        rng = self.rng
        a = rng.uniform(0, 2 * np.pi)
        away = self.studio.board.side_mm * rng.uniform(0.05, 0.5)
        x, y = away * np.cos(a), away * np.sin(a)
        hand = self.studio.add(things.hand(rng))
        things.place(hand, x, y, rng.uniform(0, 25), a + np.pi + rng.normal(0, 0.4))
        return [float(x), float(y)]

    def lay(self, name: str, why: str | None) -> None:
        """A frame of a game: six pieces, six dice; `why` not every person could read it, or None."""
        between = why == "a piece stands between two fields"
        pieces = self.lay_pieces(5 if between or why == "a piece is missing" else 6)
        if between:
            pieces.append(self.stand_between(pieces))
        taken = [(p["x"], p["y"], self.pieces.diameter / 2) for p in pieces]
        self.litter(taken, 2)
        dice = self.lay_dice(why, taken)
        hand = self.lay_hand() if why == "hand over the board" else None
        values: dict[str, int | None] = dict.fromkeys(self.names)
        values |= {d["colour"]: d["value"] for d in dice if not d["lean_deg"]}
        marked = [p for p in pieces if p["marker"] and p["field"] is not None]
        self.truth[f"{name}.jpg"] = {
            "pieces": [sum(p["field"] == k for p in pieces) for k in range(12)],
            "dice": values,
            "markers": [{"field": p["field"], "colour": p["marker"]} for p in marked],
            "readable": why is None,
        } | ({"why": why} if why else {})
        self.shoot(name, pieces, dice, hand)

    def lay_pieces(self, count: int) -> list[dict[str, Any]]:
        """`count` pieces on the fields, a few fields holding most; now and then some carry markers."""
        rng = self.rng
        split = rng.multinomial(count, rng.dirichlet(np.full(12, 0.25)))
        while split.max() > (6 if self.stacks else 4):
            split[int(split.argmax())] -= 1
            split[int(split.argmin())] += 1
        played = int(rng.integers(0, count + 1)) if rng.uniform() < 0.4 else 0
        markers: list[str | None] = [str(n) for n in rng.permutation(self.names)[:played]]
        pieces: list[dict[str, Any]] = []
        for field in range(12):
            own = [markers.pop() if markers else None for _ in range(split[field])]
            pieces += self.stand(field, int(split[field]), own)
        return pieces

    def stand_between(self, others: list[dict[str, Any]]) -> dict[str, Any]:
        """One more piece, on the ring but on no field; RuntimeError where there is no room for it."""
        rng, fields = self.rng, self.layout["fields"]
        for _ in range(2000):
            a = np.deg2rad(fields["first_deg"] + 30 * (rng.integers(12) + 0.5 + rng.normal(0, 0.06)))
            x, y = fields["ring_radius_mm"] * rng.uniform(0.94, 1.06) * np.array([np.sin(a), -np.cos(a)])
            clear = all(np.hypot(p["x"] - x, p["y"] - y) > self.pieces.diameter for p in others)
            if clear and self.field_at(x, y) is None:
                return self.piece(float(x), float(y))
        raise RuntimeError(f"no room between the fields of {self.layout['name']}")

    def lay_dice(self, why: str | None, taken: list[tuple[float, float, float]]) -> list[dict[str, Any]]:
        """The six dice; one of them missing, or leaning on a chip, where that is `why`."""
        rng = self.rng
        names = [str(name) for name in rng.permutation(self.names)]
        odd = names.pop() if why in ("a die is missing", "a die is cocked") else None
        dice = self.scatter_dice(names, taken, 0.0)
        if odd and why == "a die is cocked":
            x, y = self.free_spot(taken, self.side)
            dice.append(self.die(odd, x, y, float(rng.uniform(9, 40))))
            a = rng.uniform(0, 6.28)
            bit = self.studio.add(things.chip(self.side * 1.3, 3, colour(rng, 30, 250), 0.5))
            things.place(bit, x + self.side * 0.9 * np.cos(a), y + self.side * 0.9 * np.sin(a))
        return dice

    def shoot(self, name: str, pieces: Any, dice: Any, hand: Any = None) -> None:
        path = self.out / "frames" / f"{name}.jpg" if name.isdigit() else self.out / f"{name}.jpg"
        self.studio.photograph(path)
        row = {"pieces": pieces, "dice": dice, "loose": self.loose} | ({"hand": hand} if hand else {})
        self.loose = []
        self.geometry[path.name] = row
        self.studio.clear()
        (self.out / "geometry.json").write_text(json.dumps(self.geometry), encoding="utf-8")
        if self.truth and not self.crowded:
            (self.out / "truth.json").write_text(json.dumps(self.truth, indent=1), encoding="utf-8")

    def make(self, frames: int) -> None:
        """The photo of the empty board, the one of the dice, then `frames` more."""
        rng = self.rng
        self.shoot("empty", [], [])
        if not self.crowded:
            self.shoot("dice", [], self.scatter_dice(self.names, [], 0.0, touching=0.0))
        reasons = [
            "hand over the board",
            "a die is cocked",
            "a die is missing",
            "a piece is missing",
            "a piece stands between two fields",
        ]
        bump = frames // 2 if rng.uniform() < 0.15 else frames + 1
        for k in range(1, frames + 1):
            if k == bump and not self.crowded:
                self.studio.camera = self.studio.camera.bumped(rng)
            if self.wanted.thrown:
                self.throw(f"{k:03d}")
            elif self.wanted.marked:
                self.mark(f"{k:03d}")
            elif self.crowded:
                self.crowd(f"{k:03d}")
            else:
                self.lay(f"{k:03d}", str(rng.choice(reasons)) if rng.uniform() < 0.25 else None)


def main() -> None:
    """Make the sessions asked for; those that are there already are kept."""
    parse = argparse.ArgumentParser(description=__doc__)
    parse.add_argument("out", type=Path)
    parse.add_argument("--seeds", default="0:10", help="from:to")
    parse.add_argument("--frames", type=int, default=8)
    parse.add_argument("--samples", type=int, default=5)
    parse.add_argument("--threads", type=int, default=0)
    parse.add_argument(
        "--percent", type=int, default=100, help="of the size; 50 will do for pieces, at a fourth of the time"
    )
    parse.add_argument(
        "--thrown", action="store_true", help="with --crowded: dice above all, half of them leaning"
    )
    parse.add_argument(
        "--marked",
        action="store_true",
        help="with --crowded: pieces above all, many with white or black markers",
    )
    parse.add_argument("--crowded", action="store_true")
    parse.add_argument("--form", help="only pieces of this form: tube, cup, ring, crown, wavy, ...")
    parse.add_argument("--stacked", action="store_true", help="only sets whose pieces stand on each other")
    parse.add_argument("--plain", action="store_true", help="rooms lit as people light one to play in")
    parse.add_argument("--homely", action="store_true", help="with --plain: muted colours, little gloss")
    parse.add_argument("--usual", action="store_true", help="board, pieces and dice of usual sizes")
    parse.add_argument("--matt", action="store_true", help="dice that are hardly glossy, in usual colours")
    parse.add_argument("--flared", action="store_true", help="pieces narrower at the foot than at the rim")
    parse.add_argument("--varnished", action="store_true", help="boards that mirror what stands on them")
    asked = vars(parse.parse_args(sys.argv[1:]))
    out, frames, threads = asked.pop("out"), asked.pop("frames"), asked.pop("threads")
    first, last = (int(v) for v in asked.pop("seeds").split(":"))
    wanted = Wanted(**asked)
    for seed in range(first, last):
        folder = out / f"{'crowd' if wanted.crowded else 'table'}-{seed:03d}"
        if (folder / "done").exists():
            continue
        session = Session(seed, folder, wanted)
        if threads:
            bpy.context.scene.render.threads_mode = "FIXED"
            bpy.context.scene.render.threads = threads
        session.make(frames)
        (folder / "done").write_text("", encoding="utf-8")


if __name__ == "__main__":
    main()
