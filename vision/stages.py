"""Each stage of a reading as a picture, to look at when a reading surprises."""

from __future__ import annotations

import cv2
import numpy as np

from vision.board import empty_as_seen, in_place, where_board_lies
from vision.geometry import Image
from vision.pieces import SCALE, flatten_ring, rim_scores
from vision.profile import Profile
from vision.read import fitted, look


def stages(frame: Image, profile: Profile) -> dict[str, Image]:
    """Name -> picture (BGR or grey uint8), in the order of work; only the tags where no board is found."""
    frame = fitted(frame, profile)
    board = where_board_lies(frame, profile)
    if board.view is None:
        return {"photo": frame}
    frame, view = in_place(frame, board), board.view
    empty, _ = empty_as_seen(frame, view, profile, board.pushed)
    seen = look(frame, view, profile, board.pushed)
    flat, flat_empty = flatten_ring(frame, empty, view, profile.layout, profile.piece_mm[1])
    rims = rim_scores(flat, flat_empty, profile.piece_mm[0] / 2 * SCALE)
    return {
        "empty": empty,
        "changed": np.minimum(seen.change.much.astype(np.int32) * 3, 255).astype(np.uint8),
        "things": seen.change.thing.astype(np.uint8) * 255,
        "ring": flat,
        "rims": cv2.applyColorMap((np.clip(rims, 0, 1) * 255).astype(np.uint8), cv2.COLORMAP_INFERNO),
    }
