"""What is told to somebody who asks about a situation: nothing that could help in the round that is open.

Every answer takes the game's state first, and raises `AfterTheRound` where it would tell of the situation on
the table, up to turning the board and swapping colours, or of one that play leads to from there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from companion.games.corona import analysis, odds
from companion.games.corona.analysis import Analysis
from companion.games.corona.chances import Chances
from companion.games.corona.odds import SetUp
from companion.games.corona.rules import FIELDS, CoronaError, Move, Situation, play
from companion.games.corona.state import State


class AfterTheRound(CoronaError):
    """The answer would tell something of the round that is open."""

    def __init__(self) -> None:
        super().__init__("After the round: this may be on the table now.")


def look_back(state: State, situation: Situation, played: Sequence[Move] = ()) -> Analysis:
    """The best of a situation, and what `played` made of it; raises `AfterTheRound`."""
    if state.phase == "lay" and state.situation is None:
        raise AfterTheRound  # somebody sets up: nobody can know yet what will lie there
    found = analysis.analyse(situation, played)
    _open_to_all(state, situation, *_passed(situation, played), *_passed(situation, found.easiest))
    return found


def on_setup(state: State, pieces: Sequence[int]) -> Chances:
    """What the throws allow on a set-up; raises `AfterTheRound` for the one on the table."""
    laid = _on_table(state)
    if laid is not None and odds.turned(pieces) == odds.turned(laid.waiting):
        raise AfterTheRound
    return odds.on_setup(pieces)


def setups(state: State) -> tuple[SetUp, ...]:
    """All set-ups up to turning, the most generous first, but for the one on the table."""
    laid = _on_table(state)
    here = None if laid is None else odds.turned(laid.waiting)
    return tuple(setup for setup in odds.setups() if setup.pieces != here)


def follows(situation: Situation, first: Situation) -> bool:
    """Whether play can lead from `first` to `situation`, up to turning the board and swapping colours.

    From every one it leads to itself.
    """
    used = Counter(_dice(first)) - Counter(_dice(situation))
    if used.total() != len(_dice(first)) - len(_dice(situation)):
        return False
    return any(_leads(first, *turned, list(used.elements())) for turned in _turnings(situation))


# The round that is open


def _on_table(state: State) -> Situation | None:
    """The situation of the round that is open; None between rounds."""
    return state.situation if state.phase in ("lay", "auction", "play") else None


def _open_to_all(state: State, *situations: Situation) -> None:
    laid = _on_table(state)
    if laid is not None and any(follows(situation, laid) for situation in situations):
        raise AfterTheRound


def _passed(situation: Situation, moves: Iterable[Move]) -> Iterator[Situation]:
    """What an answer about these moves tells of; with one die left anybody can count, so that tells nothing."""
    for move in moves:
        if len(_dice(situation)) > 1:
            yield situation
        situation = play(situation, move)


def _dice(situation: Situation) -> list[int]:
    return [pips for pips in situation.dice if pips]


def _turnings(situation: Situation) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Where the pieces wait and where they have moved, for each turning of the board."""
    waiting, moved = situation.waiting, situation.moved
    return ((waiting[k:] + waiting[:k], moved[k:] + moved[:k]) for k in range(FIELDS))


def _leads(first: Situation, waiting: tuple[int, ...], moved: tuple[int, ...], used: list[int]) -> bool:
    """Whether the pieces that no longer wait can have come by the `used` dice to where moved ones are new."""
    gone = [before - after for before, after in zip(first.waiting, waiting, strict=True)]
    come = [after - before for before, after in zip(first.moved, moved, strict=True)]
    if min(gone) < 0 or min(come) < 0:
        return False
    starts = [field for field, count in enumerate(gone) for _ in range(count)]
    return _matched(starts, Counter({field: count for field, count in enumerate(come) if count}), used)


def _matched(starts: list[int], ends: Counter[int], dice: list[int]) -> bool:
    if not starts:
        return True
    start, *others = starts
    for pips in set(dice):
        end = (start + pips) % FIELDS
        if ends[end] > 0:
            fewer = list(dice)
            fewer.remove(pips)
            if _matched(others, ends - Counter([end]), fewer):
                return True
    return False
