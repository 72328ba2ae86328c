"""The rules, and how the companion is used at the table, told in the reader's language."""

from __future__ import annotations

from typing import Any

from flask import Flask, render_template, request

from companion.games.corona import notation
from companion.games.corona.events import OPENING_BID
from companion.games.corona.rules import (
    DEFAULT_COLOURS,
    EDITIONS,
    MOST_POINTS,
    Edition,
    starting_chips,
)
from companion.games.corona.values import as_objects
from companion.moves import read_moves
from companion.web import words

EXAMPLE = "200100101010-351364"
PLAYED = ("A-red", "K-blue", "I-green", "G-yellow")
"""A play for beginners: a piece on one, one on two, one on none, one on that; there is more in it."""
PLAYERS = range(2, 8)
"""Tables whose chips are listed."""


def route(app: Flask) -> None:
    """Hangs the page into `app`."""
    app.add_url_rule("/help", "help", _page)


def example() -> dict[str, Any]:
    """The play that is shown, as a reveal shows one: the situation and the moves with their points."""
    moves = read_moves(notation.read(EXAMPLE), PLAYED, DEFAULT_COLOURS)
    return {"situation": EXAMPLE, "moves": as_objects(moves, DEFAULT_COLOURS)}


def enough(edition: Edition) -> int:
    """For how many players the chips in an edition's box are enough."""
    players = 2
    while (players + 1) * starting_chips(players + 1) <= edition.chips_in_box:
        players += 1
    return players


def _page() -> str:
    # Text so long is no matter for catalogues: each language has a template of its own, of the same build.
    return render_template(
        f"help/{words.language()}.html",
        seat=request.args.get("seat") or None,
        example=example(),
        colours=DEFAULT_COLOURS,
        chips={players: starting_chips(players) for players in PLAYERS},
        box={name: (edition.chips_in_box, enough(edition)) for name, edition in EDITIONS.items()},
        most=MOST_POINTS,
        opening=OPENING_BID,
    )
