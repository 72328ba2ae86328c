"""Which pieces carry a marker, and of what colour: each colour of the set is there once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from vision.change import Change, Mask
from vision.geometry import Floats, Image, View
from vision.marker_judge import Witnesses, are_holes, mean_odds, with_judge
from vision.marker_lids import Lids
from vision.marker_light import cut_short
from vision.marker_looks import (
    has_dyed_ring,
    of_its_own_hue,
    seen_through,
    which_colour,
)
from vision.marker_net import (
    AGAIN,
    LEAST,
    MARKED_MORE,
    MEAN_TEMPER,
    PAIRS,
    TEMPER,
    agreed,
    careful_of_greys,
    greyness,
    likelihoods,
    log_odds,
    odds_of,
    said_by,
)
from vision.marker_others import DOUBTED, as_bare_before, as_plain_as_markers, less_surely_bare_alone
from vision.marker_shade import shares_of_light
from vision.marker_told import Told, less_surely_bare, only_coloured, told_bare, told_marked
from vision.matching import Given, give
from vision.nets import likely
from vision.profile import DieColour
from vision.reading import NO_TOPS
from vision.squares import mirrored, turned
from vision.towers import FoundPiece

LIKE = 8.0
"""The rules are asked of a piece held for bare whose middle is no farther off a colour (CIE Lab)."""
ENOUGH = 0.9998
"""All markers as likely, and nothing more is asked: neither the rules, nor then all pairs from all sides."""
DEEP, DARK = 2.0, 100.0
"""The most log odds that a grey marker darker than the second (8-bit lightness of CIE Lab) has in a piece
that stands on another: a hole two deep, of nuts, was surely held for a black one, by 0.9999."""
NEAR_FAR = 0.86, 1.16
"""As if pieces were so much narrower, and wider, they are cut then, too: what is seen hangs on how they are
cut, and their size is seldom known exactly. The cut in which all of them are plainest counts."""


@dataclass(frozen=True, slots=True)
class FoundMarker:
    """What stands in a piece (None: it is bare), how likely, and what else it could be.

    `burnt`: the light of a lamp in it hides that.
    """

    colour: str | None
    likely: float
    other: str | None
    burnt: bool = False


@dataclass(frozen=True, slots=True)
class FoundMarkers:
    """One for each of N towers of pieces, and how likely all of them are right.

    `shown`: float32 (N, 8, size, size), what the first pair of networks was shown of them; `rings`
    (N, 5, 6): the plain colours of five rings of each top.
    """

    markers: list[FoundMarker]
    likely: float
    shown: Floats
    rings: Floats


def look_closely(lids: Lids) -> Witnesses:
    """All that is to be known of them: each pair asked in three sizes, then, of the size in which they are
    plainest, from all sides; the rules; their colours."""

    def asked(blobs: list[Floats]) -> Floats:
        """(pairs, N, 1 + C) what all three pairs hold for each answer; the third sees what the first sees."""
        said = said_by((*PAIRS, AGAIN), [*blobs, blobs[0]], lids.labs)
        said[-1, :, 0] += MARKED_MORE
        return said

    cuts = [lids.plain, *map(lids.shown, NEAR_FAR)]
    sizes = [asked(blobs) for blobs in cuts]
    plainest = int(np.argmax([_plainness(said) for said in sizes]))
    sides = np.array([sizes[plainest], *map(asked, _from_other_sides(cuts[plainest]))])
    return Witnesses(np.array(sizes), sides, lids.rules, lids.tops, lids.rings, lids.uneven, lids.burnt)


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


def _heard(lids: Lids, said: Floats, temper: float, less_sure: Floats, rules: Told) -> Floats:
    """(N, 1 + C) likelihoods by what the pairs said in L looks, (L, pairs, N, 1 + C), the log odds of the
    least sure one (N,), what the rules tell, and how plainly bare each is."""
    summed = said.sum(axis=1)
    summed[..., 0] += lids.bare
    each = told_marked(likelihoods(agreed(summed), temper), rules)
    each = careful_of_greys(each, lids.labs, less_sure, said.shape[1])
    return told_bare(each, rules, lids.labs)


def _at_once(lids: Lids) -> Iterator[tuple[Floats, Floats]]:
    """(N, 1 + C) likelihoods by one look of the first two pairs, then by the rules as well; and (N,) the log
    odds of the pair that holds each piece rather for marked."""
    said = said_by(PAIRS, lids.plain, lids.labs)
    less_sure, nothing = _least_odds(said, TEMPER), Told([None] * len(lids.places))
    rather = log_odds(said).max(axis=0)
    yield _heard(lids, said[None], TEMPER, less_sure, nothing), rather
    yield _heard(lids, said[None], TEMPER, less_sure, lids.rules), rather


def _in_the_end(lids: Lids) -> tuple[Floats, Mask]:
    """(N, 1 + C) likelihoods by all that is to be known; whether a piece is marked, the judge tells, too. And
    (N,) of which too much light hides what stands there."""
    told = look_closely(lids)
    plainest, mean = told.sides[0], told.sides.mean(axis=0)
    less_sure = np.minimum(_least_odds(plainest, TEMPER), _least_odds(mean, MEAN_TEMPER))
    each = _heard(lids, told.sides, MEAN_TEMPER, less_sure, told.rules)
    odds = with_judge(odds_of(each), told, lids.labs)
    through = seen_through(told.tops, mean_odds(told))
    through = np.where(are_holes(told), np.minimum(through, 0), through) + lids.in_shade
    odds = less_surely_bare(odds + through, told.rules)
    colour = which_colour(told.tops, lids.labs, each[:, 1:])
    odds += of_its_own_hue(told.tops, lids.labs, colour, odds)
    odds = less_surely_bare_alone(odds, told.rings, log_odds(told.sides).mean(axis=0), through)
    odds = as_bare_before(odds, told.rings, lids.known)
    strange = has_dyed_ring(told.rings, lids.labs, odds) | _as_plain(lids, odds)
    odds = np.where(strange, np.maximum(odds, DOUBTED), odds)
    marked = likely(odds)[:, None]
    told_so = np.concatenate([1 - marked, marked * colour], axis=1)
    hidden = lids.burnt | cut_short(told_so, lids.may_have, lids.either)
    told_so[hidden] = 1 / told_so.shape[1]
    return told_so, hidden


def told_otherwise(lids: Lids, given: Given) -> bool:
    """Whether the rules tell a colour of a piece that is held for bare, and may well have it."""
    perhaps = (lids.away < LIKE) & (np.array(given.columns) == 0)
    return bool(perhaps.any() and (perhaps & only_coloured(lids.rules)).any())


def gainsaid(lids: Lids, given: Given, rather: Floats) -> bool:
    """Whether one pair holds a piece for marked, by its log odds `rather`, (N,), that is held for bare, and
    the rules do not tell it bare either."""
    perhaps = (rather > 0) & (np.array(given.columns) == 0)
    return bool(perhaps.any() and (perhaps & ~np.array([told == 0 for told in lids.rules])).any())


def stands_out(lids: Lids, given: Given, each: Floats) -> bool:
    """Whether a piece held for bare, or a ring of it, has a hue of its own; or is as plain as a marker."""
    odds = odds_of(each)
    shares = each[:, 1:] / np.maximum(each[:, 1:].sum(axis=1, keepdims=True), LEAST)
    own = of_its_own_hue(lids.tops, lids.labs, shares, odds)
    bare = np.array(given.columns) == 0
    strange = has_dyed_ring(lids.rings, lids.labs, odds) | _as_plain(lids, odds)
    return bool((own[bare] > 0).any() or strange[bare].any())


def _as_plain(lids: Lids, odds: Floats) -> Mask:
    return as_plain_as_markers(odds, lids.tops.middle[:, 0], lids.uneven, lids.away)


def _least_odds(said: Floats, temper: float) -> Floats:
    """(N,) the log odds of the least sure pair."""
    return np.asarray(log_odds(said / temper).min(axis=0))


def find_markers(
    frame: Image,
    empty: Image,
    change: Change,
    view: View,
    pieces: tuple[FoundPiece, ...],
    piece_mm: tuple[float, float],
    colours: tuple[DieColour, ...],
    known: Floats = NO_TOPS,
) -> FoundMarkers:
    """One answer a tower of pieces, for its topmost; `frame`, `empty` BGR uint8 (H, W, 3); `known` (M, 5, 6)
    the rings of tops that were bare in other frames."""
    if not pieces:
        nothing = np.empty((0, 8, PAIRS[0].size, PAIRS[0].size), np.float32)
        return FoundMarkers([], 1.0, nothing, known[:0])
    diameter, height = piece_mm
    places = [(piece.x, piece.y, height * piece.level) for piece in pieces]
    lids = [
        Lids(frame, empty, change, view, places, diameter, colours, shares, known)
        for shares in shares_of_light(change, view, places, diameter)
    ]
    looks = [_told(one) for one in lids]
    each = np.mean([each for each, _ in looks], axis=0)
    given = give(careful_of_holes(each, np.array([piece.level > 1 for piece in pieces]), lids[0].labs))
    hidden = np.any([hidden for _, hidden in looks], axis=0)
    found = _as_found(given, [None, *(colour.name for colour in colours)], hidden.tolist())
    return FoundMarkers(found, given.likely, lids[0].plain[0], lids[0].rings)


def _told(lids: Lids) -> tuple[Floats, Mask]:
    """(N, 1 + C) likelihoods, by as many looks as it takes; (N,) in which light hides what stands there."""
    quick = _at_once(lids) if not lids.burnt.any() else ()
    for each, rather in quick:
        given, hidden = give(each), cut_short(each, lids.may_have, lids.either)
        sure = given.likely >= ENOUGH and not hidden.any()
        if not sure or told_otherwise(lids, given) or stands_out(lids, given, each):
            continue
        if not gainsaid(lids, given, rather):
            return each, hidden
    return _in_the_end(lids)


def careful_of_holes(each: Floats, on_another: Mask, labs: Floats) -> Floats:
    """The same likelihoods, (N, 1 + C); what is dark may be a deep hole where a piece stands `on_another`.

    `labs`: (C, 3) the colours in OpenCV's 8-bit CIE Lab.
    """
    dark = greyness(labs) * (labs[:, 0] < DARK)
    careful = each.copy()
    hole = np.maximum(careful[:, 1:] - np.exp(DEEP) * careful[:, :1], 0) * dark / (1 + np.exp(DEEP))
    careful[:, 1:] -= hole * on_another[:, None]
    careful[:, 0] += (hole * on_another[:, None]).sum(axis=1)
    return careful


def _as_found(given: Given, names: list[str | None], hidden: list[bool]) -> list[FoundMarker]:
    found = []
    for kind, share, glare in zip(given.columns, given.shares, hidden, strict=True):
        rival = int(np.argsort(share)[-2]) if share.argmax() == kind else int(share.argmax())
        found.append(FoundMarker(names[kind], float(share[kind]), names[rival], glare))
    return found
