"""Pages, posts and one stream of events: law: a thin skin; shows `view`, posts commands, holds no rules."""

from companion.web.app import announce_photo, create_app
from companion.web.forms import Offers
from companion.web.server import CannotServe, make_server, run

__all__ = ["CannotServe", "Offers", "announce_photo", "create_app", "make_server", "run"]
