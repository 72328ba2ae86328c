"""Each stage of a reading as a picture that says what it shows, to look at when a reading surprises."""

from __future__ import annotations

from collections import defaultdict

import cv2
import numpy as np

from vision.board import in_place, where_board_lies
from vision.covered import covering, where_found
from vision.die_sides import flattened, height_of, seen_sides, values_of
from vision.face_net import Answer
from vision.faces import corners
from vision.geometry import LETTERS, Image, on_board, square
from vision.lettering import DARK, DOUBTFUL, LIKELY, QUIET, Labels, titled
from vision.look import Seen
from vision.outline import flatten
from vision.profile import Profile
from vision.read import fitted, looked, other_shape
from vision.ring_net import LEVELS, LID_PX, flat_ring, ring_reach, seen_at
from vision.shadows import dice_at, likeness, tips, tower_at
from vision.squares import Square, cut_out_lit
from vision.tower_net import COARSE, covers, laid

STAGES = {
    "photo": "the photo, in which no board was read: {doubt}",
    "empty": "the photo of the empty board as it would look from where the camera is now, its paper bent as "
    "it is now, at half size",
    "in-its-light": "the photo at half size, in the light and the tones of the empty board's photo. "
    "Outlined: where board and fields are taken to lie",
    "changed": "how much differs from the empty board's photo: black nothing, white 85 of 255 levels or more",
    "things": "white: what is new on the table and is no mere shadow. Green: pieces and dice that were "
    "found. Red: what is neither, and large enough for a hand",
    "dice": "dice: colour and pips; how likely each is that colour's die (named), a die at all (die), lies "
    "flat (flat) and shows those pips (pips), 0 to 1. Green: all of them above 0.99. Below: each die's top "
    "and its sides that can be read, laid flat, and what a side shows by itself and how likely",
    "ring": "the ring from straight above, at the height of the pieces' tops: every place where a lid may "
    "be, how many pieces that would be (x1, x2, x3), how likely each is, 0 to 1. Green: likely a piece",
    "lids": "each lid as the networks see it that tell how high towers are, turned so that its side lies "
    "below: its field, how many pieces that is (x1, x2, x3) and how likely, 0 to 1. Outlined: what such a "
    "tower covers",
    "shadows": "the shadow each tower would throw if it were one, two or three pieces high (x1, x2, x3), and "
    "how like it is what is dark there, -1 to 1; 0.00 throughout: that does not tell. Green: the likest, "
    "above 0.2",
    "markers": "pieces with their markers: field, marker or bare, how likely, 0 to 1, and what else it could "
    "be; where that is in doubt, how likely it looks like the other pieces. Green: all above 0.99",
}
"""Name of each stage, in the order of work, and what its picture shows."""
COVERING = (70, 70, 230)
"""BGR."""
CLEAR = 0.99
"""What is likelier is drawn as likely."""
_LARGEST, _BELOW = 96, 16
"""Pixels: a side of a die laid flat is drawn no larger; and half the room for words below."""
ALIKE = 0.2
"""A shadow that is less like what is dark there is none."""


def stages(frame: Image, profile: Profile) -> dict[str, Image]:
    """Name -> picture (BGR uint8), in the order of `STAGES`; only the photo where no board is found."""
    doubt, board = other_shape(frame, profile), None
    frame = fitted(frame, profile)
    if not doubt:
        board = where_board_lies(frame, profile)
        doubt = board.doubt or "not to be seen"
    if board is None or board.view is None:
        return {"photo": titled(frame, STAGES["photo"].format(doubt=doubt))}
    frame = in_place(frame, board)
    seen, _ = looked(frame, board.view, profile, board.pushed)
    pictures = {
        "empty": seen.change.empty,
        "in-its-light": _board(seen, profile),
        "changed": np.minimum(seen.change.much.astype(np.int32) * 3, 255).astype(np.uint8),
        "things": _things(seen, profile),
        "dice": np.vstack([_dice(frame, seen, profile), _dice_laid_flat(frame, seen, profile)]),
        "ring": _ring(seen, profile),
        "lids": _lids(seen, profile),
        "shadows": _shadows(seen, profile),
        "markers": _markers(frame, seen, profile),
    }
    return {name: titled(picture, STAGES[name]) for name, picture in pictures.items()}


def _board(seen: Seen, profile: Profile) -> Image:
    """The photo with the outlines of the board, its tags and its fields, where they are taken to lie."""
    picture, layout, view = seen.change.frame.copy(), profile.layout, seen.view
    turn = np.linspace(0, 2 * np.pi, 37)[:-1]
    round_ = layout.field_mm / 2 * np.stack([np.cos(turn), np.sin(turn)], axis=1)
    outlines = [round_ + centre for centre in layout.field_centres]
    outlines += [layout.tag_corners(tag) for tag in layout.tags]
    outlines.append(square(layout.half_mm)[:, :2])
    for outline in outlines:
        points = np.round(view.project(on_board(outline)) / 2).astype(np.int32)
        cv2.polylines(picture, [points], True, LIKELY, 1, cv2.LINE_AA)
    return picture


def _things(seen: Seen, profile: Profile) -> Image:
    """What is new, what of that was found, and what counts as a hand."""
    thing = seen.change.thing
    picture: Image = np.repeat(thing.astype(np.uint8)[..., None] * 255, 3, axis=2)
    picture[thing & (where_found(thing.shape, seen.view, profile, seen.dice, seen.pieces) > 0)] = LIKELY
    picture[covering(seen.change, seen.view, profile, seen.dice, seen.pieces)] = COVERING
    return picture


def _dice(frame: Image, seen: Seen, profile: Profile) -> Image:
    """The tops that were found, each with how likely a die it is, flat, and of its value."""
    picture = frame.copy()
    labels = Labels(picture)
    found = [die for die in seen.dice.values() if die]
    tops = [seen.view.project(corners(die, profile.die_mm, profile.die_mm)) for die in found]
    for top in tops:
        labels.keep_free(*top.min(axis=0), *top.max(axis=0))
    for die, top in zip(found, tops, strict=True):
        tint = LIKELY if min(die.named, die.there, die.flat, die.value) > CLEAR else DOUBTFUL
        cv2.polylines(picture, [np.round(top).astype(np.int32)], True, tint, 2, cv2.LINE_AA)
        said = [
            f"{die.colour.name} {die.pips}  named {die.named:.3f}",
            f"die {die.there:.3f}  flat {die.flat:.3f}  pips {die.value:.3f}",
        ]
        x, y = top.mean(axis=0)
        labels.put(said, (top[:, 0].max() if x < picture.shape[1] / 2 else top[:, 0].min(), y), tint)
    return picture


def _dice_laid_flat(frame: Image, seen: Seen, profile: Profile) -> Image:
    """The top of each die and its sides that can be read, laid flat, one die beside the other; as wide as the
    frame."""
    view, die_mm, wide = seen.view, profile.die_mm, frame.shape[1]
    found = [die for die in seen.dice.values() if die]
    lids = [view.pixel(one.x, one.y, one.level * profile.piece_mm[1]) for one in seen.pieces.pieces]
    tops = [Answer(die.x, die.y, die.there, die.flat, np.zeros(0), die.turn) for die in found]
    room = wide // max(len(found), 1)
    large = min(room // 3, _LARGEST)
    strip: Image = np.full((large + 2 * _BELOW, wide, 3), DARK, dtype=np.uint8)
    labels = Labels(strip)
    for number, (die, quads) in enumerate(zip(found, seen_sides(view, tops, die_mm, lids), strict=True)):
        pictures = [flatten(frame, view, (die.x, die.y), die.turn, die_mm)]
        pictures += [flattened(frame, quad) for quad in quads]
        words = [f"{die.colour.name} {die.pips}"]
        if quads:
            told = values_of(pictures[1:], [height_of(quad) for quad in quads], again=True)
            words += [f"{int(side.argmax()) + 1}  {side.max():.2f}" for side in told]
        for place, (picture, word) in enumerate(zip(pictures, words, strict=True)):
            left = number * room + place * large
            shown = cv2.resize(picture, (large - 4, large - 4), interpolation=cv2.INTER_CUBIC)
            strip[: large - 4, left : left + large - 4] = shown
            labels.put_on(word, (left + large / 2, large + _BELOW), QUIET)
    return strip


def _ring(seen: Seen, profile: Profile) -> Image:
    """The flattened ring with every place where a piece may stand, and how likely."""
    diameter, height = profile.piece_mm
    reach = ring_reach(profile.layout, diameter)
    flat, _, _ = flat_ring(seen.change.frame, seen.change.empty, seen.view, reach, profile.piece_mm)
    scale = 3
    picture = np.asarray(
        cv2.resize(flat, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC), dtype=np.uint8
    )
    labels = Labels(picture)

    def pixel(x: float, y: float) -> tuple[int, int]:
        across, down = (round((v + reach) * LID_PX / diameter * scale) for v in (x, y))
        return across, down

    inside = 1 - (profile.layout.field_mm / 2 + 8) / profile.layout.ring_mm
    for letter, (x, y) in zip(LETTERS, inside * profile.layout.field_centres, strict=True):
        labels.put_on(letter, pixel(x, y), QUIET)
    lids, radius, said = defaultdict(list), LID_PX / 2 * scale, []
    for one in seen.pieces.candidates:
        lids[one.lid].append(one)
    for candidates in lids.values():
        odds = np.sum([one.odds[1:] for one in candidates], axis=0)
        shares, level = odds / (1 + odds.sum()), int(odds.argmax()) + 1
        tower = max(candidates, key=lambda one: max(one.odds[1:]))
        x, y = pixel(*seen_at(seen.view, (tower.x, tower.y), level, height))
        tint, wide = (LIKELY, 2) if shares.sum() > 0.5 else (DOUBTFUL, 1)
        cv2.circle(picture, (x, y), round(radius), tint, wide, cv2.LINE_AA)
        labels.keep_free(x - radius, y - radius, x + radius, y + radius)
        words = [f"x{k}: {share:.3f}" for k, share in enumerate(shares, 1) if share > 0.01 or k == level]
        said.append((words, (x + radius, y), tint))
    for words, at, tint in said:
        labels.put(words, at, tint)
    return picture


def _lids(seen: Seen, profile: Profile) -> Image:
    """Each lid laid straight, as the networks of the towers are shown it, and what such a tower covers."""
    diameter, height = profile.piece_mm
    scale, pictures = 3, list[Image]()
    for piece in seen.pieces.pieces:
        lid = seen_at(seen.view, (piece.x, piece.y), piece.level, height)
        turn, away = laid(seen.view, lid)
        square = Square(lid, height, diameter / COARSE.lid_px, COARSE.size, turn)
        lit = cut_out_lit(seen.frame, seen.change.lights, seen.view, square)
        large = cv2.resize(lit, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)
        picture = np.asarray(large, dtype=np.uint8)
        cover = covers(COARSE, np.array([away * height / diameter]))[0, piece.level]
        large = cv2.resize(cover, picture.shape[1::-1], interpolation=cv2.INTER_CUBIC)
        outline, _ = cv2.findContours(
            (large > 0.5).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE
        )
        tint = LIKELY if piece.likely > CLEAR else DOUBTFUL
        cv2.drawContours(picture, outline, -1, tint, 1, cv2.LINE_AA)
        said = f"{_field((piece.x, piece.y), profile)}  x{piece.level}  {piece.likely:.3f}"
        Labels(picture).put([said], (-14, 0), tint)
        pictures.append(picture)
    return np.hstack(pictures) if pictures else np.zeros((COARSE.size, COARSE.size, 3), dtype=np.uint8)


def _shadows(seen: Seen, profile: Profile) -> Image:
    """The shadow that each tower would throw if it were one, two or three pieces high, and how like it is."""
    view, height = seen.view, profile.piece_mm[1]
    throwers = []
    for piece in seen.pieces.pieces:
        odds = [0.0, *(1.0 if level == piece.level else 0.01 for level in range(1, LEVELS + 1))]
        lid = (*seen_at(view, (piece.x, piece.y), piece.level, height), tuple(odds))
        throwers.append(tower_at(lid, view, profile.piece_mm))
    half_mm = profile.layout.half_mm
    dice = dice_at([(die.x, die.y) for die in seen.dice.values() if die], half_mm, profile.die_mm)
    picture = np.asarray(cv2.resize(seen.change.frame, None, fx=2, fy=2), dtype=np.uint8)
    if not throwers:
        return picture
    lamp, alike = likeness(seen.change, view, half_mm, [*throwers, *dice])
    turn = np.linspace(0, 2 * np.pi, 25)[:-1]
    labels, said = Labels(picture), []
    for piece, one, match in zip(seen.pieces.pieces, throwers, alike, strict=False):
        rim = one.radius * np.stack([np.cos(turn), np.sin(turn)], axis=1)
        for foot, high, like in zip(one.feet, one.heights, match, strict=True):
            both = np.vstack([rim + foot, rim + tips(foot, high, lamp[None])[:, 0, 0]])
            outline = cv2.convexHull(view.project(on_board(both)).astype(np.float32))
            tint = LIKELY if like > ALIKE and like == match.max() else DOUBTFUL
            cv2.polylines(picture, [np.round(outline).astype(np.int32)], True, tint, 1, cv2.LINE_AA)
        x, y = view.pixel(*one.feet[0], 0)
        wide = one.radius * view.pixels_per_mm(*one.feet[0])
        labels.keep_free(x - wide, y - wide, x + wide, y + wide)
        words = "  ".join(f"x{level}: {like:.2f}" for level, like in enumerate(match, 1))
        said.append(([f"{_field((piece.x, piece.y), profile)}  {words}"], (x + wide, y)))
    for lines, at in said:
        labels.put(lines, at, QUIET)
    return picture


def _markers(frame: Image, seen: Seen, profile: Profile) -> Image:
    """The topmost piece of every tower with what stands in it, and how likely."""
    picture = frame.copy()
    labels, (diameter, height) = Labels(picture), profile.piece_mm
    said = []
    for piece, marker, alike in zip(seen.pieces.pieces, seen.markers, seen.alike, strict=True):
        top = height * piece.level
        x, y = seen.view.pixel(piece.x, piece.y, top)
        radius = diameter / 2 * seen.view.pixels_per_mm(piece.x, piece.y, top)
        tint = LIKELY if min(marker.likely, alike) > CLEAR else DOUBTFUL
        cv2.circle(picture, (round(x), round(y)), round(radius), tint, 2, cv2.LINE_AA)
        labels.keep_free(x - radius, y - radius, x + radius, y + radius)
        lines = [f"{_field((piece.x, piece.y), profile)}  {marker.colour or 'bare'}  {marker.likely:.3f}"]
        if marker.likely <= CLEAR:
            lines.append("a lamp shines in it" if marker.burnt else f"or {marker.other or 'bare'}")
        if alike <= CLEAR:
            lines.append(f"like the others  {alike:.3f}")
        said.append((lines, (x + radius, y), tint))
    for lines, at, tint in said:
        labels.put(lines, at, tint)
    return picture


def _field(at: tuple[float, float], profile: Profile) -> str:
    """The letter of the nearest field."""
    return LETTERS[profile.layout.nearest_field(*at)]
