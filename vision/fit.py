"""The view under which the textured places of the empty photo lie where a frame shows them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.geometry import Floats, Image, View
from vision.places import FITS, Places, ask

AGREE_PX = 0.4
"""Places that agree do so within this."""
LEAST_VOTES = 6
"""So many places must have a vote."""


@dataclass(frozen=True, slots=True)
class Fit:
    """A view fitted to places: how many of them agree with it."""

    view: View
    agree: int


def fitted_view(frame: Image, places: Places, view: View, rounds: int = 5) -> Fit | None:
    """The view near `view` under which the places lie where the frame shows them; None without enough.

    Gauss-Newton over the pose, places weighed by how well they agree with the others.
    """
    fit: Fit | None = None
    for turn in range(rounds):
        votes = ask(frame, places, view)
        voting = votes.fit > (FITS if turn else 0.6 * FITS)
        if int(voting.sum()) < LEAST_VOTES:
            return fit
        step, left = _pose_step(view, places.centres_mm[voting], votes.shift[voting])
        view = stepped(view, step)
        fit = Fit(view, int((left < AGREE_PX).sum()))
        if np.abs(votes.shift[voting]).max() < 0.05:
            break
    return fit


def _pose_step(view: View, mm: Floats, off: Floats) -> tuple[Floats, Floats]:
    """Six numbers to add to rotation and shift, and (N,) how far in px each place then still is."""
    at = view.project(on_board(mm))
    nudges = np.diag([1e-5] * 3 + [1e-3] * 3)
    slope = np.stack([(stepped(view, n).project(on_board(mm)) - at) / n.sum() for n in nudges], axis=2)
    weight: Floats = np.ones(len(mm))
    step: Floats = np.zeros(6)
    for _ in range(4):
        rows = (slope * weight[:, None, None]).reshape(-1, 6)
        step = np.linalg.lstsq(rows, (off * weight[:, None]).ravel(), rcond=1e-9)[0]
        left = np.hypot(*(slope @ step - off).T)
        weight = 1 / (1 + left**2 / AGREE_PX**2)
    return step, left


def stepped(view: View, step: Floats) -> View:
    """A view with six numbers added to its rotation and shift."""
    a, b, c, x, y, z = (float(v) for v in np.concatenate([view.rotation, view.shift]) + step)
    return View(view.lens, (a, b, c), (x, y, z))


def on_board(mm: Floats) -> Floats:
    """(N, 2) mm -> (N, 3), on the plane of the board."""
    return np.hstack([mm, np.zeros((len(mm), 1))])
