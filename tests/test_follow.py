"""`corona follow`: a round that was photographed, and what its photos say of it."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from calibration.files import read_photo
from calibration.store import save
from companion.cli import main
from companion.evaluate import learn
from companion.followed import NoRound, as_look, photos_in
from vision.read import read

ROUND = Path(__file__).parent / "round"
"""A rendered play. In its fifth photo a hand is over the board."""
MOVES = [
    ("C", "D", "red", 1, 0),
    ("A", "D", "blue", 3, 2),
    ("G", "L", "white", 5, 0),
    ("A", "F", "green", 5, 0),
]


@pytest.fixture(scope="module")
def profile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("set") / "profile.json"
    save(learn(ROUND), file)
    return file


def followed(folder: Path, profile: Path, *words: str) -> Result:
    return CliRunner().invoke(main, ["follow", str(folder), "--profile", str(profile), *words])


def copied(folder: Path, *names: str) -> Path:
    """Some of the round's photos, in a folder of their own."""
    folder.mkdir(exist_ok=True)
    for name in names:
        shutil.copy(ROUND / "frames" / name, folder / name)
    return folder


def answer(run: Result) -> dict[str, Any]:
    (line,) = run.stdout.splitlines()
    told: dict[str, Any] = json.loads(line)
    return told


def doubts(told: dict[str, Any]) -> dict[str, str]:
    return {doubt["what"]: doubt["why"] for doubt in told["doubts"]}


def as_moves(told: dict[str, Any]) -> list[tuple[str, str, str, int, int]]:
    return [(*(move[key] for key in ("from", "to", "colour", "pips", "points")),) for move in told["moves"]]


def test_a_round_in_photos_is_told_as_the_contract_has_it(profile: Path) -> None:
    run = followed(ROUND, profile, "--json")
    assert run.exit_code == 0 and run.stderr == ""
    told = answer(run)
    assert list(told) == ["situation", "moves", "points", "doubts"]
    assert told["situation"] == "201000210000-145365"
    assert as_moves(told) == MOVES
    assert told["points"] == 2
    assert told["doubts"] == []


def test_and_to_a_person(profile: Path) -> None:
    assert followed(ROUND / "frames", profile).stdout == (
        "201000210000-145365  4 moves, 2 points\n"
        "  1. C -> D  red    1    -    0\n"
        "  2. A -> D  blue   3    2    2\n"
        "  3. G -> L  white  5    -    2\n"
        "  4. A -> F  green  5    -    2\n"
    )


def test_photos_that_nobody_took_are_bridged(profile: Path, tmp_path: Path) -> None:
    told = answer(followed(copied(tmp_path, "002.jpg", "004.jpg", "007.jpg"), profile, "--json"))
    assert sorted(move[:4] for move in as_moves(told)) == sorted(move[:4] for move in MOVES)
    assert told["points"] == 2  # in either order
    assert told["doubts"] == []


def test_what_came_after_the_last_one_that_is_read_is_in_doubt(profile: Path, tmp_path: Path) -> None:
    told = answer(followed(copied(tmp_path, "001.jpg", "002.jpg", "003.jpg", "005.jpg"), profile, "--json"))
    assert as_moves(told) == MOVES[:1]
    why = doubts(told)["photo 005.jpg"]
    assert why.startswith("not seen whether anything was moved after 003.jpg")
    assert "hand" in why


def test_what_follows_from_no_move_is_in_doubt(profile: Path, tmp_path: Path) -> None:
    """G went to L by 5, and is taken back: no piece goes counter-clockwise."""
    folder = copied(tmp_path, "001.jpg", "002.jpg", "006.jpg")
    shutil.copy(ROUND / "frames" / "004.jpg", folder / "008.jpg")
    told = answer(followed(folder, profile, "--json"))
    assert doubts(told)["photo 006.jpg"] == "what it shows fits no play with the others"


def test_more_pieces_than_there_are_say_nothing_of_a_field() -> None:
    reading = read(read_photo(ROUND / "frames" / "002.jpg"), learn(ROUND))
    assert reading.counts and reading.may_be
    seven = replace(reading, counts=(7, *reading.counts[1:]))
    seven = replace(seven, may_be=replace(reading.may_be, counts=((7, 8), *reading.may_be.counts[1:])))
    seen = as_look(seven, tuple(reading.dice)).counts
    assert set(seen[0]) == {1 / 7} and seen[2].argmax() == 1


def test_a_situation_alone_is_a_play_without_moves(profile: Path, tmp_path: Path) -> None:
    run = followed(copied(tmp_path, "002.jpg"), profile)
    assert run.stdout == "201000210000-145365  nothing was moved, 0 points\n"


def test_where_nothing_is_seen_there_is_no_situation(profile: Path, tmp_path: Path) -> None:
    folder = copied(tmp_path, "005.jpg")
    told = answer(followed(folder, profile, "--json"))
    assert (told["situation"], told["moves"], told["points"]) == (None, [], None)
    assert doubts(told) == {"situation": "no photo shows all six pieces and the dice clearly"}
    assert followed(folder, profile).stdout.startswith("no situation\n  in doubt: situation: no photo shows")


def test_an_empty_board_is_no_situation(profile: Path, tmp_path: Path) -> None:
    shutil.copy(ROUND / "empty.jpg", tmp_path / "001.jpg")
    told = answer(followed(tmp_path, profile, "--json"))
    assert told["situation"] is None and doubts(told)


def test_before_and_after_a_round_the_board_may_be_empty(profile: Path, tmp_path: Path) -> None:
    folder = copied(tmp_path, "001.jpg", "002.jpg", "003.jpg")
    for name in ("000.jpg", "009.jpg"):
        shutil.copy(ROUND / "empty.jpg", folder / name)
    told = answer(followed(folder, profile, "--json"))
    assert as_moves(told) == MOVES[:1]
    assert list(doubts(told)) == ["photo 009.jpg"]
    assert "0 of 6 pieces" in doubts(told)["photo 009.jpg"]


def test_what_is_no_picture_is_said_and_the_others_are_followed(profile: Path, tmp_path: Path) -> None:
    folder = copied(tmp_path, "002.jpg", "003.jpg")
    (folder / "0025.jpg").write_bytes(b"no picture")
    run = followed(folder, profile, "--json")
    assert run.exit_code == 1
    assert as_moves(answer(run)) == MOVES[:1]
    assert "0025.jpg" in run.stderr and len(run.stderr.splitlines()) == 1
    assert doubts(answer(run)) == {"photo 0025.jpg": "it cannot be opened"}


def test_what_came_before_the_first_one_that_is_read_is_in_doubt(profile: Path, tmp_path: Path) -> None:
    """A hand is over the board, then a move has been made: a piece that is marked already is no proof."""
    folder = copied(tmp_path, "003.jpg", "004.jpg")
    shutil.copy(ROUND / "frames" / "005.jpg", folder / "001.jpg")
    told = answer(followed(folder, profile, "--json"))
    assert as_moves(told) == MOVES[1:2]
    assert doubts(told) == {"photo 001.jpg": "not seen whether anything was moved before the next one"}
    shutil.copy(ROUND / "frames" / "001.jpg", folder / "002.jpg")
    told = answer(followed(folder, profile, "--json"))
    assert (as_moves(told), told["doubts"]) == (MOVES[:2], [])


def test_photos_come_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    for name in (
        "10.jpg",
        "9.jpg",
        "1.PNG",
        "empty.jpg",
        "dice.jpg",
        "notes.txt",
        "b2.webp",
        "b.webp",
        "._b.jpg",
    ):
        (tmp_path / name).touch()
    assert [photo.name for photo in photos_in(tmp_path)] == ["1.PNG", "9.jpg", "10.jpg", "b.webp", "b2.webp"]


@pytest.mark.parametrize(
    ("name", "why"),
    [("nowhere", "No such"), ("file", "is a file"), ("bare", "no photo"), ("x" * 300, "File name too long")],
)
def test_what_is_no_round_is_said_in_one_sentence(tmp_path: Path, profile: Path, name: str, why: str) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "bare").mkdir()
    with pytest.raises(NoRound, match=why):
        photos_in(tmp_path / name)
    run = followed(tmp_path / name, profile)
    assert run.exit_code == 1 and run.stdout == "" and len(run.stderr.splitlines()) == 1


def test_a_broken_profile_is_said_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "profile.json").write_text("{")
    run = followed(ROUND, tmp_path / "profile.json")
    assert run.exit_code == 1 and len(run.stderr.splitlines()) == 1
