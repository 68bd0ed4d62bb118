"""Code that is being written: a function of the module, and where the slots are kept in it.

A slot is a local variable of the function. A set is the address of a list: how many members,
then the members, a word each. Lists that are worked out lie in the arena; whoever needs one for a
moment gives its room back afterwards (`scoped`).

Where a defined value is written out in place, it has slots of its own in the same function.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

from lawspeaker import ir
from lawspeaker.base.source import Span
from lawspeaker.ir.types import LARGEST, SMALLEST, MaybeType, NothingType, SetType, Type
from lawspeaker.machines.compiled.compile.kept_sets import KeptSet, Places, Ray
from lawspeaker.machines.compiled.runtime.held import Held
from lawspeaker.machines.compiled.runtime.plan import START, Table, sentinel
from lawspeaker.machines.compiled.runtime.unit import Unit
from lawspeaker.machines.lower import messages
from lawspeaker.machines.middle.forms import Expr, Label, Variable, const, not_
from lawspeaker.machines.planned.rewriting import Names

Builder = Callable[["Code", Any], Expr]
Kept = Variable | KeptSet
"""How a slot is kept: in a local variable, or as a set that is no list."""


class Code:
    builders: Mapping[type[ir.Expr], Builder] = {}
    find: Callable[[Code, ir.Binder, Label], None]
    """Both tables are filled by `values`, which knows all kinds of expressions."""

    def __init__(self, unit: Unit, f: Held, clause: int) -> None:
        self.unit = unit
        self.f = f
        self.clause = clause
        self.layout = unit.layout
        self.program = unit.program
        self.plan = unit.plan
        self.folder = unit.folder
        self.slots: dict[int, Kept] = {}
        self.meanings: dict[int, ir.Expr] = {}
        self.aside: tuple[Variable, Variable] | None = None
        """Room to lay the situation aside in, and whether it lies there as it is now."""

    def inner(self, clause: int) -> Code:
        """Code in the same function with slots of its own."""
        found = Code(self.unit, self.f, clause)
        found.aside = self.aside
        return found

    @contextmanager
    def lying_aside(self, aside: tuple[Variable, Variable] | None) -> Iterator[None]:
        """Code for a time in which the situation lies aside there, or nowhere."""
        self.aside, before = aside, self.aside
        yield
        self.aside = before

    @contextmanager
    def keeping(self, slot: int, kept: Kept) -> Iterator[None]:
        """Code for a time in which a slot is kept in another way."""
        outer = self.slots.get(slot)
        self.slots[slot] = kept
        yield
        del self.slots[slot]
        if outer is not None:
            self.slots[slot] = outer

    def slot(self, number: int) -> Variable:
        """The local variable of a slot."""
        found = self.slots.get(number)
        if found is None:
            found = self.slots[number] = self.local()
        assert isinstance(found, Variable)
        return found

    def kept(self, expr: ir.Expr) -> KeptSet | None:
        """The set that a name stands for, if it is kept as something else than a list."""
        found = self.slots.get(expr.slot) if isinstance(expr, ir.Local) else None
        return found if isinstance(found, KeptSet) else None

    def local(self) -> Variable:
        return self.f.variable("local")

    # ------------------------------------------------------------ values

    def value(self, expr: ir.Expr, wanted: Type | None = None) -> Expr:
        """What an expression of the rules comes to. It is to be used, or given a name, before a
        slot or the situation changes.

        `wanted` is the type of what it is for, which decides what `nothing` looks like.
        """
        self.unit.count_work()
        expr = self.meant(expr)
        known = self.folder.constant(expr)
        if known is not None:
            of = expr.type if wanted is None or known[0] is not None else wanted
            return self.known(known[0], of)
        found = self._looked_up(expr)
        return self.builders[type(expr)](self, expr) if found is None else found

    def arguments(self, given: Sequence[ir.Expr], slots: Sequence[ir.Slot]) -> list[Expr]:
        """What a clause or a defined value is given; its first slots are for that."""
        pairs = zip(given, slots[: len(given)], strict=True)
        return self.f.in_order(*(partial(self.value, each, slot.type) for each, slot in pairs))

    def both(self, left: ir.Expr, right: ir.Expr) -> list[Expr]:
        """Two values; `nothing` is a fault."""
        return self.f.in_order(lambda: self.present(left), lambda: self.present(right))

    def meant(self, expr: ir.Expr) -> ir.Expr:
        """A fixed expression with the names in it replaced by what they stand for.

        `meanings` are the slots that were given a fixed value: what is worked out from them is
        fixed as well, and can be looked up.
        """
        return self.unit.rewriting.meant(expr, self.meanings)

    @property
    def names(self) -> Names:
        """Where the code stands, as the planning passes want to know it."""
        bits = (slot for slot, kept in self.slots.items() if isinstance(kept, Places))
        lines = (slot for slot, kept in self.slots.items() if isinstance(kept, Ray))
        return Names(self.clause, self.meanings, frozenset(bits), frozenset(lines))

    def known(self, value: Any, of: Type) -> Expr:
        """A value that is known beforehand."""
        return const(self.word(value, of))

    def word(self, value: Any, of: Type) -> int:
        """A value as the module holds it."""
        if isinstance(value, tuple):
            inner = of.of if isinstance(of, SetType) else of
            return self.plan.listing(tuple(self.word(member, inner) for member in value))
        return sentinel(of) if value is None else int(value)

    def _looked_up(self, expr: ir.Expr) -> Expr | None:
        """A fixed expression, from a table made beforehand; None where there is none."""
        if isinstance(expr, ir.Local) or not self.unit.depends.fixed(expr):
            return None
        found = self.folder.table((expr,))
        if found is None:
            return None
        slots, domains, entries = found
        if any(isinstance(slot.type, MaybeType) for slot in slots):
            return None
        if domains == [range(2)] and entries == [(1,), (0,)]:
            return not_(self.value(slots[0]))
        # The folder keeps what it has worked out, and has one table for all that is alike.
        table = self.unit.table(
            ("entries", id(entries), expr.type),
            lambda: [self.word(entry[0], expr.type) for entry in entries],
        )
        return self.entry(table, slots, domains)

    def entry(self, table: Table, slots: list[ir.Local], domains: list[range]) -> Expr:
        """The entry of a table for the values of these slots. What has to be taken off its number
        is taken off the address of the table."""
        number: Expr = const(0)
        first = 0
        for at, (slot, domain) in enumerate(zip(slots, domains, strict=True)):
            value = self.value(slot)
            number = number * len(domain) + value if at else value
            first = first * len(domain) + domain.start
        return table.from_number(first)[number]

    def present(self, expr: ir.Expr) -> Expr:
        """As `value`, but `nothing` is a fault."""
        found = self.value(expr)
        if isinstance(expr.type, MaybeType | NothingType):
            found = self.f.let("found", found)
            self.fault_when(found == sentinel(expr.type), messages.NOTHING, expr.span)
        return found

    def seat(self, expr: ir.Expr) -> Expr:
        """A seat that plays; another one is a fault."""
        found = self.present(expr)
        if self.layout.players == len(self.program.player_names):
            return found
        known = self.folder.constant(expr)
        if known is not None and known[0] is not None and known[0] < self.layout.players:
            return found
        found = self.f.let("seat", found)
        self.fault_when(found >= self.layout.players, messages.ABSENT, expr.span)
        return found

    def lookup(self, column: Table, of: ir.Expr) -> Expr:
        return column[self.present(of)]

    def straight(self, expr: ir.Expr) -> Expr | None:
        """A value, if it is planned to be worked out whether it is needed or not."""
        return self.value(expr) if self.unit.straight.is_short(expr, self.names) else None

    # ------------------------------------------------------------ conditions

    def unless(self, expr: ir.Expr, away: Label) -> None:
        """Goes away unless a condition holds."""
        expr = self.meant(expr)
        known = self.folder.constant(expr)
        if known is not None:
            if not known[0]:
                self.f.leave(away)
            return
        if isinstance(expr, ir.And | ir.Or) and (value := self.straight(expr)) is not None:
            self.f.leave(away, not_(value))
            return
        match expr:
            case ir.And(left=left, right=right):
                self.unless(left, away)
                self.unless(right, away)
            case ir.Or(left=left, right=right):
                with self.f.block() as holds:
                    self.when(left, holds)
                    self.unless(right, away)
            case ir.Not(operand=operand):
                self.when(operand, away)
            case ir.Exists(binder=binder) if not self.takes_room(expr):
                with self.f.block() as there:
                    self.find(self, binder, there)
                    self.f.leave(away)
            case _:
                self.f.leave(away, not_(self.scoped_value(expr)))

    def when(self, expr: ir.Expr, away: Label) -> None:
        """Goes away if a condition holds."""
        expr = self.meant(expr)
        if isinstance(expr, ir.And | ir.Or) and (value := self.straight(expr)) is not None:
            self.f.leave(away, value)
            return
        match expr:
            case ir.And(left=left, right=right):
                with self.f.block() as fails:
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
                self.f.leave(away, self.scoped_value(expr))

    # ------------------------------------------------------------ the arena

    def scoped_value(self, expr: ir.Expr, wanted: Type | None = None) -> Expr:
        """A plain value; the room of lists it took to work it out is given back."""
        if isinstance(expr.type, SetType) or not self.takes_room(expr):
            return self.value(expr, wanted)
        with self.scoped():
            return self.f.let("found", self.value(expr, wanted))

    def scoped_present(self, expr: ir.Expr) -> Expr:
        if not self.takes_room(expr):
            return self.present(expr)
        with self.scoped():
            return self.f.let("found", self.present(expr))

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

    def fault_if_absent(self, seat: Expr, span: Span) -> None:
        """A fault if nobody plays at a seat that the rules can name."""
        if self.layout.players != len(self.program.player_names):
            self.fault_when(seat >= self.layout.players, messages.ABSENT, span)

    def fault_if_beyond(self, wide: Variable, message: str, span: Span) -> None:
        """A fault if a number of 64 bits is no number of the language."""
        self.fault_when((wide - SMALLEST).above(LARGEST - SMALLEST), message, span)

    def pay(self, cost: int | Expr, span: Span, each: int) -> None:
        """Takes a cost from the budget; `each` is what is charged each time."""
        if isinstance(cost, int) and not cost:
            return
        left = self.unit.left
        self.f.set(left, left - cost)
        self.fault_when(left < 0, messages.too_long(each, span), span)

    def pay_for_each(self, number: Expr, cost: int, span: Span, more: int = 0) -> None:
        """Takes a cost from the budget so many times, and some more."""
        self.pay(number.to_long() * cost + more, span, max(cost, more))
