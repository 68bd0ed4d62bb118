"""Routines for lists: a word with the length, then the members.

No list at all is the address 0. In a saved frame it is -1 in place of a list.
"""

from __future__ import annotations

from lawspeaker.machines.compiled.runtime.plan import START
from lawspeaker.machines.compiled.runtime.unit import Unit, routine
from lawspeaker.machines.middle.building import Body
from lawspeaker.machines.middle.forms import I32, Expr, Variable, either, word


def bytes_of(listed: Expr) -> Expr:
    """Returns the size of a list in bytes."""
    return (word(listed) + 1) << 2


@routine("includes", returns=I32)
def includes(unit: Unit, f: Body, listed: Variable, thing: Variable) -> None:
    """(list, thing) -> whether it is a member"""
    with f.each_listed("member", listed) as member, f.if_(member == thing):
        f.return_(1)
    f.return_(0)


@routine("same_lists", returns=I32)
def are_same(unit: Unit, f: Body, one: Variable, other: Variable) -> None:
    """(list, list) -> whether they have the same members in the same order"""
    end = f.let("end", one + bytes_of(one))
    with f.while_(one != end):
        # Compares the lengths like members.
        with f.if_(word(one) != word(other)):
            f.return_(0)
        f.add(one, 4)
        f.add(other, 4)
    f.return_(1)


@routine("write_list", returns=I32)
def write_down(unit: Unit, f: Body, where: Variable, listed: Variable) -> None:
    """(address, list) -> the address behind the copy"""
    size = f.let("size", bytes_of(listed))
    f.copy(where, listed, size)
    f.return_(where + size)


@routine("copy_list", returns=I32)
def copy_over(unit: Unit, f: Body, listed: Variable, room: Variable) -> None:
    """(list or 0, address for it) -> the copy, or 0"""
    with f.if_(listed == 0):
        f.return_(0)
    f.copy(room, listed, bytes_of(listed))
    f.return_(room)


@routine("kept", returns=I32)
def keep(unit: Unit, f: Body, listed: Variable) -> None:
    """(list) -> a copy of it in the region for sets of options"""
    at, size = f.let("at", unit.kept), f.let("size", bytes_of(listed))
    unit.no_room_if(f, (at + size).above(unit.plan.sets_end))
    f.copy(at, listed, size)
    f.set(unit.kept, at + size)
    f.return_(at)


# ---------------------------------------------------------------- in frames


FRAME_WORDS = 4
"""The words of a frame besides its slots, and one more."""


@routine("save_list", returns=I32)
def save(unit: Unit, f: Body, listed: Variable, where: Variable) -> None:
    """(list or 0, address) -> the address behind it. Leaves at least a word for each list that
    comes after it, and the end of the frame."""
    most = max(len(clause.slots) for clause in unit.program.clauses)
    last = unit.plan.frames_end - 4 * (most + FRAME_WORDS)
    with f.if_(listed == 0):
        f.set(word(where), -1)
        f.return_(where + 4)
    size = f.let("size", bytes_of(listed))
    unit.no_room_if(f, (where + size).above(last))
    f.copy(where, listed, size)
    f.return_(where + size)


@routine("after_list", returns=I32)
def after(unit: Unit, f: Body, where: Variable) -> None:
    """(address of a saved list) -> the address behind it"""
    f.return_(where + either(word(where) < 0, 4, bytes_of(where)))


@routine("load_list", returns=I32)
def load(unit: Unit, f: Body, where: Variable, room: Variable) -> None:
    """(address of a saved list, address for it or 0) -> the list, or 0 if there was none"""
    with f.if_(word(where) < 0):
        f.return_(0)
    with f.if_(room == 0):
        f.set(room, unit.top)
        f.add(unit.top, bytes_of(where))
        unit.no_room_if(f, unit.top.above(START))
    f.copy(room, where, bytes_of(where))
    f.return_(room)
