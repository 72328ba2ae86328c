"""A game as a fold over its events: `evolve(state, event)`, with no rules and no refusals."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from companion.games.corona import ledger
from companion.games.corona.events import (
    FOLLOWING,
    AuctionEvent,
    BidCorrected,
    BidMade,
    ChipsCorrected,
    ChipsSettled,
    Correction,
    DieThrown,
    Event,
    GameGoesOn,
    GameOver,
    GamePaused,
    GameResumed,
    GameStarted,
    HourglassCancelled,
    HourglassTurned,
    MarkerPut,
    MarkerTaken,
    MinutesOver,
    PieceMoved,
    PieceTouched,
    PlayerDone,
    PlayEvent,
    ReadingCorrected,
    ResultCorrected,
    ResultEntered,
    Revealed,
    SandRanOut,
    SeatEvent,
    SeatLeft,
    SeatTaken,
    SettledAnew,
    SettlingEvent,
    SituationLaid,
    Undone,
)
from companion.games.corona.ledger import Entry, Round
from companion.games.corona.rules import Situation
from companion.games.corona.state import Phase, State


def evolve(state: State, event: Event) -> State:
    """The state after `event`: a plain fold, no rules and no refusals."""
    if isinstance(event, Undone):
        return _undone(state, event)
    after = _evolved(state, event)
    return after if isinstance(event, FOLLOWING) else replace(after, before=state, last=event)


def _evolved(state: State, event: Event) -> State:
    if isinstance(event, SeatEvent):
        return _seating(state, event)
    if isinstance(event, AuctionEvent):
        return _auction(state, event)
    if isinstance(event, PlayEvent):
        return _playing(state, event)
    if isinstance(event, SettlingEvent):
        return _settling(state, event)
    assert isinstance(event, Correction)
    return _corrected(state, event)


def _seating(state: State, event: SeatEvent) -> State:
    match event:
        case GameStarted():
            everybody = (event.chips,) * len(event.seats)
            phase: Phase = "lay" if event.first else "throw"
            # Whoever undid a whole game and starts again still knows what was shown in it.
            return State(
                phase,
                agreed=event,
                seats=event.seats,
                chips=everybody,
                setter=event.first,
                seen=state.seen,
            )
        case DieThrown():
            # Once around the table is all there is to show.
            throws = (*state.throws, event)[-len(state.seats) :]
            if event.pips < 6:
                return replace(state, throws=throws)
            return replace(state, throws=throws, phase="lay", setter=event.seat)
        case SeatTaken():
            seats = ledger.seated(state.seats, event.seat, event.after)
            held = {**dict(zip(state.seats, state.chips, strict=True)), event.seat: event.chips}
            away = tuple(gone for gone in state.away if gone[0] != event.seat)
            entries = (*state.entries, ledger.CameIn(event.seat, event.after, event.chips))
            chips = tuple(held[seat] for seat in seats)
            return replace(state, seats=seats, chips=chips, away=away, entries=entries)
        case SeatLeft():
            return _without(state, event.seat)
        case GamePaused():
            return replace(state, paused=event.at, at=max(state.at, event.at))
        case GameResumed():
            began = event.at if state.paused is None else state.paused
            return replace(
                state, paused=None, idle=state.idle + max(event.at - began, 0), at=max(state.at, event.at)
            )
        case _:
            assert_never(event)


def _without(state: State, seat: str) -> State:
    setter = ledger.left_of(state.seats, seat) if state.setter == seat else state.setter
    left = [(name, held) for name, held in zip(state.seats, state.chips, strict=True) if name != seat]
    gone = (seat, state.chips[state.seats.index(seat)])
    return replace(
        state,
        seats=tuple(name for name, _ in left),
        chips=tuple(held for _, held in left),
        away=(*state.away, gone),
        entries=(*state.entries, ledger.WentOut(seat)),
        setter=setter,
    )


def _auction(state: State, event: AuctionEvent) -> State:
    match event:
        case SituationLaid():
            return replace(_cleared(state), situation=event.situation)
        case HourglassTurned():
            return replace(state, phase="auction", turned=event.at, lost=False, at=max(state.at, event.at))
        case HourglassCancelled():
            return replace(
                state, phase="lay", turned=None, bids=(), lost=event.lost, at=max(state.at, event.at)
            )
        case BidMade():
            return replace(state, bids=(*state.bids, event), at=max(state.at, event.at))
        case SandRanOut():
            ended = replace(state, phase="play") if state.bids else _cleared(state)
            return replace(ended, at=max(state.at, event.at))
        case _:
            assert_never(event)


def _playing(state: State, event: PlayEvent) -> State:
    match event:
        case MarkerPut():
            others = tuple(mark for mark in state.markers if mark[0] != event.die)
            return replace(state, markers=(*others, (event.die, event.field)), marked=True)
        case MarkerTaken():
            left = tuple(mark for mark in state.markers if mark[0] != event.die)
            return replace(state, markers=left, marked=bool(left))
        case PieceTouched():
            return replace(state, touched=event)
        case PieceMoved():
            # The marker comes off the piece when it has moved.
            left = tuple(mark for mark in state.markers if mark[0] != event.move.die)
            at = max(state.at, event.at)
            return replace(state, moves=(*state.moves, event.move), markers=left, touched=None, at=at)
        case PlayerDone() | ResultEntered():
            at = max(state.at, event.at)
            entered = isinstance(event, ResultEntered)
            return replace(state, result=event.points, entered=entered, markers=(), touched=None, at=at)
        case _:
            assert_never(event)


def _settling(state: State, event: SettlingEvent) -> State:
    match event:
        case ChipsSettled():
            chips = ledger.after(state.seats, state.chips, event.paid)
            entries = (*state.entries, _round(state))
            settled = replace(state, chips=chips, paid=event.paid, settled=state.settled + 1, entries=entries)
            return replace(settled, silenced=event.silenced, setter=event.setter)
        case Revealed():
            phase: Phase = state.phase if state.phase == "over" else "reveal"
            return replace(state, phase=phase, revealed=event)
        case MinutesOver():
            return replace(state, at=max(state.at, event.at))
        case GameOver():
            return replace(state, phase="over", over=event)
        case _:
            assert_never(event)


def _round(state: State) -> Round:
    """The round that is settled now."""
    assert state.situation is not None and state.high is not None and state.setter is not None
    steps = tuple((move.start, move.die) for move in state.moves)
    entered = state.result if state.entered else None
    return Round(state.situation, state.setter, state.high.seat, state.high.points, steps, entered)


def _corrected(state: State, event: Correction) -> State:
    shown = state.revealed is not None and getattr(event, "round", None) == state.settled
    match event:
        case ReadingCorrected():
            if event.round <= state.settled:
                state = _with_round(state, event.round, situation=event.situation)
            if shown or event.round > state.settled:
                steps = [(move.start, move.die) for move in state.moves]
                moves = ledger.moved(event.situation, steps) if ledger.fits(event.situation, steps) else ()
                state = _fitting(replace(state, situation=event.situation, moves=moves))
            return state
        case BidCorrected():
            if event.round <= state.settled:
                state = _with_round(state, event.round, player=event.seat, bid=event.points)
            if shown or event.round > state.settled:
                at = state.bids[-1].at if state.bids else state.at
                lower = tuple(bid for bid in state.bids[:-1] if bid.points < event.points)
                state = replace(state, bids=(*lower, BidMade(event.seat, event.points, at)))
            return state
        case ResultCorrected():
            state = _with_round(state, event.round, entered=event.points)
            return replace(state, result=event.points, entered=True) if shown else state
        case ChipsCorrected():
            held = dict(zip(state.seats, state.chips, strict=True))
            gains = [(seat, chips - held[seat]) for seat, chips in zip(event.seats, event.chips, strict=True)]
            moved = ledger.Counted(tuple(gain for gain in gains if gain[1]))
            return replace(state, chips=event.chips, entries=(*state.entries, moved))
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


def _with_round(state: State, number: int, **changes: object) -> State:
    """The state with the settled round `number`, counted from 1, changed."""
    entries: list[Entry] = []
    count = 0
    for entry in state.entries:
        if isinstance(entry, Round):
            count += 1
            if count == number:
                entry = replace(entry, **changes)  # type: ignore[arg-type]
        entries.append(entry)
    return replace(state, entries=tuple(entries))


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


def _undone(state: State, event: Undone) -> State:
    found = taken_back(state, event.steps)
    assert found is not None
    back, revealed = found
    return replace(back, seen=tuple(dict.fromkeys((*state.seen, *revealed))))


def _cleared(state: State) -> State:
    """The table cleared for a set-up."""
    return replace(
        state,
        phase="lay",
        situation=None,
        turned=None,
        lost=False,
        bids=(),
        markers=(),
        marked=False,
        touched=None,
        moves=(),
        result=None,
        entered=False,
        paid=(),
        revealed=None,
    )
