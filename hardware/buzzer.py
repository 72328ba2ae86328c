"""The buzzer: short tunes, played one after the other in a thread of its own."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Event, Thread
from typing import Any

from gpiozero import Buzzer as PlainBuzzer
from gpiozero import TonalBuzzer
from gpiozero.tones import Tone

Note = tuple[str | None, float]
"""A note from A3 to A5 (None: a pause), and how many seconds it lasts."""


class Buzzer:
    """A buzzer on `pin`: `tonal` plays the notes, another kind only their rhythm.

    `active_high` says which level of the pin sounds; at rest it has the other one.
    """

    def __init__(
        self, pin: int, tonal: bool = True, pin_factory: Any = None, active_high: bool = True
    ) -> None:
        self._tonal = tonal
        if tonal:
            self._device = TonalBuzzer(pin, pin_factory=pin_factory)
            self._device.pwm_device.active_high = active_high
        else:
            self._device = PlainBuzzer(pin, active_high=active_high, pin_factory=pin_factory)
        self._sound(None)
        self._tunes: SimpleQueue[Sequence[Note] | None] = SimpleQueue()
        self._closing = Event()
        self._thread = Thread(target=self._run, name="buzzer", daemon=True)
        self._thread.start()

    def play(self, tune: Sequence[Note]) -> None:
        """Play `tune` next; those that still wait are dropped, because a late sound misleads."""
        with suppress(Empty):
            while True:
                self._tunes.get_nowait()
        self._tunes.put(tune)

    def close(self) -> None:
        """Be quiet, and let the pin go."""
        self._closing.set()
        self._tunes.put(None)
        self._thread.join()
        self._device.close()

    def _run(self) -> None:
        while (tune := self._tunes.get()) is not None:
            for note, seconds in tune:
                self._sound(note)
                if self._closing.wait(seconds):
                    return
            self._sound(None)

    def _sound(self, note: str | None) -> None:
        if not self._tonal:
            self._device.value = note is not None
        elif note is None:
            self._device.stop()
            # The pin would stay at the level that it had when its switching was stopped.
            self._device.pwm_device.value = 0
        else:
            self._device.play(Tone(note))
