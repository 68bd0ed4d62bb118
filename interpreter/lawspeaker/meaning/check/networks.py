"""Declares networks: sets of words that each join two things, such as roads between towns.

`joins: town` declares each word of a set to be a connection (an edge) between two towns. Between
words, the connections are listed; each joins what its name is composed of, or what its `joins` key
says. Between the places of a board, every two neighbours have a connection, which is generated.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from lawspeaker import ir
from lawspeaker.base.diagnostics import Label
from lawspeaker.base.source import Span
from lawspeaker.meaning.check.components import MOST_PLACES, Components
from lawspeaker.meaning.check.values import constant
from lawspeaker.text.document import Mapping, Node, Scalar, child, items_of
from lawspeaker.text.rulebook import Entry

Pair = tuple[int, int]


class Networks(Components):
    """Reads the declarations of networks."""

    def network(self, entry: Entry) -> None:
        """Declares the network of a set of words with `joins`."""
        written, are = entry.get("joins"), entry.get("are")
        type = self.world.types.get(entry.id)
        if written is None or not isinstance(type, ir.WordType):
            return
        joins = self.type(written, entry.id)
        ends: tuple[Pair, ...] = ()
        match joins:
            case ir.WordType() if joins == type:
                self.diagnostics.error(
                    "wrong-type", f"`{entry.id}` cannot join itself", written.span
                )
                return
            case ir.WordType() if isinstance(are, Mapping):
                ends = tuple(self.ends(key, node, joins) for key, node in are.entries)
            case ir.PlaceType() if are is None:
                self.between.setdefault(joins.index, []).append(entry)
                return
            case ir.PlaceType():
                self.diagnostics.error(
                    "unused",
                    f"every two neighbours among the places `{joins}` are joined, so nothing is "
                    "listed",
                    entry.key_span("are"),
                    hint="leave out `are:` and `has:`; what changes about a connection is a marker "
                    f"`at each: {entry.id}`, or lies in a place `at: {entry.id}`",
                )
                return
            case ir.WordType():
                self.diagnostics.error(
                    "missing-key",
                    f"it is not said which {self.world.many(joins)} are joined",
                    written.span,
                    hint="list the connections under `are:`",
                )
                return
            case ir.BrokenType():
                return
            case _:
                self.diagnostics.error(
                    "wrong-type",
                    f"{self.world.a(joins)} cannot be joined",
                    written.span,
                    hint="what is joined are the words of a set, or the places of a board",
                )
                return
        self.joined_by(type.index, joins, ends)

    def joined_by(self, word_set: int, joins: ir.Type, ends: tuple[Pair, ...]) -> None:
        world = self.world
        world.word_sets[word_set] = replace(world.word_sets[word_set], network=len(world.networks))
        world.networks.append(ir.Network(joins, ends))

    # ------------------------------------------------------------ listed connections

    def ends(self, key: Scalar, node: Node, joins: ir.WordType) -> Pair:
        """The ends of a listed connection: from its `joins` key, or from its name."""
        given = child(node, "joins")
        if given is None:
            return self.named_ends(key.value, joins, key.span)
        items = items_of(given)
        before = len(self.diagnostics)
        found = [constant(self.world, each, joins) for each in items]
        if len(self.diagnostics) > before:
            return (0, 0)
        if len(found) != 2 or found[0] == found[1]:
            self.diagnostics.error(
                "bad-value",
                f"a connection joins two different {self.world.many(joins)}",
                given.span,
                hint=f"write both: `joins: [{', '.join(self.examples(joins))}]`",
            )
            return (0, 0)
        return (int(found[0] or 0), int(found[1] or 0))

    def named_ends(self, name: str, joins: ir.WordType, span: Span) -> Pair:
        """The ends named in `york_leeds` or `york_leeds_by_sea`."""
        words = self.world.word_sets[joins.index].words
        found = [
            (one, other)
            for one, first in enumerate(words)
            if name.startswith(f"{first}_")
            for other, second in enumerate(words)
            if one != other and f"{name[len(first) + 1 :]}_".startswith(f"{second}_")
        ]
        whole = [pair for pair in found if name == f"{words[pair[0]]}_{words[pair[1]]}"]
        if len(found) == 1 or len(whole) == 1:
            return (whole or found)[0]
        called = [f"{words[one]} and {words[other]}" for one, other in found]
        one, other = self.examples(joins)
        self.diagnostics.error(
            "bad-value",
            f"`{name}` can join {' or '.join(called)}"
            if found
            else f"the name `{name}` does not begin with the names of two {self.world.many(joins)}",
            span,
            hint=f"call it as what it joins, such as `{one}_{other}`, or say `joins: [{one}, "
            f"{other}]`",
        )
        return (0, 0)

    def examples(self, joins: ir.WordType) -> tuple[str, str]:
        words = (*self.world.word_sets[joins.index].words, "this", "that")
        return words[0], words[1]

    # ------------------------------------------------------------ connections of neighbours

    def family(self, entry: Entry) -> None:
        number = len(self.world.families)
        super().family(entry)
        for each in self.between.pop(number, ()):
            self.of_neighbours(each, self.world.families[number], number)

    def of_neighbours(self, entry: Entry, of: ir.Family, number: int) -> None:
        """Generates a connection for every two neighbours, named after their indices."""
        written, type = entry.get("joins"), self.world.types[entry.id]
        assert written is not None
        assert isinstance(type, ir.WordType)
        refused = None
        if not of.has_neighbours:
            refused = f"the places `{of.name}` have no neighbours"
        elif of.grows:
            refused = f"`{of.name}` grows, so it has no fixed neighbours"
        elif of.grid and len(of.indices) > 2:
            refused = f"there are several boards `{of.name}`"
        if refused is not None:
            self.diagnostics.error(
                "wrong-type",
                f"{refused}, and only neighbours on one board are joined",
                written.span,
                Label(self.book.section("places")[of.name].span, "declared here"),
                hint="what is joined are the words of a set, or the places of a board",
            )
            return
        size = 1
        for column in of.indices:
            size *= self.size(column.type)
        if size > MOST_PLACES // 4:
            self.diagnostics.error(
                "too-large",
                f"`{of.name}` has too many places to be joined",
                written.span,
            )
            return
        pairs = self.neighbours(of)
        names = self.place_texts(of)
        words = tuple(f"{names[one]} {names[other]}" for one, other in pairs)
        old = self.world.word_sets[type.index]
        self.world.word_sets[type.index] = replace(old, words=words, rows=((),) * len(words))
        self.joined_by(type.index, ir.PlaceType(of.name, number), pairs)

    def neighbours(self, of: ir.Family) -> tuple[Pair, ...]:
        """All pairs of neighbouring places of a board, the lower index first."""
        if of.lines:
            beside = (pair for line in of.lines for pair in pairwise(line))
            return tuple(sorted({(min(pair), max(pair)) for pair in beside}))
        wide, high = (self.size(column.type) for column in of.indices)
        return tuple(
            (column * high + row, (column + across) * high + row + down)
            for column in range(wide)
            for row in range(high)
            for across, down in of.steps(diagonal=False)
            if (across, down) > (0, 0) and column + across < wide and 0 <= row + down < high
        )

    def place_texts(self, of: ir.Family) -> list[str]:
        """The texts of the indices of all places of a board, in order."""
        texts = [""]
        for column in of.indices:
            own = [self.tables.text(column.type, each) for each in self.tables.domain(column.type)]
            texts = [f"{before} {each}".strip() for before in texts for each in own]
        return texts
