"""Closures for conditions, comparisons, arithmetic and plain sets.

Results are checked for overflow. Operands that are slots or constants have specialised closures.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain

from lawspeaker import ir
from lawspeaker.ir.bounds import LONGEST, is_of_numbers
from lawspeaker.ir.dependence import SizeOf, plain_local
from lawspeaker.machines.lower import messages
from lawspeaker.machines.reference import binders
from lawspeaker.machines.reference.evaluate import Eval, Evaluator, Slots
from lawspeaker.position.fault import RuleFault
from lawspeaker.position.layout import Value
from lawspeaker.position.state import State


def not_(ev: Evaluator, expr: ir.Not) -> Eval:
    match ev.simplifier.simple(expr.operand):
        case ir.IsEmpty(set=ir.Contents(place=place)) if plain_local(place):
            slot = place.slot
            return lambda s, f: f[slot] in s.contents
    operand = ev.compile(expr.operand)
    return lambda s, f: not operand(s, f)


def and_(ev: Evaluator, expr: ir.And) -> Eval:
    left, right = ev.compile(expr.left), ev.compile(expr.right)
    if ev.constant(expr.left) == (True,):
        return right
    return lambda s, f: left(s, f) and right(s, f)


def or_(ev: Evaluator, expr: ir.Or) -> Eval:
    left, right = ev.compile(expr.left), ev.compile(expr.right)
    if ev.constant(expr.left) == (False,):
        return right
    return lambda s, f: left(s, f) or right(s, f)


def conditional(ev: Evaluator, expr: ir.Conditional) -> Eval:
    known = ev.constant(expr.condition)
    if known is not None:
        return ev.compile(expr.then if known[0] else expr.otherwise)
    condition = ev.compile(expr.condition)
    then, otherwise = ev.compile(expr.then), ev.compile(expr.otherwise)
    return lambda s, f: then(s, f) if condition(s, f) else otherwise(s, f)


def compare(ev: Evaluator, expr: ir.Compare) -> Eval:
    """Compiles a comparison."""
    if expr.operator == "=":
        return same(ev, expr)
    left, right = ev.present(expr.left), ev.present(expr.right)
    known = ev.constant(expr.right)
    if known is not None:
        (bound,) = known
        match expr.operator:
            case "<":
                return lambda s, f: left(s, f) < bound
            case "<=":
                return lambda s, f: left(s, f) <= bound
            case ">":
                return lambda s, f: left(s, f) > bound
            case ">=":
                return lambda s, f: left(s, f) >= bound
    match expr.operator:
        case "<":
            return lambda s, f: left(s, f) < right(s, f)
        case "<=":
            return lambda s, f: left(s, f) <= right(s, f)
        case ">":
            return lambda s, f: left(s, f) > right(s, f)
        case ">=":
            return lambda s, f: left(s, f) >= right(s, f)
    raise ValueError(expr.operator)


def same(ev: Evaluator, expr: ir.Compare) -> Eval:
    """Compiles an equality, specialised for locations, tables and slots."""
    one, two = expr.left, expr.right
    if ev.constant(one) is not None or isinstance(one, ir.Local):
        one, two = two, one
    if isinstance(two, ir.PlaceOf) and isinstance(one.type, ir.PlaceType):
        place, piece = ev.compile(one), ev.present(two.of)
        return lambda s, f: place(s, f) == s.where[piece(s, f)]
    if isinstance(one, ir.PlaceOf) and isinstance(two.type, ir.PlaceType):
        piece, place = ev.present(one.of), ev.compile(two)
        return lambda s, f: s.where[piece(s, f)] == place(s, f)
    known = ev.constant(two)
    found = ev.table(one)
    if found is not None and plain_local(found[1]):
        table, slot = found[0], found[1].slot
        if known is not None:
            (wanted,) = known
            return lambda s, f: table[f[slot]] == wanted
        other = ev.compile(two)
        return lambda s, f: table[f[slot]] == other(s, f)
    if known is not None and isinstance(one, ir.KindOf) and isinstance(one.of, ir.TopOf):
        return top_is(ev, one.of, known[0])
    left, right = ev.compile(one), ev.compile(two)
    if known is not None:
        (value,) = known
        if isinstance(one, ir.Local):
            at = one.slot
            return lambda s, f: f[at] == value
        return lambda s, f: left(s, f) == value
    if isinstance(two, ir.Local):
        at_2 = two.slot
        if isinstance(one, ir.Local):
            at_1 = one.slot
            return lambda s, f: f[at_1] == f[at_2]
        return lambda s, f: left(s, f) == f[at_2]
    return lambda s, f: left(s, f) == right(s, f)


def top_is(ev: Evaluator, expr: ir.TopOf, kind: Value) -> Eval:
    """Tests whether the top piece of a place is of a kind; an empty place has none."""
    kinds = ev.layout.piece_kind
    top = ev.compile(expr)
    if not plain_local(expr.place):

        def top_there_is(s: State, f: Slots) -> bool:
            piece = top(s, f)
            return piece is not None and kinds[piece] == kind

        return top_there_is
    slot = expr.place.slot

    def top_here_is(s: State, f: Slots) -> bool:
        here = f[slot]
        held = s.contents.get(here)
        if held is None:
            return False
        piece = top(s, f) if here in s.loose else held[-1]
        return bool(kinds[piece] == kind)

    return top_here_is


def arithmetic(ev: Evaluator, expr: ir.Arithmetic) -> Eval:
    """Compiles an arithmetic operation; overflow is a fault."""
    left, right = ev.present(expr.left), ev.present(expr.right)
    fault = ev.fault(messages.BEYOND, expr.span)
    zero = ev.fault(messages.REMAINDER_BY_ZERO, expr.span)
    known = ev.constant(expr.right)
    if known is None and expr.operator in "+*" and ev.constant(expr.left) is not None:
        left, right = right, left
        known = ev.constant(expr.left)
    if known is not None and expr.operator in ("+", "-", "*"):
        return with_constant(ev, expr, left, known[0], fault)

    def add(s: State, f: Slots) -> int:
        result: int = left(s, f) + right(s, f)
        if ir.SMALLEST <= result <= ir.LARGEST:
            return result
        raise fault()

    def subtract(s: State, f: Slots) -> int:
        result: int = left(s, f) - right(s, f)
        if ir.SMALLEST <= result <= ir.LARGEST:
            return result
        raise fault()

    def multiply(s: State, f: Slots) -> int:
        result: int = left(s, f) * right(s, f)
        if ir.SMALLEST <= result <= ir.LARGEST:
            return result
        raise fault()

    def remainder(s: State, f: Slots) -> int:
        number, divisor = left(s, f), right(s, f)
        if divisor == 0:
            raise zero()
        result: int = number % divisor
        return result

    def smaller(s: State, f: Slots) -> Value:
        one, two = left(s, f), right(s, f)
        return one if one <= two else two

    def larger(s: State, f: Slots) -> Value:
        one, two = left(s, f), right(s, f)
        return one if one >= two else two

    def difference(s: State, f: Slots) -> int:
        result: int = abs(left(s, f) - right(s, f))
        if result <= ir.LARGEST:
            return result
        raise fault()

    named: dict[str, Eval] = {"+": add, "-": subtract, "*": multiply}
    named |= {"remainder": remainder, "difference": difference}
    named |= {"smaller": smaller, "larger": larger}
    return named[expr.operator]


def with_constant(
    ev: Evaluator, expr: ir.Arithmetic, left: Eval, number: int, fault: Callable[[], RuleFault]
) -> Eval:
    """Adds, subtracts or multiplies a constant."""
    added = -number if expr.operator == "-" else number

    def add(s: State, f: Slots) -> int:
        result: int = left(s, f) + added
        if ir.SMALLEST <= result <= ir.LARGEST:
            return result
        raise fault()

    def multiply(s: State, f: Slots) -> int:
        result: int = left(s, f) * number
        if ir.SMALLEST <= result <= ir.LARGEST:
            return result
        raise fault()

    return multiply if expr.operator == "*" else add


def divide(ev: Evaluator, expr: ir.Divide) -> Eval:
    """Compiles a division, rounded up or down."""
    left, right = ev.present(expr.left), ev.present(expr.right)
    zero = ev.fault(messages.DIVIDED_BY_ZERO, expr.span)
    up = expr.up
    known = ev.constant(expr.right)
    if known is not None and known[0] > 0:
        (by,) = known
        if up:
            return lambda s, f: -(-left(s, f) // by)
        return lambda s, f: left(s, f) // by

    def divide(s: State, f: Slots) -> int:
        number, divisor = left(s, f), right(s, f)
        if divisor == 0:
            raise zero()
        result: int = -(-number // divisor) if up else number // divisor
        return result

    return divide


def range_of(ev: Evaluator, expr: ir.Range) -> Eval:
    ends = _ends(ev, expr)

    def range_of(s: State, f: Slots) -> Value:
        low, high = ends(s, f)
        return tuple(range(low, high + 1))

    return range_of


def _ends(ev: Evaluator, expr: ir.Range) -> Callable[[State, Slots], tuple[int, int]]:
    """Evaluates the first and the last number of a range; too long a range is a fault."""
    low, high = ev.present(expr.low), ev.present(expr.high)
    too_long = ev.fault(messages.TOO_WIDE, expr.span)

    def ends(s: State, f: Slots) -> tuple[int, int]:
        first, last = low(s, f), high(s, f)
        if last - first >= LONGEST:
            raise too_long()
        return first, last

    return ends


def list_of(ev: Evaluator, expr: ir.ListOf) -> Eval:
    items = [ev.compile(item) for item in expr.items]
    if len(items) == 1:
        (only,) = items
        if isinstance(expr.items[0], ir.Local):
            slot = expr.items[0].slot
            return lambda s, f: (f[slot],)
        return lambda s, f: (only(s, f),)
    return lambda s, f: tuple([item(s, f) for item in items])


def includes(ev: Evaluator, expr: ir.Includes) -> Eval:
    """Compiles a membership test."""
    item = ev.compile(expr.item)
    if isinstance(expr.set, ir.Contents):
        place, piece = ev.present(expr.set.place), ev.present(expr.item)
        return lambda s, f: s.where[piece(s, f)] == place(s, f)
    if isinstance(expr.set, ir.Range):
        ends = _ends(ev, expr.set)

        def in_range(s: State, f: Slots) -> bool:
            number, (least, most) = item(s, f), ends(s, f)
            return bool(least <= number <= most)

        return in_range
    known = ev.constant(expr.set)
    if known is not None:
        members = frozenset(known[0])
        return lambda s, f: item(s, f) in members
    several = ev.compile(expr.set)
    return lambda s, f: item(s, f) in several(s, f)


def size_of(ev: Evaluator, expr: SizeOf) -> Eval:
    """Compiles the size of a set."""
    if isinstance(expr.set, ir.Contents):
        known = ev.constant(expr.set.place)
        if known is not None:
            (number,) = known
            return lambda s, f: len(s.contents.get(number, ()))
        if plain_local(expr.set.place):
            slot = expr.set.place.slot
            return lambda s, f: len(s.contents.get(f[slot], ()))
        place = ev.present(expr.set.place)
        return lambda s, f: len(s.contents.get(place(s, f), ()))
    if isinstance(expr.set, ir.Subsets):
        return binders.number_of_subsets(ev, expr.set)
    if isinstance(expr.set, ir.Combine) and not expr.set.without:
        members = joined(ev, expr.set)
    else:
        members = ev.compile(expr.set)
    return lambda s, f: len(members(s, f))


def is_empty(ev: Evaluator, expr: ir.IsEmpty) -> Eval:
    """Compiles an emptiness test."""
    if isinstance(expr.set, ir.Contents):
        if plain_local(expr.set.place):
            slot = expr.set.place.slot
            return lambda s, f: f[slot] not in s.contents
        place = ev.present(expr.set.place)
        return lambda s, f: place(s, f) not in s.contents
    if isinstance(expr.set, ir.Filter) and not ev.can_fault.possible(expr.set):
        # Finding one member is enough.
        anything = binders.exists(ev, ir.Exists(expr.type, expr.set.binder))
        return lambda s, f: not anything(s, f)
    several = ev.compile(expr.set)
    return lambda s, f: not several(s, f)


def combine(ev: Evaluator, expr: ir.Combine) -> Eval:
    """Compiles a union or difference of sets."""
    if expr.without:
        left, right = ev.compile(expr.left), ev.compile(expr.right)

        def without(s: State, f: Slots) -> Value:
            members, gone = left(s, f), right(s, f)
            return tuple([each for each in members if each not in gone])

        return without
    members = joined(ev, expr)
    return lambda s, f: tuple(members(s, f))


def joined(ev: Evaluator, expr: ir.Combine) -> Eval:
    """Evaluates a union: the members, each once and in order, as the keys of a dict."""
    if is_of_numbers(expr.type):
        return _joined_numbers(ev, expr)
    several = [ev.compile(each) for each in joined_sets(expr)]
    if len(several) == 2:
        left, right = several
        return lambda s, f: dict.fromkeys(left(s, f) + right(s, f))
    if len(several) == 3:
        left, middle, right = several
        return lambda s, f: dict.fromkeys(left(s, f) + middle(s, f) + right(s, f))
    return lambda s, f: dict.fromkeys(chain.from_iterable([each(s, f) for each in several]))


def _joined_numbers(ev: Evaluator, expr: ir.Combine) -> Eval:
    """Evaluates a union of sets of numbers; too many are a fault."""
    left, right = ev.compile(expr.left), ev.compile(expr.right)
    too_long = ev.fault(messages.TOO_MANY_NUMBERS, expr.span)

    def joined(s: State, f: Slots) -> Value:
        members = dict.fromkeys(left(s, f) + right(s, f))
        if len(members) > LONGEST:
            raise too_long()
        return members

    return joined


def joined_sets(expr: ir.Expr) -> list[ir.Expr]:
    """Returns the operands of a chain of unions, in order."""
    if isinstance(expr, ir.Combine) and not expr.without:
        return [*joined_sets(expr.left), *joined_sets(expr.right)]
    return [expr]
