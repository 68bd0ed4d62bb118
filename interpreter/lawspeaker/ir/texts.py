"""Sentences, sources and citations of clauses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

Texts = Mapping[str, str]
"""A text by language code."""


@dataclass(frozen=True, slots=True)
class Source:
    """A book. `called` is the common name of the edition; `words` are the book's own words for
    things of the game, by their ids; `note` is a remark on it."""

    id: str
    title: str
    language: str
    details: Mapping[str, str]
    called: Texts = field(default_factory=dict)
    words: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    note: Texts = field(default_factory=dict)


def in_language(texts: Texts, language: str, otherwise: str = "") -> str:
    """The text in a language, or else in the first that it has; `otherwise` if it has none."""
    return texts.get(language) or next(iter(texts.values()), otherwise)


RULING = "our_ruling"
"""The stance of a rule that no source settles."""


@dataclass(frozen=True, slots=True)
class Citation:
    """A reference to a section of a source, with its stance; `note` is a remark on it."""

    source: str
    section: str
    stance: str
    note: Texts = field(default_factory=dict, hash=False)
    print: str | None = None

    def note_in(self, language: str) -> str:
        return in_language(self.note, language)


HOUSE_RULE = "house rule"
"""The layer of variants that a table has agreed on."""


@dataclass(frozen=True, slots=True)
class VariantNote:
    """A variant that was applied to the game."""

    name: str
    layer: str
    title: Texts
    about: Texts


@dataclass(frozen=True, slots=True)
class ChangeNote:
    """A change by a variant: to what, how, why, and the kind of difference.

    `target` is the id of a clause or guard (`sending.reaches_land`), or the path of a value.
    """

    variant: str
    action: str
    target: str
    kind: str
    because: Texts
    cites: tuple[Citation, ...]
