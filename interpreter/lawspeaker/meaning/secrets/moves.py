"""Information flow of moves: everyone sees that something moves, from where and to where.

A piece that comes from a hidden place to where everyone sees it is disclosed, and so is that it was
moved; but if there may be none to move, the move discloses nothing for certain. A piece that goes
where only its owner sees it is disclosed to him; the others see a piece move, and must not learn
which. A piece that was visible before and moves tells nothing new, so its move must not depend on a
secret.
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import replace

from lawspeaker import ir
from lawspeaker.base.source import Span
from lawspeaker.meaning.secrets.alike import moves_surely
from lawspeaker.meaning.secrets.sinks import ALL, ASTRAY, TELLS, Seeing
from lawspeaker.meaning.secrets.sources import (
    NONE,
    OPEN,
    PLACED,
    HiddenSource,
    Label,
    MovedPieces,
    Mutation,
    Sort,
    by,
    differ,
    innermost,
    location_label,
    may_be_one,
    outside,
    places,
)
from lawspeaker.meaning.secrets.summaries import Disclosure, Sight

WHAT, WHERE = "what is moved, which everyone sees,", "where it is moved, which everyone sees,"
HOW_MANY = "which are moved, how many and from where, of which everyone sees something,"
SEEN: dict[ir.SeenBy, str] = {"everyone": "moved", "owner": "owned"}


class Moving(Seeing):
    """Checks the moves of one clause."""

    never_empty: set[int]
    """Slots of sets that certainly have members."""

    def move(self, each: ir.Move) -> None:
        name = each.what.slot if isinstance(each.what, ir.Local) else None
        self.goes(*self.moved(each), name, each)

    def move_some(self, each: ir.MoveSome) -> None:
        self.goes(*self.moved(each), None, each)

    def draw(self, each: ir.Draw) -> None:
        top, many = self.moved(each)
        if each.otherwise is not None:
            before = self.state.copy()
            self.under(NONE, each.otherwise)
            self.state = before.met(self.state)
        self.goes(top, many, each.slot, each)

    def goes(
        self, what: Label, many: Label, name: int | None, each: ir.Move | ir.MoveSome | ir.Draw
    ) -> None:
        """Pieces move to a place; `many` decides their number. Whether the place exists is seen
        before anything is told; which one it is may follow from what is told."""
        state, to, span = self.state, each.to, each.span
        self.looks(to)
        lies, place = NONE, HiddenSource(OPEN, Sort.LIES)
        number = self.table.family(to).holds
        piece = ir.PieceType(self.program.pieces[number].name, number)
        self.note(what, each)
        on_top = not each.under and self.table.top_seen_by(to) == "everyone"
        self.lose_sight(what, each, on_top)
        if on_top:
            place = self.source(to, Sort.LIES)
        elif self.table.hidden(to):
            everywhere = isinstance(each, ir.MoveSome) and _all_there_are(each.binder)
            self.seen(many | location_label(what), span, ALL if everywhere else HOW_MANY)
            place = self.source(to, Sort.LIES)
            secret = any(one.sort in PLACED and not one.known for one in what)
            there = replace(place, sort=Sort.INSIDE if secret else Sort.LIES, piece=name)
            lies = frozenset([there])
        if lies:
            pass
        elif any(map(self.comes_to_light, what)):
            if self.surely_moves(each):
                state.told_that()
        elif any(one.sort is Sort.INSIDE for one in what):
            self.seen(outside(what), span, WHAT)  # It may be the visible top of a pile.
        else:
            self.seen(many | outside(what), span, WHAT)
        if name is not None:
            if not lies:
                state.tell_name(name, None)
            state.known[name] = frozenset([replace(place, piece=name)]) if on_top else lies
        gone = MovedPieces(piece, what, place, self.given(name))
        state.leave(gone)
        self.left(gone, name, span)
        self.shows(gone, span)
        self.must_know(self.looks(to), Sight(TELLS, WHERE), span)

    def lose_sight(self, what: Label, each: ir.Move | ir.MoveSome | ir.Draw, on_top: bool) -> None:
        """Forgets the shown contents of places that a piece enters or leaves unseen."""
        hidden = self.table.hidden(each.to) and not on_top
        touched = {self.source(each.to), *(what if hidden else ())}
        self.state.kept = frozenset(
            (place, who)
            for place, who in self.state.kept
            if not any(may_be_one(self.source(place), one) for one in touched)
        )

    def given(self, name: int | None) -> int | None:
        """The parameter that a name denotes, if it does and was not reassigned."""
        if name is None or Mutation("name", name) in self.state.changes:
            return None
        return name if name < self.clause.parameters else None

    def comes_to_light(self, source: HiddenSource) -> bool:
        """Whether only those who see the place have seen a piece from there. In a pile with a
        public top it may be the top."""
        if source.sort is not Sort.INSIDE:
            return False
        pile = isinstance(source.thing.type, ir.PlaceType)
        return not pile or self.table.top_seen_by(source.thing) != "everyone"

    def surely_moves(self, each: ir.Move | ir.MoveSome | ir.Draw) -> bool:
        """Whether at least one piece certainly moves; otherwise nothing may be visible."""
        return moves_surely(each, self.never_empty)

    def note(self, what: Label, each: ir.Move | ir.MoveSome | ir.Draw) -> None:
        """Records what a move makes known."""
        family = self.table.family(each.to)
        top = "nobody" if each.under else self.table.top_seen_by(each.to)
        seen_by = family.seen_by if top == "nobody" else top
        if seen_by != "nobody":
            sort = SEEN.get(seen_by, "partly")
            for one in what:
                if one.sort in (Sort.INSIDE, Sort.GIVEN):
                    given = one.slot if one.given else None
                    self.makes_known[Disclosure(sort, what=family.name, given=given)] = None

    def left(
        self, gone: MovedPieces, name: int | None, span: Span, told: Container[int] = ()
    ) -> None:
        """Pieces of this name have moved: other names, and loop iterators, may denote the same
        pieces. For the slots `told` that is known already."""
        state = self.state
        for labels in (state.known, state.rounds):
            for slot, label in labels.items():
                if innermost(self.clause.slots[slot].type) != gone.piece:
                    continue
                if labels is state.known and (slot in told or self.apart(slot, name)):
                    continue
                same = slot == name or all(each.piece == name for each in places(label))
                if name is not None and same:
                    labels[slot] = label | {gone.to}
                else:
                    astray = by(gone.astray(label), span.head, ASTRAY)
                    labels[slot] = gone.lies(label) | astray

    def apart(self, one: int, other: int | None) -> bool:
        """Whether two names certainly denote two things, by a condition that everyone knows."""
        if other is None:
            return False
        return differ(self.local(one), self.local(other), self.state.holding)

    def local(self, slot: int) -> ir.Local:
        """A slot as the expression that occurs in conditions."""
        named = self.clause.slots[slot]
        return ir.Local(named.type, slot, named.name)

    def shows(self, gone: MovedPieces, span: Span) -> None:
        """Pieces have moved: whoever sees a marker sees whether it shows one of them."""
        for number, label in self.state.shown.items():
            shows = self.table.shown[number]
            if innermost(shows.type) == gone.piece:
                if gone.to.thing != OPEN:
                    said = f"what is seen of the {gone.piece} that `{shows.name}` shows"
                    astray = by(gone.astray(label), span.head, ASTRAY)
                    self.must_know(location_label(astray), Sight(TELLS, said), span)
                self.state.shown[number] = gone.lies(label)


def _all_there_are(binder: ir.Binder) -> bool:
    """Whether a binder is unrestricted: `all cards`."""
    return isinstance(binder.source, ir.Domain) and binder.where is None
