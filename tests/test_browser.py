"""The page in a real browser at phone size: a round by thumb, a second phone, lost lines, keys, no script."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from companion.games.corona import game, notation
from companion.games.corona.commands import Step
from tests.browser import House, browser, house, phone
from tests.slowly import slowly

LINE = "200010201000-366421"
Phone = Callable[..., Page]


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as running:
        yield running


@pytest.fixture
def at(tmp_path: Path) -> Iterator[House]:
    with house(tmp_path, addresses=("http://192.168.1.20:8000/",)) as built:
        yield built


@pytest.fixture
def pick_up(chromium: Browser) -> Iterator[Phone]:
    """Opens pages on phones of their own; at the end none may have had a fault in its console."""
    pages: list[Page] = []

    def pick_up(address: str, **options: object) -> Page:
        page = phone(chromium, **options)
        pages.append(page)
        page.goto(address)
        return page

    yield pick_up
    faults = [fault for page in pages for fault in page.faults]  # type: ignore[attr-defined]
    for page in pages:
        page.context.close()
    assert faults == []


def start(at: House, *names: str) -> None:
    names = names or ("Anna", "Ben", "Clara")
    at.do(game.Start(names, names[0]))


def auction(at: House) -> None:
    start(at)
    at.do(game.Lay(notation.read(LINE)), game.Turn(at.table.now()))


def tap(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).tap()


def status(page: Page, words: str) -> None:
    expect(page.get_by_role("heading", level=1)).to_have_text(words)


def test_a_round_by_thumb(at: House, pick_up: Phone) -> None:
    page = pick_up(at.url)
    status(page, "Who sits at the table?")
    for number, name in enumerate(("Anna", "Ben", "Clara")):
        page.get_by_label("Name").nth(number).fill(name)
    page.get_by_label("sets up first").nth(1).check()
    page.get_by_text("What was agreed").tap()
    page.get_by_label("Hourglass, seconds").fill("10")
    tap(page, "Start the game")

    status(page, "Ben sets up: six pieces on any fields, then all six dice at once.")
    for field in "AAEGGI":
        page.locator(f"#lay [data-field={field}]").tap()
    for colour, pips in zip(
        ("red", "blue", "green", "yellow", "white", "black"), (3, 6, 6, 4, 2, 1), strict=True
    ):
        for _ in range(pips):
            page.locator(f"#lay [data-die={colour}]").tap()
    expect(page.locator("output").first).to_have_text("6 / 6")
    tap(page, "This is the situation")
    tap(page, "Turn the hourglass")

    status(page, "The sand is running. How many points can be reached?")
    assert notation.write(at.table.state.situation) == LINE  # type: ignore[arg-type]
    expect(page.locator("#seconds")).to_have_text("10")
    page.get_by_role("navigation").get_by_role("link", name="Anna").tap()
    tap(page, "8")
    expect(page.locator(".high")).to_contain_text("8 Anna")
    page.get_by_label("Another number").fill("11")
    tap(page, "Bid")
    expect(page.locator(".high")).to_contain_text("11 Anna")
    at.wind(10)

    status(page, "Anna plays for 11 points.")
    page.get_by_role("radio", name="12", exact=True).check()
    tap(page, "Enter the result")
    status(page, "Anna has won the round.")
    expect(page.locator(".figures")).to_have_text(re.compile(r"Bid\s*11\s*Reached\s*12\s*Best possible\s*15"))
    expect(page.locator(".mine .chips")).to_contain_text("10")


def test_the_best_line_goes_forwards_and_backwards(at: House, pick_up: Phone) -> None:
    auction(at)
    at.do(game.Bid("Anna", 8, at.table.now()))
    at.wind(60)
    at.do(game.Result(8))
    page = pick_up(at.url)
    moves = page.locator(".moves li")
    points, current = page.locator("[data-points]"), page.locator(".moves .now")
    gained = [int(text.lstrip("+").replace("–", "0")) for text in moves.locator("strong").all_inner_texts()]
    where = page.locator(".mover").evaluate_all
    places = [where("all => all.map(one => one.getAttribute('transform')).sort()")]
    for number in range(1, len(gained) + 1):
        tap(page, "Next")
        expect(points).to_have_text(str(sum(gained[:number])))
        expect(current).to_have_text(re.compile(moves.nth(number - 1).inner_text().split("\n")[0]))
        expect(page.locator(".die.used")).to_have_count(number)
        places.append(where("all => all.map(one => one.getAttribute('transform')).sort()"))
    assert len({tuple(place) for place in places}) == len(places)
    expect(points).to_have_text("15")
    page.keyboard.press("ArrowRight")
    expect(points).to_have_text("15")
    for number in reversed(range(len(gained))):
        page.keyboard.press("ArrowLeft")
        expect(points).to_have_text(str(sum(gained[:number])))
        assert where("all => all.map(one => one.getAttribute('transform')).sort()") == places[number]
    expect(current).to_have_count(0)
    for by, at_move in ((-120, "1"), (-120, "2"), (120, "1"), (-10, "1")):  # to the left it goes on
        box = page.locator(".replay").bounding_box()
        assert box
        page.mouse.move(box["x"] + 150, box["y"] + 60)
        page.mouse.down()
        page.mouse.move(box["x"] + 150 + by, box["y"] + 65)
        page.mouse.up()
        expect(page.locator("[data-at]")).to_have_text(at_move)


def test_what_one_phone_does_the_others_see(at: House, pick_up: Phone) -> None:
    auction(at)
    anna, ben = pick_up(f"{at.url}/?seat=Anna"), pick_up(f"{at.url}/?seat=Ben", locale="de-DE")
    tap(anna, "7")
    status(ben, "Der Sand läuft. Wer bietet mehr als 7?")
    ben.get_by_label("Andere Zahl").fill("1")
    tap(anna, "9")
    expect(ben.locator(".high")).to_contain_text("9 Anna")
    expect(ben.get_by_label("Andere Zahl")).to_have_value("1")
    tap(ben, "10")
    expect(anna.locator(".bids li")).to_have_text(["10 Ben", "9 Anna", "7 Anna"])


def test_a_refusal_is_said_and_goes_with_the_next_phase(at: House, pick_up: Phone) -> None:
    auction(at)
    page = pick_up(f"{at.url}/?seat=Anna")
    at.do(game.Bid("Ben", 12, at.table.now()))
    page.get_by_label("Another number").fill("5")
    tap(page, "Bid")
    expect(page.get_by_role("alert")).to_have_text("The highest call is 12, by Ben: call more.")
    page.faults.clear()  # type: ignore[attr-defined]
    at.wind(60)
    expect(page.get_by_role("alert")).to_be_hidden()


def test_a_line_that_was_lost_comes_back_with_everything(at: House, pick_up: Phone) -> None:
    auction(at)
    page = pick_up(f"{at.url}/?seat=Anna")
    expect(page.locator("#gone")).to_be_hidden()
    page.context.set_offline(True)
    expect(page.locator("#gone")).to_have_text("No connection to the table. Trying again …")
    at.do(game.Bid("Ben", 9, at.table.now()))
    at.wind(30)
    page.context.set_offline(False)
    expect(page.locator(".high")).to_contain_text("9 Ben")
    expect(page.locator("#gone")).to_be_hidden()
    expect(page.locator("#seconds")).to_have_text(re.compile(r"30|29"))
    page.faults.clear()  # type: ignore[attr-defined]


def test_on_its_side_a_phone_shows_the_whole_board_beside_what_there_is_to_do(
    at: House, pick_up: Phone
) -> None:
    auction(at)
    page = pick_up(f"{at.url}/?seat=Ben", viewport={"width": 844, "height": 390}, locale="de-DE")
    at.do(game.Bid("Anna", 7, at.table.now()))
    expect(page.locator(".high strong")).to_have_text("7")
    board, dock = (page.locator(one).bounding_box() for one in (".part-board .board", ".dock"))
    assert board and dock
    assert board["y"] + board["height"] <= 390
    assert board["x"] + board["width"] <= dock["x"]
    assert page.get_by_role("button", name="13", exact=True).is_visible()


def test_a_stream_that_the_server_ends_is_taken_up_again(at: House, pick_up: Phone) -> None:
    start(at)
    page = pick_up(at.url)
    hub = at.app.extensions["corona"]
    expect(page.locator("#gone")).to_be_hidden()
    hub.close()
    expect(page.locator("#gone")).to_be_visible()
    hub.closed = False
    at.do(game.Lay(notation.read(LINE)))
    status(page, "The situation is set. Anna turns the hourglass.")
    expect(page.locator("#gone")).to_be_hidden()
    page.faults.clear()  # type: ignore[attr-defined]


def test_a_page_that_comes_back_from_the_background_asks_anew(at: House, pick_up: Phone) -> None:
    start(at)
    page = pick_up(at.url)
    with page.expect_request("**/events"):
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    at.do(game.Lay(notation.read(LINE)))
    status(page, "The situation is set. Anna turns the hourglass.")


def test_what_is_being_entered_stays_while_others_act(at: House, pick_up: Phone) -> None:
    start(at)
    at.do(game.Lay(notation.read(LINE)))
    page = pick_up(at.url)
    page.get_by_text("Correct the situation").tap()
    page.locator("#lay [data-clear]").tap()
    page.locator("#lay [data-field=C]").tap()
    assert page.locator("#lay [data-field=C] use").get_attribute("href") == "#pile-1"
    at.do(game.Lay(notation.read("000600000000-666666")))
    expect(page.locator("#lay [data-field=D] use")).to_have_attribute("href", "#pile-6")
    expect(page.locator("#lay-anew")).to_have_attribute("open", "")


def test_a_situation_by_keyboard(at: House, pick_up: Phone) -> None:
    start(at)
    page = pick_up(at.url)
    field = page.get_by_role("button", name="L: 0")
    field.focus()
    for _ in range(6):
        page.keyboard.press("Space")
    expect(page.get_by_role("button", name="L: 6")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="L: 0")).to_be_visible()


def test_seven_players_find_a_place(at: House, pick_up: Phone) -> None:
    page = pick_up(at.url)
    for number in range(7):
        if number >= 4:
            tap(page, "One more player")
        page.get_by_label("Name").nth(number).fill(f"Player {number}")
    page.get_by_label("sets up first").nth(6).check()
    tap(page, "Start the game")
    status(page, "Player 6 sets up: six pieces on any fields, then all six dice at once.")
    assert at.table.state.seats == tuple(f"Player {number}" for number in range(7))


def test_seats_are_put_in_order(at: House, pick_up: Phone) -> None:
    """By the keys and by a finger; the die beside a name goes along."""
    page = pick_up(at.url)
    names, handles = page.get_by_label("Name"), page.get_by_label("Another place")
    for number, name in enumerate(("Anna", "Ben", "Clara", "Dora")):
        names.nth(number).fill(name)
    page.get_by_label("sets up first").nth(0).check()
    handles.nth(0).press("ArrowDown")
    assert [names.nth(k).input_value() for k in range(4)] == ["Ben", "Anna", "Clara", "Dora"]
    box = handles.nth(3).bounding_box()
    assert box
    page.mouse.move(box["x"] + 10, box["y"] + 10)
    page.mouse.down()
    for step in range(1, 40):
        page.mouse.move(box["x"] + 10, box["y"] + 10 - 6 * step)
    page.mouse.up()
    tap(page, "Start the game")
    status(page, "Anna sets up: six pieces on any fields, then all six dice at once.")
    assert at.table.state.seats == ("Dora", "Ben", "Anna", "Clara")


def test_the_language_can_be_chosen(at: House, pick_up: Phone) -> None:
    page = pick_up(at.url)
    tap(page, "Français")
    status(page, "Qui est à la table\u00a0?")
    page.reload()
    expect(page.locator("html")).to_have_attribute("lang", "fr")


def test_a_round_without_any_script(at: House, pick_up: Phone) -> None:
    page = pick_up(at.url, java_script_enabled=False)
    page.get_by_label("Name").nth(0).fill("Anna")
    page.get_by_label("Name").nth(1).fill("Ben")
    tap(page, "Start the game")
    page.get_by_label("In one line").fill(LINE)
    tap(page, "This is the situation")
    tap(page, "Turn the hourglass")
    page.get_by_role("navigation").get_by_role("link", name="Ben").tap()
    tap(page, "9")
    status(page, "The sand is running. Who bids more than 9?")
    at.wind(60)
    page.get_by_role("link", name="Look again").tap()
    page.get_by_role("radio", name="4", exact=True).check()
    tap(page, "Enter the result")
    status(page, "Ben has missed the bid, and keeps silent next round.")
    expect(page.locator(".moves li")).to_have_count(4)


FITS = """() => {
  const all = (what) => [...document.querySelectorAll(what)];
  const boxes = all("button, a, input:not([type=hidden]), select, summary, [role=button]")
    .map((one) => one.matches("input[type=radio]") ? one.parentElement : one)
    .map((one) => [one.outerHTML.slice(0, 80), one.getBoundingClientRect()])
    .filter(([, box]) => box.width && (box.width < 44 || box.height < 44))
    .map(([html, box]) => `${html} ${box.width} x ${box.height}`);
  const small = all("body *")
    .filter((one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim()))
    .filter((one) => !one.closest("svg, .unseen, noscript"))
    .filter((one) => parseFloat(getComputedStyle(one).fontSize) < 16)
    .map((one) => one.outerHTML.slice(0, 80));
  return { wide: document.documentElement.scrollWidth, boxes, small };
}"""


@pytest.mark.parametrize("language", slowly(["de-DE", "en-GB", "fr-FR"]))
def test_every_state_fits_the_smallest_phone(at: House, pick_up: Phone, language: str) -> None:
    page = pick_up(f"{at.url}/?seat=Ann", locale=language)
    names = ("Ann", "Wolfeschlegelsteinhausenberger", "Li", "Maximiliane von und zu Hohenau")

    def fits(phase: str) -> None:
        expect(page.locator("main")).to_have_attribute("data-phase", phase)
        page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        assert page.evaluate(FITS) == {"wide": 360, "boxes": [], "small": []}

    fits("start")
    at.do(game.Start(names, names[1], hourglass=300, ending=game.Ending("rounds", 1)))
    fits("lay")
    at.do(game.Lay(notation.read("600000000000-666666")))
    expect(page.locator(".part-board .board")).to_be_visible()
    fits("lay")
    at.do(game.Turn(at.table.now()))
    fits("auction")
    for points, name in enumerate(names * 3, start=1):
        at.do(game.Bid(name, points, at.table.now()))
    expect(page.locator(".bids li")).to_have_count(12)
    fits("auction")
    at.wind(300)
    fits("play")
    at.do(Step(0, 0), Step(0, 1))
    expect(page.locator(".play li")).to_have_count(2)
    fits("play")
    at.do(game.Result(3))
    fits("over")
    page.goto(f"{at.url}/right?seat=Ann")
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    assert page.evaluate(FITS) == {"wide": 360, "boxes": [], "small": []}


def test_a_play_is_tapped_on_the_board_and_a_slip_taken_back(at: House, pick_up: Phone) -> None:
    auction(at)
    at.do(game.Bid("Anna", 2, at.table.now()))
    at.wind(60)
    page = pick_up(f"{at.url}/?seat=Anna")
    board = page.locator(".part-board")
    board.locator("[data-field=A]").tap()
    expect(board.locator("[data-field=A]")).to_have_class(re.compile("chosen"))
    board.locator("[data-die=green]").tap()
    expect(page.locator(".play li")).to_contain_text("A to G")
    expect(page.locator(".play li strong")).to_have_text("+3")
    page.get_by_label("I", exact=True).check()
    page.get_by_role("button", name="black 1").tap()
    expect(page.locator(".play li")).to_have_count(2)
    page.get_by_role("link", name="Put something right").tap()
    tap(page, "Take back: the last move")
    expect(page.locator(".play li")).to_have_count(1)
    tap(page, "Finished with 3 points")
    status(page, "Anna has won the round.")


def test_the_enter_key_moves_by_no_die(at: House, pick_up: Phone) -> None:
    auction(at)
    at.do(game.Bid("Anna", 2, at.table.now()))
    at.wind(60)
    page = pick_up(f"{at.url}/?seat=Anna")
    page.locator("#move [name=from]").first.focus()
    page.keyboard.press("Space")
    page.keyboard.press("Enter")
    expect(page.locator("#notice")).to_have_text("Tap the field of the piece that moves, then its die.")
    page.faults.clear()  # type: ignore[attr-defined]
    assert at.table.state.moves == ()


@pytest.mark.slow
def test_dark_and_light_are_readable(at: House, pick_up: Phone) -> None:
    """The contrast of all text with what lies behind it: at least 4.5 to 1."""
    auction(at)
    at.do(game.Bid("Ben", 9, at.table.now()))
    for scheme in ("light", "dark"):
        page = pick_up(f"{at.url}/?seat=Anna", color_scheme=scheme)
        expect(page.locator(".high")).to_contain_text("9")
        assert page.evaluate(CONTRAST) == []


CONTRAST = """() => {
  const light = (text) => {
    const [r, g, b] = text.match(/[\\d.]+/g).map(Number).map((v) => v / 255)
      .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (one) => {
    for (let at = one; at; at = at.parentElement) {
      const colour = getComputedStyle(at).backgroundColor;
      if (!/, 0\\)$/.test(colour)) return colour;
    }
    return "rgb(255, 255, 255)";
  };
  return [...document.querySelectorAll("body *")]
    .filter((one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim()))
    .filter((one) => !one.closest("svg, noscript, [hidden]"))
    .map((one) => [one.outerHTML.slice(0, 80), light(getComputedStyle(one).color), light(behind(one))])
    .map(([html, a, b]) => [html, (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)])
    .filter(([, ratio]) => ratio < 4.5).map(([html, ratio]) => `${ratio.toFixed(2)} ${html}`);
}"""
