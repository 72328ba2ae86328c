"""The settings: one TOML file -> a frozen `Config`, or every error in it at once."""

from __future__ import annotations

import tomllib
from dataclasses import Field, dataclass, field, fields
from pathlib import Path
from typing import Any

from companion import config_values as reads
from companion.config_panel import PanelConfig, panel_faults, with_default_wiring

CAMERAS = ("none", "picamera2", "usb", "folder")
EDITIONS = ("fr", "de")
PROFILE = "set.json"
"""The profile's name beside the log, where the settings name no other."""


class BadConfig(ValueError):
    """A configuration that cannot be used; `errors` names every fault, a sentence each."""

    def __init__(self, errors: list[str]) -> None:
        self.errors = errors
        super().__init__("\n".join(errors))


def _home_folder() -> Path:
    return Path.home() / ".local" / "share" / "corona"


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

    folder: Path = field(default_factory=_home_folder, metadata={"read": reads.path})


@dataclass(frozen=True, slots=True)
class WebConfig:
    """Where the pages are served, and under which `name`.local the network is told of them.

    With `trust` everybody may do everything, without seats or PIN.
    """

    host: str = field(default="0.0.0.0", metadata={"read": reads.text})
    port: int = field(default=8000, metadata={"read": reads.whole(1, 65535)})
    name: str = field(default="corona", metadata={"read": reads.host_name})
    trust: bool = field(default=False, metadata={"read": reads.yes_or_no})


@dataclass(frozen=True, slots=True)
class GameConfig:
    """What a new game offers first; `ending` is its kind and, for rounds and minutes, how many.

    Without an `edition`, each phone is offered the one of its language.
    """

    edition: str | None = field(default=None, metadata={"read": reads.one_of(EDITIONS)})
    hourglass: int = field(default=60, metadata={"read": reads.whole(10, 300)})
    opening_bid: int = field(default=7, metadata={"read": reads.whole(1, 21)})
    ending: tuple[str, int | None] = field(default=("rounds", 10), metadata={"read": _ending})


@dataclass(frozen=True, slots=True)
class CameraConfig:
    """Which camera looks at the table, lit by mains of `mains_hz`; `profile` is what was learned of the set.

    That was written by `corona calibrate`, or will be by the host's phone.
    """

    kind: str = field(default="none", metadata={"read": reads.one_of(CAMERAS)})
    device: int | str = field(default=0, metadata={"read": reads.whole_or_device(0, 63)})
    mains_hz: int = field(default=50, metadata={"read": reads.number_of(50, 60)})
    folder: Path | None = field(default=None, metadata={"read": reads.path})
    profile: Path | None = field(default=None, metadata={"read": reads.path})


@dataclass(frozen=True, slots=True)
class SeeingConfig:
    """`follow_play`: the camera enters what is moved in a play. `keep_corrections` is the folder for photos
    that a person corrected, at most `keep_mb` megabytes."""

    follow_play: bool = field(default=True, metadata={"read": reads.yes_or_no})
    keep_corrections: Path | None = field(default=None, metadata={"read": reads.path})
    keep_mb: int = field(default=200, metadata={"read": reads.whole(20, 100_000)})


@dataclass(frozen=True, slots=True)
class Config:
    """Every setting, section by section."""

    table: TableConfig = field(default_factory=TableConfig)
    web: WebConfig = field(default_factory=WebConfig)
    game: GameConfig = field(default_factory=GameConfig)
    camera: CameraConfig = field(default_factory=CameraConfig)
    seeing: SeeingConfig = field(default_factory=SeeingConfig)
    panel: PanelConfig = field(default_factory=PanelConfig)

    @property
    def profile(self) -> Path:
        """Where what was learned of the set is kept: where the settings say, or beside the log."""
        return self.camera.profile or self.table.folder / PROFILE


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
    errors = _camera_faults(found.get("camera")) + panel_faults(found.get("panel"))
    sections = {section.name: _kind(section) for section in fields(Config)}
    for name in found.keys() - sections.keys():
        errors.append(f"there is no section [{name}]{reads.did_you_mean(name, sections)}")
    whole = found | {"panel": with_default_wiring(found.get("panel", {}))}
    values = {
        name: kind(**_section(name, kind, whole.get(name, {}), folder, errors))
        for name, kind in sections.items()
    }
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
    readers: dict[str, reads.Read] = {key.name: key.metadata["read"] for key in fields(kind)}
    values = {}
    for key, value in found.items():
        if key not in readers:
            errors.append(f"there is no setting {name}.{key}{reads.did_you_mean(key, readers)}")
            continue
        try:
            read = readers[key](value)
        except ValueError as fault:
            errors.append(f"{name}.{key} {fault}" + "." * (str(fault)[-1] != "?"))
        else:
            values[key] = folder / read if isinstance(read, Path) else read
    return values


def _camera_faults(camera: Any) -> list[str]:
    """Faults between settings of this section as written, which may have faults of their own."""
    if not isinstance(camera, dict):
        return []
    if camera.get("kind") == "folder" and "folder" not in camera:
        return ['camera.folder is missing: camera.kind = "folder" needs the folder of the pictures.']
    if camera.get("kind") == "picamera2" and isinstance(camera.get("device"), str):
        return ['camera.device must be a number: only a camera of the kind "usb" has a path.']
    return []
