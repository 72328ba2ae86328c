"""A line of moves for the command line: as objects of the contract, and as rows for a person."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from companion.games.corona.rules import LETTERS, Move


def as_objects(moves: Sequence[Move], colours: Sequence[str]) -> list[dict[str, Any]]:
    """The moves in the form of the command contract; `colours` in the set's order."""
    return [
        {
            "from": LETTERS[move.start],
            "to": LETTERS[move.to],
            "colour": colours[move.die],
            "pips": move.pips,
            "points": move.points,
        }
        for move in moves
    ]


def as_rows(moves: Sequence[Move], colours: Sequence[str]) -> Iterator[str]:
    """One row a move, with its points and the points so far."""
    total = 0
    for number, move in enumerate(moves, start=1):
        total += move.points
        yield (
            f"  {number}. {LETTERS[move.start]} -> {LETTERS[move.to]}  {colours[move.die]:<6} {move.pips}"
            f"   {move.points or '-':>2}   {total:>2}\n"
        )


def as_short(moves: Sequence[Move], colours: Sequence[str]) -> str:
    """A line in one row: `A-G red 2, G-A white 2`; the number is what the move scores, `-` if nothing."""
    return ", ".join(
        f"{LETTERS[move.start]}-{LETTERS[move.to]} {colours[move.die]} {move.points or '-'}" for move in moves
    )
