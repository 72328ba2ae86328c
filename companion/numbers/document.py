"""Puts the chapters and the pictures together: every file of Corona in numbers, by its name."""

from __future__ import annotations

from companion.games.corona.chances import THROWS
from companion.games.corona.extremes import Kind, example, kinds
from companion.games.corona.figures import Starts, starts
from companion.games.corona.odds import setups
from companion.games.corona.rules import DICE, MOST_POINTS
from companion.numbers import ends, most, pictures, spread
from companion.numbers.words import PICTURES, prose

NAME = "corona-in-numbers.md"
DRAWN = Kind(elsewhere=4, meeting=1, opposite=1)
"""The kind whose line of most points is drawn."""


def files() -> dict[str, str]:
    """The text of the document and of each picture, by its path in the folder."""
    full, every = starts(), setups()
    line = kinds(full.where(full.best == MOST_POINTS))[DRAWN][0]
    drawn = {
        "line": pictures.line_of_points(example(line)),
        "scores": pictures.scores(full.chances),
        "moves": pictures.few_moves([starts(moves).chances for moves in range(1, DICE + 1)]),
        "nothing": pictures.without_points(full.where(full.best == 0)),
        "set-ups": pictures.set_ups(every[: spread.SHOWN], every[-spread.SHOWN :]),
    }
    chapters = [
        *_head(full),
        *most.chapter(full),
        *spread.scores(full),
        *spread.bids(full),
        *ends.nothing(full),
        *ends.few_moves(full),
        *spread.set_ups(full, every),
        *spread.throws(full),
    ]
    text = "\n".join(chapters).rstrip("\n") + "\n"
    return {NAME: text, **{f"{PICTURES}/{name}.svg": svg for name, svg in drawn.items()}}


def _head(full: Starts) -> list[str]:
    setups_, cases = int(full.turnings.sum()), int(full.cases.sum())
    return [
        "# Corona in numbers",
        "",
        *prose(
            "How much is there to be had on a board of Corona? This page is written by `corona numbers`; no "
            "figure in it was typed in, but for what the two books claim. A test makes it again and "
            "compares."
        ),
        *prose(
            f"**How it was counted.** Six pieces can be set up on twelve fields in {setups_:,} ways, and "
            f"six dice thrown in {THROWS:,}. Together these are {cases:,} *cases*, and shares are shares of "
            "them: every set-up counts the same, with the odds of fair dice. Where the board is only turned "
            "and the same dice only change their order, it is the same *start*; there are "
            f"{full.best.size:,}. The *best* of a start is the most that a perfect play has. It is looked "
            "up in the table of all states of play, which `corona table` builds."
        ),
        *prose(
            "A start is written as in `corona solve`: the pieces on the fields A to L, clockwise, then the "
            "dice. Of all turnings of a start one is shown."
        ),
    ]
