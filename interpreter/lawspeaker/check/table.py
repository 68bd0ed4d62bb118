"""The layout of the table: what stands beside and below what, for any front end."""

from __future__ import annotations

from lawspeaker import ir
from lawspeaker.check.functions import Functions
from lawspeaker.check.values import text_of, whole_number
from lawspeaker.check.world import World
from lawspeaker.diagnostics import did_you_mean
from lawspeaker.document import Mapping, Node, Scalar, Sequence
from lawspeaker.types import PlaceType


def table(world: World, functions: Functions) -> ir.Show | None:
    node = world.book.table
    return _Table(world, functions).show(node) if node is not None else None


class _Table:
    def __init__(self, world: World, functions: Functions) -> None:
        self.world = world
        self.functions = functions
        self.diagnostics = world.diagnostics

    def show(self, node: Node) -> ir.Show | None:
        if not isinstance(node, Mapping):
            return None
        title = text_of(node.get("title")) or None
        for shape in ("across", "down"):
            inner = node.get(shape)
            if isinstance(inner, Sequence):
                parts = tuple(found for each in inner.items if (found := self.show(each)))
                return ir.Show(shape, title, parts)
        marker, score = node.get("marker"), node.get("score")
        if marker is not None:
            return self.marker(marker, title)
        if score is not None:
            return ir.Show("score", title)
        place = node.get("place")
        return self.place(node, place, title) if place is not None else None

    def marker(self, node: Node, title: str | None) -> ir.Show | None:
        name = text_of(node)
        index = self.world.marker_index.get(name)
        if index is None:
            self.unknown("marker", name, node, list(self.world.marker_index))
            return None
        return ir.Show("marker", title, marker=index)

    def unknown(self, what: str, name: str, node: Node, known: list[str]) -> None:
        self.diagnostics.error(
            f"unknown-{what}",
            f"there is no {what} `{name}`",
            node.span,
            hint=did_you_mean(name, known),
        )

    def place(self, node: Mapping, place: Node, title: str | None) -> ir.Show | None:
        name = text_of(place)
        family = self.world.family_types.get(name)
        if family is None:
            self.unknown("place", name, place, list(self.world.family_types))
            return None
        known = self.world.families[family.index]
        at = node.get("at")
        allowed: list[tuple[int, ...] | None] = []
        for column in known.indices:
            chosen = at.get(column.name) if isinstance(at, Mapping) else None
            allowed.append(self.allowed(chosen) if chosen is not None else None)
        if isinstance(at, Mapping):
            names = [column.name for column in known.indices]
            for key, _ in at.entries:
                if key.value not in names:
                    self.diagnostics.error(
                        "unknown-column",
                        f"`{name}` is not numbered by `{key.value}`",
                        key.span,
                        hint=did_you_mean(key.value, names),
                    )
        style = text_of(node.get("as")) or "pile"
        label = self.label(node.get("label"), family)
        return ir.Show("place", title, (), family.index, tuple(allowed), style, label)

    @staticmethod
    def allowed(node: Node) -> tuple[int, ...]:
        items = node.items if isinstance(node, Sequence) else (node,)
        return tuple(whole_number(each, 0) for each in items if isinstance(each, Scalar))

    def label(self, node: Node | None, family: PlaceType) -> int | None:
        """A value defined for places of this family, to be written on them."""
        if node is None:
            return None
        name = text_of(node)
        for signature in self.world.signatures.get(name, ()):
            if signature.types == (family,):
                self.functions.called.add(signature.function)
                return self.functions.number(signature)
        self.diagnostics.error(
            "unknown-name",
            f"there is no value `{name} of {family}`",
            node.span,
            hint=did_you_mean(name, self.world.signatures),
        )
        return None
