"""`corona play`: store, table, rig and pages put together, on the hardware that the settings name."""

from __future__ import annotations

import logging
import signal
import webbrowser
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from functools import partial
from pathlib import Path

from flask import Flask

from calibration.store import BadProfile, load
from companion.clock import Clock, SystemClock
from companion.config import Config, GameConfig, WebConfig
from companion.eye import Eye
from companion.games.corona import game, states
from companion.games.corona.rules import DEFAULT_COLOURS
from companion.keeping import Keeper, keeping, where_kept
from companion.mdns import announced
from companion.memory import share_one_pool
from companion.phones import PHONES, Phones
from companion.rig import CoronaTable, Rig
from companion.sessions import dice_of
from companion.store import LOG, Store
from companion.table import Table
from companion.web import Offers, announce_photo, create_app, make_server, run
from companion.welcome import ANYWHERE, address, only_here, own_address, welcome
from companion.workbench.bench import Workbench
from companion.workbench.borrowing import BorrowedCamera, Loan
from companion.workbench.self_test import SelfTest
from companion.workbench.setting_up import SettingUp
from companion.workbench.wiring_test import WiringTest
from hardware.pins import NoPins, faults, open_pins
from hardware.wiring import Wiring
from vision.profile import Profile

SELF_TESTS = "selftests"
"""Beside the log; a folder for each self-test on a phone."""
HOW_TO_SET_UP = "the host does that on a phone, under “Camera and wiring”."


class CannotPlay(RuntimeError):
    """The settings name something that is not there; the text says what, and what to do."""


@contextmanager
def evening(
    log: Path,
    build: Callable[[CoronaTable], Rig],
    colours: Sequence[str],
    addresses: tuple[str, ...],
    clock: Clock | None = None,
    offers: Offers | None = None,
    number: int | None = None,
    phones: Phones | None = None,
    bench: Callable[[Rig], Workbench] | None = None,
) -> Iterator[tuple[Flask, CoronaTable, Rig]]:
    """Pages, table and rig (made by `build`) on the file `log`, to the end of the context.

    `colours` is the set's colour order, `addresses` are those phones are told, the surest first, and
    `offers` what the form of a new game has chosen at first. Game `number` goes on, else the newest one.
    `phones` tells phones apart; without, everybody may do everything. `bench` gives what the host may set
    up and try, beside the rig. Raises `StoreError`.
    """
    share_one_pool()
    # Now, while nobody waits and no other thread runs: no reveal has to, and no two build it at once.
    states.table()
    with ExitStack() as parts:
        store = Store(log)
        parts.callback(store.close)
        table: CoronaTable = Table(store, clock or SystemClock(), game, number)
        parts.callback(table.close)
        if table.lost_time and table.state.phase == "auction":
            # How much sand is left nobody knows: the setter turns the hourglass again.
            table.ask(game.Cancel(lost=True))
        rig = build(table)
        parts.callback(rig.close)
        workbench = bench(rig) if bench else Workbench()
        parts.callback(workbench.close)
        app = create_app(
            table,
            photo=rig.latest,
            trouble=lambda: rig.trouble,
            following=lambda: rig.following,
            addresses=addresses,
            colours=lambda: workbench.colours or tuple(colours),
            offers=offers,
            phones=phones,
            bench=workbench,
        )
        rig.listen(lambda: announce_photo(app))
        yield app, table, rig


def serve_until_told(
    app: Flask,
    begin: Callable[[], None],
    host: str,
    port: int,
    lines: list[str],
    link: str,
    page: str | None = None,
) -> None:
    """Serve until Ctrl+C or SIGTERM; the terminal shows `lines` and the code of `link`.

    `begin` starts what goes on at the table. It is called when the server's threads are there: beside one
    that computes, each of 128 takes Python up to 5 ms to start. `page` is an address to open in this
    machine's browser.
    """
    logging.basicConfig(format="%(message)s", level=logging.WARNING)
    logging.getLogger("companion").setLevel(logging.INFO)
    server = make_server(app, host, port)
    signal.signal(signal.SIGTERM, _stop)
    try:
        begin()
        welcome(lines, link)
        if page:
            webbrowser.open(page)  # the socket is open already; the browser waits for the answer
        run(server)
    finally:
        server.close()


def run_play(config: Config, number: int | None = None) -> None:
    """Play until told to stop; game `number` goes on, else the newest one.

    Raises `CannotPlay`, `StoreError` or `CannotServe`.
    """
    link = address(config.web.host, config.web.port)
    profile = _profile(config)
    eye = None if config.camera.kind == "none" else Eye(config.camera, profile)
    colours = [colour.name for colour in profile.colours] if profile else DEFAULT_COLOURS
    wiring = _wiring(config.panel.as_wiring())

    def build(table: CoronaTable) -> Rig:
        return Rig(
            table,
            wiring=wiring,
            open_eye=eye.open if eye else None,
            follows=config.seeing.follow_play,
        )

    def bench(rig: Rig) -> Workbench:
        tried = WiringTest(wiring, rig.lend_pins, rig.take_pins_back) if wiring.parts() else None
        return _bench(config, rig, eye, learned, profile, tried) if eye else Workbench(None, tried)

    def learned(profile: Profile) -> None:
        assert eye is not None
        eye.learned(profile)
        if keeper:
            keeper.learned(profile)

    keeper: Keeper | None = None
    log, offers = config.table.folder / LOG, _offers(config.game)
    phones = None if config.web.trust else Phones(config.table.folder / PHONES)
    lines = _greeting(link, phones)
    if eye and not profile:
        lines.insert(1, f"The camera has not been set up ({config.profile} is not there): {HOW_TO_SET_UP}")
    with ExitStack() as parts:
        named = parts.enter_context(_named(config.web))
        addresses = () if only_here(link) else (link, named) if named else (link,)
        app, table, rig = parts.enter_context(
            evening(log, build, colours, addresses, offers=offers, number=number, phones=phones, bench=bench)
        )
        kept = config.seeing.keep_corrections
        if eye and kept:
            lines.insert(1, where_kept(kept, config.seeing.keep_mb))
            keeper = parts.enter_context(
                keeping(kept, config.seeing.keep_mb, profile, table, rig.lying, config.profile)
            )
        serve_until_told(app, rig.start, config.web.host, config.web.port, lines, link)


def _bench(
    config: Config,
    rig: Rig,
    eye: Eye,
    learned: Callable[[Profile], None],
    profile: Profile | None,
    wiring: WiringTest | None,
) -> Workbench:
    """What the host sets up and tries where there is a camera."""
    loan = Loan(rig.lend_camera, rig.take_camera_back)
    camera = SettingUp(eye.open_fresh, loan, config.profile, learned, profile)
    tested = SelfTest(
        BorrowedCamera(lambda: eye.open()[0], loan),
        config.table.folder / SELF_TESTS,
        lambda: camera.known,
        partial(dice_of, config.profile),
    )
    return Workbench(camera, wiring, self_test=tested)


def _named(web: WebConfig) -> AbstractContextManager[str | None]:
    """The address by name, if other machines are served at all."""
    there = own_address() if web.host in ANYWHERE else web.host
    return nullcontext() if there.startswith("127.") else announced(web.name, there, web.port)


def _greeting(link: str, phones: Phones | None) -> list[str]:
    where = " (on this computer only)" if only_here(link) else ""
    lines = [f"Corona is up: {link}{where}", "Stop with Ctrl+C."]
    if phones and phones.fresh_pin:
        lines.insert(1, f"The host's PIN is {phones.fresh_pin}: whoever gives it starts and corrects games.")
    return lines


def _offers(wanted: GameConfig) -> Offers:
    kind, number = wanted.ending
    ending = kind if number is None else f"{kind}-{number}"
    return Offers(wanted.edition, wanted.hourglass, wanted.opening_bid, ending)


def _wiring(wiring: Wiring) -> Wiring:
    """The same, every pin of which can be used; raises `CannotPlay` with all that cannot."""
    if wiring.parts():
        try:
            wrong = faults(wiring, open_pins())
        except NoPins as fault:
            raise CannotPlay(str(fault)) from fault
        if wrong:
            raise CannotPlay("\n".join(wrong))
    return wiring


def _profile(config: Config) -> Profile | None:
    """What was learned of the set; None without a camera, or before the camera has been set up."""
    if config.camera.kind == "none" or not config.profile.exists():
        return None
    try:
        return load(config.profile)
    except BadProfile as fault:
        raise CannotPlay(str(fault)) from fault


def _stop(_number: int, _frame: object) -> None:
    raise SystemExit(0)
