"""The live parts of the page: drawn when what they show has changed, and once for all who see the same."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from operator import itemgetter
from threading import Lock
from typing import Any, NamedTuple
from zlib import crc32

from flask import current_app
from jinja2 import Environment, meta

from companion.games.corona import notation
from companion.games.corona.rules import LETTERS, MOST_POINTS
from companion.games.corona.state import State
from companion.games.corona.view import view
from companion.playing_along import Following
from companion.sighted import is_another
from companion.web import forms
from companion.web.events import Parts
from companion.web.fixing import Fixing, fixing
from companion.web.photo import Overlay, Photo, overlay, to_tell
from companion.web.roles import Role
from vision.reading import Reading

PARTS = (
    *("status", "clock", "high", "reveal", "board", "moves", "result", "photo", "trouble", "doubts", "lay"),
    *("bids", "seats", "start", "action", "next"),
)
"""Each is a template in `parts/`, and is swapped on the phone when it has changed."""

NOTHING_LAID = "000000000000-000000"


MOST_KEPT = 64
"""So many drawings of a part are kept: one for each language, and for each seat where it shows its own."""


class Reader(NamedTuple):
    """Who sees a page: their language, whose page it is ("": they look on), and what their phone may."""

    language: str
    me: str
    role: Role


class Beside(NamedTuple):
    """What the parts show beside the state: the last picture, and that of when the situation was laid; the
    camera's trouble, and what it leaves open of a play; the game's number."""

    photo: Photo | None
    then: Photo | None
    trouble: str | None
    following: Following | None
    number: str

    @property
    def marks(self) -> tuple[object, ...]:
        """The same by what changes with it, pictures by their numbers."""
        return (self.photo and self.photo[2], self.then and self.then[2], *self[2:])


@dataclass(frozen=True, slots=True)
class _Moment:
    """A state with what stands beside it, what is to be seen of it, and what has been drawn of it so far."""

    state: State
    beside: tuple[object, ...]
    seen: Mapping[str, Any]
    drawn: dict[Reader, Parts] = field(default_factory=dict)


class Drawer:
    """Draws the parts, each only when something it shows has changed. May be used from any thread."""

    def __init__(self, offers: forms.Offers) -> None:
        self._offers = offers
        self._lock = Lock()
        self._parts: tuple[_Part, ...] = ()
        self._moment: _Moment | None = None

    def parts(self, state: State, beside: Beside, reader: Reader) -> Parts:
        """The parts for a state, what stands beside it, and a reader.

        The sand is not in them: it runs on the phone, from the stream's facts.
        """
        marks, moment = beside.marks, self._moment
        if moment and moment.state is state and moment.beside == marks and reader in moment.drawn:
            return moment.drawn[reader]
        with self._lock:  # many phones wake at once and see the same: one draws it, the others wait
            moment = self._moment
            if not moment or moment.state is not state or moment.beside != marks:
                moment = self._moment = _Moment(state, marks, view(state, None, 0.0))
            if reader not in moment.drawn:
                moment.drawn[reader] = self._draw(moment.seen, beside, reader)
            return moment.drawn[reader]

    def _draw(self, seen: Mapping[str, Any], beside: Beside, reader: Reader) -> Parts:
        photo, then = beside.photo, beside.then
        fix = _fixing(seen, photo, then) if photo else None
        values = {
            "language": reader.language,
            "me": reader.me,
            "role": reader.role,
            "photo": _shown(seen, photo, then, fix.start) if photo and fix else None,
            "trouble": beside.trouble,
            "followed": beside.following is not None,
            "asks": _asks(beside.following, seen["colours"]),
            "laid": _laid(seen, fix),
            "begun": fix.line if fix else NOTHING_LAID,
            "corrected": fix.told if fix else "",
            "most": MOST_POINTS,
            "bidding": _bidding(seen, reader.me),
            "offers": self._offers,
            "game_number": beside.number,
        }
        self._parts = self._parts or tuple(_Part(name, values) for name in PARTS)
        return Parts({part.name: part.drawn(seen, values) for part in self._parts})


class _Part:
    """One part, and how it was drawn last for those who see the same."""

    def __init__(self, name: str, values: Iterable[str]) -> None:
        self.name, file = name, f"parts/{name}.html"
        self._template = current_app.jinja_env.get_template(file)
        self._given = itemgetter("language", *_names(current_app.jinja_env, file).intersection(values))
        self._kept: dict[object, tuple[Callable[[Mapping[str, Any]], object], object, tuple[str, str]]] = {}

    def drawn(self, seen: Mapping[str, Any], values: Mapping[str, Any]) -> tuple[str, str]:
        """The part for this view and these values."""
        given = self._given(values)
        kept = self._kept.get(given)
        if kept:
            read, was, drawn = kept
            if read(seen) == was:
                return drawn
        reading = _Reading(seen)
        drawn = marked(self._template.render(view=reading, **values).strip())
        if len(self._kept) >= MOST_KEPT:
            self._kept.clear()
        read = itemgetter("phase", *reading.names)  # which may be none
        self._kept[given] = (read, read(seen), drawn)
        return drawn


class _Reading(Mapping[str, Any]):
    """A view that remembers what has been read in it; what changes with time, or by reader, is not there."""

    def __init__(self, seen: Mapping[str, Any]) -> None:
        self._seen = {name: value for name, value in seen.items() if name not in ("sand_left", "me")}
        self.names: set[str] = set()

    def __getitem__(self, name: str) -> Any:
        value = self._seen[name]
        self.names.add(name)
        return value

    def __iter__(self) -> Iterator[str]:
        return iter(self._seen)

    def __len__(self) -> int:
        return len(self._seen)


@lru_cache(maxsize=64)
def _names(jinja: Environment, template: str) -> frozenset[str]:
    """The names that a template, and whatever it imports, asks for. Many import the same."""
    assert jinja.loader
    tree = jinja.parse(jinja.loader.get_source(jinja, template)[0])
    found = frozenset(meta.find_undeclared_variables(tree))
    return found.union(*(_names(jinja, other) for other in meta.find_referenced_templates(tree) if other))


def marked(html: str) -> tuple[str, str]:
    """A part: a mark that changes with its content, and the content."""
    return f"{crc32(html.encode()):08x}", html


def _bidding(seen: Mapping[str, Any], me: str) -> bool:
    """Whether somebody bids on the page of this seat."""
    silenced = next((seat["silenced"] for seat in seen["seats"] if seat["name"] == me), True)
    return seen["phase"] == "auction" and not silenced


def _asks(
    following: Following | None, colours: Sequence[str]
) -> tuple[tuple[str, str, str, int], ...] | None:
    """The moves of which nobody saw which came first: from, to, colour and pips."""
    if following is None or following.asks is None:
        return None
    return tuple(
        (LETTERS[move.start], LETTERS[move.to], colours[move.die], move.pips) for move in following.asks
    )


def _fixing(seen: Mapping[str, Any], photo: Photo, then: Photo | None) -> Fixing:
    """What people make of the picture, while the table lies as it was laid."""
    laid = seen["situation"] if seen["phase"] in ("lay", "auction") else None
    return fixing(photo[1], then[1] if then else None, laid, seen["colours"])


def _shown(
    seen: Mapping[str, Any], photo: Photo, then: Photo | None, start: Mapping[str, int | None]
) -> Overlay:
    """The picture; no part of it can be put right where it shows other dice than the game's."""
    accepted = _accepted(seen, then)
    another = accepted is not None and _is_another(seen, photo[1], accepted)
    shown = overlay(photo, start, to_tell(photo[1], None if another else accepted))
    shown = replace(shown, another=another)
    ours = seen["phase"] == "start" or photo[1].dice.keys() <= set(seen["colours"])
    return shown if ours else replace(shown, parts=())


def _accepted(seen: Mapping[str, Any], then: Photo | None) -> Reading | None:
    """What had been read when the situation was laid, until its hourglass is turned."""
    return then[1] if then and seen["phase"] == "lay" and seen["situation"] else None


def _is_another(seen: Mapping[str, Any], now: Reading, accepted: Reading) -> bool:
    """Whether something else lies there than was laid, where that was surely read, and not corrected."""
    laid, colours = notation.read(seen["situation"]), seen["colours"]
    return accepted.sure and not is_another(accepted, colours, laid) and is_another(now, colours, laid)


def _laid(seen: Mapping[str, Any], fix: Fixing | None) -> str:
    """The situation to start from when one is entered by hand: what was laid, or what the camera saw."""
    if seen["phase"] == "lay" and seen["situation"]:
        return str(seen["situation"])
    return fix.line if fix else NOTHING_LAID
