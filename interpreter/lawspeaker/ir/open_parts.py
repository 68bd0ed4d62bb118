"""Parts of a question whose number of answers everyone can see.

`sell: 3 cards in hand of player`: only their owner sees which cards they are, but everyone sees how
many there are. With three of them in hand there is but one answer, and all can see that. With four
equal ones there is but one answer, too, but only their owner knows it. So a part is open if it
takes pieces out of a hidden place without a condition, and everyone sees their number; and then
everyone sees that it has one answer if there are no more pieces than have to be taken, or if none
may be.
"""

from __future__ import annotations

from collections.abc import Sequence

from lawspeaker.ir.expressions import Const, Contents, Expr
from lawspeaker.ir.program import Family
from lawspeaker.ir.statements import Alternative, Ask, Part
from lawspeaker.ir.types import NUMBER, PlaceType, is_written
from lawspeaker.ir.walk import slots_read


def open_place(families: Sequence[Family], alternative: Alternative, at: int) -> Expr | None:
    """Returns the hidden place from which a part of an alternative takes pieces, if the part is
    open."""
    part = alternative.parts[at]
    source = part.binder.source
    if not isinstance(source, Contents) or not isinstance(source.place.type, PlaceType):
        return None
    family = families[source.place.type.index]
    hidden = family.seen_by != "everyone" and family.count_seen_by == "everyone"
    asked = part.binder.where is not None or alternative.member_guards[at]
    chosen = {slot for each in alternative.parts for slot in (each.binder.slot, each.set_slot)}
    known = chosen.isdisjoint(slots_read((source.place, part.least, part.most)))
    return source.place if hidden and known and not asked else None


def open_parts(families: Sequence[Family], ask: Ask) -> list[tuple[Expr, Expr, Expr]]:
    """Returns the places of all open parts of a question, each with the least and the greatest
    number of pieces to take."""
    return [
        (place, _least(part), _most(part))
        for alternative in ask.alternatives
        for at, part in enumerate(alternative.parts)
        if (place := open_place(families, alternative, at)) is not None
    ]


def _least(part: Part) -> Expr:
    if not part.several:
        return Const(NUMBER, 1)
    return Const(NUMBER, 0) if part.least is None else part.least


def _most(part: Part) -> Expr:
    return Const(NUMBER, 1) if part.most is None else part.most


def is_answered_in_words(ask: Ask) -> bool:
    """Returns whether players may answer with a text of their own: then the listed texts are never
    all possible answers."""
    return any(is_written(part.binder.type) for each in ask.alternatives for part in each.parts)


def is_counted(families: Sequence[Family], secret: Expr) -> bool:
    """Returns whether a secret is the contents of a place whose emptiness everyone sees. Other
    secrets, such as hidden markers, are never empty."""
    of = secret.type
    return isinstance(of, PlaceType) and families[of.index].count_seen_by == "everyone"
