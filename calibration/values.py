"""What stands in a JSON file, checked: of which kind it is, and between which bounds."""

from __future__ import annotations

from typing import Any


def at(data: Any, path: str, kind: type | tuple[type, ...]) -> Any:
    """What stands at `path`, of such a kind; a number is no boolean."""
    value = data
    for key in path.split("."):
        value = value.get(key) if isinstance(value, dict) else None
    if value is None:
        raise ValueError(f"{path} is missing")
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        raise ValueError(f"{path} is {value!s:.60}")
    return value


def within(data: Any, path: str, low: float, high: float) -> float:
    """The number at `path`, between `low` and `high`."""
    return _number(path, at(data, path, (int, float)), low, high)


def three(data: Any, path: str, most: float) -> tuple[float, float, float]:
    values = at(data, path, list)
    if len(values) != 3:
        raise ValueError(f"{path} is {values!s:.60}")
    a, b, c = (_number(path, value, -most, most) for value in values)
    return a, b, c


def _number(path: str, value: Any, low: float, high: float) -> float:
    """`value`, if it is a number and not NaN."""
    if type(value) not in (int, float) or not low <= value <= high:
        raise ValueError(f"{path} is {value!s:.60}")
    return float(value)
