"""A reader that knows the truth of a virtual table, where the vision is not the subject."""

from __future__ import annotations

from collections.abc import Callable
from math import cos, dist, hypot, pi, sin

from hardware.camera import Frame
from hardware.virtual import VirtualTable
from vision.reading import Confidence, Doubt, MayBe, Point, Reading, SeenDie, SeenPiece

CLEAR = 0.9999


def truthful(virtual: VirtualTable) -> Callable[[Frame], Reading]:
    """Reads what lies on `virtual`; unsure while a hand is over it, or a piece lies on no field."""

    def pixel(x: float, y: float, z: float = 0.0) -> Point:
        px, py = virtual.lens.pixels((x, y, z))
        return float(px), float(py)

    def read(_frame: Frame) -> Reading:
        hand = virtual.hand
        centres = virtual.field_centres()
        counts, pieces, doubts = [0] * 12, [], []
        for piece in virtual.pieces:
            near = [k for k, (x, y) in enumerate(centres) if hypot(piece.x - x, piece.y - y) < 23]
            if near:
                counts[near[0]] += 1
            else:
                doubts.append(Doubt("pieces", "one stands on no field"))
            centre = pixel(piece.x, piece.y, piece.height)
            pieces.append(SeenPiece(near[0] if near else None, centre, 21, piece.marker, bool(near)))
        dice = []
        for die in virtual.dice.values():
            turns = [die.yaw * pi / 180 + k * pi / 2 + pi / 4 for k in range(4)]
            corners = [(die.x + 11.3 * cos(turn), die.y + 11.3 * sin(turn)) for turn in turns]
            outline = tuple(pixel(x, y, die.size) for x, y in corners)
            dice.append(SeenDie(die.colour, die.value, pixel(die.x, die.y, die.size), outline, not hand))
        if hand:
            doubts.append(Doubt("board", "something covers it"))
        turns = [k * pi / 16 for k in range(32)]
        return Reading(
            counts=tuple(counts),
            dice={die.colour: None if hand else die.pips for die in dice},
            sure=not doubts,
            confidence=Confidence((CLEAR,) * 12, dict.fromkeys(virtual.dice, CLEAR), (), CLEAR, CLEAR),
            may_be=MayBe(tuple((count,) for count in counts), {die.colour: (die.pips or 0,) for die in dice}),
            doubts=tuple(doubts),
            covered=bool(hand),
            pieces=tuple(pieces),
            seen_dice=tuple(dice),
            board=tuple(pixel(x, y) for x, y in ((-140, -140), (140, -140), (140, 140), (-140, 140))),
            fields=tuple(
                tuple(pixel(x + 23 * cos(turn), y + 23 * sin(turn)) for turn in turns) for x, y in centres
            ),
        )

    return read


def shift(virtual: VirtualTable, *steps: tuple[int, int]) -> None:
    """A hand takes a piece from a field to another one, to where none stands yet, for each step; all between
    two glances."""
    centres = virtual.field_centres()
    virtual.hold(True)
    for start, to in steps:
        stand = [(piece.x, piece.y) for piece in virtual.pieces]
        nearest = min(range(len(stand)), key=lambda one: dist(stand[one], centres[start]))
        x, y = centres[to]
        beside = [(x + 13 * cos(turn), y + 13 * sin(turn)) for turn in range(6)]
        virtual.set_piece(nearest, *max(beside, key=lambda at: min(dist(at, one) for one in stand)))
    virtual.hold(False)
