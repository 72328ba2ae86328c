"""The write-ahead log of an SQLite file, made as large as it will get before it is needed."""

from __future__ import annotations

import sqlite3
from contextlib import suppress

PAGES = 250
"""Events go into the file itself when the write-ahead log holds so many pages: about an evening's."""


def grow(db: sqlite3.Connection) -> None:
    """Let the write-ahead log of `db` have its size now.

    A commit into a file that grows also has the file's new size to bring to the disk, which takes about as
    long again (measured on ext4, docs/benchmarks.md). A full disk is left to the first event.
    """
    db.execute(f"PRAGMA wal_autocheckpoint = {PAGES}")
    (held,) = db.execute("PRAGMA cache_size").fetchone()
    (page,) = db.execute("PRAGMA page_size").fetchone()
    db.execute("PRAGMA cache_size = 10")  # so that what does not fit in is written, and then never was
    with suppress(sqlite3.OperationalError):
        db.execute("BEGIN IMMEDIATE")
        db.execute("CREATE TABLE room (empty BLOB)")
        db.execute("INSERT INTO room VALUES (zeroblob(?))", (PAGES * page,))
    db.rollback()
    db.execute(f"PRAGMA cache_size = {held}")
