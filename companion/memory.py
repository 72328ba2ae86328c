"""How much memory the program holds: all its threads take theirs from one pool."""

from __future__ import annotations

import ctypes
import sys

_M_ARENA_MAX = -8
"""As in glibc's malloc.h."""


def share_one_pool() -> None:
    """All threads of this program get memory from one pool from now on; to be called before there are others.

    glibc gives each of the first threads a pool of its own, up to eight a core, and what is free in one no
    other gets (mallopt(3), M_ARENA_MAX). Where the C library is another nothing changes. docs/benchmarks.md
    has what it saves.
    """
    if sys.platform == "linux":
        mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
        if mallopt:
            mallopt(_M_ARENA_MAX, 1)
