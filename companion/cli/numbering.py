"""`corona numbers`: writes Corona in numbers, a document and its pictures, all counted anew."""

from __future__ import annotations

from pathlib import Path

import click

from companion.cli.answers import fail


@click.command(short_help="Count all situations, and write what that shows.")
@click.argument("folder", type=click.Path(path_type=Path), default=Path("docs"), metavar="[FOLDER]")
def numbers(folder: Path) -> None:
    """Count all situations; write `corona-in-numbers.md` and its pictures into FOLDER (default: docs)."""
    from companion.numbers.document import files

    for name, text in files().items():
        path = folder / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        except OSError as fault:
            fail(f"{path}: cannot be written ({fault.strerror}); choose another folder")
        click.echo(path)
