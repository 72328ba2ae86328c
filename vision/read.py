"""One frame and a profile in, one reading out: tags, change, dice, pieces, markers, doubts."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.board import empty_as_seen, in_place, many_boards, where_board_lies
from vision.change import Change, compare, half
from vision.dice import FoundDie, Stance, find_dice, lies_flat, silhouette, stances
from vision.faces import corners
from vision.geometry import Floats, Image, View
from vision.markers import FoundMarker, find_markers
from vision.pieces import FoundPieces, find_pieces
from vision.profile import Profile
from vision.reading import Doubt, Point, Reading, SeenDie, SeenPiece

LETTERS = "ABCDEFGHIJKL"
# A die is sure with at least this match with its pips, lead over another value, and looks.
SURE_MATCH, SURE_EDGE, SURE_LEAD, SURE_ALIKE, SURE_COLOUR_LEAD = 0.66, 0.5, 0.1, 0.05, 5.0
SURE_NEW = 0.15
"""A single pip says nothing about leaning: so much of such a die must stand out from the table."""
# Pieces are alike: the least visible of six is sure when near the others and clear of what is left over.
SURE_SHARE, SURE_CLEAR = 0.62, 1.1
SURE_INSIDE = 0.8
"""A piece is on a field when its middle is within this share of the field's radius."""


@dataclass(frozen=True, slots=True)
class Seen:
    """Everything a stage found, before it is judged."""

    view: View
    change: Change
    dice: dict[str, FoundDie | None]
    stances: dict[str, Stance]
    pieces: FoundPieces
    markers: list[FoundMarker]
    covered: Floats | None
    """(x, y) mm of the middle of something large on the board that is neither piece nor die."""


def read(frame: Image, profile: Profile, last: View | None = None) -> Reading:
    """Read one frame (BGR uint8 (H, W, 3)). The same frame always gives the same reading.

    `last` is the view of the reading before, if there was one: it only saves a search where the camera
    has been moved since its calibration.
    """
    frame = fitted(frame, profile)
    board = where_board_lies(frame, profile, last)
    if board.view is None:
        nothing: dict[str, int | None] = {colour.name: None for colour in profile.colours}
        return Reading(None, nothing, doubts=(Doubt("board", board.doubt or "not to be seen"),))
    seen = look(in_place(frame, board), board.view, profile, board.pushed)
    doubts = judge(seen, profile)
    if many_boards(frame, seen.change.thing, profile):
        doubts.insert(0, Doubt("board", "more than one board is in view"))
    if board.doubt:
        doubts.insert(0, Doubt("board", board.doubt))
    return replace(
        _reading(seen, profile, doubts),
        moved_px=board.moved_px,
        view=board.view,
        covered=seen.covered is not None,
    )


def fitted(frame: Image, profile: Profile) -> Image:
    """The frame at the size the profile was made at; points of a reading are pixels of this one."""
    width, height = profile.view.lens.size
    if frame.shape[:2] == (height, width):
        return frame
    return cv2.resize(frame, (width, height), interpolation=cv2.INTER_AREA)


def look(frame: Image, view: View, profile: Profile, pushed: bool = False) -> Seen:
    """What lies on the table, from the profile's empty photo and the frame."""
    empty, empty_half = empty_as_seen(frame, view, profile, pushed)
    change = compare(half(frame), empty_half)
    dice = find_dice(frame, view, change, profile.colours, profile.die_mm)
    places = [(die.face.x, die.face.y) for die in dice.values() if die and die.face.match > 0.6]
    pieces = find_pieces(frame, empty, view, profile.layout, profile.piece_mm, places, profile.die_mm)
    markers = find_markers(
        frame, empty, view, pieces.pieces, profile.piece_mm, profile.colours, change.lights
    )
    covered = _covered(change, view, profile, dice, pieces)
    standing = stances(view, change, dice, profile.die_mm)
    return Seen(view, change, dice, standing, pieces, markers, covered)


def _covered(
    change: Change, view: View, profile: Profile, dice: dict[str, FoundDie | None], pieces: FoundPieces
) -> Floats | None:
    """The middle (mm) of the largest new thing on the board that is too large to be overlooked."""
    reach = profile.layout.half_mm
    square = np.array([[-reach, -reach, 0], [reach, -reach, 0], [reach, reach, 0], [-reach, reach, 0]])
    board = np.zeros(change.thing.shape, dtype=np.uint8)
    cv2.fillConvexPoly(board, np.round(view.project(square) / 2).astype(np.int32), 1)
    rest = cv2.morphologyEx(change.thing.astype(np.uint8) & board, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    diameter, height = profile.piece_mm
    for piece in pieces.pieces:
        for level in (0.0, height):
            middle = view.project([[piece.x, piece.y, level]])[0] / 2
            radius = 0.7 * diameter * view.pixels_per_mm(piece.x, piece.y, level) / 2
            cv2.circle(rest, (round(middle[0]), round(middle[1])), round(radius), 0, -1)
    for die in dice.values():
        if die and die.face.match > 0.6:
            hull = silhouette(die.face, profile.die_mm, view) / 2
            grown = hull.mean(axis=0) + 1.25 * (hull - hull.mean(axis=0))
            cv2.fillConvexPoly(rest, np.round(grown).astype(np.int32), 0)
    count, _, stats, middles = cv2.connectedComponentsWithStats(rest, connectivity=8)
    if count < 2:
        return None
    largest = 1 + int(stats[1:, cv2.CC_STAT_AREA].argmax())
    # Half the area of a piece's top: smaller leftovers are rims and shine.
    least = 0.5 * np.pi / 4 * (diameter * view.pixels_per_mm() / 2) ** 2
    if stats[largest, cv2.CC_STAT_AREA] < least:
        return None
    return np.asarray(view.unproject([2 * middles[largest] + 0.5])[0])


def judge(seen: Seen, profile: Profile) -> list[Doubt]:
    """Everything about this frame that a careful person would not swear to."""
    doubts = []
    if seen.covered is not None:
        near = _nearest(seen.covered, profile)[0]
        doubts.append(
            Doubt(f"field {LETTERS[near]}", "something lies on the board near here, perhaps a hand")
        )
    for name, die in seen.dice.items():
        why = _die_doubt(die, seen.stances.get(name))
        if why:
            doubts.append(Doubt(f"die {name}", why))
    doubts += _piece_doubts(seen, profile)
    for piece, marker in zip(seen.pieces.pieces, seen.markers, strict=True):
        if marker.maybe:
            near = _nearest(np.array([piece.x, piece.y]), profile)[0]
            doubts.append(Doubt(f"field {LETTERS[near]}", f"a marker may be {marker.maybe}"))
    return doubts


def _die_doubt(die: FoundDie | None, stance: Stance | None) -> str | None:
    if die is None or stance is None:
        return "not to be seen"
    other_pips = die.face.bright != die.colour.bright_pips
    if other_pips or die.face.match < SURE_MATCH or die.face.edge < SURE_EDGE:
        return "its top face cannot be read: it may lean or be covered"
    if not lies_flat(die, stance):
        return "it may lean"
    if die.face.pips == 1 and stance.new < SURE_NEW:
        return "it looks like what it lies on: it may lean"
    if die.face.margin < SURE_LEAD:
        return "its pips could be another number"
    if die.alike < SURE_ALIKE or die.lead < SURE_COLOUR_LEAD:
        return "its colour is not clear"
    return None


def _piece_doubts(seen: Seen, profile: Profile) -> list[Doubt]:
    pieces = seen.pieces.pieces
    if len(pieces) < 6:
        return [Doubt("pieces", f"{len(pieces)} of 6 pieces are to be seen")]
    doubts = []
    for piece in pieces:
        near, share, second = _nearest(np.array([piece.x, piece.y]), profile)
        if share > 1:
            doubts.append(Doubt(f"field {LETTERS[near]}", f"a piece stands between {_two(near, second)}"))
        elif share > SURE_INSIDE:
            doubts.append(Doubt(f"field {LETTERS[near]}", "a piece stands on the edge of the field"))
    scores = sorted(piece.score for piece in pieces)
    middle = float(np.median(scores))
    if scores[0] < SURE_SHARE * middle or scores[0] < SURE_CLEAR * seen.pieces.left_over:
        worst = min(pieces, key=lambda piece: piece.score)
        near = _nearest(np.array([worst.x, worst.y]), profile)[0]
        doubts.append(Doubt(f"field {LETTERS[near]}", "one of the pieces here is hard to see"))
    return doubts


def _nearest(at: Floats, profile: Profile) -> tuple[int, float, int]:
    """The nearest field, how far its middle is in field radii, and the second nearest field."""
    away = np.hypot(*(profile.layout.field_centres - at).T)
    order = np.argsort(away)
    return int(order[0]), float(away[order[0]] / (profile.layout.field_mm / 2)), int(order[1])


def _two(a: int, b: int) -> str:
    first, second = sorted((a, b))
    if (first, second) == (0, len(LETTERS) - 1):
        first, second = second, first
    return f"{LETTERS[first]} and {LETTERS[second]}"


def _reading(seen: Seen, profile: Profile, doubts: list[Doubt]) -> Reading:
    pieces = [_seen_piece(seen, profile, i) for i in range(len(seen.pieces.pieces))]
    counts: list[int | None] = [0] * profile.layout.fields
    for piece in pieces:
        if piece.field is not None:
            counts[piece.field] = (counts[piece.field] or 0) + 1
    doubtful = {doubt.what for doubt in doubts}
    if {"board", "pieces"} & doubtful or any(piece.field is None for piece in pieces):
        counts = [count or None for count in counts]
    counts = [None if f"field {LETTERS[i]}" in doubtful else count for i, count in enumerate(counts)]
    dice = [
        _seen_die(die, seen.stances[die.colour.name], seen.view, profile) for die in seen.dice.values() if die
    ]
    values = {colour.name: None for colour in profile.colours} | {
        die.colour: die.pips if f"die {die.colour}" not in doubtful else None for die in dice
    }
    markers = sorted((p.field, p.marker) for p in pieces if p.field is not None and p.marker)
    return Reading(
        counts=tuple(counts),
        dice=values,
        markers=tuple(markers),
        sure=not doubts,
        doubts=tuple(doubts),
        pieces=tuple(pieces),
        seen_dice=tuple(dice),
        board=_outline(seen.view, profile),
        fields=_field_outlines(seen.view, profile),
    )


def _seen_piece(seen: Seen, profile: Profile, i: int) -> SeenPiece:
    piece, marker = seen.pieces.pieces[i], seen.markers[i]
    diameter, height = profile.piece_mm
    near, share, _ = _nearest(np.array([piece.x, piece.y]), profile)
    middle = seen.view.project([[piece.x, piece.y, height]])[0]
    radius = diameter / 2 * seen.view.pixels_per_mm(piece.x, piece.y, height)
    clear = piece.score >= SURE_CLEAR * seen.pieces.left_over and marker.maybe is None
    return SeenPiece(near if share <= 1 else None, _point(middle), radius, marker.colour, clear)


def _seen_die(die: FoundDie, stance: Stance, view: View, profile: Profile) -> SeenDie:
    top = view.project(corners(die.face, profile.die_mm, profile.die_mm))
    sure = _die_doubt(die, stance) is None
    pips = die.face.pips if die.face.match > 0.5 else None
    return SeenDie(die.colour.name, pips, _point(top.mean(axis=0)), tuple(map(_point, top)), sure)


def _outline(view: View, profile: Profile) -> tuple[Point, ...]:
    reach = profile.layout.half_mm
    square = [[-reach, -reach, 0], [reach, -reach, 0], [reach, reach, 0], [-reach, reach, 0]]
    return tuple(map(_point, view.project(square)))


def _field_outlines(view: View, profile: Profile) -> tuple[tuple[Point, ...], ...]:
    angle = np.linspace(0, 2 * np.pi, 25)[:-1]
    ring = profile.layout.field_mm / 2 * np.stack([np.cos(angle), np.sin(angle), 0 * angle], axis=1)
    outlines = []
    for x, y in profile.layout.field_centres:
        outlines.append(tuple(map(_point, view.project(ring + np.array([x, y, 0])))))
    return tuple(outlines)


def _point(xy: Floats) -> Point:
    return round(float(xy[0]), 1), round(float(xy[1]), 1)
