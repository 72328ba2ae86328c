"""All threads of the program take their memory from one pool."""

from __future__ import annotations

import subprocess
import sys

import pytest

POOLS = """
import ctypes
from threading import Barrier, Thread
{first}
together = Barrier(4)

def fill():
    together.wait()
    kept = [bytes(10_000) for _ in range(200)]
    together.wait()

threads = [Thread(target=fill) for _ in range(4)]
for one in threads: one.start()
for one in threads: one.join()
libc = ctypes.CDLL(None)
libc.fopen.restype = ctypes.c_void_p
out = ctypes.c_void_p(libc.fopen(b"/dev/stdout", b"w"))
libc.malloc_info(0, out)
libc.fflush(out)
"""
"""Four threads that hold memory at once; then glibc tells its pools (malloc_info(3))."""


@pytest.mark.skipif(sys.platform != "linux", reason="other C libraries have no such pools")
def test_all_threads_share_one_pool_of_memory() -> None:
    def pools(first: str) -> int:
        command = [sys.executable, "-c", POOLS.format(first=first)]
        told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        return told.count("<heap nr=")

    assert pools("") > 1
    assert pools("from companion.memory import share_one_pool; share_one_pool()") == 1
