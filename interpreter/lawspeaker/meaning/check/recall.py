"""Incremental checking: caches the checked code of each clause, for editors.

A key press changes one clause of many, or a translation. The result for other code depends on its
entry, on everything declared (its `sight`), and on the types of the values it uses: if these are
equal, so is the result. Spans count as well, since diagnostics and IR nodes have them; only
translations may move, for they contain no code.

Only code that was checked in isolation (`World.alone`) and without diagnostics is cached. A
diagnostic can depend on earlier ones, so a clause with errors is always checked again, and so is
one that was changed by a variant, is joined by others, or uses the outcome of another.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import Any, Generic, TypeVar, cast

from lawspeaker import ir
from lawspeaker.base.remembering import Itself, Remembered
from lawspeaker.meaning.check import definitions
from lawspeaker.meaning.check.functions import Functions
from lawspeaker.meaning.check.used import Used
from lawspeaker.meaning.check.world import Signature, World, played_kind
from lawspeaker.text.document import Mapping, Node, Scalar, items_of
from lawspeaker.text.parse.parser import MOST_KNOWN
from lawspeaker.text.rulebook import Entry

MOST_SIGHTS = 50
"""The maximal number of sets of declarations in the cache."""
UNSEEN = frozenset(
    {
        "book",
        "diagnostics",
        "clauses",
        "code",
        "declared",
        "procedures",
        "windows",
        "joining",
        "accessors",
        "forms",
        "told",
        "plays",
        "lost",
        "formless",
        "used",
        "alone",
    }
)
"""Fields of a world that are not compared: texts and spans, derived values, and what checking code
leaves there. Of clauses, windows and the book, `_sight` has what matters."""


Needs = dict[int, tuple[int, ir.Type]]
"""By clause: the indices and types of the values that some code uses."""
Found = TypeVar("Found")


@dataclass(frozen=True, slots=True)
class CachedCheck(Generic[Found]):
    """A cache entry: the result for the code in an entry."""

    entry: Entry
    found: Found
    clause: ir.Clause
    used: Used
    needs: Needs


class Recall:
    """The cached clauses of one rulebook under one sight."""

    def __init__(self, world: World) -> None:
        self.world = world
        book = world.book
        rules = (book.name, *(each.name for each in book.variants))
        sight = _sight(world)
        before = _sights.get(rules)
        if before is None or before.thing != sight:
            before = Itself(sight)
            _sights.keep(rules, before, 1)
        self.sight = before
        others = (each.translations for each in (book, *book.variants))
        self.translations = {file.name for files in others for file in files}

    def value(self, functions: Functions, signature: Signature) -> ir.Function | None:
        """The function for a definition; None if it has errors."""
        index = signature.function
        entry = self.world.book.section("rules")[self.world.clauses[index].id]
        check = partial(definitions.checked, functions, signature)
        return self.checked(index, entry, functions, check)

    def checked(
        self, index: int, entry: Entry, functions: Functions, check: Callable[[], Found | None]
    ) -> Found | None:
        """The result for the code of a clause: from the cache, or from `check`, which runs it in
        isolation."""
        world, apart = self.world, self.by_itself(entry.id)
        known = _known.get((self.sight, entry.id)) if apart else None
        if known is not None and self.holds(known, entry, functions):
            self.take(index, known)
            return cast("Found", known.found)
        said, used, alone = world.diagnostics.said, world.used, world.alone
        world.used, world.alone = Used(), apart
        try:
            found = check()
        finally:
            own, apart = world.used, world.alone and world.diagnostics.said == said
            world.used, world.alone = used, alone
        used.take(own)
        if apart and found is not None and own.called <= functions.numbers.keys():
            needs = {each: _result(functions, each) for each in own.called}
            known = CachedCheck(entry, found, world.clauses[index], own, needs)
            length = entry.body.span.end - entry.body.span.start
            _known.keep((self.sight, entry.id), known, length)
        return found

    def holds(self, known: CachedCheck[Any], entry: Entry, functions: Functions) -> bool:
        """Whether a cache entry is valid now."""
        needed = known.needs.items()
        return (
            all(each in functions.numbers for each in known.needs)
            and all(_result(functions, each) == then for each, then in needed)
            and self.alike(known.entry.key, entry.key)
            and self.alike(known.entry.body, entry.body)
        )

    def take(self, index: int, known: CachedCheck[Any]) -> None:
        """Restores a cached clause into the world, with the texts of now."""
        world, then = self.world, known.clause
        world.clauses[index] = replace(
            world.clauses[index],
            parameters=then.parameters,
            slots=then.slots,
            body=then.body,
            outcome=then.outcome,
        )
        world.used.take(known.used)

    def by_itself(self, id: str) -> bool:
        """Whether the code of a clause is in its entry alone."""
        book = self.world.book
        amended = any(each == id or each.startswith(f"{id}.") for each in book.amendments)
        return not amended and id not in book.added and id not in self.world.joining

    def alike(self, one: Node, other: Node) -> bool:
        """Whether two nodes are equal with equal spans, apart from translations."""
        waiting = [(one, other)]
        while waiting:
            one, other = waiting.pop()
            if one is other:
                continue
            if type(one) is not type(other):
                return False
            files = one.span.file.name, other.span.file.name
            if one.span != other.span and not self.translations.issuperset(files):
                return False
            ours, theirs = _inside(one), _inside(other)
            if len(ours) != len(theirs) or (isinstance(one, Scalar) and one != other):
                return False
            waiting += zip(ours, theirs, strict=True)
        return True


_sights: Remembered[Hashable, Itself] = Remembered(MOST_SIGHTS)
_known: Remembered[tuple[Itself, str], CachedCheck[Any]] = Remembered(MOST_KNOWN)


def _inside(node: Node) -> tuple[Node, ...]:
    """The direct children of a node."""
    if isinstance(node, Mapping):
        return tuple(each for entry in node.entries for each in entry)
    return items_of(node)


def _result(functions: Functions, clause: int) -> tuple[int, ir.Type]:
    """The index and type of a checked value; BROKEN if it has errors."""
    number = functions.numbers[clause]
    return number, functions.done[number].result.type if number >= 0 else ir.BROKEN


def _sight(world: World) -> object:
    """All that code can depend on outside of it, as a comparable value."""
    book = world.book
    declared = (getattr(world, each.name) for each in fields(World) if each.name not in UNSEEN)
    return (
        # Order matters: things are numbered in the order of declaration.
        [list(each.items()) if isinstance(each, dict) else each for each in declared],
        {
            id: (each.index, each.names, each.types, played_kind(each.entry))
            for id, each in world.procedures.items()
        },
        {
            name: (each.clause, each.names, each.types, each.changes)
            for name, each in world.windows.items()
        },
        (book.language, book.head.get("language") is None),
        (book.before, book.after, set(book.instead), set(book.removed)),
    )
