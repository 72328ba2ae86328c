"""The hands of simple players on the virtual table: they stand pieces, throw dice, put markers and press."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from math import hypot
from random import Random
from typing import Protocol

from companion.games.corona.rules import Move, Situation
from hardware.virtual import VirtualPins, VirtualTable

FIELD_MM = 30.0
"""As far from the middle of a field a piece still belongs to it."""


class Hands(Protocol):
    """What a player does at the table itself."""

    def clear(self) -> None:
        """Take the dice off the mat."""

    def stand(self, piece: int, field: int) -> None:
        """Stand piece number `piece` on a field, without a marker."""

    def throw(self) -> Mapping[str, int]:
        """Throw all dice; what each colour shows."""

    def press(self) -> None:
        """Press the setter's button."""

    def move(self, move: Move, colour: str) -> None:
        """Put the die's marker into a piece that has still to move, and move it."""

    def arrange(self, situation: Situation, colours: Sequence[str], moves: Sequence[Move]) -> None:
        """Lay this situation with these moves made, as it was."""


class VirtualHands:
    """Hands on the drawn table; `setter` is the pin of the setter's button."""

    def __init__(self, virtual: VirtualTable, pins: VirtualPins, setter: int | None) -> None:
        self._virtual, self._pins, self._setter = virtual, pins, setter
        self._chance = Random()
        self._beside = [(colour, die.x, die.y) for colour, die in virtual.dice.items()]

    def clear(self) -> None:
        """Lay the dice beside the mat, where they lay at first."""
        for colour, x, y in self._beside:
            with suppress(ValueError):  # no room there: it stays
                self._virtual.set_die(colour, x, y)

    def stand(self, piece: int, field: int) -> None:
        """Near the middle of the field, as a person does."""
        x, y = self._virtual.field_centres()[field]
        near = self._chance.uniform
        with suppress(ValueError):
            self._virtual.set_piece(piece, x + near(-3, 3), y + near(-3, 3))

    def throw(self) -> Mapping[str, int]:
        """Throw all dice; what each colour shows."""
        with suppress(ValueError):
            self._virtual.throw(self._chance)
        return {colour: die.value for colour, die in self._virtual.dice.items()}

    def press(self) -> None:
        """Press the setter's button."""
        if self._setter is not None:
            self._pins.press(self._setter)

    def move(self, move: Move, colour: str) -> None:
        """Of the pieces without a marker the nearest one goes: the others have moved."""
        x, y = self._virtual.field_centres()[move.start]
        waiting = [number for number, piece in enumerate(self._virtual.pieces) if piece.marker is None]
        if not waiting:
            return
        pieces = self._virtual.pieces
        away, nearest = min((hypot(pieces[number].x - x, pieces[number].y - y), number) for number in waiting)
        if away > FIELD_MM:
            return  # a person has moved it already
        x, y = self._virtual.field_centres()[move.to]
        with suppress(ValueError):
            self._virtual.set_piece(nearest, x, y, colour)

    def arrange(self, situation: Situation, colours: Sequence[str], moves: Sequence[Move]) -> None:
        """Pieces on their fields; the dice, wherever they lie, show what they showed."""
        fields = [field for field, count in enumerate(situation.waiting) for _ in range(count)]
        for piece, field in enumerate(fields):
            self.stand(piece, field)
        for colour, pips in zip(colours, situation.dice, strict=True):
            die = self._virtual.dice.get(colour)
            if die is not None:
                self._virtual.set_die(colour, die.x, die.y, pips)
        for move in moves:
            self.move(move, colours[move.die])
