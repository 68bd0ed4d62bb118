"""Which sentences of a text are no rules, which of its headings were misread, where it has other
words than we.

A small file beside the rules lists them by their prints, under a word that says why:

    lawspeaker: 1
    text: en
    no rules:
      flavour: [1f0c9a2b7d]      # colour, moods, advice
      legal: [77aa01c3de]
    other words:
      market.closed: [market]    # the book says it without that word

It never holds a sentence of the book itself.
"""

from __future__ import annotations

from collections.abc import Mapping as MappingType
from dataclasses import dataclass, field
from typing import Any

from lawspeaker.base.diagnostics import Diagnostics, Label
from lawspeaker.base.source import SourceFile, Span
from lawspeaker.text import document, schema
from lawspeaker.text.document import Mapping, Scalar, Sequence

REASONS = {
    "flavour": "colour, moods and advice",
    "picture": "what is said of a picture",
    "example": "a worked example of rules that stand elsewhere",
    "heading": "a title, or words that only lead to what follows",
    "box": "what is in the box, and for whom",
    "table": "how things are handled on the table, with no effect on the game",
    "legal": "rights, addresses and the like",
}


@dataclass(frozen=True, slots=True)
class Listing:
    """`reasons` by print; `misread`: what a heading should be called, and what the text has;
    `other_words`: by rule, the things it is about that the book does not call as we do there."""

    source: str = ""
    reasons: MappingType[str, str] = field(default_factory=dict)
    spans: MappingType[str, Span] = field(default_factory=dict)
    misread: MappingType[str, str] = field(default_factory=dict)
    other_words: MappingType[str, tuple[str, ...]] = field(default_factory=dict)


def read_listing(
    file: SourceFile, listing_schema: MappingType[str, Any], diagnostics: Diagnostics
) -> Listing | None:
    """The listing in a file; what is wrong with it goes into the diagnostics."""
    root = document.load(file, diagnostics)
    if root is None:
        return None
    before = len(diagnostics)
    schema.validate(root, dict(listing_schema), diagnostics, "texts")
    if len(diagnostics) > before or not isinstance(root, Mapping):
        return None
    name, groups, headings = root.get("text"), root.get("no rules"), root.get("misread headings")
    reasons: dict[str, str] = {}
    spans: dict[str, Span] = {}
    for reason, prints in groups.entries if isinstance(groups, Mapping) else ():
        for each in prints.items if isinstance(prints, Sequence) else ():
            if not isinstance(each, Scalar):
                continue
            if each.value in reasons:
                diagnostics.error(
                    "duplicate-name",
                    f"{each.value} is listed twice",
                    each.span,
                    Label(spans[each.value], "listed here first"),
                )
            reasons.setdefault(each.value, reason.value)
            spans.setdefault(each.value, each.span)
    misread = {
        key.value: value.value
        for key, value in (headings.entries if isinstance(headings, Mapping) else ())
        if isinstance(value, Scalar)
    }
    others = root.get("other words")
    other_words = {
        key.value: tuple(each.value for each in listed.items if isinstance(each, Scalar))
        for key, listed in (others.entries if isinstance(others, Mapping) else ())
        if isinstance(listed, Sequence)
    }
    source = name.value if isinstance(name, Scalar) else ""
    return Listing(source, reasons, spans, misread, other_words)
