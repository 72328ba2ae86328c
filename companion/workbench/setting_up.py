"""The camera set up step by step: aimed, the empty board, the dice, their sizes; a profile at the end."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from calibration.advice import advice
from calibration.calibrate import SixDice, see_dice
from calibration.colours import check_colours, likely_names
from calibration.empty import check_empty
from calibration.faults import CannotCalibrate, NotEmpty, check_length
from calibration.layouts import MAT
from calibration.pieces import check_size
from calibration.propose import (
    TAG_MM,
    Measures,
    NoRing,
    Proposal,
    corrected,
    measures,
    other_ring,
    propose,
)
from calibration.store import DIE_MM, PIECE_MM, keep_before, save
from companion.games.corona.rules import COLOURS
from companion.reading import in_turn
from companion.workbench.borrowing import LAPSE_S, BorrowedCamera, Loan
from companion.workbench.looks import LOOK_S, Die, Look, Pictures, outline
from companion.workbench.steps import BACK, LIVE, Board, Step
from hardware.camera import Camera, Frame
from vision.faces import silhouette
from vision.geometry import Layout
from vision.profile import USUAL_PIECE_MM, Profile

STICKER_MM = 28.0
"""The usual side of a sticker's black square."""


class SettingUp:
    """One set-up at a time, whoever takes its steps; safe from any thread.

    `open_camera` opens the camera anew, once it is on `loan`. The profile is written to `file`, the one
    before kept beside it, and told to `learned`. Each step raises `CannotCalibrate` or `CameraFailed`; then
    it can be tried again, and nothing is lost.
    """

    def __init__(
        self,
        open_camera: Callable[[], Camera],
        loan: Loan,
        file: Path,
        learned: Callable[[Profile], None],
        known: Profile | None = None,
        lapse: float = LAPSE_S,
    ) -> None:
        self.file = file
        self.before: Path | None = None
        """Where the profile is kept that the last one replaced."""
        self.step: Step = "rest"
        self.changes = 0
        """Counts what was done: who saw it as it was before asks for something else than it would be now."""
        self.known = known
        self._learned = learned
        self._camera = BorrowedCamera(open_camera, loan, lapse)
        self._lock = self._camera.lock
        self._look: tuple[float, Look] | None = None
        self._pictures = Pictures()
        self._board, self._measures = Layout.from_json(MAT), False
        self._proposal: Proposal | None = None
        self._said_print = False
        self._empty: Frame | None = None
        self._dice: Frame | None = None
        self._six: SixDice | None = None
        self._named: list[tuple[int, str]] = []
        self._doubtful: set[int] = set()
        self.sizes: tuple[float, float, float] = (0.0, *USUAL_PIECE_MM)
        """A die's side, a piece's diameter and height in mm, as the form of the last step offers them."""
        self.advice: list[str] = []
        """What the camera's place gives and what to change, once all is done."""

    # The steps

    def do(self, step: Callable[[], None], changes: int | None) -> None:
        """Take a step as it was offered after so many `changes`; nothing where more has been done since: a
        second tap, or another phone's page, would name other dice, or take another photo than is asked for.
        """
        with self._lock:
            try:
                if changes in (None, self.changes):
                    step()
            finally:
                self._camera.stay(self.step not in LIVE)

    def begin(self, board: Board = "mat", tag_mm: float = STICKER_MM) -> None:
        """Set up anew; `tag_mm` is the side of a sticker's black square, for a board of one's own."""
        with self._lock:
            if board == "own":
                check_length(tag_mm, TAG_MM)
            layout = Layout.from_json(MAT)
            if board == "known" and self.known is not None:
                layout = self.known.layout
            elif board == "own":
                layout = replace(layout, name="board", tag_mm=tag_mm)
            self._board, self._measures = layout, board == "own"
            self._said_print = False
            self._go("aim")

    def aimed(self) -> None:
        """The picture is good. The camera is opened anew, so that it settles on the light there is now."""
        with self._lock:
            if self.step == "aim":
                self._camera.shut()
                self._go("empty")

    def take(self) -> None:
        """Take the photo that this step asks for, and learn from it."""
        with self._lock:
            if self.step == "empty":
                self._take_empty(self._camera.capture())
            elif self.step == "dice":
                self._take_dice(self._camera.capture())

    def fields_lie_right(self) -> None:
        """The fields that were measured lie where they are drawn."""
        with self._lock:
            if self.step == "fields":
                self._go("dice")

    def correct(self, told: Measures) -> None:
        """The fields lie otherwise."""
        with self._lock:
            if self.step == "fields" and self._proposal and self._empty is not None:
                self._propose(corrected(self._proposal, told), self._empty)

    def name(self, names: Sequence[str], earlier: int | None = None) -> None:
        """The dice's names in the order that is shown; row `earlier` changes places with the one before."""
        with self._lock:
            if self.step != "colours" or len(names) != len(self._named):
                return
            self._named = [(die, name) for (die, _), name in zip(self._named, names, strict=True)]
            if earlier is None:
                check_colours(names)
                self._go("sizes")
            elif 0 < earlier < len(self._named):
                self._named.insert(earlier - 1, self._named.pop(earlier))
                self.changes += 1

    def finish(self, die_mm: float, piece_mm: tuple[float, float]) -> None:
        """Write the profile with these sizes; the table is watched with it at once."""
        with self._lock:
            if self.step != "sizes" or self._six is None:
                return
            typed = (die_mm, *piece_mm)
            if not any(map(math.isnan, typed)):
                self.sizes = typed  # whoever mends one finds the others as they were typed
            for length, among in zip(typed, (DIE_MM, PIECE_MM, PIECE_MM), strict=True):
                check_length(length, among)
            check_size(piece_mm, self._six.board.field_mm)
            self._camera.hold()  # the table, should it have it back, reads with the profile of before
            wide, high = piece_mm
            offered = wide == USUAL_PIECE_MM[0]  # then the first frames tell how wide they are
            profile = self._resized(die_mm).profile(self._named, (None if offered else wide, high))
            self._write(profile)
            wrong = None if self._measures else other_ring(profile)
            self.known, self.advice = profile, in_turn(advice, profile, self._dice, die_mm)
            if wrong:
                self.advice.insert(0, wrong)
            self._go("done")
            self._learned(profile)
            self._camera.give_back()

    def back(self) -> None:
        """One step back; what was done stays until it is done anew."""
        with self._lock:
            self._go(BACK.get(self.step, self.step))

    def leave(self) -> None:
        """Give it up; the profile so far stays as it is."""
        with self._lock:
            self._go("rest")
            self._camera.give_back()

    # What there is to see

    def look(self) -> Look | None:
        """The table now, or this step's photo; None where there is nothing to see. Raises `CameraFailed`."""
        with self._lock:
            self._camera.stay(self.step not in LIVE)
            if self.step in LIVE and (self._look is None or time.monotonic() - self._look[0] >= LOOK_S):
                stuck = self._measures and self.step != "dice"
                look = self._pictures.live(self._camera.capture(), self._board, stuck)
                self._look = (time.monotonic(), look)
            return self._look[1] if self._look else None

    def picture(self, seq: int) -> bytes | None:
        """The JPEG of the look with this number, while it is kept."""
        return self._pictures.get(seq)

    @property
    def measures(self) -> Measures:
        """The board as it is known so far."""
        return measures(self._board)

    @property
    def dice(self) -> list[Die]:
        """The dice that were found, in the set's order."""
        six = self._six
        if six is None:
            return []
        hulls = [silhouette(face, six.side, six.dice_view) for face in six.faces]
        return [Die(die, name, die in self._doubtful, outline(hulls[die])) for die, name in self._named]

    @property
    def names_refused(self) -> str:
        """Why the dice's names as they stand cannot be taken; empty where they can, or are not asked for."""
        try:
            if self.step == "colours":
                check_colours([name for _, name in self._named])
        except CannotCalibrate as fault:
            return str(fault)
        return ""

    # How it is done

    def _go(self, step: Step) -> None:
        if step == "colours" and self._dice is not None:
            self._look = (0.0, self._pictures.still(self._dice, self._board))
        elif step != "sizes":
            self._look = None
        self.step = step
        self.changes += 1

    def _take_empty(self, photo: Frame) -> None:
        if self._measures:
            try:
                proposal, unclear = propose(photo, self._board.tag_mm), None
            except NoRing as fault:
                proposal, unclear = fault.guess, fault
            self._check_empty(proposal.layout, photo)
            self._propose(proposal, photo)
            if unclear:
                raise unclear  # what is shown now is a guess, to be corrected
        else:
            self._check_empty(self._board, photo)
            self._empty = photo
            self._go("dice")

    def _check_empty(self, board: Layout, photo: Frame) -> None:
        """Raises as `check_empty`; that something may be print is said once, and taken for that then."""
        said, self._said_print = self._said_print, False
        try:
            in_turn(check_empty, board, photo)
        except NotEmpty as fault:
            if not (said and fault.may_be_print):
                self._said_print = fault.may_be_print
                self.changes += 1  # who has not read that yet says nothing by a second tap
                raise

    def _propose(self, proposal: Proposal, photo: Frame) -> None:
        """Show the board as measured, for a yes or for corrections."""
        self._proposal, self._board, self._empty = proposal, proposal.layout, photo
        self._go("fields")
        self._look = (0.0, self._pictures.still(photo, proposal.layout, proposal.view))

    def _take_dice(self, photo: Frame) -> None:
        assert self._empty is not None
        try:
            self._six = in_turn(see_dice, self._board, self._empty, photo)
        except NotEmpty:
            self._go("empty")
            raise
        self._dice = photo
        names, self._doubtful = likely_names(self._six.in_plain_light)
        before = [colour.name for colour in self.known.colours] if self.known else []
        order = [*before, *(name for name in COLOURS if name not in before)]
        self._named = sorted(enumerate(names), key=lambda one: order.index(one[1]))
        self.sizes = (self._six.seen, *(self.known.piece_mm if self.known else USUAL_PIECE_MM))
        self._go("colours")

    def _resized(self, die_mm: float) -> SixDice:
        """What was found, with dice of another size if somebody has measured them; each keeps its number."""
        assert self._six is not None and self._empty is not None and self._dice is not None
        if die_mm == self._six.seen:
            return self._six
        return in_turn(see_dice, self._board, self._empty, self._dice, die_mm).ordered_as(self._six)

    def _write(self, profile: Profile) -> None:
        """Write the profile; the one that `file` holds now is kept beside it."""
        try:
            self.before = keep_before(self.file)
            save(profile, self.file, self._dice)
        except OSError as fault:
            why = fault.strerror or fault
            raise CannotCalibrate(
                f"{self.file} cannot be written ({why}); put that right and try again"
            ) from fault
