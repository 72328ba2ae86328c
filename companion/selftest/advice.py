"""What to improve at a table, from what was doubted there and from what its photos say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from statistics import median

from calibration.advice import DIE_PX, MUCH_TILT
from companion.games.corona.refused import N_
from companion.selftest.measures import Measures, Place
from companion.selftest.run import Seen, is_covered, is_ill
from companion.selftest.said import Said
from vision.doubts import ANOTHER, LIES_THERE, OUTSIDE
from vision.reading import MANY
from vision.unseen import SAID

DARK, OTHER_LIGHT, UNEVEN = 55.0, 1.2, 1.15
SHINE, BLOWN, BLURRED, MOVED_MM = 0.004, 0.1, 0.35, 3.0
"""As `Measures` gives them. A board of which more than `BLOWN` turned white is no mirror but too bright."""
EMPTY = 2
"""So many empty fields in doubt, and no fewer than others, are no piece that stands near one."""
ALL_WELL = Said(N_("Nothing: this camera sees your table well."))
WELL_SO_FAR = Said(N_("Nothing so far; lay the others, too."))
TAGS = " tags "
"""This stands in every doubt about them."""


def advice(place: Place, seen: Sequence[Seen], measures: Sequence[Measures], whole: bool) -> list[Said]:
    """One sentence for each thing that can be made better, the gravest first.

    `whole`: nothing that can be laid is left.
    """
    light = list(_of_light(measures))
    found = [*_wrong(seen), *_of_place(place), *light, *_of_doubts(seen, lit=not light)]
    if not found and seen and all(one.verdict == "right" for one in seen):
        return [ALL_WELL if whole else WELL_SO_FAR]
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
    if place.off_deg > MUCH_TILT:
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


def _of_doubts(seen: Sequence[Seen], lit: bool) -> Iterator[Said]:
    """`lit`: nothing has been said about light and focus yet."""
    unsure = [one for one in seen if one.verdict == "unsure"]
    other_board = any(ANOTHER in doubt.why for one in unsure for doubt in one.reading.doubts)
    covered = [] if other_board else [one for one in unsure if is_covered(one.reading)]
    if covered:
        yield Said(
            N_(
                "Something covered the board (%(setups)s): keep hands out of the picture. "
                "If none was there, a lamp or a shadow lies on that place."
            ),
            setups=_setups([one.setup.number for one in covered]),
        )
    yield from _of_the_whole(unsure, lit)
    # What else these doubt comes of that.
    doubted = [one for one in unsure if one not in covered and not is_ill(one.reading)]
    yield from _of_dice(doubted)
    strange = [one for one in doubted if _looks_strange(one)]
    if strange and 2 * len(strange) >= sum(not one.setup.why for one in seen):
        yield Said(
            N_(
                "Fields on which nothing lay were doubted (%(setups)s): the board, or its light, "
                "is not as it was at calibration. Calibrate again on this board."
            ),
            setups=_setups([one.setup.number for one in strange]),
        )
        doubted = [one for one in doubted if one not in strange]  # what else they doubt comes of that
    for kind, sentence in _OF_SETUP.items():
        numbers = [one.setup.number for one in doubted if kind in _kinds(one)]
        if numbers:
            yield Said(sentence, setups=_setups(numbers))


def _of_the_whole(doubted: Sequence[Seen], lit: bool) -> Iterator[Said]:
    """About board and picture as a whole."""
    about: dict[str, dict[int, None]] = {}  # the numbers of the set-ups, each once
    for one in doubted:
        for doubt in one.reading.doubts:
            if doubt.what in ("board", "table") or doubt.why == OUTSIDE:
                kind = TAGS if TAGS in doubt.why else doubt.why
                about.setdefault(kind, {})[one.setup.number] = None
    if tags := about.pop(TAGS, {}):
        yield Said(
            N_("The board was not surely seen (%(times)s): all four tags must lie flat, clean and in view."),
            times=_times(len(tags)),
        )
    if many := about.pop(MANY, {}):
        yield Said(
            N_(
                "There were many small doubts at once (%(times)s): "
                "more and more even light, or a camera nearer by, takes most of them away."
            ),
            times=_times(len(many)),
        )
    for why, numbers in about.items():
        if why != LIES_THERE and (lit or why not in SAID.values()):
            yield Said(N_("The camera says (%(setups)s): %(why)s."), setups=_setups([*numbers]), why=why)


def _of_dice(doubted: Sequence[Seen]) -> Iterator[Said]:
    about = Counter(
        what for one in doubted for what in dict.fromkeys(doubt.what for doubt in one.reading.doubts)
    )
    dice = [(what.removeprefix("die "), n) for what, n in about.most_common() if what.startswith("die ")]
    if len(dice) == 1:
        ((colour, times),) = dice
        yield Said(
            N_(
                "The %(colour)s die was doubted (%(times)s): "
                "it is read best flat, apart from others, on ground of another colour."
            ),
            colour=colour,
            times=_times(times),
        )
    elif dice:
        yield Said(
            N_(
                "Dice were doubted (%(dice)s): "
                "they are read best flat, apart from others, on ground of another colour."
            ),
            dice=tuple(
                Said(N_("%(colour)s %(times)s"), colour=colour, times=_times(times)) for colour, times in dice
            ),
        )


_OF_SETUP = {
    "markers": N_(
        "Markers were doubted (%(setups)s): light from the side, not from above, keeps metal dull."
    ),
    "stacked": N_("Pieces on each other were doubted (%(setups)s): side by side they are read more surely."),
    "touching": N_("Pieces that touch were doubted (%(setups)s): a finger's breadth between them helps."),
    "edge": N_("Pieces near the edge of a field were doubted (%(setups)s): nearer to its middle is surer."),
    "apart": N_("Single pieces were doubted (%(setups)s): a lamp that makes no shine on them helps most."),
}


def _looks_strange(one: Seen) -> bool:
    """Whether the board itself was doubted: fields on which nothing lies, and not for a piece beside them."""
    doubted = {field for doubt in one.reading.doubts for field in doubt.fields}
    empty = [field for field in doubted if not one.setup.pieces[field]]
    return len(empty) >= EMPTY and 2 * len(empty) >= len(doubted)


def _kinds(one: Seen) -> set[str]:
    """What was doubted of the pieces in a set-up, and of their markers."""
    setup, doubts = one.setup, one.reading.doubts
    on_pieces = [doubt for doubt in doubts if all(setup.pieces[field] for field in doubt.fields)]
    kinds: set[str] = set()
    if len(on_pieces) == len(doubts) and any(doubt.what == "pieces" for doubt in doubts):
        kinds.add(setup.stand)  # not all six were found, and nothing else is known to hide one
    marked = {field for field, _ in setup.markers}
    for field in {field for doubt in on_pieces for field in doubt.fields}:
        alone = setup.pieces[field] == 1 and setup.stand != "edge"
        kinds.add("markers" if field in marked else "apart" if alone else setup.stand)
    return kinds


def _setups(numbers: Sequence[int]) -> Said:
    """ "set-up 3", "set-ups 1 and 3" """
    *others, last = numbers
    if not others:
        return Said(N_("set-up %(number)s"), number=last)
    return Said(N_("set-ups %(numbers)s and %(last)s"), numbers=", ".join(map(str, others)), last=last)


def _times(number: int) -> Said:
    return Said(N_("once")) if number == 1 else Said(N_("%(number)s times"), number=number)
