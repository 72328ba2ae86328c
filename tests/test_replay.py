"""`corona replay`: its answers line by line, and that nothing a file may hold makes it stumble."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.cli import main
from companion.games.corona import script
from companion.replay import Replay, standing

DOCUMENT = Path(__file__).parent.parent / "docs" / "replay.md"
START: dict[str, Any] = {
    "do": "start",
    "edition": "fr",
    "seats": ["North", "East", "South"],
    "first": "North",
    "colours": ["red", "blue", "green", "yellow", "white", "black"],
    "hourglass": 60,
    "ending": {"rounds": 10},
}
LAY = {"do": "lay", "situation": "500000100000-666666"}
TURN = {"do": "turn", "at": 0.0}
BID = {"do": "bid", "seat": "East", "points": 8, "at": 12.3}
SAND = {"do": "sand", "at": 60.0}
AUCTION = [START, LAY, TURN, BID, SAND]


def replay(path: Path, *lines: object) -> list[dict[str, Any]]:
    """What `corona replay --json` answers to a file of these lines; texts stand as they are."""
    texts = (line if isinstance(line, str) else json.dumps(line) for line in lines)
    path.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    return answers(run(path, "--json"))


def run(path: Path | str, *options: str, given: bytes | None = None) -> Result:
    done = CliRunner().invoke(main, ["replay", str(path), *options], input=given, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done


def answers(done: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "game.jsonl"


# The contract


def test_a_round_of_calls_and_moves(path: Path) -> None:
    found = replay(
        path,
        *AUCTION,
        {"do": "bid", "seat": "South", "points": 9, "at": 60.0},
        {"do": "move", "from": "A", "colour": "red"},
        {"do": "move", "from": "A", "colour": "blue"},
        {"do": "move", "from": "G", "colour": "blue"},
        {"do": "done"},
        LAY,
    )
    assert found == [
        {"ok": True, "events": ["game_started"]},
        {"ok": True, "events": ["situation_laid"]},
        {"ok": True, "events": ["hourglass_turned"]},
        {"ok": True, "events": ["bid_made"]},
        {"ok": True, "events": ["sand_ran_out"]},
        {"ok": False, "why": "The sand has run out: calls no longer count."},
        {"ok": True, "events": ["piece_moved"]},
        {"ok": True, "events": ["piece_moved"]},
        {"ok": False, "why": "The blue die has been used already."},
        {"ok": True, "events": ["player_done", "chips_settled", "revealed"]},
        {"ok": True, "events": ["situation_laid"]},
        {
            "chips": {"North": 9, "East": 6, "South": 9},
            "setter": "East",
            "silenced": ["East"],
            "rounds": 1,
            "over": None,
        },
    ]


def test_a_result_stands_instead_of_moves(path: Path) -> None:
    move = {"do": "move", "from": "A", "colour": "red"}
    *_, result, last = replay(path, *AUCTION, move, {"do": "result", "points": 11})
    assert result == {"ok": True, "events": ["result_entered", "chips_settled", "revealed"]}
    assert last["chips"] == {"North": 7, "East": 10, "South": 7}
    assert last["silenced"] == []


def test_done_without_a_move_is_no_point(path: Path) -> None:
    *_, last = replay(path, *AUCTION, {"do": "done"})
    assert last["chips"] == {"North": 9, "East": 6, "South": 9}


@pytest.mark.parametrize(
    ("ending", "reason"), [({"rounds": 1}, "rounds"), ({"minutes": 1}, "minutes"), ({"broke": True}, "broke")]
)
def test_the_end_of_a_game(path: Path, ending: dict[str, Any], reason: str) -> None:
    chips = {"do": "correct", "chips": {"North": 1, "East": 15}}
    result = {"do": "result", "points": 8}
    *_, end, refused, last = replay(
        path, START | {"ending": ending}, chips, LAY, TURN, BID, SAND, result, LAY
    )
    assert end["events"][-1] == "game_over"
    assert refused == {"ok": False, "why": "The game is over: start a new one."}
    assert last["over"] == {"reason": reason, "winners": ["East"]}


def test_winners_stand_in_seat_order(path: Path) -> None:
    start = START | {"ending": {"rounds": 2}}
    second = [
        LAY,
        {"do": "turn", "at": 60.0},
        {"do": "bid", "seat": "North", "points": 3, "at": 61.0},
        {"do": "sand", "at": 120.0},
    ]
    result = {"do": "result", "points": 8}
    *_, last = replay(path, start, *AUCTION[1:], result, *second, result)
    assert last["over"] == {"reason": "rounds", "winners": ["North", "East"]}


def test_an_undo_takes_back_one_command_and_a_refused_one_is_none(path: Path) -> None:
    low = {"do": "bid", "seat": "South", "points": 8, "at": 13.0}
    *_, refused, undone, again, last = replay(path, START, LAY, TURN, BID, low, {"do": "undo"}, low)
    assert not refused["ok"]
    assert undone == {"ok": True, "events": ["undone"]}
    assert again == {"ok": True, "events": ["bid_made"]}
    assert last["rounds"] == 0


def test_a_file_without_a_game(path: Path) -> None:
    nothing = {"chips": {}, "setter": None, "silenced": [], "rounds": 0, "over": None}
    assert replay(path) == [nothing]
    assert replay(path, "", "   ") == [nothing]
    refused = {"ok": False, "why": "No game has been started yet."}
    assert replay(path, LAY, BID) == [refused, refused, nothing]
    assert replay(path, START | {"seats": ["North"]}, LAY)[1:] == [refused, nothing]


def test_the_command_itself(path: Path) -> None:
    """In a process of its own, as others run it."""
    path.write_text("".join(json.dumps(line) + "\n" for line in AUCTION), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "companion", "replay", str(path), "--json"],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
    )
    assert done.stderr == ""
    *events, last = map(json.loads, done.stdout.splitlines())
    assert [answer["ok"] for answer in events] == [True] * 5
    assert list(last) == ["chips", "setter", "silenced", "rounds", "over"]


def test_for_a_person(path: Path) -> None:
    replay(path, START, "", LAY, {"do": "fly"})
    told = run(path).stdout.splitlines()
    assert told[0] == "   1  game_started"
    assert told[1] == "   3  situation_laid"
    assert told[2].startswith("   4  refused: nobody can “fly”")
    assert told[3] == "0 rounds; North 8, East 8, South 8; North sets up"


# Lines that are no commands: one clear sentence each, and nothing changes

WRONG: list[tuple[object, str]] = [
    ("not JSON", "this is not JSON"),
    ('{"do": "lay"', "this is not JSON"),
    ("[" * 100_000, "nested too deeply"),
    ("9" * 10_000, "a number that is far too long"),
    ("[]", "a line is one JSON object"),
    ("null", "a line is one JSON object"),
    ('{"do": {}}', "a line is one JSON object"),
    ({"do": "fly"}, "nobody can “fly”; one can start, throw,"),
    ({"do": "lay"}, "“lay” needs “situation”"),
    ({"do": "lay", "situation": 5}, "“situation” of “lay” is 5, and must be a text"),
    ({"do": "lay", "situation": "5-6"}, "“situation” of “lay”: pieces are given for 1 fields"),
    ({"do": "lay", "situation": "400000100000.000000100000-066666"}, "six pieces that have not moved"),
    ({"do": "lay", "situation": LAY["situation"], "colour": "red"}, "“lay” takes no “colour”"),
    ({"do": "turn"}, "“turn” needs “at”: a number of seconds"),
    ('{"do": "turn", "at": NaN}', "“at” of “turn” is nan"),
    ('{"do": "turn", "at": 1e999}', "“at” of “turn” is inf"),
    ({"do": "turn", "at": "0.0"}, "“at” of “turn” is '0.0'"),
    ({"do": "turn", "at": True}, "“at” of “turn” is true"),
    ({"do": "turn", "at": 10**400}, "“at” of “turn” is 1000"),
    ({"do": "resume", "at": 5}, "The game is not paused"),
    ({"do": "bid", "seat": "East", "points": 8.0, "at": 1}, "“points” of “bid” is 8.0"),
    ({"do": "bid", "seat": "East", "points": 10**12, "at": 1}, "at most nine digits"),
    ({"do": "bid", "seat": ["East"], "points": 8, "at": 1}, "“seat” of “bid” is ['East']"),
    ({"do": "bid", "points": 8, "at": 1}, "“bid” needs “seat”"),
    ({"do": "move", "from": "M", "colour": "red"}, "“from” of “move” is 'M', and must be a field, A to L"),
    ({"do": "move", "from": "A", "colour": "pink"}, "must be one of red, blue,"),
    ({"do": "move", "from": "A", "colour": ["red"]}, "“colour” of “move”"),
    ({"do": "follow"}, "“follow” needs “moves”"),
    ({"do": "follow", "moves": [{"from": "A"}]}, "“moves” of “follow”"),
    ({"do": "follow", "moves": [{"from": "A", "colour": "pink"}]}, "must be one of red, blue,"),
    ({"do": "follow", "moves": []}, "Nobody is playing now"),
    ({"do": "result", "points": -(10**9)}, "“points” of “result”"),
    ({"do": "undo", "steps": "1"}, "“steps” of “undo”"),
    ({"do": "undo", "steps": 999_999_999}, "nothing left to undo"),
    ({"do": "correct", "chips": {"North": "8"}}, "“chips” of “correct”"),
    ({"do": "correct", "chips": {"North": 10**12}}, "“chips” of “correct”"),
    ({"do": "correct", "round": 1, "chips": {"North": 8}}, "leave “round” out"),
    ({"do": "correct", "result": 3, "points": 3}, "“correct” needs one of"),
    ({"do": "start", "seats": "North"}, "“seats” of “start” is 'North'"),
    ({"do": "start", "seats": ["North", 5]}, "“seats” of “start”"),
    (START | {"ending": {"rounds": 1.5}}, "“ending” of “start”"),
    (START | {"ending": {"rounds": True}}, "“ending” of “start”"),
    (START | {"ending": {}}, "“ending” of “start”"),
    (START | {"ending": {"broke": False}}, "“ending” of “start”"),
    (START, "A game is going on already."),
]


@pytest.mark.parametrize(("line", "why"), WRONG, ids=[str(line)[:60] for line, _ in WRONG])
def test_a_line_that_cannot_be(path: Path, line: object, why: str) -> None:
    start, answer, go_on, last = replay(path, START, line, LAY)
    assert (start["ok"], answer["ok"], go_on["ok"]) == (True, False, True)
    assert why in answer["why"]
    assert len(answer["why"]) <= 301
    assert answer["why"].isprintable()
    assert last["chips"] == {"North": 8, "East": 8, "South": 8}


@pytest.mark.parametrize(
    "start",
    [
        START | {"ending": {"minutes": 10**4000}},
        START | {"ending": {"rounds": 0}},
        START | {"hourglass": 10**20},
        START | {"hourglass": 5},
        START | {"seats": ["North", "North"]},
        START | {"seats": ["North", "Ea\nst"]},
        START | {"seats": ["North", "\ud800"]},
        START | {"seats": ["North", "x" * 10_000]},
        START | {"edition": "en"},
        START | {"colours": ["red"] * 6},
        START | {"first": "\ud800"},
        {"do": "start"},
    ],
    ids=lambda start: json.dumps(start)[:60],
)
def test_a_start_that_cannot_be(path: Path, start: dict[str, Any]) -> None:
    refused, good, _ = replay(path, start, START)
    assert (refused["ok"], good["ok"]) == (False, True)


def test_what_is_empty_may_also_be_left_out(path: Path) -> None:
    said = {"first": None, "colours": None, "hourglass": None, "ending": None, "edition": None}
    start, throw, last = replay(
        path, {"do": "start", "seats": ["A", "B"]} | said, {"do": "throw", "seat": None, "pips": 6}
    )
    assert (start["ok"], throw["ok"], last["setter"]) == (True, True, "A")


def test_a_time_may_stand_in_any_line(path: Path) -> None:
    found = replay(path, START | {"at": 0}, LAY | {"at": 3.5}, {"do": "undo", "at": 4})
    assert [answer["ok"] for answer in found[:3]] == [True] * 3


# Files


LINES = "".join(json.dumps(line) + "\n" for line in [*AUCTION, {"do": "join", "seat": "Zoë"}])


@pytest.mark.parametrize(
    "held",
    [
        LINES.encode(),
        LINES.encode().rstrip(),
        LINES.replace("\n", "\n\n").encode(),
        LINES.encode("utf-8-sig"),
        LINES.replace("\n", "\r\n").encode(),
        LINES.replace("\n", "\r").encode(),
        LINES.replace("\\u00eb", "ë").encode(),
    ],
    ids=["plain", "no last end", "blank lines", "byte order mark", "crlf", "cr", "not escaped"],
)
def test_any_ends_of_lines(path: Path, held: bytes) -> None:
    path.write_bytes(held)
    assert answers(run(path, "--json")) == answers(run("-", "--json", given=LINES.encode()))


def test_bytes_that_are_no_text_spoil_their_own_line(path: Path) -> None:
    path.write_bytes(json.dumps(START).encode() + b'\n{"do": "leave", "seat": "Zo\xeb"}\n\x00\xff\n')
    start, latin, binary, _ = answers(run(path, "--json"))
    assert start["ok"]
    assert latin == binary == {"ok": False, "why": "this is no text in UTF-8"}


@settings(max_examples=60, deadline=None)
@given(st.lists(st.binary(max_size=60), max_size=5))
def test_any_bytes_are_answered(lines: list[bytes]) -> None:
    held = b"\n".join(lines).decode("utf-8-sig", "surrogateescape")
    for _, answer in Replay().run(held.split("\n")):
        assert not answer["ok"]
        json.dumps(answer, ensure_ascii=False).encode()


ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(["North", "East", "A", "red", "500000100000-666666", 7, 60.0, 10**400, "\ud800", -1]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)
KEYS = sorted({key for _, keys in script._READ.values() for key in keys})
BEFORE = [[], [START], [START, LAY], AUCTION[:4], AUCTION, [*AUCTION, {"do": "result", "points": 3}]]


@settings(max_examples=200, deadline=None)
@given(
    st.sampled_from(BEFORE),
    st.sampled_from(script.COMMANDS),
    st.dictionaries(st.sampled_from(KEYS), ANYTHING),
)
def test_any_values_are_answered(before: list[dict[str, Any]], do: str, said: dict[str, Any]) -> None:
    replay = Replay()
    assert all(answer["ok"] for _, answer in replay.run(map(json.dumps, before)))
    stood = replay.state
    ((_, answer),) = replay.run([json.dumps({"do": do, **said})])
    if not answer["ok"]:
        assert replay.state is stood
        json.dumps(answer, ensure_ascii=False).encode()
    json.dumps(standing(replay.state), ensure_ascii=False).encode()


@pytest.mark.parametrize("missing", [True, False])
def test_a_file_that_cannot_be_read(tmp_path: Path, missing: bool) -> None:
    path = tmp_path / "none.jsonl" if missing else tmp_path
    done = CliRunner().invoke(main, ["replay", str(path), "--json"], catch_exceptions=False)
    assert done.exit_code == 1
    assert done.stdout == ""
    assert re.fullmatch(rf"{re.escape(str(path))}: [A-Z][a-z ]+\.\n", done.stderr)


# The document


def test_every_command_is_documented() -> None:
    blocks = re.findall(
        r"^```json\n(.*?)^```", DOCUMENT.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    )
    shown = [json.loads(line) for block in blocks for line in block.splitlines()]
    for line in shown:
        script.command(line, START["colours"])
    assert {line["do"] for line in shown} == set(script.COMMANDS)
    for do, (_, keys) in script._READ.items():
        used = {key for line in shown if line["do"] == do for key in line}
        assert used >= set(keys), f"no example shows every key of {do}"
