"""`corona mat`: the board to print, or the tags for a board one has."""

from __future__ import annotations

from pathlib import Path

import click

from companion.cli.answers import fail

FILE = click.Path(path_type=Path)


@click.command()
@click.argument("out", type=FILE, metavar="OUT.pdf")
@click.option("--halves", is_flag=True, help="Two A4 pages to glue together, instead of one of A3.")
@click.option("--ink-saving", is_flag=True, help="Lines alone, no tints; white dice show less on it.")
@click.option("--stickers", is_flag=True, help="Only the four tags, for the corners of a board you have.")
@click.option("--layout", type=FILE, help="Another board than the usual mat (JSON).")
def mat(out: Path, halves: bool, ink_saving: bool, stickers: bool, layout: Path | None) -> None:
    """Print the board: a PDF, true to the millimetre at 100 %."""
    if out.suffix.lower() != ".pdf":
        raise click.BadParameter(
            f"{out} does not end in .pdf, and a PDF is what is written", param_hint="OUT.pdf"
        )
    if stickers and (halves or ink_saving):
        raise click.UsageError("--stickers prints the tags alone: it takes neither --halves nor --ink-saving")

    from calibration.layouts import MAT
    from calibration.mat import sheets
    from calibration.mat.board import COLOUR, SAVING
    from calibration.store import read_layout
    from vision.geometry import BadLayout, Layout

    inks = SAVING if ink_saving else COLOUR
    try:
        board = read_layout(layout) if layout else Layout.from_json(MAT)
        if stickers:
            made, what = sheets.stickers(board), "A4, four stickers"
        elif halves:
            made, what = sheets.halves(board, inks), "A4, two pages, a half of the mat on each"
        else:
            made, what = sheets.whole(board, inks), "A3, the mat whole"
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_bytes(made)
    except (BadLayout, sheets.CannotPrint) as fault:
        fail(str(fault))
    except OSError as fault:
        fail(f"{out}: cannot be written ({fault.strerror}); choose another place")
    click.echo(f"{out}: {what}; print at 100 %, then measure the bars")
