"""What the code of a clause came to, remembered as long as it cannot come to anything else.

Whoever presses a key changes one clause of many, or the words of a translation. What other code
means depends on its own entry and on all that is declared, its `sight`: if both are what they were,
so is what it came to. Where it stands counts as well, since all that is found has its place; only a
translation may move, for no code lies in it.

Kept is code that was checked alone (`World.alone`) and that nobody had to complain of. What is said
of a clause can depend on what was said before it, so one with a fault is always looked at anew, and
so is one that was changed by a variant, joined by others, or that asks for the outcome of another.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, fields, replace

from lawspeaker import ir
from lawspeaker.base.remembering import Itself, Remembered
from lawspeaker.base.source import Span
from lawspeaker.meaning.check.functions import Functions
from lawspeaker.meaning.check.used import Used
from lawspeaker.meaning.check.world import Procedure, World, played_kind
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
        "used",
        "alone",
    }
)
"""What is in a world and is not compared: texts and places, what is worked out of the rest, and
what code itself leaves there. Of clauses, windows and the book `_sight` has what counts."""


@dataclass(frozen=True, slots=True)
class Known:
    """What the code in an entry came to."""

    entry: Entry
    clause: ir.Clause
    calls: list[tuple[int, Span]]
    used: Used


class Recall:
    """The clauses of some rules, as they were when they last were checked under the same sight."""

    def __init__(self, world: World, functions: Functions) -> None:
        self.world = world
        book = world.book
        rules = (book.name, *(each.name for each in book.variants))
        sight = _sight(world, functions)
        before = _sights.get(rules)
        if before is None or before.thing != sight:
            before = Itself(sight)
            _sights.keep(rules, before, 1)
        self.sight = before
        others = (each.translations for each in (book, *book.variants))
        self.translations = {file.name for files in others for file in files}

    def known(self, procedure: Procedure) -> Known | None:
        """What a clause came to before, as it would now; taken over into the world."""
        entry, world = procedure.entry, self.world
        found = _known.get((self.sight, entry.id)) if self.by_itself(entry.id) else None
        if found is None or not self.same(found.entry, entry):
            return None
        world.clauses[procedure.index] = replace(
            world.clauses[procedure.index],
            parameters=found.clause.parameters,
            slots=found.clause.slots,
            body=found.clause.body,
            outcome=found.clause.outcome,
        )
        world.used.take(found.used)
        return found

    def keep(self, procedure: Procedure, calls: list[tuple[int, Span]], used: Used) -> None:
        entry, code = procedure.entry, procedure.entry.text("rule") or ""
        if self.by_itself(entry.id):
            known = Known(entry, self.world.clauses[procedure.index], calls, used)
            _known.keep((self.sight, entry.id), known, len(code))

    def by_itself(self, id: str) -> bool:
        """Whether what a clause does stands in its entry alone."""
        book = self.world.book
        amended = any(each.startswith(f"{id}.") for each in book.amendments)
        return not amended and id not in book.added and id not in self.world.joining

    def same(self, one: Entry, other: Entry) -> bool:
        return self.alike(one.key, other.key) and self.alike(one.body, other.body)

    def alike(self, one: Node, other: Node) -> bool:
        """Whether two nodes say the same at the same place, but for translations."""
        if one is other:
            return True
        if one.span != other.span and not self.moved(one, other):
            return False
        match one, other:
            case Scalar(), Scalar():
                return one == other
            case Sequence(), Sequence():
                items = zip(one.items, other.items, strict=False)
                return len(one.items) == len(other.items) and all(
                    self.alike(*each) for each in items
                )
            case Mapping(), Mapping():
                pairs = zip(one.entries, other.entries, strict=False)
                return len(one.entries) == len(other.entries) and all(
                    self.alike(key, its_key) and self.alike(value, its_value)
                    for (key, value), (its_key, its_value) in pairs
                )
        return False

    def moved(self, one: Node, other: Node) -> bool:
        files = one.span.file.name, other.span.file.name
        return self.translations.issuperset(files)


_sights: Remembered[Hashable, Itself] = Remembered(MOST_SIGHTS)
_known: Remembered[tuple[Itself, str], Known] = Remembered(MOST_KNOWN)


def _sight(world: World, functions: Functions) -> object:
    """All that code can know of what is outside of it, as a value."""
    book = world.book
    return (
        [getattr(world, each.name) for each in fields(World) if each.name not in UNSEEN],
        {
            id: (each.index, each.names, each.types, played_kind(each.entry))
            for id, each in world.procedures.items()
        },
        [
            (
                each.name,
                each.clause,
                each.names,
                each.types,
                each.changes,
                [(play.piece, play.kind, play.clause, play.stays) for play in each.plays],
            )
            for each in world.windows.values()
        ],
        (functions.numbers, [each.result.type for each in functions.done]),
        (book.language, book.head.get("language") is None),
        (book.before, book.after, set(book.instead), set(book.removed)),
    )
