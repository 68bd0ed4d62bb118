"""The words of the pages."""

from __future__ import annotations

from lawspeaker.base.phrases import phrases


def words(language: str) -> dict[str, str]:
    """All phrases of the pages in a language, by their names."""
    return {key: text for key, text in phrases(language).items() if key.startswith("web.")}
