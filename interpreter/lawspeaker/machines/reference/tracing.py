"""Reference machine that records coverage of clauses and guards; it plays identically.

A rule is covered when it is executed, a window when it is offered, a definition when it is
evaluated, a named choice when it is read, an invariant when it is checked, a guard when it accepts
or refuses something.

The usual machine folds constants, inlines definitions, and caches results; then reads cannot be
attributed. This one evaluates everything as written, each time, and is slower. It is a separate
machine, so the usual one pays nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lawspeaker import ir
from lawspeaker.base.cache import LruCache
from lawspeaker.base.trees import ByNode
from lawspeaker.ir.cost import MOST_STEPS
from lawspeaker.ir.dependence import Dependence
from lawspeaker.ir.walk import each_guard
from lawspeaker.machines.lower.metering import metered
from lawspeaker.machines.lower.simplify import Simplifier
from lawspeaker.machines.reference.assembler import Op
from lawspeaker.machines.reference.evaluate import Eval, Evaluator, Slots
from lawspeaker.machines.reference.expressions import BUILDERS
from lawspeaker.machines.reference.machine import Machine
from lawspeaker.position.layout import Layout, Value
from lawspeaker.position.state import State

_KEPT = 4


@dataclass(frozen=True, slots=True)
class Touched:
    """Covered clauses and guards, by id; the id of a guard is that of its clause, a dot, and its
    name."""

    clauses: frozenset[str]
    accepting: frozenset[str]
    refusing: frozenset[str]

    @property
    def guards(self) -> frozenset[str]:
        return self.accepting | self.refusing

    def __or__(self, other: Touched) -> Touched:
        return Touched(
            self.clauses | other.clauses,
            self.accepting | other.accepting,
            self.refusing | other.refusing,
        )


Heard = tuple[State, int, Value]
"""The outcome of a clause, with the very state: hypothetical execution has a state of its own."""


class HearingMachine(Machine):
    """Records all outcomes of clauses."""

    def __init__(self, program: ir.Program, players: int, budget: int = MOST_STEPS) -> None:
        self.heard: list[Heard] = []
        super().__init__(program, players, budget)
        for clause, code in zip(program.clauses, self.codes, strict=True):
            if clause.outcome is None:
                continue
            for at, operation in enumerate(code.operations):
                if operation.statement is None:
                    code.ops[at] = _hearing(code.ops[at], clause.index, clause.outcome, self.heard)

    def forget(self) -> None:
        """Clears the recorded outcomes."""
        self.heard.clear()


def _hearing(leave: Op, clause: int, outcome: int, found: list[Heard]) -> Op:
    def hearing(s: State, f: Slots) -> int:
        found.append((s, clause, f[outcome]))
        return leave(s, f)

    return hearing


class TracingMachine(HearingMachine):
    """Records which clauses ran and which guards accepted or refused."""

    def __init__(self, program: ir.Program, players: int, budget: int = MOST_STEPS) -> None:
        self.clauses: set[int] = set()
        self.answers: set[tuple[str, bool]] = set()
        super().__init__(program, players, budget)
        for number, code in enumerate(self.codes):
            code.ops[0] = self._noting(code.ops[0], number)
            for at, question in code.questions.items():
                code.ops[at] = self._noting(code.ops[at], question.asking)
        self._always = [
            (always, self.noted(condition, always.clause)) for always, condition in self._always
        ]

    def make_evaluator(self) -> Evaluator:
        return _TracingEvaluator(metered(self.layout), self)

    def forget(self) -> None:
        super().forget()
        self.clauses.clear()
        self.answers.clear()

    @property
    def touched(self) -> Touched:
        """The coverage since the machine was made, or cleared."""
        ids = [clause.id for clause in self.program.clauses]
        return Touched(
            frozenset(ids[number] for number in self.clauses),
            frozenset(guard for guard, answer in self.answers if answer),
            frozenset(guard for guard, answer in self.answers if not answer),
        )

    def worth(self, state: State, function: int, arguments: Any) -> Value:
        self.clauses.add(self.program.functions[function].clause)
        return super().worth(state, function, arguments)

    def _noting(self, op: Op, clause: int) -> Op:
        clauses = self.clauses

        def noting(s: State, f: Slots) -> int:
            clauses.add(clause)
            return op(s, f)

        return noting

    def noted(self, work_out: Eval, clause: int) -> Eval:
        clauses = self.clauses

        def noted(s: State, f: Slots) -> Value:
            clauses.add(clause)
            return work_out(s, f)

        return noted

    def answered(self, condition: Eval, guard: str) -> Eval:
        answers = self.answers

        def answered(s: State, f: Slots) -> Value:
            answer = condition(s, f)
            answers.add((guard, bool(answer)))
            return answer

        return answered


class _NothingFixed(Dependence):
    """Treats nothing as constant."""

    def fixed(self, node: Any) -> bool:
        return False

    def fixed_function(self, number: int) -> bool:
        return False


class _AsWritten(Simplifier):
    """Rewrites nothing."""

    def simple(self, node: Any) -> Any:
        return node

    def body(self, number: int) -> ir.Expr:
        return self.program.functions[number].result

    def inlined(self, call: ir.CallFunction) -> ir.Expr | None:
        return None


class _TracingEvaluator(Evaluator):
    """Compiles expressions as written, with coverage recording."""

    asks_all = True

    def __init__(self, layout: Layout, machine: TracingMachine) -> None:
        super().__init__(layout, BUILDERS)
        self.depends = _NothingFixed(layout.program)
        self.simplifier = _AsWritten(self.depends, self.can_fault)
        self._machine = machine
        self._guards: ByNode[str] = ByNode()
        for name, guard in each_guard(layout.program):
            self._guards[guard.condition] = name

    def constant(self, expr: ir.Expr | None) -> tuple[Value] | None:
        return (expr.value,) if isinstance(expr, ir.Const) else None

    def compile(self, expr: ir.Expr) -> Eval:
        work_out = super().compile(expr)
        guard = self._guards.get(expr)
        return work_out if guard is None else self._machine.answered(work_out, guard)

    def _build(self, expr: ir.Expr) -> Eval:
        work_out = super()._build(expr)
        match expr:
            case ir.CallFunction(function=number):
                return self._machine.noted(work_out, self.program.functions[number].clause)
            case ir.ChoiceValue(choice=number) | ir.ChoiceItem(choice=number):
                return self._machine.noted(work_out, self.program.choices[number].clause)
        return work_out


_tracing: LruCache[TracingMachine] = LruCache(_KEPT)
_hearers: LruCache[HearingMachine] = LruCache(_KEPT)


def tracing_for(program: ir.Program, players: int) -> TracingMachine:
    """Returns a cleared tracing machine; cached, so an earlier user must be done with it."""
    machine = _tracing.get((id(program), players), lambda: TracingMachine(program, players))
    machine.forget()
    return machine


def hearing_for(program: ir.Program, players: int) -> HearingMachine:
    """Like `tracing_for`, recording only outcomes."""
    machine = _hearers.get((id(program), players), lambda: HearingMachine(program, players))
    machine.forget()
    return machine
