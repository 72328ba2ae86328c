"""The stream of events: wakes every phone when something has changed; it then gets the latest state."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from itertools import zip_longest
from typing import Any

from flask import Response, abort, stream_with_context

from companion.web.say import gettext

log = logging.getLogger(__name__)

STREAMS = "corona.streams"
"""Where an app keeps the list of its hubs, for the server to end them."""
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


class Hub:
    """All open streams. Waking one sets a flag, so the table's thread never waits for a phone."""

    def __init__(self, most: int = MOST_STREAMS) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._wakers: set[threading.Event] = set()
        self._prepare: Callable[[], None] | None = None
        self._herald: threading.Thread | None = None
        self._called = threading.Event()
        self.calls = 0
        """How many changes there were to wake the streams for."""
        self.closed = False

    def before(self, prepare: Callable[[], None]) -> None:
        """Has `prepare` done, in a thread of its own, each time before the streams look."""
        self._prepare = prepare

    def wake(self) -> None:
        """Tells every stream to look again."""
        with self._lock:
            self.calls += 1
        if self._herald:
            self._called.set()
        else:
            self._wake()

    def enter(self) -> threading.Event | None:
        """A new stream's flag; None when there are as many streams as this server can keep."""
        with self._lock:
            if self.closed or len(self._wakers) >= self._most:
                return None
            if self._prepare and not self._herald:
                self._herald = threading.Thread(target=self._call, name="herald", daemon=True)
                self._herald.start()
            waker = threading.Event()
            self._wakers.add(waker)
            return waker

    def leave(self, waker: threading.Event) -> None:
        """Ends a stream."""
        with self._lock:
            self._wakers.discard(waker)

    def close(self) -> None:
        """Ends every stream, so that the server can stop without waiting for phones."""
        self.closed = True
        self._called.set()
        self._wake()

    def __len__(self) -> int:
        return len(self._wakers)

    def _wake(self) -> None:
        with self._lock:
            for waker in self._wakers:
                waker.set()

    def _call(self) -> None:
        """The herald: streams that all drew at once for themselves would stand in each other's way."""
        assert self._prepare
        while not self.closed:
            self._called.wait()
            self._called.clear()
            try:
                self._prepare()
            except Exception:
                log.exception("what phones are told could not be prepared; each prepares it itself")
            self._wake()


def answer(hub: Hub, look: Look) -> Response:
    """A stream for one phone; where there is no room for it, all as it is now and when to look again."""
    waker = hub.enter()
    if waker is None:
        if hub.closed:
            abort(503)
        facts, parts = look()
        many = gettext(
            "Many phones are watching: this one looks every %(seconds)d seconds.", seconds=AGAIN_SECONDS
        )
        facts = Facts(facts, again=AGAIN_SECONDS, many=many)
        return _events(Response(b"retry: %d\n" % (1000 * AGAIN_SECONDS) + parts.since() + facts.told))
    streaming = Response(stream_with_context(stream(hub, waker, look)))
    # Also for a phone that left before the first byte, when the stream itself has never begun.
    streaming.call_on_close(lambda: hub.leave(waker))
    return _events(streaming)


def stream(hub: Hub, waker: threading.Event, look: Look) -> Iterator[bytes]:
    """Server-sent events for one phone: everything at first, then the parts that changed, and a beat."""
    sent: tuple[str, ...] = ()
    try:
        while not hub.closed:
            known = hub.calls
            facts, parts = look()
            yield parts.since(sent) + facts.told
            sent = parts.marks
            while waker.wait(BEAT_SECONDS):
                waker.clear()
                if hub.closed or hub.calls != known:
                    break  # otherwise it was for a change that this look has shown already
    finally:
        hub.leave(waker)


def _event(name: str, data: str, mark: str = "") -> str:
    lines = data.replace("\r", "\n").split("\n")  # either would end a line
    return "\n".join(
        (f"event: {name}", *([f"id: {mark}"] if mark else ()), *(f"data: {one}" for one in lines), "", "")
    )


def _events(response: Response) -> Response:
    response.mimetype = "text/event-stream"
    response.headers["X-Accel-Buffering"] = "no"  # a proxy passes it on at once
    return response
