"""A sentence of the self-test that remembers how it was made, so that pages can say it in other languages."""

from __future__ import annotations

from collections.abc import Mapping


class Said(str):
    """The English sentence; `template` has %(name)s places for `values`.

    A value may be said, too, or be several of them in a tuple.
    """

    template: str
    values: Mapping[str, object]

    def __new__(cls, template: str, **values: object) -> Said:
        made = super().__new__(cls, template % {name: _listed(value) for name, value in values.items()})
        made.template, made.values = template, values
        return made


def _listed(value: object) -> object:
    return ", ".join(map(str, value)) if isinstance(value, tuple) else value
