"""How far a walk leads over a grid, without walking.

Where the condition of a walk over a small grid is a field (`small_boards`), the walk ends at the
first place ahead that is not in it. All places ahead, for each start, stand in a table as bits;
those that stop the walk are left when the field is taken out, and the nearest of them is the lowest
or the highest bit. On other grids the conditions of walks along columns and rows are kept as bits
for this (see `condition_bits`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from lawspeaker import ir
from lawspeaker.machines.compiled import condition_bits_code
from lawspeaker.machines.compiled.function import Code
from lawspeaker.machines.compiled.plan import Family
from lawspeaker.machines.compiled.small_boards import Field, Fields, Step
from lawspeaker.machines.compiled.small_boards import push as push_field
from lawspeaker.machines.compiled.whole_board import Everywhere
from lawspeaker.machines.middle.forms import Variable


def known_step(c: Code, walk: ir.Walk | ir.Beside) -> Step | None:
    """The step of a walk, if it is known beforehand."""
    known = [c.folder.constant(c.meant(each)) for each in (walk.across, walk.down)]
    match known:
        case [(int(across),), (int(down),)]:
            return across, down
    return None


def length(c: Code, walk: ir.Walk, step: Step) -> Callable[[Variable], None] | None:
    """Code for the number of steps a walk makes from the place in a local; None where it has to
    be walked."""
    family = c.plan.families[walk.family]
    if family.condition_bits:
        measured = condition_bits_code.measured(family, c.plan.going.tops(walk), step)
        return None if measured is None else partial(measured, c.b)
    if not family.indexed or step == (0, 0) or walk.binder.where is None:
        return None
    everywhere = Everywhere(c, family)
    field = everywhere.field(walk.binder.slot, walk.binder.where)
    if field is None:
        return None
    return lambda start: _push_length(c, everywhere.fields, field, step, start)


def _push_length(c: Code, fields: Fields, field: Field, step: Step, start: Variable) -> None:
    b, family = c.b, fields.family
    ahead, stopping = c.long(), c.long()
    b.get(start)
    b.const(family.first)
    b.op("i32.sub")
    b.const(3)
    b.op("i32.shl")
    b.load(c.plan.words(_ahead(family, fields, step)), "i64.load")
    b.tee(ahead)
    push_field(c, fields, fields.other(field))
    b.op("i64.and")
    b.set(stopping)
    if fields.stride(step) > 0:
        # The bits below the lowest one; all, where there is none.
        b.get(stopping)
        b.long(1)
        b.op("i64.sub")
        b.get(stopping)
        b.long(-1)
        b.op("i64.xor", "i64.and")
    else:
        # The bits above the highest one. It is never the last of all 64: nothing lies before that.
        b.long(-1)
        b.long(0)
        b.get(stopping)
        b.op("i64.clz", "i64.sub", "i64.shl")
    b.get(ahead)
    b.op("i64.and", "i64.popcnt", "i32.wrap_i64")


def _ahead(family: Family, fields: Fields, step: Step) -> list[int]:
    """For each place the places ahead of it."""
    on_board, stride = fields.on_board(step), fields.stride(step)
    found = []
    for offset in range(family.size):
        bits = 0
        while on_board >> offset & 1:
            offset += stride
            bits |= 1 << offset
        found.append(bits)
    return found
