"""What hangs on the pins beside the table: buttons with lamps, hourglass and buzzer; each may be missing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from companion.games.corona.events import BidMade, HourglassTurned, PlayFollowed, SandRanOut
from hardware.buzzer import Buzzer, Note
from hardware.hourglass import Hourglass
from hardware.panel import Lamp, Panel
from hardware.wiring import Wiring

REFUSED: tuple[Note, ...] = (("A3", 0.12),)
TUNES: dict[type, tuple[Note, ...]] = {
    HourglassTurned: (("A4", 0.08), ("E5", 0.12)),
    BidMade: (("E5", 0.06),),
    PlayFollowed: (("A4", 0.06),),
    SandRanOut: (("E5", 0.15), (None, 0.05), ("E5", 0.15), (None, 0.05), ("A4", 0.4)),
}
"""What sounds when something is refused, and when something happens."""


class Fittings:
    """The parts of `wiring`, opened at once, until `close`; they can be let go and opened again.

    `on_bid`, `on_setter`, `on_setter_long` and `clock` are the panel's. May be used from any thread.
    """

    def __init__(
        self,
        wiring: Wiring,
        pin_factory: Any,
        on_bid: Callable[[int, float], None],
        on_setter: Callable[[float], None],
        on_setter_long: Callable[[float], None],
        clock: Callable[[], float],
    ) -> None:
        self.wiring, self.pin_factory = wiring, pin_factory
        self._hands = (on_bid, on_setter, clock, on_setter_long)
        self._panel: Panel | None = None
        self._hourglass: Hourglass | None = None
        self._buzzer: Buzzer | None = None
        self.open()

    def open(self) -> None:
        """Open every part; raises what the pins raise, with none open."""
        wiring, factory = self.wiring, self.pin_factory
        try:
            if wiring.sand:
                self._hourglass = Hourglass(
                    wiring.sand, pin_factory=factory, active_high=wiring.leds == "high"
                )
            if wiring.buzzer is not None:
                self._buzzer = Buzzer(
                    wiring.buzzer, wiring.buzzer_kind == "tonal", factory, wiring.buzzer_level == "high"
                )
            if wiring.bids or wiring.lamps or wiring.setter is not None:
                on_bid, on_setter, clock, on_long = self._hands
                self._panel = Panel(wiring, on_bid, on_setter, clock, factory, on_long)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Let all pins go; until they are opened again nothing is shown, heard or sounded."""
        parts = (self._panel, self._hourglass, self._buzzer)
        self._panel = self._hourglass = self._buzzer = None
        for part in parts:
            if part is not None:
                part.close()

    def show(self, lamps: Sequence[Lamp], setter: Lamp) -> None:
        """Light the lamps of the seats and the setter's."""
        panel = self._panel
        if panel is not None:
            panel.show(lamps, setter)

    def flicker(self, seat: int) -> None:
        """Let the lamp of a seat flicker."""
        panel = self._panel
        if panel is not None:
            panel.flicker(seat)

    def sound(self, tune: tuple[Note, ...]) -> None:
        """Play `tune`."""
        buzzer = self._buzzer
        if buzzer is not None:
            buzzer.play(tune)

    def run(self, seconds: float, left: float) -> None:
        """Let sand for `seconds` run, of which `left` remain."""
        hourglass = self._hourglass
        if hourglass is not None:
            hourglass.turn(seconds, left)

    def run_out(self) -> None:
        """The sand has run out."""
        hourglass = self._hourglass
        if hourglass is not None:
            hourglass.run_out()

    def stop(self) -> None:
        """No sand runs."""
        hourglass = self._hourglass
        if hourglass is not None:
            hourglass.stop()
