"""Checks the definition of one value: its `let` lines, its result, and amendments by variants."""

from __future__ import annotations

from dataclasses import replace

from lawspeaker import ir
from lawspeaker.meaning.check.expressions import Expressions
from lawspeaker.meaning.check.functions import Functions
from lawspeaker.meaning.check.scope import Scope
from lawspeaker.meaning.check.values import has_lets
from lawspeaker.meaning.check.world import NAMES, Signature
from lawspeaker.text import parse
from lawspeaker.text.rulebook import GuardChange


def checked(functions: Functions, signature: Signature) -> ir.Function | None:
    """The function for a definition; None if it has errors."""
    world = functions.world
    clause = world.clauses[signature.function]
    code = functions.code(signature)
    if code is None:
        return None
    tree = functions.tree(clause.index, code)
    if tree is None:
        world.used.mentioned.update(NAMES.findall(code.content.text))
        return None
    errors = len(world.diagnostics)
    scope = Scope(world.diagnostics)
    expressions = Expressions(world, functions, scope, clause.index)
    for name, type in zip(signature.names, signature.types, strict=True):
        scope.declare(name, type, signature.span)
    lets: list[tuple[int, ir.Expr]] = []
    for let in tree.lets:
        value = expressions.expr(let.value)
        variable = scope.declare(let.name.text, value.type, let.name.span, let=True)
        lets.append((variable.slot, value))
        world.meanings.lets.append((let.name.span, value.type))
        expressions.meant(let.name, variable)
    check = expressions.truth if signature.predicate else expressions.expr
    result = check(tree.result)
    changes = world.book.amendments.get(clause.id, ())
    for change in sorted(changes, key=lambda one: one.mode == "and"):
        result = _amended(expressions, result, change)
    if len(world.diagnostics) > errors:
        world.used.mentioned.update(NAMES.findall(code.content.text))
    if result.type == ir.BROKEN or (signature.predicate and result.type != ir.TRUTH):
        return None
    slots = tuple(scope.slots)
    world.clauses[clause.index] = replace(clause, parameters=len(signature.types), slots=slots)
    return ir.Function(
        signature.name, clause.index, len(signature.types), slots, tuple(lets), result
    )


def _amended(expressions: Expressions, value: ir.Expr, change: GuardChange) -> ir.Expr:
    """A value with a variant's amendment: `plus` a number or a set, `or`, `and`."""
    tree = parse.value(change.code, expressions.diagnostics) if change.code else None
    if tree is None:
        return value
    span = tree.result.span
    if has_lets(tree, expressions.diagnostics):
        return value
    if change.mode == "plus" and isinstance(value.type, ir.SetType):
        more = expressions.want(tree.result, value.type)
        return ir.Combine(value.type, value, more, False, span=span)
    if change.mode == "plus":
        expressions.must_fit(value, ir.NUMBER)
        more = expressions.number(tree.result)
        return ir.Arithmetic(ir.NUMBER, "+", value, more, span=span)
    expressions.must_fit(value, ir.TRUTH)
    other = expressions.truth(tree.result)
    join = ir.Or if change.mode == "or" else ir.And
    return join(ir.TRUTH, value, other, span=span)
