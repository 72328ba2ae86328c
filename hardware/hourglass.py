"""The hourglass of lamps: a row of LEDs that runs down like sand."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from math import ceil
from threading import Condition, Thread
from typing import Any

from gpiozero import LEDBarGraph

LEVELS = 16
"""Steps in which one lamp goes out."""


class Hourglass:
    """LEDs on `pins`, dimmed with the time left. At rest its thread sleeps; `clock` gives seconds."""

    def __init__(
        self, pins: Sequence[int], clock: Callable[[], float] = time.monotonic, pin_factory: Any = None
    ) -> None:
        self._bar = LEDBarGraph(*pins, pwm=True, pin_factory=pin_factory)
        self._steps = len(pins) * LEVELS
        self._clock = clock
        self._change = Condition()
        self._seconds, self._end, self._closed = 0.0, 0.0, False
        self._thread = Thread(target=self._run, name="hourglass", daemon=True)
        self._thread.start()

    def turn(self, seconds: float, left: float | None = None) -> None:
        """Let sand for `seconds` run, of which `left` remain (None: all)."""
        with self._change:
            self._seconds = seconds
            self._end = self._clock() + (seconds if left is None else left)
            self._change.notify()

    def stop(self) -> None:
        """All lamps off."""
        with self._change:
            self._seconds = 0.0
            self._change.notify()

    def close(self) -> None:
        """Stop, and let the pins go."""
        with self._change:
            self._closed = True
            self._change.notify()
        self._thread.join()
        self._bar.close()

    def _run(self) -> None:
        with self._change:
            while not self._closed:
                self._change.wait(self._show())

    def _show(self) -> float | None:
        """Light what is left; gives the seconds until that changes, None when it does not."""
        left = self._end - self._clock() if self._seconds else 0.0
        if left <= 0:
            self._seconds = 0.0
            self._bar.value = 0
            return None
        # A step goes out at its end, so the last glimmer stays until the sand has run out.
        step = min(ceil(left / self._seconds * self._steps), self._steps)
        self._bar.value = step / self._steps
        return max(left - (step - 1) / self._steps * self._seconds, 0.001)
