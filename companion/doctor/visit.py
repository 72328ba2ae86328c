"""The doctor's visit: everything that the settings name, one after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from companion.clock import SystemClock
from companion.config import CameraConfig, Config
from companion.doctor import machine
from companion.doctor.findings import Finding, Person
from companion.doctor.panel import panel
from companion.doctor.picture import camera
from hardware.camera import Camera


def visit(
    config: Config,
    person: Person | None,
    photo: Path,
    open_camera: Callable[[CameraConfig], Camera],
    pin_factory: Any = None,
) -> Iterator[Finding]:
    """What works and what does not, as soon as it is known; `photo` is where the picture goes.

    Without a `person` nothing is asked. `pin_factory`: None for this machine's own pins.
    """
    yield machine.system()
    yield machine.clock(SystemClock())
    yield machine.disk(config.table.folder)
    yield from machine.kept_photos(config.seeing.keep_corrections)
    yield from machine.network(config.web)
    yield from camera(replace(config.camera, profile=config.profile), open_camera, photo)
    yield from panel(config.panel.as_wiring(), person, pin_factory)
