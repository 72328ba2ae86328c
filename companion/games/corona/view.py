"""What a person at the table may see of a game: with `history`, the only way out of its state.

Before the reveal nothing here comes from the solver, because the state holds nothing from it.
"""

from __future__ import annotations

from typing import Any

from companion.games.corona import notation
from companion.games.corona.chances import Chances
from companion.games.corona.correcting import undo_steps
from companion.games.corona.event_json import to_json
from companion.games.corona.events import BidMade, Ending, GameOver, Revealed
from companion.games.corona.rules import EDITIONS, LETTERS
from companion.games.corona.state import State
from companion.games.corona.values import as_objects, as_played, as_rarity, as_standing

ROUNDS_SHOWN = 30
"""An evening's; older ones are in the log."""


def view(state: State, seat: str | None, at: float) -> dict[str, Any]:
    """The game as JSON values for the person on `seat` (None: somebody who looks on), at the time `at`."""
    after_play = state.phase in ("reveal", "over")
    return {
        "phase": state.phase,
        "round": state.settled if after_play else state.settled + 1,
        "edition": state.edition,
        "hourglass": state.hourglass,
        "sand_left": _sand_left(state, at),
        "opening": state.opening,
        "ending": _ending(state.ending),
        "paused": state.paused is not None,
        "lost": state.lost,
        "throws": [{"seat": throw.seat, "pips": throw.pips} for throw in state.throws],
        "thrower": state.thrower,
        "colours": list(state.colours),
        "chips_short": _chips_short(state),
        "seats": _seats(state),
        "holder": state.high.seat if state.high and state.phase in ("auction", "play") else None,
        "me": seat if seat in state.seats else None,
        "situation": None if state.situation is None else notation.write(state.situation),
        "bids": [_bid(bid) for bid in state.bids],
        "high": None if state.high is None else _bid(state.high),
        "play": _play(state) if state.phase == "play" else None,
        "known": state.situation is not None and state.situation in state.seen,
        "reveal": _reveal(state, state.revealed) if state.revealed and after_play else None,
        "over": _over(state.over) if state.over else None,
    }


def pulse(state: State, at: float) -> dict[str, Any]:
    """The few values that a phone is told each time, also when nothing has changed but the time."""
    return {
        "phase": state.phase,
        "paused": state.paused is not None,
        "hourglass": state.hourglass,
        "sand": _sand_left(state, at),
    }


def _sand_left(state: State, at: float) -> float | None:
    if state.sand_ends is None:
        return None
    return round(min(max(state.sand_ends - at, 0.0), float(state.hourglass)), 3)


def _ending(ending: Ending) -> str:
    """As the form of a new game names it: "rounds-10", "broke"."""
    return ending.kind if ending.number is None else f"{ending.kind}-{ending.number}"


def past(state: State) -> dict[str, Any]:
    """What can be put right: the rounds settled, what an undo takes back, and who went away."""
    return {
        "rounds": _rounds(state),
        "undo": _undo(state),
        "away": [name for name, _ in state.away],
    }


def _play(state: State) -> dict[str, Any]:
    """How the play stands, and where markers are."""
    assert state.standing is not None
    markers = [{"field": LETTERS[field], "colour": state.colours[die]} for die, field in state.markers]
    return as_standing(state.standing, state.moves, state.colours) | {"markers": markers}


def _rounds(state: State) -> list[dict[str, Any]]:
    """The last rounds as they were settled, the newest first."""
    first = max(state.settled - ROUNDS_SHOWN, 0)
    return [
        {
            "round": number,
            "seat": one.player,
            "bid": one.bid,
            "reached": one.points,
            "won": one.won,
            "situation": notation.write(one.situation),
        }
        for number, one in enumerate(state.rounds[first:], start=first + 1)
    ][::-1]


def _undo(state: State) -> dict[str, Any] | None:
    """What one undo takes back: the last command that a person gave, and how many steps that is."""
    steps = undo_steps(state)
    back, shown, last = state, state.revealed, state.last
    for _ in range(steps):
        assert back.before is not None
        shown, last, back = shown or back.revealed, back.last, back.before
    if not steps or last is None:
        return None
    name, data = to_json(last)
    asks = shown is not None and back.revealed != shown
    said = {"seat": data.get("seat"), "points": data.get("points")}
    return {"steps": steps, "what": name, **said, "asks": asks}


def _chips_short(state: State) -> int:
    """How many chips the edition's box lacks for so many players: said, not forbidden."""
    needed = sum(state.chips) + sum(chips for _, chips in state.away)
    return max(0, needed - EDITIONS[state.edition].chips_in_box)


def _seats(state: State) -> list[dict[str, Any]]:
    return [
        {
            "name": name,
            "chips": chips,
            "silenced": name == state.silenced,
            "setter": name == state.setter,
        }
        for name, chips in zip(state.seats, state.chips, strict=True)
    ]


def _bid(bid: BidMade) -> dict[str, Any]:
    return {"seat": bid.seat, "points": bid.points}


def _reveal(state: State, revealed: Revealed) -> dict[str, Any] | None:
    if state.high is None or state.result is None:
        return None
    return {
        "seat": state.high.seat,
        "bid": state.high.points,
        "reached": state.result,
        "won": state.result >= state.high.points,
        "best": revealed.best,
        "possible": state.result <= revealed.best,
        "situation": notation.write(revealed.situation),
        "moves": as_objects(revealed.moves, state.colours),
        "played": _played(state, revealed),
        "chances": as_rarity(Chances(revealed.throws), revealed.best) if revealed.throws else None,
        "paid": [{"from": p.payer, "to": p.payee, "chips": p.chips} for p in state.paid],
    }


def _played(state: State, revealed: Revealed) -> list[dict[str, Any]]:
    """The moves that were made, with the most that the play could still have after each.

    Empty where the result was told; an older log does not say what could still be had.
    """
    if state.entered:
        return []
    if len(revealed.still) != len(state.moves):
        return as_objects(state.moves, state.colours)
    return as_played(state.moves, revealed.best, revealed.still, state.colours)


def _over(over: GameOver) -> dict[str, Any]:
    return {"reason": over.reason, "winners": list(over.winners)}
