"""What happens is noted in the journal: kind, clause, seat, who may know, and the data.

Only a module for stepping keeps a journal. A note is five words (kind, clause, seat or -1, who may
know, how many words follow) and the data; `read` in `journal.py` makes events of them again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lawspeaker.machines.compiled.binary import Function
from lawspeaker.machines.compiled.function import TOO_LONG, Code
from lawspeaker.machines.compiled.plan import JOURNAL, Column
from lawspeaker.machines.compiled.unit import Unit

KINDS = ("", "move", "marker", "state", "score", "shuffle", "chance", "choose", "end", "tell")
Word = int | Callable[[], None]
"""A word that is known, or code that leaves it on the stack."""


def note(
    c: Code, kind: str, clause: int, seat: Word, known: Word, data: Sequence[Word] = ()
) -> None:
    """Notes that something happened."""
    if not c.unit.stepping:
        return
    b, at = c.b, c.local()
    begin(c, kind, clause, seat, known, len(data))
    b.set(at)
    for number, word in enumerate(data):
        b.get(at)
        _push(b, word)
        b.store(4 * number)


def begin(c: Code, kind: str, clause: int, seat: Word, known: Word, words: Word) -> None:
    """Begins a note of so many words; leaves on the stack where they go."""
    for word in (KINDS.index(kind), clause, seat, known, words):
        _push(c.b, word)
    c.b.call(header(c.unit))


def _push(b: Function, word: Word) -> None:
    if isinstance(word, int):
        b.const(word)
    else:
        word()


def header(unit: Unit) -> Function:
    """(kind, clause, seat, known, words) -> where the data go"""

    def write(b: Function) -> None:
        c = Code(unit, b, unit.program.main)
        b.get(unit.noted)
        b.const(unit.plan.journal + JOURNAL - (1 << 16))
        b.op("i32.gt_u")
        c.fault_if(TOO_LONG, unit.program.clauses[unit.program.main].span)
        for number in range(5):
            b.get(unit.noted)
            b.get(number)
            b.store(4 * number)
        b.get(unit.noted)
        b.const(20)
        b.op("i32.add")
        b.get(unit.noted)
        b.const(20)
        b.op("i32.add")
        b.get(4)
        b.const(2)
        b.op("i32.shl", "i32.add")
        b.set(unit.noted)

    return unit.made(("note",), 5, 1, write)


def seen(c: Code) -> Column:
    """Who sees what lies in a place, by place."""
    return c.plan.table(c.layout.seen)
