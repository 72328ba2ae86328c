"""Pages beside the table: situations looked into, set-ups, puzzles; none tells of the round that is open."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from datetime import date
from typing import Any

from flask import Flask, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as Answer

from companion.games.corona import asked, notation
from companion.games.corona.asked import AfterTheRound
from companion.games.corona.rules import (
    BadSituation,
    CoronaError,
    IllegalMove,
    Move,
    Situation,
    after,
)
from companion.games.corona.state import State
from companion.games.corona.values import as_objects, as_standing
from companion.moves import read_moves
from companion.web import words
from companion.web.say import gettext

CARDS = 6
"""So many of the most and of the least generous set-ups are drawn."""
LEVELS = range(1, 6)
LONGEST_SEED = 40
SECONDS = 60
"""The hourglass of a puzzle."""

Page = str | tuple[str, int]


class Study:
    """The routes; `state` is the table's as it is now, and `today` the date of this machine.

    `colours` gives the set's colour order where no game has been started.
    """

    def __init__(
        self, state: Callable[[], State], colours: Callable[[], Sequence[str]], today: Callable[[], date]
    ) -> None:
        self._state, self._usual, self._today = state, colours, today

    def route(self, app: Flask) -> None:
        """Hangs the pages into `app`."""
        app.add_url_rule("/situation/<line>", "situation", self.situation)
        app.add_url_rule("/setups", "setups", self.setups)
        app.add_url_rule("/puzzle", "puzzle", self.puzzle)
        app.add_url_rule("/puzzle/another", "another", self.another)
        app.register_error_handler(AfterTheRound, _later)

    def situation(self, line: str) -> Page:
        """The best of a situation and a way to it; `moves` are a play of it, as `A-red,B-blue`."""
        state = self._state()
        colours = self._colours(state)
        try:
            situation = notation.read(line)
            played = _played(situation, colours)
        except (BadSituation, IllegalMove):
            return _problem(
                gettext("There is no such situation, or no such play: look at the address again."), 404
            )
        found = asked.look_up(state, situation, played, colours)
        return render_template("situation.html", found=found, colours=colours)

    def setups(self) -> str:
        """Every set-up in one picture, the most and least generous ones, and the one that `pieces` names."""
        state, named = self._state(), request.args.get("pieces", "")
        chosen, notice = None, ""
        try:
            if named:
                chosen = asked.on_setup(state, notation.read(f"{named}-111111").waiting)
        except BadSituation:
            notice = gettext("Place six pieces on the fields.")
        except AfterTheRound:
            notice = gettext("After the round: these pieces are on the table now.")
        return render_template(
            "setups.html", every=asked.setups(state), chosen=chosen, cards=CARDS, notice=notice
        )

    def puzzle(self) -> Page:
        """The puzzle of today, of a `day`, or of a `seed` and a `level`, and how far the visitor is with it.

        All that is in the address: `sand` once the hourglass was turned, `number` once it is said, the
        `moves` made so far with the next one (`from` and `colour`), and `done`.
        """
        state = self._state()
        colours = self._colours(state)
        try:
            name, puzzle = self._puzzle(state)
        except AfterTheRound:
            raise
        except (CoronaError, ValueError):
            return _problem(gettext("There is no such puzzle: look at the address again."), 404)
        number = request.args.get("number", type=int)
        situation = notation.read(puzzle["situation"])
        try:
            played = _played(situation, colours)
        except IllegalMove:
            return _problem(gettext("That move cannot be made: go back one page."), 404)
        values: dict[str, Any] = {"name": name, "puzzle": puzzle, "colours": colours, "levels": LEVELS}
        values["today"] = self._today().isoformat()
        if number is None:
            seconds = SECONDS if "sand" in request.args else None
            return render_template("puzzle.html", seconds=seconds, **values)
        values |= {"number": number, "moves": words.as_address(as_objects(played, colours))}
        if "done" in request.args or len(played) == len(situation.dice):
            found = asked.puzzle_back(state, situation, played, colours)
            return render_template("puzzle_solved.html", found=found, **values)
        standing = as_standing(after(situation, played), played, colours)
        return render_template("puzzle_play.html", play=standing, **values)

    def another(self) -> Answer:
        """A puzzle nobody has seen, of a level."""
        level = request.args.get("level", type=int)
        return redirect(url_for("puzzle", seed=secrets.token_hex(3), level=level or LEVELS[0]), 303)

    def _colours(self, state: State) -> Sequence[str]:
        return state.colours if state.agreed else self._usual()

    def _puzzle(self, state: State) -> tuple[dict[str, Any], dict[str, Any]]:
        """What names the puzzle in its address, and the puzzle; raises `CoronaError` or `ValueError`."""
        seed = request.args.get("seed", "")[:LONGEST_SEED]
        if seed:
            level = request.args.get("level", LEVELS[0], type=int)
            return {"seed": seed, "level": level}, asked.drawn(state, seed, level)
        day = date.fromisoformat(request.args.get("day") or self._today().isoformat())
        return {"day": day.isoformat()}, asked.daily(state, day)


def _played(situation: Situation, colours: Sequence[str]) -> tuple[Move, ...]:
    """The play in the address; raises `IllegalMove`."""
    told = [word for word in request.args.get("moves", "").split(",") if word]
    if "colour" in request.args:
        told.append(f"{request.args.get('from', '')}-{request.args['colour']}")
    return read_moves(situation, told, colours)


def _later(_: AfterTheRound) -> Page:
    return _problem(gettext("After the round: this lies on the table, or may soon."), 409)


def _problem(sentence: str, status: int) -> Page:
    return render_template("problem.html", sentence=sentence), status
