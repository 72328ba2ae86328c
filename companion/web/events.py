"""The stream of events: tells every phone what has changed, one after the other, from one thread."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextvars import Context, copy_context
from functools import cached_property
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from flask import Flask, Response, abort, request, stream_with_context

from companion.web.say import gettext

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

log = logging.getLogger(__name__)

STREAMS = "corona.streams"
"""Where an app keeps the list of its hubs, for the server to end them."""
WRITER = "corona.writer"
"""Where a request's environment keeps how its server writes."""
MOST_STREAMS = 112
BEAT_SECONDS = 10.0
"""Phones that are gone are noticed by writing to them; phones notice a dead line by silence."""
AGAIN_SECONDS = 5
"""A phone that got no stream looks again after so long."""


class Parts:
    """The parts of a page as they are at one moment; what a phone is told of them is written once for all."""

    def __init__(self, drawn: Mapping[str, tuple[str, str]]) -> None:
        """`drawn`: name of a part -> a mark of its content, and its HTML."""
        self.drawn = drawn
        self.marks = tuple(mark for mark, _ in drawn.values())
        self._told: dict[tuple[str, ...], bytes] = {}

    def __getitem__(self, name: str) -> tuple[str, str]:
        return self.drawn[name]

    def since(self, sent: tuple[str, ...] = ()) -> bytes:
        """An event for each part whose mark is not the one that was `sent` in its place."""
        told = self._told.get(sent)
        if told is None:
            pairs = zip_longest(self.drawn.items(), sent)
            text = "".join(_event(name, html, mark) for (name, (mark, html)), old in pairs if mark != old)
            told = self._told[sent] = text.encode()
        return told


class Facts(dict[str, Any]):
    """The small facts, told each time; those that are the same for several phones are written once."""

    @cached_property
    def told(self) -> bytes:
        """Their event, always the last."""
        return _event("state", json.dumps(self)).encode()


Look = Callable[[], tuple[Facts, Parts]]
"""Gives the facts and the parts of the page, as they are now."""


class Listener:
    """One phone's stream: how it looks, how it is written to, and what it knows already."""

    def __init__(self, look: Look) -> None:
        self.over = threading.Event()
        self.known = -1
        """The hub's calls when it last looked."""
        self._look = look
        self._sent: tuple[str, ...] = ()
        self._request: Context | None = None
        self._write: Callable[[bytes], object] | None = None

    def news(self, calls: int) -> bytes:
        """The parts that have changed since the last look, and the facts."""
        self.known = calls
        facts, parts = self._look()
        told = parts.since(self._sent) + facts.told
        self._sent = parts.marks
        return told

    def hand_over(self, write: Callable[[bytes], object]) -> None:
        """From now on the herald looks for it, as if in the request that is served here, and writes."""
        self._request, self._write = copy_context(), write

    def tell(self, calls: int) -> None:
        """Writes the news; a phone that is gone, or for which nothing can be drawn, has its stream ended."""
        if self._request is None or self._write is None:
            return  # it is about to look for itself
        try:
            told = self._request.run(self.news, calls)
        except Exception:
            log.exception("a phone could not be told what has changed; it will ask for all")
            self.over.set()
            return
        try:
            self._write(told)
        except Exception:  # whatever the server raises where a phone is gone
            self.over.set()


class Hub:
    """All open streams, and the herald: the one thread that looks and writes for all of them.

    A stream's own thread only sleeps until the stream is over: a hundred that woke at once would stand in
    each other's way (docs/benchmarks.md). Whoever calls never waits for a phone.
    """

    def __init__(self, most: int = MOST_STREAMS) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._listeners: dict[Listener, None] = {}
        self._herald: threading.Thread | None = None
        self._called = threading.Event()
        self.calls = 0
        """How many changes there were to tell of."""
        self.closed = False

    def wake(self) -> None:
        """Has every stream told what has changed."""
        with self._lock:
            self.calls += 1
        self._called.set()

    def enter(self, listener: Listener) -> bool:
        """A place for a new stream; False when there are as many as this server can keep."""
        with self._lock:
            if self.closed or len(self._listeners) >= self._most:
                return False
            self._listeners[listener] = None
            if not self._herald:
                self._herald = threading.Thread(target=self._tell, name="herald", daemon=True)
                self._herald.start()
            return True

    def hand_over(self, listener: Listener, write: Callable[[bytes], object]) -> None:
        """The herald tells this one from now on, and what has changed since it looked."""
        listener.hand_over(write)
        if self.closed or self.calls != listener.known:
            self._called.set()

    def leave(self, listener: Listener) -> None:
        """Ends a stream."""
        with self._lock:
            self._listeners.pop(listener, None)

    def close(self) -> None:
        """Ends every stream, so that the server can stop without waiting for phones."""
        self.closed = True
        self._called.set()

    def __len__(self) -> int:
        return len(self._listeners)

    def _tell(self) -> None:
        """The herald. When nobody calls for a while it tells all, so that those that are gone are noticed."""
        while True:
            called = self._called.wait(BEAT_SECONDS)
            self._called.clear()
            with self._lock:
                listeners = list(self._listeners)
                if self.closed:
                    self._herald = None
                    break
            for listener in listeners:
                calls = self.calls
                if not called or listener.known != calls:
                    listener.tell(calls)
        for listener in listeners:
            listener.over.set()


def lend_writers(app: Flask) -> None:
    """Gives each request of `app` the server's own way to write, which the herald takes over from a stream.

    PEP 3333 has an application write before its answer is iterated; waitress writes at any time, and takes no
    two writers at once: a stream's own thread sleeps as soon as it has handed over.
    """
    served = app.wsgi_app

    def lending(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        def start(*given: Any) -> Callable[[bytes], object]:
            write: Callable[[bytes], object] = start_response(*given)
            environ[WRITER] = write
            return write

        return served(environ, start)

    app.wsgi_app = lending  # type: ignore[method-assign]


def answer(hub: Hub, look: Look) -> Response:
    """A stream for one phone; where there is no room for it, all as it is now and when to look again."""
    listener = Listener(look)
    if not hub.enter(listener):
        if hub.closed:
            abort(503)
        facts, parts = look()
        many = gettext(
            "Many phones are watching: this one looks every %(seconds)d seconds.", seconds=AGAIN_SECONDS
        )
        facts = Facts(facts, again=AGAIN_SECONDS, many=many)
        return _events(Response(b"retry: %d\n" % (1000 * AGAIN_SECONDS) + parts.since() + facts.told))
    streaming = Response(stream_with_context(stream(hub, listener)))
    # Also for a phone that left before the first byte, when the stream itself has never begun.
    streaming.call_on_close(lambda: hub.leave(listener))
    return _events(streaming)


def stream(hub: Hub, listener: Listener) -> Iterator[bytes]:
    """Server-sent events for one phone: everything at first; what follows the herald writes."""
    try:
        yield listener.news(hub.calls)
        hub.hand_over(listener, request.environ[WRITER])
        listener.over.wait()
    finally:
        hub.leave(listener)


def _event(name: str, data: str, mark: str = "") -> str:
    lines = data.replace("\r", "\n").split("\n")  # either would end a line
    return "\n".join(
        (f"event: {name}", *([f"id: {mark}"] if mark else ()), *(f"data: {one}" for one in lines), "", "")
    )


def _events(response: Response) -> Response:
    response.mimetype = "text/event-stream"
    response.headers["X-Accel-Buffering"] = "no"  # a proxy passes it on at once
    return response
