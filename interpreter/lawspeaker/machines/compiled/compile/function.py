"""Generates the code of one function, and tracks how its slots are represented.

A slot is a local variable of the function. A set is the address of a list: its length, then the
members, a word each. Computed lists are allocated in the arena; temporary ones are freed at the end
of a scope (`scoped`).

An inlined definition has slots of its own in the same function.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

from lawspeaker import ir
from lawspeaker.base.source import Span
from lawspeaker.machines.compiled.compile.set_forms import KeptSet, PlaceBits, Ray
from lawspeaker.machines.compiled.runtime.pending_operands import OperandBody
from lawspeaker.machines.compiled.runtime.plan import START, ConstantTable, sentinel
from lawspeaker.machines.compiled.runtime.snapshots import Snapshot
from lawspeaker.machines.compiled.runtime.unit import Unit
from lawspeaker.machines.lower import messages
from lawspeaker.machines.middle.forms import Expr, Label, Variable, const, not_
from lawspeaker.machines.planned.rewriting import Names

Builder = Callable[["Code", Any], Expr]
Kept = Variable | KeptSet
"""Representation of a slot: a local variable, or a set that is not a list."""


class Code:
    """Code generator for expressions and conditions within one function."""

    builders: Mapping[type[ir.Expr], Builder] = {}
    find: Callable[[Code, ir.Binder, Label], None]
    """Both tables are filled by `values`, which knows all kinds of expressions."""

    def __init__(self, unit: Unit, f: OperandBody, clause: int) -> None:
        self.unit = unit
        self.f = f
        self.clause = clause
        self.layout = unit.layout
        self.program = unit.program
        self.plan = unit.plan
        self.folder = unit.folder
        self.slots: dict[int, Kept] = {}
        self.meanings: dict[int, ir.Expr] = {}
        self.snapshot: Snapshot | None = None
        """The snapshot in effect, which hypothetical executions share (see `supposing`)."""

    def inner(self, clause: int) -> Code:
        """Returns a generator for the same function with slots of its own."""
        found = Code(self.unit, self.f, clause)
        found.snapshot = self.snapshot
        return found

    @contextmanager
    def sharing(self, snapshot: Snapshot | None) -> Iterator[None]:
        """Sets the snapshot in effect for the code generated meanwhile, or none."""
        self.snapshot, before = snapshot, self.snapshot
        yield
        self.snapshot = before

    @contextmanager
    def keeping(self, slot: int, kept: Kept) -> Iterator[None]:
        """Binds a slot to another representation for the code generated meanwhile."""
        outer = self.slots.get(slot)
        self.slots[slot] = kept
        yield
        del self.slots[slot]
        if outer is not None:
            self.slots[slot] = outer

    def slot(self, number: int) -> Variable:
        """Returns the local variable of a slot."""
        found = self.slots.get(number)
        if found is None:
            found = self.slots[number] = self.local()
        assert isinstance(found, Variable)
        return found

    def kept(self, expr: ir.Expr) -> KeptSet | None:
        """Returns the set that a name stands for, if it is represented other than as a list."""
        found = self.slots.get(expr.slot) if isinstance(expr, ir.Local) else None
        return found if isinstance(found, KeptSet) else None

    def local(self) -> Variable:
        return self.f.variable("local")

    # ------------------------------------------------------------ values

    def value(self, expr: ir.Expr, wanted: ir.Type | None = None) -> Expr:
        """Generates the value of an expression. Use or store it before a slot or the position
        changes.

        `wanted` is the type of the context, which decides how `nothing` is encoded.
        """
        self.unit.count_work()
        expr = self.meant(expr)
        known = self.folder.constant(expr)
        if known is not None:
            of = expr.type if wanted is None or known[0] is not None else wanted
            return self.known(known[0], of)
        found = self.looked_up(expr)
        return self.builders[type(expr)](self, expr) if found is None else found

    def arguments(self, given: Sequence[ir.Expr], slots: Sequence[ir.Slot]) -> list[Expr]:
        """Evaluates the arguments of a clause or a definition; its first slots are the
        parameters."""
        pairs = zip(given, slots[: len(given)], strict=True)
        return self.f.in_order(*(partial(self.value, each, slot.type) for each, slot in pairs))

    def both(self, left: ir.Expr, right: ir.Expr) -> list[Expr]:
        """Evaluates two operands; `nothing` is a fault."""
        return self.f.in_order(lambda: self.present(left), lambda: self.present(right))

    def meant(self, expr: ir.Expr) -> ir.Expr:
        """Replaces the names in a constant expression by what they stand for.

        `meanings` maps slots to constant expressions: an expression over them is constant as well,
        and can be looked up.
        """
        return self.unit.rewriting.meant(expr, self.meanings)

    @property
    def names(self) -> Names:
        """The naming context at this point, for the planning passes."""
        bits = (slot for slot, kept in self.slots.items() if isinstance(kept, PlaceBits))
        lines = (slot for slot, kept in self.slots.items() if isinstance(kept, Ray))
        return Names(self.clause, self.meanings, frozenset(bits), frozenset(lines))

    def known(self, value: Any, of: ir.Type) -> Expr:
        """Returns a compile-time constant."""
        return const(self.word(value, of))

    def word(self, value: Any, of: ir.Type) -> int:
        """Encodes a value as the module represents it."""
        if isinstance(value, tuple):
            inner = of.of if isinstance(of, ir.SetType) else of
            return self.plan.listing(tuple(self.word(member, inner) for member in value))
        return sentinel(of) if value is None else int(value)

    def looked_up(self, expr: ir.Expr) -> Expr | None:
        """Looks a constant expression up in a precomputed table; None if there is no table."""
        if isinstance(expr, ir.Local) or not self.unit.depends.fixed(expr):
            return None
        found = self.folder.table((expr,))
        if found is None:
            return None
        slots, domains, entries = found
        if any(isinstance(slot.type, ir.MaybeType) for slot in slots):
            return None
        if domains == [range(2)] and entries == [(1,), (0,)]:
            return not_(self.value(slots[0]))
        # The folder caches its tables, and equal expressions share one.
        table = self.unit.table(
            ("entries", id(entries), expr.type),
            lambda: [self.word(entry[0], expr.type) for entry in entries],
        )
        return self.entry(table, slots, domains)

    def entry(self, table: ConstantTable, slots: list[ir.Local], domains: list[range]) -> Expr:
        """Returns the table entry for the values of these slots. The offset of the index is folded
        into the address of the table."""
        number: Expr = const(0)
        first = 0
        for at, (slot, domain) in enumerate(zip(slots, domains, strict=True)):
            value = self.value(slot)
            number = number * len(domain) + value if at else value
            first = first * len(domain) + domain.start
        return table.from_number(first)[number]

    def present(self, expr: ir.Expr) -> Expr:
        """Like `value`, but `nothing` is a fault."""
        found = self.value(expr)
        if isinstance(expr.type, ir.MaybeType | ir.NothingType):
            found = self.f.let("found", found)
            self.fault_when(found == sentinel(expr.type), messages.NOTHING, expr.span)
        return found

    def seat(self, expr: ir.Expr) -> Expr:
        """Evaluates a seat; one that takes no part in this game is a fault."""
        found = self.present(expr)
        if self.layout.players == len(self.program.player_names):
            return found
        known = self.folder.constant(expr)
        if known is not None and known[0] is not None and known[0] < self.layout.players:
            return found
        found = self.f.let("seat", found)
        self.fault_when(found >= self.layout.players, messages.ABSENT, expr.span)
        return found

    def lookup(self, column: ConstantTable, of: ir.Expr) -> Expr:
        return column[self.present(of)]

    def straight(self, expr: ir.Expr) -> Expr | None:
        """Returns a value if it is planned to be evaluated branch-free, else None."""
        return self.value(expr) if self.unit.straight.is_short(expr, self.names) else None

    # ------------------------------------------------------------ conditions

    def unless(self, expr: ir.Expr, away: Label) -> None:
        """Branches to `away` if `expr` is false."""
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
        """Branches to `away` if `expr` is true."""
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

    def scoped_value(self, expr: ir.Expr, wanted: ir.Type | None = None) -> Expr:
        """Evaluates an expression that is no set; frees the lists allocated for it."""
        if isinstance(expr.type, ir.SetType) or not self.takes_room(expr):
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
        """Frees the arena memory allocated by the code generated meanwhile, if any."""
        f, top, before = self.f, self.unit.top, self.f.taken
        mark = f.let("top", top)
        yield
        if f.taken > before:
            f.set(top, mark)

    def takes_room(self, node: Any) -> bool:
        """Returns whether evaluating something may allocate a list in the arena."""
        return self.unit.rooms.takes(node)

    def reserve(self, words: int) -> Variable:
        """Allocates a list of at most so many members; returns the local with its address."""
        f, top = self.f, self.unit.top
        f.taken += 1
        at = f.let("list", top)
        f.set(top, at + 4 * (words + 1))
        with f.if_(top.above(START)):
            self.fault(messages.NO_ROOM, self.program.clauses[self.clause].span)
        return at

    # ------------------------------------------------------------ faults

    def fault(self, message: str, span: Span) -> None:
        """Emits a fault: aborts the game."""
        self.f.stop(self.unit.stop(), self.unit.fault_number(self.clause, message, span))

    def fault_when(self, condition: Expr, message: str, span: Span) -> None:
        """Emits a fault if a condition is true."""
        self.unit.fault_when(self.f, self.clause, condition, message, span)

    def fault_if_absent(self, seat: Expr, span: Span) -> None:
        """Faults if nobody plays at a seat that the rules can name."""
        if self.layout.players != len(self.program.player_names):
            self.fault_when(seat >= self.layout.players, messages.ABSENT, span)

    def fault_if_beyond(self, wide: Variable, message: str, span: Span) -> None:
        """Faults if a number of 64 bits is outside the range of the language's numbers."""
        self.fault_when((wide - ir.SMALLEST).above(ir.LARGEST - ir.SMALLEST), message, span)

    def pay(self, cost: int | Expr, span: Span, each: int) -> None:
        """Charges a cost to the budget; `each` is the single charge that a fault message names."""
        if isinstance(cost, int) and not cost:
            return
        left = self.unit.left
        self.f.set(left, left - cost)
        self.fault_when(left < 0, messages.too_long(each, span), span)

    def pay_for_each(self, number: Expr, cost: int, span: Span, more: int = 0) -> None:
        """Charges a cost to the budget so many times, and `more`."""
        self.pay(number.to_long() * cost + more, span, max(cost, more))
