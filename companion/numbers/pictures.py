"""The pictures of the numbers: scores, few moves, a line of 21 points, set-ups, starts without a point."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate

from companion.games.corona.chances import THROWS, Chances
from companion.games.corona.extremes import Example
from companion.games.corona.figures import Start
from companion.games.corona.odds import SetUp
from companion.games.corona.rules import LETTERS, MOST_POINTS, Situation, play
from companion.numbers.svg import BAND, BRASS, FAINT, GREEN, GREY, INK, box, card, line, ring, text
from companion.numbers.words import BOOK, percent, said, sums

WIDTH = 760
RING, FIRST, APART = 64, 113, 178
"""Rings stand four in a row: their radius, the middle of the first one, and from one to the next."""


def scores(chances: Chances) -> str:
    """A bar for each best score."""
    left, bottom, pitch, high = 56.0, 352.0, 31.0, 10.8  # high: pixels a percent
    low, top = BOOK
    shares = [cases / chances.total for cases in chances.cases]
    parts = [(0, low - 1, GREY), (low, top, BRASS), (top + 1, MOST_POINTS, GREEN)]
    body = [
        text(24, 58, f"the share of all {chances.total:,} cases whose best score is", 13, anchor="start"),
        box(left + low * pitch, 72, (top - low + 1) * pitch, bottom - 72, BAND),
    ]
    for tenth in (5, 10, 15, 20):
        y = bottom - tenth * high
        body += [
            line(left, y, left + (MOST_POINTS + 1) * pitch, y),
            text(left - 8, y + 4, f"{tenth} %", 11, anchor="end"),
        ]
    for first, last, colour in parts:
        middle = left + (first + last + 1) / 2 * pitch
        name = f"{first} to {last}: {percent(sum(shares[first : last + 1]))}"
        body.append(text(middle, 92, name, 13.5, INK, bold=True))
        for points in range(first, last + 1):
            x, tall = left + points * pitch, shares[points] * 100 * high
            body += [
                box(x + 4, bottom - tall, pitch - 8, tall, colour),
                text(x + pitch / 2, bottom - tall - 5, _short(shares[points]), 10.5),
                text(x + pitch / 2, bottom + 17, str(points), 12, INK),
            ]
    body += [
        line(left, bottom, left + (MOST_POINTS + 1) * pitch, bottom, FAINT),
        text(left + (MOST_POINTS + 1) / 2 * pitch, bottom + 38, "points", 12),
    ]
    described = ", ".join(f"{points}: {_short(share) or 'never'}" for points, share in enumerate(shares))
    return card(WIDTH, 404, "The best score of every situation", f"In percent: {described}.", body)


def few_moves(plays: Sequence[Chances]) -> str:
    """A bar for plays of one move at most, of two, and so on, in three parts: below, within and above."""
    left, wide, pitch = 128.0, 440.0, 40.0
    low, top = BOOK
    body = []
    for x, colour, name in (
        (left, GREY, f"0 to {low - 1} points"),
        (left + 140, BRASS, f"{low} to {top}"),
        (left + 240, GREEN, f"{top + 1} or more"),
    ):
        body += [box(x, 54, 12, 12, colour), text(x + 18, 64.5, name, 12.5, anchor="start")]
    body += [text(left + wide + x, 64.5, name, 12.5, INK) for x, name in ((58, "average"), (130, "most"))]
    for number, chances in enumerate(plays, start=1):
        y = 38 + number * pitch
        name = f"{number} move{'s' * (number > 1)}" if number < len(plays) else f"all {number} moves"
        body.append(text(left - 14, y + 18, name, 13, INK, "end"))
        shares = [1 - chances.share(low), chances.share(low) - chances.share(top + 1), chances.share(top + 1)]
        for begin, share, colour in zip(
            accumulate(shares, initial=0.0), shares, (GREY, BRASS, GREEN), strict=False
        ):
            body.append(box(left + begin * wide, y, share * wide, 28, colour))
            if share > 0.08:
                x = left + (begin + share / 2) * wide
                body.append(text(x, y + 18.5, percent(share), 12, "#ffffff" if colour == GREEN else INK))
        most = max(points for points, cases in enumerate(chances.cases) if cases)
        body += [
            text(left + wide + 58, y + 18.5, f"{chances.mean:.1f}", 14, INK, bold=True),
            text(left + wide + 130, y + 18.5, str(most), 14, INK),
        ]
    desc = "; ".join(f"{number} at most: {chances.mean:.1f}" for number, chances in enumerate(plays, start=1))
    return card(WIDTH, 330, "The best score with few moves", f"The average best, by moves: {desc}.", body)


def line_of_points(example: Example) -> str:
    """A ring before the first move, and one for each move."""
    situation, reached = example.situation, 0
    body = [
        text(24, 58, "dark pieces have still to move, bright ones have moved", 13, anchor="start"),
        *ring(FIRST, 170, RING, situation, ["the start", " ".join(map(str, situation.dice))]),
    ]
    for number, move in enumerate(example.moves, start=1):
        situation, reached = play(situation, move), reached + move.points
        words = [f"+{move.points} = {reached}", f"{LETTERS[move.start]} to {LETTERS[move.to]} by {move.pips}"]
        body += ring(FIRST + number % 4 * APART, 170 + number // 4 * 198, RING, situation, words, move)
    body += [
        text(FIRST + 3 * APART, 170 + 198 - 8, sums(example), 14),
        text(FIRST + 3 * APART, 170 + 198 + 20, f"{reached} points", 22, INK, bold=True),
    ]
    moves = ", ".join(f"{LETTERS[move.start]} to {LETTERS[move.to]} {move.points}" for move in example.moves)
    return card(WIDTH, 472, f"{reached} points, move by move", f"{said(example.situation)}: {moves}.", body)


def set_ups(most: Sequence[SetUp], least: Sequence[SetUp]) -> str:
    """A row of generous set-ups, a row of poor ones."""
    body = [text(24, 58, f"the average best of {THROWS:,} throws, and its spread", 13, anchor="start")]
    for row, (name, some) in enumerate((("the most generous", most), ("the poorest", least))):
        body.append(text(24, 92 + row * 204, name, 13.5, INK, "start", bold=True))
        for column, setup in enumerate(some):
            words = [f"{setup.chances.mean:.2f}", f"± {setup.chances.spread:.1f}"]
            start = Situation(setup.pieces, (1,) * 6)
            body += ring(FIRST + column * APART, 182 + row * 204, RING, start, words)
    desc = "; ".join(
        f"{said(Situation(setup.pieces, (1,) * 6))[:12]}: {setup.chances.mean:.2f}"
        for setup in (*most, *least)
    )
    return card(WIDTH, 482, "Generous and poor set-ups", f"{desc}.", body)


def without_points(starts: Iterable[Start]) -> str:
    """A small ring for each start that has no point at all."""
    found = sorted((start.situation for start in starts), key=lambda one: (len(set(one.dice)) == 1, one.dice))
    body = []
    for number, situation in enumerate(found):
        dice = situation.dice
        words = ["all dice", f"show {dice[0]}"] if len(set(dice)) == 1 else ["the dice", "all differ"]
        body += ring(FIRST + number % 4 * APART, 142 + number // 4 * 180, RING, situation, words)
    desc = ", ".join(map(said, found))
    return card(WIDTH, 606, "All situations without a point", f"{desc}.", body)


def _short(share: float) -> str:
    """A share over its bar: in percent, without the sign."""
    if not share:
        return ""
    return f"{100 * share:.1f}" if share >= 0.0005 else "<0.1"
