"""Loads the manual of the package and the schema descriptions of keys."""

from __future__ import annotations

from functools import lru_cache

from lawspeaker.editing.manual import Manual, taken_apart
from lawspeaker.outside.library import data_folder
from lawspeaker.outside.loading import schema

MANUAL = "language.md"


@lru_cache(maxsize=1)
def manual() -> Manual:
    """The parsed manual with descriptions of keys, cached."""
    try:
        text = data_folder("docs").joinpath(MANUAL).read_text(encoding="utf-8")
    except OSError:  # an installation without the manual still has its schemas
        text = ""
    return taken_apart(text, [schema("game"), schema("variant")])
