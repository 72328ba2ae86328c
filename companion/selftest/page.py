"""The page of a self-test: one HTML file with its pictures beside it, to look at on a phone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import cv2
from jinja2 import Environment, PackageLoader, StrictUndefined

from calibration.store import write_safely
from companion.overlay import draw
from companion.selftest.advice import advice
from companion.selftest.measures import Measures, measure, place
from companion.selftest.run import Seen, results
from companion.selftest.setups import SetUp
from companion.sessions import PhotoSession
from vision.geometry import Image
from vision.profile import Profile
from vision.read import fitted
from vision.reading import Reading

PICTURE_WIDTH, JPEG_QUALITY, SCALE = 900, 82, 1.4
WORDS = {"right": "sure and right", "unsure": "unsure", "wrong": "sure and wrong"}


@dataclass(frozen=True, slots=True)
class Row:
    """One set-up on the page; `picture` is its address beside the page, empty where it was skipped."""

    setup: SetUp
    verdict: str
    words: str
    picture: str
    size: tuple[int, int]
    doubts: tuple[tuple[str, str], ...]
    differs: Sequence[str]
    whole: str


def write_page(
    setups: list[SetUp], session: PhotoSession, profile: Profile, taken: str
) -> tuple[Path, list[str], dict[str, int]]:
    """Write index.html and its pictures into the session's folder.

    Gives the page, what to improve, and how many were right, unsure, wrong and skipped. `taken` is when, for
    people. Raises `NotAPhoto` or `OSError`.
    """
    rows: dict[int, Row] = {}
    seen: list[Seen] = []
    measures: list[Measures] = []
    for one, found in _measured(setups, session, profile):
        rows[one.setup.number] = _row(one, session, profile)
        seen.append(one)
        if found is not None and not one.setup.why:  # a hand over the board is no light
            measures.append(found)
    shown = [rows.get(setup.number) or _skipped(setup) for setup in setups]
    counts = {word: sum(row.verdict == word for row in shown) for word in (*WORDS, "skipped")}
    camera = place(profile)
    found_better = advice(camera, seen, measures)
    html = _template().render(
        rows=shown,
        counts=counts,
        advice=found_better,
        camera=asdict(camera),
        board=profile.layout.name,
        taken=taken,
        colours=[colour.name for colour in profile.colours],
        css=_css(),
    )
    page = session.folder / "index.html"
    write_safely(page, html.encode())
    return page, found_better, counts


def _measured(
    setups: list[SetUp], session: PhotoSession, profile: Profile
) -> Iterator[tuple[Seen, Measures | None]]:
    for one in results(setups, session, profile):
        yield one, measure(fitted(one.frame, profile), one.reading, profile)


def _row(one: Seen, session: PhotoSession, profile: Profile) -> Row:
    folder = session.folder / "pictures"
    folder.mkdir(exist_ok=True)
    picture = _picture(fitted(one.frame, profile), one.reading)
    done, data = cv2.imencode(".jpg", picture, (cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY))
    assert done
    write_safely(folder / one.setup.photo, data.tobytes())
    words = "rightly refused" if one.setup.why and one.verdict == "right" else WORDS[one.verdict]
    likely = one.reading.confidence.whole if one.reading.confidence else None
    return Row(
        one.setup,
        one.verdict,
        words,
        f"pictures/{one.setup.photo}",
        (picture.shape[1], picture.shape[0]),
        tuple((doubt.what, doubt.why) for doubt in one.reading.doubts),
        one.differs,
        "" if likely is None else f"{100 * likely:.2f} %",
    )


def _skipped(setup: SetUp) -> Row:
    return Row(setup, "skipped", "skipped", "", (0, 0), (), (), "")


def _picture(frame: Image, reading: Reading) -> Image:
    """What was read drawn over the photo, around the board and the dice, at a phone's size."""
    # The doubts stand below the picture, in words that can be read.
    shown = draw(frame, replace(reading, doubts=(), sure=True), SCALE)
    corners = [*reading.board, *(corner for die in reading.seen_dice for corner in die.outline)]
    if reading.board:
        height, width = shown.shape[:2]
        margin = width // 30
        left, right = min(x for x, _ in corners) - margin, max(x for x, _ in corners) + margin
        top, low = min(y for _, y in corners) - margin, max(y for _, y in corners) + margin
        shown = shown[max(int(top), 0) : min(int(low), height), max(int(left), 0) : min(int(right), width)]
    scale = min(PICTURE_WIDTH / shown.shape[1], 1.0)
    return cv2.resize(shown, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)


def _template() -> Any:
    loader = PackageLoader("companion.selftest", ".")
    env = Environment(
        loader=loader, autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=StrictUndefined
    )
    return env.get_template("page.html")


def _css() -> str:
    """The looks of the companion's own pages."""
    static = files("companion.web") / "static"
    return "\n".join((static / name).read_text(encoding="utf-8") for name in ("corona.css", "board.css"))
