"""The setter's button: tells short presses from long ones, and takes a double press for one."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock, Timer

LONG_S = 1.0
"""From here on a press is a long one."""
DOUBLE_S = 0.4
"""A short press that begins within this of the last release is the same one once more."""

Tell = Callable[[float], None]


class Setter:
    """Takes the edges of one button, with their times in seconds of `clock`; tells what they mean.

    A long press is told after `LONG_S`, while the button is still held, and its release means nothing.
    So a short one can only be told at its release, which is when it acts, and whose time it has. However
    often the button is pressed in quick succession, it is told once. Without `on_long` every press is a
    short one. A release without its press (the button was held down at the start) means nothing.
    """

    def __init__(self, on_short: Tell, on_long: Tell | None, clock: Callable[[], float]) -> None:
        self._on_short, self._on_long, self._clock = on_short, on_long, clock
        self._lock = Lock()
        self._since: float | None = None
        self._again = False
        self._released: float | None = None
        self._timer: Timer | None = None

    def pressed(self, at: float) -> None:
        """The button went down."""
        with self._lock:
            self._since = at
            # A clock that began anew shows less than at the last release: that is no double press.
            self._again = self._released is not None and 0 <= at - self._released < DOUBLE_S
            if self._on_long is not None:
                self._timer = Timer(LONG_S, self._held, (at,))
                self._timer.daemon = True
                self._timer.start()

    def released(self, at: float) -> None:
        """The button came up."""
        with self._lock:
            self._forget_timer()
            since, self._since, self._released = self._since, None, at
            again = self._again
        if since is None:
            return
        if self._on_long is not None and at - since >= LONG_S:
            self._on_long(at)
        elif not again:
            self._on_short(at)

    def close(self) -> None:
        """Tell nothing any more of a press that lasts."""
        with self._lock:
            self._forget_timer()
            self._since = None

    def _held(self, since: float) -> None:
        """The timer has run out; where `clock` says that it is too early, the release will tell."""
        with self._lock:
            now = self._clock()
            if self._since != since or now - since < LONG_S:
                return
            self._since = None
        if self._on_long is not None:
            self._on_long(now)

    def _forget_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
