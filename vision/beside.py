"""What is new beside a die: one that leans sticks out of its outline, and leans on something.

Nothing tells a flat die from one that leans a little as plainly as what the table shows around it, for a
die that stands free has nothing to lean on. The networks see no farther than a die's own sides.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.change import TINTED, Change, Mask, tinted_shadows
from vision.dice import FoundDie
from vision.faces import Top, corners, silhouette
from vision.geometry import Grey, Image, View
from vision.profile import Profile
from vision.towers import FoundPiece

SEEN = 0.5
"""What is no likelier a die than this is no neighbour, and nothing is looked for beside it."""
PLAINLY = 0.999999
"""Nothing that is beside a die makes it doubtful that is as likely flat by its own look."""
AROUND = 1.15
"""Sides of a die: so far around its middle it is looked at."""
INTO_MM, WIDER = 1.5, 1.12
"""A die whose foot reaches no farther into a piece is clear of it; pieces look so much wider."""
FREE, EVEN, COUNTS = 0.02, 0.1, 1.6
"""That a die lies flat is likelier by this power of how many times less is new beside it than `EVEN`; `FREE`
is added to what is. Of 11473 readings of flat dice of 66 games 80 in 100 have no more than that beside them,
of the 116 that the networks doubt 84, of 362 readings of leaning dice 10. What it brings is in
docs/reading-notes.md."""
AGAINST = 3.5
"""And less likely by this power of how many times more: a die (75010) that leaned by 15 degrees on a chip
looked flat, ten thousand to one, and passed in five of nine forms with 1.6. Of 4563 readings of flat dice of
33 sets two are in doubt by it, one with 1.6."""
UNSEEN = 0.3
"""Of a die that is not told from the table itself, only this share of the power counts for it: on thrown sets
as little was beside 22 in 100 leaning ones of which less than half was new, beside 8 of all others."""
_EDGE = np.ones((3, 3), np.uint8)


@dataclass(frozen=True, slots=True)
class Stance:
    """How a die stands out, to tell one that lies flat from one that leans.

    `new` and `beside`: how much of the die's outline is surely no table and no shadow; and how much around it
    is, that is neither another die nor a piece clear of this one, in shares of its outline's area.
    """

    new: float
    beside: float


def with_surroundings(
    dice: Mapping[str, FoundDie | None],
    pieces: Sequence[FoundPiece],
    change: Change,
    view: View,
    profile: Profile,
) -> dict[str, FoundDie | None]:
    """The same dice; how likely each lies flat, now that what is new beside it is heard.

    One across the board's edge, which was there before, may lean by as much as a board is thick: it shows
    its top as plainly.
    """
    die_mm = profile.die_mm
    seen = {name: die for name, die in dice.items() if die and die.there > SEEN}
    plain = [die for die in seen.values() if die.flat > PLAINLY]
    seen = {name: die for name, die in seen.items() if die.flat <= PLAINLY}
    if not seen:
        return dict(dice)
    near = np.zeros(change.thing.shape, dtype=np.uint8)
    reach = round(1.1 * AROUND * die_mm * view.pixels_per_mm() / 2)
    for die in seen.values():
        x, y = view.pixel(die.x, die.y, die_mm / 2)
        cv2.circle(near, (round(x / 2), round(y / 2)), reach, 1, -1)
    thing = change.thing.astype(np.float32)
    thing[tinted_shadows(change, near * change.thing)] = TINTED
    standing = stances(view, thing, seen, die_mm, plain, pieces, profile.piece_mm)
    told: dict[str, FoundDie | None] = dict(dice)
    for name, die in seen.items():
        told[name] = replace(die, flat=heard(die.flat, standing[name]))
    return told


def heard(flat: float, stance: Stance) -> float:
    """How likely a die lies flat that is this likely `flat` by its own look."""
    less = EVEN / (stance.beside + FREE)
    power = COUNTS * (UNSEEN + (1 - UNSEEN) * min(stance.new, 1.0)) if less > 1 else AGAINST
    for_flat = flat * less**power
    return float(for_flat / (for_flat + (1 - flat)))


def stances(
    view: View,
    thing: Grey | Mask,
    tops: Mapping[str, Top],
    die_mm: float,
    others: Sequence[Top] = (),
    pieces: Sequence[FoundPiece] = (),
    piece_mm: tuple[float, float] = (0.0, 0.0),
) -> dict[str, Stance]:
    """The stance of dice whose `tops` are told, as those of the `others` are.

    `thing` (H, W) at half size: how surely each pixel is new and no shadow.
    """

    def outline(top: Top) -> NDArray[np.int32]:
        return np.round(silhouette(top, die_mm, view) / 2 - 0.25).astype(np.int32)

    hulls = {name: outline(top) for name, top in tops.items()}
    dice: Image = np.zeros(thing.shape, dtype=np.uint8)
    for hull in [*hulls.values(), *map(outline, others)]:
        cv2.fillConvexPoly(dice, hull, 1)
    dice = cv2.dilate(dice, _EDGE)
    reach = round(AROUND * die_mm * view.pixels_per_mm() / 2)
    found = {}
    for name, hull in hulls.items():
        clear = [piece for piece in pieces if _is_clear(piece, tops[name], die_mm, piece_mm[0])]
        known = _with_pieces(dice, clear, view, piece_mm) if clear else dice
        found[name] = _stance(thing, hull, known, reach)
    return found


def _is_clear(piece: FoundPiece, top: Top, die_mm: float, diameter: float) -> bool:
    """Whether a piece is near a die, and the die's foot clear of it."""
    if np.hypot(piece.x - top.x, piece.y - top.y) > 2 * AROUND * die_mm + diameter:
        return False
    foot = corners(top, die_mm, 0)[:, :2].astype(np.float32)
    return -cv2.pointPolygonTest(foot, (piece.x, piece.y), True) > diameter / 2 - INTO_MM


def _with_pieces(
    known: Image, pieces: Sequence[FoundPiece], view: View, piece_mm: tuple[float, float]
) -> Image:
    """The same map, 1 where pieces are seen, too."""
    known = known.copy()
    for piece in pieces:
        for height in piece_mm[1] * np.arange(piece.level + 1):
            x, y = view.pixel(piece.x, piece.y, height)
            radius = WIDER * piece_mm[0] / 2 * view.pixels_per_mm(piece.x, piece.y, height) / 2
            cv2.circle(known, (round(x / 2), round(y / 2)), round(radius), 1, -1)
    return known


def _stance(thing: Grey | Mask, hull: NDArray[np.int32], known: Image, reach: int) -> Stance:
    """Of a die with this outline; what lies around it where something is `known` does not count."""
    middle = hull.mean(axis=0)
    low = np.maximum(np.minimum(hull.min(axis=0), np.floor(middle) - reach) - 2, 0).astype(int)
    high = np.maximum(hull.max(axis=0), np.ceil(middle) + reach).astype(int) + 3
    part = slice(low[1], high[1]), slice(low[0], high[0])
    new = thing[part]
    own: Image = np.zeros(new.shape, dtype=np.uint8)
    around: Image = np.zeros_like(own)
    cv2.fillConvexPoly(own, hull - low.astype(np.int32), 1)
    own = cv2.erode(own, _EDGE)
    cv2.circle(around, tuple(int(v) for v in middle - low), reach, 1, -1)
    area = max(int(own.sum()), 1)
    return Stance(
        float((new[own > 0] > 0).sum()) / area, float(new[(around > 0) & (known[part] == 0)].sum()) / area
    )
