"""Renders photo sessions with known truth: `python -m tests.pictures.make_tables OUT --seeds 0:20`.

Needs Blender's `bpy` 4.5 (Python 3.11) and OpenCV; nothing else of the project needs them. A session is
written in the form `corona evaluate` reads, with `geometry.json` beside it: where everything truly is.
`--crowded` puts far more on the table than a game has, to learn from; its truth.json is left out.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import bpy  # first: it brings bmesh and mathutils along
import numpy as np

from tests.pictures import things
from tests.pictures.prints import Rng, colour, draw_board, random_layout
from tests.pictures.studio import HOMELY, Camera, Studio

DICE = {
    "red": (40, 35, 195),
    "blue": (170, 75, 25),
    "green": (60, 130, 30),
    "yellow": (25, 200, 240),
    "white": (235, 238, 240),
    "black": (32, 30, 30),
    "orange": (20, 120, 245),
    "purple": (140, 40, 100),
    "brown": (35, 60, 95),
    "pink": (165, 110, 240),
}
"""The ten names a set may have, BGR; each set shifts them a little."""
GREYS = ("white", "black")
"""Those that bare metal can look like."""
MANY = 32
"""Pieces in a frame of marked ones."""
MOST_HIGH = 3
"""Nobody sets four pieces of a game on each other."""


@dataclass(frozen=True)
class Wanted:
    """What kind of sets are rendered, and how finely; each word is one of the command's options."""

    samples: int = 5
    percent: int = 100
    crowded: bool = False
    thrown: bool = False
    marked: bool = False
    form: str | None = None
    stacked: bool = False
    plain: bool = False
    homely: bool = False
    matt: bool = False
    usual: bool = False


class Session:
    """One set on one table: its styles, and what is put down frame by frame."""

    def __init__(self, seed: int, out: Path, wanted: Wanted) -> None:
        self.rng: Rng = np.random.default_rng([seed, 77])
        rng = self.rng
        self.out, self.wanted, self.crowded = out, wanted, wanted.crowded
        plain, homely, crowded = wanted.plain, wanted.homely, wanted.crowded
        self.layout = random_layout(rng, wanted.usual)
        board = draw_board(rng, self.layout, HOMELY if homely else 1.0)
        camera = Camera.random(rng, board.side_mm)
        self.studio = Studio(rng, board, camera, wanted.samples, wanted.percent, plain, homely)
        self.style = things.DieStyle(rng, homely, wanted.matt)
        self.pieces = things.PieceStyle(rng, wanted.form, homely, wanted.usual)
        sides = [14, 15, 16, 16, 16, 18] if wanted.usual else [12, 13, 14, 15, 16, 16, 16, 18, 18, 19]
        self.side = float(rng.choice(sides))
        self.names = [str(n) for n in rng.choice(list(DICE), 6, replace=False)]
        if wanted.marked:
            others = [name for name in self.names if name not in GREYS]
            self.names = [*GREYS, *others[: 6 - len(GREYS)]]
        self.tones = {n: self._tone(n) for n in self.names}
        self.stacks = bool(rng.uniform() < (0.1 if plain else 0.3)) or wanted.stacked
        many = wanted.stacked and crowded
        self.on_each_other = 0.7 if many else 0.5
        """How often the next piece of a field is set on another."""
        self.crowds = [0.1, 0.15, 0.4, 0.28, 0.07] if many else [0.25, 0.25, 0.22, 0.2, 0.08]
        """How often 0, 1, ... 4 pieces of a crowd are on a field."""
        if crowded:
            self.studio.only_the_board()
        self.geometry: dict[str, Any] = {}
        self.loose: list[tuple[float, float]] = []
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
            "notes": f"{board.about} on {self.studio.table}",
        }
        out.mkdir(parents=True, exist_ok=True)
        (out / "layout.json").write_text(json.dumps(self.layout, indent=1), encoding="utf-8")
        (out / "session.json").write_text(json.dumps(about, indent=1), encoding="utf-8")

    def _tone(self, name: str) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """Face and pip colour of a die of this name."""
        rng = self.rng
        other = np.array(DICE[name]) * rng.uniform(0.82, 1.15) + rng.normal(0, 9, 3)
        # Dice that are sold as red are much the same red.
        face = np.clip(DICE[name] + (0.4 if self.wanted.matt else 1.0) * (other - DICE[name]), 12, 245)
        light = float(face @ (0.11, 0.59, 0.3))
        bright = light < 110 if abs(light - 120) > 35 else bool(rng.integers(2))
        pips = (rng.uniform(215, 245),) * 3 if bright else (rng.uniform(12, 45),) * 3
        return tuple(float(v) for v in face), tuple(float(v) for v in pips)

    # What is put down; everything returns its row of geometry.json

    def die(
        self, name: str, x: float, y: float, lean: float = 0.0, yaw: float | None = None
    ) -> dict[str, Any]:
        rng = self.rng
        face, pips = self.tones[name]
        value, yaw = int(rng.integers(1, 7)), float(rng.uniform(0, 360)) if yaw is None else yaw
        thing = self.studio.add(things.die(self.side, self.style, face, pips))
        towards = np.deg2rad(yaw) * -1 + float(rng.choice([0, 0.5, 1, 1.5])) * np.pi
        if lean and rng.uniform() < 0.3:
            towards += rng.uniform(-0.8, 0.8)
        things.turn_die(thing, value, np.deg2rad(yaw), np.deg2rad(lean), towards)
        thing.location = (x * things.UNIT, -y * things.UNIT, things.lowest(thing) * things.UNIT)
        return {"colour": name, "x": x, "y": y, "yaw_deg": yaw, "value": value, "lean_deg": lean}

    def piece(self, x: float, y: float, level: int = 0, marker: str | None = None) -> dict[str, Any]:
        thing = self.studio.add(self.pieces.make())
        z = level * self.pieces.height
        turn = float(self.rng.uniform(0, 6.28))
        things.place(thing, x, y, z, turn)
        if marker:
            dot, floor = self.pieces.marker(self.tones[marker][0], self.style.rough)
            things.place(self.studio.add(dot), x, y, z + floor, turn)
        field = self.field_at(x, y)
        return {"x": x, "y": y, "z": z, "field": field, "marker": marker}

    def field_at(self, x: float, y: float) -> int | None:
        fields = self.layout["fields"]
        centres = self.centres()
        away = np.hypot(*(centres - (x, y)).T)
        near = int(away.argmin())
        return near if away[near] < fields["diameter_mm"] / 2 else None

    def centres(self) -> Any:
        fields = self.layout["fields"]
        a = np.deg2rad(fields["first_deg"] + 30 * np.arange(12))
        return fields["ring_radius_mm"] * np.stack([np.sin(a), -np.cos(a)], axis=1)

    def stand(self, field: int, count: int, markers: list[str | None]) -> list[dict[str, Any]]:
        """`count` pieces on a field, apart or touching; on each other where the set does that."""
        rng = self.rng
        rows: list[dict[str, Any]] = []
        diameter = self.pieces.diameter
        reach = 0.62 * self.layout["fields"]["diameter_mm"] / 2
        spots: list[Any] = []
        levels: list[int] = []
        for _ in range(count):
            if spots and self.stacks and rng.uniform() < self.on_each_other:
                top = int(rng.integers(len(spots)))
                if levels[top] < MOST_HIGH:
                    levels[top] += 1
                    continue
            for attempt in range(400):
                # Nobody leaves a piece of a game on a field's edge.
                wide = reach * (1 + min(attempt / 500, 1.0 if self.crowded else 0.2))
                away = wide * np.sqrt(rng.uniform())
                if spots and rng.uniform() < 0.6:
                    a = rng.uniform(0, 2 * np.pi)
                    other = spots[int(rng.integers(len(spots)))]
                    spot = other + diameter * rng.uniform(1.0, 1.06) * np.array([np.cos(a), np.sin(a)])
                    if np.hypot(*(spot - self.centres()[field])) > wide:
                        continue
                else:
                    a = rng.uniform(0, 2 * np.pi)
                    spot = self.centres()[field] + away * np.array([np.cos(a), np.sin(a)])
                if all(np.hypot(*(spot - other)) >= diameter for other in spots):
                    spots.append(spot)
                    levels.append(1)
                    break
            else:
                full = not self.stacks or min(levels) == MOST_HIGH
                if full and not self.crowded:
                    spots, levels = self.in_a_ring(field, count), [1] * count
                    break
                top = int(np.argmin(levels))
                levels[top] += 1
        for spot, level in zip(spots, levels, strict=True):
            for k in range(level):
                marker = markers.pop() if markers and k == level - 1 else None
                x, y = spot + (rng.normal(0, 0.25, 2) if k else 0)
                rows.append(self.piece(float(x), float(y), k, marker))
        return rows

    def in_a_ring(self, field: int, count: int) -> list[Any]:
        """`count` pieces side by side around the middle of a field, as one squeezes them in."""
        rim = min(count, 5)
        around = self.pieces.diameter * 0.515 / np.sin(np.pi / rim)
        turns = self.rng.uniform(0, 2 * np.pi) + 2 * np.pi * np.arange(rim) / rim
        middle = self.centres()[field]
        ring = [middle + around * np.array([np.cos(turn), np.sin(turn)]) for turn in turns]
        # Six: a ring of five has room for one in its middle, if it is drawn a little wider.
        return ring if count <= rim else [middle, *(middle + (spot - middle) * 1.2 for spot in ring)]

    def free_spot(
        self, taken: list[tuple[float, float, float]], radius: float, beside: bool = False
    ) -> tuple[float, float]:
        """Somewhere that is not taken; in a game in view, or else `beside` the board."""
        rng, half = self.rng, self.studio.board.side_mm / 2
        for _ in range(300):
            wide = half * (1.0 if self.crowded else rng.choice([0.6, 1.24, 1.6]))
            x, y = rng.uniform(-wide, wide, 2)
            here = self.crowded or self.studio.sees(x, y)
            off = max(abs(x), abs(y)) > 1.05 * half + radius
            if here and off >= beside and all(np.hypot(x - a, y - b) > r + radius for a, b, r in taken):
                return float(x), float(y)
        return float(rng.uniform(-half, half)), float(half * 1.5)

    def scatter_dice(
        self,
        names: list[str],
        taken: list[tuple[float, float, float]],
        leaning: float,
        touching: float = 0.45,
    ) -> list[dict[str, Any]]:
        """Dice here and there, a share of them touching another, a share leaning."""
        rng = self.rng
        rows: list[dict[str, Any]] = []
        for name in names:
            radius = self.side * 0.75
            x, y = self.free_spot(taken, radius)
            # A die on a chip's edge leans by ten degrees, one on a piece by thirty and more.
            slight = rng.uniform() < 0.6
            lean = float(rng.uniform(7, 18) if slight else rng.uniform(18, 42))
            lean = lean if rng.uniform() < leaning else 0.0
            yaw = None
            if rows and rng.uniform() < touching and not lean:
                last = rows[-1]
                near, turn = self.beside(last)
                others = [t for t in taken if np.hypot(t[0] - last["x"], t[1] - last["y"]) > 1e-6]
                reach = radius if turn is None else self.side / 2
                seen = self.crowded or self.studio.sees(*near)
                if seen and all(np.hypot(near[0] - p, near[1] - q) > r + reach for p, q, r in others):
                    x, y, yaw = float(near[0]), float(near[1]), turn
            rows.append(self.die(name, x, y, lean, yaw))
            taken.append((x, y, radius))
            if lean and rng.uniform() < 0.6:
                a = rng.uniform(0, 2 * np.pi)
                bit = self.studio.add(things.chip(self.side * 1.2, 2.5, colour(rng, 30, 250), 0.5))
                things.place(bit, x + self.side * 0.8 * np.cos(a), y + self.side * 0.8 * np.sin(a))
        return rows

    def litter(self, taken: list[tuple[float, float, float]], most: int) -> None:
        """Clutter and chips of the dice's colours beside the board."""
        rng = self.rng
        reach = self.studio.board.side_mm / 2
        for _ in range(int(rng.integers(0, most + 1))):
            thing = self.studio.add(things.clutter(rng))
            high = thing.location.z / things.UNIT - 0.5
            for _ in range(100):
                a, away = rng.uniform(0, 2 * np.pi), reach * rng.uniform(1.15, 2.2)
                x, y = away * np.cos(a), away * np.sin(a)
                things.place(thing, x, y, high, rng.uniform(0, 6.28))
                # In a game nothing lies on the board, which others would take for a hand.
                if self.crowded or not things.covers(thing, reach):
                    break
            taken.append((float(x), float(y), 60.0))
        self.loose_markers(taken, int(rng.integers(0, 5)))
        if rng.uniform() < 0.4:
            x, y = self.free_spot(taken, 40)
            if np.hypot(x, y) < reach * 1.2:
                return
            size = rng.uniform(16, 32)
            for _ in range(int(rng.integers(1, 6))):
                tone = self.tones[str(rng.choice(self.names))][0]
                dx, dy = rng.normal(0, 25, 2)
                things.place(self.studio.add(things.chip(size, 3, tone, 0.4)), x + dx, y + dy, -1)
            taken.append((x, y, 60.0))

    def beside(self, die: dict[str, Any]) -> tuple[Any, float | None]:
        """A spot close to a die; half of the time side to side with it, turned as it is."""
        rng = self.rng
        if rng.uniform() < 0.5 or die["lean_deg"]:
            a = rng.uniform(0, 2 * np.pi)
            gap = self.side * (1.42 if rng.uniform() < 0.6 else 1.2)
            return np.array([die["x"], die["y"]]) + gap * np.array([np.cos(a), np.sin(a)]), None
        a = np.deg2rad(die["yaw_deg"]) + rng.integers(4) * np.pi / 2
        away, along = self.side * rng.uniform(1.0, 1.05), self.side * rng.normal(0, 0.25)
        step = away * np.array([np.cos(a), np.sin(a)]) + along * np.array([-np.sin(a), np.cos(a)])
        return np.array([die["x"], die["y"]]) + step, float(die["yaw_deg"] + rng.normal(0, 1))

    def loose_markers(self, taken: list[tuple[float, float, float]], count: int) -> None:
        """Markers of the dice's colours that stand or lie beside the pieces: round, and no dice."""
        rng = self.rng
        for name in rng.choice(self.names, count):
            x, y = self.free_spot(taken, 8, beside=not self.crowded)
            taken.append((x, y, 8.0))
            self.loose.append((x, y))
            tone = self.tones[str(name)][0]
            if rng.uniform() < 0.5:
                round_one = things.ball(self.side * rng.uniform(0.3, 0.5), tone, self.style.rough)
                things.place(self.studio.add(round_one), x, y)
                continue
            plug, _ = self.pieces.marker(tone, self.style.rough)
            lying = self.studio.add(plug)
            if rng.uniform() < 0.3:
                lying.rotation_euler[0] = np.pi / 2 * rng.choice([-1, 1])
                things.place(lying, x, y, things.lowest(lying))
            else:
                things.place(lying, x, y)

    # Photographs

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
        self.pieces = self.pieces.another(rng, self.wanted.homely)
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
