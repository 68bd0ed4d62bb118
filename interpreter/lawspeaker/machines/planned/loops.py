"""Planning pass for the loops of clauses.

for each player: …                       Unrolled: the body is repeated for each
for each square that is not empty: …     OccupiedOf: the bits of the occupied squares
for each card in hand: …                 Steady: iterates directly; changes meanwhile do not show
for each square northwards of start: …   AlongLine: so many steps from the start
for each card on top of a pile: …        Listed: the members are materialised first
for each player: (somebody is asked)     Resumed: listed, in slots that a frame saves
"""

from __future__ import annotations

from dataclasses import dataclass, field

from lawspeaker import ir
from lawspeaker.ir.walk import children
from lawspeaker.machines.planned.analyses import Analyses
from lawspeaker.machines.planned.clause_facts import ClauseFacts
from lawspeaker.machines.planned.patterns import conjuncts
from lawspeaker.machines.planned.places import PlacesPlan
from lawspeaker.machines.planned.sets import Unrolled, few
from lawspeaker.machines.planned.walks import Walks

_STEADY = (ir.Domain, ir.Range, ir.PlayersFrom, ir.Around, ir.Local)


@dataclass(frozen=True, slots=True)
class OccupiedOf:
    """Constant places, of which only those matter that are occupied when their turn comes."""

    places: PlacesPlan = field(repr=False)
    members: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Steady:
    """A set that no iteration changes; `number`: its size, if that is constant."""

    number: int | None


@dataclass(frozen=True, slots=True)
class AlongLine:
    """The places of one walk, or none."""


@dataclass(frozen=True, slots=True)
class Listed:
    """The members are materialised before the first iteration."""


@dataclass(frozen=True, slots=True)
class Resumed:
    """A loop that can be suspended and resumed."""


Rounds = Unrolled | OccupiedOf | Steady | AlongLine | Listed | Resumed


class Loops:
    """Plans the loops of one program."""

    def __init__(self, known: Analyses, facts: ClauseFacts, walks: Walks) -> None:
        self.known = known
        self.facts = facts
        self.walks = walks

    def rounds(self, loop: ir.ForEach, *, waits: bool) -> Rounds:
        """Plans one loop; `waits`: its clause can suspend."""
        source, asks = loop.binder.source, bool(self.facts.points(loop.body))
        if waits and asks:
            return Resumed()
        known = self.known.folder.constant(source)
        if known is not None:
            members, weight_of = known[0], self.known.rooms.weight_of
            if not asks and few(members, weight_of((loop.binder.where, loop.body))):
                return Unrolled(members, ())
            taken = self._asked_if_taken(loop)
            return Steady(len(members)) if taken is None else OccupiedOf(taken, members)
        if self._is_steady(source):
            return Steady(None)
        return AlongLine() if self.walks.is_line(source) else Listed()

    def _is_steady(self, source: ir.Expr) -> bool:
        """Returns whether iterating over a source directly is unaffected by changes meanwhile."""
        possible = self.known.can_fault.possible
        if isinstance(source, ir.Contents):
            of = ir.plain(source.place.type)
            assert isinstance(of, ir.PlaceType)
            return self.known.places[of.index].masked and not possible(source.place)
        if isinstance(source, ir.Range | ir.Around):
            return not possible(tuple(children(source)))
        return isinstance(source, _STEADY)

    def _asked_if_taken(self, loop: ir.ForEach) -> PlacesPlan | None:
        """Returns the places of a loop whose body only concerns occupied ones, if a mask of these
        is kept."""
        binder, of = loop.binder, ir.plain(loop.binder.type)
        if not isinstance(of, ir.PlaceType):
            return None
        places, tests = self.known.places[of.index], conjuncts(binder.where)
        if not tests:
            match loop.body:
                case (ir.If(condition=condition, otherwise=()),):
                    tests = conjuncts(condition)
        match tests[:1]:
            case [
                ir.Exists(binder=ir.Binder(source=ir.Contents(place=ir.Local(slot=slot))))
                | ir.Not(operand=ir.IsEmpty(set=ir.Contents(place=ir.Local(slot=slot))))
            ] if slot == binder.slot and places.indexed and places.words == 1:
                return places
        return None
