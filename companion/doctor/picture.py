"""The doctor at the camera: one picture, how large, bright and sharp it is, and the profile of the set."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np

from calibration.store import BadProfile, load
from companion.config import CameraConfig
from companion.doctor.findings import Finding
from hardware.camera import Camera, CameraFailed, Frame

BLACK, WHITE = 12, 243
"""Mean grey levels: below the one a picture shows nothing, above the other hardly anything."""
EVEN, BLURRED = 3.0, 1.5
"""Grey levels by which the pixels of a picture differ, and neighbours of one that is sharp, at the least."""


def camera(
    settings: CameraConfig, open_camera: Callable[[CameraConfig], Camera], out: Path
) -> Iterator[Finding]:
    """Takes a picture with the camera that the settings name, and writes it to `out`."""
    if settings.kind == "none":
        yield Finding("absent", "camera", "none is named in the settings; situations are entered by hand")
        return
    try:
        device = open_camera(settings)
        try:
            frame = device.capture()
        finally:
            device.close()
    except CameraFailed as fault:
        yield Finding("fails", "camera", str(fault))
    else:
        yield _judged(frame, _written(frame, out))
    yield _profile(settings.profile)


def _judged(frame: Frame, where: str) -> Finding:
    grey = cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY)
    mean, differ = float(grey.mean()), float(grey.std())
    sharp = float(np.abs(cv2.Laplacian(grey, cv2.CV_32F)).mean())
    size = f"{frame.shape[1]} x {frame.shape[0]}"
    measured = f"{size}, brightness {mean / 2.55:.0f} %, sharpness {sharp:.1f}; {where}"
    if mean < BLACK:
        return Finding("fails", "camera", f"the picture is black: cover off? light on? ({measured})")
    if mean > WHITE:
        return Finding("fails", "camera", f"the picture is white: too much light ({measured})")
    if differ < EVEN:
        return Finding("fails", "camera", f"the picture shows nothing: is the lens covered? ({measured})")
    if sharp < BLURRED:
        return Finding("unsure", "camera", f"the picture is blurred: turn the lens to focus ({measured})")
    return Finding("works", "camera", measured)


def _written(frame: Frame, out: Path) -> str:
    try:
        out.write_bytes(cv2.imencode(".jpg", frame)[1].tobytes())
    except OSError as fault:
        return f"not written to {out} ({fault.strerror})"
    return f"look at it: {out}"


def _profile(path: Path | None) -> Finding:
    if path is None:
        return Finding(
            "fails",
            "profile",
            "camera.profile is missing: make one on the host's phone, or with corona calibrate",
        )
    try:
        profile = load(path)
    except BadProfile as fault:
        return Finding("fails", "profile", str(fault))
    names = ", ".join(colour.name for colour in profile.colours)
    return Finding("works", "profile", f"{path}: {names}; corona selftest says how well it reads")
