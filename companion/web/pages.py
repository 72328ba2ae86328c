"""The one page and its live parts, the posts of a round, the photo, the language and the stream."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from concurrent.futures import wait
from threading import Lock
from typing import Any, Literal

import segno
from flask import (
    Flask,
    Response,
    abort,
    jsonify,
    redirect,
    render_template,
    request,
    url_for,
)
from markupsafe import Markup
from werkzeug.wrappers import Response as Answer

from companion.games.corona import game, notation
from companion.games.corona.rules import MOST_POINTS
from companion.games.corona.view import past, pulse, view
from companion.playing_along import Following
from companion.store import StoreError
from companion.table import Table
from companion.web import forms, words
from companion.web.events import Facts, Hub, Parts, answer
from companion.web.fixing import Beneath
from companion.web.parts import Beside, Drawer, Reader, marked
from companion.web.photo import Photo
from companion.web.roles import NotYours, Role, Roles
from companion.web.say import gettext

CoronaTable = Table[game.State, game.Command, game.Event]
PAGES = "corona.pages"
"""Where an app keeps its `Pages`, for a page that adds to the one page."""
TOGETHER_S = 0.02
"""As long as this the sand is told to all alike; a phone shows whole seconds."""


class Pages:
    """The routes of one table; `route` hangs them into an app."""

    def __init__(
        self,
        table: CoronaTable,
        hub: Hub,
        photo: Callable[[], Photo | None],
        trouble: Callable[[], str | None],
        following: Callable[[], Following | None],
        addresses: tuple[str, ...],
        colours: Callable[[], tuple[str, ...]],
        offers: forms.Offers,
        roles: Roles,
    ) -> None:
        self._table = table
        self._hub = hub
        self._photo = photo
        self._trouble, self._following = trouble, following
        code = segno.make(addresses[0], error="m") if addresses else None
        self._qr = Markup(code.svg_inline(border=2, omitsize=True)) if code else ""
        self._addresses = addresses
        self._colours = colours
        self._drawer = Drawer(offers)
        self._beneath = Beneath(table, photo)
        self._order = Lock()
        self._roles = roles
        self._told: tuple[game.State | None, float, Facts] = (None, 0.0, Facts())

    def route(self, app: Flask) -> None:
        app.extensions[PAGES] = self
        app.add_url_rule("/", "page", self.page)
        app.add_url_rule("/right", "right", self.right)
        app.add_url_rule("/settings", "settings", self.settings)
        app.add_url_rule("/screen", "screen", self.screen)
        app.add_url_rule("/events", "events", self.events)
        app.add_url_rule("/photo.jpg", "photo", self.photo)
        app.add_url_rule("/language", "language", self.language, methods=["POST"])
        acts: dict[str, Callable[[], game.Command]] = {
            "start": self._start,
            "lay": self._lay,
            "turn": lambda: game.Turn(self._table.now()),
            "bid": lambda: forms.bid(request.form, self._table.now()),
            "result": lambda: forms.result(request.form, self._table.now()),
            "throw": lambda: forms.throw(request.form),
            "cancel": lambda: game.Cancel(self._table.now()),
            "move": lambda: forms.move(request.form, self._table.state.colours, self._table.now()),
            "done": lambda: game.Done(self._table.now()),
            "undo": self._undo,
            "correct": lambda: forms.correct(request.form, self._table.state),
            "join": lambda: forms.join(request.form),
            "leave": lambda: game.Leave(request.form.get("seat", "")),
            "pause": lambda: game.Pause(self._table.now()),
            "resume": lambda: game.Resume(self._table.now()),
        }
        for name, act in acts.items():
            app.add_url_rule(f"/{name}", name, self._posting(name, act), methods=["POST"])

    def page(self) -> Answer | str:
        """The whole page as it is now; who has no seat yet is asked at the door, unless they `look` on."""
        role = self._role(self._roles.known())
        if not role.plays and self._table.state.phase != "start" and "look" not in request.args:
            return redirect(url_for("door"), 303)
        return self.whole(_seat())

    def right(self) -> str:
        """Undo and corrections, comings and goings, pauses: plain forms that lead back to the page."""
        return self._mend(_seat())

    def settings(self) -> str:
        """What this phone does, the ways to what is set at the table, and what was agreed."""
        state, role = self._table.state, self._role(self._roles.known())
        return render_template("settings.html", view=view(state, None, self._table.now()), role=role)

    def screen(self) -> str:
        """The big screen, for a TV or a tablet: how to join, who sits where, and the round for all to see."""
        facts, parts = self._look_on_screen()
        return render_template("screen.html", facts=facts, parts=parts, seat=None)

    def events(self) -> Response:
        """The stream that keeps a page, or the big screen, up to date."""
        seat, phone, language = _seat(), self._roles.known(), words.language()
        look = self._look_on_screen if "screen" in request.args else lambda: self._look(seat, phone, language)
        return answer(self._hub, look)

    def photo(self) -> Response:
        """The last picture of the table."""
        photo = self._photo()
        if photo is None:
            abort(404)
        return Response(photo[0], mimetype="image/jpeg")

    def language(self) -> Answer:
        """Keeps the language chosen on this phone."""
        chosen = request.form.get("language", "")
        if chosen not in words.LANGUAGES:
            abort(400)
        here = request.form.get("here", "")
        # Only a page of this server: "//elsewhere" and "/\\elsewhere" would be another's.
        answer = redirect(here if re.match(r"/(?![/\\\s])", here) else _back(), 303)
        answer.set_cookie(words.COOKIE, chosen, max_age=365 * 86400, httponly=True, samesite="Lax")
        return answer

    def _start(self) -> game.Start:
        # Two phones may show the same empty form: the second must not sweep away the first one's game.
        if request.form.get("game", "") != self._game_number():
            raise forms.BadForm(gettext("Another phone has just started a game."))
        return forms.start(request.form, self._colours())

    def _lay(self) -> game.Lay:
        # What was corrected is what the page showed: since then something else may have been laid.
        state = self._table.state
        laid = notation.write(state.situation) if state.situation else ""
        if request.form.get("then", laid) != laid:
            raise forms.BadForm(gettext("Something else has happened meanwhile: look again."))
        return forms.lay(request.form, state.colours)

    def _undo(self) -> game.Undo:
        # What the page showed, and nothing that has happened since.
        if request.form.get("change") != self._table.change:
            raise forms.BadForm(gettext("Something else has happened meanwhile: look again."))
        return forms.undo(request.form)

    def _game_number(self) -> str:
        return str(self._table.game_number or "")

    def _posting(
        self, name: str, command: Callable[[], game.Command]
    ) -> Callable[[], Answer | tuple[Any, int]]:
        def act() -> Answer | tuple[Any, int]:
            try:
                self._let_in(name)
                with self._order:  # handed in with growing times
                    asked = self._table.post(command())
                    if name == "undo":  # of a button tapped twice the second tap finds that it is done
                        wait([asked])
                outcome = asked.result()
            except NotYours as fault:
                return self._refuse(str(fault), 403)
            except forms.BadForm as fault:
                return self._refuse(str(fault), 400)
            except StoreError as fault:
                return self._refuse(words.refusal(fault.template, fault.values), 503)
            if outcome.refused is not None:
                status: Literal[409, 503] = 503 if isinstance(outcome.refused, StoreError) else 409
                return self._refuse(words.refusal(outcome.refused.template, outcome.refused.values), status)
            return Response(status=204) if _by_script() else redirect(_back(), 303)

        return act

    def _let_in(self, act: str) -> None:
        """Raises `NotYours` unless this phone may; a PIN that came with the form makes it the host's."""
        pin = request.form.get("pin")
        if pin is not None and self._roles.phones:
            self._roles.become_host(pin)
        self._role(self._roles.known()).check(act, request.form.get("me", ""))

    def _refuse(self, sentence: str, status: Literal[400, 403, 409, 503]) -> tuple[Any, int]:
        if _by_script():
            return jsonify(sentence=sentence), status
        if request.form.get("page") == "right":
            typed = {
                "form": request.endpoint,
                **request.form.to_dict(),
                "chips": request.form.getlist("chips"),
            }
            return self._mend(forms.by(request.form), sentence, typed), status
        return self.whole(forms.by(request.form), sentence), status

    def _mend(self, seat: str | None, notice: str = "", typed: Mapping[str, object] | None = None) -> str:
        """The page of corrections; `typed` is what was refused, to be mended."""
        change, state, role = self._table.change, self._table.state, self._role(self._roles.known())
        return render_template(
            "right.html",
            view=view(state, role.me(seat), self._table.now()),
            past=past(state),
            role=role,
            change=change,
            seat=seat,
            most=MOST_POINTS,
            notice=notice,
            typed=typed or {},
        )

    def whole(self, seat: str | None, notice: str = "", template: str = "page.html", **more: Any) -> str:
        """The page, or `template`, which adds to it, as it is now; `more` is what that shows besides."""
        facts, parts = self._look(seat, self._roles.known(), words.language())
        return render_template(
            template,
            facts=facts,
            parts=parts,
            seat=seat,
            role=self._role(self._roles.known()),
            notice=notice,
            addresses=self._addresses,
            qr=self._qr,
            **more,
        )

    def _look_on_screen(self) -> tuple[Facts, Parts]:
        """As `_look`, for somebody who only looks on, and how to join."""
        facts, parts = self._look(None, None, words.language())
        phones, state = self._roles.phones, self._table.state
        html = render_template(
            "parts/join.html",
            seats=[{"name": name, "kept": bool(phones and phones.keeper(name))} for name in state.seats],
            pin=phones.fresh_pin if phones else None,
            addresses=self._addresses,
            qr=self._qr,
            phase=state.phase,
        ).strip()
        return facts, Parts({**parts.drawn, "join": marked(html)})

    def _role(self, phone: str | None) -> Role:
        return self._roles.of(phone, self._table.state.seats)

    def _look(self, seat: str | None, phone: str | None, language: str) -> tuple[Facts, Parts]:
        """The small facts and the parts of the page, as they are now, on `phone` that asks for `seat`'s."""
        role, state = self._role(phone), self._table.state
        me = role.me(seat)
        reader = Reader(language, me if me and me in state.seats else "", role)
        parts = self._drawer.parts(state, self._beside(), reader)
        return self._facts(state), parts

    def _facts(self, state: game.State) -> Facts:
        """The same for all who look at nearly the same time: a change wakes them all at once."""
        now, (told, at, facts) = self._table.now(), self._told
        if told is not state or now - at > TOGETHER_S:
            facts = Facts(pulse(state, now))
            self._told = (state, now, facts)
        return facts

    def _beside(self) -> Beside:
        return Beside(
            self._photo(), self._beneath.then, self._trouble(), self._following(), self._game_number()
        )


def _seat() -> str | None:
    return request.args.get("seat", "")[: forms.LONGEST_SEAT] or None


def _back() -> str:
    """The page of the seat that posted."""
    return url_for("page", seat=forms.by(request.form))


def _by_script() -> bool:
    return request.accept_mimetypes.best == "application/json"
