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
    """A buzzer on `pin`: `tonal` plays the notes, another kind only their rhythm."""

    def __init__(self, pin: int, tonal: bool = True, pin_factory: Any = None) -> None:
        self._device = (TonalBuzzer if tonal else PlainBuzzer)(pin, pin_factory=pin_factory)
        self._tonal = tonal
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
        if self._tonal:
            self._device.play(None if note is None else Tone(note))
        elif note is None:
            self._device.off()
        else:
            self._device.on()
