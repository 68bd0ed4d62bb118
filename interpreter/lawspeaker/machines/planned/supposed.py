"""Write-set analysis: what a clause changes when it is executed hypothetically.

    supposing going(player, start, target)
      writes men and where they lie; markers quiet, passed

Only that is saved before and restored afterwards. It includes what the clauses it calls write. A
hypothetical execution inside restores by itself what it changed, so it does not count.

Where pieces lie is saved as a whole, too, unless that is much: then the clause logs which pieces it
moves, and they are put back one by one, the last one first (undo log).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce

from lawspeaker import ir
from lawspeaker.ir.walk import everything
from lawspeaker.machines.planned.places import PlacesPlan
from lawspeaker.position.layout import Layout


@dataclass(frozen=True, slots=True)
class WriteSet:
    """What is written: the types of pieces that move, the states (type of piece, state) and markers
    that are assigned, whether points are scored, and the clauses that are called or score."""

    moved: frozenset[int] = frozenset()
    states: frozenset[tuple[int, int]] = frozenset()
    markers: frozenset[int] = frozenset()
    called: frozenset[int] = frozenset()
    scoring: frozenset[int] = frozenset()

    def __or__(self, other: WriteSet) -> WriteSet:
        return WriteSet(
            self.moved | other.moved,
            self.states | other.states,
            self.markers | other.markers,
            self.called | other.called,
            self.scoring | other.scoring,
        )

    def __le__(self, other: WriteSet) -> bool:
        return self | other == other


MOST_COPIED = 2_000
"""Where pieces lie is copied if it takes at most about so many bytes. To log a move and to undo it
take as long as to copy 1,500 (measured with go)."""


class WriteSets:
    """The write sets of the clauses of a program; the call graph has no cycles."""

    def __init__(self, program: ir.Program, layout: Layout, places: Sequence[PlacesPlan]) -> None:
        self._program = program
        self._layout = layout
        self._places = places
        self._found: dict[int, WriteSet] = {}
        definitions = (
            (function.result, *(value for _, value in function.lets))
            for function in program.functions
        )
        bodies = (clause.body for clause in program.clauses)
        supposed = {
            node.clause
            for node in everything((*bodies, *definitions))
            if isinstance(node, ir.SupposingDone)
        }
        logged = {clause for clause in supposed if self.is_logged(self.of(clause))}
        self.logging = frozenset(
            called for clause in logged for called in (clause, *self.of(clause).called)
        )
        """The clauses whose moves are logged while they are supposed."""
        self.logged = frozenset(piece for clause in logged for piece in self.of(clause).moved)
        """The types of pieces that are put back from the log."""

    def is_logged(self, written: WriteSet) -> bool:
        """Returns whether moves are logged, instead of copying where all pieces lie."""
        families = [each for each in self._places if each.of.holds in written.moved]
        if any(family.shuffled for family in families):
            return False
        pieces = sum(len(self._layout.pieces_of[piece]) for piece in written.moved)
        links = 2 if pieces > 127 else 1
        places = sum(family.size * (8 if family.masked else 3 * links) for family in families)
        return pieces * (2 + 2 * links) + places > MOST_COPIED

    def of(self, clause: int) -> WriteSet:
        """Returns what a clause writes."""
        if clause not in self._found:
            body = self._program.clauses[clause].body
            written = (self._by(node, clause) for node in everything(body))
            self._found[clause] = reduce(WriteSet.__or__, written, WriteSet())
        return self._found[clause]

    def of_question(self, ask: ir.Ask) -> WriteSet | None:
        """Returns what the hypothetical executions in the options of a question write, if there
        are any."""
        found = [
            self.of(part.clause)
            for part in everything(ask.alternatives)
            if isinstance(part, ir.SupposingDone)
        ]
        return reduce(WriteSet.__or__, found) if found else None

    def _by(self, node: object, clause: int) -> WriteSet:
        match node:
            case ir.Do(clause=called):
                return self.of(called) | WriteSet(called=frozenset({called}))
            case ir.Move(what=what):
                return self._moved(what.type)
            case ir.MoveSome(binder=binder):
                return self._moved(binder.type)
            case ir.SetState(piece=piece, state=state):
                return WriteSet(states=frozenset({(piece, state)}))
            case ir.SetMarker(marker=marker):
                return WriteSet(markers=frozenset({marker}))
            case ir.Score():
                return WriteSet(scoring=frozenset({clause}))
        return WriteSet()

    def _moved(self, of: ir.Type) -> WriteSet:
        plain = ir.plain(of)
        if isinstance(plain, ir.SetType):
            plain = ir.plain(plain.of)
        assert isinstance(plain, ir.PieceType), plain
        return WriteSet(moved=frozenset({plain.index}))
