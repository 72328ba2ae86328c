"""Runs simple players on seats of a table: they set up, bid, play and finish as people with phones do."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from random import Random
from threading import Event, Lock, Thread

from companion.games.corona import game, notation
from companion.games.corona.events import HourglassCancelled, PieceMoved, Undone
from companion.games.corona.rules import DICE, FIELDS, PIECES, Situation
from companion.games.corona.simple import TEMPERS, Found, Temper, call, ready, think
from companion.players.hands import Hands
from companion.players.roster import Roster, load, save
from companion.rig import CoronaTable
from companion.table import Outcome, TableClosed

log = logging.getLogger(__name__)

THROW_S, BEGIN_S, PLACE_S, LET_FALL_S = 1.5, 2.5, 0.6, 1.2
TURN_S, REVEAL_S, AGAIN_S = 5.0, 25.0, 20.0
"""Seconds to look at a set-up, at a reveal, and after the hourglass was taken back."""
PRESS_S, DOUBT_S = 3.0, 9.0
"""Seconds until the setter's button is pressed, and until what the camera does not read is told by phone."""
FIRST_MOVE_S, MOVE_S, DONE_S = 3.5, 2.2, 2.5
LOOK_S, IDLE_S = 0.3, 600.0
LATE_TRIES_S = 10
"""So many seconds they think anew where a play stands otherwise than they had meant."""

Next = tuple[float, Callable[[], object]]
"""What is next: so many seconds after the last thing that happened, and how it is done."""


@dataclass
class _SetUp:
    """A set-up as far as it is done; `before` is what was laid when the dice fell."""

    round: object
    fields: list[int]
    steps: int = 0
    fallen: Mapping[str, int] | None = None
    before: Situation | None = None

    def situation(self, colours: tuple[str, ...]) -> Situation:
        """What lies on the table when it is done."""
        assert self.fallen is not None
        counts = tuple(self.fields.count(field) for field in range(FIELDS))
        return Situation(counts, tuple(self.fallen[colour] for colour in colours))


class Players:
    """Plays the seats that it is given, by the table's clock, until `close`.

    It posts what a phone would post; at the table it has `hands`, or none, and then it tells a set-up by
    phone. Who plays is kept in the file `kept`.
    """

    def __init__(
        self,
        table: CoronaTable,
        hands: Hands | None = None,
        kept: Path | None = None,
        chance: Random | None = None,
    ) -> None:
        self._table, self._hands, self._kept, self._chance = table, hands, kept, chance or Random()
        self._roster = load(kept) if kept else Roster()
        self._lock = Lock()
        self._seen, self._since = "", 0.0
        self._stumped = self._hurried = False
        self._setup: _SetUp | None = None
        self._new: int | None = None
        """The game whose first set-up is still to come: what the camera lays before is the last game's."""
        self._found: dict[str, Found] = {}
        self._wake, self._closing = Event(), False
        self._thread = Thread(target=self._run, name="players", daemon=True)
        self._leave = table.listen(self._heard)
        state = table.state
        if hands and state.situation and self.playing and state.phase in ("lay", "auction", "play"):
            hands.arrange(state.situation, state.colours, state.moves)

    @property
    def playing(self) -> Mapping[str, str]:
        """The seats that are played now, and how."""
        return self.seats if self._roster.on else {}

    @property
    def seats(self) -> Mapping[str, str]:
        """The seats of this game that are played while the players are let."""
        return self._roster.seats if self._roster.game == self._table.game_number else {}

    def begin(self, start: game.Start, tempers: Mapping[str, str]) -> Outcome[game.Event]:
        """Start a game in which simple players hold the seats of `tempers`."""
        with self._lock:
            outcome = self._table.ask(start)
            if outcome.ok:
                self._new = self._table.game_number
                self._take(Roster(self._new, dict(tempers), on=True))
        return outcome

    def let(self, on: bool, person: str) -> None:
        """Let the others play, or no more; on `person`'s seat nobody else ever does."""
        with self._lock:
            seats = self.seats or dict(zip(self._table.state.seats, cycle(TEMPERS), strict=False))
            others = {seat: temper for seat, temper in seats.items() if seat != person}
            self._take(Roster(self._table.game_number, others, on))

    @property
    def waits(self) -> bool:
        """Whether they leave time to look at a reveal, which `hurry` ends."""
        state = self._table.state
        looking = state.phase == "reveal" and self._setup is None and not self._hurried
        return looking and state.paused is None and state.setter in self.playing

    def hurry(self) -> None:
        """Go on at once."""
        self._hurried = True
        self._wake.set()

    def start(self) -> None:
        """Play from now on, in a thread of its own."""
        self._thread.start()

    def close(self) -> None:
        """Let go of every seat."""
        self._leave()
        self._closing = True
        self._wake.set()
        if self._thread.is_alive():
            self._thread.join()

    def look(self) -> float:
        """Do what is due; in how many seconds there may be more to do."""
        with self._lock:
            change, state, now = self._table.change, self._table.state, self._table.now()
            if change != self._seen:
                self._seen, self._since, self._stumped = change, now, False
            if state.phase not in ("lay", "reveal"):
                self._setup, self._hurried = None, False
            if state.paused is not None or not self.playing:
                return IDLE_S
            if state.phase == "auction":
                return self._bid(state, now)
            coming = self._next(state)
            if coming is None:
                return IDLE_S
            wait = self._since + coming[0] - now
            if wait > 0:
                return wait
            self._since = now
            coming[1]()
            return 0.0

    def _run(self) -> None:
        while not self._closing:
            self._wake.clear()
            try:
                wait = self.look()
            except TableClosed:
                return
            except Exception:
                log.exception("a simple player failed")
                wait = IDLE_S  # until something else happens at the table
            self._wake.wait(wait)

    def _heard(self, state: game.State, events: tuple[game.Event, ...]) -> None:
        """Also what a person plays by phone is moved at the table."""
        if self._hands and self.playing and state.phase in ("play", "reveal", "over"):
            for event in events:
                if isinstance(event, PieceMoved):
                    self._hands.move(event.move, state.colours[event.move.die])
                elif isinstance(event, Undone) and state.situation and state.phase == "play":
                    self._hands.arrange(state.situation, state.colours, state.moves)
        self._wake.set()

    def _take(self, roster: Roster) -> None:
        self._roster = roster
        if self._kept:
            save(self._kept, roster)
        self._wake.set()

    def _post(self, command: game.Command) -> None:
        """What is refused is tried again later, or not at all: somebody else was quicker."""
        self._stumped = not self._table.ask(command).ok

    def _next(self, state: game.State) -> Next | None:
        if state.phase == "throw" and state.thrower in self.playing:
            pips = self._chance.randint(1, 6)
            return THROW_S, lambda: self._post(game.Throw(state.thrower, pips))
        if state.phase in ("lay", "reveal") and state.setter in self.playing:
            return self._set_up(state)
        if state.phase == "play" and state.high and state.high.seat in self.playing:
            return self._play(state, state.high.seat)
        return None

    # The set-up

    def _set_up(self, state: game.State) -> Next:
        round_ = (self._table.game_number, state.settled, state.setter)
        if self._setup and self._setup.round != round_:
            self._setup = None
        setup, laid = self._setup, state.phase == "lay" and state.situation is not None
        if setup is None:
            if laid and self._new != self._table.game_number:
                return AGAIN_S if isinstance(state.last, HourglassCancelled) else TURN_S, self._turn
            fields = [self._chance.randrange(FIELDS) for _ in range(PIECES)]
            pause = 0.0 if self._hurried else REVEAL_S if state.phase == "reveal" else BEGIN_S
            return pause, lambda: self._begin(_SetUp(round_, fields))
        if setup.fallen is None:
            return LET_FALL_S if setup.steps == PIECES else PLACE_S, lambda: self._place(setup, state)
        told = game.Lay(setup.situation(state.colours))
        if state.phase == "reveal" and self._hands and setup.steps == PIECES + 1:
            return PRESS_S, lambda: self._press(setup)
        if state.phase == "lay" and state.situation == told.situation:
            return TURN_S, self._turn
        if state.phase == "reveal" or state.situation in (None, setup.before):
            return DOUBT_S if self._hands else PLACE_S, lambda: self._post(told)
        return DOUBT_S, self._turn  # somebody has laid something else

    def _begin(self, setup: _SetUp) -> None:
        self._setup, self._new, self._hurried = setup, None, False
        self._found.clear()
        if self._hands:
            self._hands.clear()

    def _place(self, setup: _SetUp, state: game.State) -> None:
        """One piece more; when all stand, the dice."""
        setup.steps += 1
        if setup.steps > PIECES:
            setup.before = state.situation
            drawn = [self._chance.randint(1, 6) for _ in range(DICE)]
            thrown = dict(zip(state.colours, drawn, strict=True))
            setup.fallen = self._hands.throw() if self._hands else thrown
        elif self._hands:
            self._hands.stand(setup.steps - 1, setup.fields[setup.steps - 1])

    def _press(self, setup: _SetUp) -> None:
        setup.steps += 1
        if self._hands:
            self._hands.press()

    def _turn(self) -> None:
        self._setup = None
        self._post(game.Turn(self._table.now()))

    # The auction and the play

    def _bid(self, state: game.State, now: float) -> float:
        assert state.turned is not None
        for seat in (seat for seat in state.seats if seat in self.playing):
            temper, found = self._temper(seat), self._thought(state, seat, now - state.turned)
            points = call(temper, found, state, seat)
            if points is not None and now >= ready(temper, self._seed(state, seat), state.turned, state.high):
                self._post(game.Bid(seat, points, now))
                break
        return LOOK_S

    def _play(self, state: game.State, seat: str) -> Next:
        """The line that was found while the sand ran, move by move."""
        line = self._thought(state, seat, state.hourglass).line
        made = state.moves
        if made != line[: len(made)] and state.standing:
            tries = int(LATE_TRIES_S * self._temper(seat).tries)
            line = (*made, *think(state.standing, self._seed(state, seat), tries).line)
        if self._stumped or len(made) >= len(line):
            return DONE_S, lambda: self._post(game.Done(self._table.now()))
        pause = MOVE_S if made else FIRST_MOVE_S
        move = line[len(made)]
        return pause, lambda: self._post(game.Step(move.start, move.die, self._table.now()))

    def _temper(self, seat: str) -> Temper:
        return TEMPERS[self.seats[seat]]

    def _thought(self, state: game.State, seat: str, seconds: float) -> Found:
        """What somebody knows after so many seconds; thought again from the beginning after a restart."""
        assert state.situation is not None
        seed = self._seed(state, seat)
        tries = int(min(seconds, state.hourglass) * self._temper(seat).tries)
        self._found[seed] = found = think(state.situation, seed, tries, self._found.get(seed))
        return found

    def _seed(self, state: game.State, seat: str) -> str:
        assert state.situation is not None
        return f"{self._table.game_number}/{state.settled}/{notation.write(state.situation)}/{seat}"
