"""Pins that are not there: gpiozero's mock pins, which tell when their level changes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gpiozero.pins.mock import MockFactory, MockPWMPin


class _Pin(MockPWMPin):  # type: ignore[misc]  # gpiozero has no types
    def _change_state(self, value: float) -> bool:
        changed = bool(super()._change_state(value))
        # The mock pin keeps every level it ever had, for tests; a table stands for evenings.
        del self.states[:-1]
        if changed:
            self.factory.changed()
        return changed


class VirtualPins(MockFactory):  # type: ignore[misc]
    """A pin factory whose pins can be looked at, pressed and listened to."""

    def __init__(self) -> None:
        super().__init__(pin_class=_Pin)
        self._listeners: list[Callable[[], None]] = []

    def level(self, number: int) -> float:
        """The level of GPIO `number`, 0 to 1."""
        return float(self.pin(f"GPIO{number}").state)

    def press(self, number: int) -> None:
        """Press and let go the button on GPIO `number`, which closes to ground."""
        self.hold(number)
        self.release(number)

    def hold(self, number: int) -> None:
        """Press the button on GPIO `number`, and hold it down."""
        button: Any = self.pin(f"GPIO{number}")
        button.drive_low()

    def release(self, number: int) -> None:
        """Let go the button on GPIO `number`."""
        button: Any = self.pin(f"GPIO{number}")
        button.drive_high()

    def listen(self, heard: Callable[[], None]) -> None:
        """Call `heard` whenever a level has changed."""
        self._listeners.append(heard)

    def changed(self) -> None:
        """A pin's level has changed."""
        for heard in list(self._listeners):
            heard()
