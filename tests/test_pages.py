"""What the pages are made of, without a server: catalogues, doubts, the drawn moves, sizes of pictures."""

from __future__ import annotations

import ast
import gettext
import re
import struct

import cv2
import numpy as np
import pytest
from flask import Flask
from flask_babel import Babel, force_locale
from hypothesis import given
from hypothesis import strategies as st

from companion.games.corona import notation
from companion.games.corona.rules import COLOURS, LETTERS, Situation, legal_moves, play
from companion.web import doubts, drawing, words
from companion.web.photo import jpeg_size
from tests import catalogues

PLACES = re.compile(r"%\(\w+\)[sd]")


# Catalogues


def forms(text: object) -> tuple[str, ...]:
    return tuple(map(str, text)) if isinstance(text, (list, tuple)) else (str(text),)


@pytest.mark.parametrize("language", catalogues.LANGUAGES)
def test_every_sentence_is_translated(language: str) -> None:
    wanted = {(message.context, message.id) for message in catalogues.extracted()}
    catalogue = catalogues.read(language)
    held = {(message.context, message.id) for message in catalogue}
    assert held == wanted, "run `python -m tests.catalogues`"
    assert catalogues.untranslated(catalogue) == []


def test_no_sentence_is_the_same_in_two_languages() -> None:
    said: dict[str, str] = {}
    for language in catalogues.LANGUAGES:
        for message in catalogues.read(language):
            for text in (*forms(message.id), *forms(message.string)) if message.id else ():
                if " " in text:  # a colour, a letter on a die or "Points" may well be
                    known = "en" if text in forms(message.id) else language
                    assert said.setdefault(text, known) == known, text


@pytest.mark.parametrize("language", catalogues.LANGUAGES)
def test_no_plural_stands_in_brackets(language: str) -> None:
    texts = [text for message in catalogues.read(language) for text in forms(message.string)]
    assert [text for text in texts if re.search(r"\w\((s|e|es|n|en|r)\)", text)] == []


@pytest.mark.parametrize("language", catalogues.LANGUAGES)
def test_translations_keep_the_places_for_values(language: str) -> None:
    for message in catalogues.read(language):
        wanted = set().union(*(PLACES.findall(text) for text in forms(message.id)))
        for text in forms(message.string) if message.id else ():
            assert set(PLACES.findall(text)) == wanted, message.id


@pytest.mark.parametrize("language", catalogues.LANGUAGES)
def test_the_compiled_catalogue_is_up_to_date(language: str) -> None:
    with catalogues.po(language).with_suffix(".mo").open("rb") as file:
        compiled = gettext.GNUTranslations(file)
    for message in catalogues.read(language):
        if not message.id:
            continue
        one, *many = forms(message.id)
        if many:
            assert (compiled.ngettext(one, many[0], 1), compiled.ngettext(one, many[0], 2)) == message.string
        elif message.context:
            assert compiled.pgettext(message.context, one) == message.string
        else:
            assert compiled.gettext(one) == message.string


@pytest.fixture
def app() -> Flask:
    app = Flask("companion.web")
    Babel(app)
    return app


@pytest.mark.parametrize("language", words.LANGUAGES)
def test_no_two_colours_share_a_name_or_letters(app: Flask, language: str) -> None:
    with app.test_request_context(), force_locale(language):
        for say in (words.colour_name, words.colour_letter):
            assert len({say(colour) for colour in COLOURS}) == len(COLOURS)
        assert all(1 <= len(words.colour_letter(colour)) <= 2 for colour in COLOURS)


# Doubts


def reasons_of_the_vision() -> list[str]:
    """Every reason that the vision can give for a doubt, with 3 in the place of each value."""
    found: list[ast.expr] = []
    for file in ("read.py", "doubts.py"):
        for node in ast.walk(ast.parse((catalogues.ROOT / "vision" / file).read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in ("Doubt", "Board", "_about"):
                found.append(node.args[1])
            if isinstance(node, ast.FunctionDef) and node.name.endswith(("_doubt", "other_shape")):
                found += [
                    each.value for each in ast.walk(node) if isinstance(each, ast.Return) and each.value
                ]
    found += [each for node in found if isinstance(node, ast.BoolOp) for each in node.values]
    return [text for node in found if (text := _text(node))]


def _text(node: ast.expr) -> str:
    if isinstance(node, ast.JoinedStr):
        return "".join(_text(part) for part in node.values)
    if isinstance(node, ast.FormattedValue):
        told = ast.unparse(node)
        return "A and B" if "_two" in told else "6" if "PIECES" in told else "3"
    return str(node.value) if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def test_every_doubt_of_the_vision_can_be_said_in_german(app: Flask) -> None:
    reasons = reasons_of_the_vision()
    assert len(reasons) >= 10
    with app.test_request_context(), force_locale("de"):
        unknown = [reason for reason in reasons if doubts.why(reason) == reason]
    assert unknown == [], "add them to companion/web/doubts.py, run `python -m tests.catalogues`, translate"


def test_doubts_name_what_they_are_about(app: Flask) -> None:
    with app.test_request_context(), force_locale("fr"):
        assert doubts.about("die blue") == "dé bleu"
        assert doubts.about("field C") == "case C"
        assert doubts.about("fields A B C D E F G H I J K L") == "toutes les cases"
        assert doubts.why("only 1 of 4 tags is to be seen") == "seule 1 marque sur 4 est visible"
        assert doubts.about("something new") == "something new"
        assert doubts.why("a marker may be red") == "un marqueur est peut-être rouge"
        assert doubts.why("a piece stands between C and D") == "une pièce est entre C et D"
        assert doubts.why("a reason nobody has written yet") == "a reason nobody has written yet"


# The drawn board


@st.composite
def lines(draw: st.DrawFn) -> tuple[Situation, list[dict[str, object]], list[Situation]]:
    """A situation, some moves from it as a view gives them, and the situations they lead to."""
    fields = draw(st.lists(st.integers(0, 11), min_size=6, max_size=6))
    dice = tuple(draw(st.lists(st.integers(1, 6), min_size=6, max_size=6)))
    start = now = Situation(tuple(fields.count(k) for k in range(12)), dice)
    moves, passed = [], []
    for _ in range(draw(st.integers(0, 6))):
        move = draw(st.sampled_from(list(legal_moves(now))))
        now = play(now, move)
        passed.append(now)
        moves.append(
            {
                "from": LETTERS[move.start],
                "to": LETTERS[move.to],
                "colour": COLOURS[move.die],
                "pips": move.pips,
                "points": move.points,
            }
        )
    return start, moves, passed


def standing(frame: drawing.Frame) -> tuple[int, ...]:
    """Pieces on each field, by where they are drawn."""
    centres = [centre for _, centre, _ in drawing.field_centres()]

    def nearest(piece: drawing.Piece) -> int:
        return min(range(12), key=lambda k: (centres[k][0] - piece.x) ** 2 + (centres[k][1] - piece.y) ** 2)

    fields = [nearest(piece) for piece in frame.pieces]
    return tuple(fields.count(k) for k in range(12))


@given(lines())
def test_the_drawn_moves_are_the_moves_of_the_rules(
    line: tuple[Situation, list[dict[str, object]], list[Situation]],
) -> None:
    start, moves, passed = line
    frames = drawing.frames(notation.write(start), moves)
    assert [standing(frame) for frame in frames] == [now.occupants for now in (start, *passed)]
    assert [frame.points for frame in frames] == [
        sum(int(str(move["points"])) for move in moves[:k]) for k in range(len(moves) + 1)
    ]
    for k, (frame, move) in enumerate(zip(frames[1:], moves, strict=True), start=1):
        assert frame.path[0] == move["from"]
        assert frame.path[-1] == move["to"]
        assert len(frame.path) == int(str(move["pips"])) + 1
        assert len(frame.used) == k
        assert {piece.marker for piece in frame.pieces} - {None} == {each["colour"] for each in moves[k:]}
        assert sum(piece.moved for piece in frame.pieces) == k


@pytest.mark.parametrize("number", range(7))
def test_pieces_that_share_a_field_are_all_seen_and_stay_inside(number: int) -> None:
    (offsets, size) = next((offsets, size) for many, offsets, size in drawing.piles() if many == number)
    assert len(offsets) == number
    radius = 13.5 * size
    for k, (x, y) in enumerate(offsets):
        assert (x * x + y * y) ** 0.5 + radius <= drawing.WELL_MM
        for a, b in offsets[:k]:
            assert ((x - a) ** 2 + (y - b) ** 2) ** 0.5 >= 1.5 * radius


# Pictures


@pytest.mark.parametrize("progressive", [0, 1])
@pytest.mark.parametrize(("width", "height"), [(1536, 864), (7, 300)])
def test_the_size_of_a_photograph_is_read_from_its_header(width: int, height: int, progressive: int) -> None:
    frame = np.zeros((height, width, 3), np.uint8)
    _, data = cv2.imencode(".jpg", frame, (cv2.IMWRITE_JPEG_PROGRESSIVE, progressive))
    assert jpeg_size(data.tobytes()) == (width, height)


@given(st.binary(max_size=200))
def test_bytes_that_are_no_picture_have_no_size(data: bytes) -> None:
    width, height = jpeg_size(b"\xff\xd8" + data)
    assert width >= 0
    assert height >= 0
    assert jpeg_size(b"") == (0, 0)
    assert jpeg_size(b"\xff\xd8" + b"\xff\xe0" + struct.pack(">H", 2)) == (0, 0)
