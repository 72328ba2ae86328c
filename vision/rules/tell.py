"""What the rules would swear to: counts and values, each told only where nothing speaks against it."""

from __future__ import annotations

import numpy as np

from vision.beside import Stance, stances
from vision.change import Change
from vision.geometry import Image, View
from vision.profile import Profile
from vision.rules.dice import FoundDie, find_dice, lies_flat
from vision.rules.pieces import FoundPieces, find_pieces

# A die is told with at least this match with its pips, lead over another value, and looks.
SURE_MATCH, SURE_EDGE, SURE_LEAD, SURE_ALIKE, SURE_COLOUR_LEAD = 0.66, 0.5, 0.1, 0.05, 5.0
SURE_NEW = 0.15
"""A single pip says nothing about leaning: so much of such a die must stand out from the table."""
# Pieces are alike: the least visible of six is told when near the others and clear of what is left over.
SURE_SHARE, SURE_CLEAR = 0.62, 1.1


def tell_dice(frame: Image, view: View, change: Change, profile: Profile) -> dict[str, int]:
    """The values of the dice that lie flat beyond doubt; `frame` BGR uint8 (H, W, 3), as in `view`."""
    found = find_dice(frame, view, change, profile.colours, profile.die_mm, profile.dots)
    faces = {name: die.face for name, die in found.items() if die}
    standing = stances(view, change.thing, faces, profile.die_mm)
    return {name: die.face.pips for name, die in found.items() if die and not doubtful(die, standing[name])}


def tell_counts(
    frame: Image, empty: Image, view: View, profile: Profile, dice: list[tuple[float, float]]
) -> tuple[int, ...] | None:
    """The 12 counts, None where any piece is doubtful; `dice`: where dice lie, mm."""
    found = find_pieces(frame, empty, view, profile.layout, profile.piece_mm, dice, profile.die_mm)
    return _counts(found, profile)


def doubtful(die: FoundDie, stance: Stance) -> bool:
    """Whether anything speaks against this die lying flat, with this value and this name."""
    face = die.face
    other_pips = face.bright != die.colour.bright_pips
    if other_pips or face.match < SURE_MATCH or face.edge < SURE_EDGE:
        return True
    if not lies_flat(die, stance) or (face.pips == 1 and stance.new < SURE_NEW):
        return True
    return face.margin < SURE_LEAD or die.alike < SURE_ALIKE or die.lead < SURE_COLOUR_LEAD


def _counts(found: FoundPieces, profile: Profile) -> tuple[int, ...] | None:
    pieces = found.pieces
    if len(pieces) < 6:
        return None
    scores = sorted(piece.score for piece in pieces)
    if scores[0] < SURE_SHARE * float(np.median(scores)) or scores[0] < SURE_CLEAR * found.left_over:
        return None
    counts = [0] * profile.layout.fields
    for piece in pieces:
        away = np.hypot(*(profile.layout.field_centres - np.array([piece.x, piece.y])).T)
        if away.min() > profile.layout.field_mm / 2:
            return None
        counts[int(away.argmin())] += 1
    return tuple(counts)
