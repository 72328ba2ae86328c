"""A profile as one readable JSON file, with the photo of the empty board beside it."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.geometry import BadLayout, Image, Layout, Lens, View
from vision.profile import DieColour, Profile

VERSION = 1


class BadProfile(ValueError):
    """A profile that cannot be used; the text says what is wrong and what to do."""


class NotAPhoto(ValueError):
    """A file that is not there or is no picture."""


def read_photo(path: Path) -> Image:
    """The picture in `path`, BGR uint8 (H, W, 3); raises `NotAPhoto` with one clear sentence."""
    try:
        data = path.read_bytes()
    except OSError as fault:
        raise NotAPhoto(f"{path}: {fault.strerror or fault}") from fault
    photo = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR) if data else None
    if photo is None:
        raise NotAPhoto(f"{path}: not a picture that can be decoded (JPEG and PNG can)")
    return photo


def read_layout(path: Path) -> Layout:
    """The layout in a JSON file; raises `BadLayout` with the file's name and every fault."""
    try:
        return Layout.from_json(json.loads(path.read_text(encoding="utf-8")))
    except OSError as fault:
        raise BadLayout(f"{path}: {fault.strerror or fault}") from fault
    except BadLayout as fault:
        raise BadLayout(f"{path}: {fault}") from fault
    except ValueError as fault:
        raise BadLayout(f"{path}: not a layout (broken JSON: {fault})") from fault


def save(profile: Profile, path: Path) -> None:
    """Write `path` and, beside it, `<path's stem>-empty.png`; each replaced at once or not at all."""
    photo = path.with_name(f"{path.stem}-empty.png")
    done, png = cv2.imencode(".png", profile.empty)
    assert done
    picture = png.tobytes()
    view = profile.view
    data = {
        "version": VERSION,
        "layout": profile.layout.to_json(),
        "lens": {
            "focal_px": round(view.lens.focal, 3),
            "k1": round(view.lens.k1, 6),
            "size_px": list(view.lens.size),
        },
        "view": {"rotation": list(view.rotation), "shift_mm": list(view.shift)},
        "dice": {
            "size_mm": profile.die_mm,
            "colours": [
                {"name": c.name, "lab": [round(v, 1) for v in c.lab], "bright_pips": c.bright_pips}
                for c in profile.colours
            ],
        },
        "pieces": {"diameter_mm": profile.piece_mm[0], "height_mm": profile.piece_mm[1]},
        "empty": {"file": photo.name, "sha256": hashlib.sha256(picture).hexdigest()},
    }
    _replace(photo, picture)
    _replace(path, (json.dumps(data, indent=1) + "\n").encode())


def _replace(path: Path, data: bytes) -> None:
    """Power can go at any moment: the old file stays until the new one is safely written."""
    part = path.with_name(path.name + ".part")
    with part.open("wb") as out:
        out.write(data)
        out.flush()
        os.fsync(out.fileno())
    part.replace(path)


def load(path: Path) -> Profile:
    """The profile in `path`; raises `BadProfile`."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except OSError as fault:
        raise BadProfile(
            f"{path}: {fault.strerror or fault}; make a profile with `corona calibrate`"
        ) from fault
    except ValueError as fault:
        raise BadProfile(f"{path}: not a profile (broken JSON); calibrate again") from fault
    version = data.get("version") if isinstance(data, dict) else None
    if version != VERSION:
        what = (
            "not a profile"
            if version is None
            else f"a profile of version {version}, this program reads {VERSION}"
        )
        raise BadProfile(f"{path}: {what}; calibrate again")
    try:
        return _profile(data, path)
    except BadLayout as fault:
        raise BadProfile(f"{path}: the layout in it is broken: {fault}; calibrate again") from fault
    except NotAPhoto as fault:
        raise BadProfile(f"{fault}; it belongs to the profile {path}, calibrate again") from fault
    except (KeyError, TypeError, ValueError, AttributeError) as fault:
        raise BadProfile(
            f"{path}: something is missing or broken in it ({fault}); calibrate again"
        ) from fault


def _profile(data: dict[str, Any], path: Path) -> Profile:
    photo = path.with_name(data["empty"]["file"])
    empty = read_photo(photo)
    if hashlib.sha256(photo.read_bytes()).hexdigest() != data["empty"]["sha256"]:
        raise NotAPhoto(f"{photo}: not the photo this profile was made with")
    width, height = map(int, data["lens"]["size_px"])
    lens = Lens(float(data["lens"]["focal_px"]), float(data["lens"]["k1"]), (width, height))
    if empty.shape[:2] != (height, width):
        raise NotAPhoto(f"{photo}: not of the size the profile names")
    turn, shift = (tuple(map(float, data["view"][key])) for key in ("rotation", "shift_mm"))
    colours = tuple(
        DieColour(str(c["name"]), tuple(map(float, c["lab"])), bool(c["bright_pips"]))  # type: ignore[arg-type]
        for c in data["dice"]["colours"]
    )
    if len(colours) != 6 or any(len(c.lab) != 3 for c in colours) or len(turn) != 3 or len(shift) != 3:
        raise ValueError("a list of the wrong length")
    return Profile(
        layout=Layout.from_json(data["layout"]),
        view=View(lens, turn, shift),
        empty=empty,
        colours=colours,
        die_mm=float(data["dice"]["size_mm"]),
        piece_mm=(float(data["pieces"]["diameter_mm"]), float(data["pieces"]["height_mm"])),
    )
