"""Pages, scripts and styles packed by gzip where the browser takes it; streams and pictures are not."""

from __future__ import annotations

import gzip
from functools import lru_cache

from flask import Flask, Response, request

PACKED = {"text/html", "text/css", "text/javascript", "image/svg+xml"}
LEAST_BYTES = 500
"""What is smaller fits one packet anyway."""


def pack(app: Flask) -> None:
    """Packs the answers of `app`."""

    @app.after_request
    def packed(response: Response) -> Response:
        if response.mimetype not in PACKED or response.status_code != 200:
            return response
        response.vary.add("Accept-Encoding")
        if request.accept_encodings.quality("gzip") <= 0:
            return response
        response.direct_passthrough = False  # a file: it is read here
        body = response.get_data()
        if len(body) >= LEAST_BYTES:
            response.set_data(_gzip(body))
            response.content_encoding = "gzip"
            etag, _ = response.get_etag()
            if etag:
                response.set_etag(etag, weak=True)  # no longer the same bytes
        return response


@lru_cache(maxsize=64)
def _gzip(body: bytes) -> bytes:
    """Kept, for every phone asks for the same files."""
    return gzip.compress(body, compresslevel=6, mtime=0)
