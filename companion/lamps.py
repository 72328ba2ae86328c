"""Which lamps are lit beside the table, by how the game stands."""

from __future__ import annotations

from companion.games.corona import game
from hardware.panel import Lamp


def seat_lamps(state: game.State) -> list[Lamp]:
    """One for each seat: lit for whoever holds the bid, blinking for who is silenced."""
    holder = state.high.seat if state.high and state.phase in ("auction", "play") else None
    silenced = state.silenced if state.phase != "over" else None
    return ["on" if name == holder else "blink" if name == silenced else "off" for name in state.seats]


def setter_lamp(state: game.State, watched: bool) -> Lamp:
    """Lit where a press of the setter does something; after a reveal only if a camera reads what is laid."""
    laid = state.phase == "lay" and state.situation is not None
    return "on" if laid or (state.phase == "reveal" and watched) else "off"
