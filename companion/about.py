"""What a session.json says of the set in its photos, and every way in which that may be wrong."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from calibration.colours import check_colours
from calibration.faults import CannotCalibrate
from calibration.store import DIE_MM, PIECE_MM
from companion.truth import BadSession, read_json, shown, together

PIECE = ("pieces.diameter_mm", "pieces.height_mm")


@dataclass(frozen=True, slots=True)
class About:
    """The dice's `colours`, in the set's order, and sizes in mm; None where nobody has measured them, as may
    be with the pieces' diameter alone.

    `looks`: how each die looked when it was named, rim and sides in CIE Lab; empty where that is not told.
    """

    colours: list[str]
    die_mm: float | None
    piece_mm: tuple[float | None, float] | None
    looks: list[list[float]]


def about(session: Path) -> About:
    """What session.json says, a size that is null or missing not measured; raises `BadSession`."""
    data = read_json(session / "session.json")
    faults: list[str] = []
    colours = _colours(_at(data, "dice.colours", faults), faults)
    die_mm = _size(data, "dice.size_mm", DIE_MM, faults)
    diameter, height = (_size(data, path, PIECE_MM, faults) for path in PIECE)
    if not faults and height is None and diameter is not None:
        faults.append(f"{PIECE[1]} is missing beside {PIECE[0]}; give both, or the height alone")
    looks = _looks(_at(data, "dice.looks", faults), faults)
    if faults:
        raise BadSession(f"session.json: {together(faults)}")
    return About(colours, die_mm, None if height is None else (diameter, height), looks)


def _colours(value: Any, faults: list[str]) -> list[str]:
    if value is None:
        faults.append("dice.colours is missing; name the set's six there")
        return []
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        faults.append(f"dice.colours is {shown(value)} instead of the names of six colours")
        return []
    try:
        return check_colours(value)
    except CannotCalibrate as fault:
        faults.append(f"dice.colours: {fault}")
        return []


def _looks(value: Any, faults: list[str]) -> list[list[float]]:
    if value is None:
        return []
    rows = value if isinstance(value, list) else []
    numbers = [v for row in rows if isinstance(row, list) and len(row) == 6 for v in row]
    if (
        len(rows) != 6
        or len(numbers) != 36
        or not all(type(v) in (int, float) and 0 <= v < 256 for v in numbers)
    ):
        faults.append(f"dice.looks is {shown(value)} instead of six numbers from 0 to 255 for each die")
        return []
    return [[float(v) for v in row] for row in rows]


def _size(data: dict[str, Any], path: str, between: tuple[float, float], faults: list[str]) -> float | None:
    value, (low, high) = _at(data, path, faults), between
    if value is None:
        return None
    if type(value) not in (int, float) or not low <= value <= high:  # a boolean is no number, nor is NaN
        faults.append(f"{path} is {shown(value)} instead of {low:g} to {high:g}")
        return None
    return float(value)


def _at(data: dict[str, Any], path: str, faults: list[str]) -> Any:
    """What stands at `path`; None where it is null or missing."""
    part, name = path.split(".")
    values = data.get(part)
    if values is None or isinstance(values, dict):
        return (values or {}).get(name)
    fault = f"{part} is {shown(values)} instead of names with values in {{}}"
    if fault not in faults:
        faults.append(fault)
    return None
