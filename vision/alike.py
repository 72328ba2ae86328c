"""Whether what seems to be six pieces is: they are alike, and a coin or a stain is not like the others.

The networks that find pieces know them by form, for nobody knows what another set's look like; so where a
piece is missing, whatever is round passes for it, and that the pieces are six speaks for it, too. Of these
three the first is shown what the first pair of the markers is, another compares each piece with each.
"""

from __future__ import annotations

from vision.geometry import Floats
from vision.nets import ask_among, likely

SHARPER, SELDOM = 2.0, 7.0
"""By what the log odds are multiplied, and what is added: of 545 pieces of the photo sessions, which were not
learned from, none has less than 1.9; and things that lie where a piece is missing are far fewer than among
what was."""


def alike(shown: Floats) -> tuple[float, ...]:
    """How likely each of N towers has a piece on top, and nothing that is unlike the others' tops.

    `shown`: float32 (N, 8, size, size), see `FoundMarkers`.
    """
    if not len(shown):
        return ()
    return tuple(likely(SHARPER * ask_among("alike", shown)[:, 0] + SELDOM).tolist())
