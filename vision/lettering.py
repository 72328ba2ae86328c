"""Words on pictures that are looked at: on a dark ground, beside each other, never off the picture."""

from __future__ import annotations

import cv2
import numpy as np

from vision.geometry import Image

LIKELY, DOUBTFUL, QUIET, DARK = (120, 235, 140), (60, 180, 255), (240, 238, 235), (26, 22, 20)
"""BGR: of what is likely, of what is not, of words beside, and of the ground."""
LEAST_WIDTH = 760
"""Pixels a picture with a title is wide at least."""
_FONT = cv2.FONT_HERSHEY_DUPLEX
_SIZE, _LINE, _RIM = 0.5, 20, 5
Tint = tuple[int, int, int]


class Labels:
    """Labels on one picture, BGR uint8 (H, W, 3), drawn into it; none lies over another."""

    def __init__(self, picture: Image) -> None:
        self._picture = picture
        self._taken: list[tuple[int, int, int, int]] = []

    def keep_free(self, left: float, top: float, right: float, low: float) -> None:
        """No label is to lie there, if that can be."""
        self._taken.append((round(left), round(top), round(right), round(low)))

    def put(self, lines: list[str], at: tuple[float, float], tint: Tint) -> None:
        """Lines of words as near to the right of `at` as there is room, and a thin line to there."""
        wide = max(_width(line) for line in lines) + 2 * _RIM
        high = _LINE * len(lines) + 2 * _RIM
        height, width = self._picture.shape[:2]
        places = [
            (
                round(min(max(at[0] + aside, 0), max(width - wide, 0))),
                round(min(max(at[1] - high / 2 + down, 0), max(height - high, 0))),
            )
            for down in sorted(range(-8 * high, 8 * high + 1, high // 4), key=abs)
            for aside in (14, -14 - wide)
        ]
        places.sort(key=lambda place: abs(place[1] + high / 2 - at[1]) + abs(place[0] + wide / 2 - at[0]) / 2)
        left, top = next((place for place in places if self._free(*place, wide, high)), places[0])
        near = min(max(round(at[0]), left), left + wide), min(max(round(at[1]), top), top + high)
        cv2.line(self._picture, (round(at[0]), round(at[1])), near, tint, 1, cv2.LINE_AA)
        self._plate(lines, (left, top), (wide, high), tint)

    def put_on(self, word: str, at: tuple[float, float], tint: Tint) -> None:
        """A word around `at`, whatever is there."""
        wide, high = _width(word) + 2 * _RIM, _LINE + 2 * _RIM
        self._plate([word], (round(at[0] - wide / 2), round(at[1] - high / 2)), (wide, high), tint)

    def _plate(self, lines: list[str], corner: tuple[int, int], size: tuple[int, int], tint: Tint) -> None:
        (left, top), (wide, high) = corner, size
        self.keep_free(left, top, left + wide, top + high)
        self._picture[max(top, 0) : top + high, max(left, 0) : left + wide] = DARK
        for number, line in enumerate(lines):
            _words(self._picture, line, left + _RIM, top + _RIM + _LINE * number, tint)

    def _free(self, left: int, top: int, wide: int, high: int) -> bool:
        return all(
            left >= right or left + wide <= start or top >= low or top + high <= above
            for start, above, right, low in self._taken
        )


def titled(picture: Image, title: str) -> Image:
    """The picture, BGR or grey, below a dark strip that says what it shows: BGR, wide enough for words."""
    if picture.ndim == 2:
        picture = np.asarray(cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR), dtype=np.uint8)
    width = max(picture.shape[1], LEAST_WIDTH)
    lines = _wrapped(title, width - 2 * _RIM)
    strip = _LINE * len(lines) + 2 * _RIM
    page = np.empty((strip + picture.shape[0], width, 3), dtype=np.uint8)
    page[:] = DARK
    page[strip:, : picture.shape[1]] = picture
    for number, line in enumerate(lines):
        _words(page, line, _RIM, _RIM + _LINE * number, QUIET)
    return page


def _wrapped(text: str, wide: int) -> list[str]:
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if _width(longer) > wide:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def _width(text: str) -> int:
    return int(cv2.getTextSize(text, _FONT, _SIZE, 1)[0][0])


def _words(picture: Image, text: str, left: int, top: int, tint: Tint) -> None:
    cv2.putText(picture, text, (left, top + _LINE - 5), _FONT, _SIZE, tint, 1, cv2.LINE_AA)
