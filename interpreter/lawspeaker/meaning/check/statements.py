"""Type checks statements: syntax to IR."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace

from lawspeaker import ir
from lawspeaker.base.diagnostics import Label
from lawspeaker.base.source import Span
from lawspeaker.meaning.check import sides
from lawspeaker.meaning.check.bounds import DeclaredBounds
from lawspeaker.meaning.check.calling import Calling
from lawspeaker.meaning.check.fitting import bare, fits
from lawspeaker.meaning.check.functions import Functions
from lawspeaker.meaning.check.meanings import Hole
from lawspeaker.meaning.check.possible_kinds import PossibleKinds
from lawspeaker.meaning.check.ranking import ranked_by
from lawspeaker.meaning.check.scope import Scope, Variable
from lawspeaker.meaning.check.world import NAMES, World
from lawspeaker.text import syntax as s

MOST_TIMES = 100_000


class Statements(Calling):
    """Checks the statements of one clause. `Questions` adds those that ask."""

    def __init__(self, world: World, functions: Functions, scope: Scope, clause: int) -> None:
        super().__init__(world, functions, scope, clause)
        self.questions: list[Span] = []
        self.possible_kinds = PossibleKinds(world)

    def binder(
        self, binder: s.Binder, keep: bool = False, sets: bool = False
    ) -> tuple[ir.Binder, Variable]:
        found, variable = super().binder(binder, keep, sets)
        self.possible_kinds.taken[found.slot] = found
        return found, variable

    # ------------------------------------------------------------ blocks

    def block(self, statements: s.Block) -> ir.Block:
        with self.scope.block():
            return self.statements(statements)

    def statements(self, statements: s.Block) -> ir.Block:
        done: list[ir.Statement] = []
        for at, each in enumerate(statements):
            if done and ends(tuple(done)):
                self.diagnostics.error(
                    "unreachable",
                    "this is never reached",
                    each.span.head,
                    Label(statements[at - 1].span.head, "the clause is left here"),
                    hint="delete it, or move it before",
                )
                self.mention(each.span.to(statements[-1].span))
                break
            done.extend(self.statement(each))
            if isinstance(each, s.If) and len(each.branches) == 1 and each.otherwise is None:
                last = done[-1] if done else None
                if isinstance(last, ir.If) and ends(last.then):
                    self.denied(each.branches[0][0])
        return tuple(done)

    def statement(self, each: s.Statement) -> list[ir.Statement]:
        span = each.span
        match each:
            case s.Let(name, value):
                asked = self.outcome_wanted(value)
                if asked is not None:
                    return self.let_outcome(name, *asked, span)
                found = self.expr(value)
                variable = self.scope.declare(name.text, found.type, name.span, let=True)
                self.world.meanings.lets.append((name.span, found.type))
                self.meant(name, variable)
                return [ir.SetLocal(variable.slot, name.text, found, span=span)]
            case s.Becomes(value=value):
                asked = self.outcome_wanted(value)
                return self.becomes(each) if asked is None else self.becomes_outcome(each, *asked)
            case s.Scores(who, points, loses):
                players = sides.keepers(self, self.players(who))
                return [ir.Score(players, self.number(points), loses, span=span)]
            case s.Move(what, to):
                return self.move(each, what, to)
            case s.MoveSome():
                return self.move_some(each)
            case s.Draw():
                return self.draw(each)
            case s.Shuffle(place):
                found = self.expr(place)
                if not isinstance(found.type, (ir.PlaceType, ir.BrokenType)):
                    self.diagnostics.error(
                        "wrong-type",
                        f"this is {self.world.a(found.type)}, but a place is needed here",
                        found.span,
                        hint="only what lies in a place can be shuffled",
                    )
                elif isinstance(found.type, ir.PlaceType):
                    self.may_be_shuffled(found, found.type)
                return [ir.Shuffle(found, span=span)]
            case s.Pick(binder):
                taken, _ = self.binder(binder, keep=True)
                return [ir.Pick(taken, span=span)]
            case s.Tell():
                return [self.tell(each)]
            case s.Remember(name):
                return self.remember(name, span)
            case s.Do(name, arguments):
                return self.do(name, arguments, span)
            case s.Finish():
                self.finishes.append(span)
                return [ir.Finish(span=span)]
            case s.Outcome():
                return self.comes_to(each)
            case s.Skip():
                return []
            case s.CannotHappen():
                return []
            case s.EndGame():
                return [ir.EndGame(None, span=span)]
            case s.Wins(who):
                return [ir.EndGame(sides.everyone(self, self.players(who)), span=span)]
            case s.If():
                return [self.if_(each.branches, each.otherwise, span)]
            case s.ForEach():
                return [self.for_each(each)]
            case s.Repeat(times, body):
                count = self.few(times)
                left = self.scope.hidden()
                done = self.block(body)
                return [ir.Repeat(count, done, left, span=span)]
            case s.RepeatUntil(first=False, quietly=False):
                left = self.scope.hidden()
                cap = self.cap(each)
                until = self.truth(each.condition)
                done = self.block(each.body)
                return [ir.RepeatUntil(until, cap, done, left, span=span)]
            case s.RepeatUntil():
                return self.rounds(each)
            case s.Rank():
                return [self.rank(each)]
            case _:
                return self.question(each)

    def rounds(self, each: s.RepeatUntil) -> list[ir.Statement]:
        """Lowers a loop with a pre-condition, or one without a fault after its last round, to a
        loop with a post-condition that counts its rounds. A loop that tests first does nothing in
        the round in which it stops, so it may have one round more; otherwise it would not fault
        when it has to continue after its last."""
        span = each.span
        left, most, count = (self.scope.hidden(name) for name in ("", "most", "rounds"))
        stops = self.scope.hidden("stops", ir.TRUTH)

        def now(slot: int, type: ir.Type = ir.NUMBER) -> ir.Expr:
            return ir.Local(type, slot, self.scope.slots[slot].name, span=span)

        def set_to(slot: int, value: ir.Expr) -> ir.Statement:
            return ir.SetLocal(slot, self.scope.slots[slot].name, value, span=span)

        def const(type: ir.Type, value: int) -> ir.Expr:
            return ir.Const(type, value, span=span)

        def one_more(slot: int) -> ir.Expr:
            return ir.Arithmetic(ir.NUMBER, "+", now(slot), const(ir.NUMBER, 1), span=span)

        def had_all() -> ir.Expr:
            return ir.Compare(ir.TRUTH, ">=", now(count), now(most), span=span)

        cap = self.cap(each)
        if not isinstance(cap, ir.Const):  # a negative cap counts as 0
            cap = ir.Arithmetic(ir.NUMBER, "larger", cap, const(ir.NUMBER, 0), span=span)
        begins = [set_to(most, cap), set_to(count, const(ir.NUMBER, 0))]
        counted = set_to(count, one_more(count))
        if not each.first:
            until: ir.Expr = ir.Or(ir.TRUTH, self.truth(each.condition), had_all(), span=span)
            body = (counted, *self.block(each.body))
            loop = ir.RepeatUntil(until, now(most), body, left, span=span)
            return [*begins, ir.If(had_all(), (), (loop,), span=span)]
        with self.scope.block():
            goes_on = self.condition(each.condition)
            body = (counted, *self.block(each.body))
        round = ir.If(had_all(), (), body, span=span)
        stop, go = (set_to(stops, const(ir.TRUTH, value)) for value in (True, False))
        asked = ir.If(goes_on, (go, round), (stop,), span=span)
        until = now(stops, ir.TRUTH)
        if each.quietly:
            until = ir.Or(ir.TRUTH, until, had_all(), span=span)
        return [*begins, ir.RepeatUntil(until, one_more(most), (asked,), left, span=span)]

    def cap(self, each: s.RepeatUntil) -> ir.Expr:
        if each.most is not None:
            return self.few(each.most)
        word = "while" if each.first else "until"
        self.diagnostics.error(
            "unbounded-loop",
            "this might go on for ever",
            each.span.head,
            hint=f"say how often at most: `repeat {word} …, at most 100 times:`",
        )
        return ir.Const(ir.NUMBER, 1, span=each.span)

    def all_have_outcomes(self, body: ir.Block, around: Span) -> None:
        """Reports paths through a clause without an outcome, if others have one."""
        if self.outcome is None:
            return
        without = dict.fromkeys(self.finishes, "this leaves the clause without an outcome")
        if not ends(body):
            without[exit_span(body, around)] = "after this the clause has come to no outcome"
        for span, said in without.items():
            self.diagnostics.error(
                "no-outcome",
                said,
                span.head,
                Label(self.outcomes[0], "here it has one"),
                hint="say `the outcome is …` on every way; it may be `nothing`",
            )

    def mention(self, code: Span) -> None:
        """Marks every name in broken code as used."""
        self.world.used.mentioned.update(NAMES.findall(code.text))

    def how_many(self, expr: s.Expr) -> ir.Expr:
        """A count; one that is always negative is an error."""
        number = self.number(expr)
        if DeclaredBounds().number(number)[1] < 0:
            self.diagnostics.error(
                "out-of-range",
                "this is always below 0, and so counts as 0",
                expr.span,
                hint="how many there are is 0 at the least",
            )
        return number

    def few(self, expr: s.Expr) -> ir.Expr:
        """A number of repetitions, at most `MOST_TIMES`."""
        number = self.how_many(expr)
        if isinstance(number, ir.Const) and (number.value or 0) > MOST_TIMES:
            self.diagnostics.error(
                "too-large", f"nothing is repeated more than {MOST_TIMES:,} times", number.span
            )
        return number

    @abstractmethod
    def question(self, each: s.Statement) -> list[ir.Statement]: ...

    def players(self, who: s.Expr) -> ir.Expr:
        """One or several players."""
        side = self.world.side
        if isinstance(who, s.ListOf):
            of_sides = side is not None and all(sides.is_side(self, each) for each in who.items)
            return self.want(who, ir.SetType(side if side and of_sides else ir.PLAYER))
        found = self.expr(who, side if side and sides.is_side(self, who) else ir.PLAYER)
        one = bare(found.type)
        if side is not None and side in (one, one.of if isinstance(one, ir.SetType) else None):
            self.must_fit(found, ir.SetType(side) if isinstance(one, ir.SetType) else side)
        elif found.type != ir.SetType(ir.PLAYER):
            self.must_fit(found, ir.PLAYER)
        return found

    # ------------------------------------------------------------ changes

    def becomes(self, each: s.Becomes) -> list[ir.Statement]:
        span, target = each.span, each.target
        if isinstance(target, s.Word):
            variable = self.scope.find(target.name.text)
            if variable is not None:
                self.meant(target.name, variable)
                self.may_change(variable.name, target.span)
                self.not_relied_on(variable, target.span)
                value = self.want(each.value, variable.type)
                return [ir.SetLocal(variable.slot, variable.name, value, span=span)]
        found = self.expr(target)
        match found, each.value:
            case ir.MarkerValue(type=type), s.Nothing() if not fits(ir.NOTHING, type):
                self.never_nothing(found, each.value.span)
                return []
        changes = isinstance(found, (ir.MarkerValue, ir.PieceState))
        value = self.want(each.value, found.type if changes else ir.BROKEN)
        match found:
            case ir.MarkerValue(marker=marker, indices=indices):
                return [ir.SetMarker(marker, indices, value, span=span)]
            case ir.PieceState(piece=piece, state=state, of=of, indices=indices):
                return [ir.SetState(piece, state, of, indices, value, span=span)]
            case ir.ScoreOf():
                hint = "points are given with `player scores N` and taken with `player loses N`"
            case ir.ChoiceValue() | ir.ChoiceItem():
                hint = "a choice is made before the game; a marker can change"
            case ir.KindColumn() | ir.WordColumn():
                hint = "what changes is declared under `changes:` of the piece"
            case _:
                hint = "markers, changing attributes and names given with `let` can change"
        if not isinstance(found.type, ir.BrokenType):
            self.diagnostics.error("cannot-change", "this cannot change", target.span, hint=hint)
        return []

    def becomes_outcome(
        self, each: s.Becomes, name: s.Name, arguments: tuple[s.Expr, ...]
    ) -> list[ir.Statement]:
        """Assigns the outcome of a clause to a target, through a temporary name."""
        came = s.Name("(outcome)", each.value.span)
        with self.scope.block():
            done = self.let_outcome(came, name, arguments, each.span)
            return [*done, *self.becomes(replace(each, value=s.Word(came, span=came.span)))]

    def never_nothing(self, marker: ir.MarkerValue, span: Span) -> None:
        """Reports that a marker not declared optional becomes nothing."""
        name, type = self.world.markers[marker.marker].name, marker.type
        indices = self.world.markers[marker.marker].indices
        whose = "".join(f"{index.word} each: {index.name}, " for index in indices)
        if isinstance(type, ir.NumberType):
            hint = f"a number is never nothing: write `{name} becomes 0`, or what it shall be then"
        elif type == ir.TRUTH:
            hint = f"write `{name} becomes no`"
        else:
            hint = (
                "if it may show nothing, say so where it is declared: "
                f"`{name}: {{{whose}shows: {type}, starts as: nothing}}`"
            )
        self.diagnostics.error(
            "wrong-type", f"`{name}` always shows {self.world.a(type)}", span, hint=hint
        )

    def may_change(self, name: str, span: Span) -> None:
        """Reports assignments to what a window does not let a played piece change."""
        entry = self.world.entry_of(self.clause)
        window = self.world.windows.get(entry.text("when") or "") if entry is not None else None
        if window is None or name not in window.names or name in window.changes:
            return
        self.diagnostics.error(
            "cannot-change",
            f"the window `{window.name}` does not let `{name}` be changed",
            span,
            Label(window.entry.span, "the window"),
            hint=f"add `{name}` to its `may change:`",
        )

    def not_relied_on(self, variable: Variable, span: Span) -> None:
        """Reports reassignment of a name whose chosen kinds a played piece relies on."""
        self.possible_kinds.changed.add(variable.slot)
        if variable.slot in self.possible_kinds.relied_on:
            self.diagnostics.error(
                "cannot-change",
                f"`{variable.name}` was played as what was chosen, and so cannot change",
                span,
                hint="give the other one a name of its own, with `let`",
            )

    # ------------------------------------------------------------ moving

    def end_of_place(self, to: s.Expr) -> tuple[ir.Expr, bool]:
        """A place, and whether its lower end is meant: `bottom of pile`."""
        under = False
        if isinstance(to, s.Chain) and isinstance(to.head, s.Word):
            word, (preposition, operand) = to.head.name.text, to.links[0]
            if word in ("bottom", "top") and preposition.text == "of":
                under = word == "bottom"
                rest = to.links[1:]
                to = s.Chain(operand, rest, span=to.span) if rest else operand
        return self.expr(to), under

    def move(self, each: s.Move, what: s.Expr, to: s.Expr) -> list[ir.Statement]:
        self.looked_for(what, Hole("pieces"))
        pieces = self.expr(what)
        self.looked_for(to, Hole("place", expected=pieces.type))
        place, under = self.end_of_place(to)
        self.must_hold(pieces, place)
        return [ir.Move(pieces, place, under, span=each.span)]

    def move_some(self, each: s.MoveSome) -> list[ir.Statement]:
        with self.scope.block():
            taken, _ = self.binder(each.binder)
        most = self.how_many(each.most) if each.most is not None else None
        self.looked_for(each.to, Hole("place", expected=taken.type))
        place, under = self.end_of_place(each.to)
        member = ir.Local(taken.type, taken.slot, taken.name, span=each.binder.span)
        self.must_hold(member, place)
        return [ir.MoveSome(taken, most, each.exactly, place, under, span=each.span)]

    def draw(self, each: s.Draw) -> list[ir.Statement]:
        count: ir.Expr | None = None
        match each.count:
            case s.Word(s.Name("a" | "an" | "the" | "one" as text, span)):
                self.diagnostics.error(
                    "unknown-name",
                    f"`{text}` is no number of things",
                    span,
                    hint=f"one thing is drawn by its noun alone: leave out `{text}`",
                )
            case s.Expr() as number:
                count = self.how_many(number)
        self.looked_for(each.source, Hole("place"))
        source, below = self.end_of_place(each.source)
        self.looked_for(each.to, Hole("place"))
        place, under = self.end_of_place(each.to)
        type: ir.Type = ir.BROKEN
        if isinstance(source.type, ir.PlaceType):
            type = self.world.held(source.type.index)
            family = self.world.families[source.type.index]
            if below and family.arranged == "heap":
                self.diagnostics.error(
                    "wrong-type",
                    f"`{family.name}` is a heap, and has no bottom",
                    source.span,
                    hint=f"write `arranged: pile` for it, or `from {family.name}`: out of a heap "
                    "any piece is drawn",
                )
        elif not isinstance(source.type, ir.BrokenType):
            self.diagnostics.error(
                "wrong-type",
                f"this is {self.world.a(source.type)}, but a place is needed here",
                source.span,
                hint="pieces are drawn from a place",
            )
        wanted = self.world.type_named(each.noun.text)
        self.meant(each.noun, wanted)
        meant: str | None = None
        if wanted is None and not self.world.is_lost(each.noun.text):
            nouns = [str(type), self.world.many(type)]
            meant = nouns[0] if self.world.near(each.noun.text, nouns) else None
            self.diagnostics.error(
                "unknown-name",
                f"there is nothing called `{each.noun.text}`",
                each.noun.span,
                hint=self.world.suggest(each.noun.text, nouns)
                or f"to give it a name, say `{nouns[0]} as {each.noun.text}`",
            )
            self.world.lose(each.noun.text)
        elif wanted is not None and type != ir.BROKEN and wanted != type:
            self.diagnostics.error(
                "wrong-type",
                f"`{source.type}` holds {self.world.many(type)}, not {self.world.many(wanted)}",
                each.noun.span,
            )
            type = ir.BROKEN
        otherwise = self.block(each.otherwise) if each.otherwise is not None else None
        if each.otherwise is not None and is_impossible(each.otherwise):
            otherwise = None
        name = each.alias or s.Name(meant or self.world.singular(each.noun.text), each.noun.span)
        maybe = otherwise is not None and not ends(otherwise) and type != ir.BROKEN
        variable = self.drawn(name, ir.MaybeType(type) if maybe else type, count is None)
        piece = ir.Local(type, variable.slot, variable.name, span=each.noun.span)
        self.must_hold(piece, place)
        loop = self.scope.hidden()
        unset = ir.SetLocal(
            variable.slot, name.text, ir.Const(ir.NOTHING, None, span=each.span), span=each.span
        )
        return [
            *([unset] if maybe and count is None else []),
            ir.Draw(
                variable.slot, name.text, count, source, place, under, otherwise, loop, below,
                span=each.span,
            )
        ]  # fmt: skip

    def drawn(self, name: s.Name, type: ir.Type, one: bool) -> Variable:
        """The variable for a drawn piece; several pieces drawn at once have no name."""
        if one:
            return self.scope.declare(name.text, type, name.span)
        return Variable(name.text, self.scope.hidden(name.text, type), type, name.span)

    def may_be_shuffled(self, place: ir.Expr, of: ir.PlaceType) -> None:
        """A shuffled pile has no order until it is drawn from, so its top cannot be seen."""
        family = self.world.families[of.index]
        if family.top_seen_by != "nobody":
            self.diagnostics.error(
                "top-is-seen",
                f"the top of `{family.name}` is seen, so it cannot be shuffled as it lies there",
                place.span,
                hint="shuffle the pieces in a place that nobody sees, and draw them from there",
            )

    # ------------------------------------------------------------ telling

    def remember(self, name: s.Name, span: Span) -> list[ir.Statement]:
        positions = self.world.positions
        if name.text not in positions:
            self.diagnostics.error(
                "unknown-name",
                f"nothing here remembers positions as `{name.text}`",
                name.span,
                hint=self.world.suggest(name.text, positions)
                or f"say under `markers:` what counts: `{name.text}: {{remembers: […]}}`",
            )
            return []
        self.world.used.remembered.add(name.text)
        return [ir.Remember(list(positions).index(name.text), span=span)]

    def tell(self, each: s.Tell) -> ir.Tell:
        who = None if each.who is None else self.players(each.who)
        what = self.truth(each.what) if each.whether else self.expr(each.what)
        if isinstance(what, ir.PlaceAt) and self.is_only_one(what):
            noun = s.Name(str(self.world.held(what.family)), each.what.span)
            lying = s.Binder(noun, None, each.what, None, None, span=each.what.span)
            what = self.expr(s.All(lying, span=each.what.span))
        if isinstance(what.type, ir.NothingType):
            self.diagnostics.error(
                "wrong-type", "this is nothing, and nothing cannot be told", what.span
            )
        elif isinstance(what, ir.PlaceAt):
            held = self.world.many(self.world.held(what.family))
            self.diagnostics.error(
                "wrong-type",
                "this is the place itself, which everyone knows, not what lies in it",
                what.span,
                hint=f"write `all {held} in {what.span.text}`, or `count of {held} in …`",
            )
        elif each.shows:
            self.can_be_shown(what)
        name = what.name if isinstance(what, ir.Local) else ""
        return ir.Tell(who, what, name, each.shows, span=each.span)

    def can_be_shown(self, what: ir.Expr) -> None:
        """Checks what is shown: it stays known, so only pieces without hidden states qualify."""
        of = ir.plain(what.type)
        of = ir.plain(of.of) if isinstance(of, ir.SetType) else of
        if isinstance(of, ir.BrokenType):
            return
        if not isinstance(of, ir.PieceType):
            self.diagnostics.error(
                "wrong-type",
                f"this is {self.world.a(what.type)}, and only pieces can be shown",
                what.span,
                hint="write `tell` and to whom; or show what lies in a place: `show hand of …`",
            )
            return
        piece = self.world.pieces[of.index]
        hidden = next((each.name for each in piece.states if each.seen_by != "everyone"), None)
        if hidden is not None:
            self.diagnostics.error(
                "wrong-type",
                f"`{hidden}` of a {piece.name} can change where nobody sees it, so what was shown "
                "may be so no longer",
                what.span,
                hint=f"tell what it is now: `tell … {hidden} of {piece.name}`",
            )

    def is_only_one(self, place: ir.PlaceAt) -> bool:
        """Whether a place is unique, or one per player: then its contents are meant."""
        family = self.world.families[place.family]
        return len(family.indices) == int(family.per_player)

    # ------------------------------------------------------------ branches and loops

    def if_(
        self,
        branches: tuple[tuple[s.Expr, s.Block], ...],
        otherwise: s.Block | None,
        span: Span,
    ) -> ir.If:
        (condition, body), *rest = branches
        with self.scope.block():
            test = self.condition(condition)
            then = self.statements(body)
        other: ir.Block = ()
        with self.scope.block():
            self.denied(condition)
            if rest:
                other = (self.if_(tuple(rest), otherwise, span),)
            elif otherwise is not None:
                other = self.block(otherwise)
        return ir.If(test, then, other, span=span)

    def for_each(self, each: s.ForEach) -> ir.ForEach:
        with self.scope.block():
            taken, _variable = self.binder(each.binder, keep=True)
            listing, index = self.scope.hidden(type=ir.SetType(taken.type)), self.scope.hidden()
            body = self.statements(each.body)
        return ir.ForEach(taken, body, listing, index, span=each.span)

    def rank(self, each: s.Rank) -> ir.Rank:
        taken, key = ranked_by(self, each)
        with self.scope.block():
            members = self.world.singular(each.binder.noun.text)
            tied = self.scope.declare("tied", ir.SetType(taken.type), each.span, members)
            place = self.scope.declare("place", ir.NUMBER, each.span)
            tier = self.scope.declare("tier", ir.NUMBER, each.span)
            listing, index = self.scope.hidden(type=ir.SetType(ir.NUMBER)), self.scope.hidden()
            body = self.statements(each.body)
        return ir.Rank(
            taken,
            key,
            each.which == "highest",
            tied.slot,
            place.slot,
            tier.slot,
            body,
            listing,
            index,
            span=each.span,
        )


def ends(block: ir.Block) -> bool:
    """Whether a block never reaches what follows it."""
    if not block:
        return False
    match block[-1]:
        case ir.Finish() | ir.EndGame():
            return True
        case ir.If() | ir.Ask() as parts:
            return all(map(ends, branch_blocks(parts)))
        case _:
            return False


def branch_blocks(parts: ir.If | ir.Ask) -> tuple[ir.Block, ...]:
    """The alternative blocks of a branch. A question to several may take none."""
    if isinstance(parts, ir.If):
        return parts.then, parts.otherwise
    if parts.each is not None and not parts.first:
        return ((),)
    chosen = tuple(one.body for one in parts.alternatives)
    impossible = parts.must and parts.otherwise is None
    return chosen if impossible else (*chosen, parts.otherwise or ())


def exit_span(block: ir.Block, around: Span) -> Span:
    """The span at which control can leave a block; `around` is what contains the block."""
    if not block:
        return around
    last = block[-1]
    if isinstance(last, (ir.If, ir.Ask)):
        return exit_span(next(each for each in branch_blocks(last) if not ends(each)), last.span)
    return last.span


def is_impossible(block: s.Block) -> bool:
    return len(block) == 1 and isinstance(block[0], s.CannotHappen)
