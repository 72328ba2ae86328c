"""The settings: one TOML file -> a frozen `Config`, or every error in it at once."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable
from dataclasses import Field, dataclass, field, fields
from difflib import get_close_matches
from pathlib import Path
from typing import Any

GPIO_PINS = range(28)
RESERVED_PINS = {0: "the ID EEPROM", 1: "the ID EEPROM", 2: "I2C", 3: "I2C", 14: "the UART", 15: "the UART"}
CAMERAS = ("none", "picamera2", "usb", "folder")
EDITIONS = ("fr", "de")

Read = Callable[[Any], Any]
"""Takes a TOML value, gives the setting's value; raises `ValueError` with "must be ..."."""


class BadConfig(ValueError):
    """A configuration that cannot be used; `errors` names every fault, a sentence each."""

    def __init__(self, errors: list[str]) -> None:
        self.errors = errors
        super().__init__("\n".join(errors))


def _path(value: Any) -> Path:
    if not isinstance(value, str) or not value.strip():
        raise ValueError("must be a path in quotes")
    try:
        return Path(value).expanduser()
    except RuntimeError:
        raise ValueError("begins with a ~ that names no user's folder") from None


def _home_folder() -> Path:
    return Path.home() / ".local" / "share" / "corona"


def _text(value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ValueError("must be a text in quotes")
    return value


def _whole(least: int, most: int) -> Read:
    def read(value: Any) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            raise ValueError(f"must be a whole number from {least} to {most}")
        return value

    return read


def _seconds(least: float, most: float) -> Read:
    def read(value: Any) -> float:
        if not isinstance(value, int | float) or isinstance(value, bool) or not least <= value <= most:
            raise ValueError(f"must be a number of seconds from {least} to {most}")
        return float(value)

    return read


def _one_of(choices: tuple[str, ...]) -> Read:
    def read(value: Any) -> str:
        if value not in choices:
            named = " or ".join((", ".join(f'"{choice}"' for choice in choices[:-1]), f'"{choices[-1]}"'))
            raise ValueError(f"must be {named}{_did_you_mean(value, choices)}".removesuffix("."))
        return str(value)

    return read


def _pin(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value not in GPIO_PINS:
        raise ValueError(f"must be a GPIO number from {GPIO_PINS[0]} to {GPIO_PINS[-1]}")
    if value in RESERVED_PINS:
        raise ValueError(f"names GPIO {value}, which is kept for {RESERVED_PINS[value]}: take another")
    return value


def _pins(most: int) -> Read:
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


def _ending(value: Any) -> tuple[str, int | None]:
    if isinstance(value, dict) and len(value) == 1:
        ((kind, number),) = value.items()
        if kind in ("broke", "doubled") and number is True:
            return kind, None
        if kind in ("rounds", "minutes") and type(number) is int and number >= 1:
            return kind, number
    raise ValueError("must be { rounds = 10 }, { minutes = 30 }, { broke = true } or { doubled = true }")


@dataclass(frozen=True, slots=True)
class TableConfig:
    """`folder` holds the log of all games."""

    folder: Path = field(default_factory=_home_folder, metadata={"read": _path})


@dataclass(frozen=True, slots=True)
class WebConfig:
    """Where the pages are served."""

    host: str = field(default="0.0.0.0", metadata={"read": _text})
    port: int = field(default=8000, metadata={"read": _whole(1, 65535)})


@dataclass(frozen=True, slots=True)
class GameConfig:
    """What a new game offers first; `ending` is its kind and, for rounds and minutes, how many.

    Without an `edition`, each phone is offered the one of its language.
    """

    edition: str | None = field(default=None, metadata={"read": _one_of(EDITIONS)})
    hourglass: int = field(default=60, metadata={"read": _whole(10, 300)})
    opening_bid: int = field(default=7, metadata={"read": _whole(1, 21)})
    ending: tuple[str, int | None] = field(default=("rounds", 10), metadata={"read": _ending})


@dataclass(frozen=True, slots=True)
class CameraConfig:
    """Which camera looks at the table; `profile` is what was learned of the set, by `corona calibrate`."""

    kind: str = field(default="none", metadata={"read": _one_of(CAMERAS)})
    device: int = field(default=0, metadata={"read": _whole(0, 63)})
    folder: Path | None = field(default=None, metadata={"read": _path})
    profile: Path | None = field(default=None, metadata={"read": _path})


@dataclass(frozen=True, slots=True)
class SeeingConfig:
    """`keep_corrections` is the folder for photos that a person corrected, at most `keep_mb` megabytes."""

    keep_corrections: Path | None = field(default=None, metadata={"read": _path})
    keep_mb: int = field(default=200, metadata={"read": _whole(20, 100_000)})


@dataclass(frozen=True, slots=True)
class PanelConfig:
    """GPIO numbers of buttons and LEDs; an empty list or nothing where the part is missing."""

    sand_leds: tuple[int, ...] = field(default=(), metadata={"read": _pins(8)})
    bid_buttons: tuple[int, ...] = field(default=(), metadata={"read": _pins(6)})
    seat_leds: tuple[int, ...] = field(default=(), metadata={"read": _pins(6)})
    setter: int | None = field(default=None, metadata={"read": _pin})
    buzzer: int | None = field(default=None, metadata={"read": _pin})
    bounce: float = field(default=0.02, metadata={"read": _seconds(0, 0.5)})


@dataclass(frozen=True, slots=True)
class Config:
    """Every setting, section by section."""

    table: TableConfig = field(default_factory=TableConfig)
    web: WebConfig = field(default_factory=WebConfig)
    game: GameConfig = field(default_factory=GameConfig)
    camera: CameraConfig = field(default_factory=CameraConfig)
    seeing: SeeingConfig = field(default_factory=SeeingConfig)
    panel: PanelConfig = field(default_factory=PanelConfig)


def settings() -> list[str]:
    """Every setting, as `section.key`."""
    return [f"{section.name}.{key.name}" for section in fields(Config) for key in fields(_kind(section))]


def load(path: Path) -> Config:
    """The settings in the TOML file `path`; paths in it are relative to its folder. Raises `BadConfig`."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise BadConfig([f"There is no configuration file {path}."]) from None
    except UnicodeDecodeError:
        raise BadConfig([f"{path} is no text in UTF-8."]) from None
    except OSError as fault:
        raise BadConfig([f"{path} cannot be read: {fault.strerror}."]) from None
    try:
        return parse(text, path.absolute().parent)
    except BadConfig as bad:
        raise BadConfig([f"{path}: {error}" for error in bad.errors]) from None


def parse(text: str, folder: Path) -> Config:
    """The settings in the TOML `text`; its paths are relative to `folder`. Raises `BadConfig`."""
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError as fault:
        raise BadConfig([f"this is not TOML: {fault}."]) from None
    errors: list[str] = []
    sections = {section.name: _kind(section) for section in fields(Config)}
    for name in found.keys() - sections.keys():
        errors.append(f"there is no section [{name}]{_did_you_mean(name, sections)}")
    values = {
        name: kind(**_section(name, kind, found.get(name, {}), folder, errors))
        for name, kind in sections.items()
    }
    errors += _across(found.get("camera"), found.get("panel"))
    if errors:
        raise BadConfig(sorted(errors))
    return Config(**values)


def _kind(section: Field[Any]) -> type[Any]:
    """The dataclass of a section."""
    assert isinstance(section.default_factory, type)
    return section.default_factory


def _section(name: str, kind: type[Any], found: Any, folder: Path, errors: list[str]) -> dict[str, Any]:
    """The values of one section; its faults go to `errors`, and the defaults take their place."""
    if not isinstance(found, dict):
        errors.append(f"{name} must be a section: write [{name}] and its settings below it.")
        return {}
    readers: dict[str, Read] = {key.name: key.metadata["read"] for key in fields(kind)}
    values = {}
    for key, value in found.items():
        if key not in readers:
            errors.append(f"there is no setting {name}.{key}{_did_you_mean(key, readers)}")
            continue
        try:
            read = readers[key](value)
        except ValueError as fault:
            errors.append(f"{name}.{key} {fault}" + "." * (str(fault)[-1] != "?"))
        else:
            values[key] = folder / read if isinstance(read, Path) else read
    return values


def _across(camera: Any, panel: Any) -> list[str]:
    """Faults between settings of these two sections as written, which may each have faults of their own."""
    errors = []
    if isinstance(camera, dict) and camera.get("kind") == "folder" and "folder" not in camera:
        errors.append('camera.folder is missing: camera.kind = "folder" needs the folder of the pictures.')
    users: dict[int, list[str]] = {}
    for key, value in panel.items() if isinstance(panel, dict) else ():
        if key == "bounce":
            continue
        for pin in value if isinstance(value, list) else [value]:
            if type(pin) is int and pin in GPIO_PINS:
                users.setdefault(pin, []).append(f"panel.{key}")
    for pin, names in sorted(users.items()):
        if len(names) > 1:
            errors.append(f"GPIO {pin} is used more than once: {', '.join(names)}.")
    return errors


def _did_you_mean(word: object, known: Iterable[str]) -> str:
    close = get_close_matches(str(word), list(known), n=1, cutoff=0.6)
    return f"; did you mean {close[0]}?" if close else "."
