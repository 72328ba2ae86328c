"""What keeps strangers out: posts from this origin alone and not too many, and nothing foreign runs."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable

from flask import Flask, Request, Response, abort, request

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; media-src 'self'; "
    "manifest-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)


MOST_ADDRESSES = 1000
"""So many are remembered; a house has fewer."""


class Limit:
    """How many posts one address may send: `burst` at once, and `a_second` in the long run.

    Six players behind one address (a router, a proxy) stay far below. May be used from any thread.
    """

    def __init__(
        self, burst: float = 60, a_second: float = 20, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._burst, self._a_second, self._clock = burst, a_second, clock
        self._lock = threading.Lock()
        # Address -> how many posts it had left, and when; the one that was silent for longest first.
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def allows(self, address: str) -> bool:
        """Whether this address may post now; if so, that counts as a post."""
        with self._lock:
            now = self._clock()
            left, then = self._left.pop(address, (self._burst, now))
            left = min(left + self._a_second * (now - then), self._burst)
            self._left[address] = (left - 1 if left >= 1 else left, now)
            if len(self._left) > MOST_ADDRESSES:
                self._left.popitem(last=False)
            return left >= 1


def guard(app: Flask, limit: Limit) -> None:
    """Puts the checks of origin and `limit` before every post, and the headers on every answer of `app`."""

    @app.before_request
    def own_origin() -> None:
        if request.method in ("GET", "HEAD", "OPTIONS"):
            return
        if not is_own_origin(request):
            abort(403)  # and does not count: a foreign page must not use up what this phone may post
        if not limit.allows(request.remote_addr or ""):
            abort(429)

    @app.after_request
    def headers(response: Response) -> Response:
        kept = response.headers
        kept.setdefault("Content-Security-Policy", _POLICY)
        kept.setdefault("X-Content-Type-Options", "nosniff")
        # Not no-referrer: browsers would then send "Origin: null" with our own forms.
        kept.setdefault("Referrer-Policy", "same-origin")
        if request.endpoint != "static":
            kept.setdefault("Cache-Control", "no-store")
            response.vary.update(("Accept-Language", "Cookie"))
        return response


def is_own_origin(asked: Request) -> bool:
    """Whether a post comes from a page of this server, or from no page at all (a program).

    Browsers send Origin with every post; Sec-Fetch-Site only where the address is trusted (not on
    http://192.168.x.x), so it can only forbid.
    """
    if asked.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none"):
        return False
    origin = asked.headers.get("Origin")
    # The scheme may differ: a proxy that adds https speaks http to this server.
    return origin is None or origin.partition("://")[2] == asked.host
