"""A clause that is only supposed to be done: the situation is laid aside and brought back.

What a clause that asks nothing and leaves nothing to luck can change lies in a few stretches of
memory: the situation but for the positions that are remembered, what is counted about a game that
is watched, and which pieces of a shuffled pile still wait to be drawn. Besides, it notes in the
journal what it does, which is forgotten.

While options are looked for, all that is supposed starts from the same situation: it is laid aside
once, by the first that needs it (`once`).
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
    """Whether a condition, or each of several, holds if a clause is done."""
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
                    # The budget ends in the middle of the clause: where, only doing it tells.
                    bring_back()
                    f.all_of(unit.clause(expr.clause), *given)
                f.set(unit.left, unit.left - spent)
                c.unless(each.value, fails)
            f.set(answer, 1)
        bring_back()
        f.set(unit.noted, noted)
    return answer


def _room(c: Code) -> Variable:
    """Room for all that such a clause can change."""
    return c.reserve(sum(size for _, size in _changing(c.plan)) // 4)


@contextmanager
def once(c: Code, ask: ir.Ask) -> Iterator[None]:
    """Code that looks for the options of a question."""
    if not any(isinstance(part, ir.SupposingDone) for part in everything(ask.alternatives)):
        yield
        return
    with c.scoped(), c.lying_aside((_room(c), c.f.let("lies", 0))):
        yield


def _changing(plan: Plan) -> tuple[tuple[int, int], ...]:
    """Where all lies that such a clause can change, and how many bytes it is."""
    found = [(plan.state, plan.past_start - plan.state)]
    if plan.purpose.watching:
        found.append((plan.times, plan.streams.base - plan.times))
    if any(family.loose is not None for family in plan.families):
        found.append((plan.waiting.base, plan.heads.base - plan.waiting.base))
    return tuple(found)
