"""Interval analysis: which numbers the names, markers and states of a program can hold.

It is flow-insensitive: a variable's interval is the hull of all values ever assigned to it. A
variable that grows by a constant amount per round (`total becomes total + value of card`) is
assumed to do so at most `MOST_CHANGES` times; one that grows otherwise, or has not settled after
some rounds, is widened to any number.

From this `Ranges` answers which expressions can fault in any position.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from lawspeaker import ir
from lawspeaker.ir.bounds import (
    ANY,
    LONGEST,
    NO_SLOTS,
    Frame,
    Interval,
    MostBounds,
    added,
    clipped,
    fits,
    hull,
    is_of_numbers,
    worked,
)
from lawspeaker.ir.cost import MOST_STEPS, ROUND, SMALL, TRY, Costs
from lawspeaker.ir.subsets import MOST_OPTIONS
from lawspeaker.ir.walk import code_of, everything, rebuilt, replaced

MOST_CHANGES = 1_000_000
"""The most assignments by which a variable is assumed to grow in a game."""
_FEW = 7
"""Path searches over more connections than this may exceed the number of tries."""
STRIDE = 4
"""Rounds between the three samples by which the growth of a variable is measured."""

Owner = tuple[str, int]
"""What a slot belongs to: a clause, a definition or an invariant; or a marker, or a piece type."""
Variable = tuple[Owner, int]
RESULT = -1
"""The pseudo-slot of a definition's result."""
NO_OWNER: Owner = ("", 0)
SCORE: Variable = (("score", 0), 0)
_TAKES_NOTHING = (
    *(ir.Conditional, ir.ListOf, ir.Collect, ir.CallFunction, ir.Exists, ir.Every),
    *(ir.Count, ir.Filter, ir.EndOf, ir.Possible, ir.SupposingDone),
)
"""Expressions that accept `nothing` as an operand."""
_OPPOSITE = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "="}
_NEGATED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}


class _All(Costs):
    """A cost model without dynamic charging: every node is charged with all it does."""

    bounds: Ranges

    def heavy(self, binder: ir.Binder, value: object = None) -> int:
        return 0

    def heavy_step(self, expr: ir.Region) -> int:
        return 0

    def tries(self, expr: ir.PathLength) -> int:
        connections = self.bounds.members(expr.binder.source)
        if not expr.longest:
            nodes = self.bounds.things(self.program.networks[expr.network].joins)
            return 2 * ROUND * (nodes + 1) * connections
        ways = 1
        for each in range(1, min(connections, _FEW) + 1):
            ways *= 2 * each
        return min(MOST_STEPS, TRY * ways) if connections <= _FEW else MOST_STEPS

    def supposed(self, number: int) -> int:
        return self.bounds.clause_work(number)


class _NotYetKnown(Exception):
    """A variable has no interval yet."""


@dataclass(frozen=True, slots=True)
class Flow:
    """An assignment of a value to a variable; `owner` is the scope of the names in the value."""

    into: Variable
    owner: Owner
    value: ir.Expr


class Ranges(MostBounds):
    """Intervals of numbers, and the most steps that statements take in all iterations (`work`)."""

    def __init__(self, program: ir.Program) -> None:
        super().__init__(program)
        self._owner = NO_OWNER
        self._held: dict[Variable, Interval] = {}
        self._settled = False
        consts = (each for each in everything(code_of(program)) if isinstance(each, ir.Const))
        players = (each for each in consts if isinstance(each.type, ir.PlayerType))
        shuffles = (each for each in everything(code_of(program)) if isinstance(each, ir.Shuffle))
        types = (ir.plain(each.place.type) for each in shuffles)
        self._shuffled = {each.index for each in types if isinstance(each, ir.PlaceType)}
        self._named_absent = not all(_takes_part(program, each) for each in players)
        self._settle(list(_flows(program)))
        self.costs = _All(program, self)
        self._work: dict[int, int] = {}

    # ------------------------------------------------------------ intervals

    @contextmanager
    def names_of(self, owner: Owner) -> Iterator[None]:
        """Evaluates names in the scope of this clause, definition or invariant."""
        outer, self._owner = self._owner, owner
        try:
            yield
        finally:
            self._owner = outer

    @property
    def context(self) -> tuple[object, ...]:
        return (self._owner, *super().context)

    def unknown(self, expr: ir.Expr) -> Interval:
        match expr:
            case ir.Local(slot=slot) if _has_numbers(expr.type):
                return self._of((self._owner, slot))
            case ir.ScoreOf():
                return self._of(SCORE)
        return ANY

    def _number(self, expr: ir.Expr, frame: Frame) -> Interval:
        variable = _lasting(self.whole, expr)
        return super()._number(expr, frame) if variable is None else self._of(variable)

    def _of(self, variable: Variable) -> Interval:
        if variable not in self._held and not self._settled:
            raise _NotYetKnown
        return self._held.get(variable, ANY)

    def _result(self, function: ir.Function, number: int) -> Interval:
        return self._of((("function", number), RESULT))

    def _settle(self, flows: list[Flow]) -> None:
        """Propagates values to a fixed point; extrapolates variables that grow steadily."""
        readers: dict[Variable, list[Flow]] = {}
        for flow in flows:
            for variable in _reads(self.whole, flow):
                readers.setdefault(variable, []).append(flow)
        fixed: set[Variable] = set()
        waiting = flows
        seen = [dict[Variable, Interval]()]
        while waiting:
            changed: set[Variable] = set()
            for _ in range(STRIDE):
                changed = self._round(waiting, fixed)
                waiting = [flow for each in changed for flow in readers.get(each, ())]
            seen.append(dict(self._held))
            if len(seen) > 3:
                for each in changed:
                    self._held[each] = _grown(*(found.get(each) for found in seen[-3:]))
                fixed |= changed
        self._settled = True
        self._forget()

    def _round(self, flows: Iterable[Flow], fixed: Container[Variable]) -> set[Variable]:
        """Propagates values once; returns the variables whose intervals grew."""
        changed: set[Variable] = set()
        for flow in flows:
            if flow.into in fixed:
                continue
            self._forget()
            with self.names_of(flow.owner), suppress(_NotYetKnown):
                found = self.number(flow.value)
                before = self._held.get(flow.into)
                now = found if before is None else hull(before, found)
                if now != before:
                    self._held[flow.into] = now
                    changed.add(flow.into)
        return changed

    def _forget(self) -> None:
        for cache in (self._numbers, self._members, self._repeating):
            cache.clear()

    def rounds(self, statement: ir.Statement) -> int:
        """The most iterations of a loop, or the most pieces that a statement moves."""
        match statement:
            case ir.ForEach(binder=binder) | ir.Rank(binder=binder) | ir.MoveSome(binder=binder):
                return min(self.members(binder.source), self._of_a_kind(binder))
            case ir.Move(what=what) if isinstance(what.type, ir.SetType):
                return self.members(what)
            case (
                ir.Repeat(times=often)
                | ir.RepeatUntil(most=often)
                | ir.Draw(count=ir.Expr() as often)
            ):
                return max(0, self.number(often)[1])
        return 1

    def _of_a_kind(self, binder: ir.Binder) -> int:
        """The number of pieces of the kind that a binder asks for, if it asks for one."""
        match binder:
            case ir.Binder(
                type=ir.PieceType(index=number),
                where=ir.Compare(
                    operator="=", left=ir.KindOf(of=ir.Local(slot=slot)), right=ir.Const(value=kind)
                ),
            ) if slot == binder.slot and isinstance(kind, int):
                piece = self.whole.pieces[number]
                return self._pieces(replace(piece, kinds=(piece.kinds[kind],)))
        return MOST_STEPS

    # ------------------------------------------------------------ faults

    def steps(self, node: ir.Expr | ir.Binder) -> int:
        """The most steps of an expression, or of iterating over a binder."""
        return self.costs.through(node) if isinstance(node, ir.Binder) else self.costs.of(node)

    def same_for_each(self, binder: ir.Binder, value: ir.Expr | None) -> bool:
        """Whether each combination takes equally many steps, with no dynamic charging."""
        if not isinstance(binder.source, ir.Subsets):
            return False
        return self.costs.of_each(binder, value) <= SMALL

    def work(self, block: ir.Block) -> int:
        """The most steps of a block, with all it calls, if nobody is asked."""
        total = self.costs.once(block)
        for statement in block:
            each = self.costs.each(statement)
            match statement:
                case ir.If(then=then, otherwise=otherwise):
                    total += max(self.work(then), self.work(otherwise))
                case ir.ForEach(body=body) | ir.Repeat(body=body):
                    each += self.work(body)
                case ir.RepeatUntil(body=body) | ir.Rank(body=body):
                    each += self.work(body)
                case ir.Do(clause=number):
                    total += self.clause_work(number)
            total += each * self.rounds(statement) if each else 0
            if total > MOST_STEPS:
                return MOST_STEPS
        return total

    def clause_work(self, number: int) -> int:
        """The most steps of a clause. Memoised."""
        if number not in self._work:
            self._work[number] = MOST_STEPS  # for a recursive clause, which is rejected
            clause = self.whole.clauses[number]
            with self.names_of(("clause", number)), self.costs.inside(clause):
                self._work[number] = self.work(clause.body)
        return self._work[number]

    def can_fail(self, expr: ir.Expr, holding: Collection[ir.Expr] = ()) -> bool:
        """Whether an expression can fault although none of its operands does, given the conditions
        in `holding`."""
        match expr:
            case ir.Arithmetic(operator="smaller" | "larger"):
                return False
            case ir.Arithmetic(operator="remainder", right=right) | ir.Divide(right=right):
                return self._can_be_zero(right, holding)
            case ir.Arithmetic(operator=sign, left=left, right=right):
                one, two = self.within(left, holding), self.within(right, holding)
                return not fits(worked(sign, one, two))
            case ir.SumOf(binder=binder, value=value, product=product):
                each = self.number(value, self._inside(binder, NO_SLOTS))
                return not fits(added(each, self.members(binder.source), product))
            case ir.PathLength(binder=binder, value=value):
                each = self.number(value, self._inside(binder, NO_SLOTS))
                return not fits(worked("*", each, (0, self.members(binder.source))))
            case ir.Subsets():
                return self.combinations(expr) > MOST_OPTIONS
            case ir.Range(low=low, high=high):
                return self.within(high, holding)[1] - self.within(low, holding)[0] >= LONGEST
            case ir.Combine(left=left, right=right, without=False, type=of) if is_of_numbers(of):
                return self.members(left) + self.members(right) > LONGEST
            case ir.The() | ir.Extreme(otherwise=None) | ir.ItemOf() | ir.Possible():
                return True
            case ir.SupposingDone():
                return True
            case ir.ChoiceItem(choice=number, at=at):
                choice = self.whole.choices[number]
                shortest = min(len(each) for each in choice.values if isinstance(each, tuple))
                least, most = self.within(at, holding)
                return choice.beyond is None and not 1 <= least <= most <= shortest
            case ir.MarkerValue(marker=number, indices=indices):
                return self._outside(indices, self.whole.markers[number].indices, holding)
            case ir.PieceState(piece=number, state=state, indices=indices):
                states = self.whole.pieces[number].states
                return self._outside(indices, states[state].indices, holding)
            case ir.KindColumn(indices=indices) | ir.WordColumn(indices=indices):
                return self._outside(indices, ir.column_of(self.whole, expr).indices, holding)
            case ir.PlaceAt(family=number, indices=indices):
                return self._outside(indices, self.whole.families[number].indices, holding)
            case ir.TopOf(place=place):
                of = ir.plain(place.type)
                return isinstance(of, ir.PlaceType) and of.index in self._shuffled
            case ir.ScoreOf():
                return not self._all_play
            case ir.Beside(family=number):
                return self.whole.families[number].grows
        return False

    def in_range(self, value: ir.Expr, type: ir.Type, holding: Iterable[ir.Expr] = ()) -> bool:
        """Whether a value certainly lies in the range of its target."""
        if not isinstance(type, ir.NumberType) or not type.listed:
            return True
        low, high = self.within(value, holding)
        return type.low <= low and high <= type.high

    def within(self, expr: ir.Expr, holding: Iterable[ir.Expr]) -> Interval:
        """The interval of a number under some conditions."""
        low, high = self.number(expr)
        for condition in holding:
            for operator, left, right in _compared(condition):
                if left != expr:
                    continue
                least, most = self.number(right)
                match operator:
                    case "<":
                        high = min(high, most - 1)
                    case "<=":
                        high = min(high, most)
                    case ">":
                        low = max(low, least + 1)
                    case ">=":
                        low = max(low, least)
                    case "=":
                        low, high = max(low, least), min(high, most)
        return (low, high) if low <= high else self.number(expr)

    def _can_be_zero(self, expr: ir.Expr, holding: Iterable[ir.Expr]) -> bool:
        holding = tuple(holding)
        for condition in holding:
            match condition:
                case ir.Not(operand=ir.Compare(operator="=", left=left, right=right)):
                    if (left, right) in ((expr, _ZERO), (_ZERO, expr)):
                        return False
        low, high = self.within(expr, holding)
        return low <= 0 <= high

    @property
    def _all_play(self) -> bool:
        """Whether the rules can name only players who take part."""
        return not self._named_absent

    def _outside(
        self,
        indices: Sequence[ir.Expr],
        declared: Sequence[ir.Index | ir.Column],
        holding: Iterable[ir.Expr],
    ) -> bool:
        """Whether there may be no entry or place with these indices."""
        pairs = zip(indices, declared, strict=True)
        return not all(self._is_index(expr, index, holding) for expr, index in pairs)

    def _is_index(
        self, expr: ir.Expr, index: ir.Index | ir.Column, holding: Iterable[ir.Expr]
    ) -> bool:
        match ir.plain(index.type):
            case ir.NumberType(low=low, high=high):
                least, most = self.within(expr, holding)
                return low <= least and most <= high
            case ir.PlayerType():
                const = isinstance(expr, ir.Const) and _takes_part(self.whole, expr)
                return const or self._all_play
            case other:
                return ir.plain(expr.type) == other


_ZERO = ir.Const(ir.NUMBER, 0)


def _takes_part(program: ir.Program, player: ir.Const) -> bool:
    """Whether a named player takes part at every number of players."""
    return isinstance(player.value, int) and player.value < program.fewest


def surely_finds(binder: ir.Binder, holding: Iterable[ir.Expr], if_any: bool = False) -> bool:
    """Whether a binder certainly finds something: because it is unrestricted, a condition says so,
    or it looks for an extreme value. With `if_any`, only provided its source has members."""
    if binder.where is None and has_members(binder.source):
        return True
    for each in holding:
        match each:
            case ir.Exists(binder=other) if _same_binder(other, binder):
                return True
            case ir.Not(operand=ir.IsEmpty(set=several)) if binder.where is None:
                if several == binder.source:
                    return True
    match binder.where:
        case ir.Compare(operator="=", left=left, right=right):
            extremes = [right, left]
            extremes += [
                each.right
                for each in holding
                if isinstance(each, ir.Compare) and each.left in (left, right)
            ]
            pairs = product(extremes, (left, right))
            return any(_is_extreme(each, value, binder, if_any) for each, value in pairs)
    return False


def has_members(several: ir.Expr) -> bool:
    """Whether a set certainly has a member."""
    match several:
        case ir.ListOf(items=items):
            return bool(items)
        case (
            ir.Filter(binder=ir.Binder(where=None, source=source))
            | ir.Collect(binder=ir.Binder(where=None, source=source))
        ):
            return has_members(source)
    return isinstance(several, ir.Domain | ir.PlayersFrom)


def _same_binder(one: ir.Binder, other: ir.Binder) -> bool:
    """Whether two binders are equal up to renaming (alpha equivalence)."""
    return bool(_nameless(one) == _nameless(other))


def _nameless(binder: ir.Binder) -> Any:
    """A binder with its bound slots numbered in order of occurrence. The order of combinations is
    irrelevant."""
    slots: dict[int, int] = {}
    for each in everything((binder,)):
        if isinstance(each, ir.Binder):
            slots.setdefault(each.slot, -1 - len(slots))

    def changed(node: Any) -> Any:
        new = rebuilt(node, changed)
        match new:
            case ir.Local(slot=slot) | ir.Binder(slot=slot) if slot in slots:
                return replace(new, slot=slots[slot], name="")
            case ir.Subsets():
                return replace(new, largest_first=False)
        return new

    return changed(binder)


def was_gone_through(several: ir.Subsets, holding: Iterable[ir.Expr]) -> bool:
    """Whether a known condition iterated over these combinations, so they are few enough."""
    found = (each.binder for each in holding if isinstance(each, ir.Exists))
    return any(
        isinstance(each.source, ir.Subsets)
        and replace(each.source, largest_first=several.largest_first) == several
        for each in found
    )


def _is_extreme(expr: ir.Expr, value: ir.Expr, binder: ir.Binder, if_any: bool) -> bool:
    """Whether an expression is the extreme of a value over all that a binder ranges over."""
    match expr:
        case ir.Extreme(binder=ir.Binder(where=None, source=source, slot=slot), value=own):
            some = if_any or expr.otherwise is None or has_members(source)
            name = ir.Local(binder.type, binder.slot, binder.name)
            return some and source == binder.source and replaced(own, {slot: name}) == value
    return False


def lacks(expr: ir.Expr) -> bool:
    """Whether an expression faults if an operand is nothing."""
    match expr:
        case ir.Compare(operator="=") | ir.KindOf(type=ir.MaybeType()):
            return False
    return not isinstance(expr, _TAKES_NOTHING)


def adds_up(expr: ir.Expr) -> bool:
    """Whether an expression faults only by overflow."""
    return isinstance(expr, ir.SumOf | ir.Arithmetic) and not divides(expr)


def divides(expr: ir.Expr) -> bool:
    """Whether an expression faults only if its last operand is zero."""
    remainder = isinstance(expr, ir.Arithmetic) and expr.operator == "remainder"
    return remainder or isinstance(expr, ir.Divide)


def may_be_nothing(part: object) -> bool:
    return isinstance(part, ir.Expr) and isinstance(part.type, ir.MaybeType | ir.NothingType)


def _compared(condition: ir.Expr) -> Iterator[tuple[str, ir.Expr, ir.Expr]]:
    """The comparison in a condition, in both directions."""
    match condition:
        case ir.Not(operand=ir.Compare(operator=operator, left=left, right=right)):
            if operator not in _NEGATED:
                return
            operator = _NEGATED[operator]
        case ir.Compare(operator=operator, left=left, right=right):
            pass
        case _:
            return
    if isinstance(left.type, ir.NumberType) and isinstance(right.type, ir.NumberType):
        yield operator, left, right
        yield _OPPOSITE[operator], right, left


def _lasting(program: ir.Program, expr: ir.Expr) -> Variable | None:
    """The marker or state that an expression reads, unless its range is declared."""
    match expr:
        case ir.MarkerValue(marker=number):
            type, variable = program.markers[number].type, (("marker", number), 0)
        case ir.PieceState(piece=number, state=state):
            type, variable = program.pieces[number].states[state].type, (("state", number), state)
        case _:
            return None
    return variable if isinstance(type, ir.NumberType) and not type.listed else None


# ---------------------------------------------------------------- assignments


def _grown(*seen: Interval | None) -> Interval:
    """Extrapolates the interval of a variable from three samples."""
    first, second, third = (each or (0, 0) for each in seen)
    low, high = third[0] - second[0], third[1] - second[1]
    if None in seen or (low, high) != (second[0] - first[0], second[1] - first[1]):
        return ANY
    return clipped((third[0] + low * MOST_CHANGES, third[1] + high * MOST_CHANGES))


def _reads(program: ir.Program, flow: Flow) -> Iterator[Variable]:
    """The variables that an assigned value reads."""
    for each in everything(flow.value):
        match each:
            case ir.Local(slot=slot):
                yield flow.owner, slot
            case ir.ScoreOf():
                yield SCORE
            case ir.CallFunction(function=number):
                yield ("function", number), RESULT
            case ir.MarkerValue() | ir.PieceState():
                if (variable := _lasting(program, each)) is not None:
                    yield variable


def _flows(program: ir.Program) -> Iterator[Flow]:
    found = [*_starts(program)]
    for clause in program.clauses:
        found += _flows_in(program, ("clause", clause.index), clause.body)
    for number, function in enumerate(program.functions):
        owner = "function", number
        found += [Flow((owner, slot), owner, value) for slot, value in function.lets]
        found += _flows_in(program, owner, (function.lets, function.result))
        if _has_numbers(function.result.type):
            found.append(Flow((owner, RESULT), owner, function.result))
    for number, always in enumerate(program.always):
        found += _flows_in(program, ("always", number), always.condition)
    return (each for each in found if _has_numbers(each.value.type))


def _has_numbers(type: ir.Type) -> bool:
    while isinstance(type, ir.SetType | ir.MaybeType):
        type = type.of
    return isinstance(type, ir.NumberType)


def _starts(program: ir.Program) -> Iterator[Flow]:
    """The initial values of markers, states and scores."""
    yield Flow(SCORE, NO_OWNER, _ZERO)
    shown: list[tuple[Variable, ir.Marker | ir.State]] = [
        ((("marker", at), 0), marker) for at, marker in enumerate(program.markers)
    ]
    for number, piece in enumerate(program.pieces):
        shown += [((("state", number), at), state) for at, state in enumerate(piece.states)]
    for variable, each in shown:
        for value in (each.start, *(value for _, value in each.starts)):
            yield Flow(variable, NO_OWNER, ir.Const(each.type, value))


def _flows_in(program: ir.Program, owner: Owner, code: object) -> Iterator[Flow]:
    for node in everything(code):
        match node:
            case ir.SetLocal(slot=slot, value=value):
                yield Flow((owner, slot), owner, value)
            case ir.SetMarker(marker=number, value=value):
                yield Flow((("marker", number), 0), owner, value)
            case ir.SetState(piece=piece, state=state, value=value):
                yield Flow((("state", piece), state), owner, value)
            case ir.Score(points=points, loses=loses):
                before = ir.ScoreOf(ir.NUMBER, ir.Const(ir.PLAYER, 0))
                sign = "-" if loses else "+"
                yield Flow(SCORE, owner, ir.Arithmetic(ir.NUMBER, sign, before, points))
            case ir.Binder(slot=slot, source=source):
                yield Flow((owner, slot), owner, source)
            case ir.Part(several=True, set_slot=slot, binder=binder):
                yield Flow((owner, slot), owner, binder.source)
            case ir.Rank(binder=binder, tied_slot=tied, place_slot=place, tier_slot=tier):
                ranks = ir.NumberOf(ir.NUMBER, ir.Local(ir.plain(binder.type), binder.slot, ""))
                yield Flow((owner, place), owner, ranks)
                yield Flow((owner, tier), owner, ranks)
                yield Flow((owner, tied), owner, binder.source)
            case (
                ir.Repeat(times=often, left_slot=left) | ir.RepeatUntil(most=often, left_slot=left)
            ):
                yield Flow((owner, left), owner, often)
            case ir.Do(clause=target, arguments=arguments, returns=returns):
                given = "clause", target
                yield from _arguments(given, owner, arguments)
                slots = program.clauses[target].slots
                for there, here in returns:
                    result = ir.Local(slots[there].type, there, slots[there].name)
                    yield Flow((owner, here), given, result)
            case (
                ir.Possible(clause=target, arguments=arguments)
                | ir.SupposingDone(clause=target, arguments=arguments)
            ):
                yield from _arguments(("clause", target), owner, arguments)
            case ir.CallFunction(function=target, arguments=arguments):
                yield from _arguments(("function", target), owner, arguments)


def _arguments(to: Owner, owner: Owner, arguments: tuple[ir.Expr, ...]) -> Iterator[Flow]:
    return (Flow((to, at), owner, each) for at, each in enumerate(arguments))
