"""Whether what seems to be six pieces is: they are alike, and a coin or a stain is not like the others.

The networks that find pieces know them by form, for nobody knows what another set's look like; so where a
piece is missing, whatever is round passes for it, and that the pieces are six speaks for it, too. Of these
three the first is shown what the first pair of the markers is, another compares each piece with each. That
it has a side (`sides`) counts, too.
"""

from __future__ import annotations

from collections.abc import Sequence

from vision.geometry import Floats
from vision.nets import ask_among, likely
from vision.tops import Table

SHARPER, SELDOM = 2.0, 7.0
"""By what the log odds are multiplied, and what is added: of 545 pieces of the photo sessions, which were not
learned from, none has less than 1.9; and things that lie where a piece is missing are far fewer than among
what was."""
PLAINLY, PERHAPS, A_DIE, NONE = 0.9999995, 0.2, 0.985, 0.001
"""What is less likely a piece than the first, as one in twenty is, is shown to the network of dice, too. It
holds none of 551 pieces of the photo sessions for a die by more than 0.97, and eleven dice that had passed
for one by 0.997 and more. Above the third it is a piece with the last likelihood. Only what is a die by more
than the second at first sight is turned around for that: it saves time."""


def alike(shown: Floats, flat: Floats) -> tuple[float, ...]:
    """How likely each of N towers is one of pieces, and nothing that is unlike the others.

    `shown`: float32 (N, 8, size, size), see `FoundMarkers`; `flat` (N,): by how much smaller the log odds of
    each are, see `flatness`.
    """
    if not len(shown):
        return ()
    return tuple(likely(SHARPER * ask_among("alike", shown)[:, 0] + SELDOM - flat).tolist())


def no_dice(
    pieces: tuple[float, ...], places: Sequence[tuple[float, float]], table: Table
) -> tuple[float, ...]:
    """The same likelihoods, of pieces at `places` (mm), after a look whether a die lies there."""
    asked = [one for one, like in enumerate(pieces) if like < PLAINLY]
    first = table.ask([places[one] for one in asked])
    asked = [one for one, top in zip(asked, first, strict=True) if top.die > PERHAPS]
    tops = table.ask([places[one] for one in asked], turns=4)
    dice = {one for one, top in zip(asked, tops, strict=True) if top.die > A_DIE}
    return tuple(min(like, NONE) if one in dice else like for one, like in enumerate(pieces))
