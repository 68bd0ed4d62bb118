"""Closures for leaves and definitions, and the dispatch table of all expressions."""

from __future__ import annotations

from lawspeaker import ir
from lawspeaker.ir.dependence import AttributeOfFirst, OccupiedRun, Paid, PaidValue, SizeOf
from lawspeaker.ir.walk import slots_read
from lawspeaker.machines.lower import messages
from lawspeaker.machines.reference import (
    binders,
    grids,
    locations,
    logic,
    path_lengths,
    questions,
    regions,
    runs,
    supposing,
)
from lawspeaker.machines.reference.evaluate import Builders, Eval, Evaluator, Slots
from lawspeaker.position.layout import Value
from lawspeaker.position.state import State

REMEMBERED = 100_000
"""The most cached results of a definition before the cache is cleared."""


def paid_value(ev: Evaluator, expr: PaidValue) -> Eval:
    """Compiles a value that charges its cost."""
    value, cost = ev.compile(expr.value), expr.cost
    too_long = ev.fault(messages.too_long(cost, expr.span), expr.span)

    def paid_value(s: State, f: Slots) -> Value:
        s.left -= cost
        if s.left < 0:
            raise too_long()
        return value(s, f)

    return paid_value


def from_table(ev: Evaluator, expr: ir.Expr) -> Eval:
    """Compiles a constant attribute as a table access."""
    found = ev.table(expr)
    assert found is not None
    if isinstance(expr, ir.KindOf) and isinstance(expr.type, ir.MaybeType):
        table, of = found[0], ev.compile(found[1])

        def kind_if_any(s: State, f: Slots) -> Value:
            piece = of(s, f)
            return None if piece is None else table[piece]

        return kind_if_any
    return ev.lookup(*found)


def column(ev: Evaluator, expr: ir.KindColumn | ir.WordColumn) -> Eval:
    if ev.table(expr) is not None:
        return from_table(ev, expr)
    rows, domains = ev.folder.rows(expr)
    of = ev.present(expr.of)
    entry = ev.entry(ir.column_of(ev.program, expr).name, expr.indices, domains, expr.span)
    return lambda s, f: rows[of(s, f)][entry(s, f)]


def const(ev: Evaluator, expr: ir.Const) -> Eval:
    value = expr.value
    return lambda s, f: value


def local(ev: Evaluator, expr: ir.Local) -> Eval:
    slot = expr.slot
    return lambda s, f: f[slot]


def marker(ev: Evaluator, expr: ir.MarkerValue) -> Eval:
    at = ev.layout.marker_at[expr.marker]
    if not expr.indices:
        return lambda s, f: s.markers[at]
    declared = ev.program.markers[expr.marker]
    domains = ev.layout.domains(declared.indices)
    entry = ev.entry(declared.name, expr.indices, domains, expr.span)
    return lambda s, f: s.markers[at + entry(s, f)]


def score(ev: Evaluator, expr: ir.ScoreOf) -> Eval:
    seat = ev.seat(expr.player)
    return lambda s, f: s.scores[seat(s, f)]


def choice_value(ev: Evaluator, expr: ir.ChoiceValue) -> Eval:
    value = ev.folder.choice(expr.choice)
    return lambda s, f: value


def choice_item(ev: Evaluator, expr: ir.ChoiceItem) -> Eval:
    """Compiles an item of a named list; outside it, the `beyond` value or a fault."""
    items = ev.folder.choice(expr.choice)
    if not isinstance(items, tuple):
        items = (items,)
    beyond = ev.program.choices[expr.choice].beyond
    name = ev.program.choices[expr.choice].id
    at = ev.present(expr.at)
    length = len(items)
    fault = ev.fault(messages.no_value(name, length), expr.span)

    def item(s: State, f: Slots) -> Value:
        number = at(s, f)
        if 0 < number <= length:
            return items[number - 1]
        if beyond is None:
            raise fault()
        return beyond

    return item


def domain(ev: Evaluator, expr: ir.Domain) -> Eval:
    everything = ev.layout.domain(expr.of)
    return lambda s, f: everything


def player_count(ev: Evaluator, expr: ir.PlayerCount) -> Eval:
    players = ev.layout.players
    return lambda s, f: players


def number_of(ev: Evaluator, expr: ir.NumberOf) -> Eval:
    value = ev.present(expr.of)
    return lambda s, f: value(s, f) + 1


def call(ev: Evaluator, expr: ir.CallFunction) -> Eval:
    """Compiles a call of a definition; cached if it depends on its arguments only."""
    function = ev.program.functions[expr.function]
    arguments = [ev.compile(argument) for argument in expr.arguments]
    run = ev.function(expr.function)
    pad = [None] * (len(function.slots) - len(arguments))
    if ev.depends.fixed_function(expr.function):
        return _remembered(run, arguments, pad)
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


def _remembered(run: Eval, arguments: list[Eval], pad: Slots) -> Eval:
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


BUILDERS: Builders = {
    ir.Const: const,
    ir.Local: local,
    ir.MarkerValue: marker,
    ir.ScoreOf: score,
    ir.ChoiceValue: choice_value,
    ir.ChoiceItem: choice_item,
    ir.WordColumn: column,
    ir.KindColumn: column,
    ir.KindOf: from_table,
    ir.OwnerOf: from_table,
    ir.PlaceIndex: from_table,
    ir.Neighbour: from_table,
    ir.Playing: from_table,
    ir.SideOf: from_table,
    ir.PlayersOf: from_table,
    ir.PartnersOf: from_table,
    ir.PlayersFrom: from_table,
    ir.PieceState: locations.piece_state,
    ir.PlaceAt: locations.place_at,
    ir.PlaceOf: locations.place_of,
    ir.Contents: locations.contents,
    ir.ItemOf: locations.item_of,
    ir.TopOf: locations.top_of,
    ir.Domain: domain,
    ir.PlayerCount: player_count,
    ir.NumberOf: number_of,
    ir.Range: logic.range_of,
    ir.ListOf: logic.list_of,
    ir.CallFunction: call,
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
    ir.SupposingDone: supposing.supposing_done,
    ir.Appearances: locations.appearances,
    ir.Possible: questions.possible,
    AttributeOfFirst: locations.attribute_of_first,
    SizeOf: logic.size_of,
    ir.Exists: binders.exists,
    ir.Every: binders.every,
    ir.Count: binders.count,
    ir.Subsets: binders.subsets,
    ir.SumOf: binders.sum_of,
    ir.Extreme: binders.extreme,
    ir.Filter: binders.filtered,
    ir.Collect: binders.collect,
    ir.The: binders.the,
    ir.Around: grids.around,
    ir.Along: grids.along,
    ir.FarEnd: grids.far_end,
    ir.PathLength: path_lengths.path_length,
    ir.Beside: grids.beside,
    ir.Occupied: grids.occupied,
    ir.OpenPlaces: grids.open_places,
    ir.Walk: grids.walk,
    ir.Region: regions.region,
    ir.Border: regions.border,
    OccupiedRun: runs.taken_run,
    ir.EndOf: grids.end_of,
    Paid: binders.paid,
    PaidValue: paid_value,
}
