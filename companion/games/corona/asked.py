"""What is told to somebody who asks about a situation: nothing that could help in the round that is open.

Every answer takes the game's state first, and raises `AfterTheRound` where it would tell of the situation on
the table, up to turning the board and swapping colours, or of one that play leads to from there. Answers are
JSON values, as in `view.py`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from companion.games.corona import notation, odds, puzzle, solver
from companion.games.corona.analysis import analyse
from companion.games.corona.chances import Chances
from companion.games.corona.ledger import Round, moved
from companion.games.corona.puzzle import Day, Puzzle
from companion.games.corona.rules import FIELDS, CoronaError, Move, Situation, play
from companion.games.corona.state import State
from companion.games.corona.values import as_objects, as_played, as_rarity

Values = dict[str, Any]


class AfterTheRound(CoronaError):
    """The answer would tell something of the round that is open."""

    def __init__(self) -> None:
        super().__init__("After the round: this lies on the table, or may soon.")


def look_up(state: State, situation: Situation, played: Sequence[Move], colours: Sequence[str]) -> Values:
    """The best of a situation that somebody names, and what `played` makes of it.

    `colours` in the set's order. Raises `AfterTheRound`.
    """
    if state.phase == "lay" and state.situation is None:
        raise AfterTheRound  # somebody sets up: nobody can know yet what will lie there
    return _looked_up(state, situation, played, colours)


def daily(state: State, day: Day) -> Values:
    """The puzzle of that date: situation, level, tries; raises `AfterTheRound`."""
    return _puzzle(state, puzzle.daily(day))


def drawn(state: State, seed: str, level: int) -> Values:
    """The puzzle of a seed; raises `AfterTheRound`, or `CoronaError` where there is no such level."""
    return _puzzle(state, puzzle.pick(seed, level=level))


def puzzle_back(state: State, situation: Situation, played: Sequence[Move], colours: Sequence[str]) -> Values:
    """As `look_up`, of a puzzle: who asks has not chosen it, so it is also told while somebody sets up."""
    return _looked_up(state, situation, played, colours)


def round_back(state: State, settled: Round) -> Values:
    """As `look_up`, of a settled round, also while somebody sets up: at its reveal everybody heard this."""
    steps = settled.steps if settled.entered is None else ()
    return _looked_up(state, settled.situation, moved(settled.situation, steps), state.colours)


def best_of_round(state: State, settled: Round) -> int | None:
    """The best score of a settled round; None while its situation lies on the table again."""
    laid = _on_table(state)
    if laid is not None and follows(settled.situation, laid):
        return None
    return solver.best(settled.situation) if settled.best is None else settled.best


def on_setup(state: State, pieces: Sequence[int]) -> Values:
    """What the throws allow on a set-up; raises `AfterTheRound` for the one on the table."""
    if _pieces_on_table(state, pieces):
        raise AfterTheRound
    here = odds.turned(pieces)
    place = next(place for place, setup in enumerate(odds.setups(), start=1) if setup.pieces == here)
    chances = odds.on_setup(pieces)
    return _setup(pieces, chances) | {"cases": list(chances.cases), "half": chances.half, "place": place}


def setups(state: State) -> list[Values]:
    """All set-ups up to turning, the most generous first, but for the one on the table."""
    laid = _on_table(state)
    here = None if laid is None else odds.turned(laid.waiting)
    return [_setup(setup.pieces, setup.chances) for setup in odds.setups() if setup.pieces != here]


def follows(situation: Situation, first: Situation) -> bool:
    """Whether play can lead from `first` to `situation`, up to turning the board and swapping colours.

    From every one it leads to itself.
    """
    used = Counter(_dice(first)) - Counter(_dice(situation))
    if used.total() != len(_dice(first)) - len(_dice(situation)):
        return False
    return any(_leads(first, *turned, list(used.elements())) for turned in _turnings(situation))


def _looked_up(state: State, situation: Situation, played: Sequence[Move], colours: Sequence[str]) -> Values:
    found = analyse(situation, played)
    _keep_secret(state, situation, *_passed(situation, played), *_passed(situation, found.easiest))
    chances = None if _pieces_on_table(state, situation.waiting) else found.chances
    return {
        "situation": notation.write(situation),
        "best": found.best,
        "moves": as_objects(found.easiest, colours),
        "reached": sum(move.points for move in played),
        "played": as_played(played, found.best, found.still, colours),
        "chances": as_rarity(chances, found.best) if chances else None,
    }


def _puzzle(state: State, one: Puzzle) -> Values:
    _keep_secret(state, one.situation)
    return {"situation": notation.write(one.situation), "level": one.level, "tries": one.tries}


def _setup(pieces: Sequence[int], chances: Chances) -> Values:
    return {"pieces": "".join(map(str, pieces)), "mean": chances.mean, "spread": chances.spread}


# The round that is open


def _on_table(state: State) -> Situation | None:
    """The situation of the round that is open; None between rounds."""
    return state.situation if state.phase in ("lay", "auction", "play") else None


def _pieces_on_table(state: State, pieces: Sequence[int]) -> bool:
    """Whether the pieces of the round that is open stand so, up to turning."""
    laid = _on_table(state)
    return laid is not None and odds.turned(pieces) == odds.turned(laid.waiting)


def _keep_secret(state: State, *situations: Situation) -> None:
    laid = _on_table(state)
    if laid is not None and any(follows(situation, laid) for situation in situations):
        raise AfterTheRound


def _passed(situation: Situation, moves: Iterable[Move]) -> Iterator[Situation]:
    """What an answer about these moves tells of; with one die left anybody can count: that tells nothing."""
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
