"""The bench: `python -m tests.bench` prints what things cost, each against its floor in the same run.

Milliseconds say little on another machine; a ratio to something that has to be done anyway says much.
What is compared takes turns, so that a busy machine slows both; the turn in the middle by its ratio counts,
or the medians.
What vision and starts cost is measured here, perfect play in `tests/bench_solver.py`, the table in
`tests/bench_table.py`, phones in `tests/bench_phones.py`.
"""

from __future__ import annotations

import os
import platform
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import cv2
import numpy as np

from companion.evaluate import learn
from hardware.camera import small_grey
from tests.bench_phones import PHONES, Phones, phones
from tests.bench_solver import solving
from tests.bench_table import edges, evenings, long_game
from tests.timing import Row, in_turns, medians, timed
from vision.board import where_board_lies
from vision.geometry import Image
from vision.profile import Profile
from vision.read import read
from vision.steady import moves

ROOT = Path(__file__).parent.parent
PHOTOS = ROOT / "tests" / "photos"
READ = (("session-01", "001"), ("session-09", "007"), ("play-03", "002"))
READINGS, GLANCES, STARTS = 41, 201, 7
PATIENCE_S = 60.0
WATCHED_S = 5.0


def main() -> None:
    """Print the table, row by row as it comes."""
    cv2.setNumThreads(1)
    versions = f"Python {platform.python_version()}, OpenCV {cv2.__version__}, numpy {np.__version__}"
    print(f"{datetime.now(UTC):%Y-%m-%d}, {platform.machine()}, {os.cpu_count()} cores, {versions}\n")
    print(f"{'what':<36} {'against':<28} {'ms':>9} {'floor ms':>9} {'ratio':>9}   aim")
    notes = []
    for rows in (reading, looking, solving, edges, evenings, long_game, phones, starting):
        for row in rows():
            if isinstance(row, Row):
                print(row, flush=True)
            else:
                notes.append(row)
    notes.append(f"peak memory of corona demo, its camera reading: {peak_of_demo()} (aim: under 200 MB)")
    notes.append(f"the same with {PHONES} phones: {peak_of_demo(PHONES)} (aim: under 250 MB)")
    print("", *notes, sep="\n")


def reading() -> Iterator[Row]:
    """A photo from its JPEG to its reading, against decoding it and looking for tags."""
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50))
    for session, frame in READ:
        profile = learn(PHOTOS / session)
        jpeg = np.frombuffer((PHOTOS / session / "frames" / f"{frame}.jpg").read_bytes(), np.uint8)

        def ours(jpeg: Image, profile: Profile) -> None:
            read(decoded(jpeg), profile)

        def floor(jpeg: Image) -> None:
            detector.detectMarkers(decoded(jpeg))

        times = in_turns(READINGS, partial(ours, jpeg, profile), partial(floor, jpeg))
        yield Row(f"read {session}/{frame}.jpg", "decode + detectMarkers", *times, "3 x")


def looking() -> Iterator[Row]:
    """The two cheap questions before any reading: did anything change, and did the board move?"""
    session, frame = READ[0]
    profile = learn(PHOTOS / session)
    photo = cv2.imread(str(PHOTOS / session / "frames" / f"{frame}.jpg"))
    assert photo is not None
    before, now = small_grey(np.asarray(photo, np.uint8)), small_grey(profile.empty)
    same = cv2.add(before, 1)
    times = in_turns(GLANCES, lambda: moves(before, same), lambda: cv2.absdiff(before, same))
    yield Row("did anything change? nothing did", "absdiff", *times, "1 ms")
    times = in_turns(GLANCES, lambda: moves(before, now), lambda: cv2.absdiff(before, now))
    yield Row("did anything change? much did", "absdiff", *times, "1 ms")
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50))
    times = in_turns(
        READINGS, lambda: where_board_lies(photo, profile), lambda: detector.detectMarkers(photo)
    )
    yield Row("did the board move?", "detectMarkers", *times)


def decoded(jpeg: Image) -> Image:
    """The picture, BGR uint8 (H, W, 3), in the bytes of a file."""
    picture = cv2.imdecode(jpeg, cv2.IMREAD_COLOR)
    assert picture is not None
    return np.asarray(picture, dtype=np.uint8)


def starting() -> Iterator[Row]:
    """`corona --help`, and `corona demo` up to its first page, against a Python that does nothing."""
    nothing = partial(subprocess.run, (sys.executable, "-c", "pass"), check=True)
    asked = partial(subprocess.run, corona("--help"), env=with_us(), stdout=subprocess.DEVNULL, check=True)
    yield Row("corona --help", "python -c pass", *in_turns(STARTS, asked, nothing), "300 ms")
    turns = []
    for _ in range(STARTS):
        begun = time.perf_counter()
        with demo() as (_, url):
            wait_for(url)
            turns.append((1000 * (time.perf_counter() - begun), timed(nothing)))
    yield Row("corona demo to its first page", "python -c pass", *medians(turns), "1500 ms")


def peak_of_demo(number: int = 0) -> str:
    """The most memory a demo has held when its camera has learned the set and read the table, with phones."""
    with demo() as (process, url):
        wait_for(f"{url}photo.jpg")
        wait_for(f"{url}demo")
        with closing(Phones(int(url.rstrip("/").rpartition(":")[2]), number)) as watching:
            watching.drink(WATCHED_S if number else 0.0)
        status = Path(f"/proc/{process.pid}/status")
        if not status.exists():
            return "only Linux tells"
        peak = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM:"))
    return f"{int(peak.split()[1]) / 1024:.0f} MB"


@contextmanager
def demo() -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """A running `corona demo` with a log of its own, and its address; stopped at the end."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    with tempfile.TemporaryDirectory() as folder:
        command = corona("demo", "--host", "127.0.0.1", "--port", port, "--data", folder)
        process = subprocess.Popen(command, env=with_us(), stdout=subprocess.DEVNULL)
        try:
            yield process, f"http://127.0.0.1:{port}/"
        finally:
            process.terminate()
            process.wait()


def wait_for(url: str) -> None:
    """Ask for `url` until it is answered."""
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until:
        try:
            with urllib.request.urlopen(url, timeout=PATIENCE_S) as answer:
                answer.read()
                return
        except (urllib.error.URLError, ConnectionError):
            time.sleep(0.01)
    raise TimeoutError(f"{url} did not answer")


def corona(*words: str) -> tuple[str, ...]:
    """The `corona` command of this folder."""
    return (sys.executable, "-m", "companion", *words)


def with_us() -> dict[str, str]:
    """An environment in which this folder's modules are found."""
    return os.environ | {"PYTHONPATH": str(ROOT)}


if __name__ == "__main__":
    main()
