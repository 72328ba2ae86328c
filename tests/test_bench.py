"""The bench still measures what it says; how fast things are is no matter of tests."""

from __future__ import annotations

from itertools import chain

import pytest

from tests import bench


def test_each_row_compares_with_its_floor(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("READINGS", "GLANCES", "SITUATIONS", "COMMANDS", "STARTS"):
        monkeypatch.setattr(bench, name, 1)
    rows = list(chain(bench.reading(), bench.looking(), bench.solving(), bench.storing(), bench.starting()))
    assert len(rows) == 10
    for row in rows:
        assert row.ours_ms > 0
        assert row.floor_ms > 0


def test_a_row_shows_the_ratio() -> None:
    row = str(bench.Row("read", "decode", 50.0, 10.0, "3 x"))
    assert row.split() == ["read", "decode", "50.00", "10.00", "5", "3", "x"]
