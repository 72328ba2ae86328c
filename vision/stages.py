"""Each stage of a reading as a picture, to look at when a reading surprises."""

from __future__ import annotations

import cv2
import numpy as np

from vision.board import in_place, where_board_lies
from vision.faces import corners
from vision.geometry import Image
from vision.look import Seen, look
from vision.profile import Profile
from vision.read import fitted
from vision.ring_net import LEVELS, LID_PX, flat_ring, ring_reach, seen_at
from vision.shadows import dice_at, likeness, tips, tower_at
from vision.squares import lit_square
from vision.tower_net import LID_PX as CLOSE_PX
from vision.tower_net import SIZE, covers, laid


def stages(frame: Image, profile: Profile) -> dict[str, Image]:
    """Name -> picture (BGR or grey uint8), in the order of work; only the photo where no board is found."""
    frame = fitted(frame, profile)
    board = where_board_lies(frame, profile)
    if board.view is None:
        return {"photo": frame}
    frame = in_place(frame, board)
    seen = look(frame, board.view, profile, board.pushed)
    return {
        "empty": seen.change.empty,
        "in-its-light": seen.change.frame,
        "changed": np.minimum(seen.change.much.astype(np.int32) * 3, 255).astype(np.uint8),
        "things": seen.change.thing.astype(np.uint8) * 255,
        "dice": _dice(frame, seen, profile),
        "ring": _ring(seen, profile),
        "lids": _lids(seen, profile),
        "shadows": _shadows(seen, profile),
    }


def _dice(frame: Image, seen: Seen, profile: Profile) -> Image:
    """The tops that were found, each with how likely a die it is, flat, and of its value."""
    picture = frame.copy()
    for die in seen.dice.values():
        if die is None:
            continue
        top = seen.view.project(corners(die, profile.die_mm, profile.die_mm))
        cv2.polylines(picture, [np.round(top).astype(np.int32)], True, (0, 255, 0), 1, cv2.LINE_AA)
        x, y = (int(v) for v in top.max(axis=0))
        said = f"{die.colour.name} {die.pips} {die.there:.3f} {die.flat:.3f} {die.value:.3f} {die.named:.3f}"
        cv2.putText(picture, said, (x, y), cv2.FONT_HERSHEY_SIMPLEX, 0.4, (0, 255, 0), 1, cv2.LINE_AA)
    return picture


def _ring(seen: Seen, profile: Profile) -> Image:
    """The flattened ring with every place where a piece may stand, and how likely."""
    diameter = profile.piece_mm[0]
    reach = ring_reach(profile.layout, diameter)
    flat, _, _ = flat_ring(seen.change.frame, seen.change.empty, seen.view, reach, profile.piece_mm)
    scale = 3
    picture = cv2.resize(flat, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)
    for one in seen.pieces.candidates:
        x, y = (round((v + reach) * LID_PX / diameter * scale) for v in (one.x, one.y))
        there = 1 - one.odds[0] / sum(one.odds)
        tint = (0, 255, 0) if there > 0.5 else (0, 160, 255)
        cv2.circle(picture, (x, y), round(LID_PX / 2 * scale), tint, 1, cv2.LINE_AA)
        said = f"{there:.3f} x{int(np.argmax(one.odds[1:])) + 1}"
        cv2.putText(picture, said, (x - 20, y), cv2.FONT_HERSHEY_SIMPLEX, 0.4, tint, 1, cv2.LINE_AA)
    return picture


def _lids(seen: Seen, profile: Profile) -> Image:
    """Each lid laid straight, as the networks of the towers are shown it, and what such a tower covers."""
    diameter, height = profile.piece_mm
    scale, pictures = 3, list[Image]()
    for piece in seen.pieces.pieces:
        lid = seen_at(seen.view, (piece.x, piece.y), piece.level, height)
        turn, away = laid(seen.view, lid)
        mm = diameter / CLOSE_PX
        lit = lit_square(seen.frame, seen.change.lights, seen.view, lid, height, mm, SIZE, turn=turn)
        large = cv2.resize(lit, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)
        picture = np.asarray(large, dtype=np.uint8)
        cover = covers(np.array([away * height / diameter]))[0, piece.level]
        large = cv2.resize(cover, picture.shape[1::-1], interpolation=cv2.INTER_CUBIC)
        outline, _ = cv2.findContours(
            (large > 0.5).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE
        )
        cv2.drawContours(picture, outline, -1, (0, 255, 0), 1, cv2.LINE_AA)
        said = f"x{piece.level} {piece.likely:.3f}"
        cv2.putText(picture, said, (4, 14), cv2.FONT_HERSHEY_SIMPLEX, 0.4, (0, 255, 0), 1, cv2.LINE_AA)
        pictures.append(picture)
    return np.hstack(pictures) if pictures else np.zeros((SIZE, SIZE, 3), dtype=np.uint8)


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
    for one, match in zip(throwers, alike, strict=False):
        rim = one.radius * np.stack([np.cos(turn), np.sin(turn)], axis=1)
        for foot, high, like in zip(one.feet, one.heights, match, strict=True):
            both = np.vstack([rim + foot, rim + tips(foot, high, lamp[None])[:, 0, 0]])
            outline = cv2.convexHull(view.project(np.pad(both, ((0, 0), (0, 1)))).astype(np.float32))
            tint = (0, 255, 0) if like and like == match.max() else (0, 160, 255)
            cv2.polylines(picture, [np.round(outline).astype(np.int32)], True, tint, 1, cv2.LINE_AA)
        x, y = (round(v) for v in view.pixel(*one.feet[0], 0))
        said = " ".join(f"{like:.2f}" for like in match)
        cv2.putText(picture, said, (x + 20, y), cv2.FONT_HERSHEY_SIMPLEX, 0.4, (0, 255, 0), 1, cv2.LINE_AA)
    return picture
