"""`corona export` and `corona games` on a real log, with the table as its writer."""

from __future__ import annotations

import csv
import difflib
import io
import json
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.export import Exported
from companion.games.corona import commands, game, notation
from companion.games.corona.commands import Command
from companion.games.corona.events import Ending, Event
from companion.games.corona.state import State
from companion.replay import Replay
from companion.store import LOG, SCHEMA, Stamp, Store
from companion.table import Table

ACCOUNT = Path(__file__).parent / "golden" / "account.txt"
EASY, OTHER, THIRD = map(notation.read, ("500000100000-666666", "111111000000-123456", "210021000000-112244"))


class Evenings:
    """Games at a table with a clock that is pushed on, five seconds for each command."""

    boot = "one"

    def __init__(self, path: Path) -> None:
        self.reading = 0.0
        self.store = Store(path)
        self.table: Table[State, Command, Event] = Table(self.store, self, game)

    def read(self) -> float:
        return self.reading

    def wall(self) -> str:
        return (datetime(2026, 11, 21, 20, tzinfo=UTC) + timedelta(seconds=self.reading)).isoformat()

    def do(self, *asked: Command) -> None:
        for command in asked:
            self.reading += 5
            outcome = self.table.ask(command)
            assert outcome.ok, outcome.refused

    def auction(self, situation: Any, *calls: tuple[str, int]) -> None:
        self.do(commands.Lay(situation))
        self.do(commands.Turn(self.table.now() + 5))
        for seat, points in calls:
            self.do(commands.Bid(seat, points, self.table.now() + 5))
        self.sand()

    def sand(self) -> None:
        """Time passes, and the table notices with the next thing that is asked of it."""
        self.reading += self.table.state.hourglass + 1
        assert not self.table.ask(commands.Bid("Nobody", 1, 0.0)).ok

    def close(self) -> None:
        self.table.close()
        self.store.close()


def first_game(evenings: Evenings) -> None:
    """A game with nearly everything that can happen in one."""
    do, auction, now = evenings.do, evenings.auction, evenings.table.now
    do(commands.Start(("Anna", "Björn", "Cleo"), None, ending=Ending("rounds", 6)))
    do(*(commands.Throw(None, pips) for pips in (3, 5, 2, 4, 6)))
    auction(EASY, ("Anna", 8), ("Cleo", 9))
    do(commands.Mark(0, 0), commands.Mark(1, 0), commands.Mark(2, 0), commands.Touch(0, 0))
    do(commands.Step(0, 0), commands.Step(0, 1), commands.Step(0, 2), commands.Done(now() + 5))
    auction(OTHER)
    auction(OTHER, ("Cleo", 7))
    do(commands.Step(0, 0), commands.Step(1, 3), commands.Undo(by="Anna"), commands.Step(1, 2))
    do(commands.Result(4), commands.Undo(by="Anna"), commands.Result(8))
    do(commands.Join("Dora", "Anna"))
    auction(THIRD, ("Dora", 5), ("Anna", 6))
    do(commands.Done(), commands.CorrectResult(6, by="Björn"), commands.CorrectBid("Dora", 7, 3))
    do(commands.CorrectReading(EASY, by="Anna"), commands.Pause(now() + 5))
    evenings.reading += 3 * 86400
    do(commands.Leave("Björn"), commands.Resume(now() + 5))
    do(commands.Lay(THIRD), commands.Lay(EASY), commands.Turn(now() + 15))
    do(commands.Bid("Anna", 5, now() + 5), commands.Cancel(now() + 5), commands.Turn(now() + 10))
    do(commands.Cancel(now() + 5, lost=True), commands.Turn(now() + 10), commands.Press("Anna", now() + 15))
    evenings.sand()
    do(commands.Result(21))
    chips = evenings.table.state.chips
    do(commands.CorrectChips((("Anna", chips[0] + chips[1]), ("Dora", 0)), by="Cleo"))
    do(commands.Join("Björn"))
    auction(THIRD, ("Dora", 1))
    do(commands.Done())
    auction(OTHER, ("Cleo", 2))
    do(commands.Result(21), commands.CorrectResult(1), commands.Undo(2))
    do(commands.Result(2))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a log with three games: one over, one paused in mid-play, one just begun."""
    made = tmp_path_factory.mktemp("data")
    evenings = Evenings(made / LOG)
    first_game(evenings)
    two = commands.Start(
        ("Anna", "Björn"), "Anna", edition="de", hourglass=90, ending=Ending("minutes", 1), opening=5
    )
    evenings.do(two)
    evenings.auction(EASY, ("Anna", 3))
    evenings.do(commands.Step(0, 0), commands.Pause(evenings.table.now() + 5))
    evenings.do(commands.Start(("Anna", "Björn"), "Anna", edition="de", ending=Ending("broke", None)))
    evenings.close()
    return made


@pytest.fixture(autouse=True)
def in_greenwich(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Times are told as they are there."""
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


def corona(*words: object, exit_code: int = 0) -> tuple[list[str], str]:
    """The lines that the command prints, and what it says beside them."""
    done = CliRunner().invoke(main, [str(word) for word in words], catch_exceptions=False)
    assert done.exit_code == exit_code, done.output
    return done.stdout.splitlines(), done.stderr


def exported(folder: Path, number: int, form: str) -> list[str]:
    return corona("export", number, "--data", folder, "--format", form)[0]


def stored(folder: Path, number: int) -> State:
    store = Store(folder / LOG, reading=True)
    try:
        return Exported(store, number).state
    finally:
        store.close()


# Forms


def test_the_account_reads_like_the_evening(folder: Path) -> None:
    told = [line for number in (1, 2, 3) for line in [*exported(folder, number, "text"), "~"]]
    wanted = ACCOUNT.read_text(encoding="utf-8").splitlines()
    if told != wanted:
        pytest.fail("\n".join(["", *difflib.unified_diff(wanted, told, lineterm="", n=3)]), pytrace=False)


@pytest.mark.parametrize("number", [1, 2, 3])
def test_the_commands_play_the_same_game(folder: Path, number: int) -> None:
    replay = Replay()
    answers = [answer for _, answer in replay.run(exported(folder, number, "commands"))]
    assert [answer for answer in answers if not answer["ok"]] == []
    assert replay.state == stored(folder, number)


def test_everything_as_json(folder: Path) -> None:
    known = json.loads("\n".join(exported(folder, 1, "json")))
    state = stored(folder, 1)
    assert known["game"] == 1
    assert known["begun"] == "2026-11-21T20:00:05+00:00"
    assert known["agreed"]["ending"] == {"rounds": 6}
    assert known["chips"] == dict(zip(state.seats, state.chips, strict=True))
    assert state.over is not None
    assert known["over"] == {"reason": "rounds", "winners": list(state.over.winners)}
    assert [one["round"] for one in known["rounds"]] == [1, 2, 3, 4, 5, 6]
    assert known["rounds"][-1]["chips"] == known["chips"]
    assert [one["best_was_known"] for one in known["rounds"]] == [False, True, False, False, False, True]
    first, second, third, *_ = known["rounds"]
    assert first["moves"][0] == {"from": "A", "to": "G", "colour": "red", "pips": 6, "points": 2}
    assert (first["player"], first["bid"], first["reached"], first["won"]) == ("Cleo", 9, 9, True)
    assert (second["reached"], second["entered"]) == (8, True)
    assert (third["player"], third["reached"], third["situation"]) == ("Dora", 6, "500000100000-666666")
    assert third["paid"][0] == {"from": "Dora", "to": "Björn", "chips": 1}
    begin, *_, end = known["events"]
    assert (begin["seq"], begin["event"], begin["at"]) == (1, "game_started", 0.0)
    assert (end["event"], end["reason"]) == ("game_over", "rounds")
    corrections = [one for one in known["events"] if one["event"] == "result_corrected"]
    assert (corrections[0]["by"], corrections[0]["wall"][:16]) == ("Björn", "2026-11-21T20:07")


def test_a_game_that_goes_on_as_json(folder: Path) -> None:
    known = json.loads("\n".join(exported(folder, 3, "json")))
    assert (known["rounds"], known["over"], known["setter"]) == ([], None, "Anna")
    assert not any("best" in one for one in known["events"])


def test_a_row_a_round(folder: Path) -> None:
    rows = list(csv.DictReader(io.StringIO("\n".join(exported(folder, 1, "csv")))))
    assert [row["round"] for row in rows] == ["1", "2", "3", "4", "5", "6"]
    assert rows[0] == {
        "round": "1",
        "setter": "Björn",
        "situation": "500000100000-666666",
        "player": "Cleo",
        "bid": "9",
        "reached": "9",
        "won": "yes",
        "best": "21",
        "best_was_known": "no",
        **{"Anna": "7", "Björn": "7", "Cleo": "10", "Dora": ""},
    }
    assert list(csv.DictReader(io.StringIO("\n".join(exported(folder, 3, "csv"))))) == []


# Games


def test_the_games_of_the_log(folder: Path) -> None:
    lines, said = corona("games", "--data", folder)
    assert said == ""
    assert [line.split("  ")[1] for line in map(str.strip, lines)] == [
        "2026-11-21 20:00",
        *[line[6:22] for line in lines[1:]],
    ]
    assert "6 rounds" in lines[0] and "won;" in lines[0]
    assert "0 rounds    paused; Anna 6, Björn 6" in lines[1]
    assert "goes on" in lines[2]
    known = [json.loads(line) for line in corona("games", "--json", "--data", folder)[0]]
    assert [(one["game"], one["rounds"], one["paused"]) for one in known] == [
        (1, 6, False),
        (2, 0, True),
        (3, 0, False),
    ]
    assert known[0]["over"]["reason"] == "rounds"


def test_the_log_of_the_virtual_table(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "demo.sqlite").write_bytes((folder / LOG).read_bytes())
    assert len(corona("games", "--demo", "--data", tmp_path)[0]) == 3
    corona("games", "--data", tmp_path, exit_code=1)


# What cannot be told


def test_a_game_that_is_not_there(folder: Path) -> None:
    for number in (0, 4, 10**30):
        _, said = corona("export", number, "--data", folder, exit_code=1)
        assert said == f"There is no game {number}: the log has games 1 to 3.\n"


def test_a_log_that_is_not_there(tmp_path: Path) -> None:
    for words in (("games",), ("export", 1)):
        _, said = corona(*words, "--data", tmp_path / "none", exit_code=1)
        assert said == f"There is no log in {tmp_path / 'none'}: name the folder with --data.\n"
        assert not (tmp_path / "none").exists()


def test_a_log_without_a_game(tmp_path: Path) -> None:
    Store(tmp_path / LOG).close()
    assert corona("games", "--data", tmp_path) == ([], "")
    assert corona("export", 1, "--data", tmp_path, exit_code=1)[1].endswith("the log has no game yet.\n")


@pytest.mark.parametrize("held", [b"", b"a shopping list, " * 500])
def test_what_is_no_log(tmp_path: Path, held: bytes) -> None:
    (tmp_path / LOG).write_bytes(held)
    for words in (("games",), ("export", 1)):
        lines, said = corona(*words, "--data", tmp_path, exit_code=1)
        assert lines == []
        assert said.count("\n") == 1
        assert "is no log of Corona" in said or "is damaged (file is not a database)" in said
    assert (tmp_path / LOG).read_bytes() == held


def copied(folder: Path, to: Path, *statements: str) -> Path:
    """A copy of the log, changed as only a fault can change it."""
    (to / LOG).write_bytes((folder / LOG).read_bytes())
    db = sqlite3.connect(to / LOG)
    for statement in statements:
        db.execute(statement)
    db.commit()
    db.close()
    return to


@pytest.mark.parametrize(
    ("damage", "why"),
    [
        ("UPDATE events SET data = '{\"colo' WHERE game = 2 AND seq = 5", "event 5 of game 2"),
        ("UPDATE events SET data = '{}' WHERE game = 2 AND seq = 5", "“sand_ran_out” is damaged"),
        ("UPDATE events SET event = 'sang' WHERE game = 2 AND seq = 5", "no event “sang” in this version"),
        ("DELETE FROM events WHERE game = 2 AND seq = 2", "event 2 of game 2 is missing"),
        ("DELETE FROM events WHERE game = 2 AND seq = 1", "event 1 of game 2 is missing"),
    ],
)
def test_a_damaged_game_is_named_and_the_others_are_told(
    folder: Path, tmp_path: Path, damage: str, why: str
) -> None:
    data = copied(folder, tmp_path, damage)
    lines, said = corona("games", "--data", data, exit_code=1)
    assert [line[:4].strip() for line in lines] == ["1", "3"]
    assert why in said
    assert said.count("\n") == 1
    assert corona("export", 2, "--data", data, exit_code=1) == ([], said)
    assert corona("export", 1, "--data", data) == corona("export", 1, "--data", folder)


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE events SET event = 'player_done', data = '{\"points\": 1, \"at\": 1.0}' WHERE game = 3",
        "INSERT INTO events VALUES (3, 2, 0, 'undone', '{\"steps\": 9, \"by\": null}', '', NULL, 0)",
        "INSERT INTO events VALUES (3, 2, 0, 'seat_left', '{\"seat\": \"Zoë\"}', '', NULL, 0)",
        "INSERT INTO events VALUES (3, 2, 0, 'chips_settled',"
        ' \'{"paid": [], "silenced": null, "setter": "Anna"}\', \'\', NULL, 0)',
        "INSERT INTO events VALUES (3, 2, 0, 'result_corrected',"
        ' \'{"round": 4, "points": 3, "by": null}\', \'\', NULL, 0)',
    ],
)
def test_events_that_no_game_can_have_are_no_traceback(folder: Path, tmp_path: Path, change: str) -> None:
    data = copied(folder, tmp_path, change)
    for form in ("text", "json", "csv", "commands"):
        done = CliRunner().invoke(main, ["export", "3", "--data", str(data), "--format", form])
        assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
        assert done.exit_code == 0 or done.stderr.startswith("The log ")


def test_a_newer_log(folder: Path, tmp_path: Path) -> None:
    data = copied(folder, tmp_path, f"PRAGMA user_version = {SCHEMA + 1}")
    for words in (("games",), ("export", 1)):
        lines, said = corona(*words, "--data", data, exit_code=1)
        assert lines == []
        assert "was written by a newer Corona" in said


def test_while_another_program_writes(tmp_path: Path) -> None:
    evenings = Evenings(tmp_path / LOG)
    try:
        evenings.do(commands.Start(("Anna", "Björn"), "Anna"), commands.Lay(EASY))
        words = [sys.executable, "-m", "companion", "export", "1", "--format", "commands", "--data"]
        for written in (2, 3):
            done = subprocess.run([*words, str(tmp_path)], capture_output=True, text=True, check=True)
            assert len(done.stdout.splitlines()) == written
            evenings.do(commands.Lay(OTHER))
        assert evenings.table.state.situation == OTHER
    finally:
        evenings.close()


# Games of version 0.1


def old(events: Sequence[tuple[str, dict[str, Any]]], path: Path) -> None:
    store = Store(path)
    for seq, event in enumerate(events, start=1):
        store.append(1, seq, [event], Stamp(0.0, None, 0.0, "2024-05-01T20:00:00.000+00:00"))
    store.close()


OLD: list[tuple[str, dict[str, Any]]] = [
    (
        "game_started",
        {
            "seats": ["Anna", "Björn"],
            "first": "Anna",
            "edition": "fr",
            "colours": ["red", "blue", "green", "yellow", "white", "black"],
            "hourglass": 60,
            "ending": {"minutes": 3},
            "chips": 6,
        },
    ),
    ("situation_laid", {"situation": "500000100000-666666"}),
    ("hourglass_turned", {"at": 5.0}),
    ("bid_made", {"seat": "Björn", "points": 7, "at": 9.5}),
    ("sand_ran_out", {"at": 65.0}),
    ("result_entered", {"points": 6, "at": 80.0}),
    (
        "chips_settled",
        {"paid": [{"from": "Björn", "to": "Anna", "chips": 1}], "silenced": "Björn", "setter": "Björn"},
    ),
    ("revealed", {"situation": "500000100000-666666", "best": 21, "moves": []}),  # not the whole line
    ("game_over", {"reason": "minutes", "winners": ["Anna"]}),
]


def test_a_game_of_an_older_version(tmp_path: Path) -> None:
    """Its events have fewer fields, and the end of the time was told by the end of the game alone."""
    old(OLD, tmp_path / LOG)
    told = exported(tmp_path, 1, "text")
    assert told[1] == "French edition, hourglass 60 s, 3 minutes."
    assert "  Björn reaches 6 of the 7 called (as told) and gives a chip to Anna." in told
    assert told[-1] == "The time agreed on is over. Anna wins. Chips: Anna 7, Björn 5."
    lines = exported(tmp_path, 1, "commands")
    assert json.loads(lines[-1]) == {"do": "time_up", "at": 180.0}
    replay = Replay()
    assert all(answer["ok"] for _, answer in replay.run(lines))
    assert replace(replay.state, revealed=None) == replace(stored(tmp_path, 1), revealed=None)
    undone = game.evolve(replay.state, game.decide(replay.state, commands.Undo())[0])
    assert (undone.phase, undone.settled) == ("reveal", 1)
