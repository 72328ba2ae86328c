"""`make screenshots`: a round on the virtual table for the documents, and every page in both themes."""

from __future__ import annotations

import io
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pypdfium2 as pdfium
from PIL import Image
from playwright.sync_api import Browser, Page

from calibration.layouts import MAT
from calibration.mat.board import COLOUR, half_side
from calibration.mat.sheets import TOP, whole
from companion.demo import demo
from companion.games.corona import game, notation
from companion.games.corona.commands import Step, Throw
from companion.games.corona.solver import solve
from companion.phones import Phones
from tests.browser import WoundClock, browser, house, phone, serving
from vision.geometry import Layout

OUT = Path(__file__).parents[1] / "docs" / "screenshots"
SEATS = ("Anna", "Ben", "Zoé", "Luis")
LAID = notation.read("200010201000-366421")
THEMES = ("light", "dark")
PHONE, TV, GAP = {"width": 390, "height": 844}, {"width": 1280, "height": 720}, 12


def main() -> None:
    """Take them all: those of the documents, and every page in both themes."""
    OUT.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, browser() as chromium:
        evening(Path(folder) / "demo", chromium)
        pages(Path(folder) / "pages", chromium)
    mat()
    print(f"{len(list(OUT.iterdir()))} pictures in {OUT}")


def evening(folder: Path, chromium: Browser) -> None:
    """A round on the virtual table, and what phone, laptop and TV show of it."""
    clock = WoundClock()
    with demo(folder, clock=clock, seed=4) as parts, serving(parts.app) as port:
        parts.rig.start()
        url = f"http://127.0.0.1:{port}"
        parts.table.ask(game.Start(SEATS, first="Ben"))
        table = phone(chromium, viewport={"width": 1280, "height": 800}, device_scale_factor=1)
        table.goto(f"{url}/demo?seat=Anna")
        table.get_by_role("button", name="Place the pieces").click()
        table.get_by_role("button", name="Throw the dice").click()
        until(lambda: parts.table.state.situation is not None)
        time.sleep(1.5)
        page, screen = phone(chromium), phone(chromium, viewport=TV, device_scale_factor=1)
        parts.table.ask(game.Turn(parts.table.now()))
        for wait, seat, points in ((8, "Zoé", 6), (9, "Ben", 7), (5, "Anna", 8)):
            clock.seconds += wait
            parts.table.ask(game.Bid(seat, points, parts.table.now()))
        shoot(page, f"{url}/?seat=Anna", "auction")
        shoot(screen, f"{url}/screen", "screen")
        table.wait_for_timeout(500)
        table.screenshot(path=OUT / "virtual-table.png")
        clock.seconds += 60
        parts.table.ask(game.Sand(parts.table.now()))
        situation = parts.table.state.situation
        assert situation is not None
        parts.table.ask(game.Result(min(8, solve(situation).best)))
        shoot(page, f"{url}/?seat=Anna", "reveal")
        for each in (table, page, screen):
            each.context.close()


def pages(folder: Path, chromium: Browser) -> None:
    """Every page at phone size in both themes, small, on one sheet for each theme."""
    (folder / "door").mkdir(parents=True)
    shown = [phone(chromium, viewport=PHONE, color_scheme=theme) for theme in THEMES]
    sheets: dict[str, list[Image.Image]] = {theme: [] for theme in THEMES}

    def take(*addresses: str) -> None:
        for theme, page in zip(THEMES, shown, strict=True):
            for address in addresses:
                page.goto(address)
                page.wait_for_timeout(400)
                sheets[theme].append(Image.open(io.BytesIO(page.screenshot())))

    with house(folder / "door", phones=Phones(folder / "phones.json")) as at:
        at.do(game.Start(SEATS, SEATS[0]))
        take(f"{at.url}/door")
    with house(folder) as at:
        url = f"{at.url}/?seat=Ben"
        for step in (
            (),
            (game.Start(SEATS, None),),
            (*(Throw(None, pips) for pips in (3, 6)), game.Lay(LAID)),
            (game.Turn(0.0), game.Bid("Anna", 7, 1.0), game.Bid("Ben", 9, 2.0)),
            (game.Sand(60.0), Step(0, 0, 61.0), Step(4, 4, 62.0)),
            (game.Done(63.0),),
        ):
            at.clock.seconds += 60 * bool(step and isinstance(step[0], game.Sand))
            at.do(*step)
            take(url)
        beside = ("right", "rounds", "rounds/1", "players", "settings", "screen", "help")
        beside += ("setups", "setups?pieces=200010201000")
        take(*(f"{at.url}/{path}" for path in beside))
        puzzle = f"{at.url}/puzzle?day=2026-11-21"
        take(puzzle, f"{puzzle}&sand=", f"{puzzle}&number=9", f"{puzzle}&number=9&done=")
        take(f"{at.url}/situation/200010201000-366421?moves=A-red,E-blue")
    with demo(folder / "demo", clock=WoundClock(), seed=4) as parts, serving(parts.app) as port:
        parts.rig.start()
        take(*(f"http://127.0.0.1:{port}/{path}" for path in ("demo", "setup")))
        for path in ("camera", "selftest", "wiring"):
            address = f"http://127.0.0.1:{port}/setup/{path}?look="
            take(address)
            shown[0].get_by_role("button", name="Begin").click()
            take(address)
    for theme, pictures in sheets.items():
        sheet(pictures).save(OUT / f"pages-{theme}.jpg", quality=82, optimize=True)
    for page in shown:
        page.context.close()


def sheet(pictures: list[Image.Image]) -> Image.Image:
    """Pictures of one size side by side, eight in a row."""
    width, height = PHONE["width"] // 2, PHONE["height"] // 2
    rows = -(-len(pictures) // 8)
    whole_sheet = Image.new("RGB", (8 * (width + GAP) - GAP, rows * (height + GAP) - GAP), "#888")
    for k, picture in enumerate(pictures):
        at = ((k % 8) * (width + GAP), (k // 8) * (height + GAP))
        whole_sheet.paste(picture.resize((width, height), Image.Resampling.LANCZOS), at)
    return whole_sheet


def shoot(page: Page, address: str, name: str) -> None:
    """One picture for the documents."""
    page.goto(address)
    page.wait_for_timeout(1000)
    page.screenshot(path=OUT / f"{name}.png")


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
