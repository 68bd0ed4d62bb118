"""Walking over a tree of frozen dataclasses: what is inside a node, and a node with other parts.

Which fields of a class hold nodes is read from its declaration, once for each class: a node, a node
or None, or tuples of them, however deep. So a new class of nodes is walked as soon as it is
declared, and one that keeps nodes in any other way is refused when the first of it is met. A field
declared `APART` is no part of the tree.

A node comes before what is inside it, and that in the order of the declaration.

What was found out about nodes is kept `ByNode`. A node that is visited is charged (`base.work`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from types import UnionType
from typing import Any, Generic, TypeVar, Union, get_args, get_origin, get_type_hints

from lawspeaker.base.work import charge

T = TypeVar("T")

APART = {"apart": True}
"""The metadata of a field with a node that is not walked."""


class Walker:
    """Walks over trees made of some classes of nodes, and of those derived from them."""

    def __init__(self, *nodes: type[Any]) -> None:
        self.nodes = nodes
        self._holding: dict[type, tuple[str, ...]] = {}

    def children(self, node: object) -> list[Any]:
        """The nodes directly inside a node, or in a tuple."""
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
        """A node, or the nodes in a tuple, and all that is inside; of None, nothing."""
        waiting = self.children((node,))
        waiting.reverse()
        while waiting:
            each = waiting.pop()
            yield each
            if inside := self.children(each):
                inside.reverse()
                waiting += inside

    def rebuilt(self, node: Any, change: Callable[[Any], Any]) -> Any:
        """A node, or a tuple, with each node directly inside it changed; itself, if all of them
        stay what they are."""
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
        """The fields of a class in which there are nodes; none, if it is no class of nodes."""
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
    """What is known of nodes, each by itself: two that say the same may stand in different places.

    A node is kept as long as what is known of it, so nothing else can come to be taken for it.
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
        """What is known of a node, or None."""
        known = self._known.get(id(node))
        return None if known is None else known[1]
