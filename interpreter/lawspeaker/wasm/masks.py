"""Members of a binder as bits of one word, where that can be.

The pieces of a heap are a mask. So are the places of a small family in which at most one piece
lies: those that are taken, and those that are taken by a player's piece, are kept as masks while
the game goes on (`plan.Family.occupied` and `held`). Conditions at the beginning of a binder
narrow the mask without a loop: fixed ones by a table made beforehand, `is empty` and `holder is
player` by what is kept.
"""

from __future__ import annotations

from collections.abc import Callable

from lawspeaker import ir
from lawspeaker.analysis import inside
from lawspeaker.types import MaybeType, PlaceType, PlayerType, Type
from lawspeaker.wasm import places
from lawspeaker.wasm.binary import I64
from lawspeaker.wasm.code import Code
from lawspeaker.wasm.fold import plain
from lawspeaker.wasm.patterns import conjuncts, holder
from lawspeaker.wasm.plan import Family

Push = Callable[[], None]
_WIDEST = 4096


class Mask:
    """How to get at the members: bit n is number `first` + n. `passed` tests are settled by it."""

    def __init__(self, first: int, passed: int, push: Push) -> None:
        self.first = first
        self.passed = passed
        self.push = push


def tests_of(c: Code, binder: ir.Binder) -> list[ir.Expr]:
    """The conditions of a binder; a defined value that is a row of conditions is taken apart."""
    return [test for each in conjuncts(binder.where) for test in _taken_apart(c, each)]


def _taken_apart(c: Code, test: ir.Expr) -> list[ir.Expr]:
    if isinstance(test, ir.CallFunction):
        written_out = c.unit.written_out(test)
        if isinstance(written_out, ir.And):
            return [part for each in conjuncts(written_out) for part in _taken_apart(c, each)]
    return [test]


def mask_of(c: Code, binder: ir.Binder) -> Mask | None:
    """The members a binder finds as a mask, as far as its first tests are settled; or None."""
    tests = tests_of(c, binder)
    if isinstance(binder.source, ir.Contents):
        family = places.family_of(c, binder.source.place.type)
        return _of_pieces(c, binder, family, tests) if family.masked else None
    return _of_places(c, binder, tests)


# ---------------------------------------------------------------- pieces in a heap


def _of_pieces(c: Code, binder: ir.Binder, family: Family, tests: list[ir.Expr]) -> Mask:
    source = binder.source
    assert isinstance(source, ir.Contents)
    pieces = c.layout.pieces_of[family.of.holds]
    first = pieces[0] if pieces else 0
    narrow, passed = _fixed(c, binder, tests, pieces)
    compared = _compared(c, binder, tests) if narrow is None else None

    def push() -> None:
        c.present(source.place)
        places.mask_in(c, family)
        if narrow is not None:
            narrow()
            c.b.op("i64.and")
        elif compared is not None:
            values, wanted, of = compared
            _narrow_to(c, [values[piece] for piece in pieces], wanted, of)

    return Mask(first, passed or int(compared is not None), push)


def _fixed(
    c: Code, binder: ir.Binder, tests: list[ir.Expr], members: tuple[int, ...]
) -> tuple[Push | None, int]:
    """Code for the mask of the members that pass the first tests, and how many are fixed."""
    b = c.b
    found = c.folder.passing(tests, binder.slot, members)
    if found is None:
        return None, 0
    count, slots, domains, entries = found
    masks = [sum(1 << (member - members[0]) for member in entry) for entry in entries]

    def push() -> None:
        if slots:
            c.table_index(slots, domains)
            b.const(3)
            b.op("i32.shl")
            b.load(c.plan.words(masks), "i64.load")
        else:
            b.long(masks[0])

    return push, count


def _compared(
    c: Code, binder: ir.Binder, tests: list[ir.Expr]
) -> tuple[list[int], ir.Expr, Type] | None:
    """For a first test `attribute of member = something`: the attribute by number, the something,
    and the type of both."""
    match tests[:1]:
        case [ir.Compare(operator="=", left=left, right=right)]:
            pairs = ((left, right), (right, left))
        case _:
            return None
    for one, two in pairs:
        found = c.folder.attribute(one)
        if (
            found is not None
            and isinstance(found[1], ir.Local)
            and found[1].slot == binder.slot
            and binder.slot not in c.unit.depends.free(two)
            and not any(isinstance(part, ir.Binder | ir.CallFunction) for part in inside([two]))
        ):
            return [c.word(value, one.type) for value in found[0]], two, one.type
    return None


def _narrow_to(c: Code, own: list[int], wanted: ir.Expr, of: Type) -> None:
    """Narrows the mask on the stack to the pieces with the wanted value, which is only worked out
    when there is any piece."""
    b = c.b
    low, high = (min(own), max(own)) if own else (0, -1)
    if high - low > _WIDEST:
        low, high = 0, -1
    masks = [
        sum(1 << at for at, value in enumerate(own) if value == each)
        for each in range(low, high + 1)
    ]
    mask, index = c.long(), c.local()
    b.tee(mask)
    b.op("i64.eqz")
    with b.if_(I64):
        b.long(0)
        b.else_()
        c.value(wanted, of)
        b.const(low)
        b.op("i32.sub")
        b.tee(index)
        b.const(len(masks))
        b.op("i32.lt_u")
        with b.if_(I64):
            b.get(index)
            b.const(3)
            b.op("i32.shl")
            b.load(c.plan.words(masks), "i64.load")
            b.get(mask)
            b.op("i64.and")
            b.else_()
            b.long(0)


# ---------------------------------------------------------------- places of a small family


def _of_places(c: Code, binder: ir.Binder, tests: list[ir.Expr]) -> Mask | None:
    known = c.folder.constant(binder.source)
    of = plain(binder.type)
    if known is None or not isinstance(of, PlaceType):
        return None
    family = c.plan.families[of.index]
    members: tuple[int, ...] = known[0]
    if not family.indexed or list(members) != sorted(members):
        return None
    narrow, passed = _fixed(c, binder, tests, family.places)
    steps: list[Push] = []
    for test in tests[passed:]:
        step = _place_test(c, binder.slot, family, test)
        if step is None:
            step = _index_test(c, binder, family, test)
        if step is None:
            break
        steps.append(step)
    if not steps:
        return None
    whole = sum(1 << (member - family.first) for member in members)

    def push() -> None:
        c.b.long(whole)
        if narrow is not None:
            narrow()
            c.b.op("i64.and")
        for step in steps:
            step()

    return Mask(family.first, passed + len(steps), push)


def _place_test(c: Code, slot: int, family: Family, test: ir.Expr) -> Push | None:
    """Code that narrows the mask of places on the stack by a test of what lies there."""
    b, negated = c.b, False
    while isinstance(test, ir.Not):
        test, negated = test.operand, not negated

    def occupied(taken: bool) -> None:
        b.const(0)
        b.load(family.occupied, "i64.load")
        _and(c, not taken)

    match test:
        case ir.IsEmpty(set=ir.Contents(place=ir.Local(slot=here))) if here == slot:
            return lambda: occupied(negated)
        case ir.Compare(operator="=", left=left, right=right):
            for one, two in ((left, right), (right, left)):
                by = holder(c.program, one, slot)
                if by in family.held and _is_at_hand(c, two, slot):
                    base = family.held[by]
                    return lambda: _narrow_to_holder(c, family, base, two, negated)
    return None


def _index_test(c: Code, binder: ir.Binder, family: Family, test: ir.Expr) -> Push | None:
    """As `_place_test`, for `index of place = something`."""
    compared = _compared(c, binder, [test])
    if compared is None:
        return None
    values, wanted, of = compared
    if not _is_at_hand(c, wanted, binder.slot):
        return None
    own = [values[place] for place in family.places]
    return lambda: _narrow_to(c, own, wanted, of)


def _and(c: Code, turned: bool) -> None:
    if turned:
        c.b.long(-1)
        c.b.op("i64.xor")
    c.b.op("i64.and")


def _narrow_to_holder(c: Code, family: Family, base: int, who: ir.Expr, negated: bool) -> None:
    b, seat, players = c.b, c.local(), c.layout.players
    c.value(who, PlayerType())
    if not isinstance(who.type, MaybeType) and players == len(c.program.player_names):
        b.const(3)
        b.op("i32.shl")
        b.load(base, "i64.load")
        _and(c, negated)
        return
    b.tee(seat)
    b.const(0)
    b.op("i32.lt_s")
    with b.if_(I64):
        b.const(0)
        b.load(family.occupied, "i64.load")
        b.long(-1)
        b.op("i64.xor")
        b.else_()
        b.get(seat)
        b.const(players)
        b.op("i32.lt_s")
        with b.if_(I64):
            b.get(seat)
            b.const(3)
            b.op("i32.shl")
            b.load(base, "i64.load")
            b.else_()
            b.long(0)
    _and(c, negated)


def _is_at_hand(c: Code, expr: ir.Expr, slot: int) -> bool:
    """Whether an expression can be worked out before it is known that anybody asks: it is no
    fault, and does not depend on the member."""
    match expr:
        case ir.Local(slot=other):
            return other != slot and isinstance(c.slots.get(other), int | None)
        case ir.Const() | ir.MarkerValue(of=None):
            return True
        case ir.Neighbour(player=player):
            plain_player = not isinstance(player.type, MaybeType)
            return plain_player and _is_at_hand(c, player, slot)
    return False
