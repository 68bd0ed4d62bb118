"""Parts of a question of which everyone sees how many answers they have.

`sell: 3 cards in hand of player`: which cards they are only their owner sees, but how many there
are everyone does. With three of them in hand there is but one answer, and all can see that. With
four equal ones there is but one answer, too, but only their owner knows it. So a part is open if
it takes pieces out of a hidden place, nothing is asked of them, and everyone sees how many there
are; and then everyone sees that it has one answer if no more pieces lie there than have to be
taken, or if none may be.
"""

from __future__ import annotations

from collections.abc import Sequence

from lawspeaker.ir.expressions import Const, Contents, Expr
from lawspeaker.ir.program import Family
from lawspeaker.ir.statements import Alternative, Ask, Part
from lawspeaker.ir.types import NUMBER, PlaceType, is_written
from lawspeaker.ir.walk import slots_read


def open_place(families: Sequence[Family], alternative: Alternative, at: int) -> Expr | None:
    """The hidden place out of which a part of an alternative takes pieces, if the part is open."""
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
    """The places of all open parts of a question, each with how many pieces have to be taken, and
    how many may be."""
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
    """Whether players may answer with a text of their own: then the texts that the rules list are
    never all the answers there are."""
    return any(is_written(part.binder.type) for each in ask.alternatives for part in each.parts)


def is_counted(families: Sequence[Family], secret: Expr) -> bool:
    """Whether something hidden is what lies in a place, and everyone sees whether there is
    anything in it. Other secrets, such as hidden markers, are never empty."""
    of = secret.type
    return isinstance(of, PlaceType) and families[of.index].count_seen_by == "everyone"
