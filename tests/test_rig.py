"""The rig at a real table: presses become bids, what two looks agree on is laid, lamps follow the game."""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from calibration.layouts import MAT
from companion import watch
from companion.clock import SystemClock
from companion.fittings import REFUSED
from companion.games.corona import events, game, notation
from companion.games.corona.events import Event
from companion.games.corona.rules import DEFAULT_COLOURS, Move, legal_moves
from companion.rig import CoronaTable, Rig
from companion.store import Store
from companion.table import Table
from companion.thrown import Thrown
from companion.web.photo import jpeg_size
from hardware.camera import Camera, CameraFailed
from hardware.virtual import VirtualCamera, VirtualPins, VirtualTable
from hardware.wiring import Wiring
from tests.seeing import shift, truthful
from vision.geometry import Lens, View
from vision.reading import Confidence, Doubt, SeenDie
from vision.steady import ENOUGH, MOST_LOOKS, Steady, moves

WIRING = Wiring(sand=(4, 17, 27, 22), bids=(18, 23, 24, 25), lamps=(6, 13, 19, 26), setter=20, setter_lamp=12)
SEATS = ("North", "East", "South")
EASY = notation.read("500000100000-666666")
PATIENCE = 30.0
NO_END = 10**9


class Ahead(SystemClock):
    """The clock of this machine, put forward by hand."""

    ahead = 0.0

    def read(self) -> float:
        return super().read() + self.ahead


class Evening:
    """A game of three with its rig, and the events that have not been asked for yet."""

    def __init__(self, table: CoronaTable, rig: Rig, pins: VirtualPins, clock: Ahead) -> None:
        self.table, self.rig, self.pins, self.clock = table, rig, pins, clock
        self._events: queue.SimpleQueue[Event] = queue.SimpleQueue()
        table.listen(lambda _, events: [self._events.put(event) for event in events])

    def start(self, **settings: Any) -> None:
        self.do(game.Start(SEATS, "North", **settings))
        self.next(events.GameStarted)

    def do(self, *commands: game.Command) -> None:
        for command in commands:
            outcome = self.table.ask(command)
            assert outcome.ok, outcome.refused

    def press(self, pin: int) -> None:
        """A press, half a second after what was before, worked off by the table."""
        self.clock.ahead += 0.5
        self.pins.press(pin)
        self.table.ask(game.Sand(0.0))

    def next(self, kind: type) -> Any:
        """Waits for the next event; fails on one of another kind."""
        event = self._events.get(timeout=PATIENCE)
        assert isinstance(event, kind), event
        return event

    @property
    def quiet(self) -> bool:
        return self._events.empty()


@pytest.fixture
def build(tmp_path: Path) -> Iterator[Callable[..., Evening]]:
    """Makes evenings, and clears them away after the test."""
    close: list[Callable[[], None]] = []

    def build(**parts: Any) -> Evening:
        store = Store(tmp_path / f"{len(close)}.sqlite")
        clock = Ahead()
        table: CoronaTable = Table(store, clock, game)
        pins = VirtualPins()
        rig = Rig(table, wiring=WIRING, pin_factory=pins, **parts)
        close.extend((store.close, table.close, rig.close))
        rig.start()
        return Evening(table, rig, pins, clock)

    yield build
    for closing in reversed(close):
        closing()


@pytest.fixture(scope="module")
def drawn() -> VirtualTable:
    return VirtualTable(MAT, DEFAULT_COLOURS, clock=lambda: 0.0)


@pytest.fixture
def virtual(drawn: VirtualTable, monkeypatch: pytest.MonkeyPatch) -> VirtualTable:
    """A virtual table laid at random, watched at a quick pace; its hand comes only when it is held there."""
    monkeypatch.setattr(watch, "GLANCE_S", 0.01)
    monkeypatch.setattr(watch, "RETRY_S", 0.01)
    lay(drawn, 1)
    return drawn


def lay(virtual: VirtualTable, seed: int) -> None:
    """Lay and throw, all between two glances."""
    virtual.hold(True)
    virtual.scatter(Random(seed))
    virtual.throw(Random(seed))
    virtual.hold(False)


def lying(virtual: VirtualTable, colours: tuple[str, ...] = DEFAULT_COLOURS) -> str:
    """The situation on the virtual table."""
    reading = truthful(virtual)(np.empty(0, np.uint8))
    assert reading.counts
    return f"{''.join(map(str, reading.counts))}-{''.join(str(reading.dice[colour]) for colour in colours)}"


def eye(virtual: VirtualTable) -> Callable[[], tuple[Camera, watch.Read]]:
    return lambda: (VirtualCamera(virtual), truthful(virtual))


class Slow:
    """Reads the truth once it is `ready`; `looking` tells that it has begun."""

    def __init__(self, virtual: VirtualTable) -> None:
        self._read = truthful(virtual)
        self.ready, self.looking = threading.Event(), threading.Event()
        self.ready.set()

    def __call__(self, frame: watch.Frame) -> Any:
        self.looking.set()
        assert self.ready.wait(PATIENCE)
        return self._read(frame)


def looked(rig: Rig, enough: Callable[[watch.Seen], bool]) -> watch.Seen:
    """Waits for a picture that is `enough`."""
    there = threading.Event()

    def heard() -> None:
        seen = rig.latest()
        if seen and enough(seen):
            there.set()

    rig.listen(heard)
    heard()
    assert there.wait(PATIENCE)
    seen = rig.latest()
    assert seen
    return seen


# Buttons


def test_the_first_press_opens_and_each_further_one_raises_by_one(build: Callable[..., Evening]) -> None:
    evening = build()
    evening.start(opening=9)
    evening.do(game.Lay(EASY), game.Turn(evening.table.now()))
    for pin in (23, 18, 18, 24):
        evening.press(pin)
    bids = [(bid.seat, bid.points) for bid in evening.table.state.bids]
    assert bids == [("East", 9), ("North", 10), ("North", 11), ("South", 12)]
    times = [bid.at for bid in evening.table.state.bids]
    assert times == sorted(times)


def test_a_press_by_nobody_or_outside_the_auction_bids_nothing(build: Callable[..., Evening]) -> None:
    evening = build()
    evening.press(18)
    evening.start()
    evening.press(18)
    evening.do(game.Lay(EASY), game.Turn(evening.table.now()))
    evening.press(25)
    assert evening.table.state.bids == ()


def test_the_setters_button_turns_the_hourglass_only_when_something_is_laid(
    build: Callable[..., Evening],
) -> None:
    evening = build()
    evening.start()
    evening.press(20)
    assert evening.table.state.phase == "lay"
    evening.do(game.Lay(EASY))
    evening.press(20)
    assert evening.table.state.phase == "auction"


def test_a_press_right_after_somebody_elses_raise_flickers_and_does_not_bid(
    build: Callable[..., Evening], monkeypatch: pytest.MonkeyPatch
) -> None:
    flickered: list[int] = []
    monkeypatch.setattr("hardware.panel.Panel.flicker", lambda _, seat: flickered.append(seat))
    evening = build()
    # A busy machine may take longer for two presses than what is a race.
    standing = evening.clock.read()
    monkeypatch.setattr(SystemClock, "read", lambda _: standing)
    evening.start()
    evening.do(game.Lay(EASY), game.Turn(evening.table.now()))
    evening.press(23)
    evening.clock.ahead += 0.1
    evening.pins.press(18)
    evening.table.ask(game.Sand(0.0))
    assert flickered == [0]
    assert [(bid.seat, bid.points) for bid in evening.table.state.bids] == [("East", 7)]
    evening.press(18)
    assert evening.table.state.bids[-1].seat == "North"


def held(evening: Evening, pin: int) -> None:
    """A press of a second and more."""
    evening.clock.ahead += 0.5
    evening.pins.hold(pin)
    evening.clock.ahead += 1.2
    evening.pins.release(pin)
    evening.table.ask(game.Sand(0.0))


def test_a_long_press_of_the_setter_takes_the_hourglass_back(build: Callable[..., Evening]) -> None:
    evening = build()
    evening.start()
    evening.do(game.Lay(EASY))
    evening.press(20)
    evening.press(23)
    held(evening, 20)
    state = evening.table.state
    assert (state.phase, state.situation, state.bids) == ("lay", EASY, ())
    evening.press(20)
    assert evening.table.state.phase == "auction"


def test_the_setter_ends_a_play_with_moves_by_a_short_press_and_any_by_a_long_one(
    build: Callable[..., Evening],
) -> None:
    evening = build()
    evening.start(hourglass=10)
    for made, points in ((1, 2), (0, 0)):
        now = evening.table.now()
        evening.do(game.Lay(EASY), game.Turn(now), game.Bid("North" if made else "East", 2, now))
        evening.clock.ahead += 11
        evening.do(*[game.Step(0, die) for die in range(made)])
        evening.press(20)
        if not made:
            assert evening.table.state.phase == "play", "a short press ends no play without a move"
            held(evening, 20)
        assert (evening.table.state.phase, evening.table.state.result) == ("reveal", points)


def test_a_paused_game_goes_on_at_the_setters_button(build: Callable[..., Evening]) -> None:
    evening = build()
    evening.start()
    evening.do(game.Pause(evening.table.now()))
    evening.press(20)
    assert evening.table.state.paused is None


def test_a_die_thrown_on_the_table_says_who_sets_up_first(
    build: Callable[..., Evening], virtual: VirtualTable
) -> None:
    evening = build(open_eye=eye(virtual))
    looked(evening.rig, lambda _: evening.rig.lying() is not None)
    evening.do(game.Start(SEATS, None))
    evening.next(events.GameStarted)
    for x, pips in ((-20.0, 2), (20.0, 6)):
        virtual.hold(True)
        virtual.set_die("blue", x, 0.0, pips)
        virtual.hold(False)
        assert evening.next(events.DieThrown).pips == pips
    assert evening.table.state.setter == "East"


def test_what_lies_there_is_laid_as_soon_as_a_throw_says_who_sets_up(
    build: Callable[..., Evening], virtual: VirtualTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vision.steady.CHECK_GLANCES", NO_END)
    evening = build(open_eye=eye(virtual))
    looked(evening.rig, lambda _: evening.rig.lying() is not None)
    evening.do(game.Start(SEATS, None), game.Throw("North", 6))
    evening.next(events.GameStarted)
    evening.next(events.DieThrown)
    assert notation.write(evening.next(events.SituationLaid).situation) == lying(virtual)


def test_a_throw_that_was_tapped_while_the_camera_looked_counts_once(
    build: Callable[..., Evening], virtual: VirtualTable
) -> None:
    slow = Slow(virtual)
    evening = build(open_eye=lambda: (VirtualCamera(virtual), slow))
    looked(evening.rig, lambda _: evening.rig.lying() is not None)
    evening.do(game.Start(SEATS, None))
    evening.next(events.GameStarted)
    slow.ready.clear()
    slow.looking.clear()
    virtual.hold(True)
    virtual.set_die("blue", -20.0, 0.0, 2)
    virtual.hold(False)
    assert slow.looking.wait(PATIENCE)
    evening.do(game.Throw("North", 2))
    assert evening.next(events.DieThrown).seat == "North"
    slow.ready.set()
    looked(evening.rig, lambda _: evening.rig.lying() is not None)
    virtual.hold(True)
    virtual.set_die("blue", 20.0, 0.0, 6)
    virtual.hold(False)
    second = evening.next(events.DieThrown)
    assert (second.seat, second.pips) == ("East", 6)


def test_what_was_laid_in_a_pause_is_taken_when_the_game_goes_on(
    build: Callable[..., Evening], virtual: VirtualTable
) -> None:
    evening = build(open_eye=eye(virtual))
    evening.start()
    evening.next(events.SituationLaid)
    evening.do(game.Pause(evening.table.now()))
    evening.next(events.GamePaused)
    before = looked(evening.rig, lambda seen: True).seq
    lay(virtual, 3)
    looked(evening.rig, lambda seen: seen.seq >= before + 2 and evening.rig.lying() is not None)
    assert evening.quiet
    evening.press(20)
    evening.next(events.GameResumed)
    assert notation.write(evening.next(events.SituationLaid).situation) == lying(virtual)


def followed(*looks: tuple[SeenDie, ...]) -> list[int | None]:
    """What is thrown by each look but the first, in which nothing is."""
    follows = Thrown()
    first, *others = [follows.looked(look) for look in looks]
    assert first is None
    return others


def test_two_dice_that_move_are_no_throw(virtual: VirtualTable) -> None:
    before = truthful(virtual)(np.empty(0, np.uint8)).seen_dice
    red, blue, *others = before
    moved = replace(red, pips=6, centre=(red.centre[0] + 60, red.centre[1]))
    other = replace(blue, pips=blue.pips % 6 + 1)
    assert followed(before, before, (moved, blue, *others), before) == [None, 6, red.pips]
    assert followed(before, (moved, other, *others), (moved, other, *others)) == [None, None]
    assert followed((blue,), (blue, moved)) == [6]
    assert followed((), (moved,)) == [6]


def test_a_die_that_is_seen_again_was_not_thrown(virtual: VirtualTable) -> None:
    """A hand lay over it, its pips could not be read, or a black picture showed nothing at all."""
    before = truthful(virtual)(np.empty(0, np.uint8)).seen_dice
    red, *others = before
    hidden = (tuple(others), (replace(red, pips=None, sure=False), *others), ())
    misread = replace(red, pips=red.pips % 6 + 1, sure=False)
    assert followed(before, *hidden, (misread, *others), before) == [None] * 5


def test_a_die_that_cannot_be_read_at_once_is_thrown_when_it_can(virtual: VirtualTable) -> None:
    before = truthful(virtual)(np.empty(0, np.uint8)).seen_dice
    red, blue, *others = before
    moved = replace(red, pips=6, centre=(red.centre[0] + 60, red.centre[1]))
    vague = replace(moved, pips=None, sure=False)
    assert followed(before, (vague, blue, *others), (moved, blue, *others)) == [None, 6]
    other = replace(blue, pips=blue.pips % 6 + 1)  # two at once are none, though one is read later
    assert followed(before, (vague, other, *others), (moved, other, *others)) == [None, None]


def test_a_throw_that_was_tapped_on_a_phone_is_not_thrown_once_more(virtual: VirtualTable) -> None:
    before = truthful(virtual)(np.empty(0, np.uint8)).seen_dice
    red, blue, *others = before
    moved = replace(red, pips=6, centre=(red.centre[0] + 60, red.centre[1]))
    vague = replace(moved, pips=None, sure=False)
    other = replace(blue, pips=blue.pips % 6 + 1, centre=(blue.centre[0] - 60, blue.centre[1]))
    read, after = (moved, blue, *others), (moved, other, *others)
    unseen = (blue, *others)
    for meanwhile, told_then in (
        ((read,), 0),  # while it still rolled
        ((unseen, read), 0),  # and a hand was over it at the next look
        (((vague, blue, *others), read), 0),
        (((vague, blue, *others), read), 1),  # it lay still, and could not be read
    ):
        follows = Thrown()
        assert follows.looked(before) is None
        for number, look in enumerate(meanwhile):
            if number == told_then:
                follows.told(moving=number == 0)
            assert follows.looked(look) is None
        assert follows.looked(after) == other.pips, "the next player's is"
    follows = Thrown()
    assert follows.looked(before) is None
    follows.told(moving=False)  # by hand, of a die that is not on the table
    assert follows.looked(read) == 6


# Lamps and sand


def test_lamps_show_who_holds_the_bid_and_who_is_silenced(build: Callable[..., Evening]) -> None:
    evening = build()

    def lamps() -> list[float]:
        return [evening.pins.level(pin) for pin in (6, 13, 19)]

    evening.start()
    assert (lamps(), evening.pins.level(12)) == ([0, 0, 0], 0)
    evening.do(game.Lay(EASY))
    assert evening.pins.level(12) == 1, "the setter may turn the hourglass"
    evening.do(game.Turn(evening.table.now()))
    evening.press(23)
    assert (lamps(), evening.pins.level(12)) == ([0, 1, 0], 0)
    evening.press(18)
    assert lamps() == [1, 0, 0]


def test_a_silenced_seats_lamp_blinks(build: Callable[..., Evening], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hardware.panel.BLINK_S", 0.01)
    evening = build()
    evening.start(hourglass=10)
    evening.do(game.Lay(EASY))
    blinked = threading.Event()
    changes: list[float] = []

    def heard() -> None:
        if changes[-1:] != [evening.pins.level(13)]:
            changes.append(evening.pins.level(13))
        if len(changes) > 5:
            blinked.set()

    turned = evening.table.now()
    evening.do(game.Turn(turned), game.Bid("East", 20, turned), game.Sand(turned + 10))
    evening.pins.listen(heard)
    evening.do(game.Result(0))
    assert evening.table.state.silenced == "East"
    assert blinked.wait(PATIENCE)


def test_the_sand_lamps_drain_from_the_turn_to_the_end(build: Callable[..., Evening]) -> None:
    evening = build()
    evening.start(hourglass=10)
    shown: list[float] = []
    drained = threading.Event()

    def heard() -> None:
        shown.append(sum(evening.pins.level(pin) for pin in WIRING.sand))
        if len(shown) > 8:
            drained.set()

    assert [evening.pins.level(pin) for pin in WIRING.sand] == [0, 0, 0, 0]
    evening.do(game.Lay(EASY))
    evening.pins.listen(heard)
    evening.do(game.Turn(evening.table.now()))
    assert drained.wait(PATIENCE)
    draining = shown[shown.index(max(shown)) :]
    assert draining == sorted(draining, reverse=True)
    assert draining[0] > draining[-1] > 0


def test_a_rig_that_comes_in_mid_auction_goes_on_with_the_sand_that_is_left(tmp_path: Path) -> None:
    store = Store(tmp_path / "log.sqlite")
    table: CoronaTable = Table(store, SystemClock(), game)
    for command in (game.Start(SEATS, "North", hourglass=300), game.Lay(EASY), game.Turn(0.0)):
        assert table.ask(command).ok
    pins = VirtualPins()
    lit = threading.Event()
    pins.listen(lit.set)
    rig = Rig(table, wiring=WIRING, pin_factory=pins)
    assert lit.wait(PATIENCE)
    rig.close()
    table.close()
    store.close()


# The camera


def test_what_two_sure_looks_agree_on_is_laid(build: Callable[..., Evening], virtual: VirtualTable) -> None:
    evening = build(open_eye=eye(virtual))
    evening.start()
    laid = evening.next(events.SituationLaid)
    assert notation.write(laid.situation) == lying(virtual)
    assert evening.rig.latest().seq >= 2
    lay(virtual, 2)
    assert notation.write(evening.next(events.SituationLaid).situation) == lying(virtual)


def test_dice_go_by_the_colours_of_the_game(build: Callable[..., Evening], virtual: VirtualTable) -> None:
    evening = build(open_eye=eye(virtual))
    looked(evening.rig, lambda seen: seen.seq >= 2)
    other_way = DEFAULT_COLOURS[::-1]
    evening.start(colours=other_way)
    laid = evening.next(events.SituationLaid)
    assert notation.write(laid.situation) == lying(virtual, other_way)


def test_a_game_of_other_dice_than_the_cameras_is_told(
    build: Callable[..., Evening], virtual: VirtualTable
) -> None:
    """It was started before somebody set the camera up."""
    evening = build(open_eye=eye(virtual))
    looked(evening.rig, lambda _: evening.rig.lying() is not None)
    assert evening.rig.trouble is None
    evening.start(colours=("pink", *DEFAULT_COLOURS[1:]))
    assert evening.rig.trouble and "start a new game" in evening.rig.trouble
    assert evening.rig.lying() is None and evening.quiet
    evening.do(game.Start(SEATS, "North"))
    evening.next(events.GameStarted)
    assert evening.rig.trouble is None
    assert notation.write(evening.next(events.SituationLaid).situation) == lying(virtual)


def test_nothing_is_laid_under_a_hand(build: Callable[..., Evening], virtual: VirtualTable) -> None:
    virtual.hold(True)
    evening = build(open_eye=eye(virtual))
    evening.start()
    looked(evening.rig, lambda seen: seen.seq >= MOST_LOOKS)
    assert evening.quiet
    assert evening.table.state.situation is None
    virtual.hold(False)
    assert notation.write(evening.next(events.SituationLaid).situation) == lying(virtual)


def test_nothing_is_laid_once_the_hourglass_is_turned(
    build: Callable[..., Evening], virtual: VirtualTable
) -> None:
    evening = build(open_eye=eye(virtual))
    evening.start()
    evening.next(events.SituationLaid)
    evening.do(game.Turn(evening.table.now()))
    evening.next(events.HourglassTurned)
    before = evening.rig.latest().seq
    lay(virtual, 3)
    looked(evening.rig, lambda seen: seen.seq >= before + 2)
    assert evening.quiet


def let_the_sand_run_out(evening: Evening, meanwhile: Callable[[], None]) -> None:
    """An auction in which nobody bids."""
    turned = evening.table.now()
    evening.do(game.Turn(turned))
    evening.next(events.HourglassTurned)
    before = evening.rig.latest().seq
    meanwhile()
    looked(evening.rig, lambda seen: seen.seq >= before + 2 and evening.rig.lying() is not None)
    evening.do(game.Sand(turned + 10))
    evening.next(events.SandRanOut)


@pytest.mark.parametrize("corrected", [False, True])
def test_a_set_up_that_nobody_bid_on_is_not_laid_once_more(
    build: Callable[..., Evening], virtual: VirtualTable, monkeypatch: pytest.MonkeyPatch, corrected: bool
) -> None:
    monkeypatch.setattr("vision.steady.CHECK_GLANCES", 3)
    evening = build(open_eye=eye(virtual))
    evening.start(hourglass=10)
    evening.next(events.SituationLaid)
    looked(evening.rig, lambda _: evening.rig.lying() is not None)
    if corrected:
        evening.do(game.Lay(EASY))
        evening.next(events.SituationLaid)
    let_the_sand_run_out(evening, lambda: None)
    before = evening.rig.latest().seq
    looked(evening.rig, lambda seen: seen.seq >= before + 2)
    assert evening.quiet
    assert evening.table.state.situation is None


def test_what_lies_there_when_nobody_bid_is_laid_if_it_is_another_set_up(
    build: Callable[..., Evening], virtual: VirtualTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vision.steady.CHECK_GLANCES", NO_END)
    evening = build(open_eye=eye(virtual))
    evening.start(hourglass=10)
    evening.next(events.SituationLaid)
    let_the_sand_run_out(evening, lambda: lay(virtual, 3))
    assert notation.write(evening.next(events.SituationLaid).situation) == lying(virtual)


@pytest.mark.parametrize("corrected", [False, True])
def test_a_turn_taken_back_lays_what_lies_there_by_then(
    build: Callable[..., Evening], virtual: VirtualTable, corrected: bool
) -> None:
    """Somebody knocked the table in the auction; a person's word stands if nobody did."""
    evening = build(open_eye=eye(virtual))
    evening.start()
    evening.next(events.SituationLaid)
    looked(evening.rig, lambda _: evening.rig.lying() is not None)
    if corrected:
        evening.do(game.Lay(EASY))
        evening.next(events.SituationLaid)
    evening.do(game.Turn(evening.table.now()))
    evening.next(events.HourglassTurned)
    if not corrected:
        before = evening.rig.latest().seq
        lay(virtual, 3)
        looked(evening.rig, lambda seen: seen.seq >= before + 2 and evening.rig.lying() is not None)
    assert evening.quiet
    evening.do(game.Cancel(evening.table.now()))
    evening.next(events.HourglassCancelled)
    if corrected:
        evening.do(game.Turn(evening.table.now()))
        evening.next(events.HourglassTurned)
        assert evening.table.state.situation == EASY
    else:
        assert notation.write(evening.next(events.SituationLaid).situation) == lying(virtual)


class Unplugged(VirtualCamera):
    """A camera that can be unplugged while all see it."""

    away = threading.Event()

    def glance(self) -> watch.Frame:
        if self.away.is_set():
            raise CameraFailed("camera 0 gives no more pictures: check its cable")
        return super().glance()


@pytest.fixture
def unplugged(build: Callable[..., Evening], virtual: VirtualTable) -> Evening:
    """An evening whose camera has seen the table."""
    Unplugged.away.clear()
    evening = build(open_eye=lambda: (Unplugged(virtual), truthful(virtual)))
    evening.start(hourglass=10)
    evening.next(events.SituationLaid)
    looked(evening.rig, lambda _: evening.rig.lying() is not None)
    return evening


def test_a_turn_that_waits_is_refused_when_the_camera_fails(
    unplugged: Evening, virtual: VirtualTable
) -> None:
    tunes: queue.SimpleQueue[Any] = queue.SimpleQueue()
    unplugged.rig._fittings.sound = tunes.put  # type: ignore[method-assign]
    virtual.hold(True)
    moving = unplugged.rig._eye
    assert moving
    for _ in range(int(100 * PATIENCE)):
        if moving.looking:
            break
        threading.Event().wait(0.01)
    unplugged.rig._on_setter(unplugged.table.now())
    Unplugged.away.set()
    lay(virtual, 4)
    assert tunes.get(timeout=PATIENCE) == REFUSED
    assert unplugged.table.state.phase == "lay", "what was read before lies there no more"


def test_what_was_seen_before_the_camera_failed_is_not_laid(
    unplugged: Evening, virtual: VirtualTable
) -> None:
    play_round(unplugged)
    Unplugged.away.set()
    looked(unplugged.rig, lambda _: unplugged.rig.trouble is not None)
    lay(virtual, 4)
    unplugged.press(20)
    assert unplugged.quiet
    assert unplugged.table.state.phase == "reveal"
    Unplugged.away.clear()
    looked(unplugged.rig, lambda _: unplugged.rig.lying() is not None)
    assert unplugged.quiet and unplugged.table.state.phase == "reveal", "what was refused is not done later"
    unplugged.press(20)
    assert notation.write(unplugged.next(events.SituationLaid).situation) == lying(virtual)


def test_a_throw_while_the_camera_was_away_is_that_of_whoever_told_it(
    build: Callable[..., Evening], virtual: VirtualTable
) -> None:
    Unplugged.away.clear()
    evening = build(open_eye=lambda: (Unplugged(virtual), truthful(virtual)))
    looked(evening.rig, lambda _: evening.rig.lying() is not None)
    evening.do(game.Start(SEATS, None))
    evening.next(events.GameStarted)
    Unplugged.away.set()
    looked(evening.rig, lambda _: evening.rig.trouble is not None)
    virtual.hold(True)
    virtual.set_die("blue", -20.0, 0.0, 2)
    virtual.hold(False)
    evening.do(game.Throw("North", 2))
    evening.next(events.DieThrown)
    Unplugged.away.clear()
    looked(evening.rig, lambda _: evening.rig.lying() is not None)
    assert evening.quiet, "East has not thrown yet"
    virtual.hold(True)
    virtual.set_die("blue", 20.0, 0.0, 6)
    virtual.hold(False)
    second = evening.next(events.DieThrown)
    assert (second.seat, second.pips) == ("East", 6)


def test_a_correction_does_not_outlive_a_camera_that_was_away(
    unplugged: Evening, virtual: VirtualTable
) -> None:
    unplugged.do(game.Lay(EASY))
    unplugged.next(events.SituationLaid)
    Unplugged.away.set()
    looked(unplugged.rig, lambda _: unplugged.rig.trouble is not None)
    lay(virtual, 4)
    Unplugged.away.clear()
    assert notation.write(unplugged.next(events.SituationLaid).situation) == lying(virtual)


def test_a_situation_that_lies_there_no_more_is_not_turned(
    build: Callable[..., Evening], virtual: VirtualTable
) -> None:
    """Another was laid that cannot be read whole: the round would be one of what nobody sees."""
    true, doubtful = truthful(virtual), threading.Event()

    def eyes(frame: watch.Frame) -> Any:
        reading = true(frame)
        leans = Doubt("die red", "it may lean")
        return replace(reading, sure=False, doubts=(leans,)) if doubtful.is_set() else reading

    evening = build(open_eye=lambda: (VirtualCamera(virtual), eyes))
    evening.start()
    evening.next(events.SituationLaid)
    doubtful.set()
    before = looked(evening.rig, lambda _: evening.rig.lying() is not None).seq
    lay(virtual, 4)
    looked(evening.rig, lambda seen: seen.seq > before and evening.rig.lying() is not None)
    evening.press(20)
    assert evening.quiet and evening.table.state.phase == "lay"
    doubtful.clear()
    lay(virtual, 5)
    evening.next(events.SituationLaid)
    evening.press(20)
    evening.next(events.HourglassTurned)


def test_a_marker_in_doubt_keeps_nobody_from_laying(
    build: Callable[..., Evening], virtual: VirtualTable
) -> None:
    """Markers come into pieces when the auction is over: a lamp that shines in one is no matter before."""
    true, looks = truthful(virtual), count()

    def eyes(frame: watch.Frame) -> Any:
        reading, marker = true(frame), Doubt("field A", "a marker may be white", (0,), of_marker=True)
        likely = Confidence((0.9999,) * 12, dict.fromkeys(reading.dice, 0.9999), (), whole=0.5, laid=0.9995)
        next(looks)
        return replace(reading, sure=False, doubts=(marker,), confidence=likely)

    evening = build(open_eye=lambda: (VirtualCamera(virtual), eyes))
    evening.start()
    assert notation.write(evening.next(events.SituationLaid).situation) == lying(virtual)
    assert next(looks) == ENOUGH, "it does not ask for more looks, either"
    seen = looked(evening.rig, lambda _: evening.rig.lying() is not None)
    assert seen.reading.sure and not seen.reading.doubts


def test_what_flickers_all_the_time_is_told_of_and_keeps_no_turn_waiting(
    build: Callable[..., Evening], virtual: VirtualTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Candle(VirtualCamera):
        """Beside the board one burns."""

        lit, out = 0, threading.Event()

        def glance(self) -> watch.Frame:
            glance, self.lit = super().glance().copy(), not self.lit
            if not self.out.is_set():
                glance[4:12, 4:12] = 120 + 60 * self.lit
            return glance

    monkeypatch.setattr(watch, "RESTLESS_S", 0.5)
    evening = build(open_eye=lambda: (Candle(virtual), truthful(virtual)))
    told = threading.Event()
    evening.rig.listen(lambda: told.set() if evening.rig.trouble == watch.RESTLESS else None)
    evening.start()
    evening.do(game.Lay(EASY))
    evening.next(events.SituationLaid)
    assert told.wait(PATIENCE)
    evening.press(20)
    evening.next(events.HourglassTurned)
    Candle.out.set()
    looked(evening.rig, lambda _: evening.rig.trouble is None)


def test_a_frame_of_another_size_is_kept_in_the_pixels_of_what_was_read(virtual: VirtualTable) -> None:
    lens = Lens(1500.0, 0.0, (1536, 864))
    view = View(lens, (0.0, 0.0, 0.0), (0.0, 0.0, 500.0))
    reading = replace(truthful(virtual)(np.empty(0, np.uint8)), view=view)
    watcher = watch.Watcher(eye(virtual), lambda steady: None)
    watcher._look(lambda _: reading, Steady(), np.zeros((720, 1280, 3), np.uint8))
    assert watcher.seen and jpeg_size(watcher.seen.jpeg) == lens.size


def test_readings_that_change_from_look_to_look_are_not_laid(
    build: Callable[..., Evening], virtual: VirtualTable
) -> None:
    true = truthful(virtual)
    turns = iter(range(100))

    def restless(frame: watch.Frame) -> Any:
        reading = true(frame)
        reading.dice["red"] = 1 + next(turns) % 6
        return reading

    evening = build(open_eye=lambda: (VirtualCamera(virtual), restless))
    evening.start()
    looked(evening.rig, lambda seen: seen.seq >= MOST_LOOKS)
    assert evening.quiet
    assert evening.table.state.situation is None


def test_what_a_person_corrected_stands_until_the_table_changes(
    build: Callable[..., Evening], virtual: VirtualTable
) -> None:
    evening = build(open_eye=eye(virtual))
    evening.start()
    seen = notation.write(evening.next(events.SituationLaid).situation)
    evening.do(game.Lay(EASY))
    evening.next(events.SituationLaid)
    before = looked(evening.rig, lambda seen: True).seq
    virtual.hold(True)
    looked(evening.rig, lambda seen: seen.seq > before)
    virtual.hold(False)
    before = looked(evening.rig, lambda seen: True).seq
    looked(evening.rig, lambda seen: seen.seq >= before + 2 and seen.reading.sure)
    assert lying(virtual) == seen
    assert evening.quiet, "a hand came and went, and nothing else is on the table"
    assert evening.table.state.situation == EASY
    lay(virtual, 2)
    assert notation.write(evening.next(events.SituationLaid).situation) == lying(virtual)


def test_a_still_table_that_was_doubtful_is_looked_at_again(
    build: Callable[..., Evening], virtual: VirtualTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vision.steady.AGAIN_GLANCES", 3)
    true, readings = truthful(virtual), iter(range(1000))

    def slow_to_see(frame: watch.Frame) -> Any:
        reading = true(frame)
        if next(readings) > MOST_LOOKS + 1:
            return reading
        return replace(reading, sure=False, doubts=(Doubt("die red", "its colour is not clear"),))

    evening = build(open_eye=lambda: (VirtualCamera(virtual), slow_to_see))
    evening.start()
    assert notation.write(evening.next(events.SituationLaid).situation) == lying(virtual)


def test_a_turn_waits_until_the_camera_has_read_what_lies_there(
    build: Callable[..., Evening], virtual: VirtualTable
) -> None:
    slow = Slow(virtual)
    slow.ready.clear()
    evening = build(open_eye=lambda: (VirtualCamera(virtual), slow))
    evening.start()
    evening.do(game.Lay(EASY))
    evening.next(events.SituationLaid)
    assert slow.looking.wait(PATIENCE)
    evening.press(20)
    assert evening.table.state.phase == "lay"
    slow.ready.set()
    assert notation.write(evening.next(events.SituationLaid).situation) == lying(virtual)
    evening.next(events.HourglassTurned)


def test_after_a_reveal_the_setters_button_begins_the_next_round(
    build: Callable[..., Evening], virtual: VirtualTable
) -> None:
    evening = build(open_eye=eye(virtual))
    evening.start(hourglass=10)
    evening.next(events.SituationLaid)
    looked(evening.rig, lambda seen: seen.seq >= 2)
    play_round(evening)
    before = evening.rig.latest().seq
    lay(virtual, 5)
    looked(evening.rig, lambda seen: seen.seq >= before + 2)
    assert evening.table.state.phase == "reveal", "the reveal stays until the setter goes on"
    evening.press(20)
    assert notation.write(evening.next(events.SituationLaid).situation) == lying(virtual)
    assert evening.table.state.phase == "lay"


def test_after_a_reveal_a_press_on_what_cannot_be_read_says_so_and_waits(
    build: Callable[..., Evening], virtual: VirtualTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    true, clear = truthful(virtual), threading.Event()

    def doubtful(frame: watch.Frame) -> Any:
        reading = true(frame)
        doubt = Doubt("die red", "its colour is not clear")
        return reading if clear.is_set() else replace(reading, sure=False, doubts=(doubt,))

    evening = build(open_eye=lambda: (VirtualCamera(virtual), doubtful))
    evening.start(hourglass=10)
    evening.do(game.Lay(EASY))
    evening.next(events.SituationLaid)
    play_round(evening)
    looked(evening.rig, lambda _: evening.rig.lying() is not None)
    tunes: list[Any] = []
    monkeypatch.setattr(evening.rig._fittings, "sound", tunes.append)
    evening.press(20)
    assert tunes == [REFUSED]
    clear.set()
    lay(virtual, 6)
    assert notation.write(evening.next(events.SituationLaid).situation) == lying(virtual)


def rest(evening: Evening, before: int) -> None:
    """Waits until two looks after the one of number `before` agree, and all that they led to is done."""
    looked(evening.rig, lambda seen: seen.seq >= before + 2 and evening.rig.lying() is not None)
    evening.table.ask(game.Sand(0.0))


def auctioned(evening: Evening) -> game.State:
    """What lies there is laid and East wins the auction."""
    evening.next(events.SituationLaid)
    turned = evening.table.now()
    evening.do(game.Turn(turned), game.Bid("East", 3, turned), game.Sand(turned + 10))
    for kind in (events.HourglassTurned, events.BidMade, events.SandRanOut):
        evening.next(kind)
    return evening.table.state


def go(virtual: VirtualTable, *moves: Move) -> None:
    """Pieces are moved so, all between two glances."""
    shift(virtual, *((move.start, move.to) for move in moves))


def a_move(state: game.State, *, points: bool = False) -> Move:
    """A legal move, the first that leads to an empty field, or scores."""
    assert state.standing
    return next(move for move in legal_moves(state.standing) if bool(move.points) == points)


def back(move: Move) -> Move:
    return replace(move, start=move.to, to=move.start)


def entered(move: Move) -> tuple[int, int, int]:
    return move.start, move.to, move.pips


def test_what_is_moved_in_a_play_is_entered_move_by_move(
    build: Callable[..., Evening], virtual: VirtualTable
) -> None:
    evening = build(open_eye=eye(virtual))
    evening.start(hourglass=10)
    state = auctioned(evening)
    for number in range(3):
        move = a_move(state, points=number > 0)
        go(virtual, move)
        followed = evening.next(events.PlayFollowed).moves
        assert len(followed) == number + 1 and entered(followed[-1]) == entered(move)
        state = evening.table.state
    assert sum(move.points for move in state.moves) > 0
    evening.press(20)
    done = evening.next(events.PlayerDone)
    assert done.points == sum(move.points for move in state.moves)


def test_a_piece_that_is_put_back_was_not_moved(build: Callable[..., Evening], virtual: VirtualTable) -> None:
    evening = build(open_eye=eye(virtual))
    evening.start(hourglass=10)
    move = a_move(auctioned(evening))
    go(virtual, move)
    assert evening.next(events.PlayFollowed).moves
    go(virtual, back(move))
    assert evening.next(events.PlayFollowed).moves == ()
    assert evening.table.state.moves == ()


def test_what_was_taken_back_is_not_entered_again_while_it_lies_so(
    build: Callable[..., Evening], virtual: VirtualTable
) -> None:
    evening = build(open_eye=eye(virtual))
    evening.start(hourglass=10)
    move = a_move(auctioned(evening))
    go(virtual, move)
    evening.next(events.PlayFollowed)
    evening.do(game.Undo())
    evening.next(events.Undone)
    before = evening.rig.latest().seq
    virtual.throw(Random(3))  # something moves, not the pieces
    rest(evening, before)
    assert evening.quiet and evening.table.state.moves == ()
    go(virtual, back(move))
    rest(evening, evening.rig.latest().seq)
    go(virtual, move)
    assert entered(evening.next(events.PlayFollowed).moves[0]) == entered(move)


def test_a_move_that_was_tapped_is_not_entered_twice(
    build: Callable[..., Evening], virtual: VirtualTable
) -> None:
    evening = build(open_eye=eye(virtual))
    evening.start(hourglass=10)
    state = auctioned(evening)
    move = a_move(state)
    evening.do(game.Step(move.start, move.die))
    evening.next(events.PieceMoved)
    go(virtual, move)
    rest(evening, evening.rig.latest().seq)
    assert evening.quiet
    further = a_move(evening.table.state)
    go(virtual, further)
    assert [entered(one) for one in evening.next(events.PlayFollowed).moves] == [entered(further)]
    assert len(evening.table.state.moves) == 2


def test_what_was_moved_before_the_sand_ran_out_is_entered_then(
    build: Callable[..., Evening], virtual: VirtualTable
) -> None:
    evening = build(open_eye=eye(virtual))
    evening.start(hourglass=10)
    evening.next(events.SituationLaid)
    turned = evening.table.now()
    evening.do(game.Turn(turned), game.Bid("East", 3, turned))
    move, before = a_move(evening.table.state), evening.rig.latest().seq
    go(virtual, move)
    rest(evening, before)
    evening.do(game.Sand(turned + 10))
    for kind in (events.HourglassTurned, events.BidMade, events.SandRanOut):
        evening.next(kind)
    assert entered(evening.next(events.PlayFollowed).moves[0]) == entered(move)


def test_the_end_of_a_play_waits_for_a_hand_that_rests_over_the_board(
    build: Callable[..., Evening], virtual: VirtualTable
) -> None:
    evening = build(open_eye=eye(virtual))
    evening.start(hourglass=10)
    first = a_move(auctioned(evening))
    go(virtual, first)
    evening.next(events.PlayFollowed)
    last = a_move(evening.table.state, points=True)
    virtual.hold(True)
    before = evening.rig.latest().seq
    looked(evening.rig, lambda seen: seen.seq >= before + MOST_LOOKS and seen.reading.covered)
    evening.press(20)
    assert evening.table.state.phase == "play"
    go(virtual, last)
    assert len(evening.next(events.PlayFollowed).moves) == 2
    assert evening.next(events.PlayerDone).points == last.points


def test_a_short_press_ends_no_play_of_which_something_is_asked(
    build: Callable[..., Evening], virtual: VirtualTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening = build(open_eye=eye(virtual))
    evening.start(hourglass=10)
    go(virtual, a_move(auctioned(evening)))
    evening.next(events.PlayFollowed)
    before = evening.rig.latest().seq
    lay(virtual, 7)  # no moves lead there
    rest(evening, before)
    assert evening.rig.following == ((),)
    tunes: list[Any] = []
    monkeypatch.setattr(evening.rig._fittings, "sound", tunes.append)
    evening.press(20)
    assert tunes == [REFUSED] and evening.table.state.phase == "play"
    evening.rig.lend_camera()
    assert evening.rig.following is None, "the camera is away: nothing is asked"


def test_a_camera_that_is_not_to_follow_enters_nothing(
    build: Callable[..., Evening], virtual: VirtualTable
) -> None:
    evening = build(open_eye=eye(virtual), follows=False)
    evening.start(hourglass=10)
    go(virtual, a_move(auctioned(evening)))
    rest(evening, evening.rig.latest().seq)
    assert evening.quiet


def test_the_end_of_a_play_waits_until_the_camera_has_seen_the_last_move(
    build: Callable[..., Evening], virtual: VirtualTable
) -> None:
    slow = Slow(virtual)
    evening = build(open_eye=lambda: (VirtualCamera(virtual), slow))
    evening.start(hourglass=10)
    move = a_move(auctioned(evening), points=True)
    slow.ready.clear()
    slow.looking.clear()
    go(virtual, move)
    assert slow.looking.wait(PATIENCE)
    evening.press(20)
    assert evening.table.state.phase == "play"
    slow.ready.set()
    assert entered(evening.next(events.PlayFollowed).moves[0]) == entered(move)
    assert evening.next(events.PlayerDone).points == move.points


def test_without_a_camera_the_setters_lamp_asks_for_no_press_after_a_reveal(
    build: Callable[..., Evening], monkeypatch: pytest.MonkeyPatch
) -> None:
    evening = build()
    evening.start(hourglass=10)
    evening.do(game.Lay(EASY))
    evening.next(events.SituationLaid)
    play_round(evening)
    assert evening.pins.level(12) == 0
    tunes: list[Any] = []
    monkeypatch.setattr(evening.rig._fittings, "sound", tunes.append)
    evening.press(20)
    assert tunes == [REFUSED], "the press does nothing, and says so"


def test_when_the_game_is_over_no_lamp_blinks(build: Callable[..., Evening]) -> None:
    evening = build()
    evening.start(hourglass=10, ending=events.Ending("rounds", 1))
    evening.do(game.Lay(EASY))
    turned = evening.table.now()
    evening.do(game.Turn(turned), game.Bid("East", 20, turned), game.Sand(turned + 10), game.Result(0))
    assert (evening.table.state.phase, evening.table.state.silenced) == ("over", "East")
    assert [evening.pins.level(pin) for pin in (6, 13, 19)] == [0, 0, 0]


def play_round(evening: Evening) -> None:
    """East bids and reaches its bid; the sand is let run out at once."""
    turned = evening.table.now()
    evening.do(game.Turn(turned), game.Bid("East", 7, turned), game.Sand(turned + 10), game.Result(8))
    kinds = (
        events.HourglassTurned,
        events.BidMade,
        events.SandRanOut,
        events.ResultEntered,
        events.ChipsSettled,
    )
    for kind in (*kinds, events.Revealed):
        evening.next(kind)


def test_a_camera_that_fails_is_said_and_opened_again(
    build: Callable[..., Evening], virtual: VirtualTable, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, logger="companion.watch")
    attempts = 0
    troubles: list[str | None] = []

    class Failing(VirtualCamera):
        """A camera whose cable is pulled at the first picture."""

        def capture(self) -> watch.Frame:
            raise CameraFailed("camera 0 gives no more pictures: check its cable")

    def open_eye() -> tuple[Camera, watch.Read]:
        nonlocal attempts
        attempts += 1
        if attempts == 1:
            raise CameraFailed("camera 0 does not open")
        if attempts == 3:
            raise ZeroDivisionError("a fault nobody thought of")
        return (Failing if attempts == 2 else VirtualCamera)(virtual), truthful(virtual)

    evening = build(open_eye=open_eye)
    evening.rig.listen(lambda: troubles.append(evening.rig.trouble))
    evening.start()
    evening.next(events.SituationLaid)
    assert attempts == 4
    assert evening.rig.trouble is None
    said = caplog.text
    assert all(
        part in said for part in ("does not open", "check its cable", "nobody thought of", "sees the table")
    )


def test_an_evening_without_any_part_is_played_by_phone(tmp_path: Path) -> None:
    store = Store(tmp_path / "log.sqlite")
    table: CoronaTable = Table(store, SystemClock(), game)
    rig = Rig(table)
    rig.start()
    assert table.ask(game.Start(SEATS, "North")).ok
    assert table.ask(game.Lay(EASY)).ok
    assert (rig.latest(), rig.trouble) == (None, None)
    rig.close()
    table.close()
    store.close()


# Whether anything moved


def test_grain_and_a_flickering_lamp_are_no_move_but_a_piece_a_die_and_a_hand_are(
    virtual: VirtualTable,
) -> None:
    still = virtual.glance()
    rng = np.random.default_rng(1)
    grainy = np.clip(still * 1.04 + rng.normal(0, 3, still.shape), 0, 255).astype(np.uint8)
    assert moves(still, still) is None
    assert moves(still, grainy) is None
    piece = virtual.pieces[2]
    virtual.set_piece(2, piece.x + 8, piece.y)
    virtual.hold(False)
    assert moves(still, virtual.glance()) is not None
    virtual.set_piece(2, piece.x, piece.y)
    virtual.hold(True)
    assert moves(still, virtual.glance()) is not None
    virtual.hold(False)
    die = virtual.dice["blue"]
    virtual.set_die("blue", die.x, die.y + 6)
    virtual.hold(False)
    assert moves(still, virtual.glance()) is not None
