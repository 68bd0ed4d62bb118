"""Expressions: from what is written to what is meant, with types.

Names are resolved with the type that is expected in view, so that `forest` is a terrain beside
`terrain of field` and a kind beside `card`. A condition can bring names into the block it
stands in: after `if there is a card in hand`, `card` is that one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lawspeaker import ir
from lawspeaker import syntax as s
from lawspeaker.check.chains import Chains
from lawspeaker.check.scope import Scope, Variable
from lawspeaker.check.world import World
from lawspeaker.source import Span
from lawspeaker.types import (
    BROKEN,
    NOTHING,
    NUMBER,
    PLAYER,
    TRUTH,
    BrokenType,
    KindType,
    MaybeType,
    NothingType,
    NumberType,
    PieceType,
    PlaceType,
    SetType,
    TruthType,
    Type,
    WordType,
)

if TYPE_CHECKING:
    from lawspeaker.check.functions import Functions

MOST = 100_000
BUILT_IN_PREDICATES = ("empty", "playing")
COMPARABLE_TO_NOTHING = (MaybeType, NothingType, BrokenType)
HABITS = {
    **dict.fromkeys(("true", "false"), "write `yes` or `no`"),
    **dict.fromkeys(("none", "null", "nil", "nobody"), "write `nothing`"),
    "each": "write `for each …:`",
}


def bare(type: Type) -> Type:
    return type.of if isinstance(type, MaybeType) else type


def fits(found: Type, wanted: Type) -> bool:
    if isinstance(found, BrokenType) or isinstance(wanted, BrokenType) or found == wanted:
        return True
    if isinstance(wanted, MaybeType):
        return isinstance(found, NothingType) or fits(bare(found), wanted.of)
    if isinstance(found, SetType) and isinstance(wanted, SetType):
        return fits(found.of, wanted.of)
    return isinstance(found, NumberType) and isinstance(wanted, NumberType)


def remedy(found: Type, wanted: Type) -> str | None:
    """What to write instead, where one type is often taken for another."""
    match found, wanted:
        case ((SetType() | PlaceType()), NumberType()):
            return "how many there are is `count of …`"
        case PlaceType(), PieceType(name=name):
            return f"a piece that lies there is `the {name} in …`, or `top of …`"
        case SetType(of=of), _ if fits(of, wanted):
            return "take one of them: with `for each`, with `the`, or let a player choose"
        case KindType(name=name), PieceType():
            return f"a kind is not a piece: write `the {name} in … where {name} is …`"
        case NumberType(), TruthType():
            return "compare it with another number, as in `… > 0`"
        case ((SetType() | PlaceType()), TruthType()):
            return "ask whether it `is empty`, or whether `there is a …`"
        case _, TruthType():
            return "compare it with something: `… is …`"
    return None


class Expressions:
    """Checks the expressions of one clause."""

    def __init__(self, world: World, functions: Functions, scope: Scope, clause: int) -> None:
        self.world = world
        self.functions = functions
        self.scope = scope
        self.clause = clause
        self.diagnostics = world.diagnostics
        self.chains = Chains(self)

    # ------------------------------------------------------------ what is wanted

    def want(self, expr: s.Expr, type: Type) -> ir.Expr:
        """An expression that must have a type."""
        found = self.expr(expr, type)
        self.must_fit(found, type)
        return found

    def must_fit(self, found: ir.Expr, type: Type) -> None:
        if fits(found.type, type):
            return
        needed = self.world.a(type)
        if isinstance(found.type, MaybeType) and fits(found.type.of, type):
            self.diagnostics.error(
                "maybe-nothing",
                f"this may be nothing, but {needed} is needed here",
                found.span,
                hint="give it a name with `let` and ask `if name is not nothing:` first",
            )
            return
        self.diagnostics.error(
            "wrong-type",
            f"this is {self.world.a(found.type)}, but {needed} is needed here",
            found.span,
            hint=remedy(found.type, type),
        )

    def number(self, expr: s.Expr) -> ir.Expr:
        return self.want(expr, NUMBER)

    def player(self, expr: s.Expr) -> ir.Expr:
        return self.want(expr, PLAYER)

    def truth(self, expr: s.Expr) -> ir.Expr:
        """A condition whose names stay inside it."""
        with self.scope.block():
            return self.condition(expr)

    def condition(self, expr: s.Expr) -> ir.Expr:
        """A condition; what it finds is known in the block it stands in."""
        match expr:
            case s.And(left, right):
                first = self.condition(left)
                return ir.And(TRUTH, first, self.condition(right), span=expr.span)
            case s.Exists(binder, negated=False):
                found, _ = self.binder(binder, keep=True)
                return ir.Exists(TRUTH, found, span=expr.span)
            case s.Is(s.Word(name), s.Nothing(), negated=True):
                checked = self.expr(expr)
                variable = self.scope.find(name.text)
                if variable is not None and isinstance(variable.type, MaybeType):
                    self.scope.narrow(variable, variable.type.of)
                return checked
            case _:
                return self.want(expr, TRUTH)

    def set(self, expr: s.Expr) -> ir.Expr:
        """A set; a place stands for the pieces in it."""
        found = self.expr(expr)
        return self.as_set(found)

    def as_set(self, found: ir.Expr) -> ir.Expr:
        if isinstance(found.type, (SetType, BrokenType)):
            return found
        if isinstance(found.type, PlaceType):
            type = SetType(self.world.held(found.type.index))
            return ir.Contents(type, found, span=found.span)
        self.diagnostics.error(
            "wrong-type",
            f"this is {self.world.a(found.type)}, but a set or a place is needed here",
            found.span,
        )
        return ir.Const(BROKEN, None, span=found.span)

    # ------------------------------------------------------------ expressions

    def expr(self, expr: s.Expr, expected: Type | None = None) -> ir.Expr:
        span = expr.span
        match expr:
            case s.Number(value):
                return ir.Const(NUMBER, value, span=span)
            case s.Truth(value):
                return ir.Const(TRUTH, value, span=span)
            case s.Nothing():
                return ir.Const(NOTHING, None, span=span)
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
                    case ir.Const(value=int(one)), ir.Const(value=int(two)) if two - one > MOST:
                        self.diagnostics.error(
                            "too-large", f"a range has at most {MOST:,} numbers", span
                        )
                return ir.Range(SetType(NUMBER), *ends, span=span)
            case s.Conditional():
                return self.conditional(expr, expected)
            case s.Not(operand):
                return ir.Not(TRUTH, self.truth(operand), span=span)
            case s.And(left, right):
                with self.scope.block():
                    first = self.condition(left)
                    return ir.And(TRUTH, first, self.condition(right), span=span)
            case s.Or(left, right):
                first = self.truth(left)
                with self.scope.block():
                    self.denied(left)
                    return ir.Or(TRUTH, first, self.truth(right), span=span)
            case s.Compare():
                return self.compare(expr)
            case s.Is():
                return self.is_(expr)
            case s.IsIn(left, right, negated):
                return self.is_in(expr, left, right, negated)
            case s.Arithmetic(operator, left, right):
                if operator == "-" and self.is_hyphen(left, right):
                    return ir.Const(BROKEN, None, span=span)
                if operator in ("+", "-"):
                    return self.sum(expr, expected)
                numbers = self.number(left), self.number(right)
                return ir.Arithmetic(NUMBER, operator, *numbers, span=span)
            case s.Divide(left, right, rounding):
                numbers = self.number(left), self.number(right)
                return ir.Divide(NUMBER, *numbers, rounding == "up", span=span)
            case s.Negate(operand):
                zero = ir.Const(NUMBER, 0, span=span)
                return ir.Arithmetic(NUMBER, "-", zero, self.number(operand), span=span)
            case _:
                with self.scope.block():
                    return self.bound(expr)

    def sum(self, expr: s.Arithmetic, expected: Type | None) -> ir.Expr:
        """`+` and `-`: of numbers, or of sets, which are put together or taken away."""
        wanted = expected if isinstance(expected, SetType) else None
        left = self.expr(expr.left, wanted or NUMBER)
        if isinstance(left.type, SetType):
            right = self.want(expr.right, left.type)
            without = expr.operator == "-"
            return ir.Combine(left.type, left, right, without, span=expr.span)
        self.must_fit(left, NUMBER)
        return ir.Arithmetic(NUMBER, expr.operator, left, self.number(expr.right), span=expr.span)

    def bound(self, expr: s.Expr) -> ir.Expr:
        """The forms that take things from a set."""
        span = expr.span
        match expr:
            case s.Exists(binder, negated):
                found = ir.Exists(TRUTH, self.binder(binder)[0], span=span)
                return ir.Not(TRUTH, found, span=span) if negated else found
            case s.Every(binder, condition):
                taken, _ = self.binder(binder, keep=True)
                return ir.Every(TRUTH, taken, self.truth(condition), span=span)
            case s.Count(binder):
                return ir.Count(NUMBER, self.binder(binder)[0], span=span)
            case s.CountThese(members):
                return self.count_these(self.set(members), span)
            case s.SumOf(value, binder):
                taken, _ = self.binder(binder, keep=True)
                return ir.SumOf(NUMBER, taken, self.number(value), span=span)
            case s.Extreme(which, value, binder, otherwise):
                taken, _ = self.binder(binder, keep=True)
                number = self.number(value)
                other = self.number(otherwise) if otherwise is not None else None
                if other is None and not self.never_empty(taken):
                    self.diagnostics.error(
                        "maybe-empty",
                        f"there may be nothing to take the {which} of",
                        span,
                        hint="add `otherwise 0`, or what it shall be then",
                    )
                return ir.Extreme(NUMBER, taken, number, which == "highest", other, span=span)
            case s.Collect(value, binder, different):
                taken, _ = self.binder(binder, keep=True)
                member = self.single(self.expr(value))
                return ir.Collect(SetType(member.type), taken, member, different, span=span)
            case s.All(binder):
                taken, _ = self.binder(binder)
                return ir.Filter(SetType(taken.type), taken, span=span)
            case s.The(binder):
                taken, _ = self.binder(binder)
                return ir.The(taken.type, taken, span=span)
            case s.Walk():
                return self.chains.walk(expr)
            case s.Supposing(piece, place, condition):
                what, where = self.expr(piece), self.expr(place)
                self.must_hold(what, where)
                return ir.Supposing(TRUTH, what, where, self.truth(condition), span=span)
        raise AssertionError(f"unknown expression {type(expr).__name__}")

    def count_these(self, members: ir.Expr, span: Span) -> ir.Expr:
        of = members.type.of if isinstance(members.type, SetType) else BROKEN
        slot = self.scope.new_slot("(member)", of)
        each = ir.Binder(slot, "(member)", of, members, None, span=span)
        return ir.Count(NUMBER, each, span=span)

    def must_hold(self, piece: ir.Expr, place: ir.Expr) -> None:
        """A piece (or set of them) must be of the type a place holds."""
        if isinstance(place.type, BrokenType) or isinstance(piece.type, BrokenType):
            return
        if not isinstance(place.type, PlaceType):
            self.diagnostics.error(
                "wrong-type",
                f"this is {self.world.a(place.type)}, but a place is needed here",
                place.span,
            )
            return
        holds = self.world.held(place.type.index)
        type = piece.type.of if isinstance(piece.type, SetType) else piece.type
        if isinstance(type, MaybeType):
            self.must_fit(piece, type.of)
            type = type.of
        if not isinstance(type, (PieceType, BrokenType)):
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

    def list(self, expr: s.Expr, items: tuple[s.Expr, ...], expected: Type | None) -> ir.Expr:
        wanted = expected.of if isinstance(expected, SetType) else None
        if not items:
            if wanted is None and not isinstance(expected, BrokenType):
                self.diagnostics.error(
                    "wrong-type",
                    "it is not known of what this list is empty",
                    expr.span,
                    hint="say it with a condition that never holds: `all cards where no`",
                )
            return ir.ListOf(SetType(wanted or BROKEN), (), span=expr.span)
        first = self.single(self.expr(items[0], wanted))
        rest = [self.want(each, first.type) for each in items[1:]]
        return ir.ListOf(SetType(first.type), (first, *rest), span=expr.span)

    def single(self, found: ir.Expr) -> ir.Expr:
        """A member of a set, which cannot be a set itself."""
        if not isinstance(found.type, SetType):
            return found
        self.diagnostics.error(
            "wrong-type",
            f"this is {self.world.a(found.type)}, but a set is made of single things",
            found.span,
        )
        return ir.Const(BROKEN, None, span=found.span)

    def conditional(self, expr: s.Conditional, expected: Type | None) -> ir.Expr:
        if expected is None and expr.then == s.ListOf(()):
            # What an empty list is empty of, the other side tells.
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
            likely = None if isinstance(then.type, NothingType) else bare(then.type)
            otherwise = self.expr(expr.otherwise, expected or likely)
        type = self.join(then, otherwise)
        return ir.Conditional(type, condition, then, otherwise, span=expr.span)

    def denied(self, condition: s.Expr) -> None:
        """What is known in this block because a condition does not hold."""
        match condition:
            case s.Is(s.Word(name), s.Nothing(), negated=False):
                variable = self.scope.find(name.text, use=False)
                if variable is not None and isinstance(variable.type, MaybeType):
                    self.scope.narrow(variable, variable.type.of)
            case s.Or(left, right):
                self.denied(left)
                self.denied(right)

    def join(self, left: ir.Expr, right: ir.Expr) -> Type:
        """The type that covers both."""
        one, two = left.type, right.type
        if isinstance(one, NothingType) and not isinstance(two, COMPARABLE_TO_NOTHING):
            return MaybeType(two)
        if isinstance(two, NothingType) and not isinstance(one, COMPARABLE_TO_NOTHING):
            return MaybeType(one)
        if fits(two, one):
            return NUMBER if isinstance(one, NumberType) else one
        if fits(one, two):
            return two
        self.diagnostics.error(
            "wrong-type",
            f"after `then` stands {self.world.a(one)}, after `else` {self.world.a(two)}",
            right.span,
            hint="both must be of one type",
        )
        return BROKEN

    # ------------------------------------------------------------ numbers

    def compare(self, expr: s.Compare) -> ir.Expr:
        """Numbers compared; only the first that is no number is complained about."""
        left = self.expr(expr.left)
        if expr.operator == "=" and not fits(bare(left.type), NUMBER):
            self.diagnostics.error(
                "wrong-type",
                f"`=` compares numbers, and this is {self.world.a(left.type)}",
                left.span,
                hint="write `is` for everything that is no number",
            )
            right = self.expr(expr.right, bare(left.type))
        elif fits(left.type, NUMBER):
            right = self.number(expr.right)
        else:
            self.must_fit(left, NUMBER)
            right = self.expr(expr.right, BROKEN)
        return ir.Compare(TRUTH, expr.operator, left, right, span=expr.span)

    def is_hyphen(self, left: s.Expr, right: s.Expr) -> bool:
        """Whether a minus sign was meant as a hyphen inside a name: `half-time`."""
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

    def known(self, word: s.Word) -> bool:
        return word.name.text in self.candidates()

    def candidates(self) -> tuple[str, ...]:
        return (*self.scope.names(), *self.world.all_names(), *self.world.lost)

    # ------------------------------------------------------------ names

    def word(self, name: s.Name, expected: Type | None) -> ir.Expr:
        """A name that stands alone."""
        text, span = name.text, name.span
        variable = self.scope.find(text)
        if variable is not None:
            return ir.Local(variable.type, variable.slot, text, span=span)
        literal = self.literal(text, expected, span)
        if literal is not None and expected is not None:
            return literal
        thing = self.thing(name)
        if thing is not None:
            return thing
        if literal is not None:
            return literal
        if not isinstance(expected, BrokenType):
            self.unknown(name, expected)
        return ir.Const(BROKEN, None, span=span)

    def unknown(self, name: s.Name, expected: Type | None) -> None:
        """A name that means nothing where it stands: what the author may have had in mind."""
        text, span, world = name.text, name.span, self.world
        if text in world.lost:
            return
        meanings = [world.a(type) for type, _ in world.words.get(text, ())]
        meanings += [world.a(type) for type, _ in world.kinds.get(text, ())]
        meanings += ["a player"] if text in world.player_names else []
        callables = world.signatures.get(text)
        family = world.family_types.get(text)
        if meanings and expected is not None:
            self.diagnostics.error(
                "wrong-type",
                f"`{text}` is {' or '.join(meanings)}, but {world.a(expected)} is needed here",
                span,
                hint=remedy(world.kinds[text][0][0], expected) if text in world.kinds else None,
            )
        elif meanings:
            self.diagnostics.error(
                "which-one",
                f"`{text}` can be {' or '.join(meanings)}",
                span,
                hint="say it beside something of the kind that is meant, as in `x is y`",
            )
        elif callables:
            self.diagnostics.error(
                "wrong-operands",
                f"`{text}` does not stand alone",
                span,
                hint=f"it is called `{callables[0]}`",
            )
        elif family is not None:
            names = [each.name for each in world.families[family.index].indices]
            own = world.families[family.index].per_player and len(names) == 1
            form = f"{text} of {names[0]}" if own else f"{text}({', '.join(names)})"
            self.diagnostics.error(
                "which-one",
                f"there are several places `{text}`",
                span,
                hint=f"say which: `{form}`",
            )
        elif text in world.marker_index:
            self.diagnostics.error(
                "which-one",
                f"every player has a marker `{text}`",
                span,
                hint=f"say whose: `{text} of player`",
            )
        elif text in world.types:
            self.diagnostics.error(
                "which-one",
                f"it is not said which {text} is meant",
                span,
                hint=f"a name is given by `let`, by `for each {text}:`, by a choice or by `given:`",
            )
        else:
            hint = HABITS.get(text)
            if hint is None and text in world.procedures:
                hint = f"it is a clause: write `do {text}` on a line of its own"
            self.diagnostics.error(
                "unknown-name",
                f"nothing here is called `{text}`",
                span,
                hint=hint or world.suggest(text, self.candidates()),
            )

    def literal(self, text: str, expected: Type | None, span: Span) -> ir.Expr | None:
        """A word of a set, a kind or a player by name; by expected type if it is not unique."""
        world = self.world
        found: list[ir.Expr] = []
        for word_type, at in world.words.get(text, ()):
            found.append(ir.Const(word_type, at, span=span))
        for kind_type, at in world.kinds.get(text, ()):
            found.append(ir.Const(kind_type, at, span=span))
        if text in world.player_names:
            found.append(ir.Const(PLAYER, world.player_names.index(text), span=span))
        if expected is not None:
            wanted = bare(expected)
            return next((each for each in found if each.type == wanted), None)
        return found[0] if len(found) == 1 else None

    def thing(self, name: s.Name) -> ir.Expr | None:
        """A place, marker, choice, value without operands, or all of a type."""
        text, span, world = name.text, name.span, self.world
        if text in world.marker_index:
            index = world.marker_index[text]
            marker = world.markers[index]
            if not marker.per_player:
                return ir.MarkerValue(marker.type, index, None, span=span)
        family_type = world.family_types.get(text)
        if family_type is not None:
            if not world.families[family_type.index].indices:
                return ir.PlaceAt(family_type, family_type.index, (), span=span)
            return None
        if text in world.choice_index:
            index = world.choice_index[text]
            return ir.ChoiceValue(world.choices[index].type, index, span=span)
        for signature in world.signatures.get(text, ()):
            if not signature.names:
                return self.functions.call(signature, (), span)
        for index, family in enumerate(world.families):
            if family.grid and text in (f"occupied_{family.plural}", f"open_{family.plural}"):
                node = ir.Occupied if text.startswith("occupied") else ir.OpenPlaces
                return node(SetType(PlaceType(family.name, index)), index, span=span)
        if text == "player_count":
            return ir.PlayerCount(NUMBER, span=span)
        if text in world.plurals and world.plurals[text] in world.types:
            type = world.types[world.plurals[text]]
            if not (isinstance(type, NumberType) and not type.listed):
                return ir.Domain(SetType(type), type, span=span)
        return None

    # ------------------------------------------------------------ is

    def is_(self, expr: s.Is) -> ir.Expr:
        found = self.same(expr)
        return ir.Not(TRUTH, found, span=expr.span) if expr.negated else found

    def same(self, expr: s.Is) -> ir.Expr:
        span = expr.span
        if isinstance(expr.left, s.Word) and not isinstance(expr.right, s.Word):
            right = self.expr(expr.right)
            left = self.expr(expr.left, right.type)
        else:
            left = self.expr(expr.left)
            if isinstance(expr.right, s.Word):
                test = self.predicate(left, expr.right.name, expr)
                if test is not None:
                    return test
            right = self.expr(expr.right, bare(left.type))
        if isinstance(left.type, SetType) or isinstance(right.type, SetType):
            self.diagnostics.error(
                "wrong-type",
                "sets are not compared with `is`",
                span,
                hint="say `is empty`, `is in`, or compare how many there are",
            )
        elif not (fits(bare(left.type), bare(right.type)) or self.nothing_fits(left, right)):
            one, two = self.world.a(left.type), self.world.a(right.type)
            self.diagnostics.error("wrong-type", f"this is {one}, and never {two}", span)
        return ir.Compare(TRUTH, "=", left, right, span=span)

    @staticmethod
    def nothing_fits(left: ir.Expr, right: ir.Expr) -> bool:
        return (
            isinstance(left.type, NothingType) and isinstance(right.type, COMPARABLE_TO_NOTHING)
        ) or (isinstance(right.type, NothingType) and isinstance(left.type, COMPARABLE_TO_NOTHING))

    def predicate(self, left: ir.Expr, name: s.Name, expr: s.Is) -> ir.Expr | None:
        """`piece is KIND`, `set is empty`, `player is playing`, `field is free`."""
        text, span = name.text, expr.span
        if self.scope.find(text, use=False) is not None:
            return None
        kind = bare(left.type)
        if isinstance(kind, PieceType):
            for kind_type, at in self.world.kinds.get(text, ()):
                if kind_type.index == kind.index:
                    self.must_fit(left, kind)
                    of = ir.KindOf(kind_type, left, span=left.span)
                    return ir.Compare(TRUTH, "=", of, ir.Const(kind_type, at), span=span)
        for signature in self.world.signatures.get(text, ()):
            if signature.predicate and fits(left.type, signature.types[0]):
                return self.functions.call(signature, (left,), span)
        if text == "empty":
            return ir.IsEmpty(TRUTH, self.as_set(left), span=span)
        if text == "playing":
            self.must_fit(left, PLAYER)
            return ir.Playing(TRUTH, left, span=span)
        said = [each for each in self.world.signatures.get(text, ()) if each.predicate]
        if said and self.literal(text, kind, span) is None:
            near = next((each for each in said if fits(kind, each.types[0])), None)
            if near is not None:
                self.must_fit(left, near.types[0])
                return self.functions.call(near, (left,), span)
            self.diagnostics.error(
                "wrong-type",
                f"`{text}` is said of {self.world.a(said[0].types[0])}, "
                f"and this is {self.world.a(left.type)}",
                left.span,
            )
            return ir.Const(BROKEN, None, span=span)
        return None

    def is_in(self, expr: s.Expr, left: s.Expr, right: s.Expr, negated: bool) -> ir.Expr:
        where = self.set(right)
        wanted = where.type.of if isinstance(where.type, SetType) else BROKEN
        item = self.expr(left, wanted)
        if not fits(bare(item.type), wanted):
            self.diagnostics.error(
                "wrong-type",
                f"this is {self.world.a(item.type)}, and never among {self.world.many(wanted)}",
                item.span,
            )
        found = ir.Includes(TRUTH, where, item, span=expr.span)
        return ir.Not(TRUTH, found, span=expr.span) if negated else found

    # ------------------------------------------------------------ binders

    def binder(self, binder: s.Binder, keep: bool = False) -> tuple[ir.Binder, Variable]:
        """What is taken from where. The name holds in `where`; with `keep` also afterwards,
        in the block the caller has opened."""
        source, type, singular = self.source(binder)
        name = binder.alias or s.Name(singular, binder.noun.span)
        taken = self.scope.find(name.text, use=False) is not None
        if taken and binder.alias is None and binder.where is None and not keep:
            slot = self.scope.new_slot(name.text, type)
            variable = Variable(name.text, slot, type, name.span)
            return ir.Binder(slot, name.text, type, source, None, span=binder.span), variable
        if keep:
            variable = self.scope.declare(name.text, type, name.span)
            where = self.truth(binder.where) if binder.where is not None else None
        else:
            with self.scope.block():
                variable = self.scope.declare(name.text, type, name.span)
                where = self.truth(binder.where) if binder.where is not None else None
        found = ir.Binder(variable.slot, name.text, type, source, where, span=binder.span)
        return found, variable

    def source(self, binder: s.Binder) -> tuple[ir.Expr, Type, str]:
        """The set a binder takes from, the type of its members, and what one is called."""
        noun, world = binder.noun, self.world
        type = world.type_named(noun.text)
        singular = world.singular(noun.text)
        if binder.start is not None and (type != PLAYER or binder.source is not None):
            start = self.expr(binder.start)
            self.diagnostics.error(
                "wrong-type",
                "`from` says with which player to begin",
                binder.start.span,
                hint="what is taken out of a place or a set stands after `in`: `card in pile`",
            )
            members = (
                self.world.held(start.type.index) if isinstance(start.type, PlaceType) else BROKEN
            )
            return ir.Const(SetType(members), None, span=noun.span), members, singular
        if binder.start is not None:
            start = self.player(binder.start)
            return ir.PlayersFrom(SetType(PLAYER), start, span=noun.span), PLAYER, singular
        if binder.source is not None:
            source = self.set(binder.source)
            members = source.type.of if isinstance(source.type, SetType) else BROKEN
            if type is None and isinstance(members, (PieceType, PlaceType, WordType)):
                many = world.many(members)
                self.diagnostics.error(
                    "unknown-name",
                    f"there is nothing called `{noun.text}`; these are {many}",
                    noun.span,
                    hint=world.suggest(noun.text, [str(members), many])
                    or f"to give one of them a name, say `{members} as {noun.text}`",
                )
            elif type is not None and not fits(bare(members), type):
                self.diagnostics.error(
                    "wrong-type",
                    f"these are {world.many(members)}, not {world.many(type)}",
                    noun.span,
                )
            return source, members, singular
        variable = self.scope.find(noun.text)
        if variable is not None and isinstance(variable.type, SetType):
            local = ir.Local(variable.type, variable.slot, noun.text, span=noun.span)
            return local, variable.type.of, variable.members or f"one of {noun.text}"
        if type is None and variable is None:
            thing = self.thing(noun)
            if thing is not None and isinstance(thing.type, SetType):
                return thing, thing.type.of, str(thing.type.of)
        if type is None or (isinstance(type, NumberType) and not type.listed) or type == TRUTH:
            self.no_such(noun, type, variable)
            return ir.Const(SetType(BROKEN), None, span=noun.span), BROKEN, singular
        return ir.Domain(SetType(type), type, span=noun.span), type, singular

    def no_such(self, noun: s.Name, type: Type | None, variable: Variable | None) -> None:
        """Nothing can be taken by this noun."""
        text, world = noun.text, self.world
        if type is not None:
            self.diagnostics.error(
                "wrong-type",
                f"{world.many(type)} cannot be listed one by one",
                noun.span,
                hint="say from where: `number in 1..6`",
            )
        elif variable is not None or text in world.family_types or text in world.marker_index:
            what = world.a(variable.type) if variable is not None else "one thing"
            self.diagnostics.error(
                "wrong-type",
                f"`{text}` is {what}, and nothing to take things from",
                noun.span,
                hint=None
                if variable is not None and not isinstance(bare(variable.type), PlaceType)
                else f"say what is taken: `card in {text}`",
            )
        else:
            nouns = [*world.types, *world.plurals, *self.scope.names()]
            kinds = [str(each) for each, _ in world.kinds.get(text, ())]
            self.diagnostics.error(
                "unknown-name",
                f"there is nothing called `{text}`",
                noun.span,
                hint=f"say `{kinds[0]} where {kinds[0]} is {text}`"
                if kinds
                else world.suggest(text, nouns)
                or "a piece, a place, a word set or `player` is named here",
            )

    def never_empty(self, binder: ir.Binder) -> bool:
        """Whether a binder surely finds something: a whole, non-empty type without a condition."""
        if binder.where is not None:
            return False
        match binder.source:
            case ir.Domain(of=PieceType(index=index)):
                return any(kind.count for kind in self.world.pieces[index].kinds)
            case ir.Domain(of=WordType(index=index)):
                return bool(self.world.word_sets[index].words)
            case ir.Domain() | ir.PlayersFrom():
                return True
            case ir.ListOf(items=items):
                return bool(items)
            case ir.Range(low=ir.Const(value=int(low)), high=ir.Const(value=int(high))):
                return low <= high
            case _:
                return False
