"""Generates hypothetical execution of a clause: save, execute, evaluate, restore.

Saved are the regions of memory that belong to the planned write set (`planned/supposed`), and the
unordered pieces of a shuffled pile. If it is planned so, moves are logged instead, and undone one
after the other. Journal entries are discarded.

During the search for options, all hypothetical executions start from the same position: the first
one saves for all what any of them writes (`once`), and each restores what it has written itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from lawspeaker import ir
from lawspeaker.ir.dependence import SupposedTogether
from lawspeaker.machines.compiled.compile.function import Code
from lawspeaker.machines.compiled.runtime import snapshots
from lawspeaker.machines.compiled.runtime.moving import MOVE, put_all_back
from lawspeaker.machines.compiled.runtime.plan import LONG, NONE
from lawspeaker.machines.middle.forms import Variable, not_, word
from lawspeaker.machines.planned.supposed import WriteSet

FURTHER = 32
"""So many more moves than there are pieces can be logged."""


def supposing_done(c: Code, expr: ir.SupposingDone) -> Variable:
    """Returns whether a condition, or each of several, holds after executing a clause."""
    f, unit = c.f, c.unit
    slots = c.program.clauses[expr.clause].slots
    with c.scoped():
        given = [
            f.let("given", c.value(argument, slots[at].type))
            for at, argument in enumerate(expr.arguments)
        ]
        undo = _Undo(c, expr.clause)
        undo.begin()
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
                    undo.restore()
                    f.all_of(unit.clause(expr.clause), *given)
                f.set(unit.left, unit.left - spent)
                c.unless(each.value, fails)
            f.set(answer, 1)
        undo.restore()
        undo.end()
        f.set(unit.noted, noted)
    return answer


class _Undo:
    """How one hypothetical execution is undone: by saved regions of memory, and by a log of the
    pieces that it moves if that is planned."""

    def __init__(self, c: Code, clause: int) -> None:
        self.c = c
        written = c.unit.write_sets.of(clause)
        self.most = 0
        if c.unit.write_sets.is_logged(written):
            pieces = sum(len(c.layout.pieces_of[piece]) for piece in written.moved)
            self.most = (pieces + FURTHER) * MOVE
        self.regions = snapshots.regions(c.plan, _saved(c, written))
        self.snapshot = c.snapshot or _snapshot(c, self.regions)
        if not snapshots.within(self.regions, self.snapshot.regions):
            self.snapshot = _snapshot(c, self.regions)

    def begin(self) -> None:
        """Takes the snapshot, unless that has been done, and begins a log."""
        c, f, taken = self.c, self.c.f, self.snapshot.taken
        with f.if_(not_(taken)):
            snapshots.save(c.unit, f, self.snapshot.regions, self.snapshot.aside)
            f.set(taken, 1)
        if c.unit.write_sets.logging:
            self.outer = f.let("log", c.unit.log), f.let("full", c.unit.log_full)
            self.start = f.let("start", c.reserve(self.most // 4) + 4 if self.most else 0)
            f.set(c.unit.log, self.start)
            f.set(c.unit.log_full, self.start + self.most)
            if self.most:
                # Smaller memory for a GPU is measured by what was written, and needs the whole log.
                f.set(word(self.start, self.most - 4), NONE)

    def restore(self) -> None:
        """Brings the position back."""
        c = self.c
        if self.most:
            c.f.do(put_all_back(c.unit), self.start)
        snapshots.restore(c.unit, c.f, self.regions, self.snapshot)

    def end(self) -> None:
        """Goes on with the log of the execution around this one, if there is one."""
        if self.c.unit.write_sets.logging:
            for name, outer in zip(
                (self.c.unit.log, self.c.unit.log_full), self.outer, strict=True
            ):
                self.c.f.set(name, outer)


def _saved(c: Code, written: WriteSet) -> WriteSet:
    """Returns what is saved in regions: without the pieces that are put back from a log."""
    return replace(written, moved=frozenset()) if c.unit.write_sets.is_logged(written) else written


def _snapshot(c: Code, regions: snapshots.Regions) -> snapshots.Snapshot:
    """Allocates memory for a snapshot."""
    listed = c.reserve(snapshots.size(regions) // 4 + 1)
    aside = c.f.let("aside", listed + (LONG - 1) & -LONG)
    return snapshots.Snapshot(regions, aside, c.f.let("taken", 0))


@contextmanager
def once(c: Code, ask: ir.Ask) -> Iterator[None]:
    """Shares one snapshot among the hypothetical executions in the options of a question."""
    written = c.unit.write_sets.of_question(ask)
    if written is None:
        yield
        return
    with c.scoped(), c.sharing(_snapshot(c, snapshots.regions(c.plan, _saved(c, written)))):
        yield
