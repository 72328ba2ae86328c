"""Every route over real HTTP with whatever comes: no fault of ours, and nothing changes without a right."""

from __future__ import annotations

import http.client
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from flask import Flask
from hypothesis import given, settings
from hypothesis import strategies as st
from werkzeug.routing import Rule

from companion.demo import demo
from companion.games.corona import game, notation
from companion.phones import PHONES, Phones
from companion.web.guard import Limit
from tests.browser import House, house, serving

pytestmark = pytest.mark.slow

LINE = "200010201000-366421"
FIELDS = """
    seat me points situation from colour first edition hourglass ending opening pips what round steps change
    sure chips shown after before order pin back page here language game until line day level seed number
    moves done sand pieces screen look theme form
"""
VALUES = [
    "Anna",
    "Ben",
    "",
    "0",
    "7",
    "-1",
    "1e9",
    LINE,
    LINE[:12],
    "fr",
    "A",
    "red",
    "A-red,B-blue",
    "rounds-10",
    "bid",
]
JUNK = st.text(st.characters(codec="latin-1", exclude_categories=["Cc"]), max_size=30)
HEADERS = st.fixed_dictionaries(
    {},
    optional={
        "Accept": st.one_of(st.sampled_from(["application/json", "*/*;q=x", "text/event-stream"]), JUNK),
        "Accept-Language": st.one_of(st.sampled_from(["de-DE,de;q=0.9", "fr", "*", "x-;q=9,,;"]), JUNK),
        "Origin": st.one_of(st.sampled_from(["http://elsewhere.example", "null", "http://[", "://"]), JUNK),
        "Sec-Fetch-Site": st.one_of(st.sampled_from(["same-origin", "none", "cross-site"]), JUNK),
        "Content-Type": st.sampled_from(
            [
                "application/x-www-form-urlencoded",
                "application/json",
                "multipart/form-data; boundary=x",
                "text/;;",
            ]
        ),
    },
)
TEXT = st.one_of(st.sampled_from(VALUES), st.text(max_size=20))
FORM = st.dictionaries(
    st.sampled_from(FIELDS.split()), st.one_of(TEXT, st.lists(TEXT, max_size=3)), max_size=8
)
JSON = st.sampled_from(
    [
        *(b"{}", b"[]", b"{", b'{"on": true, "person": "Anna", "others": [1]}', b'{"others": {}}'),
        *(b'{"number": 1e999, "x": 0, "y": null}', b'{"colour": "red", "x": 1, "y": 2, "value": 9}'),
        b'{"button": "setter", "down": 3}',
    ]
)
BODIES = st.one_of(FORM.map(lambda form: urlencode(form, doseq=True).encode()), JSON, st.binary(max_size=60))


@st.composite
def requests(draw: st.DrawFn, rule: Rule, methods: list[str]) -> tuple[str, str, bytes, dict[str, str]]:
    """Method, address, body and headers of a request to this route."""
    path = re.sub(r"<[^>]+>", lambda _: quote(draw(TEXT), safe=""), rule.rule)
    query = urlencode(draw(FORM), doseq=True)
    return draw(st.sampled_from(methods)), f"{path}?{query}", draw(BODIES), draw(HEADERS)


def asked(port: int, method: str, address: str, body: bytes, headers: dict[str, str]) -> int:
    """The status of the answer; of a stream no more than that is read."""
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    try:
        line.request(method, address, body, headers)
        answer = line.getresponse()
        if not (answer.getheader("Content-Type") or "").startswith("text/event-stream"):
            answer.read()
        return answer.status
    finally:
        line.close()


def signed(app: Flask, phone: str) -> str:
    """The cookie of a phone that this server knows."""
    signer = app.session_interface.get_signing_serializer(app)  # type: ignore[attr-defined]
    return f"phone={signer.dumps({'phone': phone})}"


def rules(app: Flask, *methods: str) -> list[Rule]:
    """The routes that take one of these methods."""
    found = [rule for rule in app.url_map.iter_rules() if rule.methods and rule.methods.intersection(methods)]
    assert len(found) > 8
    return found


@pytest.fixture
def no_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Limit, "allows", lambda *_: True)


@pytest.fixture
def strict(tmp_path: Path, no_limit: None) -> Iterator[tuple[House, Phones]]:
    """A table in mid-auction whose phones are told apart, and where every seat is kept."""
    phones = Phones(tmp_path / PHONES)
    assert phones.take("Anna", "her phone")
    assert phones.take("Ben", "his phone")
    with house(tmp_path, phones=phones, streams=4) as at:
        at.do(game.Start(("Anna", "Ben"), "Anna"), game.Lay(notation.read(LINE)), game.Turn(at.table.now()))
        yield at, phones


def test_nothing_that_comes_is_a_fault_of_ours(tmp_path: Path, no_limit: None) -> None:
    """On the virtual table, which has the most routes, and where everybody may do everything."""
    with demo(tmp_path) as parts, serving(parts.app) as port:
        for rule in rules(parts.app, "GET", "POST"):

            @settings(max_examples=5, deadline=None, database=None)
            @given(requests(rule, [*sorted(rule.methods or ()), "PUT"]))
            def check(request: tuple[str, str, bytes, dict[str, str]]) -> None:
                assert asked(port, *request) < 500

            check()


def test_a_stranger_changes_nothing(strict: tuple[House, Phones], tmp_path: Path) -> None:
    at, phones = strict
    pin, before, kept = str(phones.fresh_pin), at.table.state, (tmp_path / PHONES).read_bytes()
    own = signed(at.app, "a phone without a seat")
    cookies = st.sampled_from([None, "", "phone=her phone", f"{own[:-3]}AAA", "phone=eyJ9.x.y", own])
    for rule in rules(at.app, "POST"):

        @settings(max_examples=5, deadline=None, database=None)
        @given(requests(rule, ["POST"]), cookies)
        def check(request: tuple[str, str, bytes, dict[str, str]], cookie: str | None) -> None:
            method, address, body, headers = request
            headers = {
                name: value for name, value in headers.items() if name not in ("Origin", "Sec-Fetch-Site")
            }
            status = asked(at.port, method, address, body, headers | ({"Cookie": cookie} if cookie else {}))
            assert status < 500
            assert at.table.state is before
            assert (tmp_path / PHONES).read_bytes() == kept

        check()
    assert phones.fresh_pin == pin


def test_who_has_a_right_is_let_in(strict: tuple[House, Phones]) -> None:
    """Or the tests here would prove nothing."""
    at, _ = strict
    form = {"Content-Type": "application/x-www-form-urlencoded", "Cookie": signed(at.app, "her phone")}
    assert asked(at.port, "POST", "/bid", b"me=Anna&points=7", form) == 303
    assert at.table.state.high is not None


def test_another_pages_post_is_turned_away_everywhere(strict: tuple[House, Phones]) -> None:
    at, _ = strict
    before = at.table.state
    foreign: list[dict[str, Any]] = [
        {"Origin": "http://elsewhere.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1"},  # another port is another page
        {"Origin": "http://["},
        {"Sec-Fetch-Site": "cross-site"},
    ]
    cookie = {"Cookie": signed(at.app, "her phone")}
    for rule in rules(at.app, "POST"):
        for headers in foreign:
            status = asked(at.port, "POST", rule.rule, b"me=Anna", headers | cookie)
            assert status == 403, (rule.rule, headers)
    assert asked(at.port, "DELETE", "/bid", b"", foreign[0] | cookie) == 403
    assert at.table.state is before


def test_no_page_has_anything_inline_or_from_elsewhere(tmp_path: Path) -> None:
    with demo(tmp_path) as parts:
        client = parts.app.test_client()
        for rule in rules(parts.app, "GET"):
            if rule.arguments or rule.endpoint.endswith("events"):
                continue
            answer = client.get(rule.rule, headers={"Accept-Language": "de"})
            assert "default-src 'none'" in answer.headers["Content-Security-Policy"], rule
            assert "unsafe" not in answer.headers["Content-Security-Policy"], rule
            if answer.mimetype == "text/html":
                assert not re.search(r"<script(?![^>]*\bsrc=)|\sstyle=|<style|\son\w+=", answer.text), rule
                assert not re.search(r'(?:src|href|action)="(?:\w+:)?//', answer.text), rule


def test_every_cookie_is_for_the_server_alone(strict: tuple[House, Phones]) -> None:
    at, _ = strict
    for path, form in (("/language", {"language": "de"}), ("/door/sit", {"seat": "Anna"})):
        given = at.app.test_client().post(path, data=form).headers.getlist("Set-Cookie")
        assert given, path
        assert all("HttpOnly" in cookie and "SameSite=Lax" in cookie for cookie in given), given
