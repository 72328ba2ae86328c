"""Any evening at all: whatever is asked, in whatever order, the laws of the game hold."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from random import Random
from typing import Any

from hypothesis import assume, event, given, note, settings
from hypothesis import strategies as st

from companion.games.corona import commands, game, ledger, notation, script
from companion.games.corona.event_json import from_json, to_json
from companion.games.corona.events import FOLLOWING, Ending, Event
from companion.games.corona.refused import Refused
from companion.games.corona.rules import after, legal_moves, play
from companion.games.corona.state import State
from companion.replay import Replay

SEATS = ("North", "East", "South", "West")
NAMES = (*SEATS, "Guest", "Uncle")
SITUATIONS = tuple(map(notation.read, ("500000100000-666666", "111111000000-123456", "210021000000-112244")))
MID_PLAY = notation.read("400000100000.000000100000-066666")
ENDINGS = (Ending("rounds", 3), Ending("minutes", 4), Ending("broke", None), Ending("doubled", None))
COLOURS = ("green", "red", "yellow", "white", "black", "blue")


# What may be asked: most often what makes sense now, sometimes anything


def some(chance: Random, *values: Any) -> Any:
    return chance.choice(values)


def later(chance: Random, state: State) -> float:
    return state.at + some(chance, 0.0, 0.5, 7.25, 61.0)


def maybe_later(chance: Random, state: State) -> float | None:
    return some(chance, None, later(chance, state))


def seat(chance: Random, state: State) -> str:
    return some(chance, *(state.seats or SEATS), *state.seats, "Nobody")


def situation(chance: Random, _: State) -> Any:
    return some(chance, *SITUATIONS, *SITUATIONS, MID_PLAY)


def points(chance: Random, _: State) -> int:
    return chance.randint(0, 22)


def in_auction(chance: Random, state: State) -> float:
    turned = state.at if state.turned is None else state.turned
    return turned + state.hourglass * some(chance, 0.0, 0.1, 0.3, 0.5, 0.9, 0.99, 1.0, -0.1)


def higher(chance: Random, state: State) -> int:
    return (state.high.points if state.high else 3) + some(chance, 1, 1, 2, 4, 0, -1)


def piece_and_die(chance: Random, state: State) -> tuple[int, int]:
    """Mostly a move that can be made: by a marker where there are any."""
    likely = [(field, die) for die, field in state.markers]
    if state.phase == "play" and state.standing and not state.marked:
        likely = [(move.start, move.die) for move in legal_moves(state.standing)]
    return some(chance, *likely, (chance.randrange(12), chance.randrange(6)))


def seen(chance: Random, state: State) -> tuple[tuple[int, int], ...]:
    """What a camera may see since the last move entered by hand: some of what it saw before, and more."""
    now = state.by_hand.standing if state.phase == "play" else None
    if now is None:
        return ((0, 0),)
    kept = state.moves[len(state.by_hand.moves) :][
        : chance.randrange(state.followed + 1) + chance.randrange(2)
    ]
    now, moves = after(now, kept), [(move.start, move.die) for move in kept]
    for _ in range(chance.randrange(3)):
        if legal := list(legal_moves(now)):
            move = chance.choice(legal)
            now, moves = play(now, move), [*moves, (move.start, move.die)]
    return some(chance, tuple(moves), tuple(moves), ((chance.randrange(12), chance.randrange(6)),))


def a_round(chance: Random, state: State) -> int | None:
    return some(chance, None, None, *range(1, state.settled + 3), 0)


def counted(chance: Random, state: State) -> tuple[tuple[str, int], ...]:
    """Chips that went from one seat to another, mostly as many as there are."""
    if not state.seats:
        return ()
    one, other = chance.choice(state.seats), chance.choice(state.seats)
    held = dict(zip(state.seats, state.chips, strict=True))
    gone = some(chance, 1, 3, held[one], held[one] + 1)
    after = {**held, one: held[one] - gone}
    after[other] += gone + some(chance, 0, 0, 0, 1)
    return tuple(after.items())


def start(chance: Random, _: State) -> commands.Command:
    seats = SEATS[: some(chance, 2, 3, 4)]
    return commands.Start(
        seats,
        some(chance, seats[-1], None),
        edition=some(chance, "fr", "de"),
        colours=some(chance, COLOURS, commands.DEFAULT_COLOURS),
        hourglass=some(chance, 10, 60),
        ending=chance.choice(ENDINGS),
        opening=some(chance, 7, 1),
    )


def by(chance: Random) -> str | None:
    return some(chance, None, "the host")


ASKED: dict[str, Callable[[Random, State], commands.Command]] = {
    "start": start,
    "throw": lambda c, s: commands.Throw(some(c, None, s.thrower, "Nobody"), some(c, 6, 6, 5, 1, 0)),
    "join": lambda c, s: commands.Join(some(c, *NAMES), some(c, None, seat(c, s))),
    "leave": lambda c, s: commands.Leave(seat(c, s)),
    "pause": lambda c, s: commands.Pause(maybe_later(c, s)),
    "resume": lambda c, s: commands.Resume(maybe_later(c, s)),
    "lay": lambda c, s: commands.Lay(situation(c, s)),
    "turn": lambda c, s: commands.Turn(later(c, s)),
    "cancel": lambda c, s: commands.Cancel(maybe_later(c, s), some(c, False, True)),
    "bid": lambda c, s: commands.Bid(seat(c, s), higher(c, s), in_auction(c, s)),
    "press": lambda c, s: commands.Press(seat(c, s), in_auction(c, s)),
    "sand": lambda c, s: commands.Sand(max(s.at, s.sand_ends or 0.0) + some(c, 0.0, 0.0, 0.2)),
    "mark": lambda c, s: commands.Mark(*piece_and_die(c, s)[::-1]),
    "unmark": lambda c, s: commands.Mark(piece_and_die(c, s)[1], None),
    "touch": lambda c, s: commands.Touch(piece_and_die(c, s)[0], some(c, None, piece_and_die(c, s)[1])),
    "move": lambda c, s: commands.Step(*piece_and_die(c, s), at=maybe_later(c, s)),
    "follow": lambda c, s: commands.Follow(
        seen(c, s), some(c, None, len(s.moves) - s.followed, 1), maybe_later(c, s)
    ),
    "done": lambda c, s: commands.Done(maybe_later(c, s)),
    "result": lambda c, s: commands.Result(points(c, s), maybe_later(c, s)),
    "time_up": lambda c, s: commands.TimeUp(max(later(c, s), some(c, 0.0, 240.0 + s.idle))),
    "undo": lambda c, s: commands.Undo(some(c, 1, 1, 2, 5), by(c), some(c, True, True, False)),
    "reading": lambda c, s: commands.CorrectReading(situation(c, s), a_round(c, s), by(c)),
    "high": lambda c, s: commands.CorrectBid(seat(c, s), points(c, s), a_round(c, s), by(c)),
    "reached": lambda c, s: commands.CorrectResult(points(c, s), a_round(c, s), by(c)),
    "chips": lambda c, s: commands.CorrectChips(counted(c, s), by(c)),
}
PUTTING_RIGHT = ("undo", "reading", "high", "reached", "chips")
BETWEEN = ("lay",) * 8 + ("join", "leave", "time_up", "pause")
LIKELY: dict[str, tuple[str, ...]] = {
    "start": ("start",),
    "throw": ("throw",),
    "lay": (*BETWEEN, *("turn",) * 12, *PUTTING_RIGHT),
    "auction": (*("bid",) * 10, *("press",) * 4, *("sand",) * 6, "cancel", *PUTTING_RIGHT),
    "play": (
        *("mark", "touch", "done", "result", "result") * 2,
        *("move",) * 6,
        *("follow",) * 5,
        "pause",
        *PUTTING_RIGHT,
    ),
    "reveal": (*BETWEEN * 2, *PUTTING_RIGHT),
    "over": PUTTING_RIGHT,
}
"""What makes sense in each phase, the more often the likelier."""


def asked(chance: Random, state: State) -> commands.Command:
    kinds = LIKELY[state.phase] if state.paused is None else ("resume", "resume", "join", "leave", "undo")
    kind = chance.choice((*kinds * 6, *ASKED))
    return ASKED[kind](chance, state)


# The laws


def folded(state: State, events: tuple[Event, ...]) -> State:
    for one in events:
        state = game.evolve(state, one)
    return state


def same(one: State, other: State) -> bool:
    """Whether these are the same game, whatever has been seen of best scores."""
    return replace(one, seen=()) == replace(other, seen=())


def check(state: State) -> None:
    """What is true of every state."""
    if state.agreed is None:
        assert state == replace(game.new(), seen=state.seen)
        return
    everybody = len(state.seats) + len(state.away)
    assert len({*state.seats, *dict(state.away)}) == everybody
    assert sum(state.chips) + sum(dict(state.away).values()) == everybody * state.agreed.chips
    assert min((*state.chips, *dict(state.away).values())) >= 0
    stand = ledger.balance(state.agreed.seats, state.agreed.chips, state.entries)
    assert (stand.seats, stand.chips, dict(stand.away)) == (state.seats, state.chips, dict(state.away))
    assert stand.below is None
    assert state.settled == len(state.rounds)
    assert len(state.seats) >= 2
    assert (state.setter is None) == (state.phase == "throw")
    assert state.setter is None or state.setter in state.seats
    assert (state.over is not None) == (state.phase == "over")
    assert (state.revealed is not None) <= (state.phase in ("reveal", "over"))
    assert all(low.points < high.points for low, high in pairwise(state.bids))
    if state.phase in ("auction", "play"):
        assert state.situation is not None
    if state.phase == "play":
        check_play(state)


def check_play(state: State) -> None:
    assert state.high is not None
    assert state.standing is not None
    standing = state.standing
    for die, field in state.markers:
        assert standing.dice[die]
        held = [each for _, each in state.markers].count(field)
        assert held <= standing.waiting[field]
    if state.touched is not None:
        # What was touched can still be moved, or nothing could be.
        die = state.touched.die
        assert standing.waiting[state.touched.field]
        assert die is None or standing.dice[die]


def check_taken(before: State, events: tuple[Event, ...], after: State) -> None:
    """What is true of every command that was accepted."""
    first, *following = events
    assert not isinstance(first, FOLLOWING)
    assert all(isinstance(one, FOLLOWING) for one in following)
    assert set(before.seen) <= set(after.seen)
    for one in events:
        name, data = to_json(one)
        assert from_json(name, json.loads(json.dumps(data))) == one
    # As a line of text it is the same command.
    line = script.line(first, after.colours)
    assert line is not None
    again = script.command(json.loads(json.dumps(line)), before.colours)
    assert game.decide(before, again) == events
    assert [script.line(one, after.colours) for one in following] == [None] * len(following)


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 2**48), st.sampled_from(range(20, 161, 20)))
def test_any_evening(seed: int, length: int) -> None:
    chance = Random(seed)
    state = game.new()
    stood = [state]  # the state before each command that still counts, and the one now
    happened: list[Event] = []
    for _ in range(length):
        command = asked(chance, state)
        try:
            events = game.decide(state, command)
        except Refused:
            continue
        note(f"{command}")
        event(type(command).__name__)
        after = folded(state, events)
        check_taken(state, events, after)
        check(after)
        if isinstance(command, commands.Undo):
            shown = {one.revealed.situation for one in stood[-command.steps :] if one.revealed}
            stood = stood[: -command.steps]
            assert same(after, stood[-1])
            still = {after.revealed.situation} if after.revealed else set()
            assert shown <= {*after.seen, *still}, "what was revealed stays revealed"
            if not command.sure:
                assert set(after.seen) == set(state.seen), "a reveal was undone without asking"
        else:
            stood.append(after)
            undone = folded(after, game.decide(after, commands.Undo()))
            assert same(undone, state)
            assert undone.before is state.before
        happened += events
        state = after
    assert folded(game.new(), read_again(happened)) == state
    assert replayed(happened) == state


def read_again(events: list[Event]) -> tuple[Event, ...]:
    """The events as they come from a log."""
    stored = [json.dumps(to_json(one)) for one in events]
    return tuple(from_json(*json.loads(text)) for text in stored)


def replayed(events: list[Event]) -> State:
    """The game that the events as a file of commands lead to."""
    lines = [json.dumps(line) for line in script.lines(events)]
    replay = Replay()
    answers = [answer for _, answer in replay.run(lines)]
    assert [answer for answer in answers if not answer["ok"]] == []
    return replay.state


# Settled anew is as if it had been so from the beginning

ROUNDS = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 1)), min_size=1, max_size=14)
"""Who plays, and whether they reach their bid."""


def evening(rounds: list[tuple[int, int]]) -> State:
    """Rounds that were played one after the other, each for a bid of 1."""
    state = folded(
        game.new(), game.decide(game.new(), commands.Start(SEATS[:3], "North", ending=Ending("rounds", 99)))
    )
    for number, (player, reached) in enumerate(rounds):
        at = 60.0 * number
        for command in (
            commands.Lay(SITUATIONS[0]),
            commands.Turn(at),
            commands.Bid(SEATS[player], 1, at),
            commands.Sand(at + 60),
            commands.Result(reached),
        ):
            state = folded(state, game.decide(state, command))
    return state


def nobody_silenced_plays(rounds: list[tuple[int, int]]) -> bool:
    return all(now[0] != last[0] or last[1] for last, now in pairwise(rounds))


@settings(max_examples=30, deadline=None)
@given(ROUNDS, st.integers(0, 13), st.tuples(st.integers(0, 2), st.integers(0, 1)))
def test_a_corrected_round_is_settled_as_if_it_had_been_so(
    rounds: list[tuple[int, int]], number: int, truth: tuple[int, int]
) -> None:
    number %= len(rounds)
    truly = [*rounds[:number], truth, *rounds[number + 1 :]]
    assume(truly != rounds and nobody_silenced_plays(rounds) and nobody_silenced_plays(truly))
    state = evening(rounds)
    if truth[0] != rounds[number][0]:
        state = folded(state, game.decide(state, commands.CorrectBid(SEATS[truth[0]], 1, number + 1)))
    if truth[1] != rounds[number][1]:
        state = folded(state, game.decide(state, commands.CorrectResult(truth[1], number + 1)))
    wanted = evening(truly)
    assert (state.chips, state.silenced, state.setter) == (wanted.chips, wanted.silenced, wanted.setter)
    assert state.over is None
