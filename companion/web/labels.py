"""Labels beside things in a picture: where they cover neither each other nor what they stand beside."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from vision.reading import Point

Box = tuple[float, float, float, float]
"""Left, top, right and lower edge."""

OVER_LABEL, OVER_THING, UNUSUAL = 4.0, 2.0, 0.02
"""What it costs to lie over another label or out of the picture, over another thing; for each place further
down the list of those that are tried. Times the area, or the label's."""
ROUNDS = 2


def around(outline: Sequence[Point]) -> Box:
    """The box around an outline."""
    xs, ys = zip(*outline, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def centred(at: Point, size: Point) -> Box:
    """The box of this width and height around `at`."""
    (x, y), (wide, high) = at, size
    return x - wide / 2, y - high / 2, x + wide / 2, y + high / 2


def beside(things: Sequence[Box], sizes: Sequence[Point], taken: Sequence[Box], inside: Box) -> list[Point]:
    """The middle of a label of its size for each thing, above it where there is room.

    `taken` are labels that stay where they are, `inside` is what is seen of the picture.
    """
    tried = [list(_places(thing, size)) for thing, size in zip(things, sizes, strict=True)]
    boxes = [[centred(at, size) for at in places] for places, size in zip(tried, sizes, strict=True)]
    alone = [
        [
            OVER_LABEL * (sum(_common(box, other) for other in taken) + wide * high - _common(box, inside))
            + OVER_THING * sum(_common(box, thing) for thing in things)
            + UNUSUAL * wide * high * number
            for number, box in enumerate(mine)
        ]
        for mine, (wide, high) in zip(boxes, sizes, strict=True)
    ]

    def cost(k: int, number: int, chosen: dict[int, int]) -> float:
        others = (boxes[j][at] for j, at in chosen.items() if j != k)
        return alone[k][number] + OVER_LABEL * sum(_common(boxes[k][number], other) for other in others)

    def placed(order: Sequence[int]) -> dict[int, int]:
        chosen: dict[int, int] = {}
        for k in ROUNDS * [*order]:
            costs = [cost(k, number, chosen) for number in range(len(boxes[k]))]
            chosen[k] = costs.index(min(costs))
        return chosen

    # Who is placed first has the choice: the order that leads to the least is taken.
    rows = [range(len(things)), range(len(things))[::-1]]
    orders = [[*row[k:], *row[:k]] for row in rows for k in range(len(row) or 1)]
    best = min(map(placed, orders), key=lambda chosen: sum(cost(k, at, chosen) for k, at in chosen.items()))
    return [tried[k][best[k]] for k in range(len(things))]


def _places(thing: Box, size: Point) -> Iterator[Point]:
    """Where the label of a thing may stand, the usual place first."""
    (left, top, right, low), (wide, high) = thing, size
    x, y = (left + right) / 2, (top + low) / 2
    above, below = top - high / 2, low + high / 2
    yield from ((x, above), (x + wide / 3, above), (x - wide / 3, above))
    yield from ((right + wide / 2, y), (left - wide / 2, y))
    yield from ((x, below), (x + wide / 3, below), (x - wide / 3, below))
    yield from ((right + wide / 2, above), (left - wide / 2, above))
    yield from ((right + wide / 2, below), (left - wide / 2, below))


def _common(one: Box, other: Box) -> float:
    """The area that two boxes share."""
    wide = min(one[2], other[2]) - max(one[0], other[0])
    high = min(one[3], other[3]) - max(one[1], other[1])
    return max(wide, 0.0) * max(high, 0.0)
