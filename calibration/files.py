"""Pictures read from disk, and files written so that the power may go at any moment."""

from __future__ import annotations

import errno
import io
import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import cv2
import numpy as np

from vision.geometry import Image

HEIC = [b"ftyp" + brand for brand in (b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1")]
"""How the photos of many phones begin, after four bytes."""
MEGAPIXELS = 64
"""Of a photo, at most: to find dice in 33 took 414 MB."""


class NotAPhoto(ValueError):
    """A file that is not there or is no picture."""


def read_photo(path: Path) -> Image:
    """The picture in `path`, BGR uint8 (H, W, 3); raises `NotAPhoto` with one clear sentence."""
    data = bytes_of(path)
    if _pixels(data) > 1e6 * MEGAPIXELS:
        raise NotAPhoto(f"{path}: has more than {MEGAPIXELS} megapixels; make it smaller")
    return decoded(data, path)


def bytes_of(path: Path) -> bytes:
    """What is in a file; raises `NotAPhoto` where it cannot be read."""
    try:
        return path.read_bytes()
    except IsADirectoryError as fault:
        raise NotAPhoto(f"{path}: a folder; name the photos in it") from fault
    except OSError as fault:
        raise NotAPhoto(f"{path}: {fault.strerror or fault}") from fault


def _pixels(data: bytes) -> int:
    """How many a picture says that it has; 0 if that cannot be told."""
    from PIL import Image as Pictures  # only here: a running table has no use for it

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Pictures.DecompressionBombWarning)
        try:
            with Pictures.open(io.BytesIO(data)) as picture:
                return picture.width * picture.height
        except Pictures.DecompressionBombError:
            return sys.maxsize
        except (OSError, ValueError, SyntaxError):  # what Pillow makes of broken headers
            return 0


def decoded(data: bytes, path: Path) -> Image:
    """The picture in `data`, BGR uint8 (H, W, 3); raises `NotAPhoto`, which names `path`."""
    try:
        photo = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR) if data else None
    except cv2.error:
        photo = None
    if photo is None and data[4:12] in HEIC:
        raise NotAPhoto(f'{path}: a picture in HEIC; have the camera save JPEG (iPhone: "Most Compatible")')
    if photo is None:
        raise NotAPhoto(f"{path}: no picture, or cut off; give a whole JPEG or PNG")
    return photo


def save_photo(photo: Image, path: Path) -> None:
    """Write a picture, BGR uint8, in the format of its name's ending."""
    done, data = cv2.imencode(path.suffix, photo)
    assert done
    write_safely(path, data.tobytes())


def prepare(path: Path) -> None:
    """Make the folder that `path` is to be written to; raises `OSError` where that cannot be done."""
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, "it is a folder", str(path))
    if path.parent.exists() and not path.parent.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, f"{path.parent} is no folder", str(path))
    with _blamed_on(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        part = _part(path)
        part.touch()
        part.unlink()


def write_safely(path: Path, data: bytes) -> None:
    """Put `data` at `path`; whenever the power goes, the old content or the new one is there."""
    part = _part(path)
    with _blamed_on(path):
        try:
            with part.open("wb") as out:
                out.write(data)
                out.flush()
                os.fsync(out.fileno())
            part.replace(path)
            _keep_names(path.parent)
        except OSError:
            with suppress(OSError):  # why it could not be written matters more
                part.unlink(missing_ok=True)
            raise


def _keep_names(folder: Path) -> None:
    """Have the disk know what its files are called by now, where the system can be asked for that."""
    with suppress(OSError):
        known = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(known)
        finally:
            os.close(known)


def _part(path: Path) -> Path:
    return path.with_name(path.name + ".part")


@contextmanager
def _blamed_on(path: Path) -> Iterator[None]:
    """Faults name `path`, whatever was written for it on the way."""
    try:
        yield
    except OSError as fault:
        raise OSError(fault.errno, fault.strerror, str(path)) from fault
