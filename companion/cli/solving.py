"""`corona solve`: the best of any situation. `corona table`: the table of all states it is looked up in."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from companion.cli.answers import print_json, report_fault

if TYPE_CHECKING:
    from companion.games.corona.rules import Move, Situation
    from companion.games.corona.solver import Lines, Reach


@click.command()
@click.argument("situations", nargs=-1, required=True, metavar="SITUATION...")
@click.option("--colours", default=None, help="The six colours in the set's order, comma between.")
@click.option(
    "--all", "all_lines", is_flag=True, help="Also the other best lines, and what each first move leads to."
)
@click.option(
    "--limit", default=20, show_default=True, type=click.IntRange(min=1), help="With --all: lines listed."
)
@click.option("--text", is_flag=True, help="Draw the ring, before and after.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
def solve(
    situations: tuple[str, ...], colours: str | None, all_lines: bool, limit: int, text: bool, as_json: bool
) -> None:
    """The best score and the easiest line. A SITUATION of - reads standard input, one a line.

    The easiest line moves the fewest pieces, and of those the fewest onto empty fields.
    """
    from companion.games.corona import notation, solver
    from companion.games.corona.rules import BadSituation
    from companion.games.corona.values import as_objects
    from companion.moves import as_rows

    if text and as_json:
        raise click.UsageError("--text draws for people, --json answers programs: one of them")
    names = set_colours(colours)
    bad = False
    for line in _lines(situations):
        try:
            situation = notation.read(line)
        except BadSituation as fault:
            bad = True
            report_fault({"situation": line}, str(fault), as_json, f"{line}: {fault}")
            continue
        answer = solver.solve(situation)
        every = (solver.lines(situation, limit), solver.first_moves(situation)) if all_lines else None
        if as_json:
            found = {"situation": line, "best": answer.best, "moves": as_objects(answer.moves, names)}
            print_json(found | (_all_objects(*every, names) if every else {}))
            continue
        click.echo(f"{line}  best {answer.best}")
        if text:
            click.echo("\n".join(_rings(situation, answer.moves)))
        click.echo("".join(as_rows(answer.moves, names)), nl=False)
        if every:
            click.echo("\n".join(_all_rows(*every, names)))
    if bad:
        raise SystemExit(1)


@click.command(short_help="Build the table of all states anew.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def table(as_json: bool) -> None:
    """Build the table of all states anew; count the starts of each best score, up to turning the board."""
    from companion.games.corona import states

    begun = time.perf_counter()
    built = states.build()
    seconds = time.perf_counter() - begun
    peak, histogram = _peak_mb(), built.histogram()
    if as_json:
        print_json(
            {
                "states": built.states,
                "seconds": round(seconds, 3),
                "peak_mb": peak,
                "histogram": {str(points): starts for points, starts in histogram.items()},
            }
        )
        return
    memory = "" if peak is None else f", with {peak:.0f} MB at the most"
    click.echo(f"{built.states} states up to turning, in {seconds:.2f} s{memory}")
    click.echo("best  starts")
    for points, starts in histogram.items():
        click.echo(f"{points:4}  {starts:6}")
    click.echo(f" all  {sum(histogram.values()):6}")


def _peak_mb() -> float | None:
    """The most memory this process has held since its start, in MB; only Linux tells."""
    status = Path("/proc/self/status")
    if not status.exists():
        return None
    peak = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM:"))
    return round(int(peak.split()[1]) / 1024, 1)


def _rings(situation: Situation, moves: Iterable[Move]) -> list[str]:
    """The ring before and after the moves."""
    from companion.games.corona.rules import after
    from companion.ring import as_ring, side_by_side

    rings = side_by_side(as_ring(situation), as_ring(after(situation, moves)))
    return ["", *(f"  {row}" for row in rings), ""]


def _all_objects(every: Lines, first: Iterable[Reach], names: tuple[str, ...]) -> dict[str, Any]:
    from companion.games.corona.values import as_objects

    return {
        "lines": every.count,
        "pieces": every.pieces,
        "detours": every.detours,
        "listed": [as_objects(line, names) for line in every.easiest],
        "first": [as_objects([reach.move], names)[0] | {"best": reach.best} for reach in first],
    }


def _all_rows(every: Lines, first: Sequence[Reach], names: tuple[str, ...]) -> list[str]:
    """How many lines there are, some of them in a row each, and what each first move leads to."""
    from companion.moves import as_short

    rows = []
    if every.best:
        have = "1 line has" if every.count == 1 else f"{every.count} lines have"
        pieces = "1 piece" if every.pieces == 1 else f"{every.pieces} pieces"
        detours = f", {every.detours} of them onto an empty field" if every.detours else ""
        rows = [f"  {have} {every.best}; the easiest moves {pieces}{detours}"]
        rows += [f"    {as_short(line, names)}" for line in every.easiest]
    if every.count > len(every.easiest):
        rows.append(f"    and {every.count - len(every.easiest)} more")
    return rows + _reach_rows(first, names)


def _reach_rows(first: Sequence[Reach], names: tuple[str, ...]) -> list[str]:
    """What can still be reached after a first move: a row for each field, a column for each die."""
    from companion.games.corona.rules import LETTERS

    dice = {reach.move.pips: names[reach.move.die] for reach in first}
    heads = {pips: f"{name} {pips}" for pips, name in dice.items()}
    rows = ["  the most that a play can have which begins from", "      " + "  ".join(heads.values())]
    for field in sorted({reach.move.start for reach in first}):
        reached = {reach.move.pips: reach.best for reach in first if reach.move.start == field}
        cells = "  ".join(f"{reached[pips]:>{len(head)}}" for pips, head in heads.items())
        rows.append(f"    {LETTERS[field]} {cells}")
    return rows if first else []


def _lines(situations: tuple[str, ...]) -> Iterable[str]:
    for situation in situations:
        if situation == "-":
            yield from (line.strip() for line in sys.stdin if line.strip())
        else:
            yield situation


def set_colours(colours: str | None) -> tuple[str, ...]:
    """The six names that `--colours` gives, or the usual ones; anything else is wrong usage."""
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
