"""Compiles binders to closures: exists, every, count, sum, extreme, the.

The condition of a binder often begins with tests of a constant attribute (`card is king`, `owner of
pawn is player`), of the member itself or of the piece in it. Such a test filters all members in one
loop over a table, without calling a closure for each member: a stage. The rest of the condition is
evaluated for those that pass, with the member in the binder's slot.

A set that depends on slots only (`fields where row = row of seat`) is computed once for each value
of those slots and cached.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, combinations, islice
from operator import add, mul
from typing import Any

from lawspeaker import ir
from lawspeaker.ir.dependence import AttributeOfFirst, Paid, SizeOf
from lawspeaker.ir.subsets import MOST_OPTIONS, subset_count
from lawspeaker.ir.walk import everything
from lawspeaker.machines.lower import messages
from lawspeaker.machines.reference.evaluate import Eval, Evaluator, Slots
from lawspeaker.position.layout import Value
from lawspeaker.position.state import State

Members = Callable[[State, Slots], Sequence[Value]]

REMEMBERED = 10_000


def _conjuncts(expr: ir.Expr | None) -> list[ir.Expr]:
    if isinstance(expr, ir.And):
        return _conjuncts(expr.left) + _conjuncts(expr.right)
    return [] if expr is None else [expr]


Stage = Callable[[State, Slots, Sequence[Value]], Sequence[Value]]
"""Filters members by a test."""


def _table_test(ev: Evaluator, slot: int, test: ir.Expr) -> tuple[Sequence[Value], ir.Expr] | None:
    """Matches `attribute of member = value`; returns the table of the attribute, and the value."""
    if not isinstance(test, ir.Compare) or test.operator != "=":
        return None
    for one, two in ((test.left, test.right), (test.right, test.left)):
        found = ev.table(one)
        if (
            found is not None
            and isinstance(found[1], ir.Local)
            and found[1].slot == slot
            and not isinstance(found[1].type, ir.MaybeType)
            and slot not in ev.depends.free(two)
        ):
            return found[0], two
    return None


def _table_stage(ev: Evaluator, slot: int, test: ir.Expr) -> Stage | None:
    found = _table_test(ev, slot, test)
    if found is None:
        return None
    table, wanted = found
    known = ev.constant(wanted)
    if known is not None:
        (value,) = known
        return lambda s, f, members: [x for x in members if table[x] == value]
    other = ev.compile(wanted)

    def stage(s: State, f: Slots, members: Sequence[Value]) -> Sequence[Value]:
        if not members:
            return members
        value = other(s, f)
        return [x for x in members if table[x] == value]

    return stage


def _first_stage(ev: Evaluator, slot: int, test: ir.Expr) -> Stage | None:
    """Matches `attribute of the first piece in member = value`, for members that are places."""
    if not isinstance(test, ir.Compare) or test.operator != "=":
        return None
    for one, two in ((test.left, test.right), (test.right, test.left)):
        if not isinstance(one, AttributeOfFirst) or slot in ev.depends.free(two):
            continue
        known, found = ev.constant(one.otherwise), ev.table(one.attribute)
        here = isinstance(one.place, ir.Local) and one.place.slot == slot
        if known is None or found is None or not here:
            continue
        return _first_in(found[0], known[0], ev.compile(two))
    return None


def _first_in(table: Sequence[Value], default: Value, other: Eval) -> Stage:
    def stage(s: State, f: Slots, members: Sequence[Value]) -> Sequence[Value]:
        if not members:
            return members
        value, contents = other(s, f), s.contents
        if value == default:
            return [x for x in members if x not in contents or table[contents[x][0]] == value]
        return [x for x in members if x in contents and table[contents[x][0]] == value]

    return stage


def candidates_of(ev: Evaluator, binder: ir.Binder) -> tuple[Members, Eval | None]:
    """Returns the members that pass the stages, and the rest of the condition."""
    binder = ev.simplifier.simple(binder)
    slot = binder.slot
    source: Members = ev.compile(binder.source)
    tests = _conjuncts(binder.where)
    sorted_out = _sorted_out(ev, binder, tests[0]) if tests else None
    if sorted_out is not None:
        source = sorted_out
        tests = tests[1:]
    while tests:
        stage = _table_stage(ev, slot, tests[0]) or _first_stage(ev, slot, tests[0])
        if stage is None:
            break
        source = _staged(source, stage)
        tests = tests[1:]
    if not tests:
        return source, None
    condition = tests[0]
    for test in tests[1:]:
        condition = ir.And(test.type, condition, test)
    return source, ev.compile(condition)


def paid(ev: Evaluator, expr: Paid) -> Eval:
    """Evaluates a set and charges for its members before they are used."""
    members, each = ev.compile(expr.set), expr.each
    too_long = ev.fault(messages.too_long(each, expr.span), expr.span)

    def paid(s: State, f: Slots) -> Value:
        found = members(s, f)
        s.left -= each * len(found)
        if s.left < 0:
            raise too_long()
        return found

    return paid


class Combinations(Sequence[Value]):
    """The combinations of some members, generated lazily: all at once could be far too many."""

    def __init__(self, members: Sequence[Value], sizes: Sequence[int], number: int) -> None:
        self._members = members
        self._sizes = sizes
        self._number = number

    def __len__(self) -> int:
        return self._number

    def __iter__(self) -> Iterator[Value]:
        return chain.from_iterable(combinations(self._members, size) for size in self._sizes)

    def __getitem__(self, at: Any) -> Value:
        return next(islice(self, at, None))


def subsets(ev: Evaluator, expr: ir.Subsets) -> Eval:
    """Returns the combinations of the members of a set."""
    number, members, counted = _numbered(ev, expr), ev.compile(expr.source), _counted(ev, expr)

    def subsets(s: State, f: Slots) -> Value:
        low, high = number(s, f)
        chosen_from = members(s, f)
        found = counted(chosen_from, low, high)
        sizes = range(low, min(high, len(chosen_from)) + 1)
        return Combinations(chosen_from, sizes[::-1] if expr.largest_first else sizes, found)

    return subsets


def number_of_subsets(ev: Evaluator, expr: ir.Subsets) -> Eval:
    """Returns the number of combinations, without generating them."""
    number, members, counted = _numbered(ev, expr), ev.compile(expr.source), _counted(ev, expr)

    def number_of_subsets(s: State, f: Slots) -> int:
        low, high = number(s, f)
        return counted(members(s, f), low, high)

    return number_of_subsets


def _counted(ev: Evaluator, expr: ir.Subsets) -> Callable[[Sequence[Value], int, int], int]:
    """Counts the combinations of these members and sizes; too many are a fault."""
    fault = ev.fault(messages.TOO_MANY_COMBINATIONS, expr.span)

    def counted(members: Sequence[Value], low: int, high: int) -> int:
        found = subset_count(len(members), low, high)
        if found > MOST_OPTIONS:
            raise fault()
        return found

    return counted


def _numbered(ev: Evaluator, expr: ir.Subsets) -> Callable[[State, Slots], tuple[int, int]]:
    """Evaluates the least and the greatest size of a combination."""
    least = None if expr.least is None else ev.present(expr.least)
    most = None if expr.most is None else ev.present(expr.most)

    def numbered(s: State, f: Slots) -> tuple[int, int]:
        low = 1 if least is None else max(1, least(s, f))
        return low, ir.LARGEST if most is None else most(s, f)

    return numbered


def _staged(source: Members, stage: Stage) -> Members:
    return lambda s, f: stage(s, f, source(s, f))


def _sorted_out(ev: Evaluator, binder: ir.Binder, test: ir.Expr) -> Members | None:
    """Groups the members of a constant set by the attribute tested."""
    members, found = ev.constant(binder.source), _table_test(ev, binder.slot, test)
    if members is None or found is None or not members[0]:
        return None
    table, wanted = found
    groups: dict[Value, list[Value]] = {}
    for member in members[0]:
        groups.setdefault(table[member], []).append(member)
    other = ev.compile(wanted)
    return lambda s, f: groups.get(other(s, f), ())


def _remembering(ev: Evaluator, expr: Any, work_out: Eval) -> Eval:
    """Caches the values of an expression that depends on slots only."""
    if not ev.depends.fixed(expr) or any(isinstance(part, ir.Exists) for part in everything(expr)):
        return work_out
    free = sorted(ev.depends.free(expr))
    results: dict[Value, Value] = {}
    if len(free) == 1:
        (only,) = free

        def remember_1(s: State, f: Slots) -> Value:
            key = f[only]
            if key in results:
                return results[key]
            if len(results) > REMEMBERED:
                results.clear()
            result = results[key] = work_out(s, f.copy())
            return result

        return remember_1

    def remember(s: State, f: Slots) -> Value:
        key = tuple([f[slot] for slot in free])
        if key in results:
            return results[key]
        if len(results) > REMEMBERED:
            results.clear()
        result = results[key] = work_out(s, f.copy())
        return result

    return remember


# ---------------------------------------------------------------- finding


def exists(ev: Evaluator, expr: ir.Exists) -> Eval:
    """Compiles a search for any member, which stays in the slot."""
    binder = ev.simplifier.simple(expr.binder)
    slot = binder.slot
    if binder.where is None and isinstance(binder.source, ir.Contents):
        place = ev.present(binder.source.place)

        def anything_in(s: State, f: Slots) -> bool:
            held = s.contents.get(place(s, f))
            if held is None:
                return False
            f[slot] = held[0]
            return True

        return anything_in
    candidates, where = candidates_of(ev, binder)

    def any_at_all(s: State, f: Slots) -> bool:
        found = candidates(s, f)
        if found:
            f[slot] = found[0]
            return True
        return False

    if where is None:
        return any_at_all
    kind = _kind_on_top(ev, binder)
    if kind is not None:
        return _with_top(ev, slot, candidates, where, kind)
    condition = where

    def exists(s: State, f: Slots) -> bool:
        for member in candidates(s, f):
            f[slot] = member
            if condition(s, f):
                return True
        return False

    return exists


def _kind_on_top(ev: Evaluator, binder: ir.Binder) -> Value:
    """Returns the kind, if a condition only tests whether a piece of that kind is on top of a
    place."""
    match binder.where:
        case ir.Compare(
            operator="=", left=ir.KindOf(of=ir.TopOf(place=ir.Local(slot=slot))), right=right
        ) if slot == binder.slot:
            known = ev.constant(right)
            return None if known is None else known[0]
    return None


def _with_top(ev: Evaluator, slot: int, candidates: Members, condition: Eval, kind: Value) -> Eval:
    """Specialises `exists` for that test; shuffled places, whose top may be unknown, take the
    general path."""
    kinds = ev.layout.piece_kind

    def exists(s: State, f: Slots) -> bool:
        contents, loose = s.contents, s.loose
        for member in candidates(s, f):
            if member in contents:
                f[slot] = member
                if member in loose:
                    if condition(s, f):
                        return True
                elif kinds[contents[member][-1]] == kind:
                    return True
        return False

    return exists


def the(ev: Evaluator, expr: ir.The) -> Eval:
    """Compiles a search for the first member; none is a fault."""
    binder = expr.binder
    found = exists(ev, ir.Exists(expr.type, binder))
    slot = binder.slot
    fault = ev.fault(messages.no_such(binder.name), expr.span)

    def the(s: State, f: Slots) -> Value:
        if found(s, f):
            return f[slot]
        raise fault()

    return the


def every(ev: Evaluator, expr: ir.Every) -> Eval:
    """Compiles a test of all members."""
    slot = expr.binder.slot
    candidates, where = candidates_of(ev, expr.binder)
    condition = ev.compile(expr.condition)

    def every(s: State, f: Slots) -> bool:
        for member in candidates(s, f):
            f[slot] = member
            if (where is None or where(s, f)) and not condition(s, f):
                return False
        return True

    return _remembering(ev, expr, every)


def filtered(ev: Evaluator, expr: ir.Filter) -> Eval:
    return _remembering(ev, expr, found_by(ev, expr.binder))


def found_by(ev: Evaluator, binder: ir.Binder) -> Eval:
    """Returns all members of a binder, as a tuple."""
    slot = binder.slot
    candidates, where = candidates_of(ev, binder)
    if where is None:
        return lambda s, f: tuple(candidates(s, f))
    condition = where

    def filtered(s: State, f: Slots) -> tuple[Value, ...]:
        found = []
        for member in candidates(s, f):
            f[slot] = member
            if condition(s, f):
                found.append(member)
        return tuple(found)

    return filtered


# ---------------------------------------------------------------- aggregates


def count(ev: Evaluator, expr: ir.Count) -> Eval:
    """Compiles a count of members."""
    slot = expr.binder.slot
    candidates, where = candidates_of(ev, expr.binder)
    if expr.binder.where is None:
        return ev.compile(SizeOf(expr.type, expr.binder.source))
    if where is None:
        return _remembering(ev, expr, lambda s, f: len(candidates(s, f)))
    condition = where

    def count(s: State, f: Slots) -> int:
        found = 0
        for member in candidates(s, f):
            f[slot] = member
            if condition(s, f):
                found += 1
        return found

    return _remembering(ev, expr, count)


def sum_of(ev: Evaluator, expr: ir.SumOf) -> Eval:
    """Compiles a sum or product; overflow is a fault."""
    slot = expr.binder.slot
    candidates, where = candidates_of(ev, expr.binder)
    value = ev.present(expr.value)
    fault = ev.fault(messages.BEYOND, expr.span)
    together, nothing = (mul, 1) if expr.product else (add, 0)

    def sum_of(s: State, f: Slots) -> int:
        total: int = nothing
        for member in candidates(s, f):
            f[slot] = member
            if where is None or where(s, f):
                total = together(total, value(s, f))
                if not ir.SMALLEST <= total <= ir.LARGEST:
                    raise fault()
        return total

    return _remembering(ev, expr, sum_of)


def extreme(ev: Evaluator, expr: ir.Extreme) -> Eval:
    """Compiles the highest or lowest value."""
    slot = expr.binder.slot
    candidates, where = candidates_of(ev, expr.binder)
    value = ev.present(expr.value)
    highest = expr.highest
    otherwise = None if expr.otherwise is None else ev.compile(expr.otherwise)
    fault = ev.fault(messages.nothing_to_compare(expr.binder.name), expr.span)

    def extreme(s: State, f: Slots) -> Value:
        best: Value = None
        for member in candidates(s, f):
            f[slot] = member
            if where is None or where(s, f):
                found = value(s, f)
                if best is None or (found > best if highest else found < best):
                    best = found
        if best is not None:
            return best
        if otherwise is None:
            raise fault()
        return otherwise(s, f)

    return _remembering(ev, expr, extreme)


def collect(ev: Evaluator, expr: ir.Collect) -> Eval:
    """Compiles the values for all members."""
    slot = expr.binder.slot
    candidates, where = candidates_of(ev, expr.binder)
    value, different = ev.compile(expr.value), expr.different

    def collect(s: State, f: Slots) -> tuple[Value, ...]:
        found = []
        for member in candidates(s, f):
            f[slot] = member
            if where is None or where(s, f):
                found.append(value(s, f))
        return tuple(dict.fromkeys(found) if different else found)

    return _remembering(ev, expr, collect)
