"""The inverse of `citing`: shortens full citations, and moves agreements into locks.

A fingerprint becomes the number of its sentence, if the lock has it under that section; the only
possible book and the default stance `states` are omitted. A citation of which only the section
remains becomes a reference. What an edition has under `agrees` moves into the lock of its book.

A file is edited in place: only the values of `cites` are rewritten, so that everything else stays,
comments included. Citations with comments among them are left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from collections.abc import Mapping as MappingType
from typing import TypeAlias

from lawspeaker.base.source import SourceFile
from lawspeaker.text.books.citing import NEED_A_SENTENCE, CitableBooks, citations, cites_in
from lawspeaker.text.books.lock import Agreement, Lock
from lawspeaker.text.books.reference import BadReference, Reference, named, reference
from lawspeaker.text.document import Mapping, Node, Scalar, Sequence, entries_of, text_of
from lawspeaker.text.format.scalars import worded

_COMMENT = re.compile(r"(?:^|\s)#")
_Written: TypeAlias = str


def shortened(file: SourceFile, root: Mapping, shelf: CitableBooks) -> str:
    """The text of a rule file with its citations shortened."""
    edits = [(each.span.start, each.span.end, _cites(each, shelf)) for _, each in cites_in(root)]
    return _edited(file, [edit for edit in edits if edit[2] is not None])


def in_short(node: Node, shelf: CitableBooks) -> str | None:
    """The value of a `cites`, shortened on one line; None if it contains a comment."""
    return _cites(node, shelf)


def without_agreements(file: SourceFile, root: Mapping) -> str:
    """The text of a variant without `agrees`."""
    key, node = root.key("agrees"), root.get("agrees")
    if key is None or node is None:
        return file.text
    return _edited(file, [(key.span.start, node.span.end, "")])


def agreements(
    root: Mapping, locks: MappingType[str, Lock]
) -> dict[str, tuple[Agreement, ...]] | None:
    """The `agrees` of a variant, by source; None if a lock does not have a sentence."""
    variant = text_of(root.get("variant"))
    found: dict[str, tuple[Agreement, ...]] = {}
    for source, sections in entries_of(root.get("agrees")):
        for section, rules in entries_of(sections):
            for rule, prints in entries_of(rules):
                lock = locks.get(source.value)
                marks = tuple(text_of(prints).split())
                numbers = None if lock is None else lock.numbers(section.value, marks)
                if numbers is None:
                    return None
                agreed = Agreement(variant, rule.value, Reference(section.value, numbers))
                found[source.value] = (*found.get(source.value, ()), agreed)
    return found


def _edited(file: SourceFile, edits: list[tuple[int, int, str | None]]) -> str:
    text = file.text
    for start, end, new in sorted(edits, reverse=True):
        text = text[:start] + (new or "") + text[end:]
    return text


def _cites(node: Node, shelf: CitableBooks) -> _Written | None:
    """The value of a `cites`, shortened; None if it is left alone."""
    if _COMMENT.search(node.span.text):
        return None
    books: dict[str, list[_Written]] = {}
    for source, each in citations(node):
        book = source or "".join(shelf.own)
        books.setdefault(book, []).append(_citation(each, shelf.locks.get(book)))
    told = {book: each[0] if len(each) == 1 else _list(each) for book, each in books.items()}
    if tuple(told) == shelf.own:
        return told[shelf.own[0]]
    return _braces(told.items()) if told else None


def _citation(node: Node, lock: Lock | None) -> _Written:
    if isinstance(node, Scalar):
        return worded(node.value)
    said = dict(_said(node))
    section, stance = text_of(said.get("section")), text_of(said.get("stance")) or "states"
    prints = tuple(text_of(said.get("print")).split())
    numbers = None if lock is None else lock.numbers(section, prints)
    parts: dict[str, _Written] = {}
    if "section" in said:
        parts["section"] = worded(section)
    if stance != "states":
        parts["stance"] = stance
    if "note" in said:
        parts["note"] = _flow(said["note"])
    if prints and (lock is None or numbers is None or not _alone(section)):
        parts["print"] = worded(" ".join(prints))
    elif prints and lock is not None and numbers:
        only = len(lock.under(section)) == 1 and stance in NEED_A_SENTENCE
        parts["section"] = worded(section if only else named(section, numbers))
    return parts["section"] if tuple(parts) == ("section",) else _braces(parts.items())


def _alone(section: str) -> bool:
    """Whether a heading would not be parsed as one with numbers."""
    try:
        return not reference(section).numbers
    except BadReference:
        return False


def _said(node: Node) -> Iterator[tuple[str, Node]]:
    return ((key.value, value) for key, value in entries_of(node))


# ---------------------------------------------------------------- flow style


def _flow(node: Node) -> _Written:
    """A node in flow style on one line."""
    if isinstance(node, Mapping):
        return _braces((key.value, _flow(value)) for key, value in node.entries)
    if isinstance(node, Sequence):
        return _list([_flow(each) for each in node.items])
    return worded(node.value)


def _braces(pairs: Iterable[tuple[str, _Written]]) -> _Written:
    return "{" + ", ".join(f"{key}: {value}" for key, value in pairs) + "}"


def _list(items: list[_Written]) -> _Written:
    return f"[{', '.join(items)}]"
