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
from companion.games.corona.events import Event, GameStarted, HourglassTurned, SituationLaid
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


def where_kept(folder: Path) -> str:
    """What is said at the start: where photos of corrected readings are kept, or why they cannot be."""
    if why := cannot_be_written(folder):
        return (
            f"Photos of set-ups that somebody corrects cannot be kept: {folder} cannot be written ({why}); "
            "name another folder as seeing.keep_corrections."
        )
    return f"Photos of set-ups that somebody corrects are kept in {folder}."


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
        self._corrected: tuple[Profile, bytes, dict[str, Any]] | None = None
        self._writer = ThreadPoolExecutor(1, "keeping")
        self._noted = ""

    def heard(self, state: game.State, events: tuple[Event, ...]) -> None:
        """Listens to the table. What is kept is what was played with: until the turn it may change."""
        for event in events:
            match event:
                case GameStarted():
                    self._corrected = None
                case SituationLaid():
                    self._corrected = self._correction(state)
                case HourglassTurned() if self._corrected is not None:
                    self._writer.submit(self._keep, *self._corrected)
                    self._corrected = None

    def learned(self, profile: Profile) -> None:
        """From now on pictures are read with `profile`, from the same file."""
        self._profile, self._corrected = profile, None

    def close(self) -> None:
        """Finish what has been heard."""
        self._writer.shutdown()

    def _correction(self, state: game.State) -> tuple[Profile, bytes, dict[str, Any]] | None:
        """Profile, picture and truth of the situation just laid, if the camera had not read it so."""
        seen, laid = self._lying(), state.situation
        if self._profile is None or seen is None or laid is None:
            return None
        if set(state.colours) != {colour.name for colour in self._profile.colours}:
            return None
        dice = dict(zip(state.colours, laid.dice, strict=True))
        # At a set-up no piece has a marker, but those of the round before may still stand there.
        known = label(list(laid.occupants), dice, None if seen.reading.markers else [])
        return (self._profile, seen.jpeg, known) if corrects(known, seen.reading) else None

    def _keep(self, profile: Profile, jpeg: bytes, known: dict[str, Any]) -> None:
        try:
            session = PhotoSession(self._folder / f"kept-{mark_of(profile)}")
            # A picture never takes more as JPEG or PNG than it has samples, give or take its header.
            begun = session.begun
            needed = len(jpeg) + 4096 + (0 if begun else 2 * profile.empty.nbytes + 65536)
            if _size(self._folder) + needed > self._most:
                self._note(f"{self._folder} is full: corrected readings are no longer kept")
                return
            if not begun:
                about = {"kind": "kept", "notes": "readings that a person corrected"}
                session.begin(profile, about, dice_of(self._profile_file))
            session.add(jpeg, known)
        except (OSError, ValueError) as fault:
            why = getattr(fault, "strerror", None) or fault
            self._note(f"a corrected reading cannot be kept in {self._folder}: {why}")

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
