"""How the commands answer: JSON on standard output, sentences on standard error, exit codes."""

from __future__ import annotations

import json
import math
from typing import Any, NoReturn

import click


class Between(click.FloatRange):
    """A number from a range, which "nan" is not."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        number = float(super().convert(value, param, ctx))
        if math.isnan(number):
            self.fail(f"{value!r} is no number", param, ctx)
        return number


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
