"""Situation <-> one line of text: `500000100000-666666`, in mid-play `400000100000.000000100000-066666`."""

from __future__ import annotations

import re

from companion.games.corona.rules import DICE, FIELDS, BadSituation, Situation

_LINE = re.compile(r"(?P<waiting>[^.\-]*)(?:\.(?P<moved>[^.\-]*))?-(?P<dice>[^.\-]*)")


def write(situation: Situation) -> str:
    """The situation as one line; a start has no dot."""
    pieces = _digits(situation.waiting)
    if not situation.is_start:
        pieces += "." + _digits(situation.moved)
    return f"{pieces}-{_digits(situation.dice)}"


def read(line: str) -> Situation:
    """The situation in `line`; raises `BadSituation` with every fault at once."""
    match = _LINE.fullmatch(line.strip())
    if match is None:
        raise BadSituation([f"{line.strip()!r} is not <{FIELDS} digits>-<{DICE} digits>"])
    faults: list[str] = []
    waiting = _counts(match["waiting"], "pieces", faults)
    moved = _counts("0" * FIELDS if match["moved"] is None else match["moved"], "moved pieces", faults)
    dice = _counts(match["dice"], "dice", faults)
    if faults:
        raise BadSituation(faults)
    return Situation(waiting, dice, moved)


def _digits(counts: tuple[int, ...]) -> str:
    return "".join(map(str, counts))


def _counts(text: str, what: str, faults: list[str]) -> tuple[int, ...]:
    strange = sorted({sign for sign in text if sign not in "0123456789"})
    if strange:
        faults.append(f"the {what} hold {' and '.join(map(repr, strange))}, which is no digit")
        return ()
    return tuple(map(int, text))
