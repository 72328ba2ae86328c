"""Trains the judge of the markers: `python -m tests.pictures.train_judge OUT.onnx SESSIONS...`.

The sessions are crowded ones that none of the networks of the markers has learned from: to what it knows by
heart a network is a better witness than to anything else. As a game has them, six pieces of a frame are drawn
again and again, a third of them from a frame in other light, blurred or grainy; all that the reader would ask
is asked, and from that the judge learns how likely each piece is marked. Draws as games have them count more:
few markers, of all colours.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from companion.disturbances import DISTURBANCES
from tests.pictures.crops import Shot, shots, through, towers
from tests.pictures.learning import asked, keep, learn, some_camera, through_cameras
from tests.pictures.recolour import GREYS
from tests.pictures.train_markers import session_looks
from vision.change import compare, half
from vision.marker_judge import features
from vision.marker_lids import Lids
from vision.markers import look_closely
from vision.profile import DieColour

Array = NDArray[Any]
Tower = tuple[float, float, int, str | None]
"""x, y (mm), how many pieces stand there on each other, the marker in the topmost."""
MARKED = [0.4, 0.15, 0.12, 0.1, 0.1, 0.08, 0.05]
"""How often 0, 1, ... 6 of six pieces carry a marker when they are drawn."""
IN_GAMES = [0.6 + 0.4 / 7, *[0.4 / 7] * 6]
"""And in the games that the maker of the pictures lays."""
GREY, OTHER = (0.3 + 0.4 / 6, 0.1), (0.4 / 6, 0.2)
"""How often a marker of a `--marked` frame has each of GREYS, and each other colour of its set; and how often
one of a game has."""
AS_IT_IS, DISTURBED = 8, 4
"""Draws from each frame."""
THROUGH = 6
"""And so many from each as another camera would give it."""
SIZE, PLACE = 0.03, 0.25
"""How far off pieces are measured, as a share, and found, mm: one standard deviation."""
LEAST = 4
"""Pieces in a draw, at least."""
STILL = ("darker", "warmer", "blurred", "JPEG 50", "light falling off", "noise")
"""Disturbances that leave everything where it is, tones and colours straight, and the light smooth: the
reader sees to the others before."""
WIDE, JUDGES, BATCH, GRAIN = 64, 3, 512, 0.03


class Draw(NamedTuple):
    """(N, F) what the judge is shown of N pieces, (N,) which are marked, and how much it counts."""

    shown: Array
    marked: Array
    worth: float


class Judge(nn.Module):
    """Some small networks side by side, which agree on the mean: (N, F, 1, 1) -> (N, 1, 1, 1) log odds."""

    def __init__(self, features: int) -> None:
        super().__init__()

        def one() -> nn.Sequential:
            return nn.Sequential(
                nn.BatchNorm2d(features, affine=False),
                *(nn.Conv2d(features, WIDE, 1), nn.ReLU(), nn.Dropout(0.2)),
                *(nn.Conv2d(WIDE, WIDE, 1), nn.ReLU(), nn.Dropout(0.2)),
                nn.Conv2d(WIDE, 1, 1),
            )

        self.judges = nn.ModuleList(one() for _ in range(JUDGES))

    def each(self, x: torch.Tensor) -> torch.Tensor:
        """(judges, N, 1, 1, 1)."""
        return torch.stack([judge(x) for judge in self.judges])

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.each(x).mean(0)


def draws(session: Path, rng: np.random.Generator, cameras: int = 0) -> Iterator[Draw]:
    """Draws from every frame of a session, as rendered and as so many other cameras would give it.

    None where it shows fewer than six colours.
    """
    every = list(shots(session))
    yield from _drawn(every, AS_IT_IS, DISTURBED, rng)
    for _ in range(cameras):
        camera = some_camera(rng)
        yield from _drawn([through(camera, shot, rng) for shot in every], THROUGH, 0, rng)


def _drawn(every: list[Shot], as_it_is: int, disturbed: int, rng: np.random.Generator) -> Iterator[Draw]:
    looks = session_looks(every)
    if len(looks) < 6:
        return
    colours = tuple(DieColour(name, (*map(float, lab),), False) for name, lab in sorted(looks.items()))
    for shot in every:
        pieces = [tower for tower in towers(shot) if tower[3] is None or tower[3] in looks]
        for k in range(as_it_is + disturbed):
            seen = shot if k < as_it_is else _disturbed(shot, rng)
            six = _six(pieces, rng)
            if len(six) >= LEAST:
                yield _draw(seen, six, colours, rng)


def _disturbed(shot: Shot, rng: np.random.Generator) -> Shot:
    """The same frame in other light, blurred, grainy or pressed; what is where stays."""
    frame = DISTURBANCES[str(rng.choice(STILL))](shot.frame, rng)
    return replace(shot, frame=frame, change=compare(half(frame), half(shot.empty)))


def _six(pieces: list[Tower], rng: np.random.Generator) -> list[Tower]:
    """Six of a frame's pieces, or as many as there are, no colour twice."""
    marks, six, taken = int(rng.choice(7, p=MARKED)), list[Tower](), set[str]()
    bare = [piece for piece in pieces if piece[3] is None]
    for k in rng.permutation(len(pieces)):
        name = pieces[k][3]
        if len(taken) < marks and name and name not in taken:
            taken.add(name)
            six.append(pieces[k])
    return six + [bare[k] for k in rng.permutation(len(bare))[: 6 - len(six)]]


def _draw(shot: Shot, six: list[Tower], colours: tuple[DieColour, ...], rng: np.random.Generator) -> Draw:
    """Those six as the reader would find them, not quite where they are and not quite as wide."""
    diameter, height = shot.piece_mm
    diameter *= float(np.clip(rng.normal(1, SIZE), 0.9, 1.1))
    places = [(x + rng.normal(0, PLACE), y + rng.normal(0, PLACE), height * level) for x, y, level, _ in six]
    lids = Lids(
        shot.frame, shot.empty, shot.change, shot.view, places, diameter, colours, np.ones(len(places))
    )
    shown = features(look_closely(lids), lids.labs)
    names = [name for *_, name in six if name]
    return Draw(shown, np.array([name is not None for *_, name in six]), _worth(names))


def _worth(names: list[str]) -> float:
    """How much oftener games have so many markers, of these colours, than draws have: the root of that."""
    worth = IN_GAMES[len(names)] / MARKED[len(names)]
    for name in names:
        drawn, game = GREY if name in GREYS else OTHER
        worth *= game / drawn
    return float(np.sqrt(worth))


def judged(net: Judge, left_out: list[Draw]) -> str:
    """How many are told rightly, how likely the right answers were, and how sure the wrong ones."""
    if not left_out:
        return "nothing"
    shown, marked, worth = together(left_out)
    with torch.no_grad():
        odds = net(shown).flatten()
    away = torch.where(marked > 0, odds, -odds)
    loss = (nn.functional.softplus(-away) * worth).sum() / worth.sum()
    wrong, sure = away < 0, odds.abs() > 7
    both = int((wrong & sure).sum())
    return (
        f"of {len(odds)} wrong {int(wrong.sum())}, loss {loss:.4f}, sure {sure.sum()}, of them wrong {both}"
    )


def together(every: list[Draw]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """(N, F, 1, 1) what is shown, (N,) which are marked, (N,) how much each counts."""
    shown = torch.from_numpy(np.concatenate([draw.shown for draw in every]))[..., None, None]
    marked = torch.from_numpy(np.concatenate([draw.marked for draw in every])).float()
    worth = torch.tensor([draw.worth for draw in every for _ in draw.marked])
    return shown, marked, worth / worth.mean()


def main() -> None:
    """Draw, train, judge, export."""
    told = asked(__doc__, through_cameras)
    rng = np.random.default_rng(told.seed)
    every, left_out = (
        [draw for session in sessions for draw in draws(session, rng, told.cameras)]
        for sessions in (told.sessions, told.left_out)
    )
    shown, marked, worth = together(every)
    print(f"{len(marked)} pieces in {len(every)} draws, {len(left_out)} draws left out", flush=True)
    net = Judge(shown.shape[1])

    def batch() -> torch.Tensor:
        chosen = torch.from_numpy(rng.choice(len(marked), BATCH))
        seen = shown[chosen] + GRAIN * torch.randn(BATCH, shown.shape[1], 1, 1)
        odds = net.each(seen).flatten(1)
        wanted = marked[chosen].expand(len(odds), -1)
        losses = nn.functional.binary_cross_entropy_with_logits(odds, wanted, reduction="none")
        return (losses * worth[chosen]).mean()

    learn(net, batch, lambda: judged(net, left_out), told.steps, peak=4e-3, decay=3e-2)
    keep(net, shown.shape[1], 1, told.out)


if __name__ == "__main__":
    main()
