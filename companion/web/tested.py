"""What the self-test asks for and says, in the reader's language: it speaks English, knows no catalogues."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.corona.rules import LETTERS
from companion.selftest.run import Seen
from companion.selftest.said import Said
from companion.selftest.setups import SetUp
from companion.web.doubts import why
from companion.web.say import decimal, gettext
from companion.web.words import colour_name, described


def say(said: Said) -> str:
    """A sentence of the self-test."""
    return gettext(said.template) % {name: _value(name, value) for name, value in said.values.items()}


def title(setup: SetUp) -> str:
    """The name of a set-up."""
    return gettext(setup.title)


def sentence(setup: SetUp) -> str:
    """What to do with the pieces, in one sentence."""
    return gettext("Lay %(pieces)s: %(how)s.", pieces=_on_fields(setup), how=gettext(setup.how))


def markers(setup: SetUp) -> str:
    """Which markers stand where; empty without any."""
    words = [
        gettext("%(colour)s on %(field)s", colour=colour_name(colour), field=LETTERS[field])
        for field, colour in setup.markers
    ]
    return ", ".join(words)


def drawn(setup: SetUp) -> str:
    """The drawing of a set-up in words, for those who cannot see it."""
    line = "".join(map(str, setup.pieces)) + "-" + "".join(map(str, setup.dice.values()))
    words = described(line, list(setup.dice))
    return f"{words} {gettext('Markers: %(list)s.', list=markers(setup))}" if setup.markers else words


def verdict(seen: Seen) -> str:
    """How a set-up was read, in one sentence."""
    if seen.setup.why and seen.verdict != "unsure":
        if seen.verdict == "right":
            return gettext("Rightly refused.")
        return gettext("Taken as sure, in spite of the hand.")
    return {
        "right": gettext("Read surely and rightly."),
        "unsure": gettext("The camera is not sure."),
        "wrong": gettext("The camera is sure, and reads something else."),
    }[seen.verdict]


def short(verdict: str) -> str:
    """A verdict in a word."""
    return {
        "right": gettext("right"),
        "unsure": gettext("unsure"),
        "wrong": gettext("wrong"),
        "left": gettext("not done"),
    }[verdict]


def _on_fields(setup: SetUp) -> str:
    """The pieces in words: "two pieces on C, one on F"."""
    fields = [(count, LETTERS[field]) for field, count in enumerate(setup.pieces) if count]
    if {count for count, _ in fields} == {1}:
        return gettext("one piece on each of %(fields)s", fields=_list([letter for _, letter in fields]))
    (count, letter), *others = sorted(fields, key=lambda at: -at[0])
    return _list([_first(count, letter), *(_other(count, letter) for count, letter in others)])


def _first(count: int, field: str) -> str:
    if count == 3:
        return gettext("three pieces on %(field)s", field=field)
    return gettext("two pieces on %(field)s", field=field)


def _other(count: int, field: str) -> str:
    if count == 3:
        return gettext("three on %(field)s", field=field)
    return (
        gettext("two on %(field)s", field=field) if count == 2 else gettext("one on %(field)s", field=field)
    )


def _list(words: Sequence[str]) -> str:
    return f" {gettext('and')} ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def _value(name: str, value: object) -> object:
    if isinstance(value, Said):
        return say(value)
    if isinstance(value, tuple):
        return ", ".join(str(_value(name, one)) for one in value)
    if name == "why":
        return why(str(value))
    if name == "colour":
        return colour_name(str(value))
    return decimal(value) if isinstance(value, float) else value
