"""Analyses some rules: compiles them as far as possible, with diagnostics and references.

During editing a text is broken most of the time. An analysis contains whatever could be derived;
features that need more, such as completion, use the last analysis that had a world.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property

from lawspeaker import ir
from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import SourceFile
from lawspeaker.editing.lexicon import Lexicon
from lawspeaker.editing.occurrences import Occurrences, in_rules
from lawspeaker.meaning import check
from lawspeaker.meaning.check.world import World
from lawspeaker.meaning.compile import Opened
from lawspeaker.text import document
from lawspeaker.text.document import Node
from lawspeaker.text.rulebook import Rulebook


@dataclass
class Analysis:
    """The result of an analysis.

    `files` are those that were read for it, besides the `locks` of books. `world` is None if the
    files could not be merged, `program` if the rules do not compile.
    """

    name: str
    files: tuple[SourceFile, ...]
    diagnostics: Diagnostics
    book: Rulebook | None = None
    world: World | None = None
    program: ir.Program | None = None
    roots: dict[str, Node] = field(default_factory=dict)
    locks: tuple[SourceFile, ...] = ()

    @cached_property
    def lexicon(self) -> Lexicon | None:
        return None if self.world is None else Lexicon(self.world)

    @cached_property
    def occurrences(self) -> Occurrences:
        if self.lexicon is None:
            return Occurrences()
        return in_rules(self.lexicon, self.roots.values(), self.locks)

    def file(self, name: str) -> SourceFile | None:
        return next((each for each in self.files if each.name == name), None)


def analysed(
    name: str,
    opened: Opened | None,
    files: tuple[SourceFile, ...],
    diagnostics: Diagnostics,
    locks: tuple[SourceFile, ...] = (),
) -> Analysis:
    """Analyses opened rules up to names and types."""
    book = None if opened is None else opened.laid(diagnostics)
    program, world = None, None
    if book is not None:
        program, world = check.understood(book, diagnostics)
    roots = {each.name: document.load(each, Diagnostics()) for each in files}
    known = {file: root for file, root in roots.items() if root is not None}
    return Analysis(name, files, diagnostics, book, world, program, known, locks)


def with_slow_checks(found: Analysis, meanwhile: Callable[[], None]) -> Analysis:
    """Completes an analysis with the checks for secrets and costs, the slowest ones.

    `meanwhile` is called now and then.
    """
    if found.program is None or found.book is None:
        return found
    further = copy(found)
    further.diagnostics = Diagnostics(found.diagnostics)
    further.program = check.with_costs_and_secrets(
        found.program, found.book, further.diagnostics, meanwhile=meanwhile
    )
    return further
