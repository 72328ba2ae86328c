"""How often readings of photos with known truth are right, unsure or wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from companion.followed import Followed
from companion.games.corona.played import Played
from companion.games.corona.rules import LETTERS
from companion.moves import as_short
from companion.overlay import in_words
from companion.reliability import is_right
from vision.reading import Reading


@dataclass(slots=True)
class Tally:
    """Frames of some sessions: readable ones read right, unsure or wrong, and the unreadable ones.

    `laid`: how many have all counts and dice surely right, whatever the pieces carry; `mislaid`: how many
    have them surely wrong, or cannot be read.
    """

    right: int = 0
    unsure: int = 0
    wrong: int = 0
    refused: int = 0
    swallowed: int = 0
    laid: int = 0
    mislaid: int = 0

    def __iadd__(self, other: Tally) -> Tally:
        for name in self.__slots__:
            setattr(self, name, getattr(self, name) + getattr(other, name))
        return self

    @property
    def readable(self) -> int:
        return self.right + self.unsure + self.wrong

    def count(self, reading: Reading, known: Mapping[str, Any]) -> str | None:
        """Count a frame; gives what there is to remark about it, None when all is as it should be."""
        lies_wrong = is_mislaid(reading, known)
        self.mislaid += lies_wrong
        self.laid += reading.without_markers().sure and not lies_wrong
        if not known["readable"]:
            self.swallowed += reading.sure
            self.refused += not reading.sure
            taken = "taken as sure" if reading.sure else "would be laid"
            return f"{taken}: {known.get('why') or 'nobody can read it'}" if lies_wrong else None
        if lies_wrong and not reading.sure:
            self.unsure += 1
            return f"WRONG if laid: {_differing(reading, {**known, 'markers': None})}"
        if not reading.sure:
            self.unsure += 1
            return "; ".join(in_words((doubt.what, doubt.why) for doubt in reading.doubts)) or "not sure"
        if is_right(reading, known):
            self.right += 1
            return None
        self.wrong += 1
        return f"WRONG: {_differing(reading, known)}"

    def row(self, name: str) -> str:
        """One line of the table."""
        share = f"{100 * self.right / self.readable:5.1f} %" if self.readable else "      -"
        cells = (self.readable, self.right, self.unsure, self.wrong, self.refused, self.swallowed)
        return f"{name:<22}" + "".join(f"{cell:>10}" for cell in (*cells, share, self.laid, self.mislaid))

    def as_object(self) -> dict[str, int]:
        return {"readable": self.readable, **asdict(self)}


@dataclass(slots=True)
class Rounds:
    """Rounds in photos whose moves are known: followed rightly, wrongly, or with a doubt."""

    right: int = 0
    unsure: int = 0
    wrong: int = 0

    def count(self, followed: Followed, truth: Mapping[str, Mapping[str, Any]]) -> str | None:
        """Count a round; `truth` is what is known of its photos. Gives what there is to remark, or None."""
        if followed.doubts:
            self.unsure += 1
            return "the moves are in doubt: " + "; ".join(in_words(followed.doubts))
        play = followed.play
        if play and _is_true(play, followed.colours, truth):
            self.right += 1
            return None
        self.wrong += 1
        return f"WRONG moves: {as_short(play.moves, followed.colours) if play else 'none'}"

    def row(self) -> str:
        """One line, in words."""
        return f"rounds followed: {self.right} rightly, {self.unsure} in doubt, {self.wrong} wrongly"


def _is_true(play: Played, colours: Sequence[str], truth: Mapping[str, Mapping[str, Any]]) -> bool:
    """Whether a round was played so, its moves in this order, but for such as one photo shows together."""
    entries = list(truth.values())
    moves = [known["move"] for known in entries if "move" in known]
    laid = entries[: next((k for k, known in enumerate(entries) if "move" in known), len(entries))]
    true = [
        (number, move["from"], move["to"], move["colour"])
        for number, move in zip(play.shown, moves, strict=False)
    ]
    told = [
        (number, move.start, move.to, colours[move.die])
        for number, move in zip(play.shown, play.moves, strict=True)
    ]
    starts = [known["pieces"] for known in laid if known.get("pieces")]
    return (
        len(moves) == len(play.moves)
        and sorted(told) == sorted(true)
        and list(play.start.occupants) in starts
    )


def is_mislaid(reading: Reading, known: Mapping[str, Any]) -> bool:
    """Whether counts and dice, surely read, are not what lies there, or nobody can read that."""
    lies = reading.without_markers()
    return lies.sure and not (known["readable"] and is_right(lies, {**known, "markers": None}))


def _differing(reading: Reading, known: Mapping[str, Any]) -> str:
    """What was read and what is true, each as a situation, and the markers where they differ."""
    told = []
    read_as, true = (
        "".join(map(str, counts)) + "-" + "".join(str(dice.get(colour, "?")) for colour in reading.dice)
        for counts, dice in ((reading.counts or (), reading.dice), (known["pieces"], known["dice"]))
    )
    if read_as != true or reading.dice != known["dice"]:
        told.append(f"read {read_as}, true is {true}")
    seen, there = (
        " ".join(sorted(f"{LETTERS[field]}:{colour}" for field, colour in markers)) or "none"
        for markers in (
            reading.markers,
            [(one["field"], one["colour"]) for one in known.get("markers") or ()],
        )
    )
    if seen != there and known.get("markers") is not None:
        told.append(f"markers read {seen}, true is {there}")
    return "; ".join(told)


HEADER = f"{'session':<22}" + "".join(
    f"{word:>10}"
    for word in ("readable", "right", "unsure", "wrong", "refused", "swallowed", "share", "laid", "mislaid")
)
LEGEND = (
    "right: sure and all of it true; share: of the readable ones. wrong: sure and not.\n"
    "refused and swallowed: frames nobody could read, taken as unsure or as sure.\n"
    "laid: counts and dice surely right, whatever the pieces carry, so that the situation can be laid;\n"
    "mislaid: surely, but wrongly, or nobody could read them."
)
