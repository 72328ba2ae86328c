"""`corona demo` and `corona play`: an evening, on a virtual table or on a real one."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from companion.cli.answers import fail

DATA = Path.home() / ".local" / "share" / "corona"


@click.command(short_help="Everything on a virtual table: no hardware is needed.")
@click.option("--host", default="0.0.0.0", show_default=True, help="Address to serve on.")
@click.option(
    "--port", default=8000, show_default=True, type=click.IntRange(1, 65535), help="Port to serve on."
)
@click.option(
    "--data",
    type=click.Path(path_type=Path),
    default=DATA,
    show_default="~/.local/share/corona",
    help="Folder of the log, and of what is set up or tested there.",
)
@click.option(
    "--open/--no-open",
    "open_browser",
    default=None,
    help="Open the virtual table in a browser; without either, where there is a desktop.",
)
def demo(host: str, port: int, data: Path, open_browser: bool | None) -> None:
    """Everything, on a virtual table, no hardware; alone, one plays against simple players."""
    from companion.demo import run_demo
    from companion.play import CannotPlay
    from companion.store import StoreError
    from companion.web.server import CannotServe

    try:
        run_demo(host, port, data, _desktop() if open_browser is None else open_browser)
    except (CannotPlay, CannotServe, StoreError) as fault:
        fail(str(fault))


@click.command()
@click.option("--config", type=click.Path(path_type=Path), required=True, help="The TOML file of settings.")
@click.option("--game", "number", type=int, help="Go on with this game of the log; else with the newest.")
def play(config: Path, number: int | None) -> None:
    """Everything, on the hardware in the config."""
    from companion.config import BadConfig, load
    from companion.play import CannotPlay, run_play
    from companion.store import StoreError
    from companion.web.server import CannotServe

    try:
        run_play(load(config), number)
    except (BadConfig, CannotPlay, CannotServe, StoreError) as fault:
        fail(str(fault))


def _desktop() -> bool:
    """Whether there is a screen: a terminal's own browser would only be in the way."""
    screen = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    return bool(screen) or sys.platform == "darwin"
