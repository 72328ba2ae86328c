"""A game of Corona: what a command leads to (`decide`), and what time alone brings (`due`).

Commands, events, state and `evolve` live beside this and are named here too: a game is this one module.
Times `at` are seconds since the game began and are passed in; nothing here reads a clock.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.games.corona import auction, commands, correcting, playing, seating, settling
from companion.games.corona.checks import TICK, going_on, time_of
from companion.games.corona.commands import (
    Bid,
    Cancel,
    Command,
    CorrectBid,
    CorrectChips,
    CorrectReading,
    CorrectResult,
    Done,
    Follow,
    Join,
    Lay,
    Leave,
    Mark,
    Pause,
    Press,
    Result,
    Resume,
    Sand,
    Start,
    Step,
    Throw,
    TimeUp,
    Touch,
    Turn,
    Undo,
)
from companion.games.corona.correcting import undo_steps
from companion.games.corona.event_json import from_json, to_json
from companion.games.corona.events import Ending, Event, MinutesOver
from companion.games.corona.folding import evolve
from companion.games.corona.refused import Refused
from companion.games.corona.state import Phase, State, new

__all__ = [
    "Bid",
    "Cancel",
    "Command",
    "CorrectBid",
    "CorrectChips",
    "CorrectReading",
    "CorrectResult",
    "Done",
    "Ending",
    "Event",
    "Follow",
    "Join",
    "Lay",
    "Leave",
    "Mark",
    "Pause",
    "Phase",
    "Press",
    "Refused",
    "Result",
    "Resume",
    "Sand",
    "Start",
    "State",
    "Step",
    "Throw",
    "TimeUp",
    "Touch",
    "Turn",
    "Undo",
    "begins",
    "decide",
    "due",
    "evolve",
    "from_json",
    "new",
    "to_json",
    "undo_steps",
]


def begins(command: Command) -> bool:
    """Whether `command` begins a game of its own."""
    return isinstance(command, Start)


def due(state: State) -> tuple[float, Command] | None:
    """The command that time alone will bring, and when; None when nothing runs."""
    if state.paused is not None:
        return None
    if state.sand_ends is not None:
        return state.sand_ends, Sand(state.sand_ends)
    between = state.phase == "reveal" or (state.phase == "lay" and state.situation is None)
    if between and state.ending.kind == "minutes":
        # A last round or set-up that went on beyond the minutes ends the game itself.
        end = max(state.at, settling.minutes_end(state))
        return end, TimeUp(end)
    return None


def decide(state: State, command: Command) -> tuple[Event, ...]:
    """What happens when `command` comes now; raises `Refused` with the reason, and then nothing happens."""
    return _DECIDE[type(command)](state, command)


def _time_up(state: State, command: TimeUp) -> tuple[Event, ...]:
    going_on(state)
    coming = due(state)
    if coming is None or not isinstance(coming[1], TimeUp) or time_of(state, command.at) < coming[0] - TICK:
        raise Refused("time_left")
    return (MinutesOver(coming[0]), *settling.time_over(state, coming[0]))


_DECIDE: dict[type, Callable[[State, Any], tuple[Event, ...]]] = {
    commands.Start: seating.start,
    commands.Throw: seating.throw,
    commands.Join: seating.join,
    commands.Leave: seating.leave,
    commands.Pause: seating.pause,
    commands.Resume: seating.resume,
    commands.Lay: auction.lay,
    commands.Turn: auction.turn,
    commands.Cancel: auction.cancel,
    commands.Bid: auction.bid,
    commands.Press: auction.press,
    commands.Sand: auction.sand,
    commands.Mark: playing.mark,
    commands.Touch: playing.touch,
    commands.Step: playing.step,
    commands.Follow: playing.follow,
    commands.Done: playing.done,
    commands.Result: playing.result,
    commands.TimeUp: _time_up,
    commands.Undo: correcting.undo,
    commands.CorrectReading: correcting.correct_reading,
    commands.CorrectBid: correcting.correct_bid,
    commands.CorrectResult: correcting.correct_result,
    commands.CorrectChips: correcting.correct_chips,
}
