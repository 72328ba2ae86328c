"""Serving the pages under waitress, with room for many phones that keep a stream open."""

from __future__ import annotations

import errno
from typing import Any

import waitress
from flask import Flask
from waitress import wasyncore
from waitress.server import BaseWSGIServer, MultiSocketServer

from companion.games.corona.rules import CoronaError
from companion.web.events import STREAMS

THREADS = 128
"""Every open stream keeps one thread; those beyond `events.MOST_STREAMS` stay free for pages and posts."""
IDLE_SECONDS = 60
"""A browser keeps up to six lines that it does not use; they are taken back. Open streams are in use."""
CLEANUP_SECONDS = 20
"""Every so often it is looked which lines these are."""


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
    stop = server.task_dispatcher.shutdown

    def end_streams_and_stop(*args: Any, **options: Any) -> Any:
        for hub in app.extensions.get(STREAMS, ()):
            hub.close()
        return stop(*args, **options)

    # Open streams hold their threads: without this, stopping would wait for them in vain.
    server.task_dispatcher.shutdown = end_streams_and_stop
    return server


def serve(app: Flask, host: str, port: int) -> None:
    """Serves `app` until the process is told to stop; raises `CannotServe`."""
    make_server(app, host, port).run()


def _why(fault: OSError | ValueError, host: str, port: int) -> str:
    number = fault.errno if isinstance(fault, OSError) else None
    if number == errno.EADDRINUSE:
        return f"Port {port} on {host} is in use: stop the other program, or choose another with --port."
    if number == errno.EACCES:
        return f"Port {port} may not be opened by this user: choose one above 1023 with --port."
    return (
        f"{host} port {port} cannot be opened ({fault}): use an address of this machine, or 0.0.0.0 for all."
    )
