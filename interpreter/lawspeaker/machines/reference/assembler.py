"""Writes a clause as a flat list of operations with jumps.

An operation is a closure `(state, slots) -> position of the next one`. A negative answer means
that the frames have changed (`SWITCH`) or that the game waits (`PAUSE`). Since all that goes on
is in frames (clause, position, slots), a game can stop at any question and be copied or saved.

For each operation it is noted how to make it once the labels are placed, and which slots it
reads and writes. From the latter follows which slots still matter at a position (`live`): what
the others hold is of no more use, and is not shown to anybody. Jumps cost nothing: whoever
would go to a jump goes where it leads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from lawspeaker import ir
from lawspeaker.ir.walk import bound_slots
from lawspeaker.machines.reference.chance import Stroke
from lawspeaker.machines.reference.evaluate import Evaluator, Slots
from lawspeaker.machines.reference.questions import Question
from lawspeaker.position.fault import RuleFault
from lawspeaker.position.state import State

Op = Callable[[State, Slots], int]
Make = Callable[[int], Op]

SWITCH = -1
PAUSE = -2
NO_SLOTS: frozenset[int] = frozenset()


class Label:
    """A position in the code, known once everything is written."""

    __slots__ = ("at",)

    def __init__(self) -> None:
        self.at = -1


class Code:
    """The operations of a clause, and by position what there is to know about some of them.

    `bodies`: where each alternative of a question goes on, and last where `otherwise` does.
    `calls`: the clause that is done. `after`: where a call or a stroke of luck goes on.
    `returns`: what is taken over from a call.
    `live`: the slots that matter before an operation; `live_after`: those that it leaves alone
    and that matter after it.
    """

    def __init__(self) -> None:
        self.ops: list[Op] = []
        self.questions: dict[int, Question] = {}
        self.bodies: dict[int, list[int]] = {}
        self.luck: dict[int, Stroke] = {}
        self.after: dict[int, int] = {}
        self.calls: dict[int, int] = {}
        self.returns: dict[int, tuple[tuple[int, int], ...]] = {}
        self.live: list[frozenset[int]] = []
        self.live_after: list[frozenset[int]] = []


class _Step:
    """An operation to be made; `exits` are the labels it may go to, None for the next one."""

    __slots__ = ("exits", "make", "reads", "writes")

    def __init__(
        self,
        make: Make,
        reads: frozenset[int],
        writes: frozenset[int],
        exits: tuple[Label | None, ...],
    ) -> None:
        self.make = make
        self.reads = reads
        self.writes = writes
        self.exits = exits


Writers = Mapping[type[ir.Statement], Callable[["Assembler", Any], None]]


class Assembler:
    def __init__(
        self,
        ev: Evaluator,
        clause: ir.Clause,
        writers: Writers,
        codes: list[Code],
        returned: frozenset[int],
    ) -> None:
        self.ev = ev
        self.layout = ev.layout
        self.clause = clause
        self.number = clause.index
        self.codes = codes
        self.code = Code()
        self.end = Label()
        self._writers = writers
        self._returned = returned
        self._steps: list[_Step] = []
        self._jumps: dict[int, Label] = {}

    def assemble(self, leave: Op) -> Code:
        self.ev.clause = self.number
        self.block(self.clause.body)
        self.place(self.end)
        self.emit(lambda at: leave, exits=())
        self.code.ops = [step.make(at) for at, step in enumerate(self._steps)]
        self._find_live()
        return self.code

    def emit(
        self,
        make: Make,
        *,
        reads: Iterable[Any] = (),
        slots: Iterable[int] = (),
        writes: Iterable[int] = (),
        exits: tuple[Label | None, ...] = (None,),
    ) -> None:
        """Adds an operation that reads some expressions (and slots) and writes some slots."""
        nodes = [node for node in reads if node is not None]
        bound = NO_SLOTS.union(*(bound_slots(node) for node in nodes))
        free = NO_SLOTS.union(*(self.ev.depends.free(node) for node in nodes)) - bound
        self._steps.append(_Step(make, free.union(slots), bound.union(writes), exits))

    def place(self, label: Label) -> None:
        """The label stands before the next operation."""
        label.at = len(self._steps)

    def jump(self, label: Label) -> None:
        self._jumps[len(self._steps)] = label
        target: Callable[[], int] = lambda: self.goto(label.at)  # noqa: E731
        self.emit(lambda at: _jump(target()), exits=(label,))

    def goto(self, at: int) -> int:
        """Where one gets to from a position, jumps followed."""
        for _ in range(len(self._jumps) + 1):
            if at not in self._jumps:
                break
            at = self._jumps[at].at
        return at

    def fault(self, message: str, node: Any) -> Callable[[], RuleFault]:
        return self.ev.fault(message, node.span)

    def block(self, block: ir.Block) -> None:
        for statement in block:
            self._writers[type(statement)](self, statement)

    def _find_live(self) -> None:
        """Goes backwards through the operations until nothing changes any more."""
        steps = self._steps
        exits = [
            [at + 1 if exit_ is None else exit_.at for exit_ in step.exits]
            for at, step in enumerate(steps)
        ]
        live = [NO_SLOTS] * len(steps)
        after = [NO_SLOTS] * len(steps)
        after[self.end.at] = self._returned
        changed = True
        while changed:
            changed = False
            for at in range(len(steps) - 1, -1, -1):
                if exits[at]:
                    after[at] = NO_SLOTS.union(*(live[to] for to in exits[at]))
                now = steps[at].reads | (after[at] - steps[at].writes)
                if now != live[at]:
                    live[at] = now
                    changed = True
        self.code.live = live
        self.code.live_after = [a - step.writes for a, step in zip(after, steps, strict=True)]


def _jump(target: int) -> Op:
    return lambda s, f: target
