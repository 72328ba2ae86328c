"""The settings: every fault at once, defaults, paths; and docs/config.md holds every one of them."""

from __future__ import annotations

import dataclasses
import re
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from companion.config import BadConfig, Config, load, parse, settings
from companion.config_panel import GPIO_PINS, RESERVED_PINS
from companion.games.corona import rules, seating
from hardware.wiring import DEFAULT, Wiring

DOCS = Path(__file__).parents[1] / "docs" / "config.md"


def errors_of(text: str) -> list[str]:
    with pytest.raises(BadConfig) as caught:
        parse(text, Path("/etc"))
    return caught.value.errors


def test_an_empty_file_is_all_defaults() -> None:
    assert parse("", Path("/etc")) == Config()


def test_a_full_file_is_read(tmp_path: Path) -> None:
    file = tmp_path / "corona.toml"
    file.write_text(
        """
        [table]
        folder = "log"
        [web]
        host = "127.0.0.1"
        port = 8080
        [game]
        edition = "de"
        hourglass = 90
        opening_bid = 9
        ending = { doubled = true }
        [camera]
        kind = "folder"
        folder = "/pictures"
        profile = "~/set.json"
        device = 1
        mains_hz = 60
        [panel]
        sand_leds = [4, 5, 6, 7]
        bid_buttons = [8, 9]
        seat_leds = [10, 11]
        setter = 12
        setter_led = 16
        buzzer = 13
        bounce = 0.05
        buttons = "3v3"
        leds = "low"
        buzzer_kind = "plain"
        buzzer_level = "low"
        """,
        encoding="utf-8",
    )
    config = load(file)
    assert config.table.folder == tmp_path / "log"
    assert (config.web.host, config.web.port) == ("127.0.0.1", 8080)
    assert dataclasses.astuple(config.game) == ("de", 90, 9, ("doubled", None))
    assert config.camera.folder == Path("/pictures")
    assert config.camera.profile == Path.home() / "set.json"
    assert (config.camera.kind, config.camera.device, config.camera.mains_hz) == ("folder", 1, 60)
    assert config.panel.as_wiring() == Wiring(
        (4, 5, 6, 7), (8, 9), (10, 11), 12, 16, 13, 0.05, "3v3", "low", "plain", "low"
    )


def test_a_usb_camera_may_be_named_by_its_path() -> None:
    path = "/dev/v4l/by-id/usb-the-camera-index0"
    assert parse(f'[camera]\nkind = "usb"\ndevice = "{path}"', Path()).camera.device == path
    assert errors_of(f'[camera]\nkind = "picamera2"\ndevice = "{path}"') == [
        'camera.device must be a number: only a camera of the kind "usb" has a path.'
    ]
    assert errors_of('[camera]\nkind = "usb"\ndevice = "video0"') == [
        'camera.device must be a whole number from 0 to 63, or a path that begins with "/dev/".'
    ]


def test_the_default_wiring_is_taken_whole_or_with_parts_of_ones_own() -> None:
    assert parse("[panel]", Path()).panel.as_wiring() == Wiring()
    assert parse('[panel]\nwiring = "default"', Path()).panel.as_wiring() == DEFAULT
    own = parse('[panel]\nwiring = "default"\nsand_leds = [4, 17]\nbuzzer = false\nsetter_led = 26', Path())
    assert own.panel.as_wiring() == replace(DEFAULT, sand=(4, 17), buzzer=None, setter_lamp=26)


def test_what_the_default_wiring_uses_already_is_said() -> None:
    assert errors_of('[panel]\nwiring = "default"\nbuzzer = 4\nsetter_led = 26') == [
        "GPIO 4 is used more than once: panel.buzzer, panel.sand_leds of the default wiring."
    ]
    assert errors_of('[panel]\nwiring = "defautl"\nbuttons = "5v"') == [
        'panel.buttons must be "ground" or "3v3".',
        'panel.wiring must be "none" or "default"; did you mean default?',
    ]


def test_an_led_without_its_button_is_refused() -> None:
    (error,) = errors_of("[panel]\nbid_buttons = [4, 5]\nseat_leds = [6, 7, 8]")
    assert error.startswith("panel.seat_leds has 3 LEDs, but panel.bid_buttons only 2")
    assert parse("[panel]\nseat_leds = [6, 7]", Path()).panel.seat_leds == (6, 7), "phones bid, LEDs show"


def test_the_default_wiring_keeps_the_reserved_pins_free_and_uses_all_others() -> None:
    used = [part.gpio for part in DEFAULT.parts()]
    assert sorted([*used, *RESERVED_PINS]) == list(GPIO_PINS)


def test_every_error_is_named_at_once() -> None:
    text = """
        [tabel]
        [web]
        port = "8080"
        hots = "0.0.0.0"
        [game]
        edition = "english"
        hourglass = 5
        ending = { rounds = 0 }
        [camera]
        kind = "picamera"
        [panel]
        sand_leds = [2, 5, 99]
        bid_buttons = [6, 7, 7, 5]
        buzzer = true
        bounce = nan
        setter = 6
    """
    assert errors_of(text) == [
        "GPIO 5 is used more than once: panel.sand_leds, panel.bid_buttons.",
        "GPIO 6 is used more than once: panel.bid_buttons, panel.setter.",
        "GPIO 7 is used more than once: panel.bid_buttons, panel.bid_buttons.",
        'camera.kind must be "none", "picamera2", "usb" or "folder"; did you mean picamera2?',
        'game.edition must be "fr" or "de".',
        "game.ending must be { rounds = 10 }, { minutes = 30 }, { broke = true } or { doubled = true }.",
        "game.hourglass must be a whole number from 10 to 300.",
        "panel.bounce must be a number of seconds from 0 to 0.5.",
        "panel.buzzer must be a GPIO number from 0 to 27.",
        "panel.sand_leds names GPIO 2, which is kept for I2C: take another; "
        "must be a GPIO number from 0 to 27.",
        "there is no section [tabel]; did you mean table?",
        "there is no setting web.hots; did you mean host?",
        "web.port must be a whole number from 1 to 65535.",
    ]


@pytest.mark.parametrize("pin", [0, 1, 2, 3, 14, 15])
def test_reserved_pins_are_refused(pin: int) -> None:
    (error,) = errors_of(f"[panel]\nsetter = {pin}")
    assert error.startswith(f"panel.setter names GPIO {pin}, which is kept for ")


def test_too_many_parts_are_refused() -> None:
    assert errors_of("[panel]\nbid_buttons = [4, 5, 6, 7, 8, 9, 10]") == [
        "panel.bid_buttons must be a list of up to 6 GPIO numbers."
    ]


def test_pictures_need_their_folder() -> None:
    (error,) = errors_of('[camera]\nkind = "folder"')
    assert error.startswith("camera.folder is missing")


def test_a_section_that_is_none() -> None:
    assert errors_of("web = 8080") == ["web must be a section: write [web] and its settings below it."]


def test_a_file_that_is_missing_or_no_text_or_no_toml_says_so(tmp_path: Path) -> None:
    missing, binary, broken = tmp_path / "none.toml", tmp_path / "binary.toml", tmp_path / "broken.toml"
    binary.write_bytes(b"\xff\xfe\x00")
    broken.write_text("[web\nport = 1", encoding="utf-8")
    for file, why in ((missing, "no configuration file"), (binary, "UTF-8"), (broken, "line 1")):
        with pytest.raises(BadConfig, match=why) as caught:
            load(file)
        assert str(file) in str(caught.value)
    with pytest.raises(BadConfig, match="cannot be read"):
        load(tmp_path)


def test_limits_are_those_of_the_game() -> None:
    for seconds in (seating.LEAST_SECONDS, seating.MOST_SECONDS):
        assert parse(f"[game]\nhourglass = {seconds}", Path()).game.hourglass == seconds
    for seconds in (seating.LEAST_SECONDS - 1, seating.MOST_SECONDS + 1):
        errors_of(f"[game]\nhourglass = {seconds}")
    for edition in rules.EDITIONS:
        assert parse(f'[game]\nedition = "{edition}"', Path()).game.edition == edition


def test_every_setting_is_documented_and_nothing_else() -> None:
    text = DOCS.read_text(encoding="utf-8")
    documented = []
    for section in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        (name,) = re.findall(r"`\[(\w+)\]`", section.splitlines()[0])
        documented += [f"{name}.{key}" for key in re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE)]
    assert documented == settings()


def test_documented_defaults_are_the_real_ones() -> None:
    text = DOCS.read_text(encoding="utf-8")
    for name in settings():
        section, key = name.split(".")
        (written,) = re.findall(
            rf"## `\[{section}\]`.*?^\| `{key}` \| (.*?) \|", text, re.MULTILINE | re.DOTALL
        )
        default = getattr(getattr(Config(), section), key)
        if written == "none":
            assert default is None, name
        else:
            value = tomllib.loads(f"[{section}]\n{key} = {written.strip('`')}")[section][key]
            read = parse(f"[{section}]\n{key} = {written.strip('`')}", Path("/"))
            assert getattr(getattr(read, section), key) == default, (name, value)


def test_the_documented_example_is_good() -> None:
    (example,) = re.findall(r"```toml\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)
    config = parse(example, Path("/etc"))
    assert len(config.panel.sand_leds) == 8
    assert config.camera.profile == Path("/etc/our-set.json")
