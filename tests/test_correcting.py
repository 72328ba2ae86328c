"""Undo and corrections where they meet something else: markers, comings and goings, endings, reveals."""

from __future__ import annotations

import pytest

from companion.games.corona import game, notation
from companion.games.corona.commands import (
    Bid,
    Command,
    CorrectBid,
    CorrectChips,
    CorrectReading,
    CorrectResult,
    Done,
    Join,
    Lay,
    Leave,
    Mark,
    Result,
    Sand,
    Start,
    Step,
    Touch,
    Turn,
    Undo,
)
from companion.games.corona.events import Ending, GameOver
from companion.games.corona.refused import Refused
from companion.games.corona.rules import Situation

EASY, OTHER, THIRD = map(notation.read, ("500000100000-666666", "111111000000-123456", "210021000000-112244"))
RED, BLUE, GREEN, *_ = range(6)
A, B, C, D, E, F, G, *_ = range(12)


class Evening:
    """A game of three that goes on, a round every hundred seconds."""

    def __init__(self, ending: Ending | None = None) -> None:
        self.state = game.new()
        self.do(Start(("North", "East", "South"), "North", ending=ending or Ending("rounds", 99)))

    def do(self, *asked: Command) -> None:
        for command in asked:
            for event in game.decide(self.state, command):
                self.state = game.evolve(self.state, event)

    def refused(self, command: Command) -> str:
        with pytest.raises(Refused) as caught:
            game.decide(self.state, command)
        return caught.value.code

    def auction(self, seat: str, points: int, situation: Situation = EASY) -> None:
        at = self.state.at + 40
        self.do(Lay(situation), Turn(at), Bid(seat, points, at + 1), Sand(at + 60))

    def round(self, seat: str, points: int, reached: int) -> None:
        self.auction(seat, points)
        self.do(Result(reached))

    @property
    def chips(self) -> dict[str, int]:
        return dict(zip(self.state.seats, self.state.chips, strict=True))


@pytest.fixture
def evening() -> Evening:
    return Evening()


# Readings


def test_markers_and_touches_of_pieces_that_never_stood_there_are_gone(evening: Evening) -> None:
    evening.auction("East", 5, THIRD)
    evening.do(Mark(RED, A), Mark(BLUE, A), Mark(GREEN, E), Touch(E))
    evening.do(CorrectReading(notation.read("120012000000-112244")))  # one piece on A, and one on E
    assert evening.state.markers == ((RED, A), (GREEN, E))
    assert evening.state.touched is not None
    evening.do(CorrectReading(OTHER), CorrectReading(notation.read("033000000000-112244")))
    assert (evening.state.markers, evening.state.touched) == ((), None)
    evening.do(Step(B, RED))  # without a marker, any piece moves


def test_a_reading_corrected_in_the_auction_keeps_the_calls(evening: Evening) -> None:
    evening.do(Lay(EASY), Turn(0.0), Bid("East", 5, 1.0), CorrectReading(OTHER))
    assert (evening.state.situation, len(evening.state.bids)) == (OTHER, 1)
    assert evening.refused(CorrectReading(OTHER)) == "nothing_changed"


def test_before_the_hourglass_is_turned_the_situation_is_laid_again(evening: Evening) -> None:
    evening.do(Lay(EASY))
    assert evening.refused(CorrectReading(OTHER)) == "lay_instead"


# Plays


def test_a_touched_piece_can_still_be_moved(evening: Evening) -> None:
    evening.auction("East", 5)
    evening.do(Step(A, RED))
    assert evening.refused(Touch(A, RED)) == "die_used"
    evening.do(Touch(A))
    evening.do(Touch(A, BLUE))  # now it is seen which one
    assert evening.refused(Touch(A, GREEN)) == "touched"
    assert evening.refused(Step(A, GREEN)) == "touched"
    evening.do(Step(A, BLUE))


# Bids


def test_a_bid_corrected_downwards_drops_the_calls_it_does_not_beat(evening: Evening) -> None:
    evening.do(Lay(EASY), Turn(0.0), Bid("East", 5, 1.0), Bid("South", 8, 2.0), Bid("North", 18, 3.0))
    evening.do(CorrectBid("North", 7))
    assert [(bid.seat, bid.points) for bid in evening.state.bids] == [("East", 5), ("North", 7)]
    evening.do(Bid("South", 8, 4.0))


def test_only_who_sat_there_can_have_bid(evening: Evening) -> None:
    evening.round("East", 5, 5)
    evening.do(Leave("South"), Join("Guest"))
    assert evening.refused(CorrectBid("Guest", 5)) == "unknown_seat"
    evening.do(CorrectBid("South", 5))
    assert (evening.chips, evening.state.away) == ({"North": 7, "East": 7, "Guest": 8}, (("South", 10),))
    evening.do(Join("South"))
    assert evening.chips["South"] == 10


# Results


def test_chips_that_were_counted_are_never_fewer_than_none(evening: Evening) -> None:
    evening.round("East", 5, 5)  # 7, 10, 7
    evening.do(CorrectChips((("North", 17), ("East", 0))))
    assert evening.refused(CorrectResult(4, round=1)) == "chips_below"
    evening.round("South", 5, 0)  # East is paid and has 1 again: the count was still wrong then
    assert evening.chips["East"] == 1
    assert evening.refused(CorrectResult(4, round=1)) == "chips_below"


def test_who_could_not_pay_pays_when_an_older_round_is_corrected(evening: Evening) -> None:
    evening.do(CorrectChips((("North", 1), ("East", 15))))
    evening.round("East", 5, 5)
    evening.round("South", 5, 5)  # North has nothing left to pay with
    assert evening.chips == {"North": 0, "East": 16, "South": 8}
    evening.do(CorrectResult(4, round=1))
    assert evening.chips == {"North": 1, "East": 12, "South": 11}


def test_the_silence_follows_the_last_round_only(evening: Evening) -> None:
    evening.round("East", 5, 5)
    evening.round("South", 5, 5)
    evening.do(CorrectResult(4, round=1))
    assert evening.state.silenced is None
    evening.do(CorrectResult(4, round=2))
    assert evening.state.silenced == "South"


@pytest.mark.parametrize("number", [0, -1, 2, 3, 10**9])
def test_a_round_that_has_not_been(evening: Evening, number: int) -> None:
    evening.round("East", 5, 5)
    assert evening.refused(CorrectResult(4, round=number)) == "no_round"


def test_the_winners_are_told_anew() -> None:
    evening = Evening(Ending("rounds", 2))
    evening.round("East", 5, 5)
    evening.round("South", 5, 5)
    assert evening.state.over == GameOver("rounds", ("East", "South"))
    evening.do(CorrectResult(4, round=2))
    assert evening.state.over == GameOver("rounds", ("East",))
    evening.do(Undo())
    assert evening.state.over == GameOver("rounds", ("East", "South"))


def test_an_ending_that_a_correction_reaches_in_mid_round_waits_for_its_end() -> None:
    evening = Evening(Ending("broke", None))
    evening.round("East", 5, 5)
    evening.auction("South", 3)
    evening.do(CorrectChips((("North", 0), ("East", 17))))
    assert evening.state.over is None
    evening.do(Done())
    assert evening.state.over is None  # South has paid North a chip


# Undo and what was shown


def test_what_was_shown_stays_known_also_after_a_new_start(evening: Evening) -> None:
    evening.round("East", 5, 5)
    evening.do(Undo(steps=6))
    assert (evening.state.phase, evening.state.seen) == ("start", (EASY,))
    evening.do(Start(("North", "East"), "North"))
    evening.round("East", 5, 5)
    assert evening.state.rounds[0].known


def test_each_reveal_that_goes_is_asked_about(evening: Evening) -> None:
    """Also one that lies under another: the situation corrected, and corrected back."""
    evening.round("East", 5, 5)
    evening.do(CorrectReading(OTHER), CorrectReading(EASY))
    assert evening.refused(Undo(steps=2, sure=False)) == "undo_reveal"
    evening.do(Undo(steps=2))
    assert evening.state.seen == (OTHER,)
    evening.do(CorrectResult(4))
    evening.do(Undo(sure=False))  # the reveal stays


def test_only_what_is_played_after_it_was_shown_is_marked(evening: Evening) -> None:
    evening.round("East", 5, 5)
    evening.round("South", 5, 5)
    evening.do(Undo(), Result(6))
    assert [one.known for one in evening.state.rounds] == [False, True]
