"""Reports steps, conditions and values that do not mention the thing they are evaluated for.

In `region from square by beside of square to each square as next`, `square` is the start and `next`
is the current place. So each step leads to the same places, and the region ends there. The same
slip in a condition makes it hold for all things or for none.
"""

from __future__ import annotations

from lawspeaker import ir
from lawspeaker.base.source import Span
from lawspeaker.ir.walk import names_in, slots_read
from lawspeaker.meaning.check.checker import CodeChecker
from lawspeaker.meaning.check.fitting import bare
from lawspeaker.meaning.check.scope import Variable

HERE = "here"
"""The name of the place where the next step of a path begins."""


def must_move(code: CodeChecker, steps: ir.Expr, here: Variable) -> None:
    """Reports steps of a region that do not depend on the current place."""
    if isinstance(steps, ir.ListOf | ir.Const) or here.slot in slots_read(steps):
        return
    code.diagnostics.error(
        "same-for-all",
        f"each step leads to the same {code.world.many(here.type)}, wherever one stands",
        steps.span,
        hint=_instead(here.name, _another(steps, here.type)),
    )


def must_mention(code: CodeChecker, said: ir.Expr, thing: Variable, span: Span) -> None:
    """Warns of a condition or value that mentions another thing of the same type instead. A step of
    a path may depend on the current place alone."""
    other = _another(said, thing.type)
    if other is None or other.name == HERE or thing.slot in slots_read(said):
        return
    code.diagnostics.warning(
        "same-for-all",
        f"this speaks of `{other.name}`, and so is the same for each `{thing.name}`",
        span,
        hint=_instead(thing.name, other),
    )


def _another(said: ir.Expr, type: ir.Type) -> ir.Local | None:
    """The first other name of this type in an expression; numbers do not count."""
    if isinstance(bare(type), ir.NumberType):
        return None
    return next((each for each in names_in(said) if bare(each.type) == bare(type)), None)


def _instead(name: str, other: ir.Local | None) -> str:
    instead = f" instead of `{other.name}`" if other is not None else ""
    return f"write `{name}`{instead}"
