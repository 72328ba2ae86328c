"""The one writer: takes a command, decides, appends, evolves, and tells everyone who listens.

Buttons, camera, phones and the sand all post to one queue and one thread works it off, so there is
one order of things. A game that is reopened goes on exactly where it stood: on the same run of the
machine its clock counts the time away, so the sand has run on; after a new start of the machine the
clock goes on from the last event, because how long the power was off cannot be known.
"""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar, runtime_checkable

from companion.clock import Clock
from companion.store import DamagedLog, NoSuchGame, Stamp, Store

S = TypeVar("S")
C = TypeVar("C")
E = TypeVar("E")

log = logging.getLogger(__name__)

_RETRY_S = 1.0
"""Seconds until what the clock brings is tried again after it could not be stored."""

_GRACE_S = 0.1
"""What time brings waits this much longer: a call made just before the sand ran out still goes first."""


@runtime_checkable
class Refusal(Protocol):
    """Why a command did nothing: an English sentence with %(name)s places, to translate, and what goes there.

    A fault of the game or the store that carries these two is an answer; any other is a defect.
    """

    template: str
    values: Mapping[str, object]


class Game(Protocol[S, C, E]):
    """What a table must know of a game; the game's own module is one."""

    def new(self) -> S:
        """The state before anything has happened."""

    def begins(self, command: C, /) -> bool:
        """Whether `command` begins a game of its own, whatever went on before."""

    def due(self, state: S, /) -> tuple[float, C] | None:
        """The command that time alone will bring, and when."""

    def decide(self, state: S, command: C, /) -> tuple[E, ...]:
        """The events `command` leads to; raises a `Refusal`."""

    def evolve(self, state: S, event: E, /) -> S:
        """The state after `event`."""

    def to_json(self, event: E, /) -> tuple[str, dict[str, Any]]:
        """The short name of `event` and its data."""

    def from_json(self, name: str, data: Mapping[str, Any], /) -> E:
        """The stored event; raises `ValueError`."""


@dataclass(frozen=True, slots=True)
class Outcome(Generic[E]):
    """What became of a command: the events it led to, or why it was refused (and then nothing changed)."""

    ok: bool
    events: tuple[E, ...] = ()
    refused: Refusal | None = None


class TableClosed(RuntimeError):
    """A command came after the table was closed."""


class Table(Generic[S, C, E]):
    """A game going on: game `number` of `store`, or its newest one.

    Raises `DamagedLog` if it cannot be replayed, and `NoSuchGame`.

    Every method may be called from any thread. `close` leaves the store open.
    """

    def __init__(self, store: Store, clock: Clock, game: Game[S, C, E], number: int | None = None) -> None:
        self._store = store
        self._clock = clock
        self._game = game
        self._queue: queue.SimpleQueue[tuple[C, Future[Outcome[E]], float] | None] = queue.SimpleQueue()
        self._guard = threading.Lock()
        self._closed = False
        self._listeners: tuple[Callable[[S, tuple[E, ...]], None], ...] = ()
        self._stuck = False
        self._reopen(number)
        self._writer = threading.Thread(target=self._work, name="table", daemon=True)
        self._writer.start()

    @property
    def state(self) -> S:
        """The newest state; it never changes, a new one takes its place."""
        return self._state

    @property
    def game_number(self) -> int | None:
        """The number of the game in the log; None before the first."""
        return self._number

    @property
    def change(self) -> str:
        """Names the newest change; to know what a state shown goes by, ask for this before the state."""
        return f"{self._number or 0}.{self._seq}"

    @property
    def lost_time(self) -> bool:
        """Whether nobody can tell how long ago the game that was reopened was left."""
        return self._lost_time

    def now(self) -> float:
        """Seconds since the game began; 0 before any."""
        return 0.0 if self._number is None else self._clock.read() - self._origin

    def post(self, command: C) -> Future[Outcome[E]]:
        """Hand in `command`; its outcome follows when all handed in earlier are worked off."""
        future: Future[Outcome[E]] = Future()
        with self._guard:
            if self._closed:
                raise TableClosed("the table has been closed")
            self._queue.put((command, future, self._clock.read()))
        return future

    def ask(self, command: C) -> Outcome[E]:
        """Hand in `command` and wait for its outcome; not from a listener, which the table waits for."""
        if threading.current_thread() is self._writer:
            raise RuntimeError("a listener may post commands but not wait for them")
        return self.post(command).result()

    def listen(self, callback: Callable[[S, tuple[E, ...]], None]) -> Callable[[], None]:
        """Call `callback(state, events)` after every change, in the table's own thread: it must be quick.

        Returns the function that ends this.
        """
        with self._guard:
            self._listeners = (*self._listeners, callback)

        def unsubscribe() -> None:
            with self._guard:
                self._listeners = tuple(kept for kept in self._listeners if kept is not callback)

        return unsubscribe

    def close(self) -> None:
        """Work off what was handed in, then stop. Opened on its log again, the game goes on."""
        with self._guard:
            if not self._closed:
                self._closed = True
                self._queue.put(None)
        self._writer.join()

    def _reopen(self, number: int | None) -> None:
        self._state = self._game.new()
        self._origin = 0.0
        self._seq = 0
        self._lost_time = False
        self._number = self._store.last_game() if number is None else number
        if self._number is None:
            return
        row = None
        for row in self._store.rows(self._number):
            try:
                event = self._game.from_json(row.event, row.data)
                self._state = self._game.evolve(self._state, event)
            except (ValueError, LookupError, TypeError, AttributeError, AssertionError) as fault:
                why = f"event {row.seq} of game {self._number}: {fault}"
                raise DamagedLog(path=self._store.path, why=why) from fault
        if row is None:
            raise NoSuchGame(number=self._number, path=self._store.path)
        last = row.stamp
        same_run = last.boot is not None and last.boot == self._clock.boot
        self._lost_time = not same_run
        self._origin = (last.clock if same_run else self._clock.read()) - last.at
        self._seq = row.seq

    def _work(self) -> None:
        while True:
            try:
                item = self._queue.get(timeout=self._patience())
            except queue.Empty:
                self._bring_due()
                continue
            if item is None:
                return
            command, future, arrived = item
            self._bring_due(arrived)  # by when it was handed in, however long the table was busy since
            if future.set_running_or_notify_cancel():
                try:
                    outcome = self._take(command)
                except Exception as fault:
                    log.exception("a command failed")
                    future.set_exception(fault)
                else:
                    future.set_result(outcome)

    def _coming(self, reading: float | None = None) -> tuple[float, C] | None:
        """Seconds from `reading` of the clock (now) until time itself brings a command, and the command."""
        try:
            coming = self._game.due(self._state)
            if coming is None:
                return None
            past = (self._clock.read() if reading is None else reading) - self._origin
            return coming[0] + _GRACE_S - past, coming[1]
        except Exception:  # the writer must live, or everyone would wait for it
            log.exception("what the clock brings cannot be told, so it brings nothing")
            return None

    def _patience(self) -> float | None:
        """How long the table may wait for a command before time itself brings one."""
        coming = self._coming()
        if coming is None:
            return None
        return min(max(coming[0], _RETRY_S if self._stuck else 0.0), threading.TIMEOUT_MAX)

    def _bring_due(self, reading: float | None = None) -> None:
        """Do what time has brought by `reading` of the clock (now)."""
        coming = self._coming(reading)
        if coming is None or coming[0] > 0:
            return
        was_stuck, self._stuck = self._stuck, True
        try:
            outcome = self._take(coming[1])
        except Exception:
            log.exception("what the clock brought failed")
            return
        self._stuck = not outcome.ok
        if self._stuck and not was_stuck:  # once: it is tried again every second
            log.error("what the clock brought was refused: %s", outcome.refused)

    def _take(self, command: C) -> Outcome[E]:
        begins = self._game.begins(command)
        reading = self._clock.read()
        if begins:
            state, number, seq, origin = self._game.new(), (self._store.last_game() or 0) + 1, 0, reading
        else:
            state, number, seq, origin = self._state, self._number or 1, self._seq, self._origin
        try:
            events = self._game.decide(state, command)
            for event in events:
                state = self._game.evolve(state, event)
            stamp = Stamp(reading - origin, self._clock.boot, reading, self._clock.wall())
            self._store.append(number, seq + 1, [self._game.to_json(event) for event in events], stamp)
        except Exception as fault:
            if isinstance(fault, Refusal):
                return Outcome(ok=False, refused=fault)
            raise
        self._number, self._origin = number, origin
        self._state = state
        self._seq = seq + len(events)
        self._tell(state, events)
        return Outcome(ok=True, events=events)

    def _tell(self, state: S, events: tuple[E, ...]) -> None:
        for listener in self._listeners:
            try:
                listener(state, events)
            except Exception:
                log.exception("a listener failed; the table goes on")
