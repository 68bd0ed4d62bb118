"""Resolves names in code: a word alone, and the meanings of `is` between two things."""

from __future__ import annotations

import re
from collections.abc import Iterable

from lawspeaker import ir
from lawspeaker.base.diagnostics import Label
from lawspeaker.base.source import Span
from lawspeaker.meaning.check.checker import CodeChecker
from lawspeaker.meaning.check.fitting import COMPARABLE_TO_NOTHING, bare, fits, remedy
from lawspeaker.meaning.check.forms import forms_of
from lawspeaker.meaning.check.meanings import Hole
from lawspeaker.text import syntax as s
from lawspeaker.text.document import Scalar

BUILT_IN_PREDICATES = ("empty", "playing")
_SPELLED = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety "
    "hundred thousand"
)
_NUMBERS = zip(_SPELLED.split(), (*range(20), *range(20, 101, 10), 1_000), strict=True)
HABITS = {
    **{word: f"numbers are written in digits; write `{number}`" for word, number in _NUMBERS},
    **dict.fromkeys(("true", "false"), "write `yes` or `no`"),
    **dict.fromkeys(("none", "null", "nil", "nobody"), "write `nothing`"),
    "each": "write `for each …:`",
    "everyone": "all who play are `players`: `players score 1`, `players win`",
}
_FORMS = re.compile(
    r"\b((?:count of|number of|all|the|(?:sum of|highest of|lowest of|collect) .* for each) .*)"
    r" where$"
)
"""Matches a form with a binder of its own, up to its condition."""


def nearly_plural(one: str, many: str) -> bool:
    """Whether `many` could be the plural of `one`."""
    return many in (f"{one}s", f"{one}es", f"{one[:-1]}ies" if one.endswith("y") else f"{one}s")


def done_alone(clause: str) -> str:
    """A hint for a clause that was used as a value."""
    return (
        f"write `do {clause}` on a line of its own; or, if it has an outcome, "
        f"`let found be {clause}`, and use `found` here"
    )


_KEPT = "to have it later, give it a name: `let NAME be the combination of …`"


def _has(meanings: Iterable[tuple[ir.Type, object]], wanted: ir.Type) -> bool:
    return any(type == wanted for type, _ in meanings)


class Names(CodeChecker):
    """Resolves the names of one clause."""

    def known(self, word: s.Word) -> bool:
        return word.name.text in self.names() or self.world.is_lost(word.name.text)

    def candidates(self) -> tuple[str, ...]:
        """All names that an unknown name may have been meant to be."""
        return (*self.names(), *self.world.lost)

    def fitting(self, expected: ir.Type | None) -> tuple[str, ...]:
        """The words, kinds and players of an expected type, which an unknown name beside something
        of this type most probably means."""
        wanted = expected.of if isinstance(expected, ir.MaybeType) else expected
        if wanted is None:
            return ()
        of_sets = [text for text, all_of in self.world.words.items() if _has(all_of, wanted)]
        kinds = [text for text, all_of in self.world.kinds.items() if _has(all_of, wanted)]
        found = (*of_sets, *kinds)
        return (*found, *self.world.player_names) if wanted == ir.PLAYER else found

    def values(self) -> frozenset[str]:
        """The names that are values when they stand alone: no nouns, no places of each player."""
        world = self.world
        places = [each.name for each in world.families if not each.indices]
        known = (world.words, world.kinds, world.choice_index, world.player_names, places)
        return frozenset(name for some in (self.scope.names(), *known) for name in some)

    def names(self) -> tuple[str, ...]:
        own = (*self.scope.names(), *self.world.all_names())
        return (*own, *BUILT_IN_PREDICATES, "nothing")

    # ------------------------------------------------------------ names

    def word(self, name: s.Name, expected: ir.Type | None) -> ir.Expr:
        """Resolves a name that stands alone."""
        text, span = name.text, name.span
        if self.is_hole(name, Hole(expected=expected)):
            return ir.Const(ir.BROKEN, None, span=span)
        variable = self.scope.find(text)
        if variable is not None:
            self.meant(name, variable)
            return ir.Local(variable.type, variable.slot, text, span=span)
        if text in self.scope.perhaps:
            self.perhaps_chosen(name)
            return ir.Const(ir.BROKEN, None, span=span)
        literal = self.literal(text, expected, span)
        thing = self.thing(name) if literal is None or expected is None else None
        found = thing or literal
        if found is not None:
            self.meant(name, found)
            return found
        if not isinstance(expected, ir.BrokenType):
            self.unknown(name, expected)
        return ir.Const(ir.BROKEN, None, span=span)

    def perhaps_chosen(self, name: s.Name) -> None:
        """Reports a use of a choice that a joined alternative may have skipped."""
        joining = self.scope.perhaps[name.text]
        if (self.clause, name.text) in self.world.told:
            return
        self.world.told.add((self.clause, name.text))
        self.diagnostics.error(
            "which-one",
            f"perhaps no {name.text} was chosen, since `{joining.id}` offers something else",
            name.span,
            Label(joining.key_span("joins"), "joined here"),
            hint=f"put what is done with the {name.text} below `then:` of the question",
        )

    def type_of(self, name: s.Name) -> ir.Type | None:
        """The type of what a name denotes, unless it is a word, a kind or a player."""
        if name.text in self.scope.unsure:
            return ir.BROKEN
        variable = self.scope.find(name.text, use=False)
        if variable is not None:
            return variable.type
        thing = self.thing(name)
        return thing.type if thing is not None else None

    def unknown(self, name: s.Name, expected: ir.Type | None) -> None:
        """Reports an unknown name, with what the author may have meant."""
        text, span, world = name.text, name.span, self.world
        if world.is_lost(text) or (self.clause, text) in world.told:
            return
        if self.reaches_too_far(name):
            return
        meanings = [world.a(type) for type, _ in world.words.get(text, ())]
        meanings += [world.a(type) for type, _ in world.kinds.get(text, ())]
        meanings += ["a player"] if text in world.player_names else []
        meant: list[ir.Type] = [type for type, _ in (*world.kinds.get(text, ()),)]
        meant += [type for type, _ in world.words.get(text, ()) if type == world.side]
        meant += [ir.PLAYER] if text in world.player_names else []
        callables = world.signatures.get(text)
        family = world.family_types.get(text)
        if meanings and expected is not None:
            self.diagnostics.error(
                "wrong-type",
                f"`{text}` is {' or '.join(meanings)}, but {world.a(expected)} is needed here",
                span,
                hint=remedy(meant[0], expected) if meant else None,
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
            marker = world.markers[world.marker_index[text]]
            both = " and ".join(f"each {index.name}" for index in marker.indices)
            said = forms_of(world)[text][0]
            whose = marker.per_player and len(marker.indices) == 1
            self.diagnostics.error(
                "which-one",
                f"every player has a marker `{text}`" if whose else f"`{text}` is one for {both}",
                span,
                hint=f"say {'whose' if whose else 'which'}: `{said}`",
            )
        elif text in world.types:
            self.diagnostics.error(
                "which-one",
                f"it is not said which {text} is meant",
                span,
                hint=f"a name is given by `let`, by `for each {text}:`, by a choice or by `given:`",
            )
            world.told.add((self.clause, text))
        elif text in world.positions:
            self.diagnostics.error(
                "wrong-type",
                f"`{text}` remembers positions, and is no value",
                span,
                hint=f"write `{text} is new`, `appearances of {text}`, or `remember {text}`",
            )
        else:
            hint = _KEPT if text in self.scope.unnamed else None
            hint = hint or HABITS.get(text) or self.own_noun(text)
            hint = hint or self.named_elsewhere(name) or self.whose(text)
            if hint is None and text in world.procedures:
                hint = f"it is a clause: {done_alone(text)}"
            self.diagnostics.error(
                "unknown-name",
                f"nothing here is called `{text}`",
                span,
                hint=hint
                or world.suggest(text, self.fitting(expected))
                or world.suggest(text, self.candidates(), self.values())
                or world.suggest(text, world.procedures)
                or _changing(name),
            )
            world.lose(text)

    def reaches_too_far(self, name: s.Name) -> bool:
        """Reports a condition that belongs to an inner form, as in `number in 1..count of cards
        where number > 2`, where `number` is bound outside."""
        inner = self.binders[-1] if self.binders else None
        if inner is None or inner.where is None or name.span.start < inner.where.span.start:
            return False
        for binder in self.binders[:-1]:
            one = binder.alias.text if binder.alias else self.world.singular(binder.noun.text)
            if name.text != one or binder.source is None:
                continue
            file, begins = binder.source.span.file, binder.source.span.start
            said = " ".join(Span(file, begins, inner.where.span.start).text.split())
            form = _FORMS.search(said)
            if form is None:
                continue
            self.diagnostics.error(
                "unknown-name",
                f"this `where` belongs to `{form[1]}`, which knows no `{name.text}`",
                name.span,
                hint=f"to ask it of each `{name.text}`, write brackets: "
                f"`{said[: form.start()]}({form[1]}) where …`",
            )
            return True
        return False

    def named_elsewhere(self, name: s.Name) -> str | None:
        """The place where the clause binds the name by `let`, if that is out of scope here."""
        entry = self.world.entry_of(self.clause)
        for key in ("rule", "as"):
            code = entry.get(key) if entry is not None else None
            if not isinstance(code, Scalar) or code.content.file != name.span.file:
                continue
            given = re.search(rf"\blet\s+({re.escape(name.text)})\s+be\b", code.content.text)
            if given is None:
                continue
            at = code.content.start + given.start(1)
            line = Span(code.content.file, at, at).line
            if at > name.span.start:
                return f"it gets its name only below, in line {line}; a name holds after its `let`"
            return f"the `let` of line {line} holds in its own block only; say it before the block"
        return None

    def own_noun(self, text: str) -> str | None:
        """A hint for the plural of a bound noun that is not a type."""
        nouns = [each.noun.text for each in self.binders if each.alias is None]
        for noun in nouns:
            if nearly_plural(text, noun) and self.world.type_named(noun) is None:
                return (
                    f"`{noun}` is a name of your own and has no singular: write `{text} in …`, and "
                    f"it is called `{text}`"
                )
        return None

    def whose(self, text: str) -> str | None:
        """A hint for `player.hand`: how possession is written."""
        owner, _, thing = text.partition(".")
        known = (*self.scope.names(), *self.world.marker_index, *self.world.player_names)
        return f"say whose with `of`: `{thing} of {owner}`" if thing and owner in known else None

    def literal(self, text: str, expected: ir.Type | None, span: Span) -> ir.Expr | None:
        """A word of a set, a kind or a player; the expected type resolves ambiguity."""
        world = self.world
        found: list[ir.Expr] = []
        for word_type, at in world.words.get(text, ()):
            found.append(ir.Const(word_type, at, span=span))
        for kind_type, at in world.kinds.get(text, ()):
            found.append(ir.Const(kind_type, at, span=span))
        if text in world.player_names:
            found.append(ir.Const(ir.PLAYER, world.player_names.index(text), span=span))
        if expected is not None:
            wanted = bare(expected)
            return next((each for each in found if each.type == wanted), None)
        return found[0] if len(found) == 1 else None

    def is_literal(self, text: str) -> bool:
        world = self.world
        return text in world.words or text in world.kinds or text in world.player_names

    def thing(self, name: s.Name) -> ir.Expr | None:
        """A place, marker, choice, value without operands, or all things of a type."""
        text, span, world = name.text, name.span, self.world
        if text in world.marker_index:
            index = world.marker_index[text]
            marker = world.markers[index]
            if not marker.indices:
                return ir.MarkerValue(marker.type, index, (), span=span)
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
                self.meant(name, signature)
                return self.functions.call(signature, (), span)
        for index, family in enumerate(world.families):
            if family.grid and text in (f"occupied_{family.plural}", f"open_{family.plural}"):
                node = ir.Occupied if text.startswith("occupied") else ir.OpenPlaces
                return node(ir.SetType(ir.PlaceType(family.name, index)), index, span=span)
        if text == "player_count":
            return ir.PlayerCount(ir.NUMBER, span=span)
        if text in world.plurals and world.plurals[text] in world.types:
            type = world.types[world.plurals[text]]
            if not (isinstance(type, ir.NumberType) and not type.listed):
                self.means_all(text, span)
                return ir.Domain(ir.SetType(type), type, span=span)
        return None

    def means_all(self, text: str, span: Span) -> None:
        """Reports the name of a chosen set that is out of scope, and would mean all of a type."""
        if text in self.scope.unnamed:
            self.diagnostics.error(
                "which-one",
                f"the combination has no name any more; all {text} would be meant",
                span,
                Label(self.scope.unnamed[text], "asked for here"),
                hint=_KEPT,
            )
        chosen = self.scope.unsure.get(text)
        if chosen is not None:
            self.diagnostics.error(
                "which-one",
                f"here it is not sure that any {text} were chosen; all {text} would be meant",
                span,
                Label(chosen, "chosen here"),
                hint="use them in `then:`, or leave with `otherwise: finish`; if all are meant, "
                f"give those chosen another name: `{text} as chosen_{text}`",
            )

    # ------------------------------------------------------------ is

    def is_(self, expr: s.Is) -> ir.Expr:
        found = self.same(expr)
        return ir.Not(ir.TRUTH, found, span=expr.span) if expr.negated else found

    def same(self, expr: s.Is) -> ir.Expr:
        span = expr.span
        match expr:
            case s.Is(s.Call(name, arguments), s.Word(s.Name("possible"))) if self.is_rule(name):
                return self.possible(name, arguments, span)
            case s.Is(s.Word(name), s.Word(s.Name("possible"))) if self.is_rule(name):
                return self.possible(name, (), span)
            case s.Is(s.Word(name), s.Word(s.Name("new"))):
                position = self.position(name.text)
                if position is not None:
                    found = ir.Appearances(ir.NUMBER, position, span=span)
                    return ir.Compare(ir.TRUTH, "=", found, ir.Const(ir.NUMBER, 0), span=span)
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
        return self.sameness(left, right, span)

    def sameness(self, left: ir.Expr, right: ir.Expr, span: Span) -> ir.Expr:
        """Equality of two things; of a piece and a kind, whether the piece is of that kind."""
        match bare(left.type), bare(right.type):
            case ir.PieceType(index=piece), ir.KindType(index=kind) if piece == kind:
                left = self.kind_of(left)
            case ir.KindType(index=kind), ir.PieceType(index=piece) if piece == kind:
                right = self.kind_of(right)
        if isinstance(left.type, ir.SetType) or isinstance(right.type, ir.SetType):
            self.diagnostics.error(
                "wrong-type",
                "sets are not compared with `is`",
                span,
                hint="say `is empty`, `is in`, or compare how many there are",
            )
        elif not (fits(bare(left.type), bare(right.type)) or self.nothing_fits(left, right)):
            one, two = self.world.a(left.type), self.world.a(right.type)
            unset = any(isinstance(each.type, ir.NothingType) for each in (left, right))
            number = any(isinstance(bare(each.type), ir.NumberType) for each in (left, right))
            self.diagnostics.error(
                "wrong-type",
                f"this is {one}, and never {two}",
                span,
                hint="a number is there from the start, and is the lowest it can be until "
                "something else is said: compare it with that"
                if unset and number
                else None,
            )
        return ir.Compare(ir.TRUTH, "=", left, right, span=span)

    def position(self, name: str) -> int | None:
        """The index of remembered positions by name."""
        if self.scope.find(name, use=False) is not None or name not in self.world.positions:
            return None
        self.world.used.looked_up.add(name)
        return list(self.world.positions).index(name)

    def is_rule(self, name: s.Name) -> bool:
        """Whether a name denotes a clause, and nothing else."""
        world = self.world
        return (
            name.text in world.procedures
            and name.text not in world.signatures
            and name.text not in world.family_types
            and self.scope.find(name.text, use=False) is None
        )

    def possible(self, name: s.Name, arguments: tuple[s.Expr, ...], span: Span) -> ir.Expr:
        """Reports `laying(tile) is possible` in a defined value; rules override this."""
        self.diagnostics.error(
            "cannot-do",
            f"whether `{name.text}` is possible can be asked only in a rule",
            span,
            hint="ask it in a guard or a condition of a clause with `rule:`",
        )
        return ir.Const(ir.BROKEN, None, span=span)

    def nothing_fits(self, left: ir.Expr, right: ir.Expr) -> bool:
        if isinstance(left, ir.Local) and left.slot in self.scope.outcomes:
            return isinstance(right.type, ir.NothingType)
        return (
            isinstance(left.type, ir.NothingType) and isinstance(right.type, COMPARABLE_TO_NOTHING)
        ) or (
            isinstance(right.type, ir.NothingType) and isinstance(left.type, COMPARABLE_TO_NOTHING)
        )

    def predicate(self, left: ir.Expr, name: s.Name, expr: s.Is) -> ir.Expr | None:
        """`piece is KIND`, `set is empty`, `player is playing`, `field is free`."""
        text, span = name.text, expr.span
        if self.scope.find(text, use=False) is not None:
            return None
        kind = bare(left.type)
        if isinstance(kind, ir.PieceType):
            for kind_type, at in self.world.kinds.get(text, ()):
                if kind_type.index == kind.index:
                    of, one = self.kind_of(left), ir.Const(kind_type, at)
                    self.meant(name, one)
                    return ir.Compare(ir.TRUTH, "=", of, one, span=span)
        for signature in self.world.signatures.get(text, ()):
            if signature.predicate and fits(left.type, signature.types[0]):
                self.meant(name, signature)
                return self.functions.call(signature, (left,), span)
        if text == "empty":
            return ir.IsEmpty(ir.TRUTH, self.as_set(left), span=span)
        if text == "playing":
            self.must_fit(left, ir.PLAYER)
            return ir.Playing(ir.TRUTH, left, span=span)
        said = [each for each in self.world.signatures.get(text, ()) if each.predicate]
        if said and self.literal(text, kind, span) is None:
            near = next((each for each in said if fits(kind, each.types[0])), None)
            if near is not None:
                self.must_fit(left, near.types[0])
                self.meant(name, near)
                return self.functions.call(near, (left,), span)
            self.diagnostics.error(
                "wrong-type",
                f"`{text}` is said of {self.world.a(said[0].types[0])}, "
                f"and this is {self.world.a(left.type)}",
                left.span,
            )
            return ir.Const(ir.BROKEN, None, span=span)
        return None

    def is_in(self, expr: s.Expr, left: s.Expr, right: s.Expr, negated: bool) -> ir.Expr:
        if isinstance(right, s.ListOf) and self.is_told(left):
            item = self.expr(left)
            if self.is_kind_of(right, bare(item.type)):
                item = self.kind_of(item)
            where = self.expr(right, ir.SetType(bare(item.type)))
        else:
            where = self.set(right)
            item = self.expr(
                left, where.type.of if isinstance(where.type, ir.SetType) else ir.BROKEN
            )
        found = self.among(item, where, expr.span)
        return ir.Not(ir.TRUTH, found, span=expr.span) if negated else found

    def among(self, item: ir.Expr, where: ir.Expr, span: Span) -> ir.Expr:
        """Membership of a thing in a set."""
        wanted = where.type.of if isinstance(where.type, ir.SetType) else ir.BROKEN
        if not fits(bare(item.type), wanted):
            self.diagnostics.error(
                "wrong-type",
                f"this is {self.world.a(item.type)}, and never among {self.world.many(wanted)}",
                item.span,
            )
        return ir.Includes(ir.TRUTH, where, item, span=span)

    def is_told(self, expr: s.Expr) -> bool:
        """Whether an expression has a meaning without an expected type."""
        return not isinstance(expr, s.Word) or self.type_of(expr.name) is not None

    def is_kind_of(self, items: s.ListOf, type: ir.Type) -> bool:
        """Whether a list begins with a kind of these pieces."""
        if not isinstance(type, ir.PieceType) or not items.items:
            return False
        first = items.items[0]
        if not isinstance(first, s.Word) or self.type_of(first.name) is not None:
            return False
        kinds = self.world.kinds.get(first.name.text, ())
        return any(kind.index == type.index for kind, _ in kinds)

    @staticmethod
    def kind_of(piece: ir.Expr) -> ir.Expr:
        """The kind of a piece; nothing has no kind."""
        of = bare(piece.type)
        assert isinstance(of, ir.PieceType)
        kind = ir.KindType(of.name, of.index)
        maybe = isinstance(piece.type, ir.MaybeType)
        return ir.KindOf(ir.MaybeType(kind) if maybe else kind, piece, span=piece.span)


def _changing(name: s.Name) -> str | None:
    """A hint for assigning to an unknown name: where mutable values are declared."""
    text, span = name.span.file.text, name.span
    begins = not text[text.rfind("\n", 0, span.start) + 1 : span.start].strip()
    if not begins or not re.compile(r" +(becomes|increases|decreases)\b").match(text, span.end):
        return None
    return (
        f"what changes is declared under `markers:`, as `{name.text}: {{shows: …}}`; a name that "
        f"only this clause needs is given by `let {name.text} be …`"
    )
