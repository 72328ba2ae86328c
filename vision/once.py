"""What is made of a picture or a view that stays from frame to frame, as the empty board's do: made once."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar
from weakref import ref

Kept = TypeVar("Kept")
Others = ParamSpec("Others")
Made = TypeVar("Made")


def once(make: Callable[Concatenate[Kept, Others], Made]) -> Callable[Concatenate[Kept, Others], Made]:
    """Keep what `make` made last, and give it again for the very same thing and equal other arguments.

    Nobody may change that thing meanwhile, nor what was made. A thing that is gone is not kept alive by it.
    """
    kept: list[tuple[ref[Kept], object, Made]] = []

    @wraps(make)
    def made(thing: Kept, /, *others: Others.args, **named: Others.kwargs) -> Made:
        for known, asked, done in kept:
            if known() is thing and asked == (others, named):
                return done
        done = make(thing, *others, **named)
        kept[:] = [(ref(thing, lambda _: kept.clear()), (others, named), done)]
        return done

    return made
