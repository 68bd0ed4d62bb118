"""Generates rankings, and the end of a game.

The groups of a ranking are a list of words: for each group, best first, its place, its size, and
its members. So a group from its second word on is a list by itself.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from lawspeaker import ir
from lawspeaker.ir.walk import rebuilt
from lawspeaker.machines.compiled.compile import binders
from lawspeaker.machines.compiled.compile.function import Code
from lawspeaker.machines.compiled.runtime import invariants
from lawspeaker.machines.compiled.runtime.journal_code import KINDS, header, viewers
from lawspeaker.machines.compiled.runtime.unit import Unit, routine
from lawspeaker.machines.middle.building import Body
from lawspeaker.machines.middle.forms import (
    I32,
    Expr,
    Load,
    Variable,
    const,
    lesser,
    select,
    word,
)


def taking_part(c: Code, statement: ir.Rank, add: Callable[[Variable], None]) -> None:
    """Emits code for each ranked member, which is in the slot of the binder, with the local that
    holds its key."""
    f, binder = c.f, statement.binder
    key, where = f.variable("key"), binder.where
    once = where is not None and statement.key in _asked_first(where)
    if once and where is not None:
        # The condition begins with the key: evaluate it once for both.
        known = ir.Local(statement.key.type, c.unit.new_slot(), "key")
        c.slots[known.slot] = key
        where = exchanged(where, statement.key, known)
        binder = replace(binder, where=None)

    def take_in() -> None:
        f.set(key, c.scoped_present(statement.key))
        with f.block() as left_out:
            if once and where is not None:
                c.unless(where, left_out)
            add(key)

    binders.found(c, binder, take_in, statement.key)


def groups(c: Code, statement: ir.Rank) -> Expr:
    """Returns the groups of a ranking."""
    f, binder = c.f, statement.binder
    room = c.unit.bounds.members(binder.source)
    slot, number = c.slot(binder.slot), f.let("number", 0)
    out, who, keys = c.reserve(3 * room), c.reserve(room), c.reserve(room)

    def add(key: Variable) -> None:
        f.add(number, 1)
        for at, value in ((who, slot), (keys, key)):
            f.set(_entry(at, number), value)

    taking_part(c, statement, add)
    f.set(word(who), number)
    f.do(_group_up(c.unit), who, keys, out, int(statement.highest))
    f.set(c.unit.top, who)
    return out


def _asked_first(expr: ir.Expr) -> list[ir.Expr]:
    """Returns the subexpressions that are evaluated before anything else in an expression."""
    match expr:
        case ir.And(left=left) | ir.Or(left=left):
            return [expr, *_asked_first(left)]
        case ir.Compare(left=left) | ir.Arithmetic(left=left):
            return [expr, *_asked_first(left)]
        case ir.Not(operand=operand):
            return [expr, *_asked_first(operand)]
        case ir.CallFunction(arguments=(first, *_)):
            return [expr, *_asked_first(first)]
    return [expr]


def exchanged(node: Any, old: ir.Expr, new: ir.Expr) -> Any:
    """Substitutes a subexpression."""
    if node == old:
        return new
    return rebuilt(node, lambda part: exchanged(part, old, new))


@routine("group_up")
def _group_up(
    unit: Unit, f: Body, who: Variable, keys: Variable, groups: Variable, highest: Variable
) -> None:
    """(who, keys, groups, highest first): sorts by key, then splits into groups of equals"""
    number = f.let("number", word(who))
    _sort(f, who, keys, number, highest)
    at = f.let("at", groups + 4)
    size, place, last = f.let("size", 0), f.let("place", 1), f.let("last", 0)
    with f.each_number("position", 1, number + 1) as position:
        # A key unlike the last one begins a new group; branch-free, since it is unpredictable.
        key = f.let("key", _entry(keys, position))
        new = f.let("new", (key != last) & (size != 0))
        f.add(at, ((size + 2) * new) << 2)
        f.set(size, select(new, 0, size))
        f.set(place, select(new, position, place))
        f.set(last, key)
        f.set(word(at), place)
        f.set(word(at + (size << 2), 8), _entry(who, position))
        f.add(size, 1)
        f.set(word(at, 4), size)
    with f.if_(size):
        f.add(at, (size + 2) << 2)
    f.set(word(groups), ((at - groups) >> 2) - 1)


def _entry(listed: Expr, position: Expr) -> Load:
    """Returns a member of a list, counted from 1."""
    return word(listed + (position << 2))


def _sort(f: Body, who: Expr, keys: Expr, number: Expr, highest: Expr) -> None:
    """Sorts members and keys by key; stable insertion sort."""
    with f.each_number("position", 2, number + 1) as position:
        member, key = f.let("member", _entry(who, position)), f.let("key", _entry(keys, position))
        back = f.let("back", position)
        with f.while_(back > 1) as found:
            before = f.let("before", _entry(keys, back - 1))
            f.leave(found, select(highest, key <= before, key >= before))
            f.set(_entry(who, back), _entry(who, back - 1))
            f.set(_entry(keys, back), before)
            f.add(back, -1)
        f.set(_entry(who, back), member)
        f.set(_entry(keys, back), key)


@routine("group", returns=I32)
def group(unit: Unit, f: Body, groups: Variable, number: Variable) -> None:
    """(groups, number from 0) -> the address of the group, or 0 if there is none"""
    at = f.let("at", groups + 4)
    end = f.let("end", groups + ((word(groups) + 1) << 2))
    with f.while_(at.below(end)):
        with f.if_(number == 0):
            f.return_(at)
        f.add(number, -1)
        f.add(at, (word(at, 4) + 2) << 2)
    f.return_(0)


# ---------------------------------------------------------------- the end


@routine("end")
def end(unit: Unit, f: Body, winners: Variable, clause: Variable, how: Variable) -> None:
    """(winners, clause, how): ends the game and records the winners"""
    plan, players = unit.plan, unit.layout.players
    f.set(word(plan.ended), how)
    if invariants.looked_at(unit):
        f.do(invariants.check(unit))
    size = f.let("size", word(winners))
    f.copy(plan.winner_count, winners, (lesser(size, const(players)) + 1) << 2)
    if unit.purpose.stepping:
        known = viewers(unit.layout.everyone)
        noted = f.let("noted", header(unit)(KINDS.index("end"), clause, -1, size, known))
        f.copy(noted, winners + 4, size << 2)
