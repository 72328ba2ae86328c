"""The tops of dice wherever they lie: looked for where something is new, looked at closely, laid straight."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.change import NOISE, Change
from vision.die_or_side import ASLANT, CLEARLY, without_sides
from vision.face_net import SIDE_PX, SIZE, Answer, answers
from vision.faces import USUAL_DOTS, Dots, settle
from vision.geometry import Image, View
from vision.nets import ask, likely, logit
from vision.spots import Place, spots
from vision.squares import Square, as_blob, cut_out_lit, lean, now_and_then, turned, turned_ways
from vision.stance_net import CLEAR, stances
from vision.values import reread

AT_FIRST, ON_LID = 7, 0.6
"""So many of the likeliest places are looked at; the others where not all dice are clear among those. Last
are those where a piece's lid is seen, nearer than so many sides of a die, the surer it is one."""
AS_A_DIE, NO_LID = 0.45, 0.001
"""All places as likely are looked at first, too, but where a lid is seen for sure, nothing less likely than
the second: a die of another set may lie beside six, and of two that touch one is found at 0.50."""
Lid = tuple[tuple[float, float], float]
"""The pixel where a piece's lid may be seen, and how likely none is."""
HARDLY, PERHAPS = 0.02, 0.3
"""Places less likely a die than this get no second look: while some colour has no die yet, and afterwards."""
ASIDE, TOUCHING = 0.4, 1.15
"""So many sides aside of a place a die is looked for as well, where one seems to lean or too few are found;
and so many aside of another die."""
AT_ONCE = 16
"""So many places at most are shown to the network together: a hundred would take 40 MB."""
RATHER, SAME = 0.5, 0.2
"""What is likelier a die than this is another look at one that may lean; and places no farther apart than
such a share of its side are the same."""
MANY = 24
"""So many tops at most are looked at: of what covers half a picture 75 seemed to be some, for ten seconds. Of
297 frames of 57 tables none had more than 10 that were clear, nor more than 10 others."""
IMPOSSIBLE = 1e-9
"""No value is less likely by two looks: where each excludes what the other tells, all would be 0."""
FARTHER, NO_NEARER = 0.6, 0.45
"""Where a side is taken for the top of a die that is seen `ASLANT`, the top lies about so many of its sides
farther out, and no nearer than the second."""
LEAST_NEW, PLAINLY_NEW = 0.12, 0.04
"""No die leaves more of its place as it was in the empty photo than all but this share; of a plain one on a
table of its colour, that shows a one, the pip alone is new."""


@dataclass(frozen=True, slots=True)
class Table:
    """A frame and all that is needed to ask about places of it; `empty` is carried into its view."""

    frame: Image
    empty: Image
    view: View
    change: Change
    die_mm: float
    dots: Dots = USUAL_DOTS

    def lit(self, at: tuple[float, float], mm_per_px: float, size: int) -> Image:
        """A square of the frame, on the plane of the tops, in the empty photo's light."""
        square = Square(at, self.die_mm, mm_per_px, size)
        return cut_out_lit(self.frame, self.change.lights, self.view, square)

    def is_new(self, top: Answer) -> bool:
        """Whether a top seems to be a die's, and its place is not as in the empty photo."""
        if top.die <= 0.5:
            return False
        x, y = (v / 2 for v in self.view.pixel(top.x, top.y, self.die_mm))
        reach = max(0.4 * self.die_mm * self.view.pixels_per_mm(top.x, top.y, self.die_mm) / 2, 1)
        left, above = max(round(x - reach), 0), max(round(y - reach), 0)
        right, below = max(round(x + reach) + 1, 0), max(round(y + reach) + 1, 0)
        part = self.change.much[above:below, left:right]
        least = PLAINLY_NEW if _clear([top]) else LEAST_NEW
        return bool(np.count_nonzero(part > NOISE) > least * part.size)

    def ask(self, places: list[tuple[float, float]], turns: int = 1) -> list[Answer]:
        """The network's answers; each place is shown in so many quarter turns."""
        if not places:
            return []
        if len(places) > AT_ONCE:
            return [*self.ask(places[:AT_ONCE], turns), *self.ask(places[AT_ONCE:], turns)]
        scale = self.die_mm / SIDE_PX
        leans = [lean(self.view, at, self.die_mm) for at in places]
        squares = [Square(at, self.die_mm, scale, SIZE) for at in places]
        seen = (self.frame, self.empty, self.change.lights, self.view)
        nows, thens = zip(*(now_and_then(*seen, square) for square in squares), strict=True)
        blob = as_blob(nows, thens, leans)
        said = ask("dice", blob)
        for quarter in range(1, turns):
            other = ask("dice", turned(blob, quarter))
            other[:, 8], other[:, 9] = turned_ways(other[:, 8].copy(), other[:, 9].copy(), -quarter)
            said = said + other
        return answers(said / turns, places, self.die_mm)


def straightened(table: Table, top: Answer) -> Answer:
    """The same top with its turn, and its middle as the pattern of its pips gives it."""
    pips = int(top.pips.argmax()) + 1
    x, y, turn, light = settle(table.frame, table.view, (top.x, top.y), pips, table.die_mm, table.dots)
    return replace(top, x=x, y=y, turn=turn, light=light)


def find_tops(table: Table, wanted: int, lids: Sequence[Lid] = (), everywhere: bool = False) -> list[Answer]:
    """Whatever may be a die's top where so many should lie: laid straight, its value, whether it is flat.

    `everywhere`: all places are looked at, though six tops are clear among the first.
    """
    die_mm = table.die_mm
    first, rest = _in_turn(table, lids)
    if everywhere:
        first, rest = [*first, *rest], []
    tops = _apart(table.ask(first), die_mm)
    if len(_clear(tops)) < wanted:
        tops, rest = _apart([*tops, *table.ask(rest)], die_mm), []
    found, vague = _looked_at(table, tops, wanted)
    if rest and _lying(found) < wanted:
        # What seemed to be one leans as no die does: one may be left among the other places.
        tops, rest = _apart([*tops, *table.ask(rest)], die_mm), []
        found, vague = _looked_at(table, tops, wanted)
    if _lying(found) < wanted:
        found = _with_others_beside(table, found, vague)
    found = better_placed(table, found)
    if rest and _lying(found) < wanted:  # what seemed to lie there does not, seen from beside
        return find_tops(table, wanted, lids, everywhere=True)
    seen = [at for at, nothing in lids if nothing < PERHAPS]
    return reread(table.frame, table.view, _no_sides(table, found), die_mm, seen)


def _in_turn(table: Table, lids: Sequence[Lid]) -> tuple[list[Place], list[Place]]:
    """The places where dice may lie, to be looked at first and else; the surer a lid is seen, the later."""
    seen = spots(table.view, table.change, table.die_mm)
    near = ON_LID * table.die_mm * table.view.pixels_per_mm(height=table.die_mm)

    def free(place: Place) -> float:
        at = table.view.pixel(*place, table.die_mm)
        return min((nothing for lid, nothing in lids if math.dist(at, lid) < near), default=1.0)

    ordered = sorted(((free(place), there, place) for place, there in seen), key=lambda one: -one[0])
    first, rest = list[Place](), list[Place]()
    for number, (nothing, there, place) in enumerate(ordered):
        plainly = nothing > NO_LID and there > AS_A_DIE
        (first if number < AT_FIRST or plainly else rest).append(place)
    return first, rest


def _clear(tops: list[Answer]) -> list[Answer]:
    return [top for top in tops if min(top.die, top.pips.max()) > CLEARLY]


def _lying(tops: list[Answer]) -> int:
    """How many of some tops, laid straight, are dice that lie flat."""
    return sum(min(top.die, top.flat) > CLEARLY for top in tops)


def _looked_at(
    table: Table, tops: list[Answer], wanted: int
) -> tuple[list[Answer], list[tuple[float, float]]]:
    """What of some tops is new, laid straight; and the places of those that are not clear.

    These are looked at again, their middles in the middle, from all four sides; what is hardly a die only
    where one is missing.
    """
    clear = _clear(tops)
    least = HARDLY if len(clear) < wanted else PERHAPS
    vague = [(top.x, top.y) for top in tops if top.die > least and min(top.die, top.pips.max()) <= CLEARLY]
    seen = _apart([*clear, *table.ask(vague, turns=4)], table.die_mm)
    laid = _laid(table, [top for top in seen if table.is_new(top)])
    return without_sides(laid, table.change.much, table.view, table.die_mm), vague


def _laid(table: Table, tops: list[Answer]) -> list[Answer]:
    return with_stances(table, [straightened(table, top) for top in tops])


def _with_others_beside(table: Table, found: list[Answer], vague: list[tuple[float, float]]) -> list[Answer]:
    """What is found, and what is seen around it and around vague places.

    Of a white die on a white table, what seems its middle can be half a side off; and of two dice that touch,
    only one may be seen from afar. What is a die already stays where it is; the rest may be seen better.
    """
    die_mm = table.die_mm
    around = [place for at in vague for place in _around(at, ASIDE * die_mm, 4)]
    around += [place for top in found for place in _around((top.x, top.y), TOUCHING * die_mm, 8)]
    nearby = [(top.x, top.y) for top in _apart(table.ask(around), die_mm) if top.die > HARDLY]
    plain = [top for top in found if _lying([top])]
    more = [top for top in table.ask(nearby, turns=4) if table.is_new(top) and not _near(top, plain, die_mm)]
    every = _apart([*found, *_laid(table, _apart(more, die_mm))], die_mm)
    return without_sides(every, table.change.much, table.view, die_mm)


def _around(at: tuple[float, float], away: float, count: int) -> list[tuple[float, float]]:
    """So many places so far (mm) from one."""
    turns = np.arange(count) * 2 * np.pi / count
    return [(at[0] + away * math.cos(turn), at[1] + away * math.sin(turn)) for turn in turns]


def better_placed(table: Table, tops: list[Answer]) -> list[Answer]:
    """The same tops; each that may lean is looked for again around there, where it looks most like one.

    A flat die that is taken to be elsewhere than it is seems to lean. Of the looks that found the same place
    the mean counts: the flattest of many would make leaning ones flat.
    """
    placed = []
    for top in tops:
        if top.flat < CLEAR and top.die > CLEARLY:
            others = [other for other in tops if other is not top]
            tries = table.ask([(top.x, top.y), *_around((top.x, top.y), ASIDE * table.die_mm, 8)])
            free = [one for one in tries if one.die > RATHER and not _near(one, others, table.die_mm)]
            top = agreed([top, *_laid(table, free)], table.die_mm)
        placed.append(top)
    return placed


def _no_sides(table: Table, tops: list[Answer]) -> list[Answer]:
    """The same tops; of those that may be sides of dice whose tops lie behind: these tops where they are
    plainly seen, else their pips may be these."""
    die_mm = table.die_mm
    out = [np.array(lean(table.view, (top.x, top.y), die_mm)) for top in tops]
    aslant = [i for i, away in enumerate(out) if np.hypot(*away) > ASLANT and tops[i].die > RATHER]
    behind = {i: FARTHER * die_mm * out[i] / np.hypot(*out[i]) for i in aslant}
    asked = table.ask([(tops[i].x + float(x), tops[i].y + float(y)) for i, (x, y) in behind.items()])
    sure, instead = dict(enumerate(tops)), list[Answer]()
    for i, other in zip(aslant, asked, strict=True):
        top = tops[i]
        if other.die > CLEARLY and math.dist((top.x, top.y), (other.x, other.y)) > NO_NEARER * die_mm:
            (seen,) = _laid(table, table.ask([(other.x, other.y)], turns=4))
            if without_sides([top, seen], table.change.much, table.view, die_mm)[0] is seen:
                same = [one for one in tops if one is not top and _near(one, [seen], die_mm)]
                instead.append(agreed([seen, *same], die_mm))
                del sure[i]
            elif not _near(other, [one for one in tops if one is not top], die_mm):
                sure[i] = replace(top, pips=(top.pips + other.pips) / 2)
    instead = [top for top in _apart(instead, die_mm) if table.is_new(top)]
    return [*instead, *(top for top in sure.values() if not _near(top, instead, die_mm))]


def agreed(looks: list[Answer], die_mm: float) -> Answer:
    """Of some looks at a die the one whose pips match best and that looks flattest; how flat, and its pips,
    by all that found about the same place."""
    best = max(looks, key=lambda look: abs(look.light) * look.flat * look.die)
    same = [look for look in looks if math.dist((look.x, look.y), (best.x, best.y)) < SAME * die_mm]
    flat = likely(float(np.mean([logit(look.flat) for look in same])))
    pips = np.exp(np.mean([np.log(np.maximum(look.pips, 1e-9)) for look in same], axis=0))
    return replace(best, flat=float(flat), pips=pips / pips.sum())


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
        both = np.maximum(top.pips * values, IMPOSSIBLE)
        seen.append(replace(top, flat=float(lies), pips=both / both.sum()))
    return seen


def _apart(tops: list[Answer], die_mm: float) -> list[Answer]:
    """No two nearer than two dice can lie: the likeliest stay, `MANY` at most."""
    kept: list[Answer] = []
    for top in sorted(tops, key=lambda top: -top.die):
        if len(kept) < MANY and not _near(top, kept, die_mm):
            kept.append(top)
    return kept


def _near(top: Answer, others: list[Answer], die_mm: float) -> bool:
    """Whether a top is nearer to one of the others than two dice can lie."""
    return any(math.dist((top.x, top.y), (other.x, other.y)) <= 0.75 * die_mm for other in others)
