"""What is said when photographs do not make a profile."""

from __future__ import annotations

import math


class CannotCalibrate(ValueError):
    """These photographs do not make a profile; the text says why and what to do, in one sentence."""


class NotEmpty(CannotCalibrate):
    """Something lies in the photo of the empty board: that one is to be taken again, if it is no print."""

    def __init__(self, text: str, may_be_print: bool = False) -> None:
        super().__init__(text)
        self.may_be_print = may_be_print


def check_length(length: float, among: tuple[float, float]) -> None:
    """Raises `CannotCalibrate` for what is no size between these two, mm, or no number."""
    if math.isnan(length):
        raise CannotCalibrate(f"type a size in mm, {among[0]:g} to {among[1]:g}")
    if not among[0] <= length <= among[1]:
        raise CannotCalibrate(f"{length:g} is no size in mm; {among[0]:g} to {among[1]:g} are")
