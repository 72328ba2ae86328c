"""What a camera position gives, and what to change: a few sentences for the person at the table."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Literal

import numpy as np

from calibration.calibrate import FEW_DIE_PX
from calibration.colours import in_plain_light, misnamed, share_of_colour
from calibration.die_size import taken_as_seen
from calibration.photos import DARK, Sighting, sight
from vision.change import Mask
from vision.doubts import LEANS
from vision.geometry import LETTERS, Floats, Image, View, on_board
from vision.looks import likeness
from vision.profile import DieColour, Profile
from vision.read import read
from vision.unseen import BRIGHT

DIE_PX = 24.0
"""A die's side: below this pips get hard to count."""
TILT, MUCH_TILT = 15.0, 25.0
"""Degrees aside of straight down."""
SOFT = 0.05
"""Blur (a normal distribution's spread) in die sides: a pip is 0.2 wide."""
UNEVEN = 0.6
"""The light at the darkest tag against the lightest."""
GLARE = 0.004
"""The share of the ring that may be white where the paper of the tags is not."""
BURNT = 0.2
"""The share of the board that may have no more light to show in two of its colours: of 60 sets one had more
(0.7, the others 0.03 at most), whose tags the lamp's tint kept from white, and none of its five frames was
read surely."""
ALIKE = 3000.0
"""Two dice are nearly alike when each is less than so many times likelier by its own colour than both are by
each other's: three of 47 sets had such two (8, 50 and 929 times), and none of their 15 frames could be read
surely; in all others it was 18,000 times and more."""
PALE = 0.25
"""A die that is less colourful than such a share of what people call so: three of 40 sets had such dice
(their palest 0.09 to 0.16, that of the others 0.29 and more), and 2 of their 16 frames could be read surely,
of the others' 214 183. There are pale dice, too."""
MIRRORED = 20.0
"""The middle of a top and its rim differ in hue (a and b of 8-bit Lab) by no more where no lamp is mirrored:
four of 56 sets had such a die (21 to 47, the others 18 at most), and of the 13 frames of three of them five
could be read surely."""
ROOM_MM = 45.0
"""A square of this side for each die beside the board."""
_SIDES = ("top", "right", "bottom", "left")


Subject = Literal["light", "angle", "dice", "colours", "glare", "sharpness", "room"]


def advice(profile: Profile, dice: Image | None = None, told_mm: float | None = None) -> list[str]:
    """One sentence a subject; those that are fine come first, as one. `dice`: their photo, if it is kept;
    `told_mm`: the side of a die as somebody told it."""
    empty = sight("empty board", profile.empty, profile.layout, least=2)
    said = findings(profile, empty)
    if dice is not None:
        for subject, why in _photo_of_dice(profile, dice, empty.light):
            said[subject] = said[subject] or why
    said["dice"] = taken_as_seen(profile.die_mm, told_mm) or said["dice"]
    good = [what for what, why in said.items() if why is None]
    first = [f"good: {', '.join(good)}"] if good else []
    return first + [f"{what}: {why}" for what, why in said.items() if why is not None]


def findings(profile: Profile, seen: Sighting) -> dict[Subject, str | None]:
    """What to change, by subject; None where all is good. `seen` are the tags of the empty photo."""
    return {
        "dice": _dice(profile),
        "colours": _alike(profile.colours)
        or _misnamed(profile.colours, seen.white)
        or _pale_ones(profile.colours)
        or _mirroring(profile.colours),
        "angle": _angle(profile.view),
        "room": _room(profile),
        "light": _light(seen) or _burnt(profile),
        "glare": _glare(profile, seen),
        "sharpness": _sharpness(profile, seen),
    }


def position(profile: Profile) -> str:
    """Where the camera is, in figures."""
    tilt = round(profile.view.tilt)
    return (
        f"camera {profile.view.eye[2]:.0f} mm above the board, "
        f"{tilt} degree{'' if tilt == 1 else 's'} aside; "
        f"a die is {profile.die_px:.0f} pixels wide; room for {room(profile)} dice beside the board"
    )


def _dice(profile: Profile) -> str | None:
    pixels = profile.die_px
    if pixels >= DIE_PX:
        return None
    closer = profile.view.eye[2] * pixels / DIE_PX
    much = "too small to read" if pixels < FEW_DIE_PX else "small"
    lens = profile.view.lens
    nearest = 2 * profile.layout.half_mm * lens.focal / min(lens.size)  # straight above, the board just fits
    if closer < nearest:
        return (
            f"a die is only {pixels:.0f} pixels wide, {much}; set the camera to larger pictures, "
            "for nearer by it would not see the whole board"
        )
    return (
        f"a die is only {pixels:.0f} pixels wide, {much}; "
        f"bring the camera to {closer:.0f} mm, or take larger photos"
    )


def _misnamed(dice: tuple[DieColour, ...], paper: Floats) -> str | None:
    wrong = misnamed(in_plain_light([die.lab for die in dice], paper), [die.name for die in dice])
    pale = _pale(dice)  # which looks black or white, whatever its name
    swaps = [(given, looks) for name, looks, given in wrong if name not in pale]
    if not swaps:
        return None
    names, looks = (" and ".join(part) for part in zip(*swaps, strict=True))
    if len(swaps) == 1:
        return (
            f"no die looks {names}, and one looks {looks}; "
            "if it is, learn the set again with that name in place of the other"
        )
    return (
        f"no dice look {names}, and some look {looks}; "
        "if they are, learn the set again with those names in place of the others"
    )


def _alike(dice: tuple[DieColour, ...]) -> str | None:
    pairs = [pair for pair in combinations(dice, 2) if pair[0].bright_pips == pair[1].bright_pips]
    alike = [pair for pair in pairs if _apart(pair) < ALIKE]
    if not alike:
        return None
    names = " and ".join(die.name for die in min(alike, key=_apart))
    return (
        f"the {names} dice look nearly alike in this light (a lamp may be mirrored in them); "
        "move the lamp or the camera, and take both photos again"
    )


def _pale(dice: tuple[DieColour, ...]) -> list[str]:
    return [die.name for die in dice if share_of_colour(die.name, die.lab) < PALE]


def _pale_ones(dice: tuple[DieColour, ...]) -> str | None:
    pale = _pale(dice)
    if not pale:
        return None
    return (
        f"some dice look very pale: {', '.join(pale)}; "
        "if they are not, move them or the lamp, and take their photo again"
    )


def _mirroring(dice: tuple[DieColour, ...]) -> str | None:
    lit = [die.name for die in dice if die.rim and np.hypot(*np.subtract(die.lab, die.rim)[1:]) > MIRRORED]
    if not lit:
        return None
    names = ", ".join(lit)
    return f"a lamp is mirrored in some dice: {names}; move them or the lamp, and take their photo again"


def _apart(pair: tuple[DieColour, DieColour]) -> float:
    """How many times likelier two dice are by their own colours than by each other's."""
    looks = np.array([die.lab for die in pair], dtype=np.float32)
    first, second = (likeness(looks, die.lab) for die in pair)
    return float(first[0] * second[1] / (first[1] * second[0]))


def _angle(view: View) -> str | None:
    tilt = view.tilt
    if tilt <= TILT:
        return None
    x, y, high = view.eye
    enough = np.hypot(x, y) - high * np.tan(np.deg2rad(TILT))
    side = _SIDES[int(np.round(np.arctan2(x, -y) / (np.pi / 2))) % 4]
    much = "far too much: pieces hide each other" if tilt > MUCH_TILT else "pieces hide a part of each other"
    return (
        f"the camera looks from {tilt:.0f} degrees aside ({much}); "
        f"move it {np.ceil(enough / 10):.0f} cm from the board's {side} towards above its middle"
    )


def room(profile: Profile) -> int:
    """How many dice find a place of their own beside the board and inside the picture."""
    width, height = profile.view.lens.size
    picture = [[0, 0], [width - 1, 0], [width - 1, height - 1], [0, height - 1]]
    corners = profile.view.unproject(picture)
    sides = np.roll(corners, -1, axis=0) - corners
    reach = 4 * profile.layout.half_mm
    at = np.arange(-reach, reach, ROOM_MM) + ROOM_MM / 2
    squares = np.stack(np.meshgrid(at, at), axis=-1).reshape(-1, 2)
    squares = squares[np.abs(squares).max(axis=1) > profile.layout.half_mm + ROOM_MM / 2]
    inside = np.ones(len(squares), dtype=bool)
    for dx, dy in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
        away = (squares + np.array([dx, dy]) * ROOM_MM / 2)[:, None] - corners
        turns = sides[:, 0] * away[..., 1] - sides[:, 1] * away[..., 0]
        inside &= (turns > 0).all(axis=1) | (turns < 0).all(axis=1)
    return int(inside.sum())


def _room(profile: Profile) -> str | None:
    free = room(profile)
    if free >= 6:
        return None
    return (
        f"beside the board there is room for {free} dice in the picture; "
        "throw them into the ring, or raise the camera"
    )


def _light(seen: Sighting) -> str | None:
    lightest, darkest = max(seen.paper.values()), min(seen.paper.values())
    if seen.light < DARK:
        return "the photo is dark; switch on a lamp, or expose longer"
    if seen.light > BRIGHT:
        return "white paper is overexposed, and white dice will be; expose a little less"
    if darkest < UNEVEN * lightest:
        tag = min(seen.paper, key=lambda one: seen.paper[one])
        share = 100 * darkest / lightest
        return f"uneven: the corner of tag {tag} gets {share:.0f} % of the light of the brightest corner"
    return None


def _photo_of_dice(profile: Profile, dice: Image, before: float) -> Iterator[tuple[Subject, str]]:
    """What to change about the photo of the dice, by its tags, and as it is read; not where it alone is too
    dark or too light, and the paper of the empty board, `before`, was not."""
    seen = sight("dice", dice, profile.layout, least=2)
    if seen.light < DARK:
        yield "light", "the photo of the dice is dark; switch on a lamp, or expose longer"
    elif seen.light > BRIGHT:
        yield "light", "the photo of the dice is overexposed; expose it less"
    alike = (seen.light < DARK, seen.light > BRIGHT) == (before < DARK, before > BRIGHT)
    if alike and (why := _as_read(profile, dice)):
        yield "dice", why
    if _is_soft(profile, seen):
        yield "sharpness", "the photo of the dice is blurred; focus, and keep the camera still"


def _as_read(profile: Profile, dice: Image) -> str | None:
    """What is more, or less, in the photo of the dice than six that lie flat: of 61 sets, and of 182 through
    other cameras, none is read so."""
    reading = read(dice, profile)
    if reading.covered:
        return "something lies over the board in their photo, perhaps a hand; take it again without"
    leaning = ", ".join(one.what.removeprefix("die ") for one in reading.doubts if one.why == LEANS)
    return f"some lean in their photo: {leaning}; lay all six flat, and take it again" if leaning else None


def _glare(profile: Profile, seen: Sighting) -> str | None:
    letters = mirroring(profile, seen)
    if not letters:
        return None
    return f"a lamp is mirrored on field {', '.join(letters)}; move the lamp or the camera"


def mirroring(profile: Profile, seen: Sighting) -> list[str]:
    """Fields with white spots where the paper of the tags is clearly darker: a lamp is mirrored there."""
    if seen.light > BRIGHT - 12:
        return []
    shining = profile.empty.min(axis=2) >= BRIGHT
    grid = _grid(profile.layout.field_mm)
    within = grid[np.hypot(*grid.T) < profile.layout.field_mm / 2]
    fields = zip(LETTERS, profile.layout.field_centres, strict=True)
    return [letter for letter, at in fields if _share(shining, profile.view, within + at) > GLARE]


def _burnt(profile: Profile) -> str | None:
    ended = (profile.empty >= BRIGHT).sum(axis=2) >= 2
    if _share(ended, profile.view, _grid(2 * profile.layout.half_mm, 96)) <= BURNT:
        return None
    return "much of the board is overexposed; expose a little less, or dim the light"


def _grid(side_mm: float, count: int = 24) -> Floats:
    """(count * count, 2) places in a square around the middle, mm."""
    return np.stack(np.meshgrid(*[np.linspace(-0.5, 0.5, count) * side_mm] * 2), axis=-1).reshape(-1, 2)


def _share(chosen: Mask, view: View, places: Floats) -> float:
    """At how many of these places (N, 2) on the board, mm, the pixels of a photo are `chosen`, (H, W)."""
    pixels = np.round(view.project(on_board(places))).astype(int)
    height, width = chosen.shape
    x, y = pixels[:, 0].clip(0, width - 1), pixels[:, 1].clip(0, height - 1)
    return float(chosen[y, x].mean())


def _sharpness(profile: Profile, seen: Sighting) -> str | None:
    if not _is_soft(profile, seen):
        return None
    return "the photo is soft; focus on the board, clean the lens, and fix the camera so that it cannot shake"


def _is_soft(profile: Profile, seen: Sighting) -> bool:
    return seen.blur > SOFT * profile.die_mm * profile.view.pixels_per_mm()
