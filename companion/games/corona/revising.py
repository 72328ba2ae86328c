"""What corrections and undo make of a game: the part of the fold that looks back."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from companion.games.corona import ledger
from companion.games.corona.events import (
    BidCorrected,
    BidMade,
    ChipsCorrected,
    Correction,
    GameGoesOn,
    ReadingCorrected,
    ResultCorrected,
    SettledAnew,
    Undone,
)
from companion.games.corona.ledger import Entry, Round
from companion.games.corona.rules import Situation
from companion.games.corona.state import State


def corrected(state: State, event: Correction) -> State:
    """The state after a correction."""
    shown = state.revealed is not None and getattr(event, "round", None) == state.settled
    match event:
        case ReadingCorrected():
            if event.round <= state.settled:
                state = with_round(state, event.round, situation=event.situation, best=None)
            if shown or event.round > state.settled:
                steps = [(move.start, move.die) for move in state.moves]
                moves = ledger.moved(event.situation, steps) if ledger.fits(event.situation, steps) else ()
                state = _fitting(replace(state, situation=event.situation, moves=moves, followed=0))
            return state
        case BidCorrected():
            if event.round <= state.settled:
                bids = _bids_corrected(state.rounds[event.round - 1].bids, event, state.at)
                state = with_round(state, event.round, player=event.seat, bid=event.points, bids=bids)
            if shown or event.round > state.settled:
                state = replace(state, bids=_bids_corrected(state.bids, event, state.at))
            return state
        case ResultCorrected():
            state = with_round(state, event.round, entered=event.points)
            return replace(state, result=event.points, entered=True) if shown else state
        case ChipsCorrected():
            held = dict(zip(state.seats, state.chips, strict=True))
            gains = [(seat, chips - held[seat]) for seat, chips in zip(event.seats, event.chips, strict=True)]
            moved = ledger.Counted(tuple(gain for gain in gains if gain[1]))
            return replace(state, chips=event.chips, entries=state.entries.and_then(moved))
        case SettledAnew():
            assert state.agreed is not None
            away = ledger.balance(state.agreed.seats, state.agreed.chips, state.entries).away
            points = state.rounds[event.round - 1].points
            state = replace(state, chips=event.chips, away=away, silenced=event.silenced)
            return replace(state, paid=event.paid, result=points) if shown else state
        case GameGoesOn():
            return replace(state, phase="reveal" if state.revealed else "lay", over=None)
        case _:
            assert_never(event)


def _fitting(state: State) -> State:
    """The state without markers and touches of pieces that never stood there."""
    standing = state.standing
    assert standing is not None
    room = list(standing.waiting)
    markers = []
    for die, field in state.markers:
        if room[field]:
            room[field] -= 1
            markers.append((die, field))
    touched = state.touched if state.touched and standing.waiting[state.touched.field] else None
    marked = state.marked and bool(markers or state.moves)
    return replace(state, markers=tuple(markers), marked=marked, touched=touched)


def with_round(state: State, number: int, **changes: object) -> State:
    """The state with the settled round `number`, counted from 1, changed; what came before stays shared."""
    if not 1 <= number <= state.settled:
        raise LookupError(f"there is no round {number}")
    rest, later, newer = state.entries, list[Entry](), state.settled - number
    while rest.last is not None and rest.before is not None:
        entry, rest = rest.last, rest.before
        if isinstance(entry, Round) and newer == 0:
            later.append(replace(entry, **changes))  # type: ignore[arg-type]
            break
        newer -= isinstance(entry, Round)
        later.append(entry)
    return replace(state, entries=rest.and_then(*reversed(later)))


def _bids_corrected(bids: tuple[BidMade, ...], event: BidCorrected, at: float) -> tuple[BidMade, ...]:
    """The calls of a round whose highest was another one; `at` where there was none."""
    lower = tuple(bid for bid in bids[:-1] if bid.points < event.points)
    return (*lower, BidMade(event.seat, event.points, bids[-1].at if bids else at))


def taken_back(state: State, steps: int) -> tuple[State, tuple[Situation, ...]] | None:
    """The game without its last `steps` commands, and what was revealed in them; None if they are fewer."""
    back, revealed = state, []
    for _ in range(steps):
        if back.before is None:
            return None
        if back.revealed:
            revealed.append(back.revealed.situation)
        back = back.before
    still = back.revealed.situation if back.revealed else None
    return back, tuple(situation for situation in revealed if situation != still)


def undone(state: State, event: Undone) -> State:
    """The state after an undo; what was revealed stays known."""
    found = taken_back(state, event.steps)
    assert found is not None
    back, revealed = found
    return replace(back, seen=tuple(dict.fromkeys((*state.seen, *revealed))))
