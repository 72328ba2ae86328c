"""How the commands answer: JSON on standard output, sentences on standard error, exit codes."""

from __future__ import annotations

import errno
import json
import math
import os
import sys
from typing import Any, NoReturn

import click


class Between(click.FloatRange):
    """A number from a range, which "nan" is not."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        number = float(super().convert(value, param, ctx))
        if math.isnan(number):
            self.fail(f"{value!r} is no number", param, ctx)
        return number


FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
"""What the system says where there is no room left."""


class Answering(click.Group):
    """Commands whose answer may find no room: then one sentence is said, and no more is tried."""

    def main(self, *args: Any, **kwargs: Any) -> Any:
        try:
            try:
                return super().main(*args, **kwargs)
            finally:
                if sys.stdout:
                    sys.stdout.flush()  # what is left would fail when Python has ended, without us
        except OSError as fault:
            if fault.errno not in FULL:
                raise
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what waits is written nowhere
            fail(f"nothing more can be written: {fault.strerror}; make room, or write it elsewhere")


def say(text: str) -> None:
    """One line on standard error, for a person."""
    click.echo(text, err=True)


def fail(text: str) -> NoReturn:
    """Exit 1 with one sentence."""
    say(text)
    raise SystemExit(1)


def print_json(data: dict[str, Any]) -> None:
    """One JSON object on one line of standard output, at once (the reader may be a pipe)."""
    click.echo(json.dumps(data, ensure_ascii=False))


def report_fault(what: dict[str, Any], why: str, as_json: bool, sentence: str = "") -> None:
    """Say why one of several could not be answered; the others still are."""
    say(sentence or why)
    if as_json:
        print_json({**what, "error": why})
