"""What perfect play costs: building the table of all states, and look-ups in it against a search."""

from __future__ import annotations

import json
import os
import random
import statistics
import subprocess
import sys
from collections.abc import Iterator
from datetime import date, timedelta
from functools import partial
from pathlib import Path

import numpy as np

from companion.games.corona import notation
from companion.games.corona.batch import best_scores
from companion.games.corona.puzzle import daily
from companion.games.corona.solver import best, first_moves, lines, solve
from tests.brute_force import most_points
from tests.timing import Row, at_share, medians, timed

BUILDS, SITUATIONS, BATCHES, DAYS = 7, 200, 7, 365
BATCH = 1_000_000
ROOT = Path(__file__).parent.parent


def solving() -> Iterator[Row | str]:
    """Random starts, searched one by one, and each asked for everything; then many at once."""
    yield from building()
    starts = [random_start(random.Random(number)) for number in range(SITUATIONS)]
    situations = [notation.read(text) for text in starts]
    searched = [timed(partial(most_points, text[:12], "0" * 12, text[13:])) for text in starts]
    for what, ask, aim in (
        ("best score", best, "0.05 ms"),
        ("easiest best line", solve, "1 ms"),
        ("what each first move leads to", first_moves, ""),
        ("all best lines, 20 of them told", lines, ""),
    ):
        turns = []
        for situation, floor in zip(situations, searched, strict=True):
            ask(situation)  # warm: a search, or whatever ran in between, has the cache to itself
            turns.append((timed(partial(ask, situation)), floor))
        yield Row(what, "brute force", *medians(turns), aim)
        middle, slow = (1000 * at_share(turns, share)[0] for share in (0.5, 0.99))
        yield f"{what}: {middle:.1f} µs, p99 {slow:.0f} µs"
    yield many(statistics.median(searched))
    yield puzzles()


def building() -> Iterator[str]:
    """The table, by `corona table` in processes of their own."""
    command = (sys.executable, "-m", "companion", "table", "--json")
    with_us = os.environ | {"PYTHONPATH": str(ROOT)}
    runs = [
        json.loads(subprocess.run(command, env=with_us, check=True, capture_output=True).stdout)
        for _ in range(BUILDS)
    ]
    took, peaks = [1000 * run["seconds"] for run in runs], [run["peak_mb"] or 0 for run in runs]
    yield (
        f"table of {runs[0]['states']} states: built in {statistics.median(took):.0f} ms, {min(took):.0f} to "
        f"{max(took):.0f} (aim: 1000), its process at most {max(peaks):.0f} MB (aim: 200)"
    )


def many(searched_ms: float) -> str:
    """Random starts in one array, and how much faster than searching each that is."""
    chance = np.random.default_rng(1974)
    fields = chance.integers(0, 12, (BATCH, 6))
    waiting = sum((fields[:, [piece]] == np.arange(12)).astype(np.uint8) for piece in range(6))
    dice = chance.integers(1, 7, (BATCH, 6), np.uint8)
    best_scores(waiting[:1], dice[:1])
    took = statistics.median(timed(partial(best_scores, waiting, dice)) for _ in range(BATCHES))
    each = took / BATCH
    return f"best scores in an array of {BATCH}: {1 / each / 1000:.1f} million a second (aim: 5), " + (
        f"{searched_ms / each:.0f} times the brute force"
    )


def puzzles() -> str:
    """The puzzles of a year, each found and measured."""
    took = [timed(partial(daily, date(2026, 1, 1) + timedelta(days))) for days in range(DAYS)]
    return f"the puzzle of a day: {statistics.median(took):.1f} ms, at most {max(took):.0f} (aim: 200)"


def random_start(chance: random.Random) -> str:
    fields = [chance.randrange(12) for _ in range(6)]
    dice = "".join(str(chance.randint(1, 6)) for _ in range(6))
    return "".join(str(fields.count(field)) for field in range(12)) + "-" + dice
