"""Members of a binder as bits of one word, where that can be.

The pieces of a heap are a mask. So are the places of a small family in which at most one piece
lies: those that are taken, and those that are taken by a player's piece, are kept as masks while
the game goes on (`plan.Family.occupied` and `held`). Conditions at the beginning of a binder
narrow the mask without a loop: fixed ones by a table made beforehand, `is empty` and `holder is
player` by what is kept.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial

from lawspeaker import ir
from lawspeaker.ir.dependence import Paid, PaidValue
from lawspeaker.ir.types import MaybeType, PlaceType, Type, plain
from lawspeaker.ir.walk import bound_slots, everything, slots_read
from lawspeaker.machines.compiled import locations
from lawspeaker.machines.compiled.function import Code
from lawspeaker.machines.compiled.kept_sets import Bits
from lawspeaker.machines.compiled.plan import LONG, Column, Family
from lawspeaker.machines.compiled.small_boards import bits_of
from lawspeaker.machines.lower.guards import implied
from lawspeaker.machines.middle.forms import I64, Expr, Variable, either, long
from lawspeaker.machines.planned.fields import Field, Fields
from lawspeaker.machines.planned.patterns import conjuncts
from lawspeaker.machines.planned.whole_board import Everywhere

Write = Callable[[], Expr]
_WIDEST = 4096


class Mask:
    """How to get at the members: bit n is number `first` + n. `passed` tests are settled by it."""

    def __init__(self, first: int, passed: int, bits: Write) -> None:
        self.first = first
        self.passed = passed
        self.bits = bits

    def members(self) -> Bits:
        """Works them out."""
        return Bits(self.first, self.bits())


def tests_of(c: Code, binder: ir.Binder) -> list[ir.Expr]:
    """The conditions of a binder, but for those that follow from its source; a defined value that
    is a row of conditions is taken apart."""
    tests = [test for each in conjuncts(binder.where) for test in _taken_apart(c, each)]
    left = [
        test
        for test in tests
        if not implied(binder.source, binder.slot, _written_out(c, test))
        or leaves_names(c, test, tests)
    ]
    return _fixed_first(c, left)


def _fixed_first(c: Code, tests: list[ir.Expr]) -> list[ir.Expr]:
    """The same tests, those first that do not depend on the situation: members that pass those can
    be worked out beforehand. The order can be told only where a test may be a fault or gives a name
    to what it finds."""
    fixed = c.unit.depends.fixed
    if all(map(fixed, tests)) or not any(map(fixed, tests)):
        return tests
    if any(c.unit.can_fault.possible(test) or leaves_names(c, test, tests) for test in tests):
        return tests
    return sorted(tests, key=lambda test: not fixed(test))


def _taken_apart(c: Code, test: ir.Expr) -> list[ir.Expr]:
    written_out = _written_out(c, test)
    if written_out is not test and isinstance(written_out, ir.And):
        return [part for each in conjuncts(written_out) for part in _taken_apart(c, each)]
    return [test]


def _written_out(c: Code, test: ir.Expr) -> ir.Expr:
    """A test as it is written where it is defined."""
    written_out = c.unit.rewriting.written_out(test) if isinstance(test, ir.CallFunction) else None
    return written_out or test


def mask_of(c: Code, binder: ir.Binder, *, to_the_end: bool = False) -> Mask | None:
    """The members a binder finds as a mask, as far as its first tests are settled; or None.

    `to_the_end`: nobody stops at the first, so tests that are paid for can be paid for together.
    """
    tests = tests_of(c, binder)
    if isinstance(binder.source, ir.Contents):
        family = locations.family_of(c, binder.source.place.type)
        return _of_pieces(c, binder, family, tests) if family.masked else None
    return _of_places(c, binder, tests, to_the_end)


# ---------------------------------------------------------------- pieces in a heap


def whole_mask(c: Code, binder: ir.Binder) -> Mask | None:
    """All that the binder finds as a mask; None when there is more to ask of a member."""
    mask = mask_of(c, binder)
    return mask if mask is not None and mask.passed == len(tests_of(c, binder)) else None


def _of_pieces(c: Code, binder: ir.Binder, family: Family, tests: list[ir.Expr]) -> Mask:
    source = binder.source
    assert isinstance(source, ir.Contents)
    pieces = c.layout.pieces_of[family.of.holds]
    first = pieces[0] if pieces else 0
    narrow, passed = _fixed(c, binder, tests, pieces)
    compared = _compared(c, binder, tests) if narrow is None else None

    def bits() -> Expr:
        all_there = locations.mask_in(family, c.present(source.place))
        if narrow is not None:
            return all_there & narrow()
        if compared is None:
            return all_there
        values, wanted, of = compared
        return _narrowed(c, all_there, [values[piece] for piece in pieces], wanted, of)

    return Mask(first, passed or int(compared is not None), bits)


def _fixed(
    c: Code, binder: ir.Binder, tests: list[ir.Expr], members: tuple[int, ...]
) -> tuple[Write | None, int]:
    """The mask of the members that pass the first tests, and how many of those are fixed."""
    found = c.folder.passing(tests, binder.slot, members)
    if found is None:
        return None, 0
    count, slots, domains, entries = found
    masks = [sum(1 << (member - members[0]) for member in entry) for entry in entries]

    def bits() -> Expr:
        if not slots:
            return long(masks[0])
        return c.entry(Column(c.plan.words(masks), LONG), slots, domains)

    return bits, count


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
            and not any(isinstance(part, ir.Binder | ir.CallFunction) for part in everything(two))
        ):
            return [c.word(value, one.type) for value in found[0]], two, one.type
    return None


def _narrowed(c: Code, mask: Expr, own: list[int], wanted: ir.Expr, of: Type) -> Expr:
    """A mask narrowed to the pieces with the wanted value, which is only worked out when there is
    any piece."""
    f = c.f
    low, high = (min(own), max(own)) if own else (0, -1)
    if high - low > _WIDEST:
        low, high = 0, -1
    masks = [
        sum(1 << at for at, value in enumerate(own) if value == each)
        for each in range(low, high + 1)
    ]
    having = Column(c.plan.words(masks), LONG)
    mask, narrowed = f.let("mask", mask), f.let("narrowed", 0, I64)
    with f.if_(mask != 0):
        index = f.let("index", c.value(wanted, of) - low)
        f.set(narrowed, either(index.below(len(masks)), having[index] & mask, 0))
    return narrowed


# ---------------------------------------------------------------- places of a small family


def _of_places(c: Code, binder: ir.Binder, tests: list[ir.Expr], to_the_end: bool) -> Mask | None:
    paid = binder.source if isinstance(binder.source, Paid) else None
    known = c.folder.constant(binder.source if paid is None else paid.set)
    of = plain(binder.type)
    if known is None or not isinstance(of, PlaceType):
        return None
    family = c.plan.families[of.index]
    members: tuple[int, ...] = known[0]
    if not family.indexed or list(members) != sorted(members):
        return None
    narrow, passed = _fixed(c, binder, tests, family.places)
    everywhere = Everywhere(c.unit.analyses, c.meanings, family.kept)
    whole = sum(1 << (member - family.first) for member in members)
    field, asked = everywhere.fields.fixed(whole), 0
    steps: list[Callable[[Expr], Expr]] = []
    for test in tests[passed:]:
        cost = test if isinstance(test, PaidValue) and to_the_end else None
        inner = test if cost is None else cost.value
        found = None if leaves_names(c, inner, tests) else everywhere.field(binder.slot, inner)
        step = _index_test(c, binder, family, test) if found is None else None
        if found is not None and not steps and cost is None:
            field = everywhere.fields.all(field, found)
        elif found is not None:
            steps.append(partial(_asked_of_all, c, everywhere.fields, found, cost))
        elif step is not None:
            steps.append(step)
        else:
            break
        asked += 1
    if not asked:
        return None

    def bits() -> Expr:
        if paid is not None:
            c.pay(len(members) * paid.each, paid.span)
        found = bits_of(c, everywhere.fields, field)
        if narrow is not None:
            found = found & narrow()
        for step in steps:
            found = step(found)
        return found

    return Mask(family.first, passed + asked, bits)


def _asked_of_all(
    c: Code, fields: Fields, field: Field, cost: PaidValue | None, mask: Expr
) -> Expr:
    """A mask narrowed to a field; each bit that it had is paid for, if that costs anything."""
    if cost is not None:
        mask = c.f.let("asked", mask)
        c.pay_for_each(mask.count_bits(), cost.cost, cost.span)
    return mask & bits_of(c, fields, field)


def leaves_names(c: Code, test: ir.Expr, tests: list[ir.Expr]) -> bool:
    """Whether a test that holds brings a name with it that is read elsewhere."""
    bound = bound_slots(test)
    if not bound:
        return False
    reads = c.unit.depends.reads
    own, around = reads(test), Counter(slots_read(tuple(tests)))
    frame = reads(c.program.clauses[c.clause].body)
    values = [each for each in c.program.functions if each.clause == c.clause]
    for slot in bound:
        elsewhere = sum(reads(each.result)[slot] + reads(each.lets)[slot] for each in values)
        if max(around[slot], frame[slot] + elsewhere) > own[slot]:
            return True
    return False


def _index_test(
    c: Code, binder: ir.Binder, family: Family, test: ir.Expr
) -> Callable[[Expr], Expr] | None:
    """What narrows a mask, for a test `index of place = something`."""
    compared = _compared(c, binder, [test])
    if compared is None:
        return None
    values, wanted, of = compared
    if not _is_at_hand(c, wanted, binder.slot):
        return None
    own = [values[place] for place in family.places]
    return lambda mask: _narrowed(c, mask, own, wanted, of)


def _is_at_hand(c: Code, expr: ir.Expr, slot: int) -> bool:
    """Whether an expression can be worked out before it is known that anybody asks: it is no
    fault, and does not depend on the member."""
    match expr:
        case ir.Local(slot=other):
            return other != slot and isinstance(c.slots.get(other), Variable | None)
        case ir.Const() | ir.MarkerValue(indices=()):
            return True
        case ir.Neighbour(player=player):
            plain_player = not isinstance(player.type, MaybeType)
            return plain_player and _is_at_hand(c, player, slot)
    return False
