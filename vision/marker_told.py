"""What the rules' word is worth, where they tell that a piece is bare or what colour stands in it."""

from __future__ import annotations

import numpy as np

from vision.change import Mask
from vision.geometry import Floats
from vision.marker_net import greyness

Told = list[int | None]
"""What the rules tell of each piece: 0 is bare, 1 to C a colour, None nothing."""

WITNESS = 20.0
"""How many times likelier what the rules tell makes it. Of the sessions they were made with they told one
piece in 4038 wrongly, but of 79 rendered sets one in 20 of their markers."""

GREY_WITNESS = 5.0
"""So many times less likely it makes a colour that is hardly one where they tell that a piece is bare: of 171
white, black and brown markers they told 28 so, of 177 others 6, of 943 bare pieces 883."""

AGAINST_BARE = 10.0
"""The log odds that a piece is bare are less by so much where the rules tell a colour of it, and of no other
the same. In draws from 154 marked sets, half of them as other cameras would have taken them, 87 such pieces
had log odds of 7 to 15 for bare by all else, and ten of them were marked; of 229 with more none."""


def told_marked(each: Floats, rules: Told) -> Floats:
    """The same likelihoods, (N, 1 + C), changed in place where the rules tell a colour; no longer 1 in sum.

    One colour told of several pieces, which cannot be, is the metal's: then the rules have no say.
    """
    for row, told, alone in zip(each, rules, only_coloured(rules), strict=True):
        if told and alone:
            row[told] *= WITNESS
    return each


def told_bare(each: Floats, rules: Told, colours: Floats) -> Floats:
    """The same where they tell that a piece is bare; `colours` (C, 3) as OpenCV's 8-bit Lab."""
    worth = np.interp(greyness(colours), (0, 1), (WITNESS, GREY_WITNESS))
    each[[told == 0 for told in rules], 1:] /= worth
    return each


def only_coloured(rules: Told) -> Mask:
    """(N,) of which pieces they tell a colour, and of no other the same."""
    return np.array([bool(told) and rules.count(told) == 1 for told in rules])


def less_surely_bare(odds: Floats, rules: Told) -> Floats:
    """(N,) the same log odds that each piece is marked, nearer to even where it is bare by them, but of a
    colour by the rules."""
    return np.where(only_coloured(rules), np.minimum(odds + AGAINST_BARE, np.maximum(odds, 0)), odds)
