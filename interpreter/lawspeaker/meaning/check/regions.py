"""Checks regions, reachability in a graph: `region from START by STEPS to each NOUN while
CONDITION`.

The element type must be enumerable, and each step leads to elements of the same type. Without `by`,
the steps are to neighbouring places of a board. A growing table has no edge, so a region on it
covers only occupied places.
"""

from __future__ import annotations

from lawspeaker import ir
from lawspeaker.meaning.check.checker import CodeChecker
from lawspeaker.meaning.check.mentions import must_mention, must_move
from lawspeaker.text import syntax as s

COUNTED = (ir.PlaceType, ir.WordType, ir.PieceType, ir.PlayerType)


def region(code: CodeChecker, expr: s.Region) -> ir.Expr:
    """Checks a region expression."""
    met = _met(code, expr.noun)
    start = _start(code, expr.start, met)
    name = expr.alias or s.Name(code.world.singular(expr.noun.text), expr.noun.span)
    with code.scope.block():
        here = code.scope.declare(name.text, met, name.span)
        steps = _steps(code, expr, ir.Local(met, here.slot, name.text, span=expr.noun.span))
        must_move(code, steps, here)
    slot = code.scope.new_slot(name.text, met)
    with code.scope.block():
        there = code.scope.declare(name.text, met, name.span, slot=slot)
        condition = _condition(code, expr)
        must_mention(code, condition, there, condition.span)
    if _grows(code, met):
        place = ir.Local(met, there.slot, name.text, span=expr.noun.span)
        condition = _taken(code, place, condition)
    standing = ir.Binder(here.slot, name.text, met, start, None, span=expr.span)
    step = ir.Binder(there.slot, name.text, met, steps, condition, span=expr.span)
    return ir.Region(ir.SetType(met), standing, step, span=expr.span)


def _met(code: CodeChecker, noun: s.Name) -> ir.Type:
    """The element type of a region."""
    met = code.world.type_named(noun.text)
    code.meant(noun, met)
    if isinstance(met, COUNTED):
        return met
    hint = "a place, a word, a piece or `player` is named here"
    if met is not None:
        many = code.world.many(met)
        code.diagnostics.error(
            "wrong-type", f"a region cannot be made of {many}", noun.span, hint=hint
        )
    elif not code.world.is_lost(noun.text):
        near = code.world.suggest(noun.text, [*code.world.types, *code.world.plurals])
        told = f"there is nothing called `{noun.text}`"
        code.diagnostics.error("unknown-name", told, noun.span, hint=near or hint)
        code.world.lose(noun.text)
    return ir.BROKEN


def _start(code: CodeChecker, start: s.Expr, met: ir.Type) -> ir.Expr:
    """The starting set of a region: one thing, or several."""
    found = code.expr(start, met)
    if isinstance(found.type, ir.SetType):
        code.must_fit(found, ir.SetType(met))
        return found
    code.must_fit(found, met)
    return ir.ListOf(ir.SetType(met), (found,), span=found.span)


def _steps(code: CodeChecker, expr: s.Region, here: ir.Local) -> ir.Expr:
    """The set of things reachable in one step."""
    met = here.type
    if expr.steps is not None:
        return code.want(expr.steps, ir.SetType(met))
    if isinstance(met, ir.PlaceType) and code.world.families[met.index].has_neighbours:
        return ir.Around(ir.SetType(met), met.index, here, False, span=expr.span)
    if not isinstance(met, ir.BrokenType):
        code.diagnostics.error(
            "wrong-operands",
            f"{code.world.many(met)} have no neighbours, so say where each step leads",
            expr.noun.span,
            hint=f"`region from … by STEPS to each {here.name} while …`, where STEPS are "
            f"{code.world.many(met)} that a {here.name} has",
        )
    return ir.Const(ir.SetType(ir.BROKEN), None, span=expr.span)


def _condition(code: CodeChecker, expr: s.Region) -> ir.Expr:
    if expr.condition is None:
        return ir.Const(ir.TRUTH, True, span=expr.span)
    return code.truth(expr.condition)


def _grows(code: CodeChecker, met: ir.Type) -> bool:
    return isinstance(met, ir.PlaceType) and code.world.families[met.index].grows


def _taken(code: CodeChecker, place: ir.Local, condition: ir.Expr) -> ir.Expr:
    """The condition, restricted to occupied places."""
    taken = ir.Not(
        ir.TRUTH, ir.IsEmpty(ir.TRUTH, code.as_set(place), span=place.span), span=place.span
    )
    return ir.And(ir.TRUTH, taken, condition, span=condition.span)
