"""A play, followed as it is played: what the camera enters of what it sees moved."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import compress, product

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

Places = tuple[int, ...]


class PlayingAlong:
    """Follows a play from look to look; what was entered is in the game's state, not here.

    `asks`: what was seen, but not entered: moves of which nobody saw which came first, or none, where the
    pieces stand as no moves tell; None where nothing is left open.
    """

    def __init__(self) -> None:
        self.asks: tuple[Move, ...] | None = None
        self._lay: Places = ()
        self._taken_back: Places = ()
        self._markers: tuple[tuple[int, str], ...] = ()

    def looked(self, state: game.State, reading: Reading, at: float) -> game.Follow | None:
        """What a look at the table adds to the play, or changes in what the camera has entered of it; None
        where that is nothing, or in doubt.

        Nothing, too, while the table lies as it lay when somebody took back what had been entered, or a move
        was entered by hand that has still to be made.
        """
        self.asks = None
        standing = state.by_hand.standing
        if state.phase != "play" or state.paused is not None or standing is None:
            return None
        if set(reading.dice) != set(state.colours) or not _shows_all(reading):
            return None
        look = as_look(reading, state.colours)
        before, self._markers = self._markers, reading.markers
        self._lay = tuple(look.counts.argmax(axis=1).tolist())
        if self._lay == self._taken_back:
            return None
        self._taken_back = ()
        entered = state.moves[len(state.by_hand.moves) :]
        play = _told(standing, entered, look)
        if _is_behind(state, self._lay, len(play.moves) - len(entered) if play else PIECES):
            return None
        moves = _by_dice(state, play.moves, entered, before) if play else None
        if play is None or moves is None or play.likely < LIKELY:
            self.asks = ()
            return None
        if unordered := next((some for some in play.together if some.others), None):
            known = moves[: len(entered)] == entered
            self.asks = tuple(moves[number] for number in unordered.moves) if known else ()
            return None
        if moves == entered:
            return None
        steps = tuple((move.start, move.die) for move in moves)
        return game.Follow(steps, entered=len(state.by_hand.moves), at=max(at, state.at))

    def taken_back(self) -> None:
        """Somebody has taken back what was entered last: it is not entered again before something moves."""
        self._taken_back = self._lay


def _shows_all(reading: Reading) -> bool:
    """Whether six pieces are seen; of five, one is in a hand, or on its way."""
    counts = reading.counts or ()
    return not reading.covered and None not in counts and sum(count or 0 for count in counts) == PIECES


def _is_behind(state: game.State, lay: Places, added: int) -> bool:
    """Whether the pieces `lay` so because what was entered by hand has still to be moved, rather than by as
    many moves as were `added`: by no more of them, or where none at all was made."""
    by_hand = len(state.by_hand.moves)
    some = [made for made in product((False, True), repeat=len(state.moves)) if not all(made[:by_hand])]
    missing = [made.count(False) for made in some if _after_some(state, made) == lay]
    return bool(missing) and (min(missing) <= added or max(missing) == len(state.moves))


def _after_some(state: game.State, made: Sequence[bool]) -> Places:
    """How the pieces stand when only those of the moves were made."""
    assert state.situation is not None
    stand = list(state.situation.occupants)
    for move in compress(state.moves, made):
        stand[move.start] -= 1
        stand[move.to] += 1
    return tuple(stand)


def _told(standing: Situation, entered: Sequence[Move], look: Look) -> Played | None:
    """The likeliest play that a look tells after those moves; after fewer of them, where a piece was put back
    or has gone on; None where it fits none."""
    for many in range(len(entered), -1, -1):
        play = played([*_looks(standing, entered[:many]), look], standing)
        if play and not play.strays:
            return play
    return None


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
