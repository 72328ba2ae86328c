"""`make screenshots`: a round on the virtual table, and what a phone shows of it, as pictures."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pypdfium2 as pdfium

from calibration.layouts import MAT
from calibration.mat.board import COLOUR, half_side
from calibration.mat.sheets import TOP, whole
from companion.demo import demo
from companion.games.corona import game
from companion.games.corona.solver import solve
from tests.browser import WoundClock, browser, phone, serving
from vision.geometry import Layout

OUT = Path(__file__).parents[1] / "docs" / "screenshots"
SEATS = ("Anna", "Ben", "Zoé", "Luis")


def main() -> None:
    """Take them all, in the order of a round."""
    OUT.mkdir(parents=True, exist_ok=True)
    clock = WoundClock()
    with (
        tempfile.TemporaryDirectory() as folder,
        demo(Path(folder), clock=clock, seed=4) as parts,
        serving(parts.app) as port,
        browser() as chromium,
    ):
        parts.rig.start()
        url = f"http://127.0.0.1:{port}"
        parts.table.ask(game.Start(SEATS, first="Ben"))
        table = phone(chromium)
        table.goto(f"{url}/demo")
        table.get_by_role("button", name="Place the pieces").click()
        table.get_by_role("button", name="Throw the dice").click()
        until(lambda: parts.table.state.situation is not None)
        time.sleep(1.5)
        table.screenshot(path=OUT / "virtual-table.png", full_page=True)
        page = phone(chromium)
        page.goto(f"{url}/?seat=Anna")
        page.wait_for_timeout(800)
        page.screenshot(path=OUT / "lay.png")
        parts.table.ask(game.Turn(parts.table.now()))
        for wait, seat, points in ((8, "Zoé", 6), (9, "Ben", 7), (5, "Anna", 8)):
            clock.seconds += wait
            parts.table.ask(game.Bid(seat, points, parts.table.now()))
        page.wait_for_timeout(800)
        page.screenshot(path=OUT / "auction.png")
        clock.seconds += 60
        parts.table.ask(game.Sand(parts.table.now()))
        situation = parts.table.state.situation
        assert situation is not None
        parts.table.ask(game.Result(min(8, solve(situation).best)))
        page.wait_for_timeout(1500)
        page.screenshot(path=OUT / "reveal.png")
    mat()
    print(f"{len(list(OUT.glob('*.png')))} pictures in {OUT}")


def mat() -> None:
    """The printable mat as it lies on the table, cut out of its sheet."""
    layout = Layout.from_json(MAT)
    page = pdfium.PdfDocument(whole(layout, COLOUR))[0]
    side, scale = 2 * half_side(layout), 72 / 25.4
    left, top = (page.get_width() / scale - side) / 2, TOP
    low, right = page.get_height() / scale - top - side, left
    crop = (left * scale, low * scale, right * scale, top * scale)
    page.render(scale=100 / 72, crop=crop).to_pil().quantize(64).save(OUT / "mat.png", optimize=True)


def until(there: Callable[[], bool]) -> None:
    """Wait for the camera or the table."""
    end = time.monotonic() + 30
    while not there():
        if time.monotonic() > end:
            raise SystemExit("waited too long")
        time.sleep(0.05)


if __name__ == "__main__":
    main()
