"""Answers that come to the same, of which one is offered.

`where NAME: one colour is enough` lets an answer pass if it is the first of those that differ from
it in the colour alone. A colour is looked for, in order, with which all would hold that the
question demands of the answer; if it is that of the answer, the answer is offered. So the machines
know nothing of it. With `for each VALUE` only answers with the same values are compared.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce

from lawspeaker import ir
from lawspeaker.base.source import Span
from lawspeaker.ir.types import TRUTH, SetType, Type
from lawspeaker.ir.walk import replaced, slots_read
from lawspeaker.meaning.check.paths import fresh

Demands = Sequence[ir.Guard]
NewSlot = Callable[[str, Type], int]


@dataclass(frozen=True, slots=True)
class Exchange:
    """One part of an answer exchanged for another thing, and what the answer would have to hold.

    `guards` are those of the whole, `member_guards` those of the members of each part.
    """

    parts: tuple[ir.Part, ...]
    at: int
    guards: Demands
    member_guards: Sequence[Demands]
    new_slot: NewSlot
    span: Span

    @property
    def part(self) -> ir.Part:
        return self.parts[self.at]

    def dependent(self) -> ir.Part | None:
        """A later part of which nobody could say whether it stands the exchange."""
        for part in self.parts[self.at + 1 :]:
            asked = (part.binder.source, part.least, part.most)
            if self.part.binder.slot in slots_read(tuple(one for one in asked if one is not None)):
                return part
        return None

    def condition(self, same: Sequence[ir.Expr]) -> ir.Expr:
        """Whether what was chosen for the part is the first that could be."""
        binder, span = self.part.binder, self.span
        slot = self.new_slot(binder.name, binder.type)
        other = ir.Local(binder.type, slot, binder.name, span=span)
        own = ir.Local(binder.type, binder.slot, binder.name, span=span)
        exchanged = {binder.slot: other}
        demands = [binder.where] if binder.where is not None else []
        demands += self._of_other_parts()
        demands += [guard.condition for guard in self.guards]
        wanted = [replaced(each, exchanged) for each in demands if self._speaks_of_it(each)]
        wanted += [
            ir.Compare(TRUTH, "=", replaced(each, exchanged), each, span=span) for each in same
        ]
        where = _all(wanted)
        found = ir.Binder(slot, binder.name, binder.type, binder.source, where, span=span)
        first = ir.Exists(TRUTH, fresh(found), span=span)
        it = ir.Compare(TRUTH, "=", other, own, span=span)
        return ir.And(TRUTH, first, it, span=span)

    def _speaks_of_it(self, demand: ir.Expr) -> bool:
        return self.part.binder.slot in slots_read(demand)

    def _of_other_parts(self) -> Iterator[ir.Expr]:
        """What is demanded of what is chosen beside it, of each member of a set."""
        for at, part in enumerate(self.parts):
            wanted = [guard.condition for guard in self.member_guards[at]]
            if at > self.at and part.binder.where is not None:
                wanted.insert(0, part.binder.where)
            wanted = [each for each in wanted if self._speaks_of_it(each)]
            if not part.several:
                yield from wanted
            elif wanted:
                yield self._of_each(part, wanted)

    def _of_each(self, part: ir.Part, wanted: Sequence[ir.Expr]) -> ir.Expr:
        of, name, span = part.binder.type, part.binder.name, self.span
        slot = self.new_slot(name, of)
        renamed: Mapping[int, ir.Expr] = {part.binder.slot: ir.Local(of, slot, name, span=span)}
        chosen = ir.Local(SetType(of), part.set_slot, part.set_name, span=span)
        member = ir.Binder(slot, name, of, chosen, None, span=span)
        condition = _all([replaced(each, renamed) for each in wanted])
        assert condition is not None
        return ir.Every(TRUTH, member, condition, span=span)


def without_untold(
    parts: Sequence[ir.Part], untold: Collection[int], labelled: bool
) -> Iterator[ir.Part]:
    """The parts of an answer; those are marked that tell no answer from another, and so need not be
    told, if something else is."""
    some = labelled or len(untold) < len(parts)
    for at, part in enumerate(parts):
        yield replace(part, untold=True) if some and at in untold else part


def _all(conditions: Sequence[ir.Expr]) -> ir.Expr | None:
    if not conditions:
        return None
    return reduce(lambda one, other: ir.And(TRUTH, one, other, span=one.span), conditions)
