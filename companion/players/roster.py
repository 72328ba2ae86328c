"""Which seats of a game simple players hold, and whether they play now: one small file beside the log."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from companion.games.corona.simple import TEMPERS

CAST = {"Nora": "quick", "Otto": "careful", "Mia": "bold", "Emil": "dreamy", "Ines": "keen"}
"""Whom one can play against, and how they are."""


@dataclass(frozen=True, slots=True)
class Roster:
    """In game number `game`, the seats and how each of them is played; only while `on`."""

    game: int | None = None
    seats: Mapping[str, str] = field(default_factory=dict)
    on: bool = False


def load(path: Path) -> Roster:
    """What was kept; nobody plays where there is nothing, or nothing that can be read."""
    with suppress(OSError, ValueError, LookupError, TypeError):
        kept = json.loads(path.read_text(encoding="utf-8"))
        seats = {str(seat): str(temper) for seat, temper in dict(kept["seats"]).items()}
        if set(seats.values()) <= set(TEMPERS):
            return Roster(int(kept["game"]), seats, kept["on"] is True)
    return Roster()


def save(path: Path, roster: Roster) -> None:
    """Keep it in place of what was there. That it cannot be kept spoils no game."""
    fresh = path.with_suffix(".new")
    kept = {"game": roster.game, "seats": dict(roster.seats), "on": roster.on}
    with suppress(OSError):
        fresh.write_text(json.dumps(kept, ensure_ascii=False), encoding="utf-8")
        fresh.replace(path)
