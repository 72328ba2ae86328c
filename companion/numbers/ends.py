"""The chapters on starts without any point, and on what can be had with few moves."""

from __future__ import annotations

from math import comb

import numpy as np

from companion.games.corona.extremes import most_in, no_more_in
from companion.games.corona.figures import Starts, starts
from companion.games.corona.rules import DICE, FIELDS, PIECES
from companion.numbers.words import percent, picture, prose, rarely, said, sums, table


def nothing(full: Starts) -> list[str]:
    none = full.best == 0
    found = full.where(none)
    heaps = [start for start in found if max(start.situation.waiting) == PIECES]
    rest = [start for start in found if start not in heaps]
    by_pips = {
        pips: [start for start in rest if start.situation.dice == (pips,) * DICE] for pips in range(1, 7)
    }
    rows = [
        (
            pips,
            len(some),
            sum(start.cases for start in some),
            ", ".join(f"`{said(start.situation)}`" for start in some) or "-",
        )
        for pips, some in by_pips.items()
    ]
    return [
        "## No points at all",
        "",
        *prose(
            f"{len(found)} of {none.size:,} starts have no point, however they are played: "
            f"{full.cases[none].sum():,} cases, {rarely(full.share(none))}. There are two kinds."
        ),
        *picture("nothing", "The starts without any point, a ring for each"),
        *prose(
            "- All six pieces stand on one field, and the six dice all differ: "
            f"{sum(s.cases for s in heaps):,} cases.",
            "- All six dice are alike, the pieces stand on six fields, and none of them would reach another: "
            f"{sum(start.cases for start in rest):,} cases.",
        ),
        *table(["all dice show", "starts", "cases", "set-ups, up to turning"], rows, left=(3,)),
        *prose(
            "Why no others? Two pieces on one field and two dice alike have 2 points: both pieces go to the "
            "same field. So either no two dice are alike, or no two pieces share a field."
        ),
        *prose(
            "- If no two dice are alike, each of 1 to 6 is there. Of two pieces on different fields one is "
            f"at most {FIELDS // 2} fields behind the other, and would reach it. So all stand on one field.",
            "- If no two pieces share a field and the dice show two different numbers, a and b, take any "
            "field, the field a after it and the field b after it. Only one of these three can have a "
            "piece: the first would reach the other two, and from those two, by b and by a, two pieces come "
            f"to the same field. There are {FIELDS} such threes and each field is in three of them, so "
            f"there could be {FIELDS // 3} pieces at most. There are six. So all dice are alike.",
        ),
    ]


def few_moves(full: Starts) -> list[str]:
    heads = [
        "moves",
        "the most",
        "starts",
        "of all cases",
        "example",
        "its points",
        "average best",
        "best of all",
    ]
    needs = np.bincount(full.pieces.ravel(), full.cases.ravel()) / full.cases.sum()
    bounds = ", ".join(f"{no_more_in(moves)}" for moves in range(1, DICE + 1))
    pairs = comb(PIECES, 2)
    return [
        "## With one to six moves",
        "",
        *prose(
            "What is the most if a play ends after so many moves? For each number of moves the table of all "
            "states was built anew with plays that are no longer, and every start looked up in it. The "
            "example is a start whose best needs no more moves than that. The last column is the share of "
            "cases in which so many moves are enough for the best of all."
        ),
        *table(heads, [_row(full, moves) for moves in range(1, DICE + 1)], left=(4, 5)),
        *prose(
            "The most can be told without a table too. Each move has 1 for arriving, and two pieces that "
            f"both stay never meet. Of the {pairs} pairs {comb(PIECES - 1, 2)} stay apart with one move, "
            f"{comb(PIECES - 2, 2)} with two, {comb(PIECES - 3, 2)} with three, {comb(PIECES - 4, 2)} with "
            f"four. That leaves no more than {bounds}."
        ),
        *prose(
            f"The sixth move adds {full.chances.mean - starts(DICE - 1).chances.mean:.1f} points on "
            f"average. The best needs all six pieces in {percent(needs[6])} of all cases, just five in "
            f"{percent(needs[5])}. In {percent(full.share(full.detours > 0))} the easiest of the best "
            "lines, which is the one that `corona solve` tells, has a move onto an empty field, which "
            "scores nothing itself."
        ),
    ]


def _row(full: Starts, moves: int) -> tuple[object, ...]:
    """What so many moves have, in the order of the table's heads."""
    limited = starts(moves)
    most = limited.best == limited.best.max()
    found = most_in(limited, full, moves)
    return (
        moves,
        int(limited.best.max()),
        int(most.sum()),
        rarely(full.share(most)),
        f"`{said(found.situation)}`",
        sums(found),
        f"{limited.chances.mean:.1f}",
        rarely(full.share(limited.best == full.best)),
    )
