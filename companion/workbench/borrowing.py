"""The table's camera in other hands for a while, and given back, also by who goes without a word."""

from __future__ import annotations

from collections.abc import Callable
from threading import RLock

from companion.workbench.lapse import Lapse
from hardware.camera import Camera, CameraFailed, Frame

LAPSE_S = 45.0
"""When nobody has asked for so long, the table has its camera back; what was done so far stays."""
PATIENCE = 8.0
"""So many times as long where nobody has to ask: who mends names, or looks for a ruler, has not gone away."""


class Loan:
    """The table's camera, which one at a time has: whoever wants it next takes it from whoever has it.

    `lend` gets it from the table's own watching, and `take_back` ends that. All who may have it share `lock`.
    """

    def __init__(self, lend: Callable[[], None], take_back: Callable[[], None]) -> None:
        self.lock = RLock()
        self._lend, self._take_back = lend, take_back
        self._holder: BorrowedCamera | None = None

    def take(self, who: BorrowedCamera) -> None:
        """From now on `who` has it; the one before closes it."""
        with self.lock:
            if self._holder is who:
                return
            if self._holder is not None:
                self._holder.give_back()
            self._lend()
            self._holder = who

    def give_back(self, who: BorrowedCamera) -> None:
        """The table has its camera again, if `who` has it."""
        with self.lock:
            if self._holder is who:
                self._holder = None
                self._take_back()

    def held_by(self, who: BorrowedCamera) -> bool:
        return self._holder is who


class BorrowedCamera:
    """`open_camera` opens it, once it is on `loan`.

    It is given back when nobody has wanted a picture, or said `stay`, for `lapse` seconds. Whoever uses it
    from several threads holds `lock`.
    """

    def __init__(self, open_camera: Callable[[], Camera], loan: Loan, lapse: float = LAPSE_S) -> None:
        self.lock = loan.lock
        self._open, self._loan = open_camera, loan
        self._lapse = Lapse(lapse, self._left_alone)
        self._camera: Camera | None = None

    def hold(self) -> None:
        """Have it, though no picture is wanted; raises `CameraFailed` where the table cannot let it go."""
        with self.lock:
            self._lapse.stay()
            self._loan.take(self)

    def capture(self) -> Frame:
        """A fresh picture, BGR uint8 (H, W, 3); raises `CameraFailed`, and the next call opens it anew."""
        with self.lock:
            self.hold()
            try:
                if self._camera is None:
                    self._camera = self._open()
                return self._camera.capture()
            except CameraFailed:
                self.shut()
                raise

    def stay(self, thinking: bool = False) -> None:
        """Somebody is still here, if somebody was; who is `thinking` may be silent for longer."""
        if self._loan.held_by(self):
            self._lapse.stay(PATIENCE if thinking else 1)

    def shut(self) -> None:
        """Close it, so that it is opened anew and settles on the light there is then."""
        with self.lock:
            camera, self._camera = self._camera, None
            if camera is not None:
                camera.close()

    def _left_alone(self) -> None:
        with self.lock:  # which whoever works long with a picture holds, and may have stayed
            if not self._lapse.waits:
                self.give_back()

    def give_back(self) -> None:
        """The table has its camera again."""
        with self.lock:
            self._lapse.end()
            self.shut()
            self._loan.give_back(self)
