"""Photographs on the command line: a reading as JSON, as a line of text, and drawn over its photo."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import cv2

from calibration.files import NotAPhoto, read_photo
from calibration.pieces import FirstFrames
from calibration.store import photos_of
from companion.games.corona import notation
from companion.games.corona.rules import LETTERS
from companion.overlay import draw, in_words
from companion.sighted import sighted
from vision.geometry import Image
from vision.profile import Profile
from vision.read import fitted, read
from vision.reading import Reading
from vision.stages import STAGES, stages


class Overwrites(ValueError):
    """A picture that would take the place of a photo, or of another photo's picture, or cannot be one."""


def drawings(annotate: Path | None, photos: Sequence[Path], profile: Path) -> list[Path | None]:
    """Where each photo's drawing goes: `annotate`, with the photo's name in it when there are several.

    Raises `Overwrites` where that would be one of the photos, or one of the profile's own.
    """
    if annotate is None:
        return [None] * len(photos)
    if annotate.suffix and not cv2.haveImageWriter(annotate.name):
        raise Overwrites(f"{annotate.name} is not a name of a picture; end it in .jpg or .png")
    outs = [annotate]
    if len(photos) > 1:
        outs = [annotate.with_name(f"{annotate.stem}-{name}{annotate.suffix}") for name in names(photos)]
    if {out.resolve() for out in outs} & {
        photo.resolve() for photo in (*photos, profile, *photos_of(profile))
    }:
        raise Overwrites("this would overwrite a photo, or the profile; choose another name")
    return list(outs)


def names(photos: Sequence[Path]) -> list[str]:
    """A name for each photo: as much of the end of its path as tells it from all others.

    Raises `Overwrites` where two would be named alike.
    """
    whole = [photo.parent.resolve() / photo.name for photo in photos]
    named = {path: _name(path, whole) for path in whole}
    for name in named.values():
        alike = [str(path) for path in named if named[path] == name]
        if len(alike) > 1:
            raise Overwrites(f"{' and '.join(alike)} would both be named {name!r}; read one of them alone")
    return [named[path] for path in whole]


def _name(path: Path, photos: Sequence[Path]) -> str:
    own, *others = (_parts(one, photos) for one in (path, *(photo for photo in photos if photo != path)))
    length = 1
    while any(other[-length:] == own[-length:] for other in others):
        length += 1
    return "-".join(own[-length:])


def _parts(path: Path, photos: Sequence[Path]) -> tuple[str, ...]:
    """Folders and name; the name with its ending only where another photo beside it differs by that alone."""
    twins = {photo for photo in photos if (photo.parent, photo.stem) == (path.parent, path.stem)}
    return (*path.parts[1:-1], path.name if len(twins) > 1 else path.stem)


def measured(profile: Profile, frames: Iterable[Image]) -> Profile:
    """The profile, its pieces measured in the first of these frames where nobody has measured them."""
    first = FirstFrames(profile)
    if first.wanted:
        for frame in frames:
            first.look(frame, read(frame, profile))
            if not first.wanted:
                break
        first.measure()
    return first.profile


def readable(photos: Iterable[Path]) -> Iterator[Image]:
    """Those of these that are pictures, BGR uint8 (H, W, 3); of the others whoever reads them tells."""
    for photo in photos:
        with suppress(NotAPhoto):
            yield read_photo(photo)


def as_object(reading: Reading) -> dict[str, Any]:
    """A reading in the form of the command contract, without its `photo`."""
    sighting = sighted(reading, tuple(reading.dice))
    return {
        "situation": notation.write(sighting.situation) if sighting.situation else None,
        "fields": list(reading.counts) if reading.counts is not None else None,
        "dice": reading.dice,
        "markers": [{"field": LETTERS[field], "colour": colour} for field, colour in reading.markers],
        "sure": sighting.sure,
        "doubts": [{"what": what, "why": why} for what, why in sighting.doubts],
    }


def as_line(reading: Reading) -> str:
    """The same for a person, on one line."""
    answer = as_object(reading)
    parts = [answer["situation"] or "no situation", "sure" if answer["sure"] else "unsure"]
    if answer["markers"]:
        parts.append("markers " + " ".join(f"{m['field']}:{m['colour']}" for m in answer["markers"]))
    parts += in_words([(doubt["what"], doubt["why"]) for doubt in answer["doubts"]])
    if reading.moved_px:
        parts.append(f"camera or board moved by {reading.moved_px:.0f} pixels since the calibration")
    return "; ".join(parts)


def illustrated(
    frame: Image, reading: Reading, profile: Profile, out: Path | None, folder: Path | None
) -> str:
    """Write what was read to `out`, drawn over the photo, and what each stage saw into `folder`; why that
    cannot be, "" where it could."""
    try:
        if out:
            _write(out, draw(fitted(frame, profile), reading))
        if folder:
            _write_stages(frame, profile, folder)
    except NotAPhoto as fault:
        return str(fault)
    return ""


def _write_stages(frame: Image, profile: Profile, folder: Path) -> None:
    """Write what each stage saw into `folder`, in order, in place of what an earlier run left."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name in STAGES:
            for old in folder.glob(f"[1-9]-{name}.png"):
                old.unlink()
    except OSError as fault:
        raise NotAPhoto(f"{folder}: {fault.strerror}; choose another folder") from fault
    for number, (name, picture) in enumerate(stages(frame, profile).items(), start=1):
        _write(folder / f"{number}-{name}.png", picture)


def _write(out: Path, picture: Image) -> None:
    try:
        done, data = cv2.imencode(out.suffix or ".jpg", picture)
        if not done:
            raise OSError(0, "not a name of a picture")
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_bytes(data.tobytes())
    except (OSError, cv2.error) as fault:
        why = fault.strerror if isinstance(fault, OSError) else "end its name in .jpg or .png"
        raise NotAPhoto(f"{out}: the picture cannot be written ({why})") from fault
