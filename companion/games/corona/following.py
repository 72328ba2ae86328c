"""A round seen look after look -> the moves that were played: what was seen and the rules, weighed together.

A line is a start and moves from it. Each look makes a line as much less likely as what it saw speaks against
where the line's pieces stand by then; the likeliest lines are kept (a beam search).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise, product

import numpy as np
from numpy.typing import NDArray

from companion.games.corona.rules import PIECES, Move, Situation, after, legal_moves, play

Floats = NDArray[np.float64]
Places = tuple[int, ...]
"""How many pieces stand on A..L."""

Steps = tuple[tuple[int, tuple[Move, ...]], ...]
"""The moves that the look of a number shows first, in no order."""

UNMARKED = 0.001
"""How likely a piece carries a marker that was neither read nor doubted."""
SURELY = 0.999
"""What is less likely counts once, in however many looks it is seen so: they err for the same reason."""
LEAST = 1e-4
"""Nothing that was read is held for surer than 1 less this."""
MOVES = (0.0, -1.0, -4.0, -7.0, -10.0, -13.0, -16.0)
"""Log likelihood of so many moves from one look to the next: few are missed by whoever looks at a round."""
WATCHED = (0.0, -1.0, -6.0, -11.0, -16.0, -21.0, -26.0)
"""The same of a table that is watched: one time in seven, say, two pieces have moved when it is still again;
and of the twenty moves or so that the second could be, one looks as if there were none."""
STRAY = -18.0
"""Log likelihood of a look that follows from no move: a slip, a piece that was put back again."""
EARLY, EACH = -20.0, -1.0
"""Log likelihood that looks are older than the play, and of each of these."""
LATER = 0.3
"""How much dice count once a piece has moved: those that were used are often put away."""
BEAM, PLACES, THROWS = 60, 12, 6
"""So many lines are kept after each look; so many ways in which its pieces, and all dice, lie are tried."""
KEPT, HOPELESS = 200, 22.0
"""So many choices are kept, value by value; what has so much less log likelihood than the likeliest goes."""


@dataclass(frozen=True, slots=True)
class Look:
    """What was seen at a time, as likelihoods: `counts` (12, 7) of 0 to 6 pieces on A..L, `dice` (6, 6) of 1
    to 6 pips in the set's order, `markers` (12, 6) that a piece there carries the marker of each die."""

    counts: Floats
    dice: Floats
    markers: Floats


@dataclass(frozen=True, slots=True)
class Line:
    """A start, and moves from it.

    `since` is the number of the look that shows the start, the first where that was known; of dice that show
    the same the moves have any. `strays` are looks that fit nothing.
    """

    start: Situation
    since: int
    now: Situation
    score: float
    steps: Steps = ()
    strays: tuple[int, ...] = ()


def lines(looks: Sequence[Look], start: Situation | None = None) -> list[Line]:
    """The lines that fit these looks, the likeliest first.

    From `start`, where that is known and the table was watched since; else from what any look shows.
    """
    if not looks:
        return []
    counts = _weighed(np.array([look.counts for look in looks]))
    dice = _weighed(np.array([look.dice for look in looks]))
    shown = np.array([look.dice for look in looks]).mean(axis=0)
    throws = [
        tuple(pips + 1 for pips in throw)
        for throw in islice(_likeliest(np.log(np.clip(shown, LEAST, 1))), THROWS)
    ]
    kept = [] if start is None else [Line(start, 0, start, 0.0)]
    for number, look in enumerate(looks):
        seen = _Seen(counts[number], dice[number], _places(look))
        begun = product(seen.places, throws) if start is None else ()
        now = [_begun(place, throw, number, seen) for place, throw in begun]
        now += [_stayed(line, number, seen) for line in kept]
        best = max((line.score for line in now), default=0.0)
        for line in kept:  # the likeliest first, so that the others need not be looked at in vain
            moved = list(_moved(line, number, seen, best - HOPELESS, MOVES if start is None else WATCHED))
            best = max([best, *(one.score for one in moved)])
            now += moved
        now.sort(key=lambda line: -line.score)
        kept = [line for line in now[:BEAM] if line.score > now[0].score - HOPELESS]
    return kept


@dataclass(frozen=True, slots=True)
class _Seen:
    """Log likelihoods of one look, and how its pieces may stand, the likeliest first."""

    counts: Floats
    dice: Floats
    places: list[Places]

    def stand(self, places: Places) -> float:
        """How much less likely than what is likeliest it is that the pieces stand so; in log likelihoods."""
        return _less(self.counts, places)

    def show(self, dice: Sequence[int]) -> float:
        """The same of what the dice show; one that has been used may show anything."""
        shown = [pips > 0 for pips in dice]
        return _less(self.dice[shown], [pips - 1 for pips in dice if pips])


def _less(logs: Floats, values: Sequence[int]) -> float:
    return float((logs[np.arange(len(logs)), values] - logs.max(axis=1)).sum())


def _begun(place: Places, throw: tuple[int, ...], number: int, seen: _Seen) -> Line:
    start = Situation(place, throw)
    early = EARLY + EACH * number if number else 0.0
    return Line(start, number, start, early + seen.stand(place) + seen.show(throw))


def _stayed(line: Line, number: int, seen: _Seen) -> Line:
    """The line where nobody has moved, or this look fits nothing."""
    score = line.score + _dice(line, seen)
    if (still := seen.stand(line.now.occupants)) > STRAY:
        return replace(line, score=score + still)
    return replace(line, score=score + STRAY, strays=(*line.strays, number))


def _moved(line: Line, number: int, seen: _Seen, least: float, likely: Sequence[float]) -> Iterator[Line]:
    """The line with what may have been moved to this look, where that is likelier than `least`; `likely` are
    the log likelihoods of so many moves."""
    before = line.score + _dice(line, seen)
    for place in seen.places:
        here = before + seen.stand(place)
        fewest = _apart(line.now.occupants, place)
        for many in (fewest, fewest + 1):  # one more: a piece that goes where another has left looks like one
            if not 0 < many <= PIECES or (score := here + likely[many]) < least:
                continue
            for moves in _ways(line.now, place, many):
                steps = (*line.steps, (number, moves))
                yield replace(line, now=after(line.now, moves), score=score, steps=steps)


def _dice(line: Line, seen: _Seen) -> float:
    return max(seen.show(line.start.dice), STRAY) * (LATER if line.steps else 1.0)


def _ways(
    now: Situation, place: Places, many: int, last: tuple[int, int] = (0, 0)
) -> Iterator[tuple[Move, ...]]:
    """Each set of so many moves that leads to pieces standing so, by field and pips, none before `last`."""
    if not many:
        yield ()
        return
    tried: set[tuple[int, int]] = set()
    for move in legal_moves(now):
        which = (move.start, move.pips)
        if which < last or which in tried:
            continue
        tried.add(which)
        then = play(now, move)
        if _apart(then.occupants, place) < many:
            yield from ((move, *rest) for rest in _ways(then, place, many - 1, which))


def _apart(one: Places, other: Places) -> int:
    """How many pieces stand elsewhere."""
    return sum(max(a - b, 0) for a, b in zip(one, other, strict=True))


def _weighed(seen: Floats) -> Floats:
    """Log likelihoods (looks, n, values) of likelihoods; what is not sure counts once, while it stays so."""
    likeliest, weak = seen.argmax(axis=2), seen.max(axis=2) < SURELY
    weight = np.ones(weak.shape)
    for k in range(seen.shape[1]):
        bounds = [0, *(np.flatnonzero(np.diff(likeliest[:, k])) + 1), len(seen)]
        for first, end in pairwise(bounds):
            unsure = weak[first:end, k]
            weight[first:end, k][unsure] = 1 / max(unsure.sum(), 1)
    logs: Floats = np.log(np.clip(seen, LEAST, 1 - LEAST)) * weight[:, :, None]
    return logs


def _places(look: Look) -> list[Places]:
    """How six pieces may stand, the likeliest first."""
    every = _likeliest(np.log(np.clip(look.counts, LEAST, 1)))
    return list(islice((place for place in every if sum(place) == PIECES), PLACES))


def _likeliest(logs: Floats) -> Iterator[tuple[int, ...]]:
    """Choices of a column in each row, the likeliest first; none that is hopeless."""
    less = logs - logs.max(axis=1, keepdims=True)
    kept: list[tuple[float, tuple[int, ...]]] = [(0.0, ())]
    for row in less.tolist():
        longer = [
            (score + part, (*chosen, value))
            for score, chosen in kept
            for value, part in enumerate(row)
            if score + part > -HOPELESS
        ]
        kept = sorted(longer, key=lambda one: -one[0])[:KEPT]
    return (chosen for _, chosen in kept)
