"""What happens is noted in the journal: kind, clause, seat, who may know, and the data.

Only a module for stepping keeps a journal. A note is four words (kind, clause, seat or -1, how many
words follow), a long word (who may know) and the data; `read` in `journal.py` makes events of them
again.

Who may know is a bit for each seat and one for a spectator (see `Layout`), in 64 bits. Where 64
play there is none left for the spectator. But a spectator knows only what is for everyone, so
`viewers` leaves that bit out, and `known_to` puts it in again. Only what is told to a set of
players may be for all of them and not for spectators: such a note says `SOME` in place of a seat.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lawspeaker.machines.compiled.binary import I32, I64, Function
from lawspeaker.machines.compiled.function import Code
from lawspeaker.machines.compiled.plan import Table
from lawspeaker.machines.compiled.unit import Unit
from lawspeaker.machines.lower import messages
from lawspeaker.position.layout import Layout

KINDS = (
    *("", "move", "marker", "state", "score", "shuffle", "chance", "choose", "forced", "cannot"),
    *("end", "tell"),
)
Word = int | Callable[[], None]
"""A word that is known, or code that leaves it on the stack."""
KNOWN, DATA = 16, 24
"""Where in a note it says who may know, and where its data begin."""
SOME = -2
_BITS = (1 << 64) - 1


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
    for word in (KINDS.index(kind), clause, seat, words):
        _push(c.b, word)
    if isinstance(known, int):
        c.b.long(viewers(known))
    else:
        known()
    c.b.call(header(c.unit))


def _push(b: Function, word: Word) -> None:
    if isinstance(word, int):
        b.const(word)
    else:
        word()


def header(unit: Unit) -> Function:
    """(kind, clause, seat, words, known) -> where the data go"""

    def write(b: Function) -> None:
        c = Code(unit, b, unit.program.main)
        b.get(unit.noted)
        b.const(unit.plan.journal_end - (1 << 16))
        b.op("i32.gt_u")
        c.fault_if(messages.NO_ROOM, unit.program.clauses[unit.program.main].span)
        for number in range(4):
            b.get(unit.noted)
            b.get(number)
            b.store(4 * number)
        b.get(unit.noted)
        b.get(4)
        b.store(KNOWN, "i64.store")
        b.get(unit.noted)
        b.const(DATA)
        b.op("i32.add")
        b.get(unit.noted)
        b.const(DATA)
        b.op("i32.add")
        b.get(3)
        b.const(2)
        b.op("i32.shl", "i32.add")
        b.set(unit.noted)

    return unit.made(("note",), (I32, I32, I32, I32, I64), 1, write)


def seen(c: Code) -> Table:
    """Who sees what lies in a place, by place."""
    return sights(c, c.layout.seen)


def sights(c: Code, known: Sequence[int]) -> Table:
    """A fixed array of those who may know."""
    return c.plan.long_table([viewers(each) for each in known])


def viewers(known: int) -> int:
    """Those who may know, in 64 bits."""
    return known & _BITS


def known_to(layout: Layout, noted: int, seat: int) -> int:
    """Those who may know, as the layout counts them."""
    public = seat != SOME and noted == viewers(layout.everyone)
    return layout.everyone if public else noted
