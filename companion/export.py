"""A game of the log as JSON, a table of rounds, a readable account, or the commands that play it again."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any, Literal

from companion.games.corona import account, game, ledger, notation, script, solver
from companion.games.corona.ledger import Round
from companion.games.corona.rules import LETTERS, Move
from companion.store import DamagedLog, GameEntry, Row, Store

Format = Literal["text", "json", "csv", "commands"]
FORMATS: tuple[Format, ...] = ("text", "json", "csv", "commands")


class NoGame(LookupError):
    """The log has no such game; the text says which it has."""


class Exported:
    """One game of `store`; raises `NoGame` where there is none of that `number`, or `DamagedLog`."""

    def __init__(self, store: Store, number: int) -> None:
        entries = {entry.game: entry for entry in store.games()}
        if number not in entries:
            newest = max(entries, default=0)
            known = "no game yet" if not entries else "game 1" if newest == 1 else f"games 1 to {newest}"
            raise NoGame(f"There is no game {number}: the log has {known}.")
        self._entry: GameEntry = entries[number]
        self._rows: list[Row] = store.load(number)
        self._events: list[game.Event] = []
        self.state = game.new()
        for row in self._rows:
            try:
                event = game.from_json(row.event, row.data)
                self.state = game.evolve(self.state, event)
            except (ValueError, LookupError, TypeError, AssertionError) as fault:
                why = f"event {row.seq} of game {number}: {fault}"
                raise DamagedLog(path=store.path, why=why) from fault
            self._events.append(event)

    def written(self, form: Format) -> Iterator[str]:
        """The lines of the game in this form."""
        if form == "text":
            yield from self._text()
        elif form == "json":
            yield json.dumps(self._object(), ensure_ascii=False, indent=1)
        elif form == "csv":
            yield from self._table()
        else:
            for line in script.lines(self._events):
                yield json.dumps(line, ensure_ascii=False)

    def _text(self) -> Iterator[str]:
        whens = [local(row.stamp.wall) for row in self._rows]
        day, _, begun = whens[0].partition(" ")
        if all(when.startswith(day) for when in whens):
            whens = [when.removeprefix(day).strip() for when in whens]
            yield f"Corona, game {self._entry.game}: {day}, {begun} to {whens[-1]}."
        else:
            yield f"Corona, game {self._entry.game}: {day} {begun} to {whens[-1]}."
        yield from account.tell(zip(self._events, whens, strict=True))

    def _object(self) -> dict[str, Any]:
        state, agreed = self.state, self.state.agreed
        return {
            "game": self._entry.game,
            "begun": self._entry.begun,
            "last": self._entry.last,
            "agreed": game.to_json(agreed)[1] if agreed else None,
            "seats": list(state.seats),
            "chips": dict(zip(state.seats, state.chips, strict=True)),
            "away": dict(state.away),
            "setter": state.setter,
            "silenced": state.silenced,
            "rounds": list(self._rounds()),
            "over": game.to_json(state.over)[1] if state.over else None,
            "events": [
                {"seq": row.seq, "at": row.stamp.at, "wall": row.stamp.wall, "event": row.event, **row.data}
                for row in self._rows
            ],
        }

    def _rounds(self) -> Iterator[dict[str, Any]]:
        """The settled rounds as they stand after every correction."""
        agreed = self.state.agreed
        if agreed is None:
            return
        number = 0
        for stand in ledger.course(agreed.seats, agreed.chips, self.state.entries):
            if isinstance(stand.entry, Round):
                number += 1
                yield _round(number, stand.entry, stand, self.state.colours)

    def _table(self) -> Iterator[str]:
        rounds = list(self._rounds())
        seats = list(dict.fromkeys(seat for one in rounds for seat in one["chips"]))
        columns = [
            "round",
            "setter",
            "situation",
            "player",
            "bid",
            "reached",
            "won",
            "best",
            "best_was_known",
        ]
        yield _csv([*columns, *seats])
        for one in rounds:
            yield _csv([one[column] for column in columns] + [one["chips"].get(seat) for seat in seats])


def _round(number: int, settled: Round, stand: ledger.Stand, colours: Sequence[str]) -> dict[str, Any]:
    best = solver.solve(settled.situation)
    fits = ledger.fits(settled.situation, settled.steps)
    moves = ledger.moved(settled.situation, settled.steps) if fits else ()
    return {
        "round": number,
        "setter": settled.setter,
        "situation": notation.write(settled.situation),
        "player": settled.player,
        "bid": settled.bid,
        "moves": [_move(move, colours) for move in moves],
        "reached": settled.points,
        "entered": settled.entered is not None,
        "won": settled.won,
        "best": best.best,
        "best_moves": [_move(move, colours) for move in best.moves],
        "best_was_known": settled.known,
        "paid": [{"from": p.payer, "to": p.payee, "chips": p.chips} for p in stand.paid],
        "chips": dict(stand.held),
    }


def _move(move: Move, colours: Sequence[str]) -> dict[str, Any]:
    start, to = LETTERS[move.start], LETTERS[move.to]
    return {"from": start, "to": to, "colour": colours[move.die], "pips": move.pips, "points": move.points}


def _csv(values: Sequence[object]) -> str:
    line = io.StringIO()
    said = [{True: "yes", False: "no"}[value] if isinstance(value, bool) else value for value in values]
    csv.writer(line, lineterminator="").writerow(said)
    return line.getvalue()


def local(wall: str) -> str:
    """An ISO time as people here read it: "2026-11-21 20:06"; as it is where it is none."""
    try:
        return datetime.fromisoformat(wall).astimezone().strftime("%Y-%m-%d %H:%M")
    except ValueError:
        return wall
