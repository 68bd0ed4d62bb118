"""The closures give what the expressions mean: random expressions against their stated meaning.

`Meaning` says what each node means, with none of the machine's short cuts.
`Maker` makes random expressions of a type, nested a few levels deep, which read slots, places,
attributes, and defined values; `Caller` gives those what may be a fault. Both must give the same
value, or the same fault.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from lawspeaker import ir
from lawspeaker.base.source import SourceFile, Span
from lawspeaker.ir.types import (
    NUMBER,
    PLAYER,
    TRUTH,
    MaybeType,
    NumberType,
    PieceType,
    SetType,
    TruthType,
    Type,
    WordType,
)
from lawspeaker.machines.reference import RuleFault, machine_for
from lawspeaker.machines.reference.evaluate import Evaluator
from lawspeaker.machines.reference.expressions import BUILDERS
from lawspeaker.position.rng import RngFactory, Stream
from lawspeaker.position.state import State
from tests.meaning.meaning import Broken, Meaning
from tests.reference import games
from tests.reference.games import CARD, CARD_KIND, DISCARDS, HAND, TABLE, binder, local
from tests.tiers import sample

PLACES = SetType(HAND)
NOBODY = MaybeType(PLAYER)
BOOK = SourceFile("book", "")
RED_SCORE = ir.ScoreOf(NUMBER, ir.Const(PLAYER, 0))
FIRST_BOUND = 4
SLOTS = 40


def holder() -> ir.Function:
    """`if there is a card in hand of player then kind of card else the first kind`."""
    found = ir.Exists(TRUTH, binder(1, CARD, games.contents(local(HAND, 0))))
    kind = ir.KindOf(CARD_KIND, local(CARD, 1))
    result = ir.Conditional(CARD_KIND, found, kind, ir.Const(CARD_KIND, 0))
    return ir.Function("first_kind", 0, 1, (slot(HAND), slot(CARD)), (), result)


def size() -> ir.Function:
    """`2 * count of cards in hand + worth`, with a let."""
    count = ir.Count(NUMBER, binder(3, CARD, games.contents(local(HAND, 0))))
    double = ir.Arithmetic(NUMBER, "*", ir.Const(NUMBER, 2), local(NUMBER, 2))
    result = ir.Arithmetic(NUMBER, "+", double, local(NUMBER, 1))
    slots = (slot(HAND), slot(NUMBER), slot(NUMBER), slot(CARD))
    return ir.Function("size", 0, 2, slots, ((2, count),), result)


def slot(of: Type) -> ir.Slot:
    return ir.Slot("it", of)


def either() -> ir.Function:
    """`if score of red > first then second else third`: the situation says what is needed."""
    more = games.compare(">", RED_SCORE, local(NUMBER, 0))
    result = ir.Conditional(NUMBER, more, local(NUMBER, 1), local(NUMBER, 2))
    return ir.Function("either", 0, 3, (slot(NUMBER),) * 3, (), result)


def unread() -> ir.Function:
    """`smaller(number, score of red)`, whatever cards and player are given with it."""
    slots = (slot(SetType(CARD)), slot(NUMBER), slot(PLAYER))
    result = ir.Arithmetic(NUMBER, "smaller", local(NUMBER, 1), RED_SCORE)
    return ir.Function("unread", 0, 3, slots, (), result)


def perhaps_empty() -> ir.Function:
    """`score of red > number and cards is empty`."""
    more = games.compare(">", RED_SCORE, local(NUMBER, 1))
    result = ir.And(TRUTH, more, ir.IsEmpty(TRUTH, local(SetType(CARD), 0)))
    return ir.Function("perhaps_empty", 0, 2, (slot(SetType(CARD)), slot(NUMBER)), (), result)


def worth_more() -> ir.Function:
    """`all cards worth more than number`, with a let that is never read."""
    worth = games.compare(">", games.worth(local(CARD, 3)), local(NUMBER, 1))
    found = ir.Filter(SetType(CARD), binder(3, CARD, local(SetType(CARD), 0), worth))
    share = ir.Divide(NUMBER, ir.Const(NUMBER, 6), local(NUMBER, 1), False)
    slots = (slot(SetType(CARD)), slot(NUMBER), slot(NUMBER), slot(CARD))
    return ir.Function("worth_more", 0, 2, slots, ((2, share),), found)


SIDE = WordType("side", 1)
MOODS = games.lots(()).word_sets
PROGRAM = games.lots(
    (),
    word_sets=(*MOODS, ir.WordSet("side", ("all",), (), ((),))),
    sides=(tuple(range(len(games.lots(()).player_names))),),
    side_words=1,
    functions=(holder(), size(), either(), unread(), perhaps_empty(), worth_more()),
)


class Maker:
    """Random expressions. Slots 0 to 3 hold a player, a card, a hand and a number."""

    def __init__(self, luck: Stream) -> None:
        self.luck = luck
        self.bound: list[tuple[Type, int]] = []
        self.next = FIRST_BOUND

    def make(self, of: Type, depth: int) -> ir.Expr:
        if depth <= 0 or self.luck.below(8) == 0:
            return self.leaf(of)
        if isinstance(of, SetType):
            return self.several(of, depth - 1)
        made: Any = {
            NUMBER: self.number,
            TRUTH: self.truth,
            PLAYER: self.player,
            CARD: self.card,
            HAND: self.hand,
            CARD_KIND: self.kind,
        }[of]
        expr: ir.Expr = made(depth - 1)
        return expr

    def leaf(self, of: Type) -> ir.Expr:
        known = [at for kind, at in self.bound if kind == of]
        base = {PLAYER: 0, CARD: 1, HAND: 2, NUMBER: 3}
        if of in base:
            known.append(base[of])
        if known and self.luck.below(3):
            return local(of, self.luck.choose(known))
        match of:
            case SetType(of=inner) if inner == CARD:
                return games.contents(self.leaf(HAND))
            case SetType(of=inner):
                return ir.Domain(of, inner)
        if of == NUMBER:
            return ir.Const(NUMBER, self.luck.below(7) - 2)
        if of == TRUTH:
            return ir.Const(TRUTH, bool(self.luck.below(2)))
        if of == CARD_KIND:
            return ir.Const(CARD_KIND, self.luck.below(3))
        if of == HAND:
            return ir.PlaceAt(HAND, HAND.index, (ir.Const(PLAYER, self.luck.below(2)),))
        return local(of, base[of])

    def binder(self, depth: int, member: Type | None = None) -> ir.Binder:
        of = member or self.luck.choose([PLAYER, CARD, HAND, CARD_KIND])
        source = self.make(SetType(of), depth)
        at, self.next = self.next, self.next + 1
        self.bound.append((of, at))
        where = self.make(TRUTH, depth) if self.luck.below(3) else None
        return binder(at, of, source, where)

    def release(self) -> None:
        self.bound.pop()

    def taking(self, depth: int, build: Any, member: Type | None = None) -> ir.Expr:
        """An expression with a binder; what it binds is known inside only."""
        taken = self.binder(depth, member)
        made: ir.Expr = build(taken)
        self.release()
        return made

    def combining(self, depth: int, build: Any, member: Type | None = None) -> ir.Expr:
        """The same with a binder that takes combinations of some things."""
        of = SetType(member or self.luck.choose([PLAYER, CARD, HAND, CARD_KIND]))
        least, most = (
            self.make(NUMBER, 0) if self.luck.below(2) else None for _ in ("least", "most")
        )
        source, large = self.make(of, depth), bool(self.luck.below(2))
        at, self.next = self.next, self.next + 1
        self.bound.append((of, at))
        where = self.make(TRUTH, depth) if self.luck.below(3) else None
        made: ir.Expr = build(
            binder(at, of, ir.Subsets(SetType(of), least, most, source, large), where)
        )
        self.release()
        return made

    def number(self, depth: int) -> ir.Expr:
        make = self.make
        match self.luck.below(14):
            case 11:
                return self.combining(depth, lambda b: ir.Count(NUMBER, b))
            case 12:
                return self.combining(depth, lambda b: ir.SumOf(NUMBER, b, make(NUMBER, depth)))
            case 13:
                return self.taking(depth, lambda b: ir.SumOf(NUMBER, b, make(NUMBER, depth), True))
            case 0 | 1:
                operators = ["+", "-", "*", "smaller", "larger", "difference", "remainder"]
                operator = self.luck.choose(operators)
                return ir.Arithmetic(NUMBER, operator, make(NUMBER, depth), make(NUMBER, depth))
            case 2:
                up = bool(self.luck.below(2))
                return ir.Divide(NUMBER, make(NUMBER, depth), make(NUMBER, depth), up)
            case 3:
                return self.taking(depth, lambda b: ir.Count(NUMBER, b))
            case 4:
                return self.taking(depth, lambda b: ir.SumOf(NUMBER, b, make(NUMBER, depth)))
            case 5:
                otherwise = make(NUMBER, 0) if self.luck.below(2) else None
                high = bool(self.luck.below(2))
                return self.taking(
                    depth, lambda b: ir.Extreme(NUMBER, b, make(NUMBER, depth), high, otherwise)
                )
            case 6:
                return games.worth(make(CARD, depth))
            case 7:
                return ir.KindColumn(NUMBER, 0, 0, make(CARD_KIND, depth))
            case 8:
                return ir.ScoreOf(NUMBER, make(PLAYER, depth))
            case 9:
                return ir.CallFunction(NUMBER, 1, (make(HAND, depth), make(NUMBER, depth)))
        return ir.Conditional(NUMBER, make(TRUTH, depth), make(NUMBER, depth), make(NUMBER, depth))

    def truth(self, depth: int) -> ir.Expr:
        make = self.make
        match self.luck.below(13):
            case 12:
                return self.combining(depth, lambda b: ir.Exists(TRUTH, b))
            case 0:
                return ir.Not(TRUTH, make(TRUTH, depth))
            case 1 | 2:
                return ir.And(TRUTH, make(TRUTH, depth), make(TRUTH, depth))
            case 3:
                return ir.Or(TRUTH, make(TRUTH, depth), make(TRUTH, depth))
            case 4 | 5:
                of = self.luck.choose([PLAYER, CARD, HAND, CARD_KIND, NUMBER])
                return games.compare("=", make(of, depth), make(of, depth))
            case 6:
                operator = self.luck.choose(["<", "<=", ">", ">="])
                return games.compare(operator, make(NUMBER, depth), make(NUMBER, depth))
            case 7:
                return self.taking(depth, lambda b: ir.Exists(TRUTH, b))
            case 8:
                return self.taking(depth, lambda b: ir.Every(TRUTH, b, make(TRUTH, depth)))
            case 9:
                of = self.luck.choose([PLAYER, CARD, HAND])
                return ir.Includes(TRUTH, make(SetType(of), depth), make(of, depth))
            case 10:
                return ir.IsEmpty(TRUTH, make(SetType(CARD), depth))
        if self.luck.below(2):
            place = ir.PlaceOf(MaybeType(HAND), HAND.index, make(CARD, depth))
            return games.compare("=", place, make(HAND, depth))
        return ir.Supposing(TRUTH, make(CARD, depth), make(HAND, depth), make(TRUTH, depth))

    def player(self, depth: int) -> ir.Expr:
        match self.luck.below(3):
            case 0:
                return ir.Neighbour(PLAYER, self.make(PLAYER, depth), self.luck.below(5) - 2)
            case 1:
                return ir.OwnerOf(PLAYER, self.make(HAND, depth))
        return self.taking(depth, lambda b: ir.The(PLAYER, b), PLAYER)

    def card(self, depth: int) -> ir.Expr:
        return self.taking(depth, lambda b: ir.The(CARD, b), CARD)

    def hand(self, depth: int) -> ir.Expr:
        return ir.PlaceAt(HAND, HAND.index, (self.make(PLAYER, depth),))

    def kind(self, depth: int) -> ir.Expr:
        if self.luck.below(2):
            return ir.KindOf(CARD_KIND, self.make(CARD, depth))
        return ir.CallFunction(CARD_KIND, 0, (self.make(HAND, depth),))

    def several(self, of: SetType, depth: int) -> ir.Expr:
        make, inner = self.make, of.of
        match self.luck.below(6):
            case 0:
                return self.taking(depth, lambda b: ir.Filter(of, b), inner)
            case 5:
                return self.combining(depth, lambda b: ir.The(of, b), inner)
            case 3:
                return self.region(of, depth)
            case 1:
                return self.taking(depth, lambda b: ir.Collect(of, b, make(inner, depth)))
            case 2 if inner == PLAYER:
                player = make(PLAYER, depth)
                match self.luck.below(3):
                    case 0:
                        return ir.PlayersOf(of, ir.SideOf(SIDE, player))
                    case 1:
                        return ir.PartnersOf(of, player)
                return ir.PlayersFrom(of, player)
            case 2:
                return ir.ListOf(of, (make(inner, depth), make(inner, depth)))
        return games.contents(make(HAND, depth)) if inner == CARD else ir.Domain(of, inner)

    def region(self, of: SetType, depth: int) -> ir.Expr:
        """Where one stands is known to the steps, and not to the condition."""
        start = self.make(of, depth)
        here, there, self.next = self.next, self.next + 1, self.next + 2
        self.bound.append((of.of, here))
        steps = self.make(of, depth)
        self.bound[-1] = (of.of, there)
        where = self.make(TRUTH, depth)
        self.release()
        standing = binder(here, of.of, start)
        return ir.Region(of, standing, binder(there, of.of, steps, where))


class Caller(Maker):
    """Every other expression is asked of a defined value, and every one stands in a place of its
    own, by which its faults are told apart."""

    def __init__(self, luck: Stream) -> None:
        super().__init__(luck)
        self.places = 0

    def make(self, of: Type, depth: int) -> ir.Expr:
        made = self.called(of, depth - 1) if depth > 0 and self.luck.below(2) else None
        self.places += 1
        span = Span(BOOK, self.places, self.places + 1)
        return replace(made or super().make(of, depth), span=span)

    def called(self, of: Type, depth: int) -> ir.Expr | None:
        cards, make = SetType(CARD), self.make
        case = self.luck.below(4)
        match of, case:
            case NumberType(), 0 | 1:
                numbers = (make(NUMBER, depth), make(NUMBER, depth), make(NUMBER, depth))
                return ir.CallFunction(NUMBER, 2, numbers)
            case NumberType(), _:
                given = (make(cards, depth), make(NUMBER, depth), make(PLAYER, depth))
                return ir.CallFunction(NUMBER, 3, given)
            case TruthType(), 0:
                bounds = make(NUMBER, depth), make(NUMBER, depth)
                between = ir.Range(SetType(NUMBER), *bounds)
                return ir.Includes(TRUTH, between, make(NUMBER, depth))
            case TruthType(), 1:
                place = ir.PlaceOf(MaybeType(HAND), HAND.index, make(CARD, depth))
                return games.compare("=", make(HAND, depth), place)
            case TruthType(), _:
                return ir.CallFunction(TRUTH, 4, (make(cards, depth), make(NUMBER, depth)))
            case SetType(), 0:
                without = bool(self.luck.below(2))
                return ir.Combine(of, make(of, depth), make(of, depth), without)
            case SetType(of=PieceType()), _:
                return ir.CallFunction(cards, 5, (make(cards, depth), make(NUMBER, depth)))
        return None


def situation(luck: Stream) -> tuple[State, list[Any]]:
    """Cards dealt out at random, and something in the first slots."""
    machine = machine_for(PROGRAM, 2)
    layout = machine.layout
    state = machine.blank(0)
    places = [*layout.places_of[HAND.index], *layout.places_of[TABLE.index]]
    places += layout.places_of[DISCARDS.index]
    held: dict[int, list[int]] = {}
    for piece in range(len(layout.piece_type)):
        state.where[piece] = luck.choose(places)
        held.setdefault(state.where[piece], []).append(piece)
    state.contents = {place: tuple(pieces) for place, pieces in held.items()}
    state.scores = [luck.below(5), luck.below(5)]
    slots: list[Any] = [luck.below(2), luck.below(9), luck.choose(places[:2]), luck.below(5)]
    return state, slots


@pytest.mark.parametrize("seed", range(40))
def test_closures_give_what_expressions_mean(seed: int) -> None:
    luck = RngFactory(seed).stream("expressions")
    for _ in range(40):
        check(Maker(luck), luck)


@pytest.mark.parametrize("seed", sample(range(40), test=2))
def test_defined_values_are_given_what_was_worked_out(seed: int) -> None:
    luck = RngFactory(seed).stream("defined values")
    for _ in range(40):
        check(Caller(luck), luck)


def check(maker: Maker, luck: Stream) -> None:
    """A random expression in random situations: its value, or where its fault is told."""
    machine = machine_for(PROGRAM, 2)
    of = luck.choose([NUMBER, TRUTH, TRUTH, PLAYER, SetType(CARD), PLACES])
    expr = maker.make(of, 3)
    closure = Evaluator(machine.layout, BUILDERS).compile(expr)
    for _ in range(6):
        state, slots = situation(luck)
        slots += [None] * (maker.next + 1 - len(slots))
        state.left = machine.budget
        before = state.canonical()
        try:
            wanted = Meaning(machine.layout, state.copy(), slots.copy()).value(expr)
        except Broken as broken:
            wanted = broken.told
        try:
            given = closure(state, slots)
        except RuleFault as fault:
            given = (fault.message, fault.span)
        if isinstance(given, list | tuple):
            given = tuple(given)
        assert given == wanted, expr
        assert state.canonical() == before
