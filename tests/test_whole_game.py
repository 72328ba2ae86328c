"""A whole evening: five players, ten rounds, through buttons, the virtual camera and phones together."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

import pytest

from companion import watch
from companion.demo import WIRING, Demo, demo
from companion.export import Exported
from companion.games.corona import game, notation, solver
from companion.games.corona.rules import LETTERS
from companion.games.corona.state import State
from companion.replay import Replay
from companion.store import DEMO_LOG, Store
from tests.browser import WoundClock, serving
from tests.seeing import shift, truthful
from tests.test_demo import situation

pytestmark = pytest.mark.slow

SEATS = ("Anna", "Ben", "Clara", "Dora", "Emil")
PATIENCE = 60.0


class Evening:
    """The table with hands: pieces and dice on the virtual table, buttons on mock pins, phones over HTTP."""

    def __init__(self, parts: Demo, clock: WoundClock, url: str, folder: Path) -> None:
        self.parts, self.clock, self.url, self.folder = parts, clock, url, folder

    @property
    def state(self) -> State:
        return self.parts.table.state

    def until(self, there: Callable[[State], bool]) -> None:
        end = time.monotonic() + PATIENCE
        while not there(self.state):
            assert time.monotonic() < end, f"waited too long; {self.parts.rig.trouble}, {self.state}"
            time.sleep(0.01)

    def phone(self, path: str, **form: Any) -> None:
        """A post of somebody's phone, which must be accepted."""
        posted = Request(f"{self.url}/{path}", urlencode(form, doseq=True).encode())
        posted.add_header("Accept", "application/json")
        try:
            assert urlopen(posted, timeout=PATIENCE).status == 204
        except HTTPError as fault:
            pytest.fail(f"{path} {form}: {fault.read().decode()}")

    def button(self, pin: int | None) -> None:
        """A press, a second after what was before."""
        assert pin is not None
        self.clock.seconds += 1
        self.parts.pins.press(pin)
        self.parts.table.ask(game.Sand(0.0))  # refused; and the press before it is worked off

    def lay(self, rng: Random) -> None:
        """The setter's hands: six pieces, six dice."""
        virtual = self.parts.virtual
        virtual.hold(True)
        virtual.scatter(rng)
        virtual.throw(rng)
        virtual.hold(False)

    def sand(self) -> None:
        """The rest of the minute."""
        self.clock.seconds += 61
        self.parts.table.ask(game.Sand(0.0))


# One evening goes through the whole vision; the other one saves its seconds.
@pytest.fixture(params=[("fr", None), ("de", truthful)], ids=["fr", "de"])
def evening(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Evening]:
    edition, read = request.param
    clock = WoundClock()
    with (
        pytest.MonkeyPatch.context() as patch,
        demo(tmp_path, seed=4, read=read, clock=clock) as parts,
        serving(parts.app) as port,
    ):
        patch.setattr(watch, "GLANCE_S", 0.02)
        parts.rig.start()
        going = Evening(parts, clock, f"http://127.0.0.1:{port}", tmp_path)
        going.phone(
            "start", seat=SEATS, first=-1, edition=edition, hourglass=60, opening=7, ending="rounds-10"
        )
        yield going


def throw_for_the_first_set_up(evening: Evening) -> None:
    """Anna and Ben throw the red die on the table; the camera reads it. Ben's is the 6."""
    evening.until(lambda _: evening.parts.rig.lying() is not None)
    for k, pips in enumerate((3, 6)):
        virtual = evening.parts.virtual
        virtual.hold(True)
        virtual.set_die("red", -30.0 + 60 * k, 10.0, pips)
        virtual.hold(False)
        evening.until(lambda state, k=k: len(state.throws) == k + 1)  # type: ignore[misc]
    assert [(throw.seat, throw.pips) for throw in evening.state.throws] == [("Anna", 3), ("Ben", 6)]
    assert (evening.state.phase, evening.state.setter) == ("lay", "Ben")


def set_up(evening: Evening, seed: int) -> None:
    """The camera reads what the setter lays, and the setter's button turns the hourglass."""
    evening.lay(Random(seed))
    if evening.state.phase == "reveal":
        evening.button(WIRING.setter)
    lies = notation.read(situation(evening.parts.virtual))
    evening.until(lambda state: state.phase == "lay" and state.situation == lies)
    evening.button(WIRING.setter)
    evening.until(lambda state: state.phase == "auction")


def bid(evening: Evening, number: int) -> str:
    """Two press, one calls from a phone; gives who holds the bid in the end."""
    free = [seat for seat in SEATS if seat != evening.state.silenced]
    first, second, third = (free[(number + k) % len(free)] for k in range(3))
    evening.button(WIRING.bids[SEATS.index(first)])
    evening.button(WIRING.bids[SEATS.index(second)])
    if evening.state.silenced:
        evening.button(WIRING.bids[SEATS.index(evening.state.silenced)])  # in vain
    evening.clock.seconds += 1
    evening.phone("bid", me=third, points=10)
    assert [(one.seat, one.points) for one in evening.state.bids] == [(first, 7), (second, 8), (third, 10)]
    return third


def play(evening: Evening, number: int) -> int:
    """Every other player follows the best line, by hand at the table or move by move on a phone; the others
    tell a result of 4."""
    assert evening.state.situation is not None
    if number % 2:
        evening.phone("result", points=4)
        return 4
    line = solver.solve(evening.state.situation)
    for made, move in enumerate(line.moves):
        if number % 4:
            colour = evening.state.colours[move.die]
            evening.phone("move", **{"from": LETTERS[move.start], "colour": colour})
        else:
            shift(evening.parts.virtual, (move.start, move.to))
            evening.until(lambda state, made=made: len(state.moves) > made)  # type: ignore[misc]
    if line.moves:
        evening.button(WIRING.setter)
        evening.until(lambda state: state.phase != "play")  # it waits for the camera's next look
    else:
        evening.phone("result", points=0)
    return line.best


def test_ten_rounds_of_five_players(evening: Evening) -> None:
    throw_for_the_first_set_up(evening)
    expected = dict.fromkeys(SEATS, 12)
    for number in range(10):
        setter = SEATS[(1 + number) % 5]
        assert evening.state.setter == setter
        set_up(evening, seed=100 + number)
        if number == 3:  # nobody says anything: the same setter sets up anew
            evening.sand()
            assert (evening.state.phase, evening.state.setter) == ("lay", setter)
            set_up(evening, seed=50)
        player = bid(evening, number)
        evening.sand()
        reached = play(evening, number)
        won = reached >= 10
        for seat in SEATS:
            expected[seat] += (4 if won else -4) if seat == player else (-1 if won else 1)
        assert dict(zip(SEATS, evening.state.chips, strict=True)) == expected
        assert evening.state.silenced == (None if won else player)
        assert evening.state.revealed is not None and evening.state.revealed.best >= reached
    over = evening.state.over
    most = max(expected.values())
    assert over is not None and (over.reason, set(over.winners)) == (
        "rounds",
        {seat for seat, held in expected.items() if held == most},
    )
    told(evening, expected)


def told(evening: Evening, chips: dict[str, int]) -> None:
    """The log tells the evening, and plays it again."""
    log = Store(evening.folder / DEMO_LOG, reading=True)
    exported = Exported(log, 1)
    log.close()
    account = list(exported.written("text"))
    edition = {"fr": "French edition", "de": "German edition"}[evening.state.edition]
    assert any(edition in line for line in account)
    assert "One die each: Anna 3, Ben 6. Ben sets up first." in account
    rounds = [line for line in account if line.startswith("Round ")]
    assert [line.split(",")[0] for line in rounds] == [
        f"Round {number}" for number in (1, 2, 3, 4, 4, 5, 6, 7, 8, 9, 10)
    ]
    assert sum("the set-up is void" in line for line in account) == 1
    assert sum("The best there was" in line for line in account) == 10
    assert account[-1].endswith(f"Chips: {', '.join(f'{seat} {held}' for seat, held in chips.items())}.")
    again = Replay()
    answers = list(again.run(exported.written("commands")))
    assert all(answer["ok"] for _, answer in answers)
    assert again.state == evening.state
