"""`corona analyse`: a play looked back on; where points were lost, and how good the situation was."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from companion.cli.answers import print_json, report_fault
from companion.cli.solving import set_colours

if TYPE_CHECKING:
    from companion.games.corona.analysis import Analysis
    from companion.games.corona.rules import Move, Situation


class Asked(NamedTuple):
    """A situation, and the moves as words (`A-red`)."""

    situation: str
    moves: list[str]


@click.command()
@click.argument("situation", metavar="SITUATION")
@click.argument("moves", nargs=-1, metavar="[MOVE...]")
@click.option("--colours", default=None, help="The six colours in the set's order, comma between.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
def analyse(situation: str, moves: tuple[str, ...], colours: str | None, as_json: bool) -> None:
    """Where a play lost points, and how good its situation was. A MOVE is its field and its die: A-red.

    A SITUATION of - reads standard input, one play a line: as here, or as JSON with "situation" and "moves".
    """
    from companion.games.corona import notation
    from companion.games.corona.analysis import analyse as look_back
    from companion.games.corona.rules import BadSituation, IllegalMove
    from companion.moves import read_moves

    if situation == "-" and moves:
        raise click.UsageError("with - the moves stand in the lines of standard input")
    names = set_colours(colours)
    bad = False
    for asked in _plays() if situation == "-" else [Asked(situation, list(moves))]:
        try:
            start = notation.read(asked.situation)
            played = read_moves(start, asked.moves, names)
        except (BadSituation, IllegalMove) as fault:
            bad = True
            where = {"situation": asked.situation}
            report_fault(where, str(fault), as_json, f"{asked.situation}: {fault}")
            continue
        found = look_back(start, played)
        if as_json:
            print_json({"situation": asked.situation} | _as_object(found, played, names))
        else:
            click.echo("\n".join(_told(asked.situation, start, found, played, names)))
    if bad:
        raise SystemExit(1)


def _plays() -> Iterator[Asked]:
    """The plays on standard input; what cannot be read comes as a situation that cannot be either."""
    for line in sys.stdin:
        if not line.strip():
            continue
        situation, *moves = line.split()
        try:
            if line.lstrip().startswith("{"):
                data = json.loads(line)
                situation = str(data["situation"])
                moves = [f"{move['from']}-{move['colour']}" for move in data["moves"]]
        except (ValueError, KeyError, TypeError):
            situation, moves = line.strip(), []
        yield Asked(situation, moves)


def _as_object(found: Analysis, played: tuple[Move, ...], names: tuple[str, ...]) -> dict[str, Any]:
    from companion.games.corona.chances import EVERYWHERE
    from companion.games.corona.values import as_objects, as_played

    chances = found.chances
    return {
        "best": found.best,
        "moves": as_objects(found.easiest, names),
        "points": sum(move.points for move in played),
        "played": as_played(played, found.best, found.still, names),
        "set_up": chances
        and {
            "throws": list(chances.cases),
            "half": chances.half,
            "mean": round(chances.mean, 4),
            "spread": round(chances.spread, 4),
            "share": chances.share(found.best),
        },
        "everywhere": {"half": EVERYWHERE.half, "share": EVERYWHERE.share(found.best)},
    }


def _told(
    line: str, start: Situation, found: Analysis, played: tuple[Move, ...], names: tuple[str, ...]
) -> Iterator[str]:
    from companion.games.corona.chances import EVERYWHERE
    from companion.moves import as_rows, as_short

    yield f"{line}  best {found.best}"
    if found.chances:
        here = found.chances
        yield f"  half of all throws on this set-up allow {here.half} or more"
        if found.best:
            shares = [_share(chances.share(found.best)) for chances in (here, EVERYWHERE)]
            yield f"  {found.best} or more: {shares[0]} of them, {shares[1]} of all situations"
    if played:
        yield "       by         points  sum  still possible"
    before = (found.best, *found.still)
    for row, was, still in zip(as_rows(played, names), before, found.still, strict=False):
        lost = f"   {was - still} lost" if still < was else ""
        yield f"{row.rstrip()}   {still:>2}{lost}"
    if found.best:
        yield f"  the easiest way: {as_short(found.easiest, names)}"


def _share(share: float) -> str:
    """A share as people say it: in per cent, a rare one as one in so many."""
    return f"{share:.0%}" if share >= 0.01 else f"1 in {1 / share:.0f}"
