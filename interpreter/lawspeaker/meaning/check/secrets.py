"""Secrets at questions: what is offered may depend only on what the player asked can see.

`privacy` knows what an expression looks at; here it is held against who is asked. What a loop
has learned is known when it begins again, so its questions are looked at once more at its end.
"""

from __future__ import annotations

from lawspeaker import ir
from lawspeaker.base.diagnostics import Label
from lawspeaker.base.source import Span
from lawspeaker.ir.types import BROKEN
from lawspeaker.meaning.check.functions import Functions
from lawspeaker.meaning.check.privacy import Need, Places, Test, is_parameter, unchanged
from lawspeaker.meaning.check.scope import Scope
from lawspeaker.meaning.check.statements import Statements, head
from lawspeaker.meaning.check.world import World

Known = dict[int, Places]
Before = tuple[Known, list[Test]]
"""What was known before a question, and what had changed since the clause began."""
Asked = tuple[list[ir.Alternative], ir.Expr, Span, Known]
"""What was offered, to whom, where, and what was known then."""


class Secrets(Statements):
    def __init__(self, world: World, functions: Functions, scope: Scope, clause: int) -> None:
        super().__init__(world, functions, scope, clause)
        self.asked_of: list[Asked] = []

    def before(self) -> Before:
        return dict(self.privacy.known), list(self.privacy.changes)

    def private(
        self, alternatives: list[ir.Alternative], who: ir.Expr, span: Span, before: Before
    ) -> tuple[ir.Expr, ...]:
        """The hidden places that decide what is offered; the player must be able to see them.

        What the alternatives do is done after the question, and says nothing of it.
        """
        if who.type == BROKEN:
            return ()
        after, (self.privacy.known, changes) = self.privacy.known, before
        looked = self.looked(alternatives, who, span, changes)
        self.asked_of.append((alternatives, who, span, self.privacy.known))
        self.privacy.known = after
        if self.privacy.secret or any(not is_parameter(each) for each in self.privacy.looks(who)):
            self.diagnostics.warning(
                "asking-reveals",
                "whether this is asked depends on something hidden, so being asked gives it away",
                head(span),
                hint="ask always, and make the condition a guard",
            )
        return tuple(looked)

    def looked(
        self, alternatives: list[ir.Alternative], who: ir.Expr, span: Span, changes: list[Test]
    ) -> dict[ir.Expr, None]:
        found: dict[ir.Expr, None] = {}
        asked = unchanged(who, changes)
        for each in alternatives:
            for part in each.parts:
                looked = self.privacy.looks(part.binder)
                if part.several:
                    self.privacy.known[part.set_slot] = looked
            of_members = [guard for guards in each.member_guards for guard in guards]
            nodes: list[ir.Part | ir.Guard] = [*each.parts, *each.guards, *of_members]
            for node in nodes:
                for place in sorted(self.privacy.looks(node), key=repr):
                    if is_parameter(place):
                        self.privacy.needs[Need(place.slot, asked, span)] = None
                        continue
                    found[place] = None
                    if not self.privacy.is_own(place, who):
                        self.hidden(node, place)
        return found

    def hidden(self, node: ir.Part | ir.Guard, place: ir.Expr) -> None:
        span = node.condition.span if isinstance(node, ir.Guard) else node.binder.span
        elsewhere = place.span.known and place.span.line != span.line
        self.diagnostics.error(
            "hidden-from-chooser",
            f"what is offered here depends on {self.privacy.whose(place)}",
            span,
            *((Label(place.span, "this is hidden"),) if elsewhere else ()),
            hint="a player is offered only what follows from what he sees: offer it anyway and let "
            "the rule deal with it, or let the place be seen",
        )

    def asked_before(self) -> int:
        return len(self.asked_of)

    def ask_again(self, first: int, outer: int) -> None:
        now = self.privacy.known
        for alternatives, who, span, known in self.asked_of[first:]:
            later = {slot: places for slot, places in now.items() if slot < outer}
            self.privacy.known = {**known, **later}
            self.looked(alternatives, who, span, self.privacy.changes)
        self.privacy.known = now
