"""What a person makes of a reading: what the form of corrections starts with, and what was put right."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from companion.games.corona import game
from companion.games.corona.events import Event, SituationLaid
from companion.table import Table
from companion.web.drawing import FIELDS
from companion.web.photo import Photo
from companion.web.say import gettext
from companion.web.words import colour_name
from vision.reading import Reading

MOST_TOLD = 4
"""Up to so many corrections are told with what had been read."""

Values = Mapping[str, int | None]
"""How many pieces are on a field, or what a die shows, by letter or colour; None where nobody knows."""


class Beneath:
    """The picture there was when the situation was laid: only what it showed was accepted or corrected."""

    def __init__(
        self, table: Table[game.State, game.Command, game.Event], photo: Callable[[], Photo | None]
    ) -> None:
        self._photo = photo
        self.then: Photo | None = None
        table.listen(self._heard)

    def _heard(self, _state: game.State, events: tuple[Event, ...]) -> None:
        if any(isinstance(event, SituationLaid) for event in events):
            self.then = self._photo()


@dataclass(frozen=True, slots=True)
class Fixing:
    """The values the form starts with; those a person put in place of others, each with what was read."""

    start: dict[str, int | None]
    corrected: dict[str, tuple[int, int]]

    @property
    def line(self) -> str:
        """`start` in the notation; what nobody knows is 0."""
        signs = [str(value or 0) for value in self.start.values()]
        return f"{''.join(signs[: len(FIELDS)])}-{''.join(signs[len(FIELDS) :])}"

    @property
    def told(self) -> str:
        """What was corrected, in one sentence; "" where nothing was."""
        each = [
            f"{colour_name(name)} {laid}"
            if len(self.corrected) > MOST_TOLD
            else gettext(
                "%(name)s %(laid)d (the camera read %(read)d)", name=colour_name(name), laid=laid, read=read
            )
            for name, (laid, read) in self.corrected.items()
        ]
        return gettext("Corrected by hand: %(what)s.", what=", ".join(each)) if each else ""


def fixing(now: Reading, then: Reading | None, laid: str | None, colours: Sequence[str]) -> Fixing:
    """What to make of a reading where the situation `laid` was laid while `then` was what had been read.

    What was laid stands, not where the camera has read something else since: there the table has changed.
    """
    names = (*FIELDS, *colours)
    read, before = _read(now), _read(then) if then else {}
    said = dict(zip(names, map(int, laid.replace("-", "")), strict=True)) if laid else {}
    start, corrected = {}, {}
    for name in names:
        value, was = read.get(name), before.get(name)
        changed = value is not None and was is not None and value != was
        start[name] = value if changed else said.get(name, value)
        if value is not None and value == was and value != said.get(name, value):
            corrected[name] = (said[name], value)
    return Fixing(start, corrected)


def _read(reading: Reading) -> Values:
    return {**dict(zip(FIELDS, reading.counts or (), strict=False)), **reading.dice}
