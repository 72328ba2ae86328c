"""The wiring tried by hand: one LED lit at a time, buttons heard, the buzzer sounded; and what to look at."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from threading import RLock
from typing import Any

from companion.doctor.panel import TUNE
from companion.workbench.lapse import Lapse
from hardware.buzzer import Buzzer
from hardware.header import pins_of
from hardware.pins import open_parts, open_pins
from hardware.wiring import Part, Wiring

LAPSE_S = 30.0
"""When nobody has looked for so long, the game has its buttons and lamps back."""


@dataclass(frozen=True, slots=True)
class Tried:
    """A part on `pin` of the header: whether it is `lit` now, how often a button was heard, and whether it is
    `held` down; `last` is the one that was tapped or heard last. `fault` is why it cannot be used at all."""

    part: Part
    pin: int
    lit: bool = False
    heard: int = 0
    held: bool = False
    last: bool = False
    fault: str = ""


class WiringTest:
    """One test at a time, whoever taps; safe from any thread.

    `lend` gets the pins from the table (its wiring and pin factory), `take_back` ends that.
    """

    def __init__(
        self,
        wiring: Wiring,
        lend: Callable[[], tuple[Wiring, Any]],
        take_back: Callable[[], None],
        lapse: float = LAPSE_S,
    ) -> None:
        self.wiring = wiring
        self._lend, self._take_back = lend, take_back
        self._lock = RLock()
        self._lapse = Lapse(lapse, self.leave)
        self._lent = False
        self._devices: dict[Part, Any] = {}
        self._wrong: dict[Part, str] = {}
        self._heard: dict[Part, int] = {}
        self._lit = self._last = ""
        self._buzzer: Buzzer | None = None

    @property
    def runs(self) -> bool:
        """Whether the pins are at the test's hand, not at the game's."""
        return self._lent

    def begin(self) -> None:
        """Get the pins; raises `NoPins`."""
        with self._lock:
            self._lapse.stay()
            if self._lent:
                return
            wiring, given = self._lend()
            self._lent = True
            try:
                factory = given or open_pins()
            except OSError:
                self.leave()
                raise
            self._heard, self._lit, self._last = {}, "", ""
            self._devices, self._wrong = open_parts(replace(wiring, buzzer=None), factory)
            for part, device in self._devices.items():
                if part.kind == "button":
                    device.when_activated = self._hearing(part)
            if wiring.buzzer is not None:
                self._open_buzzer(wiring, factory)

    def tap(self, name: str) -> None:
        """Light the LED of this name and no other, or none if it is lit; sound the buzzer."""
        with self._lock:
            self._lapse.stay()
            if not self._lent:
                return
            self._last = name
            self._lit = "" if name == self._lit else name
            for part, device in self._devices.items():
                if part.kind == "LED":
                    device.value = part.name == self._lit
            if name == "buzzer" and self._buzzer is not None:
                self._lit = ""
                self._buzzer.play(TUNE)

    def parts(self) -> list[Tried]:
        """Every part as it is now."""
        with self._lock:
            if self._lent:
                self._lapse.stay()
            return [
                Tried(
                    part,
                    pins_of(f"GPIO {part.gpio}")[0],
                    self._lent and part.name == self._lit and part.kind == "LED",
                    self._heard.get(part, 0),
                    part.kind == "button" and part in self._devices and bool(self._devices[part].is_active),
                    self._lent and part.name == self._last,
                    self._wrong.get(part, ""),
                )
                for part in self.wiring.parts()
            ]

    def leave(self) -> None:
        """The game has its buttons and lamps again."""
        with self._lock:
            self._lapse.end()
            for device in (*self._devices.values(), self._buzzer):
                if device is not None:
                    device.close()
            self._devices, self._buzzer, self._wrong = {}, None, {}
            if self._lent:
                self._lent = False
                self._take_back()

    def _open_buzzer(self, wiring: Wiring, factory: Any) -> None:
        part = next(one for one in wiring.parts() if one.kind == "buzzer")
        try:
            self._buzzer = Buzzer(
                part.gpio, wiring.buzzer_kind == "tonal", factory, wiring.buzzer_level == "high"
            )
        except Exception as fault:  # the pins' libraries have plain exceptions of their own
            self._wrong[part] = str(fault)

    def _hearing(self, part: Part) -> Callable[[], None]:
        def heard() -> None:  # in a thread of the pins
            self._heard[part] = self._heard.get(part, 0) + 1
            self._last = part.name

        return heard
