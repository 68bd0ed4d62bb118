"""Pieces that move: everyone sees that something moves, from where and to where.

A piece that comes out of hiding to where everyone sees it is told, and so is that it was moved. One
that goes to where its owner sees it is told to him; the others see a piece go, and must not learn
from it which. What was seen before and moves tells nothing new, so it must not depend on a secret.
"""

from __future__ import annotations

from dataclasses import replace

from lawspeaker import ir
from lawspeaker.base.source import Span
from lawspeaker.ir.types import TRUTH, SetType, plain
from lawspeaker.meaning.secrets.needs import Telling
from lawspeaker.meaning.secrets.seeing import Seeing
from lawspeaker.meaning.secrets.sources import NONE, Label, Sort, holds_pieces, in_order, outside

WHAT, WHERE = "what is moved, which everyone sees,", "where it is moved, which everyone sees,"
HOW_MANY = "how many are moved, and from where, which everyone sees,"


class Moving(Seeing):
    def move(self, each: ir.Move) -> None:
        what = self.looks(each.what)
        name = each.what.slot if isinstance(each.what, ir.Local) else None
        if not isinstance(each.what.type, SetType):
            what = _any_of_its_place(what)
        self.goes(what, NONE, name, each.to, each.span)

    def move_some(self, each: ir.MoveSome) -> None:
        many = self.how_many(each.binder) | self.looks(each.most)
        self.goes(self.looks(each.binder), many, None, each.to, each.span)

    def draw(self, each: ir.Draw) -> None:
        many = self.looks(each.count) | self.looks(each.source)
        hidden = frozenset([self.source(each.source, Sort.INSIDE)])
        if each.otherwise is not None:
            held = SetType(plain(self.clause.slots[each.slot].type))
            lying = ir.Contents(held, each.source, span=each.source.span)
            many |= self.looks(ir.IsEmpty(TRUTH, lying, span=each.source.span))
            before = self.state.copy()
            self.under(NONE, each.otherwise)
            self.state = before.met(self.state)
        top = hidden if self.table.hidden(each.source) else NONE
        self.goes(top, many, each.slot, each.to, each.span)

    def goes(self, what: Label, many: Label, name: int | None, to: ir.Expr, span: Span) -> None:
        """Pieces go to a place. `many` is what decides their number."""
        state = self.state
        lies = NONE
        secret = any(each.sort in (Sort.INSIDE, Sort.GIVEN) for each in what)
        self.note(what, to)
        if self.table.hidden(to):
            self.seen(many | outside(_wherever_it_lies(what)), span, HOW_MANY)
            place = self.source(to, Sort.INSIDE if secret else Sort.LIES)
            lies = frozenset([replace(place, piece=name)])
            self.out_of_sight(frozenset([replace(place, sort=Sort.LIES)]))
        elif any(each.sort is Sort.INSIDE for each in what):
            state.told_that()
        else:
            self.seen(many | outside(what), span, WHAT)
        if name is not None:
            if not lies:
                state.tell_name(name, None)
            state.known[name] = lies
        self.seen(self.looks(to), span, WHERE)

    def note(self, what: Label, to: ir.Expr) -> None:
        """Notes what is made known by moving it to where it is seen."""
        family = self.table.family(to)
        sort = {"everyone": "moved", "owner": "owned"}.get(family.seen_by)
        for each in in_order(what) if sort is not None else ():
            if each.sort in (Sort.INSIDE, Sort.GIVEN):
                given = each.slot if each.given else None
                self.makes_known[Telling(sort or "", what=family.name, given=given)] = None

    def out_of_sight(self, lies: Label) -> None:
        """A piece that some name may mean lies elsewhere now, and what it shows there is seen by
        those who see it there."""
        if not self.table.shows(lies):
            return
        for slot, label in self.state.known.items():
            if holds_pieces(self.clause.slots[slot].type):
                self.state.known[slot] = label | lies


def _any_of_its_place(piece: Label) -> Label:
    """Which of those that lie in one place is moved, nobody sees."""
    places = {each.thing for each in piece if each.sort is not Sort.READ}
    if len(places) != 1:
        return piece
    return frozenset(
        each for each in piece if each.sort is not Sort.READ or each.thing not in places
    )


def _wherever_it_lies(pieces: Label) -> Label:
    """Where a piece comes from that may lie anywhere is seen when it goes."""
    return frozenset(
        replace(each, sort=Sort.READ)
        if each.sort is Sort.LIES and isinstance(each.thing, ir.Domain)
        else each
        for each in pieces
    )
