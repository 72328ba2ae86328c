"""Labels beside things in a picture: where they cover neither each other nor what they stand beside."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from vision.reading import Point

Box = tuple[float, float, float, float]
"""Left, top, right and lower edge."""

OVER_LABEL, OVER_THING, UNUSUAL = 4.0, 1.0, 0.02
"""What it costs to lie over another label or out of the picture, over another thing; for each place further
down the list of those that are tried. Times the area, or the label's."""
ROUNDS = 4


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
    chosen = [places[0] for places in tried]
    for _ in range(ROUNDS):
        for k, size in enumerate(sizes):
            others = [centred(at, wide) for at, wide in zip(chosen, sizes, strict=True)]
            labels = [*taken, *others[:k], *others[k + 1 :]]

            def cost(number: int, k: int = k, size: Point = size, labels: Sequence[Box] = labels) -> float:
                label, area = centred(tried[k][number], size), size[0] * size[1]
                over = sum(_common(label, other) for other in labels) + area - _common(label, inside)
                hides = sum(_common(label, thing) for thing in things)
                return OVER_LABEL * over + OVER_THING * hides + UNUSUAL * area * number

            chosen[k] = tried[k][min(range(len(tried[k])), key=cost)]
    return chosen


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
