"""Lens and place of the camera for each photo: by the tags, and by the dice where these leave it open."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from calibration.faults import CannotCalibrate
from vision.board import WORST_FIT
from vision.change import carry
from vision.faces import Face
from vision.geometry import Floats, Image, Layout, View, on_board
from vision.stance_net import flatness
from vision.tags import fit_views
from vision.tops import Table

SHARES = np.exp(np.linspace(-0.6, 0.6, 7))
"""Of a focal length: others that are tried."""
SIDES = np.array([0.94, 0.97, 1.0, 1.03, 1.06])
"""Of a die's side: through another lens the dice are nearer to it, or farther away, and as large."""
FARTHEST_MM = 4000.0
"""No camera over a table is farther from the middle of its board: then the photo is squeezed."""
OPEN = 12.0
"""By the tags a focal length may be likelier than another by so much (a log of odds), and not be settled."""
PLAINLY = 6.0
"""By so much dice and tags together must speak for another focal length."""
MOST = 20.0
"""What one die says for or against it counts no more than this."""


def views_of(
    sightings: Sequence[dict[int, Floats]], board: Layout, photo: Image, focal: float | None = None
) -> list[View]:
    """The view of each of some photos of one camera, from their tags; `photo` is that of the empty board.

    `focal`: its focal length in pixels, where it is known. Raises `CannotCalibrate` where the tags do not lie
    as in the layout, or fields are cut off.
    """
    height, width = photo.shape[:2]
    views, _ = fit_views(sightings, board, (width, height), focal)
    for view, tags in zip(views, sightings, strict=True):
        for tag, corners in tags.items():
            there = view.project(on_board(board.tag_corners(tag)))
            if np.hypot(*(there - corners).T).mean() > WORST_FIT * max(width, height):
                raise CannotCalibrate(
                    f"the tags do not lie as layout {board.name!r} says; give the layout of this board, "
                    "or none to have it measured"
                )
    if (away := float(np.linalg.norm(views[0].eye))) > FARTHEST_MM:
        raise CannotCalibrate(
            f"the board looks as if the camera were {away / 1000:.0f} m away; "
            "give the photos as the camera took them, neither squeezed nor cut out"
        )
    fields = on_board(board.field_centres)
    pixels = views[0].project(fields)
    if (pixels < 0).any() or (pixels > (width - 1, height - 1)).any():
        raise CannotCalibrate("the photo of the empty board cuts fields off; bring the whole board into view")
    return views


def likelier_focal(
    sightings: Sequence[dict[int, Floats]],
    board: Layout,
    empty: Image,
    table: Table,
    faces: list[Face],
    side: float,
) -> float | None:
    """Another focal length (px) than that of the `table`'s view, if it is plainly likelier.

    Seen from right above tags look alike from near through a wide lens and from far through a long one; the
    sides of dice do not. `faces`: the six on the `table`, whose dice lie flat and are `side` mm wide; `empty`
    is the photo without them as it was taken, BGR uint8.
    """
    if min(map(len, sightings)) < 3:
        return None
    size, now = (empty.shape[1], empty.shape[0]), table.view.lens.focal
    fits = [fit_views(sightings, board, size, now * share) for share in SHARES]
    least = min(unlikely for _, unlikely in fits)
    if sum(unlikely - least < OPEN for _, unlikely in fits) == 1:
        return None
    at = table.view.project(np.array([[face.x, face.y, side] for face in faces]))
    worth = np.full(len(SHARES), -np.inf)
    for one, ((then, views), unlikely) in enumerate(fits):
        if unlikely - least < OPEN:
            worth[one] = _flat(empty, table, then, views, at, faces, side) - unlikely
    best = int(worth.argmax())
    return float(now * SHARES[best]) if worth[best] - worth[len(SHARES) // 2] > PLAINLY else None


def _flat(
    empty: Image, table: Table, then: View, now: View, at: Floats, faces: list[Face], side: float
) -> float:
    """How flat dice with faces `at` (N, 2) px look, as a log of odds, if the photos were taken so."""
    carried, lights = carry(empty, then, now), table.change.lights
    worth = []
    for width in side * SIDES:
        where = now.unproject(at, width).tolist()
        tops = [(x, y, face.turn) for (x, y), face in zip(where, faces, strict=True)]
        told = flatness(table.frame, carried, now, lights, tops, width)
        worth.append(np.clip(told, -MOST, MOST).sum())
    return float(max(worth))
