"""Interventions: variants of a program in which one seat has to do without something.

To measure what a card, an option or a rule is worth, it is taken away from one seat, and nothing
else is changed:

    card     the seat may not choose pieces of this kind, in no question
    place    the seat may not choose this place, in no question
    option   the seat may not choose this alternative of a question, or this word in it
    rule     a rule that is done for a player is not done for this seat; and where a rule gives
             points, this seat gets none

A seat that must choose but has no option left returns from the asking rule, if nothing else uses
its result; else the game faults there. The result is a program that is played like any other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from lawspeaker import ir
from lawspeaker.ir.walk import everything, rebuilt
from lawspeaker.machines.lower.choosable import Choosable
from lawspeaker.study.lab.choice_names import things, told

CARD, PLACE, OPTION, RULE = SORTS = ("card", "place", "option", "rule")
NAME = "taken_away"
"""Name of the guard that forbids a choice."""


@dataclass(frozen=True, slots=True)
class Intervention:
    """A thing taken away from a seat: its sort, its name, and the resulting program; of a card the
    cost, if it has one.
    """

    sort: str
    name: str
    program: ir.Program = field(repr=False, compare=False)
    cost: int | None = None


COSTS = ("cost", "price")
"""Attributes that tell the cost of a card, unless another is named."""


def costs_of(program: ir.Program, name: str = "") -> dict[int, int]:
    """By piece type, the column that has the cost: the one of a name, or one of the usual ones.

    Raises ValueError if no piece has a number of that name.
    """
    found: dict[int, int] = {}
    numbers: list[str] = []
    for at, piece in enumerate(program.pieces):
        for column, each in enumerate(piece.columns):
            if isinstance(each.type, ir.NumberType) and not each.indices:
                numbers.append(each.name)
                if each.name == name or (not name and each.name in COSTS):
                    found.setdefault(at, column)
    if name and not found:
        raise ValueError(f"no card has a number `{name}`; there are: {', '.join(numbers) or '–'}")
    return found


def interventions(
    program: ir.Program, players: int, seat: int, cost: str = ""
) -> Iterator[Intervention]:
    """Yields everything that can be taken away from a seat: cards, places, options, rules, in
    order. `cost` names the attribute with the cost of cards.
    """
    costs = costs_of(program, cost)
    choosable = things(program, players)
    kinds: dict[tuple[ir.KindType, object], list[Choosable]] = {}
    places: dict[tuple[ir.PlaceType, object], list[Choosable]] = {}
    options: list[Choosable] = []
    for thing in choosable.things:
        if isinstance(thing.of, ir.KindType):
            kinds.setdefault((thing.of, thing.value), []).append(thing)
        elif isinstance(thing.of, ir.PlaceType):
            places.setdefault((thing.of, thing.value), []).append(thing)
        elif thing.alternative is not None and (
            thing.part is None or isinstance(thing.of, ir.WordType)
        ):
            options.append(thing)
    for (of, value), same in kinds.items():
        name = choosable.layout.text(of, value)
        own = _cost(program, of, value, costs)
        yield Intervention(CARD, name, _closed(program, same, seat), own)
    for (where, value), same in places.items():
        name = choosable.layout.text(where, value)
        yield Intervention(PLACE, name, _closed(program, same, seat))
    for thing in options:
        name = f"{program.clauses[thing.clause].id}: {told(choosable.layout, thing)}"
        yield Intervention(OPTION, name, _closed(program, [thing], seat))
    for clause in program.clauses:
        without = _without_rule(program, clause, seat)
        if without is not None:
            yield Intervention(RULE, clause.id, without)


def _cost(program: ir.Program, of: ir.KindType, value: object, costs: dict[int, int]) -> int | None:
    if of.index not in costs or not isinstance(value, int):
        return None
    found = program.pieces[of.index].kinds[value].values[costs[of.index]]
    return found if isinstance(found, int) else None


# ---------------------------------------------------------------- cards and options


def _closed(program: ir.Program, closed: list[Choosable], seat: int) -> ir.Program:
    """The program in which a seat cannot choose some things."""

    def change(node: Any) -> Any:
        node = rebuilt(node, change)
        if not isinstance(node, ir.Ask):
            return node
        own = [each for each in closed if each.clause == node.clause]
        alternatives = node.alternatives
        for thing in own:
            alternatives = tuple(_without(node, each, thing, seat) for each in alternatives)
        if alternatives == node.alternatives:
            return node
        otherwise = node.otherwise
        alone = node.each is None and program.clauses[node.clause].outcome is None
        if node.must and otherwise is None and alone:
            # What follows uses the choice, so it is skipped as well.
            otherwise = (ir.Finish(),)
        return replace(node, alternatives=alternatives, otherwise=otherwise)

    return _changed(program, change)


def _without(ask: ir.Ask, each: ir.Alternative, thing: Choosable, seat: int) -> ir.Alternative:
    """An alternative with a guard that forbids a thing to the seat."""
    if thing.alternative is None or each.label != thing.alternative.label:
        return each
    asked = _asked(ask)
    if thing.part is None:
        guard = _guard(ask, _is(asked, seat))
        return replace(each, guards=(*each.guards, guard), ready=(*each.ready, 0))
    if thing.part >= len(each.parts):
        return each
    part = each.parts[thing.part]
    member: ir.Expr = ir.Local(part.binder.type, part.binder.slot, part.binder.name)
    assert thing.of is not None
    if isinstance(thing.of, ir.KindType):
        member = ir.KindOf(thing.of, member)
    value = ir.Compare(ir.TRUTH, "=", member, ir.Const(thing.of, thing.value))
    guard = _guard(ask, ir.And(ir.TRUTH, _is(asked, seat), value))
    if not part.several:
        return replace(each, guards=(*each.guards, guard), ready=(*each.ready, thing.part + 1))
    members = list(each.member_guards)
    members[thing.part] = (*members[thing.part], guard)
    return replace(each, member_guards=tuple(members))


def _asked(ask: ir.Ask) -> ir.Expr:
    if ask.who is not None:
        return ask.who
    assert ask.each is not None
    return ir.Local(ir.PLAYER, ask.each.slot, ask.each.name)


def _is(who: ir.Expr, seat: int) -> ir.Expr:
    return ir.Compare(ir.TRUTH, "=", who, ir.Const(ir.PLAYER, seat))


def _guard(ask: ir.Ask, closed: ir.Expr) -> ir.Guard:
    return ir.Guard(NAME, ask.clause, ir.Not(ir.TRUTH, closed), {}, ())


# ---------------------------------------------------------------- rules


def _without_rule(program: ir.Program, clause: ir.Clause, seat: int) -> ir.Program | None:
    """The program in which a rule is skipped for a seat, or gives it no points.

    None if the rule is not for a player, or has other effects.
    """
    if clause.role != "rule" or clause.index == program.main:
        return None
    statements = list(everything(clause.body))
    ends = any(isinstance(each, ir.EndGame) for each in statements)
    first = clause.slots[0] if clause.parameters else None
    for_player = first is not None and isinstance(first.type, ir.PlayerType)
    if first is not None and for_player and not ends and clause.outcome is None:
        who = ir.Local(first.type, 0, first.name)
        body = (ir.If(ir.Not(ir.TRUTH, _is(who, seat)), clause.body, ()),)
        return _with_body(program, clause, body)
    if not any(isinstance(each, ir.Score) for each in statements):
        return None

    def change(node: Any) -> Any:
        node = rebuilt(node, change)
        if not isinstance(node, ir.Score):
            return node
        if isinstance(node.who.type, ir.SetType):
            alone = ir.ListOf(node.who.type, (ir.Const(ir.PLAYER, seat),))
            return replace(node, who=ir.Combine(node.who.type, node.who, alone, without=True))
        return ir.If(ir.Not(ir.TRUTH, _is(node.who, seat)), (node,), ())

    return _with_body(program, clause, change(clause.body))


def _with_body(program: ir.Program, clause: ir.Clause, body: ir.Block) -> ir.Program:
    clauses = list(program.clauses)
    clauses[clause.index] = replace(clause, body=body)
    return replace(program, clauses=tuple(clauses))


def _changed(program: ir.Program, change: Callable[[Any], Any]) -> ir.Program:
    clauses = tuple(replace(each, body=change(each.body)) for each in program.clauses)
    return replace(program, clauses=clauses)
