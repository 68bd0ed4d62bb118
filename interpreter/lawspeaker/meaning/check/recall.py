"""What the code of a clause came to, remembered as long as it cannot come to anything else.

Whoever presses a key changes one clause of many, or the words of a translation. What other code
means depends on its own entry, on all that is declared, its `sight`, and on what the values are
that it asks for: if these are what they were, so is what it came to. Where it stands counts as
well, since all that is found has its place; only a translation may move, for no code lies in it.

Kept is code that was checked alone (`World.alone`) and that nobody had to complain of. What is said
of a clause can depend on what was said before it, so one with a fault is always looked at anew, and
so is one that was changed by a variant, joined by others, or that asks for the outcome of another.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import Any, Generic, TypeVar, cast

from lawspeaker import ir
from lawspeaker.base.remembering import Itself, Remembered
from lawspeaker.ir.types import BROKEN, Type
from lawspeaker.meaning.check import definitions
from lawspeaker.meaning.check.functions import Functions
from lawspeaker.meaning.check.used import Used
from lawspeaker.meaning.check.world import Signature, World, played_kind
from lawspeaker.text.document import Mapping, Node, Scalar, Sequence
from lawspeaker.text.parse.parser import MOST_KNOWN
from lawspeaker.text.rulebook import Entry

MOST_SIGHTS = 50
"""Of so many rules it is known what is declared in them."""
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
"""What is in a world and is not compared: texts and places, what is worked out of the rest, and
what code itself leaves there. Of clauses, windows and the book `_sight` has what counts."""


Needs = dict[int, tuple[int, Type]]
"""By the clauses of values that some code asks for: their numbers, and what they are."""
Found = TypeVar("Found")


@dataclass(frozen=True, slots=True)
class Known(Generic[Found]):
    """What the code in an entry came to."""

    entry: Entry
    found: Found
    clause: ir.Clause
    used: Used
    needs: Needs


class Recall:
    """The clauses of some rules, as they were when they last were checked under the same sight."""

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
        """The function that a definition comes to; None if it is broken."""
        index = signature.function
        entry = self.world.book.section("rules")[self.world.clauses[index].id]
        check = partial(definitions.checked, functions, signature)
        return self.checked(index, entry, functions, check)

    def checked(
        self, index: int, entry: Entry, functions: Functions, check: Callable[[], Found | None]
    ) -> Found | None:
        """What the code of a clause comes to: as it is remembered, or as `check` finds it now. That
        looks at it apart from all other code."""
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
            known = Known(entry, found, world.clauses[index], own, needs)
            length = entry.body.span.end - entry.body.span.start
            _known.keep((self.sight, entry.id), known, length)
        return found

    def holds(self, known: Known[Any], entry: Entry, functions: Functions) -> bool:
        """Whether what was found once would be found now."""
        needed = known.needs.items()
        return (
            all(each in functions.numbers for each in known.needs)
            and all(_result(functions, each) == then for each, then in needed)
            and self.alike(known.entry.key, entry.key)
            and self.alike(known.entry.body, entry.body)
        )

    def take(self, index: int, known: Known[Any]) -> None:
        """Puts into the world what is remembered of a clause; its texts are those of now."""
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
        """Whether what a clause does stands in its entry alone."""
        book = self.world.book
        amended = any(each == id or each.startswith(f"{id}.") for each in book.amendments)
        return not amended and id not in book.added and id not in self.world.joining

    def alike(self, one: Node, other: Node) -> bool:
        """Whether two nodes say the same at the same place, but for translations."""
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
_known: Remembered[tuple[Itself, str], Known[Any]] = Remembered(MOST_KNOWN)


def _inside(node: Node) -> tuple[Node, ...]:
    """The nodes directly inside a node."""
    if isinstance(node, Mapping):
        return tuple(each for entry in node.entries for each in entry)
    return node.items if isinstance(node, Sequence) else ()


def _result(functions: Functions, clause: int) -> tuple[int, Type]:
    """The number of a value that was checked, and its type; that of a broken one is not known."""
    number = functions.numbers[clause]
    return number, functions.done[number].result.type if number >= 0 else BROKEN


def _sight(world: World) -> object:
    """All that code can know of what is outside of it, as a value."""
    book = world.book
    declared = (getattr(world, each.name) for each in fields(World) if each.name not in UNSEEN)
    return (
        # Things are numbered in the order in which they are declared.
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
