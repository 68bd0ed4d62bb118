"""Values told apart by indices: by what, and what is written for each of them.

`of each: player` and `with each: faction` say what the values of a marker are told apart by, and
with which words one of them is meant: `influence of ann with guelfs`. Of an attribute `of` says
already whose it is. One value that is written holds for all; a table names some of them, as in
`{white: 2, green: 1}`, one table within the other where there are two indices.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from math import prod

from lawspeaker import ir
from lawspeaker.base.diagnostics import Diagnostics, did_you_mean
from lawspeaker.base.source import Span
from lawspeaker.ir.types import (
    BROKEN,
    NUMBER,
    PLAYER,
    KindType,
    NumberType,
    PlaceType,
    Type,
    WordType,
)
from lawspeaker.meaning.check.values import constant, listed
from lawspeaker.meaning.check.world import World
from lawspeaker.text.document import Mapping, Node, Scalar

WORDS = ("of", "in", "on", "at", "with")
"""The words with which an index is said, in the order in which indices are counted."""
MOST_ENTRIES = 100_000


class Tables:
    """Reads indices and tables; `type` reads a type as it is written."""

    def __init__(
        self, world: World, diagnostics: Diagnostics, type: Callable[[Node | None, str], Type]
    ) -> None:
        self.world = world
        self.diagnostics = diagnostics
        self.type = type
        self.entries = 0
        self._options: dict[Type, dict[str, int]] = {}

    # ------------------------------------------------------------ told apart by what

    def indices(self, body: Node | None, places: bool = True) -> tuple[ir.Index, ...]:
        found: list[ir.Index] = []
        for word in WORDS:
            node = body.get(f"{word} each") if isinstance(body, Mapping) else None
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
                type = BROKEN
            ranged = isinstance(node, Scalar) and ".." in node.value
            written = node.value if isinstance(node, Scalar) and not ranged else "number"
            found.append(ir.Index(word, written, type))
        return tuple(found)

    @staticmethod
    def tells_apart(type: Type, places: bool) -> bool:
        if isinstance(type, PlaceType):
            return places
        return isinstance(type, WordType | KindType) or type in (PLAYER, BROKEN) or _is_range(type)

    def size(self, type: Type) -> int:
        """How many things of a type there are, with the most players."""
        match type:
            case NumberType(low=low, high=high):
                return high - low + 1
            case WordType(index=index):
                return len(self.world.word_sets[index].words)
            case KindType(index=index):
                return len(self.world.kind_names(index))
            case PlaceType(index=index) if index < len(self.world.families):
                family = self.world.families[index]
                return prod(self.size(each.type) for each in family.indices)
            case _:
                return self.world.counts[-1] if type == PLAYER else 1

    def few(self, name: str, indices: tuple[ir.Index, ...], things: int, span: Span) -> bool:
        """Counts the values of something; complains if they are too many to be looked at."""
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

    # ------------------------------------------------------------ what is written for each

    def row(
        self,
        node: Node | None,
        column: ir.Column,
        span: Span,
        read: Callable[[Node, list[int]], ir.Constant],
    ) -> tuple[ir.Constant, ...]:
        """All values of an attribute, for one thing that has it. `read` reads what is written for
        some of them, which it is given by their numbers."""
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
        self, node: Node | None, indices: tuple[ir.Index, ...], type: Type, otherwise: ir.Constant
    ) -> tuple[tuple[tuple[int, ...], ir.Constant], ...]:
        """Those values in a table that are not the same as all others."""
        found: list[tuple[tuple[int, ...], ir.Constant]] = []
        if isinstance(node, Mapping) and indices and self.entries <= MOST_ENTRIES:
            for written, some in self.given(node, indices):
                value = constant(self.world, written, type)
                found += [(each, value) for each in some if value != otherwise]
        return tuple(found)

    def given(
        self, node: Node, indices: tuple[ir.Index, ...]
    ) -> Iterator[tuple[Node, list[tuple[int, ...]]]]:
        """What is written in a table, and for which of the values, by their indices."""
        if not isinstance(node, Mapping) or not indices:
            yield node, list(product(*(self.domain(each.type) for each in indices)))
            return
        for key, inner in node.entries:
            first = self.named(key, indices[0])
            for written, some in self.given(inner, indices[1:]):
                yield written, [] if first is None else [(first, *rest) for rest in some]

    def named(self, key: Scalar, index: ir.Index) -> int | None:
        """The thing that a key of a table names; complains if there is none such."""
        options = self.options(index.type)
        if key.value in options or index.type == BROKEN:
            return options.get(key.value)
        known = list(options)
        hint = did_you_mean(key.value, known) or listed(known)
        if isinstance(index.type, PlaceType):
            hint = "what is told apart by places has one value for all of them at the start"
        self.diagnostics.error(
            "bad-value", f"`{key.value}` is not {self.world.a(index.type)}", key.span, hint=hint
        )
        return None

    def options(self, type: Type) -> dict[str, int]:
        """What an index can be, by its text."""
        if type not in self._options:
            known = {self.text(type, each): each for each in self.domain(type)}
            self._options[type] = known
        return self._options[type]

    def domain(self, type: Type) -> range:
        """What an index can be; of places nobody knows the numbers yet."""
        if isinstance(type, NumberType):
            return range(type.low, type.high + 1)
        return range(0 if isinstance(type, PlaceType) else self.size(type))

    def text(self, type: Type, value: int) -> str:
        if isinstance(type, WordType):
            return self.world.word_sets[type.index].words[value]
        if isinstance(type, KindType):
            return self.world.kind_names(type.index)[value]
        return self.world.player_names[value] if type == PLAYER else str(value)


def _is_range(type: Type) -> bool:
    return isinstance(type, NumberType) and type != NUMBER
