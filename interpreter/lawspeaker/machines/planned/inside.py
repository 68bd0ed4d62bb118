"""Inlining pass for clauses: inlines short ones, and those called in one place only.

    do scoring        called at the end of a game and nowhere else: inlined
    do draw(player)   short: inlined in each of its callers
    do turn           long, and called in two places: called

A clause that can suspend is called, since each has a frame of its own.
"""

from __future__ import annotations

from lawspeaker import ir
from lawspeaker.machines.planned.arena import ArenaAnalysis
from lawspeaker.machines.planned.clause_facts import ClauseFacts

_SHORT = 60
"""A clause of at most so many nodes, inlined ones included, may be inlined in many places."""
_LONGEST = 180
"""The most nodes of a clause into which others are inlined."""


class Inside:
    """Plans the calls of all clauses that do not suspend; the call graph has no cycles."""

    def __init__(self, facts: ClauseFacts, rooms: ArenaAnalysis) -> None:
        self._facts = facts
        self._rooms = rooms
        self._written: dict[int, tuple[int, frozenset[int]]] = {}

    def has(self, clause: int, statement: ir.Do) -> bool:
        """Returns whether a call in a clause is inlined."""
        return statement.at in self._of(clause)[1]

    def _of(self, clause: int) -> tuple[int, frozenset[int]]:
        """Returns the number of nodes of a clause after inlining, and the inlined calls."""
        if clause not in self._written:
            body = self._facts.program.clauses[clause].body
            weight, found = self._rooms.weight_of(body), set[int]()
            for statement in self._facts.statements(body):
                if isinstance(statement, ir.Do):
                    more = self._of(statement.clause)[0]
                    often = more > _SHORT and self._facts.sites[statement.clause] > 1
                    if not often and weight + more <= _LONGEST:
                        found.add(statement.at)
                        weight += more
            self._written[clause] = weight, frozenset(found)
        return self._written[clause]
