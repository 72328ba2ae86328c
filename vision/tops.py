"""The six dice of a set, wherever they lie: places that look new, shown to the network of the dice."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.change import NOISE, Change
from vision.dice import centre_mm, spots
from vision.face_net import SIDE_PX, SIZE, Answer, answers
from vision.faces import read_face
from vision.geometry import Floats, Grey, Image, View
from vision.looks import alike_maps, likeness
from vision.nets import ask
from vision.profile import DieColour
from vision.squares import as_blob, lean, lit_square, square
from vision.stance_net import stances

BATCH = 8
"""So many places are asked about at once, the likeliest first, until six dice are found."""
REST = 40
"""So many more places are asked about where something is new."""
SURELY = 0.97
"""As likely a die as this, and no other place near it is asked about."""


AGREES = 0.6
"""A correlation with the pips' pattern that tells how a top is turned."""


@dataclass(frozen=True, slots=True)
class FoundDie:
    """A die of the set: where its top is, what it shows, and how likely each of that is true.

    `flat`: that it lies flat; `value`: its pips; `named`: that it is this colour's die and no other's.
    """

    colour: DieColour
    x: float
    y: float
    turn: float
    pips: int
    there: float
    flat: float
    value: float
    named: float


@dataclass(frozen=True, slots=True)
class Table:
    """A frame and all that is needed to ask about places of it; `empty` is carried into its view."""

    frame: Image
    empty: Image
    view: View
    change: Change
    die_mm: float

    def lit(self, at: tuple[float, float], mm_per_px: float, size: int, turn: float = 0.0) -> Image:
        """A square of the frame, on the plane of the tops, in the empty photo's light."""
        return lit_square(self.frame, self.change.lights, self.view, at, self.die_mm, mm_per_px, size, turn)

    def ask(self, places: list[tuple[float, float]], turns: int = 1) -> list[Answer]:
        """The network's answers; with `turns` 4 each place is shown in all four quarter turns."""
        scale = self.die_mm / SIDE_PX
        leans = [lean(self.view, at, self.die_mm) for at in places]
        blob = as_blob(
            [self.lit(at, scale, SIZE) for at in places],
            [square(self.empty, self.view, at, self.die_mm, scale, SIZE) for at in places],
            leans,
        )
        said = ask("dice", blob)
        for quarter in range(1, turns):
            turned = np.rot90(blob, quarter, axes=(2, 3)).copy()
            # A quarter turn of the picture against the clock takes (x, y) to (y, -x).
            x, y = blob[:, 6, :1, :1], blob[:, 7, :1, :1]
            turned[:, 6], turned[:, 7] = ((x, y), (y, -x), (-x, -y), (-y, x))[quarter]
            other = ask("dice", turned)
            u, v = other[:, 8].copy(), other[:, 9].copy()
            other[:, 8], other[:, 9] = ((u, v), (-v, u), (-u, -v), (v, -u))[quarter]
            said = said + other
        return answers(said / turns, places, self.die_mm)


def straightened(table: Table, top: Answer) -> Answer:
    """The same top with its middle and turn as the pattern of its pips gives them, where that agrees."""
    face = read_face(table.frame, table.view, (top.x, top.y), table.die_mm)
    if face.match < AGREES or face.pips != int(top.pips.argmax()) + 1:
        return top
    return replace(top, x=face.x, y=face.y, turn=face.turn)


def find_dice(
    frame: Image, empty: Image, view: View, change: Change, colours: tuple[DieColour, ...], die_mm: float
) -> dict[str, FoundDie | None]:
    """For each colour its die, None where none is to be seen."""
    table = Table(frame, empty, view, change, die_mm)
    spots = places(view, change, colours, die_mm)
    tops: list[Answer] = []
    for first in range(0, len(spots), BATCH):
        asked = [spot for spot in spots[first : first + BATCH] if not _known(spot, tops, die_mm)]
        if asked:
            tops = _apart([*tops, *table.ask(asked)], die_mm)
    # A place beside a die still knows where the die is: ask there.
    vague = [top for top in tops if 0.02 < top.die < SURELY]
    if vague:
        tops = _apart([*tops, *table.ask([(top.x, top.y) for top in vague])], die_mm)
    tops = [top for top in tops if top.die > 0.5]
    if tops:
        # Once more, now that the middle is known, from all sides.
        tops = _apart(table.ask([(top.x, top.y) for top in tops], turns=4), die_mm)
    tops = [straightened(table, top) for top in tops if top.die > 0.5]
    return name_tops(table, with_stances(table, tops), colours)


def with_stances(table: Table, tops: list[Answer]) -> list[Answer]:
    """The same tops, each laid straight and looked at again: how likely it lies flat, and its value."""
    flat, pips = stances(
        table.frame,
        table.empty,
        table.view,
        table.change.lights,
        [(top.x, top.y, top.turn) for top in tops],
        table.die_mm,
    )
    seen = []
    for top, lies, values in zip(tops, flat, pips, strict=True):
        both = top.pips * values
        seen.append(replace(top, flat=float(lies), pips=both / both.sum()))
    return seen


def _known(spot: tuple[float, float], tops: list[Answer], die_mm: float) -> bool:
    return any(top.die > SURELY and np.hypot(top.x - spot[0], top.y - spot[1]) < 0.5 * die_mm for top in tops)


def _apart(tops: list[Answer], die_mm: float) -> list[Answer]:
    """No two nearer than two dice can lie, the likelier stays."""
    kept: list[Answer] = []
    for top in sorted(tops, key=lambda top: -top.die):
        if all(np.hypot(top.x - other.x, top.y - other.y) > 0.75 * die_mm for other in kept):
            kept.append(top)
    return kept


def looks(table: Table, top: Answer) -> tuple[Floats, Floats]:
    """The middle Lab colour (3,) of a top with darker pips, and of one with lighter pips."""
    size = 24
    patch = table.lit((top.x, top.y), table.die_mm / size, round(size * 0.8), top.turn)
    lab = cv2.cvtColor(patch, cv2.COLOR_BGR2LAB).reshape(-1, 3)
    lab = lab[lab[:, 0].argsort()]
    part = len(lab) // 3
    return np.median(lab[part:], axis=0), np.median(lab[: 2 * part], axis=0)


def name_tops(table: Table, tops: list[Answer], colours: tuple[DieColour, ...]) -> dict[str, FoundDie | None]:
    """Every colour's top, by the likeliest of all ways to give the names, and how likely each name is."""
    dice: dict[str, FoundDie | None] = {colour.name: None for colour in colours}
    if not tops:
        return dice
    lab = np.array([looks(table, top) for top in tops], dtype=np.float32)
    alike = np.stack([likeness(lab[:, int(colour.bright_pips)], colour) for colour in colours], axis=1)
    # What lies flat is likelier a die than a marker or a chip of its colour that looks like a one.
    worth = np.array([[top.die * (0.02 + top.flat)] for top in tops])
    ways = _namings(np.maximum(alike, 1e-5) * worth)
    if not ways:
        return dice
    total = sum(worth for worth, _ in ways)
    best = max(ways)[1]
    for column, row in enumerate(best):
        if row < 0:
            continue
        top = tops[row]
        named = sum(worth for worth, way in ways if way[column] == row) / total
        pips = int(top.pips.argmax()) + 1
        dice[colours[column].name] = FoundDie(
            colours[column], top.x, top.y, top.turn, pips, top.die, top.flat, float(top.pips.max()), named
        )
    return dice


_NOBODY = 3e-4
"""What a colour without a die is worth: no die is as unlike its colour as this."""


def _namings(worth: Grey, keep: int = 600) -> list[tuple[float, tuple[int, ...]]]:
    """(worth, row for each column or -1), the `keep` likeliest ways to give every column a row of its own."""
    ways: list[tuple[float, tuple[int, ...]]] = [(1.0, ())]
    for column in range(worth.shape[1]):
        grown = []
        for value, way in ways:
            grown.append((value * _NOBODY, (*way, -1)))
            for row in range(worth.shape[0]):
                if row not in way:
                    grown.append((value * float(worth[row, column]), (*way, row)))
        ways = sorted(grown, reverse=True)[:keep]
    return ways


def places(
    view: View, change: Change, colours: tuple[DieColour, ...], die_mm: float
) -> list[tuple[float, float]]:
    """Where a die may lie, in mm: single spots of about its size, and what looks like a colour.

    Those that look most like some colour come first.
    """
    side = die_mm * view.pixels_per_mm() / 2
    box = max(int(side), 3)
    alike = alike_maps(change, colours)
    density = [cv2.boxFilter(weight, -1, (box, box)) for weight in alike]
    found: list[tuple[float, float]] = []
    colourful: list[float] = []

    def note(weight: Grey, at: tuple[float, float]) -> None:
        x, y = centre_mm(weight, at, view, die_mm)
        if all(np.hypot(x - a, y - b) > 0.25 * die_mm for a, b in found):
            found.append((x, y))
            colourful.append(max(float(one[int(at[1]), int(at[0])]) for one in density))

    small = np.ones((2, 2), np.uint8)
    for new in (change.thing, change.much > 2 * NOISE, change.much > 6 * NOISE):
        mask = cv2.morphologyEx(new.astype(np.uint8), cv2.MORPH_OPEN, small)
        _, _, stats, middles = cv2.connectedComponentsWithStats(mask, connectivity=4)
        area = stats[:, cv2.CC_STAT_AREA]
        weight = mask.astype(np.float32)
        for spot in np.nonzero((area > 0.35 * side**2) & (area < 3.2 * side**2))[0]:
            note(weight, (float(middles[spot][0]), float(middles[spot][1])))
    for weight, dense in zip(alike, density, strict=True):
        for at in spots(dense, side * 0.8, 3, 0.15):
            note(weight, at)
    first = [found[i] for i in np.argsort(colourful)[::-1]]
    # Whatever else is new, side by side: a die that touches another, or that looks like what it lies on.
    left = cv2.boxFilter((change.much > NOISE).astype(np.float32), -1, (box, box))
    for x, y in view.project([[x, y, die_mm / 2] for x, y in first]) / 2 if first else ():
        cv2.circle(left, (int(x), int(y)), int(side * 0.3), 0.0, -1)
    more = spots(left, side * 0.55, REST, 0.3)
    if more:
        mm = view.unproject([[2 * x + 0.5, 2 * y + 0.5] for x, y in more], die_mm / 2)
        first += [(float(x), float(y)) for x, y in mm]
    return first


def corners(die: FoundDie, die_mm: float, height: float) -> Floats:
    """(4, 3) mm: the square of the die's side at `height` over the board."""
    half = die_mm / 2
    square_mm = np.array([[-half, -half], [half, -half], [half, half], [-half, half]])
    cos, sin = np.cos(die.turn), np.sin(die.turn)
    flat = square_mm @ np.array([[cos, sin], [-sin, cos]]) + (die.x, die.y)
    return np.hstack([flat, np.full((4, 1), height)])


def silhouette(die: FoundDie, die_mm: float, view: View) -> Floats:
    """(N, 2) pixels: the outline of the whole die in the frame."""
    points = np.vstack([corners(die, die_mm, 0.0), corners(die, die_mm, die_mm)])
    return np.asarray(cv2.convexHull(view.project(points).astype(np.float32))[:, 0], dtype=np.float64)
