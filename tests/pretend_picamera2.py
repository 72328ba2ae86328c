"""A stand-in for picamera2's `Picamera2`: exposure, colours and lens wander until they are told to stay."""

from __future__ import annotations

import os
import time
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

AE, AWB, AF = "AeEnable", "AwbEnable", "AfMode"
FLICKER = {"AeFlickerMode", "AeFlickerPeriod"}
AUTOMATIC = {"ExposureTime": AE, "AnalogueGain": AE, "ColourGains": AWB, "LensPosition": AF}


class Request:
    """A picture as picamera2 gives it, and what the camera says of it."""

    def __init__(self, metadata: dict[str, Any]) -> None:
        self._metadata = metadata

    def get_metadata(self) -> dict[str, Any]:
        return dict(self._metadata)

    def make_array(self, stream: str) -> npt.NDArray[np.uint8]:
        # The small stream is YUV420: below the brightness lie the colours, and rows may be padded.
        return np.zeros((324, 448) if stream == "lores" else (864, 1536, 3), np.uint8)

    def release(self) -> None: ...


class Picamera2:
    """One camera whose automatics need `wanders` frames to rest. What was set is in `asked`."""

    wanders: ClassVar[int] = 5
    obeys: ClassVar[bool] = True
    lens: ClassVar[bool] = True
    knows_flicker: ClassVar[bool] = True
    hangs: ClassVar[bool] = False
    asked: ClassVar[list[dict[str, Any]]] = []
    opened: ClassVar[list[int]] = []

    def __init__(self, number: int) -> None:
        type(self).opened.append(number)
        self.notifyme_w = os.open(os.devnull, os.O_WRONLY)
        self.is_open = False
        if number > 0:
            raise IndexError("list index out of range")
        self.is_open = True
        self._frames = 0
        self._set: dict[str, Any] = {}

    @property
    def camera_controls(self) -> dict[str, Any]:
        names = {AE, AWB, "FrameDurationLimits", "ExposureTime", "AnalogueGain", "ColourGains", "Sharpness"}
        names |= FLICKER if self.knows_flicker else set()
        return dict.fromkeys(names | ({AF, "LensPosition"} if self.lens else set()), (0, 1, 0))

    def create_video_configuration(self, main: Any, lores: Any, **rest: Any) -> dict[str, Any]:
        self.set_controls(rest["controls"])
        return {"main": dict(main), "lores": dict(lores)}

    def configure(self, wanted: dict[str, Any]) -> None:
        self._configuration = wanted

    def camera_configuration(self) -> dict[str, Any]:
        return self._configuration

    def start(self) -> None: ...

    def set_controls(self, controls: dict[str, Any]) -> None:
        unknown = controls.keys() - self.camera_controls.keys()
        if unknown:
            raise RuntimeError(f"Control {unknown} is not advertised by libcamera")
        self.asked.append(dict(controls))
        self._set |= controls

    def capture_request(self, wait: float) -> Request:
        if self.hangs:
            raise TimeoutError
        self._frames += 1
        stray = max(0, self.wanders - self._frames) / 5 if self.obeys else 1 + self._frames % 2
        told: dict[str, Any] = {
            "ExposureTime": round(20_000 * (1 + stray)),
            "AnalogueGain": 2.0 + stray,
            "ColourGains": (1.8 + stray, 1.4),
        }
        if self.lens:
            told |= {"LensPosition": 2.1 + stray, "AfState": 1 if stray else 2}
        if self.obeys:
            manual = (0, False)
            told |= {name: self._set[name] for name in AUTOMATIC if self._locked(name, manual)}
        return Request(told | {"SensorTimestamp": time.monotonic_ns() + 1000 * told["ExposureTime"]})

    def _locked(self, name: str, manual: tuple[Any, ...]) -> bool:
        return name in self._set and self._set.get(AUTOMATIC[name]) in manual

    def close(self) -> None:
        if self.is_open:
            self.is_open = False
            os.close(self.notifyme_w)
