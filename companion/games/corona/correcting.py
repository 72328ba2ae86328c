"""Putting right what went wrong: undo, and corrections of a reading, a bid, a result or the chips."""

from __future__ import annotations

from dataclasses import replace

from companion.games.corona import ledger, settling
from companion.games.corona.auction import MOST_CALLED
from companion.games.corona.checks import started
from companion.games.corona.commands import (
    CorrectBid,
    CorrectChips,
    CorrectReading,
    CorrectResult,
    Undo,
)
from companion.games.corona.events import (
    BidCorrected,
    ChipsCorrected,
    Event,
    GameGoesOn,
    MinutesOver,
    ReadingCorrected,
    ResultCorrected,
    SandRanOut,
    SettledAnew,
    Undone,
)
from companion.games.corona.folding import evolve
from companion.games.corona.ledger import Round
from companion.games.corona.playing import revealed
from companion.games.corona.refused import Refused
from companion.games.corona.revising import taken_back
from companion.games.corona.rules import MOST_POINTS
from companion.games.corona.state import State


def undo(state: State, command: Undo) -> tuple[Event, ...]:
    """The last commands, each with all that followed from it, as if they had never been given."""
    if command.steps < 1:
        raise Refused("bad_steps")
    found = taken_back(state, command.steps)
    if found is None:
        raise Refused("nothing_to_undo")
    _, shown = found
    if shown and not command.sure:
        raise Refused("undo_reveal")
    return (Undone(command.steps, command.by),)


def undo_steps(state: State) -> int:
    """How many commands must be undone to take back the last one that a person gave; 0 if there is none.

    What time brought would only come again.
    """
    steps = 0
    back: State | None = state
    while back is not None and back.before is not None:
        steps += 1
        if not isinstance(back.last, SandRanOut | MinutesOver):
            return steps
        back = back.before
    return 0


def correct_reading(state: State, command: CorrectReading) -> tuple[Event, ...]:
    """The situation was another one: moves are counted anew, and so is the best there was."""
    number = _number(state, command.round)
    if not command.situation.is_start:
        raise Refused("lay_midplay")
    if number > state.settled:
        if state.phase not in ("auction", "play"):
            raise Refused("lay_instead")
        if command.situation == state.situation:
            raise Refused("nothing_changed")
        _fits(command, [(move.start, move.die) for move in state.moves])
        return (ReadingCorrected(number, command.situation, command.by),)
    old = state.rounds[number - 1]
    if old.situation == command.situation:
        raise Refused("nothing_changed")
    if old.entered is None:
        _fits(command, old.steps)
    corrected = ReadingCorrected(number, command.situation, command.by)
    shown = number == state.settled and state.revealed is not None
    steps = old.steps if old.entered is None else ()
    best = (revealed(command.situation, ledger.moved(command.situation, steps)),) if shown else ()
    return (corrected, *best, *_settled_anew(state, corrected, number))


def _fits(command: CorrectReading, steps: list[tuple[int, int]] | tuple[tuple[int, int], ...]) -> None:
    if not ledger.fits(command.situation, steps):
        raise Refused("moves_misfit")


def correct_bid(state: State, command: CorrectBid) -> tuple[Event, ...]:
    """Somebody else played, or for another number."""
    number = _number(state, command.round)
    if command.seat not in _seats_then(state, number):
        raise Refused("unknown_seat", seat=command.seat)
    if not 1 <= command.points <= MOST_CALLED:
        raise Refused("bad_points", most=MOST_CALLED)
    corrected = BidCorrected(number, command.seat, command.points, command.by)
    if command.seat == _silenced_then(state, number):
        raise Refused("was_silenced", seat=command.seat)
    if number > state.settled:
        if state.high is None or state.phase not in ("auction", "play"):
            raise Refused("no_bid_yet")
        if (state.high.seat, state.high.points) == (command.seat, command.points):
            raise Refused("nothing_changed")
        return (corrected,)
    old = state.rounds[number - 1]
    if (old.player, old.bid) == (command.seat, command.points):
        raise Refused("nothing_changed")
    return (corrected, *_settled_anew(state, corrected, number))


def correct_result(state: State, command: CorrectResult) -> tuple[Event, ...]:
    """The player reached more, or less."""
    number = _number(state, command.round)
    if not 0 <= command.points <= MOST_POINTS:
        raise Refused("bad_result", most=MOST_POINTS)
    if number > state.settled:
        raise Refused("no_result_yet")
    if state.rounds[number - 1].points == command.points:
        raise Refused("nothing_changed")
    corrected = ResultCorrected(number, command.points, command.by)
    return (corrected, *_settled_anew(state, corrected, number))


def correct_chips(state: State, command: CorrectChips) -> tuple[Event, ...]:
    """The chips as they were counted on the table."""
    started(state)
    held = dict(zip(state.seats, state.chips, strict=True))
    for seat, number in command.chips:
        if seat not in held:
            raise Refused("unknown_seat", seat=seat)
        if number < 0:
            raise Refused("bad_chips")
    counted = held | dict(command.chips)
    if sum(counted.values()) != sum(held.values()):
        raise Refused("chips_total", total=sum(held.values()), sum=sum(counted.values()))
    if counted == held:
        raise Refused("nothing_changed")
    chips = tuple(counted.values())
    return (ChipsCorrected(state.seats, chips, command.by), *_ending_anew(state, chips))


def _number(state: State, wanted: int | None) -> int:
    """The round that is meant: the one that is on, or the one just settled."""
    started(state)
    between = state.revealed is not None or (state.phase == "over" and state.settled > 0)
    number = (state.settled if between else state.settled + 1) if wanted is None else wanted
    if state.phase == "throw" or not 1 <= number <= state.settled + 1 or (between and number > state.settled):
        raise Refused("no_round", round=number)
    return number


def _seats_then(state: State, number: int) -> tuple[str, ...]:
    """Who sat at the table in that round."""
    if number > state.settled or state.agreed is None:
        return state.seats
    return ledger.balance(state.agreed.seats, state.agreed.chips, _until(state, number)).seats


def _until(state: State, number: int) -> tuple[ledger.Entry, ...]:
    """What moved chips up to the settlement of round `number`."""
    entries = tuple(state.entries)
    rounds = [place for place, entry in enumerate(entries) if isinstance(entry, Round)]
    return entries[: rounds[number - 1]]


def _silenced_then(state: State, number: int) -> str | None:
    """Who was silenced in that round: whoever missed the bid of the one before."""
    if number > state.settled:
        return state.silenced
    old = state.rounds[number - 2] if number > 1 else None
    return None if old is None or old.won else old.player


def _settled_anew(state: State, corrected: Event, number: int) -> tuple[Event, ...]:
    state = evolve(state, corrected)
    assert state.agreed is not None
    now = ledger.balance(state.agreed.seats, state.agreed.chips, state.entries)
    if now.below is not None:
        raise Refused("chips_below", seat=now.below)
    last = state.rounds[-1]
    silenced = None if last.won else last.player
    settled = SettledAnew(number, now.paid[number - 1], now.chips, silenced)
    return (settled, *_ending_anew(replace(state, chips=now.chips), now.chips))


def _ending_anew(state: State, chips: tuple[int, ...]) -> tuple[Event, ...]:
    """Whether the ending agreed on is reached now; looked at between rounds only."""
    if state.phase in ("auction", "play", "throw") or (state.settled == 0 and state.phase != "over"):
        return ()
    over = settling.game_over(state, chips, state.settled, state.at)
    if state.phase == "over" and not over:
        return (GameGoesOn(),)
    return over if over and (state.over is None or over[0] != state.over) else ()
