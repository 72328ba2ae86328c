"""The clocks the table goes by: one that only runs forward, and the wall clock, for people only."""

from __future__ import annotations

import time
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol


class Clock(Protocol):
    """`boot` names the run of the machine that `read` belongs to; None where the system cannot tell."""

    boot: str | None

    def read(self) -> float:
        """Seconds that only run forward, comparable within one boot."""

    def wall(self) -> str:
        """The date and time people read, ISO 8601 in UTC; it may jump, and nothing is computed from it."""


class SystemClock:
    """The clock of this machine; on Linux it also counts the time the machine slept."""

    _BOOT_ID = Path("/proc/sys/kernel/random/boot_id")

    def __init__(self) -> None:
        self.boot: str | None = None
        with suppress(OSError):  # no Linux: a restarted game goes on from its last event
            self.boot = self._BOOT_ID.read_text(encoding="ascii").strip() or None

    def read(self) -> float:
        if hasattr(time, "CLOCK_BOOTTIME"):
            return time.clock_gettime(time.CLOCK_BOOTTIME)
        return time.monotonic()

    def wall(self) -> str:
        return datetime.now(UTC).isoformat(timespec="milliseconds")
