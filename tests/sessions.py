"""The photo sessions kept with the tests: a reading's truth, and the profile each one gives."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from calibration.files import read_photo
from companion.evaluate import learn
from vision.geometry import Image
from vision.profile import Profile

PHOTOS = Path(__file__).parent / "photos"
SESSIONS = sorted(path.parent.name for path in PHOTOS.glob("*/truth.json"))


@cache
def profile(session: str) -> Profile:
    """Learned once from the session's own photos."""
    return learn(PHOTOS / session)


@cache
def photo(session: str, name: str) -> Image:
    """One photo of a session, BGR; not to be written into."""
    return read_photo(PHOTOS / session / name)


def truth(session: str) -> dict[str, Any]:
    """What is known of each frame."""
    data: dict[str, Any] = json.loads((PHOTOS / session / "truth.json").read_text(encoding="utf-8"))
    return data


def frames(readable: bool) -> list[tuple[str, str]]:
    """(session, frame) of all that can, or cannot, be read."""
    return [
        (session, name)
        for session in SESSIONS
        for name, known in truth(session).items()
        if name != "dice.jpg" and known["readable"] == readable
    ]
