"""Adds up statistics of games inside the module, so that no record leaves it.

    sum_up() -> whether the game fits, and then was added
    add(at, value)      adds a number to the word of the sums with this index

After each game `sum_up` reads its record and adds the terms of the lab's tally (`study/lab/tally`)
to words of 64 bits (`sum_layout`). All terms are integers: the sums are exact, in any order. A game
does not fit if it is too long, or if one of its numbers is too large to be squared and added very
often. The host adds such a game itself.

On a CPU the sums are in the memory of the module, and `simulate` calls `sum_up`. On a GPU all
threads share them: the kernel defines `add` atomically, and calls `sum_up` when a game is over.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import reduce

from lawspeaker import ir
from lawspeaker.ir.walk import everything
from lawspeaker.machines.compiled.runtime.plan import LONG, Column, ConstantTable
from lawspeaker.machines.compiled.runtime.unit import Long, Unit, routine
from lawspeaker.machines.middle.building import Body
from lawspeaker.machines.middle.forms import (
    I32,
    Expr,
    Variable,
    as_expr,
    const,
    not_,
    select,
    word,
)
from lawspeaker.machines.sum_layout import LENGTHS, LIMIT, LOWEST, SCORES, whole, words

ADD = "sums.add"
"""The name of the function that the GPU kernel defines itself."""


@routine(ADD)
def add(unit: Unit, f: Body, at: Variable, value: Long) -> None:
    """(index, number): adds the number to a sum"""
    f.add(Column(unit.plan.game_sums.totals, LONG)[at], value)


@routine("sums.sum_up", returns=I32)
def sum_up(unit: Unit, f: Body) -> None:
    """() -> 1 if the game fits, and its record was added"""
    _Adding(unit, f).write()


class _Adding:
    """Generator of the function that adds the record of a game."""

    def __init__(self, unit: Unit, f: Body) -> None:
        self.unit, self.f, self.plan = unit, f, unit.plan
        self.players = unit.layout.players
        self.columns, self.words = unit.plan.record, words(unit.plan)

    def write(self) -> None:
        """Emits the checks of a record, then the additions."""
        f = self.f
        self.scores = [f.let(f"score{seat}", self._read("scores", seat)) for seat in self._seats]
        decisions, leads = (f.let(name, self._read(name)) for name in ("decisions", "leads"))
        self._unless_fitting(not_(decisions.below(LENGTHS)), _large(leads))
        for score in self.scores:
            self._unless_fitting(not_((score - LOWEST).below(SCORES)))
        parts = self.unit.table(("parts of a victory", self.players), self._parts)
        victors = self._victories(parts)
        margin = f.let("margin", self._margin())
        self._unless_fitting(_large(margin))
        self._points_fit()
        for at in range(len(self.plan.program.measures)):
            self._unless_fitting(_large(self._read("measures", at)))

        self._add("games", 1)
        for seat in self._seats:
            self._add("wins", self.wins[seat], seat)
            self._add("scores", 1, self.scores[seat] + (seat * SCORES - LOWEST))
        starter = f.let("starter", self._read("starter"))
        with f.if_(starter >= 0):
            self._add("started", 1)
            for after in self._seats:
                whose = [(seat, self.wins[(seat + after) % self.players]) for seat in self._seats]
                won = [select(starter == seat, wins, 0) for seat, wins in whose]
                self._add("order", reduce(operator.add, won), after)
        self._add_squared("margin", "margin", margin, 0, 1)
        self._add_squared("leads", "leads", leads, 0, 1)
        self._add("ties", victors > 1)
        self._add("draws", victors == 0)
        self._add("options", self._read("options").to_long())
        self._add("lengths", 1, decisions)
        for at in range(len(self.plan.program.measures)):
            self._add_squared("measures", "measures_squared", self._read("measures", at), at, at)
        self._add_clauses()
        self._add_things(parts)
        f.return_(1)

    @property
    def _seats(self) -> range:
        return range(self.players)

    # ------------------------------------------------------------ the record

    def _read(self, name: str, at: int = 0) -> Expr:
        return word(self.plan.records + 4 * (self.columns[name].start + at))

    def _row(self, name: str, number: Expr) -> list[Expr]:
        """Returns the entries of all seats for a clause or thing."""
        first = self.plan.records + 4 * self.columns[name].start
        row = self.f.let("row", number * (4 * self.players))
        return [word(row, first + 4 * seat) for seat in self._seats]

    def _unless_fitting(self, *wrong: Expr) -> None:
        for each in wrong:
            with self.f.if_(each):
                self.f.return_(0)

    def _parts(self) -> list[int]:
        """Returns each winner's share of a victory, by the number of winners."""
        return [whole(self.players) // max(1, sharing) for sharing in range(self.players + 1)]

    def _victories(self, parts: ConstantTable) -> Variable:
        """Returns the number of winning sides; stores each seat's share in `wins`."""
        f, won = self.f, self._read("won")
        mask = f.let("mask", 0)
        for at in self._seats:
            with f.if_(won > at):
                f.set(mask, mask | (const(1) << self._read("winners", at)))
        firsts = [(mask >> side[0]) & 1 for side in self.unit.layout.sides]
        victors = f.let("victors", reduce(operator.add, firsts))
        part = f.let("part", parts[victors])
        self.wins = [f.let(f"wins{seat}", ((mask >> seat) & 1) * part) for seat in self._seats]
        return victors

    def _margin(self) -> Expr:
        """Returns the lead of the best side over the second."""
        f, worth = self.f, self.unit.program.goal.worth
        sides = [
            f.let("side", reduce(operator.add, [self.scores[seat] for seat in side]) * worth)
            for side in self.unit.layout.sides
        ]
        if len(sides) == 1:
            return const(0)
        best, second = f.let("best", sides[0]), f.let("second", sides[1])
        with f.if_(second > best):
            f.set(best, sides[1])
            f.set(second, sides[0])
        for side in sides[2:]:
            f.set(second, select(side > best, best, select(side > second, side, second)))
            f.set(best, select(side > best, side, best))
        return best - second

    # ------------------------------------------------------------ the sums

    def _add(self, name: str, value: Expr | int, at: Expr | int = 0) -> None:
        number = as_expr(value, I32).to_long(signed=True)
        self.f.do(add(self.unit), at + self.words[name].start, number)

    def _add_squared(
        self, name: str, squared: str, value: Expr, at: Expr | int, more: Expr | int
    ) -> None:
        """Adds a number, and its square."""
        term = self.f.let("term", value.to_long(signed=True))
        self._add(name, term, at)
        self._add(squared, term * term, more)

    def _points(self, clause: Expr) -> Variable:
        seats = [each.to_long(signed=True) for each in self._row("points", clause)]
        return self.f.let("points", reduce(operator.add, seats))

    @contextmanager
    def _each_giving(self) -> Iterator[Variable]:
        """Iterates over the clauses that can give points."""
        giving = [
            clause.index
            for clause in self.plan.program.clauses
            if any(isinstance(each, ir.Score) for each in everything(clause.body))
        ]
        table = self.unit.table(("clauses that give points",), lambda: giving or [0])
        with self.f.each_number("at", 0, len(giving)) as at:
            yield self.f.let("clause", table[at])

    def _points_fit(self) -> None:
        with self._each_giving() as clause:
            points = self._points(clause)
            self._unless_fitting((points + LIMIT).above(2 * LIMIT))

    def _add_clauses(self) -> None:
        f = self.f
        first = self.plan.records + 4 * self.columns["clauses"].start
        with f.each_number("clause", 0, self.plan.clause_count) as clause:
            self._add("fired", word(clause << 2, first), clause)
        with self._each_giving() as clause:
            points = self._points(clause)
            with f.if_(points != 0):
                self._add_squared("points", "points_squared", points, clause, clause)
                self._add("points_given", select(points < 0, 0 - points, points), clause)

    def _add_things(self, parts: ConstantTable) -> None:
        """Adds what was chosen, by whom, and the results of those who chose it more often than
        others."""
        f = self.f
        with f.each_number("thing", 0, self.plan.choosable.size) as thing:
            uses = [
                f.let(f"uses{seat}", each) for seat, each in enumerate(self._row("uses", thing))
            ]
            total = f.let("total", reduce(operator.add, uses))
            with f.if_(total != 0):
                self._add("times", total, thing)
                self._add("choosers", reduce(operator.add, [each != 0 for each in uses]), thing)
                self._add_compared(thing, uses, total, parts)

    def _add_compared(
        self, thing: Variable, uses: Sequence[Expr], total: Expr, parts: ConstantTable
    ) -> None:
        """Adds the lead of those who chose a thing more often than average over those who chose it
        less often. Either both groups exist or neither."""
        f = self.f
        scaled = [f.let("scaled", each * self.players) for each in uses]
        more = [f.let("more", 0 - (each > total)) for each in scaled]
        less = [f.let("less", 0 - (each < total)) for each in scaled]
        several = f.let("several", 0 - reduce(operator.add, more))
        with f.if_(several != 0):
            self._add("compared", 1, thing)
            one = f.let("one", parts[several])
            other = f.let("other", parts[0 - reduce(operator.add, less)])
            for name, values in (("ahead", self.wins), ("more", self.scores)):
                above = reduce(operator.add, [a & b for a, b in zip(more, values, strict=True)])
                below = reduce(operator.add, [a & b for a, b in zip(less, values, strict=True)])
                ahead = f.let("ahead", above * one - below * other)
                self._add_squared(name, f"{name}_squared", ahead, thing, thing)


def _large(value: Expr) -> Expr:
    """Returns whether a number is too large to be squared."""
    return (value + LIMIT).above(2 * LIMIT)
