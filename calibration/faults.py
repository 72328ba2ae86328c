"""What is said when photographs do not make a profile."""

from __future__ import annotations


class CannotCalibrate(ValueError):
    """These photographs do not make a profile; the text says why and what to do, in one sentence."""


class NotEmpty(CannotCalibrate):
    """Something lies in the photo of the empty board: that one is to be taken again."""
