"""Generates journal entries: kind, clause, seat, viewers, and data.

Only a module for stepping has a journal. An entry is four words (kind, clause, seat or -1, number
of data words), a long word (viewers) and the data; `read` in `journal.py` decodes it.

Viewers are a bit for each seat and one for a spectator (see `Layout`), in 64 bits. With 64 players
there is none left for the spectator. But a spectator knows only what is for everyone, so `viewers`
drops that bit, and `known_to` restores it. Only announcements to a set of players may be for all of
them and not for spectators: such an entry has `SOME` in place of a seat.
"""

from __future__ import annotations

from collections.abc import Sequence

from lawspeaker.machines.compiled.compile.function import Code
from lawspeaker.machines.compiled.runtime.plan import ConstantTable
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
"""Byte offsets in an entry of the viewers and the data."""
SOME = -2
_BITS = (1 << 64) - 1


def note(
    c: Code, kind: str, clause: int, seat: Number, known: Number, data: Sequence[Number] = ()
) -> None:
    """Writes an event to the journal."""
    if not c.unit.purpose.stepping:
        return
    at = c.f.let("note", begun(c.unit, kind, clause, seat, known, len(data)))
    for number, each in enumerate(data):
        c.f.set(word(at, 4 * number), each)


def begun(unit: Unit, kind: str, clause: int, seat: Number, known: Number, words: Number) -> Expr:
    """Writes the header of an entry; returns the address of its data."""
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
    """(kind, clause, seat, words, known) -> the address of the data"""
    at = f.let("at", unit.noted)
    unit.no_room_if(f, at.above(unit.plan.journal_end - (1 << 16)))
    for number, value in enumerate((kind, clause, seat, words)):
        f.set(word(at, 4 * number), value)
    f.set(long_at(at, KNOWN), known)
    data = f.let("data", at + DATA)
    f.set(unit.noted, data + (words << 2))
    f.return_(data)


def seen(c: Code) -> ConstantTable:
    """Returns the constant table of who sees the pieces in a place, by place."""
    return sights(c, c.layout.seen)


def sights(c: Code, known: Sequence[int]) -> ConstantTable:
    """Returns a constant table of viewers."""
    return c.plan.long_table([viewers(each) for each in known])


def viewers(known: int) -> int:
    """Encodes viewers in 64 bits."""
    return known & _BITS


def known_to(layout: Layout, noted: int, seat: int) -> int:
    """Decodes viewers as the layout counts them."""
    public = seat != SOME and noted == viewers(layout.everyone)
    return layout.everyone if public else noted
