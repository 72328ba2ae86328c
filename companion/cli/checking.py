"""`corona evaluate`: how well photographs with known truth are read."""

from __future__ import annotations

from pathlib import Path

import click

from companion.cli.answers import fail, print_json, say

PHOTO = click.Path(path_type=Path)


@click.command()
@click.argument("folder", type=PHOTO)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a session, then one of the totals.")
@click.option("--disturbed", is_flag=True, help="Read each frame also turned, darker, blurred, ...")
def evaluate(folder: Path, as_json: bool, disturbed: bool) -> None:
    """Read every session under FOLDER that has a truth.json; tables of right, unsure, wrong, and how sure."""
    from companion.evaluate import HEADER, Evaluation, NoSessions

    try:
        evaluation = Evaluation(folder, disturbed)
    except NoSessions as fault:
        fail(str(fault))
    if not as_json:
        click.echo(HEADER)
    bad = False
    for result in evaluation.results():
        bad = bad or bool(result.fault)
        if as_json:
            print_json(result.as_object())
            if result.fault:
                say(f"{result.session}: {result.fault}")
        else:
            click.echo("\n".join(result.rows()))
    if as_json:
        print_json(evaluation.as_object())
    else:
        click.echo("\n".join(evaluation.rows()))
    if bad:
        raise SystemExit(1)
