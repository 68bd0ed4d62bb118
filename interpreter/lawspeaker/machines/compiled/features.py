"""What an option says, as features of a policy.

An option has words for its alternative, for each of its parts and for pairs of them; on a grid also
for what lies around, and how one place lies to another. Those of its first parts count together
with each word for the table (see `table_words.py`), too.

The table by itself has features for what is expected: each of its words, and what lies on boards.
"""

from __future__ import annotations

from itertools import combinations

from lawspeaker import ir
from lawspeaker.machines.compiled import board_words
from lawspeaker.machines.compiled.options import offsets
from lawspeaker.machines.compiled.parts_told import Told, told
from lawspeaker.machines.compiled.policy_room import BITS, FEATURE, MEMBERS
from lawspeaker.machines.compiled.replies import part_of
from lawspeaker.machines.compiled.sightings import joined, mark
from lawspeaker.machines.compiled.unit import Unit
from lawspeaker.machines.middle.building import Body
from lawspeaker.machines.middle.forms import Expr, Function, Variable, const, word

_STIR = 0x85EBCA6B
"""An odd factor that carries low bits up."""
_WIDE, _SMALL = 160, 100
"""What lies on boards of no more places counts for what is expected, and on smaller ones where."""
_PARTS = 3
"""So many parts of an option count together with the table."""


class Writing:
    """Writes features one after the other."""

    def __init__(self, f: Body, out: Variable) -> None:
        self._f = f
        self._out = out

    def add(self, said: Expr) -> None:
        f = self._f
        f.set(word(self._out), ((said * _STIR) >> 32 - BITS) * FEATURE)
        f.add(self._out, 4)


# ---------------------------------------------------------------- an option


def of_option(unit: Unit, ask: ir.Ask, key: str) -> Function:
    """(option as it is written down, or 0 for none; seat; where to) -> the end of its features"""
    clause = unit.program.clauses[ask.clause].id

    def build(f: Body, option: Variable, seat: Variable, out: Variable) -> None:
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

    return unit.built(("features", key), 3, 1, build)


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
    parts: list[Told] = []
    for at, (part, offset) in enumerate(zip(alternative.parts, offsets(alternative), strict=True)):
        value = f.let("value", part_of(unit, part, option, offset))
        own = joined(name, mark(f"part {at}"))
        if part.several:
            _set(unit, f, writing, part, value, seat, own)
            continue
        this = told(unit, f, part.binder.type, value, seat)
        parts.append(this)
        _one(unit, f, writing, this, own, tabled=at < _PARTS)
    for (at, one), (_, other) in combinations(enumerate(parts), 2):
        _pair(f, writing, one, other, joined(name, mark(f"pair {at}")), seat)


def _one(unit: Unit, f: Body, writing: Writing, this: Told, own: Expr, *, tabled: bool) -> None:
    looks = f.let("said", joined(own, this.looks))
    if tabled:
        with_table(unit, f, writing, looks)
    else:
        writing.add(looks)
    for each in [*([] if this.exact is None else [this.exact]), *this.more]:
        writing.add(joined(own, each))


def _set(
    unit: Unit, f: Body, writing: Writing, part: ir.Part, value: Variable, seat: Variable, own: Expr
) -> None:
    """The members of a set, and how many they are."""
    with_table(unit, f, writing, f.let("size", joined(own, mark("size"), word(value))))
    left = f.let("left", MEMBERS)
    with f.block() as enough, f.each_listed("member", value) as member:
        f.leave(enough, left == 0)
        f.add(left, -1)
        _one(unit, f, writing, told(unit, f, part.binder.type, member, seat), own, tabled=False)


def _pair(f: Body, writing: Writing, one: Told, other: Told, own: Expr, seat: Variable) -> None:
    """Two parts together."""
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


def of_table(unit: Unit) -> Function:
    """(seat, where to) -> the end of the features of the table, as they are written down: what is
    expected of a game hangs on them"""

    def build(f: Body, seat: Variable, out: Variable) -> None:
        writing = Writing(f, out)
        with_table(unit, f, writing, const(mark("expected")))
        for number in unit.plan.policy.boards:
            _board(unit, f, writing, number, seat)
        f.return_(out)

    return unit.built(("features", "table"), 2, 1, build)


def _board(unit: Unit, f: Body, writing: Writing, number: int, seat: Variable) -> None:
    """What lies on a board: how much of each, beside what, and on a small one where."""
    family = unit.plan.families[number]
    if family.size > _WIDE:
        return
    nothing, own = mark("nothing"), mark(f"on {family.of.name}")
    with f.each_number("place", family.first, family.first + family.size) as place:
        there = f.let("there", board_words.at(unit, number, place))
        with f.if_(there != nothing):
            said = f.let("said", joined(own, there))
            writing.add(said)
            for across, down in ((1, 0), (0, 1), (-1, 0), (0, -1)):
                near = board_words.at(unit, number, place, (across, down))
                writing.add(joined(said, mark("beside"), near))
            if family.size <= _SMALL:
                writing.add(joined(said, place + 1, seat + 1))


def with_table(unit: Unit, f: Body, writing: Writing, said: Expr) -> None:
    """A word by itself, and with each word for the table."""
    said = f.let("with", said)
    writing.add(said)
    with f.each_listed("on_table", const(unit.plan.policy.context)) as on_table:
        writing.add(joined(said, on_table))
