"""Forms -> commands of the game. Only the form is looked at here; whether it is allowed the game decides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from werkzeug.datastructures import MultiDict

from companion.games.corona import game, notation
from companion.games.corona.event_json import ending_from_json
from companion.games.corona.events import Ending
from companion.games.corona.rules import BadSituation, EditionName
from companion.web.say import gettext

Form = MultiDict[str, str]

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

    Without an `edition` the reader's language decides; `hourglass` in seconds; `ending` is written as in
    `ENDINGS`, and may be another one.
    """

    edition: str | None = None
    hourglass: int = 60
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
    first = places[chosen].strip() if 0 <= chosen < len(places) else ""
    if not first:
        raise BadForm(gettext("Whoever sets up first needs a name."))
    edition = cast(EditionName, form.get("edition", "fr"))
    seconds = _whole(form, "hourglass", gettext("Say how many seconds the hourglass runs."))
    return game.Start(names, first, edition, colours, seconds, _ending(form.get("ending", ENDINGS[0])))


def lay(form: Form) -> game.Lay:
    """The situation in the one-line notation."""
    try:
        return game.Lay(notation.read(form.get("situation", "")))
    except BadSituation as fault:
        raise BadForm(
            gettext("Place six pieces on the fields, and give each of the six dice a number from 1 to 6.")
        ) from fault


def bid(form: Form, at: float) -> game.Bid:
    """A bid from the pad of a seat, made at `at`."""
    return game.Bid(form.get("me", ""), _whole(form, "points", gettext("Bid a whole number.")), at)


def result(form: Form, at: float) -> game.Result:
    """The points the player reached."""
    return game.Result(_whole(form, "points", gettext("Choose the points that were reached.")), at)


def _whole(form: Mapping[str, Any], name: str, missing: str) -> int:
    text = str(form.get(name, "")).strip()
    if not text:
        raise BadForm(missing)
    # Long digit strings and other scripts' digits are slips, and int() would take the latter.
    if not (text.isascii() and text.lstrip("-").isdigit() and len(text) <= 6):
        raise BadForm(gettext("“%(text)s” is no whole number.", text=text[:20]))
    return int(text)


def _ending(text: str) -> Ending:
    kind, _, number = text.partition("-")
    try:
        return ending_from_json({kind: int(number) if number else True})
    except ValueError as fault:
        raise BadForm(gettext("Choose how the game ends.")) from fault
