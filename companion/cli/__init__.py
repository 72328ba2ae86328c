"""The `corona` command: reads what was asked for, calls the part that does it, prints the answer.

Every command imports what it needs when it runs, so that `corona --help` answers at once.
"""

from __future__ import annotations

import os

import click

from companion.cli.analysing import analyse
from companion.cli.answers import Answering
from companion.cli.calibrating import calibrate
from companion.cli.checking import evaluate, selftest
from companion.cli.following import follow
from companion.cli.gaming import export, games, replay
from companion.cli.numbering import numbers
from companion.cli.playing import demo, play
from companion.cli.printing import mat
from companion.cli.puzzling import puzzle
from companion.cli.seeing import dice, read
from companion.cli.solving import solve, table
from companion.cli.wiring import doctor, wiring

HELP = {"help_option_names": ["-h", "--help"]}


@click.group(cls=Answering, context_settings=HELP)
@click.version_option(package_name="corona-companion", prog_name="corona")
def main() -> None:
    """A companion for Corona: reads the board, keeps the auction, proves the best score."""
    # OpenCV, which asks for this when it is loaded, has words of its own for a camera that does not open.
    os.environ.setdefault("OPENCV_LOG_LEVEL", "ERROR")


for command in (
    demo,
    play,
    mat,
    calibrate,
    read,
    dice,
    follow,
    evaluate,
    selftest,
    solve,
    puzzle,
    analyse,
    table,
    numbers,
    replay,
    games,
    export,
    wiring,
    doctor,
):
    main.add_command(command)
