"""What somebody borrowed is given back when they have gone away without a word."""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Condition, Thread


class Lapse:
    """Calls `gone`, in a thread of its own, once nobody has called `stay` for `seconds`; then it rests."""

    def __init__(self, seconds: float, gone: Callable[[], None]) -> None:
        self._seconds, self._gone = seconds, gone
        self._change = Condition()
        self._until: float | None = None

    @property
    def waits(self) -> bool:
        """Whether somebody is here."""
        return self._until is not None

    def stay(self, times: float = 1.0) -> None:
        """Somebody is here, and may be silent for so many `times` the usual while."""
        with self._change:
            waits, self._until = self._until is not None, time.monotonic() + times * self._seconds
            self._change.notify()
            if not waits:
                Thread(target=self._wait, name="lapse", daemon=True).start()

    def end(self) -> None:
        """What was borrowed has been given back."""
        with self._change:
            self._until = None
            self._change.notify()

    def _wait(self) -> None:
        with self._change:
            while self._until is not None:
                left = self._until - time.monotonic()
                if left <= 0:
                    self._until = None
                    break
                self._change.wait(left)
            else:
                return
        self._gone()
