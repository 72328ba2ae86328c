"""The hourglass of lamps: a row of LEDs that runs down like sand."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from threading import Condition, Thread
from typing import Any

from gpiozero import LEDBarGraph

from hardware import sand

FREQUENCY = 100
"""Hertz at which a dimmed lamp goes on and off."""


class Hourglass:
    """LEDs on `pins`, dimmed with the time left; the last one of the row empties first.

    `clock` gives seconds. At rest the thread sleeps, and no pin is switched to dim a lamp.
    """

    def __init__(
        self,
        pins: Sequence[int],
        clock: Callable[[], float] = time.monotonic,
        pin_factory: Any = None,
        active_high: bool = True,
    ) -> None:
        self._bar = LEDBarGraph(*pins, pwm=True, active_high=active_high, pin_factory=pin_factory)
        self._shown: list[float | None] = [None] * len(pins)
        self._light([0.0] * len(pins))
        self._clock = clock
        self._change = Condition()
        self._seconds, self._end = 0.0, 0.0
        self._running = self._has_flashed = self._closed = False
        self._flash: float | None = None
        self._thread = Thread(target=self._run, name="hourglass", daemon=True)
        self._thread.start()

    def turn(self, seconds: float, left: float | None = None) -> None:
        """Let sand for `seconds` run, of which `left` remain (None: all).

        With nothing left, sand that runs has run out now; where none runs, the lamps stay dark.
        """
        left = seconds if left is None else left
        with self._change:
            if left > 0:
                self._seconds, self._end = seconds, self._clock() + left
                self._running, self._has_flashed, self._flash = True, False, None
            elif self._running:
                self._end = self._clock()
            self._change.notify()

    def run_out(self) -> None:
        """The sand has run out, also if it seems that a little was left: flash, once for a turn."""
        with self._change:
            if self._running:
                self._end = self._clock()
            elif not self._has_flashed:
                self._begin_flash()
            self._change.notify()

    def stop(self) -> None:
        """All lamps off at once; a flash that has begun still ends by itself."""
        with self._change:
            self._running = False
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
        """Light what is to be seen now; gives the seconds until that changes, None when it does not."""
        now, lamps = self._clock(), len(self._shown)
        if self._running and now >= self._end:
            self._running = False
            self._begin_flash()
        if self._running:
            left = self._end - now
            self._light(sand.levels(left, self._seconds, lamps))
            return sand.lasts(left, self._seconds, lamps)
        flash = None if self._flash is None else sand.flash(now - self._flash)
        if flash is None:
            self._flash = None
            self._light([0.0] * lamps)
            return None
        self._light([flash[0]] * lamps)
        return flash[1]

    def _begin_flash(self) -> None:
        self._flash, self._has_flashed = self._clock(), True

    def _light(self, levels: Sequence[float]) -> None:
        for number, (led, level) in enumerate(zip(self._bar, levels, strict=True)):
            if self._shown[number] == level:
                continue
            self._shown[number] = level
            # Dimming costs a hundred switches a second; a lamp that is on or off needs none.
            wanted = None if level in (0.0, 1.0) else FREQUENCY
            if led.frequency != wanted:
                led.frequency = wanted
            led.value = level
