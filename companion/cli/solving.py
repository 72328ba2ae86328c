"""`corona solve`: the best score and a best line of any situation."""

from __future__ import annotations

import sys
from collections.abc import Iterable

import click

from companion.cli.answers import print_json, report_fault


@click.command()
@click.argument("situations", nargs=-1, required=True, metavar="SITUATION...")
@click.option("--colours", default=None, help="The six colours in the set's order, comma between.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
def solve(situations: tuple[str, ...], colours: str | None, as_json: bool) -> None:
    """The best score and a best line. A SITUATION of - reads standard input, one a line."""
    from companion.games.corona import notation
    from companion.games.corona.rules import BadSituation
    from companion.games.corona.solver import solve as best_of
    from companion.moves import as_objects, as_rows

    names = _set_colours(colours)
    bad = False
    for line in _lines(situations):
        try:
            answer = best_of(notation.read(line))
        except BadSituation as fault:
            bad = True
            report_fault({"situation": line}, str(fault), as_json, f"{line}: {fault}")
            continue
        if as_json:
            print_json({"situation": line, "best": answer.best, "moves": as_objects(answer.moves, names)})
        else:
            click.echo(f"{line}  best {answer.best}")
            click.echo("".join(as_rows(answer.moves, names)), nl=False)
    if bad:
        raise SystemExit(1)


def _lines(situations: tuple[str, ...]) -> Iterable[str]:
    for situation in situations:
        if situation == "-":
            yield from (line.strip() for line in sys.stdin if line.strip())
        else:
            yield situation


def _set_colours(colours: str | None) -> tuple[str, ...]:
    from companion.games.corona.rules import COLOURS, DEFAULT_COLOURS

    if colours is None:
        return DEFAULT_COLOURS
    names = tuple(name.strip().lower() for name in colours.split(","))
    unknown = [name for name in names if name not in COLOURS]
    if unknown:
        raise click.BadParameter(f"unknown colour {', '.join(unknown)}; known are {', '.join(COLOURS)}")
    if len(names) != 6 or len(set(names)) != 6:
        raise click.BadParameter(f"six different colours are needed, {len(set(names))} are given")
    return names
