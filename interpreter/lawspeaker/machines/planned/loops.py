"""The pass that plans how the loops of clauses go through their members.

for each player: …                       Unrolled: the body is written once for each
for each square that is not empty: …     Taken: the bits of the taken squares
for each card in hand: …                 Steady: what is gone through stays as it is meanwhile
for each square northwards of start: …   AlongLine: so many steps from the start
for each card on top of a pile: …        Listed: the members are written down before
for each player: (somebody is asked)     Resumed: as listed, in slots that a frame keeps
"""

from __future__ import annotations

from dataclasses import dataclass, field

from lawspeaker import ir
from lawspeaker.ir.types import PlaceType, plain
from lawspeaker.ir.walk import children
from lawspeaker.machines.planned.analyses import Analyses
from lawspeaker.machines.planned.clause_facts import ClauseFacts
from lawspeaker.machines.planned.patterns import conjuncts
from lawspeaker.machines.planned.places import Places
from lawspeaker.machines.planned.sets import Unrolled, few
from lawspeaker.machines.planned.walks import Walks

_STEADY = (ir.Domain, ir.Range, ir.PlayersFrom, ir.Around, ir.Local)


@dataclass(frozen=True, slots=True)
class Taken:
    """Places that are known, of which only those matter in which a piece lies when it is their
    turn."""

    places: Places = field(repr=False)
    members: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Steady:
    """A set that no round changes; `number`: how many members it has, if that is known."""

    number: int | None


@dataclass(frozen=True, slots=True)
class AlongLine:
    """What one walk passes, or nothing."""


@dataclass(frozen=True, slots=True)
class Listed:
    """The members are written down before the first round."""


@dataclass(frozen=True, slots=True)
class Resumed:
    """A loop that can be left at a question and taken up again."""


Rounds = Unrolled | Taken | Steady | AlongLine | Listed | Resumed


class Loops:
    """Plans the loops of one program."""

    def __init__(self, known: Analyses, facts: ClauseFacts, walks: Walks) -> None:
        self.known = known
        self.facts = facts
        self.walks = walks

    def rounds(self, loop: ir.ForEach, *, waits: bool) -> Rounds:
        """How a loop goes through its members; `waits`: its clause can be left."""
        source, asks = loop.binder.source, bool(self.facts.points(loop.body))
        if waits and asks:
            return Resumed()
        known = self.known.folder.constant(source)
        if known is not None:
            members, weight_of = known[0], self.known.rooms.weight_of
            if not asks and few(members, weight_of((loop.binder.where, loop.body))):
                return Unrolled(members, ())
            taken = self._asked_if_taken(loop)
            return Steady(len(members)) if taken is None else Taken(taken, members)
        if self._is_steady(source):
            return Steady(None)
        return AlongLine() if self.walks.is_line(source) else Listed()

    def _is_steady(self, source: ir.Expr) -> bool:
        """Whether a source is gone through in a way that does not show what changes meanwhile."""
        possible = self.known.can_fault.possible
        if isinstance(source, ir.Contents):
            of = plain(source.place.type)
            assert isinstance(of, PlaceType)
            return self.known.places[of.index].masked and not possible(source.place)
        if isinstance(source, ir.Range | ir.Around):
            return not possible(tuple(children(source)))
        return isinstance(source, _STEADY)

    def _asked_if_taken(self, loop: ir.ForEach) -> Places | None:
        """The places a loop goes through, if all it does is for those with a piece, and which these
        are is kept as a mask."""
        binder, of = loop.binder, plain(loop.binder.type)
        if not isinstance(of, PlaceType):
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
