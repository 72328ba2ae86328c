"""The self-test on the host's phone: each set-up drawn, laid, looked at; and what it all came to."""

from __future__ import annotations

from collections.abc import Callable

from flask import Response, abort, g, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as Answer

from companion.web import tested, told
from companion.web.photo import overlay
from companion.workbench.self_test import CannotTest, SelfTest
from hardware.camera import CameraFailed

Page = str | Response | Answer | tuple[str, int]
Add = Callable[..., None]
"""Takes an address below /setup, a name, what answers, and the method where it is not GET."""


class SelfTestPages:
    """The routes of `test`, None where there is no camera."""

    def __init__(self, test: SelfTest | None) -> None:
        self._given = test

    def route(self, add: Add) -> None:
        """Hangs the pages in."""
        add("/selftest", "setup_selftest", self.page)
        add("/selftest/now", "setup_selftest_look", self.look)  # not where the step "look" leaves its address
        add("/selftest/<int:seq>.jpg", "setup_selftest_picture", self.picture)
        add("/selftest/results", "setup_selftest_results", self.results)
        add("/selftest/results/<int:number>", "setup_selftest_result", self.result)
        add("/selftest/results/<int:number>.jpg", "setup_selftest_photo", self.photo)
        add("/selftest/<act>", "setup_selftest_step", self.act, "POST")

    def page(self, notice: str = "") -> Page:
        """Before it begins; or the set-up that is to be laid, or was looked at."""
        test = self._test
        setup, seen = test.setup, test.seen
        about = {"test": test, "tested": tested, "setup": setup, "notice": notice}
        if setup is None:
            if test.done and not test.waiting and not notice:
                return redirect(url_for("setup_selftest_results"), 303)
            return render_template("selftest.html", **about)
        if seen is None:
            return render_template("selftest_lay.html", **about, **self._look("look" in request.args))
        look = test.view()
        jpeg = test.picture(look.seq) if look else None
        photo = overlay((jpeg, seen.reading, look.seq)) if look and jpeg else None
        return render_template("selftest_seen.html", **about, seen=seen, photo=photo)

    def look(self) -> Page:
        """The picture now: a part of the page."""
        return render_template("parts/selftest_look.html", test=self._test, **self._look(True))

    def picture(self, seq: int) -> Page:
        """One of the last few pictures, by its number."""
        return _jpeg(self._test.picture(seq))

    def results(self) -> Page:
        """What it has come to so far."""
        try:
            summary = self._test.results()
        except CannotTest as fault:
            return render_template("selftest.html", test=self._test, notice=told.sentence(str(fault))), 409
        if summary is None:
            return redirect(url_for("setup_selftest"), 303)
        return render_template("selftest_results.html", test=self._test, tested=tested, summary=summary)

    def result(self, number: int) -> Page:
        """One set-up as it was read."""
        try:
            summary = self._test.results()
        except CannotTest:
            summary = None
        rows = [found for _, found in summary.rows if found] if summary else []
        found = next((one for one in rows if one.seen.setup.number == number), None)
        jpeg = self._test.photo(number, small=False)
        if found is None or jpeg is None:
            abort(404)
        photo = overlay((jpeg, found.seen.reading, number))
        return render_template("selftest_result.html", tested=tested, seen=found.seen, photo=photo)

    def photo(self, number: int) -> Page:
        """A photo that was kept; `small` with what was read drawn over it."""
        return _jpeg(self._test.photo(number, "small" in request.args))

    def act(self, act: str) -> Page:
        """A step; what it refuses is said, and it can be taken again."""
        test, number = self._test, request.form.get("number", 0, type=int)
        acts: dict[str, Callable[[], None]] = {
            "begin": test.begin,
            "anew": lambda: test.begin(anew=True),
            "hand": lambda: test.lay(number),
            "look": lambda: test.look(number),
            "as-asked": lambda: test.as_asked(number),
            "next": lambda: test.follow(number),
            "redo": lambda: test.redo(number),
            "skip": lambda: test.skip(number),
            "leave": test.leave,
        }
        if act not in acts:
            abort(404)
        try:
            acts[act]()
        except (CannotTest, CameraFailed) as fault:
            g.here = url_for("setup_selftest")  # for whoever chooses a language there
            return str(self.page(told.sentence(str(fault)))), 409
        ended = test.step == "rest" and act in ("as-asked", "next", "skip")
        return redirect(url_for("setup_selftest_results" if ended else "setup_selftest"), 303)

    def _look(self, wanted: bool) -> dict[str, object]:
        """The look at the table, and what the camera says where there is none."""
        try:
            return {"look": self._test.view() if wanted else None, "failed": ""}
        except CameraFailed as fault:
            return {"look": None, "failed": told.sentence(str(fault))}

    @property
    def _test(self) -> SelfTest:
        if self._given is None:
            abort(404)
        return self._given


def _jpeg(data: bytes | None) -> Page:
    if data is None:
        abort(404)
    return Response(data, mimetype="image/jpeg")
