"""The rules of Corona: situations, legal moves, points, and what differs between the editions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

FIELDS = 12
PIECES = 6
DICE = 6
MOST_POINTS = 21
"""The French book's most; no state has more, as the table of all states proves (`states.py`)."""

DEFAULT_COLOURS = ("red", "blue", "green", "yellow", "white", "black")
COLOURS = (*DEFAULT_COLOURS, "orange", "purple", "brown", "pink")
LETTERS = "ABCDEFGHIJKL"

EditionName = Literal["fr", "de"]


class CoronaError(Exception):
    """Base of every fault this game reports; its text is one sentence a person can act on."""


class BadSituation(CoronaError, ValueError):
    """Pieces and dice that cannot be on a table together; `faults` names every one of them."""

    def __init__(self, faults: list[str]) -> None:
        self.faults = faults
        super().__init__("; ".join(faults))


class IllegalMove(CoronaError, ValueError):
    """A move the rules do not allow in this situation."""


@dataclass(frozen=True, slots=True)
class Edition:
    """What the two rulebooks print differently."""

    name: EditionName
    chips_in_box: int
    doubled_wins_outright: bool
    """Ending (d): de names the player who doubled the winner, fr the one with most chips."""


EDITIONS: dict[EditionName, Edition] = {
    "fr": Edition("fr", chips_in_box=100, doubled_wins_outright=False),
    "de": Edition("de", chips_in_box=120, doubled_wins_outright=True),
}


def starting_chips(players: int) -> int:
    """Chips each of `players` gets at the start: 2n + 2 (both editions, "Préparatifs")."""
    return 2 * players + 2


@dataclass(frozen=True, slots=True)
class Situation:
    """Where the six pieces stand and what the six dice show, at the start or in mid-play.

    `waiting` and `moved` count the pieces on fields A..L that have still to move, and that have
    moved. `dice` follows the set's colour order; 0 is a die that has been used. Raises
    `BadSituation` with every fault at once.
    """

    waiting: tuple[int, ...]
    dice: tuple[int, ...]
    moved: tuple[int, ...] = (0,) * FIELDS

    def __post_init__(self) -> None:
        faults = faults_of(self.waiting, self.dice, self.moved)
        if faults:
            raise BadSituation(faults)

    @property
    def occupants(self) -> tuple[int, ...]:
        """Pieces on each field, moved or not."""
        return tuple(w + m for w, m in zip(self.waiting, self.moved, strict=True))

    @property
    def is_start(self) -> bool:
        return not any(self.moved)


def faults_of(waiting: tuple[int, ...], dice: tuple[int, ...], moved: tuple[int, ...]) -> list[str]:
    """Everything that is wrong with these pieces and dice, a clause each; empty when all is well."""
    faults = []
    for what, counts in (("pieces", waiting), ("moved pieces", moved)):
        if len(counts) != FIELDS:
            faults.append(f"{what} are given for {len(counts)} fields instead of {FIELDS}")
        if any(count < 0 for count in counts):
            faults.append(f"a field has fewer than 0 {what}")
    pieces = sum(waiting) + sum(moved)
    if pieces != PIECES:
        faults.append(f"{pieces} piece{'s' * (pieces != 1)} instead of {PIECES}")
    if len(dice) != DICE:
        faults.append(f"{len(dice)} dice instead of {DICE}")
    used = 0
    for number, pips in enumerate(dice, start=1):
        if pips == 0 and sum(moved) > 0:
            used += 1
        elif not 1 <= pips <= 6:
            faults.append(f"die {number} shows {pips}")
    if sum(moved) > 0 and used != sum(moved):
        dice_word = "die" if used == 1 else "dice"
        faults.append(f"{sum(moved)} moved piece{'s' * (sum(moved) != 1)} but {used} used {dice_word}")
    return faults


@dataclass(frozen=True, slots=True)
class Move:
    """One piece goes from `start` to `to` (fields 0..11) by die number `die` (0..5) and scores `points`."""

    start: int
    to: int
    die: int
    pips: int
    points: int


def legal_moves(situation: Situation) -> Iterator[Move]:
    """Every move the rules allow, by field, then by die."""
    occupants = situation.occupants
    for start, waiting in enumerate(situation.waiting):
        if not waiting:
            continue
        for die, pips in enumerate(situation.dice):
            if pips:
                to = (start + pips) % FIELDS
                there = occupants[to] + 1
                yield Move(start, to, die, pips, there if there >= 2 else 0)


def find_move(situation: Situation, start: int, die: int) -> Move:
    """The move of a waiting piece on field `start` by die number `die`; raises `IllegalMove`."""
    if not situation.waiting[start]:
        raise IllegalMove(f"no piece on {LETTERS[start]} has still to move")
    if not situation.dice[die]:
        raise IllegalMove(f"die {die + 1} has been used")
    return next(move for move in legal_moves(situation) if (move.start, move.die) == (start, die))


def play(situation: Situation, move: Move) -> Situation:
    """The situation after `move`."""
    waiting, moved, dice = list(situation.waiting), list(situation.moved), list(situation.dice)
    waiting[move.start] -= 1
    moved[move.to] += 1
    dice[move.die] = 0
    return Situation(tuple(waiting), tuple(dice), tuple(moved))


def after(situation: Situation, moves: Iterable[Move]) -> Situation:
    """The situation after all `moves`, in their order."""
    for move in moves:
        situation = play(situation, move)
    return situation
