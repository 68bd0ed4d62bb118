"""Constant propagation.

A variable is known to be constant from its assignment until it may have been assigned again: after
an `if` with an unknown condition, a block or a loop, everything assigned inside is unknown, and in
a loop also from its start. Unreachable branches are removed, with their assignments.
"""

from __future__ import annotations

from collections.abc import Mapping

from lawspeaker.machines.middle import forms as m
from lawspeaker.machines.middle.folding import decided, fold
from lawspeaker.machines.middle.walk import ends, rebuilt, statements

Known = dict[m.Variable, m.Const]


def propagated(body: m.Statements, known: Mapping[m.Variable, m.Const]) -> m.Statements:
    """Propagates constants through a body, given those known at its beginning."""
    return _followed(body, dict(known))


def _followed(body: m.Statements, known: Known) -> m.Statements:
    """Rewrites a body; updates `known` from the state at its beginning to that at its end."""
    found: m.Statements = []

    def change(expr: m.Expr) -> m.Expr:
        if isinstance(expr, m.Variable):
            return known.get(expr, expr)
        return rebuilt(expr, change)

    for each in body:
        now = rebuilt(each, lambda expr: fold(change(expr)))
        match now:
            case m.If(condition=m.Const(value=value), then=then, otherwise=otherwise):
                found += _followed(then if value else otherwise, known)
            case _:
                found += [_one(part, known) for part in decided(now)]
        if ends(found):
            break
    return found


def _one(statement: m.Statement, known: Known) -> m.Statement:
    match statement:
        case m.Set(target=m.Variable() as target, value=value):
            known.pop(target, None)
            if isinstance(value, m.Const):
                known[target] = value
        case m.Do(into=into):
            for each in into:
                known.pop(each, None)
        case m.If(condition=condition, then=then, otherwise=otherwise):
            one, other = dict(known), dict(known)
            made = m.If(condition, _followed(then, one), _followed(otherwise, other))
            if ends(made.then):
                one = other
            elif ends(made.otherwise):
                other = one
            _keep(known, {name: value for name, value in one.items() if other.get(name) is value})
            return made
        case m.Block(label=label, body=body):
            inside = m.Block(label, _followed(body, dict(known)))
            _forget(known, inside.body)
            return inside
        case m.Loop(label=label, body=body):
            _forget(known, body)
            return m.Loop(label, _followed(body, dict(known)))
    return statement


def _keep(known: Known, now: Known) -> None:
    known.clear()
    known.update(now)


def _forget(known: Known, body: m.Statements) -> None:
    """Invalidates all variables assigned in a body."""
    for each in statements(body):
        if isinstance(each, m.Set):
            if isinstance(each.target, m.Variable):
                known.pop(each.target, None)
        elif isinstance(each, m.Do):
            for one in each.into:
                known.pop(one, None)
