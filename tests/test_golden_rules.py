"""Each rule as a small game under golden/rules/, with the rulebook's section or the decision it proves.

A file says first, in lines after `#`, which editions it holds for, where the rule stands (a section of a
rulebook, a row of the table of decisions, or what this house adds), and what it is. Then each command stands
after `>`, as in a file for `corona replay`, and below it what happened or why it was refused. `=` shows how
the game stands; `---` begins another one. EDITION stands for each edition that the file names.
"""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.games.corona import game, script
from companion.games.corona.event_json import to_json
from companion.games.corona.events import Event
from companion.games.corona.refused import Refused
from companion.replay import standing

RULES = sorted((Path(__file__).parent / "golden" / "rules").glob("*.txt"))
PLACE = re.compile(r"^# (fr|de|decision|house): “([^”]+)”", re.MULTILINE)


def editions(text: str) -> list[str]:
    """The editions that the first line of a file names."""
    named = re.match(r"# editions?: (.+)\n", text)
    assert named, "the first line names the editions"
    return named.group(1).split(" and ")


@pytest.mark.parametrize(
    ("path", "edition"),
    [
        pytest.param(path, edition, id=f"{path.stem}-{edition}")
        for path in RULES
        for edition in editions(path.read_text(encoding="utf-8"))
    ],
)
def test_rule(path: Path, edition: str) -> None:
    written = path.read_text(encoding="utf-8").replace("EDITION", edition).splitlines()
    played = list(transcript(written))
    diff = difflib.unified_diff(written, played, f"{path.name} says", f"{edition} plays", lineterm="", n=4)
    if played != written:
        pytest.fail("\n".join(["", *diff]), pytrace=False)


SECTIONS = {
    "fr": "Préparatifs, Comment on monte une partie, Compte des points, Enchères, Déroulement,"
    " Série de parties, Fin du jeu",
    "de": "Vorbereitung, Spielbeginn, Punktwertung, Abgabe der Gebote, Ausspielung, Spielende",
}
"""The sections of the rulebooks that hold rules."""


@pytest.mark.parametrize("book", SECTIONS)
def test_every_section_of_the_rulebooks_is_proved(book: str) -> None:
    found = {place for path in RULES for place in PLACE.findall(path.read_text(encoding="utf-8"))}
    assert {name for of, name in found if of == book} >= set(SECTIONS[book].split(", "))


@pytest.mark.parametrize("path", RULES, ids=lambda path: path.stem)
def test_a_rule_names_its_source(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert set(editions(text)) <= {"fr", "de"}
    assert PLACE.search(text), "no rulebook's section and no row of the decisions is named"
    for edition in editions(text):
        assert f'"edition": "{edition}"' in text.replace("EDITION", edition)
    assert text.splitlines()[-1].startswith("= "), "the last line says how the game stands"


def transcript(written: list[str]) -> Iterator[str]:
    """The file as this program plays it: comments and commands as they are, every answer anew."""
    state = game.new()
    for line in written:
        if line.startswith("> "):
            yield line
            try:
                events = game.decide(state, script.command(json.loads(line[2:]), state.colours))
            except (Refused, script.BadLine) as fault:
                yield f"  refused: {fault}"
                continue
            for event in events:
                state = game.evolve(state, event)
                yield f"  {told(event)}"
        elif line.startswith("="):
            yield f"= {json.dumps(standing(state), ensure_ascii=False)}"
        elif not line.startswith("  "):
            if line == "---":
                state = game.new()
            yield line


def told(event: Event) -> str:
    """The name of an event, and what a rule may be about."""
    name, data = to_json(event)
    match name:
        case "piece_moved":
            move = data["move"]
            return f"{name}: {move['from']} to {move['to']}, points {move['points']}"
        case "player_done" | "result_entered" | "bid_made":
            return f"{name}: points {data['points']}"
        case "chips_settled" | "settled_anew":
            paid = ", ".join(f"{one['from']} to {one['to']}" for one in data["paid"])
            return f"{name}: {paid or 'nobody pays'}"
        case "revealed":
            return f"{name}: best {data['best']}"
        case "game_over":
            return f"{name}: {data['reason']}, {' and '.join(data['winners'])}"
    return name
