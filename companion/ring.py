"""The ring as text: twelve fields around the dice, as they lie on the table."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.corona.rules import LETTERS, Situation

_ROWS = ("KLAB", "J  C", "I  D", "HGFE")
"""Clockwise from A, right of the middle at the top."""
_WIDTH = 7


def as_ring(situation: Situation) -> list[str]:
    """Four rows: each field with its pieces (`2+1`: two wait, one has moved), the dice left in the middle."""
    dice = [str(pips or "-") for pips in situation.dice]
    rows = []
    for letters, middle in zip(_ROWS, ("", " ".join(dice[:3]), " ".join(dice[3:]), ""), strict=True):
        if middle:
            cells = [_field(situation, letters[0]), f"{middle:^{2 * _WIDTH}}", _field(situation, letters[-1])]
        else:
            cells = [_field(situation, letter) for letter in letters]
        rows.append("".join(cells).rstrip())
    return rows


def side_by_side(left: Sequence[str], right: Sequence[str]) -> list[str]:
    """Two drawings of as many rows, the first on the left."""
    wide = max(map(len, left))
    return [f"{one:<{wide}}    {other}".rstrip() for one, other in zip(left, right, strict=True)]


def _field(situation: Situation, letter: str) -> str:
    field = LETTERS.index(letter)
    waiting, moved = situation.waiting[field], situation.moved[field]
    pieces = f"{waiting or ''}{f'+{moved}' if moved else ''}" or "."
    return f"{letter} {pieces:<{_WIDTH - 2}}"
