"""Generates hypothetical execution of a clause: save, execute, evaluate, restore.

Saved are the regions of memory that belong to the planned write set (`planned/supposed`), and the
unordered pieces of a shuffled pile. Journal entries are discarded.

During the search for options, all hypothetical executions start from the same position: the first
one saves for all what any of them writes (`once`), and each restores what it has written itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from lawspeaker import ir
from lawspeaker.ir.dependence import SupposedTogether
from lawspeaker.machines.compiled.compile.function import Code
from lawspeaker.machines.compiled.runtime import snapshots
from lawspeaker.machines.compiled.runtime.plan import LONG
from lawspeaker.machines.middle.forms import Variable, not_


def supposing_done(c: Code, expr: ir.SupposingDone) -> Variable:
    """Returns whether a condition, or each of several, holds after executing a clause."""
    f, unit = c.f, c.unit
    slots = c.program.clauses[expr.clause].slots
    with c.scoped():
        given = [
            f.let("given", c.value(argument, slots[at].type))
            for at, argument in enumerate(expr.arguments)
        ]
        changing = snapshots.regions(c.plan, unit.write_sets.of(expr.clause))
        shared = c.snapshot
        if shared is None or not snapshots.within(changing, shared.regions):
            saved, aside = changing, _room(c, changing)
            snapshots.save(unit, f, saved, aside)
        else:
            saved, aside = shared.regions, shared.aside
            with f.if_(not_(shared.taken)):
                snapshots.save(unit, f, saved, aside)
                f.set(shared.taken, 1)
        noted, left = f.let("noted", unit.noted), f.let("left", unit.left)
        f.all_of(unit.clause(expr.clause), *given)
        answer = f.let("answer", 0)
        more = expr.more if isinstance(expr, SupposedTogether) else ()
        spent = f.let("spent", left - unit.left) if more else left
        with f.block() as fails, c.sharing(None):
            c.unless(expr.condition, fails)
            for each in more:
                c.pay(each.cost, each.span, each.cost)
                with f.if_(unit.left < spent):
                    # The budget runs out inside the clause: execute it again, to fault at the right
                    # place.
                    snapshots.restore(unit, f, changing, saved, aside)
                    f.all_of(unit.clause(expr.clause), *given)
                f.set(unit.left, unit.left - spent)
                c.unless(each.value, fails)
            f.set(answer, 1)
        snapshots.restore(unit, f, changing, saved, aside)
        f.set(unit.noted, noted)
    return answer


def _room(c: Code, regions: snapshots.Regions) -> Variable:
    """Allocates memory for a snapshot."""
    listed = c.reserve(snapshots.size(regions) // 4 + 1)
    return c.f.let("aside", listed + (LONG - 1) & -LONG)


@contextmanager
def once(c: Code, ask: ir.Ask) -> Iterator[None]:
    """Shares one snapshot among the hypothetical executions in the options of a question."""
    written = c.unit.write_sets.of_question(ask)
    if written is None:
        yield
        return
    with c.scoped():
        regions = snapshots.regions(c.plan, written)
        with c.sharing(snapshots.Snapshot(regions, _room(c, regions), c.f.let("taken", 0))):
            yield
