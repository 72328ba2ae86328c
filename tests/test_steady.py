"""Several looks at one table: what moves, what a hand hides, what they know together and contradict."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from random import Random

import cv2
import numpy as np
import pytest

from companion.reliability import is_right
from hardware.camera import small_grey
from tests.sessions import frames, photo, profile, truth
from vision.fusing import Look, fused
from vision.geometry import Image
from vision.read import read
from vision.reading import MANY, Doubt, Reading
from vision.steady import AGAIN_GLANCES, CHECK_GLANCES, ENOUGH, MOST_LOOKS, Steady, moves

SESSION = "session-01"


@cache
def reading_of(name: str) -> Reading:
    return read(photo(SESSION, f"frames/{name}"), profile(SESSION))


@cache
def glance_of(name: str) -> Image:
    return small_grey(photo(SESSION, f"frames/{name}"))


def names(readable: bool) -> list[str]:
    return [name for session, name in frames(readable) if session == SESSION]


def sure_name() -> str:
    return next(name for name in names(readable=True) if reading_of(name).sure)


def shown(steady: Steady, name: str, times: int) -> Steady:
    """A frame stays for so many glances, and is looked at whenever that is asked for."""
    for _ in range(times):
        steady = steady.glanced(glance_of(name))
        if steady.wants_look:
            steady = steady.looked(reading_of(name))
    return steady


def doubting(reading: Reading, what: str) -> Reading:
    """The same, but one die or field could not be read."""
    kind, _, name = what.partition(" ")
    if kind == "die":
        doubts = (*reading.doubts, Doubt(what, "hard to see"))
        return replace(reading, dice=reading.dice | {name: None}, sure=False, doubts=doubts)
    assert reading.counts
    field = "ABCDEFGHIJKL".index(name)
    counts = tuple(None if k == field else count for k, count in enumerate(reading.counts))
    doubts = (*reading.doubts, Doubt(what, "hard to see", (field,)))
    return replace(reading, counts=counts, sure=False, doubts=doubts)


def carrying(reading: Reading, field: int, *colours: str) -> Reading:
    """The same, but of one field it is in doubt what its pieces carry: markers in `colours`, perhaps."""
    assert reading.confidence
    doubt = Doubt(f"field {'ABCDEFGHIJKL'[field]}", "a marker may be white", (field,), of_marker=True)
    others = [marker for marker in reading.markers if marker[0] != field]
    markers = tuple(sorted([*others, *((field, colour) for colour in colours)]))
    likely = replace(reading.confidence, markers=(0.6,) * len(markers), whole=0.6)
    return replace(reading, markers=markers, sure=False, doubts=(doubt,), confidence=likely)


def still(name: str, *looks: Reading, markers: bool = True) -> Steady:
    """Looks at a table on which nothing moves."""
    steady = Steady(markers=markers)
    for _ in range(4):
        steady = steady.glanced(glance_of(name))
    for look in looks:
        steady = steady.looked(look)
    return steady


def test_two_looks_at_a_still_table_settle_it() -> None:
    name = sure_name()
    steady = shown(Steady(), name, 2)
    assert steady.state == "moving" and not steady.looks
    steady = shown(steady, name, ENOUGH)
    assert steady.state == "settled" and steady.reading.sure and not steady.wants_look
    assert is_right(steady.reading, truth(SESSION)[name])


def test_a_hand_is_said_and_what_lies_there_afterwards_is_read() -> None:
    hand = next(name for name in names(readable=False) if reading_of(name).covered)
    name = sure_name()
    steady = shown(Steady(), hand, 9)
    assert steady.state == "hand" and not steady.reading.sure
    assert not steady.wants_look, "a hand that rests is not looked at all the time"
    steady = steady.glanced(glance_of(name))
    assert steady.state == "moving"
    steady = shown(steady, name, 5)
    assert steady.state == "settled" and is_right(steady.reading, truth(SESSION)[name])


def test_a_still_table_that_stays_doubtful_is_looked_at_again_later() -> None:
    name = sure_name()
    doubtful = doubting(reading_of(name), "die red")
    steady = still(name, *[doubtful] * MOST_LOOKS)
    assert steady.state == "settled" and not steady.reading.sure
    waited = 0
    while not steady.wants_look:
        steady, waited = steady.glanced(glance_of(name)), waited + 1
        assert waited < 200
    assert waited > 10
    assert steady.looked(reading_of(name)).reading.sure


def test_what_stays_doubtful_is_looked_at_ever_more_seldom() -> None:
    """An empty board is doubtful all evening, and nobody waits for it."""
    name = sure_name()
    empty = doubting(reading_of(name), "field C")
    steady = still(name, *[empty] * MOST_LOOKS)
    waits = []
    for _ in range(4):
        waits.append(0)
        while not steady.wants_look:
            steady, waits[-1] = steady.glanced(glance_of(name)), waits[-1] + 1
        steady = steady.looked(empty)
    assert waits == [AGAIN_GLANCES, 2 * AGAIN_GLANCES, CHECK_GLANCES, CHECK_GLANCES]


def test_what_no_glance_shows_is_found_by_a_look_at_the_settled_table() -> None:
    """A die turned in place while it was looked at: small and pale, it moves no glance."""
    name = sure_name()
    old = reading_of(name)
    assert old.dice["red"]
    turned = replace(old, dice=old.dice | {"red": old.dice["red"] % 6 + 1})
    steady, sure = shown(Steady(), name, 9), 0
    assert steady.reading.sure and steady.reading.dice == old.dice
    for _ in range(3 * CHECK_GLANCES):
        steady = steady.glanced(glance_of(name))
        if steady.wants_look:
            steady = steady.looked(turned)
            sure += steady.reading.sure
            assert not steady.reading.sure or steady.reading.dice == turned.dice
    assert sure and steady.state == "settled"


def test_what_one_look_cannot_see_another_may() -> None:
    name = sure_name()
    whole = reading_of(name)
    steady = still(name, doubting(whole, "die red"), doubting(whole, "field C"))
    assert steady.reading.sure and not steady.reading.doubts
    assert (steady.reading.counts, steady.reading.dice) == (whole.counts, whole.dice)
    assert steady.reading.markers == whole.markers
    both = still(name, doubting(whole, "die red"), doubting(doubting(whole, "field C"), "die red"))
    assert not both.reading.sure
    assert [doubt.what for doubt in both.reading.doubts] == ["die red"], "nobody has seen it"


def test_what_was_seen_where_something_moved_since_is_forgotten() -> None:
    name = sure_name()
    whole = reading_of(name)
    red = next(die for die in whole.seen_dice if die.colour == "red")
    moved = glance_of(name).copy()
    x, y = (round(value / 4) for value in red.centre)
    moved[y - 4 : y + 4, x - 4 : x + 4] = 255 - moved[y - 4 : y + 4, x - 4 : x + 4]
    steady = still(name, whole, whole).glanced(moved)
    assert steady.state == "moving"
    for _ in range(2):
        steady = steady.glanced(moved)
    steady = steady.looked(doubting(whole, "die red"))
    assert not steady.reading.sure and steady.reading.dice["red"] is None
    far = next(die.colour for die in whole.seen_dice if np.hypot(*np.subtract(die.centre, red.centre)) > 150)
    again = still(name, whole, whole).glanced(moved).glanced(moved).glanced(moved)
    again = again.looked(doubting(whole, f"die {far}"))
    assert again.reading.dice[far] == whole.dice[far], "nothing moved there"


def test_nothing_is_kept_when_the_camera_is_bumped() -> None:
    name = sure_name()
    whole = reading_of(name)
    bumped = np.roll(glance_of(name), (9, 6), (1, 0))
    steady = still(name, whole, whole).glanced(bumped).glanced(bumped).glanced(bumped)
    steady = steady.looked(doubting(doubting(whole, "die red"), "field C"))
    assert not steady.reading.sure
    assert {doubt.what for doubt in steady.reading.doubts} >= {"die red", "field C"}


def test_the_same_doubt_about_markers_twice_is_no_certainty() -> None:
    """It is told for all of them together, and of none by itself."""
    name = sure_name()
    reading = reading_of(name)
    assert reading.confidence
    doubt = Doubt("table", "many small doubts together")
    vague = replace(
        reading, sure=False, doubts=(doubt,), confidence=replace(reading.confidence, whole=0.9975)
    )
    together = still(name, vague, vague).reading
    assert not together.sure and doubt in together.doubts
    assert together.confidence and together.confidence.whole == pytest.approx(0.9975)
    assert still(name, vague, reading).reading.sure


def test_each_marker_of_several_looks_has_its_own_confidence() -> None:
    """What the newest does not see of a piece, an older look did."""
    name = next(name for name in names(readable=True) if reading_of(name).markers)
    reading = reading_of(name)
    assert reading.confidence
    fields = {"ABCDEFGHIJKL"[field] for field, _ in reading.markers}
    blind = replace(reading, markers=(), confidence=replace(reading.confidence, markers=()))
    for field in fields:
        blind = doubting(blind, f"field {field}")
    together = still(name, reading, blind).reading
    assert together.markers == reading.markers
    assert together.confidence and together.confidence.markers == reading.confidence.markers


def test_where_no_marker_matters_a_table_is_sure_that_only_a_marker_left_in_doubt() -> None:
    name = sure_name()
    whole = reading_of(name)
    assert whole.counts
    field = next(k for k, count in enumerate(whole.counts) if count)
    doubtful = carrying(whole, field)
    steady = still(name, *[doubtful] * ENOUGH)
    assert steady.state == "moving" and not steady.reading.sure
    assert steady.reading.counts == whole.counts, "how many stand there is not in doubt"
    assert steady.reading.doubts == doubtful.doubts
    steady = still(name, *[doubtful] * ENOUGH, markers=False)
    assert steady.state == "settled" and steady.reading.sure and not steady.reading.doubts
    assert (steady.reading.counts, steady.reading.dice) == (whole.counts, whole.dice)
    turned = still(name, doubtful, carrying(whole, field, "white"), doubtful, markers=False)
    assert turned.reading.sure, "nor does it matter that looks differ in what a piece carries"


def test_where_no_marker_matters_every_other_doubt_does() -> None:
    name = sure_name()
    whole = reading_of(name)
    assert whole.counts and whole.confidence
    field = next(k for k, count in enumerate(whole.counts) if count)
    for what in ("die red", f"field {'ABCDEFGHIJKL'[field]}"):
        doubtful = doubting(carrying(whole, field), what)
        steady = still(name, *[doubtful] * MOST_LOOKS, markers=False)
        assert not steady.reading.sure
        assert [(doubt.what, doubt.of_marker) for doubt in steady.reading.doubts] == [(what, False)]
    vague = replace(carrying(whole, field), confidence=replace(whole.confidence, whole=0.5, laid=0.9985))
    many = still(name, *[vague] * MOST_LOOKS, markers=False).reading
    assert not many.sure and [doubt.why for doubt in many.doubts] == [MANY]


def test_a_marker_that_one_look_left_in_doubt_another_tells() -> None:
    name = next(name for name in names(readable=True) if reading_of(name).sure and reading_of(name).markers)
    whole = reading_of(name)
    field, _ = whole.markers[0]
    together = still(name, whole, carrying(whole, field)).reading
    assert together.sure and together.markers == whole.markers
    other = replace(whole, markers=((field, "black"), *whole.markers[1:]))
    both = still(name, whole, other).reading
    assert not both.sure and both.counts == whole.counts
    assert [(doubt.fields, doubt.of_marker) for doubt in both.doubts] == [((field,), True)]


def test_sure_looks_that_contradict_each_other_make_doubtful() -> None:
    name = sure_name()
    whole = reading_of(name)
    assert whole.dice["red"]
    other = replace(whole, dice=whole.dice | {"red": whole.dice["red"] % 6 + 1})
    steady = still(name, whole, other)
    assert not steady.reading.sure and steady.reading.dice["red"] is None
    assert "die red" in [doubt.what for doubt in steady.reading.doubts]
    assert whole.counts
    moved = replace(whole, counts=(*whole.counts[1:], whole.counts[0]))
    assert not still(name, whole, moved).reading.sure


def test_an_older_look_does_not_overrule_what_the_newest_rather_sees() -> None:
    """In the dark no glance showed that a die got another value, and the new one was in doubt."""
    name = sure_name()
    sure = reading_of(name)
    assert sure.dice["red"] and sure.counts
    pips = sure.dice["red"] % 6 + 1
    rather = replace(doubting(sure, "die red"), dice=sure.dice | {"red": pips})
    both = still(name, sure, rather).reading
    assert not both.sure and both.dice["red"] is None
    assert any(doubt.what == "die red" for doubt in both.doubts)
    field = next(k for k, count in enumerate(sure.counts) if count)
    fewer = tuple(count - (k == field) for k, count in enumerate(sure.counts))
    rather = replace(doubting(sure, f"field {'ABCDEFGHIJKL'[field]}"), counts=fewer)
    both = still(name, sure, rather).reading
    assert not both.sure and both.counts and both.counts[field] is None


def test_after_one_spoilt_picture_the_table_is_looked_at_again_at_once() -> None:
    name = sure_name()
    steady = still(name, *[reading_of(name)] * (MOST_LOOKS + 1))
    black = steady.looked(read(np.zeros_like(photo(SESSION, f"frames/{name}")), profile(SESSION)))
    assert not black.reading.sure and black.state == "moving" and black.wants_look
    again = black.looked(reading_of(name))
    assert again.state == "settled" and again.reading.sure and not again.wants_look


def test_without_glances_another_position_is_a_move() -> None:
    one, other = (reading_of(name) for name in [n for n in names(True) if reading_of(n).sure][:2])
    assert one.counts != other.counts or one.dice != other.dice
    steady = Steady().looked(one).looked(one)
    assert steady.state == "settled"
    steady = steady.looked(other)
    assert steady.state == "moving"
    steady = steady.looked(other)
    assert steady.state == "settled" and steady.reading.dice == other.dice


@pytest.mark.parametrize("markers", [True, False])
def test_whatever_the_order_of_frames_what_settles_sure_is_true(markers: bool) -> None:
    everything, sure = names(True) + names(False), 0
    for seed in range(20):
        chance, steady = Random(seed), Steady(markers=markers)
        for _ in range(12):
            name = chance.choice(everything)
            steady = shown(steady, name, chance.choice((1, 2, 4, 8)))
            if steady.state == "settled" and steady.reading.sure:
                known = truth(SESSION)[name] | ({} if markers else {"markers": None})
                assert known["readable"] and is_right(steady.reading, known), (seed, name)
                sure += 1
    assert sure >= 80, "of 240 sights, about two thirds of them readable and half of them long enough"


def test_grain_and_a_brighter_lamp_are_no_move() -> None:
    glance = glance_of(sure_name())
    grain = np.random.default_rng(1).normal(0, 3, glance.shape)
    for share in (0.95, 1.0, 1.05):
        assert moves(glance, np.clip(glance * share + grain, 0, 255).astype(np.uint8)) is None
    assert moves(glance, cv2.resize(glance, None, fx=0.5, fy=0.5)) is not None


def test_pips_that_change_where_a_die_lies_are_a_move_in_the_dark_too() -> None:
    """Here all its pips go; and the grain of a camera is none."""
    name = sure_name()
    frame, seen = photo(SESSION, f"frames/{name}"), reading_of(name)
    grain = np.random.default_rng(3).normal(0, 5, (2, *frame.shape))
    for light in (1.0, 0.35, 0.2):
        first, second = (np.clip(frame * light + one, 0, 255).astype(np.uint8) for one in grain)
        assert moves(small_grey(first), small_grey(second)) is None
        for die in seen.seen_dice:
            top = np.array(die.outline)
            top = np.round(top.mean(axis=0) + 0.8 * (top - top.mean(axis=0))).astype(np.int32)
            inside = cv2.fillConvexPoly(np.zeros(frame.shape[:2], np.uint8), top, 1) > 0
            pips = second.copy()
            pips[inside] = np.median(second[inside], axis=0)
            where = moves(small_grey(first), small_grey(pips))
            assert where is not None, (light, die.colour)


def test_what_slides_slowly_is_looked_at_again() -> None:
    """Each glance hardly differs from the one before it; what was read long ago lies elsewhere by then."""
    name, table = sure_name(), glance_of(sure_name()).astype(np.float32)
    down, across = np.mgrid[: table.shape[0], : table.shape[1]]

    def glance(at: float) -> Image:
        blob = 60 * np.exp(-((across - at) ** 2 + (down - 100) ** 2) / (2 * 8**2))
        return np.clip(table + blob, 0, 255).astype(np.uint8)

    steady = Steady().glanced(glance(100))
    for _ in range(10):
        steady = steady.glanced(glance(100))
        if steady.wants_look:
            steady = steady.looked(reading_of(name))
    assert steady.state == "settled" and steady.reading.sure
    looks = 0
    for step in range(60):
        before, now = glance(100 + step / 2), glance(100 + (step + 1) / 2)
        assert moves(before, now) is None
        steady = steady.glanced(now)
        if steady.wants_look:
            steady, looks = steady.looked(reading_of(name)), looks + 1
    assert looks >= ENOUGH
    for _ in range(10):
        steady = steady.glanced(now)
        if steady.wants_look:
            steady = steady.looked(reading_of(name))
    assert steady.state == "settled" and moves(steady.seen, now) is None


def test_a_look_that_doubts_where_the_board_lies_answers_nothing() -> None:
    """All else may be seen as clearly as can be, on a board that was taken for a turned one."""
    good = reading_of(sure_name())
    assert good.counts
    turned = replace(good, counts=(*good.counts[-1:], *good.counts[:-1]), sure=False)
    turned = replace(turned, doubts=(Doubt("board", "its tags lie otherwise"),))
    everywhere = Doubt("fields A to L", "its pieces are hard to see", tuple(range(12)))
    newest = replace(good, counts=(None,) * 12, sure=False, doubts=(everywhere,))
    assert not fused([Look(turned), Look(newest)]).sure
    assert fused([Look(good), Look(newest)]).counts == good.counts
