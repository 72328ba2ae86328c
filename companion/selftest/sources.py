"""Where the set-ups lie: on a real table before a camera, in a folder of photos, on the virtual table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import hypot
from pathlib import Path

from calibration.files import NotAPhoto, read_photo
from companion.selftest.run import Skipped, Stopped
from companion.selftest.setups import DiceLie, SetUp, Stand
from hardware.camera import Camera
from hardware.folder_camera import PICTURES
from hardware.virtual import VirtualTable
from hardware.virtual.places import side_by_side
from hardware.virtual.solids import Piece
from vision.geometry import Image

Ask = Callable[[str], str]
"""Shows a person a question on the terminal and gives the answer, stripped; raises `EOFError`."""
ENTER = "Enter when it lies so, s to skip it, q to go on another time: "
MISLAID = (
    "Enter to look again once that is put right, k if it lies as asked and the camera errs, s to skip it, "
    "q to go on another time: "
)


class BeforeCamera:
    """A person lays each set-up before `camera` and says when it lies there."""

    def __init__(self, camera: Camera, ask: Ask, say: Callable[[str], None]) -> None:
        self._camera, self._ask, self._say = camera, ask, say

    def take(self, setup: SetUp) -> Image | None:
        lines = ["", f"{setup.number} of 10. {setup.title}", f"  {setup.sentence()}"]
        if setup.markers:
            lines.append(f"  Markers: {setup.with_markers()}.")
        self._say("\n".join([*lines, f"  Dice: {setup.with_dice()}."]))
        answer = self._asked(ENTER, "s")
        return None if answer.startswith("s") else self._camera.capture()

    def put_right(self, differs: Sequence[str]) -> Image | None:
        self._say(f"  The camera reads {', '.join(differs)}.")
        answer = self._asked(MISLAID, "sk")
        if answer.startswith("s"):
            raise Skipped
        return None if answer.startswith("k") else self._camera.capture()

    def _asked(self, question: str, letters: str) -> str:
        """The answer's first letter, one of `letters`; empty for Enter. Asks until it is one of these."""
        while True:
            try:
                answer = self._ask(question).lower()[:1]
            except EOFError:
                raise Stopped from None
            if answer == "q":
                raise Stopped
            if answer in letters:
                return answer


class InFolder:
    """Photos that somebody took by other means: 01.jpg for the first set-up, and so on."""

    def __init__(self, folder: Path) -> None:
        self._photos = {
            int(path.stem): path
            for path in sorted(folder.iterdir())
            if path.stem.isascii() and path.stem.isdecimal() and path.suffix.lower() in PICTURES
        }
        if not self._photos:
            raise NotAPhoto(f"{folder}: holds no photo named 01.jpg, 02.jpg and so on")

    def take(self, setup: SetUp) -> Image | None:
        photo = self._photos.get(setup.number)
        return None if photo is None else read_photo(photo)

    def put_right(self, differs: Sequence[str]) -> Image | None:
        return None  # a photo cannot be laid anew


class OnVirtualTable:
    """Lays each set-up on the virtual table by itself; its pieces do not stand on each other."""

    def __init__(self, table: VirtualTable) -> None:
        self._table = table

    def take(self, setup: SetUp) -> Image | None:
        if setup.stand == "stacked":
            return None
        lay(self._table, setup)
        return self._table.draw()

    def put_right(self, differs: Sequence[str]) -> Image | None:
        return None


def lay(table: VirtualTable, setup: SetUp) -> None:
    """Lay `setup` as asked; not stacked ones."""
    pieces: list[Piece] = []
    markers = list(setup.markers)
    for field, count in enumerate(setup.pieces):
        x, y = table.field_centres()[field]
        for dx, dy in _around(x, y, count, setup.stand, table.pieces[0].diameter):
            mine = next((marker for marker in markers if marker[0] == field), None)
            if mine:
                markers.remove(mine)
            piece = table.pieces[len(pieces)]
            pieces.append(replace(piece, x=x + dx, y=y + dy, marker=mine[1] if mine else None))
    table.pieces = pieces
    # A die may have been given another name than the table's; both name them in the set's order.
    others = [colour for colour in table.dice if colour not in setup.dice]
    for (colour, value), (x, y, turn) in zip(setup.dice.items(), _DICE[setup.dice_lie], strict=True):
        own = colour if colour in table.dice else others.pop(0)
        die = table.dice[own]
        table.dice[own] = replace(die, x=x * die.size, y=y * die.size, yaw=turn, value=value)
    table.hold(bool(setup.why))


def _around(x: float, y: float, count: int, stand: Stand, diameter: float) -> list[tuple[float, float]]:
    """Where the pieces of a field stand, from its middle (x, y), in mm."""
    if count < 2:
        out = EDGE_MM / hypot(x, y) if stand == "edge" else 0.0
        return [(out * x, out * y)] * count
    return side_by_side(count, diameter + (0.3 if stand == "touching" else 3.0))


EDGE_MM = 9.0
_DICE: dict[
    DiceLie, list[tuple[float, float, float]]
] = {  # middles in sides of a die, and turned by how many degrees
    "apart": [(-2.1, -1.2, 11), (0, -1.6, 74), (2.1, -1.2, 38), (-2.1, 1.2, 52), (0, 1.6, 5), (2.1, 1.2, 63)],
    "block": [(x, y, 0) for y in (-0.51, 0.51) for x in (-1.02, 0, 1.02)],
    "beside": [(x, y, 20 * y) for x in (-10.2, 10.2) for y in (-4, 0, 4)],
}
