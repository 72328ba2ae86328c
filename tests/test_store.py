"""The log: what was appended is there after anything, and what cannot be is said in one sentence."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from companion import wal
from companion.store import (
    SCHEMA,
    DamagedLog,
    DiskFull,
    GameEntry,
    LogInUse,
    NewerLog,
    NotALog,
    NotWritable,
    Row,
    Stamp,
    Store,
    StoreError,
)

STAMP = Stamp(at=1.5, boot="boot", clock=100.25, wall="2024-05-01T20:00:00.000+00:00")
LATER = Stamp(at=2.5, boot=None, clock=101.25, wall="2024-05-01T20:00:01.000+00:00")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "evenings" / "corona.sqlite"


@contextmanager
def opened(path: Path) -> Iterator[Store]:
    store = Store(path)
    try:
        yield store
    finally:
        store.close()


def raw(path: Path, *statements: str) -> None:
    """Change a closed log as another program would."""
    db = sqlite3.connect(path)
    for statement in statements:
        db.execute(statement)
    db.commit()
    db.close()


def test_what_is_appended_is_loaded(path: Path) -> None:
    with opened(path) as store:
        assert store.last_game() is None
        assert store.games() == []
        store.append(1, 1, [("begun", {"seats": ["Zoë", "Jürgen"]}), ("laid", {})], STAMP)
        store.append(1, 3, [("turned", {"at": 0.1})], LATER)
        store.append(2, 1, [("begun", {})], LATER)
    with opened(path) as store:
        assert store.load(1) == [
            Row(1, "begun", {"seats": ["Zoë", "Jürgen"]}, STAMP),
            Row(2, "laid", {}, STAMP),
            Row(3, "turned", {"at": 0.1}, LATER),
        ]
        assert store.load(7) == []
        assert store.last_game() == 2
        assert store.games() == [
            GameEntry(1, STAMP.wall, LATER.wall, 3),
            GameEntry(2, LATER.wall, LATER.wall, 1),
        ]


def test_commits_are_durable(path: Path) -> None:
    with opened(path) as store:
        assert store._query("PRAGMA journal_mode") == [("wal",)]
        assert store._query("PRAGMA synchronous") == [(2,)]  # FULL


def test_the_write_ahead_log_has_its_size_from_the_start(path: Path) -> None:
    for evening in (1, 2):
        with opened(path) as store:
            ahead = path.with_name(f"{path.name}-wal")
            size = ahead.stat().st_size
            assert size > 0.9 * 4096 * wal.PAGES
            for seq in range(1, 101):
                store.append(evening, seq, [("event", {})], STAMP)
            assert abs(ahead.stat().st_size - size) <= 64 * 1024
            assert store._query("SELECT name FROM sqlite_master") == [("events",)]
            assert store._query("PRAGMA integrity_check") == [("ok",)]


def test_a_batch_is_all_or_nothing(path: Path) -> None:
    with opened(path) as store:
        store.append(1, 2, [("later", {})], STAMP)
        with pytest.raises(LogInUse):
            store.append(1, 1, [("first", {}), ("second", {})], STAMP)
        assert store._query("SELECT seq FROM events") == [(2,)]


def test_a_second_companion_is_turned_away_until_the_first_has_left(path: Path) -> None:
    with opened(path), pytest.raises(LogInUse, match=r"Another companion is writing to the log .*: stop it"):
        Store(path)
    with opened(path) as store:
        store.append(1, 1, [("begun", {})], STAMP)


def test_a_writer_that_got_past_the_lock_fails_on_the_key(path: Path) -> None:
    with opened(path) as store:
        store.append(1, 1, [("begun", {})], STAMP)
        raw(path, "INSERT INTO events VALUES (1, 2, 0, 'laid', '{}', '', NULL, 0)")
        with pytest.raises(LogInUse):
            store.append(1, 2, [("laid", {})], STAMP)
        assert [row.seq for row in store.load(1)] == [1, 2]


def test_threads_share_a_store(path: Path) -> None:
    with opened(path) as store:

        def write(game: int) -> None:
            for seq in range(1, 11):
                store.append(game, seq, [("event", {"seq": seq})], STAMP)

        threads = [threading.Thread(target=write, args=(game,)) for game in range(1, 6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert [entry.events for entry in store.games()] == [10] * 5


# What cannot be used


def test_a_log_of_a_newer_version_is_left_alone(path: Path) -> None:
    with opened(path) as store:
        store.append(1, 1, [("begun", {})], STAMP)
    raw(path, f"PRAGMA user_version = {SCHEMA + 1}")
    before = path.read_bytes()
    with pytest.raises(NewerLog, match=f"newer Corona .format {SCHEMA + 1}, this one knows {SCHEMA}"):
        Store(path)
    assert path.read_bytes() == before


def test_another_programs_database_is_left_alone(path: Path) -> None:
    path.parent.mkdir()
    raw(path, "CREATE TABLE recipes (name TEXT)")
    before = path.read_bytes()
    with pytest.raises(NotALog, match="is no log of Corona"):
        Store(path)
    assert path.read_bytes() == before


def test_a_file_that_is_no_database_is_left_alone(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b"a shopping list, " * 500)
    with pytest.raises(DamagedLog, match=r"is damaged .file is not a database."):
        Store(path)
    assert path.read_bytes() == b"a shopping list, " * 500


@pytest.mark.parametrize(
    ("damage", "why"),
    [
        ("UPDATE events SET data = '{\"seats' WHERE seq = 3", "event 3 of game 1 holds no JSON object"),
        ("UPDATE events SET data = '[1]' WHERE seq = 3", "event 3 of game 1 holds no JSON object"),
        ("DELETE FROM events WHERE seq = 2", "event 2 of game 1 is missing"),
    ],
)
def test_a_damaged_line_is_named(path: Path, damage: str, why: str) -> None:
    with opened(path) as store:
        store.append(1, 1, [("begun", {}), ("laid", {}), ("turned", {})], STAMP)
    raw(path, damage)
    with opened(path) as store, pytest.raises(DamagedLog, match=why):
        store.load(1)


def test_a_file_with_a_hole_is_damaged(path: Path) -> None:
    with opened(path) as store:
        for seq in range(1, 100):
            store.append(1, seq, [("event", {"text": "x" * 1000})], STAMP)
    data = bytearray(path.read_bytes())
    data[4096:] = b"\xaa" * (len(data) - 4096)
    path.write_bytes(data)
    with pytest.raises(DamagedLog), opened(path) as store:
        store.load(1)


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(NotWritable, match="a file stands where its folder should be"):
        Store(tmp_path / "file" / "corona.sqlite")
    (tmp_path / "corona.sqlite").mkdir()
    with pytest.raises(NotWritable):
        Store(tmp_path / "corona.sqlite")


@pytest.fixture
def public() -> Iterator[Path]:
    """A folder that any user can look into."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    yield folder
    folder.chmod(0o755)
    shutil.rmtree(folder)


@contextmanager
def without_privileges() -> Iterator[None]:
    """As a user for whom permissions count."""
    root = os.geteuid() == 0
    if root:
        os.seteuid(65534)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)


def test_a_read_only_folder_and_a_read_only_log(public: Path) -> None:
    path = public / "corona.sqlite"
    public.chmod(0o555)
    with without_privileges(), pytest.raises(NotWritable, match="Permission denied"):
        Store(path)
    assert list(public.iterdir()) == []
    public.chmod(0o777)
    with opened(path) as store:
        store.append(1, 1, [("begun", {})], STAMP)
    for file in public.iterdir():
        file.chmod(0o666)
    path.chmod(0o444)
    with without_privileges(), pytest.raises(NotWritable, match="cannot be written"):
        Store(path)
    path.chmod(0o644)
    with opened(path) as store:
        assert len(store.load(1)) == 1


# What goes wrong on the way


def test_a_full_disk_loses_nothing(path: Path) -> None:
    with opened(path) as store:
        store.append(1, 1, [("begun", {})], STAMP)
        (pages,) = store._query("PRAGMA page_count")[0]
        store._query(f"PRAGMA max_page_count = {pages}")  # SQLite's own word for a disk that is full
        with pytest.raises(DiskFull, match="The disk is full"):
            store.append(1, 2, [("event", {"text": "x" * 100_000})], STAMP)
        assert len(store.load(1)) == 1
        store._query("PRAGMA max_page_count = 100000")
        store.append(1, 2, [("event", {"text": "x" * 100_000})], STAMP)
    with opened(path) as store:
        assert len(store.load(1)) == 2


@contextmanager
def little_room() -> Iterator[None]:
    """No file may grow beyond 64 kB."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (64 * 1024, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_log_opens_where_there_is_little_room(path: Path) -> None:
    with little_room(), opened(path) as store:
        store.append(1, 1, [("begun", {})], STAMP)
        assert len(store.load(1)) == 1


def test_a_write_that_fails_loses_nothing(path: Path) -> None:
    with opened(path) as store:
        store.append(1, 1, [("begun", {})], STAMP)
        with little_room(), pytest.raises(StoreError) as caught:
            store.append(1, 2, [("event", {"text": "x" * 200_000})], STAMP)
        assert isinstance(caught.value, DiskFull | NotWritable)
        assert len(store.load(1)) == 1
        store.append(1, 2, [("event", {"text": "x" * 200_000})], STAMP)
        assert len(store.load(1)) == 2


WRITER = """
import sys
from pathlib import Path
from companion.store import Stamp, Store
store = Store(Path(sys.argv[1]))
seq = len(store.load(1)) + 1
while True:
    store.append(1, seq, [("event", {"n": seq}), ("event", {"n": seq + 1})], Stamp(0.0, None, 0.0, ""))
    seq += 2
    print(seq - 1, flush=True)
"""


def test_a_killed_writer_loses_nothing_it_had_committed(path: Path) -> None:
    kept = 0
    for commits in (1, 7, 20):
        writer = subprocess.Popen(
            [sys.executable, "-c", WRITER, str(path)],
            stdout=subprocess.PIPE,
            text=True,
            cwd=Path(__file__).parents[1],
        )
        assert writer.stdout is not None
        with writer.stdout as lines:
            last = [int(lines.readline()) for _ in range(commits)][-1]
            writer.send_signal(signal.SIGKILL)
            writer.wait()
            rest = lines.read().split()
        promised = int(rest[-1]) if rest else last
        with opened(path) as store:
            numbers = [row.data["n"] for row in store.load(1)]
        assert numbers == list(range(1, len(numbers) + 1))
        assert len(numbers) >= promised > kept
        assert len(numbers) % 2 == 0  # a batch is there as a whole or not at all
        kept = len(numbers)
