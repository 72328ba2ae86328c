"""A game told as the evening it was: its events, in sentences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import assert_never

from companion.games.corona import events, folding, notation
from companion.games.corona.events import (
    AuctionEvent,
    Correction,
    Ending,
    Event,
    Payment,
    SeatEvent,
    SettlingEvent,
    Undone,
)
from companion.games.corona.ledger import Round
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
    state = before = new()
    listed = list(happened)
    for (event, when), (following, _) in zip(listed, [*listed[1:], (None, "")], strict=True):
        state = folding.evolve(state, event)
        if isinstance(event, events.SituationLaid) and isinstance(following, events.SituationLaid):
            continue  # what was laid over at once (the setter's hands at work) is no news
        yield from _told(before, event, state, when)
        before = state
    if state.agreed and state.over is None:
        yield ""
        moved = f" Moves so far: {moves_told(state.moves, state.colours)}." if state.phase == "play" else ""
        yield f"The game is {'paused' if state.paused is not None else 'not over'}.{moved} {_held(state)}"


def moves_told(moves: Sequence[Move], colours: Sequence[str]) -> str:
    """Moves in short: "A-G red 2" for a piece from A to G by the red die that scored 2."""
    told = ", ".join(
        f"{LETTERS[move.start]}-{LETTERS[move.to]} {colours[move.die]} {move.points}" for move in moves
    )
    return told or "no move"


def ending_told(ending: Ending) -> str:
    """How a game ends, in a few words."""
    number = ending.number or 0
    return {
        "rounds": _many(number, "round"),
        "minutes": _many(number, "minute"),
        "broke": "until somebody has no chips left",
        "doubled": "until somebody has doubled their chips",
    }[ending.kind]


def _told(state: State, event: Event, after: State, when: str) -> Iterator[str]:
    if isinstance(event, SeatEvent):
        yield from _at_the_table(state, event, after, when)
    elif isinstance(event, AuctionEvent):
        yield from _auction(state, event, after, when)
    elif isinstance(event, SettlingEvent):
        yield from _settling(state, event, after)
    elif isinstance(event, Correction):
        yield from _corrected(state, event, after)
    elif isinstance(event, Undone):
        yield _undone(state, event, after)
    # What is played is told as a whole, when it is settled.


def _at_the_table(state: State, event: SeatEvent, after: State, when: str) -> Iterator[str]:
    match event:
        case events.GameStarted():
            yield from _started(event)
        case events.DieThrown():
            if event.pips == 6:
                thrown = ", ".join(f"{throw.seat} {throw.pips}" for throw in after.throws)
                yield f"One die each: {thrown}. {event.seat} sets up first."
        case events.SeatTaken():
            comes = "comes back" if event.seat in dict(state.away) else "sits down"
            yield f"{event.seat} {comes}, on the left of {event.after}, with {_many(event.chips, 'chip')}."
        case events.SeatLeft():
            yield f"{event.seat} leaves, with {_many(dict(after.away)[event.seat], 'chip')}."
        case events.GamePaused():
            yield f"The game is paused, {when}."
        case events.GameResumed():
            yield f"The game goes on, {when}."
        case _:
            assert_never(event)


def _started(event: events.GameStarted) -> Iterator[str]:
    agreed = [EDITION[event.edition], f"hourglass {event.hourglass} s", ending_told(event.ending)]
    if event.opening != events.OPENING_BID:
        agreed.append(f"buttons open at {event.opening}")
    yield ", ".join(agreed) + "."
    yield f"{_names(event.seats)}, clockwise, with {_many(event.chips, 'chip')} each."
    yield f"{event.first} sets up first." if event.first else "The first 6 sets up first."


def _auction(state: State, event: AuctionEvent, after: State, when: str) -> Iterator[str]:
    match event:
        case events.SituationLaid():
            if state.phase == "lay" and state.situation is not None:
                yield f"  Laid again: {_laid(event.situation, after.colours)}"
            else:
                yield ""
                laid = _laid(event.situation, after.colours)
                yield f"Round {after.settled + 1}, {when}: {after.setter} lays {laid}"
            if event.situation in after.seen:
                yield "  Its best score has been shown before."
        case events.HourglassTurned():
            if after.silenced in after.seats:
                yield f"  {after.silenced} keeps silent."
        case events.HourglassCancelled():
            if event.lost:
                yield "  Nobody can tell how much sand is left: no call counts."
            else:
                yield "  The setter takes the hourglass back: no call counts."
        case events.BidMade():
            yield f"  {event.seat} calls {event.points} after {max(event.at - (state.turned or 0), 0):.0f} s."
        case events.SandRanOut():
            if state.high is None:
                yield "  Nobody calls: the set-up is void."
            else:
                yield f"  {state.high.seat} plays for {state.high.points}."
        case _:
            assert_never(event)


def _settling(state: State, event: SettlingEvent, after: State) -> Iterator[str]:
    match event:
        case events.ChipsSettled():
            if after.moves:
                yield f"  {moves_told(after.moves, after.colours)}."
            yield f"  {_round(after.rounds[-1], event.paid)}"
            yield f"  {_held(after)}"
        case events.Revealed():
            yield f"  The best there was: {event.best} ({moves_told(event.moves, after.colours)})."
            yield from _lost(after, event)
            if after.result is not None and after.result > event.best:
                yield "  More was told than was possible."
        case events.MinutesOver():
            pass  # said by the end of the game
        case events.GameOver():
            yield ""
            yield f"{REASON[event.reason]} {_winners(event.winners)} {_held(after)}"
        case _:
            assert_never(event)


def _lost(state: State, revealed: events.Revealed) -> Iterator[str]:
    """After which moves less could be had than before."""
    before = (revealed.best, *revealed.still)
    lost = [
        f"after move {number} {was} became {still}"
        for number, (was, still) in enumerate(zip(before, revealed.still, strict=False), start=1)
        if still < was
    ]
    if lost and not state.entered:
        yield f"  Points were lost: {', '.join(lost)}."


def _round(settled: Round, paid: Sequence[Payment]) -> str:
    """What the player of a round reached, and who paid whom."""
    more = settled.points > settled.bid
    reached = f"{settled.player} reaches "
    if settled.points == settled.bid:
        reached += f"the {settled.bid} called"
    else:
        reached += f"{settled.points}{', more than' if more else ' of'} the {settled.bid} called"
    reached += " (as told)" * (settled.entered is not None) + "," * more
    if not paid:
        return f"{reached} and {'gets no chip: nobody has one' if settled.won else 'has no chip to give'}."
    if settled.won:
        return f"{reached} and gets a chip from {_names([payment.payer for payment in paid])}."
    each = " each" if len(paid) > 1 else ""
    return f"{reached} and gives a chip{each} to {_names([payment.payee for payment in paid])}."


def _corrected(state: State, event: Correction, after: State) -> Iterator[str]:
    by = getattr(event, "by", None)
    who = f"  Corrected by {by}:" if by else "  Corrected:"
    match event:
        case events.ReadingCorrected():
            yield f"{who} in round {event.round} there lay {_laid(event.situation, after.colours)}"
        case events.BidCorrected():
            yield f"{who} in round {event.round} {event.seat} called {event.points}."
        case events.ResultCorrected():
            player = after.rounds[event.round - 1].player
            yield f"{who} in round {event.round} {player} reached {event.points}."
        case events.ChipsCorrected():
            yield f"{who} the chips, as they were counted. {_held(after)}"
        case events.SettledAnew():
            yield f"  Settled anew: {_round(after.rounds[event.round - 1], event.paid)}"
            yield f"  {_held(after)}" if after.chips != state.chips else "  The chips stay as they are."
        case events.GameGoesOn():
            yield "  So the game goes on."
        case _:
            assert_never(event)


def _undone(state: State, event: Undone, after: State) -> str:
    back: State | None = state
    taken = []
    for _ in range(event.steps):
        assert back is not None
        taken.append(_named(back.last))
        back = back.before
    by = f" by {event.by}" if event.by else ""
    shown = " The best score had been shown." if after.seen != state.seen else ""
    on = " So the game goes on." if state.over and not after.over else ""
    return f"  Taken back{by}: {_names(taken)}.{shown}{on}"


def _named(event: Event | None) -> str:
    """What was done, in a few words."""
    match event:
        case events.BidMade():
            return f"{event.seat}'s {event.points}"
        case events.PieceMoved():
            return f"the move from {LETTERS[event.move.start]}"
        case events.PlayFollowed():
            return "what the camera saw"
        case events.ResultEntered():
            return f"the result {event.points}"
    return "a correction" if isinstance(event, Correction) else _WORDS[type(event)]


_WORDS: dict[type, str] = {
    events.GameStarted: "the start",
    events.DieThrown: "the throw",
    events.SeatTaken: "a player who sat down",
    events.SeatLeft: "a player who left",
    events.GamePaused: "the pause",
    events.GameResumed: "the end of the pause",
    events.SituationLaid: "the set-up",
    events.HourglassTurned: "the hourglass",
    events.HourglassCancelled: "the hourglass taken back",
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


def _held(state: State) -> str:
    held = ", ".join(f"{seat} {chips}" for seat, chips in zip(state.seats, state.chips, strict=True))
    return f"Chips: {held}."


def _many(number: int, word: str) -> str:
    return f"{number} {word}{'s' * (number != 1)}"


def _names(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _winners(winners: Sequence[str]) -> str:
    return f"{winners[0]} wins." if len(winners) == 1 else f"{_names(winners)} share the win."
