"""A sentence of the self-test that remembers how it was made, so that pages can say it in other languages."""

from __future__ import annotations

from collections.abc import Mapping


class Said(str):
    """The English sentence; `template` has %(name)s places for `values`, some of which may be said, too."""

    template: str
    values: Mapping[str, object]

    def __new__(cls, template: str, **values: object) -> Said:
        made = super().__new__(cls, template % values)
        made.template, made.values = template, values
        return made
