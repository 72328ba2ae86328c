"""A file of commands through the rules, without table, clock or server."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from companion.games.corona import game, script
from companion.games.corona.event_json import name_of
from companion.games.corona.refused import Refused
from companion.games.corona.state import State

_LONGEST = 300
"""Characters of a reason that are told: a line may hold anything, and a reason may repeat it."""


class Replay:
    """A game that `run` plays line by line; `state` is how it stands."""

    def __init__(self) -> None:
        self.state = game.new()

    def run(self, lines: Iterable[str]) -> Iterator[tuple[int, dict[str, Any]]]:
        """The number of each line that is not blank, and the answer to it; a refused one changes nothing."""
        for number, text in enumerate(lines, start=1):
            if text.strip():
                try:
                    yield number, {"ok": True, "events": [name_of(event) for event in self._take(text)]}
                except (Refused, script.BadLine) as fault:
                    yield number, {"ok": False, "why": _sayable(str(fault))}

    def _take(self, text: str) -> tuple[game.Event, ...]:
        try:
            command = script.command(_value(text), self.state.colours)
        except RecursionError:
            raise script.BadLine("this is nested too deeply to be a command") from None
        events = game.decide(self.state, command)
        for event in events:
            self.state = game.evolve(self.state, event)
        return events


def _value(text: str) -> Any:
    try:
        text.encode("utf-8")
        return json.loads(text)
    except UnicodeEncodeError:
        raise script.BadLine("this is no text in UTF-8") from None
    except json.JSONDecodeError as fault:
        raise script.BadLine(f"this is not JSON: {fault.msg} (column {fault.colno})") from None
    except ValueError:  # Python reads no number of more than some thousand digits
        raise script.BadLine("this holds a number that is far too long") from None


def standing(state: State) -> dict[str, Any]:
    """Chips, next setter, who is silenced, rounds settled, and how the game ended (None: it goes on)."""
    over = state.over
    return {
        "chips": dict(zip(state.seats, state.chips, strict=True)),
        "setter": state.setter,
        "silenced": [seat for seat in state.seats if seat == state.silenced],
        "rounds": state.settled,
        "over": None if over is None else {"reason": over.reason, "winners": list(over.winners)},
    }


def _sayable(why: str) -> str:
    """`why` on one line, short, and without characters that no terminal prints."""
    told = "".join(one if one.isprintable() else ascii(one)[1:-1] for one in why[: _LONGEST + 1])
    return told if len(why) <= _LONGEST else told[:_LONGEST] + "…"
