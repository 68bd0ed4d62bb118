"""Attributes errors in the game's own files to the variant that caused them.

A variant can break a rule by changing something that the rule uses. The error is reported at the
rule, where nobody would look for the cause. So it gets labels for the changes that mention a name
in the message, or the clause it is in. If no change matches and only one variant is applied, the
label points to that variant.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from lawspeaker.base.diagnostics import Diagnostic, Label
from lawspeaker.meaning.variant import Change
from lawspeaker.text.rulebook import SECTIONS, Rulebook

MOST = 3
_NAME = re.compile(r"[a-z_][a-z0-9_.]*")
_QUOTED = re.compile(r"`([^`]*)`")


def blamed(book: Rulebook, found: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """The diagnostics, with labels for the responsible changes on errors in files of the game."""
    own = {variant.file for variant in book.variants}
    for each in found:
        places = (each.span, *(label.span for label in each.labels))
        if each.severity != "error" or any(span.file in own for span in places):
            yield each
        else:
            yield replace(each, labels=(*each.labels, *_behind(book, each)))


def _behind(book: Rulebook, found: Diagnostic) -> tuple[Label, ...]:
    said = _names(found)
    clause = _clause(book, found)
    changes = [
        change
        for variant in book.variants
        for change in variant.changes
        if change.action != "cite" and (change.target == clause or said & _about(change))
    ]
    labels = [Label(each.span, f"changed by {each.variant.name}") for each in changes[:MOST]]
    if not labels and found.code == "unknown-name":
        removed = (one for each in book.variants for one in each.changes if one.action == "remove")
        labels = [Label(each.span, f"taken out by {each.variant.name}") for each in removed][:MOST]
    if not labels and len(book.variants) == 1:
        labels = [Label(book.variants[0].span, "laid over the game")]
    return tuple(labels)


def _names(found: Diagnostic) -> set[str]:
    """The names that a diagnostic is about: in its span, and quoted in its message."""
    texts = (found.span.text, *_QUOTED.findall(found.message))
    return {name for text in texts for name in _NAME.findall(text)}


def _about(change: Change) -> set[str]:
    """The names that a change affects: its target; of a path, also its parts."""
    section, _, rest = change.target.partition(".")
    if section not in SECTIONS:
        return {change.target}
    return {change.target, rest, rest.split(".")[0], rest.rpartition(".")[2]}


def _clause(book: Rulebook, found: Diagnostic) -> str | None:
    """The id of the clause that contains a diagnostic."""
    for section in ("rules", "choices", "windows", "always"):
        for entry in book.section(section).values():
            inside = entry.body.span
            if inside.file == found.span.file and inside.start <= found.span.start < inside.end:
                return entry.id
    return None
