"""The buttons in front of the players with their lamps, and the setter's button."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

from gpiozero import LED, Button

from hardware.wiring import Wiring

Lamp = Literal["off", "on", "blink"]
BLINK_S = 0.5


class Panel:
    """Buttons and lamps on the pins of `wiring`.

    `on_bid(seat, at)` (seat from 0) and `on_setter(at)` are called at each press, in the thread of the
    pins, with what `clock` said when the pins told of it: they must only hand it on. Pins tell of a press
    once it was steady for the bounce time, so every `at` is late by that; all buttons have the same one,
    and nobody is ahead.
    """

    def __init__(
        self,
        wiring: Wiring,
        on_bid: Callable[[int, float], None],
        on_setter: Callable[[float], None],
        clock: Callable[[], float],
        pin_factory: Any = None,
    ) -> None:
        self._shown: dict[Any, Lamp] = {}
        self._parts: list[Any] = []
        try:
            self._lamps = [self._lamp(pin, pin_factory) for pin in wiring.lamps]
            self._setter_lamp = (
                None if wiring.setter_lamp is None else self._lamp(wiring.setter_lamp, pin_factory)
            )
            for seat, pin in enumerate(wiring.bids):
                button = self._button(pin, wiring, pin_factory)
                button.when_pressed = lambda seat=seat: on_bid(seat, clock())
            if wiring.setter is not None:
                button = self._button(wiring.setter, wiring, pin_factory)
                button.when_pressed = lambda: on_setter(clock())
        except BaseException:
            self.close()
            raise

    def show(self, lamps: Sequence[Lamp], setter: Lamp = "off") -> None:
        """Set the lamps of the seats in order, those beyond `lamps` off; a lamp already so is left alone."""
        for number, led in enumerate(self._lamps):
            self._set(led, lamps[number] if number < len(lamps) else "off")
        if self._setter_lamp is not None:
            self._set(self._setter_lamp, setter)

    def close(self) -> None:
        """Let all pins go."""
        for part in self._parts:
            part.close()
        self._parts.clear()

    def _set(self, led: Any, wanted: Lamp) -> None:
        if self._shown.get(led) == wanted:
            return
        self._shown[led] = wanted
        if wanted == "blink":
            led.blink(BLINK_S, BLINK_S)
        else:
            led.value = wanted == "on"

    def _lamp(self, pin: int, factory: Any) -> Any:
        led = LED(pin, pin_factory=factory)
        self._parts.append(led)
        return led

    def _button(self, pin: int, wiring: Wiring, factory: Any) -> Any:
        button = Button(pin, bounce_time=wiring.bounce_s, pin_factory=factory)
        self._parts.append(button)
        return button
