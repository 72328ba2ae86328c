"""What has happened in a game of Corona: events, and their JSON under short names that never change."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, assert_never

from companion.games.corona import notation
from companion.games.corona.rules import LETTERS, CoronaError, EditionName, Move, Situation

EndingKind = Literal["rounds", "minutes", "broke", "doubled"]


@dataclass(frozen=True, slots=True)
class Ending:
    """How the game ends: after `number` rounds or minutes, or when somebody is broke or has doubled."""

    kind: EndingKind = "rounds"
    number: int | None = 10


TEN_ROUNDS = Ending()


@dataclass(frozen=True, slots=True)
class Payment:
    """Chips that went from one seat to another."""

    payer: str
    payee: str
    chips: int


@dataclass(frozen=True, slots=True)
class GameStarted:
    """`seats` sit clockwise; `first` sets up first; everybody has `chips`."""

    seats: tuple[str, ...]
    first: str
    edition: EditionName
    colours: tuple[str, ...]
    hourglass: int
    ending: Ending
    chips: int


@dataclass(frozen=True, slots=True)
class SituationLaid:
    """The setter laid this situation (in place of an earlier one whose hourglass was not turned)."""

    situation: Situation


@dataclass(frozen=True, slots=True)
class HourglassTurned:
    """The auction began; `at` is in seconds since the game began, here as everywhere."""

    at: float


@dataclass(frozen=True, slots=True)
class BidMade:
    """`seat` called `points`, more than anybody before."""

    seat: str
    points: int
    at: float


@dataclass(frozen=True, slots=True)
class SandRanOut:
    """The auction ended; without a call the set-up was void."""

    at: float


@dataclass(frozen=True, slots=True)
class ResultEntered:
    """The player reached `points`, as entered by hand."""

    points: int
    at: float


@dataclass(frozen=True, slots=True)
class ChipsSettled:
    """Who paid whom, who is silenced in the next round, and who sets it up."""

    paid: tuple[Payment, ...]
    silenced: str | None
    setter: str


@dataclass(frozen=True, slots=True)
class Revealed:
    """The best score of the round's situation, and one line of moves that reaches it."""

    situation: Situation
    best: int
    moves: tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class GameOver:
    """The ending agreed on was reached; `winners` in seat order share the win."""

    reason: EndingKind
    winners: tuple[str, ...]


Event = (
    GameStarted
    | SituationLaid
    | HourglassTurned
    | BidMade
    | SandRanOut
    | ResultEntered
    | ChipsSettled
    | Revealed
    | GameOver
)


class BadEvent(CoronaError, ValueError):
    """A stored event that this program cannot read."""


def to_json(event: Event) -> tuple[str, dict[str, Any]]:
    """The short name of `event`, and its data as JSON values."""
    match event:
        case GameStarted():
            return "game_started", {
                "seats": list(event.seats),
                "first": event.first,
                "edition": event.edition,
                "colours": list(event.colours),
                "hourglass": event.hourglass,
                "ending": ending_to_json(event.ending),
                "chips": event.chips,
            }
        case SituationLaid():
            return "situation_laid", {"situation": notation.write(event.situation)}
        case HourglassTurned():
            return "hourglass_turned", {"at": event.at}
        case BidMade():
            return "bid_made", {"seat": event.seat, "points": event.points, "at": event.at}
        case SandRanOut():
            return "sand_ran_out", {"at": event.at}
        case ResultEntered():
            return "result_entered", {"points": event.points, "at": event.at}
        case ChipsSettled():
            paid = [{"from": p.payer, "to": p.payee, "chips": p.chips} for p in event.paid]
            return "chips_settled", {"paid": paid, "silenced": event.silenced, "setter": event.setter}
        case Revealed():
            return "revealed", {
                "situation": notation.write(event.situation),
                "best": event.best,
                "moves": [_move_to_json(move) for move in event.moves],
            }
        case GameOver():
            return "game_over", {"reason": event.reason, "winners": list(event.winners)}
        case _:
            assert_never(event)


def from_json(name: str, data: Mapping[str, Any]) -> Event:
    """The event stored as `data` under `name`; raises `BadEvent` for an unknown name or broken data."""
    reader = _READERS.get(name)
    if reader is None:
        raise BadEvent(f"there is no event “{name}” in this version of Corona")
    try:
        return reader(data)
    except (KeyError, TypeError, ValueError, AttributeError) as fault:
        raise BadEvent(f"the data of the event “{name}” is damaged: {fault}") from fault


def ending_to_json(ending: Ending) -> dict[str, int | bool]:
    """`{"rounds": 10}`, `{"minutes": 30}`, `{"broke": true}` or `{"doubled": true}`."""
    return {ending.kind: True if ending.number is None else ending.number}


def ending_from_json(data: Mapping[str, Any]) -> Ending:
    """The ending written as one key and its number; raises `ValueError` for anything else."""
    match dict(data):
        case {"rounds": int(number), **rest} if not rest and number is not True:
            return Ending("rounds", number)
        case {"minutes": int(number), **rest} if not rest and number is not True:
            return Ending("minutes", number)
        case {"broke": True, **rest} if not rest:
            return Ending("broke", None)
        case {"doubled": True, **rest} if not rest:
            return Ending("doubled", None)
    raise ValueError(f"{dict(data)} is no ending")


def _move_to_json(move: Move) -> dict[str, Any]:
    """Fields by letter and dice from 1, as people count them."""
    start, to = LETTERS[move.start], LETTERS[move.to]
    return {"from": start, "to": to, "die": move.die + 1, "pips": move.pips, "points": move.points}


def _move_from_json(data: Mapping[str, Any]) -> Move:
    start, to = LETTERS.index(data["from"]), LETTERS.index(data["to"])
    return Move(start, to, data["die"] - 1, data["pips"], data["points"])


def _game_started(data: Mapping[str, Any]) -> GameStarted:
    return GameStarted(
        seats=tuple(data["seats"]),
        first=data["first"],
        edition=data["edition"],
        colours=tuple(data["colours"]),
        hourglass=data["hourglass"],
        ending=ending_from_json(data["ending"]),
        chips=data["chips"],
    )


def _chips_settled(data: Mapping[str, Any]) -> ChipsSettled:
    paid = tuple(Payment(p["from"], p["to"], p["chips"]) for p in data["paid"])
    return ChipsSettled(paid, data["silenced"], data["setter"])


def _revealed(data: Mapping[str, Any]) -> Revealed:
    moves = tuple(_move_from_json(move) for move in data["moves"])
    return Revealed(notation.read(data["situation"]), data["best"], moves)


_READERS: dict[str, Callable[[Mapping[str, Any]], Event]] = {
    "game_started": _game_started,
    "situation_laid": lambda data: SituationLaid(notation.read(data["situation"])),
    "hourglass_turned": lambda data: HourglassTurned(data["at"]),
    "bid_made": lambda data: BidMade(data["seat"], data["points"], data["at"]),
    "sand_ran_out": lambda data: SandRanOut(data["at"]),
    "result_entered": lambda data: ResultEntered(data["points"], data["at"]),
    "chips_settled": _chips_settled,
    "revealed": _revealed,
    "game_over": lambda data: GameOver(data["reason"], tuple(data["winners"])),
}
