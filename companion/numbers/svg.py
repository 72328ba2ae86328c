"""What the pictures are drawn of: a card, words, bars, and rings with their pieces. Units are pixels."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import cos, pi, sin, tau
from xml.sax.saxutils import escape

from companion.games.corona.rules import FIELDS, LETTERS, Move, Situation

CARD, LINE, INK, FAINT = "#fbf8f0", "#d9cfb9", "#26211a", "#655c4d"
GREEN, BRASS, GREY, BAND = "#1f4f3b", "#c99a3c", "#b3a78f", "#f1e4c4"
"""The colours of the pages by day; the card brings its own light, so that they hold in a dark theme too."""
FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', Helvetica, Arial, sans-serif"
FIRST_FIELD = pi / 12
"""A is a little right of the top, as on the mat."""


def card(width: int, height: int, title: str, desc: str, body: Iterable[str]) -> str:
    """A whole picture: its title above all, then the body."""
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}" role="img" font-family="{FONT}">',
            f"<title>{escape(title)}</title>",
            f"<desc>{escape(desc)}</desc>",
            '<defs><marker id="tip" viewBox="0 0 10 10" refX="8" refY="5" markerWidth="5" markerHeight="5" '
            f'orient="auto"><path d="M0 0L10 5L0 10z" fill="{BRASS}"/></marker></defs>',
            f'<rect x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="10" fill="{CARD}" '
            f'stroke="{LINE}"/>',
            text(24, 36, title, 18, INK, "start", bold=True),
            *body,
            "</svg>\n",
        ]
    )


def text(
    x: float,
    y: float,
    said: str,
    size: float,
    colour: str = FAINT,
    anchor: str = "middle",
    *,
    bold: bool = False,
) -> str:
    weight = ' font-weight="600"' if bold else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size:g}" fill="{colour}" text-anchor="{anchor}"{weight}>'
        f"{escape(said)}</text>"
    )


def box(x: float, y: float, width: float, height: float, colour: str) -> str:
    return f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" fill="{colour}"/>'


def line(x1: float, y1: float, x2: float, y2: float, colour: str = LINE) -> str:
    return f'<path d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}" stroke="{colour}"/>'


def ring(
    x: float,
    y: float,
    radius: float,
    situation: Situation,
    middle: Sequence[str] = (),
    move: Move | None = None,
) -> list[str]:
    """A ring around (x, y): pieces that wait are dark, moved ones bright; words in the middle, and a move."""
    size = radius * 0.235
    drawn = []
    for field in range(FIELDS):
        across, down = _place(x, y, radius, field)
        inner = _place(x, y + radius * 0.045, radius * 0.68, field)
        drawn.append(
            f'<circle cx="{across:.1f}" cy="{down:.1f}" r="{size:.1f}" fill="#ffffff" stroke="{LINE}"/>'
        )
        drawn.append(text(*inner, LETTERS[field], radius * 0.125))
        drawn += _pieces(across, down, size, situation.waiting[field], situation.moved[field])
    drawn += [
        text(
            x,
            y + (number - (len(middle) - 1) / 2) * 15 + 4.5,
            said,
            11.5 if number else 13,
            INK,
            bold=not number,
        )
        for number, said in enumerate(middle)
    ]
    return [*drawn, *([_arrow(x, y, radius + size, move)] if move else [])]


def _place(x: float, y: float, radius: float, field: float) -> tuple[float, float]:
    angle = FIRST_FIELD + tau * field / FIELDS
    return x + radius * sin(angle), y - radius * cos(angle)


def _pieces(x: float, y: float, size: float, waiting: int, moved: int) -> list[str]:
    """Up to six dots in a field; one stands in the middle, more around it."""
    count = waiting + moved
    drawn = []
    for number in range(count):
        away = 0.0 if count == 1 else size * (0.4 if count == 2 else 0.56)
        angle = tau * number / count
        fill = INK if number < waiting else BRASS
        drawn.append(
            f'<circle cx="{x + away * sin(angle):.1f}" cy="{y - away * cos(angle):.1f}" '
            f'r="{size * (0.36 if count < 3 else 0.3 if count < 5 else 0.25):.1f}" fill="{fill}"/>'
        )
    return drawn


def _arrow(x: float, y: float, radius: float, move: Move) -> str:
    """A bow outside the ring, from the field a piece leaves to the one it goes to."""
    outside = radius * 1.06
    (x1, y1), (x2, y2) = (_place(x, y, outside, move.start + shift) for shift in (0, move.pips))
    return (
        f'<path d="M{x1:.1f} {y1:.1f}A{outside:.1f} {outside:.1f} 0 0 1 {x2:.1f} {y2:.1f}" '
        f'fill="none" stroke="{BRASS}" stroke-width="2.5" marker-end="url(#tip)"/>'
    )
