"""Whether a photo can be learned from: its tags, its light, how sharp it is; refused with the reason."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.faults import CannotCalibrate
from vision.geometry import Floats, Image, Layout, on_board
from vision.tags import find_tags, locate_roughly
from vision.unseen import VERY_DARK, why_unseen

CORNERS = ("top left", "top right", "bottom right", "bottom left")
DARK = 110.0
"""The tags' white paper below this is dark; nothing is learned from photos where it is `VERY_DARK`."""
_INK, _PAPER = 0.83, 1.14
"""Squares just inside and outside of a tag's outline, as shares of it: its black rim and the white around."""


@dataclass(frozen=True, slots=True)
class Sighting:
    """The tags of one photo: `corners` (id -> (4, 2) px); for each of them `paper`, how light the white
    around it is (0 to 255); `white`, what colour most of that paper has ((3,) BGR); and `blur`, the softness
    of their outlines (a normal distribution's spread in px)."""

    corners: dict[int, Floats]
    paper: dict[int, float]
    white: Floats
    blur: float

    @property
    def light(self) -> float:
        """How light the paper of the tag in the middle light is."""
        return float(np.median(list(self.paper.values())))


def sight(what: str, photo: Image, layout: Layout, least: int = 4) -> Sighting:
    """The tags in a photo (BGR uint8) with `least` of them; raises `CannotCalibrate` with the reason.

    Of the layout only the tags count.
    """
    tags, twice = find_tags(photo, layout)
    if twice:
        raise CannotCalibrate(f"the photo of the {what} shows more than one board; take one away")
    grey = cv2.cvtColor(photo, cv2.COLOR_BGR2GRAY)
    size = (photo.shape[1], photo.shape[0])
    if len(tags) < 4 and (len(tags) < least or cut_off(tags, layout, size) is not None):
        raise too_few(what, photo, tags, layout)
    paper = {tag: float(np.median(_along(grey, quad, _PAPER))) for tag, quad in tags.items()}
    ink = [float(np.median(_along(grey, quad, _INK))) for quad in tags.values()]
    if np.median(list(paper.values())) < VERY_DARK:
        raise CannotCalibrate(f"the photo of the {what} is too dark; switch a lamp on, or expose longer")
    if np.median(ink) > 0.75 * np.median(list(paper.values())):
        raise CannotCalibrate(
            f"the photo of the {what} is washed out; take the light or the glare from the board"
        )
    white = np.median([np.median(_along(photo, quad, _PAPER), axis=0) for quad in tags.values()], axis=0)
    return Sighting(tags, paper, white, _blur(grey, tags))


def check_blur(what: str, seen: Sighting, worst: float) -> None:
    """Raises `CannotCalibrate` where the outlines of a photo's tags are softer than `worst`, px."""
    if seen.blur > worst:
        raise CannotCalibrate(f"the photo of the {what} is blurred; focus, and keep the camera still")


def too_few(what: str, photo: Image, tags: dict[int, Floats], layout: Layout) -> CannotCalibrate:
    """The fault of a photo in which not all tags were found: why, and what to do."""
    return CannotCalibrate(_said(f"the photo of the {what}", photo, tags, layout))


def _said(of: str, photo: Image, tags: dict[int, Floats], layout: Layout) -> str:
    number = f"only {len(tags)}" if tags else "none"
    match why_unseen(photo, layout, tags):
        case "mirrored":
            return f"{of} is mirrored: it shows none of the 4 tags; switch that off at the camera"
        case "dark":
            return f"{of} is too dark: it shows {number} of the 4 tags; switch on a lamp, or expose longer"
        case "bright":
            return f"{of} is overexposed: it shows {number} of the 4 tags; expose it less"
        case "blurred":
            return f"{of} is blurred: it shows none of the 4 tags; focus, and keep the camera still"
    out = cut_off(tags, layout, (photo.shape[1], photo.shape[0]))
    if out is not None:
        return (
            f"{of} cuts the board off: tag {named(out)} is out of the picture; "
            "bring all corners of the board into view"
        )
    which, are = missing(tags, layout)
    return (
        f"{of} shows {number} of the 4 tags of layout {layout.name!r}"
        + (f", {which} {are} missing" if tags else "")
        + "; bring all corners of the board into view, sharp and evenly lit, with nothing on the tags"
    )


def missing(tags: Container[int], layout: Layout) -> tuple[str, str]:
    """Which of a layout's tags are not among `tags`, at least one: "tags 0 (top left) and 1 (top right)";
    and "are", or "is"."""
    *first, last = (named(tag) for tag in sorted(layout.tags) if tag not in tags)
    return (f"tags {', '.join(first)} and {last}", "are") if first else (f"tag {last}", "is")


def cut_off(tags: dict[int, Floats], layout: Layout, size: tuple[int, int]) -> int | None:
    """A tag that lies outside of a picture of `size` (width, height), as far as the others tell."""
    found = locate_roughly(tags, layout, size)
    if found is None:
        return None
    for tag in sorted(set(layout.tags) - set(tags)):
        corners = found[0].project(on_board(layout.tag_corners(tag)))
        if (corners < 2).any() or (corners > np.array(size) - 3).any():
            return tag
    return None


def named(tag: int) -> str:
    """A tag and where it lies: "0 (top left)"."""
    return f"{tag} ({CORNERS[tag]})" if 0 <= tag < len(CORNERS) else str(tag)


def _along(photo: Image, quad: Floats, scale: float) -> Floats:
    """Grey or BGR values along a square around the tag's middle, `scale` times its size, but its corners."""
    middle = quad.mean(axis=0)
    share = np.linspace(0.15, 0.85, 12)[:, None]
    sides = [
        middle + scale * (a + share * (b - a) - middle)
        for a, b in zip(quad, np.roll(quad, -1, axis=0), strict=True)
    ]
    at = np.concatenate(sides).astype(np.float32)[None]
    return np.asarray(cv2.remap(photo, at[..., 0], at[..., 1], cv2.INTER_LINEAR)[0], dtype=np.float64)


def _blur(grey: Image, tags: dict[int, Floats]) -> float:
    """The spread in px of the step from black to white at the tags' outlines, the middle one of the tags'."""
    spreads = []
    for quad in tags.values():
        half = float(np.hypot(*(quad - quad.mean(axis=0)).T).mean() / np.sqrt(2))
        scales = np.linspace(_INK, _PAPER, 32)
        step = np.array([np.median(_along(grey, quad, scale)) for scale in scales])
        step = np.maximum.accumulate(step)
        rise = (step - step[0]) / max(step[-1] - step[0], 1.0)
        low, high = (float(np.interp(share, rise, scales)) for share in (0.25, 0.75))
        spreads.append((high - low) * half / 1.349)
    return float(np.median(spreads))


def true_corners(photo: Image, tags: dict[int, Floats]) -> dict[int, Floats]:
    """The tags' corners where their outlines truly are: blur pulls corners into the tag, by a percent or two.

    An outline is where the light (levels to the power 2.2) is half of that of the paper.
    """
    grey = cv2.cvtColor(photo, cv2.COLOR_BGR2GRAY)
    scales = np.linspace(_INK, _PAPER, 63)
    outlines = []
    for quad in tags.values():
        light = np.array([np.median(_along(grey, quad, scale)) for scale in scales]) ** 2.2
        light = np.maximum.accumulate(light)
        outlines.append(float(np.interp((light[0] + light[-1]) / 2, light, scales)))
    grown = float(np.median(outlines))
    return {tag: quad.mean(axis=0) + grown * (quad - quad.mean(axis=0)) for tag, quad in tags.items()}
