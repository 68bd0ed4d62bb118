"""Table of the subsets of a few members in their order; the subsets of given sizes are a run of it.

A question with no other options needs no list: the length of the run is their number, and the
chosen one is looked up.
"""

from __future__ import annotations

from collections.abc import Callable

from lawspeaker.machines.compiled.compile.function import Code
from lawspeaker.machines.compiled.compile.set_forms import Chosen
from lawspeaker.machines.compiled.runtime import subsets
from lawspeaker.machines.middle.forms import I32, I64, Expr, Load, Variable, const, select, word
from lawspeaker.machines.planned.questions import SMALL


class Run:
    """The subsets of a list's members with at least `low` and at most `high` members.

    `equal` is a mask of the members that look like their predecessor, if there may be any: they are
    interchangeable, and one is only chosen together with its predecessor.
    """

    def __init__(
        self,
        c: Code,
        listed: Variable,
        low: Variable,
        high: Variable,
        equal: Variable | None = None,
    ) -> None:
        f = self._f = c.f
        self.equal = equal
        self._mask = f.variable("chosen", I64)
        self.chosen = Chosen(listed, self._mask)
        self._masks, starts = subsets.tables(c.plan)
        # If `high` is below `low` the run is empty.
        most = f.let("most", select(high >= low, high, low - 1))
        row = f.let("row", word(listed) * (SMALL + 2))
        self._first = f.let("first", starts[row + low])
        self._end = f.let("end", starts[row + most + 1])

    def count(self) -> Expr:
        """Returns the number of subsets."""
        return self._end - self._first

    def each(self, body: Callable[[], None]) -> None:
        """Emits the body for each subset, which is `chosen` then."""
        with self._f.each_number("subset", self._first, self._end) as subset:
            self._choose(subset)
            body()

    def stands_for_itself(self) -> Expr:
        """Returns whether `chosen` is the representative among subsets that look the same."""
        if self.equal is None:
            return const(1)
        return (self._mask & self.equal & ~(self._mask >> 1)) == 0

    def take(self, number: Expr) -> None:
        """Sets `chosen` to the subset with this number."""
        self._choose(self._first + number)

    def _choose(self, subset: Expr) -> None:
        mask = Load(I32, 1, subset, self._masks, signed=False)
        self._f.set(self._mask, mask.to_long() << 56)
