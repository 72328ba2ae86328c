"""The header, the table and the drawing of a wiring: all of the same joints, and true to the real header."""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
from gpiozero.pins.mock import MockFactory

from companion.config_panel import GPIO_PINS, RESERVED_PINS
from companion.wiring_sheet import drawing, table
from hardware.header import PINS, joints, pins_of
from hardware.wiring import DEFAULT, Wiring

ROOT = Path(__file__).parent.parent
SVG = "{http://www.w3.org/2000/svg}"
LOW = replace(DEFAULT, leds="low", buttons="3v3", buzzer_level="low")
MIXED = replace(DEFAULT, leds="low", sand=(4, 17, 27), setter_lamp=5)
EMPTY = Wiring()


def shuffled(seed: int) -> Wiring:
    """A wiring of all pins in any order."""
    free = [gpio for gpio in GPIO_PINS if gpio not in RESERVED_PINS]
    random.Random(seed).shuffle(free)
    return Wiring(tuple(free[:7]), tuple(free[7:13]), tuple(free[13:19]), free[19], free[20], free[21])


WIRINGS = [
    pytest.param(wiring, id=name)
    for name, wiring in {
        "default": DEFAULT,
        "low": LOW,
        "mixed": MIXED,
        "shuffled 1": shuffled(1),
        "shuffled 2": replace(shuffled(2), leds="low"),
        "one": Wiring(setter=21),
    }.items()
]


def test_the_header_is_the_one_that_gpiozero_knows() -> None:
    real = MockFactory().board_info.headers["J8"].pins
    names = [real[number].name.replace("GPIO", "GPIO ").replace("GND", "ground") for number in range(1, 41)]
    assert list(PINS) == names
    assert pins_of("GPIO 4") == [7] and pins_of("3V3") == [1, 17] and pins_of("GPIO 99") == []


def test_where_the_other_leg_goes() -> None:
    legs = {one.part: one.other_leg for one in joints(MIXED)}
    assert legs["sand 1"] == legs["seat 1 LED"] == legs["setter's LED"] == "470 ohm, then 3V3"
    assert legs["seat 1 button"] == legs["setter's button"] == legs["buzzer"] == "ground"
    assert {one.other for one in joints(LOW)} == {"3V3"}
    assert {one.other for one in joints(DEFAULT)} == {"ground"}


def test_the_table_has_a_line_for_every_part() -> None:
    lines = table(joints(DEFAULT))
    assert lines[0].split() == ["part", "GPIO", "pin", "other", "leg"]
    assert len(DEFAULT.parts()) == 22
    for part, line in zip(DEFAULT.parts(), lines[1:23], strict=True):
        assert re.match(rf"{part.name} +{part.gpio} +{pins_of(f'GPIO {part.gpio}')[0]}  ", line)
    assert table(joints(EMPTY)) == ["No part is wired."]


def texts(wiring: Wiring) -> list[tuple[str, float, float, float, str]]:
    """Every text of a drawing: what, where (mm), how large, and how it is anchored."""
    tree = ElementTree.fromstring(drawing(joints(wiring)))
    return [
        (
            node.text or "",
            float(node.attrib["x"]),
            float(node.attrib["y"]),
            float(node.attrib["font-size"]),
            node.attrib["text-anchor"],
        )
        for node in tree.iter(f"{SVG}text")
    ]


@pytest.mark.parametrize("wiring", WIRINGS)
def test_the_drawing_shows_every_part_in_the_row_of_its_pin(wiring: Wiring) -> None:
    shown = texts(wiring)
    rows = {text: y for text, _, y, _, _ in shown}
    for one in joints(wiring):
        pin = rows[str(one.pin)]
        assert rows[one.part] == pytest.approx(pin, abs=3)
        assert rows[f"GPIO {one.gpio}"] == rows[one.part]
    assert {str(number) for number in range(1, 41)} <= rows.keys()


@pytest.mark.parametrize("wiring", [*WIRINGS, pytest.param(EMPTY, id="empty")])
def test_no_text_of_the_drawing_lies_on_another_or_off_the_sheet(wiring: Wiring) -> None:
    boxes = []
    for text, x, y, size, anchor in texts(wiring):
        wide = len(text) * size * 0.56
        left = x - {"start": 0.0, "middle": wide / 2, "end": wide}[anchor]
        boxes.append((text, left, y - size * 0.75, left + wide, y + size * 0.2))
    for text, left, top, right, bottom in boxes:
        assert left > 8 and right < 202 and top > 8 and bottom < 289, text
    for number, (text, left, top, right, bottom) in enumerate(boxes):
        for other, left2, top2, right2, bottom2 in boxes[:number]:
            apart = right <= left2 or right2 <= left or bottom <= top2 or bottom2 <= top
            assert apart, (text, other)


def test_every_wire_leads_to_the_rail_of_its_supply() -> None:
    def ends(wiring: Wiring) -> set[float]:
        tree = ElementTree.fromstring(drawing(joints(wiring)))
        return {float(node.attrib["cx"]) for node in tree.iter(f"{SVG}circle") if node.attrib["r"] == "0.9"}

    assert ends(DEFAULT) == {14.0, 196.0}
    assert ends(LOW) == {21.0, 189.0}


def test_the_drawing_in_the_documents_is_that_of_the_default_wiring() -> None:
    written = (ROOT / "docs" / "wiring.svg").read_text(encoding="utf-8")
    assert written == drawing(joints(DEFAULT)), "draw it anew: corona wiring --out docs/wiring.svg"


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "companion", "wiring", *arguments],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )


def test_the_command_prints_the_wiring_of_the_settings_and_draws_the_same(tmp_path: Path) -> None:
    (tmp_path / "corona.toml").write_text("[panel]\nsetter = 21\nbuttons = '3v3'", encoding="utf-8")
    done = run(tmp_path, "--config", "corona.toml", "--json", "--out", "own.svg")
    assert (done.returncode, done.stdout.count("\n")) == (0, 1)
    assert json.loads(done.stdout) == {
        "part": "setter's button",
        "kind": "button",
        "gpio": 21,
        "pin": 40,
        "other": "3V3",
        "ohms": 0,
    }
    wired = joints(Wiring(setter=21, buttons="3v3"))
    assert (tmp_path / "own.svg").read_text(encoding="utf-8") == drawing(wired)


def test_faults_of_the_settings_and_a_place_that_cannot_be_written_are_said(tmp_path: Path) -> None:
    (tmp_path / "corona.toml").write_text("[panel]\nsetter = 2\nbuzzer = 99", encoding="utf-8")
    done = run(tmp_path, "--config", "corona.toml")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 2)
    done = run(tmp_path, "--out", "corona.toml/wiring.svg")
    assert (done.returncode, done.stdout) == (1, "")
    assert "choose another place" in done.stderr
