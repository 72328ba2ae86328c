"""How the numbers are put: shares, odds, situations, and Markdown that is easy to read as text too."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from textwrap import fill

from companion.games.corona import notation
from companion.games.corona.extremes import Example
from companion.games.corona.rules import Situation

BOOK = (7, 13)
"""The French book's claim: most often the right bid is one of these."""
BOOKS_MOST = {"French": 21, "German": 20}
"""What the two books say is the most."""
PICTURES = "numbers"
"""The folder of the pictures, beside the document."""


def percent(share: float) -> str:
    """`61.1 %`; what is not quite all is not told as all, nor what is not quite nothing as nothing."""
    least = 0.0005
    told = "< 0.1" if 0 < share < least else "> 99.9" if 1 - least < share < 1 else f"{100 * share:.1f}"
    return f"{told}\N{NO-BREAK SPACE}%"


def rarely(share: float) -> str:
    """A share in percent, or as one case in so many where it is small."""
    return percent(share) if share >= 0.01 or not share else f"1 in {round(1 / share):,}"


def said(situation: Situation) -> str:
    return notation.write(situation)


def sums(example: Example) -> str:
    """What each move scores: `2+3+4`."""
    return "+".join(str(move.points) for move in example.moves)


def alike(counts: Sequence[int], together: str, alone: str) -> str:
    """`2 alike, 4 single` of 2+1+1+1+1."""
    words = [f"{count} {together}" for count in counts if count > 1]
    single = counts.count(1)
    return ", ".join([*words, *([f"{single} {alone}"] if single else [])])


def prose(*paragraphs: str) -> list[str]:
    """Paragraphs in lines of a width, an empty line after the last; items of a list are indented."""
    lines = []
    for paragraph in paragraphs:
        mark = paragraph.split(" ", 1)[0]
        indent = " " * (len(mark) + 1) if mark == "-" or mark.rstrip(".").isdecimal() else ""
        lines.append(fill(paragraph, 116, subsequent_indent=indent, break_on_hyphens=False))
    return [*lines, ""]


def table(heads: Sequence[str], rows: Iterable[Sequence[object]], left: Iterable[int] = ()) -> list[str]:
    """A Markdown table, all numbers to the right and the columns in `left` to the left."""
    aligned = ["---" if number in left else "---:" for number in range(len(heads))]
    cells = [[f"{cell:,}" if isinstance(cell, int) else str(cell) for cell in row] for row in rows]
    return [*(f"| {' | '.join(row)} |" for row in [heads, aligned, *cells]), ""]


def picture(name: str, described: str) -> list[str]:
    return [f"![{described}]({PICTURES}/{name}.svg)", ""]
