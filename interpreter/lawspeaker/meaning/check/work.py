"""Rejects rules that can never finish: a value, clause, iteration or part of a question that can
take more steps than are allowed between two decisions.

The cost model is in `ir.cost`. A loop over much is charged at run time for what is really there, so
it is not rejected here; what is, is nested definitions: one that calls another ten times, which
calls a third ten times, and so on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from lawspeaker import ir
from lawspeaker.base.diagnostics import Diagnostics, Label
from lawspeaker.base.source import Span
from lawspeaker.base.work import on
from lawspeaker.ir.bounds import Bounds, MostBounds
from lawspeaker.ir.cost import MOST_STEPS, Costs
from lawspeaker.ir.subsets import MOST_OPTIONS
from lawspeaker.ir.walk import code_of, everything

_HINT = "give what is needed more than once a name with `let`, or work it out in a rule"
_HINT_PART = (
    "a guard is asked for each choice: let what is searched for be what is chosen from, as in "
    "`square in reach of pawn`, or give it a name with `let` before the question"
)
_MOST_LABELS = 3
MOST_REMEMBERED = 250_000
"""The maximal number of values in all positions remembered under one name."""


def check(program: ir.Program, diagnostics: Diagnostics) -> None:
    """Reports what takes too much work or memory. Its users are not reported as well."""
    costs = Costs(program, MostBounds(program))
    for at, position in enumerate(program.positions):
        words = costs.bounds.words(at)
        if words * position.last > MOST_REMEMBERED:
            diagnostics.error(
                "too-large",
                f"a position of `{position.name}` has {words:,} values, and the last "
                f"{position.last:,} are remembered; at most {MOST_REMEMBERED:,} values can be",
                position.span,
                hint="remember fewer places, or say with `last:` how many positions are needed",
            )
    for each in everything(code_of(program)):
        if isinstance(each, ir.Subsets):
            _combinations(costs.bounds, each, diagnostics)
    refused = set()
    for at, function in enumerate(program.functions):
        on(program.clauses[function.clause].span)
        if costs.function(at) > MOST_STEPS:
            refused.add(at)
    for at in sorted(refused):
        function = program.functions[at]
        code = (function.result, *(value for _, value in function.lets))
        if not _needs(code, refused):
            span = program.clauses[function.clause].span
            _say(costs, diagnostics, f"`{function.name}`", span, code)
    for clause in program.clauses:
        on(clause.span)
        if _needs(clause.body, refused):
            continue
        with costs.inside(clause):
            for what, span, inside in _too_dear(costs, clause):
                _say(costs, diagnostics, what, span, inside)


def _combinations(bounds: Bounds, each: ir.Subsets, diagnostics: Diagnostics) -> None:
    """Reports combinations of so many things that they cannot be enumerated."""
    sizes = [size for size in (each.least, each.most) if size is not None]
    if not isinstance(each.source, ir.Domain | ir.ListOf):
        return
    if all(isinstance(size, ir.Const) for size in sizes):
        members = bounds.members(each.source)
        if bounds.combinations(each) > MOST_OPTIONS:
            diagnostics.error(
                "too-large",
                f"{members} things have more than {MOST_OPTIONS:,} such combinations",
                each.span,
                hint="take them out of fewer things, or of fewer at a time: `combinations of 2 …`",
            )


def _needs(code: object, functions: Iterable[int]) -> bool:
    return any(
        isinstance(each, ir.CallFunction) and each.function in functions
        for each in everything(code)
    )


def _too_dear(costs: Costs, clause: ir.Clause) -> Iterator[tuple[str, Span, object]]:
    """The expensive parts of a clause: name, span and code. Of nested ones, only the innermost."""
    found = False
    for statement in everything(clause.body):
        if isinstance(statement, ir.Statement) and costs.each(statement) > MOST_STEPS:
            found = True
            yield f"a round of this in `{clause.id}`", statement.span, statement
        if isinstance(statement, ir.Ask):
            for alternative, listing in zip(
                statement.alternatives, costs.parts(statement), strict=True
            ):
                for part, cost in zip(alternative.parts, listing, strict=True):
                    if max(cost.look, cost.piece, cost.way) > MOST_STEPS:
                        found = True
                        code = (part, alternative.guards, alternative.member_guards)
                        yield f"looking for this in `{clause.id}`", part.binder.span, code
    if not found and costs.once(clause.body) > MOST_STEPS:
        yield f"`{clause.id}`", clause.span, clause.body


def _say(costs: Costs, diagnostics: Diagnostics, what: str, span: Span, code: object) -> None:
    diagnostics.error(
        "too-much-work",
        f"{what} can take more than {MOST_STEPS:,} steps, which is all there are between two "
        "decisions",
        span,
        *_dearest(costs, code),
        hint=_HINT_PART if isinstance(code, tuple) and isinstance(code[0], ir.Part) else _HINT,
    )


def _dearest(costs: Costs, code: object) -> list[Label]:
    """The definitions that cost most, by their first call, and how often they are called."""
    first: dict[int, ir.CallFunction] = {}
    times: Counter[int] = Counter()
    for each in everything(code):
        if isinstance(each, ir.CallFunction):
            first.setdefault(each.function, each)
            times[each.function] += 1
    dearest = sorted(first, key=lambda at: costs.function(at) * times[at], reverse=True)
    labels = []
    for at in dearest[:_MOST_LABELS]:
        told = f"`{costs.program.functions[at].name}` can take {costs.function(at):,} steps"
        often = f", and is asked for {times[at]} times" if times[at] > 1 else ""
        labels.append(Label(first[at].span, told + often))
    return labels
