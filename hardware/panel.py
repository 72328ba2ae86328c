"""The buttons in front of the players with their lamps, and the setter's button."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from functools import partial
from threading import Lock, Timer
from typing import Any, Literal

from gpiozero import LED, DigitalInputDevice

from hardware.setter import Setter
from hardware.wiring import Wiring

Lamp = Literal["off", "on", "blink"]
BLINK_S = 0.5
FLICKER_S, FLICKERS = 0.5, 5
"""A flicker lasts so long, and is on so often."""
LATE_S = 1.0
"""Longer than this no edge waits for its callback; pins that say so go by another clock."""

log = logging.getLogger(__name__)


class Panel:
    """Buttons and lamps on the pins of `wiring`.

    `on_bid(seat, at)` (seat from 0) is called at each press of a bid button, however long it is held:
    pressed twice, it bids twice. `on_setter(at)` is called when the setter's button is let go after a
    short press, `on_setter_long(at)` while it is held, after `hardware.setter.LONG_S`; a second short
    press right after the first is ignored. A button that is held down at the start does nothing until it
    is let go and pressed again.

    All are called in a thread of the pins or of a timer: they must only hand on. `at` is what `clock`
    showed at the edge, in seconds. Pins tell of an edge once it was steady for the bounce time, so every
    `at` is late by that; all buttons have the same one, and nobody is ahead.
    """

    def __init__(
        self,
        wiring: Wiring,
        on_bid: Callable[[int, float], None],
        on_setter: Callable[[float], None],
        clock: Callable[[], float],
        pin_factory: Any = None,
        on_setter_long: Callable[[float], None] | None = None,
    ) -> None:
        self._wiring, self._clock, self._factory = wiring, clock, pin_factory
        self._lock = Lock()
        self._shown: dict[Any, Lamp] = {}
        self._flickering: dict[Any, Timer] = {}
        self._parts: list[Any] = []
        self._setter = Setter(_guarded(on_setter), on_setter_long and _guarded(on_setter_long), clock)
        try:
            self._lamps = [self._lamp(pin) for pin in wiring.lamps]
            self._setter_lamp = None if wiring.setter_lamp is None else self._lamp(wiring.setter_lamp)
            for seat, pin in enumerate(wiring.bids):
                self._button(pin, partial(_guarded(on_bid), seat))
            if wiring.setter is not None:
                self._button(wiring.setter, self._setter.pressed, self._setter.released)
        except BaseException:
            self.close()
            raise

    def show(self, lamps: Sequence[Lamp], setter: Lamp = "off") -> None:
        """Set the lamps of the seats in order, those beyond `lamps` off; a lamp already so is left alone."""
        with self._lock:
            for number, led in enumerate(self._lamps):
                self._set(led, lamps[number] if number < len(lamps) else "off")
            if self._setter_lamp is not None:
                self._set(self._setter_lamp, setter)

    def flicker(self, seat: int) -> None:
        """Let the lamp of `seat` (from 0) blink fast for `FLICKER_S`, then show what it is told to show.

        Nothing happens where that seat has no lamp, or its lamp flickers already.
        """
        with self._lock:
            if not self._parts or not 0 <= seat < len(self._lamps) or self._lamps[seat] in self._flickering:
                return
            led = self._lamps[seat]
            half = FLICKER_S / FLICKERS / 2
            led.blink(half, half)
            timer = Timer(FLICKER_S, self._calm, (led,))
            timer.daemon = True
            self._flickering[led] = timer
            timer.start()

    def close(self) -> None:
        """Let all pins go."""
        self._setter.close()
        with self._lock:
            parts, self._parts = self._parts, []
            timers, self._flickering = list(self._flickering.values()), {}
        for timer in timers:
            timer.cancel()
        for part in parts:
            part.close()

    def _set(self, led: Any, wanted: Lamp) -> None:
        if self._shown.get(led) == wanted or not self._parts:
            return
        self._shown[led] = wanted
        if led not in self._flickering:
            _light(led, wanted)

    def _calm(self, led: Any) -> None:
        """The flicker is over, in its timer's thread."""
        with self._lock:
            if self._flickering.pop(led, None) is not None:
                _light(led, self._shown.get(led, "off"))

    def _lamp(self, pin: int) -> Any:
        led = LED(pin, active_high=self._wiring.leds == "high", pin_factory=self._factory)
        self._parts.append(led)
        return led

    def _button(
        self,
        pin: int,
        pressed: Callable[[float], None],
        released: Callable[[float], None] | None = None,
    ) -> None:
        # Not gpiozero's Button: each of those keeps a thread that wakes ten times a second.
        button = DigitalInputDevice(
            pin,
            pull_up=self._wiring.buttons == "ground",
            bounce_time=self._wiring.bounce_s,
            pin_factory=self._factory,
        )
        self._parts.append(button)
        button.when_activated = lambda: pressed(self._at(button.active_time))
        if released is not None:
            button.when_deactivated = lambda: released(self._at(button.inactive_time))

    def _at(self, ago: float | None) -> float:
        """When an edge was, of which the pins say that it was `ago` seconds before now."""
        now = self._clock()
        return now - ago if ago is not None and 0 <= ago <= LATE_S else now


def _light(led: Any, wanted: Lamp) -> None:
    if wanted == "blink":
        led.blink(BLINK_S, BLINK_S)
    else:
        led.value = wanted == "on"


def _guarded(tell: Callable[..., None]) -> Callable[..., None]:
    """`tell`, whose faults are logged: one that gets out would end the thread of all pins."""

    def told(*values: Any) -> None:
        try:
            tell(*values)
        except Exception:
            log.exception("a press could not be handed on")

    return told
