"""Generates hypothetical execution of a clause: snapshot, execute, evaluate, restore.

A clause without questions and chance can change only a few regions of memory: the position without
the remembered positions, the statistics of a watched game, and the unordered pieces of a shuffled
pile. Its journal entries are discarded.

During the search for options, all hypothetical executions start from the same position: the first
one takes the snapshot for all (`once`).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from lawspeaker import ir
from lawspeaker.ir.dependence import SupposedTogether
from lawspeaker.ir.walk import everything
from lawspeaker.machines.compiled.compile.function import Code
from lawspeaker.machines.compiled.runtime.plan import Plan
from lawspeaker.machines.middle.forms import Expr, Variable, not_


def supposing_done(c: Code, expr: ir.SupposingDone) -> Expr:
    """Returns whether a condition, or each of several, holds after executing a clause."""
    f, unit = c.f, c.unit
    slots = c.program.clauses[expr.clause].slots
    with c.scoped():
        given = [
            f.let("given", c.value(argument, slots[at].type))
            for at, argument in enumerate(expr.arguments)
        ]
        stretches = _changing(c.plan)
        aside, lies = c.aside or (_room(c), None)
        noted, left = f.let("noted", unit.noted), f.let("left", unit.left)

        def bring_back() -> None:
            at = 0
            for start, size in stretches:
                f.copy(start, aside + at, size)
                at += size

        def lay_aside() -> None:
            at = 0
            for start, size in stretches:
                f.copy(aside + at, start, size)
                at += size

        if lies is None:
            lay_aside()
        else:
            with f.if_(not_(lies)):
                lay_aside()
                f.set(lies, 1)
        f.all_of(unit.clause(expr.clause), *given)
        answer = f.let("answer", 0)
        more = expr.more if isinstance(expr, SupposedTogether) else ()
        spent = f.let("spent", left - unit.left) if more else left
        with f.block() as fails, c.lying_aside(None):
            c.unless(expr.condition, fails)
            for each in more:
                c.pay(each.cost, each.span, each.cost)
                with f.if_(unit.left < spent):
                    # The budget runs out inside the clause: execute it again, to fault at the right
                    # place.
                    bring_back()
                    f.all_of(unit.clause(expr.clause), *given)
                f.set(unit.left, unit.left - spent)
                c.unless(each.value, fails)
            f.set(answer, 1)
        bring_back()
        f.set(unit.noted, noted)
    return answer


def _room(c: Code) -> Variable:
    """Allocates memory for a snapshot."""
    return c.reserve(sum(size for _, size in _changing(c.plan)) // 4)


@contextmanager
def once(c: Code, ask: ir.Ask) -> Iterator[None]:
    """Shares one snapshot among the hypothetical executions in the options of a question."""
    if not any(isinstance(part, ir.SupposingDone) for part in everything(ask.alternatives)):
        yield
        return
    with c.scoped(), c.lying_aside((_room(c), c.f.let("lies", 0))):
        yield


def _changing(plan: Plan) -> tuple[tuple[int, int], ...]:
    """Returns the address and size of each region that such a clause can change."""
    found = [(plan.state, plan.past_start - plan.state)]
    if plan.purpose.watching:
        found.append((plan.times, plan.streams.base - plan.times))
    if any(family.loose is not None for family in plan.families):
        found.append((plan.waiting.base, plan.heads.base - plan.waiting.base))
    return tuple(found)
