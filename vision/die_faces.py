"""Faces of dice among the pips of a picture: patterns of one to six spots on a square of one colour.

Two pips opposite each other across the middle are the diagonal that every face from two to six has; the
other diagonal, the middle and the two between are looked for where they must lie. What is found is
flattened and judged: pips where they should be and nowhere else, even ground, four sides to it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np

from vision.geometry import Floats, Image
from vision.pips import Indices, Picture, Pips

PITCH = 8
"""Pixels from one row of pips to the next in a flattened face."""
_SPAN = 3.2
"""How far a flattened face reaches from its middle, in pitches; a side is about 4 pitches long."""
HALF = round(PITCH * _SPAN)
_DIAGONAL = (1.3, 2.9)
"""Half the diagonal between corner pips, in pip diameters."""
_ALIKE = 0.42
"""Log of the ratio of two pips' diameters on one face, at most."""
_NEAR = 0.36
"""How far from its place a pip may lie, in pitches."""
_MOST_KIN = 24
"""Pips alike around one that are looked at: more than the faces of a die and its neighbours have."""
_FREE = 2.1
"""How far from a face's middle no pip may lie beside its places, in pitches: just past the sides."""
_ONE_PITCH = 1.3
"""The pitch of a face with one pip, in pip diameters, before its sides are measured."""


@dataclass(frozen=True, slots=True)
class Face:
    """A pattern that could be a die's face.

    `middle` (2,) pixels; `across`, `down` (2,) one pitch along the rows and columns; `members` the pips
    it is made of; `pips` 0 means not read yet. Judged, all 0 to 1: `match` with the pattern and its
    `lead` over other values, `even` ground, `sides` seen, `square` (corners seen as the die's own).
    `half` is how far the sides lie from the middle, in pitches (0: not seen).
    """

    pips: int
    middle: Floats
    across: Floats
    down: Floats
    members: tuple[int, ...]
    colour: Floats
    match: float = 0.0
    lead: float = 0.0
    even: float = 0.0
    sides: float = 0.0
    square: float = 0.0
    half: float = 0.0

    @property
    def area(self) -> float:
        """Of one cell of the pattern, in square pixels."""
        return float(abs(self.across[0] * self.down[1] - self.across[1] * self.down[0]))


def patterns(pips: Pips) -> Iterator[Face]:
    """Faces of two and more that the pips can be read as, the best pips' first; they overlap."""
    seen: set[tuple[int, ...]] = set()
    for i in range(len(pips)):
        near = _kin(pips, i)
        for j in near[near > i]:
            half = (pips.at[j] - pips.at[i]) / 2
            ratio = float(np.hypot(*half)) / float(np.mean(pips.size[[i, j]]))
            if not _DIAGONAL[0] < ratio < _DIAGONAL[1]:
                continue
            for face in _on_diagonal(pips, near, i, int(j)):
                # Both diagonals of a four find the same square.
                if len(face.members) < 4 or face.members not in seen:
                    seen.add(face.members)
                    yield face


def _kin(pips: Pips, i: int) -> Indices:
    """The pips that may lie on one face with pip i."""
    reach = np.hypot(*(pips.at - pips.at[i]).T) < pips.size[i] * _DIAGONAL[1] * 2.4
    near = np.flatnonzero(reach & (np.abs(np.log(pips.size / pips.size[i])) < _ALIKE))
    contrast = pips.contrast
    slack = np.minimum(contrast[near], contrast[i])
    ground = np.linalg.norm(pips.ground[near] - pips.ground[i], axis=1)
    colour = np.linalg.norm(pips.colour[near] - pips.colour[i], axis=1)
    turn = ((pips.colour - pips.ground)[near] * (pips.colour - pips.ground)[i]).sum(axis=1)
    same = (turn > 0.7 * contrast[near] * contrast[i]) & (ground < 0.6 * slack) & (colour < 0.9 * slack)
    near = near[same]
    closest = np.hypot(*(pips.at[near] - pips.at[i]).T).argsort()[:_MOST_KIN]
    return np.sort(near[closest])


def _on_diagonal(pips: Pips, near: Indices, i: int, j: int) -> Iterator[Face]:
    """The faces with pips i and j in opposite corners: with each second diagonal there is, and square."""
    middle, u = (pips.at[i] + pips.at[j]) / 2, (pips.at[j] - pips.at[i]) / 2
    others = near[(near != i) & (near != j)]
    at = pips.at[others] - middle
    length = np.hypot(*u)
    square = np.array([-u[1], u[0]])
    diagonals = [square]
    for v in at:
        stretch = np.hypot(*v) / length
        if u[0] * v[1] - u[1] * v[0] <= 0 or not 0.55 < stretch < 1.8:
            continue
        gap = np.hypot(*(at + v).T)
        if abs(u @ v) < 0.62 * length * length * stretch and gap.min() < _NEAR * 0.8 * length:
            diagonals.append((v - at[gap.argmin()]) / 2)
    if len(diagonals) > 1 and min(np.hypot(*(v - square)) for v in diagonals[1:]) < 0.15 * length:
        diagonals = diagonals[1:]
    for v in diagonals:
        members = _on_grid(pips, near, middle, u, v)
        if members is not None:
            colour = np.median(pips.ground[members], axis=0)
            yield Face(0, middle, (u - v) / 2, (u + v) / 2, tuple(int(m) for m in members), colour)


def _on_grid(pips: Pips, near: Indices, middle: Floats, u: Floats, v: Floats) -> Indices | None:
    """The pips in the square whose corners are middle -u, -v, +v, +u, if all lie in one of its nine cells."""
    grid = np.linalg.solve(np.stack([(u - v) / 2, (u + v) / 2], axis=1), (pips.at[near] - middle).T).T
    inside = np.abs(grid).max(axis=1) < _FREE
    cells = np.rint(grid[inside]).clip(-1, 1)
    if (np.hypot(*(grid[inside] - cells).T) > _NEAR).any():
        return None
    return np.asarray(near[inside])


def has_others(pips: Pips, face: Face) -> bool:
    """Whether pips like the one of this face of one lie within its sides or just past them."""
    one = face.members[0]
    grid = np.linalg.solve(np.stack([face.across, face.down], axis=1), (pips.at - face.middle).T).T
    away = np.abs(grid).max(axis=1)
    ratio = np.abs(np.log(pips.size / pips.size[one]))
    near = ((away < _FREE) & (ratio < 0.22)) | ((away < 1.8) & (ratio < 0.7))
    near &= np.linalg.norm(pips.colour - pips.colour[one], axis=1) < 0.6 * pips.contrast[one]
    return int(near.sum()) > 1


def ones(pips: Pips, free: Indices) -> Iterator[Face]:
    """A face of one for each free pip with even ground far around it; its turn and size are not known yet."""
    for i in np.flatnonzero(free & (pips.wide < 0.5)):
        pitch = _ONE_PITCH * pips.size[i]
        across, down = np.array([pitch, 0.0]), np.array([0.0, pitch])
        yield Face(1, pips.at[i], across, down, (int(i),), pips.ground[i])


def turned(face: Face, angle: float, size: float = 1.0) -> Face:
    """The face with its square turned and scaled around its middle."""
    cos, sin = np.cos(angle) * size, np.sin(angle) * size
    turn = np.array([[cos, -sin], [sin, cos]])
    return Face(face.pips, face.middle, turn @ face.across, turn @ face.down, face.members, face.colour)


def flatten(frame: Image, face: Face) -> Floats:
    """(2 * HALF + 1)² x 3: the face and what is around it, upright, one pitch being PITCH pixels."""
    step = max(1.0, float(np.sqrt(face.area)) / PITCH)
    reach = int(np.ceil(_SPAN * 1.5 * max(np.hypot(*face.across), np.hypot(*face.down)))) + 2
    left, top = (int(v) - reach for v in face.middle)
    crop: Picture = frame[max(top, 0) : max(top + 2 * reach, 0), max(left, 0) : max(left + 2 * reach, 0)]
    onto = np.column_stack([face.across / PITCH, face.down / PITCH])
    shift = face.middle - (max(left, 0), max(top, 0)) - onto @ (HALF, HALF)
    if step > 1.3:
        small = cv2.resize(crop, None, fx=1 / step, fy=1 / step, interpolation=cv2.INTER_AREA)
        ratio = np.array([small.shape[1] / crop.shape[1], small.shape[0] / crop.shape[0]])
        crop, onto, shift = small, onto * ratio[:, None], (shift + 0.5) * ratio - 0.5
    size = 2 * HALF + 1
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    matrix = np.column_stack([onto, shift])
    return cv2.warpAffine(crop, matrix, (size, size), flags=flags, borderMode=cv2.BORDER_REPLICATE).astype(
        np.float64
    )
