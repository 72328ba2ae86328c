"""What keeps strangers' pages out: posts from this origin alone, and headers that let nothing foreign run."""

from __future__ import annotations

from urllib.parse import urlsplit

from flask import Flask, Request, Response, abort, request

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)


def guard(app: Flask) -> None:
    """Puts the origin check before every post and the headers on every answer of `app`."""

    @app.before_request
    def own_origin() -> None:
        if request.method not in ("GET", "HEAD", "OPTIONS") and not is_own_origin(request):
            abort(403)

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
    return origin is None or urlsplit(origin).netloc == asked.host
