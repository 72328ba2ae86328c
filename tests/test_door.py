"""Whose phone may do what: seats that stay with phones, the host's PIN, and phones that fight over a seat."""

from __future__ import annotations

import json
import re
import stat
import threading
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from companion.games.corona import game, notation
from companion.phones import PHONES, TRIES, Phones, TooManyTries
from tests.browser import House, browser, house, phone
from tests.test_web import SCRIPT, START, Answer, ask

LINE = notation.read("200010201000-366421")
SEATS = ("Anna", "Ben", "Clara")


@pytest.fixture
def phones(tmp_path: Path) -> Phones:
    return Phones(tmp_path / PHONES)


@pytest.fixture
def at(tmp_path: Path, phones: Phones) -> Iterator[House]:
    with house(tmp_path, phones=phones) as built:
        yield built


class Visitor:
    """A phone that keeps its cookie."""

    def __init__(self, at: House) -> None:
        self.at, self.cookie = at, ""

    def get(self, path: str) -> Answer:
        return self._take(ask(self.at, "GET", path, Cookie=self.cookie))

    def post(self, path: str, **form: object) -> Answer:
        return self._take(ask(self.at, "POST", path, form, Cookie=self.cookie, **SCRIPT))

    def sit(self, seat: str, **form: object) -> Answer:
        return self.post("/door/sit", seat=seat, **form)

    def bid(self, seat: str, points: int) -> int:
        return self.post("/bid", me=seat, points=points).status

    def _take(self, answer: Answer) -> Answer:
        given = re.match(r"phone=[^;]*", answer.header("Set-Cookie"))
        if given:
            self.cookie = given[0]
        return answer


@pytest.fixture
def auction(at: House) -> House:
    at.do(game.Start(SEATS, "Anna"), game.Lay(LINE), game.Turn(at.table.now()))
    return at


def test_a_phone_bids_for_its_own_seat_alone(auction: House) -> None:
    anna, ben = Visitor(auction), Visitor(auction)
    assert anna.bid("Anna", 5) == 403  # she has not sat down yet
    assert (anna.sit("Anna").status, ben.sit("Ben").status) == (303, 303)
    assert anna.bid("Anna", 5) == 204
    assert anna.bid("Ben", 6) == 403
    assert ben.bid("Ben", 6) == 204
    assert ben.bid("Clara", 7) == 403  # nobody keeps it: it is a button's, or still free
    assert [(bid.seat, bid.points) for bid in auction.table.state.bids] == [("Anna", 5), ("Ben", 6)]


def test_a_phone_may_keep_the_seat_of_a_player_without_one(auction: House) -> None:
    anna = Visitor(auction)
    anna.sit("Anna")
    anna.sit("Clara")
    assert (anna.bid("Clara", 5), anna.bid("Anna", 6)) == (204, 204)
    assert 'href="/?seat=Clara"' in anna.get("/").text
    anna.post("/door/stand", seat="Clara")
    assert anna.bid("Clara", 7) == 403


def test_who_has_no_seat_is_asked_at_the_door(auction: House) -> None:
    stranger = Visitor(auction)
    answer = stranger.get("/")
    assert (answer.status, answer.header("Location")) == (303, "/door")
    door = stranger.get("/door").text
    assert all(f'value="{seat}"' in door for seat in SEATS)
    looking = stranger.get("/?look=")
    assert looking.status == 200
    assert "Take a seat" in looking.text
    assert 'action="/bid"' not in looking.text


@pytest.mark.parametrize(
    ("path", "form"),
    [
        ("/turn", {}),
        ("/lay", {"situation": "200010201000-366421"}),
        ("/result", {"points": 3}),
        ("/move", {"from": "A", "colour": "red"}),
        ("/done", {}),
        ("/pause", {}),
        ("/throw", {"pips": 6}),
        ("/undo", {"steps": 1}),
        ("/correct", {"what": "bid", "seat": "Ben", "points": 9}),
        ("/cancel", {}),
        ("/start", START),
        ("/join", {"seat": "Dora"}),
        ("/leave", {"seat": "Ben"}),
    ],
)
def test_who_only_looks_on_changes_nothing(auction: House, path: str, form: dict[str, object]) -> None:
    before = auction.table.state
    refused = Visitor(auction).post(path, **form)
    assert refused.status == 403
    assert json.loads(refused.text)["sentence"]
    assert auction.table.state is before


def test_only_the_host_starts_and_corrects(at: House, phones: Phones) -> None:
    host, anna = Visitor(at), Visitor(at)
    assert phones.fresh_pin
    assert host.post("/start", **START).status == 403
    assert host.post("/start", **START, pin="no").status == 403
    assert host.post("/start", **START, pin=phones.fresh_pin).status == 204
    assert phones.fresh_pin is None  # it has been used: the screen shows it no more
    anna.sit("Anna")
    for visitor, status in ((anna, 403), (host, 204)):
        assert visitor.post("/undo", steps=1, change=at.table.change).status == status
    assert "Be the host" in anna.get("/right").text
    assert 'action="/undo"' not in anna.get("/right").text


def test_a_lost_phones_seat_is_taken_over_with_the_pin(auction: House, phones: Phones) -> None:
    lost, new = Visitor(auction), Visitor(auction)
    lost.sit("Anna")
    pin = phones.fresh_pin
    refused = new.sit("Anna")
    assert refused.status == 403
    assert "Another phone keeps the seat of Anna" in unescape(refused.text)
    assert new.sit("Anna", pin="nope").status == 403
    assert new.sit("Anna", pin=pin).status == 303
    assert new.bid("Anna", 5) == 204
    assert lost.bid("Anna", 6) == 403
    # The PIN was given for the seat alone: that phone is no host by it.
    assert new.post("/undo", steps=1, change=auction.table.change).status == 403


def test_a_seat_stays_with_its_phone_through_a_restart(tmp_path: Path) -> None:
    with house(tmp_path, phones=Phones(tmp_path / PHONES)) as at:
        at.do(game.Start(SEATS, "Anna"), game.Lay(LINE), game.Turn(at.table.now()))
        anna = Visitor(at)
        anna.sit("Anna")
        assert anna.bid("Anna", 5) == 204
    with house(tmp_path, phones=Phones(tmp_path / PHONES)) as at:
        anna.at = at
        assert anna.bid("Anna", 6) == 204
        assert Visitor(at).sit("Anna").status == 403


def test_of_two_phones_that_want_a_seat_one_gets_it(auction: House) -> None:
    visitors = [Visitor(auction) for _ in range(12)]
    ready = threading.Barrier(len(visitors))

    def sit(visitor: Visitor) -> None:
        ready.wait()
        statuses.append(visitor.sit("Ben").status)

    statuses: list[int] = []
    threads = [threading.Thread(target=sit, args=(visitor,)) for visitor in visitors]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(statuses) == [303] + [403] * 11
    assert sorted(visitor.bid("Ben", 5) for visitor in visitors) == [204] + [403] * 11


def test_a_cookie_that_somebody_made_up_is_nobodys(auction: House) -> None:
    anna = Visitor(auction)
    anna.sit("Anna")
    liar = Visitor(auction)
    liar.cookie = anna.cookie[:-4] + ("AAAA" if not anna.cookie.endswith("AAAA") else "BBBB")
    assert liar.bid("Anna", 5) == 403


def test_the_cookie_is_for_the_server_alone(auction: House) -> None:
    given = Visitor(auction).sit("Anna").header("Set-Cookie")
    assert "HttpOnly" in given
    assert "SameSite=Lax" in given
    assert "Expires" in given


def test_where_everybody_is_trusted_there_is_no_door(tmp_path: Path) -> None:
    with house(tmp_path) as at:
        assert ask(at, "GET", "/door").status == 404
        assert ask(at, "POST", "/door/host", {"pin": "1"}).status == 404
        assert "Set-Cookie" not in dict(ask(at, "GET", "/").headers)


# The file and the PIN


def test_a_pin_cannot_be_guessed(tmp_path: Path) -> None:
    now = [0.0]
    phones = Phones(tmp_path / PHONES, lambda: now[0])
    wrong = "0000" if phones.fresh_pin != "0000" else "1111"
    for _ in range(TRIES):
        assert not phones.let_in("a", wrong)
    with pytest.raises(TooManyTries, match="60 s"):
        phones.let_in("b", str(phones.fresh_pin))
    now[0] += 60
    assert phones.let_in("b", str(phones.fresh_pin))


def test_a_guesser_is_told_to_wait(at: House) -> None:
    stranger = Visitor(at)
    for _ in range(TRIES):
        assert stranger.post("/door/host", pin="wrong").status == 403
    # The door's own clock runs: on a busy machine a second has gone by.
    assert re.search(
        r"Too many wrong PINs: wait (60|[1-5]\d) seconds\.", stranger.post("/door/host", pin="wrong").text
    )


def test_a_new_pin_leaves_one_host(phones: Phones) -> None:
    pin = str(phones.fresh_pin)
    assert phones.let_in("a", pin)
    assert phones.let_in("b", pin)
    for bad in ("", "123", "123456789", "12a4", "１２３４"):
        assert not phones.change_pin("a", bad)
    assert phones.change_pin("a", "90210")
    assert (phones.is_host("a"), phones.is_host("b")) == (True, False)
    assert not phones.let_in("b", pin)
    assert phones.let_in("b", "90210")


def test_the_file_is_for_its_owner_alone(tmp_path: Path, phones: Phones) -> None:
    assert stat.S_IMODE((tmp_path / PHONES).stat().st_mode) == 0o600
    assert phones.take("Anna", "a")
    again = Phones(tmp_path / PHONES)
    assert (again.secret, again.fresh_pin, again.keeper("Anna")) == (phones.secret, phones.fresh_pin, "a")
    assert sorted(path.name for path in tmp_path.iterdir()) == [PHONES]


@pytest.mark.parametrize("text", ["", "[]", "{", '{"secret": "00", "pin": 1}', '{"seats": 3}', "\x00"])
def test_a_damaged_file_is_put_aside(tmp_path: Path, text: str) -> None:
    (tmp_path / PHONES).write_text(text)
    phones = Phones(tmp_path / PHONES)
    assert phones.fresh_pin
    assert (tmp_path / "phones.damaged").read_text() == text
    assert Phones(tmp_path / PHONES).fresh_pin == phones.fresh_pin


# In a browser, on an address that is not loopback's name


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as running:
        yield running


@pytest.mark.slow
def test_two_phones_at_one_table(at: House, phones: Phones, chromium: Browser) -> None:
    host, ben = phone(chromium), phone(chromium)
    host.goto(at.url)
    for number, name in enumerate(SEATS):
        host.get_by_label("Name").nth(number).fill(name)
    host.get_by_label("The host's PIN").fill(str(phones.fresh_pin))
    host.get_by_role("button", name="Start the game", exact=True).tap()
    expect(host.get_by_role("heading", level=1)).to_contain_text("sets up")
    ben.goto(at.url)
    expect(ben.get_by_role("heading", level=1)).to_have_text("Who are you?")
    ben.get_by_role("button", name="Ben").tap()
    at.do(game.Lay(LINE), game.Turn(at.table.now()))
    ben.get_by_role("button", name="7", exact=True).tap()
    expect(host.locator(".high strong")).to_have_text("7")
    host.get_by_role("link", name="Take a seat").tap()
    expect(host.get_by_role("button", name="Ben on another phone")).to_be_disabled()
    host.get_by_role("button", name="Anna").tap()
    host.get_by_role("button", name="8", exact=True).tap()
    expect(ben.locator(".high strong")).to_have_text("8")
    ben.reload()
    expect(ben.get_by_text("Ben bids")).to_be_visible()
    host.goto(f"{at.url}/door")
    host.get_by_text("A phone is lost").tap()
    host.get_by_role("button", name="Take the seat over").tap()
    expect(host).to_have_url(f"{at.url}/")
    expect(ben.get_by_text("Ben bids")).to_be_hidden()
    for page in (host, ben):
        assert page.faults == []  # type: ignore[attr-defined]
        page.context.close()


@pytest.mark.slow
def test_of_two_phones_that_tap_one_name_the_second_is_told(auction: House, chromium: Browser) -> None:
    """Both show the seat as free; who taps second keeps none, and may choose another."""
    first, second = phone(chromium), phone(chromium)
    for page in (first, second):
        page.goto(f"{auction.url}/door")
    first.get_by_role("button", name="Anna").tap()
    expect(first.get_by_text("Anna bids")).to_be_visible()
    second.get_by_role("button", name="Anna").tap()
    expect(second.get_by_role("alert")).to_contain_text("Another phone keeps the seat of Anna")
    expect(second.get_by_role("button", name="Anna on another phone")).to_be_disabled()
    second.faults.clear()  # type: ignore[attr-defined]
    second.get_by_role("button", name="Ben").tap()
    expect(second.get_by_text("Ben bids")).to_be_visible()
    for page in (first, second):
        assert page.faults == []  # type: ignore[attr-defined]
        page.context.close()
