"""Forms -> commands of the game. Only the form is looked at here; whether it is allowed the game decides."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from werkzeug.datastructures import MultiDict

from companion.games.corona import game, notation
from companion.games.corona.event_json import ending_from_json
from companion.games.corona.events import OPENING_BID, Ending
from companion.games.corona.rules import LETTERS, PIECES, BadSituation, EditionName, Situation
from companion.web.say import gettext, ngettext
from companion.web.words import colour_name

Form = MultiDict[str, str]

LONGEST_SEAT = 60
THROW = -1
"""Chosen in place of a seat: the dice say who sets up first."""

ENDINGS: tuple[str, ...] = (
    "rounds-10",
    "rounds-15",
    "rounds-20",
    "minutes-30",
    "minutes-60",
    "broke",
    "doubled",
)


@dataclass(frozen=True, slots=True)
class Offers:
    """What the form of a new game has chosen at first.

    Without an `edition` the reader's language decides; `hourglass` in seconds; `opening` is what the first
    press of a button calls; `ending` is written as in `ENDINGS`, and may be another one.
    """

    edition: str | None = None
    hourglass: int = 60
    opening: int = OPENING_BID
    ending: str = ENDINGS[0]

    @property
    def endings(self) -> tuple[str, ...]:
        """The endings to choose from."""
        return ENDINGS if self.ending in ENDINGS else (self.ending, *ENDINGS)


class BadForm(ValueError):
    """A form that does not say what it must; the text is one sentence in the reader's language."""


def start(form: Form, colours: tuple[str, ...]) -> game.Start:
    """The names in their order (empty places are left out), who sets up first, and what was agreed."""
    places = form.getlist("seat")
    names = tuple(name.strip() for name in places if name.strip())
    chosen = _whole(form, "first", gettext("Say who sets up first."))
    first = None if chosen == THROW else places[chosen].strip() if 0 <= chosen < len(places) else ""
    if first == "":
        raise BadForm(gettext("Whoever sets up first needs a name."))
    edition = cast(EditionName, form.get("edition", "fr"))
    seconds = _whole(form, "hourglass", gettext("Say how many seconds the hourglass runs."))
    opening = _whole({"opening": str(OPENING_BID), **form}, "opening", gettext("Bid a whole number."))
    ending = _ending(form.get("ending", ENDINGS[0]))
    return game.Start(names, first, edition, colours, seconds, ending, opening)


def throw(form: Form) -> game.Throw:
    """What the player whose turn it is threw."""
    seat = form.get("seat") or None  # as the page showed it: one throw tapped on two phones is one
    return game.Throw(seat, _whole(form, "pips", gettext("Tap what the die shows.")))


def lay(form: Form, colours: tuple[str, ...]) -> game.Lay:
    """The situation in the one-line notation, with what was corrected in it: `fix-A`, `fix-red` and so on."""
    line = form.get("situation", "").strip()
    signs = list(line)
    if len(line) == len(LETTERS) + 1 + len(colours):
        for place, name in enumerate((*LETTERS, "", *colours)):
            signs[place] = form.get(f"fix-{name}", signs[place])
    return game.Lay(_situation("".join(signs), colours))


def _situation(line: str, colours: tuple[str, ...]) -> Situation:
    try:
        return notation.read(line)
    except BadSituation as fault:
        raise BadForm(_lacking(line, colours)) from fault


def _lacking(line: str, colours: tuple[str, ...]) -> str:
    """What keeps a line from being a situation: how many pieces there are, and which dice lack a number."""
    pieces, _, dice = line.partition("-")
    said: list[str] = []
    if re.fullmatch(r"[0-9]+", pieces + dice) and (len(pieces), len(dice)) == (len(LETTERS), len(colours)):
        placed = sum(map(int, pieces))
        if placed != PIECES:
            said.append(
                ngettext(
                    "%(num)d piece is on the fields instead of six.",
                    "%(num)d pieces are on the fields instead of six.",
                    placed,
                )
            )
        names = [colour_name(name) for name, pips in zip(colours, dice, strict=True) if pips not in "123456"]
        if names:
            said.append(
                ngettext(
                    "The %(colours)s die needs a number from 1 to 6.",
                    "These dice need a number from 1 to 6: %(colours)s.",
                    len(names),
                    colours=", ".join(names),
                )
            )
    return " ".join(said) or gettext(
        "Place six pieces on the fields, and give each of the six dice a number from 1 to 6."
    )


def bid(form: Form, at: float) -> game.Bid:
    """A bid from the pad of a seat, made at `at`."""
    return game.Bid(form.get("me", ""), _whole(form, "points", gettext("Bid a whole number.")), at)


def result(form: Form, at: float) -> game.Result:
    """The points the player reached."""
    return game.Result(_whole(form, "points", gettext("Choose the points that were reached.")), at)


def move(form: Form, colours: tuple[str, ...], at: float) -> game.Step:
    """A piece from a field by the die of a colour."""
    field, colour = form.get("from", ""), form.get("colour", "")
    if len(field) != 1 or field not in LETTERS or colour not in colours:
        raise BadForm(gettext("Tap the field of the piece that moves, then its die."))
    return game.Step(LETTERS.index(field), colours.index(colour), at)


def undo(form: Form) -> game.Undo:
    """Takes back what the page said it would; `sure` also what was revealed."""
    steps = _whole(form, "steps", gettext("There is nothing left to undo."))
    return game.Undo(steps, by(form), form.get("sure") == "yes")


def correct(form: Form, state: game.State) -> game.Command:
    """What the form corrects: a reading, a bid, a result or the chips."""
    what = form.get("what", "")
    round_ = _whole(form, "round", "") if form.get("round") else None
    if what == "reading":
        situation = _situation(form.get("situation", "").strip(), state.colours)
        return game.CorrectReading(situation, round_, by(form))
    points = gettext("Give the points as a whole number.")
    if what == "bid":
        return game.CorrectBid(form.get("seat", ""), _whole(form, "points", points), round_, by(form))
    if what == "result":
        return game.CorrectResult(_whole(form, "points", points), round_, by(form))
    counts = form.getlist("chips")
    # What the page showed: chips that went over the table meanwhile would go back.
    shown = [f"{seat} {chips}" for seat, chips in zip(state.seats, state.chips, strict=True)]
    if form.getlist("shown") != shown or len(counts) != len(shown):
        raise BadForm(gettext("Something else has happened meanwhile: look again."))
    missing = gettext("Give the chips of everybody.")
    counted = tuple(
        (seat, _whole({"chips": one}, "chips", missing))
        for seat, one in zip(state.seats, counts, strict=True)
    )
    return game.CorrectChips(counted, by(form))


def join(form: Form) -> game.Join:
    """Who sits down, and beside whom."""
    return game.Join(form.get("seat", "").strip(), form.get("after") or None)


def by(form: Form) -> str | None:
    """Whose phone this is."""
    return form.get("me", "")[:LONGEST_SEAT] or None


def _whole(form: Mapping[str, Any], name: str, missing: str) -> int:
    text = str(form.get(name, "")).strip()
    if not text:
        raise BadForm(missing)
    # Long digit strings and other scripts' digits are slips, and int() would take the latter.
    if not re.fullmatch(r"-?[0-9]{1,6}", text):
        raise BadForm(gettext("“%(text)s” is no whole number.", text=text[:20]))
    return int(text)


def _ending(text: str) -> Ending:
    kind, _, number = text.partition("-")
    try:
        return ending_from_json({kind: int(number) if number else True})
    except ValueError as fault:
        raise BadForm(gettext("Choose how the game ends.")) from fault
