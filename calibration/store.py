"""A profile as one readable JSON file, with the photo of the empty board beside it."""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration.colours import SHADES
from calibration.files import NotAPhoto, bytes_of, decoded, prepare, read_photo, write_safely
from calibration.values import at, three, within
from vision.faces import USUAL_DOTS, Dots
from vision.geometry import BadLayout, Image, Layout, Lens, View, on_board
from vision.profile import USUAL_PIECE_MM, DieColour, Lab, Profile

VERSION = 1
DIE_MM, PIECE_MM = (5.0, 60.0), (2.0, 60.0)
"""What a die's side, and a piece's diameter and height, can be."""
_LARGE = 1_000_000
"""No profile has so many bytes."""
DOTS = 0.02, 0.4
"""Where pips can lie and how large they can be, in die sides."""


class BadProfile(ValueError):
    """A profile that cannot be used; the text says what is wrong and what to do."""


def read_layout(path: Path) -> Layout:
    """The layout in a JSON file; raises `BadLayout` with the file's name and every fault."""
    try:
        return Layout.from_json(json.loads(path.read_text(encoding="utf-8")))
    except OSError as fault:
        raise BadLayout(f"{path}: {fault.strerror or fault}") from fault
    except BadLayout as fault:
        raise BadLayout(f"{path}: {fault}") from fault
    except UnicodeDecodeError as fault:
        raise BadLayout(f"{path}: not a layout (no text in UTF-8)") from fault
    except ValueError as fault:
        raise BadLayout(f"{path}: not a layout (broken JSON: {fault})") from fault
    except RecursionError as fault:
        raise BadLayout(f"{path}: not a layout (broken JSON: too many brackets)") from fault


def save_layout(layout: Layout, path: Path) -> None:
    """Write a layout as JSON."""
    write_safely(path, (json.dumps(layout.to_json(), indent=1) + "\n").encode())


def save(profile: Profile, path: Path, dice: Image | None = None) -> None:
    """Write `path` and, beside it, the photo of the empty board and that of the `dice`, where there is one.

    Each photo's name holds its own checksum: so an older profile keeps its photos until the new one has
    replaced it, whenever the power goes.
    """
    prepare(path)
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
    new = [photo for photo in pictures if not photo.exists()]
    try:
        for photo, picture in pictures.items():
            write_safely(photo, picture)
        write_safely(path, (json.dumps(data, indent=1) + "\n").encode())
    except OSError:
        for photo in new:  # it may be for them that there is no room
            with suppress(OSError):
                photo.unlink(missing_ok=True)
        raise
    for photo in older - pictures.keys() - _of_others(path):
        photo.unlink(missing_ok=True)


def keep_before(path: Path) -> Path | None:
    """Keep what `path` holds now beside it, as NAME-before.json, or by the first such name that holds nothing
    else; None where it holds nothing. What cannot be read, as of another version, is kept as it is.
    """
    names = (f"{path.stem}-before{number}{path.suffix}" for number in ("", *range(2, 100)))
    before = next((one for one in map(path.with_name, names) if may_replace(one)), None)
    if before is None or not path.exists() or not path.stat().st_size:
        return None
    try:
        known = load(path)
    except BadProfile:
        write_safely(before, path.read_bytes())
    else:
        save(known, before, load_dice(path))
    return before


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
        return _named(data, path)
    except (BadProfile, OSError, ValueError):
        return set()


def _named(data: dict[str, Any], path: Path) -> set[Path]:
    """The photos that a profile names."""
    # That of the dice is only needed to learn the colours anew: it may be anything.
    photos = data["empty"], (data["dice"].get("photo") if isinstance(data["dice"], dict) else None)
    names = [photo.get("file") for photo in photos if isinstance(photo, dict)]
    plain = (name for name in names if isinstance(name, str) and name == Path(name).name and "\0" not in name)
    return {path.with_name(name) for name in plain if name.strip(".")}


def _of_others(path: Path) -> set[Path]:
    """The photos of other profiles beside `path`: somebody may have copied it."""
    kept: set[Path] = set()
    for other in path.parent.iterdir():
        with suppress(OSError, ValueError, RecursionError):
            if not other.is_file() or other.stat().st_size > _LARGE:
                continue  # whatever it is
            data = json.loads(other.read_text(encoding="utf-8"))
            kept |= _named(data, other) if other != path and _is_profile(data) else set()
    return kept


def _is_profile(data: Any) -> bool:
    """Whether it is meant for a profile, of whatever version."""
    return isinstance(data, dict) and data.keys() >= {"version", "layout", "dice", "empty"}


def may_replace(path: Path) -> bool:
    """Whether a profile may be written to `path`, and nothing else is lost: it is free, or holds one."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError):
        return path.stat().st_size == 0
    except OSError:
        return not _is_file(path)  # `prepare` says what keeps it from being written
    return _is_profile(data)


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:
        return False


def load_dice(path: Path) -> Image | None:
    """The photo of the six dice that the profile in `path` was made with; None where it was not kept."""
    try:
        photo = json.loads(path.read_text(encoding="utf-8"))["dice"]["photo"]
        return read_photo(path.with_name(photo["file"]))
    except (KeyError, TypeError, ValueError, OSError):  # it is only needed to learn the colours anew
        return None


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
    name = at(data, "empty.file", str)
    if name != Path(name).name or "\0" in name:
        raise ValueError(f"empty.file is {name!r}")
    photo = path.with_name(name)
    picture = bytes_of(photo)
    empty = decoded(picture, photo)
    if hashlib.sha256(picture).hexdigest() != at(data, "empty.sha256", str):
        raise NotAPhoto(f"{photo}: not the photo this profile was made with")
    size = at(data, "lens.size_px", list)
    if size != [empty.shape[1], empty.shape[0]]:
        raise NotAPhoto(f"{photo}: not of the size the profile names")
    lens = Lens(within(data, "lens.focal_px", 100, 1e5), within(data, "lens.k1", -2, 2), (size[0], size[1]))
    piece_mm = (
        within(data, "pieces.diameter_mm", *PIECE_MM),
        within(data, "pieces.height_mm", *PIECE_MM),
    )
    layout = Layout.from_json(at(data, "layout", dict))
    view = View(lens, three(data, "view.rotation", 10), three(data, "view.shift_mm", 1e5))
    if not _shows(view, layout):
        raise ValueError("the view in it does not show the board")
    # A profile that does not say it is older than this: then the usual size was nobody's.
    told = {"told": piece_mm != USUAL_PIECE_MM} | data["pieces"]
    return Profile(
        layout=layout,
        view=view,
        empty=empty,
        colours=_colours(at(data, "dice.colours", list)),
        die_mm=within(data, "dice.size_mm", *DIE_MM),
        piece_mm=piece_mm,
        pieces_told=at({"pieces": told}, "pieces.told", bool),
        dots=_dots(at(data, "dice", dict)),
    )


def _shows(view: View, layout: Layout) -> bool:
    """Whether the camera looks down on the fields, and has most of their middles in the picture."""
    fields = on_board(layout.field_centres)
    ahead = (fields @ view.turn.T + np.array(view.shift))[:, 2]
    if view.eye[2] <= 0 or (ahead <= 0).any():
        return False
    seen = view.project(fields)
    return bool(((seen >= 0) & (seen < view.lens.size)).all(axis=1).mean() > 0.5)


def _colours(rows: list[Any]) -> tuple[DieColour, ...]:
    dice = [{"colour": row} for row in rows]
    names = [at(die, "colour.name", str) for die in dice]
    if len(names) != 6 or len(set(names)) != 6 or not set(names) <= set(SHADES):
        raise ValueError(f"dice.colours are {', '.join(names)}")
    return tuple(
        DieColour(
            name,
            three(die, "colour.lab", 255),
            at(die, "colour.bright_pips", bool),
            _maybe(die, "rim"),
            _maybe(die, "sides"),
        )
        for name, die in zip(names, dice, strict=True)
    )


def _maybe(die: dict[str, Any], what: str) -> Lab | None:
    """A colour that an older profile does not tell."""
    return three(die, f"colour.{what}", 255) if what in die["colour"] else None


def _colour(die: DieColour) -> dict[str, Any]:
    looks = {"lab": die.lab, "rim": die.rim, "sides": die.sides}
    told = {what: [round(v, 1) for v in lab] for what, lab in looks.items() if lab}
    return {"name": die.name, **told, "bright_pips": die.bright_pips}


def _dots(dice: dict[str, Any]) -> Dots:
    """An older profile does not say how the pips look: then as usual."""
    told = {"dice": {"pips": asdict(USUAL_DOTS)} | dice}
    return Dots(*(within(told, f"dice.pips.{what}", *DOTS) for what in ("offset", "radius")))
