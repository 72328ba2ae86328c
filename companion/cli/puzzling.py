"""`corona puzzle`: a situation to find the best score of, today's or any other one."""

from __future__ import annotations

import secrets
import shlex
from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING, Any

import click

from companion.cli.answers import fail, print_json
from companion.cli.solving import set_colours

if TYPE_CHECKING:
    from companion.games.corona.puzzle import Puzzle

SAND_S = 60
"""The hourglass of both rulebooks."""
SEEDS = 1_000_000
"""A seed that nobody gave is below."""


@click.command()
@click.option("--best", type=click.IntRange(0, 21), help="The best score it shall have.")
@click.option("--level", type=click.IntRange(1, 5), help="How hard it shall be; 1 is easy.")
@click.option("--seed", help="Any word or number: the same one gives the same puzzle.")
@click.option("--date", "day", type=click.DateTime(["%Y-%m-%d"]), help="The puzzle of that day.")
@click.option("--solution", is_flag=True, help="Also the best score and the easiest line.")
@click.option("--colours", default=None, help="The six colours in the set's order, comma between.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def puzzle(
    best: int | None,
    level: int | None,
    seed: str | None,
    day: datetime | None,
    solution: bool,
    colours: str | None,
    as_json: bool,
) -> None:
    """A situation to find the best score of. Without options it is today's, the same for everybody.

    How hard it is, is measured in tries: so many plays are needed on average to hit upon the best score when
    each move is picked by chance, one that scores n points n + 1 times as likely as one that scores none.
    Level 1 takes up to 25 tries, 2 up to 50, 3 up to 100, 4 up to 200, and 5 more.
    """
    from companion.games.corona.puzzle import NoPuzzle, daily, pick
    from companion.games.corona.solver import solve
    from companion.games.corona.values import as_objects
    from companion.moves import as_rows

    if seed is not None and not seed.isprintable():
        raise click.BadParameter("a seed is text that can be printed, to be had again", param_hint="--seed")
    names = set_colours(colours)
    wanted = {"best": best, "level": level, "seed": seed}
    asked = {name: str(value) for name, value in wanted.items() if value is not None}
    if day and asked:
        raise click.UsageError(f"a day has one puzzle: --date or --{', --'.join(asked)}, not both")
    try:
        if asked:
            asked.setdefault("seed", str(secrets.randbelow(SEEDS)))
            found = pick(asked["seed"], best, level)
        else:
            day = day or datetime.now()
            asked["date"] = day.date().isoformat()
            found = daily(day.date())
    except NoPuzzle as fault:
        fail(str(fault))
    moves = solve(found.situation).moves if solution else ()
    if as_json:
        shown = {"best": found.best, "moves": as_objects(moves, names)} if solution else {}
        print_json(_as_object(found, asked) | shown)
        return
    click.echo("\n".join(_told(found, asked, names)))
    if solution:
        click.echo(f"  best {found.best}\n{''.join(as_rows(moves, names))}", nl=False)
    else:
        again = [word for name, value in asked.items() for word in (f"--{name}", value)]
        set_of = ["--colours", colours] if colours else []
        click.echo(f"  the solution: {shlex.join(['corona', 'puzzle', *again, *set_of, '--solution'])}")


def _as_object(found: Puzzle, asked: dict[str, str]) -> dict[str, Any]:
    from companion.games.corona import notation

    name = "date" if "date" in asked else "seed"
    return {
        "situation": notation.write(found.situation),
        "level": found.level,
        "tries": round(found.tries, 1),
        name: asked[name],
    }


def _told(found: Puzzle, asked: dict[str, str], names: tuple[str, ...]) -> Iterator[str]:
    from companion.games.corona import notation
    from companion.ring import as_ring

    whose = f"{asked['date']}, the same for everybody" if "date" in asked else f"seed {asked['seed']}"
    yield f"{notation.write(found.situation)}  the puzzle of {whose}"
    yield from ("", *(f"  {row}" for row in as_ring(found.situation)), "")
    dice = zip(names, found.situation.dice, strict=True)
    yield f"  dice: {', '.join(f'{name} {pips}' for name, pips in dice)}"
    tries = f"about {found.tries:.0f} tries" if found.tries >= 1.5 else "hardly more than a try"
    yield f"  level {found.level} of 5: {tries}"
    goal = f"reach {asked['best']}" if "best" in asked else "how many points can you have?"
    yield f"  {SAND_S} seconds: {goal}"
