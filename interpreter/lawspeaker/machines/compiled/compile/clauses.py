"""Compiles clauses to resumable functions.

A slot is a local variable. To suspend, a clause function saves its frame (clause, point, slots) in
memory and returns; so do its callers, one after the other. To resume, the host calls the outermost
function: it loads its frame, skips to its point without executing anything, and there calls the
next function to resume, down to the one that waits. Code that does not suspend costs no more than
plain calls.

Whole games use a second set of functions without suspension points. A module that never waits for
the host has both: a game resumed in the middle reaches its point with the first and continues with
the second.

`target` is the point a function is resuming to, and 0 when it executes. Statements without points
are skipped unless it is 0; those with points up to number `last` are skipped if it is higher.
Functions return 0 when they are done, `WAITS` or `ENDS`, and then their returned slots.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, ClassVar

from lawspeaker import ir
from lawspeaker.machines.compiled.compile.function import Code
from lawspeaker.machines.compiled.runtime import lists
from lawspeaker.machines.compiled.runtime.pending_operands import OperandBody
from lawspeaker.machines.compiled.runtime.plan import sentinel
from lawspeaker.machines.compiled.runtime.unit import Unit
from lawspeaker.machines.lower import messages
from lawspeaker.machines.lower.operations import Kind
from lawspeaker.machines.middle.forms import Expr, Function, Label, Variable, const, not_, word
from lawspeaker.machines.planned.clause_facts import PLAIN

WAITS, ENDS = 1, 2
Write = Callable[["ClauseCode", Any], None]

_NOWHERE = Label("nowhere")
"""Placeholder for a label that is not opened yet."""


class ClauseCode(Code):
    """Code generator for one clause."""

    writers: ClassVar[dict[type[ir.Statement], Write]] = {}

    def __init__(self, unit: Unit, clause: ir.Clause, f: OperandBody, running: bool) -> None:
        super().__init__(unit, f, clause.index)
        facts = unit.facts
        self.own = clause
        self.waits = facts.waits[clause.index] and not running
        self.speaks = self.waits or facts.ends[clause.index]
        self.returned = facts.returned[clause.index]
        self.kinds = facts.kinds(clause)
        self.rooms = facts.rooms(clause)
        self.buffers: dict[int, Variable] = {}
        self.changes = f.variable("changes")  # `plan.changes` before the statement in flight
        self.target = f.variable("target")
        self.point = f.variable("point")
        self.next_point = 1
        self.end = _NOWHERE
        self.leave = _NOWHERE
        self.outer: ClauseCode | None = None

    # ------------------------------------------------------------ the function

    def write(self) -> None:
        """Emits the function: parameters, body, and the suspension epilogue."""
        f, top = self.f, self.unit.top
        for slot in range(self.own.parameters):
            self.slots[slot] = f.parameters[slot + int(self.waits)]
        if not (self.waits and self.unit.purpose.waits):
            with self.scoped():
                self._write_body()
            self._return(0)
            return
        before = f.let("top", top)
        with f.block() as leave:
            self.leave = leave
            self._write_body()
            f.set(top, before)
            self._return(0)
        self._save()
        f.set(top, before)
        self._return(WAITS)

    def _write_body(self) -> None:
        with self.f.block() as end:
            self.end = end
            self._begin()
            if self.unit.lowered.due(self.clause):
                self.here(self._pay_for_itself)
            self.block(self.own.body)

    def _pay_for_itself(self) -> None:
        due = self.unit.lowered.due(self.clause)
        self.pay(due, self.own.span, due)

    def write_inside(self, outer: ClauseCode) -> None:
        """Inlines a non-suspending clause into the function of another. Its arguments are in its
        slots."""
        self.outer = outer
        self._write_body()

    def _return(self, status: int) -> None:
        told = (status,) if self.speaks else ()
        self.f.return_(*told, *map(self.slot, self.returned))

    def return_ended(self) -> None:
        if self.outer is None:
            self._return(ENDS)
        else:
            if self.unit.purpose.watching:
                # Ending the game counts as a change.
                self.f.add(word(self.plan.times + 4 * self.clause), 1)
            self.outer.return_ended()

    def _begin(self) -> None:
        """Initialises every slot, or loads it from the frame."""
        f = self.f
        for slot, room in self.rooms.items():
            self.buffers[slot] = self.reserve(room)
        for slot in range(self.own.parameters, len(self.own.slots)):
            f.set(self.slot(slot), self.nothing_in(slot))
        if self.waits:
            with f.if_(f.parameters[0]):
                self._load()

    def nothing_in(self, slot: int) -> int:
        """Returns the initial value of a slot."""
        return sentinel(self.own.slots[slot].type) if self.kinds[slot] == PLAIN else 0

    def _plain_slots(self) -> list[int]:
        return [slot for slot, kind in enumerate(self.kinds) if kind == PLAIN]

    def _kept(self) -> list[Variable]:
        """Returns the variables saved as words in a frame: the plain slots, and in a suspended,
        watched game also the number of changes before the statement in flight."""
        purpose = self.unit.purpose
        watched = [self.changes] if purpose.in_turns and purpose.watching else []
        return [*map(self.slot, self._plain_slots()), *watched]

    def _block_slots(self) -> list[int]:
        return [slot for slot, kind in enumerate(self.kinds) if kind != PLAIN]

    def _save(self) -> None:
        """Saves the frame: clause, point, plain slots, lists, and its size."""
        f, unit, saved, plain = self.f, self.unit, self.unit.saved, self._kept()
        last = self.plan.frames_end - 4 * (len(self.own.slots) + lists.FRAME_WORDS)
        self.fault_when(saved.above(last), messages.NO_ROOM, self.own.span)
        f.set(word(saved), self.clause)
        f.set(word(saved, 4), self.point)
        for number, each in enumerate(plain):
            f.set(word(saved, 8 + 4 * number), each)
        at = f.let("at", saved + (8 + 4 * len(plain)))
        for slot in self._block_slots():
            f.set(at, lists.save(unit)(self.slot(slot), at))
        f.set(word(at), at + 4 - saved)
        f.set(saved, at + 4)

    def _load(self) -> None:
        f, unit, saved, plain = self.f, self.unit, self.unit.saved, self._kept()
        f.taken += 1  # lists may be loaded into the arena
        at = f.let("at", saved - word(saved - 4))
        f.set(saved, at)
        f.set(self.target, word(at, 4))
        for number, each in enumerate(plain):
            f.set(each, word(at, 8 + 4 * number))
        f.add(at, 8 + 4 * len(plain))
        for slot in self._block_slots():
            f.set(self.slot(slot), lists.load(unit)(at, self.buffers.get(slot, const(0))))
            f.set(at, lists.after(unit)(at))

    # ------------------------------------------------------------ statements

    def block(self, block: ir.Block) -> None:
        """Emits statements in order; when resuming, those before the target are skipped."""
        plain: list[ir.Statement] = []
        for statement in block:
            inside = self.points((statement,))
            if not inside:
                plain.append(statement)
                continue
            self._run(plain)
            plain = []
            with self.f.if_(not_(self.target.above(self.next_point + inside - 1))):
                self.statement(statement)
        self._run(plain)

    def _run(self, statements: Sequence[ir.Statement]) -> None:
        if not statements:
            return

        self.here(partial(self.steadily, statements))

    def points(self, block: ir.Block) -> int:
        """Returns the number of suspension points in a block."""
        return self.unit.facts.points(block) if self.waits else 0

    def here(self, write: Callable[[], None]) -> None:
        """Emits code that is skipped when resuming further in."""
        if not self.waits:
            write()
            return
        with self.f.if_(self.target == 0):
            write()

    def statement(self, statement: ir.Statement) -> None:
        self.unit.count_work()
        self.writers[type(statement)](self, statement)

    def steadily(self, block: Sequence[ir.Statement]) -> None:
        """Emits the statements of a loop without suspension points."""
        for statement in block:
            self.statement(statement)

    def cost(self, statement: ir.Statement, kind: Kind) -> int:
        """Returns the cost charged for each iteration of a loop."""
        return self.unit.operation(self.clause, statement, kind).cost

    def new_point(self) -> int:
        """Allocates the next suspension point."""
        self.next_point += 1
        return self.next_point - 1

    def wait(self, point: int) -> None:
        """Suspends the function; it will be resumed at this point."""
        if not self.unit.purpose.waits:
            self.f.stop()
            return
        self.f.set(self.point, point)
        self.f.leave(self.leave)

    def arrived(self) -> None:
        """Marks the resume target as reached."""
        self.f.set(self.target, 0)

    def when_answered(self, take: Callable[[], None]) -> None:
        """Takes the answer awaited here, unless the question is to be evaluated again."""
        f, again = self.f, self.unit.again
        with f.if_(self.target):
            self.arrived()
            with f.if_(again == 0):
                take()
            f.set(again, 0)

    def chosen(self, condition: Callable[[], Expr], inside: int) -> Expr:
        """Returns whether to enter a block: its condition is true, or the resume target is
        inside."""
        f = self.f
        if not self.waits:
            return condition()
        chosen = f.let("chosen", 0)
        with f.if_(self.target == 0):
            f.set(chosen, condition())
        if inside:
            with f.else_():
                f.set(chosen, (self.target - self.next_point).below(inside))
        return chosen

    def assign(self, slot: int, value: Expr) -> None:
        """Assigns a value to a slot; a list is copied, so that it outlives the arena scope."""
        if slot in self.buffers:
            value = lists.copy_over(self.unit)(value, self.buffers[slot])
        self.f.set(self.slot(slot), value)

    def clear(self, slot: int) -> None:
        """Resets a loop slot whose value is no longer needed."""
        if slot >= 0 and self.waits:
            self.f.set(self.slot(slot), self.nothing_in(slot))


def clause_function(unit: Unit, number: int, *, running: bool = False) -> Function:
    """Returns the function of a clause: (whether it resumes, if it can; arguments …)."""
    clause = unit.program.clauses[number]
    waits = unit.facts.waits[number] and not running
    results = int(waits or unit.facts.ends[number]) + len(unit.facts.returned[number])

    def write(f: OperandBody) -> None:
        ClauseCode(unit, clause, f, running).write()

    name = "running" if running else "clause"
    return unit.made(unit.key(name, clause), clause.parameters + int(waits), results, write)
