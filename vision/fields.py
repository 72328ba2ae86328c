"""On which field each piece stands, and how near its edge."""

from __future__ import annotations

import math
from collections import Counter

from vision.beyond import cut_pieces
from vision.look import Seen
from vision.profile import Profile

INSIDE, OFF_MM, OUTSIDE = 0.8, 3.0, 0.95
"""A piece is on a field when its middle is within this share of the field's radius; or within so much more
than where those stand that have no more room there, for what is seen aslant may be so far off (of 48 bells
one was by 2.8 mm); but never so far out."""
CROWDED = 0.87
"""Or within this where three and more stand side by side: then nobody has much room. On 80 rendered sets the
middle of none of 946 such is farther out than 0.75, and that of none of 26 that stand between fields nearer
than 1.0; of twelve looked at one was seen 4 mm aside."""

Nearest = tuple[int, float, int]
"""The field nearest to a place, how far its middle is in field radii, and the second nearest field."""


def counts_of(seen: Seen, profile: Profile) -> list[int]:
    """How many pieces stand on each field, in the likeliest way."""
    counts = [0] * profile.layout.fields
    for piece in seen.pieces.pieces:
        near, share, _ = nearest((piece.x, piece.y), profile)
        if share <= 1:
            counts[near] += piece.level
    return counts


def nearest(at: tuple[float, float], profile: Profile) -> Nearest:
    """The `Nearest` of a place (x, y), mm on the board."""
    away = [math.dist(at, centre) for centre in profile.layout.field_places]
    first, second, *_ = sorted(range(len(away)), key=away.__getitem__)
    return first, away[first] / (profile.layout.field_mm / 2), second


def inside(beside: int, profile: Profile) -> float:
    """How far out, in field radii, a piece may stand on a field where so many stand side by side."""
    if beside < 2:
        return INSIDE
    squeezed = profile.piece_mm[0] / math.sin(math.pi / beside) / 2 + OFF_MM
    least = INSIDE if beside == 2 else CROWDED
    return max(least, min(squeezed / (profile.layout.field_mm / 2), OUTSIDE))


def off_field(seen: Seen, profile: Profile) -> list[tuple[int, float, int]]:
    """Of each piece that stands at a field's edge or beside it what `nearest` says."""
    places = [nearest((piece.x, piece.y), profile) for piece in seen.pieces.pieces]
    beside = Counter(near for near, _, _ in places)
    return [place for place in places if place[1] > inside(beside[place[0]], profile)]


def cut_fields(seen: Seen, profile: Profile) -> list[int]:
    """The fields nearest to the pieces that the photo's edge cuts off."""
    return [nearest((one.x, one.y), profile)[0] for one in cut_pieces(seen, profile)]
