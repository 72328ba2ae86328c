"""Pins whose buttons bounce, debounced as lgpio does, on a clock that only the test moves."""

from __future__ import annotations

from collections.abc import Collection
from heapq import heappop, heappush
from itertools import count
from random import Random
from typing import Any

from gpiozero.pins.mock import MockFactory, MockPWMPin
from gpiozero.pins.pi import PiPin

CHATTER_S = 0.004
"""A contact settles within this."""


class _Pin(MockPWMPin):  # type: ignore[misc]  # gpiozero has no types
    """Tells of an edge once its level was steady for the bounce time, late by it, as lgpio does."""

    _edge: tuple[float, bool] | None = None
    _told: bool | None = None

    def _set_pull(self, value: str) -> None:
        super()._set_pull(value)
        if self._number in self.factory.held:
            self._change_state(value != "up")

    def drive_high(self) -> None:
        self._drive(True)

    def drive_low(self) -> None:
        self._drive(False)

    def _drive(self, level: bool) -> None:
        changed, heard = self._change_state(level), self._when_changed is not None
        if changed and heard:
            self._edge = self.factory.now, level
            if not self._bounce:
                self.tell()

    def due(self) -> float | None:
        """When the last edge is to be told, if nothing happens before."""
        return None if self._edge is None else self._edge[0] + (self._bounce or 0.0)

    def tell(self) -> None:
        """The level is steady: told, if it is another one than was told last."""
        assert self._edge is not None
        level, self._edge = self._edge[1], None
        if level != self._told:
            self._told = level
            PiPin._call_when_changed(self, self.factory.now, level)


class BouncingPins(MockFactory):  # type: ignore[misc]
    """A pin factory whose buttons are pressed at set times, all deterministic and without waiting.

    `press` plans, `run` lets it happen. `clock` is the clock to give to what uses the pins: while a
    callback runs it shows when the edge was told, which is its last bounce and the bounce time. Presses
    are planned once the buttons are there; those in `held` are down from the beginning.
    """

    def __init__(self, now: float = 0.0, held: Collection[int] = ()) -> None:
        super().__init__(pin_class=_Pin)
        self.now, self.held = now, held
        self._plan: list[tuple[float, int, int, bool]] = []
        self._order = count()

    def clock(self) -> float:
        """Seconds."""
        return self.now

    def ticks(self) -> float:
        """Seconds, as gpiozero asks for them."""
        return self.now

    def press(self, number: int, at: float, held: float = 0.08, rng: Random | None = None) -> float:
        """Plan a press of the button on GPIO `number` at `at`, let go `held` seconds later.

        With `rng` both edges bounce, up to five times. Gives when the press is told, if it is.
        """
        last = self._plan_edge(number, at, True, rng)
        self._plan_edge(number, at + held, False, rng)
        return last + (self._pin(number).bounce or 0.0)

    def hold(self, number: int, at: float, rng: Random | None = None) -> float:
        """Plan a press that lasts; gives when it is told."""
        return self._plan_edge(number, at, True, rng) + (self._pin(number).bounce or 0.0)

    def release(self, number: int, at: float, rng: Random | None = None) -> float:
        """Plan the end of a press; gives when it is told."""
        return self._plan_edge(number, at, False, rng) + (self._pin(number).bounce or 0.0)

    def run(self, until: float) -> None:
        """Let everything happen that is planned up to `until`, and every edge be told that is due by then."""
        while True:
            dues = [(due, pin) for pin in self.pins.values() if (due := pin.due()) is not None]
            due, pin = min(dues, key=lambda found: found[0], default=(float("inf"), None))
            planned = self._plan[0][0] if self._plan else float("inf")
            if min(due, planned) > until:
                break
            # An edge in the very moment in which another is to be told still unsettles it.
            if planned <= due:
                at, _, number, level = heappop(self._plan)
                self.now = max(self.now, at)
                button = self._pin(number)
                button.drive_high() if level else button.drive_low()
            elif pin is not None:
                self.now = max(self.now, due)
                pin.tell()
        self.now = max(self.now, until)

    def level(self, number: int) -> float:
        """The level of GPIO `number`, 0 to 1."""
        return float(self._pin(number).state)

    def _plan_edge(self, number: int, at: float, pressed: bool, rng: Random | None) -> float:
        """Plans the edges of one press or release; gives when the last of them is."""
        level = pressed == (self._pin(number).pull == "down")
        bounces = sorted(rng.uniform(0, CHATTER_S) for _ in range(2 * rng.randint(0, 5))) if rng else []
        for nth, later in enumerate([0.0, *bounces]):
            heappush(self._plan, (at + later, next(self._order), number, level == (nth % 2 == 0)))
        return at + (bounces[-1] if bounces else 0.0)

    def _pin(self, number: int) -> Any:
        return self.pin(f"GPIO{number}")
