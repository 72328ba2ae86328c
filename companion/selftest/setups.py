"""The ten set-ups of the self-test: each lays what readers fail at, and says so in one sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from companion.games.corona.rules import DICE, FIELDS, LETTERS
from companion.sessions import label

Stand = Literal["apart", "touching", "stacked", "edge"]
DiceLie = Literal["apart", "block", "beside"]


@dataclass(frozen=True, slots=True)
class SetUp:
    """What to lay: `pieces` per field from A, `markers` as (field, colour), `dice` by colour, and how.

    `why` says why nobody can read it, and is empty where one can. `stand` and `dice_lie` are the same
    as `how` in single words.
    """

    number: int
    title: str
    pieces: tuple[int, ...]
    markers: tuple[tuple[int, str], ...]
    dice: dict[str, int]
    how: str
    stand: Stand = "apart"
    dice_lie: DiceLie = "apart"
    why: str = ""

    @property
    def photo(self) -> str:
        """The name of its frame."""
        return f"{self.number:03}.jpg"

    @property
    def known(self) -> dict[str, Any]:
        """Its entry in truth.json."""
        known = label(list(self.pieces), self.dice, list(self.markers))
        return {**known, "readable": not self.why, "why": self.why}

    def sentence(self) -> str:
        """What to do with the pieces, in one sentence."""
        return f"Lay {self.on_fields()}: {self.how}."

    def on_fields(self) -> str:
        """The pieces in words: "two pieces on C, one on F"."""
        fields = [(count, LETTERS[field]) for field, count in enumerate(self.pieces) if count]
        if {count for count, _ in fields} == {1}:
            return f"one piece on each of {_list([letter for _, letter in fields])}"
        words = [f"{_NUMBERS[count]} on {letter}" for count, letter in sorted(fields, key=lambda at: -at[0])]
        return _list([words[0].replace(" on", " pieces on", 1), *words[1:]])

    def with_markers(self) -> str:
        """The markers in words: "red on A, blue on C"; empty without any."""
        return ", ".join(f"{colour} on {LETTERS[field]}" for field, colour in self.markers)

    def with_dice(self) -> str:
        """What the dice show, in words: "red 1, blue 2"."""
        return ", ".join(f"{colour} {pips}" for colour, pips in self.dice.items())


_NUMBERS = ("no", "one", "two", "three", "four", "five", "six")


def setups(colours: Sequence[str]) -> list[SetUp]:
    """The ten, for a set of dice in `colours`. Over them each die shows every number."""
    # White and black are the hardest to tell from bare metal.
    hard = sorted(colours, key=lambda colour: colour not in ("white", "black"))
    six = tuple((2 * k, colour) for k, colour in enumerate(colours))
    a, b, c = hard[:3]

    def pips(first: int) -> dict[str, int]:
        return {colour: (first + k) % DICE + 1 for k, colour in enumerate(colours)}

    return [
        SetUp(1, "The easy one", _on("ACEGIK"), (), pips(0), "in the middle of its field, the dice apart"),
        SetUp(
            2,
            "Side by side",
            _on("BBHHEK"),
            (),
            pips(1),
            "pieces on one field touch each other, the dice lie apart",
            "touching",
        ),
        SetUp(3, "Three and three", _on("DDDJJJ"), (), pips(2), "the three touch each other", "touching"),
        SetUp(
            4,
            "On each other",
            _on("AAFFCI"),
            (),
            pips(3),
            "two on one field stand on each other (skip this if your pieces do not)",
            "stacked",
        ),
        SetUp(
            5,
            "Near the edge",
            _on("BDFHJL"),
            (),
            dict.fromkeys(colours, 1),
            "near the edge of its field but inside it, and each die where the ground is most like it",
            "edge",
            "beside",
        ),
        SetUp(
            6,
            "Neighbours",
            _on("GGHHII"),
            (),
            pips(4),
            "pieces on one field touch each other, the dice lie beside the board",
            "touching",
            "beside",
        ),
        SetUp(
            7, "A marker of each colour", _on("ACEGIK"), six, pips(5), "each with the marker that is named"
        ),
        SetUp(
            8,
            "Some with markers",
            _on("DDJJFL"),
            ((3, a), (9, b), (11, c)),
            pips(3),
            "one of the two on D and on J has a marker, the piece on F has none",
        ),
        SetUp(
            9,
            "Dice touching",
            _on("CCIIFL"),
            (),
            pips(1),
            "the dice in two rows of three, touching, in the middle of the board",
            "apart",
            "block",
        ),
        SetUp(
            10,
            "A hand",
            _on("ACEGIK"),
            (),
            pips(2),
            "then hold a flat hand over the middle of the board while the picture is taken",
            why="a hand over the board",
        ),
    ]


def _on(letters: str) -> tuple[int, ...]:
    assert len(letters) == 6
    return tuple(letters.count(LETTERS[field]) for field in range(FIELDS))


def _list(words: list[str]) -> str:
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))
