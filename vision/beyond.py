"""What the photo's edge cuts off: of a die or a piece that lies half beyond it nobody has seen the rest."""

from __future__ import annotations

import numpy as np

from vision.faces import corners
from vision.geometry import Floats
from vision.look import Seen
from vision.profile import Profile

_RIM = np.array([[-0.5, 0.0, 0.0], [0.5, 0.0, 0.0], [0.0, -0.5, 0.0], [0.0, 0.5, 0.0]])


def cut_dice(seen: Seen, profile: Profile) -> set[str]:
    """The colours of the dice whose tops are cut off."""
    side = profile.die_mm
    return {name for name, die in seen.dice.items() if die and _beyond(corners(die, side, side), seen)}


def cut_pieces(seen: Seen, profile: Profile) -> list[tuple[float, float]]:
    """Where (mm) the towers stand whose lids are cut off."""
    diameter, height = profile.piece_mm
    return [
        (piece.x, piece.y)
        for piece in seen.pieces.pieces
        if _beyond(diameter * _RIM + (piece.x, piece.y, height * piece.level), seen)
    ]


def _beyond(points: Floats, seen: Seen) -> bool:
    """Whether any of (N, 3) points, mm, lies outside the photo."""
    pixels, (height, width) = seen.view.project(points), seen.frame.shape[:2]
    return bool((pixels < 0).any() or (pixels > (width - 1, height - 1)).any())
