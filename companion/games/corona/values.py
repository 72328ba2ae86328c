"""Moves, plays and chances as JSON values: the form of the command contract, in which pages get them too."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.games.corona.chances import EVERYWHERE, Chances
from companion.games.corona.rules import LETTERS, Move, Situation


def as_objects(moves: Sequence[Move], colours: Sequence[str]) -> list[dict[str, Any]]:
    """The moves; `colours` in the set's order."""
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


def as_played(
    moves: Sequence[Move], best: int, still: Sequence[int], colours: Sequence[str]
) -> list[dict[str, Any]]:
    """The moves, with the most that the play could still have after each, and how much that is less."""
    before = (best, *still)
    return [
        move | {"still": after, "lost": was - after}
        for move, was, after in zip(as_objects(moves, colours), before, still, strict=False)
    ]


def as_standing(standing: Situation, moves: Sequence[Move], colours: Sequence[str]) -> dict[str, Any]:
    """A play as its moves have left it: `board` has all pieces and the dice left, in one line.

    `waiting` are the fields that hold a piece still to move, and `dice` those left to move it by.
    """
    left = zip(colours, standing.dice, strict=True)
    return {
        "board": "".join(map(str, standing.occupants)) + "-" + "".join(map(str, standing.dice)),
        "waiting": [LETTERS[field] for field, count in enumerate(standing.waiting) if count],
        "dice": [{"colour": colour, "pips": pips} for colour, pips in left if pips],
        "moves": as_objects(moves, colours),
        "points": sum(move.points for move in moves),
    }


def as_rarity(chances: Chances, best: int) -> dict[str, Any]:
    """How a best score lies among those of all throws on its set-up, and of all situations."""
    return {
        "cases": list(chances.cases),
        "half": chances.half,
        "share": chances.share(best),
        "everywhere": EVERYWHERE.share(best),
    }
