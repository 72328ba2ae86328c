"""`corona demo`: everything on a virtual table, put together as `corona play` does with a real one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from flask import Flask

from calibration.calibrate import calibrate
from calibration.layouts import MAT
from companion.clock import Clock
from companion.games.corona.rules import DEFAULT_COLOURS
from companion.play import evening, serve_until_told
from companion.players.hands import VirtualHands
from companion.players.runner import Players
from companion.reading import READING
from companion.rig import CoronaTable, Rig
from companion.store import DEMO_LOG
from companion.watch import Read, reader
from companion.web.demo import demo_blueprint
from companion.welcome import address, only_here
from companion.workbench.bench import Workbench
from companion.workbench.borrowing import BorrowedCamera, Loan
from companion.workbench.posing import LaidTable, PosingTable
from companion.workbench.self_test import SelfTest
from companion.workbench.setting_up import SettingUp
from companion.workbench.wiring_test import WiringTest
from hardware.camera import Camera
from hardware.virtual import VirtualCamera, VirtualPins, VirtualTable
from hardware.wiring import Wiring
from vision.profile import Profile

SIMPLE_PLAYERS, DEMO_PROFILE, DEMO_SELF_TESTS = "demo-players.json", "demo-set.json", "demo-selftests"
DIE_MM, PIECE_MM = 16.0, (16.6, 12.0)
WIRING = Wiring(
    sand=(4, 17, 27, 22, 10, 9, 11, 5),
    bids=(18, 23, 24, 25, 8, 7),
    lamps=(6, 13, 19, 26, 12, 16),
    setter=20,
    setter_lamp=2,
    buzzer=21,
)


@dataclass(frozen=True, slots=True)
class Demo:
    """The parts of a running demo."""

    app: Flask
    table: CoronaTable
    rig: Rig
    virtual: VirtualTable
    pins: VirtualPins
    players: Players


def learn_set(virtual: VirtualTable) -> Profile:
    """The set of `virtual`, learned from its photographs as `corona calibrate` does."""
    colours = list(virtual.dice)
    with READING:
        return calibrate(MAT, virtual.photo_empty(), virtual.photo_dice(), colours, DIE_MM, PIECE_MM)


@contextmanager
def demo(
    data: Path,
    at: str | None = None,
    seed: int = 1,
    read: Callable[[VirtualTable], Read] | None = None,
    clock: Clock | None = None,
) -> Iterator[Demo]:
    """A demo whose log is in the folder `data`, until the context ends.

    `at` is the address phones are told, `seed` what the table's looks come from, and `read` what reads it, if
    not the vision.
    Nothing is watched before `rig.start`, and no simple player plays before `players.start`.
    """
    virtual = VirtualTable(MAT, DEFAULT_COLOURS, die_mm=DIE_MM, piece_mm=PIECE_MM, seed=seed)
    pins = VirtualPins()

    learned: list[Profile] = []

    def open_eye() -> tuple[Camera, Read]:
        if read and not learned:
            return VirtualCamera(virtual), read(virtual)
        if not learned:
            learned.append(learn_set(virtual))
        return VirtualCamera(virtual), reader(learned[-1])

    def build(table: CoronaTable) -> Rig:
        return Rig(table, wiring=WIRING, pin_factory=pins, open_eye=open_eye)

    def bench(rig: Rig) -> Workbench:
        return _bench(virtual, rig, learned, data)

    with evening(data / DEMO_LOG, build, DEFAULT_COLOURS, (at,) if at else (), clock, bench=bench) as (
        app,
        table,
        rig,
    ):
        players = Players(table, VirtualHands(virtual, pins, WIRING.setter), data / SIMPLE_PLAYERS)
        try:
            app.register_blueprint(demo_blueprint(virtual, pins, WIRING, table, players))
            yield Demo(app, table, rig, virtual, pins, players)
        finally:
            players.close()


def _bench(virtual: VirtualTable, rig: Rig, learned: list[Profile], data: Path) -> Workbench:
    """What the host sets up and tries; each profile that is learned is put to `learned`."""
    posing, laid = PosingTable(virtual, lambda: camera.step), LaidTable(virtual)
    loan = Loan(rig.lend_camera, rig.take_camera_back)
    camera = SettingUp(posing.open, loan, data / DEMO_PROFILE, learned.append)
    tested = SelfTest(
        BorrowedCamera(laid.open, loan),
        data / DEMO_SELF_TESTS,
        lambda: learned[-1] if learned else None,
        lay=laid.lay,
    )
    return Workbench(camera, WiringTest(WIRING, rig.lend_pins, rig.take_pins_back), posing.hand, tested)


def run_demo(host: str, port: int, data: Path, open_browser: bool = False) -> None:
    """The demo until told to stop. Raises `StoreError` or `CannotServe`."""
    link = address(host, port)
    here = only_here(link)
    with demo(data, None if here else link) as parts:
        pages = f"This computer only: {link}" if here else f"For phones: {link}"
        lines = [f"Play here:  {link}demo", pages, "Stop with Ctrl+C."]
        page = f"{link}demo" if open_browser else None

        def begin() -> None:
            parts.rig.start()
            parts.players.start()

        serve_until_told(parts.app, begin, host, port, lines, link, page)
