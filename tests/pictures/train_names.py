"""Trains the network that names dice: `python -m tests.pictures.train_names OUT.onnx SESSIONS...`.

The sessions are thrown ones: each shows every colour of its set a dozen times. Two dice of each are drawn,
one as if it lay in the photo of the dice, and one as if in a frame. The network learns which fits which, of
six that have six names; and whether one is what it should be, or a stranger of any set in its place.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from calibration.colours import in_plain_light, name_colours, plain_colours
from calibration.dice import looks_of
from calibration.faults import CannotCalibrate
from calibration.light import in_light_of
from calibration.photos import sight
from tests.pictures.crops import Shot, shots, through
from tests.pictures.learning import asked, keep, learn, some_camera, through_cameras
from tests.pictures.train_judge import Judge
from tests.pictures.train_stances import dice_of
from vision.dice import looks_at, sides_of
from vision.die_names import features
from vision.faces import Face, has_light_pips
from vision.looks import darkest, deepest
from vision.profile import DieColour, Lab
from vision.tops import Answer, Table, straightened

Array = NDArray[Any]
DRAWS = 25
"""From each session, and from each camera's form of it."""
BATCH, GRAIN = 96, 0.05
FOUND, NEAR = 0.5, 0.3
"""So likely the network of the dice holds it for one, and finds it so near, in sides, where it is."""
ORDERS = np.array(list(permutations(range(6))))
"""All ways to give six dice six names; the first is the right one."""


class Seen(NamedTuple):
    """A flat die: its name, its top as calibration sees it and whether its pips are light; its `Looks`, its
    sides and what is darkest of it as frames show them."""

    name: str
    look: Lab
    bright: bool
    tops: Array
    sides: Lab
    darkest: Lab


class Draw(NamedTuple):
    """(6, 6, F) what the network is shown of six dice beside their six colours in the same order; the same
    with a stranger in the place of one; which."""

    shown: Array
    strange: Array
    where: int


def rooms(session: Path, rng: np.random.Generator, cameras: int = 0) -> Iterator[tuple[Array, list[Seen]]]:
    """The white of a session's paper, (3,) BGR, and its dice; then as so many other cameras give them."""
    every = list(shots(session))
    places = [_tops(shot, rng) for shot in every]
    for k in range(1 + cameras if every else 0):
        camera = some_camera(rng) if k else None
        now = [through(camera, shot, rng) if camera else shot for shot in every]
        try:
            white = sight("empty board", now[0].empty, now[0].layout, least=3).white
        except CannotCalibrate:
            continue
        yield white, [seen for shot, tops in zip(now, places, strict=True) for seen in _seen(shot, tops)]


def _tops(shot: Shot, rng: np.random.Generator) -> list[tuple[str, int, Answer]]:
    """The flat dice of a shot, as they are found: name, value, top."""
    flat = [die for die in dice_of(shot) if not die["lean_deg"]]
    if not flat:
        return []
    table = Table(shot.frame, shot.empty, shot.view, shot.change, shot.die_mm)
    found = table.ask([(die["x"] + rng.normal(0, 0.5), die["y"] + rng.normal(0, 0.5)) for die in flat])
    tops = [straightened(table, top) for top in found]
    return [
        (die["colour"], int(die["value"]), top)
        for die, top in zip(flat, tops, strict=True)
        if top.die > FOUND and np.hypot(top.x - die["x"], top.y - die["y"]) < NEAR * shot.die_mm
    ]


def _seen(shot: Shot, places: list[tuple[str, int, Answer]]) -> Iterator[Seen]:
    table = Table(shot.frame, shot.empty, shot.view, shot.change, shot.die_mm)
    lit = in_light_of(shot.empty, shot.frame)
    for name, value, top in places:
        face = Face(top.x, top.y, top.turn, value, 1.0, 1.0, False, 1.0)
        bright = has_light_pips(lit, shot.view, face, shot.die_mm)
        (look,) = looks_of(lit, shot.view, [replace(face, bright=bright)], shot.die_mm)
        tops = np.array(looks_at(table, top), np.float32)
        yield Seen(name, look, bright, tops, *(sides_of(table, top, of) for of in (deepest, darkest)))


def draws(
    white: Array, dice: list[Seen], strangers: list[Seen], rng: np.random.Generator, count: int = DRAWS
) -> Iterator[Draw]:
    """Sixes of these dice, two of each colour; none where calibration would refuse or misname the first."""
    names = sorted({die.name for die in dice})
    each = [[die for die in dice if die.name == name] for name in names]
    if len(names) < 6 or min(map(len, each)) < 2:
        return
    for _ in range(count):
        pairs = [[same[k] for k in rng.choice(len(same), 2, replace=False)] for same in each]
        colours = _learned([first for first, _ in pairs], white)
        if colours:
            dice_now, where = [second for _, second in pairs], int(rng.integers(6))
            shown = _shown(dice_now, colours)
            dice_now[where] = strangers[int(rng.integers(len(strangers)))]
            yield Draw(shown, _shown(dice_now, colours), where)


def _learned(six: list[Seen], white: Array) -> tuple[DieColour, ...]:
    """The colours of six dice as calibration learns them; () where it does not, or not rightly."""
    names, looks, sides = [die.name for die in six], [die.look for die in six], [die.sides for die in six]
    try:
        if name_colours(in_plain_light(looks, white), names, in_plain_light(sides, white)) != list(range(6)):
            return ()
    except CannotCalibrate:
        return ()
    colours = plain_colours(names, looks, sides, [die.darkest for die in six], white)
    return tuple(
        DieColour(die.name, colour, die.bright, tuple(die.tops[2].tolist()), die.sides)
        for die, colour in zip(six, colours, strict=True)
    )


def _shown(six: list[Seen], colours: tuple[DieColour, ...]) -> Array:
    tops, sides = np.array([die.tops for die in six]), np.array([die.sides for die in six], np.float32)
    return features(tops, sides, colours)


def lost(odds: torch.Tensor, strange: torch.Tensor) -> torch.Tensor:
    """How unlikely the right naming is by (B, 6, 6) log odds, and that each die is none of the set by those
    of the right pairs, (B, 6), and that strangers are, (B,): the sum of the means of -log p."""
    ways = odds[:, torch.arange(6), torch.from_numpy(ORDERS)].sum(-1)
    own = odds[:, torch.arange(6), torch.arange(6)]
    named = (torch.logsumexp(ways, 1) - ways[:, 0]).mean()
    return named + nn.functional.softplus(-own).mean() + nn.functional.softplus(strange).mean()


class Draws(NamedTuple):
    """Draws together: (B, 6, 6, F), (B, 6, 6, F), (B,)."""

    shown: torch.Tensor
    strange: torch.Tensor
    where: torch.Tensor

    @staticmethod
    def of(every: list[Draw]) -> Draws:
        shown, strange, where = zip(*every, strict=True)
        return Draws(*(torch.from_numpy(np.array(part)) for part in (shown, strange, where)))

    def some(self, chosen: torch.Tensor) -> Draws:
        return Draws(*(part[chosen] for part in self))


def asked_of(net: nn.Module, some: Draws, grain: float = 0.0) -> tuple[torch.Tensor, torch.Tensor]:
    """The log odds that each die is each colour's, (..., B, 6, 6), and of each stranger, (..., B)."""
    both = torch.cat([some.shown, some.strange])
    both = both + grain * torch.randn(both.shape)
    said = net(both.reshape(-1, both.shape[-1], 1, 1))
    said = said.reshape(*said.shape[:-4], *both.shape[:-1])
    own, strange = said.chunk(2, dim=-3)
    each = torch.arange(len(some.where))
    return own, strange[..., each, some.where, some.where]


def judged(net: Judge, left_out: Draws | None) -> str:
    """How many sixes are named rightly, how many surely, and how strangers pass."""
    if left_out is None:
        return "nothing"
    with torch.no_grad():
        odds, strange = asked_of(net, left_out)
        loss = float(lost(odds, strange))
    ways = odds[:, torch.arange(6), torch.from_numpy(ORDERS)].sum(-1)
    likely = ways.softmax(1)
    right, sure = likely.argmax(1) == 0, likely.max(1).values > 0.9997
    own = odds[:, range(6), range(6)]
    return (
        f"of {len(odds)} right {int(right.sum())}, sure {int(sure.sum())}, of them wrong "
        f"{int((sure & ~right).sum())}; own below -4: {int((own < -4).sum())}, strangers above 0: "
        f"{int((strange > 0).sum())}; loss {loss:.4f}"
    )


def load(sessions: list[Path], cameras: int, rng: np.random.Generator) -> Draws | None:
    """Draws from all of them."""
    every = [room for session in sessions for room in rooms(session, rng, cameras)]
    strangers = [die for _, dice in every for die in dice]
    found = [draw for white, dice in every for draw in draws(white, dice, strangers, rng)]
    return Draws.of(found) if found else None


def main() -> None:
    """Draw, train, judge, export."""
    told = asked(__doc__, through_cameras)
    rng = np.random.default_rng(told.seed)
    learned, left_out = (load(some, told.cameras, rng) for some in (told.sessions, told.left_out))
    if learned is None:
        raise SystemExit("no set shows each of its six colours twice")
    print(f"{len(learned.where)} draws, {len(left_out.where) if left_out else 0} left out", flush=True)
    net = Judge(learned.shown.shape[-1])

    def batch() -> torch.Tensor:
        some = learned.some(torch.from_numpy(rng.choice(len(learned.where), BATCH)))
        odds, strange = asked_of(net.each, some, GRAIN)
        return torch.stack([lost(*one) for one in zip(odds, strange, strict=True)]).mean()

    learn(net, batch, lambda: judged(net, left_out), told.steps, peak=4e-3, decay=3e-2)
    keep(net, learned.shown.shape[-1], 1, told.out)


if __name__ == "__main__":
    main()
