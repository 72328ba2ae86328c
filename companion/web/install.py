"""What a phone asks for to keep the page among its apps: the manifest, in the reader's language."""

from __future__ import annotations

from flask import Flask, Response, jsonify, url_for

from companion.web import words
from companion.web.say import gettext

LINEN = "#f3eee2"


def route(app: Flask) -> None:
    """Hangs the manifest into `app`."""
    app.add_url_rule("/manifest.webmanifest", "manifest", _manifest)


def _manifest() -> Response:
    answer = jsonify(
        name=gettext("Corona companion"),
        short_name="Corona",
        lang=words.language(),
        start_url=url_for("page"),
        scope="/",
        display="standalone",
        background_color=LINEN,
        theme_color=LINEN,
        icons=[
            _icon("icon-192", 192, "any"),
            _icon("icon-512", 512, "any"),
            _icon("icon-mask", 512, "maskable"),
        ],
    )
    answer.mimetype = "application/manifest+json"
    return answer


def _icon(name: str, size: int, purpose: str) -> dict[str, str]:
    src = url_for("static", filename=f"{name}.png")
    return {"src": src, "sizes": f"{size}x{size}", "type": "image/png", "purpose": purpose}
