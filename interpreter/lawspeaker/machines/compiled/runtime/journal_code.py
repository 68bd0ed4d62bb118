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

from collections.abc import Sequence

from lawspeaker.machines.compiled.compile.function import Code
from lawspeaker.machines.compiled.runtime.plan import Table
from lawspeaker.machines.compiled.runtime.unit import Long, Unit, routine
from lawspeaker.machines.middle.building import Body
from lawspeaker.machines.middle.forms import (
    I32,
    Expr,
    Number,
    Variable,
    long_at,
    word,
)
from lawspeaker.position.layout import Layout

KINDS = (
    *("", "move", "marker", "state", "score", "shuffle", "chance", "choose", "forced", "cannot"),
    *("end", "tell"),
)
KNOWN, DATA = 16, 24
"""Where in a note it says who may know, and where its data begin."""
SOME = -2
_BITS = (1 << 64) - 1


def note(
    c: Code, kind: str, clause: int, seat: Number, known: Number, data: Sequence[Number] = ()
) -> None:
    """Notes that something happened."""
    if not c.unit.purpose.stepping:
        return
    at = c.f.let("note", begun(c.unit, kind, clause, seat, known, len(data)))
    for number, each in enumerate(data):
        c.f.set(word(at, 4 * number), each)


def begun(unit: Unit, kind: str, clause: int, seat: Number, known: Number, words: Number) -> Expr:
    """Begins a note of so many words; gives back where they go."""
    if isinstance(known, int):
        known = viewers(known)
    return header(unit)(KINDS.index(kind), clause, seat, words, known)


@routine("note", returns=I32)
def header(
    unit: Unit,
    f: Body,
    kind: Variable,
    clause: Variable,
    seat: Variable,
    words: Variable,
    known: Long,
) -> None:
    """(kind, clause, seat, words, known) -> where the data go"""
    at = f.let("at", unit.noted)
    unit.no_room_if(f, at.above(unit.plan.journal_end - (1 << 16)))
    for number, value in enumerate((kind, clause, seat, words)):
        f.set(word(at, 4 * number), value)
    f.set(long_at(at, KNOWN), known)
    data = f.let("data", at + DATA)
    f.set(unit.noted, data + (words << 2))
    f.return_(data)


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
