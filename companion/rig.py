"""The rig: camera, buttons, lamps, hourglass and buzzer tied to the table. Every part may be missing."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from typing import Any, Literal

from companion.fittings import REFUSED, TUNES, Fittings
from companion.games.corona import game
from companion.games.corona.events import Event, SandRanOut
from companion.games.corona.refused import Refused
from companion.lamps import seat_lamps, setter_lamp
from companion.onlooker import Onlooker
from companion.playing_along import Following
from companion.table import Outcome, Table, TableClosed
from companion.watch import OpenEye, Seen
from hardware.wiring import Wiring

CoronaTable = Table[game.State, game.Command, game.Event]


class Rig:
    """What stands beside the table, tied to it, until `close`.

    `wiring` names the pins of what there is; `open_eye` opens the camera with what reads its frames. With
    `follows` the camera enters what is moved in a play.
    """

    def __init__(
        self,
        table: CoronaTable,
        *,
        wiring: Wiring | None = None,
        pin_factory: Any = None,
        open_eye: OpenEye | None = None,
        follows: bool = True,
    ) -> None:
        self._table = table
        self._waits: Literal["turn", "done"] | None = None
        self._eye: Onlooker | None = None
        self._fittings = Fittings(
            wiring or Wiring(), pin_factory, self._on_bid, self._on_setter, self._on_setter_long, table.now
        )
        if open_eye is not None:
            self._eye = Onlooker(table, self._post, open_eye, follows)
            self._eye.watcher.listen(self._on_look)
        self._leave = table.listen(self._on_events)
        self._light(table.state)
        self._run_sand(table.state, ())

    def start(self) -> None:
        """Open the camera and begin to watch the table; buttons and lamps are at work already."""
        if self._eye:
            self._eye.watcher.start()

    def latest(self) -> Seen | None:
        """The last picture of the table; None without a camera, or before its first."""
        return self._eye.watcher.seen if self._eye else None

    def lying(self) -> Seen | None:
        """The last picture, where it shows what lies there now; None while something moves or it is away."""
        return self._eye.lying() if self._eye else None

    @property
    def trouble(self) -> str | None:
        """Why the camera reads nothing, in one sentence; None when all is well or there is no camera."""
        return self._eye.trouble if self._eye else None

    @property
    def following(self) -> Following | None:
        """What the camera leaves open of a play; None where it follows none."""
        return self._eye.following if self._eye else None

    def listen(self, callback: Callable[[], None]) -> None:
        """Call `callback` whenever there is a new picture or trouble, in the camera's thread."""
        if self._eye:
            self._eye.watcher.listen(callback)

    def lend_camera(self) -> None:
        """Let the camera go until `take_camera_back`, and forget what it saw."""
        if self._eye:
            self._eye.watcher.lend()

    def take_camera_back(self) -> None:
        """Watch the table again."""
        if self._eye:
            self._eye.watcher.take_back()

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
        if self._eye:
            self._eye.watcher.close()
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
        that is no longer on the table, the round would be lost. So does the end of a play that it follows. A
        play without a move is not ended by so short a press: its result is rather told on a phone.
        """
        state, eye = self._table.state, self._eye
        at = max(at, state.at)  # something else may have happened between the edge and this
        if state.paused is not None:
            self._post(game.Resume(at))
        elif state.phase == "reveal":
            self._lay_next()
        elif eye and eye.looking and state.phase == "lay":
            self._waits = "turn"
        elif eye and eye.following and (eye.looking or eye.hand) and state.phase == "play":
            self._waits = "done"
        elif state.phase == "play":
            self._end_play(at)
        elif state.phase == "lay" and eye and eye.sees_another(state):
            self._fittings.sound(REFUSED)
        else:
            self._post(game.Turn(at))

    def _lay_next(self) -> None:
        """What lies there is laid for the next round; else it has to be laid anew, or tapped on a phone."""
        eye = self._eye
        if eye is None or eye.trouble:
            self._fittings.sound(REFUSED)
            return
        eye.wants_next = True
        eye.offer()
        if eye.wants_next and eye.lying() is not None:
            self._fittings.sound(REFUSED)

    def _on_setter_long(self, at: float) -> None:
        """Takes the turning of the hourglass back; in the play, ends it whatever was moved."""
        state = self._table.state
        at = max(at, state.at)
        self._post(game.Done(at) if state.phase == "play" else game.Cancel(at))

    def _end_play(self, at: float) -> None:
        """Not while it is asked what was moved, or which of two pieces first."""
        state = self._table.state
        if state.phase != "play":
            return
        if state.moves and (self.following is None or self.following.asks is None):
            self._post(game.Done(max(at, state.at)))
        else:
            self._fittings.sound(REFUSED)

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

    def _on_look(self) -> None:
        """A turn that waited follows what was laid, and the end of a play what was moved; where nothing could
        be read, what waited is refused. In the camera's thread.
        """
        eye = self._eye
        assert eye is not None
        if eye.trouble and (eye.wants_next or self._waits):
            eye.wants_next, self._waits = False, None
            self._fittings.sound(REFUSED)
        elif self._waits == "done" and (eye.hand or eye.looking):
            return  # the last move may be on its way
        elif self._waits and eye.lying() is not None:
            waited, self._waits = self._waits, None
            if waited == "turn" and eye.settled is None:
                self._fittings.sound(REFUSED)
            elif waited == "turn":
                self._post(game.Turn(self._table.now()))
            elif eye.entered is None:
                self._end_play(self._table.now())
            else:
                eye.entered.add_done_callback(lambda _: self._end_play(self._table.now()))

    # What the table says, in the table's thread

    def _on_events(self, state: game.State, events: tuple[Event, ...]) -> None:
        self._light(state)
        self._run_sand(state, events)
        if state.phase != {"turn": "lay", "done": "play"}.get(self._waits or ""):
            self._waits = None
        if self._eye:
            self._eye.happened(state, events)
        for event in events:
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
        self._fittings.show(seat_lamps(state), setter_lamp(state, self._eye is not None))
