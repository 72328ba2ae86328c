"""What the networks of the markers are shown and what they answer: bare, or what colour stands in a piece.

Two pairs look at the same pieces, one at half the photo's size and one at its whole; where they leave doubt a
third does, at half the size again. All learned from different sets; what they make of a piece is added up.

Of each pair the first network sees a piece's top in the frame and the same place in the empty photo, in hues,
the words of the answer too. The second is told what the first made of a piece, and of the others: six pieces
are alike, and bare ones look alike in one light. Of the third pair a network between compares each two.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats, Grey
from vision.hues import as_features
from vision.looks import usual, veiled
from vision.nets import ask_among, ask_beside, likely, shares


class Pair(NamedTuple):
    """Two networks, `name` and `name`-beside; pixels of their picture, and of a piece's diameter in it;
    whether it is cut from the frame at `half` its size; whether a third, `name`-among, compares each piece
    with each."""

    name: str
    size: int
    lid_px: float
    half: bool
    among: bool = False


PAIRS = (Pair("markers", 28, 20.0, half=True), Pair("markers-fine", 56, 40.0, half=False))
AGAIN = PAIRS[0]._replace(name="markers-again", among=True)
"""It is shown what the first pair is."""
MARKED_MORE = 0.5
"""So much more it must hold a piece for marked: far more of the pieces that it learned from carried white
and black markers than of a game's."""
TEMPER, MEAN_TEMPER = 0.7, 0.6
"""What the sum of the networks' scores is divided by after one look, and their mean over four turns and as
many in a mirror, which is surer. Fitted on sessions that they did not learn from."""
COLOURLESS = 14.0, 22.0
"""Colours of less chroma than the first (8-bit Lab) are grey, of more than the second they are not."""
GREY_ODDS, BARE_ODDS, BOTH = 7.0, 10.0, 6.0
"""The log odds that a grey marker stands in a piece, and that it is bare although it looks like one, are too
far from even by as much as they are below the first for each pair heard, and below the second; but where all
pairs say that it is marked they are at least so many times what the least sure one holds. Bare metal that
mirrors something white or black is taken for a marker of that colour by one pair, and then by far: before, of
58 pieces of 33 rendered sets with log odds of 4 to 10 for a grey marker 25 were bare, of 203 with more none;
and of 807 held for another colour none."""
DISSENT = 4.0
"""Where one pair holds it rather for bare, the log odds that a grey marker stands there are at most these:
steel cups that mirror a white board deceive two of the three."""
DIFFERING = 0.2, 1.0
"""By so many standard deviations of the looks the other answers are nearer to the best than on their mean,
where that is bare, and where it is a colour: a marker has its colour from all sides, what metal mirrors has
not."""
LEAST = 1e-9
"""No answer is less likely."""


def scores(said: Floats, colours: Floats) -> Floats:
    """(N, 1 + C): what a pair holds for each piece's being bare, and for each of the set's C colours.

    The network tells how likely it is bare, what Lab colour it sees there, and how exactly; `colours`
    are the set's, (C, 3) as OpenCV's 8-bit Lab. How likely the nearest of them is against bare is told by
    its plain colour: under a veil bare metal looks like any of them. How far the others are behind it is
    told under more gloss or less, too: a brown marker that mirrors a lamp looks pink.
    """
    looks, worth, first = _under_veils(tuple(colours.ravel().tolist()))
    away = (said[:, None, 1:4] - looks) * np.exp(said[:, None, 4:7])
    near = -(away**2).sum(axis=2)
    plain, glossy = near[:, : len(colours)], near[:, len(colours) :] + worth
    which = np.maximum.reduceat(glossy, first, axis=1)
    which += plain.max(axis=1, keepdims=True) - which.max(axis=1, keepdims=True)
    return np.concatenate([said[:, :1], which], axis=1)


@lru_cache(maxsize=4)
def _under_veils(colours: tuple[float, ...]) -> tuple[Floats, Grey, NDArray[np.intp]]:
    """How C colours, three numbers each as OpenCV's 8-bit Lab, look as they are and then, one by one,
    under each of V veils in all, (C + V, 3) in the network's terms; the logs of how likely these veils are,
    (V,); and which is each colour's first, (C,)."""
    labs = np.array(colours).reshape(-1, 3)
    each = [veiled((light, a, b)) for light, a, b in labs.tolist()]
    looks = [np.hstack([np.log(light / 66)[:, None], hue]) for light, hue, _ in each]
    worth = np.log(usual(np.concatenate([veils for *_, veils in each])))
    first = np.cumsum([0, *(len(look) for look in looks[:-1])])
    return np.concatenate([as_features(labs), *looks]), worth, first


def said_by(pairs: tuple[Pair, ...], blobs: list[Floats], colours: Floats) -> Floats:
    """(pairs, N, 1 + C) what each pair holds for each answer, shown the N pictures of its blob."""
    return np.array(
        [
            scores((ask_among if pair.among else ask_beside)(pair.name, blob), colours)
            for pair, blob in zip(pairs, blobs, strict=True)
        ]
    )


def likelihoods(summed: Floats, temper: float) -> Floats:
    """(N, 1 + C): how likely each piece is bare or carries each colour, from the sum of the pairs' scores."""
    return shares(summed / temper)


def agreed(looks: Floats) -> Floats:
    """What (L, N, 1 + C) scores of several looks come to, (N, 1 + C): by how much each answer is behind the
    best on the mean, less what the looks differ in that."""
    best = looks.mean(axis=0).argmax(axis=1)
    behind = np.take_along_axis(looks, np.broadcast_to(best, looks.shape[:2])[..., None], axis=2) - looks
    apart = np.where(best == 0, *DIFFERING)[:, None] * behind.std(axis=0)
    return np.asarray(-np.maximum(behind.mean(axis=0) - apart, 0))


def log_odds(told: Floats) -> Floats:
    """(...,) how much likelier each piece is marked than bare, of (..., 1 + C) scores or logs of shares."""
    return np.asarray(np.logaddexp.reduce(told[..., 1:], axis=-1) - told[..., 0])


def odds_of(each: Floats) -> Floats:
    """(N,) how much likelier each piece is marked than bare, of (N, 1 + C) likelihoods."""
    return log_odds(np.log(np.maximum(each, LEAST)))


def greyness(colours: Floats) -> Floats:
    """(C,) 1 for colours, (C, 3) as OpenCV's 8-bit Lab, that are hardly any, 0 for those that plainly are."""
    return np.asarray(np.interp(np.hypot(*(colours[:, 1:] - 128).T), COLOURLESS, (1, 0)))


def careful_of_greys(each: Floats, colours: Floats, less_sure: Floats, pairs: int) -> Floats:
    """The same likelihoods, (N, 1 + C), less sure where bare metal and a colour that is hardly one are to be
    told apart; `colours` (C, 3) as OpenCV's 8-bit Lab, `less_sure` (N,) the least sure pair's log odds, of as
    many `pairs` as were heard."""
    odds, marked = odds_of(each), each[:, 1:].sum(axis=1) + LEAST
    share = each[:, 1:] @ greyness(colours) / marked
    shrunk = odds * np.minimum(np.abs(odds) / np.where(odds > 0, GREY_ODDS * pairs, BARE_ODDS), 1)
    shrunk = np.where(odds > 0, np.minimum(np.maximum(shrunk, BOTH * less_sure), odds), shrunk)
    shrunk = np.where((odds > 0) & (less_sure < 0), np.minimum(shrunk, DISSENT), shrunk)
    kept = likely(share * shrunk + (1 - share) * odds)
    return np.concatenate([1 - kept[:, None], each[:, 1:] / marked[:, None] * kept[:, None]], axis=1)
