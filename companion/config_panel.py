"""The settings of the panel: which pins, which way round, and the faults between them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from companion import config_values as reads
from hardware.wiring import DEFAULT, Wiring

GPIO_PINS = range(28)
RESERVED_PINS = {0: "the ID EEPROM", 1: "the ID EEPROM", 2: "I2C", 3: "I2C", 14: "the UART", 15: "the UART"}
FREE_PINS = len(GPIO_PINS) - len(RESERVED_PINS)
LEVELS = ("high", "low")

DEFAULT_PINS: dict[str, Any] = {
    "sand_leds": list(DEFAULT.sand),
    "bid_buttons": list(DEFAULT.bids),
    "seat_leds": list(DEFAULT.lamps),
    "setter": DEFAULT.setter,
    "buzzer": DEFAULT.buzzer,
}
"""The default wiring, as it would be written in the settings."""
PIN_KEYS = {*DEFAULT_PINS, "setter_led"}


def _pin(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value not in GPIO_PINS:
        raise ValueError(f"must be a GPIO number from {GPIO_PINS[0]} to {GPIO_PINS[-1]}")
    if value in RESERVED_PINS:
        raise ValueError(f"names GPIO {value}, which is kept for {RESERVED_PINS[value]}: take another")
    return value


def _pin_or_none(value: Any) -> int | None:
    return None if value is False else _pin(value)


def _pins(most: int) -> reads.Read:
    def read(value: Any) -> tuple[int, ...]:
        if not isinstance(value, list) or len(value) > most:
            raise ValueError(f"must be a list of up to {most} GPIO numbers")
        pins, faults = [], []
        for pin in value:
            try:
                pins.append(_pin(pin))
            except ValueError as fault:
                faults.append(str(fault))
        if faults:
            raise ValueError("; ".join(faults))
        return tuple(pins)

    return read


@dataclass(frozen=True, slots=True)
class PanelConfig:
    """GPIO numbers of buttons and LEDs; an empty list or nothing where the part is missing.

    Where `wiring` is "default", the parts that were not written have the default wiring's numbers.
    """

    wiring: str = field(default="none", metadata={"read": reads.one_of(("none", "default"))})
    sand_leds: tuple[int, ...] = field(default=(), metadata={"read": _pins(FREE_PINS)})
    bid_buttons: tuple[int, ...] = field(default=(), metadata={"read": _pins(6)})
    seat_leds: tuple[int, ...] = field(default=(), metadata={"read": _pins(6)})
    setter: int | None = field(default=None, metadata={"read": _pin_or_none})
    setter_led: int | None = field(default=None, metadata={"read": _pin_or_none})
    buzzer: int | None = field(default=None, metadata={"read": _pin_or_none})
    bounce: float = field(default=0.02, metadata={"read": reads.seconds(0, 0.5)})
    buttons: Literal["ground", "3v3"] = field(
        default="ground", metadata={"read": reads.one_of(("ground", "3v3"))}
    )
    leds: Literal["high", "low"] = field(default="high", metadata={"read": reads.one_of(LEVELS)})
    buzzer_kind: Literal["tonal", "plain"] = field(
        default="tonal", metadata={"read": reads.one_of(("tonal", "plain"))}
    )
    buzzer_level: Literal["high", "low"] = field(default="high", metadata={"read": reads.one_of(LEVELS)})

    def as_wiring(self) -> Wiring:
        """The same, as the hardware takes it."""
        return Wiring(
            sand=self.sand_leds,
            bids=self.bid_buttons,
            lamps=self.seat_leds,
            setter=self.setter,
            setter_lamp=self.setter_led,
            buzzer=self.buzzer,
            bounce_s=self.bounce,
            buttons=self.buttons,
            leds=self.leds,
            buzzer_kind=self.buzzer_kind,
            buzzer_level=self.buzzer_level,
        )


def with_default_wiring(panel: Any) -> Any:
    """The section as written, and where it asks for the default wiring, the parts that it does not name."""
    if isinstance(panel, dict) and panel.get("wiring") == "default":
        return DEFAULT_PINS | panel
    return panel


def panel_faults(panel: Any) -> list[str]:
    """Faults between the settings of this section as written, which may each have faults of their own."""
    if not isinstance(panel, dict):
        return []
    whole = with_default_wiring(panel)
    users: dict[int, list[str]] = {}
    for key in sorted(PIN_KEYS & whole.keys(), key=[*panel, *DEFAULT_PINS].index):
        name = f"panel.{key}" if key in panel else f"panel.{key} of the default wiring"
        for pin in whole[key] if isinstance(whole[key], list) else [whole[key]]:
            if type(pin) is int and pin in GPIO_PINS:
                users.setdefault(pin, []).append(name)
    errors = [
        f"GPIO {pin} is used more than once: {', '.join(names)}."
        for pin, names in sorted(users.items())
        if len(names) > 1
    ]
    buttons, lamps = whole.get("bid_buttons"), whole.get("seat_leds")
    if isinstance(buttons, list) and isinstance(lamps, list) and 0 < len(buttons) < len(lamps):
        errors.append(
            f"panel.seat_leds has {len(lamps)} LEDs, but panel.bid_buttons only {len(buttons)}: "
            "every LED stands beside the button of its seat."
        )
    return errors
