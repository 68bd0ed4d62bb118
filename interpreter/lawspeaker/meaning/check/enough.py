"""Symmetry reduction of answers: of equivalent answers, only the first is offered.

`where NAME: one colour is enough` accepts an answer only if it is the first of those that differ
from it in the colour alone. It is lowered to a condition: the first colour, in order, with which
the answer would satisfy the whole question is the colour of this answer. The machines know nothing
of it. With `for each VALUE` only answers with equal values are compared.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce

from lawspeaker import ir
from lawspeaker.base.source import Span
from lawspeaker.ir.walk import replaced, slots_read
from lawspeaker.meaning.check.paths import fresh

Demands = Sequence[ir.Guard]
NewSlot = Callable[[str, ir.Type], int]


@dataclass(frozen=True, slots=True)
class Exchange:
    """Exchanging one part of an answer for another thing, and the conditions on the answer.
    `guards` are those of the whole, `member_guards` those of the members of each part."""

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
        """A later part whose options depend on the exchanged one, which is not supported."""
        for part in self.parts[self.at + 1 :]:
            asked = (part.binder.source, part.least, part.most)
            if self.part.binder.slot in slots_read(tuple(one for one in asked if one is not None)):
                return part
        return None

    def condition(self, same: Sequence[ir.Expr]) -> ir.Expr:
        """The condition that the part is the first thing that could be chosen for it."""
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
            ir.Compare(ir.TRUTH, "=", replaced(each, exchanged), each, span=span) for each in same
        ]
        where = _all(wanted)
        found = ir.Binder(slot, binder.name, binder.type, binder.source, where, span=span)
        first = ir.Exists(ir.TRUTH, fresh(found), span=span)
        it = ir.Compare(ir.TRUTH, "=", other, own, span=span)
        return ir.And(ir.TRUTH, first, it, span=span)

    def _speaks_of_it(self, demand: ir.Expr) -> bool:
        return self.part.binder.slot in slots_read(demand)

    def _of_other_parts(self) -> Iterator[ir.Expr]:
        """The conditions on other parts, per member of a set, that mention this one."""
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
        chosen = ir.Local(ir.SetType(of), part.set_slot, part.set_name, span=span)
        member = ir.Binder(slot, name, of, chosen, None, span=span)
        condition = _all([replaced(each, renamed) for each in wanted])
        assert condition is not None
        return ir.Every(ir.TRUTH, member, condition, span=span)


def without_untold(
    parts: Sequence[ir.Part], untold: Collection[int], labelled: bool
) -> Iterator[ir.Part]:
    """The parts of an answer, with those marked `untold` that do not distinguish answers, and so
    need not be shown if something else is."""
    some = labelled or len(untold) < len(parts)
    for at, part in enumerate(parts):
        yield replace(part, untold=True) if some and at in untold else part


def _all(conditions: Sequence[ir.Expr]) -> ir.Expr | None:
    if not conditions:
        return None
    return reduce(lambda one, other: ir.And(ir.TRUTH, one, other, span=one.span), conditions)
