"""Code that is being written: a function of the module, and where the slots are kept in it.

A slot is a local variable of the function. A set is the address of a list: how many members,
then the members, a word each. Lists that are worked out lie in the arena; whoever needs one for a
moment gives its room back afterwards (`scoped`).

Where a defined value is written out in place, it has slots of its own in the same function.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from lawspeaker import ir
from lawspeaker.base.source import Span
from lawspeaker.ir.types import LARGEST, SMALLEST, MaybeType, NothingType, SetType, Type
from lawspeaker.machines.compiled.binary import I32, I64
from lawspeaker.machines.compiled.plan import START, Table, sentinel
from lawspeaker.machines.compiled.stack import Label, Stack
from lawspeaker.machines.compiled.unit import Unit
from lawspeaker.machines.lower import messages
from lawspeaker.machines.middle.forms import Expr, Variable
from lawspeaker.machines.middle.walk import is_straight

Builder = Callable[["Code", Any], None]
SHORT = 40
"""So many instructions may be done for nothing: a branch that was guessed wrong takes as long."""


class Bits:
    """A set kept as a mask in a local of 64 bits: bit n is number `first` + n."""

    __slots__ = ("first", "mask")

    def __init__(self, first: int, mask: Variable) -> None:
        self.first = first
        self.mask = mask


class Chosen:
    """Some members of a list: the highest bit of the mask stands for the first member."""

    __slots__ = ("listed", "mask")

    def __init__(self, listed: Variable, mask: Variable) -> None:
        self.listed = listed
        self.mask = mask


class Ray:
    """Places in a line: so many steps of the same stride from a start, which is not one of them.
    All three are locals."""

    __slots__ = ("count", "start", "stride")

    def __init__(self, start: Variable, stride: Variable, count: Variable) -> None:
        self.start = start
        self.stride = stride
        self.count = count


Kept = Variable | Bits | Chosen | Ray
"""How a slot is kept: in a local variable, or otherwise."""


class Code:
    builders: Mapping[type[ir.Expr], Builder] = {}
    find: Callable[[Code, ir.Binder, Label], None]
    """Both tables are filled by `values`, which knows all kinds of expressions."""

    def __init__(self, unit: Unit, b: Stack, clause: int) -> None:
        self.unit = unit
        self.b = b
        self.f = b.f
        self.clause = clause
        self.layout = unit.layout
        self.program = unit.program
        self.plan = unit.plan
        self.folder = unit.folder
        self.slots: dict[int, Kept] = {}
        self.meanings: dict[int, ir.Expr] = {}

    def inner(self, clause: int) -> Code:
        """Code in the same function with slots of its own."""
        return Code(self.unit, self.b, clause)

    def slot(self, number: int) -> Variable:
        """The local variable of a slot."""
        found = self.slots.get(number)
        if found is None:
            found = self.slots[number] = self.b.local()
        assert isinstance(found, Variable)
        return found

    def local(self) -> Variable:
        return self.b.local(I32)

    def long(self) -> Variable:
        return self.b.local(I64)

    # ------------------------------------------------------------ values

    def value(self, expr: ir.Expr, wanted: Type | None = None) -> None:
        """Leaves the value of an expression on the stack.

        `wanted` is the type of what it is for, which decides what `nothing` looks like.
        """
        self.unit.count_work()
        expr = self.meant(expr)
        known = self.folder.constant(expr)
        if known is not None:
            of = expr.type if wanted is None or known[0] is not None else wanted
            self.known(known[0], of)
        elif not self._looked_up(expr):
            self.builders[type(expr)](self, expr)

    def meant(self, expr: ir.Expr) -> ir.Expr:
        """A fixed expression with the names in it replaced by what they stand for.

        `meanings` are the slots that were given a fixed value: what is worked out from them is
        fixed as well, and can be looked up.
        """
        if not self.meanings or isinstance(expr, ir.Local | ir.Const):
            return expr
        depends = self.unit.depends
        if not depends.fixed(expr) or depends.free(expr).isdisjoint(self.meanings):
            return expr
        return self.unit.replaced(expr, self.meanings)

    def known(self, value: Any, of: Type) -> None:
        """A value that is known beforehand."""
        self.b.const(self.word(value, of))

    def word(self, value: Any, of: Type) -> int:
        """A value as the module holds it."""
        if isinstance(value, tuple):
            inner = of.of if isinstance(of, SetType) else of
            return self.plan.listing(tuple(self.word(member, inner) for member in value))
        return sentinel(of) if value is None else int(value)

    def _looked_up(self, expr: ir.Expr) -> bool:
        """Whether a fixed expression was looked up in a table made beforehand."""
        if isinstance(expr, ir.Local) or not self.unit.depends.fixed(expr):
            return False
        found = self.folder.table((expr,))
        if found is None:
            return False
        slots, domains, entries = found
        if any(isinstance(slot.type, MaybeType) for slot in slots):
            return False
        words = [self.word(entry[0], expr.type) for entry in entries]
        if words == [1, 0] and domains == [range(2)]:
            self.value(slots[0])
            self.b.op("i32.eqz")
            return True
        first = self.table_index(slots, domains)
        self.plan.table(words).from_number(first).load(self.b)
        return True

    def table_index(self, slots: list[ir.Local], domains: list[range]) -> int:
        """Leaves the number of the entry for the values of these slots, but for what has to be
        taken off it, which is returned: it can be taken off the address of the table as well."""
        b, first = self.b, 0
        if not slots:
            b.const(0)
        for at, (slot, domain) in enumerate(zip(slots, domains, strict=True)):
            if at:
                b.const(len(domain))
                b.op("i32.mul")
            self.value(slot)
            first = first * len(domain) + domain.start
            if at:
                b.op("i32.add")
        return first

    def present(self, expr: ir.Expr) -> None:
        """As `value`, but `nothing` is a fault."""
        self.value(expr)
        if isinstance(expr.type, MaybeType | NothingType):
            found = self.local()
            self.b.tee(found)
            self.b.const(sentinel(expr.type))
            self.b.op("i32.eq")
            self.fault_if(messages.NOTHING, expr.span)
            self.b.get(found)

    def seat(self, expr: ir.Expr) -> None:
        """A seat that plays; another one is a fault."""
        self.present(expr)
        if self.layout.players != len(self.program.player_names):
            known = self.folder.constant(expr)
            if known is not None and known[0] is not None and known[0] < self.layout.players:
                return
            found = self.local()
            self.b.tee(found)
            self.b.const(self.layout.players)
            self.b.op("i32.ge_s")
            self.fault_if(messages.ABSENT, expr.span)
            self.b.get(found)

    def lookup(self, column: Table, of: ir.Expr) -> None:
        self.present(of)
        column.load(self.b)

    def straight(self, expr: ir.Expr, wanted: Type | None = None) -> bool:
        """Leaves a value on the stack if it comes to a few instructions in a straight line: it may
        then be worked out whether it is needed or not, which is often quicker than to ask first.
        Otherwise nothing is written."""
        return self.straightly(expr, lambda: self.value(expr, wanted))

    def straightly(self, expr: ir.Expr, write: Callable[[], None]) -> bool:
        """As `straight`, for one way to work an expression out."""
        branching = self.unit.branching
        if expr in branching:
            return False
        branching[expr] = True  # so that it is not tried again meanwhile
        mark = self.f.mark()
        write()
        if not is_straight(mark.since, self.b.held[-1], SHORT):
            mark.undo()
            return False
        del branching[expr]
        return True

    # ------------------------------------------------------------ conditions

    def unless(self, expr: ir.Expr, away: Label) -> None:
        """Goes away unless a condition holds."""
        b = self.b
        expr = self.meant(expr)
        known = self.folder.constant(expr)
        if known is not None:
            if not known[0]:
                b.br(away)
            return
        if isinstance(expr, ir.And | ir.Or) and self.straight(expr):
            b.op("i32.eqz")
            b.br_if(away)
            return
        match expr:
            case ir.And(left=left, right=right):
                self.unless(left, away)
                self.unless(right, away)
            case ir.Or(left=left, right=right):
                with b.block() as holds:
                    self.when(left, holds)
                    self.unless(right, away)
            case ir.Not(operand=operand):
                self.when(operand, away)
            case ir.Exists(binder=binder) if not self.takes_room(expr):
                with b.block() as there:
                    self.find(self, binder, there)
                    b.br(away)
            case _:
                self.scoped_value(expr)
                b.op("i32.eqz")
                b.br_if(away)

    def when(self, expr: ir.Expr, away: Label) -> None:
        """Goes away if a condition holds."""
        b = self.b
        expr = self.meant(expr)
        if isinstance(expr, ir.And | ir.Or) and self.straight(expr):
            b.br_if(away)
            return
        match expr:
            case ir.And(left=left, right=right):
                with b.block() as fails:
                    self.unless(left, fails)
                    self.when(right, away)
            case ir.Or(left=left, right=right):
                self.when(left, away)
                self.when(right, away)
            case ir.Not(operand=operand):
                self.unless(operand, away)
            case ir.Exists(binder=binder) if not self.takes_room(expr):
                self.find(self, binder, away)
            case _:
                self.scoped_value(expr)
                b.br_if(away)

    # ------------------------------------------------------------ the arena

    def scoped_value(self, expr: ir.Expr, wanted: Type | None = None) -> None:
        """A plain value; the room of lists it took to work it out is given back."""
        if isinstance(expr.type, SetType) or not self.takes_room(expr):
            self.value(expr, wanted)
            return
        with self.scoped():
            self.value(expr, wanted)

    def scoped_present(self, expr: ir.Expr) -> None:
        if self.takes_room(expr):
            with self.scoped():
                self.present(expr)
        else:
            self.present(expr)

    @contextmanager
    def scoped(self) -> Iterator[None]:
        """Gives back all room that is taken meanwhile, if any is."""
        f, top, before = self.f, self.unit.top, self.f.taken
        mark = f.let("top", top)
        yield
        if f.taken > before:
            f.set(top, mark)

    def takes_room(self, node: Any) -> bool:
        """Whether working something out may need a list in the arena."""
        return self.unit.rooms.takes(node)

    def reserve(self, words: int) -> Variable:
        """Room for a list of at most so many members; its address is in the local returned."""
        f, top = self.f, self.unit.top
        f.taken += 1
        at = f.let("list", top)
        f.set(top, at + 4 * (words + 1))
        with f.if_(top.above(START)):
            self.fault(messages.NO_ROOM, self.program.clauses[self.clause].span)
        return at

    # ------------------------------------------------------------ faults

    def fault(self, message: str, span: Span) -> None:
        """Stops everything."""
        self.f.stop(self.unit.stop(), self.unit.fault_number(self.clause, message, span))

    def fault_when(self, condition: Expr, message: str, span: Span) -> None:
        """A fault if a condition holds."""
        self.unit.fault_when(self.f, self.clause, condition, message, span)

    def fault_if(self, message: str, span: Span) -> None:
        """A fault if what is on the stack is not zero."""
        self.fault_when(self.b.pop(), message, span)

    def fault_if_beyond(self, wide: Variable, message: str, span: Span) -> None:
        """A fault if a number of 64 bits is no number of the language."""
        self.fault_when((wide - SMALLEST).above(LARGEST - SMALLEST), message, span)

    def pay(self, cost: int | Expr, span: Span) -> None:
        """Takes a cost from the budget."""
        if isinstance(cost, int) and not cost:
            return
        left = self.unit.left
        self.f.set(left, left - cost)
        self.fault_when(left < 0, messages.TOO_LONG, span)

    def pay_for_each(self, cost: int, span: Span, more: int = 0) -> None:
        """Takes a cost from the budget as often as the number on the stack says, and some more."""
        self.pay(self.b.pop().to_long() * cost + more, span)
