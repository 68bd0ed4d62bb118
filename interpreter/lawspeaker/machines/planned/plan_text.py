"""Prints the plan of a clause: how sets are found and questions offered, costs, inlined calls.

    placing
      question: options written one after the other
      point@0 in domain[point] where is_empty(contents(point@0))
        board of 9 places as one word, narrowed 0 times, 0 tests left; about 14 operations

The sets of a clause are followed by those of the definitions it uses.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lawspeaker import ir
from lawspeaker.ir.walk import everything
from lawspeaker.machines.lower.operations import Kind
from lawspeaker.machines.lower.printing import Printer
from lawspeaker.machines.planned.fields import Field, inside
from lawspeaker.machines.planned.finding import Bottom, Lowest, Nearby, OneByOne
from lawspeaker.machines.planned.loops import AlongLine, Rounds, Steady, Taken
from lawspeaker.machines.planned.passes import Planned
from lawspeaker.machines.planned.questions import Known, Offered, Subsets
from lawspeaker.machines.planned.rewriting import Names
from lawspeaker.machines.planned.sets import (
    Board,
    ByField,
    Flood,
    Found,
    Mask,
    MemberTable,
    Unrolled,
    Use,
)
from lawspeaker.machines.planned.supposed import WriteSet
from lawspeaker.machines.planned.walks import InField, InRun, ToTheEdge, Walked


def printed(plan: Planned, clause: int) -> str:
    """Prints the plan of a clause."""
    return "\n".join(_Lines(plan).clause(clause)) + "\n"


class _Lines:
    """Printer of the plans of one program."""

    def __init__(self, plan: Planned) -> None:
        self.plan = plan
        self.program = plan.lowered.program
        self.told = Printer(plan.lowered)

    def clause(self, number: int) -> Iterator[str]:
        """Yields the lines of a clause's plan."""
        whole = self.program.clauses[number]
        yield whole.id
        yield from self._sets(whole.body, number)
        for node in everything(whole.body):
            if isinstance(node, ir.Ask):
                yield from self._question(node, number)
            if isinstance(node, ir.Do):
                place = "written here" if self.plan.inside.has(number, node) else "called"
                yield f"  do {self.program.clauses[node.clause].id}: {place}"
        for called in self._values(whole.body, set()):
            function = self.program.functions[called]
            place = "in place" if self.plan.definitions.opens(called) else "by a call"
            yield f"  value {function.name}, worked out {place}"
            yield from self._sets(
                (function.result, *(v for _, v in function.lets)), function.clause
            )

    def _sets(self, nodes: Any, clause: int) -> Iterator[str]:
        for node in everything(nodes):
            for binder, use in self._binders(node):
                yield from self._set(binder, use, Names(clause, {}))
            match node:
                case ir.Region():
                    flood = self.plan.sets.flood(node, Names(clause, {}))
                    yield f"  {self.told.node(node)}"
                    yield f"    {_growing(flood)}"
                case ir.Walk():
                    yield f"  {self.told.node(node)}"
                    yield f"    {_walked(self.plan.walks.walked(node, Names(clause, {})))}"
                case ir.Exists():
                    yield from self._first(node.binder, Names(clause, {}))
                case ir.SupposingDone(clause=called):
                    yield f"  supposing {self.program.clauses[called].id}"
                    yield f"    {self._undone(self.plan.write_sets.of(called))}"
                case ir.ForEach():
                    yield f"  for each {self.told.node(node.binder)}"
                    yield f"    {_rounds(self.plan.loops.rounds(node, waits=False))}"

    def _set(self, binder: ir.Binder, use: Use, names: Names) -> Iterator[str]:
        plan = self.plan.sets.found(binder, names, use)
        yield f"  {self.told.node(binder)}"
        yield f"    {_way(plan)}; about {self.plan.sets.cost(plan, binder):,} operations"

    def _first(self, binder: ir.Binder, names: Names) -> Iterator[str]:
        """Prints the search for any member of a set."""
        plan = self.plan.finding.first(binder, names)
        if isinstance(plan, OneByOne):
            use = Use(self.plan.analyses.rooms.weight_of((binder.where,)))
            yield from self._set(binder, use, names)
            return
        yield f"  {self.told.node(binder)}"
        match plan:
            case Lowest(among):
                cost = self.plan.sets.cost(among, binder)
                yield f"    the first of a {_way(among)}; about {cost:,} operations"
            case Bottom():
                yield "    the first of a chain"
            case Nearby():
                yield "    all neighbours one after the other, without a branch"

    def _undone(self, written: WriteSet) -> str:
        """Prints what a hypothetical execution saves, and how it is undone."""
        program = self.program
        names = [program.pieces[piece].name for piece in sorted(written.moved)]
        logged = self.plan.write_sets.is_logged(written)
        saved = [] if logged else [f"where each {name} lies" for name in names]
        for piece, state in sorted(written.states):
            of = program.pieces[piece]
            saved.append(f"{of.states[state].name} of each {of.name}")
        saved += [program.markers[marker].name for marker in sorted(written.markers)]
        saved += ["scores"] * bool(written.scoring)
        told = [f"moves of {' and '.join(names)} are logged and undone"] * logged
        told += [f"saves {', '.join(saved)}"] * bool(saved)
        return "; ".join(told) or "changes nothing"

    def _binders(self, node: Any) -> list[tuple[ir.Binder, Use]]:
        """Returns the sets that a node iterates over, each with its use."""
        weight = self.plan.analyses.rooms.weight_of
        match node:
            case ir.Count(binder=binder):
                return [(binder, Use(weight((binder.where,)), counts=True))]
            case ir.The(binder=binder) | ir.Filter(binder=binder):
                return [(binder, Use(weight((binder.where,))))]
            case ir.Every(binder=binder, condition=value):
                return [(binder, Use(weight((binder.where, value))))]
            case (
                ir.SumOf(binder=binder, value=value)
                | ir.Extreme(binder=binder, value=value)
                | ir.PathLength(binder=binder, value=value)
                | ir.Collect(binder=binder, value=value)
            ):
                return [(binder, Use(weight((binder.where, value))))]
            case ir.MoveSome(binder=binder) | ir.Pick(binder=binder):
                return [(binder, Use(weight((binder.where,))))]
        return []

    def _question(self, ask: ir.Ask, clause: int) -> Iterator[str]:
        """Prints the plan of a question, and of each part under its guards."""
        questions, names = self.plan.questions, Names(clause, {})
        kinds = (Kind.ASK, Kind.ASK_ALL)
        code = self.plan.lowered.code[clause]
        guards = next(each for each in code if each.kind in kinds and each.statement is ask).guards
        yield f"  question: {_offered(questions.offered(ask, guards, names, waits=False))}"
        for alternative, plan in zip(ask.alternatives, guards, strict=True):
            binders = questions.part_binders(alternative, plan)
            uses = questions.part_uses(alternative, plan)
            for part, binder, use in zip(alternative.parts, binders, uses, strict=True):
                if not part.several:
                    yield from self._set(binder, use, names)

    def _values(self, nodes: Any, before: set[int]) -> Iterator[int]:
        """Yields the definitions used, each once."""
        for node in everything(nodes):
            if isinstance(node, ir.CallFunction) and node.function not in before:
                before.add(node.function)
                yield node.function
                function = self.program.functions[node.function]
                yield from self._values(_whole(function), before)


def _whole(function: ir.Function) -> tuple[ir.Expr, ...]:
    return (function.result, *(value for _, value in function.lets))


def _growing(plan: Flood | None) -> str:
    if plan is None:
        return "one place after the other"
    return f"grows by shifts of {_words(plan.places.words)}, {_fields([plan.over])}"


def _walked(plan: Walked) -> str:
    match plan:
        case InField(through=through):
            return f"as long as the nearest place that stops it says, {_fields([through])}"
        case InRun():
            return "as long as a run of bits that are kept"
        case ToTheEdge():
            return "step by step, no further than a table says"
    return "step by step, by columns and rows"


def _rounds(plan: Rounds) -> str:
    match plan:
        case Unrolled(members=known):
            return f"written out for {len(known)} members"
        case Taken(members=known):
            return f"those of {len(known)} places that are taken"
        case Steady():
            return "one member after the other"
        case AlongLine():
            return "along a line"
    return "listed before the first round"


def _words(number: int) -> str:
    return "one word" if number == 1 else f"{number} words"


def _fields(roots: list[Field]) -> str:
    number = len({part for each in roots for part in inside(each)})
    return "1 field" if number == 1 else f"{number} fields"


def _way(plan: Found) -> str:
    match plan:
        case Mask(by=by):
            way = "mask" if by is None else "mask, narrowed by a mask"
        case Board(members=members, start=start, by=steps):
            way = f"board of {members} places as {_words(plan.places.words)}"
            way += f", narrowed {len(steps)} times, "
            way += _fields([start, *(each.field for each in steps if isinstance(each, ByField))])
            way += ", paid for on the way" if plan.in_order else ""
        case MemberTable(entries=entries):
            way = f"table of {len(entries)} lists"
        case Unrolled(members=known):
            way = f"written out for {len(known)} members"
        case _:
            way = "loop"
    left = len(plan.rest)
    return f"{way}, {left} {'test' if left == 1 else 'tests'} left"


def _offered(plan: Offered) -> str:
    match plan:
        case Known(options=options):
            return f"{options} known options, a bit each"
        case Subsets():
            return "a run of the table of small subsets"
    return "options written one after the other"
