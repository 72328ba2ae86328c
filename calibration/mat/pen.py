"""A pen that draws in board millimetres on a PDF page: shapes, letters, tags, all as vectors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path

from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from calibration.mat.outlines import Outline, Spot, around, polygon, rectangle, tag_cells
from vision.geometry import Layout

Ink = tuple[float, float, float]
"""Red, green, blue, 0 to 1."""
FONT = "Vollkorn"
CAP = 0.676
"""Height of a capital of that font, in its own size."""
BLACK: Ink = (0.0, 0.0, 0.0)
PAPER: Ink = (1.0, 1.0, 1.0)


class Pen:
    """Draws a document page by page: x to the right, y down, in mm from where `page` puts the origin."""

    def __init__(self, title: str) -> None:
        pdfmetrics.registerFont(TTFont(FONT, str(Path(__file__).with_name("Vollkorn-Medium.ttf"))))
        self._file = BytesIO()
        # Invariant: the same mat is the same file, whenever it is made.
        self._canvas = Canvas(self._file, invariant=1)
        self._canvas.setTitle(title)
        self._canvas.setCreator("corona mat")
        self._canvas.setViewerPreference("PrintScaling", "None")

    @contextmanager
    def page(self, size: tuple[float, float], origin: Spot) -> Iterator[None]:
        """A page of `size` mm whose origin lies at `origin`, counted from the top left."""
        wide, high = size
        self._canvas.setPageSize((wide * mm, high * mm))
        self._canvas.translate(origin[0] * mm, (high - origin[1]) * mm)
        self._canvas.scale(mm, -mm)
        yield
        self._canvas.showPage()

    def finish(self) -> bytes:
        """The document."""
        self._canvas.save()
        return self._file.getvalue()

    @contextmanager
    def only_within(self, left: float, top: float, right: float, bottom: float) -> Iterator[None]:
        """What is drawn meanwhile shows within this rectangle alone."""
        self._canvas.saveState()
        window = self._canvas.beginPath()
        window.rect(left, top, right - left, bottom - top)
        self._canvas.clipPath(window, stroke=0, fill=0)
        yield
        self._canvas.restoreState()

    @contextmanager
    def turned(self, centre: Spot, degrees: float) -> Iterator[None]:
        """Meanwhile the origin is at `centre` and all is turned clockwise."""
        self._canvas.saveState()
        self._canvas.translate(*centre)
        self._canvas.rotate(degrees)
        yield
        self._canvas.restoreState()

    def circle(
        self, centre: Spot, radius: float, fill: Ink | None, line: Ink | None, wide: float = 0
    ) -> None:
        """`radius` to the middle of the line, which is `wide` mm."""
        self._dip(fill, line, wide)
        self._canvas.circle(*centre, radius, stroke=line is not None, fill=fill is not None)

    def shape(self, path: Outline, fill: Ink | None, line: Ink | None = None, wide: float = 0) -> None:
        """A closed outline; where outlines lie in each other, every second one is a hole."""
        self._dip(fill, line, wide)
        drawn = self._canvas.beginPath()
        for verb, points in path:
            getattr(drawn, verb)(*(number for point in points for number in point))
        self._canvas.drawPath(drawn, stroke=line is not None, fill=fill is not None, fillMode=0)

    def lines(self, ends: Sequence[tuple[Spot, Spot]], ink: Ink, wide: float) -> None:
        """Straight lines, each from one end to the other."""
        self._dip(None, ink, wide)
        self._canvas.lines([(*one, *other) for one, other in ends])

    def text(self, words: str, at: Spot, cap: float, ink: Ink, middle: bool = True) -> None:
        """Words whose capitals are `cap` mm high, their half height at `at`: centred, or beginning there."""
        self._dip(ink, None, 0)
        size = cap / CAP
        left = at[0] - (pdfmetrics.stringWidth(words, FONT, size) / 2 if middle else 0)
        self._canvas.saveState()
        self._canvas.translate(left, at[1] + cap / 2)
        self._canvas.scale(1, -1)
        self._canvas.setFont(FONT, size)
        self._canvas.drawString(0, 0, words)
        self._canvas.restoreState()

    def tag(self, layout: Layout, tag: int, centre: Spot, border: float) -> None:
        """One of the layout's tags, with a white border."""
        side = layout.tag_mm
        self.shape(rectangle(centre, side + 2 * border), PAPER)
        left, top = centre[0] - side / 2, centre[1] - side / 2
        black = tag_cells(layout.dictionary, tag)
        cell = side / len(black)
        outlines: Outline = []
        for loop in around(black):
            spots = [(left + column * cell, top + row * cell) for column, row in loop]
            outlines += polygon(spots)
        self.shape(outlines, BLACK)

    def _dip(self, fill: Ink | None, line: Ink | None, wide: float) -> None:
        for ink, coloured, grey in (
            (fill, self._canvas.setFillColorRGB, self._canvas.setFillGray),
            (line, self._canvas.setStrokeColorRGB, self._canvas.setStrokeGray),
        ):
            # Black alone, not mixed of three inks, which do not always meet: a tag's edges stay sharp.
            if ink is not None and len(set(ink)) == 1:
                grey(ink[0])
            elif ink is not None:
                coloured(*ink)
        self._canvas.setLineWidth(wide)
