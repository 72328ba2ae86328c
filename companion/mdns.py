"""A name for the companion in its network (mDNS): corona.local beside the number, with the extra `mdns`."""

from __future__ import annotations

import logging
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

log = logging.getLogger(__name__)


@contextmanager
def announced(name: str, address: str, port: int) -> Iterator[str | None]:
    """The address by name, told to the network while the context lasts; None where it cannot be told.

    `address` is this machine's by number. Names like corona.local fail on many Androids: they come on top.
    """
    try:
        from zeroconf import Error, ServiceInfo, Zeroconf
    except ImportError:  # the extra `mdns` is not installed
        yield None
        return
    host, kind = f"{name}.local", "_http._tcp.local."
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as own:
            own.bind((address, 0))  # this machine's? the library would leave a socket open behind its fault
        numbers = [socket.inet_aton(address)]
        service = ServiceInfo(kind, f"{name}.{kind}", addresses=numbers, port=port, server=f"{host}.")
        network = Zeroconf(interfaces=[address])
    except OSError as fault:
        log.warning("Nobody is told the name %s: %s.", host, fault.strerror or fault)
        yield None
        return

    def register() -> None:
        try:
            network.register_service(service, allow_name_change=True)
        except (OSError, Error) as fault:
            log.warning("Nobody is told the name %s: %s.", host, fault)

    # It first asks for a second whether another has the name; nobody need wait for that.
    registering = threading.Thread(target=register, name="mdns", daemon=True)
    registering.start()
    try:
        yield f"http://{host}:{port}/"
    finally:
        registering.join()
        network.close()
