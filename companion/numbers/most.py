"""The chapter on the most points: which book is right, why there are no more, and all that has them."""

from __future__ import annotations

from math import comb

from companion.games.corona.extremes import HALF_ROUND, all_together, example, kinds
from companion.games.corona.figures import Start, Starts
from companion.games.corona.rules import FIELDS, MOST_POINTS, PIECES
from companion.numbers.words import BOOKS_MOST, picture, prose, rarely, said, sums, table

PAIRS = comb(PIECES, 2)


def chapter(full: Starts) -> list[str]:
    most = int(full.best.max())
    top = full.best == most
    on = int(full.turnings[top.any(axis=1)].sum())
    right = next(book for book, points in BOOKS_MOST.items() if points == most)
    claims = ", ".join(f"the {book} book says {points}" for book, points in BOOKS_MOST.items())
    return [
        "## The most points",
        "",
        *prose(
            f"The books disagree on the most that can be had: {claims}. **The {right} book is right: it is "
            f"{most}.** Every start has been looked up: {top.sum():,} of {top.size:,} have {most} points, "
            f"and none has more. They make {full.cases[top].sum():,} of {full.cases.sum():,} cases, "
            f"{rarely(full.share(top))}, and lie on {on:,} of the {full.turnings.sum():,} set-ups."
        ),
        *picture("line", f"{most} points: the ring at the start, and after each of the six moves"),
        *_no_more(full),
        *_only_these(),
        *_kinds(full.where(top)),
    ]


def _no_more(full: Starts) -> list[str]:
    almost = full.best == BOOKS_MOST["German"]
    together = sum(all_together(start.situation) for start in full.where(almost))
    return [
        "### Why there are no more",
        "",
        *prose(
            "Count the points of a move in two parts: 1 for arriving where somebody stands, and 1 for each "
            f"piece that stands there; the moving piece *meets* it. There are {PIECES} moves at most, so "
            f"the first part is {PIECES} at most. For the second, two pieces meet only once: the one that "
            "came has moved and stays where it is, and the other can only stay there too, or leave. Of "
            f"{PIECES} pieces there are {PAIRS} pairs. Together that is {PIECES} + {PAIRS} = "
            f"{PIECES + PAIRS}."
        ),
        *prose(
            "The German book speaks of all pieces on one field. That cannot have more than "
            f"{PIECES - 1 + PAIRS}: the first piece there did not move, or it came to an empty field, so "
            f"only {PIECES - 1} moves score. {BOOKS_MOST['German']} is the best of {almost.sum():,} starts, "
            f"{rarely(full.share(almost))} cases. {together:,} of them can have it by bringing all pieces "
            "onto one field."
        ),
    ]


def _only_these() -> list[str]:
    return [
        f"### When there are {MOST_POINTS}",
        "",
        *prose(
            "All six pieces must move, every move must score, and each pair must meet. That leaves little "
            "choice:"
        ),
        *prose(
            "1. The first move goes to a field where somebody stands; call it the *meeting field*. Every "
            "other piece must meet the one that moved first, so it starts from the meeting field or goes "
            "there.",
            "2. Whoever stood on the meeting field must leave it. The first to leave goes to some other "
            "field. Each piece that moves later must meet this one too, so it goes from one of these two "
            "fields to the other.",
            "3. This first one to leave must score, so somebody stands on that other field. All who have "
            "moved before went to the meeting field; so it is a piece that has still to move, and it will "
            f"go to the meeting field. There and back are {FIELDS} fields, and no die shows more than "
            f"{HALF_ROUND}. So the two fields face each other, and these dice show {HALF_ROUND}.",
        ),
        *prose(
            f"So a start has {MOST_POINTS} points when pieces stand on two opposite fields, every piece "
            f"elsewhere has a die that takes it to the meeting field, and all other dice show {HALF_ROUND}. "
            "It is played like this: the pieces from elsewhere go to the meeting field (if there are none, "
            "one from the opposite field does); then one of those that stood on the meeting field goes to "
            "the opposite field; then all others change fields."
        ),
    ]


def _kinds(found: list[Start]) -> list[str]:
    by_kind = kinds(found)
    rows = [
        (
            kind.elsewhere,
            kind.meeting,
            kind.opposite,
            PIECES - kind.elsewhere,
            len(starts),
            sum(start.cases for start in starts),
            f"`{said(starts[0].situation)}`",
            sums(example(starts[0])),
        )
        for kind, starts in by_kind.items()
    ]
    heads = [
        "elsewhere",
        "meeting field",
        "opposite field",
        "sixes",
        "starts",
        "cases",
        "example",
        "its points",
    ]
    return [
        *prose(
            "A kind says how many pieces stand elsewhere, on the meeting field and on the opposite one. "
            f"These are all {len(by_kind)} kinds, with all {len(found)} starts that the table has; a test "
            "makes them by the rule above, and they are the same. The example is one of the most frequent "
            "of its kind. Where nobody stands elsewhere, either field can be the meeting field; the smaller "
            "heap is named first."
        ),
        *table(heads, rows, left=(6, 7)),
    ]
