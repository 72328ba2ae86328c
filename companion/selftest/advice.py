"""What to improve at a table, from what was doubted there and from what its photos say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from statistics import median

from companion.selftest.measures import Measures, Place
from companion.selftest.run import Seen

DIE_PX, OFF_DEG = 22.0, 25.0
"""Dice smaller than this in the photo, and cameras further off the vertical, cost readings."""
DARK, OTHER_LIGHT, UNEVEN = 55.0, 1.2, 1.15
SHINE, BLOWN, BLURRED, MOVED_MM = 0.004, 0.1, 0.35, 3.0
"""As `Measures` gives them. A board of which more than `BLOWN` turned white is no mirror but too bright."""
ALL_WELL = "Nothing: this camera sees your table well."


def advice(place: Place, seen: Sequence[Seen], measures: Sequence[Measures]) -> list[str]:
    """One sentence for each thing that can be made better, the gravest first."""
    found = [*_wrong(seen), *_of_place(place), *_of_light(measures), *_of_doubts(seen)]
    if not found and seen and all(one.verdict == "right" for one in seen):
        return [ALL_WELL]
    return found


def _wrong(seen: Sequence[Seen]) -> Iterator[str]:
    wrong = [str(one.setup.number) for one in seen if one.verdict == "wrong"]
    if wrong:
        yield (
            f"A reading was sure and wrong (set-up {', '.join(wrong)}). If the table lay as asked, this is "
            "the worst fault the companion can have: please report it, with this folder."
        )


def _of_place(place: Place) -> Iterator[str]:
    if place.die_px < DIE_PX:
        yield (
            f"A die is only {place.die_px:.0f} pixels wide: bring the camera nearer, "
            "or let it take larger pictures, and calibrate again."
        )
    if place.off_deg > OFF_DEG:
        yield (
            f"The camera looks from {place.off_deg:.0f} degrees off the vertical, where pieces hide "
            "each other: bring it over the middle of the board and calibrate again."
        )


def _of_light(measures: Sequence[Measures]) -> Iterator[str]:
    if not measures:
        return
    bright, light = median(m.bright for m in measures), median(m.light for m in measures)
    if bright < DARK:
        yield "It is dark: more light, best from two sides."
    shine = median(m.shine for m in measures)
    if shine > BLOWN:
        yield f"It is too bright: {100 * shine:.0f} % of the board is white. Less light, and calibrate again."
    elif light > OTHER_LIGHT:
        yield f"It is {light:.1f} times as bright as at calibration: calibrate again in this light."
    if light < 1 / OTHER_LIGHT:
        yield (
            f"It is darker than at calibration, {100 * light:.0f} % of the light: "
            "bring that light back, or calibrate again in this one."
        )
    if shine <= BLOWN and median(m.uneven for m in measures) > UNEVEN:
        yield (
            "The light comes from elsewhere than at calibration: a lamp was moved, or somebody stands in it. "
            "Put it back, or calibrate again."
        )
    shining = [m for m in measures if SHINE < m.shine <= BLOWN]
    if 2 * len(shining) >= len(measures):
        near = Counter(m.shine_near for m in shining).most_common(1)[0][0]
        yield f"A lamp mirrors in the board near field {near}: move it aside until the shine is gone."
    if median(m.sharp for m in measures) < BLURRED:
        yield (
            "Photos are less sharp than at calibration: clean the lens, focus it, "
            "and let its mount come to rest."
        )
    moved = median(m.moved_mm for m in measures)
    if moved > MOVED_MM:
        yield (
            f"The camera or the board has moved by {moved:.0f} mm since calibration: "
            "if it stays so, calibrate again."
        )


def _of_doubts(seen: Sequence[Seen]) -> Iterator[str]:
    doubted = [one for one in seen if one.verdict == "unsure"]
    about = Counter(what for one in doubted for what in {doubt.what for doubt in one.reading.doubts})
    if about["board"]:
        yield (
            f"The board was not surely seen ({_times(about['board'])}): "
            "all four tags must lie flat, clean and in view."
        )
    for what, times in about.items():
        if what.startswith("die "):
            yield (
                f"The {what.removeprefix('die ')} die was doubted ({_times(times)}): "
                "it is read best flat, apart from others, on ground of another colour."
            )
    if about["table"]:
        yield (
            f"There were many small doubts at once ({_times(about['table'])}): "
            "more and more even light, or a camera nearer by, takes most of them away."
        )
    for kind, sentence in _OF_SETUP.items():
        numbers = [str(one.setup.number) for one in doubted if kind in _kinds(one) and _pieces_doubted(one)]
        if numbers:
            yield sentence.format(", ".join(numbers))


_OF_SETUP = {
    "markers": "Markers were doubted (set-up {}): light from the side, not from above, keeps metal dull.",
    "stacked": "Pieces on each other were doubted (set-up {}): side by side they are read more surely.",
    "touching": "Pieces that touch were doubted (set-up {}): a finger's breadth between them helps.",
    "edge": "Pieces near the edge of a field were doubted (set-up {}): nearer to its middle is surer.",
    "apart": "Single pieces were doubted (set-up {}): a lamp that makes no shine on them helps most.",
}


def _kinds(one: Seen) -> tuple[str, ...]:
    return ("markers",) if one.setup.markers else (one.setup.stand,)


def _pieces_doubted(one: Seen) -> bool:
    return any(doubt.fields or doubt.what.startswith(("field", "piece")) for doubt in one.reading.doubts)


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"
