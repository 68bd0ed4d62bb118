"""Separates the grammatical forms of a name from the name itself.

    names:
      market: Markt | zu = zum Markt
      told.go: geht {work | zu}

Articles, cases and prepositions depend on the language, so the author of a name lists the forms
that sentences need, and chooses the labels. This pass runs after the variant overlay: afterwards
each name is its bare name, and its forms are in `Rulebook.forms`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from lawspeaker.base.braces import BAR, unpaired
from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import Span
from lawspeaker.text.document import Mapping, Node, Scalar
from lawspeaker.text.rulebook import Entry, Forms, Rulebook
from lawspeaker.text.translation.places import TOLD

_FORM = re.compile(r"(\w+)\s*=\s*(.*)", re.DOTALL)


def forms_apart(book: Rulebook, diagnostics: Diagnostics) -> Rulebook:
    """The rulebook with bare names, and their forms in `forms`."""
    names, forms = dict(book.section("names")), dict[str, Forms]()
    for id, entry in names.items():
        if id.startswith(TOLD) or not isinstance(entry.body, Mapping):
            continue
        own: Forms = {}
        texts = tuple(_bare(key, text, own, diagnostics) for key, text in entry.body.entries)
        if own:
            names[id] = Entry(id, entry.key, Mapping(texts, entry.body.span))
            forms[id] = own
    if not forms:
        return book
    return replace(book, sections={**book.sections, "names": names}, forms=forms)


def _bare(
    language: Scalar, text: Node, forms: Forms, diagnostics: Diagnostics
) -> tuple[Scalar, Node]:
    """A name without its forms, which are added to `forms`."""
    if not isinstance(text, Scalar) or "|" not in text.value or unpaired(text.value) is not None:
        return language, text
    bare, *more = _parts(text)
    if more:
        forms[language.value] = {}
    for part in more:
        found = _FORM.fullmatch(part.value)
        if found is None or not found[2]:
            diagnostics.error(
                "bad-value",
                "after a bar stands a form of the name: what it is called, and how it reads",
                part.span,
                hint="write `| to = to the market`, with your words",
            )
        elif found[1] in forms[language.value]:
            diagnostics.error("duplicate-name", f"the form `{found[1]}` is given twice", part.span)
        else:
            forms[language.value][found[1]] = replace(part, value=found[2])
    return language, bare


def _parts(text: Scalar) -> Iterator[Scalar]:
    """Splits a text at its bars, outside braces, into the name and its forms, with their spans."""
    values, written = BAR.split(text.value), BAR.split(text.content.text)
    at = text.content.start
    for number, value in enumerate(values):
        span = text.span
        if len(written) == len(values):
            raw = written[number]
            start = at + len(raw) - len(raw.lstrip())
            span = Span(span.file, start, start + len(raw.strip()))
            at += len(raw) + 1
        yield replace(text, value=value.strip(), span=span, content=span)
