"""The self-test on a phone: ten set-ups that the host lays, one after the other; what was done stays."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from companion.clock import SystemClock
from companion.selftest.page import write_page
from companion.selftest.run import Look as Laid
from companion.selftest.run import Seen, look, open_session
from companion.selftest.setups import SetUp
from companion.selftest.summary import Summary, picture_of, summary
from companion.workbench.borrowing import BorrowedCamera
from companion.workbench.looks import LOOK_S, Look, Pictures
from companion.workbench.sitting import Sitting, sit
from vision.profile import Profile

Step = Literal["rest", "lay", "seen"]
"""Before, between and after; a set-up is to be laid; it was looked at."""


class CannotTest(ValueError):
    """A step of the self-test that cannot be done; the text says why, and what to do."""


def _today() -> str:
    return SystemClock().wall()[:10]


class SelfTest:
    """One self-test at a time, whoever takes its steps; safe from any thread.

    Its photo sessions lie in `folder`, one for each profile and each time it was begun anew. `profile` gives
    what was learned of the set, None where nothing was, and `dice` the photo of its six dice as JPEG. `lay`
    lays a set-up where no real hand can. Each step raises `CannotTest` or `CameraFailed`; then it can be
    tried again, and nothing is lost. Steps name the set-up they mean, so that a second tap does nothing.
    """

    def __init__(
        self,
        camera: BorrowedCamera,
        folder: Path,
        profile: Callable[[], Profile | None],
        dice: Callable[[Profile], bytes | None] = lambda _: None,
        lay: Callable[[SetUp], None] | None = None,
        today: Callable[[], str] = _today,
    ) -> None:
        self._camera, self._folder, self._profile, self._dice, self._lay = camera, folder, profile, dice, lay
        self._today = today
        self._lock = camera.lock
        self._sitting: Sitting | None = None
        self._setup: SetUp | None = None
        self._skipped: set[int] = set()
        self._laid: Laid | None = None
        self._kept = False
        self._pictures = Pictures()
        self._look: tuple[float, Look] | None = None

    # Where it stands

    @property
    def ready(self) -> bool:
        """Whether there is a profile to read with."""
        return self._profile() is not None

    @property
    def setup(self) -> SetUp | None:
        """The set-up at which it stands; None at rest."""
        self._now()
        return self._setup

    @property
    def step(self) -> Step:
        """What is to be done with it."""
        if self.setup is None:
            return "rest"
        return "seen" if self._laid else "lay"

    @property
    def folder(self) -> Path | None:
        """Where the photos are kept; None before a profile is there."""
        sitting = self._now()
        return sitting.session.folder if sitting else None

    @property
    def done(self) -> int:
        """How many of the ten have been laid and looked at."""
        sitting = self._now()
        return len(sitting.ten) - len(sitting.left()) if sitting else 0

    @property
    def waiting(self) -> int:
        """How many are left that can be laid here."""
        return len(self._offered())

    @property
    def seen(self) -> Seen | None:
        """What was read of the set-up that was looked at last."""
        return self._laid.seen if self._laid else None

    @property
    def asks(self) -> bool:
        """Whether what was read is not what was asked for, and nobody has said yet who errs."""
        return self.step == "seen" and not self._kept

    @property
    def last(self) -> bool:
        """Whether no set-up follows the one that was looked at."""
        return self._after(self.setup) is None

    @property
    def by_hand(self) -> bool:
        """Whether the set-up that is asked for can be laid here without a real hand."""
        return self._lay is not None and self.setup is not None

    # The steps

    def begin(self, anew: bool = False) -> None:
        """Begin, or go on with what is left; `anew` all of it in another folder, the older one stays."""
        with self._lock:
            sitting = self._now()
            if sitting is None:
                raise CannotTest("the camera has not been set up; do that first")
            if anew or not sitting.session.begun:
                self._sitting = sitting = sit(self._folder, sitting.profile, anew)
            if not sitting.session.begun:
                with self._writing(sitting):
                    open_session(sitting.session.folder, sitting.profile, self._dice(sitting.profile))
            sitting.reader.look_at_kept(sitting.ten, sitting.session)
            self._skipped.clear()
            self._setup = None
            self._go_on()

    def redo(self, number: int) -> None:
        """Lay this one anew; what was kept of it stays until it has been looked at again."""
        with self._lock:
            sitting = self._now()
            if sitting is not None and sitting.session.begun and 1 <= number <= len(sitting.ten):
                self._setup, self._laid, self._look = sitting.ten[number - 1], None, None

    def look(self, number: int) -> None:
        """It lies as asked, or has been put right: look. What was read as it lies is kept at once."""
        with self._lock:
            sitting = self._at(number)
            if sitting is None or self._setup is None or (self._laid and self._kept):
                return
            self._laid = look(self._setup, self._camera.capture(), sitting.reader)
            self._look = (0.0, self._pictures.still(self._laid.frame, sitting.profile.layout))
            self._kept = False
            if not self._laid.seen.differs:
                self._keep(sitting, self._laid)

    def as_asked(self, number: int) -> None:
        """It lies as asked, and the camera errs: kept so."""
        with self._lock:
            sitting = self._at(number)
            if sitting is not None and self._laid is not None and self.asks:
                self._keep(sitting, self._laid)
                self._go_on()

    def follow(self, number: int) -> None:
        """To the next one."""
        with self._lock:
            if self._at(number) is not None and self.step == "seen" and self._kept:
                self._go_on()

    def skip(self, number: int) -> None:
        """Not this one now."""
        with self._lock:
            if self._at(number) is not None:
                self._skipped.add(number)
                self._go_on()

    def leave(self) -> None:
        """Go on another time; the table has its camera again. If nothing was laid, the older is back."""
        with self._lock:
            if self._setup is not None and not self.done:
                self._sitting = None
            self._setup = self._laid = self._look = None
            self._camera.give_back()

    def lay(self, number: int) -> None:
        """Lay the set-up, where no real hand can."""
        with self._lock:
            if self._at(number) is not None and self._lay is not None and self._setup is not None:
                self._lay(self._setup)
                self._look = None if self.step == "lay" else self._look

    # What there is to see

    def view(self) -> Look | None:
        """The table now, or the photo that was looked at; None at rest. Raises `CameraFailed`."""
        with self._lock:
            self._camera.stay(self.step == "seen")
            sitting = self._now()
            old = self._look is None or time.monotonic() - self._look[0] >= LOOK_S
            if self.step == "lay" and sitting is not None and old:
                seen = self._pictures.live(self._camera.capture(), sitting.profile.layout, False)
                self._look = (time.monotonic(), seen)
            return self._look[1] if self._look else None

    def picture(self, seq: int) -> bytes | None:
        """The JPEG of the view with this number, while it is kept."""
        return self._pictures.get(seq)

    def results(self) -> Summary | None:
        """What it has come to so far; None where nothing was done. Raises `CannotTest`."""
        with self._lock:
            sitting = self._now()
            if sitting is None or not sitting.session.begun:
                return None
            with self._writing(sitting):
                sitting.look_back()
            if not sitting.found:
                return None
            done = summary(sitting.ten, sitting.found.values(), sitting.profile)
            if not sitting.paged:
                with self._writing(sitting):
                    write_page(done, sitting.session, sitting.profile, self._today())
                sitting.paged = True
            return done

    def photo(self, number: int, small: bool) -> bytes | None:
        """A kept photo as JPEG, or its `small` picture with what was read; None where there is none."""
        sitting = self._now()
        if sitting is None or not 1 <= number <= len(sitting.ten):
            return None
        setup = sitting.ten[number - 1]
        path = picture_of(sitting.session, setup) if small else sitting.session.frame(setup.photo)
        try:
            return path.read_bytes()
        except OSError:
            return None

    # How it is done

    def _now(self) -> Sitting | None:
        """The self-test of the profile there is now: another profile has another one."""
        with self._lock:
            profile = self._profile()
            if self._sitting is None or self._sitting.profile is not profile:
                self._setup = self._laid = self._look = None
                self._sitting = sit(self._folder, profile) if profile else None
            return self._sitting

    def _at(self, number: int) -> Sitting | None:
        """The self-test, if set-up `number` is the one it stands at."""
        sitting = self._now()
        return sitting if self._setup is not None and self._setup.number == number else None

    def _offered(self) -> list[SetUp]:
        """What is left, without what cannot be laid here: the virtual pieces do not stand on each other."""
        sitting = self._now()
        waiting = sitting.left() if sitting else []
        return [one for one in waiting if self._lay is None or one.stand != "stacked"]

    def _after(self, setup: SetUp | None) -> SetUp | None:
        """The next that is left after `setup`, and was not skipped."""
        number = setup.number if setup else 0
        later = (one for one in self._offered() if one.number > number and one.number not in self._skipped)
        return next(later, None)

    def _go_on(self) -> None:
        """To the next set-up that is left; to rest after the last."""
        self._setup = self._after(self._setup)
        self._laid = self._look = None
        if self._setup is None:
            self._camera.give_back()

    def _keep(self, sitting: Sitting, one: Laid) -> None:
        with self._writing(sitting):
            sitting.keep(one)
        self._kept = True

    @contextmanager
    def _writing(self, sitting: Sitting) -> Iterator[None]:
        try:
            yield
        except OSError as fault:
            why = fault.strerror or fault
            raise CannotTest(
                f"{sitting.session.folder} cannot be written ({why}); put that right and try again"
            ) from fault
