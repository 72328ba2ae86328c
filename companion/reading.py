"""Who asks the vision's networks: they serve one thread at a time, and memory is dear.

What a thread has needed of memory serves only itself again: every other one that learned or read would cost
the program a hundred megabytes more. So there are two: the one that watches, and one for all others.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

READING = Lock()
"""Held by whoever asks the networks."""
_OTHERS = ThreadPoolExecutor(max_workers=1, thread_name_prefix="reading")


def in_turn(work: Callable[P, R], *given: P.args, **named: P.kwargs) -> R:
    """What `work` gives, or raises, done by the one thread for all that do not watch. Not from within such
    work, nor with READING held."""

    def done() -> R:
        with READING:
            return work(*given, **named)

    return _OTHERS.submit(done).result()
