"""Why a command is refused: one English sentence each, ready for gettext."""

from __future__ import annotations

from companion.games.corona.rules import CoronaError


def N_(sentence: str) -> str:  # noqa: N802
    """Marks a sentence for the translators (gettext's own name for it) and leaves it as it is."""
    return sentence


SENTENCES = {
    "not_started": N_("No game has been started yet."),
    "already_started": N_("A game is going on already."),
    "game_over": N_("The game is over: start a new one."),
    "few_seats": N_("Corona needs two or more players."),
    "bad_name": N_("A player's name has 1 to %(most)d printable characters, with no space at either end."),
    "same_name": N_("Two players are called %(name)s: give each a name of their own."),
    "first_unknown": N_("%(name)s cannot set up first: nobody of that name has a seat."),
    "bad_edition": N_("There is no edition “%(edition)s”: take fr or de."),
    "bad_colours": N_("A set has six dice, each of its own colour; the colours are: %(known)s."),
    "bad_hourglass": N_("The hourglass runs %(least)d to %(most)d seconds, not %(seconds)s."),
    "bad_ending": N_(
        "A game ends after 1 or more rounds or minutes, when somebody is broke, or has doubled."
    ),
    "lay_auction": N_("The hourglass has been turned: the situation stands for this round."),
    "lay_play": N_("The round is still being played: its result comes before the next set-up."),
    "lay_midplay": N_("A round starts with six pieces that have not moved and six unused dice."),
    "nothing_laid": N_("Set up first: place the six pieces and throw the six dice, then turn the hourglass."),
    "already_turned": N_("The hourglass is running already."),
    "no_auction": N_("There is no auction now: calls count while the sand is running."),
    "sand_out": N_("The sand has run out: calls no longer count."),
    "too_early": N_("That call was made before the hourglass was turned."),
    "unknown_seat": N_("Nobody called %(seat)s has a seat at this table."),
    "silenced": N_("%(seat)s lost the last round and may not bid in this one."),
    "bad_points": N_("A call is a whole number from 1 to %(most)d."),
    "equal_bid": N_("%(seat)s has called %(points)d already: of equal calls the earlier one counts."),
    "low_bid": N_("The highest call is %(points)d, by %(seat)s: call more."),
    "sand_not_running": N_("The hourglass is not running."),
    "sand_left": N_("The sand is still running."),
    "no_play": N_("There is no round to enter a result for: nobody is playing now."),
    "bad_result": N_("A result is a whole number from 0 to %(most)d."),
    "raced": N_("%(seat)s was just ahead with %(points)d: press again to raise."),
    "nothing_to_cancel": N_("The hourglass is not running, so there is nothing to cancel."),
    "not_playing": N_("Nobody is playing now: pieces move when the auction is over."),
    "unknown_colour": N_("This set has no %(colour)s die: its colours are %(known)s."),
    "no_piece": N_("No piece on %(field)s has still to move."),
    "die_used": N_("The %(colour)s die has been used already."),
    "markers_fixed": N_("Markers may be changed until the first move only."),
    "markers_many": N_("All pieces on %(field)s that have still to move hold a marker already."),
    "no_marker": N_("The %(colour)s marker is in no piece."),
    "not_marked": N_(
        "The %(colour)s marker is not in a piece on %(field)s: only marked pieces move, each by its die."
    ),
    "unmarked": N_("No piece on %(field)s holds a marker, so none of them moves."),
    "touched": N_("A piece on %(field)s was touched: it moves next, by the die of its marker."),
    "few_left": N_("Two players at least must stay: end the game instead."),
    "not_between": N_("Players come and go between rounds: finish this one first."),
    "seat_taken": N_("%(name)s has a seat already."),
    "no_throw": N_("Nobody throws for the first set-up now."),
    "throw_first": N_("First throw one die each in turn: the first 6 sets up."),
    "not_your_throw": N_("It is the throw of %(seat)s."),
    "bad_pips": N_("A die shows 1 to 6."),
    "bad_opening": N_("The first press of a button calls 1 to %(most)d points."),
    "paused": N_("The game is paused: resume it first."),
    "already_paused": N_("The game is paused already."),
    "not_paused": N_("The game is not paused."),
    "pause_auction": N_("The sand is running: cancel the hourglass first, or pause when it has run out."),
    "entered_meanwhile": N_("Somebody has entered a move meanwhile."),
    "nothing_to_undo": N_("There is nothing left to undo."),
    "bad_steps": N_("One or more commands can be undone at a time."),
    "undo_reveal": N_("The best score has been shown already, and stays known: undo it only if all agree."),
    "no_round": N_("There has been no round %(round)s."),
    "no_bid_yet": N_("Nobody has bid in that round, so there is no bid to correct."),
    "no_result_yet": N_("That round is still being played: enter its result instead."),
    "lay_instead": N_("The hourglass has not been turned: lay the situation anew instead."),
    "moves_misfit": N_(
        "The moves that were made cannot be made from that situation: undo them, or correct the result first."
    ),
    "was_silenced": N_("%(seat)s was silenced in that round and cannot have bid."),
    "chips_total": N_("Chips are never made nor lost: together there are %(total)d, not %(sum)d."),
    "chips_below": N_("That would leave %(seat)s with fewer than no chips: correct the chips first."),
    "bad_chips": N_("Chips are whole numbers from 0 on."),
    "nothing_changed": N_("That is how it stands already."),
    "time_left": N_("The time agreed on is not over, or a round is still going on."),
    "bad_time": N_("That time cannot be: time never runs backwards, and is a number of seconds."),
}


class Refused(CoronaError, ValueError):
    """A command the rules do not allow now. It changes nothing.

    `code` is its short name, `template` the English sentence with %(name)s places (the msgid to
    translate), `values` what goes there; `str()` is the finished English sentence.
    """

    def __init__(self, code: str, **values: object) -> None:
        self.code = code
        self.template = SENTENCES[code]
        self.values = values
        super().__init__(self.template % values)
