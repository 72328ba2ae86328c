"""What lies on the board and is neither piece nor die: perhaps a hand, no shadow, no chip on its edge."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.change import TINTED, Change, Mask, tinted_shadows
from vision.dice import FoundDie
from vision.faces import silhouette
from vision.geometry import Image, Layout, View, on_board, square, square_seen
from vision.once import once
from vision.profile import Profile
from vision.towers import FoundPieces

CHIP_MM, ROUND = 40.0, 0.8
"""What is no wider, fills its circle by such a share and lies on no field is a chip or a coin, no hand."""
TOUCHES = 0.05
"""A chip's circle may reach over the board's edge by such a share where the chip only touches it."""
HEAP, COMPACT, BESIDE = 2.0, 0.45, 0.1
"""So many chips wide, filling its circle by such a share, and such a share of it beside the board, is a heap
of chips at most: three of those are 1.2 to 1.9 wide. Of 198 readings of hands none is taken for one; what is
seen of one beside the board, in pieces, and of a mug's shadow fills 0.26 to 0.43."""
ROW, NOWHERE_NARROWER = (0.5, 1.1), 0.65
"""A heap is also what keeps such a share where discs of the first of a chip's widths fit in, and loses it
where those of the second do. Of 21 hands in fourteen forms one could have been taken for chips: its fingers
keep nothing by the first, its arm 0.75 and more by the second."""
CLOSE_MM = 12.0
"""What is nowhere farther from a piece or a die is light that it throws back, or its shadow: a blue die made
a white board blue beside it, 8 mm far. Of 81 readings of hands each reaches 58 mm at least."""
PAPER_MM = 4.0
"""So much white is around each tag, at least."""
ARM = 0.5
"""What reaches the picture's edge, as an arm does, need cover so much of what makes other things too large:
of a brown hand over a brown board little more is seen than its edges."""
NEARLY, ALL_OF_IT = 0.08, 0.95
"""What is pale and differs by no more than such a log in any channel is new by grey levels alone: if so much
of it does, it is no thing. Under a veil a pale crown on a dark board (89135) was one, 5 % lighter than the
light of the board tells."""
CROSSES_MM, EDGE = 10.0, 1.07
"""What reaches the picture's edge, and so near to the board (in its halves) for so long, goes on over it,
seen or not. Of 13 hands seven do, and are 20 mm wide there. By 10 a finger and a thick pen do, too, and none
of 93 tables is in doubt for it, in fourteen forms each; a pencil beside the board may touch it."""
THROWS = 1.2
"""What may be a tinted shadow counts less than a thing, where it is no farther from a die or a tower than so
many times its height."""


def covered_by_others(
    change: Change, view: View, profile: Profile, dice: dict[str, FoundDie | None], pieces: FoundPieces
) -> tuple[tuple[int, ...], bool]:
    """The fields under something large and new that is neither piece nor die, and whether there is any."""
    reaches = _reaches_over(change, view, profile.layout.half_mm)
    there = covering(change, view, profile, dice, pieces)
    if not there.any():
        return (), reaches
    least = _least(view, profile)
    fields = []
    for number, (x, y) in enumerate(profile.layout.field_centres):
        across, down = view.pixel(x, y, 0)
        radius = profile.layout.field_mm / 2 * view.pixels_per_mm(x, y) / 2
        disc = np.zeros(there.shape, dtype=np.uint8)
        cv2.circle(disc, (round(across / 2), round(down / 2)), round(radius), 1, -1)
        if there[disc > 0].sum() > 0.25 * least:
            fields.append(number)
    whole = square_seen(there.shape, view, profile.layout.half_mm, 2)
    if not fields and _are_chips(change, there, whole, CHIP_MM * view.pixels_per_mm() / 2):
        return (), reaches
    return tuple(fields), True


def covering(
    change: Change, view: View, profile: Profile, dice: dict[str, FoundDie | None], pieces: FoundPieces
) -> Mask:
    """Where on the board something large and new is neither piece nor die, at half the picture's size.

    All of one thing counts together, as the fingers of a hand, which are one beside the board.
    """
    new = change.thing.view(np.uint8) & _board(view, change.thing.shape, profile.layout)
    rest = cv2.morphologyEx(new, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    found = where_found(rest.shape, view, profile, dice, pieces)
    rest = rest & (1 - found)
    least = _least(view, profile)
    if cv2.countNonZero(rest) < ARM * least:
        return np.zeros(rest.shape, dtype=np.bool_)
    throws = THROWS * max([profile.die_mm, *(piece.level * profile.piece_mm[1] for piece in pieces.pieces)])
    away = cv2.distanceTransform(1 - found, cv2.DIST_L2, 3) / (view.pixels_per_mm() / 2)
    tinted = tinted_shadows(change, rest) & (away < throws)
    count, spots = cv2.connectedComponents(_new(change) & (found == 0), connectivity=8)
    area = np.bincount(spots.ravel(), weights=(np.where(tinted, TINTED, 1) * rest).ravel())
    wanted = np.where(_at_edge(spots), ARM * least, least)
    large = []
    for spot in np.flatnonzero(area[1:count] >= wanted[1:count]) + 1:
        there = spots == spot
        if away[there].max() > CLOSE_MM and not _is_nearly_as_it_was(change, there & (rest > 0)):
            large.append(spot)
    if not large:
        return np.zeros(rest.shape, dtype=np.bool_)
    return np.asarray(np.isin(spots, large) & (rest > 0))


def _is_nearly_as_it_was(change: Change, there: Mask) -> bool:
    """Whether what is new there is what lay there before, in a little more or less light or other tones."""
    now, then = (picture[there].astype(np.float64) + 1 for picture in (change.frame, change.empty))
    off = np.abs(np.log(now / then)).max(axis=1)
    return bool((off < NEARLY).mean() > ALL_OF_IT)


def _least(view: View, profile: Profile) -> float:
    """Half the area of a top, in pixels of half the picture: smaller leftovers are rims and shine."""
    return float(0.5 * np.pi / 4 * (profile.piece_mm[0] * view.pixels_per_mm() / 2) ** 2)


def _reaches_over(change: Change, view: View, half_mm: float) -> bool:
    """Whether something reaches from the picture's edge to the board's, and is wide there, as an arm is.

    The hand itself may look like a shadow on a board of its colour.
    """
    line = _around(view, change.thing.shape, EDGE * half_mm)
    wide = CROSSES_MM * view.pixels_per_mm() / 2
    if np.count_nonzero(change.thing.take(line)) < wide:
        return False
    count, spots = cv2.connectedComponents(_new(change), connectivity=8)
    across = np.bincount(spots.take(line), minlength=count)
    return bool((across[1:][_at_edge(spots)[1:]] > wide).any())


@once
def _around(view: View, shape: tuple[int, ...], reach: float) -> NDArray[np.intp]:
    """The pixels, row by row, of the outline of such a square in a picture of that `shape`, at half size."""
    line: Image = np.zeros(shape, dtype=np.uint8)
    cv2.polylines(line, [np.round(view.project(square(reach)) / 2).astype(np.int32)], True, 1)
    return np.flatnonzero(line)


def _new(change: Change) -> Image:
    """1 where something is new, on the board or beside it, but for single pixels."""
    return cv2.morphologyEx(change.thing.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))


def _at_edge(spots: Image) -> Mask:
    """(N,) which of N spots, a picture of their numbers, reach the picture's edge."""
    return np.bincount(_rim(spots), minlength=int(spots.max()) + 1) > 0


def _rim(picture: NDArray[Any]) -> NDArray[Any]:
    """What stands along a picture's edges."""
    return np.concatenate([picture[[0, -1]].ravel(), picture[:, [0, -1]].ravel()])


@once
def _board(view: View, shape: tuple[int, ...], layout: Layout) -> Image:
    """1 where the board is seen, but for its tags and their paper: nothing is read there.

    Their black mirrors the lamp, and a shadow on it looks like a thing; their white is as much lighter
    wherever the light is not what it was.
    """
    board = square_seen(shape, view, layout.half_mm, 2)
    for tag, centre in layout.tags.items():
        paper = centre + (layout.tag_corners(tag) - centre) * (1 + 2 * PAPER_MM / layout.tag_mm)
        quad = view.project(on_board(paper)) / 2
        cv2.fillConvexPoly(board, np.round(quad).astype(np.int32), 0)
    return board


def where_found(
    shape: tuple[int, ...],
    view: View,
    profile: Profile,
    dice: dict[str, FoundDie | None],
    pieces: FoundPieces,
) -> Image:
    """1 where pieces and dice are seen that were found, and where they touch the board."""
    found = np.zeros(shape, dtype=np.uint8)
    diameter, height = profile.piece_mm
    for piece in pieces.pieces:
        for level in range(piece.level + 1):
            z = level * height
            x, y = view.pixel(piece.x, piece.y, z)
            # On the board lies its shadow, which is deep under a tower, and as long as that is high.
            wide = 0.7 * diameter + (piece.level - 1) * height * (level == 0)
            radius = wide * view.pixels_per_mm(piece.x, piece.y, z) / 2
            cv2.circle(found, (round(x / 2), round(y / 2)), round(radius), 1, -1)
    for die in dice.values():
        if die and die.there > 0.5:
            hull = silhouette(die, profile.die_mm, view) / 2
            middle = hull.mean(axis=0)
            grown = middle + 1.25 * (hull - middle)
            cv2.fillConvexPoly(found, np.round(grown).astype(np.int32), 1)
    return found


def _are_chips(change: Change, there: Mask, board: Image, wide: float) -> bool:
    """Whether all that is `there`, with what of it lies beside the board, are chips no wider than that, or
    heaps of some on the board's edge.

    What ends where the board does is a fingertip, of a hand that looks as the table does.
    """
    _, labels = cv2.connectedComponents(_new(change), connectivity=8)
    return all(_is_chips(labels == one, board, wide) for one in set(labels[there].tolist()) - {0})


def _is_chips(thing: Mask, board: Image, wide: float) -> bool:
    (x, y), radius = cv2.minEnclosingCircle(np.argwhere(thing)[:, ::-1].astype(np.float32))
    circle: Image = np.zeros(thing.shape, dtype=np.uint8)
    cv2.circle(circle, (round(x), round(y)), round(radius), 1, -1)
    seen, beside = thing[circle > 0], board[circle > 0] == 0
    ends = beside.mean() > TOUCHES and seen[beside].mean() < ROUND / 2
    if 2 * radius <= wide and seen.mean() >= ROUND and not ends:
        return True
    small = 2 * radius <= HEAP * wide and _is_across(thing, board)
    return small and (seen.mean() >= COMPACT or _is_row(thing, wide))


def _is_row(thing: Mask, wide: float) -> bool:
    """Whether a thing is nowhere much narrower or wider than a chip: no finger, and no palm."""
    kept = [
        cv2.morphologyEx(thing.astype(np.uint8), cv2.MORPH_OPEN, _disc(share * wide)).sum() / thing.sum()
        for share in ROW
    ]
    return bool(kept[0] >= NOWHERE_NARROWER and kept[1] < 1 - NOWHERE_NARROWER)


def _disc(wide: float) -> Image:
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (round(wide) | 1,) * 2), dtype=np.uint8)


def _is_across(thing: Mask, board: Image) -> bool:
    """Whether a thing lies across the board's edge, and not across the picture's, as an arm does."""
    edge = cv2.morphologyEx(board, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)) > 0
    within, beside = (int((thing & edge & (board == where)).sum()) for where in (1, 0))
    goes_on = thing[board == 0].sum() >= BESIDE * thing.sum() and beside > within / 2
    return bool(goes_on and not _rim(thing).any())
