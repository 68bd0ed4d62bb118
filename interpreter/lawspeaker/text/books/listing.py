"""Annotations of a book that has no lock yet: sentences that are no rules, misread headings, other
terms.

A small file beside the rules, texts/SOURCE.yaml, lists them by fingerprint and reason. It is read
as long as it exists; writing a lock migrates all of it.

    lawspeaker: 1
    text: en
    no rules:
      flavour: [1f0c9a2b7d]      # colour, moods, advice
      legal: [77aa01c3de]
    other words:
      market.closed: [market]    # the book says it without that word

It never contains a sentence of the book.
"""

from __future__ import annotations

from lawspeaker.base.diagnostics import Diagnostics, Label
from lawspeaker.base.source import SourceFile, Span
from lawspeaker.text import document, schema
from lawspeaker.text.books.lock import Marks
from lawspeaker.text.document import Mapping, Scalar, Sequence, entries_of, items_of
from lawspeaker.text.schema import Schema


def list_name(source: str) -> str:
    """The name of such a file, beside the rules that declare the source."""
    return f"texts/{source}.yaml"


def read_listing(
    file: SourceFile, listing_schema: Schema, diagnostics: Diagnostics
) -> Marks | None:
    """Parses the marks in a file, and reports errors."""
    root = document.load(file, diagnostics)
    if root is None:
        return None
    before = len(diagnostics)
    schema.validate(root, listing_schema, diagnostics, "texts")
    if len(diagnostics) > before or not isinstance(root, Mapping):
        return None
    groups, headings = root.get("no rules"), root.get("misread headings")
    reasons: dict[str, str] = {}
    spans: dict[str, Span] = {}
    for reason, prints in entries_of(groups):
        for each in items_of(prints):
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
        key.value: value.value for key, value in entries_of(headings) if isinstance(value, Scalar)
    }
    others = root.get("other words")
    other_words = {
        key.value: tuple(each.value for each in listed.items if isinstance(each, Scalar))
        for key, listed in entries_of(others)
        if isinstance(listed, Sequence)
    }
    return Marks(reasons, misread, other_words)
