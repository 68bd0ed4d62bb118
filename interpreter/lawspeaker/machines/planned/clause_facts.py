"""Call-graph analysis of clauses: which can suspend or end the game, and the kinds of their slots.

A clause can suspend if it asks a question, or (where the host decides chance) draws or picks, or
calls a clause that can. Each operation at which it may suspend is a *point*, numbered from 1 in
program order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from lawspeaker import ir
from lawspeaker.ir.dependence import Paid
from lawspeaker.ir.walk import everything
from lawspeaker.machines.lower.bounds import FoldedBounds
from lawspeaker.machines.lower.operations import Kind, Lowered, Operation
from lawspeaker.machines.purpose import Purpose

PLAIN, LIST, GROUPS, REPLIES = "plain", "list", "groups", "replies"


class ClauseFacts:
    """Facts about all clauses of a program compiled for a purpose."""

    def __init__(
        self, lowered: Lowered, bounds: FoldedBounds, players: int, purpose: Purpose
    ) -> None:
        self.program, self.code = lowered.program, lowered.code
        self._bounds = bounds
        self._players = players
        self._purpose = purpose
        calls = [
            {
                statement.clause
                for statement in self.statements(clause.body)
                if isinstance(statement, ir.Do)
            }
            for clause in self.program.clauses
        ]
        self.waits = self._spread(calls, self._waits_itself)
        self.ends = self._spread(calls, self._ends_itself)
        self.positions = [
            [operation.at for operation in operations if self._is_point(operation)]
            for operations in lowered.code
        ]
        self.sites = Counter(
            statement.clause
            for clause in self.program.clauses
            for statement in self.statements(clause.body)
            if isinstance(statement, ir.Do)
        )
        self.returned: list[list[int]] = [[] for _ in self.program.clauses]
        for clause in self.program.clauses:
            for statement in self.statements(clause.body):
                if isinstance(statement, ir.Do):
                    for theirs, _ in statement.returns:
                        if theirs not in self.returned[statement.clause]:
                            self.returned[statement.clause].append(theirs)

    def _waits_itself(self, clause: ir.Clause) -> bool:
        waiting = (ir.Ask, ir.Draw, ir.Pick) if self._purpose.stepping else (ir.Ask,)
        return any(isinstance(statement, waiting) for statement in self.statements(clause.body))

    def _ends_itself(self, clause: ir.Clause) -> bool:
        # A playout may be cut off at any question.
        ending = (ir.EndGame, ir.Ask) if self._purpose.searches else (ir.EndGame,)
        return any(isinstance(statement, ending) for statement in self.statements(clause.body))

    def _spread(self, calls: list[set[int]], first: Any) -> list[bool]:
        """Propagates a property of clauses to their callers."""
        holds = [bool(first(clause)) for clause in self.program.clauses]
        callers: list[list[int]] = [[] for _ in calls]
        for clause, called in enumerate(calls):
            for each in called:
                callers[each].append(clause)
        waiting = [clause for clause, known in enumerate(holds) if known]
        while waiting:
            for caller in callers[waiting.pop()]:
                if not holds[caller]:
                    holds[caller] = True
                    waiting.append(caller)
        return holds

    def statements(self, block: ir.Block) -> Iterable[ir.Statement]:
        """Yields all statements of a block, including nested ones."""
        return (each for each in everything(block) if isinstance(each, ir.Statement))

    def _is_point(self, operation: Operation) -> bool:
        """Returns whether the clause may suspend at an operation."""
        if isinstance(operation.statement, ir.Draw):
            return operation.kind is Kind.DRAW and self._purpose.stepping
        if isinstance(operation.statement, ir.Ask):
            return operation.kind in (Kind.ASK, Kind.ASK_ALL)
        return operation.statement is not None and self.is_point(operation.statement)

    def is_point(self, statement: ir.Statement) -> bool:
        """Returns whether the clause may suspend at a statement."""
        if isinstance(statement, ir.Do):
            return self.waits[statement.clause]
        if isinstance(statement, ir.Draw | ir.Pick):
            return self._purpose.stepping
        return isinstance(statement, ir.Ask)

    def points(self, block: ir.Block) -> int:
        """Returns the number of points in a block."""
        return sum(self.is_point(statement) for statement in self.statements(block))

    def kinds(self, clause: ir.Clause) -> list[str]:
        """Returns the kind of each slot of a clause."""
        kinds = [LIST if isinstance(s.type, ir.SetType) else PLAIN for s in clause.slots]
        for statement in self.statements(clause.body):
            match statement:
                case ir.ForEach(list_slot=slot) if slot >= 0:
                    kinds[slot] = LIST
                case ir.Rank(list_slot=slot):
                    kinds[slot] = GROUPS
                    kinds[statement.tied_slot] = LIST
                case ir.Ask():
                    if statement.each is not None:
                        kinds[statement.replies_slot] = REPLIES
                    for alternative in statement.alternatives:
                        for part in alternative.parts:
                            if part.several:
                                kinds[part.set_slot] = LIST
        return kinds

    def rooms(self, clause: ir.Clause) -> dict[int, int]:
        """Returns the slots that are given lists, and their greatest lengths."""
        bounds = self._bounds
        rooms: dict[int, int] = {}

        def give(slot: int, room: int) -> None:
            rooms[slot] = max(rooms.get(slot, 0), room)

        for each in everything(clause.body):
            if isinstance(each, ir.Binder):
                source = each.source.set if isinstance(each.source, Paid) else each.source
                if isinstance(source, ir.Subsets):
                    give(each.slot, bounds.largest(source))
        for statement in self.statements(clause.body):
            match statement:
                case ir.SetLocal(slot=slot, value=value) if isinstance(value.type, ir.SetType):
                    give(slot, bounds.members(value))
                case ir.Do(clause=called, returns=returns):
                    slots = self.program.clauses[called].slots
                    for theirs, ours in returns:
                        if isinstance(slots[theirs].type, ir.SetType):
                            give(ours, bounds.of_set(slots[theirs].type))
                case ir.Ask():
                    for alternative in statement.alternatives:
                        for part in alternative.parts:
                            if part.several:
                                give(part.set_slot, bounds.members(part.binder.source))
                    if statement.each is not None:
                        give(statement.replies_slot, self.reply_words(statement))
        return rooms

    def reply_words(self, ask: ir.Ask) -> int:
        """Returns the most words that the replies of all players to a question may have."""
        bounds, most = self._bounds, 0
        for alternative in ask.alternatives:
            words = 0
            for part in alternative.parts:
                words += bounds.members(part.binder.source) + 1 if part.several else 1
            most = max(most, words)
        return self._players * (4 + most)
