"""Events as JSON, under short names that never change, so that an old log can always be read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from functools import cache
from typing import Any, get_args, get_type_hints

from companion.games.corona import events, notation
from companion.games.corona.events import Ending, Event, Payment
from companion.games.corona.rules import LETTERS, CoronaError, EditionName, Move, Situation

_NAMES: dict[str, type[Event]] = {
    "game_started": events.GameStarted,
    "die_thrown": events.DieThrown,
    "seat_taken": events.SeatTaken,
    "seat_left": events.SeatLeft,
    "game_paused": events.GamePaused,
    "game_resumed": events.GameResumed,
    "situation_laid": events.SituationLaid,
    "hourglass_turned": events.HourglassTurned,
    "hourglass_cancelled": events.HourglassCancelled,
    "bid_made": events.BidMade,
    "sand_ran_out": events.SandRanOut,
    "marker_put": events.MarkerPut,
    "marker_taken": events.MarkerTaken,
    "piece_touched": events.PieceTouched,
    "piece_moved": events.PieceMoved,
    "play_followed": events.PlayFollowed,
    "player_done": events.PlayerDone,
    "result_entered": events.ResultEntered,
    "chips_settled": events.ChipsSettled,
    "revealed": events.Revealed,
    "minutes_over": events.MinutesOver,
    "game_over": events.GameOver,
    "undone": events.Undone,
    "reading_corrected": events.ReadingCorrected,
    "bid_corrected": events.BidCorrected,
    "result_corrected": events.ResultCorrected,
    "chips_corrected": events.ChipsCorrected,
    "settled_anew": events.SettledAnew,
    "game_goes_on": events.GameGoesOn,
}
_SHORT = {kind: name for name, kind in _NAMES.items()}


class BadEvent(CoronaError, ValueError):
    """A stored event that this program cannot read."""


def name_of(event: Event) -> str:
    """The short name of `event`."""
    return _SHORT[type(event)]


def to_json(event: Event) -> tuple[str, dict[str, Any]]:
    """The short name of `event`, and its data as JSON values."""
    return name_of(event), {
        field.name: _shown(field.name, getattr(event, field.name)) for field in fields(event)
    }


def from_json(name: str, data: Mapping[str, Any]) -> Event:
    """The event stored as `data` under `name`; raises `BadEvent` for an unknown name or broken data."""
    if name not in _NAMES:
        raise BadEvent(f"there is no event “{name}” in this version of Corona")
    try:
        return _NAMES[name](**{key: read(data[key]) for key, read in _readers(name) if _has(name, key, data)})
    except (KeyError, TypeError, ValueError, AttributeError) as fault:
        raise BadEvent(f"the data of the event “{name}” is damaged: {fault}") from fault


def ending_to_json(ending: Ending) -> dict[str, int | bool]:
    """`{"rounds": 10}`, `{"minutes": 30}`, `{"broke": true}` or `{"doubled": true}`."""
    return {ending.kind: True if ending.number is None else ending.number}


def ending_from_json(data: Mapping[str, Any]) -> Ending:
    """The ending written as one key and its number; raises `ValueError` for anything else."""
    match dict(data):
        case {"rounds": int(number), **rest} if not rest and number is not True:
            return Ending("rounds", number)
        case {"minutes": int(number), **rest} if not rest and number is not True:
            return Ending("minutes", number)
        case {"broke": True, **rest} if not rest:
            return Ending("broke", None)
        case {"doubled": True, **rest} if not rest:
            return Ending("doubled", None)
    raise ValueError(f"{dict(data)} is no ending")


def _shown(key: str, value: Any) -> Any:
    """Fields by letter and dice from 1, as people count them; everything else as it is."""
    if value is not None and key == "field":
        return LETTERS[value]
    return value + 1 if value is not None and key == "die" else _write(value)


def _write(value: Any) -> Any:
    match value:
        case Situation():
            return notation.write(value)
        case Ending():
            return ending_to_json(value)
        case Payment():
            return {"from": value.payer, "to": value.payee, "chips": value.chips}
        case Move():
            start, to = LETTERS[value.start], LETTERS[value.to]
            return {"from": start, "to": to, "die": value.die + 1, "pips": value.pips, "points": value.points}
        case tuple():
            return [_write(one) for one in value]
    return value


def _move(data: Mapping[str, Any]) -> Move:
    start, to = LETTERS.index(data["from"]), LETTERS.index(data["to"])
    return Move(start, to, data["die"] - 1, data["pips"], data["points"])


def _plain(*kinds: type) -> Callable[[Any], Any]:
    def read(value: Any) -> Any:
        if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
            raise ValueError(f"{value!r} is not {' or '.join(kind.__name__ for kind in kinds)}")
        return value

    return read


_READ: dict[Any, Callable[[Any], Any]] = {
    str: _plain(str),
    int: _plain(int),
    bool: _plain(bool),
    float: _plain(int, float),
    str | None: _plain(str, type(None)),
    int | None: _plain(int, type(None)),
    EditionName: _plain(str),
    events.EndingKind: _plain(str),
    Ending: ending_from_json,
    Situation: notation.read,
    Payment: lambda data: Payment(data["from"], data["to"], data["chips"]),
    Move: _move,
}


@cache
def _readers(name: str) -> tuple[tuple[str, Callable[[Any], Any]], ...]:
    """Every field of the event `name`, and what reads it."""
    hints = get_type_hints(_NAMES[name])
    return tuple((field.name, _reader(field.name, hints[field.name])) for field in fields(_NAMES[name]))


def _field(value: str) -> int:
    return LETTERS.index(value)


def _die(value: int | None) -> int | None:
    return None if value is None else value - 1


def _reader(key: str, hint: Any) -> Callable[[Any], Any]:
    if key in ("field", "die"):
        return _field if key == "field" else _die
    if hint in _READ:
        return _READ[hint]
    one = _READ[get_args(hint)[0]]  # tuple[X, ...]
    return lambda values: tuple(one(value) for value in values)


def _has(name: str, key: str, data: Mapping[str, Any]) -> bool:
    """Whether `data` has `key`; one that a later version added may be missing in an older log."""
    return key in data or key not in _added(name)


@cache
def _added(name: str) -> frozenset[str]:
    return frozenset(field.name for field in fields(_NAMES[name]) if field.default is not MISSING)
