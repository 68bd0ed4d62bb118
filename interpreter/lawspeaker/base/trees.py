"""Generic traversal and rebuilding of trees of frozen dataclasses.

Which fields of a class hold child nodes is derived from its type hints, once per class: a node, a
node or None, or nested tuples of nodes. So a new node class can be walked as soon as it is
declared; one that holds nodes in any other way raises TypeError at the first visit. A field with
the metadata `APART` is not walked.

Traversal is pre-order, children in declaration order.

`ByNode` maps nodes, by identity, to what is known of them. Each visited node is charged to the work
budget (`base.work`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from types import UnionType
from typing import Any, Generic, TypeVar, Union, get_args, get_origin, get_type_hints

from lawspeaker.base.work import charge

T = TypeVar("T")

APART = {"apart": True}
"""The metadata of a field whose nodes are not walked."""


class Walker:
    """Walks trees made of the given node classes and their subclasses."""

    def __init__(self, *nodes: type[Any]) -> None:
        self.nodes = nodes
        self._holding: dict[type, tuple[str, ...]] = {}

    def children(self, node: object) -> list[Any]:
        """The direct child nodes of a node, or the nodes in a tuple."""
        charge()
        found: list[Any] = []
        names = self._holding.get(type(node))
        if names is None:
            if isinstance(node, tuple):
                self._gather(node, found)
                return found
            names = self.holding(type(node))
        for name in names:
            part = getattr(node, name)
            if part is None:
                continue
            if isinstance(part, tuple):
                self._gather(part, found)
            else:
                found.append(part)
        return found

    def _gather(self, several: tuple[object, ...], found: list[Any]) -> None:
        for each in several:
            if isinstance(each, self.nodes):
                found.append(each)
            elif isinstance(each, tuple):
                self._gather(each, found)

    def everything(self, node: object) -> Iterator[Any]:
        """A node, or the nodes in a tuple, with all descendants in pre-order; of None, nothing."""
        holding, gather = self._holding, self._gather
        waiting = self.children((node,))
        waiting.reverse()
        while waiting:
            each = waiting.pop()
            yield each
            charge()
            names = holding.get(type(each))
            if names is None:
                names = self.holding(type(each))
            if not names:
                continue
            inside: list[Any] = []
            for name in names:
                part = getattr(each, name)
                if isinstance(part, tuple):
                    gather(part, inside)
                elif part is not None:
                    inside.append(part)
            inside.reverse()
            waiting += inside

    def rebuilt(self, node: Any, change: Callable[[Any], Any]) -> Any:
        """A node, or a tuple, with `change` applied to each direct child. Returns the same object
        if no child changes."""
        charge()
        if isinstance(node, tuple):
            return self._changed(node, change)
        changes = {}
        for name in self.holding(type(node)):
            part = getattr(node, name)
            changed = self._changed(part, change)
            if changed is not part:
                changes[name] = changed
        return replace(node, **changes) if changes else node

    def _changed(self, part: Any, change: Callable[[Any], Any]) -> Any:
        if isinstance(part, tuple):
            changed = tuple([self._changed(each, change) for each in part])
            same = all(one is other for one, other in zip(changed, part, strict=True))
            return part if same else changed
        return change(part) if isinstance(part, self.nodes) else part

    def holding(self, kind: type) -> tuple[str, ...]:
        """The names of the fields that hold child nodes; empty if `kind` is no node class."""
        found = self._holding.get(kind)
        if found is None:
            found = self._holding[kind] = self._fields(kind)
        return found

    def _fields(self, kind: type[Any]) -> tuple[str, ...]:
        if not issubclass(kind, self.nodes):
            return ()
        hints = get_type_hints(kind)
        walked = [each.name for each in fields(kind) if not each.metadata.get("apart")]
        return tuple(name for name in walked if self._holds(hints[name], f"{kind}.{name}"))

    def _holds(self, hint: Any, what: str) -> bool:
        if isinstance(hint, type):
            return issubclass(hint, self.nodes)
        found = any(self._holds(each, what) for each in get_args(hint))
        if found and get_origin(hint) not in (tuple, Union, UnionType):
            raise TypeError(f"{what} holds nodes in a {hint}, where nobody would find them")
        return found


class ByNode(Generic[T]):
    """A map keyed by node identity: two equal nodes at different places are different keys.

    It keeps a reference to each node, so that its `id` cannot be reused.
    """

    def __init__(self) -> None:
        self._known: dict[int, tuple[object, T]] = {}

    def __contains__(self, node: object) -> bool:
        return id(node) in self._known

    def __getitem__(self, node: object) -> T:
        return self._known[id(node)][1]

    def __setitem__(self, node: object, found: T) -> None:
        self._known[id(node)] = (node, found)

    def __delitem__(self, node: object) -> None:
        del self._known[id(node)]

    def get(self, node: object) -> T | None:
        """The value for a node, or None."""
        known = self._known.get(id(node))
        return None if known is None else known[1]
