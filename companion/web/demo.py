"""The virtual table's page: things to move, the panel, one's own seat, and others to play against."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from flask import (
    Blueprint,
    Response,
    current_app,
    jsonify,
    request,
    url_for,
)

from companion.games.corona import game
from companion.games.corona.rules import EditionName
from companion.games.corona.view import view
from companion.players.roster import CAST
from companion.players.runner import Players
from companion.rig import CoronaTable
from companion.web import words
from companion.web.events import STREAMS, Facts, Hub, Parts, answer
from companion.web.forms import LONGEST_SEAT
from companion.web.pages import PAGES, Pages
from companion.web.say import gettext
from hardware.virtual import VirtualPins, VirtualTable
from hardware.wiring import Wiring

Body = Mapping[str, Any]
MOST_STREAMS = 12
"""A virtual table is moved by few; the server's threads are for the phones."""
OTHERS = 3
"""So many play against a visitor who chooses nobody."""


class Unheard(Exception):
    """Something that could not be done; the text is one sentence in the reader's language."""


def demo_blueprint(
    virtual: VirtualTable,
    pins: VirtualPins,
    wiring: Wiring,
    table: CoronaTable,
    players: Players,
) -> Blueprint:
    """The page `/demo` over these parts; `wiring` says which pin is which."""
    return _Demo(virtual, pins, wiring, table, players).blueprint()


class _Demo:
    def __init__(
        self,
        virtual: VirtualTable,
        pins: VirtualPins,
        wiring: Wiring,
        table: CoronaTable,
        players: Players,
    ) -> None:
        self._virtual, self._pins, self._wiring, self._table = virtual, pins, wiring, table
        self._players = players
        self._hub = Hub(most=MOST_STREAMS)
        self._chance = Random()
        for source in (virtual, pins):
            source.listen(self._hub.wake)
        table.listen(lambda *_: self._hub.wake())

    def blueprint(self) -> Blueprint:
        blueprint = Blueprint("demo", "companion.web")
        blueprint.record(lambda made: made.app.extensions.setdefault(STREAMS, []).append(self._hub))
        blueprint.add_url_rule("/demo", "page", self.page)
        blueprint.add_url_rule("/demo/events", "events", self.events)
        acts: dict[str, Callable[[Body], object]] = {
            "piece": self._piece,
            "die": self._die,
            "scatter": lambda _: self._virtual.scatter(self._chance),
            "throw": lambda _: self._virtual.throw(self._chance),
            "hand": lambda body: self._virtual.hold(body["on"] is True),
            "press": self._press,
            "begin": self._begin,
            "let": self._let,
            "hurry": lambda _: self._players.hurry(),
        }
        for name, act in acts.items():
            blueprint.add_url_rule(f"/demo/{name}", name, _posting(act), methods=["POST"])
        return blueprint

    def page(self) -> str:
        """The page of the seat that is asked for, with the table above it; the streams keep it so."""
        pages: Pages = current_app.extensions[PAGES]
        return pages.whole(
            request.args.get("seat", "")[:LONGEST_SEAT] or None,
            template="demo.html",
            bench=self._look()[0],
            letters=[(chr(ord("A") + k), at) for k, at in enumerate(self._virtual.field_centres())],
            cast=CAST,
            chosen=list(CAST)[:OTHERS],
        )

    def events(self) -> Response:
        """What changes on the table, the panel and the photograph."""
        return answer(self._hub, self._look)

    def _look(self) -> tuple[Facts, Parts]:
        virtual, level = self._virtual, self._pins.level
        seats = view(self._table.state, None, self._table.now())["seats"]
        facts = {
            "pieces": [{"x": p.x, "y": p.y, "marker": p.marker} for p in virtual.pieces],
            "dice": [
                {"colour": d.colour, "x": d.x, "y": d.y, "yaw": d.yaw, "value": d.value}
                for d in virtual.dice.values()
            ],
            "hand": virtual.hand_stays,
            "throws": virtual.throws,
            "others": list(self._players.playing),
            "waits": self._players.waits,
            "seats": [seat["name"] for seat in seats],
            "setter_seat": next((seat["name"] for seat in seats if seat["setter"]), ""),
            "sand": [round(level(pin), 3) for pin in self._wiring.sand],
            "lamps": [level(pin) for pin in self._wiring.lamps],
            "setter": 0.0 if self._wiring.setter_lamp is None else level(self._wiring.setter_lamp),
        }
        return Facts(facts), Parts({})

    def _piece(self, body: Body) -> None:
        marker = body.get("marker")
        self._virtual.set_piece(int(body["number"]), float(body["x"]), float(body["y"]), marker)

    def _die(self, body: Body) -> None:
        value = body.get("value")
        colour, x, y = str(body["colour"]), float(body["x"]), float(body["y"])
        self._virtual.set_die(colour, x, y, None if value is None else int(value))

    def _begin(self, body: Body) -> dict[str, str]:
        """A game against others; they clear the table first, so that one sees how it is done."""
        person = str(body.get("person") or "").strip()
        chosen = [name for name in body["others"] if name in CAST and name != person]
        edition: EditionName = "de" if words.language() == "de" else "fr"
        start = game.Start((person, *chosen), chosen[-1] if chosen else person, edition)
        refused = self._players.begin(start, {name: CAST[name] for name in chosen}).refused
        if refused is not None:
            raise Unheard(words.refusal(refused.template, refused.values))
        return {"page": url_for("demo.page", seat=person)}

    def _let(self, body: Body) -> None:
        person = str(body.get("person") or "")
        if body["on"] is True and person not in self._table.state.seats:
            raise Unheard(gettext("Tap your own name first: nobody else plays there."))
        self._players.let(body["on"] is True, person)
        self._hub.wake()

    def _press(self, body: Body) -> None:
        button = body["button"]
        pin = self._wiring.setter if button == "setter" else self._wiring.bids[int(button)]
        if pin is None:
            raise IndexError("there is no such button")
        if "down" not in body:
            self._pins.press(pin)
        elif body["down"]:
            self._pins.hold(pin)
        else:
            self._pins.release(pin)


def _posting(act: Callable[[Body], object]) -> Callable[[], tuple[Response | str, int]]:
    def post() -> tuple[Response | str, int]:
        body = request.get_json(silent=True)
        try:
            answer = act(body if isinstance(body, dict) else {})
        except Unheard as fault:
            return jsonify(sentence=str(fault)), 409
        except (ValueError, LookupError, TypeError, OverflowError):
            return jsonify(sentence=gettext("That cannot lie there. Reload the page and try again.")), 400
        return (jsonify(answer), 200) if isinstance(answer, dict) else ("", 204)

    return post
