"""Feature words of 32 bits for values, pieces and places as a seat sees them.

Words are hashes of names in the rules, so they are the same in a variant. Players are counted from
the observing seat. Pieces and places contribute only what the seat may know.
"""

from __future__ import annotations

from contextlib import AbstractContextManager

from lawspeaker.ir.types import (
    KindType,
    NumberType,
    PlayerType,
    TruthType,
    Type,
    WordType,
    plain,
)
from lawspeaker.machines.compiled.runtime.journal_code import viewers
from lawspeaker.machines.compiled.runtime.plan import NONE, PlaceMemory
from lawspeaker.machines.compiled.runtime.unit import Unit, routine
from lawspeaker.machines.middle.building import Body
from lawspeaker.machines.middle.forms import (
    I32,
    Expr,
    Number,
    Variable,
    const,
    either,
    not_,
    select,
    wrapped,
)
from lawspeaker.position.rng import word_of

_SPREAD, _PLAYER = 0x9E3779B1, 0x27D4EB2F
"""Odd multipliers that mix low bits into high ones."""
_SMALL = 24
"""Numbers up to here are distinguished; larger ones only by magnitude."""
_FEW_VALUES = 12
"""States with at most so many values are part of a piece's looks."""
_STATES = 4
"""The most states of a piece that are used."""


def mark(text: str) -> int:
    """Returns the word for a name."""
    return wrapped(word_of(text) & 0xFFFFFFFF, I32)


def joined(first: Expr | int, *others: Number) -> Expr:
    """Combines several words; their order matters."""
    found = const(first) if isinstance(first, int) else first
    for other in others:
        found = (found * _SPREAD) ^ other
    return found


def relative(unit: Unit, player: Expr, seat: Expr) -> Expr:
    """Returns a player, counted from a seat; nobody is one more."""
    players = max(1, unit.layout.players)
    behind = player - seat
    counted = select(behind < 0, behind + players, behind)
    return select(player < 0, players, counted) * _PLAYER + 1


@routine("number word", returns=I32)
def number_word(unit: Unit, f: Body, value: Variable) -> None:
    """(number) -> a word for it: exact for small numbers, else by magnitude"""
    below = f.let("below", value < 0)
    size = f.let("size", select(below, 0 - value, value))
    rough = _SMALL + 32 - size.leading_zeros()
    said = f.let("said", select(size <= _SMALL, size, rough))
    f.return_((said * 2 + below + 1) * _PLAYER)


def sees(unit: Unit, place: Expr, seat: Expr) -> Expr:
    """Returns whether a seat sees the pieces in a place: 1 or 0."""
    return is_in(unit.plan.long_table([viewers(each) for each in unit.layout.seen])[place], seat)


def counts(unit: Unit, place: Expr, seat: Expr) -> Expr:
    """Returns whether a seat sees the number of pieces in a place."""
    known = [viewers(each) for each in unit.layout.count_seen]
    return is_in(unit.plan.long_table(known)[place], seat)


def is_in(known: Expr, seat: Expr) -> Expr:
    return (known >> seat).to_word() & 1


@routine("spot", returns=I32)
def spot_of(unit: Unit, f: Body, place: Variable, seat: Variable) -> None:
    """(place, seat) -> a word for a place: its family, its indices, and its owner"""
    layout = unit.layout

    def names() -> list[int]:
        return [mark(_spot_name(unit, place)) for place in range(len(layout.place_family))]

    with f.if_(place < 0):
        f.return_(mark("nowhere"))
    owners = unit.table(("sight", "owner"), lambda: [or_none(each) for each in layout.place_owner])
    f.return_(
        joined(unit.table(("sight", "spot"), names)[place], relative(unit, owners[place], seat))
    )


def _spot_name(unit: Unit, place: int) -> str:
    layout = unit.layout
    family = unit.program.families[layout.place_family[place]]
    pairs = zip(family.indices, layout.place_indices[place], strict=True)
    indices = [
        layout.text(column.type, index)
        for column, index in pairs
        if not isinstance(column.type, PlayerType)
    ]
    return " ".join([family.name, *indices])


def or_none(owner: int | None) -> int:
    return NONE if owner is None else owner


@routine("looks to", returns=I32)
def looks(unit: Unit, of: int, f: Body, piece: Variable, seat: Variable) -> None:
    """(piece, seat) -> a word for its looks; for its type if the seat does not see it"""
    with f.if_(piece >= 0), f.if_(not_(sees(unit, unit.plan.where[piece], seat))):
        f.return_(mark(unit.program.pieces[of].name))
    f.return_(face(unit, of)(piece, seat))


@routine("face", returns=I32)
def face(unit: Unit, of: int, f: Body, piece: Variable, seat: Variable) -> None:
    """(piece that the seat sees, or none; seat) -> a word for its type, kind, owner, and states
    with few values"""
    layout, piece_type = unit.layout, unit.program.pieces[of]

    def names() -> list[int]:
        pairs = zip(layout.piece_type, layout.piece_kind, strict=True)
        pieces = unit.program.pieces
        return [mark(f"{pieces[a].name} {pieces[a].kinds[b].name}") for a, b in pairs]

    with f.if_(piece < 0):
        f.return_(mark("nothing"))
    found = f.let("found", unit.table(("sight", "kind names"), names)[piece])
    if piece_type.per_player:
        owners = unit.table(
            ("sight", "owners"), lambda: [or_none(each) for each in layout.piece_owner]
        )
        owner = f.let("owner", owners[piece])
        f.set(found, joined(found, relative(unit, owner, seat)))
    few = [
        (column[piece], plain(entry.type))
        for column, entry in zip(unit.plan.states[of], layout.states[of], strict=True)
        if _has_few_values(plain(entry.type))
    ]
    for column, type in few[:_STATES]:
        value = f.let("value", column)
        is_player = isinstance(type, PlayerType)
        f.set(found, joined(found, relative(unit, value, seat) if is_player else value + 2))
    f.return_(found)


def _has_few_values(of: Type) -> bool:
    match of:
        case PlayerType() | WordType() | KindType() | TruthType():
            return True
        case NumberType() as range_:
            return range_.listed and range_.high - range_.low < _FEW_VALUES
    return False


@routine("content", returns=I32)
def content(unit: Unit, number: int, f: Body, place: Variable, seat: Variable) -> None:
    """(place of a family, seat) -> a word for the top piece, as far as the seat sees it"""
    family = unit.plan.families[number]
    if family.of.seen_by != "everyone":
        with f.if_(not_(sees(unit, place, seat))):
            f.return_(mark("hidden"))
    if family.loose is not None:
        with f.if_(family.loose[place]):
            f.return_(mark("hidden"))
    f.return_(face(unit, family.of.holds)(on_top(f, family, place), seat))


def on_top(f: Body, family: PlaceMemory, place: Expr) -> Expr:
    """Returns the top piece in a place of a family, or none."""
    if not family.masked:
        return family.top[place]
    mask = f.let("mask", family.masks[place])
    return select(mask == 0, NONE, 63 + family.first_piece - mask.leading_zeros())


def lying(
    unit: Unit, f: Body, family: PlaceMemory, place: Expr
) -> AbstractContextManager[Variable]:
    """Iterates over the pieces in a place of a family."""
    if family.masked:
        return f.each_bit("piece", family.masks[place], family.first_piece)
    return f.each_in_chain("piece", family.bottom[place], unit.plan.above)


def count_word(unit: Unit, family: PlaceMemory, place: Expr, seat: Expr) -> Expr:
    """Returns a word for the number of pieces in a place, if the seat sees that."""
    count = family.masks[place].count_bits() if family.masked else family.count[place]
    known = counts(unit, place, seat)
    return joined(mark("count"), either(known, number_word(unit)(count), 0))
