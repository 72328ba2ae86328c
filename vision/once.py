"""What is made of a picture that stays, as that of the empty board does from frame to frame: made once."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar
from weakref import ref

from vision.geometry import Image

Others = ParamSpec("Others")
Made = TypeVar("Made")


def once(make: Callable[Concatenate[Image, Others], Made]) -> Callable[Concatenate[Image, Others], Made]:
    """Keep what `make` made last, and give it again for the very same picture and equal other arguments.

    Nobody may change that picture meanwhile. A picture that is gone is not kept alive by it.
    """
    kept: list[tuple[ref[Image], object, Made]] = []

    @wraps(make)
    def made(picture: Image, /, *others: Others.args, **named: Others.kwargs) -> Made:
        for known, asked, done in kept:
            if known() is picture and asked == (others, named):
                return done
        done = make(picture, *others, **named)
        kept[:] = [(ref(picture, lambda _: kept.clear()), (others, named), done)]
        return done

    return made
