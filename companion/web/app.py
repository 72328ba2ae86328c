"""The Flask app put together: languages, guards, errors and the pages of one table."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from threading import Lock
from typing import cast

from flask import Flask, jsonify, render_template, request
from flask.templating import Environment
from flask_babel import Babel
from jinja2 import nodes
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Response

from companion.games.corona.rules import DEFAULT_COLOURS
from companion.phones import Phones
from companion.playing_along import Following
from companion.web import drawing, help, install, told, words
from companion.web.bench import Bench, part_name
from companion.web.door import Door
from companion.web.events import MOST_STREAMS, STREAMS, Hub, lend_writers
from companion.web.forms import Offers
from companion.web.guard import Limit, guard
from companion.web.packing import pack
from companion.web.pages import CoronaTable, Pages
from companion.web.photo import Photo
from companion.web.roles import Roles
from companion.web.rounds import Rounds
from companion.web.say import gettext
from companion.web.study import Study
from companion.workbench.bench import Workbench

CONFIG = {
    "MAX_CONTENT_LENGTH": 16 * 1024,
    "MAX_FORM_PARTS": 100,
    "SESSION_COOKIE_NAME": "phone",
    "SESSION_COOKIE_SAMESITE": "Lax",
    "SESSION_REFRESH_EACH_REQUEST": False,
    "PERMANENT_SESSION_LIFETIME": timedelta(days=400),
}


def create_app(
    table: CoronaTable,
    *,
    photo: Callable[[], Photo | None] = lambda: None,
    trouble: Callable[[], str | None] = lambda: None,
    following: Callable[[], Following | None] = lambda: None,
    addresses: tuple[str, ...] = (),
    colours: Callable[[], tuple[str, ...]] = lambda: DEFAULT_COLOURS,
    offers: Offers | None = None,
    phones: Phones | None = None,
    today: Callable[[], date] = date.today,
    streams: int = MOST_STREAMS,
    limit: Limit | None = None,
    bench: Workbench | None = None,
) -> Flask:
    """The pages of `table`.

    `photo` gives the last picture of the table: JPEG bytes, what was read in it, and a number that
    grows with each; None while there is none. `trouble` says why there is none, and `following` what the
    camera leaves open of a play. `addresses` are where phones find this server, the surest first;
    `colours` gives the set's colour order for new games, and `offers` what else their form has chosen at
    first. `phones` tells phones apart, so that each bids for its own seat and only the host's corrects;
    without, everybody may do everything. `today` says which puzzle is the daily one, and `bench` is what the
    host sets up and tries. Call `announce_photo` when there is a new picture.
    """
    app = Flask("companion.web")
    app.config |= CONFIG
    bench = bench or Workbench()
    _templates(app, bench)
    hub = Hub(streams)
    app.extensions["corona"] = hub
    app.extensions.setdefault(STREAMS, []).append(hub)
    lend_writers(app)
    guard(app, limit or Limit())
    pack(app)
    roles = Roles(phones)
    if phones:
        app.secret_key = phones.secret
        phones.listen(hub.wake)
    app.register_error_handler(HTTPException, _problem)
    help.route(app)
    install.route(app)
    Study(lambda: table.state, colours, today).route(app)
    Rounds(lambda: table.state).route(app)
    Pages(table, hub, photo, trouble, following, addresses, colours, offers or Offers(), roles).route(app)
    table.listen(lambda *_: hub.wake())  # behind the pages, which note what they draw
    Door(roles, lambda: table.state).route(app)
    Bench(bench, roles).route(app)
    return app


def _templates(app: Flask, bench: Workbench) -> None:
    """What every template knows, and the language it is read in."""
    app.jinja_environment = _InTurn
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    Babel(app, locale_selector=words.language)
    app.jinja_env.globals |= {
        **{"words": words, "drawing": drawing, "told": told, "part_name": part_name, "bench": bench},
    }
    app.context_processor(lambda: {"language": words.language()})


class _InTurn(Environment):
    """Templates that are read one after another, whatever thread asks.

    Jinja reads their literals with `ast`. In Python 3.11, which Bookworm has, two threads that do so at
    once may fail: "AST constructor recursion depth mismatch" (python/cpython#106905).
    """

    _one = Lock()

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        with self._one:
            return super()._parse(source, name, filename)


def announce_photo(app: Flask) -> None:
    """Tells every phone that there is a new picture of the table."""
    cast(Hub, app.extensions["corona"]).wake()


def _problem(fault: Exception) -> Response | tuple[Response | str, int]:
    """A fault as one sentence: JSON for the page's own script, a page otherwise."""
    assert isinstance(fault, HTTPException)
    status = fault.code or 500
    if status < 400:
        return fault.get_response()
    sentence = {
        403: gettext("This came from another page: open the companion itself and try again."),
        404: gettext("There is nothing here."),
        405: gettext("There is nothing here."),
        413: gettext("That was too much at once."),
        429: gettext("That was too much at once: wait a moment, then try again."),
    }.get(status) or gettext("The companion could not do that. Reload the page and try again.")
    if request.accept_mimetypes.best == "application/json":
        return jsonify(sentence=sentence), status
    return render_template("problem.html", sentence=sentence), status
