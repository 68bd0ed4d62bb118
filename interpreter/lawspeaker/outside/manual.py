"""Loads the manual of the package and the schema descriptions of keys."""

from __future__ import annotations

from contextlib import suppress
from functools import lru_cache

from lawspeaker.editing.manual import Manual, reading_order, taken_apart
from lawspeaker.outside.library import data_folder
from lawspeaker.outside.loading import schema

FOLDER, INDEX = "language", "README.md"


@lru_cache(maxsize=1)
def manual() -> Manual:
    """The parsed manual with descriptions of keys, cached."""
    folder, pages = data_folder("docs") / FOLDER, dict[str, str]()
    with suppress(OSError):  # an installation without the manual still has its schemas
        for name in reading_order((folder / INDEX).read_text(encoding="utf-8")):
            pages[name] = (folder / f"{name}.md").read_text(encoding="utf-8")
    return taken_apart(pages, [schema("game"), schema("variant")])
