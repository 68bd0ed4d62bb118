"""Type checks expressions: syntax to typed IR.

Names are resolved by the expected type, so `forest` is a terrain beside `terrain of field` and a
kind beside `card`. A condition can bind names for the block it guards: after `if there is a card in
hand`, `card` is that one.
"""

from __future__ import annotations

from dataclasses import replace

from lawspeaker import ir
from lawspeaker.base.source import Span
from lawspeaker.ir.bounds import LONGEST
from lawspeaker.meaning.check import connections
from lawspeaker.meaning.check.chains import Chains
from lawspeaker.meaning.check.fitting import bare, covering, fits, remedy
from lawspeaker.meaning.check.functions import Functions
from lawspeaker.meaning.check.meanings import Hole
from lawspeaker.meaning.check.mentions import must_mention
from lawspeaker.meaning.check.names import BUILT_IN_PREDICATES
from lawspeaker.meaning.check.regions import region
from lawspeaker.meaning.check.scope import Scope
from lawspeaker.meaning.check.supposing import Supposing
from lawspeaker.meaning.check.world import NAMES, World
from lawspeaker.text import syntax as s

LONGEST_SAID_AGAIN = 100
"""Longer comparisons are not repeated for an operand of `or`: nested ones would multiply."""


class Expressions(Supposing):
    """Checks the expressions of one clause."""

    def __init__(self, world: World, functions: Functions, scope: Scope, clause: int) -> None:
        super().__init__(world, functions, scope, clause)
        self.chains = Chains(self)

    def calls_for(self, clause: int, span: Span) -> None:
        self.world.used.supposed.add(clause)

    # ------------------------------------------------------------ conditions and sets

    def some_were_chosen(self, binder: ir.Binder) -> bool:
        """Whether a binder ranges over a chosen set that is certainly not empty."""
        source = binder.source
        return (
            binder.where is None
            and isinstance(source, ir.Local)
            and source.slot in self.scope.filled
        )

    def truth(self, expr: s.Expr) -> ir.Expr:
        """A condition whose bindings are local to it."""
        with self.scope.block():
            return self.condition(expr)

    def condition(self, expr: s.Expr) -> ir.Expr:
        """A condition whose bindings stay in scope in the enclosing block."""
        match expr:
            case s.And(left, right):
                first = self.condition(left)
                return ir.And(ir.TRUTH, first, self.condition(right), span=expr.span)
            case s.Exists(binder, negated=False):
                several = binder.size is not None
                found, thing = self.binder(binder, keep=not several, sets=True)
                if several:
                    self.scope.unnamed[thing.name] = binder.span
                return ir.Exists(ir.TRUTH, found, span=expr.span)
            case s.Is(s.Word(name), s.Nothing(), negated=True):
                checked = self.expr(expr)
                variable = self.scope.find(name.text)
                if variable is not None and isinstance(variable.type, ir.MaybeType):
                    self.scope.narrow(variable, variable.type.of)
                return checked
            case s.Count(binder) | s.SumOf(_, binder) if isinstance(
                swallowed := _last(binder.where), s.Compare
            ):
                assert binder.where is not None
                return self.unbound(expr, binder.where, swallowed)
            case _:
                return self.want(expr, ir.TRUTH)

    def unbound(self, expr: s.Expr, where: s.Expr, swallowed: s.Compare) -> ir.Expr:
        """Reports `count of … where … = 1`: the comparison is part of `where`."""
        number = Span(expr.span.file, expr.span.start, where.span.start).text
        compared = f"{swallowed.operator} {' '.join(swallowed.right.span.text.split())}"
        self.diagnostics.error(
            "wrong-type",
            f"`{compared}` belongs to `where`, so this is a number, but yes or no is needed here",
            expr.span,
            hint=f"to compare it, put it in brackets: `({' '.join(number.split())} …) {compared}`",
        )
        self.world.used.mentioned.update(NAMES.findall(expr.span.text))
        return ir.Const(ir.BROKEN, None, span=expr.span)

    def set(self, expr: s.Expr) -> ir.Expr:
        """A set; a place is converted to its pieces, a side to its players."""
        self.looked_for(expr, Hole("set"))
        found = self.expr(expr)
        return self.as_set(found)

    def as_set(self, found: ir.Expr) -> ir.Expr:
        if isinstance(found.type, (ir.SetType, ir.BrokenType)):
            return found
        if self.world.side is not None and found.type == self.world.side:
            return ir.PlayersOf(ir.SetType(ir.PLAYER), found, span=found.span)
        if isinstance(found.type, ir.PlaceType):
            type = ir.SetType(self.world.held(found.type.index))
            return ir.Contents(type, found, span=found.span)
        self.diagnostics.error(
            "wrong-type",
            f"this is {self.world.a(found.type)}, but a set or a place is needed here",
            found.span,
        )
        return ir.Const(ir.BROKEN, None, span=found.span)

    # ------------------------------------------------------------ expressions

    def expr(self, expr: s.Expr, expected: ir.Type | None = None) -> ir.Expr:
        span = expr.span
        match expr:
            case s.Number(value):
                return ir.Const(ir.NUMBER, value, span=span)
            case s.Truth(value):
                return ir.Const(ir.TRUTH, value, span=span)
            case s.Nothing():
                return ir.Const(ir.NOTHING, None, span=span)
            case s.Word(name):
                return self.word(name, expected)
            case s.Call(name, arguments):
                return self.chains.call(name, arguments, span)
            case s.Chain(head, links):
                return self.chains.chain(head, links, span)
            case s.ListOf(items):
                return self.list(expr, items, expected)
            case s.Range(low, high):
                ends = self.number(low), self.number(high)
                match ends:
                    case ir.Const(value=int(one)), ir.Const(value=int(two)) if two - one >= LONGEST:
                        self.diagnostics.error(
                            "too-large", f"a range has at most {LONGEST:,} numbers", span
                        )
                return ir.Range(ir.SetType(ir.NUMBER), *ends, span=span)
            case s.Conditional():
                return self.conditional(expr, expected)
            case s.Not(operand):
                return ir.Not(ir.TRUTH, self.truth(operand), span=span)
            case s.And(left, right):
                with self.scope.block():
                    first = self.condition(left)
                    return ir.And(ir.TRUTH, first, self.condition(right), span=span)
            case s.Or(left, right):
                first = self.truth(left)
                with self.scope.block():
                    self.denied(left)
                    return ir.Or(ir.TRUTH, first, self.or_else(left, right), span=span)
            case s.Compare():
                return self.compare(expr)
            case s.Is():
                return self.is_(expr)
            case s.IsIn(left, right, negated):
                return self.is_in(expr, left, right, negated)
            case s.Arithmetic(operator, left, right):
                if operator == "-" and self.is_hyphen(left, right):
                    return ir.Const(ir.BROKEN, None, span=span)
                if operator in ("+", "-"):
                    return self.sum(expr, expected)
                numbers = self.number(left), self.number(right)
                return ir.Arithmetic(ir.NUMBER, operator, *numbers, span=span)
            case s.Divide(left, right, rounding):
                numbers = self.number(left), self.number(right)
                return ir.Divide(ir.NUMBER, *numbers, rounding == "up", span=span)
            case s.Negate(operand):
                zero = ir.Const(ir.NUMBER, 0, span=span)
                return ir.Arithmetic(ir.NUMBER, "-", zero, self.number(operand), span=span)
            case _:
                with self.scope.block():
                    return self.bound(expr)

    def or_else(self, left: s.Expr, right: s.Expr) -> ir.Expr:
        """The right operand of `or`: a condition, or one more value to compare, as in `suit is
        clubs or spades`."""
        said = _said_before(left)
        if said is not None and len(said.left.span.text) > LONGEST_SAID_AGAIN:
            said = None
        if said is not None and isinstance(right, s.And) and self.is_thing(first := _first(right)):
            either = f"{_plain(left)} or {_plain(first)}"
            self.diagnostics.error(
                "wrong-type",
                f"`and` binds closer than `or`, so `{_plain(first)}` stands alone here",
                first.span,
                hint=f"put what belongs together in brackets: `({either}) and …`",
            )
            return ir.Const(ir.BROKEN, None, span=right.span)
        found = None
        if said is not None and isinstance(right, (s.Chain, s.Call)):
            found = self.expr(right)
            if fits(bare(found.type), ir.TRUTH):
                self.must_fit(found, ir.TRUTH)
                return found
        elif said is None or not self.is_thing(right):
            return self.truth(right)
        if isinstance(said, s.Is) and self.is_predicate(said.right):
            what, one, other = (_plain(each) for each in (said.left, said.right, right))
            self.diagnostics.error(
                "wrong-type",
                f"it is not said what is asked of `{other}`",
                right.span,
                hint=f"write `{what} is {one} or {other} is {one}`",
            )
            return ir.Const(ir.BROKEN, None, span=right.span)
        if isinstance(said, s.Is) and said.negated:
            what, one, other = (_plain(each) for each in (said.left, said.right, right))
            self.diagnostics.error(
                "wrong-type",
                f"it is not said whether {what} may be `{other}`",
                right.span,
                hint=f"write `{what} is not in [{one}, {other}]`, if it is to be neither",
            )
            return ir.Const(ir.BROKEN, None, span=right.span)
        if found is None:
            return self.truth(replace(said, right=right, span=right.span))
        left_again = self.expr(said.left, found.type)
        if isinstance(said, s.Is):
            return self.sameness(left_again, found, right.span)
        self.must_fit(found, ir.NUMBER)
        return ir.Compare(ir.TRUTH, "=", left_again, found, span=right.span)

    def is_thing(self, expr: s.Expr) -> bool:
        """Whether an expression cannot be a condition, only a value to compare with."""
        if isinstance(expr, s.Word):
            type = self.type_of(expr.name)
            return type is None or not fits(bare(type), ir.TRUTH)
        if isinstance(expr, (s.Count, s.SumOf)) and isinstance(_last(expr.binder.where), s.Compare):
            return False
        return isinstance(expr, _VALUES)

    def is_predicate(self, expr: s.Expr) -> bool:
        """Whether a word can be a predicate after `is`, as in `deck is empty`."""
        if not isinstance(expr, s.Word):
            return False
        name = expr.name.text
        known = self.world.signatures.get(name, ())
        return name in BUILT_IN_PREDICATES or any(each.predicate for each in known)

    def sum(self, expr: s.Arithmetic, expected: ir.Type | None) -> ir.Expr:
        """`+` and `-` of numbers, or union and difference of sets. A place is converted to its
        pieces, a single thing to a member."""
        wanted = expected if isinstance(expected, ir.SetType) else None
        left = self.expr(expr.left, wanted or ir.NUMBER)
        if isinstance(left.type, ir.PlaceType) and not isinstance(expr.right, s.Number):
            left = self.as_set(left)
        if isinstance(left.type, ir.SetType):
            right = self.members(expr.right, left.type)
            without = expr.operator == "-"
            return ir.Combine(left.type, left, right, without, span=expr.span)
        if left.type == ir.BROKEN:
            self.expr(expr.right, ir.BROKEN)
            return ir.Const(ir.BROKEN, None, span=expr.span)
        if isinstance(expr.left, s.Chain) and not fits(bare(left.type), ir.NUMBER):
            return self.after_chain(expr, expr.left, left)
        self.must_fit(left, ir.NUMBER)
        return ir.Arithmetic(
            ir.NUMBER, expr.operator, left, self.number(expr.right), span=expr.span
        )

    def after_chain(self, expr: s.Arithmetic, chain: s.Chain, left: ir.Expr) -> ir.Expr:
        """Reports `claimed at flag + 1`: the chain binds more tightly and is no number."""
        _, last = chain.links[-1]
        begins = Span(chain.span.file, chain.span.start, last.span.start).text
        meant = f"{_plain_text(begins)} ({_plain(last)} {expr.operator} {_plain(expr.right)})"
        self.diagnostics.error(
            "wrong-type",
            f"this is {self.world.a(left.type)}, but a number is needed before `{expr.operator}`",
            left.span,
            hint=f"arithmetic comes after chains; if it belongs inside, write `{meant}`",
        )
        self.expr(expr.right, ir.BROKEN)
        return ir.Const(ir.BROKEN, None, span=expr.span)

    def members(self, expr: s.Expr, wanted: ir.SetType) -> ir.Expr:
        """A set of a wanted type, or a single thing of its element type."""
        literal = isinstance(expr, s.Word) and self.type_of(expr.name) is None
        found = self.expr(expr, wanted.of if literal else wanted)
        if isinstance(found.type, ir.PlaceType) and isinstance(wanted.of, ir.PieceType):
            found = self.as_set(found)
        if isinstance(found.type, ir.SetType):
            self.must_fit(found, wanted)
            return found
        self.must_fit(found, wanted.of)
        return ir.ListOf(wanted, (found,), span=found.span)

    def bound(self, expr: s.Expr) -> ir.Expr:
        """Expressions with a binder."""
        span = expr.span
        match expr:
            case s.Exists(binder, negated):
                found = ir.Exists(ir.TRUTH, self.binder(binder, sets=True)[0], span=span)
                return ir.Not(ir.TRUTH, found, span=span) if negated else found
            case s.Every(binder, condition):
                taken, thing = self.binder(binder, keep=True, sets=True)
                holds = self.truth(condition)
                must_mention(self, holds, thing, condition.span)
                return ir.Every(ir.TRUTH, taken, holds, span=span)
            case s.Count(binder):
                taken, _ = self.binder(binder, sets=True)
                self.counts_several(taken, span)
                return ir.Count(ir.NUMBER, taken, span=span)
            case s.CountThese(members):
                return self.count_these(self.set(members), span)
            case s.SumOf(value, binder, product):
                taken, thing = self.binder(binder, keep=True, sets=True)
                added = self.number(value)
                must_mention(self, added, thing, value.span)
                return ir.SumOf(ir.NUMBER, taken, added, product, span=span)
            case s.Extreme(which, value, binder, otherwise):
                taken, thing = self.binder(binder, keep=True, sets=True)
                number = self.number(value)
                must_mention(self, number, thing, value.span)
                other = self.number(otherwise) if otherwise is not None else None
                if other is None and self.some_were_chosen(taken):
                    other = ir.Const(ir.NUMBER, 0, span=span)
                if other is None and not self.never_empty(taken):
                    self.diagnostics.error(
                        "maybe-empty",
                        f"there may be nothing to take the {which} of",
                        span,
                        hint="add `otherwise 0`, or what it shall be then",
                    )
                return ir.Extreme(ir.NUMBER, taken, number, which == "highest", other, span=span)
            case s.Collect(value, binder, different):
                taken, thing = self.binder(binder, keep=True, sets=True)
                member = self.single(self.expr(value))
                must_mention(self, member, thing, value.span)
                return ir.Collect(ir.SetType(member.type), taken, member, different, span=span)
            case s.All(binder):
                taken, _ = self.binder(binder)
                return ir.Filter(ir.SetType(taken.type), taken, span=span)
            case s.The(binder):
                taken, _ = self.binder(binder, sets=True)
                return ir.The(taken.type, taken, span=span)
            case s.Walk():
                return self.chains.walk(expr)
            case s.Region():
                return region(self, expr)
            case s.PathLength():
                return connections.path_length(self, expr)
            case s.PathExists():
                return connections.path_exists(self, expr)
            case s.Supposing(piece, place, condition):
                what, where = self.expr(piece), self.expr(place)
                self.must_hold(what, where)
                return ir.Supposing(ir.TRUTH, what, where, self.truth(condition), span=span)
            case s.SupposingDone():
                return self.supposing_done(expr)
        raise AssertionError(f"unknown expression {type(expr).__name__}")

    def counts_several(self, binder: ir.Binder, span: Span) -> None:
        """Reports `count of deck`: there is one deck, and its cards are meant."""
        match binder:
            case ir.Binder(source=ir.Domain(of=ir.PlaceType(index=index)), where=None):
                family = self.world.families[index]
                if not family.indices:
                    pieces = self.world.many(self.world.held(index))
                    self.diagnostics.error(
                        "wrong-type",
                        f"there is one `{family.name}`; this counts places, not what lies there",
                        span,
                        hint=f"write `count of {pieces} in {family.name}`",
                    )

    def count_these(self, members: ir.Expr, span: Span) -> ir.Expr:
        of = members.type.of if isinstance(members.type, ir.SetType) else ir.BROKEN
        slot = self.scope.new_slot("(member)", of)
        each = ir.Binder(slot, "(member)", of, members, None, span=span)
        return ir.Count(ir.NUMBER, each, span=span)

    def must_hold(self, piece: ir.Expr, place: ir.Expr) -> None:
        """Checks that a piece (or a set of them) is of the type that a place holds."""
        if isinstance(place.type, ir.BrokenType) or isinstance(piece.type, ir.BrokenType):
            return
        if not isinstance(place.type, ir.PlaceType):
            self.diagnostics.error(
                "wrong-type",
                f"this is {self.world.a(place.type)}, but a place is needed here",
                place.span,
            )
            return
        holds = self.world.held(place.type.index)
        type = piece.type.of if isinstance(piece.type, ir.SetType) else piece.type
        if isinstance(type, ir.MaybeType):
            self.must_fit(piece, type.of)
            type = type.of
        if not isinstance(type, (ir.PieceType, ir.BrokenType)):
            self.diagnostics.error(
                "wrong-type",
                f"this is {self.world.a(piece.type)}, but a piece is needed here",
                piece.span,
                hint=remedy(piece.type, holds),
            )
        elif not fits(type, holds):
            self.diagnostics.error(
                "wrong-type",
                f"`{place.type}` holds {self.world.many(holds)}, and this is {self.world.a(type)}",
                piece.span,
            )

    def list(self, expr: s.Expr, items: tuple[s.Expr, ...], expected: ir.Type | None) -> ir.Expr:
        wanted = expected.of if isinstance(expected, ir.SetType) else None
        if not items:
            if wanted is None and not isinstance(expected, ir.BrokenType):
                self.diagnostics.error(
                    "wrong-type",
                    "it is not known of what this list is empty",
                    expr.span,
                    hint="say it with a condition that never holds: `all cards where no`",
                )
            return ir.ListOf(ir.SetType(wanted or ir.BROKEN), (), span=expr.span)
        first = self.single(self.expr(items[0], wanted))
        rest = [self.want(each, first.type) for each in items[1:]]
        return ir.ListOf(ir.SetType(first.type), (first, *rest), span=expr.span)

    def single(self, found: ir.Expr) -> ir.Expr:
        """A member of a list, which cannot be a set itself."""
        if not isinstance(found.type, ir.SetType):
            return found
        self.diagnostics.error(
            "wrong-type",
            f"this is {self.world.a(found.type)}, but a set is made of single things",
            found.span,
        )
        return ir.Const(ir.BROKEN, None, span=found.span)

    def conditional(self, expr: s.Conditional, expected: ir.Type | None) -> ir.Expr:
        if expected is None and expr.then == s.ListOf(()):
            # The other branch gives an empty list its type.
            with self.scope.block():
                self.denied(expr.condition)
                otherwise = self.expr(expr.otherwise)
            with self.scope.block():
                condition = self.condition(expr.condition)
                then = self.expr(expr.then, otherwise.type)
            return ir.Conditional(otherwise.type, condition, then, otherwise, span=expr.span)
        with self.scope.block():
            condition = self.condition(expr.condition)
            then = self.expr(expr.then, expected)
        with self.scope.block():
            self.denied(expr.condition)
            likely = None if isinstance(then.type, ir.NothingType) else bare(then.type)
            otherwise = self.expr(expr.otherwise, expected or likely)
        type = self.join(then, otherwise)
        return ir.Conditional(type, condition, then, otherwise, span=expr.span)

    def denied(self, condition: s.Expr) -> None:
        """Narrows types in this block by the negation of a condition."""
        match condition:
            case s.Is(s.Word(name), s.Nothing(), negated=False):
                variable = self.scope.find(name.text, use=False)
                if variable is not None and isinstance(variable.type, ir.MaybeType):
                    self.scope.narrow(variable, variable.type.of)
            case s.Or(left, right):
                self.denied(left)
                self.denied(right)

    def join(self, left: ir.Expr, right: ir.Expr) -> ir.Type:
        """The common type of two branches."""
        one, two = left.type, right.type
        found = covering(one, two)
        if found is not None:
            return found
        self.diagnostics.error(
            "wrong-type",
            f"after `then` stands {self.world.a(one)}, after `else` {self.world.a(two)}",
            right.span,
            hint="both must be of one type",
        )
        return ir.BROKEN

    # ------------------------------------------------------------ numbers

    def compare(self, expr: s.Compare) -> ir.Expr:
        """Compares numbers; reports only the first operand that is none."""
        left = self.expr(expr.left)
        if expr.operator == "=" and not fits(bare(left.type), ir.NUMBER):
            self.diagnostics.error(
                "wrong-type",
                f"`=` compares numbers, and this is {self.world.a(left.type)}",
                left.span,
                hint="write `is` for everything that is no number",
            )
            right = self.expr(expr.right, bare(left.type))
        elif fits(left.type, ir.NUMBER):
            right = self.number(expr.right)
        else:
            self.must_fit(left, ir.NUMBER)
            right = self.expr(expr.right, ir.BROKEN)
        return ir.Compare(ir.TRUTH, expr.operator, left, right, span=expr.span)

    def is_hyphen(self, left: s.Expr, right: s.Expr) -> bool:
        """Whether a minus was meant as a hyphen inside a name: `half-time`."""
        if not (isinstance(left, s.Word) and isinstance(right, s.Word)):
            return False
        span = left.span.to(right.span)
        if left.span.end + 1 < right.span.start or self.known(left) or self.known(right):
            return False
        self.diagnostics.error(
            "unknown-name",
            f"nothing here is called `{span.text}`",
            span,
            hint=self.world.suggest(span.text, self.candidates())
            or "names are joined with `_`, and a minus sign stands between spaces",
        )
        return True


_VALUES = (
    *(s.Number, s.Arithmetic, s.Divide, s.Negate),
    *(s.Count, s.CountThese, s.SumOf, s.Extreme, s.The, s.PathLength),
)
"""Expressions that are values, and certainly no conditions."""


def _said_before(left: s.Expr) -> s.Is | s.Compare | None:
    """The comparison that `or` continues; in `a is b or c or d` it is `a is b` both times."""
    while isinstance(left, s.Or):
        again = isinstance(left.right, (s.Word, s.Chain, s.Call, *_VALUES))
        left = left.left if again else left.right
    if isinstance(left, s.Is) or (isinstance(left, s.Compare) and left.operator == "="):
        return left
    return None


def _first(condition: s.Expr) -> s.Expr:
    """The first conjunct of a condition."""
    while isinstance(condition, s.And):
        condition = condition.left
    return condition


def _plain(expr: s.Expr) -> str:
    return _plain_text(expr.span.text)


def _plain_text(text: str) -> str:
    return " ".join(text.split())


def _last(condition: s.Expr | None) -> s.Expr | None:
    """The last operand of a condition's `and` and `or`."""
    while isinstance(condition, (s.And, s.Or)):
        condition = condition.right
    return condition
