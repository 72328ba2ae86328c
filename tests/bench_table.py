"""What the table costs: a press until it is on disk, commands a second, opening a long log, and memory."""

from __future__ import annotations

import gc
import json
import os
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, replace
from functools import cache, partial
from multiprocessing import get_context
from pathlib import Path
from queue import SimpleQueue
from typing import Any, ParamSpec, TypeVar

from companion.clock import SystemClock
from companion.games.corona import events, game, notation, solver
from companion.games.corona.rules import legal_moves
from companion.rig import CoronaTable, Rig
from companion.store import Stamp, Store
from companion.table import Table
from hardware.virtual import VirtualPins
from hardware.wiring import DEFAULT
from tests.timing import Row, at_share, in_turns, medians, timed

PRESSES, GAMES, ROUNDS, OPENINGS = 1000, 1000, 10, 21
CALLS = 8
"""Presses in one auction."""
PANEL = replace(DEFAULT, sand=(), buzzer=None)
"""Without the parts whose own threads would still be at work when the next thing is timed."""
PATIENCE_S = 60.0
COMPARED = 11
"""So many games take turns with bare commits; for memory alone the others need not wait for the disk."""
SEATS = ("North", "East", "South", "West")
SITUATIONS = tuple(map(notation.read, ("500000100000-666666", "111111000000-123456", "210021000000-112244")))
BUILD = Path(__file__).parent.parent / "build"
"""Not the folder for temporary files, which often is no disk."""
STATM = Path("/proc/self/statm")

P = ParamSpec("P")
T = TypeVar("T")
Data = tuple[object, ...]


class Ahead(SystemClock):
    """The clock of this machine, put forward by hand."""

    ahead = 0.0

    def read(self) -> float:
        return super().read() + self.ahead


def edges() -> Iterator[Row]:
    """A press, from the edge on its pin until somebody is told that it is stored, against a bare commit."""
    with a_folder() as folder, ExitStack() as parts:
        clock, told = Ahead(), SimpleQueue[tuple[float, Any]]()
        store = parts.enter_context(closing(Store(folder / "games.sqlite")))
        table: CoronaTable = parts.enter_context(closing(Table(store, clock, game)))
        # Before the rig, which then sees to its lamps: what counts is when the first one hears of it.
        table.listen(lambda _, happened: told.put((time.perf_counter(), happened[0])))
        pins = VirtualPins()
        parts.enter_context(closing(Rig(table, wiring=PANEL, pin_factory=pins)))
        bare = parts.enter_context(closing(bare_log(folder / "bare.sqlite")))

        def do(command: game.Command) -> None:
            assert table.ask(command).ok
            told.get(timeout=PATIENCE_S)

        def turn() -> tuple[float, float]:
            clock.ahead += 0.5  # a press right after another one would be a race
            pin = PANEL.bids[number % len(SEATS)]
            begun = time.perf_counter()
            pins.hold(pin)
            heard, event = told.get(timeout=PATIENCE_S)
            pins.release(pin)
            assert isinstance(event, events.BidMade)
            name, data = game.to_json(event)
            row = (1, number, table.now(), name, json.dumps(data), clock.wall(), clock.boot, clock.read())
            assert not table.ask(game.Resume()).ok  # by then the rig has seen to its lamps as well
            return 1000 * (heard - begun), timed(partial(commit, bare, row))

        do(game.Start(SEATS, SEATS[0]))
        do(game.Lay(SITUATIONS[0]))
        turns = []
        for number in range(PRESSES):
            if number % CALLS == 0:
                if number:
                    do(game.Cancel(table.now()))
                do(game.Turn(table.now()))
            turns.append(turn())
    for name, share in (("p50", 0.5), ("p99", 0.99)):
        yield Row(f"edge to stored event, {name}", "bare SQLite commit", *at_share(turns, share), "1.5 x")


def evenings() -> Iterator[Row | str]:
    """Games of ten rounds one after the other: commands a second, memory, and opening the log they make."""
    with a_folder() as folder:
        played = in_fresh_process(play_out, folder, COMPARED, GAMES)
        yield Row(f"{played.commands} commands through the table", "as many bare commits", *played.through)
        yield Row(f"{played.commands} commands decided and folded", "as many bare commits", *played.alone)
        path = folder / "games.sqlite"
        opening = in_turns(OPENINGS, partial(opened, path), partial(rows_of_newest, path))
        yield Row(f"open a log of {GAMES} games", "reading the newest one's rows", *opening, "300 ms")
        through, alone = (1000 * played.commands / each for each in (played.through[0], played.alone[0]))
        yield f"commands a second: {through:.0f} through the table, {alone:.0f} decided and folded alone"
        early, late = f"{played.early_mb:.1f} MB", f"{played.late_mb:.1f} MB"
        rounds = GAMES * ROUNDS
        yield f"memory of games of ten rounds: {early} after {rounds // 10} rounds, {late} after {rounds}"


def long_game() -> Iterator[Row | str]:
    """One game of as many rounds, each command of which can be undone: opening it, and its memory."""
    with a_folder() as folder:
        rounds = GAMES * ROUNDS
        in_fresh_process(write_down, folder, rounds)
        ours, floor, grown_mb = in_fresh_process(open_once, folder)
        yield Row(f"open one game of {rounds} rounds", "reading its rows", ours, floor)
        each = 1024 * grown_mb / rounds
        yield f"memory of one game of {rounds} rounds: {grown_mb:.0f} MB, {each:.1f} KB a round"


# What is played


def evening(rounds: int) -> Iterator[game.Command]:
    """The commands of one game; its times are its own and wait for no clock."""
    yield game.Start(SEATS, SEATS[0], ending=game.Ending("rounds", rounds))
    for number in range(rounds):
        begun, situation = 100.0 * number, SITUATIONS[number % len(SITUATIONS)]
        yield game.Lay(situation)
        yield game.Turn(begun)
        for nth in (1, 2):
            yield game.Bid(SEATS[(number + nth) % len(SEATS)], nth, begun + 5 * nth)
        yield game.Sand(begun + 60)
        move = next(move for move in legal_moves(situation) if move.points)
        yield game.Step(move.start, move.die, begun + 70)
        yield game.Done(begun + 80)


@contextmanager
def solved_once() -> Iterator[None]:
    """Lets the solver remember: what it costs has a row of its own."""
    solve = solver.solve
    solver.solve = cache(solve)
    try:
        yield
    finally:
        solver.solve = solve


def fold(commands: Sequence[game.Command]) -> list[game.Event]:
    """The events of these commands, without table and log."""
    state, happened = game.new(), []
    for command in commands:
        for event in game.decide(state, command):
            state = game.evolve(state, event)
            happened.append(event)
    return happened


# In a process of its own, in which nothing else has used and freed memory before


@dataclass(frozen=True, slots=True)
class Played:
    """Milliseconds for the commands of one game, each with its floor, and what was held in memory."""

    commands: int
    through: tuple[float, float]
    alone: tuple[float, float]
    early_mb: float
    late_mb: float


def play_out(folder: Path, compared: int, games: int) -> Played:
    """Play `compared` games in turns with bare commits, and others up to `games`, all on one table."""
    commands = list(evening(ROUNDS))
    through, alone, early = [], [], 0.0
    with (
        solved_once(),
        closing(Store(folder / "games.sqlite")) as store,
        closing(Table(store, SystemClock(), game)) as table,
        closing(bare_log(folder / "bare.sqlite")) as bare,
    ):

        def play() -> None:
            answers = [table.post(command) for command in commands]
            assert all(answer.result().ok for answer in answers)

        def commits(number: int) -> None:
            for seq in range(len(commands)):
                commit(bare, (number, seq, 0.0, "bid_made", "x" * 50, "2026-11-21T20:00:00.000Z", None, 0.0))

        for number in range(compared):
            through.append((timed(play), timed(partial(commits, number))))
            alone.append((timed(partial(fold, commands)), through[-1][1]))
        store._db.execute("PRAGMA synchronous = OFF")
        for number in range(compared, games):
            play()
            if number == max(games // 10, compared):
                early = resident_mb()
        return Played(len(commands), medians(through), medians(alone), early, resident_mb())


def write_down(folder: Path, rounds: int) -> None:
    """The log of one game of so many rounds."""
    with solved_once(), closing(Store(folder / "games.sqlite")) as store:
        happened = [game.to_json(event) for event in fold(list(evening(rounds)))]
        store.append(1, 1, happened, Stamp(0.0, None, 0.0, SystemClock().wall()))


def open_once(folder: Path) -> tuple[float, float, float]:
    """Milliseconds to open the log and to read its rows, and the megabytes that its table holds."""
    path = folder / "games.sqlite"
    before = resident_mb()
    begun = time.perf_counter()
    with closing(Store(path)) as store, closing(Table(store, SystemClock(), game)):
        took = 1000 * (time.perf_counter() - begun)
        grown = resident_mb() - before
    return took, timed(partial(rows_of_newest, path)), grown


def in_fresh_process(do: Callable[P, T], *args: P.args, **named: P.kwargs) -> T:
    """What `do` gives, called in a new Python."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
        return process.submit(do, *args, **named).result()


def resident_mb() -> float:
    """The memory that this process holds now; only Linux tells."""
    gc.collect()
    pages = int(STATM.read_text().split()[1]) if STATM.exists() else 0
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


# Logs


@contextmanager
def a_folder(on: Path = BUILD) -> Iterator[Path]:
    """A folder, on the disk that this program lies on if no other is said."""
    on.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=on, prefix="bench-") as folder:
        yield Path(folder)


def opened(path: Path) -> None:
    """Open the log, and its newest game on a table."""
    with closing(Store(path)) as store, closing(Table(store, SystemClock(), game)) as table:
        assert table.state.settled == ROUNDS


def rows_of_newest(path: Path) -> list[Any]:
    """What has to be read to open the newest game, by SQLite and JSON alone."""
    with closing(sqlite3.connect(path)) as db:
        found = db.execute("SELECT event, data FROM events WHERE game = (SELECT max(game) FROM events)")
        return [json.loads(data) for _, data in found]


def bare_log(path: Path) -> sqlite3.Connection:
    """A new log, as safe as ours, without the program around it."""
    Store(path).close()
    bare = sqlite3.connect(path)
    bare.execute("PRAGMA synchronous = FULL")
    return bare


def commit(bare: sqlite3.Connection, row: Data) -> None:
    """One event, on the disk."""
    with bare:
        bare.execute("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
