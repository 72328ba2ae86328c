"""One thread asks the vision's networks, whoever wants to know.

They serve one thread at a time; and what a thread has needed of memory serves only itself again, so every
other one that learned or read would cost the program a hundred megabytes more.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

_THREAD = ThreadPoolExecutor(max_workers=1, thread_name_prefix="reading")


def in_turn(work: Callable[P, R], *given: P.args, **named: P.kwargs) -> R:
    """What `work` gives, or raises; done after all that was asked for earlier. Not from within such work."""
    return _THREAD.submit(work, *given, **named).result()
