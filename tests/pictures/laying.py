"""What lies on a rendered table: one set's dice and pieces, put down as people do, and things beside them.

Everything that is put down returns its row of geometry.json: where it truly is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tests.pictures import things
from tests.pictures.prints import Rng, colour, draw_board, random_layout
from tests.pictures.recolour import GREYS
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
    flared: bool = False
    varnished: bool = False


class Table:
    """One set on one table: its styles, and what is put down on it."""

    def __init__(self, rng: Rng, wanted: Wanted) -> None:
        self.rng, self.wanted, self.crowded = rng, wanted, wanted.crowded
        plain, homely, crowded = wanted.plain, wanted.homely, wanted.crowded
        self.layout = random_layout(rng, wanted.usual)
        self.board = board = draw_board(rng, self.layout, HOMELY if homely else 1.0)
        camera = Camera.random(rng, board.side_mm)
        self.studio = Studio(
            rng, board, camera, wanted.samples, wanted.percent, plain, homely, wanted.varnished
        )
        self.style = things.DieStyle(rng, homely, wanted.matt)
        self.pieces = things.PieceStyle(rng, wanted.form, homely, wanted.usual)
        if wanted.flared:
            self.pieces.flare(rng)
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
        self.loose: list[tuple[float, float]] = []
        """Where markers lie beside the pieces, since the last photograph."""

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
            heap: list[tuple[Any, int]] = []
            for _ in range(int(rng.integers(1, 6))):
                tone = self.tones[str(rng.choice(self.names))][0]
                at = rng.normal(0, 25, 2)
                # One on another: two in one plane would be black where they meet.
                level = max((k + 1 for other, k in heap if np.hypot(*(at - other)) < size), default=0)
                heap.append((at, level))
                spot = (x + at[0], y + at[1], 3 * level - 1)
                things.place(self.studio.add(things.chip(size, 3, tone, 0.4)), *spot)
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
