"""Sinks of the information-flow analysis: checks that viewers know the label of what they see.

If they do not, the diagnostic shows the path from the source to the sink. A label that stands for a
parameter cannot be judged in the clause itself: it becomes a need, which the callers check. A
random pick is disclosed to all, unless it goes where not everyone sees it; it cannot do both.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

from lawspeaker import ir
from lawspeaker.base import diagnostics
from lawspeaker.base.source import Span
from lawspeaker.ir.cost import MOST_STEPS
from lawspeaker.ir.walk import bound_slots
from lawspeaker.meaning.secrets.alike import LOOKS_ALIKE
from lawspeaker.meaning.secrets.expression_labels import ROOM, Declarations, Looking, Node
from lawspeaker.meaning.secrets.sources import LUCK, NONE, HiddenSource, Label, SecretStep, in_order
from lawspeaker.meaning.secrets.state import State
from lawspeaker.meaning.secrets.summaries import MOST_NEEDS, Disclosure, Need, Sight, Summary

_Way = TypeVar("_Way")
TELLS = "tells-a-secret"
FAULT = "fault-reveals"
STOPS = "whether this is possible, which everyone sees since the game stops if it is not,"
LASTS = "how long this takes, which everyone sees since the game stops after too many steps,"
SECRET_WORK = MOST_STEPS // 10
"""The most steps that may depend on something hidden."""
DONE = "whether this is done, which everyone sees,"
ASTRAY = "it may be one of those that go here, and not everyone knows whether"
DECIDES = "this decides what is done"
IN_TURN = "a loop takes these by what they are, so it shows which of them gets what"
ALL = "these are all there are, wherever they lie; which go and from where, which everyone sees,"
HINTS = {
    ALL: "say from where they go: `move all … in … to …`",
    ROOM: "ask for room before, whatever else decides it: `if jail is empty and …:`",
    LASTS: "let how often it is done depend on what everyone sees, or bound it: `smaller(…, …)`",
    TELLS: "if it is meant to be known, say so before: `tell everyone …`; if not, let it depend on "
    "what is seen, or hide what it changes",
    "asking-reveals": "ask always, and make the condition a guard; or say before what everyone may "
    "know: `tell everyone …`",
    "hidden-from-chooser": "a player is offered only what follows from what he sees: offer it "
    "anyway and let the rule deal with it, or let the place be seen",
    FAULT: "make it possible whatever is hidden: ask for it before (`if … > 0:`), say what happens "
    "`otherwise`, move `up to` so many; or say before what everyone may know: `tell everyone …`",
    "secret-kept": "work it out again after the question, or put it on a marker `seen by: owner`",
}
ALIKE = (
    "give all of them the same, in a loop that does nothing else with them: "
    "`for each card in hand of ann: marked of card becomes yes`"
)
FOUND_AGAIN = (
    "move it first, or give it its name after the others have gone; let a marker that shows it "
    "show `nothing` before they go"
)
APART = (
    "let what tells look otherwise on each way: in a clause of its own, for another player, with "
    "another number; or say before what everyone may know: `tell everyone …`"
)
ANYTHING_TOLD = "`tell everyone …`"
LONGEST_TOLD = 80
NAMED = "known"
CURES = {ASTRAY: FOUND_AGAIN, IN_TURN: ALIKE, LOOKS_ALIKE: APART}
"""Hints for rewriting a rule, by the step of the path they apply to."""


class Seeing(Looking):
    """Analyses one clause. `summaries` are those of its callees."""

    needs: dict[Need, None]

    def __init__(
        self,
        table: Declarations,
        program: ir.Program,
        clause: ir.Clause,
        summaries: dict[int, Summary],
        found: diagnostics.Diagnostics,
    ) -> None:
        super().__init__(table, State(), ("clause", clause.index))
        self.program = program
        self.clause = clause
        self.summaries = summaries
        self.diagnostics = found
        self.complaints = diagnostics.Diagnostics()
        self.asks: dict[ir.Expr | None, None] = {}
        self.makes_known: dict[Disclosure, None] = {}
        self.failed: set[Span] = set()
        self.offers_failing: Label | None = None
        """During the enumeration of answers: what decides whether it faults."""
        self.hidden_steps: dict[bool, tuple[Label, int]] = {}
        """The steps so far that depend on something hidden, with their labels; those that depend
        on parameters only are separate."""
        self.counted: frozenset[bool] = frozenset()
        """The keys of `hidden_steps` under which all steps here are counted already."""
        self.rounds = 1
        """The most iterations of the enclosing loops, multiplied."""
        self.at = clause.span
        """The statement that is being analysed."""
        self.value: ir.Expr | None = None
        """The value that this statement sets something to."""
        self.decisions: dict[Span, ir.Expr] = {}
        """Conditions of the clause that find nothing for the statements below them."""
        self.luck_kept: set[int] = set()
        self.luck_shown: dict[int, tuple[Span, Sight]] = {}

    def seen(self, label: Label, span: Span, what: str) -> bool:
        """Everyone sees this, and that it happens; whether both are public."""
        known = self.must_know(label, Sight(TELLS, what), span)
        return known and self.must_know(self.state.whether, Sight(TELLS, DONE), span)

    def fails(self, node: Node, label: Label, seen: str = STOPS) -> None:
        """Everyone sees whether a fault stops the game."""
        if self.table.ranges is None:
            return
        self.table.failing.add(self.clause.index)
        decides = label | self.path
        if self.offers_failing is not None:
            self.offers_failing |= decides
        span = node.span if node.span.known else self.at
        if span in self.failed:
            return
        sight = Sight(FAULT, seen)
        if not self.must_know(decides | self.state.whether_fault, sight, span):
            self.failed.add(span)

    def lasts(self, statement: ir.Statement, label: Label, blocks: Iterable[ir.Block]) -> None:
        """A label may decide which of some blocks runs, or how often; counts the steps that so
        depend on it."""
        ranges = self.table.ranges
        if ranges is None or not label:
            return
        with ranges.names_of(self.owner), ranges.costs.inside(self.clause):
            often = ranges.rounds(statement)
            longest = max((ranges.work(block) for block in blocks), default=0)
        self.takes(statement, label, often * longest)
        self.counted |= {True, _only_given(label)}

    def takes(self, node: Node, label: Label, steps: int) -> None:
        """Adds up the steps that depend on something hidden. If they may be many, the step limit
        discloses it. Those of a question count separately, since the limit is reset by the answer.
        """
        if not label:
            return
        if self.offers_failing is not None:
            if steps > SECRET_WORK:
                self.fails(node, label, seen=LASTS)
            return
        given = _only_given(label)
        if given in self.counted:
            steps = 0
        before, total = self.hidden_steps.get(given, (NONE, 0))
        label, total = before | label, min(total + steps * self.rounds, MOST_STEPS)
        self.hidden_steps[given] = label, total
        if total > SECRET_WORK:
            self.fails(node, label, seen=LASTS)

    def each_way(self, ways: Iterable[_Way]) -> Iterator[_Way]:
        """Iterates over alternative branches, and keeps the steps of the longest."""
        before, longest = self.hidden_steps, dict(self.hidden_steps)
        for each in ways:
            self.hidden_steps = dict(before)
            yield each
            for given, (label, steps) in self.hidden_steps.items():
                known, most = longest.get(given, (NONE, 0))
                longest[given] = known | label, max(most, steps)
        self.hidden_steps = longest

    def must_know(self, label: Label, sight: Sight, span: Span) -> bool:
        """Whether viewers know every source of a label; reports the first they do not know."""
        for each in in_order(label):
            if each.given:
                self.need(each, sight, (SecretStep(span.head, "here it is seen"),))
            elif not self.knows(each, sight, span):
                self.complain(each, sight, span, f"{sight.seen} depends on")
                return False
        return True

    def knows(self, source: HiddenSource, sight: Sight, span: Span) -> bool:
        if source.thing != LUCK:
            return self.table.knows(sight.who, source, self.state.holding)
        if source.piece is None:
            return False  # picked in a clause done from here, which hides it
        if sight.who is None:
            self.luck_shown.setdefault(source.piece, (span, sight))
        else:
            self.luck_kept.add(source.piece)
        return True

    def need(self, source: HiddenSource, sight: Sight, way: tuple[SecretStep, ...]) -> None:
        if len(self.needs) <= MOST_NEEDS:
            plain = self.state.at_first(source)
            who = self.state.unchanged(sight.who)
            before = source.way.steps() if source.way is not None else ()
            self.needs.setdefault(Need(plain, sight.code, who, sight.seen, (*before, *way)))

    def complain(
        self,
        source: HiddenSource,
        sight: Sight,
        span: Span,
        said: str,
        way: Iterable[SecretStep] = (),
    ) -> None:
        """Reports a leak. `said` precedes the source in words, `way` extends the path."""
        before = source.way.steps() if source.way is not None else ()
        steps = (*before, *way)
        words = {step.words for step in steps}
        place = span.head
        hints = (hint for word, hint in CURES.items() if word in words)
        hint = next(hints, HINTS.get(sight.seen, HINTS[sight.code]))
        if lines := self.telling_lines(source, steps, place):
            hint = hint.replace(ANYTHING_TOLD, lines)
        self.complaints.error(
            sight.code,
            f"{said} {self.table.whose(source)}",
            place,
            *(
                diagnostics.Label(step.span.head, step.words)
                for step in steps
                if step.span.known and step.span.head != place
            ),
            hint=hint,
        )

    def telling_lines(
        self, source: HiddenSource, steps: Sequence[SecretStep], place: Span
    ) -> str | None:
        """The statements that make public what leaks at a place, if they do."""
        decides = [step.span for step in steps if step.words == DECIDES]
        value = self.decisions.get(decides[-1]) if decides else self.value
        if value is None or _points(value.type) or value.span == self.at:
            return None
        if not decides and (
            place != self.at.head or source.thing not in (each.thing for each in self.looks(value))
        ):
            return None
        text = " ".join(value.span.text.split())
        if "#" in text or "`" in text or len(text) > LONGEST_TOLD:
            return None
        whether = "whether " * (value.type == ir.TRUTH)
        if not bound_slots(value):
            return f"`tell everyone {whether}{text}`"
        # What an expression goes through is its own, so another of the same text is another.
        instead = f"if {NAMED}:" if decides else NAMED
        return f"`let {NAMED} be {text}`, `tell everyone {whether}{NAMED}`, and then `{instead}`"

    def shown_and_kept(self) -> None:
        """Reports luck that is both public and goes where not everyone sees it."""
        for slot, (span, sight) in self.luck_shown.items():
            if slot in self.luck_kept:
                self.complain(HiddenSource(LUCK), sight, span, f"{sight.seen} depends on")

    @abstractmethod
    def under(self, label: Label, block: ir.Block, untold: Label = NONE) -> None:
        """Analyses a block that runs only if `label` decides so. `untold` decides that, too, but is
        disclosed by the other branch."""

    @abstractmethod
    def tells_first(self, block: ir.Block, state: State | None = None) -> bool:
        """Whether the first visible effect of a block tells everyone something. `state` is the
        state at its beginning, if it differs from the current one."""


def _points(type: ir.Type) -> bool:
    """Whether a value of a type is something on the table, which is shown instead of told."""
    return isinstance(type, ir.PieceType | ir.PlaceType | ir.SetType)


def _only_given(label: Label) -> bool:
    return all(each.given for each in label)
