"""What was laid last, and by whom: where a person laid something else, the camera is silent."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.corona import game
from companion.games.corona.events import Event, GameStarted, SandRanOut
from companion.games.corona.rules import Situation

NEVER = -1
"""No number of moves at the table: only another situation ends the silence."""


class Laid:
    """Situations that the camera laid and people did, in their order.

    `moves` are the watcher's: a number that grows whenever something moves on the table.
    """

    def __init__(self) -> None:
        self._posted: Situation | None = None
        self._laid: Situation | None = None
        self._overruled: tuple[int, Situation | None] | None = None

    def post(self, lying: Situation) -> Situation:
        """The camera lays this."""
        self._posted = lying
        return lying

    def by_camera(self, state: game.State) -> Situation | None:
        """What stands in the game, where the camera laid it."""
        return self._laid if self._laid == self._posted == state.situation else None

    def laid(self, situation: Situation, moves: int, sees: bool, seen: Situation | None) -> None:
        """This was laid by somebody while the camera `sees` the table, and `seen` on it."""
        self._laid = situation
        self._overruled = (moves, seen) if sees and situation != self._posted else None

    def stands(self, lying: Situation, moves: int) -> bool:
        """Whether a person has laid something else in place of `lying`, or nobody bid on that."""
        return self._overruled is not None and (self._overruled[0] == moves or self._overruled[1] == lying)

    def happened(self, state: game.State, events: Sequence[Event]) -> None:
        """After an auction, or in a new game, the camera may speak again; not of what nobody bid on."""
        anew = any(isinstance(event, GameStarted) for event in events)
        if anew or state.phase not in ("lay", "auction"):  # a turn taken back leads from one to the other
            self._overruled = None
        if state.phase == "lay" and any(isinstance(event, SandRanOut) for event in events):
            self._overruled = self._overruled or (NEVER, self._laid)  # another set-up is wanted
