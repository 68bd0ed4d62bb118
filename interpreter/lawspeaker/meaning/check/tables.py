"""Reads indexed values: their index types, and the values written for each entry.

`of each: player` and `with each: faction` declare the indices of a marker, and the words by which
an entry is accessed: `influence of ann with guelfs`. For an attribute, `of` is the thing that has
it. A single value applies to all entries; a table lists some, as in `{white: 2, green: 1}`, nested
if there are two indices.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from math import prod

from lawspeaker import ir
from lawspeaker.base.diagnostics import Diagnostics, did_you_mean
from lawspeaker.base.source import Span
from lawspeaker.meaning.check.values import constant, listed
from lawspeaker.meaning.check.world import World
from lawspeaker.text.document import Mapping, Node, Scalar, child

WORDS = ("of", "in", "on", "at", "with")
"""The words that introduce an index, in the order of indices."""
MOST_ENTRIES = 100_000


class Tables:
    """Reads indices and tables; `type` parses a type."""

    def __init__(
        self, world: World, diagnostics: Diagnostics, type: Callable[[Node | None, str], ir.Type]
    ) -> None:
        self.world = world
        self.diagnostics = diagnostics
        self.type = type
        self.entries = 0
        self._options: dict[ir.Type, dict[str, int]] = {}

    # ------------------------------------------------------------ indices

    def indices(self, body: Node | None, places: bool = True) -> tuple[ir.Index, ...]:
        found: list[ir.Index] = []
        for word in WORDS:
            node = child(body, f"{word} each")
            if node is None:
                continue
            type = self.type(node, "number")
            if not self.tells_apart(type, places):
                self.diagnostics.error(
                    "wrong-type",
                    f"values cannot be told apart by {self.world.a(type)}",
                    node.span,
                    hint="use a set of words, a range of numbers"
                    + (", `player` or places" if places else " or `player`"),
                )
                type = ir.BROKEN
            ranged = isinstance(node, Scalar) and ".." in node.value
            written = node.value if isinstance(node, Scalar) and not ranged else "number"
            found.append(ir.Index(word, written, type))
        return tuple(found)

    @staticmethod
    def tells_apart(type: ir.Type, places: bool) -> bool:
        if isinstance(type, ir.PlaceType):
            return places
        return (
            isinstance(type, ir.WordType | ir.KindType)
            or type in (ir.PLAYER, ir.BROKEN)
            or _is_range(type)
        )

    def size(self, type: ir.Type) -> int:
        """The number of things of a type, at the greatest number of players."""
        match type:
            case ir.NumberType(low=low, high=high):
                return high - low + 1
            case ir.WordType(index=index):
                return len(self.world.word_sets[index].words)
            case ir.KindType(index=index):
                return len(self.world.kind_names(index))
            case ir.PlaceType(index=index) if index < len(self.world.families):
                family = self.world.families[index]
                return prod(self.size(each.type) for each in family.indices)
            case _:
                return self.world.counts[-1] if type == ir.PLAYER else 1

    def few(self, name: str, indices: tuple[ir.Index, ...], things: int, span: Span) -> bool:
        """Counts entries; reports an error beyond `MOST_ENTRIES`."""
        if self.entries <= MOST_ENTRIES:
            self.entries += things * prod(self.size(each.type) for each in indices)
            if self.entries > MOST_ENTRIES:
                self.diagnostics.error(
                    "too-large",
                    f"with `{name}` there are {self.entries:,} values of pieces and markers; at "
                    f"most {MOST_ENTRIES:,} are possible",
                    span,
                )
        return self.entries <= MOST_ENTRIES

    # ------------------------------------------------------------ entries

    def row(
        self,
        node: Node | None,
        column: ir.Column,
        span: Span,
        read: Callable[[Node, list[int]], ir.Constant],
    ) -> tuple[ir.Constant, ...]:
        """All entries of an attribute of one thing. `read` converts a value, given the entries it
        is for."""
        if not self.few(column.name, column.indices, 1, span):
            return ()
        every = product(*(self.domain(each.type) for each in column.indices))
        number = {indices: at for at, indices in enumerate(every)}
        values = [constant(self.world, None, column.type)] * len(number)
        for written, indices in () if node is None else self.given(node, column.indices):
            numbers = [number[each] for each in indices]
            value = read(written, numbers)
            for at in numbers:
                values[at] = value
        return tuple(values)

    def starts(
        self,
        node: Node | None,
        indices: tuple[ir.Index, ...],
        type: ir.Type,
        otherwise: ir.Constant,
    ) -> tuple[tuple[tuple[int, ...], ir.Constant], ...]:
        """The entries of a table whose value differs from the default."""
        found: list[tuple[tuple[int, ...], ir.Constant]] = []
        if isinstance(node, Mapping) and indices and self.entries <= MOST_ENTRIES:
            for written, some in self.given(node, indices):
                value = constant(self.world, written, type)
                found += [(each, value) for each in some if value != otherwise]
        return tuple(found)

    def given(
        self, node: Node, indices: tuple[ir.Index, ...]
    ) -> Iterator[tuple[Node, list[tuple[int, ...]]]]:
        """The values written in a table, each with the index tuples it is for."""
        if not isinstance(node, Mapping) or not indices:
            yield node, list(product(*(self.domain(each.type) for each in indices)))
            return
        for key, inner in node.entries:
            first = self.named(key, indices[0])
            for written, some in self.given(inner, indices[1:]):
                yield written, [] if first is None else [(first, *rest) for rest in some]

    def named(self, key: Scalar, index: ir.Index) -> int | None:
        """The index value for a key of a table; reports an unknown one."""
        options = self.options(index.type)
        if key.value in options or index.type == ir.BROKEN:
            return options.get(key.value)
        known = list(options)
        hint = did_you_mean(key.value, known) or listed(known)
        if isinstance(index.type, ir.PlaceType):
            hint = "what is told apart by places has one value for all of them at the start"
        self.diagnostics.error(
            "bad-value", f"`{key.value}` is not {self.world.a(index.type)}", key.span, hint=hint
        )
        return None

    def options(self, type: ir.Type) -> dict[str, int]:
        """The index values of a type, by their texts."""
        if type not in self._options:
            known = {self.text(type, each): each for each in self.domain(type)}
            self._options[type] = known
        return self._options[type]

    def domain(self, type: ir.Type) -> range:
        """The index values of a type; empty for places, which are not numbered yet."""
        if isinstance(type, ir.NumberType):
            return range(type.low, type.high + 1)
        return range(0 if isinstance(type, ir.PlaceType) else self.size(type))

    def text(self, type: ir.Type, value: int) -> str:
        if isinstance(type, ir.WordType):
            return self.world.word_sets[type.index].words[value]
        if isinstance(type, ir.KindType):
            return self.world.kind_names(type.index)[value]
        return self.world.player_names[value] if type == ir.PLAYER else str(value)


def _is_range(type: ir.Type) -> bool:
    return isinstance(type, ir.NumberType) and type != ir.NUMBER
