"""What to improve at a table, from what was doubted there and from what its photos say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from statistics import median

from companion.games.corona.refused import N_
from companion.selftest.measures import Measures, Place
from companion.selftest.run import Seen
from companion.selftest.said import Said

DIE_PX, OFF_DEG = 22.0, 25.0
"""Dice smaller than this in the photo, and cameras further off the vertical, cost readings."""
DARK, OTHER_LIGHT, UNEVEN = 55.0, 1.2, 1.15
SHINE, BLOWN, BLURRED, MOVED_MM = 0.004, 0.1, 0.35, 3.0
"""As `Measures` gives them. A board of which more than `BLOWN` turned white is no mirror but too bright."""
ALL_WELL = Said(N_("Nothing: this camera sees your table well."))


def advice(place: Place, seen: Sequence[Seen], measures: Sequence[Measures]) -> list[Said]:
    """One sentence for each thing that can be made better, the gravest first."""
    found = [*_wrong(seen), *_of_place(place), *_of_light(measures), *_of_doubts(seen)]
    if not found and seen and all(one.verdict == "right" for one in seen):
        return [ALL_WELL]
    return found


def _wrong(seen: Sequence[Seen]) -> Iterator[Said]:
    wrong = [one.setup.number for one in seen if one.verdict == "wrong"]
    if wrong:
        yield Said(
            N_(
                "A reading was sure and wrong (%(setups)s). If the table lay as asked, this is "
                "the worst fault the companion can have: please report it, with this folder."
            ),
            setups=_setups(wrong),
        )


def _of_place(place: Place) -> Iterator[Said]:
    if place.die_px < DIE_PX:
        yield Said(
            N_(
                "A die is only %(number)s pixels wide: bring the camera nearer, "
                "or let it take larger pictures, and calibrate again."
            ),
            number=round(place.die_px),
        )
    if place.off_deg > OFF_DEG:
        yield Said(
            N_(
                "The camera looks from %(number)s degrees off the vertical, where pieces hide "
                "each other: bring it over the middle of the board and calibrate again."
            ),
            number=round(place.off_deg),
        )


def _of_light(measures: Sequence[Measures]) -> Iterator[Said]:
    if not measures:
        return
    bright, light = median(m.bright for m in measures), median(m.light for m in measures)
    if bright < DARK:
        yield Said(N_("It is dark: more light, best from two sides."))
    shine = median(m.shine for m in measures)
    if shine > BLOWN:
        yield Said(
            N_("It is too bright: %(number)s %% of the board is white. Less light, and calibrate again."),
            number=round(100 * shine),
        )
    elif light > OTHER_LIGHT:
        yield Said(
            N_("It is %(number)s times as bright as at calibration: calibrate again in this light."),
            number=round(light, 1),
        )
    if light < 1 / OTHER_LIGHT:
        yield Said(
            N_(
                "It is darker than at calibration, %(number)s %% of the light: "
                "bring that light back, or calibrate again in this one."
            ),
            number=round(100 * light),
        )
    if shine <= BLOWN and median(m.uneven for m in measures) > UNEVEN:
        yield Said(
            N_(
                "The light comes from elsewhere than at calibration: a lamp was moved, "
                "or somebody stands in it. Put it back, or calibrate again."
            )
        )
    shining = [m for m in measures if SHINE < m.shine <= BLOWN]
    if 2 * len(shining) >= len(measures):
        near = Counter(m.shine_near for m in shining).most_common(1)[0][0]
        yield Said(
            N_("A lamp mirrors in the board near field %(letter)s: move it aside until the shine is gone."),
            letter=near,
        )
    yield from _of_focus(measures)


def _of_focus(measures: Sequence[Measures]) -> Iterator[Said]:
    if median(m.sharp for m in measures) < BLURRED:
        yield Said(
            N_(
                "Photos are less sharp than at calibration: clean the lens, focus it, "
                "and let its mount come to rest."
            )
        )
    moved = median(m.moved_mm for m in measures)
    if moved > MOVED_MM:
        yield Said(
            N_(
                "The camera or the board has moved by %(number)s mm since calibration: "
                "if it stays so, calibrate again."
            ),
            number=round(moved),
        )


def _of_doubts(seen: Sequence[Seen]) -> Iterator[Said]:
    doubted = [one for one in seen if one.verdict == "unsure"]
    about = Counter(
        what for one in doubted for what in dict.fromkeys(doubt.what for doubt in one.reading.doubts)
    )
    if about["board"]:
        yield Said(
            N_("The board was not surely seen (%(times)s): all four tags must lie flat, clean and in view."),
            times=_times(about["board"]),
        )
    for what, times in about.items():
        if what.startswith("die "):
            yield Said(
                N_(
                    "The %(colour)s die was doubted (%(times)s): "
                    "it is read best flat, apart from others, on ground of another colour."
                ),
                colour=what.removeprefix("die "),
                times=_times(times),
            )
    if about["table"]:
        yield Said(
            N_(
                "There were many small doubts at once (%(times)s): "
                "more and more even light, or a camera nearer by, takes most of them away."
            ),
            times=_times(about["table"]),
        )
    for kind, sentence in _OF_SETUP.items():
        numbers = [one.setup.number for one in doubted if kind in _kinds(one) and _pieces_doubted(one)]
        if numbers:
            yield Said(sentence, setups=_setups(numbers))


_OF_SETUP = {
    "markers": N_(
        "Markers were doubted (%(setups)s): light from the side, not from above, keeps metal dull."
    ),
    "stacked": N_("Pieces on each other were doubted (%(setups)s): side by side they are read more surely."),
    "touching": N_("Pieces that touch were doubted (%(setups)s): a finger's breadth between them helps."),
    "edge": N_("Pieces near the edge of a field were doubted (%(setups)s): nearer to its middle is surer."),
    "apart": N_("Single pieces were doubted (%(setups)s): a lamp that makes no shine on them helps most."),
}


def _kinds(one: Seen) -> tuple[str, ...]:
    return ("markers",) if one.setup.markers else (one.setup.stand,)


def _pieces_doubted(one: Seen) -> bool:
    return any(doubt.fields or doubt.what.startswith(("field", "piece")) for doubt in one.reading.doubts)


def _setups(numbers: Sequence[int]) -> Said:
    """ "set-up 3", "set-ups 1 and 3" """
    *others, last = numbers
    if not others:
        return Said(N_("set-up %(number)s"), number=last)
    return Said(N_("set-ups %(numbers)s and %(last)s"), numbers=", ".join(map(str, others)), last=last)


def _times(number: int) -> Said:
    return Said(N_("once")) if number == 1 else Said(N_("%(number)s times"), number=number)
