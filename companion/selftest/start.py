"""A self-test put together: profile, source of photos, session and page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from calibration.calibrate import calibrate
from calibration.files import NotAPhoto, read_photo
from calibration.layouts import MAT
from calibration.store import load
from companion.clock import SystemClock
from companion.config import Config
from companion.demo import DIE_MM, PIECE_MM
from companion.eye import open_camera
from companion.games.corona.rules import DEFAULT_COLOURS
from companion.selftest.page import write_page
from companion.selftest.reader import Reader
from companion.selftest.run import NoSelfTest, Source, left, look_back, open_session, run
from companion.selftest.setups import SetUp, setups
from companion.selftest.sources import Ask, BeforeCamera, InFolder, OnVirtualTable
from companion.selftest.summary import found, summary
from companion.sessions import PhotoSession, as_jpeg, dice_of
from hardware.virtual import VirtualTable
from vision.profile import Profile

Say = Callable[[str], None]
OTHER_PHOTO = (
    "If a wrong one's photo shows another set-up, put the right photo there and give --redo its number."
)
NOT_STACKED = "What is left cannot be laid here: on the virtual table pieces do not stand on each other."


@dataclass(frozen=True, slots=True)
class Wanted:
    """What was asked for on the command line; `config` with all defaults when there is none.

    `redo`: numbers of set-ups that are to be done anew.
    """

    profile: Path | None
    config: Config
    photos: Path | None
    demo: bool
    out: Path
    redo: tuple[int, ...] = ()


def selftest(wanted: Wanted, ask: Ask, say: Say) -> list[str]:
    """Do what is left of the self-test in `wanted.out`, then write its page; gives what could not be done.

    Raises `NoSelfTest`, `BadProfile`, `NotAPhoto`, `CameraFailed` or `OSError`.
    """
    with _source(wanted, ask, say) as (profile, source, dice):
        ten = setups([colour.name for colour in profile.colours])
        session = open_session(wanted.out, profile, dice)
        reader = Reader(profile)
        reader.look_at_kept(ten, session)
        waiting = _left(ten, session)
        if not wanted.redo and len(waiting) < len(ten):
            say(
                f"{len(ten) - len(waiting)} of {len(ten)} set-ups have been done before; going on with the "
                "rest. To do one anew give its number with --redo."
            )
        asked = [setup for setup in ten if setup.number in wanted.redo] or waiting
        faults = run(asked, session, reader, source, say)
    waiting = _left(ten, session)
    if len(waiting) == len(ten):
        say("Nothing was laid, so there is no page.")
        return faults
    looks = (look_back(setup, session, reader) for setup in ten if setup not in waiting)
    done = summary(ten, (found(one, session, profile) for one in looks), profile)
    page = write_page(done, session, profile, SystemClock().wall()[:10])
    said = ", ".join(
        f"{number} {'not done' if word == 'left' else word}" for word, number in done.counts.items()
    )
    say(f"\n{said}.")
    for sentence in done.advice:
        say(f"- {sentence}")
    if wanted.photos and done.counts["wrong"]:
        say(OTHER_PHOTO)
    say(f"The page with all pictures: {page}")
    if waiting:
        never = wanted.demo and all(setup.stand == "stacked" for setup in waiting)
        say(NOT_STACKED if never else "The same command goes on with what was not done.")
    return faults


def _left(ten: list[SetUp], session: PhotoSession) -> list[SetUp]:
    """Those that have not been done yet, or whose photo is damaged."""
    waiting = left(ten, session)
    for setup in ten:
        if setup not in waiting:
            try:
                read_photo(session.frame(setup.photo))
            except NotAPhoto:
                waiting.append(setup)
    return sorted(waiting, key=lambda setup: setup.number)


def listed(wanted: Wanted) -> Iterator[str]:
    """The set-ups for this set, to lay and photograph them one after the other.

    Without a profile for the usual colours. Raises `BadProfile`.
    """
    colours: Sequence[str] = DEFAULT_COLOURS
    if not wanted.demo:
        with suppress(NoSelfTest):
            colours = [colour.name for colour in load(_file(wanted)).colours]
    for setup in setups(colours):
        yield f"{setup.number:02}.jpg  {setup.title}. {setup.sentence()}"
        if setup.markers:
            yield f"        Markers: {setup.with_markers()}."
        yield f"        Dice: {setup.with_dice()}."


def _file(wanted: Wanted) -> Path:
    """Where the profile is that was asked for; raises `NoSelfTest` where none was and none is there."""
    path = wanted.profile or wanted.config.profile
    if not wanted.profile and not wanted.config.camera.profile and not path.exists():
        raise NoSelfTest("a profile is needed: --profile PROFILE, or camera.profile in the --config file")
    return path


@contextmanager
def _source(wanted: Wanted, ask: Ask, say: Say) -> Iterator[tuple[Profile, Source, bytes | None]]:
    """Profile, where the set-ups lie, and a JPEG of the six dice where there is one."""
    if wanted.demo:
        table = VirtualTable(MAT, DEFAULT_COLOURS, die_mm=DIE_MM, piece_mm=PIECE_MM, clock=lambda: 0.0)
        photo = table.photo_dice()
        profile = calibrate(MAT, table.photo_empty(), photo, DEFAULT_COLOURS, DIE_MM, PIECE_MM)
        yield profile, OnVirtualTable(table), as_jpeg(photo)
        return
    profile = load(_file(wanted))
    dice = dice_of(_file(wanted), profile)
    if wanted.photos:
        own = wanted.photos / "dice.jpg"
        if own.exists():
            read_photo(own)  # or whoever reads the session could not
            dice = own.read_bytes()
        yield profile, InFolder(wanted.photos), dice
        return
    if wanted.config.camera.kind == "none":
        raise NoSelfTest(
            "no camera is named: give --config TOML with a [camera], --photos FOLDER with 01.jpg to 10.jpg, "
            "or --demo"
        )
    with closing(open_camera(wanted.config.camera)) as camera:
        yield profile, BeforeCamera(camera, ask, say), dice
