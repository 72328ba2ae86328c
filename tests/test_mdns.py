"""The companion's name in its network, asked for by another party on this machine."""

from __future__ import annotations

import sys

import pytest
from zeroconf import Zeroconf

from companion.mdns import announced

HERE = "127.0.0.1"


def asked(name: str) -> tuple[str | None, list[str], int | None] | None:
    """What somebody in the network is told of a name."""
    network = Zeroconf(interfaces=[HERE])
    try:
        found = network.get_service_info("_http._tcp.local.", f"{name}._http._tcp.local.", 5000)
        return found and (found.server, found.parsed_addresses(), found.port)
    finally:
        network.close()


def test_the_network_is_told_the_name() -> None:
    with announced("corona-tests", HERE, 8123) as address:
        assert address == "http://corona-tests.local:8123/"
        assert asked("corona-tests") == ("corona-tests.local.", [HERE], 8123)


def test_without_the_extra_there_is_no_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "zeroconf", None)
    with announced("corona-tests", HERE, 8123) as address:
        assert address is None


@pytest.mark.parametrize("elsewhere", ["192.0.2.77", "no address"])
def test_an_address_that_is_not_this_machines_is_said(
    caplog: pytest.LogCaptureFixture, elsewhere: str
) -> None:
    with announced("corona-tests", elsewhere, 8123) as address:
        assert address is None
    assert "Nobody is told the name corona-tests.local" in caplog.text
