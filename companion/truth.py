"""What is known of the frames of a photo session: truth.json, and every way in which it may be wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from companion.games.corona.rules import FIELDS, LETTERS


class BadSession(ValueError):
    """A session.json or truth.json that cannot be used; the text says which, why, and what it needs."""


def read_json(path: Path) -> dict[str, Any]:
    """The object in a file of a session; raises `BadSession`."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except json.JSONDecodeError as fault:
        where = f"line {fault.lineno}, column {fault.colno}"
        raise BadSession(f"{path.name} is broken: it is no JSON at {where}") from fault
    except UnicodeDecodeError as fault:
        raise BadSession(f"{path.name} is broken: it is no UTF-8 text") from fault
    if not isinstance(data, dict):
        raise BadSession(f"{path.name} is broken: it needs names with values in {{}}")
    return data


def truth_of(session: Path) -> dict[str, dict[str, Any]]:
    """What is known of each frame, by name, with markers on fields 0..11; raises `BadSession`."""
    truth = read_json(session / "truth.json")
    return {name: _known(name, known) for name, known in sorted(truth.items()) if name != "dice.jpg"}


def _known(name: str, known: Any) -> dict[str, Any]:
    """A frame's entry in truth.json; of one that nobody can read, pieces and dice need not be known."""
    if not isinstance(known, dict) or not isinstance(known.get("readable"), bool):
        raise BadSession(f"truth.json: {name} needs readable, true or false")
    pieces, dice, markers = known.get("pieces"), known.get("dice"), known.get("markers")
    counted = isinstance(pieces, list) and len(pieces) == FIELDS
    if known["readable"] and not (counted and isinstance(dice, dict)):
        raise BadSession(f"truth.json: {name} needs dice by their colours and {FIELDS} pieces")
    if markers is None:
        return known
    if not isinstance(markers, list) or not all(
        isinstance(marker, dict) and {"field", "colour"} <= marker.keys() for marker in markers
    ):
        raise BadSession(f"truth.json: {name}: a marker needs field and colour")
    return {**known, "markers": [{**marker, "field": _field(name, marker["field"])} for marker in markers]}


def _field(name: str, field: Any) -> int:
    """0..11 of a letter or a number."""
    if isinstance(field, str) and len(field) == 1 and field in LETTERS:
        return LETTERS.index(field)
    if isinstance(field, int) and not isinstance(field, bool) and 0 <= field < FIELDS:
        return field
    raise BadSession(f"truth.json: {name}: a marker's field is {field!r}; write A to L, or 0 to 11")
