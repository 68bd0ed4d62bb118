"""Prints the plan of a clause: how sets are found and questions offered, costs, inlined calls.

    placing
      question: options listed one after the other
        point where it is empty  (guard: free)
          board of 9 places in 1 word; 1 test of each member left; about 14 operations
      calls taking; inlines counting
      value joined, called
        region from starts to each cell
          grows by shifts of 2 words; 1 field

A set is printed in the words of the rule, and sets of the same words and plan once, with their
number: the steps of a path. Sets of the defined values that a clause uses follow its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from textwrap import shorten
from typing import Any

from lawspeaker import ir
from lawspeaker.ir.walk import everything
from lawspeaker.machines.lower.operations import Kind
from lawspeaker.machines.lower.printing import Printer
from lawspeaker.machines.planned.fields import Field, inside
from lawspeaker.machines.planned.finding import Bottom, Lowest, Nearby, OneByOne
from lawspeaker.machines.planned.loops import AlongLine, OccupiedOf, Rounds, Steady
from lawspeaker.machines.planned.passes import Planned
from lawspeaker.machines.planned.questions import KnownOptions, Offered, Subsets
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

WIDTH = 90
"""The most characters of a rule that are printed for a set."""


@dataclass(frozen=True, slots=True)
class _Block:
    """The plan of one set, walk, loop or supposition: the words of the rule, the plan, and about
    how many operations it takes, if that is known."""

    of: str
    plan: str
    cost: int | None = None


def listing_of(plan: Planned, clause: int) -> str:
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
        for node in everything(whole.body):
            if isinstance(node, ir.Ask):
                yield from self._question(node, number)
        yield from _together(self._sets(whole.body, number), "  ")
        yield from self._calls(whole.body, number)
        opens, inlined = self.plan.definitions.opens, []
        for called in self._values(whole.body, set()):
            function = self.program.functions[called]
            nodes = (function.result, *(value for _, value in function.lets))
            lines = [*_together(self._sets(nodes, function.clause), "    ")]
            if lines or not opens(called):
                yield f"  value {function.name}, {'inlined' if opens(called) else 'called'}"
                yield from lines
            else:
                inlined.append(function.name)
        if inlined:
            yield f"  inlined values: {', '.join(inlined)}"

    def _calls(self, body: ir.Block, clause: int) -> Iterator[str]:
        """Prints the clauses that are called, and those that are inlined."""
        found: dict[bool, dict[str, int]] = {False: {}, True: {}}
        for node in everything(body):
            if isinstance(node, ir.Do):
                names, name = found[self.plan.inside.has(clause, node)], node.clause
                called = self.program.clauses[name].id
                names[called] = names.get(called, 0) + 1
        for inlined, verb in ((False, "calls"), (True, "inlines")):
            names = found[inlined]
            if names:
                listed = (f"{name} ({n} times)" if n > 1 else name for name, n in names.items())
                yield f"  {verb} {', '.join(listed)}"

    def _words(self, node: Any) -> str:
        """Returns the words of the rule for a node."""
        text = node.span.text or self.told.node(node)
        return shorten(text, WIDTH, placeholder=" …")

    def _sets(self, nodes: Any, clause: int) -> Iterator[_Block]:
        names = Names(clause, {})
        for node in everything(nodes):
            for binder, use in self._binders(node):
                yield self._set(binder, use, names)
            match node:
                case ir.Region():
                    yield _Block(self._words(node), _growing(self.plan.sets.flood(node, names)))
                case ir.Walk():
                    yield _Block(self._words(node), _walked(self.plan.walks.walked(node, names)))
                case ir.Exists():
                    yield self._first(node.binder, names)
                case ir.SupposingDone(clause=called):
                    how = self._undone(self.plan.write_sets.of(called))
                    yield _Block(f"supposing {self.program.clauses[called].id}", how)
                case ir.ForEach():
                    how = _rounds(self.plan.loops.rounds(node, waits=False))
                    yield _Block(f"for each {self._words(node.binder)}", how)

    def _set(self, binder: ir.Binder, use: Use, names: Names, guards: str = "") -> _Block:
        plan = self.plan.sets.found(binder, names, use)
        cost = self.plan.sets.cost(plan, binder)
        return _Block(self._words(binder) + guards, _way(plan), cost)

    def _first(self, binder: ir.Binder, names: Names) -> _Block:
        """Returns the plan of the search for any member of a set."""
        plan = self.plan.finding.first(binder, names)
        match plan:
            case OneByOne():
                use = Use(self.plan.analyses.rooms.weight_of((binder.where,)))
                return self._set(binder, use, names)
            case Lowest(among):
                cost = self.plan.sets.cost(among, binder)
                return _Block(self._words(binder), f"the first of a {_way(among)}", cost)
            case Bottom():
                return _Block(self._words(binder), "the first of a chain")
            case Nearby():
                return _Block(self._words(binder), "all neighbours, without a branch")

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
        """Prints the plan of a question, and of each part with its guards."""
        questions, names = self.plan.questions, Names(clause, {})
        kinds = (Kind.ASK, Kind.ASK_ALL)
        code = self.plan.lowered.code[clause]
        guards = next(each for each in code if each.kind in kinds and each.statement is ask).guards
        yield f"  question: {_offered(questions.offered(ask, guards, names, waits=False))}"
        found: list[_Block] = []
        for alternative, plan in zip(ask.alternatives, guards, strict=True):
            binders = questions.part_binders(alternative, plan)
            uses = questions.part_uses(alternative, plan)
            for at, (part, binder, use) in enumerate(
                zip(alternative.parts, binders, uses, strict=True), start=1
            ):
                asked = [alternative.guards[number].name for number in plan.asked[at]]
                told = f"  (guards: {', '.join(asked)})" if asked else ""
                if not part.several:
                    found.append(self._set(binder, use, names, told))
        yield from _together(found, "    ")

    def _values(self, nodes: Any, before: set[int]) -> Iterator[int]:
        """Yields the definitions used, each once."""
        for node in everything(nodes):
            if isinstance(node, ir.CallFunction) and node.function not in before:
                before.add(node.function)
                yield node.function
                function = self.program.functions[node.function]
                yield from self._values(_whole(function), before)


def _together(blocks: Iterable[_Block], indent: str) -> Iterator[str]:
    """Yields the lines of blocks; equal ones once."""
    found: dict[tuple[str, str], list[int]] = {}
    many: Counter[tuple[str, str]] = Counter()
    for block in blocks:
        key = block.of, block.plan
        many[key] += 1
        found.setdefault(key, []).extend([] if block.cost is None else [block.cost])
    for (of, plan), costs in found.items():
        number = many[of, plan]
        yield f"{indent}{of}{f'  ({number} times)' if number > 1 else ''}"
        low, high = min(costs, default=0), max(costs, default=0)
        cost = f"{low:,}" if low == high else f"{low:,} to {high:,}"
        yield f"{indent}  {plan}{f'; about {cost} operations' if costs else ''}"


def _number(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _whole(function: ir.Function) -> tuple[ir.Expr, ...]:
    return (function.result, *(value for _, value in function.lets))


def _growing(plan: Flood | None) -> str:
    if plan is None:
        return "one place after the other"
    return f"grows by shifts of {_number(plan.places.words, 'word')}; {_fields([plan.over])}"


def _walked(plan: Walked) -> str:
    match plan:
        case InField(through=through):
            return f"measured by the nearest place that stops it; {_fields([through])}"
        case InRun():
            return "measured by a run of bits that are kept"
        case ToTheEdge():
            return "step by step, no further than a table says"
    return "step by step, by columns and rows"


def _rounds(plan: Rounds) -> str:
    match plan:
        case Unrolled(members=known):
            return f"unrolled for {_number(len(known), 'member')}"
        case OccupiedOf(members=known):
            return f"the occupied ones of {_number(len(known), 'place')}"
        case Steady():
            return "one member after the other"
        case AlongLine():
            return "along a line"
    return "listed before the first round"


def _fields(roots: list[Field]) -> str:
    number = len({part for each in roots for part in inside(each)})
    return _number(number, "field")


def _way(plan: Found) -> str:
    match plan:
        case Mask(by=by):
            way = "mask" if by is None else "mask; narrowed by a mask"
        case Board(members=members, start=start, by=steps):
            way = f"board of {members} places in {_number(plan.places.words, 'word')}; "
            way += _fields([start, *(each.field for each in steps if isinstance(each, ByField))])
            way += f"; narrowed {_number(len(steps), 'time')}" if steps else ""
            way += "; charged on the way" if plan.in_order else ""
        case MemberTable(entries=entries):
            way = f"table of {_number(len(entries), 'list')}"
        case Unrolled(members=known):
            way = f"unrolled for {_number(len(known), 'member')}"
        case _:
            way = "loop"
    left = len(plan.rest)
    return f"{way}; {_number(left, 'test')} of each member left" if left else way


def _offered(plan: Offered) -> str:
    match plan:
        case KnownOptions(options=options):
            return f"{_number(options, 'known option')}, a bit each"
        case Subsets():
            return "a run of the table of small subsets"
    return "options listed one after the other"
