"""Keeping what a person corrected: which photos, with what truth, how much; no fault stops a game."""

from __future__ import annotations

import json
import threading
import urllib.parse
import urllib.request
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from calibration.calibrate import calibrate
from calibration.layouts import MAT
from calibration.store import load, load_dice, save
from companion import watch
from companion.evaluate import Evaluation, learn
from companion.games.corona import game, notation
from companion.games.corona.events import (
    Event,
    GameStarted,
    HourglassCancelled,
    HourglassTurned,
    ReadingCorrected,
    SandRanOut,
    SituationLaid,
    Undone,
)
from companion.games.corona.folding import evolve
from companion.games.corona.rules import DEFAULT_COLOURS
from companion.games.corona.state import State
from companion.keeping import Keeper, corrects, keeping, where_kept
from companion.play import evening
from companion.rig import Rig
from companion.sessions import PhotoSession, as_jpeg, dice_of
from companion.truth import BadSession
from companion.watch import Seen
from hardware.camera import Camera
from hardware.virtual import VirtualCamera, VirtualTable
from tests.browser import serving
from tests.seeing import truthful
from tests.sessions import PHOTOS, photo, profile, truth
from vision.reading import Doubt, Reading

SESSION, FRAME = "session-01", "001.jpg"
KNOWN = truth(SESSION)[FRAME]
COLOURS = tuple(colour.name for colour in profile(SESSION).colours)
LAID = notation.read(
    f"{''.join(map(str, KNOWN['pieces']))}-{''.join(str(KNOWN['dice'][c]) for c in COLOURS)}"
)
MEGABYTE = 1_000_000


def seen(**change: Any) -> Seen:
    """The frame as the camera would have read it: rightly and surely, but for the `change`s."""
    reading = Reading(tuple(KNOWN["pieces"]), dict(KNOWN["dice"]), sure=True)
    return Seen((PHOTOS / SESSION / "frames" / FRAME).read_bytes(), replace(reading, **change), 1)


DOUBTED = seen(dice={**KNOWN["dice"], "red": None}, sure=False, doubts=(Doubt("die red", "it may lean"),))


class Round:
    """A keeper that hears a game of which nothing but the set-up matters."""

    def __init__(
        self,
        folder: Path,
        shown: Seen | None,
        most: int = 50 * MEGABYTE,
        profile_file: Path | None = None,
    ) -> None:
        self.folder, self.shown = folder, shown
        self.keeper = Keeper(folder, most, profile(SESSION), lambda: self.shown, profile_file)
        self.state = State()
        self.tell(GameStarted(("N", "S"), "N", "fr", COLOURS, 60, game.Ending(), 6))

    def tell(self, *events: Event) -> None:
        for event in events:
            self.state = evolve(self.state, event)
        self.keeper.heard(self.state, events)

    def kept(self) -> dict[str, Any]:
        """The truth of all that was kept."""
        self.keeper.close()
        return {
            f"{path.parent.name}/{name}": known
            for path in self.folder.rglob("truth.json")
            for name, known in json.loads(path.read_text(encoding="utf-8")).items()
        }


def test_a_doubted_set_up_that_was_entered_by_hand_is_kept_with_its_truth(tmp_path: Path) -> None:
    one = Round(tmp_path, DOUBTED)
    one.tell(SituationLaid(LAID))
    assert not list(tmp_path.iterdir()), "nothing is kept before the turn"
    one.tell(HourglassTurned(1.0))
    ((name, known),) = one.kept().items()
    assert known == {**KNOWN, "markers": [], "readable": True, "why": ""}
    session = tmp_path / name.split("/")[0]
    assert (session / "frames" / "001.jpg").read_bytes() == DOUBTED.jpeg
    assert not list(tmp_path.rglob("*.part"))


def test_of_markers_that_were_seen_nobody_noted_whether_they_stand_there(tmp_path: Path) -> None:
    one = Round(tmp_path, seen(sure=False, markers=((0, COLOURS[0]),)))
    one.tell(SituationLaid(LAID), HourglassTurned(1.0))
    assert [known.keys() for known in one.kept().values()] == [{"pieces", "dice", "readable", "why"}]


def test_what_is_kept_is_a_session_that_evaluate_reads(tmp_path: Path) -> None:
    one = Round(tmp_path, DOUBTED)
    for _ in range(2):
        one.tell(SituationLaid(LAID), HourglassTurned(1.0))
    assert [name.split("/")[1] for name in one.kept()] == ["001.jpg", "002.jpg"]
    evaluation = Evaluation(tmp_path)
    (result,) = evaluation.results()
    assert not result.fault and not result.remarks
    assert (evaluation.total.readable, evaluation.total.right) == (2, 2)


def test_with_the_photo_of_the_dice_it_is_learned_anew(tmp_path: Path) -> None:
    save(profile(SESSION), tmp_path / "set.json", photo(SESSION, "dice.jpg"))
    one = Round(tmp_path / "kept", DOUBTED, profile_file=tmp_path / "set.json")
    one.tell(SituationLaid(LAID), HourglassTurned(1.0))
    assert len(one.kept()) == 1
    (session,) = (tmp_path / "kept").iterdir()
    assert (session / "dice.jpg").exists() and not (session / "profile.json").exists()
    evaluation = Evaluation(tmp_path / "kept")
    (result,) = evaluation.results()
    assert not result.fault and evaluation.total.right == 1


def test_who_learns_it_anew_names_the_dice_as_the_host_did(tmp_path: Path) -> None:
    """Whatever colours others would call them: two names are exchanged here."""
    exchanged = {"red": "blue", "blue": "red"}
    named = [replace(die, name=exchanged.get(die.name, die.name)) for die in profile(SESSION).colours]
    called = replace(profile(SESSION), colours=tuple(named))
    session = PhotoSession(tmp_path / "kept")
    session.begin(called, {}, as_jpeg(photo(SESSION, "dice.jpg")))
    anew = learn(session.folder)
    assert [die.name for die in anew.colours] == [die.name for die in called.colours]
    assert np.allclose([die.lab for die in anew.colours], [die.lab for die in called.colours], atol=3)
    assert anew.die_mm == pytest.approx(called.die_mm, abs=0.2)
    about = json.loads((session.folder / "session.json").read_text())
    about["dice"]["looks"][0][0] = 300
    (session.folder / "session.json").write_text(json.dumps(about))
    with pytest.raises(BadSession, match=r"dice.looks is .* instead of six numbers from 0 to 255"):
        learn(session.folder)


def test_a_height_that_was_typed_without_a_width_is_kept(tmp_path: Path) -> None:
    typed = replace(profile(SESSION), piece_mm=(19.0, 10.4), pieces_told=False)
    session = PhotoSession(tmp_path / "kept")
    session.begin(typed, {}, as_jpeg(photo(SESSION, "dice.jpg")))
    anew = learn(session.folder)
    assert (anew.piece_mm, anew.pieces_told) == ((19.0, 10.4), False)


def test_of_a_profile_that_was_replaced_no_dice_are_kept(tmp_path: Path) -> None:
    file = tmp_path / "set.json"
    other = replace(profile(SESSION), empty=profile(SESSION).empty // 2)
    save(profile(SESSION), file, photo(SESSION, "dice.jpg"))
    assert dice_of(file, profile(SESSION)) is not None
    assert dice_of(file, other) is None and dice_of(None, other) is None
    file.write_text("{}")
    assert dice_of(file, profile(SESSION)) is None


def test_a_profile_keeps_its_photo_of_the_dice_until_there_is_another(tmp_path: Path) -> None:
    file = tmp_path / "set.json"
    assert load_dice(file) is None
    dice = photo(SESSION, "dice.jpg")
    save(profile(SESSION), file, dice)
    kept = load_dice(file)
    assert kept is not None and (kept == dice).all()
    save(profile(SESSION), file, dice[::-1])
    assert sorted(path.name.rsplit("-", 1)[0] for path in tmp_path.iterdir()) == [
        "set-dice",
        "set-empty",
        "set.json",
    ]
    save(profile(SESSION), file)
    assert load_dice(file) is None
    assert len(list(tmp_path.iterdir())) == 2
    assert load(file).die_mm == profile(SESSION).die_mm


def test_only_the_last_of_several_corrections_is_kept(tmp_path: Path) -> None:
    one = Round(tmp_path, DOUBTED)
    slip = notation.read("600000000000-" + notation.write(LAID).split("-")[1])
    one.tell(SituationLaid(replace(LAID, dice=LAID.dice[::-1])), SituationLaid(slip), SituationLaid(LAID))
    one.tell(HourglassTurned(1.0), HourglassTurned(2.0))
    assert [known["pieces"] for known in one.kept().values()] == [KNOWN["pieces"]]


@pytest.mark.parametrize(
    "shown",
    [
        pytest.param(seen(), id="read surely and rightly"),
        pytest.param(None, id="something moves"),
        pytest.param(seen(counts=None, dice=dict.fromkeys(COLOURS), sure=False), id="nothing was read"),
        pytest.param(
            seen(counts=(0, 3, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0), dice=dict.fromkeys(COLOURS, 1)),
            id="something else lies there",
        ),
    ],
)
def test_nothing_is_kept_of(tmp_path: Path, shown: Seen | None) -> None:
    one = Round(tmp_path, shown)
    one.tell(SituationLaid(LAID), HourglassTurned(1.0))
    assert one.kept() == {}
    assert not list(tmp_path.iterdir())


def test_a_sure_reading_that_was_wrong_is_corrected_and_a_doubt_that_was_right_answered() -> None:
    wrong = seen(dice={**KNOWN["dice"], "red": 7 - KNOWN["dice"]["red"]})
    assert corrects(KNOWN, wrong.reading)
    assert corrects(KNOWN, seen(sure=False).reading)
    assert not corrects(KNOWN, seen().reading)


SLIP = replace(LAID, dice=(7 - LAID.dice[0], *LAID.dice[1:]))


def test_what_was_put_right_in_the_round_or_after_it_is_what_is_kept(tmp_path: Path) -> None:
    for later in (False, True):
        one = Round(tmp_path / str(later), DOUBTED)
        one.tell(SituationLaid(SLIP), HourglassTurned(1.0))
        if later:
            one.tell(SandRanOut(61.0), SituationLaid(LAID))
        one.tell(ReadingCorrected(1, LAID, None))
        assert [known["dice"] for known in one.kept().values()] == [KNOWN["dice"]]


def test_what_the_camera_laid_surely_is_kept_when_somebody_says_that_it_was_wrong(tmp_path: Path) -> None:
    wrong = dict(zip(COLOURS, SLIP.dice, strict=True))
    one = Round(tmp_path, seen(dice=wrong))
    one.tell(SituationLaid(SLIP), HourglassTurned(1.0), ReadingCorrected(1, LAID, None))
    assert [known["dice"] for known in one.kept().values()] == [KNOWN["dice"]]


@pytest.mark.parametrize("back", [HourglassCancelled(2.0, lost=False), Undone(1, None)])
def test_a_turn_that_is_taken_back_takes_its_photo_with_it(tmp_path: Path, back: Event) -> None:
    one = Round(tmp_path, DOUBTED)
    one.tell(SituationLaid(SLIP), HourglassTurned(1.0), back)
    one.tell(SituationLaid(LAID), HourglassTurned(3.0))
    ((name, known),) = one.kept().items()
    assert known["dice"] == KNOWN["dice"]
    assert [path.name for path in tmp_path.rglob("frames/*")] == [name.split("/")[1]]


def test_a_turn_that_is_taken_back_and_done_again_keeps_its_photo(tmp_path: Path) -> None:
    one = Round(tmp_path, DOUBTED)
    one.tell(SituationLaid(LAID), HourglassTurned(1.0), HourglassCancelled(2.0, lost=False))
    one.tell(HourglassTurned(3.0))
    assert [known["dice"] for known in one.kept().values()] == [KNOWN["dice"]]


def test_a_new_game_forgets_what_was_laid_before(tmp_path: Path) -> None:
    one = Round(tmp_path, DOUBTED)
    one.tell(SituationLaid(LAID))
    one.tell(GameStarted(("N", "S"), "N", "fr", COLOURS, 60, game.Ending(), 6))
    one.tell(HourglassTurned(1.0))
    assert one.kept() == {}


def test_a_set_of_other_colours_is_not_this_profiles(tmp_path: Path) -> None:
    one = Round(tmp_path, DOUBTED)
    assert one.state.agreed
    one.state = replace(one.state, agreed=replace(one.state.agreed, colours=("pink", *COLOURS[1:])))
    one.tell(SituationLaid(LAID), HourglassTurned(1.0))
    assert one.kept() == {}


def test_it_stops_at_its_limit_says_so_once_and_loses_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    most = 9 * MEGABYTE
    one = Round(tmp_path, DOUBTED, most)
    one.tell(SituationLaid(LAID), HourglassTurned(1.0))
    one.keeper.close()
    filler = tmp_path / "other.bin"
    filler.write_bytes(
        b"x" * (most - sum(p.stat().st_size for p in tmp_path.rglob("*.*")) - len(DOUBTED.jpeg))
    )
    full = Round(tmp_path, DOUBTED, most)
    for _ in range(3):
        full.tell(SituationLaid(LAID), HourglassTurned(1.0))
    assert len(full.kept()) == 1
    assert caplog.text.count("is full") == 1
    assert f"{tmp_path} is full (9 MB)" in where_kept(tmp_path, 9)
    assert where_kept(tmp_path, 11).endswith(f"are kept in {tmp_path} (9 of 11 MB).")
    assert sum(path.stat().st_size for path in tmp_path.rglob("*") if path.is_file()) <= most


def test_a_folder_that_cannot_be_written_is_said_and_the_game_goes_on(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("no folder")
    one = Round(tmp_path / "file", DOUBTED)
    for _ in range(2):
        one.tell(SituationLaid(LAID), HourglassTurned(1.0))
    one.keeper.close()
    assert caplog.text.count("cannot be kept") == 1


def test_photos_may_be_taken_out_by_hand(tmp_path: Path) -> None:
    one = Round(tmp_path, DOUBTED)
    one.tell(SituationLaid(LAID), HourglassTurned(1.0), SituationLaid(LAID), HourglassTurned(2.0))
    one.keeper.close()
    (session,) = tmp_path.iterdir()
    (session / "frames" / "001.jpg").unlink()
    more = Round(tmp_path, DOUBTED)
    more.tell(SituationLaid(LAID), HourglassTurned(1.0))
    assert [name.split("/")[1] for name in more.kept()] == ["001.jpg", "002.jpg", "003.jpg"]
    (result,) = Evaluation(tmp_path).results()
    assert (result.tally.right, result.gone, result.faults) == (2, ["001.jpg"], [])


# The whole way: a camera that doubts, a phone that enters what lies there


@pytest.fixture
def virtual(monkeypatch: pytest.MonkeyPatch) -> VirtualTable:
    monkeypatch.setattr(watch, "GLANCE_S", 0.01)
    table = VirtualTable(MAT, DEFAULT_COLOURS, piece_mm=(16.6, 12.0), clock=lambda: 0.0)
    table.hold(True)
    table.scatter(Random(3))
    table.throw(Random(3))
    table.hold(False)
    return table


def post(url: str, **form: str) -> None:
    data = urllib.parse.urlencode(form).encode()
    request = urllib.request.Request(url, data, {"Accept": "application/json"})
    with urllib.request.urlopen(request) as answer:
        assert answer.status == 204


def settled(rig: Rig) -> None:
    """Waits until the camera has looked long enough."""
    there = threading.Event()
    rig.listen(lambda: there.set() if rig.lying() else None)
    assert rig.lying() or there.wait(30)


def test_a_phone_enters_what_the_camera_doubts(virtual: VirtualTable, tmp_path: Path) -> None:
    true = truthful(virtual)

    def open_eye() -> tuple[Camera, watch.Read]:
        """A camera that never sees the red die."""
        return VirtualCamera(virtual), lambda frame: _without_red(true(frame))

    learned = calibrate(MAT, virtual.photo_empty(), virtual.photo_dice(), DEFAULT_COLOURS, 16.0, (16.6, 12.0))
    log, kept = tmp_path / "log.sqlite", tmp_path / "kept"
    with (
        evening(log, lambda table: Rig(table, open_eye=open_eye), DEFAULT_COLOURS, None) as (app, table, rig),
        serving(app) as port,
        keeping(kept, 50, learned, table, rig.lying),
    ):
        rig.start()
        assert table.ask(game.Start(("North", "South"), "North")).ok
        settled(rig)
        lying = true(virtual.draw())
        assert lying.counts
        pips = "".join(str(lying.dice[colour]) for colour in DEFAULT_COLOURS)
        post(
            f"http://127.0.0.1:{port}/lay", situation=f"{''.join(map(str, lying.counts))}-{pips}", me="North"
        )
        post(f"http://127.0.0.1:{port}/turn", me="North")
    evaluation = Evaluation(kept)
    (result,) = evaluation.results()
    assert not result.fault
    assert (evaluation.total.readable, evaluation.total.wrong) == (1, 0)


def _without_red(reading: Reading) -> Reading:
    doubts = (*reading.doubts, Doubt("die red", "it may lean"))
    return replace(reading, dice={**reading.dice, "red": None}, sure=False, doubts=doubts)
