"""Which pieces carry a marker, and of what colour: each colour of the set is there once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial

import numpy as np

from vision.change import Change, Mask
from vision.geometry import Floats, Image, View
from vision.hues import in_hues
from vision.marker_looks import (
    TopColours,
    colours_of,
    like_a_colour,
    mirroring,
    plainly_bare,
    unlike_their_colours,
)
from vision.marker_net import (
    AGAIN,
    MARKED_MORE,
    MEAN_TEMPER,
    PAIRS,
    TEMPER,
    Pair,
    careful_of_greys,
    greyness,
    likelihoods,
    log_odds,
    said_by,
)
from vision.matching import Given, give
from vision.profile import DieColour
from vision.rules.markers import Lid, tell
from vision.squares import as_blob, lean, lit_square, mirrored, square, turned
from vision.towers import FoundPiece

_Rules = list[int | None]
"""What the rules tell of each piece: 0 is bare, 1 to C a colour, None nothing."""

WITNESS = 20.0
"""How many times likelier what the rules tell makes it. Of the sessions they were made with they told one
piece in 4038 wrongly, but of 79 rendered sets one in 20 of their markers."""

GREY_WITNESS = 5.0
"""So many times less likely it makes a colour that is hardly one where they tell that a piece is bare: of 171
white, black and brown markers they told 28 so, of 177 others 6, of 943 bare pieces 883."""

ENOUGH = 0.9998
"""All markers as likely, and nothing more is asked: neither the rules, nor then the third pair, nor then all
pairs from all sides."""

NEAR_FAR = 0.86, 1.16
"""As if pieces were so much narrower, and wider, they are cut then, too: what is seen hangs on how they are
cut, and their size is seldom known exactly. The cut in which all of them are plainest counts."""

DIFFERING = 0.2, 1.0
"""By so many standard deviations of the looks the other answers are nearer to the best than on their mean,
where that is bare, and where it is a colour: a marker has its colour from all sides, what metal mirrors has
not."""

BURNT, WHITE = 0.9, 245
"""Where so much of a top's middle is so light in all colours, a lamp hides what stands there: of five such in
79 rendered sets three were told wrongly, two of them surely."""


@dataclass(frozen=True, slots=True)
class FoundMarker:
    """What stands in a piece (None: it is bare), how likely, and what else it could be.

    `burnt`: the light of a lamp in it, or one that it mirrors, hides that.
    """

    colour: str | None
    likely: float
    other: str | None
    burnt: bool = False


@dataclass(frozen=True, slots=True)
class FoundMarkers:
    """One for each tower of pieces, and how likely all of them are right."""

    markers: list[FoundMarker]
    likely: float


def cut(
    frame: Image, empty: Image, change: Change, view: View, lid: Lid, diameter: float, pair: Pair
) -> tuple[Image, Image]:
    """A lid's top and its place in the empty photo, in one light, as a pair of networks is shown them."""
    x, y, top = lid
    scale = diameter / pair.lid_px
    if pair.half:
        now = square(change.frame, view, (x, y), top, scale, pair.size, half=True)
        return now, square(change.empty, view, (x, y), top, scale, pair.size, half=True)
    now = lit_square(frame, change.lights, view, (x, y), top, scale, pair.size)
    return now, square(empty, view, (x, y), top, scale, pair.size)


def _shown(
    frame: Image, empty: Image, change: Change, view: View, lids: list[Lid], diameter: float, share: float
) -> list[Floats]:
    """What each pair is shown of the lids, each cut as if it were so much wider."""
    leans = [lean(view, (x, y), top) for x, y, top in lids]
    blobs = []
    for pair in PAIRS:
        seen = [cut(frame, empty, change, view, lid, share * diameter, pair) for lid in lids]
        blobs.append(as_blob([now for now, _ in seen], [then for _, then in seen], leans, in_hues))
    return blobs


def _all_asked(blobs: list[Floats], labs: Floats) -> Floats:
    """(3, N, 1 + C) what all three pairs hold for each answer, shown the pictures of the first two."""
    return _with_third(said_by(PAIRS, blobs, labs), blobs, labs)


def _with_third(said: Floats, blobs: list[Floats], labs: Floats) -> Floats:
    """What the first two pairs have said, (2, N, 1 + C), and what the third says, (3, N, 1 + C)."""
    third = said_by((AGAIN,), blobs[:1], labs)
    third[..., 0] += MARKED_MORE
    return np.concatenate([said, third])


def _from_other_sides(blobs: list[Floats]) -> Iterator[list[Floats]]:
    """The same pictures in a mirror, and both so after each quarter turn."""
    for quarter in (0, 1, 2, 3):
        around = [turned(blob, quarter) for blob in blobs]
        if quarter:
            yield around
        yield [mirrored(blob) for blob in around]


def _plainness(told: Floats) -> float:
    """By how much the best answers of all pieces are ahead of the next, of (pairs, N, 1 + C) scores."""
    ordered = np.sort(told.sum(axis=0), axis=1)
    return float((ordered[:, -1] - ordered[:, -2]).sum())


def _from_all_sides(
    first: Floats, shown: Callable[[float], list[Floats]], asked: Callable[[list[Floats]], Floats]
) -> Floats:
    """(8, pairs, N, 1 + C) what is `asked` of the pieces, `shown` so large that they are plainest; `first` is
    what they are held for at their own size."""
    cuts = [(first, shown(1.0)), *((asked(cut), cut) for cut in map(shown, NEAR_FAR))]
    plainest, blobs = max(cuts, key=lambda one: _plainness(one[0]))
    return np.array([plainest, *map(asked, _from_other_sides(blobs))])


def _agreed(looks: Floats) -> Floats:
    """What (L, N, 1 + C) scores of several looks come to, (N, 1 + C): by how much each answer is behind the
    best on the mean, less what the looks differ in that."""
    best = looks.mean(axis=0).argmax(axis=1)
    behind = np.take_along_axis(looks, np.broadcast_to(best, looks.shape[:2])[..., None], axis=2) - looks
    apart = np.where(best == 0, *DIFFERING)[:, None] * behind.std(axis=0)
    return np.asarray(-np.maximum(behind.mean(axis=0) - apart, 0))


def _burnt(frame: Image, view: View, lid: Lid, diameter: float) -> bool:
    """Whether the middle of a piece's top is nothing but white in the frame."""
    x, y, top = lid
    middle = square(frame, view, (x, y), top, diameter / 20, 10)
    return bool((middle.min(axis=2) >= WHITE).mean() >= BURNT)


def told_marked(each: Floats, rules: _Rules) -> Floats:
    """The same likelihoods, (N, 1 + C), changed in place where the rules tell a colour; no longer 1 in sum.

    One colour told of several pieces, which cannot be, is the metal's: then the rules have no say.
    """
    for row, told in zip(each, rules, strict=True):
        if told and rules.count(told) == 1:
            row[told] *= WITNESS
    return each


def told_bare(each: Floats, rules: _Rules, colours: Floats) -> Floats:
    """The same where they tell that a piece is bare; `colours` (C, 3) as OpenCV's 8-bit Lab."""
    worth = np.interp(greyness(colours), (0, 1), (WITNESS, GREY_WITNESS))
    each[[told == 0 for told in rules], 1:] /= worth
    return each


@dataclass(frozen=True, slots=True)
class _Known:
    """What is known of N pieces beside the networks' scores: the set's `colours` (C, 3) as 8-bit Lab, which
    tops are `hidden`, and how plainly `bare` they are."""

    colours: Floats
    hidden: Mask
    bare: Floats

    def summed(self, said: Floats) -> Floats:
        """(..., N, 1 + C) what the pairs hold for each answer, (..., pairs, N, 1 + C), and this."""
        summed = said.sum(axis=-3)
        summed[..., 0] += self.bare
        return np.asarray(summed)

    def likely(self, summed: Floats, temper: float, less_sure: Floats, pairs: int, rules: _Rules) -> Floats:
        """(N, 1 + C) likelihoods, from so many pairs' summed scores and the least sure one's log odds."""
        each = likelihoods(summed, temper)
        each[self.hidden] = 1 / each.shape[1]
        each = careful_of_greys(told_marked(each, rules), self.colours, less_sure, pairs)
        return told_bare(each, rules, self.colours)

    def at_once(self, said: Floats, rules: _Rules) -> Floats:
        """The same after one look, (pairs, N, 1 + C)."""
        return self.likely(self.summed(said), TEMPER, _least_odds(said, TEMPER), len(said), rules)


def _least_odds(said: Floats, temper: float) -> Floats:
    """(N,) the log odds of the least sure pair."""
    return np.asarray(log_odds(said / temper).min(axis=0))


def _told(
    shown: Callable[[float], list[Floats]], rules: Callable[[], _Rules], known: _Known
) -> tuple[Floats, Given]:
    """(N, 1 + C) likelihoods and what is given, of as many looks as it takes to be sure.

    `shown` what the pairs are shown of pieces cut as if so much wider; `rules` asks them.
    """
    said = said_by(PAIRS, shown(1.0), known.colours)
    each = known.at_once(said, [None] * len(known.bare))
    if (given := give(each)).likely >= ENOUGH:
        return each, given
    heard = rules()
    each = known.at_once(said, heard)
    if (given := give(each)).likely >= ENOUGH:
        return each, given
    first = _with_third(said, shown(1.0), known.colours)
    each = known.at_once(first, heard)
    if (given := give(each)).likely >= ENOUGH:
        return each, given
    looks = _from_all_sides(first, shown, partial(_all_asked, labs=known.colours))
    less_sure = np.minimum(_least_odds(first, TEMPER), _least_odds(looks.mean(axis=0), MEAN_TEMPER))
    each = known.likely(_agreed(known.summed(looks)), MEAN_TEMPER, less_sure, len(first), heard)
    return each, give(each)


def find_markers(
    frame: Image,
    empty: Image,
    change: Change,
    view: View,
    pieces: tuple[FoundPiece, ...],
    piece_mm: tuple[float, float],
    colours: tuple[DieColour, ...],
) -> FoundMarkers:
    """One answer a tower of pieces, for its topmost; `frame`, `empty` BGR uint8 (H, W, 3)."""
    if not pieces:
        return FoundMarkers([], 1.0)
    diameter, height = piece_mm
    lids = [(piece.x, piece.y, height * piece.level) for piece in pieces]
    labs = np.array([colour.lab for colour in colours])
    shown = cache(partial(_shown, frame, empty, change, view, lids, diameter))
    nearest = shown(1.0)[-1]
    tops = colours_of(nearest[:, :3], nearest[:, 3:6], PAIRS[-1].lid_px)
    hidden = np.array([_burnt(frame, view, lid, diameter) for lid in lids])
    each, given = _told(
        shown,
        partial(tell, change.frame, change.empty, view, lids, diameter, colours),
        _Known(labs, hidden, plainly_bare(tops, labs)),
    )
    given, lamps = _doubted(each, given, nearest[:, :3], tops, labs)
    return _as_found(given, [None, *(colour.name for colour in colours)], (hidden | lamps).tolist())


def _doubted(
    each: Floats, given: Given, shown: Floats, tops: TopColours, colours: Floats
) -> tuple[Given, list[bool]]:
    """What is `given`, anew where a top's plain colours speak against it; and which tops mirror a lamp.

    `each` (N, 1 + C) is changed.
    """
    bare = [kind == 0 for kind in given.columns]
    lamps = mirroring(tops, shown, PAIRS[-1].lid_px, bare, colours)
    if any(lamps):
        each[lamps] = [0.5, *[0.5 / len(colours)] * len(colours)]
        given = give(each)
    alike = like_a_colour(tops, colours, bare)
    if any(alike):
        for row, colour in zip(each, alike, strict=True):
            row[colour] = max(row[colour], row[0])
        given = give(each)
    if strange := unlike_their_colours(tops, colours, given.columns):
        each[strange, 0] = each[strange].max(axis=1)
        given = give(each)
    return given, lamps


def _as_found(given: Given, names: list[str | None], hidden: list[bool]) -> FoundMarkers:
    found = []
    for kind, share, glare in zip(given.columns, given.shares, hidden, strict=True):
        rival = int(np.argsort(share)[-2]) if share.argmax() == kind else int(share.argmax())
        found.append(FoundMarker(names[kind], float(share[kind]), names[rival], glare))
    return FoundMarkers(found, given.likely)
