"""Guards that need not be asked, since where the choice comes from already says so.

Rules state every condition, because each refusal has its own words: a piece goes on an *empty*
place *beside a piece*, out of the open places of a grid. But an open place is just that, so while
options are listed these guards hold. Refusals are explained elsewhere, from all guards, and a
machine that notes every guard asks them all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from lawspeaker import ir
from lawspeaker.ir.walk import slots_read
from lawspeaker.machines.reference.evaluate import Evaluator


def guards_to_ask(ev: Evaluator, alternative: ir.Alternative) -> list[list[ir.Expr]]:
    """The conditions to ask before the first part is chosen, after it, after the second …"""
    conditions = [ev.simplifier.simple(guard.condition) for guard in alternative.guards]
    found: list[list[ir.Expr]] = [[] for _ in range(len(alternative.parts) + 1)]
    for condition, ready in zip(conditions, alternative.ready, strict=True):
        part = alternative.parts[ready - 1] if ready and not ev.asks_all else None
        if part is None or part.several or not _implied(condition, part.binder, conditions):
            found[ready].append(condition)
    return found


def _implied(condition: ir.Expr, binder: ir.Binder, conditions: Sequence[ir.Expr]) -> bool:
    match binder.source, condition:
        case ir.Occupied(), ir.Not(operand=ir.IsEmpty(set=ir.Contents(place=place))):
            return _is(place, binder)
        case ir.OpenPlaces(), ir.IsEmpty(set=ir.Contents(place=place)):
            return _is(place, binder)
        case (
            ir.OpenPlaces(family=grid),
            ir.Exists(binder=ir.Binder(source=ir.Around(family=family, of=of)) as near),
        ) if family == grid and _is(of, binder):
            return _says_taken(near) and not _read_elsewhere(near.slot, condition, conditions)
    return False


def _is(expr: ir.Expr, binder: ir.Binder) -> bool:
    return isinstance(expr, ir.Local) and expr.slot == binder.slot


def _says_taken(binder: ir.Binder) -> bool:
    match binder.where:
        case ir.Not(operand=ir.IsEmpty(set=ir.Contents(place=place))):
            return _is(place, binder)
    return False


def _read_elsewhere(slot: int, condition: ir.Expr, conditions: Sequence[ir.Expr]) -> bool:
    """Whether another guard reads what a `there is` found."""
    return Counter(slots_read(tuple(conditions)))[slot] > Counter(slots_read(condition))[slot]
