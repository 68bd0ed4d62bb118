"""Information flow of statements: abstract interpretation of a clause.

A visible effect must not depend on anything that those who see it do not know: neither its operands
nor whether it happens. An effect that tells declassifies its operand and the path conditions. A
loop is iterated until the labels at its head reach a fixed point.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import chain, product

from lawspeaker import ir
from lawspeaker.base.diagnostics import Diagnostic, Diagnostics
from lawspeaker.base.source import Span
from lawspeaker.base.trees import ByNode
from lawspeaker.base.work import on
from lawspeaker.ir.cost import MOST_STEPS
from lawspeaker.ir.walk import bound_slots, children, everything, names_in
from lawspeaker.meaning.secrets.alike import Alike, never_empty, scores_surely, set_by
from lawspeaker.meaning.secrets.expression_labels import Defined, Looking, Shows, parameters
from lawspeaker.meaning.secrets.moves import WHAT
from lawspeaker.meaning.secrets.question_flow import Asking
from lawspeaker.meaning.secrets.sinks import DECIDES, FAULT, IN_TURN, SECRET_WORK, TELLS
from lawspeaker.meaning.secrets.sources import (
    ALIKE,
    LONGEST_WAY,
    LUCK,
    NOBODY,
    NONE,
    SOMEBODY,
    WHETHER,
    HiddenSource,
    Label,
    MovedPieces,
    Moves,
    Mutation,
    SecretStep,
    Sort,
    as_read,
    by,
    few,
    followed,
    holds_pieces,
    in_any_order,
    in_arguments,
    in_order,
    innermost,
    location_label,
    opened,
    outside,
    passed,
    passed_gone,
    places,
    read,
    went_since,
)
from lawspeaker.meaning.secrets.state import State, all_met
from lawspeaker.meaning.secrets.summaries import MOST_NEEDS, Disclosure, Need, Sight, Summary

MOST_PASSES = 20
MOST_ASKED = 10
MOST_UNASKED = 6
"""The assumed number of iterations without a question, if each iteration may ask one."""
Loops = ir.ForEach | ir.Repeat | ir.RepeatUntil | ir.Rank
InRounds = list[tuple[Loops, Label]]
"""By loop: what decides in which iteration something is told that looks the same in each."""
READ_OFF = (ir.MarkerValue, ir.PieceState)
"""Whoever is told one of these knows all there is to know of it."""


class StatementFlow(Asking):
    """Analyses one clause, and sums it up for its callers."""

    gives: dict[tuple[int, int], Label]
    """Labels of arguments, by callee and parameter number."""
    reasons: dict[int, Label]
    """By scoring statement: what decides the points, the labels of its names, and whether it
    runs."""
    going_by: dict[int, Label]
    """By statement: all that it depends on, including whether it runs."""
    depths: dict[int, int]
    """By slot: how many conditions enclosed its first assignment."""

    def summary(self, alike: Alike | None) -> Summary:
        """Analyses the clause, reports leaks, and returns its summary. `alike` has the
        continuations; None if they are not needed."""
        on(self.clause.span)
        self.alike = alike
        self.heads, self.until = ByNode[State](), ByNode[Label]()
        self.in_rounds = ByNode[Label]()
        """By loop: what decides in which iteration something is told that looks the same in
        each."""
        # The labels of the outcome cover what decides where the clause is left.
        self.depths = {} if self.clause.outcome is None else {self.clause.outcome: 0}
        self.private, self.gives, self.kept_names, self.reasons = {}, {}, {}, {}
        self.going_by = {}
        self.looked, self.depth = NONE, 0
        self.around: list[ir.Statement] = []
        """The enclosing loops and conditions."""
        self.marks: dict[int, bool] = {}
        """Parameters whose public states it sets, and whether always to the same value."""
        self.decided: list[Label] = []
        """Labels of the enclosing conditions, whether disclosed or not."""
        order = list(everything(self.clause.body))
        self.places = {id(each): at for at, each in enumerate(order)}
        self.reads = {}
        for at, each in enumerate(order):
            if isinstance(each, ir.Local):
                self.reads.setdefault(each.slot, []).append(at)
        texts = set[str]().union(*(self.names_in(e) for e in order if isinstance(e, ir.Ask)))
        slots = enumerate(self.clause.slots)
        self.lasting = {at for at, slot in slots if slot.name in texts}
        self.never_empty = never_empty(self.clause)
        for _ in range(MOST_PASSES):
            self.follow()
            if not self.grown:
                break
        else:
            self.too_large(
                f"what the names of `{self.clause.id}` carry changes in more than {MOST_PASSES} "
                "rounds of its loops",
                "say it with fewer names that are set from each other",
            )
        self._leave_out_faults()
        self.table.looked_at[self.clause.index] = few(self.looked)
        self.shown_and_kept()
        self.diagnostics.extend(self.complaints)
        if len(self.needs) > MOST_NEEDS:
            self.too_large(
                f"`{self.clause.id}` shows in more than {MOST_NEEDS} ways what it is given",
                "say it in several clauses that are given less",
            )
        return self.summed_up()

    def _leave_out_faults(self) -> None:
        """Drops fault leaks on lines with another leak, and all but the first on a line."""
        found = Diagnostics()
        lines = {_line(each) for each in self.complaints if each.code != FAULT}
        for each in self.complaints:
            if each.code != FAULT or _line(each) not in lines:
                found.add(each)
            lines.add(_line(each))
        self.complaints = found

    def looks(self, node: ir.Expr | ir.Binder | None) -> Label:
        """As in `Looking`; in a clause used in `supposing`, also records what is read."""
        self.depth += 1
        found = super().looks(node)
        self.depth -= 1
        if not self.depth:
            self.look_at(found)
        return found

    def look_at(self, label: Label) -> None:
        """Records what is read, in terms that are valid at the beginning of the clause."""
        if self.clause.index in self.table.supposed:
            self.looked |= {self.state.at_first(each) for each in opened(label)}

    def summed_up(self) -> Summary:
        end = (
            all_met(self.exits)
            if self.exits
            else State(conditions=[NONE], untold=[NONE], alike=[NONE])
        )
        given = range(self.clause.parameters)
        outcome = () if self.clause.outcome is None else (self.clause.outcome,)
        leaves = {at: end.known.get(at, NONE) for at in (*given, *outcome)}
        luck = {
            at: {each.piece for each in label if each.thing == LUCK} for at, label in leaves.items()
        }
        self.state = self.start()
        return Summary(
            tuple(self.needs),
            frozenset(
                at
                for at in given
                if Mutation("name", at) not in end.changes
                and not any(each.given for each in read(end.known.get(at, NONE)))
            ),
            HiddenSource(WHETHER, Sort.GIVEN_READ) not in end.conditions[0],
            self.tells_first(self.clause.body),
            {**leaves, **end.shown},
            {
                at: sight
                for at, pieces in luck.items()
                for piece, (_, sight) in self.luck_shown.items()
                if piece in pieces
            },
            frozenset(at for at, pieces in luck.items() if pieces & self.luck_kept),
            tuple(self.asks),
            self.sets(),
            end.gone,
            self.gone_before,
            self.steps_left(set().union(*luck.values())),
            tuple(self.marks.items()),
        )

    def steps_left(self, returned: set[int | None]) -> tuple[tuple[Label, int], ...]:
        """The steps that count in callers, too. What luck picked and everyone saw is not hidden,
        unless it is kept from somebody, or a caller may do so with what is returned."""
        hidden = {None, *self.luck_kept, *returned}

        def left(label: Label) -> Label:
            return frozenset(each for each in label if each.thing != LUCK or each.piece in hidden)

        steps = ((left(label), count) for label, count in self.hidden_steps.values())
        return tuple(each for each in steps if each[0] and each[1] <= SECRET_WORK)

    def sets(self) -> frozenset[int]:
        """The markers that the clause sets, directly or through calls."""
        statements = list(everything(self.clause.body))
        own = {each.marker for each in statements if isinstance(each, ir.SetMarker)}
        does = {each.clause for each in statements if isinstance(each, ir.Do)}
        return frozenset(own).union(*(self.summaries[each].sets for each in does))

    def start(self) -> State:
        """The entry state. Parameters, what markers show, and the caller's path conditions stand
        for themselves."""
        shown = {
            number: frozenset([HiddenSource(ir.Local(each.type, number, each.name), Sort.GIVEN)])
            for number, each in self.table.shown.items()
        }
        whether = frozenset([HiddenSource(WHETHER, Sort.GIVEN_READ)])
        alike = frozenset([HiddenSource(ALIKE, Sort.GIVEN_READ)])
        return State(parameters(self.clause), {}, shown, [whether], [whether], alike=[alike])

    def follow(self) -> None:
        """One pass over the clause. Replaces the diagnostics of the previous pass."""
        self.grown = False
        self.complaints = Diagnostics()
        self.failed = set()
        self.hidden_steps = {}
        self.needs = {}
        self.gone_before = ()
        self.exits: list[State] = []
        self.state = self.start()
        self.block(self.clause.body)
        if self.state.left is None:
            self.exits.append(self.state)

    def led_here(self) -> Label:
        """All that decides whether this point is reached, disclosed or not."""
        return self.state.whether.union(*self.decided)

    def goes_by(self, statement: ir.Statement, label: Label) -> None:
        known = self.going_by.get(id(statement), NONE)
        self.going_by[id(statement)] = known.union(label, self.led_here())

    def looks_through(self, expr: ir.Expr) -> Label:
        """All that can be inferred from what an expression reads. Being told that a condition holds
        does not disclose the values it depends on."""
        state = self.state.copy()
        for what in self.state.told:
            if not isinstance(what, READ_OFF):
                del state.told[what]
        return read(Looking(self.table, state).looks(expr))

    def too_large(self, why: str, hint: str) -> None:
        said = f"{why}, and nobody can tell whether it gives a secret away"
        self.diagnostics.error("too-large", said, self.clause.span, hint=hint)

    # ------------------------------------------------------------ statements

    def block(self, block: ir.Block) -> None:
        for each in block:
            if self.state.left is not None:
                return
            before = set(self.state.known)
            self.statement(each)
            if not isinstance(each, (ir.SetLocal, ir.Tell)):
                self.state.changed(Mutation("statement"))
            if self.state.left is None:
                self.state.end_names(self.own_names(each, self.state.known.keys() - before))

    def statement(self, each: ir.Statement) -> None:
        self.at, self.value = each.span, None
        match each:
            case ir.SetLocal(slot=slot, name=name, value=value):
                self.goes_by(each, self.looks_through(value))
                self.name(slot, self.looks(value), each.span, f"`{name}` is taken from it")
                if value.type == ir.TRUTH or isinstance(value, ir.Extreme):
                    self.state.means(ir.Local(value.type, slot, name), value)
            case ir.SetMarker(value=value):
                self.value = value
                self.set_marker(each)
            case ir.SetState(value=value):
                self.value = value
                self.set_state(each)
            case ir.Tell(who=who, what=what, shows=shows):
                if isinstance(what.type, ir.SetType):
                    self.tells_many(each)
                label = self.looks(what)
                if who is not None:
                    seen = "who is told something, which everyone sees,"
                    self.seen(self.looks(who), each.span, seen)
                    self.hidden(label, NOBODY, each.span, "")
                self.makes_known[_written(who, what)] = None
                self.state.tell(what, who)
                if shows and who is not None:
                    self.state.keep(what, who)
            case ir.Score(who=who, points=points):
                self.goes_by(each, self.looks_through(points))
                named = NONE.union(*(self.looks(one) for one in names_in(each)))
                self.reasons[id(each)] = self.reasons.get(id(each), NONE) | named | self.led_here()
                self.telling = True
                self.told_by(Disclosure("points"), who, points)
                self.telling = False
                if self.scores_surely(each):
                    self.state.tell(points, None)
                else:
                    # Scoring for an empty set of players shows nothing, not even that it was tried.
                    self.seen(NONE, each.span, "")
                self.state.tell(who, None)
            case ir.EndGame(winners=winners):
                self.told_by(Disclosure("winners"), winners)
                self.state.left = NONE
            case ir.Move():
                self.move(each)
            case ir.MoveSome():
                holding = self.state.holding
                self.move_some(each)
                self.state.holding &= holding
            case ir.Draw():
                self.draw(each)
            case ir.Shuffle(place=place):
                self.seen(self.looks(place), each.span, "what is shuffled, which everyone sees,")
                self.state.kept = frozenset()
            case ir.Remember():
                self.seen(NONE, each.span, "that a position is remembered, which everyone knows,")
            case ir.Pick():
                self.pick(each)
            case ir.Do():
                self.do(each)
            case ir.Finish():
                self.exits.append(self.state.copy())
                self.state.left = NONE.union(*self.state.conditions[1:])
                self.leaves_out(each, self.state.left)
            case ir.If(condition=condition):
                self.goes_by(each, self.looks_through(condition))
                found = bound_slots(condition)
                parts = everything((*each.then, *each.otherwise))
                if not any(isinstance(part, ir.Local) and part.slot in found for part in parts):
                    self.decisions[condition.span] = condition
                label = by(self.looks(condition), condition.span, DECIDES)
                self.ways(each, label)
            case ir.ForEach(binder=binder, body=body):
                rest = binder.slot, self.looks(binder.source)
                self.loop(each, lambda: self.how_many(binder), rest, binder.span, body)
            case ir.Repeat(times=times, body=body, left_slot=left):
                often = self.looks(times)
                self.loop(each, lambda: often, (left, often), times.span, body)
            case ir.RepeatUntil(condition=condition, most=most, body=body, left_slot=left):
                for name in everything(condition):
                    if isinstance(name, ir.Local):  # It may be assigned on two branches.
                        self.depths.setdefault(name.slot, len(self.state.conditions))
                again = self.until.get(each) or NONE
                self.fails(each, again | self.looks(most))
                rest = left, self.looks(most)
                self.loop(each, lambda: again, rest, condition.span, body, condition)
            case ir.Rank(binder=binder, body=body):
                holding = self.state.holding
                tiers = self.tiers(each)
                rest = each.tied_slot, self.looks(binder) | tiers
                self.loop(each, lambda: self.ranked(each, tiers), rest, binder.span, body)
                self.state.holding &= holding
            case ir.Ask():
                self.ask(each)

    def leaves_out(self, statement: ir.Finish, label: Label) -> None:
        """Leaving a clause early decides whether the rest of it consumes steps."""
        ranges = self.table.ranges
        if ranges is not None:
            outer = self.counted, self.rounds
            self.counted, self.rounds = frozenset(), 1
            self.takes(statement, label, ranges.clause_work(self.clause.index))
            self.counted, self.rounds = outer

    def tells_many(self, each: ir.Tell) -> None:
        """Telling more than `MOST_TOLD` things at once is a fault."""
        ranges = self.table.ranges
        if ranges is not None and ranges.members(each.what) > ir.MOST_TOLD:
            self.fails(each, self.looks(each.what))

    def scores_surely(self, each: ir.Score) -> bool:
        """Whether somebody certainly gets the points."""
        return scores_surely(each, self.never_empty)

    def told_by(self, telling: Disclosure, *values: ir.Expr | None) -> None:
        """Records that a statement makes something known, if it depends on something hidden."""
        values_of = (self.looks(each) for each in values)
        found = NONE.union(self.state.whether, *self.decided, *values_of)
        if any(not each.given and each.thing != LUCK for each in found):
            self.makes_known[telling] = None

    def name(self, slot: int, label: Label, span: Span, words: str) -> None:
        """Assigns a label to a slot. A reassigned slot also carries the conditions entered since
        its first assignment."""
        depth = self.depths.setdefault(slot, len(self.state.conditions))
        found = label.union(*self.state.conditions[depth:])
        self.state.named(slot, by(found, span, words))

    def set_marker(self, each: ir.SetMarker) -> None:
        marker = self.program.markers[each.marker]
        found = NONE.union(*map(self.looks, each.indices), self.pointed_at(each.value))
        self.must_fit(each, marker.type)
        self.may_fail(ir.MarkerValue(marker.type, each.marker, each.indices, span=each.span), found)
        if marker.seen_by == "everyone":
            self.seen(found, each.span, f"`{marker.name}`, which everyone sees,")
        else:
            owner = each.indices[0] if marker.per_player else None
            sees = "its owner sees" if marker.seen_by == "owner" else "some see"
            seen = f"`{marker.name}`, which {sees},"
            for who in self.table.seers(marker.seen_by, owner) or [NOBODY]:
                self.hidden(found, who, each.span, seen)
        self.shown_by(marker, each.indices, each.value)
        self.state.changed(Mutation("marker", each.marker))

    def must_fit(self, each: ir.SetMarker | ir.SetState, type: ir.Type) -> None:
        """A number outside of a declared range is a fault."""
        ranges = self.table.ranges
        if ranges is not None:
            with ranges.names_of(self.owner):
                fits = ranges.in_range(each.value, type, self.state.holding)
            if not fits:
                self.fails(each, self.looks(each.value))

    def pointed_at(self, value: ir.Expr) -> Label:
        """The label that the value of a marker discloses; for a piece also which one it is, and
        where."""
        label = self.looks(value)
        return read(label) | location_label(label)

    def shown_by(self, shows: Shows, indices: Sequence[ir.Expr], value: ir.Expr) -> None:
        """Updates the labels of what a marker or state shows; others with indices keep theirs."""
        for number, each in self.table.shown.items():
            if each is shows:
                before = self.state.shown.pop(number, NONE)
                shown = before if indices else NONE
                if value != ir.Const(value.type, None):
                    shown |= places(self.looks(value))
                if shown:
                    self.state.shown[number] = shown

    def set_state(self, each: ir.SetState) -> None:
        state = self.program.pieces[each.piece].states[each.state]
        of = self.looks(each.of)
        told = dict(self.state.told)
        if state.seen_by == "everyone" and not any(map(_goes_through_pieces, self.around)):
            self.state.told |= dict.fromkeys(self.own_states(each))
        value = self.pointed_at(each.value)
        self.state.told = told
        self.must_fit(each, state.type)
        self.shown_by(state, [each.of], each.value)
        which = NONE.union(*map(self.looks, each.indices))
        if state.seen_by == "everyone":
            self.mark(each.of, of, each.value)
            seen = f"`{state.name}`, which everyone sees,"
            if self.seen(value | which | location_label(of), each.span, seen):
                in_turn = self.in_turn(each.of, of, self.all_alike(each.of, each.value))
                self.must_know(in_turn, Sight(TELLS, seen), each.span)
            return
        seen = f"`{state.name}`, which those see who see the piece,"
        for holder in self.holders(of):
            self.hidden(outside(of) | value | which, holder, each.span, seen)

    def own_states(self, each: ir.SetState) -> list[ir.Expr]:
        """Public states of the same piece that a value is computed from."""
        states = self.program.pieces[each.piece].states
        return [
            node
            for node in everything(each.value)
            if isinstance(node, ir.PieceState)
            and node.of == each.of
            and states[node.state].seen_by == "everyone"
        ]

    def mark(self, piece: ir.Expr, of: Label, value: ir.Expr | None) -> None:
        """Records that a parameter gets a public state, and whether always the same one."""
        alike = self.all_alike(piece, value)
        for one in of:
            if one.given:
                self.marks[one.slot] = self.marks.get(one.slot, True) and alike

    def in_turn(self, piece: ir.Expr, of: Label, alike: bool) -> Label:
        """What a public state of a hidden piece discloses beyond its value. A loop visits unordered
        pieces by kind; unless all get the same value, it discloses which comes first. For
        parameters the callers check that (`mark`)."""
        if alike or not any(map(_goes_through_pieces, self.around)):
            return NONE
        either = ("heap", "pile")  # A shuffled pile has no order.
        found = read(frozenset(each for each in of if self._sorted(each, either)))
        return by(found, piece.span, IN_TURN)

    def all_alike(self, piece: ir.Expr, value: ir.Expr | None) -> bool:
        """Whether all pieces of the innermost loop certainly get this value; outside of loops,
        whether the clause certainly gives it to its parameter."""
        steady: tuple[type[ir.Expr], ...] = (ir.Const,)
        match self.around[-1:], piece:
            case [], _:
                body = self.clause.body
            case [ir.ForEach(binder=binder, body=body)], ir.Local(slot=slot) if slot == binder.slot:
                steady = (ir.Const, ir.Local)
            case _:
                return False
        statements = list(everything(body))
        changed = {slot for each in statements for slot in set_by(each)}
        return not any(isinstance(each, ir.Finish) for each in statements) and all(
            isinstance(each, steady) and not (isinstance(each, ir.Local) and each.slot in changed)
            for each in everything(value)
        )

    def hidden(self, value: Label, who: ir.Expr, span: Span, seen: str) -> None:
        """A value goes where at most one player sees it: checks what that discloses to him."""
        if self.must_know(value, Sight(TELLS, seen, who), span):
            done = "whether this is done, which the owner sees,"
            self.must_know(self.state.whether, Sight(TELLS, done, who), span)

    def holders(self, piece: Label) -> list[ir.Expr]:
        """The players who see a piece, wherever it may lie."""
        found: dict[ir.Expr, None] = {}
        for each in in_order(piece):
            match each.thing:
                case ir.PlaceAt(family=family, indices=indices) if each.sort is not Sort.READ:
                    seen_by = self.program.families[family].seen_by
                    seers = self.table.seers(seen_by, (*indices, None)[0])
                    if self.program.families[family].top_seen_by != "nobody":
                        seers.append(SOMEBODY)
                    found |= dict.fromkeys(seers)
        return list(found) or [SOMEBODY]

    def pick(self, at: ir.Pick) -> None:
        binder, span = at.binder, at.span
        found = self.looks(binder)
        self.fails_to_find(at, binder, self._many(binder, found))
        if holds_pieces(binder.type):
            self.seen(NONE, span, "that luck picks something, which everyone sees,")
        else:
            self.seen(found, span, "what luck picks, which everyone sees,")
            self.state.known[binder.slot] = frozenset([HiddenSource(LUCK, piece=binder.slot)])

    # ------------------------------------------------------------ branches and loops

    def ways(self, statement: ir.If, label: Label) -> None:
        """Analyses the two branches of an `if`; `label` decides between them. If one branch first
        tells something distinguishable, that discloses the condition, by its absence as well."""
        self.decided.append(label)
        holds, blocks = statement.condition, (statement.then, statement.otherwise)
        begins, ends = list[State](), list[State]()
        for condition in (holds, ir.Not(holds.type, holds)):
            begins.append(self.state.copy())
            begins[-1].holds(condition)
        telling = list(map(self.tells_first, blocks, begins))
        untold = label
        same, rounds = self.left_open(statement, label)
        if any(telling):
            label = same
        outer = self.counted
        self.lasts(statement, label, blocks)
        self.around.append(statement)
        ways = zip(blocks, telling, begins, rounds, strict=True)
        for block, tells, begin, again in self.each_way(ways):
            self.state = begin
            for loop, left in again:
                self.not_known_when(loop, left)
            self.under(label, block, same if tells else untold, same)
            ends.append(self.state)
        self.around.pop()
        self.counted = outer
        self.decided.pop()
        self.state = all_met(ends)

    def under(
        self, label: Label, block: ir.Block, untold: Label = NONE, alike: Label = NONE
    ) -> None:
        self.state.conditions.append(label)
        self.state.untold.append(label | untold)
        self.state.alike.append(alike)
        self.block(block)
        self.state.conditions.pop()
        self.state.untold.pop()
        self.state.alike.pop()

    def left_open(self, statement: ir.If | Loops, label: Label) -> tuple[Label, list[InRounds]]:
        """The part of a condition (or of a number of iterations) that is not disclosed, because
        what may be seen first on one branch, or after the loop, looks like what the other tells
        first. Also, for each branch, what is disclosed but for the iteration, since another
        iteration looks the same."""
        alike, clause = self.alike, self.clause.index
        if not label or alike is None:
            return NONE, [[], []]
        blocks = (
            (statement.then, statement.otherwise)
            if isinstance(statement, ir.If)
            else (statement.body,)
        )
        ways = [alike.openings(clause, block, statement) for block in blocks]
        others = [both for _, both in reversed(ways)] if len(ways) > 1 else [alike.rest(statement)]
        found, rounds = NONE, list[InRounds]()
        for (way, _), other in zip(ways, others, strict=True):
            again: InRounds = []
            for this, that in product(way.first, other.first):
                left = alike.left_open(this, that, label, self.state.holding)
                if left and that.again is not None and this.at == that.at:
                    again.append((that.again, left))
                else:
                    found |= left
            rounds.append(again)
        return found, rounds

    def not_known_when(self, loop: Loops, decides: Label) -> None:
        """A name assigned only in one iteration discloses which iteration it is, and so what
        decides that; so does whether there are further ones."""
        assert self.alike is not None
        for slot in self.alike.names_in(loop):
            if slot in self.state.known:
                self.state.known[slot] |= decides
        around = [each for each in self.around if isinstance(each, Loops)]
        for each in around[next(at for at, one in enumerate(around) if one is loop) :]:
            before = self.in_rounds.get(each) or NONE
            self.in_rounds[each] = before | decides
            self.grown = self.grown or not decides <= before

    def loop(
        self,
        node: Loops,
        begin: Callable[[], Label],
        rest: tuple[int, Label],
        span: Span,
        body: ir.Block,
        until: ir.Expr | None = None,
    ) -> None:
        """Analyses a loop to a fixed point. `begin` declares the names of an iteration and returns
        what decides whether there is one; `rest` is the slot and the label of what the loop keeps
        across iterations; `until` is evaluated at the end of each."""
        head, gone = self.heads.get(node), self.state.gone
        names = self.state.known.keys() | self.lasting
        entry = self.state if head is None else head.with_names(names).met(self.state)
        self.state = entry.copy()
        slot, label = rest
        often = by(begin(), span, "this decides how often it is done")
        outer = self.counted, self.rounds
        self.lasts(node, often, (body,))
        most = MOST_UNASKED if self.may_ask(body) else MOST_STEPS
        self.rounds = min(self.rounds * self.most_rounds(node), most)
        self.goes_by(node, often)
        before = self.state.rounds.get(slot, NONE)
        self.state.rounds[slot] = label | {each for each in before if each.known}
        self.around.append(node)
        alike, _ = self.left_open(node, often)
        self.under(often | (self.in_rounds.get(node) or NONE), body, alike=alike)
        self.around.pop()
        after = entry
        if until is not None and self.state.left is None:
            self.until[node] = self.looks(until)
            self.goes_by(node, self.until[node])
            after = self.state
        self.counted, self.rounds = outer
        self.state.gone = followed(gone, in_any_order(went_since(gone, self.state.gone)))
        self.grown = self.grown or self.state != head
        self.heads[node] = self.state
        self.state = after.met(self.state).with_names(names)
        self.state.rounds.pop(slot, None)
        match until:
            case ir.Compare(
                operator="=", left=ir.MarkerValue(marker=marker, indices=()), right=right
            ):
                self.shown_by(self.program.markers[marker], (), right)

    def may_ask(self, body: ir.Block) -> bool:
        return any(
            isinstance(each, ir.Ask)
            or (isinstance(each, ir.Do) and bool(self.summaries[each.clause].asks))
            for each in everything(body)
        )

    def most_rounds(self, loop: ir.Statement) -> int:
        ranges = self.table.ranges
        if ranges is None:
            return 1
        with ranges.names_of(self.owner), ranges.costs.inside(self.clause):
            return ranges.rounds(loop)

    def tiers(self, each: ir.Rank) -> Label:
        """The label that decides who is in which tier of a ranking. The order of pieces that may
        lie anywhere would tell hidden ones apart."""
        return location_label(self.looks(each.binder)) | self.looks(each.key)

    def ranked(self, each: ir.Rank, tiers: Label) -> Label:
        self.state.named(each.tied_slot, self.looks(each.binder) | tiers)
        for slot in (each.place_slot, each.tier_slot):
            self.state.named(slot, tiers)
        return tiers

    # ------------------------------------------------------------ statements that tell

    def tells_first(self, block: ir.Block, state: State | None = None) -> bool:
        hidden = self.table.hidden
        before = Defined(self.table, (state or self.state).copy(), self.owner)
        for each in block:
            before.telling = isinstance(each, ir.Score)
            what = NONE
            match each:
                case ir.SetLocal() | ir.Tell() | ir.Score() | ir.EndGame() | ir.Do():
                    for value in children(each):
                        before.looks(value)
                case ir.Move() | ir.MoveSome() | ir.Draw():
                    what, _ = before.moved(each)
                    before.looks(each.to)
            if before.failing is not None:
                return False  # A fault would be seen before anything is told.
            match each:
                case ir.SetLocal(slot=slot, value=value):
                    before.state.named(slot, before.looks(value))
                case ir.Tell(who=who):
                    return who is None
                case ir.Score():
                    return self.scores_surely(each)
                case ir.EndGame():
                    return True
                case ir.Move():
                    secret = any(map(self.comes_to_light, what))
                    return secret and not hidden(each.to) and self.surely_moves(each)
                case ir.MoveSome(binder=ir.Binder(source=ir.Contents(place=place))):
                    secret = hidden(place) and self.comes_to_light(before.inside(place))
                    return secret and not hidden(each.to) and self.surely_moves(each)
                case ir.Draw(source=place, below=below):
                    end = before.inside(place) if below else before.top(place)
                    secret = hidden(place) and self.comes_to_light(end)
                    return secret and not hidden(each.to) and self.surely_moves(each)
                case ir.Do(clause=clause):
                    return self.summaries[clause].tells_first
                case _:
                    return False
        return False

    # ------------------------------------------------------------ calls

    def do(self, each: ir.Do) -> None:
        summary, arguments, state = self.summaries[each.clause], each.arguments, self.state
        given = dict(enumerate(arguments))
        labels = self.labels_of(arguments)
        self.look_at(passed(self.table.looked_at[each.clause], labels, given))
        if each.clause in self.table.failing:
            self.table.failing.add(self.clause.index)
        alike = {ALIKE.slot: NONE.union(*state.alike)}
        for at, label in {**labels, WHETHER.slot: self.led_here(), **alike}.items():
            self.gives[each.clause, at] = self.gives.get((each.clause, at), NONE) | label
        carried = {**labels, **state.shown, WHETHER.slot: state.whether, **alike}
        faults = {**carried, WHETHER.slot: state.whether_fault}
        self.moved_by(summary, carried, given)
        before = state.copy()
        self.left_by(summary, summary.gone_before, each, carried)
        if summary.asks:
            asked = [_said_of(who, given) for who in summary.asks]
            last = self.places[id(each)] + sum(1 for _ in everything(arguments))
            self.kept(last, asked, each)
            self.asks.update((state.unchanged(who), None) for who in asked)
            if len(self.asks) > MOST_ASKED:
                self.asks = {None: None}
        state = self.state = before
        for label, steps in summary.hidden_steps:
            self.takes(each, passed(label, carried, given), steps)
        for need in summary.needs:
            self.passed_on(need, given, faults if need.code == FAULT else carried, each.span)
        for at, same in summary.marks:
            always = same and self.all_alike(arguments[at], None)
            for one in labels[at]:
                if one.given:
                    self.marks[one.slot] = self.marks.get(one.slot, True) and always
            name = self.program.clauses[each.clause].slots[at].name
            sight = Sight(TELLS, f"a state of `{name}`, which everyone sees,")
            self.must_know(self.in_turn(arguments[at], labels[at], always), sight, each.span)
        for at in summary.told:
            match arguments[at]:
                case ir.Local(slot=slot):
                    state.tell_name(slot, None)
        if summary.tells:
            state.told_that()
        self.left_by(summary, summary.gone, each, carried)
        leaves = {at: summary.leaves.get(at, NONE) for at in self.table.shown}
        shown = {at: passed(label, carried, given) for at, label in leaves.items()}
        state.shown = {at: label for at, label in shown.items() if label}
        for at, slot in each.returns:
            label = passed(summary.leaves[at], carried, given)
            outcome = at == self.program.clauses[each.clause].outcome
            words = "this is what comes of it" if outcome else "this may change it"
            self.name(slot, label, each.span.head, words)
            if at in summary.shown:
                self.luck_shown.setdefault(slot, (each.span, summary.shown[at]))
            if at in summary.kept:
                self.luck_kept.add(slot)
        for marker in summary.sets:
            state.changed(Mutation("marker", marker))
        state.kept = frozenset()

    def moved_by(
        self, summary: Summary, labels: dict[int, Label], given: Mapping[int, ir.Expr]
    ) -> None:
        """Updates labels of arguments that a callee may have moved, perhaps by another name."""
        for group in summary.gone:
            before: dict[int, Label] = {}
            while before != labels:
                before = dict(labels)
                for one in in_order(group):
                    gone = passed_gone(one, labels, given)
                    for at, label in labels.items():
                        thing = given[at] if at in given else self.table.shown.get(at)
                        may_be = thing is not None and innermost(thing.type) == gone.piece
                        if may_be and at != one.given:
                            labels[at] = gone.lies(label)

    def left_by(
        self, summary: Summary, moves: Moves, each: ir.Do, labels: Mapping[int, Label]
    ) -> None:
        """Updates names after a call that moved pieces, from the callee's summary."""
        given = dict(enumerate(each.arguments))
        names: dict[int, int] = {}
        for one in chain.from_iterable(moves):
            if one.given is not None and isinstance(local := given[one.given], ir.Local):
                names[one.given] = local.slot
        for at, slot in names.items():
            label = passed(summary.leaves[at], labels, given)
            self.state.known[slot] = frozenset(
                replace(it, piece=slot) if it.piece is None else it for it in label
            )
        told = set(names.values())
        for group in moves:
            found: dict[MovedPieces, int | None] = {}
            for one in in_order(group):
                name = None if one.given is None else names.get(one.given)
                gone = replace(passed_gone(one, labels, given), given=self.given(name))
                found[gone] = name
            self.state.leave(*found)
            before = None
            while before != self.state:
                before = self.state.copy()
                for gone, name in found.items():
                    self.left(gone, name, each.span, told)

    def passed_on(
        self, need: Need, given: Mapping[int, ir.Expr], labels: Mapping[int, Label], span: Span
    ) -> None:
        """Checks a callee's need against the labels of the arguments or of the call itself."""
        sight = Sight(need.code, need.seen, _said_of(need.who, given))
        slot = need.source.slot
        if need.seen == WHAT and any(each.sort is Sort.INSIDE for each in labels.get(slot, NONE)):
            return  # The callee turns the piece up, which discloses which one it is.
        span = given[slot].span if slot in given else span
        for each in in_order(outside(as_read(need.source, labels, given))):
            if each.given:
                on = SecretStep(span, "it is given on here")
                self.need(each, sight, (on, *need.way[-LONGEST_WAY:]))
            elif not self.knows(each, sight, span):
                self.complain(
                    each, sight, span, f"{need.seen} depends on this, and so on", need.way
                )
                return


def _said_of(who: ir.Expr | None, given: Mapping[int, ir.Expr]) -> ir.Expr | None:
    """A player in the caller's terms. Everyone and nobody are the same everywhere."""
    return who if who is None or who == NOBODY else in_arguments(who, given)


def _written(who: ir.Expr | None, what: ir.Expr) -> Disclosure:
    """A statement that tells, as written in the rules."""
    whether = "whether " if what.type == ir.TRUTH and not isinstance(what, ir.Local) else ""
    return Disclosure("value", "" if who is None else who.span.text, whether + what.span.text)


def _goes_through_pieces(statement: ir.Statement) -> bool:
    return isinstance(statement, (ir.ForEach, ir.Rank)) and holds_pieces(statement.binder.type)


def _line(found: Diagnostic) -> tuple[str, int]:
    return found.span.file.name, found.span.line
