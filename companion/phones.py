"""Whose phone may do what: the seats each phone keeps and the host's phones, in a small file."""

from __future__ import annotations

import json
import logging
import os
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

log = logging.getLogger(__name__)

PHONES = "phones.json"
"""The file's name, beside the log."""
PIN_DIGITS = 4
TRIES, TRIES_SECONDS = 5, 60.0
"""So many wrong PINs in so many seconds, from all phones together: 10,000 take more than a day."""


class TooManyTries(RuntimeError):
    """Wrong PINs came too quickly; `seconds` is how long to wait."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        super().__init__(f"too many wrong PINs; wait {seconds:.0f} s")


@dataclass
class _Known:
    """What the file holds; phones by the numbers drawn for them."""

    secret: str
    pin: str
    used: bool
    hosts: list[str]
    seats: dict[str, str]


class Phones:
    """The seats that phones keep and who is the host, through every restart. Safe from any thread.

    A phone is known by a number drawn for it, which the server signs (`secret`) into its cookie.
    """

    def __init__(self, file: Path, clock: Callable[[], float] = time.monotonic) -> None:
        self._file, self._clock = file, clock
        self._lock = threading.Lock()
        self._wrong: list[float] = []
        self._listeners: list[Callable[[], None]] = []
        known = _read(file)
        self._known = known or _Known(secrets.token_hex(32), _new_pin(), used=False, hosts=[], seats={})
        if known is None:
            self._write()
        self.secret = bytes.fromhex(self._known.secret)

    def listen(self, listener: Callable[[], None]) -> None:
        """Calls `listener` whenever a seat or the host has changed."""
        self._listeners.append(listener)

    @property
    def fresh_pin(self) -> str | None:
        """The PIN to be shown, until somebody has used it; then None."""
        return None if self._known.used else self._known.pin

    def is_host(self, phone: str | None) -> bool:
        """Whether this phone has given the PIN."""
        return phone is not None and phone in self._known.hosts

    def let_in(self, phone: str, pin: str, stays: bool = True) -> bool:
        """Whether the PIN is right: this phone is then a host's, if it `stays` one. Raises `TooManyTries`."""
        with self._lock:
            now = self._clock()
            self._wrong = [at for at in self._wrong if now - at < TRIES_SECONDS]
            if len(self._wrong) >= TRIES:
                raise TooManyTries(TRIES_SECONDS - (now - self._wrong[0]))
            if not secrets.compare_digest(pin.strip().encode(), self._known.pin.encode()):
                self._wrong.append(now)
                return False
            if stays and phone not in self._known.hosts:
                self._known.hosts.append(phone)
            self._known.used = True
            self._write()
        self._tell()
        return True

    def change_pin(self, phone: str, pin: str) -> bool:
        """Another PIN, of digits: from now on only `phone` is the host's. False if it is none."""
        if not (pin.isascii() and pin.isdigit() and PIN_DIGITS <= len(pin) <= 2 * PIN_DIGITS):
            return False
        with self._lock:
            self._known = replace(self._known, pin=pin, used=True, hosts=[phone])
            self._write()
        self._tell()
        return True

    def keeper(self, seat: str) -> str | None:
        """The phone that keeps this seat."""
        return self._known.seats.get(seat)

    def kept(self, phone: str | None) -> tuple[str, ...]:
        """The seats that this phone keeps, its first one first."""
        seats = self._known.seats.items()
        return tuple(seat for seat, keeper in seats if phone is not None and keeper == phone)

    def take(self, seat: str, phone: str, over: bool = False) -> bool:
        """The phone keeps this seat from now on; False if another one does, unless it is taken `over`."""
        with self._lock:
            seats = self._known.seats
            if not over and seats.get(seat, phone) != phone:
                return False
            if seats.get(seat) != phone:
                seats[seat] = phone
                self._write()
        self._tell()
        return True

    def give_back(self, seat: str, phone: str) -> None:
        """The phone keeps this seat no longer."""
        with self._lock:
            if self._known.seats.get(seat) == phone:
                del self._known.seats[seat]
                self._write()
        self._tell()

    def _tell(self) -> None:
        for listener in self._listeners:
            listener()

    def _write(self) -> None:
        """All of it at once: whatever happens meanwhile, the file is the old one or the new one."""
        self._file.parent.mkdir(parents=True, exist_ok=True)
        fresh = self._file.with_suffix(".new")
        with open(fresh, "w", encoding="utf-8", opener=_private) as out:
            json.dump(asdict(self._known), out)
            out.flush()
            os.fsync(out.fileno())
        fresh.replace(self._file)


def _private(path: str, flags: int) -> int:
    """For nobody else on this machine: the secret and the PIN are in it."""
    return os.open(path, flags, 0o600)


def _read(file: Path) -> _Known | None:
    """What is in the file; None if there is none, or none that can be used, which is then put aside."""
    try:
        return _known(json.loads(file.read_text(encoding="utf-8")))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError):
        aside = file.with_suffix(".damaged")
        file.replace(aside)
        log.warning("%s was damaged and is %s now: take your seats again; there is a new PIN.", file, aside)
        return None


def _known(data: Any) -> _Known:
    """Raises `TypeError` or `ValueError` for anything but what `_write` wrote."""
    known = _Known(**data)
    texts = (known.secret, known.pin, *known.hosts, *known.seats, *known.seats.values())
    if not all(isinstance(text, str) for text in texts) or len(bytes.fromhex(known.secret)) < 32:
        raise ValueError("not what was written")
    return known


def _new_pin() -> str:
    return f"{secrets.randbelow(10**PIN_DIGITS):0{PIN_DIGITS}}"
