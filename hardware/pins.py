"""The pins of this machine: opened, or said why not, with every pin that cannot be used named at once."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

from gpiozero import LED, Device, DigitalInputDevice

from hardware.wiring import Part, Wiring

ALSO_FOR = {
    4: "1-Wire",
    **dict.fromkeys((7, 8, 9, 10, 11), "SPI"),
    **dict.fromkeys((18, 19, 20, 21), "I2S sound"),
}
"""What may hold a GPIO when it is switched on in the Pi's settings."""


class NoPins(OSError):
    """This machine's pins cannot be used; one sentence says why, and what to do."""


def open_pins(devices: Path = Path("/dev")) -> Any:
    """The pin factory of this machine, gpiozero's default from now on. Raises `NoPins`."""
    # lgpio is the one library for all Pis; it writes into the working directory unless told where else.
    os.environ.setdefault("GPIOZERO_PIN_FACTORY", "lgpio")
    os.environ.setdefault("LG_WD", tempfile.gettempdir())
    try:
        Device.ensure_pin_factory()
    except ModuleNotFoundError as fault:
        raise NoPins(
            f"the pins' library is missing ({fault.name}): sudo apt install python3-lgpio"
        ) from fault
    except Exception as fault:  # lgpio's own errors are plain exceptions
        raise NoPins(_why_none(fault, devices)) from fault
    return Device.pin_factory


def faults(wiring: Wiring, pin_factory: Any) -> list[str]:
    """One sentence for every part of `wiring` whose pin cannot be used; lamps stay dark."""
    opened, wrong = open_parts(wiring, pin_factory)
    for device in opened.values():
        device.close()
    return [f"GPIO {part.gpio} ({part.name}) cannot be used: {why}" for part, why in wrong.items()]


def open_parts(wiring: Wiring, pin_factory: Any) -> tuple[dict[Part, Any], dict[Part, str]]:
    """Every part of `wiring` that can be opened, with its device, and why the others cannot."""
    opened: dict[Part, Any] = {}
    wrong: dict[Part, str] = {}
    for part in wiring.parts():
        try:
            opened[part] = open_part(part, wiring, pin_factory)
        except Exception as fault:  # as above
            wrong[part] = _why_not(fault, part.gpio)
    return opened, wrong


def open_part(part: Part, wiring: Wiring, pin_factory: Any) -> Any:
    """The gpiozero device of a button or an LED, dark at first; a buzzer's pin as one that is silent.

    Raises whatever the pins raise.
    """
    if part.kind == "button":
        return DigitalInputDevice(
            part.gpio,
            pull_up=wiring.buttons == "ground",
            bounce_time=wiring.bounce_s,
            pin_factory=pin_factory,
        )
    level = wiring.leds if part.kind == "LED" else wiring.buzzer_level
    return LED(part.gpio, active_high=level == "high", pin_factory=pin_factory)


def _why_none(fault: Exception, devices: Path) -> str:
    chips = sorted(devices.glob("gpiochip*"))
    if not chips:
        return "this machine has no GPIO pins: leave [panel] empty, or play on a Raspberry Pi"
    if not all(os.access(chip, os.R_OK | os.W_OK) for chip in chips):
        return (
            "this user may not use the pins: sudo usermod -aG gpio $USER, "
            "then log out and in again (or restart)"
        )
    return f"the pins cannot be used: {_said(fault)}; without buttons and lamps, leave [panel] empty"


def _why_not(fault: Exception, gpio: int) -> str:
    said = _said(fault)
    if "busy" in said or "in use" in said:
        also = ALSO_FOR.get(gpio)
        other = f" or {also} (off in raspi-config, Interface Options)" if also else ""
        return f"it is in use; stop the other program that holds it{other}, or take another GPIO"
    return said


def _said(fault: Exception) -> str:
    """What an exception says; lgpio puts its own words in quotes."""
    return str(fault).strip("'\"") or type(fault).__name__
