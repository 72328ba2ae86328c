"""The catalogues of the pages: `python -m tests.catalogues` takes up new sentences and compiles."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_dir
from babel.messages.frontend import parse_mapping_cfg
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).parent.parent
WEB = ROOT / "companion" / "web"
LANGUAGES = ("de", "fr")
KEYWORDS = DEFAULT_KEYWORDS | {"N_": None}
_THEN = datetime(2026, 1, 1, tzinfo=UTC)
"""One date for all: a catalogue changes when its sentences do."""


def extracted() -> Catalog:
    """Every sentence the program can show on a page, from its sources as they are now."""
    catalogue = _empty(None)
    with (WEB / "babel.cfg").open(encoding="utf-8") as file:
        methods, options = parse_mapping_cfg(file)
    for folder in ("companion", "vision"):
        inside = [
            (pattern.removeprefix(folder + "/"), how)
            for pattern, how in methods
            if pattern.startswith(folder)
        ]
        chosen = {pattern.removeprefix(folder + "/"): values for pattern, values in options.items()}
        for name, _, message, comments, context in extract_from_dir(ROOT / folder, inside, chosen, KEYWORDS):
            catalogue.add(message, None, [(f"{folder}/{name}", 0)], auto_comments=comments, context=context)
    return catalogue


def po(language: str) -> Path:
    """The file translators write."""
    return WEB / "translations" / language / "LC_MESSAGES" / "messages.po"


def read(language: str) -> Catalog:
    """The catalogue of `language` as it is on disk; empty where there is none."""
    if not po(language).exists():
        return _empty(language)
    with po(language).open("rb") as file:
        return read_po(file, locale=language)


def write(catalogue: Catalog, language: str) -> None:
    """The catalogue as text for translators, and compiled for the program."""
    po(language).parent.mkdir(parents=True, exist_ok=True)
    with po(language).open("wb") as file:
        write_po(file, catalogue, width=110, include_lineno=False)
    with po(language).with_suffix(".mo").open("wb") as file:
        write_mo(file, catalogue)


def untranslated(catalogue: Catalog) -> list[str]:
    """The sentences without a translation, or with one that somebody has still to look at."""
    lacking = []
    for message in catalogue:
        strings = message.string if isinstance(message.string, (tuple, list)) else (message.string,)
        if message.id and (message.fuzzy or not all(strings)):
            lacking.append(str(message.id))
    return lacking


def update() -> None:
    """Takes up new sentences, drops lost ones, and compiles."""
    template = extracted()
    for language in LANGUAGES:
        catalogue = read(language)
        catalogue.update(template, no_fuzzy_matching=True)
        catalogue.obsolete.clear()
        write(catalogue, language)
        print(f"{language}: {len(catalogue)} sentences, {len(untranslated(catalogue))} to translate")


def _empty(language: str | None) -> Catalog:
    return Catalog(
        locale=language,
        fuzzy=False,
        header_comment="# The sentences of the Corona companion.",
        project="corona-companion",
        version="0",
        creation_date=_THEN,
        revision_date=_THEN,
        last_translator="The Corona companion",
        language_team="The Corona companion",
        msgid_bugs_address="none",
        copyright_holder="The Corona companion",
    )


if __name__ == "__main__":
    update()
