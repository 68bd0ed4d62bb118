"""Compares code of clauses by syntax tree, with guards split off.

Codes are equal if their trees are: comments, line ends and redundant brackets do not matter.
Guards are compared separately, so a rule that differs only in a guard differs only there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Any

from lawspeaker.base.cache import LruCache
from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import SourceFile, Span
from lawspeaker.text import parse
from lawspeaker.text import syntax as s
from lawspeaker.text.document import Scalar
from lawspeaker.text.rulebook import Entry, GuardChange

_COMMENT = re.compile(r"#[^\n]*")
_SPACE = re.compile(r"\s+")
WORDS = re.compile(r"[a-z_][a-z0-9_.]*")


@dataclass(frozen=True, slots=True)
class WrittenGuard:
    """A guard in code; `at` names its alternative."""

    name: str
    at: str
    condition: str


class CodeTree:
    """A piece of code; equality compares syntax trees."""

    __slots__ = ("bare", "start", "text")

    def __init__(self, start: str, text: str, bare: bool = False) -> None:
        self.start = start
        self.text = text
        self.bare = bare

    @property
    def tree(self) -> object:
        return bare_tree(self.start, self.text) if self.bare else tree(self.start, self.text)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, CodeTree) or self.bare != other.bare or self.start != other.start:
            return False
        return self.text == other.text or self.tree == other.tree

    def __hash__(self) -> int:
        return hash(self.start)

    def __repr__(self) -> str:
        return f"Code({self.text!r})"


_READING: dict[str, Callable[[Scalar, Diagnostics], object]] = {
    "rule": parse.rule,
    "value": parse.value,
    "header": parse.header,
    "offers": parse.offers,
}


@lru_cache(maxsize=4096)
def tree(start: str, text: str) -> Any:
    """Parses a text, with a cache; invalid code gives its words."""
    file = SourceFile("code", text)
    whole = Span(file, 0, len(text))
    code = Scalar(text, whole, whole, "literal")
    found = _READING[start](code, Diagnostics())
    return tuple(text.split()) if found is None else found


@lru_cache(maxsize=4096)
def bare_tree(start: str, text: str) -> Any:
    """The tree without guards."""
    return _bare(tree(start, text))


def _bare(node: Any) -> Any:
    if isinstance(node, s.Alternative):
        node = replace(node, guards=())
    elif isinstance(node, s.Ask):
        node = replace(node, common=())
    return node if isinstance(node, s.Expr) else s.WALKER.rebuilt(node, _bare)


def written_guards(entry: Entry) -> tuple[WrittenGuard, ...]:
    """The guards in a clause's code, in order; one under several alternatives is listed once."""
    found: list[WrittenGuard] = []
    for key in ("rule", "offers"):
        code = entry.get(key)
        if isinstance(code, Scalar):
            found += _KNOWN.get((key, code.value), partial(_guards_in, key, code))
    together: dict[tuple[str, str], WrittenGuard] = {}
    for each in found:
        first = together.setdefault((each.name, each.condition), each)
        if first is not each:
            together[each.name, each.condition] = replace(first, at=f"{first.at} {each.at}")
    return tuple(together.values())


_KNOWN = LruCache[tuple[WrittenGuard, ...]](4096)
"""Cache of guards by start symbol and text."""


def _guards_in(start: str, code: Scalar) -> tuple[WrittenGuard, ...]:
    """Parses code at its original position, to hit the parse cache."""
    return tuple(_guards(_READING[start](code, Diagnostics())))


def _guards(node: Any, at: str = "") -> Iterator[WrittenGuard]:
    if isinstance(node, s.Guard):
        yield WrittenGuard(node.name.text, at, one_line(node.condition.span.text))
    elif not isinstance(node, s.Expr):
        if isinstance(node, s.Alternative):
            at = "" if node.label is None else node.label.text
        for each in s.WALKER.children(node):
            yield from _guards(each, at)


def one_line(code: str) -> str:
    """Joins code without blocks into one line."""
    return _SPACE.sub(" ", _COMMENT.sub("", code)).strip()


def amended(condition: str, changes: tuple[GuardChange, ...]) -> str | None:
    """Applies variants' changes to a guard's condition; None if it was removed.

    The last replacement or removal overrides everything before; exceptions precede further
    demands.
    """
    found: str | None = condition
    last = max((at for at, one in enumerate(changes) if one.mode in ("where", "remove")), default=0)
    for change in sorted(changes[last:], key=lambda one: one.mode == "also"):
        code = None if change.code is None else one_line(change.code.value)
        if change.mode == "remove" or code is None:
            found = None
        elif change.mode == "where":
            found = code
        elif found is not None:
            word = "or" if change.mode == "unless" else "and"
            found = f"({found}) {word} ({code})"
    return found


def words_of(node: object) -> set[str]:
    """All words of a text or of plain data, including the parts of dotted names."""
    if isinstance(node, CodeTree):
        node = _COMMENT.sub("", node.text)
    if isinstance(node, str):
        found = set(WORDS.findall(node))
        return found | {part for word in found for part in word.split(".")}
    if isinstance(node, dict):
        return set().union(*(words_of(each) for pair in node.items() for each in pair))
    if isinstance(node, list | tuple):
        return set().union(*(words_of(each) for each in node))
    return set()
