"""Which die was thrown between two looks at the table: for the throw that says who sets up first."""

from __future__ import annotations

from collections.abc import Sequence
from math import dist

from vision.reading import SeenDie


class Thrown:
    """Follows the dice from look to look, each by where it was last surely seen.

    A die that was covered for a while, or misread, is not thrown when it is seen again; and one that lies
    elsewhere but cannot be read yet is thrown as soon as it can.
    """

    def __init__(self) -> None:
        self._lay: dict[str, SeenDie] | None = None
        self._unread: SeenDie | None = None
        self._told = False

    def looked(self, now: Sequence[SeenDie]) -> int | None:
        """The pips of the one die that lies elsewhere, or otherwise, than when it was last seen; None where
        it is not one alone, at the first look, and where that throw was told already.

        Other dice may lie about, as long as they lie still.
        """
        lay, told = self._lay or {}, self._told
        moved = [die for die in now if not _same(lay.get(die.colour), die)]
        one = moved[0] if len(moved) == 1 and not told and self._lay is not None else None
        unseen = lay.keys() - {die.colour for die in now}
        self._told, self._unread = told and not moved and bool(unseen), None
        if one is None or one.sure:
            self._lay = lay | {die.colour: die for die in now if die.sure or die in moved}
            return one.pips if one else None
        self._unread = one
        return None

    def told(self, moving: bool) -> None:
        """A throw was told by somebody: that of the die which lies elsewhere and could not be read; else,
        where something is `moving`, that of whatever lies elsewhere at the next look."""
        self._told = moving and self._unread is None
        if self._unread is not None:
            self._lay = (self._lay or {}) | {self._unread.colour: self._unread}
            self._unread = None


def _same(before: SeenDie | None, now: SeenDie) -> bool:
    """Whether a die lies where it lay, and shows what it showed as far as that is sure."""
    if before is None or (before.sure and now.sure and before.pips != now.pips):
        return False
    edge = dist(now.outline[0], now.outline[1])
    return dist(before.centre, now.centre) < edge / 2
