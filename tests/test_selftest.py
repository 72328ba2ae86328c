"""`corona selftest`: what is laid, how it is judged and kept, what is advised, and its page on a phone."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

from calibration.files import read_photo
from calibration.store import save
from companion.cli import main
from companion.evaluate import Evaluation, learn
from companion.games.corona.rules import DEFAULT_COLOURS, Situation
from companion.selftest.advice import ALL_WELL, WELL_SO_FAR, advice
from companion.selftest.measures import Measures, measure, place
from companion.selftest.reader import Reader
from companion.selftest.run import NoSelfTest, Seen, differences, in_words, judge, open_session, run
from companion.selftest.setups import setups
from companion.selftest.sources import BeforeCamera, lay
from companion.sessions import PhotoSession
from hardware.camera import CameraFailed
from hardware.virtual import VirtualCamera, VirtualTable
from tests.browser import browser, phone
from tests.sessions import photo
from tests.sessions import profile as session_profile
from vision.geometry import Image
from vision.profile import Profile
from vision.read import read
from vision.reading import Doubt, Reading

pytestmark = pytest.mark.slow

TEN = setups(DEFAULT_COLOURS)
EASY = TEN[0]
LAID = Reading(EASY.pieces, dict(EASY.dice), sure=True)


def corona(*words: str | Path, text: str = "") -> Result:
    return CliRunner().invoke(main, ["selftest", *map(str, words)], input=text, catch_exceptions=False)


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Result]:
    """A self-test on the virtual table, and what it printed."""
    folder = tmp_path_factory.mktemp("demo") / "selftest"
    return folder, corona("--demo", "--out", folder)


@pytest.fixture
def begun(done: tuple[Path, Result], tmp_path: Path) -> Path:
    """A copy in which two set-ups are left to do, one of which was cut off before its truth was kept."""
    folder = tmp_path / "selftest"
    shutil.copytree(done[0], folder)
    truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    left = {name: known for name, known in truth.items() if name not in ("003.jpg", "009.jpg")}
    (folder / "truth.json").write_text(json.dumps(left))
    (folder / "frames" / "009.jpg").unlink()
    return folder


@pytest.fixture(scope="module")
def profile(done: tuple[Path, Result]) -> Profile:
    return learn(done[0])


# The set-ups


@pytest.mark.parametrize(
    "colours",
    [DEFAULT_COLOURS, ("orange", "pink", "red", "purple", "brown", "green")],
    ids=("usual", "other"),
)
def test_ten_set_ups_that_can_be_laid(colours: tuple[str, ...]) -> None:
    ten = setups(colours)
    assert [setup.number for setup in ten] == list(range(1, 11))
    assert len({setup.title for setup in ten}) == 10
    for setup in ten:
        Situation(setup.pieces, tuple(setup.dice[colour] for colour in colours))
        assert len({colour for _, colour in setup.markers}) == len(setup.markers)
        for field, colour in setup.markers:
            assert colour in colours
            assert setup.pieces[field] >= sum(other == field for other, _ in setup.markers)
    for colour in colours:
        assert {setup.dice[colour] for setup in ten} == set(range(1, 7)), "each die shows every number"


def test_a_set_up_is_one_sentence() -> None:
    assert EASY.sentence() == (
        "Lay one piece on each of A, C, E, G, I and K: in the middle of its field, the dice apart."
    )
    assert TEN[1].sentence().startswith("Lay two pieces on B, two on H, one on E and one on K: ")
    assert EASY.with_dice() == "red 1, blue 2, green 3, yellow 4, white 5, black 6"
    assert TEN[7].with_markers() == "white on D, black on J, red on L"
    assert [setup.number for setup in TEN if not setup.known["readable"]] == [10]


# The whole way, on the virtual table


def test_the_virtual_table_is_tested_and_nothing_is_wrong(done: tuple[Path, Result]) -> None:
    folder, ran = done
    assert ran.exit_code == 0
    lines = ran.stdout.splitlines()
    verdicts = {int(line[:2]): line.split(": ", 1)[1] for line in lines if line[2:4] == ". "}
    assert set(verdicts) == set(range(1, 11))
    assert verdicts[1] == "sure and right"
    assert verdicts[4] == "skipped", "the virtual pieces do not stand on each other"
    assert verdicts[10] == "rightly refused"
    assert not any("WRONG" in verdict for verdict in verdicts.values())
    assert f"The page with all pictures: {folder / 'index.html'}" in lines
    assert any(", 0 wrong, 1 not done." in line for line in lines)


def test_it_is_a_photo_session_that_evaluate_reads(done: tuple[Path, Result]) -> None:
    evaluation = Evaluation(done[0])
    (result,) = evaluation.results()
    assert not result.fault
    assert (evaluation.total.readable, evaluation.total.wrong) == (8, 0)
    assert (evaluation.total.refused, evaluation.total.swallowed) == (1, 0)
    names = {path.name for path in done[0].iterdir()}
    assert {"layout.json", "session.json", "empty.jpg", "dice.jpg", "frames", "truth.json"} <= names


def test_the_page_fits_a_phone(done: tuple[Path, Result]) -> None:
    with browser() as chromium:
        page = phone(chromium)
        page.goto((done[0] / "index.html").as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") == 360
        page.evaluate("document.querySelectorAll('img').forEach((one) => { one.loading = 'eager'; })")
        page.wait_for_function("[...document.images].every((one) => one.complete && one.naturalWidth > 300)")
        assert page.locator("img").count() == 9
        assert page.locator(".setup").count() == 10
        assert page.locator(".setup.left").count() == 1
        words = page.locator("main").inner_text()
        assert "right with over 99.9 %" in words and "100.0" not in words
        assert "set-ups came out right" in page.locator("h1").inner_text()
        tight = (
            "(all) => all.filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.className)"
        )
        assert page.eval_on_selector_all("main *:not(svg *)", tight) == []
        assert page.faults == []  # type: ignore[attr-defined]


# Going on, and folders that are something else


def test_a_second_run_goes_on_where_the_first_was_cut_off(begun: Path) -> None:
    first = (begun / "frames" / "001.jpg").read_bytes()
    ran = corona("--demo", "--out", begun)
    assert ran.exit_code == 0
    assert "The same command goes on" not in ran.stdout  # the virtual table does not stack
    lines = ran.stdout.splitlines()
    assert lines[0].startswith("7 of 10 set-ups have been done before; going on with the rest. To do one")
    assert [line[:3] for line in lines[1:4]] == [" 3.", " 4.", " 9."]
    assert (begun / "frames" / "001.jpg").read_bytes() == first
    assert len(json.loads((begun / "truth.json").read_text(encoding="utf-8"))) == 9


def test_a_photo_that_is_gone_or_damaged_is_taken_again(begun: Path) -> None:
    (begun / "frames" / "001.jpg").unlink()
    (begun / "frames" / "002.jpg").write_bytes(b"half a pic")
    ran = corona("--demo", "--out", begun)
    assert ran.exit_code == 0
    assert ran.stdout.startswith("5 of 10 set-ups have been done before")
    assert [line[:3] for line in ran.stdout.splitlines()[1:6]] == [" 1.", " 2.", " 3.", " 4.", " 9."]
    assert "9 right, 0 unsure, 0 wrong, 1 not done." in ran.stdout


def test_a_camera_that_fails_ends_it_with_what_was_done(profile: Profile, tmp_path: Path) -> None:
    table = VirtualTable(profile.layout.to_json(), DEFAULT_COLOURS, piece_mm=(16.6, 12.0), clock=lambda: 0.0)
    lay(table, EASY)
    session = open_session(tmp_path / "one", profile, None)

    class Failing(VirtualCamera):
        def capture(self) -> Image:
            if session.truth():
                raise CameraFailed("camera 0 gives no more pictures: check its cable")
            return super().capture()

    said: list[str] = []
    source = BeforeCamera(Failing(table), lambda _: "", said.append)
    assert run(TEN, session, Reader(profile), source, said.append) == [
        "camera 0 gives no more pictures: check its cable"
    ]
    assert list(session.truth()) == ["001.jpg"]


def test_one_set_up_is_done_anew_from_another_photo(begun: Path, profile: Profile, tmp_path: Path) -> None:
    """Photo 1 showed the second set-up: what it is read as is wrong, and --redo takes the right photo."""
    photos = tmp_path / "photos"
    photos.mkdir()
    shutil.copy(begun / "frames" / "002.jpg", photos / "01.jpg")
    save(profile, tmp_path / "table.json")
    words = ["--profile", tmp_path / "table.json", "--photos", photos, "--out", tmp_path / "out"]
    first = corona(*words)
    assert " 1. The easy one: WRONG" in first.stdout and "give --redo its number" in first.stdout
    shutil.copy(begun / "frames" / "001.jpg", photos / "01.jpg")
    before = corona(*words).stdout
    assert "1 of 10 set-ups have been done before" in before and "sure and right" not in before
    again = corona(*words, "--redo", "1")
    assert again.stdout.splitlines()[0] == " 1. The easy one: sure and right"
    assert "--redo" not in again.stdout
    assert corona(*words, "--redo", "11").exit_code == 2


def test_a_session_that_was_cut_off_while_it_began_is_begun_again(profile: Profile, tmp_path: Path) -> None:
    open_session(tmp_path / "new", profile, b"dice")
    (tmp_path / "new" / "truth.json").unlink()
    assert open_session(tmp_path / "new", profile, b"dice").truth() == {}


def test_another_set_or_another_folder_is_refused(begun: Path, profile: Profile, tmp_path: Path) -> None:
    save(replace(profile, die_mm=14.0), tmp_path / "other.json")
    ran = corona("--profile", tmp_path / "other.json", "--photos", begun / "frames", "--out", begun)
    assert ran.exit_code == 1 and "another profile" in ran.stderr and ran.stderr.count("\n") == 1
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters" / "to-anna.txt").write_text("Dear Anna")
    with pytest.raises(NoSelfTest, match="is not empty"):
        open_session(tmp_path / "letters", profile, None)
    for file in ("truth.json", "session.json"):
        for text in ("{", "[]"):
            (begun / file).write_text(text)
            with pytest.raises(NoSelfTest, match="is broken"):
                open_session(begun, profile, None)
        (begun / file).write_text("{}")


@pytest.mark.parametrize(
    ("words", "status", "sentence"),
    [
        ([], 1, "a profile is needed"),
        (["--list", "--profile", "missing.json"], 1, "missing.json"),
        (["--profile", "missing.json"], 1, "missing.json"),
        (["--config", "missing.toml"], 1, "missing.toml"),
        (["--demo", "--photos", "somewhere"], 2, "--demo has a table of its own"),
    ],
)
def test_what_is_missing_is_one_sentence(
    words: list[str], status: int, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = corona(*words)
    assert ran.exit_code == status
    assert sentence in ran.stderr and "Traceback" not in ran.stderr
    assert not (tmp_path / "selftest").exists()


# Photos taken by other means


def test_without_a_profile_the_usual_colours_are_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = corona("--list")
    assert ran.exit_code == 0
    assert ran.stdout.count(".jpg  ") == 10 and "Dice: red 1, blue" in ran.stdout


def test_photos_in_a_folder(done: tuple[Path, Result], profile: Profile, tmp_path: Path) -> None:
    photos = tmp_path / "photos"
    photos.mkdir()
    shutil.copy(done[0] / "frames" / "001.jpg", photos / "01.jpg")
    shutil.copy(done[0] / "frames" / "002.jpg", photos / "2.jpg")
    (photos / "03.jpg").write_bytes(b"no picture")
    (photos / "notes.txt").write_text("laid by Ben")
    save(profile, tmp_path / "set.json")
    ran = corona("--profile", tmp_path / "set.json", "--photos", photos, "--out", tmp_path / "out")
    assert ran.exit_code == 1 and "03.jpg" in ran.stderr
    assert " 1. The easy one: sure and right" in ran.stdout.splitlines()
    assert "2 right, 0 unsure, 0 wrong, 8 not done." in ran.stdout
    evaluation = Evaluation(tmp_path / "out")
    (result,) = evaluation.results()
    assert not result.fault and evaluation.total.right == 2
    listed = corona("--profile", tmp_path / "set.json", "--list").stdout
    assert listed.count(".jpg  ") == 10 and "10.jpg  A hand. Lay one piece" in listed


def test_a_camera_that_the_settings_name_is_asked(
    done: tuple[Path, Result], profile: Profile, tmp_path: Path
) -> None:
    """Pictures from a folder stand for the camera: the first set-up stays before it."""
    (tmp_path / "frames").mkdir()
    shutil.copy(done[0] / "frames" / "001.jpg", tmp_path / "frames")
    save(profile, tmp_path / "set.json")
    config = tmp_path / "corona.toml"
    config.write_text('[camera]\nkind = "folder"\nfolder = "frames"\nprofile = "set.json"\n')
    # Laid; skipped; mislaid and the camera blamed, each after an answer that is none; no more.
    ran = corona("--config", config, "--out", tmp_path / "out", text="\ns\nwhat?\n\nno\nk\nq\n")
    assert ran.exit_code == 0
    assert "1 of 10. The easy one\n  Lay one piece on each" in ran.stdout
    assert "The camera reads " in ran.stdout
    assert " 3. Three and three: WRONG: sure of " in ran.stdout
    assert "1 right, 0 unsure, 1 wrong, 8 not done." in ran.stdout
    assert "- A reading was sure and wrong (set-up 3)" in ran.stdout
    skipped = corona("--config", config, "--out", tmp_path / "skipped", text="s\n\ns\nq\n")
    assert skipped.stdout.count(": skipped") == 2 and not list((tmp_path / "skipped" / "frames").iterdir())
    nothing = corona("--config", config, "--out", tmp_path / "none", text="")
    assert nothing.exit_code == 0 and "Nothing was laid" in nothing.stdout


def test_what_was_mislaid_is_put_right_and_looked_at_again(profile: Profile, tmp_path: Path) -> None:
    table = VirtualTable(profile.layout.to_json(), DEFAULT_COLOURS, piece_mm=(16.6, 12.0), clock=lambda: 0.0)
    said: list[str] = []

    def hands(wrong: bool) -> None:
        dice = EASY.dice | ({"blue": 5} if wrong else {})
        lay(table, replace(EASY, dice=dice))

    answers: Iterator[Callable[[], str]] = iter([lambda: hands(True) or "", lambda: hands(False) or ""])
    session = open_session(tmp_path / "one", profile, None)
    source = BeforeCamera(VirtualCamera(table), lambda _: next(answers)(), said.append)
    assert run([EASY], session, Reader(profile), source, said.append) == []
    assert "  The camera reads blue 5 instead of 2." in said
    assert said[-1] == " 1. The easy one: sure and right"
    assert session.truth() == {"001.jpg": EASY.known}
    assert list((tmp_path / "one" / "frames").iterdir()) == [session.frame("001.jpg")]


def test_a_die_that_was_given_another_name_is_laid(profile: Profile) -> None:
    table = VirtualTable(profile.layout.to_json(), DEFAULT_COLOURS, piece_mm=(16.6, 12.0), clock=lambda: 0.0)
    renamed = {("pink" if colour == "red" else colour): value for colour, value in EASY.dice.items()}
    lay(table, replace(EASY, dice=renamed))
    assert {colour: die.value for colour, die in table.dice.items()} == EASY.dice


# How it is judged


def test_a_reading_is_judged_by_what_was_asked_for() -> None:
    hand = TEN[9]
    assert judge(EASY, LAID).verdict == "right"
    assert judge(EASY, replace(LAID, sure=False)).verdict == "unsure"
    wrong = judge(EASY, replace(LAID, dice=LAID.dice | {"red": 6}))
    assert (wrong.verdict, wrong.differs) == ("wrong", ["red 6 instead of 1"])
    assert in_words(wrong) == "WRONG: sure of red 6 instead of 1"
    assert judge(hand, replace(LAID, sure=False)).verdict == "right"
    assert in_words(judge(hand, replace(LAID, sure=False))) == "rightly refused"
    assert in_words(judge(hand, LAID)) == "WRONG: sure of nothing over the board"
    no_board = judge(hand, Reading(None, {}, doubts=(Doubt("board", "none of the 4 tags is to be seen"),)))
    assert (no_board.verdict, no_board.differs) == ("unsure", ["hardly anything of the board"])


def test_a_hand_that_was_left_over_the_board_is_no_set_up_as_asked() -> None:
    hand = Doubt("fields F to H", HIDDEN, (5, 6, 7))
    over = replace(LAID, counts=(*EASY.pieces[:5], None, None, None, *EASY.pieces[8:]), sure=False)
    assert judge(EASY, replace(over, doubts=(hand,))).differs == ["something over the board, perhaps a hand"]
    dark = Doubt("table", "it is too dark; switch on a lamp")
    assert judge(EASY, replace(over, doubts=(dark, hand))).differs == [], (
        "what is seen in the dark is no hand"
    )


def test_a_photo_of_hardly_any_board_does_not_show_what_was_asked_for() -> None:
    """In the dark, or of another board: kept without a word it would be a photo of which nothing is true."""
    known = TEN[7].known
    dice = dict.fromkeys(known["dice"])
    for counts in (None, (None,) * 12, (*known["pieces"][:5], *(None,) * 7)):
        assert differences(Reading(counts, dice), known) == ["hardly anything of the board"]
    assert differences(Reading((*known["pieces"][:6], *(None,) * 6), dice), known) == []


def test_differences_are_said_in_words() -> None:
    known = TEN[7].known
    seen = Reading(
        (*TEN[7].pieces[:3], 1, None, *TEN[7].pieces[5:]),
        TEN[7].dice | {"white": None},
        markers=((3, "white"), (5, "black"), (11, "red")),
    )
    assert differences(seen, known) == ["1 on D instead of 2", "a black marker on F that is not there"]
    assert "no black marker on J" in differences(replace(seen, sure=True), known)


# What is advised


def disturbed(frame: Image, how: str) -> Image:
    match how:
        case "darker":
            return np.asarray(cv2.convertScaleAbs(frame, alpha=0.6), np.uint8)
        case "brighter":
            # The photo of the empty board is bright already: there is no more than 255.
            return np.asarray(
                cv2.LUT(frame, np.clip(np.arange(256) * 1.2, 0, 244).astype(np.uint8)), np.uint8
            )
        case "blown":
            return np.asarray(cv2.convertScaleAbs(frame, alpha=1.45), np.uint8)
        case "blurred":
            return np.asarray(cv2.GaussianBlur(frame, (0, 0), 2.0), np.uint8)
        case "lit from one side":
            ramp = np.linspace(1.3, 0.65, frame.shape[1], dtype=np.float32)[None, :, None]
            return np.clip(frame * ramp, 0, 255).astype(np.uint8)
        case "moved":
            return np.roll(frame, (14, 12), axis=(0, 1))
        case "shining":
            shown = frame.copy()
            x, y = (int(v) for v in np.mean(read(frame, session_profile("session-01")).fields[3], axis=0))
            cv2.circle(shown, (x, y), 30, (255, 255, 255), -1)
            return shown
    return frame


@pytest.mark.parametrize(
    ("how", "advised"),
    [
        ("as it is", ""),
        ("darker", "darker than at calibration, 61 % of the light"),
        ("brighter", "times as bright as at calibration"),
        ("blown", "too bright: 80 % of the board"),
        ("blurred", "less sharp than at calibration"),
        ("lit from one side", "light comes from elsewhere"),
        ("moved", "has moved by"),
        ("shining", "mirrors in the board near field D"),
    ],
)
def test_what_a_photo_says_becomes_advice(how: str, advised: str) -> None:
    of_session = session_profile("session-01")
    frame = disturbed(photo("session-01", "frames/001.jpg"), how)
    found = measure(frame, read(frame, of_session), of_session)
    assert found is not None
    sentences = advice(place(of_session), [], [found], whole=False)
    assert [advised in sentence for sentence in sentences] == ([True] if advised else [])


def test_without_a_board_nothing_is_measured() -> None:
    of_session = session_profile("session-01")
    nothing = np.zeros_like(of_session.empty)
    assert measure(nothing, read(nothing, of_session), of_session) is None


def seen(number: int, *doubts: tuple[str, str]) -> Seen:
    """The reading of a set-up that doubts this; of "field D" and "fields A B" it has the fields."""
    setup = TEN[number - 1]
    told = []
    for what, why in doubts:
        kind, _, letters = what.partition(" ")
        fields = tuple("ABCDEFGHIJKL".index(one) for one in letters.split()) if "field" in kind else ()
        told.append(Doubt(what, why, fields))
    return judge(setup, Reading(setup.pieces, dict(setup.dice), setup.markers, not doubts, tuple(told)))


NEAR = replace(place(session_profile("session-01")), die_px=40.0, off_deg=5.0)
LEANS = ("die white", "it may lean")
HIDDEN = "something covers this, perhaps a hand"
HARD = "its pieces are hard to see"


def advised(*readings: Seen) -> list[str]:
    """The sentences, each up to its colon."""
    return [sentence.split(":")[0] for sentence in advice(NEAR, readings, [], whole=True)]


def test_doubts_become_advice() -> None:
    assert advised(seen(1, LEANS), seen(9, LEANS), seen(8, ("field D", "a marker may be white"))) == [
        "The white die was doubted (2 times)",
        "Markers were doubted (set-up 8)",
    ]
    wrong = [judge(TEN[k], seen(1).reading) for k in (1, 2, 4)]
    assert advice(NEAR, wrong, [], whole=True)[0].startswith(
        "A reading was sure and wrong (set-ups 2, 3 and 5). If"
    )
    (small,) = advice(NEAR, [seen(6, ("table", "many small doubts together"))], [], whole=True)
    assert small.startswith("There were many small doubts at once (once): more")
    far = replace(NEAR, die_px=15.0, off_deg=40.0)
    assert [sentence.split(":")[0][:30] for sentence in advice(far, [seen(1)], [], whole=True)] == [
        "A die is only 15 pixels wide",
        "The camera looks from 40 degre",
    ]


def test_all_dice_that_were_doubted_stand_in_one_line() -> None:
    all_six = [(f"die {colour}", "it may lean") for colour in DEFAULT_COLOURS]
    assert advised(seen(1, *all_six), seen(2, LEANS), seen(3, LEANS)) == [
        "Dice were doubted (white 3 times, red once, blue once, green once, yellow once, black once)"
    ]


@pytest.mark.parametrize(
    ("number", "doubt", "sentences"),
    [
        (2, ("field B", HARD), ["Pieces that touch were doubted (set-up 2)"]),
        (2, ("field E", HARD), ["Single pieces were doubted (set-up 2)"]),
        (2, ("field A", HARD), []),
        (4, ("field F", HARD), ["Pieces on each other were doubted (set-up 4)"]),
        (4, ("pieces", "5 of 6 pieces are to be seen"), ["Pieces on each other were doubted (set-up 4)"]),
        (5, ("field H", HARD), ["Pieces near the edge of a field were doubted (set-up 5)"]),
        (7, ("field A", HARD), ["Markers were doubted (set-up 7)"]),
        (7, ("field B", HARD), []),
        (8, ("field F", HARD), ["Single pieces were doubted (set-up 8)"]),
    ],
)
def test_pieces_are_advised_about_where_a_doubted_field_holds_some(
    number: int, doubt: tuple[str, str], sentences: list[str]
) -> None:
    assert advised(seen(number, doubt), seen(1)) == sentences


def test_where_empty_fields_are_doubted_throughout_the_board_is_another_than_it_was() -> None:
    everywhere = ("fields A B C D E F G H I J K L", f"{HIDDEN}, or it is another board than the profile's")
    some = ("fields A B C D E F", HIDDEN)
    none = ("pieces", "0 of 6 pieces are to be seen")
    other_board = [seen(1, everywhere, none), seen(2, everywhere, none), seen(7, some), seen(9, some)]
    assert advised(*other_board) == ["Fields on which nothing lay were doubted (set-ups 1, 2, 7 and 9)"]
    assert "Calibrate again on this board." in advice(NEAR, other_board, [], whole=True)[0]
    each = [(f"field {letter}", HARD) for letter in "ABCDEFGHIJKL"]
    assert advised(seen(3, *each)) == ["Fields on which nothing lay were doubted (set-up 3)"]
    sleeve = advised(seen(2, some, none), *(seen(number) for number in (1, 3, 4)))
    assert sleeve == ["Something covered the board (set-up 2)"]


def test_a_hand_in_the_picture_is_no_fault_of_the_dice_below_it() -> None:
    hand = ("fields F G H", HIDDEN)
    assert advised(seen(1, hand, LEANS), seen(2, hand, ("pieces", "4 of 6 pieces are to be seen"))) == [
        "Something covered the board (set-ups 1 and 2)"
    ]
    lies = ("board", "something lies on it that is neither piece nor die, perhaps a hand")
    assert advised(seen(3, lies)) == ["Something covered the board (set-up 3)"]


@pytest.mark.parametrize(
    ("why", "sentence"),
    [
        ("none of the 4 tags is to be seen", "The board was not surely seen (2 times)"),
        ("only 1 of 4 tags is to be seen", "The board was not surely seen (2 times)"),
        ("many small doubts together", "There were many small doubts at once (2 times)"),
        ("it is too dark; switch on a lamp", "The camera says (set-ups 1 and 3)"),
        ("the picture is mirrored; switch that off at the camera", "The camera says (set-ups 1 and 3)"),
    ],
)
def test_what_the_whole_picture_lacks_is_said_as_it_is(why: str, sentence: str) -> None:
    doubt = ("table" if "dark" in why or "many" in why else "board", why)
    assert advised(seen(1, doubt), seen(3, doubt, LEANS) if "dark" in why else seen(3, doubt)) == [sentence]


def test_what_is_said_of_the_light_is_not_said_twice() -> None:
    dim = Measures(40.0, 1.0, 1.05, 0.0, "", 1.0, 0.2)
    dark = seen(1, ("table", "it is too dark; switch on a lamp"))
    sentences = advice(NEAR, [dark], [dim], whole=True)
    assert sentences == ["It is dark: more light, best from two sides."]


def test_where_all_is_well_it_says_so() -> None:
    well = Measures(120.0, 1.0, 1.05, 0.0, "", 1.0, 0.2)
    read = [seen(number) for number in (1, 2, 3)]
    assert advice(NEAR, read, [well], whole=True) == [ALL_WELL]
    assert advice(NEAR, read, [well], whole=False) == [WELL_SO_FAR]


def test_a_kept_frame_can_be_read_back(done: tuple[Path, Result]) -> None:
    session = PhotoSession(done[0])
    assert read_photo(session.frame("001.jpg")).shape == (864, 1536, 3)
    assert session.truth()["001.jpg"] == EASY.known
