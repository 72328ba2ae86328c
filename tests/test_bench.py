"""The bench still measures what it says; how fast things are is no matter of tests."""

from __future__ import annotations

import re
from itertools import chain

import pytest

from tests import bench, bench_phones, bench_solver, bench_table
from tests.timing import Row, at_share

pytestmark = pytest.mark.slow


def test_each_row_compares_with_its_floor(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("READINGS", "GLANCES", "STARTS"):
        monkeypatch.setattr(bench, name, 1)
    rows = list(chain(bench.reading(), bench.looking(), bench.starting()))
    assert len(rows) == 8
    for row in rows:
        assert row.ours_ms > 0
        assert row.floor_ms > 0


def test_perfect_play_is_compared_with_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, few in {"BUILDS": 1, "SITUATIONS": 2, "BATCHES": 1, "BATCH": 100, "DAYS": 7}.items():
        monkeypatch.setattr(bench_solver, name, few)
    found = list(bench_solver.solving())
    asked = [row.what for row in found if isinstance(row, Row)]
    assert asked == [
        "best score",
        "easiest best line",
        "what each first move leads to",
        "all best lines, 20 of them told",
    ]
    notes = [note.partition(":")[0] for note in found if isinstance(note, str)]
    assert notes == [
        "table of 3530765 states",
        *asked,
        "best scores in an array of 100",
        "the puzzle of a day",
    ]


def test_the_table_is_compared_too(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, few in {"PRESSES": 10, "GAMES": 3, "COMPARED": 1, "OPENINGS": 1}.items():
        monkeypatch.setattr(bench_table, name, few)
    found = list(chain(bench_table.edges(), bench_table.evenings(), bench_table.long_game()))
    rows = [row for row in found if isinstance(row, Row)]
    assert len(rows) == 6
    for row in rows:
        assert row.ours_ms > 0
        assert row.floor_ms > 0
    assert [note.partition(":")[0] for note in found if isinstance(note, str)] == [
        "commands a second",
        "memory of games of ten rounds",
        "memory of one game of 30 rounds",
    ]


def test_phones_are_compared_with_bare_events(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, few in {"BIDS": 9, "PAGES": 3}.items():
        monkeypatch.setattr(bench_phones, name, few)
    *rows, note = bench_phones.phones()
    assert len(rows) == 7
    for row in rows:
        assert isinstance(row, Row)
        assert row.ours_ms > 0
        assert row.floor_ms > 0
    kilobytes = re.fullmatch(r"first page: ([\d.]+) kB in \d+ files .*", str(note))
    assert kilobytes
    assert float(kilobytes[1]) < 100  # of bytes alone a test may be sure


def test_a_row_shows_the_ratio() -> None:
    row = str(Row("read", "decode", 50.0, 10.0, "3 x"))
    assert row.split() == ["read", "decode", "50.00", "10.00", "5", "3", "x"]


def test_the_slowest_of_a_hundred_is_beyond_the_p99() -> None:
    turns = [(float(one), 2.0) for one in range(100)]
    assert at_share(turns, 0.5) == (49.5, 2.0)
    assert at_share(turns, 0.99) == (99.0, 2.0)
