"""What the doctor says of one thing, and the person who is asked where no program can see."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

State = Literal["works", "fails", "unsure", "absent"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One line: `absent` is what the settings do not name, `unsure` what a person would have to look at."""

    state: State
    what: str
    says: str

    @property
    def line(self) -> str:
        """What a terminal shows."""
        return f"{self.state:<7} {self.what}: {self.says}"


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody at the table: `tell` shows a line; `ask` gives yes or no, None where nobody answers."""

    tell: Callable[[str], None]
    ask: Callable[[str], bool | None]
