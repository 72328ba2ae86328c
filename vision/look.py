"""What lies on the table: dice, pieces, markers, and whatever else covers the board."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import cv2
import numpy as np

from vision.board import empty_as_seen
from vision.change import Change, compare, half, tinted_shadows
from vision.dice import FoundDie, find_dice
from vision.faces import silhouette
from vision.geometry import Image, View
from vision.markers import FoundMarker, find_markers
from vision.pieces import find_pieces, look_at_ring
from vision.profile import Profile
from vision.rules.tell import tell_counts, tell_dice
from vision.towers import FoundPieces

LID = 0.1
"""Where nothing is less likely than this, a lid is seen: dice are looked for elsewhere first."""

TINTED = 0.25
"""What may be a tinted shadow counts so much as a thing: a dark sleeve over the board is large."""


@dataclass(frozen=True, slots=True)
class Seen:
    """Everything that was found, before it is judged; `markers` one for each of the towers in `pieces`.

    `named`, `marked`: how likely it is that all names of dice, and all markers, are right together.
    `covered`: the fields on which something large lies that is neither piece nor die; `hidden`: that
    such a thing lies anywhere on the board. `told_dice`, `told_counts`: what the rules say
    of the same table, if they were asked and have no doubt.
    """

    view: View
    frame: Image
    empty: Image
    change: Change
    dice: dict[str, FoundDie | None]
    named: float
    pieces: FoundPieces
    markers: list[FoundMarker]
    marked: float
    covered: tuple[int, ...]
    hidden: bool
    told_dice: Mapping[str, int] = field(default_factory=dict)
    told_counts: tuple[int, ...] | None = None


def look(frame: Image, view: View, profile: Profile, pushed: bool = False) -> Seen:
    """From the profile's empty photo and the frame (BGR uint8 (H, W, 3)) that shows the board in `view`.

    `pushed`: the board was moved on its table.
    """
    empty, empty_half = empty_as_seen(frame, view, profile, pushed)
    change = compare(half(frame), empty_half)
    layout, piece_mm, die_mm = profile.layout, profile.piece_mm, profile.die_mm
    ring = look_at_ring(change, view, layout, piece_mm)
    lids = [view.pixel(x, y, piece_mm[1]) for x, y, (nothing, *_) in ring.lids if nothing < LID]
    found = find_dice(frame, empty, view, change, profile.colours, die_mm, lids)
    dice = found.dice
    spots = [(die.x, die.y) for die in dice.values() if die and die.there > 0.9]
    pieces = find_pieces(ring, frame, empty, spots, die_mm)
    marked = find_markers(frame, empty, change, view, pieces.pieces, profile.piece_mm, profile.colours)
    covered, hidden = _covered(change, view, profile, dice, pieces)
    return Seen(
        view,
        frame,
        empty,
        change,
        dice,
        found.named,
        pieces,
        marked.markers,
        marked.likely,
        covered,
        hidden,
    )


def with_witness(seen: Seen, profile: Profile, dice: bool, pieces: bool) -> Seen:
    """The same, and what the rules tell of the dice or the pieces: each takes about half as long again."""
    if dice:
        values = tell_dice(seen.frame, seen.view, seen.change, profile)
        seen = replace(seen, told_dice=values)
    if pieces:
        places = [(die.x, die.y) for die in seen.dice.values() if die]
        counts = tell_counts(seen.frame, seen.empty, seen.view, profile, places)
        seen = replace(seen, told_counts=counts)
    return seen


def _covered(
    change: Change, view: View, profile: Profile, dice: dict[str, FoundDie | None], pieces: FoundPieces
) -> tuple[tuple[int, ...], bool]:
    """The fields under something large and new that is neither piece nor die, and whether there is any."""
    reach = profile.layout.half_mm
    corners = np.array([[-reach, -reach, 0], [reach, -reach, 0], [reach, reach, 0], [-reach, reach, 0]])
    board = np.zeros(change.thing.shape, dtype=np.uint8)
    cv2.fillConvexPoly(board, np.round(view.project(corners) / 2).astype(np.int32), 1)
    for tag in profile.layout.tags:
        # Their black mirrors the lamp, and a shadow on it looks like a thing; nothing is read there.
        quad = view.project(np.pad(profile.layout.tag_corners(tag), ((0, 0), (0, 1)))) / 2
        cv2.fillConvexPoly(board, np.round(quad).astype(np.int32), 0)
    rest = cv2.morphologyEx(change.thing.astype(np.uint8) & board, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    diameter, height = profile.piece_mm
    for piece in pieces.pieces:
        for level in range(piece.level + 1):
            z = level * height
            x, y = view.pixel(piece.x, piece.y, z)
            # On the board lies its shadow, which is deep under a tower, and as long as that is high.
            wide = 0.7 * diameter + (piece.level - 1) * height * (level == 0)
            radius = wide * view.pixels_per_mm(piece.x, piece.y, z) / 2
            cv2.circle(rest, (round(x / 2), round(y / 2)), round(radius), 0, -1)
    for die in dice.values():
        if die and die.there > 0.5:
            hull = silhouette(die, profile.die_mm, view) / 2
            grown = hull.mean(axis=0) + 1.25 * (hull - hull.mean(axis=0))
            cv2.fillConvexPoly(rest, np.round(grown).astype(np.int32), 0)
    # Half the area of a piece's top: smaller leftovers are rims and shine.
    least = 0.5 * np.pi / 4 * (diameter * view.pixels_per_mm() / 2) ** 2
    if cv2.countNonZero(rest) < least:
        return (), False
    tinted = tinted_shadows(change, rest)
    count, labels, _, _ = cv2.connectedComponentsWithStats(rest, connectivity=8)
    area = np.bincount(labels.ravel(), weights=np.where(tinted, TINTED, 1).ravel())
    large = [spot for spot in range(1, count) if area[spot] >= least]
    if not large:
        return (), False
    there = np.isin(labels, large)
    fields = []
    for number, (x, y) in enumerate(profile.layout.field_centres):
        across, down = view.pixel(x, y, 0)
        radius = profile.layout.field_mm / 2 * view.pixels_per_mm(x, y) / 2
        disc = np.zeros(rest.shape, dtype=np.uint8)
        cv2.circle(disc, (round(across / 2), round(down / 2)), round(radius), 1, -1)
        if there[disc > 0].sum() > 0.25 * least:
            fields.append(number)
    return tuple(fields), True
