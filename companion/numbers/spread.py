"""The chapters on all situations: how the best scores spread, what a bid is worth, set-ups and throws."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.corona.chances import THROWS, Chances
from companion.games.corona.figures import Starts, starts
from companion.games.corona.odds import SetUp
from companion.games.corona.rules import DICE
from companion.numbers.words import BOOK, alike, percent, picture, prose, rarely, table

SHOWN = 4
"""So many of the most generous and of the poorest set-ups."""


def scores(full: Starts) -> list[str]:
    chances = full.chances
    rows = [
        (
            points,
            int((full.best == points).sum()),
            cases,
            rarely(cases / chances.total) if cases else "never",
            rarely(chances.share(points)),
        )
        for points, cases in enumerate(chances.cases)
    ]
    common = max(range(len(chances.cases)), key=chances.cases.__getitem__)
    never = " or ".join(str(points) for points, cases in enumerate(chances.cases) if not cases)
    return [
        "## What all situations allow",
        "",
        *prose(
            f"The best score is {chances.mean:.1f} on average, with a spread (standard deviation) of "
            f"{chances.spread:.1f}. Half of all cases allow {chances.half} or more. The most common best is "
            f"{common}; no situation has a best of {never}."
        ),
        *picture("scores", "A bar for each best score, from 0 to 21"),
        *table(["best", "starts", "cases", "share", "so many or more"], rows),
    ]


def bids(full: Starts) -> list[str]:
    low, top = BOOK
    chances, wide = full.chances, top - low + 1
    windows = {first: chances.share(first) - chances.share(first + wide) for first in range(22 - wide + 1)}
    first = max(windows, key=windows.__getitem__)
    rows: list[tuple[str, ...]] = [
        (f"best with {moves} moves at most", *_parts(starts(moves).chances)) for moves in range(2, DICE)
    ]
    rows += [
        ("**best of all**", *_parts(chances)),
        ("best of all, pieces placed by chance", *_parts(full.placed_by_chance)),
    ]
    return [
        f"## Does the right bid lie between {low} and {top}?",
        "",
        *prose(
            f"The French book says that the right bid is mostly between {low} and {top}. It does not say "
            "when a bid is right, so this can be read in two ways."
        ),
        *prose(
            f"**If the right bid is the best score: mostly, but not by much.** {percent(_within(chances))} "
            f"of all cases have their best between {low} and {top}, {percent(1 - chances.share(low))} have "
            f"less, and {percent(chances.share(top + 1))} have more. {top + 1} alone has "
            f"{percent(chances.cases[top + 1] / chances.total)}. Of all runs of {wide} numbers, {first} to "
            f"{first + wide - 1} holds the most: {percent(windows[first])}. A bid of {low} could be reached "
            f"in {percent(chances.share(low))} of all cases, one of {top} in {percent(chances.share(top))}."
        ),
        *picture("moves", "The best scores with one to six moves, below, within and above 7 to 13"),
        *prose(
            "**If the right bid is what a person finds in a minute: that is not in the table,** for the "
            "table knows perfect play and no people. But it knows shorter plays. Who plans just three "
            f"moves, and finds the best three there are, has between {low} and {top} points in "
            f"{percent(_within(starts(3).chances))} of all cases; with four moves it is "
            f"{percent(_within(starts(4).chances))}. So the book may well be right about bids. How many "
            "moves people do see, nobody has counted here."
        ),
        *table(["", "average", f"below {low}", f"{low} to {top}", f"{top + 1} or more"], rows, left=(0,)),
        *prose(
            "All this weighs each set-up alike. A setter chooses, and need not choose so. The last row "
            "shows what changes if each piece is put on any field by chance, which makes heaps rarer."
        ),
    ]


def set_ups(full: Starts, setups: Sequence[SetUp]) -> list[str]:
    rows = [
        (
            f"`{''.join(map(str, setup.pieces))}`",
            f"{setup.chances.mean:.2f}",
            f"{setup.chances.spread:.2f}",
            setup.chances.half,
            percent(setup.chances.share(BOOK[1])),
        )
        for setup in (*setups[:SHOWN], *setups[-SHOWN:])
    ]
    mean, every = full.chances.mean, sum(setup.turnings for setup in setups)
    near = sum(setup.turnings for setup in setups if abs(setup.chances.mean - mean) <= 1)
    heads = ["set-up", "average best", "spread", "half the throws allow", f"{BOOK[1]} or more"]
    heaps = [
        (alike(group.alike, "together", "alone"), group.cases // THROWS, f"{group.mean:.2f}")
        for group in full.by_heaps()
    ]
    return [
        "## Generous and poor set-ups",
        "",
        *prose(
            f"The setter decides how much there is to be had. These are the {SHOWN} most generous and the "
            f"{SHOWN} poorest of all {len(setups):,} set-ups, up to turning; each was asked what all "
            f"{THROWS:,} throws allow."
        ),
        *picture("set-ups", "Rings: the most generous set-ups and the poorest"),
        *table(heads, rows, left=(0,)),
        *prose(
            "The more pieces stand together, the less there is to be had; but one pair does no harm. Most "
            f"set-ups are much alike: on {percent(near / every)} of all {every:,} the average best is "
            f"within a point of the {mean:.1f} of all together."
        ),
        *table(["pieces", "set-ups", "average best"], heaps, left=(0,)),
    ]


def throws(full: Starts) -> list[str]:
    every = full.by_throw()
    (best, most), (worst, least) = every[0], every[-1]
    rows = [
        (
            alike(group.alike, "alike", "single"),
            group.cases // int(full.turnings.sum()),
            f"{group.mean:.2f}",
        )
        for group in full.by_dice()
    ]
    return [
        "## Generous and poor throws",
        "",
        *prose(
            f"Six different dice fall in {THROWS:,} ways. If only pips count and not colours, there are "
            f"{len(every)}. On average over all set-ups, `{''.join(map(str, best))}` allows most, "
            f"{most.mean:.2f} points, and `{''.join(map(str, worst))}` least, {least.mean:.2f}."
        ),
        *table(["dice", "throws", "average best"], rows, left=(0,)),
    ]


def _within(chances: Chances) -> float:
    return chances.share(BOOK[0]) - chances.share(BOOK[1] + 1)


def _parts(chances: Chances) -> tuple[str, ...]:
    below, above = 1 - chances.share(BOOK[0]), chances.share(BOOK[1] + 1)
    return (f"{chances.mean:.1f}", *map(percent, (below, _within(chances), above)))
