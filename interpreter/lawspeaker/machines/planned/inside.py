"""The pass that plans which clauses are written where they are done: short ones, and those that are
done in one place only.

    do scoring        done at the end of a game and nowhere else: written there
    do draw(player)   short: written in each of the clauses that do it
    do turn           long, and done in two places: called

A clause that can be left at a question is called there, since each has a frame of its own.
"""

from __future__ import annotations

from lawspeaker import ir
from lawspeaker.machines.planned.arena import Rooms
from lawspeaker.machines.planned.clause_facts import ClauseFacts

_SHORT = 60
"""A clause of so few nodes, all that is written in it included, may be written in many places."""
_LONGEST = 180
"""So many nodes, at most, are written in a clause in which others are written."""


class Inside:
    """Plans the calls of all clauses that run through, which never lead back to their callers."""

    def __init__(self, facts: ClauseFacts, rooms: Rooms) -> None:
        self._facts = facts
        self._rooms = rooms
        self._written: dict[int, tuple[int, frozenset[int]]] = {}

    def has(self, clause: int, deed: ir.Do) -> bool:
        """Whether what a statement of a clause does is written there."""
        return deed.at in self._of(clause)[1]

    def _of(self, clause: int) -> tuple[int, frozenset[int]]:
        """How many nodes are written in a clause, and the statements that add to them."""
        if clause not in self._written:
            body = self._facts.program.clauses[clause].body
            weight, found = self._rooms.weight_of(body), set[int]()
            for deed in self._facts.deeds(body):
                if isinstance(deed, ir.Do):
                    more = self._of(deed.clause)[0]
                    often = more > _SHORT and self._facts.sites[deed.clause] > 1
                    if not often and weight + more <= _LONGEST:
                        found.add(deed.at)
                        weight += more
            self._written[clause] = weight, frozenset(found)
        return self._written[clause]
