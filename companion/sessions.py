"""Photo sessions on disk: found; begun from a profile and grown by a labelled frame, whole at any moment."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import cv2

from calibration.die_size import ROUNDED
from calibration.files import write_safely
from calibration.store import BadProfile, load, load_dice, save
from vision.geometry import Image
from vision.profile import USUAL_PIECE_MM, Profile

KEPT_PROFILE = "profile.json"
"""Stands in a session that has no photo of the dice to learn from."""
JPEG_QUALITY = 95


def sessions_under(folder: Path) -> list[Path]:
    """Every folder at or below `folder` with a truth.json, in order; through links, too.

    Each once, however many links lead to it: so a link to a folder above it goes round no second time.
    """
    seen: set[Path] = set()
    found = []
    for at, folders, files in os.walk(folder, followlinks=True):
        real = Path(at).resolve()
        if real in seen:
            folders.clear()
            continue
        seen.add(real)
        folders.sort()  # which of two names a session goes by is the same each time
        if "truth.json" in files:
            found.append(Path(at))
    return sorted(found)


class PhotoSession:
    """The session in `folder`, in the form that `corona evaluate` reads.

    Every file is written beside its place and then put there, and a frame before its truth: whenever
    the power goes, what had been added is still there and nothing is half there. Raises `OSError`.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._truth = folder / "truth.json"

    @property
    def begun(self) -> bool:
        return self._truth.exists()

    def begin(self, profile: Profile, about: Mapping[str, Any], dice: bytes | None = None) -> None:
        """Write what all frames share; `about` goes into session.json.

        `dice` is a JPEG of the six dice; without one the profile itself is kept, to read the frames with.
        """
        (self.folder / "frames").mkdir(parents=True, exist_ok=True)
        session = {
            "name": self.folder.name,
            **about,
            "dice": {
                "size_mm": round(profile.die_mm / ROUNDED, 1),  # as a ruler says
                "colours": [colour.name for colour in profile.colours],
                "looks": _looks(profile),
            },
        }
        wide, high = profile.piece_mm
        if profile.pieces_told:  # else whoever reads it measures them, as the table does
            session["pieces"] = {"diameter_mm": wide, "height_mm": high}
        elif high != USUAL_PIECE_MM[1]:
            session["pieces"] = {"height_mm": high}
        write_safely(self.folder / "layout.json", as_json(profile.layout.to_json()))
        write_safely(self.folder / "session.json", as_json(session))
        write_safely(self.folder / "empty.jpg", as_jpeg(profile.empty))
        if dice is None:
            save(profile, self.folder / KEPT_PROFILE)
        else:
            write_safely(self.folder / "dice.jpg", dice)
        write_safely(self._truth, as_json({}))  # last: only now it is a session

    def truth(self) -> dict[str, dict[str, Any]]:
        """What is known of each frame, by name; raises `ValueError` where the file is broken."""
        known = json.loads(self._truth.read_text(encoding="utf-8"))
        if not isinstance(known, dict):
            raise ValueError("truth.json is no object")
        return known

    def frame(self, name: str) -> Path:
        """Where the frame `name` lies."""
        return self.folder / "frames" / name

    def add(self, jpeg: bytes, known: Mapping[str, Any], name: str | None = None) -> str:
        """Put a frame with what is known of it under `name`, or the next free number; gives its name."""
        truth = self.truth()
        if name is None:
            numbers = [int(stem) for frame in truth if (stem := Path(frame).stem).isdecimal()]
            name = f"{max(numbers, default=0) + 1:03}.jpg"
        write_safely(self.frame(name), jpeg)
        write_safely(self._truth, as_json({**truth, name: dict(known)}))
        return name

    def drop(self, name: str) -> None:
        """Take a frame out."""
        write_safely(self._truth, as_json({frame: at for frame, at in self.truth().items() if frame != name}))
        self.frame(name).unlink(missing_ok=True)

    def put_right(self, name: str, known: Mapping[str, Any]) -> None:
        """What is known of a frame was not so, but as in `known`; the rest stays."""
        truth = self.truth()
        if name in truth:
            write_safely(self._truth, as_json({**truth, name: {**truth[name], **known}}))


def dice_of(file: Path | None, profile: Profile) -> bytes | None:
    """The photo of the six dice kept with `profile` in this file, as JPEG; None where there is none.

    Nor where the file holds another by now: its photo shows dice in other light, or another board.
    """
    try:
        photo = load_dice(file) if file and mark_of(load(file)) == mark_of(profile) else None
    except BadProfile:
        return None
    return None if photo is None else as_jpeg(photo)


def _looks(profile: Profile) -> list[list[float]] | None:
    """Of each die how its rim and its sides look, CIE Lab: by these whoever learns the set anew from its
    photos knows which is which, whatever somebody named them. None where an older profile does not say."""
    looks = [[*die.rim, *die.sides] for die in profile.colours if die.rim and die.sides]
    return [[round(v, 1) for v in look] for look in looks] if len(looks) == len(profile.colours) else None


def label(
    pieces: list[int], dice: Mapping[str, int], markers: list[tuple[int, str]] | None
) -> dict[str, Any]:
    """The entry in truth.json of a frame that can be read; `markers` are (field 0..11, colour), None where
    nobody noted them."""
    known: dict[str, Any] = {"pieces": pieces, "dice": dict(dice)}
    if markers is not None:
        known["markers"] = [{"field": field, "colour": colour} for field, colour in sorted(markers)]
    return known | {"readable": True, "why": ""}


def mark_of(profile: Profile) -> str:
    """Eight signs that tell one calibration from another."""
    about = (
        float(profile.die_mm),
        tuple(map(float, profile.piece_mm)),
        [colour.name for colour in profile.colours],
    )
    return hashlib.sha256(repr(about).encode() + profile.empty.tobytes()).hexdigest()[:8]


def as_json(data: Any) -> bytes:
    return (json.dumps(data, indent=1, ensure_ascii=False) + "\n").encode()


def as_jpeg(frame: Image) -> bytes:
    """`frame`, BGR uint8 (H, W, 3), as JPEG."""
    done, data = cv2.imencode(".jpg", frame, (cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY))
    assert done
    return data.tobytes()
