"""What is new beside a die: one that lies flat has nothing to lean on."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sessions import frames, photo, profile, truth
from vision.beside import EVEN, FREE, Stance, heard, stances, with_surroundings
from vision.board import where_board_lies
from vision.faces import silhouette
from vision.geometry import Image
from vision.look import Seen, look
from vision.profile import Profile
from vision.read import read
from vision.towers import FoundPiece

share = st.floats(0, 1)


@given(flat=st.floats(0.001, 0.999), new=share, beside=share, more=st.floats(0.01, 1))
def test_the_more_is_beside_it_the_less_likely_a_die_lies_flat(
    flat: float, new: float, beside: float, more: float
) -> None:
    likely = heard(flat, Stance(new, beside))
    assert heard(flat, Stance(new, beside + more)) < likely < 1
    assert (likely > flat) == (beside < EVEN - FREE) or likely == pytest.approx(flat)


def test_nothing_beside_a_die_says_less_where_the_die_itself_is_not_told_from_the_table() -> None:
    free = [heard(0.99, Stance(new, 0)) for new in (0.0, 0.5, 1.0)]
    assert 0.99 < free[0] < free[1] < free[2]
    assert heard(0.99, Stance(0, 0.5)) == heard(0.99, Stance(1, 0.5))
    assert heard(0.0, Stance(1, 0)) == 0
    assert heard(1.0, Stance(0, 5)) == 1


def test_a_chip_half_as_large_as_the_die_leaves_no_flat_look_sure() -> None:
    """What leaned on one looked flat ten thousand to one; a shadow's edge costs next to nothing."""
    assert heard(0.9999, Stance(0.9, 0.3)) < 0.999 < heard(0.9999, Stance(0.9, 0.1))


def seen_in(frame: Image, known: Profile) -> Seen:
    view = where_board_lies(frame, known).view
    assert view is not None
    return look(frame, view, known)


def standing(seen: Seen, known: Profile) -> dict[str, Stance]:
    dice = {name: die for name, die in seen.dice.items() if die}
    return stances(seen.view, seen.change.thing, dice, known.die_mm)


def alone(seen: Seen, known: Profile) -> str:
    """A die with nothing beside it and with the table's own colour around it."""
    free = [name for name, stance in standing(seen, known).items() if stance.beside == 0 < stance.new]
    assert free
    return free[0]


def with_chip(frame: Image, seen: Seen, known: Profile, name: str, away: float) -> Image:
    """The frame with an orange chip whose middle lies so many sides from a die's, under the die."""
    die = seen.dice[name]
    assert die is not None
    px = seen.view.pixels_per_mm(die.x, die.y) * known.die_mm
    x, y = silhouette(die, known.die_mm, seen.view).mean(axis=0)
    chip = frame.copy()
    cv2.circle(chip, (round(x + away * px), round(y)), round(0.5 * px), (30, 120, 230), -1, cv2.LINE_AA)
    dice: Image = np.zeros(frame.shape[:2], np.uint8)
    for other in filter(None, seen.dice.values()):
        outline = silhouette(other, known.die_mm, seen.view)
        cv2.fillConvexPoly(dice, np.round(outline).astype(np.int32), 1)
    return np.where(dice[..., None] > 0, frame, chip)


@pytest.mark.parametrize(("session", "name"), [("session-01", "001.jpg"), ("play-03", "002.jpg")])
def test_a_chip_beside_a_die_speaks_against_its_lying_flat(session: str, name: str) -> None:
    known, frame = profile(session), photo(session, f"frames/{name}")
    seen = seen_in(frame, known)
    colour = alone(seen, known)
    touching = seen_in(with_chip(frame, seen, known, colour, 0.8), known)
    assert standing(touching, known)[colour].beside > 0.15
    far = seen_in(with_chip(frame, seen, known, colour, 2.5), known)
    assert standing(far, known)[colour].beside < 0.02
    before, after = seen.dice[colour], touching.dice[colour]
    assert before is not None and after is not None
    assert after.flat < before.flat


def test_another_die_beside_it_is_nothing_to_lean_on() -> None:
    """As long as it is told: a die that nobody found is a thing beside it."""
    known, frame = profile("session-01"), photo("session-01", "frames/001.jpg")
    seen = seen_in(frame, known)
    dice = {name: die for name, die in seen.dice.items() if die}
    one = next(iter(dice.values()))
    other = replace(
        one,
        x=one.x + 1.02 * known.die_mm * np.cos(one.turn),
        y=one.y + 1.02 * known.die_mm * np.sin(one.turn),
    )
    thing: Image = np.zeros(seen.change.thing.shape, np.uint8)
    for die in (one, other):
        hull = np.round(silhouette(die, known.die_mm, seen.view) / 2).astype(np.int32)
        cv2.fillConvexPoly(thing, hull, 1)
    both = stances(seen.view, thing, {"one": one, "other": other}, known.die_mm)
    assert both["one"].beside == both["other"].beside == 0
    assert stances(seen.view, thing, {"one": one}, known.die_mm, [other]) == {"one": both["one"]}
    assert stances(seen.view, thing, {"one": one}, known.die_mm)["one"].beside > 0.3


@pytest.mark.parametrize(("away", "leans"), [(1.2, False), (0.6, True)])
def test_a_die_may_lean_on_a_piece_that_its_foot_would_reach_into(away: float, leans: bool) -> None:
    """No two things are in one place: one that stands clear of a flat die is none that it leans on."""
    known, frame = profile("session-01"), photo("session-01", "frames/001.jpg")
    seen = seen_in(frame, known)
    colour = alone(seen, known)
    die = seen.dice[colour]
    assert die is not None
    wide, high = known.piece_mm
    far = away * (known.die_mm + wide) / 2
    piece = FoundPiece(die.x + far * np.cos(die.turn), die.y + far * np.sin(die.turn), 1, 1.0)
    thing: Image = seen.change.thing.astype(np.uint8)
    for height in (0, high):
        x, y = seen.view.pixel(piece.x, piece.y, height)
        radius = wide / 2 * seen.view.pixels_per_mm(piece.x, piece.y, height) / 2
        cv2.circle(thing, (round(x / 2), round(y / 2)), round(radius), 1, -1)
    found = stances(seen.view, thing, {colour: die}, known.die_mm, (), [piece], known.piece_mm)
    assert (found[colour].beside > 0.1) == leans
    assert stances(seen.view, thing, {colour: die}, known.die_mm)[colour].beside > 0.1


def test_a_shadow_in_another_lamps_light_counts_little() -> None:
    """It has a tint, so it looks like a thing, as a chip of its colour would."""
    known, frame = profile("session-01"), photo("session-01", "frames/001.jpg")
    seen = seen_in(frame, known)
    colour = alone(seen, known)
    die = seen.dice[colour]
    assert die is not None and die.there > 0.99
    shade: Image = np.zeros(seen.change.thing.shape, np.uint8)
    x, y = silhouette(die, known.die_mm, seen.view).mean(axis=0) / 2
    cv2.circle(shade, (round(x + 10), round(y)), 9, 1, -1)
    within = (shade > 0)[..., None]

    def flat(multiplied: tuple[float, float, float]) -> float:
        shown = np.where(within, seen.change.empty * np.array(multiplied), seen.change.frame).astype(np.uint8)
        change = replace(seen.change, frame=shown, thing=seen.change.thing | (shade > 0))
        doubted = {colour: replace(die, flat=0.99)}
        heard_of = with_surroundings(doubted, (), change, seen.view, known)[colour]
        assert heard_of is not None
        return heard_of.flat

    assert flat((0.55, 0.5, 0.45)) > 0.97
    assert flat((1.0, 0.3, 0.3)) < 0.95


@pytest.mark.parametrize("sides_from_edge", [-2, -0.5, 0, 0.5, 2])
def test_a_die_is_heard_alike_across_the_boards_edge_and_beside_it(sides_from_edge: float) -> None:
    """By what a board is thick it leans, if it does, and shows its top as plainly."""
    known, frame = profile("session-01"), photo("session-01", "frames/001.jpg")
    seen = seen_in(frame, known)
    die = seen.dice[alone(seen, known)]
    assert die is not None
    x = known.layout.half_mm + sides_from_edge * known.die_mm
    nothing = replace(seen.change, thing=np.zeros_like(seen.change.thing))
    lies = {"red": replace(die, x=x, y=0.0, turn=0.0, flat=0.99)}
    told = with_surroundings(lies, (), nothing, seen.view, known)["red"]
    assert told is not None
    assert told.flat > 0.995


@pytest.mark.parametrize(("session", "name"), frames(readable=True))
def test_the_flat_dice_of_the_photographs_are_flat(session: str, name: str) -> None:
    likely = read(photo(session, f"frames/{name}"), profile(session)).confidence
    assert likely is not None
    assert set(likely.dice) == set(truth(session)[name]["dice"])
    assert min(likely.dice.values()) > 0.99
