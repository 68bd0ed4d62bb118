"""Lowers a path as one answer: several steps, each from the end of the last.

`path of up to 4 squares as landing from origin` is chosen as a whole: one landing, or two, … Each
length becomes an alternative with one part per step; the machines know nothing of paths. Conditions
on a step (its set, its `where`, and guards that mention it or `here`) are instantiated for each
step: there `here` is the previous place and `path` the steps so far. A guard of the whole path
mentions `path`, `here` for its end, or `onward`, the set of possible next steps.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any

from lawspeaker import ir
from lawspeaker.base.source import Span
from lawspeaker.ir.walk import rebuilt, replaced, slots_read
from lawspeaker.meaning.check.fitting import bare, fits
from lawspeaker.meaning.check.mentions import HERE
from lawspeaker.meaning.check.statements import Statements
from lawspeaker.text import syntax as s

LONGEST_PATH = 12
PATH, ONWARD = "path", "onward"


@dataclass(frozen=True, slots=True)
class Path:
    """A path that is being checked. `step` is the binder of one step; `here`, `path` and `onward`
    are the slots of these names, `ahead` the slot that `onward` ranges with; `steps` are the slots
    of the steps."""

    step: ir.Binder
    start: ir.Expr
    here: int
    path: int
    onward: int
    ahead: int
    steps: tuple[int, ...]
    span: Span

    def is_of_a_step(self, guard: ir.Guard) -> bool:
        """Whether a guard applies to each step rather than to the whole path."""
        return self.step.slot in slots_read(guard.condition)

    def alternatives(self, whole: ir.Alternative) -> list[ir.Alternative]:
        """One alternative per length. The last part of `whole` stands for all steps."""
        return [self._of_length(whole, length) for length in range(1, len(self.steps) + 1)]

    def _of_length(self, whole: ir.Alternative, length: int) -> ir.Alternative:
        before = whole.parts[:-1]
        steps = tuple(self._step(at) for at in range(length))
        guards: list[ir.Guard] = []
        ready: list[int] = []
        for guard, due in zip(whole.guards, whole.ready, strict=True):
            if self.is_of_a_step(guard):
                for at in range(length):
                    guards.append(self._guard(guard, self._names(at, self.steps[at])))
                    ready.append(len(before) + at + 1)
                continue
            read = {self.here, self.path, self.onward}.intersection(slots_read(guard.condition))
            guards.append(self._guard(guard, self._at_end(whole, length)))
            ready.append(len(before) + length if read else due)
        said = ir.SetLocal(self.path, PATH, self._listed(length), span=self.span)
        found: ir.Alternative = fresh(
            replace(
                whole,
                parts=(*before, *map(ir.Part, steps)),
                guards=tuple(guards),
                member_guards=((),) * (len(before) + length),
                ready=tuple(ready),
                body=(said, *whole.body),
            )
        )
        return found

    def _step(self, at: int) -> ir.Binder:
        slot = self.steps[at]
        step: ir.Binder = replaced(self.step, self._names(at, slot))
        return replace(step, slot=slot)

    def _names(self, at: int, slot: int) -> dict[int, ir.Expr]:
        """The substitution for the names at step `at`, whose slot is given."""
        here = self._local(self.steps[at - 1]) if at else self.start
        return {self.step.slot: self._local(slot), self.here: here, self.path: self._listed(at)}

    def _at_end(self, whole: ir.Alternative, length: int) -> dict[int, ir.Expr]:
        """The substitution for the names after so many steps."""
        names = self._names(length, self.ahead)
        own = [guard.condition for guard in whole.guards if self.is_of_a_step(guard)]
        next_step: ir.Binder = replaced(self.step, names)
        limits = [
            each for each in (next_step.where, *(replaced(one, names) for one in own)) if each
        ]
        where = reduce(_both, limits) if limits else None
        onward = replace(next_step, slot=self.ahead, where=where)
        return {**names, self.onward: ir.Filter(ir.SetType(self.step.type), onward, span=self.span)}

    def _guard(self, guard: ir.Guard, names: Mapping[int, ir.Expr]) -> ir.Guard:
        return replace(guard, condition=replaced(guard.condition, names))

    def _local(self, slot: int) -> ir.Local:
        return ir.Local(self.step.type, slot, self.step.name, span=self.span)

    def _listed(self, length: int) -> ir.Expr:
        of: ir.Type = ir.SetType(self.step.type)
        steps = tuple(map(self._local, self.steps[:length]))
        return ir.ListOf(of, steps, span=self.span)


class Paths(Statements):
    """Checks the paths of questions."""

    path: Path | None = None
    """The path of the alternative that is being checked."""

    def path_part(self, each: s.Part) -> ir.Part:
        """`path of up to 4 squares as landing from origin`: one part for all of its steps."""
        binder, scope = each.binder, self.scope
        most = self.number(each.number) if each.number is not None else None
        start = self.expr(binder.start) if binder.start is not None else None
        of = ir.BROKEN if start is None else bare(start.type)
        if start is None:
            self.diagnostics.error(
                "missing-key",
                "it is not said where the path begins",
                binder.span,
                hint=f"say it after `from`: `path of up to 4 {binder.noun.text} from …`",
            )
        else:
            self.must_fit(start, of)
        here = scope.declare(HERE, of, each.span)
        path = scope.declare(PATH, ir.SetType(of), each.span)
        taken, variable = self.binder(replace(binder, start=None), keep=True)
        if start is not None and not fits(taken.type, of):
            self.diagnostics.error(
                "wrong-type",
                f"the path begins with {self.world.a(of)}, and goes over "
                f"{self.world.many(taken.type)}",
                binder.noun.span,
                hint="a path goes from one to the next of the same sort",
            )
        onward = scope.declare(ONWARD, ir.SetType(taken.type), each.span)
        steps = self.steps(most, each.span)
        if self.path is None and start is not None:
            slots = tuple(scope.new_slot(variable.name, taken.type) for _ in range(steps))
            ahead = scope.new_slot(variable.name, taken.type)
            names = here.slot, path.slot, onward.slot, ahead
            self.path = Path(taken, start, *names, slots, each.span)
        return ir.Part(taken)

    def steps(self, most: ir.Expr | None, span: Span) -> int:
        """The maximal number of steps, which must be a constant."""
        match most:
            case ir.Const(value=int(number)) if 1 <= number <= LONGEST_PATH:
                return number
        self.diagnostics.error(
            "bad-value",
            f"a path has a fixed number of steps, from 1 to {LONGEST_PATH}",
            span if most is None else most.span,
            hint="write how many there can be at the most",
        )
        return 1


def _both(left: ir.Expr, right: ir.Expr) -> ir.Expr:
    return ir.And(ir.TRUTH, left, right, span=left.span)


def fresh(node: Any) -> Any:
    """A copy of a tree that shares no node with the original."""
    new = rebuilt(node, fresh)
    return replace(new) if new is node else new
