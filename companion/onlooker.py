"""Looks on through the camera: lays what lies on the table, tells what is thrown, enters what is moved."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from functools import partial

from companion.games.corona import game
from companion.games.corona.events import (
    DieThrown,
    Event,
    GameResumed,
    GameStarted,
    HourglassCancelled,
    PieceMoved,
    ReadingCorrected,
    SandRanOut,
    SituationLaid,
    Undone,
)
from companion.games.corona.rules import Situation
from companion.games.corona.sighting import Sighting
from companion.laid import Laid
from companion.playing_along import Following, PlayingAlong
from companion.sighted import is_another, sighted
from companion.table import Outcome, Table, TableClosed
from companion.thrown import Thrown
from companion.watch import OpenEye, Read, Seen, Watcher
from hardware.camera import Camera
from vision.reading import Reading, SeenDie
from vision.steady import ENOUGH, Steady

OTHER_DICE = "this game has other dice than the camera was set up with; start a new game"
MAKES_ROOM = GameStarted | GameResumed | DieThrown | HourglassCancelled | SandRanOut
"""After these what lies on the table already may be laid."""
TELLS_ANEW = SandRanOut | PieceMoved | Undone | ReadingCorrected | GameResumed
"""After these what was seen moved in a play may be told otherwise."""


class Onlooker:
    """Watches through what `open_eye` opens, and posts to `table` what it sees, by `post`.

    With `follows` it enters what is moved in a play. `wants_next`: after a reveal the next set-up may come.
    """

    def __init__(
        self,
        table: Table[game.State, game.Command, game.Event],
        post: Callable[[game.Command], None],
        open_eye: OpenEye,
        follows: bool,
    ) -> None:
        self._table, self._post = table, post
        self.watcher = Watcher(partial(self._opened, open_eye), self._on_steady, self._on_glance)
        self.wants_next = False
        self.settled: Reading | None = None
        """What lies there, surely read; None while it is not."""
        self.entered: Future[Outcome[Event]] | None = None
        """What became of the moves that were entered last."""
        self._thrown = Thrown()
        self._thrower: str | None = None
        self._laid = Laid()
        self._play = PlayingAlong() if follows else None
        self._agreed: tuple[int, Reading] | None = None
        self._anew = False
        self._before = table.state

    @property
    def trouble(self) -> str | None:
        """Why the camera reads nothing, in one sentence; None when all is well."""
        why, seen, state = self.watcher.trouble, self.watcher.seen, self._table.state
        if why or seen is None or state.phase in ("start", "over"):
            return why
        return OTHER_DICE if seen.reading.dice and set(seen.reading.dice) != set(state.colours) else None

    @property
    def looking(self) -> bool:
        """Whether the camera has still to read what lies there, or to tell what was moved."""
        return (self.watcher.settling or self._anew) and not self.trouble

    @property
    def hand(self) -> bool:
        """Whether something lies over the board, perhaps a hand."""
        seen = self.watcher.seen
        return seen is not None and seen.reading.covered and not self.trouble

    @property
    def following(self) -> Following | None:
        """What it leaves open of a play; None where it follows none."""
        return Following(self._play.asks) if self._play and not self.trouble else None

    def lying(self) -> Seen | None:
        """The last picture, where it shows what lies there now; None while something moves or it is away."""
        return None if self.watcher.settling or self.trouble else self.watcher.seen

    def offer(self) -> None:
        """Post what lies on the table, where the setter is at work and it is not what was laid last."""
        state = self._table.state
        if self.lying() is None or state.paused is not None:
            return  # it is offered when it lies still, when the game goes on
        lying = self._sight(self.settled) if self.settled else None
        if lying is None or not lying.sure or lying.situation is None:
            return
        if self._laid.stands(lying.situation, self.watcher.moves):
            return
        between = state.phase == "reveal" and self.wants_next
        if between or (state.phase == "lay" and lying.situation != state.situation):
            self.wants_next = False
            self._post(game.Lay(self._laid.post(lying.situation)))

    def sees_another(self, state: game.State) -> bool:
        """Whether something else lies there than the camera laid, though not all of it can be read."""
        seen, laid = self.lying(), self._laid.by_camera(state)
        return seen is not None and laid is not None and is_another(seen.reading, state.colours, laid)

    def _sight(self, reading: Reading) -> Sighting:
        """What `reading` means for the game's set, or before a game for the camera's own."""
        state = self._table.state
        return sighted(reading, state.colours if state.phase != "start" else tuple(reading.dice))

    # What the camera sees, in its thread

    def _opened(self, open_eye: OpenEye) -> tuple[Camera, Read]:
        """Nobody saw what happened meanwhile: a die that lies elsewhere may have been thrown and told."""
        self.settled, self._agreed, self._thrown = None, None, Thrown()
        if self._play:
            self._play.asks = None
        return open_eye()

    def _on_steady(self, steady: Steady) -> None:
        """Lays what lies settled and sure; before the first set-up, a die that lies anew was thrown.

        In a play two looks are enough: its dice may be put away, or covered.
        """
        if steady.state == "settled":
            self._on_dice(steady.reading.seen_dice)
        sure = steady.state == "settled" and self._sight(steady.reading).sure
        self.settled = steady.reading if sure else None
        if sure:
            self.offer()
        agreed = steady.since >= ENOUGH and steady.state != "hand"
        self._agreed = (self.watcher.moves, steady.reading) if agreed else None
        self._follow()

    def _on_glance(self) -> None:
        """What people entered meanwhile may make room for what was seen before, or leave it open no more."""
        if self._anew:
            self._follow()
            self.watcher.tell()

    def _on_dice(self, now: tuple[SeenDie, ...]) -> None:
        pips, state = self._thrown.looked(now), self._table.state
        if pips is not None and state.phase == "throw" and state.paused is None:
            self._thrower = state.thrower
            self._post(game.Throw(state.thrower, pips))

    def _follow(self) -> None:
        """Enter what was moved in a play, if nothing has moved since the last look."""
        self._anew = False
        if self._play is None or self._agreed is None or self._agreed[0] != self.watcher.moves:
            return
        if follow := self._play.looked(self._table.state, self._agreed[1], self._table.now()):
            with suppress(TableClosed):  # refused, it was entered or ended meanwhile: nobody need hear of it
                self.entered = self._table.post(follow)

    # What the table says, in its thread

    def happened(self, state: game.State, events: Sequence[Event]) -> None:
        """What people did may overrule what the camera saw, or make room for it."""
        if state.phase != "reveal":
            self.wants_next = False
        self._laid.happened(state, events)
        if any(isinstance(event, MAKES_ROOM) for event in events):
            self.offer()
        for event in events:
            if isinstance(event, DieThrown):
                self._note_throw(event.seat)
            elif isinstance(event, SituationLaid):
                self._note_laid(event.situation)
            elif isinstance(event, Undone) and self._play:
                self._play.taken_back(self._before, state)
        if self._play and state.phase == "play" and any(isinstance(event, TELLS_ANEW) for event in events):
            self._anew = True
        self._before = state

    def _note_throw(self, seat: str) -> None:
        """Tapped on a phone, it is not thrown once more when the camera has read it."""
        own, self._thrower = seat == self._thrower, None
        if not own:
            self._thrown.told(self.watcher.settling)

    def _note_laid(self, laid: Situation) -> None:
        seen = self._sight(self.settled).situation if self.settled else None
        self._laid.laid(laid, self.watcher.moves, self.lying() is not None, seen)
