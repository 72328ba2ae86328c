"""What lies on the table: dice, pieces, markers, and whatever else covers the board."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from vision.alike import alike, no_dice
from vision.bends import empty_as_bent
from vision.beside import with_surroundings
from vision.change import Change, half
from vision.covered import covered_by_others, where_found
from vision.dice import FoundDie, find_dice
from vision.geometry import Floats, Image, View
from vision.markers import FoundMarker, find_markers
from vision.pieces import find_pieces, look_at_ring
from vision.profile import Profile
from vision.pushed import empty_as_seen
from vision.rules.tell import tell_counts, tell_dice
from vision.sides import flatness
from vision.sunlit import without_patches
from vision.tones import seen_alike, straightened
from vision.tops import Table
from vision.towers import FoundPieces

LID = 0.1
"""A lid is seen where it is less likely than this that there is none: dice are looked for elsewhere first."""
SAME_MM = 8.0
"""In two looks at a frame the same piece lies no farther apart."""


@dataclass(frozen=True, slots=True)
class Seen:
    """Everything that was found, before it is judged; `markers` one for each of the towers in `pieces`.

    `alike`: how likely each tower is one of pieces, its top like the others' and with a side; `tops` (N, 5,
    6): what the tops look like, as `rings_of` tells. `named`, `marked`: how likely it is
    that all names of dice, and all markers, are right together.
    `covered_fields`: those on which something large lies that is neither piece nor die; `hidden`: that
    such a thing lies anywhere on the board. `told_dice`, `told_counts`: what the rules say
    of the same table, if they were asked and have no doubt.
    """

    view: View
    frame: Image
    empty: Image
    change: Change
    dice: dict[str, FoundDie | None]
    named: float
    pieces: FoundPieces
    alike: tuple[float, ...]
    tops: Floats
    markers: list[FoundMarker]
    marked: float
    covered_fields: tuple[int, ...]
    hidden: bool
    told_dice: Mapping[str, int] = field(default_factory=dict)
    told_counts: tuple[int, ...] | None = None


def look(frame: Image, view: View, profile: Profile, pushed: bool = False) -> Seen:
    """From the profile's empty photo and the frame (BGR uint8 (H, W, 3)) that shows the board in `view`.

    `pushed`: the board was moved on its table.
    """
    return _look(frame, *empty_as_seen(frame, view, profile, pushed), view, profile)


def look_again(frame: Image, seen: Seen, profile: Profile) -> Seen | None:
    """The same, where the board's paper does not lie as in the empty photo; None where it does."""
    empty = empty_as_bent(seen.empty, seen.change, seen.view, profile.layout.half_mm, _taken(seen, profile))
    return None if empty is None else _look(frame, empty, half(empty), seen.view, profile)


def look_in_its_tones(seen: Seen, profile: Profile) -> Seen | None:
    """The same, where its tones plainly are others than the empty photo's; None where they are not."""
    frame = straightened(seen.frame, seen.change.empty)
    return None if frame is None else _look(frame, seen.empty, seen.change.empty, seen.view, profile)


def look_past_the_sun(seen: Seen, profile: Profile) -> Seen | None:
    """The same, without a patch of light that lies on the board as something large would; None where none
    does, or where a lamp hides a marker or it changes what one seems to be. Markers are as sure as with it,
    at most."""
    if not seen.hidden:
        return None
    half_mm, taken = profile.layout.half_mm, _taken(seen, profile)
    frame = without_patches(seen.frame, seen.empty, seen.change, seen.view, half_mm, taken)
    if frame is None:
        return None
    again = _look(frame, seen.empty, seen.change.empty, seen.view, profile)
    same = _same_pieces(seen, again)
    if any(seen.markers[i].colour != again.markers[k].colour or seen.markers[i].burnt for i, k in same):
        return None
    markers = list(again.markers)
    for i, k in same:
        markers[k] = replace(markers[k], likely=min(seen.markers[i].likely, markers[k].likely))
    return replace(again, markers=markers, marked=min(seen.marked, again.marked))


def _taken(seen: Seen, profile: Profile) -> Image:
    return where_found(seen.change.thing.shape, seen.view, profile, seen.dice, seen.pieces)


def _same_pieces(one: Seen, other: Seen) -> list[tuple[int, int]]:
    """Which towers of two looks are the same ones, by their numbers in each."""
    return [
        (i, k)
        for i, at in enumerate(one.pieces.pieces)
        for k, by in enumerate(other.pieces.pieces)
        if np.hypot(by.x - at.x, by.y - at.y) < SAME_MM
    ]


def _look(frame: Image, empty: Image, empty_half: Image, view: View, profile: Profile) -> Seen:
    frame, change = seen_alike(frame, empty_half)
    layout, piece_mm, die_mm = profile.layout, profile.piece_mm, profile.die_mm
    ring = look_at_ring(change, view, layout, piece_mm)
    lids = [(view.pixel(x, y, piece_mm[1]), nothing) for x, y, (nothing, *_) in ring.lids if nothing < LID]
    table = Table(frame, empty, view, change, die_mm, profile.dots)
    found = find_dice(table, profile.colours, lids)
    spots = [(die.x, die.y) for die in found.dice.values() if die and die.there > 0.9]
    pieces = find_pieces(ring, frame, empty, spots, die_mm)
    dice = with_surroundings(found.dice, pieces.pieces, change, view, profile)
    marked = find_markers(frame, empty, change, view, pieces.pieces, piece_mm, profile.colours, profile.bare)
    flat = flatness(pieces.pieces, change, view, piece_mm)
    are_pieces = no_dice(alike(marked.shown, flat), [(piece.x, piece.y) for piece in pieces.pieces], table)
    covered, hidden = covered_by_others(change, view, profile, dice, pieces)
    return Seen(
        view=view,
        frame=frame,
        empty=empty,
        change=change,
        dice=dice,
        named=found.named,
        pieces=pieces,
        alike=are_pieces,
        tops=marked.rings,
        markers=marked.markers,
        marked=marked.likely,
        covered_fields=covered,
        hidden=hidden,
    )


def with_witness(seen: Seen, profile: Profile, dice: bool, pieces: bool) -> Seen:
    """The same, and what the rules tell of the dice or the pieces: each takes about half as long again."""
    if dice:
        values = tell_dice(seen.frame, seen.view, seen.change, profile)
        seen = replace(seen, told_dice=values)
    if pieces:
        places = [(die.x, die.y) for die in seen.dice.values() if die]
        counts = tell_counts(seen.frame, seen.empty, seen.view, profile, places)
        seen = replace(seen, told_counts=counts)
    return seen
