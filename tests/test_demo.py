"""The virtual table in a real browser: moved by hand, read by the same vision, played with mock buttons."""

from __future__ import annotations

import json
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import HTTPError

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from companion.demo import Demo, demo
from companion.games.corona import game, notation
from companion.games.corona.rules import DEFAULT_COLOURS
from companion.web.events import STREAMS
from hardware.virtual import VirtualTable
from tests.browser import WoundClock, browser, phone, serving

pytestmark = pytest.mark.slow

PATIENCE = 30.0
SEATS = ("Anna", "Ben", "Zoé")


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as running:
        yield running


@contextmanager
def served(folder: Path, seen: bool = True) -> Iterator[tuple[Demo, str, WoundClock]]:
    """A demo with the real vision (where it is to be `seen`) and a clock to wind on, on a real socket."""
    clock = WoundClock()
    with demo(folder, clock=clock) as parts, serving(parts.app) as port:
        if seen:
            parts.rig.start()
        yield parts, f"http://127.0.0.1:{port}", clock


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Demo, str, WoundClock]]:
    with served(tmp_path_factory.mktemp("demo")) as parts:
        yield parts


def until(there: Callable[[], bool]) -> None:
    """Waits for `there`."""
    end = time.monotonic() + PATIENCE
    while not there():
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.02)


def situation(virtual: VirtualTable) -> str:
    """What truly lies on the virtual table."""
    centres = virtual.field_centres()
    counts = [0] * len(centres)
    for piece in virtual.pieces:
        away = [(piece.x - x) ** 2 + (piece.y - y) ** 2 for x, y in centres]
        counts[away.index(min(away))] += 1
    return f"{''.join(map(str, counts))}-{''.join(str(virtual.dice[c].value) for c in DEFAULT_COLOURS)}"


def middle(of: Locator) -> tuple[float, float]:
    box = of.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Page, thing: Locator, to: Locator) -> None:
    thing.scroll_into_view_if_needed()
    page.mouse.move(*middle(thing))
    page.mouse.down()
    page.mouse.move(*middle(to), steps=5)
    page.mouse.up()


def faults(page: Page) -> list[str]:
    return page.faults  # type: ignore[attr-defined,no-any-return]


def test_pieces_and_dice_are_moved_by_pointer_and_by_keys(
    house: tuple[Demo, str, WoundClock], chromium: Browser
) -> None:
    parts, url, _ = house
    page = phone(chromium)
    page.goto(f"{url}/demo")
    piece, die = page.locator("[data-number='0']"), page.locator("[data-colour='red']")
    field = page.locator("[data-place='E']")
    drag(page, piece, field)
    x, y = parts.virtual.field_centres()[4]
    until(lambda: abs(parts.virtual.pieces[0].x - x) < 3 and abs(parts.virtual.pieces[0].y - y) < 3)
    piece.press("H")
    x, y = parts.virtual.field_centres()[7]
    until(lambda: abs(parts.virtual.pieces[0].x - x) < 0.1)
    before = parts.virtual.dice["red"]
    die.press("5")
    die.press("ArrowLeft")
    until(lambda: (parts.virtual.dice["red"].value, parts.virtual.dice["red"].x) == (5, before.x - 4))
    expect(die).to_have_attribute("aria-label", "red die: 5")
    assert faults(page) == []
    page.context.close()


def test_the_page_fits_a_narrow_phone_in_every_language(
    house: tuple[Demo, str, WoundClock], chromium: Browser
) -> None:
    _, url, _ = house
    for locale in ("en-GB", "de-DE", "fr-FR"):
        page = phone(chromium, locale=locale)
        page.goto(f"{url}/demo")
        assert page.evaluate("document.documentElement.scrollWidth") == 360
        assert faults(page) == []
        page.context.close()


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("piece", {"number": 0, "x": 1e9, "y": 0}),
        ("piece", {"number": 77, "x": 0, "y": 0}),
        ("piece", {"number": "first", "x": [], "y": None}),
        ("piece", {"number": 0, "x": 0, "y": 0, "marker": {}}),
        ("die", {"colour": "teal", "x": 0, "y": 0}),
        ("die", {"colour": "red", "x": 0, "y": 0, "value": 7}),
        ("hand", {}),
        ("press", {"button": 17}),
        ("press", {"button": "doorbell"}),
        ("begin", {"person": "Ann"}),
        ("let", {}),
        ("press", []),
    ],
)
def test_what_cannot_be_is_answered_with_a_sentence_and_changes_nothing(
    house: tuple[Demo, str, WoundClock], path: str, body: object
) -> None:
    parts, url, _ = house
    before = (list(parts.virtual.pieces), dict(parts.virtual.dice), parts.virtual.hand_stays)
    headers = {"Content-Type": "application/json", "Accept": "application/json"}
    request = urllib.request.Request(f"{url}/demo/{path}", json.dumps(body).encode(), headers)
    with pytest.raises(HTTPError) as refused:
        urllib.request.urlopen(request)
    with refused.value:
        assert refused.value.code == 400
        assert json.load(refused.value)["sentence"]
    assert (parts.virtual.pieces, parts.virtual.dice, parts.virtual.hand_stays) == before


def test_the_virtual_tables_streams_are_kept_once(house: tuple[Demo, str, WoundClock]) -> None:
    hubs = house[0].app.extensions[STREAMS]
    assert len(hubs) == len(set(hubs)) == 2


def test_a_round_is_played_at_the_virtual_table(tmp_path: Path, chromium: Browser) -> None:
    with served(tmp_path) as (parts, url, clock):
        assert parts.table.ask(game.Start(SEATS, "Anna")).ok
        bench, seat = phone(chromium), phone(chromium)
        bench.goto(f"{url}/demo")
        seat.goto(f"{url}/?seat=Ben")

        def laid() -> bool:
            lying = parts.table.state.situation
            return lying is not None and notation.write(lying) == situation(parts.virtual)

        bench.get_by_role("button", name="Place the pieces").click()
        bench.get_by_role("button", name="Throw the dice").click()
        until(laid)
        expect(seat.get_by_role("button", name="Turn the hourglass")).to_be_visible(timeout=PATIENCE * 1000)
        setter = bench.get_by_role("button", name="The setter's button")
        setter.click()
        until(lambda: parts.table.state.phase == "auction")
        lamps = bench.locator(".sandlamp .lit")
        expect(lamps.first).to_have_attribute("opacity", "1", timeout=PATIENCE * 1000)
        for made, number in enumerate((1, 2, 1), start=1):
            clock.seconds += 1
            bench.get_by_role("button", name=f"Bid button {number}").click()
            until(lambda made=made: len(parts.table.state.bids) == made)  # type: ignore[misc]
        assert [(bid.seat, bid.points) for bid in parts.table.state.bids] == [
            ("Anna", 7),
            ("Ben", 8),
            ("Anna", 9),
        ]
        lamp = bench.locator("[data-seat='0'] .lit")
        expect(lamp).to_have_attribute("opacity", "1", timeout=PATIENCE * 1000)
        clock.seconds += 61
        parts.table.ask(game.Sand(parts.table.now()))
        until(lambda: parts.table.state.phase == "play")
        seat.locator("label:has(input[name=points][value='9'])").click()
        seat.get_by_role("button", name="Enter the result").click()
        expect(seat.locator("main")).to_have_attribute("data-phase", "reveal", timeout=PATIENCE * 1000)
        setter.click()
        until(lambda: parts.table.state.phase == "lay")
        assert faults(bench) + faults(seat) == []
        bench.context.close()
        seat.context.close()


def test_a_hand_over_the_table_is_seen_as_one(tmp_path: Path) -> None:
    with served(tmp_path) as (parts, _, _):
        assert parts.table.ask(game.Start(SEATS, "Anna")).ok
        parts.virtual.hold(True)
        x, y = parts.virtual.field_centres()[6]
        for number in range(6):
            parts.virtual.set_piece(number, x, y)
        until(lambda: bool((seen := parts.rig.latest()) and not seen.reading.sure))
        assert parts.table.state.situation is None
        parts.virtual.hold(False)
        until(lambda: parts.table.state.situation is not None)
        assert notation.write(parts.table.state.situation) == situation(parts.virtual)  # type: ignore[arg-type]


def test_one_tap_starts_a_game_against_others_and_a_switch_lets_them_rest(
    tmp_path: Path, chromium: Browser
) -> None:
    with served(tmp_path, seen=False) as (parts, url, _):
        parts.players.start()
        page = phone(chromium, reduced_motion="reduce")
        page.goto(f"{url}/demo")
        page.get_by_role("button", name="Play against three others").click()
        page.wait_for_url("**/demo?seat=Guest")
        state = parts.table.state
        assert (state.seats, state.setter) == (("Guest", "Nora", "Otto", "Mia"), "Mia")
        expect(page.locator("main")).to_have_class("demo looks-on with-others")
        switch = page.get_by_role("switch", name="Let others play")
        expect(switch).to_be_checked()
        switch.click()
        expect(switch).not_to_be_checked()
        assert parts.players.playing == {}
        switch.click()
        expect(switch).to_be_checked()
        assert set(parts.players.playing) == {"Nora", "Otto", "Mia"}
        # What one bids is on the same page.
        parts.table.ask(game.Lay(notation.read("200010201000-366421")))
        parts.table.ask(game.Turn(parts.table.now()))
        page.get_by_role("button", name="9", exact=True).click()
        until(lambda: [(bid.seat, bid.points) for bid in parts.table.state.bids] == [("Guest", 9)])
        assert faults(page) == []
        page.context.close()


def test_a_piece_that_is_dragged_in_ones_play_is_a_move(tmp_path: Path, chromium: Browser) -> None:
    with served(tmp_path, seen=False) as (parts, url, clock):
        page = phone(chromium, reduced_motion="reduce")
        assert parts.players.begin(game.Start(("Guest", "Nora"), "Nora"), {"Nora": "quick"}).ok
        parts.table.ask(game.Lay(notation.read("600000000000-366421")))
        for number in range(6):
            parts.virtual.set_piece(number, *parts.virtual.field_centres()[0])
        now = parts.table.now()
        parts.table.ask(game.Turn(now))
        parts.table.ask(game.Bid("Guest", 7, now + 1))
        clock.seconds += 61
        parts.table.ask(game.Sand(parts.table.now()))
        page.goto(f"{url}/demo?seat=Guest")
        expect(page.locator("#move")).to_be_visible()
        expect(page.locator(".drag")).to_be_visible()
        piece = page.locator("[data-number='0']")
        drag(page, piece, page.locator("[data-place='F']"))  # no die shows 5
        expect(page.get_by_role("alert")).to_have_text("No die that is left goes there.")
        drag(page, piece, page.locator("[data-place='G']"))
        until(lambda: [(move.start, move.to) for move in parts.table.state.moves] == [(0, 6)])
        until(lambda: [one.marker for one in parts.virtual.pieces].count("blue") == 1)
        assert faults(page) == []
        page.context.close()


def test_thrown_dice_roll_to_where_they_lie(house: tuple[Demo, str, WoundClock], chromium: Browser) -> None:
    parts, url, _ = house
    page = phone(chromium, reduced_motion="no-preference")
    page.goto(f"{url}/demo")
    rolled = page.evaluate(
        """async () => {
            const { roll } = await import("/static/roll.js");
            const ends = [0, 1, 2, 3, 4, 5].map(
                (k) => ({ x: 35 * (k % 3), y: 40 * (k > 2), yaw: 9 * k, value: k + 1 }));
            let seed = 7919;  // the same throws each time: Lehmer's numbers
            const chance = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
            const throws = Array.from({ length: 40 }, () =>
                roll(ends, [{ x: 60, y: 80 }], { x: 40, y: 250 }, chance));
            const far = Math.max(...throws.flatMap((poses) => poses.slice(1).flatMap((now, step) =>
                now.map((pose, k) => Math.hypot(pose.x - poses[step][k].x, pose.y - poses[step][k].y)))));
            const out = throws.map((poses) => poses[0].filter((pose) => pose.y > 100).length);
            const last = throws[0][throws[0].length - 1];
            return { far, ends, last, out: out.reduce((all, one) => all + one) / throws.length };
        }"""
    )
    assert rolled["far"] < 6  # nothing jumps
    assert rolled["out"] > 3.5, "of six most come from the hand, but for a throw now and then"
    for end, last in zip(rolled["ends"], rolled["last"], strict=True):
        assert {key: last[key] for key in end} == end
        assert (last["lift"], last["squash"]) == (0, 0)
    throws = parts.virtual.throws
    die = page.locator("[data-colour='red']")
    for _ in range(20):  # on a busy machine a hand may be too slow, and then the die was only moved
        die.scroll_into_view_if_needed()
        x, y = middle(die)
        page.mouse.move(x, y)
        page.mouse.down()
        for step in range(4):
            page.mouse.move(x + (60 if x < 180 else -60) * step, y)
        page.mouse.up()
        page.wait_for_timeout(200)
        if parts.virtual.throws > throws:
            break
    assert parts.virtual.throws == throws + 1
    expect(page.locator(".die.held")).to_have_count(0, timeout=PATIENCE * 1000)
    for colour, lying in parts.virtual.dice.items():
        shown = page.locator(f"[data-colour='{colour}']")
        expect(shown).to_have_attribute(
            "transform", f"translate({lying.x:.1f} {lying.y:.1f}) rotate({lying.yaw:.1f})"
        )
        expect(shown.locator("use")).to_have_attribute("href", f"#pips-{lying.value}")
    assert faults(page) == []
    page.context.close()
