"""Drives the information-flow analysis over all clauses, callees first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from graphlib import TopologicalSorter
from typing import Any, Protocol

from lawspeaker import ir
from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.ir.secrecy import unannounced_outcomes
from lawspeaker.ir.walk import code_of, everything, rebuilt
from lawspeaker.meaning.secrets.alike import Alike
from lawspeaker.meaning.secrets.expression_labels import Declarations, Looking
from lawspeaker.meaning.secrets.initial_pieces import surely_there
from lawspeaker.meaning.secrets.ranges import Ranges
from lawspeaker.meaning.secrets.sinks import FAULT
from lawspeaker.meaning.secrets.sources import (
    ALIKE,
    LUCK,
    OPEN,
    SOMEBODY,
    WHETHER,
    HiddenSource,
    Label,
    in_order,
)
from lawspeaker.meaning.secrets.state import State
from lawspeaker.meaning.secrets.statements import StatementFlow
from lawspeaker.meaning.secrets.summaries import Disclosure, Summary

Given = tuple[int, int]
"""A clause and the number of one of its parameters."""
Things = tuple[ir.Expr, ...]


class Declared(Protocol):
    """The declarations that the analysis needs: places, markers and pieces."""

    @property
    def families(self) -> Sequence[ir.Family]: ...
    @property
    def markers(self) -> Sequence[ir.Marker]: ...
    @property
    def pieces(self) -> Sequence[ir.Piece]: ...
    @property
    def player_names(self) -> Sequence[str]: ...


def _table(declared: Declared, functions: Sequence[ir.Function]) -> Declarations:
    things = declared.families, declared.markers, declared.pieces
    return Declarations(*things, functions, declared.player_names)


def check_secrets(
    program: ir.Program, found: Diagnostics, meanwhile: Callable[[], None] = lambda: None
) -> ir.Program:
    """Reports every leak, and annotates the program: each question with the hidden sources that
    decide its offers, each name with whether it is private to those asked, each score with whether
    its reason is public, each statement with whether all it depends on is public. `meanwhile` is
    called after each clause."""
    followed: list[StatementFlow] = []
    for flow in _followed(program, found):
        meanwhile()
        followed.append(flow)
    hidden = _given_in_secret(followed)
    private = {
        at: _secrets(label, flow.clause.index, hidden)
        for flow in followed
        for at, label in flow.private.items()
    }

    decided = _given_in_secret(followed, whether=True)
    known = {
        at
        for flow in followed
        for at, label in flow.reasons.items()
        if not any(_hides(each, flow.clause, decided) for each in label)
    }

    evident = _evident(program, followed)

    def with_private(node: Any) -> Any:
        at = id(node)
        if at in known:
            node = replace(node, reason_known=True)
        elif at in private:
            node = replace(node, private=private[at])
        if at in evident:
            node = replace(node, evident=True)
        return rebuilt(node, with_private)

    own = {
        (flow.clause.index, slot)
        for flow in followed
        for slot, label in flow.kept_names.items()
        if _secrets(label, flow.clause.index, hidden)
    }

    def with_own(clause: ir.Clause) -> tuple[ir.Slot, ...]:
        return tuple(
            replace(slot, private=True) if (clause.index, at) in own else slot
            for at, slot in enumerate(clause.slots)
        )

    clauses = tuple(
        replace(each, slots=with_own(each), body=rebuilt(each.body, with_private))
        for each in program.clauses
    )
    return replace(program, clauses=clauses)


def _evident(program: ir.Program, followed: Sequence[StatementFlow]) -> set[int]:
    """The statements of which everyone knows all they depend on. Luck counts as known if all of it
    is told."""
    open_things = (OPEN,) if unannounced_outcomes(program) else (OPEN, LUCK)
    decided = _given_in_secret(followed, True, open_things)
    return {
        at
        for flow in followed
        for at, label in flow.going_by.items()
        if not any(_hides(each, flow.clause, decided, open_things) for each in label)
    }


def _secrets(label: Label, clause: int, hidden: set[Given]) -> tuple[ir.Expr, ...]:
    """The distinct hidden things of a label."""
    secrets = (each for each in in_order(label) if _is_secret(each, clause, hidden))
    return tuple(dict.fromkeys(_if_known(each.thing) for each in secrets))


def _if_known(thing: ir.Expr) -> ir.Expr:
    """A hidden thing if its owner is known; otherwise `SOMEBODY`, since it cannot be looked at."""
    return SOMEBODY if SOMEBODY in everything(thing) else thing


def disclosures(program: ir.Program) -> dict[int, tuple[Disclosure, ...]]:
    """The hidden things that each clause makes known, by its number."""
    followed = list(_followed(program, Diagnostics()))
    hidden = _given_in_secret(followed)
    return {
        flow.clause.index: tuple(
            dict.fromkeys(
                replace(each, given=None)
                for each in flow.makes_known
                if each.given is None or (flow.clause.index, each.given) in hidden
            )
        )
        for flow in followed
    }


def _followed(program: ir.Program, found: Diagnostics) -> Iterator[StatementFlow]:
    table = _table(program, program.functions)
    table.supposed = _supposed(program)
    if _hides_anything(program):
        table.ranges, table.certain = Ranges(program), surely_there(program)
    _always(program, table, found)
    alike = Alike(program, table) if table.ranges is not None else None
    summaries: dict[int, Summary] = {}
    for clause in _in_order(program):
        flow = StatementFlow(table, program, clause, summaries, found)
        summaries[clause.index] = flow.summary(alike)
        yield flow


def _always(program: ir.Program, table: Declarations, found: Diagnostics) -> None:
    """Reports invariants that read something hidden: everyone sees that the game stops."""
    for number, always in enumerate(program.always):
        label = Looking(table, State(), ("always", number)).looks(always.condition)
        hidden = [each for each in in_order(label) if each.thing != OPEN]
        if hidden:
            found.error(
                FAULT,
                f"whether `{always.name}` holds, which everyone sees since the game stops if it "
                f"does not, depends on {table.whose(hidden[0])}",
                always.condition.span,
                hint="let it speak of what everyone sees, such as how many cards there are",
            )


def _hides_anything(program: ir.Program) -> bool:
    """Whether the program has anything that not everyone sees."""
    seen: list[ir.SeenBy] = [each.seen_by for each in program.markers]
    seen += [state.seen_by for piece in program.pieces for state in piece.states]
    for family in program.families:
        seen += [family.seen_by, family.count_seen_by]
    return any(each != "everyone" for each in seen)


def _supposed(program: ir.Program) -> frozenset[int]:
    """The clauses used in `supposing`, and those that they call."""
    nodes = everything(code_of(program))
    found = {each.clause: None for each in nodes if isinstance(each, ir.SupposingDone)}
    waiting = list(found)
    for clause in waiting:
        for node in everything(program.clauses[clause].body):
            if isinstance(node, ir.Do) and node.clause not in found:
                found[node.clause] = None
                waiting.append(node.clause)
    return frozenset(found)


def _given_in_secret(
    followed: Sequence[StatementFlow], whether: bool = False, known: Things = (OPEN,)
) -> set[Given]:
    """The parameters that may carry something hidden, transitively; with `whether`, also the
    clauses whose execution may depend on it. `known` is public."""
    gives = [
        (flow.clause.index, given, label)
        for flow in followed
        for given, label in flow.gives.items()
        if whether or given[1] not in (WHETHER.slot, ALIKE.slot)
    ]
    hidden: set[Given] = set()
    while True:
        more = {
            given
            for caller, given, label in gives
            if any(_is_secret(each, caller, hidden, known) for each in label)
        }
        if more == hidden:
            return hidden
        hidden = more


def _is_secret(
    source: HiddenSource, clause: int, hidden: set[Given], known: Things = (OPEN,)
) -> bool:
    if source.given:
        return (clause, source.slot) in hidden
    return source.thing not in known


def _hides(
    source: HiddenSource, clause: ir.Clause, hidden: set[Given], known: Things = (OPEN,)
) -> bool:
    """Whether a source of something public may be unknown to somebody."""
    told = source.given and source.slot in (*range(clause.parameters), WHETHER.slot, ALIKE.slot)
    if told:
        return _is_secret(source, clause.index, hidden, known)
    return source.thing not in known


def is_hidden_value(declared: Declared, functions: Sequence[ir.Function], number: int) -> bool:
    """Whether a defined value of public arguments is hidden from somebody."""
    table = _table(declared, functions)
    return any(not each.given for each in table.of_function(number))


def _in_order(program: ir.Program) -> Iterator[ir.Clause]:
    """The clauses in topological order: after those they call, suppose, or ask to be possible."""
    used = {clause.index: _used(program, clause) for clause in program.clauses}
    return (program.clauses[number] for number in TopologicalSorter(used).static_order())


def _used(program: ir.Program, clause: ir.Clause) -> Iterator[int]:
    code: list[object] = [clause.body]
    seen: set[int] = set()
    for each in code:
        for node in everything(each):
            match node:
                case (
                    ir.Do(clause=number)
                    | ir.Possible(clause=number)
                    | ir.SupposingDone(clause=number)
                ):
                    yield number
                case ir.CallFunction(function=number) if number not in seen:
                    seen.add(number)
                    function = program.functions[number]
                    code.append((function.lets, function.result))
