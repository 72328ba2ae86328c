"""The rig: camera, buttons, lamps, hourglass and buzzer tied to the table. Every part may be missing."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from typing import Any

from companion.fittings import REFUSED, TUNES, Fittings
from companion.games.corona import game
from companion.games.corona.events import (
    DieThrown,
    Event,
    GameResumed,
    GameStarted,
    HourglassCancelled,
    SandRanOut,
    SituationLaid,
)
from companion.games.corona.refused import Refused
from companion.games.corona.rules import Situation
from companion.games.corona.sighting import Sighting
from companion.lamps import seat_lamps, setter_lamp
from companion.sighted import is_another, sighted
from companion.table import Outcome, Table, TableClosed
from companion.thrown import Thrown
from companion.watch import OpenEye, Read, Seen, Watcher
from hardware.camera import Camera
from hardware.wiring import Wiring
from vision.reading import Reading, SeenDie
from vision.steady import Steady

CoronaTable = Table[game.State, game.Command, game.Event]

OTHER_DICE = "this game has other dice than the camera was set up with; start a new game"
MAKES_ROOM = GameStarted | GameResumed | DieThrown | HourglassCancelled | SandRanOut
"""After these what lies on the table already may be laid."""


class Rig:
    """What stands beside the table, tied to it, until `close`.

    `wiring` names the pins of what there is; `open_eye` opens the camera with what reads its frames.
    """

    def __init__(
        self,
        table: CoronaTable,
        *,
        wiring: Wiring | None = None,
        pin_factory: Any = None,
        open_eye: OpenEye | None = None,
    ) -> None:
        self._table = table
        self._settled: Reading | None = None
        self._thrown = Thrown()
        self._posted: Situation | None = None
        self._laid: Situation | None = None
        self._overruled: tuple[int, Situation | None] | None = None
        self._wants_next = self._wants_turn = False
        self._thrower: str | None = None
        self._watcher: Watcher | None = None
        self._fittings = Fittings(
            wiring or Wiring(), pin_factory, self._on_bid, self._on_setter, self._on_setter_long, table.now
        )
        if open_eye is not None:
            self._watcher = Watcher(partial(self._opened, open_eye), self._on_steady)
            self._watcher.listen(self._on_look)
        self._leave = table.listen(self._on_events)
        self._light(table.state)
        self._run_sand(table.state, ())

    def start(self) -> None:
        """Open the camera and begin to watch the table; buttons and lamps are at work already."""
        if self._watcher:
            self._watcher.start()

    def latest(self) -> Seen | None:
        """The last picture of the table; None without a camera, or before its first."""
        return self._watcher.seen if self._watcher else None

    def lying(self) -> Seen | None:
        """The last picture, where it shows what lies there now; None while something moves or it is away."""
        return self.latest() if self._watcher and not (self._watcher.settling or self.trouble) else None

    @property
    def trouble(self) -> str | None:
        """Why the camera reads nothing, in one sentence; None when all is well or there is no camera."""
        why = self._watcher.trouble if self._watcher else None
        seen, state = self.latest(), self._table.state
        if why or seen is None or state.phase in ("start", "over"):
            return why
        return OTHER_DICE if seen.reading.dice and set(seen.reading.dice) != set(state.colours) else None

    def listen(self, callback: Callable[[], None]) -> None:
        """Call `callback` whenever there is a new picture or trouble, in the camera's thread."""
        if self._watcher:
            self._watcher.listen(callback)

    def lend_camera(self) -> None:
        """Let the camera go until `take_camera_back`, and forget what it saw."""
        if self._watcher:
            self._watcher.lend()

    def take_camera_back(self) -> None:
        """Watch the table again."""
        if self._watcher:
            self._watcher.take_back()

    def lend_pins(self) -> tuple[Wiring, Any]:
        """Let all pins go until `take_pins_back`; the wiring and the pin factory (None: gpiozero's own)."""
        self._fittings.close()
        return self._fittings.wiring, self._fittings.pin_factory

    def take_pins_back(self) -> None:
        """Buttons, lamps, hourglass and buzzer are at work again."""
        self._fittings.open()
        self._light(self._table.state)
        self._run_sand(self._table.state, ())

    def close(self) -> None:
        """Let table, camera and pins go."""
        self._leave()
        if self._watcher:
            self._watcher.close()
        self._fittings.close()

    # What hands do: only posted here, in the thread of the pins

    def _on_bid(self, seat: int, at: float) -> None:
        state = self._table.state
        if seat < len(state.seats):
            self._post(game.Press(state.seats[seat], at), seat)
        else:
            self._fittings.sound(REFUSED)

    def _on_setter(self, at: float) -> None:
        """What comes next: turn the hourglass, end the play, lay what lies on the table for the next round.

        While the camera has still to read what lies there, the turn waits for it: turned on a situation
        that is no longer on the table, the round would be lost. A play without a move is not ended by so
        short a press: its result is rather told on a phone.
        """
        state = self._table.state
        at = max(at, state.at)  # something else may have happened between the edge and this
        if state.paused is not None:
            self._post(game.Resume(at))
        elif state.phase == "reveal":
            self._wants_next = sees = self._watcher is not None and not self.trouble
            self._offer()
            if not sees or (self._wants_next and self.lying() is not None):
                self._fittings.sound(REFUSED)  # what lies there is laid anew, or tapped on a phone
        elif state.phase == "lay" and self._watcher and self._watcher.settling and not self.trouble:
            self._wants_turn = True
        elif state.phase == "play":
            self._post(game.Done(at)) if state.moves else self._fittings.sound(REFUSED)
        elif state.phase == "lay" and self._is_another(state):
            self._fittings.sound(REFUSED)
        else:
            self._post(game.Turn(at))

    def _on_setter_long(self, at: float) -> None:
        """Takes the turning of the hourglass back; in the play, ends it whatever was moved."""
        state = self._table.state
        at = max(at, state.at)
        self._post(game.Done(at) if state.phase == "play" else game.Cancel(at))

    def _post(self, command: game.Command, seat: int | None = None) -> None:
        with suppress(TableClosed):  # a press while the program stops
            self._table.post(command).add_done_callback(partial(self._answered, seat))

    def _answered(self, seat: int | None, answer: Future[Outcome[Event]]) -> None:
        failed = answer.cancelled() or answer.exception() is not None
        refused = None if failed else answer.result().refused
        if isinstance(refused, Refused) and refused.code == "raced":
            if seat is not None:
                self._fittings.flicker(seat)
        elif failed or refused is not None:
            self._fittings.sound(REFUSED)

    # What the camera sees, in its thread

    def _opened(self, open_eye: OpenEye) -> tuple[Camera, Read]:
        """Nobody saw what happened meanwhile: a die that lies elsewhere may have been thrown and told."""
        self._settled, self._thrown = None, Thrown()
        return open_eye()

    def _on_steady(self, steady: Steady) -> None:
        """Lays what lies settled and sure; before the first set-up, a die that lies anew was thrown."""
        if steady.state == "settled":
            self._on_dice(steady.reading.seen_dice)
        sure = steady.state == "settled" and self._sight(steady.reading).sure
        self._settled = steady.reading if sure else None
        if sure:
            self._offer()

    def _on_dice(self, now: tuple[SeenDie, ...]) -> None:
        pips, state = self._thrown.looked(now), self._table.state
        if pips is not None and state.phase == "throw" and state.paused is None:
            self._thrower = state.thrower
            self._post(game.Throw(state.thrower, pips))

    def _sight(self, reading: Reading) -> Sighting:
        """What `reading` means for the game's set, or before a game for the camera's own."""
        state = self._table.state
        return sighted(reading, state.colours if state.phase != "start" else tuple(reading.dice))

    def _offer(self) -> None:
        """Post what lies on the table, where the setter is at work and it is not what was laid last."""
        state = self._table.state
        if self.lying() is None or state.paused is not None:
            return  # it is offered when it lies still, when the game goes on
        lying = self._sight(self._settled) if self._settled else None
        if lying is None or not lying.sure or lying.situation is None or self._stands(lying.situation):
            return
        between = state.phase == "reveal" and self._wants_next
        if between or (state.phase == "lay" and lying.situation != state.situation):
            self._wants_next = False
            self._posted = lying.situation
            self._post(game.Lay(lying.situation))

    def _is_another(self, state: game.State) -> bool:
        """Whether something else lies there than the camera laid, though not all of it can be read."""
        seen, laid = self.lying(), self._laid
        if seen is None or laid is None or laid != self._posted or laid != state.situation:
            return False
        return is_another(seen.reading, state.colours, laid)

    def _stands(self, lying: Situation) -> bool:
        """Whether a person has laid something else in place of `lying`, or nobody bid on that."""
        if self._overruled is None or self._watcher is None:
            return False
        moves, seen = self._overruled
        return self._watcher.moves == moves or lying == seen

    def _note_hand(self, laid: Situation) -> None:
        """Remember what the camera saw when a person laid something else; while it looks, it may speak."""
        if laid == self._posted or self.lying() is None:
            self._overruled = None
        else:
            seen = self._sight(self._settled).situation if self._settled else None
            self._overruled = (self._watcher.moves if self._watcher else 0, seen)

    def _note_throw(self, seat: str) -> None:
        """Tapped on a phone, it is not thrown once more when the camera has read it."""
        own, self._thrower = seat == self._thrower, None
        if not own and self._watcher is not None:
            self._thrown.told(self._watcher.settling)

    def _on_look(self) -> None:
        """A turn that waited follows what was laid; where nothing could be read, what waited is refused."""
        if self.trouble and (self._wants_next or self._wants_turn):
            self._wants_next = self._wants_turn = False
            self._fittings.sound(REFUSED)
        elif self._wants_turn and self.lying() is not None:
            self._wants_turn = False
            if self._settled is not None:
                self._post(game.Turn(self._table.now()))
            else:
                self._fittings.sound(REFUSED)

    # What the table says, in the table's thread

    def _on_events(self, state: game.State, events: tuple[Event, ...]) -> None:
        self._light(state)
        self._run_sand(state, events)
        if state.phase != "reveal":
            self._wants_next = False
        if state.phase != "lay":
            self._wants_turn = False
        anew = any(isinstance(event, GameStarted) for event in events)
        if anew or state.phase not in ("lay", "auction"):  # a turn taken back leads from one to the other
            self._overruled = None
        if state.phase == "lay" and any(isinstance(event, SandRanOut) for event in events):
            self._overruled = self._overruled or (-1, self._laid)  # nobody bid: another set-up is wanted
        if any(isinstance(event, MAKES_ROOM) for event in events):
            self._offer()
        for event in events:
            if isinstance(event, DieThrown):
                self._note_throw(event.seat)
            elif isinstance(event, SituationLaid):
                self._laid = event.situation
                self._note_hand(event.situation)
            if tune := TUNES.get(type(event)):
                self._fittings.sound(tune)

    def _run_sand(self, state: game.State, events: tuple[Event, ...]) -> None:
        if any(isinstance(event, SandRanOut) for event in events):
            self._fittings.run_out()
        elif state.sand_ends is None:
            self._fittings.stop()
        else:
            self._fittings.run(state.hourglass, state.sand_ends - self._table.now())

    def _light(self, state: game.State) -> None:
        self._fittings.show(seat_lamps(state), setter_lamp(state, self._watcher is not None))
