"""Resolves chains of words with `of`, `on`, `at` …: which word takes which operand.

`strength of owner of piece on hill` is parsed from the left. A word that can take the next
preposition takes what follows as its operand; that operand consumes as much as it can before the
word expects its next preposition. The type of the first operand selects among several meanings of a
word.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from lawspeaker import ir
from lawspeaker.base.source import Span
from lawspeaker.meaning.check import connections, sides
from lawspeaker.meaning.check.checker import CodeChecker
from lawspeaker.meaning.check.fitting import bare, fits
from lawspeaker.meaning.check.forms import forms_of
from lawspeaker.meaning.check.meanings import HOLE, Hole
from lawspeaker.meaning.check.mentions import must_mention
from lawspeaker.meaning.check.names import done_alone
from lawspeaker.meaning.check.world import Form, Signature
from lawspeaker.text import syntax as s

APPEARANCES = "appearances"
BUILT_IN = (
    "number",
    "owner",
    "kind",
    "score",
    "left_neighbour",
    "right_neighbour",
    "top",
    "item",
    "neighbour",
    "neighbours",
    "surroundings",
    "lines",
    "ends",
    "first",
    "last",
)
COUNTING = ("count", "sum", "highest", "lowest")
"""Words that have a form of their own with `of`."""
LINE, LINES = "line", "lines"
AROUND = ("neighbours", "surroundings")
CALLS = ("remainder", "difference", "smaller", "larger")
"""Functions of numbers; a game may define its own of the same name."""
EXTREMES = {"smaller": "smaller", "larger": "larger", "min": "smaller", "max": "larger"}
"""Those with any number of operands, by all their names."""
ELSEWHERE = {
    "abs": "the distance of a number from 0 is `difference(a, 0)`",
    "mod": "what a division leaves is `remainder(a, b)`",
    "floor": "a division says itself how it is rounded: `a / b rounded down`",
    "ceil": "a division says itself how it is rounded: `a / b rounded up`",
    "len": "how many there are is `count of …`",
    "random": "write `pick a random …` on a line of its own",
}
"""Functions of other languages, and what to write instead."""

Links = tuple[tuple[s.Name, s.Expr], ...]


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of a chain: `items[0] words[0] items[1] words[1] …`."""

    items: list[s.Expr]
    words: list[s.Name]

    def word(self, at: int) -> str | None:
        """The preposition after an item, or None after the last."""
        return self.words[at].text if at < len(self.words) else None


class Chains:
    """Resolves the chains and calls of one clause."""

    def __init__(self, code: CodeChecker) -> None:
        self.code = code
        self.world = code.world
        self.diagnostics = code.diagnostics

    def chain(self, head: s.Expr, links: Links, span: Span) -> ir.Expr:
        items = [head, *(operand for _, operand in links)]
        parts = Parts(items, [word for word, _ in links])
        found, at = self.take(parts, 0)
        if at < len(links) and not isinstance(found.type, ir.BrokenType):
            self.stray(parts.words[at], items[at])
            return ir.Const(ir.BROKEN, None, span=span)
        return found

    def stray(self, word: s.Name, before: s.Expr) -> None:
        """Reports a preposition after something that takes no operand with it."""
        hint: str | None = None
        name = "this"
        if isinstance(before, s.Word):
            name = f"`{before.name.text}`"
            known = [
                *self.world.signatures.get(before.name.text, ()),
                *self.forms(before.name.text),
            ]
            hint = f"it is called `{known[0]}`" if known else self.near(before.name.text)
            if before.name.text in self.world.choice_index and word.text != "at":
                hint = "the items of a list are told apart by `at`, as in `prizes at 1`"
            if word.text == "in" and not known:
                hint = self.lying(before.name.text)
        self.diagnostics.error(
            "wrong-operands",
            f"{name} takes nothing with `{word.text}`",
            word.span,
            hint=hint,
        )

    def lying(self, name: str) -> str | None:
        """A hint for `stones in box`, by what was probably meant."""
        if self.code.scope.find(name, use=False) is not None:
            return f"whether it lies there is `{name} is in …`"
        type = self.world.type_named(name)
        if type is None:
            return None
        if isinstance(type, ir.PlaceType):
            return (
                f"to ask whether a count is among some numbers, write `is in`: "
                f"`count of … in {name} is in 1..4`"
            )
        one, many = self.world.singular(name), self.world.many(type)
        return (
            f"say how many: `move a {one} in …`, `move 2 {many} in …`, `all {many} in …`, "
            f"`count of {many} in …`; or which: `the {one} in …`"
        )

    def near(self, name: str) -> str | None:
        """A hint with the word that may have been meant before `of`."""
        if name in (sides.SIDE, "partner", "partners") and self.world.side is None:
            return "who plays together stands in the head: `players: {…, sides: [red, blue]}`"
        known = {*self.world.signatures, *self.accessors(), *BUILT_IN, *COUNTING}
        return self.world.suggest(name, known - {name})

    def accessors(self) -> set[str]:
        """All attributes, places, markers and nouns for kinds that can precede `of`."""
        world = self.world
        if world.accessors:
            return world.accessors
        names = {column.name for each in world.word_sets for column in each.columns}
        for piece in world.pieces:
            names.update(column.name for column in piece.columns)
            names.update(state.name for state in piece.states)
        names.update(index.name for family in world.families for index in family.indices)
        names.update(family.name for family in world.families)
        names.update(family.plural for family in world.families if family.lines)
        names.update(connections.called(world))
        names.update(world.kind_nouns)
        if world.side is not None:
            names.update(sides.WORDS)
        names.update(marker.name for marker in world.markers if marker.indices)
        world.accessors = names
        return names

    # ------------------------------------------------------------ parsing

    def take(self, parts: Parts, at: int) -> tuple[ir.Expr, int]:
        """Parses item `at` with its operands; returns it and the index after them."""
        item, word = parts.items[at], parts.word(at)
        if isinstance(item, s.Word) and word is not None:
            name = item.name
            if name.text == HOLE:
                operand, after = self.take(parts, at + 1)
                self.code.is_hole(name, Hole(of=operand.type, word=word))
                return ir.Const(ir.BROKEN, None, span=name.span), after
            if name.text == APPEARANCES and word == "of" and name.text not in self.accessors():
                found = self.appearances(parts.items[at + 1])
                if found is not None:
                    return found, at + 1
            if self.takes(name.text, word):
                operand, after = self.first_operand(parts, at)
                return self.apply(name, word, operand, parts, after)
            known = self.code.known(item) or name.text in self.world.procedures
            if not known and (name.text in BUILT_IN or name.text in self.accessors()):
                self.stray(parts.words[at], item)
                return ir.Const(ir.BROKEN, None, span=name.span), at
            if not known:
                self.diagnostics.error(
                    "unknown-name",
                    f"nothing here is called `{name.text}`",
                    name.span,
                    hint=self.near(name.text),
                )
                self.world.lose(name.text)
                return ir.Const(ir.BROKEN, None, span=name.span), at
        return self.code.expr(item), at

    def appearances(self, of: s.Expr) -> ir.Expr | None:
        """`appearances of position`: how often the current position was remembered."""
        position = self.code.position(of.name.text) if isinstance(of, s.Word) else None
        return None if position is None else ir.Appearances(ir.NUMBER, position, span=of.span)

    def takes(self, name: str, word: str) -> bool:
        world = self.world
        if any(each.prepositions[:1] == (word,) for each in world.signatures.get(name, ())):
            return True
        if any(word in form.words for form in self.forms(name)):
            return True
        if word == "at":
            at = world.choice_index.get(name)
            return at is not None and isinstance(world.choices[at].type, ir.SetType)
        return word == "of" and (name in BUILT_IN or name in self.accessors())

    def forms(self, name: str) -> list[Form]:
        """The forms by which an indexed value of this name is accessed."""
        return forms_of(self.world).get(name, [])

    def first_operand(self, parts: Parts, at: int) -> tuple[ir.Expr, int]:
        """The first operand of a name. If all its meanings want the same type there, that type
        resolves an ambiguous word."""
        head, word = parts.items[at], parts.words[at].text
        assert isinstance(head, s.Word)
        types = {form.type(word) for form in self.forms(head.name.text)} - {None}
        if len(types) == 1 and head.name.text not in self.world.signatures:
            return self.operand(parts, at + 1, types.pop() or ir.BROKEN)
        return self.take(parts, at + 1)

    def apply(
        self, name: s.Name, word: str, operand: ir.Expr, parts: Parts, after: int
    ) -> tuple[ir.Expr, int]:
        span = name.span.to(operand.span)
        if isinstance(operand.type, ir.BrokenType):
            wanted = list(self.world.signatures.get(name.text, ()))
            self.world.used.called.update(each.function for each in wanted)
            self.world.used.mentioned.add(name.text)
            while wanted and parts.word(after) is not None:
                _, after = self.take(parts, after + 1)
            return ir.Const(ir.BROKEN, None, span=span), after
        for signature in self.world.signatures.get(name.text, ()):
            if signature.prepositions[:1] == (word,) and self.fits(operand, signature.types[0]):
                self.code.meant(name, signature)
                return self.function(signature, operand, parts, after, span)
        for form in self.forms(name.text):
            type = form.type(word)
            if type is not None and self.fits(operand, type):
                found, after = self.entry(form, word, operand, parts, after, span)
                self.code.meant(name, found)
                return found, after
        if word == "at":
            index = self.world.choice_index[name.text]
            choice = self.world.choices[index]
            type = choice.type.of if isinstance(choice.type, ir.SetType) else ir.BROKEN
            self.code.must_fit(operand, ir.NUMBER)
            item = ir.ChoiceItem(type, index, operand, span=span)
            self.code.meant(name, item)
            return item, after
        if name.text == "item":
            return self.item(operand, parts, after, span)
        said = parts.word(after)
        joined = said in ("along", "with") and connections.joined(self.world, operand)
        if joined and said == "along" and name.text in ("neighbour", "neighbours"):
            return self.along(name.text, operand, parts, after, span)
        if name.text == "neighbour" and self.is_grid(bare(operand.type)):
            self.code.must_fit(operand, bare(operand.type))
            return self.neighbour(operand, parts, after, span)
        if joined and said == "with":
            named = connections.network_called(self.world, name.text, bare(operand.type))
            if named is not None:
                other, end = self.operand(parts, after + 1, bare(operand.type))
                for each in (operand, other):
                    self.code.must_fit(each, bare(operand.type))
                span = span.to(other.span)
                one = name.text == str(named)
                return connections.between(self.code, named, one, operand, other, span), end
        asked = self.accessor(name.text, operand, span)
        self.code.meant(name, asked)
        if asked is None:
            self.no_such(name, word, operand)
            asked = ir.Const(ir.BROKEN, None, span=span)
        return asked, after

    def fits(self, operand: ir.Expr, type: ir.Type) -> bool:
        return fits(bare(operand.type), type)

    def function(
        self, signature: Signature, first: ir.Expr, parts: Parts, after: int, span: Span
    ) -> tuple[ir.Expr, int]:
        self.code.must_fit(first, signature.types[0])
        arguments = [first]
        for word, type in zip(signature.prepositions[1:], signature.types[1:], strict=True):
            if parts.word(after) != word:
                self.diagnostics.error(
                    "wrong-operands",
                    f"`{signature.name}` needs something with `{word}`",
                    span,
                    hint=f"it is called `{signature}`",
                )
                return ir.Const(ir.BROKEN, None, span=span), after
            after += 1
            operand, after = self.operand(parts, after, type)
            self.code.must_fit(operand, type)
            arguments.append(operand)
            span = span.to(operand.span)
        return self.code.functions.call(signature, tuple(arguments), span), after

    def entry(
        self, form: Form, word: str, operand: ir.Expr, parts: Parts, after: int, span: Span
    ) -> tuple[ir.Expr, int]:
        """An indexed value, whose operands may come in any order."""
        given: dict[str, ir.Expr] = {}
        while True:
            type = form.type(word)
            assert type is not None
            self.code.must_fit(operand, type)
            given[word] = operand
            span = span.to(operand.span)
            following = parts.word(after)
            if following not in form.words or following in given:
                break
            word = following
            operand, after = self.operand(parts, after + 1, form.type(word) or ir.BROKEN)
        for word in form.words:
            if word not in given:
                self.diagnostics.error(
                    "wrong-operands",
                    f"`{form.name}` needs something with `{word}`",
                    span,
                    hint=f"it is called `{form}`",
                )
                return ir.Const(ir.BROKEN, None, span=span), after
        return form.make(tuple(given[each] for each in form.words), span), after

    def operand(self, parts: Parts, at: int, type: ir.Type) -> tuple[ir.Expr, int]:
        item, word = parts.items[at], parts.word(at)
        if isinstance(item, s.Word) and word is not None and self.takes(item.name.text, word):
            return self.take(parts, at)
        return self.code.expr(item, type), at

    def item(self, place: ir.Expr, parts: Parts, after: int, span: Span) -> tuple[ir.Expr, int]:
        """`item of PLACE at NUMBER`."""
        if parts.word(after) != "at":
            self.diagnostics.error("wrong-operands", "say which: `item of PLACE at NUMBER`", span)
            return ir.Const(ir.BROKEN, None, span=span), after
        number, end = self.operand(parts, after + 1, ir.NUMBER)
        self.code.must_fit(number, ir.NUMBER)
        contents = self.code.as_set(place)
        if not isinstance(contents.type, ir.SetType):
            return ir.Const(ir.BROKEN, None, span=span), end
        if isinstance(place.type, ir.PlaceType):
            self.has_order(place, span)
        return ir.ItemOf(contents.type.of, place, number, span=span.to(number.span)), end

    def has_order(self, place: ir.Expr, span: Span) -> None:
        assert isinstance(place.type, ir.PlaceType)
        family = self.world.families[place.type.index]
        if family.arranged == "heap":
            self.diagnostics.error(
                "wrong-type",
                f"`{family.name}` is a heap, in which nothing is first or last",
                span,
                hint="say `arranged: pile` or `arranged: row` where the place is declared",
            )

    def is_grid(self, type: ir.Type) -> bool:
        return isinstance(type, ir.PlaceType) and bool(self.world.families[type.index].grid)

    def has_neighbours(self, type: ir.Type) -> bool:
        return isinstance(type, ir.PlaceType) and self.world.families[type.index].has_neighbours

    def neighbour(
        self, place: ir.Expr, parts: Parts, after: int, span: Span
    ) -> tuple[ir.Expr, int]:
        """`neighbour of PLACE along DIRECTION`."""
        if parts.word(after) != "along":
            self.diagnostics.error(
                "wrong-operands", "say which way: `neighbour of PLACE along DIRECTION`", span
            )
            return ir.Const(ir.BROKEN, None, span=span), after
        direction, end = self.take(parts, after + 1)
        steps = self.steps(direction, place.type)
        if steps is None or not isinstance(place.type, ir.PlaceType):
            return ir.Const(ir.BROKEN, None, span=span), end
        grows = self.world.families[place.type.index].grows
        result: ir.Type = place.type if grows else ir.MaybeType(place.type)
        span = span.to(direction.span)
        return ir.Beside(result, place.type.index, place, *steps, span=span), end

    def along(
        self, name: str, of: ir.Expr, parts: Parts, after: int, span: Span
    ) -> tuple[ir.Expr, int]:
        """`neighbour of TOWN along ROAD`, `neighbours of TOWN along ROADS`; on a grid the first may
        have a direction."""
        said = parts.items[after + 1]
        if name == "neighbours" and isinstance(said, s.All) and after + 2 == len(parts.items):
            return connections.neighbours(self.code, of, said.binder, span.to(said.span)), after + 1
        way, end = self.take(parts, after + 1)
        on_grid = name == "neighbour" and self.is_grid(bare(of.type))
        if on_grid and connections.network_of(self.world, bare(way.type)) is None:
            self.code.must_fit(of, bare(of.type))
            return self.neighbour(of, parts, after, span)
        return connections.neighbours_along(self.code, name, of, way, span.to(way.span)), end

    def steps(self, direction: ir.Expr, on: ir.Type) -> tuple[ir.Expr, ir.Expr] | None:
        """The offsets of a direction in columns and rows: two attributes of a word."""
        from_below = isinstance(on, ir.PlaceType) and self.world.families[on.index].from_below
        to_next_row, back = ("upwards", "down") if from_below else ("down", "upwards")
        if isinstance(direction.type, ir.WordType):
            index = direction.type.index
            found = [
                self.word_column(name, index, direction, direction.span)
                for name in ("across", to_next_row)
            ]
            turned = self.word_column(back, index, direction, direction.span)
            if any(found) and (found[1] or not turned):
                zero = ir.Const(ir.NUMBER, 0, span=direction.span)
                return found[0] or zero, found[1] or zero
        if not isinstance(direction.type, ir.BrokenType):
            self.diagnostics.error(
                "wrong-type",
                f"this is {self.world.a(direction.type)}, but a direction is needed here",
                direction.span,
                hint=f"a direction is a word with the attributes `across` and `{to_next_row}`"
                + (" where rows are counted from below" if from_below else ""),
            )
        return None

    def walk(self, expr: s.Walk) -> ir.Expr:
        """`walk cell from START along DIRECTION while CONDITION`."""
        span, start = expr.span, expr.start
        along = [
            at
            for at, (word, _) in enumerate(start.links if isinstance(start, s.Chain) else ())
            if word.text == "along"
        ]
        if not isinstance(start, s.Chain) or not along:
            self.diagnostics.error(
                "wrong-operands",
                "say which way: `walk cell from START along DIRECTION while …`",
                start.span,
            )
            return ir.Const(ir.BROKEN, None, span=span)
        rest, after = start.links[: along[-1]], start.links[along[-1] + 1 :]
        way = start.links[along[-1]][1]
        if after:
            way = s.Chain(way, after, span=way.span.to(after[-1][1].span))
        first = self.code.expr(s.Chain(start.head, rest, span=start.span) if rest else start.head)
        steps = self.steps(self.code.expr(way), first.type)
        if steps is None or isinstance(first.type, ir.BrokenType):
            return ir.Const(ir.BROKEN, None, span=span)
        if not isinstance(first.type, ir.PlaceType) or not self.is_grid(first.type):
            self.diagnostics.error(
                "wrong-type",
                f"this is {self.world.a(first.type)}, but a place of a grid is needed here",
                first.span,
            )
            return ir.Const(ir.BROKEN, None, span=span)
        wanted = self.world.type_named(expr.noun.text)
        self.code.meant(expr.noun, wanted)
        if wanted != first.type:
            self.diagnostics.error(
                "wrong-type", f"a walk over {first.type} does not meet this", expr.noun.span
            )
        name = expr.alias or s.Name(self.world.singular(expr.noun.text), expr.noun.span)
        with self.code.scope.block():
            variable = self.code.scope.declare(name.text, first.type, name.span)
            condition = self.code.truth(expr.condition)
            must_mention(self.code, condition, variable, condition.span)
        step = ir.Binder(variable.slot, name.text, first.type, first, condition, span=span)
        return ir.Walk(ir.SetType(first.type), step, first.type.index, *steps, span=span)

    def no_such(self, name: s.Name, word: str, operand: ir.Expr) -> None:
        others = [
            str(each)
            for each in self.world.signatures.get(name.text, ())
            if each.prepositions[:1] == (word,)
        ]
        others += [str(form) for form in self.forms(name.text)]
        own = self.attributes(operand.type)
        hint = self.of_each_piece(name.text, operand) or self.of_all_pieces(name.text, operand)
        if hint is None:
            hint = f"there is `{others[0]}`" if others else self.world.suggest(name.text, own)
        if hint is None and own:
            hint = f"it has {', '.join(own)}"
        self.diagnostics.error(
            "wrong-type",
            f"this is {self.world.a(operand.type)}, which has no `{name.text}`",
            operand.span,
            hint=hint,
        )

    def of_all_pieces(self, name: str, operand: ir.Expr) -> str | None:
        """A hint for a value of sets of pieces that was asked of their place."""
        if not isinstance(operand.type, ir.PlaceType):
            return None
        pieces = ir.SetType(self.world.held(operand.type.index))
        if not any(each.types[:1] == (pieces,) for each in self.world.signatures.get(name, ())):
            return None
        lie_there = f"all {self.world.many(pieces.of)} in {operand.span.text}"
        return f"ask it of what lies there: `{name} of ({lie_there})`"

    def of_each_piece(self, name: str, operand: ir.Expr) -> str | None:
        """A hint for an attribute of pieces that was asked of a set or a place."""
        match operand.type:
            case ir.PlaceType(index=index):
                piece = self.world.held(index)
            case ir.SetType(of=of):
                piece = of
            case _:
                return None
        if not isinstance(piece, ir.PieceType):
            return None
        example = ir.Const(piece, None, span=operand.span)
        asked = self.of_piece(name, piece.index, example, operand.span)
        if asked is None:
            return None
        taken = f"{piece} in {operand.span.text}"
        if operand.span.text.startswith("all "):
            taken = re.sub(r"^all\s+\S+", str(piece), operand.span.text)
        if isinstance(asked.type, ir.NumberType):
            return f"to add them up, write `sum of {name} of {piece} for each {taken}`"
        return f"ask it of each: `{name} of {piece}`, in `for each {taken}:`"

    def attributes(self, type: ir.Type) -> list[str]:
        """The declared attributes of a type, which can be accessed with `of`."""
        type = type.of if isinstance(type, ir.MaybeType) else type
        match type:
            case ir.WordType(index=index):
                return [column.name for column in self.world.word_sets[index].columns]
            case ir.PieceType(index=index):
                piece = self.world.pieces[index]
                states = [state.name for state in piece.states]
                return [*(column.name for column in piece.columns), *states]
            case ir.KindType(index=index):
                return [column.name for column in self.world.pieces[index].columns]
            case ir.PlaceType(index=index):
                return [column.name for column in self.world.families[index].indices]
        return []

    # ------------------------------------------------------------ operands of `of`

    def accessor(self, name: str, operand: ir.Expr, span: Span) -> ir.Expr | None:
        type = operand.type.of if isinstance(operand.type, ir.MaybeType) else operand.type
        found: ir.Expr | None = None
        match type:
            case ir.WordType(index=index):
                found = self.word_column(name, index, operand, span)
            case ir.PieceType(index=index):
                found = self.of_piece(name, index, operand, span)
                found = found or self.by_word(name, index, operand, span)
            case ir.KindType(index=index):
                found = self.kind_column(name, index, operand, span)
                found = found or self.by_word(name, index, operand, span)
            case ir.PlaceType(index=index):
                found = self.of_place(name, index, operand, span)
            case ir.NumberType(name="line") if self.world.types.get(LINE) == type:
                found = self.points_of(name, operand, span)
            case ir.SetType() if name == "number":
                found = self.code.count_these(operand, span)
            case ir.SetType(of=ir.PlaceType() as met) if name in AROUND and self.has_neighbours(
                met
            ):
                found = ir.Border(type, met.index, operand, name == AROUND[1], span=span)
            case ir.SetType(of=member) if name in ("first", "last"):
                last = name == "last"
                found = ir.EndOf(ir.MaybeType(member), operand, last, span=span)
            case _ if type == ir.PLAYER:
                found = self.of_player(name, operand, span)
        if found is None:
            found = connections.of(self.world, name, operand, type, span)
        if found is not None:
            self.code.must_fit(operand, type)
        return found

    def points_of(self, name: str, line: ir.Expr, span: Span) -> ir.Expr | None:
        """The points of a line, by the plural of the places on its board."""
        for index, network in self.world.joined.items():
            if name == self.world.families[index].plural:
                points = ir.SetType(ir.PlaceType(self.world.families[index].name, index))
                return ir.Along(points, network, line, span=span)
        return None

    def word_column(self, name: str, index: int, of: ir.Expr, span: Span) -> ir.Expr | None:
        if name == "number":
            return ir.NumberOf(ir.NUMBER, of, span=span)
        if self.world.side is not None and self.world.side.index == index:
            return sides.of_side(self.code, name, of, span)
        for at, column in enumerate(self.world.word_sets[index].columns):
            if column.name == name and not column.indices:
                return ir.WordColumn(column.type, index, at, of, span=span)
        return None

    def kind_column(self, name: str, index: int, of: ir.Expr, span: Span) -> ir.Expr | None:
        for at, column in enumerate(self.world.pieces[index].columns):
            if column.name == name and not column.indices:
                return ir.KindColumn(column.type, index, at, of, span=span)
        return None

    def by_word(self, name: str, index: int, of: ir.Expr, span: Span) -> ir.Expr | None:
        """`colour of card` where only its suit has a colour: an attribute of an attribute."""
        found = [
            (column, at, number)
            for at, column in enumerate(self.world.pieces[index].columns)
            if isinstance(word := bare(column.type), ir.WordType) and not column.indices
            for number, each in enumerate(self.world.word_sets[word.index].columns)
            if each.name == name and not each.indices
        ]
        if len(found) != 1:
            return None
        column, at, number = found[0]
        word = bare(column.type)
        assert isinstance(word, ir.WordType)
        named = ir.KindColumn(column.type, index, at, of, span=span)
        if isinstance(column.type, ir.MaybeType):
            said = " ".join(of.span.text.split())
            self.diagnostics.error(
                "maybe-nothing",
                f"not each `{self.world.pieces[index].name}` has a `{column.name}`",
                span,
                hint=f"write `let found be {column.name} of {said}` first, and use "
                f"`{name} of found` below `if found is not nothing:`",
            )
        type = self.world.word_sets[word.index].columns[number].type
        return ir.WordColumn(type, word.index, number, named, span=span)

    def of_piece(self, name: str, index: int, of: ir.Expr, span: Span) -> ir.Expr | None:
        piece = self.world.pieces[index]
        for at, state in enumerate(piece.states):
            if state.name == name and not state.indices:
                return ir.PieceState(state.type, index, at, of, span=span)
        column = self.kind_column(name, index, of, span)
        if column is not None:
            return column
        if name == "kind" or self.world.kind_nouns.get(name) == ir.KindType(piece.name, index):
            return ir.KindOf(ir.KindType(piece.name, index), of, span=span)
        if name == "owner" and piece.per_player:
            return ir.OwnerOf(ir.PLAYER, of, span=span)
        family = self.world.family_types.get(name)
        if family is not None and self.world.families[family.index].holds == index:
            return ir.PlaceOf(ir.MaybeType(family), family.index, of, span=span)
        return None

    def of_place(self, name: str, index: int, of: ir.Expr, span: Span) -> ir.Expr | None:
        family = self.world.families[index]
        numbers = sum(isinstance(column.type, ir.NumberType) for column in family.indices)
        for at, column in enumerate(family.indices):
            number = name == "number" and numbers == 1 and isinstance(column.type, ir.NumberType)
            if column.name == name or number:
                return ir.PlaceIndex(column.type, index, at, of, span=span)
        if name == "owner" and family.per_player:
            return ir.OwnerOf(ir.PLAYER, of, span=span)
        if index in self.world.joined and name == LINES:
            lines = ir.SetType(self.world.types[LINE])
            return ir.Along(lines, self.world.joined[index], of, span=span)
        if family.has_neighbours and name in AROUND:
            around = ir.SetType(of.type)
            return ir.Around(around, index, of, name == AROUND[1], span=span)
        if name == "top":
            self.has_order(of, span)
            return ir.TopOf(ir.MaybeType(self.world.held(index)), of, span=span)
        nested = self.world.family_types.get(name)
        if nested is not None:
            indices = self.world.families[nested.index].indices
            if len(indices) == 1 and indices[0].type == of.type:
                return ir.PlaceAt(nested, nested.index, (of,), span=span)
        return None

    def of_player(self, name: str, of: ir.Expr, span: Span) -> ir.Expr | None:
        world = self.world
        if name == "score":
            return sides.score(self.code, of, span)
        if name == "number":
            return ir.NumberOf(ir.NUMBER, of, span=span)
        if name in ("left_neighbour", "right_neighbour"):
            return ir.Neighbour(ir.PLAYER, of, 1 if name == "left_neighbour" else -1, span=span)
        found = sides.of_player(self.code, name, of, span)
        if found is not None:
            return found
        family = world.family_types.get(name)
        if family is not None:
            known = world.families[family.index]
            if known.per_player and len(known.indices) == 1:
                return ir.PlaceAt(family, family.index, (of,), span=span)
        return None

    # ------------------------------------------------------------ calls

    def call(self, name: s.Name, arguments: tuple[s.Expr, ...], span: Span) -> ir.Expr:
        text, world = name.text, self.world
        own = text in world.family_types or text in world.signatures
        if (text in CALLS or text in EXTREMES) and not own:
            many = max(2, len(arguments)) if text in EXTREMES else 2
            form = f"{text}(number, number)"
            checked = self.arguments(name, arguments, (ir.NUMBER,) * many, form)
            if checked is None:
                return ir.Const(ir.BROKEN, None, span=span)
            operator = EXTREMES.get(text, text)
            return self.joined(operator, checked, span)
        family = world.family_types.get(text)
        if family is not None:
            columns = world.families[family.index].indices
            form = f"{text}({', '.join(column.name for column in columns)})" if columns else text
            checked = self.arguments(name, arguments, tuple(each.type for each in columns), form)
            self.code.meant(name, family)
            if checked is None:
                return ir.Const(ir.BROKEN, None, span=span)
            return ir.PlaceAt(family, family.index, checked, span=span)
        signatures = [each for each in world.signatures.get(text, ()) if not each.predicate]
        if signatures:
            fitting = [each for each in signatures if len(each.types) == len(arguments)]
            if len(fitting) > 1:
                return self.overloaded(name, fitting, arguments, span)
            best = (fitting or signatures)[0]
            self.code.meant(name, best)
            checked = self.arguments(name, arguments, best.types, str(best))
            if checked is None:
                return ir.Const(ir.BROKEN, None, span=span)
            return self.code.functions.call(best, checked, span)
        if world.is_lost(text):
            return ir.Const(ir.BROKEN, None, span=span)
        known = [*CALLS, *EXTREMES, *world.family_types, *world.signatures]
        hint = ELSEWHERE.get(text) or world.suggest(text, known)
        hint = hint or world.suggest(text, world.procedures)
        if text in world.procedures:
            hint = f"it is a clause: {done_alone(' '.join(span.text.split()))}"
        elif text in world.choice_index:
            hint = f"the items of a list are told apart by `at`, as in `{text} at 1`"
        elif self.forms(text):
            hint = f"it is called `{self.forms(text)[0]}`"
        self.diagnostics.error(
            "unknown-name", f"there is no place or value `{text}`", name.span, hint=hint
        )
        if text not in world.procedures and text not in world.choice_index:
            world.lose(text)
        for each in arguments:
            self.code.expr(each, ir.BROKEN)
        return ir.Const(ir.BROKEN, None, span=span)

    def overloaded(
        self, name: s.Name, signatures: list[Signature], given: tuple[s.Expr, ...], span: Span
    ) -> ir.Expr:
        """A call of a name with several signatures, resolved by argument types from the left."""
        checked: list[ir.Expr] = []
        for at, each in enumerate(given):
            types = list(dict.fromkeys(signature.types[at] for signature in signatures))
            if len(types) > 1 and isinstance(each, s.Word):
                types = [type for type in types if self.code.literal(each.name.text, type, span)]
            operand = self.code.expr(each, types[0] if len(types) == 1 else None)
            fitting = [
                signature for signature in signatures if self.fits(operand, signature.types[at])
            ]
            if not fitting:
                forms = ", ".join(f"`{signature}`" for signature in signatures)
                self.diagnostics.error(
                    "wrong-type",
                    f"no `{signatures[0].name}` takes {self.world.a(operand.type)} here",
                    operand.span,
                    hint=f"there is {forms}",
                )
                operand = ir.Const(ir.BROKEN, None, span=operand.span)
            else:
                signatures = fitting
                self.code.must_fit(operand, signatures[0].types[at])
            checked.append(operand)
        self.code.meant(name, signatures[0])
        return self.code.functions.call(signatures[0], tuple(checked), span)

    def joined(self, operator: str, numbers: tuple[ir.Expr, ...], span: Span) -> ir.Expr:
        """Combines numbers pairwise as a balanced tree, so that many of them nest little."""
        if len(numbers) == 1:
            return numbers[0]
        half = (len(numbers) + 1) // 2
        left, right = (
            self.joined(operator, each, span) for each in (numbers[:half], numbers[half:])
        )
        return ir.Arithmetic(ir.NUMBER, operator, left, right, span=span)

    def arguments(
        self, name: s.Name, given: tuple[s.Expr, ...], types: tuple[ir.Type, ...], form: str
    ) -> tuple[ir.Expr, ...] | None:
        if len(given) != len(types):
            self.diagnostics.error(
                "wrong-operands",
                f"`{name.text}` takes {_operands(len(types))}, and is given {len(given) or 'none'}",
                name.span,
                hint=f"write `{form}`",
            )
            return None
        return tuple(self.code.want(each, type) for each, type in zip(given, types, strict=True))


def _operands(count: int) -> str:
    return "1 operand" if count == 1 else f"{count or 'no'} operands"
