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
from functools import partial
from typing import Any, ClassVar

from lawspeaker import ir
from lawspeaker.machines.compiled.compile.function import Code
from lawspeaker.machines.compiled.runtime import lists
from lawspeaker.machines.compiled.runtime.held import Held
from lawspeaker.machines.compiled.runtime.plan import sentinel
from lawspeaker.machines.compiled.runtime.unit import Unit
from lawspeaker.machines.lower import messages
from lawspeaker.machines.lower.operations import Kind
from lawspeaker.machines.middle.forms import Expr, Function, Label, Variable, const, not_, word
from lawspeaker.machines.planned.clause_facts import PLAIN

WAITS, ENDS = 1, 2
Write = Callable[["ClauseCode", Any], None]

_NOWHERE = Label("nowhere")
"""Stands for a label that is not there yet."""


class ClauseCode(Code):
    """The code of a clause."""

    writers: ClassVar[dict[type[ir.Statement], Write]] = {}

    def __init__(self, unit: Unit, clause: ir.Clause, f: Held, running: bool) -> None:
        super().__init__(unit, f, clause.index)
        facts = unit.facts
        self.own = clause
        self.waits = facts.waits[clause.index] and not running
        self.speaks = self.waits or facts.ends[clause.index]
        self.returned = facts.returned[clause.index]
        self.kinds = facts.kinds(clause)
        self.rooms = facts.rooms(clause)
        self.buffers: dict[int, Variable] = {}
        self.changes = f.variable("changes")  # before what is under way, where somebody watches
        self.target = f.variable("target")
        self.point = f.variable("point")
        self.next_point = 1
        self.end = _NOWHERE
        self.leave = _NOWHERE
        self.outer: ClauseCode | None = None

    # ------------------------------------------------------------ the whole

    def write(self) -> None:
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
        """Writes a clause that runs through where it is done, in the function of another one. Its
        arguments are in its slots."""
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
                # To end the game is to change something.
                self.f.add(word(self.plan.times + 4 * self.clause), 1)
            self.outer.return_ended()

    def _begin(self) -> None:
        """Gives every slot its first value, or what the frame says."""
        f = self.f
        for slot, room in self.rooms.items():
            self.buffers[slot] = self.reserve(room)
        for slot in range(self.own.parameters, len(self.own.slots)):
            f.set(self.slot(slot), self.nothing_in(slot))
        if self.waits:
            with f.if_(f.parameters[0]):
                self._load()

    def nothing_in(self, slot: int) -> int:
        """What a slot holds before it is given something."""
        return sentinel(self.own.slots[slot].type) if self.kinds[slot] == PLAIN else 0

    def _plain_slots(self) -> list[int]:
        return [slot for slot, kind in enumerate(self.kinds) if kind == PLAIN]

    def _kept(self) -> list[Variable]:
        """What a frame keeps in words: the plain slots, and of a game that is left and watched also
        how much had changed before what is under way."""
        purpose = self.unit.purpose
        watched = [self.changes] if purpose.in_turns and purpose.watching else []
        return [*map(self.slot, self._plain_slots()), *watched]

    def _block_slots(self) -> list[int]:
        return [slot for slot, kind in enumerate(self.kinds) if kind != PLAIN]

    def _save(self) -> None:
        """Writes the frame: clause, point, plain slots, lists, and how long it is."""
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
        f.taken += 1  # lists may be loaded into it
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
        """Statements in order; what lies before the point on the way is skipped."""
        plain: list[ir.Statement] = []
        for deed in block:
            inside = self.points((deed,))
            if not inside:
                plain.append(deed)
                continue
            self._run(plain)
            plain = []
            with self.f.if_(not_(self.target.above(self.next_point + inside - 1))):
                self.statement(deed)
        self._run(plain)

    def _run(self, deeds: Sequence[ir.Statement]) -> None:
        if not deeds:
            return

        self.here(partial(self.steadily, deeds))

    def points(self, block: ir.Block) -> int:
        """How many points there are in a block at which it may have to be taken up."""
        return self.unit.facts.points(block) if self.waits else 0

    def here(self, write: Callable[[], None]) -> None:
        """Done unless the way leads further in."""
        if not self.waits:
            write()
            return
        with self.f.if_(self.target == 0):
            write()

    def statement(self, deed: ir.Statement) -> None:
        self.unit.count_work()
        self.writers[type(deed)](self, deed)

    def steadily(self, block: Sequence[ir.Statement]) -> None:
        """Statements of a loop in which nothing waits: no way leads into them."""
        for deed in block:
            self.statement(deed)

    def cost(self, deed: ir.Statement, kind: Kind) -> int:
        """What each round of a loop is paid with."""
        return self.unit.operation(self.clause, deed, kind).cost

    def new_point(self) -> int:
        """The number of the next point."""
        self.next_point += 1
        return self.next_point - 1

    def wait(self, point: int) -> None:
        """Leaves the function; it will be taken up at this point."""
        if not self.unit.purpose.waits:
            self.f.stop()
            return
        self.f.set(self.point, point)
        self.f.leave(self.leave)

    def arrived(self) -> None:
        """The point on the way is reached."""
        self.f.set(self.target, 0)

    def when_answered(self, take: Callable[[], None]) -> None:
        """Takes the answer that was waited for here, unless what waits is worked out again."""
        f, again = self.f, self.unit.again
        with f.if_(self.target):
            self.arrived()
            with f.if_(again == 0):
                take()
            f.set(again, 0)

    def chosen(self, condition: Callable[[], Expr], inside: int) -> Expr:
        """Whether a block is to be done: because of a condition, or since the way leads there."""
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
        """Puts a value into a slot; a list is copied, so that it stays."""
        if slot in self.buffers:
            value = lists.copy_over(self.unit)(value, self.buffers[slot])
        self.f.set(self.slot(slot), value)

    def clear(self, slot: int) -> None:
        """What was in a slot of a loop is of no more use."""
        if slot >= 0 and self.waits:
            self.f.set(self.slot(slot), self.nothing_in(slot))


def clause_function(unit: Unit, number: int, *, running: bool = False) -> Function:
    """The function of a clause: (resuming, if it can be taken up, arguments …)."""
    clause = unit.program.clauses[number]
    waits = unit.facts.waits[number] and not running
    results = int(waits or unit.facts.ends[number]) + len(unit.facts.returned[number])

    def write(f: Held) -> None:
        ClauseCode(unit, clause, f, running).write()

    name = "running" if running else "clause"
    return unit.made(unit.key(name, clause), clause.parameters + int(waits), results, write)
