"""How likely each part of what was seen is true, as a careful person would judge it."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np

from vision.beyond import cut_dice
from vision.change import Mask
from vision.fields import Nearest, counts_of, cut_fields, inside, nearest, off_field
from vision.geometry import Floats
from vision.look import Seen
from vision.profile import Profile
from vision.reading import SURE, Confidence, MayBe
from vision.towers import PIECES, Group

POSSIBLE = 0.001
"""A count less likely than this is not offered to somebody who corrects."""
WITNESS = 300.0
"""How much likelier it makes a part that the rules tell the same, and less likely that they tell another. On
515 photos, as taken and disturbed, they told 2965 dice rightly and 4 wrongly, all counts 446 times and never
wrongly; on the sessions, though, that they were made with. That a die lies flat they do not tell: they read 4
of 9 leaning ones of 25 tables, and 38 of the 45 others beside those."""
ENOUGH, HOPEFUL = 0.9998, 0.1
"""All dice, or all counts, this likely need no second witness; less likely than the other, none helps."""
NOT_SIX = 0.85
"""Where six pieces do not come out, a field with pieces is no likelier right, clear as it seems: of 718 on 41
tables 620 were, and of 2793 empty ones all but one."""
AT_EDGE = 0.8
"""So likely right is the count of a field at whose edge a piece is seen: of 21 such readings of 26 tables,
as taken and disturbed, 17 were."""
MOST = 0.99999
"""Nothing is likelier: what nobody thought of can always be."""


def confidence(seen: Seen, profile: Profile) -> Confidence:
    """How likely each part of what was seen is true; markers are told with the reading."""
    fields, counted = fields_likely(seen, profile)
    if seen.told_counts:
        agrees = np.equal(seen.told_counts, counts_of(seen, profile))
        fields, counted = _weighed(fields, agrees), float(_weighed(np.array(counted), agrees.all()))
    if seen.pieces.total != PIECES:
        fields[np.array(counts_of(seen, profile)) > 0] *= NOT_SIX
    fields[[near for near, *_ in off_field(seen, profile)]] *= AT_EDGE
    for piece, alike in zip(seen.pieces.pieces, seen.alike, strict=True):
        fields[nearest((piece.x, piece.y), profile)[0]] *= alike
    cut, cut_off = cut_dice(seen, profile), cut_fields(seen, profile)
    fields[[*seen.covered_fields, *cut_off]] = 0
    dice, tops, misnamed = {}, 1.0, 0.0
    for name, die in seen.dice.items():
        told = seen.told_dice.get(name)
        flat, value, named = (die.flat, die.value, die.named) if die and name not in cut else (0.0, 0.0, 0.0)
        if die and told:
            agrees = told == die.pips
            named = float(_weighed(np.array(named), agrees))
            if not (die.lit and agrees):  # a lamp deceives the rules as it does the networks
                value = float(_weighed(np.array(value), agrees))
        dice[name], tops, misnamed = flat * value * named, tops * flat * value, misnamed + 1 - named
    laid = counted * tops * _named(seen, misnamed) * math.prod(seen.alike)
    laid *= not (seen.covered_fields or seen.hidden or cut_off)
    return Confidence(
        tuple(min(float(p), MOST) for p in fields),
        {name: min(p, MOST) for name, p in dice.items()},
        (),
        whole=min(laid * seen.marked, MOST),
        laid=min(laid, MOST),
    )


def _named(seen: Seen, misnamed: float) -> float:
    """How likely all names are right, where what speaks against each comes to `misnamed`, added up.

    That any is wrong is no likelier than that sum. Where the rules tell no die otherwise, it is no likelier
    than the networks hold it, either; and where they tell all six, less likely by far.
    """
    apart = max(1 - misnamed, 0.0)
    shown = {name: die.pips for name, die in seen.dice.items() if die}
    if not seen.told_dice.items() <= shown.items():
        return apart
    all_told = len(seen.told_dice) == len(seen.dice)
    return max(apart, float(_weighed(np.array(seen.named), True)) if all_told else seen.named)


def in_doubt(seen: Seen, profile: Profile, how_likely: Confidence) -> tuple[bool, bool]:
    """Whether a second witness of the dice, and of the pieces, could still make the table sure, or all of it
    but what the pieces carry.

    None can where something is in doubt of which it tells nothing: a hand, a die that may lean or mirrors a
    lamp, a piece that may be none.
    """
    certain = how_likely.whole if seen.marked > SURE else how_likely.laid
    if certain > SURE or seen.covered_fields or seen.hidden:
        return False, False
    if math.prod(seen.alike) <= SURE:
        return False, False
    if not all(die and die.flat > SURE and (die.value > SURE or not die.lit) for die in seen.dice.values()):
        return False, False
    values = [die.value for die in seen.dice.values() if die]
    diced, counted = float(np.prod(values)) * seen.named, fields_likely(seen, profile)[1]
    hopeful = min(diced, counted) > HOPEFUL
    return hopeful and diced < ENOUGH, hopeful and counted < ENOUGH


def fields_likely(seen: Seen, profile: Profile) -> tuple[Floats, float]:
    """How likely each field's count is true, and that all are, six in all, and none on an edge."""
    places, own = _places(seen, profile), counts_of(seen, profile)
    fields = np.ones(len(own))
    whole = float(sum(own) == PIECES) / seen.pieces.all_ways
    for group in seen.pieces.groups:
        here = sorted({places[member][0] for member in group.members})
        fields[here] = 0
        same = 0.0
        for worth, likely, heights in group.ways:
            counts = _counted(group, heights, places)
            stand = [places[member] for member, height in zip(group.members, heights, strict=True) if height]
            beside = Counter(near for near, _, _ in stand)
            clear = all(share <= inside(beside[near], profile) for near, share, _ in stand)
            for field in here:
                fields[field] += likely * (counts[field] == own[field])
            same += worth * (clear and all(counts[field] == own[field] for field in here))
        whole *= same
    return fields, whole


def _places(seen: Seen, profile: Profile) -> list[Nearest]:
    """On which field each candidate stands, as `nearest` tells."""
    return [nearest((one.x, one.y), profile) for one in seen.pieces.candidates]


def _counted(group: Group, heights: tuple[int, ...], places: list[Nearest]) -> dict[int, int]:
    """How many pieces are on each field near the candidates of a group, where these stand so high."""
    counts = {places[member][0]: 0 for member in group.members}
    for member, height in zip(group.members, heights, strict=True):
        near, share, _ = places[member]
        counts[near] += height if share <= 1 else 0
    return counts


def may_be(seen: Seen, profile: Profile) -> MayBe:
    """What each field and die may be, the likeliest first; what is as good as impossible is left out."""
    places = _places(seen, profile)
    likely = [{0: 1.0} for _ in range(profile.layout.fields)]
    for group in seen.pieces.groups:
        here = {places[member][0] for member in group.members}
        together: dict[int, dict[int, float]] = {field: {} for field in here}
        for _, share, heights in group.ways:
            for field, count in _counted(group, heights, places).items():
                together[field][count] = together[field].get(count, 0.0) + share
        for field, ways in together.items():
            before, likely[field] = likely[field], {}
            for one, p in before.items():
                for other, q in ways.items():
                    likely[field][one + other] = likely[field].get(one + other, 0.0) + p * q
    for piece, alike in zip(seen.pieces.pieces, seen.alike, strict=True):
        field = nearest((piece.x, piece.y), profile)[0]
        before, likely[field] = likely[field], {}
        for one, p in before.items():
            for count, q in ((one, alike), (max(one - 1, 0), 1 - alike)):
                likely[field][count] = likely[field].get(count, 0.0) + p * q
    return MayBe(
        tuple(
            tuple(sorted((n for n, p in ways.items() if p > POSSIBLE), key=ways.__getitem__, reverse=True))
            for ways in likely
        ),
        {name: die.order if die else () for name, die in seen.dice.items()},
    )


def _weighed(likely: Floats, agrees: bool | np.bool | Mask) -> Floats:
    """The same after the rules were heard, who are taken to be wrong about a part once in `WITNESS` times."""
    right, wrong = likely * np.where(agrees, WITNESS, 1), (1 - likely) * np.where(agrees, 1, WITNESS)
    return np.asarray(right / (right + wrong))
