"""The reference graph between clauses: calls, values and choices used, cards played."""

from __future__ import annotations

from collections.abc import Iterator

from lawspeaker import ir
from lawspeaker.ir.walk import clauses_used, everything


class Links:
    """The reference graph of a program, computed once."""

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self._uses: dict[int, list[int]] = {}
        self._used_by: dict[int, list[int]] = {}
        self._plays: dict[int, dict[tuple[str, str], ir.Clause]] = {}
        for clause in program.clauses:
            found = dict.fromkeys(self._found(clause))
            found.pop(clause.index, None)
            self._uses[clause.index] = sorted(found)
            for other in found:
                self._used_by.setdefault(other, []).append(clause.index)

    def uses(self, clause: int) -> tuple[str, ...]:
        """Returns the ids of the clauses that a clause references, in reading order."""
        return tuple(self.program.clauses[each].id for each in self._uses.get(clause, ()))

    def used_by(self, clause: int) -> tuple[str, ...]:
        return tuple(self.program.clauses[each].id for each in self._used_by.get(clause, ()))

    def plays(self, window: int) -> list[tuple[str, str, ir.Clause]]:
        """Lists what can be played in a window: type of piece, kind, and clause."""
        found = self._plays.get(window, {})
        return [(piece, kind, clause) for (piece, kind), clause in found.items()]

    def _found(self, clause: ir.Clause) -> Iterator[int]:
        program = self.program
        nodes: list[object] = [*clause.body]
        for function in program.functions:
            if function.clause == clause.index:
                nodes += [*(value for _, value in function.lets), function.result]
        nodes += [each.condition for each in program.always if each.clause == clause.index]
        yield from clauses_used(program, tuple(nodes))
        for node in everything(tuple(nodes)):
            if isinstance(node, ir.Ask) and node.clause != clause.index:
                yield node.clause
                self._note_plays(node.clause, node.alternatives)

    def _note_plays(self, window: int, alternatives: tuple[ir.Alternative, ...]) -> None:
        played = self._plays.setdefault(window, {})
        for alternative in alternatives:
            by = alternative.offered_by
            for part in alternative.parts:
                match part.binder.where:
                    case ir.Compare(right=ir.Const(value=int(kind))) if by is not None:
                        name = part.binder.name
                        piece = next(each for each in self.program.pieces if each.name == name)
                        key = (name, piece.kinds[kind].name)
                        played[key] = self.program.clauses[by]
