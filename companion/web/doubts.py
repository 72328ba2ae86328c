"""Doubts of a reading in the reader's language: the vision speaks English and knows no catalogues."""

from __future__ import annotations

import re

from companion.games.corona.refused import N_
from companion.games.corona.rules import LETTERS
from companion.web.say import gettext
from companion.web.words import colour_name

SENTENCES = (
    N_("more than one board is in view"),
    N_("none of the 4 tags is to be seen"),
    N_("only 1 of 4 tags is to be seen"),
    N_("the picture is mirrored; switch that off at the camera"),
    N_("it is too dark; switch on a lamp"),
    N_("there is too much light; dim it, or expose less"),
    N_("the picture is blurred; focus the camera, and keep it still"),
    N_("the picture is small; take it as large as those of the calibration"),
    N_("this photo is %(shape)s, the profile was made with %(other)s: turn it"),
    N_("this photo is %(shape)s, the profile was made with %(other)s: give it whole, as it was taken"),
    N_("only %(number)s of 4 tags are to be seen"),
    N_("the tags do not lie as in the layout"),
    N_("something covers this, perhaps a hand"),
    N_("something covers this, perhaps a hand, or it is another board than the profile's"),
    N_("something lies on it that is neither piece nor die, perhaps a hand"),
    N_("not to be seen"),
    N_("its top face cannot be read: it may lean or be covered"),
    N_("the photo's edge cuts it off"),
    N_("it leans"),
    N_("it may lean"),
    N_("another die of its colour is in view"),
    N_("its pips could be another number"),
    N_("its colour is not clear"),
    N_("a marker may be %(colour)s or %(rival)s"),
    N_("a marker may be %(colour)s"),
    N_("a lamp shines in a piece: its marker cannot be told"),
    N_("%(number)s of 6 pieces are to be seen"),
    N_("a piece stands between %(one)s and %(other)s"),
    N_("a piece stands on the edge of the field"),
    N_("the photo's edge cuts off a piece"),
    N_("something there does not look like the other pieces"),
    N_("outside the picture; move the board or the camera"),
    N_("its pieces are hard to see"),
    N_("many small doubts together"),
    N_("one look saw something else than another"),
)


def _pattern(sentence: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"%\\\((\w+)\\\)s", r"(?P<\1>.+?)", re.escape(sentence)))


_PATTERNS = [(sentence, _pattern(sentence)) for sentence in SENTENCES]


def about(what: str) -> str:
    """What a doubt is about: "die blue" -> "blue die"; words that are not known stay as they are."""
    kind, _, name = what.partition(" ")
    match kind:
        case "die" if name:
            return gettext("%(colour)s die", colour=colour_name(name))
        case "field" if name:
            return gettext("field %(letter)s", letter=name)
        case "fields" if " to " in name:
            first, _, last = name.partition(" to ")
            return gettext("fields %(first)s to %(last)s", first=first, last=last)
        case "fields" if name.split() == list(LETTERS):
            return gettext("all fields")
        case "fields":
            return gettext("fields %(letters)s", letters=name)
        case "table":
            return gettext("the whole table")
        case "board":
            return gettext("the board")
        case "pieces":
            return gettext("the pieces")
    return what


def why(sentence: str) -> str:
    """The reason of a doubt; one that is not known stays as it is, in English."""
    for template, pattern in _PATTERNS:
        if match := pattern.fullmatch(sentence):
            values = {name: colour_name(value) for name, value in match.groupdict().items()}
            return str(gettext(template)) % values
    return sentence
