"""The translated phrases of the web pages."""

from __future__ import annotations

from lawspeaker.base.phrases import phrases


def words(language: str) -> dict[str, str]:
    """Returns all phrases of the pages in a language, by key."""
    return {key: text for key, text in phrases(language).items() if key.startswith("web.")}
