"""What phones cost: a bid until all 100 have it, against a server streaming bare events; and first pages."""

from __future__ import annotations

import gzip
import http.client
import re
import select
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from itertools import count
from pathlib import Path
from urllib.parse import quote, urljoin

from flask import Flask, Response, render_template_string

from companion.clock import SystemClock
from companion.games.corona import game, notation
from companion.store import LOG, Store
from companion.table import Table
from companion.web import create_app, make_server, run
from companion.web.events import STREAMS, Facts, Hub, Parts, answer, lend_writers
from companion.web.guard import Limit, guard
from tests.bench_table import BUILD, a_folder
from tests.timing import Row, at_share, medians, timed

PHONES, BIDS, PAGES = 100, 80, 50
CALLS = 8
"""Bids in one auction."""
SEATS = ("Anna", "Ben", "Clara", "David", "Emma", "Finn")
LANGUAGES = ("en", "de", "fr")
SITUATION = notation.read("200010201000-366421")
PATIENCE_S = 30.0
BARE = {"bare": "bare events, a thread each", "herald": "bare events by our herald"}
"""The servers with next to nothing to tell."""
MEMORY = Path("/dev/shm")
"""A disk that is none: what a bid costs without waiting for one."""
ROOT = Path(__file__).parent.parent
NO_LIMIT = Limit(burst=1e9)
NEEDS = re.compile(r"""(?:src|href)="(/static/[^"]+|/[^"]*\.(?:svg|png|json|webmanifest))"|from "([^"]+)";""")
"""What a page, a script or a style sheet has loaded besides."""


def phones() -> Iterator[Row | str]:
    """Bids at a table with 100 phones and bare events in turns; then what a phone loads at first."""
    with ExitStack() as parts:
        ports = {
            kind: parts.enter_context(running(kind)) for kind in ("table", "in memory", "bare", "herald")
        }
        lines = {kind: parts.enter_context(closing(Phones(port))) for kind, port in ports.items()}
        waited: dict[str, list[float]] = {kind: [] for kind in lines}
        for number in range(BIDS):
            points = number % CALLS + 1
            form = {"me": SEATS[number % len(SEATS)], "points": str(points)}
            for kind, phones_there in lines.items():
                bare = kind in BARE
                if number % CALLS == 0 and not bare:
                    phones_there.post("/cancel", '"lay"', {})
                    phones_there.post("/turn", '"auction"', {})
                awaited = f'"number": {number + 1}}}' if bare else f"<strong>{points}</strong>"
                waited[kind] += phones_there.post("/bid", awaited, form)
        for ours, floor, aim in (
            ("table", "bare", "1.5 x"),
            ("in memory", "bare", "1.5 x"),
            ("table", "herald", ""),
        ):
            what = "the same, log in memory" if ours == "in memory" else f"bid to {PHONES} phones"
            turns = list(zip(waited[ours], waited[floor], strict=True))
            for name, share in (("p50", 0.5), ("p99", 0.99)):
                yield Row(f"{what}, {name}", BARE[floor], *at_share(turns, share), aim)
        yield Row(
            "first page, asked of its server",
            "a bare page",
            *first_pages(ports["table"], ports["bare"]),
            "50 ms",
        )
        sizes = loaded(ports["table"])
        yield f"first page: {sum(sizes.values()) / 1000:.1f} kB in {len(sizes)} files (aim: under 100 kB)"


class Phones:
    """So many phones with an open stream; told what to wait for, they say how long each has waited."""

    def __init__(self, port: int, number: int = PHONES) -> None:
        self.lines = [socket.create_connection(("127.0.0.1", port), PATIENCE_S) for _ in range(number)]
        self.poll, self.sender = select.poll(), http.client.HTTPConnection("127.0.0.1", port)
        self.by_number = {line.fileno(): line for line in self.lines}
        for number, line in enumerate(self.lines):
            seat = quote(SEATS[number]) if number < len(SEATS) else ""
            asked = f"GET /events?seat={seat} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
            line.sendall(f"{asked}Accept-Language: {LANGUAGES[number % len(LANGUAGES)]}\r\n\r\n".encode())
            self.poll.register(line, select.POLLIN)
        self._wait("event: state")

    def post(self, path: str, awaited: str, form: dict[str, str]) -> list[float]:
        """Milliseconds from this post until each phone has all of the event that says what is `awaited`."""
        body = "&".join(f"{name}={quote(value)}" for name, value in form.items())
        kind = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"}
        begun = time.perf_counter()
        self.sender.request("POST", path, body, kind)
        got = self._wait(awaited)
        status = self.sender.getresponse()
        status.read()
        assert status.status == 204, (path, status.status)
        return [1000 * (at - begun) for at in got]

    def _wait(self, awaited: str) -> list[float]:
        got: dict[int, float] = {}
        read: dict[int, bytes] = {}
        until = time.perf_counter() + PATIENCE_S
        while len(got) < len(self.lines):
            assert time.perf_counter() < until, f"not all phones heard of {awaited}"
            for number, _ in self.poll.poll(1000):
                read[number] = read.get(number, b"") + self.by_number[number].recv(1 << 18)
                if awaited.encode() in read[number] and read[number].endswith(b"\n\n\r\n"):
                    got.setdefault(number, time.perf_counter())
        return list(got.values())

    def drink(self, seconds: float) -> None:
        """Takes what comes, for a while."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            for number, _ in self.poll.poll(100):
                self.by_number[number].recv(1 << 18)

    def close(self) -> None:
        """The phones go away."""
        self.sender.close()
        for line in self.lines:
            line.close()


def first_pages(table: int, bare: int) -> tuple[float, float]:
    """The median milliseconds of the first page and of a bare one, over a line that stays open."""
    ours, floor = (http.client.HTTPConnection("127.0.0.1", port) for port in (table, bare))
    with closing(ours), closing(floor):
        return medians([(timed(lambda: get(ours)), timed(lambda: get(floor))) for _ in range(PAGES)])


def get(line: http.client.HTTPConnection, path: str = "/") -> bytes:
    """What is there, as it is sent."""
    line.request("GET", path, headers={"Accept-Encoding": "gzip"})
    answered = line.getresponse()
    assert answered.status == 200, path
    return answered.read()


def loaded(port: int) -> dict[str, int]:
    """The bytes sent for the page of a seat, and for each file that it loads."""
    sizes: dict[str, int] = {}
    waiting = [f"/?seat={SEATS[0]}"]
    with closing(http.client.HTTPConnection("127.0.0.1", port)) as line:
        while waiting:
            path = waiting.pop()
            if path not in sizes:
                body = get(line, path)
                sizes[path] = len(body)
                text = gzip.decompress(body) if body.startswith(b"\x1f\x8b") else body
                found = NEEDS.findall(text.decode(errors="replace"))
                waiting += [urljoin(path, one or other) for one, other in found]
    return sizes


# The two servers, each in a process of its own


@contextmanager
def running(kind: str) -> Iterator[int]:
    """The port of the server of this kind."""
    with a_folder(MEMORY if kind == "in memory" else BUILD) as folder:
        command = (sys.executable, "-m", "tests.bench_phones", kind, str(folder))
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            try:
                yield int(process.stdout.readline())
            finally:
                process.terminate()


def serve(kind: str, folder: Path) -> None:
    """Serves until it is ended; the first line said is the port."""
    with ExitStack() as parts:
        app = bare_app(by_herald=kind == "herald") if kind in BARE else table_app(folder, parts)
        server = make_server(app, "127.0.0.1", 0)
        print(server.effective_port, flush=True)  # type: ignore[union-attr]
        run(server)


def table_app(folder: Path, parts: ExitStack) -> Flask:
    """A table in mid-auction."""
    store = parts.enter_context(closing(Store(folder / LOG)))
    table = parts.enter_context(closing(Table(store, SystemClock(), game)))
    for command in (game.Start(SEATS, SEATS[0], hourglass=300), game.Lay(SITUATION), game.Turn(0.0)):
        assert table.ask(command).ok
    return create_app(table, limit=NO_LIMIT)


def bare_app(by_herald: bool) -> Flask:
    """The same server with next to nothing to tell: by the same hub, or each stream by its own thread."""
    app, hub, numbers = Flask("companion.web"), Hub(), count(1)
    app.extensions[STREAMS] = [hub]
    guard(app, NO_LIMIT)
    lend_writers(app)
    latest, nothing = [0], Parts({})
    wakers: list[threading.Event] = []

    def bid() -> Response:
        latest[0] = next(numbers)
        hub.wake()
        for waker in wakers:
            waker.set()
        return Response(status=204)

    def numbers_told() -> Iterator[bytes]:
        waker = threading.Event()
        wakers.append(waker)
        while True:
            yield Facts(number=latest[0]).told
            waker.wait()
            waker.clear()

    def events() -> Response:
        if by_herald:
            return answer(hub, lambda: (Facts(number=latest[0]), nothing))
        return Response(numbers_told(), mimetype="text/event-stream")

    app.add_url_rule("/", "page", lambda: render_template_string("<!doctype html><title>bare</title>"))
    app.add_url_rule("/events", "events", events)
    app.add_url_rule("/bid", "bid", bid, methods=["POST"])
    return app


if __name__ == "__main__":
    serve(sys.argv[1], Path(sys.argv[2]))
