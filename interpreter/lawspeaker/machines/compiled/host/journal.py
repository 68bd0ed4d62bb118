"""Decodes the journal of a module into events."""

from __future__ import annotations

from collections.abc import Iterator
from struct import unpack_from

from lawspeaker import ir
from lawspeaker.ir.walk import names_in
from lawspeaker.machines.compiled.host.frames import values_of
from lawspeaker.machines.compiled.host.images import value
from lawspeaker.machines.compiled.runtime.journal_code import DATA, KINDS, known_to
from lawspeaker.machines.planned.clause_facts import ClauseFacts
from lawspeaker.position.layout import Layout
from lawspeaker.position.state import Note, Value


class Journal:
    """Decoder of journal entries."""

    def __init__(self, facts: ClauseFacts, layout: Layout) -> None:
        self.program = facts.program
        self.layout = layout
        self._asks: dict[tuple[int, int], ir.Ask] = {}
        self._picks: dict[tuple[int, int], ir.Type] = {}
        self._told: dict[tuple[int, int], ir.Type] = {}
        self._scores: dict[tuple[int, int], list[ir.Local]] = {}
        for clause in self.program.clauses:
            for statement in facts.statements(clause.body):
                if isinstance(statement, ir.Ask):
                    self._asks[clause.index, statement.at] = statement
                elif isinstance(statement, ir.Pick):
                    self._picks[clause.index, statement.at] = statement.binder.type
                elif isinstance(statement, ir.Tell):
                    self._told[clause.index, statement.at] = statement.what.type
                elif isinstance(statement, ir.Score):
                    self._scores[clause.index, statement.at] = names_in(statement)

    def ask(self, clause: int, pc: int) -> ir.Ask:
        """Returns the question at an operation."""
        return self._asks[clause, pc]

    def read(self, content: bytes) -> list[Note]:
        """Decodes all entries."""
        notes: list[Note] = []
        at = 0
        while at < len(content):
            kind, clause, seat, length, noted = unpack_from("<4iQ", content, at)
            data = unpack_from(f"<{length}i", content, at + DATA)
            at += DATA + 4 * length
            name, known = KINDS[kind], known_to(self.layout, noted, seat)
            told = self._data(name, clause, data)
            notes.append((name, clause, None if seat < 0 else seat, told, known))
        return notes

    def count(self, content: bytes, wanted: str) -> int:
        """Counts the entries of a kind."""
        at = found = 0
        while at < len(content):
            kind, _, _, length = unpack_from("<4i", content, at)
            at += DATA + 4 * length
            found += KINDS[kind] == wanted
        return found

    def _data(self, kind: str, clause: int, data: tuple[int, ...]) -> tuple[Value, ...]:
        match kind:
            case "move":
                *which, under, drawn = data
                return (*which, bool(under), bool(drawn))
            case "score":
                seat, points, total, pc, *words = data
                return (seat, points, total, pc, tuple(self._named(clause, pc, iter(words))))
            case "marker":
                number, entry, shown = data
                of = self.program.markers[number].type
                return (number, None if entry < 0 else entry, value(shown, of))
            case "state":
                number, entry, piece, shown = data
                of = self.layout.states[number][entry].type
                return (number, entry, piece, value(shown, of))
            case "chance":
                clause, pc, place, chosen = data
                of = self._picks[clause, pc]
                return (clause, pc, None if place < 0 else place, value(chosen, of))
            case "tell":
                pc, *told = data
                what = self._told[clause, pc]
                if isinstance(what, ir.SetType):
                    return (pc, tuple(value(member, what.of) for member in told))
                return (pc, value(told[0], what))
            case "choose" | "forced":
                clause, pc, number, *rest = data
                return (clause, pc, number, values_of(self.ask(clause, pc), number, rest))
        return data

    def _named(self, clause: int, pc: int, words: Iterator[int]) -> Iterator[Value]:
        for each in self._scores[clause, pc]:
            told = value(next(words), each.type)
            yield (told, next(words)) if isinstance(each.type, ir.PieceType) else told
