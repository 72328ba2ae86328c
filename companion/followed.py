"""A round's photos, followed: each is read, and the play that they show is told, with what is in doubt."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from calibration.files import NotAPhoto, read_photo
from companion.games.corona import notation
from companion.games.corona.played import Played, played
from companion.games.corona.rules import LETTERS, PIECES
from companion.games.corona.sighting import DoubtPair
from companion.games.corona.values import as_objects
from companion.moves import as_rows
from companion.overlay import in_words
from companion.sighted import as_look, sighted
from companion.together import Together
from hardware.folder_camera import PICTURES
from vision.profile import Profile
from vision.reading import Reading

PHOTOS = PICTURES | {".bmp", ".tif", ".tiff", ".heic", ".heif"}
"""What looks like a photo: of one that cannot be opened it is told."""
CALIBRATING = {"empty", "dice"}
"""Names of the photos that a set is learned from."""
_NUMBER = re.compile(r"(\d+)")


class NoRound(ValueError):
    """A folder without a round's photos; the text says what to do."""


def photos_in(folder: Path) -> list[Path]:
    """The photos of a round in the order of their names, 2 before 10: in `folder`, or in its folder `frames`.

    Raises `NoRound`.
    """
    try:
        inside = folder / "frames" if (folder / "frames").is_dir() else folder
        found = [path for path in inside.iterdir() if path.suffix.lower() in PHOTOS]
    except NotADirectoryError as fault:
        raise NoRound(f"{folder} is a file; name the folder that holds a round's photos") from fault
    except OSError as fault:
        raise NoRound(
            f"{folder} cannot be read ({fault.strerror}); name the folder of a round's photos"
        ) from fault
    found = [path for path in found if path.stem.lower() not in CALIBRATING and path.name[0] != "."]
    if not found:
        raise NoRound(f"{inside} holds no photo of a round (.jpg, .png or .webp)")
    return sorted(found, key=_in_order)


def _in_order(path: Path) -> tuple[list[tuple[int, str]], str]:
    parts = _NUMBER.split(path.stem)
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in parts], path.name


@dataclass(frozen=True, slots=True)
class Followed:
    """The play that a round's photos show, None where they show none, and what is in doubt.

    `broken`: sentences about photos that are no pictures.
    """

    colours: tuple[str, ...]
    play: Played | None
    doubts: tuple[DoubtPair, ...]
    broken: tuple[str, ...]

    def as_object(self) -> dict[str, Any]:
        """In the form of the command contract."""
        return {
            "situation": notation.write(self.play.start) if self.play else None,
            "moves": as_objects(self.play.moves, self.colours) if self.play else [],
            "points": self.play.points if self.play else None,
            "doubts": [{"what": what, "why": why} for what, why in self.doubts],
        }

    def rows(self) -> Iterator[str]:
        """For a person: the start, a row a move, a row a doubt."""
        if self.play:
            moves = self.play.moves
            many = f"{len(moves)} move{'s' * (len(moves) != 1)}" if moves else "nothing was moved"
            yield f"{notation.write(self.play.start)}  {many}, {self.play.points} points"
            yield from (row.rstrip("\n") for row in as_rows(moves, self.colours))
        else:
            yield "no situation"
        yield from (f"  in doubt: {words}" for words in in_words(self.doubts))


def follow(profile: Profile, photos: Sequence[Path]) -> Followed:
    """The play that these photos of one round show, in their order."""
    table = Together.of(profile, photos)
    colours = tuple(colour.name for colour in profile.colours)
    readings: dict[str, Reading] = {}
    broken: dict[str, str] = {}
    for photo in photos:
        try:
            readings[photo.name] = table.read(read_photo(photo), str(photo))
        except NotAPhoto as fault:
            broken[photo.name] = str(fault)
    return told_by(readings, colours, broken)


def told_by(
    readings: Mapping[str, Reading], colours: Sequence[str], broken: Mapping[str, str] | None = None
) -> Followed:
    """The play that photos show, by what was read in each, in their order; `broken`: what is wrong with those
    that are no pictures."""
    seen = {name: reading for name, reading in readings.items() if _is_laid(reading)}
    play = played([as_look(reading, colours) for reading in seen.values()])
    doubts = [(f"photo {name}", "it cannot be opened") for name in broken or ()]
    doubts += _doubts(play, readings, list(seen), colours)
    return Followed(tuple(colours), play, tuple(doubts), tuple((broken or {}).values()))


def _is_laid(reading: Reading) -> bool:
    """Whether a table is seen on which all pieces may stand, but for one in somebody's hand."""
    if reading.counts is None or reading.covered:
        return False
    return None in reading.counts or sum(count or 0 for count in reading.counts) >= PIECES - 1


def _doubts(
    play: Played | None, readings: Mapping[str, Reading], seen: Sequence[str], colours: Sequence[str]
) -> Iterator[DoubtPair]:
    """What somebody should look at; `seen` are the photos in which pieces and dice were looked for."""
    if play is None:
        yield "situation", "no photo shows all six pieces and the dice clearly"
        return
    start = readings[seen[play.since]]
    unseen = [name for name in _before(readings, seen[play.since]) if name not in seen]
    if unseen and (start.markers or not any(readings[name].markers for name in seen)):
        yield f"photo {unseen[-1]}", "not seen whether anything was moved before the next one"
    for name in seen[: play.since]:
        there = zip(readings[name].counts or (), play.start.occupants, strict=False)
        if any(count not in (None, stands) for count, stands in there):
            yield f"photo {name}", "pieces stand otherwise than where the play begins; taken as older"
    for number in play.strays:
        yield f"photo {seen[number]}", "what it shows fits no play with the others"
    if not play.sure:
        yield from _otherwise(play, colours)
    for number in play.unmarked:
        yield f"move {number + 1}", "its marker was not seen in the piece before"
    if play.circle:
        letters = " and ".join(dict.fromkeys(LETTERS[field] for field in play.circle))
        yield "moves", f"not seen whether the pieces of {letters} went to each other's places"
    for some in play.together:
        if some.others:
            numbers = " and ".join(str(number + 1) for number in some.moves)
            points = " or ".join(map(str, some.others))
            yield (
                f"moves {numbers}",
                f"in which order is not seen; in another they score {points}, not {some.told}",
            )
    later = list(readings)[list(readings).index(seen[-1]) + 1 :]
    for name in later:
        why = "; ".join(in_words(sighted(readings[name], colours).doubts))
        yield f"photo {name}", f"not seen whether anything was moved after {seen[-1]} ({why})"


def _before(readings: Mapping[str, Reading], name: str) -> list[str]:
    """The photos before one."""
    names = list(readings)
    return names[: names.index(name)]


def _otherwise(play: Played, colours: Sequence[str]) -> Iterator[DoubtPair]:
    """What else the likeliest play may be."""
    assert play.other
    start, moves = play.other
    if start != play.start:
        yield "situation", f"perhaps {notation.write(start)}"
        return
    here, there = ({(move.start, move.die): move for move in line} for line in (play.moves, moves))
    instead = [move for which, move in there.items() if which not in here]
    doubted = [number for number, move in enumerate(play.moves, 1) if (move.start, move.die) not in there]
    each = [f"{LETTERS[move.start]} to {LETTERS[move.to]} by {colours[move.die]}" for move in instead]
    words = " and ".join(each) or "none"
    for number in doubted:
        yield f"move {number}", f"perhaps {words}"
    if not doubted:
        yield "moves", f"perhaps more: {words}"
