"""Pictures of the stages: each says what it shows, labels lie beside each other and never off the picture."""

from __future__ import annotations

import re
from itertools import combinations

import numpy as np

from tests.sessions import PHOTOS, frames, photo, profile
from vision.die_sides import LEAST, height_of, sides_of_die
from vision.lettering import DARK, QUIET, Labels, titled
from vision.look import look
from vision.stages import STAGES, stages


def test_every_stage_is_a_picture_with_words_above_it() -> None:
    session, name = frames(readable=True)[0]
    shown = stages(photo(session, f"frames/{name}"), profile(session))
    assert list(shown) == [stage for stage in STAGES if stage != "photo"]
    for picture in shown.values():
        assert picture.dtype == np.uint8 and picture.shape[2] == 3
        assert (picture[:4] == DARK).all() and (picture[:30] > 200).any()


def test_tops_and_sides_of_dice_lie_flat_below_the_photo() -> None:
    session, name = next((one, name) for one, name in frames(readable=True) if _sides(one, name))
    picture = stages(photo(session, f"frames/{name}"), profile(session))["dice"]
    through_all = picture[-80]
    lit = np.concatenate([[0], (through_all != DARK).any(axis=1).astype(int), [0]])
    starts, ends = np.flatnonzero(np.diff(lit) == 1), np.flatnonzero(np.diff(lit) == -1)
    assert sum(ends - starts > 60) == 6 + _sides(session, name)


def _sides(session: str, name: str) -> int:
    """How many sides of dice of a frame are high enough to be read, none of them hidden."""
    known = profile(session)
    seen = look(photo(session, f"frames/{name}"), known.view, known)
    every = [sides_of_die(seen.view, die, known.die_mm) for die in seen.dice.values() if die]
    return sum(height_of(quad) > LEAST for quads in every for quad in quads)


def test_the_documents_explain_every_picture() -> None:
    text = (PHOTOS.parents[1] / "docs" / "architecture.md").read_text(encoding="utf-8")
    assert [
        stage for stage in STAGES if not re.search(rf"^\| `\d-{stage}\.png` \|", text, re.MULTILINE)
    ] == []


def test_labels_lie_beside_each_other_and_on_the_picture() -> None:
    picture = np.full((300, 400, 3), 128, np.uint8)
    labels, plates = Labels(picture), []
    for at in ((390, 5), (395, 8), (200, 150), (201, 151), (203, 149)):
        before = picture.copy()
        labels.put(["die 1.000  flat 1.000", "named 0.998"], at, DARK)  # lines as dark as the ground
        rows, columns = np.nonzero((picture != before).any(axis=2))
        plates.append((picture != before).any(axis=2))
        assert len(rows) > 50 * 100, "a plate of two lines, and nothing of it cut off"
        assert np.ptp(columns) > 140
    assert all((one & other).sum() < 20 for one, other in combinations(plates, 2))


def test_a_title_fits_over_a_narrow_grey_picture() -> None:
    page = titled(np.full((50, 60), 9, np.uint8), STAGES["shadows"])
    lettered = (page > QUIET[2] - 40).all(axis=2).any(axis=0)
    assert page.shape[1] > 700 and lettered.any() and not lettered[-4:].any()
    assert (page[-50:, :60] == 9).all()
