"""The view under which the textured places of the empty photo lie where a frame shows them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.geometry import Floats, Image, View, on_board
from vision.places import FITS, Places, ask

AGREE_PX = 0.4
"""Places that agree do so within this."""
PLACE_PX = 0.1
"""How exactly a place is seen: twice what it is in photographs of a still board."""
LEAST_VOTES = 6
"""So many places must have a vote."""
ROUNDS = 5
"""Steps of the search, at most."""


@dataclass(frozen=True, slots=True)
class Fit:
    """A view fitted to places: how many of them agree with it.

    `vague`: how far off in pixels (one standard deviation) the place that is known worst may be: places
    that were seen at one side say little of the other.
    """

    view: View
    agree: int
    vague: float


def fitted_view(frame: Image, places: Places, view: View) -> Fit | None:
    """The view near `view` under which the places lie where the frame shows them; None without enough.

    Gauss-Newton over the pose, places weighed by how well they agree with the others.
    """
    fit: Fit | None = None
    for turn in range(ROUNDS):
        votes = ask(frame, places, view)
        voting = votes.fit > (FITS if turn else 0.6 * FITS)
        if int(voting.sum()) < LEAST_VOTES:
            return fit
        slope = _slope(view, places.centres_mm)
        step, weight = _pose_step(slope[voting], votes.shift[voting])
        view = stepped(view, step)
        left = np.hypot(*(slope[voting] @ step - votes.shift[voting]).T)
        fit = Fit(view, int((left < AGREE_PX).sum()), _vague(slope, slope[voting] * weight[:, None, None]))
        if np.abs(votes.shift[voting]).max() < 0.05:
            break
    return fit


def _slope(view: View, mm: Floats) -> Floats:
    """(N, 2, 6): how places (N, 2) mm move in pixels with each number of the pose."""
    at = view.project(on_board(mm))
    nudges = np.diag([1e-5] * 3 + [1e-3] * 3)
    moved = [(stepped(view, nudge).project(on_board(mm)) - at) / nudge.sum() for nudge in nudges]
    return np.stack(moved, axis=2)


def _pose_step(slope: Floats, off: Floats) -> tuple[Floats, Floats]:
    """Six numbers to add to rotation and shift, and (N,) what say each place had in that."""
    weight: Floats = np.ones(len(off))
    step: Floats = np.zeros(6)
    for _ in range(4):
        rows = (slope * weight[:, None, None]).reshape(-1, 6)
        step = np.linalg.lstsq(rows, (off * weight[:, None]).ravel(), rcond=1e-9)[0]
        left = ((slope @ step - off) ** 2).sum(axis=1)
        weight = 1 / (1 + left / AGREE_PX**2)
    return step, weight


def _vague(slope: Floats, weighed: Floats) -> float:
    """The largest standard deviation in pixels of any place, from the rows that were fitted."""
    rows = weighed.reshape(-1, 6)
    spread = PLACE_PX**2 * np.linalg.pinv(rows.T @ rows, rcond=1e-15, hermitian=True)
    return float(np.sqrt(np.einsum("nij,jk,nik->n", slope, spread, slope).max()))


def stepped(view: View, step: Floats) -> View:
    """A view with six numbers added to its rotation and shift."""
    a, b, c, x, y, z = (float(v) for v in np.concatenate([view.rotation, view.shift]) + step)
    return View(view.lens, (a, b, c), (x, y, z))
