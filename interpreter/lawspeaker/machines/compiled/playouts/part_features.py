"""Feature words for a part of an option, as the choosing seat sees it (see `feature_words`)."""

from __future__ import annotations

from dataclasses import dataclass

from lawspeaker.ir.types import (
    KindType,
    NumberType,
    PieceType,
    PlaceType,
    PlayerType,
    Type,
    WordType,
    plain,
)
from lawspeaker.machines.compiled.playouts import comparing, place_features
from lawspeaker.machines.compiled.playouts.feature_words import (
    content,
    count_word,
    counts,
    joined,
    looks,
    mark,
    number_word,
    relative,
    sees,
    spot_of,
)
from lawspeaker.machines.compiled.runtime.plan import ConstantTable
from lawspeaker.machines.compiled.runtime.unit import Unit
from lawspeaker.machines.middle.building import Body
from lawspeaker.machines.middle.forms import Expr, Variable

_COLUMNS = 6
"""The most constant attributes of a piece or a word that are used."""


@dataclass(frozen=True, slots=True)
class PartWords:
    """Words for a part of an option: for its looks, for its identity (if that is more), and
    others."""

    looks: Variable
    exact: Variable | None
    more: list[Expr]
    place: Variable | None = None
    compared: Variable | None = None
    """A word for how a piece compares with others."""


def part_words(unit: Unit, f: Body, of: Type, value: Variable, seat: Variable) -> PartWords:
    """Returns the words for a value."""
    match plain(of):
        case PieceType() as piece:
            return _piece(unit, f, piece, value, seat)
        case PlaceType() as place:
            return _place(unit, f, place, value, seat)
        case PlayerType():
            return PartWords(f.let("player", relative(unit, value, seat)), None, [value])
        case NumberType():
            return PartWords(f.let("number", number_word(unit)(value)), None, [])
        case WordType() | KindType() as listed:
            names, columns = _listed(unit, listed)
            return PartWords(f.let("named", names[value]), None, [each[value] for each in columns])
    return PartWords(f.let("plain", value + 1), None, [])


def _listed(unit: Unit, of: WordType | KindType) -> tuple[ConstantTable, list[ConstantTable]]:
    """Returns the names of words, or kinds, and their constant attributes."""
    program = unit.program
    if isinstance(of, WordType):
        words = program.word_sets[of.index]
        names, columns, rows = words.words, words.columns, words.rows
        called = words.name
    else:
        piece = program.pieces[of.index]
        names, columns = tuple(kind.name for kind in piece.kinds), piece.columns
        rows, called = tuple(kind.values for kind in piece.kinds), piece.name
    plain_columns = [(at, each) for at, each in enumerate(columns) if not each.indices]
    return unit.plan.table([mark(f"{called} {name}") for name in names]), [
        unit.plan.table([mark(f"{called} {column.name} {row[at]}") for row in rows])
        for at, column in plain_columns[:_COLUMNS]
    ]


def _piece(unit: Unit, f: Body, of: PieceType, piece: Variable, seat: Variable) -> PartWords:
    """Words for a piece: its looks, its place, and its constant attributes."""
    place = f.let("place", unit.plan.where[piece])
    spot = f.let("spot", spot_of(unit)(place, seat) * counts(unit, place, seat))
    shown = f.let("looks", looks(unit, of.index)(piece, seat))
    seen = f.let("seen", sees(unit, place, seat))
    kinds = unit.table(("sight", "kind"), lambda: unit.layout.piece_kind)
    kind = f.let("kind", kinds[piece])
    _, columns = _listed(unit, KindType(of.name, of.index))
    # Attributes and place of a hidden piece must not leak: multiply by whether it is seen.
    more = [spot, *(each[kind] * seen for each in columns)]
    compares = comparing.compared(unit, of.index)
    compared = None if compares is None else f.let("compared", compares(piece, seat) * seen)
    return PartWords(shown, f.let("there", joined(shown, spot)), more, compared=compared)


def _place(unit: Unit, f: Body, of: PlaceType, place: Variable, seat: Variable) -> PartWords:
    """Words for a place: its top piece, the number of pieces, and on a grid its neighbourhood."""
    family = unit.plan.families[of.index]
    spot = f.let("spot", spot_of(unit)(place, seat))
    is_board = of.index in unit.plan.policy.boards
    if is_board:
        on_top = f.let("on_top", place_features.at(unit, of.index, place))
    else:
        on_top = f.let("on_top", content(unit, of.index)(place, seat))
    exact = f.let("exact", joined(spot, seat + 1))
    more: list[Expr] = [spot]
    if family.of.room != 1:
        more.append(f.let("count", count_word(unit, family, place, seat)))
    if is_board:
        more += _around(unit, f, of.index, place)
    return PartWords(on_top, exact, more, place if family.of.grid else None)


def _around(unit: Unit, f: Body, board: int, place: Variable) -> list[Expr]:
    """Words for the neighbours of a place of a board, one by one and together."""
    found: list[Expr] = []
    beside, around = f.let("beside", mark("beside")), f.let("around", mark("around"))
    for across, down in unit.plan.families[board].of.steps(diagonal=True):
        near = f.let("near", place_features.at(unit, board, place, (across, down)))
        found.append(joined(mark(f"step {across} {down}"), near))
        f.set(around, joined(around, near))
        if not across or not down:
            f.set(beside, joined(beside, near))
    return [*found, beside, around]
