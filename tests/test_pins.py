"""The pins at the start: what cannot be used is said, all of it at once, and nothing stays open or lit."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import gpiozero
import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from companion.config import parse
from companion.play import CannotPlay, run_play
from hardware import pins
from hardware.pins import NoPins, faults, open_pins
from hardware.virtual import VirtualPins
from hardware.wiring import DEFAULT, Wiring


class Busy(Exception):
    """As lgpio says it: no OSError, and its text in quotes."""

    def __str__(self) -> str:
        return "'GPIO busy'"


class BusyPins(MockFactory):  # type: ignore[misc]  # gpiozero has no types
    """Pins of which the kernel holds some."""

    def __init__(self, held: set[str]) -> None:
        super().__init__(pin_class=MockPWMPin)
        self._held = held

    def pin(self, name: Any, *rest: Any, **named: Any) -> Any:
        if f"GPIO{name}" in self._held:
            raise Busy
        return super().pin(name, *rest, **named)


def test_pins_that_are_free_have_no_faults_and_are_let_go() -> None:
    factory = VirtualPins()
    assert faults(DEFAULT, factory) == []
    assert faults(DEFAULT, factory) == []


def test_every_pin_that_is_held_is_named_at_once() -> None:
    found = faults(DEFAULT, BusyPins({"GPIO7", "GPIO8", "GPIO26"}))
    assert [sentence.split(" cannot")[0] for sentence in found] == [
        "GPIO 8 (seat 3 button)",
        "GPIO 7 (seat 3 LED)",
        "GPIO 26 (buzzer)",
    ]
    assert "SPI" in found[0] and "SPI" not in found[2]


def test_one_gpio_for_two_parts_and_one_that_is_none_are_said() -> None:
    found = faults(Wiring(bids=(18, 18), buzzer=77), VirtualPins())
    assert found[0].startswith("GPIO 18 (seat 2 button) cannot be used: it is in use")
    assert found[1].startswith("GPIO 77 (buzzer) cannot be used")
    assert len(found) == 2


def test_lamps_that_light_at_a_low_level_stay_dark_and_so_does_the_buzzer() -> None:
    factory = VirtualPins()
    lit: list[float] = []
    wiring = Wiring(sand=(4,), buzzer=26, leds="low", buzzer_level="low")
    for part in wiring.parts():
        device = pins.open_part(part, wiring, factory)
        lit.append(factory.level(part.gpio))
        device.close()
    assert lit == [1, 1]


@pytest.fixture
def no_factory(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> pytest.MonkeyPatch:
    """As a process that has not touched a pin yet."""
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "lgpio")
    monkeypatch.setenv("LG_WD", str(tmp_path))
    monkeypatch.delitem(sys.modules, "gpiozero.pins.lgpio", raising=False)
    monkeypatch.setattr(gpiozero.Device, "pin_factory", None)
    return monkeypatch


def test_without_its_library_it_is_said_what_to_install(no_factory: pytest.MonkeyPatch) -> None:
    no_factory.setitem(sys.modules, "lgpio", None)
    with pytest.raises(NoPins, match="sudo apt install python3-lgpio"):
        open_pins()


@pytest.mark.parametrize(
    ("mode", "sentence"), [(None, "has no GPIO pins"), (0o000, "usermod -aG gpio"), (0o600, "GPIO busy")]
)
def test_a_chip_that_does_not_open_says_why(
    no_factory: pytest.MonkeyPatch, tmp_path: Path, mode: int | None, sentence: str
) -> None:
    def refuse() -> None:
        raise Busy

    no_factory.setattr(gpiozero.Device, "_default_pin_factory", refuse)
    if mode is not None:
        (tmp_path / "gpiochip0").touch()
        no_factory.setattr(pins.os, "access", lambda *_: mode != 0)
    with pytest.raises(NoPins, match=sentence):
        open_pins(tmp_path)


def test_an_opened_factory_is_the_one_that_all_use(no_factory: pytest.MonkeyPatch) -> None:
    factory = VirtualPins()
    no_factory.setattr(gpiozero.Device, "_default_pin_factory", lambda: factory)
    assert open_pins() is factory
    assert gpiozero.Device.pin_factory is factory


def test_what_this_machine_says_of_lgpio_is_one_sentence(no_factory: pytest.MonkeyPatch) -> None:
    """A stand-in for lgpio that opens no chip, as on a laptop, below gpiozero's real factory."""
    stand_in = ModuleType("lgpio")
    for name in (
        "SET_PULL_NONE",
        "SET_PULL_UP",
        "SET_PULL_DOWN",
        "BOTH_EDGES",
        "RISING_EDGE",
        "FALLING_EDGE",
    ):
        setattr(stand_in, name, 0)

    def gpiochip_open(_: int) -> int:
        raise Busy

    stand_in.gpiochip_open = gpiochip_open  # type: ignore[attr-defined]
    no_factory.setitem(sys.modules, "lgpio", stand_in)
    with pytest.raises(NoPins) as caught:
        open_pins()
    assert "\n" not in str(caught.value)


def test_play_says_every_pin_that_cannot_be_used_at_once(
    no_factory: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    no_factory.setattr(gpiozero.Device, "pin_factory", BusyPins({"GPIO4", "GPIO5", "GPIO26"}))
    config = parse('[table]\nfolder = "log"\n[panel]\nwiring = "default"', tmp_path)
    with pytest.raises(CannotPlay) as caught:
        run_play(config)
    assert [line.split(" cannot")[0] for line in str(caught.value).splitlines()] == [
        "GPIO 5 (sand 1)",
        "GPIO 4 (sand 8)",
        "GPIO 26 (buzzer)",
    ]
    assert not (tmp_path / "log").exists(), "nothing is begun before the pins are known to work"
