"""What the tests of the pages share: a table under a real server, a clock to wind on, a phone."""

from __future__ import annotations

import shutil
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from flask import Flask
from jinja2 import BytecodeCache
from jinja2.bccache import Bucket
from playwright.sync_api import Browser, Page, sync_playwright
from waitress import wasyncore

from companion.games.corona import game
from companion.store import Store
from companion.table import Table
from companion.web import create_app, make_server
from companion.welcome import address

PHONE = {
    "viewport": {"width": 360, "height": 780},
    "device_scale_factor": 2,
    "has_touch": True,
    "is_mobile": True,
}
INSECURE = "table.test"
"""This machine by a name that is no loopback's: there a browser gives what it gives on http://192.168.x.x."""
ARGUMENTS = [
    *("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync"),
    f"--host-resolver-rules=MAP {INSECURE} 127.0.0.1",
]


class WoundClock:
    """A clock that stands still until it is wound on."""

    boot: str | None = "test"

    def __init__(self) -> None:
        self.seconds = 1000.0

    def read(self) -> float:
        return self.seconds

    def wall(self) -> str:
        return "2026-01-01T12:00:00.000+00:00"


@dataclass
class House:
    """A table, its clock and its pages on a real socket."""

    table: Table[game.State, game.Command, game.Event]
    clock: WoundClock
    app: Flask
    url: str
    port: int
    on_close: list[Callable[[], None]] = field(default_factory=list)
    """What is to be closed first, also where the test has failed before it came to that."""

    def wind(self, seconds: float) -> None:
        """Lets time pass; the table then looks at once whether the sand has run out."""
        self.clock.seconds += seconds
        state = self.table.state
        if state.sand_ends is not None and state.sand_ends <= self.table.now():
            self.table.ask(game.Sand(self.table.now()))

    def do(self, *commands: game.Command) -> None:
        """Commands as buttons and camera would post them; every one must be accepted."""
        for command in commands:
            outcome = self.table.ask(command)
            assert outcome.ok, outcome.refused


class _Compiled(BytecodeCache):
    """Templates as another table of this process compiled them: a program has one, the tests hundreds."""

    def __init__(self) -> None:
        self.held: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        if bucket.key in self.held:
            bucket.bytecode_from_string(self.held[bucket.key])

    def dump_bytecode(self, bucket: Bucket) -> None:
        self.held[bucket.key] = bucket.bytecode_to_string()


_COMPILED = _Compiled()


class _Stop(wasyncore.dispatcher):  # type: ignore[misc]
    """Stops a server in its own thread, as a signal stops the program's."""

    def writable(self) -> bool:
        return False

    def handle_read(self) -> None:
        raise SystemExit


@contextmanager
def serving(app: Flask, host: str = "127.0.0.1", port: int = 0) -> Iterator[int]:
    """`app` under waitress; gives the port it has on this machine."""
    server = make_server(app, host, port)
    stop, stopping = socket.socketpair()
    _Stop(stopping, server._map)
    thread = threading.Thread(target=server.run, name="server", daemon=True)
    thread.start()
    try:
        yield int(server.effective_port)  # type: ignore[union-attr]
    finally:
        stop.send(b"stop")
        thread.join()
        wasyncore.close_all(server._map, ignore_all=True)
        stop.close()


@contextmanager
def house(folder: Path, host: str = "127.0.0.1", port: int = 0, **web: Any) -> Iterator[House]:
    """A table with its log in `folder`, served by waitress on a free port of this machine, or on `port`."""
    clock = WoundClock()
    store = Store(folder / "games.sqlite")
    table = Table(store, clock, game)
    app = create_app(table, **web)
    app.jinja_env.bytecode_cache = _COMPILED
    try:
        with serving(app, host, port) as there:
            built = House(table, clock, app, address(host, there).rstrip("/"), there)
            try:
                yield built
            finally:
                for close in built.on_close:
                    close()
    finally:
        table.close()
        store.close()


def chromium() -> str:
    """The Chromium of this system; `tests/chromium.sh` installs one."""
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    assert found, "no Chromium found: run tests/chromium.sh"
    return found


@contextmanager
def browser() -> Iterator[Browser]:
    """A running headless Chromium."""
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        try:
            yield running
        finally:
            running.close()


def phone(running: Browser, **options: Any) -> Page:
    """A fresh phone-size page that fails the test on any fault in its console; `phone.faults` lists them."""
    page = running.new_context(**(PHONE | {"locale": "en-GB"} | options)).new_page()
    faults: list[str] = []
    page.on("console", lambda said: faults.append(said.text) if said.type in ("error", "warning") else None)
    page.on("pageerror", lambda fault: faults.append(str(fault)))
    page.faults = faults  # type: ignore[attr-defined]
    return page
