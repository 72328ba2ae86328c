"""Simple players: somebody who tries, bids no more than the best play found so far, and then plays that one.

Somebody who tries plays a situation in the head until no piece waits, and picks each move by chance among
all pairs of a waiting piece and a die left, one that scores n points n + 1 times as likely as one that scores
none. Skill is nothing but the number of tries a second. They see what everybody sees, and look nothing up.

Chance comes in as a seed: the same seed thinks the same thoughts, so who is asked again needs no memory.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from hashlib import sha256
from itertools import accumulate

from companion.games.corona.events import BidMade
from companion.games.corona.rules import Move, Situation, legal_moves, play
from companion.games.corona.state import State


@dataclass(frozen=True, slots=True)
class Temper:
    """How somebody thinks and bids."""

    tries: float
    """Plays tried a second."""
    first: float
    """Seconds of sand before the first call."""
    pause: float
    """Seconds to answer somebody else's call, on average."""
    kept_back: int = 0
    """So many points below what was found they stop."""
    leaps: bool = False
    """Calls all at once, not one more than the highest call."""


TEMPERS = {
    "quick": Temper(tries=0.3, first=4, pause=1.6),
    "careful": Temper(tries=0.35, first=18, pause=3.5, kept_back=1),
    "bold": Temper(tries=0.2, first=8, pause=2.5, leaps=True),
    "dreamy": Temper(tries=0.07, first=14, pause=5.0),
    "keen": Temper(tries=0.8, first=10, pause=2.0),
}
"""Whom one can play against."""


@dataclass(frozen=True, slots=True)
class Found:
    """The best play after so many tries, cut off after its last point."""

    line: tuple[Move, ...] = ()
    points: int = 0
    tries: int = 0


def think(situation: Situation, seed: str, tries: int, found: Found | None = None) -> Found:
    """What is known after so many tries; `found` is what was known after fewer, by the same seed."""
    found = best = found or Found()
    for number in range(found.tries, tries):
        line = _tried(situation, _number(f"{seed}/{number}"))
        points = sum(move.points for move in line)
        if points > best.points:
            best = Found(line, points)
    return Found(best.line, best.points, max(tries, found.tries))


def call(temper: Temper, found: Found, state: State, seat: str) -> int | None:
    """What somebody on `seat` calls who has found so much; None keeps silent."""
    high = state.high
    if state.phase != "auction" or seat == state.silenced or (high is not None and high.seat == seat):
        return None
    most = found.points - temper.kept_back
    if most < (high.points + 1 if high else 1):
        return None
    return most if temper.leaps else min(most, high.points + 1 if high else state.opening)


def ready(temper: Temper, seed: str, turned: float, high: BidMade | None) -> float:
    """When somebody may call next: after a first look, and not at once after somebody else's call."""
    first = turned + temper.first
    if high is None:
        return first
    share = 0.5 + _number(f"{seed}/after {high.points}") % 1001 / 1000
    return max(first, high.at + share * temper.pause)


def _tried(situation: Situation, number: int) -> tuple[Move, ...]:
    """One play by chance; `number` is what chance has drawn for it."""
    line: list[Move] = []
    scored = 0
    while any(situation.waiting):
        pairs = [(move, situation.waiting[move.start] * (move.points + 1)) for move in legal_moves(situation)]
        number, drawn = divmod(number, sum(weight for _, weight in pairs))
        move = _drawn(pairs, drawn)
        line.append(move)
        situation = play(situation, move)
        if move.points:
            scored = len(line)
    return tuple(line[:scored])


def _drawn(pairs: list[tuple[Move, int]], drawn: int) -> Move:
    """The move in whose share `drawn` falls, which is less than all weights together."""
    upto = accumulate(weight for _, weight in pairs)
    return pairs[bisect_right(list(upto), drawn)][0]


def _number(text: str) -> int:
    """A long number that `text` draws: the same on every machine."""
    return int.from_bytes(sha256(text.encode()).digest(), "big")
