"""Pages beside the table that look back on the game: chips over time, its rounds with replay, its players."""

from __future__ import annotations

from collections.abc import Callable

from flask import Flask, render_template, request

from companion.games.corona import history
from companion.games.corona.state import State
from companion.web.say import gettext

SHOWN = 30
"""So many rounds are on one page."""

Page = str | tuple[str, int]


class Rounds:
    """The routes; `state` is the table's as it is now."""

    def __init__(self, state: Callable[[], State]) -> None:
        self._state = state

    def route(self, app: Flask) -> None:
        """Hangs the pages into `app`."""
        app.add_url_rule("/rounds", "rounds", self.rounds)
        app.add_url_rule("/rounds/<int:number>", "round", self.one)
        app.add_url_rule("/players", "players", self.players)

    def rounds(self) -> str:
        """Chips over time, and the rounds settled `until` a number (the last one), the newest first."""
        state = self._state()
        until = min(max(request.args.get("until", state.settled, type=int), 1), state.settled)
        return render_template(
            "rounds.html",
            started=state.agreed is not None,
            settled=state.settled,
            course=history.chips(state),
            rounds=history.rounds(state, until, SHOWN),
            until=until,
            shown=SHOWN,
        )

    def one(self, number: int) -> Page:
        """A round: its auction, who paid whom, and on the board what was played, or the best `line`."""
        state = self._state()
        told = history.one_round(state, number)
        if told is None:
            return render_template("problem.html", sentence=gettext("There is no such round.")), 404
        return render_template(
            "round.html",
            told=told,
            settled=state.settled,
            colours=state.colours,
            best_line=request.args.get("line") == "best" or not (told["found"] and told["found"]["played"]),
        )

    def players(self) -> str:
        """How everybody bid, against the best there was."""
        state = self._state()
        return render_template(
            "players.html",
            started=state.agreed is not None,
            settled=state.settled,
            players=history.players(state),
        )
