"""The pass that plans how the options of a question are offered: `Known`, `Subsets`, `Written`.

    raise or fold                            Known: two bits, one for each option that is offered
    any of the three colours                 Subsets: a run of the table of all small subsets
    a card in hand of player                 Written: one option after the other, in memory

Options that are all known need not be written down. Neither need subsets of a list that is made
beforehand: they are as many as the run is long, and the one that is chosen is looked up. A clause
that can be left at its question writes its options down in any case, since the host reads them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain

from lawspeaker import ir
from lawspeaker.ir.types import PieceType
from lawspeaker.machines.lower.guards import GuardPlan
from lawspeaker.machines.lower.paths import conditions
from lawspeaker.machines.planned.analyses import Analyses
from lawspeaker.machines.planned.clause_facts import ClauseFacts
from lawspeaker.machines.planned.rewriting import Names
from lawspeaker.machines.planned.sets import Sets, Table, Use, few
from lawspeaker.machines.purpose import Purpose

MOST_KNOWN = 8
"""So many options, at most, are known: a table has a line for each set of them."""
SMALL = 6
"""Subsets of so many members stand in a table."""
PER_OPTION = 20
"""Nodes that it takes to write an option down."""


@dataclass(frozen=True, slots=True)
class Known:
    """All options are known beforehand, and so many: each is a bit."""

    options: int


@dataclass(frozen=True, slots=True)
class Subsets:
    """The options are the subsets of a list that is made beforehand."""

    binder: ir.Binder
    members: Table


@dataclass(frozen=True, slots=True)
class Written:
    """The options are written down one after the other."""


Offered = Known | Subsets | Written


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
        """How the options of a question are offered; `waits`: the clause can be left there."""
        if waits or self.purpose.stepping or ask.each is not None:
            return Written()
        options = self._all_known(ask, plans, names)
        if options:
            return Known(options)
        return self._subsets(ask, plans, names) or Written()

    # ------------------------------------------------------------ known options

    def _all_known(self, ask: ir.Ask, plans: Sequence[GuardPlan], names: Names) -> int | None:
        """How many options there are, if they are few and each part of them is written out."""
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
        """The parts, each with the guards that are asked of it as part of its condition."""
        guards = conditions(alternative, plan)[1:]
        return [
            with_tests(part.binder, own)
            for part, own in zip(alternative.parts, guards, strict=True)
        ]

    def part_uses(self, alternative: ir.Alternative, plan: GuardPlan) -> list[Use]:
        """What is done with each member of a part: what comes after it."""
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
        """How many options some parts come to, if each of them is written out."""
        if not binders:
            return 1
        binder, total = binders[0], 0
        if isinstance(binder.type, PieceType):
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
        """The subsets of few members that are known, if those are all the options."""
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
        """Whether all subsets of what a part may be stand in a table."""
        room = self.known.bounds.members(part.binder.source)
        return room <= SMALL and self.told_apart(part.binder) is None

    def told_apart(self, binder: ir.Binder) -> int | None:
        """The type of the pieces to choose from, when some of them may look the same."""
        layout = self.known.layout
        if not isinstance(binder.type, PieceType):
            return None
        pieces = layout.pieces_of[binder.type.index]
        if len({layout.alike[piece] for piece in pieces}) == len(pieces):
            return None
        return binder.type.index

    def come_sorted(self, binder: ir.Binder, names: Names) -> bool:
        """Whether pieces come from a heap in which those that look the same follow each other: that
        is so if they have a kind and an owner, but no states."""
        of = binder.type
        if not isinstance(of, PieceType) or self.known.program.pieces[of.index].states:
            return False
        return isinstance(binder.source, ir.Contents) and (
            self.sets.bits(binder, names) is not None
        )

    def goes_through(self, clause: ir.Clause, slot: int, ask: ir.Ask | None = None) -> bool:
        """Whether all that a clause does with a set in a slot is to go through it, or to hand it on
        to another clause: then it need not be a list. What the question itself asks of it may be
        more."""
        plain = 0
        for deed in self.facts.deeds(clause.body):
            match deed:
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
    """A binder with more tests behind its own."""
    where = binder.where
    for test in tests:
        where = test if where is None else ir.And(test.type, where, test)
    return replace(binder, where=where)
