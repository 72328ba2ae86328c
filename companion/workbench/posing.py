"""The virtual table while its camera is set up or tested: laid for a photo, and afterwards as it was."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from companion.selftest.setups import SetUp
from companion.selftest.sources import lay
from hardware.virtual import VirtualCamera, VirtualTable
from hardware.virtual.table import Frame


class PosingTable:
    """What the set-up's camera sees, and the hand that lays it; `step` is where the set-up stands."""

    def __init__(self, virtual: VirtualTable, step: Callable[[], str]) -> None:
        self._virtual, self._step = virtual, step
        self._laid: Callable[[], Frame] | None = None

    def open(self) -> VirtualCamera:
        """A camera over the table as it lies, until the hand lays it."""
        return _PosingCamera(self._virtual, self._seen)

    @property
    def hand(self) -> Mapping[str, Callable[[], None]]:
        """Lays the table for a step: nothing on it, or the dice alone."""
        return {
            "empty": lambda: self._lay(self._virtual.photo_empty),
            "dice": lambda: self._lay(self._virtual.photo_dice),
        }

    def _lay(self, photo: Callable[[], Frame]) -> None:
        self._laid = photo

    def _seen(self) -> Frame:
        if self._step() == "aim":  # begun anew
            self._laid = None
        return (self._laid or self._virtual.draw)()


class LaidTable:
    """What the self-test's camera sees: the table as it lies, or another one as a set-up asks for it."""

    def __init__(self, virtual: VirtualTable) -> None:
        self._virtual = virtual
        self._laid: VirtualTable | None = None

    def open(self) -> VirtualCamera:
        """A camera over it; once it is closed, nothing is laid any more."""
        return _PosingCamera(self._virtual, self._seen, self._clear)

    def lay(self, setup: SetUp) -> None:
        """Lay `setup`; not stacked ones."""
        laid = self._virtual.twin()
        lay(laid, setup)
        self._laid = laid

    def _seen(self) -> Frame:
        return (self._laid or self._virtual).draw()

    def _clear(self) -> None:
        self._laid = None


class _PosingCamera(VirtualCamera):
    def __init__(
        self, virtual: VirtualTable, seen: Callable[[], Frame], closed: Callable[[], None] = lambda: None
    ) -> None:
        super().__init__(virtual)
        self._seen, self._closed = seen, closed

    def capture(self) -> Frame:
        return self._seen()

    def close(self) -> None:
        self._closed()
