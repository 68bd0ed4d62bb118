"""Features that compare a piece with the pieces that lie open one by one.

A card is high or low only beside those that were played. So each constant value of a piece is
compared with that of every piece in a public place for one piece: less, equal, or more. The places
are in order from the seat on.
"""

from __future__ import annotations

from lawspeaker.ir.types import NumberType, TruthType, WordType
from lawspeaker.machines.compiled.playouts.feature_words import joined, on_top
from lawspeaker.machines.compiled.runtime.plan import ConstantTable, PlaceMemory
from lawspeaker.machines.compiled.runtime.unit import Unit, routine
from lawspeaker.machines.middle.building import Body
from lawspeaker.machines.middle.forms import I32, Function, Variable

_MOST_PLACES = 8
"""With more places, pieces are not compared one by one."""
_MOST_VALUES = 4


def compared(unit: Unit, of: int) -> Function | None:
    """(piece that the seat sees, seat) -> a word for the comparison; None if there is nothing to
    compare"""
    there = 0 < sum(each.size for each in _open_families(unit, of)) <= _MOST_PLACES
    return _compared(unit, of) if there and _values(unit, of) else None


@routine("compared", returns=I32)
def _compared(unit: Unit, of: int, f: Body, piece: Variable, seat: Variable) -> None:
    values = _values(unit, of)
    kinds = unit.table(("sight", "kind"), lambda: unit.layout.piece_kind)
    found, kind = f.let("found", 0), f.let("kind", kinds[piece])
    for family in _open_families(unit, of):
        for at in range(family.size):
            # The places of the seat come first.
            each = family.size // unit.layout.players if family.of.per_player else 0
            number = (seat * each + at) % family.size
            other = f.let("other", on_top(f, family, number + family.first))
            said = f.let("said", 0)
            with f.if_((other >= 0) & (other != piece)):
                others = f.let("others", kinds[other])
                for value in values:
                    own, theirs = value[kind], value[others]
                    f.set(said, said * 3 + (own > theirs) - (own < theirs) + 2)
            f.set(found, joined(found, said))
    f.return_(found)


def _open_families(unit: Unit, of: int) -> list[PlaceMemory]:
    return [each for each in unit.plan.families if _lies_open(each, of)]


def _values(unit: Unit, of: int) -> list[ConstantTable]:
    """Returns the constant, ordered values of a piece, by its kind."""
    piece, found = unit.program.pieces[of], list[ConstantTable]()
    for at, column in enumerate(piece.columns):
        values = [each for kind in piece.kinds if isinstance(each := kind.values[at], int)]
        ordered = isinstance(column.type, WordType | NumberType | TruthType)
        if ordered and len(values) == len(piece.kinds):
            found.append(unit.plan.table([int(value) for value in values]))
    return found[:_MOST_VALUES]


def _lies_open(family: PlaceMemory, of: int) -> bool:
    """Returns whether pieces lie there one by one, and everyone sees them."""
    place = family.of
    alone = place.holds == of and place.room == 1 and not place.grid
    return alone and place.seen_by == "everyone" and family.loose is None
