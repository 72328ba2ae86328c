"""The steps of the camera's set-up, and which leads back to which."""

from __future__ import annotations

from typing import Literal

Step = Literal["rest", "aim", "empty", "fields", "dice", "colours", "sizes", "done"]
"""`fields` comes only where the board is measured, and `rest` and `done` are before and after."""
Board = Literal["mat", "own", "known"]
"""The printed mat; a board of one's own with four stickers, to be measured; that of the profile so far."""

BACK: dict[Step, Step] = {
    "empty": "aim",
    "fields": "empty",
    "dice": "empty",
    "colours": "dice",
    "sizes": "colours",
}
LIVE: tuple[Step, ...] = ("aim", "empty", "dice")
"""Steps that show the table as it is now."""
