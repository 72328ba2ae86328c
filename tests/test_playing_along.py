"""A play that is watched: what each look adds to it, what is left open, and what somebody tapped stands."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from companion.games.corona import game, notation
from companion.games.corona.rules import DEFAULT_COLOURS, LETTERS, Move, find_move, legal_moves
from companion.games.corona.rules import play as played
from companion.playing_along import PlayingAlong
from vision.reading import Confidence, MayBe, Reading

CLEAR = 0.9999


def _near(count: int) -> tuple[int, ...]:
    return count, abs(count - 1), count + 1


def reading(
    places: Sequence[int | None], likely: float = CLEAR, markers: Sequence[tuple[int, str]] = ()
) -> Reading:
    """What is read where the pieces stand so; the dice have been put away."""
    nothing: dict[str, int | None] = dict.fromkeys(DEFAULT_COLOURS)
    return Reading(
        tuple(places),
        nothing,
        tuple(markers),
        confidence=Confidence(
            tuple(likely if count is not None else 0.4 for count in places),
            dict.fromkeys(nothing, 0.0),
            (CLEAR,) * len(markers),
            0.0,
            0.0,
        ),
        may_be=MayBe(tuple(_near(count or 0) for count in places), dict.fromkeys(nothing, ())),
    )


class Play:
    """A play at a table: `now` is how it lies there, `state` what the game knows of it."""

    def __init__(self, start: str) -> None:
        self.now = notation.read(start)
        self.state, self.along = game.new(), PlayingAlong()
        begin = game.Start(("North", "East"), "North"), game.Lay(self.now)
        self.do(*begin, game.Turn(0.0), game.Bid("East", 1, 1.0), game.Sand(60.0))

    def do(self, *commands: game.Command) -> None:
        for command in commands:
            before = self.state
            for event in game.decide(self.state, command):
                self.state = game.evolve(self.state, event)
            if isinstance(command, game.Undo):
                self.along.taken_back(before, self.state)

    def move(self, letter: str, die: int) -> Move:
        """A piece goes, on the table."""
        move = find_move(self.now, LETTERS.index(letter), die)
        self.now = played(self.now, move)
        return move

    def look(self, places: Sequence[int | None] | None = None, likely: float = CLEAR, **seen: object) -> bool:
        """The camera looks; whether that entered anything."""
        lying = self.now.occupants if places is None else places
        follow = self.along.looked(self.state, reading(lying, likely, **seen), 61.0)  # type: ignore[arg-type]
        if follow:
            self.do(follow)
        return follow is not None

    @property
    def told(self) -> list[tuple[str, str, int]]:
        """From, to and pips of the moves that the game knows."""
        return [(LETTERS[move.start], LETTERS[move.to], move.pips) for move in self.state.moves]


def test_each_move_is_entered_with_its_points_when_it_is_seen() -> None:
    play = Play("310000200000-126354")
    assert not play.look(), "nothing has moved"
    play.move("A", 0)
    assert play.look() and play.told == [("A", "B", 1)]
    play.move("A", 2)
    assert play.look() and play.told == [("A", "B", 1), ("A", "G", 6)]
    assert [move.points for move in play.state.moves] == [2, 3]
    assert not play.look(), "it lies there as it was entered"


def test_a_piece_in_a_hand_or_half_read_enters_nothing() -> None:
    play = Play("310000200000-126354")
    assert not play.look((2, 1, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0))
    play.move("A", 2)
    assert not play.look(likely=0.6)
    assert play.look()


def test_of_two_pieces_that_moved_between_two_looks_the_order_is_asked_for() -> None:
    play = Play("200200000002-136425")
    play.move("A", 1)  # to D, where two stand
    play.move("D", 2)  # away from there: the other way round the first would have scored less
    assert not play.look()
    play.do(game.Step(0, 1))
    assert play.look(), "the other one follows from what was tapped"
    assert play.told == [("A", "D", 3), ("D", "J", 6)]


def test_two_pieces_whose_order_does_not_matter_are_entered_at_once() -> None:
    play = Play("200200000002-136425")
    play.move("A", 0)
    play.move("D", 3)
    assert play.look()
    assert sorted(play.told) == [("A", "B", 1), ("D", "H", 4)]


def test_two_moves_that_looked_like_one_are_left_open_when_another_gives_them_away() -> None:
    play = Play("310000200000-123354")
    play.move("A", 0)
    play.move("B", 1)  # a waiting piece goes on from where the first one came
    assert play.look() and play.told == [("A", "D", 3)], "what it looks like"
    play.move("A", 2)
    assert play.look() and play.told == [("A", "D", 3), ("A", "D", 3)]
    play.move("G", 3)
    assert not play.look(), "no die is left for it; in which order the others went is not seen"


def test_a_piece_that_goes_on_from_where_it_was_put_down_moved_once() -> None:
    play = Play("300000300000-126354")
    play.move("A", 0)
    play.look()
    play.now = notation.read("300000300000-126354")
    play.move("A", 3)
    assert play.look() and play.told == [("A", "D", 3)]


def test_a_move_that_is_tapped_before_it_is_made_waits_for_it() -> None:
    play = Play("310000200000-146235")
    play.do(game.Step(0, 4))
    assert not play.look(), "the pieces stand as they stood; C, G and E lead back there by two further moves"
    play.move("A", 4)
    assert not play.look()
    play.move("A", 0)
    assert play.look() and play.told == [("A", "D", 3), ("A", "B", 1)]


def test_what_was_taken_back_comes_again_only_when_the_pieces_have_stood_otherwise() -> None:
    play = Play("310000200000-126354")
    play.move("A", 0)
    play.look()
    play.do(game.Undo())
    assert not play.look() and play.told == []
    play.now = notation.read("310000200000-126354")
    assert not play.look()
    play.move("A", 0)
    assert play.look() and play.told == [("A", "B", 1)]


def test_what_is_taken_back_of_a_tap_is_told_anew() -> None:
    play = Play("200200000002-136425")
    play.do(game.Step(11, 0))  # a slip: nothing moved there
    play.move("A", 1)
    assert not play.look() and play.along.asks == ()
    play.do(game.Undo())
    assert play.look() and play.told == [("A", "D", 3)]


def test_a_wrong_answer_that_is_taken_back_is_asked_for_again() -> None:
    play = Play("200200000002-136425")
    play.move("A", 1)
    play.move("D", 2)
    play.look()
    asked = play.along.asks
    play.do(game.Step(3, 2))
    assert play.look() and len(play.told) == 2
    play.do(game.Undo())
    assert not play.look() and play.told == [("D", "J", 6)]
    play.do(game.Undo())
    assert not play.look() and play.along.asks == asked


def test_a_piece_that_is_put_back_is_no_two_further_moves() -> None:
    start = (
        "101010003000-264111"  # from C a 6 leads to I, and from there a 4 to A: the pieces stand as before
    )
    play = Play(start)
    play.move("A", 0)
    assert play.look() and play.told == [("A", "C", 2)]
    play.now = notation.read(start)
    assert play.look() and play.told == []


def test_whether_a_piece_was_put_back_or_two_exchanged_places_is_asked() -> None:
    play = Play("300000300000-662354")
    play.move("A", 0)
    play.look()
    play.move("G", 1)
    assert not play.look() and play.along.asks == ()
    play.do(game.Step(6, 1))
    assert not play.look() and play.along.asks is None
    assert play.told == [("A", "G", 6), ("G", "A", 6)]


def test_a_field_that_is_hard_to_see_hides_no_move_elsewhere() -> None:
    play = Play("310000200000-126354")
    places: list[int | None] = [2, 1, 0, 0, 0, 0, 3, 0, 0, 0, 0, None]
    assert play.look(places) and play.told == [("A", "G", 6)]
    play.move("A", 2)
    hidden: list[int | None] = [None if field in (0, 7) else n for field, n in enumerate(play.now.occupants)]
    assert not play.look(hidden), "as it was entered, for all that is seen"
    assert play.along.asks is None


def test_of_dice_that_show_the_same_the_one_with_the_marker_there_moves() -> None:
    play = Play("310000200000-555354")
    play.look(markers=[(0, "green")])
    play.move("A", 2)
    assert play.look()
    assert play.state.moves[0].die == 2


def test_markers_that_were_told_of_bind_what_moves() -> None:
    play = Play("310000200000-555354")
    play.do(game.Mark(1, 0))
    play.move("A", 0)
    assert play.look() and play.state.moves[0].die == 1
    play.move("G", 2)
    assert not play.look(), "no marker is in that piece"


def test_after_the_play_and_in_a_pause_nothing_is_entered() -> None:
    play = Play("310000200000-126354")
    play.do(game.Pause(61.0))
    play.move("A", 0)
    assert not play.look()
    play.do(game.Resume(62.0))
    assert play.look()
    play.do(game.Done(63.0))
    play.move("A", 2)
    assert not play.look()


def starts() -> st.SearchStrategy[str]:
    fields = st.lists(st.integers(0, 11), min_size=6, max_size=6)
    places = fields.map(lambda some: "".join(str(some.count(field)) for field in range(12)))
    dice = st.text("123456", min_size=6, max_size=6)
    return st.builds(lambda one, other: f"{one}-{other}", places, dice)


@settings(max_examples=60, deadline=None)
@given(starts(), st.data())
def test_any_play_that_is_seen_move_by_move_is_entered_as_it_was_played(
    start: str, data: st.DataObject
) -> None:
    play, moves = Play(start), list[Move]()
    stood = {play.now.occupants}
    for _ in range(data.draw(st.integers(1, 6))):
        moves.append(data.draw(st.sampled_from(list(legal_moves(play.now)))))
        play.move(LETTERS[moves[-1].start], moves[-1].die)
        assume(play.now.occupants not in stood)  # pieces that exchange places leave no trace
        stood.add(play.now.occupants)
        tapped = data.draw(st.integers(0, 4)) == 0
        if tapped:
            assert play.state.standing
            pips = play.state.standing.dice.index(moves[-1].pips)  # any die that shows the same will do
            play.do(game.Step(moves[-1].start, pips))
        play.look()
    assert play.told == [(LETTERS[move.start], LETTERS[move.to], move.pips) for move in moves]
    assert [move.points for move in play.state.moves] == [move.points for move in moves]
