"""The virtual table while its camera is set up: cleared and laid for a photo, and afterwards as it was."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from hardware.virtual import VirtualCamera, VirtualTable
from hardware.virtual.table import Frame


class PosingTable:
    """What the set-up's camera sees, and the hand that lays it, by step."""

    def __init__(self, virtual: VirtualTable) -> None:
        self._virtual = virtual
        self._shown: Callable[[], Frame] = virtual.draw

    def open(self) -> VirtualCamera:
        """A camera over the table as it lies, until the hand lays it."""
        self._shown = self._virtual.draw
        return _PosingCamera(self._virtual, lambda: self._shown())

    @property
    def hand(self) -> Mapping[str, Callable[[], None]]:
        """Lays the table for a step: nothing on it, or the dice alone."""
        return {"empty": self._clear, "dice": self._lay_dice}

    def _clear(self) -> None:
        self._shown = self._virtual.photo_empty

    def _lay_dice(self) -> None:
        self._shown = self._virtual.photo_dice


class _PosingCamera(VirtualCamera):
    def __init__(self, virtual: VirtualTable, shown: Callable[[], Frame]) -> None:
        super().__init__(virtual)
        self._shown = shown

    def capture(self) -> Frame:
        return self._shown()
