"""The doctor at the panel: every LED lit in turn, every button asked for, the buzzer sounded."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from queue import Empty, SimpleQueue
from typing import Any

from companion.doctor.findings import Finding, Person
from hardware.buzzer import Buzzer, Note
from hardware.header import pins_of
from hardware.pins import NoPins, open_parts, open_pins
from hardware.wiring import Part, Wiring

PATIENCE_S = 10.0
"""So long a button may take to be pressed."""
SHINE_S = 0.4
"""So long an LED is lit when nobody is asked."""
TUNE: tuple[Note, ...] = (("A4", 0.2), ("E5", 0.2), ("A5", 0.3))


def panel(
    wiring: Wiring,
    person: Person | None,
    pin_factory: Any = None,
    patience: float = PATIENCE_S,
    wait: Callable[[float], None] = time.sleep,
) -> Iterator[Finding]:
    """Tries every part of `wiring`; a button may take `patience` seconds, `wait` lets them pass.

    Without a `person` LEDs and buzzer are switched on and off, and buttons only looked at.
    """
    if not wiring.parts():
        yield Finding("absent", "panel", "no pin is named in the settings; corona wiring shows a wiring")
        return
    try:
        factory = pin_factory or open_pins()
    except NoPins as fault:
        yield Finding("fails", "panel", str(fault))
        return
    with ExitStack() as stack:
        opened, wrong = open_parts(wiring, factory)
        for device in opened.values():
            stack.callback(device.close)
        for part, why in wrong.items():
            yield Finding("fails", _name(part), why)
        for part, device in opened.items():
            if part.kind == "LED":
                yield _led(part, device, person, wait)
        yield from _buttons({p: d for p, d in opened.items() if p.kind == "button"}, person, patience)
        for part, device in opened.items():
            if part.kind == "buzzer":
                device.close()
                yield _buzzer(part, wiring, factory, person, wait)


def _led(part: Part, device: Any, person: Person | None, wait: Callable[[float], None]) -> Finding:
    device.on()
    if person is None:
        wait(SHINE_S)
        lit = None
    else:
        lit = person.ask(f"Is the LED of {part.name.removesuffix(' LED')} lit, and no other?")
    device.off()
    wrong = (
        f"does not shine alone: look at its wire to pin {_pin(part)}, its resistor, which way round it is, "
        "and panel.leds"
    )
    return _judged(part, lit, "shines", wrong, "was lit; nobody said whether it shone")


def _judged(part: Part, said: bool | None, right: str, wrong: str, unsaid: str) -> Finding:
    """What a person `said` of a part; None where nobody was asked, or answered."""
    if said is None:
        return Finding("unsure", _name(part), unsaid)
    return Finding("works", _name(part), right) if said else Finding("fails", _name(part), wrong)


def _buttons(devices: dict[Part, Any], person: Person | None, patience: float) -> Iterator[Finding]:
    pressed: SimpleQueue[Part] = SimpleQueue()
    for part, device in devices.items():
        device.when_activated = _putting(pressed, part)
    heard: set[Part] = set()
    for part, device in devices.items():
        if device.is_active:
            yield Finding(
                "fails",
                _name(part),
                "is pressed all the time: two of its four legs may be joined inside (turn it by a quarter), "
                "or panel.buttons is the other way round",
            )
        elif person is None:
            yield Finding("unsure", _name(part), "is not pressed; nobody was asked to press it")
        else:
            person.tell(f"Press the {_name(part)}, within {patience:g} seconds ...")
            came = _next(pressed, heard, patience)
            heard |= {part} & {came}
            yield _heard(part, came)


def _next(pressed: SimpleQueue[Part], heard: set[Part], patience: float) -> Part | None:
    """The next button that is pressed, in time; one that was `heard` before may be pressed twice."""
    until = time.monotonic() + patience
    while True:
        try:
            part = pressed.get(timeout=max(until - time.monotonic(), 0.0))
        except Empty:
            return None
        if part not in heard:
            return part


def _heard(wanted: Part, came: Part | None) -> Finding:
    if came is None:
        says = f"nothing came: look at its wire to pin {_pin(wanted)}, its other leg, and panel.buttons"
    elif came != wanted:
        says = f"{_name(came)} was heard instead: another was pressed, or wires are swapped"
    else:
        return Finding("works", _name(wanted), "is heard")
    return Finding("fails", _name(wanted), says)


def _buzzer(
    part: Part, wiring: Wiring, factory: Any, person: Person | None, wait: Callable[[float], None]
) -> Finding:
    tonal = wiring.buzzer_kind == "tonal"
    buzzer = Buzzer(part.gpio, tonal, factory, wiring.buzzer_level == "high")
    buzzer.play(TUNE)
    wait(sum(seconds for _, seconds in TUNE))
    heard = person.ask("Did the buzzer sound?") if person else None
    buzzer.close()
    wrong = (
        f"is silent: look at its wire to pin {_pin(part)}, which way round it is, "
        "panel.buzzer_kind and panel.buzzer_level"
    )
    return _judged(part, heard, "sounds", wrong, "was sent three notes; nobody said whether they sounded")


def _putting(pressed: SimpleQueue[Part], part: Part) -> Callable[[], None]:
    return lambda: pressed.put(part)


def _name(part: Part) -> str:
    return f"{part.name} (GPIO {part.gpio})"


def _pin(part: Part) -> int:
    return pins_of(f"GPIO {part.gpio}")[0]
