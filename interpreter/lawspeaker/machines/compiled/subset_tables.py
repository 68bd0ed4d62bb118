"""Subsets of a few members: they stand in a table in their order, so some of them are a run of it.

A question that offers nothing else need not write its options down: they are as many as the run is
long, and the one that is chosen is looked up.
"""

from __future__ import annotations

from collections.abc import Callable

from lawspeaker import ir
from lawspeaker.machines.compiled import subsets
from lawspeaker.machines.compiled.clause_facts import Shapes
from lawspeaker.machines.compiled.function import Code
from lawspeaker.machines.compiled.kept_sets import Chosen
from lawspeaker.machines.middle.forms import Variable


class Run:
    """The subsets of the members of a list that have at least `low` and at most `high` members.

    `equal` is a mask of the members that look like the one before them, if there may be such: they
    are interchangeable, and one is only taken if the one before is.
    """

    def __init__(
        self,
        c: Code,
        listed: Variable,
        low: Variable,
        high: Variable,
        equal: Variable | None = None,
    ) -> None:
        self.c = c
        self.equal = equal
        self.chosen = Chosen(listed, c.long())
        self._at, self._end = c.local(), c.local()
        self._masks, starts = subsets.tables(c.plan)
        b = c.b
        # With a higher limit below the lower one the run is empty.
        b.get(high)
        b.get(low)
        b.const(1)
        b.op("i32.sub")
        b.get(high)
        b.get(low)
        b.op("i32.ge_s", "select")
        b.set(high)
        for limit, target, more in ((low, self._at, 0), (high, self._end, 1)):
            b.get(listed)
            b.load()
            b.const(subsets.SMALL + 2)
            b.op("i32.mul")
            b.get(limit)
            b.op("i32.add")
            b.const(more)
            b.op("i32.add")
            starts.load(b)
            b.set(target)

    def count(self) -> None:
        """Leaves how many there are on the stack."""
        b = self.c.b
        b.get(self._end)
        b.get(self._at)
        b.op("i32.sub")

    def each(self, body: Callable[[], None]) -> None:
        """Does the body for each of them, which is `chosen` then."""
        b, at = self.c.b, self.c.local()
        b.get(self._at)
        b.set(at)
        with b.block() as done, b.loop() as again:
            b.get(at)
            b.get(self._end)
            b.op("i32.ge_s")
            b.br_if(done)
            self._take(at)
            b.get(at)
            b.const(1)
            b.op("i32.add")
            b.set(at)
            body()
            b.br(again)

    def stands_for_itself(self) -> None:
        """Leaves on the stack whether `chosen` takes the first ones of equals."""
        b = self.c.b
        if self.equal is None:
            b.const(1)
            return
        b.get(self.chosen.mask)
        b.get(self.equal)
        b.op("i64.and")
        b.get(self.chosen.mask)
        b.long(1)
        b.op("i64.shr_u")
        b.long(-1)
        b.op("i64.xor", "i64.and", "i64.eqz")

    def take(self, number: Callable[[], None]) -> None:
        """The one with this number is `chosen`."""
        b, at = self.c.b, self.c.local()
        b.get(self._at)
        number()
        b.op("i32.add")
        b.set(at)
        self._take(at)

    def _take(self, at: Variable) -> None:
        b = self.c.b
        b.get(at)
        b.load(self._masks, "i32.load8_u")
        b.op("i64.extend_i32_u")
        b.long(56)
        b.op("i64.shl")
        b.set(self.chosen.mask)


def goes_through(shapes: Shapes, clause: ir.Clause, slot: int, ask: ir.Ask | None = None) -> bool:
    """Whether all that a clause does with a set in a slot is to go through it, or to hand it on to
    another clause: then it need not be a list. What the question itself asks of it may be more."""
    plain = 0
    for deed in shapes.deeds(clause.body):
        match deed:
            case ir.SetLocal(slot=other) if other == slot:
                return False
            case ir.ForEach(binder=ir.Binder(source=ir.Local(slot=other))):
                plain += other == slot
            case ir.Do(arguments=arguments, returns=returns):
                if any(ours == slot for _, ours in returns):
                    return False
                plain += sum(isinstance(each, ir.Local) and each.slot == slot for each in arguments)
    reads = shapes.unit.depends.reads
    read = reads(clause.body)[slot]
    for alternative in () if ask is None else ask.alternatives:
        read -= reads(alternative.parts)[slot] + reads(alternative.guards)[slot]
    return plain == read and slot not in shapes.returned[clause.index]
