"""Derives a heuristic of each side's progress towards victory, for games without points.

    if count of stones in tower of crew >= 9:
      crew wins

Here 9 minus the number of stones is the distance. Rules state the conditions of a victory.
Comparisons of numbers, and sets that have to be empty, define a distance until they hold: the
distances of a conjunction add up, and of several ways to win the shortest counts. Conditions
without a distance are left out, and a side that has no other gets no heuristic.

A condition refers to the winner by a name of its clause, or by a marker: `score of active >= 15:
active wins`. That is substituted by each player. A condition that still refers to local names of
its clause is left out, too.

In cooperative games, rules also state the conditions of a common defeat; there the distance from
these counts.

This is a heuristic for bots. No result of a game depends on it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from lawspeaker import ir
from lawspeaker.ir.walk import bound_slots, children, everything, highest_slot, rebuilt, replaced

DEEPEST = 3
"""Conditions are followed through so many levels of calls."""
MOST_WAYS, MOST_NODES = 8, 400
"""More ways to win, or longer conditions, get no heuristic: evaluating them would cost more than it
tells."""


@dataclass(frozen=True, slots=True)
class Term:
    """The distance until a comparison holds: a number from 0 on, in the slots of a clause."""

    clause: int
    value: ir.Expr


@dataclass(frozen=True, slots=True)
class Sum:
    """The sum of distances: all parts have to hold."""

    parts: tuple[Missing, ...]


@dataclass(frozen=True, slots=True)
class Least:
    """The least of distances: one of the parts has to hold."""

    parts: tuple[Missing, ...]


Missing = Term | Sum | Least


@dataclass(frozen=True, slots=True)
class Progress:
    """The distance of a side from victory; and, in cooperative games, from the common defeat."""

    victory: Missing | None
    defeat: Missing | None = None


Sides = tuple[tuple[int, ...], ...]


def progress(program: ir.Program, sides: Sides) -> tuple[Progress, ...]:
    """Returns the progress of each side; nothing if points tell, or if it is not defined for all
    sides."""
    if program.goal.worth:
        return ()
    ends = [each for each in _ends(program) if each.conditions]
    if len(sides) == 1:
        won = [_measured(program, end) for end in ends if not _is_nobody(end.winners)]
        lost = [_measured(program, end) for end in ends if _is_nobody(end.winners)]
        found = [Progress(_least(won), _least(lost))]
    else:
        found = [Progress(_of_side(program, ends, side)) for side in sides]
        if not all(each.victory for each in found):
            return ()
    several = tuple(found)
    long = sum(1 for each in several for _ in _nodes(each)) > MOST_NODES * len(several)
    measured = any(each.victory or each.defeat for each in several)
    return several if measured and not long else ()


def _nodes(found: Progress) -> Iterator[object]:
    waiting: list[Missing | None] = [found.victory, found.defeat]
    while waiting:
        match waiting.pop():
            case Term(value=value):
                yield from everything(value)
            case Sum(parts=parts) | Least(parts=parts):
                waiting += parts


# ---------------------------------------------------------------- ends of a game


@dataclass(frozen=True, slots=True)
class _End:
    """A statement by which somebody wins, in a clause, and the conditions that hold there."""

    clause: int
    winners: ir.Expr
    conditions: tuple[ir.Expr, ...]


def _ends(program: ir.Program) -> Iterator[_End]:
    for clause in program.clauses:
        yield from _ends_of(program, clause)


def _ends_of(program: ir.Program, clause: ir.Clause) -> Iterator[_End]:
    """Yields the ends of a clause. For one without a condition, yields those of the clauses that
    call it."""
    for end in _within(clause.body, _lets(clause.body), (), clause.index):
        if end.conditions:
            yield end
        else:
            yield from _from_outside(program, end, DEEPEST)


def _from_outside(program: ir.Program, end: _End, depth: int) -> Iterator[_End]:
    """Yields the conditions at the calls of a clause that always ends the game."""
    for clause in program.clauses:
        for done in _done(clause.body, _lets(clause.body), (), clause.index, end.clause):
            call, conditions = done
            meanings = dict(enumerate(call.arguments))
            outer = _End(clause.index, replaced(end.winners, meanings), conditions)
            if outer.conditions:
                yield outer
            elif depth > 1 and clause.index != end.clause:
                yield from _from_outside(program, outer, depth - 1)


Meanings = Mapping[int, ir.Expr]
Conditions = tuple[ir.Expr, ...]


def _within(block: ir.Block, lets: Meanings, conditions: Conditions, clause: int) -> Iterator[_End]:
    for statement, held in _under(block, lets, conditions):
        if isinstance(statement, ir.EndGame) and statement.winners is not None:
            yield _End(clause, _plain(statement.winners, lets), held)


def _done(
    block: ir.Block, lets: Meanings, conditions: Conditions, clause: int, wanted: int
) -> Iterator[tuple[ir.Do, Conditions]]:
    for statement, held in _under(block, lets, conditions):
        if isinstance(statement, ir.Do) and statement.clause == wanted and clause != wanted:
            arguments = tuple(_plain(each, lets) for each in statement.arguments)
            yield replace(statement, arguments=arguments), held


def _under(
    block: ir.Block, lets: Meanings, conditions: Conditions
) -> Iterator[tuple[ir.Statement, Conditions]]:
    """Yields every statement, with the conditions that hold there."""
    held = conditions
    for statement in block:
        yield statement, held
        match statement:
            case ir.If(condition=condition, then=then, otherwise=otherwise):
                plain = _plain(condition, lets)
                yield from _under(then, lets, (*held, plain))
                yield from _under(otherwise, lets, (*held, _not(plain)))
                if then and isinstance(then[-1], ir.Finish | ir.EndGame):
                    held = (*held, _not(plain))
            case ir.RepeatUntil(condition=condition, body=body):
                yield from _under(body, lets, held)
                held = (*held, _plain(condition, lets))
            case _:
                for inside in _blocks(statement):
                    yield from _under(inside, lets, held)


def _blocks(node: object) -> Iterator[ir.Block]:
    """Yields the nested blocks of a statement other than a condition."""
    inner = [each for each in children(node) if not isinstance(each, ir.Expr | ir.Binder)]
    statements = tuple(each for each in inner if isinstance(each, ir.Statement))
    if statements:
        yield statements
    for each in inner:
        if not isinstance(each, ir.Statement):
            yield from _blocks(each)


def _lets(block: ir.Block) -> dict[int, ir.Expr]:
    """Returns the meanings of names that are assigned once."""
    named = [each for each in everything(block) if isinstance(each, ir.SetLocal)]
    slots = [each.slot for each in named]
    return {each.slot: each.value for each in named if slots.count(each.slot) == 1}


def _plain(expr: ir.Expr, lets: Meanings, depth: int = DEEPEST) -> ir.Expr:
    """Substitutes such names."""
    for _ in range(depth):
        found: ir.Expr = replaced(expr, lets)
        if found == expr:
            break
        expr = found
    return expr


def _not(condition: ir.Expr) -> ir.Expr:
    return ir.Not(ir.TRUTH, condition)


def _is_nobody(winners: ir.Expr) -> bool:
    return any(isinstance(each, ir.ListOf) and not each.items for each in everything(winners))


# ---------------------------------------------------------------- who wins


def _of_side(program: ir.Program, ends: Sequence[_End], side: tuple[int, ...]) -> Missing | None:
    """Returns the distance of a side, by the shortest way in which one of its players wins."""
    found: list[Missing | None] = []
    for end in ends:
        if _is_nobody(end.winners):
            continue
        for seat in side:
            own = _by(program, end, seat)
            if own is not None:
                found.append(_measured(program, own))
    return _least(found)


def _by(program: ir.Program, end: _End, seat: int) -> _End | None:
    """Returns an end with this seat as the winner; None, if it cannot be."""
    winner, player = _single(program, end.winners), ir.Const(ir.PLAYER, seat)
    if isinstance(winner, ir.Const):
        return end if winner.value == seat else None
    wanted: ir.Expr = player
    while isinstance(winner, ir.Neighbour):
        wanted = ir.Neighbour(ir.PLAYER, wanted, -winner.step)
        winner = _single(program, winner.player)
    if not isinstance(winner, ir.Local | ir.MarkerValue):
        return None
    conditions = tuple(_with(each, winner, wanted) for each in end.conditions)
    if isinstance(winner, ir.MarkerValue):
        number = winner.marker
        conditions = tuple(each for each in conditions if not _shows(program, each, number))
    return _End(end.clause, player, conditions)


def _single(program: ir.Program, winners: ir.Expr) -> ir.Expr:
    """Returns the one player that an expression evaluates to, as far as that can be resolved."""
    match winners:
        case ir.ListOf(items=(one,)):
            return _single(program, one)
        case ir.CallFunction(function=number, arguments=arguments):
            function = program.functions[number]
            if not function.lets and isinstance(function.result.type, ir.PlayerType):
                return _single(program, replaced(function.result, dict(enumerate(arguments))))
    return winners


def _with(node: ir.Expr, one: ir.Expr, other: ir.Expr) -> ir.Expr:
    """Replaces a subexpression."""

    def change(part: object) -> object:
        return other if part == one else rebuilt(part, change)

    found: ir.Expr = change(node)  # type: ignore[assignment]
    return found


def _shows(program: ir.Program, node: object, marker: int, depth: int = DEEPEST) -> bool:
    """Returns whether an expression depends on a marker, directly or in a definition."""
    for each in everything(node):
        if isinstance(each, ir.MarkerValue) and each.marker == marker:
            return True
        if isinstance(each, ir.CallFunction):
            function = program.functions[each.function]
            inner = (function.lets, function.result)
            if not depth or _shows(program, inner, marker, depth - 1):
                return True
    return False


# ---------------------------------------------------------------- distances


def _measured(program: ir.Program, end: _End) -> Missing | None:
    """Returns the distance until all conditions of an end hold."""
    found = [_missing(program, end.clause, each, DEEPEST) for each in end.conditions]
    return _sum(each for each in found if each is not None)


def _least(found: Sequence[Missing | None]) -> Missing | None:
    ways = tuple(dict.fromkeys(each for each in found if each is not None))
    if not ways or len(ways) > MOST_WAYS:
        return None
    return ways[0] if len(ways) == 1 else Least(ways)


def _sum(found: Iterator[Missing]) -> Missing | None:
    parts = tuple(found)
    if not parts:
        return None
    return parts[0] if len(parts) == 1 else Sum(parts)


def _missing(program: ir.Program, clause: int, node: ir.Expr, depth: int) -> Missing | None:
    """Returns the distance until a condition holds, if it is defined."""
    match node:
        case ir.And(left=left, right=right):
            both = [_missing(program, clause, each, depth) for each in (left, right)]
            return _sum(each for each in both if each is not None)
        case ir.Or(left=left, right=right):
            return _least([_missing(program, clause, each, depth) for each in (left, right)])
        case ir.Not(operand=ir.Not(operand=inner)):
            return _missing(program, clause, inner, depth)
        case ir.Not(operand=ir.And(left=left, right=right)):
            return _least([_missing(program, clause, _not(each), depth) for each in (left, right)])
        case ir.Not(operand=ir.Or(left=left, right=right)):
            both = [_missing(program, clause, _not(each), depth) for each in (left, right)]
            return _sum(each for each in both if each is not None)
        case ir.CallFunction(function=number, arguments=arguments) if depth:
            function = program.functions[number]
            if not function.lets and not any(map(_open, arguments)):
                result = replaced(function.result, dict(enumerate(arguments)))
                return _missing(program, function.clause, result, depth - 1)
            return None
    value = _lacking(node)
    if value is None or _open(value) or not _varies(value):
        return None
    return Term(clause, value)


def _lacking(node: ir.Expr) -> ir.Expr | None:
    """Returns the distance of a condition that is one comparison, as an expression."""
    match node:
        case ir.Compare(operator=operator, left=left, right=right):
            if isinstance(left.type, ir.NumberType) and isinstance(right.type, ir.NumberType):
                return _compared(operator, left, right)
        case ir.Not(operand=ir.Compare(operator=operator, left=left, right=right)):
            against = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}.get(operator)
            if against is not None:
                return _compared(against, left, right)
        case ir.IsEmpty(set=of):
            return _size(of)
        case ir.Not(operand=ir.Exists(binder=binder)):
            return ir.Count(ir.NUMBER, binder)
        case ir.Every(binder=binder, condition=condition):
            inner = _lacking(condition)
            if inner is None:
                inner = ir.Conditional(ir.NUMBER, condition, _number(0), _number(1))
            return ir.SumOf(ir.NUMBER, binder, inner)
    return None


def _compared(operator: str, left: ir.Expr, right: ir.Expr) -> ir.Expr:
    """Returns the distance until a comparison of numbers holds."""
    if operator in ("<", "<="):
        left, right, operator = right, left, operator.replace("<", ">")
    lacks = ir.Arithmetic(ir.NUMBER, "-", right, left)
    if operator == ">":
        lacks = ir.Arithmetic(ir.NUMBER, "+", lacks, _number(1))
    other = ir.Arithmetic(ir.NUMBER, "-", left, right) if operator == "=" else _number(0)
    return ir.Arithmetic(ir.NUMBER, "larger", lacks, other)


def _size(of: ir.Expr) -> ir.Expr | None:
    if not isinstance(of.type, ir.SetType):
        return None
    return ir.Count(ir.NUMBER, ir.Binder(1 + highest_slot(of), "member", of.type.of, of, None))


def _number(value: int) -> ir.Expr:
    return ir.Const(ir.NUMBER, value)


def _open(node: object) -> bool:
    """Returns whether an expression has free names."""
    inside = bound_slots(node)
    return any(isinstance(each, ir.Local) and each.slot not in inside for each in everything(node))


def _varies(node: object) -> bool:
    """Returns whether an expression can change during a game."""
    varying = (ir.ScoreOf, ir.MarkerValue, ir.Contents, ir.PieceState, ir.PlaceOf, ir.CallFunction)
    return any(isinstance(each, (*varying, ir.Occupied, ir.Region)) for each in everything(node))
