"""Readers of single settings: a TOML value in, the setting's value out, or a `ValueError` with "must be"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from difflib import get_close_matches
from pathlib import Path
from typing import Any

Read = Callable[[Any], Any]


def path(value: Any) -> Path:
    """A path; a leading ~ is the user's folder."""
    if not isinstance(value, str) or not value.strip():
        raise ValueError("must be a path in quotes")
    try:
        return Path(value).expanduser()
    except RuntimeError:
        raise ValueError("begins with a ~ that names no user's folder") from None


def text(value: Any) -> str:
    """A text that is not blank."""
    if not isinstance(value, str) or not value.strip():
        raise ValueError("must be a text in quotes")
    return value


def host_name(value: Any) -> str:
    """One part of a host's name: letters, digits and dashes within."""
    if not isinstance(value, str) or not re.fullmatch(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?", value.lower()):
        raise ValueError("must be a name of letters, digits and dashes, without .local")
    return value.lower()


def whole(least: int, most: int) -> Read:
    """A whole number from `least` to `most`."""

    def read(value: Any) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            raise ValueError(f"must be a whole number from {least} to {most}")
        return value

    return read


def whole_or_device(least: int, most: int) -> Read:
    """A whole number from `least` to `most`, or the path of a device."""

    def read(value: Any) -> int | str:
        if isinstance(value, str) and value.startswith("/dev/"):
            return value
        try:
            return int(whole(least, most)(value))
        except ValueError as fault:
            raise ValueError(f'{fault}, or a path that begins with "/dev/"') from None

    return read


def number_of(*choices: int) -> Read:
    """One of these numbers."""

    def read(value: Any) -> int:
        if isinstance(value, bool) or value not in choices:
            raise ValueError(f"must be {' or '.join(map(str, choices))}")
        return int(value)

    return read


def seconds(least: float, most: float) -> Read:
    """Seconds from `least` to `most`."""

    def read(value: Any) -> float:
        if not isinstance(value, int | float) or isinstance(value, bool) or not least <= value <= most:
            raise ValueError(f"must be a number of seconds from {least} to {most}")
        return float(value)

    return read


def one_of(choices: tuple[str, ...]) -> Read:
    """One of these words."""

    def read(value: Any) -> str:
        if value not in choices:
            named = " or ".join((", ".join(f'"{choice}"' for choice in choices[:-1]), f'"{choices[-1]}"'))
            raise ValueError(f"must be {named}{did_you_mean(value, choices)}".removesuffix("."))
        return str(value)

    return read


def yes_or_no(value: Any) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise ValueError("must be true or false")
    return value


def did_you_mean(word: object, known: Iterable[str]) -> str:
    """The end of a sentence about an unknown `word`: a full stop, or the known one that is like it."""
    close = get_close_matches(str(word), list(known), n=1, cutoff=0.6)
    return f"; did you mean {close[0]}?" if close else "."
