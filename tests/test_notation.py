"""A situation as one line of text, there and back, and what is said of a line that is none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.corona import notation
from companion.games.corona.rules import BadSituation, Situation, legal_moves, play

letters = st.text(alphabet="0123456789.-x ", max_size=40)


@st.composite
def situations(draw: st.DrawFn) -> Situation:
    """Any situation that can come up, at the start or in mid-play."""
    fields = draw(st.lists(st.integers(0, 11), min_size=6, max_size=6))
    dice = draw(st.lists(st.integers(1, 6), min_size=6, max_size=6))
    situation = Situation(tuple(fields.count(field) for field in range(12)), tuple(dice))
    for _ in range(draw(st.integers(0, 6))):
        situation = play(situation, draw(st.sampled_from(list(legal_moves(situation)))))
    return situation


@given(situations())
def test_the_way_there_and_back(situation: Situation) -> None:
    line = notation.write(situation)
    assert notation.read(line) == situation
    assert notation.read(f"  {line}\n") == situation


@given(letters)
def test_any_text_is_a_situation_or_is_refused_as_one(text: str) -> None:
    try:
        situation = notation.read(text)
    except BadSituation as bad:
        assert bad.faults
    else:
        assert notation.read(notation.write(situation)) == situation


def test_the_lines_of_the_design() -> None:
    start = Situation((5, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0), (6,) * 6)
    assert notation.write(start) == "500000100000-666666"
    (move, *_) = legal_moves(start)
    assert notation.write(play(start, move)) == "400000100000.000000100000-066666"


@pytest.mark.parametrize(
    ("line", "faults"),
    [
        ("700000000000-120456", ["7 pieces instead of 6", "die 3 shows 0"]),
        (
            "11111100000-12345",
            ["pieces are given for 11 fields instead of 12", "5 dice instead of 6"],
        ),
        (
            "60000000000x-12345y",
            ["the pieces hold 'x', which is no digit", "the dice hold 'y', which is no digit"],
        ),
        ("500000000000.100000000000-123456", ["1 moved piece but 0 used dice"]),
        ("600000000000-023456", ["die 1 shows 0"]),
        ("hello", ["'hello' is not <12 digits>-<6 digits>"]),
        ("", ["'' is not <12 digits>-<6 digits>"]),
        ("٦00000000000-123456", ["the pieces hold '٦', which is no digit"]),
    ],
)
def test_every_fault_of_a_line_at_once(line: str, faults: list[str]) -> None:
    with pytest.raises(BadSituation) as caught:
        notation.read(line)
    assert caught.value.faults == faults
    assert str(caught.value) == "; ".join(faults)
