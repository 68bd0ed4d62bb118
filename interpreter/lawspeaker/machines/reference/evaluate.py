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
from typing import Any

from lawspeaker import ir
from lawspeaker.base.source import Span
from lawspeaker.ir.dependence import AttributeOfFirst, Dependence, SizeOf, TakenRun, plain_local
from lawspeaker.ir.types import KindType, MaybeType, PieceType, Type
from lawspeaker.ir.walk import highest_slot, slots_read
from lawspeaker.machines.lower.faults import Faults
from lawspeaker.machines.reference import binders, grids, locations, logic, runs
from lawspeaker.machines.reference.simplify import Simplifier
from lawspeaker.position.fault import RuleFault
from lawspeaker.position.layout import Layout, Value
from lawspeaker.position.state import State

Slots = list[Value]
Eval = Callable[[State, Slots], Value]

REMEMBERED = 100_000
"""How many results of a defined value are remembered before all are forgotten."""


class Evaluator:
    """Turns the expressions of one program into closures."""

    asks_all = False
    """Whether to ask also those guards that are known to hold."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.program = layout.program
        self.depends = Dependence(layout.program)
        self.simplifier: Simplifier = runs.RunSimplifier(self.depends, Faults(layout))
        self.clause = 0
        self._constants: dict[int, tuple[Value] | None] = {}
        self._kept: list[ir.Expr] = []
        self._functions: dict[int, Eval] = {}
        self._grids: dict[int, grids.Grid] = {}
        self._idle = blank_state(layout)

    def fault(self, message: str, span: Span) -> Callable[[], RuleFault]:
        """Makes a fault of the clause being compiled, when it happens."""
        return partial(RuleFault, self.program.clauses[self.clause].id, message, span)

    def grid(self, family: int) -> grids.Grid:
        """The grid of a family of places, one for all expressions about it."""
        if family not in self._grids:
            self._grids[family] = grids.Grid(self.layout, family)
        return self._grids[family]

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
        if plain_local(of):
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
            values = [row[expr.column] for row in rows]
            if isinstance(expr.of, ir.WordColumn) and None not in values:
                # An attribute of an attribute of a word is one look, too.
                inner = self.table(expr.of)
                if inner is not None and None not in inner[0]:
                    return [values[word] for word in inner[0]], inner[1]
            return values, expr.of
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
        if isinstance(expr, ir.KindOf) and isinstance(expr.type, MaybeType):
            table, of = found[0], self.compile(found[1])

            def kind_if_any(s: State, f: Slots) -> Value:
                piece = of(s, f)
                return None if piece is None else table[piece]

            return kind_if_any
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

    # ------------------------------------------------------------ logic and numbers

    # ------------------------------------------------------------ sets

    # ------------------------------------------------------------ questions

    def _possible(self, expr: ir.Possible) -> Eval:
        from lawspeaker.machines.reference.questions import possible

        return possible(self, expr)

    # ------------------------------------------------------------ values defined by the game

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
            if all(isinstance(argument, ir.Local) for argument in expr.arguments):
                slot_1, slot_2 = slots_read(expr.arguments)
                return lambda s, f: run(s, [f[slot_1], f[slot_2], *pad])
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
    ir.PieceState: locations.piece_state,
    ir.PlaceAt: locations.place_at,
    ir.PlaceOf: locations.place_of,
    ir.Contents: locations.contents,
    ir.ItemOf: locations.item_of,
    ir.TopOf: locations.top_of,
    ir.Domain: Evaluator._domain,
    ir.PlayerCount: Evaluator._player_count,
    ir.NumberOf: Evaluator._number_of,
    ir.Range: logic.range_of,
    ir.ListOf: logic.list_of,
    ir.CallFunction: Evaluator._call,
    ir.Not: logic.not_,
    ir.And: logic.and_,
    ir.Or: logic.or_,
    ir.Compare: logic.compare,
    ir.Arithmetic: logic.arithmetic,
    ir.Divide: logic.divide,
    ir.Conditional: logic.conditional,
    ir.Combine: logic.combine,
    ir.Includes: logic.includes,
    ir.IsEmpty: logic.is_empty,
    ir.Supposing: locations.supposing,
    ir.Possible: Evaluator._possible,
    AttributeOfFirst: locations.attribute_of_first,
    SizeOf: logic.size_of,
    ir.Exists: binders.exists,
    ir.Every: binders.every,
    ir.Count: binders.count,
    ir.SumOf: binders.sum_of,
    ir.Extreme: binders.extreme,
    ir.Filter: binders.filtered,
    ir.Collect: binders.collect,
    ir.The: binders.the,
    ir.Around: grids.around,
    ir.Beside: grids.beside,
    ir.Occupied: grids.occupied,
    ir.OpenPlaces: grids.open_places,
    ir.Walk: grids.walk,
    TakenRun: runs.taken_run,
    ir.EndOf: grids.end_of,
}
