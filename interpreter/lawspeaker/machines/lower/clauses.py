"""Lowers the statements of a clause to numbered operations.

An operation records the slots it reads and writes and the labels it may branch to. When all labels
are placed they become numbers, and a backward liveness analysis finds the live slots at each
operation. A condition known at compile time is no operation: only one branch is emitted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from lawspeaker import ir
from lawspeaker.base.braces import names_in
from lawspeaker.base.work import on
from lawspeaker.ir.cost import Costs, Listing
from lawspeaker.ir.dependence import Dependence
from lawspeaker.ir.walk import bound_slots, everything, slots_read
from lawspeaker.machines.lower.guards import GuardPlan, Guards
from lawspeaker.machines.lower.operations import Kind, Lowered, Operation
from lawspeaker.position.layout import Value

Constant = Callable[[ir.Expr], tuple[Value] | None]
"""Returns the value of a constant expression, in a tuple; or None."""

_NO_SLOTS: frozenset[int] = frozenset()
_PAYING: dict[type[ir.Statement], Kind] = {
    ir.ForEach: Kind.LIST,
    ir.Repeat: Kind.AGAIN,
    ir.RepeatUntil: Kind.AGAIN,
    ir.Rank: Kind.NEXT,
    ir.Draw: Kind.DRAW,
    ir.Move: Kind.EFFECT,
    ir.MoveSome: Kind.EFFECT,
}
"""The operation that charges the budget, by statement that repeats something."""


def lowered(costs: Costs, depends: Dependence, guards: Guards, constant: Constant) -> Lowered:
    """Lowers a program, for a number of players. `constant` decides which branches are dropped;
    costs do not depend on it."""
    program = costs.program
    returned: dict[int, set[int]] = {}
    for clause in program.clauses:
        for deed in everything(clause.body):
            if isinstance(deed, ir.Do):
                returned.setdefault(deed.clause, set()).update(theirs for theirs, _ in deed.returns)
    clauses, code, entry = [], [], []
    for clause in program.clauses:
        on(clause.span)
        writer = _Writer(program, clause, depends, guards, constant, costs)
        with costs.inside(clause):
            body, operations = writer.whole(frozenset(returned.get(clause.index, ())))
        entry.append(costs.clause(clause.index))
        clauses.append(replace(clause, body=body))
        code.append(operations)
    return Lowered(replace(program, clauses=tuple(clauses)), tuple(code), tuple(entry))


class _Label:
    """A position in the code, known once everything is emitted."""

    __slots__ = ("at",)

    def __init__(self) -> None:
        self.at = -1


@dataclass(slots=True)
class _Step:
    """An operation under construction; None among the exits is the next one."""

    kind: Kind
    deed: ir.Statement | None
    reads: frozenset[int]
    writes: frozenset[int]
    exits: tuple[_Label | None, ...]
    cost: int = 0
    listing: Listing | None = None
    guards: tuple[GuardPlan, ...] = ()


@dataclass(slots=True)
class _Writer:
    """Emits the operations of one clause."""

    program: ir.Program
    clause: ir.Clause
    depends: Dependence
    guards: Guards
    constant: Constant
    costs: Costs
    steps: list[_Step] = field(default_factory=list)
    end: _Label = field(default_factory=_Label)

    def whole(self, returned: frozenset[int]) -> tuple[ir.Block, tuple[Operation, ...]]:
        """Returns the numbered statements and the operations of the clause."""
        body = self.block(self.clause.body)
        self.place(self.end)
        self.emit(Kind.LEAVE, None, exits=())
        live, after = self._live(returned)
        operations = [
            Operation(
                at,
                step.kind,
                step.deed,
                self._exits(at),
                live[at],
                after[at] - step.writes,
                step.cost,
                step.listing,
                step.guards,
            )
            for at, step in enumerate(self.steps)
        ]
        return body, tuple(operations)

    def block(self, block: ir.Block) -> ir.Block:
        return tuple([each for deed in block for each in self.statement(deed)])

    def statement(self, deed: ir.Statement) -> ir.Block:
        """Lowers a statement; returns it with its number and those inside it."""
        if isinstance(deed, ir.If):
            known = self.constant(deed.condition)
            if known is not None:
                return self.block(deed.then if known[0] else deed.otherwise)
        first = len(self.steps)
        numbered: ir.Statement = WRITERS[type(deed)](self, deed)
        numbered = replace(numbered, at=first)
        own = [step for step in self.steps[first:] if step.deed is deed]
        for step in own:
            step.deed = numbered
            if _PAYING.get(type(numbered)) is step.kind:
                step.cost = self.costs.each(numbered)
        if isinstance(numbered, ir.Ask):
            listing = self.costs.listing(numbered)
            guards = tuple(
                self.guards.plan(each, self.clause.index) for each in numbered.alternatives
            )
            for step in own:
                step.listing, step.guards = listing, guards
        return (numbered,)

    def emit(
        self,
        kind: Kind,
        deed: ir.Statement | None,
        *,
        reads: Iterable[Any] = (),
        slots: Iterable[int] = (),
        writes: Iterable[int] = (),
        exits: tuple[_Label | None, ...] = (None,),
    ) -> None:
        """Emits an operation that reads some expressions (and slots) and writes some slots."""
        nodes = [node for node in reads if node is not None]
        bound = _NO_SLOTS.union(*(bound_slots(node) for node in nodes))
        free = _NO_SLOTS.union(*(self.depends.free(node) for node in nodes)) - bound
        self.steps.append(_Step(kind, deed, free.union(slots), bound.union(writes), exits))

    def place(self, label: _Label) -> None:
        """Places the label before the next operation."""
        label.at = len(self.steps)

    def jump(self, label: _Label, deed: ir.Statement) -> None:
        self.emit(Kind.JUMP, deed, exits=(label,))

    # ------------------------------------------------------------ successors and liveness

    def _exits(self, at: int) -> tuple[int, ...]:
        """Returns the successors of an operation, with jumps resolved."""
        return tuple(map(self._beyond_jumps, self._targets(at)))

    def _targets(self, at: int) -> list[int]:
        return [at + 1 if label is None else label.at for label in self.steps[at].exits]

    def _beyond_jumps(self, at: int) -> int:
        for _ in self.steps:
            if self.steps[at].kind is not Kind.JUMP:
                break
            [at] = self._targets(at)
        return at

    def _live(self, returned: frozenset[int]) -> tuple[list[frozenset[int]], list[frozenset[int]]]:
        """Returns the live slots before and after each operation: iterates backwards to a fixed
        point."""
        steps = self.steps
        live = [_NO_SLOTS] * len(steps)
        after = [_NO_SLOTS] * len(steps)
        after[self.end.at] = returned
        changed = True
        while changed:
            changed = False
            for at in range(len(steps) - 1, -1, -1):
                if steps[at].exits:
                    after[at] = _NO_SLOTS.union(*(live[to] for to in self._targets(at)))
                now = steps[at].reads | (after[at] - steps[at].writes)
                if now != live[at]:
                    live[at] = now
                    changed = True
        return live, after


# ---------------------------------------------------------------- simple statements


def _set_local(w: _Writer, deed: ir.SetLocal) -> ir.Statement:
    w.emit(Kind.EFFECT, deed, reads=[deed.value], writes=[deed.slot])
    return deed


def _set_marker(w: _Writer, deed: ir.SetMarker) -> ir.Statement:
    w.emit(Kind.EFFECT, deed, reads=[*deed.indices, deed.value])
    return deed


def _set_state(w: _Writer, deed: ir.SetState) -> ir.Statement:
    w.emit(Kind.EFFECT, deed, reads=[deed.of, *deed.indices, deed.value])
    return deed


def _score(w: _Writer, deed: ir.Score) -> ir.Statement:
    w.emit(Kind.EFFECT, deed, reads=[deed.who, deed.points])
    return deed


def _move(w: _Writer, deed: ir.Move) -> ir.Statement:
    w.emit(Kind.EFFECT, deed, reads=[deed.what, deed.to])
    return deed


def _move_some(w: _Writer, deed: ir.MoveSome) -> ir.Statement:
    w.emit(Kind.EFFECT, deed, reads=[deed.binder, deed.most, deed.to])
    return deed


def _shuffle(w: _Writer, deed: ir.Shuffle) -> ir.Statement:
    w.emit(Kind.EFFECT, deed, reads=[deed.place])
    return deed


def _tell(w: _Writer, deed: ir.Tell) -> ir.Statement:
    w.emit(Kind.EFFECT, deed, reads=[deed.who, deed.what])
    return deed


def _remember(w: _Writer, deed: ir.Remember) -> ir.Statement:
    w.emit(Kind.EFFECT, deed)
    return deed


def _pick(w: _Writer, deed: ir.Pick) -> ir.Statement:
    w.emit(Kind.PICK, deed, reads=[deed.binder], writes=[deed.binder.slot])
    return deed


def _do(w: _Writer, deed: ir.Do) -> ir.Statement:
    w.emit(Kind.CALL, deed, reads=deed.arguments, writes=[ours for _, ours in deed.returns])
    return deed


def _finish(w: _Writer, deed: ir.Finish) -> ir.Statement:
    w.jump(w.end, deed)
    return deed


def _end_game(w: _Writer, deed: ir.EndGame) -> ir.Statement:
    w.emit(Kind.END, deed, reads=[deed.winners], exits=())
    return deed


# ---------------------------------------------------------------- compound statements


def _if(w: _Writer, deed: ir.If) -> ir.Statement:
    no, done = _Label(), _Label()
    w.emit(Kind.BRANCH, deed, reads=[deed.condition], exits=(None, no))
    then = w.block(deed.then)
    if deed.otherwise:
        w.jump(done, deed)
    w.place(no)
    otherwise = w.block(deed.otherwise)
    w.place(done)
    return replace(deed, then=then, otherwise=otherwise)


def _for_each(w: _Writer, deed: ir.ForEach) -> ir.Statement:
    binder, kept = deed.binder, [deed.list_slot, deed.index_slot]
    again, done = _Label(), _Label()
    w.emit(Kind.LIST, deed, reads=[binder.source], writes=kept)
    w.place(again)
    asked = [] if binder.where is None else [ir.Filter(binder.type, binder)]
    exits = (None, done)
    w.emit(Kind.NEXT, deed, reads=asked, slots=kept, writes=[binder.slot], exits=exits)
    body = w.block(deed.body)
    w.jump(again, deed)
    w.place(done)
    return replace(deed, body=body)


def _repeat(w: _Writer, deed: ir.Repeat) -> ir.Statement:
    again, done = _Label(), _Label()
    w.emit(Kind.COUNT, deed, reads=[deed.times], writes=[deed.left_slot])
    w.place(again)
    w.emit(Kind.AGAIN, deed, slots=[deed.left_slot], exits=(None, done))
    body = w.block(deed.body)
    w.jump(again, deed)
    w.place(done)
    return replace(deed, body=body)


def _repeat_until(w: _Writer, deed: ir.RepeatUntil) -> ir.Statement:
    again, done = _Label(), _Label()
    w.emit(Kind.COUNT, deed, reads=[deed.most], writes=[deed.left_slot])
    w.place(again)
    w.emit(Kind.AGAIN, deed, slots=[deed.left_slot])
    body = w.block(deed.body)
    w.emit(Kind.UNTIL, deed, reads=[deed.condition], exits=(None, done))
    w.jump(again, deed)
    w.place(done)
    return replace(deed, body=body)


def _rank(w: _Writer, deed: ir.Rank) -> ir.Statement:
    kept, told = [deed.list_slot, deed.index_slot], [deed.tied_slot, deed.place_slot]
    again, done = _Label(), _Label()
    keys = ir.Collect(deed.binder.type, deed.binder, deed.key)
    w.emit(Kind.LIST, deed, reads=[keys], writes=kept)
    w.place(again)
    w.emit(Kind.NEXT, deed, slots=kept, writes=[*told, deed.tier_slot], exits=(None, done))
    body = w.block(deed.body)
    w.jump(again, deed)
    w.place(done)
    return replace(deed, body=body)


def _draw(w: _Writer, deed: ir.Draw) -> ir.Statement:
    missing, done = _Label(), _Label()
    left = deed.loop_slot
    w.emit(Kind.COUNT, deed, reads=[deed.count], writes=[left])
    # A draw does not read its slot: an earlier piece kept in `live` would show in views.
    nodes, exits = [deed.source, deed.to], (missing, done)
    w.emit(Kind.DRAW, deed, reads=nodes, slots=[left], writes=[deed.slot, left], exits=exits)
    w.place(missing)
    otherwise = None if deed.otherwise is None else w.block(deed.otherwise)
    w.place(done)
    return replace(deed, otherwise=otherwise)


def _ask(w: _Writer, deed: ir.Ask) -> ir.Statement:
    starts = tuple(_Label() for _ in deed.alternatives)
    otherwise, again, done = _Label(), _Label(), _Label()
    reads, own = _of_question(w, deed)
    if deed.each is None:
        w.emit(Kind.ASK, deed, slots=reads, writes=own, exits=(*starts, otherwise))
        after = done
    else:
        kept = [deed.replies_slot, deed.index_slot]
        w.emit(Kind.ASK_ALL, deed, reads=[deed.each], slots=reads, writes=kept)
        w.place(again)
        exits = (*starts, otherwise, done)
        w.emit(Kind.REPLY, deed, slots=[*kept, *reads], writes=own, exits=exits)
        after = again
    alternatives = []
    for start, alternative in zip(starts, deed.alternatives, strict=True):
        w.place(start)
        alternatives.append(replace(alternative, body=w.block(alternative.body)))
        w.jump(after, deed)
    w.place(otherwise)
    rest = None if deed.otherwise is None else w.block(deed.otherwise)
    if deed.each is not None:
        w.jump(after, deed)
    w.place(done)
    return replace(deed, alternatives=tuple(alternatives), otherwise=rest)


def _of_question(w: _Writer, deed: ir.Ask) -> tuple[set[int], set[int]]:
    """Returns the slots that a question reads, and those that it writes during the search for
    options."""
    own = {part.set_slot for alt in deed.alternatives for part in alt.parts if part.several}
    nodes: list[Any] = [deed.who, *deed.private]
    for alternative in deed.alternatives:
        for part in alternative.parts:
            nodes += [part.binder, part.least, part.most]
        guards = (*alternative.guards, *sum(alternative.member_guards, ()))
        nodes += [guard.condition for guard in guards]
    nodes = [node for node in nodes if node is not None]
    own = own.union(*(bound_slots(node) for node in nodes))
    if deed.each is not None:
        own.add(deed.each.slot)
    return (set(slots_read(tuple(nodes))) | _told(w, deed)) - own, own


def _told(w: _Writer, deed: ir.Ask) -> set[int]:
    """Returns the slots that the text of a question refers to."""
    texts = w.program.clauses[deed.clause].asks.values()
    names = set().union(*map(names_in, texts))
    return {number for number, slot in enumerate(w.clause.slots) if slot.name in names}


WRITERS: dict[type[ir.Statement], Callable[[_Writer, Any], ir.Statement]] = {
    ir.SetLocal: _set_local,
    ir.SetMarker: _set_marker,
    ir.SetState: _set_state,
    ir.Score: _score,
    ir.Move: _move,
    ir.MoveSome: _move_some,
    ir.Draw: _draw,
    ir.Shuffle: _shuffle,
    ir.Remember: _remember,
    ir.Pick: _pick,
    ir.Tell: _tell,
    ir.Do: _do,
    ir.Finish: _finish,
    ir.EndGame: _end_game,
    ir.If: _if,
    ir.ForEach: _for_each,
    ir.Repeat: _repeat,
    ir.RepeatUntil: _repeat_until,
    ir.Rank: _rank,
    ir.Ask: _ask,
}
