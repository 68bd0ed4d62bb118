"""Instruments expensive loops and guards to charge the budget when they are evaluated.

Cheap work is charged in advance by upper bounds. The source of an expensive loop is wrapped
(`Paid`), so that it charges by its actual size, and so is an expensive guard (`PaidValue`). This
comes before all other lowering, and both back ends use the result: so they charge at the same
places, and since wrapped nodes can fault, equally often.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from lawspeaker import ir
from lawspeaker.ir.cost import DEAR, Costs
from lawspeaker.ir.dependence import Dependence, Paid, PaidValue
from lawspeaker.ir.walk import rebuilt
from lawspeaker.machines.lower.bounds import FoldedBounds
from lawspeaker.machines.lower.fold import ConstantFolder
from lawspeaker.position.layout import Layout

_LOOPS = (
    *(ir.Exists, ir.Every, ir.Count, ir.SumOf, ir.Extreme, ir.Filter, ir.Collect, ir.The),
    *(ir.Rank, ir.Pick, ir.MoveSome),
)


def metered(layout: Layout) -> Layout:
    """Returns the layout of the instrumented program."""
    program = layout.program
    costs = Costs(program, FoldedBounds(ConstantFolder(layout, Dependence(program))))

    def changed(node: Any) -> Any:
        new = rebuilt(node, changed)
        if isinstance(node, ir.Alternative):
            return _asked(node, new)
        if isinstance(node, ir.Region):
            return _reached(node, new)
        each = _cost(node)
        if not each:
            return new
        binder = new.binder
        source = Paid(binder.source.type, binder.source, each, span=binder.span)
        return replace(new, binder=replace(binder, source=source))

    def _reached(old: ir.Region, new: ir.Region) -> ir.Region:
        """Wraps the steps of a region, if they are expensive."""
        cost, steps = costs.heavy_step(old), new.step.source
        if not cost:
            return new
        paid = PaidValue(steps.type, steps, cost, span=old.span)
        return replace(new, step=replace(new.step, source=paid))

    def _asked(old: ir.Alternative, new: ir.Alternative) -> ir.Alternative:
        """Wraps the expensive guards of an alternative."""
        alternative, dear = old, [costs.dear(old, at) for at in range(len(old.parts))]
        if not any(dear):
            return new

        def paid(old: ir.Guard, new: ir.Guard) -> ir.Guard:
            span = old.condition.span
            with costs.chosen(alternative):
                cost = costs.of(old.condition)
            if cost <= DEAR:
                return new
            return replace(new, condition=PaidValue(ir.TRUTH, new.condition, cost, span=span))

        ready = zip(old.guards, new.guards, old.ready, strict=True)
        members = zip(old.member_guards, new.member_guards, dear, strict=True)
        return replace(
            new,
            guards=tuple(paid(o, n) if at and dear[at - 1] else n for o, n, at in ready),
            member_guards=tuple(
                tuple(map(paid, o, n)) if is_dear else n for o, n, is_dear in members
            ),
        )

    def _cost(node: Any) -> int:
        match node:
            case ir.Every(binder=binder, condition=value):
                return costs.heavy(binder, value)
            case ir.SumOf(binder=binder, value=value) | ir.Collect(binder=binder, value=value):
                return costs.heavy(binder, value)
            case ir.Extreme(binder=binder, value=value) | ir.Rank(binder=binder, key=value):
                return costs.heavy(binder, value)
            case ir.PathLength(binder=binder, value=value):
                return costs.heavy(binder, value)
            case ir.Count(binder=ir.Binder(where=None)):
                return 0
        return costs.heavy(node.binder) if isinstance(node, _LOOPS) else 0

    clauses = []
    for clause in program.clauses:
        with costs.inside(clause):
            clauses.append(_with(clause, body=changed(clause.body)))
    functions = []
    for function in program.functions:
        with costs.bounds.inside(function.lets):
            lets = tuple((slot, changed(value)) for slot, value in function.lets)
            functions.append(_with(function, lets=lets, result=changed(function.result)))
    always = [_with(each, condition=changed(each.condition)) for each in program.always]
    parts = {"clauses": clauses, "functions": functions, "always": always}
    other = _with(program, **{name: tuple(part) for name, part in parts.items()})
    return layout if other is program else layout.under(other)


def _with(node: Any, **parts: Any) -> Any:
    """Replaces fields of a node; returns the same node if nothing changes."""
    same = all(_is_same(getattr(node, name), part) for name, part in parts.items())
    return node if same else replace(node, **parts)


def _is_same(one: Any, other: Any) -> bool:
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(_is_same, one, other))
    return one is other or (isinstance(one, int) and one == other)
