"""`corona replay`, `corona games`, `corona export`: games as text, without hardware or server."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from companion.cli.answers import fail, print_json, say
from companion.cli.playing import DATA

if TYPE_CHECKING:
    from companion.export import Format
    from companion.store import Store

FILE = click.Path(path_type=Path)


@click.command(short_help="Run the commands of a game, one a line, through the rules.")
@click.argument("file", type=FILE)
@click.option("--json", "as_json", is_flag=True, help="One answer a line; the last one is how it stands.")
def replay(file: Path, as_json: bool) -> None:
    """Run FILE, one command of a game a line (JSON), through the rules; `-` reads standard input.

    A refused command changes nothing, and the replay goes on.
    """
    from companion.replay import Replay, standing

    going = Replay()
    for number, answer in going.run(_text(file).split("\n")):
        if as_json:
            print_json(answer)
        elif answer["ok"]:
            click.echo(f"{number:4}  {', '.join(answer['events'])}")
        else:
            click.echo(f"{number:4}  refused: {answer['why']}")
    stands = standing(going.state)
    if as_json:
        print_json(stands)
    else:
        click.echo(_stands(stands))


def _text(file: Path) -> str:
    """The text of `file` or of standard input, however it marks its beginning and the ends of its lines."""
    try:
        held = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
    except OSError as fault:
        fail(f"{file}: {fault.strerror}.")
    # What is no UTF-8 spoils its own line and not the others.
    return held.decode("utf-8-sig", "surrogateescape").replace("\r\n", "\n").replace("\r", "\n")


def _stands(known: dict[str, Any]) -> str:
    over, setter = known["over"], known["setter"]
    end = "no game yet"
    if over:
        end = f"over ({over['reason']}), won by {' and '.join(over['winners'])}"
    elif known["chips"]:
        end = f"{setter} sets up" if setter else "the first 6 sets up"
    return f"{_rounds(known)}; {_chips(known) or 'no chips'}; {end}"


def _rounds(known: dict[str, Any]) -> str:
    return f"{known['rounds']} round{'s' * (known['rounds'] != 1)}"


def _chips(known: dict[str, Any]) -> str:
    return ", ".join(f"{seat} {held}" for seat, held in known["chips"].items())


def _of_a_log(command: Any) -> Any:
    """The options that say which log is meant."""
    folder = click.option(
        "--data", type=FILE, default=DATA, show_default="~/.local/share/corona", help="Folder of the log."
    )
    virtual = click.option("--demo", is_flag=True, help="The log of the virtual table.")
    return folder(virtual(command))


@click.command(short_help="The games of the log: when, who, and how they ended.")
@_of_a_log
@click.option("--json", "as_json", is_flag=True, help="One JSON object a game.")
def games(data: Path, demo: bool, as_json: bool) -> None:
    """The games of the log: when, who, how many rounds, and how they ended."""
    from companion.export import Exported
    from companion.replay import standing
    from companion.store import DamagedLog, StoreError

    damaged = False
    try:
        store = _log(data, demo)
        for entry in store.games():
            try:
                state = Exported(store, entry.game).state
            except DamagedLog as fault:  # the others can still be read
                say(str(fault))
                damaged = True
                continue
            known = {
                "game": entry.game,
                "begun": entry.begun,
                "last": entry.last,
                **standing(state),
                "paused": state.paused is not None,
            }
            if as_json:
                print_json(known)
            else:
                click.echo(_row(known))
    except StoreError as fault:
        fail(str(fault))
    if damaged:
        raise SystemExit(1)


def _row(known: dict[str, Any]) -> str:
    from companion.export import local

    over = known["over"]
    end = " and ".join(over["winners"]) + " won" if over else "paused" if known["paused"] else "goes on"
    row = f"{known['game']:4}  {local(known['begun'])}  {_rounds(known):10}"
    return f"{row}  {end}; {_chips(known)}" if known["chips"] else f"{row}  not started"


@click.command(short_help="Tell one game of the log: calls, plays, best scores.")
@click.argument("number", type=int, metavar="GAME")
@_of_a_log
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "csv", "commands"]),
    default="text",
    show_default=True,
    help="An account to read, everything as JSON, a row a round, or a file for `corona replay`.",
)
def export(number: int, data: Path, demo: bool, form: Format) -> None:
    """Tell one game of the log: who called what, who played, what was reached, and what there was."""
    from companion.export import Exported, NoGame
    from companion.store import StoreError

    try:
        for line in Exported(_log(data, demo), number).written(form):
            click.echo(line)
    except (NoGame, StoreError) as fault:
        fail(str(fault))


def _log(data: Path, demo: bool) -> Store:
    """The log in this folder, to read; a running companion may go on writing to it."""
    from companion.store import DEMO_LOG, LOG, Store

    path = data / (DEMO_LOG if demo else LOG)
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        fail(f"There is no log in {data}: name the folder with --data.")
    except OSError as fault:
        fail(f"{path}: {fault.strerror}.")
    return Store(path, reading=True)
