"""Planning pass for the options of a question: `KnownOptions`, `Subsets` or `Written`.

    raise or fold                            Known: two bits, one for each option offered
    any of the three colours                 Subsets: a run of the table of all small subsets
    a card in hand of player                 Written: one option after the other, in memory

Options known at compile time need no list. Neither do subsets of a precomputed list: their number
is the length of the run, and the chosen one is looked up. A clause that can suspend at its question
lists its options in any case, since the host reads them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain

from lawspeaker import ir
from lawspeaker.machines.lower.guards import GuardPlan
from lawspeaker.machines.lower.paths import conditions
from lawspeaker.machines.planned.analyses import Analyses
from lawspeaker.machines.planned.clause_facts import ClauseFacts
from lawspeaker.machines.planned.rewriting import Names
from lawspeaker.machines.planned.sets import MemberTable, Sets, Use, few
from lawspeaker.machines.purpose import Purpose

MOST_KNOWN = 8
"""The most options kept as bits: a table has a row for each set of them."""
SMALL = 6
"""Subsets of up to so many members are in a table."""
PER_OPTION = 20
"""Nodes that it takes to store an option."""


@dataclass(frozen=True, slots=True)
class KnownOptions:
    """Options that are all known at compile time: each is a bit."""

    options: int


@dataclass(frozen=True, slots=True)
class Subsets:
    """The options are the subsets of a precomputed list."""

    binder: ir.Binder
    members: MemberTable


@dataclass(frozen=True, slots=True)
class Written:
    """The options are listed in memory."""


Offered = KnownOptions | Subsets | Written


class Questions:
    """Plans the questions of one program for a purpose."""

    def __init__(self, known: Analyses, sets: Sets, facts: ClauseFacts, purpose: Purpose) -> None:
        self.known = known
        self.sets = sets
        self.facts = facts
        self.purpose = purpose

    def offered(
        self, ask: ir.Ask, plans: Sequence[GuardPlan], names: Names, *, waits: bool
    ) -> Offered:
        """Plans the options of a question; `waits`: the clause can suspend there."""
        if waits or self.purpose.stepping or ask.each is not None:
            return Written()
        options = self._all_known(ask, plans, names)
        if options:
            return KnownOptions(options)
        return self._subsets(ask, plans, names) or Written()

    # ------------------------------------------------------------ known options

    def _all_known(self, ask: ir.Ask, plans: Sequence[GuardPlan], names: Names) -> int | None:
        """Returns the number of options, if they are few and each part of them is unrolled."""
        total = 0
        for alternative, plan in zip(ask.alternatives, plans, strict=True):
            if any(each.several for each in alternative.parts):
                return None
            binders = self.part_binders(alternative, plan)
            found = self._options(binders, self.part_uses(alternative, plan), names)
            if found is None or (total := total + found) > MOST_KNOWN:
                return None
        return total

    def part_binders(self, alternative: ir.Alternative, plan: GuardPlan) -> list[ir.Binder]:
        """Returns the binders of the parts, each with the guards that are tested with its
        condition."""
        guards = conditions(alternative, plan)[1:]
        return [
            with_tests(part.binder, own)
            for part, own in zip(alternative.parts, guards, strict=True)
        ]

    def part_uses(self, alternative: ir.Alternative, plan: GuardPlan) -> list[Use]:
        """Returns the use of each part's members: the code that comes after it."""
        parts, guards, uses = alternative.parts, conditions(alternative, plan), []
        for at, binder in enumerate(self.part_binders(alternative, plan)):
            later = (
                *(part.binder for part in parts[at + 1 :]),
                *chain.from_iterable(guards[at + 2 :]),
            )
            weight = PER_OPTION + self.known.rooms.weight_of((binder.where, *later))
            counts = at == len(parts) - 1 and self.told_apart(binder) is None
            uses.append(Use(weight, counts, to_the_end=True))
        return uses

    def _options(
        self, binders: Sequence[ir.Binder], uses: Sequence[Use], names: Names
    ) -> int | None:
        """Returns the number of options of some parts, if each of them is unrolled."""
        if not binders:
            return 1
        binder, total = binders[0], 0
        if isinstance(binder.type, ir.PieceType):
            return None
        members = self.known.folder.constant(self.sets.source(binder, names))
        if members is None or len(members[0]) > MOST_KNOWN:
            return None
        if members[0] and not few(members[0], uses[0].weight):
            return None
        if self.sets.bits(binder, names, pays=True) is not None:
            return None
        for member in members[0]:
            inner = names.knowing(binder.slot, ir.Const(binder.type, member))
            found = self._options(binders[1:], uses[1:], inner)
            if found is None or (total := total + found) > MOST_KNOWN:
                return None
        return total

    # ------------------------------------------------------------ subsets

    def _subsets(self, ask: ir.Ask, plans: Sequence[GuardPlan], names: Names) -> Subsets | None:
        """Returns the subsets of few constant members, if those are all the options."""
        if len(ask.alternatives) != 1 or len(ask.alternatives[0].parts) != 1:
            return None
        [alternative], [plan] = ask.alternatives, plans
        [part] = alternative.parts
        if not part.several or not self.are_few(part) or 0 in alternative.ready:
            return None
        clause = self.known.program.clauses[names.clause]
        if any(plan.asked) or not self.goes_through(clause, part.set_slot, ask):
            return None
        binder = with_tests(part.binder, [each.condition for each in alternative.member_guards[0]])
        members = self.sets.listed(binder, names)
        return None if members is None else Subsets(binder, members)

    def are_few(self, part: ir.Part) -> bool:
        """Returns whether all subsets of a part's candidates are in the table."""
        room = self.known.bounds.members(part.binder.source)
        return room <= SMALL and self.told_apart(part.binder) is None

    def told_apart(self, binder: ir.Binder) -> int | None:
        """Returns the piece type of the candidates, if some of them may look the same."""
        layout = self.known.layout
        if not isinstance(binder.type, ir.PieceType):
            return None
        pieces = layout.pieces_of[binder.type.index]
        if len({layout.alike[piece] for piece in pieces}) == len(pieces):
            return None
        return binder.type.index

    def come_sorted(self, binder: ir.Binder, names: Names) -> bool:
        """Returns whether pieces come from a heap in which those that look the same are adjacent:
        they have a kind and an owner, but no states."""
        of = binder.type
        if not isinstance(of, ir.PieceType) or self.known.program.pieces[of.index].states:
            return False
        return isinstance(binder.source, ir.Contents) and (
            self.sets.bits(binder, names) is not None
        )

    def goes_through(self, clause: ir.Clause, slot: int, ask: ir.Ask | None = None) -> bool:
        """Returns whether a clause only iterates over the set in a slot, or passes it to another
        clause: then it need not be a list. Uses in the question itself do not count."""
        plain = 0
        for statement in self.facts.statements(clause.body):
            match statement:
                case ir.SetLocal(slot=other) if other == slot:
                    return False
                case ir.ForEach(binder=ir.Binder(source=ir.Local(slot=other))):
                    plain += other == slot
                case ir.Do(arguments=arguments, returns=returns):
                    if any(ours == slot for _, ours in returns):
                        return False
                    given = (each for each in arguments if isinstance(each, ir.Local))
                    plain += sum(each.slot == slot for each in given)
        reads = self.known.depends.reads
        read = reads(clause.body)[slot]
        for alternative in () if ask is None else ask.alternatives:
            read -= reads(alternative.parts)[slot] + reads(alternative.guards)[slot]
        return plain == read and slot not in self.facts.returned[clause.index]


def with_tests(binder: ir.Binder, tests: Sequence[ir.Expr]) -> ir.Binder:
    """Returns a binder with additional tests."""
    where = binder.where
    for test in tests:
        where = test if where is None else ir.And(test.type, where, test)
    return replace(binder, where=where)
