"""Simple players at a real table: rounds with a person among them, restarts, undo, pauses, the switch."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

from companion.demo import demo
from companion.games.corona import game, notation
from companion.games.corona.events import BidMade, DieThrown, Event, HourglassTurned, PieceMoved
from companion.games.corona.rules import Situation
from companion.players.roster import Roster, load, save
from companion.players.runner import Players
from companion.rig import CoronaTable
from companion.store import Store
from companion.table import Table
from tests.browser import WoundClock

ME, OTHERS = "Ann", {"Nora": "quick", "Mia": "bold", "Otto": "careful"}
SEATS = (ME, *OTHERS)
LAID = notation.read("200010201000-366421")


class Evening:
    """A table in `folder` whose time is wound on; its players look whenever they said they would."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.clock = folder, WoundClock()
        self.heard: list[Event] = []
        self.open()

    def open(self) -> None:
        self.store = Store(self.folder / "log.sqlite")
        self.table: CoronaTable = Table(self.store, self.clock, game)
        self.table.listen(lambda _, events: self.heard.extend(events))
        self.players = Players(self.table, kept=self.folder / "players.json", chance=Random(5))

    def close(self) -> None:
        self.players.close()
        self.table.close()
        self.store.close()

    def start(self, first: str | None = "Otto") -> None:
        assert self.players.begin(game.Start(SEATS, first, ending=game.Ending("rounds", 3)), OTHERS).ok

    def do(self, *commands: game.Command) -> None:
        for command in commands:
            outcome = self.table.ask(command)
            assert outcome.ok, outcome.refused

    @property
    def phase(self) -> str:
        return self.table.state.phase

    def wind(self, seconds: float) -> None:
        """So much time goes by, and the players do what they do in it."""
        end = self.clock.seconds + seconds
        while (left := end - self.clock.seconds) > 1e-6:
            self.clock.seconds += min(max(self.players.look(), 0.05), left, 1.0)
            state = self.table.state
            if state.sand_ends is not None and state.sand_ends <= self.table.now():
                self.table.ask(game.Sand(self.table.now()))  # or the table has seen it itself
        self.players.look()

    def until(self, there: Callable[[game.State], bool], patience: float = 200) -> game.State:
        for _ in range(int(patience)):
            if there(self.table.state):
                return self.table.state
            self.wind(1)
        raise AssertionError(f"waited too long in {self.table.state.phase}")

    def mine(self) -> None:
        """What a person does whose turn it is: everything by phone, and badly."""
        state = self.table.state
        if state.setter == ME and state.phase in ("lay", "reveal"):
            self.do(game.Lay(LAID), game.Turn(self.table.now()))
        elif state.phase == "play" and state.high and state.high.seat == ME:
            self.do(game.Result(1, self.table.now()))


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    made = Evening(tmp_path)
    yield made
    made.close()


def test_three_rounds_are_played_and_a_persons_seat_is_left_alone(evening: Evening) -> None:
    evening.start()
    for _ in range(900):
        if evening.phase == "over":
            break
        evening.mine()
        if evening.phase == "auction" and not evening.table.state.bids:
            with_me = game.Bid(ME, 2, evening.table.now())
            if evening.table.state.silenced != ME:
                evening.do(with_me)
        evening.wind(1)
    state = evening.table.state
    assert state.phase == "over"
    assert state.settled == 3
    assert sum(state.chips) == 4 * state.starting_chips
    bids = [event for event in evening.heard if isinstance(event, BidMade)]
    assert {bid.seat for bid in bids} >= {ME, "Nora", "Mia"}
    assert all(bid.points == 2 for bid in bids if bid.seat == ME)
    # Whoever of them has played reached the bid, for it was found before it was called.
    assert all(one.won for one in state.rounds if one.player != ME)
    assert any(isinstance(event, PieceMoved) for event in evening.heard)
    turned = [event.at for event in evening.heard if isinstance(event, HourglassTurned)]
    assert all(any(at + 4 <= bid.at <= at + 60 for at in turned) for bid in bids if bid.seat != ME)


def test_the_dice_say_who_sets_up_and_a_person_throws_alone(evening: Evening) -> None:
    evening.start(first=None)
    evening.wind(30)
    assert evening.table.state.throws == ()  # Ann throws first
    evening.do(game.Throw(ME, 1))
    evening.until(lambda state: state.thrower == ME or state.phase != "throw")
    thrown = [event.seat for event in evening.heard if isinstance(event, DieThrown)]
    assert thrown[1:] == list(OTHERS)[: len(thrown) - 1]


def test_a_person_who_sets_up_or_plays_is_waited_for(evening: Evening) -> None:
    evening.start(first=ME)
    evening.wind(120)
    assert evening.table.state.situation is None
    evening.do(game.Lay(LAID))
    evening.wind(120)
    assert evening.phase == "lay"
    evening.do(game.Turn(evening.table.now()), game.Bid(ME, 30, evening.table.now()))
    evening.wind(200)
    assert evening.phase == "play"
    assert evening.table.state.moves == ()


def test_after_a_restart_in_mid_auction_they_think_the_same_thoughts(tmp_path: Path) -> None:
    played = []
    for name, restarted in (("once", False), ("twice", True)):
        (tmp_path / name).mkdir()
        evening = Evening(tmp_path / name)
        evening.start(first=ME)
        evening.do(game.Lay(LAID), game.Turn(evening.table.now()))
        evening.wind(30)
        assert evening.phase == "auction"
        if restarted:
            evening.close()
            evening.open()
            assert evening.players.playing == OTHERS
        state = evening.until(lambda state: state.phase == "reveal")
        played.append([(bid.seat, bid.points) for bid in state.bids] + [state.moves])
        evening.close()
    assert played[0] == played[1]
    assert played[0]


def test_the_switch_stops_them_in_mid_game_and_lets_them_go_on(evening: Evening) -> None:
    evening.start()
    evening.until(lambda state: state.phase == "auction" and bool(state.bids))
    evening.players.let(False, ME)
    bids = evening.table.state.bids
    evening.wind(200)
    assert (evening.phase, evening.table.state.bids) == ("play", bids)
    assert evening.players.playing == {}
    evening.players.let(True, ME)
    assert evening.players.playing == OTHERS
    evening.until(lambda state: state.phase == "reveal")


def test_they_take_seats_of_a_game_that_people_began(evening: Evening) -> None:
    evening.do(game.Start(("Ann", "Ben", "Cleo"), "Ben"))
    evening.wind(60)
    assert evening.table.state.situation is None
    evening.players.let(True, "Cleo")
    assert set(evening.players.playing) == {"Ann", "Ben"}
    evening.until(lambda state: state.phase == "auction")
    evening.do(game.Start(("Ann", "Ben"), "Ann"))  # another game: there they hold no seat
    evening.wind(60)
    assert evening.players.playing == {}
    assert evening.table.state.situation is None


def test_what_lies_from_the_last_game_is_not_played_again(evening: Evening) -> None:
    evening.start()
    evening.do(game.Lay(LAID))  # as the camera lays what it finds when a game begins
    state = evening.until(lambda state: state.phase == "auction")
    assert state.situation != LAID


def test_a_pause_an_undo_and_a_cancelled_hourglass_are_lived_with(evening: Evening) -> None:
    evening.start()
    evening.until(lambda state: state.situation is not None)
    evening.do(game.Pause(evening.table.now()))
    evening.wind(300)
    assert evening.phase == "lay"
    evening.do(game.Resume(evening.table.now()))
    evening.until(lambda state: state.phase == "auction")
    evening.do(game.Cancel(evening.table.now()))
    evening.wind(15)
    assert evening.phase == "lay"
    evening.until(lambda state: len(state.moves) == 2)
    evening.do(game.Undo())
    evening.until(lambda state: state.phase == "reveal")
    evening.do(game.Undo(steps=2))
    state = evening.until(lambda state: state.phase == "reveal")
    assert state.rounds[-1].won


def test_where_a_play_goes_otherwise_they_think_anew(evening: Evening) -> None:
    evening.start()
    state = evening.until(lambda state: state.phase == "play")
    assert state.standing is not None
    field = next(field for field, count in enumerate(state.standing.waiting) if count)
    evening.do(game.Step(field, 5, evening.table.now()))
    state = evening.until(lambda state: state.phase == "reveal")
    assert state.settled == 1


def test_what_was_laid_by_phone_in_place_of_theirs_is_left(evening: Evening) -> None:
    evening.start()
    evening.until(lambda state: state.situation is not None)
    evening.do(game.Lay(LAID))
    state = evening.until(lambda state: state.phase == "auction")
    assert state.situation == LAID


def test_hurry_ends_the_time_to_look(evening: Evening) -> None:
    evening.start()
    evening.until(lambda state: state.phase == "reveal")
    assert evening.table.state.setter == ME
    evening.mine()
    evening.until(lambda state: state.phase in ("reveal", "play"))
    evening.mine()
    evening.until(lambda state: state.phase == "reveal")
    evening.wind(5)
    assert evening.phase == "reveal"
    evening.players.hurry()
    evening.wind(8)
    assert evening.phase == "lay"


def test_nothing_that_can_be_read_means_that_nobody_plays(tmp_path: Path) -> None:
    path = tmp_path / "players.json"
    assert load(path) == Roster()
    roster = Roster(3, {"Zoé": "bold"}, True)
    save(path, roster)
    assert load(path) == roster
    for broken in ("", "[]", "{}", '{"game": 1, "seats": {"A": "sly"}, "on": true}', "\0"):
        path.write_text(broken)
        assert load(path) == Roster()
    save(tmp_path / "nowhere" / "players.json", roster)  # spoils nothing


def test_on_the_virtual_table_they_stand_pieces_throw_and_are_read_by_the_camera(tmp_path: Path) -> None:
    clock = WoundClock()
    with demo(tmp_path, clock=clock) as parts:
        parts.rig.start()
        players, virtual = parts.players, parts.virtual

        def until(there: Callable[[game.State], bool]) -> None:
            end = time.monotonic() + 20
            while not there(parts.table.state):
                assert time.monotonic() < end, "waited too long"
                clock.seconds += min(players.look(), 0.2)
                time.sleep(0.02)

        assert players.begin(game.Start(SEATS, "Otto", hourglass=30), OTHERS).ok
        until(lambda state: state.phase == "auction")
        laid = parts.table.state.situation
        assert isinstance(laid, Situation)
        assert list(laid.dice) == [die.value for die in virtual.dice.values()]
        centres = virtual.field_centres()
        near = [
            min(range(12), key=lambda k: (p.x - centres[k][0]) ** 2 + (p.y - centres[k][1]) ** 2)
            for p in virtual.pieces
        ]
        assert [near.count(field) for field in range(12)] == list(laid.waiting)
        clock.seconds += 20
        until(lambda state: bool(state.bids))
        clock.seconds += 30
        parts.table.ask(game.Sand(parts.table.now()))
        until(lambda state: len(state.moves) == 2)
        colours = {parts.table.state.colours[move.die] for move in parts.table.state.moves}
        assert {piece.marker for piece in virtual.pieces} == {None, *colours}
