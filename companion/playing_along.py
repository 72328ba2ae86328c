"""A play, followed as it is played: what the camera enters of what it sees moved."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import compress, product
from typing import NamedTuple

import numpy as np

from companion.games.corona import game
from companion.games.corona.following import UNMARKED, Look
from companion.games.corona.played import Played, played
from companion.games.corona.rules import DICE, FIELDS, PIECES, Move, Situation, after
from companion.sighted import as_look
from vision.reading import Reading

LIKELY = 0.9
"""What is likelier is entered: everybody sees it at once, and the next look or a tap mends it. What became of
drawn plays so is in docs/benchmarks.md."""

Counts = tuple[int | None, ...]
"""How many pieces were seen on A..L; None where that is hard to see."""


class Following(NamedTuple):
    """What a camera that follows a play leaves open: moves of which it did not see which came first, or none,
    where it cannot tell what was moved; None where nothing is."""

    asks: tuple[Move, ...] | None = None


class PlayingAlong:
    """Follows a play from look to look; what was entered is in the game's state, not here.

    `asks`: as `Following`.
    """

    def __init__(self) -> None:
        self.asks: tuple[Move, ...] | None = None
        self._counts: Counts = ()
        self._taken_back: Counts = ()
        self._markers: tuple[tuple[int, str], ...] = ()

    def looked(self, state: game.State, reading: Reading, at: float) -> game.Follow | None:
        """What a look at the table adds to the play, or changes in what the camera has entered of it; None
        where that is nothing, or in doubt.

        Nothing, too, while the table lies as it lay when somebody took back what had been entered, or a move
        was entered by hand that has still to be made.
        """
        self.asks = None
        back = state.by_hand
        standing = back.standing
        if state.phase != "play" or state.paused is not None or standing is None:
            self._markers = ()
            return None
        if set(reading.dice) != set(state.colours) or not _shows_all(reading):
            return None
        self._counts = reading.counts or ()
        if self._counts == self._taken_back:
            return None
        self._taken_back = ()
        entered = state.moves[len(back.moves) :]
        play = _told(standing, entered, as_look(reading, state.colours), self._counts)
        if _is_behind(state, self._counts, len(play.moves) - len(entered) if play else PIECES):
            return None
        moves = _by_dice(state, play.moves, entered, self._markers) if play else None
        if moves == entered:
            self._markers = reading.markers
            return None
        if play is None or moves is None or play.likely < LIKELY:
            self.asks = ()
            return None
        if unordered := next((some for some in play.together if some.others), None):
            known = moves[: len(entered)] == entered
            self.asks = tuple(moves[number] for number in unordered.moves) if known else ()
            return None
        steps = tuple((move.start, move.die) for move in moves)
        return game.Follow(steps, entered=len(back.moves), at=max(at, state.at))

    def taken_back(self, before: game.State, now: game.State) -> None:
        """Somebody has taken something back. What the camera had entered is not entered again before the
        pieces have stood otherwise."""
        seen = before.followed > 0 and before.moves != now.moves
        self._taken_back = self._counts if seen else ()


def _shows_all(reading: Reading) -> bool:
    """Whether six pieces may be seen; of five, one is in a hand, or on its way."""
    if reading.counts is None or reading.covered:
        return False
    return None in reading.counts or sum(count or 0 for count in reading.counts) == PIECES


def _fits(counts: Counts, places: Sequence[int]) -> bool:
    """Whether pieces may stand so, by what was seen."""
    return all(seen in (None, count) for seen, count in zip(counts, places, strict=True))


def _is_behind(state: game.State, counts: Counts, added: int) -> bool:
    """Whether the pieces stand so because what was entered by hand has still to be moved, rather than by as
    many moves as were `added`: by no more of them, or where none at all was made."""
    by_hand = len(state.by_hand.moves)
    some = [made for made in product((False, True), repeat=len(state.moves)) if not all(made[:by_hand])]
    missing = [made.count(False) for made in some if _fits(counts, _after_some(state, made))]
    return bool(missing) and (min(missing) <= added or max(missing) == len(state.moves))


def _after_some(state: game.State, made: Sequence[bool]) -> list[int]:
    """How the pieces stand when only those of the moves were made."""
    assert state.situation is not None
    stand = list(state.situation.occupants)
    for move in compress(state.moves, made):
        stand[move.start] -= 1
        stand[move.to] += 1
    return stand


def _told(standing: Situation, entered: Sequence[Move], look: Look, counts: Counts) -> Played | None:
    """The likeliest play that a look tells after those moves; after fewer of them, where pieces were put
    back, or one has gone on. None where it fits none, or one was put back, or else two exchanged places."""
    further = _after(standing, entered, look)
    stood = [after(standing, entered[:many]).occupants for many in range(len(entered) + 1)]
    back = [many for many, places in enumerate(stood) if _fits(counts, places)]
    if back and back[-1] < len(entered):
        exchanged = further is not None and len(further.moves) == len(entered) + 1
        return None if exchanged else _after(standing, entered[: back[-1]])
    fewer = range(len(entered) - 1, -1, -1)
    others = (_after(standing, entered[:many], look) for many in fewer)
    return further or next((play for play in others if play), None)


def _after(standing: Situation, moves: Sequence[Move], *look: Look) -> Played | None:
    """The likeliest play of these moves and a look; None where it fits none."""
    play = played([*_looks(standing, moves), *look], standing)
    return play if play and not play.strays else None


def _looks(standing: Situation, moves: Sequence[Move]) -> Iterator[Look]:
    """The looks that led to these moves, as if each had been sure."""
    for number in range(len(moves) + 1):
        now = after(standing, moves[:number])
        counts = np.zeros((FIELDS, PIECES + 1))
        counts[np.arange(FIELDS), now.occupants] = 1
        yield Look(counts, np.full((DICE, 6), 1 / 6), np.full((FIELDS, DICE), UNMARKED))


def _by_dice(
    state: game.State, moves: Sequence[Move], entered: Sequence[Move], seen: Sequence[tuple[int, str]]
) -> tuple[Move, ...] | None:
    """The moves, of dice that show the same each by the one that was `entered`, else by the one whose marker
    was `seen` there; None where the marker that was told of is in another piece."""
    back, told = state.by_hand, list[Move]()
    assert back.standing is not None
    for number, move in enumerate(moves):
        same = [die for die, pips in enumerate(back.standing.dice) if pips == move.pips]
        free = [die for die in same if die not in (one.die for one in told)]
        if back.marked:
            free = [die for die in free if (die, move.start) in back.markers]
        if not free:
            return None
        carried = [die for die in free if (move.start, state.colours[die]) in seen]
        was = [one.die for one in entered[number : number + 1] if one.die in free]
        told.append(replace(move, die=(was or carried or free)[0]))
    return tuple(told)
