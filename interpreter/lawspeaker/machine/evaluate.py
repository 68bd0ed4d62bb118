"""Expressions become functions of the situation and the slots.

Each expression of a program is turned once, for a number of players, into a Python closure
`(state, slots) -> value`. All that is fixed then is worked out then: named choices, attributes
of kinds, indices of places are lists to look into; an expression that depends on nothing is its
value; a defined value that depends on its arguments only remembers what it gave for them.
Common shapes (a slot, a constant, an attribute of what is in a slot) have closures of their
own, since the cost of running is the number of closures called.

Binders are in `binders`; this file has everything else.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeGuard

from lawspeaker import ir
from lawspeaker.layout import Layout, Value
from lawspeaker.machine import binders
from lawspeaker.machine.analysis import AttributeOfFirst, Dependence, SizeOf, highest_slot
from lawspeaker.machine.fault import RuleFault
from lawspeaker.machine.moving import lay, lift
from lawspeaker.machine.simplify import Simplifier
from lawspeaker.source import Span
from lawspeaker.state import State
from lawspeaker.types import (
    LARGEST,
    SMALLEST,
    KindType,
    MaybeType,
    PieceType,
    PlaceType,
    Type,
)

Slots = list[Value]
Eval = Callable[[State, Slots], Value]

REMEMBERED = 100_000
"""How many results of a defined value are remembered before all are forgotten."""


class Evaluator:
    """Turns the expressions of one program into closures."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.program = layout.program
        self.depends = Dependence(layout.program)
        self.simplifier = Simplifier(layout.program, self.depends)
        self.clause = 0
        self._constants: dict[int, tuple[Value] | None] = {}
        self._kept: list[ir.Expr] = []
        self._functions: dict[int, Eval] = {}
        self._idle = blank_state(layout)

    def fault(self, message: str, span: Span) -> Callable[[], RuleFault]:
        """Makes a fault of the clause being compiled, when it happens."""
        return partial(RuleFault, self.program.clauses[self.clause].id, message, span)

    # ------------------------------------------------------------ what is known beforehand

    def constant(self, expr: ir.Expr | None) -> tuple[Value] | None:
        """The value of an expression that has only one, in a tuple; or None."""
        if isinstance(expr, ir.Const):
            return (expr.value,)
        if expr is None or isinstance(expr, ir.Local):
            return None
        if id(expr) not in self._constants:
            found: tuple[Value] | None = None
            if self.depends.fixed(expr) and not self.depends.free(expr):
                slots = [None] * (highest_slot(expr) + 1)
                self._idle.left = 1_000_000
                try:
                    found = (self._build(expr)(self._idle, slots),)
                except RuleFault:
                    found = None
            self._constants[id(expr)] = found
            self._kept.append(expr)
        return self._constants[id(expr)]

    def compile(self, expr: ir.Expr) -> Eval:
        expr = self.simplifier.simple(expr)
        known = self.constant(expr)
        if known is not None:
            (value,) = known
            return lambda s, f: value
        return self._build(expr)

    def present(self, expr: ir.Expr) -> Eval:
        """As `compile`, but `nothing` is a fault."""
        value = self.compile(expr)
        if not isinstance(expr.type, MaybeType):
            return value
        fault = self.fault("this is nothing here", expr.span)

        def present(s: State, f: Slots) -> Value:
            found = value(s, f)
            if found is None:
                raise fault()
            return found

        return present

    def _build(self, expr: ir.Expr) -> Eval:
        build: Callable[[Evaluator, Any], Eval] = _BUILDERS[type(expr)]
        return build(self, expr)

    def lookup(self, table: Sequence[Value], of: ir.Expr) -> Eval:
        """What stands in a table for the value of an expression."""
        if isinstance(of, ir.Local) and not isinstance(of.type, MaybeType):
            slot = of.slot
            return lambda s, f: table[f[slot]]
        at = self.present(of)
        return lambda s, f: table[at(s, f)]

    def table(self, expr: ir.Expr) -> tuple[Sequence[Value], ir.Expr] | None:
        """For a fixed attribute of something: the list of its values, and the something."""
        layout = self.layout
        if isinstance(expr, ir.KindOf):
            return layout.piece_kind, expr.of
        if isinstance(expr, ir.OwnerOf):
            of = plain_type(expr.of.type)
            return layout.piece_owner if isinstance(of, PieceType) else layout.place_owner, expr.of
        if isinstance(expr, ir.KindColumn):
            kinds = self.program.pieces[expr.piece].kinds
            column = [kind.values[expr.column] for kind in kinds]
            if isinstance(plain_type(expr.of.type), KindType):
                return column, expr.of
            by_piece: list[Value] = [None] * len(layout.piece_kind)
            for piece in layout.pieces_of[expr.piece]:
                by_piece[piece] = column[layout.piece_kind[piece]]
            return by_piece, expr.of
        if isinstance(expr, ir.WordColumn):
            rows = self.program.word_sets[expr.word_set].rows
            return [row[expr.column] for row in rows], expr.of
        if isinstance(expr, ir.PlaceIndex):
            by_place: list[Value] = [None] * len(layout.place_family)
            for place in layout.places_of[expr.family]:
                by_place[place] = layout.place_indices[place][expr.position]
            return by_place, expr.of
        if isinstance(expr, ir.Playing):
            return [seat < layout.players for seat in self._all_seats()], expr.player
        if isinstance(expr, ir.Neighbour):
            step = expr.step
            return [(seat + step) % layout.players for seat in self._all_seats()], expr.player
        if isinstance(expr, ir.PlayersFrom):
            seats = layout.seats
            turned = [seats[seat:] + seats[:seat] for seat in seats]
            turned += [seats] * (len(self._all_seats()) - len(seats))
            return turned, expr.start
        return None

    def _all_seats(self) -> range:
        return range(max(len(self.program.player_names), self.layout.players))

    def _from_table(self, expr: ir.Expr) -> Eval:
        found = self.table(expr)
        assert found is not None
        return self.lookup(*found)

    # ------------------------------------------------------------ leaves

    def _const(self, expr: ir.Const) -> Eval:
        value = expr.value
        return lambda s, f: value

    def _local(self, expr: ir.Local) -> Eval:
        slot = expr.slot
        return lambda s, f: f[slot]

    def _marker(self, expr: ir.MarkerValue) -> Eval:
        at = self.layout.marker_at[expr.marker]
        if expr.of is None:
            return lambda s, f: s.markers[at]
        seat = self.seat(expr.of)
        return lambda s, f: s.markers[at + seat(s, f)]

    def seat(self, expr: ir.Expr) -> Eval:
        """A seat that plays; another one is a fault."""
        value = self.present(expr)
        players = self.layout.players
        if players == len(self.program.player_names):
            return value
        fault = self.fault("this player does not take part", expr.span)

        def seat(s: State, f: Slots) -> Value:
            found = value(s, f)
            if found >= players:
                raise fault()
            return found

        return seat

    def _score(self, expr: ir.ScoreOf) -> Eval:
        seat = self.seat(expr.player)
        return lambda s, f: s.scores[seat(s, f)]

    def choice(self, number: int) -> Value:
        choice = self.program.choices[number]
        at = min(self.layout.players - self.program.fewest, len(choice.values) - 1)
        return choice.values[at]

    def _choice_value(self, expr: ir.ChoiceValue) -> Eval:
        value = self.choice(expr.choice)
        return lambda s, f: value

    def _choice_item(self, expr: ir.ChoiceItem) -> Eval:
        items = self.choice(expr.choice)
        if not isinstance(items, tuple):
            items = (items,)
        beyond = self.program.choices[expr.choice].beyond
        name = self.program.choices[expr.choice].id
        at = self.present(expr.at)
        length = len(items)
        fault = self.fault(f"{name} has {length} values, and another one is asked for", expr.span)

        def item(s: State, f: Slots) -> Value:
            number = at(s, f)
            if 0 < number <= length:
                return items[number - 1]
            if beyond is None:
                raise fault()
            return beyond

        return item

    def _domain(self, expr: ir.Domain) -> Eval:
        everything = self.layout.domain(expr.of)
        return lambda s, f: everything

    def _player_count(self, expr: ir.PlayerCount) -> Eval:
        players = self.layout.players
        return lambda s, f: players

    def _number_of(self, expr: ir.NumberOf) -> Eval:
        value = self.present(expr.of)
        return lambda s, f: value(s, f) + 1

    # ------------------------------------------------------------ pieces and places

    def _piece_state(self, expr: ir.PieceState) -> Eval:
        at = self.layout.state_at[expr.piece][expr.state]
        piece = self.present(expr.of)
        return lambda s, f: s.states[at + piece(s, f)]

    def _place_at(self, expr: ir.PlaceAt) -> Eval:
        family = self.program.families[expr.family]
        domains = self.layout.index_domains[expr.family]
        places = self.layout.places_of[expr.family]
        if not expr.indices:
            only = places[0]
            return lambda s, f: only
        fault = self.fault(f"there is no {family.name} at these indices", expr.span)
        first = places[0] if places else 0
        if len(expr.indices) == 1:
            index = self.present(expr.indices[0])
            low = domains[0][0] if domains[0] else 0
            high, base = low + len(domains[0]), first - low
            if plain_local(expr.indices[0]):
                slot = expr.indices[0].slot

                def place_at_slot(s: State, f: Slots) -> int:
                    i: int = f[slot]
                    if low <= i < high:
                        return base + i
                    raise fault()

                return place_at_slot

            def place_1(s: State, f: Slots) -> int:
                i: int = index(s, f)
                if low <= i < high:
                    return base + i
                raise fault()

            return place_1
        if len(expr.indices) == 2:
            one, two = (self.present(e) for e in expr.indices)
            low_1, low_2 = (domain[0] if domain else 0 for domain in domains)
            size_1, size_2 = map(len, domains)
            high_1, high_2 = low_1 + size_1, low_2 + size_2
            start = first - low_1 * size_2 - low_2

            def place_2(s: State, f: Slots) -> int:
                i: int = one(s, f)
                j: int = two(s, f)
                if low_1 <= i < high_1 and low_2 <= j < high_2:
                    return start + i * size_2 + j
                raise fault()

            return place_2
        indices = [self.present(e) for e in expr.indices]
        number, find = expr.family, self.layout.place

        def place_n(s: State, f: Slots) -> int:
            found = find(number, tuple([index(s, f) for index in indices]))
            if found is None:
                raise fault()
            return found

        return place_n

    def _place_of(self, expr: ir.PlaceOf) -> Eval:
        places = self.layout.places_of[expr.family]
        first, last = (places[0], places[-1]) if places else (0, -1)
        piece = self.present(expr.of)

        def place_of(s: State, f: Slots) -> int | None:
            place = s.where[piece(s, f)]
            return place if first <= place <= last else None

        return place_of

    def _contents(self, expr: ir.Contents) -> Eval:
        known = self.constant(expr.place)
        if known is not None:
            (number,) = known
            return lambda s, f: s.contents.get(number, ())
        if plain_local(expr.place):
            slot = expr.place.slot
            return lambda s, f: s.contents.get(f[slot], ())
        place = self.present(expr.place)
        return lambda s, f: s.contents.get(place(s, f), ())

    def _item_of(self, expr: ir.ItemOf) -> Eval:
        place, at = self.present(expr.place), self.present(expr.at)
        missing = self.fault("there are not so many pieces in this place", expr.span)
        unknown = self.fault("this piece was shuffled: nobody knows which it is", expr.span)

        def item(s: State, f: Slots) -> int:
            here, number = place(s, f), at(s, f)
            held = s.contents.get(here, ())
            if not 0 < number <= len(held):
                raise missing()
            if here in s.loose:
                under, loose = s.loose[here]
                if under < number <= under + loose:
                    raise unknown()
            piece: int = held[number - 1]
            return piece

        return item

    def _top_of(self, expr: ir.TopOf) -> Eval:
        place = self.present(expr.place)
        unknown = self.fault("this place was shuffled: nobody knows its top piece", expr.span)

        def top(s: State, f: Slots) -> int | None:
            here = place(s, f)
            held = s.contents.get(here)
            if not held:
                return None
            if here in s.loose and sum(s.loose[here]) == len(held):
                raise unknown()
            return held[-1]

        return top

    # ------------------------------------------------------------ logic and numbers

    def _not(self, expr: ir.Not) -> Eval:
        operand = self.compile(expr.operand)
        return lambda s, f: not operand(s, f)

    def _and(self, expr: ir.And) -> Eval:
        left, right = self.compile(expr.left), self.compile(expr.right)
        if self.constant(expr.left) == (True,):
            return right
        return lambda s, f: left(s, f) and right(s, f)

    def _or(self, expr: ir.Or) -> Eval:
        left, right = self.compile(expr.left), self.compile(expr.right)
        if self.constant(expr.left) == (False,):
            return right
        return lambda s, f: left(s, f) or right(s, f)

    def _conditional(self, expr: ir.Conditional) -> Eval:
        known = self.constant(expr.condition)
        if known is not None:
            return self.compile(expr.then if known[0] else expr.otherwise)
        condition = self.compile(expr.condition)
        then, otherwise = self.compile(expr.then), self.compile(expr.otherwise)
        return lambda s, f: then(s, f) if condition(s, f) else otherwise(s, f)

    def _compare(self, expr: ir.Compare) -> Eval:
        if expr.operator == "=":
            return self._same(expr)
        left, right = self.present(expr.left), self.present(expr.right)
        known = self.constant(expr.right)
        if known is not None:
            (bound,) = known
            match expr.operator:
                case "<":
                    return lambda s, f: left(s, f) < bound
                case "<=":
                    return lambda s, f: left(s, f) <= bound
                case ">":
                    return lambda s, f: left(s, f) > bound
                case ">=":
                    return lambda s, f: left(s, f) >= bound
        match expr.operator:
            case "<":
                return lambda s, f: left(s, f) < right(s, f)
            case "<=":
                return lambda s, f: left(s, f) <= right(s, f)
            case ">":
                return lambda s, f: left(s, f) > right(s, f)
            case ">=":
                return lambda s, f: left(s, f) >= right(s, f)
        raise ValueError(expr.operator)

    def _same(self, expr: ir.Compare) -> Eval:
        one, two = expr.left, expr.right
        if self.constant(one) is not None or isinstance(one, ir.Local):
            one, two = two, one
        if isinstance(two, ir.PlaceOf) and isinstance(one.type, PlaceType):
            one, two = two, one
        if isinstance(one, ir.PlaceOf) and isinstance(two.type, PlaceType):
            piece, place = self.present(one.of), self.compile(two)
            return lambda s, f: s.where[piece(s, f)] == place(s, f)
        known = self.constant(two)
        found = self.table(one)
        if found is not None and plain_local(found[1]):
            table, slot = found[0], found[1].slot
            if known is not None:
                (wanted,) = known
                return lambda s, f: table[f[slot]] == wanted
            other = self.compile(two)
            return lambda s, f: table[f[slot]] == other(s, f)
        left, right = self.compile(one), self.compile(two)
        if known is not None:
            (value,) = known
            if isinstance(one, ir.Local):
                at = one.slot
                return lambda s, f: f[at] == value
            return lambda s, f: left(s, f) == value
        if isinstance(two, ir.Local):
            at_2 = two.slot
            if isinstance(one, ir.Local):
                at_1 = one.slot
                return lambda s, f: f[at_1] == f[at_2]
            return lambda s, f: left(s, f) == f[at_2]
        return lambda s, f: left(s, f) == right(s, f)

    def _arithmetic(self, expr: ir.Arithmetic) -> Eval:
        left, right = self.present(expr.left), self.present(expr.right)
        fault = self.fault("a number grew beyond 32 bits", expr.span)
        zero = self.fault("a remainder of a division by zero", expr.span)
        known = self.constant(expr.right)
        if known is None and expr.operator in "+*" and self.constant(expr.left) is not None:
            left, right = right, left
            known = self.constant(expr.left)
        if known is not None and expr.operator in ("+", "-", "*"):
            return self._with_constant(expr, left, known[0], fault)

        def add(s: State, f: Slots) -> int:
            result: int = left(s, f) + right(s, f)
            if SMALLEST <= result <= LARGEST:
                return result
            raise fault()

        def subtract(s: State, f: Slots) -> int:
            result: int = left(s, f) - right(s, f)
            if SMALLEST <= result <= LARGEST:
                return result
            raise fault()

        def multiply(s: State, f: Slots) -> int:
            result: int = left(s, f) * right(s, f)
            if SMALLEST <= result <= LARGEST:
                return result
            raise fault()

        def remainder(s: State, f: Slots) -> int:
            divisor = right(s, f)
            if divisor == 0:
                raise zero()
            result: int = left(s, f) % divisor
            return result

        def smaller(s: State, f: Slots) -> Value:
            one, two = left(s, f), right(s, f)
            return one if one <= two else two

        def larger(s: State, f: Slots) -> Value:
            one, two = left(s, f), right(s, f)
            return one if one >= two else two

        named: dict[str, Eval] = {"+": add, "-": subtract, "*": multiply}
        named |= {"remainder": remainder, "smaller": smaller, "larger": larger}
        return named[expr.operator]

    def _with_constant(
        self, expr: ir.Arithmetic, left: Eval, number: int, fault: Callable[[], RuleFault]
    ) -> Eval:
        """Adds, subtracts or multiplies a number that is known beforehand."""
        added = -number if expr.operator == "-" else number

        def add(s: State, f: Slots) -> int:
            result: int = left(s, f) + added
            if SMALLEST <= result <= LARGEST:
                return result
            raise fault()

        def multiply(s: State, f: Slots) -> int:
            result: int = left(s, f) * number
            if SMALLEST <= result <= LARGEST:
                return result
            raise fault()

        return multiply if expr.operator == "*" else add

    def _divide(self, expr: ir.Divide) -> Eval:
        left, right = self.present(expr.left), self.present(expr.right)
        zero = self.fault("a division by zero", expr.span)
        beyond = self.fault("a number grew beyond 32 bits", expr.span)
        up = expr.up
        known = self.constant(expr.right)
        if known is not None and known[0] > 0:
            (by,) = known
            if up:
                return lambda s, f: -(-left(s, f) // by)
            return lambda s, f: left(s, f) // by

        def divide(s: State, f: Slots) -> int:
            number, divisor = left(s, f), right(s, f)
            if divisor == 0:
                raise zero()
            result: int = -(-number // divisor) if up else number // divisor
            if result > LARGEST:
                raise beyond()
            return result

        return divide

    # ------------------------------------------------------------ sets

    def _range(self, expr: ir.Range) -> Eval:
        low, high = self.present(expr.low), self.present(expr.high)
        return lambda s, f: tuple(range(low(s, f), high(s, f) + 1))

    def _list(self, expr: ir.ListOf) -> Eval:
        items = [self.compile(item) for item in expr.items]
        return lambda s, f: tuple([item(s, f) for item in items])

    def _includes(self, expr: ir.Includes) -> Eval:
        item = self.compile(expr.item)
        if isinstance(expr.set, ir.Contents):
            place, piece = self.present(expr.set.place), self.present(expr.item)
            return lambda s, f: s.where[piece(s, f)] == place(s, f)
        if isinstance(expr.set, ir.Range):
            low, high = self.present(expr.set.low), self.present(expr.set.high)
            return lambda s, f: low(s, f) <= item(s, f) <= high(s, f)
        known = self.constant(expr.set)
        if known is not None:
            members = frozenset(known[0])
            return lambda s, f: item(s, f) in members
        several = self.compile(expr.set)
        return lambda s, f: item(s, f) in several(s, f)

    def _size_of(self, expr: SizeOf) -> Eval:
        if isinstance(expr.set, ir.Contents):
            known = self.constant(expr.set.place)
            if known is not None:
                (number,) = known
                return lambda s, f: len(s.contents.get(number, ()))
            if plain_local(expr.set.place):
                slot = expr.set.place.slot
                return lambda s, f: len(s.contents.get(f[slot], ()))
            place = self.present(expr.set.place)
            return lambda s, f: len(s.contents.get(place(s, f), ()))
        several = self.compile(expr.set)
        return lambda s, f: len(several(s, f))

    def _is_empty(self, expr: ir.IsEmpty) -> Eval:
        if isinstance(expr.set, ir.Contents):
            place = self.present(expr.set.place)
            return lambda s, f: place(s, f) not in s.contents
        if isinstance(expr.set, ir.Filter):
            anything = binders.exists(self, ir.Exists(expr.type, expr.set.binder))
            return lambda s, f: not anything(s, f)
        several = self.compile(expr.set)
        return lambda s, f: not several(s, f)

    # ------------------------------------------------------------ values defined by the game

    def _attribute_of_first(self, expr: AttributeOfFirst) -> Eval:
        found = self.table(expr.attribute)
        assert found is not None
        table = found[0]
        otherwise = self.compile(expr.otherwise)
        if plain_local(expr.place):
            slot = expr.place.slot
            known = self.constant(expr.otherwise)
            if known is not None:
                (value,) = known

                def of_first_in_slot(s: State, f: Slots) -> Value:
                    held = s.contents.get(f[slot])
                    return value if held is None else table[held[0]]

                return of_first_in_slot
        place = self.present(expr.place)

        def of_first(s: State, f: Slots) -> Value:
            held = s.contents.get(place(s, f))
            return otherwise(s, f) if held is None else table[held[0]]

        return of_first

    def _call(self, expr: ir.CallFunction) -> Eval:
        function = self.program.functions[expr.function]
        arguments = [self.compile(argument) for argument in expr.arguments]
        run = self.function(expr.function)
        pad = [None] * (len(function.slots) - len(arguments))
        if self.depends.fixed_function(expr.function):
            return self._remembered(run, arguments, pad)
        if not arguments:
            return lambda s, f: run(s, pad.copy())
        if len(arguments) == 1:
            (one,) = arguments
            return lambda s, f: run(s, [one(s, f), *pad])
        if len(arguments) == 2:
            first, second = arguments
            return lambda s, f: run(s, [first(s, f), second(s, f), *pad])
        return lambda s, f: run(s, [argument(s, f) for argument in arguments] + pad)

    def _remembered(self, run: Eval, arguments: list[Eval], pad: Slots) -> Eval:
        results: dict[Value, Value] = {}
        if len(arguments) == 1:
            (one,) = arguments

            def call_1(s: State, f: Slots) -> Value:
                key = one(s, f)
                if key in results:
                    return results[key]
                if len(results) > REMEMBERED:
                    results.clear()
                result = results[key] = run(s, [key, *pad])
                return result

            return call_1

        def call(s: State, f: Slots) -> Value:
            key = tuple([argument(s, f) for argument in arguments])
            if key in results:
                return results[key]
            if len(results) > REMEMBERED:
                results.clear()
            result = results[key] = run(s, [*key, *pad])
            return result

        return call

    def function(self, number: int) -> Eval:
        """A defined value, given slots that hold its arguments."""
        known = self._functions.get(number)
        if known is None:
            function = self.program.functions[number]
            outer, self.clause = self.clause, function.clause
            lets = [(slot, self.compile(value)) for slot, value in function.lets]
            result = self.compile(self.simplifier.body(number))
            self.clause = outer

            def run(s: State, f: Slots) -> Value:
                for slot, value in lets:
                    f[slot] = value(s, f)
                return result(s, f)

            known = self._functions[number] = run if lets else result
        return known

    def _supposing(self, expr: ir.Supposing) -> Eval:
        piece, place = self.present(expr.piece), self.present(expr.place)
        condition = self.compile(expr.condition)
        layout = self.layout

        def supposing(s: State, f: Slots) -> Value:
            moved, to = piece(s, f), place(s, f)
            origin = s.where[moved]
            before = {here: s.contents.get(here) for here in (origin, to)}
            loose = s.loose.copy()
            lift(s, moved)
            lay(layout, s, moved, to, under=False)
            try:
                return condition(s, f)
            finally:
                s.where[moved] = origin
                s.loose = loose
                for here, held in before.items():
                    if held is None:
                        del s.contents[here]
                    else:
                        s.contents[here] = held

        return supposing


def plain_local(expr: ir.Expr) -> TypeGuard[ir.Local]:
    """Whether an expression is a slot that surely holds something."""
    return isinstance(expr, ir.Local) and not isinstance(expr.type, MaybeType)


def plain_type(of: Type) -> Type:
    return of.of if isinstance(of, MaybeType) else of


def blank_state(layout: Layout) -> State:
    """A state with every piece where it starts, and nothing going on."""
    state = State()
    state.seed = 0
    state.players = layout.players
    state.ask_chance = state.discreet = False
    state.where = list(layout.start)
    held: dict[int, list[int]] = {}
    for piece, place in enumerate(layout.start):
        held.setdefault(place, []).append(piece)
    state.contents = {place: tuple(pieces) for place, pieces in held.items()}
    state.loose = {}
    state.states = list(layout.first_states)
    state.markers = list(layout.first_markers)
    state.scores = [0] * layout.players
    state.stack = []
    state.pending = None
    state.secret = {}
    state.shuffles = {}
    state.picks = {}
    state.ended = ""
    state.winners = ()
    state.steps = 0
    state.journal = []
    state.offered = None
    state.left = 0
    return state


_BUILDERS: dict[type[ir.Expr], Callable[[Evaluator, Any], Eval]] = {
    ir.Const: Evaluator._const,
    ir.Local: Evaluator._local,
    ir.MarkerValue: Evaluator._marker,
    ir.ScoreOf: Evaluator._score,
    ir.ChoiceValue: Evaluator._choice_value,
    ir.ChoiceItem: Evaluator._choice_item,
    ir.WordColumn: Evaluator._from_table,
    ir.KindColumn: Evaluator._from_table,
    ir.KindOf: Evaluator._from_table,
    ir.OwnerOf: Evaluator._from_table,
    ir.PlaceIndex: Evaluator._from_table,
    ir.Neighbour: Evaluator._from_table,
    ir.Playing: Evaluator._from_table,
    ir.PlayersFrom: Evaluator._from_table,
    ir.PieceState: Evaluator._piece_state,
    ir.PlaceAt: Evaluator._place_at,
    ir.PlaceOf: Evaluator._place_of,
    ir.Contents: Evaluator._contents,
    ir.ItemOf: Evaluator._item_of,
    ir.TopOf: Evaluator._top_of,
    ir.Domain: Evaluator._domain,
    ir.PlayerCount: Evaluator._player_count,
    ir.NumberOf: Evaluator._number_of,
    ir.Range: Evaluator._range,
    ir.ListOf: Evaluator._list,
    ir.CallFunction: Evaluator._call,
    ir.Not: Evaluator._not,
    ir.And: Evaluator._and,
    ir.Or: Evaluator._or,
    ir.Compare: Evaluator._compare,
    ir.Arithmetic: Evaluator._arithmetic,
    ir.Divide: Evaluator._divide,
    ir.Conditional: Evaluator._conditional,
    ir.Includes: Evaluator._includes,
    ir.IsEmpty: Evaluator._is_empty,
    ir.Supposing: Evaluator._supposing,
    AttributeOfFirst: Evaluator._attribute_of_first,
    SizeOf: Evaluator._size_of,
    ir.Exists: binders.exists,
    ir.Every: binders.every,
    ir.Count: binders.count,
    ir.SumOf: binders.sum_of,
    ir.Extreme: binders.extreme,
    ir.Filter: binders.filtered,
    ir.Collect: binders.collect,
    ir.The: binders.the,
}
