"""The live parts of the page: drawn once for all who see the same, not once for every phone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from zlib import crc32

from flask import render_template

from companion.games.corona.rules import MOST_POINTS
from companion.web import forms, words
from companion.web.events import Parts
from companion.web.photo import Photo, guess, overlay
from companion.web.roles import Role

PARTS = (
    *("status", "clock", "reveal", "board", "moves", "result", "photo", "lay", "bids", "seats"),
    *("start", "action"),
)
"""Each is a template in `parts/`, and is swapped on the phone when it has changed."""

NOTHING_LAID = "000000000000-000000"


class Drawer:
    """Draws the parts, and keeps them until something has changed. May be used from any thread."""

    def __init__(self, offers: forms.Offers) -> None:
        self._offers = offers
        self._kept: tuple[object, dict[tuple[str, str, Role], Parts]] = (None, {})

    def parts(
        self, seen: Mapping[str, Any], photo: Photo | None, trouble: str | None, number: str, role: Role
    ) -> Parts:
        """The parts for one view, the last picture, what is wrong with the camera, the game's number, a role.

        The sand is not in them: it runs on the phone, from the stream's facts.
        """
        shared = {name: value for name, value in seen.items() if name not in ("sand_left", "me")}
        now = (shared, photo[2] if photo else None, trouble, number)
        kept = self._kept
        if kept[0] != now:
            kept = self._kept = (now, {})
        drawn = kept[1]
        reader = (words.language(), seen["me"] or "", role)
        if reader not in drawn:
            drawn[reader] = _draw(seen, photo, trouble, number, role, self._offers)
        return drawn[reader]


def _draw(
    seen: Mapping[str, Any],
    photo: Photo | None,
    trouble: str | None,
    number: str,
    role: Role,
    offers: forms.Offers,
) -> Parts:
    values = {
        "view": seen,
        "me": seen["me"] or "",
        "role": role,
        "photo": overlay(photo) if photo else None,
        "trouble": trouble,
        "laid": _laid(seen, photo),
        "guess": guess(photo[1], seen["colours"]) if photo else NOTHING_LAID,
        "most": MOST_POINTS,
        "offers": offers,
        "game_number": number,
    }
    parts: Parts = {}
    for name in PARTS:
        parts[name] = marked(render_template(f"parts/{name}.html", **values).strip())
    return parts


def marked(html: str) -> tuple[str, str]:
    """A part: a mark that changes with its content, and the content."""
    return f"{crc32(html.encode()):08x}", html


def _laid(seen: Mapping[str, Any], photo: Photo | None) -> str:
    """The situation to start from when one is entered by hand: what was laid, or what the camera saw."""
    if seen["phase"] == "lay" and seen["situation"]:
        return str(seen["situation"])
    return guess(photo[1], seen["colours"]) if photo else NOTHING_LAID
