"""Information flow of questions: who is asked, whether, what is offered, and the text of the
question.

Everyone sees that a player is asked. Only that player sees the offers and the text, so their labels
must be known to him; so must whatever the clause keeps in its frame while it waits. The answer is
the player's own act and public from then on; only a piece from a hidden place stays as hidden as
that place. That a player has no legal answer is disclosed by `otherwise`, or by the fault if the
rules say `cannot happen`.
"""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import replace

from lawspeaker import ir
from lawspeaker.base.braces import names_in
from lawspeaker.base.source import Span
from lawspeaker.ir.open_parts import open_place
from lawspeaker.ir.walk import everything
from lawspeaker.meaning.secrets.moves import Moving
from lawspeaker.meaning.secrets.sinks import TELLS
from lawspeaker.meaning.secrets.sources import (
    NONE,
    PLACED,
    Label,
    Moves,
    followed,
    holds_pieces,
    in_order,
    location_label,
    opened,
    read,
    went_since,
)
from lawspeaker.meaning.secrets.state import State, all_met
from lawspeaker.meaning.secrets.summaries import Sight

ASKING = "asking-reveals"
CHOOSING = "hidden-from-chooser"
KEPT = "secret-kept"
ROUNDS = "what a loop has yet to go through, which is kept over a question,"


class Asking(Moving):
    """Checks the questions of one clause."""

    private: dict[int, Label]
    """By the id of the question: the hidden sources that decide the offers."""
    places: dict[int, int]
    """Pre-order position of each node in the clause, by its id."""
    lasting: set[int]
    """Slots named in texts, which stay live across iterations of a loop."""
    reads: dict[int, list[int]]
    """Positions in the clause where each slot is read."""
    kept_names: dict[int, Label]
    """Labels of the slots that are live while or after somebody is asked."""
    gone_before: Moves
    """The pieces that may have moved when somebody is asked."""

    def ask(self, each: ir.Ask) -> None:
        holding = self.state.holding
        who = self.asked(each)
        self.text(each, who)
        start, ends = self.state, list[State]()
        private = NONE
        outer, self.offers_failing = self.offers_failing, NONE
        nothing: list[Label] = []
        for one in self.each_way(each.alternatives):
            self.state = start.copy()
            decides, possible = self.offered(one, who)
            private |= decides
            nothing.append(possible)
            failing, self.offers_failing = self.offers_failing, None
            self.chosen(one)
            self.under(NONE, one.body)
            self.offers_failing = failing
            self.state.end_names(self.own_names(one, self.state.known.keys() - start.known.keys()))
            ends.append(self.state)
        self.private[id(each)] = private
        sure = any(not one.parts and not one.guards for one in each.alternatives)
        empty = NONE if sure else NONE.union(*nothing)
        if each is self.clause.opening_question:
            self.table.possible[self.clause.index] = empty
            if self.offers_failing:
                self.table.possible_failing[self.clause.index] = self.offers_failing
        self.offers_failing = outer
        if each.otherwise is not None or not each.must:
            self.state = start.copy()
            self.under(NONE, each.otherwise or ())
            ends.append(self.state)
        if each.each is not None and not each.first:
            ends.append(start)  # Nobody may be asked at all.
        self.state = all_met(ends)
        if each.each is not None:
            self.state.holding &= holding

    def asked(self, each: ir.Ask) -> ir.Expr:
        """The player asked: everyone sees that, and the live slots must be known to him."""
        self.asks[self.state.unchanged(each.who)] = None
        first = self.places[id(each)] + sum(1 for _ in everything((each.who, each.each)))
        if each.each is None:
            assert each.who is not None
            label, who = self.looks(each.who), each.who
            self.kept(first, [who], each)
        else:
            binder = each.each
            label, who = self.how_many(binder), ir.Local(ir.PLAYER, binder.slot, binder.name)
            self.kept(first, [None], each)
        if self.must_know(label, Sight(ASKING, "who is asked, which everyone sees,"), each.span):
            sight = Sight(ASKING, "whether this is asked, which everyone sees,")
            self.must_know(self.state.whether, sight, each.span)
        return who

    def kept(self, first: int, asked: Iterable[ir.Expr | None], waits: ir.Do | ir.Ask) -> None:
        """Checks the labels of slots and loop iterators that are live across a question. Computed
        values must be known to everyone at the table, parameters to those who are asked; what the
        offers show of them is checked separately."""
        since = went_since(self.gone_before, self.state.gone)
        self.gone_before = followed(self.gone_before, since)
        rounds = location_label(NONE.union(*self.state.rounds.values()))
        self.must_know(rounds - self.state.whether, Sight(KEPT, ROUNDS), waits.span)
        offers = {self.places[id(each)] for each in everything(_offers(waits))}
        renewed = {here for _, here in waits.returns} if isinstance(waits, ir.Do) else set()
        for slot, label in self.state.known.items():
            later = {at for at in self.reads.get(slot, ()) if at > first and slot not in renewed}
            if not later and not holds_pieces(self.clause.slots[slot].type):
                self._keep(slot, label, waits.span)  # Its copies may be inferred from it.
            if later and self._keep(slot, label, waits.span):
                sight = self._keeping(slot)
                given = frozenset(each for each in label if each.given)
                self.must_know(label - given, sight, waits.span)
                for who in asked if later - offers else ():
                    self.must_know(given, replace(sight, who=who), waits.span)

    def own_names(self, node: ir.Alternative | ir.Statement, names: Set[int]) -> set[int]:
        """Those of some slots that are read inside a node and nowhere else. They are dead after it,
        and would pile up in a long clause."""
        if not names:
            return set()
        first = self.places[id(node)]
        last = first + sum(1 for _ in everything(node))
        return {
            slot
            for slot in names - self.lasting
            if slot != self.clause.outcome
            and all(first < at < last for at in self.reads.get(slot, ()))
        }

    def text(self, each: ir.Ask, who: ir.Expr) -> None:
        """Checks the labels of names that the text of the question can interpolate."""
        names = self.names_in(each)
        for slot, label in self.state.known.items():
            name = self.clause.slots[slot].name
            if name in names:
                seen = f"`{name}` in the text of the question"
                self.must_know(read(label), Sight(TELLS, seen, who), each.span)
                self._keep(slot, label, each.span)

    def names_in(self, each: ir.Ask) -> set[str]:
        """The names in the texts of a question."""
        return set().union(*map(names_in, self.program.clauses[each.clause].asks.values()))

    def _keep(self, slot: int, label: Label, span: Span) -> bool:
        """Notes a slot that is live during a question. Returns whether it can be hidden from
        others; a piece cannot: everyone sees where it lies, and whether two names denote the same
        piece."""
        if holds_pieces(self.clause.slots[slot].type):
            self.must_know(location_label(label), self._keeping(slot), span)
            return False
        self.kept_names[slot] = self.kept_names.get(slot, NONE) | label
        return True

    def _keeping(self, slot: int) -> Sight:
        return Sight(KEPT, f"`{self.clause.slots[slot].name}`, which is kept over a question,")

    # ------------------------------------------------------------ offers

    def offered(self, one: ir.Alternative, who: ir.Expr) -> tuple[Label, Label]:
        """The label of what is offered, as far as not everyone sees the number of answers, and the
        label of whether anything is. A piece is offered where it lies."""
        sight = Sight(CHOOSING, "what is offered", who)
        decides = possible = NONE
        for at, part in enumerate(one.parts):
            holding = self.state.holding
            many = self.how_many(part.binder)
            members = self.state.known[part.binder.slot]
            of_part = opened(members)
            counted = open_place(self.program.families, one, at)
            decides |= read(members) if counted is None else self.looks(counted)
            if part.several:
                few = self.looks(part.least) | self.looks(part.most)
                of_part |= few
                decides |= few
                none = isinstance(part.least, ir.Const) and part.least.value == 0
                many = NONE if none else many | few
                self.state.named(part.set_slot, members)
                self.state.holding &= holding
            self.all_known(of_part, sight, part.binder.span)
            possible |= many
        for guard in (*(each for guards in one.member_guards for each in guards), *one.guards):
            label = self.looks(guard.condition)
            self.all_known(label, sight, guard.condition.span)
            decides |= label
            possible |= label
            # A refusal names the first guard that fails, so each guard is evaluated only where all
            # earlier ones hold.
            if guard in one.guards:
                self.state.holds(guard.condition)
        return decides, possible

    def all_known(self, label: Label, sight: Sight, span: Span) -> None:
        for each in in_order(label):
            self.must_know(frozenset([each]), sight, span)

    def chosen(self, one: ir.Alternative) -> None:
        """Declassifies the answer, except for pieces in hidden places."""
        for part in one.parts:
            slot = part.set_slot if part.several else part.binder.slot
            label = self.state.known[part.binder.slot]
            self.state.known[slot] = frozenset(
                replace(each, piece=slot) for each in label if each.known or each.sort in PLACED
            )


def _offers(waits: ir.Do | ir.Ask) -> tuple[object, ...]:
    """The parts of a question that decide what is offered."""
    if isinstance(waits, ir.Do):
        return ()
    return tuple((one.parts, one.guards, one.member_guards) for one in waits.alternatives)
