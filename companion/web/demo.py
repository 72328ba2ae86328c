"""The virtual table's page: a drawing to move things on, the panel, and what the camera makes of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from flask import Blueprint, Response, abort, jsonify, render_template, request, stream_with_context
from flask_babel import gettext

from companion.games.corona.view import view
from companion.rig import CoronaTable, Rig
from companion.web.events import STREAMS, Hub, Parts, stream
from companion.web.parts import marked
from companion.web.photo import overlay
from hardware.virtual import VirtualPins, VirtualTable
from hardware.wiring import Wiring

Body = Mapping[str, Any]
MOST_STREAMS = 12
"""A virtual table is moved by few; the server's threads are for the phones."""


def demo_blueprint(
    virtual: VirtualTable, pins: VirtualPins, wiring: Wiring, rig: Rig, table: CoronaTable
) -> Blueprint:
    """The page `/demo` over these parts; `wiring` says which pin is which."""
    return _Demo(virtual, pins, wiring, rig, table).blueprint()


class _Demo:
    def __init__(
        self, virtual: VirtualTable, pins: VirtualPins, wiring: Wiring, rig: Rig, table: CoronaTable
    ) -> None:
        self._virtual, self._pins, self._wiring, self._rig, self._table = virtual, pins, wiring, rig, table
        self._hub = Hub(most=MOST_STREAMS)
        self._chance = Random()
        for source in (virtual, pins, rig):
            source.listen(self._hub.wake)
        table.listen(lambda *_: self._hub.wake())

    def blueprint(self) -> Blueprint:
        blueprint = Blueprint("demo", "companion.web")
        blueprint.record(lambda made: made.app.extensions.setdefault(STREAMS, []).append(self._hub))
        blueprint.add_url_rule("/demo", "page", self.page)
        blueprint.add_url_rule("/demo/events", "events", self.events)
        acts: dict[str, Callable[[Body], None]] = {
            "piece": self._piece,
            "die": self._die,
            "scatter": lambda _: self._virtual.scatter(self._chance),
            "throw": lambda _: self._virtual.throw(self._chance),
            "hand": lambda body: self._virtual.hold(body["on"] is True),
            "press": self._press,
        }
        for name, act in acts.items():
            blueprint.add_url_rule(f"/demo/{name}", name, _posting(act), methods=["POST"])
        return blueprint

    def page(self) -> str:
        """The page as it is now; the stream keeps it so."""
        facts, parts = self._look()
        return render_template(
            "demo.html",
            seat=None,
            facts=facts,
            parts=parts,
            letters=[(chr(ord("A") + k), at) for k, at in enumerate(self._virtual.field_centres())],
        )

    def events(self) -> Response:
        """What changes on the table, the panel and the photograph."""
        waker = self._hub.enter()
        if waker is None:
            abort(503)
        answer = Response(
            stream_with_context(stream(self._hub, waker, self._look)), mimetype="text/event-stream"
        )
        answer.headers["X-Accel-Buffering"] = "no"
        answer.call_on_close(lambda: self._hub.leave(waker))
        return answer

    def _look(self) -> tuple[dict[str, Any], Parts]:
        virtual, level = self._virtual, self._pins.level
        seats = view(self._table.state, None, self._table.now())["seats"]
        facts = {
            "pieces": [{"x": p.x, "y": p.y, "marker": p.marker} for p in virtual.pieces],
            "dice": [
                {"colour": d.colour, "x": d.x, "y": d.y, "yaw": d.yaw, "value": d.value}
                for d in virtual.dice.values()
            ],
            "hand": virtual.hand_stays,
            "seats": [seat["name"] for seat in seats],
            "sand": [round(level(pin), 3) for pin in self._wiring.sand],
            "lamps": [level(pin) for pin in self._wiring.lamps],
            "setter": 0.0 if self._wiring.setter_lamp is None else level(self._wiring.setter_lamp),
        }
        return facts, {"seen": marked(self._seen())}

    def _seen(self) -> str:
        photo = self._rig.latest()
        return render_template(
            "parts/demo_seen.html", photo=photo and overlay(photo), trouble=self._rig.trouble
        ).strip()

    def _piece(self, body: Body) -> None:
        marker = body.get("marker")
        self._virtual.set_piece(int(body["number"]), float(body["x"]), float(body["y"]), marker)

    def _die(self, body: Body) -> None:
        value = body.get("value")
        colour, x, y = str(body["colour"]), float(body["x"]), float(body["y"])
        self._virtual.set_die(colour, x, y, None if value is None else int(value))

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


def _posting(act: Callable[[Body], None]) -> Callable[[], tuple[Response | str, int]]:
    def post() -> tuple[Response | str, int]:
        body = request.get_json(silent=True)
        try:
            act(body if isinstance(body, dict) else {})
        except (ValueError, LookupError, TypeError, OverflowError):
            return jsonify(sentence=gettext("That cannot lie there. Reload the page and try again.")), 400
        return "", 204

    return post
