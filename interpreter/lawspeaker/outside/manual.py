"""Loads the manual of the package, the schema descriptions of keys, and the index of its pages."""

from __future__ import annotations

from contextlib import suppress
from functools import lru_cache

from lawspeaker.editing.manual import Manual, parse_manual, reading_order
from lawspeaker.editing.searching import Index
from lawspeaker.outside.library import data_folder
from lawspeaker.outside.loading import schema

FOLDER, INDEX = "language", "README.md"
RECIPES = "recipes"


@lru_cache(maxsize=1)
def manual() -> Manual:
    """The parsed manual with descriptions of keys, cached."""
    return parse_manual(_pages(), [schema("game"), schema("variant")])


@lru_cache(maxsize=1)
def index() -> Index:
    """The index of the pages of the language and of the recipes, cached."""
    pages = _pages()
    with suppress(OSError):
        text = (data_folder("docs") / f"{RECIPES}.md").read_text(encoding="utf-8")
        pages[RECIPES] = text
    return Index(pages)


def _pages() -> dict[str, str]:
    """The pages of the language in reading order; none in an installation without the manual."""
    folder, pages = data_folder("docs") / FOLDER, dict[str, str]()
    with suppress(OSError):
        for name in reading_order((folder / INDEX).read_text(encoding="utf-8")):
            pages[name] = (folder / f"{name}.md").read_text(encoding="utf-8")
    return pages
