"""Representations of sets: as lists, bit masks, sublists, or places in a line.

Users iterate or ask for the size, independent of the representation.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import partial

from lawspeaker.machines.compiled.runtime import wide
from lawspeaker.machines.middle.building import Body
from lawspeaker.machines.middle.forms import Expr, Variable, either, long, not_, select, word

Do = Callable[[], None]
_FIRST = 1 << 63


class KeptSet(ABC):
    """Interface of an evaluated set."""

    __slots__ = ()

    @abstractmethod
    def each(self, f: Body, local: Variable, do: Do) -> None:
        """Emits code for each member, which is in the variable then."""

    @abstractmethod
    def size(self) -> Expr:
        """Returns the number of members."""

    def is_empty(self) -> Expr:
        """Returns whether there are no members."""
        return self.size() == 0

    def end(self, f: Body, nothing: int, *, last: bool) -> Expr:
        """Returns the first or the last member, or the encoding of nothing."""
        return end_of(f, partial(self.each, f), nothing, last=last)


def end_of(f: Body, each: Callable[[Variable, Do], None], nothing: int, *, last: bool) -> Variable:
    """Returns the first or the last member of an iteration, or the encoding of nothing."""
    end = f.let("end", nothing)
    with f.block() as found:
        each(end, lambda: None if last else f.leave(found))
    return end


class Listed(KeptSet):
    """A list in memory: its length, then the members, a word each."""

    __slots__ = ("at",)

    def __init__(self, at: Expr) -> None:
        self.at = at

    def each(self, f: Body, local: Variable, do: Do) -> None:
        with f.each_listed(local, self.at):
            do()

    def size(self) -> Expr:
        return word(self.at)

    def end(self, f: Body, nothing: int, *, last: bool) -> Expr:
        at = f.let("list", self.at)
        return either(word(at) != 0, word(at + (word(at) << 2)) if last else word(at, 4), nothing)


class Bits(KeptSet):
    """A mask of one word or several: bit n is number `first` + n."""

    __slots__ = ("first", "mask")

    def __init__(self, first: int, mask: wide.WideBits) -> None:
        self.first = first
        self.mask = mask

    def each(self, f: Body, local: Variable, do: Do) -> None:
        wide.each(f, local, self.mask, self.first, do)

    def size(self) -> Expr:
        return wide.count(self.mask)

    def is_empty(self) -> Expr:
        return not_(wide.some(self.mask))


class PlaceBits(Bits):
    """The set of all places that qualify, a bit for each place of a family."""

    __slots__ = ()


class Chosen(KeptSet):
    """A sublist: the highest bit of the mask stands for the first member of the list."""

    __slots__ = ("listed", "mask")

    def __init__(self, listed: Variable, mask: Variable) -> None:
        self.listed = listed
        self.mask = mask

    def each(self, f: Body, local: Variable, do: Do) -> None:
        left = f.let("left", self.mask)
        with f.while_(left != 0):
            number = f.let("number", left.leading_zeros())
            f.set(local, word(self.listed + (number << 2), 4))
            f.set(left, left ^ long(_FIRST) >> number)
            do()

    def size(self) -> Expr:
        return self.mask.count_bits()

    def is_empty(self) -> Expr:
        return self.mask == 0


class Ray(KeptSet):
    """Places in a line: `count` steps of one stride from a start, which is not one of them."""

    __slots__ = ("count", "start", "stride")

    def __init__(self, start: Variable, stride: Expr, count: Variable) -> None:
        self.start = start
        self.stride = stride
        self.count = count

    def each(self, f: Body, local: Variable, do: Do) -> None:
        left, place = f.let("left", self.count), f.let("place", self.start)
        with f.down_to_0(left):
            f.add(place, self.stride)
            f.set(local, place)
            do()

    def size(self) -> Expr:
        return self.count

    def end(self, f: Body, nothing: int, *, last: bool) -> Expr:
        way = self.stride * self.count if last else self.stride
        return select(self.count, self.start + way, nothing)
