"""A game as text: one JSON object a line for each command, to replay, to report and to settle disputes.

Fields are letters, dice go by their colour; `at` is seconds since the game began.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, cast

from companion.games.corona import commands, events, notation
from companion.games.corona.commands import Command
from companion.games.corona.event_json import ending_from_json, ending_to_json
from companion.games.corona.events import OPENING_BID, TEN_ROUNDS, Event
from companion.games.corona.folding import evolve
from companion.games.corona.rules import DEFAULT_COLOURS, LETTERS, CoronaError, EditionName
from companion.games.corona.state import new

Line = Mapping[str, Any]
Colours = Sequence[str]
_MOST_SECONDS = 1e12
"""Beyond this a time is a slip, and no float tells two seconds apart for long."""
_MOST = 10**9
"""Beyond this a number is a slip."""


class BadLine(CoronaError, ValueError):
    """A line that is no command; the text says what is wrong with it."""


def command(line: Line, colours: Colours) -> Command:
    """The command that `line` says, in a set of these `colours`; raises `BadLine`."""
    if not isinstance(line, Mapping) or not isinstance(line.get("do"), str):
        raise BadLine('a line is one JSON object with a "do", such as {"do": "undo"}')
    do = line["do"]
    if do not in _READ:
        raise BadLine(f"nobody can “{do}”; one can {', '.join(_READ)}")
    read, keys = _READ[do]
    unknown = sorted(set(line) - {"do", "at", *keys})
    if unknown:
        raise BadLine(f"“{do}” takes no “{unknown[0]}”, only {', '.join(keys)}")
    given = _Given(do, line, colours)
    given.at(None)  # may stand in any line, also where the game does not ask for it
    return read(given)


class _Given:
    """The values of a line, each checked when it is asked for."""

    def __init__(self, do: str, line: Line, colours: Colours) -> None:
        self._do, self._line, self._colours = do, line, colours

    def _value(self, key: str, what: str, fits: Callable[[Any], bool], default: Any) -> Any:
        value = self._line.get(key)
        if value is None:
            if default is not ...:
                return default
            raise BadLine(f"“{self._do}” needs “{key}”: {what}")
        if not fits(value):
            raise BadLine(f"“{key}” of “{self._do}” is {_short(value)}, and must be {what}")
        return value

    def has(self, key: str) -> bool:
        return self._line.get(key) is not None

    def text(self, key: str, default: Any = ...) -> Any:
        return self._value(key, "a text", lambda value: isinstance(value, str), default)

    def whole(self, key: str, default: Any = ...) -> Any:
        def fits(value: Any) -> bool:
            return type(value) is int and abs(value) < _MOST

        return self._value(key, "a whole number of at most nine digits", fits, default)

    def yes(self, key: str, default: bool) -> bool:
        return bool(self._value(key, "true or false", lambda value: isinstance(value, bool), default))

    def at(self, default: Any = ...) -> Any:
        def fits(value: Any) -> bool:
            return type(value) in (int, float) and abs(value) <= _MOST_SECONDS

        found = self._value("at", "a number of seconds", fits, default)
        return None if found is None else float(found)

    def texts(self, key: str, default: Any = ...) -> tuple[str, ...]:
        def fits(value: Any) -> bool:
            return isinstance(value, list) and all(isinstance(one, str) for one in value)

        return tuple(self._value(key, "a list of texts", fits, default))

    def field(self, key: str, default: Any = ...) -> Any:
        def fits(value: Any) -> bool:
            return isinstance(value, str) and len(value) == 1 and value in LETTERS

        found = self._value(key, "a field, A to L", fits, default)
        return None if found is None else LETTERS.index(found)

    def die(self, default: Any = ...) -> Any:
        what = "one of " + ", ".join(self._colours)
        found = self._value("colour", what, lambda value: value in self._colours, default)
        return None if found is None else self._colours.index(found)

    def moves(self) -> tuple[tuple[int, int], ...]:
        def fits(value: Any) -> bool:
            return isinstance(value, list) and all(
                isinstance(one, dict) and set(one) == {"from", "colour"} for one in value
            )

        found = self._value("moves", 'a list such as [{"from": "A", "colour": "red"}]', fits, ...)
        each = [_Given(self._do, one, self._colours) for one in found]
        return tuple((one.field("from"), one.die()) for one in each)

    def situation(self) -> Any:
        text = self.text("situation")
        try:
            return notation.read(text)
        except ValueError as fault:
            raise BadLine(f"“situation” of “{self._do}”: {fault}") from None

    def ending(self) -> events.Ending:
        found = self._value("ending", 'such as {"rounds": 10}', lambda value: isinstance(value, dict), None)
        if found is None:
            return TEN_ROUNDS
        try:
            return ending_from_json(found)
        except ValueError:
            wanted = '{"rounds": 10}, {"minutes": 30}, {"broke": true} or {"doubled": true}'
            raise BadLine(f"“ending” of “{self._do}” is {_short(found)}, and must be {wanted}") from None

    def chips(self) -> tuple[tuple[str, int], ...]:
        def fits(value: Any) -> bool:
            if not isinstance(value, dict):
                return False
            return all(type(one) is int and abs(one) < _MOST for one in value.values())

        return tuple(self._value("chips", 'such as {"North": 8}', fits, ...).items())


def _short(value: Any) -> str:
    """The value as a person may read it: a very long one by its beginning."""
    text = {True: "true", False: "false"}[value] if isinstance(value, bool) else repr(value)
    return text if len(text) <= 60 else text[:60] + "…"


def _start(given: _Given) -> Command:
    return commands.Start(
        seats=given.texts("seats"),
        first=given.text("first", None),
        edition=cast(EditionName, given.text("edition", "fr")),
        colours=given.texts("colours", DEFAULT_COLOURS),
        hourglass=given.whole("hourglass", 60),
        ending=given.ending(),
        opening=given.whole("opening", OPENING_BID),
    )


def _correct(given: _Given) -> Command:
    """What is corrected, is what is given: a situation, a bid (seat and points), a result, or chips."""
    number, by = given.whole("round", None), given.text("by", None)
    match [key for key in ("situation", "seat", "points", "result", "chips") if given.has(key)]:
        case ["chips"] if number is None:
            return commands.CorrectChips(given.chips(), by)
        case ["situation"]:
            return commands.CorrectReading(given.situation(), number, by)
        case ["result"]:
            return commands.CorrectResult(given.whole("result"), number, by)
        case ["seat"] | ["seat", "points"]:
            return commands.CorrectBid(given.text("seat"), given.whole("points"), number, by)
        case ["chips"]:
            raise BadLine("chips are corrected as they are now, not those of a round: leave “round” out")
    raise BadLine("“correct” needs one of “situation”, “seat” with its “points”, “result”, or “chips”")


_READ: dict[str, tuple[Callable[[_Given], Command], tuple[str, ...]]] = {
    "start": (_start, ("edition", "seats", "first", "colours", "hourglass", "ending", "opening")),
    "throw": (lambda g: commands.Throw(g.text("seat", None), g.whole("pips")), ("seat", "pips")),
    "join": (lambda g: commands.Join(g.text("seat"), g.text("after", None)), ("seat", "after")),
    "leave": (lambda g: commands.Leave(g.text("seat")), ("seat",)),
    "pause": (lambda g: commands.Pause(g.at(None)), ("at",)),
    "resume": (lambda g: commands.Resume(g.at(None)), ("at",)),
    "lay": (lambda g: commands.Lay(g.situation()), ("situation",)),
    "turn": (lambda g: commands.Turn(g.at()), ("at",)),
    "cancel": (lambda g: commands.Cancel(g.at(None), g.yes("lost", False)), ("at", "lost")),
    "bid": (lambda g: commands.Bid(g.text("seat"), g.whole("points"), g.at()), ("seat", "points", "at")),
    "press": (lambda g: commands.Press(g.text("seat"), g.at()), ("seat", "at")),
    "sand": (lambda g: commands.Sand(g.at()), ("at",)),
    "mark": (lambda g: commands.Mark(g.die(), g.field("from")), ("from", "colour")),
    "unmark": (lambda g: commands.Mark(g.die(), None), ("colour",)),
    "touch": (lambda g: commands.Touch(g.field("from"), g.die(None)), ("from", "colour")),
    "move": (lambda g: commands.Step(g.field("from"), g.die(), g.at(None)), ("from", "colour", "at")),
    "follow": (lambda g: commands.Follow(g.moves(), at=g.at(None)), ("moves", "at")),
    "done": (lambda g: commands.Done(g.at(None)), ("at",)),
    "result": (lambda g: commands.Result(g.whole("points"), g.at(None)), ("points", "at")),
    "time_up": (lambda g: commands.TimeUp(g.at()), ("at",)),
    "undo": (
        lambda g: commands.Undo(g.whole("steps", 1), g.text("by", None), g.yes("sure", True)),
        ("steps", "by", "sure"),
    ),
    "correct": (_correct, ("round", "situation", "seat", "points", "result", "chips", "by")),
}


COMMANDS = tuple(_READ)
"""What a line can do."""


def lines(happened: Iterable[Event]) -> Iterator[dict[str, Any]]:
    """The lines whose commands lead to these events again."""
    state = new()
    for event in happened:
        after = evolve(state, event)
        # A command's first event is remembered as its last one; an undo brings back an earlier one's.
        first = after.last if after.last and after.before is state else event
        said = line(first, after.colours)
        if said is not None:
            yield said
        state = after


def line(event: Event, colours: Colours) -> dict[str, Any] | None:
    """The line whose command leads to `event`; None for an event that follows from another one."""
    found = _table_line(event) or _round_line(event, colours) or _correction_line(event)
    # What is not said is as good as what is empty, and reads better.
    return found and {key: value for key, value in found.items() if value is not None}


def _table_line(event: Event) -> dict[str, Any] | None:
    match event:
        case events.GameStarted():
            return {
                "do": "start",
                "edition": event.edition,
                "seats": list(event.seats),
                "first": event.first,
                "colours": list(event.colours),
                "hourglass": event.hourglass,
                "ending": ending_to_json(event.ending),
                "opening": event.opening,
            }
        case events.DieThrown():
            return {"do": "throw", "seat": event.seat, "pips": event.pips}
        case events.SeatTaken():
            return {"do": "join", "seat": event.seat, "after": event.after}
        case events.SeatLeft():
            return {"do": "leave", "seat": event.seat}
        case events.GamePaused() | events.GameResumed():
            return {"do": "pause" if isinstance(event, events.GamePaused) else "resume", "at": event.at}
        case events.Undone():
            return {"do": "undo", "steps": event.steps if event.steps > 1 else None, "by": event.by}
        case events.MinutesOver():
            return {"do": "time_up", "at": event.at}
    return None


def _round_line(event: Event, colours: Colours) -> dict[str, Any] | None:
    match event:
        case events.SituationLaid():
            return {"do": "lay", "situation": notation.write(event.situation)}
        case events.HourglassTurned():
            return {"do": "turn", "at": event.at}
        case events.HourglassCancelled():
            return {"do": "cancel", "at": event.at, "lost": event.lost or None}
        case events.BidMade():
            return {"do": "bid", "seat": event.seat, "points": event.points, "at": event.at}
        case events.SandRanOut():
            return {"do": "sand", "at": event.at}
        case events.MarkerPut():
            return {"do": "mark", "from": LETTERS[event.field], "colour": colours[event.die]}
        case events.MarkerTaken():
            return {"do": "unmark", "colour": colours[event.die]}
        case events.PieceTouched():
            colour = None if event.die is None else colours[event.die]
            return {"do": "touch", "from": LETTERS[event.field], "colour": colour}
        case events.PieceMoved():
            start, colour = LETTERS[event.move.start], colours[event.move.die]
            return {"do": "move", "from": start, "colour": colour, "at": event.at}
        case events.PlayFollowed():
            moves = [{"from": LETTERS[move.start], "colour": colours[move.die]} for move in event.moves]
            return {"do": "follow", "moves": moves, "at": event.at}
        case events.PlayerDone():
            return {"do": "done", "at": event.at}
        case events.ResultEntered():
            return {"do": "result", "points": event.points, "at": event.at}
    return None


def _correction_line(event: Event) -> dict[str, Any] | None:
    match event:
        case events.ReadingCorrected():
            text = notation.write(event.situation)
            return {"do": "correct", "round": event.round, "situation": text, "by": event.by}
        case events.BidCorrected():
            seat, points = event.seat, event.points
            return {"do": "correct", "round": event.round, "seat": seat, "points": points, "by": event.by}
        case events.ResultCorrected():
            return {"do": "correct", "round": event.round, "result": event.points, "by": event.by}
        case events.ChipsCorrected():
            chips = dict(zip(event.seats, event.chips, strict=True))
            return {"do": "correct", "chips": chips, "by": event.by}
    return None
