"""The six dice of a set, wherever they lie: found among the tops that are seen, and named."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np

from vision.die_names import fits, own_odds
from vision.face_net import Answer
from vision.faces import Top
from vision.geometry import Floats
from vision.looks import RIM, deepest, likeness, off_hue, sides_look
from vision.matching import Given, give
from vision.median import median
from vision.profile import DieColour, Lab
from vision.tops import Lid, Table, find_tops

PLAIN, OTHER_PIPS = (0.2, 0.5), (1.0, 0.03)
"""How well pips match that seem light on a die that has dark ones, or the other way round, and how much less
likely it is that die therefore: from 0.5 on they are plain (of 952 flat dice of 20 rendered sets 8 seemed
otherwise, all in one dim set); a ball of a die's colour in which a lamp shines matched a one by 0.4."""
LOOK_PX = 24
"""Pixels of a die's side where its colour is looked at: a disc that is on the top however it is turned."""
_ACROSS = np.arange(LOOK_PX) - (LOOK_PX - 1) / 2
_FROM_MIDDLE = np.hypot(*np.meshgrid(_ACROSS, _ACROSS)) / LOOK_PX
_DISC = _FROM_MIDDLE < 0.44
_RIM = (_FROM_MIDDLE > 0.33) & (_FROM_MIDDLE < 0.52)
"""Where a top's rim is: what shines in a top seldom shines all around it, where its edges turn away."""
_ODDS = 1e4
"""Nothing is surer than this to be a die."""
_MATCH = (0.4, 0.65, 0.85), (0.05, 0.2, 1.0)
"""How well a top's pips match their pattern, and what that makes of its being a die: of 933 dice of 19 tables
ten match by less than 0.7, of 1605 thrown ones 225, and of 46 things that are none (handwriting, most of
them) 43. Not all of that counts, for the network saw the pips too."""
_DOT = 0.45, 0.1
"""A one that matches by less is so much less of a die besides: a lamp on a ball makes such a dot. Of 690 ones
of 31 tables five are, of two dice, and the three that a ball made."""
_STRANGE = 1e-5
"""No colour is less likely than this because of a top's middle."""
ENOUGH = 0.9999
"""All names as likely by the tops, and nothing more is looked at: so are 724 of 1000 draws of six dice from
135 thrown sets, by the look of six others, one in 5000 wrongly."""
_PLAINLY, _MATCHES, _LIKE = 0.99, 0.6, 0.02
"""What gets no name, but is as likely a die, flat, and of one value, matches its pips so well, and has the
look of a colour so much, is a second die of that colour: so are 957 of 1098 dice even by 0.999 and 0.85, and
nothing that is no die on 245 frames of 40 sets, nor of seven things on 260 others that seemed flat dice."""
_SECOND = 0.5
"""How likely the name of a die is where another one could as well have it, or it has another colour."""
HARDLY, STRANGER, ANOTHERS, OFF_HUE = 0.02, -1.2, 4.0, 0.2
"""A die whose middle is so little like its colour's is asked about; it is a stranger by such log odds that it
is that colour's, or where another colour's are higher by so much, if its hue is off by so much, too. Of 114
dice of eight frames whose hue was turned 51 passed for their own, and four do. Of 1392 true ones of 56 sets
the least log odds are -2.2, of one that is doubted anyhow, then -1.1; half in a shadow they are less."""
_NOBODY = 1e-3
"""What a colour without a die is worth. Of 3528 dice of 23 tables none is worth less than 2; what stood for
one that was missing or leaned (a marker beside the board, say) less than 0.8, in 19 of 33 readings."""


@dataclass(frozen=True, slots=True)
class FoundDie:
    """A die of the set: where its top is, what it shows, and how likely each of that is true.

    `order`: all pips, the likeliest first; `there`: that it is a die at all, by its look alone; `flat`:
    that it lies flat; `value`: its pips; `named`: that it is a die, this colour's and no other's, as the
    six together are best named; `second`: another die of that colour lies there; `lit`: a lamp or a crumb
    may deceive about its pips.
    """

    colour: DieColour
    x: float
    y: float
    turn: float
    order: tuple[int, ...]
    there: float
    flat: float
    value: float
    named: float
    second: bool = False
    lit: bool = False

    @property
    def pips(self) -> int:
        """What it shows."""
        return self.order[0]


@dataclass(frozen=True, slots=True)
class FoundDice:
    """For each colour its die, None where none is to be seen; `named`: that all the names are right."""

    dice: dict[str, FoundDie | None]
    named: float


def find_dice(table: Table, colours: tuple[DieColour, ...], lids: Sequence[Lid] = ()) -> FoundDice:
    """The dice of a frame; `lids`: where pieces' lids are seen; the surer one is, the later a die is looked
    for there."""
    tops = find_tops(table, len(colours), lids)
    found = name_tops(table, tops, colours)
    if (None in found.dice.values() or found.named <= _SECOND) and len(tops) >= len(colours):
        # What seemed to be one is none of these, which may lie where nobody has looked.
        found = name_tops(table, find_tops(table, len(colours), lids, everywhere=True), colours)
    return found


class Looks(NamedTuple):
    """The 8-bit Lab colours of a top whose pips are darker, of one whose pips are lighter, and of its rim
    where that is least veiled."""

    darker: Lab
    lighter: Lab
    rim: Lab


def looks_at(table: Table, top: Top) -> Looks:
    """How a die's top looks in the empty photo's light."""
    patch = table.lit((top.x, top.y), table.die_mm / LOOK_PX, LOOK_PX)
    whole = cv2.cvtColor(patch, cv2.COLOR_BGR2LAB)
    lab = whole[_DISC]
    lab = lab[lab[:, 0].argsort()]
    part = len(lab) // 3
    darker, lighter = (median(some).tolist() for some in (lab[part:], lab[: 2 * part]))
    return Looks(darker, lighter, deepest(whole[_RIM].astype(np.float64)))


def sides_of(table: Table, top: Top, plainest: Callable[[Floats], Lab] = deepest) -> Lab:
    """How all that is seen of a die looks, so, where it is least veiled: mostly its sides."""
    light = table.change.lights.at(*table.view.pixel(top.x, top.y, 0))
    return sides_look(table.frame, table.view, top, table.die_mm, light, plainest)


def _alike(tops: Floats, colours: tuple[DieColour, ...]) -> tuple[Floats, Floats]:
    """(N, C) how well each of N dice is a colour's by the middle of its top; and how much better than
    another's, by the rim, too. `tops` (N, 3, 3): their `Looks`."""
    well, better = [], []
    for colour in colours:
        middle = np.maximum(likeness(tops[:, int(colour.bright_pips)], colour.lab), _STRANGE)
        well.append(middle)
        better.append(np.sqrt(middle) * likeness(tops[:, 2], colour.rim or colour.lab, RIM))
    return np.stack(well, axis=1), np.stack(better, axis=1)


def name_tops(table: Table, tops: list[Answer], colours: tuple[DieColour, ...]) -> FoundDice:
    """Every colour's top, by the likeliest of all ways to give the names, and how likely each name is.

    Where the tops leave a doubt, the dice's sides are looked at, and a network weighs all that is seen.
    """
    dice: dict[str, FoundDie | None] = {colour.name: None for colour in colours}
    if not tops:
        return FoundDice(dice, 0.0)
    looks = np.array([looks_at(table, top) for top in tops], dtype=np.float32)
    well, better = _alike(looks, colours)
    given, strangers = _given(tops, well, better, colours), set[int]()
    hardly = any(row and well[row - 1, number] < HARDLY for number, row in enumerate(given.columns))
    if (given.likely < ENOUGH or hardly) and all(colour.rim and colour.sides for colour in colours):
        sides = np.array([sides_of(table, top) for top in tops], dtype=np.float32)
        odds = own_odds(looks, sides, colours)
        if given.likely < ENOUGH:
            fit = fits(odds)
            given = _given(tops, fit, fit, colours)
        strangers = _strangers(odds, looks, given, colours)
    twice = _twice(tops, well, given)
    for number, (row, share) in enumerate(zip(given.columns, given.shares, strict=True)):
        if row:
            top, colour = tops[row - 1], colours[number]
            dice[colour.name] = FoundDie(
                colour,
                top.x,
                top.y,
                top.turn,
                tuple((np.argsort(-top.pips, kind="stable") + 1).tolist()),
                top.die,
                top.flat,
                float(top.pips.max()),
                float(share[row]) * (_SECOND if number in twice | strangers else 1),
                number in twice,
                top.lit,
            )
    return FoundDice(dice, given.likely * (_SECOND if twice | strangers else 1))


def _twice(tops: list[Answer], well: Floats, given: Given) -> set[int]:
    """The colours, from 0, of plain dice that got no name; by how `well` each top is a colour's, (N, C)."""
    return {
        int(alike.argmax())
        for row, (top, alike) in enumerate(zip(tops, well, strict=True), 1)
        if row not in given.columns
        and min(top.die, top.flat, top.pips.max()) > _PLAINLY
        and abs(top.light) > _MATCHES
        and alike.max() > _LIKE
    }


def _strangers(odds: Floats, looks: Floats, given: Given, colours: tuple[DieColour, ...]) -> set[int]:
    """The colours, from 0, whose die looks like none of theirs: by its log `odds` of being so, (N, C), and by
    its hue; `looks` (N, 3, 3)."""
    strangers = set()
    for number, (row, colour) in enumerate(zip(given.columns, colours, strict=True)):
        own = odds[row - 1]
        if row and (own[number] < STRANGER or own[number] < own.max() - ANOTHERS):
            middle = looks[row - 1, int(colour.bright_pips)]
            if off_hue(middle[None], colour.lab)[0] > OFF_HUE:
                strangers.add(number)
    return strangers


def _given(tops: list[Answer], well: Floats, alike: Floats, colours: tuple[DieColour, ...]) -> Given:
    """Each colour's top, from 1, or 0; by how well, (N, C), and how much better each top is a colour's."""
    # What a top looks most like is worth how well it looks so; the others, as much less as they are behind.
    best = alike.argmax(axis=1)[:, None]
    alike = alike * np.take_along_axis(well, best, 1) / np.take_along_axis(alike, best, 1)
    light = np.array([top.light for top in tops])[:, None]
    bright = np.array([colour.bright_pips for colour in colours])
    alike *= np.where((light > 0) != bright, np.interp(abs(light), PLAIN, OTHER_PIPS), 1)
    # Whatever gets no name is taken for no die: each name is worth the odds that its top is one. And what
    # lies flat is likelier a die than a marker or a chip of its colour that looks like a one.
    matching = np.interp(abs(light), *_MATCH)
    dots = np.array([[top.pips.argmax() == 0] for top in tops])
    matching[dots & (abs(light) < _DOT[0])] *= _DOT[1]
    worth = matching * [[min(top.die / (1 - top.die + 1e-9), _ODDS) * (0.02 + top.flat)] for top in tops]
    each = np.concatenate([np.full((1, len(colours)), _NOBODY), alike * worth])
    return give(each.T)
