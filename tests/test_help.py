"""The rules on a page: the same build in three languages, true to the rules, fit for the smallest phone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape

import pytest
from playwright.sync_api import Browser, expect

from companion.games.corona import game, ledger, notation
from companion.games.corona.rules import (
    DEFAULT_COLOURS,
    DICE,
    EDITIONS,
    FIELDS,
    MOST_POINTS,
    PIECES,
    starting_chips,
)
from companion.games.corona.solver import solve
from companion.moves import read_moves
from companion.web import help as rules_page
from companion.web.forms import ENDINGS, Offers
from tests.browser import House, browser, house, phone
from tests.slowly import slowly
from tests.test_web import LANGUAGES, ask

MOST_WORDS = 30
BID = 7
"""What Ben has bid in the example."""
EVERY = pytest.mark.parametrize("language", LANGUAGES)


@pytest.fixture(scope="module")
def at(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with house(tmp_path_factory.mktemp("help")) as built:
        yield built


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as running:
        yield running


def page(at: House, language: str) -> str:
    answer = ask(at, "GET", "/help", Accept_Language=LANGUAGES[language])
    assert answer.status == 200
    assert f'<html lang="{language}">' in answer.text
    return answer.text


def article(at: House, language: str) -> str:
    found = re.search(r"<article.*</article>", page(at, language), re.DOTALL)
    assert found
    return found[0]


def plain(html: str) -> str:
    """The words of some HTML, on one line."""
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", html)).split())


def section(at: House, language: str, anchor: str) -> str:
    """What a section says."""
    found = re.search(rf'<section id="{anchor}">(.*?)</section>', article(at, language), re.DOTALL)
    assert found, anchor
    return plain(found[1])


def numbers(text: str) -> set[int]:
    return {int(digits) for digits in re.findall(r"\d+", text)}


# The same in every language


@EVERY
def test_every_language_has_the_same_build(at: House, language: str) -> None:
    """The same elements in the same order: only words differ."""

    def build(language: str) -> list[str]:
        names = "section|h1|h2|p|ul|ol|li|strong|table|caption|tr|th|td|svg|a"
        tags = rf"<(?:{names})\b(?: (?:id|href|class)=\"[^\"]*\")*"
        return re.findall(tags, article(at, language))

    assert build(language) == build("en")


@EVERY
def test_the_contents_lead_to_every_section(at: House, language: str) -> None:
    said = article(at, language)
    led = re.findall(r'<a href="#(\w+)">([^<]*)</a>', said)
    assert led == re.findall(r'<section id="(\w+)">\s*<h2>([^<]*)</h2>', said)
    assert len(led) == len({title for _, title in led}) >= 12


def test_each_language_says_it_in_its_own_words(at: House) -> None:
    said = [set(re.findall(r"<li>([^<]{30,})", article(at, language))) for language in LANGUAGES]
    assert all(len(one) > 10 for one in said)
    assert len(set.union(*said)) == sum(map(len, said))


@EVERY
def test_no_sentence_is_long(at: House, language: str) -> None:
    blocks = re.findall(
        r"<(?:p|li|td|caption|em)\b[^>]*>(.*?)</(?:p|li|td|caption|em)>", article(at, language), re.DOTALL
    )
    sentences = [one for block in blocks for one in re.split(r"(?<=[.!?:;])\s+", plain(block))]
    assert [one for one in sentences if len(one.split()) > MOST_WORDS] == []


def test_french_keeps_its_marks_with_their_words(at: House) -> None:
    shown = re.sub(r"<[^>]*>", "", article(at, "fr"))
    assert re.findall(r".{12}[ \n][:;!?»…]|«[ \n].{12}", shown) == []
    assert "\xa0:" in shown


@EVERY
def test_what_buttons_are_called_is_what_they_say(at: House, language: str) -> None:
    """No sentence in quotes that is nowhere on the pages of this language."""
    quoted = re.findall(
        r"[“„«]\s*([^”“»]+?)\s*[”“»]", section(at, language, "phones") + section(at, language, "right")
    )
    assert len(quoted) == 2
    table = plain(ask(at, "GET", "/", Accept_Language=LANGUAGES[language]).text)
    assert quoted[1] in table


# True to the rules


@EVERY
def test_the_numbers_are_those_of_the_rules(at: House, language: str) -> None:
    things = section(at, language, "set")
    for pattern in (rf"^.*?\b{FIELDS} \w", rf"\b{PIECES} \w", rf"\b{DICE} \w"):
        assert re.search(pattern, things)
    assert numbers(things) == {FIELDS, PIECES, DICE, 1, 2, *range(2, 8), *map(starting_chips, range(2, 8))}
    assert "".join(f"{starting_chips(players)} " for players in range(2, 8)).strip() in things
    assert {MOST_POINTS, sum(range(2, PIECES + 1))} <= numbers(section(at, language, "points"))
    agreed = {int(code.partition("-")[2]) for code in ENDINGS if "-" in code}
    assert numbers(section(at, language, "end")) == agreed
    assert Offers().opening in numbers(section(at, language, "phones"))
    assert Offers().hourglass == 60  # the page says: 1 minute


@EVERY
def test_what_the_editions_print(at: House, language: str) -> None:
    said = section(at, language, "editions")
    for edition in EDITIONS.values():
        players = rules_page.enough(edition)
        assert players * starting_chips(players) <= edition.chips_in_box
        assert (players + 1) * starting_chips(players + 1) > edition.chips_in_box
        assert re.search(rf"\b{edition.chips_in_box}\b\D*\b{players}\b", said)
    assert {MOST_POINTS, MOST_POINTS - 1} <= numbers(said)


@EVERY
@pytest.mark.parametrize(("row", "won"), [(0, True), (1, False)])
def test_who_pays_whom_is_what_is_settled(at: House, language: str, row: int, won: bool) -> None:
    seats, chips = ("Anna", "Ben", "Clara", "David"), (9,) * 4
    left = ledger.after(seats, chips, ledger.payments(seats, chips, "Ben", won))
    told = re.findall(r"([+−])(\d)", section(at, language, "chips"))[2 * row : 2 * row + 2]
    player, others = (int(sign.replace("−", "-") + digit) for sign, digit in told)
    assert [held - 9 for held in left] == [others, player, others, others]


@EVERY
def test_the_points_of_a_field_are_those_of_the_rules(at: House, language: str) -> None:
    row = re.search(r'<table class="scores">.*?</table>', article(at, language), re.DOTALL)
    assert row
    told = re.findall(r"<td>([^<]*)</td>", row[0])
    for there in range(1, PIECES + 1):
        waiting = [0] * FIELDS
        waiting[0], waiting[11] = there - 1, 1  # the one on L arrives on A, by a die that shows 1
        waiting[5] = PIECES - there
        line = "".join(map(str, waiting)) + "-111111"
        (move,) = read_moves(notation.read(line), ["L-red"], DEFAULT_COLOURS)
        assert told[there - 1] == (str(move.points) if move.points else "–")


def test_the_example_can_be_played_and_reaches_the_bid(at: House) -> None:
    """As a round of the game itself: every move is accepted, and the bid is just reached."""
    with_points = rules_page.example()["moves"]
    at.do(game.Start(("Anna", "Ben"), "Anna"), game.Lay(notation.read(rules_page.EXAMPLE)))
    at.do(game.Turn(at.table.now()), game.Bid("Ben", BID, at.table.now()))
    at.wind(60)
    for move in with_points:
        field, die = "ABCDEFGHIJKL".index(move["from"]), DEFAULT_COLOURS.index(move["colour"])
        at.do(game.Step(field, die, at.table.now()))
    moves = at.table.state.moves
    assert [move.points for move in moves] == [2, 3, 0, 2] == [move["points"] for move in with_points]
    at.do(game.Done(at.table.now()))
    assert sum(move.points for move in moves) == BID
    assert at.table.state.silenced is None
    assert solve(notation.read(rules_page.EXAMPLE)).best > BID  # “Was there more in it?”


@EVERY
def test_the_example_says_what_happens(at: House, language: str) -> None:
    said = section(at, language, "example")
    assert said.count(f" {BID}") >= 1
    assert f"{BID} " in said.split("▶")[-1]
    moves = re.findall(r"\b([A-L]) (?:to|nach|à) ([A-L])\b", said.replace("de ", ""))
    assert moves == [(move["from"], move["to"]) for move in rules_page.example()["moves"]]


def test_the_page_asks_nobody_for_the_best_score(at: House) -> None:
    """It is the same whatever lies on the table, also its own example."""
    before = page(at, "en")
    at.do(game.Start(("Anna", "Ben"), "Anna"), game.Lay(notation.read(rules_page.EXAMPLE)))
    assert page(at, "en") == before
    assert ask(at, "GET", f"/situation/{rules_page.EXAMPLE}").status == 409


# On a phone


def test_every_page_leads_to_the_rules_and_back_to_the_seat(at: House) -> None:
    for path in ("/", "/puzzle", "/setups"):
        assert 'href="/help"' in ask(at, "GET", path).text
    assert 'href="/help?seat=Anna"' in ask(at, "GET", "/?seat=Anna").text
    back = ask(at, "GET", "/help?seat=Anna").text
    assert back.count('href="/?seat=Anna"') == 3
    assert 'href="/help' not in back


@pytest.mark.slow
def test_the_example_is_played_by_thumb(at: House, chromium: Browser) -> None:
    shown = phone(chromium)
    shown.goto(f"{at.url}/help")
    shown.get_by_role("link", name="An example").tap()
    for points in ("2", "5", "5", "7"):
        shown.get_by_role("button", name="Next").tap()
        expect(shown.locator("[data-points]")).to_have_text(points)
    expect(shown.locator(".moves .now")).to_contain_text("G to J")
    shown.get_by_role("link", name="Contents").tap()
    expect(shown.get_by_role("link", name="In two sentences")).to_be_in_viewport()
    assert shown.faults == []  # type: ignore[attr-defined]
    shown.context.close()


@pytest.mark.parametrize("locale", slowly(["de-DE", "en-GB", "fr-FR"]))
def test_nothing_is_wider_than_the_smallest_phone(at: House, chromium: Browser, locale: str) -> None:
    shown = phone(chromium, viewport={"width": 320, "height": 568}, locale=locale)
    shown.goto(f"{at.url}/help")
    assert shown.evaluate("document.documentElement.scrollWidth") <= 320
    assert (
        shown.evaluate(
            "Math.max(...[...document.querySelectorAll('.help *')].map(e => e.getBoundingClientRect().right))"
        )
        <= 320 - 16
    )  # what is too wide within the page stays within its margin
    small = shown.evaluate(
        "[...document.querySelectorAll('.contents a, .dock a')].filter(a => a.offsetHeight < 44).length"
    )
    assert small == 0
    assert shown.faults == []  # type: ignore[attr-defined]
    shown.context.close()
