"""A game told as the evening it was: its events, in sentences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from companion.games.corona import events, folding, notation
from companion.games.corona.events import Ending, Event, Payment
from companion.games.corona.rules import LETTERS, Move, Situation
from companion.games.corona.state import State, new

EDITION = {"fr": "French edition", "de": "German edition"}
REASON = {
    "rounds": "All the rounds agreed on have been played.",
    "minutes": "The time agreed on is over.",
    "broke": "Somebody has no chips left.",
    "doubled": "Somebody has doubled their chips.",
}


def tell(happened: Iterable[tuple[Event, str]]) -> Iterator[str]:
    """The lines of the account of these events, each with when it happened ("20:06")."""
    state = new()
    for event, when in happened:
        after = folding.evolve(state, event)
        yield from _told(state, event, after, when)
        state = after
    if state.agreed and state.over is None:
        yield ""
        yield f"The game stands {'paused' if state.paused is not None else 'open'}. {_held(state)}"


def moves_told(moves: Sequence[Move], colours: Sequence[str]) -> str:
    """Moves in short: "A-G red 2" for a piece from A to G by the red die that scored 2."""
    told = ", ".join(
        f"{LETTERS[move.start]}-{LETTERS[move.to]} {colours[move.die]} {move.points}" for move in moves
    )
    return told or "no move"


def ending_told(ending: Ending) -> str:
    """How a game ends, in a few words."""
    number = ending.number
    return {
        "rounds": f"{number} round{'s' * (number != 1)}",
        "minutes": f"{number} minutes",
        "broke": "until somebody has no chips left",
        "doubled": "until somebody has doubled their chips",
    }[ending.kind]


def _told(state: State, event: Event, after: State, when: str) -> Iterator[str]:
    match event:
        case events.GameStarted():
            yield from _started(event)
        case events.DieThrown():
            yield f"{event.seat} throws {event.pips}" + (" and sets up first." if event.pips == 6 else ".")
        case events.SeatTaken():
            yield f"{event.seat} sits down beside {event.after}, with {event.chips} chips."
        case events.SeatLeft():
            held = dict(zip(state.seats, state.chips, strict=True))[event.seat]
            yield f"{event.seat} leaves with {held} chips."
        case events.GamePaused():
            yield f"The game is paused at {when}."
        case events.GameResumed():
            yield f"The game goes on at {when}."
        case events.MinutesOver() | events.GameGoesOn():
            if isinstance(event, events.GameGoesOn):
                yield "So the game goes on."
        case events.GameOver():
            yield ""
            yield f"{REASON[event.reason]} {_winners(event.winners)} {_held(after)}"
        case events.Undone():
            yield _undone(state, event, after)
        case _:
            yield from _round_told(state, event, after, when)


def _started(event: events.GameStarted) -> Iterator[str]:
    agreed = [EDITION[event.edition], f"hourglass {event.hourglass} s", ending_told(event.ending)]
    if event.opening != events.OPENING_BID:
        agreed.append(f"buttons open at {event.opening}")
    yield ", ".join(agreed) + "."
    yield f"{_names(event.seats)}, clockwise, with {event.chips} chips each."
    yield f"{event.first} sets up first." if event.first else "The first 6 sets up first."


def _round_told(state: State, event: Event, after: State, when: str) -> Iterator[str]:
    match event:
        case events.SituationLaid():
            again = state.phase == "lay" and state.situation is not None
            if not again:
                yield ""
            start = "Laid again" if again else f"Round {after.settled + 1}, {when}: {after.setter} lays"
            yield f"{start} {_laid(event.situation, after.colours)}"
            if event.situation in after.seen:
                yield "  Its best score has been shown before."
        case events.HourglassTurned():
            if after.silenced in after.seats:
                yield f"  {after.silenced} keeps silent."
        case events.HourglassCancelled():
            why = "nobody could tell how much sand was left" if event.lost else "by the setter"
            yield f"  The hourglass is cancelled: {why}. No call counts."
        case events.BidMade():
            yield f"  {event.seat} calls {event.points} ({max(event.at - (state.turned or 0), 0):.0f} s)"
        case events.SandRanOut():
            if state.high is None:
                yield "  Nobody calls: the set-up is void."
            else:
                yield f"  {state.high.seat} plays for {state.high.points}."
        case events.PlayerDone() | events.ResultEntered():
            yield from _played(after)
        case events.ChipsSettled():
            yield f"  {_paid(event.paid)}"
            yield f"  {_held(after)}"
        case events.Revealed():
            yield f"  The best there was: {event.best} ({moves_told(event.moves, after.colours)})."
            if after.result is not None and after.result > event.best:
                yield "  More was told than was possible."
        case _:
            yield from _corrected(event, after)


def _played(after: State) -> Iterator[str]:
    assert after.high is not None and after.result is not None
    if after.moves:
        yield f"  {moves_told(after.moves, after.colours)}"
    verdict = "made" if after.result >= after.high.points else "missed"
    yield f"  {after.high.seat} reaches {after.result}{' as told' * after.entered}: {verdict}."


def _corrected(event: Event, after: State) -> Iterator[str]:
    by = getattr(event, "by", None)
    who = f"  Corrected by {by}: " if by else "  Corrected: "
    match event:
        case events.ReadingCorrected():
            yield f"{who}round {event.round} was {_laid(event.situation, after.colours)}"
        case events.BidCorrected():
            yield f"{who}in round {event.round} {event.seat} played for {event.points}."
        case events.ResultCorrected():
            player = after.rounds[event.round - 1].player
            yield f"{who}in round {event.round} {player} reached {event.points}."
        case events.ChipsCorrected():
            yield f"{who}chips as counted. {_held(after)}"
        case events.SettledAnew():
            yield f"  Settled anew: {_paid(event.paid)} {_held(after)}"


def _undone(state: State, event: events.Undone, after: State) -> str:
    back: State | None = state
    taken = []
    for _ in range(event.steps):
        assert back is not None
        taken.append(_named(back.last))
        back = back.before
    by = f" by {event.by}" if event.by else ""
    spoiled = " The best score had been shown." if after.seen != state.seen else ""
    return f"  Taken back{by}: {', '.join(taken)}.{spoiled}"


def _named(event: Event | None) -> str:
    """What was done, in a few words."""
    match event:
        case events.BidMade():
            return f"{event.seat}'s {event.points}"
        case events.PieceMoved():
            return f"the move from {LETTERS[event.move.start]}"
        case events.ResultEntered():
            return f"the result {event.points}"
        case None:
            return "nothing"
    return _WORDS.get(type(event), "a correction")


_WORDS: dict[type[Event], str] = {
    events.GameStarted: "the start",
    events.DieThrown: "the throw",
    events.SeatTaken: "a player who sat down",
    events.SeatLeft: "a player who left",
    events.GamePaused: "the pause",
    events.GameResumed: "the end of the pause",
    events.SituationLaid: "the set-up",
    events.HourglassTurned: "the hourglass",
    events.HourglassCancelled: "the cancelling of the hourglass",
    events.SandRanOut: "the sand that ran out",
    events.MarkerPut: "a marker",
    events.MarkerTaken: "a marker",
    events.PieceTouched: "a touch",
    events.PlayerDone: "the end of the play",
    events.MinutesOver: "the end of the time",
}


def _laid(situation: Situation, colours: Sequence[str]) -> str:
    pieces = " ".join(f"{LETTERS[field]}{count}" for field, count in enumerate(situation.waiting) if count)
    dice = " ".join(f"{colour} {pips}" for colour, pips in zip(colours, situation.dice, strict=True))
    return f"{pieces}; {dice} ({notation.write(situation)})."


def _paid(paid: Sequence[Payment]) -> str:
    if not paid:
        return "Nobody could pay."
    if len({payment.payee for payment in paid}) == 1:
        payers = _names([payment.payer for payment in paid])
        return f"{paid[0].payee} gets a chip from {payers}."
    return f"{paid[0].payer} gives a chip to {_names([payment.payee for payment in paid])}."


def _held(state: State) -> str:
    held = ", ".join(f"{seat} {chips}" for seat, chips in zip(state.seats, state.chips, strict=True))
    return f"Chips: {held}."


def _names(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _winners(winners: Sequence[str]) -> str:
    return f"{winners[0]} wins." if len(winners) == 1 else f"{_names(winners)} share the win."
