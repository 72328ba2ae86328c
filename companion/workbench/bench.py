"""What the host sets up and tries on a phone: the camera, how it reads, and what hangs on the pins."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from companion.workbench.self_test import SelfTest
from companion.workbench.setting_up import SettingUp
from companion.workbench.wiring_test import WiringTest


@dataclass(frozen=True, slots=True)
class Workbench:
    """Any may be missing; `hand` lays the table, by the step it is for, where no real hand can."""

    camera: SettingUp | None = None
    wiring: WiringTest | None = None
    hand: Mapping[str, Callable[[], None]] = field(default_factory=dict)
    self_test: SelfTest | None = None

    @property
    def colours(self) -> tuple[str, ...]:
        """The set's colour order, once it has been learned."""
        known = self.camera.known if self.camera else None
        return tuple(colour.name for colour in known.colours) if known else ()

    def close(self) -> None:
        """Give back whatever is borrowed."""
        if self.camera:
            self.camera.leave()
        if self.self_test:
            self.self_test.leave()
        if self.wiring:
            self.wiring.leave()
