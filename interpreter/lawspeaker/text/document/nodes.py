"""The tree of a YAML file: scalars, mappings and sequences, each with its span.

Equality ignores spans and quoting. Values are kept as text; a plain scalar also has a kind. `plain`
converts to JSON values.
"""

from __future__ import annotations

from collections.abc import Mapping as AnyMapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from lawspeaker.base.light import light
from lawspeaker.base.source import Span

Style = Literal["plain", "single", "double", "literal", "folded"]
Kind = Literal["text", "number", "truth", "nothing"]


@light
@dataclass(frozen=True, slots=True)
class Scalar:
    """A single value. `content` is the span between the quotes, of the plain text, or of the lines
    of a block (from after the indentation of its first non-blank line to the end of the last). Code
    can be parsed in place there, unless it is `escaped`."""

    value: str
    span: Span = field(compare=False, repr=False)
    content: Span = field(compare=False, repr=False)
    style: Style = field(default="plain", compare=False)
    kind: Kind = "text"

    @property
    def escaped(self) -> bool:
        """Whether quotes or backslashes make the value differ from the source text."""
        raw = self.content.text
        return (self.style == "double" and "\\" in raw) or (self.style == "single" and "''" in raw)


@light
@dataclass(frozen=True, slots=True)
class Mapping:
    """A YAML mapping, as key-value pairs in order."""

    entries: tuple[tuple[Scalar, Node], ...]
    span: Span = field(compare=False, repr=False)
    _named: dict[str, tuple[Scalar, Node]] = field(
        default_factory=dict, init=False, compare=False, repr=False
    )
    """The entries by key; filled at the first lookup."""

    def _entry(self, key: str) -> tuple[Scalar, Node] | None:
        if not self._named:
            for entry in self.entries:
                self._named.setdefault(entry[0].value, entry)
        return self._named.get(key)

    def get(self, key: str) -> Node | None:
        found = self._entry(key)
        return None if found is None else found[1]

    def key(self, key: str) -> Scalar | None:
        """The key itself, for its span."""
        found = self._entry(key)
        return None if found is None else found[0]


@light
@dataclass(frozen=True, slots=True)
class Sequence:
    """A YAML sequence."""

    items: tuple[Node, ...]
    span: Span = field(compare=False, repr=False)


Node: TypeAlias = Scalar | Mapping | Sequence


def text_of(node: Node | None) -> str:
    """The text of a scalar; "" for any other node."""
    return node.value if isinstance(node, Scalar) else ""


def entries_of(node: Node | None) -> tuple[tuple[Scalar, Node], ...]:
    """The entries of a mapping; none for any other node."""
    return node.entries if isinstance(node, Mapping) else ()


def items_of(node: Node | None) -> tuple[Node, ...]:
    """The items of a sequence; none for any other node."""
    return node.items if isinstance(node, Sequence) else ()


def one_or_more(node: Node | None) -> tuple[Node, ...]:
    """The items of a sequence, or the only node where a list may be left out."""
    return () if node is None else node.items if isinstance(node, Sequence) else (node,)


def mapping_at(values: AnyMapping[str, Node], node: Node) -> Mapping:
    """A mapping that stands in no file, with the span of a node."""
    return Mapping(tuple((scalar_at(key, node), value) for key, value in values.items()), node.span)


def scalars_of(node: Node | None) -> tuple[Scalar, ...]:
    """The scalars of a sequence, or the only scalar where a list may be left out."""
    return tuple(each for each in one_or_more(node) if isinstance(each, Scalar))


def child(node: Node | None, key: str) -> Node | None:
    """The value of a key in a mapping; None for any other node."""
    return node.get(key) if isinstance(node, Mapping) else None


def scalar_at(text: str, node: Node) -> Scalar:
    """A scalar that stands in no file, with the span of a node."""
    return Scalar(text, node.span, node.span)


def size(node: Node) -> int:
    """The number of values, keys and collections in a node."""
    if isinstance(node, Mapping):
        return 1 + len(node.entries) + sum(size(value) for _, value in node.entries)
    return 1 + sum(map(size, node.items)) if isinstance(node, Sequence) else 1


def plain(node: Node) -> object:
    """The JSON value of a node. Keys are strings, even if they look like numbers."""
    if isinstance(node, Mapping):
        return {key.value: plain(value) for key, value in node.entries}
    if isinstance(node, Sequence):
        return [plain(item) for item in node.items]
    if node.kind == "number":
        return int(node.value)
    if node.kind == "truth":
        return node.value == "true"
    return None if node.kind == "nothing" else node.value
