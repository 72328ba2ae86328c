"""What is known of the frames of a photo session: truth.json, and every way in which it may be wrong."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

from companion.games.corona.rules import FIELDS, LETTERS, PIECES

TOLD = 5
"""Faults that one sentence names; a file that is wrong throughout has hundreds."""


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
    except (RecursionError, ValueError) as fault:
        raise BadSession(f"{path.name} is broken: too many brackets, or digits of a number") from fault
    if not isinstance(data, dict):
        raise BadSession(f"{path.name} is broken: it needs names with values in {{}}")
    return data


def together(faults: Sequence[str]) -> str:
    """Several faults in one sentence, and how many more there are."""
    more = [f"and {len(faults) - TOLD} more"] if len(faults) > TOLD else []
    return "; ".join([*faults[:TOLD], *more])


def shown(value: Any) -> str:
    """A value as it stands in the file."""
    return f"{json.dumps(value, ensure_ascii=False):.60}"


def truth_of(session: Path, colours: Collection[str]) -> dict[str, dict[str, Any]]:
    """What is known of each frame, by name, with fields 0..11; raises `BadSession`.

    `colours` are those of the set: what no table of it can show would be held against the reader.
    """
    truth = read_json(session / "truth.json")
    frames = {name: known for name, known in sorted(truth.items()) if name != "dice.jpg"}
    faults = [f"{shown(name)} is no file's name" for name in frames if not _is_name(name)]
    faults += [f"{name}{what}" for name, known in frames.items() for what in _faults(known, colours)]
    if faults:
        raise BadSession(f"truth.json: {together(faults)}")
    return {name: _with_numbers(known) for name, known in frames.items()}


def _is_name(name: str) -> bool:
    """Whether a file in the folder of the frames can be called so, and by one name alone."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return name == Path(name).name and name.strip(".") != "" and "\0" not in name


def _faults(known: Any, colours: Collection[str]) -> Iterator[str]:
    """What is wrong with a frame's entry; of one that nobody can read, pieces and dice need not be known."""
    if not isinstance(known, dict) or not isinstance(known.get("readable"), bool):
        yield " needs readable, true or false"
        return
    if "move" in known:
        yield from _of_move(known["move"], colours)
    misplaced = list(_of_places(known.get("markers")))
    yield from misplaced
    if not known["readable"]:
        return
    pieces, dice = known.get("pieces"), known.get("dice")
    if not (isinstance(pieces, list) and len(pieces) == FIELDS and isinstance(dice, dict)):
        yield f" needs dice by their colours and {FIELDS} pieces"
        return
    yield from _of_dice(dice, colours)
    counted = all(type(count) is int and count >= 0 for count in pieces)  # a boolean is no number
    if not counted or sum(pieces) != PIECES:
        yield f": pieces are {shown(pieces)} instead of {FIELDS} whole numbers, {PIECES} together"
    elif not misplaced:
        yield from _of_markers(known.get("markers") or [], pieces, colours)


def _of_places(markers: Any) -> Iterator[str]:
    """What of the markers, None where nobody noted them, is no marker on a field."""
    if markers is None:
        return
    if not isinstance(markers, list) or not all(
        isinstance(marker, dict) and {"field", "colour"} <= marker.keys() for marker in markers
    ):
        yield ": a marker needs field and colour"
        return
    for marker in markers:
        if _field(marker["field"]) is None:
            yield f": a marker's field is {marker['field']!r}; write A to L, or 0 to 11"


def _of_dice(dice: dict[str, Any], colours: Collection[str]) -> Iterator[str]:
    for colour in colours:
        if colour not in dice:
            yield f": the {colour} die is missing"
    for colour, pips in dice.items():
        if colour not in colours:
            yield f": no die of the set is {colour}: they are {', '.join(colours)}"
        elif type(pips) is not int or not 1 <= pips <= 6:
            yield f": the {colour} die is {shown(pips)} instead of 1 to 6"


def _of_markers(markers: list[dict[str, Any]], pieces: list[int], colours: Collection[str]) -> Iterator[str]:
    for colour, times in Counter(str(marker["colour"]) for marker in markers).items():
        if colour not in colours:
            yield f": no marker of the set is {colour}: they are {', '.join(colours)}"
        elif times > 1:
            yield f": the {colour} marker is there {times} times"
    for field, count in Counter(_field(marker["field"]) for marker in markers).items():
        if field is not None and count > pieces[field]:
            yield f": more markers than pieces on {LETTERS[field]}"


def _of_move(move: Any, colours: Collection[str]) -> Iterator[str]:
    """What is wrong with the move that a round's photo shows first."""
    if not isinstance(move, dict) or not {"from", "to", "colour"} <= move.keys():
        yield ": a move needs from, to and colour"
    elif None in (_field(move["from"]), _field(move["to"])):
        yield f": a move goes from {shown(move['from'])} to {shown(move['to'])}; write A to L, or 0 to 11"
    elif move["colour"] not in colours:
        yield f": a move is by {shown(move['colour'])}; the dice are {', '.join(colours)}"


def _with_numbers(known: dict[str, Any]) -> dict[str, Any]:
    """The entry with the fields of its markers, and of its move, as numbers."""
    with_numbers = dict(known)
    if known.get("markers") is not None:
        with_numbers["markers"] = [{**one, "field": _field(one["field"])} for one in known["markers"]]
    if "move" in known:
        move = known["move"]
        with_numbers["move"] = {**move, "from": _field(move["from"]), "to": _field(move["to"])}
    return with_numbers


def _field(field: Any) -> int | None:
    """0..11 of a letter or a number; None where it is neither."""
    if isinstance(field, str) and len(field) == 1 and field in LETTERS:
        return LETTERS.index(field)
    if isinstance(field, int) and not isinstance(field, bool) and 0 <= field < FIELDS:
        return field
    return None
