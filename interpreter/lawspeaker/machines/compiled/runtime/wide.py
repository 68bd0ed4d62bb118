"""Bit sets of one or several words of 64 bits, as expressions of the middle form.

They have the bitwise operators and shifts; other operations are functions here.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from operator import add, or_

from lawspeaker.machines.middle.building import Body
from lawspeaker.machines.middle.forms import (
    I64,
    Expr,
    Variable,
    const,
    either,
    long,
    select,
)

WORD = 64
_FULL = (1 << WORD) - 1


class WideBits:
    """A bit set, the lowest word first."""

    __slots__ = ("each",)

    def __init__(self, *each: Expr) -> None:
        self.each = each

    @property
    def only(self) -> Expr:
        """The word of a set with just one."""
        [word] = self.each
        return word

    def _with(self, other: WideBits | int, join: Callable[[Expr, Expr], Expr]) -> WideBits:
        others = other if isinstance(other, WideBits) else known(other, len(self.each))
        return WideBits(*(join(*pair) for pair in zip(self.each, others.each, strict=True)))

    def __and__(self, other: WideBits | int) -> WideBits:
        return self._with(other, lambda one, two: one & two)

    def __or__(self, other: WideBits | int) -> WideBits:
        return self._with(other, lambda one, two: one | two)

    def __xor__(self, other: WideBits | int) -> WideBits:
        return self._with(other, lambda one, two: one ^ two)

    def __invert__(self) -> WideBits:
        return WideBits(*(~word for word in self.each))

    def __rshift__(self, by: int) -> WideBits:
        return self._moved(-by)

    def __lshift__(self, by: int) -> WideBits:
        return self._moved(by)

    def _moved(self, by: int) -> WideBits:
        """Shifts all bits up (down if negative)."""
        if len(self.each) == 1 and abs(by) < WORD:
            return WideBits(self.only << by if by >= 0 else self.only >> -by)
        whole, rest = divmod(by, WORD)

        def at(number: int) -> Expr:
            return self.each[number] if 0 <= number < len(self.each) else long(0)

        def word(number: int) -> Expr:
            upper, lower = at(number - whole), at(number - whole - 1)
            return (upper << rest | lower >> WORD - rest) if rest else upper

        return WideBits(*map(word, range(len(self.each))))


def known(bits: int, words: int) -> WideBits:
    """Returns a constant bit set."""
    return WideBits(*(long(bits >> WORD * at & _FULL) for at in range(words)))


def let(f: Body, name: str, bits: WideBits) -> WideBits:
    """Stores a bit set in variables."""
    return WideBits(*(f.let(name, word, I64) for word in bits.each))


def set_to(f: Body, named: WideBits, bits: WideBits) -> None:
    """Assigns a bit set to variables."""
    new = bits.each if len(bits.each) == 1 else let(f, "new", bits).each
    for word, value in zip(named.each, new, strict=True):
        assert isinstance(word, Variable)
        f.set(word, value)


def if_holds(condition: Expr, bits: WideBits) -> WideBits:
    """Returns the bits if a condition is true, else none."""
    return WideBits(*(select(condition, word, long(0)) for word in bits.each))


def some(bits: WideBits) -> Expr:
    """Returns whether any bit is set."""
    return reduce(or_, bits.each) != 0


def count(bits: WideBits) -> Expr:
    return reduce(add, (word.count_bits() for word in bits.each))


def one(number: Expr, words: int) -> WideBits:
    """Returns the set of one bit."""
    bit = long(1) << number
    if words == 1:
        return WideBits(bit)
    return WideBits(*(select((number >> 6) == at, bit, long(0)) for at in range(words)))


def has(bits: WideBits, number: Expr) -> Expr:
    """Returns whether the bit with a number is set."""
    word, *more = bits.each
    for at, each in enumerate(more, start=1):
        word = select((number >> 6) == at, each, word)
    return (word >> number).to_word() & 1


def lowest(bits: WideBits) -> Expr:
    """Returns the number of the lowest bit."""
    *lower, last = bits.each
    number = last.lowest_bit() + WORD * len(lower)
    for at, word in reversed(list(enumerate(lower))):
        number = either(word != 0, word.lowest_bit() + WORD * at, number)
    return number


def upto(number: Expr, words: int) -> WideBits:
    """Returns the set of the bits up to a number."""
    last, at = (long(2) << number) - 1, number >> 6
    if words == 1:
        return WideBits(last)
    lower = (select(at > word, long(-1), long(0)) for word in range(words))
    return WideBits(*(select(at == word, last, below) for word, below in enumerate(lower)))


def each(f: Body, local: Variable, bits: WideBits, first: int, do: Callable[[], None]) -> None:
    """Emits code for each set bit, whose number plus `first` is in the variable."""
    if len(bits.each) == 1:
        with f.each_bit(local, bits.only, first):
            do()
        return
    word, *later = (f.let("left", part, I64) for part in bits.each)
    before = f.let("before", first)
    with f.loop() as going:
        with f.while_(word == 0):
            f.leave(going, reduce(or_, later) == 0)
            for lower, upper in zip((word, *later), (*later, long(0)), strict=True):
                f.set(lower, upper)
            f.add(before, const(WORD))
        f.set(local, word.lowest_bit() + before)
        f.set(word, word & word - 1)
        do()
