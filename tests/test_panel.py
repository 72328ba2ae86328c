"""The panel on bouncing pins: one press is one press, at its edge; long, double, held and stuck buttons."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from hardware import panel as panels
from hardware import setter as setters
from hardware.panel import Panel
from hardware.virtual import VirtualPins
from hardware.wiring import Wiring
from tests.edges import CHATTER_S, BouncingPins

PATIENCE = 20.0
WIRING = Wiring(bids=(18, 23, 24), lamps=(6, 13, 19), setter=20, setter_lamp=26)
LONG, SHORT = "long", "short"


class Heard:
    """A panel on bouncing pins, and what it told: a seat or what the setter did, and when."""

    def __init__(self, wiring: Wiring = WIRING, held: tuple[int, ...] = ()) -> None:
        self.pins = BouncingPins(held=held)
        self.told: list[tuple[int | str, float]] = []
        self.panel = Panel(
            wiring,
            lambda seat, at: self.told.append((seat, at)),
            lambda at: self.told.append((SHORT, at)),
            self.pins.clock,
            self.pins,
            lambda at: self.told.append((LONG, at)),
        )

    def lamps(self) -> list[float]:
        return [self.pins.level(number) for number in (*WIRING.lamps, 26)]


@pytest.fixture
def heard() -> Iterator[Heard]:
    made = Heard()
    yield made
    made.panel.close()


# Bid buttons


def test_a_bouncing_press_is_one_press_at_its_last_bounce_and_the_bounce_time(heard: Heard) -> None:
    told = heard.pins.press(24, 1.0, rng=Random(1))
    assert 1.0 + WIRING.bounce_s <= told <= 1.0 + WIRING.bounce_s + CHATTER_S
    heard.pins.run(2.0)
    assert heard.told == [(2, told)]


def test_every_press_is_told_once_and_in_order(heard: Heard) -> None:
    rng = Random(7)
    wanted = []
    at = dict.fromkeys(range(3), 1.0)
    for _ in range(300):
        seat = rng.randrange(3)
        held = rng.uniform(0.03, 0.4)
        wanted.append((seat, heard.pins.press(WIRING.bids[seat], at[seat], held, rng)))
        at[seat] += held + rng.uniform(0.03, 0.5)
    heard.pins.run(300.0)
    assert heard.told == sorted(wanted, key=lambda press: press[1])


def test_a_button_that_is_held_bids_once_and_a_double_press_twice(heard: Heard) -> None:
    heard.pins.press(18, 1.0, held=30.0)
    heard.pins.press(23, 2.0, held=0.06)
    heard.pins.press(23, 2.15, held=0.06)
    heard.pins.run(60.0)
    assert [seat for seat, _ in heard.told] == [0, 1, 1]


def test_what_is_shorter_than_the_bounce_time_is_no_press(heard: Heard) -> None:
    heard.pins.press(18, 1.0, held=0.015)
    heard.pins.run(2.0)
    assert heard.told == []


def test_of_two_presses_the_earlier_edge_is_told_first(heard: Heard) -> None:
    heard.pins.press(23, 1.001)
    heard.pins.press(18, 1.0)
    heard.pins.run(2.0)
    assert [seat for seat, _ in heard.told] == [0, 1]


def test_a_button_held_down_at_the_start_waits_for_its_next_press_and_stops_no_other() -> None:
    heard = Heard(held=(18, 20))
    heard.pins.press(23, 1.0)
    heard.pins.run(5.0)
    assert heard.told == [(1, 1.0 + WIRING.bounce_s)]
    heard.pins.release(18, 6.0)
    heard.pins.release(20, 6.0)
    heard.pins.run(7.0)
    assert len(heard.told) == 1
    heard.pins.press(18, 8.0)
    heard.pins.press(20, 8.0)
    heard.pins.run(9.0)
    assert [who for who, _ in heard.told[1:]] == [0, SHORT]
    heard.panel.close()


def test_buttons_that_close_to_the_supply_are_pressed_by_a_high_level() -> None:
    heard = Heard(replace(WIRING, buttons="3v3"))
    assert heard.pins.pin("GPIO18").pull == "down"
    heard.pins.press(18, 1.0, rng=Random(2))
    heard.pins.press(20, 1.0, rng=Random(3))
    heard.pins.run(2.0)
    assert [who for who, _ in heard.told] == [0, SHORT]
    heard.panel.close()


def test_all_buttons_have_the_same_bounce_time(heard: Heard) -> None:
    bounces = [heard.pins.pin(f"GPIO{number}").bounce for number in (*WIRING.bids, 20)]
    assert bounces == [WIRING.bounce_s] * 4


def test_a_press_has_the_time_of_its_edge_however_late_its_callback_comes() -> None:
    pins = VirtualPins()
    told: list[float] = []
    late = iter((7.0, 7.0))
    panel = Panel(WIRING, lambda _, at: told.append(at), lambda _: None, lambda: next(late), pins)
    button = pins.pin("GPIO18")
    button._when_changed()(pins.ticks() - 0.3, False)  # as lgpio does: told now, stamped before
    button._when_changed()(pins.ticks(), True)
    button._when_changed()(1.7e9, False)  # a kernel that stamps with the date
    panel.close()
    assert told == [pytest.approx(6.7, abs=0.2), 7.0]


def test_a_fault_in_what_hears_of_a_press_is_logged_and_stops_no_button(
    caplog: pytest.LogCaptureFixture,
) -> None:
    pins = BouncingPins()
    told: list[int] = []

    def hear(seat: int, _at: float) -> None:
        told.append(seat)
        raise RuntimeError("no table")

    panel = Panel(WIRING, hear, lambda _: None, pins.clock, pins)
    pins.press(18, 1.0)
    pins.press(23, 2.0)
    pins.run(3.0)
    panel.close()
    assert told == [0, 1]
    assert "no table" in caplog.text


# The setter's button


def test_a_short_press_is_told_at_its_release(heard: Heard) -> None:
    heard.pins.hold(20, 1.0)
    heard.pins.run(1.5)
    assert heard.told == []
    told = heard.pins.release(20, 1.6, Random(4))
    heard.pins.run(2.0)
    assert heard.told == [(SHORT, told)]


def test_a_long_press_is_told_once_and_is_no_short_one(heard: Heard) -> None:
    heard.pins.press(20, 1.0, held=setters.LONG_S)
    heard.pins.run(4.0)
    assert [who for who, _ in heard.told] == [LONG]


def test_a_long_press_is_told_while_it_is_held(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(setters, "LONG_S", 0.05)
    pins, told, long = VirtualPins(), [], threading.Event()
    panel = Panel(WIRING, lambda *_: None, told.append, pins.ticks, pins, lambda _: long.set())
    pins.hold(20)
    assert long.wait(PATIENCE)
    pins.release(20)
    panel.close()
    assert told == []


def test_a_double_press_is_one_step_however_often_it_is_pressed(heard: Heard) -> None:
    for number in range(6):
        heard.pins.press(20, 1.0 + 0.3 * number, held=0.1)
    heard.pins.press(20, 4.0, held=0.1)
    heard.pins.run(6.0)
    assert [round(at, 2) for _, at in heard.told] == [1.12, 4.12]


def test_a_press_after_the_clock_began_anew_is_no_double_press() -> None:
    told: list[float] = []
    setter = setters.Setter(told.append, None, lambda: 0.0)
    for at in (3000.0, 5.0):  # the second one in the next game
        setter.pressed(at)
        setter.released(at + 0.1)
    assert told == [3000.1, 5.1]


def test_the_setter_and_a_bidder_do_not_wait_for_each_other(heard: Heard) -> None:
    heard.pins.hold(20, 1.0)
    heard.pins.press(18, 1.2)
    heard.pins.run(1.5)
    assert [who for who, _ in heard.told] == [0]


def test_without_long_presses_every_press_is_a_short_one() -> None:
    pins, told = BouncingPins(), []
    panel = Panel(WIRING, lambda *_: None, told.append, pins.clock, pins)
    pins.press(20, 1.0, held=3.0)
    pins.run(5.0)
    panel.close()
    assert told == [4.0 + WIRING.bounce_s]


# Lamps


def test_lamps_show_what_they_are_told(heard: Heard) -> None:
    heard.panel.show(["off", "on"], setter="on")
    assert heard.lamps() == [0, 1, 0, 1]
    heard.panel.show(["on", "off", "on", "on"])
    assert heard.lamps() == [1, 0, 1, 0]


def test_lamps_that_light_at_a_low_level() -> None:
    heard = Heard(replace(WIRING, leds="low"))
    assert heard.lamps() == [1, 1, 1, 1]
    heard.panel.show(["off", "on"])
    assert heard.lamps() == [1, 0, 1, 1]
    heard.panel.close()


class Watched:
    """The levels of one lamp, one after the other."""

    def __init__(self, number: int) -> None:
        self.pins, self._number = VirtualPins(), number
        self.seen: list[float] = []
        self._change = threading.Condition()
        self.pins.listen(self._heard)
        self.panel = Panel(WIRING, lambda *_: None, lambda _: None, lambda: 0.0, self.pins)

    def _heard(self) -> None:
        with self._change:
            if self.seen[-1:] != [level := self.pins.level(self._number)]:
                self.seen.append(level)
            self._change.notify_all()

    def until(self, changes: int) -> list[float]:
        with self._change:
            assert self._change.wait_for(lambda: len(self.seen) >= changes, PATIENCE), self.seen
            return self.seen[:changes]


def test_a_blinking_lamp_goes_on_and_off_until_told_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(panels, "BLINK_S", 0.01)
    watched = Watched(6)
    watched.panel.show(["blink"])
    assert watched.until(7)[-6:] in ([1, 0, 1, 0, 1, 0], [0, 1, 0, 1, 0, 1])
    watched.panel.show(["off"])
    assert watched.pins.level(6) == 0
    watched.panel.close()


@pytest.mark.parametrize(
    ("before", "meanwhile", "after"), [("on", "on", 1), ("off", "on", 1), ("on", "off", 0)]
)
def test_a_lamp_that_flickered_shows_what_it_was_told_meanwhile(
    before: panels.Lamp, meanwhile: panels.Lamp, after: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # As fast as ever, but it ends when the test says so: even on a slow machine it was seen by then.
    monkeypatch.setattr(panels, "FLICKERS", panels.FLICKERS * 1000)
    monkeypatch.setattr(panels, "FLICKER_S", panels.FLICKER_S * 1000)
    watched = Watched(13)
    watched.panel.show(["off", before])
    watched.panel.flicker(1)
    watched.panel.flicker(1)
    (flickering,) = watched.panel._flickering.values()
    watched.panel.show(["off", meanwhile])
    assert watched.until(4)[-3:] in ([1, 0, 1], [0, 1, 0])
    flickering.cancel()
    flickering.function(*flickering.args)
    assert watched.pins.level(13) == after
    watched.panel.close()


def test_a_seat_without_a_lamp_flickers_nothing(heard: Heard) -> None:
    for seat in (-1, 3, 99):
        heard.panel.flicker(seat)
    assert heard.lamps() == [0, 0, 0, 0]


def test_a_panel_that_is_closed_while_a_lamp_flickers_lets_all_go(heard: Heard) -> None:
    heard.panel.flicker(0)
    heard.panel.close()
    heard.panel.flicker(0)
    heard.panel.show(["on"])
    heard.panel.close()


def test_a_panel_that_cannot_be_wired_lets_its_pins_go() -> None:
    pins = VirtualPins()
    with pytest.raises(Exception, match="GPIO18"):
        Panel(Wiring(bids=(18, 18)), lambda *_: None, lambda _: None, lambda: 0.0, pins)
    Panel(Wiring(bids=(18,)), lambda *_: None, lambda _: None, lambda: 0.0, pins).close()
