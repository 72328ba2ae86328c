"""The stream of events: wakes every phone when something has changed; it then gets the latest state."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import zip_longest
from typing import Any

from flask import Response, abort, stream_with_context

from companion.web.say import gettext

STREAMS = "corona.streams"
"""Where an app keeps the list of its hubs, for the server to end them."""
MOST_STREAMS = 112
BEAT_SECONDS = 10.0
"""Phones that are gone are noticed by writing to them; phones notice a dead line by silence."""
AGAIN_SECONDS = 5
"""A phone that got no stream looks again after so long."""

Parts = dict[str, tuple[str, str]]
"""Name of a part of the page -> a mark of its content, and its HTML."""
Look = Callable[[], tuple[dict[str, Any], Parts]]
"""Gives the small facts, sent each time, and the parts of the page, as they are now."""


class Hub:
    """All open streams. Waking one sets a flag, so the table's thread never waits for a phone."""

    def __init__(self, most: int = MOST_STREAMS) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._wakers: set[threading.Event] = set()
        self.closed = False

    def wake(self) -> None:
        """Tells every stream to look again."""
        with self._lock:
            for waker in self._wakers:
                waker.set()

    def enter(self) -> threading.Event | None:
        """A new stream's flag; None when there are as many streams as this server can keep."""
        with self._lock:
            if self.closed or len(self._wakers) >= self._most:
                return None
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
        self.wake()

    def __len__(self) -> int:
        return len(self._wakers)


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
        once = _message(facts | {"again": AGAIN_SECONDS, "many": many}, parts)
        return _events(Response(f"retry: {1000 * AGAIN_SECONDS}\n{once}"))
    streaming = Response(stream_with_context(stream(hub, waker, look)))
    # Also for a phone that left before the first byte, when the stream itself has never begun.
    streaming.call_on_close(lambda: hub.leave(waker))
    return _events(streaming)


def stream(hub: Hub, waker: threading.Event, look: Look) -> Iterator[str]:
    """Server-sent events for one phone: everything at first, then the parts that changed, and a beat."""
    sent: tuple[str, ...] = ()
    try:
        while not hub.closed:
            waker.clear()
            facts, parts = look()
            yield _message(facts, parts, sent)
            sent = tuple(mark for mark, _ in parts.values())
            waker.wait(BEAT_SECONDS)
    finally:
        hub.leave(waker)


def _message(facts: dict[str, Any], parts: Parts, sent: tuple[str, ...] = ()) -> str:
    """The parts whose marks are not those that were `sent`, an event each, and then the facts."""
    return _changed(tuple(parts.items()), sent) + _event("state", json.dumps(facts))


@lru_cache(maxsize=64)
def _changed(parts: tuple[tuple[str, tuple[str, str]], ...], sent: tuple[str, ...]) -> str:
    """Events, written once for all phones that had and have the same."""
    pairs = zip_longest(parts, sent)
    return "".join(_event(name, html, mark) for (name, (mark, html)), old in pairs if mark != old)


def _event(name: str, data: str, mark: str = "") -> str:
    lines = data.replace("\r", "\n").split("\n")  # either would end a line
    return "\n".join(
        (f"event: {name}", *([f"id: {mark}"] if mark else ()), *(f"data: {one}" for one in lines), "", "")
    )


def _events(response: Response) -> Response:
    response.mimetype = "text/event-stream"
    response.headers["X-Accel-Buffering"] = "no"  # a proxy passes it on at once
    return response
