"""The self-test on the host's phone: its steps, what it keeps, and its pages, in a browser too."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from flask import Flask
from flask_babel import Babel, force_locale
from playwright.sync_api import Browser, expect

from calibration.calibrate import calibrate
from calibration.layouts import MAT
from companion.demo import DIE_MM, PIECE_MM, demo
from companion.evaluate import Evaluation
from companion.games.corona.rules import DEFAULT_COLOURS
from companion.phones import Phones
from companion.selftest.advice import advice
from companion.selftest.measures import Measures, Place
from companion.selftest.reader import Reader
from companion.selftest.run import Seen, differences, judge, look
from companion.selftest.said import Said
from companion.selftest.setups import SetUp, setups
from companion.selftest.sources import lay
from companion.watch import LENT, reader
from companion.web import tested
from companion.web.sentences import SENTENCES
from companion.workbench.bench import Workbench
from companion.workbench.borrowing import BorrowedCamera, Loan
from companion.workbench.self_test import CannotTest, SelfTest
from hardware.camera import CameraFailed, Frame
from hardware.virtual import VirtualTable
from tests.browser import House, browser, house, phone, serving
from tests.test_setting_up import until
from tests.test_web import ask
from vision.profile import Profile
from vision.reading import Doubt, Reading

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
TEN = setups(DEFAULT_COLOURS)


class OverTable:
    """A camera over a table that hands lay; `broken` is what it fails with."""

    def __init__(self) -> None:
        self.table = VirtualTable(MAT, DEFAULT_COLOURS, die_mm=DIE_MM, piece_mm=PIECE_MM, clock=lambda: 0.0)
        self.broken = ""
        self.opened = self.closed = 0

    def open(self) -> OverTable:
        self.opened += 1
        return self

    def capture(self) -> Frame:
        if self.broken:
            raise CameraFailed(self.broken)
        return self.table.draw()

    def glance(self) -> Frame:
        raise AssertionError("a self-test takes no glances")

    def close(self) -> None:
        self.closed += 1


def small_pieces() -> VirtualTable:
    return VirtualTable(MAT, DEFAULT_COLOURS, die_mm=DIE_MM, piece_mm=(13.0, 12.0), clock=lambda: 0.0)


class Run:
    """A self-test before such a camera; `owner` has the camera, `known` is the profile."""

    def __init__(self, folder: Path, known: Profile | None, lapse: float = 60.0) -> None:
        self.camera, self.known, self.owner = OverTable(), known, "table"
        self.loan = Loan(lambda: self._own("test"), lambda: self._own("table"))
        self.test = SelfTest(
            BorrowedCamera(self.camera.open, self.loan, lapse), folder / "tests", lambda: self.known
        )

    def _own(self, who: str) -> None:
        assert self.owner != who
        self.owner = who

    def lay(self, number: int, **other: object) -> None:
        """The hands lay set-up `number`, or something `other` than asked."""
        lay(self.camera.table, replace(TEN[number - 1], **other))  # type: ignore[arg-type]

    def do(self, *numbers: int) -> None:
        """Set-ups in turn, laid as asked."""
        for number in numbers:
            assert at(self.test) == number
            self.lay(number)
            self.test.look(number)
            self.test.follow(number)


def at(test: SelfTest) -> int:
    return test.setup.number if test.setup else 0


def step(test: SelfTest) -> str:
    return test.step


@pytest.fixture(scope="module")
def profile() -> Profile:
    table = OverTable().table
    return calibrate(MAT, table.photo_empty(), table.photo_dice(), DEFAULT_COLOURS, DIE_MM, PIECE_MM)


@pytest.fixture
def run(tmp_path: Path, profile: Profile) -> Run:
    return Run(tmp_path, profile)


# The steps


def test_ten_set_ups_become_a_session_that_evaluate_reads(run: Run) -> None:
    test = run.test
    test.begin()
    live = test.view()
    assert live is not None and "".join(live.fields) == "ABCDEFGHIJKL"
    assert (test.picture(live.seq) or b"").startswith(b"\xff\xd8")
    assert (step(test), at(test), run.owner) == ("lay", 1, "test")
    run.do(1, 2, 3)
    test.skip(4)
    run.do(5, 6, 7, 8, 9)
    assert test.last
    run.do(10)
    assert (step(test), run.owner, test.done, test.waiting) == ("rest", "table", 9, 1)
    summary = test.results()
    assert summary is not None
    assert summary.counts["wrong"] == 0 and summary.counts["left"] == 1
    assert test.folder is not None and (test.folder / "index.html").exists()
    assert (test.photo(1, small=True) or b"").startswith(b"\xff\xd8")
    assert (test.photo(4, small=False), test.photo(11, small=False)) == (None, None)
    evaluation = Evaluation(test.folder)
    (result,) = evaluation.results()
    assert not result.fault
    assert (evaluation.total.readable, evaluation.total.wrong) == (8, 0)
    assert (evaluation.total.refused, evaluation.total.swallowed) == (1, 0)


def test_what_was_mislaid_is_put_right_or_the_camera_errs(run: Run) -> None:
    test = run.test
    test.begin()
    run.lay(1, dice=TEN[0].dice | {"blue": 5})
    test.look(1)
    assert test.asks and test.seen is not None and test.seen.differs == ["blue 5 instead of 2"]
    assert test.done == 0
    test.follow(1)
    assert at(test) == 1, "nobody has said yet who errs"
    run.lay(1)
    test.look(1)
    assert not test.asks and test.done == 1
    test.follow(1)
    run.lay(2, dice=TEN[1].dice | {"red": 6})
    test.look(2)
    test.as_asked(2)
    assert (step(test), at(test), test.done) == ("lay", 3, 2)
    summary = test.results()
    assert summary is not None and (summary.counts["right"], summary.counts["wrong"]) == (1, 1)
    assert summary.advice[0].startswith("A reading was sure and wrong (set-up 2)")


def test_one_that_came_out_otherwise_is_laid_anew(run: Run) -> None:
    test = run.test
    test.begin()
    run.lay(1)
    run.camera.table.hold(True)
    test.look(1)
    assert test.asks and test.seen and test.seen.differs == ["something over the board, perhaps a hand"]
    test.as_asked(1)
    run.do(2)
    test.leave()
    before = test.results()
    assert before is not None and before.counts["unsure"] == 1
    test.redo(1)
    assert (step(test), at(test), run.owner) == ("lay", 1, "table")
    test.redo(99)
    run.do(1)
    assert (step(test), at(test)) == ("lay", 3), "and on with what is left"
    after = test.results()
    assert after is not None and (after.counts["right"], after.counts["unsure"]) == (2, 0)


def test_the_last_set_up_is_of_a_hand(run: Run) -> None:
    test = run.test
    test.begin()
    for number in range(1, 10):
        test.skip(number)
    run.lay(10, why="")
    test.look(10)
    assert test.asks and test.seen and test.seen.differs == ["nothing over the board"]
    run.lay(10)
    test.look(10)
    assert not test.asks
    summary = test.results()
    assert summary is not None and summary.counts["right"] == 1


def test_pieces_that_nobody_measured_are_measured_in_the_first_set_ups(tmp_path: Path) -> None:
    """As at the table. Of usual width these ones would hardly be told, three on a field."""
    run = Run(tmp_path, None)
    run.camera.table = table = small_pieces()
    run.known = calibrate(MAT, table.photo_empty(), table.photo_dice(), DEFAULT_COLOURS, DIE_MM)
    run.test.begin()
    run.do(1, 2, 3)
    folder = run.test.folder
    assert folder is not None and "pieces" not in json.loads((folder / "session.json").read_text())
    evaluation = Evaluation(folder)
    for now in (run, Run(tmp_path, replace(run.known))):
        summary = now.test.results()
        assert summary is not None and summary.counts["right"] == 3
    assert [result.fault for result in evaluation.results()] == [""] and evaluation.total.right == 3


def test_a_second_tap_does_nothing(run: Run) -> None:
    test = run.test
    test.look(1)
    assert step(test) == "rest"
    test.begin()
    run.lay(1)
    test.look(1)
    kept = test.photo(1, small=False)
    test.look(1)
    assert test.photo(1, small=False) == kept
    test.follow(1)
    for again in (test.follow, test.skip, test.look, test.as_asked):
        again(1)
    assert (step(test), at(test)) == ("lay", 2)


def test_after_a_restart_it_goes_on_with_the_rest(tmp_path: Path, profile: Profile) -> None:
    first = Run(tmp_path, profile)
    first.test.begin()
    first.do(1, 2)
    before = first.test.results()
    again = Run(tmp_path, replace(profile))
    assert (step(again.test), again.test.done) == ("rest", 2)
    summary = again.test.results()
    assert summary is not None and before is not None and summary.counts == before.counts
    again.test.begin()
    again.do(3)
    assert again.test.folder == first.test.folder


def test_another_profile_or_a_new_beginning_leaves_the_older_one(run: Run, profile: Profile) -> None:
    test = run.test
    test.begin()
    run.do(1)
    first = test.folder
    assert first is not None
    test.begin(anew=True)
    second = test.folder
    assert (at(test), test.done) == (1, 0)
    assert second is not None and (first / "frames" / "001.jpg").exists()
    test.leave()
    assert (test.folder, test.done) == (first, 1), "nothing was laid anew"
    test.begin(anew=True)
    assert test.folder == second
    run.do(1, 2)
    run.known = replace(profile, die_mm=17.0)
    assert (step(test), test.done) == ("rest", 0)
    test.begin()
    assert test.folder not in (first, second)
    run.known = profile
    assert (test.folder, test.done) == (second, 2), "the newest of this profile"


def test_what_is_broken_on_the_disk_is_left_and_told(run: Run, profile: Profile, tmp_path: Path) -> None:
    test = run.test
    test.begin()
    run.do(1, 2)
    folder = test.folder
    assert folder is not None
    (folder / "frames" / "001.jpg").write_bytes(b"no picture")
    (folder / "truth.json").chmod(0o644)
    again = Run(tmp_path, profile)
    summary = again.test.results()
    assert summary is not None and summary.counts["left"] == 9
    again.test.begin()
    assert at(again.test) == 1, "a damaged photo is taken again"
    again.do(1)
    aside = folder.rename(folder.with_name("aside"))
    folder.write_text("no folder")
    again.lay(3)
    with pytest.raises(CannotTest, match="cannot be written"):
        again.test.look(3)
    folder.unlink()
    aside.rename(folder)
    again.test.look(3)
    assert again.test.done == 3
    (folder / "truth.json").write_text("{")
    third = Run(tmp_path, profile)
    third.test.begin()
    assert third.test.folder != folder and third.test.done == 0


def test_power_may_go_while_a_session_begins(run: Run) -> None:
    run.test.begin()
    folder = run.test.folder
    assert folder is not None
    (folder / "truth.json").unlink()
    (folder / "session.json.part").write_text("{")
    run.test.begin()
    assert run.test.folder == folder
    (folder / "truth.json").unlink()
    (folder / "letter.txt").write_text("Dear Anna")
    run.test.begin()
    assert run.test.folder != folder and (folder / "letter.txt").exists()


def test_a_camera_that_fails_is_tried_again_and_who_goes_gives_it_back(
    tmp_path: Path, profile: Profile
) -> None:
    run = Run(tmp_path, profile, lapse=0.05)
    run.test.begin()
    run.camera.broken = "camera 0 gives no more pictures: check its cable"
    with pytest.raises(CameraFailed):
        run.test.look(1)
    assert (step(run.test), at(run.test)) == ("lay", 1)
    run.camera.broken = ""
    assert run.test.view() is not None
    until(lambda: run.owner == "table")
    assert (step(run.test), at(run.test)) == ("lay", 1)
    run.lay(1)
    run.test.look(1)
    assert run.test.done == 1


def test_without_a_profile_nothing_begins(tmp_path: Path) -> None:
    run = Run(tmp_path, None)
    assert not run.test.ready
    with pytest.raises(CannotTest, match="has not been set up"):
        run.test.begin()
    assert run.test.results() is None and run.test.folder is None


def test_whoever_wants_the_camera_next_takes_it() -> None:
    heard: list[str] = []
    loan = Loan(lambda: heard.append("lent"), lambda: heard.append("back"))
    one, other = OverTable(), OverTable()
    first, second = BorrowedCamera(one.open, loan, 60), BorrowedCamera(other.open, loan, 60)
    first.capture()
    second.capture()
    assert heard == ["lent", "back", "lent"] and (one.closed, other.closed) == (1, 0)
    first.give_back()
    assert heard[-1] == "lent", "it is not the first one's any more"
    second.give_back()
    assert heard[-1] == "back" and other.closed == 1


def test_photos_are_read_while_the_table_is_read(run: Run, profile: Profile) -> None:
    """The networks of the vision would fail if two threads asked them at once."""
    run.lay(1)
    frame = run.camera.table.draw()

    def watched() -> list[Reading]:
        read = reader(profile)
        return [read(frame) for _ in range(12)]

    with ThreadPoolExecutor(2) as threads:
        table = threads.submit(watched)
        looks = [threads.submit(look, TEN[0], frame, Reader(profile)) for _ in range(12)]
        assert all(reading.sure for reading in table.result())
        assert {one.result().seen.verdict for one in looks} == {"right"}


# The pages


@pytest.fixture
def pages(tmp_path: Path, profile: Profile) -> Iterator[tuple[House, Run]]:
    run = Run(tmp_path, profile)
    with house(tmp_path, bench=Workbench(self_test=run.test)) as built:
        yield built, run


PATHS = ("", "/now", "/1.jpg", "/results", "/results/1", "/results/1.jpg")
ACTS = ("begin", "anew", "hand", "look", "as-asked", "next", "skip", "redo", "leave")


def test_only_the_host_tests(tmp_path: Path, profile: Profile) -> None:
    bench = Workbench(self_test=Run(tmp_path, profile).test)
    with house(tmp_path, phones=Phones(tmp_path / "phones.json"), bench=bench) as built:
        for path in PATHS:
            assert ask(built, "GET", f"/setup/selftest{path}").status == 403, path
        for act in ACTS:
            assert ask(built, "POST", f"/setup/selftest/{act}", {"number": "1"}).status == 403, act
    assert not (tmp_path / "tests").exists()


def test_without_a_camera_there_is_no_self_test(tmp_path: Path) -> None:
    with house(tmp_path) as built:
        assert "selftest" not in ask(built, "GET", "/setup").text
        for path in PATHS:
            assert ask(built, "GET", f"/setup/selftest{path}").status == 404, path
        assert ask(built, "POST", "/setup/selftest/begin", {}).status == 404


def test_before_the_camera_is_set_up_the_page_leads_there(pages: tuple[House, Run]) -> None:
    built, run = pages
    run.known = None
    assert "selftest" not in ask(built, "GET", "/setup").text
    assert 'href="/setup/camera"' in ask(built, "GET", "/setup/selftest").text
    refused = ask(built, "POST", "/setup/selftest/begin", {})
    assert refused.status == 409 and "The camera has not been set up; do that first." in refused.text


def test_a_whole_self_test_without_scripts(pages: tuple[House, Run]) -> None:
    built, run = pages

    def page(path: str = "?look=") -> str:
        answer = ask(built, "GET", f"/setup/selftest{path}")
        assert answer.status == 200
        return answer.text

    def post(act: str, number: int = 0) -> int:
        return ask(built, "POST", f"/setup/selftest/{act}", {"number": str(number)}).status

    assert ask(built, "GET", "/setup/selftest/results").status == 303
    assert post("begin") == 303
    shown = page()
    assert "The easy one" in shown and "Lay one piece on each of A, C, E, G, I and K" in shown
    picture = re.search(r'href="(/setup/selftest/\d+\.jpg)"', shown)
    assert picture is not None and ask(built, "GET", picture[1]).status == 200
    assert "Lay it so" not in shown, "at a real table hands lay"
    run.camera.broken = "camera 0 gives no more pictures: check its cable"
    refused = ask(built, "POST", "/setup/selftest/look", {"number": "1"})
    assert refused.status == 409 and 'name="here" value="/setup/selftest"' in refused.text
    again = ask(built, "GET", "/setup/selftest/look")  # which its address still says
    assert (again.status, again.header("Location")) == (303, "/setup/selftest")
    run.camera.broken = ""
    run.lay(1, dice=TEN[0].dice | {"blue": 5})
    assert post("look", 1) == 303
    shown = page()
    assert "Does it lie as asked?" in shown and "blue 5 instead of 2" in shown and "Skip it" in shown
    run.lay(1)
    assert post("look", 1) == 303
    assert "Read surely and rightly." in page() and "Skip it" not in page()
    assert post("next", 1) == 303
    for number in range(2, 11):
        assert post("skip", number) == 303
    shown = page("/results")
    assert "1 of 1 set-ups came out right" in shown
    assert "Nothing so far; lay the others, too." in shown
    assert "The easy one" in page("/results/1")
    assert ask(built, "GET", "/setup/selftest/results/1.jpg?small=").status == 200
    assert post("redo", 1) == 303
    assert "The easy one" in page() and post("look", 1) == 303 and post("next", 1) == 303
    for nothing in ("/results/2", "/results/99", "/results/2.jpg", "/99999.jpg"):
        assert ask(built, "GET", f"/setup/selftest{nothing}").status == 404, nothing
    assert "1 of ten has been done." in page("")
    assert post("leave") == 303 and post("dance") == 404


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as running:
        yield running


def test_by_thumb_at_the_virtual_table(tmp_path: Path, chromium: Browser) -> None:
    with demo(tmp_path) as parts, serving(parts.app) as port:
        parts.rig.start()
        until(lambda: parts.rig.latest() is not None)
        before = list(parts.virtual.pieces)
        page = phone(chromium, viewport={"width": 320, "height": 640}, locale="de-DE")
        page.set_default_timeout(60_000)

        def tap(name: str) -> None:
            button = page.get_by_role("button", name=name)
            expect(button).to_be_visible()
            page.wait_for_load_state()  # until then it may lack its style
            assert page.evaluate("document.documentElement.scrollWidth") <= 320
            button.tap()

        page.goto(f"http://127.0.0.1:{port}/setup")
        page.get_by_role("link", name="Testen, wie sie liest").tap()
        tap("Anfangen")
        expect(page.locator(".look image")).to_be_visible()
        assert parts.rig.trouble == LENT
        tap("Es liegt so: hinschauen")
        expect(page.get_by_role("heading", level=1)).to_have_text("1/10 Liegt es wie verlangt?")
        expect(page.get_by_text("0 auf A statt 1")).to_be_visible()
        tap("So hinlegen")
        tap("Berichtigt: noch mal schauen")
        heading = page.get_by_role("heading", level=1)
        expect(heading).to_have_text("1/10 Sicher und richtig gelesen.")
        tap("Nächste Aufstellung")
        for number in (2, 3, 5, 6, 7, 8, 9):  # the virtual pieces do not stand on each other
            expect(heading).to_contain_text(f"{number}/10")
            tap("Überspringen")
        tap("So hinlegen")
        tap("Es liegt so: hinschauen")
        expect(heading).to_have_text("10/10 Zu Recht nicht gelesen.")
        tap("Die Ergebnisse")
        expect(heading).to_have_text("2 von 2 Aufstellungen richtig erkannt")
        expect(page.locator(".ten img")).to_have_count(2)
        page.wait_for_load_state()
        assert page.evaluate("document.documentElement.scrollWidth") <= 320
        assert page.faults == []  # type: ignore[attr-defined]
        assert parts.virtual.pieces == before and not parts.virtual.hand_stays
        until(lambda: parts.rig.trouble is None)
        page.context.close()
    with demo(tmp_path) as parts, serving(parts.app) as port:
        parts.rig.start()
        until(lambda: parts.rig.latest() is not None)
        answer = parts.app.test_client().get("/setup/selftest/results", follow_redirects=True)
        assert "2 of 2 set-ups came out right" in answer.text


# What is said


DICE_DOUBTED = (
    "Dice were doubted (%(dice)s): they are read best flat, apart from others, on ground of another colour."
)


def every_sentence() -> Iterator[Said]:
    """Whatever the self-test may say of readings and photos."""
    bad = Measures(40.0, 1.3, 1.5, 0.01, "D", 0.1, 9.0)
    doubts = (
        Doubt("board", "only 1 of 4 tags is to be seen"),
        Doubt("table", "many small doubts together"),
        Doubt("die white", "it may lean"),
    )

    def unsure(setup: SetUp) -> Seen:
        held = tuple(Doubt("field", "it is hard to see", (k,)) for k, n in enumerate(setup.pieces) if n)
        return judge(setup, Reading(setup.pieces, dict(setup.dice), doubts=(*doubts, *held)))

    hand = "something covers this, perhaps a hand"
    covered = Doubt("board", f"{hand}, or it is another board than the profile's", tuple(range(12)))
    more = tuple(Doubt(f"die {colour}", "it leans") for colour in ("red", "blue"))
    strange = judge(TEN[1], Reading(TEN[1].pieces, dict(TEN[1].dice), doubts=(covered, *more)))
    blank = Reading((0,) * 12, dict.fromkeys(DEFAULT_COLOURS, 6), ((5, "red"),), sure=True)
    wrong = judge(TEN[0], blank)
    under = Reading(TEN[0].pieces, dict(TEN[0].dice), doubts=(Doubt("fields A B", hand, (0, 1)),))
    dark = replace(under, doubts=(Doubt("table", "it is too dark; switch on a lamp"),))
    yield from advice(Place(600, 40, 15), [wrong, *map(unsure, TEN)], [bad], whole=True)
    yield from advice(Place(600, 0, 40), [], [replace(bad, bright=90.0, light=0.7, shine=0.3)], whole=True)
    well = judge(TEN[0], Reading(TEN[0].pieces, dict(TEN[0].dice), sure=True))
    yield from advice(Place(600, 0, 40), [well], [], whole=True)
    yield from advice(Place(600, 0, 40), [well], [], whole=False)
    yield from advice(Place(600, 0, 40), [strange], [], whole=True)
    yield from advice(Place(600, 0, 40), [judge(TEN[0], under), judge(TEN[1], dark)], [], whole=True)
    yield from judge(TEN[0], under).differs
    yield from judge(TEN[9], replace(under, doubts=(), sure=True)).differs
    yield from differences(blank, TEN[7].known)


@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_all_is_said_in_the_readers_language(language: str) -> None:
    app = Flask("companion.web")
    Babel(app)
    said = list(every_sentence())
    assert len({one.template for one in said}) >= 25
    with app.test_request_context(), force_locale(language):
        for one in said:
            assert (tested.say(one) == one) == (language == "en"), one
        for setup in TEN:
            words = [tested.title(setup), tested.sentence(setup)]
            assert (words == [setup.title, setup.sentence()]) == (language == "en")
            if language == "en":
                assert tested.markers(setup) == setup.with_markers()


def test_numbers_and_colours_are_the_readers() -> None:
    app = Flask("companion.web")
    Babel(app)
    light = Said(
        "It is %(number)s times as bright as at calibration: calibrate again in this light.", number=1.3
    )
    with app.test_request_context(), force_locale("de"):
        assert tested.say(light).startswith("Es ist 1,3-mal so hell")
        assert tested.say(Said("no %(colour)s marker on %(letter)s", colour="white", letter="D")) == (
            "kein Markierungsstein (weiß) auf D"
        )
        dice = [
            Said("%(colour)s %(times)s", colour=colour, times=Said("once")) for colour in ("white", "red")
        ]
        assert "(weiß einmal, rot einmal)" in tested.say(Said(DICE_DOUBTED, dice=tuple(dice)))


def of_hardware() -> Iterator[str]:
    """What cameras and pins say before a phone, as patterns: anything may be filled in."""
    pins = ("NoPins", "_why_none", "_why_not")
    for name, saying in (
        ("camera", ("CameraFailed",)),
        ("folder_camera", ("CameraFailed",)),
        ("pins", pins),
    ):
        parsed = ast.parse((ROOT / "hardware" / f"{name}.py").read_text(encoding="utf-8"))
        for node in ast.walk(parsed):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in saying and node.args:
                yield pattern(node.args[0])
            elif isinstance(node, ast.FunctionDef) and node.name in saying:
                yield from (
                    pattern(one.value) for one in ast.walk(node) if isinstance(one, ast.Return) and one.value
                )


def pattern(node: ast.expr) -> str:
    match node:
        case ast.Constant(value=str(text)):
            return re.escape(text).replace("\\ ", " ")
        case ast.JoinedStr(values=parts):
            return "".join(map(pattern, parts))
    return ".*"


UNMET = "this folder of pictures has been closed"
"""Whoever closes a camera asks it no more."""


def test_every_fault_of_camera_and_pins_is_known_to_the_pages() -> None:
    shown = [re.sub(r"%\(\w+\)s", "camera 7", one).replace("%%", "%") for one in SENTENCES]
    shown += [one.replace("camera camera", "camera") for one in shown]
    said = [one for one in of_hardware() if one != ".*" and one.replace("\\", "") != UNMET]
    assert len(said) > 15
    assert [one for one in said if not any(re.fullmatch(one, text) for text in shown)] == []
