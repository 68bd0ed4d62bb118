"""Locates the translatable texts in a rule file, each under an address.

An address is the keys that lead to a text, as a translator would name it:

    title
    sources, second_edition, called
    sources, second_edition, box, age, note
    rules, turn, title
    rules, turn, says
    rules, turn, guards, enough, says
    names, heap
    changes, set most, because

A guard may be a bare sentence, and a change is identified by its action and target. Notes on
citations are under `note` of the citing entry, for all books together. So two texts can have one
address; they are distinguished by their contents.

`rewritten` visits all texts of a file once. A visitor that only reads returns its argument.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal, TypeAlias

from lawspeaker.base.braces import bare, without_forms
from lawspeaker.text.document import Mapping, Node, Scalar, Sequence, mapping_at

Address: TypeAlias = tuple[str, ...]
Visit: TypeAlias = Callable[[Address, Node], Node]
"""Maps a text at an address: a bare sentence, or a mapping by language."""

FileKind = Literal["game", "variant"]

ACTIONS = ("set", "replace", "amend", "add", "remove", "cite")
SHARED = "shared with"
TOLD = "told."
"""The prefix of ids of phrases for acts and events."""
CLAUSES = ("choices", "windows", "rules", "always")
_HEAD = ("title", "about")
_SENTENCES = ("chapter", "title", "says", "asks", "assumed", "because")
_LANGUAGE = re.compile(r"[a-z]{2}")
_BRACES = re.compile(r"\{[^{}|]*\}")


def kind_of(root: Mapping) -> FileKind:
    """Whether a rule file is of a game or of a variant."""
    return "variant" if root.get("variant") is not None else "game"


def name_of(root: Mapping) -> str:
    """The display name of some rules, by their entry file or variant file: GAME, or
    GAME+VARIANT."""
    keys = ("of", "variant") if kind_of(root) == "variant" else ("game",)
    found = (root.get(key) for key in keys)
    return "+".join(each.value for each in found if isinstance(each, Scalar))


def is_sign(address: Address) -> bool:
    """Whether a text is the sign of a symbol."""
    return address[-1] == "sign"


def is_phrase(address: Address) -> bool:
    """Whether a text is a phrase for an act. It may coincide with the name of a thing in one
    language only: `bets` as a noun and as a verb."""
    named = _named(address)
    return named is not None and named.startswith(TOLD)


def translated(address: Address, text: str) -> str:
    """The part of a text to translate: of a thing its bare name, and of a sentence no placeholder
    forms, since each language needs different ones."""
    named = _named(address)
    return without_forms(text if named is None or named.startswith(TOLD) else bare(text))


def _named(address: Address) -> str | None:
    """The id of which a text is the name, if it is one."""
    if address[0] == "changes" and address[-1] == "to":  # (changes, add names.told.bet, to)
        address = tuple(address[1].partition(" ")[2].split(".", 1))
    return address[1] if len(address) == 2 and address[0] == "names" else None


def may_be_same(address: Address) -> bool:
    """Whether an equal text declared `same` in a language applies to this one."""
    return not is_sign(address) and not is_phrase(address)


def rewritten(root: Mapping, visit: Visit) -> Mapping:
    """The tree with each text replaced by the result of `visit`."""
    variant = kind_of(root) == "variant"
    entries: list[tuple[Scalar, Node]] = []
    for key, node in root.entries:
        if key.value in _HEAD:
            node = visit((key.value,), node)
        elif key.value == "sources" and isinstance(node, Mapping):
            node = _each(node, (key.value,), visit, _source)
        elif variant and key.value == "called" and isinstance(node, Mapping):
            node = _each(node, (key.value,), visit, _name)
        elif variant and key.value == "changes" and isinstance(node, Sequence):
            node = Sequence(tuple(_change(each, visit) for each in node.items), node.span)
        elif not variant and key.value in _SECTIONS and isinstance(node, Mapping):
            node = _each(node, (key.value,), visit, _SECTIONS[key.value])
        entries.append((key, node))
    return Mapping(tuple(entries), root.span)


def _each(node: Mapping, at: Address, visit: Visit, inner: _Walk) -> Mapping:
    entries = tuple((key, inner(value, (*at, key.value), visit)) for key, value in node.entries)
    return Mapping(entries, node.span)


def _name(node: Node, at: Address, visit: Visit) -> Node:
    return visit(at, node)


def _clause(node: Node, at: Address, visit: Visit) -> Node:
    """Visits a clause, a choice, a piece or a kind: whatever has sentences and citations."""
    if not isinstance(node, Mapping):
        return node
    entries: list[tuple[Scalar, Node]] = []
    for key, value in node.entries:
        if key.value in _SENTENCES:
            value = visit((*at, key.value), value)
        elif key.value == "guards" and isinstance(value, Mapping):
            value = _each(value, (*at, "guards"), visit, _guard)
        elif key.value == "kinds" and isinstance(value, Mapping):
            value = _each(value, (*at, "kinds"), visit, _clause)
        elif key.value == "cites":
            value = _cites(value, at, visit)
        entries.append((key, value))
    return Mapping(tuple(entries), node.span)


def _guard(node: Node, at: Address, visit: Visit) -> Node:
    """Visits a guard, which is a bare sentence, or a mapping with citations."""
    long = isinstance(node, Mapping) and any(
        key.value in (*_SENTENCES, "cites") for key, _ in node.entries
    )
    if long:
        return _clause(node, at, visit)
    says = visit((*at, "says"), node)
    if isinstance(says, Scalar):
        return says
    return mapping_at({"says": says}, says)


def _cites(node: Node, at: Address, visit: Visit) -> Node:
    """Visits the notes on citations, in all their forms."""
    if isinstance(node, Sequence):
        return Sequence(tuple(_cites(each, at, visit) for each in node.items), node.span)
    if not isinstance(node, Mapping):
        return node
    entries = tuple(
        (key, visit((*at, "note"), value) if key.value == "note" else _cites(value, at, visit))
        for key, value in node.entries
    )
    return Mapping(entries, node.span)


def _source(node: Node, at: Address, visit: Visit) -> Node:
    """Visits a book: its name, its notes, and those on what it prints of the game."""
    if not isinstance(node, Mapping):
        return node
    entries: list[tuple[Scalar, Node]] = []
    for key, value in node.entries:
        if key.value in ("called", "note"):
            value = visit((*at, key.value), value)
        elif key.value == "box" and isinstance(value, Mapping):
            value = _each(value, (*at, key.value), visit, _clause)
        entries.append((key, value))
    return Mapping(tuple(entries), node.span)


def _symbol(node: Node, at: Address, visit: Visit) -> Node:
    """Visits a symbol, of which only the sign and what is written on it are texts."""
    if isinstance(node, Sequence):  # the face alone
        return _face(node, at, visit)
    if not isinstance(node, Mapping):
        return node
    entries: list[tuple[Scalar, Node]] = []
    for key, value in node.entries:
        if key.value in ("sign", "text"):
            value = visit((*at, key.value), value)
        elif key.value == "face" and isinstance(value, Sequence):
            value = _face(value, (*at, key.value), visit)
        entries.append((key, value))
    return Mapping(tuple(entries), node.span)


def _face(node: Sequence, at: Address, visit: Visit) -> Node:
    """Visits what is written on a card, by the number of its part; attributes alone are no text."""
    parts: list[Node] = []
    for number, part in enumerate(node.items, 1):
        if isinstance(part, Mapping):
            entries = tuple(
                (key, visit((*at, str(number), key.value), value) if _worded(key, value) else value)
                for key, value in part.entries
            )
            part = Mapping(entries, part.span)
        parts.append(part)
    return Sequence(tuple(parts), node.span)


def _worded(key: Scalar, value: Node) -> bool:
    return key.value == "write" and (
        not isinstance(value, Scalar) or bool(re.search(r"[^\W\d_]", _BRACES.sub("", value.value)))
    )


_Walk: TypeAlias = Callable[[Node, Address, Visit], Node]
_SECTIONS: dict[str, _Walk] = {
    **dict.fromkeys(("pieces", *CLAUSES), _clause),
    "names": _name,
    "symbols": _symbol,
}


def _change(node: Node, visit: Visit) -> Node:
    if not isinstance(node, Mapping):
        return node
    found = [(key.value, value) for key, value in node.entries if key.value in ACTIONS]
    if len(found) != 1 or not isinstance(found[0][1], Scalar):
        return node
    action, target = found[0][0], found[0][1].value
    at = ("changes", f"{action} {target}")
    changed = _clause(node, at, visit)
    assert isinstance(changed, Mapping)
    entries = tuple(
        (key, _value(value, target, (*at, "to"), visit) if key.value == "to" else value)
        for key, value in changed.entries
    )
    return Mapping(entries, node.span)


def _value(node: Node, target: str, at: Address, visit: Visit) -> Node:
    """Visits the value of a change: a text, something that has texts, or neither."""
    section, *words = target.split(".")
    last = words[-1] if words else ""
    if section == "names" and len(words) > 1 and _LANGUAGE.fullmatch(last):
        return node  # one language of a name alone
    if section == "names" and words:
        return visit(at, node)
    if section not in _SECTIONS or not words:
        return node
    if last in (*_SENTENCES, "sign", "text"):
        return visit(at, node)
    return _SECTIONS[section](node, at[:-1], visit)
