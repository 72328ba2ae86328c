"""The pages: the mat whole on A3, in two halves on A4, or its four tags as stickers."""

from __future__ import annotations

from calibration.mat.board import BORDER, Inks, draw_board, half_side
from calibration.mat.outlines import Spot, rectangle
from calibration.mat.pen import Ink, Pen
from vision.geometry import Layout

A3, A4 = (297.0, 420.0), (210.0, 297.0)
EDGE = 5.0
"""What most printers leave bare along a sheet's edge, mm; the mat's own rim of bare paper may lie in it."""
WIDEST = A3[0] - 2 * (EDGE - BORDER)
"""The widest mat that an A3 sheet holds, mm."""
TOP = 11.0
"""From the top of an A3 sheet to the mat, mm."""
FLAP = 12.0
"""The strip of the left half that goes under the right one, mm."""
BLEED = 1.5
"""How far the picture goes on beyond the cut between the halves, so that no gap shows paper, mm."""
STICKER_BORDER = 5.0
"""White around a sticker's tag, mm: more than on the mat, for a board that may be dark."""
STICKER_MOST = 55.0
"""The largest tag of which four fit a sheet, mm."""
GREY: Ink = (0.45, 0.45, 0.45)
TEXT: Ink = (0.2, 0.2, 0.2)
ADVICE = "Print at 100 % (“actual size”), never “fit to page”. Matt paper reads best."
LEFT = (
    "The left half. Cut along the outer marks, and keep the hatched strip.",
    "Glue the right half onto the strip, its edge between the inner marks.",
)
RIGHT = (
    "The right half. Cut exactly from mark to mark.",
    "Glue it onto the strip of the left half, so that the crown is whole.",
)
BARS = "The bars must measure 40 and 100 mm. If they do not, the printer has changed the size."


class CannotPrint(ValueError):
    """A layout that the sheet cannot hold, or that cannot be cut in two; the text says why."""


def whole(layout: Layout, inks: Inks) -> bytes:
    """One A3 page with the mat; PDF. Raises `CannotPrint`."""
    half = half_side(layout)
    _check(layout)
    if 2 * half > WIDEST:
        raise CannotPrint(
            f"the mat of layout {layout.name!r} is {2 * half:.0f} mm wide, and an A3 sheet holds "
            f"{WIDEST:.0f}; {_otherwise(half)}"
        )
    pen = Pen(f"Corona mat, {layout.name}, A3")
    with pen.page(A3, (A3[0] / 2, TOP + half)):
        _cut_line(pen, -half, half, half)
        draw_board(pen, layout, inks)
        _cut_marks(pen, [-half, half], [-half, half])
        left, low = -half + 8, half + 14
        pen.text(ADVICE, (left, low + 3), 3.2, TEXT, middle=False)
        _ruler(pen, (left, low + 18), 100, down=False)
        _ruler(pen, (half - 22, low), 100, down=True)
        lines = (
            "Both bars must measure 100 mm. If they do not, the printer has changed the size.",
            "Cut along the corner marks. The mat may be folded between the marks in the middle.",
        )
        for number, line in enumerate(lines):
            pen.text(line, (left, low + 32 + 7 * number), 2.4, TEXT, middle=False)
        _fold_marks(pen, half)
    return pen.finish()


def halves(layout: Layout, inks: Inks) -> bytes:
    """Two A4 pages, the left half with a strip to glue and the right half; PDF. Raises `CannotPrint`."""
    half = half_side(layout)
    _check(layout)
    _check_cut(layout)
    if 2 * half > A4[1] - 2 * (EDGE - BORDER) or half + FLAP + 40 > A4[0]:
        raise CannotPrint(
            f"half the mat of layout {layout.name!r} is {half:.0f} x {2 * half:.0f} mm, too large for A4; "
            f"{_otherwise(half)}"
        )
    pen = Pen(f"Corona mat, {layout.name}, two halves on A4")
    with pen.page(A4, (half + EDGE, A4[1] / 2)):
        _cut_line(pen, -half, FLAP, half)
        _glue_strip(pen, half)
        with pen.only_within(-half, -half, BLEED, half):
            draw_board(pen, layout, inks)
        _cut_marks(pen, [-half, 0, FLAP], [-half, half])
        _margin(pen, FLAP + 8, LEFT)
    with pen.page(A4, (A4[0] - half - EDGE, A4[1] / 2)):
        _cut_line(pen, 0, half, half)
        with pen.only_within(-BLEED, -half, half, half):
            draw_board(pen, layout, inks)
        _cut_marks(pen, [0, half], [-half, half])
        _margin(pen, -half / 2 + 16, RIGHT)
    return pen.finish()


def stickers(layout: Layout) -> bytes:
    """One A4 page with the four tags, to cut out and stick on a board; PDF. Raises `CannotPrint`."""
    side = layout.tag_mm + 2 * STICKER_BORDER
    step = side + 24
    if len(layout.tags) != 4 or layout.tag_mm > STICKER_MOST:
        raise CannotPrint(
            f"layout {layout.name!r} has {len(layout.tags)} tags of {layout.tag_mm:g} mm; a sheet "
            f"of stickers holds four, of {STICKER_MOST:g} mm at most"
        )
    pen = Pen(f"Corona stickers, {layout.name}")
    reach = max(step, 60.0)
    with pen.page(A4, (A4[0] / 2, reach + EDGE + 5)):
        slots = ((-1, -1), (1, -1), (1, 1), (-1, 1))
        for (across, along), tag in zip(slots, sorted(layout.tags), strict=True):
            centre = (across * step / 2, along * step / 2)
            pen.shape(rectangle(centre, side), None, GREY, 0.15)
            pen.tag(layout, tag, centre, BORDER)
            pen.text(f"{tag}  {_corner(*layout.tags[tag])}", (centre[0], centre[1] + side / 2 + 5), 2.6, TEXT)
        left, low = -A4[0] / 2 + 20, reach + 16
        pen.text(ADVICE, (left, low), 3.0, TEXT, middle=False)
        lines = (
            "Cut along the grey lines; leave the white around each tag.",
            "Stick them flat at the corners of the board, the right way up as here, nothing over them.",
            f"Each black square must measure {layout.tag_mm:g} mm, the bars 100 mm, along and across.",
        )
        for number, line in enumerate(lines):
            pen.text(line, (left, low + 9 + 6.5 * number), 2.4, TEXT, middle=False)
        _ruler(pen, (left, low + 36), 100, down=False)
        _ruler(pen, (A4[0] / 2 - 18, -50), 100, down=True)
    return pen.finish()


def _otherwise(half: float) -> str:
    """What to print of a board of twice that width which cannot be printed as was asked."""
    if 2 * half > WIDEST:
        return "print stickers for a board of that size: --stickers"
    return "print it whole on A3, or --stickers"


def _corner(x: float, y: float) -> str:
    """Where on the board a tag goes, in words."""
    along = ("bottom" if y > 0 else "top") if abs(y) > abs(x) / 2 else ""
    across = ("right" if x > 0 else "left") if abs(x) > abs(y) / 2 else ""
    return f"{along} {across}".strip()


def _check(layout: Layout) -> None:
    reach = layout.tag_mm / 2 + BORDER
    for number, (x, y) in enumerate(layout.field_centres):
        for tag, (u, v) in layout.tags.items():
            aside = (max(abs(x - u) - reach, 0) ** 2 + max(abs(y - v) - reach, 0) ** 2) ** 0.5
            if aside < layout.field_mm / 2:
                raise CannotPrint(
                    f"in layout {layout.name!r} tag {tag} with its white border lies in field "
                    f"{chr(ord('A') + number)}"
                )


def _check_cut(layout: Layout) -> None:
    cut = [
        f"field {chr(ord('A') + number)}"
        for number, (x, _) in enumerate(layout.field_centres)
        if abs(x) < layout.field_mm / 2 + 1
    ]
    cut += [f"tag {tag}" for tag, (x, _) in layout.tags.items() if abs(x) < layout.tag_mm / 2 + BORDER]
    if cut:
        raise CannotPrint(
            f"a cut through the middle of layout {layout.name!r} crosses {' and '.join(cut)}; "
            f"{_otherwise(half_side(layout))}"
        )


def _cut_line(pen: Pen, left: float, right: float, half: float) -> None:
    """Where to cut, all around; drawn first, so that the picture and the white around tags lie over it."""
    pen.shape(rectangle(((left + right) / 2, 0), right - left, 2 * half), None, (0.75, 0.75, 0.75), 0.1)


def _cut_marks(pen: Pen, columns: list[float], rows: list[float]) -> None:
    """Short lines outside the mat, in line with what is to be cut."""
    top, low = min(rows), max(rows)
    marks: list[tuple[Spot, Spot]] = []
    for x in columns:
        marks += [((x, top - 1), (x, top - 6)), ((x, low + 1), (x, low + 6))]
    for x, away in ((columns[0], -1), (columns[-1], 1)):
        marks += [((x + away, y), (x + 5 * away, y)) for y in rows]
    pen.lines(marks, GREY, 0.15)


def _fold_marks(pen: Pen, half: float) -> None:
    dashes = [
        ((0.0, side * (half + 1 + k)), (0.0, side * (half + 2 + k))) for side in (-1, 1) for k in (0, 2, 4)
    ]
    pen.lines(dashes, GREY, 0.15)


def _glue_strip(pen: Pen, half: float) -> None:
    """Hatching on the flap, and the line to which the other half goes."""
    hatch: list[tuple[Spot, Spot]] = []
    y = -half + 2
    while y + FLAP - 3 < half:
        hatch.append(((BLEED + 0.5, y + FLAP - 3), (FLAP - 1, y)))
        y += 5
    pen.lines(hatch, (0.75, 0.75, 0.75), 0.2)
    with pen.turned((FLAP / 2 + 0.7, 0), 90):
        pen.shape(rectangle((0, 0), 26, 5), (1.0, 1.0, 1.0))
        pen.text("glue here", (0, 0), 2.8, TEXT)


def _margin(pen: Pen, x: float, words: tuple[str, ...]) -> None:
    """What to know, beside a half: upright lines and the bars."""
    for number, line in enumerate((ADVICE, *words, BARS)):
        with pen.turned((x + 20 - 6.5 * number, -135), 90):
            pen.text(line, (0, 0), 2.4 if number else 3.0, TEXT, middle=False)
    _ruler(pen, (x + 14, 34), 100, down=True)
    _ruler(pen, (x - 4, 22), 40, down=False)


def _ruler(pen: Pen, start: Spot, length: int, down: bool) -> None:
    """A bar of `length` mm with a tick each centimetre."""
    with pen.turned(start, 90 if down else 0):
        ticks: list[tuple[Spot, Spot]] = [((0, 0), (length, 0))]
        ticks += [
            ((at, -3.0 if at % 50 == 0 or at == length else -1.8), (at, 0)) for at in range(0, length + 1, 10)
        ]
        pen.lines(ticks, TEXT, 0.25)
        pen.text(f"{length} mm", (length / 2, 3.6), 2.4, TEXT)
