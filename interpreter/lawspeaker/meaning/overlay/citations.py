"""Keeps citations true: which book states a rule after a variant has changed it.

Citations in variants are resolved first, which needs the books of the game and of all variants that
are applied with them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.meaning.overlay.trees import with_value
from lawspeaker.meaning.variant import Change, Variant
from lawspeaker.text.books.citing import CitableBooks, Citing
from lawspeaker.text.document import (
    Mapping,
    Node,
    Scalar,
    Sequence,
    child,
    entries_of,
    mapping_at,
    one_or_more,
    scalar_at,
)
from lawspeaker.text.rulebook import Rulebook, sources_of

_OTHERWISE = {"states": "says_otherwise", "implies": "says_otherwise", "our_ruling": "silent"}


def in_full(variants: Iterable[Variant], book: Rulebook, diagnostics: Diagnostics) -> list[Variant]:
    """Resolves the citations of variants. Where no book is named, a variant that declares books
    means its own, and otherwise the game's."""
    variants = list(variants)
    locks = {name: lock for each in variants for name, lock in each.locks.items()} | book.locks
    found = []
    for variant in variants:
        own = sources_of(variant.root) or sources_of(book.head)
        citing = Citing(CitableBooks(own, locks), diagnostics)
        told = replace(variant, root=citing.head(variant.root))
        told.changes = tuple(
            replace(each, variant=told, node=_change_in_full(each.node, each.target, citing))
            for each in variant.changes
        )
        found.append(told)
    return found


def _change_in_full(node: Mapping, target: str, citing: Citing) -> Mapping:
    changed = citing.body(node)
    to = node.get("to")
    assert isinstance(changed, Mapping)
    if to is None:
        return changed
    value = citing.cites(to) if target.endswith(".cites") else citing.body(to)
    return changed if value is to else with_value(changed, ("to",), value)


def cited(old: Node | None, new: Mapping) -> Mapping:
    """Merges citations: those of a variant replace the existing ones from the same books."""
    entries = entries_of(old)
    own = {key.value for key, _ in new.entries}
    kept = tuple(pair for pair in entries if pair[0].value not in own)
    return Mapping((*kept, *new.entries), new.span)


def joined(old: Node | None, new: Mapping) -> Mapping:
    """Merges citations with those of an amendment. For a book cited by both, the rule and its
    exception are both kept."""
    entries = entries_of(old)
    own = {key.value: said for key, said in new.entries}
    kept = tuple(
        (key, _both(said, own.pop(key.value)) if key.value in own else said)
        for key, said in entries
    )
    more = tuple(pair for pair in new.entries if pair[0].value in own)
    return Mapping((*kept, *more), new.span)


def _both(old: Node, new: Node) -> Sequence:
    first, second = ([_in_full(each) for each in one_or_more(said)] for said in (old, new))
    return Sequence((*first, *(each for each in second if each not in first)), new.span)


def _in_full(said: Node) -> Node:
    """Wraps a citation that is a bare section, so that it can be combined with others."""
    if isinstance(said, Scalar):
        return mapping_at({"section": said}, said)
    return said


def otherwise(said: Node) -> Node:
    """A citation after its rule was changed: the book now differs, or is silent."""
    if isinstance(said, Sequence):
        return Sequence(tuple(otherwise(each) for each in said.items), said.span)
    said = _in_full(said)
    assert isinstance(said, Mapping)
    stance = said.get("stance")
    old = stance.value if isinstance(stance, Scalar) else "states"
    return with_value(said, ("stance",), scalar_at(_OTHERWISE.get(old, old), said))


def also_cited(node: Node, name: Scalar, original: Scalar) -> Node:
    """The node with every citation of the original repeated for its reprint."""
    if not isinstance(node, Mapping):
        return node
    entries: list[tuple[Scalar, Node]] = []
    for key, value in node.entries:
        if key.value == "guards" and isinstance(value, Mapping):
            guards = tuple((each, also_cited(said, name, original)) for each, said in value.entries)
            value = Mapping(guards, value.span)
        found = child(value, original.value)
        if key.value == "cites" and isinstance(value, Mapping) and found is not None:
            value = Mapping((*value.entries, (name, found)), value.span)
        entries.append((key, value))
    return Mapping(tuple(entries), node.span)


def amended(old: Node, around: Node | None, change: Change) -> Mapping:
    """The entry of an amended guard, with its new sentence and citations. A guard without citations
    has those of its clause (`around`)."""
    said = as_guard(old)
    cites, says, new = said.get("cites"), change.get("says"), change.get("cites")
    if cites is None and new is None:
        cites = around
    own = {key.value for key, _ in entries_of(new)}
    if isinstance(cites, Mapping):
        changed = tuple(
            (source, each if source.value in own else otherwise(each))
            for source, each in cites.entries
        )
        cites = Mapping(changed, cites.span)
        said = with_value(said, ("cites",), cites)
    if says is not None:
        said = with_value(said, ("says",), says)
    if isinstance(new, Mapping):
        said = with_value(said, ("cites",), joined(cites, new))
    return said


def as_guard(said: Node) -> Mapping:
    """Normalises an entry under `guards:`, which may be a bare sentence."""
    if isinstance(said, Mapping):
        return said
    return mapping_at({"says": said}, said)


def uncited(said: Mapping) -> Mapping:
    """A guard with explicitly no citations, so that it does not inherit those of its clause."""
    return with_value(said, ("cites",), Mapping((), said.span))
