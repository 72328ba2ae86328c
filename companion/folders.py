"""Whether a folder that the settings name can be written, before anything is to be kept there."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def nearest(folder: Path) -> Path:
    """The folder itself, or the one of those above it that is there."""
    # Not Path.exists, which fails where one may not even look.
    return next(one for one in (folder, *folder.absolute().parents) if os.path.exists(one))  # noqa: PTH110


def cannot_be_written(folder: Path) -> str | None:
    """Why nothing can be kept in `folder`, in the system's words; None where something can.

    It need not be there: then it is looked whether it could be made. Nothing is left behind.
    """
    try:
        with tempfile.TemporaryFile(dir=nearest(folder)) as file:
            file.write(b"corona")
    except OSError as fault:
        return fault.strerror or str(fault)
    return None
