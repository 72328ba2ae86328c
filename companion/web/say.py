"""Looking a sentence up in the reader's catalogue, typed; the names are gettext's."""

from __future__ import annotations

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
