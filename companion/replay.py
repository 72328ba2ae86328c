"""A file of commands through the rules, without table, clock or server."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from companion.games.corona import game, script
from companion.games.corona.event_json import name_of
from companion.games.corona.refused import Refused


class Replay:
    """A game that `run` plays line by line; `state` is how it stands."""

    def __init__(self) -> None:
        self.state = game.new()

    def run(self, lines: Iterable[str]) -> Iterator[dict[str, Any]]:
        """An answer for each line that is not blank; a refused command changes nothing."""
        for number, text in enumerate(lines, start=1):
            if text.strip():
                try:
                    yield {"ok": True, "events": [name_of(event) for event in self._take(text)]}
                except Refused as fault:
                    yield {"ok": False, "why": str(fault)}
                except ValueError as fault:
                    yield {"ok": False, "why": f"line {number}: {fault}"}

    def standing(self) -> dict[str, Any]:
        """Chips, next setter, who is silenced, rounds settled, and how the game ended (None: it goes on)."""
        state = self.state
        over = state.over
        return {
            "chips": dict(zip(state.seats, state.chips, strict=True)),
            "setter": state.setter,
            "silenced": [seat for seat in state.seats if seat == state.silenced],
            "rounds": state.settled,
            "over": None if over is None else {"reason": over.reason, "winners": list(over.winners)},
        }

    def _take(self, text: str) -> tuple[game.Event, ...]:
        try:
            said = json.loads(text)
        except ValueError as fault:
            raise script.BadLine(f"this is not JSON: {fault}") from None
        except RecursionError:
            raise script.BadLine("this is nested too deeply to be a command") from None
        events = game.decide(self.state, script.command(said, self.state.colours))
        for event in events:
            self.state = game.evolve(self.state, event)
        return events
