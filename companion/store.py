"""The log of everything that happened: one SQLite file, events only added, nothing updated or deleted."""

from __future__ import annotations

import fcntl
import json
import os
import sqlite3
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from companion import wal

LOG, DEMO_LOG = "corona.sqlite", "demo.sqlite"
"""How the log is called in its folder."""
SCHEMA = 1
_APPLICATION = 0x436F726F  # "Coro": tells a log from any other SQLite file

_TABLES = """
CREATE TABLE events (
    game  INTEGER NOT NULL,  -- games count from 1
    seq   INTEGER NOT NULL,  -- events of a game count from 1
    at    REAL NOT NULL,     -- seconds since the game began when the event was written
    event TEXT NOT NULL,     -- its short name
    data  TEXT NOT NULL,     -- JSON
    wall  TEXT NOT NULL,     -- ISO time, for people
    boot  TEXT,              -- the run of the machine that `clock` belongs to
    clock REAL NOT NULL,     -- that machine's forward-running seconds at `at`
    PRIMARY KEY (game, seq)
) WITHOUT ROWID, STRICT
"""

_JSON = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
"""Made once: `json.dumps` would make one for every event."""

_GAMES = """
SELECT span.game, first.wall, last.wall, span.events
FROM (SELECT game, min(seq) AS low, max(seq) AS high, count(*) AS events FROM events GROUP BY game) AS span
JOIN events AS first ON first.game = span.game AND first.seq = span.low
JOIN events AS last ON last.game = span.game AND last.seq = span.high
ORDER BY span.game
"""


def N_(sentence: str) -> str:  # noqa: N802
    """Marks a sentence for the translators (gettext's own name for it) and leaves it as it is."""
    return sentence


class StoreError(Exception):
    """The log cannot be used; one sentence that says what to do.

    `template` is the English sentence with %(name)s places (the msgid), `values` what goes there.
    """

    template: ClassVar[str]

    def __init__(self, **values: object) -> None:
        self.values = values
        super().__init__(self.template % values)


class NewerLog(StoreError):
    template = N_(
        "The log %(path)s was written by a newer Corona (format %(theirs)s, this one knows %(ours)s): "
        "update Corona, or choose another data folder."
    )


class NotALog(StoreError):
    template = N_("%(path)s is no log of Corona: choose another data folder, or move that file away.")


class DamagedLog(StoreError):
    template = N_(
        "The log %(path)s is damaged (%(why)s): keep a copy of it, then move it away to start anew."
    )


class NoSuchGame(StoreError):
    template = N_("The log %(path)s has no game %(number)s: corona games lists those it has.")


class NotWritable(StoreError):
    template = N_("The log %(path)s cannot be written (%(why)s): choose a data folder that can be.")


class NotReadable(StoreError):
    template = "The log %(path)s cannot be read (%(why)s)."  # said at the command line only


class LogInUse(StoreError):
    template = N_("Another companion is writing to the log %(path)s: stop it first.")


class DiskFull(StoreError):
    template = N_("The disk is full, so this was not kept and does not count: make room, then do it again.")


@dataclass(frozen=True, slots=True)
class Stamp:
    """When a batch is written: `at` in the game, `clock` on the machine run `boot`, `wall` for people."""

    at: float
    boot: str | None
    clock: float
    wall: str


@dataclass(frozen=True, slots=True)
class Row:
    """One stored event."""

    seq: int
    event: str
    data: dict[str, Any]
    stamp: Stamp


@dataclass(frozen=True, slots=True)
class GameEntry:
    """One game of the log: its number, the wall time of its first and last event, and how many."""

    game: int
    begun: str
    last: str
    events: int


class Store:
    """The log in the file `path`; made, with its folder, when missing. One writer at a time.

    Raises a `StoreError` for a file that is newer, damaged, another program's, unwritable, or in use.
    May be used from any thread. Only for `reading`, another one may be writing at the same time.
    """

    def __init__(self, path: Path, reading: bool = False) -> None:
        self.path = path
        self._reading = reading
        self._guard = threading.Lock()
        self._lock: int | None = None
        if reading:
            self._db = self._open(f"mode=ro{'&immutable=1' * self._lies_still()}")
            return
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._lock = os.open(path.with_name(path.name + ".lock"), os.O_RDWR | os.O_CREAT, 0o644)
        except (FileExistsError, NotADirectoryError) as fault:
            raise NotWritable(path=path, why="a file stands where its folder should be") from fault
        except OSError as fault:
            raise NotWritable(path=path, why=fault.strerror) from fault
        try:
            self._lock_or_fail(self._lock)
            self._db = self._open("mode=rwc")
        except BaseException:
            os.close(self._lock)
            raise

    def append(
        self, game: int, seq: int, events: Sequence[tuple[str, Mapping[str, Any]]], stamp: Stamp
    ) -> None:
        """Add `events` (name, data) as one whole from number `seq` on; on return they are on the disk.

        Raises `LogInUse` when `seq` is taken, `DiskFull` or `NotWritable`; then nothing was added.
        """
        rows = [
            (game, number, stamp.at, name, _JSON.encode(data), stamp.wall, stamp.boot, stamp.clock)
            for number, (name, data) in enumerate(events, start=seq)
        ]
        with self._guard:
            try:
                with self._db:
                    self._db.executemany("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)
            except sqlite3.IntegrityError as fault:
                raise LogInUse(path=self.path) from fault
            except sqlite3.Error as fault:
                raise self._translated(fault) from fault

    def load(self, game: int) -> list[Row]:
        """Every event of `game`, in order; raises `DamagedLog` where one is missing or broken."""
        return list(self.rows(game))

    def rows(self, game: int) -> Iterator[Row]:
        """The same one by one: of a long game only the text is held at once."""
        found = self._query(
            "SELECT seq, event, data, at, boot, clock, wall FROM events WHERE game = ? ORDER BY seq", game
        )
        for number, (seq, event, data, *stamp) in enumerate(found, start=1):
            if seq != number:
                raise DamagedLog(path=self.path, why=f"event {number} of game {game} is missing")
            try:
                values = json.loads(data)
            except ValueError:
                values = None
            if not isinstance(values, dict):
                raise DamagedLog(path=self.path, why=f"event {seq} of game {game} holds no JSON object")
            at, boot, clock, wall = stamp
            yield Row(seq, event, values, Stamp(at, boot, clock, wall))

    def games(self) -> list[GameEntry]:
        """Every game of the log, oldest first."""
        return [GameEntry(*found) for found in self._query(_GAMES)]

    def last_game(self) -> int | None:
        """The number of the newest game; None in an empty log."""
        number: int | None = self._query("SELECT max(game) FROM events")[0][0]
        return number

    def close(self) -> None:
        """Close the log; another companion may open it then. May be called more than once."""
        with self._guard:
            self._db.close()
            if self._lock is not None:
                os.close(self._lock)
                self._lock = None

    def _lock_or_fail(self, lock: int) -> None:
        # The system drops this lock with the process, however it ends.
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as fault:
            raise LogInUse(path=self.path) from fault

    def _lies_still(self) -> bool:
        """Whether nobody writes to a log in a folder where this reader may not: SQLite needs to be told."""
        mine = os.access in os.supports_effective_ids
        if os.access(self.path.parent, os.W_OK, effective_ids=mine):
            return False
        return not self.path.with_name(self.path.name + "-wal").exists()

    def _open(self, how: str) -> sqlite3.Connection:
        try:
            where = f"{self.path.absolute().as_uri()}?{how}"
            db = sqlite3.connect(where, uri=True, check_same_thread=False)
        except sqlite3.Error as fault:
            raise self._translated(fault) from fault
        try:
            self._check(db)
            if not self._reading:
                self._prepare(db)
        except sqlite3.Error as fault:
            db.close()
            raise self._translated(fault) from fault
        except BaseException:
            db.close()
            raise
        return db

    def _check(self, db: sqlite3.Connection) -> None:
        """Refuse what is no log, or one of a newer version."""
        application, version = _pragma(db, "application_id"), _pragma(db, "user_version")
        (tables,) = db.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if application != _APPLICATION and (tables or application or version or self._reading):
            raise NotALog(path=self.path)
        if version > SCHEMA:
            raise NewerLog(path=self.path, theirs=version, ours=SCHEMA)

    def _prepare(self, db: sqlite3.Connection) -> None:
        (tables,) = db.execute("SELECT count(*) FROM sqlite_master").fetchone()
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = FULL")
        if not tables:
            with db:
                db.execute("BEGIN IMMEDIATE")
                db.execute(_TABLES)
                db.execute(f"PRAGMA application_id = {_APPLICATION}")
                db.execute(f"PRAGMA user_version = {SCHEMA}")
        # A file that cannot be written fails here and not at the first event; nothing reaches the disk.
        db.execute("BEGIN IMMEDIATE")
        db.execute(f"PRAGMA user_version = {SCHEMA}")
        db.rollback()
        wal.grow(db)

    def _query(self, question: str, *values: object) -> list[tuple[Any, ...]]:
        with self._guard:
            try:
                return self._db.execute(question, values).fetchall()
            except sqlite3.Error as fault:
                raise self._translated(fault) from fault

    def _translated(self, fault: sqlite3.Error) -> StoreError:
        code = getattr(fault, "sqlite_errorcode", 0) & 0xFF  # the low byte is the primary code
        if code == sqlite3.SQLITE_FULL:
            return DiskFull(path=self.path)
        if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            return LogInUse(path=self.path)
        if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
            return DamagedLog(path=self.path, why=fault)
        return (NotReadable if self._reading else NotWritable)(path=self.path, why=fault)


def _pragma(db: sqlite3.Connection, name: str) -> int:
    value: int = db.execute(f"PRAGMA {name}").fetchone()[0]
    return value
