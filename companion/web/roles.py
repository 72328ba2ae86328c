"""Who may do what: a seat's own phone bids for it, who has a seat plays, the host does the rest."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import NamedTuple

from flask import session

from companion.phones import Phones, TooManyTries
from companion.web.say import gettext, ngettext

HOSTS = frozenset({"start", "undo", "correct", "join", "leave", "cancel", "setup"})
"""What only the host does."""


class NotYours(Exception):
    """Somebody else's to do; the text is one sentence in the reader's language."""


class Role(NamedTuple):
    """What this phone is: `kept` are its seats. Where phones are not told apart, everybody is everything."""

    apart: bool
    host: bool = True
    kept: tuple[str, ...] = ()

    @property
    def plays(self) -> bool:
        """Whether this phone may do what a player does."""
        return self.host or bool(self.kept)

    def me(self, asked: str | None) -> str | None:
        """Whose page this phone shows, if `asked` for that seat's."""
        if not self.apart:
            return asked
        return asked if asked in self.kept else next(iter(self.kept), None)

    def check(self, act: str, seat: str) -> None:
        """Raises `NotYours` unless this phone may do this `act`, a bid for `seat`."""
        if not self.apart:
            return
        if act == "bid" and seat not in self.kept:
            raise NotYours(
                gettext("Another phone bids for %(name)s, or none yet: take that seat first.", name=seat)
            )
        if act in HOSTS and not self.host:
            raise NotYours(gettext("Only the host does that: give the host's PIN first."))
        if not self.plays:
            raise NotYours(gettext("Take a seat first: who only looks on changes nothing."))


class Roles:
    """Tells phones apart by a signed cookie; without `phones` everybody may do everything."""

    def __init__(self, phones: Phones | None) -> None:
        self.phones = phones

    def known(self) -> str | None:
        """The number of this request's phone, if it has one."""
        return session.get("phone") if self.phones else None

    def given(self) -> str:
        """The number of this request's phone; one that has none is given one."""
        if "phone" not in session:
            session["phone"] = secrets.token_hex(16)
            session.permanent = True
        return str(session["phone"])

    def become_host(self, pin: str, stays: bool = True) -> None:
        """Raises `NotYours` unless it is the host's PIN; for this one request, if it is not to stay so."""
        assert self.phones is not None
        try:
            right = self.phones.let_in(self.given(), pin, stays)
        except TooManyTries as fault:
            raise NotYours(
                ngettext(
                    "Too many wrong PINs: wait %(num)d second.",
                    "Too many wrong PINs: wait %(num)d seconds.",
                    round(fault.seconds),
                )
            ) from fault
        if not right:
            raise NotYours(gettext("That is not the host's PIN."))

    def of(self, phone: str | None, seats: Sequence[str]) -> Role:
        """The role of a phone where these seats are at the table."""
        if self.phones is None:
            return Role(apart=False)
        kept = tuple(seat for seat in self.phones.kept(phone) if seat in seats)
        return Role(True, self.phones.is_host(phone), kept)
