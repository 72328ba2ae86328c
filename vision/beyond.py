"""What the photo's edge cuts off: of a die or a piece that lies half beyond it nobody has seen the rest."""

from __future__ import annotations

import numpy as np

from vision.faces import corners
from vision.geometry import Floats
from vision.look import Seen
from vision.profile import Profile
from vision.towers import PIECES, FoundPiece

PIPS = 0.75
"""What of a top its pips lie in: a corner beyond it shows nothing."""
_RIM = np.array([[-0.5, 0.0, 0.0], [0.5, 0.0, 0.0], [0.0, -0.5, 0.0], [0.0, 0.5, 0.0]])


def cut_dice(seen: Seen, profile: Profile) -> set[str]:
    """The colours of the dice of whose tops more than a corner is cut off."""
    side, found = profile.die_mm, {name: die for name, die in seen.dice.items() if die}
    beyond = _beyond([corners(die, PIPS * side, side) for die in found.values()], seen)
    return {name for name, cut in zip(found, beyond, strict=True) if cut}


def cut_pieces(seen: Seen, profile: Profile) -> list[FoundPiece]:
    """The towers whose lids are cut off."""
    (diameter, height), towers = profile.piece_mm, seen.pieces.pieces
    beyond = _beyond([diameter * _RIM + (one.x, one.y, height * one.level) for one in towers], seen)
    return [one for one, cut in zip(towers, beyond, strict=True) if cut]


def fields_beyond(seen: Seen, profile: Profile) -> tuple[int, ...]:
    """The fields (0 to 11) that are cut off; none where all six pieces are seen elsewhere."""
    if seen.pieces.total - sum(tower.level for tower in cut_pieces(seen, profile)) >= PIECES:
        return ()
    layout = profile.layout
    beyond = _beyond([layout.field_mm * _RIM + (x, y, 0) for x, y in layout.field_places], seen)
    return tuple(field for field, cut in enumerate(beyond) if cut)


def _beyond(outlines: list[Floats], seen: Seen) -> list[bool]:
    """Of each outline, four points (4, 3) mm, whether any lies outside the photo."""
    if not outlines:
        return []
    pixels = seen.view.project(np.concatenate(outlines)).reshape(-1, 4, 2)
    height, width = seen.frame.shape[:2]
    outside = (pixels < 0) | (pixels > (width - 1, height - 1))
    return [bool(one.any()) for one in outside]
