"""Reads a file of scripted random outcomes, keeping the position of each entry.

    deck: [queen, jack, ...]
    roll: [6, 1, 3]

`match/scripted_chance` defines the meaning of the lists.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from lawspeaker.base.diagnostics import Diagnostic, Diagnostics
from lawspeaker.base.source import NOWHERE, SourceFile
from lawspeaker.match.scripted_chance import ImpossibleLuck
from lawspeaker.outside.library import Library, LibraryError
from lawspeaker.text import document
from lawspeaker.text.document import Mapping, Node, Scalar, Sequence, items_of

IMPOSSIBLE = "impossible-luck"
FORM = "by a place or a clause it has a list, such as `deck: [queen, jack]`"


@dataclass(frozen=True, slots=True)
class ChanceFile:
    """Scripted outcomes: the lists by their keys."""

    lists: dict[str, tuple[Scalar, ...]]
    node: Mapping

    @property
    def told(self) -> dict[str, list[str | bool]]:
        return {key: [*map(_told, entries)] for key, entries in self.lists.items()}

    def diagnostic(self, impossible: ImpossibleLuck) -> Diagnostic:
        """Converts an impossible outcome into a diagnostic at the entry that caused it."""
        at: Scalar | None = self.node.key(impossible.key)
        if impossible.entry is not None:
            at = self.lists[impossible.key][impossible.entry]
        span = self.node.span if at is None else at.span
        return Diagnostic(IMPOSSIBLE, impossible.message, span, hint=impossible.hint or None)


def read_chance_file(path: Path, diagnostics: Diagnostics) -> ChanceFile | None:
    """Reads such a file; reports errors into the diagnostics."""
    library = Library()
    try:
        text = library.read(path)
    except LibraryError as error:
        diagnostics.error("not-found", str(error), NOWHERE)
        return None
    root = document.load(SourceFile(library.display(path), text), diagnostics)
    if root is None:
        return None
    if not isinstance(root, Mapping):
        diagnostics.error(
            IMPOSSIBLE, "this file does not tell what luck brings", root.span, hint=FORM
        )
        return None
    lists = {}
    for key, node in root.entries:
        entries = _entries(node)
        if entries is None:
            message = f"`{key.value}` needs a list of what comes, in order"
            diagnostics.error(IMPOSSIBLE, message, node.span, hint=FORM)
        else:
            lists[key.value] = entries
    return None if diagnostics.has_errors else ChanceFile(lists, root)


def _told(entry: Scalar) -> str | bool:
    return entry.value == "true" if entry.kind == "truth" else entry.value


def _entries(node: Node) -> tuple[Scalar, ...] | None:
    items = items_of(node)
    entries = tuple(item for item in items if isinstance(item, Scalar))
    return entries if isinstance(node, Sequence) and len(entries) == len(items) else None
