"""Hashed features of an option, and of the table, for a linear policy.

An option has features for its alternative, for each of its parts and for pairs of them; on a grid
also for the neighbourhood of a place and the offset between two places, and for a piece how it
compares with those that lie open (see `comparing.py`). Features of its first parts are also crossed
with each word for the table (see `table_features`).

The table alone has features for the value estimate: each of its words, alone and crossed with the
seat's lead; every visible piece with its family and its place; how many more of them the seat has
somewhere than any other; and which pieces are adjacent on boards.
"""

from __future__ import annotations

from itertools import combinations

from lawspeaker import ir
from lawspeaker.machines.compiled.playouts import place_features, table_features
from lawspeaker.machines.compiled.playouts.feature_words import (
    joined,
    looks,
    lying,
    mark,
    number_word,
    or_none,
    relative,
    sees,
    spot_of,
)
from lawspeaker.machines.compiled.playouts.part_features import PartWords, part_words
from lawspeaker.machines.compiled.runtime.plan import PlaceMemory
from lawspeaker.machines.compiled.runtime.policy_layout import BITS, FEATURE, MEMBERS, TABLE_BITS
from lawspeaker.machines.compiled.runtime.question import Question, offsets
from lawspeaker.machines.compiled.runtime.replies import part_of
from lawspeaker.machines.compiled.runtime.unit import Unit, routine
from lawspeaker.machines.middle.building import Body
from lawspeaker.machines.middle.forms import I32, Expr, Variable, const, select, word

_STIR = 0x85EBCA6B
"""An odd multiplier that mixes low bits into high ones."""
_WIDE, _SMALL = 160, 100
"""Boards of at most so many places have features for the value estimate, and smaller ones also by
place."""
_MOST_PIECES, _FEW_PARTS = 320, 8
"""In games with at most so many pieces, each has features for the value estimate; families are
divided into at most so many parts."""
_PARTS = 3
"""The first parts of an option, so many, are crossed with the table."""


class Writing:
    """Appends feature indices: of options, or of the table alone."""

    def __init__(self, f: Body, out: Variable, *, table: bool = False) -> None:
        self._f = f
        self._out = out
        self._first, self._bits = (FEATURE << BITS, TABLE_BITS) if table else (0, BITS)

    def add(self, said: Expr) -> None:
        f = self._f
        number = (said * _STIR) >> 32 - self._bits
        f.set(word(self._out), number * FEATURE + self._first)
        f.add(self._out, 4)


# ---------------------------------------------------------------- an option


@routine("features", returns=I32)
def of_option(
    unit: Unit, question: Question, f: Body, option: Variable, seat: Variable, out: Variable
) -> None:
    """(address of the option, or 0 for none; seat; output address) -> the end of its features"""
    ask = question.ask
    clause = unit.program.clauses[ask.clause].id
    with f.if_(option == 0):
        with_table(unit, f, Writing(f, out), const(mark(f"{clause}/pass")))
        f.return_(out)
    kept = f.let("kept", unit.kept)
    for number, alternative in enumerate(ask.alternatives):
        with f.if_(word(option) == number):
            named = alternative.label or str(number)
            _alternative(unit, f, alternative, (option, seat, out), mark(f"{clause}/{named}"))
            f.set(unit.kept, kept)
            f.return_(out)
    f.return_(out)


def _alternative(
    unit: Unit,
    f: Body,
    alternative: ir.Alternative,
    given: tuple[Variable, Variable, Variable],
    name: int,
) -> None:
    option, seat, out = given
    writing = Writing(f, out)
    with_table(unit, f, writing, const(name))
    parts: list[PartWords] = []
    for at, (part, offset) in enumerate(zip(alternative.parts, offsets(alternative), strict=True)):
        value = f.let("value", part_of(unit, part, option, offset))
        own = joined(name, mark(f"part {at}"))
        if part.several:
            _set(unit, f, writing, part, value, seat, own)
            continue
        this = part_words(unit, f, part.binder.type, value, seat)
        parts.append(this)
        _one(unit, f, writing, this, own, tabled=at < _PARTS)
    for (at, one), (_, other) in combinations(enumerate(parts), 2):
        _pair(f, writing, one, other, joined(name, mark(f"pair {at}")), seat)


def _one(
    unit: Unit, f: Body, writing: Writing, this: PartWords, own: Expr, *, tabled: bool
) -> None:
    looks = f.let("said", joined(own, this.looks))
    if tabled:
        with_table(unit, f, writing, looks)
    else:
        writing.add(looks)
    for each in [*([] if this.exact is None else [this.exact]), *this.more]:
        writing.add(joined(own, each))
    if this.compared is not None and tabled:
        compared = f.let("compared", joined(own, this.compared))
        with_table(unit, f, writing, compared)
        for each in this.more:
            writing.add(joined(compared, each))


def _set(
    unit: Unit, f: Body, writing: Writing, part: ir.Part, value: Variable, seat: Variable, own: Expr
) -> None:
    """Features of the members and the size of a set."""
    with_table(unit, f, writing, f.let("size", joined(own, mark("size"), word(value))))
    left = f.let("left", MEMBERS)
    with f.block() as enough, f.each_listed("member", value) as member:
        f.leave(enough, left == 0)
        f.add(left, -1)
        _one(
            unit, f, writing, part_words(unit, f, part.binder.type, member, seat), own, tabled=False
        )


def _pair(
    f: Body, writing: Writing, one: PartWords, other: PartWords, own: Expr, seat: Variable
) -> None:
    """Features of two parts together."""
    looks = f.let("looks", joined(own, one.looks))
    writing.add(joined(looks, other.looks))
    if other.exact is not None:
        writing.add(joined(looks, other.exact, 1))
        if one.exact is not None:
            writing.add(joined(own, one.exact, other.exact))
    if one.place is not None and other.place is not None:
        way = f.let("way", joined(looks, other.place - one.place, seat))
        writing.add(way)
        writing.add(joined(way, other.looks))


@routine("features", "table", returns=I32)
def of_table(unit: Unit, f: Body, seat: Variable, out: Variable) -> None:
    """(seat, output address) -> the end of the features of the table, on which the value estimate
    depends"""
    writing = Writing(f, out, table=True)
    with_table(unit, f, writing, const(mark("expected")))
    with_table(unit, f, writing, joined(mark("and ahead"), table_features.ahead(unit)(seat)))
    for number, family in enumerate(unit.plan.families):
        if number in unit.plan.policy.boards:
            _board(unit, f, writing, number, seat)
        if _is_gone_through(unit, family):
            _holdings(unit, f, writing, number, seat)
    f.return_(out)


def _board(unit: Unit, f: Body, writing: Writing, number: int, seat: Variable) -> None:
    """Features of a board: each piece, its neighbours, and on a small board its place."""
    family = unit.plan.families[number]
    if family.size > _WIDE:
        return
    nothing, own = mark("nothing"), mark(f"on {family.of.name}")
    with f.each_number("place", family.first, family.first + family.size) as place:
        there = f.let("there", place_features.at(unit, number, place))
        with f.if_(there != nothing):
            said = f.let("said", joined(own, there))
            writing.add(said)
            for across, down in ((1, 0), (0, 1), (-1, 0), (0, -1)):
                near = place_features.at(unit, number, place, (across, down))
                writing.add(joined(said, mark("beside"), near))
            if family.size <= _SMALL:
                writing.add(joined(said, place + 1, seat + 1))


def _is_gone_through(unit: Unit, family: PlaceMemory) -> bool:
    """Returns whether each piece in a family has features: it is visible to somebody, and there are
    not too many."""
    few = len(unit.layout.piece_type) <= _MOST_PIECES
    seen = any(unit.layout.seen[place] for place in family.places)
    return 0 < family.size <= _WIDE and few and seen


def _holdings(unit: Unit, f: Body, writing: Writing, number: int, seat: Variable) -> None:
    """Features of the pieces in a family and of who has most of them, or in each part of a divided
    family."""
    family, layout, room = unit.plan.families[number], unit.layout, unit.plan.policy
    owned = family.of.per_player or unit.program.pieces[family.of.holds].per_player
    owners = unit.table(
        ("holdings", "owners", family.of.per_player),
        lambda: [
            or_none(each)
            for each in (layout.place_owner if family.of.per_player else layout.piece_owner)
        ],
    )
    for part, places in _parts(unit, number).items():
        name = mark(f"in {family.of.name} {part}")
        if owned:
            f.clear(room.holdings, 4 * max(1, layout.players))
        with (
            f.each_number("place", places[0], places[-1] + 1) as place,
            f.if_(sees(unit, place, seat)),
            lying(unit, f, family, place) as piece,
        ):
            if number not in room.boards:
                shown = looks(unit, family.of.holds)(piece, seat)
                said = f.let("said", joined(name, shown))
                if family.of.per_player:
                    f.set(said, joined(said, relative(unit, owners[place], seat)))
                writing.add(said)
                if not family.of.per_player and 1 < family.size <= _SMALL:
                    writing.add(joined(said, spot_of(unit)(place, seat)))
            if owned:
                owner = owners[place if family.of.per_player else piece]
                f.add(word(owner << 2, room.holdings), 1)
        if owned:
            most = f.let("most", 0)
            for other in layout.seats:
                held = word(room.holdings + 4 * other)
                f.set(most, select((seat != other) & (held > most), held, most))
            own = word(seat << 2, room.holdings)
            writing.add(joined(name, mark("more"), number_word(unit)(own - most)))


def _parts(unit: Unit, number: int) -> dict[str, list[int]]:
    """Groups the places of a family by its first index, if it has several and the groups are few
    and contiguous; else one group."""
    family, layout = unit.plan.families[number], unit.layout
    places, whole = list(family.places), {"": list(family.places)}
    if family.of.per_player or len(family.of.indices) < (3 if family.of.grid else 2):
        return whole
    found: dict[str, list[int]] = {}
    for place in places:
        first = layout.text(family.of.indices[0].type, layout.place_indices[place][0])
        found.setdefault(first, []).append(place)
    behind = all(each[-1] - each[0] == len(each) - 1 for each in found.values())
    return found if behind and len(found) <= _FEW_PARTS else whole


def with_table(unit: Unit, f: Body, writing: Writing, said: Expr) -> None:
    """Adds a word alone, and crossed with each word for the table."""
    said = f.let("with", said)
    writing.add(said)
    with f.each_listed("on_table", const(unit.plan.policy.context)) as on_table:
        writing.add(joined(said, on_table))
