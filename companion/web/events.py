"""The stream of events: wakes every phone when something has changed; it then gets the latest state."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from typing import Any

STREAMS = "corona.streams"
"""Where an app keeps the list of its hubs, for the server to end them."""
MOST_STREAMS = 112
BEAT_SECONDS = 10.0
"""Phones that are gone are noticed by writing to them; phones notice a dead line by silence."""

Parts = dict[str, tuple[str, str]]
"""Name of a part of the page -> a mark of its content, and its HTML."""


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


def stream(
    hub: Hub, waker: threading.Event, look: Callable[[], tuple[dict[str, Any], Parts]]
) -> Iterator[str]:
    """Server-sent events for one phone: everything at first, then the parts that changed, and a beat.

    `look` gives the small facts (sent each time) and the parts of the page as they are now.
    """
    sent: dict[str, str] = {}
    try:
        while not hub.closed:
            waker.clear()
            facts, parts = look()
            changed = {name: part for name, part in parts.items() if sent.get(name) != part[0]}
            sent |= {name: part[0] for name, part in changed.items()}
            yield f"event: state\ndata: {json.dumps(facts | {'parts': changed})}\n\n"
            waker.wait(BEAT_SECONDS)
    finally:
        hub.leave(waker)
