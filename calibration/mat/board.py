"""The mat's picture: a crown seen from above, whose twelve points lead to the twelve fields."""

from __future__ import annotations

from dataclasses import dataclass
from math import atan2, cos, degrees, radians, sin, sqrt

from calibration.mat.outlines import Outline, Spot, arc, polygon
from calibration.mat.pen import PAPER, Ink, Pen
from vision.geometry import Layout

BORDER = 4.0
"""White around a tag on the mat, mm: what the design asks for at least."""
MARGIN = 5.0
"""Bare paper along the mat's edge, mm: a cut that is a little off does not show."""
RING_INSIDE = 77.0
"""The ornament within the fields is drawn for this much room and scaled to what the layout has, mm."""


@dataclass(frozen=True)
class Inks:
    """What is printed in which ink; None is bare paper."""

    ground: Ink | None
    field: Ink | None
    star: Ink | None
    gold: Ink | None
    line: Ink


COLOUR = Inks(
    ground=(0.745, 0.816, 0.714),
    field=(0.647, 0.745, 0.612),
    star=(0.675, 0.765, 0.639),
    gold=(0.780, 0.620, 0.290),
    line=(0.118, 0.286, 0.220),
)
SAVING = Inks(
    ground=None,
    field=None,
    star=None,
    gold=None,
    line=(0.118, 0.286, 0.220),
)


def half_side(layout: Layout) -> float:
    """Half the side of the mat: what holds tags with their border, and fields, mm."""
    reach = max(abs(value) for centre in layout.tags.values() for value in centre) + layout.tag_mm / 2
    return max(reach + BORDER, layout.ring_mm + layout.field_mm / 2 + 2 * MARGIN)


def draw_board(pen: Pen, layout: Layout, inks: Inks) -> None:
    """The whole mat, around the pen's origin."""
    _plaque(pen, layout, inks)
    _ring(pen, layout, inks)
    _coronet(pen, layout, inks)
    _fields(pen, layout, inks)
    for tag, centre in layout.tags.items():
        pen.tag(layout, tag, centre, BORDER)


def _plaque(pen: Pen, layout: Layout, inks: Inks) -> None:
    """The ground: a square whose corners are hollowed out for the tags."""
    side = half_side(layout) - MARGIN
    inner = min(max(abs(x), abs(y)) for x, y in layout.tags.values()) - layout.tag_mm / 2 - BORDER
    most = sqrt(2) * side - layout.ring_mm - layout.field_mm / 2 - 12
    hollow = min(sqrt(2) * (side - inner) + 1.5, most)
    pen.shape(_hollowed(side, hollow), inks.ground, inks.line, 0.5)
    pen.shape(_hollowed(side - 1.7, hollow + 1.7), None, inks.line, 0.2)


def _hollowed(side: float, hollow: float) -> Outline:
    """A square from -`side` to `side` with quarter circles of radius `hollow` taken from its corners."""
    outline: Outline = [("moveTo", [(-side + hollow, -side)])]
    for number, (x, y) in enumerate([(side, -side), (side, side), (-side, side), (-side, -side)]):
        start = 180 + 90 * number
        outline.append(("lineTo", [_spot((x, y), hollow, start)]))
        outline += arc((x, y), hollow, start, start - 90)
    return [*outline, ("close", [])]


def _ring(pen: Pen, layout: Layout, inks: Inks) -> None:
    """The way from field to field: two fine circles, with a lozenge between neighbours."""
    edge = layout.ring_mm + layout.field_mm / 2
    for away, fill, wide in ((4.6, inks.gold, 0.45), (3.4, inks.ground, 0.2)):
        pen.circle((0, 0), edge + away, fill or PAPER, inks.line, wide)
    for number in range(layout.fields):
        turn = layout.first_deg + (number + 0.5) * 360 / layout.fields
        gap = 2 * layout.ring_mm * sin(radians(180 / layout.fields)) - layout.field_mm
        wide = min(1.5, gap / 4)
        lozenge = _lozenge(_polar(layout.ring_mm, turn), 2 * wide, wide, turn)
        pen.shape(lozenge, inks.gold or PAPER, inks.line, 0.25)


def _fields(pen: Pen, layout: Layout, inks: Inks) -> None:
    """Twelve circles, each with its letter towards the middle."""
    room = layout.ring_mm - layout.field_mm / 2
    cap = 8.6 * room / RING_INSIDE
    for number, (x, y) in enumerate(layout.field_centres):
        centre, radius = (float(x), float(y)), layout.field_mm / 2
        pen.circle(centre, radius + 1.3, inks.ground or PAPER, inks.line, 0.2)
        pen.circle(centre, radius, inks.field, inks.line, 0.7)
        turn = layout.first_deg + number * 360 / layout.fields
        with pen.turned(_polar(room - 3.6 - cap / 2, turn), turn):
            pen.text(chr(ord("A") + number), (0, 0), cap, inks.line)


def _coronet(pen: Pen, layout: Layout, inks: Inks) -> None:
    """The crown from above, twelve points, and in its middle the crown as one knows it."""
    scale = (layout.ring_mm - layout.field_mm / 2) / RING_INSIDE
    step = 360 / layout.fields
    valley, tip = 38 * scale, 56.5 * scale
    for number in range(layout.fields):
        turn = layout.first_deg + number * step
        before, after = _slope(turn, -step / 2, valley, tip), _slope(turn, step / 2, valley, tip)
        # Light on one side of each point and shade on the other, as on a compass rose.
        for slope, ink in ((before, inks.star), (after, inks.field)):
            pen.shape(slope, ink, inks.line, 0.3)
        jewel = _lozenge(_polar(57.5 * scale, turn), 2.4 * scale, 1.4 * scale, turn)
        pen.shape(jewel, inks.gold or PAPER, inks.line, 0.25)
    pen.circle((0, 0), 34.2 * scale, inks.gold or PAPER, inks.line, 0.3)
    pen.circle((0, 0), 32.6 * scale, inks.ground or PAPER, inks.line, 0.6)
    pen.circle((0, 0), 30.8 * scale, None, inks.line, 0.2)
    _crown(pen, inks, scale)


def _slope(turn: float, aside: float, valley: float, tip: float) -> Outline:
    """Half a point: from the valley `aside` degrees beside it, along the middle, to its tip at `turn`."""
    rise = tip - valley
    low, near = _polar(valley, turn + aside), _polar(valley + 0.02 * rise, turn + 0.4 * aside)
    far = _polar(valley + 0.45 * rise, turn + 0.06 * aside)
    return [
        ("moveTo", [(0, 0)]),
        ("lineTo", [low]),
        ("curveTo", [near, far, _polar(tip, turn)]),
        ("close", []),
    ]


def _crown(pen: Pen, inks: Inks, scale: float) -> None:
    """Five points over a curved band, drawn for a circle of 30 mm."""

    def at(x: float, y: float) -> Spot:
        return x * scale, (y + 1.2) * scale

    tips = [(-22.4, -8.4), (-11.2, -13.4), (0.0, -15.6), (11.2, -13.4), (22.4, -8.4)]
    valleys = [(-14.6, 1.4), (-5.0, -0.4), (5.0, -0.4), (14.6, 1.4)]
    body: Outline = [("moveTo", [at(-15.4, 10)]), ("curveTo", [at(-15.9, 5.6), at(-19.2, 0), at(*tips[0])])]
    for one, low, other in zip(tips[:-1], valleys, tips[1:], strict=True):
        down, up = _flank(one, low), _flank(other, low)
        body.append(("curveTo", [at(*down[0]), at(*down[1]), at(*low)]))
        body.append(("curveTo", [at(*up[1]), at(*up[0]), at(*other)]))
    body.append(("curveTo", [at(19.2, 0), at(15.9, 5.6), at(15.4, 10)]))
    body.append(("curveTo", [at(8, 13), at(-8, 13), at(-15.4, 10)]))
    pen.shape([*body, ("close", [])], inks.gold, inks.line, 0.5)
    upper = [at(-15.9, 5.6), at(-8, 8.6), at(8, 8.6), at(15.9, 5.6)]
    band: Outline = [("moveTo", [upper[0]]), ("curveTo", upper[1:]), ("lineTo", [at(15.4, 10)])]
    band += [("curveTo", [at(8, 13), at(-8, 13), at(-15.4, 10)]), ("close", [])]
    pen.shape(band, inks.field, inks.line, 0.4)
    jewels = [(at(x, y), 1.35, 2.0, -0.6 * x) for x, y in ((-10.2, 9.3), (-3.5, 10), (3.5, 10), (10.2, 9.3))]
    jewels += [(at(x * 1.02, y - 1.4), 2.6, 1.7, degrees(atan2(x, 30))) for x, y in tips]
    for spot, tall, wide, turn in jewels:
        pen.shape(_lozenge(spot, tall * scale, wide * scale, turn), inks.gold or PAPER, inks.line, 0.35)


def _flank(tip: Spot, low: Spot) -> tuple[Spot, Spot]:
    """The handles of a crown's point from its tip down to the valley: steep above, level below."""
    (x, y), (u, v) = tip, low
    outer = abs(x) > abs(u)
    steep, level = (0.3, 0.62) if outer and abs(x) > 20 else (0.1, 0.45)
    return (x + steep * (u - x), y + 0.55 * (v - y)), (x + level * (u - x), v)


def _lozenge(centre: Spot, tall: float, wide: float, turn: float) -> Outline:
    """A lozenge reaching `tall` towards `turn` (degrees clockwise from the top) and `wide` to its sides."""
    up, side = _polar(tall, turn), _polar(wide, turn + 90)
    x, y = centre
    return polygon([(x + u, y + v) for u, v in (up, side, (-up[0], -up[1]), (-side[0], -side[1]))])


def _polar(radius: float, turn: float) -> Spot:
    """`turn` in degrees clockwise from the top."""
    return radius * sin(radians(turn)), -radius * cos(radians(turn))


def _spot(centre: Spot, radius: float, angle: float) -> Spot:
    """`angle` in degrees clockwise from the right."""
    return centre[0] + radius * cos(radians(angle)), centre[1] + radius * sin(radians(angle))
