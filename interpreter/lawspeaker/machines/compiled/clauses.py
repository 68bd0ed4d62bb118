"""Clauses become functions that can stop in the middle and be taken up again.

A slot is a local variable. Where a clause that waits is left, its frame (clause, point, slots) is
saved in memory and the function returns; so do the functions that called it, one after the other.
To take a game up again the outermost function is called to resume: it loads its frame, goes to its
point without doing anything on the way, and there calls the next function to resume, and so on
down to the one that waits. So code that runs through costs no more than plain calls.

Whole games are played by a second set of functions that run through: they are never left in the
middle, and know nothing of points. A module that never waits for the host has both: a game that is
taken up in the middle gets to its point with the first, and goes on with the second.

`target` is the point a function is on its way to, and 0 when it runs. Statements with no point
inside are skipped unless it is 0; those with points up to number `last` are skipped if it is
higher. Functions return 0 when they are done, `WAITS` or `ENDS`, and then what is taken over from
their slots.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from lawspeaker import ir
from lawspeaker.machines.compiled import lists
from lawspeaker.machines.compiled.binary import I32, Function
from lawspeaker.machines.compiled.clause_facts import PLAIN, Shapes
from lawspeaker.machines.compiled.function import Code
from lawspeaker.machines.compiled.plan import sentinel
from lawspeaker.machines.compiled.stack import NOWHERE, Stack
from lawspeaker.machines.compiled.unit import Unit
from lawspeaker.machines.lower import messages
from lawspeaker.machines.middle.forms import Variable

WAITS, ENDS = 1, 2
Write = Callable[["ClauseCode", Any], None]

_FRAME_WORDS = 4
"""So many words a frame has, and one more than that, besides its slots."""


class ClauseCode(Code):
    """The code of a clause."""

    writers: ClassVar[dict[type[ir.Statement], Write]] = {}

    def __init__(
        self, unit: Unit, shapes: Shapes, clause: ir.Clause, b: Stack, running: bool
    ) -> None:
        super().__init__(unit, b, clause.index)
        self.shapes = shapes
        self.own = clause
        self.waits = shapes.waits[clause.index] and not running
        self.speaks = self.waits or shapes.ends[clause.index]
        self.returned = shapes.returned[clause.index]
        self.kinds = shapes.kinds(clause)
        self.rooms = shapes.rooms(clause)
        self.buffers: dict[int, Variable] = {}
        self.target = self.local()
        self.point = self.local()
        self.next_point = 1
        self.end = NOWHERE
        self.leave = NOWHERE
        self.outer: ClauseCode | None = None

    # ------------------------------------------------------------ the whole

    def write(self) -> None:
        b = self.b
        for slot in range(self.own.parameters):
            self.slots[slot] = b.given[slot + int(self.waits)]
        if not (self.waits and self.unit.stepping):
            with self.scoped():
                self._write_body()
            self._return(0)
            return
        before = self.local()
        b.get(self.unit.top)
        b.set(before)
        with b.block() as leave:
            self.leave = leave
            self._write_body()
            b.get(before)
            b.set(self.unit.top)
            self._return(0)
        self._save()
        b.get(before)
        b.set(self.unit.top)
        self._return(WAITS)

    def _write_body(self) -> None:
        with self.b.block() as end:
            self.end = end
            self._begin()
            if self.unit.lowered.due(self.clause):
                self.here(self._pay_for_itself)
            self.block(self.own.body)

    def _pay_for_itself(self) -> None:
        self.pay(self.unit.lowered.due(self.clause), self.own.span)

    def write_inside(self, outer: ClauseCode) -> None:
        """Writes a clause that runs through where it is done, in the function of another one. Its
        arguments are in its slots."""
        self.outer = outer
        self._write_body()

    def around(self) -> list[int]:
        """The clauses that are being written at the moment, this one and those around it."""
        return [self.clause, *([] if self.outer is None else self.outer.around())]

    def _return(self, status: int) -> None:
        if self.speaks:
            self.b.const(status)
        for slot in self.returned:
            self.b.get(self.slot(slot))
        self.b.op("return")

    def return_ended(self) -> None:
        if self.outer is None:
            self._return(ENDS)
        else:
            self.outer.return_ended()

    def _begin(self) -> None:
        """Gives every slot its first value, or what the frame says."""
        b = self.b
        for slot, room in self.rooms.items():
            self.buffers[slot] = self.reserve(room)
        for slot in range(self.own.parameters, len(self.own.slots)):
            b.const(self.nothing_in(slot))
            b.set(self.slot(slot))
        if self.waits:
            b.get(b.given[0])
            with b.if_():
                self._load()

    def nothing_in(self, slot: int) -> int:
        """What a slot holds before it is given something."""
        return sentinel(self.own.slots[slot].type) if self.kinds[slot] == PLAIN else 0

    def _plain_slots(self) -> list[int]:
        return [slot for slot, kind in enumerate(self.kinds) if kind == PLAIN]

    def _block_slots(self) -> list[int]:
        return [slot for slot, kind in enumerate(self.kinds) if kind != PLAIN]

    def _save(self) -> None:
        """Writes the frame: clause, point, plain slots, lists, and how long it is."""
        b, unit, at = self.b, self.unit, self.local()
        plain = self._plain_slots()
        b.get(unit.saved)
        b.const(self.plan.frames_end - 4 * (len(self.own.slots) + _FRAME_WORDS))
        b.op("i32.gt_u")
        self.fault_if(messages.NO_ROOM, self.own.span)
        b.get(unit.saved)
        b.const(self.clause)
        b.store()
        b.get(unit.saved)
        b.get(self.point)
        b.store(4)
        for number, slot in enumerate(plain):
            b.get(unit.saved)
            b.get(self.slot(slot))
            b.store(8 + 4 * number)
        b.get(unit.saved)
        b.const(8 + 4 * len(plain))
        b.op("i32.add")
        b.set(at)
        for slot in self._block_slots():
            b.get(self.slot(slot))
            b.get(at)
            b.call(lists.save(unit, _last_list(unit)))
            b.set(at)
        b.get(at)
        b.get(at)
        b.const(4)
        b.op("i32.add")
        b.get(unit.saved)
        b.op("i32.sub")
        b.store()
        b.get(at)
        b.const(4)
        b.op("i32.add")
        b.set(unit.saved)

    def _load(self) -> None:
        b, unit, at = self.b, self.unit, self.local()
        self.f.taken += 1  # lists may be loaded into it
        b.get(unit.saved)
        b.get(unit.saved)
        b.const(4)
        b.op("i32.sub")
        b.load()
        b.op("i32.sub")
        b.tee(at)
        b.set(unit.saved)
        b.get(at)
        b.load(4)
        b.set(self.target)
        plain = self._plain_slots()
        for number, slot in enumerate(plain):
            b.get(at)
            b.load(8 + 4 * number)
            b.set(self.slot(slot))
        b.get(at)
        b.const(8 + 4 * len(plain))
        b.op("i32.add")
        b.set(at)
        for slot in self._block_slots():
            b.get(at)
            if slot in self.buffers:
                b.get(self.buffers[slot])
            else:
                b.const(0)
            b.call(lists.load(unit))
            b.set(self.slot(slot))
            b.get(at)
            b.call(lists.after(unit))
            b.set(at)

    # ------------------------------------------------------------ statements

    def block(self, block: ir.Block) -> None:
        """Statements in order; what lies before the point on the way is skipped."""
        plain: list[ir.Statement] = []
        for deed in block:
            inside = self.points((deed,))
            if not inside:
                plain.append(deed)
                continue
            self._run(plain)
            plain = []
            self.b.get(self.target)
            self.b.const(self.next_point + inside - 1)
            self.b.op("i32.le_u")
            with self.b.if_():
                self.statement(deed)
        self._run(plain)

    def _run(self, deeds: Sequence[ir.Statement]) -> None:
        if not deeds:
            return

        def write() -> None:
            for deed in deeds:
                self.statement(deed)

        self.here(write)

    def points(self, block: ir.Block) -> int:
        """How many points there are in a block at which it may have to be taken up."""
        return self.shapes.points(block) if self.waits else 0

    def here(self, write: Callable[[], None]) -> None:
        """Done unless the way leads further in."""
        if not self.waits:
            write()
            return
        self.b.get(self.target)
        self.b.op("i32.eqz")
        with self.b.if_():
            write()

    def statement(self, deed: ir.Statement) -> None:
        self.unit.count_work()
        self.writers[type(deed)](self, deed)

    def new_point(self) -> int:
        """The number of the next point."""
        self.next_point += 1
        return self.next_point - 1

    def wait(self, point: int) -> None:
        """Leaves the function; it will be taken up at this point."""
        if not self.unit.stepping:
            self.b.op("unreachable")
            return
        self.b.const(point)
        self.b.set(self.point)
        self.b.br(self.leave)

    def arrived(self) -> None:
        """The point on the way is reached."""
        self.b.const(0)
        self.b.set(self.target)

    def when_answered(self, take: Callable[[], None]) -> None:
        """Takes the answer that was waited for here, unless what waits is worked out again."""
        b, again = self.b, self.unit.again
        b.get(self.target)
        with b.if_():
            self.arrived()
            b.get(again)
            b.op("i32.eqz")
            with b.if_():
                take()
            b.const(0)
            b.set(again)

    def in_range(self, first: int, last: int) -> None:
        """Whether the point on the way is one of these."""
        self.b.get(self.target)
        self.b.const(first)
        self.b.op("i32.sub")
        self.b.const(last - first + 1)
        self.b.op("i32.lt_u")

    def chosen(self, condition: Callable[[], None], inside: int) -> None:
        """Whether a block is to be done: because of a condition, or since the way leads there."""
        b = self.b
        if not self.waits:
            condition()
            return
        if not inside:
            b.get(self.target)
            b.op("i32.eqz")
            with b.if_(I32):
                condition()
                b.else_()
                b.const(0)
            return
        b.get(self.target)
        with b.if_(I32):
            self.in_range(self.next_point, self.next_point + inside - 1)
            b.else_()
            condition()

    def assign(self, slot: int) -> None:
        """Puts the value on the stack into a slot; a list is copied, so that it stays."""
        if slot in self.buffers:
            self.b.get(self.buffers[slot])
            self.b.call(lists.copy_over(self.unit))
        self.b.set(self.slot(slot))

    def clear(self, slot: int) -> None:
        """What was in a slot of a loop is of no more use."""
        if slot < 0 or not self.waits:
            return
        self.b.const(self.nothing_in(slot))
        self.b.set(self.slot(slot))


def _last_list(unit: Unit) -> int:
    """Where a list may end in a frame: at least a word is left for each list that comes after it,
    and the end of the frame."""
    most = max(len(clause.slots) for clause in unit.program.clauses)
    return unit.plan.frames_end - 4 * (most + _FRAME_WORDS)


def clause_function(unit: Unit, shapes: Shapes, number: int, *, running: bool = False) -> Function:
    """The function of a clause: (resuming, if it can be taken up, arguments …)."""
    clause = unit.program.clauses[number]
    waits = shapes.waits[number] and not running
    results = int(waits or shapes.ends[number]) + len(shapes.returned[number])

    def write(b: Stack) -> None:
        ClauseCode(unit, shapes, clause, b, running).write()

    name = "running" if running else "clause"
    return unit.made((name, clause.id), clause.parameters + int(waits), results, write)
