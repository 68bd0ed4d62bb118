"""Compilation context of one module: memory plan, faults, functions, constants."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial, wraps
from typing import (
    Annotated,
    Any,
    Concatenate,
    Protocol,
    TypeVar,
    get_args,
    get_type_hints,
    overload,
)

from lawspeaker import ir
from lawspeaker.base.source import Span
from lawspeaker.base.work import charge
from lawspeaker.machines.compiled.runtime.pending_operands import OperandBody
from lawspeaker.machines.compiled.runtime.plan import LARGE, ConstantTable, Plan, Sizes
from lawspeaker.machines.lower import messages
from lawspeaker.machines.lower.operations import Kind, Operation
from lawspeaker.machines.middle.building import Body
from lawspeaker.machines.middle.forms import F64, I32, I64, Expr, Function, Type, Variable, word
from lawspeaker.machines.middle.module import Module
from lawspeaker.machines.middle.passes import simplified
from lawspeaker.machines.middle.walk import operations
from lawspeaker.machines.planned.fields import Shapes
from lawspeaker.machines.planned.passes import planned
from lawspeaker.machines.purpose import Purpose
from lawspeaker.position.fault import TooLargeToCompile
from lawspeaker.position.layout import Layout

MOST_IN_A_FUNCTION = 12_000
"""Limit on the expressions and statements generated in a function, with repetitions; the largest
games have a third. Generating a function takes more than linear time."""
LONGEST_FUNCTION = 60_000
"""Limit on the operations of a function. The largest games have an eighth; compiling one to machine
code takes more than linear time."""
NEVER = 0x7FFFFFFF
"""A number of choices that is never reached."""


@dataclass(frozen=True, slots=True)
class FaultPoint:
    """A possible fault at one place in the rules."""

    clause: str
    message: str
    span: Span


class Unit:
    """A program being compiled for a number of players and a purpose."""

    def __init__(self, layout: Layout, purpose: Purpose, sizes: Sizes = LARGE) -> None:
        plan = planned(layout, purpose)
        self.layout = plan.layout
        self.purpose = purpose
        self.module = Module()
        self.lowered, self.costs = plan.lowered, plan.costs
        self.analyses, self.facts = plan.analyses, plan.facts
        self.sets, self.questions = plan.sets, plan.questions
        self.definitions, self.inside, self.straight = plan.definitions, plan.inside, plan.straight
        self.walks, self.loops, self.hoisting = plan.walks, plan.loops, plan.hoisting
        self.finding, self.write_sets = plan.finding, plan.write_sets
        self.program = plan.lowered.program
        self.depends, self.folder = plan.analyses.depends, plan.analyses.folder
        self.bounds, self.can_fault = plan.analyses.bounds, plan.analyses.can_fault
        self.plan = Plan(self.layout, self.analyses.places, sizes, purpose)
        self.faults: list[FaultPoint] = []
        self._numbers: dict[FaultPoint, int] = {}
        self._made: dict[tuple[object, ...], Function] = {}
        self._waiting: list[tuple[Function, Callable[[Function], Body]]] = []
        self._work_of_it = 0
        self._writing = ""  # the function being generated
        self.rooms = self.analyses.rooms
        self.rewriting = self.analyses.rewriting
        self.new_slot = self.rewriting.new_slot
        self.clause: Callable[[int], Function] = _not_yet  # if it never suspends
        self._tables: dict[tuple[object, ...], ConstantTable] = {}
        self.words: dict[tuple[object, ...], tuple[int, ...]] = {}
        """Encoded constant set members, by their values and type."""
        self.shapes = Shapes()
        new = self.module.variable
        self.top = new("top")  # top of the arena
        self.left = new("left", I64)  # rest of the step budget
        self.saved = new("saved")  # end of the saved frames
        self.free = new("free")  # RNG choices left before the host or a tree decides
        self.given = new("given")  # 1: the pending question is answered, see `turns.py`
        self.reach = new("reach", I32, NEVER)  # replies before a playout is cut off
        self.apart = new("apart", I32, -1)  # 0: all seats share one RNG stream
        self.ask_chance = new("ask_chance")
        self.discreet = new("discreet")
        self.again = new("again")  # resuming only to evaluate the options again
        self.found = new("found")  # end of the options found so far
        self.kept = new("kept")  # end of the sets in options
        self.noted = new("noted")  # end of the journal
        self.log = new("log")  # end of the log of supposed moves, 0 if none are logged
        self.log_full = new("log full")  # the address behind the log
        self.decisions = new("decisions")
        self.options = new("options")
        self.budget = new("budget")
        self.starter = new("starter")  # the first seat asked alone, -1 before
        self.leader = new("leader")  # the last sole leader, -1 before
        self.leads = new("leads")  # changes of the sole leader
        self.trail = new("trail", I64)  # hash of all questions, options and scores

    def operation(self, clause: int, statement: ir.Statement, kind: Kind) -> Operation:
        """Returns the operation of a kind that belongs to a statement of a clause."""
        code = self.lowered.code[clause]
        found = next(each for each in code[statement.at :] if each.kind is kind)
        assert found.statement is not None
        assert found.statement.at == statement.at
        return found

    def fault_number(self, clause: int, message: str, span: Span) -> int:
        point = FaultPoint(self.program.clauses[clause].id, message, span)
        if point not in self._numbers:
            self.faults.append(point)
            self._numbers[point] = len(self.faults)
        return self._numbers[point]

    def stop(self) -> Function:
        """(number of a fault): aborts, so that the host can tell why"""
        return _stop(self)

    def fault_when(self, f: Body, clause: int, condition: Expr, message: str, span: Span) -> None:
        """Emits a fault of a clause if a condition is true."""
        with f.if_(condition):
            f.stop(self.stop(), self.fault_number(clause, message, span))

    def no_room_if(self, f: Body, condition: Expr) -> None:
        """Aborts if a memory region is full, which is no fault of any clause."""
        main = self.program.clauses[self.program.main]
        self.fault_when(f, main.index, condition, messages.NO_ROOM, main.span)

    def key(self, name: str, clause: ir.Clause) -> tuple[object, ...]:
        """Returns the key of a function of a clause. A scenario adds a clause with the id of the
        one it begins with."""
        earlier = self.program.clauses[: clause.index]
        twin = any(each.id == clause.id for each in earlier)
        return (name, clause.id, clause.index) if twin else (name, clause.id)

    def made(
        self,
        key: tuple[object, ...],
        parameters: int | tuple[Type, ...],
        results: int | tuple[Type, ...],
        write: Callable[[OperandBody], None],
    ) -> Function:
        """Returns the function of a part of the rules. It is generated once, after the function
        that first requests it."""

        def form(function: Function) -> Body:
            f = OperandBody(function.results)
            for at, type in enumerate(function.parameters):
                f.parameter(f"given{at}", type)
            write(f)
            return f

        return self._asked_for(key, parameters, results, form)

    def routine(
        self,
        key: tuple[object, ...],
        names: Sequence[str],
        parameters: int | tuple[Type, ...],
        results: int | tuple[Type, ...],
        build: Callable[..., None],
    ) -> Function:
        """Like `made`, for runtime routines (see the decorator): `build` gets the body, then the
        parameters by these names."""

        def form(function: Function) -> Body:
            body = Body(function.results)
            given = zip(names, function.parameters, strict=True)
            build(body, *(body.parameter(name, type) for name, type in given))
            return body

        return self._asked_for(key, parameters, results, form)

    def _asked_for(
        self,
        key: tuple[object, ...],
        parameters: int | tuple[Type, ...],
        results: int | tuple[Type, ...],
        form: Callable[[Function], Body],
    ) -> Function:
        found = self._made.get(key)
        if found is None:
            name = ".".join(str(part) for part in key)
            given = (I32,) * parameters if isinstance(parameters, int) else parameters
            got = (I32,) * results if isinstance(results, int) else results
            found = self._made[key] = self.module.function(name, given, got)
            self._waiting.append((found, form))
        return found

    def write_waiting(self) -> None:
        """Generates all requested functions, and those that they request."""
        while self._waiting:
            function, form = self._waiting.pop()
            self._writing, self._work_of_it = function.name, 0
            body = form(function)
            function.given, function.body = tuple(body.parameters), simplified(body.statements)
            length = operations(function.body)
            if length > LONGEST_FUNCTION:
                why = f"`{function.name}` has more than {LONGEST_FUNCTION:,} operations"
                raise self.too_large(why)
            charge(length)

    def count_work(self) -> None:
        """Counts generated code; raises TooLargeToCompile if it is too much."""
        charge()
        self._work_of_it += 1
        if self._work_of_it > MOST_IN_A_FUNCTION:
            raise self.too_large(
                f"`{self._writing}` has more than {MOST_IN_A_FUNCTION:,} expressions and statements"
            )
        if self.folder.spent:
            raise self.too_large("what is fixed in them takes too long to be precomputed")

    def too_large(self, why: str) -> TooLargeToCompile:
        """Returns the exception for a program that is too large."""
        return TooLargeToCompile(self.program.name, why)

    def table(self, key: tuple[object, ...], values: Callable[[], list[int]]) -> ConstantTable:
        """Returns a constant table, made once per key."""
        if key not in self._tables:
            self._tables[key] = self.plan.table(values())
        return self._tables[key]


A = TypeVar("A")
B = TypeVar("B")
Long = Annotated[Variable, I64]
Real = Annotated[Variable, F64]
"""Parameter types of a routine other than a word of 32 bits."""


class _Declares(Protocol):
    """Type of the decorator: turns the builder of a body into a getter of the module's function."""

    @overload
    def __call__(
        self, build: Callable[Concatenate[Unit, Body, ...], None]
    ) -> Callable[[Unit], Function]: ...
    @overload
    def __call__(
        self, build: Callable[Concatenate[Unit, A, Body, ...], None]
    ) -> Callable[[Unit, A], Function]: ...
    @overload
    def __call__(
        self, build: Callable[Concatenate[Unit, A, B, Body, ...], None]
    ) -> Callable[[Unit, A, B], Function]: ...


def routine(*name: str, returns: Type | tuple[Type, ...] = ()) -> _Declares:
    """Declares a function of the module, which is generated when it is first requested.

    Parameters before the body are compile-time constants: each value gets a function of its own.
    Parameters after the body are those of the function in the module.

        @routine("lay", returns=I32)
        def lay(unit: Unit, family: Family, f: Body, piece: Variable) -> None: ...

        lay(unit, family)(piece)
    """

    def declares(build: Callable[..., None]) -> Callable[..., Function]:
        hints = get_type_hints(build, include_extras=True)
        names = [each for each in hints if each != "return"]
        names = names[names.index("f") + 1 :]
        given = tuple(_type_of(hints[each]) for each in names)
        got = (returns,) if isinstance(returns, str) else returns

        @wraps(build)
        def function(unit: Unit, *known: object) -> Function:
            key = (*name, *(getattr(each, "key", each) for each in known))
            return unit.routine(key, names, given, got, partial(build, unit, *known))

        return function

    return declares


def _type_of(hint: Any) -> Type:
    found: Type = I32 if hint is Variable else get_args(hint)[1]
    return found


@routine("fault")
def _stop(unit: Unit, f: Body, number: Variable) -> None:
    f.set(word(unit.plan.fault), number)
    f.stop()


def _not_yet(clause: int) -> Function:
    raise AssertionError("it is not known yet which clauses wait")
