"""The ten set-ups of the self-test: each lays what readers fail at, and says so in one sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from companion.games.corona.refused import N_
from companion.games.corona.rules import FIELDS, LETTERS
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


@dataclass(frozen=True, slots=True)
class _Plan:
    """A set-up before the set is known: `on` has a letter for each piece, the first die shows `first`."""

    title: str
    on: str
    first: int
    how: str
    stand: Stand = "apart"
    dice_lie: DiceLie = "apart"
    why: str = ""


_MARKED_ALL, _MARKED_SOME, _ALL_ONES = N_("A marker of each colour"), N_("Some with markers"), 0
_PLANS = (
    _Plan(N_("The easy one"), "ACEGIK", 1, N_("in the middle of its field, the dice apart")),
    _Plan(
        N_("Side by side"),
        "BBHHEK",
        2,
        N_("pieces on one field touch each other, the dice lie apart"),
        "touching",
    ),
    _Plan(N_("Three and three"), "DDDJJJ", 3, N_("the three touch each other"), "touching"),
    _Plan(
        N_("On each other"),
        "AAFFCI",
        4,
        N_("two on one field stand on each other (skip this if your pieces do not)"),
        "stacked",
    ),
    _Plan(
        N_("Near the edge"),
        "BDFHJL",
        _ALL_ONES,
        N_("near the edge of its field but inside it, and each die where the ground is most like it"),
        "edge",
        "beside",
    ),
    _Plan(
        N_("Neighbours"),
        "GGHHII",
        5,
        N_("pieces on one field touch each other, the dice lie beside the board"),
        "touching",
        "beside",
    ),
    _Plan(_MARKED_ALL, "ACEGIK", 6, N_("each with the marker that is named")),
    _Plan(
        _MARKED_SOME,
        "DDJJFL",
        4,
        N_("one of the two on D and on J has a marker, the piece on F has none"),
    ),
    _Plan(
        N_("Dice touching"),
        "CCIIFL",
        2,
        N_("the dice in two rows of three, touching, in the middle of the board"),
        dice_lie="block",
    ),
    _Plan(
        N_("A hand"),
        "ACEGIK",
        3,
        N_("then hold a flat hand over the middle of the board while the picture is taken"),
        why=N_("a hand over the board"),
    ),
)


def setups(colours: Sequence[str]) -> list[SetUp]:
    """The ten, for a set of dice in `colours`. Over them each die shows every number."""
    # White and black are the hardest to tell from bare metal.
    hard = sorted(colours, key=lambda colour: colour not in ("white", "black"))
    markers = {
        _MARKED_ALL: tuple((2 * k, colour) for k, colour in enumerate(colours)),
        _MARKED_SOME: tuple((LETTERS.index(letter), hard[k]) for k, letter in enumerate("DJL")),
    }
    return [
        SetUp(
            number,
            plan.title,
            tuple(plan.on.count(LETTERS[field]) for field in range(FIELDS)),
            markers.get(plan.title, ()),
            _pips(plan.first, colours),
            plan.how,
            plan.stand,
            plan.dice_lie,
            plan.why,
        )
        for number, plan in enumerate(_PLANS, start=1)
    ]


def _pips(first: int, colours: Sequence[str]) -> dict[str, int]:
    if first == _ALL_ONES:
        return dict.fromkeys(colours, 1)
    return {colour: (first - 1 + k) % 6 + 1 for k, colour in enumerate(colours)}


def _list(words: list[str]) -> str:
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))
