"""The page of a self-test: one HTML file with its pictures beside it, to look at on a phone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from calibration.files import write_safely
from companion.selftest.setups import SetUp
from companion.selftest.summary import Found, Summary, picture_of
from companion.sessions import PhotoSession
from vision.profile import Profile

WORDS = {"right": "sure and right", "unsure": "unsure", "wrong": "sure and wrong"}


@dataclass(frozen=True, slots=True)
class Row:
    """One set-up on the page; `picture` is its address beside the page, empty where it has not been done."""

    setup: SetUp
    verdict: str
    words: str
    picture: str
    size: tuple[int, int]
    doubts: tuple[tuple[str, str], ...]
    differs: Sequence[str]
    whole: str


def write_page(done: Summary, session: PhotoSession, profile: Profile, taken: str) -> Path:
    """Write index.html into the session's folder, beside its pictures; gives its path.

    `taken` is when, for people. Raises `OSError`.
    """
    html = _template().render(
        rows=[_row(setup, one, session) for setup, one in done.rows],
        counts=done.counts,
        advice=done.advice,
        camera=asdict(done.place),
        board=profile.layout.name,
        taken=taken,
        colours=[colour.name for colour in profile.colours],
        css=_css(),
    )
    page = session.folder / "index.html"
    write_safely(page, html.encode())
    return page


def _row(setup: SetUp, one: Found | None, session: PhotoSession) -> Row:
    if one is None:
        return Row(setup, "left", "not done", "", (0, 0), (), (), "")
    seen = one.seen
    words = "rightly refused" if setup.why and seen.verdict == "right" else WORDS[seen.verdict]
    likely = seen.reading.confidence.whole if seen.reading.confidence else None
    return Row(
        setup,
        seen.verdict,
        words,
        picture_of(session, setup).relative_to(session.folder).as_posix(),
        one.size,
        tuple((doubt.what, doubt.why) for doubt in seen.reading.doubts),
        seen.differs,
        "" if likely is None else _share(likely),
    )


def _share(likely: float) -> str:
    """How sure a reading is, in words: no reading is wholly sure."""
    return "over 99.9 %" if likely > 0.999 else f"{100 * likely:.1f} %"


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
