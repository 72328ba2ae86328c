"""A test of many cases: the first ones in every run, the others with the slow tests."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def slowly(cases: Iterable[Any], first: int = 1) -> list[Any]:
    """The cases for `pytest.mark.parametrize`; all but the `first` are marked slow."""
    return [
        case if k < first else pytest.param(*_values(case), marks=pytest.mark.slow)
        for k, case in enumerate(cases)
    ]


def _values(case: Any) -> tuple[Any, ...]:
    return case if isinstance(case, tuple) else (case,)
