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
        for statement in everything(clause.body):
            if isinstance(statement, ir.Do):
                returned.setdefault(statement.clause, set()).update(
                    theirs for theirs, _ in statement.returns
                )
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
    statement: ir.Statement | None
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
                step.statement,
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
        return tuple([each for statement in block for each in self.statement(statement)])

    def statement(self, statement: ir.Statement) -> ir.Block:
        """Lowers a statement; returns it with its number and those inside it."""
        if isinstance(statement, ir.If):
            known = self.constant(statement.condition)
            if known is not None:
                return self.block(statement.then if known[0] else statement.otherwise)
        first = len(self.steps)
        numbered: ir.Statement = WRITERS[type(statement)](self, statement)
        numbered = replace(numbered, at=first)
        own = [step for step in self.steps[first:] if step.statement is statement]
        for step in own:
            step.statement = numbered
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
        statement: ir.Statement | None,
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
        self.steps.append(_Step(kind, statement, free.union(slots), bound.union(writes), exits))

    def place(self, label: _Label) -> None:
        """Places the label before the next operation."""
        label.at = len(self.steps)

    def jump(self, label: _Label, statement: ir.Statement) -> None:
        self.emit(Kind.JUMP, statement, exits=(label,))

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


def _set_local(w: _Writer, statement: ir.SetLocal) -> ir.Statement:
    w.emit(Kind.EFFECT, statement, reads=[statement.value], writes=[statement.slot])
    return statement


def _set_marker(w: _Writer, statement: ir.SetMarker) -> ir.Statement:
    w.emit(Kind.EFFECT, statement, reads=[*statement.indices, statement.value])
    return statement


def _set_state(w: _Writer, statement: ir.SetState) -> ir.Statement:
    w.emit(Kind.EFFECT, statement, reads=[statement.of, *statement.indices, statement.value])
    return statement


def _score(w: _Writer, statement: ir.Score) -> ir.Statement:
    w.emit(Kind.EFFECT, statement, reads=[statement.who, statement.points])
    return statement


def _move(w: _Writer, statement: ir.Move) -> ir.Statement:
    w.emit(Kind.EFFECT, statement, reads=[statement.what, statement.to])
    return statement


def _move_some(w: _Writer, statement: ir.MoveSome) -> ir.Statement:
    w.emit(Kind.EFFECT, statement, reads=[statement.binder, statement.most, statement.to])
    return statement


def _shuffle(w: _Writer, statement: ir.Shuffle) -> ir.Statement:
    w.emit(Kind.EFFECT, statement, reads=[statement.place])
    return statement


def _tell(w: _Writer, statement: ir.Tell) -> ir.Statement:
    w.emit(Kind.EFFECT, statement, reads=[statement.who, statement.what])
    return statement


def _remember(w: _Writer, statement: ir.Remember) -> ir.Statement:
    w.emit(Kind.EFFECT, statement)
    return statement


def _pick(w: _Writer, statement: ir.Pick) -> ir.Statement:
    w.emit(Kind.PICK, statement, reads=[statement.binder], writes=[statement.binder.slot])
    return statement


def _do(w: _Writer, statement: ir.Do) -> ir.Statement:
    w.emit(
        Kind.CALL,
        statement,
        reads=statement.arguments,
        writes=[ours for _, ours in statement.returns],
    )
    return statement


def _finish(w: _Writer, statement: ir.Finish) -> ir.Statement:
    w.jump(w.end, statement)
    return statement


def _end_game(w: _Writer, statement: ir.EndGame) -> ir.Statement:
    w.emit(Kind.END, statement, reads=[statement.winners], exits=())
    return statement


# ---------------------------------------------------------------- compound statements


def _if(w: _Writer, statement: ir.If) -> ir.Statement:
    no, done = _Label(), _Label()
    w.emit(Kind.BRANCH, statement, reads=[statement.condition], exits=(None, no))
    then = w.block(statement.then)
    if statement.otherwise:
        w.jump(done, statement)
    w.place(no)
    otherwise = w.block(statement.otherwise)
    w.place(done)
    return replace(statement, then=then, otherwise=otherwise)


def _for_each(w: _Writer, statement: ir.ForEach) -> ir.Statement:
    binder, kept = statement.binder, [statement.list_slot, statement.index_slot]
    again, done = _Label(), _Label()
    w.emit(Kind.LIST, statement, reads=[binder.source], writes=kept)
    w.place(again)
    asked = [] if binder.where is None else [ir.Filter(binder.type, binder)]
    exits = (None, done)
    w.emit(Kind.NEXT, statement, reads=asked, slots=kept, writes=[binder.slot], exits=exits)
    body = w.block(statement.body)
    w.jump(again, statement)
    w.place(done)
    return replace(statement, body=body)


def _repeat(w: _Writer, statement: ir.Repeat) -> ir.Statement:
    again, done = _Label(), _Label()
    w.emit(Kind.COUNT, statement, reads=[statement.times], writes=[statement.left_slot])
    w.place(again)
    w.emit(Kind.AGAIN, statement, slots=[statement.left_slot], exits=(None, done))
    body = w.block(statement.body)
    w.jump(again, statement)
    w.place(done)
    return replace(statement, body=body)


def _repeat_until(w: _Writer, statement: ir.RepeatUntil) -> ir.Statement:
    again, done = _Label(), _Label()
    w.emit(Kind.COUNT, statement, reads=[statement.most], writes=[statement.left_slot])
    w.place(again)
    w.emit(Kind.AGAIN, statement, slots=[statement.left_slot])
    body = w.block(statement.body)
    w.emit(Kind.UNTIL, statement, reads=[statement.condition], exits=(None, done))
    w.jump(again, statement)
    w.place(done)
    return replace(statement, body=body)


def _rank(w: _Writer, statement: ir.Rank) -> ir.Statement:
    kept, told = (
        [statement.list_slot, statement.index_slot],
        [statement.tied_slot, statement.place_slot],
    )
    again, done = _Label(), _Label()
    keys = ir.Collect(statement.binder.type, statement.binder, statement.key)
    w.emit(Kind.LIST, statement, reads=[keys], writes=kept)
    w.place(again)
    w.emit(
        Kind.NEXT, statement, slots=kept, writes=[*told, statement.tier_slot], exits=(None, done)
    )
    body = w.block(statement.body)
    w.jump(again, statement)
    w.place(done)
    return replace(statement, body=body)


def _draw(w: _Writer, statement: ir.Draw) -> ir.Statement:
    missing, done = _Label(), _Label()
    left = statement.loop_slot
    w.emit(Kind.COUNT, statement, reads=[statement.count], writes=[left])
    # A draw does not read its slot: an earlier piece kept in `live` would show in views.
    nodes, exits = [statement.source, statement.to], (missing, done)
    w.emit(
        Kind.DRAW, statement, reads=nodes, slots=[left], writes=[statement.slot, left], exits=exits
    )
    w.place(missing)
    otherwise = None if statement.otherwise is None else w.block(statement.otherwise)
    w.place(done)
    return replace(statement, otherwise=otherwise)


def _ask(w: _Writer, statement: ir.Ask) -> ir.Statement:
    starts = tuple(_Label() for _ in statement.alternatives)
    otherwise, again, done = _Label(), _Label(), _Label()
    reads, own = _of_question(w, statement)
    if statement.each is None:
        w.emit(Kind.ASK, statement, slots=reads, writes=own, exits=(*starts, otherwise))
        after = done
    else:
        kept = [statement.replies_slot, statement.index_slot]
        w.emit(Kind.ASK_ALL, statement, reads=[statement.each], slots=reads, writes=kept)
        w.place(again)
        exits = (*starts, otherwise, done)
        w.emit(Kind.REPLY, statement, slots=[*kept, *reads], writes=own, exits=exits)
        after = again
    alternatives = []
    for start, alternative in zip(starts, statement.alternatives, strict=True):
        w.place(start)
        alternatives.append(replace(alternative, body=w.block(alternative.body)))
        w.jump(after, statement)
    w.place(otherwise)
    rest = None if statement.otherwise is None else w.block(statement.otherwise)
    if statement.each is not None:
        w.jump(after, statement)
    w.place(done)
    return replace(statement, alternatives=tuple(alternatives), otherwise=rest)


def _of_question(w: _Writer, statement: ir.Ask) -> tuple[set[int], set[int]]:
    """Returns the slots that a question reads, and those that it writes during the search for
    options."""
    own = {part.set_slot for alt in statement.alternatives for part in alt.parts if part.several}
    nodes: list[Any] = [statement.who, *statement.private]
    for alternative in statement.alternatives:
        for part in alternative.parts:
            nodes += [part.binder, part.least, part.most]
        guards = (*alternative.guards, *sum(alternative.member_guards, ()))
        nodes += [guard.condition for guard in guards]
    nodes = [node for node in nodes if node is not None]
    own = own.union(*(bound_slots(node) for node in nodes))
    if statement.each is not None:
        own.add(statement.each.slot)
    return (set(slots_read(tuple(nodes))) | _told(w, statement)) - own, own


def _told(w: _Writer, statement: ir.Ask) -> set[int]:
    """Returns the slots that the text of a question refers to."""
    texts = w.program.clauses[statement.clause].asks.values()
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
