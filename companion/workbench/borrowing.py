"""The table's camera in other hands for a while, and given back, also by who goes without a word."""

from __future__ import annotations

from collections.abc import Callable
from threading import RLock

from companion.workbench.lapse import Lapse
from hardware.camera import Camera, CameraFailed, Frame


class BorrowedCamera:
    """`open_camera` opens it, once `lend` has got it from the table's own watching; `take_back` ends that.

    It is given back when nobody has wanted a picture, or said `stay`, for `lapse` seconds. Whoever uses it
    from several threads holds `lock`.
    """

    def __init__(
        self,
        open_camera: Callable[[], Camera],
        lend: Callable[[], None],
        take_back: Callable[[], None],
        lapse: float,
    ) -> None:
        self.lock = RLock()
        self._open, self._lend, self._take_back = open_camera, lend, take_back
        self._lapse = Lapse(lapse, self.give_back)
        self._lent = False
        self._camera: Camera | None = None

    def capture(self) -> Frame:
        """A fresh picture, BGR uint8 (H, W, 3); raises `CameraFailed`, and the next call opens it anew."""
        with self.lock:
            self._lapse.stay()
            if not self._lent:
                self._lend()
                self._lent = True
            try:
                if self._camera is None:
                    self._camera = self._open()
                return self._camera.capture()
            except CameraFailed:
                self.shut()
                raise

    def stay(self) -> None:
        """Somebody is still here, if somebody was."""
        if self._lent:
            self._lapse.stay()

    def shut(self) -> None:
        """Close it, so that it is opened anew and settles on the light there is then."""
        with self.lock:
            camera, self._camera = self._camera, None
            if camera is not None:
                camera.close()

    def give_back(self) -> None:
        """The table has its camera again."""
        with self.lock:
            self._lapse.end()
            self.shut()
            if self._lent:
                self._lent = False
                self._take_back()
