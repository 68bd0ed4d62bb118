"""Reads the citations of a variant's changes from its file.

A book may describe modules besides the game. Which of its sentences belong to a module is read
from the variant itself, whether or not it is part of the current ruleset.
"""

from __future__ import annotations

from collections.abc import Iterator

from lawspeaker.meaning.variant import Variant
from lawspeaker.study.compare.points import citations
from lawspeaker.study.sources.coverage import Reference
from lawspeaker.text.document import child, entries_of


def cited_by(variant: Variant) -> Iterator[Reference]:
    """The citations of all changes, and of the guards in them."""
    for change in variant.changes:
        for each in citations(change.get("cites")):
            yield Reference(change.target, each)
        guards = change.get("guards")
        for name, said in entries_of(guards):
            cites = child(said, "cites")
            for each in citations(cites):
                yield Reference(f"{change.target}.{name.value}", each)
