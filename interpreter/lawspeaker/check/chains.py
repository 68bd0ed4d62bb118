"""Chains of words with `of`, `on`, `at` …: which word takes which operand.

`strength of owner of piece on hill` is read from the left. A word that can be followed by the
next preposition takes what comes after it as its operand, and that operand takes as much as it
can before the word asks for its next preposition. Where a word has several meanings, the type of
its first operand decides.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lawspeaker import ir
from lawspeaker import syntax as s
from lawspeaker.check.world import Signature
from lawspeaker.diagnostics import did_you_mean
from lawspeaker.source import Span
from lawspeaker.types import (
    BROKEN,
    NUMBER,
    PLAYER,
    BrokenType,
    KindType,
    MaybeType,
    NumberType,
    PieceType,
    PlaceType,
    SetType,
    Type,
    WordType,
)

if TYPE_CHECKING:
    from lawspeaker.check.expressions import Expressions

BUILT_IN = ("number", "owner", "kind", "score", "left_neighbour", "right_neighbour", "top", "item")
CALLS = ("remainder", "smaller", "larger")

Links = tuple[tuple[s.Name, s.Expr], ...]


class Chains:
    def __init__(self, code: Expressions) -> None:
        self.code = code
        self.world = code.world
        self.diagnostics = code.diagnostics

    def chain(self, head: s.Expr, links: Links, span: Span) -> ir.Expr:
        items = [head, *(operand for _, operand in links)]
        words = [word for word, _ in links]
        found, at = self.take(items, words, 0)
        if at < len(words):
            self.stray(words[at], items[at])
        return found

    def stray(self, word: s.Name, before: s.Expr) -> None:
        name = before.name.text if isinstance(before, s.Word) else "this"
        known = self.world.signatures.get(name, ())
        hint = f"it is called `{known[0]}`" if known else None
        if hint is None and isinstance(before, s.Word):
            callables = [*self.world.signatures, *self.accessors(), *BUILT_IN]
            hint = did_you_mean(name, [each for each in callables if each != name])
        self.diagnostics.error(
            "stray-preposition",
            f"`{name}` takes nothing with `{word.text}`",
            before.span.to(word.span),
            hint=hint,
        )

    def accessors(self) -> set[str]:
        world = self.world
        names = {column.name for each in world.word_sets for column in each.columns}
        for piece in world.pieces:
            names.update(column.name for column in piece.columns)
            names.update(state.name for state in piece.states)
        names.update(index.name for family in world.families for index in family.indices)
        names.update(family.name for family in world.families)
        names.update(marker.name for marker in world.markers if marker.per_player)
        return names

    # ------------------------------------------------------------ reading

    def take(self, items: list[s.Expr], words: list[s.Name], at: int) -> tuple[ir.Expr, int]:
        """Reads item `at` with the operands that belong to it; and the place after them."""
        item = items[at]
        if isinstance(item, s.Word) and at < len(words):
            name, word = item.name, words[at].text
            if self.takes(name.text, word):
                operand, after = self.take(items, words, at + 1)
                return self.apply(name, word, operand, items, words, after)
        return self.code.expr(item), at

    def takes(self, name: str, word: str) -> bool:
        world = self.world
        if any(each.prepositions[:1] == (word,) for each in world.signatures.get(name, ())):
            return True
        if word == "at":
            at = world.choice_index.get(name)
            return at is not None and isinstance(world.choices[at].type, SetType)
        return word == "of" and (name in BUILT_IN or name in self.accessors())

    def apply(
        self,
        name: s.Name,
        word: str,
        operand: ir.Expr,
        items: list[s.Expr],
        words: list[s.Name],
        after: int,
    ) -> tuple[ir.Expr, int]:
        span = name.span.to(operand.span)
        if isinstance(operand.type, BrokenType):
            wanted = list(self.world.signatures.get(name.text, ()))
            while wanted and after < len(words):
                _, after = self.take(items, words, after + 1)
            return ir.Const(BROKEN, None, span=span), after
        for signature in self.world.signatures.get(name.text, ()):
            if signature.prepositions[:1] == (word,) and self.fits(operand, signature.types[0]):
                return self.function(signature, operand, items, words, after, span)
        if word == "at":
            index = self.world.choice_index[name.text]
            choice = self.world.choices[index]
            type = choice.type.of if isinstance(choice.type, SetType) else BROKEN
            self.code.must_fit(operand, NUMBER)
            return ir.ChoiceItem(type, index, operand, span=span), after
        if name.text == "item":
            return self.item(operand, items, words, after, span)
        found = self.accessor(name.text, operand, span)
        if found is None:
            self.no_such(name, word, operand)
            found = ir.Const(BROKEN, None, span=span)
        return found, after

    def fits(self, operand: ir.Expr, type: Type) -> bool:
        from lawspeaker.check.expressions import bare, fits

        return fits(bare(operand.type), type)

    def function(
        self,
        signature: Signature,
        first: ir.Expr,
        items: list[s.Expr],
        words: list[s.Name],
        after: int,
        span: Span,
    ) -> tuple[ir.Expr, int]:
        self.code.must_fit(first, signature.types[0])
        arguments = [first]
        for word, type in zip(signature.prepositions[1:], signature.types[1:], strict=True):
            if after >= len(words) or words[after].text != word:
                self.diagnostics.error(
                    "missing-operand",
                    f"`{signature.name}` needs something with `{word}`",
                    span,
                    hint=f"it is called `{signature}`",
                )
                return ir.Const(BROKEN, None, span=span), after
            after += 1
            operand, after = self.operand(items, words, after, type)
            self.code.must_fit(operand, type)
            arguments.append(operand)
            span = span.to(operand.span)
        return self.code.functions.call(signature, tuple(arguments), span), after

    def operand(
        self, items: list[s.Expr], words: list[s.Name], at: int, type: Type
    ) -> tuple[ir.Expr, int]:
        item = items[at]
        if (
            isinstance(item, s.Word)
            and at < len(words)
            and self.takes(item.name.text, words[at].text)
        ):
            return self.take(items, words, at)
        return self.code.expr(item, type), at

    def item(
        self,
        place: ir.Expr,
        items: list[s.Expr],
        words: list[s.Name],
        after: int,
        span: Span,
    ) -> tuple[ir.Expr, int]:
        """`item of PLACE at NUMBER`."""
        if after >= len(words) or words[after].text != "at":
            self.diagnostics.error("missing-operand", "say which: `item of PLACE at NUMBER`", span)
            return ir.Const(BROKEN, None, span=span), after
        number, end = self.operand(items, words, after + 1, NUMBER)
        self.code.must_fit(number, NUMBER)
        contents = self.code.as_set(place)
        if not isinstance(contents.type, SetType) or not isinstance(place.type, PlaceType):
            return ir.Const(BROKEN, None, span=span), end
        return ir.ItemOf(contents.type.of, place, number, span=span.to(number.span)), end

    def no_such(self, name: s.Name, word: str, operand: ir.Expr) -> None:
        others = [
            str(each)
            for each in self.world.signatures.get(name.text, ())
            if each.prepositions[:1] == (word,)
        ]
        self.diagnostics.error(
            "wrong-type",
            f"{operand.type} has no `{name.text}`",
            name.span.to(operand.span),
            hint=f"there is `{others[0]}`" if others else None,
        )

    # ------------------------------------------------------------ what can follow `of`

    def accessor(self, name: str, operand: ir.Expr, span: Span) -> ir.Expr | None:
        type = operand.type.of if isinstance(operand.type, MaybeType) else operand.type
        found: ir.Expr | None = None
        match type:
            case WordType(index=index):
                found = self.word_column(name, index, operand, span)
            case PieceType(index=index):
                found = self.of_piece(name, index, operand, span)
            case KindType(index=index):
                found = self.kind_column(name, index, operand, span)
            case PlaceType(index=index):
                found = self.of_place(name, index, operand, span)
            case _ if type == PLAYER:
                found = self.of_player(name, operand, span)
        if found is not None:
            self.code.must_fit(operand, type)
        return found

    def word_column(self, name: str, index: int, of: ir.Expr, span: Span) -> ir.Expr | None:
        if name == "number":
            return ir.NumberOf(NUMBER, of, span=span)
        for at, column in enumerate(self.world.word_sets[index].columns):
            if column.name == name:
                return ir.WordColumn(column.type, index, at, of, span=span)
        return None

    def kind_column(self, name: str, index: int, of: ir.Expr, span: Span) -> ir.Expr | None:
        for at, column in enumerate(self.world.pieces[index].columns):
            if column.name == name:
                return ir.KindColumn(column.type, index, at, of, span=span)
        return None

    def of_piece(self, name: str, index: int, of: ir.Expr, span: Span) -> ir.Expr | None:
        piece = self.world.pieces[index]
        for at, state in enumerate(piece.states):
            if state.name == name:
                return ir.PieceState(state.type, index, at, of, span=span)
        column = self.kind_column(name, index, of, span)
        if column is not None:
            return column
        if name == "kind":
            return ir.KindOf(KindType(piece.name, index), of, span=span)
        if name == "owner" and piece.per_player:
            return ir.OwnerOf(PLAYER, of, span=span)
        family = self.world.family_types.get(name)
        if family is not None and self.world.families[family.index].holds == index:
            return ir.PlaceOf(MaybeType(family), family.index, of, span=span)
        return None

    def of_place(self, name: str, index: int, of: ir.Expr, span: Span) -> ir.Expr | None:
        family = self.world.families[index]
        for at, column in enumerate(family.indices):
            if column.name == name or (name == "number" and isinstance(column.type, NumberType)):
                return ir.PlaceIndex(column.type, index, at, of, span=span)
        if name == "owner" and family.per_player:
            return ir.OwnerOf(PLAYER, of, span=span)
        if name == "top":
            piece = PieceType(self.world.pieces[family.holds].name, family.holds)
            return ir.TopOf(MaybeType(piece), of, span=span)
        nested = self.world.family_types.get(name)
        if nested is not None:
            indices = self.world.families[nested.index].indices
            if len(indices) == 1 and indices[0].type == of.type:
                return ir.PlaceAt(nested, nested.index, (of,), span=span)
        return None

    def of_player(self, name: str, of: ir.Expr, span: Span) -> ir.Expr | None:
        world = self.world
        if name == "score":
            return ir.ScoreOf(NUMBER, of, span=span)
        if name == "number":
            return ir.NumberOf(NUMBER, of, span=span)
        if name in ("left_neighbour", "right_neighbour"):
            return ir.Neighbour(PLAYER, of, 1 if name == "left_neighbour" else -1, span=span)
        marker = world.marker_index.get(name)
        if marker is not None and world.markers[marker].per_player:
            return ir.MarkerValue(world.markers[marker].type, marker, of, span=span)
        family = world.family_types.get(name)
        if family is not None:
            known = world.families[family.index]
            if known.per_player and len(known.indices) == 1:
                return ir.PlaceAt(family, family.index, (of,), span=span)
        return None

    # ------------------------------------------------------------ calls with brackets

    def call(self, name: s.Name, arguments: tuple[s.Expr, ...], span: Span) -> ir.Expr:
        text, world = name.text, self.world
        if text in CALLS:
            types: tuple[Type, ...] = (NUMBER, NUMBER)
            checked = self.arguments(name, arguments, types, f"{text}(number, number)")
            if checked is None:
                return ir.Const(BROKEN, None, span=span)
            return ir.Arithmetic(NUMBER, text, *checked, span=span)
        family = world.family_types.get(text)
        if family is not None:
            columns = world.families[family.index].indices
            form = f"{text}({', '.join(column.name for column in columns)})" if columns else text
            checked = self.arguments(name, arguments, tuple(each.type for each in columns), form)
            if checked is None:
                return ir.Const(BROKEN, None, span=span)
            return ir.PlaceAt(family, family.index, checked, span=span)
        signatures = [each for each in world.signatures.get(text, ()) if not each.predicate]
        if signatures:
            fitting = [each for each in signatures if len(each.types) == len(arguments)]
            best = (fitting or signatures)[0]
            checked = self.arguments(name, arguments, best.types, str(best))
            if checked is None:
                return ir.Const(BROKEN, None, span=span)
            return self.code.functions.call(best, checked, span)
        known = [*CALLS, *world.family_types, *world.signatures]
        self.diagnostics.error(
            "unknown-name",
            f"there is no place or value `{text}`",
            name.span,
            hint=did_you_mean(text, known)
            or ("to do a clause, write `do` before it" if text in world.procedures else None),
        )
        return ir.Const(BROKEN, None, span=span)

    def arguments(
        self, name: s.Name, given: tuple[s.Expr, ...], types: tuple[Type, ...], form: str
    ) -> tuple[ir.Expr, ...] | None:
        if len(given) != len(types):
            self.diagnostics.error(
                "wrong-count",
                f"`{name.text}` takes {len(types)} operand{'s' if len(types) != 1 else ''}, "
                f"here {'is' if len(given) == 1 else 'are'} {len(given)}",
                name.span,
                hint=f"write `{form}`",
            )
            return None
        return tuple(self.code.want(each, type) for each, type in zip(given, types, strict=True))
