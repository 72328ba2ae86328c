"""Hourglass, buzzer and cameras on mock pins and real files, without a game."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware import sand
from hardware.buzzer import Buzzer
from hardware.hourglass import Hourglass
from hardware.virtual import VirtualPins
from hardware.wiring import Wiring

PATIENCE = 20.0
WIRING = Wiring(
    sand=(4, 17, 27, 22), bids=(18, 23, 24), lamps=(6, 13, 19), setter=20, setter_lamp=26, buzzer=21
)


# The sand


@pytest.mark.parametrize(
    ("left", "lit"), [(60.0, 4.0), (45.0, 3.0), (30.0, 2.0), (29.9, 2.0), (15.0, 1.0), (0.0, 0.0)]
)
def test_the_lamps_show_what_is_left(left: float, lit: float) -> None:
    assert sum(sand.levels(left, 60.0, 4)) == pytest.approx(lit)


@given(st.floats(10, 300), st.integers(1, 22))
def test_sand_runs_down_lamp_by_lamp_in_small_steps(seconds: float, lamps: int) -> None:
    left, before, moments = seconds, (1.0,) * lamps, 0
    while left > sand.BREATHING_S:
        now = sand.levels(left, seconds, lamps)
        assert all(0 <= level <= was <= 1 for level, was in zip(now, before, strict=True))
        assert sorted(now, reverse=True) == list(now), "the last lamp empties first"
        assert sum(before) - sum(now) <= 1 / sand.LEVELS + 1e-9, "no step is left out"
        left, before, moments = left - sand.lasts(left, seconds, lamps) - 1e-9, now, moments + 1
    assert moments <= lamps * sand.LEVELS + 1, "it is looked at no more often than it changes"


@given(st.floats(0.001, 10), st.floats(10, 300), st.integers(1, 22))
def test_the_last_ten_seconds_breathe_and_still_show_what_is_left(
    left: float, seconds: float, lamps: int
) -> None:
    now = sand.levels(left, seconds, lamps)
    full = -(-left * lamps // seconds)
    assert sum(level > 0 for level in now) == full, "no lamp that holds sand goes out"
    assert 0 < sand.lasts(left, seconds, lamps) <= sand.FRAME_S
    if full > 1:
        assert sand.DIMMEST <= now[0] <= 1


def test_a_breath_is_calm() -> None:
    frames = [sand.levels(10 - k / 100, 10.0, 8)[0] for k in range(800)]
    turns = [k for k in range(1, 799) if (frames[k] - frames[k - 1]) * (frames[k + 1] - frames[k]) < 0]
    assert max(frames) > 0.99 and min(frames) == pytest.approx(sand.DIMMEST)
    assert len(turns) in (5, 6), "bright and dim again, two and a half seconds each"
    assert max(abs(b - a) for a, b in pairwise(frames)) < 0.02


def test_the_flash_is_short_and_ends_in_the_dark() -> None:
    since, shown = 0.0, []
    while (now := sand.flash(since)) is not None:
        shown.append(now[0])
        since += now[1]
    assert shown == [1, 0, 1, 0, 1]
    assert since == pytest.approx(sand.FLASH_S)
    assert sand.flash(-1.0) is None


# The hourglass


class Steps:
    """A clock moved by hand."""

    def __init__(self) -> None:
        self.now = 50.0

    def __call__(self) -> float:
        return self.now


class Glass:
    """An hourglass on a clock that is moved by hand; `now` is what its lamps show."""

    def __init__(self, wiring: Wiring = WIRING) -> None:
        self.clock, self.pins, self._wiring = Steps(), VirtualPins(), wiring
        self.hourglass = Hourglass(wiring.sand, self.clock, self.pins, wiring.leds == "high")

    @property
    def now(self) -> list[float]:
        with self.hourglass._change:  # its thread holds this while it works
            self.hourglass._show()  # as its thread does when it wakes
            levels = [self.pins.level(number) for number in self._wiring.sand]
        return levels if self._wiring.leds == "high" else [1 - level for level in levels]

    def after(self, seconds: float) -> list[float]:
        self.clock.now += seconds
        return self.now


@pytest.fixture
def glass() -> Iterator[Glass]:
    made = Glass()
    yield made
    made.hourglass.close()


ALL, NONE = [1.0] * 4, [0.0] * 4


def test_an_hourglass_is_dark_until_it_is_turned_and_runs_down_by_itself() -> None:
    pins = VirtualPins()
    lit, empty = threading.Event(), threading.Event()
    hourglass = Hourglass(WIRING.sand, pin_factory=pins)
    assert [pins.level(number) for number in WIRING.sand] == NONE
    pins.listen(lambda: (lit if pins.level(4) else empty).set())
    hourglass.turn(0.05)
    assert lit.wait(PATIENCE)
    assert empty.wait(PATIENCE)
    hourglass.close()


def test_the_end_flashes_and_then_it_is_dark(glass: Glass) -> None:
    glass.hourglass.turn(60.0)
    assert glass.now == ALL
    assert glass.after(30.0) == [1, 1, 0, 0]
    assert glass.after(30.0) == ALL
    assert glass.after(0.3) == NONE
    assert glass.after(0.2) == ALL
    assert glass.after(0.6) == NONE
    assert glass.after(0.2) == NONE


def test_an_hourglass_turned_earlier_shows_what_is_left(glass: Glass) -> None:
    glass.hourglass.turn(60.0, 15.0)
    assert glass.now == [1, 0, 0, 0]
    glass.hourglass.turn(60.0, 45.0)
    assert glass.now == [1, 1, 1, 0]


@pytest.mark.parametrize("left", [0.0, -3600.0])
def test_sand_that_ran_out_while_nobody_looked_does_not_flash(glass: Glass, left: float) -> None:
    glass.hourglass.turn(60.0, left)
    assert glass.now == NONE


def test_sand_that_runs_and_is_told_to_be_out_flashes_once(glass: Glass) -> None:
    glass.hourglass.turn(60.0)
    glass.after(59.9)
    glass.hourglass.run_out()
    assert glass.now == ALL
    assert glass.after(1.1) == NONE
    glass.hourglass.run_out()
    assert glass.now == NONE
    glass.hourglass.turn(60.0)
    assert glass.now == ALL
    assert glass.after(60.5) == ALL, "the next turn flashes again"


def test_a_clock_that_was_ahead_flashes_once(glass: Glass) -> None:
    glass.hourglass.turn(60.0)
    glass.after(60.0)
    glass.hourglass.run_out()
    assert glass.after(0.3) == NONE
    assert glass.after(0.8) == NONE


def test_a_cancelled_hourglass_is_dark_at_once_without_a_flash(glass: Glass) -> None:
    glass.hourglass.turn(60.0)
    assert glass.now == ALL
    glass.hourglass.stop()
    assert glass.now == NONE
    assert glass.after(60.0) == NONE


def test_a_flash_that_has_begun_ends_by_itself(glass: Glass) -> None:
    glass.hourglass.turn(60.0)
    glass.after(60.0)
    glass.hourglass.stop()
    assert glass.now == ALL
    assert glass.after(1.0) == NONE


def test_lamps_that_light_at_a_low_level_are_dark_at_a_high_one() -> None:
    glass = Glass(replace(WIRING, leds="low"))
    assert glass.now == NONE
    glass.hourglass.turn(60.0, 30.0)
    assert glass.now == [1, 1, 0, 0]
    glass.hourglass.stop()
    assert glass.now == NONE
    glass.hourglass.close()


def test_only_a_dimmed_lamp_is_switched_on_and_off(glass: Glass) -> None:
    """Software does the dimming, a hundred times a second; at rest there is none."""

    def dimmed() -> list[int]:
        return [number for number in WIRING.sand if glass.pins.pin(f"GPIO{number}").frequency]

    assert glass.now == NONE and dimmed() == []
    glass.hourglass.turn(60.0)
    assert glass.now == ALL and dimmed() == []
    assert glass.after(20.0)[2] not in (0.0, 1.0) and dimmed() == [27]
    glass.hourglass.stop()
    assert glass.now == NONE and dimmed() == []


# The buzzer


@pytest.mark.parametrize("tonal", [True, False])
def test_a_tune_sounds_and_ends_in_silence(tonal: bool) -> None:
    pins = VirtualPins()
    heard: list[bool] = []
    over = threading.Event()

    def listen() -> None:
        heard.append(pins.level(21) > 0)
        if heard == [True, False, True, False]:
            over.set()

    buzzer = Buzzer(21, tonal, pins)
    pins.listen(listen)
    buzzer.play([("A4", 0.01), (None, 0.01), ("E5", 0.01)])
    assert over.wait(PATIENCE)
    buzzer.close()


@pytest.mark.parametrize("tonal", [True, False])
def test_a_buzzer_that_sounds_at_a_low_level_rests_at_a_high_one(tonal: bool) -> None:
    pins = VirtualPins()
    buzzer = Buzzer(21, tonal, pins, active_high=False)
    assert pins.level(21) == 1
    sounds, rests = threading.Event(), threading.Event()
    pins.listen(lambda: (rests if pins.level(21) == 1 else sounds).set())
    buzzer.play([("A4", 0.01)])
    assert sounds.wait(PATIENCE) and rests.wait(PATIENCE)
    buzzer.close()


def test_a_buzzer_closed_in_mid_tune_is_silent() -> None:
    pins = VirtualPins()
    sounds = threading.Event()
    pins.listen(sounds.set)
    buzzer = Buzzer(21, True, pins)
    buzzer.play([("A4", 3600.0)])
    assert sounds.wait(PATIENCE)
    buzzer.close()
    assert pins.level(21) == 0
