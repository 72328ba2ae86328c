"""What calibration, camera and pins say, in the reader's language: they speak English, know no catalogues."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from companion.web.say import decimal, gettext, pgettext
from companion.web.sentences import ON_A_PHONE, SENTENCES
from companion.web.words import colour_name


def _pattern(sentence: str) -> re.Pattern[str]:
    plain = re.escape(sentence.replace("%%", "%"))
    return re.compile(re.sub(r"%\\\((\w+)\\\)s", r"(?P<\1>.+?)", plain))


_PATTERNS = [(sentence, _pattern(sentence)) for sentence in SENTENCES]


def known(said: str) -> str | None:
    """What was said, in the reader's language; None for what is not known here."""
    for template, pattern in _PATTERNS:
        if match := pattern.fullmatch(said):
            template = ON_A_PHONE.get(template, template)
            values = {name: _VALUES.get(name, _number)(value) for name, value in match.groupdict().items()}
            return str(gettext(template)) % values
    return None


def sentence(said: str) -> str:
    """What was said, in the reader's language, as a whole sentence; English where it is not known."""
    words = known(said) or said
    return words[:1].upper() + words[1:] + ("" if words.endswith((".", "?", "!", "”")) else ".")


def advice(lines: Sequence[str]) -> list[tuple[str, str]]:
    """Calibration's advice as (subject, sentence), what is good last and without a sentence."""
    told = []
    for line in sorted(lines, key=lambda line: line.startswith("good: ")):
        subject, _, why = line.partition(": ")
        if subject == "good":
            told += [(_subject(good), "") for good in why.split(", ")]
        else:
            told.append((_subject(subject), sentence(why)))
    return told


def _subject(name: str) -> str:
    return {
        "dice": gettext("Dice"),
        "colours": gettext("Colours"),
        "angle": gettext("Angle"),
        "room": gettext("Room"),
        "light": gettext("Light"),
        "glare": gettext("Glare"),
        "sharpness": gettext("Sharpness"),
        "fields": gettext("Fields"),
    }.get(name, name)


def _photo_of(what: str) -> str:
    return {
        "empty board": pgettext("the photo of the", "empty board"),
        "dice": pgettext("the photo of the", "dice"),
    }.get(what, what)


def _side(name: str) -> str:
    return {
        "top": pgettext("the board's", "top"),
        "right": pgettext("the board's", "right"),
        "bottom": pgettext("the board's", "bottom"),
        "left": pgettext("the board's", "left"),
    }.get(name, name)


def _tags(names: str) -> str:
    """ "0 (top left) and 1 (top right)" """
    corners = {
        "top left": gettext("top left"),
        "top right": gettext("top right"),
        "bottom right": gettext("bottom right"),
        "bottom left": gettext("bottom left"),
    }
    words = re.sub(r"\(([a-z ]+)\)", lambda match: f"({corners.get(match[1], match[1])})", names)
    return words.replace("and", gettext("and"))


def _colours(names: str) -> str:
    """ "red and blue", "red and the blue", or "red, blue, green" """
    both = gettext("and")
    listed = [re.split(r" and (?:the )?", some) for some in names.split(", ")]
    return ", ".join(f" {both} ".join(map(colour_name, some)) for some in listed)


def _number(value: str) -> str:
    """A number with a point as the reader's language writes it, and anything else as it is."""
    return decimal(float(value)) if re.fullmatch(r"-?\d+\.\d+", value) else value


_VALUES: dict[str, Callable[[str], str]] = {
    "what": _photo_of,
    "side": _side,
    "tags": _tags,
    "colours": _colours,
    "colour": _colours,
}
