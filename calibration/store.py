"""A profile as one readable JSON file, with the photo of the empty board beside it."""

from __future__ import annotations

import errno
import hashlib
import json
import os
from dataclasses import asdict
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.faces import USUAL_DOTS, Dots
from vision.geometry import BadLayout, Image, Layout, Lens, View
from vision.looks import LOOKS
from vision.profile import USUAL_PIECE_MM, DieColour, Lab, Profile

VERSION = 1
DIE_MM, PIECE_MM = (5.0, 60.0), (2.0, 60.0)
"""What a die's side, and a piece's diameter and height, can be."""
DOTS = 0.02, 0.4
"""Where pips can lie and how large they can be, in die sides."""


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
    except RecursionError as fault:
        raise BadLayout(f"{path}: not a layout (broken JSON: too many brackets)") from fault


def save_layout(layout: Layout, path: Path) -> None:
    """Write a layout as JSON."""
    write_safely(path, (json.dumps(layout.to_json(), indent=1) + "\n").encode())


def save_photo(photo: Image, path: Path) -> None:
    """Write a picture, BGR uint8, in the format of its name's ending."""
    done, data = cv2.imencode(path.suffix, photo)
    assert done
    write_safely(path, data.tobytes())


def save(profile: Profile, path: Path, dice: Image | None = None) -> None:
    """Write `path` and, beside it, the photo of the empty board and that of the `dice`, where there is one.

    Each photo's name holds its own checksum: so an older profile keeps its photos until the new one has
    replaced it, whenever the power goes.
    """
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, "it is a folder", str(path))
    older = photos_of(path)
    pictures: dict[Path, bytes] = {}
    empty_photo = _beside(path, "empty", profile.empty, pictures)
    dice_photo = {} if dice is None else {"photo": _beside(path, "dice", dice, pictures)}
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
            "pips": {"offset": round(profile.dots.offset, 3), "radius": round(profile.dots.radius, 3)},
            "colours": [_colour(die) for die in profile.colours],
            **dice_photo,
        },
        "pieces": {
            "diameter_mm": profile.piece_mm[0],
            "height_mm": profile.piece_mm[1],
            "told": profile.pieces_told,
        },
        "empty": empty_photo,
    }
    for photo, picture in pictures.items():
        write_safely(photo, picture)
    write_safely(path, (json.dumps(data, indent=1) + "\n").encode())
    for photo in older - pictures.keys():
        photo.unlink(missing_ok=True)


def _beside(path: Path, what: str, photo: Image, pictures: dict[Path, bytes]) -> dict[str, str]:
    """Put `photo` as PNG among `pictures` under its name beside `path`; gives how the profile names it."""
    done, png = cv2.imencode(".png", photo)
    assert done
    checksum = hashlib.sha256(png.tobytes()).hexdigest()
    name = f"{path.stem}-{what}-{checksum[:8]}.png"
    pictures[path.with_name(name)] = png.tobytes()
    return {"file": name, "sha256": checksum}


def photos_of(path: Path) -> set[Path]:
    """The photos of the profile that `path` holds now, if it holds one."""
    try:
        load(path)
        data = json.loads(path.read_text(encoding="utf-8"))
    except (BadProfile, OSError, ValueError):
        return set()
    named = (data["empty"], data["dice"].get("photo"))
    return {path.with_name(Path(photo["file"]).name) for photo in named if photo}


def may_replace(path: Path) -> bool:
    """Whether a profile may be written to `path`, and nothing is lost: it is free, or holds one."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return True
    except (OSError, ValueError, RecursionError):
        return path.is_dir() or path.stat().st_size == 0  # of a folder `save` says what it is
    return isinstance(data, dict) and "version" in data


def load_dice(path: Path) -> Image | None:
    """The photo of the six dice that the profile in `path` was made with; None where it was not kept."""
    try:
        photo = json.loads(path.read_text(encoding="utf-8"))["dice"]["photo"]
        return read_photo(path.with_name(photo["file"]))
    except (KeyError, TypeError, ValueError, OSError):  # it is only needed to learn the colours anew
        return None


def write_safely(path: Path, data: bytes) -> None:
    """Put `data` at `path`; whenever the power goes, the old content or the new one is there."""
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
    except (ValueError, RecursionError) as fault:
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
        raise BadProfile(
            f"{fault}; it belongs to the profile {path}: bring it along, or calibrate again"
        ) from fault
    except ValueError as fault:
        raise BadProfile(f"{path}: {fault}; calibrate again") from fault


def _profile(data: dict[str, Any], path: Path) -> Profile:
    name = _at(data, "empty.file", str)
    if name != Path(name).name or "\0" in name:
        raise ValueError(f"empty.file is {name!r}")
    photo = path.with_name(name)
    empty = read_photo(photo)
    if hashlib.sha256(photo.read_bytes()).hexdigest() != _at(data, "empty.sha256", str):
        raise NotAPhoto(f"{photo}: not the photo this profile was made with")
    size = _at(data, "lens.size_px", list)
    if size != [empty.shape[1], empty.shape[0]]:
        raise NotAPhoto(f"{photo}: not of the size the profile names")
    lens = Lens(_within(data, "lens.focal_px", 100, 1e5), _within(data, "lens.k1", -2, 2), (size[0], size[1]))
    piece_mm = (
        _within(data, "pieces.diameter_mm", *PIECE_MM),
        _within(data, "pieces.height_mm", *PIECE_MM),
    )
    # A profile that does not say it is older than this: then the usual size was nobody's.
    told = {"told": piece_mm != USUAL_PIECE_MM} | data["pieces"]
    return Profile(
        layout=Layout.from_json(_at(data, "layout", dict)),
        view=View(lens, _three(data, "view.rotation", 10), _three(data, "view.shift_mm", 1e5)),
        empty=empty,
        colours=_colours(_at(data, "dice.colours", list)),
        die_mm=_within(data, "dice.size_mm", *DIE_MM),
        piece_mm=piece_mm,
        pieces_told=_at({"pieces": told}, "pieces.told", bool),
        dots=_dots(_at(data, "dice", dict)),
    )


def _colours(rows: list[Any]) -> tuple[DieColour, ...]:
    dice = [{"colour": row} for row in rows]
    names = [_at(die, "colour.name", str) for die in dice]
    if len(names) != 6 or len(set(names)) != 6 or not set(names) <= set(LOOKS):
        raise ValueError(f"dice.colours are {', '.join(names)}")
    return tuple(
        DieColour(
            name,
            _three(die, "colour.lab", 255),
            _at(die, "colour.bright_pips", bool),
            _maybe(die, "rim"),
            _maybe(die, "sides"),
        )
        for name, die in zip(names, dice, strict=True)
    )


def _maybe(die: dict[str, Any], what: str) -> Lab | None:
    """A colour that an older profile does not tell."""
    return _three(die, f"colour.{what}", 255) if what in die["colour"] else None


def _colour(die: DieColour) -> dict[str, Any]:
    looks = {"lab": die.lab, "rim": die.rim, "sides": die.sides}
    told = {what: [round(v, 1) for v in lab] for what, lab in looks.items() if lab}
    return {"name": die.name, **told, "bright_pips": die.bright_pips}


def _dots(dice: dict[str, Any]) -> Dots:
    """An older profile does not say how the pips look: then as usual."""
    told = {"dice": {"pips": asdict(USUAL_DOTS)} | dice}
    return Dots(*(_within(told, f"dice.pips.{what}", *DOTS) for what in ("offset", "radius")))


def _at(data: Any, path: str, kind: type | tuple[type, ...]) -> Any:
    """What stands at `path`, of such a kind; a number is no boolean."""
    value = data
    for key in path.split("."):
        value = value.get(key) if isinstance(value, dict) else None
    if value is None:
        raise ValueError(f"{path} is missing")
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        raise ValueError(f"{path} is {value!s:.60}")
    return value


def _within(data: Any, path: str, low: float, high: float) -> float:
    """The number at `path`, between `low` and `high`."""
    return _number(path, _at(data, path, (int, float)), low, high)


def _three(data: Any, path: str, most: float) -> tuple[float, float, float]:
    values = _at(data, path, list)
    if len(values) != 3:
        raise ValueError(f"{path} is {values!s:.60}")
    a, b, c = (_number(path, value, -most, most) for value in values)
    return a, b, c


def _number(path: str, value: Any, low: float, high: float) -> float:
    """`value`, if it is a number and not NaN."""
    if type(value) not in (int, float) or not low <= value <= high:
        raise ValueError(f"{path} is {value!s:.60}")
    return float(value)
