"""Camera and wiring on the host's phone: the set-up step by step, the self-test, parts tried one by one."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import asdict
from functools import partial

from flask import Flask, Response, abort, g, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as Answer

from calibration.faults import CannotCalibrate
from calibration.propose import Measures
from companion.games.corona.rules import COLOURS
from companion.web import told
from companion.web.roles import NotYours, Roles
from companion.web.say import gettext
from companion.web.selftest import SelfTestPages
from companion.workbench.bench import Workbench
from companion.workbench.setting_up import STICKER_MM, SettingUp
from companion.workbench.wiring_test import WiringTest
from hardware.camera import CameraFailed
from hardware.pins import NoPins

Page = str | Response | Answer | tuple[str, int]
STAGES = {"aim": 1, "empty": 2, "fields": 2, "dice": 3, "colours": 3, "sizes": 4}
"""The steps as people count them."""


class Bench:
    """The routes; only the host may use them."""

    def __init__(self, bench: Workbench, roles: Roles) -> None:
        self._bench, self._roles = bench, roles

    def route(self, app: Flask) -> None:
        """Hangs the pages into `app`."""

        def add(path: str, name: str, act: Callable[..., Page], method: str = "GET") -> None:
            app.add_url_rule(f"/setup{path}", name, self._for_the_host(act), methods=[method])

        add("", "setup", self.menu)
        add("/camera", "setup_camera", self.camera)
        add("/camera/look", "setup_look", self.look)
        add("/camera/<int:seq>.jpg", "setup_picture", self.picture)
        add("/camera/<act>", "setup_step", self.step, "POST")
        add("/wiring", "setup_wiring", self.wiring)
        add("/wiring/parts", "setup_parts", self.parts)
        add("/wiring/<act>", "setup_try", self.tries, "POST")
        SelfTestPages(self._bench.self_test).route(add)
        for part in ("camera", "wiring", "selftest"):
            add(f"/{part}/<act>", f"setup_{part}_again", partial(self.again, f"setup_{part}"))

    def menu(self) -> Page:
        """What there is to set up."""
        return render_template("bench.html")

    def again(self, page: str, act: str) -> Page:
        """A step that was refused leaves its address on the phone: loaded anew, it leads to its page."""
        return redirect(url_for(page), 303)

    # The camera

    def camera(self, notice: str = "") -> Page:
        """The step at which the set-up stands."""
        camera = self._camera()
        notice = notice or (told.sentence(camera.names_refused) if camera.names_refused else "")
        rests = camera.step == "rest" or (camera.step == "done" and "done" not in request.args)
        return render_template(
            "bench_begin.html" if rests else "bench_camera.html",
            camera=camera,
            stage=STAGES.get(camera.step),
            stages=max(STAGES.values()),
            colours=COLOURS,
            sticker=STICKER_MM,
            hand=camera.step in self._bench.hand,
            notice=notice,
            **self._seen(look="look" in request.args or camera.step in ("fields", "colours")),
        )

    def look(self) -> Page:
        """The picture now, with what was found in it and what to change: a part of the page."""
        return render_template("parts/bench_look.html", camera=self._camera(), **self._seen(look=True))

    def picture(self, seq: int) -> Page:
        """One of the last few pictures, by its number."""
        data = self._camera().picture(seq)
        if data is None:
            abort(404)
        return Response(data, mimetype="image/jpeg")

    def step(self, act: str) -> Page:
        """A step, back or forth; what it refuses is said, and it can be taken again."""
        camera, form = self._camera(), request.form
        acts: dict[str, Callable[[], None]] = {
            "begin": lambda: self._begin(camera),
            "aimed": camera.aimed,
            "take": camera.take,
            "fields": camera.fields_lie_right,
            "correct": lambda: self._correct(camera),
            "name": lambda: camera.name(form.getlist("name"), form.get("earlier", type=int)),
            "finish": lambda: self._finish(camera),
            "back": camera.back,
            "leave": camera.leave,
            "hand": self._bench.hand.get(camera.step, lambda: None),
        }
        if act not in acts:
            abort(404)
        try:
            camera.do(acts[act], None if act == "leave" else form.get("changes", type=int))
        except (CannotCalibrate, CameraFailed) as fault:
            g.here = url_for("setup_camera")  # for whoever chooses a language there
            return str(self.camera(told.sentence(str(fault)))), 409
        done = "" if camera.step == "done" else None
        return redirect(url_for("setup") if act == "leave" else url_for("setup_camera", done=done), 303)

    def _begin(self, camera: SettingUp) -> None:
        board = request.form.get("board")
        tag_mm = _typed("tag_mm", STICKER_MM)
        camera.begin("own" if board == "own" else "known" if board == "known" else "mat", tag_mm)

    def _correct(self, camera: SettingUp) -> None:
        known = asdict(camera.measures)
        camera.correct(Measures(**{name: _typed(name, usual) for name, usual in known.items()}))

    def _finish(self, camera: SettingUp) -> None:
        die, width, height = map(_typed, ("die", "width", "height"), camera.sizes)
        camera.finish(die, (width, height))

    def _seen(self, look: bool) -> dict[str, object]:
        """The look at the table, and what the camera says where there is none."""
        if not look:
            return {"look": None, "failed": ""}
        try:
            return {"look": self._camera().look(), "failed": ""}
        except CameraFailed as fault:
            return {"look": None, "failed": told.sentence(str(fault))}

    def _camera(self) -> SettingUp:
        if self._bench.camera is None:
            abort(404)
        return self._bench.camera

    # The wiring

    def wiring(self, notice: str = "") -> Page:
        """Every part, to be tried."""
        return render_template("bench_wiring.html", test=self._test(), notice=notice)

    def parts(self) -> Page:
        """The parts as they are now: a part of the page."""
        return render_template("parts/bench_parts.html", test=self._test())

    def tries(self, act: str) -> Page:
        """Begin, tap a part, or leave."""
        test = self._test()
        acts: dict[str, Callable[[], None]] = {
            "begin": test.begin,
            "tap": lambda: test.tap(request.form.get("part", "")),
            "leave": test.leave,
        }
        if act not in acts:
            abort(404)
        try:
            acts[act]()
        except NoPins as fault:
            g.here = url_for("setup_wiring")
            return str(self.wiring(told.sentence(str(fault)))), 409
        return redirect(url_for("setup" if act == "leave" else "setup_wiring"), 303)

    def _test(self) -> WiringTest:
        if self._bench.wiring is None:
            abort(404)
        return self._bench.wiring

    def _for_the_host(self, act: Callable[..., Page]) -> Callable[..., Page]:
        def answer(**place: object) -> Page:
            try:
                self._roles.of(self._roles.known(), ()).check("setup", "")
            except NotYours as fault:
                return render_template("bench_host.html", sentence=str(fault)), 403
            return act(**place)

        return answer


def _typed(name: str, usual: float) -> float:
    """A length in the form, with a point or a comma: `usual` where it has none, NaN for other words."""
    try:
        return float(request.form.get(name, str(usual)).replace(",", "."))
    except ValueError:
        return math.nan


def part_name(name: str) -> str:
    """A part of the wiring in the reader's language: "sand 1", "seat 2 button"."""
    kind, _, rest = name.partition(" ")
    number = rest.split(" ")[0]
    if kind == "sand":
        return gettext("Sand %(number)s", number=number)
    if kind == "seat":
        button = rest.endswith("button")
        return (
            gettext("Button of seat %(number)s", number=number)
            if button
            else gettext("LED of seat %(number)s", number=number)
        )
    return {
        "setter's button": gettext("The setter's button"),
        "setter's LED": gettext("The setter's LED"),
        "buzzer": gettext("Buzzer"),
    }.get(name, name)
