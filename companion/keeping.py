"""Readings that a person corrected, kept as photo sessions: what a reader gets better with."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from companion.folders import cannot_be_written
from companion.games.corona import game
from companion.games.corona.events import (
    Event,
    GameStarted,
    HourglassCancelled,
    HourglassTurned,
    ReadingCorrected,
    SituationLaid,
    Undone,
)
from companion.games.corona.rules import Situation
from companion.rig import CoronaTable
from companion.sessions import PhotoSession, dice_of, label, mark_of
from companion.watch import Seen
from vision.profile import Profile
from vision.reading import Reading

log = logging.getLogger(__name__)

LEAST_READ, LEAST_ALIKE = 6, 2 / 3
"""Of fields and dice, how many must have been read and which share of them rightly: where the camera saw
something quite different, the situation was not entered for what lies under it."""
MEGABYTE = 1_000_000


def where_kept(folder: Path, most_mb: int) -> str:
    """What is said at the start: where photos of corrected readings are kept, or why they cannot be."""
    if why := cannot_be_written(folder):
        return (
            f"Photos of set-ups that somebody corrects cannot be kept: {folder} cannot be written ({why}); "
            "name another folder as seeing.keep_corrections."
        )
    taken = _size(folder) / MEGABYTE
    if taken > most_mb - 1:  # a photo takes less
        return (
            f"No more photos of set-ups that somebody corrects are kept: {folder} is full ({most_mb} MB); "
            "move them elsewhere, or allow more as seeing.keep_mb."
        )
    return f"Photos of set-ups that somebody corrects are kept in {folder} ({taken:.0f} of {most_mb} MB)."


@contextmanager
def keeping(
    folder: Path,
    most_mb: int,
    profile: Profile | None,
    table: CoronaTable,
    lying: Callable[[], Seen | None],
    profile_file: Path | None = None,
) -> Iterator[Keeper]:
    """Keep corrected readings in `folder`, at most `most_mb` megabytes of them, until the context ends.

    `profile_file` is where `profile` (None: not learned yet) came from, for the photo of the dice beside it.
    `lying` gives the picture of what lies on the table now, None while something moves or has just moved.
    """
    keeper = Keeper(folder, most_mb * MEGABYTE, profile, lying, profile_file)
    leave = table.listen(keeper.heard)
    try:
        yield keeper
    finally:
        leave()
        keeper.close()


class Keeper:
    """Keeps, for each round that is played, the photo of its set-up if the camera had not read it surely.

    It never holds more than `most` bytes: then it stops, and what was kept stays. The file work is done in
    a thread of its own, so that nobody at the table waits for the card.
    """

    def __init__(
        self,
        folder: Path,
        most: int,
        profile: Profile | None,
        lying: Callable[[], Seen | None],
        profile_file: Path | None = None,
    ) -> None:
        self._folder, self._most, self._profile, self._lying = folder, most, profile, lying
        self._profile_file = profile_file
        self._picture: tuple[Profile, Seen] | None = None
        self._laid = 0
        self._turned: dict[int, int] = {}
        self._kept: dict[int, tuple[PhotoSession, str]] = {}
        self._writer = ThreadPoolExecutor(1, "keeping")
        self._noted = ""

    def heard(self, state: game.State, events: tuple[Event, ...]) -> None:
        """Listens to the table. What is kept is what was played with: until the turn it may change, and when
        somebody says later that it was another one, that is kept.

        Set-ups are counted (`_laid`); `_turned` says which of them was that of each round, and `_kept`, which
        the writer alone touches, where they are kept.
        """
        for event in events:
            match event:
                case GameStarted():
                    self._picture = None
                    self._turned.clear()
                case SituationLaid():
                    self._laid += 1
                    self._picture = self._seen()
                case HourglassTurned():
                    self._turned[state.settled + 1] = self._laid
                    self._played(state.settled + 1, state.situation, state.colours)
                case HourglassCancelled():
                    self._taken_back(state)
                case Undone():
                    self._picture = None  # it may show what was laid in place of this
                    self._taken_back(state)
                case ReadingCorrected():
                    self._played(event.round, event.situation, state.colours)

    def learned(self, profile: Profile) -> None:
        """From now on pictures are read with `profile`, from the same file."""
        self._profile, self._picture = profile, None

    def close(self) -> None:
        """Finish what has been heard."""
        self._writer.shutdown()

    def _seen(self) -> tuple[Profile, Seen] | None:
        """What lies on the table now, and the profile that it is read with."""
        seen = self._lying()
        return None if self._profile is None or seen is None else (self._profile, seen)

    def _played(self, round: int, laid: Situation | None, colours: tuple[str, ...]) -> None:
        """Keep that `round` was played with `laid`, if the camera had not read it so, or it is kept."""
        which = self._turned.get(round)
        if which is None or laid is None:
            return
        dice = dict(zip(colours, laid.dice, strict=True))
        picture = self._picture if which == self._laid else None
        if picture and set(colours) != {colour.name for colour in picture[0].colours}:
            picture = None
        self._writer.submit(self._keep, which, picture, list(laid.occupants), dice)

    def _taken_back(self, state: game.State) -> None:
        """Forget those rounds whose turn does not count any more."""
        last = state.settled + (state.phase not in ("start", "throw", "lay"))
        for round in [round for round in self._turned if round > last]:
            self._writer.submit(self._forget, self._turned.pop(round))

    def _keep(
        self, which: int, picture: tuple[Profile, Seen] | None, pieces: list[int], dice: dict[str, int]
    ) -> None:
        """Keep a set-up with its picture; of one that is kept already, what it truly was."""
        try:
            if kept := self._kept.get(which):
                kept[0].put_right(kept[1], {"pieces": pieces, "dice": dice})
                return
            if picture is None:
                return
            profile, seen = picture
            # At a set-up no piece has a marker, but those of the round before may still stand there.
            known = label(pieces, dice, None if seen.reading.markers else [])
            if corrects(known, seen.reading) and (session := self._room_for(seen.jpeg, profile)):
                self._kept[which] = session, session.add(seen.jpeg, known)
        except (OSError, ValueError) as fault:
            why = getattr(fault, "strerror", None) or fault
            self._note(f"a corrected reading cannot be kept in {self._folder}: {why}")

    def _room_for(self, jpeg: bytes, profile: Profile) -> PhotoSession | None:
        """The session that this photo goes to; None where it is full."""
        session = PhotoSession(self._folder / f"kept-{mark_of(profile)}")
        # A picture never takes more as JPEG or PNG than it has samples, give or take its header.
        begun = session.begun
        needed = len(jpeg) + 4096 + (0 if begun else 2 * profile.empty.nbytes + 65536)
        if _size(self._folder) + needed > self._most:
            self._note(f"{self._folder} is full: corrected readings are no longer kept")
            return None
        if not begun:
            about = {"kind": "kept", "notes": "readings that a person corrected"}
            session.begin(profile, about, dice_of(self._profile_file, profile))
        return session

    def _forget(self, which: int) -> None:
        """Take a set-up out that was not played with."""
        session, name = self._kept.pop(which, (None, ""))
        try:
            if session:
                session.drop(name)
        except (OSError, ValueError) as fault:
            why = getattr(fault, "strerror", None) or fault
            self._note(f"a photo that is wrong cannot be taken out of {self._folder}: {why}")

    def _note(self, sentence: str) -> None:
        if sentence != self._noted:  # once: the card would be as full in every round
            log.warning("%s", sentence)
        self._noted = sentence


def corrects(known: dict[str, Any], reading: Reading) -> bool:
    """Whether `known` (an entry of truth.json) corrects `reading`, or answers what it had doubted."""
    pairs = list(zip(reading.counts or (), known["pieces"], strict=False))
    pairs += [(pips, known["dice"].get(colour)) for colour, pips in reading.dice.items()]
    read = [shown == true for shown, true in pairs if shown is not None]
    if len(read) < LEAST_READ or sum(read) < LEAST_ALIKE * len(read):
        return False
    return not (reading.sure and all(read))


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
