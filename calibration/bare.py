"""What bare pieces look like on a table: learned from frames that were read, it is known in those to come."""

from __future__ import annotations

import numpy as np

from vision.geometry import Floats
from vision.marker_others import unlike
from vision.profile import Profile
from vision.reading import Reading

SAME, MOST = 1.0, 200
"""A top no more unlike a known one than the first tells nothing new; and no more than the last are kept."""


def knowing(profile: Profile, reading: Reading) -> Profile:
    """The profile, and what the surely bare pieces of a reading look like besides."""
    known = more(profile.bare, reading.bare)
    return profile if known is profile.bare else profile.knowing(known)


def more(known: Floats, seen: Floats) -> Floats:
    """The `known` tops of bare pieces, (M, 5, 6), and those of the `seen` ones, (N, 5, 6), that are new."""
    if len(known) and len(seen):
        seen = seen[unlike(seen, known).min(axis=1) > SAME]
    return np.concatenate([known, seen])[-MOST:] if len(seen) else known
