"""How far a walk leads over a grid, without walking.

Where the condition of a walk over a small grid is a field (`small_boards`), the walk ends at the
first place ahead that is not in it. All places ahead, for each start, stand in a table as bits;
those that stop the walk are left when the field is taken out, and the nearest of them is the lowest
or the highest bit. On other grids the conditions of walks along columns and rows are kept as bits
for this (see `condition_bits`).
"""

from __future__ import annotations

from lawspeaker import ir
from lawspeaker.machines.compiled import condition_bits_code, small_boards
from lawspeaker.machines.compiled.function import Code
from lawspeaker.machines.compiled.plan import LONG, Column
from lawspeaker.machines.compiled.small_boards import bits_of, passed
from lawspeaker.machines.middle.forms import Expr, Variable
from lawspeaker.machines.planned.fields import Field, Fields, Step
from lawspeaker.machines.planned.whole_board import Everywhere


def known_step(c: Code, walk: ir.Walk | ir.Beside) -> Step | None:
    """The step of a walk, if it is known beforehand."""
    known = [c.folder.constant(c.meant(each)) for each in (walk.across, walk.down)]
    match known:
        case [(int(across),), (int(down),)]:
            return across, down
    return None


def length(c: Code, walk: ir.Walk, step: Step, start: Variable) -> Expr | None:
    """How many steps a walk makes from a place; None where it has to be walked, and then nothing
    is written."""
    family = c.plan.families[walk.family]
    if family.condition_bits:
        return condition_bits_code.length(
            c.f, family, c.unit.analyses.going.tops(walk), step, start
        )
    one_word = family.indexed and family.kept.words == 1
    if not one_word or step == (0, 0) or walk.binder.where is None:
        return None
    everywhere = Everywhere(c.unit.analyses, c.meanings, family.kept)
    field = everywhere.field(walk.binder.slot, walk.binder.where)
    return None if field is None else _length(c, everywhere.fields, field, step, start)


def _length(c: Code, fields: Fields, field: Field, step: Step, start: Variable) -> Expr:
    f, family = c.f, fields.places
    table = Column(c.plan.words(small_boards.ahead(family, fields, step)), LONG).from_number(
        family.first
    )
    ahead = f.let("ahead", table[start])
    stopping = f.let("stopping", ahead & bits_of(c, fields, fields.other(field)).only)
    return (passed(stopping, fields.stride(step)) & ahead).count_bits()
