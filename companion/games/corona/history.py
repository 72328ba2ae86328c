"""A game looked back on, as JSON values: chips over time, its settled rounds, how everybody bid.

Like `view`, a way out of the state: nothing here is of the round that is open, and what was in an earlier
round comes through `asked`, which keeps it back while the same lies on the table again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.games.corona import ledger, notation
from companion.games.corona.asked import AfterTheRound, best_of_round, round_back
from companion.games.corona.ledger import Round, Stand
from companion.games.corona.state import State

MOMENTS = 120
"""The picture of a longer game leaves out moments between, so that it stays small."""

Values = dict[str, Any]


def chips(state: State) -> Values:
    """Everybody's chips from the start on, through rounds, counts by hand, comings and goings.

    `runs` of a seat are the times it sat at the table, as (rounds settled, chips).
    """
    moments = list(_moments(state))
    step = len(moments) // MOMENTS + 1
    thinned = [*moments[:-1:step], *moments[-1:]]
    runs: dict[str, list[list[tuple[int, int]]]] = {}
    before: Mapping[str, int] = {}
    for number, held in thinned:
        for name, count in held.items():
            if name not in before:
                runs.setdefault(name, []).append([])
            runs[name][-1].append((number, count))
        before = held
    return {
        "rounds": state.settled,
        "seats": [{"name": name, "here": name in state.seats, "runs": each} for name, each in runs.items()],
    }


def rounds(state: State, until: int, at_most: int) -> list[Values]:
    """So many settled rounds up to number `until`, the newest first."""
    listed = [one for one in _settled(state) if until - at_most < one[0] <= until]
    return [
        _figures(state, number, settled) | {"chips": _gained(settled, stand)}
        for number, settled, stand in reversed(listed)
    ]


def one_round(state: State, number: int) -> Values | None:
    """All that is known of a settled round; None where there is none of that number.

    `found` is what was in it and what was played: None while its situation lies on the table again.
    """
    there = next((one for one in _settled(state) if one[0] == number), None)
    if there is None:
        return None
    _, settled, stand = there
    try:
        found = round_back(state, settled)
    except AfterTheRound:
        found = None
    return _figures(state, number, settled) | {
        "situation": notation.write(settled.situation),
        "told": settled.entered is not None,
        "known": settled.known,
        "paid": [{"from": p.payer, "to": p.payee, "chips": p.chips} for p in stand.paid],
        "bids": [
            {"seat": bid.seat, "points": bid.points, "after": max(bid.at - settled.turned, 0.0)}
            for bid in settled.bids
        ],
        "found": found,
    }


def players(state: State) -> list[Values]:
    """How everybody did who ever sat here: first who sits at the table, then who went away.

    `below` is how far the bids were below the best, on average; `dots` how often somebody bid so much of so
    much. Both leave out rounds whose best is not told now.
    """
    tallies = {name: _Tally() for name in (*state.seats, *dict(state.away))}
    for _, settled, stand in _settled(state):
        for name in stand.held:
            tallies[name].sat += 1
        tallies[settled.player].add(settled.bid, settled.points, best_of_round(state, settled))
    held = dict(zip(state.seats, state.chips, strict=True)) | dict(state.away)
    return [
        {"name": name, "here": name in state.seats, "chips": held[name]} | tally.values()
        for name, tally in tallies.items()
    ]


@dataclass(slots=True)
class _Tally:
    """What one player did, added up."""

    sat: int = 0
    played: int = 0
    won: int = 0
    bid: int = 0
    reached: int = 0
    dots: Counter[tuple[int, int, bool]] = field(default_factory=Counter)

    def add(self, bid: int, reached: int, best: int | None) -> None:
        self.played += 1
        self.won += reached >= bid
        self.bid += bid
        self.reached += reached
        if best is not None:
            self.dots[best, bid, reached >= bid] += 1

    def values(self) -> Values:
        below = sum((best - bid) * times for (best, bid, _), times in self.dots.items())
        return {
            "sat": self.sat,
            "played": self.played,
            "won": self.won,
            "bid": _average(self.bid, self.played),
            "reached": _average(self.reached, self.played),
            "below": _average(below, self.dots.total()),
            "dots": [
                {"best": best, "bid": bid, "won": won, "times": times}
                for (best, bid, won), times in sorted(self.dots.items())
            ],
        }


def _average(total: int, number: int) -> float | None:
    return total / number if number else None


def _figures(state: State, number: int, settled: Round) -> Values:
    best, reached = best_of_round(state, settled), settled.points
    return {
        "round": number,
        "setter": settled.setter,
        "seat": settled.player,
        "bid": settled.bid,
        "reached": reached,
        "won": reached >= settled.bid,
        "best": best,
        "possible": best is None or reached <= best,
    }


def _gained(settled: Round, stand: Stand) -> int:
    """The chips that the player got, or gave where that is below zero."""
    return sum(one.chips if one.payee == settled.player else -one.chips for one in stand.paid)


def _course(state: State) -> Iterator[Stand]:
    if state.agreed is not None:
        yield from ledger.course(state.agreed.seats, state.agreed.chips, state.entries)


def _settled(state: State) -> Iterator[tuple[int, Round, Stand]]:
    """The settled rounds with their numbers, and who held what after each."""
    number = 0
    for stand in _course(state):
        if isinstance(stand.entry, Round):
            number += 1
            yield number, stand.entry, stand


def _moments(state: State) -> Iterator[tuple[int, Mapping[str, int]]]:
    """How many rounds were settled, and who held what, at the start and after all that moved chips."""
    if state.agreed is None:
        return
    number = 0
    yield number, dict.fromkeys(state.agreed.seats, state.agreed.chips)
    for stand in _course(state):
        number += isinstance(stand.entry, Round)
        yield number, stand.held
