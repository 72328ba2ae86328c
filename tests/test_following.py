"""A round that is seen look after look: the moves that were played are told, or what is in doubt."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.corona.following import Look
from companion.games.corona.played import Played, played
from companion.games.corona.rules import FIELDS, LETTERS, Move, Situation, find_move, legal_moves, play

SURE = 0.9999


def look(
    places: Sequence[int], dice: Sequence[int], markers: Sequence[tuple[int, int]] = (), sure: float = SURE
) -> Look:
    """What a look that is `sure` of everything tells; `markers` are (field, die)."""
    counts, shown = np.full((FIELDS, 7), (1 - sure) / 6), np.full((6, 6), (1 - sure) / 5)
    counts[np.arange(FIELDS), list(places)] = sure
    shown[np.arange(6), np.array(dice) - 1] = sure
    marked = np.full((FIELDS, 6), 0.001)
    for field, die in markers:
        marked[field, die] = sure
    return Look(counts, shown, marked)


class Round:
    """A round as it is played, photographed after each move."""

    def __init__(self, places: str, dice: str) -> None:
        self.start = Situation(tuple(map(int, places)), tuple(map(int, dice)))
        self.now, self.moves = self.start, list[Move]()
        self.looks: list[Look] = []
        self.markers: list[tuple[int, int]] = []

    def mark(self, *markers: tuple[int, int]) -> Round:
        self.markers = list(markers)
        return self.snap()

    def move(self, letter: str, die: int) -> Round:
        """A piece goes, its marker comes off."""
        start = LETTERS.index(letter)
        self.moves.append(find_move(self.now, start, die))
        self.now = play(self.now, self.moves[-1])
        self.markers = [one for one in self.markers if one != (start, die)]
        return self

    def snap(self, sure: float = SURE) -> Round:
        self.looks.append(look(self.now.occupants, self.start.dice, self.markers, sure))
        return self

    @property
    def told(self) -> Played:
        told = played(self.looks)
        assert told is not None
        return told


def starts() -> st.SearchStrategy[Round]:
    fields = st.lists(st.integers(0, 11), min_size=6, max_size=6)
    places = fields.map(lambda some: "".join(str(some.count(field)) for field in range(FIELDS)))
    return st.builds(Round, places, st.text("123456", min_size=6, max_size=6))


@settings(max_examples=40, deadline=None)
@given(starts(), st.data())
def test_any_play_that_is_photographed_move_by_move_is_told(game: Round, data: st.DataObject) -> None:
    game.snap()
    plan: list[Move] = []
    now = game.start
    for _ in range(data.draw(st.integers(0, 6))):
        plan.append(data.draw(st.sampled_from(list(legal_moves(now)))))
        now = play(now, plan[-1])
    game.mark(*((move.start, move.die) for move in plan))
    for move in plan:
        game.move(LETTERS[move.start], move.die)
        for _ in range(data.draw(st.integers(1, 2))):
            game.snap()
    assert game.told.start == game.start
    assert game.told.moves == tuple(game.moves)
    assert game.told.sure
    assert game.told.strays == ()


def test_moves_that_nobody_photographed_are_told_by_their_markers() -> None:
    game = Round("210000111000", "123456").snap().mark((0, 0), (0, 3), (1, 1))
    game.move("A", 3).move("B", 1).move("A", 0).snap()
    assert {(move.start, move.die) for move in game.told.moves} == {(0, 0), (0, 3), (1, 1)}
    assert game.told.sure


def test_of_dice_that_show_the_same_the_markers_tell_which() -> None:
    game = Round("110000111100", "443162").snap().mark((0, 1), (1, 0)).move("A", 1).snap().move("B", 0).snap()
    assert [move.die for move in game.told.moves] == [1, 0]
    assert game.told.sure


def test_without_markers_either_die_may_be_it_and_that_is_said() -> None:
    told = Round("110000111100", "443162").snap().move("A", 1).snap().told
    assert [(move.start, move.pips) for move in told.moves] == [(0, 4)]
    assert not told.sure
    assert told.other is not None
    assert {told.moves[0].die, told.other[1][0].die} == {0, 1}


def test_two_pieces_that_went_one_after_the_other_are_no_long_move() -> None:
    game = (
        Round("101000111100", "213642").snap().mark((0, 0), (2, 1))
    )  # A to C by 2, C to D by 1; and a die of 3
    game.move("A", 0).move("C", 1).snap()
    assert {(move.start, move.die) for move in game.told.moves} == {(0, 0), (2, 1)}


def test_of_moves_seen_together_the_order_that_scores_most_is_told_and_what_others_score() -> None:
    # A goes to C, where one stands, and that one to D: twice 2 points. The other way round C is empty.
    game = Round("101100111000", "213642").snap().mark((0, 0), (2, 1)).move("C", 1).move("A", 0).snap()
    assert game.told.points == 4
    assert [(one.moves, one.told, one.others) for one in game.told.together] == [((0, 1), 4, (2,))]


def test_a_look_that_follows_from_no_move_is_told_and_passed_over() -> None:
    game = Round("300000300000", "123456").snap().mark((0, 1))
    game.looks.append(
        look((2, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 1), game.start.dice, [(11, 1)])
    )  # A to L: no die
    game.move("A", 1).snap()
    assert game.told.moves == tuple(game.moves)
    assert game.told.strays == (2,)


def test_pieces_that_are_put_otherwise_before_the_first_move_begin_the_play() -> None:
    early = look((0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 6), (6, 6, 6, 6, 6, 6))
    game = Round("300000300000", "123456")
    game.looks.append(early)
    game.snap().mark((0, 1)).move("A", 1).snap().snap()
    assert game.told.start == game.start
    assert game.told.since == 1
    assert game.told.moves == tuple(game.moves)


def test_a_field_that_is_hard_to_see_is_told_by_what_follows_from_the_rules() -> None:
    game = Round("300000300000", "123456").snap().mark((0, 1)).move("A", 1)
    amiss = look(game.now.occupants, game.start.dice)
    amiss.counts[0], amiss.counts[2] = [0.01, 0.01, 0.38, 0.58, 0.01, 0.005, 0.005], [0.4, 0.58, *[0.004] * 5]
    game.looks.append(amiss)  # A still has three, and C one: seven
    assert game.told.moves == tuple(game.moves)


def test_a_doubt_that_each_look_repeats_is_no_surer_for_it() -> None:
    game = Round("300000300000", "123456")
    for _ in range(8):
        seen = look(game.start.occupants, game.start.dice)
        seen.dice[2] = [0.02, 0.02, 0.9, 0.02, 0.02, 0.02]
        game.looks.append(seen)
    assert game.told.start == game.start
    assert 0.85 < game.told.likely < 0.95


def test_used_dice_may_be_put_away() -> None:
    game = Round("300000300000", "123456").snap().mark((0, 1), (0, 4)).move("A", 1).snap()
    game.move("A", 4)
    game.looks.append(look(game.now.occupants, (1, 6, 3, 4, 5, 6)))
    assert game.told.start == game.start
    assert game.told.moves == tuple(game.moves)
    assert game.told.sure


def test_a_move_whose_marker_was_in_no_piece_is_in_doubt() -> None:
    """A piece goes one field too far, as by a die whose marker lies elsewhere."""
    game = Round("202101000000", "435251").snap().mark((2, 5), (2, 1)).move("C", 5).snap()
    game.looks.append(look((2, 0, 0, 2, 0, 1, 1, 0, 0, 0, 0, 0), game.start.dice))
    assert game.told.unmarked == (1,)
    late = Round("202101000000", "435251").snap()
    late.markers = [(2, 1)]  # by the first photo that shows markers one has come off already
    late.move("C", 5).snap()
    assert late.told.moves == tuple(late.moves) and late.told.unmarked == ()


def test_pieces_that_may_have_gone_round_in_a_circle_are_told() -> None:
    """Two sixes, from A to G and from G to A: nothing but their markers has changed."""
    game = Round("100000100112", "661234").snap().mark((0, 0), (6, 1), (9, 2)).move("J", 2).snap()
    game.move("A", 0).move("G", 1).snap()
    assert game.told.circle == (0, 6)
    stopped = Round("110000100111", "651234").snap().mark((0, 0), (1, 1)).move("A", 0).snap()
    stopped.markers = []
    assert stopped.snap().told.circle == ()
    assert stopped.told.sure


def test_nothing_seen_is_no_play() -> None:
    assert played([]) is None
