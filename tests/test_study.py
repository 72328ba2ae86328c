"""The pages beside the table, over HTTP and in a browser: situations, set-ups, puzzles, and their silence."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from html import unescape
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from playwright.sync_api import Browser, expect

from companion.games.corona import game, notation
from companion.games.corona.commands import Done, Step
from companion.games.corona.solver import solve
from tests.browser import House, browser, house, phone
from tests.slowly import slowly
from tests.test_web import LANGUAGES, ask

LINE = "200010201000-366421"
TURNED = "000200010201-123466"
"""The same with the board turned and the dice on other colours."""
DAY = date(2026, 11, 21)
PUZZLE = "/puzzle?day=2026-11-21"


@pytest.fixture
def at(tmp_path: Path) -> Iterator[House]:
    with house(tmp_path, today=lambda: DAY) as built:
        yield built


def lay(at: House, line: str) -> None:
    at.do(game.Start(("Anna", "Ben"), "Anna"), game.Lay(notation.read(line)))


def text(at: House, path: str, **headers: str) -> str:
    """What a page says, without its tags."""
    answer = ask(at, "GET", path, **headers)
    assert answer.status == 200, answer.text
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", answer.text)).split())


# Situations


def test_a_situation_by_itself(at: House) -> None:
    said = text(at, f"/situation/{LINE}")
    assert "15 points are in this situation." in said
    assert "A way to 15 points" in said
    assert "Half of all throws on this set-up allow 12 points or more. 15 or more: 15% of them" in said
    assert "What was played" not in said


def test_a_play_that_somebody_shares(at: House) -> None:
    said = text(at, f"/situation/{LINE}?moves=A-red,E-blue")
    assert "What was played: 0 points" in said
    assert "15 became 12" in said


@pytest.mark.parametrize(
    "path", ["/situation/6-6", "/situation/700000000000-111111", f"/situation/{LINE}?moves=B-red"]
)
def test_what_is_no_situation_is_said(at: House, path: str) -> None:
    answer = ask(at, "GET", path)
    assert answer.status == 404
    assert "look at the address again" in answer.text


def test_in_mid_play_there_is_no_set_up_to_compare_with(at: House) -> None:
    assert "Half of all throws" not in text(at, "/situation/011111000000.010000000000-023456")


# Set-ups


def test_every_set_up_in_one_picture(at: House) -> None:
    page = ask(at, "GET", "/setups").text
    assert len(re.findall(r"class=\"small-ring\"", page)) == 12
    drawn = re.search(r"polyline points=\"([^\"]*)\"", page)
    assert drawn
    assert len(drawn[1].split()) == 1_038
    assert len(page.encode()) < 100_000


def test_a_set_up_of_ones_own(at: House) -> None:
    said = text(at, "/setups?pieces=600000000000")
    assert "4.5 points are to be expected; number 1,038 of 1,038" in said
    assert "1 in 6" not in said
    chances = re.search(r"So many or more (.*?) Your own", said)
    assert chances
    assert chances[1].startswith("0 2% 100% ")


def test_pieces_that_cannot_stand_so(at: House) -> None:
    for pieces in ("500000000000", "x", "6", "-", "600000000000-"):
        assert "Place six pieces on the fields." in text(at, f"/setups?pieces={pieces}")


# Puzzles


def test_the_puzzle_of_a_day_is_the_same_on_every_table(at: House) -> None:
    assert ask(at, "GET", "/puzzle?sand").text.count('class="well"') == 12
    today = text(at, "/puzzle")
    assert "The puzzle of today" in today
    assert "Level 4 of 5" in today
    assert "The puzzle of November 20, 2026" in text(at, "/puzzle?day=2026-11-20")
    assert "Das Rätsel vom 20. November 2026" in text(at, "/puzzle?day=2026-11-20", Accept_Language="de")


def test_another_puzzle_has_an_address_of_its_own(at: House) -> None:
    answer = ask(at, "GET", "/puzzle/another?level=2")
    assert answer.status == 303
    address = answer.header("Location")
    assert re.fullmatch(r"/puzzle\?seed=[0-9a-f]{6}&level=2", address)
    assert "Level 2 of 5" in text(at, address)
    assert ask(at, "GET", address + "&sand").text == ask(at, "GET", address + "&sand").text


def laid(at: House, path: str) -> str:
    """The situation that a puzzle's page draws."""
    page = ask(at, "GET", f"{path}&sand=").text
    pieces = re.findall(r"data-label=\"[A-L]\">.*?#pile-(\d)", page, re.DOTALL)
    dice = re.findall(r"data-die=.*?#pips-(\d)", page, re.DOTALL)
    return f"{''.join(pieces)}-{''.join(dice)}"


def test_a_puzzle_played_its_best_way(at: House) -> None:
    situation = notation.read(laid(at, PUZZLE))
    best = solve(situation)
    colours = game.new().colours
    path = f"{PUZZLE}&number={best.best}"
    made: list[str] = []
    for move in best.moves:
        page = ask(at, "GET", f"{path}&moves={','.join(made)}").text
        assert "data-frames" not in page  # nothing is told before the end
        made.append(f"{'ABCDEFGHIJKL'[move.start]}-{colours[move.die]}")
    said = text(at, f"{path}&moves={','.join(made)}&done=")
    assert "You have found all there was." in said
    assert f"What was played: {best.best} points" in said


def test_a_puzzle_that_was_missed(at: House) -> None:
    said = text(at, f"{PUZZLE}&number=15&done=")
    assert "You have missed your number." in said
    assert "What was played" not in said


@pytest.mark.parametrize(
    "path",
    [
        *(
            "/puzzle?day=yesterday",
            "/puzzle?day=2026-02-30",
            "/puzzle?seed=a&level=9",
            "/puzzle?seed=a&level=0",
        ),
        f"{PUZZLE}&number=9&moves=A-pink",
    ],
)
def test_what_is_no_puzzle_is_said(at: House, path: str) -> None:
    assert ask(at, "GET", path).status == 404


# The round that is open


def open_rounds(at: House) -> Iterator[str]:
    """The phases of a round in which its situation must not be told of."""
    lay(at, LINE)
    yield "laid"
    at.do(game.Turn(at.table.now()), game.Bid("Ben", 5, at.table.now()))
    yield "auction"
    at.wind(60)
    at.do(Step(0, 0, at.table.now()))
    yield "play"


def test_nothing_is_told_of_the_round_that_is_open(at: House) -> None:
    asking = [
        *(f"/situation/{LINE}", f"/situation/{TURNED}", f"/situation/{LINE}?moves=A-red"),
        "/situation/100010201000.000100000000-066421",
    ]
    for _ in open_rounds(at):
        for path in asking:
            answer = ask(at, "GET", path)
            assert answer.status == 409
            assert "After the round: this lies on the table, or may soon." in answer.text
            assert "data-frames" not in answer.text
            assert "points" not in answer.text
        for pieces in ("200010201000", "000200010201"):
            page = text(at, f"/setups?pieces={pieces}")
            assert "After the round: these pieces are on the table now." in page
            assert "to be expected;" not in page
        assert "/setups?pieces=200010201000" not in ask(at, "GET", "/setups").text
        assert ask(at, "GET", "/situation/500000100000-666666").status == 200
    at.do(Done(at.table.now()))
    for path in asking:
        assert ask(at, "GET", path).status == 200


def test_the_puzzle_that_lies_on_the_table_waits(at: House) -> None:
    line = laid(at, PUZZLE)
    lay(at, line)
    for more in ("", "&sand=", "&number=9", "&number=9&done="):
        assert ask(at, "GET", PUZZLE + more).status == 409
    at.do(game.Turn(at.table.now()), game.Bid("Ben", 5, at.table.now()))
    at.wind(60)
    at.do(game.Result(0, at.table.now()))
    assert ask(at, "GET", PUZZLE + "&number=9&done=").status == 200


def test_the_reveal_leads_to_the_situation(at: House) -> None:
    for _ in open_rounds(at):
        pass
    at.do(Done(at.table.now()))
    page = ask(at, "GET", "/").text
    link = re.search(r"href=\"(/situation/[^\"]*)\"", page)
    assert link
    assert "What was played" in text(at, unescape(link[1]))
    assert "How much was in it?" in unescape(page)


# Any address


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    path=st.sampled_from(["/puzzle", "/puzzle/another", "/setups", f"/situation/{LINE}", "/situation/x"]),
    asked=st.dictionaries(
        st.sampled_from(
            ["day", "seed", "level", "number", "moves", "from", "colour", "done", "sand", "pieces"]
        ),
        st.one_of(st.text(max_size=30), st.sampled_from(["A-red", "3", "600000000000", "2026-11-21"])),
        max_size=5,
    ),
)
def test_no_address_breaks_a_page(at: House, path: str, asked: dict[str, str]) -> None:
    from urllib.parse import urlencode

    answer = ask(at, "GET", f"{path}?{urlencode(asked, errors='surrogatepass')}")
    assert answer.status in (200, 303, 404)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_language_leads_back_to_the_same_page(at: House, language: str) -> None:
    form = {"language": language, "here": "/setups?pieces=600000000000"}
    answer = ask(at, "POST", "/language", form)
    assert answer.header("Location") == form["here"]
    others = ("//elsewhere.example/", "/\\elsewhere.example", "/\t/elsewhere.example")
    for elsewhere in (*others, "https://elsewhere.example/", ""):
        assert ask(at, "POST", "/language", form | {"here": elsewhere}).header("Location") == "/"


# In a browser


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as running:
        yield running


@pytest.mark.slow
def test_a_puzzle_by_thumb(at: House, chromium: Browser) -> None:
    page = phone(chromium)
    page.goto(f"{at.url}/puzzle")
    page.get_by_role("button", name="Turn the hourglass").tap()
    expect(page.get_by_role("timer")).to_have_text(re.compile(r"^(60|5\d)$"))
    page.get_by_role("button", name="9", exact=True).tap()
    expect(page.get_by_role("heading", level=1)).to_have_text("You play for 9 points.")
    move = solve(notation.read(laid(at, PUZZLE))).moves[0]
    page.locator(f".board [data-field={'ABCDEFGHIJKL'[move.start]}]").tap()
    page.locator(f".board [data-die={game.new().colours[move.die]}]").tap()
    expect(page.locator(".moves li")).to_have_count(1)
    page.get_by_role("button", name="Finished with").tap()
    expect(page.get_by_role("heading", name="What was played")).to_be_visible()
    page.wait_for_load_state()  # until then nobody hears the button
    page.get_by_role("button", name="Next").tap()
    expect(page.locator("[data-at]")).to_have_text("1")
    assert page.faults == []  # type: ignore[attr-defined]
    page.context.close()


def test_pieces_are_placed_by_thumb(at: House, chromium: Browser) -> None:
    page = phone(chromium)
    page.goto(f"{at.url}/setups")
    for field in "AAAAAA":
        page.locator(f"#lay [data-field={field}]").tap()
    page.get_by_role("button", name="What do these pieces give?").tap()
    expect(page.get_by_text("4.5 points are to be expected")).to_be_visible()
    assert page.faults == []  # type: ignore[attr-defined]
    page.context.close()


SMALL = """() => [...document.querySelectorAll(".curve text, .chances text, .small-ring text")]
  .map((one) => [one.textContent, parseFloat(getComputedStyle(one).fontSize) * one.getScreenCTM().a])
  .filter(([, size]) => size < 16)"""


def test_what_pictures_say_can_be_read_on_a_phone(at: House, chromium: Browser) -> None:
    page = phone(chromium)
    for path in ("/setups?pieces=300000300000", f"/situation/{LINE}"):
        page.goto(at.url + path)
        expect(page.locator(".chances text").first).to_be_visible()
        assert page.evaluate(SMALL) == []
    page.context.close()


@pytest.mark.parametrize("language", slowly(["de-DE", "en-GB", "fr-FR"]))
def test_nothing_is_wider_than_the_smallest_phone(at: House, chromium: Browser, language: str) -> None:
    page = phone(chromium, viewport={"width": 320, "height": 568}, locale=language)
    for path in (
        *("/puzzle", f"{PUZZLE}&sand=", f"{PUZZLE}&number=9", f"{PUZZLE}&number=9&done="),
        *("/setups?pieces=300000300000", f"/situation/{LINE}?moves=A-red"),
    ):
        page.goto(at.url + path)
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= 320, path
    assert page.faults == []  # type: ignore[attr-defined]
    page.context.close()
