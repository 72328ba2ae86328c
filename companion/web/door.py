"""The door: who are you? Taking a seat on this phone, giving it back, and the host's PIN."""

from __future__ import annotations

from collections.abc import Callable

from flask import Flask, abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as Answer

from companion.games.corona.state import State
from companion.phones import Phones
from companion.web.roles import NotYours, Roles
from companion.web.say import gettext

Page = tuple[str, int]


class Door:
    """The routes; `state` is the table's as it is now."""

    def __init__(self, roles: Roles, state: Callable[[], State]) -> None:
        self._roles, self._state = roles, state

    def route(self, app: Flask) -> None:
        """Hangs the pages into `app`."""
        app.add_url_rule("/door", "door", self.door)
        for name, act in {
            "sit": self._sit,
            "stand": self._stand,
            "host": self._host,
            "pin": self._pin,
        }.items():
            app.add_url_rule(f"/door/{name}", name, self._posting(act), methods=["POST"])

    def door(self) -> str:
        """Who sits where, and which seats are free."""
        return self._page("")

    def _page(self, notice: str) -> str:
        phones, state = self._roles.phones, self._state()
        if phones is None:
            abort(404)
        role = self._roles.of(self._roles.known(), state.seats)
        seats = [{"name": name, "kept": phones.keeper(name) is not None} for name in state.seats]
        return render_template("door.html", seats=seats, role=role, notice=notice)

    def _posting(self, act: Callable[[Phones], None]) -> Callable[[], Answer | Page]:
        def post() -> Answer | Page:
            if self._roles.phones is None:
                abort(404)
            try:
                act(self._roles.phones)
            except NotYours as fault:
                return self._page(str(fault)), 403
            except OSError:
                return self._page(gettext("That could not be kept: is the disk full?")), 503
            back = request.form.get("back")
            return redirect(url_for(back if back in ("right", "setup") else "page"), 303)

        return post

    def _sit(self, phones: Phones) -> None:
        seat = request.form.get("seat", "")
        if seat not in self._state().seats:
            raise NotYours(gettext("Nobody of that name has a seat: look again."))
        phone = self._roles.given()
        over = "over" in request.form and phones.is_host(phone)  # asked for: a slip takes no one's seat
        if "pin" in request.form:
            self._roles.become_host(request.form["pin"], stays=False)  # it counts for the seat alone
            over = True
        if not phones.take(seat, phone, over=over):
            raise NotYours(
                gettext(
                    "Another phone keeps the seat of %(name)s: it can be taken over with the host's PIN.",
                    name=seat,
                )
            )

    def _stand(self, phones: Phones) -> None:
        phones.give_back(request.form.get("seat", ""), self._roles.given())

    def _host(self, _: Phones) -> None:
        self._roles.become_host(request.form.get("pin", ""))

    def _pin(self, phones: Phones) -> None:
        phone = self._roles.given()
        if not phones.is_host(phone):
            raise NotYours(gettext("Only the host does that: give the host's PIN first."))
        if not phones.change_pin(phone, request.form.get("pin", "").strip()):
            raise NotYours(gettext("A PIN has 4 to 8 digits."))
