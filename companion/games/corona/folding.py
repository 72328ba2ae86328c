"""A game as a fold over its events: `evolve(state, event)`, with no rules and no refusals."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from companion.games.corona import ledger, revising, settling
from companion.games.corona.events import (
    FOLLOWING,
    AuctionEvent,
    BidMade,
    ChipsSettled,
    Correction,
    DieThrown,
    Event,
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
    PlayFollowed,
    ResultEntered,
    Revealed,
    SandRanOut,
    SeatEvent,
    SeatLeft,
    SeatTaken,
    SettlingEvent,
    SituationLaid,
    Undone,
)
from companion.games.corona.ledger import Round
from companion.games.corona.state import Phase, State


def evolve(state: State, event: Event) -> State:
    """The state after `event`: a plain fold, no rules and no refusals."""
    if isinstance(event, Undone):
        return revising.undone(state, event)
    if isinstance(event, GameOver) and event.reason == "minutes" and state.at < settling.minutes_end(state):
        # Version 0.1 told the end of the time by the end of the game alone.
        state = evolve(state, MinutesOver(settling.minutes_end(state)))
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
    return revising.corrected(state, event)


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
            entries = state.entries.and_then(ledger.CameIn(event.seat, event.after, event.chips))
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
        entries=state.entries.and_then(ledger.WentOut(seat)),
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
            at, moves = max(state.at, event.at), (*state.moves, event.move)
            return replace(state, moves=moves, followed=0, markers=left, touched=None, at=at)
        case PlayFollowed():
            back, used = state.by_hand, {move.die for move in event.moves}
            return replace(
                state,
                moves=(*back.moves, *event.moves),
                followed=len(event.moves),
                markers=tuple(mark for mark in back.markers if mark[0] not in used),
                touched=None,
                at=max(state.at, event.at),
            )
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
            entries = state.entries.and_then(_round(state))
            settled = replace(state, chips=chips, paid=event.paid, settled=state.settled + 1, entries=entries)
            return replace(settled, silenced=event.silenced, setter=event.setter)
        case Revealed():
            phase: Phase = state.phase if state.phase == "over" else "reveal"
            shown = revising.with_round(state, state.settled, best=event.best)
            return replace(shown, phase=phase, revealed=event)
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
    return Round(
        state.situation,
        state.setter,
        state.high.seat,
        state.high.points,
        steps,
        entered,
        known=state.situation in state.seen,
        turned=state.turned or 0.0,
        bids=state.bids,
    )


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
        followed=0,
        result=None,
        entered=False,
        paid=(),
        revealed=None,
    )
