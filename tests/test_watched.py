"""A play that the camera follows, on a phone: moves appear as they are made, what was not seen is asked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from companion import watch
from companion.demo import Demo, demo
from companion.games.corona import game, notation
from companion.games.corona.rules import DEFAULT_COLOURS, LETTERS
from tests.browser import WoundClock, browser, phone, serving
from tests.seeing import shift, truthful

START = "200200000002-136425"


@pytest.fixture
def parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Demo]:
    """A demo in which East plays `START` for 3 points."""
    monkeypatch.setattr(watch, "GLANCE_S", 0.02)
    clock = WoundClock()
    with demo(tmp_path, seed=4, read=truthful, clock=clock) as built:
        situation, virtual = notation.read(START), built.virtual
        fields = [field for field, count in enumerate(situation.waiting) for _ in range(count)]
        virtual.hold(True)
        for piece, field in enumerate(fields):
            virtual.set_piece(piece, *virtual.field_centres()[field])
        virtual.hold(False)
        for command in (
            game.Start(("North", "East"), "North", colours=DEFAULT_COLOURS),
            game.Lay(situation),
            game.Turn(0.0),
            game.Bid("East", 3, 1.0),
            game.Sand(61.0),
        ):
            assert built.table.ask(command).ok
        clock.seconds += 100
        built.rig.start()
        yield built


def go(parts: Demo, *moves: str) -> None:
    """Pieces go, "AD" from A to D, all between two looks."""
    shift(parts.virtual, *((LETTERS.index(start), LETTERS.index(to)) for start, to in moves))


def test_moves_appear_on_the_phone_and_of_two_at_once_it_asks_which_went_first(parts: Demo) -> None:
    with serving(parts.app) as port, browser() as running:
        page = phone(running)
        page.goto(f"http://127.0.0.1:{port}/?seat=East")
        moves = page.locator(".play .moves li")
        expect(moves).to_have_count(0)
        expect(page.get_by_role("group", name="The camera enters each move.")).to_be_visible()
        go(parts, "LA")
        expect(moves).to_have_text([re.compile(r"L to A\s.*red 1\s*\+3", re.DOTALL)])
        go(parts, "AD", "DJ")
        asked = page.get_by_role("group", name="Several pieces were moved at once. Which went first?")
        expect(asked.get_by_role("button")).to_have_count(2)
        asked.get_by_role("button", name="A to D").tap()
        expect(moves).to_have_count(3)
        expect(asked).to_have_count(0)
        page.get_by_role("button", name="Finished with 6 points").tap()
        expect(page.get_by_role("heading", level=1)).to_have_text("East has won the round.")
        assert page.faults == []  # type: ignore[attr-defined]


def test_pieces_that_stand_as_no_moves_tell_are_said(parts: Demo) -> None:
    with serving(parts.app) as port, browser() as running:
        page = phone(running)
        page.goto(f"http://127.0.0.1:{port}/?seat=East")
        warning = page.get_by_text(
            "The camera cannot tell what was moved. Tap it, or take back what was entered wrongly."
        )
        go(parts, "DC")  # backwards
        expect(warning).to_be_visible()
        go(parts, "CD")
        expect(warning).to_have_count(0)
