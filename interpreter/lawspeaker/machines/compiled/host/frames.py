"""Serialises the frames of suspended clauses, and back.

A frame is: clause, point, the plain slots, the lists (a length of -1: none), and its size in bytes.
The innermost frame comes first, since it is suspended first.

Only live slots are read back. A module leaves scratch values in dead slots, and a state must not
depend on how the rules were compiled.
"""

from __future__ import annotations

from struct import pack, unpack_from

from lawspeaker import ir
from lawspeaker.machines.compiled.host.images import CannotHold, value, word
from lawspeaker.machines.planned.clause_facts import GROUPS, LIST, PLAIN, REPLIES, ClauseFacts
from lawspeaker.position.state import Frame, Reply, Value

HEAD = 4
"""Words of a reply before its values: length, seat, alternative, whether asked."""


class Frames:
    """Serialiser of frames; knows the layout of the slots of each clause."""

    def __init__(self, facts: ClauseFacts) -> None:
        self.facts = facts
        self.clauses = facts.program.clauses
        self.kinds = [facts.kinds(clause) for clause in self.clauses]
        self._asks = [
            {
                statement.replies_slot: statement
                for statement in facts.statements(clause.body)
                if isinstance(statement, ir.Ask) and statement.each is not None
            }
            for clause in self.clauses
        ]
        self._counters = [_counters(facts, clause) for clause in self.clauses]

    # ------------------------------------------------------------ encoding

    def written(self, stack: list[Frame]) -> bytes:
        """Serialises a stack, innermost frame first."""
        out = b""
        for frame in reversed(stack):
            positions = self.facts.positions[frame.clause]
            if frame.pc not in positions:
                clause = self.clauses[frame.clause].id
                raise CannotHold(f"{clause} does not wait at operation {frame.pc} here")
            words = [frame.clause, positions.index(frame.pc) + 1]
            blocks: list[int] = []
            for slot, kind in enumerate(self.kinds[frame.clause]):
                held = frame.slots[slot]
                if kind == PLAIN:
                    words.append(word(held, self._type(frame.clause, slot)))
                else:
                    blocks += self._block(frame.clause, slot, kind, held)
            words += blocks
            words.append(4 * (len(words) + 1))
            out += pack(f"<{len(words)}i", *words)
        return out

    def _type(self, clause: int, slot: int) -> ir.Type:
        if slot in self._counters[clause]:
            return ir.NUMBER
        return self.clauses[clause].slots[slot].type

    def _block(self, clause: int, slot: int, kind: str, held: Value) -> list[int]:
        if held is None:
            return [-1]
        content: list[int] = []
        if kind == GROUPS:
            for group, place in held:
                content += [place, len(group), *map(int, group)]
        elif kind == REPLIES and held and isinstance(held[0], tuple):
            for seat, number, values in held:
                content += reply_words(self._asks[clause][slot], seat, (number, values), False)
        else:
            of = self._member_type(clause, slot)
            content = [word(member, of) for member in held]
        return [len(content), *content]

    def _member_type(self, clause: int, slot: int) -> ir.Type:
        of = self.clauses[clause].slots[slot].type
        return of.of if isinstance(of, ir.SetType) else of

    # ------------------------------------------------------------ decoding

    def read(self, content: bytes, waiting: bool) -> list[Frame]:
        """Returns the stack, outermost first. `waiting`: several players are asked, and the replies
        to the innermost clause are still missing."""
        stack: list[Frame] = []
        end = len(content)
        while end > 0:
            (size,) = unpack_from("<i", content, end - 4)
            words = list(unpack_from(f"<{size // 4 - 1}i", content, end - size))
            end -= size
            stack.append(self._frame(words, end == 0, waiting))
        return stack

    def _frame(self, words: list[int], innermost: bool, waiting: bool) -> Frame:
        clause, point, *rest = words
        pc = self.facts.positions[clause][point - 1]
        kinds = self.kinds[clause]
        plain = [slot for slot, kind in enumerate(kinds) if kind == PLAIN]
        matters = self._matters(clause, pc, innermost)
        slots: list[Value] = [None] * len(kinds)
        for slot, number in zip(plain, rest, strict=False):
            if slot in matters:
                slots[slot] = value(number, self._type(clause, slot))
        at = len(plain)
        for slot, kind in enumerate(kinds):
            if kind == PLAIN:
                continue
            length = rest[at]
            at += 1
            if length < 0:
                continue
            block = rest[at : at + length]
            at += length
            if slot in matters:
                slots[slot] = self._unblock(clause, slot, kind, block, waiting and innermost)
        return Frame(clause, pc, slots)

    def _matters(self, clause: int, pc: int, innermost: bool) -> frozenset[int]:
        """Returns the live slots of a suspended frame."""
        operation = self.facts.code[clause][pc]
        if not innermost:
            return operation.live_after
        if isinstance(operation.statement, ir.Ask) and operation.statement.each is not None:
            return operation.live | {operation.statement.replies_slot}
        return operation.live

    def _unblock(self, clause: int, slot: int, kind: str, block: list[int], waiting: bool) -> Value:
        if kind == GROUPS:
            return _groups(block)
        if kind == REPLIES:
            ask = self._asks[clause][slot]
            return (
                tuple(block)
                if waiting
                else tuple((seat, *reply) for seat, reply, _ in replies(ask, block))
            )
        assert kind == LIST
        of = self._member_type(clause, slot)
        return tuple(value(member, of) for member in block)


def _groups(block: list[int]) -> Value:
    found, at = [], 0
    while at < len(block):
        place, size = block[at : at + 2]
        found.append((tuple(block[at + 2 : at + 2 + size]), place))
        at += 2 + size
    return tuple(found)


def _counters(facts: ClauseFacts, clause: ir.Clause) -> set[int]:
    """Returns the slots of loop counters."""
    found: set[int] = set()
    for statement in facts.statements(clause.body):
        match statement:
            case ir.ForEach() | ir.Rank() | ir.Ask():
                found.add(statement.index_slot)
            case ir.Repeat() | ir.RepeatUntil():
                found.add(statement.left_slot)
            case ir.Draw():
                found.add(statement.loop_slot)
    return found


# ---------------------------------------------------------------- replies


def reply_words(ask: ir.Ask, seat: int, reply: Reply, asked: bool) -> list[int]:
    """Encodes the reply of one of several players, with lists inline."""
    number, values = reply
    words = [0, seat, number, int(asked)]
    if number >= 0:
        for part, given in zip(ask.alternatives[number].parts, values, strict=True):
            of = part.binder.type
            if part.several:
                words += [len(given), *(word(member, of) for member in given)]
            else:
                words.append(word(given, of))
    words[0] = len(words)
    return words


def replies(ask: ir.Ask, block: list[int]) -> list[tuple[int, Reply, bool]]:
    """Decodes the replies of several players: seat, reply, whether it was asked for."""
    found, at = [], 0
    while at < len(block):
        length, seat, number, asked = block[at : at + HEAD]
        reply = (number, values_of(ask, number, block[at + HEAD : at + length]))
        found.append((seat, reply, bool(asked)))
        at += length
    return found


def values_of(ask: ir.Ask, number: int, words: list[int]) -> tuple[Value, ...]:
    """Decodes the values of a reply with inline lists."""
    if number < 0:
        return ()
    found: list[Value] = []
    at = 0
    for part in ask.alternatives[number].parts:
        of = part.binder.type
        if part.several:
            size = words[at]
            found.append(tuple(value(each, of) for each in words[at + 1 : at + 1 + size]))
            at += 1 + size
        else:
            found.append(value(words[at], of))
            at += 1
    return tuple(found)
