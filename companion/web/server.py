"""Serving the pages under waitress, with room for many phones that keep a stream open."""

from __future__ import annotations

import errno
import gc
from typing import Any

import waitress
from flask import Flask
from waitress import wasyncore
from waitress.channel import ClientDisconnected, HTTPChannel
from waitress.server import BaseWSGIServer, MultiSocketServer

from companion.games.corona.rules import CoronaError
from companion.web.events import STREAMS

THREADS = 128
"""Every open stream keeps one thread; those beyond `events.MOST_STREAMS` stay free for pages and posts."""
IDLE_SECONDS = 60
"""A browser keeps up to six lines that it does not use; they are taken back. Open streams are in use."""
CLEANUP_SECONDS = 20
"""Every so often it is looked which lines these are."""


MOST_WAITING = 1 << 20
"""Bytes a phone that sleeps may leave unread: then it is let go, and asks for all when it wakes."""


class Line(HTTPChannel):  # type: ignore[misc]  # waitress is not typed
    """One phone's line, as waitress serves it, but for two things that streams need."""

    def writable(self) -> bool:
        """Whether the server's loop shall send what waits: not while a thread is sending just that.

        A loop that is told so goes round and round meanwhile, and takes the interpreter from that thread
        after each line: of 100 phones the last then hear tenths of a second late (docs/benchmarks.md).
        """
        if self.will_close or self.close_when_flushed:
            return True
        if not self.total_outbufs_len or not self.outbuf_lock.acquire(blocking=False):
            return False
        self.outbuf_lock.release()
        return True

    def write_soon(self, data: Any) -> int:
        """Writes, or ends a line whose phone has not read for long: nobody else shall wait for it."""
        if self.total_outbufs_len > MOST_WAITING:
            self.will_close = True
            self.server.pull_trigger()
            raise ClientDisconnected
        return int(super().write_soon(data))


class CannotServe(CoronaError, OSError):
    """The address could not be opened; the text says why and what to do."""


def make_server(app: Flask, host: str, port: int) -> MultiSocketServer | BaseWSGIServer:
    """A server with its socket open, to `run()` and to `close()`; port 0 takes any free one.

    Raises `CannotServe` when the address is taken, not this machine's, or not allowed.
    """
    channels: dict[int, Any] = {}
    try:
        server = waitress.create_server(
            app,
            map=channels,
            host=host,
            port=port,
            threads=THREADS,
            connection_limit=400,
            channel_timeout=IDLE_SECONDS,
            cleanup_interval=CLEANUP_SECONDS,
            max_request_header_size=1 << 14,
            max_request_body_size=1 << 20,
            clear_untrusted_proxy_headers=True,
            ident="corona",
        )
    except (OSError, ValueError) as fault:
        wasyncore.close_all(channels, ignore_all=True)
        raise CannotServe(_why(fault, host, port)) from fault
    for listening in channels.values():
        if isinstance(listening, BaseWSGIServer):
            listening.channel_class = Line
    stop = server.task_dispatcher.shutdown

    def end_streams_and_stop(*args: Any, **options: Any) -> Any:
        for hub in app.extensions.get(STREAMS, ()):
            hub.close()
        return stop(*args, **options)

    # Open streams hold their threads: without this, stopping would wait for them in vain.
    server.task_dispatcher.shutdown = end_streams_and_stop
    return server


def run(server: MultiSocketServer | BaseWSGIServer) -> None:
    """Serves until the process is told to stop.

    What is there by now stays as long as the program: Python need not look through it for garbage ever again,
    which would hold everybody up for 35 ms (docs/benchmarks.md).
    """
    gc.collect()
    gc.freeze()
    server.run()


def _why(fault: OSError | ValueError, host: str, port: int) -> str:
    number = fault.errno if isinstance(fault, OSError) else None
    if number == errno.EADDRINUSE:
        return f"Port {port} on {host} is in use: stop the other program, or choose another with --port."
    if number == errno.EACCES:
        return f"Port {port} may not be opened by this user: choose one above 1023 with --port."
    return (
        f"{host} port {port} cannot be opened ({fault}): use an address of this machine, or 0.0.0.0 for all."
    )
