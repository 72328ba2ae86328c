"""The one writer: order, sand, restarts, and that nothing anyone does wrong stops the table."""

from __future__ import annotations

import queue
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import companion.table
from companion.clock import SystemClock
from companion.games.corona import game, notation
from companion.games.corona.commands import Bid, Command, Lay, Result, Start, Turn
from companion.games.corona.events import BidMade, Event, SandRanOut
from companion.games.corona.refused import Refused
from companion.games.corona.rules import DEFAULT_COLOURS
from companion.games.corona.state import State
from companion.games.corona.view import view
from companion.play import evening
from companion.rig import Rig
from companion.store import DamagedLog, DiskFull, NoSuchGame, Store
from companion.table import Outcome, Table, TableClosed

EASY = notation.read("500000100000-666666")
SEATS = ("North", "East", "South")
PATIENCE = 20.0
"""Seconds after which a test gives up waiting."""

CoronaTable = Table[State, Command, Event]


class SetClock:
    """A clock that stands still until it is pushed on; each machine run has its own boot."""

    def __init__(self, boot: str | None = "first", reading: float = 1000.0) -> None:
        self.boot = boot
        self.reading = reading

    def read(self) -> float:
        return self.reading

    def wall(self) -> str:
        return "2024-05-01T20:00:00.000+00:00"


@contextmanager
def opened(path: Path, clock: SetClock | SystemClock) -> Iterator[CoronaTable]:
    store = Store(path)
    try:
        table: CoronaTable = Table(store, clock, game)
        try:
            yield table
        finally:
            table.close()
    finally:
        store.close()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "corona.sqlite"


def accept(table: CoronaTable, *commands: Command) -> None:
    for command in commands:
        outcome = table.ask(command)
        assert outcome.ok, outcome.refused


def auction(table: CoronaTable) -> None:
    accept(table, Start(SEATS, "North"), Lay(EASY), Turn(0.0), Bid("East", 7, 1.0))


def nudge(table: CoronaTable) -> None:
    """Have the table look at a clock that was pushed on: any command does, also one that is refused."""
    assert not table.ask(Bid("Nobody", 7, 0.0)).ok


def heard(table: CoronaTable) -> Callable[[], tuple[State, tuple[Event, ...]]]:
    """What listeners are told from now on, one call at a time."""
    told: queue.Queue[tuple[State, tuple[Event, ...]]] = queue.Queue()
    table.listen(lambda state, events: told.put((state, events)))
    return lambda: told.get(timeout=PATIENCE)


def stored(path: Path, number: int = 1) -> State:
    """The state a closed log replays to."""
    store = Store(path)
    state = game.new()
    for row in store.load(number):
        state = game.evolve(state, game.from_json(row.event, row.data))
    store.close()
    return state


def test_a_round(path: Path) -> None:
    clock = SetClock()
    with opened(path, clock) as table:
        assert (table.state, table.now(), table.game_number) == (game.new(), 0.0, None)
        auction(table)
        next_heard = heard(table)
        clock.reading += 61
        nudge(table)
        state, events = next_heard()
        assert events == (SandRanOut(60.0),)
        assert state == table.state
        outcome = table.ask(Result(7, table.now()))
        assert [game.to_json(event)[0] for event in outcome.events] == [
            "result_entered",
            "chips_settled",
            "revealed",
        ]
        assert next_heard() == (table.state, outcome.events)
        assert table.state.chips == (7, 10, 7)
        final = table.state
    assert stored(path) == final


def test_a_refused_command_changes_nothing(path: Path) -> None:
    with opened(path, SetClock()) as table:
        auction(table)
        before = table.state
        outcome = table.ask(Bid("South", 7, 2.0))
        assert (outcome.ok, outcome.events) == (False, ())
        assert isinstance(outcome.refused, Refused)
        assert outcome.refused.code == "equal_bid"
        assert table.state is before
    assert stored(path) == before


# Sand


class PushedClock(SystemClock):
    """The real clock, that can be pushed on."""

    ahead = 0.0

    def read(self) -> float:
        return super().read() + self.ahead


def test_the_sand_runs_out_by_itself(path: Path) -> None:
    clock = PushedClock()
    with opened(path, clock) as table:
        auction(table)
        next_heard = heard(table)
        clock.ahead = 59.8 - table.now()
        nudge(table)
        assert table.state.phase == "auction"
        assert next_heard()[1] == (SandRanOut(60.0),)  # waited for really, with no command to wake the table
        assert table.now() >= 60.0


def test_a_call_that_waits_goes_before_the_sand(path: Path) -> None:
    clock = SetClock()
    with opened(path, clock) as table:
        auction(table)
        entered, leave = threading.Event(), threading.Event()

        def slow(state: State, events: tuple[Event, ...]) -> None:
            entered.set()
            leave.wait(PATIENCE)

        unsubscribe = table.listen(slow)
        first = table.post(Bid("South", 8, 2.0))
        assert entered.wait(PATIENCE)
        edge = table.post(Bid("East", 9, 59.99))  # pressed in time, and arrives while the table is busy
        late = table.post(Bid("South", 10, 60.01))
        clock.reading += 60.5
        unsubscribe()
        next_heard = heard(table)
        leave.set()
        assert first.result(PATIENCE).ok
        assert edge.result(PATIENCE).ok
        refused = late.result(PATIENCE).refused
        assert isinstance(refused, Refused)
        assert refused.code == "sand_out"
        next_heard()
        assert next_heard()[1] == (SandRanOut(60.0),)
        assert table.state.high == BidMade("East", 9, 59.99)


def test_the_sand_waits_a_moment_for_a_call_made_in_time(path: Path) -> None:
    clock = SetClock()
    with opened(path, clock) as table:
        auction(table)
        clock.reading += 60.03
        table._bring_due()  # as when the table has waited for the sand with nothing to do
        accept(table, Bid("South", 8, 59.98))
        refused = table.ask(Bid("East", 9, 60.01)).refused
        assert isinstance(refused, Refused)
        assert (refused.code, table.state.phase) == ("sand_out", "auction")
        next_heard = heard(table)
        clock.reading += 0.1
        assert not table.ask(Bid("East", 9, 59.99)).ok
        state, events = next_heard()
        assert events == (SandRanOut(60.0),)
        assert state.high == BidMade("South", 8, 59.98)


# Restarts


def test_a_restart_goes_on_with_the_sand_that_is_left(path: Path) -> None:
    clock = SetClock()
    with opened(path, clock) as table:
        auction(table)
        clock.reading += 20
        accept(table, Bid("South", 8, 20.0))
        before = table.state
    clock.reading += 15
    with opened(path, clock) as table:
        assert table.state == before
        assert table.now() == 35.0
        assert view(table.state, None, table.now())["sand_left"] == 25.0
        accept(table, Bid("East", 9, table.now()))
        clock.reading += 26
        next_heard = heard(table)
        nudge(table)
        assert next_heard()[1] == (SandRanOut(60.0),)


def test_sand_that_ran_out_meanwhile_has_run_out(path: Path) -> None:
    clock = SetClock()
    with opened(path, clock) as table:
        auction(table)
    clock.reading += 3600
    with opened(path, clock) as table:
        refused = table.ask(Bid("South", 8, table.now())).refused
        assert isinstance(refused, Refused)
        assert refused.code == "sand_out"
        assert (table.state.phase, table.state.at) == ("play", 60.0)
        assert table.ask(Result(7, table.now())).ok
        assert table.state.at == 3600.0


@pytest.mark.parametrize(("boot", "after"), [("first", "second"), (None, None)])
def test_after_a_new_start_of_the_machine_time_goes_on_from_the_last_event(
    path: Path, boot: str | None, after: str | None
) -> None:
    clock = SetClock(boot)
    with opened(path, clock) as table:
        auction(table)
        clock.reading += 20
        accept(table, Bid("South", 8, 20.0))
        clock.reading += 5
    clock = SetClock(after, reading=3.0)
    with opened(path, clock) as table:
        assert table.now() == 20.0
        clock.reading += 10
        assert view(table.state, None, table.now())["sand_left"] == 30.0
        accept(table, Bid("East", 9, table.now()))
    clock.reading += 2
    with opened(path, clock) as table:
        assert table.now() == (32.0 if after else 30.0)


def test_a_new_game_begins_at_any_time_and_the_old_one_stays_in_the_log(path: Path) -> None:
    clock = SetClock()
    with opened(path, clock) as table:
        auction(table)
        abandoned = table.state
        clock.reading += 30
        assert table.ask(Start(("North",), "North")).refused is not None
        assert table.state is abandoned
        assert table.game_number == 1
        accept(table, Start(("Ann", "Bob"), "Bob"))
        assert (table.state.seats, table.now(), table.game_number) == (("Ann", "Bob"), 0.0, 2)
        accept(table, Lay(EASY))
        begun = table.state
    with opened(path, clock) as table:
        assert table.state == begun
    assert stored(path, 1) == abandoned


def test_an_older_game_goes_on_and_the_next_new_one_is_numbered_after_all(path: Path) -> None:
    clock = SetClock()
    with opened(path, clock) as table:
        auction(table)
        accept(table, Start(("Ann", "Bob"), "Bob"))
    store = Store(path)
    table = Table(store, clock, game, number=1)
    assert (table.game_number, table.state.high) == (1, BidMade("East", 7, 1.0))
    accept(table, Bid("South", 8, table.now()))
    accept(table, Start(("Ann", "Bob"), "Ann"))
    assert table.game_number == 3
    table.close()
    with pytest.raises(NoSuchGame, match="has no game 9"):
        Table(store, clock, game, number=9)
    store.close()


@pytest.mark.parametrize(("boot", "phase", "lost"), [("second", "lay", True), ("first", "auction", False)])
def test_sand_that_nobody_could_watch_is_turned_again(path: Path, boot: str, phase: str, lost: bool) -> None:
    with opened(path, SetClock()) as table:
        auction(table)
    clock = SetClock(boot, reading=1010.0)
    with evening(path, Rig, DEFAULT_COLOURS, None, clock) as (app, table, _):
        state = table.state
        assert (state.phase, state.lost, state.situation) == (phase, lost, EASY)
        page = app.test_client().get("/").text
        assert ("nobody can tell how much was left" in page) is lost
        if lost:
            assert state.bids == ()
            accept(table, Turn(2.0))


PLAYER = """
import sys
from pathlib import Path
from companion.clock import SystemClock
from companion.games.corona import game, notation
from companion.games.corona.commands import Bid, Lay, Start, Turn
from companion.store import Store
from companion.table import Table
table = Table(Store(Path(sys.argv[1])), SystemClock(), game)
for command in (
    Start(("North", "East"), "North", hourglass=300),
    Lay(notation.read("500000100000-666666")),
    Turn(0.0),
):
    assert table.ask(command).ok
for points in range(1, 100):
    table.ask(Bid("East", points, table.now()))
    print(points, flush=True)
"""


def test_a_killed_program_goes_on_where_it_was(path: Path) -> None:
    player = subprocess.Popen(
        [sys.executable, "-c", PLAYER, str(path)],
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[1],
    )
    assert player.stdout is not None
    with player.stdout as lines:
        for _ in range(5):
            called = int(lines.readline())
        player.send_signal(signal.SIGKILL)
        player.wait()
        called = max(called, *map(int, lines.read().split()), 0)
    with opened(path, SystemClock()) as table:
        assert table.state.phase == "auction"
        assert table.state.high is not None
        assert table.state.high.points >= called
        assert [bid.points for bid in table.state.bids] == list(range(1, table.state.high.points + 1))
        assert table.now() >= table.state.high.at  # the same run of the machine: its clock went on
        accept(table, Bid("North", 99, table.now()))


@pytest.mark.parametrize(
    ("event", "data", "why"),
    [("bid_unmade", "{}", "there is no event “bid_unmade”"), ("undone", '{"steps": 99, "by": null}', "")],
)
def test_a_log_with_a_strange_event_is_not_played(path: Path, event: str, data: str, why: str) -> None:
    with opened(path, SetClock()) as table:
        auction(table)
    db = sqlite3.connect(path)
    db.execute("UPDATE events SET event = ?, data = ? WHERE seq = 4", (event, data))
    db.commit()
    db.close()
    with pytest.raises(DamagedLog, match=f"event 4 of game 1: {why}"), opened(path, SetClock()):
        pass


# What goes wrong


def test_a_listener_that_fails_stops_nobody(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    def broken(state: State, events: tuple[Event, ...]) -> None:
        raise RuntimeError("phone gone")

    with opened(path, SetClock()) as table:
        table.listen(broken)
        next_heard = heard(table)
        auction(table)
        assert [len(next_heard()[1]) for _ in range(4)] == [1, 1, 1, 1]
    assert "a listener failed" in caplog.text


def test_a_listener_may_post_but_not_wait(path: Path) -> None:
    with opened(path, SetClock()) as table:
        futures: queue.Queue[Any] = queue.Queue()

        def eager(state: State, events: tuple[Event, ...]) -> None:
            if state.phase == "lay" and state.situation is None:
                with pytest.raises(RuntimeError, match="not wait"):
                    table.ask(Lay(EASY))
                futures.put(table.post(Lay(EASY)))

        table.listen(eager)
        accept(table, Start(SEATS, "North"))
        assert futures.get(timeout=PATIENCE).result(PATIENCE).ok
        assert table.state.situation == EASY


def test_a_listener_can_leave(path: Path) -> None:
    told: list[State] = []
    with opened(path, SetClock()) as table:
        unsubscribe = table.listen(lambda state, events: told.append(state))
        accept(table, Start(SEATS, "North"))
        unsubscribe()
        accept(table, Lay(EASY))
        unsubscribe()
    assert len(told) == 1


def test_a_full_disk_refuses_and_loses_nothing(path: Path) -> None:
    clock = SetClock()
    store = Store(path)
    table: CoronaTable = Table(store, clock, game)
    try:
        auction(table)
        before = table.state
        fill(store, True)
        points = 8
        while (outcome := table.ask(Bid("South", points, 2.0))).ok:  # until the last page is full
            before, points = table.state, points + 1
        assert isinstance(outcome.refused, DiskFull)
        assert outcome.refused.template % outcome.refused.values == str(outcome.refused)
        assert table.state is before
        fill(store, False)
        accept(table, Bid("South", points, 3.0))
        final = table.state
    finally:
        table.close()
        store.close()
    assert stored(path) == final


def fill(store: Store, full: bool) -> None:
    """Let SQLite find the disk full, or let it have room again."""
    store._query("PRAGMA wal_checkpoint(TRUNCATE)")
    (pages,) = store._query("PRAGMA page_count")[0]
    store._query(f"PRAGMA max_page_count = {pages if full else 1_000_000}")


def test_sand_that_could_not_be_kept_is_tried_again(
    path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(companion.table, "_RETRY_S", 0.01)
    clock = SetClock()
    store = Store(path)
    table: CoronaTable = Table(store, clock, game)
    try:
        auction(table)
        fill(store, True)
        points = 8
        while table.ask(Bid("South", points, 2.0)).ok:
            points += 1
        next_heard = heard(table)
        failed = threading.Event()
        caplog.handler.addFilter(lambda record: failed.set() is None)
        clock.reading += 61
        nudge(table)
        assert failed.wait(PATIENCE)
        assert table.state.phase == "auction"
        fill(store, False)
        assert next_heard()[1] == (SandRanOut(60.0),)
        assert [record.message for record in caplog.records] == [
            "what the clock brought was refused: The disk is full, "
            "so this was not kept and does not count: make room, then do it again."
        ]
    finally:
        table.close()
        store.close()


def test_many_at_once_are_taken_one_after_the_other(path: Path) -> None:
    with opened(path, SetClock()) as table:
        accept(table, Start(SEATS, "North"), Lay(EASY), Turn(0.0))
        outcomes: queue.Queue[tuple[int, Outcome[Event]]] = queue.Queue()

        def caller(seat: str) -> None:
            for points in range(1, 22):
                outcomes.put((points, table.ask(Bid(seat, points, 1.0))))

        callers = [threading.Thread(target=caller, args=(seat,)) for seat in SEATS * 2]
        for thread in callers:
            thread.start()
        for thread in callers:
            thread.join()
        accepted = sorted(points for points, outcome in outcomes.queue if outcome.ok)
        assert accepted == [bid.points for bid in table.state.bids]
        assert len(set(accepted)) == len(accepted)
        assert table.state.high is not None
        assert table.state.high.points == 21
        final = table.state
    assert stored(path) == final


def test_a_closed_table_takes_nothing_and_has_worked_off_all(path: Path) -> None:
    with opened(path, SetClock()) as table:
        futures = [table.post(command) for command in (Start(SEATS, "North"), Lay(EASY), Turn(0.0))]
        table.close()
        assert all(future.result(0).ok for future in futures)
        with pytest.raises(TableClosed):
            table.post(Bid("East", 7, 1.0))
        table.close()


def test_a_command_taken_back_in_time_is_not_done(path: Path) -> None:
    with opened(path, SetClock()) as table:
        entered, leave = threading.Event(), threading.Event()

        def slow(state: State, events: tuple[Event, ...]) -> None:
            entered.set()
            leave.wait(PATIENCE)

        table.listen(slow)
        table.post(Start(SEATS, "North"))
        assert entered.wait(PATIENCE)
        lay = table.post(Lay(EASY))
        assert lay.cancel()
        leave.set()
        nudge(table)
        assert table.state.situation is None


class Counting:
    """A game of its own: the table knows nothing of Corona. A step is an event; 13 is a defect."""

    def new(self) -> int:
        return 0

    def begins(self, command: int) -> bool:
        return command == 0

    def due(self, state: int) -> tuple[float, int] | None:
        return None

    def decide(self, state: int, command: int) -> tuple[int, ...]:
        if command == 13:
            raise ZeroDivisionError("unlucky")
        return (command,)

    def evolve(self, state: int, event: int) -> int:
        return state + event

    def to_json(self, event: int) -> tuple[str, dict[str, Any]]:
        return "step", {"by": event}

    def from_json(self, name: str, data: Mapping[str, Any]) -> int:
        return int(data["by"])


def test_a_defect_is_told_to_who_asked_and_stops_nobody(path: Path) -> None:
    store = Store(path)
    table: Table[int, int, int] = Table(store, SetClock(), Counting())
    try:
        assert table.ask(0).ok
        with pytest.raises(ZeroDivisionError):
            table.ask(13)
        assert table.ask(5).ok
        assert table.state == 5
        assert [row.data for row in store.load(1)] == [{"by": 0}, {"by": 5}]
    finally:
        table.close()
        store.close()


class Lost(Counting):
    """Cannot tell what time brings, or brings it in a thousand years."""

    def __init__(self, at: float) -> None:
        self._at = at

    def due(self, state: int) -> tuple[float, int] | None:
        if self._at < 0:
            raise OverflowError("no such time")
        return self._at, 1


@pytest.mark.parametrize("at", [-1.0, 3e10])
def test_a_game_that_loses_count_of_time_stops_nobody(
    path: Path, at: float, caplog: pytest.LogCaptureFixture
) -> None:
    store = Store(path)
    table: Table[int, int, int] = Table(store, SetClock(), Lost(at))
    try:
        assert table.post(0).result(PATIENCE).ok
        assert table.post(5).result(PATIENCE).ok
        assert table.state == 5
        assert ("brings nothing" in caplog.text) == (at < 0)
    finally:
        table.close()
        store.close()


def test_the_system_clock_runs_forward_and_knows_its_boot() -> None:
    clock = SystemClock()
    first = clock.read()
    assert clock.read() >= first
    if sys.platform == "linux":
        assert clock.boot == SystemClock().boot is not None
    assert clock.wall().endswith("+00:00")
