"""What the terminal says when the companion is up: its address, and the QR code that phones scan."""

from __future__ import annotations

import io
import socket
import sys
from typing import TextIO
from urllib.parse import urlsplit

import segno

ANYWHERE = ("0.0.0.0", "::", "")


def address(host: str, port: int) -> str:
    """Where phones find the companion: by number, because names like corona.local fail on many Androids."""
    return f"http://{own_address() if host in ANYWHERE else host}:{port}/"


def own_address() -> str:
    """The address of this machine in its network; 127.0.0.1 without one."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Nothing is sent: a datagram socket that is connected only learns its own side.
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return "127.0.0.1"
        return str(probe.getsockname()[0])


def only_here(link: str) -> bool:
    """Whether `link` leads back to whatever machine opens it: on a phone to the phone itself."""
    host = urlsplit(link).hostname or ""
    return host.startswith("127.") or host in ("localhost", "::1")


def welcome(lines: list[str], link: str, out: TextIO | None = None) -> None:
    """Print the QR code of `link`, where the terminal can show it and phones reach it, and `lines` below."""
    out = out or sys.stdout
    drawn = io.StringIO()
    segno.make(link, error="l").terminal(drawn, border=2, compact=True)
    code = drawn.getvalue()
    try:
        code.encode(out.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        code = ""
    if out.isatty() and not only_here(link):
        out.write(code)
    out.write("".join(f"{line}\n" for line in lines))
    out.flush()
