"""Sentences and numbers in the reader's language, typed; the names are gettext's."""

from __future__ import annotations

from datetime import date

import flask_babel


def gettext(sentence: str, **values: object) -> str:
    """`sentence` in the reader's language, with `values` in its %(name)s places."""
    return str(flask_babel.gettext(sentence, **values))


def ngettext(one: str, many: str, number: int, **values: object) -> str:
    """The form for `number`, which is also %(num)s."""
    return str(flask_babel.ngettext(one, many, number, **values))


def pgettext(context: str, sentence: str) -> str:
    """`sentence` as it is meant in `context`."""
    return str(flask_babel.pgettext(context, sentence))


def percent(share: float) -> str:
    """A share, 0 to 1, in whole per cent as the reader's language writes it."""
    return str(flask_babel.format_percent(share))


def decimal(number: float) -> str:
    """A number as the reader's language writes it."""
    return str(flask_babel.format_decimal(number))


def full_date(day: date) -> str:
    """A date as the reader's language writes it in full."""
    return str(flask_babel.format_date(day, "long"))
