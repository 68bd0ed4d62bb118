"""Planning pass for finding one member of a set: `Lowest`, `Bottom`, `Nearby` or `OneByOne`.

there is a card in hand               Lowest: the lowest bit of a mask
there is a tile in stack              Bottom: the end of a chain
there is a point around point where   Nearby: all neighbours are tested branch-free; only if it does
  owner of point is player              not matter which one passes
there is a card in pile where …       OneByOne: iterates up to the first
"""

from __future__ import annotations

from dataclasses import dataclass

from lawspeaker import ir
from lawspeaker.machines.planned.analyses import Analyses
from lawspeaker.machines.planned.rewriting import Names
from lawspeaker.machines.planned.sets import Masked, Sets, as_one
from lawspeaker.machines.planned.straight import Straight


@dataclass(frozen=True, slots=True)
class Lowest:
    """The lowest of members found as bits."""

    among: Masked


@dataclass(frozen=True, slots=True)
class Bottom:
    """The first piece of a chain."""

    place: ir.Expr


@dataclass(frozen=True, slots=True)
class Nearby:
    """Whether any neighbour passes a short test."""

    around: ir.Around
    test: ir.Expr


@dataclass(frozen=True, slots=True)
class OneByOne:
    """Iterates over the members up to the first that passes."""


First = Lowest | Bottom | Nearby | OneByOne


class MemberSearch:
    """Plans how the first members of sets are found."""

    def __init__(self, known: Analyses, sets: Sets, straight: Straight) -> None:
        self.known = known
        self.sets = sets
        self.straight = straight

    def first(self, binder: ir.Binder, names: Names, *, which: bool = False) -> First:
        """Plans the search for any member; `which`: the first one itself is needed, even if nothing
        in the rules refers to it."""
        among = self.sets.whole(binder, names)
        if among is not None:
            return Lowest(among)
        if self.in_chain(binder):
            assert isinstance(binder.source, ir.Contents)
            return Bottom(binder.source.place)
        return (None if which else self._nearby(binder, names)) or OneByOne()

    def in_chain(self, binder: ir.Binder) -> bool:
        """Returns whether a binder finds all pieces of a place kept as a chain."""
        if binder.where is not None or not isinstance(binder.source, ir.Contents):
            return False
        of = ir.plain(binder.source.place.type)
        assert isinstance(of, ir.PlaceType)
        return not self.known.places[of.index].masked

    def _nearby(self, binder: ir.Binder, names: Names) -> Nearby | None:
        around, tests = self.sets.source(binder, names), self.sets.tests(binder, names)
        if not isinstance(around, ir.Around) or not tests:
            return None
        # A later use of the name needs the member itself.
        if self.sets.leaves_names(ir.Exists(ir.TRUTH, binder), (), names.clause):
            return None
        test = as_one(tests)
        lines = self.known.program.families[around.family].lines
        return None if lines or not self.straight.is_short(test, names) else Nearby(around, test)
