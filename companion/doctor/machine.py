"""The doctor at the machine itself: system, clock, disk and network."""

from __future__ import annotations

import errno
import shutil
import socket
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from companion.clock import Clock
from companion.config import WebConfig
from companion.doctor.findings import Finding
from companion.folders import cannot_be_written, nearest
from companion.welcome import ANYWHERE, address, own_address

TOO_OLD = ("buster", "bullseye", "bookworm")
"""Names of Raspberry Pi OS whose camera and pins are not supported."""
LEAST_FREE = 100_000_000
"""Bytes: room for many evenings."""
IN_MEMORY = ("tmpfs", "ramfs")
OVERLAY = ("overlayroot", "/media/root-ro", "lowerdir=/lower")
"""What /proc/mounts says where raspi-config's overlay keeps the card as it is."""


def system(root: Path = Path("/")) -> Finding:
    """Which machine and which system; `root` is where its files are."""
    release = {
        key: value.strip("\"'")
        for key, _, value in (line.partition("=") for line in _read(root / "etc/os-release").splitlines())
    }
    name = release.get("PRETTY_NAME", "unknown system")
    model = _read(root / "proc/device-tree/model").strip("\0 \n")
    if "Raspberry Pi" in model and release.get("VERSION_CODENAME") in TOO_OLD:
        says = f"{model}, {name}: not supported; install Raspberry Pi OS Trixie, 64 bit"
        return Finding("fails", "system", says)
    return Finding("works", "system", f"{model or 'no Raspberry Pi'}, {name}")


def clock(ticking: Clock, root: Path = Path("/"), now: datetime | None = None) -> Finding:
    """Whether seconds run forward, and whether the date can be true and was set by the network."""
    first = ticking.read()
    if ticking.read() < first:
        return Finding("fails", "clock", "its seconds run backwards: restart the machine")
    now = now or datetime.now(UTC)
    date = f"{now:%Y-%m-%d %H:%M} UTC"
    written = datetime.fromtimestamp(Path(__file__).stat().st_mtime, UTC)
    if (written - now).days >= 1:
        says = f"{date} is before this program was installed; only dates in the log are wrong by it: "
        return Finding("fails", "clock", says + "join a network, or set it with sudo date")
    synchronized = root / "run/systemd/timesync"
    if synchronized.is_dir() and not (synchronized / "synchronized").exists():
        says = f"{date}, not set by the network since the start; only dates in the log go by it"
        return Finding("unsure", "clock", says)
    return Finding("works", "clock", f"runs forward; {date}")


def disk(folder: Path, mounts: Path = Path("/proc/self/mounts"), least_free: int = LEAST_FREE) -> Finding:
    """Whether the log can be written in `folder`, has room there, and outlasts the power."""
    there = nearest(folder)
    if why := cannot_be_written(folder):
        says = f"{there} cannot be written ({why}): name another folder in table.folder"
        return Finding("fails", "disk", says)
    free = shutil.disk_usage(there).free
    made = "" if there == folder else " (it will be made)"
    if free < least_free:
        says = f"{folder}{made}: only {free // 1_000_000} MB free: make room, or name another in table.folder"
        return Finding("fails", "disk", says)
    if lost := _lost(there.resolve(), mounts):
        return Finding("fails", "disk", f"{folder} {lost}: name a folder on another medium in table.folder")
    return Finding("works", "disk", f"{folder}{made}: {free / 1e9:.1f} GB free")


def kept_photos(folder: Path | None) -> Iterator[Finding]:
    """Whether photos of corrected readings can be kept in `folder`; nothing is said where none are to be."""
    if folder and (why := cannot_be_written(folder)):
        says = f"{folder} cannot be written ({why}): name another folder in seeing.keep_corrections"
        yield Finding("fails", "kept photos", says)
    elif folder:
        yield Finding("works", "kept photos", f"set-ups that somebody corrects are kept in {folder}")


def network(web: WebConfig) -> list[Finding]:
    """The address that phones are told, and whether the port is free."""
    link = address(web.host, web.port)
    if web.host in ANYWHERE and own_address() == "127.0.0.1":
        first = Finding("fails", "network", "this machine is in no network that phones could join")
    elif web.host in ("127.0.0.1", "localhost", "::1"):
        first = Finding("works", "network", f"{link}, for this machine alone (web.host)")
    else:
        first = Finding("works", "network", f"phones find the companion at {link}")
    return [first, _port(web)]


def _port(web: WebConfig) -> Finding:
    family = socket.AF_INET6 if ":" in web.host else socket.AF_INET
    try:
        with socket.socket(family) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((web.host, web.port))
    except OSError as fault:
        if fault.errno == errno.EADDRINUSE:
            says = (
                f"{web.port} is in use: stop the companion while the doctor looks, or choose another web.port"
            )
        else:
            says = f"{web.port} on {web.host} cannot be opened ({fault.strerror}): see web.host and web.port"
        return Finding("fails", "port", says)
    return Finding("works", "port", f"{web.port} is free")


def _lost(folder: Path, mounts: Path) -> str:
    """Why what is written in `folder` is lost without power; empty if it is not."""
    mounted = [line.split() for line in _read(mounts).splitlines()]
    over = [fields for fields in mounted if folder.is_relative_to(fields[1].replace("\\040", " "))]
    if not over:
        return ""
    source, _, kind, options, *_ = max(over, key=lambda fields: len(fields[1]))
    if kind in IN_MEMORY:
        return "lies in memory, and is lost without power"
    if kind == "overlay" and any(word in f"{source},{options}" for word in OVERLAY):
        return "is under raspi-config's overlay, and lost without power"
    return ""


def _read(path: Path) -> str:
    """The text of a file of the system; empty where there is none."""
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
