"""What a careful person would say of what was seen: how likely each part is true, and every doubt by name."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np

from vision.beyond import cut_dice, cut_pieces
from vision.change import Mask
from vision.dice import FoundDie
from vision.geometry import LETTERS, Floats
from vision.look import Seen
from vision.markers import FoundMarker
from vision.profile import Profile
from vision.reading import SURE, Confidence, Doubt, MayBe
from vision.towers import PIECES

DOUBTED = 0.9995
"""A part less likely than this is named, where the table as a whole is not sure."""
POSSIBLE = 0.001
"""A count less likely than this is not offered to somebody who corrects."""
INSIDE, OFF_MM, OUTSIDE = 0.8, 3.0, 0.95
"""A piece is on a field when its middle is within this share of the field's radius; or within so much more
than where those stand that have no more room there, for what is seen aslant may be so far off (of 48 bells
one was by 2.8 mm); but never so far out."""
CROWDED = 0.87
"""Or within this where three and more stand side by side: then nobody has much room. On 80 rendered sets the
middle of none of 946 such is farther out than 0.75, and that of none of 26 that stand between fields nearer
than 1.0; of twelve looked at one was seen 4 mm aside."""
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
_MOST = 0.99999
"""Nothing is likelier: what nobody thought of can always be."""


def counts_of(seen: Seen, profile: Profile) -> list[int]:
    """How many pieces stand on each field, in the likeliest way."""
    counts = [0] * profile.layout.fields
    for piece in seen.pieces.pieces:
        near, share, _ = nearest((piece.x, piece.y), profile)
        if share <= 1:
            counts[near] += piece.level
    return counts


def confidence(seen: Seen, profile: Profile) -> Confidence:
    """How likely each part of what was seen is true."""
    fields, counted = _fields_likely(seen, profile)
    if seen.told_counts:
        agrees = np.equal(seen.told_counts, counts_of(seen, profile))
        fields, counted = _weighed(fields, agrees), float(_weighed(np.array(counted), agrees.all()))
    if seen.pieces.total != PIECES:
        fields[np.array(counts_of(seen, profile)) > 0] *= NOT_SIX
    fields[[near for near, *_ in _off_field(seen, profile)]] *= AT_EDGE
    cut, cut_fields = cut_dice(seen, profile), _cut_fields(seen, profile)
    fields[[*seen.covered, *cut_fields]] = 0
    dice, tops, misnamed = {}, 1.0, 0.0
    for name, die in seen.dice.items():
        told = seen.told_dice.get(name)
        flat, value, named = (die.flat, die.value, die.named) if die and name not in cut else (0.0, 0.0, 0.0)
        if die and told:
            value, named = (float(_weighed(np.array(p), told == die.pips)) for p in (value, named))
        dice[name], tops, misnamed = flat * value * named, tops * flat * value, misnamed + 1 - named
    whole = counted * tops * _named(seen, misnamed) * seen.marked
    whole *= not (seen.covered or seen.hidden or cut_fields)
    markers = [marker.likely for marker in seen.markers if marker.colour]
    return Confidence(
        tuple(min(float(p), _MOST) for p in fields),
        {name: min(p, _MOST) for name, p in dice.items()},
        tuple(min(p, _MOST) for p in markers),
        min(whole, _MOST),
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
    """Whether a second witness of the dice, and of the pieces, could still make the table sure.

    None can where something is in doubt of which it tells nothing: a hand, a marker, a die that may lean.
    """
    if how_likely.whole > SURE or seen.covered or seen.hidden or seen.marked <= SURE:
        return False, False
    if not all(die and die.flat > SURE for die in seen.dice.values()):
        return False, False
    values = [die.value for die in seen.dice.values() if die]
    diced, counted = float(np.prod(values)) * seen.named, _fields_likely(seen, profile)[1]
    hopeful = min(diced, counted) > HOPEFUL
    return hopeful and diced < ENOUGH, hopeful and counted < ENOUGH


def _fields_likely(seen: Seen, profile: Profile) -> tuple[Floats, float]:
    """How likely each field's count is true, and that all are, six in all, and none on an edge."""
    places = [nearest((one.x, one.y), profile) for one in seen.pieces.candidates]
    own = counts_of(seen, profile)
    fields = np.ones(len(own))
    whole = float(sum(own) == PIECES) / seen.pieces.all_ways
    for group in seen.pieces.groups:
        here = sorted({places[member][0] for member in group.members})
        fields[here] = 0
        same = 0.0
        for worth, likely, heights in group.ways:
            counts = dict.fromkeys(here, 0)
            stand = [places[member] for member, height in zip(group.members, heights, strict=True) if height]
            beside = Counter(near for near, _, _ in stand)
            clear = all(share <= _inside(beside[near], profile) for near, share, _ in stand)
            for member, height in zip(group.members, heights, strict=True):
                near, share, _ = places[member]
                counts[near] += height if share <= 1 else 0
            for field in here:
                fields[field] += likely * (counts[field] == own[field])
            same += worth * (clear and all(counts[field] == own[field] for field in here))
        whole *= same
    return fields, whole


def may_be(seen: Seen, profile: Profile) -> MayBe:
    """What each field and die may be, the likeliest first; what is as good as impossible is left out."""
    places = [nearest((one.x, one.y), profile) for one in seen.pieces.candidates]
    likely = [{0: 1.0} for _ in range(profile.layout.fields)]
    for group in seen.pieces.groups:
        here = {places[member][0] for member in group.members}
        together: dict[int, dict[int, float]] = {field: {} for field in here}
        for _, share, heights in group.ways:
            counts = dict.fromkeys(here, 0)
            for member, height in zip(group.members, heights, strict=True):
                near, away, _ = places[member]
                counts[near] += height if away <= 1 else 0
            for field, count in counts.items():
                together[field][count] = together[field].get(count, 0.0) + share
        for field, ways in together.items():
            before, likely[field] = likely[field], {}
            for one, p in before.items():
                for other, q in ways.items():
                    likely[field][one + other] = likely[field].get(one + other, 0.0) + p * q
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


def doubts_of(seen: Seen, profile: Profile, how_likely: Confidence) -> list[Doubt]:
    """Everything about this frame that a careful person would not swear to; nothing where all is sure."""
    if how_likely.whole > SURE:
        return []
    doubts = []
    if seen.covered:
        reason = "something covers this, perhaps a hand"
        if len(seen.covered) == profile.layout.fields:
            reason += ", or it is another board than the profile's"
        doubts.append(Doubt(_fields(seen.covered), reason, seen.covered))
    elif seen.hidden:
        doubts.append(Doubt("board", "something lies on it that is neither piece nor die, perhaps a hand"))
    cut = cut_dice(seen, profile)
    for name, die in seen.dice.items():
        why = "the photo's edge cuts it off" if name in cut else _die_doubt(die, seen.told_dice.get(name))
        if why and how_likely.dice[name] < DOUBTED:
            doubts.append(Doubt(f"die {name}", why))
    doubts += _piece_doubts(seen, profile, how_likely)
    for piece, marker in zip(seen.pieces.pieces, seen.markers, strict=True):
        if marker.likely < DOUBTED:
            near = nearest((piece.x, piece.y), profile)[0]
            doubts.append(_about(near, _marker_doubt(marker)))
    return list(dict.fromkeys(doubts)) or [Doubt("table", "many small doubts together")]


def _marker_doubt(marker: FoundMarker) -> str:
    if marker.burnt:
        return "a lamp shines in a piece: its marker cannot be told"
    if marker.colour and marker.other:
        return f"a marker may be {marker.colour} or {marker.other}"
    return f"a marker may be {marker.colour or marker.other}"


def _die_doubt(die: FoundDie | None, told: int | None) -> str | None:
    if die is None:
        return "not to be seen"
    if die.there < 0.9 and die.flat < DOUBTED:
        return "its top face cannot be read: it may lean or be covered"
    if die.flat < 0.3:
        return "it leans"
    if die.flat < DOUBTED:
        return "it may lean"
    if die.second:
        return "another die of its colour is in view"
    if die.value < DOUBTED or told not in (None, die.pips):
        return "its pips could be another number"
    if die.named < DOUBTED:
        return "its colour is not clear"
    return None


def _piece_doubts(seen: Seen, profile: Profile, how_likely: Confidence) -> list[Doubt]:
    doubts = []
    if seen.pieces.total != PIECES:
        doubts.append(Doubt("pieces", f"{seen.pieces.total} of {PIECES} pieces are to be seen"))
    off = _off_field(seen, profile)
    for near, share, second in off:
        if share > 1:
            doubts.append(_about(near, f"a piece stands between {_two(near, second)}"))
        else:
            doubts.append(_about(near, "a piece stands on the edge of the field"))
    cut = _cut_fields(seen, profile)
    doubts += [_about(near, "the photo's edge cuts off a piece") for near in cut]
    named = {*seen.covered, *cut, *(near for near, *_ in off)}
    # That six do not come out is said already, and not of each field once more.
    six = seen.pieces.total == PIECES
    for field, likely in enumerate(how_likely.counts if six else _fields_likely(seen, profile)[0]):
        if likely < DOUBTED and field not in named:
            doubts.append(_about(field, "its pieces are hard to see"))
    return doubts


def _cut_fields(seen: Seen, profile: Profile) -> list[int]:
    """The fields nearest to the pieces that the photo's edge cuts off."""
    return [nearest(at, profile)[0] for at in cut_pieces(seen, profile)]


def _off_field(seen: Seen, profile: Profile) -> list[tuple[int, float, int]]:
    """Of each piece that stands at a field's edge or beside it what `nearest` says."""
    places = [nearest((piece.x, piece.y), profile) for piece in seen.pieces.pieces]
    beside = Counter(near for near, _, _ in places)
    return [place for place in places if place[1] > _inside(beside[place[0]], profile)]


def _about(field: int, why: str) -> Doubt:
    return Doubt(f"field {LETTERS[field]}", why, (field,))


def nearest(at: tuple[float, float], profile: Profile) -> tuple[int, float, int]:
    """The nearest field, how far its middle is in field radii, and the second nearest field."""
    away = [math.dist(at, centre) for centre in profile.layout.field_places]
    first, second, *_ = sorted(range(len(away)), key=away.__getitem__)
    return first, away[first] / (profile.layout.field_mm / 2), second


def _inside(beside: int, profile: Profile) -> float:
    """How far out, in field radii, a piece may stand on a field where so many stand side by side."""
    if beside < 2:
        return INSIDE
    squeezed = profile.piece_mm[0] / np.sin(np.pi / beside) / 2 + OFF_MM
    least = INSIDE if beside == 2 else CROWDED
    return max(least, min(float(squeezed / (profile.layout.field_mm / 2)), OUTSIDE))


def _fields(covered: tuple[int, ...]) -> str:
    """ "field C", or "fields K to B" for neighbours, else each by its letter."""
    if len(covered) == 1:
        return f"field {LETTERS[covered[0]]}"
    count = len(LETTERS)
    for first in covered:
        run = {(first + k) % count for k in range(len(covered))}
        if run == set(covered) and len(covered) < count:
            return f"fields {LETTERS[first]} to {LETTERS[(first + len(covered) - 1) % count]}"
    return "fields " + " ".join(LETTERS[field] for field in covered)


def _two(a: int, b: int) -> str:
    first, second = sorted((a, b))
    if (first, second) == (0, len(LETTERS) - 1):
        first, second = second, first
    return f"{LETTERS[first]} and {LETTERS[second]}"
