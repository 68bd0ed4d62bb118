"""Lowers the keys of a ranking to one number.

Several keys become one: the number of others that are lower by the first key that differs. So keys
of any size can be compared, and the machines need only a single key.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lawspeaker import ir
from lawspeaker.meaning.check.expressions import Expressions
from lawspeaker.text import syntax as s


def ranked_by(code: Expressions, rank: s.Rank) -> tuple[ir.Binder, ir.Expr]:
    """The binder of what is ranked, and the single key."""
    known = len(code.diagnostics)
    taken, keys = _taken(code, rank)
    if len(keys) == 1 or len(code.diagnostics) > known:
        return taken, keys[0]
    others, theirs = _taken(code, rank)
    below = _below(theirs, keys)
    if others.where is not None:
        below = ir.And(ir.TRUTH, others.where, below, span=below.span)
    return taken, ir.Count(ir.NUMBER, replace(others, where=below), span=rank.span)


def _taken(code: Expressions, rank: s.Rank) -> tuple[ir.Binder, list[ir.Expr]]:
    with code.scope.block():
        taken, _ = code.binder(rank.binder, keep=True)
        return taken, [code.number(key) for key in rank.keys]


def _below(theirs: Sequence[ir.Expr], keys: Sequence[ir.Expr]) -> ir.Expr:
    """Lexicographic comparison as a balanced tree, so that many keys nest little."""
    span, half = keys[0].span, len(keys) // 2
    if len(keys) == 1:
        return ir.Compare(ir.TRUTH, "<", theirs[0], keys[0], span=span)
    equal = _equal(theirs[:half], keys[:half])
    rest = ir.And(ir.TRUTH, equal, _below(theirs[half:], keys[half:]), span=span)
    return ir.Or(ir.TRUTH, _below(theirs[:half], keys[:half]), rest, span=span)


def _equal(theirs: Sequence[ir.Expr], keys: Sequence[ir.Expr]) -> ir.Expr:
    """Whether all keys are equal."""
    span, half = keys[0].span, len(keys) // 2
    if len(keys) == 1:
        return ir.Compare(ir.TRUTH, "=", theirs[0], keys[0], span=span)
    return ir.And(
        ir.TRUTH, _equal(theirs[:half], keys[:half]), _equal(theirs[half:], keys[half:]), span=span
    )
