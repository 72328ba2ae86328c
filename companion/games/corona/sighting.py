"""What the camera saw, as plain values -> a situation to lay, or the doubts a person should look at."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from companion.games.corona.refused import N_
from companion.games.corona.rules import FIELDS, LETTERS, BadSituation, Situation

DoubtPair = tuple[str, str]
"""What is in doubt ("die blue", "field C", "board"), and why."""
_FROM_TO = re.compile(rf"([{LETTERS}]) to ([{LETTERS}])")


@dataclass(frozen=True, slots=True)
class Sighting:
    """`situation` is there when everything was seen and can be on a table together; sure without a doubt."""

    situation: Situation | None
    doubts: tuple[DoubtPair, ...] = ()

    @property
    def sure(self) -> bool:
        return self.situation is not None and not self.doubts


def sight(
    counts: Sequence[int | None] | None,
    dice: Mapping[str, int | None],
    colours: Sequence[str],
    sure: bool,
    doubts: Iterable[DoubtPair] = (),
) -> Sighting:
    """The sighting of one frame.

    `counts`: pieces on fields A..L, None where unread, or None without a board. `dice`: pips by colour,
    None where unread. `colours`: the set's colour order, which the situation follows. `sure` and `doubts`:
    what the reading says of itself; one that is not sure is doubted even where it gives no reason.
    """
    found = dict.fromkeys(doubts)  # each once, in order
    named = {one for what, _ in found for one in _each(what)}
    missing = [pair for pair in _missing(counts, dice, colours) if pair[0] not in named]
    found.update(dict.fromkeys(missing))
    situation = None
    try:
        situation = _situation(counts, dice, colours)
    except BadSituation as fault:
        found.update(dict.fromkeys(("situation", clause) for clause in fault.faults))
    if not sure and not found:
        found["reading", N_("the camera is not sure")] = None
    return Sighting(situation, tuple(found))


def lies_otherwise(
    counts: Sequence[int | None] | None,
    dice: Mapping[str, int | None],
    colours: Sequence[str],
    doubts: Iterable[DoubtPair],
    laid: Situation,
) -> bool:
    """Whether what is read without a doubt, of two fields or dice at least, is not as in `laid`.

    The other arguments as of `sight`. Of one alone it may be a mistake of whoever reads.
    """
    doubted = {one for what, _ in doubts for one in _each(what)}
    fields = zip((f"field {letter}" for letter in LETTERS), counts or (), laid.occupants, strict=False)
    faces = ((f"die {colour}", dice.get(colour), was) for colour, was in zip(colours, laid.dice, strict=True))
    other = [what for what, now, was in (*fields, *faces) if now not in (None, was) and what not in doubted]
    return len(other) > 1


def _each(what: str) -> list[str]:
    """What a doubt is about, one by one: "fields K to A" and "fields A K L" are three fields each."""
    kind, _, name = what.partition(" ")
    if kind != "fields":
        return [what]
    letters = name.split()
    if ends := _FROM_TO.fullmatch(name):
        first, last = (LETTERS.index(letter) for letter in ends.groups())
        letters = [LETTERS[i % FIELDS] for i in range(first, first + (last - first) % FIELDS + 1)]
    return [f"field {letter}" for letter in letters]


def _missing(
    counts: Sequence[int | None] | None, dice: Mapping[str, int | None], colours: Sequence[str]
) -> list[DoubtPair]:
    """What has not been read, and what does not belong to the set."""
    pairs = []
    if counts is None:
        pairs.append(("board", N_("not seen")))
    elif len(counts) != FIELDS:
        pairs.append(("board", f"{len(counts)} fields instead of {FIELDS}"))
    else:
        pairs += [(f"field {LETTERS[i]}", N_("not read")) for i, count in enumerate(counts) if count is None]
    pairs += [(f"die {colour}", N_("not read")) for colour in colours if dice.get(colour) is None]
    pairs += [(f"die {colour}", N_("not of this set")) for colour in dice if colour not in colours]
    return pairs


def _situation(
    counts: Sequence[int | None] | None, dice: Mapping[str, int | None], colours: Sequence[str]
) -> Situation | None:
    """The situation where everything was read; raises `BadSituation` where it cannot be."""
    if counts is None or len(counts) != FIELDS:
        return None
    pieces = tuple(count for count in counts if count is not None)
    pips = tuple(shown for colour in colours if (shown := dice.get(colour)) is not None)
    if len(pieces) != FIELDS or len(pips) != len(colours) or set(dice) - set(colours):
        return None
    return Situation(pieces, pips)
