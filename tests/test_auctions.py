"""A thousand auctions: presses of six seats at random times, and phones between them, against a model."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.games.corona import game, notation
from companion.games.corona.state import State
from companion.rig import CoronaTable, Rig
from companion.store import Store
from companion.table import Table
from hardware.wiring import Wiring
from tests.edges import BouncingPins

SEATS = ("North", "East", "South", "West", "Up", "Down")
BIDS, LAMPS = (4, 17, 27, 22, 23, 24), (5, 6, 13, 19, 26, 21)
BOUNCE_S, SAND_S, RACE_S, OPENING = 0.02, 10, 0.25, 7
PATIENCE = 20.0
EASY = notation.read("500000100000-666666")


class PinClock:
    """The pins' own time is the table's too."""

    boot: str | None = "test"

    def __init__(self, pins: BouncingPins) -> None:
        self._pins = pins

    def read(self) -> float:
        return self._pins.now

    def wall(self) -> str:
        return "2026-01-01T12:00:00.000+00:00"


@dataclass(frozen=True)
class Hand:
    """A press of a seat's button at `at` seconds after the turn, or with `call` a number from its phone."""

    seat: int
    at: float
    call: int | None = None


def expected(hands: list[tuple[float, Hand]], silenced: str | None) -> list[tuple[str, int]]:
    """What the house rule says these lead to, each with the time at which it is heard of."""
    bids: list[tuple[str, int]] = []
    last = 0.0
    for heard, hand in sorted(hands, key=lambda pair: pair[0]):
        seat = SEATS[hand.seat]
        highest = bids[-1][1] if bids else 0
        if heard >= SAND_S or seat == silenced:
            continue
        if hand.call is None:
            raced = bids and bids[-1][0] != seat and heard < last + RACE_S
            call = None if raced else highest + 1 if bids else OPENING
        else:
            call = hand.call if hand.call > highest else None
        if call is not None:
            bids.append((seat, call))
            last = heard
    return bids


class Evening:
    """One game whose clock is the pins'; every auction is its first or second round, and undone again."""

    def __init__(self, folder: Path, parts: ExitStack) -> None:
        self.pins = BouncingPins()
        store = Store(folder / "log.sqlite")
        parts.callback(store.close)
        self.table: CoronaTable = Table(store, PinClock(self.pins), game)
        parts.callback(self.table.close)
        wiring = Wiring(bids=BIDS, lamps=LAMPS, bounce_s=BOUNCE_S)
        rig = Rig(self.table, wiring=wiring, pin_factory=self.pins)
        parts.callback(rig.close)
        self.do(game.Start(SEATS, "North", hourglass=SAND_S))

    def do(self, command: game.Command) -> State:
        outcome = self.table.ask(command)
        assert outcome.ok, outcome.refused
        return self.table.state

    def lit(self, seat: int) -> bool:
        """Whether the lamp of `seat` is on, once no lamp flickers any more."""
        end = time.monotonic() + PATIENCE
        while not (on := self.pins.level(LAMPS[seat]) == 1) and time.monotonic() < end:
            time.sleep(0.001)
        return on

    def begin(self, silenced: int | None) -> None:
        """Back to the start of the game; then a seat misses a bid, so that it is silenced."""
        steps, state = -1, self.table.state
        while state.before is not None:
            steps, state = steps + 1, state.before
        if steps:
            self.do(game.Undo(steps))
        if silenced is not None:
            self.pins.run(self.pins.now + 1)
            now = self.table.now()
            self.do(game.Lay(EASY))
            self.do(game.Turn(now))
            self.do(game.Bid(SEATS[silenced], 9, now))
            self.pins.run(self.pins.now + SAND_S)
            self.do(game.Sand(self.table.now()))
            self.do(game.Result(0))

    def auction(self, hands: list[Hand], rng: Random) -> tuple[list[tuple[str, int]], list[float]]:
        """Lets them happen; gives what was bid, and when each hand was heard of after the turn."""
        self.pins.run(self.pins.now + 1)
        self.do(game.Lay(EASY))
        turned = self.table.now()
        began = self.pins.now
        self.do(game.Turn(turned))
        heard = [
            self.pins.press(BIDS[hand.seat], began + hand.at, rng=rng) - began
            if hand.call is None
            else hand.at
            for hand in hands
        ]
        for at, hand in sorted(zip(heard, hands, strict=True), key=lambda pair: pair[0]):
            if hand.call is not None:
                self.pins.run(began + at)
                self.table.ask(game.Bid(SEATS[hand.seat], hand.call, self.table.now()))
        self.pins.run(began + SAND_S + 1)
        self.table.ask(game.Sand(self.table.now()))
        state = self.table.state
        return [(bid.seat, bid.points) for bid in state.bids], heard


@pytest.fixture(scope="module")
def evening() -> Iterator[Evening]:
    memory = Path("/dev/shm")  # twenty thousand commits would wait for the disk for a minute
    with ExitStack() as parts, pytest.MonkeyPatch.context() as patch:
        patch.setattr("hardware.panel.FLICKER_S", 0.005)
        folder = parts.enter_context(TemporaryDirectory(dir=memory if memory.is_dir() else None))
        yield Evening(Path(folder), parts)


def hand(seats: st.SearchStrategy[int]) -> st.SearchStrategy[Hand]:
    # Whole hundredths of a second meet the edges of the race and of the sand far more often than any float.
    at = st.integers(0, SAND_S * 100 + 20).map(lambda hundredths: hundredths / 100 + 0.001)
    return st.builds(Hand, seats, at, st.none() | st.none() | st.none() | st.integers(1, 30))


def spaced(hands: list[Hand]) -> list[Hand]:
    """The same without what no finger does: pressing one's own button again before it was let go.

    No two hands fall into one moment: a microsecond lies between them.
    """
    kept: list[Hand] = []
    for one in sorted(hands, key=lambda one: one.at):
        if all(other.seat != one.seat or one.at - other.at > 0.15 for other in kept):
            kept.append(replace(one, at=one.at + len(kept) * 1e-6))
    return kept


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(hand(st.integers(0, 5)), max_size=14), st.integers(0, 2**16), st.none() | st.integers(0, 5))
def test_presses_and_calls_lead_to_what_the_house_rule_says(
    evening: Evening, hands: list[Hand], seed: int, silenced: int | None
) -> None:
    hands = spaced(hands)
    evening.begin(silenced)
    bids, heard = evening.auction(hands, Random(seed))
    silent = None if silenced is None else SEATS[silenced]
    assert bids == expected(list(zip(heard, hands, strict=True)), silent)
    if bids:
        assert evening.table.state.phase == "play"
        holder = SEATS.index(bids[-1][0])
        assert evening.lit(holder), "the lamp of whoever holds the bid is steady"
    else:
        assert evening.table.state.phase == "lay"
