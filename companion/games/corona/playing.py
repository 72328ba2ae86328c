"""The play: markers, touched pieces, moves, the result, and the settlement that follows it."""

from __future__ import annotations

from companion.games.corona import ledger, settling
from companion.games.corona.analysis import analyse
from companion.games.corona.checks import going_on, time_of
from companion.games.corona.commands import Done, Follow, Mark, Result, Step, Touch
from companion.games.corona.events import (
    ChipsSettled,
    Event,
    MarkerPut,
    MarkerTaken,
    PieceMoved,
    PieceTouched,
    PlayerDone,
    PlayFollowed,
    ResultEntered,
    Revealed,
)
from companion.games.corona.refused import Refused
from companion.games.corona.rules import DICE, FIELDS, LETTERS, MOST_POINTS, Move, Situation, find_move, play
from companion.games.corona.state import State


def mark(state: State, command: Mark) -> tuple[Event, ...]:
    """A marker goes into a piece, into another one, or comes off; until the first move."""
    standing = _standing(state)
    if state.moves:
        raise Refused("markers_fixed")
    _die(state, command.die)
    held = dict(state.markers)
    if command.field is None:
        if command.die not in held:
            raise Refused("no_marker", colour=state.colours[command.die])
        return (MarkerTaken(command.die),)
    _field(standing, command.field)
    if held.pop(command.die, None) == command.field:
        raise Refused("nothing_changed")
    if list(held.values()).count(command.field) >= standing.waiting[command.field]:
        raise Refused("markers_many", field=LETTERS[command.field])
    return (MarkerPut(command.die, command.field),)


def touch(state: State, command: Touch) -> tuple[Event, ...]:
    """A touched piece must be the next to move."""
    standing = _standing(state)
    _field(standing, command.field)
    if command.die is not None:
        _unused(state, standing, command.die)
        _tied(state, command.field, command.die)
    elif state.marked and command.field not in dict(state.markers).values():
        raise Refused("unmarked", field=LETTERS[command.field])
    wanted = PieceTouched(command.field, command.die)
    _next_is(state, command.field, command.die)
    return (wanted,)


def step(state: State, command: Step) -> tuple[Event, ...]:
    """A piece moves by a die; with markers on the table only marked pieces do, each by its own."""
    standing = _standing(state)
    at = time_of(state, command.at)
    _unused(state, standing, command.die)
    _field(standing, command.field)
    _tied(state, command.field, command.die)
    _next_is(state, command.field, command.die)
    return (PieceMoved(find_move(standing, command.field, command.die), at),)


def follow(state: State, command: Follow) -> tuple[Event, ...]:
    """What the camera saw since the last move entered by hand, in place of what it saw before.

    What was entered by hand stands.
    """
    _standing(state)
    at, back = time_of(state, command.at), state.by_hand
    if command.entered not in (None, len(back.moves)):
        raise Refused("entered_meanwhile")
    seen = state.moves[len(back.moves) :]
    if [(move.start, move.die) for move in seen] == list(command.moves):
        raise Refused("nothing_changed")
    standing, moves = _standing(back), list[Move]()
    for number, (field, die) in enumerate(command.moves):
        _unused(back, standing, die)
        _field(standing, field)
        _tied(back, field, die)
        if number == len(seen):
            _next_is(state, field, die)
        moves.append(find_move(standing, field, die))
        standing = play(standing, moves[-1])
    return (PlayFollowed(tuple(moves), at),)


def done(state: State, command: Done) -> tuple[Event, ...]:
    """The player stops; without a move that is 0 points."""
    _standing(state)
    at = time_of(state, command.at)
    points = sum(move.points for move in state.moves)
    return (PlayerDone(points, at), *_settled(state, points, at, state.moves))


def result(state: State, command: Result) -> tuple[Event, ...]:
    """The result as it was told, in place of moves that were made."""
    going_on(state)
    if state.phase != "play":
        raise Refused("no_play")
    if not 0 <= command.points <= MOST_POINTS:
        raise Refused("bad_result", most=MOST_POINTS)
    at = time_of(state, command.at)
    return (ResultEntered(command.points, at), *_settled(state, command.points, at, ()))


def revealed(situation: Situation, played: tuple[Move, ...]) -> Revealed:
    """The best there was, and where it was lost. Only worked out when the play is over: before, there is
    nothing to leak.
    """
    found = analyse(situation, played)
    throws = found.chances.cases if found.chances else ()
    return Revealed(situation, found.best, found.easiest, found.still, throws)


def _settled(state: State, points: int, at: float, played: tuple[Move, ...]) -> tuple[Event, ...]:
    assert state.high is not None and state.situation is not None and state.setter is not None
    player = state.high.seat
    won = points >= state.high.points
    settled = ChipsSettled(
        paid=ledger.payments(state.seats, state.chips, player, won),
        silenced=None if won else player,
        setter=ledger.left_of(state.seats, state.setter),
    )
    chips = ledger.after(state.seats, state.chips, settled.paid)
    over = settling.game_over(state, chips, state.settled + 1, at)
    return (settled, revealed(state.situation, played), *over)


def _standing(state: State) -> Situation:
    going_on(state)
    if state.phase != "play" or state.standing is None:
        raise Refused("not_playing")
    return state.standing


def _die(state: State, die: int) -> None:
    if not 0 <= die < DICE:
        raise Refused("unknown_colour", colour=die + 1, known=", ".join(state.colours))


def _unused(state: State, standing: Situation, die: int) -> None:
    _die(state, die)
    if not standing.dice[die]:
        raise Refused("die_used", colour=state.colours[die])


def _next_is(state: State, field: int, die: int | None) -> None:
    """Refuses any other piece than the one that was touched."""
    touched = state.touched
    if touched is not None and (touched.field != field or touched.die not in (None, die)):
        raise Refused("touched", field=LETTERS[touched.field])


def _field(standing: Situation, field: int) -> None:
    if not 0 <= field < FIELDS or not standing.waiting[field]:
        raise Refused("no_piece", field=LETTERS[field] if 0 <= field < FIELDS else field)


def _tied(state: State, field: int, die: int) -> None:
    if state.marked and (die, field) not in state.markers:
        raise Refused("not_marked", colour=state.colours[die], field=LETTERS[field])
